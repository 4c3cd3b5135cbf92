/* Arguments of the device process. */
#ifndef MLX5SIM_PROCESS_OPTIONS_H
#define MLX5SIM_PROCESS_OPTIONS_H

/* Fills in `machine`. Returns 0, or writes a line to stderr and returns the exit status for a wrong
 * argument. */
int options_read(int argc, char **argv);

/* Adds the faults of the --fault arguments. Returns 0 or EINVAL. */
int faults_read(void);

#endif

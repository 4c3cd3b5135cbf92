/* Inside the kernel half: what the files of the device process say to each other at start. */
#ifndef MLX5SIM_DEVICE_H
#define MLX5SIM_DEVICE_H

#include "sim.h"

/* "-" is stderr. 0 or errno. */
int log_open(const char *name, bool trace);

/* Fills in `machine`. 0, or the exit status of a wrong argument after a line to stderr. */
int options_read(int argc, char **argv);
/* The --fault arguments, once the hardware half is ready for them. */
int faults_read(void);

/* The page libmlx5 turns CQE timestamps into wall clock time with. */
void uverbs_clock_info(unsigned char *page);

/* Writes DIR/sys for the functions of the machine. 0, or errno after a line in the log. */
int sysfs_write(void);

#endif

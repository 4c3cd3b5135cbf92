/* The files of counters: DIR/sys/class/infiniband/NAME/ports/1/counters and hw_counters. */
#ifndef MLX5SIM_PROCESS_COUNTER_FILES_H
#define MLX5SIM_PROCESS_COUNTER_FILES_H

/* Writes the files of all functions. The directories exist. Returns 0, or an errno after a line in
 * the log. */
int counter_files_write(void);

/* Writes the files of the functions that have counted something since, and closes the connection,
 * for which the program waits before it reads a file. */
void counter_files_accept(int fd);

#endif

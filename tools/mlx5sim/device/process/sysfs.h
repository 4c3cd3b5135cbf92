/* The sysfs tree. */
#ifndef MLX5SIM_PROCESS_SYSFS_H
#define MLX5SIM_PROCESS_SYSFS_H

/* Writes the tree DIR/sys, which describes the functions of the machine. Returns 0, or an errno
 * after a line in the log. */
int sysfs_write(void);

#endif

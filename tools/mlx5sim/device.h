/* Inside the kernel half: what the files of the device process say to each other at start. */
#ifndef MLX5SIM_DEVICE_H
#define MLX5SIM_DEVICE_H

#include "sim.h"

/* "-" is stderr. 0 or errno. */
int log_open(const char *name, bool trace);

/* Writes DIR/sys for the functions of the machine. 0, or errno after a line in the log. */
int sysfs_write(void);

#endif

/* Connections to the device process. */
#ifndef MLX5SIM_PROGRAM_CONNECTION_H
#define MLX5SIM_PROGRAM_CONNECTION_H

#include <stddef.h>

/* Returns the directory of the machine, from the environment variable MLX5SIM_DIR. NULL when the
 * variable is not set; the library then passes all calls to libc unchanged. */
const char *sim_machine_dir(void);

/* Connects to a socket in the machine's directory. Returns the descriptor, or -1 with errno. */
int sim_connect(const char *name);

/* Receives a packet with up to WIRE_MAX_FDS descriptors. The descriptors are closed on exec.
 * Returns the number of bytes, or -1 with errno; EMFILE: this process has too few free descriptors
 * for those of the packet. */
long sim_receive(int fd, void *buf, size_t bytes, int *fds, unsigned *num_fds);

/* Returns the errno of a connection whose device process did not answer: the one that the device
 * process sends within a second, otherwise EIO. */
int sim_connection_error(int fd);

/* Moves a descriptor to a number above 2. Without this, a program that has closed its standard
 * streams would write its messages into the descriptor. Returns the new number, or -1. */
int sim_above_standard_streams(int fd);

#endif

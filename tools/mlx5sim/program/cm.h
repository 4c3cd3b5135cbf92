/* The open rdma_cm device. Its descriptor is a connection to the device process. */
#ifndef MLX5SIM_PROGRAM_CM_H
#define MLX5SIM_PROGRAM_CM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Opens the device. All flags except O_CLOEXEC and O_NONBLOCK are ignored. Returns the descriptor,
 * or -1 with errno. */
int cm_open(int flags);

/* True when `fd` is an open rdma_cm device that this process, or one that it was forked from, has
 * opened. */
bool cm_is_open(int fd);

/* Executes the command in a write(2). Returns `bytes`, or -1 with errno. */
ssize_t cm_write(int fd, const void *data, size_t bytes);

#endif

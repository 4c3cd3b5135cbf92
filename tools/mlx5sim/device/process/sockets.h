/* Packets with descriptors, and memory that is shared with programs. */
#ifndef MLX5SIM_PROCESS_SOCKETS_H
#define MLX5SIM_PROCESS_SOCKETS_H

#include <stddef.h>
#include <stdint.h>

/* Sends a packet with these descriptors, without waiting. Returns 0 or an errno. */
int send_fds(int to, const void *data, size_t bytes, const int *fds, unsigned num_fds);

/* Makes a memfd of fixed size: programs that receive it cannot truncate it. Returns -1 after a line
 * in the log on failure. */
int sealed_memfd(const char *name, uint64_t bytes);

#endif

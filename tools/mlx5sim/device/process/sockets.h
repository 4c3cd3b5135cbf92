/* Packets with descriptors, and memory that is shared with programs. */
#ifndef MLX5SIM_PROCESS_SOCKETS_H
#define MLX5SIM_PROCESS_SOCKETS_H

#include <stddef.h>
#include <stdint.h>

/* Sends a packet with these descriptors, without waiting. Returns 0 or an errno. */
int send_fds(int to, const void *data, size_t bytes, const int *fds, unsigned num_fds);

/* Returns the errno that a program gets for an errno of the device process. The device process acts
 * as the kernel of the emulated machine, so its EMFILE is the program's ENFILE. This is logged. */
int kernel_error(int error);

/* Tells a program that its connection or its request could not be received. */
void send_refusal(int to, int error);

/* Makes a memfd of fixed size: programs that receive it cannot truncate it. Returns -1 with
 * errno after a line in the log on failure. */
int sealed_memfd(const char *name, uint64_t bytes);

#endif

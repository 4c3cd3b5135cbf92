/* Packets with descriptors, and memory that is shared with programs. */
#ifndef MLX5SIM_PROCESS_SOCKETS_H
#define MLX5SIM_PROCESS_SOCKETS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Sends a packet with these descriptors, without waiting. Returns 0 or an errno. */
int send_fds(int to, const void *data, size_t bytes, const int *fds, unsigned num_fds);

/* Sends the reply to a request, as send_fds() does. A failure is logged. */
void send_reply(int to, const void *data, size_t bytes, const int *fds, unsigned num_fds);

struct packet_from {
    pid_t pid;                  /* the sender */
    int reply_fd;               /* for the reply; the receiver of the request closes it */
};

/* Receives a request: a struct wire_request, and what follows it. Returns its bytes; 0 when the
 * connection has ended; -1 when there is no request. A packet of another kind is logged, and a
 * request that cannot be received for want of descriptors is refused; both return -1. */
ssize_t receive_request(int fd, unsigned char *packet, size_t bytes, struct packet_from *from);

/* Receives a packet, and the pid of its sender. Returns the result of recvmsg(). */
ssize_t receive_packet(int fd, void *packet, size_t bytes, pid_t *pid);

/* Returns the errno that a program gets for an errno of the device process. The device process acts
 * as the kernel of the emulated machine, so its EMFILE is the program's ENFILE. This is logged. */
int kernel_error(int error);

/* Tells a program that its connection or its request could not be received. */
void send_refusal(int to, int error);

/* Makes a memfd of fixed size: programs that receive it cannot truncate it. Returns -1 with
 * errno after a line in the log on failure. */
int sealed_memfd(const char *name, uint64_t bytes);

#endif

/*
 * Netlink sockets of the program.
 *
 * Every netlink socket of a program is a socket of the kernel. This library looks at the requests
 * that the program sends, and keeps the answer to a request that concerns emulated interfaces or
 * RDMA devices. When the program receives what the kernel says to the same request, the kept answer
 * is added to it or takes its place. A socket can therefore be polled, bound and inherited, and the
 * kernel handles all other requests and notifications.
 *
 * The kernel may have no NETLINK_RDMA. A program that opens it gets a socket of NETLINK_SOCK_DIAG,
 * which every kernel has. The requests of NETLINK_RDMA have types that NETLINK_SOCK_DIAG does not
 * use.
 */
#ifndef MLX5SIM_PROGRAM_NETLINK_H
#define MLX5SIM_PROGRAM_NETLINK_H

#include <stdbool.h>
#include <sys/socket.h>

/* Implements socket() for the family AF_NETLINK. */
int netlink_socket(int type, int protocol);

/* Implement sendmsg() and recvmsg() for a socket of any kind. */
ssize_t netlink_send(int fd, const struct msghdr *msg, int flags);
ssize_t netlink_receive(int fd, struct msghdr *msg, int flags);

/* False while this process has opened no netlink socket. As long as the result is false, the two
 * functions above do only what sendmsg() and recvmsg() of libc do, so callers call libc instead. */
bool netlink_is_used(void);

#endif

/* Replacements of libc functions on sockets, and on the names and addresses of network interfaces.
 * Programs call the functions __NAME_chk when they are built with _FORTIFY_SOURCE. */
#define _GNU_SOURCE
#include "program/connection.h"
#include "program/interface.h"
#include "program/libc.h"
#include "program/netlink.h"

#include <stdlib.h>
#include <sys/socket.h>

/* ---- sockets -------------------------------------------------------------------------------- */

EXPORT int socket(int domain, int type, int protocol)
{
    if (domain == AF_NETLINK)
        return netlink_socket(type, protocol);
    return SIM_REAL(socket)(domain, type, protocol);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
    if (!netlink_is_used() || msg == NULL)
        return SIM_REAL(sendmsg)(fd, msg, flags);
    return netlink_send(fd, msg, flags);
}

EXPORT ssize_t sendto(int fd, const void *data, size_t bytes, int flags,
                      const struct sockaddr *to, socklen_t to_bytes)
{
    struct iovec iov = {(void *)data, bytes};
    struct msghdr msg = {.msg_name = (void *)to, .msg_namelen = to_bytes, .msg_iov = &iov,
                         .msg_iovlen = 1};

    if (!netlink_is_used())
        return SIM_REAL(sendto)(fd, data, bytes, flags, to, to_bytes);
    return netlink_send(fd, &msg, flags);
}

EXPORT ssize_t send(int fd, const void *data, size_t bytes, int flags)
{
    return sendto(fd, data, bytes, flags, NULL, 0);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
    if (!netlink_is_used() || msg == NULL)
        return SIM_REAL(recvmsg)(fd, msg, flags);
    return netlink_receive(fd, msg, flags);
}

EXPORT ssize_t recvfrom(int fd, void *data, size_t bytes, int flags, struct sockaddr *from,
                        socklen_t *from_bytes)
{
    struct iovec iov = {data, bytes};
    struct msghdr msg = {.msg_name = from, .msg_namelen = from_bytes != NULL ? *from_bytes : 0,
                         .msg_iov = &iov, .msg_iovlen = 1};
    ssize_t n;

    if (!netlink_is_used())
        return SIM_REAL(recvfrom)(fd, data, bytes, flags, from, from_bytes);
    n = netlink_receive(fd, &msg, flags);
    if (n >= 0 && from != NULL && from_bytes != NULL)
        *from_bytes = msg.msg_namelen;
    return n;
}

EXPORT ssize_t recv(int fd, void *data, size_t bytes, int flags)
{
    return recvfrom(fd, data, bytes, flags, NULL, NULL);
}

EXPORT ssize_t __recv_chk(int fd, void *data, size_t bytes, size_t room, int flags)
{
    if (bytes > room)
        abort();
    return recv(fd, data, bytes, flags);
}

EXPORT ssize_t __recvfrom_chk(int fd, void *data, size_t bytes, size_t room, int flags,
                              struct sockaddr *from, socklen_t *from_bytes)
{
    if (bytes > room)
        abort();
    return recvfrom(fd, data, bytes, flags, from, from_bytes);
}

/* ---- interfaces ----------------------------------------------------------------------------- */

EXPORT unsigned if_nametoindex(const char *name)
{
    return interface_index(name);
}

EXPORT char *if_indextoname(unsigned index, char name[IF_NAMESIZE])
{
    return interface_name(index, name);
}

EXPORT struct if_nameindex *if_nameindex(void)
{
    return sim_machine_dir() != NULL ? interface_names() : SIM_REAL(if_nameindex)();
}

EXPORT void if_freenameindex(struct if_nameindex *list)
{
    if (sim_machine_dir() != NULL)
        free(list);
    else
        SIM_REAL(if_freenameindex)(list);
}

EXPORT int getifaddrs(struct ifaddrs **list)
{
    return sim_machine_dir() != NULL ? interface_addresses(list) : SIM_REAL(getifaddrs)(list);
}

EXPORT void freeifaddrs(struct ifaddrs *list)
{
    if (sim_machine_dir() != NULL)
        interface_free_addresses(list);
    else
        SIM_REAL(freeifaddrs)(list);
}

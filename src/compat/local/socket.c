/* ---- >>impl.local.socket --------------------------------------------------------------------
 * Local sockets (SOCK_SEQPACKET) between processes of one machine and one user. A packet may carry
 * descriptors. Several headers contain this part; the first that is included defines it.         */
#include "compat/local/socket_priv.h"

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "compat/local/platform_priv.h"

#ifndef DOCA_PRIV_LOCAL_SOCKET
#define DOCA_PRIV_LOCAL_SOCKET

#define DOCA_PRIV_LOCAL_BACKLOG 128
#define DOCA_PRIV_LOCAL_PREFIX 16 /* bytes of the prefix of an address */
#define DOCA_PRIV_LOCAL_ADDRESS_BYTES                                                              \
    ((socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + DOCA_PRIV_LOCAL_PREFIX + 32))

/* Make an abstract address from the prefix, the user id and the number. Such an address needs no
 * file, and ceases to exist when the process ends. */
static struct sockaddr_un doca_priv_local_address(const char *prefix, uint64_t number)
{
    struct sockaddr_un address;
    uint64_t words[2];
    char *to = address.sun_path + 1;
    unsigned i;

    words[0] = (uint64_t)geteuid();
    words[1] = number;
    DOCA_CORE_MEMSET(&address, 0, sizeof(address));
    address.sun_family = AF_UNIX;
    DOCA_CORE_MEMCPY(to, prefix, DOCA_PRIV_LOCAL_PREFIX);
    for (i = 0; i < 32; i++)
        to[DOCA_PRIV_LOCAL_PREFIX + i] =
            "0123456789abcdef"[words[i / 16] >> (60 - i % 16 * 4) & 15];
    return address;
}

static int doca_priv_local_socket(struct doca_core_refusal *why)
{
    int fd = doca_priv_sys_keep(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));

    if (fd < 0) {
        why->step = DOCA_PRIV_LOG_TEXT("open a local socket");
        why->error = errno;
    }
    return fd;
}

static int doca_priv_local_give_up(int fd, const char *step, struct doca_core_refusal *why)
{
    why->step = step;
    why->error = errno;
    close(fd);
    return -1;
}

/* Open a socket that listens under the address. Returns -1, with the reason in *why, on failure;
 * EADDRINUSE means that another socket has the address. */
DOCA_PRIV_DECL int doca_priv_local_listen(const char *prefix, uint64_t number,
                                          struct doca_core_refusal *why)
{
    int fd = doca_priv_local_socket(why);
    struct sockaddr_un address;

    if (fd < 0)
        return -1;
    address = doca_priv_local_address(prefix, number);
    if (bind(fd, (const struct sockaddr *)(const void *)&address, DOCA_PRIV_LOCAL_ADDRESS_BYTES) !=
            0 ||
        listen(fd, DOCA_PRIV_LOCAL_BACKLOG) != 0)
        return doca_priv_local_give_up(fd, DOCA_PRIV_LOG_TEXT("listen under the name"), why);
    return fd;
}

/* Connect to the socket that listens under the address. Returns -1, with the reason in *why, on
 * failure; EAGAIN means that too many clients wait for the listener to accept them. */
DOCA_PRIV_DECL int doca_priv_local_dial(const char *prefix, uint64_t number,
                                        struct doca_core_refusal *why)
{
    int fd = doca_priv_local_socket(why);
    struct sockaddr_un address;

    if (fd < 0)
        return -1;
    address = doca_priv_local_address(prefix, number);
    if (connect(fd, (const struct sockaddr *)(const void *)&address,
                DOCA_PRIV_LOCAL_ADDRESS_BYTES) != 0)
        return doca_priv_local_give_up(fd, DOCA_PRIV_LOG_TEXT("connect to the peer"), why);
    return fd;
}

/* Accept a client. Returns -1 when no client waits. */
DOCA_PRIV_DECL int doca_priv_local_accept(int listener)
{
    return doca_priv_sys_keep(
        (int)doca_priv_sys_call(SYS_accept4, listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK, 0, 0));
}

/* True when the peer of a socket runs as the user of this process. */
DOCA_PRIV_DECL bool doca_priv_local_is_same_user(int fd)
{
    struct {
        int pid;
        unsigned uid, gid;
    } peer = { 0, 0, 0 }; /* a struct ucred; strict C hides it */
    socklen_t len = sizeof(peer);

    return getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, &peer, &len) == 0 &&
           len == sizeof(peer) && peer.uid == (unsigned)geteuid();
}

/* Send a packet, with three descriptors unless `fds` is NULL. */
DOCA_PRIV_DECL enum doca_priv_local_sent doca_priv_local_send(int fd, uint32_t type,
                                                              uint32_t number, const void *bytes,
                                                              size_t len, const int *fds)
{
    struct doca_priv_local_head head;
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(DOCA_PRIV_LOCAL_FDS * sizeof(int))];
    } control;
    struct iovec parts[2];
    struct msghdr message;

    head.type = type;
    head.number = number;
    parts[0].iov_base = &head;
    parts[0].iov_len = sizeof(head);
    parts[1].iov_base = (void *)(uintptr_t)bytes;
    parts[1].iov_len = len;
    DOCA_CORE_MEMSET(&message, 0, sizeof(message));
    message.msg_iov = parts;
    message.msg_iovlen = len > 0 ? 2 : 1;
    if (fds != NULL) {
        DOCA_CORE_MEMSET(&control, 0, sizeof(control));
        message.msg_control = &control;
        message.msg_controllen = sizeof(control);
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(DOCA_PRIV_LOCAL_FDS * sizeof(int));
        DOCA_CORE_MEMCPY(CMSG_DATA(&control.head), fds, DOCA_PRIV_LOCAL_FDS * sizeof(int));
    }
    while (sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        if (errno != EINTR)
            return errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM || errno == ETOOMANYREFS
                       ? DOCA_PRIV_LOCAL_FULL
                       : DOCA_PRIV_LOCAL_BROKEN;
    return DOCA_PRIV_LOCAL_SENT;
}

/* Store the descriptors of a received packet, with numbers above 2 (the standard streams). */
static void doca_priv_local_take_fds(struct msghdr *message, struct doca_priv_local_packet *packet)
{
    struct cmsghdr *head = CMSG_FIRSTHDR(message);
    size_t len;
    unsigned i;

    if (head == NULL || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
        return;
    len = head->cmsg_len - CMSG_LEN(0);
    packet->num_fds = (unsigned)(len / sizeof(int));
    if (packet->num_fds > DOCA_PRIV_LOCAL_FDS)
        packet->num_fds = DOCA_PRIV_LOCAL_FDS;
    DOCA_CORE_MEMCPY(packet->fds, CMSG_DATA(head), packet->num_fds * sizeof(int));
    for (i = 0; i < packet->num_fds; i++)
        packet->fds[i] = doca_priv_sys_keep(packet->fds[i]);
}

/* Receive a packet of at most `room` bytes and DOCA_PRIV_LOCAL_FDS descriptors; a longer packet is
 * cut. The buffer has CMSG_SPACE() bytes, which is rounded up and may have space for one more
 * descriptor. Therefore msg_controllen is CMSG_LEN(): the kernel then closes all descriptors that
 * exceed the maximum. */
DOCA_PRIV_DECL void doca_priv_local_receive(int fd, void *to, size_t room,
                                            struct doca_priv_local_packet *packet)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(DOCA_PRIV_LOCAL_FDS * sizeof(int))];
    } control;
    struct msghdr message;
    struct iovec part;

    part.iov_base = to;
    part.iov_len = room;
    DOCA_CORE_MEMSET(&message, 0, sizeof(message));
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = CMSG_LEN(DOCA_PRIV_LOCAL_FDS * sizeof(int));
    packet->num_fds = 0;
    do { /* after ECONNRESET (the peer ended before it had read all packets), packets of the peer
          * can still be read */
        packet->bytes = (long)recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (packet->bytes < 0 && (errno == EINTR || errno == ECONNRESET));
    if (packet->bytes >= 0 && message.msg_controllen > 0)
        doca_priv_local_take_fds(&message, packet);
    if (packet->bytes < 0 && errno != EAGAIN)
        packet->bytes = 0;
    if (packet->bytes == 0) /* an empty packet counts as the end of the connection, but may carry
                             * descriptors */
        doca_priv_local_close_fds(packet);
}

DOCA_PRIV_DECL void doca_priv_local_close_fds(struct doca_priv_local_packet *packet)
{
    while (packet->num_fds > 0)
        doca_priv_sys_close(packet->fds[--packet->num_fds]);
}

/* End both directions of a connection at once. Both ends can still read the packets that they have
 * received before. From here on every send of the peer fails. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_local_hang_up(int fd)
{
    (void)shutdown(fd, SHUT_RDWR);
}

static int doca_priv_local_fd_events(int fd)
{
    struct pollfd wait;

    wait.fd = fd;
    wait.events = POLLIN;
    wait.revents = 0;
    return poll(&wait, 1, 0) > 0 ? wait.revents : 0;
}

/* True when a packet can be received, or when an epoll set has a ready descriptor. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_local_is_readable(int fd)
{
    return (doca_priv_local_fd_events(fd) & POLLIN) != 0;
}

/* True when one of the two ends has closed or ended the connection. */
DOCA_PRIV_DECL bool doca_priv_local_is_hung_up(int fd)
{
    return (doca_priv_local_fd_events(fd) & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

#endif /* DOCA_PRIV_LOCAL_SOCKET */

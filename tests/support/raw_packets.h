/* Common code of the suites about hostile peers of Comch and RDMA: record packets, damage packets
 * on their way, and send packets without the library.
 *
 * The wire formats are not documented, so these programs know nothing of them. A program that
 * includes this header is linked with -Wl,--wrap for sendmsg, send and sendto: the wrappers record
 * the packets of a real session, or damage those of one end. */
#ifndef RAW_PACKETS_H
#define RAW_PACKETS_H

#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

enum { FILES = 4096, PACKETS = 256, PACKET = 8192, RAW_FILES = 40 };

/* ---- packets: recorded or damaged ---- */

static struct {
    bool is_recording;
    unsigned num;
    size_t len[PACKETS];
    unsigned char bytes[PACKETS][PACKET];
} tape;

static bool is_damaging; /* while the hostile end runs */

ssize_t __real_sendmsg(int fd, const struct msghdr *msg, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr *msg, int flags);
ssize_t __real_send(int fd, const void *data, size_t len, int flags);
ssize_t __wrap_send(int fd, const void *data, size_t len, int flags);
ssize_t __real_sendto(int fd, const void *data, size_t len, int flags, const struct sockaddr *to,
                      socklen_t to_len);
ssize_t __wrap_sendto(int fd, const void *data, size_t len, int flags, const struct sockaddr *to,
                      socklen_t to_len);

static inline void record(const unsigned char *packet, size_t len)
{
    if (!tape.is_recording || tape.num == PACKETS || len > PACKET)
        return;
    memcpy(tape.bytes[tape.num], packet, len);
    tape.len[tape.num++] = len;
}

/* Change a packet in one of several ways. Return its new length. */
static inline size_t damage(unsigned char *packet, size_t len)
{
    uint32_t i, num;

    switch (rig_random(6)) {
    case 0: /* some bits */
        for (num = 1 + rig_random(4), i = 0; i < num && len > 0; i++)
            packet[rig_random((uint32_t)len)] ^= (unsigned char)(1u << rig_random(8));
        return len;
    case 1: /* some bytes, mostly near the beginning */
        for (num = 1 + rig_random(8), i = 0; i < num && len > 0; i++)
            packet[rig_random((uint32_t)(len < 32 ? len : 32))] = (unsigned char)rig_random(256);
        return len;
    case 2: /* the end is missing */
        return len > 0 ? rig_random((uint32_t)len) : 0;
    case 3: /* it is too long */
        num = rig_random((uint32_t)(PACKET - len));
        memset(packet + len, (int)rig_random(256), num);
        return len + num;
    case 4: /* a large number somewhere */
        if (len >= 4)
            memset(packet + rig_random((uint32_t)len - 3), rig_random(2) ? 0xff : 0x7f, 4);
        return len;
    default:
        for (i = 0; i < len; i++)
            packet[i] = (unsigned char)rig_random(256);
        return len;
    }
}

/* Copy the bytes of a message, record them, and damage them if the hostile end sends them. Return
 * the length, or 0 when the packet is to be sent unchanged. */
static inline size_t tap(const struct iovec *iov, size_t num, unsigned char packet[PACKET])
{
    size_t i, len = 0;

    for (i = 0; i < num; i++) {
        if (iov[i].iov_len > PACKET - len)
            return 0;
        if (iov[i].iov_len > 0)
            memcpy(packet + len, iov[i].iov_base, iov[i].iov_len);
        len += iov[i].iov_len;
    }
    record(packet, len);
    if (!is_damaging || rig_random(4) != 0)
        return 0;
    return damage(packet, len);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *msg, int flags)
{
    unsigned char packet[PACKET];
    size_t len = tap(msg->msg_iov, msg->msg_iovlen, packet), want = 0, i;
    struct iovec iov = { packet, len };
    struct msghdr damaged = *msg;
    ssize_t rc;

    if (len == 0)
        return __real_sendmsg(fd, msg, flags);
    damaged.msg_iov = &iov;
    damaged.msg_iovlen = 1;
    if (rig_random(4) == 0) { /* the descriptors are missing */
        damaged.msg_control = NULL;
        damaged.msg_controllen = 0;
    }
    rc = __real_sendmsg(fd, &damaged, flags);
    for (i = 0; i < msg->msg_iovlen; i++)
        want += msg->msg_iov[i].iov_len;
    return rc < 0 ? rc : (ssize_t)want; /* the sender must not notice */
}

ssize_t __wrap_sendto(int fd, const void *data, size_t len, int flags, const struct sockaddr *to,
                      socklen_t to_len)
{
    struct iovec iov = { (void *)(size_t)data, len };
    unsigned char packet[PACKET];
    size_t new_len = tap(&iov, 1, packet);
    ssize_t rc;

    if (new_len == 0)
        return __real_sendto(fd, data, len, flags, to, to_len);
    rc = __real_sendto(fd, packet, new_len, flags, to, to_len);
    return rc < 0 ? rc : (ssize_t)len;
}

ssize_t __wrap_send(int fd, const void *data, size_t len, int flags)
{
    return __wrap_sendto(fd, data, len, flags, NULL, 0);
}

/* ---- sockets without the library ---- */

/* Return the number of open descriptors. */
static inline unsigned count_files(void)
{
    unsigned num = 0;
    int fd;

    for (fd = 0; fd < FILES; fd++)
        num += fcntl(fd, F_GETFD) >= 0;
    return num;
}

/* Send a packet with a descriptor, `num` times, if the other end still listens. */
static inline bool raw_send_files(int fd, const void *data, size_t len, int file, unsigned num)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(RAW_FILES * sizeof(int))];
    } control;
    unsigned i;
    struct iovec iov = { (void *)(size_t)data, len };
    struct msghdr msg;
    ssize_t rc;

    memset(&msg, 0, sizeof(msg));
    msg.msg_iov = &iov;
    msg.msg_iovlen = 1;
    if (num > 0) {
        memset(&control, 0, sizeof(control));
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(num * sizeof(int));
        for (i = 0; i < num; i++)
            memcpy(CMSG_DATA(&control.head) + i * sizeof(int), &file, sizeof(int));
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(num * sizeof(int));
    }
    rc = __real_sendmsg(fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);
    return rc >= 0;
}

/* Send a packet if the other end still listens. With `file` >= 0, send this descriptor, too. */
static inline bool raw_send(int fd, const void *data, size_t len, int file)
{
    return raw_send_files(fd, data, len, file, file >= 0);
}

/* True when the other end has closed the connection. Packets that it sent before are discarded. */
static inline bool raw_is_closed(int fd)
{
    static unsigned char packet[65536];
    ssize_t got;

    do
        got = recv(fd, packet, sizeof(packet), MSG_DONTWAIT);
    while (got > 0);
    return got == 0 || errno != EAGAIN;
}

#endif

/* Connections to the device process: a socket, packets, and descriptors that come with them. */
#define _GNU_SOURCE
#include "program/connection.h"
#include "program/libc.h"
#include "wire/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { REFUSAL_MS = 1000 };     /* longest wait for the refusal of a request */

const char *sim_machine_dir(void)
{
    /* the device process refuses a directory with a longer name */
    static char dir[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
    static int is_read;

    if (!__atomic_load_n(&is_read, __ATOMIC_ACQUIRE)) {
        const char *value = getenv("MLX5SIM_DIR");

        if (value != NULL && strlen(value) < sizeof(dir))
            memcpy(dir, value, strlen(value) + 1);
        __atomic_store_n(&is_read, 1, __ATOMIC_RELEASE);
    }
    return dir[0] != '\0' ? dir : NULL;
}

int sim_above_standard_streams(int fd)
{
    int high, error;

    if (fd < 0 || fd > 2)
        return fd;
    high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    error = errno;
    close(fd);
    errno = error;
    return high;
}

int sim_connect(const char *name)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd, error;

    if (sim_machine_dir() == NULL) {
        errno = ENOENT;
        return -1;
    }
    snprintf(to.sun_path, sizeof(to.sun_path), "%s/%s", sim_machine_dir(), name);
    fd = sim_above_standard_streams(SIM_REAL(socket)(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (fd < 0)
        return -1;
    if (connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0)
        return fd;
    error = errno;
    close(fd);
    errno = error == ECONNREFUSED ? EIO : error;
    return -1;
}

long sim_receive(int fd, void *buf, size_t bytes, int *fds, unsigned *num_fds)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int) * WIRE_MAX_FDS)];
        struct cmsghdr align;
    } control;
    /* analyzer: ctuuninitvar: recvmsg() fills the buffer */
    struct iovec iov = {buf, bytes};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
                         .msg_controllen = sizeof(control)};
    struct cmsghdr *cmsg;
    bool is_cut;
    ssize_t n;

    do
        n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    *num_fds = 0;
    if (n < 0)
        return -1;
    is_cut = (msg.msg_flags & MSG_CTRUNC) != 0;
    for (cmsg = CMSG_FIRSTHDR(&msg); cmsg != NULL; cmsg = CMSG_NXTHDR(&msg, cmsg)) {
        if (cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS)
            continue;
        *num_fds = (unsigned)((cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(fds, CMSG_DATA(cmsg), *num_fds * sizeof(int));
    }
    if (!is_cut)
        return n;
    while (*num_fds > 0)
        close(fds[--*num_fds]);
    errno = EMFILE;
    return -1;
}

int sim_connection_error(int fd)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    struct wire_refusal refusal;
    int flags = MSG_DONTWAIT;
    ssize_t n;

    /* the kernel drops the reply end of a request before the device process sends its refusal */
    if (poll(&readable, 1, REFUSAL_MS) == 0)
        fprintf(stderr, "mlx5sim: the device process answers neither with a reply nor with a "
                "refusal (errno %d): the call fails with EIO\n", errno);
    if ((readable.revents & (POLLHUP | POLLERR)) != 0)
        flags |= MSG_PEEK;      /* the refusal stays there for the requests that follow */
    do
        n = recv(fd, &refusal, sizeof(refusal), flags | MSG_PEEK);
    while (n < 0 && errno == ECONNRESET);       /* reported once, and before the packets */
    if (n == 1 && (readable.revents & (POLLHUP | POLLERR)) == 0)
        return ENFILE;          /* the refusal is behind the packet of an event, which stays */
    if (n == (ssize_t)sizeof(refusal) && (flags & MSG_PEEK) == 0)
        recv(fd, &refusal, sizeof(refusal), flags);
    return n == (ssize_t)sizeof(refusal) ? refusal.error : EIO;
}

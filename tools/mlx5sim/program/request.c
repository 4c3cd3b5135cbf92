/* Open devices of the emulated machine, and requests about them to the device process. */
#define _GNU_SOURCE
#include "program/request.h"
#include "program/connection.h"
#include "wire/protocol.h"
#include "wire/sys_call.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

bool sim_connection_name(int fd, char name[SIM_NAME_BYTES])
{
    /* for a socket without a name, the kernel sets only the family */
    struct sockaddr_un peer = {0};
    socklen_t len = sizeof(peer);
    const char *dir = sim_machine_dir();
    const int error = errno;
    long result;
    size_t n;

    if (fd < 0 || dir == NULL)
        return false;
    result = sim_sys_call(SYS_getpeername, fd, (long)&peer, (long)&len, 0, 0, 0);
    errno = error;
    if (result != 0)
        return false;
    n = strlen(dir);
    if (peer.sun_family != AF_UNIX || strncmp(peer.sun_path, dir, n) != 0 ||
        peer.sun_path[n] != '/' || strlen(peer.sun_path + n + 1) >= SIM_NAME_BYTES)
        return false;
    strcpy(name, peer.sun_path + n + 1);
    return true;
}

/* Permits the device process to read and write the memory of this process; the kernel's Yama module
 * would refuse that by default. Each process does this once. */
static void allow_device(int fd)
{
    static pid_t allowed_by;
    struct ucred peer;
    socklen_t len = sizeof(peer);

    if (allowed_by == getpid())
        return;
    allowed_by = getpid();
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0)
        sim_sys_call(SYS_prctl, PR_SET_PTRACER, peer.pid, 0, 0, 0, 0);
}

static int send_request(int connection, const struct iovec *iov, size_t num_iov, int reply_fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct msghdr msg = {.msg_iov = (struct iovec *)iov, .msg_iovlen = num_iov,
                         .msg_control = &control, .msg_controllen = sizeof(control)};
    struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
    struct pollfd writable = {.fd = connection, .events = POLLOUT};

    cmsg->cmsg_level = SOL_SOCKET;
    cmsg->cmsg_type = SCM_RIGHTS;
    cmsg->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(cmsg), &reply_fd, sizeof(int));
    while (sendmsg(connection, &msg, MSG_NOSIGNAL) < 0) {
        if (errno == EAGAIN)
            poll(&writable, 1, -1);
        else if (errno != EINTR)
            return -1;
    }
    return 0;
}

long sim_request(int connection, const struct iovec *iov, size_t num_iov, void *reply,
                 size_t reply_bytes, int *fds, unsigned *num_fds)
{
    int pair[2], error;
    long n = -1;

    allow_device(connection);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    error = send_request(connection, iov, num_iov, pair[1]);
    if (error != 0)
        error = errno == EFAULT ? EFAULT : sim_connection_error(connection);
    close(pair[1]);
    if (error == 0) {
        n = sim_receive(pair[0], reply, reply_bytes, fds, num_fds);
        if (n < 0 && errno == EMFILE)
            error = EMFILE;
        else if (n < (long)sizeof(struct wire_reply))
            error = sim_connection_error(connection);
    }
    close(pair[0]);
    if (error == 0)
        return n;
    errno = error;
    return -1;
}

int sim_open(const char *name, int flags)
{
    int fd = sim_connect(name);

    if (fd < 0)
        return -1;
    allow_device(fd);
    if ((flags & O_CLOEXEC) == 0)
        fcntl(fd, F_SETFD, 0);
    return fd;
}

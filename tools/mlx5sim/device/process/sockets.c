/* Packets with descriptors, and memory that is shared with programs. */
#define _GNU_SOURCE
#include "device/process/sockets.h"
#include "device/machine/log.h"
#include "wire/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

int send_fds(int to, const void *data, size_t bytes, const int *fds, unsigned num_fds)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int) * WIRE_MAX_FDS)];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec iov = {(void *)(uintptr_t)data, bytes};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    struct cmsghdr *cmsg;

    if (num_fds > 0) {
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(sizeof(int) * num_fds);
        cmsg = CMSG_FIRSTHDR(&msg);
        /* analyzer: analyzer-null-dereference: the buffer has space for a control message */
        cmsg->cmsg_level = SOL_SOCKET;
        cmsg->cmsg_type = SCM_RIGHTS;
        cmsg->cmsg_len = CMSG_LEN(sizeof(int) * num_fds);
        memcpy(CMSG_DATA(cmsg), fds, sizeof(int) * num_fds);
    }
    return sendmsg(to, &msg, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? errno : 0;
}

void send_reply(int to, const void *data, size_t bytes, const int *fds, unsigned num_fds)
{
    int error = send_fds(to, data, bytes, fds, num_fds);

    if (error != 0)             /* EPIPE, ECONNRESET: the process has ended */
        sim_log(error == EPIPE || error == ECONNRESET ? SIM_INFO : SIM_ERROR,
                "a reply cannot be sent: %s", strerror(error));
}

int kernel_error(int error)
{
    if (error != EMFILE && error != ENFILE)
        return error;
    sim_log(SIM_ERROR, "the device process has no file descriptor left: raise the hard limit of "
            "RLIMIT_NOFILE (ulimit -Hn)");
    return ENFILE;
}

void send_refusal(int to, int error)
{
    struct wire_refusal refusal = {.error = kernel_error(error)};

    send(to, &refusal, sizeof(refusal), MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Reads the control messages of a packet. The pid is 0 when the packet does not name its
 * sender, and reply_fd is -1 when the packet has no descriptor. Further descriptors are closed. */
static void read_control(struct msghdr *msg, struct packet_from *from)
{
    struct cmsghdr *cmsg;
    struct ucred cred;
    int fd;

    from->pid = 0;
    from->reply_fd = -1;
    for (cmsg = CMSG_FIRSTHDR(msg); cmsg != NULL; cmsg = CMSG_NXTHDR(msg, cmsg)) {
        size_t i, n = cmsg->cmsg_len - CMSG_LEN(0);

        if (cmsg->cmsg_level != SOL_SOCKET)
            continue;
        if (cmsg->cmsg_type == SCM_CREDENTIALS && n == sizeof(cred)) {
            memcpy(&cred, CMSG_DATA(cmsg), n);
            from->pid = cred.pid;
        }
        if (cmsg->cmsg_type != SCM_RIGHTS)
            continue;
        for (i = 0; i < n / sizeof(int); i++) {
            memcpy(&fd, CMSG_DATA(cmsg) + i * sizeof(int), sizeof(int));
            if (from->reply_fd < 0)
                from->reply_fd = fd;
            else
                close(fd);
        }
    }
}

ssize_t receive_request(int fd, unsigned char *packet, size_t bytes, struct packet_from *from)
{
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int) * WIRE_MAX_FDS)];
        struct cmsghdr align;
    } control;
    struct iovec iov = {packet, bytes};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
                         .msg_controllen = sizeof(control)};
    ssize_t n = recvmsg(fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    uint32_t magic = 0;

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return -1;
    if (n < 0)
        sim_log(errno == ECONNRESET ? SIM_INFO : SIM_ERROR, "a connection ends: %s",
                strerror(errno));
    if (n <= 0)
        return 0;
    read_control(&msg, from);
    memcpy(&magic, packet, n >= 4 ? 4 : 0);
    if ((size_t)n >= sizeof(struct wire_request) && magic == WIRE_MAGIC && from->reply_fd >= 0)
        return n;
    if (from->reply_fd < 0 && (msg.msg_flags & MSG_CTRUNC) != 0)
        send_refusal(fd, EMFILE);
    else
        sim_log(SIM_ERROR, "process %d wrote %zd bytes that are no request to an open device: "
                "only ioctl and mmap of a context, and write of rdma_cm, are supported",
                (int)from->pid, n);
    if (from->reply_fd >= 0)
        close(from->reply_fd);
    return -1;
}

ssize_t receive_packet(int fd, void *packet, size_t bytes, pid_t *pid)
{
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred))];
        struct cmsghdr align;
    } control;
    struct iovec iov = {packet, bytes};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
                         .msg_controllen = sizeof(control)};
    ssize_t n = recvmsg(fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    struct packet_from from = {.pid = 0, .reply_fd = -1};

    if (n > 0)
        read_control(&msg, &from);
    if (from.reply_fd >= 0)
        close(from.reply_fd);
    *pid = from.pid;
    return n;
}

int sealed_memfd(const char *name, uint64_t bytes)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING), error;

    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        error = errno;
        sim_log(SIM_ERROR, "memfd %s: %s", name, strerror(error));
        if (fd >= 0)
            close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

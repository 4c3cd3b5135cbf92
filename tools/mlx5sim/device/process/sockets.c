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

/*
 * Requests of a context to the device process. The request of an ioctl contains its attributes. The
 * reply to an mmap names a part of the function's BAR. The library maps this part into the program
 * and watches it if it consists of doorbell pages or the clock page.
 */
#define _GNU_SOURCE
#include "program/context.h"
#include "program/connection.h"
#include "program/libc.h"
#include "program/trap.h"
#include "wire/protocol.h"
#include "wire/sys_call.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int context_number(int fd)
{
    /* for a socket without a name, the kernel sets only the family */
    struct sockaddr_un peer = {0};
    socklen_t len = sizeof(peer);
    const char *dir = sim_machine_dir();
    size_t n;

    if (fd < 0 || dir == NULL ||
        sim_sys_call(SYS_getpeername, fd, (long)&peer, (long)&len, 0, 0, 0) != 0)
        return -1;
    n = strlen(dir);
    if (peer.sun_family != AF_UNIX || strncmp(peer.sun_path, dir, n) != 0 ||
        strncmp(peer.sun_path + n, "/uverbs", 7) != 0)
        return -1;
    return atoi(peer.sun_path + n + 7);
}

/* ---- requests ------------------------------------------------------------------------------- */

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

static int send_request(int context, const struct iovec *iov, size_t num_iov, int reply_fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct msghdr msg = {.msg_iov = (struct iovec *)iov, .msg_iovlen = num_iov,
                         .msg_control = &control, .msg_controllen = sizeof(control)};
    struct cmsghdr *cmsg = CMSG_FIRSTHDR(&msg);
    struct pollfd writable = {.fd = context, .events = POLLOUT};

    cmsg->cmsg_level = SOL_SOCKET;
    cmsg->cmsg_type = SCM_RIGHTS;
    cmsg->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(cmsg), &reply_fd, sizeof(int));
    while (sendmsg(context, &msg, MSG_NOSIGNAL) < 0) {
        if (errno == EAGAIN)
            poll(&writable, 1, -1);
        else if (errno != EINTR)
            return -1;
    }
    return 0;
}

/* Sends a request and waits for the reply. Returns the length of the reply in bytes, or -1 with
 * errno. EMFILE: this process has no free descriptor; ENFILE: the device process has none; EIO: the
 * device process has ended. */
static long request(int context, const struct iovec *iov, size_t num_iov, void *reply,
                    size_t reply_bytes, int *fds, unsigned *num_fds)
{
    int pair[2], error;
    long n = -1;

    allow_device(context);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    error = send_request(context, iov, num_iov, pair[1]);
    if (error != 0)
        error = errno == EFAULT ? EFAULT : sim_connection_error(context);
    close(pair[1]);
    if (error == 0) {
        n = sim_receive(pair[0], reply, reply_bytes, fds, num_fds);
        if (n < 0 && errno == EMFILE)
            error = EMFILE;
        else if (n < (long)sizeof(struct wire_reply))
            error = sim_connection_error(context);
    }
    close(pair[0]);
    if (error == 0)
        return n;
    errno = error;
    return -1;
}

/* ---- open, ioctl, mmap ---------------------------------------------------------------------- */

int context_open(const char *path, int flags)
{
    int fd = sim_connect(path + sizeof("/dev/infiniband/") - 1);

    if (fd < 0)
        return -1;
    allow_device(fd);
    if ((flags & O_CLOEXEC) == 0)
        fcntl(fd, F_SETFD, 0);
    return fd;
}

int context_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
    struct {
        struct wire_reply head;
        unsigned char ioctl[WIRE_IOCTL_BYTES] __attribute__((aligned(8)));
    } reply;
    struct wire_request head = {.magic = WIRE_MAGIC, .kind = WIRE_IOCTL};
    struct iovec iov[2] = {{&head, sizeof(head)}, {hdr, hdr->length}};
    struct ib_uverbs_ioctl_hdr *after = (void *)reply.ioctl;
    int fds[WIRE_MAX_FDS];
    unsigned num_fds = 0, i;
    long n;

    if (hdr->length < sizeof(*hdr) || hdr->length > WIRE_IOCTL_BYTES) {
        errno = EINVAL;
        return -1;
    }
    n = request(fd, iov, 2, &reply, sizeof(reply), fds, &num_fds);
    if (n < 0)
        return -1;
    for (i = 0; i < num_fds; i++) {
        struct wire_fd *to = &reply.head.fd[i];

        fds[i] = sim_above_standard_streams(fds[i]);
        if (i >= reply.head.num_fds)
            close(fds[i]);
        else if (to->addr != 0)
            *(uint32_t *)(uintptr_t)to->addr = (uint32_t)fds[i];
        else
            after->attrs[to->attr].data_s64 = fds[i];
    }
    if (n == (long)(sizeof(reply.head) + hdr->length))
        memcpy(hdr->attrs, after->attrs, hdr->length - sizeof(*hdr));
    if (reply.head.error == 0)
        return 0;       /* errno stays: libibverbs reports the errno before its cleanup */
    errno = reply.head.error;
    return -1;
}

/* Maps the part of the BAR that the reply names, and watches doorbell and clock pages. A watched
 * page is mapped twice: at `addr` without write access, and writable at `alias`. */
static void *map_reply(void *addr, size_t len, int prot, int flags, int fd,
                       const struct wire_reply *reply)
{
    bool clock = reply->map_kind == WIRE_MAP_CLOCK;
    bool watched = clock || (reply->map_kind == WIRE_MAP_UAR && reply->trap != 0);
    off_t offset = (off_t)reply->map_offset;
    void *alias, *p;
    int err;

    if (!watched)
        return sim_mmap(addr, len, prot | PROT_READ, flags, fd, offset);
    alias = sim_mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    if (alias == MAP_FAILED)
        return MAP_FAILED;
    p = sim_mmap(addr, len, clock ? PROT_NONE : PROT_READ, flags, fd, offset);
    if (p == MAP_FAILED) {
        sim_munmap(alias, len);
        return MAP_FAILED;
    }
    err = clock ? trap_add_clock(p, len, alias)
                : trap_add(p, len, alias, reply->function, reply->page);
    if (err == 0)
        return p;
    sim_munmap(p, len);
    sim_munmap(alias, len);
    errno = err;
    return MAP_FAILED;
}

void *context_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    struct wire_request head = {.magic = WIRE_MAGIC, .kind = WIRE_MMAP,
                                .offset = (uint64_t)offset, .len = len};
    struct iovec iov = {&head, sizeof(head)};
    struct wire_reply reply;
    int fds[WIRE_MAX_FDS], error;
    unsigned num_fds = 0, i;
    void *p = MAP_FAILED;

    if (request(fd, &iov, 1, &reply, sizeof(reply), fds, &num_fds) < 0)
        return MAP_FAILED;
    error = reply.error;
    if (error == 0 && num_fds == 1) {
        p = map_reply(addr, len, prot, flags, fds[0], &reply);
        error = p == MAP_FAILED ? errno : 0;
    }
    for (i = 0; i < num_fds; i++)
        close(fds[i]);
    if (error != 0)
        errno = error;
    return p;
}

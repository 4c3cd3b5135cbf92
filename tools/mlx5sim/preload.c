/*
 * The preloaded library: turns libc calls on /dev/infiniband/uverbsN into requests to the device
 * process and reads of /sys/class/infiniband into reads of its tree. Knows nothing of verbs.
 *
 * MLX5SIM_DIR names the machine's directory; without it everything goes to libc unchanged.
 */
#define _GNU_SOURCE
#include "preload.h"
#include "wire.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <rdma/rdma_user_ioctl_cmds.h>

#define EXPORT __attribute__((visibility("default")))
#define CHAR_DEVICE "/dev/infiniband/uverbs"

/* Other constructors call us before ours would run: every entry point looks its symbols up. */
void *sim_symbol(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    if (symbol == NULL) {
        fprintf(stderr, "mlx5sim: libc has no %s\n", name);
        abort();
    }
    return symbol;
}

static const char *machine_dir(void)
{
    static char dir[sizeof(((struct sockaddr_un *)NULL)->sun_path)]; /* the device takes no other */
    static int known;

    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        const char *value = getenv("MLX5SIM_DIR");

        if (value != NULL && strlen(value) < sizeof(dir))
            memcpy(dir, value, strlen(value) + 1);
        __atomic_store_n(&known, 1, __ATOMIC_RELEASE);
    }
    return dir[0] != '\0' ? dir : NULL;
}

/* ---- the sockets ---------------------------------------------------------------------------- */

int sim_connect(const char *name)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd, error;

    if (machine_dir() == NULL) {
        errno = ENOENT;
        return -1;
    }
    snprintf(to.sun_path, sizeof(to.sun_path), "%s/%s", machine_dir(), name);
    fd = SIM_REAL(socket)(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
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
    /* analyzer: ctuuninitvar: this is what fills it */
    struct iovec iov = {buf, bytes};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control,
                         .msg_controllen = sizeof(control)};
    struct cmsghdr *cmsg;
    ssize_t n;

    do
        n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    *num_fds = 0;
    if (n < 0)
        return -1;
    for (cmsg = CMSG_FIRSTHDR(&msg); cmsg != NULL; cmsg = CMSG_NXTHDR(&msg, cmsg)) {
        if (cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS)
            continue;
        *num_fds = (unsigned)((cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(fds, CMSG_DATA(cmsg), *num_fds * sizeof(int));
    }
    return n;
}

/* Number of the uverbs device an fd is a context of, or -1. */
static int context_of(int fd)
{
    struct sockaddr_un peer = {0};      /* of a socket without a name only the family is set */
    socklen_t len = sizeof(peer);
    const char *dir = machine_dir();
    size_t n;

    if (fd < 0 || dir == NULL || syscall(SYS_getpeername, fd, &peer, &len) != 0)
        return -1;
    n = strlen(dir);
    if (peer.sun_family != AF_UNIX || strncmp(peer.sun_path, dir, n) != 0 ||
        strncmp(peer.sun_path + n, "/uverbs", 7) != 0)
        return -1;
    return atoi(peer.sun_path + n + 7);
}

/* The device process reads and writes our memory; Yama wants to be told so, in every process. */
static void allow_device(int fd)
{
    static pid_t told;
    struct ucred peer;
    socklen_t len = sizeof(peer);

    if (told == getpid())
        return;
    told = getpid();
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0)
        prctl(PR_SET_PTRACER, (unsigned long)peer.pid, 0, 0, 0);
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
    struct pollfd room = {.fd = context, .events = POLLOUT};

    cmsg->cmsg_level = SOL_SOCKET;
    cmsg->cmsg_type = SCM_RIGHTS;
    cmsg->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(cmsg), &reply_fd, sizeof(int));
    while (sendmsg(context, &msg, MSG_NOSIGNAL) < 0) {
        if (errno == EAGAIN)
            poll(&room, 1, -1);
        else if (errno != EINTR)
            return -1;
    }
    return 0;
}

/* Sends a request and waits: bytes of the reply, or -1. A device process that is gone is EIO. */
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
        error = errno == EFAULT ? EFAULT : EIO;
    close(pair[1]);
    if (error == 0) {
        n = sim_receive(pair[0], reply, reply_bytes, fds, num_fds);
        if (n < (long)sizeof(struct wire_reply))
            error = EIO;
    }
    close(pair[0]);
    if (error == 0)
        return n;
    errno = error;
    return -1;
}

/* ---- open, ioctl, mmap ---------------------------------------------------------------------- */

static bool is_char_device(const char *path)
{
    return path != NULL && machine_dir() != NULL &&
        strncmp(path, CHAR_DEVICE, sizeof(CHAR_DEVICE) - 1) == 0;
}

static int open_context(const char *path, int flags)
{
    int fd = sim_connect(path + sizeof("/dev/infiniband/") - 1);

    if (fd < 0)
        return -1;
    allow_device(fd);
    if ((flags & O_CLOEXEC) == 0)
        fcntl(fd, F_SETFD, 0);
    return fd;
}

static int uverbs_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr)
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

        if (i >= reply.head.num_fds)
            close(fds[i]);
        else if (to->addr != 0)
            *(uint32_t *)(uintptr_t)to->addr = (uint32_t)fds[i];
        else
            after->attrs[to->attr].data_s64 = fds[i];
    }
    if (n == (long)(sizeof(reply.head) + hdr->length))
        memcpy(hdr->attrs, after->attrs, hdr->length - sizeof(*hdr));
    errno = reply.head.error;
    return reply.head.error != 0 ? -1 : 0;
}

static void *raw_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    return (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, offset);
}

/* Maps what the device process hands out, and has stores to a UAR page watched. */
static void *map_reply(void *addr, size_t len, int prot, int flags, int fd,
                       const struct wire_reply *reply)
{
    bool clock = reply->map_kind == WIRE_MAP_CLOCK;
    bool watched = clock || (reply->map_kind == WIRE_MAP_UAR && reply->trap != 0);
    off_t offset = (off_t)reply->map_offset;
    void *alias, *p;
    int bad;

    if (!watched)
        return raw_mmap(addr, len, prot | PROT_READ, flags, fd, offset);
    alias = raw_mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    if (alias == MAP_FAILED)
        return MAP_FAILED;
    p = raw_mmap(addr, len, clock ? PROT_NONE : PROT_READ, flags, fd, offset);
    if (p == MAP_FAILED) {
        syscall(SYS_munmap, alias, len);
        return MAP_FAILED;
    }
    bad = clock ? trap_add_clock(p, len, alias)
                : trap_add(p, len, alias, reply->function, reply->page);
    if (bad == 0)
        return p;
    syscall(SYS_munmap, p, len);
    syscall(SYS_munmap, alias, len);
    errno = bad;
    return MAP_FAILED;
}

static void *uverbs_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
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

EXPORT int ioctl(int fd, unsigned long code, ...)
{
    va_list args;
    void *arg;

    va_start(args, code);
    arg = va_arg(args, void *);
    va_end(args);
    if (code == RDMA_VERBS_IOCTL && arg != NULL && context_of(fd) >= 0)
        return uverbs_ioctl(fd, arg);
    return SIM_REAL(ioctl)(fd, code, arg);
}

EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    if (fd >= 0 && (flags & MAP_ANONYMOUS) == 0 && context_of(fd) >= 0)
        return uverbs_mmap(addr, len, prot, flags, fd, offset);
    return raw_mmap(addr, len, prot, flags, fd, offset);
}

EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    return mmap(addr, len, prot, flags, fd, offset);
}

EXPORT int munmap(void *addr, size_t len)
{
    trap_remove(addr, len);
    return (int)syscall(SYS_munmap, addr, len);
}

/* The kernel's list of RDMA devices would come before the tree. */
EXPORT int socket(int domain, int type, int protocol)
{
    if (domain == AF_NETLINK && protocol == NETLINK_RDMA && machine_dir() != NULL) {
        errno = EPROTONOSUPPORT;
        return -1;
    }
    return SIM_REAL(socket)(domain, type, protocol);
}

/* ---- signals of the doorbell trap ----------------------------------------------------------- */

EXPORT int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
    if (trap_sigaction(signal, action, old))
        return 0;
    return SIM_REAL(sigaction)(signal, action, old);
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;

    if (trap_sigaction(number, &action, &old))
        return old.sa_handler;
    return SIM_REAL(signal)(number, handler);
}

/* From the start: threads that block signals before a page is mapped store to it later. */
static const sigset_t *wanted_mask(int how, const sigset_t *set, sigset_t *copy)
{
    return machine_dir() != NULL ? trap_mask(how, set, copy) : set;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;

    return SIM_REAL(pthread_sigmask)(how, wanted_mask(how, set, &copy), old);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t copy;

    return SIM_REAL(sigprocmask)(how, wanted_mask(how, set, &copy), old);
}

/* ---- paths ---------------------------------------------------------------------------------- */

/* Directories that hold the real machine's entries too: these are listed as they are. */
static bool is_shared_dir(const char *path, size_t len)
{
    static const char *const shared[] = {
        "/sys", "/sys/class", "/sys/class/net", "/sys/bus", "/sys/bus/pci",
        "/sys/bus/pci/devices", "/sys/devices", "/sys/devices/pci0000:00"};
    size_t i;

    for (i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
        if (strlen(shared[i]) == len && strncmp(path, shared[i], len) == 0)
            return true;
    return false;
}

/* Where a path under /sys is in the machine's tree; any other path unchanged. */
static const char *redirect(const char *path, char *buf, size_t bytes)
{
    const char *dir = machine_dir();
    size_t len;

    if (path == NULL || dir == NULL || strncmp(path, "/sys/", 5) != 0)
        return path;
    for (len = strlen(path); len > 1 && path[len - 1] == '/'; len--)
        ;
    if (is_shared_dir(path, len))
        return path;
    if ((size_t)snprintf(buf, bytes, "%s%s", dir, path) >= bytes)
        return path;
    if (strncmp(path, "/sys/class/infiniband", 21) == 0)
        return buf;
    return syscall(SYS_faccessat, AT_FDCWD, buf, F_OK) == 0 ? buf : path;
}

#define REDIRECT(path) redirect(path, (char[4096]){0}, 4096)

static mode_t mode_argument(int flags, va_list args)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(args, mode_t) : 0;
}


static int open_at(int dir, const char *path, int flags, mode_t mode)
{
    if (is_char_device(path))
        return open_context(path, flags);
    return SIM_REAL(openat)(dir, REDIRECT(path), flags, mode);
}

#define DEFINE_OPEN(name, params, dir)                                      \
    EXPORT int name params                                                  \
    {                                                                       \
        va_list args;                                                       \
        mode_t mode;                                                        \
                                                                            \
        va_start(args, flags);                                              \
        mode = mode_argument(flags, args);                                  \
        va_end(args);                                                       \
        return open_at(dir, path, flags, mode);                             \
    }

DEFINE_OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
DEFINE_OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
DEFINE_OPEN(openat, (int dir, const char *path, int flags, ...), dir)
DEFINE_OPEN(openat64, (int dir, const char *path, int flags, ...), dir)

/* The forms of a fortified build, which have no mode. */
EXPORT int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

EXPORT int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

EXPORT int __openat_2(int dir, const char *path, int flags)
{
    return open_at(dir, path, flags, 0);
}

EXPORT int __openat64_2(int dir, const char *path, int flags)
{
    return open_at(dir, path, flags, 0);
}

/* What a context fd and its path look like: the character device the tree's `dev` file names. */
static int fake_stat(int number, struct stat *st)
{
    memset(st, 0, sizeof(*st));
    st->st_mode = S_IFCHR | 0666;
    st->st_rdev = makedev(WIRE_UVERBS_MAJOR, WIRE_UVERBS_MINOR + (unsigned)number);
    st->st_ino = 1000 + (ino_t)number;
    st->st_nlink = 1;
    st->st_blksize = 4096;
    return 0;
}

static int stat_socket(const char *name, struct stat *st)
{
    char path[128];

    snprintf(path, sizeof(path), "%s%s", machine_dir(), name);
    return SIM_REAL(fstatat)(AT_FDCWD, path, st, 0);
}

static int stat_at(int dir, const char *path, struct stat *st, int flags)
{
    char socket_path[32];
    struct stat at_socket;
    int number;

    if (is_char_device(path)) {
        number = atoi(path + sizeof(CHAR_DEVICE) - 1);
        snprintf(socket_path, sizeof(socket_path), "/uverbs%d", number);
        if (strcmp(path + sizeof("/dev/infiniband") - 1, socket_path) != 0 ||
            stat_socket(socket_path, &at_socket) != 0) {
            errno = ENOENT;
            return -1;
        }
        return fake_stat(number, st);
    }
    if (path != NULL && path[0] == '\0' && (flags & AT_EMPTY_PATH) != 0 &&
        (number = context_of(dir)) >= 0)
        return fake_stat(number, st);
    return SIM_REAL(fstatat)(dir, REDIRECT(path), st, flags);
}

EXPORT int stat(const char *restrict path, struct stat *restrict st)
{
    return stat_at(AT_FDCWD, path, st, 0);
}

EXPORT int lstat(const char *restrict path, struct stat *restrict st)
{
    return stat_at(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

EXPORT int fstatat(int dir, const char *restrict path, struct stat *restrict st, int flags)
{
    return stat_at(dir, path, st, flags);
}

EXPORT int fstat(int fd, struct stat *st)
{
    int bad = SIM_REAL(fstat)(fd, st), number;

    if (bad == 0 && S_ISSOCK(st->st_mode) && (number = context_of(fd)) >= 0)
        return fake_stat(number, st);
    return bad;
}

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "struct stat has one form");

EXPORT int stat64(const char *restrict path, struct stat64 *restrict st)
{
    return stat_at(AT_FDCWD, path, (struct stat *)st, 0);
}

EXPORT int lstat64(const char *restrict path, struct stat64 *restrict st)
{
    return stat_at(AT_FDCWD, path, (struct stat *)st, AT_SYMLINK_NOFOLLOW);
}

EXPORT int fstatat64(int dir, const char *restrict path, struct stat64 *restrict st, int flags)
{
    return stat_at(dir, path, (struct stat *)st, flags);
}

EXPORT int fstat64(int fd, struct stat64 *st)
{
    return fstat(fd, (struct stat *)st);
}

EXPORT int statx(int dir, const char *restrict path, int flags, unsigned mask,
                 struct statx *restrict st)
{
    return SIM_REAL(statx)(dir, REDIRECT(path), flags, mask, st);
}

EXPORT int faccessat(int dir, const char *path, int mode, int flags)
{
    struct stat st;

    if (is_char_device(path))
        return stat_at(dir, path, &st, 0);
    return SIM_REAL(faccessat)(dir, REDIRECT(path), mode, flags);
}

EXPORT int access(const char *path, int mode)
{
    struct stat st;

    if (is_char_device(path))
        return stat_at(AT_FDCWD, path, &st, 0);
    return SIM_REAL(access)(REDIRECT(path), mode);
}

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    return SIM_REAL(fopen)(REDIRECT(path), mode);
}

EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return SIM_REAL(fopen64)(REDIRECT(path), mode);
}

EXPORT int chdir(const char *path)
{
    return SIM_REAL(chdir)(REDIRECT(path));
}

EXPORT DIR *opendir(const char *path)
{
    return SIM_REAL(opendir)(REDIRECT(path));
}

EXPORT int scandir(const char *restrict path, struct dirent ***restrict list,
                   int (*filter)(const struct dirent *),
                   int (*compare)(const struct dirent **, const struct dirent **))
{
    return SIM_REAL(scandir)(REDIRECT(path), list, filter, compare);
}

EXPORT ssize_t readlink(const char *restrict path, char *restrict buf, size_t bytes)
{
    return SIM_REAL(readlink)(REDIRECT(path), buf, bytes);
}

EXPORT ssize_t readlinkat(int dir, const char *restrict path, char *restrict buf, size_t bytes)
{
    return SIM_REAL(readlinkat)(dir, REDIRECT(path), buf, bytes);
}

/* A path that was given as /sys/... resolves to one under /sys. */
static char *unredirect(const char *path, const char *redirected, char *resolved)
{
    const char *dir = machine_dir();
    size_t n = dir != NULL ? strlen(dir) : 0;

    if (resolved != NULL && redirected != path && n > 0 && strncmp(resolved, dir, n) == 0)
        memmove(resolved, resolved + n, strlen(resolved + n) + 1);
    return resolved;
}

EXPORT char *realpath(const char *restrict path, char *restrict out)
{
    const char *redirected = REDIRECT(path);

    return unredirect(path, redirected, SIM_REAL(realpath)(redirected, out));
}

EXPORT char *__realpath_chk(const char *path, char *out, size_t bytes)
{
    const char *redirected = REDIRECT(path);

    if (bytes < 4096)
        abort();
    return unredirect(path, redirected, SIM_REAL(realpath)(redirected, out));
}

EXPORT char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}

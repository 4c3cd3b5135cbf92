/* ---- >>impl.system --------------------------------------------------------------------------
 * Operating system services for the other parts, on Linux. Functions marked UNUSED are called only
 * by modules that can be left out.                                                              */
#include "base/system_priv.h"

#include "base/config.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"

/* Return a number that differs from the results of the previous 2^32 - 1 calls. */
DOCA_PRIV_DECL uint32_t doca_priv_serial(void)
{
    static uint32_t lock, latest;
    uint32_t serial;

    doca_priv_lock(&lock);
    serial = ++latest;
    doca_priv_unlock(&lock);
    return serial;
}

#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)

/* Make a system call. All arguments have the type long: syscall() is variadic, and if an int were
 * passed, the kernel would read 64 bits with an undefined upper half. tools/check_syscalls allows
 * no other function of this file to call syscall(). */
DOCA_PRIV_DECL DOCA_CORE_UNUSED long doca_priv_sys_call(long number, long a, long b, long c, long d,
                                                        long e, long f)
{
    return syscall(number, a, b, c, d, e, f);
}

#define DOCA_PRIV_DUP_CLOEXEC 1030 /* value of F_DUPFD_CLOEXEC, because strict C hides the name */

/* Give a descriptor a number above 2 (0 to 2 are the standard streams) and return that number.
 * When no number is free, close the descriptor and return -1 with errno. A daemon may have closed
 * descriptors 0 to 2. Without this function a PE could get number 2, and log lines or other output
 * of the program would be written into it. Every descriptor that the library keeps open after a
 * call is passed through this function. Numbers above 2 and -1 are returned unchanged. */
DOCA_PRIV_DECL int doca_priv_sys_keep(int fd)
{
    int high, cause;

    if (fd < 0 || fd > 2)
        return fd;
    high = fcntl(fd, DOCA_PRIV_DUP_CLOEXEC, 3);
    cause = errno == EINVAL ? EMFILE : errno; /* the limit of open files may be 3 or less */
    close(fd);
    errno = cause;
    return high;
}

DOCA_PRIV_DECL void doca_priv_sys_print(const char *line, size_t len)
{
    ssize_t written = write(2, line, len);

    (void)written; /* a failure to write a log line cannot be reported */
}

/* Return the value of an environment variable; NULL if it is empty or unset. In a program that runs
 * with more rights than its caller (setuid, setgid, file capabilities) the result is always NULL,
 * because the caller must not control such a program. */
DOCA_PRIV_DECL const char *doca_priv_sys_env(const char *name)
{
    const char *value = getauxval(AT_SECURE) == 0 ? getenv(name) : NULL;

    return value != NULL && value[0] != '\0' ? value : NULL;
}

DOCA_PRIV_DECL bool doca_priv_sys_watch(int set, int fd)
{
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = EPOLLIN;
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0;
}

DOCA_PRIV_DECL void doca_priv_sys_unwatch(int set, int fd)
{
    struct epoll_event event; /* kernels before 2.6.9 require the argument */

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    (void)epoll_ctl(set, EPOLL_CTL_DEL, fd, &event);
}

/* Close both descriptors. Preserves errno, so that the caller can still report an earlier error. */
DOCA_PRIV_DECL void doca_priv_sys_wait_close(int set, int event_fd)
{
    int cause = errno;

    close(event_fd);
    close(set);
    errno = cause;
}

/* Return errno, set by the latest failed system call. */
DOCA_PRIV_DECL int doca_priv_sys_errno(void)
{
    return errno;
}

#ifdef DOCA_CORE_NO_LOG
#define DOCA_PRIV_ERRNO_NAME(name)
#else
#define DOCA_PRIV_ERRNO_NAME(name)                                                                 \
    case name:                                                                                     \
        return #name;
#endif

/* Return the name of an errno value of the kernel or libibverbs, or NULL for other values.
 * strerror() is not used: its texts depend on the locale and are less specific. */
DOCA_PRIV_DECL const char *doca_priv_sys_errno_name(int error)
{
    switch (error) {
        DOCA_PRIV_ERRNO_NAME(EPERM)
        DOCA_PRIV_ERRNO_NAME(ENOENT)
        DOCA_PRIV_ERRNO_NAME(ESRCH)
        DOCA_PRIV_ERRNO_NAME(EINTR)
        DOCA_PRIV_ERRNO_NAME(EIO)
        DOCA_PRIV_ERRNO_NAME(ENXIO)
        DOCA_PRIV_ERRNO_NAME(EBADF)
        DOCA_PRIV_ERRNO_NAME(EAGAIN)
        DOCA_PRIV_ERRNO_NAME(ENOMEM)
        DOCA_PRIV_ERRNO_NAME(EACCES)
        DOCA_PRIV_ERRNO_NAME(EFAULT)
        DOCA_PRIV_ERRNO_NAME(EBUSY)
        DOCA_PRIV_ERRNO_NAME(EEXIST)
        DOCA_PRIV_ERRNO_NAME(ENODEV)
        DOCA_PRIV_ERRNO_NAME(ENOTDIR)
        DOCA_PRIV_ERRNO_NAME(EINVAL)
        DOCA_PRIV_ERRNO_NAME(ENFILE)
        DOCA_PRIV_ERRNO_NAME(EMFILE)
        DOCA_PRIV_ERRNO_NAME(ENOTTY)
        DOCA_PRIV_ERRNO_NAME(EFBIG)
        DOCA_PRIV_ERRNO_NAME(ENOSPC)
        DOCA_PRIV_ERRNO_NAME(EPIPE)
        DOCA_PRIV_ERRNO_NAME(ERANGE)
        DOCA_PRIV_ERRNO_NAME(ENAMETOOLONG)
        DOCA_PRIV_ERRNO_NAME(ENOSYS)
        DOCA_PRIV_ERRNO_NAME(ELOOP)
        DOCA_PRIV_ERRNO_NAME(ENODATA)
        DOCA_PRIV_ERRNO_NAME(ETIME)
        DOCA_PRIV_ERRNO_NAME(ENOLINK)
        DOCA_PRIV_ERRNO_NAME(EPROTO)
        DOCA_PRIV_ERRNO_NAME(EOVERFLOW)
        DOCA_PRIV_ERRNO_NAME(EMSGSIZE)
        DOCA_PRIV_ERRNO_NAME(EPROTONOSUPPORT)
        DOCA_PRIV_ERRNO_NAME(EOPNOTSUPP)
        DOCA_PRIV_ERRNO_NAME(EADDRNOTAVAIL)
        DOCA_PRIV_ERRNO_NAME(ENETDOWN)
        DOCA_PRIV_ERRNO_NAME(ENETUNREACH)
        DOCA_PRIV_ERRNO_NAME(ENOBUFS)
        DOCA_PRIV_ERRNO_NAME(ETIMEDOUT)
        DOCA_PRIV_ERRNO_NAME(EHOSTUNREACH)
        DOCA_PRIV_ERRNO_NAME(EREMOTEIO)
    default:
        return NULL;
    }
}

/* Return the likely cause of an errno value and a remedy, or NULL if the value has several
 * causes. */
DOCA_PRIV_DECL const char *doca_priv_sys_errno_hint(int error)
{
    if (error == EMFILE)
        return DOCA_PRIV_LOG_TEXT("the process has no file descriptor left: raise RLIMIT_NOFILE "
                                  "(ulimit -n)");
    if (error == ENFILE)
        return DOCA_PRIV_LOG_TEXT("the system has no file descriptor left: raise fs.file-max");
    if (error == EFBIG)
        return DOCA_PRIV_LOG_TEXT("the file size limit is too low: raise RLIMIT_FSIZE (ulimit -f) "
                                  "to at least 4 KiB");
    return NULL;
}

DOCA_PRIV_DECL int doca_priv_sys_event_open(void)
{
    return doca_priv_sys_keep(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
}

DOCA_PRIV_DECL int doca_priv_sys_wait_open(int *event_fd)
{
    int set = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC)), event = doca_priv_sys_event_open();

    if (set >= 0 && event >= 0 && doca_priv_sys_watch(set, event)) {
        *event_fd = event;
        return set;
    }
    doca_priv_sys_wait_close(set, event);
    return -1;
}

DOCA_PRIV_DECL bool doca_priv_sys_event_signal(int fd)
{
    uint64_t one = 1;

    return write(fd, &one, sizeof(one)) == (ssize_t)sizeof(one);
}

DOCA_PRIV_DECL bool doca_priv_sys_event_drain(int fd)
{
    uint64_t count;

    return read(fd, &count, sizeof(count)) == (ssize_t)sizeof(count) || errno == EAGAIN;
}

DOCA_PRIV_DECL uint32_t doca_priv_sys_pid(void)
{
    return (uint32_t)getpid();
}

#if DOCA_CORE_CHECK >= 2
DOCA_PRIV_DECL void doca_priv_sys_at_fork(void (*in_child)(void))
{
    (void)pthread_atfork(NULL, NULL, in_child);
}
#endif

/* Get a random number that cannot be guessed. It is never 0, because 0 stands for a revoked token.
 * Returns false if the kernel cannot provide random numbers. */
DOCA_PRIV_DECL bool doca_priv_sys_random(uint64_t *x)
{
    long got;

    do
        got = doca_priv_sys_call(SYS_getrandom, (long)x, (long)sizeof(*x), 0, 0, 0, 0);
    while (got == (long)sizeof(*x) ? *x == 0 : got < 0 && errno == EINTR);
    return got == (long)sizeof(*x);
}

/* Select the item, by errno, for a failure to read a file of /proc that identifies the machine. */
static enum doca_core_item doca_priv_sys_machine_item(void)
{
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? DOCA_CORE_ITEM_EXPORT_SYSTEM
                                                                 : DOCA_CORE_ITEM_EXPORT_NO_PROC;
}

/* Compute a number that is equal in two processes exactly if they can refer to each other by
 * process number: a hash of the boot id and the process number namespace. Returns NONE, or the
 * reason why the boot id or the namespace is unknown. In that case *machine is not set, because a
 * hash without these values would be the same on all machines. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_sys_machine(uint64_t *machine)
{
    const uint64_t prime = 0x100000001b3u; /* FNV-1a */
    uint64_t hash = 0xcbf29ce484222325u;
    char boot[36]; /* a UUID in text form */
    struct stat st;
    ssize_t len, i;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | DOCA_PRIV_CLOEXEC);

    if (fd < 0)
        return doca_priv_sys_machine_item();
    errno = EIO; /* for a file that is too short */
    len = read(fd, boot, sizeof(boot));
    close(fd);
    if (len != (ssize_t)sizeof(boot))
        return DOCA_CORE_ITEM_EXPORT_NO_PROC;
    for (i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)boot[i]) * prime;
    if (stat("/proc/self/ns/pid", &st) != 0) {
        /* without pid namespaces (other namespaces exist), all processes share one numbering */
        if (errno != ENOENT || stat("/proc/self/ns/mnt", &st) != 0)
            return doca_priv_sys_machine_item();
        st.st_ino = 0;
    }
    *machine = (hash ^ (uint64_t)st.st_ino) * prime;
    return DOCA_CORE_ITEM_NONE;
}

/* values of names that strict C hides */
#define DOCA_PRIV_TMPFS 0x01021994ul /* TMPFS_MAGIC */
#define DOCA_PRIV_DONT_DUMP 16       /* MADV_DONTDUMP */
#define DOCA_PRIV_SEEK_DATA 3        /* SEEK_DATA */

/* Copy `bytes` bytes from the `num` pieces of memory `remote` of process `pid` to the `num` pieces
 * `local` of this process, or in the other direction if `is_write`. */
DOCA_PRIV_DECL enum doca_priv_sys_far doca_priv_sys_far_copy(uint32_t pid,
                                                             const struct doca_priv_iovec *local,
                                                             const struct doca_priv_iovec *remote,
                                                             unsigned num, size_t bytes,
                                                             bool is_write)
{
    long done = doca_priv_sys_call(is_write ? SYS_process_vm_writev : SYS_process_vm_readv,
                                   (long)pid, (long)local, (long)num, (long)remote, (long)num, 0);

    if (done >= 0)
        return (size_t)done == bytes ? DOCA_PRIV_FAR_OK : DOCA_PRIV_FAR_MEMORY;
    switch (errno) {
    case ESRCH:
        return DOCA_PRIV_FAR_GONE;
    case EPERM:
    case EACCES:
        return DOCA_PRIV_FAR_GUARDED;
    case EFAULT:
        return DOCA_PRIV_FAR_MEMORY;
    default:
        return DOCA_PRIV_FAR_KERNEL;
    }
}

/* Allow other processes of the same user to access the memory of this process where the Yama
 * security module restricts this. */
DOCA_PRIV_DECL void doca_priv_sys_far_permit(void)
{
#ifdef PR_SET_PTRACER
    (void)doca_priv_sys_call(SYS_prctl, PR_SET_PTRACER, -1, 0, 0, 0, 0);
#endif
}

/* Map a part of a dmabuf. On failure, returns NULL with the cause in errno: ERANGE if the range is
 * outside the file, EPERM if the file can still shrink. For a dmabuf, the kernel rejects a range
 * past its end. `fd` may also be an ordinary file: there the kernel would map such a range and
 * raise a signal at the first access; therefore the file must be sealed against shrinking. */
DOCA_PRIV_DECL unsigned char *doca_priv_sys_dmabuf_map(int fd, size_t offset, size_t len,
                                                       bool is_written)
{
    int seals = fcntl(fd, DOCA_PRIV_GET_SEALS); /* read before the size: an unsealed file may
                                                 * shrink */
    struct stat st;
    void *view;

    if (fstat(fd, &st) != 0)
        return NULL;
    errno = ERANGE;
    if ((st.st_size > 0 || S_ISREG(st.st_mode)) &&
        ((uint64_t)st.st_size < offset || (uint64_t)st.st_size - offset < len))
        return NULL;
    errno = EPERM;
    if (S_ISREG(st.st_mode) && (seals < 0 || (seals & 2 /* F_SEAL_SHRINK */) == 0))
        return NULL;
    view = mmap(NULL, len, is_written ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd,
                (off_t)offset);
    return view == MAP_FAILED ? NULL : (unsigned char *)view;
}

/* Open an ordinary file for reading. Returns -1, with the cause in errno, when the file cannot be
 * opened or is not an ordinary file. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED int doca_priv_sys_file_open(const char *path, uint64_t *bytes)
{
    int fd = doca_priv_sys_keep(open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | DOCA_PRIV_CLOEXEC));
    struct stat st;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        *bytes = (uint64_t)st.st_size;
        return fd;
    }
    close(fd);
    errno = EINVAL;
    return -1;
}

/* Read all of [offset, offset + len) of a file. Holes of the file stay holes. Returns false when
 * the file is shorter or cannot be read. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_file_read(int fd, uint64_t offset, void *to,
                                                             size_t len)
{
    struct doca_priv_iovec piece;
    long n;

    piece.base = to;
    piece.bytes = len;
    while (piece.bytes > 0) {
        /* strict C modes hide pread(); preadv() takes the offset as two halves everywhere */
        n = doca_priv_sys_call(SYS_preadv, fd, (long)&piece, 1, (long)offset,
                               sizeof(long) > 4 ? 0 : (long)(offset >> 32), 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        piece.base = (char *)piece.base + n;
        piece.bytes -= (size_t)n;
        offset += (uint64_t)n;
    }
    return true;
}

/* Map the first `len` bytes of a file for loads. Returns NULL in two cases: the file is not sealed
 * against shrinking, because a load after the end of a mapped file raises SIGBUS; or it is not in
 * tmpfs, because hugetlbfs raises SIGBUS when it has no free page. A core dump of the process does
 * not contain the mapping. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED const unsigned char *doca_priv_sys_file_map(int fd, size_t len)
{
    struct statfs fs;
    unsigned char *view = NULL;

    if (fstatfs(fd, &fs) == 0 && (unsigned long)fs.f_type == DOCA_PRIV_TMPFS)
        view = doca_priv_sys_dmabuf_map(fd, 0, len, false);
    if (view != NULL)
        (void)doca_priv_sys_call(SYS_madvise, (long)view, (long)len, DOCA_PRIV_DONT_DUMP, 0, 0, 0);
    return view;
}

/* True when the byte at `offset` of a file is not in a hole. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_file_is_data(int fd, uint64_t offset)
{
    const off_t at = (off_t)offset;

    return (uint64_t)at == offset && lseek(fd, at, DOCA_PRIV_SEEK_DATA) == at;
}

DOCA_PRIV_DECL void doca_priv_sys_dmabuf_unmap(unsigned char *view, size_t len)
{
    (void)munmap(view, len);
}

/* Tell the exporter of a dmabuf that CPU accesses begin or end. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_dmabuf_sync(int fd, bool begins)
{
    uint64_t flags = begins ? 3u : 7u; /* DMA_BUF_SYNC_RW, and DMA_BUF_SYNC_END at the end */

    while (ioctl(fd, _IOW('b', 0, uint64_t), &flags) != 0 && (errno == EINTR || errno == EAGAIN)) {
    } /* shared memory files do not support this request */
}

/* Request about a network interface, laid out like the kernel's struct ifreq. (Feature macros may
 * hide the system's declaration.) */
struct doca_priv_ifreq {
    char name[16];
    unsigned char answer[24]; /* a struct sockaddr */
};

/* Make a request and copy `bytes` from `offset` of the answer to `to`. On failure, `to` is
 * unchanged. */
static void doca_priv_sys_iface_ask(int fd, unsigned long request, const char *name, size_t offset,
                                    uint8_t *to, size_t bytes)
{
    struct doca_priv_ifreq ifreq;

    DOCA_CORE_MEMSET(&ifreq, 0, sizeof(ifreq));
    DOCA_CORE_MEMCPY(ifreq.name, name, doca_priv_str_len(name));
    if (ioctl(fd, request, &ifreq) == 0)
        DOCA_CORE_MEMCPY(to, ifreq.answer + offset, bytes);
}

/* Parser state for a line of /proc/net/if_inet6, "address index prefix scope flags name" in
 * hexadecimal: its words. */
struct doca_priv_if_inet6 {
    char words[6][40]; /* the longest word has 32 digits */
    unsigned word, len;
};

/* Parse one byte of the file. Returns true when it completes a line of six words. */
static bool doca_priv_if_inet6_feed(struct doca_priv_if_inet6 *line, char c)
{
    bool is_whole = c == '\n' && line->word == 5 && line->len > 0;

    if (c == '\n' || (c == ' ' && line->len > 0)) {
        line->word = c == '\n' ? 0 : line->word + 1;
        line->len = 0;
    } else if (c != ' ' && line->word < 6 && line->len < sizeof(line->words[0]) - 1) {
        line->words[line->word][line->len++] = c;
        line->words[line->word][line->len] = '\0';
    }
    return is_whole;
}

/* Find the first global IPv6 address of the interface; if there is none, its first address. */
static void doca_priv_sys_iface_ipv6(const char *name, uint8_t *ipv6)
{
    struct doca_priv_if_inet6 line = { { "" }, 0, 0 };
    int fd = open("/proc/net/if_inet6", O_RDONLY | DOCA_PRIV_CLOEXEC);
    bool is_found = false;
    char part[512];
    ssize_t len, i;
    size_t k;

    while (fd >= 0 && (len = read(fd, part, sizeof(part))) > 0) {
        for (i = 0; i < len; i++) {
            if (!doca_priv_if_inet6_feed(&line, part[i]) ||
                !doca_priv_str_equal(line.words[5], name) ||
                (is_found && !doca_priv_str_equal(line.words[3], "00")))
                continue;
            for (k = 0; k < DOCA_DEVINFO_IPV6_ADDR_SIZE; k++)
                ipv6[k] = (uint8_t)(doca_priv_hex_digit(line.words[0][2 * k]) * 16 +
                                    doca_priv_hex_digit(line.words[0][2 * k + 1]));
            if (doca_priv_str_equal(line.words[3], "00")) {
                close(fd);
                return;
            }
            is_found = true;
        }
    }
    if (fd >= 0)
        close(fd);
}

/* True when /proc/net/if_inet6, the list of IPv6 addresses, can be read. */
DOCA_PRIV_DECL bool doca_priv_sys_lists_ipv6(void)
{
    int fd = open("/proc/net/if_inet6", O_RDONLY | DOCA_PRIV_CLOEXEC);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Get the addresses of an interface. Any of the pointers can be NULL. If an address is unknown, its
 * output stays unchanged. */
DOCA_PRIV_DECL void doca_priv_sys_iface(const char *name, uint8_t *mac, uint8_t *ipv4,
                                        uint8_t *ipv6)
{
    int fd;

    if (doca_priv_str_len(name) >= sizeof(((struct doca_priv_ifreq *)0)->name))
        return; /* longer than any interface name */
    fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && mac != NULL) /* offset 2: the address follows the family of the sockaddr */
        doca_priv_sys_iface_ask(fd, SIOCGIFHWADDR, name, 2, mac, DOCA_DEVINFO_MAC_ADDR_SIZE);
    if (fd >= 0 && ipv4 != NULL) /* offset 4: the address follows family and port */
        doca_priv_sys_iface_ask(fd, SIOCGIFADDR, name, 4, ipv4, DOCA_DEVINFO_IPV4_ADDR_SIZE);
    if (fd >= 0)
        close(fd);
    if (ipv6 != NULL)
        doca_priv_sys_iface_ipv6(name, ipv6);
}

#endif

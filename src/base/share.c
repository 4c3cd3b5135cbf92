/* ---- >>impl.share ---------------------------------------------------------------------------
 * A page of memory that processes share, and the means to wait for its changes: inotify, epoll,
 * pidfd and futex. The second half replaces all system services in builds without Linux.        */
#include "base/share_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"

#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)

/* The shared page is a file in memory, sealed against shrinking, so that a process that maps it
 * never faults. Its first bytes hold the shared data. A write at DOCA_PRIV_PAGE_SCRATCH notifies
 * processes that watch the file; the bytes there carry no data. */
#define DOCA_PRIV_PAGE_NAME "doca_core_page"
#define DOCA_PRIV_PATH_BYTES 32 /* "/proc/thread-self/fd/<fd>", with at most ten digits */

static char *doca_priv_sys_digits(char *to, uint32_t n)
{
    uint32_t power = 1;

    while (n / power >= 10)
        power *= 10;
    for (; power > 0; power /= 10)
        *to++ = (char)('0' + n / power % 10);
    *to = '\0';
    return to;
}

/* Make the path of a descriptor of process `pid`; 0 means the calling thread. /proc/thread-self
 * needs no number, as the mounted /proc may number processes differently. (/proc/self is
 * unsuitable: the main thread may have ended, or may have its own descriptor table.) */
static void doca_priv_sys_fd_path(char *path, uint32_t pid, int fd)
{
    DOCA_CORE_MEMCPY(path, "/proc/thread-self", sizeof("/proc/thread-self"));
    path = pid != 0 ? doca_priv_sys_digits(path + sizeof("/proc/") - 1, pid)
                    : path + sizeof("/proc/thread-self") - 1;
    DOCA_CORE_MEMCPY(path, "/fd/", sizeof("/fd/"));
    (void)doca_priv_sys_digits(path + sizeof("/fd/") - 1, (uint32_t)fd);
}

/* True when no process has this number. Does not need /proc. A process that has ended counts as
 * present until its parent has waited for it. */
static bool doca_priv_sys_process_is_absent(uint32_t pid)
{
    return doca_priv_sys_call(SYS_kill, (long)pid, 0, 0, 0, 0, 0) < 0 && errno == ESRCH;
}

/* True when a process that existed a moment ago has ended or is exiting, whether or not its parent
 * has waited for it. An exiting process loses its memory before it becomes a zombie. From then on
 * its descriptors appear to belong to another user, and its statm file shows zero pages, which this
 * function looks for. If the directory of the process in /proc is not visible (no /proc, or
 * hidepid), the function returns true only after the parent has waited for the process. */
static bool doca_priv_sys_process_has_ended(uint32_t pid)
{
    char path[DOCA_PRIV_PATH_BYTES], pages[2] = { '0', ' ' };
    int fd;

    DOCA_CORE_MEMCPY(path, "/proc/", sizeof("/proc/"));
    DOCA_CORE_MEMCPY(doca_priv_sys_digits(path + sizeof("/proc/") - 1, pid), "/statm",
                     sizeof("/statm"));
    fd = open(path, O_RDONLY | DOCA_PRIV_CLOEXEC);
    if (fd < 0)
        return (errno == ENOENT || errno == ESRCH) && doca_priv_sys_process_is_absent(pid);
    if (read(fd, pages, sizeof(pages)) < 0 && errno != ESRCH)
        pages[0] = '?';
    close(fd);
    return pages[0] == '0' && pages[1] == ' ';
}

/* True when /proc shows more threads of a process than the first one. In a process whose main()
 * left by pthread_exit() the first thread has ended, and its statm file shows zero pages. */
static bool doca_priv_sys_has_more_threads(uint32_t pid)
{
    char path[DOCA_PRIV_PATH_BYTES];
    struct stat st;

    DOCA_CORE_MEMCPY(path, "/proc/", sizeof("/proc/"));
    DOCA_CORE_MEMCPY(doca_priv_sys_digits(path + sizeof("/proc/") - 1, pid), "/task",
                     sizeof("/task"));
    return stat(path, &st) == 0 && st.st_nlink > 3; /* a link for each thread, and two */
}

/* Return the error for a file descriptor of process `pid` that could not be opened; errno is the
 * error of the failed call. NOT_FOUND: the process has ended, or it exists and has closed the
 * descriptor. NOT_PERMITTED: access is denied. OPERATING_SYSTEM: /proc does not show the process,
 * or the call failed for another reason. */
static doca_error_t doca_priv_sys_page_refused(uint32_t pid)
{
    char path[DOCA_PRIV_PATH_BYTES];
    struct stat st;

    if (errno == EACCES || errno == EPERM)
        return doca_priv_sys_process_has_ended(pid) ? DOCA_ERROR_NOT_FOUND
                                                    : DOCA_ERROR_NOT_PERMITTED;
    if (errno != ENOENT && errno != ESRCH)
        return DOCA_ERROR_OPERATING_SYSTEM;
    DOCA_CORE_MEMCPY(path, "/proc/", sizeof("/proc/"));
    (void)doca_priv_sys_digits(path + sizeof("/proc/") - 1, pid);
    return stat(path, &st) == 0 || doca_priv_sys_process_is_absent(pid)
               ? DOCA_ERROR_NOT_FOUND
               : DOCA_ERROR_OPERATING_SYSTEM;
}

/* Open the file that `path` leads to if it is a shared page by its name; otherwise return
 * NOT_FOUND. The name is checked through an O_PATH descriptor before the file is opened, because
 * opening a device can have side effects, and in another mount namespace the name may belong to a
 * device. O_PATH is also not delayed by file leases. */
static doca_error_t doca_priv_sys_page_reopen(const char *path, uint32_t pid, int *file)
{
    static const char want[] = "/memfd:" DOCA_PRIV_PAGE_NAME " ";
    char own[DOCA_PRIV_PATH_BYTES], name[sizeof(want) - 1];
    int handle = open(path, DOCA_PRIV_PATH_ONLY | DOCA_PRIV_CLOEXEC);
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;
    struct stat status;
    long len;

    if (handle < 0)
        return doca_priv_sys_page_refused(pid);
    doca_priv_sys_fd_path(own, 0, handle);
    len = doca_priv_sys_call(SYS_readlinkat, -100 /* AT_FDCWD */, (long)own, (long)name,
                             (long)sizeof(name), 0, 0);
    if (len == (long)sizeof(name) && DOCA_CORE_MEMCMP(name, want, sizeof(name)) == 0 &&
        fstat(handle, &status) == 0 && S_ISREG(status.st_mode)) {
        *file = doca_priv_sys_keep(open(own, O_RDWR | O_NONBLOCK | O_NOCTTY | DOCA_PRIV_CLOEXEC));
        rc = *file >= 0 ? DOCA_SUCCESS : doca_priv_sys_page_refused(pid);
    }
    close(handle);
    return rc;
}

/* False if the process may not write a file of the page's size. An attempt would end the process
 * with SIGXFSZ. */
static bool doca_priv_sys_page_may_write(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= DOCA_PRIV_PAGE_BYTES)
        return true;
    errno = EFBIG; /* the error that a write gives if the signal is ignored */
    return false;
}

/* Open and map descriptor `at` of process `pid`. NOT_FOUND: the descriptor is not a shared page. */
DOCA_PRIV_DECL doca_error_t doca_priv_sys_page_open(uint32_t pid, int at, int *fd, void **page)
{
    char path[DOCA_PRIV_PATH_BYTES];
    int file = -1, seals;
    doca_error_t rc;
    void *map;

    if (!doca_priv_sys_page_may_write())
        return DOCA_ERROR_OPERATING_SYSTEM;
    doca_priv_sys_fd_path(path, pid, at);
    rc = doca_priv_sys_page_reopen(path, pid, &file);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = DOCA_ERROR_NOT_FOUND;
    seals = fcntl(file, DOCA_PRIV_GET_SEALS);
    if (seals >= 0 && (seals & DOCA_PRIV_SEALS) == DOCA_PRIV_SEALS &&
        lseek(file, 0, SEEK_END) == DOCA_PRIV_PAGE_BYTES) {
        map = mmap(NULL, DOCA_PRIV_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) {
            *fd = file;
            *page = map;
            return DOCA_SUCCESS;
        }
        rc = DOCA_ERROR_OPERATING_SYSTEM;
    }
    close(file);
    return rc;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_page_close(int fd, void *page)
{
    (void)munmap(page, DOCA_PRIV_PAGE_BYTES);
    close(fd);
}

/* Create a page of zeros. The page is then opened by its path, as other processes open it: inotify
 * does not report a write through the descriptor of memfd_create() (seen with Linux 6.14). */
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_sys_page_create(int *fd, void **page)
{
    doca_error_t rc = DOCA_ERROR_OPERATING_SYSTEM;
    long file;

    if (!doca_priv_sys_page_may_write())
        return rc;
    file = doca_priv_sys_call(SYS_memfd_create, (long)DOCA_PRIV_PAGE_NAME,
                              11 /* CLOEXEC, ALLOW_SEALING, NOEXEC_SEAL */, 0, 0, 0, 0);
    if (file < 0 && errno == EINVAL) /* Linux before 6.3 lacks NOEXEC_SEAL */
        file = doca_priv_sys_call(SYS_memfd_create, (long)DOCA_PRIV_PAGE_NAME, 3, 0, 0, 0, 0);
    file = doca_priv_sys_keep((int)file); /* not a standard stream: no log line gets into it */
    if (file < 0)
        return rc;
    if (lseek((int)file, DOCA_PRIV_PAGE_BYTES - 1, SEEK_SET) >= 0 &&
        write((int)file, "", 1) == 1 &&
        fcntl((int)file, 1033 /* F_ADD_SEALS */, DOCA_PRIV_SEALS) == 0 &&
        doca_priv_sys_page_open(0, (int)file, fd, page) == DOCA_SUCCESS)
        rc = DOCA_SUCCESS;
    close((int)file);
    return rc;
}

/* Take a shared file lock that lasts until this process closes the page; other processes thus
 * detect the closing. Returns false if it cannot be taken. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_page_lock(int fd)
{
    return flock(fd, LOCK_SH | LOCK_NB) == 0;
}

/* Notify processes that watch the page. Concurrent calls share the file offset, so each may write a
 * byte further on. If writing is no longer allowed, a new time stamp also notifies the watchers,
 * provided that the file belongs to this user. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_page_touch(int fd)
{
    const long dates[4] = { 0, 0x3ffffffe, 0, 0x3fffffff }; /* UTIME_OMIT, UTIME_NOW */
    ssize_t written = -1;

    if (doca_priv_sys_page_may_write() && lseek(fd, DOCA_PRIV_PAGE_SCRATCH, SEEK_SET) >= 0)
        written = write(fd, "", 1);
    if (written < 0)
        (void)doca_priv_sys_call(SYS_utimensat, fd, 0, (long)dates, 0, 0, 0);
}

/* Open a descriptor that becomes readable when the process ends; -1 before Linux 5.3. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED int doca_priv_sys_process_open(uint32_t pid)
{
    return doca_priv_sys_keep(
        (int)doca_priv_sys_call(434 /* SYS_pidfd_open */, (long)pid, 0, 0, 0, 0, 0));
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_close(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* True when the process has ended or has closed its locked page, for instance in exec(). (The
 * closing is not noticed while a child of the process holds the page.) `process` is -1 if the
 * kernel has no process descriptors; `page_fd` is -1 for a page without a lock. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_process_is_gone(int process, uint32_t pid,
                                                                   int page_fd)
{
    struct pollfd wait;

    wait.fd = process;
    wait.events = POLLIN;
    wait.revents = 0;
    if (process >= 0 ? poll(&wait, 1, 0) > 0
                     : doca_priv_sys_process_has_ended(pid) && !doca_priv_sys_has_more_threads(pid))
        return true;
    if (page_fd < 0 || flock(page_fd, LOCK_EX | LOCK_NB) != 0)
        return false;
    (void)flock(page_fd, LOCK_UN);
    return true;
}

/* Open the descriptors with which a PE waits for changes of shared pages: an inotify instance
 * inside an epoll set. The processes of exporters are added to the epoll set later. Returns false
 * on failure, with the reason in *why. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_open(int *set, int *inotify,
                                                               struct doca_core_refusal *why)
{
    int epoll = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC)), in = -1, spare;

    why->step = DOCA_PRIV_LOG_TEXT("open an epoll set");
    if (epoll >= 0) {
        why->step = DOCA_PRIV_LOG_TEXT("open an inotify instance");
        in = doca_priv_sys_keep(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    }
    if (in >= 0) {
        why->step = DOCA_PRIV_LOG_TEXT("watch an inotify instance");
        if (doca_priv_sys_watch(epoll, in)) {
            *set = epoll;
            *inotify = in;
            return true;
        }
    }
    why->error = errno;
    if (epoll >= 0 && in < 0 && why->error == EMFILE) { /* user's or process's limit? */
        spare = doca_priv_sys_event_open();
        doca_priv_sys_close(spare);
        if (spare >= 0)
            why->hint = DOCA_PRIV_LOG_TEXT("the user has no inotify instance left: raise "
                                           "fs.inotify.max_user_instances");
    }
    doca_priv_sys_close(in);
    doca_priv_sys_close(epoll);
    return false;
}

/* Set which events of a page the inotify instance reports. A watch that should report nothing waits
 * for IN_MOVE_SELF: a file in memory is never renamed. Returns the watch, or -1. */
static DOCA_CORE_UNUSED int doca_priv_sys_listen_set(int inotify, int page_fd, uint32_t mask)
{
    char path[DOCA_PRIV_PATH_BYTES];

    doca_priv_sys_fd_path(path, 0, page_fd);
    return inotify_add_watch(inotify, path, mask);
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_enable(int inotify, int page_fd,
                                                                 bool is_enabled)
{
    return doca_priv_sys_listen_set(inotify, page_fd, is_enabled ? IN_MODIFY : IN_MOVE_SELF) >= 0;
}

/* Start reporting writes to a page. *is_new is set to true if the instance certainly did not watch
 * the page before. Returns the number of the watch, or -1 with the reason in *why. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED int doca_priv_sys_listen_add(int inotify, int page_fd, bool *is_new,
                                                             struct doca_core_refusal *why)
{
    const uint32_t create = 0x10000000; /* IN_MASK_CREATE, Linux 4.18 and later */
    int watch = doca_priv_sys_listen_set(inotify, page_fd, IN_MODIFY | create);

    *is_new = watch >= 0;
    if (watch < 0 && (errno == EEXIST || errno == EINVAL))
        watch = doca_priv_sys_listen_set(inotify, page_fd, IN_MODIFY);
    if (watch < 0) {
        why->step = DOCA_PRIV_LOG_TEXT("watch the page of the event");
        why->error = errno;
        if (errno == ENOSPC)
            why->hint = DOCA_PRIV_LOG_TEXT("the user has no inotify watch left: raise "
                                           "fs.inotify.max_user_watches");
    }
    return watch;
}

/* Read all queued events. Returns true if one of them is from a watch other than `watch`. */
static DOCA_CORE_UNUSED bool doca_priv_sys_listen_read(int inotify, int watch)
{
    struct inotify_event event;
    bool has_others = false;
    char events[1024]; /* 64 events without names; the kernel merges repeated events */
    ssize_t got, at;

    do {
        got = read(inotify, events, sizeof(events));
        for (at = 0; at + (ssize_t)sizeof(event) <= got; at += (ssize_t)sizeof(event)) {
            DOCA_CORE_MEMCPY(&event, events + at, sizeof(event));
            has_others = has_others || event.wd != watch;
        }
    } while (got == (ssize_t)sizeof(events));
    return has_others;
}

/* Remove a watch. The kernel queues an event for the removal. With `must_rest`, all queued events
 * are read, so that this event does not leave the descriptor readable. The result is true if events
 * of other watches were discarded. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_remove(int inotify, int watch,
                                                                 bool must_rest)
{
    (void)inotify_rm_watch(inotify, watch);
    return must_rest && doca_priv_sys_listen_read(inotify, watch);
}

/* Make the epoll set report the end of a process once. Returns false, with *why, on failure. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_process(int set, int process,
                                                                  struct doca_core_refusal *why)
{
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = EPOLLIN | EPOLLONESHOT;
    if (epoll_ctl(set, EPOLL_CTL_ADD, process, &event) == 0 || errno == EEXIST)
        return true;
    why->step = DOCA_PRIV_LOG_TEXT("watch the process of the exporter");
    why->error = errno;
    if (errno == ENOSPC)
        why->hint = DOCA_PRIV_LOG_TEXT("the user has no epoll watch left: raise "
                                       "fs.epoll.max_user_watches");
    return false;
}

/* Discard all queued events. */
DOCA_PRIV_DECL void doca_priv_sys_listen_drain(int set, int inotify)
{
    struct epoll_event events[8]; /* EPOLLONESHOT disables the entry of a reported process */
    int num;

    do {
        num = epoll_wait(set, events, 8, 0);
        if (num > 0)
            (void)doca_priv_sys_listen_read(inotify, 0);
    } while (num == 8);
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_yield(void)
{
    (void)sched_yield();
}

/* Sleep while *word is `value`. Spurious wake-ups are possible. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_sleep(uint32_t *word, uint32_t value)
{
    (void)doca_priv_sys_call(SYS_futex, (long)word, 128 /* WAIT, PRIVATE */, (long)value, 0, 0, 0);
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_wake(uint32_t *word)
{
    (void)doca_priv_sys_call(SYS_futex, (long)word, 129 /* WAKE, PRIVATE */, 1, 0, 0, 0);
}

#else

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_sleep(uint32_t *word, uint32_t value)
{
    (void)word;
    (void)value;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_wake(uint32_t *word)
{
    (void)word;
}

DOCA_PRIV_DECL int doca_priv_sys_keep(int fd)
{
    return fd;
}

DOCA_PRIV_DECL int doca_priv_sys_errno(void)
{
    return 0;
}

DOCA_PRIV_DECL const char *doca_priv_sys_errno_name(int error)
{
    (void)error;
    return NULL;
}

DOCA_PRIV_DECL const char *doca_priv_sys_errno_hint(int error)
{
    (void)error;
    return NULL;
}

DOCA_PRIV_DECL int doca_priv_sys_event_open(void)
{
    return -1;
}

DOCA_PRIV_DECL void doca_priv_sys_print(const char *line, size_t len)
{
    (void)line;
    (void)len;
}

DOCA_PRIV_DECL const char *doca_priv_sys_env(const char *name)
{
    (void)name;
    return NULL;
}

DOCA_PRIV_DECL void doca_priv_sys_iface(const char *name, uint8_t *mac, uint8_t *ipv4,
                                        uint8_t *ipv6)
{
    (void)name;
    (void)mac;
    (void)ipv4;
    (void)ipv6;
}

DOCA_PRIV_DECL bool doca_priv_sys_lists_ipv6(void)
{
    return true;
}

DOCA_PRIV_DECL bool doca_priv_sys_watch(int set, int fd)
{
    (void)set;
    (void)fd;
    return false;
}

DOCA_PRIV_DECL void doca_priv_sys_unwatch(int set, int fd)
{
    (void)set;
    (void)fd;
}

DOCA_PRIV_DECL void doca_priv_sys_wait_close(int set, int event_fd)
{
    (void)set;
    (void)event_fd;
}

DOCA_PRIV_DECL int doca_priv_sys_wait_open(int *event_fd)
{
    (void)event_fd;
    return -1;
}

DOCA_PRIV_DECL bool doca_priv_sys_event_signal(int fd)
{
    (void)fd;
    return false;
}

DOCA_PRIV_DECL bool doca_priv_sys_event_drain(int fd)
{
    (void)fd;
    return false;
}

DOCA_PRIV_DECL uint32_t doca_priv_sys_pid(void)
{
    return 0;
}

#if DOCA_CORE_CHECK >= 2
DOCA_PRIV_DECL void doca_priv_sys_at_fork(void (*in_child)(void))
{
    (void)in_child;
}
#endif

DOCA_PRIV_DECL bool doca_priv_sys_random(uint64_t *x)
{
    *x = doca_priv_serial();
    return true;
}

DOCA_PRIV_DECL enum doca_core_item doca_priv_sys_machine(uint64_t *machine)
{
    *machine = 0;
    return DOCA_CORE_ITEM_NONE;
}

DOCA_PRIV_DECL enum doca_priv_sys_far doca_priv_sys_far_copy(uint32_t pid,
                                                             const struct doca_priv_iovec *local,
                                                             const struct doca_priv_iovec *remote,
                                                             unsigned num, size_t bytes,
                                                             bool is_write)
{
    (void)pid;
    (void)local;
    (void)remote;
    (void)num;
    (void)bytes;
    (void)is_write;
    return DOCA_PRIV_FAR_KERNEL;
}

DOCA_PRIV_DECL void doca_priv_sys_far_permit(void)
{
}

DOCA_PRIV_DECL unsigned char *doca_priv_sys_dmabuf_map(int fd, size_t offset, size_t len,
                                                       bool is_written)
{
    (void)fd;
    (void)offset;
    (void)len;
    (void)is_written;
    return NULL;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED int doca_priv_sys_file_open(const char *path, uint64_t *bytes)
{
    (void)path;
    (void)bytes;
    return -1;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_file_read(int fd, uint64_t offset, void *to,
                                                             size_t len)
{
    (void)fd;
    (void)offset;
    (void)to;
    (void)len;
    return false;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED const unsigned char *doca_priv_sys_file_map(int fd, size_t len)
{
    (void)fd;
    (void)len;
    return NULL;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_file_is_data(int fd, uint64_t offset)
{
    (void)fd;
    (void)offset;
    return false;
}

DOCA_PRIV_DECL void doca_priv_sys_dmabuf_unmap(unsigned char *view, size_t len)
{
    (void)view;
    (void)len;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_dmabuf_sync(int fd, bool begins)
{
    (void)fd;
    (void)begins;
}

DOCA_PRIV_DECL doca_error_t doca_priv_sys_page_open(uint32_t pid, int at, int *fd, void **page)
{
    (void)pid;
    (void)at;
    (void)fd;
    (void)page;
    return DOCA_ERROR_NOT_SUPPORTED;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_sys_page_create(int *fd, void **page)
{
    return doca_priv_sys_page_open(0, 0, fd, page);
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_page_lock(int fd)
{
    (void)fd;
    return false;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_page_close(int fd, void *page)
{
    (void)fd;
    (void)page;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_page_touch(int fd)
{
    (void)fd;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED int doca_priv_sys_process_open(uint32_t pid)
{
    (void)pid;
    return -1;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_close(int fd)
{
    (void)fd;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_process_is_gone(int process, uint32_t pid,
                                                                   int page_fd)
{
    (void)process, (void)pid, (void)page_fd;
    return false;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_open(int *set, int *inotify,
                                                               struct doca_core_refusal *why)
{
    (void)set, (void)inotify, (void)why;
    return false;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_enable(int inotify, int page_fd,
                                                                 bool is_enabled)
{
    (void)inotify, (void)page_fd, (void)is_enabled;
    return false;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED int doca_priv_sys_listen_add(int inotify, int page_fd, bool *is_new,
                                                             struct doca_core_refusal *why)
{
    (void)inotify, (void)page_fd, (void)is_new, (void)why;
    return -1;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_remove(int inotify, int watch,
                                                                 bool must_rest)
{
    (void)inotify, (void)watch, (void)must_rest;
    return false;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_listen_process(int set, int process,
                                                                  struct doca_core_refusal *why)
{
    (void)set, (void)process, (void)why;
    return false;
}

DOCA_PRIV_DECL void doca_priv_sys_listen_drain(int set, int inotify)
{
    (void)set, (void)inotify;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_sys_yield(void)
{
    DOCA_CORE_RELAX();
}

#endif

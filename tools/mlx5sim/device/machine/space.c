/* Access to the memory of client processes and to mapped files. */
#define _GNU_SOURCE
#include "device/machine/space.h"
#include "device/machine/log.h"
#include "device/machine/watch.h"
#include "wire/sys_call.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- spaces --------------------------------------------------------------------------------- */

struct process_space {
    struct sim_space space;     /* must be first */
    struct watch exit;
    struct process_space *next;
};

static struct process_space *processes;

static void remove_process(struct process_space *process)
{
    struct process_space **p;

    for (p = &processes; *p != NULL; p = &(*p)->next) {
        if (*p == process) {
            *p = process->next;
            return;
        }
    }
}

/* Returns the process whose member `exit` is `watch`. */
static struct process_space *process_of(struct watch *watch)
{
    return (struct process_space *)(void *)((char *)watch - offsetof(struct process_space, exit));
}

/* Handles the end of a process: its memory is gone, and the kernel may give its pid to a new
 * process. */
static void process_exit(struct watch *watch, uint32_t events)
{
    struct process_space *process = process_of(watch);

    (void)events;
    sim_log(SIM_TRACE, "process %d has ended", (int)process->space.pid);
    remove_process(process);
    process->space.pidfd = -1;
    watch_close(watch, NULL);
}

/* Logs why a process has no space, and returns the errno for its request. */
static int no_space(pid_t pid, int error)
{
    if (error == EMFILE || error == ENFILE || error == ENOMEM)
        return error;
    sim_log(error == ESRCH ? SIM_INFO : SIM_ERROR, "the memory of process %d cannot be opened: %s",
            (int)pid, strerror(error));
    return EIO;
}

struct sim_space *space_of_process(pid_t pid)
{
    struct process_space *process;
    int pidfd, error;

    for (process = processes; process != NULL; process = process->next)
        if (process->space.pid == pid)
            return sim_space_get(&process->space);
    pidfd = (int)sim_sys_call(SYS_pidfd_open, pid, 0, 0, 0, 0, 0);
    process = pidfd >= 0 ? calloc(1, sizeof(*process)) : NULL;
    if (process == NULL) {
        error = errno;
        if (pidfd >= 0)
            close(pidfd);
        errno = no_space(pid, error);
        return NULL;
    }
    process->space = (struct sim_space){.pid = pid, .pidfd = pidfd, .refs = 1};
    process->exit = (struct watch){.fd = pidfd, .ready = process_exit};
    process->next = processes;
    processes = process;
    watch_add(&process->exit, EPOLLIN);
    return &process->space;
}

static struct sim_space *space_of_file(int fd, uint64_t offset, uint64_t len)
{
    struct sim_space *space = calloc(1, sizeof(*space));
    uint64_t page_offset = offset % SIM_PAGE;
    void *p;

    if (space == NULL)
        return NULL;
    p = mmap(NULL, len + page_offset, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
             (off_t)(offset - page_offset));
    if (p == MAP_FAILED)
        p = mmap(NULL, len + page_offset, PROT_READ, MAP_SHARED, fd,
                 (off_t)(offset - page_offset));
    if (p == MAP_FAILED) {
        free(space);
        return NULL;
    }
    *space = (struct sim_space){.pidfd = -1, .base = p, .len = len + page_offset, .refs = 1,
                                .unmap = true};
    return space;
}

int space_client_fd(const struct sim_space *process, int fd, int *error)
{
    int local_fd = (int)sim_sys_call(SYS_pidfd_getfd, process->pidfd, fd, 0, 0, 0, 0);

    *error = errno == EMFILE ? ENFILE : EBADF;  /* the device process acts as the kernel */
    return local_fd;
}

int space_client_path(const struct sim_space *process, int fd, int *error)
{
    char path[64];
    int local_fd;

    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)process->pid, fd);
    local_fd = open(path, O_PATH | O_CLOEXEC);
    *error = errno == EMFILE || errno == ENFILE ? ENFILE : EBADF;
    if (local_fd >= 0 && sim_has_ended(process)) {      /* its pid may belong to a new process */
        close(local_fd);
        *error = EBADF;
        return -1;
    }
    return local_fd;
}

struct sim_space *space_of_client_file(const struct sim_space *process, int fd, uint64_t offset,
                                       uint64_t len, int *error)
{
    int local_fd = space_client_fd(process, fd, error);
    struct sim_space *space = NULL;
    struct stat st;

    if (local_fd < 0)
        return NULL;
    *error = EINVAL;
    if (fstat(local_fd, &st) == 0 && (S_ISREG(st.st_mode) || st.st_size > 0) &&
        offset <= (uint64_t)st.st_size && len <= (uint64_t)st.st_size - offset)
        space = space_of_file(local_fd, offset, len);
    close(local_fd);
    return space;
}

struct sim_space *space_of_nothing(void)
{
    static struct sim_space nothing = {.pidfd = -1, .refs = 1, .is_null = true};

    return &nothing;
}

struct sim_space *sim_space_get(struct sim_space *space)
{
    space->refs++;
    return space;
}

void sim_space_put(struct sim_space *space)
{
    if (space == NULL || --space->refs != 0)
        return;
    if (space->unmap)
        munmap(space->base, space->len);
    if (space->pid == 0) {
        free(space);
        return;
    }
    if (space->pidfd >= 0) {
        struct process_space *process = (struct process_space *)(void *)space;

        remove_process(process);
        watch_close(&process->exit, process);
    } else {
        free(space);
    }
}

/* ---- access --------------------------------------------------------------------------------- */

static bool is_inside(const struct sim_space *space, uint64_t addr, uint64_t len)
{
    return addr <= space->len && len <= space->len - addr;
}

/* Returns the pid for process_vm_readv() and process_vm_writev(): for a mapped file, that of this
 * process. If another process truncates the file, these calls fail with EFAULT, but memcpy() would
 * raise SIGBUS. */
static pid_t pid_of(const struct sim_space *space)
{
    return space->pid != 0 ? space->pid : getpid();
}

/* Transfers between `buf` and one or two ranges of the space, which are accessed in this order:
 * the kernel handles the elements of a vector one after the other. */
static int transfer_ranges(struct sim_space *space, void *buf, struct iovec *remote,
                           unsigned num_remote, bool write)
{
    struct iovec local = {buf, remote[0].iov_len + (num_remote == 2 ? remote[1].iov_len : 0)};
    ssize_t n;

    if (space->pidfd < 0 && space->pid != 0)
        return EFAULT;
    if (write)
        n = process_vm_writev(pid_of(space), &local, 1, remote, num_remote, 0);
    else
        n = process_vm_readv(pid_of(space), &local, 1, remote, num_remote, 0);
    if (n == (ssize_t)local.iov_len)
        return 0;
    if (n < 0 && errno == EPERM)
        sim_log(SIM_ERROR, "no permission to access the memory of process %d", (int)space->pid);
    return EFAULT;
}

static int transfer(struct sim_space *space, uint64_t addr, void *buf, size_t len, bool write)
{
    struct iovec remote = {(void *)(uintptr_t)addr, len};

    if (len == 0)
        return 0;
    if (space->is_null) {
        if (!write)
            memset(buf, 0, len);
        return 0;
    }
    if (space->pid == 0) {
        if (!is_inside(space, addr, len))
            return EFAULT;
        if (!space->unmap) {
            if (write)
                memcpy(space->base + addr, buf, len);
            else
                memcpy(buf, space->base + addr, len);
            return 0;
        }
        remote.iov_base = space->base + addr;
    }
    return transfer_ranges(space, buf, &remote, 1, write);
}

int sim_read(struct sim_space *space, uint64_t addr, void *buf, size_t len)
{
    return transfer(space, addr, buf, len, false);
}

int sim_write(struct sim_space *space, uint64_t addr, const void *buf, size_t len)
{
    return transfer(space, addr, (void *)(uintptr_t)buf, len, true);
}

/* True when the space belongs to a process that has ended, even if process_exit() has not run
 * yet. */
static bool has_ended(const struct sim_space *space)
{
    struct pollfd end = {.fd = space->pidfd, .events = POLLIN};

    return space->pid != 0 && (space->pidfd < 0 || poll(&end, 1, 0) > 0);
}

bool sim_has_ended(const struct sim_space *space)
{
    uint8_t byte;
    struct iovec local = {&byte, 1}, remote = {NULL, 1};

    return has_ended(space) ||
           (space->pid != 0 && process_vm_readv(space->pid, &local, 1, &remote, 1, 0) < 0 &&
            errno == ESRCH);
}

/* The kernel brings all pages of the remote range into memory before it copies. The local buffer
 * does not exist, so nothing is copied. */
void sim_touch(struct sim_space *space, uint64_t addr, uint64_t len, bool write)
{
    enum { AT_ONCE = 1 << 20 };         /* the kernel handles more bytes in several steps */
    struct iovec nothing = {NULL, 1}, remote;

    while (len > 0 && !has_ended(space)) {
        remote = (struct iovec){(void *)(uintptr_t)addr, len < AT_ONCE ? len : AT_ONCE};
        if (write)
            (void)process_vm_writev(pid_of(space), &nothing, 1, &remote, 1, 0);
        else
            (void)process_vm_readv(pid_of(space), &nothing, 1, &remote, 1, 0);
        addr += remote.iov_len;
        len -= remote.iov_len;
    }
}

int sim_clear(struct sim_space *space, uint64_t addr, uint64_t len)
{
    static const unsigned char zeros[1 << 16];
    int err = 0;

    while (len > 0 && err == 0) {
        size_t n = len < sizeof(zeros) ? (size_t)len : sizeof(zeros);

        err = sim_write(space, addr, zeros, n);
        addr += n;
        len -= n;
    }
    return err;
}

int sim_copy(struct sim_space *dst, uint64_t dst_addr, struct sim_space *src, uint64_t src_addr,
             uint64_t len, uint64_t *written)
{
    static unsigned char bounce[1 << 20];

    for (*written = 0; *written < len;) {
        size_t n = len - *written < sizeof(bounce) ? (size_t)(len - *written) : sizeof(bounce);

        /* if a process has ended, its pid may belong to a new process */
        if (sim_read(src, src_addr + *written, bounce, n) || has_ended(src))
            return EFAULT;
        if (has_ended(dst))
            return EACCES;
        *written += n; /* before the write, because a failing write may change a part */
        if (sim_write(dst, dst_addr + *written - n, bounce, n))
            return EACCES;
    }
    return 0;
}

/* Reads or writes two adjacent or equal ranges, the first one first. */
static int transfer_twice(struct sim_space *space, struct iovec first, struct iovec second,
                          unsigned char *buf, bool write)
{
    struct iovec remote[2] = {first, second};
    int err;

    if (space->pid != 0)
        return transfer_ranges(space, buf, remote, 2, write);
    err = transfer(space, (uint64_t)(uintptr_t)first.iov_base, buf, first.iov_len, write);
    return err != 0 ? err : transfer(space, (uint64_t)(uintptr_t)second.iov_base,
                                     buf + first.iov_len, second.iov_len, write);
}

int sim_write_in_order(struct sim_space *space, uint64_t addr, const void *buf, size_t len)
{
    struct iovec first = {(void *)(uintptr_t)addr, len - 1};
    struct iovec last = {(void *)(uintptr_t)(addr + len - 1), 1};

    return transfer_twice(space, first, last, (unsigned char *)(uintptr_t)buf, true);
}

/* A device reads four bytes at once, but the kernel may copy them one by one while the program
 * writes them. Therefore the word is read again until two reads give the same value. */
bool sim_read_be32(struct sim_space *space, uint64_t addr, uint32_t *value)
{
    struct iovec range = {(void *)(uintptr_t)addr, sizeof(*value)};
    uint32_t words[2];

    do {
        if (transfer_twice(space, range, range, (unsigned char *)words, false))
            return false;
    } while (words[0] != words[1]);
    *value = be32toh(words[0]);
    return true;
}

/* Memory of client processes, as the device reaches it, and the log. */
#define _GNU_SOURCE
#include "uverbs.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "device.h"

/* ---- log ------------------------------------------------------------------------------------ */

static FILE *log_file;          /* NULL: errors only, to stderr */
static enum sim_log_level log_level = SIM_ERROR;

int log_open(const char *name, bool trace)
{
    log_level = trace ? SIM_TRACE : SIM_INFO;
    log_file = strcmp(name, "-") == 0 ? stderr : fopen(name, "ae");
    return log_file != NULL ? 0 : errno;
}

bool sim_logs(enum sim_log_level level)
{
    return level <= log_level;
}

static bool log_line(FILE *file, const char *format, va_list args)
{
    uint64_t now = sim_now();

    fprintf(file, "mlx5sim %llu.%06llu: ", (unsigned long long)(now / 1000000000u % 1000),
            (unsigned long long)(now / 1000 % 1000000));
    vfprintf(file, format, args);
    fputc('\n', file);
    return fflush(file) == 0;
}

/* A full disk, say. What comes later would look complete, and is not. */
static void log_end(void)
{
    fprintf(stderr, "mlx5sim: the log ends: %s\n", strerror(errno));
    fclose(log_file);
    log_file = NULL;
    log_level = SIM_ERROR;
}

void sim_log(enum sim_log_level level, const char *format, ...)
{
    va_list args;

    if (!sim_logs(level))
        return;
    if (log_file != NULL) {
        va_start(args, format);
        if (!log_line(log_file, format, args) && log_file != stderr)
            log_end();
        va_end(args);
    }
    if (level == SIM_ERROR && log_file != stderr) {
        va_start(args, format);
        (void)log_line(stderr, format, args);
        va_end(args);
    }
}

void sim_violation(const struct sim_client *client, const char *format, ...)
{
    char text[256];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    sim_log(machine.strict ? SIM_ERROR : SIM_INFO, "rule broken by process %d on %s: %s",
            client != NULL ? (int)client->pid : 0,
            client != NULL ? client->function->name : "-", text);
    if (!machine.strict)
        return;
    machine.violations++;
    if (client != NULL && client->pid > 1)
        kill(client->pid, SIGABRT);
}

uint64_t sim_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- spaces --------------------------------------------------------------------------------- */

struct process_space {
    struct sim_space space;     /* first */
    struct watch exit;
    struct process_space *next;
};

static struct process_space *processes;

static void unlist(struct process_space *process)
{
    struct process_space **p;

    for (p = &processes; *p != NULL; p = &(*p)->next) {
        if (*p == process) {
            *p = process->next;
            return;
        }
    }
}

static struct process_space *process_of(struct watch *watch)
{
    return (struct process_space *)(void *)((char *)watch - offsetof(struct process_space, exit));
}

/* The process is gone: its memory can no longer be reached, its number may come again. */
static void process_exit(struct watch *watch, uint32_t events)
{
    struct process_space *process = process_of(watch);

    (void)events;
    sim_log(SIM_TRACE, "process %d is gone", (int)process->space.pid);
    unlist(process);
    process->space.pidfd = -1;
    watch_drop(watch, NULL);
}

struct sim_space *space_of_process(pid_t pid)
{
    struct process_space *process;
    int pidfd;

    for (process = processes; process != NULL; process = process->next)
        if (process->space.pid == pid)
            return sim_space_get(&process->space);
    pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    process = pidfd >= 0 ? calloc(1, sizeof(*process)) : NULL;
    if (process == NULL) {
        if (pidfd >= 0)
            close(pidfd);
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

struct sim_space *space_of_client_file(const struct call *call, int fd, uint64_t offset,
                                       uint64_t len, int *error)
{
    int own = (int)syscall(SYS_pidfd_getfd, call->space->pidfd, fd, 0);
    struct sim_space *space = NULL;
    struct stat st;

    *error = EBADF;
    if (own < 0)
        return NULL;
    *error = EINVAL;
    if (fstat(own, &st) == 0 && (S_ISREG(st.st_mode) || st.st_size > 0) &&
        offset <= (uint64_t)st.st_size && len <= (uint64_t)st.st_size - offset)
        space = space_of_file(own, offset, len);
    close(own);
    return space;
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

        unlist(process);
        watch_drop(&process->exit, process);
    } else {
        free(space);
    }
}

/* ---- access --------------------------------------------------------------------------------- */

static bool is_inside(const struct sim_space *space, uint64_t addr, uint64_t len)
{
    return addr <= space->len && len <= space->len - addr;
}

/* Local memory may be a file of somebody else that shrinks: the kernel copies and says EFAULT. */
static pid_t pid_of(const struct sim_space *space)
{
    return space->pid != 0 ? space->pid : getpid();
}

static int transfer(struct sim_space *space, uint64_t addr, void *buf, size_t len, bool write)
{
    struct iovec local = {buf, len}, remote = {(void *)(uintptr_t)addr, len};
    ssize_t n;

    if (len == 0)
        return 0;
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
    } else if (space->pidfd < 0) {
        return EFAULT;
    }
    if (write)
        n = process_vm_writev(pid_of(space), &local, 1, &remote, 1, 0);
    else
        n = process_vm_readv(pid_of(space), &local, 1, &remote, 1, 0);
    if (n == (ssize_t)len)
        return 0;
    if (n < 0 && errno == EPERM)
        sim_log(SIM_ERROR, "the memory of process %d may not be reached", (int)space->pid);
    return EFAULT;
}

int sim_read(struct sim_space *space, uint64_t addr, void *buf, size_t len)
{
    return transfer(space, addr, buf, len, false);
}

int sim_write(struct sim_space *space, uint64_t addr, const void *buf, size_t len)
{
    return transfer(space, addr, (void *)(uintptr_t)buf, len, true);
}

int sim_copy(struct sim_space *dst, uint64_t dst_addr, struct sim_space *src, uint64_t src_addr,
             uint64_t len)
{
    static unsigned char bounce[1 << 20];
    int bad;

    while (len > 0) {
        size_t n = len < sizeof(bounce) ? (size_t)len : sizeof(bounce);

        bad = sim_read(src, src_addr, bounce, n);
        if (bad == 0)
            bad = sim_write(dst, dst_addr, bounce, n);
        if (bad != 0)
            return bad;
        src_addr += n;
        dst_addr += n;
        len -= n;
    }
    return 0;
}

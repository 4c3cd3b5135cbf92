/* Replaces services that an emulator of a CPU, such as qemu-user, does not provide. The linker puts
 * these functions in the place of functions of the C library (--wrap=syscall,--wrap=execl,
 * --wrap=execv). They require that guest addresses equal host addresses.
 *   process_vm_readv, _writev  access /proc/PID/mem, where /proc/PID/maps permits the access
 *   execl, execv               start the program in the emulator. Without this the emulator would
 *                              start it as a program of the host. The variable DOCA_TEST_RUNNER
 *                              holds the emulator and its options. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

long __real_syscall(long n, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long n, long a, long b, long c, long d, long e, long f);
int __real_execv(const char *path, char *const argv[]);
int __wrap_execv(const char *path, char *const argv[]);
int __wrap_execl(const char *path, const char *arg, ...);

/* Read a hexadecimal number at `text`. *next receives the position after the number and the one
 * character that follows it. */
static size_t read_hex(const char *text, const char **next)
{
    size_t n = 0;

    for (; *text != '\0' && strchr("-\n ", *text) == NULL; text++)
        n = n * 16 + (size_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    *next = text + (*text != '\0');
    return n;
}

/* Return how many of the `len` bytes from address `at` on process `pid` itself may read, or write
 * if `is_write` is 1. Return a negative number when the process has ended and has no memory. The
 * function uses no heap, because the heap trap would catch that. */
static ssize_t permitted(long pid, size_t at, size_t len, int is_write)
{
    size_t reached = at, begin, end, filled = 0, num_lines = 0;
    char text[4096], path[32], *line_end;
    const char *right;
    ssize_t got;
    int fd;

    snprintf(path, sizeof(path), "/proc/%ld/maps", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (num_lines == 0 || reached - at < len) &&
           (got = read(fd, text + filled, sizeof(text) - 1 - filled)) > 0) {
        filled += (size_t)got;
        text[filled] = '\0';
        while ((line_end = strchr(text, '\n')) != NULL) { /* maps is sorted by address */
            begin = read_hex(text, &right);
            end = read_hex(right, &right);
            if (begin <= reached && end > reached && right[is_write] != '-')
                reached = end;
            num_lines++;
            filled -= (size_t)(line_end + 1 - text);
            memmove(text, line_end + 1, filled + 1);
        }
    }
    if (fd >= 0)
        close(fd);
    return num_lines == 0 ? -1 : (ssize_t)(reached - at < len ? reached - at : len);
}

static long copy_pieces(long pid, const struct iovec *local, const struct iovec *remote, long num,
                        int is_write)
{
    char path[32];
    long done = 0, i;
    ssize_t moved;
    int fd;

    snprintf(path, sizeof(path), "/proc/%ld/mem", pid);
    fd = open(path, (is_write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (fd < 0) {
        errno = errno == ENOENT ? ESRCH : errno == EACCES ? EPERM : errno;
        return -1;
    }
    for (i = 0; i < num; i++) { /* local[i] and remote[i] have equal lengths */
        size_t at = (size_t)remote[i].iov_base;
        ssize_t len = permitted(pid, at, local[i].iov_len, is_write);

        moved = len <= 0   ? len
                : is_write ? pwrite(fd, local[i].iov_base, (size_t)len, (off_t)at)
                           : pread(fd, local[i].iov_base, (size_t)len, (off_t)at);
        if (len < 0 || (len > 0 && moved == 0)) { /* the process has ended: the whole call fails */
            close(fd);
            errno = ESRCH;
            return -1;
        }
        done += moved > 0 ? moved : 0;
        if (moved != (ssize_t)local[i].iov_len)
            break;
    }
    if (done == 0 && num > 0) {
        done = -1;
        errno = EFAULT;
    }
    close(fd);
    return done;
}

long __wrap_syscall(long n, long a, long b, long c, long d, long e, long f)
{
    long done = __real_syscall(n, a, b, c, d, e, f);

    if (done < 0 && errno == ENOSYS && (n == SYS_process_vm_readv || n == SYS_process_vm_writev))
        done = copy_pieces(a, (const struct iovec *)b, (const struct iovec *)d, c,
                           n == SYS_process_vm_writev);
    return done;
}

int __wrap_execv(const char *path, char *const argv[])
{
    const char *runner = getenv("DOCA_TEST_RUNNER");
    char words[256], program[256], *args[32];
    ssize_t len = readlink(path, program, sizeof(program) - 1);
    unsigned num = 0;

    if (runner == NULL || strlen(runner) >= sizeof(words) || len < 0)
        return __real_execv(path, argv);
    program[len] = '\0';
    strcpy(words, runner);
    for (args[0] = strtok(words, " "); args[num] != NULL && num < 8;)
        args[++num] = strtok(NULL, " ");
    args[num++] = program;
    for (argv++; *argv != NULL && num < sizeof(args) / sizeof(args[0]) - 1; argv++)
        args[num++] = *argv;
    args[num] = NULL;
    return execvp(args[0], args);
}

int __wrap_execl(const char *path, const char *arg, ...)
{
    char *args[16] = { (char *)(size_t)arg };
    unsigned num = 0;
    va_list list;

    va_start(list, arg);
    while (args[num] != NULL && num < sizeof(args) / sizeof(args[0]) - 1)
        args[++num] = va_arg(list, char *);
    va_end(list);
    args[num] = NULL;
    return __wrap_execv(path, args);
}

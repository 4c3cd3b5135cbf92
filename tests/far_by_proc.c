/* process_vm_readv() and process_vm_writev() by /proc/PID/mem, for emulators of a CPU that do not
 * know these calls: linked before syscall() of the C library (--wrap=syscall). Right where an
 * address of the guest is the host's. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

long __real_syscall(long n, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long n, long a, long b, long c, long d, long e, long f);

static long copy_pieces(long pid, const struct iovec *local, const struct iovec *remote, long num,
                        int is_write)
{
    char path[32];
    long done = 0, i;
    ssize_t moved = 1;
    int fd;

    snprintf(path, sizeof(path), "/proc/%ld/mem", pid);
    fd = open(path, (is_write ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (fd < 0) {
        errno = errno == ENOENT ? ESRCH : errno == EACCES ? EPERM : errno;
        return -1;
    }
    for (i = 0; i < num; i++) { /* the pieces are alike on both sides */
        off_t at = (off_t)(size_t)remote[i].iov_base;

        moved = is_write ? pwrite(fd, local[i].iov_base, local[i].iov_len, at)
                         : pread(fd, local[i].iov_base, local[i].iov_len, at);
        done += moved > 0 ? moved : 0;
        if (moved != (ssize_t)local[i].iov_len)
            break;
    }
    close(fd);
    if (done == 0 && num > 0) {
        errno = moved == 0 ? ESRCH : EFAULT; /* nothing: it has no memory any more */
        return -1;
    }
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

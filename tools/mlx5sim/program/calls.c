/* Replacements of libc functions on descriptors, memory and signals. */
#define _GNU_SOURCE
#include "program/cm.h"
#include "program/connection.h"
#include "program/context.h"
#include "program/interface.h"
#include "program/libc.h"
#include "program/trap.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- descriptors and memory ----------------------------------------------------------------- */

EXPORT int ioctl(int fd, unsigned long code, ...)
{
    va_list args;
    void *arg;

    va_start(args, code);
    arg = va_arg(args, void *);
    va_end(args);
    if (code == RDMA_VERBS_IOCTL && arg != NULL && context_number(fd) >= 0)
        return context_ioctl(fd, arg);
    if (interface_is_asked(code) && arg != NULL)
        return interface_ioctl(fd, code, arg);
    return SIM_REAL(ioctl)(fd, code, arg);
}

EXPORT ssize_t write(int fd, const void *data, size_t bytes)
{
    const int error = errno;
    ssize_t n;

    if (!cm_is_open(fd))
        return SIM_REAL(write)(fd, data, bytes);
    n = cm_write(fd, data, bytes);
    if (n >= 0)
        errno = error;          /* a successful write() leaves errno as it was */
    return n;
}

EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    if (fd >= 0 && (flags & MAP_ANONYMOUS) == 0 && context_number(fd) >= 0)
        return context_mmap(addr, len, prot, flags, fd, offset);
    return sim_mmap(addr, len, prot, flags, fd, offset);
}

EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    return mmap(addr, len, prot, flags, fd, offset);
}

EXPORT int munmap(void *addr, size_t len)
{
    trap_remove(addr, len);
    return sim_munmap(addr, len);
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

/* Keeps the signals of the trap unblocked from the start of the program, because a thread may block
 * signals before it maps a page and stores to the page. */
static const sigset_t *wanted_mask(int how, const sigset_t *set, sigset_t *copy)
{
    return sim_machine_dir() != NULL ? trap_mask(how, set, copy) : set;
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

/*
 * System calls of the tests and of bench/.
 *
 * syscall() and prctl() are variadic: when a caller passes an int, the kernel reads a 64-bit
 * register whose upper half is undefined. Therefore every argument is a long here.
 * tools/check_syscalls refuses calls of the two functions anywhere else.
 */
#ifndef SYS_CALL_H
#define SYS_CALL_H

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* Make a system call. The caller casts pointers to long. Returns -1 and sets errno as syscall()
 * does. */
static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    return syscall(number, a, b, c, d, e, f);
}

/* Call prctl() for options with up to two arguments; the other arguments are 0. */
static inline int sys_prctl(long option, long a, long b)
{
    return (int)sys_call(SYS_prctl, option, a, b, 0, 0, 0);
}

struct clone_args_of_linux { /* struct clone_args; old headers do not have it */
    uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid,
        set_tid_size, cgroup;
};

/* Fork a process with the process number `pid`. Return -1 when this process may not choose a
 * number. */
static inline pid_t sys_fork_as(pid_t pid)
{
    struct clone_args_of_linux args;

    memset(&args, 0, sizeof(args));
    args.exit_signal = SIGCHLD;
    args.set_tid = (uintptr_t)&pid;
    args.set_tid_size = 1;
    return (pid_t)sys_call(435 /* SYS_clone3 */, (long)&args, (long)sizeof(args), 0, 0, 0, 0);
}

#endif

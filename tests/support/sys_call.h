/*
 * System calls of the tests and of bench/.
 *
 * syscall() and prctl() are variadic: when a caller passes an int, the kernel reads a 64-bit
 * register whose upper half is undefined. Therefore every argument is a long here.
 * tools/check_syscalls refuses calls of the two functions anywhere else.
 */
#ifndef SYS_CALL_H
#define SYS_CALL_H

#include <sys/prctl.h>
#include <sys/syscall.h>
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

#endif

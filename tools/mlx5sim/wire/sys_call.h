/*
 * System calls of the emulator.
 *
 * syscall() and prctl() are variadic: when a program passes an int to them, the kernel reads 64
 * bits, and the upper 32 bits are undefined. Here every argument is a long. tools/check_syscalls
 * reports calls of the two functions anywhere else.
 */
#ifndef MLX5SIM_SYS_CALL_H
#define MLX5SIM_SYS_CALL_H

#include <sys/syscall.h>
#include <unistd.h>

/* Pointers are cast to long by the caller. Returns -1 and sets errno as syscall() does. */
static inline long sim_sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    return syscall(number, a, b, c, d, e, f);
}

#endif

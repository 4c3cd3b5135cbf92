/* The stepper of instructions.c: the parent single-steps the child through the pieces of code that
 * are counted. For the child a piece is one call, steps_of(). */
#ifndef BENCH_INSTRUCTIONS_STEPS_H
#define BENCH_INSTRUCTIONS_STEPS_H

#include <elf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEPS_MAX 100000u /* of one stretch; a longer one never ends while it is stepped */

static volatile unsigned long *num_steps; /* of the latest stretch; 0: could not be counted */
static pid_t self;                        /* the child; 0: this process is not single-stepped */

/* The begin and the end of a stretch, the code whose instructions are counted. */
static __attribute__((noinline)) void mark(void)
{
    __asm__ volatile("" ::: "memory");
}

static uintptr_t program_counter(pid_t child)
{
    struct user_regs_struct regs;
    struct iovec io = { &regs, sizeof(regs) };

    if (ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &io) != 0)
        return 0;
#if defined(__x86_64__)
    return (uintptr_t)regs.rip;
#elif defined(__aarch64__)
    return (uintptr_t)regs.pc;
#else
#error "x86-64 or AArch64"
#endif
}

/* Single-step the child once, passing on signals that arrive. Return false when the child ended;
 * *status then holds its wait status. */
static bool step(pid_t child, int *status)
{
    int sig = 0;

    do {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, (void *)(intptr_t)sig) != 0)
            kill(child, SIGKILL);
        if (waitpid(child, status, 0) != child || !WIFSTOPPED(*status))
            return false;
        sig = WSTOPSIG(*status);
    } while (sig != SIGTRAP);
    return true;
}

/* Step from one mark to the next and count the instructions. A string instruction of x86 takes
 * several steps at one address; it counts as one instruction. */
static bool step_stretch(pid_t child, int *status)
{
    const uintptr_t end = (uintptr_t)mark;
    unsigned long steps = 0;
    uintptr_t at = 0, before;

    while (at != end) {
        if (!step(child, status))
            return false;
        at = program_counter(child);
    }
    do {
        before = at;
        if (!step(child, status))
            return false;
        at = program_counter(child);
        if (at != before)
            steps++;
    } while (at != end && steps < STEPS_MAX);
    *num_steps = at == end ? steps : 0;
    return true;
}

/* Serve the child until it ends; return its exit status. */
static int serve(pid_t child)
{
    int status = 0, sig;

    if (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
        ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_EXITKILL);
    while (WIFSTOPPED(status)) {
        if (WSTOPSIG(status) == SIGSTOP && !step_stretch(child, &status))
            break;
        sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        if (ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)sig) != 0 ||
            waitpid(child, &status, 0) != child)
            return 1;
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "instructions: the child was killed by signal %d\n", WTERMSIG(status));
    return 1;
}

/* Call work(n), and return how many instructions the call took. The assembler statement keeps the
 * compiler from making a copy of this function for one caller or one `work`: tools/bench finds the
 * function by its name. */
static __attribute__((noinline)) unsigned long steps_of(void (*work)(unsigned n), unsigned n)
{
    __asm__ volatile("" : "+r"(work), "+r"(n));
    if (self != 0)
        kill(self, SIGSTOP);
    mark();
    work(n);
    mark();
    return *num_steps;
}

#endif

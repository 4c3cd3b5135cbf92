/* A load for the guest of tools/apsh-guest. It has LASTING processes named "lasting 0", "lasting 1"
 * and so on: each has THREADS threads, and sleeps for ever. It also has FORKERS processes that fork
 * without pause: each child maps some areas of memory, sleeps for up to 7 ms and exits. A forker
 * has at most WINDOW children at a time. */
#include "../support/sys_call.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define LASTING 8
#define THREADS 3
#define FORKERS 3
#define WINDOW 12

static void *sleeper(void *unused)
{
    (void)unused;
    for (;;)
        pause();
    return NULL;
}

/* Run a lasting process. */
static void run_lasting(int number)
{
    pthread_t thread;
    char name[16];
    int i;

    snprintf(name, sizeof(name), "lasting %d", number);
    for (i = 1; i < THREADS; i++)
        if (pthread_create(&thread, NULL, sleeper, NULL) != 0)
            _exit(1);
    sys_prctl(PR_SET_NAME, (long)name, 0);
    sleeper(NULL);
}

/* Run a child of a forker. */
static void run_child(unsigned random)
{
    unsigned i;

    for (i = 0; i < random % 8; i++) /* neighbours with other rights are separate areas */
        (void)mmap(NULL, 4096, i % 2 == 0 ? PROT_READ : PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    usleep(random / 8 % 8 * 1000);
    _exit(0);
}

static void fork_for_ever(unsigned random)
{
    int num = 0;
    pid_t pid;

    sys_prctl(PR_SET_NAME, (long)"forker", 0);
    for (;; random = random * 1103515245 + 12345) {
        if (num == WINDOW && wait(NULL) > 0)
            num--;
        pid = fork();
        if (pid == 0)
            run_child(random >> 8);
        num += pid > 0;
    }
}

int main(void)
{
    int i;

    for (i = 0; i < LASTING + FORKERS; i++)
        if (fork() == 0) {
            if (i < LASTING)
                run_lasting(i);
            fork_for_ever((unsigned)i);
        }
    sleeper(NULL);
}

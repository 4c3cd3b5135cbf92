/* A program for the guest of tools/apsh-guest: another user, five threads with names, and a few
 * hundred areas of memory. It sleeps for ever. */
#include <grp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *sleeper(void *name)
{
    pthread_setname_np(pthread_self(), name);
    for (;;)
        pause();
    return NULL;
}

int main(void)
{
    static char names[5][16];
    pthread_t thread;
    char *page;
    int i;

    for (i = 0; i < 200; i++) { /* neighbours with other rights are separate areas */
        page = mmap(NULL, 4096, i % 2 == 0 ? PROT_READ : PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED)
            return 1;
    }
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return 1;
    strcpy(page, "Hello World");
    if (setgroups(0, NULL) != 0 || setgid(1234) != 0 || setuid(4321) != 0)
        return 1;
    for (i = 0; i < 5; i++) {
        snprintf(names[i], sizeof(names[i]), "target thread %d", i);
        if (pthread_create(&thread, NULL, sleeper, names[i]) != 0)
            return 1;
    }
    for (;;)
        pause();
}

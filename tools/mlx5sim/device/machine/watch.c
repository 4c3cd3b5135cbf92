/* The event loop, on epoll. */
#define _GNU_SOURCE
#include "device/machine/watch.h"
#include "device/machine/log.h"
#include "wire/sys_call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { EVENTS_PER_BATCH = 64 };

static int epoll_fd = -1;
static struct watch *to_free;

int watch_open(void)
{
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    return epoll_fd >= 0 ? 0 : errno;
}

void watch_add(struct watch *watch, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = watch};

    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, watch->fd, &event) != 0)
        sim_log(SIM_ERROR, "epoll: %s", strerror(errno));
}

void watch_pause(struct watch *watch)
{
    epoll_ctl(epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
}

void watch_close(struct watch *watch, void *memory)
{
    if (watch->fd >= 0) {
        epoll_ctl(epoll_fd, EPOLL_CTL_DEL, watch->fd, NULL);
        close(watch->fd);
    }
    watch->fd = -1;
    if (memory == NULL)
        return;
    watch->memory_to_free = memory;
    watch->next_to_free = to_free;
    to_free = watch;
}

void watch_free_closed(void)
{
    while (to_free != NULL) {
        struct watch *next = to_free->next_to_free;

        free(to_free->memory_to_free);
        to_free = next;
    }
}

void watch_wait(uint64_t ns, bool no_limit)
{
    const struct timespec timeout = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    struct epoll_event events[EVENTS_PER_BATCH];
    int i, n;

    n = (int)sim_sys_call(SYS_epoll_pwait2, epoll_fd, (long)events, EVENTS_PER_BATCH,
                          no_limit ? 0 : (long)&timeout, 0, 0);
    if (n < 0 && errno == ENOSYS)
        n = epoll_wait(epoll_fd, events, EVENTS_PER_BATCH, ns < 1000000 ? 0 : 10);
    for (i = 0; i < n; i++) {
        struct watch *watch = events[i].data.ptr;

        if (watch->fd >= 0)
            watch->ready(watch, events[i].events);
    }
    watch_free_closed();
}

/* Helpers of the suites of progress engines. */
#ifndef PE_SUPPORT_H
#define PE_SUPPORT_H

#include "held_backend.h"

#include <sys/epoll.h>

enum { TASKS = 16, LEN = 64, CTXS = 5, IDLE_CTXS = 64 };

static inline void submit_copies(struct rig *r, struct doca_dma *dma, unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++)
        rig_copy(r, dma, i * LEN, LEN);
}

static inline size_t pe_inflight(const struct doca_pe *pe)
{
    size_t num;

    CHECK_OK(doca_pe_get_num_inflight_tasks(pe, &num));
    return num;
}

struct waiter {
    struct rig r;
    doca_notification_handle_t handle;
    int epoll;
};

static inline void wait_for(struct waiter *w, uint32_t events)
{
    struct epoll_event event = { .events = events };

    CHECK_OK(doca_pe_get_notification_handle(w->r.pe, &w->handle));
    CHECK(w->handle != doca_event_invalid_handle);
    w->epoll = epoll_create1(EPOLL_CLOEXEC);
    CHECK(w->epoll >= 0);
    CHECK_EQ(epoll_ctl(w->epoll, EPOLL_CTL_ADD, w->handle, &event), 0);
}

static inline void wait_on(struct waiter *w)
{
    wait_for(w, EPOLLIN);
}

#endif

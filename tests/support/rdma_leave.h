/* RDMA ends of rdma_end.h whose callbacks leave by longjmp(), for tests of recordings. */
#ifndef RDMA_LEAVE_H
#define RDMA_LEAVE_H

#include "rdma_ops.h"

#include <setjmp.h>

static jmp_buf rdma_way_out;

static inline void rdma_leave(void)
{
    rdma_progressing = NULL;
    longjmp(rdma_way_out, 1);
}

static inline void rdma_leave_task(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    (void)e;
    CHECK(is_ok);
    rdma_release(kind, task);
    rdma_leave();
}

static inline void rdma_leave_event(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    (void)c;
    rdma_leave();
}

/* From now on the callbacks of tasks and connections leave. */
static inline void rdma_let_leave(struct rdma_end *e)
{
    e->on_done = rdma_leave_task;
    e->on_established = rdma_leave_event;
    e->on_disconnect = rdma_leave_event;
}

/* Progress everything until a counter of each of two ends has this value. Callbacks may leave. */
static inline void rdma_await(const unsigned *of_a, const unsigned *of_b, unsigned value)
{
    (void)setjmp(rdma_way_out);
    RDMA_UNTIL(*of_a == value && *of_b == value);
}

/* Connect two ends, send `num` messages of `len` bytes, and disconnect, while every callback
 * leaves. Return the number of callbacks. */
static inline unsigned rdma_run_and_leave(struct rdma_end *a, struct rdma_end *b, unsigned num,
                                          size_t len)
{
    unsigned i;

    rdma_let_leave(a);
    rdma_let_leave(b);
    rdma_join(a, b);
    rdma_await(&a->num_established, &b->num_established, 1);
    for (i = 0; i < num; i++) {
        rdma_post(b, i * len, len, i);
        CHECK_OK(rdma_submit(rdma_send(a, rdma_buf(a, 0, len), i)));
    }
    rdma_await(&a->num_ok, &b->num_ok, num);
    CHECK_OK(doca_rdma_connection_disconnect(a->conn));
    rdma_await(&a->num_disconnects, &b->num_disconnects, 1);
    rdma_settle();
    return 2 * num + 4;
}

#endif

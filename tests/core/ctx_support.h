/* Helpers of the suites of contexts. */
#ifndef CTX_SUPPORT_H
#define CTX_SUPPORT_H

#include "held_backend.h"

enum { TASKS = 8, LEN = 64 };

static inline doca_error_t try_alloc(struct rig *r)
{
    struct doca_dma_task_memcpy *task;

    return doca_dma_task_memcpy_alloc_init(r->dma, NULL, NULL, (union doca_data){ 0 }, &task);
}

static inline unsigned finished(const struct rig *r)
{
    return r->num_ok + r->num_failed;
}

static inline void submit_copies(struct rig *r, struct doca_dma *dma, unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++)
        rig_copy(r, dma, i * LEN, LEN);
}

static inline void begin_slow_start(struct rig *r)
{
    held_begin();
    rig_build(r, HELD_DMA, TASKS);
    held.opening = DOCA_ERROR_IN_PROGRESS;
    CHECK_RC(doca_ctx_start(r->ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(r->ctx), DOCA_CTX_STATE_STARTING);
}

#endif

/* ---- >>hot.task -----------------------------------------------------------------------------
 * Data-path functions of tasks, contexts and progress engines.                                  */
#ifndef DOCA_SRC_PROGRESS_HOT_TASK_H
#define DOCA_SRC_PROGRESS_HOT_TASK_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "device/backend.h"
#include "progress/ctx.h"
#include "progress/pe.h"
#include "progress/task.h"

/* State of a PE. Any thread may set FAILED; only the thread of the PE sets the others. */
enum {
    DOCA_PRIV_PE_QUIET = 0,
    DOCA_PRIV_PE_IDLE = 1,  /* no active context; progress checks the devices from time to time */
    DOCA_PRIV_PE_FAILED = 2 /* a device of the PE may have failed */
};

/* Like doca_priv_is_in() for the state QUIET, but other threads may be writing the state. */
DOCA_PRIV_HOT bool doca_priv_pe_is_quiet(struct doca_pe *pe)
{
    if (doca_unlikely(pe == NULL))
        return false;
    if (DOCA_PRIV_HAS_TSAN)
        return DOCA_PRIV_PEEK(&pe->obj.state) == DOCA_PRIV_PE_QUIET &&
               (DOCA_CORE_CHECK == 0 ||
                (DOCA_PRIV_PEEK(&pe->obj.kind) == DOCA_PRIV_KIND_PE &&
                 DOCA_PRIV_PEEK(&pe->obj.guard) == DOCA_PRIV_GUARD));
    DOCA_PRIV_REREAD(&pe->obj);
    return doca_priv_is_in(pe, DOCA_PRIV_KIND_PE, DOCA_PRIV_PE_QUIET);
}

/* Number of bytes that doca_priv_task_set_state() writes at once: `kind`, `state` and `life`. In
 * the checked mode `life` is in use, so only `kind` and `state` are written. */
#define DOCA_PRIV_TASK_WORD (DOCA_CORE_CHECK >= 2 ? 2 : 4)

DOCA_PRIV_HOT void doca_priv_task_set_state(struct doca_task *task, uint8_t state)
{
    const uint8_t begin[4] = { DOCA_PRIV_KIND_TASK, state, 0, 0 };

    DOCA_PRIV_COPY((void *)task, begin, DOCA_PRIV_TASK_WORD);
}

/* True when the program owns the task, so that it may submit or free it. */
DOCA_PRIV_HOT bool doca_priv_task_is_owned(const struct doca_task *task)
{
    const uint8_t wanted[4] = { DOCA_PRIV_KIND_TASK, DOCA_PRIV_TASK_OWNED, 0, 0 };
    uint32_t is = 0, should;

    DOCA_PRIV_COPY(&should, wanted, sizeof(should));
    if (doca_unlikely(task == NULL || !DOCA_PRIV_IS_OPEN(task)))
        return false;
    DOCA_PRIV_COPY(&is, task, DOCA_PRIV_TASK_WORD);
    return is == should;
}

/* True when a task that begins like a DMA task has both buffers. The pointers are copied bytewise
 * because the task may have another type, and strict aliasing forbids to read it as a DMA task. */
DOCA_PRIV_HOT bool doca_priv_task_has_bufs(const struct doca_task *task)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    const struct doca_buf *src, *dst;

    /* analyzer: bugprone-sizeof-expression: the sizes of pointers are intended */
    DOCA_PRIV_COPY(&src, &t->src, sizeof(src));
    DOCA_PRIV_COPY(&dst, &t->dst, sizeof(dst));
    return src != NULL && dst != NULL;
}

DOCA_PRIV_HOT void doca_priv_queue_append(struct doca_core_queue *queue, struct doca_task *task)
{
    task->next = NULL;
#ifdef __clang__ /* select one of two addresses: a branch has a longer critical path */
    {
        uintptr_t end = (uintptr_t)queue->last + offsetof(struct doca_task, next);

        DOCA_PRIV_IN_REGISTER(end);
        if (queue->first == NULL)
            end = (uintptr_t)&queue->first;
        *(struct doca_task **)end = task;
    }
#else
    if (queue->first == NULL)
        queue->first = task;
    else
        queue->last->next = task;
#endif
    queue->last = task;
}

#if DOCA_CORE_TRACE
DOCA_CORE_DECL void doca_priv_task_trace_submit(const struct doca_task *task, doca_error_t rc);
#endif

/* Post a task to the queue of its context. On failure, the caller resets the state of the task. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_post(struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;
    doca_error_t rc;

    DOCA_PRIV_TRACED(doca_priv_task_trace_submit(task, DOCA_SUCCESS);)
    doca_priv_task_set_state(task, DOCA_PRIV_TASK_SUBMITTED);
    if (doca_likely(ctx->post == NULL)) {
        if (doca_unlikely(!doca_priv_task_has_bufs(task))) {
            DOCA_PRIV_TRACED(doca_priv_task_trace_submit(task, DOCA_ERROR_INVALID_VALUE);)
            return DOCA_ERROR_INVALID_VALUE;
        }
        ctx->num_inflight++;
        doca_priv_queue_append(ctx->queue, task);
        return DOCA_SUCCESS;
    }
    ctx->num_inflight++;
    rc = ctx->post(ctx->queue, task);
    if (doca_unlikely(rc != DOCA_SUCCESS)) {
        DOCA_PRIV_TRACED(doca_priv_task_trace_submit(task, rc);)
        ctx->num_inflight--;
    }
    return rc;
}

/* Post a task with permission to defer it. AGAIN: the queue cannot defer tasks. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_hold(struct doca_task *task, struct doca_ctx *ctx)
{
    doca_error_t rc;

    DOCA_PRIV_TRACED(doca_priv_task_trace_submit(task, DOCA_SUCCESS);)
    doca_priv_task_set_state(task, DOCA_PRIV_TASK_SUBMITTED);
    ctx->num_inflight++;
    task->more = DOCA_CORE_MORE_LATER;
    rc = ctx->queue->post(ctx->queue, task);
    task->more = DOCA_CORE_MORE_NONE;
    if (doca_unlikely(rc != DOCA_SUCCESS)) {
        DOCA_PRIV_TRACED(doca_priv_task_trace_submit(task, rc);)
        ctx->num_inflight--;
        doca_priv_task_set_state(task, DOCA_PRIV_TASK_OWNED);
    }
    return rc;
}

/* Handle the rare cases of a submit. `rc` is SUCCESS if the task was not posted yet; otherwise it
 * is the error with which the queue rejected the task. */
DOCA_CORE_DECL doca_error_t doca_priv_task_submit_other(struct doca_task *task, uint32_t flags,
                                                        doca_error_t rc, const char *function);

DOCA_PRIV_HOT doca_error_t doca_priv_task_submit(struct doca_task *task, uint32_t flags,
                                                 const char *function)
{
    DOCA_PRIV_OPEN(task)
    doca_error_t rc = DOCA_SUCCESS;

    if (DOCA_CORE_CHECK < 2 &&
        doca_likely((flags & ~(uint32_t)DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS) ==
                    DOCA_TASK_SUBMIT_FLAG_FLUSH) &&
        doca_likely(doca_priv_task_is_owned(task))) {
        rc = doca_priv_task_post(task);
        if (doca_likely(rc == DOCA_SUCCESS))
            return rc;
    } else if (DOCA_CORE_CHECK < 2 &&
               (flags & ~(uint32_t)DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS) == 0 &&
               doca_priv_task_is_owned(task) && task->ctx->can_hold) {
        rc = doca_priv_task_hold(task, task->ctx);
        if (doca_likely(rc == DOCA_SUCCESS))
            return DOCA_SUCCESS;
        return doca_priv_task_submit_other(task, flags, rc, function);
    }
    return doca_priv_task_submit_other(task, flags, rc, function);
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_task_submit(struct doca_task *task)
{
    return doca_priv_task_submit(task, DOCA_TASK_SUBMIT_FLAG_FLUSH, "doca_task_submit");
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_task_submit_ex(struct doca_task *task, uint32_t flags)
{
    return doca_priv_task_submit(task, flags, "doca_task_submit_ex");
}

DOCA_CORE_DECL void doca_priv_task_free_other(struct doca_task *task);

DOCA_PRIV_HOT void doca_priv_task_put(struct doca_task *task)
{
    /* The offset of free_tasks is added by the load and the store. An address that is computed from
     * a base, an index and an offset at once takes three cycles on Intel CPUs before Ice Lake. */
    uintptr_t base = (uintptr_t)task->ctx + task->type * sizeof(struct doca_task *);
    struct doca_task **stock;

    DOCA_PRIV_IN_REGISTER(base);
    stock = (struct doca_task **)(base + offsetof(struct doca_ctx, free_tasks));
    doca_priv_task_set_state(task, DOCA_PRIV_TASK_FREE);
#if DOCA_CORE_CHECK >= 2
    (void)stock;
    doca_priv_check_bury_task(task);
#else
    task->next = *stock;
    *stock = task;
#endif
}

DOCA_PRIV_HOT void doca_priv_hot_task_free(struct doca_task *task)
{
    DOCA_PRIV_OPEN(task)
    if (DOCA_CORE_CHECK < 2 && doca_likely(doca_priv_task_is_owned(task) &&
                                           task->ctx->obj.state == DOCA_CTX_STATE_RUNNING))
        doca_priv_task_put(task);
    else
        doca_priv_task_free_other(task);
}

DOCA_PRIV_HOT bool doca_priv_is_task(const struct doca_task *task)
{
    return task != NULL && DOCA_PRIV_IS_OPEN(task) &&
           (DOCA_CORE_CHECK == 0 || task->kind == DOCA_PRIV_KIND_TASK);
}

DOCA_CORE_DECL doca_error_t doca_priv_task_refuse(const struct doca_task *task,
                                                  const char *function);

/* Check for getters that `handle` is a task that can be read. */
DOCA_PRIV_HOT bool doca_priv_task_reads(const void *handle, const char *function)
{
    const struct doca_task *task = (const struct doca_task *)handle;

    (void)function;
    if (doca_unlikely(!doca_priv_is_task(task))) {
        DOCA_PRIV_CHECKED((void)doca_priv_task_refuse(task, function);)
        return false;
    }
    DOCA_PRIV_CHECKED(doca_priv_check_read_task(task, function);)
    return true;
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_task_get_status(const struct doca_task *task)
{
    DOCA_PRIV_OPEN(task)
    if (doca_unlikely(!doca_priv_task_reads(task, "doca_task_get_status")))
        return DOCA_CORE_CHECK >= 2 ? DOCA_ERROR_INVALID_VALUE
                                    : doca_priv_task_refuse(task, "doca_task_get_status");
    DOCA_PRIV_CHECKED(doca_priv_check_has_ended(task, "doca_task_get_status");)
    return (doca_error_t)task->status;
}

/* Complete a task of `ctx`. The library's state must be consistent before the callback runs. */
DOCA_PRIV_HOT void doca_priv_ctx_complete(struct doca_ctx *ctx, struct doca_task *task)
{
    DOCA_PRIV_TRACED(uint32_t serial;)

    ctx->num_inflight--;
    doca_priv_task_set_state(task, DOCA_PRIV_TASK_OWNED);
    DOCA_PRIV_CHECKED(doca_priv_check_finish(task);)
    DOCA_PRIV_TRACED(serial = doca_priv_trace_callback(
                         DOCA_PRIV_TRACE_CALLBACK | (uint32_t)task->type << 8 |
                             (uint32_t)task->status << 16,
                         task, doca_priv_trace_id(ctx), ctx->pe);)
    task->done(task);
    DOCA_PRIV_TRACED(doca_priv_trace_callback_end(serial);)
}

/* is_polled: the first context was already polled and has no finished task */
DOCA_CORE_DECL uint8_t doca_priv_pe_progress_other(struct doca_pe *pe, bool is_polled);

DOCA_PRIV_HOT uint8_t doca_priv_hot_pe_progress(struct doca_pe *pe)
{
    struct doca_task *task;
    struct doca_ctx *ctx;

    DOCA_PRIV_TRACED(doca_priv_trace_end_left(pe);)
    if (DOCA_CORE_CHECK >= 2 || doca_unlikely(!doca_priv_pe_is_quiet(pe)))
        return doca_priv_pe_progress_other(pe, false);
    ctx = pe->active;
    if (ctx == NULL)
        return 0;
    task = ctx->poll(ctx->queue);
    if (doca_unlikely(task == NULL))
        return doca_priv_pe_progress_other(pe, true);
    pe->active = ctx->active_next;
    doca_priv_ctx_complete(ctx, task);
    return 1;
}

/* Allocate a task of a type. The caller has checked that there is a free task of this type. */
DOCA_PRIV_HOT struct doca_task *doca_priv_task_pop(struct doca_ctx *ctx, uint8_t type,
                                                   union doca_data user_data)
{
    const uint8_t begin[8] = { DOCA_PRIV_KIND_TASK, DOCA_PRIV_TASK_OWNED, 0, 0, 0, type, 0, 0 };
    struct doca_task *task = ctx->free_tasks[type];

    ctx->free_tasks[type] = task->next;
    DOCA_PRIV_COPY((void *)task, begin, sizeof(begin));
    task->user_data = user_data;
    return task;
}

#endif

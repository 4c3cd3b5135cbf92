/* ---- >>impl.task ---------------------------------------------------------------------------- */
#include "progress/task_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/mmap_priv.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/hot_task.h"
#include "progress/pe_priv.h"
#include "progress/stats_priv.h"

DOCA_CORE_DECL doca_error_t doca_priv_task_refuse(const struct doca_task *task,
                                                  const char *function)
{
    return doca_priv_fail_handle(task, function);
}

/* Add up the data of a list. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_task_list_bytes(const struct doca_buf *buf)
{
    uint64_t bytes = 0;

    for (; buf != NULL; buf = buf->next)
        bytes += buf->data_len;
    return bytes;
}

/* Return the bytes of the source of a task that begins like a DMA task. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_task_src_bytes(const struct doca_task *task)
{
    return doca_priv_task_list_bytes(
        ((const struct doca_dma_task_memcpy *)(const void *)task)->src);
}

#if DOCA_CORE_TRACE
/* Record that a task was submitted or, if `rc` is an error, that its queue rejected the task. */
DOCA_CORE_DECL void doca_priv_task_trace_submit(const struct doca_task *task, doca_error_t rc)
{
    const uint8_t kind = task->ctx->obj.kind;
    uint64_t bytes = 0;

    if ((kind == DOCA_PRIV_KIND_DMA || kind == DOCA_PRIV_KIND_SHA) && rc == DOCA_SUCCESS)
        bytes = doca_priv_task_src_bytes(task);
    doca_priv_trace((rc == DOCA_SUCCESS ? DOCA_PRIV_TRACE_SUBMIT : DOCA_PRIV_TRACE_RETURNED) |
                        (uint32_t)task->type << 8 | (uint32_t)rc << 16,
                    task, bytes, doca_priv_trace_id(task->ctx));
}
#endif

DOCA_PRIV_DECL struct doca_priv_task_stock *doca_priv_ctx_stocks(const struct doca_ctx *ctx)
{
    return (struct doca_priv_task_stock *)((uintptr_t)ctx + sizeof(*ctx));
}

/* Called for a buffer that failed the quick check in doca_priv_task_measure(). Returns the error,
 * with the reason in *item; or DOCA_SUCCESS if the buffer is valid and merely not addressable
 * directly (imported, dmabuf or device memory). */
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_task_explain(const struct doca_buf *buf,
                                                                  const struct doca_dev *dev,
                                                                  bool is_destination,
                                                                  enum doca_core_item *item)
{
    *item = DOCA_CORE_ITEM_TASK_RETURNED;
    if (buf->flags == 0)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_TASK_NOT_MAPPED;
    if ((buf->mmap->dev_mask & dev->bit) == 0 && !doca_priv_mmap_is_indirect(buf->mmap, dev))
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_TASK_READ_ONLY;
    if (is_destination && (buf->flags & DOCA_PRIV_BUF_WRITE) == 0)
        return DOCA_ERROR_NOT_PERMITTED;
    *item = DOCA_CORE_ITEM_TASK_WRITE_ONLY;
    if (!is_destination &&
        (buf->mmap->is_write_only || (buf->mmap->far != NULL && !buf->mmap->far->may_read)))
        return DOCA_ERROR_NOT_PERMITTED;
    *item = DOCA_CORE_ITEM_TASK_RDMA_ONLY;
    if (buf->mmap->is_rdma_only)
        return DOCA_ERROR_NOT_PERMITTED;
    return DOCA_SUCCESS;
}

/* Return the limit that a task which writes `bytes` exceeds, or ITEM_NONE. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED enum doca_core_item
doca_priv_task_excess(const struct doca_priv_task_list *src, const struct doca_priv_task_list *dst,
                      uint64_t bytes, uint64_t max_bytes, uint32_t max_num)
{
    if (src->bytes > max_bytes || src->bytes == UINT64_MAX)
        return DOCA_CORE_ITEM_TASK_TOO_LARGE;
    if (bytes > dst->bytes)
        return DOCA_CORE_ITEM_TASK_NO_ROOM;
    if (src->num > max_num || dst->num > max_num)
        return DOCA_CORE_ITEM_TASK_LIST_TOO_LONG;
    return DOCA_CORE_ITEM_NONE;
}

/* Convert an error code of a backend to the 8 bits of a task's status. A code that does not fit
 * becomes UNKNOWN. */
DOCA_PRIV_DECL uint8_t doca_priv_task_status(doca_error_t rc)
{
    uint32_t code = (uint32_t)rc;

    return (uint8_t)(code <= UINT8_MAX ? code : (uint32_t)DOCA_ERROR_UNKNOWN);
}

/* Choose the log item for the error with which a queue rejected a task. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_task_refusal(doca_error_t rc)
{
    return rc == DOCA_ERROR_AGAIN           ? DOCA_CORE_ITEM_QUEUE_FULL
           : rc == DOCA_ERROR_INVALID_VALUE ? DOCA_CORE_ITEM_TASK_NO_BUFFER
                                            : DOCA_CORE_ITEM_BACKEND_REFUSED;
}

/* Choose the log item for the error with which a queue rejected `task`. If the queue does not
 * support tasks of this type, the engine may know the reason. */
static enum doca_core_item doca_priv_task_reason(const struct doca_task *task, doca_error_t rc)
{
    const struct doca_priv_engine *engine = task->ctx->engine;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    return rc == DOCA_ERROR_NOT_SUPPORTED && engine != NULL && engine->check(task, &item) == rc &&
                   item != DOCA_CORE_ITEM_NONE
               ? item
               : doca_priv_task_refusal(rc);
}

static doca_error_t doca_priv_task_post_other(struct doca_core_queue *queue,
                                              struct doca_task *task);

/* Select the slow submit path of a context: ctx->post becomes doca_priv_task_post_other(). That
 * path calls doca_priv_ctx_use_fast_submit() when the fast path is sufficient again; this is not so
 * while the notification of the context's PE is armed. */
DOCA_PRIV_DECL void doca_priv_ctx_use_slow_submit(struct doca_ctx *ctx)
{
    ctx->post = doca_priv_task_post_other;
    ctx->can_hold = false;
}

static void doca_priv_ctx_use_fast_submit(struct doca_ctx *ctx)
{
    if (!ctx->pe->is_armed) {
        ctx->post = ctx->queue->post != doca_core_queue_append ? ctx->queue->post : NULL;
        ctx->can_hold = ctx->backend->queue_ring != NULL;
    }
}

/* The slow path of post. It serves a context that is not running, has deferred tasks to post first,
 * is not in the ring, or whose PE may have to be signalled. */
static doca_error_t doca_priv_task_post_other(struct doca_core_queue *queue, struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;
    doca_error_t rc;

    (void)queue;
    if (ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;
    if (ctx->deferred != NULL)
        doca_priv_ctx_post_deferred(ctx, true);
    rc = ctx->deferred == NULL ? ctx->queue->post(ctx->queue, task) : DOCA_ERROR_AGAIN;
    if (rc == DOCA_SUCCESS) {
        doca_priv_pe_activate(ctx);
        doca_priv_ctx_use_fast_submit(ctx);
    }
    return rc;
}

DOCA_PRIV_DECL struct doca_task *doca_priv_ctx_poll_none(struct doca_core_queue *queue)
{
    (void)queue;
    return NULL;
}

/* Defer a task of a running context until a flush. */
DOCA_PRIV_DECL void doca_priv_task_keep(struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;

    DOCA_PRIV_TRACED(doca_priv_task_trace_submit(task, DOCA_SUCCESS);)
    DOCA_PRIV_CHECKED(doca_priv_check_begin(task);)
    task->state = DOCA_PRIV_TASK_SUBMITTED;
    task->next = NULL;
    if (ctx->deferred == NULL)
        ctx->deferred = task;
    else
        ctx->kept_last->next = task;
    ctx->kept_last = task;
    ctx->num_inflight++;
    doca_priv_ctx_use_slow_submit(ctx);
    doca_priv_pe_activate(ctx);
}

/* Submit a task without notifying the device: post it as a deferred task if the queue supports
 * that, otherwise defer it in the context. */
DOCA_PRIV_DECL doca_error_t doca_priv_task_put_by(struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;
    doca_error_t rc;

    if (!ctx->engine->is_complete(task))
        return DOCA_ERROR_INVALID_VALUE;
    if (ctx->deferred == NULL && ctx->backend->queue_ring != NULL && !ctx->pe->is_armed) {
        rc = doca_priv_task_hold(task, ctx);
        if (rc == DOCA_SUCCESS) {
            DOCA_PRIV_CHECKED(doca_priv_check_begin(task);)
            doca_priv_pe_activate(ctx);
            doca_priv_ctx_use_fast_submit(ctx);
        }
        if (rc != DOCA_ERROR_AGAIN) /* AGAIN: the queue cannot defer tasks */
            return rc;
    }
    doca_priv_task_keep(task);
    return DOCA_SUCCESS;
}

/* Submit a task that was not posted yet. `checked`: with all checks of try_submit. */
static doca_error_t doca_priv_task_begin(struct doca_task *task, bool checked, bool flushes,
                                         const char *function)
{
    DOCA_PRIV_ENTER(doca_priv_is_task(task) ? task->ctx : NULL, function)
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_ctx *ctx;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is_task(task))
        return doca_priv_task_refuse(task, function);
    ctx = task->ctx;
    if (task->state != DOCA_PRIV_TASK_OWNED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_TASK_NOT_OWNED, function, task);
    if (ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, ctx);
    rc = checked ? doca_priv_task_examine(task, &item) : DOCA_SUCCESS;
    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, item, function, task);
    rc = flushes ? doca_priv_task_post(task) : doca_priv_task_put_by(task);
    DOCA_PRIV_CHECKED(if (flushes && rc == DOCA_SUCCESS) doca_priv_check_begin(task);)
    if (rc != DOCA_SUCCESS) {
        task->state = DOCA_PRIV_TASK_OWNED;
        return doca_priv_fail(rc, doca_priv_task_reason(task, rc), function, task);
    }
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_task_submit_other(struct doca_task *task, uint32_t flags,
                                                        doca_error_t rc, const char *function)
{
    const uint32_t known = DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS;

    if (rc == DOCA_ERROR_AGAIN && (flags & DOCA_TASK_SUBMIT_FLAG_FLUSH) == 0)
        rc = DOCA_SUCCESS; /* the queue cannot defer the task, so the context defers it */
    if (rc == DOCA_SUCCESS && flags > known && doca_priv_is_task(task))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_TASK_FLAGS, function, task);
    if (rc == DOCA_SUCCESS)
        return doca_priv_task_begin(task, DOCA_CORE_CHECK >= 2,
                                    (flags & DOCA_TASK_SUBMIT_FLAG_FLUSH) != 0, function);
    task->state = DOCA_PRIV_TASK_OWNED;
    if (task->ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return doca_priv_fail(rc, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, task->ctx);
    return doca_priv_fail(rc, doca_priv_task_reason(task, rc), function, task);
}

DOCA_CORE_DECL doca_error_t doca_task_submit(struct doca_task *task)
{
    return doca_priv_hot_task_submit(task);
}

DOCA_CORE_DECL doca_error_t doca_task_try_submit(struct doca_task *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_begin(task, true, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags)
{
    return doca_priv_hot_task_submit_ex(task, flags);
}

/* Count one task or batch less that keeps a stopping context from becoming IDLE. */
DOCA_PRIV_DECL void doca_priv_ctx_count_returned(struct doca_ctx *ctx)
{
    if (ctx->obj.state == DOCA_CTX_STATE_STOPPING && --ctx->num_out == 0)
        doca_priv_pe_activate(ctx);
}

DOCA_CORE_DECL void doca_priv_task_free_other(struct doca_task *task)
{
    /* analyzer: nullPointerRedundantCheck: doca_priv_is_task() is false for NULL */
    DOCA_PRIV_ENTER(doca_priv_is_task(task) ? task->ctx : NULL, "doca_task_free")
    struct doca_ctx *ctx;

    DOCA_PRIV_ALONE(return)
    if (task == NULL)
        return;
    if (!doca_priv_is_task(task)) {
        (void)doca_priv_task_refuse(task, "doca_task_free");
        return;
    }
    ctx = task->ctx;
    if (task->state == DOCA_PRIV_TASK_SUBMITTED && ctx->engine->withdraw != NULL &&
        ctx->engine->withdraw(task)) {
        DOCA_PRIV_WITH_STATS(if (ctx->stats != 0) doca_priv_stats_count_withdrawn(ctx);)
        return;
    }
    if (task->state != DOCA_PRIV_TASK_OWNED) {
        (void)doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_TASK_NOT_OWNED, "doca_task_free",
                             task);
        return;
    }
    doca_priv_task_put(task);
    doca_priv_ctx_count_returned(ctx);
}

DOCA_CORE_DECL void doca_task_free(struct doca_task *task)
{
    doca_priv_hot_task_free(task);
}

DOCA_CORE_DECL doca_error_t doca_task_get_status(const struct doca_task *task)
{
    return doca_priv_hot_task_get_status(task);
}

/* Return the address of the task's user data. While a graph runs the task, the graph holds it. */
static union doca_data *doca_priv_task_user_data(struct doca_task *task)
{
    DOCA_PRIV_WITH_GRAPH(if (doca_unlikely(task->done == doca_priv_graph_task_done))
                             return doca_priv_graph_user_data(task);)
    return &task->user_data;
}

DOCA_CORE_DECL void doca_task_set_user_data(struct doca_task *task, union doca_data user_data)
{
    DOCA_PRIV_OPEN(task)
    if (!doca_priv_is_task(task))
        (void)DOCA_PRIV_FAIL_HANDLE(task);
    else if (task->state == DOCA_PRIV_TASK_FREE)
        (void)DOCA_PRIV_FAIL(BAD_STATE, TASK_NOT_OWNED, task);
    else {
        DOCA_PRIV_CHECKED(doca_priv_check_has_ended(task, __func__);)
        *doca_priv_task_user_data(task) = user_data;
    }
}

DOCA_CORE_DECL union doca_data doca_task_get_user_data(const struct doca_task *task)
{
    DOCA_PRIV_OPEN(task)
    union doca_data none;

    if (doca_priv_task_reads(task, __func__))
        return *doca_priv_task_user_data((struct doca_task *)(uintptr_t)task);
    if (DOCA_CORE_CHECK < 2)
        (void)DOCA_PRIV_FAIL_HANDLE(task);
    none.u64 = 0;
    return none;
}

DOCA_CORE_DECL struct doca_ctx *doca_task_get_ctx(const struct doca_task *task)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_reads(task, __func__))
        return (struct doca_ctx *)DOCA_PRIV_HANDLE(task->ctx);
    if (DOCA_CORE_CHECK < 2)
        (void)DOCA_PRIV_FAIL_HANDLE(task);
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_queue_append(struct doca_core_queue *queue,
                                                   struct doca_task *task)
{
    DOCA_PRIV_OPEN(task)
    if (doca_unlikely(!doca_priv_task_has_bufs(task)))
        return DOCA_ERROR_INVALID_VALUE;
    doca_priv_queue_append(queue, task);
    return DOCA_SUCCESS;
}

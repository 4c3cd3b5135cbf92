/* ---- >>priv.task -----------------------------------------------------------------------------
 * Declarations of >>impl.task for other parts.                                                  */
#ifndef DOCA_SRC_PROGRESS_TASK_PRIV_H
#define DOCA_SRC_PROGRESS_TASK_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "progress/ctx.h"
#include "progress/hot_task.h"
#include "progress/task.h"

struct doca_core_limits;
struct doca_priv_task_stock;

/* The part of a context type above the backend: properties and functions of its tasks. */
struct doca_priv_engine {
    enum doca_core_engine id;
    bool error_stops; /* a failed task stops the context */
    bool (*is_supported)(const struct doca_core_limits *limits);

    /* Check a task as try_submit does. Returns SUCCESS, or an error with the reason in *item. */
    doca_error_t (*check)(const struct doca_task *task, enum doca_core_item *item);

    /* True when the task has everything that a queue requires when the task is posted. */
    bool (*is_complete)(const struct doca_task *task);

    /* Complete the work of a finished task before its callback runs. Also called if the callback is
     * skipped. */
    void (*settle)(struct doca_task *task);

    /* Open ctx->queue. The memory of the queue is filled with zeros. Returns SUCCESS, IN_PROGRESS,
     * or an error that was logged. */
    doca_error_t (*open)(struct doca_ctx *ctx, uint32_t num_tasks, const char *function);

    /* For contexts that report events, such as received messages; NULL for other contexts. The core
     * polls such a context while it is RUNNING or STOPPING, even when no task is in flight, and
     * lets it start without tasks. poll returns each event as a task, which it has counted in
     * num_inflight; the `done` function of this task calls the program.
     * begin_stop: called when the context enters STOPPING. A stop always goes through STOPPING.
     * can_stop: true when a STOPPING context without tasks may become IDLE. */
    void (*begin_stop)(struct doca_ctx *ctx);
    bool (*can_stop)(struct doca_ctx *ctx);

    /* Called when the program frees a task in flight. Returns true if the context releases the
     * task; the core then returns it to the free tasks, and no callback runs. NULL: the core
     * refuses to free a task in flight. */
    bool (*withdraw)(struct doca_task *task);

    /* Return the bytes that a task with the status SUCCESS has read or written, for statistics.
     * NULL stands for 0 bytes. */
    uint64_t (*bytes)(const struct doca_task *task);
};

#define DOCA_PRIV_ENGINE_NONE ((enum doca_core_engine)0) /* for contexts whose backend has a single
                                                          * engine */

struct doca_priv_task_list {
    uint32_t num;
    bool is_far;    /* part of the memory is not addressable by the CPU */
    uint64_t bytes; /* content of a source, or room of a destination; UINT64_MAX on overflow */
    const struct doca_buf *last;
};

DOCA_PRIV_DECL struct doca_priv_task_stock *doca_priv_ctx_stocks(const struct doca_ctx *ctx);
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_task_explain(const struct doca_buf *buf,
                                                                  const struct doca_dev *dev,
                                                                  bool is_destination,
                                                                  enum doca_core_item *item);
DOCA_PRIV_DECL DOCA_CORE_UNUSED enum doca_core_item
doca_priv_task_excess(const struct doca_priv_task_list *src, const struct doca_priv_task_list *dst,
                      uint64_t bytes, uint64_t max_bytes, uint32_t max_num);
DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_task_src_bytes(const struct doca_task *task);
DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_task_list_bytes(const struct doca_buf *buf);
DOCA_PRIV_DECL uint8_t doca_priv_task_status(doca_error_t rc);
DOCA_PRIV_DECL enum doca_core_item doca_priv_task_refusal(doca_error_t rc);
DOCA_PRIV_DECL void doca_priv_ctx_use_slow_submit(struct doca_ctx *ctx);
DOCA_PRIV_DECL struct doca_task *doca_priv_ctx_poll_none(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_task_keep(struct doca_task *task);
DOCA_PRIV_DECL doca_error_t doca_priv_task_put_by(struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_ctx_count_returned(struct doca_ctx *ctx);
#if !defined(DOCA_CORE_NO_GRAPH)
DOCA_PRIV_DECL union doca_data *doca_priv_graph_user_data(const struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_graph_task_done(struct doca_task *task);
#endif

/* True when the type of the task has the completion function `done`. task->done is a different
 * function while a batch or a graph runs the task. */
DOCA_PRIV_HOT bool doca_priv_task_is_of(const struct doca_task *task,
                                        void (*done)(struct doca_task *task))
{
    return doca_likely(task->done == done) ||
           doca_priv_ctx_stocks(task->ctx)[task->type].done == done;
}

/* Check for getters that `handle` is a readable task of this type. */
DOCA_PRIV_HOT bool doca_priv_task_reads_as(const void *handle,
                                           void (*done)(struct doca_task *task),
                                           const char *function)
{
    return doca_priv_task_reads(handle, function) &&
           (DOCA_CORE_CHECK == 0 || doca_priv_task_is_of((const struct doca_task *)handle, done));
}

/* Check that the program may change the task: the task is of the type with this `done`, not free
 * and not in flight. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_check(const void *handle,
                                                void (*done)(struct doca_task *task),
                                                const char *function)
{
    const struct doca_task *task = (const struct doca_task *)handle;

    if (doca_unlikely(!doca_priv_is_task(task)))
        return doca_priv_task_refuse(task, function);
    if (DOCA_CORE_CHECK >= 1 && !doca_priv_task_is_of(task, done))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_DEAD_HANDLE, function, task);
    if (doca_unlikely(task->state != DOCA_PRIV_TASK_OWNED) && task->state != DOCA_PRIV_TASK_HELD)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_TASK_NOT_OWNED, function, task);
    return DOCA_SUCCESS;
}

/* Count the elements and bytes of a list, and check that `dev` can access each element. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_measure(const struct doca_buf *buf,
                                                  const struct doca_dev *dev, bool is_destination,
                                                  struct doca_priv_task_list *list,
                                                  enum doca_core_item *item)
{
    const unsigned needed = is_destination ? DOCA_PRIV_BUF_WRITE : 0xff; /* the buffer must have one
                                                                          * of these flags */
    doca_error_t rc;
    size_t here;

    list->num = 0;
    list->is_far = false;
    list->bytes = 0;
    for (; buf != NULL; buf = buf->next) {
        /* stop at a released buffer: its link leads into the free list */
        if (doca_unlikely((buf->flags & needed) == 0 || (buf->mmap->dev_mask & dev->bit) == 0)) {
            rc = doca_priv_task_explain(buf, dev, is_destination, item);
            if (rc != DOCA_SUCCESS)
                return rc;
            list->is_far = true;
        }
        here = is_destination ? doca_priv_buf_tailroom(buf) : buf->data_len;
        list->num++;
        list->bytes = here > UINT64_MAX - list->bytes ? UINT64_MAX : list->bytes + here;
        list->last = buf;
    }
    return DOCA_SUCCESS;
}

/* Measure source and destination, and make the checks that are common to all engines. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_lists(const struct doca_buf *src_buf,
                                                const struct doca_buf *dst_buf,
                                                const struct doca_dev *dev,
                                                struct doca_priv_task_list *src,
                                                struct doca_priv_task_list *dst,
                                                enum doca_core_item *item)
{
    doca_error_t rc;

    if (!doca_priv_is_buf(src_buf) || !doca_priv_is_buf(dst_buf)) {
        *item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
        return DOCA_ERROR_INVALID_VALUE;
    }
    rc = doca_priv_task_measure(src_buf, dev, false, src, item);
    return rc != DOCA_SUCCESS ? rc : doca_priv_task_measure(dst_buf, dev, true, dst, item);
}

/* True when the core polls the context even when no task is in flight, because the context reports
 * events. The context of a graph has no engine. */
DOCA_PRIV_HOT bool doca_priv_ctx_has_events(const struct doca_ctx *ctx)
{
    return ctx->engine != NULL && ctx->engine->can_stop != NULL && ctx->queue != NULL;
}

DOCA_PRIV_HOT bool doca_priv_ctx_has_task(const struct doca_ctx *ctx, unsigned type)
{
#if DOCA_CORE_CHECK >= 2
    return ctx->num_free[type] > 0;
#else
    return ctx->free_tasks[type] != NULL;
#endif
}

/* Allocate a task of this type from the free tasks of the context. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_take(struct doca_ctx *ctx, unsigned type,
                                               struct doca_task **task, const char *function)
{
    DOCA_PRIV_ENTER(ctx, function)
    struct doca_task *t;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (doca_unlikely(ctx->obj.state != DOCA_CTX_STATE_RUNNING))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, ctx);
    if (doca_unlikely(!doca_priv_ctx_has_task(ctx, type)))
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_TASK_POOL_EMPTY, function, ctx);
    DOCA_PRIV_CHECKED(ctx->num_free[type]--;)
    t = ctx->free_tasks[type];
    ctx->free_tasks[type] = t->next;
    doca_priv_task_set_state(t, DOCA_PRIV_TASK_OWNED);
    t->status = DOCA_SUCCESS;
    *task = t;
    DOCA_PRIV_CHECKED(t->life = (uint16_t)doca_priv_check_note(t, DOCA_PRIV_NOTE_TAKEN);)
    return DOCA_SUCCESS;
}

/* Check whether the device would reject the task. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_examine(const struct doca_task *task,
                                                  enum doca_core_item *item)
{
    DOCA_PRIV_CHECKED(if (doca_priv_check_has_ring(task)) {
        *item = DOCA_CORE_ITEM_BUF_BROKEN;
        return DOCA_ERROR_UNEXPECTED;
    })
    DOCA_PRIV_CHECKED(if (doca_priv_check_find_other(task) != NULL) {
        *item = DOCA_CORE_ITEM_TASK_RETURNED;
        return DOCA_ERROR_INVALID_VALUE;
    })
    return task->ctx->engine->check(task, item);
}

#endif

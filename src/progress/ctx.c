/* ---- >>impl.ctx -----------------------------------------------------------------------------
 * Invariants:
 * - `queue` is NULL exactly in IDLE.
 * - A context with tasks in flight, with state changes to report, or on its way to RUNNING or IDLE
 *   is in the ring of active contexts of its PE; so is each context that reports events (Comch,
 *   RDMA) while it is not idle. Other contexts are removed from the ring at the next
 *   doca_pe_progress().
 * - `attention` is set exactly while progress must do more than poll the queue. This includes the
 *   time while a counted context (>>stats) is not idle.
 * - `deferred` holds deferred tasks (submitted without FLUSH and not posted).
 * - `post` is the queue's function only while a submit has nothing else to do. The submit that
 *   finishes all other work selects it (doca_priv_ctx_use_fast_submit()).                       */
#include "progress/ctx_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "device/devinfo_priv.h"
#include "progress/batch.h"
#include "progress/hot_task.h"
#include "progress/pe.h"
#include "progress/pe_priv.h"
#include "progress/stats_priv.h"
#include "progress/task.h"
#include "progress/task_priv.h"

DOCA_PRIV_DECL bool doca_priv_is_ctx(const struct doca_ctx *ctx)
{
    return doca_priv_is_between(ctx, DOCA_PRIV_KIND_DMA, DOCA_PRIV_KIND_SYNC_EVENT);
}

/* Check the arguments of a call with a context of any type and one pointer. */
DOCA_PRIV_DECL doca_error_t doca_priv_ctx_check(const struct doca_ctx *ctx, const void *pointer,
                                                const char *function)
{
    uint8_t kind = doca_priv_is_ctx(ctx) ? ctx->obj.kind : (uint8_t)DOCA_PRIV_KIND_DMA;

    return doca_priv_check_args(ctx, kind, pointer, function);
}

/* Check that a context is idle and may be configured; otherwise fail with `code`. */
DOCA_PRIV_DECL doca_error_t doca_priv_ctx_change(const struct doca_ctx *ctx, doca_error_t code,
                                                 const char *function)
{
    return ctx->obj.state == DOCA_CTX_STATE_IDLE
               ? DOCA_SUCCESS
               : doca_priv_fail(code, DOCA_CORE_ITEM_CTX_NOT_IDLE, function, ctx);
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_ctx_init(struct doca_ctx *ctx, uint8_t kind,
                                                        const struct doca_priv_engine *engine,
                                                        const struct doca_core_backend *backend,
                                                        struct doca_core_arena *arena,
                                                        struct doca_dev *dev, uint8_t num_stocks)
{
    doca_priv_object_init(&ctx->obj, kind);
    ctx->engine = engine;
    ctx->backend = backend;
    ctx->arena = arena;
    ctx->dev = dev;
    ctx->num_stocks = num_stocks;
    ctx->serial = doca_priv_serial();
    if (dev != NULL)
        doca_priv_dev_hold(dev);
}

DOCA_PRIV_DECL size_t doca_priv_batch_bytes(uint32_t max_tasks)
{
    return doca_priv_round_up(sizeof(struct doca_task_batch) +
                              max_tasks * sizeof(struct doca_task *));
}

static void doca_priv_batch_stock_up(struct doca_ctx *ctx, unsigned char *slot)
{
    struct doca_priv_batch_stock *stock = &ctx->batches;
    struct doca_task_batch **link = &stock->free_batches, *batch;
    uint32_t i;

    stock->first = slot;
    for (i = 0; i < stock->num; i++, slot += doca_priv_batch_bytes(stock->max_tasks)) {
        batch = (struct doca_task_batch *)(void *)slot;
        /* analyzer: core.NonNullParamChecker,analyzer-null-argument: the arena returned a block */
        DOCA_CORE_MEMSET(batch, 0, sizeof(*batch));
        doca_priv_object_init(&batch->obj, DOCA_PRIV_KIND_BATCH);
        batch->ctx = ctx;
        *link = batch;
        link = &batch->next;
    }
}

/* Invalidate the handles of all batches. All batches must be free. */
static void doca_priv_batch_stock_end(struct doca_ctx *ctx)
{
    struct doca_task_batch *batch;

    for (batch = ctx->batches.free_batches; batch != NULL; batch = batch->next)
        doca_priv_object_end(&batch->obj);
    ctx->batches.free_batches = NULL;
}

/* Allocate the block of a started context: the queue, the tasks of each type, then the batches. */
static doca_error_t doca_priv_ctx_carve(struct doca_core_arena *arena, const struct doca_ctx *ctx,
                                        unsigned char **queue, unsigned char **tasks,
                                        const char *function)
{
    const struct doca_priv_task_stock *stocks = doca_priv_ctx_stocks(ctx);
    uint32_t num_tasks = 0, i;
    size_t bytes, queue_bytes;
    void *block = NULL;
    doca_error_t rc;

    for (i = 0; i < ctx->num_stocks; i++)
        num_tasks += stocks[i].num;
    queue_bytes = ctx->backend->queue_bytes(ctx->dev, ctx->engine->id, num_tasks);
    if (queue_bytes < sizeof(struct doca_core_queue))
        return doca_priv_fail(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_BACKEND_QUEUE, function,
                              ctx);
    queue_bytes = doca_priv_round_up(doca_priv_fault_bytes(ctx, num_tasks, queue_bytes));
    bytes = doca_priv_size(ctx->batches.num, doca_priv_batch_bytes(ctx->batches.max_tasks),
                           queue_bytes);
    for (i = 0; i < ctx->num_stocks; i++)
        bytes = doca_priv_stock_size(stocks[i].num, stocks[i].task_bytes, bytes);
    rc = doca_priv_arena_take(arena, bytes, &block, function);
    if (rc == DOCA_SUCCESS && block != NULL) {
        *queue = (unsigned char *)block;
        *tasks = *queue + queue_bytes;
        DOCA_CORE_MEMSET(block, 0, queue_bytes);
    }
    return rc;
}

/* Compute the arena bytes of a context like `model`: an object of `object_bytes`, and the block
 * that start allocates. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_ctx_bytes(const struct doca_ctx *model,
                                                                 size_t object_bytes, size_t *bytes,
                                                                 const char *function)
{
    struct doca_core_arena count;
    unsigned char *queue, *tasks;
    doca_error_t rc;
    void *block;

    doca_priv_arena_clear(&count);
    rc = doca_priv_object_take(&count, object_bytes, &block, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_ctx_carve(&count, model, &queue, &tasks, function);
    return doca_priv_counted(&count, rc, bytes, function);
}

/* Create the free tasks and batches of a started context. */
static void doca_priv_ctx_stock_up(struct doca_ctx *ctx, unsigned char *slot)
{
    struct doca_priv_task_stock *stock;
    struct doca_task *task, **link;
    uint32_t i;
    size_t n;

    for (i = 0; i < ctx->num_stocks; i++) {
        stock = &doca_priv_ctx_stocks(ctx)[i];
        link = &ctx->free_tasks[i];
        DOCA_PRIV_CHECKED(ctx->num_free[i] = stock->num;)
        for (n = 0; n < DOCA_PRIV_STOCKED(stock->num); n++, slot += stock->task_bytes) {
            /* analyzer: core.NonNullParamChecker,analyzer-null-argument: the block exists */
            DOCA_CORE_MEMSET(slot, 0, stock->task_bytes);
            task = (struct doca_task *)(void *)slot;
            task->kind = DOCA_PRIV_KIND_TASK;
            task->type = (uint8_t)i;
            task->ctx = ctx;
            task->done = stock->done;
            *link = task;
            link = &task->next;
            DOCA_PRIV_CHECKED(ctx->last_free[i] = task;)
        }
    }
    doca_priv_batch_stock_up(ctx, slot);
}

/* Update `attention` and `poll` after a change of state or events. An idle context without events
 * leaves the ring. */
static void doca_priv_ctx_settle(struct doca_ctx *ctx)
{
    ctx->attention = ctx->num_events > 0 || ctx->obj.state == DOCA_CTX_STATE_STARTING ||
                     ctx->obj.state == DOCA_CTX_STATE_STOPPING || ctx->refused != NULL ||
                     ctx->must_post ||
                     (ctx->stats != 0 && ctx->obj.state != DOCA_CTX_STATE_IDLE);
    ctx->poll = ctx->attention || ctx->queue == NULL ? doca_priv_ctx_poll_none : ctx->queue->poll;
    if (!ctx->attention && ctx->obj.state == DOCA_CTX_STATE_IDLE)
        doca_priv_pe_deactivate(ctx);
}

/* Change the state to `next`, and queue the change for the state callback. */
static void doca_priv_ctx_enter(struct doca_ctx *ctx, enum doca_ctx_states next,
                                const char *function)
{
    uint8_t *e = ctx->events;
    uint8_t prev = ctx->obj.state, n;

    ctx->obj.state = (uint8_t)next;
    DOCA_PRIV_CHECKED(doca_priv_check_note(ctx, DOCA_PRIV_NOTE_STATE + (unsigned)next);)
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_STATE | (uint32_t)ctx->obj.kind << 8 |
                                         (uint32_t)next << 16,
                                     ctx, (uintptr_t)ctx->queue, doca_priv_trace_id(ctx->pe));)
    DOCA_PRIV_WITH_STATS(doca_priv_stats_set_state(ctx);)
    doca_priv_ctx_use_slow_submit(ctx);
    if (ctx->state_cb != NULL) {
        if (ctx->num_events == DOCA_PRIV_CTX_EVENTS) { /* merge the two oldest; together they may be
                                                        * no change */
            (void)doca_priv_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_CTX_EVENTS_FOLDED, function, ctx);
            e[1] = (uint8_t)(e[0] / 4 * 4 + e[1] % 4);
            n = e[1] / 4 == e[1] % 4 ? 2 : 1;
            DOCA_CORE_MEMMOVE(e, e + n, (size_t)(DOCA_PRIV_CTX_EVENTS - n));
            ctx->num_events = (uint8_t)(ctx->num_events - n);
        }
        e[ctx->num_events++] = (uint8_t)(prev * 4 + next);
    }
    doca_priv_ctx_settle(ctx);
    if (ctx->attention || doca_priv_ctx_has_events(ctx))
        doca_priv_pe_activate(ctx);
}

/* Release the block that start allocated. All tasks are free; their handles become invalid. */
static doca_error_t doca_priv_ctx_give_block(struct doca_ctx *ctx)
{
    struct doca_core_queue *queue = ctx->queue;
    struct doca_task *task;
    uint32_t i;

    for (i = 0; DOCA_CORE_CHECK >= 1 && i < ctx->num_stocks; i++)
        for (task = ctx->free_tasks[i]; task != NULL; task = task->next)
            task->kind = 0;
    doca_priv_batch_stock_end(ctx);
    ctx->queue = NULL;
    return doca_core_arena_give(ctx->arena, queue);
}

/* Undo a start, after the queue was opened. */
DOCA_PRIV_DECL doca_error_t doca_priv_ctx_unwind(struct doca_ctx *ctx)
{
    doca_priv_pe_unwatch(ctx);
    doca_priv_pe_unfollow(ctx);
    ctx->backend->queue_close(ctx->queue);
    return doca_priv_ctx_give_block(ctx);
}

DOCA_PRIV_DECL void doca_priv_ctx_enter_idle(struct doca_ctx *ctx, const char *function)
{
    (void)doca_priv_ctx_unwind(ctx);
    doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_IDLE, function);
}

/* Reject the oldest deferred task: doca_pe_progress() completes it with `status`. */
DOCA_PRIV_DECL void doca_priv_ctx_refuse(struct doca_ctx *ctx, doca_error_t status)
{
    struct doca_task *task = ctx->deferred;

    ctx->deferred = task->next;
    task->next = NULL;
    task->status = doca_priv_task_status(status);
    if (ctx->refused == NULL)
        ctx->refused = task;
    else
        ctx->refused_last->next = task;
    ctx->refused_last = task;
}

/* Post the deferred tasks until the queue is full. is_followed: the caller posts another task right
 * afterwards, so the queue need not notify the device yet. */
DOCA_PRIV_DECL void doca_priv_ctx_post_deferred(struct doca_ctx *ctx, bool is_followed)
{
    struct doca_core_queue *queue = ctx->queue;
    struct doca_task *task, *next;
    doca_error_t rc = DOCA_SUCCESS;

    while ((task = ctx->deferred) != NULL && rc != DOCA_ERROR_AGAIN) {
        next = task->next;
        task->more = is_followed || next != NULL ? DOCA_CORE_MORE_AT_ONCE : DOCA_CORE_MORE_NONE;
        rc = queue->post(queue, task);
        task->more = DOCA_CORE_MORE_NONE;
        if (doca_likely(rc == DOCA_SUCCESS)) {
            ctx->deferred = next;
        } else {
            task->next = next;
            if (rc != DOCA_ERROR_AGAIN)
                doca_priv_ctx_refuse(ctx, rc);
        }
    }
    if (!is_followed && ctx->backend->queue_ring != NULL)
        ctx->backend->queue_ring(queue);
    ctx->must_post = ctx->deferred != NULL;
    doca_priv_ctx_settle(ctx);
    doca_priv_pe_activate(ctx);
}

DOCA_CORE_DECL void doca_ctx_flush_tasks(struct doca_ctx *ctx)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(ctx, __func__)
    DOCA_PRIV_ALONE(return)
    if (!doca_priv_is_ctx(ctx)) {
        (void)DOCA_PRIV_FAIL_HANDLE(ctx);
        return;
    }
    if (ctx->deferred != NULL)
        doca_priv_ctx_post_deferred(ctx, false);
    else if (ctx->obj.state == DOCA_CTX_STATE_RUNNING && ctx->backend->queue_ring != NULL)
        ctx->backend->queue_ring(ctx->queue);
}

/* Count the tasks and batches that are not free, including those in flight. */
DOCA_PRIV_DECL uint32_t doca_priv_ctx_count_out(const struct doca_ctx *ctx)
{
    const struct doca_task_batch *batch;
    const struct doca_task *task;
    uint32_t num = 0, i;

    for (i = 0; ctx->queue != NULL && i < ctx->num_stocks; i++) {
        num += (uint32_t)DOCA_PRIV_STOCKED(doca_priv_ctx_stocks(ctx)[i].num);
        for (task = ctx->free_tasks[i]; task != NULL; task = task->next)
            num--;
    }
    num += ctx->queue != NULL ? ctx->batches.num : 0;
    for (batch = ctx->batches.free_batches; batch != NULL; batch = batch->next)
        num--;
    return num;
}

/* Enter STOPPING. Tasks that the device has not started, or that are not in the queue, complete
 * with `status`. */
DOCA_PRIV_DECL void doca_priv_ctx_enter_stopping(struct doca_ctx *ctx, doca_error_t status,
                                                 const char *function)
{
    while (ctx->deferred != NULL)
        doca_priv_ctx_refuse(ctx, status);
    ctx->must_post = false;
    if (ctx->num_inflight > 0)
        ctx->backend->queue_flush(ctx->queue, status);
    ctx->num_out = doca_priv_ctx_count_out(ctx);
    if (doca_priv_ctx_has_events(ctx))
        ctx->engine->begin_stop(ctx);
    doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_STOPPING, function);
}

/* Report the oldest state change to the program. The context is not touched after the callback: the
 * callback may destroy it. */
static void doca_priv_ctx_report(struct doca_ctx *ctx)
{
    uint8_t event = ctx->events[0];

    ctx->num_events--;
    DOCA_CORE_MEMMOVE(ctx->events, ctx->events + 1, ctx->num_events);
    doca_priv_ctx_settle(ctx);
    /* state_cb is not NULL: replacing the callback discards the events */
    ctx->state_cb(ctx->user_data, (struct doca_ctx *)DOCA_PRIV_HANDLE(ctx),
                  (enum doca_ctx_states)(event / 4), (enum doca_ctx_states)(event % 4));
}

/* Called before the error callback of a task: for some engines, the first failed task stops the
 * context. */
DOCA_PRIV_DECL DOCA_PRIV_COLD void doca_priv_task_failed(const struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;
    struct doca_priv_failure broken;

    if (!ctx->engine->error_stops || ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return;
    /* logged only: the last error remains the failure of the task */
    broken = doca_priv_failure_make((doca_error_t)task->status, DOCA_CORE_ITEM_CTX_BROKEN,
                                    "doca_pe_progress", ctx);
    doca_priv_log(&broken);
    doca_priv_ctx_enter_stopping(ctx, DOCA_ERROR_IO_FAILED, "doca_pe_progress");
}

/* Complete one task of a context that has counters or may have rejected tasks. */
static bool doca_priv_ctx_finish_one(struct doca_ctx *ctx)
{
    struct doca_task *task = ctx->queue->poll(ctx->queue);

    if (task == NULL && ctx->refused != NULL) {
        task = ctx->refused;
        ctx->refused = task->next;
        doca_priv_ctx_settle(ctx);
        (void)doca_priv_fail((doca_error_t)task->status,
                             ctx->obj.state == DOCA_CTX_STATE_STOPPING
                                 ? DOCA_CORE_ITEM_FLUSHED
                                 : doca_priv_task_refusal((doca_error_t)task->status),
                             "doca_pe_progress", task);
    }
    DOCA_PRIV_WITH_STATS(if (ctx->stats != 0) doca_priv_stats_count(ctx, task);)
    if (task != NULL)
        doca_priv_ctx_complete(ctx, task);
    return task != NULL;
}

/* Serve a context with `attention`. Returns true if something happened; the callback may then have
 * destroyed the context. */
DOCA_PRIV_DECL bool doca_priv_ctx_attend(struct doca_ctx *ctx)
{
    doca_error_t rc;

    if (ctx->num_events > 0) {
        doca_priv_ctx_report(ctx);
        return true;
    }
    if (ctx->obj.state == DOCA_CTX_STATE_RUNNING) {
        if (ctx->must_post)
            doca_priv_ctx_post_deferred(ctx, false);
        if (doca_priv_ctx_finish_one(ctx))
            return true;
        if (ctx->num_inflight == 0 && !doca_priv_ctx_has_events(ctx))
            doca_priv_pe_deactivate(ctx); /* only its counters set `attention` */
        return false;
    }
    if (ctx->obj.state == DOCA_CTX_STATE_STARTING) {
        doca_priv_listen();
        rc = ctx->backend->queue_opening(ctx->queue);
        if (rc == DOCA_ERROR_IN_PROGRESS)
            return false;
        if (rc == DOCA_SUCCESS) {
            doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_RUNNING, "doca_pe_progress");
        } else {
            (void)doca_priv_refused(rc, "doca_pe_progress", ctx);
            doca_priv_ctx_enter_stopping(ctx, rc, "doca_pe_progress");
        }
    } else { /* STOPPING */
        if (doca_priv_ctx_has_events(ctx)) {
            if (doca_priv_ctx_finish_one(ctx))
                return true;
            if (ctx->num_inflight > 0 || ctx->num_out > 0 || !ctx->engine->can_stop(ctx))
                return false;
        }
        if (ctx->num_inflight > 0)
            return doca_priv_ctx_finish_one(ctx);
        if (ctx->num_out > 0) { /* the last doca_task_free() reactivates it */
            doca_priv_pe_deactivate(ctx);
            return false;
        }
        doca_priv_ctx_enter_idle(ctx, "doca_pe_progress");
    }
    if (ctx->num_events > 0)
        doca_priv_ctx_report(ctx);
    return true;
}

/* True when doca_pe_progress() would find work for `ctx` immediately. */
DOCA_PRIV_DECL bool doca_priv_ctx_has_work(struct doca_ctx *ctx)
{
    if (ctx->num_events > 0 || ctx->refused != NULL)
        return true;
    if (ctx->obj.state == DOCA_CTX_STATE_STARTING)
        return ctx->backend->queue_opening(ctx->queue) != DOCA_ERROR_IN_PROGRESS;
    if ((ctx->num_inflight > 0 || doca_priv_ctx_has_events(ctx)) &&
        ctx->backend->queue_ready(ctx->queue))
        return true;
    return ctx->obj.state == DOCA_CTX_STATE_STOPPING && ctx->num_out == 0 &&
           ctx->num_inflight == 0 &&
           (!doca_priv_ctx_has_events(ctx) || ctx->engine->can_stop(ctx));
}

/* is_fallible: true when the device of the context can fail. is_lost: true when it has failed. */
DOCA_PRIV_DECL bool doca_priv_ctx_is_fallible(const struct doca_ctx *ctx)
{
    return ctx->dev != NULL && ctx->dev->backend->dev_failed != NULL;
}

DOCA_PRIV_DECL bool doca_priv_ctx_is_lost(const struct doca_ctx *ctx)
{
    return doca_priv_ctx_is_fallible(ctx) && ctx->dev->backend->dev_failed(ctx->dev);
}

/* Open the queue through the backend of the device. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_ctx_open_queue(struct doca_ctx *ctx,
                                                                      uint32_t num_tasks,
                                                                      const char *function)
{
    doca_error_t rc;

    doca_priv_listen();
    rc = ctx->backend->queue_open(ctx->queue, ctx->engine->id, num_tasks);
    return rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS
               ? rc
               : doca_priv_refused(rc, function, ctx);
}

DOCA_CORE_DECL doca_error_t doca_ctx_start(struct doca_ctx *ctx)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(ctx, __func__)
    unsigned char *queue = NULL, *tasks = NULL;
    uint32_t i, num_tasks = 0;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (ctx->obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_IDLE, ctx);
    if (ctx->pe == NULL)
        return DOCA_PRIV_FAIL(NOT_CONNECTED, CTX_NO_PE, ctx);
    if (ctx->dev != NULL && !ctx->engine->is_supported(&ctx->dev->info.attr.limits))
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, CTX_UNSUITABLE, ctx);
    for (i = 0; i < ctx->num_stocks; i++)
        num_tasks += doca_priv_ctx_stocks(ctx)[i].num;
    if (num_tasks == 0 && ctx->engine->can_stop == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NO_TASK_TYPE, ctx);
    if (doca_priv_ctx_is_lost(ctx))
        return DOCA_PRIV_FAIL(DRIVER, CTX_DEV_FAILED, ctx);
    rc = doca_priv_ctx_carve(ctx->arena, ctx, &queue, &tasks, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_ctx_stock_up(ctx, tasks);
    ctx->queue = (struct doca_core_queue *)(void *)queue;
    /* analyzer: core.NullDereference,analyzer-null-dereference: the arena returned a block */
    ctx->queue->backend = ctx->backend;
    ctx->queue->dev = ctx->dev;
    rc = doca_priv_fault_open(ctx, num_tasks, __func__);
    if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS) {
        (void)doca_priv_ctx_give_block(ctx);
        return rc;
    }
    DOCA_PRIV_WITH_STATS(doca_priv_stats_attach(ctx);)
    doca_priv_pe_follow(ctx);
    if (!doca_priv_pe_watch(ctx)) {
        rc = doca_priv_fail_system(DOCA_CORE_ITEM_PE_SYSTEM, __func__, ctx,
                                   DOCA_PRIV_LOG_TEXT("watch the queue in the epoll set of the "
                                                      "progress engine"));
        (void)doca_priv_ctx_unwind(ctx);
        return rc;
    }
    if (rc == DOCA_SUCCESS) {
        doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_RUNNING, __func__);
        return DOCA_SUCCESS;
    }
    doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_STARTING, __func__);
    return DOCA_PRIV_FAIL(IN_PROGRESS, CTX_STARTING, ctx);
}

DOCA_CORE_DECL doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(ctx, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (ctx->obj.state == DOCA_CTX_STATE_IDLE)
        return DOCA_SUCCESS;
    if (ctx->queue == NULL) /* a stand-alone event, cast to a context */
        return DOCA_PRIV_FAIL(BAD_STATE, EVENT_IS_NO_CTX, ctx);
    if (ctx->obj.state != DOCA_CTX_STATE_STOPPING) {
        if (doca_priv_ctx_count_out(ctx) == 0 && !doca_priv_ctx_has_events(ctx)) {
            doca_priv_ctx_enter_idle(ctx, __func__);
            return DOCA_SUCCESS;
        }
        doca_priv_ctx_enter_stopping(ctx, DOCA_ERROR_SHUTDOWN, __func__);
    }
    return DOCA_PRIV_FAIL(IN_PROGRESS, CTX_STOPPING, ctx);
}

/* Common part of the destroy calls of all context types. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_ctx_destroy(struct doca_ctx *ctx,
                                                                   const char *function)
{
    DOCA_PRIV_ENTER(ctx, function)
    doca_error_t rc = DOCA_SUCCESS, given;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (doca_priv_ctx_count_out(ctx) > 0)
        return doca_priv_fail(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CTX_BUSY, function, ctx);
    DOCA_PRIV_CHECKED(doca_priv_check_childless(&ctx->num_children, ctx, function);)
    if (ctx->obj.state != DOCA_CTX_STATE_IDLE)
        rc = doca_priv_ctx_unwind(ctx);
    if (ctx->pe != NULL) {
        doca_priv_pe_deactivate(ctx);
        doca_priv_pe_unlink(ctx);
    }
    DOCA_PRIV_WITH_STATS(doca_priv_stats_detach(&ctx->stats, ctx);)
    if (ctx->dev != NULL)
        doca_priv_dev_drop(ctx->dev);
    given = doca_priv_object_give(ctx->arena, &ctx->obj);
    DOCA_ERROR_PROPAGATE(rc, given);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx,
                                               enum doca_ctx_states *state)
{
    DOCA_PRIV_OPEN(ctx)
    doca_error_t rc = doca_priv_ctx_check(ctx, state, __func__);

    if (rc == DOCA_SUCCESS)
        *state = (enum doca_ctx_states)ctx->obj.state;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx,
                                                            size_t *num_inflight_tasks)
{
    DOCA_PRIV_OPEN(ctx)
    doca_error_t rc = doca_priv_ctx_check(ctx, num_inflight_tasks, __func__);

    if (rc == DOCA_SUCCESS)
        *num_inflight_tasks = ctx->num_inflight;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(ctx, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    ctx->user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx,
                                                   union doca_data *user_data)
{
    DOCA_PRIV_OPEN(ctx)
    doca_error_t rc = doca_priv_ctx_check(ctx, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = ctx->user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
                                                          doca_ctx_state_changed_callback_t cb)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(ctx, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (cb != ctx->state_cb) {
        ctx->num_events = 0;
        doca_priv_ctx_settle(ctx);
    }
    ctx->state_cb = cb;
    return DOCA_SUCCESS;
}

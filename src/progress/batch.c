/* ---- >>impl.batch --------------------------------------------------------------------------- */
#include "progress/batch.h"

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
#include "object/object_priv.h"
#include "device/backend.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/hot_task.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "progress/task_priv.h"

/* Return the array of tasks of a batch. */
static struct doca_task **doca_priv_batch_tasks(const struct doca_task_batch *batch)
{
    return (struct doca_task **)(uintptr_t)(batch + 1);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_task_batch(
    uint32_t num_batches, enum doca_task_batch_max_tasks_number max_tasks, size_t *bytes)
{
    size_t size;

    if (bytes == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if ((unsigned)max_tasks > DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128)
        return DOCA_PRIV_FAIL(INVALID_VALUE, BATCH_CONF, NULL);
    size = doca_priv_size(num_batches, doca_priv_batch_bytes(16u << (unsigned)max_tasks), 0);
    if (size == SIZE_MAX)
        return DOCA_PRIV_FAIL(NO_MEMORY, ARENA_EXHAUSTED, NULL);
    *bytes = size;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_ctx_set_task_batch_conf(
    struct doca_ctx *ctx, enum doca_task_batch_max_tasks_number max_tasks, uint32_t num_batches,
    doca_core_task_batch_completion_cb_t batch_completion_cb,
    doca_core_task_batch_completion_cb_t batch_error_cb)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(ctx, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (batch_completion_cb == NULL || batch_error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, ctx);
    if ((unsigned)max_tasks > DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128 || num_batches == 0 ||
        num_batches > UINT8_MAX) /* the range of doca_task.batch */
        return DOCA_PRIV_FAIL(INVALID_VALUE, BATCH_CONF, ctx);
    rc = doca_priv_ctx_change(ctx, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    ctx->batches.num = num_batches;
    ctx->batches.max_tasks = 16u << (unsigned)max_tasks;
    ctx->batches.done = batch_completion_cb;
    ctx->batches.failed = batch_error_cb;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_task_batch_alloc_init(struct doca_ctx *ctx,
                                                            union doca_data user_data,
                                                            struct doca_task_batch **task_batch)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(ctx, __func__)
    doca_error_t rc;
    struct doca_task_batch *batch;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_ctx_check(ctx, task_batch, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, ctx);
    batch = ctx->batches.free_batches;
    if (batch == NULL)
        return DOCA_PRIV_FAIL(NO_MEMORY, BATCH_POOL_EMPTY, ctx);
    ctx->batches.free_batches = batch->next;
    batch->obj.state = DOCA_PRIV_TASK_OWNED;
    batch->num = 0;
    batch->status = DOCA_SUCCESS;
    batch->user_data = user_data;
    DOCA_PRIV_CHECKED(doca_priv_check_note(batch, DOCA_PRIV_NOTE_TAKEN);)
    *task_batch = batch;
    return DOCA_SUCCESS;
}

/* Completion of one task of a batch. The last task completes the batch. */
static void doca_priv_batch_task_done(struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;
    struct doca_task_batch *batch =
        (struct doca_task_batch *)(void *)(ctx->batches.first +
                                           (task->batch - 1u) *
                                               doca_priv_batch_bytes(ctx->batches.max_tasks));

    if (doca_unlikely(task->status != DOCA_SUCCESS))
        doca_priv_task_failed(task);
    ctx->engine->settle(task);
    task->state = DOCA_PRIV_TASK_HELD;
    if (batch->status == DOCA_SUCCESS)
        batch->status = (doca_error_t)task->status;
    if (--batch->num_left > 0)
        return;
    batch->obj.state = DOCA_PRIV_TASK_OWNED;
    DOCA_PRIV_CHECKED(doca_priv_check_note(batch, DOCA_PRIV_NOTE_COMPLETED);)
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BATCH_END | (uint32_t)batch->status << 16,
                                     batch, batch->num, doca_priv_trace_id(ctx));)
    (batch->status == DOCA_SUCCESS ? ctx->batches.done : ctx->batches.failed)(
        batch, batch->num, batch->user_data, ctx->user_data);
}

/* Check that `batch` is a batch that the program owns. */
static doca_error_t doca_priv_batch_check(const struct doca_task_batch *batch, const char *function)
{
    doca_error_t rc = doca_priv_check_args(batch, DOCA_PRIV_KIND_BATCH, batch, function);

    return rc != DOCA_SUCCESS || batch->obj.state == DOCA_PRIV_TASK_OWNED
               ? rc
               : doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BATCH_NOT_OWNED, function,
                                batch);
}

DOCA_CORE_DECL doca_error_t doca_core_task_batch_add(struct doca_task_batch *task_batch,
                                                     struct doca_task *task)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_ENTER(task_batch, __func__)
    doca_error_t rc;
    const struct doca_priv_batch_stock *stock;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_batch_check(task_batch, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is_task(task))
        return DOCA_PRIV_FAIL_HANDLE(task);
    if (task->ctx != task_batch->ctx)
        return DOCA_PRIV_FAIL(INVALID_VALUE, BATCH_FOREIGN, task);
    if (task->state != DOCA_PRIV_TASK_OWNED)
        return DOCA_PRIV_FAIL(BAD_STATE, TASK_NOT_OWNED, task);
    stock = &task->ctx->batches;
    if (task_batch->num == stock->max_tasks)
        return DOCA_PRIV_FAIL(FULL, BATCH_FULL, task_batch);
    doca_priv_batch_tasks(task_batch)[task_batch->num++] = task;
    task->batch = (uint8_t)(1 + (size_t)((unsigned char *)task_batch - stock->first) /
                                    doca_priv_batch_bytes(stock->max_tasks));
    task->done = doca_priv_batch_task_done;
    task->state = DOCA_PRIV_TASK_HELD;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_batch_submit(struct doca_task_batch *batch, bool checked,
                                           const char *function)
{
    DOCA_PRIV_ENTER(batch, function)
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_task **tasks;
    struct doca_ctx *ctx;
    doca_error_t rc;
    uint16_t i;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(batch, DOCA_PRIV_KIND_BATCH))
        return doca_priv_fail_handle(batch, function);
    ctx = batch->ctx;
    rc = doca_priv_batch_check(batch, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    tasks = doca_priv_batch_tasks(batch);
    if (ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, ctx);
    if (batch->num == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BATCH_EMPTY, function,
                              batch);
    for (i = 0; i < batch->num; i++) {
        if (checked) {
            rc = doca_priv_task_examine(tasks[i], &item);
        } else if (!ctx->engine->is_complete(tasks[i])) {
            rc = DOCA_ERROR_INVALID_VALUE;
            item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
        }
        if (rc != DOCA_SUCCESS)
            return doca_priv_fail(rc, item, function, tasks[i]);
    }
    batch->obj.state = DOCA_PRIV_TASK_SUBMITTED;
    DOCA_PRIV_CHECKED(doca_priv_check_note(batch, DOCA_PRIV_NOTE_SUBMITTED);)
    DOCA_PRIV_TRACED(
        doca_priv_trace(DOCA_PRIV_TRACE_BATCH, batch, batch->num, doca_priv_trace_id(ctx));)
    batch->num_left = batch->num;
    batch->status = DOCA_SUCCESS;
    for (i = 0; i < batch->num; i++) {
        rc = doca_priv_task_put_by(tasks[i]);
        if (doca_unlikely(rc != DOCA_SUCCESS)) { /* complete it with the error */
            doca_priv_task_keep(tasks[i]);
            doca_priv_ctx_refuse(ctx, rc); /* this task is the only deferred task */
        }
    }
    doca_priv_ctx_post_deferred(ctx, false);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch)
{
    return doca_priv_batch_submit(task_batch, DOCA_CORE_CHECK >= 2, __func__);
}

DOCA_CORE_DECL doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch)
{
    return doca_priv_batch_submit(task_batch, true, __func__);
}

DOCA_CORE_DECL void doca_task_batch_free(struct doca_task_batch *task_batch)
{
    DOCA_PRIV_ENTER(task_batch, __func__)
    struct doca_task *task;
    struct doca_ctx *ctx;
    uint16_t i;

    DOCA_PRIV_ALONE(return)
    if (task_batch == NULL || doca_priv_batch_check(task_batch, __func__) != DOCA_SUCCESS)
        return;
    ctx = task_batch->ctx;
    for (i = 0; i < task_batch->num; i++) {
        task = doca_priv_batch_tasks(task_batch)[i];
        task->batch = 0;
        task->done = doca_priv_ctx_stocks(ctx)[task->type].done;
        doca_priv_task_put(task);
        doca_priv_ctx_count_returned(ctx);
    }
    task_batch->obj.state = DOCA_PRIV_TASK_FREE;
    DOCA_PRIV_CHECKED(doca_priv_check_note(task_batch, DOCA_PRIV_NOTE_RETURNED);)
    task_batch->next = ctx->batches.free_batches;
    ctx->batches.free_batches = task_batch;
    doca_priv_ctx_count_returned(ctx);
}

/* Return the context of a batch for a getter; NULL, with a log line, for an invalid handle. */
static struct doca_ctx *doca_priv_batch_ctx(const struct doca_task_batch *batch,
                                            const char *function)
{
    if (doca_priv_check_args(batch, DOCA_PRIV_KIND_BATCH, batch, function) != DOCA_SUCCESS)
        return NULL;
    DOCA_PRIV_CHECKED(
        if (batch->obj.state == DOCA_PRIV_TASK_FREE)
            (void)doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BATCH_NOT_OWNED, function,
                                 batch);)
    return batch->ctx;
}

DOCA_CORE_DECL struct doca_task *doca_core_task_batch_get_task(
    const struct doca_task_batch *task_batch, uint16_t index)
{
    return doca_priv_batch_ctx(task_batch, __func__) != NULL &&
                   task_batch->obj.state != DOCA_PRIV_TASK_FREE && index < task_batch->num
               ? (struct doca_task *)DOCA_PRIV_HANDLE(doca_priv_batch_tasks(task_batch)[index])
               : NULL;
}

#if DOCA_CORE_CHECK >= 2
/* Do what doca_priv_check_has_ended() does for a task, for a batch. */
static void doca_priv_check_batch_has_ended(const struct doca_task_batch *batch,
                                            const char *function)
{
    if (batch->obj.state == DOCA_PRIV_TASK_SUBMITTED)
        (void)doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BATCH_NOT_OWNED, function, batch);
}
#endif

DOCA_CORE_DECL doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch)
{
    if (doca_priv_batch_ctx(task_batch, __func__) == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    DOCA_PRIV_CHECKED(doca_priv_check_batch_has_ended(task_batch, __func__);)
    return task_batch->status;
}

DOCA_CORE_DECL void doca_task_batch_set_user_data(struct doca_task_batch *task_batch,
                                                  union doca_data user_data)
{
    if (!doca_priv_is(task_batch, DOCA_PRIV_KIND_BATCH))
        (void)DOCA_PRIV_FAIL_HANDLE(task_batch);
    else if (task_batch->obj.state == DOCA_PRIV_TASK_FREE)
        (void)DOCA_PRIV_FAIL(BAD_STATE, BATCH_NOT_OWNED, task_batch);
    else {
        DOCA_PRIV_CHECKED(doca_priv_check_batch_has_ended(task_batch, __func__);)
        task_batch->user_data = user_data;
    }
}

DOCA_CORE_DECL union doca_data doca_task_batch_get_user_data(
    const struct doca_task_batch *task_batch)
{
    union doca_data none;

    none.u64 = 0;
    return doca_priv_batch_ctx(task_batch, __func__) != NULL ? task_batch->user_data : none;
}

DOCA_CORE_DECL struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch)
{
    return (struct doca_ctx *)DOCA_PRIV_HANDLE(doca_priv_batch_ctx(task_batch, __func__));
}

DOCA_CORE_DECL union doca_data doca_task_batch_get_ctx_user_data(
    const struct doca_task_batch *task_batch)
{
    const struct doca_ctx *ctx = doca_priv_batch_ctx(task_batch, __func__);
    union doca_data none;

    none.u64 = 0;
    return ctx != NULL ? ctx->user_data : none;
}

DOCA_CORE_DECL uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch)
{
    return doca_priv_batch_ctx(task_batch, __func__) != NULL ? task_batch->num : 0;
}

/* ---- >>impl.dma -----------------------------------------------------------------------------
 * DMA contexts and memcpy tasks: create, configure, allocate, check, complete. The copying itself
 * is in the backends.                                                                           */
#include "engine/dma_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/export_priv.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "engine/hot_engine.h"

DOCA_PRIV_ASSERT_STATIC(memcpy_task_fits_its_slot,
                        sizeof(struct doca_dma_task_memcpy) <= DOCA_PRIV_TASK_BYTES);

/* Check a task as a copy engine does when it executes it. Returns SUCCESS, or the error with the
 * reason in *item. Sets *is_far if a buffer is not directly addressable in this process.
 * Overlapping lists are accepted, except lists that share their last element: the copy would then
 * extend the data that it reads. */
DOCA_PRIV_DECL doca_error_t doca_priv_dma_inspect(const struct doca_dma_task_memcpy *memcpy_task,
                                                  bool *is_far, enum doca_core_item *item)
{
    const struct doca_dev *dev = memcpy_task->task.ctx->dev;
    const struct doca_core_limits *limits = &dev->info.attr.limits;
    struct doca_priv_task_list src, dst;
    doca_error_t rc;

    rc = doca_priv_task_lists(memcpy_task->src, memcpy_task->dst, dev, &src, &dst, item);
    if (rc != DOCA_SUCCESS)
        return rc;
    *is_far = src.is_far | dst.is_far;
    *item = src.bytes == 0 ? DOCA_CORE_ITEM_DMA_EMPTY_SOURCE
                           : doca_priv_task_excess(&src, &dst, src.bytes, limits->dma_max_buf_size,
                                                   limits->dma_max_buf_list_len);
    if (*item == DOCA_CORE_ITEM_NONE && src.last == dst.last && src.num + dst.num > 2)
        *item = DOCA_CORE_ITEM_DMA_OVERLAP;
    return *item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

DOCA_CORE_DECL doca_error_t doca_core_dma_task_inspect(const struct doca_dma_task_memcpy *task,
                                                       enum doca_core_item *item)
{
    DOCA_PRIV_OPEN(task)
    bool is_far;

    *item = DOCA_CORE_ITEM_NONE;
    return doca_priv_dma_inspect(task, &is_far, item);
}

#ifndef DOCA_CORE_NO_DMA

DOCA_PRIV_DECL bool doca_priv_dma_is_supported(const struct doca_core_limits *limits)
{
    return limits->has_dma != 0;
}

static DOCA_PRIV_COLD void doca_priv_dma_failed(struct doca_task *task)
{
    const struct doca_dma *dma = (const struct doca_dma *)(const void *)task->ctx;

    doca_priv_task_failed(task);
    dma->memcpy_failed((struct doca_dma_task_memcpy *)DOCA_PRIV_HANDLE(task), task->user_data,
                       dma->ctx.user_data);
}

static void doca_priv_dma_done(struct doca_task *task)
{
    const struct doca_dma *dma = (const struct doca_dma *)(const void *)task->ctx;

    if (doca_likely(task->status == DOCA_SUCCESS))
        dma->memcpy_done((struct doca_dma_task_memcpy *)DOCA_PRIV_HANDLE(task), task->user_data,
                         dma->ctx.user_data);
    else
        doca_priv_dma_failed(task);
}

/* True when the task would write bytes that it also reads. Compares every source buffer with the
 * part of every destination buffer that the copy fills. */
static bool doca_priv_dma_overlaps(const struct doca_dma_task_memcpy *memcpy_task)
{
    const struct doca_buf *src, *dst;
    uint32_t from_pid, to_pid;
    uintptr_t from, to;
    uint64_t left = 0;
    size_t len;

    for (src = memcpy_task->src; src != NULL; src = src->next)
        left += src->data_len;
    for (dst = memcpy_task->dst; dst != NULL && left > 0; dst = dst->next) {
        len = doca_priv_buf_tailroom(dst);
        if (len > left)
            len = (size_t)left;
        left -= len;
        to = doca_priv_far_place(dst->mmap, dst->data + dst->data_len, &to_pid);
        for (src = memcpy_task->src; src != NULL; src = src->next) {
            from = doca_priv_far_place(src->mmap, src->data, &from_pid);
            if (from_pid == to_pid && from < to + len && to < from + src->data_len)
                return true;
        }
    }
    return false;
}

static doca_error_t doca_priv_dma_check(const struct doca_task *task, enum doca_core_item *item)
{
    const struct doca_dma_task_memcpy *memcpy_task =
        (const struct doca_dma_task_memcpy *)(const void *)task;
    bool is_far;
    doca_error_t rc = doca_priv_dma_inspect(memcpy_task, &is_far, item);

    if (rc == DOCA_SUCCESS && (memcpy_task->src->next != NULL || memcpy_task->dst->next != NULL) &&
        doca_priv_dma_overlaps(memcpy_task)) {
        *item = DOCA_CORE_ITEM_DMA_OVERLAP;
        rc = DOCA_ERROR_INVALID_VALUE;
    }
    return rc;
}

static bool doca_priv_dma_is_complete(const struct doca_task *task)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;

    return doca_priv_is_buf(t->src) && doca_priv_is_buf(t->dst);
}

static void doca_priv_dma_settle(struct doca_task *task)
{
    (void)task;
}

static const struct doca_priv_engine doca_priv_dma_engine = {
    DOCA_CORE_ENGINE_DMA,      true,                doca_priv_dma_is_supported, doca_priv_dma_check,
    doca_priv_dma_is_complete, doca_priv_dma_settle,       doca_priv_ctx_open_queue,
    NULL,                      NULL,                NULL,
    doca_priv_task_src_bytes
};

DOCA_CORE_DECL doca_error_t doca_core_bytes_dma(struct doca_dev *dev, uint32_t num_tasks,
                                                size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_dma dma;

    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(&dma, 0, sizeof(dma));
    dma.ctx.dev = dev;
    dma.ctx.backend = dev->backend;
    dma.ctx.engine = &doca_priv_dma_engine;
    dma.ctx.num_stocks = 1;
    dma.memcpy_stock.num = num_tasks;
    dma.memcpy_stock.task_bytes = DOCA_PRIV_TASK_BYTES;
    return doca_priv_ctx_bytes(&dma.ctx, sizeof(dma), bytes, __func__);
}

/* Create a DMA context in `arena`; NULL selects the arena of the device. */
DOCA_PRIV_DECL doca_error_t doca_priv_dma_create(struct doca_core_arena *arena,
                                                 struct doca_dev *dev, struct doca_dma **dma,
                                                 const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, dma, function);
    struct doca_dma *d;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*d), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    d = (struct doca_dma *)block;
    d->memcpy_stock.done = doca_priv_dma_done;
    d->memcpy_stock.task_bytes = DOCA_PRIV_TASK_BYTES;
    doca_priv_ctx_init(&d->ctx, DOCA_PRIV_KIND_DMA, &doca_priv_dma_engine, dev->backend, arena,
                       dev, 1);
    *dma = (struct doca_dma *)DOCA_PRIV_HANDLE(d);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_dma_create_in(struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_dma **dma)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, dma, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_dma_create(arena, dev, dma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma)
{
    return doca_priv_dma_create(NULL, dev, dma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dma_destroy(struct doca_dma *dma)
{
    DOCA_PRIV_OPEN(dma)
    if (dma == NULL)
        return DOCA_SUCCESS;
    if (!doca_priv_is(dma, DOCA_PRIV_KIND_DMA))
        return DOCA_PRIV_FAIL_HANDLE(dma);
    return doca_priv_ctx_destroy(&dma->ctx, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t enable)
{
    DOCA_PRIV_OPEN(dma)
    if (!doca_priv_is(dma, DOCA_PRIV_KIND_DMA))
        return DOCA_PRIV_FAIL_HANDLE(dma);
    if (enable != 0 && !dma->ctx.backend->in_order)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_ORDER, dma->ctx.dev);
    dma->is_ordered = enable != 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma)
{
    return (struct doca_ctx *)(void *)dma;
}

DOCA_CORE_DECL doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma,
                                                    struct doca_gpu_dma **gpu_dma)
{
    DOCA_PRIV_OPEN(dma)
    doca_error_t rc = doca_priv_check_args(dma, DOCA_PRIV_KIND_DMA, gpu_dma, __func__);

    return rc != DOCA_SUCCESS ? rc : DOCA_PRIV_FAIL(BAD_STATE, CTX_NO_OFFLOAD, dma);
}

/* Check the arguments of a capability query, and that the device has a copy engine. */
static doca_error_t doca_priv_dma_cap(const struct doca_devinfo *devinfo, const void *out,
                                      const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, out, function);

    if (rc == DOCA_SUCCESS && !doca_priv_dma_is_supported(&devinfo->attr.limits))
        rc = doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_DMA, function, devinfo);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_dma_cap(devinfo, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
    doca_error_t rc = doca_priv_dma_cap(devinfo, max_buf_list_len, __func__);

    if (rc == DOCA_SUCCESS)
        *max_buf_list_len = devinfo->attr.limits.dma_max_buf_list_len;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
    doca_error_t rc = doca_priv_dma_cap(devinfo, buf_size, __func__);

    if (rc == DOCA_SUCCESS)
        *buf_size = devinfo->attr.limits.dma_max_buf_size;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma,
                                                           uint32_t *max_num_tasks)
{
    DOCA_PRIV_OPEN(dma)
    doca_error_t rc = doca_priv_check_args(dma, DOCA_PRIV_KIND_DMA, max_num_tasks, __func__);
    const struct doca_core_limits *limits;

    if (rc != DOCA_SUCCESS)
        return rc;
    limits = &dma->ctx.dev->info.attr.limits;
    *max_num_tasks = limits->has_dma != 0 ? limits->dma_max_num_tasks : 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dma_task_memcpy_set_conf(
    struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
    doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks)
{
    DOCA_PRIV_OPEN(dma)
    DOCA_PRIV_ENTER(dma, __func__)
    const struct doca_core_limits *limits;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(dma, DOCA_PRIV_KIND_DMA))
        return DOCA_PRIV_FAIL_HANDLE(dma);
    if (task_completion_cb == NULL || task_error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, dma);
    if (num_memcpy_tasks == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, dma);
    limits = &dma->ctx.dev->info.attr.limits;
    if (limits->has_dma != 0 && num_memcpy_tasks > limits->dma_max_num_tasks)
        return DOCA_PRIV_FAIL(INVALID_VALUE, CTX_TOO_MANY_TASKS, dma);
    rc = doca_priv_ctx_change(&dma->ctx, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    dma->memcpy_done = task_completion_cb;
    dma->memcpy_failed = task_error_cb;
    dma->memcpy_stock.num = num_memcpy_tasks;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_dma_task_memcpy_alloc_other(
    struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
    union doca_data user_data, struct doca_dma_task_memcpy **task)
{
    const char *function = "doca_dma_task_memcpy_alloc_init";
    doca_error_t rc = doca_priv_check_args(dma, DOCA_PRIV_KIND_DMA, task, function);
    struct doca_dma_task_memcpy *t;
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_task_take(&dma->ctx, 0, &taken, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    t = (struct doca_dma_task_memcpy *)(void *)taken;
    t->task.user_data = user_data;
    t->src = src;
    t->dst = dst;
    DOCA_PRIV_CHECKED(t->lives[0] = doca_priv_check_life_of(src);
                      t->lives[1] = doca_priv_check_life_of(dst);)
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma,
                                                            const struct doca_buf *src,
                                                            struct doca_buf *dst,
                                                            union doca_data user_data,
                                                            struct doca_dma_task_memcpy **task)
{
    return doca_priv_hot_dma_task_memcpy_alloc_init(dma, src, dst, user_data, task);
}

DOCA_CORE_DECL struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task)
{
    return doca_priv_hot_dma_task_memcpy_as_task(task);
}

DOCA_CORE_DECL void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task,
                                                 const struct doca_buf *src)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(src)
    if (doca_priv_task_check(task, doca_priv_dma_done, __func__) == DOCA_SUCCESS) {
        task->src = src;
        DOCA_PRIV_CHECKED(task->lives[0] = doca_priv_check_life_of(src);)
    }
}

DOCA_CORE_DECL const struct doca_buf *doca_dma_task_memcpy_get_src(
    const struct doca_dma_task_memcpy *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_dma_done, __func__)
               ? (const struct doca_buf *)DOCA_PRIV_HANDLE_OF(task->src, task->lives[0])
               : NULL;
}

DOCA_CORE_DECL void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task,
                                                 struct doca_buf *dst)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(dst)
    if (doca_priv_task_check(task, doca_priv_dma_done, __func__) == DOCA_SUCCESS) {
        task->dst = dst;
        DOCA_PRIV_CHECKED(task->lives[1] = doca_priv_check_life_of(dst);)
    }
}

DOCA_CORE_DECL struct doca_buf *doca_dma_task_memcpy_get_dst(
    const struct doca_dma_task_memcpy *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_dma_done, __func__)
               ? (struct doca_buf *)DOCA_PRIV_HANDLE_OF(task->dst, task->lives[1])
               : NULL;
}

#endif /* DOCA_CORE_NO_DMA */

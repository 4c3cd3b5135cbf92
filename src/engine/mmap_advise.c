/* ---- >>impl.mmap_advise ---------------------------------------------------------------------
 * Tasks that invalidate CPU caches. The CPU executes them for every device: the context uses a
 * queue of the software backend, but with post and poll functions of its own.                   */
#include "engine/mmap_advise.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
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
#include "device/devinfo_priv.h"
#include "memory/buf.h"
#include "memory/buf_array.h"
#include "memory/hot_buf.h"
#include "memory/inventory.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/hot_task.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "engine/dma.h"
#include "engine/hot_engine.h"
#include "engine/sha.h"
#include "engine/sync_event.h"

DOCA_PRIV_ASSERT_STATIC(advise_task_fits_its_slot,
                        sizeof(struct doca_mmap_advise_task_invalidate_cache) <=
                            DOCA_PRIV_TASK_BYTES);

static const struct doca_mmap_advise_task_invalidate_cache *doca_priv_advise_task(
    const struct doca_task *task)
{
    return (const struct doca_mmap_advise_task_invalidate_cache *)(const void *)task;
}

static bool doca_priv_advise_is_supported(const struct doca_core_limits *limits)
{
    (void)limits;
    return true;
}

/* Largest buffer in bytes. The implementation has no limit, but programs allocate buffers of the
 * size that the capability query reports, so this is a size that can be allocated. */
static uint64_t doca_priv_advise_max(const struct doca_core_limits *limits)
{
    const uint64_t least = 1u << 30;

    return limits->dma_max_buf_size > least ? limits->dma_max_buf_size : least;
}

static doca_error_t doca_priv_advise_check(const struct doca_task *task, enum doca_core_item *item)
{
    const struct doca_buf *buf = doca_priv_advise_task(task)->buf;
    const struct doca_dev *dev = task->ctx->dev;
    doca_error_t rc = DOCA_SUCCESS;

    *item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
    if (!doca_priv_is_buf(buf))
        return DOCA_ERROR_INVALID_VALUE;
    if (buf->flags == 0 || (buf->mmap->dev_mask & dev->bit) == 0)
        rc = doca_priv_task_explain(buf, dev, false, item);
    if (rc == DOCA_SUCCESS &&
        doca_priv_buf_len(buf) > doca_priv_advise_max(&dev->info.attr.limits)) {
        *item = DOCA_CORE_ITEM_TASK_TOO_LARGE;
        rc = DOCA_ERROR_INVALID_VALUE;
    }
    return rc;
}

static bool doca_priv_advise_is_complete(const struct doca_task *task)
{
    return doca_priv_is_buf(doca_priv_advise_task(task)->buf);
}

static void doca_priv_advise_settle(struct doca_task *task)
{
    (void)task;
}

static doca_error_t doca_priv_advise_post(struct doca_core_queue *queue, struct doca_task *task)
{
    if (doca_priv_advise_task(task)->buf == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    doca_priv_queue_append(queue, task);
    return DOCA_SUCCESS;
}

static struct doca_task *doca_priv_advise_poll(struct doca_core_queue *queue)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_task *task = queue->first;
    const struct doca_priv_far *far;
    /* The addition to `fence` is an atomic read-modify-write: loads that follow it cannot return
     * values from before it. */
    static uint32_t fence;

    if (task == NULL)
        return NULL;
    queue->first = task->next;
    task->status = (uint8_t)doca_priv_advise_check(task, &item);
    if (task->status != DOCA_SUCCESS) {
        task->status =
            (uint8_t)doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", task);
        return task;
    }
    far = doca_priv_advise_task(task)->buf->mmap->far;
    if (far != NULL && far->view != NULL) {
        doca_priv_sys_dmabuf_sync(far->dmabuf_fd, true);
        doca_priv_sys_dmabuf_sync(far->dmabuf_fd, false);
    }
    (void)DOCA_PRIV_FETCH_ADD(&fence, 1u);
    return task;
}

static doca_error_t doca_priv_advise_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                          const char *function)
{
    (void)num_tasks;
    (void)function;
    ctx->queue->post = doca_priv_advise_post;
    ctx->queue->poll = doca_priv_advise_poll;
    return DOCA_SUCCESS;
}

static const struct doca_priv_engine doca_priv_advise_engine = {
    DOCA_PRIV_ENGINE_NONE,        false,                   doca_priv_advise_is_supported,
    doca_priv_advise_check,       doca_priv_advise_is_complete, doca_priv_advise_settle,
    doca_priv_advise_open,
    NULL,                      NULL,                NULL,
    NULL
};

static void doca_priv_advise_done(struct doca_task *task)
{
    const struct doca_mmap_advise *advise =
        (const struct doca_mmap_advise *)(const void *)task->ctx;

    (task->status == DOCA_SUCCESS ? advise->done : advise->failed)(
        (struct doca_mmap_advise_task_invalidate_cache *)DOCA_PRIV_HANDLE(task), task->user_data,
        advise->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_advise(uint32_t num_tasks, size_t *bytes)
{
    struct doca_mmap_advise advise;

    if (bytes == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    DOCA_CORE_MEMSET(&advise, 0, sizeof(advise));
    doca_priv_fault_read_environment();
    advise.ctx.backend = doca_priv_fault_wrap_ctx(doca_core_sw_backend(), false);
    advise.ctx.engine = &doca_priv_advise_engine;
    advise.ctx.num_stocks = 1;
    advise.stock.num = num_tasks;
    advise.stock.task_bytes = DOCA_PRIV_TASK_BYTES;
    return doca_priv_ctx_bytes(&advise.ctx, sizeof(advise), bytes, __func__);
}

/* Create a context in `arena`; NULL selects the arena of the device. */
static doca_error_t doca_priv_advise_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                            struct doca_mmap_advise **mmap_advise,
                                            const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, mmap_advise, function);
    const struct doca_core_backend *backend = doca_core_sw_backend();
    struct doca_mmap_advise *a;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*a), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (dev->backend != dev->info.backend) /* fault injection is enabled for the device */
        backend = doca_priv_fault_wrap_ctx(backend, true);
    a = (struct doca_mmap_advise *)block;
    /* analyzer: core.NullDereference: the object was allocated, so it is not NULL */
    a->stock.done = doca_priv_advise_done;
    a->stock.task_bytes = DOCA_PRIV_TASK_BYTES;
    doca_priv_ctx_init(&a->ctx, DOCA_PRIV_KIND_MMAP_ADVISE, &doca_priv_advise_engine,
                       backend, arena, dev, 1);
    *mmap_advise = (struct doca_mmap_advise *)DOCA_PRIV_HANDLE(a);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_advise_create_in(struct doca_core_arena *arena,
                                                            struct doca_dev *dev,
                                                            struct doca_mmap_advise **mmap_advise)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, mmap_advise, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_advise_create(arena, dev, mmap_advise, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_create(struct doca_dev *dev,
                                                    struct doca_mmap_advise **mmap_advise)
{
    return doca_priv_advise_create(NULL, dev, mmap_advise, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise)
{
    DOCA_PRIV_OPEN(mmap_advise)
    if (!doca_priv_is(mmap_advise, DOCA_PRIV_KIND_MMAP_ADVISE))
        return DOCA_PRIV_FAIL_HANDLE(mmap_advise);
    return doca_priv_ctx_destroy(&mmap_advise->ctx, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise)
{
    return (struct doca_ctx *)(void *)mmap_advise;
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, buf_size, __func__);

    if (rc == DOCA_SUCCESS)
        *buf_size = doca_priv_advise_max(&devinfo->attr.limits);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
    struct doca_mmap_advise *mmap_advise,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks)
{
    DOCA_PRIV_OPEN(mmap_advise)
    DOCA_PRIV_ENTER(mmap_advise, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap_advise, DOCA_PRIV_KIND_MMAP_ADVISE))
        return DOCA_PRIV_FAIL_HANDLE(mmap_advise);
    if (completion_cb == NULL || error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, mmap_advise);
    if (num_tasks == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, mmap_advise);
    rc = doca_priv_ctx_change(&mmap_advise->ctx, DOCA_ERROR_NOT_PERMITTED, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    mmap_advise->done = completion_cb;
    mmap_advise->failed = error_cb;
    mmap_advise->stock.num = num_tasks;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
    struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
    struct doca_mmap_advise_task_invalidate_cache **task)
{
    DOCA_PRIV_OPEN(mmap_advise)
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_check_args(mmap_advise, DOCA_PRIV_KIND_MMAP_ADVISE, task, __func__);
    struct doca_mmap_advise_task_invalidate_cache *t;
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_task_take(&mmap_advise->ctx, 0, &taken, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    t = (struct doca_mmap_advise_task_invalidate_cache *)(void *)taken;
    t->task.user_data = user_data;
    t->buf = buf;
    DOCA_PRIV_CHECKED(t->lives[0] = doca_priv_check_life_of(buf);)
    *task = (struct doca_mmap_advise_task_invalidate_cache *)DOCA_PRIV_HANDLE(t);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
    struct doca_mmap_advise_task_invalidate_cache *task)
{
    return (struct doca_task *)(void *)task;
}

DOCA_CORE_DECL void doca_mmap_advise_task_invalidate_cache_set_buf(
    struct doca_mmap_advise_task_invalidate_cache *task, struct doca_buf *buf)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(buf)
    if (doca_priv_task_check(task, doca_priv_advise_done, __func__) == DOCA_SUCCESS) {
        task->buf = buf;
        DOCA_PRIV_CHECKED(task->lives[0] = doca_priv_check_life_of(buf);)
    }
}

DOCA_CORE_DECL struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
    const struct doca_mmap_advise_task_invalidate_cache *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_advise_done, __func__)
               ? (struct doca_buf *)DOCA_PRIV_HANDLE_OF(task->buf, task->lives[0])
               : NULL;
}

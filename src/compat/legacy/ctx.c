/* ---- >>impl.legacy.ctx -----------------------------------------------------------------------
 * Contexts: their device, and their links to work queues.                                       */
#include "compat/legacy/ctx_priv.h"

#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/pe.h"
#include "engine/dma.h"
#include "engine/dma_priv.h"
#include "engine/sha.h"
#include "engine/sha_priv.h"
#include "compat/legacy/bytes.h"
#include "compat/legacy/ctx.h"
#include "compat/legacy/job.h"
#include "compat/legacy/job_priv.h"
#include "compat/legacy/workq_priv.h"

struct doca_core_legacy_dma {
    struct doca_core_legacy_ctx ctx;
};

DOCA_PRIV_DECL bool doca_priv_is_legacy_ctx(const struct doca_core_legacy_ctx *ctx)
{
    return doca_priv_is_between(ctx, DOCA_PRIV_KIND_LEGACY_DMA, DOCA_PRIV_KIND_LEGACY_SHA);
}

/* True when the device has the engine of the context. */
static bool doca_priv_legacy_ctx_fits(const struct doca_core_legacy_ctx *ctx,
                                      const struct doca_dev *dev)
{
    const struct doca_core_limits *limits = &dev->info.attr.limits;

    return ctx->obj.kind == DOCA_PRIV_KIND_LEGACY_SHA ? limits->has_sha != 0
                                                      : doca_priv_dma_is_supported(limits);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_dma(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_core_legacy_dma), bytes, __func__);
}

/* Return the number of tasks that a link to a work queue of this depth needs. */
static uint32_t doca_priv_link_tasks(const struct doca_dev *dev, uint32_t depth)
{
    uint32_t most = dev->info.attr.limits.dma_max_num_tasks;

    return depth < most ? depth : most;
}

/* Return the number of hash tasks that a link to a work queue of this depth needs. The link needs
 * the same number of tasks for segments. */
DOCA_PRIV_DECL uint32_t doca_priv_link_hashes(const struct doca_dev *dev, uint32_t depth)
{
    /* the limit of the device is for both kinds together */
    uint32_t most = dev->info.attr.limits.sha_max_num_tasks / 2;

    return depth < most ? depth : most > 0 ? most : 1;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_ctx_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    size_t dma_bytes = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_core_bytes_dma(dev, doca_priv_link_tasks(dev, depth), &dma_bytes);
    if (rc == DOCA_SUCCESS)
        *bytes = dma_bytes + DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_link));
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_create(struct doca_core_legacy_dma **dma)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    void *block = NULL;
    doca_error_t rc;

    if (dma == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_object_take(arena, sizeof(**dma), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *dma = (struct doca_core_legacy_dma *)block;
    doca_priv_object_init(&(*dma)->ctx.obj, DOCA_PRIV_KIND_LEGACY_DMA);
    (*dma)->ctx.arena = arena;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_destroy(struct doca_core_legacy_dma *dma)
{
    if (dma == NULL)
        return DOCA_SUCCESS;
    if (!doca_priv_is(dma, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(dma);
    if (dma->ctx.dev != NULL)
        return DOCA_PRIV_FAIL(IN_USE, LEGACY_CTX_DEV, dma);
    return doca_priv_object_give(dma->ctx.arena, &dma->ctx.obj);
}

DOCA_CORE_DECL struct doca_core_legacy_ctx *doca_core_legacy_dma_as_ctx(
    struct doca_core_legacy_dma *dma)
{
    return dma != NULL ? &dma->ctx : NULL;
}

DOCA_CORE_DECL doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo, uint32_t *caps)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, caps, __func__);

    if (rc == DOCA_SUCCESS)
        *caps = doca_priv_dma_is_supported(&devinfo->attr.limits) ? DOCA_DMA_CAP_HW_OFFLOAD
                                                                  : DOCA_DMA_CAP_NONE;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_list_num_elem)
{
    return doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo, max_list_num_elem);
}

DOCA_CORE_DECL doca_error_t doca_dma_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                      uint64_t *buf_size)
{
    return doca_dma_cap_task_memcpy_get_max_buf_size(devinfo, buf_size);
}

DOCA_CORE_DECL doca_error_t doca_dma_job_get_supported(struct doca_devinfo *devinfo,
                                                       enum doca_dma_job_types job_type)
{
    if (job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY &&
        job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, JOB_TYPE, NULL);
    return doca_dma_cap_task_memcpy_is_supported(devinfo);
}

DOCA_CORE_DECL doca_error_t doca_ctx_dev_add(struct doca_core_legacy_ctx *ctx, struct doca_dev *dev)
{
    enum doca_core_item item = DOCA_CORE_ITEM_LEGACY_CTX_DEV;
    doca_error_t rc = DOCA_ERROR_NOT_SUPPORTED;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_lock(&ctx->lock);
    if (ctx->obj.state == DOCA_PRIV_STARTED) {
        rc = DOCA_ERROR_BAD_STATE;
        item = DOCA_CORE_ITEM_CTX_NOT_IDLE;
    } else if (ctx->dev == dev) {
        rc = DOCA_ERROR_IN_USE;
    } else if (!doca_priv_legacy_ctx_fits(ctx, dev)) {
        item = DOCA_CORE_ITEM_CTX_UNSUITABLE;
    } else if (ctx->dev == NULL) {
        ctx->dev = dev;
        doca_priv_dev_hold(dev);
        rc = DOCA_SUCCESS;
    }
    doca_priv_unlock(&ctx->lock);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, __func__, ctx);
}

DOCA_CORE_DECL doca_error_t doca_ctx_dev_rm(struct doca_core_legacy_ctx *ctx, struct doca_dev *dev)
{
    enum doca_core_item item = DOCA_CORE_ITEM_LEGACY_CTX_NO_DEV;
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_lock(&ctx->lock);
    if (ctx->obj.state == DOCA_PRIV_STARTED) {
        rc = DOCA_ERROR_BAD_STATE;
        item = DOCA_CORE_ITEM_CTX_NOT_IDLE;
    } else if (ctx->dev == dev) {
        ctx->dev = NULL;
        doca_priv_dev_drop(dev);
        rc = DOCA_SUCCESS;
    }
    doca_priv_unlock(&ctx->lock);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, __func__, ctx);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_start(struct doca_core_legacy_ctx *ctx)
{
    enum doca_core_item item = DOCA_CORE_ITEM_CTX_NOT_IDLE;
    doca_error_t rc = DOCA_ERROR_BAD_STATE;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    doca_priv_lock(&ctx->lock);
    if (ctx->obj.state != DOCA_PRIV_STARTED) {
        rc = ctx->dev != NULL ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
        item = DOCA_CORE_ITEM_LEGACY_CTX_NO_DEV;
        if (rc == DOCA_SUCCESS)
            ctx->obj.state = DOCA_PRIV_STARTED;
    }
    doca_priv_unlock(&ctx->lock);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, __func__, ctx);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_stop(struct doca_core_legacy_ctx *ctx)
{
    bool is_free;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    doca_priv_lock(&ctx->lock);
    is_free = ctx->num_links == 0;
    if (is_free)
        ctx->obj.state = DOCA_PRIV_STOPPED;
    doca_priv_unlock(&ctx->lock);
    return is_free ? DOCA_SUCCESS : DOCA_PRIV_FAIL(NOT_PERMITTED, WORKQ_ADDED, ctx);
}

/* True when the context is started. Then adds `by` to the number of its links, so that it cannot
 * be stopped. */
DOCA_PRIV_DECL bool doca_priv_legacy_ctx_add_links(struct doca_core_legacy_ctx *ctx, uint32_t by)
{
    bool is_started;

    doca_priv_lock(&ctx->lock);
    is_started = ctx->obj.state == DOCA_PRIV_STARTED;
    if (is_started)
        ctx->num_links += by;
    doca_priv_unlock(&ctx->lock);
    return is_started;
}

static void doca_priv_legacy_ctx_drop_link(struct doca_core_legacy_ctx *ctx)
{
    doca_priv_lock(&ctx->lock);
    ctx->num_links--;
    doca_priv_unlock(&ctx->lock);
}

DOCA_PRIV_DECL struct doca_priv_link **doca_priv_link_find(struct doca_workq *workq,
                                                           const struct doca_core_legacy_ctx *ctx)
{
    struct doca_priv_link **link;

    for (link = &workq->links; *link != NULL && (*link)->ctx != ctx; link = &(*link)->next) {
    }
    return link;
}

/* Create the engine of a link. It is not started yet. */
static doca_error_t doca_priv_link_make(struct doca_priv_link *link, struct doca_workq *workq,
                                        const char *function)
{
    struct doca_dev *dev = link->ctx->dev;
    struct doca_dma *dma = NULL;
    struct doca_sha *sha = NULL;
    doca_error_t rc;

    if (link->ctx->obj.kind == DOCA_PRIV_KIND_LEGACY_SHA) {
        rc = doca_priv_sha_create(workq->arena, dev, &sha, function);
        if (rc != DOCA_SUCCESS)
            return rc;
        DOCA_PRIV_CHECKED((void)doca_priv_check_open(&sha);)
        link->engine = &sha->ctx;
        sha->hash_done = sha->hash_failed = doca_priv_hash_ended;
        sha->partial_done = sha->partial_failed = doca_priv_segment_ended;
        sha->stocks[DOCA_CORE_SHA_HASH].num = doca_priv_link_hashes(dev, workq->depth);
        sha->stocks[DOCA_CORE_SHA_PARTIAL].num = doca_priv_link_hashes(dev, workq->depth);
        return DOCA_SUCCESS;
    }
    rc = doca_priv_dma_create(workq->arena, dev, &dma, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&dma);)
    link->engine = &dma->ctx;
    rc = doca_dma_task_memcpy_set_conf(dma, doca_priv_copy_ended, doca_priv_copy_ended,
                                       doca_priv_link_tasks(dev, workq->depth));
    if (rc != DOCA_SUCCESS)
        (void)doca_priv_ctx_destroy(link->engine, function);
    return rc;
}

/* Create and start the engine of a link. Leaves nothing behind on failure. */
static doca_error_t doca_priv_link_open(struct doca_priv_link *link, struct doca_workq *workq,
                                        const char *function)
{
    doca_error_t rc = doca_priv_link_make(link, workq, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_pe_connect_ctx(workq->pe, link->engine);
    if (rc == DOCA_SUCCESS)
        rc = doca_ctx_start(link->engine);
    if (rc == DOCA_ERROR_IN_PROGRESS) {
        while (link->engine->obj.state == DOCA_CTX_STATE_STARTING)
            (void)doca_pe_progress(workq->pe);
        rc = link->engine->obj.state == DOCA_CTX_STATE_RUNNING ? DOCA_SUCCESS
                                                               : DOCA_ERROR_INITIALIZATION;
    }
    if (rc != DOCA_SUCCESS)
        (void)doca_priv_ctx_destroy(link->engine, function);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_workq_add(struct doca_core_legacy_ctx *ctx,
                                               struct doca_workq *workq)
{
    struct doca_priv_link *link;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (*doca_priv_link_find(workq, ctx) != NULL)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_ADDED, ctx);
    if (!doca_priv_legacy_ctx_add_links(ctx, 1))
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, ctx);
    rc = doca_priv_object_take(workq->arena, sizeof(*link), &block, __func__);
    if (rc == DOCA_SUCCESS) {
        link = (struct doca_priv_link *)block;
        link->ctx = ctx;
        rc = doca_priv_link_open(link, workq, __func__);
        if (rc == DOCA_SUCCESS) {
            link->next = workq->links;
            workq->links = link;
            return DOCA_SUCCESS;
        }
        (void)doca_core_arena_give(workq->arena, link);
    }
    doca_priv_legacy_ctx_drop_link(ctx);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_workq_rm(struct doca_core_legacy_ctx *ctx,
                                              struct doca_workq *workq)
{
    struct doca_priv_link **at, *link;
    doca_error_t rc;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!doca_priv_legacy_ctx_add_links(ctx, 0))
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, ctx);
    at = doca_priv_link_find(workq, ctx);
    link = *at;
    if (link == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, WORKQ_NOT_ADDED, ctx);
    if (link->num_jobs > 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, WORKQ_PENDING, workq);
    if (workq->graphs != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, WORKQ_HAS_GRAPHS, workq);
    *at = link->next;
    rc = doca_priv_ctx_destroy(link->engine, __func__);
    DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(workq->arena, link));
    doca_priv_legacy_ctx_drop_link(ctx);
    return rc;
}

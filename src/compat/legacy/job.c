/* ---- >>impl.legacy.job -----------------------------------------------------------------------
 * Submit and complete jobs. A slot of the work queue holds a job from submit until its event has
 * been retrieved; a job of a graph node frees its slot when it ends. When a task fails, its engine
 * stops; the last task that is flushed restarts it.                                             */
#include "compat/legacy/job_priv.h"

#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "engine/sha.h"
#include "engine/sha_priv.h"
#include "compat/legacy/ctx_priv.h"
#include "compat/legacy/graph_instance_priv.h"
#include "compat/legacy/graph_run_priv.h"
#include "compat/legacy/job.h"
#include "compat/legacy/sha.h"
#include "compat/legacy/sha_priv.h"
#include "compat/legacy/workq.h"
#include "compat/legacy/workq_priv.h"

DOCA_PRIV_DECL void doca_priv_job_free(struct doca_priv_job *job)
{
    struct doca_workq *workq = job->workq;

    if (job->session != NULL)
        job->session->job = NULL;
    job->session = NULL;
    job->link->num_jobs--;
    job->next = workq->free_jobs;
    workq->free_jobs = job;
    workq->num_free++;
}

/* Return why a buffer cannot be used for a job, or ITEM_NONE. */
static enum doca_core_item doca_priv_job_fault(const struct doca_buf *buf)
{
    return buf == NULL                                 ? DOCA_CORE_ITEM_TASK_NO_BUFFER
           : !doca_priv_is_buf(buf)                    ? DOCA_CORE_ITEM_DEAD_HANDLE
           : buf->flags == 0                           ? DOCA_CORE_ITEM_BUF_RETURNED
           : (buf->flags & DOCA_PRIV_BUF_INNER) != 0   ? DOCA_CORE_ITEM_BUF_NOT_HEAD
           : buf->refcount == UINT16_MAX               ? DOCA_CORE_ITEM_BUF_REFCOUNT_MAX
                                                       : DOCA_CORE_ITEM_NONE;
}

/* Convert a job to its common form. Returns false when the type does not belong to the context. */
static bool doca_priv_job_read(const struct doca_core_legacy_ctx *ctx, const struct doca_job *job,
                               struct doca_priv_order *order)
{
    const struct doca_core_legacy_dma_job_memcpy *copy =
        (const struct doca_core_legacy_dma_job_memcpy *)(const void *)job;
    const struct doca_sha_partial_job *hash =
        (const struct doca_sha_partial_job *)(const void *)job;
    int which;

    DOCA_CORE_MEMSET(order, 0, sizeof(*order));
    if (ctx->obj.kind != DOCA_PRIV_KIND_LEGACY_SHA) {
        if (job->type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY &&
            job->type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15)
            return false;
        order->src = (struct doca_buf *)(uintptr_t)copy->src_buff;
        order->dst = copy->dst_buff;
        order->bytes = job->type == DOCA_CORE_LEGACY_DMA_JOB_MEMCPY ? copy->num_bytes_to_copy : 0;
    } else {
        which = job->type - (int)DOCA_SHA_JOB_SHA1;
        if (which < 0 || which >= 2 * DOCA_PRIV_SHA_ALGORITHMS)
            return false;
        order->src = hash->sha_job.req_buf;
        order->dst = hash->sha_job.resp_buf;
        order->algorithm = (uint8_t)(which % DOCA_PRIV_SHA_ALGORITHMS);
        order->is_final = true;
        if (which >= DOCA_PRIV_SHA_ALGORITHMS) {
            order->task_type = DOCA_CORE_SHA_PARTIAL;
            order->session = hash->session;
            order->is_final =
                (hash->sha_job.flags & DOCA_SHA_JOB_FLAGS_SHA_PARTIAL_FINAL) != 0;
        }
    }
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&order->src);)
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&order->dst);)
    return true;
}

/* Check the lengths of a job whose buffers are valid. Returns why the job is refused, or
 * ITEM_NONE. */
static enum doca_core_item doca_priv_order_fault(const struct doca_workq *workq,
                                                 const struct doca_core_legacy_ctx *ctx,
                                                 const struct doca_priv_order *order)
{
    const struct doca_buf *src = order->src, *dst = order->dst, *buf;
    uint64_t bytes = 0;

    if (src == dst && src->refcount == UINT16_MAX - 1)
        return DOCA_CORE_ITEM_BUF_REFCOUNT_MAX; /* the job takes two references to this buffer */
    if (ctx->obj.kind != DOCA_PRIV_KIND_LEGACY_SHA)
        return order->bytes > 0 &&
                       (src->next != NULL || order->bytes > (size_t)(src->end - src->data))
                   ? DOCA_CORE_ITEM_JOB_LENGTH
                   : DOCA_CORE_ITEM_NONE;
    for (buf = src; buf != NULL; buf = buf->next)
        bytes += buf->data_len;
    if (bytes == 0)
        return DOCA_CORE_ITEM_DMA_EMPTY_SOURCE;
    if ((size_t)(dst->end - dst->data) < doca_priv_sha_sizes[order->algorithm].digest)
        return DOCA_CORE_ITEM_TASK_NO_ROOM;
    if (!order->is_final && bytes % doca_priv_sha_sizes[order->algorithm].block != 0)
        return DOCA_CORE_ITEM_SHA_SEGMENT;
    return order->task_type == DOCA_CORE_SHA_PARTIAL
               ? doca_priv_session_fault(order->session, ctx, workq, order->algorithm)
               : DOCA_CORE_ITEM_NONE;
}

/* Check that the job can be submitted. `*link` receives the link to its context, and `*order`
 * its common form. */
DOCA_PRIV_DECL doca_error_t doca_priv_job_check(struct doca_workq *workq,
                                                const struct doca_job *job,
                                                struct doca_priv_link **link,
                                                struct doca_priv_order *order, const char *function)
{
    struct doca_core_legacy_ctx *ctx = job->ctx;
    enum doca_core_item item;

    *link = *doca_priv_link_find(workq, ctx);
    if (*link == NULL) {
        if (!doca_priv_is_legacy_ctx(ctx))
            return doca_priv_check_args(ctx, DOCA_PRIV_KIND_LEGACY_DMA, NULL, function);
        return doca_priv_legacy_ctx_add_links(ctx, 0)
                   ? doca_priv_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_WORKQ_NOT_ADDED, function,
                                    ctx)
                   : doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function,
                                    ctx);
    }
    if (!doca_priv_job_read(ctx, job, order))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_JOB_TYPE, function, ctx);
    item = doca_priv_job_fault(order->src);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_job_fault(order->dst);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_order_fault(workq, ctx, order);
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, workq);
}

/* Fill the slot with the buffers of the job, and take a reference on each. */
static void doca_priv_job_fill(struct doca_priv_job *job, const struct doca_job *base,
                               const struct doca_priv_order *order, bool is_hash)
{
    struct doca_buf *buf;

    job->held_src = order->src;
    job->held_dst = order->dst;
    job->src = *job->held_src;
    if (order->bytes > 0)
        job->src.data_len = (size_t)order->bytes;
    job->dst = *job->held_dst;
    job->dst.data_len = 0;
    if (is_hash) { /* a digest is written to the head of the list only */
        job->dst.next = NULL;
        job->dst.last = &job->dst;
        job->dst.flags &= (uint8_t)~DOCA_PRIV_BUF_LIST;
    }
    job->session = order->session;
    for (buf = job->dst.next; buf != NULL; buf = buf->next)
        buf->data_len = 0;
    job->held_src->refcount++;
    job->held_dst->refcount++;
    job->end.event.type = base->type;
    job->end.event.user_data = base->user_data;
}

static void doca_priv_job_release(struct doca_priv_job *job)
{
    (void)doca_buf_dec_refcount(job->held_src, NULL);
    (void)doca_buf_dec_refcount(job->held_dst, NULL);
    job->held_dst = NULL;
}

/* True when a job in flight writes to the list `dst`. Each slot has a copy of the head of its
 * list, but the other buffers are shared. The device may read their lengths at any time until
 * the first job ends. */
static bool doca_priv_workq_is_writing(const struct doca_workq *workq, const struct doca_buf *dst)
{
    DOCA_PRIV_OPEN(dst)
    uint32_t i;

    /* analyzer: core.NullDereference: submit has checked the destination */
    for (i = 0; dst->next != NULL && i < workq->depth; i++)
        if (workq->jobs[i].held_dst == dst)
            return true;
    return false;
}

/* Submit a job that has been checked. `run` is the graph node that it works for, or NULL. */
DOCA_PRIV_DECL doca_error_t doca_priv_job_post(struct doca_workq *workq,
                                               struct doca_priv_link *link,
                                               const struct doca_job *base,
                                               const struct doca_priv_order *order,
                                               struct doca_priv_run *run, const char *function)
{
    const bool is_hash = link->ctx->obj.kind == DOCA_PRIV_KIND_LEGACY_SHA;
    struct doca_ctx *ctx = link->engine;
    struct doca_priv_job *job = workq->free_jobs;
    struct doca_dma_task_memcpy *t; /* tasks of hashes begin with the same members */
    struct doca_task *task = NULL;
    doca_error_t rc;

    /* a restart after a failure ran out of memory; try again */
    if (doca_unlikely(ctx->obj.state == DOCA_CTX_STATE_IDLE))
        (void)doca_ctx_start(ctx);
    if (job == NULL || ctx->obj.state != DOCA_CTX_STATE_RUNNING ||
        !doca_priv_ctx_has_task(ctx, order->task_type))
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_WORKQ_FULL, function, workq);
    if (doca_unlikely(!is_hash && doca_priv_workq_is_writing(workq, order->dst)))
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_JOB_LIST_BUSY, function, workq);
    rc = doca_priv_task_take(ctx, order->task_type, &task, function);
    if (rc != DOCA_SUCCESS) /* in checked mode, another thread may be inside the context */
        return rc;
    doca_priv_job_fill(job, base, order, is_hash);
    if (is_hash)
        doca_priv_session_enter(order->session, job, task, order->algorithm, order->is_final);
    t = (struct doca_dma_task_memcpy *)(void *)task;
    /* analyzer: core.NullDereference: success means that a task was taken */
    t->task.user_data.ptr = job;
    t->src = &job->src;
    t->dst = &job->dst;
    /* Defer the task and then post it. From here on the call must succeed, because
     * doca_priv_job_fill() has overwritten data lengths of the program's buffers. If the device has
     * no room at the moment, the task stays deferred, and progress posts it later. */
    (void)doca_priv_task_keep(task);
    doca_priv_ctx_post_deferred(ctx, false);
    workq->free_jobs = job->next;
    workq->num_free--;
    job->link = link;
    job->run = run;
    link->num_jobs++;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_workq_submit(struct doca_workq *workq, struct doca_job const *job)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, job, __func__);
    struct doca_priv_link *link = NULL;
    struct doca_priv_order order;

    if (doca_likely(rc == DOCA_SUCCESS))
        rc = doca_priv_job_check(workq, job, &link, &order, __func__);
    return rc != DOCA_SUCCESS ? rc : doca_priv_job_post(workq, link, job, &order, NULL, __func__);
}

/* Complete a job; all task callbacks end here. */
static void doca_priv_job_ended(struct doca_task *task, struct doca_priv_job *job)
{
    struct doca_ctx *ctx = task->ctx;
    struct doca_workq *workq = job->workq;
    struct doca_priv_run *run = job->run;
    doca_error_t status = (doca_error_t)task->status;
    bool has_output = doca_priv_session_leave(job->session, task);

    doca_task_free(task);
    if (doca_likely(status == DOCA_SUCCESS && has_output)) {
        job->held_dst->data = job->dst.data;
        job->held_dst->data_len = job->dst.data_len;
    } else if (job->dst.next != NULL) {
        /* submit set the lengths after the head to 0; hashes have no list */
        job->held_dst->data_len = 0;
    }
    doca_priv_job_release(job);
    if (doca_unlikely(ctx->obj.state == DOCA_CTX_STATE_STOPPING) && ctx->num_out == 0) {
        /* the progress engine would do the same next */
        doca_priv_ctx_enter_idle(ctx, "doca_workq_progress_retrieve");
        (void)doca_ctx_start(ctx);
    }
    job->end.event.result.u64 = (uint64_t)status;
    if (run == NULL) {
        doca_priv_workq_put_event(workq, &job->end);
        return;
    }
    doca_priv_job_free(job);
    doca_priv_run_job_ended(run, status, job->end.event.user_data);
}

DOCA_PRIV_DECL void doca_priv_copy_ended(struct doca_dma_task_memcpy *task, union doca_data data,
                                         union doca_data unused)
{
    DOCA_PRIV_OPEN(task)
    (void)unused;
    doca_priv_job_ended(&task->task, (struct doca_priv_job *)data.ptr);
}

DOCA_PRIV_DECL void doca_priv_hash_ended(struct doca_sha_task_hash *task, union doca_data data,
                                         union doca_data unused)
{
    DOCA_PRIV_OPEN(task)
    (void)unused;
    doca_priv_job_ended(&task->task, (struct doca_priv_job *)data.ptr);
}

DOCA_PRIV_DECL void doca_priv_segment_ended(struct doca_sha_task_partial_hash *task,
                                            union doca_data data, union doca_data unused)
{
    DOCA_PRIV_OPEN(task)
    (void)unused;
    doca_priv_job_ended(&task->hash.task, (struct doca_priv_job *)data.ptr);
}

/* ---- >>impl.fault.open ----------------------------------------------------------------------
 * Opening of queues with fault injection, and the functions of the backend table that concern
 * queues.                                                                                       */
#include "fault/open_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "object/hot.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/devinfo_priv.h"
#include "progress/ctx.h"
#include "engine/sync_task_priv.h"
#include "fault/plan_priv.h"
#include "fault/queue_priv.h"
#include "fault/text_priv.h"

/* Divide the memory of a queue into its head, its entries and the inner queue, and set up all
 * three. */
static struct doca_priv_fault_queue *doca_priv_fault_carve(struct doca_core_queue *queue,
                                                           uint32_t first_op, uint32_t depth)
{
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);
    unsigned char *at = (unsigned char *)queue + DOCA_PRIV_FAULT_HEAD;

    q->ops = ((const struct doca_priv_fault_wrapper *)(const void *)queue->backend)->inner;
    q->first_op = first_op;
    doca_priv_fault_list_init(&q->planned);
    doca_priv_fault_list_init(&q->finished);
    for (; depth > 0; depth--, at += DOCA_PRIV_FAULT_ENTRY)
        doca_priv_fault_entry_free(q, (struct doca_priv_fault_entry *)(void *)at);
    q->inner = (struct doca_core_queue *)(void *)at;
    q->inner->backend = q->ops;
    q->inner->dev = queue->dev;
    queue->post = doca_priv_fault_post;
    queue->poll = doca_priv_fault_poll;
    return q;
}

/* Complete an opening. `rc` is the result of the inner queue. Return the result of this queue. */
static doca_error_t doca_priv_fault_opened(struct doca_priv_fault_queue *q, doca_error_t rc,
                                           const struct doca_priv_fault_verdict *v)
{
    q->is_opening = rc == DOCA_ERROR_IN_PROGRESS;
    if (rc != DOCA_SUCCESS && !q->is_opening)
        return rc;
    doca_priv_fault_make_quiet(q, v);
    return q->is_quiet ? DOCA_ERROR_IN_PROGRESS : rc;
}

/* Begin to open a queue, unless the rules refuse it: set up its memory, and return it with the
 * verdict in *v. After a refusal return NULL, with the error in *rc. */
static struct doca_priv_fault_queue *doca_priv_fault_begin(struct doca_core_queue *queue,
                                                           uint32_t first_op, uint32_t depth,
                                                           struct doca_priv_fault_verdict *v,
                                                           doca_error_t *rc)
{
    doca_priv_fault_decide(queue->dev, first_op + DOCA_PRIV_FAULT_OPEN, v);
    *rc = doca_priv_fault_report(v, first_op + DOCA_PRIV_FAULT_OPEN, queue->dev);
    return *rc == DOCA_SUCCESS ? doca_priv_fault_carve(queue, first_op, depth) : NULL;
}

static doca_error_t doca_priv_fault_queue_open(struct doca_core_queue *queue,
                                               enum doca_core_engine engine, uint32_t depth)
{
    const uint32_t first_op =
        engine == DOCA_CORE_ENGINE_DMA ? DOCA_PRIV_FAULT_DMA : DOCA_PRIV_FAULT_SHA;
    struct doca_priv_fault_verdict v;
    doca_error_t rc;
    struct doca_priv_fault_queue *q = doca_priv_fault_begin(queue, first_op, depth, &v, &rc);

    return q != NULL
               ? doca_priv_fault_opened(q, q->ops->queue_open(q->inner, engine, depth), &v)
               : rc;
}

static doca_error_t doca_priv_fault_event_open(struct doca_core_queue *queue,
                                               const struct doca_core_event_place *place,
                                               uint32_t depth)
{
    struct doca_priv_fault_verdict v;
    doca_error_t rc;
    struct doca_priv_fault_queue *q =
        doca_priv_fault_begin(queue, DOCA_PRIV_FAULT_EVENT, depth, &v, &rc);

    return q != NULL ? doca_priv_fault_opened(q, q->ops->event_open(q->inner, place, depth), &v)
                     : rc;
}

/* Return the wrapper of a context or queue, or NULL when its table belongs to no wrapper. */
static const struct doca_priv_fault_wrapper *
doca_priv_fault_wrapper_of(const struct doca_core_backend *backend)
{
    return backend->queue_opening == doca_priv_fault_queue_opening
               ? (const struct doca_priv_fault_wrapper *)(const void *)backend
               : NULL;
}

/* Open the queue of a context. The queues of mmap-advise contexts, of sync events whose tasks the
 * CPU executes, and of contexts of Comch and RDMA do not come from the backend of the device. This
 * function puts fault injection around them; for other contexts the wrapper of the device's backend
 * does so. */
DOCA_PRIV_DECL doca_error_t doca_priv_fault_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                                 const char *function)
{
    const struct doca_priv_fault_wrapper *w = doca_priv_fault_wrapper_of(ctx->backend);
    struct doca_core_queue *queue = ctx->queue;
    struct doca_priv_fault_verdict v;
    struct doca_priv_fault_queue *q;
    doca_error_t rc;

    if (w == NULL || w->first_op == 0)
        return ctx->engine->open(ctx, num_tasks, function);
    doca_priv_fault_decide(ctx->dev, w->first_op + DOCA_PRIV_FAULT_OPEN, &v);
    rc = doca_priv_fault_report(&v, w->first_op + DOCA_PRIV_FAULT_OPEN, ctx);
    if (rc != DOCA_SUCCESS)
        return rc;
    q = doca_priv_fault_carve(queue, w->first_op, num_tasks);
    ctx->queue = q->inner; /* the engine opens ctx->queue */
    rc = ctx->engine->open(ctx, num_tasks, function);
    ctx->queue = queue;
    return doca_priv_fault_opened(q, rc, &v);
}

/* Return the bytes of a context's queue with fault injection. The inner queue has `bytes` bytes. */
DOCA_PRIV_DECL size_t doca_priv_fault_bytes(const struct doca_ctx *ctx, uint32_t num_tasks,
                                            size_t bytes)
{
    return doca_priv_fault_wrapper_of(ctx->backend) == NULL
               ? bytes
               : doca_priv_size(num_tasks, DOCA_PRIV_FAULT_ENTRY,
                                doca_priv_size(bytes, 1, DOCA_PRIV_FAULT_HEAD));
}

/* True when a context of Comch or RDMA has fault injection. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_fault_is_on(const struct doca_ctx *ctx)
{
    return doca_priv_fault_wrapper_of(ctx->backend) != NULL;
}

/* Decide about a call that concerns a context of Comch or RDMA and is not a task, such as
 * DOCA_PRIV_FAULT_RDMA_EXPORT. The calls that make a connection by address also belong to
 * rdma.connect; a rule that names both operations counts such a call once. Returns the error with
 * which the call fails, or SUCCESS. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_fault_call(const struct doca_ctx *ctx,
                                                                  unsigned op)
{
    const bool is_by_address =
        op == DOCA_PRIV_FAULT_RDMA_CONNECT_TO_ADDR || op == DOCA_PRIV_FAULT_RDMA_ACCEPT;
    struct doca_priv_fault_verdict v;

    if (!doca_priv_fault_is_on(ctx))
        return DOCA_SUCCESS;
    doca_priv_fault_choose(ctx->dev, op,
                           is_by_address ? (unsigned)DOCA_PRIV_FAULT_RDMA_CONNECT : op, &v);
    doca_priv_fault_record(&v);
    return doca_priv_fault_report(&v, op, ctx);
}

/* Handle a task in flight that the program frees; the engine permits this. Returns true when the
 * inner queue has the task: the engine must then remove the task there. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_fault_withdraw(struct doca_task *task)
{
    return doca_priv_fault_wrapper_of(task->ctx->backend) == NULL ||
           doca_priv_fault_drop(task->ctx->queue, task);
}

/* True when `is_match` selects a task of the context whose completion a rule delays and that the
 * inner queue has finished. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_fault_has(
    const struct doca_ctx *ctx, bool (*is_match)(const struct doca_task *task, const void *object),
    const void *object)
{
    return doca_priv_fault_wrapper_of(ctx->backend) != NULL && ctx->queue != NULL &&
           doca_priv_fault_finds(ctx->queue, is_match, object);
}

/* Set the functions of a table that have a queue as parameter. Each of them must be replaced,
 * because the inner backend expects its own, inner queue. */
DOCA_PRIV_DECL void doca_priv_fault_wrap_queues(struct doca_core_backend *table)
{
    table->queue_open = doca_priv_fault_queue_open;
    table->queue_opening = doca_priv_fault_queue_opening;
    table->queue_close = doca_priv_fault_queue_close;
    table->queue_flush = doca_priv_fault_queue_flush;
    table->queue_ready = doca_priv_fault_queue_ready;
    table->queue_fd = doca_priv_fault_queue_fd;
    table->queue_arm = doca_priv_fault_queue_arm;
    if (table->queue_ring != NULL)
        table->queue_ring = doca_priv_fault_queue_ring;
    if (table->event_open != NULL)
        table->event_open = doca_priv_fault_event_open;
}

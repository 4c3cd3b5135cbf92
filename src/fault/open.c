/* ---- >>impl.fault.open ----------------------------------------------------------------------
 * Opening of queues with fault injection, and the members of the backend table that concern queues.
 */
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

/* Complete an opening after the inner queue has answered `rc`. Return the answer of this queue. */
static doca_error_t doca_priv_fault_opened(struct doca_priv_fault_queue *q, doca_error_t rc,
                                           const struct doca_priv_fault_verdict *v)
{
    q->is_opening = rc == DOCA_ERROR_IN_PROGRESS;
    if (rc != DOCA_SUCCESS && !q->is_opening)
        return rc;
    doca_priv_fault_make_quiet(q, v);
    return q->is_quiet ? DOCA_ERROR_IN_PROGRESS : rc;
}

/* Begin to open a queue, unless the plan refuses it: set up its memory, and return it with the
 * plan's verdict in *v. After a refusal return NULL, with its error in *rc. */
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

/* Open the queue of a context. The queues of mmap-advise contexts, and of sync events whose tasks
 * the CPU executes, do not come from the backend of the device. This function puts fault injection
 * around them; for other contexts the wrapper of the device's backend does so. */
DOCA_PRIV_DECL doca_error_t doca_priv_fault_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                                 const char *function)
{
    const uint32_t first_op = ctx->obj.kind == DOCA_PRIV_KIND_MMAP_ADVISE
                                  ? DOCA_PRIV_FAULT_ADVISE
                                  : DOCA_PRIV_FAULT_EVENT;
    struct doca_core_queue *queue = ctx->queue;
    struct doca_priv_fault_verdict v;
    struct doca_priv_fault_queue *q;
    doca_error_t rc;

    if (ctx->backend != &doca_priv_fault.wrappers[DOCA_PRIV_FAULT_OF_EVENTS].table &&
        ctx->backend != &doca_priv_fault.wrappers[DOCA_PRIV_FAULT_OF_ADVISE].table)
        return ctx->engine->open(ctx, num_tasks, function);
    doca_priv_fault_decide(ctx->dev, first_op + DOCA_PRIV_FAULT_OPEN, &v);
    rc = doca_priv_fault_report(&v, first_op + DOCA_PRIV_FAULT_OPEN, ctx);
    if (rc != DOCA_SUCCESS)
        return rc;
    q = doca_priv_fault_carve(queue, first_op, num_tasks);
    ctx->queue = q->inner; /* the engine opens ctx->queue */
    rc = ctx->engine->open(ctx, num_tasks, function);
    ctx->queue = queue;
    return doca_priv_fault_opened(q, rc, &v);
}

static size_t doca_priv_fault_bytes(uint32_t depth, size_t inner)
{
    return inner < sizeof(struct doca_core_queue)
               ? inner
               : doca_priv_size(depth, DOCA_PRIV_FAULT_ENTRY,
                                doca_priv_size(inner, 1, DOCA_PRIV_FAULT_HEAD));
}

static size_t doca_priv_fault_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                          uint32_t depth)
{
    return doca_priv_fault_bytes(depth, dev->info.backend->queue_bytes(dev, engine, depth));
}

/* Queue sizes for contexts whose queue is not one of the device's backend. */
#ifndef DOCA_CORE_NO_SYNC_EVENT
static size_t doca_priv_fault_event_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                          uint32_t depth)
{
    return doca_priv_fault_bytes(depth, doca_priv_event_backend.queue_bytes(dev, engine, depth));
}
#endif

#ifndef DOCA_CORE_NO_MMAP_ADVISE
static size_t doca_priv_fault_advise_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                           uint32_t depth)
{
    return doca_priv_fault_bytes(depth, doca_core_sw_backend()->queue_bytes(dev, engine, depth));
}
#endif

/* Set the members of a table that take a queue. Each of them must be replaced here, as the inner
 * backend needs the inner queue. */
DOCA_PRIV_DECL void doca_priv_fault_wrap_queues(struct doca_core_backend *table, uint32_t place)
{
    table->queue_bytes = doca_priv_fault_queue_bytes;
    DOCA_PRIV_WITH_SYNC_EVENT(if (place == DOCA_PRIV_FAULT_OF_EVENTS)
                                  table->queue_bytes = doca_priv_fault_event_bytes;)
    DOCA_PRIV_WITH_MMAP_ADVISE(if (place == DOCA_PRIV_FAULT_OF_ADVISE)
                                   table->queue_bytes = doca_priv_fault_advise_bytes;)
    (void)place;
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

/* ---- >>mlx5.table ---------------------------------------------------------------------------
 * Opens and closes queues, and implements the public calls of this backend and its table.       */
#include "mlx5/api.h"
#include "mlx5/clock_priv.h"
#include "mlx5/config.h"
#include "mlx5/device_priv.h"
#include "mlx5/dm_priv.h"
#include "mlx5/dma_priv.h"
#include "mlx5/event_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/layout_priv.h"
#include "mlx5/mkey_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/poll_priv.h"
#include "mlx5/queue_priv.h"
#include "mlx5/rep_priv.h"
#include "mlx5/share_priv.h"
#include "mlx5/sync_priv.h"
#include "mlx5/sys.h"

/* Close a queue, also if it was opened only partly. */
static void doca_priv_mlx5_queue_close(struct doca_core_queue *queue)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    int error = 0;

    if (q->qp != NULL)
        error = sys->destroy_qp(q->qp);
    if (q->peer != NULL)
        doca_priv_mlx5_keep_first(&error, sys->destroy_qp(q->peer));
    if (q->opaque_mr != NULL)
        doca_priv_mlx5_keep_first(&error, sys->dereg_mr(q->opaque_mr));
    while (q->channel != NULL && q->ibv_cq != NULL && sys->take_cq_event(q->channel) == 0) {
        /* acknowledge all pending events */
    }
    if (q->sync != NULL)
        doca_priv_mlx5_keep_first(&error, doca_priv_mlx5_sync_close(q->sync));
    doca_priv_mlx5_event_close(q);
    if (q->ibv_cq != NULL)
        doca_priv_mlx5_keep_first(&error, sys->destroy_cq(q->ibv_cq));
    if (q->domain != NULL)
        doca_priv_mlx5_keep_first(&error, sys->dealloc_pd(q->domain));
    if (q->td != NULL)
        doca_priv_mlx5_keep_first(&error, sys->dealloc_td(q->td));
    if (q->channel != NULL)
        doca_priv_mlx5_keep_first(&error, sys->destroy_comp_channel(q->channel));
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_CALL, "doca_ctx_stop",
                            DOCA_PRIV_MLX5_TEXT("destroy the resources of a queue"));
}

/* Connect the queue pairs. The port's address is queried each time, because subnet managers and
 * administrators change it. Return 0 or an errno; *why then names the step. */
static int doca_priv_mlx5_connect_all(const struct doca_priv_mlx5_queue *q,
                                      struct doca_core_refusal *why)
{
    struct doca_priv_mlx5_caps caps = q->dev->card->caps;
    struct ibv_port_attr port;
    int error;

    why->step = DOCA_PRIV_MLX5_TEXT("query the port");
    error = doca_priv_mlx5_read_port(&caps, q->dev->context, &port);
    if (error == 0 && caps.is_ethernet && !caps.has_gid) {
        why->step = DOCA_PRIV_MLX5_TEXT("connect with a GID of the port");
        error = EADDRNOTAVAIL;
    }
    if (error == 0 && q->peer != NULL)
        error = doca_priv_mlx5_connect(q, &caps, q->peer, q->qp->qp_num,
                                       q->sync != NULL ? DOCA_PRIV_MLX5_SYNC_ACCESS
                                                       : (unsigned)IBV_ACCESS_REMOTE_WRITE,
                                       why);
    if (error == 0)
        error = doca_priv_mlx5_connect(q, &caps, q->qp,
                                       (q->peer != NULL ? q->peer : q->qp)->qp_num, 0, why);
    return error;
}

/* Create the objects of a queue. doca_priv_mlx5_queue_close() destroys them, however many were
 * created. Returns false on failure; errno and *why then say what failed. */
static bool doca_priv_mlx5_queue_create(struct doca_priv_mlx5_queue *q, uint32_t num_wqes,
                                        struct doca_core_refusal *why)
{
    const size_t ring = DOCA_PRIV_MLX5_RING(num_wqes);
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;

    errno = 0;
    why->step = DOCA_PRIV_MLX5_TEXT("create a completion channel");
    q->channel = sys->create_comp_channel(q->dev->context);
    if (q->channel == NULL)
        return false;
    doca_priv_mlx5_make_domain(q);
    doca_priv_mlx5_set_ring_place(q, 0, ring);
    why->step = DOCA_PRIV_MLX5_TEXT("create a completion queue");
    /* libmlx5 adds one entry and rounds up to a power of two. With a domain the ring is in the
     * queue's block, where the space is for `num_wqes` entries, a power of two. */
    q->ibv_cq = sys->create_cq(q->dev->context,
                               (int)(q->domain != NULL ? num_wqes - 1 : num_wqes), q->channel,
                               q->domain);
    if (q->ibv_cq == NULL)
        return false;
    if (q->engine == DOCA_CORE_MLX5_ENGINE_MMO) {
        why->step = DOCA_PRIV_MLX5_TEXT("register the queue's memory");
        q->opaque_mr = sys->reg_mr(q->dev->pd, q->opaque, DOCA_PRIV_MLX5_OPAQUE_BYTES,
                                   IBV_ACCESS_LOCAL_WRITE);
        if (q->opaque_mr == NULL)
            return false;
    } else {
        doca_priv_mlx5_set_ring_place(q, 2 * ring, DOCA_CORE_MLX5_PAGE);
        why->step = DOCA_PRIV_MLX5_TEXT("create the second queue pair");
        q->peer = doca_priv_mlx5_make_qp(q, 1, 1, 0);
        if (q->peer == NULL)
            return false;
    }
    doca_priv_mlx5_set_ring_place(q, ring, ring);
    why->step = DOCA_PRIV_MLX5_TEXT("create a queue pair");
    q->qp = doca_priv_mlx5_make_main_qp(q, num_wqes);
    if (q->qp == NULL)
        return false;
    if (q->opaque_mr != NULL)
        doca_priv_mlx5_model_mmo(&q->model, q->qp->qp_num, q->opaque_mr->lkey,
                                 (uintptr_t)q->opaque);
    else
        doca_priv_mlx5_model_write(&q->model, q->qp->qp_num);
    q->max_wqes = num_wqes - 1;
    why->step = DOCA_PRIV_MLX5_TEXT("provide large enough rings (mlx5dv_init_obj)");
    errno = q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? 0 : doca_priv_mlx5_get_rings(q);
    if (errno == 0)
        errno = doca_priv_mlx5_connect_all(q, why);
    return errno == 0 && doca_priv_mlx5_event_open(q, why);
}

/* Set up the part that queues of copies and of sync events have in common. `bytes`: offset of the
 * slots from the beginning of the queue. `depth`: number of slots. */
static doca_error_t doca_priv_mlx5_queue_init(struct doca_core_queue *queue, size_t bytes,
                                              uint32_t depth)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    doca_error_t rc;

    q->dev = doca_priv_mlx5_dev_of(queue->dev);
    q->engine = (uint8_t)q->dev->card->engine;
    if (q->sync != NULL && q->engine == DOCA_CORE_MLX5_ENGINE_MMO)
        q->engine = DOCA_CORE_MLX5_ENGINE_RC;
    q->slots = (struct doca_priv_mlx5_slot *)(void *)((unsigned char *)queue + bytes);
    q->end = q->slots + depth;
    q->oldest = q->slots;
    q->next = q->slots;
    doca_priv_mlx5_set_fast_path(q);
    q->max_bytes = queue->dev->info.attr.limits.dma_max_buf_size;
    q->max_fast = q->max_bytes - (q->engine == DOCA_CORE_MLX5_ENGINE_RC ? DOCA_CORE_MLX5_MAX_INLINE
                                                                          : 0);
    q->opaque = (unsigned char *)q->slots - DOCA_PRIV_MLX5_OPAQUE_BYTES;
    q->dbrec_place = q->opaque - DOCA_PRIV_MLX5_DBRECS_BYTES;
    q->status = DOCA_ERROR_IO_FAILED;
    q->fd = -1;
    if (!doca_priv_mlx5_queue_create(q, doca_priv_mlx5_num_wqes(&q->dev->card->caps, depth),
                                     &why)) {
        rc = doca_priv_mlx5_report("doca_ctx_start", queue->dev, &why);
        doca_priv_mlx5_queue_close(queue);
        return rc;
    }
    return DOCA_SUCCESS;
}

#if DOCA_CORE_TRACE
/* The poll functions of recordings: they also record when a completion is seen. */
static struct doca_task *doca_priv_mlx5_poll_traced(struct doca_core_queue *queue)
{
    struct doca_task *task =
        doca_priv_mlx5_queue_of(queue)->engine == DOCA_CORE_MLX5_ENGINE_VERBS
            ? doca_priv_mlx5_poll(queue)
            : doca_priv_mlx5_poll_fast(queue);

    if (task != NULL)
        doca_core_backend_trace_end(task);
    return task;
}

static struct doca_task *doca_priv_mlx5_sync_poll_traced(struct doca_core_queue *queue)
{
    struct doca_task *task = doca_priv_mlx5_sync_poll(queue);

    if (task != NULL)
        doca_core_backend_trace_end(task);
    return task;
}
#endif

static doca_error_t doca_priv_mlx5_queue_open(struct doca_core_queue *queue,
                                              enum doca_core_engine engine, uint32_t depth)
{
    const struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    doca_error_t rc;

    if (engine != DOCA_CORE_ENGINE_DMA)
        return DOCA_ERROR_NOT_SUPPORTED;
    rc = doca_priv_mlx5_queue_init(queue, DOCA_PRIV_MLX5_QUEUE_BYTES, depth);
    if (rc != DOCA_SUCCESS)
        return rc;
    queue->post = q->engine == DOCA_CORE_MLX5_ENGINE_MMO  ? doca_priv_mlx5_post_mmo
                  : q->engine == DOCA_CORE_MLX5_ENGINE_RC ? doca_priv_mlx5_post_rc
                                                          : doca_priv_mlx5_post;
    queue->poll = q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? doca_priv_mlx5_poll
                                                           : doca_priv_mlx5_poll_fast;
#if DOCA_CORE_TRACE
    queue->poll = doca_priv_mlx5_poll_traced;
#endif
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mlx5_sync_queue_open(struct doca_core_queue *queue,
                                                   const struct doca_core_event_place *place,
                                                   uint32_t depth)
{
    struct doca_priv_mlx5_sync *s = (struct doca_priv_mlx5_sync *)(void *)queue;
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    doca_error_t rc;

    /* The queue needs a slot more than it has tasks, for a probe (see >>mlx5.sync). */
    if (depth == UINT32_MAX)
        return DOCA_ERROR_NO_MEMORY;
    s->timer = -1;
    s->q.sync = s;
    rc = doca_priv_mlx5_queue_init(queue, DOCA_PRIV_MLX5_SYNC_BYTES, depth + 1);
    if (rc == DOCA_SUCCESS && !doca_priv_mlx5_sync_open(s, place, &why)) {
        rc = doca_priv_mlx5_report("doca_ctx_start", queue->dev, &why);
        doca_priv_mlx5_queue_close(queue);
    }
    queue->post = doca_priv_mlx5_sync_post;
    queue->poll = doca_priv_mlx5_sync_poll;
#if DOCA_CORE_TRACE
    queue->poll = doca_priv_mlx5_sync_poll_traced;
#endif
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_mlx5_get_engine(const struct doca_dev *dev,
                                                      enum doca_core_mlx5_engine *engine)
{
    const struct doca_priv_mlx5_dev *d;

    if (!doca_core_backend_is_dev(dev, __func__))
        return DOCA_ERROR_INVALID_VALUE;
    if (engine == NULL)
        return doca_core_backend_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT,
                                      __func__, dev, 0);
    if (dev->backend->enumerate != doca_priv_mlx5_enumerate)
        return doca_core_backend_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_FOREIGN,
                                      __func__, dev, 0);
    d = doca_priv_mlx5_dev_of(dev);
    if (d->card->engine == DOCA_CORE_MLX5_ENGINE_AUTO)
        return doca_core_backend_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_NO_ENGINE,
                                      __func__, dev, 0);
    *engine = d->card->engine;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_mlx5_pass_event(struct doca_dev *dev,
                                                      const struct ibv_async_event *event)
{
    if (!doca_core_backend_is_dev(dev, __func__))
        return DOCA_ERROR_INVALID_VALUE;
    if (event == NULL)
        return doca_core_backend_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT,
                                      __func__, dev, 0);
    if (dev->backend->enumerate != doca_priv_mlx5_enumerate)
        return doca_core_backend_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_FOREIGN,
                                      __func__, dev, 0);
    doca_priv_mlx5_handle_event(doca_priv_mlx5_dev_of(dev), event);
    return DOCA_SUCCESS;
}

/* Return the engine that the environment chooses. Returns AUTO when the variable is not set or has
 * an unknown value, and in set-user-ID and similar programs, because a user with fewer rights
 * controls their environment. */
static enum doca_core_mlx5_engine doca_priv_mlx5_environment(void)
{
    static const char *const names[] = { "auto", "mmo", "rc", "verbs" };
    const char *text = getauxval(AT_SECURE) == 0 ? getenv("DOCA_CORE_MLX5_ENGINE") : NULL;
    unsigned i;

    for (i = 0; text != NULL && i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(text, names[i]) == 0)
            return (enum doca_core_mlx5_engine)i;
    return DOCA_CORE_MLX5_ENGINE_AUTO;
}

static bool doca_priv_mlx5_is_in_use(void)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_MLX5_MAX_DEVS; i++)
        if (doca_priv_mlx5.devs[i].card != NULL)
            return true;
    return false;
}

DOCA_CORE_DECL const struct doca_core_backend *doca_core_mlx5_backend(
    const struct doca_core_mlx5_options *options)
{
    static struct doca_core_backend table;
    enum doca_core_mlx5_engine engine =
        options != NULL ? options->engine : DOCA_CORE_MLX5_ENGINE_AUTO;

    table.name = "mlx5";
    table.enumerate = doca_priv_mlx5_enumerate;
    table.enumerate_reps = doca_priv_mlx5_enumerate_reps;
    table.dev_open = doca_priv_mlx5_dev_open;
    table.dev_close = doca_priv_mlx5_dev_close;
    table.reg_range = doca_priv_mlx5_reg_range;
    table.dereg = doca_priv_mlx5_dereg;
    table.queue_bytes = doca_priv_mlx5_queue_bytes;
    table.queue_open = doca_priv_mlx5_queue_open;
    table.queue_close = doca_priv_mlx5_queue_close;
    table.queue_flush = doca_priv_mlx5_queue_flush;
    table.queue_ready = doca_priv_mlx5_queue_ready;
    table.queue_fd = doca_priv_mlx5_queue_fd;
    table.queue_arm = doca_priv_mlx5_queue_arm;
    table.queue_ring = doca_priv_mlx5_queue_ring;
    table.in_order = true;
    table.event_open = doca_priv_mlx5_sync_queue_open;
    table.dev_failed = doca_priv_mlx5_dev_failed;
    table.mem_export = doca_priv_mlx5_mem_export;
    table.mem_unexport = doca_priv_mlx5_mem_unexport;
    table.mem_import = doca_priv_mlx5_mem_import;
    table.mem_unimport = doca_priv_mlx5_mem_unimport;
    table.dm_alloc = doca_priv_mlx5_dm_alloc;
    table.dm_free = doca_priv_mlx5_dm_free;
    table.dm_copy = doca_priv_mlx5_dm_copy;
    table.get_pd = doca_priv_mlx5_get_pd;
    table.open_from_pd = doca_priv_mlx5_open_from_pd;
    table.clock_cap = doca_priv_mlx5_clock_cap;
    table.clock_read = doca_priv_mlx5_clock_read;
    if (doca_priv_mlx5_is_in_use())
        return &table;
    if (doca_priv_mlx5.list != NULL)
        doca_priv_mlx5.sys->free_device_list(doca_priv_mlx5.list);
    doca_priv_mlx5.sys =
        options != NULL && options->sys != NULL ? options->sys : doca_core_mlx5_real_sys();
    doca_priv_mlx5_find(engine != DOCA_CORE_MLX5_ENGINE_AUTO ? engine
                                                             : doca_priv_mlx5_environment());
    return &table;
}

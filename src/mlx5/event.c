/* ---- >>mlx5.event ---------------------------------------------------------------------------
 * Notification handles: a queue's descriptor becomes readable when a completion arrives or the
 * device fails.
 * Arming a completion queue gives the device a CQE index. The device sends one event, to the
 * completion channel of the queue, for the first CQE after this index, even if it had written that
 * CQE before the arming. The device cannot be disarmed. Therefore a queue's descriptor is an epoll
 * set that contains the channel. When the core has disarmed the queue but the device has not sent
 * its event yet, the set does not report the channel.
 * Linux limits how many chains of nested epoll sets may lead to one descriptor: 100 chains of three
 * sets (those of the queue, the PE and the program). Therefore only some queues of a device have
 * the device's own descriptor in their sets; when such a queue closes, another queue adds it.
 * A queue that detects a failure reports it to the core, and the core wakes the other queues.   */
#include "mlx5/event_priv.h"

#include "mlx5/api.h"
#include "mlx5/device_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/layout_priv.h"
#include "mlx5/order_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/queue_priv.h"
#include "mlx5/sync_priv.h"
#include "mlx5/sys.h"

#define DOCA_PRIV_MLX5_MAX_WATCHING 64

/* Add a descriptor to the queue's epoll set, or change it (`op`). The set reports the descriptor if
 * `is_on`. Returns 0, also for a negative `fd`, or -1. */
DOCA_PRIV_DECL int doca_priv_mlx5_watch(const struct doca_priv_mlx5_queue *q, int op, int fd,
                                        bool is_on)
{
    struct epoll_event event;

    memset(&event, 0, sizeof(event));
    event.events = is_on ? (uint32_t)EPOLLIN : 0;
    return fd < 0 ? 0 : epoll_ctl(q->fd, op, fd, &event);
}

/* Add the device's descriptor to the epoll sets of its queues, until DOCA_PRIV_MLX5_MAX_WATCHING
 * sets contain it. The caller holds the device's lock, so that no queue can close its epoll set
 * during the call. */
static void doca_priv_mlx5_add_watches(struct doca_priv_mlx5_dev *d)
{
    struct doca_priv_mlx5_queue *q = d->queues;

    for (; q != NULL && d->num_watching < DOCA_PRIV_MLX5_MAX_WATCHING; q = q->next_of_dev) {
        if (!q->watches_dev &&
            doca_priv_mlx5_watch(q, EPOLL_CTL_ADD, d->context->async_fd, true) == 0) {
            q->watches_dev = true;
            d->num_watching++;
        }
    }
}

/* Create the epoll set of a queue. Returns false on failure; errno and *why then say what
 * failed. */
DOCA_PRIV_DECL bool doca_priv_mlx5_event_open(struct doca_priv_mlx5_queue *q,
                                              struct doca_core_refusal *why)
{
    struct doca_priv_mlx5_dev *d = q->dev;
    bool is_watched;

    why->step = DOCA_PRIV_MLX5_TEXT("open an epoll set, and watch the queue and the device in it");
    q->fd = doca_core_backend_keep_fd(epoll_create1(EPOLL_CLOEXEC));
    if (q->fd < 0 || doca_priv_mlx5_watch(q, EPOLL_CTL_ADD, q->channel->fd, true) != 0)
        return false;
    doca_priv_mlx5_lock(&d->lock);
    q->next_of_dev = d->queues;
    d->queues = q;
    if (d->dev->from_pd == NULL)
        doca_priv_mlx5_add_watches(d);
    is_watched = d->dev->from_pd != NULL || d->num_watching > 0;
    doca_priv_mlx5_unlock(&d->lock);
    return is_watched;
}

/* True when the event says that a queue of this library will deliver no more completions. */
DOCA_PRIV_DECL bool doca_priv_mlx5_is_queue_error(struct doca_priv_mlx5_dev *d,
                                                  const struct ibv_async_event *event)
{
    const struct ibv_cq *cq = event->event_type == IBV_EVENT_CQ_ERR ? event->element.cq : NULL;
    const struct ibv_qp *qp = event->event_type == IBV_EVENT_QP_FATAL ? event->element.qp : NULL;
    const struct doca_priv_mlx5_queue *q;

    if (cq == NULL && qp == NULL)
        return false;
    doca_priv_mlx5_lock(&d->lock);
    for (q = d->queues; q != NULL; q = q->next_of_dev)
        if (cq != NULL ? q->ibv_cq == cq : q->qp == qp || q->peer == qp)
            break;
    doca_priv_mlx5_unlock(&d->lock);
    return q != NULL;
}

/* Close the epoll set and unlink the queue from its device, if event_open() has created the set. */
DOCA_PRIV_DECL void doca_priv_mlx5_event_close(struct doca_priv_mlx5_queue *q)
{
    struct doca_priv_mlx5_dev *d = q->dev;
    struct doca_priv_mlx5_queue **link = &d->queues;

    if (q->fd < 0)
        return;
    doca_priv_mlx5_lock(&d->lock);
    while (*link != NULL && *link != q)
        link = &(*link)->next_of_dev;
    if (*link != NULL)
        *link = q->next_of_dev;
    (void)close(q->fd);
    if (q->watches_dev) {
        d->num_watching--;
        doca_priv_mlx5_add_watches(d);
    }
    doca_priv_mlx5_unlock(&d->lock);
}

DOCA_PRIV_DECL int doca_priv_mlx5_queue_fd(struct doca_core_queue *queue)
{
    return doca_priv_mlx5_queue_of(queue)->fd;
}

/* Read the event of the last arming. Returns false when it has not arrived yet, and when the queue
 * was not armed. */
static bool doca_priv_mlx5_read_cq_event(struct doca_priv_mlx5_queue *q)
{
    if (!q->is_hw_armed || doca_priv_mlx5.sys->take_cq_event(q->channel) != 0)
        return false;
    q->is_hw_armed = false;
    q->arm_sn++;
    return true;
}

/* Arm the completion queue through verbs. If that fails, the queue reports that it is ready, so
 * that no thread sleeps on it. */
static void doca_priv_mlx5_arm_verbs(struct doca_priv_mlx5_queue *q)
{
    int error = doca_priv_mlx5.sys->req_notify_cq(q->ibv_cq);

    q->is_hw_armed = error == 0;
    q->has_no_events = error != 0;
    if (error == 0)
        return;
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_CALL, "doca_pe_request_notification",
                            DOCA_PRIV_MLX5_TEXT("arm the completion queue (ibv_req_notify_cq)"));
    /* Make the next call query the port. */
    __atomic_store_n(&q->dev->num_calls, 0u, __ATOMIC_RELAXED);
    (void)doca_priv_mlx5_dev_failed(q->queue.dev);
}

DOCA_PRIV_DECL void doca_priv_mlx5_queue_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    bool is_on;

    if (!doca_priv_mlx5_read_cq_event(q))
        doca_priv_mlx5_read_events(q->dev); /* an asynchronous event may have woken the thread */
    if (armed && !q->is_hw_armed) {
        if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS) {
            doca_priv_mlx5_arm_verbs(q);
        } else {
            q->is_hw_armed = true;
            doca_priv_mlx5_ring_arm(q->cq_dbrec, q->cq_uar, q->cqn, q->cq_ci, q->arm_sn);
        }
    }
    if (q->sync != NULL)
        doca_priv_mlx5_sync_arm(q->sync, armed);
    is_on = armed || !q->is_hw_armed;
    if (is_on == q->is_masked) {
        (void)doca_priv_mlx5_watch(q, EPOLL_CTL_MOD, q->channel->fd, is_on);
        q->is_masked = !is_on;
    }
}

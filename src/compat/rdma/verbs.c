/* ---- >>impl.rdma.verbs ----------------------------------------------------------------------
 * Instances and connections of devices with a protection domain of libibverbs. An instance has one
 * completion queue and one shared receive queue. Each connection has a queue pair (RC); the export
 * creates it. The exported details hold the address and number of the queue pair.
 * doca_rdma_connect() moves the queue pair to its last state at once, and the connection is UP: the
 * device repeats the requests until the peer has connected too, for DOCA_PRIV_RDMA_PATIENCE. A
 * connection ends when a task fails, or when its control queue pair tells that the peer has ended
 * (>>impl.rdma.verbs_end).                                                                       */
#include "compat/rdma/verbs_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "memory/export_priv.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/task_priv.h"
#include "compat/local/queue_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/queue_priv.h"
#include "compat/rdma/rings_priv.h"
#include "compat/rdma/verbs_caps_priv.h"
#include "compat/rdma/verbs_cm_priv.h"
#include "compat/rdma/verbs_end_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS

#define DOCA_PRIV_RDMA_PATIENCE 17 /* 0.54 s until a packet is repeated */
#define DOCA_PRIV_RDMA_READS 16    /* reads and atomic tasks of a connection at the same time */

/* Log a refused call of libibverbs. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_refused(doca_error_t code, const char *function,
                                                         const void *object, const char *step,
                                                         int error)
{
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    why.step = step;
    why.error = error;
    return doca_core_backend_refuse(code, DOCA_CORE_ITEM_RDMA_VERBS, function, object, &why);
}

/* Log a call that could not release something. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_released(const struct doca_rdma *r, int error,
                                                  const char *step)
{
    if (error != 0)
        (void)doca_priv_rdma_verbs_refused(DOCA_ERROR_DRIVER, "doca_ctx_stop", &r->ctx, step,
                                           error);
}

/* Destroy the queue pairs of a connection that has ended. Before that, the function handles the
 * completions of its receive requests. */
static void doca_priv_rdma_verbs_forget(struct doca_rdma_connection *connection)
{
    struct doca_rdma *r = connection->rdma;

    if (r == NULL || connection->qp == NULL) /* the entry was never used */
        return;
    doca_priv_rdma_verbs_forget_control(connection, r->ctx.obj.state == DOCA_CTX_STATE_RUNNING);
    doca_priv_rdma_verbs_drain(r);
    doca_priv_rdma_verbs_released(r, ibv_destroy_qp(connection->qp),
                                  DOCA_PRIV_LOG_TEXT("destroy a queue pair (ibv_destroy_qp)"));
    connection->qp = NULL;
    r->latest = NULL;
    /* the number of the queue pair may be given to another one: let none of its completions stay */
    doca_priv_rdma_verbs_drain(r);
}

static bool doca_priv_rdma_verbs_is_routed(const struct doca_rdma *r)
{
    return r->is_ethernet || r->grh_enabled != 0;
}

/* Return what the device lets the peer do, from the permissions of the instance. */
static unsigned doca_priv_rdma_verbs_qp_access(uint32_t permissions)
{
    return ((permissions & DOCA_ACCESS_FLAG_RDMA_READ) != 0 ? (unsigned)IBV_ACCESS_REMOTE_READ
                                                            : 0u) |
           ((permissions & DOCA_ACCESS_FLAG_RDMA_WRITE) != 0 ? (unsigned)IBV_ACCESS_REMOTE_WRITE
                                                             : 0u) |
           ((permissions & DOCA_ACCESS_FLAG_RDMA_ATOMIC) != 0 ? (unsigned)IBV_ACCESS_REMOTE_ATOMIC
                                                              : 0u);
}

/* Move a queue pair from RESET to INIT, where the peer may do what `access` says. Returns an errno,
 * or 0. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_to_init(struct ibv_qp *qp, unsigned access)
{
    struct ibv_qp_attr attr;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = DOCA_PRIV_RDMA_PORT;
    attr.qp_access_flags = access;
    return ibv_modify_qp(qp, &attr,
                         IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

/* Create the queue pairs of a connection. Returns false with the reason in *step and *error. */
static bool doca_priv_rdma_verbs_create_qp(struct doca_rdma_connection *connection,
                                           const char **step, int *error)
{
    struct doca_rdma *r = connection->rdma;
    struct ibv_qp_init_attr attr;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.send_cq = attr.recv_cq = r->cq;
    attr.srq = r->srq;
    attr.qp_type = IBV_QPT_RC;
    attr.cap.max_send_wr = r->send_queue_size;
    attr.cap.max_send_sge = r->send_list_len;
    attr.cap.max_inline_data = DOCA_PRIV_RDMA_INLINE;
    *step = DOCA_PRIV_LOG_TEXT("create a queue pair (ibv_create_qp)");
    connection->qp = doca_priv_rdma_rings_create_qp(r, &attr);
    if (connection->qp == NULL) { /* a long queue may have no space for data in its requests */
        attr.cap.max_inline_data = 0;
        connection->qp = doca_priv_rdma_rings_create_qp(r, &attr);
    }
    if (connection->qp == NULL) {
        *error = errno;
        return false;
    }
    r->max_inline = attr.cap.max_inline_data;
    *step = DOCA_PRIV_LOG_TEXT("find the send queue of a queue pair (mlx5dv_init_obj)");
    *error = doca_priv_rdma_rings_attach(connection);
    if (*error != 0)
        return false;
    *step = DOCA_PRIV_LOG_TEXT("bring a queue pair to INIT (ibv_modify_qp)");
    *error = doca_priv_rdma_verbs_to_init(connection->qp,
                                          doca_priv_rdma_verbs_qp_access(r->permissions));
    if (*error == 0)
        *error = doca_priv_rdma_verbs_create_control(connection, step);
    return *error == 0;
}

static doca_error_t doca_priv_rdma_verbs_describe(struct doca_rdma_connection *connection,
                                                  const char *function)
{
    struct doca_rdma *r = connection->rdma;
    struct doca_priv_rdma_place *place = &connection->place;
    const char *step;
    uint64_t psn;
    int error = 0;

    if (!doca_priv_sys_random(&psn))
        return doca_priv_fail_system(DOCA_CORE_ITEM_EXPORT_RANDOM, function, &r->ctx, NULL);
    if (!doca_priv_rdma_verbs_create_qp(connection, &step, &error)) {
        if (connection->control != NULL)
            (void)ibv_destroy_qp(connection->control);
        if (connection->qp != NULL)
            (void)ibv_destroy_qp(connection->qp);
        connection->control = connection->qp = NULL;
        return doca_priv_rdma_verbs_refused(DOCA_ERROR_OPERATING_SYSTEM, function, &r->ctx, step,
                                            error);
    }
    place->qpn = connection->qp->qp_num;
    place->psn = (uint32_t)psn & 0xffffff;
    place->control_qpn = connection->control->qp_num;
    place->control_psn = (uint32_t)(psn >> 32) & 0xffffff;
    place->lid = r->lid;
    place->mtu = (uint8_t)(r->mtu + (unsigned)IBV_MTU_256);
    if (place->mtu > r->port_mtu)
        place->mtu = r->port_mtu;
    place->has_gid = doca_priv_rdma_verbs_is_routed(r) ? 1 : 0;
    place->permissions = r->permissions;
    DOCA_CORE_MEMCPY(place->gid, r->gid, sizeof(place->gid));
    if (doca_priv_sys_machine(&place->machine) != DOCA_CORE_ITEM_NONE)
        place->machine = 0;
    /* doca_priv_export_seal() can only fail when it gets a token */
    (void)doca_priv_export_seal(&place->head, DOCA_PRIV_EXPORT_RDMA_CARD, sizeof(*place), NULL);
    return DOCA_SUCCESS;
}

static const void *doca_priv_rdma_verbs_show(const struct doca_rdma_connection *connection,
                                             size_t *bytes)
{
    *bytes = sizeof(connection->place);
    return &connection->place;
}

/* Move a queue pair to RTR, in which it receives from the peer, and then to RTS, in which it also
 * sends. Returns an errno with the step that failed, or 0. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_to_rts(const struct doca_rdma_connection *connection,
                                               const struct doca_priv_rdma_ends *ends,
                                               const struct doca_priv_rdma_place *peer,
                                               const char **step)
{
    const struct doca_rdma *r = connection->rdma;
    struct ibv_qp_attr attr;
    int error;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu =
        (enum ibv_mtu)(peer->mtu < connection->place.mtu ? peer->mtu : connection->place.mtu);
    attr.dest_qp_num = ends->peer_qpn;
    attr.rq_psn = ends->peer_psn;
    attr.max_dest_rd_atomic = (uint8_t)r->max_reads;
    attr.min_rnr_timer = DOCA_PRIV_RDMA_RNR_TIMER;
    attr.ah_attr.dlid = peer->lid;
    attr.ah_attr.sl = (uint8_t)r->sl;
    attr.ah_attr.port_num = DOCA_PRIV_RDMA_PORT;
    if (doca_priv_rdma_verbs_is_routed(r)) {
        attr.ah_attr.is_global = 1;
        attr.ah_attr.grh.hop_limit = 64;
        attr.ah_attr.grh.sgid_index = (uint8_t)r->gid_index;
        DOCA_CORE_MEMCPY(attr.ah_attr.grh.dgid.raw, peer->gid, sizeof(peer->gid));
    }
    *step = DOCA_PRIV_LOG_TEXT("bring the queue pair to RTR (ibv_modify_qp)");
    error = ibv_modify_qp(ends->qp, &attr,
                          IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                              IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    if (error != 0)
        return error;
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = DOCA_PRIV_RDMA_PATIENCE;
    attr.retry_cnt = DOCA_PRIV_RDMA_RETRIES;
    attr.rnr_retry = r->rnr_retry_count;
    attr.sq_psn = ends->psn;
    attr.max_rd_atomic = (uint8_t)r->max_reads;
    *step = DOCA_PRIV_LOG_TEXT("bring the queue pair to RTS (ibv_modify_qp)");
    return ibv_modify_qp(ends->qp, &attr,
                         IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                             IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

/* Connect both queue pairs. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_verbs_join(struct doca_rdma_connection *connection,
                                     const struct doca_priv_rdma_place *peer, const char **step)
{
    const struct doca_priv_rdma_ends ends = { connection->qp, connection->place.psn, peer->qpn,
                                              peer->psn };
    struct ibv_qp_attr attr;
    int error = doca_priv_rdma_verbs_to_rts(connection, &ends, peer, step);

    if (error == 0)
        error = doca_priv_rdma_verbs_join_control(connection, peer, step);
    if (error == 0)
        return 0;
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr)); /* leave the queue pairs as they were */
    attr.qp_state = IBV_QPS_RESET;
    if (ibv_modify_qp(connection->qp, &attr, IBV_QP_STATE) == 0)
        (void)doca_priv_rdma_verbs_to_init(
            connection->qp, doca_priv_rdma_verbs_qp_access(connection->rdma->permissions));
    (void)doca_priv_rdma_verbs_reset_control(connection);
    return error;
}

static doca_error_t doca_priv_rdma_verbs_connect(struct doca_rdma_connection *connection,
                                                 const void *details, size_t len,
                                                 const char *function)
{
    struct doca_rdma *r = connection->rdma;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_rdma_place peer;
    const char *step;
    int error;

    if (doca_priv_export_open(details, len, DOCA_PRIV_EXPORT_RDMA_CARD, DOCA_PRIV_EXPORT_RDMA_CARD,
                              &peer.head, sizeof(peer), &item) != DOCA_SUCCESS)
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, item, function, connection);
    if (peer.qpn > 0xffffff || peer.psn > 0xffffff || peer.control_qpn > 0xffffff ||
        peer.control_psn > 0xffffff || peer.mtu < (unsigned)IBV_MTU_256 ||
        peer.mtu > (unsigned)IBV_MTU_4096 ||
        (doca_priv_rdma_verbs_is_routed(r) && peer.has_gid == 0))
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_DETAILS, function,
                              connection);
    error = doca_priv_rdma_verbs_join(connection, &peer, &step);
    if (error != 0)
        return doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, function, connection,
                                            step, error);
    connection->next_live = r->live;
    r->live = connection;
    r->num_live++;
    connection->was_up = true;
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_UP);
    doca_priv_rdma_tell(connection, DOCA_PRIV_RDMA_ESTABLISHED);
    if (r->is_armed)
        (void)doca_priv_sys_event_signal(r->wake_fd);
    return DOCA_SUCCESS;
}

/* End a connection. Tasks that the device has completed end with their own status. */
static void doca_priv_rdma_verbs_down(struct doca_rdma_connection *connection, doca_error_t status,
                                      enum doca_priv_rdma_happening event)
{
    if (connection->obj.state == DOCA_PRIV_RDMA_DOWN)
        return;
    doca_priv_rdma_verbs_drain(connection->rdma);
    doca_priv_rdma_verbs_halt(connection);
    doca_priv_rdma_verbs_drain(connection->rdma);
    doca_priv_rdma_verbs_end(connection, status, event);
}

static void doca_priv_rdma_verbs_begin_stop(struct doca_ctx *ctx)
{
    struct doca_rdma *r = (struct doca_rdma *)(void *)ctx;
    uint32_t i;

    doca_priv_rdma_verbs_listen(r); /* a peer that has ended needs no goodbye */
    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE && !r->conns[i].is_free)
            doca_priv_rdma_verbs_down(&r->conns[i], DOCA_ERROR_SHUTDOWN, DOCA_PRIV_RDMA_NOTHING);
    doca_priv_rdma_verbs_limit_stop(r);
    doca_priv_rdma_cm_end_ports(r);
}

static bool doca_priv_rdma_verbs_can_stop(struct doca_ctx *ctx)
{
    return doca_priv_rdma_verbs_has_left((struct doca_rdma *)(void *)ctx);
}

/* Release what an open instance has. */
static void doca_priv_rdma_verbs_close(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    uint32_t i;

    for (i = 0; i < r->max_conns; i++) {
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE && !r->conns[i].is_free)
            doca_priv_rdma_verbs_end(&r->conns[i], DOCA_ERROR_SHUTDOWN, DOCA_PRIV_RDMA_NOTHING);
        doca_priv_rdma_verbs_forget(&r->conns[i]);
    }
    doca_priv_rdma_cm_close(r);
    doca_priv_rdma_verbs_released(
        r, doca_priv_rdma_rings_close(r),
        DOCA_PRIV_LOG_TEXT("release a parent domain (ibv_dealloc_pd, ibv_dealloc_td)"));
    if (r->srq != NULL)
        doca_priv_rdma_verbs_released(
            r, ibv_destroy_srq(r->srq),
            DOCA_PRIV_LOG_TEXT("destroy a receive queue (ibv_destroy_srq)"));
    if (r->cq != NULL) {
        doca_priv_rdma_verbs_read_events(r);
        doca_priv_rdma_verbs_released(
            r, ibv_destroy_cq(r->cq),
            DOCA_PRIV_LOG_TEXT("destroy a completion queue (ibv_destroy_cq)"));
    }
    doca_priv_rdma_verbs_close_control(r);
    if (r->channel != NULL)
        doca_priv_rdma_verbs_released(
            r, ibv_destroy_comp_channel(r->channel),
            DOCA_PRIV_LOG_TEXT("close the event channel of a completion queue "
                               "(ibv_destroy_comp_channel)"));
    doca_priv_sys_close(r->wake_fd);
    doca_priv_sys_close(r->timer_fd);
    doca_priv_sys_close(r->set);
    (void)doca_core_arena_give(r->ctx.arena, r->conns);
    r->conns = NULL;
}

/* Read the properties of the port. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_verbs_read_port(struct doca_rdma *r, const char **step)
{
    struct ibv_device_attr device;
    struct ibv_port_attr port;
    union ibv_gid gid;
    int error;

    DOCA_CORE_MEMSET(&port, 0, sizeof(port));
    *step = DOCA_PRIV_LOG_TEXT("read the limits of the device (ibv_query_device)");
    error = ibv_query_device(r->pd->context, &device);
    if (error != 0)
        return error;
    r->max_reads = device.max_qp_rd_atom < DOCA_PRIV_RDMA_READS ? (uint32_t)device.max_qp_rd_atom
                                                                : DOCA_PRIV_RDMA_READS;
    *step = DOCA_PRIV_LOG_TEXT("read the properties of the port (ibv_query_port)");
    error = ibv_query_port(r->pd->context, DOCA_PRIV_RDMA_PORT, &port);
    if (error != 0)
        return error;
    r->lid = port.lid;
    r->port_mtu = (uint8_t)port.active_mtu;
    r->is_ethernet = port.link_layer == IBV_LINK_LAYER_ETHERNET;
    if (!doca_priv_rdma_verbs_is_routed(r))
        return 0;
    *step = DOCA_PRIV_LOG_TEXT("read the GID with the index of the instance (ibv_query_gid)");
    errno = 0;
    if (ibv_query_gid(r->pd->context, DOCA_PRIV_RDMA_PORT, (int)r->gid_index, &gid) != 0)
        return errno != 0 ? errno : EINVAL;
    DOCA_CORE_MEMCPY(r->gid, gid.raw, sizeof(r->gid));
    return 0;
}

/* Create the queues that all connections share. Returns an errno with the step that failed, or 0.
 */
static int doca_priv_rdma_verbs_create_queues(struct doca_rdma *r, const char **step)
{
    const uint32_t num_receives = r->stocks[DOCA_PRIV_RDMA_RECEIVE].num;
    struct ibv_srq_init_attr attr;

    *step = DOCA_PRIV_LOG_TEXT("create the event channel of a completion queue "
                               "(ibv_create_comp_channel)");
    r->channel = ibv_create_comp_channel(r->pd->context);
    if (r->channel == NULL)
        return errno;
    *step = DOCA_PRIV_LOG_TEXT("create a completion queue (ibv_create_cq)");
    r->cq =
        ibv_create_cq(r->pd->context, (int)(r->max_conns * r->send_queue_size + num_receives + 1),
                      NULL, r->channel, 0);
    if (r->cq == NULL)
        return errno;
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.attr.max_wr = num_receives > 0 ? num_receives : 1;
    attr.attr.max_sge = r->recv_list_len;
    *step = DOCA_PRIV_LOG_TEXT("create a shared receive queue (ibv_create_srq)");
    r->srq = ibv_create_srq(r->pd, &attr);
    if (r->srq == NULL)
        return errno;
    doca_priv_rdma_rings_open(r);
    return 0;
}

/* Open the epoll set with the events of an instance. Returns an errno with the step that failed, or
 * 0. */
static int doca_priv_rdma_verbs_open_fds(struct doca_rdma *r, const char **step)
{
    int flags;

    *step = DOCA_PRIV_LOG_TEXT("open an epoll set with an eventfd, a timer and the event channel");
    r->set = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC));
    r->wake_fd = doca_priv_sys_event_open();
    r->timer_fd = doca_priv_sys_keep((int)doca_priv_sys_call(
        SYS_timerfd_create, 1 /* CLOCK_MONOTONIC */, 02004000 /* NONBLOCK, CLOEXEC */, 0, 0, 0, 0));
    flags = (int)doca_priv_sys_call(SYS_fcntl, r->channel->fd, 3 /* F_GETFL */, 0, 0, 0, 0);
    if (r->set < 0 || r->wake_fd < 0 || r->timer_fd < 0 || flags < 0 ||
        doca_priv_sys_call(SYS_fcntl, r->channel->fd, 4 /* F_SETFL */, flags | 04000 /* NONBLOCK */,
                           0, 0, 0) != 0 ||
        !doca_priv_rdma_watch(r, r->wake_fd, DOCA_PRIV_RDMA_AT_WAKE, 0) ||
        !doca_priv_rdma_watch(r, r->timer_fd, DOCA_PRIV_RDMA_AT_TIMER, 0) ||
        !doca_priv_rdma_watch(r, r->channel->fd, DOCA_PRIV_RDMA_AT_CONN, 0))
        return errno;
    return 0;
}

static doca_error_t doca_priv_rdma_verbs_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                              const char *function)
{
    struct doca_rdma *r = (struct doca_rdma *)(void *)ctx;
    const size_t bytes = doca_priv_rdma_block_bytes(r->max_conns);
    struct doca_rdma_connection *c;
    const char *step = NULL;
    void *block = NULL;
    doca_error_t rc;
    uint32_t i;
    int error;

    (void)num_tasks;
    rc = doca_priv_arena_take(ctx->arena, bytes, &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(block, 0, bytes);
    DOCA_CORE_MEMSET((unsigned char *)(void *)r + offsetof(struct doca_rdma, conns), 0,
                     sizeof(*r) - offsetof(struct doca_rdma, conns));
    r->conns = (struct doca_rdma_connection *)block;
    r->listener = r->set = r->wake_fd = r->timer_fd = r->lock_fd = -1;
    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        r->ports[i].fd = -1;
    r->queue = ctx->queue;
    ((struct doca_priv_rdma_queue *)(void *)ctx->queue)->rdma = r;
    ctx->queue->post = doca_priv_rdma_verbs_post;
    ctx->queue->poll = doca_priv_rdma_verbs_poll;
    doca_priv_listen();
    rc = ctx->dev->backend->get_pd(ctx->dev, &r->pd);
    if (rc != DOCA_SUCCESS) {
        rc = doca_priv_refused(rc, function, ctx);
    } else {
        errno = 0;
        error = doca_priv_rdma_verbs_read_port(r, &step);
        if (error == 0)
            error = doca_priv_rdma_verbs_create_queues(r, &step);
        if (error == 0)
            error = doca_priv_rdma_verbs_open_control(r, &step);
        if (error == 0)
            error = doca_priv_rdma_verbs_open_fds(r, &step);
        if (error != 0)
            rc = doca_priv_rdma_verbs_refused(DOCA_ERROR_DRIVER, function, ctx, step, error);
    }
    if (rc == DOCA_SUCCESS && r->is_of_25)
        rc = doca_priv_rdma_conn_open(r, &c, function);
    if (rc != DOCA_SUCCESS)
        doca_priv_rdma_verbs_close(ctx->queue);
    return rc == DOCA_SUCCESS && r->is_of_25 ? DOCA_ERROR_IN_PROGRESS : rc;
}

/* An instance of 2.5 is open when its connection is. */
static doca_error_t doca_priv_rdma_verbs_opening(struct doca_core_queue *queue)
{
    const struct doca_rdma *r = doca_priv_rdma_of(queue);

    if (r->conns[0].obj.state == DOCA_PRIV_RDMA_UP)
        return DOCA_SUCCESS;
    return r->conns[0].obj.state == DOCA_PRIV_RDMA_DOWN
               ? doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_GONE,
                                        "doca_pe_progress", &r->ctx, 0)
               : DOCA_ERROR_IN_PROGRESS;
}

static const struct doca_priv_engine doca_priv_rdma_verbs_engine = {
    DOCA_PRIV_ENGINE_NONE,         false,
    doca_priv_rdma_is_supported,   doca_priv_rdma_verbs_check,
    doca_priv_rdma_is_complete,    doca_priv_rdma_settle,
    doca_priv_rdma_verbs_open,     doca_priv_rdma_verbs_begin_stop,
    doca_priv_rdma_verbs_can_stop, NULL,
    doca_priv_rdma_task_bytes
};

static const struct doca_core_backend doca_priv_rdma_verbs_backend = DOCA_PRIV_LOCAL_TABLE(
    "rdma", doca_priv_rdma_queue_bytes, doca_priv_rdma_verbs_opening, doca_priv_rdma_verbs_close,
    doca_priv_rdma_verbs_flush, doca_priv_rdma_verbs_ready, doca_priv_rdma_verbs_fd,
    doca_priv_rdma_verbs_arm);

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_rdma_verbs_faults, "rdma", doca_priv_rdma_queue_bytes,
                        doca_priv_rdma_verbs_backend, DOCA_PRIV_FAULT_RDMA,
                        DOCA_PRIV_FAULT_RDMA_TASKS, doca_priv_rdma_set_fate)

static const struct doca_core_backend *doca_priv_rdma_verbs_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_rdma_verbs_backend, doca_priv_rdma_verbs_faults);
}

DOCA_PRIV_DECL const struct doca_priv_rdma_transport doca_priv_rdma_verbs = {
    &doca_priv_rdma_verbs_engine,  doca_priv_rdma_verbs_backend_of, doca_priv_rdma_verbs_forget,
    doca_priv_rdma_verbs_describe, doca_priv_rdma_verbs_show,       doca_priv_rdma_verbs_connect,
    doca_priv_rdma_verbs_down,     doca_priv_rdma_verbs_limit,      doca_priv_rdma_verbs_read_gids,
    DOCA_PRIV_RDMA_CM_CALLS
};

#endif /* DOCA_CORE_RDMA_VERBS */

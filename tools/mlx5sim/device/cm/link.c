/* Connections between identifiers. */
#define _GNU_SOURCE
#include "device/cm/link.h"
#include "device/cm/address.h"
#include "device/cm/event.h"
#include "device/cm/id.h"
#include "device/machine/gid.h"
#include "device/machine/log.h"

#include <errno.h>
#include <string.h>

enum {
    /* bytes of private data in the messages; the kernel's own header in a REQ or SIDR REQ of an
     * IP address has 36 of them */
    REQ_BYTES = 92, REP_BYTES = 196, REJ_BYTES = 148, SIDR_REQ_BYTES = 216, SIDR_REP_BYTES = 136,
    HEADER_BYTES = 36,

    REJ_TIMEOUT = 4, REJ_NO_SERVICE = 8, REJ_CONSUMER = 28,     /* reasons of a rejection */
    SIDR_NO_SERVICE = 1, SIDR_REJECTED = 2,

    DATAGRAM_QKEY = 0x01234567, /* the kernel's RDMA_UDP_QKEY */
    MTU_1024 = 3, MTU_4096 = 5,
    ACK_TIMEOUT = 17,           /* assumed; the kernel computes the value from the path */

    ATTR_STATE = 1 << 0, ATTR_ACCESS = 1 << 3, ATTR_PKEY = 1 << 4, ATTR_PORT = 1 << 5,
    ATTR_QKEY = 1 << 6, ATTR_AV = 1 << 7, ATTR_MTU = 1 << 8, ATTR_TIMEOUT = 1 << 9,
    ATTR_RETRY = 1 << 10, ATTR_RNR_RETRY = 1 << 11, ATTR_RQ_PSN = 1 << 12,
    ATTR_RD_ATOMIC = 1 << 13, ATTR_MIN_RNR = 1 << 15, ATTR_SQ_PSN = 1 << 16,
    ATTR_DEST_RD_ATOMIC = 1 << 17, ATTR_DEST = 1 << 20,
    ACCESS_REMOTE_WRITE = 2, ACCESS_REMOTE_READ = 4, ACCESS_REMOTE_ATOMIC = 8,
    STATE_INIT = 1, STATE_RTR = 2, STATE_RTS = 3
};

#define TIMEWAIT_NS 2000000000u /* assumed */

static bool is_datagram(const struct cm_id *id)
{
    return id->qp_type == IB_UVERBS_QPT_UD;
}

static void start_timer(struct cm_id *id)
{
    cm_set_deadline(id, sim_now() + machine.cm_timeout_ns);
}

void link_path(const struct sim_function *to, struct ib_uverbs_ah_attr *path)
{
    memset(path, 0, sizeof(*path));
    path->port_num = 1;
    path->dlid = to->lid;
    if (!machine.profile.ethernet)
        return;
    path->is_global = 1;
    memcpy(path->grh.dgid, to->gid, sizeof(path->grh.dgid));
    path->grh.sgid_index = GID_LINK_LOCAL_V2;
    path->grh.hop_limit = 64;
}

/* ---- events --------------------------------------------------------------------------------- */

/* Returns the room for private data of a request of this identifier. */
static size_t request_bytes(const struct cm_id *id)
{
    size_t bytes = is_datagram(id) ? SIDR_REQ_BYTES : REQ_BYTES;

    return id->src.any.sa_family == CM_AF_IB ? bytes : bytes - HEADER_BYTES;
}

/* Makes an event about what the peer sent. The message has room for `bytes` of private data; the
 * program gets all of them, as from the kernel. */
static struct cm_event *event_of_peer(struct cm_id *to, uint32_t type, int32_t status,
                                      const struct rdma_ucm_conn_param *from, size_t bytes)
{
    struct cm_event *event = cm_event_new(to, type, status);
    struct rdma_ucm_conn_param *conn;

    if (event == NULL)
        return NULL;
    if (is_datagram(to)) {
        struct rdma_ucm_ud_param *ud = &event->resp.param.ud;

        link_path(to->peer_function, &ud->ah_attr);
        ud->qp_num = from->qp_num;
        ud->qkey = from->qkey;
        memcpy(ud->private_data, from->private_data, from->private_data_len);
        ud->private_data_len = (uint8_t)bytes;
        return event;
    }
    conn = &event->resp.param.conn;
    *conn = *from;
    conn->private_data_len = (uint8_t)bytes;
    /* the identifier `to` responds to what its peer initiates, and the other way round */
    conn->responder_resources = from->initiator_depth;
    conn->initiator_depth = from->responder_resources;
    conn->valid = 0;
    return event;
}

static void post_rejected(struct cm_id *to, uint8_t reason, const void *data, size_t bytes)
{
    struct cm_event *event = cm_event_new(to, CM_REJECTED, reason);

    if (event != NULL) {
        if (bytes > 0)
            memcpy(event->resp.param.conn.private_data, data, bytes);
        event->resp.param.conn.private_data_len = REJ_BYTES;
    }
    cm_event_post(event);
}

/* Posts the refusal of a datagram request. */
static void post_sidr_refused(struct cm_id *to, uint32_t status, const void *data, size_t bytes)
{
    struct cm_event *event = cm_event_new(to, CM_UNREACHABLE, (int32_t)status);

    if (event != NULL) {
        if (bytes > 0)
            memcpy(event->resp.param.ud.private_data, data, bytes);
        event->resp.param.ud.private_data_len = SIDR_REP_BYTES;
    }
    cm_event_post(event);
}

static void unlink_peer(struct cm_id *id)
{
    if (id->peer != NULL)
        id->peer->peer = NULL;
    id->peer = NULL;
}

/* Ends the connection of an identifier before it was established. */
static void set_idle(struct cm_id *id)
{
    id->link = LINK_IDLE;
    id->listener = NULL;
    cm_set_deadline(id, 0);
}

/* ---- connect -------------------------------------------------------------------------------- */

/* Ends the unfinished connection of `id` and posts the event that reports the peer's refusal. */
static void refuse(struct cm_id *id, uint8_t reason, const void *data, size_t bytes)
{
    bool datagram = id->link == LINK_SIDR_SENT;

    set_idle(id);
    if (datagram)
        post_sidr_refused(id, reason == REJ_NO_SERVICE ? SIDR_NO_SERVICE : SIDR_REJECTED, data,
                          bytes);
    else
        post_rejected(id, reason, data, bytes);
}

/* Gives the request of `id` to the listener: makes the passive end. The request waits while the
 * listener has no room. */
static void deliver_request(struct cm_id *id, struct cm_id *listener)
{
    struct cm_event *event;
    struct cm_id *passive;

    id->listener = listener;
    if (listener->backlog == 0)
        return;
    passive = cm_id_new(listener->file, 0, id->ps, id->qp_type);
    if (passive == NULL)
        return;                 /* as if the message were lost: the request ends by its timer */
    passive->state = CM_CONNECT;
    passive->link = is_datagram(id) ? LINK_SIDR_RECEIVED : LINK_REQ_RECEIVED;
    passive->function = id->peer_function;
    passive->peer_function = id->function;
    passive->has_route = true;
    passive->src = id->dst;
    passive->dst = id->src;
    passive->remote = id->local;
    passive->responder_resources = id->local.initiator_depth;
    passive->initiator_depth = id->local.responder_resources;
    event = event_of_peer(passive, CM_CONNECT_REQUEST, 0, &id->local, request_bytes(id));
    if (event == NULL) {
        cm_id_free(passive);
        return;
    }
    passive->peer = id;
    id->peer = passive;
    id->listener = NULL;
    listener->backlog--;
    event->id = listener;
    event->request = passive;
    passive->request = event;
    event->resp.uid = listener->uid;
    cm_event_post(event);
}

void link_retry_requests(struct cm_id *listener)
{
    struct cm_id *id;

    for (id = cm_id_from(0); id != NULL && listener->backlog > 0; id = cm_id_from(id->handle + 1))
        if (id->listener == listener)
            deliver_request(id, listener);
}

int link_connect(struct cm_id *id, const struct rdma_ucm_conn_param *param)
{
    struct cm_id *listener;

    if (id->state != CM_ROUTE_RESOLVED || param->private_data_len > request_bytes(id))
        return EINVAL;
    id->local = *param;
    id->responder_resources = param->responder_resources;
    id->initiator_depth = param->initiator_depth;
    id->state = CM_CONNECT;
    id->link = is_datagram(id) ? LINK_SIDR_SENT : LINK_REQ_SENT;
    listener = cm_find_listener(id);
    if (listener == NULL) {
        refuse(id, REJ_NO_SERVICE, NULL, 0);
        return 0;
    }
    start_timer(id);
    deliver_request(id, listener);
    return 0;
}

/* ---- accept and reject ---------------------------------------------------------------------- */

static int send_rep(struct cm_id *id, const struct rdma_ucm_conn_param *param)
{
    struct cm_id *peer = id->peer;

    if (id->link != LINK_REQ_RECEIVED || peer == NULL || param->private_data_len > REP_BYTES)
        return EINVAL;
    id->local = *param;
    id->responder_resources = param->responder_resources;
    id->initiator_depth = param->initiator_depth;
    id->link = LINK_REP_SENT;
    start_timer(id);
    peer->link = LINK_REP_RECEIVED;
    peer->remote = *param;
    peer->responder_resources = param->initiator_depth;
    peer->initiator_depth = param->responder_resources;
    cm_set_deadline(peer, 0);
    cm_event_post(event_of_peer(peer, CM_CONNECT_RESPONSE, 0, param, REP_BYTES));
    return 0;
}

static int send_rtu(struct cm_id *id)
{
    struct cm_id *peer = id->peer;

    if (id->link != LINK_REP_RECEIVED || peer == NULL)
        return EINVAL;
    id->link = LINK_ESTABLISHED;
    if (peer->link != LINK_REP_SENT)
        return 0;               /* established by link_notify_established() */
    peer->link = LINK_ESTABLISHED;
    cm_set_deadline(peer, 0);
    cm_event_simple(peer, CM_ESTABLISHED, 0);
    return 0;
}

static int send_sidr_rep(struct cm_id *id, const struct rdma_ucm_conn_param *param)
{
    struct rdma_ucm_conn_param answer = *param;
    struct cm_id *peer = id->peer;

    if (!param->valid || id->link != LINK_SIDR_RECEIVED ||
        param->private_data_len > SIDR_REP_BYTES)
        return EINVAL;
    if (answer.qkey == 0)
        answer.qkey = DATAGRAM_QKEY;
    unlink_peer(id);
    set_idle(id);
    if (peer == NULL)
        return 0;               /* the answer of a datagram identifier is not acknowledged */
    set_idle(peer);
    cm_event_post(event_of_peer(peer, CM_ESTABLISHED, 0, &answer, SIDR_REP_BYTES));
    return 0;
}

int link_accept(struct cm_id *id, uint64_t uid, const struct rdma_ucm_conn_param *param)
{
    uint64_t before = id->uid;
    int err;

    if (id->state != CM_CONNECT)
        return EINVAL;
    /* the functions below may post an event of this identifier, and the event has the new uid */
    if (param->valid)
        id->uid = uid;
    if (is_datagram(id))
        err = send_sidr_rep(id, param);
    else
        err = param->valid ? send_rep(id, param) : send_rtu(id);
    if (err != 0) {
        id->uid = before;
        link_reject(id, REJ_CONSUMER, NULL, 0);
    }
    return err;
}

int link_reject(struct cm_id *id, uint8_t reason, const void *data, size_t bytes)
{
    struct cm_id *peer = id->peer;

    if (id->link == LINK_NEVER || bytes > (is_datagram(id) ? SIDR_REP_BYTES : REJ_BYTES))
        return EINVAL;
    if (id->link != LINK_SIDR_RECEIVED && id->link != LINK_REQ_SENT &&
        id->link != LINK_REQ_RECEIVED && id->link != LINK_REP_SENT &&
        id->link != LINK_REP_RECEIVED)
        return EINVAL;
    unlink_peer(id);
    set_idle(id);
    if (peer != NULL)
        refuse(peer, reason, data, bytes);
    return 0;
}

int link_notify_established(struct cm_id *id)
{
    if (id->link == LINK_ESTABLISHED)
        return EISCONN;
    if (id->link != LINK_REP_SENT)
        return EINVAL;
    id->link = LINK_ESTABLISHED;
    cm_set_deadline(id, 0);
    cm_event_simple(id, CM_ESTABLISHED, 0);
    return 0;
}

/* ---- the end of a connection ---------------------------------------------------------------- */

static void disconnected(struct cm_id *id)
{
    if (id->state != CM_CONNECT)
        return;
    id->state = CM_DISCONNECT;
    cm_event_simple(id, CM_DISCONNECTED, 0);
}

static void enter_timewait(struct cm_id *id)
{
    id->link = LINK_TIMEWAIT;
    cm_set_deadline(id, sim_now() + TIMEWAIT_NS);
}

static void send_dreq(struct cm_id *id)
{
    id->link = LINK_DREQ_SENT;
    start_timer(id);
    if (id->peer == NULL)
        return;
    id->peer->link = LINK_DREQ_RECEIVED;
    cm_set_deadline(id->peer, 0);
    disconnected(id->peer);
}

static void send_drep(struct cm_id *id)
{
    struct cm_id *peer = id->peer;

    unlink_peer(id);
    enter_timewait(id);
    if (peer == NULL)
        return;
    enter_timewait(peer);
    disconnected(peer);
}

int link_disconnect(struct cm_id *id)
{
    if (id->link == LINK_NEVER)
        return EINVAL;
    if (id->link == LINK_ESTABLISHED)
        send_dreq(id);
    else if (id->link == LINK_DREQ_RECEIVED)
        send_drep(id);
    return 0;                   /* the kernel does not report that there is no connection */
}

void link_end(struct cm_id *id)
{
    struct cm_id *other;

    if (id->link == LINK_ESTABLISHED)
        send_dreq(id);
    else if (id->link == LINK_DREQ_RECEIVED)
        send_drep(id);
    else
        link_reject(id, id->link == LINK_REQ_SENT ? REJ_TIMEOUT : REJ_CONSUMER, NULL, 0);
    unlink_peer(id);
    if (id->state != CM_LISTEN)
        return;
    id->state = CM_BOUND;
    for (other = cm_id_from(0); other != NULL; other = cm_id_from(other->handle + 1))
        if (other->listener == id)
            refuse(other, REJ_NO_SERVICE, NULL, 0);
}

void link_expired(struct cm_id *id)
{
    sim_log(SIM_TRACE, "rdma_cm %u: no answer in time", id->handle);
    if (id->state == CM_ADDR_QUERY) {
        id->state = CM_BOUND;
        cm_event_simple(id, CM_ADDR_ERROR, -ETIMEDOUT);
    } else if (id->link == LINK_TIMEWAIT) {
        id->link = LINK_IDLE;
        cm_event_simple(id, CM_TIMEWAIT_EXIT, 0);
    } else if (id->link == LINK_DREQ_SENT) {
        unlink_peer(id);
        enter_timewait(id);
        disconnected(id);
    } else {
        struct cm_id *peer = id->peer;

        unlink_peer(id);
        set_idle(id);
        if (peer != NULL)
            refuse(peer, REJ_TIMEOUT, NULL, 0);
        cm_event_simple(id, CM_UNREACHABLE, -ETIMEDOUT);
    }
}

/* ---- attributes of the QP ------------------------------------------------------------------- */

static void attr_init(const struct cm_id *id, struct ib_uverbs_qp_attr *attr)
{
    attr->qp_attr_mask = ATTR_STATE | ATTR_PKEY | ATTR_PORT;
    attr->port_num = 1;
    if (is_datagram(id)) {
        attr->qp_attr_mask |= ATTR_QKEY;
        attr->qkey = DATAGRAM_QKEY;
        return;
    }
    attr->qp_attr_mask |= ATTR_ACCESS;
    if (id->link == LINK_NEVER)
        return;
    attr->qp_access_flags = ACCESS_REMOTE_WRITE;
    if (id->responder_resources > 0)
        attr->qp_access_flags |= ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC;
}

static void attr_rtr(const struct cm_id *id, struct ib_uverbs_qp_attr *attr)
{
    attr->qp_attr_mask = ATTR_STATE | ATTR_AV | ATTR_MTU | ATTR_DEST | ATTR_RQ_PSN |
        ATTR_DEST_RD_ATOMIC | ATTR_MIN_RNR;
    link_path(id->peer_function, &attr->ah_attr);
    attr->path_mtu = machine.profile.ethernet ? MTU_1024 : MTU_4096;
    attr->dest_qp_num = id->remote.qp_num;
    attr->rq_psn = id->peer != NULL ? id->peer->psn : id->psn;
    attr->max_dest_rd_atomic = id->responder_resources;
}

static void attr_rts(const struct cm_id *id, struct ib_uverbs_qp_attr *attr)
{
    attr->qp_attr_mask = ATTR_STATE | ATTR_SQ_PSN | ATTR_TIMEOUT | ATTR_RETRY | ATTR_RNR_RETRY |
        ATTR_RD_ATOMIC;
    attr->sq_psn = id->psn;
    attr->timeout = id->has_timeout ? id->timeout : ACK_TIMEOUT;
    /* the request says how often both ends repeat; only the active end has a port of its own */
    attr->retry_cnt = id->has_port ? id->local.retry_count : id->remote.retry_count;
    attr->rnr_retry = id->remote.rnr_retry_count;
    attr->max_rd_atomic = id->initiator_depth;
}

int link_qp_attr(const struct cm_id *id, uint32_t qp_state, struct ib_uverbs_qp_attr *attr)
{
    bool is_known = id->link == LINK_REQ_RECEIVED || id->link == LINK_REP_SENT ||
        id->link == LINK_REP_RECEIVED || id->link == LINK_ESTABLISHED;

    attr->qp_state = qp_state;
    if (id->link == LINK_NEVER || is_datagram(id)) {
        attr_init(id, attr);
        return 0;
    }
    if (qp_state == STATE_INIT && (is_known || id->link == LINK_REQ_SENT))
        attr_init(id, attr);
    else if (qp_state == STATE_RTR && is_known)
        attr_rtr(id, attr);
    else if (qp_state == STATE_RTS && is_known)
        attr_rts(id, attr);
    else
        return EINVAL;
    return 0;
}

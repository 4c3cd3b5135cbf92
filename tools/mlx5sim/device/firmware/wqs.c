/*
 * Firmware commands on SQs and RQs. An SQ is a raw packet QP without a receive queue, an RQ one
 * without a send queue. All refusals are assumed.
 */
#include "device/firmware/wqs.h"
#include "device/firmware/scheds.h"
#include "device/firmware/tirs.h"
#include "device/hca/tir.h"
#include "wire/prm.h"

#include <rdma/ib_user_ioctl_verbs.h>

enum { RST = 0, RDY = 1, ERR = 3, CYCLIC = 1, SQ_STRIDE = 6 };

/* The memory of a queue: its ring and its doorbell record. */
struct ring {
    struct hca_umem *umem, *db;
    uint64_t addr, db_addr;
    uint32_t num, stride;       /* number of WQEs or WQEBBs; log2 of the bytes of one */
};

/* Reads the WQ in the context of a queue. False after devx_fail(). */
static bool read_ring(struct devx_command *c, const uint8_t *wq, struct ring *ring)
{
    uint64_t offset = prm_get(wq, prm_wq_wq_umem_offset), db_offset = prm_get(wq, prm_wq_dbr_addr);

    ring->num = 1u << prm_get(wq, prm_wq_log_wq_sz);
    ring->stride = (uint32_t)prm_get(wq, prm_wq_log_wq_stride);
    if (prm_get(wq, prm_wq_wq_type) != CYCLIC || ring->num > 1u << machine.profile.log_max_qp_sz) {
        devx_fail(c, PRM_BAD_PARAM, 0x800, "the WQ is not cyclic, or it is too large");
        return false;
    }
    ring->umem = devx_memory(c, (uint32_t)prm_get(wq, prm_wq_wq_umem_id), offset,
                             (uint64_t)ring->num << ring->stride, "the WQ is not in its umem");
    if (!ring->umem)
        return false;
    ring->db = devx_memory(c, (uint32_t)prm_get(wq, prm_wq_dbr_umem_id), db_offset, 8,
                           "the doorbell record is not in its umem");
    if (!ring->db)
        return false;
    if (ring->db->space != ring->umem->space) {
        devx_fail(c, PRM_BAD_PARAM, 0x801, "ring and doorbell record are of different processes");
        return false;
    }
    ring->addr = ring->umem->addr + offset;
    ring->db_addr = ring->db->addr + db_offset;
    return true;
}

/* Creates the queue. NULL after devx_fail(). */
static struct hca_qp *make(struct devx_command *c, struct hca_qp_attr *attr,
                           const struct ring *ring)
{
    struct hca_qp *qp;

    attr->type = IB_UVERBS_QPT_RAW_PACKET;
    attr->space = ring->umem->space;
    attr->db_addr = ring->db_addr;
    if (hca_qp_create(c->client, attr, &c->created)) {
        devx_fail(c, PRM_BAD_PARAM, 0x802, "the device does not have such queues");
        return NULL;
    }
    qp = (struct hca_qp *)c->created;
    qp->umem = ring->umem;
    qp->db_umem = ring->db;
    hca_ref(qp->umem);
    hca_ref(qp->db_umem);
    return qp;
}

/* Returns the queue of a command, or NULL after devx_fail(). */
static struct hca_qp *find(struct devx_command *c, bool is_rq)
{
    struct hca_qp *qp = devx_object(c, HCA_QP, (uint32_t)prm_get(c->in, prm_modify_qp_in_qpn),
                                    "the queue is not this client's");

    if (!qp || (is_rq ? hca_is_rq(&qp->object) : hca_is_sq(&qp->object)))
        return qp;
    devx_fail(c, PRM_BAD_RESOURCE, 0x803, "this number belongs to another kind of queue");
    return NULL;
}

/* The same for an SQ, or the send queue of a raw packet QP of verbs: its number is that of the QP.
 * The driver alone changes the state of such a QP. */
static struct hca_qp *find_any_sq(struct devx_command *c)
{
    struct hca_qp *qp = (struct hca_qp *)hca_find(HCA_QP,
                                                  (uint32_t)prm_get(c->in, prm_modify_qp_in_qpn));

    if (!qp || qp->object.client != c->client || qp->type != IB_UVERBS_QPT_RAW_PACKET ||
        qp->sq_wqebbs == 0)
        return find(c, false);
    return qp;
}

static unsigned state_of(const struct hca_qp *qp)
{
    return qp->state == QPS_RESET ? RST : qp->state == QPS_ERR || qp->state == QPS_SQE ? ERR : RDY;
}

/* True when the state can change from `from` to `to`. False after devx_fail(). */
static bool may_move(struct devx_command *c, const struct hca_qp *qp, unsigned from, unsigned to)
{
    if (from != state_of(qp)) {
        devx_fail(c, PRM_BAD_RES_STATE, 0x804, "the queue is in another state");
        return false;
    }
    if (to != from && to != RST && !(from == RST && to == RDY) && !(from == RDY && to == ERR)) {
        devx_fail(c, PRM_BAD_PARAM, 0x805, "the queue cannot change to this state");
        return false;
    }
    return true;
}

/* Changes the state to `to`; `ready` is the state of the QP that stands for RDY. */
static void move(struct hca_qp *qp, unsigned to, uint8_t ready)
{
    struct ib_uverbs_modify_qp modify = { .attr_mask = 1 };     /* IB_QP_STATE */

    if (to == state_of(qp))
        return;
    modify.qp_state = to == RST ? QPS_RESET : to == RDY ? ready : QPS_ERR;
    hca_qp_modify(&qp->object, &modify);
}

static unsigned log_of(uint32_t num)
{
    unsigned log = 0;

    while (1u << log < num)
        log++;
    return log;
}

/* ---- SQ ------------------------------------------------------------------------------------- */

/* Paces an SQ with the rate in its context. False after devx_fail(). */
static bool set_rate(struct devx_command *c, struct hca_qp *sq, const uint8_t *sqc)
{
    uint16_t index = (uint16_t)prm_get(sqc, prm_sqc_packet_pacing_rate_limit_index);

    if (pace_set(&sq->pace, c->client->function, index)) {
        sq->wake = 0;           /* it may have waited for the old rate */
        return true;
    }
    devx_fail(c, PRM_BAD_PARAM, 0x808, "no packet pacing entry has this index");
    return false;
}

/* Attaches an SQ to the scheduling element in its context. False after devx_fail(). */
static bool set_sched(struct devx_command *c, struct hca_qp *sq, const uint8_t *sqc)
{
    struct hca_sched *leaf;

    if (!devx_sched_leaf(c, (uint32_t)prm_get(sqc, prm_sqc_qos_queue_group_id), &leaf))
        return false;
    hca_qp_set_sched(sq, leaf, NULL);
    return true;
}

void devx_create_sq(struct devx_command *c)
{
    const uint8_t *sqc = PRM_AT(c->in, prm_create_sq_in_ctx), *wq = PRM_AT(sqc, prm_sqc_wq);
    struct hca_qp_attr attr = { .uidx = (uint32_t)prm_get(sqc, prm_sqc_user_index),
                                .uar_page = (uint32_t)prm_get(wq, prm_wq_uar_page) };
    struct hca_object *tis;
    struct ring ring;
    struct hca_qp *sq;

    if (!devx_has_packets(c) || !read_ring(c, wq, &ring) || !devx_uar(c, attr.uar_page))
        return;
    if (ring.stride != SQ_STRIDE || prm_get(sqc, prm_sqc_state) != RST) {
        devx_fail(c, PRM_BAD_PARAM, 0x806, "an SQ has a stride of 64 bytes and begins in RST");
        return;
    }
    attr.pd = devx_object(c, HCA_PD, (uint32_t)prm_get(wq, prm_wq_pd),
                          "the PD is not this client's");
    if (!attr.pd)
        return;
    attr.send_cq = devx_object(c, HCA_CQ, (uint32_t)prm_get(sqc, prm_sqc_cqn),
                               "the CQ is not this client's");
    tis = attr.send_cq ? devx_tis(c, (uint32_t)prm_get(sqc, prm_sqc_tis_num_0)) : NULL;
    if (!tis)
        return;
    attr.sq_addr = ring.addr;
    attr.sq_wqebbs = ring.num;
    sq = make(c, &attr, &ring);
    if (!sq || !set_rate(c, sq, sqc) || !set_sched(c, sq, sqc))
        return;
    sq->tis = tis;
    hca_ref(tis);
    prm_set(c->out, prm_create_sq_out_sqn, sq->object.number);
}

void devx_modify_sq(struct devx_command *c)
{
    enum { RATE = 1 << 0, SCHED = 1 << 2 };     /* modify_bitmask */
    const uint64_t mask = prm_get(c->in, prm_modify_sq_in_modify_bitmask);
    const uint8_t *sqc = PRM_AT(c->in, prm_modify_sq_in_ctx);
    const unsigned from = (unsigned)prm_get(c->in, prm_modify_sq_in_sq_state);
    const unsigned to = (unsigned)prm_get(sqc, prm_sqc_state);
    struct hca_qp *sq = from == to ? find_any_sq(c) : find(c, false);

    if (!sq || !may_move(c, sq, from, to))
        return;
    if ((!(mask & RATE) || set_rate(c, sq, sqc)) && (!(mask & SCHED) || set_sched(c, sq, sqc)))
        move(sq, to, QPS_RTS);
}

void devx_query_sq(struct devx_command *c)
{
    uint8_t *sqc = PRM_AT(c->out, prm_query_sq_out_sq_context), *wq = PRM_AT(sqc, prm_sqc_wq);
    const struct hca_qp *sq = find(c, false);

    if (!sq)
        return;
    prm_set(sqc, prm_sqc_state, state_of(sq));
    prm_set(sqc, prm_sqc_user_index, sq->uidx);
    prm_set(sqc, prm_sqc_packet_pacing_rate_limit_index, sq->pace.index);
    if (sq->requester)
        prm_set(sqc, prm_sqc_qos_queue_group_id, sq->requester->object.number);
    prm_set(sqc, prm_sqc_cqn, sq->send_cq->object.number);
    prm_set(wq, prm_wq_wq_type, CYCLIC);
    prm_set(wq, prm_wq_pd, sq->pd->object.number);
    prm_set(wq, prm_wq_uar_page, sq->uar_page);
    prm_set(wq, prm_wq_log_wq_stride, SQ_STRIDE);
    prm_set(wq, prm_wq_log_wq_sz, log_of(sq->sq_wqebbs));
}

/* ---- RQ ------------------------------------------------------------------------------------- */

void devx_create_rq(struct devx_command *c)
{
    const uint8_t *rqc = PRM_AT(c->in, prm_create_rq_in_ctx), *wq = PRM_AT(rqc, prm_rqc_wq);
    struct hca_qp_attr attr = { .uidx = (uint32_t)prm_get(rqc, prm_rqc_user_index),
                                .uar_page = UINT32_MAX };
    struct ring ring;
    struct hca_qp *rq;

    if (!devx_has_packets(c) || !read_ring(c, wq, &ring))
        return;
    if (prm_get(rqc, prm_rqc_mem_rq_type) || prm_get(rqc, prm_rqc_state) != RST ||
        prm_get(rqc, prm_rqc_scatter_fcs) || prm_get(rqc, prm_rqc_delay_drop_en)) {
        devx_fail(c, PRM_BAD_PARAM, 0x807, "an RQ has its own WQEs, no special features, and "
                  "begins in RST");
        return;
    }
    attr.pd = devx_object(c, HCA_PD, (uint32_t)prm_get(wq, prm_wq_pd),
                          "the PD is not this client's");
    if (!attr.pd)
        return;
    attr.recv_cq = devx_object(c, HCA_CQ, (uint32_t)prm_get(rqc, prm_rqc_cqn),
                               "the CQ is not this client's");
    if (!attr.recv_cq)
        return;
    attr.rq_addr = ring.addr;
    attr.rq_wqes = ring.num;
    attr.rq_wqe_shift = ring.stride;
    rq = make(c, &attr, &ring);
    if (rq)
        prm_set(c->out, prm_create_rq_out_rqn, rq->object.number);
}

void devx_modify_rq(struct devx_command *c)
{
    const uint8_t *rqc = PRM_AT(c->in, prm_modify_rq_in_ctx);
    const unsigned from = (unsigned)prm_get(c->in, prm_modify_rq_in_rq_state);
    const unsigned to = (unsigned)prm_get(rqc, prm_rqc_state);
    struct hca_qp *rq = find(c, true);

    if (rq && may_move(c, rq, from, to))
        move(rq, to, QPS_RTR);
}

void devx_query_rq(struct devx_command *c)
{
    uint8_t *rqc = PRM_AT(c->out, prm_query_rq_out_rq_context), *wq = PRM_AT(rqc, prm_rqc_wq);
    const struct hca_qp *rq = find(c, true);

    if (!rq)
        return;
    prm_set(rqc, prm_rqc_state, state_of(rq));
    prm_set(rqc, prm_rqc_user_index, rq->uidx);
    prm_set(rqc, prm_rqc_cqn, rq->recv_cq->object.number);
    prm_set(wq, prm_wq_wq_type, CYCLIC);
    prm_set(wq, prm_wq_pd, rq->pd->object.number);
    prm_set(wq, prm_wq_log_wq_stride, rq->rq.wqe_shift);
    prm_set(wq, prm_wq_log_wq_sz, log_of(rq->rq.num_wqes));
}

/* Queue pairs: creation, states, attributes, flushing. */
#include "device/hca/qp.h"
#include "device/hca/events.h"
#include "device/hca/mcast.h"
#include "device/hca/tis.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum {                          /* attr_mask of modify: IB_QP_* */
    QP_STATE = 1 << 0, QP_EN_SQD_ASYNC = 1 << 2, QP_ACCESS = 1 << 3, QP_PKEY = 1 << 4,
    QP_PORT = 1 << 5, QP_QKEY = 1 << 6, QP_AV = 1 << 7, QP_MTU = 1 << 8, QP_TIMEOUT = 1 << 9,
    QP_RETRY = 1 << 10, QP_RNR_RETRY = 1 << 11, QP_RQ_PSN = 1 << 12, QP_MAX_RD = 1 << 13,
    QP_ALT_PATH = 1 << 14, QP_MIN_RNR = 1 << 15, QP_SQ_PSN = 1 << 16, QP_MAX_DEST_RD = 1 << 17,
    QP_MIG_STATE = 1 << 18, QP_DEST_QPN = 1 << 20
};

/* ---- the list of QPs with work -------------------------------------------------------------- */

static struct hca_qp *work, **work_end = &work;

static void append_qp(struct hca_qp *qp)
{
    if (qp->queued)
        return;
    qp->queued = true;
    qp->next_queued = NULL;
    *work_end = qp;
    work_end = &qp->next_queued;
}

void hca_unschedule(struct hca_qp *qp)
{
    if (!qp->queued)
        return;
    for (struct hca_qp **at = &work; *at; at = &(*at)->next_queued)
        if (*at == qp) {
            *at = qp->next_queued;
            if (work_end == &qp->next_queued)
                work_end = at;
            break;
        }
    qp->queued = false;
}

void hca_schedule(struct hca_qp *qp)
{
    if (!qp->queued)
        qp->wake = 0;
    append_qp(qp);
}

uint64_t hca_run_scheduled(uint64_t now, bool (*run)(struct hca_qp *qp, uint64_t now))
{
    uint64_t next = UINT64_MAX;
    unsigned num = 0;

    /* run each QP of the list once; QPs that `run` queues meanwhile are at the end of the list */
    for (struct hca_qp *qp = work; qp; qp = qp->next_queued)
        num++;
    for (; num > 0 && work; num--) {
        struct hca_qp *qp = work;

        hca_unschedule(qp);
        if (qp->wake > now || run(qp, now))
            append_qp(qp);
    }
    for (const struct hca_qp *qp = work; qp; qp = qp->next_queued)
        if (qp->wake < next)
            next = qp->wake;
    return next;
}

/* ---- creation ------------------------------------------------------------------------------- */

static int qp_check(const struct hca_qp_attr *attr)
{
    const struct sim_profile *p = &machine.profile;

    if (attr->type != IB_UVERBS_QPT_RC && attr->type != IB_UVERBS_QPT_UC &&
        attr->type != IB_UVERBS_QPT_UD && attr->type != IB_UVERBS_QPT_XRC_INI &&
        attr->type != IB_UVERBS_QPT_XRC_TGT && attr->type != HCA_QPT_DCI &&
        attr->type != HCA_QPT_DCT && (attr->type != IB_UVERBS_QPT_RAW_PACKET || !p->ethernet))
        return EOPNOTSUPP;
    if (attr->sq_wqebbs & (attr->sq_wqebbs - 1) || attr->sq_wqebbs > 1u << p->log_max_qp_sz)
        return EINVAL;
    if (attr->rq_wqes & (attr->rq_wqes - 1) || attr->rq_wqes > 1u << p->log_max_qp_sz)
        return EINVAL;
    if (attr->rq_wqes && (attr->rq_wqe_shift < 4 || 1u << attr->rq_wqe_shift > p->max_rq_desc))
        return EINVAL;
    return 0;
}

void hca_qp_set_sched(struct hca_qp *qp, struct hca_sched *requester, struct hca_sched *responder)
{
    hca_sched_attach(&qp->requester, requester);
    hca_sched_attach(&qp->responder, responder);
    qp->wake = 0;               /* it may have waited for the old rate */
}

static void qp_release(struct hca_object *object)
{
    struct hca_qp *qp = (struct hca_qp *)object;

    hca_unschedule(qp);
    mcast_forget(qp);
    pace_set(&qp->pace, qp->object.function, 0);
    hca_qp_set_sched(qp, NULL, NULL);
    hca_unref(qp->pd);
    hca_unref(qp->send_cq);
    hca_unref(qp->recv_cq);
    hca_unref(qp->srq);
    hca_unref(qp->xrcd);
    hca_unref(qp->umem);
    hca_unref(qp->db_umem);
    hca_unref(qp->tis);
    if (qp->owns_tis)
        hca_destroy(qp->tis);
    sim_space_put(qp->space);
    sim_space_put(qp->rq.space);
}

int hca_qp_create(struct sim_client *client, const struct hca_qp_attr *attr,
                  struct hca_object **out)
{
    struct hca_qp *qp;
    int status = qp_check(attr);

    if (status)
        return status;
    qp = calloc(1, sizeof(*qp));
    if (!qp || hca_add(&qp->object, HCA_QP, client, qp_release)) {
        free(qp);
        return ENOMEM;
    }
    qp->type = attr->type;
    qp->pd = (struct hca_pd *)attr->pd;
    qp->send_cq = (struct hca_cq *)attr->send_cq;
    qp->recv_cq = (struct hca_cq *)attr->recv_cq;
    qp->srq = (struct hca_srq *)attr->srq;
    qp->xrcd = (struct hca_xrcd *)attr->xrcd;
    hca_ref(qp->pd);
    hca_ref(qp->send_cq);
    hca_ref(qp->recv_cq);
    hca_ref(qp->srq);
    hca_ref(qp->xrcd);
    qp->space = sim_space_get(attr->space);
    qp->sq_addr = attr->sq_addr;
    qp->db_addr = attr->db_addr;
    qp->sq_wqebbs = attr->sq_wqebbs;
    qp->rq = (struct hca_rq){ .space = sim_space_get(attr->space), .addr = attr->rq_addr,
        .db_addr = attr->db_addr, .num_wqes = attr->srq ? 0 : attr->rq_wqes,
        .wqe_shift = attr->rq_wqe_shift };
    qp->streams.limit = attr->type == HCA_QPT_DCI ? attr->stream_limit : 0;
    qp->uidx = attr->uidx;
    qp->uar_page = attr->uar_page;
    *out = &qp->object;
    return 0;
}

int hca_qp_add_tis(struct hca_object *object, uint32_t transport_domain)
{
    struct hca_qp *qp = (struct hca_qp *)object;

    if (hca_tis_create(object->client, transport_domain, &qp->tis)) {
        qp->tis = NULL;
        return ENOMEM;
    }
    ((struct hca_tis *)qp->tis)->is_of_qp = true;
    qp->owns_tis = true;
    hca_ref(qp->tis);
    return 0;
}

/* ---- attributes ----------------------------------------------------------------------------- */

static void set_path(struct ib_uverbs_modify_qp *to, const struct ib_uverbs_modify_qp *from)
{
    uint32_t mask = from->attr_mask;

    if (mask & QP_AV)
        to->dest = from->dest;
    if (mask & QP_ALT_PATH) {
        to->alt_dest = from->alt_dest;
        to->alt_pkey_index = from->alt_pkey_index;
        to->alt_port_num = from->alt_port_num;
        to->alt_timeout = from->alt_timeout;
    }
    if (mask & QP_MIG_STATE)
        to->path_mig_state = from->path_mig_state;
    if (mask & QP_MTU)
        to->path_mtu = from->path_mtu;
    if (mask & QP_DEST_QPN)
        to->dest_qp_num = from->dest_qp_num;
    if (mask & QP_PKEY)
        to->pkey_index = from->pkey_index;
    if (mask & QP_PORT)
        to->port_num = from->port_num;
}

static void set_transport(struct ib_uverbs_modify_qp *to, const struct ib_uverbs_modify_qp *from)
{
    uint32_t mask = from->attr_mask;

    if (mask & QP_ACCESS)
        to->qp_access_flags = from->qp_access_flags;
    if (mask & QP_QKEY)
        to->qkey = from->qkey;
    if (mask & QP_TIMEOUT)
        to->timeout = from->timeout;
    if (mask & QP_RETRY)
        to->retry_cnt = from->retry_cnt;
    if (mask & QP_RNR_RETRY)
        to->rnr_retry = from->rnr_retry;
    if (mask & QP_RQ_PSN)
        to->rq_psn = from->rq_psn;
    if (mask & QP_SQ_PSN)
        to->sq_psn = from->sq_psn;
    if (mask & QP_MAX_RD)
        to->max_rd_atomic = from->max_rd_atomic;
    if (mask & QP_MAX_DEST_RD)
        to->max_dest_rd_atomic = from->max_dest_rd_atomic;
    if (mask & QP_MIN_RNR)
        to->min_rnr_timer = from->min_rnr_timer;
    if (mask & QP_EN_SQD_ASYNC)
        to->en_sqd_async_notify = from->en_sqd_async_notify;
}

int hca_qp_modify(struct hca_object *object, const struct ib_uverbs_modify_qp *modify)
{
    struct hca_qp *qp = (struct hca_qp *)object;

    set_path(&qp->attr, modify);
    set_transport(&qp->attr, modify);
    if (!(modify->attr_mask & QP_STATE) || modify->qp_state == qp->state)
        return 0;
    sim_log(SIM_TRACE, "%s: QP %#x: state %u -> %u", object->function->name, object->number,
            qp->state, modify->qp_state);
    if (modify->qp_state == QPS_RESET) {
        hca_qp_reset(qp);
    } else if (modify->qp_state == QPS_ERR) {
        hca_qp_to_error(qp);
    } else {
        if (qp->state == QPS_RESET)
            qp->lag_port = hca_lag_port();
        qp->state = modify->qp_state;
        if (qp->state == QPS_SQD && qp->attr.en_sqd_async_notify)
            hca_event(object, SIM_EVENT_SQ_DRAINED);
        if (qp->state == QPS_RTS)
            hca_schedule(qp);
    }
    return 0;
}

void hca_qp_query(struct hca_object *object, struct ib_uverbs_query_qp_resp *resp)
{
    const struct hca_qp *qp = (const struct hca_qp *)object;
    const struct ib_uverbs_modify_qp *attr = &qp->attr;

    resp->dest = attr->dest;
    resp->alt_dest = attr->alt_dest;
    resp->qkey = attr->qkey;
    resp->rq_psn = attr->rq_psn;
    resp->sq_psn = attr->sq_psn;
    resp->dest_qp_num = attr->dest_qp_num;
    resp->qp_access_flags = attr->qp_access_flags;
    resp->pkey_index = attr->pkey_index;
    resp->alt_pkey_index = attr->alt_pkey_index;
    resp->qp_state = qp->state;
    resp->cur_qp_state = qp->state;
    resp->path_mtu = attr->path_mtu;
    resp->path_mig_state = attr->path_mig_state;
    resp->sq_draining = 0;
    resp->max_rd_atomic = attr->max_rd_atomic;
    resp->max_dest_rd_atomic = attr->max_dest_rd_atomic;
    resp->min_rnr_timer = attr->min_rnr_timer;
    resp->port_num = attr->port_num;
    resp->timeout = attr->timeout;
    resp->retry_cnt = attr->retry_cnt;
    resp->rnr_retry = attr->rnr_retry;
    resp->alt_port_num = attr->alt_port_num;
    resp->alt_timeout = attr->alt_timeout;
}

uint8_t hca_qp_state(const struct hca_object *object)
{
    return ((const struct hca_qp *)object)->state;
}

bool hca_qp_is_reliable(const struct hca_qp *qp)
{
    return qp->type != IB_UVERBS_QPT_UC && qp->type != IB_UVERBS_QPT_UD &&
        qp->type != IB_UVERBS_QPT_RAW_PACKET;
}

/* Reads and atomics need responder resources (max_dest_rd_atomic) in addition to the right; the
 * kernel driver sets the QP's bits rre and rae by the same rule. A DCT has no such attribute. */
bool hca_qp_allows(const struct hca_qp *qp, uint32_t verbs_access)
{
    if (verbs_access != IB_UVERBS_ACCESS_REMOTE_WRITE && qp->attr.max_dest_rd_atomic == 0 &&
        qp->type != HCA_QPT_DCT)
        return false;
    return (qp->attr.qp_access_flags & verbs_access) != 0;
}

/* ---- states --------------------------------------------------------------------------------- */

static void error_cqe(struct hca_qp *qp, struct hca_cq *cq, uint32_t uidx, bool requester,
                      uint16_t index, uint8_t wqe_opcode, const struct hca_outcome *outcome)
{
    struct hca_cqe cqe = { { 0 } };

    if (outcome->syndrome != PRM_SYND_WR_FLUSH)
        sim_log(SIM_INFO, "%s: QP %#x: WQE %u opcode %#x fails: syndrome %#x vendor %#x",
                qp->object.function->name, qp->object.number, index, wqe_opcode,
                outcome->syndrome, outcome->vendor);
    prm_set(cqe.bytes, prm_cqe_user_index, uidx);
    prm_set(cqe.bytes, prm_cqe_vendor_error_syndrome, outcome->vendor);
    prm_set(cqe.bytes, prm_cqe_syndrome, outcome->syndrome);
    prm_set(cqe.bytes, prm_cqe_wqe_opcode, wqe_opcode);
    prm_set(cqe.bytes, prm_cqe_qpn, qp->object.number);
    prm_set(cqe.bytes, prm_cqe_wqe_counter, index);
    prm_set(cqe.bytes, prm_cqe_opcode, requester ? PRM_CQE_REQ_ERR : PRM_CQE_RESP_ERR);
    cqe_put(cq, &cqe, false);
}

void hca_qp_error_cqe(struct hca_qp *qp, bool requester, uint16_t index, uint8_t wqe_opcode,
                      const struct hca_outcome *outcome)
{
    error_cqe(qp, requester ? qp->send_cq : qp->recv_cq, qp->uidx, requester, index, wqe_opcode,
              outcome);
}

void hca_qp_receive_error(struct hca_qp *qp, struct hca_cq *cq, uint32_t uidx, uint16_t index,
                          const struct hca_outcome *outcome)
{
    error_cqe(qp, cq, uidx, false, index, 0, outcome);
}

void hca_qp_reset(struct hca_qp *qp)
{
    hca_unschedule(qp);
    pace_set(&qp->pace, qp->object.function, 0);
    hca_qp_set_sched(qp, NULL, NULL);
    qp->state = QPS_RESET;
    qp->sq_ci = qp->sq_pi = 0;
    qp->rq.ci = qp->rq.head = 0;
    qp->no_answer_since = 0;
    qp->rnr_tries = 0;
    qp->fault_wqe = 0;
    qp->streams.num_failed = 0;
    qp->udp_sport = 0;
    qp->drain_sigerr = false;
    qp->lag_port = 0;
    qp->has_fin = false;
    memset(&qp->attr, 0, sizeof(qp->attr));
}

void hca_qp_flush_receives(struct hca_qp *qp)
{
    static const struct hca_outcome flushed = { .syndrome = PRM_SYND_WR_FLUSH };
    uint16_t producer;

    if (qp->srq || qp->rq.num_wqes == 0 || !hca_rq_producer(&qp->rq, &producer))
        return;
    for (uint32_t n = 0; qp->rq.ci != producer && n < qp->rq.num_wqes; n++) {
        hca_qp_error_cqe(qp, false, qp->rq.ci, 0, &flushed);
        qp->rq.ci++;
        qp->idle_runs = 0;
    }
}

void hca_qp_to_error(struct hca_qp *qp)
{
    bool was_connected = qp->state != QPS_RESET && qp->state != QPS_ERR;

    qp->state = QPS_ERR;
    qp->no_answer_since = 0;
    qp->has_fin = false;
    qp->idle_runs = 0;
    qp->wake = 0;
    hca_qp_flush_receives(qp);
    if (qp->srq && was_connected)
        hca_event(&qp->object, SIM_EVENT_LAST_WQE);
    hca_schedule(qp);
}

/* Firmware commands on QPs. */
#include "device/firmware/qps.h"
#include "device/firmware/scheds.h"
#include "device/hca/dci.h"
#include "device/hca/qp.h"
#include "device/hca/tis.h"
#include "wire/prm.h"

#include <rdma/ib_user_ioctl_verbs.h>

enum { ST_RC = 0, ST_UC = 1, ST_UD = 2, ST_XRC = 3, ST_DCI = 5,
       RQ_REGULAR = 0, RQ_SRQ = 1, RQ_NONE = 3 };

enum {                          /* opt_param_mask of the transitions after RST2INIT */
    OPT_RRE = 1 << 1, OPT_RAE = 1 << 2, OPT_RWE = 1 << 3, OPT_QKEY = 1 << 5, OPT_RNR = 1 << 6,
    OPT_DRAIN_SIGERR = 1 << 11, OPT_MASK_95_32_MMO = 1 << 3,        /* INIT2INIT */
    OPT_LAG_PORT = 1 << 15, OPT_MASK_95_32_STREAM = 1 << 0,     /* RTS2RTS */
    OPT_MASK_95_32_SCHED = 1 << 1,      /* INIT2INIT, RTS2RTS */
    OPT_MASK_95_32_UDP_SPORT = 1 << 2
};

/* ---- creation ------------------------------------------------------------------------------- */

static bool qp_objects(struct devx_command *c, const uint8_t *qpc, struct hca_qp_attr *attr)
{
    static const uint32_t types[8] = { [ST_RC] = IB_UVERBS_QPT_RC, [ST_UC] = IB_UVERBS_QPT_UC,
                                       [ST_UD] = IB_UVERBS_QPT_UD, [ST_DCI] = HCA_QPT_DCI };
    unsigned st = (unsigned)prm_get(qpc, prm_qpc_st);
    unsigned rq_type = (unsigned)prm_get(qpc, prm_qpc_rq_type);

    attr->type = st < 8 ? types[st] : 0;
    if (attr->type == 0) {
        devx_fail(c, PRM_BAD_PARAM, 0x701, "the transport is not RC, UC, UD or DCI");
        return false;
    }
    if (rq_type != RQ_REGULAR && rq_type != RQ_SRQ && rq_type != RQ_NONE) {
        devx_fail(c, PRM_BAD_PARAM, 0x702, "the RQ type is not supported");
        return false;
    }
    attr->pd = devx_object(c, HCA_PD, (uint32_t)prm_get(qpc, prm_qpc_pd),
                           "the QP's PD is not this client's");
    attr->send_cq = attr->pd ? devx_object(c, HCA_CQ, (uint32_t)prm_get(qpc, prm_qpc_cqn_snd),
                                           "the send CQ is not this client's") : NULL;
    if (!attr->send_cq)
        return false;
    attr->recv_cq = rq_type == RQ_NONE && !prm_get(qpc, prm_qpc_cqn_rcv)
        ? attr->send_cq : devx_object(c, HCA_CQ, (uint32_t)prm_get(qpc, prm_qpc_cqn_rcv),
                                      "the receive CQ is not this client's");
    if (!attr->recv_cq)
        return false;
    if (rq_type != RQ_SRQ)
        return true;
    attr->srq = devx_object(c, HCA_SRQ, (uint32_t)prm_get(qpc, prm_qpc_srqn_rmpn_xrqn),
                            "the SRQ or RMP is not this client's");
    return attr->srq != NULL;
}

/* Sets sizes and addresses. The receive queue comes first in memory, then the send queue. */
static bool qp_rings(struct devx_command *c, const uint8_t *qpc, struct hca_qp_attr *attr,
                     struct hca_umem **ring, struct hca_umem **db)
{
    bool has_rq = prm_get(qpc, prm_qpc_rq_type) == RQ_REGULAR;
    uint64_t offset = prm_get(c->in, prm_create_qp_in_wq_umem_offset);
    uint64_t db_offset = prm_get(qpc, prm_qpc_dbr_addr), rq_bytes, bytes;

    attr->rq_wqe_shift = (uint32_t)prm_get(qpc, prm_qpc_log_rq_stride) + 4;
    attr->rq_wqes = has_rq ? 1u << prm_get(qpc, prm_qpc_log_rq_size) : 0;
    attr->sq_wqebbs = prm_get(qpc, prm_qpc_no_sq) ? 0 : 1u << prm_get(qpc, prm_qpc_log_sq_size);
    rq_bytes = (uint64_t)attr->rq_wqes << attr->rq_wqe_shift;
    bytes = rq_bytes + attr->sq_wqebbs * 64ull;
    if (!prm_get(c->in, prm_create_qp_in_wq_umem_valid) ||
        !prm_get(qpc, prm_qpc_dbr_umem_valid)) {
        devx_fail(c, PRM_BAD_PARAM, 0x703, "rings and doorbell record must be in umems");
        return false;
    }
    *ring = devx_memory(c, (uint32_t)prm_get(c->in, prm_create_qp_in_wq_umem_id), offset, bytes,
                        "the QP's rings are not in the umem");
    *db = *ring ? devx_memory(c, (uint32_t)prm_get(qpc, prm_qpc_dbr_umem_id), db_offset, 8,
                              "the doorbell record is not in its umem") : NULL;
    if (!*db)
        return false;
    if ((*db)->space != (*ring)->space) {
        devx_fail(c, PRM_BAD_PARAM, 0x704, "rings and doorbell record belong to two processes");
        return false;
    }
    attr->space = (*ring)->space;
    attr->rq_addr = (*ring)->addr + offset;
    attr->sq_addr = attr->rq_addr + rq_bytes;
    attr->db_addr = (*db)->addr + db_offset;
    return true;
}

/* Returns the QP of a command, or NULL after devx_fail(). Raw packet QPs have other commands. */
static struct hca_qp *find_qp(struct devx_command *c)
{
    struct hca_qp *qp = devx_object(c, HCA_QP, (uint32_t)prm_get(c->in, prm_modify_qp_in_qpn),
                                    "the QP is not this client's");

    if (!qp || qp->type != IB_UVERBS_QPT_RAW_PACKET)
        return qp;
    devx_fail(c, PRM_BAD_RESOURCE, 0x715, "the number belongs to a queue for packets");
    return NULL;
}

void devx_create_qp(struct devx_command *c)
{
    const uint8_t *qpc = PRM_AT(c->in, prm_create_qp_in_qpc);
    const uint8_t *ext = PRM_AT(c->in, prm_create_qp_in_qpc_data_extension);
    bool mmo = prm_get(c->in, prm_create_qp_in_qpc_ext) && prm_get(ext, prm_qpc_ext_mmo);
    struct hca_qp_attr attr = { .uidx = (uint32_t)prm_get(qpc, prm_qpc_user_index),
                                .uar_page = (uint32_t)prm_get(qpc, prm_qpc_uar_page) };
    struct hca_umem *ring, *db;
    struct hca_qp *qp;

    if (mmo && !machine.profile.mmo) {
        devx_fail(c, PRM_BAD_PARAM, 0x705, "the device does not support MMO");
        return;
    }
    if (prm_get(qpc, prm_qpc_log_num_dci_stream_channels) > HCA_LOG_MAX_STREAMS ||
        prm_get(qpc, prm_qpc_log_num_dci_errored_streams) > HCA_LOG_MAX_FAILED_STREAMS) {
        devx_fail(c, PRM_BAD_PARAM, 0x707, "the DCI has more streams than the limit");
        return;
    }
    attr.stream_limit = (uint16_t)(1u << prm_get(qpc, prm_qpc_log_num_dci_errored_streams));
    if (!qp_objects(c, qpc, &attr) || !qp_rings(c, qpc, &attr, &ring, &db) ||
        !devx_uar(c, attr.uar_page))
        return;
    if (hca_qp_create(c->client, &attr, &c->created)) {
        devx_fail(c, PRM_BAD_PARAM, 0x706, "the QP is larger than the limit, or no QP is left");
        return;
    }
    qp = (struct hca_qp *)c->created;
    qp->mmo = mmo;
    qp->umem = ring;
    qp->db_umem = db;
    hca_ref(ring);
    hca_ref(db);
    prm_set(c->out, prm_create_qp_out_qpn, c->created->number);
}

/* ---- transitions ---------------------------------------------------------------------------- */

static uint32_t access_bits(const uint8_t *qpc, uint32_t old, uint32_t mask)
{
    const struct { uint32_t opt, access; bool on; } bits[] = {
        { OPT_RRE, IB_UVERBS_ACCESS_REMOTE_READ, prm_get(qpc, prm_qpc_rre) },
        { OPT_RWE, IB_UVERBS_ACCESS_REMOTE_WRITE, prm_get(qpc, prm_qpc_rwe) },
        { OPT_RAE, IB_UVERBS_ACCESS_REMOTE_ATOMIC, prm_get(qpc, prm_qpc_rae) }
    };

    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
        if (mask & bits[i].opt)
            old = bits[i].on ? old | bits[i].access : old & ~bits[i].access;
    return old;
}

static void from_reset(struct hca_qp *qp, const uint8_t *qpc, const uint8_t *ads)
{
    qp->attr.qp_access_flags = access_bits(qpc, 0, OPT_RRE | OPT_RWE | OPT_RAE);
    qp->attr.pkey_index = (uint16_t)prm_get(ads, prm_ads_pkey_index);
    qp->attr.port_num = (uint8_t)prm_get(ads, prm_ads_vhca_port_num);
    qp->attr.qkey = (uint32_t)prm_get(qpc, prm_qpc_q_key);
    qp->lag_port = (uint8_t)prm_get(qpc, prm_qpc_lag_tx_port_affinity);
    qp->state = QPS_INIT;
}

static void to_ready_to_receive(struct hca_qp *qp, const uint8_t *qpc, const uint8_t *ads)
{
    struct ib_uverbs_modify_qp *attr = &qp->attr;

    attr->path_mtu = (uint8_t)prm_get(qpc, prm_qpc_mtu);
    attr->dest_qp_num = (uint32_t)prm_get(qpc, prm_qpc_remote_qpn);
    attr->rq_psn = (uint32_t)prm_get(qpc, prm_qpc_next_rcv_psn);
    attr->min_rnr_timer = (uint8_t)prm_get(qpc, prm_qpc_min_rnr_nak);
    attr->max_dest_rd_atomic = (uint8_t)(1u << prm_get(qpc, prm_qpc_log_rra_max));
    attr->dest.dlid = (uint16_t)prm_get(ads, prm_ads_rlid);
    attr->dest.sl = (uint8_t)prm_get(ads, prm_ads_sl);
    attr->dest.is_global = (uint8_t)prm_get(ads, prm_ads_grh);
    qp->state = QPS_RTR;
}

static void to_ready_to_send(struct hca_qp *qp, const uint8_t *qpc, const uint8_t *ads)
{
    struct ib_uverbs_modify_qp *attr = &qp->attr;

    attr->sq_psn = (uint32_t)prm_get(qpc, prm_qpc_next_send_psn);
    attr->retry_cnt = (uint8_t)prm_get(qpc, prm_qpc_retry_count);
    attr->rnr_retry = (uint8_t)prm_get(qpc, prm_qpc_rnr_retry);
    attr->timeout = (uint8_t)prm_get(ads, prm_ads_ack_timeout);
    attr->max_rd_atomic = (uint8_t)(1u << prm_get(qpc, prm_qpc_log_sra_max));
    qp->state = QPS_RTS;
    hca_schedule(qp);
}

/* Attaches a QP to scheduling elements if the command says so. INIT2INIT and RTS2RTS have the same
 * fields. It is assumed that only reliable QPs have a responder. False after a refusal. */
static bool set_sched(struct devx_command *c, struct hca_qp *qp)
{
    const uint8_t *ext = PRM_AT(c->in, prm_rts2rts_qp_in_qpc_data_ext);
    struct hca_sched *requester, *responder;

    if (!(prm_get(c->in, prm_rts2rts_qp_in_opt_param_mask_95_32) & OPT_MASK_95_32_SCHED) ||
        !prm_get(c->in, prm_rts2rts_qp_in_qpc_ext))
        return true;
    if (!devx_sched_leaf(c, (uint32_t)prm_get(ext, prm_qpc_ext_qos_queue_group_id_requester),
                         &requester) ||
        !devx_sched_leaf(c, (uint32_t)prm_get(ext, prm_qpc_ext_qos_queue_group_id_responder),
                         &responder))
        return false;
    if (responder && !hca_qp_is_reliable(qp)) {
        devx_fail(c, PRM_BAD_PARAM, 0x718, "the QP has no responses");
        return false;
    }
    hca_qp_set_sched(qp, requester, responder);
    return true;
}

/* Handles INIT2INIT, which attaches a QP to scheduling elements and sets two bits: whether the QP
 * has the MMO engine, and whether a wrong signature stops its send queue (`drain`: the command sets
 * this bit). Only RC QPs use signature keys. False after a refusal. */
static bool init2init(struct devx_command *c, struct hca_qp *qp, const uint8_t *qpc, bool drain)
{
    const uint8_t *ext = PRM_AT(c->in, prm_init2init_qp_in_qpc_data_ext);
    uint64_t mask = prm_get(c->in, prm_init2init_qp_in_opt_param_mask_95_32);

    bool sets_mmo = prm_get(c->in, prm_init2init_qp_in_qpc_ext) && mask & OPT_MASK_95_32_MMO;

    if (drain && qp->type != IB_UVERBS_QPT_RC) {
        devx_fail(c, PRM_BAD_PARAM, 0x716, "only an RC QP has signature keys");
        return false;
    }
    if (sets_mmo && prm_get(ext, prm_qpc_ext_mmo) && !machine.profile.mmo) {
        devx_fail(c, PRM_BAD_PARAM, 0x710, "the device does not support MMO");
        return false;
    }
    if (!set_sched(c, qp))
        return false;
    if (sets_mmo)
        qp->mmo = prm_get(ext, prm_qpc_ext_mmo);
    if (drain)
        qp->drain_sigerr = prm_get(qpc, prm_qpc_drain_sigerr);
    return true;
}

/* Handles the parameters of RTS2RTS: the port of a LAG, the reset of a stream, and the UDP source
 * port of a RoCE connection. False after a refusal. */
static bool rts2rts(struct devx_command *c, struct hca_qp *qp, const uint8_t *qpc,
                    const uint8_t *ads)
{
    bool sets_lag = prm_get(c->in, prm_create_qp_in_opt_param_mask) & OPT_LAG_PORT;
    unsigned lag_port = (unsigned)prm_get(qpc, prm_qpc_lag_tx_port_affinity);
    const uint8_t *ext = PRM_AT(c->in, prm_rts2rts_qp_in_qpc_data_ext);
    uint64_t mask = prm_get(c->in, prm_rts2rts_qp_in_opt_param_mask_95_32);
    bool is_connection = qp->type == IB_UVERBS_QPT_RC || qp->type == IB_UVERBS_QPT_UC;

    if (sets_lag && (lag_port == 0 || lag_port > HCA_LAG_PORTS)) {
        devx_fail(c, PRM_BAD_PARAM, 0x717, "the LAG does not have this port");
        return false;
    }
    if (mask & OPT_MASK_95_32_UDP_SPORT && (!machine.profile.ethernet || !is_connection)) {
        devx_fail(c, PRM_BAD_PARAM, 0x713, "the QP has no UDP port");
        return false;
    }
    if (mask & OPT_MASK_95_32_STREAM &&
        (qp->type != HCA_QPT_DCI || !prm_get(c->in, prm_rts2rts_qp_in_qpc_ext) ||
         !dci_reset_stream(qp, (uint16_t)prm_get(ext, prm_qpc_ext_dci_stream_channel_id)))) {
        devx_fail(c, PRM_BAD_PARAM, 0x714, "the stream has not failed");
        return false;
    }
    if (!set_sched(c, qp))
        return false;
    if (sets_lag)
        qp->lag_port = (uint8_t)lag_port;
    if (mask & OPT_MASK_95_32_UDP_SPORT)
        qp->udp_sport = (uint16_t)prm_get(ads, prm_ads_udp_sport);
    return true;
}

static bool is_allowed(unsigned opcode, uint8_t state)
{
    switch (opcode) {
    case PRM_RST2INIT_QP: return state == QPS_RESET;
    case PRM_INIT2INIT_QP: case PRM_INIT2RTR_QP: return state == QPS_INIT;
    case PRM_RTR2RTS_QP: return state == QPS_RTR;
    case PRM_RTS2RTS_QP: return state == QPS_RTS;
    default: return true;
    }
}

void devx_modify_qp(struct devx_command *c)
{
    const uint8_t *qpc = PRM_AT(c->in, prm_create_qp_in_qpc);
    const uint8_t *ads = PRM_AT(qpc, prm_qpc_primary_address_path);
    uint32_t mask = (uint32_t)prm_get(c->in, prm_create_qp_in_opt_param_mask);
    struct hca_qp *qp = find_qp(c);

    if (!qp)
        return;
    if (qp->type == HCA_QPT_DCT) {
        devx_fail(c, PRM_BAD_RESOURCE, 0x712, "the object is a DCT");
        return;
    }
    if (!is_allowed(c->opcode, qp->state)) {
        devx_fail(c, PRM_BAD_RES_STATE, 0x711, "the state of the QP does not allow the command");
        return;
    }
    switch (c->opcode) {
    case PRM_RST2INIT_QP: from_reset(qp, qpc, ads); break;
    case PRM_INIT2INIT_QP:
        if (!init2init(c, qp, qpc, mask & OPT_DRAIN_SIGERR))
            return;
        break;
    case PRM_INIT2RTR_QP: to_ready_to_receive(qp, qpc, ads); break;
    case PRM_RTR2RTS_QP: to_ready_to_send(qp, qpc, ads); break;
    case PRM_RTS2RTS_QP:
        if (!rts2rts(c, qp, qpc, ads))
            return;
        break;
    case PRM_2ERR_QP: hca_qp_to_error(qp); return;
    case PRM_2RST_QP: hca_qp_reset(qp); return;
    default: break;
    }
    qp->attr.qp_access_flags = access_bits(qpc, qp->attr.qp_access_flags, mask);
    if (mask & OPT_QKEY)
        qp->attr.qkey = (uint32_t)prm_get(qpc, prm_qpc_q_key);
    if (mask & OPT_RNR)
        qp->attr.min_rnr_timer = (uint8_t)prm_get(qpc, prm_qpc_min_rnr_nak);
}

/* ---- query ---------------------------------------------------------------------------------- */

static unsigned log2_of(uint32_t n)
{
    unsigned log = 0;

    while (n > 1u << log && log < 31)
        log++;
    return log;
}

static void query_path(const struct hca_qp *qp, uint8_t *qpc)
{
    const struct ib_uverbs_modify_qp *attr = &qp->attr;
    uint8_t *ads = PRM_AT(qpc, prm_qpc_primary_address_path);

    prm_set(qpc, prm_qpc_mtu, attr->path_mtu);
    prm_set(qpc, prm_qpc_remote_qpn, attr->dest_qp_num);
    prm_set(qpc, prm_qpc_retry_count, attr->retry_cnt);
    prm_set(qpc, prm_qpc_rnr_retry, attr->rnr_retry);
    prm_set(qpc, prm_qpc_next_send_psn, attr->sq_psn);
    prm_set(qpc, prm_qpc_next_rcv_psn, attr->rq_psn);
    prm_set(qpc, prm_qpc_min_rnr_nak, attr->min_rnr_timer);
    prm_set(qpc, prm_qpc_log_sra_max, log2_of(attr->max_rd_atomic));
    prm_set(qpc, prm_qpc_log_rra_max, log2_of(attr->max_dest_rd_atomic));
    prm_set(qpc, prm_qpc_rre, (attr->qp_access_flags & IB_UVERBS_ACCESS_REMOTE_READ) != 0);
    prm_set(qpc, prm_qpc_rwe, (attr->qp_access_flags & IB_UVERBS_ACCESS_REMOTE_WRITE) != 0);
    prm_set(qpc, prm_qpc_rae, (attr->qp_access_flags & IB_UVERBS_ACCESS_REMOTE_ATOMIC) != 0);
    prm_set(qpc, prm_qpc_q_key, attr->qkey);
    prm_set(ads, prm_ads_pkey_index, attr->pkey_index);
    prm_set(ads, prm_ads_rlid, attr->dest.dlid);
    prm_set(ads, prm_ads_sl, attr->dest.sl);
    prm_set(ads, prm_ads_grh, attr->dest.is_global);
    prm_set(ads, prm_ads_ack_timeout, attr->timeout);
    prm_set(ads, prm_ads_udp_sport, qp->udp_sport);
    prm_set(ads, prm_ads_vhca_port_num, attr->port_num);
}

static unsigned transport_of(const struct hca_qp *qp)
{
    switch (qp->type) {
    case IB_UVERBS_QPT_RC: return ST_RC;
    case IB_UVERBS_QPT_UC: return ST_UC;
    case IB_UVERBS_QPT_UD: return ST_UD;
    case HCA_QPT_DCI: return ST_DCI;
    default: return ST_XRC;
    }
}

void devx_query_qp(struct devx_command *c)
{
    static const uint8_t states[] = { [QPS_RESET] = 0, [QPS_INIT] = 1, [QPS_RTR] = 2,
        [QPS_RTS] = 3, [QPS_SQE] = 4, [QPS_SQD] = 5, [QPS_ERR] = 6 };
    uint8_t *qpc = PRM_AT(c->out, prm_query_qp_out_qpc);
    struct hca_qp *qp = find_qp(c);

    if (!qp)
        return;
    if (qp->type == HCA_QPT_DCT) {
        devx_fail(c, PRM_BAD_RESOURCE, 0x712, "the object is a DCT");
        return;
    }
    prm_set(qpc, prm_qpc_state, states[qp->state]);
    prm_set(qpc, prm_qpc_st, transport_of(qp));
    prm_set(qpc, prm_qpc_pm_state, 3);
    prm_set(qpc, prm_qpc_drain_sigerr, qp->drain_sigerr);
    prm_set(qpc, prm_qpc_lag_tx_port_affinity, qp->lag_port);
    if (qp->pd)
        prm_set(qpc, prm_qpc_pd, qp->pd->object.number);
    prm_set(qpc, prm_qpc_log_rq_size, log2_of(qp->rq.num_wqes));
    if (qp->rq.num_wqes)
        prm_set(qpc, prm_qpc_log_rq_stride, qp->rq.wqe_shift - 4);
    prm_set(qpc, prm_qpc_no_sq, qp->sq_wqebbs == 0);
    prm_set(qpc, prm_qpc_log_sq_size, log2_of(qp->sq_wqebbs));
    prm_set(qpc, prm_qpc_uar_page, qp->uar_page & 0xffffff);
    prm_set(qpc, prm_qpc_user_index, qp->uidx);
    if (qp->send_cq)
        prm_set(qpc, prm_qpc_cqn_snd, qp->send_cq->object.number);
    if (qp->recv_cq)
        prm_set(qpc, prm_qpc_cqn_rcv, qp->recv_cq->object.number);
    prm_set(qpc, prm_qpc_rq_type, qp->srq ? RQ_SRQ : qp->rq.num_wqes ? RQ_REGULAR : RQ_NONE);
    prm_set(qpc, prm_qpc_srqn_rmpn_xrqn, qp->srq ? qp->srq->object.number : 0);
    prm_set(qpc, prm_qpc_hw_sq_wqebb_counter, qp->sq_ci);
    prm_set(qpc, prm_qpc_sw_sq_wqebb_counter, qp->sq_pi);
    prm_set(qpc, prm_qpc_hw_rq_counter, qp->rq.ci);
    query_path(qp, qpc);
}

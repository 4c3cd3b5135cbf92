/* What a send WQE asks of its peer: messages, remote reads and writes, atomics. */
#include "exec.h"

#include <endian.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum {
    GRH_BYTES = 40, UD_MTU = 4096, AV_BYTES = 48, AV_SHORT_BYTES = 16, AV_RGID = 32,
    SEG = 16, INLINE = 0x80000000u, INLINE_MASK = 0x3ff
};

/* ---- memory of the device process that is a space too --------------------------------------- */

static struct {
    uint8_t wqe[WQE_MAX];
    uint8_t grh[GRH_BYTES];
    uint8_t old[8], new[8];     /* atomics */
} own;

static struct sim_space own_space = { .pidfd = -1, .base = (uint8_t *)&own, .len = sizeof(own),
                                      .refs = 1 };

static uint64_t own_addr(const void *p)
{
    return (uint64_t)((const uint8_t *)p - (const uint8_t *)&own);
}

uint8_t *exec_wqe_memory(void)
{
    return own.wqe;
}

/* ---- segments ------------------------------------------------------------------------------- */

uint8_t exec_gather(struct hca_qp *qp, const uint8_t *at, const uint8_t *end, uint32_t need,
                    struct hca_pieces *pieces)
{
    pieces->num = 0;
    pieces->len = 0;
    while (at + SEG <= end) {
        uint64_t bytes = prm_get(at, prm_wqe_data_byte_count);

        if (bytes & INLINE) {
            bytes &= INLINE_MASK;
            if (at + 4 + bytes > end || need & HCA_LOCAL_WRITE)
                return PRM_SYND_LOCAL_QP_OP;
            if (!hca_pieces_add(pieces, &own_space, own_addr(at + 4), bytes))
                return PRM_SYND_LOCAL_QP_OP;
            at += (4 + bytes + SEG - 1) / SEG * SEG;
            continue;
        }
        if (bytes == 0)
            bytes = 1ull << 31;
        if (!hca_mkey_map(qp->object.function, qp->pd, (uint32_t)prm_get(at, prm_wqe_data_lkey),
                          prm_get(at, prm_wqe_data_addr), bytes, need, pieces))
            return PRM_SYND_LOCAL_PROT;
        at += SEG;
    }
    if (pieces->len > 1ull << machine.profile.log_max_msg)
        return PRM_SYND_LOCAL_LENGTH;
    return 0;
}

bool hca_rq_producer(struct hca_rq *rq, uint16_t *producer)
{
    uint32_t counter;

    if (!hca_read_be32(rq->space, rq->db_addr, &counter))
        return false;
    *producer = (uint16_t)counter;
    return true;
}

static void srq_taken(struct hca_srq *srq, uint16_t left)
{
    if (srq->limit && left < srq->limit) {
        srq->limit = 0;
        uverbs_event(&srq->object, SIM_EVENT_SRQ_LIMIT);
    }
}

/* The scatter list of a receive WQE ends at the invalid lkey; empty entries are passed over. */
static bool map_receive(struct hca_qp *qp, struct hca_pd *pd, const uint8_t *wqe, uint32_t bytes,
                        struct hca_pieces *pieces)
{
    pieces->num = 0;
    pieces->len = 0;
    for (const uint8_t *at = wqe; at + SEG <= wqe + bytes; at += SEG) {
        uint32_t key = (uint32_t)prm_get(at, prm_wqe_data_lkey);
        uint64_t len = prm_get(at, prm_wqe_data_byte_count);

        if (key == PRM_INVALID_LKEY)
            break;
        if (len && !hca_mkey_map(qp->object.function, pd, key, prm_get(at, prm_wqe_data_addr),
                                 len & ~INLINE, HCA_LOCAL_WRITE, pieces))
            return false;
    }
    return true;
}

enum hca_take hca_take_receive(struct hca_qp *qp, struct hca_receive *receive)
{
    struct hca_rq *rq = qp->srq ? &qp->srq->rq : &qp->rq;
    struct hca_pd *pd = qp->srq ? qp->srq->pd : qp->pd;
    uint32_t bytes = 1u << rq->wqe_shift, skip = rq->headed ? SEG : 0;
    uint8_t wqe[WQE_MAX];
    uint16_t producer;
    uint32_t slot;

    if (rq->num_wqes == 0 || bytes > WQE_MAX || !hca_rq_producer(rq, &producer) ||
        rq->ci == producer)
        return TAKE_EMPTY;
    if ((uint16_t)(producer - rq->ci) > rq->num_wqes)
        sim_violation(qp->object.client, "QP %#x: %u receives are posted to a queue of %u",
                      qp->object.number, (uint16_t)(producer - rq->ci), rq->num_wqes);
    slot = (rq->linked ? rq->head : rq->ci) & (rq->num_wqes - 1);
    receive->index = rq->linked ? (uint16_t)slot : rq->ci;
    rq->ci++;
    if (sim_read(rq->space, rq->addr + ((uint64_t)slot << rq->wqe_shift), wqe, bytes))
        return TAKE_BAD;
    if (rq->linked)
        rq->head = (uint16_t)prm_get(wqe, prm_wqe_next_next_wqe_index);
    if (qp->srq)
        srq_taken(qp->srq, (uint16_t)(producer - rq->ci));
    if (!map_receive(qp, pd, wqe + skip, bytes - skip, &receive->pieces))
        return TAKE_BAD;
    receive->room = receive->pieces.len;
    return TAKE_OK;
}

/* ---- the peer ------------------------------------------------------------------------------- */

struct request {
    struct hca_qp *qp, *peer;
    const struct hca_wqe *wqe;
    const uint8_t *at, *end;    /* segments after the control segment that are not yet used */
    struct hca_outcome *outcome;
    bool reliable, datagram;
    const uint8_t *av;
};

static struct hca_pieces local, remote;
static struct hca_receive receive;

static int fail(struct request *r, uint8_t syndrome)
{
    r->outcome->syndrome = syndrome;
    return WQE_DONE;
}

/* The responder refuses: a reliable requester is told so, an unreliable one never hears of it. */
static int refuse(struct request *r, uint8_t syndrome, unsigned event)
{
    if (!r->reliable)
        return WQE_DONE;
    if (event)
        uverbs_event(&r->peer->object, event);
    hca_qp_to_error(r->peer);
    return fail(r, syndrome);
}

static struct hca_qp *find_peer(const struct hca_qp *qp, uint32_t qpn)
{
    struct hca_qp *peer = (struct hca_qp *)hca_find(HCA_QP, qpn);

    if (!peer || peer->type != qp->type || peer->object.function->fatal)
        return NULL;
    /* a QP that is connected elsewhere drops what comes from here, as packet numbers are wrong */
    if (qp->type != IB_UVERBS_QPT_UD && peer->attr.dest_qp_num != qp->object.number)
        return NULL;
    return peer->state == QPS_RTR || peer->state == QPS_RTS || peer->state == QPS_SQD ||
           peer->state == QPS_SQE ? peer : NULL;
}

/* A peer that is not there: the request is sent again until timeout and retry count are used up. */
static int retry(struct request *r)
{
    const struct ib_uverbs_modify_qp *attr = &r->qp->attr;
    uint64_t now = sim_now(), waited, interval, patience;

    if (r->qp->waits_since == 0)
        r->qp->waits_since = now;
    waited = now - r->qp->waits_since;
    patience = (4096ull << (attr->timeout & 31)) * (attr->retry_cnt + 1u);
    if (attr->timeout && waited >= patience)
        return fail(r, PRM_SYND_RETRY_EXC);
    interval = waited / 8 < 200000 ? 200000 : waited / 8 > 20000000 ? 20000000 : waited / 8;
    if (attr->timeout && interval > patience - waited)
        interval = patience - waited;
    r->qp->wake = now + interval;
    return WQE_WAIT;
}

/* The responder has no receive: the request is sent again after the time the responder asks for. */
static int not_ready(struct request *r)
{
    static const uint16_t tens_of_us[32] = { 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128,
        192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576,
        32768, 49152 };
    unsigned timer = r->peer->attr.min_rnr_timer & 31;
    uint64_t us = timer ? tens_of_us[timer] * 10ull : 655360;

    if (!r->reliable)
        return WQE_DONE;
    if (r->qp->attr.rnr_retry < 7 && r->qp->rnr_tries >= r->qp->attr.rnr_retry)
        return fail(r, PRM_SYND_RNR_RETRY_EXC);
    r->qp->rnr_tries++;
    r->qp->waits_since = 0;
    r->qp->wake = sim_now() + us * 1000;
    return WQE_WAIT;
}

/* Whose memory was it that could not be copied? */
static bool can_read(const struct hca_pieces *pieces)
{
    uint8_t byte;

    for (uint32_t i = 0; i < pieces->num; i++)
        if (sim_read(pieces->piece[i].space, pieces->piece[i].addr, &byte, 1) ||
            sim_read(pieces->piece[i].space, pieces->piece[i].addr + pieces->piece[i].len - 1,
                     &byte, 1))
            return false;
    return true;
}

/* ---- messages ------------------------------------------------------------------------------- */

static bool has_grh(const struct request *r)
{
    return r->datagram && prm_get(r->av, prm_wqe_av_extended) && prm_get(r->av, prm_wqe_av_grh);
}

static void complete_receive(struct request *r, unsigned opcode, uint64_t bytes)
{
    struct hca_cqe cqe = { { 0 } };

    prm_set(cqe.bytes, prm_cqe_slid, r->qp->object.function->lid);
    prm_set(cqe.bytes, prm_cqe_grh, has_grh(r));
    if (r->datagram)
        prm_set(cqe.bytes, prm_cqe_sl, prm_get(r->av, prm_wqe_av_sl));
    prm_set(cqe.bytes, prm_cqe_rqpn, r->qp->object.number);
    prm_set(cqe.bytes, prm_cqe_user_index, r->peer->uidx);
    prm_set(cqe.bytes, prm_cqe_imm_inval_pkey, prm_get(r->wqe->bytes, prm_wqe_ctrl_imm));
    prm_set(cqe.bytes, prm_cqe_byte_cnt, bytes);
    prm_set(cqe.bytes, prm_cqe_qpn, r->peer->object.number);
    prm_set(cqe.bytes, prm_cqe_wqe_counter, receive.index);
    prm_set(cqe.bytes, prm_cqe_opcode, opcode);
    cqe_put(r->peer->recv_cq, &cqe, prm_get(r->wqe->bytes, prm_wqe_ctrl_se));
}

static int receive_failed(struct request *r, uint8_t responder, uint8_t requester)
{
    const struct hca_outcome outcome = { .syndrome = responder };

    if (r->datagram)
        return WQE_DONE;
    cqe_error(r->peer, false, receive.index, 0, &outcome);
    hca_qp_to_error(r->peer);
    return r->reliable ? fail(r, requester) : WQE_DONE;
}

static void build_grh(struct request *r, uint64_t bytes)
{
    uint8_t *grh = own.grh;
    uint32_t first;

    memset(grh, 0, GRH_BYTES);
    if (!has_grh(r))
        return;
    first = htobe32(6u << 28 | (uint32_t)prm_get(r->av, prm_wqe_av_tclass) << 20 |
                    (uint32_t)prm_get(r->av, prm_wqe_av_flow_label));
    memcpy(grh, &first, 4);
    grh[4] = (uint8_t)(bytes >> 8);
    grh[5] = (uint8_t)bytes;
    grh[6] = 0x1b;              /* next header: IB transport */
    grh[7] = (uint8_t)prm_get(r->av, prm_wqe_av_hop_limit);
    memcpy(grh + 8, r->qp->object.function->gid, 16);
    memcpy(grh + 24, r->av + AV_RGID, 16);
}

static int send_message(struct request *r)
{
    uint8_t opcode = r->wqe->opcode;
    uint64_t skip = r->datagram ? GRH_BYTES : 0, bytes;
    struct hca_pieces grh = { 0 };
    struct hca_piece grh_piece = { &own_space, own_addr(own.grh), GRH_BYTES };
    enum hca_take take = hca_take_receive(r->peer, &receive);

    if (take == TAKE_EMPTY)
        return not_ready(r);
    if (take == TAKE_BAD)
        return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    if (receive.room < local.len + skip)
        return receive_failed(r, PRM_SYND_LOCAL_LENGTH, PRM_SYND_REMOTE_INVAL_REQ);
    bytes = local.len + skip;
    if (skip) {
        build_grh(r, local.len);
        grh = (struct hca_pieces){ &grh_piece, 1, 1, GRH_BYTES };
        if (hca_pieces_copy(&receive.pieces, 0, &grh, GRH_BYTES))
            return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    }
    if (hca_pieces_copy(&receive.pieces, skip, &local, local.len)) {
        if (!can_read(&local))
            return fail(r, PRM_SYND_LOCAL_PROT);
        return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    }
    if (opcode == PRM_WQE_SEND_INVAL &&
        !umr_invalidate(r->peer, (uint32_t)prm_get(r->wqe->bytes, prm_wqe_ctrl_imm)))
        return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    complete_receive(r, opcode == PRM_WQE_SEND ? PRM_CQE_RESP_SEND
                        : opcode == PRM_WQE_SEND_IMM ? PRM_CQE_RESP_SEND_IMM
                                                     : PRM_CQE_RESP_SEND_INV, bytes);
    r->outcome->bytes = (uint32_t)local.len;
    return WQE_DONE;
}

/* ---- remote memory -------------------------------------------------------------------------- */

static bool map_remote(struct request *r, const uint8_t *raddr, uint64_t bytes, uint32_t need)
{
    uint32_t key = (uint32_t)prm_get(raddr, prm_wqe_raddr_rkey);
    const struct hca_mkey *mkey = hca_mkey_find(r->peer->object.function, key);

    remote.num = 0;
    remote.len = 0;
    if (bytes == 0)
        return true;
    if (mkey && mkey->qpn != HCA_ANY_QP && mkey->qpn != r->peer->object.number) {
        sim_log(SIM_INFO, "%s: mkey %#x is bound to QP %#x, not %#x",
                r->peer->object.function->name, key, mkey->qpn, r->peer->object.number);
        return false;
    }
    return hca_mkey_map(r->peer->object.function, r->peer->pd, key,
                        prm_get(raddr, prm_wqe_raddr_raddr), bytes, need, &remote);
}

static int write_memory(struct request *r, const uint8_t *raddr)
{
    enum hca_take take;

    if (!hca_qp_allows(r->peer, IB_UVERBS_ACCESS_REMOTE_WRITE))
        return refuse(r, PRM_SYND_REMOTE_INVAL_REQ, SIM_EVENT_WQ_INVALID_REQ);
    if (!map_remote(r, raddr, local.len, HCA_REMOTE_WRITE))
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    if (r->wqe->opcode == PRM_WQE_WRITE_IMM) {
        take = hca_take_receive(r->peer, &receive);
        if (take == TAKE_EMPTY)
            return not_ready(r);
        if (take == TAKE_BAD)
            return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    }
    if (hca_pieces_copy(&remote, 0, &local, local.len)) {
        if (!can_read(&local))
            return fail(r, PRM_SYND_LOCAL_PROT);
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    }
    if (r->wqe->opcode == PRM_WQE_WRITE_IMM)
        complete_receive(r, PRM_CQE_RESP_WRITE_IMM, local.len);
    r->outcome->bytes = (uint32_t)local.len;
    return WQE_DONE;
}

static int read_memory(struct request *r, const uint8_t *raddr)
{
    if (!hca_qp_allows(r->peer, IB_UVERBS_ACCESS_REMOTE_READ))
        return refuse(r, PRM_SYND_REMOTE_INVAL_REQ, SIM_EVENT_WQ_INVALID_REQ);
    if (!map_remote(r, raddr, local.len, HCA_REMOTE_READ))
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    if (hca_pieces_copy(&local, 0, &remote, local.len)) {
        if (can_read(&remote))
            return fail(r, PRM_SYND_LOCAL_PROT);
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    }
    r->outcome->bytes = (uint32_t)local.len;
    return WQE_DONE;
}

/* Atomic among what this device does; the client's own stores may come between. */
static int atomic(struct request *r, const uint8_t *raddr, const uint8_t *operands)
{
    struct hca_piece old_piece = { &own_space, own_addr(own.old), 8 };
    struct hca_piece new_piece = { &own_space, own_addr(own.new), 8 };
    const struct hca_pieces old = { &old_piece, 1, 1, 8 }, new = { &new_piece, 1, 1, 8 };
    uint64_t swap_add = prm_get(operands, prm_wqe_atomic_swap_add), value;

    if (!hca_qp_allows(r->peer, IB_UVERBS_ACCESS_REMOTE_ATOMIC) ||
        prm_get(raddr, prm_wqe_raddr_raddr) % 8)
        return refuse(r, PRM_SYND_REMOTE_INVAL_REQ, SIM_EVENT_WQ_INVALID_REQ);
    if (!map_remote(r, raddr, 8, HCA_ATOMIC) || hca_pieces_copy(&old, 0, &remote, 8))
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    memcpy(&value, own.old, 8);
    if (r->wqe->opcode == PRM_WQE_FA)
        value += swap_add;
    else if (value == prm_get(operands, prm_wqe_atomic_compare))
        value = swap_add;
    memcpy(own.new, &value, 8);
    if (hca_pieces_copy(&remote, 0, &new, 8))
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    if (hca_pieces_copy(&local, 0, &old, 8))
        return fail(r, PRM_SYND_LOCAL_PROT);
    r->outcome->bytes = 8;
    return WQE_DONE;
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Takes `bytes` from the segments; NULL when there are fewer. */
static const uint8_t *segment(struct request *r, unsigned bytes)
{
    const uint8_t *at = r->at;

    if ((size_t)(r->end - at) < bytes)
        return NULL;
    r->at += bytes;
    return at;
}

static struct hca_qp *datagram_peer(struct request *r)
{
    struct hca_qp *peer = find_peer(r->qp, (uint32_t)prm_get(r->av, prm_wqe_av_dqpn));
    uint32_t qkey = (uint32_t)prm_get(r->av, prm_wqe_av_q_key);

    if (qkey & 0x80000000u)
        qkey = r->qp->attr.qkey;
    return peer && peer->attr.qkey == qkey ? peer : NULL;
}

static bool allowed(const struct request *r)
{
    uint8_t opcode = r->wqe->opcode;

    switch (r->qp->type) {
    case IB_UVERBS_QPT_UD: return opcode == PRM_WQE_SEND || opcode == PRM_WQE_SEND_IMM;
    case IB_UVERBS_QPT_UC: return opcode != PRM_WQE_READ && opcode != PRM_WQE_CAS &&
                                  opcode != PRM_WQE_FA;
    default: return true;
    }
}

static int dispatch(struct request *r, const uint8_t *raddr, const uint8_t *operands)
{
    switch (r->wqe->opcode) {
    case PRM_WQE_WRITE: case PRM_WQE_WRITE_IMM: return write_memory(r, raddr);
    case PRM_WQE_READ: return read_memory(r, raddr);
    case PRM_WQE_CAS: case PRM_WQE_FA: return atomic(r, raddr, operands);
    default: return send_message(r);
    }
}

int exec_request(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    struct request r = { .qp = qp, .wqe = wqe, .at = wqe->bytes + SEG,
        .end = wqe->bytes + wqe->ds * SEG, .outcome = outcome,
        .reliable = qp->type == IB_UVERBS_QPT_RC, .datagram = qp->type == IB_UVERBS_QPT_UD };
    bool is_atomic = wqe->opcode == PRM_WQE_CAS || wqe->opcode == PRM_WQE_FA;
    bool to_local = wqe->opcode == PRM_WQE_READ || is_atomic;
    bool is_send = wqe->opcode == PRM_WQE_SEND || wqe->opcode == PRM_WQE_SEND_IMM ||
                   wqe->opcode == PRM_WQE_SEND_INVAL;
    const uint8_t *raddr = NULL, *operands = NULL;
    uint8_t syndrome;

    if (!allowed(&r))
        return fail(&r, PRM_SYND_LOCAL_QP_OP);
    if (r.datagram) {
        r.av = segment(&r, AV_SHORT_BYTES);
        if (r.av && prm_get(r.av, prm_wqe_av_extended) &&
            !segment(&r, AV_BYTES - AV_SHORT_BYTES))
            r.av = NULL;
    }
    if (!is_send)
        raddr = segment(&r, SEG);
    if (is_atomic)
        operands = segment(&r, SEG);
    if ((r.datagram && !r.av) || (!is_send && !raddr) || (is_atomic && !operands))
        return fail(&r, PRM_SYND_LOCAL_QP_OP);
    syndrome = exec_gather(qp, r.at, r.end, to_local ? HCA_LOCAL_WRITE : HCA_LOCAL_READ, &local);
    if (syndrome || (is_atomic && local.len != 8) || (r.datagram && local.len > UD_MTU))
        return fail(&r, syndrome ? syndrome : PRM_SYND_LOCAL_LENGTH);
    r.peer = r.datagram ? datagram_peer(&r) : find_peer(qp, qp->attr.dest_qp_num);
    if (!r.peer)
        return r.reliable ? retry(&r) : WQE_DONE;
    qp->waits_since = 0;
    return dispatch(&r, raddr, operands);
}

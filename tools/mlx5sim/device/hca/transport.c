/* Send WQEs that need a peer: messages, remote reads and writes, atomics. */
#include "device/hca/transport.h"
#include "device/hca/events.h"
#include "device/hca/grh.h"
#include "device/hca/mcast.h"
#include "device/hca/mkey.h"
#include "device/hca/odp.h"
#include "device/hca/peer.h"
#include "device/hca/receive.h"
#include "device/hca/stage.h"
#include "device/hca/steering.h"
#include "device/hca/tm.h"
#include "device/hca/umr.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum {
    UD_MTU = 4096, AV_BYTES = 48, AV_SHORT_BYTES = 16,
    MULTICAST_QPN = 0xffffff, SEG = 16, INLINE = 0x80000000u, INLINE_MASK = 0x3ff
};

/* ---- memory of the device process ----------------------------------------------------------- */

/* Memory that requests read or write in addition to that of programs. It is made a space, so that
 * it can be a piece in a list of pieces. */
static struct {
    uint8_t wqe[WQE_MAX];
    uint8_t grh[GRH_BYTES];
    uint8_t old[8], new[8];     /* atomics */
} device_memory;

static struct sim_space device_space = { .pidfd = -1, .base = (uint8_t *)&device_memory,
                                         .len = sizeof(device_memory), .refs = 1 };

static uint64_t device_addr(const void *p)
{
    return (uint64_t)((const uint8_t *)p - (const uint8_t *)&device_memory);
}

uint8_t *transport_wqe_memory(void)
{
    return device_memory.wqe;
}

/* ---- segments ------------------------------------------------------------------------------- */

uint8_t transport_gather(struct hca_qp *qp, const uint8_t *at, const uint8_t *end, uint32_t need,
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
            if (!hca_pieces_add(pieces, &device_space, device_addr(at + 4), bytes))
                return PRM_SYND_LOCAL_QP_OP;
            at += (4 + bytes + SEG - 1) / SEG * SEG;
            continue;
        }
        if (bytes == 0)
            bytes = 1ull << 31;
        if (!stage_map(STAGE_REQUESTER, qp, qp->pd, (uint32_t)prm_get(at, prm_wqe_data_lkey),
                       prm_get(at, prm_wqe_data_addr), bytes, need, pieces))
            return PRM_SYND_LOCAL_PROT;
        at += SEG;
    }
    if (pieces->len > 1ull << machine.profile.log_max_msg)
        return PRM_SYND_LOCAL_LENGTH;
    return 0;
}

/* ---- the peer ------------------------------------------------------------------------------- */

struct request {
    struct hca_qp *qp;
    struct hca_responder to;
    const struct hca_wqe *wqe;
    const uint8_t *at, *end;    /* the remaining segments of the WQE */
    struct hca_outcome *outcome;
    bool reliable, datagram, multicast;
    uint8_t app_op;             /* for the CQE of an SRQ with tags */
    const uint8_t *av;          /* the segment that names the responder: an address vector or an XRC
                                 * segment; NULL for RC and UC */
};

static struct hca_pieces local, remote;
static struct hca_receive receive;

static struct sim_traffic *traffic_of(const struct hca_qp *qp)
{
    return &qp->object.function->traffic;
}

static int fail(struct request *r, uint8_t syndrome)
{
    struct sim_traffic *traffic = traffic_of(r->qp);

    traffic->failed++;
    traffic->rnr_failed += syndrome == PRM_SYND_RNR_RETRY_EXC;
    traffic->access_failed += syndrome == PRM_SYND_REMOTE_ACCESS;
    traffic->invalid_failed += syndrome == PRM_SYND_REMOTE_INVAL_REQ;
    traffic->is_new = true;
    r->outcome->syndrome = syndrome;
    return WQE_DONE;
}

/* Ends a request that the responder has executed, and counts its packets. The acknowledgements of
 * reliable transports are not counted. */
static int arrived(struct request *r, uint64_t bytes)
{
    struct sim_traffic *here = traffic_of(r->qp), *there = traffic_of(r->to.qp);
    const unsigned path_mtu = r->qp->attr.path_mtu;     /* 1: 256 bytes, 5: 4096 bytes */
    const uint64_t mtu = path_mtu >= 1 && path_mtu <= 5 ? 128u << path_mtu : UD_MTU;

    r->outcome->bytes = (uint32_t)bytes;
    switch (r->wqe->opcode) {
    case PRM_WQE_READ: case PRM_WQE_CAS: case PRM_WQE_FA:
        there->reads += r->wqe->opcode == PRM_WQE_READ;
        there->atomics += r->wqe->opcode != PRM_WQE_READ;
        traffic_unicast(here, there, 0, mtu);
        traffic_unicast(there, here, bytes, mtu);
        return WQE_DONE;
    case PRM_WQE_WRITE: case PRM_WQE_WRITE_IMM:
        there->writes++;
        break;
    default:
        if (r->multicast) {
            traffic_multicast_received(there, bytes);
            return WQE_DONE;
        }
    }
    traffic_unicast(here, there, bytes, mtu);
    return WQE_DONE;
}

/* Handles a peer that does not answer: the request is sent again until timeout and retry count are
 * used up. */
static int retry(struct request *r)
{
    const struct ib_uverbs_modify_qp *attr = &r->qp->attr;
    uint64_t now = sim_now(), waited, interval, timeout;

    if (r->qp->no_answer_since == 0)
        r->qp->no_answer_since = now;
    waited = now - r->qp->no_answer_since;
    timeout = (4096ull << (attr->timeout & 31)) * (attr->retry_cnt + 1u);
    if (attr->timeout && waited >= timeout)
        return fail(r, PRM_SYND_RETRY_EXC);
    interval = waited / 8 < 200000 ? 200000 : waited / 8 > 20000000 ? 20000000 : waited / 8;
    if (attr->timeout && interval > timeout - waited)
        interval = timeout - waited;
    r->qp->wake = now + interval;
    return WQE_WAIT;
}

/* True when the program that owns the receives of the responder has ended. */
static bool has_ended(const struct request *r)
{
    return sim_has_ended(r->to.srq ? r->to.srq->rq.space : r->to.qp->space);
}

/* Puts the responder into the error state. It is assumed that a DCT stays as it is, because it
 * serves other initiators too. */
static void fail_responder(const struct request *r, unsigned event)
{
    if (r->to.qp->type == HCA_QPT_DCT)
        return;
    if (event)
        hca_event(&r->to.qp->object, event);
    hca_qp_to_error(r->to.qp);
}

/* Handles a request that the responder refuses. On a reliable transport both sides enter the error
 * state; otherwise the request is dropped and the WQE succeeds. When the program of the responder
 * has ended, its memory is gone before its QP is: such a responder does not answer. */
static int refuse(struct request *r, uint8_t syndrome, unsigned event)
{
    if (!r->reliable)
        return WQE_DONE;
    if (has_ended(r))
        return retry(r);
    fail_responder(r, event);
    return fail(r, syndrome);
}

/* Handles a responder that has no receive WQE: the request is sent again after the responder's RNR
 * timer. */
static int not_ready(struct request *r)
{
    static const uint16_t tens_of_us[32] = { 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128,
        192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576,
        32768, 49152 };
    unsigned timer = r->to.qp->attr.min_rnr_timer & 31;
    uint64_t us = timer ? tens_of_us[timer] * 10ull : 655360;

    traffic_of(r->to.qp)->out_of_buffer++;
    traffic_of(r->to.qp)->is_new = true;
    if (!r->reliable)
        return WQE_DONE;
    if (r->qp->attr.rnr_retry < 7 && r->qp->rnr_tries >= r->qp->attr.rnr_retry)
        return fail(r, PRM_SYND_RNR_RETRY_EXC);
    r->qp->rnr_tries++;
    r->qp->no_answer_since = 0;
    r->qp->wake = sim_now() + us * 1000;
    return WQE_WAIT;
}

/* ---- messages ------------------------------------------------------------------------------- */

/* Makes the CQE of a receive, except what depends on the receive WQE. */
static struct hca_cqe receive_cqe(struct request *r, unsigned opcode)
{
    struct hca_cqe cqe = { { 0 } };

    prm_set(cqe.bytes, prm_cqe_slid, r->qp->object.function->lid);
    prm_set(cqe.bytes, prm_cqe_grh, r->datagram && grh_is_sent(r->av));
    if (r->datagram)
        prm_set(cqe.bytes, prm_cqe_sl, grh_service_level(r->qp->object.function, r->av));
    prm_set(cqe.bytes, prm_cqe_rqpn, r->qp->object.number);
    prm_set(cqe.bytes, prm_cqe_user_index, r->to.uidx);
    prm_set(cqe.bytes, prm_cqe_imm_inval_pkey, prm_get(r->wqe->bytes, prm_wqe_ctrl_imm));
    prm_set(cqe.bytes, prm_cqe_qpn, r->to.qp->object.number);
    prm_set(cqe.bytes, prm_cqe_opcode, opcode);
    return cqe;
}

static void complete_receive(struct request *r, unsigned opcode, uint64_t bytes)
{
    struct hca_cqe cqe = receive_cqe(r, opcode);

    prm_set(cqe.bytes, prm_cqe_byte_cnt, bytes);
    prm_set(cqe.bytes, prm_cqe_wqe_counter, receive.index);
    if (r->to.srq && r->to.srq->tm)
        tm_mark(r->to.srq, r->app_op, &cqe);
    cqe_put(r->to.cq, &cqe, prm_get(r->wqe->bytes, prm_wqe_ctrl_se));
}

/* Handles a receive WQE that cannot take the message. It is assumed that a datagram that is too
 * long is lost without a completion. */
static int receive_failed(struct request *r, uint8_t responder, uint8_t requester)
{
    const struct hca_outcome outcome = { .syndrome = responder };

    if (r->datagram && responder == PRM_SYND_LOCAL_LENGTH)
        return WQE_DONE;
    if (has_ended(r))
        return r->reliable ? retry(r) : WQE_DONE;
    hca_qp_receive_error(r->to.qp, r->to.cq, r->to.uidx, receive.index, &outcome);
    fail_responder(r, 0);
    return r->reliable ? fail(r, requester) : WQE_DONE;
}

/* Handles local memory of the requester that cannot be read. Nothing was sent, so the responder
 * still has the receive WQE that was taken. */
static int unreadable(struct request *r, bool has_receive)
{
    if (has_receive)
        hca_return_receive(&r->to, &receive);
    return fail(r, PRM_SYND_LOCAL_PROT);
}

static unsigned receive_opcode(const struct request *r)
{
    switch (r->wqe->opcode) {
    case PRM_WQE_SEND: return PRM_CQE_RESP_SEND;
    case PRM_WQE_SEND_IMM: return PRM_CQE_RESP_SEND_IMM;
    default: return PRM_CQE_RESP_SEND_INV;
    }
}

/* Gives a message to an SRQ with tags. False when a receive WQE of the SRQ takes it. */
static bool send_tagged(struct request *r, int *result)
{
    struct hca_cqe cqe = receive_cqe(r, receive_opcode(r));

    if (r->wqe->opcode == PRM_WQE_SEND_INVAL)
        return false;
    switch (tm_receive(r->qp, &r->to, &local, &cqe, prm_get(r->wqe->bytes, prm_wqe_ctrl_se),
                       &r->app_op)) {
    case TM_TAKEN:
        *result = arrived(r, local.len);
        return true;
    case TM_INVALID:
        *result = refuse(r, PRM_SYND_REMOTE_INVAL_REQ, SIM_EVENT_WQ_INVALID_REQ);
        return true;
    case TM_UNREADABLE:
        *result = fail(r, PRM_SYND_LOCAL_PROT);
        return true;
    default:
        return false;
    }
}

static int send_message(struct request *r)
{
    uint8_t opcode = r->wqe->opcode;
    uint64_t skip = r->datagram ? GRH_BYTES : 0, bytes;
    struct hca_pieces grh = { 0 };
    struct hca_piece grh_piece = { &device_space, device_addr(device_memory.grh), GRH_BYTES };
    enum hca_take take;
    int result, err;

    if (r->to.srq && r->to.srq->tm && r->qp->type == IB_UVERBS_QPT_RC && send_tagged(r, &result))
        return result;
    take = hca_take_receive(&r->to, &receive);
    if (take == TAKE_EMPTY)
        return not_ready(r);
    if (take == TAKE_BAD)
        return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    if (receive.room < local.len + skip)
        return receive_failed(r, PRM_SYND_LOCAL_LENGTH, PRM_SYND_REMOTE_INVAL_REQ);
    bytes = local.len + skip;
    if (skip) {
        grh_build(r->qp->object.function, r->av, local.len, device_memory.grh);
        grh = (struct hca_pieces){ &grh_piece, 1, 1, GRH_BYTES };
        if (hca_pieces_copy(&receive.pieces, 0, &grh, GRH_BYTES))
            return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    }
    err = hca_pieces_copy(&receive.pieces, skip, &local, local.len);
    if (err == EFAULT)
        return unreadable(r, true);
    if (err || stage_commit(local.len))
        return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    if (opcode == PRM_WQE_SEND_INVAL &&
        !umr_invalidate(r->to.qp->object.function, r->to.pd,
                        (uint32_t)prm_get(r->wqe->bytes, prm_wqe_ctrl_imm)))
        return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    stage_report(STAGE_RESPONDER, r->to.qp, r->to.cq);
    complete_receive(r, receive_opcode(r), bytes);
    return arrived(r, local.len);
}

/* ---- remote memory -------------------------------------------------------------------------- */

static bool map_remote(struct request *r, const uint8_t *raddr, uint64_t bytes, uint32_t need)
{
    uint32_t key = (uint32_t)prm_get(raddr, prm_wqe_raddr_rkey);
    const struct hca_mkey *mkey = hca_mkey_find(r->to.qp->object.function, key);

    remote.num = 0;
    remote.len = 0;
    if (bytes == 0)
        return true;
    if (mkey && mkey->qpn != HCA_ANY_QP && mkey->qpn != r->to.qp->object.number) {
        sim_log(SIM_INFO, "%s: mkey %#x is bound to QP %#x, not %#x",
                r->to.qp->object.function->name, key, mkey->qpn, r->to.qp->object.number);
        return false;
    }
    return stage_map(STAGE_RESPONDER, r->to.qp, r->to.pd, key,
                     prm_get(raddr, prm_wqe_raddr_raddr), bytes,
                     need | odp_need(r->to.qp, odp_request(r->wqe->opcode)), &remote);
}

static int write_memory(struct request *r, const uint8_t *raddr)
{
    bool has_receive = r->wqe->opcode == PRM_WQE_WRITE_IMM;
    enum hca_take take;
    int err;

    if (!hca_qp_allows(r->to.qp, IB_UVERBS_ACCESS_REMOTE_WRITE))
        return refuse(r, PRM_SYND_REMOTE_INVAL_REQ, SIM_EVENT_WQ_INVALID_REQ);
    if (!map_remote(r, raddr, local.len, HCA_REMOTE_WRITE))
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    if (has_receive) {
        take = hca_take_receive(&r->to, &receive);
        if (take == TAKE_EMPTY)
            return not_ready(r);
        if (take == TAKE_BAD)
            return receive_failed(r, PRM_SYND_LOCAL_PROT, PRM_SYND_REMOTE_OP);
    }
    err = hca_pieces_copy(&remote, 0, &local, local.len);
    if (err == EFAULT)
        return unreadable(r, has_receive);
    if (err || stage_commit(local.len))
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    stage_report(STAGE_RESPONDER, r->to.qp, r->to.cq);
    if (has_receive)
        complete_receive(r, PRM_CQE_RESP_WRITE_IMM, local.len);
    return arrived(r, local.len);
}

static int read_memory(struct request *r, const uint8_t *raddr)
{
    int err;

    if (!hca_qp_allows(r->to.qp, IB_UVERBS_ACCESS_REMOTE_READ))
        return refuse(r, PRM_SYND_REMOTE_INVAL_REQ, SIM_EVENT_WQ_INVALID_REQ);
    if (!map_remote(r, raddr, local.len, HCA_REMOTE_READ))
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    err = hca_pieces_copy(&local, 0, &remote, local.len);
    if (err == EFAULT)
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    if (err || stage_commit(local.len))
        return fail(r, PRM_SYND_LOCAL_PROT);
    stage_report(STAGE_RESPONDER, r->to.qp, r->to.cq);
    return arrived(r, local.len);
}

/* Executes FETCH_ADD or COMPARE_SWAP. It is atomic with respect to other requests of this device,
 * but not with respect to stores of the program. */
static int atomic(struct request *r, const uint8_t *raddr, const uint8_t *operands)
{
    struct hca_piece old_piece = { &device_space, device_addr(device_memory.old), 8 };
    struct hca_piece new_piece = { &device_space, device_addr(device_memory.new), 8 };
    const struct hca_pieces old = { &old_piece, 1, 1, 8 }, new = { &new_piece, 1, 1, 8 };
    uint64_t swap_add = prm_get(operands, prm_wqe_atomic_swap_add), value;

    if (!hca_qp_allows(r->to.qp, IB_UVERBS_ACCESS_REMOTE_ATOMIC) ||
        prm_get(raddr, prm_wqe_raddr_raddr) % 8)
        return refuse(r, PRM_SYND_REMOTE_INVAL_REQ, SIM_EVENT_WQ_INVALID_REQ);
    if (!map_remote(r, raddr, 8, HCA_ATOMIC) || hca_pieces_copy(&old, 0, &remote, 8))
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    memcpy(&value, device_memory.old, 8);
    if (r->wqe->opcode == PRM_WQE_FA)
        value += swap_add;
    else if (value == prm_get(operands, prm_wqe_atomic_compare))
        value = swap_add;
    memcpy(device_memory.new, &value, 8);
    if (hca_pieces_copy(&remote, 0, &new, 8))
        return refuse(r, PRM_SYND_REMOTE_ACCESS, SIM_EVENT_WQ_ACCESS);
    if (hca_pieces_copy(&local, 0, &old, 8))
        return fail(r, PRM_SYND_LOCAL_PROT);
    return arrived(r, 8);
}

/* ---- requests ------------------------------------------------------------------------------- */

/* Takes `bytes` bytes from the remaining segments. NULL when fewer bytes remain. */
static const uint8_t *segment(struct request *r, unsigned bytes)
{
    const uint8_t *at = r->at;

    if ((size_t)(r->end - at) < bytes)
        return NULL;
    r->at += bytes;
    return at;
}

/* True when each WQE of the QP names its responder. */
static bool names_responder(const struct hca_qp *qp)
{
    return qp->type == IB_UVERBS_QPT_UD || qp->type == IB_UVERBS_QPT_XRC_INI ||
           qp->type == HCA_QPT_DCI;
}

/* Takes the segment that names the responder. NULL when the WQE is too short. */
static const uint8_t *responder_segment(struct request *r)
{
    const uint8_t *seg = segment(r, AV_SHORT_BYTES);

    if (!seg || r->qp->type == IB_UVERBS_QPT_XRC_INI || !prm_get(seg, prm_wqe_av_extended))
        return seg;
    return segment(r, AV_BYTES - AV_SHORT_BYTES) ? seg : NULL;
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

static int execute(struct request *r, const uint8_t *raddr, const uint8_t *operands)
{
    switch (r->wqe->opcode) {
    case PRM_WQE_WRITE: case PRM_WQE_WRITE_IMM: return write_memory(r, raddr);
    case PRM_WQE_READ: return read_memory(r, raddr);
    case PRM_WQE_CAS: case PRM_WQE_FA: return atomic(r, raddr, operands);
    default: return send_message(r);
    }
}

static int dispatch(struct request *r, const uint8_t *raddr, const uint8_t *operands)
{
    int result = execute(r, raddr, operands);

    if (result == WQE_DONE && !r->outcome->syndrome)
        r->outcome->wrong_signature = stage_report(STAGE_REQUESTER, r->qp, r->qp->send_cq);
    return result;
}

/* True when flow tables of RDMA drop the request, or the acknowledgement of a reliable request: the
 * emulator does not execute a request whose acknowledgement is dropped. */
static bool is_dropped(const struct request *r)
{
    const struct sim_function *here = r->qp->object.function, *there = r->to.qp->object.function;

    return !steer_rdma_passes(here, STEER_RDMA_SENT) ||
           !steer_rdma_passes(there, STEER_RDMA_RECEIVED) ||
           (r->reliable && (!steer_rdma_passes(there, STEER_RDMA_SENT) ||
                            !steer_rdma_passes(here, STEER_RDMA_RECEIVED)));
}

static void deliver_copy(struct hca_qp *member, void *arg)
{
    struct request *r = arg;

    if (peer_takes_datagram(r->qp, member, r->av, &r->to) && !is_dropped(r))
        send_message(r);
}

/* Sends a datagram to all QPs of a group, also to the QP itself if it is attached. */
static int multicast(struct request *r)
{
    r->outcome->bytes = (uint32_t)local.len;
    r->multicast = true;
    traffic_multicast_sent(traffic_of(r->qp), local.len);
    if (prm_get(r->av, prm_wqe_av_extended))
        mcast_each(r->av + GRH_AV_RGID, deliver_copy, r);
    return WQE_DONE;
}

int transport_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    struct request r = { .qp = qp, .wqe = wqe, .at = wqe->bytes + SEG,
        .end = wqe->bytes + wqe->ds * SEG, .outcome = outcome, .app_op = TM_NO_TAG,
        .reliable = hca_qp_is_reliable(qp), .datagram = qp->type == IB_UVERBS_QPT_UD };
    bool is_atomic = wqe->opcode == PRM_WQE_CAS || wqe->opcode == PRM_WQE_FA;
    bool to_local = wqe->opcode == PRM_WQE_READ || is_atomic;
    bool is_send = wqe->opcode == PRM_WQE_SEND || wqe->opcode == PRM_WQE_SEND_IMM ||
                   wqe->opcode == PRM_WQE_SEND_INVAL;
    const uint8_t *raddr = NULL, *operands = NULL;
    uint8_t syndrome;

    stage_begin();
    if (!allowed(&r))
        return fail(&r, PRM_SYND_LOCAL_QP_OP);
    if (names_responder(qp))
        r.av = responder_segment(&r);
    if (!is_send)
        raddr = segment(&r, SEG);
    if (is_atomic)
        operands = segment(&r, SEG);
    if ((names_responder(qp) && !r.av) || (!is_send && !raddr) || (is_atomic && !operands))
        return fail(&r, PRM_SYND_LOCAL_QP_OP);
    syndrome = transport_gather(qp, r.at, r.end, (to_local ? HCA_LOCAL_WRITE : HCA_LOCAL_READ) |
                                odp_need(qp, odp_request(wqe->opcode)), &local);
    if (syndrome || (is_atomic && local.len != 8) || (r.datagram && local.len > UD_MTU))
        return fail(&r, syndrome ? syndrome : PRM_SYND_LOCAL_LENGTH);
    if (r.datagram && prm_get(r.av, prm_wqe_av_dqpn) == MULTICAST_QPN)
        return multicast(&r);
    switch (peer_find(qp, r.av, &r.to)) {
    case PEER_FOUND:
        if (!is_dropped(&r))
            return dispatch(&r, raddr, operands);
        return r.reliable ? retry(&r) : WQE_DONE;
    case PEER_REFUSES:          /* an XRC target: it lives on when its creator has ended */
        fail_responder(&r, SIM_EVENT_WQ_INVALID_REQ);
        return fail(&r, PRM_SYND_REMOTE_INVAL_REQ);
    case PEER_DENIES:           /* the syndrome is assumed */
        hca_event(&r.to.qp->object, SIM_EVENT_DCT_KEY);
        return fail(&r, PRM_SYND_REMOTE_ACCESS);
    default: return r.reliable ? retry(&r) : WQE_DONE;
    }
}

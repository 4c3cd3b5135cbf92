/*
 * Send queues: fetch, execute, complete and flush WQEs.
 *
 * Only raw packet QPs send packets. A request of another QP takes effect on its peer at once, also
 * if the peer belongs to another function or process.
 */
#include "device/hca/sq.h"
#include "device/hca/dci.h"
#include "device/hca/ethernet.h"
#include "device/hca/events.h"
#include "device/hca/mmo.h"
#include "device/hca/tm.h"
#include "device/hca/transport.h"
#include "device/hca/umr.h"
#include "device/machine/fault.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum {
    BUDGET = 256,               /* number of WQEs of a QP before the next QP runs */
    ERROR_POLL_NS = 1000000,    /* interval at which a QP in error polls for new receives */
    ERROR_POLL_SLOW_NS = 20000000,
    ERROR_POLL_FAST_RUNS = 200
};

/* ---- a WQE ---------------------------------------------------------------------------------- */

bool hca_sq_producer(struct hca_qp *qp)
{
    uint32_t counter;

    if (!sim_read_be32(qp->space, qp->db_addr + 4, &counter))
        return false;
    qp->sq_pi = (uint16_t)counter;
    return true;
}

/* Reads the next WQE; it may wrap around the end of the ring. */
static bool fetch(struct hca_qp *qp, uint8_t *bytes, struct hca_wqe *wqe)
{
    uint32_t mask = qp->sq_wqebbs - 1, slot = qp->sq_ci & mask, bbs, first;

    if (sim_read(qp->space, qp->sq_addr + (uint64_t)slot * 64, bytes, 64))
        return false;
    wqe->bytes = bytes;
    wqe->ds = (unsigned)prm_get(bytes, prm_wqe_ctrl_ds);
    wqe->opcode = (uint8_t)prm_get(bytes, prm_wqe_ctrl_opcode);
    wqe->opmod = (uint8_t)prm_get(bytes, prm_wqe_ctrl_opmod);
    wqe->index = (uint16_t)prm_get(bytes, prm_wqe_ctrl_wqe_index);
    bbs = (wqe->ds + 3) / 4;
    if (bbs <= 1)
        return true;
    first = bbs < qp->sq_wqebbs - slot ? bbs : qp->sq_wqebbs - slot;
    if (bbs > qp->sq_wqebbs ||
        sim_read(qp->space, qp->sq_addr + (uint64_t)slot * 64, bytes, first * 64))
        return false;
    return first == bbs || sim_read(qp->space, qp->sq_addr, bytes + first * 64,
                                    (bbs - first) * 64) == 0;
}

/* Checks the rules for WQEs. After false the WQE completes with a local QP operation error. */
static bool well_formed(struct hca_qp *qp, const struct hca_wqe *wqe)
{
    const struct sim_client *client = qp->object.client;
    uint32_t qpn = (uint32_t)prm_get(wqe->bytes, prm_wqe_ctrl_qpn);
    uint16_t posted = (uint16_t)(qp->sq_pi - qp->sq_ci);

    if (wqe->ds == 0)
        sim_violation(client, "QP %#x: WQE %u has size 0", qp->object.number, qp->sq_ci);
    else if (wqe->index != qp->sq_ci)
        sim_violation(client, "QP %#x: the WQE in slot %u says it is WQE %u", qp->object.number,
                      qp->sq_ci, wqe->index);
    else if (qpn != qp->object.number)
        sim_violation(client, "QP %#x: WQE %u says it is of QP %#x", qp->object.number,
                      qp->sq_ci, qpn);
    else if ((wqe->ds + 3) / 4 > posted)
        sim_violation(client, "QP %#x: WQE %u has %u basic blocks, only %u are posted",
                      qp->object.number, qp->sq_ci, (wqe->ds + 3) / 4, posted);
    else if (wqe->ds * 16 > machine.profile.max_sq_desc)
        sim_violation(client, "QP %#x: WQE %u has %u bytes; the limit is %u", qp->object.number,
                      qp->sq_ci, wqe->ds * 16, machine.profile.max_sq_desc);
    else
        return true;
    return false;
}

static int execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    if (qp->type == IB_UVERBS_QPT_RAW_PACKET)
        return ethernet_execute(qp, wqe, outcome);
    switch (wqe->opcode) {
    case PRM_WQE_NOP:
        return WQE_DONE;
    case PRM_WQE_UMR:
        return umr_execute(qp, wqe, outcome);
    case PRM_WQE_SET_PSV:
        return umr_set_psv(qp, wqe, outcome);
    case PRM_WQE_MMO:
        return mmo_execute(qp, wqe, outcome);
    case PRM_WQE_TAG_MATCHING:
        return tm_execute(qp, wqe, outcome);
    case PRM_WQE_SEND: case PRM_WQE_SEND_IMM: case PRM_WQE_SEND_INVAL:
    case PRM_WQE_WRITE: case PRM_WQE_WRITE_IMM: case PRM_WQE_READ:
    case PRM_WQE_CAS: case PRM_WQE_FA:
        return transport_execute(qp, wqe, outcome);
    default:
        sim_violation(qp->object.client, "QP %#x: WQE %u has the unknown opcode %#x",
                      qp->object.number, wqe->index, wqe->opcode);
        outcome->syndrome = PRM_SYND_LOCAL_QP_OP;
        return WQE_DONE;
    }
}

/* True when an injected fault applies to the WQE. With `*delay` set, the WQE must wait; otherwise
 * it has failed with the syndromes in `outcome`. */
static bool faulted(struct hca_qp *qp, struct hca_outcome *outcome, bool *delay)
{
    uint64_t ns;

    if (qp->fault_wqe == 0)
        qp->fault_wqe = fault_wqe();
    ns = fault_delay(qp->fault_wqe);
    if (ns && qp->last_delayed != qp->fault_wqe) {
        qp->last_delayed = qp->fault_wqe;
        qp->wake = sim_now() + ns;
        *delay = true;
        return true;
    }
    return fault_error(qp->fault_wqe, &outcome->syndrome, &outcome->vendor);
}

static void complete(struct hca_qp *qp, const struct hca_wqe *wqe,
                     const struct hca_outcome *outcome)
{
    struct hca_cqe cqe = { { 0 } };
    uint16_t index = qp->sq_ci;
    unsigned bbs = wqe->ds ? (wqe->ds + 3) / 4 : 1;

    qp->sq_ci = (uint16_t)(qp->sq_ci + bbs);
    qp->fault_wqe = 0;
    qp->no_answer_since = 0;
    qp->rnr_tries = 0;
    if (outcome->syndrome) {
        hca_qp_error_cqe(qp, true, index, wqe->opcode, outcome);
        if (dci_fails_only_stream(qp, wqe))
            return;
        if (hca_qp_is_reliable(qp))
            hca_qp_to_error(qp);
        else
            qp->state = QPS_SQE;
        return;
    }
    if (!(prm_get(wqe->bytes, prm_wqe_ctrl_ce) & 2))
        return;
    prm_set(cqe.bytes, prm_cqe_user_index, qp->uidx);
    prm_set(cqe.bytes, prm_cqe_byte_cnt, outcome->bytes);
    prm_set(cqe.bytes, prm_cqe_wqe_opcode, wqe->opcode);
    prm_set(cqe.bytes, prm_cqe_qpn, qp->object.number);
    prm_set(cqe.bytes, prm_cqe_wqe_counter, index);
    cqe_put(qp->send_cq, &cqe, false);
}

/* Stops the send queue of a QP that asked for this when a signature is wrong. */
static void drain(struct hca_qp *qp)
{
    if (!qp->drain_sigerr || qp->state != QPS_RTS)
        return;
    qp->state = QPS_SQD;
    hca_event(&qp->object, SIM_EVENT_SQ_DRAINED);
}

/* Handles the next WQE of a QP in RTS. False when the QP cannot continue at the moment. */
static bool step(struct hca_qp *qp)
{
    struct hca_outcome outcome = { 0 };
    struct hca_wqe wqe;
    uint8_t *bytes = transport_wqe_memory();
    bool delay = false;

    if (!pace_may_send(&qp->pace, sim_now(), &qp->wake) ||
        !hca_sched_may_send(qp->requester, sim_now(), &qp->wake))
        return false;
    memset(bytes, 0, 64);
    if (!fetch(qp, bytes, &wqe)) {
        sim_log(SIM_INFO, "%s: QP %#x: WQE %u cannot be read", qp->object.function->name,
                qp->object.number, qp->sq_ci);
        hca_event(&qp->object, SIM_EVENT_WQ_CATAS);
        hca_qp_to_error(qp);
        return false;
    }
    if (!well_formed(qp, &wqe)) {
        wqe.ds = 4;
        outcome.syndrome = PRM_SYND_LOCAL_QP_OP;
    } else if (dci_stream_has_failed(qp, &wqe)) {
        outcome.syndrome = PRM_SYND_WR_FLUSH;
    } else if (!faulted(qp, &outcome, &delay)) {
        if (execute(qp, &wqe, &outcome) == WQE_WAIT)
            return false;
    }
    if (delay)
        return false;
    sim_log(SIM_TRACE, "%s: QP %#x: WQE %u opcode %#x ds %u: %u bytes, syndrome %#x",
            qp->object.function->name, qp->object.number, wqe.index, wqe.opcode, wqe.ds,
            outcome.bytes, outcome.syndrome);
    pace_sent(&qp->pace, sim_now(), outcome.bytes);
    hca_sched_sent(qp->requester, sim_now(), outcome.bytes);
    complete(qp, &wqe, &outcome);
    if (outcome.wrong_signature)
        drain(qp);
    return !qp->has_fin || tm_deliver_fin(qp);
}

static void flush_one_send(struct hca_qp *qp)
{
    static const struct hca_outcome flushed = { .syndrome = PRM_SYND_WR_FLUSH };
    uint8_t ctrl[64] = { 0 };
    uint16_t index = qp->sq_ci, left = (uint16_t)(qp->sq_pi - qp->sq_ci);
    unsigned bbs = 1;

    if (!sim_read(qp->space, qp->sq_addr + (uint64_t)(index & (qp->sq_wqebbs - 1)) * 64, ctrl, 64))
        bbs = ((unsigned)prm_get(ctrl, prm_wqe_ctrl_ds) + 3) / 4;
    if (bbs == 0 || bbs > left)
        bbs = 1;
    hca_qp_error_cqe(qp, true, index, (uint8_t)prm_get(ctrl, prm_wqe_ctrl_opcode), &flushed);
    qp->sq_ci = (uint16_t)(qp->sq_ci + bbs);
    qp->fault_wqe = 0;
}

/* ---- a QP ----------------------------------------------------------------------------------- */

/* Flushes the WQEs of a QP in an error state, also WQEs that are posted later. Receives are posted
 * without a doorbell, so the QP stays in the list and polls for them. */
static bool run_in_error(struct hca_qp *qp, uint64_t now)
{
    bool has_rq = !qp->srq && qp->rq.num_wqes && qp->state == QPS_ERR;

    if (qp->sq_wqebbs && hca_sq_producer(qp))
        for (unsigned n = 0; n < BUDGET && qp->sq_ci != qp->sq_pi; n++) {
            flush_one_send(qp);
            qp->idle_runs = 0;
        }
    if (has_rq)
        hca_qp_flush_receives(qp);
    if (qp->sq_ci != qp->sq_pi) {
        qp->wake = now;
        return true;
    }
    qp->idle_runs++;
    qp->wake = now + (qp->idle_runs < ERROR_POLL_FAST_RUNS ? ERROR_POLL_NS : ERROR_POLL_SLOW_NS);
    return has_rq && !qp->recv_cq->failed;
}

/* Runs a QP of the list. True when the QP is to stay in the list until qp->wake. */
static bool run_qp(struct hca_qp *qp, uint64_t now)
{
    qp->wake = now;
    if (qp->object.function->fatal)
        return false;
    if (qp->state == QPS_ERR || qp->state == QPS_SQE)
        return run_in_error(qp, now);
    if (qp->state != QPS_RTS || qp->sq_wqebbs == 0 || !hca_sq_producer(qp))
        return false;
    if ((uint16_t)(qp->sq_pi - qp->sq_ci) > qp->sq_wqebbs) {
        sim_violation(qp->object.client, "QP %#x: %u basic blocks are posted to a queue of %u",
                      qp->object.number, (uint16_t)(qp->sq_pi - qp->sq_ci), qp->sq_wqebbs);
        hca_qp_to_error(qp);
        return true;
    }
    if (qp->has_fin && !tm_deliver_fin(qp))
        return true;
    if (qp->state != QPS_RTS)
        return run_in_error(qp, now);
    for (unsigned n = 0; n < BUDGET; n++) {
        if (qp->sq_ci == qp->sq_pi && (!hca_sq_producer(qp) || qp->sq_ci == qp->sq_pi))
            return false;
        if (!step(qp))
            return true;
        if (qp->state == QPS_SQD)
            return false;
        if (qp->state != QPS_RTS)
            return run_in_error(qp, now);
    }
    return true;
}

uint64_t hca_tick(uint64_t now)
{
    uint64_t wake = hca_run_scheduled(now, run_qp);

    cqe_write_sessions();
    return wake;
}

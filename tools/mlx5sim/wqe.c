/*
 * Execution of work queues: doorbells, fetching WQEs, the transports, retries and flushing.
 *
 * No packets: a request acts on its peer at once, whichever function or process the peer is of.
 * QPs with something to do are in one list; hca_tick() goes through it.
 */
#include "hca.h"
#include "exec.h"

#include <endian.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum {
    BUDGET = 256,               /* WQEs of one QP before the next one's turn */
    ERROR_LOOK_NS = 1000000,    /* how often a QP in error looks for new receives */
    ERROR_LOOK_SLOW_NS = 20000000,
    ERROR_LOOK_TURNS = 200
};

static struct hca_qp *work, **work_end = &work;

/* ---- the list of QPs with work -------------------------------------------------------------- */

static void queue_qp(struct hca_qp *qp)
{
    if (qp->queued)
        return;
    qp->queued = true;
    qp->next_queued = NULL;
    *work_end = qp;
    work_end = &qp->next_queued;
}

void hca_forget_work(struct hca_qp *qp)
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

/* ---- one WQE -------------------------------------------------------------------------------- */

static bool sq_producer(struct hca_qp *qp)
{
    uint32_t counter;

    if (!hca_read_be32(qp->space, qp->db_addr + 4, &counter))
        return false;
    qp->sq_pi = (uint16_t)counter;
    return true;
}

/* Reads one WQE, which may wrap at the end of the ring. */
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

/* What only a wrong program does. The device answers with a local QP operation error. */
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
        sim_violation(client, "QP %#x: WQE %u has %u bytes, more than %u", qp->object.number,
                      qp->sq_ci, wqe->ds * 16, machine.profile.max_sq_desc);
    else
        return true;
    return false;
}

static int execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    switch (wqe->opcode) {
    case PRM_WQE_NOP:
        return WQE_DONE;
    case PRM_WQE_UMR:
        return umr_execute(qp, wqe, outcome);
    case PRM_WQE_MMO:
        return mmo_execute(qp, wqe, outcome);
    case PRM_WQE_SEND: case PRM_WQE_SEND_IMM: case PRM_WQE_SEND_INVAL:
    case PRM_WQE_WRITE: case PRM_WQE_WRITE_IMM: case PRM_WQE_READ:
    case PRM_WQE_CAS: case PRM_WQE_FA:
        return exec_request(qp, wqe, outcome);
    default:
        sim_violation(qp->object.client, "QP %#x: WQE %u has opcode %#x, which is not known",
                      qp->object.number, wqe->index, wqe->opcode);
        outcome->syndrome = PRM_SYND_LOCAL_QP_OP;
        return WQE_DONE;
    }
}

/* True when an injected fault decides; `delay` when the WQE is to wait for it. */
static bool faulted(struct hca_qp *qp, struct hca_outcome *outcome, bool *delay)
{
    uint64_t ns;

    if (qp->fault_wqe == 0)
        qp->fault_wqe = fault_wqe();
    ns = fault_delay(qp->fault_wqe);
    if (ns && qp->delayed != qp->fault_wqe) {
        qp->delayed = qp->fault_wqe;
        qp->wake = sim_now() + ns;
        *delay = true;
        return true;
    }
    return fault_error(qp->fault_wqe, outcome);
}

static void complete(struct hca_qp *qp, const struct hca_wqe *wqe,
                     const struct hca_outcome *outcome)
{
    struct hca_cqe cqe = { { 0 } };
    uint16_t index = qp->sq_ci;
    unsigned bbs = wqe->ds ? (wqe->ds + 3) / 4 : 1;

    qp->sq_ci = (uint16_t)(qp->sq_ci + bbs);
    qp->fault_wqe = 0;
    qp->waits_since = 0;
    qp->rnr_tries = 0;
    if (outcome->syndrome) {
        cqe_error(qp, true, index, wqe->opcode, outcome);
        if (qp->type == IB_UVERBS_QPT_RC)
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

/* One WQE of a QP in RTS; false when it has to wait. */
static bool step(struct hca_qp *qp)
{
    struct hca_outcome outcome = { 0 };
    struct hca_wqe wqe;
    uint8_t *bytes = exec_wqe_memory();
    bool delay = false;

    memset(bytes, 0, 64);
    if (!fetch(qp, bytes, &wqe)) {
        sim_log(SIM_INFO, "%s: QP %#x: WQE %u cannot be read", qp->object.function->name,
                qp->object.number, qp->sq_ci);
        uverbs_event(&qp->object, SIM_EVENT_WQ_CATAS);
        hca_qp_to_error(qp);
        return false;
    }
    if (!well_formed(qp, &wqe)) {
        wqe.ds = 4;
        outcome.syndrome = PRM_SYND_LOCAL_QP_OP;
    } else if (!faulted(qp, &outcome, &delay)) {
        if (execute(qp, &wqe, &outcome) == WQE_WAIT)
            return false;
    }
    if (delay)
        return false;
    sim_log(SIM_TRACE, "%s: QP %#x: WQE %u opcode %#x ds %u: %u bytes, syndrome %#x",
            qp->object.function->name, qp->object.number, wqe.index, wqe.opcode, wqe.ds,
            outcome.bytes, outcome.syndrome);
    complete(qp, &wqe, &outcome);
    return true;
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
    cqe_error(qp, true, index, (uint8_t)prm_get(ctrl, prm_wqe_ctrl_opcode), &flushed);
    qp->sq_ci = (uint16_t)(qp->sq_ci + bbs);
    qp->fault_wqe = 0;
}

/* ---- one QP --------------------------------------------------------------------------------- */

/* A QP in error flushes what is posted to it later too, and no doorbell tells of receives. */
static bool run_in_error(struct hca_qp *qp, uint64_t now)
{
    bool has_rq = !qp->srq && qp->rq.num_wqes && qp->state == QPS_ERR;

    if (qp->sq_wqebbs && sq_producer(qp))
        for (unsigned n = 0; n < BUDGET && qp->sq_ci != qp->sq_pi; n++) {
            flush_one_send(qp);
            qp->idle_turns = 0;
        }
    if (has_rq)
        hca_qp_flush_receives(qp);
    if (qp->sq_ci != qp->sq_pi) {
        qp->wake = now;
        return true;
    }
    qp->idle_turns++;
    qp->wake = now + (qp->idle_turns < ERROR_LOOK_TURNS ? ERROR_LOOK_NS : ERROR_LOOK_SLOW_NS);
    return has_rq && !qp->recv_cq->failed;
}

/* True when it stays in the list, until qp->wake. */
static bool run_qp(struct hca_qp *qp, uint64_t now)
{
    qp->wake = now;
    if (qp->object.function->fatal)
        return false;
    if (qp->state == QPS_ERR || qp->state == QPS_SQE)
        return run_in_error(qp, now);
    if (qp->state != QPS_RTS || qp->sq_wqebbs == 0 || !sq_producer(qp))
        return false;
    if ((uint16_t)(qp->sq_pi - qp->sq_ci) > qp->sq_wqebbs) {
        sim_violation(qp->object.client, "QP %#x: %u basic blocks are posted to a queue of %u",
                      qp->object.number, (uint16_t)(qp->sq_pi - qp->sq_ci), qp->sq_wqebbs);
        hca_qp_to_error(qp);
        return true;
    }
    for (unsigned n = 0; n < BUDGET; n++) {
        if (qp->sq_ci == qp->sq_pi && (!sq_producer(qp) || qp->sq_ci == qp->sq_pi))
            return false;
        if (!step(qp))
            return true;
        if (qp->state != QPS_RTS)
            return run_in_error(qp, now);
    }
    return true;
}

void hca_run(struct hca_qp *qp)
{
    if (!qp->queued)
        qp->wake = 0;
    queue_qp(qp);
}

uint64_t hca_tick(uint64_t now)
{
    uint64_t next = UINT64_MAX;
    unsigned turns = 0;

    /* once round the list: what is queued meanwhile, or again, is at its end */
    for (struct hca_qp *qp = work; qp; qp = qp->next_queued)
        turns++;
    for (; turns > 0 && work; turns--) {
        struct hca_qp *qp = work;

        hca_forget_work(qp);
        if (qp->wake > now || run_qp(qp, now))
            queue_qp(qp);
    }
    for (const struct hca_qp *qp = work; qp; qp = qp->next_queued)
        if (qp->wake < next)
            next = qp->wake;
    return next;
}

/* ---- doorbells ------------------------------------------------------------------------------ */

static void fail_function(struct sim_function *function)
{
    sim_log(SIM_ERROR, "%s: fault: the device has failed", function->name);
    function->fatal = true;
    uverbs_function_event(function, SIM_EVENT_INTERNAL, 0);
}

static void ring_cq(struct sim_function *function, uint32_t page, uint32_t word, uint32_t cqn)
{
    struct hca_cq *cq = (struct hca_cq *)hca_find(HCA_CQ, cqn & 0xffffff);
    uint32_t record;

    if (!cq || cq->object.function != function ||
        cq->object.client != function->uar_owner[page]) {
        sim_log(SIM_INFO, "%s: UAR page %u: arm of CQ %#x, which is not there", function->name,
                page, cqn);
        return;
    }
    if (hca_read_be32(cq->space, cq->db_addr + 4, &record) && record != word)
        sim_violation(cq->object.client, "CQ %#x: armed by %#x, but the doorbell record says %#x: "
                      "it must be written before the register", cq->object.number, word, record);
    cqe_arm(cq, word);
}

static void ring_qp(struct sim_function *function, uint32_t page, uint32_t first, uint32_t second)
{
    const struct sim_client *client = function->uar_owner[page];
    struct hca_qp *qp = (struct hca_qp *)hca_find(HCA_QP, second >> 8);
    uint16_t index = (uint16_t)(first >> 8);

    if (!qp || qp->object.function != function || qp->object.client != client) {
        if (client)
            sim_violation(client, "UAR page %u: doorbell of QP %#x, which is not there", page,
                          second >> 8);
        return;
    }
    if (qp->uar_page != UINT32_MAX && qp->uar_page != page) {
        sim_violation(client, "UAR page %u: doorbell of QP %#x, which has page %u", page,
                      qp->object.number, qp->uar_page);
        return;
    }
    if (qp->state == QPS_RTS && sq_producer(qp) && (int16_t)(index - qp->sq_pi) >= 0)
        sim_violation(client, "QP %#x: doorbell for WQE %u, but the doorbell record says %u: it "
                      "must be written before the register", qp->object.number, index,
                      qp->sq_pi);
    if (qp->state == QPS_ERR || qp->state == QPS_SQE)
        qp->wake = 0;
    hca_run(qp);
}

void hca_doorbell(struct sim_function *function, uint32_t page, uint32_t offset, uint64_t value)
{
    uint32_t words[2];

    memcpy(words, &value, sizeof(words));
    if (page >= SIM_UAR_PAGES || function->fatal)
        return;
    if (offset >= SIM_UAR_BF && fault_fatal()) {
        fail_function(function);
        return;
    }
    if (offset == SIM_UAR_CQ_ARM)
        ring_cq(function, page, be32toh(words[0]), be32toh(words[1]));
    else if (offset >= SIM_UAR_BF)
        ring_qp(function, page, be32toh(words[0]), be32toh(words[1]));
    hca_tick(sim_now());
}

struct scan {
    struct sim_function *function;
    struct sim_client *client;
    uint32_t page;
};

static void scan_cq(struct hca_object *object, void *arg)
{
    const struct scan *scan = arg;
    struct hca_cq *cq = (struct hca_cq *)object;
    uint32_t word;

    if (object->client != scan->client ||
        (cq->uar_page != UINT32_MAX && cq->uar_page != scan->page) ||
        !hca_read_be32(cq->space, cq->db_addr + 4, &word) || word == cq->arm_word)
        return;
    cq->arm_word = word;
    cqe_arm(cq, word);
}

static void scan_qp(struct hca_object *object, void *arg)
{
    const struct scan *scan = arg;
    struct hca_qp *qp = (struct hca_qp *)object;

    if (object->client == scan->client && qp->sq_wqebbs && qp->state != QPS_RESET &&
        (qp->uar_page == UINT32_MAX || qp->uar_page == scan->page))
        hca_run(qp);
}

void hca_uar_scan(struct sim_function *function, uint32_t page)
{
    struct scan scan = { .function = function, .page = page };

    if (page >= SIM_UAR_PAGES || function->fatal || !function->uar_owner[page])
        return;
    scan.client = function->uar_owner[page];
    hca_each(HCA_QP, scan_qp, &scan);
    hca_tick(sim_now());
    hca_each(HCA_CQ, scan_cq, &scan);
}

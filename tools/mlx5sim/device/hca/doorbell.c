/* Doorbells: finds the queue for a store to a UAR page. */
#include "device/hca/doorbell.h"
#include "device/hca/events.h"
#include "device/hca/sq.h"
#include "device/machine/fault.h"
#include "device/machine/log.h"

#include <endian.h>
#include <string.h>

static void fail_function(struct sim_function *function)
{
    sim_log(SIM_ERROR, "%s: fault: the device has failed", function->name);
    function->fatal = true;
    hca_function_event(function, SIM_EVENT_INTERNAL, 0);
}

static void ring_cq(struct sim_function *function, uint32_t page, uint32_t word, uint32_t cqn)
{
    struct hca_cq *cq = (struct hca_cq *)hca_find(HCA_CQ, cqn & 0xffffff);
    uint32_t record;

    if (!cq || cq->object.function != function ||
        cq->object.client != function->uar_owner[page]) {
        sim_log(SIM_INFO, "%s: UAR page %u: arm of CQ %#x, which does not exist", function->name,
                page, cqn);
        return;
    }
    if (sim_read_be32(cq->space, cq->db_addr + 4, &record) && record != word)
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
            sim_violation(client, "UAR page %u: doorbell of QP %#x, which does not exist", page,
                          second >> 8);
        return;
    }
    if (qp->uar_page != UINT32_MAX && qp->uar_page != page) {
        sim_violation(client, "UAR page %u: doorbell of QP %#x, which uses page %u", page,
                      qp->object.number, qp->uar_page);
        return;
    }
    if (qp->state == QPS_RTS && hca_sq_producer(qp) && (int16_t)(index - qp->sq_pi) >= 0)
        sim_violation(client, "QP %#x: doorbell for WQE %u, but the doorbell record says %u: it "
                      "must be written before the register", qp->object.number, index,
                      qp->sq_pi);
    if (qp->state == QPS_ERR || qp->state == QPS_SQE)
        qp->wake = 0;
    hca_schedule(qp);
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

    if (object->client == scan->client &&
        (cq->uar_page == UINT32_MAX || cq->uar_page == scan->page))
        cqe_arm_by_record(cq);
}

static void scan_qp(struct hca_object *object, void *arg)
{
    const struct scan *scan = arg;
    struct hca_qp *qp = (struct hca_qp *)object;

    if (object->client == scan->client && qp->sq_wqebbs && qp->state != QPS_RESET &&
        (qp->uar_page == UINT32_MAX || qp->uar_page == scan->page))
        hca_schedule(qp);
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

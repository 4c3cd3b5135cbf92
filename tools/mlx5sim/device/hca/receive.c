/* Receive WQEs: takes the next WQE and translates its scatter list. */
#include "device/hca/receive.h"
#include "device/hca/events.h"
#include "device/hca/mkey.h"
#include "device/hca/odp.h"
#include "device/hca/stage.h"
#include "device/machine/log.h"
#include "wire/prm.h"

enum { SEG = 16, INLINE = 0x80000000u };

static void srq_check_limit(struct hca_srq *srq, uint16_t left)
{
    if (srq->limit && left < srq->limit) {
        srq->limit = 0;
        hca_event(&srq->object, SIM_EVENT_SRQ_LIMIT);
    }
}

/* Translates the scatter list of a receive WQE. The list ends at the invalid lkey; empty entries
 * are skipped. */
static bool map_receive(const struct hca_responder *to, struct hca_pd *pd, const uint8_t *wqe,
                        uint32_t bytes, struct hca_pieces *pieces)
{
    uint32_t need = HCA_LOCAL_WRITE | odp_need(to->qp, to->srq ? ODP_SRQ_RECEIVE : ODP_RECEIVE);

    pieces->num = 0;
    pieces->len = 0;
    for (const uint8_t *at = wqe; at + SEG <= wqe + bytes; at += SEG) {
        uint32_t key = (uint32_t)prm_get(at, prm_wqe_data_lkey);
        uint64_t len = prm_get(at, prm_wqe_data_byte_count);

        if (key == PRM_INVALID_LKEY)
            break;
        if (len && !stage_map(STAGE_RESPONDER, to->qp, pd, key, prm_get(at, prm_wqe_data_addr),
                              len & ~INLINE, need, pieces))
            return false;
    }
    return true;
}

enum hca_take hca_take_receive(const struct hca_responder *to, struct hca_receive *receive)
{
    struct hca_qp *qp = to->qp;
    struct hca_rq *rq = to->srq ? &to->srq->rq : &qp->rq;
    struct hca_pd *pd = to->srq ? to->srq->pd : qp->pd;
    uint32_t bytes = 1u << rq->wqe_shift, skip = rq->has_next_seg ? SEG : 0;
    uint8_t wqe[WQE_MAX];
    uint16_t producer;
    uint32_t slot;

    if (rq->num_wqes == 0 || bytes > WQE_MAX || !hca_rq_producer(rq, &producer) ||
        rq->ci == producer)
        return TAKE_EMPTY;
    if ((uint16_t)(producer - rq->ci) > rq->num_wqes)
        sim_violation(to->srq ? to->srq->object.client : qp->object.client,
                      "QP %#x: %u receives are posted to a queue of %u", qp->object.number,
                      (uint16_t)(producer - rq->ci), rq->num_wqes);
    slot = (rq->is_linked ? rq->head : rq->ci) & (rq->num_wqes - 1);
    receive->index = rq->is_linked ? (uint16_t)slot : rq->ci;
    rq->ci++;
    if (sim_read(rq->space, rq->addr + ((uint64_t)slot << rq->wqe_shift), wqe, bytes))
        return TAKE_BAD;
    if (rq->is_linked)
        rq->head = (uint16_t)prm_get(wqe, prm_wqe_next_next_wqe_index);
    if (to->srq)
        srq_check_limit(to->srq, (uint16_t)(producer - rq->ci));
    if (!map_receive(to, pd, wqe + skip, bytes - skip, &receive->pieces))
        return TAKE_BAD;
    receive->room = receive->pieces.len;
    return TAKE_OK;
}

void hca_return_receive(const struct hca_responder *to, const struct hca_receive *receive)
{
    struct hca_rq *rq = to->srq ? &to->srq->rq : &to->qp->rq;

    rq->ci--;
    if (rq->is_linked)
        rq->head = receive->index;
}

/* Completion queues: writing CQEs, arming, overrun, resizing. */
#include "hca.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    CI_MASK = 0xffffff,         /* counters of the doorbell record are 24 bits */
    NO_SN = 4                   /* a sequence number is 0 to 3 */
};

int hca_cq_create(struct sim_client *client, const struct hca_cq_attr *attr,
                  struct hca_object **out)
{
    struct hca_cq *cq;

    if (attr->num_cqes == 0 || attr->num_cqes & (attr->num_cqes - 1) ||
        attr->num_cqes > 1u << machine.profile.log_max_cq_sz ||
        (attr->cqe_bytes != 64 && attr->cqe_bytes != 128) || attr->cqe_comp_en)
        return EINVAL;
    cq = calloc(1, sizeof(*cq));
    if (!cq || hca_add(&cq->object, HCA_CQ, client)) {
        free(cq);
        return ENOMEM;
    }
    cq->space = sim_space_get(attr->space);
    cq->buf_addr = attr->buf_addr;
    cq->db_addr = attr->db_addr;
    cq->num_cqes = attr->num_cqes;
    cq->cqe_bytes = attr->cqe_bytes;
    /* The first arm of a new CQ leaves the record zero, as it was. Poll mode takes it for armed:
     * an event too many does less harm than one too few. */
    cq->arm_word = machine.doorbells == SIM_DOORBELLS_POLL ? UINT32_MAX : 0;
    cq->uar_page = attr->uar_page;
    cq->fired = NO_SN;
    cq->overrun_ignore = attr->overrun_ignore;
    *out = &cq->object;
    return 0;
}

/* ---- events --------------------------------------------------------------------------------- */

static void cq_event(struct hca_cq *cq)
{
    cq->armed = false;
    cq->fired = cq->sn;
    uverbs_completion(&cq->object);
}

/* The arm word says how far its owner had polled: a completion since then fires at once. One with
 * the sequence number of the latest event is one of before that, which comes late. */
void cqe_arm(struct hca_cq *cq, uint32_t word)
{
    uint32_t ci = word & CI_MASK;
    uint32_t news;

    cq->sn = word >> 28 & 3;
    if (cq->sn == cq->fired) {
        sim_log(SIM_INFO, "%s: CQ %#x: armed with the sequence number of its latest event: ignored",
                cq->object.function->name, cq->object.number);
        return;
    }
    cq->fired = NO_SN;
    cq->armed = true;
    cq->armed_solicited = word >> 24 & 1;
    news = ((cq->armed_solicited ? cq->last_solicited : cq->pi) - ci) & CI_MASK;
    sim_log(SIM_TRACE, "%s: CQ %#x: armed at %u%s, %u since", cq->object.function->name,
            cq->object.number, ci, cq->armed_solicited ? ", solicited only" : "", news);
    if (news != 0 && news < CI_MASK / 2)
        cq_event(cq);
}

static void cq_fire(struct hca_cq *cq, bool solicited)
{
    if (!cq->armed || (cq->armed_solicited && !solicited))
        return;
    cq_event(cq);
}

/* ---- CQEs ----------------------------------------------------------------------------------- */

static uint64_t device_clock(void)
{
    return (uint64_t)((unsigned __int128)sim_now() * machine.profile.core_clock_khz / 1000000);
}

static bool cq_full(const struct hca_cq *cq)
{
    return ((cq->pi - cq->ci) & CI_MASK) >= cq->num_cqes;
}

/* How many the owner has polled, its record says, which is only read when they may be too few.
 * False: it is not there any more, as the owner may not be. */
static bool cq_look(struct hca_cq *cq)
{
    uint32_t ci;

    if (!cq_full(cq))
        return true;
    if (!hca_read_be32(cq->space, cq->db_addr, &ci))
        return false;
    cq->ci = ci & CI_MASK;
    return true;
}

static bool cq_write(struct hca_cq *cq, struct hca_cqe *cqe)
{
    uint32_t slot = cq->pi & (cq->num_cqes - 1);
    uint64_t at = cq->buf_addr + (uint64_t)slot * cq->cqe_bytes + (cq->cqe_bytes - 64);

    prm_set(cqe->bytes, prm_cqe_owner, cq->pi / cq->num_cqes & 1);
    /* the owner bit is in the last byte and must be seen last */
    if (sim_write(cq->space, at, cqe->bytes, 63) ||
        sim_write(cq->space, at + 63, cqe->bytes + 63, 1))
        return false;
    cq->pi++;
    return true;
}

static void cq_fail(struct hca_cq *cq, const char *why)
{
    sim_log(SIM_INFO, "%s: CQ %#x: %s; it takes no more completions", cq->object.function->name,
            cq->object.number, why);
    cq->failed = true;
    uverbs_event(&cq->object, SIM_EVENT_CQ_ERROR);
}

void cqe_put(struct hca_cq *cq, struct hca_cqe *cqe, bool solicited)
{
    unsigned opcode = (unsigned)prm_get(cqe->bytes, prm_cqe_opcode);
    bool error = opcode == PRM_CQE_REQ_ERR || opcode == PRM_CQE_RESP_ERR;

    if (cq->failed || cq->object.function->fatal)
        return;
    if (fault_completion()) {
        sim_log(SIM_INFO, "%s: CQ %#x: fault: a completion is dropped",
                cq->object.function->name, cq->object.number);
        return;
    }
    if (!error)
        prm_set(cqe->bytes, prm_cqe_timestamp, device_clock());
    prm_set(cqe->bytes, prm_cqe_se, solicited);
    if (!cq->overrun_ignore && !cq_look(cq)) {
        cq_fail(cq, "its record cannot be read");
        return;
    }
    if (!cq->overrun_ignore && cq_full(cq)) {
        sim_violation(cq->object.client, "CQ %#x of %u CQEs overruns", cq->object.number,
                      cq->num_cqes);
        cq_fail(cq, "overrun");
        return;
    }
    if (!cq_write(cq, cqe)) {
        cq_fail(cq, "its buffer cannot be written");
        return;
    }
    if (solicited || error)
        cq->last_solicited = cq->pi;
    cq_fire(cq, solicited || error);
}

void cqe_error(struct hca_qp *qp, bool requester, uint16_t index, uint8_t wqe_opcode,
               const struct hca_outcome *outcome)
{
    struct hca_cqe cqe = { { 0 } };

    if (outcome->syndrome != PRM_SYND_WR_FLUSH)
        sim_log(SIM_INFO, "%s: QP %#x: WQE %u opcode %#x fails: syndrome %#x vendor %#x",
                qp->object.function->name, qp->object.number, index, wqe_opcode,
                outcome->syndrome, outcome->vendor);
    prm_set(cqe.bytes, prm_cqe_user_index, qp->uidx);
    prm_set(cqe.bytes, prm_cqe_vendor_error_syndrome, outcome->vendor);
    prm_set(cqe.bytes, prm_cqe_syndrome, outcome->syndrome);
    prm_set(cqe.bytes, prm_cqe_wqe_opcode, wqe_opcode);
    prm_set(cqe.bytes, prm_cqe_qpn, qp->object.number);
    prm_set(cqe.bytes, prm_cqe_wqe_counter, index);
    prm_set(cqe.bytes, prm_cqe_opcode, requester ? PRM_CQE_REQ_ERR : PRM_CQE_RESP_ERR);
    cqe_put(requester ? qp->send_cq : qp->recv_cq, &cqe, false);
}

/* ---- resizing ------------------------------------------------------------------------------- */

int hca_cq_resize(struct hca_object *object, uint64_t buf_addr, uint32_t num_cqes,
                  uint32_t cqe_bytes)
{
    struct hca_cq *cq = (struct hca_cq *)object;
    struct hca_cqe join = { { 0 } };
    uint32_t ci;

    if (num_cqes == 0 || num_cqes & (num_cqes - 1) ||
        num_cqes > 1u << machine.profile.log_max_cq_sz || (cqe_bytes != 64 && cqe_bytes != 128))
        return EINVAL;
    if (!hca_read_be32(cq->space, cq->db_addr, &ci))
        return EFAULT;
    if (((cq->pi - ci) & CI_MASK) >= num_cqes)
        return EINVAL;
    /* the last CQE of the old ring; the driver copies what lies before it to the new one */
    prm_set(join.bytes, prm_cqe_opcode, PRM_CQE_RESIZE);
    if (!cq_write(cq, &join))
        return EFAULT;
    cq->buf_addr = buf_addr;
    cq->num_cqes = num_cqes;
    cq->cqe_bytes = cqe_bytes;
    return 0;
}

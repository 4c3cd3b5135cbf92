/* Completion queues: writing CQEs, arming, overrun, resizing. */
#include "device/hca/cq.h"
#include "device/hca/events.h"
#include "device/machine/fault.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>

enum {
    CI_MASK = 0xffffff,         /* counters of the doorbell record are 24 bits */
    NO_SN = 4                   /* a sequence number is 0 to 3 */
};

static struct hca_cq *sessions; /* the CQs with CQEs that are not written yet */

static void leave_sessions(struct hca_cq *cq)
{
    struct hca_cq **p = &sessions;

    if (!cq->has_session)
        return;
    while (*p != cq)
        p = &(*p)->next_session;
    *p = cq->next_session;
    cq->has_session = false;
}

static void cq_release(struct hca_object *object)
{
    struct hca_cq *cq = (struct hca_cq *)object;

    leave_sessions(cq);
    free(cq->session);
    hca_unref(cq->umem);
    hca_unref(cq->db_umem);
    sim_space_put(cq->space);
}

int hca_cq_create(struct sim_client *client, const struct hca_cq_attr *attr,
                  struct hca_object **out)
{
    struct hca_cq *cq;

    if (attr->num_cqes == 0 || attr->num_cqes & (attr->num_cqes - 1) ||
        attr->num_cqes > 1u << machine.profile.log_max_cq_sz ||
        (attr->cqe_bytes != 64 && attr->cqe_bytes != 128) ||
        (attr->compresses && !compress_has_format(attr->format)))
        return EINVAL;
    cq = calloc(1, sizeof(*cq));
    if (cq && attr->compresses)
        cq->session = calloc(1, sizeof(*cq->session));
    if (!cq || (attr->compresses && !cq->session) ||
        hca_add(&cq->object, HCA_CQ, client, cq_release)) {
        if (cq)
            free(cq->session);
        free(cq);
        return ENOMEM;
    }
    if (cq->session)
        cq->session->format = (enum compress_format)attr->format;
    cq->space = sim_space_get(attr->space);
    cq->buf_addr = attr->buf_addr;
    cq->db_addr = attr->db_addr;
    cq->num_cqes = attr->num_cqes;
    cq->cqe_bytes = attr->cqe_bytes;
    /* The first arm of a new CQ may write a 0, the value that the doorbell record already has. Poll
     * mode cannot notice it and therefore treats a new CQ as armed: a superfluous event does less
     * harm than a missing event. */
    cq->arm_word = machine.doorbells == SIM_DOORBELLS_POLL ? UINT32_MAX : 0;
    cq->uar_page = attr->uar_page;
    cq->event_sn = NO_SN;
    cq->overrun_ignore = attr->overrun_ignore;
    *out = &cq->object;
    return 0;
}

static void write_session(struct hca_cq *cq);

/* ---- events --------------------------------------------------------------------------------- */

static void cq_event(struct hca_cq *cq)
{
    cq->armed = false;
    cq->event_sn = cq->sn;
    cq->event_pi = cq->pi;
    hca_completion(&cq->object);
}

/* True for a positive difference of two counters of 24 bits. */
static bool is_some(uint32_t difference)
{
    return difference != 0 && difference < CI_MASK / 2;
}

/* Keeps event_pi at most a whole ring behind pi, so that their difference does not wrap around
 * while the CQ reports no events. Only CQEs that are still in the ring need an event. */
static void limit_event_pi(struct hca_cq *cq)
{
    if (cq->pi - cq->event_pi > cq->num_cqes)
        cq->event_pi = cq->pi - cq->num_cqes;
}

/* The arm word contains the consumer index: how far the program has polled. If the CQ has a CQE
 * after this index that no event has reported, the event is reported at once. A CQE that an event
 * has reported has no second event, even if the program has not polled the CQE yet. This is
 * assumed. An arm with the sequence number of the latest event is an old arm that arrives late, and
 * is ignored. */
void cqe_arm(struct hca_cq *cq, uint32_t word)
{
    uint32_t ci = word & CI_MASK;
    uint32_t num_new, end;
    int32_t num_unreported;     /* negative: the latest event came after the last solicited CQE */

    write_session(cq);
    cq->sn = word >> 28 & 3;
    if (cq->sn == cq->event_sn) {
        sim_log(SIM_INFO, "%s: CQ %#x: armed with the sequence number of its latest event: ignored",
                cq->object.function->name, cq->object.number);
        return;
    }
    cq->event_sn = NO_SN;
    cq->armed = true;
    cq->armed_solicited = word >> 24 & 1;
    end = cq->armed_solicited ? cq->last_solicited : cq->pi;
    num_new = (end - ci) & CI_MASK;
    num_unreported = (int32_t)(end - cq->event_pi);
    sim_log(SIM_TRACE, "%s: CQ %#x: armed at index %u%s, %u CQEs after it, %d CQEs since the event",
            cq->object.function->name, cq->object.number, ci,
            cq->armed_solicited ? " for solicited CQEs" : "", num_new, num_unreported);
    if (is_some(num_new) && num_unreported > 0)
        cq_event(cq);
}

void cqe_arm_by_record(struct hca_cq *cq)
{
    uint32_t word;

    if (!sim_read_be32(cq->space, cq->db_addr + 4, &word) || word == cq->arm_word)
        return;
    cq->arm_word = word;
    cqe_arm(cq, word);
}

static void cq_notify(struct hca_cq *cq, bool solicited)
{
    if (!cq->armed || (cq->armed_solicited && !solicited))
        return;
    cq_event(cq);
}

/* ---- CQEs ----------------------------------------------------------------------------------- */

static bool cq_full(const struct hca_cq *cq)
{
    uint32_t waiting = cq->session ? cq->session->num : 0;

    return ((cq->pi + waiting - cq->ci) & CI_MASK) >= cq->num_cqes;
}

/* When the queue seems to be full, reads from the doorbell record how many CQEs the program has
 * polled. False when the record cannot be read, for example because the program has ended. */
static bool cq_update_ci(struct hca_cq *cq)
{
    uint32_t ci;

    if (!cq_full(cq))
        return true;
    if (!sim_read_be32(cq->space, cq->db_addr, &ci))
        return false;
    cq->ci = ci & CI_MASK;
    return true;
}

/* Returns the address of the CQE at an index. Of a CQE of 128 bytes, this is the address of the
 * last 64 bytes. */
static uint64_t cqe_addr(const struct hca_cq *cq, uint32_t index)
{
    uint32_t slot = index & (cq->num_cqes - 1);

    return cq->buf_addr + (uint64_t)slot * cq->cqe_bytes + (cq->cqe_bytes - 64);
}

static bool cq_write(struct hca_cq *cq, struct hca_cqe *cqe)
{
    uint64_t at = cqe_addr(cq, cq->pi);

    prm_set(cqe->bytes, prm_cqe_owner, cq->pi / cq->num_cqes & 1);
    /* the owner bit is in the last byte and must be seen last */
    if (sim_write_in_order(cq->space, at, cqe->bytes, sizeof(cqe->bytes)))
        return false;
    cq->pi++;
    return true;
}

static void cq_fail(struct hca_cq *cq, unsigned syndrome, const char *why)
{
    sim_log(SIM_INFO, "%s: CQ %#x: %s; it takes no more completions", cq->object.function->name,
            cq->object.number, why);
    cq->failed = true;
    hca_cq_error(&cq->object, syndrome);
}

/* Handles what follows the write of a CQE, or of several that are alike. */
static void cq_written(struct hca_cq *cq, bool solicited)
{
    limit_event_pi(cq);
    if (solicited)
        cq->last_solicited = cq->pi;
    cq_notify(cq, solicited);
}

/* Writes the CQEs of a session: a title, and the arrays before it. The ring has as many slots for
 * them as without compression; the slots without title or array keep their old content. */
static bool write_compressed(struct hca_cq *cq)
{
    const struct compress_session *session = cq->session;
    struct hca_cqe title = compress_title(session);
    uint32_t num = session->num, i, bytes;

    for (i = 0; i * COMPRESS_PER_ARRAY < num; i++) {
        bytes = (num - i * COMPRESS_PER_ARRAY) * COMPRESS_MINI_BYTES;
        if (sim_write(cq->space, cqe_addr(cq, cq->pi + compress_slot_of(i)),
                      session->minis[i * COMPRESS_PER_ARRAY], bytes < 64 ? bytes : 64))
            return false;
    }
    if (!cq_write(cq, &title))
        return false;
    sim_log(SIM_TRACE, "%s: CQ %#x: %u CQEs have the title at index %u",
            cq->object.function->name, cq->object.number, num, cq->pi - 1);
    cq->pi += num - 1;
    return true;
}

static void write_session(struct hca_cq *cq)
{
    struct compress_session *session = cq->session;
    bool good;

    leave_sessions(cq);
    if (session == NULL || session->num == 0)
        return;
    if (machine.doorbells == SIM_DOORBELLS_POLL) {
        cq->session = NULL;             /* arming the CQ must not come back to here */
        cqe_arm_by_record(cq);
        cq->session = session;
    }
    good = session->num == 1 ? cq_write(cq, &session->first) : write_compressed(cq);
    session->num = 0;
    if (good)
        cq_written(cq, prm_get(session->first.bytes, prm_cqe_se));
    else
        cq_fail(cq, SIM_CQ_ACCESS_VIOLATION, "its buffer cannot be written");
}

void cqe_write_sessions(void)
{
    while (sessions)
        write_session(sessions);
}

/* Keeps a CQE until others come that are like it. False when it must be written now. */
static bool keep(struct hca_cq *cq, const struct hca_cqe *cqe)
{
    if (cq->session == NULL)
        return false;
    if (cq->session->num == cq->num_cqes || !compress_add(cq->session, cqe)) {
        write_session(cq);              /* CQEs stay in their order */
        if (cq->failed || !compress_add(cq->session, cqe))
            return cq->failed;
    }
    if (!cq->has_session) {
        cq->has_session = true;
        cq->next_session = sessions;
        sessions = cq;
    }
    return true;
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
    /* Read the arm word before the program can poll this CQE: the program may then arm the CQ again
     * and overwrite the word. */
    if (machine.doorbells == SIM_DOORBELLS_POLL)
        cqe_arm_by_record(cq);
    if (!error)
        prm_set(cqe->bytes, prm_cqe_timestamp, sim_cycles());
    prm_set(cqe->bytes, prm_cqe_se, solicited);
    if (!cq->overrun_ignore && !cq_update_ci(cq)) {
        cq_fail(cq, SIM_CQ_ACCESS_VIOLATION, "its doorbell record cannot be read");
        return;
    }
    if (!cq->overrun_ignore && cq_full(cq)) {
        sim_violation(cq->object.client, "CQ %#x of %u CQEs overruns", cq->object.number,
                      cq->num_cqes);
        cq_fail(cq, SIM_CQ_OVERRUN, "overrun");
        return;
    }
    if (keep(cq, cqe))
        return;
    if (!cq_write(cq, cqe)) {
        cq_fail(cq, SIM_CQ_ACCESS_VIOLATION, "its buffer cannot be written");
        return;
    }
    cq_written(cq, solicited || error);
}

/* ---- resizing ------------------------------------------------------------------------------- */

int hca_cq_resize(struct hca_object *object, uint64_t buf_addr, uint32_t num_cqes,
                  uint32_t cqe_bytes)
{
    struct hca_cq *cq = (struct hca_cq *)object;
    struct hca_cqe last = { { 0 } };
    uint32_t ci;

    if (num_cqes == 0 || num_cqes & (num_cqes - 1) ||
        num_cqes > 1u << machine.profile.log_max_cq_sz || (cqe_bytes != 64 && cqe_bytes != 128))
        return EINVAL;
    write_session(cq);
    if (!sim_read_be32(cq->space, cq->db_addr, &ci))
        return EFAULT;
    if (((cq->pi - ci) & CI_MASK) >= num_cqes)
        return EINVAL;
    /* the last CQE of the old ring; libmlx5 copies the CQEs before it to the new ring */
    prm_set(last.bytes, prm_cqe_opcode, PRM_CQE_RESIZE);
    if (!cq_write(cq, &last))
        return EFAULT;
    cq->buf_addr = buf_addr;
    cq->num_cqes = num_cqes;
    cq->cqe_bytes = cqe_bytes;
    return 0;
}

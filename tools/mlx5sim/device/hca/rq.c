/* Receive queues: creates SRQs, and reads producer counters. */
#include "device/hca/rq.h"
#include "device/hca/wqe.h"

#include <errno.h>
#include <stdlib.h>

static void srq_release(struct hca_object *object)
{
    struct hca_srq *srq = (struct hca_srq *)object;

    hca_unref(srq->pd);
    hca_unref(srq->xrcd);
    hca_unref(srq->cq);
    hca_unref(srq->umem);
    hca_unref(srq->db_umem);
    sim_space_put(srq->rq.space);
    free(srq->tm);
}

int hca_srq_create(struct sim_client *client, const struct hca_srq_attr *attr,
                   struct hca_object **out)
{
    const struct sim_profile *p = &machine.profile;
    struct hca_srq *srq;

    if (attr->num_wqes == 0 || attr->num_wqes & (attr->num_wqes - 1) ||
        attr->num_wqes > 1u << p->log_max_srq_sz || attr->wqe_shift < 5 ||
        1u << attr->wqe_shift > WQE_MAX)
        return EINVAL;
    srq = calloc(1, sizeof(*srq));
    if (!srq || hca_add(&srq->object, HCA_SRQ, client, srq_release)) {
        free(srq);
        return ENOMEM;
    }
    srq->pd = (struct hca_pd *)attr->pd;
    srq->xrcd = (struct hca_xrcd *)attr->xrcd;
    srq->cq = (struct hca_cq *)attr->cq;
    hca_ref(srq->pd);
    hca_ref(srq->xrcd);
    hca_ref(srq->cq);
    srq->rq = (struct hca_rq){ .space = sim_space_get(attr->space), .addr = attr->buf_addr,
        .db_addr = attr->db_addr, .num_wqes = attr->num_wqes, .wqe_shift = attr->wqe_shift,
        .is_linked = true, .has_next_seg = true };
    srq->limit = attr->limit;
    srq->uidx = attr->uidx;
    /* analyzer: analyzer-malloc-leak: the table of objects holds it */
    *out = &srq->object;
    return 0;
}

int hca_srq_set_limit(struct hca_object *object, uint32_t limit)
{
    struct hca_srq *srq = (struct hca_srq *)object;

    if (limit >= srq->rq.num_wqes)
        return EINVAL;
    srq->limit = limit;
    return 0;
}

uint32_t hca_srq_limit(const struct hca_object *object)
{
    return ((const struct hca_srq *)object)->limit;
}

bool hca_rq_producer(struct hca_rq *rq, uint16_t *producer)
{
    uint32_t counter;

    if (!sim_read_be32(rq->space, rq->db_addr, &counter))
        return false;
    *producer = (uint16_t)counter;
    return true;
}

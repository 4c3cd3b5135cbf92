/* Firmware commands on DCTs. */
#include "device/firmware/dcts.h"
#include "device/hca/dct.h"
#include "device/hca/events.h"
#include "wire/prm.h"

#include <rdma/ib_user_ioctl_verbs.h>

enum { ACTIVE = 0, DRAINED = 2 };

static uint32_t access_of(const uint8_t *dctc)
{
    return (prm_get(dctc, prm_dctc_rre) ? IB_UVERBS_ACCESS_REMOTE_READ : 0u) |
           (prm_get(dctc, prm_dctc_rwe) ? IB_UVERBS_ACCESS_REMOTE_WRITE : 0u) |
           (prm_get(dctc, prm_dctc_rae) ? IB_UVERBS_ACCESS_REMOTE_ATOMIC : 0u);
}

void devx_create_dct(struct devx_command *c)
{
    const uint8_t *dctc = PRM_AT(c->in, prm_create_dct_in_dct_context);
    struct hca_dct_attr attr = { .key = prm_get(dctc, prm_dctc_dc_access_key),
        .uidx = (uint32_t)prm_get(dctc, prm_dctc_user_index), .access = access_of(dctc),
        .min_rnr_timer = (uint8_t)prm_get(dctc, prm_dctc_min_rnr_nak),
        .path_mtu = (uint8_t)prm_get(dctc, prm_dctc_mtu),
        .port = (uint8_t)prm_get(dctc, prm_dctc_port),
        .pkey_index = (uint16_t)prm_get(dctc, prm_dctc_pkey_index) };

    if (!devx_output(c, 16))
        return;
    attr.pd = devx_object(c, HCA_PD, (uint32_t)prm_get(dctc, prm_dctc_pd),
                          "the PD of the DCT is not this client's");
    attr.cq = attr.pd ? devx_object(c, HCA_CQ, (uint32_t)prm_get(dctc, prm_dctc_cqn),
                                    "the CQ of the DCT is not this client's") : NULL;
    attr.srq = attr.cq ? devx_object(c, HCA_SRQ, (uint32_t)prm_get(dctc, prm_dctc_srqn_xrqn),
                                     "the SRQ of the DCT is not this client's") : NULL;
    if (!attr.srq)
        return;
    if (attr.path_mtu < 1 || attr.path_mtu > 5 || attr.port != 1) {
        devx_fail(c, PRM_BAD_PARAM, 0x721, "the DCT has no MTU or no port");
        return;
    }
    attr.space = ((struct hca_srq *)attr.srq)->rq.space;
    if (hca_dct_create(c->client, &attr, &c->created)) {
        devx_fail(c, PRM_NO_RESOURCES, 0x722, "no DCT is left");
        return;
    }
    prm_set(c->out, prm_create_dct_out_dctn, c->created->number);
}

/* Finds the DCT of a command on an existing DCT. */
static struct hca_qp *find_dct(struct devx_command *c)
{
    struct hca_qp *dct = devx_object(c, HCA_QP, (uint32_t)prm_get(c->in, prm_query_dct_in_dctn),
                                     "the DCT is not this client's");

    if (dct && dct->type != HCA_QPT_DCT) {
        devx_fail(c, PRM_BAD_RESOURCE, 0x720, "the object is no DCT");
        return NULL;
    }
    return dct;
}

/* After the command the DCT answers no requests. No request can be in progress, so the event that
 * it is drained follows at once. */
void devx_drain_dct(struct devx_command *c)
{
    struct hca_qp *dct = find_dct(c);

    if (!dct)
        return;
    if (dct->is_draining) {
        devx_fail(c, PRM_BAD_RES_STATE, 0x723, "the DCT is not active");
        return;
    }
    dct->is_draining = true;
    hca_event(&dct->object, SIM_EVENT_DCT_DRAINED);
}

void devx_query_dct(struct devx_command *c)
{
    uint8_t *dctc = PRM_AT(c->out, prm_query_dct_out_dctc);
    const struct hca_qp *dct = find_dct(c);
    uint32_t access;

    if (!dct)
        return;
    access = dct->attr.qp_access_flags;
    prm_set(dctc, prm_dctc_state, dct->is_draining ? DRAINED : ACTIVE);
    prm_set(dctc, prm_dctc_user_index, dct->uidx);
    prm_set(dctc, prm_dctc_cqn, dct->recv_cq->object.number);
    prm_set(dctc, prm_dctc_rre, (access & IB_UVERBS_ACCESS_REMOTE_READ) != 0);
    prm_set(dctc, prm_dctc_rwe, (access & IB_UVERBS_ACCESS_REMOTE_WRITE) != 0);
    prm_set(dctc, prm_dctc_rae, (access & IB_UVERBS_ACCESS_REMOTE_ATOMIC) != 0);
    prm_set(dctc, prm_dctc_min_rnr_nak, dct->attr.min_rnr_timer);
    prm_set(dctc, prm_dctc_srqn_xrqn, dct->srq->object.number);
    prm_set(dctc, prm_dctc_pd, dct->pd->object.number);
    prm_set(dctc, prm_dctc_dc_access_key, dct->dc_key);
    prm_set(dctc, prm_dctc_mtu, dct->attr.path_mtu);
    prm_set(dctc, prm_dctc_port, dct->attr.port_num);
    prm_set(dctc, prm_dctc_pkey_index, dct->attr.pkey_index);
}

/* DCTs as QPs of verbs. */
#include "device/driver/dct.h"
#include "device/driver/transitions.h"
#include "device/driver/uobject.h"
#include "device/hca/dct.h"
#include "device/machine/fault.h"
#include "wire/prm.h"

#include <errno.h>
#include <string.h>

enum { OF_PD, OF_CQ, OF_SRQ };          /* order of the objects that create_qp() records */

static int create(const struct call *call, struct uobject *qp, uint32_t *dctn)
{
    const struct ib_uverbs_modify_qp *m = &qp->qp.dct.attr;
    const struct hca_dct_attr attr = {
        .pd = qp->used[OF_PD]->hca, .cq = qp->used[OF_CQ]->hca, .srq = qp->used[OF_SRQ]->hca,
        .space = call->space, .key = qp->qp.dct.key, .uidx = qp->qp.dct.uidx,
        .access = m->qp_access_flags, .min_rnr_timer = m->min_rnr_timer, .path_mtu = m->path_mtu,
        .port = m->port_num, .pkey_index = m->pkey_index};
    struct hca_object *hca;
    int err = fault_driver_command(PRM_CREATE_DCT);

    err = err != 0 ? err : hca_dct_create(call->client, &attr, &hca);
    if (err != 0)
        return err;
    uobject_bind(qp, hca);
    *dctn = hca->number;
    return 0;
}

/* The transitions are those of the kernel driver: from RESET to INIT, and from INIT to RTR. */
int dct_modify(const struct call *call, struct uobject *qp, const struct ib_uverbs_modify_qp *m,
               uint32_t *dctn)
{
    const uint32_t init = QP_STATE | QP_ACCESS | QP_PKEY | QP_PORT;
    const uint32_t rtr = QP_STATE | QP_MIN_RNR | QP_AV | QP_MTU;
    struct ib_uverbs_modify_qp *attr = &qp->qp.dct.attr;
    struct ib_uverbs_modify_qp old = *attr;
    int err;

    if (qp->qp.dct.state == QPS_RESET && m->attr_mask == init && m->qp_state == QPS_INIT) {
        attr->qp_access_flags = m->qp_access_flags;
        attr->pkey_index = m->pkey_index;
        attr->port_num = m->port_num;
    } else if (qp->qp.dct.state == QPS_INIT && m->attr_mask == rtr && m->qp_state == QPS_RTR) {
        attr->min_rnr_timer = m->min_rnr_timer;
        attr->path_mtu = m->path_mtu;
        attr->dest = m->dest;
        err = create(call, qp, dctn);
        if (err != 0) {
            *attr = old;
            return err;
        }
    } else {
        return EINVAL;
    }
    qp->qp.dct.state = m->qp_state;
    return 0;
}

int dct_query(const struct uobject *qp, struct ib_uverbs_query_qp_resp *resp)
{
    const struct ib_uverbs_modify_qp *attr = &qp->qp.dct.attr;

    if (qp->qp.dct.state != QPS_RTR)
        return EINVAL;
    resp->qp_state = resp->cur_qp_state = QPS_RTR;
    resp->qp_access_flags = attr->qp_access_flags;
    resp->min_rnr_timer = attr->min_rnr_timer;
    resp->path_mtu = attr->path_mtu;
    resp->port_num = attr->port_num;
    resp->pkey_index = attr->pkey_index;
    resp->dest = attr->dest;
    return 0;
}

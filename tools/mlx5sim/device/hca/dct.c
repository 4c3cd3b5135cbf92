/* Targets of the dynamically connected transport. */
#include "device/hca/dct.h"

int hca_dct_create(struct sim_client *client, const struct hca_dct_attr *attr,
                   struct hca_object **out)
{
    const struct hca_qp_attr of_qp = { .type = HCA_QPT_DCT, .pd = attr->pd, .srq = attr->srq,
        .send_cq = attr->cq, .recv_cq = attr->cq, .space = attr->space, .uidx = attr->uidx,
        .uar_page = UINT32_MAX };
    struct hca_qp *dct;
    int status = hca_qp_create(client, &of_qp, out);

    if (status)
        return status;
    dct = (struct hca_qp *)*out;
    dct->dc_key = attr->key;
    dct->attr.qp_access_flags = attr->access;
    dct->attr.min_rnr_timer = attr->min_rnr_timer;
    dct->attr.path_mtu = attr->path_mtu;
    dct->attr.port_num = attr->port;
    dct->attr.pkey_index = attr->pkey_index;
    dct->state = QPS_RTR;
    return 0;
}

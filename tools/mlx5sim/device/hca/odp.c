/* On-demand paging: the table of requests that can use memory that is not pinned. */
#include "device/hca/odp.h"
#include "wire/prm.h"

#include <rdma/ib_user_ioctl_verbs.h>

uint32_t odp_caps(uint32_t type)
{
    const uint32_t remote = ODP_WRITE | ODP_READ | ODP_ATOMIC;

    switch (type) {
    case IB_UVERBS_QPT_RC:
        return ODP_SEND | ODP_RECEIVE | ODP_SRQ_RECEIVE | remote;
    case IB_UVERBS_QPT_UD:
        return ODP_SEND | ODP_SRQ_RECEIVE;
    case IB_UVERBS_QPT_XRC_INI: case IB_UVERBS_QPT_XRC_TGT: case HCA_QPT_DCI: case HCA_QPT_DCT:
        return ODP_SEND | ODP_SRQ_RECEIVE | remote;     /* they receive from SRQs only */
    default:
        return 0;
    }
}

uint32_t odp_need(const struct hca_qp *qp, uint32_t request)
{
    return (odp_caps(qp->type) & request) != 0 ? 0 : HCA_PINNED;
}

uint32_t odp_request(uint8_t opcode)
{
    switch (opcode) {
    case PRM_WQE_SEND: case PRM_WQE_SEND_IMM: case PRM_WQE_SEND_INVAL: return ODP_SEND;
    case PRM_WQE_WRITE: case PRM_WQE_WRITE_IMM: return ODP_WRITE;
    case PRM_WQE_READ: return ODP_READ;
    case PRM_WQE_CAS: case PRM_WQE_FA: return ODP_ATOMIC;
    default: return 0;
    }
}

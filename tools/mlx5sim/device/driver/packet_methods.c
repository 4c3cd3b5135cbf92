/* Raw packet QPs: creation, transitions, and the features that QUERY_DEVICE announces. */
#include "device/driver/packet_methods.h"
#include "device/driver/checks.h"
#include "device/hca/ethernet.h"
#include "device/hca/icm.h"
#include "device/hca/pace.h"
#include "device/hca/tir.h"
#include "device/hca/tis.h"

#include <errno.h>

#include <rdma/ib_user_ioctl_cmds.h>

enum {                          /* states IB_QPS_*, attributes IB_QP_* */
    RESET = 0, INIT, RTR, RTS, SQD, SQE, ERR,
    QP_STATE = 1 << 0, QP_CUR_STATE = 1 << 1, QP_PORT = 1 << 5, QP_RATE = 1 << 25
};

bool packet_supports(uint32_t type)
{
    return type == IB_UVERBS_QPT_RAW_PACKET && machine.profile.ethernet;
}

int packet_check_qp(const struct call *call, const struct mlx5_ib_create_qp *user,
                    const struct ib_uverbs_qp_cap *cap, bool has_srq)
{
    uint32_t flags = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_QP_FLAGS);
    int err = 0;

    if (has_srq)
        return EINVAL;
    if (flags & ~(uint32_t)IB_UVERBS_QP_CREATE_SQ_SIG_ALL)
        return EOPNOTSUPP;
    if (cap->max_recv_wr)
        err = uverbs_check_memory(call, user->buf_addr,
                                  (uint64_t)user->rq_wqe_count << user->rq_wqe_shift, true);
    if (err == 0 && user->sq_wqe_count)
        err = uverbs_check_memory(call, user->sq_buf_addr, (uint64_t)user->sq_wqe_count * 64, true);
    return err != 0 ? err : uverbs_check_memory(call, user->db_addr, 8, true);
}

void packet_qp_numbers(const struct uobject *qp, struct mlx5_ib_create_qp_resp *resp)
{
    resp->comp_mask = MLX5_IB_CREATE_QP_RESP_MASK_RQN | MLX5_IB_CREATE_QP_RESP_MASK_SQN;
    resp->rqn = resp->sqn = qp->hca->number;
    resp->comp_mask |= MLX5_IB_CREATE_QP_RESP_MASK_TIRN | MLX5_IB_CREATE_QP_RESP_MASK_TIR_ICM_ADDR;
    resp->tirn = hca_tir_number(qp->hca);
    resp->tir_icm_addr = icm_address_of(qp->hca);
    if (((const struct hca_qp *)qp->hca)->tis == NULL)
        return;
    resp->comp_mask |= MLX5_IB_CREATE_QP_RESP_MASK_TISN;
    resp->tisn = ((const struct hca_qp *)qp->hca)->tis->number;
}

int packet_add_tis(const struct call *call, struct hca_object *qp)
{
    struct uverbs_context *context = call->context;
    int err = context->transport_domain != NULL ? 0 :
        hca_transport_domain_create(call->client, &context->transport_domain);

    return err != 0 ? err : hca_qp_add_tis(qp, context->transport_domain->number);
}

bool packet_move_is_allowed(uint8_t from, uint8_t to, uint32_t mask)
{
    const uint32_t ignored = QP_STATE | QP_CUR_STATE |
        (to == RTS && (from == RTR || from == RTS) ? QP_RATE : 0);
    static const struct { uint8_t from, to; uint32_t required; } moves[] = {
        { RESET, INIT, QP_PORT }, { INIT, INIT, 0 }, { INIT, RTR, 0 }, { RTR, RTS, 0 },
        { RTS, RTS, 0 }, { RTS, SQD, 0 }, { SQD, RTS, 0 }, { SQD, SQD, 0 }, { SQE, RTS, 0 } };

    if (to == RESET || to == ERR)
        return (mask & ~(uint32_t)(QP_STATE | QP_CUR_STATE)) == 0;
    for (unsigned i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
        if (moves[i].from == from && moves[i].to == to)
            return (mask & ~ignored) == moves[i].required;
    return false;
}

uint32_t packet_device_flags(void)
{
    return machine.profile.ethernet
        ? IB_UVERBS_DEVICE_RAW_IP_CSUM | IB_UVERBS_DEVICE_MANAGED_FLOW_STEERING : 0;
}

void packet_query_device(struct ib_uverbs_ex_query_device_resp *resp,
                         struct mlx5_ib_query_device_resp *driver)
{
    if (!machine.profile.ethernet)
        return;
    resp->raw_packet_caps = IB_UVERBS_RAW_PACKET_CAP_IP_CSUM;
    resp->rss_caps.supported_qpts = 1u << IB_UVERBS_QPT_RAW_PACKET;
    resp->rss_caps.max_rwq_indirection_tables = 1u << RQT_LOG_MAX;
    resp->rss_caps.max_rwq_indirection_table_size = 1u << RQT_LOG_MAX_SIZE;
    resp->max_wq_type_rq = 1u << machine.profile.log_max_qp;
    driver->rss_caps.rx_hash_function = MLX5_RX_HASH_FUNC_TOEPLITZ;
    driver->rss_caps.rx_hash_fields_mask = MLX5_RX_HASH_SRC_IPV4 | MLX5_RX_HASH_DST_IPV4 |
        MLX5_RX_HASH_SRC_IPV6 | MLX5_RX_HASH_DST_IPV6 | MLX5_RX_HASH_SRC_PORT_TCP |
        MLX5_RX_HASH_DST_PORT_TCP | MLX5_RX_HASH_SRC_PORT_UDP | MLX5_RX_HASH_DST_PORT_UDP;
    driver->tso_caps.max_tso = 1u << ETHERNET_LOG_MAX_LSO;
    driver->tso_caps.supported_qpts = 1u << IB_UVERBS_QPT_RAW_PACKET;
    driver->packet_pacing_caps = (struct mlx5_packet_pacing_caps){
        .qp_rate_limit_min = PACE_MIN_KBPS, .qp_rate_limit_max = PACE_MAX_KBPS,
        .supported_qpts = 1u << IB_UVERBS_QPT_RAW_PACKET, .cap_flags = MLX5_IB_PP_SUPPORT_BURST};
}

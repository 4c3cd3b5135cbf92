/* Methods of WQs, indirection tables and RSS QPs. */
#include "device/driver/wq_methods.h"
#include "device/driver/checks.h"
#include "device/driver/packet_methods.h"
#include "device/driver/uobject.h"
#include "device/hca/icm.h"
#include "device/hca/tir.h"
#include "device/machine/fault.h"
#include "wire/prm.h"

#include <errno.h>
#include <string.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>

/* ---- WQ ------------------------------------------------------------------------------------- */

static int check_wq(const struct call *call, const struct mlx5_ib_create_wq *user)
{
    uint32_t num = user->rq_wqe_count;
    int err;

    if (!machine.profile.ethernet)
        return EOPNOTSUPP;
    if (attr_value(call, UVERBS_ATTR_CREATE_WQ_TYPE) != IB_UVERBS_WQT_RQ)
        return EINVAL;
    if (user->comp_mask != 0 || user->flags != 0 || user->two_byte_shift_en != 0 ||
        attr_value(call, UVERBS_ATTR_CREATE_WQ_FLAGS) != 0)
        return EOPNOTSUPP;              /* striding, signatures, and flags of packets */
    if (num == 0 || (num & (num - 1)) != 0 || num > 1u << machine.profile.log_max_qp_sz ||
        user->rq_wqe_shift < 4 || user->rq_wqe_shift > 31 ||
        1u << user->rq_wqe_shift > machine.profile.max_rq_desc)
        return EINVAL;
    err = uverbs_check_memory(call, user->buf_addr, (uint64_t)num << user->rq_wqe_shift, true);
    return err != 0 ? err : uverbs_check_memory(call, user->db_addr, 8, true);
}

static int make_wq(struct call *call, const struct mlx5_ib_create_wq *user, struct uobject *pd,
                   struct uobject *cq, struct uobject *wq)
{
    const struct hca_qp_attr attr = {
        .type = IB_UVERBS_QPT_RAW_PACKET, .pd = pd->hca, .recv_cq = cq->hca, .space = call->space,
        .rq_addr = user->buf_addr, .db_addr = user->db_addr, .rq_wqes = user->rq_wqe_count,
        .rq_wqe_shift = user->rq_wqe_shift, .uidx = user->user_index & 0xffffff,
        .uar_page = UINT32_MAX};
    struct hca_object *hca;
    int err = fault_driver_command(PRM_CREATE_RQ);

    err = err != 0 ? err : hca_qp_create(call->client, &attr, &hca);
    if (err != 0)
        return err;
    uobject_bind(wq, hca);
    uobject_use(wq, pd);
    uobject_use(wq, cq);
    return 0;
}

static int create_wq(struct call *call)
{
    struct uobject *pd = attr_uobject(call, UVERBS_ATTR_CREATE_WQ_PD_HANDLE, UO_PD);
    struct uobject *cq = attr_uobject(call, UVERBS_ATTR_CREATE_WQ_CQ_HANDLE, UO_CQ), *wq;
    struct mlx5_ib_create_wq_resp resp = {.response_length = sizeof(resp)};
    struct mlx5_ib_create_wq user;
    uint32_t sges;
    int err = attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user));

    if (err != 0)
        return EINVAL;
    if (pd == NULL || cq == NULL)
        return ENOENT;
    err = check_wq(call, &user);
    if (err != 0)
        return err;
    wq = uobject_new(call->context, UO_WQ);
    err = wq != NULL ? make_wq(call, &user, pd, cq, wq) : ENOMEM;
    if (err != 0) {
        if (wq != NULL)
            uobject_drop(wq);
        return err;
    }
    attr_in(call, UVERBS_ATTR_CREATE_WQ_USER_HANDLE, &wq->user_handle, sizeof(wq->user_handle));
    attr_out_value(call, UVERBS_ATTR_CREATE_WQ_HANDLE, wq->handle);
    sges = (1u << user.rq_wqe_shift) / 16;
    err = attr_out(call, UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR, &user.rq_wqe_count, 4);
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE, &sges, 4);
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM, &wq->hca->number, 4);
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
}

static int destroy_wq(struct call *call)
{
    struct uobject *wq = attr_uobject(call, UVERBS_ATTR_DESTROY_WQ_HANDLE, UO_WQ);
    uint32_t read[2];
    int err = wq != NULL ? uobject_destroy(wq, read) : ENOENT;

    return err != 0 ? err : attr_out(call, UVERBS_ATTR_DESTROY_WQ_RESP, &read[1], 4);
}

/* Changes the state. From the error state a WQ must be reset first. */
static int modify_wq(struct call *call)
{
    enum { STATE = 1, CUR_STATE = 2, RESET = 0, RDY = 1, ERR = 2 };
    static const uint8_t states[] = {[RESET] = QPS_RESET, [RDY] = QPS_RTR, [ERR] = QPS_ERR};
    struct ib_uverbs_modify_qp modify = {.attr_mask = 1};       /* IB_QP_STATE */
    struct ib_uverbs_ex_modify_wq cmd;
    struct uobject *wq;
    uint8_t now;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    wq = uobject_find(call->context, cmd.wq_handle, UO_WQ);
    if (wq == NULL || cmd.attr_mask == 0 || (cmd.attr_mask & ~(uint32_t)(STATE | CUR_STATE)) != 0 ||
        ((cmd.attr_mask & STATE) != 0 && cmd.wq_state > ERR))
        return EINVAL;
    now = hca_qp_state(wq->hca);
    if ((cmd.attr_mask & CUR_STATE) != 0 &&
        (cmd.curr_wq_state > ERR || states[cmd.curr_wq_state] != now))
        return EINVAL;
    if ((cmd.attr_mask & STATE) == 0)
        return 0;
    if (cmd.wq_state == RDY && now == QPS_ERR)
        return EINVAL;
    modify.qp_state = states[cmd.wq_state];
    err = fault_driver_command(PRM_MODIFY_RQ);
    return err != 0 ? err : hca_qp_modify(wq->hca, &modify);
}

/* ---- indirection table ---------------------------------------------------------------------- */

/* Reads the handles after the command and finds their WQs. */
static int find_wqs(const struct call *call, struct hca_qp **rq, unsigned num)
{
    const size_t head = sizeof(struct ib_uverbs_ex_create_rwq_ind_table);
    uint32_t handles[1 << RQT_LOG_MAX_SIZE];
    uint8_t cmd[sizeof(struct ib_uverbs_ex_create_rwq_ind_table) + sizeof(handles)];
    int err = command_in(call, cmd, head + num * sizeof(handles[0]));
    unsigned i;

    if (err != 0)
        return err;
    memcpy(handles, cmd + head, num * sizeof(handles[0]));
    for (i = 0; i < num; i++) {
        const struct uobject *wq = uobject_find(call->context, handles[i], UO_WQ);

        if (wq == NULL)
            return EINVAL;
        rq[i] = (struct hca_qp *)wq->hca;
    }
    return 0;
}

static int create_ind_table(struct call *call)
{
    struct mlx5_ib_create_rwq_ind_tbl_resp driver = {.response_length = sizeof(driver)};
    struct ib_uverbs_ex_create_rwq_ind_table_resp resp = {.response_length = sizeof(resp)};
    struct ib_uverbs_ex_create_rwq_ind_table cmd;
    struct hca_qp *rq[1 << RQT_LOG_MAX_SIZE];
    struct hca_object *hca;
    struct uobject *table;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    if (cmd.comp_mask != 0)
        return EOPNOTSUPP;
    if (cmd.log_ind_tbl_size > RQT_LOG_MAX_SIZE || !command_room(call, sizeof(resp)))
        return EINVAL;
    err = find_wqs(call, rq, 1u << cmd.log_ind_tbl_size);
    if (err != 0)
        return err;
    table = uobject_new(call->context, UO_IND_TABLE);
    err = table != NULL ? fault_driver_command(PRM_CREATE_RQT) : ENOMEM;
    err = err != 0 ? err : hca_rqt_create(call->client, rq, 1u << cmd.log_ind_tbl_size, &hca);
    if (err != 0) {
        if (table != NULL)
            uobject_drop(table);
        return err;
    }
    uobject_bind(table, hca);
    resp.ind_tbl_handle = table->handle;
    resp.ind_tbl_num = hca->number;
    err = command_out(call, &resp, sizeof(resp));
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof(driver));
}

static int destroy_ind_table(struct call *call)
{
    return uverbs_destroy(call, UVERBS_ATTR_DESTROY_RWQ_IND_TBL_HANDLE, UO_IND_TABLE);
}

/* ---- RSS QP --------------------------------------------------------------------------------- */

/* Translates the fields of verbs. A QP hashes packets of one version of IP, and ports of one
 * protocol. */
static int read_hash(const struct mlx5_ib_create_qp_rss *user, struct hca_tir_attr *attr)
{
    const uint64_t ipv4 = MLX5_RX_HASH_SRC_IPV4 | MLX5_RX_HASH_DST_IPV4;
    const uint64_t ipv6 = MLX5_RX_HASH_SRC_IPV6 | MLX5_RX_HASH_DST_IPV6;
    const uint64_t tcp = MLX5_RX_HASH_SRC_PORT_TCP | MLX5_RX_HASH_DST_PORT_TCP;
    const uint64_t udp = MLX5_RX_HASH_SRC_PORT_UDP | MLX5_RX_HASH_DST_PORT_UDP;
    uint64_t mask = user->rx_hash_fields_mask;

    if (user->comp_mask != 0 || user->flags != 0 ||
        (mask & ~(ipv4 | ipv6 | tcp | udp)) != 0)
        return EOPNOTSUPP;
    if (user->rx_hash_function != MLX5_RX_HASH_FUNC_TOEPLITZ)
        return EOPNOTSUPP;
    if (user->rx_key_len != TIR_KEY_BYTES || ((mask & ipv4) != 0 && (mask & ipv6) != 0) ||
        ((mask & tcp) != 0 && (mask & udp) != 0))
        return EINVAL;
    memcpy(attr->key, user->rx_hash_key, sizeof(attr->key));
    attr->hashes = mask != 0;
    attr->ip_version = (mask & ipv4) != 0 ? 4 : (mask & ipv6) != 0 ? 6 : 0;
    attr->protocol = (mask & tcp) != 0 ? PACKET_TCP : (mask & udp) != 0 ? PACKET_UDP : 0;
    attr->fields = ((mask & (MLX5_RX_HASH_SRC_IPV4 | MLX5_RX_HASH_SRC_IPV6)) ? HASH_SRC_IP : 0u) |
        ((mask & (MLX5_RX_HASH_DST_IPV4 | MLX5_RX_HASH_DST_IPV6)) ? HASH_DST_IP : 0u) |
        ((mask & (MLX5_RX_HASH_SRC_PORT_TCP | MLX5_RX_HASH_SRC_PORT_UDP)) ? HASH_L4_SPORT : 0u) |
        ((mask & (MLX5_RX_HASH_DST_PORT_TCP | MLX5_RX_HASH_DST_PORT_UDP)) ? HASH_L4_DPORT : 0u);
    return 0;
}

int wq_create_rss_qp(struct call *call)
{
    struct uobject *pd = attr_uobject(call, UVERBS_ATTR_CREATE_QP_PD_HANDLE, UO_PD), *qp;
    struct uobject *table = attr_uobject(call, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE,
                                         UO_IND_TABLE);
    struct mlx5_ib_create_qp_resp resp = {
        .comp_mask = MLX5_IB_CREATE_QP_RESP_MASK_TIRN | MLX5_IB_CREATE_QP_RESP_MASK_TIR_ICM_ADDR};
    struct mlx5_ib_create_qp_rss user;
    struct hca_tir_attr attr = {0};
    struct ib_uverbs_qp_cap cap;
    struct hca_object *hca;
    int err = attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user));

    if (err != 0 || attr_in(call, UVERBS_ATTR_CREATE_QP_CAP, &cap, sizeof(cap)) != 0)
        return EINVAL;
    if (!packet_supports((uint32_t)attr_value(call, UVERBS_ATTR_CREATE_QP_TYPE)))
        return EOPNOTSUPP;
    if (pd == NULL || table == NULL)
        return ENOENT;
    if (cap.max_send_wr != 0 || attr_value(call, UVERBS_ATTR_CREATE_QP_FLAGS) != 0)
        return EINVAL;
    err = read_hash(&user, &attr);
    if (err != 0)
        return err;
    attr.rqt = (struct hca_rqt *)table->hca;
    qp = uobject_new(call->context, UO_RSS_QP);
    err = qp != NULL ? fault_driver_command(PRM_CREATE_TIR) : ENOMEM;
    err = err != 0 ? err : hca_tir_create(call->client, &attr, &hca);
    if (err != 0) {
        if (qp != NULL)
            uobject_drop(qp);
        return err;
    }
    uobject_bind(qp, hca);
    uobject_use(qp, pd);
    uobject_use(qp, table);
    attr_in(call, UVERBS_ATTR_CREATE_QP_USER_HANDLE, &qp->user_handle, sizeof(qp->user_handle));
    resp.tirn = hca->number;
    resp.tir_icm_addr = icm_address_of(hca);
    attr_out_value(call, UVERBS_ATTR_CREATE_QP_HANDLE, qp->handle);
    memset(&cap, 0, sizeof(cap));
    err = attr_out(call, UVERBS_ATTR_CREATE_QP_RESP_CAP, &cap, sizeof(cap));
    /* such a QP has no number */
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &cap.max_send_wr, 4);
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
}

/* ---- tables --------------------------------------------------------------------------------- */

const struct method wq_methods[] = {
    {UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_CREATE, "WQ.CREATE", create_wq, 12, 2,
     CORE(0) | CORE(1) | CORE(2) | CORE(4) | CORE(6) | CORE(7) | DRIVER(0), false},
    {UVERBS_OBJECT_WQ, UVERBS_METHOD_WQ_DESTROY, "WQ.DESTROY", destroy_wq, 2, 0, CORE(0) | CORE(1),
     true},
    {UVERBS_OBJECT_RWQ_IND_TBL, UVERBS_METHOD_RWQ_IND_TBL_DESTROY, "RWQ_IND_TBL.DESTROY",
     destroy_ind_table, 1, 0, CORE(0), true},
    {.run = NULL}};

const struct write_command wq_commands[] = {
    {WRITE_EXTENDED | IB_USER_VERBS_EX_CMD_MODIFY_WQ, "EX_MODIFY_WQ", modify_wq, false},
    {WRITE_EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL, "EX_CREATE_RWQ_IND_TBL",
     create_ind_table, false},
    {.run = NULL}};

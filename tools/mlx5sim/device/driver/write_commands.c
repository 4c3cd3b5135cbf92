/* Commands of DEVICE.INVOKE_WRITE, an ioctl that contains a command of the write(2) ABI. */
#define _GNU_SOURCE
#include "device/driver/write_commands.h"
#include "device/driver/channel.h"
#include "device/driver/checks.h"
#include "device/driver/flow_methods.h"
#include "device/driver/packet_methods.h"
#include "device/driver/qp_commands.h"
#include "device/driver/queue_methods.h"
#include "device/driver/uobject.h"
#include "device/driver/wq_methods.h"
#include "device/driver/xrc.h"
#include "device/hca/mcast.h"
#include "device/hca/mkey.h"
#include "device/hca/odp.h"
#include "device/hca/qp.h"
#include "device/hca/tm.h"
#include "device/machine/fault.h"
#include "device/machine/gid.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>

enum {
    REREG_TRANSLATION = 1, REREG_PD = 2, REREG_ACCESS = 4,
    SRQ_MAX_WR = 1, SRQ_LIMIT = 2,
    ODP_SUPPORT = 1, ODP_SUPPORT_IMPLICIT = 2,          /* IBV_ODP_* */
    TM_OF_RC = 1                /* flag of tag matching: rendezvous over RC */
};

/* ---- device --------------------------------------------------------------------------------- */

static void fill_device(const struct sim_function *function, struct ib_uverbs_query_device_resp *r)
{
    const struct sim_profile *profile = &machine.profile;

    *r = (struct ib_uverbs_query_device_resp){
        .fw_ver = (uint64_t)profile->card->firmware << 32 | 39 << 16 | 1002,
        .node_guid = htobe64(function->node_guid),
        .sys_image_guid = htobe64(function->sys_image_guid),
        .max_mr_size = ~0ull,
        .page_size_cap = ~(uint64_t)(SIM_PAGE - 1),
        .vendor_id = 0x2c9,
        .vendor_part_id = profile->card->device,
        .hw_ver = profile->card->hw_rev,
        .max_qp = 1u << profile->log_max_qp,
        .max_qp_wr = 1u << profile->log_max_qp_sz,
        .device_cap_flags = IB_UVERBS_DEVICE_CHANGE_PHY_PORT |
            IB_UVERBS_DEVICE_PORT_ACTIVE_EVENT | IB_UVERBS_DEVICE_SYS_IMAGE_GUID |
            IB_UVERBS_DEVICE_RC_RNR_NAK_GEN | IB_UVERBS_DEVICE_MEM_MGT_EXTENSIONS |
            IB_UVERBS_DEVICE_MEM_WINDOW | IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2B |
            IB_UVERBS_DEVICE_XRC | packet_device_flags(),
        .max_sge = profile->max_sge,
        .max_sge_rd = profile->max_sge,
        .max_cq = 1u << profile->log_max_cq,
        .max_cqe = (1u << profile->log_max_cq_sz) - 1,
        .max_mr = 1u << profile->log_max_mkey,
        .max_mw = 1u << profile->log_max_mkey,
        .max_pd = 1u << profile->log_max_pd,
        .max_qp_rd_atom = profile->max_rd_atomic,
        .max_res_rd_atom = (1u << profile->log_max_qp) * profile->max_rd_atomic,
        .max_qp_init_rd_atom = profile->max_rd_atomic,
        .atomic_cap = 1,                /* IB_ATOMIC_HCA */
        .max_mcast_grp = 1u << HCA_LOG_MAX_GROUPS,
        .max_mcast_qp_attach = HCA_MAX_GROUP_QPS,
        .max_total_mcast_qp_attach = HCA_MAX_GROUP_QPS << HCA_LOG_MAX_GROUPS,
        .max_ah = 0x7fffffff,
        .max_srq = 1u << profile->log_max_srq,
        .max_srq_wr = (1u << profile->log_max_srq_sz) - 1,
        .max_srq_sge = profile->max_srq_sge,
        .max_pkeys = 1,
        .local_ca_ack_delay = 16,
        .phys_port_cnt = 1,
    };
}

static int query_device(struct call *call)
{
    struct ib_uverbs_query_device_resp resp;

    fill_device(call->client->function, &resp);
    return command_out(call, &resp, sizeof(resp));
}

static void fill_odp(struct ib_uverbs_ex_query_device_resp *resp)
{
    resp->odp_caps.general_caps = ODP_SUPPORT | ODP_SUPPORT_IMPLICIT;
    resp->odp_caps.per_transport_caps.rc_odp_caps = odp_caps(IB_UVERBS_QPT_RC);
    resp->odp_caps.per_transport_caps.uc_odp_caps = odp_caps(IB_UVERBS_QPT_UC);
    resp->odp_caps.per_transport_caps.ud_odp_caps = odp_caps(IB_UVERBS_QPT_UD);
    resp->xrc_odp_caps = odp_caps(IB_UVERBS_QPT_XRC_INI);
}

static int query_device_ex(struct call *call)
{
    const struct ib_uverbs_attr *attr = attr_find(call, UVERBS_ATTR_CORE_OUT);
    struct ib_uverbs_ex_query_device_resp resp = {
        .timestamp_mask = ~0ull,
        .hca_core_clock = machine.profile.core_clock_khz,
        .max_dm_size = SIM_DM_BYTES,
    };
    struct mlx5_ib_query_device_resp driver = {
        .flags = MLX5_IB_QUERY_DEV_RESP_FLAGS_CQE_128B_PAD |
                 MLX5_IB_QUERY_DEV_RESP_FLAGS_CQE_128B_COMP,
        .cqe_comp_caps = {COMPRESS_MAX, MLX5_IB_CQE_RES_FORMAT_HASH | MLX5_IB_CQE_RES_FORMAT_CSUM |
                                        MLX5_IB_CQE_RES_FORMAT_CSUM_STRIDX},
        .dci_streams_caps = {HCA_LOG_MAX_STREAMS, HCA_LOG_MAX_FAILED_STREAMS}};
    int err;

    if (attr == NULL || attr->len < sizeof(resp.base) + 8)
        return ENOSPC;
    fill_device(call->client->function, &resp.base);
    fill_odp(&resp);
    packet_query_device(&resp, &driver);
    if (!machine.profile.ethernet)
        resp.tm_caps = (struct ib_uverbs_tm_caps){
            .max_rndv_hdr_size = TM_MAX_RENDEZVOUS, .max_num_tags = (1u << TM_LOG_MAX_TAGS) - 1,
            .flags = TM_OF_RC, .max_ops = 1u << machine.profile.log_max_qp_sz, .max_sge = 1};
    resp.device_cap_flags_ex = resp.base.device_cap_flags;
    resp.response_length = attr->len < sizeof(resp) ? attr->len : sizeof(resp);
    attr = attr_find(call, UVERBS_ATTR_UHW_OUT);
    if (attr != NULL)
        driver.response_length = attr->len < sizeof(driver) ? attr->len : sizeof(driver);
    err = attr_out(call, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof(driver));
}

/* ---- PD, channel, AH ------------------------------------------------------------------------ */

static int alloc_pd(struct call *call)
{
    struct ib_uverbs_alloc_pd_resp resp;
    struct mlx5_ib_alloc_pd_resp driver;
    struct hca_object *hca;
    struct uobject *pd;
    int err;

    if (!command_room(call, sizeof(resp)))
        return ENOSPC;
    pd = uobject_new(call->context, UO_PD);
    err = pd != NULL ? fault_driver_command(PRM_ALLOC_PD) : ENOMEM;
    err = err != 0 ? err : hca_pd_create(call->client, &hca);
    if (err != 0) {
        if (pd != NULL)
            uobject_drop(pd);
        return err;
    }
    uobject_bind(pd, hca);
    resp.pd_handle = pd->handle;
    driver.pdn = hca->number;
    err = command_out(call, &resp, sizeof(resp));
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof(driver));
}

static int create_comp_channel(struct call *call)
{
    const struct ib_uverbs_attr *attr = attr_find(call, UVERBS_ATTR_CORE_OUT);
    int fd;

    if (attr == NULL || attr->len < sizeof(struct ib_uverbs_create_comp_channel_resp))
        return ENOSPC;
    if (channel_new(call->context, CHANNEL_COMP, 0, &fd) == NULL)
        return EMFILE;
    call_out_fd(call, attr->data, fd);
    return 0;
}

static int create_ah(struct call *call)
{
    struct mlx5_ib_create_ah_resp driver = {.response_length = sizeof(driver)};
    struct ib_uverbs_create_ah_resp resp;
    struct ib_uverbs_create_ah cmd;
    struct uobject *pd, *ah;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    pd = uobject_find(call->context, cmd.pd_handle, UO_PD);
    if (pd == NULL || cmd.attr.port_num != 1 ||
        !uverbs_path_is_valid(call, cmd.attr.is_global, cmd.attr.grh.sgid_index))
        return EINVAL;
    if (machine.profile.ethernet && !gid_mac(cmd.attr.grh.dgid, driver.dmac))
        return EHOSTUNREACH;
    ah = uobject_new(call->context, UO_AH);
    if (ah == NULL)
        return ENOMEM;
    uobject_use(ah, pd);
    resp.ah_handle = ah->handle;
    err = command_out(call, &resp, sizeof(resp));
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof(driver));
}

/* ---- MR ------------------------------------------------------------------------------------- */

/* True for an implicit region: on-demand paging of all addresses of the program. */
static bool is_implicit(uint64_t start, uint64_t len, uint32_t access)
{
    return (access & IB_UVERBS_ACCESS_ON_DEMAND) != 0 && start == 0 && len == UINT64_MAX;
}

/* Checks a region with on-demand paging. Its pages need not be mapped. */
static int check_on_demand(uint64_t start, uint64_t len, uint64_t iova, uint32_t access)
{
    if (is_implicit(start, len, access))
        return iova != 0 || (access & IB_UVERBS_ACCESS_HUGETLB) != 0 ? EINVAL : 0;
    if (len == 0)
        return EINVAL;
    return start + len < start || start + len > UINT64_MAX - (SIM_PAGE - 1) ? EOVERFLOW : 0;
}

static int check_mr(const struct call *call, uint64_t start, uint64_t len, uint64_t iova,
                    uint32_t access)
{
    const uint32_t writes = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
        IB_UVERBS_ACCESS_REMOTE_ATOMIC | IB_UVERBS_ACCESS_MW_BIND;
    int err = uverbs_check_access(access & ~(uint32_t)IB_UVERBS_ACCESS_ON_DEMAND);

    if (err != 0)
        return err;
    if (start % SIM_PAGE != iova % SIM_PAGE)
        return EINVAL;
    if ((access & IB_UVERBS_ACCESS_ON_DEMAND) != 0)
        return check_on_demand(start, len, iova, access);
    return uverbs_check_memory(call, start, len, (access & writes) != 0);
}

static int reg_mr(struct call *call)
{
    struct ib_uverbs_reg_mr_resp resp;
    struct hca_mkey_attr attr;
    struct ib_uverbs_reg_mr cmd;
    struct hca_object *hca;
    struct uobject *pd, *mr;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    err = check_mr(call, cmd.start, cmd.length, cmd.hca_va, cmd.access_flags);
    if (err != 0)
        return err;
    pd = uobject_find(call->context, cmd.pd_handle, UO_PD);
    if (pd == NULL)
        return EINVAL;
    attr = (struct hca_mkey_attr){.pd = pd->hca, .space = call->space, .addr = cmd.start,
                                  .iova = cmd.hca_va, .len = cmd.length,
                                  .covers_all = is_implicit(cmd.start, cmd.length,
                                                            cmd.access_flags),
                                  .access = cmd.access_flags};
    mr = uobject_new(call->context, UO_MR);
    err = mr != NULL ? fault_driver_command(PRM_CREATE_MKEY) : ENOMEM;
    err = err != 0 ? err : hca_mkey_create(call->client, &attr, &hca);
    if (err != 0) {
        if (mr != NULL)
            uobject_drop(mr);
        return err;
    }
    uobject_bind(mr, hca);
    uobject_use(mr, pd);
    mr->mr.space = sim_space_get(call->space);
    mr->mr.addr = cmd.start;
    mr->mr.len = cmd.length;
    mr->mr.iova = cmd.hca_va;
    mr->mr.access = cmd.access_flags;
    resp = (struct ib_uverbs_reg_mr_resp){mr->handle, hca->number, hca->number};
    return command_out(call, &resp, sizeof(resp));
}

static void replace_pd(struct uobject *mr, struct uobject *pd)
{
    mr->used[0]->num_users--;
    mr->used[0] = pd;
    pd->num_users++;
}

static int rereg_mr(struct call *call)
{
    struct ib_uverbs_rereg_mr_resp resp;
    struct ib_uverbs_rereg_mr cmd;
    struct hca_mkey_attr attr;
    struct uobject *mr, *pd;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    if (cmd.flags == 0 || (cmd.flags & ~7u) != 0)
        return EINVAL;
    mr = uobject_find(call->context, cmd.mr_handle, UO_MR);
    pd = (cmd.flags & REREG_PD) != 0 ? uobject_find(call->context, cmd.pd_handle, UO_PD)
        : mr != NULL ? mr->used[0] : NULL;
    if (mr == NULL || pd == NULL || mr->used[1] != NULL)
        return EINVAL;
    attr = (struct hca_mkey_attr){.pd = pd->hca, .space = mr->mr.space, .addr = mr->mr.addr,
                                  .iova = mr->mr.iova, .len = mr->mr.len,
                                  .access = mr->mr.access};
    if ((cmd.flags & REREG_ACCESS) != 0)
        attr.access = cmd.access_flags;
    if ((cmd.flags & REREG_TRANSLATION) != 0) {
        attr.space = call->space;
        attr.addr = cmd.start;
        attr.len = cmd.length;
        attr.iova = cmd.hca_va;
    } else if (((attr.access ^ mr->mr.access) & IB_UVERBS_ACCESS_ON_DEMAND) != 0) {
        if ((mr->mr.access & IB_UVERBS_ACCESS_ON_DEMAND) != 0)
            return EINVAL;              /* memory is pinned only when it is registered */
        attr.access &= ~(uint32_t)IB_UVERBS_ACCESS_ON_DEMAND;   /* it stays pinned */
    }
    attr.covers_all = is_implicit(attr.addr, attr.len, attr.access);
    err = attr.space == call->space
        ? check_mr(call, attr.addr, attr.len, attr.iova, attr.access)
        : uverbs_check_access(attr.access & ~(uint32_t)IB_UVERBS_ACCESS_ON_DEMAND);
    err = err != 0 ? err : hca_mkey_modify(mr->hca, &attr);
    if (err != 0)
        return err;
    replace_pd(mr, pd);
    sim_space_get(attr.space);
    sim_space_put(mr->mr.space);
    mr->mr.space = attr.space;
    mr->mr.addr = attr.addr;
    mr->mr.len = attr.len;
    mr->mr.iova = attr.iova;
    mr->mr.access = attr.access;
    resp = (struct ib_uverbs_rereg_mr_resp){.lkey = mr->hca->number, .rkey = mr->hca->number};
    return command_out(call, &resp, sizeof(resp));
}

/* Allocates a memory window. A window gets its memory from a bind WQE. */
static int alloc_mw(struct call *call)
{
    struct ib_uverbs_alloc_mw_resp resp = {0};
    struct mlx5_ib_alloc_mw user;
    struct ib_uverbs_alloc_mw cmd;
    struct hca_object *hca;
    struct uobject *pd, *mw;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user));
    if (user.comp_mask != 0 || user.reserved1 != 0 || user.reserved2 != 0)
        return EOPNOTSUPP;
    pd = uobject_find(call->context, cmd.pd_handle, UO_PD);
    if (pd == NULL || cmd.mw_type < 1 || cmd.mw_type > 2)
        return EINVAL;
    mw = uobject_new(call->context, UO_MW);
    err = mw != NULL ? fault_driver_command(PRM_CREATE_MKEY) : ENOMEM;
    err = err != 0 ? err : hca_mw_create(call->client, pd->hca, cmd.mw_type, &hca);
    if (err != 0) {
        if (mw != NULL)
            uobject_drop(mw);
        return err;
    }
    uobject_bind(mw, hca);
    uobject_use(mw, pd);
    resp.mw_handle = mw->handle;
    resp.rkey = hca->number;
    return command_out(call, &resp, offsetof(struct ib_uverbs_alloc_mw_resp, driver_data));
}

/* ---- CQ ------------------------------------------------------------------------------------- */

static int resize_cq(struct call *call)
{
    struct mlx5_ib_resize_cq user;
    struct ib_uverbs_resize_cq_resp resp = {0};
    struct ib_uverbs_resize_cq cmd;
    uint32_t cqes = 1;
    struct uobject *cq;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    cq = uobject_find(call->context, cmd.cq_handle, UO_CQ);
    if (cq == NULL || attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user)) != 0 ||
        cmd.cqe == 0 || cmd.cqe >= 1u << machine.profile.log_max_cq_sz ||
        (user.cqe_size != 64 && user.cqe_size != 128))
        return EINVAL;
    while (cqes < cmd.cqe + 1)
        cqes *= 2;
    err = uverbs_check_memory(call, user.buf_addr, (uint64_t)cqes * user.cqe_size, true);
    err = err != 0 ? err : hca_cq_resize(cq->hca, user.buf_addr, cqes, user.cqe_size);
    if (err != 0)
        return err;
    resp.cqe = cqes - 1;
    return command_out(call, &resp, sizeof(resp.cqe));
}

/* The only attribute is moderation, which the device does not announce (cq_moderation). */
static int modify_cq(struct call *call)
{
    struct ib_uverbs_ex_modify_cq cmd;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    if (uobject_find(call->context, cmd.cq_handle, UO_CQ) == NULL)
        return EINVAL;
    return cmd.attr_mask != 0 ? EOPNOTSUPP : 0;
}

/* ---- SRQ ------------------------------------------------------------------------------------ */

static int create_srq(struct call *call)
{
    struct ib_uverbs_create_srq_resp resp;
    struct ib_uverbs_create_xsrq wide;
    struct ib_uverbs_create_srq cmd;
    struct uobject *srq;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    wide = (struct ib_uverbs_create_xsrq){
        .user_handle = cmd.user_handle, .srq_type = IB_UVERBS_SRQT_BASIC,
        .pd_handle = cmd.pd_handle, .max_wr = cmd.max_wr, .max_sge = cmd.max_sge,
        .srq_limit = cmd.srq_limit};
    srq = uverbs_create_srq(call, &wide, &err);
    if (srq == NULL)
        return err;
    resp = (struct ib_uverbs_create_srq_resp){srq->handle, srq->srq.max_wr, srq->srq.max_sge,
                                              srq->hca->number};
    return command_out(call, &resp, sizeof(resp));
}

static int create_xsrq(struct call *call)
{
    struct ib_uverbs_create_srq_resp resp;
    struct ib_uverbs_create_xsrq cmd;
    struct uobject *srq;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    srq = uverbs_create_srq(call, &cmd, &err);
    if (srq == NULL)
        return err;
    resp = (struct ib_uverbs_create_srq_resp){srq->handle, srq->srq.max_wr, srq->srq.max_sge,
                                              srq->hca->number};
    return command_out(call, &resp, sizeof(resp));
}

static int modify_srq(struct call *call)
{
    struct ib_uverbs_modify_srq cmd;
    struct uobject *srq;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    srq = uobject_find(call->context, cmd.srq_handle, UO_SRQ);
    if (srq == NULL || (cmd.attr_mask & SRQ_MAX_WR) != 0)
        return EINVAL;
    if ((cmd.attr_mask & SRQ_LIMIT) == 0)
        return 0;
    if (cmd.srq_limit >= srq->srq.max_wr + 1)
        return EINVAL;
    return hca_srq_set_limit(srq->hca, cmd.srq_limit);
}

static int query_srq(struct call *call)
{
    struct ib_uverbs_query_srq_resp resp = {0};
    struct ib_uverbs_query_srq cmd;
    struct uobject *srq;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    srq = uobject_find(call->context, cmd.srq_handle, UO_SRQ);
    if (srq == NULL)
        return EINVAL;
    resp.max_wr = srq->srq.max_wr;
    resp.max_sge = srq->srq.max_sge;
    resp.srq_limit = hca_srq_limit(srq->hca);
    return command_out(call, &resp, sizeof(resp));
}

/* ---- table ---------------------------------------------------------------------------------- */

#define EXTENDED WRITE_EXTENDED

static const struct write_command commands[] = {
    {IB_USER_VERBS_CMD_QUERY_DEVICE, "QUERY_DEVICE", query_device, true},
    {EXTENDED | IB_USER_VERBS_EX_CMD_QUERY_DEVICE, "EX_QUERY_DEVICE", query_device_ex, true},
    {IB_USER_VERBS_CMD_ALLOC_PD, "ALLOC_PD", alloc_pd, false},
    {IB_USER_VERBS_CMD_REG_MR, "REG_MR", reg_mr, false},
    {IB_USER_VERBS_CMD_REREG_MR, "REREG_MR", rereg_mr, false},
    {IB_USER_VERBS_CMD_ALLOC_MW, "ALLOC_MW", alloc_mw, false},
    {IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL, "CREATE_COMP_CHANNEL", create_comp_channel, true},
    {IB_USER_VERBS_CMD_CREATE_AH, "CREATE_AH", create_ah, true},
    {IB_USER_VERBS_CMD_RESIZE_CQ, "RESIZE_CQ", resize_cq, false},
    {EXTENDED | IB_USER_VERBS_EX_CMD_MODIFY_CQ, "EX_MODIFY_CQ", modify_cq, false},
    {IB_USER_VERBS_CMD_MODIFY_QP, "MODIFY_QP", uverbs_modify_qp, true},
    {EXTENDED | IB_USER_VERBS_EX_CMD_MODIFY_QP, "EX_MODIFY_QP", uverbs_modify_qp, true},
    {IB_USER_VERBS_CMD_QUERY_QP, "QUERY_QP", uverbs_query_qp, false},
    {IB_USER_VERBS_CMD_ATTACH_MCAST, "ATTACH_MCAST", uverbs_attach_mcast, false},
    {IB_USER_VERBS_CMD_DETACH_MCAST, "DETACH_MCAST", uverbs_detach_mcast, false},
    {IB_USER_VERBS_CMD_OPEN_QP, "OPEN_QP", uverbs_open_qp, false},
    {IB_USER_VERBS_CMD_OPEN_XRCD, "OPEN_XRCD", uverbs_open_xrcd, false},
    {IB_USER_VERBS_CMD_CLOSE_XRCD, "CLOSE_XRCD", uverbs_close_xrcd, true},
    {IB_USER_VERBS_CMD_CREATE_SRQ, "CREATE_SRQ", create_srq, false},
    {IB_USER_VERBS_CMD_CREATE_XSRQ, "CREATE_XSRQ", create_xsrq, false},
    {IB_USER_VERBS_CMD_MODIFY_SRQ, "MODIFY_SRQ", modify_srq, false},
    {IB_USER_VERBS_CMD_QUERY_SRQ, "QUERY_SRQ", query_srq, false},
    {.run = NULL}};

static const struct write_command *find_command(uint32_t number)
{
    static const struct write_command *const tables[] = {commands, wq_commands, flow_commands};
    const struct write_command *command;
    size_t i;

    for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
        for (command = tables[i]; command->run != NULL; command++)
            if (command->command == number)
                return command;
    return NULL;
}

int uverbs_write_command(struct call *call)
{
    uint32_t number = (uint32_t)attr_value(call, UVERBS_ATTR_WRITE_CMD);
    const struct write_command *command = find_command(number);
    int error;

    if (command == NULL) {
        sim_log(SIM_INFO, "    command 0x%x is not supported", number);
        return EOPNOTSUPP;
    }
    if (!call->context->ready && number != IB_USER_VERBS_CMD_QUERY_DEVICE)
        return EINVAL;
    error = call->client->function->fatal && !command->of_driver ? EIO : command->run(call);
    sim_log(SIM_INFO, "    %s -> %s", command->name, error == 0 ? "ok" : strerrorname_np(error));
    return error;
}

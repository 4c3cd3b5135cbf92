/* Commands of the older write(2) interface on QPs: modify, query, open. */
#define _GNU_SOURCE
#include "device/driver/qp_commands.h"
#include "device/driver/checks.h"
#include "device/driver/dct.h"
#include "device/driver/pace_methods.h"
#include "device/driver/transitions.h"
#include "device/driver/uobject.h"
#include "device/hca/mcast.h"
#include "device/hca/qp.h"
#include "device/machine/fault.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <errno.h>
#include <string.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>

static bool values_are_valid(const struct call *call, const struct ib_uverbs_modify_qp *m)
{
    const uint32_t mask = m->attr_mask, max_rd = machine.profile.max_rd_atomic;

    return ((mask & QP_PORT) == 0 || m->port_num == 1) &&
        ((mask & QP_AV) == 0 || (m->dest.port_num <= 1 &&
                                 uverbs_path_is_valid(call, m->dest.is_global,
                                                      m->dest.sgid_index))) &&
        ((mask & QP_PKEY) == 0 || m->pkey_index == 0) &&
        ((mask & QP_MTU) == 0 || (m->path_mtu >= 1 && m->path_mtu <= 5)) &&
        ((mask & QP_RD_ATOMIC) == 0 || m->max_rd_atomic <= max_rd) &&
        ((mask & QP_DEST_RD_ATOMIC) == 0 || m->max_dest_rd_atomic <= max_rd) &&
        ((mask & QP_CUR_STATE) == 0 ||
         (m->cur_qp_state >= QPS_RTR && m->cur_qp_state <= QPS_SQE)) &&
        ((mask & QP_STATE) == 0 || m->qp_state <= QPS_ERR);
}

/* Modifies the QP of a DCT. The driver's part of the reply has the number of the DCT. */
static int modify_dct(const struct call *call, struct uobject *qp,
                      const struct ib_uverbs_modify_qp *cmd)
{
    struct ib_uverbs_ex_modify_qp_resp resp = {.response_length = sizeof(resp)};
    struct mlx5_ib_modify_qp_resp driver = {.response_length = sizeof(driver)};
    const struct ib_uverbs_attr *attr = attr_find(call, UVERBS_ATTR_UHW_OUT);
    int err;

    if (call->client->function->fatal)
        return EIO;
    if (!values_are_valid(call, cmd) || attr == NULL ||
        attr->len < offsetof(struct mlx5_ib_modify_qp_resp, ece_options))
        return EINVAL;
    err = dct_modify(call, qp, cmd, &driver.dctn);
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof(driver));
}

int uverbs_modify_qp(struct call *call)
{
    struct ib_uverbs_ex_modify_qp_resp resp = {.response_length = sizeof(resp)};
    struct mlx5_ib_modify_qp_resp driver = {.response_length = sizeof(driver)};
    struct ib_uverbs_modify_qp cmd;
    uint8_t from, to;
    struct uobject *qp;
    int err = command_in(call, &cmd, offsetof(struct ib_uverbs_modify_qp, driver_data));

    if (err != 0)
        return err;
    qp = uobject_find(call->context, cmd.qp_handle, UO_QP);
    if (qp == NULL)
        return EINVAL;
    if (qp->qp.type == HCA_QPT_DCT)
        return modify_dct(call, qp, &cmd);
    cmd.attr_mask = transition_mask(qp->qp.type, cmd.attr_mask);
    from = (cmd.attr_mask & QP_CUR_STATE) != 0 ? cmd.cur_qp_state : hca_qp_state(qp->hca);
    to = (cmd.attr_mask & QP_STATE) != 0 ? cmd.qp_state : from;
    if (call->client->function->fatal && to != QPS_RESET && to != QPS_ERR)
        return EIO;
    if (!values_are_valid(call, &cmd) ||
        !transition_is_allowed(qp->qp.type, from, to, cmd.attr_mask)) {
        sim_log(SIM_INFO, "QP 0x%x: state %u to %u with mask 0x%x is not allowed",
                qp->hca->number, from, to, cmd.attr_mask);
        return EINVAL;
    }
    err = fault_driver_command(transition_opcode(from, to));
    if (err == 0 && (cmd.attr_mask & QP_RATE) != 0)
        err = pace_modify_qp(call, qp->hca);
    err = err != 0 ? err : hca_qp_modify(qp->hca, &cmd);
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_CORE_OUT, &resp, sizeof(resp));
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &driver, sizeof(driver));
}

int uverbs_query_qp(struct call *call)
{
    struct ib_uverbs_query_qp_resp resp;
    struct ib_uverbs_query_qp cmd;
    struct uobject *qp;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    qp = uobject_find(call->context, cmd.qp_handle, UO_QP);
    if (qp == NULL)
        return EINVAL;
    memset(&resp, 0, sizeof(resp));
    err = 0;
    if (qp->qp.type == HCA_QPT_DCT)
        err = dct_query(qp, &resp);
    else
        hca_qp_query(qp->hca, &resp);
    if (err != 0)
        return err;
    /* libmlx5 replaces the send queue's attributes with its stored values */
    resp.max_recv_wr = qp->qp.cap.max_recv_wr;
    resp.max_recv_sge = qp->qp.cap.max_recv_sge;
    resp.max_send_wr = qp->qp.cap.max_send_wr;
    resp.max_send_sge = qp->qp.cap.max_send_sge;
    resp.max_inline_data = qp->qp.cap.max_inline_data;
    resp.sq_sig_all = qp->qp.sq_sig_all;
    return command_out(call, &resp, offsetof(struct ib_uverbs_query_qp_resp, driver_data));
}

int uverbs_open_qp(struct call *call)
{
    struct ib_uverbs_create_qp_resp resp = {0};
    struct uobject *xrcd, *qp;
    struct ib_uverbs_open_qp cmd;
    struct hca_qp *target;
    int err = command_in(call, &cmd, offsetof(struct ib_uverbs_open_qp, driver_data));

    if (err != 0)
        return err;
    if (!command_room(call, offsetof(struct ib_uverbs_create_qp_resp, driver_data)))
        return ENOSPC;
    xrcd = uobject_find(call->context, cmd.pd_handle, UO_XRCD);
    target = (struct hca_qp *)hca_find(HCA_QP, cmd.qpn);
    if (xrcd == NULL || cmd.qp_type != IB_UVERBS_QPT_XRC_TGT || target == NULL ||
        target->type != IB_UVERBS_QPT_XRC_TGT || &target->xrcd->object != xrcd->hca)
        return EINVAL;
    qp = uobject_new(call->context, UO_QP);
    if (qp == NULL)
        return ENOMEM;
    uobject_share(qp, &target->object);
    uobject_use(qp, xrcd);
    qp->user_handle = cmd.user_handle;
    qp->qp.type = IB_UVERBS_QPT_XRC_TGT;
    resp.qp_handle = qp->handle;
    resp.qpn = cmd.qpn;
    return command_out(call, &resp, offsetof(struct ib_uverbs_create_qp_resp, driver_data));
}

/* True for the GID of a group: an IPv6 multicast address, or an IPv4 one that is mapped to IPv6. */
static bool is_group(const uint8_t gid[16])
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

    return gid[0] == 0xff ||
        (memcmp(gid, mapped, sizeof(mapped)) == 0 && (gid[12] & 0xf0) == 0xe0);
}

/* True for a multicast LID. RoCE has no LIDs and ignores it. */
static bool is_mlid(uint16_t lid)
{
    enum { FIRST = 0xc000, PERMISSIVE = 0xffff };

    return machine.profile.ethernet || (lid >= FIRST && lid != PERMISSIVE);
}

/* Finds the UD QP of a command on a group. NULL for another QP, or if the GID or the LID is of no
 * group. */
static struct hca_qp *qp_of_group(const struct call *call, uint32_t handle, const uint8_t gid[16],
                                  uint16_t lid)
{
    struct uobject *qp = uobject_find(call->context, handle, UO_QP);

    if (qp == NULL || qp->qp.type != IB_UVERBS_QPT_UD || !is_group(gid) || !is_mlid(lid))
        return NULL;
    return (struct hca_qp *)qp->hca;
}

int uverbs_attach_mcast(struct call *call)
{
    struct ib_uverbs_attach_mcast cmd;
    struct hca_qp *qp;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    qp = qp_of_group(call, cmd.qp_handle, cmd.gid, cmd.mlid);
    if (qp == NULL)
        return EINVAL;
    err = fault_driver_command(PRM_ATTACH_TO_MCG);
    return err != 0 ? err : mcast_attach(qp, cmd.gid);
}

int uverbs_detach_mcast(struct call *call)
{
    struct ib_uverbs_detach_mcast cmd;
    struct hca_qp *qp;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    qp = qp_of_group(call, cmd.qp_handle, cmd.gid, cmd.mlid);
    return qp != NULL ? mcast_detach(qp, cmd.gid) : EINVAL;
}

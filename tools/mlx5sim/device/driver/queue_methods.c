/* Methods of queues: CQ, QP, SRQ. */
#define _GNU_SOURCE
#include "device/driver/queue_methods.h"
#include "device/driver/channel.h"
#include "device/driver/checks.h"
#include "device/driver/packet_methods.h"
#include "device/driver/uobject.h"
#include "device/driver/wq_methods.h"
#include "device/hca/mcast.h"
#include "device/hca/qp.h"
#include "device/hca/tm.h"
#include "device/machine/fault.h"
#include "wire/prm.h"

#include <errno.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>

static bool is_power_of_two(uint64_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

static uint32_t round_up(uint32_t n)
{
    uint32_t power = 1;

    while (power < n)
        power *= 2;
    return power;
}

/* ---- CQ ------------------------------------------------------------------------------------- */

/* Converts the format of mini CQEs, of which a program may ask for one. */
static int compress_format_of(const struct mlx5_ib_create_cq *user, unsigned *format)
{
    if (user->cqe_comp_en != 1)
        return 0;
    switch (user->cqe_comp_res_format) {
    case MLX5_IB_CQE_RES_FORMAT_HASH: *format = COMPRESS_HASH; return 0;
    case MLX5_IB_CQE_RES_FORMAT_CSUM: *format = COMPRESS_CSUM; return 0;
    case MLX5_IB_CQE_RES_FORMAT_CSUM_STRIDX: *format = COMPRESS_CSUM_STRIDX; return 0;
    default: return EINVAL;
    }
}

static int create_cq(struct call *call)
{
    uint32_t cqes = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_CQ_CQE), resp_cqe;
    uint32_t flags = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_CQ_FLAGS);
    const struct ib_uverbs_attr *fd = attr_find(call, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL);
    struct channel *channel = NULL;
    struct mlx5_ib_create_cq user;
    struct mlx5_ib_create_cq_resp resp = {0};
    struct hca_cq_attr attr;
    struct hca_object *hca;
    struct uobject *cq;
    unsigned format = COMPRESS_HASH;
    int err = attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user));

    if (err != 0)
        return err == ENOENT ? EINVAL : err;
    if (cqes == 0 || cqes >= 1u << machine.profile.log_max_cq_sz ||
        (user.cqe_size != 64 && user.cqe_size != 128) ||
        (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR) >=
            machine.profile.num_comp_vectors ||
        (flags & ~(uint32_t)(IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN |
                             IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION)) != 0)
        return EINVAL;
    if (fd != NULL)
        channel = channel_find(call->context, call->pid, (int)fd->data_s64, CHANNEL_COMP);
    if (fd != NULL && channel == NULL)
        return EBADF;
    cqes = round_up(cqes + 1);
    err = compress_format_of(&user, &format);
    err = err != 0 ? err : uverbs_check_memory(call, user.buf_addr,
                                               (uint64_t)cqes * user.cqe_size, true);
    err = err != 0 ? err : uverbs_check_memory(call, user.db_addr, 8, true);
    if (err != 0)
        return err;
    attr = (struct hca_cq_attr){
        .space = call->space, .buf_addr = user.buf_addr, .db_addr = user.db_addr,
        .num_cqes = cqes, .cqe_bytes = user.cqe_size,
        .uar_page = (user.flags & MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX) != 0
            ? user.uar_page_index : UINT32_MAX,
        .flags = user.flags, .compresses = user.cqe_comp_en == 1, .format = format,
        .overrun_ignore = (flags & IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN) != 0};
    cq = uobject_new(call->context, UO_CQ);
    err = cq != NULL ? fault_driver_command(PRM_CREATE_CQ) : ENOMEM;
    err = err != 0 ? err : hca_cq_create(call->client, &attr, &hca);
    if (err != 0) {
        if (cq != NULL)
            uobject_drop(cq);
        return err;
    }
    uobject_bind(cq, hca);
    attr_in(call, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, &cq->user_handle, sizeof(cq->user_handle));
    cq->channel = channel;
    if (channel != NULL)
        channel_use(channel);
    resp_cqe = cqes - 1;
    resp.cqn = hca->number;
    attr_out_value(call, UVERBS_ATTR_CREATE_CQ_HANDLE, cq->handle);
    err = attr_out(call, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &resp_cqe, sizeof(resp_cqe));
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
}

static int destroy_cq(struct call *call)
{
    struct uobject *cq = attr_uobject(call, UVERBS_ATTR_DESTROY_CQ_HANDLE, UO_CQ);
    struct ib_uverbs_destroy_cq_resp resp;
    uint32_t read[2];
    int err = cq != NULL ? uobject_destroy(cq, read) : ENOENT;

    if (err != 0)
        return err;
    resp = (struct ib_uverbs_destroy_cq_resp){read[0], read[1]};
    return attr_out(call, UVERBS_ATTR_DESTROY_CQ_RESP, &resp, sizeof(resp));
}

/* ---- QP ------------------------------------------------------------------------------------- */

static int check_qp(const struct call *call, const struct mlx5_ib_create_qp *user, uint32_t type,
                    const struct ib_uverbs_qp_cap *cap, bool has_srq)
{
    const struct sim_profile *profile = &machine.profile;
    uint32_t max = 1u << profile->log_max_qp_sz;
    uint64_t bytes;
    int err;

    if (type == IB_UVERBS_QPT_XRC_TGT || type == HCA_QPT_DCT)
        return 0;               /* they have no rings */
    if ((user->flags & MLX5_QP_FLAG_DCI_STREAM) != 0 &&
        (type != HCA_QPT_DCI || user->dci_streams.log_num_concurent > HCA_LOG_MAX_STREAMS ||
         user->dci_streams.log_num_errored > HCA_LOG_MAX_FAILED_STREAMS))
        return EINVAL;
    if (type == HCA_QPT_DCI && (cap->max_recv_wr != 0 || cap->max_recv_sge != 0))
        return EINVAL;
    if (cap->max_send_sge > profile->max_sge + 2 || cap->max_recv_sge > profile->max_sge + 2 ||
        cap->max_recv_wr > max || user->sq_wqe_count > max)
        return EINVAL;
    if (user->sq_wqe_count != 0 && !is_power_of_two(user->sq_wqe_count))
        return EINVAL;
    if (!has_srq && cap->max_recv_wr != 0 &&
        (!is_power_of_two(user->rq_wqe_count) || user->rq_wqe_count > max ||
         user->rq_wqe_shift < 4 || user->rq_wqe_shift > 31 ||
         1u << user->rq_wqe_shift > profile->max_rq_desc))
        return EINVAL;
    if ((user->flags & MLX5_QP_FLAG_SIGNATURE) != 0)
        return EOPNOTSUPP;
    if (type == IB_UVERBS_QPT_RAW_PACKET)
        return packet_check_qp(call, user, cap, has_srq);
    bytes = (uint64_t)user->sq_wqe_count * 64 +
        (has_srq || cap->max_recv_wr == 0 ? 0
                                          : (uint64_t)user->rq_wqe_count << user->rq_wqe_shift);
    err = bytes != 0 ? uverbs_check_memory(call, user->buf_addr, bytes, true) : 0;
    return err != 0 ? err : uverbs_check_memory(call, user->db_addr, 8, true);
}

struct qp_parts {
    struct uobject *pd, *send_cq, *recv_cq, *srq, *xrcd;
    uint32_t type;
    struct ib_uverbs_qp_cap cap;
};

/* The object of the device that a uobject stands for; NULL without a uobject. */
static struct hca_object *hca_of(const struct uobject *uobject)
{
    return uobject != NULL ? uobject->hca : NULL;
}

static int make_qp(struct call *call, const struct mlx5_ib_create_qp *user, struct qp_parts *parts,
                   struct uobject *qp)
{
    uint32_t rq_wqes = parts->srq != NULL || parts->cap.max_recv_wr == 0 ? 0 : user->rq_wqe_count;
    struct hca_qp_attr attr = {
        .type = parts->type, .pd = hca_of(parts->pd), .send_cq = hca_of(parts->send_cq),
        .recv_cq = hca_of(parts->recv_cq), .xrcd = hca_of(parts->xrcd),
        .srq = parts->type != HCA_QPT_DCI ? hca_of(parts->srq) : NULL,
        .stream_limit = (user->flags & MLX5_QP_FLAG_DCI_STREAM) != 0
            ? (uint16_t)(1u << user->dci_streams.log_num_errored) : 0,
        .space = call->space, .rq_addr = user->buf_addr,
        .sq_addr = user->buf_addr + (rq_wqes != 0 ? (uint64_t)rq_wqes << user->rq_wqe_shift : 0),
        .db_addr = user->db_addr, .sq_wqebbs = parts->xrcd == NULL ? user->sq_wqe_count : 0,
        .rq_wqes = rq_wqes,
        .rq_wqe_shift = rq_wqes != 0 ? user->rq_wqe_shift : 0, .uidx = user->uidx & 0xffffff,
        .uar_page = (user->flags & MLX5_QP_FLAG_UAR_PAGE_INDEX) != 0 ? user->bfreg_index
                                                                     : UINT32_MAX,
        .flags = user->flags,
        .create_flags = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_QP_FLAGS)};
    struct hca_object *hca;
    int err = fault_driver_command(PRM_CREATE_QP);

    if (parts->type == IB_UVERBS_QPT_RAW_PACKET)
        attr.sq_addr = user->sq_buf_addr;
    err = err != 0 ? err : hca_qp_create(call->client, &attr, &hca);
    if (err == 0 && parts->type == IB_UVERBS_QPT_RAW_PACKET && attr.sq_wqebbs != 0 &&
        packet_add_tis(call, hca) != 0) {
        hca_destroy(hca);
        err = ENOMEM;
    }
    if (err != 0)
        return err;
    uobject_bind(qp, hca);
    uobject_use(qp, parts->pd);
    uobject_use(qp, parts->send_cq);
    uobject_use(qp, parts->recv_cq);
    uobject_use(qp, parts->srq);
    uobject_use(qp, parts->xrcd);
    parts->cap.max_recv_wr = rq_wqes;
    if (rq_wqes != 0)
        parts->cap.max_recv_sge = (1u << user->rq_wqe_shift) / 16;
    qp->qp.type = parts->type;
    qp->qp.cap = parts->cap;
    qp->qp.sq_sig_all = (attr.create_flags & IB_UVERBS_QP_CREATE_SQ_SIG_ALL) != 0;
    return 0;
}

/* Checks that the call names the objects that a QP of the type needs, and ignores the others as the
 * kernel does: an XRC target has only a domain, and an XRC initiator does not receive. */
static int check_parts(const struct call *call, struct qp_parts *parts)
{
    if (parts->srq == NULL && attr_find(call, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE) != NULL)
        return ENOENT;
    if (parts->srq != NULL && ((struct hca_srq *)parts->srq->hca)->xrcd != NULL)
        return EINVAL;
    if (parts->srq != NULL && ((struct hca_srq *)parts->srq->hca)->tm != NULL &&
        parts->type != IB_UVERBS_QPT_RC)
        return EINVAL;          /* assumed: of the other types, a card supports only DC */
    switch (parts->type) {
    case IB_UVERBS_QPT_RC: case IB_UVERBS_QPT_UC: case IB_UVERBS_QPT_UD:
        parts->xrcd = NULL;
        return parts->pd != NULL && parts->send_cq != NULL && parts->recv_cq != NULL ? 0 : ENOENT;
    case IB_UVERBS_QPT_XRC_INI:
        parts->xrcd = parts->recv_cq = parts->srq = NULL;
        parts->cap.max_recv_wr = parts->cap.max_recv_sge = 0;
        return parts->pd != NULL && parts->send_cq != NULL ? 0 : ENOENT;
    case IB_UVERBS_QPT_XRC_TGT:
        parts->pd = parts->send_cq = parts->recv_cq = parts->srq = NULL;
        parts->cap = (struct ib_uverbs_qp_cap){0};
        return parts->xrcd != NULL ? 0 : ENOENT;
    case HCA_QPT_DCI:
        parts->xrcd = NULL;
        return parts->pd != NULL && parts->send_cq != NULL && parts->recv_cq != NULL ? 0 : ENOENT;
    case HCA_QPT_DCT:
        parts->xrcd = parts->send_cq = NULL;
        return parts->pd != NULL && parts->recv_cq != NULL && parts->srq != NULL ? 0 : EINVAL;
    case IB_UVERBS_QPT_RAW_PACKET:
        parts->xrcd = NULL;
        if (!packet_supports(parts->type))
            return EOPNOTSUPP;
        return parts->pd != NULL && parts->send_cq != NULL && parts->recv_cq != NULL ? 0 : ENOENT;
    default:
        return EOPNOTSUPP;
    }
}

/* Returns the type of a QP of which verbs know only that the driver defines the type. */
static uint32_t type_of_driver(const struct mlx5_ib_create_qp *user)
{
    switch (user->flags & (MLX5_QP_FLAG_TYPE_DCT | MLX5_QP_FLAG_TYPE_DCI)) {
    case MLX5_QP_FLAG_TYPE_DCI: return HCA_QPT_DCI;
    case MLX5_QP_FLAG_TYPE_DCT: return HCA_QPT_DCT;
    default: return IB_UVERBS_QPT_DRIVER;       /* refused */
    }
}

/* Records a DCT. The device gets it when it becomes ready to receive. */
static void record_dct(const struct mlx5_ib_create_qp *user, const struct qp_parts *parts,
                       struct uobject *qp)
{
    uobject_use(qp, parts->pd);
    uobject_use(qp, parts->recv_cq);
    uobject_use(qp, parts->srq);
    qp->qp.type = HCA_QPT_DCT;
    qp->qp.dct.key = user->access_key;
    qp->qp.dct.uidx = user->uidx & 0xffffff;
}

static int create_qp(struct call *call)
{
    struct qp_parts parts = {
        .pd = attr_uobject(call, UVERBS_ATTR_CREATE_QP_PD_HANDLE, UO_PD),
        .send_cq = attr_uobject(call, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, UO_CQ),
        .recv_cq = attr_uobject(call, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, UO_CQ),
        .srq = attr_uobject(call, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE, UO_SRQ),
        .xrcd = attr_uobject(call, UVERBS_ATTR_CREATE_QP_XRCD_HANDLE, UO_XRCD),
        .type = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_QP_TYPE)};
    struct mlx5_ib_create_qp user;
    struct mlx5_ib_create_qp_resp resp = {0};
    uint32_t number = 0;        /* of a DCT: not known yet */
    struct uobject *qp;
    int err;

    if (attr_find(call, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE) != NULL)
        return wq_create_rss_qp(call);
    if (attr_in(call, UVERBS_ATTR_CREATE_QP_CAP, &parts.cap, sizeof(parts.cap)) != 0 ||
        attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user)) != 0)
        return EINVAL;
    if (parts.type == IB_UVERBS_QPT_DRIVER)
        parts.type = type_of_driver(&user);
    err = check_parts(call, &parts);
    err = err != 0 ? err : check_qp(call, &user, parts.type, &parts.cap, parts.srq != NULL);
    if (err != 0)
        return err;
    qp = uobject_new(call->context, UO_QP);
    if (qp == NULL)
        return ENOMEM;
    attr_in(call, UVERBS_ATTR_CREATE_QP_USER_HANDLE, &qp->user_handle, sizeof(qp->user_handle));
    if (parts.type == HCA_QPT_DCT)
        record_dct(&user, &parts, qp);
    else
        err = make_qp(call, &user, &parts, qp);
    if (err != 0) {
        uobject_drop(qp);
        return err;
    }
    resp.bfreg_index = user.bfreg_index;
    if (parts.type == IB_UVERBS_QPT_RAW_PACKET)
        packet_qp_numbers(qp, &resp);
    attr_out_value(call, UVERBS_ATTR_CREATE_QP_HANDLE, qp->handle);
    err = attr_out(call, UVERBS_ATTR_CREATE_QP_RESP_CAP, &qp->qp.cap, sizeof(qp->qp.cap));
    if (qp->hca != NULL)
        number = qp->hca->number;
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &number, 4);
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
}

static int destroy_qp(struct call *call)
{
    struct uobject *qp = attr_uobject(call, UVERBS_ATTR_DESTROY_QP_HANDLE, UO_QP);
    uint32_t read[2];
    int err;

    if (qp == NULL)
        qp = attr_uobject(call, UVERBS_ATTR_DESTROY_QP_HANDLE, UO_RSS_QP);
    err = qp != NULL ? 0 : ENOENT;

    if (err == 0 && qp->type == UO_QP && qp->hca != NULL && mcast_has((struct hca_qp *)qp->hca))
        err = EBUSY;            /* the program must detach it first */
    err = err != 0 ? err : uobject_destroy(qp, read);
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_DESTROY_QP_RESP, &read[1], 4);
}

/* ---- SRQ ------------------------------------------------------------------------------------ */

/* Finds the objects that the type of an SRQ needs in addition to a PD. */
static int find_srq_parts(const struct call *call, const struct ib_uverbs_create_xsrq *cmd,
                          struct uobject **xrcd, struct uobject **cq)
{
    if (cmd->srq_type == IB_UVERBS_SRQT_BASIC)
        return 0;
    if (cmd->srq_type != IB_UVERBS_SRQT_XRC &&
        (cmd->srq_type != IB_UVERBS_SRQT_TM || machine.profile.ethernet))
        return EOPNOTSUPP;      /* libmlx5 uses tags on InfiniBand ports only */
    *cq = uobject_find(call->context, cmd->cq_handle, UO_CQ);
    if (cmd->srq_type == IB_UVERBS_SRQT_TM)
        return *cq != NULL && cmd->max_num_tags != 0 ? 0 : EINVAL;
    *xrcd = uobject_find(call->context, cmd->xrcd_handle, UO_XRCD);
    return *cq != NULL && *xrcd != NULL ? 0 : EINVAL;
}

/* Makes the SRQ of the device by the command that its type needs. */
static int make_srq(struct call *call, const struct hca_srq_attr *attr,
                    const struct ib_uverbs_create_xsrq *cmd, struct hca_object **hca)
{
    int err = fault_driver_command(cmd->srq_type == IB_UVERBS_SRQT_TM ? PRM_CREATE_XRQ
                                   : cmd->srq_type == IB_UVERBS_SRQT_XRC ? PRM_CREATE_XRC_SRQ
                                                                         : PRM_CREATE_RMP);

    err = err != 0 ? err : hca_srq_create(call->client, attr, hca);
    if (err != 0 || cmd->srq_type != IB_UVERBS_SRQT_TM)
        return err;
    err = tm_create((struct hca_srq *)*hca, cmd->max_num_tags);
    if (err != 0)
        hca_destroy(*hca);
    return err;
}

struct uobject *uverbs_create_srq(struct call *call, struct ib_uverbs_create_xsrq *cmd, int *error)
{
    struct uobject *pd = uobject_find(call->context, cmd->pd_handle, UO_PD), *srq;
    struct uobject *xrcd = NULL, *cq = NULL;
    uint32_t num, bytes;
    struct mlx5_ib_create_srq user;
    struct mlx5_ib_create_srq_resp resp = {0};
    struct hca_srq_attr attr;
    struct hca_object *hca;

    *error = EINVAL;
    if (pd == NULL || attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user)) != 0)
        return NULL;
    if (cmd->max_wr >= 1u << machine.profile.log_max_srq_sz ||
        cmd->max_sge > machine.profile.max_srq_sge ||
        (user.flags & ~(uint32_t)MLX5_SRQ_FLAG_SIGNATURE) != 0 || user.reserved0 != 0 ||
        user.reserved1 != 0)
        return NULL;
    *error = (user.flags & MLX5_SRQ_FLAG_SIGNATURE) != 0 ? EOPNOTSUPP
        : find_srq_parts(call, cmd, &xrcd, &cq);
    if (*error != 0)
        return NULL;
    num = round_up(cmd->max_wr + 1);
    bytes = round_up(16 + cmd->max_sge * 16);
    bytes = bytes < 32 ? 32 : bytes;
    *error = uverbs_check_memory(call, user.buf_addr, (uint64_t)num * bytes, true);
    if (*error == 0)
        *error = uverbs_check_memory(call, user.db_addr, 8, true);
    if (*error != 0)
        return NULL;
    attr = (struct hca_srq_attr){
        .pd = pd->hca, .xrcd = hca_of(xrcd), .cq = hca_of(cq), .space = call->space,
        .buf_addr = user.buf_addr, .db_addr = user.db_addr, .num_wqes = num,
        .wqe_shift = (uint32_t)__builtin_ctz(bytes), .limit = cmd->srq_limit, .uidx = user.uidx};
    srq = uobject_new(call->context, UO_SRQ);
    *error = srq == NULL ? ENOMEM : make_srq(call, &attr, cmd, &hca);
    if (*error != 0) {
        if (srq != NULL)
            uobject_drop(srq);
        return NULL;
    }
    uobject_bind(srq, hca);
    uobject_use(srq, pd);
    uobject_use(srq, xrcd);
    uobject_use(srq, cq);
    srq->user_handle = cmd->user_handle;
    srq->srq.max_wr = num - 1;
    srq->srq.max_sge = cmd->max_sge;
    resp.srqn = hca->number;
    *error = attr_out(call, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
    return srq;
}

static int create_srq(struct call *call)
{
    struct ib_uverbs_create_xsrq cmd = {
        .srq_type = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_TYPE),
        .pd_handle = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE),
        .xrcd_handle = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE),
        .cq_handle = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE),
        .max_wr = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_MAX_WR),
        .max_sge = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_MAX_SGE),
        .srq_limit = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_LIMIT),
        .max_num_tags = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS),
        .user_handle = attr_value(call, UVERBS_ATTR_CREATE_SRQ_USER_HANDLE)};
    struct uobject *srq;
    int err;

    srq = uverbs_create_srq(call, &cmd, &err);
    if (srq == NULL)
        return err;
    attr_out_value(call, UVERBS_ATTR_CREATE_SRQ_HANDLE, srq->handle);
    err = attr_out(call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &srq->srq.max_wr, 4);
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &srq->srq.max_sge,
                                    4);
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM, &srq->hca->number,
                                     4);
}

static int destroy_srq(struct call *call)
{
    struct uobject *srq = attr_uobject(call, UVERBS_ATTR_DESTROY_SRQ_HANDLE, UO_SRQ);
    uint32_t read[2];
    int err = srq != NULL ? uobject_destroy(srq, read) : ENOENT;

    return err != 0 ? err : attr_out(call, UVERBS_ATTR_DESTROY_SRQ_RESP, &read[1], 4);
}

/* ---- table ---------------------------------------------------------------------------------- */

const struct method queue_methods[] = {
    {UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE, "CQ.CREATE", create_cq, 8, 2,
     CORE(0) | CORE(1) | CORE(2) | CORE(6) | DRIVER(0), false},
    {UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_DESTROY, "CQ.DESTROY", destroy_cq, 2, 0,
     CORE(0) | CORE(1), true},
    {UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE, "QP.CREATE", create_qp, 15, 2,
     CORE(0) | CORE(7) | CORE(8) | CORE(9) | DRIVER(0), false},
    {UVERBS_OBJECT_QP, UVERBS_METHOD_QP_DESTROY, "QP.DESTROY", destroy_qp, 2, 0,
     CORE(0) | CORE(1), true},
    {UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE, "SRQ.CREATE", create_srq, 14, 2,
     CORE(0) | CORE(1) | CORE(5) | CORE(6) | CORE(9) | DRIVER(0), false},
    {UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_DESTROY, "SRQ.DESTROY", destroy_srq, 2, 0,
     CORE(0) | CORE(1), true},
    {.run = NULL}};

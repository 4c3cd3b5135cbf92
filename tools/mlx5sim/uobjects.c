/* Methods of the verbs objects: context, PD, MR, CQ, QP, SRQ, AH, DM, event fds. */
#define _GNU_SOURCE
#include "uverbs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <rdma/mlx5-abi.h>

enum { CORE_SUPPORT_OPTIONAL_MR_ACCESS = 1 };

/* ---- checks --------------------------------------------------------------------------------- */

int uverbs_check_access(uint32_t access)
{
    const uint32_t known = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
        IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC | IB_UVERBS_ACCESS_MW_BIND |
        IB_UVERBS_ACCESS_ZERO_BASED | IB_UVERBS_ACCESS_HUGETLB |
        IB_UVERBS_ACCESS_OPTIONAL_RANGE;

    if ((access & IB_UVERBS_ACCESS_ON_DEMAND) != 0)
        return EOPNOTSUPP;
    if ((access & ~known) != 0)
        return EINVAL;
    /* a remote write is a write by this device too */
    if ((access & (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC)) != 0 &&
        (access & IB_UVERBS_ACCESS_LOCAL_WRITE) == 0)
        return EINVAL;
    return 0;
}

/* Reads /proc/PID/maps: the pages need not be there yet, but pinning them must succeed. */
int uverbs_check_memory(const struct call *call, uint64_t addr, uint64_t len, bool writable)
{
    char path[32], line[512], perms[8];
    unsigned long long from, to;
    uint64_t reached = addr;
    FILE *maps;

    if (len == 0 || addr + len < addr)
        return EINVAL;
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)call->pid);
    maps = fopen(path, "re");
    if (maps == NULL)
        return EFAULT;
    while (reached < addr + len && fgets(line, sizeof(line), maps) != NULL) {
        if (sscanf(line, "%llx-%llx %7s", &from, &to, perms) != 3 || to <= reached)
            continue;
        if (from > reached || perms[0] != 'r' || (writable && perms[1] != 'w'))
            break;
        reached = to;
    }
    fclose(maps);
    return reached >= addr + len ? 0 : EFAULT;
}

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

/* ---- context -------------------------------------------------------------------------------- */

static void fill_context(const struct uverbs_context *context,
                         struct mlx5_ib_alloc_ucontext_resp *resp)
{
    const struct sim_profile *profile = &machine.profile;

    (void)context;
    /* no static bfregs: libmlx5 then asks for UAR objects and maps nothing by itself */
    *resp = (struct mlx5_ib_alloc_ucontext_resp){
        .qp_tab_size = 1u << profile->log_max_qp,
        .bf_reg_size = 512,
        .tot_bfregs = 0,
        .cache_line_size = 64,
        .max_sq_desc_sz = (uint16_t)profile->max_sq_desc,
        .max_rq_desc_sz = (uint16_t)profile->max_rq_desc,
        .max_send_wqebb = 1u << profile->log_max_qp_sz,
        .max_recv_wr = 1u << profile->log_max_qp_sz,
        .max_srq_recv_wr = 1u << profile->log_max_srq_sz,
        .num_ports = 1,
        .comp_mask = MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET |
            MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_MKEY_UPDATE_TAG,
        .response_length = sizeof(*resp),
        .cqe_version = 1,
        .cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE |
            MLX5_USER_CMDS_SUPP_UHW_CREATE_AH,
        .eth_min_inline = MLX5_USER_INLINE_MODE_NONE,
        .clock_info_versions = 1 << MLX5_IB_CLOCK_INFO_V1,
        .log_uar_size = 12,
        .num_uars_per_page = 1,
        .num_dyn_bfregs = 512,
    };
}

static int get_context(struct call *call)
{
    const uint32_t vectors = machine.profile.num_comp_vectors;
    const uint64_t core = CORE_SUPPORT_OPTIONAL_MR_ACCESS;
    static uint16_t last_uid;
    struct mlx5_ib_alloc_ucontext_req_v2 request;
    struct mlx5_ib_alloc_ucontext_resp resp;
    int bad = attr_in(call, UVERBS_ATTR_UHW_IN, &request, sizeof(request));

    if (call->context->ready)
        return EINVAL;
    if (bad != 0)
        return bad == ENOENT ? EINVAL : bad;
    if ((request.flags & ~(uint32_t)MLX5_IB_ALLOC_UCTX_DEVX) != 0)
        return EINVAL;
    if ((request.lib_caps & MLX5_LIB_CAP_DYN_UAR) == 0)
        sim_log(SIM_ERROR, "process %d: this libmlx5 cannot do without static UARs",
                (int)call->pid);
    if ((request.flags & MLX5_IB_ALLOC_UCTX_DEVX) != 0) {
        call->context->devx = true;
        call->client->uid = ++last_uid != 0 ? last_uid : ++last_uid;
    }
    call->context->ready = true;
    fill_context(call->context, &resp);
    bad = attr_out(call, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &vectors, sizeof(vectors));
    bad = bad != 0 ? bad : attr_out(call, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &core,
                                    sizeof(core));
    return bad != 0 ? bad : attr_out(call, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
}

static int query_context(struct call *call)
{
    const uint32_t vectors = machine.profile.num_comp_vectors;
    const uint64_t core = CORE_SUPPORT_OPTIONAL_MR_ACCESS;
    struct mlx5_ib_alloc_ucontext_resp resp;
    int bad;

    if (!call->context->ready)
        return EINVAL;
    fill_context(call->context, &resp);
    bad = attr_out(call, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS, &vectors, sizeof(vectors));
    bad = bad != 0 ? bad : attr_out(call, UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT, &core,
                                    sizeof(core));
    return bad != 0 ? bad : attr_out(call, MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX, &resp,
                                     sizeof(resp));
}

static int query_port(struct call *call)
{
    struct ib_uverbs_query_port_resp_ex resp = {
        .legacy_resp = {
            .port_cap_flags = machine.profile.ethernet ? 0x04010000 : 0x2651e848,
            .max_msg_sz = 1u << machine.profile.log_max_msg,
            .gid_tbl_len = (uint32_t)call->client->function->num_gids,
            .pkey_tbl_len = 1,
            .lid = call->client->function->lid,
            .sm_lid = machine.profile.ethernet ? 0 : 1,
            .state = call->client->function->fatal ? 1 : 4,     /* DOWN, ACTIVE */
            .max_mtu = 5,
            .active_mtu = 5,
            .max_vl_num = 4,
            .active_width = 2,          /* 4X */
            .active_speed = 64,         /* HDR */
            .phys_state = 5,
            .link_layer = machine.profile.ethernet ? 2 : 1,
            .flags = machine.profile.ethernet ? IB_UVERBS_QPF_GRH_REQUIRED : 0,
        }};

    if ((uint8_t)attr_value(call, UVERBS_ATTR_QUERY_PORT_PORT_NUM) != 1)
        return EINVAL;
    return attr_out(call, UVERBS_ATTR_QUERY_PORT_RESP, &resp, sizeof(resp));
}

static int alloc_async_fd(struct call *call)
{
    int fd;

    if (channel_new(call->context, CHANNEL_ASYNC, 0, &fd) == NULL)
        return EMFILE;
    attr_out_fd(call, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, fd);
    return 0;
}

/* ---- PD, AH ---------------------------------------------------------------------------------- */

static int destroy_by(struct call *call, unsigned id, enum uobject_type type)
{
    struct uobject *uobject = attr_uobject(call, id, type);

    return uobject != NULL ? uobject_destroy(uobject, NULL) : ENOENT;
}

static int destroy_pd(struct call *call)
{
    return destroy_by(call, UVERBS_ATTR_DESTROY_PD_HANDLE, UO_PD);
}

static int query_pd(struct call *call)
{
    struct uobject *pd = attr_uobject(call, MLX5_IB_ATTR_QUERY_PD_HANDLE, UO_PD);

    if (pd == NULL)
        return ENOENT;
    return attr_out(call, MLX5_IB_ATTR_QUERY_PD_RESP_PDN, &pd->hca->number, sizeof(uint32_t));
}

static int destroy_ah(struct call *call)
{
    return destroy_by(call, UVERBS_ATTR_DESTROY_AH_HANDLE, UO_AH);
}

/* ---- MR, DM ---------------------------------------------------------------------------------- */

static int destroy_mr(struct call *call)
{
    return destroy_by(call, UVERBS_ATTR_DESTROY_MR_HANDLE, UO_MR);
}

static int destroy_mw(struct call *call)
{
    return destroy_by(call, UVERBS_ATTR_DESTROY_MW_HANDLE, UO_MW);
}

static int query_mr(struct call *call)
{
    struct uobject *mr = attr_uobject(call, UVERBS_ATTR_QUERY_MR_HANDLE, UO_MR);
    int bad;

    if (mr == NULL)
        return ENOENT;
    bad = attr_out(call, UVERBS_ATTR_QUERY_MR_RESP_LKEY, &mr->hca->number, 4);
    bad = bad != 0 ? bad : attr_out(call, UVERBS_ATTR_QUERY_MR_RESP_RKEY, &mr->hca->number, 4);
    bad = bad != 0 ? bad : attr_out(call, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &mr->mr.len, 8);
    return bad != 0 ? bad : attr_out(call, UVERBS_ATTR_QUERY_MR_RESP_IOVA, &mr->mr.iova, 8);
}

/* An MR over a range of a space: makes handle and key, answers with them. */
static int register_range(struct call *call, unsigned handle_id, unsigned lkey_id,
                          unsigned rkey_id, struct uobject *pd, struct uobject *dm,
                          const struct hca_mkey_attr *attr)
{
    struct uobject *mr = uobject_new(call->context, UO_MR);
    struct hca_object *mkey;
    int bad = mr != NULL ? hca_mkey_create(call->client, attr, &mkey) : ENOMEM;

    if (bad != 0) {
        if (mr != NULL)
            uobject_drop(mr);
        return bad;
    }
    uobject_bind(mr, mkey);
    uobject_name(mr, pd);
    uobject_name(mr, dm);
    mr->mr.space = sim_space_get(attr->space);
    mr->mr.addr = attr->addr;
    mr->mr.len = attr->len;
    mr->mr.iova = attr->iova;
    mr->mr.access = attr->access;
    attr_out_value(call, handle_id, mr->handle);
    bad = attr_out(call, lkey_id, &mkey->number, 4);
    return bad != 0 ? bad : attr_out(call, rkey_id, &mkey->number, 4);
}

static int register_dm(struct call *call)
{
    const uint32_t allowed = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
        IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC |
        IB_UVERBS_ACCESS_ZERO_BASED | IB_UVERBS_ACCESS_OPTIONAL_RANGE;
    struct uobject *pd = attr_uobject(call, UVERBS_ATTR_REG_DM_MR_PD_HANDLE, UO_PD);
    struct uobject *dm = attr_uobject(call, UVERBS_ATTR_REG_DM_MR_DM_HANDLE, UO_DM);
    uint64_t offset = attr_value(call, UVERBS_ATTR_REG_DM_MR_OFFSET);
    uint64_t len = attr_value(call, UVERBS_ATTR_REG_DM_MR_LENGTH);
    uint32_t access = (uint32_t)attr_value(call, UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS);
    struct hca_mkey_attr attr;
    int bad;

    if (pd == NULL || dm == NULL)
        return ENOENT;
    if ((access & IB_UVERBS_ACCESS_ZERO_BASED) == 0 || (access & ~allowed) != 0 ||
        offset > dm->dm.len || len > dm->dm.len - offset)
        return EINVAL;
    bad = uverbs_check_access(access);
    if (bad != 0)
        return bad;
    attr = (struct hca_mkey_attr){.pd = pd->hca, .space = call->client->function->bar_space,
                                  .addr = dm->dm.bar_offset + offset, .iova = 0, .len = len,
                                  .access = access};
    return register_range(call, UVERBS_ATTR_REG_DM_MR_HANDLE, UVERBS_ATTR_REG_DM_MR_RESP_LKEY,
                          UVERBS_ATTR_REG_DM_MR_RESP_RKEY, pd, dm, &attr);
}

/* Any file that can be mapped shared will do, memfds included; a real kernel wants a dmabuf. */
static int register_dmabuf(struct call *call)
{
    struct uobject *pd = attr_uobject(call, UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, UO_PD);
    uint64_t offset = attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_OFFSET);
    uint64_t len = attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_LENGTH);
    uint64_t iova = attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_IOVA);
    uint32_t access = (uint32_t)attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS);
    int fd = (int)attr_value(call, UVERBS_ATTR_REG_DMABUF_MR_FD), bad;
    struct sim_space *space;
    struct hca_mkey_attr attr;

    if (pd == NULL)
        return ENOENT;
    bad = uverbs_check_access(access);
    if (bad != 0)
        return bad;
    if (offset % SIM_PAGE != iova % SIM_PAGE || len == 0)
        return EINVAL;
    space = space_of_client_file(call, fd, offset, len, &bad);
    if (space == NULL)
        return bad;
    attr = (struct hca_mkey_attr){.pd = pd->hca, .space = space, .addr = offset % SIM_PAGE,
                                  .iova = iova, .len = len, .access = access};
    bad = register_range(call, UVERBS_ATTR_REG_DMABUF_MR_HANDLE,
                         UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY,
                         UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, pd, NULL, &attr);
    sim_space_put(space);
    return bad;
}

static int alloc_dm(struct call *call)
{
    uint64_t len = attr_value(call, UVERBS_ATTR_ALLOC_DM_LENGTH);
    uint32_t log_align = (uint32_t)attr_value(call, UVERBS_ATTR_ALLOC_DM_ALIGNMENT);
    const uint64_t start = 0;
    struct hca_object *hca;
    struct uobject *dm;
    uint64_t bar_offset;
    uint16_t page;
    int bad;

    if (attr_value(call, MLX5_IB_ATTR_ALLOC_DM_REQ_TYPE) != MLX5_IB_UAPI_DM_TYPE_MEMIC)
        return EOPNOTSUPP;
    if (len == 0 || len > SIM_DM_BYTES || log_align > 12)
        return EINVAL;
    dm = uobject_new(call->context, UO_DM);
    bad = dm != NULL ? hca_dm_create(call->client, len, log_align, &bar_offset, &hca) : ENOMEM;
    if (bad != 0) {
        if (dm != NULL)
            uobject_drop(dm);
        return bad;
    }
    uobject_bind(dm, hca);
    dm->dm.bar_offset = bar_offset;
    dm->dm.len = len;
    page = (uint16_t)((bar_offset - SIM_BAR_DM) / SIM_PAGE);
    attr_out_value(call, UVERBS_ATTR_ALLOC_DM_HANDLE, dm->handle);
    bad = attr_out(call, MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET, &start, sizeof(start));
    return bad != 0 ? bad : attr_out(call, MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX, &page,
                                     sizeof(page));
}

static int free_dm(struct call *call)
{
    return destroy_by(call, UVERBS_ATTR_FREE_DM_HANDLE, UO_DM);
}

static int query_dm(struct call *call)
{
    struct uobject *dm = attr_uobject(call, MLX5_IB_ATTR_QUERY_DM_REQ_HANDLE, UO_DM);
    const uint64_t start = 0;
    uint16_t page;
    int bad;

    if (dm == NULL)
        return ENOENT;
    page = (uint16_t)((dm->dm.bar_offset - SIM_BAR_DM) / SIM_PAGE);
    bad = attr_out(call, MLX5_IB_ATTR_QUERY_DM_RESP_START_OFFSET, &start, sizeof(start));
    bad = bad != 0 ? bad : attr_out(call, MLX5_IB_ATTR_QUERY_DM_RESP_PAGE_INDEX, &page,
                                    sizeof(page));
    return bad != 0 ? bad : attr_out(call, MLX5_IB_ATTR_QUERY_DM_RESP_LENGTH, &dm->dm.len,
                                     sizeof(dm->dm.len));
}

/* ---- CQ ------------------------------------------------------------------------------------- */

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
    int bad = attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user));

    if (bad != 0)
        return bad == ENOENT ? EINVAL : bad;
    if (cqes == 0 || cqes >= 1u << machine.profile.log_max_cq_sz ||
        (user.cqe_size != 64 && user.cqe_size != 128) ||
        (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR) >=
            machine.profile.num_comp_vectors ||
        (flags & ~(uint32_t)(IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN |
                             IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION)) != 0)
        return EINVAL;
    if (fd != NULL) {
        channel = channel_find(call->context, call->pid, (int)fd->data_s64, CHANNEL_COMP);
        if (channel == NULL)
            return EBADF;
    }
    cqes = round_up(cqes + 1);
    bad = uverbs_check_memory(call, user.buf_addr, (uint64_t)cqes * user.cqe_size, true);
    bad = bad != 0 ? bad : uverbs_check_memory(call, user.db_addr, 8, true);
    if (bad != 0)
        return bad;
    attr = (struct hca_cq_attr){
        .space = call->space, .buf_addr = user.buf_addr, .db_addr = user.db_addr,
        .num_cqes = cqes, .cqe_bytes = user.cqe_size,
        .uar_page = (user.flags & MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX) != 0
            ? user.uar_page_index : UINT32_MAX,
        .flags = user.flags, .cqe_comp_en = user.cqe_comp_en,
        .cqe_comp_format = user.cqe_comp_res_format,
        .overrun_ignore = (flags & IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN) != 0};
    cq = uobject_new(call->context, UO_CQ);
    bad = cq != NULL ? hca_cq_create(call->client, &attr, &hca) : ENOMEM;
    if (bad != 0) {
        if (cq != NULL)
            uobject_drop(cq);
        return bad;
    }
    uobject_bind(cq, hca);
    attr_in(call, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, &cq->user_handle, sizeof(cq->user_handle));
    cq->channel = channel;
    if (channel != NULL)
        channel_use(channel);
    resp_cqe = cqes - 1;
    resp.cqn = hca->number;
    attr_out_value(call, UVERBS_ATTR_CREATE_CQ_HANDLE, cq->handle);
    bad = attr_out(call, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &resp_cqe, sizeof(resp_cqe));
    return bad != 0 ? bad : attr_out(call, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
}

static int destroy_cq(struct call *call)
{
    struct uobject *cq = attr_uobject(call, UVERBS_ATTR_DESTROY_CQ_HANDLE, UO_CQ);
    struct ib_uverbs_destroy_cq_resp resp;
    uint32_t read[2];
    int bad = cq != NULL ? uobject_destroy(cq, read) : ENOENT;

    if (bad != 0)
        return bad;
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
    int bad;

    if (type != IB_UVERBS_QPT_RC && type != IB_UVERBS_QPT_UC && type != IB_UVERBS_QPT_UD)
        return EOPNOTSUPP;
    if (cap->max_send_sge > profile->max_sge + 2 || cap->max_recv_sge > profile->max_sge + 2 ||
        cap->max_recv_wr > max || user->sq_wqe_count > max)
        return EINVAL;
    if (user->sq_wqe_count != 0 && !is_power_of_two(user->sq_wqe_count))
        return EINVAL;
    if (!has_srq && cap->max_recv_wr != 0 &&
        (!is_power_of_two(user->rq_wqe_count) || user->rq_wqe_count > max ||
         user->rq_wqe_shift < 4 || 1u << (user->rq_wqe_shift & 31) > profile->max_rq_desc))
        return EINVAL;
    if ((user->flags & MLX5_QP_FLAG_SIGNATURE) != 0)
        return EOPNOTSUPP;
    bytes = (uint64_t)user->sq_wqe_count * 64 +
        (has_srq ? 0 : (uint64_t)user->rq_wqe_count << (user->rq_wqe_shift & 31));
    bad = bytes != 0 ? uverbs_check_memory(call, user->buf_addr, bytes, true) : 0;
    return bad != 0 ? bad : uverbs_check_memory(call, user->db_addr, 8, true);
}

struct qp_parts {
    struct uobject *pd, *send_cq, *recv_cq, *srq;
    uint32_t type;
    struct ib_uverbs_qp_cap cap;
};

static int make_qp(struct call *call, const struct mlx5_ib_create_qp *user, struct qp_parts *parts,
                   struct uobject *qp)
{
    uint32_t rq_wqes = parts->srq != NULL || parts->cap.max_recv_wr == 0 ? 0 : user->rq_wqe_count;
    struct hca_qp_attr attr = {
        .type = parts->type, .pd = parts->pd->hca, .send_cq = parts->send_cq->hca,
        .recv_cq = parts->recv_cq->hca, .srq = parts->srq != NULL ? parts->srq->hca : NULL,
        .space = call->space, .rq_addr = user->buf_addr,
        .sq_addr = user->buf_addr + (rq_wqes != 0 ? (uint64_t)rq_wqes << user->rq_wqe_shift : 0),
        .db_addr = user->db_addr, .sq_wqebbs = user->sq_wqe_count, .rq_wqes = rq_wqes,
        .rq_wqe_shift = rq_wqes != 0 ? user->rq_wqe_shift : 0, .uidx = user->uidx & 0xffffff,
        .uar_page = (user->flags & MLX5_QP_FLAG_UAR_PAGE_INDEX) != 0 ? user->bfreg_index
                                                                     : UINT32_MAX,
        .flags = user->flags,
        .create_flags = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_QP_FLAGS)};
    struct hca_object *hca;
    int bad = hca_qp_create(call->client, &attr, &hca);

    if (bad != 0)
        return bad;
    uobject_bind(qp, hca);
    uobject_name(qp, parts->pd);
    uobject_name(qp, parts->send_cq);
    uobject_name(qp, parts->recv_cq);
    uobject_name(qp, parts->srq);
    parts->cap.max_recv_wr = rq_wqes;
    if (rq_wqes != 0)
        parts->cap.max_recv_sge = (1u << user->rq_wqe_shift) / 16;
    qp->qp.type = parts->type;
    qp->qp.cap = parts->cap;
    qp->qp.sq_sig_all = (attr.create_flags & IB_UVERBS_QP_CREATE_SQ_SIG_ALL) != 0;
    return 0;
}

static int create_qp(struct call *call)
{
    struct qp_parts parts = {
        .pd = attr_uobject(call, UVERBS_ATTR_CREATE_QP_PD_HANDLE, UO_PD),
        .send_cq = attr_uobject(call, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, UO_CQ),
        .recv_cq = attr_uobject(call, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, UO_CQ),
        .srq = attr_uobject(call, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE, UO_SRQ),
        .type = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_QP_TYPE)};
    struct mlx5_ib_create_qp user;
    struct mlx5_ib_create_qp_resp resp = {0};
    struct uobject *qp;
    int bad;

    if (attr_in(call, UVERBS_ATTR_CREATE_QP_CAP, &parts.cap, sizeof(parts.cap)) != 0 ||
        attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user)) != 0)
        return EINVAL;
    if (parts.type != IB_UVERBS_QPT_RC && parts.type != IB_UVERBS_QPT_UC &&
        parts.type != IB_UVERBS_QPT_UD)
        return EOPNOTSUPP;
    if (parts.pd == NULL || parts.send_cq == NULL || parts.recv_cq == NULL ||
        (parts.srq == NULL && attr_find(call, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE) != NULL))
        return ENOENT;
    bad = check_qp(call, &user, parts.type, &parts.cap, parts.srq != NULL);
    if (bad != 0)
        return bad;
    qp = uobject_new(call->context, UO_QP);
    if (qp == NULL)
        return ENOMEM;
    attr_in(call, UVERBS_ATTR_CREATE_QP_USER_HANDLE, &qp->user_handle, sizeof(qp->user_handle));
    bad = make_qp(call, &user, &parts, qp);
    if (bad != 0) {
        uobject_drop(qp);
        return bad;
    }
    resp.bfreg_index = user.bfreg_index;
    attr_out_value(call, UVERBS_ATTR_CREATE_QP_HANDLE, qp->handle);
    bad = attr_out(call, UVERBS_ATTR_CREATE_QP_RESP_CAP, &qp->qp.cap, sizeof(qp->qp.cap));
    bad = bad != 0 ? bad : attr_out(call, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &qp->hca->number, 4);
    return bad != 0 ? bad : attr_out(call, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
}

static int destroy_qp(struct call *call)
{
    struct uobject *qp = attr_uobject(call, UVERBS_ATTR_DESTROY_QP_HANDLE, UO_QP);
    uint32_t read[2];
    int bad = qp != NULL ? uobject_destroy(qp, read) : ENOENT;

    return bad != 0 ? bad : attr_out(call, UVERBS_ATTR_DESTROY_QP_RESP, &read[1], 4);
}

/* ---- SRQ ------------------------------------------------------------------------------------ */

struct uobject *uverbs_create_srq(struct call *call, struct ib_uverbs_create_xsrq *cmd, int *error)
{
    struct uobject *pd = uobject_find(call->context, cmd->pd_handle, UO_PD), *srq;
    uint32_t num = round_up(cmd->max_wr + 1), bytes = round_up(16 + cmd->max_sge * 16);
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
    *error = EOPNOTSUPP;
    if (cmd->srq_type != IB_UVERBS_SRQT_BASIC || (user.flags & MLX5_SRQ_FLAG_SIGNATURE) != 0)
        return NULL;
    bytes = bytes < 32 ? 32 : bytes;
    *error = uverbs_check_memory(call, user.buf_addr, (uint64_t)num * bytes, true);
    if (*error == 0)
        *error = uverbs_check_memory(call, user.db_addr, 8, true);
    if (*error != 0)
        return NULL;
    attr = (struct hca_srq_attr){
        .pd = pd->hca, .space = call->space, .buf_addr = user.buf_addr, .db_addr = user.db_addr,
        .num_wqes = num, .wqe_shift = (uint32_t)__builtin_ctz(bytes), .limit = cmd->srq_limit,
        .uidx = user.uidx};
    srq = uobject_new(call->context, UO_SRQ);
    *error = srq != NULL ? hca_srq_create(call->client, &attr, &hca) : ENOMEM;
    if (*error != 0) {
        if (srq != NULL)
            uobject_drop(srq);
        return NULL;
    }
    uobject_bind(srq, hca);
    uobject_name(srq, pd);
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
        .max_wr = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_MAX_WR),
        .max_sge = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_MAX_SGE),
        .srq_limit = (uint32_t)attr_value(call, UVERBS_ATTR_CREATE_SRQ_LIMIT),
        .user_handle = attr_value(call, UVERBS_ATTR_CREATE_SRQ_USER_HANDLE)};
    struct uobject *srq;
    int bad;

    srq = uverbs_create_srq(call, &cmd, &bad);
    if (srq == NULL)
        return bad;
    attr_out_value(call, UVERBS_ATTR_CREATE_SRQ_HANDLE, srq->handle);
    bad = attr_out(call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &srq->srq.max_wr, 4);
    bad = bad != 0 ? bad : attr_out(call, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &srq->srq.max_sge,
                                    4);
    return bad != 0 ? bad : attr_out(call, UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM, &srq->hca->number,
                                     4);
}

static int destroy_srq(struct call *call)
{
    struct uobject *srq = attr_uobject(call, UVERBS_ATTR_DESTROY_SRQ_HANDLE, UO_SRQ);
    uint32_t read[2];
    int bad = srq != NULL ? uobject_destroy(srq, read) : ENOENT;

    return bad != 0 ? bad : attr_out(call, UVERBS_ATTR_DESTROY_SRQ_RESP, &read[1], 4);
}

/* ---- table ---------------------------------------------------------------------------------- */

#define CORE(n) (1ull << (n))
#define DRIVER(n) (1ull << (32 + (n)))

const struct method object_methods[] = {
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, "INVOKE_WRITE", uverbs_write_command, 3, 2,
     CORE(2), true},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, "GET_CONTEXT", get_context, 2, 2, 0, false},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT, "QUERY_CONTEXT", query_context, 2, 1, 0,
     false},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, "QUERY_PORT", query_port, 2, 0,
     CORE(0) | CORE(1), true},
    {UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC, "ASYNC_EVENT.ALLOC",
     alloc_async_fd, 1, 0, CORE(0), false},
    {UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, "PD.DESTROY", destroy_pd, 1, 0, CORE(0), true},
    {UVERBS_OBJECT_PD, MLX5_IB_METHOD_PD_QUERY, "PD.QUERY", query_pd, 0, 2, DRIVER(0) | DRIVER(1),
     false},
    {UVERBS_OBJECT_AH, UVERBS_METHOD_AH_DESTROY, "AH.DESTROY", destroy_ah, 1, 0, CORE(0), true},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, "MR.DESTROY", destroy_mr, 1, 0, CORE(0), true},
    {UVERBS_OBJECT_MW, UVERBS_METHOD_MW_DESTROY, "MW.DESTROY", destroy_mw, 1, 0, CORE(0), true},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR, "MR.QUERY", query_mr, 5, 0, CORE(0), false},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG, "MR.DM_MR_REG", register_dm, 8, 0, 0xff, false},
    {UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR, "MR.REG_DMABUF_MR", register_dmabuf, 9, 0,
     0x1ff, false},
    {UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, "DM.ALLOC", alloc_dm, 3, 3, 7, false},
    {UVERBS_OBJECT_DM, UVERBS_METHOD_DM_FREE, "DM.FREE", free_dm, 1, 0, CORE(0), true},
    {UVERBS_OBJECT_DM, MLX5_IB_METHOD_DM_QUERY, "DM.QUERY", query_dm, 0, 4, DRIVER(0), false},
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

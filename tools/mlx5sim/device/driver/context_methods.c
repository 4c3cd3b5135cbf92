/* Methods of contexts, PDs, AHs and event descriptors. */
#define _GNU_SOURCE
#include "device/driver/context_methods.h"
#include "device/driver/channel.h"
#include "device/driver/uobject.h"
#include "device/driver/write_commands.h"
#include "device/hca/mkey.h"
#include "device/machine/log.h"

#include <errno.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>

enum { CORE_SUPPORT_OPTIONAL_MR_ACCESS = 1 };

/* ---- context -------------------------------------------------------------------------------- */

static void fill_context(const struct uverbs_context *context,
                         struct mlx5_ib_alloc_ucontext_resp *resp)
{
    const struct sim_profile *profile = &machine.profile;

    (void)context;
    /* without static bfregs, libmlx5 allocates UAR objects and maps only these */
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
            MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_MKEY_UPDATE_TAG |
            MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_DUMP_FILL_MKEY |
            MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_SQD2RTS,
        .response_length = sizeof(*resp),
        .cqe_version = 1,
        .cmds_supp_uhw = MLX5_USER_CMDS_SUPP_UHW_QUERY_DEVICE |
            MLX5_USER_CMDS_SUPP_UHW_CREATE_AH,
        .eth_min_inline = MLX5_USER_INLINE_MODE_NONE,
        .dump_fill_mkey = HCA_NULL_KEY,
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
    int err = attr_in(call, UVERBS_ATTR_UHW_IN, &request, sizeof(request));

    if (call->context->ready)
        return EINVAL;
    if (err != 0)
        return err == ENOENT ? EINVAL : err;
    if ((request.flags & ~(uint32_t)MLX5_IB_ALLOC_UCTX_DEVX) != 0)
        return EINVAL;
    if ((request.lib_caps & MLX5_LIB_CAP_DYN_UAR) == 0)
        sim_log(SIM_ERROR, "process %d: this libmlx5 needs static UARs, which do not exist here",
                (int)call->pid);
    if ((request.flags & MLX5_IB_ALLOC_UCTX_DEVX) != 0) {
        call->context->devx = true;
        call->client->uid = ++last_uid != 0 ? last_uid : ++last_uid;
    }
    call->context->ready = true;
    fill_context(call->context, &resp);
    err = attr_out(call, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, &vectors, sizeof(vectors));
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, &core,
                                    sizeof(core));
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_UHW_OUT, &resp, sizeof(resp));
}

static int query_context(struct call *call)
{
    const uint32_t vectors = machine.profile.num_comp_vectors;
    const uint64_t core = CORE_SUPPORT_OPTIONAL_MR_ACCESS;
    struct mlx5_ib_alloc_ucontext_resp resp;
    int err;

    if (!call->context->ready)
        return EINVAL;
    fill_context(call->context, &resp);
    err = attr_out(call, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS, &vectors, sizeof(vectors));
    err = err != 0 ? err : attr_out(call, UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT, &core,
                                    sizeof(core));
    return err != 0 ? err : attr_out(call, MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX, &resp,
                                     sizeof(resp));
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

static int destroy_pd(struct call *call)
{
    return uverbs_destroy(call, UVERBS_ATTR_DESTROY_PD_HANDLE, UO_PD);
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
    return uverbs_destroy(call, UVERBS_ATTR_DESTROY_AH_HANDLE, UO_AH);
}

/* ---- table ---------------------------------------------------------------------------------- */

const struct method context_methods[] = {
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, "INVOKE_WRITE", uverbs_write_command, 3, 2,
     CORE(2), true},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, "GET_CONTEXT", get_context, 2, 2, 0, false},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT, "QUERY_CONTEXT", query_context, 2, 1, 0,
     false},
    {UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC, "ASYNC_EVENT.ALLOC",
     alloc_async_fd, 1, 0, CORE(0), false},
    {UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, "PD.DESTROY", destroy_pd, 1, 0, CORE(0), true},
    {UVERBS_OBJECT_PD, MLX5_IB_METHOD_PD_QUERY, "PD.QUERY", query_pd, 0, 2, DRIVER(0) | DRIVER(1),
     false},
    {UVERBS_OBJECT_AH, UVERBS_METHOD_AH_DESTROY, "AH.DESTROY", destroy_ah, 1, 0, CORE(0), true},
    {.run = NULL}};

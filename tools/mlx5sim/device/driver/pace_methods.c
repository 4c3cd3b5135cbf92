/* Packet pacing: entries of DevX, and the rate of a QP. */
#include "device/driver/pace_methods.h"
#include "device/driver/uobject.h"
#include "device/hca/pace.h"
#include "device/hca/qp.h"
#include "wire/prm.h"

#include <errno.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

static int alloc_entry(struct call *call)
{
    enum { CONTEXT_BYTES = 48 };
    const struct ib_uverbs_attr *attr = attr_find(call, MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX);
    uint32_t flags = (uint32_t)attr_value(call, MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS);
    struct sim_function *function = call->client->function;
    uint8_t context[CONTEXT_BYTES];
    struct pace_rate rate;
    struct uobject *entry;
    int err;

    if (!machine.profile.ethernet)
        return EOPNOTSUPP;      /* entries pace SQs, which only Ethernet ports have */
    if (!call->context->devx || attr->len > CONTEXT_BYTES ||
        (flags & ~(uint32_t)MLX5_IB_UAPI_PP_ALLOC_FLAGS_DEDICATED_INDEX) != 0)
        return EINVAL;
    err = attr_in(call, MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX, context, sizeof(context));
    if (err != 0)
        return err;
    rate = (struct pace_rate){
        .kbps = (uint32_t)prm_get(context, prm_set_pp_rate_limit_context_rate_limit),
        .burst = (uint32_t)prm_get(context, prm_set_pp_rate_limit_context_burst_upper_bound),
        .packet = (uint16_t)prm_get(context,
                                    prm_set_pp_rate_limit_context_typical_packet_size)};
    entry = uobject_new(call->context, UO_PACE);
    err = entry != NULL ? pace_get(function, &rate, flags != 0, &entry->rate) : ENOMEM;
    if (err != 0) {
        if (entry != NULL)
            uobject_drop(entry);
        return err;
    }
    attr_out_value(call, MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE, entry->handle);
    return attr_out(call, MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX, &entry->rate, sizeof(entry->rate));
}

static int destroy_entry(struct call *call)
{
    return uverbs_destroy(call, MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE, UO_PACE);
}

int pace_modify_qp(const struct call *call, struct hca_object *qp)
{
    struct hca_qp *queue = (struct hca_qp *)qp;
    struct ib_uverbs_ex_modify_qp cmd;
    struct mlx5_ib_modify_qp user;
    struct pace_rate rate;
    uint16_t index = 0;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    err = attr_in(call, UVERBS_ATTR_UHW_IN, &user, sizeof(user));
    if (err != 0 && err != ENOENT)
        return err;
    if (user.comp_mask != 0 || user.burst_info.reserved != 0)
        return EOPNOTSUPP;
    rate = (struct pace_rate){.kbps = cmd.rate_limit, .burst = user.burst_info.max_burst_sz,
                              .packet = user.burst_info.typical_pkt_sz};
    if (rate.kbps != 0)
        err = pace_get(qp->function, &rate, false, &index);
    else
        err = rate.burst != 0 || rate.packet != 0 ? EINVAL : 0;
    if (err != 0)
        return err;
    pace_set(&queue->pace, qp->function, index);
    pace_put(qp->function, index);      /* the queue has a reference */
    queue->wake = 0;                    /* it may have waited for the old rate */
    return 0;
}

const struct method pace_methods[] = {
    {MLX5_IB_OBJECT_PP, MLX5_IB_METHOD_PP_OBJ_ALLOC, "PP.ALLOC", alloc_entry, 0, 4,
     DRIVER(0) | DRIVER(1) | DRIVER(2) | DRIVER(3), false},
    {MLX5_IB_OBJECT_PP, MLX5_IB_METHOD_PP_OBJ_DESTROY, "PP.DESTROY", destroy_entry, 0, 1,
     DRIVER(0), true},
    {.run = NULL}};

/* Methods of flow actions. */
#include "device/driver/action_methods.h"
#include "device/driver/uobject.h"
#include "device/machine/fault.h"
#include "wire/prm.h"

#include <errno.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

/* ---- methods -------------------------------------------------------------------------------- */

static int create_modify(struct call *call)
{
    const struct ib_uverbs_attr *actions =
        attr_find(call, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_ACTIONS_PRM);
    uint64_t type = attr_value(call, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_FT_TYPE);
    uint8_t bytes[HEADERS_MAX_ACTIONS * 8];
    unsigned i, num = actions->len / 8;
    struct uobject *action;
    struct hca_object *hca;
    int err;

    if (!machine.profile.ethernet || type > MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX)
        return EOPNOTSUPP;
    if (num == 0 || num > HEADERS_MAX_ACTIONS || actions->len % 8 != 0)
        return EINVAL;
    err = attr_in(call, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_ACTIONS_PRM, bytes, sizeof(bytes));
    if (err != 0)
        return err;
    for (i = 0; i < num; i++)
        if (!hca_modify_is_known(bytes + (size_t)8 * i))
            return EINVAL;
    action = uobject_new(call->context, UO_FLOW_ACTION);
    err = action != NULL ? fault_driver_command(PRM_ALLOC_MODIFY_HEADER_CONTEXT) : ENOMEM;
    err = err != 0 ? err : hca_modify_create(call->client, (unsigned)type, bytes, num, &hca);
    if (err != 0) {
        if (action != NULL)
            uobject_drop(action);
        return err;
    }
    uobject_bind(action, hca);
    attr_out_value(call, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_HANDLE, action->handle);
    return 0;
}

/* Makes the context of an action that needs one. */
static int bind_reformat(const struct call *call, struct uobject *action,
                         enum hca_reformat_type type)
{
    const struct ib_uverbs_attr *attr =
        attr_find(call, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_DATA_BUF);
    uint8_t data[HEADERS_MAX_DATA];
    struct hca_object *hca;
    int err;

    if (attr == NULL || !hca_reformat_is_known(type, attr->len))
        return EINVAL;
    err = attr_in(call, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_DATA_BUF, data, sizeof(data));
    err = err != 0 ? err : fault_driver_command(PRM_ALLOC_PACKET_REFORMAT_CONTEXT);
    err = err != 0 ? err : hca_reformat_create(call->client, type, data, attr->len, &hca);
    if (err == 0)
        uobject_bind(action, hca);
    return err;
}

/* The kernel permits tunnels to be added to sent packets, and removed from received packets. An
 * action that removes a VXLAN tunnel has no object of the device. */
static int create_reformat(struct call *call)
{
    static const struct {
        uint64_t table;
        enum hca_reformat_type type;
    } rows[] = {
        [MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2] =
            {MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX, REFORMAT_L2_TO_VXLAN /* not used */},
        [MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL] =
            {MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX, REFORMAT_L2_TO_L2_TUNNEL},
        [MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L3_TUNNEL_TO_L2] =
            {MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX, REFORMAT_L3_TUNNEL_TO_L2},
        [MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L3_TUNNEL] =
            {MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX, REFORMAT_L2_TO_L3_TUNNEL}};
    uint64_t kind = attr_value(call, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_TYPE);
    uint64_t table = attr_value(call, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_FT_TYPE);
    struct uobject *action;
    int err = 0;

    if (!machine.profile.ethernet || kind >= sizeof(rows) / sizeof(rows[0]) ||
        table != rows[kind].table)
        return EOPNOTSUPP;
    action = uobject_new(call->context, UO_FLOW_ACTION);
    if (action == NULL)
        return ENOMEM;
    if (kind != MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2)
        err = bind_reformat(call, action, rows[kind].type);
    if (err != 0) {
        uobject_drop(action);
        return err;
    }
    attr_out_value(call, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_HANDLE, action->handle);
    return 0;
}

static int destroy_action(struct call *call)
{
    return uverbs_destroy(call, UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE, UO_FLOW_ACTION);
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* Adds one action. A rule has at most one action of each kind. */
static int add_action(const struct uobject *action, struct hca_rule_attr *attr)
{
    enum hca_table_type type = attr->place == STEER_SENT ? TABLE_SEND : TABLE_RECEIVE;
    unsigned bit = action->hca == NULL ? PRM_FLOW_DECAP
                 : action->hca->type == HCA_MODIFY ? PRM_FLOW_MODIFY : PRM_FLOW_REFORMAT;

    if (attr->action & bit)
        return EINVAL;
    attr->action |= bit;
    if (bit == PRM_FLOW_DECAP) {
        attr->changes.decaps = true;
        return type == TABLE_RECEIVE ? 0 : EINVAL;
    }
    if (bit == PRM_FLOW_MODIFY) {
        attr->changes.modify = (struct hca_modify *)action->hca;
        return attr->changes.modify->table_type == (unsigned)type ? 0 : EINVAL;
    }
    attr->changes.reformat = (struct hca_reformat *)action->hca;
    return (attr->changes.reformat->type == REFORMAT_L3_TUNNEL_TO_L2) == (type == TABLE_RECEIVE)
               ? 0 : EINVAL;
}

int actions_of_rule(const struct call *call, struct hca_rule_attr *attr,
                    struct uobject *used[ACTIONS_OF_RULE])
{
    const struct ib_uverbs_attr *list =
        attr_find(call, MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS);
    uint32_t handles[ACTIONS_OF_RULE];
    unsigned i, num;
    int err;

    if (list == NULL)
        return 0;
    num = list->len / sizeof(handles[0]);
    if (num == 0 || num > ACTIONS_OF_RULE || list->len % sizeof(handles[0]) != 0)
        return EINVAL;
    err = attr_in(call, MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS, handles, sizeof(handles));
    for (i = 0; err == 0 && i < num; i++) {
        used[i] = uobject_find(call->context, handles[i], UO_FLOW_ACTION);
        err = used[i] != NULL ? add_action(used[i], attr) : ENOENT;
    }
    return err;
}

/* ---- table ---------------------------------------------------------------------------------- */

const struct method action_methods[] = {
    {UVERBS_OBJECT_FLOW_ACTION, MLX5_IB_METHOD_FLOW_ACTION_CREATE_MODIFY_HEADER,
     "FLOW_ACTION.CREATE_MODIFY_HEADER", create_modify, 0, 3, DRIVER(0) | DRIVER(1) | DRIVER(2),
     false},
    {UVERBS_OBJECT_FLOW_ACTION, MLX5_IB_METHOD_FLOW_ACTION_CREATE_PACKET_REFORMAT,
     "FLOW_ACTION.CREATE_PACKET_REFORMAT", create_reformat, 0, 4,
     DRIVER(0) | DRIVER(1) | DRIVER(2), false},
    {UVERBS_OBJECT_FLOW_ACTION, UVERBS_METHOD_FLOW_ACTION_DESTROY, "FLOW_ACTION.DESTROY",
     destroy_action, 1, 0, CORE(0), true},
    {.run = NULL}};

/* Methods of mlx5dv's flow rules: masks and values in the layout of the device. */
#include "device/driver/matcher_methods.h"
#include "device/driver/action_methods.h"
#include "device/driver/uobject.h"
#include "device/machine/fault.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

enum {
    LAST_PRIORITY = 15, FLAG_EGRESS = 1 << 2
};

/* ---- matchers ------------------------------------------------------------------------------- */

/* Reads mask or value. It may be shorter than the layout: the rest is 0. */
static int read_match(const struct call *call, unsigned id, uint8_t match[MATCH_BYTES])
{
    const struct ib_uverbs_attr *attr = attr_find(call, id);

    return attr->len > MATCH_BYTES ? EINVAL : attr_in(call, id, match, MATCH_BYTES);
}

/* Finds the place of rules in a type of table. False: the type is not supported. */
static bool find_place(uint64_t flags, uint64_t table, enum steer_place *place)
{
    *place = flags != 0 ? STEER_SENT : STEER_NORMAL;
    if (table == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX)
        *place = STEER_SENT;
    else if (table == MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_RX)
        *place = STEER_RDMA_RECEIVED;
    else if (table == MLX5_IB_UAPI_FLOW_TABLE_TYPE_RDMA_TX)
        *place = STEER_RDMA_SENT;
    else
        return table == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX;
    return true;
}

static bool is_rdma(enum steer_place place)
{
    return place == STEER_RDMA_RECEIVED || place == STEER_RDMA_SENT;
}

static bool is_sent(enum steer_place place)
{
    return place == STEER_SENT || place == STEER_RDMA_SENT;
}

static int create_matcher(struct call *call)
{
    const struct ib_uverbs_attr *type = attr_find(call, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE);
    uint64_t flags = attr_value(call, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS);
    uint64_t table = attr_value(call, MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE);
    struct hca_rule_attr attr = {0};
    struct uobject *matcher;
    uint16_t priority;
    uint8_t criteria;
    int err = read_match(call, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK, attr.mask);

    err = err != 0 ? err : attr_in(call, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA, &criteria, 1);
    err = err != 0 ? err : attr_in(call, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE, &priority, 2);
    if (err != 0)
        return err;
    if (!machine.profile.ethernet || !find_place(flags, table, &attr.place) ||
        type->attr_data.enum_data.elem_id != MLX5_IB_FLOW_TYPE_NORMAL)
        return EOPNOTSUPP;
    if (priority > LAST_PRIORITY || (flags & ~(uint64_t)FLAG_EGRESS) != 0 ||
        !match_is_covered(attr.mask, criteria))
        return EINVAL;
    if (!match_is_known(attr.mask) || (is_rdma(attr.place) && !match_is_empty(attr.mask)))
        return EOPNOTSUPP;
    attr.priority = priority;
    matcher = uobject_new(call->context, UO_MATCHER);
    if (matcher == NULL)
        return ENOMEM;
    matcher->matcher = malloc(sizeof(attr));
    if (matcher->matcher == NULL) {
        uobject_drop(matcher);
        return ENOMEM;
    }
    *matcher->matcher = attr;
    attr_out_value(call, MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE, matcher->handle);
    return 0;
}

static int destroy_matcher(struct call *call)
{
    return uverbs_destroy(call, MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE, UO_MATCHER);
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* A TIR takes received packets. A flow table takes packets of its direction. */
static bool is_devx_dest(const struct hca_object *object, enum steer_place place)
{
    const struct hca_flow_table *table = (const struct hca_flow_table *)object;
    enum hca_table_type type = place == STEER_SENT ? TABLE_SEND
                             : place == STEER_RDMA_SENT ? TABLE_RDMA_SEND
                             : place == STEER_RDMA_RECEIVED ? TABLE_RDMA_RECEIVE : TABLE_RECEIVE;

    if (object->type == HCA_TIR)
        return type == TABLE_RECEIVE;
    return object->type == HCA_TABLE && table->attr.type == type;
}

/* Finds the destination: a QP, or a TIR or flow table made by DevX. A rule without destination is
 * possible for packets that are sent, and with the flag for dropping. */
static int find_dest(const struct call *call, struct hca_rule_attr *attr, struct uobject **dest)
{
    const unsigned qp_id = MLX5_IB_ATTR_CREATE_FLOW_DEST_QP;
    const unsigned devx_id = MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX;
    bool has_qp = attr_find(call, qp_id) != NULL, has_devx = attr_find(call, devx_id) != NULL;
    uint64_t flags = attr_value(call, MLX5_IB_ATTR_CREATE_FLOW_FLAGS);

    if ((flags & ~(uint64_t)MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DROP) != 0)
        return EOPNOTSUPP;
    attr->action = has_qp || has_devx ? PRM_FLOW_FORWARD
        : flags != 0 ? PRM_FLOW_DROP : PRM_FLOW_ALLOW;
    if (has_qp + has_devx + (flags != 0) > 1)
        return EINVAL;
    if (!has_qp && !has_devx)
        return is_sent(attr->place) || (flags != 0 && !is_rdma(attr->place)) ? 0 : EINVAL;
    *dest = attr_uobject(call, has_qp ? qp_id : devx_id, has_qp ? UO_QP : UO_DEVX);
    if (*dest == NULL && has_qp)
        *dest = attr_uobject(call, qp_id, UO_RSS_QP);
    if (*dest == NULL)
        return ENOENT;
    if (has_qp ? (*dest)->type == UO_QP && (*dest)->qp.type != IB_UVERBS_QPT_RAW_PACKET
               : !is_devx_dest((*dest)->hca, attr->place))
        return EINVAL;
    if (has_qp && (is_sent(attr->place) || is_rdma(attr->place)))
        return EINVAL;
    attr->dest[attr->num_dests++] = (*dest)->hca;
    return 0;
}

/* Finds the counter made by DevX, and its offset in a bulk. */
static int find_counter(const struct call *call, struct hca_rule_attr *attr,
                        struct uobject **counter)
{
    const unsigned offset_id = MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX_OFFSET;
    const struct ib_uverbs_attr *offset = attr_find(call, offset_id);
    uint32_t handle, index = 0;
    int err = attr_in(call, MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX, &handle, sizeof(handle));

    if (err != 0)
        return err == ENOENT ? 0 : err;
    if (offset != NULL && offset->len != sizeof(index))
        return EINVAL;
    err = offset != NULL ? attr_in(call, offset_id, &index, sizeof(index)) : 0;
    if (err != 0)
        return err;
    *counter = uobject_find(call->context, handle, UO_DEVX);
    if (*counter == NULL)
        return ENOENT;
    attr->counter = (struct hca_counter *)(*counter)->hca;
    attr->counter_index = index;
    attr->action |= PRM_FLOW_COUNT;
    return (*counter)->hca->type == HCA_COUNTER && index < attr->counter->num ? 0 : EINVAL;
}

static int create_flow(struct call *call)
{
    struct uobject *matcher = attr_uobject(call, MLX5_IB_ATTR_CREATE_FLOW_MATCHER, UO_MATCHER);
    struct uobject *dest = NULL, *counter = NULL, *actions[ACTIONS_OF_RULE] = {NULL}, *flow;
    struct hca_rule_attr attr;
    struct hca_object *hca;
    unsigned i;
    uint32_t tag;
    int err;

    if (matcher == NULL)
        return ENOENT;
    attr = *matcher->matcher;
    err = read_match(call, MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE, attr.value);
    err = err != 0 ? err : find_dest(call, &attr, &dest);
    err = err != 0 ? err : find_counter(call, &attr, &counter);
    err = err != 0 ? err : actions_of_rule(call, &attr, actions);
    if (err != 0)
        return err;
    if (attr_in(call, MLX5_IB_ATTR_CREATE_FLOW_TAG, &tag, sizeof(tag)) == 0) {
        if (tag > 0xffffff || attr.num_dests == 0)
            return EINVAL;
        attr.tag = tag;
    }
    if (is_rdma(attr.place) &&
        (attr.tag != 0 || attr.action & ~(unsigned)(PRM_FLOW_ALLOW | PRM_FLOW_DROP |
                                                    PRM_FLOW_FORWARD)))
        return EOPNOTSUPP;
    flow = uobject_new(call->context, UO_FLOW);
    err = flow != NULL ? fault_driver_command(PRM_SET_FLOW_TABLE_ENTRY) : ENOMEM;
    err = err != 0 ? err : hca_rule_create(call->client, &attr, &hca);
    if (err != 0) {
        if (flow != NULL)
            uobject_drop(flow);
        return err;
    }
    uobject_bind(flow, hca);
    uobject_use(flow, matcher);
    uobject_use(flow, dest);
    uobject_use(flow, counter);
    for (i = 0; i < ACTIONS_OF_RULE; i++)
        uobject_use(flow, actions[i]);
    attr_out_value(call, MLX5_IB_ATTR_CREATE_FLOW_HANDLE, flow->handle);
    return 0;
}

static int destroy_flow(struct call *call)
{
    return uverbs_destroy(call, MLX5_IB_ATTR_DESTROY_FLOW_HANDLE, UO_FLOW);
}

/* ---- table ---------------------------------------------------------------------------------- */

const struct method matcher_methods[] = {
    {MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_CREATE, "FLOW_MATCHER.CREATE",
     create_matcher, 0, 6, DRIVER(0) | DRIVER(1) | DRIVER(2) | DRIVER(3), false},
    {MLX5_IB_OBJECT_FLOW_MATCHER, MLX5_IB_METHOD_FLOW_MATCHER_DESTROY, "FLOW_MATCHER.DESTROY",
     destroy_matcher, 0, 1, DRIVER(0), true},
    {UVERBS_OBJECT_FLOW, MLX5_IB_METHOD_CREATE_FLOW, "FLOW.CREATE", create_flow, 0, 10,
     DRIVER(0) | DRIVER(1) | DRIVER(4), false},
    {UVERBS_OBJECT_FLOW, MLX5_IB_METHOD_DESTROY_FLOW, "FLOW.DESTROY", destroy_flow, 0, 1, DRIVER(0),
     true},
    {.run = NULL}};

/* Methods of flow rules and counters. */
#include "device/driver/flow_methods.h"
#include "device/driver/flow_spec.h"
#include "device/driver/uobject.h"
#include "device/machine/fault.h"
#include "wire/prm.h"

#include <errno.h>
#include <string.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>

enum {
    TYPE_NORMAL = 0, TYPE_ALL_DEFAULT = 1, TYPE_MC_DEFAULT = 2, TYPE_SNIFFER = 3,
    FLAG_DONT_TRAP = 1 << 1,
    LAST_PRIORITY = 15,
    MAX_SPECS_BYTES = 1024,
    COUNTER_PACKETS = 0, COUNTER_BYTES = 1, MAX_READINGS = 64
};

/* ---- rules ---------------------------------------------------------------------------------- */

static int check_flow(const struct ib_uverbs_flow_attr *flow)
{
    if (flow->type > TYPE_SNIFFER)
        return EINVAL;
    if (flow->priority > LAST_PRIORITY)
        return ENOSPC;
    if (flow->port != 1 || flow->reserved[0] || flow->reserved[1] ||
        (flow->flags & ~(uint32_t)FLAG_DONT_TRAP) != 0)
        return EINVAL;
    if (flow->type != TYPE_NORMAL && (flow->num_of_specs != 0 || flow->flags != 0))
        return EINVAL;
    return 0;
}

static void set_place(const struct ib_uverbs_flow_attr *flow, struct hca_rule_attr *attr)
{
    attr->priority = flow->priority;
    attr->goes_on = (flow->flags & FLAG_DONT_TRAP) != 0;
    attr->place = flow->type == TYPE_NORMAL ? STEER_NORMAL
        : flow->type == TYPE_SNIFFER ? STEER_SNIFFER : STEER_DEFAULT;
    if (flow->type == TYPE_MC_DEFAULT) {        /* the bit of multicast addresses */
        uint8_t *dmac = PRM_AT(attr->mask, prm_fte_match_set_lyr_2_4_dmac_47_16);

        dmac[0] = 1;
        attr->value[dmac - attr->mask] = 1;
    }
}

/* Reads which values the program wants to read from the counters. The first rule that uses the
 * counters gives them. */
static int read_readings(const struct call *call, struct counter_readings *readings)
{
    uint8_t user[sizeof(struct mlx5_ib_create_flow) + sizeof(struct mlx5_ib_flow_counters_data)];
    struct mlx5_ib_create_flow head;
    struct mlx5_ib_flow_counters_data data;
    struct mlx5_ib_flow_counters_desc desc[MAX_READINGS];
    uint32_t i, num;

    attr_in(call, UVERBS_ATTR_UHW_IN, user, sizeof(user));
    memcpy(&head, user, sizeof(head));
    memcpy(&data, user + sizeof(head), sizeof(data));
    num = head.ncounters_data == 1 ? data.ncounters : 0;
    if (head.ncounters_data > 1 || head.reserved != 0)
        return EINVAL;
    if (readings->num != 0)
        return num != 0 ? EINVAL : 0;
    if (num == 0 || num > 2)
        return EINVAL;
    if (sim_read(call->space, (uintptr_t)data.counters_data, desc, num * sizeof(desc[0])))
        return EFAULT;
    for (i = 0; i < num; i++) {
        if (desc[i].description > COUNTER_BYTES || desc[i].index >= MAX_READINGS)
            return EINVAL;
        readings->of[i] = desc[i].description;
        readings->index[i] = desc[i].index;
    }
    readings->num = num;
    return 0;
}

/* Reads the specifications of the rule, and finds its counters. */
static int read_specs(const struct call *call, const struct ib_uverbs_create_flow *cmd,
                      struct hca_rule_attr *attr, struct uobject *qp, struct uobject **counters,
                      struct counter_readings *readings)
{
    uint8_t all[sizeof(*cmd) + MAX_SPECS_BYTES];
    struct flow_spec_result result = {0};
    int err;

    if (cmd->flow_attr.size > MAX_SPECS_BYTES)
        return EINVAL;
    err = command_in(call, all, sizeof(*cmd) + cmd->flow_attr.size);
    if (err != 0)
        return EINVAL;
    err = flow_specs_read(all + sizeof(*cmd), cmd->flow_attr.size, cmd->flow_attr.num_of_specs,
                          attr, &result);
    if (err != 0)
        return err;
    if (result.drops && (result.tags || attr->goes_on))
        return EINVAL;
    attr->action = result.drops ? PRM_FLOW_DROP : PRM_FLOW_FORWARD;
    if (!result.drops)
        attr->dest[attr->num_dests++] = qp->hca;
    if (!result.counts)
        return 0;
    attr->action |= PRM_FLOW_COUNT;
    *counters = uobject_find(call->context, result.counters, UO_COUNTERS);
    if (*counters == NULL)
        return EINVAL;
    attr->counter = (struct hca_counter *)(*counters)->hca;
    *readings = (*counters)->readings;
    return read_readings(call, readings);
}

static int create_flow(struct call *call)
{
    struct ib_uverbs_create_flow_resp resp = {0};
    struct uobject *qp, *flow, *counters = NULL;
    struct counter_readings readings;
    struct ib_uverbs_create_flow cmd;
    struct hca_rule_attr attr = {0};
    struct hca_object *hca;
    int err = command_in(call, &cmd, sizeof(cmd));

    if (err != 0)
        return err;
    if (!command_room(call, sizeof(resp)))
        return ENOSPC;
    if (!machine.profile.ethernet)
        return EOPNOTSUPP;
    qp = uobject_find(call->context, cmd.qp_handle, UO_RSS_QP);
    if (qp == NULL)
        qp = uobject_find(call->context, cmd.qp_handle, UO_QP);
    if (qp == NULL || cmd.comp_mask != 0 ||
        (qp->type == UO_QP && qp->qp.type != IB_UVERBS_QPT_RAW_PACKET))
        return EINVAL;
    err = check_flow(&cmd.flow_attr);
    if (err != 0)
        return err;
    set_place(&cmd.flow_attr, &attr);
    err = read_specs(call, &cmd, &attr, qp, &counters, &readings);
    if (err != 0)
        return err;
    flow = uobject_new(call->context, UO_FLOW);
    err = flow != NULL ? fault_driver_command(PRM_SET_FLOW_TABLE_ENTRY) : ENOMEM;
    err = err != 0 ? err : hca_rule_create(call->client, &attr, &hca);
    if (err != 0) {
        if (flow != NULL)
            uobject_drop(flow);
        return err;
    }
    uobject_bind(flow, hca);
    uobject_use(flow, qp);
    uobject_use(flow, counters);
    if (counters != NULL)
        counters->readings = readings;
    resp.flow_handle = flow->handle;
    return command_out(call, &resp, sizeof(resp));
}

static int destroy_flow(struct call *call)
{
    return uverbs_destroy(call, UVERBS_ATTR_DESTROY_FLOW_HANDLE, UO_FLOW);
}

/* ---- counters ------------------------------------------------------------------------------- */

static int create_counters(struct call *call)
{
    struct uobject *counters;
    struct hca_object *hca;
    int err;

    if (!machine.profile.ethernet)
        return EOPNOTSUPP;
    counters = uobject_new(call->context, UO_COUNTERS);
    err = counters != NULL ? fault_driver_command(PRM_ALLOC_FLOW_COUNTER) : ENOMEM;
    err = err != 0 ? err : hca_counter_create(call->client, 1, &hca);
    if (err != 0) {
        if (counters != NULL)
            uobject_drop(counters);
        return err;
    }
    uobject_bind(counters, hca);
    attr_out_value(call, UVERBS_ATTR_CREATE_COUNTERS_HANDLE, counters->handle);
    return 0;
}

static int destroy_counters(struct call *call)
{
    return uverbs_destroy(call, UVERBS_ATTR_DESTROY_COUNTERS_HANDLE, UO_COUNTERS);
}

static int read_counters(struct call *call)
{
    struct uobject *counters = attr_uobject(call, UVERBS_ATTR_READ_COUNTERS_HANDLE, UO_COUNTERS);
    const struct ib_uverbs_attr *buffer = attr_find(call, UVERBS_ATTR_READ_COUNTERS_BUFF);
    uint64_t values[MAX_READINGS] = {0};
    const struct hca_counter *counter;
    uint32_t i, num = buffer->len / sizeof(values[0]);

    if (counters == NULL)
        return ENOENT;
    if (num == 0 || buffer->len % sizeof(values[0]) != 0 ||
        (attr_value(call, UVERBS_ATTR_READ_COUNTERS_FLAGS) &
         ~(uint64_t)IB_UVERBS_READ_COUNTERS_PREFER_CACHED) != 0)
        return EINVAL;
    if (counters->readings.num == 0)
        return EINVAL;                  /* no rule uses the counters yet */
    counter = (const struct hca_counter *)counters->hca;
    for (i = 0; i < counters->readings.num; i++) {
        if (counters->readings.index[i] >= num)
            return EINVAL;
        values[counters->readings.index[i]] = counters->readings.of[i] == COUNTER_PACKETS
            ? counter->value[0].packets : counter->value[0].bytes;
    }
    return attr_out(call, UVERBS_ATTR_READ_COUNTERS_BUFF, values, sizeof(values));
}

/* ---- tables --------------------------------------------------------------------------------- */

const struct method flow_methods[] = {
    {UVERBS_OBJECT_FLOW, UVERBS_METHOD_FLOW_DESTROY, "FLOW.DESTROY", destroy_flow, 1, 0, CORE(0),
     true},
    {UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_CREATE, "COUNTERS.CREATE", create_counters, 1,
     0, CORE(0), false},
    {UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_DESTROY, "COUNTERS.DESTROY", destroy_counters,
     1, 0, CORE(0), true},
    {UVERBS_OBJECT_COUNTERS, UVERBS_METHOD_COUNTERS_READ, "COUNTERS.READ", read_counters, 3, 0,
     CORE(0) | CORE(1) | CORE(2), false},
    {.run = NULL}};

const struct write_command flow_commands[] = {
    {WRITE_EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_FLOW, "EX_CREATE_FLOW", create_flow, false},
    {.run = NULL}};

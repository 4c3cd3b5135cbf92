/* Methods on ports: their attributes, their GID table, their place at the eswitch. */
#include "device/driver/port_methods.h"
#include "device/machine/eswitch.h"
#include "device/machine/gid.h"
#include "device/machine/interface.h"

#include <errno.h>
#include <string.h>

#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

/* A method that linux-libc-dev may not have yet. */
enum { METHOD_QUERY_PORT_SPEED = 7, SPEED_PORT_NUM = 0, SPEED_RESP = 1 };

static int query_port(struct call *call)
{
    struct ib_uverbs_query_port_resp_ex resp = {
        .legacy_resp = {
            .port_cap_flags = machine.profile.ethernet ? 0x04010000 : SIM_PORT_FLAGS,
            .max_msg_sz = 1u << machine.profile.log_max_msg,
            .gid_tbl_len = gid_table_len(),
            .pkey_tbl_len = 1,
            .lid = call->client->function->lid,
            .sm_lid = machine.profile.ethernet ? 0 : 1,
            .state = 4,                 /* ACTIVE */
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

/* The speed of the port above, 4 lanes of HDR, in units of 100 Mb/s. */
static int query_port_speed(struct call *call)
{
    const uint64_t speed = 2000;

    if (attr_value(call, SPEED_PORT_NUM) != 1)
        return EINVAL;
    return attr_out(call, SPEED_RESP, &speed, sizeof(speed));
}

/* ---- GID table ------------------------------------------------------------------------------ */

/* Describes an entry of the GID table. False when it is empty. */
static bool describe_gid(const struct sim_function *f, unsigned index,
                         struct ib_uverbs_gid_entry *out)
{
    struct sim_interface interface;
    struct sim_gid gid;

    memset(out, 0, sizeof(*out));
    if (!gid_at(f, index, &gid))
        return false;
    memcpy(out->gid, gid.bytes, sizeof(gid.bytes));
    out->gid_index = index;
    out->port_num = 1;
    if (!machine.profile.ethernet) {
        out->gid_type = IB_UVERBS_GID_TYPE_IB;
        return true;
    }
    interface_of(f, &interface);
    out->gid_type = gid.is_v2 ? IB_UVERBS_GID_TYPE_ROCE_V2 : IB_UVERBS_GID_TYPE_ROCE_V1;
    out->netdev_ifindex = interface.index;
    return true;
}

static int query_gid_entry(struct call *call)
{
    uint32_t index = (uint32_t)attr_value(call, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX);
    struct ib_uverbs_gid_entry entry;

    if ((uint32_t)attr_value(call, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS) != 0 ||
        (uint32_t)attr_value(call, UVERBS_ATTR_QUERY_GID_ENTRY_PORT) != 1 ||
        index >= gid_table_len())
        return EINVAL;
    if (!describe_gid(call->client->function, index, &entry))
        return ENODATA;
    return attr_out(call, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, &entry, sizeof(entry));
}

/* Writes the entries that are not empty. The program says how long its entries are: a longer one is
 * filled up with zeros, a shorter one gets the first fields. */
static int query_gid_table(struct call *call)
{
    const struct ib_uverbs_attr *attr = attr_find(call, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES);
    uint64_t bytes = attr_value(call, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE), num = 0;
    struct ib_uverbs_gid_entry entry;
    unsigned i;
    int err;

    if ((uint32_t)attr_value(call, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS) != 0 || bytes == 0)
        return EINVAL;
    err = attr_out(call, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, NULL, 0);
    for (i = 0; err == 0 && i < gid_table_len(); i++) {
        if (!describe_gid(call->client->function, i, &entry))
            continue;
        if (num >= attr->len / bytes)
            return EINVAL;
        err = sim_write(call->space, attr->data + num++ * bytes, &entry,
                        bytes < sizeof(entry) ? bytes : sizeof(entry));
    }
    return err != 0 ? err : attr_out(call, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, &num,
                                     sizeof(num));
}

/* ---- eswitch -------------------------------------------------------------------------------- */

/* Reports what the manager of an eswitch knows of its port. No other function has an eswitch: the
 * reply is empty. */
static int query_vport(struct call *call)
{
    const struct sim_function *f = call->client->function;
    struct mlx5_ib_uapi_query_port info = {0};

    if ((uint32_t)attr_value(call, MLX5_IB_ATTR_QUERY_PORT_PORT_NUM) != 1)
        return EINVAL;
    if (esw_is_manager(f)) {
        info.flags = MLX5_IB_UAPI_QUERY_PORT_VPORT | MLX5_IB_UAPI_QUERY_PORT_ESW_OWNER_VHCA_ID;
        info.vport = ESW_UPLINK;
        info.esw_owner_vhca_id = f->vhca_id;
    }
    return attr_out(call, MLX5_IB_ATTR_QUERY_PORT, &info, sizeof(info));
}

/* ---- table ---------------------------------------------------------------------------------- */

const struct method port_methods[] = {
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, "QUERY_PORT", query_port, 2, 0,
     CORE(0) | CORE(1), false},
    {UVERBS_OBJECT_DEVICE, METHOD_QUERY_PORT_SPEED, "QUERY_PORT_SPEED", query_port_speed, 2, 0,
     CORE(0) | CORE(1), false},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE, "QUERY_GID_TABLE", query_gid_table, 4, 0,
     CORE(0) | CORE(2) | CORE(3), false},
    {UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY, "QUERY_GID_ENTRY", query_gid_entry, 4, 0,
     CORE(0) | CORE(1) | CORE(2) | CORE(3), false},
    {UVERBS_OBJECT_DEVICE, MLX5_IB_METHOD_QUERY_PORT, "MLX5.QUERY_PORT", query_vport, 0, 2,
     DRIVER(0) | DRIVER(1), false},
    {.run = NULL}};

/* Firmware commands that do not create objects. */
#include "device/firmware/queries.h"
#include "device/firmware/caps.h"
#include "device/hca/mkey.h"
#include "device/machine/eswitch.h"
#include "device/machine/gid.h"
#include "wire/prm.h"

#include <string.h>

void devx_query_hca_cap(struct devx_command *c)
{
    unsigned type = (unsigned)prm_get(c->in, prm_mbox_in_op_mod) >> 1;
    struct sim_function *f = c->client->function;

    if (prm_get(c->in, prm_query_hca_cap_in_other_function))
        f = esw_function(f, (unsigned)prm_get(c->in, prm_query_hca_cap_in_function_id),
                         prm_get(c->in, prm_query_hca_cap_in_ec_vf_function) != 0);
    if (f == NULL)
        devx_fail(c, PRM_BAD_PARAM, 0x400, "the function has no such vport");
    else if (!caps_query(f, type, PRM_AT(c->out, prm_query_hca_cap_out_capability)))
        devx_fail(c, PRM_BAD_PARAM, 0x401, "unknown type of capabilities");
}

/* The ports of the card are not bonded. */
void devx_query_lag(struct devx_command *c)
{
    enum { INACTIVE = 0, OUT_BYTES = 16 };

    if (!devx_output(c, OUT_BYTES))
        return;
    if (prm_get(c->in, prm_mbox_in_op_mod) != 0)
        devx_fail(c, PRM_BAD_PARAM, 0x406, "the modifier of QUERY_LAG must be 0");
    else
        prm_set(PRM_AT(c->out, prm_query_lag_out_ctx), prm_lagc_lag_state, INACTIVE);
}

void devx_query_adapter(struct devx_command *c)
{
    (void)c;
}

void devx_query_special_contexts(struct devx_command *c)
{
    /* one key serves both purposes; the device has no reserved lkey */
    prm_set(c->out, prm_query_special_contexts_out_dump_fill_mkey, HCA_NULL_KEY);
    prm_set(c->out, prm_query_special_contexts_out_null_mkey, HCA_NULL_KEY);
}

void devx_query_hca_vport_context(struct devx_command *c)
{
    enum { ACTIVE = 4, LINK_UP = 5 };
    const struct sim_function *f = c->client->function;
    uint8_t *ctx = PRM_AT(c->out, prm_query_hca_vport_context_out_hca_vport_context);

    prm_set(ctx, prm_hca_vport_context_port_physical_state, LINK_UP);
    prm_set(ctx, prm_hca_vport_context_port_state, ACTIVE);
    prm_set(ctx, prm_hca_vport_context_vport_state, ACTIVE);
    prm_set(ctx, prm_hca_vport_context_system_image_guid, f->sys_image_guid);
    prm_set(ctx, prm_hca_vport_context_port_guid, f->node_guid);
    prm_set(ctx, prm_hca_vport_context_node_guid, f->node_guid);
    prm_set(ctx, prm_hca_vport_context_lid, f->lid);
}

void devx_query_nic_vport_context(struct devx_command *c)
{
    const struct sim_function *f = c->client->function;
    uint8_t *ctx = PRM_AT(c->out, prm_query_nic_vport_context_out_nic_vport_context);

    prm_set(ctx, prm_nic_vport_context_roce_en, machine.profile.ethernet);
    prm_set(ctx, prm_nic_vport_context_mtu, 1500);
    prm_set(ctx, prm_nic_vport_context_system_image_guid, f->sys_image_guid);
    prm_set(ctx, prm_nic_vport_context_port_guid, f->node_guid);
    prm_set(ctx, prm_nic_vport_context_node_guid, f->node_guid);
    memcpy(PRM_AT(ctx, prm_nic_vport_context_permanent_address) + 2, f->mac, 6);
}

void devx_query_roce_address(struct devx_command *c)
{
    enum { IPV4 = 0, IPV6 = 1, VERSION_1 = 0, VERSION_2 = 2 };
    const struct sim_function *f = c->client->function;
    uint8_t *address = PRM_AT(c->out, prm_query_roce_address_out_roce_address);
    unsigned index = (unsigned)prm_get(c->in, prm_query_roce_address_in_roce_address_index);
    struct sim_gid gid;

    if (!machine.profile.ethernet || index >= gid_table_len()) {
        devx_fail(c, PRM_BAD_PARAM, 0x405, "the RoCE address does not exist");
        return;
    }
    if (!gid_at(f, index, &gid))
        return;                 /* zeros */
    memcpy(PRM_AT(address, prm_roce_addr_layout_source_l3_address), gid.bytes, sizeof(gid.bytes));
    prm_set(address, prm_roce_addr_layout_source_mac_47_32, (uint64_t)f->mac[0] << 8 | f->mac[1]);
    prm_set(address, prm_roce_addr_layout_source_mac_31_0,
            (uint64_t)f->mac[2] << 24 | (uint64_t)f->mac[3] << 16 | (uint64_t)f->mac[4] << 8 |
            f->mac[5]);
    /* an IPv4 address of RoCE v1 is a GID like any other */
    prm_set(address, prm_roce_addr_layout_roce_l3_type, gid.is_ipv4 && gid.is_v2 ? IPV4 : IPV6);
    prm_set(address, prm_roce_addr_layout_roce_version, gid.is_v2 ? VERSION_2 : VERSION_1);
}

void devx_access_reg(struct devx_command *c)
{
    enum { READ = 1, UP = 1 };
    uint8_t *data = PRM_AT(c->out, prm_access_register_out_register_data);

    if (prm_get(c->in, prm_access_register_in_register_id) != PRM_PAOS ||
        prm_get(c->in, prm_mbox_in_op_mod) != READ) {
        devx_fail(c, PRM_BAD_PARAM, 0x402, "the only supported access is to read PAOS");
        return;
    }
    data[1] = 1;                /* local port */
    data[2] = UP;               /* admin_status */
    data[3] = UP;               /* oper_status */
}

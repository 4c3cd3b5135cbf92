/* Firmware commands: the table, and those that make no object. */
#include "devx.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEX_PER_LINE 32

/* ---- what all commands use ------------------------------------------------------------------ */

void devx_fail(struct devx_command *c, uint8_t status, uint32_t syndrome, const char *why)
{
    const char *name = prm_opcode_name(c->opcode);

    prm_set(c->out, prm_mbox_out_status, status);
    prm_set(c->out, prm_mbox_out_syndrome, syndrome);
    sim_log(SIM_INFO, "%s: command %s (%#x) refused: %s", c->client->function->name,
            name ? name : "unknown", c->opcode, why);
}

void *devx_object(struct devx_command *c, enum hca_type type, uint32_t number, const char *what)
{
    struct hca_object *object = hca_find(type, number);

    if (object && object->client == c->client)
        return object;
    devx_fail(c, PRM_BAD_RESOURCE, 0x100u + (uint32_t)type, what);
    return NULL;
}

struct hca_umem *devx_memory(struct devx_command *c, uint32_t id, uint64_t offset, uint64_t len,
                             const char *what)
{
    struct hca_umem *umem = hca_umem_find(c->client, id);

    if (umem && hca_umem_has(umem, offset, len))
        return umem;
    devx_fail(c, PRM_BAD_RESOURCE, 0x200, what);
    return NULL;
}

bool devx_uar(struct devx_command *c, uint32_t page)
{
    if (page < SIM_UAR_PAGES && c->client->function->uar_owner[page] == c->client)
        return true;
    devx_fail(c, PRM_BAD_PARAM, 0x300, "the UAR page is not this client's");
    return false;
}

/* ---- queries -------------------------------------------------------------------------------- */

static void query_hca_cap(struct devx_command *c)
{
    unsigned type = (unsigned)prm_get(c->in, prm_mbox_in_op_mod) >> 1;
    struct sim_function *f = c->client->function;

    if (prm_get(c->in, prm_query_hca_cap_in_other_function))
        f = esw_function(f, (unsigned)prm_get(c->in, prm_query_hca_cap_in_function_id),
                         prm_get(c->in, prm_query_hca_cap_in_ec_vf_function) != 0);
    if (f == NULL)
        devx_fail(c, PRM_BAD_PARAM, 0x400, "the function has no such vport");
    else if (!caps_query(f, type, PRM_AT(c->out, prm_query_hca_cap_out_capability)))
        devx_fail(c, PRM_BAD_PARAM, 0x401, "this type of capability is not there");
}

static void query_adapter(struct devx_command *c)
{
    (void)c;
}

static void query_special_contexts(struct devx_command *c)
{
    (void)c;                    /* no reserved lkey, no null mkey */
}

static void query_hca_vport_context(struct devx_command *c)
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

static void query_nic_vport_context(struct devx_command *c)
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

static void query_roce_address(struct devx_command *c)
{
    enum { IPV6 = 1, VERSION_1 = 0, VERSION_2 = 2 };
    const struct sim_function *f = c->client->function;
    uint8_t *address = PRM_AT(c->out, prm_query_roce_address_out_roce_address);
    uint64_t index = prm_get(c->in, prm_query_roce_address_in_roce_address_index);

    if (!machine.profile.ethernet || index >= f->num_gids) {
        devx_fail(c, PRM_BAD_PARAM, 0x405, "the RoCE address is not there");
        return;
    }
    memcpy(PRM_AT(address, prm_roce_addr_layout_source_l3_address), f->gid, sizeof(f->gid));
    prm_set(address, prm_roce_addr_layout_source_mac_47_32, (uint64_t)f->mac[0] << 8 | f->mac[1]);
    prm_set(address, prm_roce_addr_layout_source_mac_31_0,
            (uint64_t)f->mac[2] << 24 | (uint64_t)f->mac[3] << 16 | (uint64_t)f->mac[4] << 8 |
            f->mac[5]);
    prm_set(address, prm_roce_addr_layout_roce_l3_type, IPV6);
    prm_set(address, prm_roce_addr_layout_roce_version,
            index == 0 ? VERSION_1 : VERSION_2);
}

static void access_reg(struct devx_command *c)
{
    enum { READ = 1, UP = 1 };
    uint8_t *data = PRM_AT(c->out, prm_access_register_out_register_data);

    if (prm_get(c->in, prm_access_register_in_register_id) != PRM_PAOS ||
        prm_get(c->in, prm_mbox_in_op_mod) != READ) {
        devx_fail(c, PRM_BAD_PARAM, 0x402, "only PAOS can be accessed, and only read");
        return;
    }
    data[1] = 1;                /* local port */
    data[2] = UP;               /* admin_status */
    data[3] = UP;               /* oper_status */
}

static void alloc_pd(struct devx_command *c)
{
    if (hca_pd_create(c->client, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x403, "no PD is left");
    else
        prm_set(c->out, prm_alloc_pd_out_pd, c->created->number);
}

static void alloc_transport_domain(struct devx_command *c)
{
    struct hca_other *other = calloc(1, sizeof(*other));

    if (!other || hca_add(&other->object, HCA_DEVX, c->client)) {
        free(other);
        devx_fail(c, PRM_NO_RESOURCES, 0x404, "no transport domain is left");
        return;
    }
    other->kind = c->opcode;
    c->created = &other->object;
    prm_set(c->out, prm_alloc_transport_domain_out_transport_domain, other->object.number);
}

/* ---- table ---------------------------------------------------------------------------------- */

static const struct {
    unsigned opcode;
    size_t least;               /* bytes of input */
    void (*run)(struct devx_command *c);
} commands[] = {
    { PRM_QUERY_HCA_CAP, 8, query_hca_cap },
    { PRM_QUERY_ADAPTER, 8, query_adapter },
    { PRM_CREATE_MKEY, 0x50, devx_create_mkey },
    { PRM_QUERY_MKEY, 12, devx_query_mkey },
    { PRM_QUERY_SPECIAL_CONTEXTS, 8, query_special_contexts },
    { PRM_CREATE_CQ, 0x60, devx_create_cq },
    { PRM_QUERY_CQ, 12, devx_query_cq },
    { PRM_MODIFY_CQ, 0x50, devx_modify_cq },
    { PRM_CREATE_QP, 0x110, devx_create_qp },
    { PRM_RST2INIT_QP, 12, devx_modify_qp },
    { PRM_INIT2RTR_QP, 12, devx_modify_qp },
    { PRM_RTR2RTS_QP, 12, devx_modify_qp },
    { PRM_RTS2RTS_QP, 12, devx_modify_qp },
    { PRM_2ERR_QP, 12, devx_modify_qp },
    { PRM_2RST_QP, 12, devx_modify_qp },
    { PRM_INIT2INIT_QP, 12, devx_modify_qp },
    { PRM_QUERY_QP, 12, devx_query_qp },
    { PRM_QUERY_ESW_FUNCTIONS, 8, devx_query_esw_functions },
    { PRM_QUERY_NIC_VPORT_CONTEXT, 8, query_nic_vport_context },
    { PRM_QUERY_ROCE_ADDRESS, 12, query_roce_address },
    { PRM_QUERY_HCA_VPORT_CONTEXT, 8, query_hca_vport_context },
    { PRM_ALLOC_PD, 8, alloc_pd },
    { PRM_ACCESS_REG, 16, access_reg },
    { PRM_ALLOC_TRANSPORT_DOMAIN, 8, alloc_transport_domain },
    { PRM_CREATE_RMP, 0x60, devx_create_rmp },
    { PRM_MODIFY_RMP, 0x60, devx_modify_rmp },
    { PRM_QUERY_RMP, 12, devx_query_rmp },
    { PRM_CREATE_GENERAL_OBJECT, 16, devx_create_general },
    { PRM_QUERY_GENERAL_OBJECT, 16, devx_query_general },
    { PRM_ALLOW_OTHER_VHCA_ACCESS, 0x40, devx_allow_other_vhca },
    { PRM_QUERY_VUID, 16, devx_query_vuid },
};

static void run(struct devx_command *c)
{
    uint8_t status;
    uint32_t syndrome;

    if (c->client->function->fatal) {
        devx_fail(c, PRM_INTERNAL_ERR, 0x500, "the device has failed");
        return;
    }
    if (fault_command(c->opcode, &status, &syndrome)) {
        devx_fail(c, status, syndrome, "injected fault");
        return;
    }
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        if (commands[i].opcode != c->opcode)
            continue;
        if (c->in_len < commands[i].least)
            devx_fail(c, PRM_BAD_INPUT_LEN, 0x501, "the input is too short");
        else
            commands[i].run(c);
        return;
    }
    devx_fail(c, PRM_BAD_OP, 0x502, "there is no such command");
}

static void log_command(const struct devx_command *c, uint8_t status)
{
    const char *name = prm_opcode_name(c->opcode);
    char hex[HEX_PER_LINE * 2 + 1];

    sim_log(SIM_TRACE, "%s: command %s (%#x) op_mod %#x uid %u, %zu bytes in: status %#x%s",
            c->client->function->name, name ? name : "unknown", c->opcode,
            (unsigned)prm_get(c->in, prm_mbox_in_op_mod),
            (unsigned)prm_get(c->in, prm_mbox_in_uid), c->in_len, status,
            c->created ? ", object made" : "");
    if (!sim_logs(SIM_TRACE))
        return;
    for (size_t at = 0; at < c->in_len && at < 0x200; at += HEX_PER_LINE) {
        static const char digits[] = "0123456789abcdef";
        size_t n = c->in_len - at < HEX_PER_LINE ? c->in_len - at : HEX_PER_LINE;

        for (size_t i = 0; i < n; i++) {
            hex[2 * i] = digits[c->in[at + i] >> 4];
            hex[2 * i + 1] = digits[c->in[at + i] & 15];
        }
        hex[2 * n] = '\0';
        sim_log(SIM_TRACE, "    %03zx: %s", at, hex);
    }
}

bool devx_command(struct sim_client *client, const uint8_t *in, size_t in_len, uint8_t *out,
                  size_t out_len, struct hca_object **created)
{
    static uint8_t input[DEVX_MAX_IN + DEVX_PAD], output[DEVX_MAX_OUT];
    struct devx_command c = { .client = client, .in = input, .in_len = in_len, .out = output };
    uint8_t status;

    if (in_len > DEVX_MAX_IN)
        c.in_len = in_len = 0;  /* refused as too short */
    if (in_len)
        memcpy(input, in, in_len);
    memset(input + in_len, 0, DEVX_PAD);
    memset(output, 0, sizeof(output));
    c.opcode = (unsigned)prm_get(input, prm_mbox_in_opcode);
    run(&c);
    status = (uint8_t)prm_get(output, prm_mbox_out_status);
    log_command(&c, status);
    if (c.created && (status || !created)) {
        hca_destroy(c.created);
        c.created = NULL;
        if (!status)
            devx_fail(&c, PRM_BAD_OP, 0x503, "a command that makes an object needs a handle");
        status = (uint8_t)prm_get(output, prm_mbox_out_status);
    }
    if (created)
        *created = c.created;
    memcpy(out, output, out_len < sizeof(output) ? out_len : sizeof(output));
    return status == PRM_OK;
}

bool devx_names(const uint8_t *in, size_t in_len, const struct hca_object *object)
{
    unsigned opcode;
    uint32_t number;

    if (in_len < 12)
        return false;
    opcode = (unsigned)prm_get(in, prm_mbox_in_opcode);
    number = (uint32_t)prm_get(in, prm_modify_qp_in_qpn);
    switch (opcode) {
    case PRM_RST2INIT_QP: case PRM_INIT2RTR_QP: case PRM_RTR2RTS_QP: case PRM_RTS2RTS_QP:
    case PRM_2ERR_QP: case PRM_2RST_QP: case PRM_INIT2INIT_QP: case PRM_QUERY_QP:
        return object->type == HCA_QP && object->number == number;
    case PRM_QUERY_CQ: case PRM_MODIFY_CQ:
        return object->type == HCA_CQ && object->number == number;
    case PRM_MODIFY_RMP: case PRM_QUERY_RMP:
        return object->type == HCA_SRQ && object->number == number;
    case PRM_QUERY_MKEY:
        return object->type == HCA_MKEY && object->number >> 8 == number;
    case PRM_QUERY_GENERAL_OBJECT: case PRM_MODIFY_GENERAL_OBJECT:
        return object->type == HCA_MKEY &&
               object->number >> 8 == prm_get(in, prm_general_obj_in_cmd_hdr_obj_id);
    default:
        return false;
    }
}

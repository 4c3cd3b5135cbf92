/* The table of firmware commands. */
#include "device/firmware/dispatch.h"
#include "device/firmware/changes.h"
#include "device/firmware/command.h"
#include "device/firmware/counters.h"
#include "device/firmware/dcts.h"
#include "device/firmware/entries.h"
#include "device/firmware/flows.h"
#include "device/firmware/objects.h"
#include "device/firmware/qps.h"
#include "device/firmware/queries.h"
#include "device/firmware/scheds.h"
#include "device/firmware/tirs.h"
#include "device/firmware/vports.h"
#include "device/firmware/wqs.h"
#include "device/hca/qp.h"
#include "device/hca/steering.h"
#include "device/machine/fault.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <string.h>

#define HEX_PER_LINE 32

/* Inputs of this length name an object of flow steering, or an entry of a table. */
enum { FLOW_NAME_BYTES = 0x20, FLOW_ENTRY_NAME_BYTES = 0x24 };

/* ---- table ---------------------------------------------------------------------------------- */

static const struct {
    unsigned opcode;
    size_t least;               /* smallest length of the input, in bytes */
    void (*run)(struct devx_command *c);
} commands[] = {
    { PRM_QUERY_HCA_CAP, 8, devx_query_hca_cap },
    { PRM_QUERY_ADAPTER, 8, devx_query_adapter },
    { PRM_CREATE_MKEY, 0x50, devx_create_mkey },
    { PRM_QUERY_MKEY, 12, devx_query_mkey },
    { PRM_CREATE_PSV, 16, devx_create_psv },
    { PRM_QUERY_SPECIAL_CONTEXTS, 8, devx_query_special_contexts },
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
    { PRM_CREATE_DCT, 0x50, devx_create_dct },
    { PRM_DRAIN_DCT, 16, devx_drain_dct },
    { PRM_QUERY_DCT, 16, devx_query_dct },
    { PRM_QUERY_ESW_FUNCTIONS, 8, devx_query_esw_functions },
    { PRM_QUERY_NIC_VPORT_CONTEXT, 8, devx_query_nic_vport_context },
    { PRM_QUERY_ROCE_ADDRESS, 12, devx_query_roce_address },
    { PRM_QUERY_HCA_VPORT_CONTEXT, 8, devx_query_hca_vport_context },
    { PRM_ALLOC_PD, 8, devx_alloc_pd },
    { PRM_ACCESS_REG, 16, devx_access_reg },
    { PRM_ALLOC_TRANSPORT_DOMAIN, 8, devx_alloc_transport_domain },
    { PRM_CREATE_RMP, 0x60, devx_create_rmp },
    { PRM_MODIFY_RMP, 0x60, devx_modify_rmp },
    { PRM_QUERY_RMP, 12, devx_query_rmp },
    { PRM_CREATE_SQ, 0x60, devx_create_sq },
    { PRM_MODIFY_SQ, 0x40, devx_modify_sq },
    { PRM_QUERY_SQ, 12, devx_query_sq },
    { PRM_CREATE_RQ, 0x60, devx_create_rq },
    { PRM_MODIFY_RQ, 0x40, devx_modify_rq },
    { PRM_QUERY_RQ, 12, devx_query_rq },
    { PRM_CREATE_TIS, 0x48, devx_create_tis },
    { PRM_MODIFY_TIS, 0x40, devx_modify_tis },
    { PRM_QUERY_TIS, 12, devx_query_tis },
    { PRM_CREATE_RQT, 0x48, devx_create_rqt },
    { PRM_MODIFY_RQT, 0x48, devx_modify_rqt },
    { PRM_QUERY_RQT, 12, devx_query_rqt },
    { PRM_CREATE_TIR, 0x78, devx_create_tir },
    { PRM_MODIFY_TIR, 0x78, devx_modify_tir },
    { PRM_QUERY_TIR, 12, devx_query_tir },
    { PRM_CREATE_GENERAL_OBJECT, 16, devx_create_general },
    { PRM_QUERY_GENERAL_OBJECT, 16, devx_query_general },
    { PRM_MODIFY_GENERAL_OBJECT, 16, devx_modify_general },
    { PRM_CREATE_SCHEDULING_ELEMENT, 0x60, devx_create_sched },
    { PRM_MODIFY_SCHEDULING_ELEMENT, 0x60, devx_modify_sched },
    { PRM_QUERY_SCHEDULING_ELEMENT, 16, devx_query_sched },
    { PRM_ALLOW_OTHER_VHCA_ACCESS, 0x40, devx_allow_other_vhca },
    { PRM_QUERY_VUID, 16, devx_query_vuid },
    { PRM_QUERY_ESW_VPORT_CONTEXT, 16, devx_query_esw_vport_context },
    { PRM_SYNC_STEERING, 0x20, devx_sync_steering },
    { PRM_QUERY_LAG, 16, devx_query_lag },
    { PRM_ALLOC_FLOW_COUNTER, 16, devx_alloc_flow_counter },
    { PRM_QUERY_FLOW_COUNTER, 0x20, devx_query_flow_counter },
    { PRM_CREATE_FLOW_TABLE, 0x40, devx_create_flow_table },
    { PRM_MODIFY_FLOW_TABLE, 0x40, devx_modify_flow_table },
    { PRM_QUERY_FLOW_TABLE, 0x40, devx_query_flow_table },
    { PRM_CREATE_FLOW_GROUP, 0x40 + MATCH_BYTES, devx_create_flow_group },
    { PRM_QUERY_FLOW_GROUP, 0x40, devx_query_flow_group },
    { PRM_SET_FLOW_TABLE_ENTRY, 0x340, devx_set_flow_table_entry },
    { PRM_QUERY_FLOW_TABLE_ENTRY, 0x40, devx_query_flow_table_entry },
    { PRM_ALLOC_PACKET_REFORMAT_CONTEXT, 0x24, devx_alloc_packet_reformat },
    { PRM_ALLOC_MODIFY_HEADER_CONTEXT, 16, devx_alloc_modify_header },
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
    devx_fail(c, PRM_BAD_OP, 0x502, "unknown command");
}

static void log_command(const struct devx_command *c, uint8_t status)
{
    const char *name = prm_opcode_name(c->opcode);
    char hex[HEX_PER_LINE * 2 + 1];

    sim_log(SIM_TRACE, "%s: command %s (%#x) op_mod %#x uid %u, %zu bytes in: status %#x%s",
            c->client->function->name, name ? name : "unknown", c->opcode,
            (unsigned)prm_get(c->in, prm_mbox_in_op_mod),
            (unsigned)prm_get(c->in, prm_mbox_in_uid), c->in_len, status,
            c->created ? ", object created" : "");
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
    struct devx_command c = { .client = client, .in = input, .in_len = in_len, .out = output,
                              .out_len = out_len };
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
            devx_fail(&c, PRM_BAD_OP, 0x503, "a command that creates an object needs a handle");
        status = (uint8_t)prm_get(output, prm_mbox_out_status);
    }
    if (created)
        *created = c.created;
    memcpy(out, output, out_len < sizeof(output) ? out_len : sizeof(output));
    return status == PRM_OK;
}

/* The same for objects of flow steering. As in the kernel, only the index of an entry is compared,
 * not its table. */
static bool refers_to_flow(unsigned opcode, const uint8_t *in, size_t in_len,
                           const struct hca_object *object)
{
    const struct hca_rule *rule = (const struct hca_rule *)object;
    uint32_t index;

    if (in_len < FLOW_NAME_BYTES)
        return false;
    switch (opcode) {
    case PRM_QUERY_FLOW_COUNTER:
        return object->type == HCA_COUNTER &&
               object == (const struct hca_object *)hca_counter_find(
                   (uint32_t)prm_get(in, prm_query_flow_counter_in_flow_counter_id), &index);
    case PRM_QUERY_FLOW_TABLE: case PRM_MODIFY_FLOW_TABLE:
        return object->type == HCA_TABLE &&
               object->number == prm_get(in, prm_query_flow_table_in_table_id);
    case PRM_QUERY_FLOW_GROUP:
        return object->type == HCA_GROUP &&
               object->number == prm_get(in, prm_query_flow_group_in_group_id);
    case PRM_SET_FLOW_TABLE_ENTRY: case PRM_QUERY_FLOW_TABLE_ENTRY:
        return object->type == HCA_RULE && in_len >= FLOW_ENTRY_NAME_BYTES &&
               (opcode == PRM_QUERY_FLOW_TABLE_ENTRY || prm_get(in, prm_mbox_in_op_mod) == 1) &&
               rule->attr.group && rule->attr.index == prm_get(in, prm_set_fte_in_flow_index);
    default:
        return false;
    }
}

bool devx_refers_to(const uint8_t *in, size_t in_len, const struct hca_object *object)
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
    case PRM_DRAIN_DCT: case PRM_QUERY_DCT:
    case PRM_MODIFY_SQ: case PRM_QUERY_SQ: case PRM_MODIFY_RQ: case PRM_QUERY_RQ:
        return object->type == HCA_QP && object->number == number;
    case PRM_MODIFY_RQT: case PRM_QUERY_RQT:
        return object->type == HCA_RQT && object->number == number;
    case PRM_QUERY_TIR: case PRM_MODIFY_TIR:
        return object->type == HCA_TIR && object->number == number;
    case PRM_QUERY_TIS: case PRM_MODIFY_TIS:
        if (object->type == HCA_QP)
            object = ((const struct hca_qp *)object)->tis;
        return object && object->type == HCA_DEVX && object->number == number &&
               ((const struct hca_other *)object)->kind == PRM_CREATE_TIS;
    case PRM_QUERY_CQ: case PRM_MODIFY_CQ:
        return object->type == HCA_CQ && object->number == number;
    case PRM_MODIFY_RMP: case PRM_QUERY_RMP:
        return object->type == HCA_SRQ && object->number == number;
    case PRM_MODIFY_SCHEDULING_ELEMENT: case PRM_QUERY_SCHEDULING_ELEMENT:
        number = (uint32_t)prm_get(in, prm_query_scheduling_element_in_scheduling_element_id);
        return in_len >= 16 && object->type == HCA_SCHED && object->number == number;
    case PRM_QUERY_MKEY:
        return object->type == HCA_MKEY && object->number >> 8 == number;
    case PRM_QUERY_GENERAL_OBJECT: case PRM_MODIFY_GENERAL_OBJECT:
        number = (uint32_t)prm_get(in, prm_general_obj_in_cmd_hdr_obj_id);
        if (in_len < 16)
            return false;
        switch (prm_get(in, prm_general_obj_in_cmd_hdr_obj_type)) {
        case PRM_OBJ_TYPE_DEK: return object->type == HCA_DEK && object->number == number;
        case PRM_OBJ_TYPE_CRYPTO_LOGIN:
            return object->type == HCA_LOGIN && object->number == number;
        case PRM_OBJ_TYPE_SAMPLER:
            return object->type == HCA_SAMPLER && object->number == number;
        case PRM_OBJ_TYPE_METER: return object->type == HCA_METER && object->number == number;
        case PRM_OBJ_TYPE_SCHED: return object->type == HCA_SCHED && object->number == number;
        default: return object->type == HCA_MKEY && object->number >> 8 == number;
        }
    default:
        return refers_to_flow(opcode, in, in_len, object);
    }
}

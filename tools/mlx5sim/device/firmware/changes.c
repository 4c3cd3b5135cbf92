/* Firmware commands on contexts that change packets. All refusals are assumed. */
#include "device/firmware/changes.h"
#include "device/hca/flow_table.h"
#include "device/hca/headers.h"
#include "wire/prm.h"

/* ---- packet reformat ------------------------------------------------------------------------ */

void devx_alloc_packet_reformat(struct devx_command *c)
{
    const uint8_t *context = PRM_AT(c->in,
                                    prm_alloc_packet_reformat_context_in_packet_reformat_context);
    const uint8_t *data = PRM_AT(context, prm_packet_reformat_context_in_reformat_data);
    uint32_t len = (uint32_t)prm_get(context, prm_packet_reformat_context_in_reformat_data_size);
    unsigned type = (unsigned)prm_get(context, prm_packet_reformat_context_in_reformat_type);

    if (!devx_output(c, 16))
        return;
    if (c->in_len < (size_t)(data - c->in) + len) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x750, "the input is too short for the data");
        return;
    }
    if (!hca_reformat_is_known(type, len)) {
        devx_fail(c, PRM_BAD_PARAM, 0x751, "unknown type of reformat, or data that are too short "
                  "or too long for it");
        return;
    }
    if (hca_reformat_create(c->client, (enum hca_reformat_type)type, data, len, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x752, "no packet reformat context is left");
    else
        prm_set(c->out, prm_alloc_packet_reformat_context_out_packet_reformat_id,
                c->created->number);
}

/* ---- modify header -------------------------------------------------------------------------- */

void devx_alloc_modify_header(struct devx_command *c)
{
    const uint8_t *actions = PRM_AT(c->in, prm_alloc_modify_header_context_in_actions);
    unsigned type = (unsigned)prm_get(c->in, prm_alloc_modify_header_context_in_table_type);
    unsigned num = (unsigned)prm_get(c->in, prm_alloc_modify_header_context_in_num_of_actions);

    if (!devx_output(c, 16))
        return;
    if (num == 0 || num > HEADERS_MAX_ACTIONS || type > TABLE_SEND) {
        devx_fail(c, PRM_BAD_PARAM, 0x753, "the number of actions or the type of the table is "
                  "not supported");
        return;
    }
    if (c->in_len < (size_t)(actions - c->in) + num * 8) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x754, "the input is too short for the actions");
        return;
    }
    for (unsigned i = 0; i < num; i++)
        if (!hca_modify_is_known(actions + i * 8)) {
            devx_fail(c, PRM_BAD_PARAM, 0x755, "an action is unknown, or its field is shorter");
            return;
        }
    if (hca_modify_create(c->client, type, actions, num, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x756, "no modify header context is left");
    else
        prm_set(c->out, prm_alloc_modify_header_context_out_modify_header_id, c->created->number);
}

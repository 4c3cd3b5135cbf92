/* Firmware commands on flow samplers. All refusals are assumed. */
#include "device/firmware/samplers.h"
#include "device/firmware/flows.h"
#include "device/hca/icm.h"
#include "device/hca/sampler.h"
#include "wire/prm.h"

enum { SAMPLER_IN_BYTES = 0x38, SAMPLER_OUT_BYTES = 0x38 };

/* Finds a table of the sampler. Steering entries can name the sampler, so that the level of the
 * tables need not be higher than that of the sampler when the program asks for it. */
static struct hca_flow_table *find_table(struct devx_command *c, const uint8_t *sampler,
                                         uint64_t number)
{
    unsigned type = (unsigned)prm_get(sampler, prm_sampler_obj_table_type);
    struct hca_flow_table *table = devx_table(c, (uint32_t)number, type);

    if (!table || prm_get(sampler, prm_sampler_obj_ignore_flow_level) ||
        devx_is_next_table(table, type, (unsigned)prm_get(sampler, prm_sampler_obj_level)))
        return table;
    devx_fail(c, PRM_BAD_PARAM, 0x750, "the sampler is at no lower level than its table");
    return NULL;
}

void devx_create_sampler(struct devx_command *c)
{
    const uint8_t *sampler = PRM_AT(c->in, prm_create_sampler_obj_in_sampler_object);
    struct hca_sampler_attr attr = {
        .ratio = (uint32_t)prm_get(sampler, prm_sampler_obj_sample_ratio) };

    if (c->in_len < SAMPLER_IN_BYTES) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x751, "the input is too short for a sampler");
        return;
    }
    if (attr.ratio == 0 || prm_get(sampler, prm_sampler_obj_level) >= FLOW_MAX_LEVEL) {
        devx_fail(c, PRM_BAD_PARAM, 0x752, "the ratio is 0, or the level is above the limit");
        return;
    }
    attr.sample = find_table(c, sampler, prm_get(sampler, prm_sampler_obj_sample_table_id));
    if (!attr.sample)
        return;
    attr.table = find_table(c, sampler, prm_get(sampler, prm_sampler_obj_default_table_id));
    if (!attr.table || !devx_output(c, 16))
        return;
    if (hca_sampler_create(c->client, &attr, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x753, "no sampler is left");
    else
        prm_set(c->out, prm_general_obj_out_cmd_hdr_obj_id, c->created->number);
}

void devx_query_sampler(struct devx_command *c)
{
    uint8_t *out = PRM_AT(c->out, prm_create_sampler_obj_in_sampler_object);
    const struct hca_sampler *sampler;

    if (!devx_output(c, SAMPLER_OUT_BYTES))
        return;
    sampler = devx_object(c, HCA_SAMPLER,
                          (uint32_t)prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_id),
                          "the sampler is not this client's");
    if (!sampler)
        return;
    prm_set(out, prm_sampler_obj_table_type, sampler->attr.table->attr.type);
    prm_set(out, prm_sampler_obj_sample_ratio, sampler->attr.ratio);
    prm_set(out, prm_sampler_obj_sample_table_id, sampler->attr.sample->object.number);
    prm_set(out, prm_sampler_obj_default_table_id, sampler->attr.table->object.number);
    prm_set(out, sampler->attr.table->attr.type == TABLE_RECEIVE
            ? prm_sampler_obj_sw_steering_icm_address_rx
            : prm_sampler_obj_sw_steering_icm_address_tx, icm_address_of(&sampler->object));
}

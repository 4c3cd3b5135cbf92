/* Firmware commands on flow tables and groups. All refusals are assumed. */
#include "device/firmware/flows.h"
#include "device/hca/icm.h"
#include "device/hca/ste.h"
#include "wire/prm.h"

#include <errno.h>
#include <string.h>

enum {
    MISS_DEFAULT = 0, MISS_TABLE = 1,   /* table_miss_action */
    SELECT_MISS = 1,                    /* modify_field_select */
    TABLE_OUT_BYTES = 0x40, GROUP_OUT_BYTES = 0x40 + MATCH_BYTES
};

struct hca_flow_table *devx_table(struct devx_command *c, uint32_t number, unsigned type)
{
    struct hca_flow_table *table = devx_object(c, HCA_TABLE, number,
                                               "the flow table is not this client's");

    if (!table || table->attr.type == type)
        return table;
    devx_fail(c, PRM_BAD_PARAM, 0x713, "the flow table has another type");
    return NULL;
}

bool devx_is_next_table(const struct hca_flow_table *next, unsigned type, unsigned level)
{
    return next->attr.type == type && next->attr.level > level;
}

/* ---- tables --------------------------------------------------------------------------------- */

/* The same for a table whose entries the program writes. The device does not look at the entries
 * before a packet arrives. */
static const char *wrong_sw_owned(const uint8_t *context)
{
    if (!machine.profile.ethernet)
        return "only Ethernet ports have tables that are owned by software";
    if (prm_get(context, prm_flow_table_context_termination_table) ||
        prm_get(context, prm_flow_table_context_table_miss_action) != MISS_DEFAULT ||
        prm_get(context, prm_flow_table_context_log_size))
        return "software owns what follows the table, and its size";
    if (prm_get(context, prm_flow_table_context_level) >= FLOW_MAX_LEVEL)
        return "the level is above the limit";
    if (prm_get(context, prm_flow_table_context_sw_owner_icm_root_0) % STE_BYTES)
        return "the address is none of an entry";
    return NULL;
}

/* The same for a table of RDMA. */
static const char *wrong_rdma(const uint8_t *context)
{
    if (prm_get(context, prm_flow_table_context_sw_owner) ||
        prm_get(context, prm_flow_table_context_reformat_en) ||
        prm_get(context, prm_flow_table_context_decap_en) ||
        prm_get(context, prm_flow_table_context_termination_table))
        return "the device does not announce such tables of RDMA";
    if (prm_get(context, prm_flow_table_context_level) >= FLOW_RDMA_MAX_LEVEL)
        return "the level is above the limit";
    if (prm_get(context, prm_flow_table_context_log_size) > FLOW_LOG_MAX_SIZE)
        return "the size is above the limit";
    return NULL;
}

/* Returns why the device cannot make such a table, or NULL. */
static const char *wrong_table(const uint8_t *in, const uint8_t *context)
{
    unsigned type = (unsigned)prm_get(in, prm_create_flow_table_in_table_type);

    if (prm_get(in, prm_create_flow_table_in_other_vport))
        return "a table belongs to the function that creates it";
    if (hca_is_rdma_table(type))
        return wrong_rdma(context);
    if (type > TABLE_SEND)
        return "only tables for packets that a NIC receives or sends are supported";
    if (prm_get(context, prm_flow_table_context_sw_owner))
        return wrong_sw_owned(context);
    if (prm_get(context, prm_flow_table_context_level) >= FLOW_MAX_LEVEL)
        return "the level is above the limit";
    if (prm_get(context, prm_flow_table_context_log_size) > FLOW_LOG_MAX_SIZE)
        return "the size is above the limit";
    return NULL;
}

/* Finds the table for packets without a match. False after devx_fail(). */
static bool find_miss(struct devx_command *c, const uint8_t *context, unsigned type,
                      unsigned level, struct hca_flow_table **miss)
{
    unsigned action = (unsigned)prm_get(context, prm_flow_table_context_table_miss_action);

    *miss = NULL;
    if (action > MISS_TABLE) {
        devx_fail(c, PRM_BAD_PARAM, 0x714, "unknown action for packets without a match");
        return false;
    }
    if (action == MISS_DEFAULT)
        return true;
    *miss = devx_object(c, HCA_TABLE,
                        (uint32_t)prm_get(context, prm_flow_table_context_table_miss_id),
                        "the next flow table is not this client's");
    if (!*miss)
        return false;
    if (devx_is_next_table(*miss, type, level))
        return true;
    devx_fail(c, PRM_BAD_PARAM, 0x711, "the next flow table has another type or no higher level");
    return false;
}

void devx_create_flow_table(struct devx_command *c)
{
    const uint8_t *context = PRM_AT(c->in, prm_create_flow_table_in_flow_table_context);
    const char *wrong = wrong_table(c->in, context);
    struct hca_table_attr attr = {
        .type = (enum hca_table_type)prm_get(c->in, prm_create_flow_table_in_table_type),
        .level = (unsigned)prm_get(context, prm_flow_table_context_level),
        .log_size = (unsigned)prm_get(context, prm_flow_table_context_log_size),
        .reformats = prm_get(context, prm_flow_table_context_reformat_en) != 0,
        .decaps = prm_get(context, prm_flow_table_context_decap_en) != 0,
        .terminates = prm_get(context, prm_flow_table_context_termination_table) != 0,
        .sw_owned = prm_get(context, prm_flow_table_context_sw_owner) != 0,
        .root = prm_get(context, prm_flow_table_context_sw_owner_icm_root_0) };

    if (!devx_output(c, 16))
        return;
    if (wrong) {
        devx_fail(c, PRM_BAD_PARAM, 0x710, wrong);
        return;
    }
    if (!find_miss(c, context, attr.type, attr.level, &attr.miss))
        return;
    if (hca_table_create(c->client, &attr, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x712, "no flow table is left");
    else
        prm_set(c->out, prm_create_flow_table_out_table_id, c->created->number);
}

void devx_modify_flow_table(struct devx_command *c)
{
    const uint8_t *context = PRM_AT(c->in, prm_modify_flow_table_in_flow_table_context);
    struct hca_flow_table *table = devx_table(c,
        (uint32_t)prm_get(c->in, prm_modify_flow_table_in_table_id),
        (unsigned)prm_get(c->in, prm_modify_flow_table_in_table_type)), *miss;

    if (!table)
        return;
    if (prm_get(c->in, prm_modify_flow_table_in_other_vport) ||
        prm_get(c->in, prm_modify_flow_table_in_modify_field_select) != SELECT_MISS) {
        devx_fail(c, PRM_BAD_PARAM, 0x715, "only the next table can be modified");
        return;
    }
    if (table->attr.sw_owned) {
        devx_fail(c, PRM_BAD_PARAM, 0x716, "software owns what follows the table");
        return;
    }
    if (find_miss(c, context, table->attr.type, table->attr.level, &miss))
        hca_table_set_miss(table, miss);
}

void devx_query_flow_table(struct devx_command *c)
{
    uint8_t *context = PRM_AT(c->out, prm_query_flow_table_out_flow_table_context);
    const struct hca_flow_table *table;

    if (!devx_output(c, TABLE_OUT_BYTES))
        return;
    table = devx_table(c, (uint32_t)prm_get(c->in, prm_query_flow_table_in_table_id),
                       (unsigned)prm_get(c->in, prm_query_flow_table_in_table_type));
    if (!table)
        return;
    prm_set(context, prm_flow_table_context_reformat_en, table->attr.reformats);
    prm_set(context, prm_flow_table_context_decap_en, table->attr.decaps);
    prm_set(context, prm_flow_table_context_level, table->attr.level);
    prm_set(context, prm_flow_table_context_log_size, table->attr.log_size);
    prm_set(context, prm_flow_table_context_sw_owner, table->attr.sw_owned);
    prm_set(context, prm_flow_table_context_termination_table, table->attr.terminates);
    if (machine.profile.ethernet)       /* steering entries can send packets to the table */
        prm_set(context, prm_flow_table_context_sw_owner_icm_root_0,
                table->attr.sw_owned ? table->attr.root : icm_address_of(&table->object));
    if (table->attr.miss) {
        prm_set(context, prm_flow_table_context_table_miss_action, MISS_TABLE);
        prm_set(context, prm_flow_table_context_table_miss_id, table->attr.miss->object.number);
    }
}

/* ---- groups --------------------------------------------------------------------------------- */

/* Returns why the table cannot have such a group, or NULL. */
static const char *wrong_group(const uint8_t *in, const struct hca_group_attr *attr)
{
    if (prm_get(in, prm_create_flow_group_in_other_vport) ||
        prm_get(in, prm_create_flow_group_in_group_type) ||
        prm_get(in, prm_create_flow_group_in_match_definer_id))
        return "the device does not announce the kind of the group";
    if (attr->table->attr.sw_owned)
        return "software owns the entries of the table";
    if (attr->first > attr->last || attr->last >> attr->table->attr.log_size)
        return "the group has indices that the table does not have";
    if (!match_is_covered(attr->mask, attr->criteria))
        return "the mask has bits in parts that match_criteria_enable does not name";
    if (hca_is_rdma_table(attr->table->attr.type) && !match_is_empty(attr->mask))
        return "entries for RDMA match all packets";
    if (!match_is_known(attr->mask))
        return "the mask has bits of fields that the device does not have";
    return NULL;
}

void devx_create_flow_group(struct devx_command *c)
{
    const uint8_t *in = c->in;
    struct hca_group_attr attr = {
        .first = (uint32_t)prm_get(in, prm_create_flow_group_in_start_flow_index),
        .last = (uint32_t)prm_get(in, prm_create_flow_group_in_end_flow_index),
        .criteria = (uint8_t)prm_get(in, prm_create_flow_group_in_match_criteria_enable) };
    const char *wrong;
    int err;

    attr.table = devx_table(c, (uint32_t)prm_get(in, prm_create_flow_group_in_table_id),
                            (unsigned)prm_get(in, prm_create_flow_group_in_table_type));
    if (!attr.table || !devx_output(c, 16))
        return;
    memcpy(attr.mask, PRM_AT(in, prm_create_flow_group_in_match_criteria), MATCH_BYTES);
    wrong = wrong_group(in, &attr);
    if (wrong) {
        devx_fail(c, PRM_BAD_PARAM, 0x720, wrong);
        return;
    }
    err = hca_group_create(c->client, &attr, &c->created);
    if (err == EEXIST)
        devx_fail(c, PRM_BAD_PARAM, 0x721, "another group has one of the indices");
    else if (err)
        devx_fail(c, PRM_NO_RESOURCES, 0x722, "no flow group is left");
    else
        prm_set(c->out, prm_create_flow_group_out_group_id, c->created->number);
}

void devx_query_flow_group(struct devx_command *c)
{
    const struct hca_flow_table *table = devx_table(c,
        (uint32_t)prm_get(c->in, prm_query_flow_group_in_table_id),
        (unsigned)prm_get(c->in, prm_query_flow_group_in_table_type));
    const struct hca_flow_group *group;

    if (!table || !devx_output(c, GROUP_OUT_BYTES))
        return;
    group = devx_object(c, HCA_GROUP, (uint32_t)prm_get(c->in, prm_query_flow_group_in_group_id),
                        "the flow group is not this client's");
    if (!group)
        return;
    if (group->attr.table != table) {
        devx_fail(c, PRM_BAD_PARAM, 0x723, "the flow group belongs to another table");
        return;
    }
    prm_set(c->out, prm_query_flow_group_out_start_flow_index, group->attr.first);
    prm_set(c->out, prm_query_flow_group_out_end_flow_index, group->attr.last);
    prm_set(c->out, prm_query_flow_group_out_match_criteria_enable, group->attr.criteria);
    memcpy(PRM_AT(c->out, prm_query_flow_group_out_match_criteria), group->attr.mask, MATCH_BYTES);
}

/* ---- memory of the device ------------------------------------------------------------------- */

/* The device keeps no copies of the entries of programs, so there is nothing to wait for. */
void devx_sync_steering(struct devx_command *c)
{
    if (!machine.profile.ethernet)
        devx_fail(c, PRM_BAD_OP, 0x725, "the port has no steering owned by software");
    else if (prm_get(c->in, prm_mbox_in_op_mod))
        devx_fail(c, PRM_BAD_PARAM, 0x726, "unknown op_mod");
    else
        devx_output(c, 16);
}

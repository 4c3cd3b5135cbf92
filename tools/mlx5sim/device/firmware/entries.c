/* Firmware commands on the entries of flow tables. All refusals are assumed. */
#include "device/firmware/entries.h"
#include "device/firmware/counters.h"
#include "device/firmware/flows.h"
#include "device/hca/steering.h"
#include "device/hca/tir.h"
#include "wire/prm.h"

#include <string.h>

enum {
    CREATE = 0, MODIFY = 1,             /* op_mod */
    /* modify_enable_mask */
    SELECT_ACTION = 1, SELECT_TAG = 2, SELECT_DESTS = 4, SELECT_COUNTERS = 8,
    DEST_TABLE = 1, DEST_TIR = 2,       /* destination_type */
    ENTRY_BYTES = 8,                    /* of the list of destinations and counters */
    FATE = PRM_FLOW_ALLOW | PRM_FLOW_DROP | PRM_FLOW_FORWARD,
    KNOWN = FATE | PRM_FLOW_COUNT | PRM_FLOW_REFORMAT | PRM_FLOW_DECAP | PRM_FLOW_MODIFY |
            PRM_FLOW_POP_VLAN | PRM_FLOW_PUSH_VLAN | PRM_FLOW_POP_VLAN_2 | PRM_FLOW_PUSH_VLAN_2
};

static bool refuse(struct devx_command *c, uint32_t syndrome, const char *why)
{
    devx_fail(c, PRM_BAD_PARAM, syndrome, why);
    return false;
}

/* ---- the parts of an entry ------------------------------------------------------------------ */

/* Finds a TIR: that of a raw packet QP, or one that was made by a command. */
static struct hca_object *find_tir(struct devx_command *c, uint32_t id)
{
    struct hca_object *qp = hca_qp_of_tir(id);

    return qp && qp->client == c->client ? qp
        : devx_object(c, HCA_TIR, id, "the TIR is not this client's");
}

/* Finds a destination of packets that pass through `table`. NULL after devx_fail(). */
static struct hca_object *find_dest(struct devx_command *c, const uint8_t *dest,
                                    const struct hca_flow_table *table)
{
    unsigned type = (unsigned)prm_get(dest, prm_dest_format_struct_destination_type);
    uint32_t id = (uint32_t)prm_get(dest, prm_dest_format_struct_destination_id);
    struct hca_flow_table *next;

    if (prm_get(dest, prm_dest_format_struct_packet_reformat)) {
        refuse(c, 0x730, "a destination has no reformat context of its own");
        return NULL;
    }
    if (type == DEST_TIR && table->attr.type == TABLE_RECEIVE)
        return find_tir(c, id);
    if (type != DEST_TABLE || table->attr.terminates) {
        refuse(c, 0x731, "packets of this table cannot be sent to this type of destination");
        return NULL;
    }
    next = devx_object(c, HCA_TABLE, id, "the destination is not a flow table of this client");
    if (!next || devx_is_next_table(next, table->attr.type, table->attr.level))
        return next ? &next->object : NULL;
    refuse(c, 0x732, "the destination is a flow table of another type or of no higher level");
    return NULL;
}

static bool read_dests(struct devx_command *c, const uint8_t *context, struct hca_rule_attr *attr)
{
    const uint8_t *list = PRM_AT(context, prm_flow_context_destination);

    attr->num_dests = (unsigned)prm_get(context, prm_flow_context_destination_list_size);
    if (attr->num_dests > (hca_is_rdma_table(attr->group->attr.table->attr.type)
                               ? 1 : STEER_MAX_DESTS))
        return refuse(c, 0x733, "the entry has too many destinations");
    if (prm_get(context, prm_flow_context_extended_destination))
        return refuse(c, 0x734, "destinations have the short format");
    for (unsigned i = 0; i < attr->num_dests; i++) {
        attr->dest[i] = find_dest(c, list + (size_t)i * ENTRY_BYTES, attr->group->attr.table);
        if (!attr->dest[i])
            return false;
    }
    return true;
}

/* The counter stands behind the destinations. */
static bool read_counter(struct devx_command *c, const uint8_t *context,
                         struct hca_rule_attr *attr)
{
    const uint8_t *list = PRM_AT(context, prm_flow_context_destination) +
        prm_get(context, prm_flow_context_destination_list_size) * ENTRY_BYTES;
    uint32_t num = (uint32_t)prm_get(context, prm_flow_context_flow_counter_list_size);

    if (num > 1)
        return refuse(c, 0x735, "an entry has at most one counter");
    if (num == 0)
        return true;
    attr->counter = devx_counter(c, (uint32_t)prm_get(list, prm_flow_counter_list_flow_counter_id),
                                 &attr->counter_index);
    return attr->counter != NULL;
}

static bool read_reformat(struct devx_command *c, const uint8_t *context,
                          struct hca_rule_attr *attr)
{
    struct hca_reformat *reformat;

    if (!(attr->action & PRM_FLOW_REFORMAT))
        return true;
    if (!attr->group->attr.table->attr.reformats)
        return refuse(c, 0x736, "the table was made without reformat_en");
    reformat = devx_object(c, HCA_REFORMAT,
                           (uint32_t)prm_get(context, prm_flow_context_packet_reformat_id),
                           "the packet reformat context is not this client's");
    attr->changes.reformat = reformat;
    return reformat != NULL;
}

static bool read_modify(struct devx_command *c, const uint8_t *context, struct hca_rule_attr *attr)
{
    struct hca_modify *modify;

    if (!(attr->action & PRM_FLOW_MODIFY))
        return true;
    modify = devx_object(c, HCA_MODIFY,
                         (uint32_t)prm_get(context, prm_flow_context_modify_header_id),
                         "the modify header context is not this client's");
    attr->changes.modify = modify;
    if (modify && modify->table_type != (unsigned)attr->group->attr.table->attr.type)
        return refuse(c, 0x737, "the modify header context is for another type of table");
    return modify != NULL;
}

static bool read_action(struct devx_command *c, const uint8_t *context, struct hca_rule_attr *attr)
{
    struct hca_changes *changes = &attr->changes;
    unsigned action = (unsigned)prm_get(context, prm_flow_context_action), fate = action & FATE;
    const struct hca_table_attr *table = &attr->group->attr.table->attr;

    attr->action = action;
    if (action & ~(unsigned)KNOWN || fate == 0 || fate & (fate - 1))
        return refuse(c, 0x738, "the entry has an unknown action, or not one of allow, drop and "
                      "forward");
    if (hca_is_rdma_table(table->type) && action != fate)
        return refuse(c, 0x746, "packets of RDMA are only allowed, dropped or forwarded");
    if (fate == PRM_FLOW_ALLOW && table->type == TABLE_RECEIVE)
        return refuse(c, 0x739, "only packets that are sent can be allowed");
    if ((action & PRM_FLOW_POP_VLAN_2 && !(action & PRM_FLOW_POP_VLAN)) ||
        (action & PRM_FLOW_PUSH_VLAN_2 && !(action & PRM_FLOW_PUSH_VLAN)))
        return refuse(c, 0x73a, "the action for a second VLAN tag needs that for the first one");
    if (action & PRM_FLOW_DECAP && !table->decaps)
        return refuse(c, 0x73b, "the table was made without decap_en");
    changes->decaps = (action & PRM_FLOW_DECAP) != 0;
    changes->pops = (action & PRM_FLOW_POP_VLAN ? 1u : 0) +
                    (action & PRM_FLOW_POP_VLAN_2 ? 1u : 0);
    changes->pushes = (action & PRM_FLOW_PUSH_VLAN ? 1u : 0) +
                      (action & PRM_FLOW_PUSH_VLAN_2 ? 1u : 0);
    changes->push[0] = (uint32_t)prm_get(context, prm_flow_context_push_vlan);
    changes->push[1] = (uint32_t)prm_get(context, prm_flow_context_push_vlan_2);
    return read_reformat(c, context, attr) && read_modify(c, context, attr);
}

/* Checks what depends on several parts. */
static bool is_complete(struct devx_command *c, const struct hca_rule_attr *attr)
{
    if ((attr->num_dests > 0) != ((attr->action & PRM_FLOW_FORWARD) != 0))
        return refuse(c, 0x73c, "an entry has destinations exactly when its action is forward");
    if ((attr->counter != NULL) != ((attr->action & PRM_FLOW_COUNT) != 0))
        return refuse(c, 0x73d, "an entry has a counter exactly when its action is count");
    return true;
}

/* ---- commands ------------------------------------------------------------------------------- */

/* Reads the parts of the entry that `select` names. False after devx_fail(). */
static bool read_parts(struct devx_command *c, unsigned select, struct hca_rule_attr *attr)
{
    const uint8_t *context = PRM_AT(c->in, prm_set_fte_in_flow_context);
    uint64_t dests = prm_get(context, prm_flow_context_destination_list_size);
    uint64_t counters = prm_get(context, prm_flow_context_flow_counter_list_size);
    size_t list = (size_t)(PRM_AT(context, prm_flow_context_destination) - c->in);

    if (c->in_len < list + (dests + counters) * ENTRY_BYTES) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x73e, "the input is too short for the destinations");
        return false;
    }
    if (select & SELECT_ACTION) {
        memset(&attr->changes, 0, sizeof(attr->changes));
        if (!read_action(c, context, attr))
            return false;
    }
    if (select & SELECT_TAG)
        attr->tag = (uint32_t)prm_get(context, prm_flow_context_flow_tag);
    if (select & SELECT_DESTS && !read_dests(c, context, attr))
        return false;
    if (select & SELECT_COUNTERS) {
        attr->counter = NULL;
        if (!read_counter(c, context, attr))
            return false;
    }
    return is_complete(c, attr);
}

static void create(struct devx_command *c, struct hca_flow_table *table, uint32_t index)
{
    const uint8_t *context = PRM_AT(c->in, prm_set_fte_in_flow_context);
    struct hca_rule_attr attr = { .index = index };

    attr.group = devx_object(c, HCA_GROUP, (uint32_t)prm_get(context, prm_flow_context_group_id),
                             "the flow group is not this client's");
    if (!attr.group)
        return;
    if (attr.group->attr.table != table || index < attr.group->attr.first ||
        index > attr.group->attr.last) {
        refuse(c, 0x740, "the group belongs to another table, or does not have the index");
        return;
    }
    if (hca_rule_find(table, index)) {
        devx_fail(c, PRM_BAD_RES_STATE, 0x741, "the table has an entry with this index");
        return;
    }
    memcpy(attr.mask, attr.group->attr.mask, MATCH_BYTES);
    memcpy(attr.value, PRM_AT(context, prm_flow_context_match_value), MATCH_BYTES);
    if (read_parts(c, SELECT_ACTION | SELECT_TAG | SELECT_DESTS | SELECT_COUNTERS, &attr) &&
        hca_rule_create(c->client, &attr, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x742, "no flow table entry is left");
}

/* Returns the entry that a command names, or NULL after devx_fail(). */
static struct hca_rule *find_entry(struct devx_command *c, const struct hca_flow_table *table,
                                   uint32_t index)
{
    struct hca_rule *rule = hca_rule_find(table, index);

    if (!rule)
        devx_fail(c, PRM_BAD_RESOURCE, 0x743, "the flow table has no entry with this index");
    return rule;
}

static void modify(struct devx_command *c, struct hca_rule *rule)
{
    unsigned select = (unsigned)prm_get(c->in, prm_set_fte_in_modify_enable_mask);
    struct hca_rule_attr attr = rule->attr;

    if (select == 0 || select & ~(unsigned)(SELECT_ACTION | SELECT_TAG | SELECT_DESTS |
                                            SELECT_COUNTERS))
        refuse(c, 0x744, "modify_enable_mask names no part or an unknown part of the entry");
    else if (read_parts(c, select, &attr))
        hca_rule_modify(rule, &attr);
}

void devx_set_flow_table_entry(struct devx_command *c)
{
    unsigned op_mod = (unsigned)prm_get(c->in, prm_mbox_in_op_mod);
    uint32_t index = (uint32_t)prm_get(c->in, prm_set_fte_in_flow_index);
    struct hca_flow_table *table = devx_table(c,
        (uint32_t)prm_get(c->in, prm_set_fte_in_table_id),
        (unsigned)prm_get(c->in, prm_set_fte_in_table_type));
    struct hca_rule *rule;

    if (!table)
        return;
    if (op_mod > MODIFY || prm_get(c->in, prm_set_fte_in_other_vport) ||
        prm_get(c->in, prm_set_fte_in_ignore_flow_level)) {
        refuse(c, 0x745, "the device does not announce such entries");
        return;
    }
    if (op_mod == CREATE) {
        create(c, table, index);
        return;
    }
    rule = find_entry(c, table, index);
    if (rule)
        modify(c, rule);
}

/* Writes the destinations and the counter. */
static void write_lists(const struct hca_rule_attr *attr, uint8_t *context)
{
    uint8_t *list = PRM_AT(context, prm_flow_context_destination);

    prm_set(context, prm_flow_context_destination_list_size, attr->num_dests);
    for (unsigned i = 0; i < attr->num_dests; i++, list += ENTRY_BYTES) {
        prm_set(list, prm_dest_format_struct_destination_type,
                attr->dest[i]->type == HCA_TABLE ? DEST_TABLE : DEST_TIR);
        prm_set(list, prm_dest_format_struct_destination_id, hca_tir_number(attr->dest[i]));
    }
    if (!attr->counter)
        return;
    prm_set(context, prm_flow_context_flow_counter_list_size, 1);
    prm_set(list, prm_flow_counter_list_flow_counter_id,
            hca_counter_id(attr->counter, attr->counter_index));
}

void devx_query_flow_table_entry(struct devx_command *c)
{
    uint8_t *context = PRM_AT(c->out, prm_query_fte_out_flow_context);
    const struct hca_flow_table *table = devx_table(c,
        (uint32_t)prm_get(c->in, prm_query_fte_in_table_id),
        (unsigned)prm_get(c->in, prm_query_fte_in_table_type));
    const struct hca_rule_attr *attr;
    const struct hca_rule *rule;
    size_t bytes = (size_t)(PRM_AT(context, prm_flow_context_destination) - c->out);

    rule = table ? find_entry(c, table, (uint32_t)prm_get(c->in, prm_query_fte_in_flow_index))
                 : NULL;
    if (!rule)
        return;
    attr = &rule->attr;
    if (!devx_output(c, bytes + (attr->num_dests + (attr->counter != NULL)) * ENTRY_BYTES))
        return;
    prm_set(context, prm_flow_context_push_vlan, attr->changes.push[0]);
    prm_set(context, prm_flow_context_push_vlan_2, attr->changes.push[1]);
    prm_set(context, prm_flow_context_group_id, attr->group->object.number);
    prm_set(context, prm_flow_context_flow_tag, attr->tag);
    prm_set(context, prm_flow_context_action, attr->action);
    if (attr->changes.reformat)
        prm_set(context, prm_flow_context_packet_reformat_id,
                attr->changes.reformat->object.number);
    if (attr->changes.modify)
        prm_set(context, prm_flow_context_modify_header_id, attr->changes.modify->object.number);
    memcpy(PRM_AT(context, prm_flow_context_match_value), attr->value, MATCH_BYTES);
    write_lists(attr, context);
}

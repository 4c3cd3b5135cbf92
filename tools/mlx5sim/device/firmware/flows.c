/* Firmware commands on flow counters and flow tables. All refusals are assumed. */
#include "device/firmware/flows.h"
#include "wire/prm.h"

#include <stdlib.h>

enum {
    TYPE_NIC_RX = 0, TYPE_NIC_TX = 1,   /* table_type */
    MISS_DEFAULT = 0, MISS_TABLE = 1,   /* table_miss_action */
    OUT_BYTES = 16, COUNTER_OUT_BYTES = 0x20, TABLE_OUT_BYTES = 0x40
};

struct flow_table {
    struct hca_other other;     /* must be first */
    unsigned type, level, log_size;
    struct flow_table *miss;    /* table for packets without a match; NULL: the default action */
};

static unsigned num_counters, num_tables;

/* Returns an object of this kind, or NULL after devx_fail(). */
static void *find(struct devx_command *c, uint32_t number, uint32_t kind, const char *what)
{
    struct hca_other *other = devx_object(c, HCA_DEVX, number, what);

    if (!other || other->kind == kind)
        return other;
    devx_fail(c, PRM_BAD_RESOURCE, 0x700, what);
    return NULL;
}

/* ---- counters ------------------------------------------------------------------------------- */

static void counter_release(struct hca_object *object)
{
    (void)object;
    num_counters--;
}

void devx_alloc_flow_counter(struct devx_command *c)
{
    struct hca_other *counter;

    if (!devx_output(c, OUT_BYTES))
        return;
    if (prm_get(c->in, prm_alloc_flow_counter_in_flow_counter_bulk) ||
        prm_get(c->in, prm_alloc_flow_counter_in_flow_counter_bulk_log_size)) {
        devx_fail(c, PRM_BAD_PARAM, 0x701, "counters are allocated one by one "
                  "(flow_counter_bulk_alloc is 0)");
        return;
    }
    counter = num_counters < FLOW_MAX_COUNTERS ? calloc(1, sizeof(*counter)) : NULL;
    if (!counter || hca_add(&counter->object, HCA_DEVX, c->client, counter_release)) {
        free(counter);
        devx_fail(c, PRM_NO_RESOURCES, 0x702, "no flow counter is left");
        return;
    }
    num_counters++;
    counter->kind = c->opcode;
    c->created = &counter->object;
    prm_set(c->out, prm_alloc_flow_counter_out_flow_counter_id, counter->object.number);
}

void devx_query_flow_counter(struct devx_command *c)
{
    uint8_t *counter = PRM_AT(c->out, prm_query_flow_counter_out_flow_statistics);

    if (!devx_output(c, COUNTER_OUT_BYTES) ||
        !find(c, (uint32_t)prm_get(c->in, prm_query_flow_counter_in_flow_counter_id),
              PRM_ALLOC_FLOW_COUNTER, "the flow counter is not this client's"))
        return;
    if (prm_get(c->in, prm_query_flow_counter_in_dump_to_memory) ||
        prm_get(c->in, prm_query_flow_counter_in_num_of_counters_29_0) > 1) {
        devx_fail(c, PRM_BAD_PARAM, 0x703, "a query returns one counter, in its output");
        return;
    }
    prm_set(counter, prm_traffic_counter_packets, 0);
    prm_set(counter, prm_traffic_counter_octets, 0);
}

/* ---- tables --------------------------------------------------------------------------------- */

static void table_release(struct hca_object *object)
{
    const struct flow_table *table = (const struct flow_table *)object;

    num_tables--;
    hca_unref(table->miss);
}

/* Returns why the device cannot make such a table, or NULL. */
static const char *wrong_table(const uint8_t *in, const uint8_t *context)
{
    if (prm_get(in, prm_create_flow_table_in_other_vport))
        return "a table belongs to the function that creates it";
    if (prm_get(in, prm_create_flow_table_in_table_type) > TYPE_NIC_TX)
        return "only tables for packets that a NIC receives or sends are supported";
    if (prm_get(context, prm_flow_table_context_reformat_en) ||
        prm_get(context, prm_flow_table_context_decap_en) ||
        prm_get(context, prm_flow_table_context_sw_owner) ||
        prm_get(context, prm_flow_table_context_termination_table))
        return "the device does not announce the kind of the table";
    if (prm_get(context, prm_flow_table_context_level) >= FLOW_MAX_LEVEL)
        return "the level is above the limit";
    if (prm_get(context, prm_flow_table_context_log_size) > FLOW_LOG_MAX_SIZE)
        return "the size is above the limit";
    if (prm_get(context, prm_flow_table_context_table_miss_action) > MISS_TABLE)
        return "unknown action for packets without a match";
    return NULL;
}

/* Finds the table for packets without a match. It must have the same type and a higher level, so
 * that no packet passes twice through a table. False after devx_fail(). */
static bool find_miss(struct devx_command *c, const uint8_t *context, struct flow_table *table)
{
    table->miss = NULL;
    if (prm_get(context, prm_flow_table_context_table_miss_action) == MISS_DEFAULT)
        return true;
    table->miss = find(c, (uint32_t)prm_get(context, prm_flow_table_context_table_miss_id),
                       PRM_CREATE_FLOW_TABLE, "the next flow table is not this client's");
    if (!table->miss)
        return false;
    if (table->miss->type == table->type && table->miss->level > table->level)
        return true;
    devx_fail(c, PRM_BAD_PARAM, 0x711, "the next flow table has another type or no higher level");
    return false;
}

void devx_create_flow_table(struct devx_command *c)
{
    const uint8_t *context = PRM_AT(c->in, prm_create_flow_table_in_flow_table_context);
    const char *wrong = wrong_table(c->in, context);
    struct flow_table *table, attr = {
        .type = (unsigned)prm_get(c->in, prm_create_flow_table_in_table_type),
        .level = (unsigned)prm_get(context, prm_flow_table_context_level),
        .log_size = (unsigned)prm_get(context, prm_flow_table_context_log_size) };

    if (!devx_output(c, OUT_BYTES))
        return;
    if (wrong) {
        devx_fail(c, PRM_BAD_PARAM, 0x710, wrong);
        return;
    }
    if (!find_miss(c, context, &attr))
        return;
    table = num_tables < 1u << FLOW_LOG_MAX_TABLES ? malloc(sizeof(*table)) : NULL;
    if (table)
        *table = attr;
    if (!table || hca_add(&table->other.object, HCA_DEVX, c->client, table_release)) {
        free(table);
        devx_fail(c, PRM_NO_RESOURCES, 0x712, "no flow table is left");
        return;
    }
    num_tables++;
    hca_ref(table->miss);
    table->other.kind = c->opcode;
    c->created = &table->other.object;
    prm_set(c->out, prm_create_flow_table_out_table_id, table->other.object.number);
}

void devx_query_flow_table(struct devx_command *c)
{
    uint8_t *context = PRM_AT(c->out, prm_query_flow_table_out_flow_table_context);
    const struct flow_table *table;

    if (!devx_output(c, TABLE_OUT_BYTES))
        return;
    table = find(c, (uint32_t)prm_get(c->in, prm_query_flow_table_in_table_id),
                 PRM_CREATE_FLOW_TABLE, "the flow table is not this client's");
    if (!table)
        return;
    if (prm_get(c->in, prm_query_flow_table_in_table_type) != table->type) {
        devx_fail(c, PRM_BAD_PARAM, 0x713, "the flow table has another type");
        return;
    }
    prm_set(context, prm_flow_table_context_level, table->level);
    prm_set(context, prm_flow_table_context_log_size, table->log_size);
    if (table->miss) {
        prm_set(context, prm_flow_table_context_table_miss_action, MISS_TABLE);
        prm_set(context, prm_flow_table_context_table_miss_id, table->miss->other.object.number);
    }
}

/* Firmware commands on flow counters. All refusals are assumed. */
#include "device/firmware/counters.h"
#include "device/hca/mkey.h"
#include "wire/prm.h"

enum { COUNTER_BYTES = 16, BULK_UNIT = 128 };

struct hca_counter *devx_counter(struct devx_command *c, uint32_t id, uint32_t *index)
{
    struct hca_counter *counter = hca_counter_find(id, index);

    if (counter && counter->object.client == c->client)
        return counter;
    devx_fail(c, PRM_BAD_RESOURCE, 0x700, "the flow counter is not this client's");
    return NULL;
}

void devx_alloc_flow_counter(struct devx_command *c)
{
    uint32_t bulk = (uint32_t)prm_get(c->in, prm_alloc_flow_counter_in_flow_counter_bulk);

    if (!devx_output(c, 16))
        return;
    if (bulk & (bulk - 1) ||
        prm_get(c->in, prm_alloc_flow_counter_in_flow_counter_bulk_log_size)) {
        devx_fail(c, PRM_BAD_PARAM, 0x701, "the number of counters must be one bit of "
                  "flow_counter_bulk_alloc");
        return;
    }
    if (hca_counter_create(c->client, bulk ? BULK_UNIT * bulk : 1, &c->created)) {
        devx_fail(c, PRM_NO_RESOURCES, 0x702, "too few flow counters are left");
        return;
    }
    prm_set(c->out, prm_alloc_flow_counter_out_flow_counter_id,
            hca_counter_id((const struct hca_counter *)c->created, 0));
}

/* Writes the values of `num` counters. */
static void write_values(const struct hca_counter *counter, uint32_t first, uint32_t num,
                         uint8_t *to)
{
    for (uint32_t i = 0; i < num; i++) {
        prm_set(to + i * COUNTER_BYTES, prm_traffic_counter_packets,
                counter->value[first + i].packets);
        prm_set(to + i * COUNTER_BYTES, prm_traffic_counter_octets,
                counter->value[first + i].bytes);
    }
}

/* Writes the values into the memory of a key. False after devx_fail(). */
static bool dump(struct devx_command *c, const struct hca_counter *counter, uint32_t first,
                 uint32_t num)
{
    static uint8_t values[COUNTER_BYTES << COUNTER_LOG_MAX_BULK];
    static struct hca_pieces pieces;
    const struct hca_mkey *key;
    struct sim_space space = { .pidfd = -1, .base = values, .len = sizeof(values), .refs = 1 };
    struct hca_piece piece = { &space, 0, num * COUNTER_BYTES };
    const struct hca_pieces from = { &piece, 1, 1, piece.len };
    uint32_t mkey = (uint32_t)prm_get(c->in, prm_query_flow_counter_in_mkey);

    key = hca_mkey_find(c->client->function, mkey);
    if (!key || key->object.client != c->client) {
        devx_fail(c, PRM_BAD_RESOURCE, 0x704, "the key is not this client's");
        return false;
    }
    write_values(counter, first, num, values);
    pieces.num = 0;
    pieces.len = 0;
    if (hca_mkey_map(c->client->function, NULL, mkey,
                     prm_get(c->in, prm_query_flow_counter_in_address), piece.len,
                     HCA_LOCAL_WRITE, &pieces) &&
        hca_pieces_copy(&pieces, 0, &from, piece.len) == 0)
        return true;
    devx_fail(c, PRM_BAD_PARAM, 0x705, "the key does not permit to write the values");
    return false;
}

void devx_query_flow_counter(struct devx_command *c)
{
    uint32_t num = (uint32_t)prm_get(c->in, prm_query_flow_counter_in_num_of_counters_29_0), first;
    struct hca_counter *counter = devx_counter(c,
        (uint32_t)prm_get(c->in, prm_query_flow_counter_in_flow_counter_id), &first);
    uint8_t *statistics = PRM_AT(c->out, prm_query_flow_counter_out_flow_statistics);
    bool dumps = prm_get(c->in, prm_query_flow_counter_in_dump_to_memory) != 0;

    if (!counter)
        return;
    num = num ? num : 1;
    if (num > counter->num - first) {
        devx_fail(c, PRM_BAD_PARAM, 0x703, "the query names more counters than there are");
        return;
    }
    if (dumps) {
        if (!dump(c, counter, first, num))
            return;
    } else {
        size_t bytes = (size_t)(statistics - c->out) + (size_t)num * COUNTER_BYTES;

        if (!devx_output(c, bytes))
            return;
        write_values(counter, first, num, statistics);
    }
    for (uint32_t i = first; prm_get(c->in, prm_query_flow_counter_in_clear) && i < first + num;
         i++)
        counter->value[i].packets = counter->value[i].bytes = 0;
}

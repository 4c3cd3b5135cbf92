/* Probes for test_caps.c: flow tables and counters. */
#ifndef MLX5SIM_TEST_CAPS_FLOWS_H
#define MLX5SIM_TEST_CAPS_FLOWS_H

#include "caps_meters.h"
#include "caps_packets.h"
#include "caps_sched.h"
#include "flow_rig.h"

enum { L3_TO_L2 = 3, L2_TO_L3 = 4, L2_TO_L2 = 2 };      /* types of a packet reformat context */

/* ---- tables --------------------------------------------------------------------------------- */

/* True when a flow table can be made whose context has this value at `bit`. */
static bool table_with(struct probe *p, unsigned type, unsigned bit, unsigned width, uint64_t value)
{
    uint8_t in[0x40] = { 0 };

    put(in, 0, 16, 0x930);
    put(in, 0x80, 8, type);
    put(in, 0xc0 + bit, width, value);
    return creates(&p->rig, in, sizeof(in));
}

static bool makes_table(struct probe *p) { return table_with(p, RX, 0, 1, 0); }
static bool makes_tx_table(struct probe *p) { return table_with(p, TX, 0, 1, 0); }
static bool makes_fdb_table(struct probe *p) { return table_with(p, 4, 0, 1, 0); }
static bool makes_software_table(struct probe *p) { return table_with(p, RX, 2, 1, 1); }
static bool makes_terminating_table(struct probe *p) { return table_with(p, RX, 3, 1, 1); }
static bool makes_terminating_tx_table(struct probe *p) { return table_with(p, TX, 3, 1, 1); }

static bool limit_table_size(struct probe *p)
{
    return table_with(p, RX, 0x18, 8, p->value) && !table_with(p, RX, 0x18, 8, p->value + 1);
}

static bool limit_table_level(struct probe *p)
{
    return table_with(p, RX, 8, 8, p->value - 1) && !table_with(p, RX, 8, 8, p->value);
}

static bool makes_rdma_rx_table(struct probe *p) { return table_with(p, RDMA_RX, 0, 1, 0); }
static bool makes_rdma_tx_table(struct probe *p) { return table_with(p, RDMA_TX, 0, 1, 0); }

static bool limit_rdma_level(struct probe *p)
{
    return table_with(p, RDMA_RX, 8, 8, p->value - 1) &&
           table_with(p, RDMA_TX, 8, 8, p->value - 1) &&
           !table_with(p, RDMA_RX, 8, 8, p->value) && !table_with(p, RDMA_TX, 8, 8, p->value);
}

static bool limit_rdma_size(struct probe *p)
{
    return table_with(p, RDMA_RX, 0x18, 8, p->value) &&
           table_with(p, RDMA_TX, 0x18, 8, p->value) &&
           !table_with(p, RDMA_RX, 0x18, 8, p->value + 1) &&
           !table_with(p, RDMA_TX, 0x18, 8, p->value + 1);
}

static bool limit_tables(struct probe *p)
{
    uint8_t in[0x40] = { 0 };

    put(in, 0, 16, 0x930);
    return makes_exactly(p, in, sizeof(in), 1u << p->value);
}

/* A table names the next table for packets without a match; with `later`, after it was made. */
static bool next_table(struct probe *p, unsigned type, bool later)
{
    struct table next = table_of(p->rig.ctx, type, 1, 0, NULL);
    struct table table = table_of(p->rig.ctx, type, 0, 0, later ? NULL : &next);
    uint8_t in[0x40] = { 0 }, out[16] = { 0 };
    bool good = table.made.obj != NULL;

    put(in, 0, 16, 0x93c);
    put(in, 0x70, 16, 1);
    put(in, 0x80, 8, type);
    put(in, 0xa8, 24, table.made.number);
    put(in, 0xc0 + 0x04, 4, 1);
    put(in, 0xc0 + 0x28, 24, next.made.number);
    if (good && later)
        good = mlx5dv_devx_obj_modify(table.made.obj, in, sizeof(in), out, sizeof(out)) == 0;
    good = good && mlx5dv_devx_obj_destroy(next.made.obj) != 0;         /* an entry uses `next` */
    if (table.made.obj)
        unmake(&table.made);
    unmake(&next.made);
    return good;
}

static bool names_next_table(struct probe *p) { return next_table(p, RX, false); }
static bool names_next_tx_table(struct probe *p) { return next_table(p, TX, false); }
static bool rx_changes_table(struct probe *p) { return next_table(p, RX, true); }
static bool tx_changes_table(struct probe *p) { return next_table(p, TX, true); }
static bool names_next_rdma_rx_table(struct probe *p) { return next_table(p, RDMA_RX, false); }
static bool names_next_rdma_tx_table(struct probe *p) { return next_table(p, RDMA_TX, false); }
static bool rdma_rx_changes_table(struct probe *p) { return next_table(p, RDMA_RX, true); }
static bool rdma_tx_changes_table(struct probe *p) { return next_table(p, RDMA_TX, true); }

/* ---- entries -------------------------------------------------------------------------------- */

/* True when a table can have an entry that drops packets after this action. The contexts, or the
 * counter, stand at these bits of the entry. With `changes`, the tag of the entry is changed. */
static bool entry_with(struct probe *p, unsigned type, unsigned action, const struct made *reformat,
                       const struct made *modify, const struct made *counter, bool changes)
{
    const unsigned flags = type == RX || type == TX ? REFORMATS | DECAPS : 0;
    struct table table = table_of(p->rig.ctx, type, 0, flags, NULL);
    struct made group = group_of(p->rig.ctx, &table, 0, 0, 0, 0), made;
    struct entry entry = entry_of(&table, &group, 0, DROP | action);
    uint8_t out[16] = { 0 };
    bool good;

    if (reformat)
        put(entry.in, CONTEXT + 0xc0, 32, reformat->number);
    if (modify)
        put(entry.in, CONTEXT + 0xe0, 32, modify->number);
    if (counter)
        entry_counts(&entry, counter->number);
    made = entry_make(p->rig.ctx, &entry);
    good = made.obj != NULL;
    if (good && changes) {
        put(entry.in, 0x30, 16, 1);
        put(entry.in, 0xd8, 8, 2);
        good = mlx5dv_devx_obj_modify(made.obj, entry.in, 0x340, out, sizeof(out)) == 0;
    }
    if (made.obj)
        unmake(&made);
    unmake(&group);
    unmake(&table.made);
    return good;
}

static struct made reformat_of(struct ibv_context *ctx, unsigned type, unsigned len)
{
    uint8_t in[0x24 + 1024] = { 0 };

    put(in, 0xe0, 8, type);
    put(in, 0xe0 + 0x16, 10, len);
    return make(ctx, in, sizeof(in), 0x93d, 0x40);
}

/* A context that sets the low bits of the source MAC address `num` times. */
static struct made modify_of(struct ibv_context *ctx, unsigned type, unsigned num)
{
    uint8_t in[0x10 + 8 * 256] = { 0 };

    put(in, 0x60, 8, type);
    put(in, 0x78, 8, num);
    for (unsigned i = 0; i < num; i++) {
        put(in, 0x80 + 64 * i, 4, 1);
        put(in, 0x84 + 64 * i, 12, 2);
        put(in, 0x9b + 64 * i, 5, 16);
    }
    return make(ctx, in, sizeof(in), 0x940, 0x40);
}

static bool counts(struct probe *p, unsigned type)
{
    struct made counter = counters_of(p->rig.ctx, 0);
    bool good = counter.obj && entry_with(p, type, COUNT, NULL, NULL, &counter, false);

    if (counter.obj)
        unmake(&counter);
    return good;
}

static bool reformats(struct probe *p, unsigned type, unsigned action, unsigned kind)
{
    struct made reformat = reformat_of(p->rig.ctx, kind, 14);
    struct made modify = modify_of(p->rig.ctx, type, 1);
    bool good = reformat.obj && modify.obj &&
                entry_with(p, type, REFORMAT | action, &reformat, &modify, NULL, false);

    if (reformat.obj)
        unmake(&reformat);
    if (modify.obj)
        unmake(&modify);
    return good;
}

static bool has_action(struct probe *p, unsigned type, unsigned action)
{
    return entry_with(p, type, action, NULL, NULL, NULL, false);
}

static bool rdma_rx_changes_entry(struct probe *p)
{
    return entry_with(p, RDMA_RX, 0, NULL, NULL, NULL, true);
}

static bool rdma_tx_changes_entry(struct probe *p)
{
    return entry_with(p, RDMA_TX, 0, NULL, NULL, NULL, true);
}

/* Probes for both directions. */
#define BOTH(name, call)                                                                           \
    static bool rx_##name(struct probe *p) { const unsigned type = RX; return call; }              \
    static bool tx_##name(struct probe *p) { const unsigned type = TX; return call; }

BOTH(counts, counts(p, type))
BOTH(changes_entry, entry_with(p, type, 0, NULL, NULL, NULL, true))
BOTH(reformats, reformats(p, type, 0, L2_TO_L2))
BOTH(decaps, has_action(p, type, DECAP))
BOTH(pops, has_action(p, type, POP))
BOTH(pops_2, has_action(p, type, POP | POP_2))
BOTH(pushes, has_action(p, type, PUSH))
BOTH(pushes_2, has_action(p, type, PUSH | PUSH_2))
BOTH(reformats_vlan, reformats(p, type, PUSH, L2_TO_L2))
BOTH(reformats_modified, reformats(p, type, MODIFY, L2_TO_L2))
BOTH(makes_l2, reformats(p, type, 0, L3_TO_L2))
BOTH(makes_l3, reformats(p, type, 0, L2_TO_L3))

/* The device makes as many contexts as it announces, and no more. */
static bool limit_modify(struct probe *p)
{
    uint8_t in[0x18] = { 0 };

    put(in, 0, 16, 0x940);
    put(in, 0x78, 8, 1);
    put(in, 0x80, 4, 1);
    put(in, 0x84, 12, 1);
    return makes_exactly(p, in, sizeof(in), 1u << p->value);
}

static bool limit_reformat(struct probe *p)
{
    uint8_t in[0x34] = { 0 };

    put(in, 0, 16, 0x93d);
    put(in, 0xe0, 8, L2_TO_L2);
    put(in, 0xe0 + 0x16, 10, 14);
    return makes_exactly(p, in, sizeof(in), 1u << p->value);
}

static bool makes(const struct made *made)
{
    if (made->obj)
        unmake(made);
    return made->obj != NULL;
}

static bool limit_actions(struct probe *p)
{
    struct made most = modify_of(p->rig.ctx, RX, (unsigned)p->value);
    struct made more = modify_of(p->rig.ctx, RX, (unsigned)p->value + 1);

    return makes(&most) && !makes(&more);
}

static bool limit_header(struct probe *p)
{
    struct made most = reformat_of(p->rig.ctx, L2_TO_L2, (unsigned)p->value);
    struct made more = reformat_of(p->rig.ctx, L2_TO_L2, (unsigned)p->value + 1);

    return makes(&most) && !makes(&more);
}

/* The last index of a table with the largest number of entries can be used. */
static bool limit_flows(struct probe *p)
{
    uint32_t last = (1u << p->value) - 1;
    uint8_t in[0x40] = { 0 };
    struct table table = { .type = RX };
    struct made group, made;
    struct entry entry;

    put(in, 0xc0 + 0x18, 8, p->value);
    table.made = make(p->rig.ctx, in, sizeof(in), 0x930, 0x48);
    group = group_of(p->rig.ctx, &table, 0, last, 0, 0);
    entry = entry_of(&table, &group, last, DROP);
    made = entry_make(p->rig.ctx, &entry);
    if (made.obj)
        unmake(&made);
    unmake(&group);
    unmake(&table.made);
    return made.obj != NULL;
}

static bool limit_destinations(struct probe *p, unsigned type)
{
    struct table next = table_of(p->rig.ctx, type, 1, 0, NULL);
    struct table table = table_of(p->rig.ctx, type, 0, 0, NULL);
    struct made group = group_of(p->rig.ctx, &table, 0, 0, 0, 0), most, more;
    struct entry entry = entry_of(&table, &group, 0, FORWARD);

    for (unsigned i = 0; i < 1u << p->value && i < 15; i++)
        entry_to(&entry, DEST_TABLE, next.made.number);
    most = entry_make(p->rig.ctx, &entry);
    if (most.obj)
        unmake(&most);
    entry_to(&entry, DEST_TABLE, next.made.number);
    more = entry_make(p->rig.ctx, &entry);
    if (more.obj)
        unmake(&more);
    unmake(&group);
    unmake(&table.made);
    unmake(&next.made);
    return most.obj && !more.obj;
}

BOTH(limit_destinations, limit_destinations(p, type))
#undef BOTH

/* ---- counters ------------------------------------------------------------------------------- */

/* Every announced size can be allocated: bit i stands for 128 << i counters. */
static bool counts_in_bulk(struct probe *p)
{
    for (unsigned bit = 0; bit < 8; bit++) {
        struct made bulk = counters_of(p->rig.ctx, 1u << bit);

        if (makes(&bulk) != ((p->value >> bit & 1) != 0))
            return false;
    }
    return true;
}

/* The limit is a multiple of the largest size. */
static bool limit_flow_counters(struct probe *p)
{
    enum { LARGEST = 128 << 7 };
    struct made bulk[8], one;
    unsigned num = 0;

    while (num < 8 && num < p->value / LARGEST &&
           (bulk[num] = counters_of(p->rig.ctx, 0x80)).obj)
        num++;
    one = counters_of(p->rig.ctx, 0);
    for (unsigned i = 0; i < num; i++)
        unmake(&bulk[i]);
    return num * LARGEST == p->value && !makes(&one);
}

/* ---- steering that is owned by software ------------------------------------------------------ */

/* libmlx5 makes a table of software only with all of its capabilities, and with loopback QPs. */
static bool writes_entries(struct probe *p)
{
    struct mlx5dv_dr_domain *domain =
        mlx5dv_dr_domain_create(p->rig.ctx, MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct mlx5dv_dr_table *table = domain ? mlx5dv_dr_table_create(domain, 1) : NULL;

    if (table)
        CHECK_EQ(mlx5dv_dr_table_destroy(table), 0);
    if (domain)
        CHECK_EQ(mlx5dv_dr_domain_destroy(domain), 0);
    return table != NULL;
}

/* ---- general objects ------------------------------------------------------------------------- */

/* Make a sampler between two flow tables. */
static bool samples(struct probe *p)
{
    uint8_t in[0x58] = { 0 }, out[16] = { 0 };
    uint32_t number[2] = { 0 };
    struct mlx5dv_devx_obj *table[2];
    bool good;

    for (unsigned i = 0; i < 2; i++) {
        put(in, 0, 16, 0x930);
        put(in, 0xc8, 8, i);                    /* level */
        table[i] = mlx5dv_devx_obj_create(p->rig.ctx, in, 0x40, out, sizeof(out));
        number[i] = (uint32_t)get(out, 0x48, 24);
    }
    memset(in, 0, sizeof(in));
    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0x20);
    put(in, 0x80 + 0x5f, 1, 1);                 /* ignore_flow_level */
    put(in, 0x80 + 0x60, 32, 4);
    put(in, 0x80 + 0x88, 24, number[0]);
    put(in, 0x80 + 0xa8, 24, number[1]);
    good = table[0] && table[1] && creates(&p->rig, in, sizeof(in));
    for (unsigned i = 0; i < 2; i++)
        good = table[i] && mlx5dv_devx_obj_destroy(table[i]) == 0 && good;
    return good;
}

/* The announced types are the only types of general objects, apart from aliases. */
static bool makes_general_objects(struct probe *p)
{
    /* flow meters, samplers, scheduling elements */
    const uint64_t of_ethernet = 1ull << 0xa | 1ull << 0x20 | 1ull << 0x26;
    bool has_samplers = (p->value & 1ull << 0x20) != 0;
    uint64_t others = 1ull << 0xc | 1ull << 0x2c | 1ull << 0x3a; /* DEKs, QP numbers, mappings */

    if (wraps_deks(p))
        others |= 1ull << 0x1f; /* logins */
    return (p->value & ~of_ethernet) == others &&
           schedules_requests(p) == ((p->value & 1ull << 0x26) != 0) && maps_addresses(p) &&
           meters(p) == ((p->value & 1ull << 0xa) != 0) &&
           samples(p) == has_samplers && (reserves(p, 6) || reserves(p, 4) || reserves(p, 8));
}

#endif

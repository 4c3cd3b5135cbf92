/*
 * Steering entries that a program writes without libmlx5's help, into the memory of the device:
 * entries that lead in a circle, lists of header changes, and random bytes.
 */
#include "changes_rig.h"
#include "ste_rig.h"

enum { LARGEST = 16000, HEADERS = 80 };
enum { SET_FIELD = 2, ADD_FIELD = 3 };                          /* opcodes of actions */
enum { CODE_SMAC = 1, CODE_REG_C_0 = 0x0c };

/* ---- header changes ------------------------------------------------------------------------- */

/* The low 32 bits of the source address are smac_15_0 and the low half of smac_47_16. */
static void an_addition_changes_the_bits_that_it_names(void)
{
    static const struct { unsigned shift, length; uint32_t data; uint64_t smac; } adds[] = {
        { 0, 16, 1, 0x112233445567 }, { 0, 16, 0xffff, 0x112233445565 },
        { 4, 8, 1, 0x112233445576 }, { 4, 8, 0xff, 0x112233445556 },
        { 4, 4, 0xa, 0x112233445506 },          /* the carry is lost */
        { 8, 8, 0xffffffff, 0x112233445466 }, { 24, 8, 2, 0x112235445566 },
        { 16, 0, 0xffffffff, 0x112233435566 } };
    struct ste *ste = ste_open(RX);
    struct got got;

    entry_changes(ste, take_all(ste, 0, CHANGES, tir_of_rig(ste)), 1);
    for (unsigned i = 0; i < sizeof(adds) / sizeof(adds[0]); i++) {
        uint32_t len = flow_frame(&ste->rig, 4, 5, 9);

        action(ste->lists, ADD_FIELD, CODE_SMAC, adds[i].shift, adds[i].length, adds[i].data);
        ste_write(ste);
        put(ste->rig.raw.mem, 48, 48, 0x112233445566);
        CHECK_EQ(flow_pass(&ste->rig, len, 0, &got), 1);
        CHECK_EQ(get(got.bytes, 48, 48), adds[i].smac);
    }
    ste_close(ste);
}

/* ---- what entries reach -------------------------------------------------------------------- */

/* As on a card, entries reach a TIR of another program, because the device does not know programs
 * when it reads entries. They do not reach TIRs, counters and tables of another function. */
static void entries_reach_all_of_their_function_only(void)
{
    struct ste *ste = ste_open(RX);
    struct rig other = rig_open(1);
    struct flow_rig same = flow_open(0), far = flow_open(1);
    struct made counters[] = { counters_of(ste->ctx, 0), counters_of(other.ctx, 0) };
    struct table table = table_of(other.ctx, RX, 0, 0, NULL);
    struct got got;
    uint8_t *entry;

    take_all(ste, 0, RX_ENTRY, 0x8000000000 | (uint64_t)same.tir.number << 6);
    ste_write(ste);
    CHECK_EQ(flow_pass(&ste->rig, flow_frame(&ste->rig, 4, 5, 9), 0, NULL), 0);
    CHECK(rig_poll(same.cq).status == IBV_WC_SUCCESS);
    take_all(ste, 0, RX_ENTRY, 0x8000000000 | (uint64_t)far.tir.number << 6);
    ste_write(ste);
    CHECK_EQ(flow_pass(&ste->rig, flow_frame(&ste->rig, 4, 5, 9), 0, NULL), 0);
    take_all(ste, 0, RX_ENTRY, 0xc000000000 | (uint64_t)table.made.number << 6);
    ste_write(ste);
    CHECK_EQ(flow_pass(&ste->rig, flow_frame(&ste->rig, 4, 5, 9), 0, NULL), 0);
    for (unsigned i = 0; i < 2; i++) {
        entry = take_all(ste, 0, RX_ENTRY, tir_of_rig(ste));
        put(entry, 0xb0, 16, counters[i].number);
        put(entry, 0xd0, 8, counters[i].number >> 16);
        ste_write(ste);
        CHECK_EQ(flow_pass(&ste->rig, flow_frame(&ste->rig, 4, 5, 9), 0, &got), i == 0);
        CHECK_EQ(counted(&counters[i], 0, NULL), i == 0);
    }
    CHECK(rig_silent(far.cq, 0.05));
    unmake(&table.made);
    unmake(&counters[0]);
    unmake(&counters[1]);
    flow_close(&far);
    flow_close(&same);
    rig_close(&other);
    ste_close(ste);
}

/* Packets without a match in a table of the device pass to one of software, and back to another
 * table of the device, although its level is lower. */
static void tables_of_both_kinds_lead_to_each_other(void)
{
    struct ste *ste = ste_open(RX);
    struct table owned = { ste->table, RX }, last = table_of(ste->ctx, RX, 0, 0, NULL);
    struct table first = table_of(ste->ctx, RX, 0, 0, &owned);
    struct made group = group_of(ste->ctx, &last, 0, 0, 0, 0), all;
    struct entry entry = entry_of(&last, &group, 0, FORWARD);

    CHECK_EQ(first.made.status, OK);
    entry_to(&entry, DEST_TIR, ste->rig.tir.number);
    all = entry_make(ste->ctx, &entry);
    CHECK_EQ(all.status, OK);
    root_end(&ste->root);
    ste->root = root_to(ste->ctx, &first);
    take_all(ste, 0, RX_ENTRY, 0xc000000000 | (uint64_t)last.made.number << 6);
    ste_write(ste);
    CHECK(flow_arrives(&ste->rig, 9));
    take_all(ste, 0, RX_ENTRY, 0xc000000000 | (uint64_t)first.made.number << 6);        /* circle */
    ste_write(ste);
    CHECK(!flow_arrives(&ste->rig, 9));
    root_end(&ste->root);
    ste->root = root_to(ste->ctx, &owned);
    unmake(&all);
    unmake(&group);
    unmake(&first.made);
    unmake(&last.made);
    ste_close(ste);
}

/* ---- entries that lead in a circle ---------------------------------------------------------- */

/* Send a frame of the largest size to an entry that leads to itself. Return the seconds that the
 * device works for it. */
static double time_of_circle(struct ste *ste)
{
    double start;

    memset(ste->rig.raw.mem, 0, LARGEST);
    (void)flow_frame(&ste->rig, 4, 5, 9);
    put(ste->rig.raw.mem + ETH, 16, 16, LARGEST - ETH);
    put(ste->rig.raw.mem + ETH + IP4, 32, 16, LARGEST - ETH - IP4);
    ste_write(ste);
    start = rig_device_seconds();
    CHECK_EQ(flow_pass(&ste->rig, LARGEST, IBV_SEND_IP_CSUM, NULL), 0);
    return rig_device_seconds() - start;
}

static void circles_end_soon(void)
{
    struct ste *ste = ste_open(RX);
    double time;

    take_all(ste, 0, RX_ENTRY, ste->at[0]);
    time = time_of_circle(ste);
    CHECK(time < 2);
    for (unsigned i = 0; i < LISTS / 8; i++)
        action(ste->lists + i * 8, ADD_FIELD, CODE_SMAC, 0, 16, 1);
    for (unsigned num = 1; num <= LISTS / 8; num *= LISTS / 8) {
        entry_changes(ste, take_all(ste, 0, CHANGES, ste->at[0]), num);
        time = time_of_circle(ste);
        if (time > 2)
            rig_fail(__FILE__, __LINE__, "%.1f s with %u actions", time, num);
    }
    take_all(ste, 0, RX_ENTRY, tir_of_rig(ste));
    ste_write(ste);
    CHECK(flow_arrives(&ste->rig, 9));          /* the device goes on */
    ste_close(ste);
}

/* ---- random bytes --------------------------------------------------------------------------- */

/* An address: mostly one of the entries, sometimes another place or nothing. */
static uint64_t random_address(const struct ste *ste)
{
    switch (rnd(8)) {
    case 0: return tir_of_rig(ste);
    case 1: return (uint64_t)(8 + rnd(8)) << 36 | (uint64_t)rnd(0x200) << 6;
    case 2: return (uint64_t)rnd(1u << 31) << 9;
    case 3: return 0xc000000000 | (uint64_t)ste->table.number << 6;
    default: return ste->at[0] + rnd(NUM) * STE;
    }
}

enum { NUM_HEADERS = 2 * GENEVE_LONGEST + 1 };

static struct made headers[NUM_HEADERS];

static void random_entry(const struct ste *ste, uint8_t *entry)
{
    static const uint8_t types[] = { RX_ENTRY, RX_ENTRY, TX_ENTRY, CHANGES, 0, 15 };
    static const uint8_t lookups[] = { 0x05, 0x06, 0x08, 0x0a, 0x11, 0x13, 0x16, 0x18, 0x1b, 0x1c,
                                       0x2b, 0x2f, 0x30, 0x38 };
    uint64_t next = random_address(ste), miss = random_address(ste);

    for (unsigned i = 0; i < STE; i++)
        entry[i] = (uint8_t)rnd(256);
    if (rnd(8) == 0)
        return;
    put(entry, 0x00, 4, types[rnd(6)]);
    put(entry, 0x08, 8, rnd(2) ? DONT_CARE : lookups[rnd(14)]);
    put(entry, 0x30, 8, rnd(2) ? DONT_CARE : lookups[rnd(14)]);
    put(entry, 0x38, 8, next >> 32);
    put(entry, 0x40, 27, (next & 0xffffffff) >> 5 | (rnd(2) ? 1u : 1u << rnd(27)));
    if (rnd(4)) {                               /* no counter */
        put(entry, 0xb0, 16, 0);
        put(entry, 0xd0, 8, 0);
    }
    put(entry, 0xd8, 8, miss >> 32);
    put(entry, 0xe0, 26, (miss & 0xffffffff) >> 6);
    if (rnd(4))
        memset(entry + MASK / 8, 0, 16);
    if (rnd(4))
        memset(entry + TAG / 8, 0, 16);
    if (rnd(2))
        entry_changes((struct ste *)(uintptr_t)ste, entry, rnd(LISTS / 8));
    else if (rnd(2))
        entry_adds(entry, rnd(2) ? ENCAP : ENCAP_L3,
                   rnd(4) ? headers[rnd(NUM_HEADERS)].number : rnd(1u << 31));
    if (rnd(2)) {
        put(entry, TUNNELING, 3, rnd(8));
        put(entry, DESCRIPTION, 4, rnd(4) ? 0 : rnd(16));
    }
}

/* Contexts with the headers of all tunnels, for L2 and L3, and one that removes a tunnel. */
static void make_headers(struct ste *ste)
{
    uint8_t data[OUTER_ROOM];

    for (unsigned i = 0; i < NUM_HEADERS; i++) {
        enum tunnel tunnel = (enum tunnel)(i / 2);
        unsigned type = tunnel == GENEVE_LONGEST ? TUNNEL_TO_L2 : i % 2 ? TO_L2_TUNNEL
                                                                        : TO_L3_TUNNEL;
        uint32_t len = outer_headers(&ste->rig, i % 3 ? 4 : 6, tunnel, random_inside(), data);

        headers[i] = reformat_of(ste->ctx, type, data, type == TUNNEL_TO_L2 ? ETH : len);
        CHECK_EQ(headers[i].status, OK);
    }
}

/* Run with a device process that is built with sanitizers. */
static void random_entries_do_not_end_the_device(void)
{
    for (unsigned type = RX; type <= TX; type++) {
        struct ste *ste = ste_open(type);

        make_headers(ste);
        for (unsigned i = 0; i < 150; i++) {
            double start = rig_device_seconds();

            for (unsigned k = 0; k < NUM; k++)
                random_entry(ste, ste->entries + k * STE);
            for (unsigned k = 0; k < LISTS / 8; k++) {
                action(ste->lists + k * 8, rnd(8) ? 1 + rnd(3) : rnd(256), rnd(0x18), rnd(64),
                       rnd(32), rnd(1u << 31));
                put(ste->lists + k * 8, 0x28, 8, rnd(2) ? rnd(256) : rnd(0x18));
            }
            take_all(ste, 0, rnd(2) ? CHANGES : type == RX ? RX_ENTRY : TX_ENTRY,
                     ste->at[0] + STE);
            entry_changes(ste, ste->entries, 0);
            ste_write(ste);
            for (unsigned k = 0; k < 4; k++)
                flow_pass(&ste->rig, random_frame(&ste->rig), 0, NULL);
            CHECK(rig_device_seconds() - start < 20);
        }
        take_all(ste, 0, type == RX ? RX_ENTRY : TX_ENTRY,
                 type == RX ? tir_of_rig(ste) : AT_ALLOW);
        ste_write(ste);
        CHECK_EQ(flow_pass(&ste->rig, flow_frame(&ste->rig, 4, 5, 9), 0, NULL), type == RX);
        for (unsigned i = 0; i < NUM_HEADERS; i++)
            unmake(&headers[i]);
        ste_close(ste);
    }
}

static const struct rig_case cases[] = {
    RIG_CASE(an_addition_changes_the_bits_that_it_names),
    RIG_CASE(entries_reach_all_of_their_function_only),
    RIG_CASE(tables_of_both_kinds_lead_to_each_other),
    RIG_CASE(circles_end_soon),
    RIG_CASE(random_entries_do_not_end_the_device),
};

/* Without arguments: all cases except the last one. */
int main(int argc, char **argv)
{
    return rig_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]) - (argc < 2 ? 1 : 0));
}

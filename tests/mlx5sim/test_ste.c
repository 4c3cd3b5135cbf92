/*
 * Steering entries that a program writes without libmlx5's help, into the memory of the device:
 * entries that lead in a circle, lists of header changes, and random bytes.
 */
#include "flow_rig.h"

enum { LEVEL_1 = 1, STE = 64, NUM = 64, PIECE = NUM * STE, LISTS = 4096, WRITE_AT = 1 << 15,
       LARGEST = 16000, HEADERS = 80 };
enum { RX_ENTRY = 2, TX_ENTRY = 1, CHANGES = 6 };               /* entry_type */
enum { DONT_CARE = 0x0f, TAG = 0x100, MASK = 0x180 };           /* lookup type; bits of an entry */
enum { SET_FIELD = 2, ADD_FIELD = 3 };                          /* opcodes of actions */
enum { CODE_SMAC = 1, CODE_REG_C_0 = 0x0c };

/* Memory of the device, and a table whose first entry is at its start. */
struct ste {
    struct flow_rig rig;
    struct ibv_context *ctx;
    struct ibv_qp *qp;          /* writes into the memory of the device */
    struct ibv_dm *dm[2];       /* entries, lists of header changes */
    struct ibv_mr *mr[2];
    uint64_t at[2];
    struct made table;
    struct root root;
    uint8_t entries[PIECE], lists[LISTS];
};

static uint64_t address_of(struct ibv_dm *dm)
{
    struct mlx5dv_dm dv = { .comp_mask = MLX5DV_DM_MASK_REMOTE_VA };
    struct mlx5dv_obj obj = { .dm = { dm, &dv } };

    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_DM), 0);
    return dv.remote_va;
}

static struct ste *ste_open(unsigned type)
{
    static const enum mlx5dv_alloc_dm_type types[] = { MLX5DV_DM_TYPE_STEERING_SW_ICM,
                                                       MLX5DV_DM_TYPE_HEADER_MODIFY_SW_ICM };
    static const size_t lens[] = { PIECE, LISTS };
    struct ste *ste = calloc(1, sizeof(*ste));
    uint8_t in[0x40] = { 0 };
    struct table table = { .type = type };

    CHECK(ste);
    ste->rig = flow_open(0);
    ste->ctx = ste->rig.raw.rig.ctx;
    ste->qp = rig_loop(&ste->rig.raw.rig, (struct rig_qp_options){ .access = 0 });
    for (unsigned i = 0; i < 2; i++) {
        struct mlx5dv_alloc_dm_attr of_dv = { .type = types[i] };
        struct ibv_alloc_dm_attr attr = { .length = lens[i] };

        ste->dm[i] = mlx5dv_alloc_dm(ste->ctx, &attr, &of_dv);
        CHECK(ste->dm[i]);
        ste->mr[i] = ibv_reg_dm_mr(ste->rig.raw.rig.pd, ste->dm[i], 0, lens[i],
                                   RIG_ALL_ACCESS | IBV_ACCESS_ZERO_BASED);
        CHECK(ste->mr[i]);
        ste->at[i] = address_of(ste->dm[i]);
    }
    put(in, 0x80, 8, type);
    put(in, 0xc0 + 0x02, 1, 1);
    put(in, 0xc0 + 0x08, 8, LEVEL_1);
    put(in, 0xc0 + 0x100, 64, ste->at[0]);
    ste->table = table.made = make(ste->ctx, in, sizeof(in), 0x930, 0x48);
    CHECK_EQ(ste->table.status, OK);
    ste->root = root_to(ste->ctx, &table);
    return ste;
}

static void ste_close(struct ste *ste)
{
    root_end(&ste->root);
    unmake(&ste->table);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(ibv_dereg_mr(ste->mr[i]), 0);
        CHECK_EQ(ibv_free_dm(ste->dm[i]), 0);
    }
    CHECK_EQ(ibv_destroy_qp(ste->qp), 0);
    flow_close(&ste->rig);
    free(ste);
}

/* Copy the entries and the lists into the memory of the device. */
static void ste_write(struct ste *ste)
{
    const uint8_t *from[] = { ste->entries, ste->lists };
    static const uint32_t lens[] = { PIECE, LISTS };

    for (unsigned i = 0; i < 2; i++) {
        uint8_t *mem = ste->rig.raw.mem + WRITE_AT;

        memcpy(mem, from[i], lens[i]);
        rig_post(ste->qp, IBV_WR_RDMA_WRITE,
                 (struct rig_side){ mem, lens[i], ste->rig.raw.mr->lkey }, 0, ste->mr[i]->rkey,
                 IBV_SEND_SIGNALED);
        CHECK_EQ(rig_poll(ste->rig.raw.rig.cq).status, IBV_WC_SUCCESS);
    }
}

/* Make an entry that takes every packet and sends it to an address. */
static uint8_t *take_all(struct ste *ste, unsigned index, unsigned type, uint64_t next)
{
    uint8_t *entry = ste->entries + index * STE;

    memset(entry, 0, STE);
    put(entry, 0x00, 4, type);
    put(entry, 0x08, 8, DONT_CARE);
    put(entry, 0x30, 8, DONT_CARE);
    put(entry, 0x38, 8, next >> 32);
    put(entry, 0x40, 27, (next & 0xffffffff) >> 5 | 1);         /* one entry */
    return entry;
}

/* Let an entry execute the first `num` actions of the lists. */
static void entry_changes(struct ste *ste, uint8_t *entry, unsigned num)
{
    put(entry, 0x60, 16, num);
    put(entry, 0x80, 32, (ste->at[1] - 0x200000000) / 64);
}

static void action(uint8_t *list, unsigned opcode, unsigned code, unsigned shift, unsigned length,
                   uint32_t data)
{
    memset(list, 0, 8);
    put(list, 0x00, 8, opcode);
    put(list, 0x08, 8, code);
    put(list, 0x12, 6, shift);
    put(list, 0x1b, 5, length);
    put(list, 0x20, 32, data);
}

static uint64_t tir_of_rig(const struct ste *ste)
{
    return 0x8000000000 | (uint64_t)ste->rig.tir.number << 6;
}

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

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint32_t rnd(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 16) % below);
}

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
}

static uint32_t random_frame(struct flow_rig *rig)
{
    struct flow f = { .version = rnd(2) ? 4 : 6, .protocol = rnd(2) ? 6 : 17,
        .dport = rnd(2) ? 4789 : (uint16_t)rnd(65536),
        .vlan = (uint16_t)(rnd(2) ? 0 : rnd(4096)) };
    uint32_t len;

    memcpy(f.dst, rig->raw.mac, 6);
    len = frame_make(rig->raw.mem, &f, rnd(1000));
    for (unsigned i = rnd(4); i > 0; i--)
        rig->raw.mem[12 + rnd(60)] = (uint8_t)rnd(256);
    return rnd(4) ? len : ETH + rnd(len - ETH);
}

/* Run with a device process that is built with sanitizers. */
static void random_entries_do_not_end_the_device(void)
{
    for (unsigned type = RX; type <= TX; type++) {
        struct ste *ste = ste_open(type);

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
                 type == RX ? tir_of_rig(ste) : 0xb000000000);
        ste_write(ste);
        CHECK_EQ(flow_pass(&ste->rig, flow_frame(&ste->rig, 4, 5, 9), 0, NULL), type == RX);
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

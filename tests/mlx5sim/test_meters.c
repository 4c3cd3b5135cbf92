/*
 * Flow meters: packets get a colour by their rate, in a register that the next table matches, by
 * entries that libmlx5 writes (mlx5dv_dr_*) and by entries that the test writes itself.
 */
#include "dr_rig.h"
#include "kill_rig.h"
#include "ste_rig.h"

enum { METER = 0x0a, METER_BYTES = 0x90, PARAMS = 0x180, REG_OF_TEST = 3 };
enum { RED = 0, YELLOW = 1, GREEN = 2, OTHER = 3 };
enum { SELECT_ACTIVE = 1, SELECT_CBS = 2, SELECT_CIR = 4, SELECT_EBS = 8, SELECT_EIR = 16 };

/* Mantissas and exponents; the start colour is green. */
struct params {
    unsigned cbs_m, cbs_e, cir_m, cir_e, ebs_m, ebs_e, eir_m, eir_e;
    unsigned start, mode;
    bool inactive, invalid, overflows, takes_both, sets_start;
};

static void fill_params(uint8_t *p, const struct params *params)
{
    put(p, 0x00, 1, !params->invalid);
    put(p, 0x01, 1, params->overflows);
    put(p, 0x02, 2, params->sets_start ? params->start : GREEN);
    put(p, 0x04, 1, params->takes_both);
    put(p, 0x06, 2, params->mode);
    put(p, 0x43, 5, params->cbs_e);
    put(p, 0x48, 8, params->cbs_m);
    put(p, 0x53, 5, params->cir_e);
    put(p, 0x58, 8, params->cir_m);
    put(p, 0x83, 5, params->ebs_e);
    put(p, 0x88, 8, params->ebs_m);
    put(p, 0x93, 5, params->eir_e);
    put(p, 0x98, 8, params->eir_m);
}

static void fill_meter(uint8_t in[METER_BYTES], const struct table *table, unsigned reg,
                       const struct params *params)
{
    memset(in, 0, METER_BYTES);
    put(in, 0x30, 16, METER);
    put(in, 0x80 + 0x40, 1, !params->inactive);
    put(in, 0x80 + 0x44, 4, reg);
    put(in, 0x80 + 0x48, 8, table->type);
    put(in, 0x80 + 0x68, 24, table->made.number);
    fill_params(in + PARAMS / 8, params);
}

static struct made meter_of(struct ibv_context *ctx, const struct table *table, unsigned reg,
                            const struct params *params)
{
    uint8_t in[METER_BYTES];

    fill_meter(in, table, reg, params);
    return make(ctx, in, sizeof(in), 0xa00, 0x40);
}

static int modify(const struct made *meter, uint32_t number, uint64_t select,
                  const struct params *params, size_t len)
{
    uint8_t in[METER_BYTES], out[16] = { 0 };
    struct table none = { .type = 0 };

    fill_meter(in, &none, 0, params);
    put(in, 0, 16, 0xa01);
    put(in, 0x40, 32, number);
    put(in, 0x80, 64, select);
    errno = 0;
    return command_status(mlx5dv_devx_obj_modify(meter->obj, in, len, out, sizeof(out)), out);
}

static int query(const struct made *meter, uint32_t number, uint8_t *out, size_t len)
{
    uint8_t in[16] = { 0 };

    put(in, 0, 16, 0xa02);
    put(in, 0x30, 16, METER);
    put(in, 0x40, 32, number);
    errno = 0;
    return command_status(mlx5dv_devx_obj_query(meter->obj, in, sizeof(in), out, len), out);
}

/* The address by which entries name a meter. */
static uint64_t address_of_meter(const struct made *meter, unsigned type)
{
    uint8_t out[METER_BYTES] = { 0 };

    CHECK_EQ(query(meter, meter->number, out, sizeof(out)), OK);
    CHECK_EQ(get(out, 0x80 + (type == RX ? 0x3c0 : 0x380), 64), 0);
    return get(out, 0x80 + (type == RX ? 0x380 : 0x3c0), 64);
}

/* ---- colours -------------------------------------------------------------------------------- */

/* An entry of the test sends all frames to a meter. The meter's table counts each colour. */
struct meters {
    struct ste *ste;
    struct table table;
    struct made group, colors[4], counters[4], meter;
};

static struct meters meters_open(unsigned type, const struct params *params)
{
    enum { REG_C3 = 0x600 + 0x100 };            /* of the match */
    struct meters m = { .ste = ste_open(type) };
    struct ibv_context *ctx = m.ste->ctx;

    m.table = table_of(ctx, type, 3, 0, NULL);
    m.group = group_of(ctx, &m.table, 0, 3, REG_C3, 32);
    CHECK_EQ(m.group.status, OK);
    for (unsigned i = 0; i < OTHER; i++) {
        struct entry entry = entry_of(&m.table, &m.group, i, DROP | COUNT);

        m.counters[i] = counters_of(ctx, 0);
        put(entry.in, VALUE + REG_C3, 32, i);
        entry_counts(&entry, m.counters[i].number);
        m.colors[i] = entry_make(ctx, &entry);
        CHECK_EQ(m.colors[i].status, OK);
    }
    m.meter = meter_of(ctx, &m.table, REG_OF_TEST, params);
    CHECK_EQ(m.meter.status, OK);
    take_all(m.ste, 0, type == RX ? RX_ENTRY : TX_ENTRY, address_of_meter(&m.meter, type));
    ste_write(m.ste);
    return m;
}

static void meters_close(struct meters *m)
{
    unmake(&m->meter);
    for (unsigned i = 0; i < OTHER; i++) {
        unmake(&m->colors[i]);
        unmake(&m->counters[i]);
    }
    unmake(&m->group);
    unmake(&m->table.made);
    ste_close(m->ste);
}

/* Send a frame whose IP packet has `len` bytes, and return its colour. */
static unsigned color_of(struct meters *m, uint32_t len)
{
    struct flow f = { .version = 4, .protocol = 17 };
    uint64_t before[OTHER];
    unsigned color = OTHER;

    memcpy(f.dst, m->ste->rig.raw.mac, 6);
    for (unsigned i = 0; i < OTHER; i++)
        before[i] = counted(&m->counters[i], 0, NULL);
    frame_make(m->ste->rig.raw.mem, &f, len - IP4 - UDP);
    CHECK_EQ(flow_pass(&m->ste->rig, ETH + len, 0, NULL), 0);
    for (unsigned i = 0; i < OTHER; i++) {
        uint64_t more = counted(&m->counters[i], 0, NULL) - before[i];

        CHECK(more == 0 || (more == 1 && color == OTHER));
        color = more ? i : color;
    }
    return color;
}

#define SLOW .cir_m = 1, .cir_e = 29    /* 1 byte per second */
#define CBS(bytes_div_125_log) .cbs_m = 125, .cbs_e = (bytes_div_125_log)
#define EBS(bytes_div_125_log) .ebs_m = 125, .ebs_e = (bytes_div_125_log)

static const struct row {
    const char *what;
    struct params params;
    struct { uint32_t len; unsigned color; } frames[6];         /* length 0 ends the list */
} rows[] = {
    { "4000 bytes", { CBS(5), SLOW },
      { { 1500, GREEN }, { 1500, GREEN }, { 1500, RED }, { 900, GREEN }, { 900, RED } } },
    { "2000 and 1000 bytes", { CBS(4), SLOW, EBS(3) },
      { { 1500, GREEN }, { 800, YELLOW }, { 400, GREEN }, { 400, RED } } },
    { "yellow before", { CBS(5), SLOW, EBS(3), .sets_start = true, .start = YELLOW },
      { { 800, YELLOW }, { 800, RED } } },
    { "red before", { CBS(5), SLOW, EBS(5), .sets_start = true, .start = RED }, { { 800, RED } } },
    { "green takes both", { CBS(5), SLOW, EBS(3), .takes_both = true },
      { { 800, GREEN }, { 800, RED }, { 150, GREEN } } },
    { "inactive", { .inactive = true }, { { 800, GREEN }, { 800, GREEN } } },
    { "not valid", { .invalid = true }, { { 800, GREEN }, { 800, GREEN } } },
    { "inactive, yellow before", { .inactive = true, .sets_start = true, .start = YELLOW },
      { { 800, YELLOW } } },
    { "no size and no rate", { .start = GREEN }, { { 800, RED } } },
    { "larger than the bucket", { CBS(3), SLOW }, { { 1500, GREEN }, { 100, RED } } },
    { "bytes of IP", { CBS(4), SLOW }, { { 986, GREEN }, { 986, GREEN }, { 28, GREEN } } },
    { "bytes of frames", { CBS(4), SLOW, .mode = 1 },
      { { 986, GREEN }, { 986, GREEN }, { 28, RED } } },
    { "bytes on a cable", { CBS(4), SLOW, .mode = 2 }, { { 986, GREEN }, { 986, RED } } },
};

static void a_packet_gets_the_colour_of_the_buckets(void)
{
    for (unsigned type = RX; type <= TX; type++)
        for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            struct meters m = meters_open(type, &rows[i].params);

            for (unsigned k = 0; k < 6 && rows[i].frames[k].len; k++) {
                unsigned color = color_of(&m, rows[i].frames[k].len);

                if (color != rows[i].frames[k].color)
                    rig_fail(__FILE__, __LINE__, "%s: frame %u has the colour %u instead of %u",
                             rows[i].what, k, color, rows[i].frames[k].color);
            }
            meters_close(&m);
        }
}

/* The rate is 1907 bytes per second: a bucket of 1000 bytes is full after 0.53 s. */
static void buckets_are_filled_at_their_rate(void)
{
    static const struct params of_c = { CBS(3), .cir_m = 1, .cir_e = 19 };
    static const struct params of_debt = { .cir_m = 1, .cir_e = 19 };
    static const struct params of_e = { EBS(3), .eir_m = 1, .eir_e = 19 };
    static const struct params overflow = { CBS(3), EBS(3), .cir_m = 1, .cir_e = 19,
                                            .overflows = true };
    static const struct { const struct params *params; unsigned colors[4]; unsigned wait; } r[] = {
        { &of_c, { GREEN, RED, GREEN, RED }, 600 }, { &of_debt, { GREEN, RED, GREEN, RED }, 600 },
        { &of_e, { YELLOW, RED, YELLOW, RED }, 600 },
        { &overflow, { GREEN, YELLOW, GREEN, YELLOW }, 1200 } };

    for (unsigned i = 0; i < sizeof(r) / sizeof(r[0]); i++) {
        struct meters m = meters_open(RX, r[i].params);

        for (unsigned k = 0; k < 4; k++) {
            CHECK_EQ(color_of(&m, 1000), r[i].colors[k]);
            if (k == 1)
                usleep(r[i].wait * 1000);
        }
        meters_close(&m);
    }
}

static void a_meter_can_be_modified(void)
{
    static const struct params before = { CBS(5), SLOW }, after = { CBS(2), .cir_m = 200, EBS(3),
        .eir_m = 1, .eir_e = 29, .inactive = true };
    struct meters m = meters_open(RX, &before);
    uint32_t number = m.meter.number;

    CHECK_EQ(modify(&m.meter, number, 0, &after, METER_BYTES), OK);
    CHECK_EQ(color_of(&m, 1000), GREEN);        /* nothing was selected: 3000 left */
    CHECK_EQ(modify(&m.meter, number, SELECT_CBS, &after, METER_BYTES), OK);
    CHECK_EQ(color_of(&m, 400), GREEN);         /* 500 left, 100 left */
    CHECK_EQ(color_of(&m, 400), RED);
    CHECK_EQ(modify(&m.meter, number, SELECT_EBS, &after, METER_BYTES), OK);
    CHECK_EQ(color_of(&m, 900), RED);           /* the excess bucket is empty at first */
    CHECK_EQ(modify(&m.meter, number, SELECT_CIR, &after, METER_BYTES), OK);
    CHECK_EQ(color_of(&m, 400), GREEN);         /* 200 bytes in each ns */
    CHECK_EQ(modify(&m.meter, number, SELECT_CIR, &before, METER_BYTES), OK);
    CHECK_EQ(modify(&m.meter, number, SELECT_EIR, &(struct params){ .eir_m = 200 }, METER_BYTES),
             OK);
    (void)color_of(&m, 400);
    CHECK_EQ(color_of(&m, 400), YELLOW);
    CHECK_EQ(modify(&m.meter, number, SELECT_ACTIVE, &after, METER_BYTES), OK);
    CHECK_EQ(color_of(&m, 1400), GREEN);
    meters_close(&m);
}

/* A meter writes the lowest 8 bits of its register. Here an entry sets the register before. */
static void other_bits_of_the_register_stay(void)
{
    static const struct params params = { CBS(5), SLOW };
    enum { SET = 2, CODE_REG_C_3 = 0x0d };      /* C 2 in the upper half, C 3 in the lower one */
    struct meters m = meters_open(RX, &params);
    struct ste *ste = m.ste;

    entry_changes(ste, take_all(ste, 0, CHANGES, address_of_meter(&m.meter, RX)), 1);
    action(ste->lists, SET, CODE_REG_C_3, 0, 0, 0x77);
    ste_write(ste);
    CHECK_EQ(color_of(&m, 100), GREEN);         /* the 8 bits are replaced */
    action(ste->lists, SET, CODE_REG_C_3, 0, 0, 0x100);
    ste_write(ste);
    CHECK_EQ(color_of(&m, 100), OTHER);
    meters_close(&m);
}

/* ---- libmlx5 -------------------------------------------------------------------------------- */

enum { LONG_MATCH = 0x100 };      /* bytes of a match up to its registers */

struct long_match {
    size_t len;
    uint64_t bytes[LONG_MATCH / 8];
};

/* Green frames pass to a TIR. */
static void libmlx5_makes_and_modifies_meters(void)
{
    static const struct params small = { .cbs_m = 200, SLOW }, inactive = { .inactive = true };
    enum { REG_C3 = 0x600 + 0x100, IP_BYTES = 128 };
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct mlx5dv_dr_table *next = mlx5dv_dr_table_create(dr.domain, LEVEL_1 + 1);
    struct long_match match = { .len = LONG_MATCH };
    struct mlx5dv_flow_match_parameters *of_match = (void *)&match;
    struct mlx5dv_dr_action *to_tir = mlx5dv_dr_action_create_dest_devx_tir(dr.rig.tir.obj), *meter;
    struct mlx5dv_dr_flow_meter_attr attr = { .next_table = next, .active = 1,
        .reg_c_index = REG_OF_TEST, .flow_meter_parameter_sz = 0x20 };
    struct mlx5dv_dr_rule *rule, *of_next;
    struct mlx5dv_dr_matcher *matcher;
    uint8_t params[0x20] = { 0 };

    put(match.bytes, REG_C3, 32, 0xffffffff);
    matcher = mlx5dv_dr_matcher_create(next, 0, MISC2, of_match);
    CHECK(next && to_tir && matcher);
    put(match.bytes, REG_C3, 32, GREEN);
    of_next = mlx5dv_dr_rule_create(matcher, of_match, 1, &to_tir);
    fill_params(params, &small);
    attr.flow_meter_parameter = params;
    meter = mlx5dv_dr_action_create_flow_meter(&attr);
    CHECK(meter && of_next);
    rule = rule_of(dr.matcher, SMAC_15_0, 16, 7, 1, &meter);
    CHECK(rule);
    CHECK_EQ(pass(&dr, 7, NULL), 1);
    CHECK_EQ(pass(&dr, 7, NULL), 0);            /* 72 bytes left */
    CHECK_EQ(pass(&dr, 8, NULL), 0);
    fill_params(params, &inactive);
    attr.active = 0;
    CHECK_EQ(mlx5dv_dr_action_modify_flow_meter(meter, &attr, htobe64(SELECT_ACTIVE)), 0);
    CHECK_EQ(pass(&dr, 7, NULL), 1);
    CHECK(mlx5dv_dr_action_modify_flow_meter(meter, &attr, htobe64(1 << 5)) != 0);
    CHECK_EQ(mlx5dv_dr_rule_destroy(rule), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(meter), 0);
    CHECK_EQ(mlx5dv_dr_rule_destroy(of_next), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(to_tir), 0);
    CHECK_EQ(mlx5dv_dr_matcher_destroy(matcher), 0);
    CHECK_EQ(mlx5dv_dr_table_destroy(next), 0);
    dr_close(&dr);
}

/* ---- bad input ------------------------------------------------------------------------------ */

static int status_of(struct ibv_context *ctx, const struct table *table, unsigned reg,
                     const struct params *params)
{
    struct made made = meter_of(ctx, table, reg, params);

    if (made.obj)
        unmake(&made);
    return made.status;
}

static void wrong_meters_are_refused(void)
{
    static const struct params good = { CBS(5), SLOW };
    static const struct params color = { .sets_start = true, .start = 3 }, packets = { .mode = 3 };
    struct rig rig = rig_open(0), same = rig_open(0);
    struct table table = table_of(rig.ctx, RX, 1, 0, NULL), wrong = table;
    uint8_t in[METER_BYTES], out[METER_BYTES] = { 0 };
    struct made meter, second;

    CHECK_EQ(status_of(rig.ctx, &table, 0, &color), BAD_PARAM);
    CHECK_EQ(status_of(rig.ctx, &table, 0, &packets), BAD_PARAM);
    CHECK_EQ(status_of(rig.ctx, &table, 8, &good), BAD_PARAM);
    CHECK_EQ(status_of(rig.ctx, &table, 7, &good), OK);
    CHECK_EQ(status_of(same.ctx, &table, 0, &good), BAD_RESOURCE);
    wrong.type = TX;
    CHECK(status_of(rig.ctx, &wrong, 0, &good) != OK);
    wrong = (struct table){ .type = RX, .made.number = 0xffffff };
    CHECK_EQ(status_of(rig.ctx, &wrong, 0, &good), BAD_RESOURCE);
    fill_meter(in, &table, 0, &good);
    CHECK_EQ(make(rig.ctx, in, sizeof(in) - 4, 0xa00, 0x40).status, BAD_INPUT_LEN);
    meter = meter_of(rig.ctx, &table, 2, &good);
    second = meter_of(rig.ctx, &table, 2, &good);
    CHECK(meter.obj && second.obj);
    CHECK(mlx5dv_devx_obj_destroy(table.made.obj));     /* it is in use */
    CHECK_EQ(query(&meter, meter.number, out, sizeof(out) - 4), BAD_OUTPUT_LEN);
    CHECK_EQ(query(&meter, second.number, out, sizeof(out)), -1);
    CHECK_EQ(query(&meter, meter.number, out, sizeof(out)), OK);
    CHECK_EQ(get(out, 0x80 + 0x40, 1), 1);
    CHECK_EQ(get(out, 0x80 + 0x44, 4), 2);
    CHECK_EQ(get(out, 0x80 + 0x68, 24), table.made.number);
    CHECK_EQ(modify(&meter, meter.number, 1 << 5, &good, METER_BYTES), BAD_PARAM);
    CHECK_EQ(modify(&meter, meter.number, 1ull << 63, &good, METER_BYTES), BAD_PARAM);
    CHECK_EQ(modify(&meter, meter.number, SELECT_CBS, &good, METER_BYTES - 4), BAD_INPUT_LEN);
    CHECK_EQ(modify(&meter, second.number, SELECT_CBS, &good, METER_BYTES), -1);
    unmake(&meter);
    unmake(&second);
    unmake(&table.made);
    rig_close(&same);
    rig_close(&rig);
}

/* Meters of another function, of the other direction, and destroyed ones. */
static void entries_with_a_wrong_meter_drop_frames(void)
{
    static const struct params params = { CBS(5), SLOW };
    struct meters m = meters_open(RX, &params);
    struct rig far = rig_open(1);
    struct table of_far = table_of(far.ctx, RX, 1, 0, NULL), of_tx;
    struct made meters[3];

    of_tx = table_of(m.ste->ctx, TX, 1, 0, NULL);
    meters[0] = meter_of(far.ctx, &of_far, REG_OF_TEST, &params);
    meters[1] = meter_of(m.ste->ctx, &of_tx, REG_OF_TEST, &params);
    meters[2] = meter_of(m.ste->ctx, &m.table, REG_OF_TEST, &params);
    for (unsigned i = 0; i < 3; i++) {
        take_all(m.ste, 0, RX_ENTRY, address_of_meter(&meters[i], i == 1 ? TX : RX));
        if (i == 2)
            unmake(&meters[i]);
        ste_write(m.ste);
        CHECK_EQ(color_of(&m, 100), OTHER);
    }
    take_all(m.ste, 0, RX_ENTRY, address_of_meter(&m.meter, RX));
    ste_write(m.ste);
    CHECK_EQ(color_of(&m, 100), GREEN);
    unmake(&meters[0]);
    unmake(&meters[1]);
    unmake(&of_tx.made);
    unmake(&of_far.made);
    rig_close(&far);
    meters_close(&m);
}

static void a_circle_of_meters_ends_soon(void)
{
    static const struct params params = { CBS(5), SLOW };
    struct ste *ste = ste_open(RX);
    struct table own = { ste->table, RX };
    struct made meter = meter_of(ste->ctx, &own, 0, &params);
    double start = rig_device_seconds();

    take_all(ste, 0, RX_ENTRY, address_of_meter(&meter, RX));
    ste_write(ste);
    CHECK_EQ(flow_pass(&ste->rig, flow_frame(&ste->rig, 4, 5, 9), 0, NULL), 0);
    CHECK(rig_device_seconds() - start < 2);
    take_all(ste, 0, RX_ENTRY, tir_of_rig(ste));
    ste_write(ste);
    CHECK(flow_arrives(&ste->rig, 9));
    unmake(&meter);
    ste_close(ste);
}

/* ---- killed programs ------------------------------------------------------------------------ */

enum { ALL_METERS = 1 << 10 };

static bool make_all_meters(void)
{
    static const struct params params = { CBS(5), SLOW };
    struct rig rig = rig_open(0);
    struct table table = table_of(rig.ctx, RX, 1, 0, NULL);
    unsigned num = 0;

    while (num <= ALL_METERS && meter_of(rig.ctx, &table, 0, &params).obj)
        num++;
    return num == ALL_METERS;
}

static bool meters_are_free(void)
{
    static const struct params params = { CBS(5), SLOW };
    struct rig rig = rig_open(0);
    struct table table = table_of(rig.ctx, RX, 1, 0, NULL);
    struct made meters[ALL_METERS];
    unsigned num = 0;

    for (; num < ALL_METERS; num++) {
        meters[num] = meter_of(rig.ctx, &table, 0, &params);
        if (!meters[num].obj)
            break;
    }
    for (unsigned i = 0; i < num; i++)
        unmake(&meters[i]);
    unmake(&table.made);
    rig_close(&rig);
    return num == ALL_METERS;
}

static void meters_of_a_killed_program_are_free(void)
{
    kill_after(make_all_meters);
    wait_until_free(meters_are_free);
}

static const struct rig_case cases[] = {
    RIG_CASE(a_packet_gets_the_colour_of_the_buckets),
    RIG_CASE(buckets_are_filled_at_their_rate),
    RIG_CASE(a_meter_can_be_modified),
    RIG_CASE(other_bits_of_the_register_stay),
    RIG_CASE(libmlx5_makes_and_modifies_meters),
    RIG_CASE(wrong_meters_are_refused),
    RIG_CASE(entries_with_a_wrong_meter_drop_frames),
    RIG_CASE(a_circle_of_meters_ends_soon),
    RIG_CASE(meters_of_a_killed_program_are_free),
};

RIG_MAIN(cases)

/*
 * Software-managed steering: libmlx5 writes the entries of tables into the memory of the device
 * (mlx5dv_dr_*), and frames pass through them.
 */
#include "dr_rig.h"

enum { FIELD_IPV4_TTL = 0xa, FIELD_SMAC_15_0 = 2, SET_FIELD = 1, ADD_FIELD = 2 };
enum { SYNC = 0xb00 };

/* ---- received packets ----------------------------------------------------------------------- */

static void rules_tag_count_and_send_frames_to_a_tir(void)
{
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct made counter = counters_of(dr.ctx, 0);
    struct mlx5dv_dr_action *actions[] = {
        mlx5dv_dr_action_create_tag(0x1234),
        mlx5dv_dr_action_create_flow_counter(counter.obj, 0),
        mlx5dv_dr_action_create_dest_devx_tir(dr.rig.tir.obj) };
    struct mlx5dv_dr_rule *rule;
    struct got got;

    CHECK(actions[0] && actions[1] && actions[2]);
    CHECK_EQ(pass(&dr, 7, NULL), 0);            /* no rule: the table drops it */
    rule = rule_of(dr.matcher, SMAC_15_0, 16, 7, 3, actions);
    CHECK(rule);
    CHECK_EQ(pass(&dr, 7, &got), 1);
    CHECK_EQ(got.tag, 0x1234);
    CHECK_EQ(pass(&dr, 8, NULL), 0);
    CHECK_EQ(counted(&counter, 0, NULL), 1);
    CHECK_EQ(mlx5dv_dr_rule_destroy(rule), 0);
    CHECK_EQ(pass(&dr, 7, NULL), 0);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ(mlx5dv_dr_action_destroy(actions[i]), 0);
    unmake(&counter);
    dr_close(&dr);
}

/* More rules than the first hash table of a matcher has places, so that it grows. */
static void each_of_many_rules_takes_its_frames(void)
{
    enum { NUM = 300 };
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct mlx5dv_dr_action *to_tir = mlx5dv_dr_action_create_dest_devx_tir(dr.rig.tir.obj);
    struct mlx5dv_dr_action *actions[NUM][2];
    struct mlx5dv_dr_rule *rules[NUM];
    struct got got;

    for (unsigned i = 0; i < NUM; i++) {
        actions[i][0] = mlx5dv_dr_action_create_tag(i + 1);
        actions[i][1] = to_tir;
        rules[i] = rule_of(dr.matcher, SMAC_15_0, 16, 1000 + i, 2, actions[i]);
        CHECK(rules[i]);
    }
    for (unsigned i = 0; i < NUM; i++) {
        CHECK_EQ(pass(&dr, (uint16_t)(1000 + i), &got), 1);
        CHECK_EQ(got.tag, i + 1);
    }
    CHECK_EQ(pass(&dr, 999, NULL), 0);
    CHECK_EQ(pass(&dr, 1000 + NUM, NULL), 0);
    for (unsigned i = 0; i < NUM; i++) {
        CHECK_EQ(mlx5dv_dr_rule_destroy(rules[i]), 0);
        CHECK_EQ(mlx5dv_dr_action_destroy(actions[i][0]), 0);
    }
    CHECK_EQ(mlx5dv_dr_action_destroy(to_tir), 0);
    dr_close(&dr);
}

/* The first table changes the header and the second one matches the new value. */
static void a_changed_frame_passes_to_the_next_table(void)
{
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct mlx5dv_dr_table *next = mlx5dv_dr_table_create(dr.domain, LEVEL_1 + 1);
    struct mlx5dv_dr_matcher *matcher = matcher_of(next, 0, SMAC_15_0, 16);
    uint8_t list[2][8] = { { 0 } };
    struct mlx5dv_dr_action *change[2], *to_tir[1];
    struct mlx5dv_dr_rule *first, *second;
    struct got got;

    put(list[0], 0, 4, SET_FIELD);
    put(list[0], 4, 12, FIELD_SMAC_15_0);
    put(list[0], 0x1b, 5, 16);
    put(list[0], 0x20, 32, 77);
    put(list[1], 0, 4, ADD_FIELD);
    put(list[1], 4, 12, FIELD_IPV4_TTL);
    put(list[1], 0x20, 32, 0xff);               /* -1 */
    change[0] = mlx5dv_dr_action_create_modify_header(dr.domain, 0, sizeof(list),
                                                      (__be64 *)(uintptr_t)list);
    change[1] = mlx5dv_dr_action_create_dest_table(next);
    to_tir[0] = mlx5dv_dr_action_create_dest_devx_tir(dr.rig.tir.obj);
    CHECK(next && matcher && change[0] && change[1] && to_tir[0]);
    first = rule_of(dr.matcher, SMAC_15_0, 16, 7, 2, change);
    second = rule_of(matcher, SMAC_15_0, 16, 77, 1, to_tir);
    CHECK(first && second);
    CHECK_EQ(pass(&dr, 7, &got), 1);
    CHECK_EQ(get(got.bytes, 10 * 8, 16), 77);
    CHECK_EQ(got.bytes[ETH + 8], dr.rig.raw.mem[ETH + 8] - 1);
    CHECK_EQ(mlx5dv_dr_rule_destroy(first), 0);
    CHECK_EQ(mlx5dv_dr_rule_destroy(second), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(to_tir[0]), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(change[1]), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(change[0]), 0);
    CHECK_EQ(mlx5dv_dr_matcher_destroy(matcher), 0);
    CHECK_EQ(mlx5dv_dr_table_destroy(next), 0);
    dr_close(&dr);
}

/* libmlx5 makes a matcher for ports only when the mask also has the version of IP, as a value: it
 * refuses any other mask by itself, because it selects the layout of its entries by the version. */
static void a_matcher_for_ports_needs_the_version_of_ip(void)
{
    enum { VERSION = 0x93 };
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct mlx5dv_dr_action *to_tir = mlx5dv_dr_action_create_dest_devx_tir(dr.rig.tir.obj);

    CHECK(!matcher_of(dr.table, 0, UDP_DPORT, 16));
    CHECK_EQ(errno, EINVAL);
    for (unsigned version = 4; version <= 6; version += 2) {
        struct match match = { .len = MATCH_LEN };
        struct mlx5dv_flow_match_parameters *of_match = (void *)&match;
        struct mlx5dv_dr_matcher *matcher;
        struct mlx5dv_dr_rule *rule;

        put(match.bytes, VERSION, 4, version);
        put(match.bytes, UDP_DPORT, 16, 0xffff);
        matcher = mlx5dv_dr_matcher_create(dr.table, 0, OUTER, of_match);
        CHECK(matcher);
        put(match.bytes, UDP_DPORT, 16, 4000);
        rule = mlx5dv_dr_rule_create(matcher, of_match, 1, &to_tir);
        CHECK(rule);
        for (unsigned of_frame = 4; of_frame <= 6; of_frame += 2) {
            CHECK_EQ(flow_pass(&dr.rig, flow_frame(&dr.rig, of_frame, 5, 4000), 0, NULL),
                     of_frame == version);
            CHECK_EQ(flow_pass(&dr.rig, flow_frame(&dr.rig, of_frame, 4000, 4001), 0, NULL), 0);
        }
        CHECK_EQ(mlx5dv_dr_rule_destroy(rule), 0);
        CHECK_EQ(mlx5dv_dr_matcher_destroy(matcher), 0);
    }
    CHECK_EQ(mlx5dv_dr_action_destroy(to_tir), 0);
    dr_close(&dr);
}

/* ---- several destinations ------------------------------------------------------------------- */

/* A raw packet QP of verbs with its own CQ. It receives into the second half of the memory. */
struct receiver {
    struct ibv_cq *cq;
    struct ibv_qp *qp;
};

static struct receiver receiver_open(struct dr *dr, unsigned num)
{
    struct rig rig = dr->rig.raw.rig;
    struct ibv_sge sge = { (uintptr_t)dr->rig.raw.mem + (1 << 15), ROOM, dr->rig.raw.mr->lkey };
    struct ibv_recv_wr wr = { .wr_id = 99, .sg_list = &sge, .num_sge = 1 }, *bad;
    struct receiver to;

    to.cq = rig.cq = ibv_create_cq(dr->ctx, WQES, NULL, NULL, 0);
    CHECK(to.cq);
    to.qp = raw_qp(&rig, 0);
    CHECK(to.qp);
    raw_states(to.qp, IBV_QPS_RTR);
    for (unsigned i = 0; i < num; i++)
        CHECK_EQ(ibv_post_recv(to.qp, &wr, &bad), 0);
    return to;
}

static void receiver_close(struct receiver *to)
{
    CHECK_EQ(ibv_destroy_qp(to->qp), 0);
    CHECK_EQ(ibv_destroy_cq(to->cq), 0);
}

/* Return the number of frames that have arrived. */
static unsigned received_by(struct receiver *to)
{
    struct ibv_wc wc;
    unsigned num = 0;

    for (; ibv_poll_cq(to->cq, 1, &wc) == 1; num++) {
        CHECK_EQ(wc.status, IBV_WC_SUCCESS);
        CHECK_EQ(wc.wr_id, 99);
    }
    return num;
}

/* Destinations: a raw packet QP of verbs, a TIR, and a table whose rule sends frames to the TIR. */
static void an_array_sends_frames_to_each_destination(void)
{
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct receiver receiver = receiver_open(&dr, 4);
    struct made counter = counters_of(dr.ctx, 0);
    struct mlx5dv_dr_table *next = mlx5dv_dr_table_create(dr.domain, LEVEL_1 + 1);
    struct mlx5dv_dr_matcher *matcher = matcher_of(next, 0, SMAC_15_0, 16);
    struct mlx5dv_dr_action *to[] = {
        mlx5dv_dr_action_create_dest_ibv_qp(receiver.qp),
        mlx5dv_dr_action_create_dest_devx_tir(dr.rig.tir.obj),
        mlx5dv_dr_action_create_dest_table(next),
        mlx5dv_dr_action_create_flow_counter(counter.obj, 0) }, *array;
    struct mlx5dv_dr_action_dest_attr attr[4], *list[4];
    struct mlx5dv_dr_rule *rule, *of_next;

    for (unsigned i = 0; i < 4; i++) {
        attr[i] = (struct mlx5dv_dr_action_dest_attr){ .type = MLX5DV_DR_ACTION_DEST,
                                                       .dest = to[i] };
        list[i] = &attr[i];
        CHECK(to[i]);
    }
    array = mlx5dv_dr_action_create_dest_array(dr.domain, 4, list);
    CHECK(array);
    rule = rule_of(dr.matcher, SMAC_15_0, 16, 7, 1, &array);
    of_next = rule_of(matcher, SMAC_15_0, 16, 7, 1, &to[1]);
    CHECK(rule && of_next);
    CHECK_EQ(pass(&dr, 7, NULL), 2);
    CHECK_EQ(received_by(&receiver), 1);
    CHECK_EQ(mlx5dv_dr_rule_destroy(of_next), 0);
    CHECK_EQ(pass(&dr, 7, NULL), 1);
    CHECK_EQ(received_by(&receiver), 1);
    CHECK_EQ(pass(&dr, 8, NULL), 0);
    CHECK_EQ(counted(&counter, 0, NULL), 2);
    CHECK(ibv_destroy_qp(receiver.qp));         /* the array uses the TIR of the QP */
    CHECK_EQ(mlx5dv_dr_rule_destroy(rule), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(array), 0);
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQ(mlx5dv_dr_action_destroy(to[i]), 0);
    CHECK_EQ(mlx5dv_dr_matcher_destroy(matcher), 0);
    CHECK_EQ(mlx5dv_dr_table_destroy(next), 0);
    unmake(&counter);
    receiver_close(&receiver);
    dr_close(&dr);
}

/* One frame in three has a copy, with a tag of its own. All frames pass to the next table. */
static void a_sampler_copies_some_frames(void)
{
    enum { RATIO = 3, FRAMES = 12 };
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct receiver receiver = receiver_open(&dr, FRAMES);
    struct mlx5dv_dr_table *next = mlx5dv_dr_table_create(dr.domain, LEVEL_1 + 1);
    struct mlx5dv_dr_matcher *matcher = matcher_of(next, 0, SMAC_15_0, 16);
    struct mlx5dv_dr_action *to_tir = mlx5dv_dr_action_create_dest_devx_tir(dr.rig.tir.obj);
    struct mlx5dv_dr_action *sample[] = { mlx5dv_dr_action_create_tag(0x77),
        mlx5dv_dr_action_create_dest_ibv_qp(receiver.qp) };
    struct mlx5dv_dr_flow_sampler_attr attr = { .sample_ratio = RATIO, .default_next_table = next,
        .num_sample_actions = 2, .sample_actions = sample };
    struct mlx5dv_dr_action *sampler = mlx5dv_dr_action_create_flow_sampler(&attr);
    struct mlx5dv_dr_rule *rule, *of_next;
    unsigned num = 0;

    CHECK(sampler);
    rule = rule_of(dr.matcher, SMAC_15_0, 16, 7, 1, &sampler);
    of_next = rule_of(matcher, SMAC_15_0, 16, 7, 1, &to_tir);
    CHECK(rule && of_next);
    for (unsigned i = 0; i < FRAMES; i++) {
        CHECK_EQ(pass(&dr, 7, NULL), 1);
        num += received_by(&receiver);
    }
    CHECK_EQ(num, FRAMES / RATIO);
    CHECK_EQ(pass(&dr, 8, NULL), 0);
    CHECK_EQ(mlx5dv_dr_rule_destroy(of_next), 0);
    CHECK_EQ(mlx5dv_dr_rule_destroy(rule), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(sampler), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(sample[0]), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(sample[1]), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(to_tir), 0);
    CHECK_EQ(mlx5dv_dr_matcher_destroy(matcher), 0);
    CHECK_EQ(mlx5dv_dr_table_destroy(next), 0);
    receiver_close(&receiver);
    dr_close(&dr);
}

/* ---- sent packets --------------------------------------------------------------------------- */

static void rules_drop_frames_that_are_sent(void)
{
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_TX);
    struct table table = table_of(dr.ctx, RX, 0, 0, NULL);
    struct made group = group_of(dr.ctx, &table, 0, 0, 0, 0);
    struct entry entry = entry_of(&table, &group, 0, FORWARD);
    struct mlx5dv_dr_action *drop = mlx5dv_dr_action_create_drop();
    struct mlx5dv_dr_rule *rule;
    struct made all;
    struct root root;

    entry_to(&entry, DEST_TIR, dr.rig.tir.number);
    all = entry_make(dr.ctx, &entry);
    CHECK_EQ(all.status, OK);
    root = root_to(dr.ctx, &table);
    CHECK_EQ(pass(&dr, 7, NULL), 1);            /* without a rule, a frame leaves */
    rule = rule_of(dr.matcher, SMAC_15_0, 16, 7, 1, &drop);
    CHECK(rule);
    CHECK_EQ(pass(&dr, 7, NULL), 0);
    CHECK_EQ(pass(&dr, 8, NULL), 1);
    CHECK_EQ(mlx5dv_dr_rule_destroy(rule), 0);
    CHECK_EQ(pass(&dr, 7, NULL), 1);
    CHECK_EQ(mlx5dv_dr_action_destroy(drop), 0);
    root_end(&root);
    unmake(&all);
    unmake(&group);
    unmake(&table.made);
    dr_close(&dr);
}

/* ---- wrong inputs --------------------------------------------------------------------------- */

/* Create a table of software with these values at bits of its context. Return the status. */
static int owned(struct ibv_context *ctx, uint64_t root, unsigned bit, unsigned width,
                 uint64_t value, struct table *table)
{
    uint8_t in[0x40] = { 0 };

    put(in, 0xc0 + 0x02, 1, 1);
    put(in, 0xc0 + 0x100, 64, root);
    put(in, 0xc0 + bit, width, value);
    table->made = make(ctx, in, sizeof(in), 0x930, 0x48);
    return table->made.status;
}

/* The address by which steering entries name a table. */
static uint64_t root_address_of(const struct table *table)
{
    uint8_t in[0x40] = { 0 }, out[0x40] = { 0 };

    put(in, 0, 16, 0x932);
    put(in, 0x80, 8, table->type);
    put(in, 0xa8, 24, table->made.number);
    CHECK_EQ(mlx5dv_devx_obj_query(table->made.obj, in, sizeof(in), out, sizeof(out)), 0);
    return get(out, 0xc0 + 0x100, 64);
}

static void wrong_tables_of_software_are_refused(void)
{
    struct rig rig = rig_open(0);
    struct table table = { .type = RX }, other;
    uint8_t in[0x400], out[16] = { 0 };
    struct made group;
    struct entry entry;

    CHECK_EQ(owned(rig.ctx, 0x100000020, 0x08, 8, 1, &table), BAD_PARAM);       /* not 64 bytes */
    CHECK_EQ(owned(rig.ctx, 0x100000000, 0x08, 8, 128, &table), BAD_PARAM);      /* level */
    CHECK_EQ(owned(rig.ctx, 0x100000000, 0x18, 8, 4, &table), BAD_PARAM);       /* size */
    CHECK_EQ(owned(rig.ctx, 0x100000000, 0x04, 4, 1, &table), BAD_PARAM);       /* next table */
    CHECK_EQ(owned(rig.ctx, 0x100000000, 0x03, 1, 1, &table), BAD_PARAM);       /* terminating */
    CHECK_EQ(owned(rig.ctx, 0x100000000, 0x08, 8, 1, &table), OK);
    fill_group(in, &table, 0, 0, 0, 0);
    CHECK_EQ(make(rig.ctx, in, sizeof(in), 0x933, 0x48).status, BAD_PARAM);
    other = table_of(rig.ctx, RX, 2, 0, NULL);
    group = group_of(rig.ctx, &other, 0, 0, 0, 0);
    entry = entry_of(&table, &group, 0, DROP);  /* the group of another table */
    CHECK_EQ(entry_make(rig.ctx, &entry).status, BAD_PARAM);
    memset(in, 0, sizeof(in));
    put(in, 0, 16, 0x93c);
    put(in, 0x70, 16, 1);
    put(in, 0xa8, 24, table.made.number);
    put(in, 0xc0 + 0x04, 4, 1);
    put(in, 0xc0 + 0x28, 24, other.made.number);
    CHECK(mlx5dv_devx_obj_modify(table.made.obj, in, 0x40, out, sizeof(out)));
    CHECK_EQ(out[0], BAD_PARAM);
    CHECK_EQ(root_address_of(&table), 0x100000000);
    CHECK(root_address_of(&other) != 0 && root_address_of(&other) != 0x100000000);
    unmake(&group);
    unmake(&other.made);
    unmake(&table.made);
    rig_close(&rig);
}

/* A command for a sampler. */
static void fill_sampler(uint8_t in[0x58], uint32_t ratio, unsigned level, uint32_t sample,
                         uint32_t table)
{
    memset(in, 0, 0x58);
    put(in, 0x30, 16, 0x20);
    put(in, 0x80 + 0x48, 8, level);
    put(in, 0x80 + 0x60, 32, ratio);
    put(in, 0x80 + 0x88, 24, sample);
    put(in, 0x80 + 0xa8, 24, table);
}

static void wrong_samplers_are_refused(void)
{
    struct rig rig = rig_open(0), other = rig_open(0);
    struct table low = table_of(rig.ctx, RX, 3, 0, NULL), high = table_of(rig.ctx, RX, 4, 0, NULL);
    struct table tx = table_of(rig.ctx, TX, 4, 0, NULL);
    uint32_t sample = low.made.number, next = high.made.number;
    uint8_t in[0x58], query[16] = { 0 }, out[0x58] = { 0 };
    struct made made;

    fill_sampler(in, 0, 1, sample, next);
    CHECK_EQ(make(rig.ctx, in, sizeof(in), 0xa00, 0x40).status, BAD_PARAM);
    fill_sampler(in, 2, 3, sample, next);       /* the level of a table */
    CHECK_EQ(make(rig.ctx, in, sizeof(in), 0xa00, 0x40).status, BAD_PARAM);
    fill_sampler(in, 2, 128, sample, next);
    CHECK_EQ(make(rig.ctx, in, sizeof(in), 0xa00, 0x40).status, BAD_PARAM);
    fill_sampler(in, 2, 1, sample, tx.made.number);
    CHECK_EQ(make(rig.ctx, in, sizeof(in), 0xa00, 0x40).status, BAD_PARAM);
    fill_sampler(in, 2, 1, sample, 0xffffff);
    CHECK_EQ(make(rig.ctx, in, sizeof(in), 0xa00, 0x40).status, BAD_RESOURCE);
    fill_sampler(in, 2, 1, sample, next);
    CHECK_EQ(make(other.ctx, in, sizeof(in), 0xa00, 0x40).status, BAD_RESOURCE);
    CHECK_EQ(make(rig.ctx, in, 0x30, 0xa00, 0x40).status, BAD_INPUT_LEN);
    made = make(rig.ctx, in, sizeof(in), 0xa00, 0x40);
    CHECK_EQ(made.status, OK);
    CHECK(mlx5dv_devx_obj_destroy(low.made.obj));       /* it is in use */
    CHECK(mlx5dv_devx_obj_destroy(high.made.obj));
    put(query, 0, 16, 0xa02);
    put(query, 0x30, 16, 0x20);
    put(query, 0x40, 32, made.number);
    CHECK_EQ(mlx5dv_devx_obj_query(made.obj, query, sizeof(query), out, sizeof(out)), 0);
    CHECK_EQ(get(out, 0x80 + 0x60, 32), 2);
    CHECK_EQ(get(out, 0x80 + 0x88, 24), sample);
    CHECK_EQ(get(out, 0x80 + 0xa8, 24), next);
    CHECK(get(out, 0x80 + 0xc0, 64) != 0);
    CHECK_EQ(get(out, 0x80 + 0x100, 64), 0);    /* the address for packets that are sent */
    CHECK(mlx5dv_devx_obj_query(made.obj, query, sizeof(query), out, 0x20));
    put(query, 0x40, 32, made.number + 1);
    CHECK(mlx5dv_devx_obj_query(made.obj, query, sizeof(query), out, sizeof(out)));
    unmake(&made);
    unmake(&low.made);
    unmake(&high.made);
    unmake(&tx.made);
    rig_close(&other);
    rig_close(&rig);
}

/* The number of the TIR of a QP is that of rdma-core's QP: only its own client can use it. */
static void the_tir_of_a_qp_belongs_to_its_client(void)
{
    struct raw raw = raw_open(0);
    struct rig other = rig_open(0);
    struct ibv_qp *rc = rig_loop(&raw.rig, (struct rig_qp_options){ 0 });
    struct ibv_context *ctx[] = { raw.rig.ctx, other.ctx, raw.rig.ctx };
    const uint32_t numbers[] = { raw.qp->qp_num, raw.qp->qp_num, rc->qp_num };
    const int expected[] = { OK, BAD_RESOURCE, BAD_RESOURCE };

    for (unsigned i = 0; i < 3; i++) {
        struct table table = table_of(ctx[i], RX, 0, 0, NULL);
        struct made group = group_of(ctx[i], &table, 0, 0, 0, 0), made;
        struct entry entry = entry_of(&table, &group, 0, FORWARD);
        uint8_t query[0x40] = { 0 }, out[0x400] = { 0 };

        entry_to(&entry, DEST_TIR, 0x800000 | numbers[i]);
        made = entry_make(ctx[i], &entry);
        CHECK_EQ(made.status, expected[i]);
        if (made.obj) {
            memcpy(query, entry.in, sizeof(query));
            put(query, 0, 16, 0x937);
            CHECK_EQ(mlx5dv_devx_obj_query(made.obj, query, sizeof(query), out, sizeof(out)), 0);
            CHECK_EQ(get(out, LIST, 32), DEST_TIR << 24 | 0x800000 | numbers[i]);
            unmake(&made);
        }
        unmake(&group);
        unmake(&table.made);
    }
    CHECK_EQ(ibv_destroy_qp(rc), 0);
    rig_close(&other);
    raw_close(&raw);
}

static void a_terminating_table_has_no_next_table(void)
{
    struct rig rig = rig_open(0);
    struct table last = table_of(rig.ctx, RX, 1, 0, NULL), table = { .type = RX };
    uint8_t in[0x40] = { 0 };
    struct made group;
    struct entry entry;

    put(in, 0xc0 + 0x03, 1, 1);
    table.made = make(rig.ctx, in, sizeof(in), 0x930, 0x48);
    CHECK_EQ(table.made.status, OK);
    group = group_of(rig.ctx, &table, 0, 0, 0, 0);
    entry = entry_of(&table, &group, 0, FORWARD);
    entry_to(&entry, DEST_TABLE, last.made.number);
    CHECK_EQ(entry_make(rig.ctx, &entry).status, BAD_PARAM);
    unmake(&group);
    unmake(&table.made);
    unmake(&last.made);
    rig_close(&rig);
}

static void a_table_without_entries_drops_frames(void)
{
    struct flow_rig rig = flow_open(0);
    struct ibv_context *ctx = rig.raw.rig.ctx;
    static const uint64_t roots[] = { 0x100000000, 0, 0x8000000000, 0xf000000000, 0x9000004000 };

    for (unsigned i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
        struct table table = { .type = RX };
        struct root root;

        CHECK_EQ(owned(ctx, roots[i], 0x08, 8, 1, &table), OK);
        root = root_to(ctx, &table);
        CHECK(!flow_arrives(&rig, 7));
        root_end(&root);
        unmake(&table.made);
    }
    flow_close(&rig);
}

static void wrong_sync_commands_are_refused(void)
{
    struct rig rig = rig_open(0);
    uint8_t in[0x20] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, SYNC);
    CHECK_EQ(mlx5dv_devx_general_cmd(rig.ctx, in, sizeof(in), out, sizeof(out)), 0);
    CHECK(mlx5dv_devx_general_cmd(rig.ctx, in, sizeof(in) - 4, out, sizeof(out)));
    CHECK_EQ(out[0], BAD_INPUT_LEN);
    put(in, 0x30, 16, 1);
    CHECK(mlx5dv_devx_general_cmd(rig.ctx, in, sizeof(in), out, sizeof(out)));
    CHECK_EQ(out[0], BAD_PARAM);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(rules_tag_count_and_send_frames_to_a_tir),
    RIG_CASE(each_of_many_rules_takes_its_frames),
    RIG_CASE(a_changed_frame_passes_to_the_next_table),
    RIG_CASE(a_matcher_for_ports_needs_the_version_of_ip),
    RIG_CASE(an_array_sends_frames_to_each_destination),
    RIG_CASE(a_sampler_copies_some_frames),
    RIG_CASE(rules_drop_frames_that_are_sent),
    RIG_CASE(wrong_tables_of_software_are_refused),
    RIG_CASE(wrong_samplers_are_refused),
    RIG_CASE(the_tir_of_a_qp_belongs_to_its_client),
    RIG_CASE(a_terminating_table_has_no_next_table),
    RIG_CASE(a_table_without_entries_drops_frames),
    RIG_CASE(wrong_sync_commands_are_refused),
};

RIG_MAIN(cases)

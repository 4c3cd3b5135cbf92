/*
 * Many rules and entries: they take the device process no long time, whatever a program does with
 * them.
 */
#include "flow_rig.h"

enum { PORT = 7, NO_PORT = 8 };         /* UDP ports: of the frames, and of no frame */

/* Make an entry for a port that no frame has, for each of the first `num` indices. */
static void fill(struct ibv_context *ctx, const struct table *table, const struct made *group,
                 struct made *made, unsigned num)
{
    for (unsigned i = 0; i < num; i++) {
        struct entry entry = entry_of(table, group, i, DROP);

        put(entry.in, VALUE + UDP_DPORT, 16, NO_PORT);
        made[i] = entry_make(ctx, &entry);
        CHECK_EQ(made[i].status, OK);
    }
}

/* Each of the first tables sends a frame 8 times to the next one. The last of them has many entries
 * that do not match, so that the device does not follow all ways to the table behind it. */
static void comparing_a_frame_with_entries_has_a_limit(void)
{
    enum { FIRST = 4, LOG_MANY = 10, MANY = 1 << LOG_MANY };
    static struct made many[MANY];
    struct flow_rig rig = flow_open(0);
    struct ibv_context *ctx = rig.raw.rig.ctx;
    struct made counter = counters_of(ctx, 0), groups[FIRST], made[FIRST], last, group, end;
    struct table behind = table_of(ctx, RX, FIRST + 1, 0, NULL);
    struct table slow = table_of_size(ctx, RX, FIRST, 0, &behind, LOG_MANY), tables[FIRST];
    struct entry entry;
    struct root root;

    end = group_of(ctx, &behind, 0, 0, 0, 0);
    entry = entry_of(&behind, &end, 0, DROP | COUNT);
    entry_counts(&entry, counter.number);
    last = entry_make(ctx, &entry);
    group = group_of(ctx, &slow, 0, MANY - 1, UDP_DPORT, 16);
    fill(ctx, &slow, &group, many, MANY);
    for (unsigned i = FIRST; i-- > 0;) {
        const struct table *next = i == FIRST - 1 ? &slow : &tables[i + 1];

        tables[i] = table_of(ctx, RX, i, 0, NULL);
        groups[i] = group_of(ctx, &tables[i], 0, 0, 0, 0);
        entry = entry_of(&tables[i], &groups[i], 0, FORWARD);
        for (unsigned k = 0; k < 8; k++)
            entry_to(&entry, DEST_TABLE, next->made.number);
        made[i] = entry_make(ctx, &entry);
        CHECK_EQ(made[i].status, OK);
    }
    root = root_to(ctx, &tables[0]);
    CHECK_EQ(flow_pass(&rig, flow_frame(&rig, 4, 5, PORT), 0, NULL), 0);
    CHECK(counted(&counter, 0, NULL) > 100);
    CHECK(counted(&counter, 0, NULL) < 300);
    root_end(&root);
    for (unsigned i = 0; i < FIRST; i++) {
        unmake(&made[i]);
        unmake(&groups[i]);
        unmake(&tables[i].made);
    }
    for (unsigned i = 0; i < MANY; i++)
        unmake(&many[i]);
    unmake(&group);
    unmake(&slow.made);
    unmake(&last);
    unmake(&end);
    unmake(&behind.made);
    unmake(&counter);
    flow_close(&rig);
}

/* Each table sends a frame 8 times to the next one, and the last one lets all copies leave. */
static void copies_that_leave_have_a_limit(void)
{
    enum { TABLES = 5 };
    struct flow_rig rig = flow_open(0);
    struct ibv_context *ctx = rig.raw.rig.ctx;
    struct made counter = counters_of(ctx, 0), groups[TABLES - 1], made[TABLES - 1];
    struct mlx5dv_flow_action_attr drop[] = {
        { .type = MLX5DV_FLOW_ACTION_DROP },
        { .type = MLX5DV_FLOW_ACTION_COUNTERS_DEVX, .obj = counter.obj } };
    struct table tables[TABLES];
    struct root sent, received = root_of(ctx, RX, drop, 2);

    CHECK(received.flow);
    tables[TABLES - 1] = table_of(ctx, TX, TABLES - 1, 0, NULL);
    for (unsigned i = TABLES - 1; i-- > 0;) {
        struct entry entry;

        tables[i] = table_of(ctx, TX, i, 0, NULL);
        groups[i] = group_of(ctx, &tables[i], 0, 0, 0, 0);
        entry = entry_of(&tables[i], &groups[i], 0, FORWARD);
        for (unsigned k = 0; k < 8; k++)
            entry_to(&entry, DEST_TABLE, tables[i + 1].made.number);
        made[i] = entry_make(ctx, &entry);
        CHECK_EQ(made[i].status, OK);
    }
    sent = root_to(ctx, &tables[0]);
    CHECK_EQ(flow_pass(&rig, flow_frame(&rig, 4, 5, PORT), 0, NULL), 0);
    CHECK(counted(&counter, 0, NULL) > 100);
    CHECK(counted(&counter, 0, NULL) <= 1024);
    root_end(&sent);
    root_end(&received);
    for (unsigned i = 0; i < TABLES - 1; i++) {
        unmake(&made[i]);
        unmake(&groups[i]);
    }
    for (unsigned i = 0; i < TABLES; i++)
        unmake(&tables[i].made);
    unmake(&counter);
    flow_close(&rig);
}

/* The limits are for entries: a function may have more rules for the same frames. */
static void equal_rules_have_no_limit(void)
{
    enum { RULES = 1100 };
    static struct ibv_flow *flows[RULES];
    struct { size_t len; uint64_t bytes[64]; } none = { .len = 64 };
    struct flow_rig rig = flow_open(0);
    struct ibv_context *ctx = rig.raw.rig.ctx;
    struct made counter = counters_of(ctx, 0);
    struct mlx5dv_flow_action_attr drop[] = {
        { .type = MLX5DV_FLOW_ACTION_DROP },
        { .type = MLX5DV_FLOW_ACTION_COUNTERS_DEVX, .obj = counter.obj } };
    struct root root = root_of(ctx, RX, drop, 2);

    for (unsigned i = 0; i < RULES; i++) {
        flows[i] = mlx5dv_create_flow(
            root.matcher, (struct mlx5dv_flow_match_parameters *)(uintptr_t)&none, 2, drop);
        CHECK(flows[i]);
    }
    CHECK_EQ(flow_pass(&rig, flow_frame(&rig, 4, 5, PORT), 0, NULL), 0);
    CHECK_EQ(counted(&counter, 0, NULL), RULES + 1);
    for (unsigned i = 0; i < RULES; i++)
        CHECK_EQ(ibv_destroy_flow(flows[i]), 0);
    root_end(&root);
    unmake(&counter);
    flow_close(&rig);
}

/* A frame passes all levels of both directions, and each table changes it. Also run with a small
 * stack. */
static void a_frame_can_be_changed_in_each_level(void)
{
    enum { LEVELS = 128, ALL = 2 * LEVELS };
    static struct table tables[ALL];
    static struct made groups[ALL], made[ALL];
    struct flow_rig rig = flow_open(0);
    struct ibv_context *ctx = rig.raw.rig.ctx;
    struct root root[2];

    for (unsigned i = ALL; i-- > 0;) {
        const unsigned type = i / LEVELS, level = i % LEVELS;
        const bool last = level == LEVELS - 1;
        struct entry entry;

        tables[i] = table_of(ctx, type, level, 0, NULL);
        groups[i] = group_of(ctx, &tables[i], 0, 0, 0, 0);
        entry = entry_of(&tables[i], &groups[i], 0, POP | (last && type == TX ? ALLOW : FORWARD));
        if (!last)
            entry_to(&entry, DEST_TABLE, tables[i + 1].made.number);
        else if (type == RX)
            entry_to(&entry, DEST_TIR, rig.tir.number);
        made[i] = entry_make(ctx, &entry);
        CHECK_EQ(made[i].status, OK);
    }
    for (unsigned type = RX; type <= TX; type++)
        root[type] = root_to(ctx, &tables[type * LEVELS]);
    CHECK(flow_arrives(&rig, PORT));
    root_end(&root[RX]);
    root_end(&root[TX]);
    for (unsigned i = 0; i < ALL; i++) {
        unmake(&made[i]);
        unmake(&groups[i]);
        unmake(&tables[i].made);
    }
    flow_close(&rig);
}

/* A program ends without destroying its entries. The device destroys them in a small part of the
 * time that it took to make them. The counters of the program are its oldest objects, so they are
 * destroyed after the entries. */
static void a_program_with_many_entries_ends_quickly(void)
{
    enum { LOG_MANY = 13, MANY = 1 << LOG_MANY };
    static struct made many[MANY];
    struct rig rig = rig_open(0), other = rig_open(0);
    struct made all[2] = { counters_of(rig.ctx, 0x80), counters_of(rig.ctx, 0x80) }, group, free;
    struct table table = table_of_size(rig.ctx, RX, 0, 0, NULL, LOG_MANY);
    double start = rig_device_seconds(), made, ended;
    unsigned num_tries = 0;

    CHECK(all[0].status == OK && all[1].status == OK && table.made.status == OK);
    group = group_of(rig.ctx, &table, 0, MANY - 1, UDP_DPORT, 16);
    fill(rig.ctx, &table, &group, many, MANY);
    CHECK_EQ(counters_of(other.ctx, 0).status, NO_RESOURCES);
    made = rig_device_seconds() - start;
    rig_close(&rig);
    start = rig_device_seconds();
    while ((free = counters_of(other.ctx, 0)).status == NO_RESOURCES && num_tries++ < 60000)
        usleep(1000);
    ended = rig_device_seconds() - start;
    CHECK_EQ(free.status, OK);
    CHECK(ended * 5 < made);
    unmake(&free);
    rig_close(&other);
}

static const struct rig_case cases[] = {
    RIG_CASE(comparing_a_frame_with_entries_has_a_limit),
    RIG_CASE(copies_that_leave_have_a_limit),
    RIG_CASE(equal_rules_have_no_limit),
    RIG_CASE(a_frame_can_be_changed_in_each_level),
    RIG_CASE(a_program_with_many_entries_ends_quickly),
};

RIG_MAIN(cases)

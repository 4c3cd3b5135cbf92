/*
 * Flow tables made by firmware commands: groups, entries, counters, and the way of frames through
 * them. A rule of mlx5dv sends the frames of a function to the first table.
 */
#include "flow_rig.h"

#include <sys/wait.h>

/* A table for received packets with one group, which matches the UDP destination port. */
struct one {
    struct flow_rig rig;
    struct ibv_context *ctx;
    struct table table;
    struct made group;
    struct root root;
};

static struct one one_open(void)
{
    struct one one = { .rig = flow_open(0) };

    one.ctx = one.rig.raw.rig.ctx;
    one.table = table_of(one.ctx, RX, 0, 0, NULL);
    CHECK(one.table.made.obj);
    one.group = group_of(one.ctx, &one.table, 0, 7, UDP_DPORT, 16);
    CHECK(one.group.obj);
    one.root = root_to(one.ctx, &one.table);
    return one;
}

static void one_close(struct one *one)
{
    root_end(&one->root);
    unmake(&one->group);
    unmake(&one->table.made);
    flow_close(&one->rig);
}

/* An entry of the group for this port. */
static struct entry one_entry(struct one *one, unsigned index, uint16_t dport, unsigned action)
{
    struct entry entry = entry_of(&one->table, &one->group, index, action);

    put(entry.in, VALUE + UDP_DPORT, 16, dport);
    return entry;
}

static struct made one_to_tir(struct one *one, unsigned index, uint16_t dport, uint32_t tag)
{
    struct entry entry = one_entry(one, index, dport, FORWARD);
    struct made made;

    put(entry.in, CONTEXT + 0x48, 24, tag);
    entry_to(&entry, DEST_TIR, one->rig.tir.number);
    made = entry_make(one->ctx, &entry);
    CHECK_EQ(made.status, OK);
    return made;
}

/* ---- the way of frames ---------------------------------------------------------------------- */

static void an_entry_sends_frames_to_its_tir(void)
{
    struct one one = one_open();
    struct made entry = one_to_tir(&one, 3, 7, 0x1234), counter = counters_of(one.ctx, 0), other;
    struct entry drop = one_entry(&one, 5, 9, DROP | COUNT);
    uint32_t len = flow_frame(&one.rig, 4, 5, 7);
    struct got got;
    uint64_t bytes;

    CHECK_EQ(flow_pass(&one.rig, len, 0, &got), 1);
    CHECK_EQ(got.len, len);
    CHECK_EQ(memcmp(got.bytes, one.rig.raw.mem, len), 0);
    CHECK_EQ(got.tag, 0x1234);
    CHECK(!flow_arrives(&one.rig, 8));          /* no entry */
    CHECK(!flow_arrives(&one.rig, 9));
    entry_counts(&drop, counter.number);
    other = entry_make(one.ctx, &drop);
    CHECK_EQ(other.status, OK);
    CHECK(!flow_arrives(&one.rig, 9));
    CHECK_EQ(counted(&counter, 0, &bytes), 1);
    CHECK_EQ(bytes, len);
    unmake(&entry);
    CHECK(!flow_arrives(&one.rig, 7));
    CHECK_EQ(counted(&counter, 0, NULL), 1);
    unmake(&other);
    unmake(&counter);
    one_close(&one);
}

static void the_entry_with_the_lowest_index_takes_a_frame(void)
{
    struct one one = one_open();
    struct made any = group_of(one.ctx, &one.table, 8, 15, 0, 0), last, first, between;
    struct entry drop = entry_of(&one.table, &any, 8, DROP);
    struct got got;

    last = one_to_tir(&one, 7, 7, 7);
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 5, 7), 0, &got), 1);
    CHECK_EQ(got.tag, 7);
    first = one_to_tir(&one, 2, 7, 2);          /* made later, but comes first */
    between = entry_make(one.ctx, &drop);
    CHECK_EQ(between.status, OK);
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 5, 7), 0, &got), 1);
    CHECK_EQ(got.tag, 2);
    unmake(&first);
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 5, 7), 0, &got), 1);
    CHECK_EQ(got.tag, 7);
    unmake(&last);
    CHECK(!flow_arrives(&one.rig, 7));
    unmake(&between);
    unmake(&any);
    one_close(&one);
}

/* Change the next table of a table. Return the status. */
static int set_miss(const struct table *table, uint32_t next, unsigned select)
{
    uint8_t in[0x40] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0x93c);
    put(in, 0x70, 16, select);
    put(in, 0x80, 8, table->type);
    put(in, 0xa8, 24, table->made.number);
    put(in, 0xc0 + 0x04, 4, next != 0);
    put(in, 0xc0 + 0x28, 24, next);
    errno = 0;
    return command_status(mlx5dv_devx_obj_modify(table->made.obj, in, sizeof(in), out,
                                                 sizeof(out)), out);
}

/* The first table sends port 7 to the second one, and frames without a match to the third one. */
static void frames_pass_from_table_to_table(void)
{
    struct one one = one_open();
    struct table second = table_of(one.ctx, RX, 1, 0, NULL);
    struct table third = table_of(one.ctx, RX, 2, 0, NULL);
    struct made groups[2] = { group_of(one.ctx, &second, 0, 0, UDP_SPORT, 16),
                              group_of(one.ctx, &third, 0, 0, 0, 0) };
    struct entry jump = one_entry(&one, 0, 7, FORWARD);
    struct entry in_second = entry_of(&second, &groups[0], 0, FORWARD);
    struct entry in_third = entry_of(&third, &groups[1], 0, FORWARD);
    struct made made[3];
    struct got got;

    put(jump.in, CONTEXT + 0x48, 24, 0x11);
    entry_to(&jump, DEST_TABLE, second.made.number);
    put(in_second.in, VALUE + UDP_SPORT, 16, 5);
    entry_to(&in_second, DEST_TIR, one.rig.tir.number);
    put(in_third.in, CONTEXT + 0x48, 24, 0x33);
    entry_to(&in_third, DEST_TIR, one.rig.tir.number);
    made[0] = entry_make(one.ctx, &jump);
    made[1] = entry_make(one.ctx, &in_second);
    made[2] = entry_make(one.ctx, &in_third);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ(made[i].status, OK);
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 5, 7), 0, &got), 1);
    CHECK_EQ(got.tag, 0x11);                    /* of the entry in the first table */
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 6, 7), 0, NULL), 0);
    CHECK(!flow_arrives(&one.rig, 8));          /* the first table has no next one */
    CHECK_EQ(set_miss(&one.table, third.made.number, 1), OK);
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 5, 8), 0, &got), 1);
    CHECK_EQ(got.tag, 0x33);
    CHECK_EQ(set_miss(&second, third.made.number, 1), OK);
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 6, 7), 0, &got), 1);
    CHECK_EQ(got.tag, 0x33);
    CHECK_EQ(set_miss(&second, 0, 1), OK);
    CHECK_EQ(set_miss(&one.table, 0, 1), OK);
    CHECK(!flow_arrives(&one.rig, 8));
    for (unsigned i = 0; i < 3; i++)
        unmake(&made[i]);
    for (unsigned i = 0; i < 2; i++)
        unmake(&groups[i]);
    unmake(&third.made);
    unmake(&second.made);
    one_close(&one);
}

static void wrong_next_tables_are_refused(void)
{
    struct one one = one_open();
    struct table low = table_of(one.ctx, RX, 0, 0, NULL), tx = table_of(one.ctx, TX, 9, 0, NULL);
    struct table high = table_of(one.ctx, RX, 9, 0, NULL);

    CHECK_EQ(set_miss(&one.table, low.made.number, 1), BAD_PARAM);
    CHECK_EQ(set_miss(&one.table, tx.made.number, 1), BAD_PARAM);
    CHECK_EQ(set_miss(&one.table, 0xfffff, 1), BAD_RESOURCE);
    CHECK_EQ(set_miss(&one.table, high.made.number, 0), BAD_PARAM);     /* selects no field */
    CHECK_EQ(set_miss(&one.table, high.made.number, 0x8001), BAD_PARAM);
    CHECK_EQ(set_miss(&one.table, high.made.number, 1), OK);
    CHECK(mlx5dv_devx_obj_destroy(high.made.obj) != 0);         /* in use */
    CHECK_EQ(set_miss(&one.table, 0, 1), OK);
    unmake(&high.made);
    unmake(&tx.made);
    unmake(&low.made);
    one_close(&one);
}

static void each_destination_gets_a_copy(void)
{
    struct one one = one_open();
    struct table second = table_of(one.ctx, RX, 1, 0, NULL);
    struct made any = group_of(one.ctx, &second, 0, 0, 0, 0), made[2];
    struct entry both = one_entry(&one, 0, 7, FORWARD);
    struct entry in_second = entry_of(&second, &any, 0, FORWARD);

    entry_to(&both, DEST_TIR, one.rig.tir.number);
    entry_to(&both, DEST_TABLE, second.made.number);
    entry_to(&both, DEST_TIR, one.rig.tir.number);
    made[0] = entry_make(one.ctx, &both);
    entry_to(&in_second, DEST_TIR, one.rig.tir.number);
    made[1] = entry_make(one.ctx, &in_second);
    CHECK(made[0].obj && made[1].obj);
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 5, 7), 0, NULL), 3);
    unmake(&made[0]);
    unmake(&made[1]);
    unmake(&any);
    unmake(&second.made);
    one_close(&one);
}

/* Each of 12 tables sends a frame 8 times to the next one: the device does not follow all ways. */
static void frames_that_multiply_do_not_stop_the_device(void)
{
    enum { TABLES = 12 };
    struct one one = one_open();
    struct table tables[TABLES];
    struct made groups[TABLES], made[TABLES], counter = counters_of(one.ctx, 0);
    struct root root;

    for (unsigned i = 0; i < TABLES; i++) {
        struct entry entry;

        tables[i] = table_of(one.ctx, RX, TABLES - i, 0, NULL);
        groups[i] = group_of(one.ctx, &tables[i], 0, 0, 0, 0);
        entry = entry_of(&tables[i], &groups[i], 0, i ? FORWARD : DROP | COUNT);
        for (unsigned k = 0; i && k < 8; k++)
            entry_to(&entry, DEST_TABLE, tables[i - 1].made.number);
        if (i == 0)
            entry_counts(&entry, counter.number);
        made[i] = entry_make(one.ctx, &entry);
        CHECK_EQ(made[i].status, OK);
    }
    root_end(&one.root);
    root = root_to(one.ctx, &tables[TABLES - 1]);
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 5, 7), 0, NULL), 0);
    CHECK(counted(&counter, 0, NULL) > 0);
    CHECK(counted(&counter, 0, NULL) < 10000);
    root_end(&root);
    for (unsigned i = TABLES; i-- > 0;) {
        unmake(&made[i]);
        unmake(&groups[i]);
        unmake(&tables[i].made);
    }
    unmake(&counter);
    one.root = root_to(one.ctx, &one.table);
    one_close(&one);
}

/* A table for sent packets: port 7 is dropped, port 8 is allowed, the rest has no entry. */
static void tables_filter_sent_frames(void)
{
    struct one one = one_open();
    struct table tx = table_of(one.ctx, TX, 0, 0, NULL);
    struct made group = group_of(one.ctx, &tx, 0, 3, UDP_DPORT, 16), made[2];
    struct made in_rx = group_of(one.ctx, &one.table, 8, 8, 0, 0), all;
    struct entry drop = entry_of(&tx, &group, 0, DROP), allow = entry_of(&tx, &group, 1, ALLOW);
    struct entry to_tir = entry_of(&one.table, &in_rx, 8, FORWARD);
    struct root root = root_to(one.ctx, &tx);

    entry_to(&to_tir, DEST_TIR, one.rig.tir.number);
    all = entry_make(one.ctx, &to_tir);
    put(drop.in, VALUE + UDP_DPORT, 16, 7);
    put(allow.in, VALUE + UDP_DPORT, 16, 8);
    made[0] = entry_make(one.ctx, &drop);
    made[1] = entry_make(one.ctx, &allow);
    CHECK(all.obj && made[0].obj && made[1].obj);
    CHECK(!flow_arrives(&one.rig, 7));
    CHECK(flow_arrives(&one.rig, 8));
    CHECK(flow_arrives(&one.rig, 9));
    root_end(&root);
    CHECK(flow_arrives(&one.rig, 7));
    unmake(&made[0]);
    unmake(&made[1]);
    unmake(&all);
    unmake(&in_rx);
    unmake(&group);
    unmake(&tx.made);
    one_close(&one);
}

/* ---- entries -------------------------------------------------------------------------------- */

/* Send the command of an entry as a change of the parts that `parts` names. */
static int change(const struct made *made, struct entry *entry, unsigned parts)
{
    uint8_t out[16] = { 0 };

    put(entry->in, 0, 16, 0x936);
    put(entry->in, 0x30, 16, 1);
    put(entry->in, 0xd8, 8, parts);
    errno = 0;
    return command_status(mlx5dv_devx_obj_modify(made->obj, entry->in, 0x340 + 8 * entry->num, out,
                                                 sizeof(out)), out);
}

static void parts_of_an_entry_can_be_changed(void)
{
    struct one one = one_open();
    struct made made = one_to_tir(&one, 3, 7, 0x1234), counter = counters_of(one.ctx, 0);
    struct entry tag = one_entry(&one, 3, 7, 0), drop = one_entry(&one, 3, 7, DROP);
    struct entry count = one_entry(&one, 3, 7, FORWARD | COUNT), other = one_entry(&one, 4, 7, 0);
    struct entry none = one_entry(&one, 3, 7, FORWARD);
    struct got got;

    put(tag.in, CONTEXT + 0x48, 24, 0x55);
    CHECK_EQ(change(&made, &tag, 1 << 1), OK);
    CHECK_EQ(flow_pass(&one.rig, flow_frame(&one.rig, 4, 5, 7), 0, &got), 1);
    CHECK_EQ(got.tag, 0x55);
    entry_counts(&count, counter.number);
    CHECK_EQ(change(&made, &count, 1 << 0 | 1 << 3), OK);
    CHECK(flow_arrives(&one.rig, 7));
    CHECK_EQ(counted(&counter, 0, NULL), 1);
    CHECK(mlx5dv_devx_obj_destroy(counter.obj) != 0);
    CHECK_EQ(change(&made, &none, 1 << 2), BAD_PARAM);          /* forward to nothing */
    CHECK_EQ(change(&made, &drop, 1 << 0), BAD_PARAM);          /* drop, but destinations stay */
    CHECK_EQ(change(&made, &drop, 0), BAD_PARAM);
    CHECK_EQ(change(&made, &drop, 1 << 6), BAD_PARAM);
    CHECK_EQ(change(&made, &other, 1 << 1), -1);                /* not the entry of the handle */
    CHECK(flow_arrives(&one.rig, 7));
    CHECK_EQ(change(&made, &drop, 1 << 0 | 1 << 2 | 1 << 3), OK);
    CHECK(!flow_arrives(&one.rig, 7));
    CHECK_EQ(counted(&counter, 0, NULL), 2);
    unmake(&counter);                           /* the entry does not use it any more */
    unmake(&made);
    one_close(&one);
}

/* Send a query. Return the status. */
static int query(const struct made *made, const struct table *table, unsigned opcode,
                 unsigned bit, uint32_t number, uint8_t *out, size_t len)
{
    uint8_t in[0x40] = { 0 };

    put(in, 0, 16, opcode);
    put(in, 0x80, 8, table->type);
    put(in, 0xa8, 24, table->made.number);
    put(in, bit, 32, number);
    errno = 0;
    return command_status(mlx5dv_devx_obj_query(made->obj, in, sizeof(in), out, len), out);
}

static void groups_and_entries_keep_their_properties(void)
{
    struct one one = one_open();
    struct table wrong = { .made = one.table.made, .type = TX };
    struct made made = one_to_tir(&one, 3, 7, 0x1234);
    uint8_t out[0x400] = { 0 };

    CHECK_EQ(query(&one.group, &one.table, 0x935, 0xc0, one.group.number, out, 0x400), OK);
    CHECK_EQ(get(out, 0xe0, 32), 0);
    CHECK_EQ(get(out, 0x120, 32), 7);
    CHECK_EQ(get(out, 0x1f8, 8), OUTER);
    CHECK_EQ(get(out, 0x200 + UDP_DPORT, 16), 0xffff);
    CHECK_EQ(get(out, 0x200 + UDP_SPORT, 16), 0);
    CHECK_EQ(query(&one.group, &one.table, 0x935, 0xc0, one.group.number, out, 0x100),
             BAD_OUTPUT_LEN);
    CHECK_EQ(query(&one.group, &wrong, 0x935, 0xc0, one.group.number, out, 0x400), BAD_PARAM);
    CHECK_EQ(query(&one.group, &one.table, 0x935, 0xc0, one.group.number + 1, out, 0x400), -1);
    memset(out, 0, sizeof(out));
    CHECK_EQ(query(&made, &one.table, 0x937, 0x100, 3, out, 0x348), OK);
    CHECK_EQ(get(out, CONTEXT + 0x20, 32), one.group.number);
    CHECK_EQ(get(out, CONTEXT + 0x48, 24), 0x1234);
    CHECK_EQ(get(out, CONTEXT + 0x70, 16), FORWARD);
    CHECK_EQ(get(out, CONTEXT + 0x88, 24), 1);
    CHECK_EQ(get(out, CONTEXT + 0xa8, 24), 0);
    CHECK_EQ(get(out, VALUE + UDP_DPORT, 16), 7);
    CHECK_EQ(get(out, LIST, 8), DEST_TIR);
    CHECK_EQ(get(out, LIST + 8, 24), one.rig.tir.number);
    CHECK_EQ(query(&made, &one.table, 0x937, 0x100, 3, out, 0x340), BAD_OUTPUT_LEN);
    CHECK_EQ(query(&made, &one.table, 0x937, 0x100, 4, out, 0x348), -1);
    CHECK_EQ(query(&made, &wrong, 0x937, 0x100, 3, out, 0x348), BAD_PARAM);
    unmake(&made);
    one_close(&one);
}

static void refused_group(struct one *one, unsigned bit, unsigned width, uint64_t value,
                          int status)
{
    uint8_t in[0x400];

    fill_group(in, &one->table, 8, 15, UDP_DPORT, 16);
    put(in, bit, width, value);
    CHECK_EQ(make(one->ctx, in, sizeof(in), 0x933, 0x48).status, status);
}

static void wrong_groups_are_refused(void)
{
    struct one one = one_open();
    uint8_t in[0x400];
    struct made good;

    refused_group(&one, 0x40, 1, 1, BAD_PARAM);         /* of another function */
    refused_group(&one, 0x80, 8, TX, BAD_PARAM);        /* the table has another type */
    refused_group(&one, 0x8c, 4, 1, BAD_PARAM);         /* type of the group */
    refused_group(&one, 0xa8, 24, 0xfffff, BAD_RESOURCE);
    refused_group(&one, 0xe0, 32, 7, BAD_PARAM);        /* index 7 is in the other group */
    refused_group(&one, 0xe0, 32, 16, BAD_PARAM);       /* starts behind its end */
    refused_group(&one, 0x120, 32, 16, BAD_PARAM);      /* the table has 16 indices */
    refused_group(&one, 0x150, 16, 1, BAD_PARAM);       /* match definer */
    refused_group(&one, 0x1f8, 8, MISC, BAD_PARAM);     /* the mask is in another part */
    refused_group(&one, 0x200 + 0xc0, 8, 1, BAD_PARAM); /* a reserved field of the mask */
    fill_group(in, &one.table, 8, 15, UDP_DPORT, 16);
    CHECK_EQ(make(one.ctx, in, 0x200, 0x933, 0x48).status, BAD_INPUT_LEN);
    good = make(one.ctx, in, sizeof(in), 0x933, 0x48);
    CHECK_EQ(good.status, OK);
    CHECK_EQ(make(one.ctx, in, sizeof(in), 0x933, 0x48).status, BAD_PARAM);     /* again */
    unmake(&good);
    one_close(&one);
}

static void refused_entry(struct one *one, unsigned bit, unsigned width, uint64_t value, int status)
{
    struct entry entry = one_entry(one, 3, 7, FORWARD);

    entry_to(&entry, DEST_TIR, one->rig.tir.number);
    put(entry.in, bit, width, value);
    CHECK_EQ(entry_make(one->ctx, &entry).status, status);
}

static void wrong_entries_are_refused(void)
{
    struct one one = one_open();
    struct table low = table_of(one.ctx, RX, 0, 0, NULL), tx = table_of(one.ctx, TX, 9, 0, NULL);
    struct made of_low = group_of(one.ctx, &low, 0, 7, UDP_DPORT, 16), made;
    struct entry entry = one_entry(&one, 3, 7, FORWARD);
    struct entry no_fate = one_entry(&one, 3, 7, 0), allow = one_entry(&one, 3, 7, ALLOW);

    refused_entry(&one, 0x40, 1, 1, BAD_PARAM);                         /* other function */
    refused_entry(&one, 0x80, 8, TX, BAD_PARAM);
    refused_entry(&one, 0xa8, 24, 0xfffff, BAD_RESOURCE);
    refused_entry(&one, 0xc0, 1, 1, BAD_PARAM);                         /* ignore_flow_level */
    refused_entry(&one, 0x100, 32, 8, BAD_PARAM);                       /* not of the group */
    refused_entry(&one, CONTEXT + 0x20, 32, 0xfffff, BAD_RESOURCE);
    refused_entry(&one, CONTEXT + 0x20, 32, of_low.number, BAD_PARAM);  /* of another table */
    refused_entry(&one, CONTEXT + 0x70, 16, FORWARD | DROP, BAD_PARAM);
    refused_entry(&one, CONTEXT + 0x70, 16, DROP, BAD_PARAM);           /* with a destination */
    refused_entry(&one, CONTEXT + 0x70, 16, FORWARD | COUNT, BAD_PARAM);        /* no counter */
    refused_entry(&one, CONTEXT + 0x70, 16, FORWARD | 0x4000, BAD_PARAM);
    refused_entry(&one, CONTEXT + 0x80, 1, 1, BAD_PARAM);               /* long destinations */
    refused_entry(&one, CONTEXT + 0x88, 24, 2, BAD_INPUT_LEN);
    refused_entry(&one, CONTEXT + 0x88, 24, 0xffffff, BAD_INPUT_LEN);
    refused_entry(&one, CONTEXT + 0xa8, 24, 1, BAD_INPUT_LEN);
    refused_entry(&one, LIST, 8, 0, BAD_PARAM);                         /* a vport */
    refused_entry(&one, LIST + 8, 24, 0xfffff, BAD_RESOURCE);
    refused_entry(&one, LIST + 0x21, 1, 1, BAD_PARAM);                  /* reformat of its own */
    CHECK_EQ(entry_make(one.ctx, &no_fate).status, BAD_PARAM);
    CHECK_EQ(entry_make(one.ctx, &allow).status, BAD_PARAM);            /* only sent packets */
    CHECK_EQ(entry_make(one.ctx, &entry).status, BAD_PARAM);            /* no destination */
    entry_to(&entry, DEST_TABLE, low.made.number);
    CHECK_EQ(entry_make(one.ctx, &entry).status, BAD_PARAM);            /* the same level */
    put(entry.in, LIST + 8, 24, tx.made.number);
    CHECK_EQ(entry_make(one.ctx, &entry).status, BAD_PARAM);            /* another type */
    put(entry.in, LIST, 8, DEST_TIR);
    put(entry.in, LIST + 8, 24, one.rig.tir.number);
    for (unsigned i = 1; i < 9; i++)
        entry_to(&entry, DEST_TIR, one.rig.tir.number);
    CHECK_EQ(entry_make(one.ctx, &entry).status, BAD_PARAM);            /* nine destinations */
    CHECK_EQ(make(one.ctx, entry.in, 0x33c, 0x936, 0x20).status, BAD_INPUT_LEN);
    made = one_to_tir(&one, 3, 7, 0);
    refused_entry(&one, 0, 16, 0, BAD_RES_STATE);                       /* the index is taken */
    put(entry.in, 0x30, 16, 1);                 /* a change does not create */
    CHECK_EQ(entry_make(one.ctx, &entry).status, -1);
    unmake(&made);
    unmake(&of_low);
    unmake(&low.made);
    unmake(&tx.made);
    one_close(&one);
}

static void objects_in_use_are_not_destroyed(void)
{
    struct one one = one_open();
    struct made made = one_to_tir(&one, 3, 7, 0);

    CHECK(mlx5dv_devx_obj_destroy(one.table.made.obj) != 0);    /* the group and the rule use it */
    CHECK(mlx5dv_devx_obj_destroy(one.group.obj) != 0);
    CHECK(mlx5dv_devx_obj_destroy(one.rig.tir.obj) != 0);
    unmake(&made);
    root_end(&one.root);
    CHECK(mlx5dv_devx_obj_destroy(one.table.made.obj) != 0);
    unmake(&one.group);
    one.root = root_to(one.ctx, &one.table);
    CHECK(mlx5dv_devx_obj_destroy(one.table.made.obj) != 0);
    one.group = group_of(one.ctx, &one.table, 0, 7, UDP_DPORT, 16);
    one_close(&one);
}

/* The kernel keeps the first table of a function for itself: no method takes the command. */
static void the_root_table_belongs_to_the_kernel(void)
{
    struct one one = one_open();
    uint8_t in[0x40] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0x92f);
    put(in, 0xa8, 24, one.table.made.number);
    CHECK_EQ(mlx5dv_devx_general_cmd(one.ctx, in, sizeof(in), out, sizeof(out)), EINVAL);
    CHECK_EQ(mlx5dv_devx_obj_modify(one.table.made.obj, in, sizeof(in), out, sizeof(out)), EINVAL);
    CHECK(!mlx5dv_devx_obj_create(one.ctx, in, sizeof(in), out, sizeof(out)) && errno == EINVAL);
    one_close(&one);
}

/* ---- counters ------------------------------------------------------------------------------- */

enum { DUMP_AT = 1 << 13 };     /* in the memory */

/* Read `num` counters from `first` on: with a nonzero `mkey` into the memory at `addr`, otherwise
 * into `out`. */
static int read_counters(const struct made *counters, uint32_t first, uint32_t num, unsigned clear,
                         uint32_t mkey, void *addr, uint8_t *out, size_t len)
{
    uint8_t in[0x20] = { 0 };

    put(in, 0, 16, 0x93b);
    put(in, 0x60, 32, mkey);
    put(in, 0x80, 64, (uintptr_t)addr);
    put(in, 0xc0, 1, clear);
    put(in, 0xc1, 1, mkey != 0);
    put(in, 0xc2, 30, num);
    put(in, 0xe0, 32, counters->number + first);
    errno = 0;
    return command_status(mlx5dv_devx_obj_query(counters->obj, in, sizeof(in), out, len), out);
}

static void counters_are_allocated_and_read_in_bulk(void)
{
    struct one one = one_open();
    struct made bulk = counters_of(one.ctx, 1), made;
    struct entry entry = one_entry(&one, 3, 7, DROP | COUNT);
    uint8_t out[0x10 + 128 * 16], *dump = one.rig.raw.mem + DUMP_AT;
    uint32_t key = one.rig.raw.mr->lkey, len;

    CHECK_EQ(bulk.status, OK);
    entry_counts(&entry, bulk.number + 127);
    made = entry_make(one.ctx, &entry);
    CHECK_EQ(made.status, OK);
    CHECK(!flow_arrives(&one.rig, 7));
    CHECK(!flow_arrives(&one.rig, 7));
    len = flow_frame(&one.rig, 4, 5, 7);
    memset(out, 0xff, sizeof(out));
    CHECK_EQ(read_counters(&bulk, 0, 128, 0, 0, NULL, out, sizeof(out)), OK);
    for (unsigned i = 0; i < 128; i++) {
        CHECK_EQ(get(out, 0x80 + 128 * i, 64), i == 127 ? 2 : 0);
        CHECK_EQ(get(out, 0xc0 + 128 * i, 64), i == 127 ? 2 * len : 0);
    }
    CHECK_EQ(read_counters(&bulk, 126, 2, 1, key, dump, out, 16), OK);  /* and clear */
    CHECK_EQ(get(dump, 0, 64), 0);
    CHECK_EQ(get(dump, 128, 64), 2);
    CHECK_EQ(get(dump, 192, 64), 2 * len);
    CHECK_EQ(counted(&bulk, 127, NULL), 0);
    CHECK_EQ(read_counters(&bulk, 127, 2, 0, 0, NULL, out, sizeof(out)), BAD_PARAM);
    CHECK_EQ(read_counters(&bulk, 128, 1, 0, 0, NULL, out, sizeof(out)), -1);
    CHECK_EQ(read_counters(&bulk, 0, 128, 0, 0, NULL, out, 0x800), BAD_OUTPUT_LEN);
    CHECK_EQ(read_counters(&bulk, 0, 2, 0, key ^ 1, dump, out, 16), BAD_RESOURCE);
    CHECK_EQ(read_counters(&bulk, 0, 2, 0, key, NULL, out, 16), BAD_PARAM);
    CHECK_EQ(counters_of(one.ctx, 3).status, BAD_PARAM);        /* two bits */
    unmake(&made);
    unmake(&bulk);
    one_close(&one);
}

static void entries_refuse_counters_that_do_not_exist(void)
{
    struct one one = one_open();
    struct made bulk = counters_of(one.ctx, 1);
    struct entry entry = one_entry(&one, 3, 7, DROP | COUNT);

    entry_counts(&entry, bulk.number + 128);
    CHECK_EQ(entry_make(one.ctx, &entry).status, BAD_RESOURCE);
    put(entry.in, LIST, 32, 0);
    CHECK_EQ(entry_make(one.ctx, &entry).status, BAD_RESOURCE);
    put(entry.in, LIST, 32, bulk.number);
    entry_counts(&entry, bulk.number);
    put(entry.in, CONTEXT + 0xa8, 24, 2);
    CHECK_EQ(entry_make(one.ctx, &entry).status, BAD_PARAM);    /* two counters */
    unmake(&bulk);
    one_close(&one);
}

/* ---- a process that ends -------------------------------------------------------------------- */

/* Build tables that drop all frames, with references in both directions, and die. */
static void build_and_die(void)
{
    struct one one = one_open();
    struct table late = table_of(one.ctx, RX, 5, REFORMATS | DECAPS, NULL);
    struct made bulk = counters_of(one.ctx, 0x80), all;
    struct entry entry = one_entry(&one, 0, 7, DROP | COUNT);

    set_miss(&one.table, late.made.number, 1);  /* an older object refers to a newer one */
    entry_counts(&entry, bulk.number);
    all = entry_make(one.ctx, &entry);
    if (all.status == OK && bulk.status == OK)
        raise(SIGKILL);
    _exit(1);
}

static void the_objects_of_a_killed_process_are_gone(void)
{
    struct one one;
    struct made bulk[2], made;
    int status;
    pid_t pid = fork();

    if (pid == 0)
        build_and_die();
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    one = one_open();
    made = one_to_tir(&one, 3, 7, 0);
    CHECK(flow_arrives(&one.rig, 7));           /* the rule of the other process is gone */
    for (unsigned i = 0; i < 2; i++) {          /* all counters of the device */
        bulk[i] = counters_of(one.ctx, 0x80);
        CHECK_EQ(bulk[i].status, OK);
    }
    CHECK_EQ(counters_of(one.ctx, 0).status, NO_RESOURCES);
    unmake(&bulk[0]);
    unmake(&bulk[1]);
    unmake(&made);
    one_close(&one);
}

static const struct rig_case cases[] = {
    RIG_CASE(an_entry_sends_frames_to_its_tir),
    RIG_CASE(the_entry_with_the_lowest_index_takes_a_frame),
    RIG_CASE(frames_pass_from_table_to_table),
    RIG_CASE(wrong_next_tables_are_refused),
    RIG_CASE(each_destination_gets_a_copy),
    RIG_CASE(frames_that_multiply_do_not_stop_the_device),
    RIG_CASE(tables_filter_sent_frames),
    RIG_CASE(parts_of_an_entry_can_be_changed),
    RIG_CASE(groups_and_entries_keep_their_properties),
    RIG_CASE(wrong_groups_are_refused),
    RIG_CASE(wrong_entries_are_refused),
    RIG_CASE(objects_in_use_are_not_destroyed),
    RIG_CASE(the_root_table_belongs_to_the_kernel),
    RIG_CASE(counters_are_allocated_and_read_in_bulk),
    RIG_CASE(entries_refuse_counters_that_do_not_exist),
    RIG_CASE(the_objects_of_a_killed_process_are_gone),
};

RIG_MAIN(cases)

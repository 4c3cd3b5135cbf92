/*
 * Changes of packets by entries of flow tables: fields of headers, registers, VLAN tags, tunnels.
 * One entry of a table takes all frames that the function receives, or all that it sends.
 */
#include "changes_rig.h"

enum { SET = 1, ADD = 2, COPY = 3 };
enum { SMAC_HIGH = 1, SMAC_LOW = 2, ETHERTYPE = 3, DMAC_HIGH = 4, DMAC_LOW = 5, DSCP = 6,
       TCP_FLAGS = 7, TCP_SPORT = 8, TCP_DPORT = 9, TTL = 0xa, SPORT = 0xb, DPORT = 0xc,
       SIP6 = 0xd, DIP6 = 0x11, SIP4 = 0x15, DIP4 = 0x16, VID = 0x17, HOP_LIMIT = 0x47,
       REG_B = 0x50, REG_C0 = 0x51, REG_C7 = 0x58, TCP_SEQ = 0x59, TCP_ACK = 0x5b };

/* ---- fields --------------------------------------------------------------------------------- */

struct action {
    unsigned type, field, offset, length;
    uint32_t data;              /* COPY: the other field in the upper 16 bits, then its offset */
};

static struct made modify_of(struct ibv_context *ctx, unsigned type, const struct action *actions,
                             unsigned num)
{
    uint8_t in[0x10 + 8 * 32] = { 0 };

    put(in, 0x60, 8, type);
    put(in, 0x78, 8, num);
    for (unsigned i = 0; i < num; i++) {
        uint8_t *at = in + 0x10 + 8 * i;

        put(at, 0x00, 4, actions[i].type);
        put(at, 0x04, 12, actions[i].field);
        put(at, 0x13, 5, actions[i].offset);
        put(at, 0x1b, 5, actions[i].length);
        put(at, 0x20, 32, actions[i].type == COPY
                ? (actions[i].data >> 16) << 16 | (actions[i].data & 31) << 8 : actions[i].data);
    }
    return make(ctx, in, 0x10 + 8 * num, 0x940, 0x40);
}

static void modify_all(struct all *all, const struct made *modify)
{
    struct entry entry = all_entry(all, MODIFY);

    put(entry.in, CONTEXT + 0xe0, 32, modify->number);
    all->made = entry_make(all->ctx, &entry);
    CHECK_EQ(all->made.status, OK);
}

/* An action, and the bits of the frame that it sets. Frames have the ports 0x1234 and 0x5678. */
static const struct field_row {
    const char *name;
    unsigned version, protocol;
    struct action action;
    unsigned bit, width;
    uint64_t want;
} field_rows[] = {
    { "source MAC, high", 4, 17, { SET, SMAC_HIGH, 0, 0, 0x02030405 }, 48, 32, 0x02030405 },
    { "source MAC, low", 4, 17, { SET, SMAC_LOW, 0, 16, 0x0607 }, 80, 16, 0x0607 },
    { "part of a field", 4, 17, { SET, SMAC_LOW, 4, 8, 0xab }, 84, 8, 0xab },
    { "destination MAC, low", 4, 17, { SET, DMAC_LOW, 0, 16, 0x0809 }, 32, 16, 0x0809 },
    { "destination MAC, high", 4, 17, { SET, DMAC_HIGH, 0, 32, 0x01020304 }, 0, 32, 0x01020304 },
    { "type", 4, 99, { SET, ETHERTYPE, 0, 16, 0x88b5 }, 96, 16, 0x88b5 },
    { "DSCP of IPv4", 4, 17, { SET, DSCP, 0, 6, 0x2e }, 8 * 15, 6, 0x2e },
    { "DSCP of IPv6", 6, 17, { SET, DSCP, 0, 6, 0x2e }, 8 * 14 + 4, 6, 0x2e },
    { "TTL", 4, 17, { SET, TTL, 0, 8, 9 }, 8 * 22, 8, 9 },
    { "TTL minus 1", 4, 17, { ADD, TTL, 0, 8, 0xffffffff }, 8 * 22, 8, 63 },
    { "hop limit minus 1", 6, 17, { ADD, HOP_LIMIT, 0, 0, 0xffffffff }, 8 * 21, 8, 63 },
    { "IPv4 source", 4, 17, { SET, SIP4, 0, 0, 0xc0a80102 }, 8 * 26, 32, 0xc0a80102 },
    { "IPv4 destination", 4, 6, { SET, DIP4, 0, 0, 0xc0a80103 }, 8 * 30, 32, 0xc0a80103 },
    { "IPv6 source, high", 6, 17, { SET, SIP6, 0, 0, 0x20010db8 }, 8 * 22, 32, 0x20010db8 },
    { "IPv6 source, low", 6, 6, { SET, SIP6 + 3, 0, 0, 0x11223344 }, 8 * 34, 32, 0x11223344 },
    { "IPv6 destination", 6, 17, { SET, DIP6 + 1, 0, 0, 0x55667788 }, 8 * 42, 32, 0x55667788 },
    { "UDP source port", 4, 17, { SET, SPORT, 0, 16, 0xaaaa }, 8 * 34, 16, 0xaaaa },
    { "UDP destination port", 6, 17, { SET, DPORT, 0, 16, 0xbbbb }, 8 * 56, 16, 0xbbbb },
    { "TCP source port", 4, 6, { SET, TCP_SPORT, 0, 16, 0xaaaa }, 8 * 34, 16, 0xaaaa },
    { "TCP destination port", 4, 6, { ADD, TCP_DPORT, 0, 0, 1 }, 8 * 36, 16, 0x5679 },
    { "TCP sequence number", 4, 6, { ADD, TCP_SEQ, 0, 0, 7 }, 8 * 38, 32, 7 },
    { "TCP acknowledgement", 4, 6, { SET, TCP_ACK, 0, 0, 7 }, 8 * 42, 32, 7 },
    { "TCP flags", 4, 6, { SET, TCP_FLAGS, 0, 9, 0x112 }, 8 * 46 + 7, 9, 0x112 },
    { "copied port", 4, 17, { COPY, SPORT, 0, 16, (uint32_t)DPORT << 16 }, 8 * 36, 16, 0x1234 },
    { "copied part", 4, 17, { COPY, SPORT, 8, 8, (uint32_t)DPORT << 16 }, 8 * 37, 8, 0x12 },
    { "field of another header", 4, 17, { SET, TCP_SEQ, 0, 0, 7 }, 0, 0, 0 },
    { "field of another version", 4, 17, { SET, SIP6, 0, 0, 7 }, 0, 0, 0 },
    { "tag that is not there", 4, 17, { SET, VID, 0, 12, 7 }, 0, 0, 0 },
};

static void each_field_can_be_changed(void)
{
    struct flow_rig rig = flow_open(0);
    struct all all = all_open(&rig, RX);
    uint8_t want[256];

    for (unsigned i = 0; i < sizeof(field_rows) / sizeof(field_rows[0]); i++) {
        const struct field_row *row = &field_rows[i];
        struct made modify = modify_of(all.ctx, RX, &row->action, 1);
        struct flow f = { .version = row->version, .protocol = row->protocol == 6 ? 6 : 17,
                          .sport = 0x1234, .dport = 0x5678, .last_src = 1, .last_dst = 2 };
        uint32_t len;

        if (modify.status != OK)
            rig_fail(__FILE__, __LINE__, "%s: status %d", row->name, modify.status);
        memcpy(f.dst, rig.raw.mac, 6);
        memcpy(f.src, rig.raw.mac, 6);
        len = frame_make(rig.raw.mem, &f, 80);
        set_checksums(rig.raw.mem, len);
        memcpy(want, rig.raw.mem, len);
        put(want, row->bit, row->width, row->want);
        if (row->protocol != 99)
            set_checksums(want, len);
        modify_all(&all, &modify);
        check_arrives(&rig, len, want, len, row->name);
        unmake(&all.made);
        unmake(&modify);
    }
    all.made.obj = NULL;
    all_close(&all);
    flow_close(&rig);
}

/* A checksum of 0 in UDP over IPv4, and a wrong checksum, stay. */
static void checksums_that_are_absent_or_wrong_stay(void)
{
    static const struct action ports = { SET, SPORT, 0, 16, 0xaaaa };
    struct flow_rig rig = flow_open(0);
    struct all all = all_open(&rig, RX);
    struct made modify = modify_of(all.ctx, RX, &ports, 1);
    uint8_t want[256];

    modify_all(&all, &modify);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t len = flow_frame(&rig, 4, 1, 2);

        if (i == 1) {
            set_checksums(rig.raw.mem, len);
            rig.raw.mem[41] ^= 1;
        }
        memcpy(want, rig.raw.mem, len);
        put(want, 8 * 34, 16, 0xaaaa);
        check_arrives(&rig, len, want, len, i ? "wrong checksum" : "no checksum");
    }
    all_close(&all);
    unmake(&modify);
    flow_close(&rig);
}

/* The first table writes registers, and an entry of the second table matches one of them. */
static void registers_pass_from_table_to_table(void)
{
    static const struct action actions[] = { { SET, REG_C0, 0, 0, 0x12345678 },
        { SET, REG_B, 0, 0, 0xabcdef01 },
        { COPY, REG_C0, 8, 16, (uint32_t)REG_C7 << 16 | 4 } };
    static const unsigned bits[] = { 0x600 + 0x160, 0x600 + 0x80 };     /* C 0, C 7 */
    static const uint32_t values[] = { 0x12345678, 0x3456 << 4 };
    struct flow_rig rig = flow_open(0);
    struct all all = all_open(&rig, RX);
    struct made modify = modify_of(all.ctx, RX, actions, 3);
    struct table second = table_of(all.ctx, RX, 1, 0, NULL);
    struct entry entry = entry_of(&all.table, &all.group, 0, FORWARD | MODIFY);
    struct got got;

    put(entry.in, CONTEXT + 0xe0, 32, modify.number);
    entry_to(&entry, DEST_TABLE, second.made.number);
    all.made = entry_make(all.ctx, &entry);
    CHECK_EQ(all.made.status, OK);
    for (unsigned i = 0; i < 4; i++) {          /* with the value, and with another value */
        struct made group = group_of(all.ctx, &second, 0, 0, bits[i / 2], 32), made;
        struct entry match = entry_of(&second, &group, 0, FORWARD);

        put(match.in, VALUE + bits[i / 2], 32, values[i / 2] + i % 2);
        entry_to(&match, DEST_TIR, rig.tir.number);
        made = entry_make(all.ctx, &match);
        CHECK_EQ(made.status, OK);
        CHECK_EQ(flow_pass(&rig, flow_frame(&rig, 4, 1, 2), 0, &got), i % 2 == 0);
        if (i % 2 == 0)
            CHECK_EQ(got.metadata, 0xabcdef01);
        unmake(&made);
        unmake(&group);
    }
    all_close(&all);
    unmake(&second.made);
    unmake(&modify);
    flow_close(&rig);
}

/* ---- VLAN ----------------------------------------------------------------------------------- */

static void tags_are_inserted_and_removed(void)
{
    struct flow_rig rig = flow_open(0);
    struct all tx = all_open(&rig, TX), rx = all_open(&rig, RX);
    uint32_t len = flow_frame(&rig, 4, 1, 2);
    uint8_t want[256];
    struct entry entry = all_entry(&tx, PUSH | PUSH_2), plain = all_entry(&rx, 0);
    struct entry pop = all_entry(&rx, POP), pop_2 = all_entry(&rx, POP | POP_2);

    put(entry.in, CONTEXT, 32, 0x81002064);     /* pushed first */
    put(entry.in, CONTEXT + 0x100, 32, 0x88a800c8);
    tx.made = entry_make(tx.ctx, &entry);
    CHECK_EQ(tx.made.status, OK);
    memcpy(want, rig.raw.mem, 12);
    put(want, 96, 64, 0x88a800c881002064);
    memcpy(want + 20, rig.raw.mem + 12, len - 12);
    rx.made = entry_make(rx.ctx, &plain);
    check_arrives(&rig, len, want, len + 8, "two tags");
    unmake(&rx.made);
    memmove(want + 12, want + 16, len - 8);
    rx.made = entry_make(rx.ctx, &pop);
    check_arrives(&rig, len, want, len + 4, "one tag is removed");
    unmake(&rx.made);
    rx.made = entry_make(rx.ctx, &pop_2);
    check_arrives(&rig, len, rig.raw.mem, len, "two tags are removed");
    unmake(&tx.made);
    tx.made.obj = NULL;
    root_end(&tx.root);                         /* frames leave without passing the table */
    check_arrives(&rig, len, rig.raw.mem, len, "there is no tag");
    all_close(&rx);
    tx.root = root_to(tx.ctx, &tx.table);
    all_close(&tx);
    flow_close(&rig);
}

/* ---- tunnels -------------------------------------------------------------------------------- */

static void vxlan_tunnels_are_added_and_removed(void)
{
    struct flow_rig rig = flow_open(0);
    struct all tx = all_open(&rig, TX), rx = all_open(&rig, RX);
    struct entry plain = all_entry(&rx, 0), decap = all_entry(&rx, DECAP);
    uint32_t len = flow_frame(&rig, 4, 1, 2);
    uint8_t want[512];

    for (unsigned i = 0; i < 4; i++) {
        unsigned version = i % 2 ? 6 : 4;
        uint32_t outer = outer_headers(&rig, version, VXLAN, 0, want);
        struct made reformat = reformat_of(tx.ctx, i < 2 ? TO_VXLAN : TO_L2_TUNNEL, want, outer);
        struct entry encap = all_entry(&tx, REFORMAT);

        CHECK_EQ(reformat.status, OK);
        put(encap.in, CONTEXT + 0xc0, 32, reformat.number);
        tx.made = entry_make(tx.ctx, &encap);
        CHECK_EQ(tx.made.status, OK);
        CHECK(mlx5dv_devx_obj_destroy(reformat.obj) != 0);      /* in use */
        fill_outer(want, version, outer + len);
        memcpy(want + outer, rig.raw.mem, len);
        rx.made = entry_make(rx.ctx, &plain);
        check_arrives(&rig, len, want, outer + len, "encapsulated");
        unmake(&rx.made);
        rx.made = entry_make(rx.ctx, &decap);
        CHECK_EQ(rx.made.status, OK);
        check_arrives(&rig, len, rig.raw.mem, len, "decapsulated");
        unmake(&rx.made);
        unmake(&tx.made);
        unmake(&reformat);
    }
    tx.made.obj = rx.made.obj = NULL;
    all_close(&rx);
    all_close(&tx);
    flow_close(&rig);
}

static void gre_tunnels_replace_the_header_of_ethernet(void)
{
    struct flow_rig rig = flow_open(0);
    struct all tx = all_open(&rig, TX), rx = all_open(&rig, RX);
    struct entry encap = all_entry(&tx, REFORMAT), decap = all_entry(&rx, REFORMAT);
    struct entry plain = all_entry(&rx, 0);
    uint32_t len = flow_frame(&rig, 4, 1, 2), outer;
    uint8_t want[512], l2[18] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x81, 0, 0, 5, 0, 0 };
    struct made to_l3, to_l2;

    outer = outer_headers(&rig, 4, GRE, IN_IPV4, want);
    to_l3 = reformat_of(tx.ctx, TO_L3_TUNNEL, want, outer);
    to_l2 = reformat_of(rx.ctx, TUNNEL_TO_L2, l2, sizeof(l2));
    CHECK(to_l3.obj && to_l2.obj);
    put(encap.in, CONTEXT + 0xc0, 32, to_l3.number);
    put(decap.in, CONTEXT + 0xc0, 32, to_l2.number);
    tx.made = entry_make(tx.ctx, &encap);
    fill_outer(want, 4, outer + len - ETH);
    memcpy(want + outer, rig.raw.mem + ETH, len - ETH);
    rx.made = entry_make(rx.ctx, &plain);
    check_arrives(&rig, len, want, outer + len - ETH, "encapsulated");
    unmake(&rx.made);
    rx.made = entry_make(rx.ctx, &decap);
    CHECK_EQ(rx.made.status, OK);
    memcpy(want, l2, sizeof(l2));
    put(want, 8 * 16, 16, 0x0800);
    memcpy(want + sizeof(l2), rig.raw.mem + ETH, len - ETH);
    check_arrives(&rig, len, want, sizeof(l2) + len - ETH, "decapsulated");
    unmake(&tx.made);
    tx.made.obj = NULL;
    root_end(&tx.root);
    check_arrives(&rig, len, rig.raw.mem, len, "not in a tunnel");
    all_close(&rx);
    tx.root = root_to(tx.ctx, &tx.table);
    all_close(&tx);
    unmake(&to_l3);
    unmake(&to_l2);
    flow_close(&rig);
}

/* ---- rules of mlx5dv ------------------------------------------------------------------------ */

static struct ibv_flow_action *dv_reformat(struct ibv_context *ctx, unsigned type,
                                           unsigned table_type, uint8_t *data, size_t len)
{
    return mlx5dv_create_flow_action_packet_reformat(ctx, len, data, type, table_type);
}

/* A rule for sent packets adds a tunnel; a rule for received packets counts, removes the tunnel,
 * and sets the TTL. */
static void rules_of_mlx5dv_count_and_change_packets(void)
{
    struct flow_rig rig = flow_open(0);
    struct ibv_context *ctx = rig.raw.rig.ctx;
    uint32_t len = flow_frame(&rig, 4, 1, 2), outer;
    uint8_t want[512];
    uint64_t set_ttl, bytes;
    struct ibv_flow_action *encap, *decap, *ttl;
    struct made counters = counters_of(ctx, 1);
    struct mlx5dv_flow_action_attr tx[1] = { { .type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION } };
    struct mlx5dv_flow_action_attr rx[4] = { { .type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION },
        { .type = MLX5DV_FLOW_ACTION_IBV_FLOW_ACTION },
        { .type = MLX5DV_FLOW_ACTION_DEST_DEVX, .obj = rig.tir.obj },
        { .type = MLX5DV_FLOW_ACTION_COUNTERS_DEVX, .obj = counters.obj } };
    struct root sends, receives;

    outer = outer_headers(&rig, 4, VXLAN, 0, want);
    put(&set_ttl, 0, 64, 0x100a000800000009);
    encap = dv_reformat(ctx, MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL,
                        MLX5DV_FLOW_TABLE_TYPE_NIC_TX, want, outer);
    decap = dv_reformat(ctx, MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2,
                        MLX5DV_FLOW_TABLE_TYPE_NIC_RX, NULL, 0);
    ttl = mlx5dv_create_flow_action_modify_header(ctx, sizeof(set_ttl), &set_ttl,
                                                  MLX5DV_FLOW_TABLE_TYPE_NIC_RX);
    CHECK(encap && decap && ttl);
    tx[0].action = encap;
    rx[0].action = decap;
    rx[1].action = ttl;
    sends = root_of(ctx, TX, tx, 1);
    receives = root_of(ctx, RX, rx, 4);
    CHECK(sends.flow && receives.flow);
    set_checksums(rig.raw.mem, len);
    memcpy(want, rig.raw.mem, len);
    want[22] = 9;
    set_checksums(want, len);
    check_arrives(&rig, len, want, len, "counted and changed");
    CHECK_EQ(counted(&counters, 0, &bytes), 1);
    CHECK_EQ(bytes, len + outer);
    CHECK(ibv_destroy_flow_action(decap) != 0);         /* in use */
    CHECK(mlx5dv_devx_obj_destroy(counters.obj) != 0);
    root_end(&receives);
    root_end(&sends);
    tx[0].action = ttl;                                 /* for the other direction */
    sends = root_of(ctx, TX, tx, 1);
    CHECK(!sends.flow);
    root_end(&sends);
    rx[1].action = decap;                               /* twice */
    receives = root_of(ctx, RX, rx, 3);
    CHECK(!receives.flow);
    root_end(&receives);
    CHECK(!dv_reformat(ctx, MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL,
                       MLX5DV_FLOW_TABLE_TYPE_NIC_RX, want, outer));
    CHECK(!dv_reformat(ctx, MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL,
                       MLX5DV_FLOW_TABLE_TYPE_NIC_TX, want, 10));
    put(&set_ttl, 4, 12, 0xfff);
    CHECK(!mlx5dv_create_flow_action_modify_header(ctx, sizeof(set_ttl), &set_ttl,
                                                   MLX5DV_FLOW_TABLE_TYPE_NIC_RX));
    CHECK_EQ(ibv_destroy_flow_action(encap), 0);
    CHECK_EQ(ibv_destroy_flow_action(decap), 0);
    CHECK_EQ(ibv_destroy_flow_action(ttl), 0);
    unmake(&counters);
    flow_close(&rig);
}

static void a_frame_that_gets_too_long_is_dropped(void)
{
    struct flow_rig rig = flow_open(0);
    struct all rx = all_open(&rig, RX);
    struct entry push = all_entry(&rx, PUSH);
    struct flow f = { .version = 4, .protocol = 17 };
    uint32_t len;

    put(push.in, CONTEXT, 32, 0x81000001);
    rx.made = entry_make(rx.ctx, &push);
    CHECK_EQ(rx.made.status, OK);
    memcpy(f.dst, rig.raw.mac, 6);
    len = frame_make(rig.raw.mem, &f, 16384 - ETH - IP4 - UDP);
    CHECK_EQ(len, 16384);
    CHECK_EQ(flow_pass(&rig, len, 0, NULL), 0);
    CHECK_EQ(flow_pass(&rig, flow_frame(&rig, 4, 1, 2), 0, NULL), 1);
    all_close(&rx);
    flow_close(&rig);
}

/* ---- bad input ------------------------------------------------------------------------------ */

static void wrong_contexts_are_refused(void)
{
    static const struct action wrong[] = { { 0, TTL, 0, 8, 0 }, { 4, TTL, 0, 8, 0 },
        { SET, 0, 0, 8, 0 }, { SET, 0x60, 0, 8, 0 }, { SET, TTL, 1, 8, 0 }, { SET, TTL, 0, 0, 0 },
        { SET, SMAC_LOW, 8, 9, 0 }, { COPY, SPORT, 0, 16, 0 },
        { COPY, SPORT, 0, 16, (uint32_t)TTL << 16 },
        { COPY, SPORT, 0, 16, (uint32_t)DPORT << 16 | 1 } };
    static const struct action good = { SET, TTL, 0, 8, 1 };
    struct flow_rig rig = flow_open(0);
    struct ibv_context *ctx = rig.raw.rig.ctx;
    uint8_t data[256] = { 0 }, in[0x24] = { 0 };

    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (modify_of(ctx, RX, &wrong[i], 1).status != BAD_PARAM)
            rig_fail(__FILE__, __LINE__, "action %u is not refused", i);
    CHECK_EQ(modify_of(ctx, RX, &good, 0).status, BAD_PARAM);
    CHECK_EQ(modify_of(ctx, 4, &good, 1).status, BAD_PARAM);
    put(in, 0x78, 8, 2);
    CHECK_EQ(make(ctx, in, 0x18, 0x940, 0x40).status, BAD_INPUT_LEN);
    CHECK_EQ(reformat_of(ctx, 1, data, 14).status, BAD_PARAM);
    CHECK_EQ(reformat_of(ctx, 0x10, data, 14).status, BAD_PARAM);
    CHECK_EQ(reformat_of(ctx, TO_VXLAN, data, 13).status, BAD_PARAM);
    CHECK_EQ(reformat_of(ctx, TO_VXLAN, data, 257).status, BAD_PARAM);
    CHECK_EQ(reformat_of(ctx, TUNNEL_TO_L2, data, 16).status, BAD_PARAM);
    put(in, 0x78, 8, 0);
    put(in, 0xe0 + 0x16, 10, 14);
    CHECK_EQ(make(ctx, in, 0x24, 0x93d, 0x40).status, BAD_INPUT_LEN);
    flow_close(&rig);
}

static void refused_entry(struct all *all, unsigned action, uint32_t reformat, uint32_t modify,
                          int status)
{
    struct entry entry = all_entry(all, action);

    put(entry.in, CONTEXT + 0xc0, 32, reformat);
    put(entry.in, CONTEXT + 0xe0, 32, modify);
    CHECK_EQ(entry_make(all->ctx, &entry).status, status);
}

static void entries_refuse_wrong_changes(void)
{
    static const struct action set = { SET, TTL, 0, 8, 1 };
    struct flow_rig rig = flow_open(0);
    struct all rx = all_open(&rig, RX), plain = all_open(&rig, RX);
    uint8_t data[14] = { 0 };
    struct made of_tx = modify_of(rx.ctx, TX, &set, 1), of_rx = modify_of(rx.ctx, RX, &set, 1);
    struct made reformat = reformat_of(rx.ctx, TO_L2_TUNNEL, data, 14), table = plain.table.made;

    CHECK(of_tx.obj && of_rx.obj && reformat.obj);
    refused_entry(&rx, MODIFY, 0, of_tx.number, BAD_PARAM);
    refused_entry(&rx, MODIFY, 0, 0xfffff, BAD_RESOURCE);
    refused_entry(&rx, REFORMAT, 0xfffff, 0, BAD_RESOURCE);
    refused_entry(&rx, POP_2, 0, 0, BAD_PARAM);
    refused_entry(&rx, PUSH_2, 0, 0, BAD_PARAM);
    root_end(&plain.root);
    unmake(&plain.group);
    unmake(&table);
    plain.table = table_of(rx.ctx, RX, 0, 0, NULL);     /* without reformat_en and decap_en */
    plain.group = group_of(rx.ctx, &plain.table, 0, 15, 0, 0);
    plain.root = root_to(rx.ctx, &plain.table);
    refused_entry(&plain, REFORMAT, reformat.number, 0, BAD_PARAM);
    refused_entry(&plain, DECAP, 0, 0, BAD_PARAM);
    modify_all(&plain, &of_rx);
    CHECK(mlx5dv_devx_obj_destroy(of_rx.obj) != 0);     /* in use */
    all_close(&plain);
    all_close(&rx);
    unmake(&of_rx);
    unmake(&of_tx);
    unmake(&reformat);
    flow_close(&rig);
}

/* ---- random changes ------------------------------------------------------------------------- */

/* Make an entry with random changes, and send frames through it. */
static void random_entry(struct all *all)
{
    unsigned type = all->table.type;
    struct entry entry = all_entry(all, rnd(0x1000) & (REFORMAT | DECAP | MODIFY | POP | PUSH));
    struct action list[16];
    uint8_t data[256];
    struct made reformat, modify;
    uint32_t len = rnd(2) ? 14 : 14 + rnd(243);

    for (unsigned i = 0; i < 256; i++)
        data[i] = (uint8_t)rnd(256);
    if (len >= 34 && rnd(2))
        outer_headers(all->rig, rnd(2) ? 4 : 6, (enum tunnel)rnd(GENEVE_LONGEST),
                      random_inside(), data);
    reformat = reformat_of(all->ctx, (unsigned[]){ 0, 2, 3, 4 }[rnd(4)], data, len);
    for (unsigned i = 0; i < 16; i++) {
        unsigned length = rnd(2) ? 8 : 1 + rnd(31);

        list[i] = (struct action){ 1 + rnd(3), 1 + rnd(TCP_ACK), rnd(3) ? 0 : rnd(32), length,
                                   (uint32_t)(1 + rnd(TCP_ACK)) << 16 | rnd(4) };
    }
    modify = modify_of(all->ctx, type, list, 1 + rnd(3));
    put(entry.in, CONTEXT, 32, rnd(1u << 31));
    put(entry.in, CONTEXT + 0xc0, 32, reformat.number);
    put(entry.in, CONTEXT + 0xe0, 32, modify.number);
    all->made = entry_make(all->ctx, &entry);
    for (unsigned i = 0; all->made.obj && i < 4; i++)
        flow_pass(all->rig, random_frame(all->rig), 0, NULL);
    if (all->made.obj)
        unmake(&all->made);
    all->made.obj = NULL;
    if (reformat.obj)
        unmake(&reformat);
    if (modify.obj)
        unmake(&modify);
}

/* Run with a device process that is built with sanitizers. */
static void random_changes_do_not_end_the_device(void)
{
    struct flow_rig rig = flow_open(0);
    struct all tx = all_open(&rig, TX), rx = all_open(&rig, RX);

    for (unsigned i = 0; i < 500; i++)
        random_entry(rnd(2) ? &tx : &rx);
    all_close(&rx);
    all_close(&tx);
    flow_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(each_field_can_be_changed),
    RIG_CASE(checksums_that_are_absent_or_wrong_stay),
    RIG_CASE(registers_pass_from_table_to_table),
    RIG_CASE(tags_are_inserted_and_removed),
    RIG_CASE(vxlan_tunnels_are_added_and_removed),
    RIG_CASE(gre_tunnels_replace_the_header_of_ethernet),
    RIG_CASE(rules_of_mlx5dv_count_and_change_packets),
    RIG_CASE(a_frame_that_gets_too_long_is_dropped),
    RIG_CASE(wrong_contexts_are_refused),
    RIG_CASE(entries_refuse_wrong_changes),
    RIG_CASE(random_changes_do_not_end_the_device),
};

/* Without arguments: all cases except the last one. */
int main(int argc, char **argv)
{
    return rig_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]) - (argc < 2 ? 1 : 0));
}

/*
 * Tunnels of VXLAN, GRE and Geneve, in three ways: entries that libmlx5 writes (mlx5dv_dr_*),
 * entries that a program writes itself, and flow tables made by firmware commands.
 */
#include "changes_rig.h"
#include "dr_rig.h"
#include "ste_rig.h"

enum { LONGEST = 16384, SMAC = 7 };             /* bytes of a frame; end of its source address */
enum { SET_FIELD = 2, CODE_DMAC = 0, CODE_SMAC = 1, CODE_TYPE = 2 };    /* of lists of changes */

static const struct row {
    const char *name;
    enum tunnel tunnel;
    unsigned version;           /* of the outer header of IP */
} rows[] = {
    { "VXLAN", VXLAN, 4 }, { "GRE", GRE, 4 }, { "GRE over IPv6", GRE, 6 },
    { "GRE with a key", GRE_KEY, 4 }, { "GRE with all fields", GRE_FULL, 4 },
    { "Geneve", GENEVE, 4 }, { "Geneve over IPv6", GENEVE, 6 },
    { "Geneve with options", GENEVE_OPTIONS, 4 }, { "Geneve, 63 words", GENEVE_LONGEST, 4 },
};

enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };

static const uint8_t l2[ETH - 2] = { 0x02, 0x11, 0x22, 0x33, 0x44, 0x55,
                                     0x02, 0x66, 0x77, 0x88, 0x99, 0xaa };

/* The header of Ethernet of a packet behind an L3 tunnel. */
static void fill_l2(uint8_t header[ETH], unsigned type)
{
    memcpy(header, l2, sizeof(l2));
    put(header, 8 * 12, 16, type);
}

static bool can_carry(const struct row *row, unsigned inside)
{
    return row->tunnel != VXLAN || inside == IN_FRAME;
}

/* ---- tunnels that are removed --------------------------------------------------------------- */

/* Send frames in each tunnel, and expect what is inside: a frame, or a packet behind `l2`. */
static void check_removed(struct flow_rig *rig, unsigned inside)
{
    for (unsigned i = 0; i < NUM_ROWS; i++) {
        uint8_t want[OUTER_ROOM];
        uint32_t len, outer, l2_len = inside == IN_FRAME ? 0 : ETH;

        if (!can_carry(&rows[i], inside))
            continue;
        len = tunnel_frame(rig, rows[i].version, rows[i].tunnel, inside, &outer);
        put(rig->raw.mem, 8 * 10, 16, SMAC);
        fill_l2(want, inside);
        memcpy(want + l2_len, rig->raw.mem + outer, len - outer);
        check_arrives(rig, len, want, l2_len + len - outer, rows[i].name);
        memset(rig->raw.mem + len, 0xee, 9);            /* padding behind the packet */
        check_arrives(rig, len + 9, want, l2_len + len - outer, rows[i].name);
    }
}

/* Send frames that are no tunnel of Geneve or GRE, or whose tunnel does not end in the frame, and
 * expect them unchanged. */
static void check_untouched(struct flow_rig *rig)
{
    static const struct {
        const char *name;
        enum tunnel tunnel;
        unsigned bit, width, value;
    } r[] = {
        { "another port", GENEVE, 8 * 36, 16, 6082 },
        { "version of Geneve", GENEVE, 8 * 42, 2, 1 },
        { "inside Geneve", GENEVE, 8 * 44, 16, 0x6559 },
        { "options of Geneve", GENEVE, 8 * 42 + 2, 6, 63 },
        { "inside GRE", GRE, 8 * 36, 16, 0x6559 },
    };
    uint32_t outer, len;

    for (unsigned i = 0; i < sizeof(r) / sizeof(r[0]); i++) {
        len = tunnel_frame(rig, 4, r[i].tunnel, IN_FRAME, &outer);
        put(rig->raw.mem, 8 * 10, 16, SMAC);
        put(rig->raw.mem, r[i].bit, r[i].width, r[i].value);
        check_arrives(rig, len, rig->raw.mem, len, r[i].name);
    }
    tunnel_frame(rig, 4, GRE, IN_FRAME, &outer);        /* 13 bytes inside */
    put(rig->raw.mem, 8 * 10, 16, SMAC);
    fill_outer(rig->raw.mem, 4, outer + ETH - 1);
    check_arrives(rig, outer + ETH - 1, rig->raw.mem, outer + ETH - 1, "a short frame inside");
    len = flow_frame(rig, 4, 1, 2);
    put(rig->raw.mem, 8 * 10, 16, SMAC);
    check_arrives(rig, len, rig->raw.mem, len, "not in a tunnel");
}

static void libmlx5_removes_tunnels(void)
{
    static const unsigned insides[] = { IN_FRAME, IN_IPV4, IN_IPV6 };
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_RX);
    struct mlx5dv_dr_action *actions[2];

    actions[1] = mlx5dv_dr_action_create_dest_devx_tir(dr.rig.tir.obj);
    CHECK(actions[1]);
    for (unsigned i = 0; i < 3; i++) {
        struct mlx5dv_dr_rule *rule;
        uint8_t header[ETH];

        fill_l2(header, insides[i]);
        actions[0] = i == 0
            ? mlx5dv_dr_action_create_packet_reformat(dr.domain, 0,
                  MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2, 0, NULL)
            : mlx5dv_dr_action_create_packet_reformat(dr.domain, 0,
                  MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L3_TUNNEL_TO_L2, ETH, header);
        CHECK(actions[0]);
        rule = rule_of(dr.matcher, SMAC_15_0, 16, SMAC, 2, actions);
        CHECK(rule);
        dr_sync(&dr);
        check_removed(&dr.rig, insides[i]);
        if (i == 0)
            check_untouched(&dr.rig);
        CHECK_EQ(mlx5dv_dr_rule_destroy(rule), 0);
        CHECK_EQ(mlx5dv_dr_action_destroy(actions[0]), 0);
    }
    CHECK_EQ(mlx5dv_dr_action_destroy(actions[1]), 0);
    dr_close(&dr);
}

/* A list that fills in the header of Ethernet behind an L3 tunnel. Return the number of actions. */
static unsigned fill_list(uint8_t *list, unsigned type)
{
    action(list, SET_FIELD, CODE_DMAC, 16, 0, (uint32_t)get(l2, 0, 32));
    action(list + 8, SET_FIELD, CODE_DMAC, 0, 16, (uint32_t)get(l2, 32, 16));
    action(list + 16, SET_FIELD, CODE_SMAC, 16, 0, (uint32_t)get(l2, 48, 32));
    action(list + 24, SET_FIELD, CODE_SMAC, 0, 16, (uint32_t)get(l2, 80, 16));
    action(list + 32, SET_FIELD, CODE_TYPE, 32, 16, type);
    return 5;
}

static void entries_remove_tunnels(void)
{
    struct ste *ste = ste_open(RX);
    uint8_t *entry = take_all(ste, 0, RX_ENTRY, tir_of_rig(ste));

    put(entry, TUNNELING, 3, REMOVE_L2);
    ste_write(ste);
    check_removed(&ste->rig, IN_FRAME);
    check_untouched(&ste->rig);
    for (unsigned inside = IN_IPV4; inside <= IN_IPV6; inside += IN_IPV6 - IN_IPV4) {
        uint32_t outer, len;

        entry = take_all(ste, 0, CHANGES, tir_of_rig(ste));
        put(entry, TUNNELING, 3, REMOVE_L3);
        entry_changes(ste, entry, fill_list(ste->lists, inside));
        ste_write(ste);
        check_removed(&ste->rig, inside);
        put(entry, DESCRIPTION, 4, 1);          /* the new header has a VLAN tag: not executed */
        ste_write(ste);
        len = tunnel_frame(&ste->rig, 4, GRE, inside, &outer);
        CHECK_EQ(flow_pass(&ste->rig, len, 0, NULL), 0);
    }
    ste_close(ste);
}

static void tables_remove_tunnels(void)
{
    struct flow_rig rig = flow_open(0);
    struct all rx = all_open(&rig, RX);
    struct entry decap = all_entry(&rx, DECAP), decap_l3 = all_entry(&rx, REFORMAT);
    uint8_t header[ETH];
    struct made to_l2;

    fill_l2(header, 0);
    to_l2 = reformat_of(rx.ctx, TUNNEL_TO_L2, header, ETH);
    CHECK_EQ(to_l2.status, OK);
    rx.made = entry_make(rx.ctx, &decap);
    CHECK_EQ(rx.made.status, OK);
    check_removed(&rig, IN_FRAME);
    check_untouched(&rig);
    unmake(&rx.made);
    put(decap_l3.in, CONTEXT + 0xc0, 32, to_l2.number);
    rx.made = entry_make(rx.ctx, &decap_l3);
    CHECK_EQ(rx.made.status, OK);
    check_removed(&rig, IN_IPV4);
    check_removed(&rig, IN_IPV6);
    check_untouched(&rig);
    all_close(&rx);
    unmake(&to_l2);
    flow_close(&rig);
}

/* ---- tunnels that are added ----------------------------------------------------------------- */

/* Send a frame, and expect it behind the headers. L3: without its header of Ethernet. */
static void check_added(struct flow_rig *rig, const struct row *row, unsigned inside,
                        const uint8_t *headers, uint32_t outer)
{
    uint32_t len = flow_frame(rig, inside == IN_IPV6 ? 6 : 4, 1, 2);
    uint32_t skip = inside == IN_FRAME ? 0 : ETH;
    uint8_t want[2 * OUTER_ROOM];

    put(rig->raw.mem, 8 * 10, 16, SMAC);
    memcpy(want, headers, outer);
    memcpy(want + outer, rig->raw.mem + skip, len - skip);
    fill_outer(want, row->version, outer + len - skip);
    check_arrives(rig, len, want, outer + len - skip, row->name);
}

/* Call `check` for each tunnel and what it carries, with the headers of the tunnel. */
static void each_tunnel(void *context, struct flow_rig *rig,
                        void (*check)(void *context, const struct row *row, unsigned inside,
                                      uint8_t *headers, uint32_t outer))
{
    static const unsigned insides[] = { IN_FRAME, IN_IPV4, IN_IPV6 };

    for (unsigned i = 0; i < 3 * NUM_ROWS; i++) {
        const struct row *row = &rows[i / 3];
        uint8_t headers[OUTER_ROOM];

        if (row->tunnel != GENEVE_LONGEST && can_carry(row, insides[i % 3]))
            check(context, row, insides[i % 3], headers,
                  outer_headers(rig, row->version, row->tunnel, insides[i % 3], headers));
    }
}

static void check_libmlx5(void *context, const struct row *row, unsigned inside, uint8_t *headers,
                          uint32_t outer)
{
    struct dr *dr = context;
    struct mlx5dv_dr_action *add = mlx5dv_dr_action_create_packet_reformat(dr->domain, 0,
        inside == IN_FRAME ? MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL
                           : MLX5DV_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L3_TUNNEL,
        outer, headers);
    struct mlx5dv_dr_rule *rule;

    CHECK(add);
    rule = rule_of(dr->matcher, SMAC_15_0, 16, SMAC, 1, &add);
    CHECK(rule);
    dr_sync(dr);
    check_added(&dr->rig, row, inside, headers, outer);
    CHECK_EQ(mlx5dv_dr_rule_destroy(rule), 0);
    CHECK_EQ(mlx5dv_dr_action_destroy(add), 0);
}

static void libmlx5_adds_tunnels(void)
{
    struct dr dr = dr_open(MLX5DV_DR_DOMAIN_TYPE_NIC_TX);
    struct all rx = all_open(&dr.rig, RX);
    struct entry plain = all_entry(&rx, 0);

    rx.made = entry_make(rx.ctx, &plain);
    CHECK_EQ(rx.made.status, OK);
    each_tunnel(&dr, &dr.rig, check_libmlx5);
    all_close(&rx);
    dr_close(&dr);
}

static void check_table(void *context, const struct row *row, unsigned inside, uint8_t *headers,
                        uint32_t outer)
{
    struct all *tx = context;
    struct made reformat = reformat_of(tx->ctx, inside == IN_FRAME ? TO_L2_TUNNEL : TO_L3_TUNNEL,
                                       headers, outer);
    struct entry entry = all_entry(tx, REFORMAT);

    put(entry.in, CONTEXT + 0xc0, 32, reformat.number);
    tx->made = entry_make(tx->ctx, &entry);
    CHECK_EQ(tx->made.status, OK);
    check_added(tx->rig, row, inside, headers, outer);
    unmake(&tx->made);
    tx->made.obj = NULL;
    unmake(&reformat);
}

static void tables_add_tunnels(void)
{
    struct flow_rig rig = flow_open(0);
    struct all tx = all_open(&rig, TX), rx = all_open(&rig, RX);
    struct entry plain = all_entry(&rx, 0);

    rx.made = entry_make(rx.ctx, &plain);
    CHECK_EQ(rx.made.status, OK);
    each_tunnel(&tx, &rig, check_table);
    all_close(&rx);
    all_close(&tx);
    flow_close(&rig);
}

/* ---- entries with wrong contexts, and frames that get too long ------------------------------ */

/* Let the entry for all sent frames add the headers of a context, and return how many of one frame
 * arrive. */
static unsigned sends_through(struct ste *ste, unsigned type, uint32_t context)
{
    uint8_t *entry = take_all(ste, 0, TX_ENTRY, AT_ALLOW);

    entry_adds(entry, type, context);
    ste_write(ste);
    return flow_pass(&ste->rig, flow_frame(&ste->rig, 4, 1, 2), 0, NULL);
}

static void entries_with_a_wrong_context_drop_frames(void)
{
    struct ste *ste = ste_open(TX);
    struct all rx = all_open(&ste->rig, RX);
    struct rig same = rig_open(0), other = rig_open(1);
    struct entry plain = all_entry(&rx, 0);
    uint8_t headers[OUTER_ROOM];
    uint32_t len = outer_headers(&ste->rig, 4, GRE, IN_FRAME, headers);
    struct made to_l2 = reformat_of(ste->ctx, TO_L2_TUNNEL, headers, len);
    struct made to_l3 = reformat_of(ste->ctx, TO_L3_TUNNEL, headers, len);
    struct made removes = reformat_of(ste->ctx, TUNNEL_TO_L2, headers, ETH);
    struct made of_same = reformat_of(same.ctx, TO_L2_TUNNEL, headers, len);
    struct made of_other = reformat_of(other.ctx, TO_L2_TUNNEL, headers, len);

    rx.made = entry_make(rx.ctx, &plain);
    CHECK_EQ(sends_through(ste, ENCAP, to_l2.number), 1);
    CHECK_EQ(sends_through(ste, ENCAP_L3, to_l3.number), 1);
    CHECK_EQ(sends_through(ste, ENCAP, of_same.number), 1);     /* entries know no programs */
    CHECK_EQ(sends_through(ste, ENCAP, to_l3.number), 0);
    CHECK_EQ(sends_through(ste, ENCAP_L3, to_l2.number), 0);
    CHECK_EQ(sends_through(ste, ENCAP, removes.number), 0);
    CHECK_EQ(sends_through(ste, ENCAP_L3, removes.number), 0);
    CHECK_EQ(sends_through(ste, ENCAP, of_other.number), 0);
    CHECK_EQ(sends_through(ste, ENCAP, 0), 0);
    CHECK_EQ(sends_through(ste, ENCAP, 0xffffffff), 0);
    CHECK_EQ(sends_through(ste, 7, to_l2.number), 0);           /* there is no such action */
    unmake(&to_l2);
    CHECK_EQ(sends_through(ste, ENCAP, to_l2.number), 0);
    CHECK_EQ(sends_through(ste, ENCAP_L3, to_l3.number), 1);    /* the device goes on */
    unmake(&to_l3);
    unmake(&removes);
    unmake(&of_same);
    unmake(&of_other);
    all_close(&rx);
    rig_close(&other);
    rig_close(&same);
    ste_close(ste);
}

/* The entry counts what it receives, and drops it, because receive buffers are smaller. */
static void a_tunnel_does_not_make_frames_too_long(void)
{
    struct ste *ste = ste_open(TX);
    struct all rx = all_open(&ste->rig, RX);
    struct made counter = counters_of(ste->ctx, 0), reformat;
    struct entry drop = entry_of(&rx.table, &rx.group, 0, DROP | COUNT);
    struct flow f = { .version = 4, .protocol = 17 };
    uint8_t headers[OUTER_ROOM];
    uint32_t outer = outer_headers(&ste->rig, 4, GENEVE_OPTIONS, IN_FRAME, headers), len;
    uint64_t bytes;

    reformat = reformat_of(ste->ctx, TO_L2_TUNNEL, headers, outer);
    entry_counts(&drop, counter.number);
    rx.made = entry_make(rx.ctx, &drop);
    CHECK_EQ(rx.made.status, OK);
    CHECK_EQ(sends_through(ste, ENCAP, reformat.number), 0);
    CHECK_EQ(counted(&counter, 0, NULL), 1);
    memcpy(f.dst, ste->rig.raw.mac, 6);
    for (unsigned more = 0; more < 2; more++) {
        len = frame_make(ste->rig.raw.mem, &f, LONGEST - outer - ETH - IP4 - UDP + more);
        CHECK_EQ(flow_pass(&ste->rig, len, 0, NULL), 0);
        CHECK_EQ(counted(&counter, 0, &bytes), 2);
        CHECK_EQ(bytes, outer + flow_frame(&ste->rig, 4, 1, 2) + LONGEST);
    }
    all_close(&rx);
    unmake(&reformat);
    unmake(&counter);
    ste_close(ste);
}

static const struct rig_case cases[] = {
    RIG_CASE(libmlx5_removes_tunnels),
    RIG_CASE(entries_remove_tunnels),
    RIG_CASE(tables_remove_tunnels),
    RIG_CASE(libmlx5_adds_tunnels),
    RIG_CASE(tables_add_tunnels),
    RIG_CASE(entries_with_a_wrong_context_drop_frames),
    RIG_CASE(a_tunnel_does_not_make_frames_too_long),
};

RIG_MAIN(cases)

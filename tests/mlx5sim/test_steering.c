/*
 * Flow rules of verbs, and the way of frames through the emulated network. The machine has mlx5_0
 * and vf on port 0, and mlx5_1 on port 1.
 */
#include "packet_rig.h"

enum { PF0, PF1, VF, RECEIVE_AT = 1 << 14, RECEIVE_BYTES = 2048, RECEIVES = 8 };

static const uint8_t group[6] = { 1, 0, 0x5e, 1, 2, 3 };

/* ---- rules and receives --------------------------------------------------------------------- */

struct rule {
    struct ibv_flow_attr attr;
    uint8_t specs[512];
};

static struct rule rule_of(enum ibv_flow_attr_type type, unsigned priority)
{
    struct rule rule = { .attr = { .type = type, .priority = (uint16_t)priority, .port = 1,
                                   .size = sizeof(struct ibv_flow_attr) } };

    return rule;
}

static void rule_add(struct rule *rule, const void *spec, size_t len)
{
    size_t at = rule->attr.size - sizeof(rule->attr);

    memcpy(rule->specs + at, spec, len);
    rule->attr.size = (uint16_t)(rule->attr.size + len);
    rule->attr.num_of_specs++;
}

static void rule_add_dmac(struct rule *rule, const uint8_t mac[6])
{
    struct ibv_flow_spec_eth eth = { .type = IBV_FLOW_SPEC_ETH, .size = sizeof(eth) };

    memcpy(eth.val.dst_mac, mac, 6);
    memset(eth.mask.dst_mac, 0xff, 6);
    rule_add(rule, &eth, sizeof(eth));
}

static struct ibv_flow *rule_make(struct raw *raw, struct rule *rule)
{
    struct ibv_flow *flow = ibv_create_flow(raw->qp, &rule->attr);

    CHECK(flow);
    return flow;
}

static struct ibv_flow *rule_simple(struct raw *raw, enum ibv_flow_attr_type type, unsigned prio)
{
    struct rule rule = rule_of(type, prio);

    return rule_make(raw, &rule);
}

static void post_receives(struct raw *raw, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        rig_post_receive(raw->qp, (struct rig_side){ raw->mem + RECEIVE_AT + i * RECEIVE_BYTES,
                                                     RECEIVE_BYTES, raw->mr->lkey }, i);
}

/* Return the number of frames that have arrived, and check each of them. The device writes the
 * completion of the sender last, and the sender has polled it. */
static unsigned received(struct raw *raw, const uint8_t *frame, uint32_t len)
{
    unsigned num = 0;
    struct ibv_wc wc;

    while (ibv_poll_cq(raw->rig.cq, 1, &wc) == 1) {
        CHECK_EQ(wc.status, IBV_WC_SUCCESS);
        CHECK_EQ(wc.opcode, IBV_WC_RECV);
        CHECK_EQ(wc.byte_len, len);
        CHECK_EQ(memcmp(raw->mem + RECEIVE_AT + wc.wr_id * RECEIVE_BYTES, frame, len), 0);
        memset(raw->mem + RECEIVE_AT + wc.wr_id * RECEIVE_BYTES, 0xee, len);
        rig_post_receive(raw->qp, (struct rig_side){ raw->mem + RECEIVE_AT +
                         wc.wr_id * RECEIVE_BYTES, RECEIVE_BYTES, raw->mr->lkey }, wc.wr_id);
        num++;
    }
    return num;
}

static struct raw receiver(int index)
{
    struct raw raw = raw_open(index);

    post_receives(&raw, RECEIVES);
    return raw;
}

static uint32_t make_to(struct raw *sender, const uint8_t dst[6])
{
    struct flow f = { .version = 4, .protocol = 17, .sport = 5, .dport = 6 };

    memcpy(f.dst, dst, 6);
    memcpy(f.src, sender->mac, 6);
    return frame_make(sender->mem, &f, 64);
}

/* ---- the network ---------------------------------------------------------------------------- */

static void frames_go_where_the_network_says(void)
{
    static const uint8_t unknown[6] = { 2, 9, 9, 9, 9, 9 };
    struct raw sender = raw_open(PF0), to[3];
    struct ibv_flow *flow[3];
    const struct { const uint8_t *mac; unsigned pf0, pf1, vf; } rows[] = {
        { to[PF0].mac, 1, 0, 0 }, { to[PF1].mac, 0, 1, 0 }, { to[VF].mac, 0, 0, 1 },
        { group, 1, 1, 1 }, { unknown, 0, 1, 0 } };

    for (int i = 0; i < 3; i++) {
        to[i] = receiver(i);
        flow[i] = rule_simple(&to[i], IBV_FLOW_ATTR_ALL_DEFAULT, 0);
    }
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t len = make_to(&sender, rows[i].mac);

        raw_send(&sender, len, 1, 0);
        CHECK_EQ(received(&to[PF0], sender.mem, len), rows[i].pf0);
        CHECK_EQ(received(&to[PF1], sender.mem, len), rows[i].pf1);
        CHECK_EQ(received(&to[VF], sender.mem, len), rows[i].vf);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(ibv_destroy_flow(flow[i]), 0);
        raw_close(&to[i]);
    }
    raw_close(&sender);
}

/* ---- the match of a rule -------------------------------------------------------------------- */

/* Send the frame with and without a change of one byte. The rule takes only the first one. */
static void check_match(struct raw *sender, struct raw *to, const struct rule *rule, uint32_t len,
                        unsigned changed, const char *what)
{
    struct rule copy = *rule;
    struct ibv_flow *flow = rule_make(to, &copy);
    unsigned num;

    raw_send(sender, len, 1, 0);
    num = received(to, sender->mem, len);
    if (num != 1)
        rig_fail(__FILE__, __LINE__, "%s: the rule takes %u frames", what, num);
    sender->mem[changed] ^= 4;
    raw_send(sender, len, 1, 0);
    if (received(to, sender->mem, len))
        rig_fail(__FILE__, __LINE__, "%s: the rule takes a frame that does not match", what);
    sender->mem[changed] ^= 4;
    CHECK_EQ(ibv_destroy_flow(flow), 0);
}

/* Check each byte of a specification: the bytes at `val` of its value are those of the frame at
 * `at`. The value begins at `base` and has `filter` bytes; the mask follows it. */
struct field {
    const char *name;
    unsigned val, at, len;
};

static void check_fields(unsigned version, unsigned protocol, uint16_t vlan, uint32_t type,
                         unsigned base, unsigned filter, const struct field *fields,
                         unsigned num)
{
    struct raw sender = raw_open(PF0), to = receiver(PF0);
    struct flow f = { .dst = { 1, 0, 0x5e, 1, 2, 3 }, .src = { 2, 1, 1, 1, 1, 1 },
        .version = version, .protocol = protocol, .sport = 0x1234, .dport = 0x2345, .vlan = vlan,
        .last_src = 7, .last_dst = 9 };
    uint32_t len = frame_make(sender.mem, &f, 80);

    for (unsigned i = 0; i < num; i++) {
        struct rule rule = rule_of(IBV_FLOW_ATTR_NORMAL, 3);
        uint8_t spec[96] = { 0 };
        uint16_t size = (uint16_t)((base + 2 * filter + 7) / 8 * 8);

        memcpy(spec, &type, 4);
        memcpy(spec + 4, &size, 2);
        memcpy(spec + base + fields[i].val, sender.mem + fields[i].at, fields[i].len);
        memset(spec + base + filter + fields[i].val, 0xff, fields[i].len);
        rule_add(&rule, spec, size);
        for (unsigned byte = 0; byte < fields[i].len; byte++)
            check_match(&sender, &to, &rule, len, fields[i].at + byte, fields[i].name);
    }
    raw_close(&to);
    raw_close(&sender);
}

static void ethernet_fields_are_matched(void)
{
    static const struct field fields[] = { { "dst_mac", 0, 0, 6 }, { "src_mac", 6, 6, 6 },
        { "ether_type", 12, 12, 2 } };
    static const struct field tagged[] = { { "vlan_tag", 14, 14, 2 }, { "ether_type", 12, 16, 2 } };

    check_fields(4, 17, 0, IBV_FLOW_SPEC_ETH, 6, 16, fields, 3);
    check_fields(4, 17, 0x6123, IBV_FLOW_SPEC_ETH, 6, 16, tagged, 2);
}

static void ipv4_fields_are_matched(void)
{
    static const struct field fields[] = { { "src_ip", 0, 26, 4 }, { "dst_ip", 4, 30, 4 },
        { "proto", 8, 23, 1 }, { "tos", 9, 15, 1 }, { "ttl", 10, 22, 1 } };

    check_fields(4, 17, 0, IBV_FLOW_SPEC_IPV4, 8, 8, fields, 2);
    check_fields(4, 6, 0, IBV_FLOW_SPEC_IPV4_EXT, 8, 12, fields, 5);
}

static void ipv6_fields_are_matched(void)
{
    static const struct field fields[] = { { "src_ip", 0, 22, 16 }, { "dst_ip", 16, 38, 16 },
        { "next_hdr", 36, 20, 1 }, { "hop_limit", 38, 21, 1 } };

    check_fields(6, 17, 0, IBV_FLOW_SPEC_IPV6, 8, 40, fields, 4);
}

static void ports_are_matched(void)
{
    static const struct field v4[] = { { "dst_port", 0, 36, 2 }, { "src_port", 2, 34, 2 } };
    static const struct field v6[] = { { "dst_port", 0, 56, 2 }, { "src_port", 2, 54, 2 } };

    for (unsigned protocol = 6; protocol <= 17; protocol += 11) {
        uint32_t type = protocol == 6 ? IBV_FLOW_SPEC_TCP : IBV_FLOW_SPEC_UDP;

        check_fields(4, protocol, 0, type, 6, 4, v4, 2);
        check_fields(6, protocol, 0, type, 6, 4, v6, 2);
    }
}

/* ---- the order of rules --------------------------------------------------------------------- */

static void the_first_priority_that_matches_takes_the_frame(void)
{
    struct raw sender = raw_open(PF0), to[3];
    struct rule all = rule_of(IBV_FLOW_ATTR_NORMAL, 7), dmac = rule_of(IBV_FLOW_ATTR_NORMAL, 2);
    struct ibv_flow *flow[3];
    uint32_t len = make_to(&sender, group);

    for (int i = 0; i < 3; i++)
        to[i] = receiver(PF0);
    rule_add_dmac(&dmac, group);
    flow[0] = rule_simple(&to[0], IBV_FLOW_ATTR_ALL_DEFAULT, 0);
    flow[1] = rule_make(&to[1], &all);
    flow[2] = rule_make(&to[2], &dmac);
    for (int i = 2; i >= 0; i--) {
        raw_send(&sender, len, 1, 0);
        for (int k = 0; k < 3; k++)
            CHECK_EQ(received(&to[k], sender.mem, len), k == i);
        CHECK_EQ(ibv_destroy_flow(flow[i]), 0);
    }
    for (int i = 0; i < 3; i++)
        raw_close(&to[i]);
    raw_close(&sender);
}

static void equal_rules_share_the_frame(void)
{
    struct raw sender = raw_open(PF0), a = receiver(PF0), b = receiver(PF0);
    struct rule rule = rule_of(IBV_FLOW_ATTR_NORMAL, 2);
    struct ibv_flow *flow[2];
    uint32_t len = make_to(&sender, group);

    rule_add_dmac(&rule, group);
    flow[0] = rule_make(&a, &rule);
    flow[1] = rule_make(&b, &rule);
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(received(&a, sender.mem, len), 1);
    CHECK_EQ(received(&b, sender.mem, len), 1);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(ibv_destroy_flow(flow[i]), 0);
    raw_close(&a);
    raw_close(&b);
    raw_close(&sender);
}

static void default_rules_see_what_is_left(void)
{
    struct raw sender = raw_open(PF1), all = receiver(PF0), mc = receiver(PF0);
    struct ibv_flow *flow = rule_simple(&mc, IBV_FLOW_ATTR_MC_DEFAULT, 0), *other;
    uint32_t len = make_to(&sender, all.mac);

    raw_send(&sender, len, 1, 0);
    CHECK_EQ(received(&mc, sender.mem, len), 0);
    other = rule_simple(&all, IBV_FLOW_ATTR_ALL_DEFAULT, 0);
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(received(&mc, sender.mem, len), 0);
    CHECK_EQ(received(&all, sender.mem, len), 1);
    make_to(&sender, group);
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(received(&mc, sender.mem, len), 1);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    CHECK_EQ(ibv_destroy_flow(other), 0);
    raw_close(&all);
    raw_close(&mc);
    raw_close(&sender);
}

static void a_sniffer_gets_copies_of_both_directions(void)
{
    struct raw sender = raw_open(PF0), to = receiver(PF1), sniffer[2];
    struct ibv_flow *flow = rule_simple(&to, IBV_FLOW_ATTR_NORMAL, 0), *sniff[2];
    uint32_t len = make_to(&sender, to.mac);

    for (int i = 0; i < 2; i++) {
        sniffer[i] = receiver(i);
        sniff[i] = rule_simple(&sniffer[i], IBV_FLOW_ATTR_SNIFFER, 0);
    }
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(received(&to, sender.mem, len), 1);
    CHECK_EQ(received(&sniffer[PF0], sender.mem, len), 1);      /* sent */
    CHECK_EQ(received(&sniffer[PF1], sender.mem, len), 1);      /* received */
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(ibv_destroy_flow(sniff[i]), 0);
        raw_close(&sniffer[i]);
    }
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    raw_close(&to);
    raw_close(&sender);
}

static void a_rule_can_let_the_frame_go_on(void)
{
    struct raw sender = raw_open(PF0), copy = receiver(PF0), to = receiver(PF0);
    struct rule rule = rule_of(IBV_FLOW_ATTR_NORMAL, 1);
    struct ibv_flow *flow = rule_simple(&to, IBV_FLOW_ATTR_NORMAL, 4), *first;
    uint32_t len = make_to(&sender, group);

    rule.attr.flags = IBV_FLOW_ATTR_FLAGS_DONT_TRAP;
    first = rule_make(&copy, &rule);
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(received(&copy, sender.mem, len), 1);
    CHECK_EQ(received(&to, sender.mem, len), 1);
    CHECK_EQ(ibv_destroy_flow(first), 0);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    raw_close(&copy);
    raw_close(&to);
    raw_close(&sender);
}

/* ---- actions -------------------------------------------------------------------------------- */

static void drop_drops_and_count_counts(void)
{
    struct raw sender = raw_open(PF0), to = receiver(PF0);
    struct ibv_counters_init_attr init = { 0 };
    struct ibv_counters *counters = ibv_create_counters(to.rig.ctx, &init);
    struct ibv_counter_attach_attr packets = { IBV_COUNTER_PACKETS, 1, 0 },
                                   bytes = { IBV_COUNTER_BYTES, 0, 0 };
    struct ibv_flow_spec_action_drop drop = { IBV_FLOW_SPEC_ACTION_DROP, sizeof(drop) };
    struct ibv_flow_spec_counter_action count = { IBV_FLOW_SPEC_ACTION_COUNT, sizeof(count),
                                                  counters };
    struct rule dropping = rule_of(IBV_FLOW_ATTR_NORMAL, 1);
    struct rule rule = rule_of(IBV_FLOW_ATTR_NORMAL, 2);
    struct ibv_flow *flow, *first;
    uint32_t len = make_to(&sender, group);
    uint64_t values[3] = { 9, 9, 9 };

    CHECK(counters);
    CHECK_EQ(ibv_attach_counters_point_flow(counters, &packets, NULL), 0);
    CHECK_EQ(ibv_attach_counters_point_flow(counters, &bytes, NULL), 0);
    rule_add(&rule, &count, sizeof(count));
    flow = rule_make(&to, &rule);
    for (unsigned i = 1; i <= 3; i++) {
        raw_send(&sender, len, 1, 0);
        CHECK_EQ(received(&to, sender.mem, len), 1);
        CHECK_EQ(ibv_read_counters(counters, values, 3, 0), 0);
        CHECK_EQ(values[1], i);
        CHECK_EQ(values[0], i * len);
    }
    CHECK_EQ(ibv_destroy_counters(counters), EBUSY);
    rule.attr.priority = 1;             /* a second rule with the same counters */
    first = rule_make(&to, &rule);
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(received(&to, sender.mem, len), 1);
    CHECK_EQ(ibv_read_counters(counters, values, 3, 0), 0);
    CHECK_EQ(values[1], 4);
    CHECK_EQ(ibv_destroy_flow(first), 0);
    rule_add_dmac(&dropping, group);
    rule_add(&dropping, &drop, sizeof(drop));
    first = rule_make(&to, &dropping);
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(received(&to, sender.mem, len), 0);
    CHECK_EQ(ibv_read_counters(counters, values, 2, 0), 0);
    CHECK_EQ(values[1], 4);
    CHECK_EQ(ibv_destroy_flow(first), 0);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    CHECK_EQ(ibv_destroy_counters(counters), 0);
    raw_close(&to);
    raw_close(&sender);
}

/* The library reads the flow tag and the QP number from the same field of the CQE. */
static void a_tag_is_in_the_completion(void)
{
    struct raw sender = raw_open(PF0), to = receiver(PF0);
    struct ibv_flow_spec_action_tag tag = { IBV_FLOW_SPEC_ACTION_TAG, sizeof(tag), 0xabcdef };
    struct rule rule = rule_of(IBV_FLOW_ATTR_NORMAL, 2);
    struct ibv_flow *flow;

    rule_add(&rule, &tag, sizeof(tag));
    flow = rule_make(&to, &rule);
    raw_send(&sender, make_to(&sender, group), 1, 0);
    CHECK_EQ(rig_poll(to.rig.cq).qp_num, 0xabcdef);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    raw_close(&to);
    raw_close(&sender);
}

/* ---- receiving ------------------------------------------------------------------------------ */

static void the_completion_tells_of_right_checksums(void)
{
    struct raw sender = raw_open(PF0), to = receiver(PF0);
    struct ibv_flow *flow = rule_simple(&to, IBV_FLOW_ATTR_NORMAL, 0);
    struct flow f = { .dst = { 1 }, .version = 4, .protocol = 6 };

    for (unsigned i = 0; i < 3; i++) {
        uint32_t len = frame_make(sender.mem, &f, 51);

        if (i == 2)             /* only the checksum of IP is right */
            put(sender.mem + 24, 0, 16, (uint16_t)~ones_sum(sender.mem + ETH, IP4, 0));
        raw_send(&sender, len, 1, i == 0 ? IBV_SEND_IP_CSUM : 0);
        CHECK_EQ(rig_poll(to.rig.cq).wc_flags & IBV_WC_IP_CSUM_OK,
                 i == 0 ? IBV_WC_IP_CSUM_OK : 0);
    }
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    raw_close(&to);
    raw_close(&sender);
}

static void frames_without_a_receive_are_dropped(void)
{
    struct raw sender = raw_open(PF0), to = raw_open(PF0);
    struct ibv_flow *flow = rule_simple(&to, IBV_FLOW_ATTR_NORMAL, 0);
    uint32_t len = make_to(&sender, group);

    raw_send(&sender, len, 1, 0);
    post_receives(&to, 1);
    CHECK_EQ(received(&to, sender.mem, len), 0);
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(received(&to, sender.mem, len), 1);
    CHECK_EQ(rig_state(to.qp), IBV_QPS_RTS);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    raw_close(&to);
    raw_close(&sender);
}

static void a_frame_that_does_not_fit_stops_the_queue(void)
{
    struct raw sender = raw_open(PF0), to = raw_open(PF0);
    struct ibv_flow *flow = rule_simple(&to, IBV_FLOW_ATTR_NORMAL, 0);
    uint32_t len = make_to(&sender, group);

    for (unsigned i = 0; i < 2; i++)
        rig_post_receive(to.qp, (struct rig_side){ to.mem, len - 1, to.mr->lkey }, i);
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(rig_poll(to.rig.cq).status, IBV_WC_LOC_LEN_ERR);
    CHECK_EQ(rig_poll(to.rig.cq).status, IBV_WC_WR_FLUSH_ERR);
    CHECK_EQ(rig_state(to.qp), IBV_QPS_ERR);
    raw_send(&sender, len, 1, 0);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    raw_close(&to);
    raw_close(&sender);
}

/* ---- bad input ------------------------------------------------------------------------------ */

static void refused(struct ibv_qp *qp, const struct rule *rule, int error)
{
    struct rule copy = *rule;

    errno = 0;
    CHECK(!ibv_create_flow(qp, &copy.attr));
    CHECK_EQ(errno, error);
}

static void wrong_rules_are_refused(void)
{
    struct raw raw = raw_open(PF0);
    struct ibv_qp *rc = rig_loop(&raw.rig, (struct rig_qp_options){ 0 });
    struct ibv_flow_spec_eth eth = { .type = IBV_FLOW_SPEC_ETH, .size = sizeof(eth),
        .val = { .ether_type = htobe16(0x86dd) }, .mask = { .ether_type = 0xffff } };
    struct ibv_flow_spec_ipv4 ip = { .type = IBV_FLOW_SPEC_IPV4, .size = sizeof(ip) };
    struct ibv_flow_spec_action_tag tag = { IBV_FLOW_SPEC_ACTION_TAG, sizeof(tag), 1 << 24 };
    struct rule rule = rule_of(IBV_FLOW_ATTR_NORMAL, 0);

    refused(rc, &rule, EINVAL);
    rule.attr.priority = 16;
    refused(raw.qp, &rule, ENOSPC);
    rule = rule_of(IBV_FLOW_ATTR_NORMAL, 0);
    rule.attr.port = 2;
    refused(raw.qp, &rule, EINVAL);
    rule = rule_of(4, 0);
    refused(raw.qp, &rule, EINVAL);
    rule = rule_of(IBV_FLOW_ATTR_NORMAL, 0);
    rule.attr.flags = IBV_FLOW_ATTR_FLAGS_EGRESS;
    refused(raw.qp, &rule, EINVAL);
    rule = rule_of(IBV_FLOW_ATTR_SNIFFER, 0);
    rule_add_dmac(&rule, group);
    refused(raw.qp, &rule, EINVAL);
    rule = rule_of(IBV_FLOW_ATTR_NORMAL, 0);
    rule_add(&rule, &eth, sizeof(eth));
    rule_add(&rule, &ip, sizeof(ip));
    refused(raw.qp, &rule, EINVAL);
    rule = rule_of(IBV_FLOW_ATTR_NORMAL, 0);
    rule_add(&rule, &tag, sizeof(tag));
    refused(raw.qp, &rule, EINVAL);
    CHECK_EQ(ibv_destroy_qp(rc), 0);
    raw_close(&raw);
}

static void a_qp_stays_while_a_rule_uses_it(void)
{
    struct raw raw = raw_open(PF0);
    struct ibv_flow *flow = rule_simple(&raw, IBV_FLOW_ATTR_NORMAL, 0);

    CHECK_EQ(ibv_destroy_qp(raw.qp), EBUSY);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    raw_close(&raw);
}

static const struct rig_case cases[] = {
    RIG_CASE(frames_go_where_the_network_says),
    RIG_CASE(ethernet_fields_are_matched),
    RIG_CASE(ipv4_fields_are_matched),
    RIG_CASE(ipv6_fields_are_matched),
    RIG_CASE(ports_are_matched),
    RIG_CASE(the_first_priority_that_matches_takes_the_frame),
    RIG_CASE(equal_rules_share_the_frame),
    RIG_CASE(default_rules_see_what_is_left),
    RIG_CASE(a_sniffer_gets_copies_of_both_directions),
    RIG_CASE(a_rule_can_let_the_frame_go_on),
    RIG_CASE(drop_drops_and_count_counts),
    RIG_CASE(a_tag_is_in_the_completion),
    RIG_CASE(the_completion_tells_of_right_checksums),
    RIG_CASE(frames_without_a_receive_are_dropped),
    RIG_CASE(a_frame_that_does_not_fit_stops_the_queue),
    RIG_CASE(wrong_rules_are_refused),
    RIG_CASE(a_qp_stays_while_a_rule_uses_it),
};

RIG_MAIN(cases)

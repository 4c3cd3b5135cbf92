/*
 * Helpers for tests of changes of packets: one entry of a flow table takes all frames that the
 * function receives, or all that it sends; contexts with the headers of a tunnel.
 */
#ifndef MLX5SIM_TEST_CHANGES_RIG_H
#define MLX5SIM_TEST_CHANGES_RIG_H

#include "flow_rig.h"

enum { TO_VXLAN = 0, TO_L2_TUNNEL = 2, TUNNEL_TO_L2 = 3, TO_L3_TUNNEL = 4 };

/* ---- one entry for all frames --------------------------------------------------------------- */

struct all {
    struct flow_rig *rig;
    struct ibv_context *ctx;
    struct table table;
    struct made group, made;
    struct root root;
};

__attribute__((unused)) static struct all all_open(struct flow_rig *rig, unsigned type)
{
    struct all all = { .rig = rig, .ctx = rig->raw.rig.ctx };

    all.table = table_of(all.ctx, type, 0, REFORMATS | DECAPS, NULL);
    all.group = group_of(all.ctx, &all.table, 0, 15, 0, 0);
    CHECK(all.table.made.obj && all.group.obj);
    all.root = root_to(all.ctx, &all.table);
    return all;
}

__attribute__((unused)) static struct entry all_entry(struct all *all, unsigned action)
{
    bool sends = all->table.type == TX;
    struct entry entry = entry_of(&all->table, &all->group, 0,
                                  action | (sends ? ALLOW : FORWARD));

    if (!sends)
        entry_to(&entry, DEST_TIR, all->rig->tir.number);
    return entry;
}

__attribute__((unused)) static void all_close(struct all *all)
{
    if (all->made.obj)
        unmake(&all->made);
    root_end(&all->root);
    unmake(&all->group);
    unmake(&all->table.made);
}

/* Send a frame to the function, and expect `want`. */
__attribute__((unused)) static void check_arrives(struct flow_rig *rig, uint32_t len,
                                                  const uint8_t *want, uint32_t want_len,
                                                  const char *what)
{
    struct got got;
    unsigned num = flow_pass(rig, len, 0, &got);

    if (num != 1 || got.len != want_len)
        rig_fail(__FILE__, __LINE__, "%s: %u frames, of %u bytes instead of %u", what, num,
                 num ? got.len : 0, want_len);
    for (uint32_t i = 0; i < want_len; i++)
        if (got.bytes[i] != want[i])
            rig_fail(__FILE__, __LINE__, "%s: byte %u is %#x instead of %#x", what, i,
                     got.bytes[i], want[i]);
}

/* Write the checksums of an untagged frame. */
__attribute__((unused)) static void set_checksums(uint8_t *p, uint32_t len)
{
    bool v4 = p[12] == 8, tcp = p[v4 ? 23 : 20] == 6;
    uint32_t l4 = ETH + (v4 ? IP4 : 40), addresses = v4 ? 8 : 32, at = l4 + (tcp ? 16 : 6);
    uint16_t sum;

    if (v4) {
        put(p + 24, 0, 16, 0);
        put(p + 24, 0, 16, (uint16_t)~ones_sum(p + ETH, IP4, 0));
    }
    put(p + at, 0, 16, 0);
    sum = (uint16_t)~ones_sum(p + l4, len - l4, ones_sum(p + l4 - addresses, addresses,
                                                         p[v4 ? 23 : 20] + len - l4));
    put(p + at, 0, 16, sum ? sum : 0xffff);
}

/* ---- tunnels -------------------------------------------------------------------------------- */

__attribute__((unused)) static struct made reformat_of(struct ibv_context *ctx, unsigned type,
                                                       const uint8_t *data, uint32_t len)
{
    uint8_t in[0x24 + 512] = { 0 };

    put(in, 0xe0, 8, type);
    put(in, 0xe0 + 0x16, 10, len);
    if (len <= 256)
        memcpy(in + 0x22, data, len);
    return make(ctx, in, sizeof(in), 0x93d, 0x40);
}

/* GRE_FULL has a checksum, a key and a sequence number. Headers of GENEVE_LONGEST do not fit into a
 * packet reformat context. */
enum tunnel { VXLAN, GRE, GRE_KEY, GRE_FULL, GENEVE, GENEVE_OPTIONS, GENEVE_LONGEST };
enum { IN_IPV4 = 0x0800, IN_IPV6 = 0x86dd, IN_FRAME = 0x6558, OUTER_ROOM = 512 };

/* Write the headers of a tunnel: Ethernet, IP, for VXLAN and Geneve UDP, and the tunnel's own.
 * Lengths and checksums are 0. `inside`: the type in the header of GRE or Geneve. Return the length
 * of the headers. */
__attribute__((unused)) static uint32_t outer_headers(struct flow_rig *rig, unsigned version,
                                                      enum tunnel tunnel, unsigned inside,
                                                      uint8_t *p)
{
    static const uint16_t flags[] = { [GRE_KEY] = 0x2000, [GRE_FULL] = 0xb000 };
    static const uint32_t bytes[] = { [GRE] = 4, [GRE_KEY] = 8, [GRE_FULL] = 16 };
    struct flow f = { .version = version, .protocol = 17, .sport = 0xc000,
                      .dport = tunnel == VXLAN ? 4789 : 6081, .last_src = 7, .last_dst = 8 };
    uint32_t l3 = version == 4 ? 20 : 40, at = ETH + l3 + UDP;
    unsigned words = tunnel == GENEVE_OPTIONS ? 3 : tunnel == GENEVE_LONGEST ? 63 : 0;

    memcpy(f.dst, rig->raw.mac, 6);
    memcpy(f.src, rig->raw.mac, 6);
    frame_make(p, &f, 0);
    put(p + ETH + (version == 4 ? 2 : 4), 0, 16, 0);
    put(p + ETH + l3 + 4, 0, 16, 0);
    if (tunnel == VXLAN) {
        put(p + at, 0, 64, 0x0800000000002a00);         /* VNI 42 */
        return at + 8;
    }
    if (tunnel >= GENEVE) {
        put(p + at, 0, 64, (uint64_t)words << 56 | (uint64_t)inside << 32 | 0x2a00);
        rig_fill(p + at + 8, 4 * words, 99);
        return at + 8 + 4 * words;
    }
    p[ETH + (version == 4 ? 9 : 6)] = 47;
    rig_fill(p + ETH + l3, bytes[tunnel], 77);
    put(p + ETH + l3, 0, 32, (uint32_t)flags[tunnel] << 16 | inside);
    return ETH + l3 + bytes[tunnel];
}

/* Fill in the lengths of a packet of `len` bytes, and the checksum of the outer IPv4 header. */
__attribute__((unused)) static void fill_outer(uint8_t *p, unsigned version, uint32_t len)
{
    uint32_t l3 = version == 4 ? 20 : 40;

    put(p + ETH + (version == 4 ? 2 : 4), 0, 16, len - ETH - (version == 4 ? 0 : 40));
    if (p[ETH + (version == 4 ? 9 : 6)] == 17)
        put(p + ETH + l3 + 4, 0, 16, len - ETH - l3);
    if (version == 4)
        put(p + 24, 0, 16, (uint16_t)~ones_sum(p + ETH, IP4, 0));
}

/* Write a UDP frame in a tunnel, to the own function, into the memory. The inner frame or packet is
 * of IPv6 when `inside` says so. Return the length; `*outer` becomes that of the headers before the
 * inner frame or packet. */
__attribute__((unused)) static uint32_t tunnel_frame(struct flow_rig *rig, unsigned version,
                                                     enum tunnel tunnel, unsigned inside,
                                                     uint32_t *outer)
{
    uint32_t len = flow_frame(rig, inside == IN_IPV6 ? 6 : 4, 1, 2);
    uint32_t skip = tunnel == VXLAN || inside == IN_FRAME ? 0 : ETH;
    uint8_t inner[OUTER_ROOM];

    memcpy(inner, rig->raw.mem + skip, len - skip);
    *outer = outer_headers(rig, version, tunnel, inside, rig->raw.mem);
    memcpy(rig->raw.mem + *outer, inner, len - skip);
    fill_outer(rig->raw.mem, version, *outer + len - skip);
    return *outer + len - skip;
}

/* ---- random frames -------------------------------------------------------------------------- */

static uint64_t seed = 0x9e3779b97f4a7c15;

__attribute__((unused)) static uint32_t rnd(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 16) % below);
}

__attribute__((unused)) static unsigned random_inside(void)
{
    return (unsigned[]){ IN_FRAME, IN_IPV4, IN_IPV6 }[rnd(3)];
}

/* A frame with some random bytes in its headers, in a tunnel or not. */
__attribute__((unused)) static uint32_t random_frame(struct flow_rig *rig)
{
    struct flow f = { .version = rnd(2) ? 4 : 6, .protocol = rnd(2) ? 6 : 17,
        .dport = rnd(2) ? 4789 : (uint16_t)rnd(65536),
        .vlan = (uint16_t)(rnd(2) ? 0 : rnd(4096)) };
    uint32_t len, outer = 0;

    memcpy(f.dst, rig->raw.mac, 6);
    len = rnd(2) ? frame_make(rig->raw.mem, &f, rnd(1000))
                 : tunnel_frame(rig, rnd(2) ? 4 : 6, (enum tunnel)rnd(GENEVE_LONGEST + 1),
                                random_inside(), &outer);
    for (unsigned i = rnd(4); i > 0; i--)
        rig->raw.mem[12 + rnd(60 + outer)] = (uint8_t)rnd(256);
    return rnd(4) ? len : ETH + rnd(len - ETH);
}

#endif

/* Ethernet frames: headers, checksums, Toeplitz hash. */
#include "device/hca/packet.h"

#include <string.h>

enum {
    IPV4_BYTES = 20, IPV6_BYTES = 40, TCP_BYTES = 20, UDP_BYTES = 8, GRE_BYTES = 4, ICMP_BYTES = 4,
    VXLAN_BYTES = 8, GENEVE_BYTES = 8, KEY_BYTES = 40,
    GRE_CHECKSUM = 0x8000, GRE_KEY = 0x2000, GRE_SEQUENCE = 0x1000,
    HOP_BY_HOP = 0, ROUTING = 43, FRAGMENT = 44, DESTINATION = 60      /* extensions of IPv6 */
};

uint16_t packet_be16(const struct packet *packet, unsigned at)
{
    return (uint16_t)(packet->bytes[at] << 8 | packet->bytes[at + 1]);
}

uint32_t packet_be32(const struct packet *packet, unsigned at)
{
    return (uint32_t)packet_be16(packet, at) << 16 | packet_be16(packet, at + 2);
}

static void put_be16(struct packet *packet, unsigned at, uint16_t value)
{
    packet->bytes[at] = (uint8_t)(value >> 8);
    packet->bytes[at + 1] = (uint8_t)value;
}

/* ---- headers -------------------------------------------------------------------------------- */

static unsigned parse_l2(struct packet *p)
{
    unsigned at = PACKET_ETH - 2;

    p->ethertype = packet_be16(p, at);
    while ((p->ethertype == PACKET_CVLAN || p->ethertype == PACKET_SVLAN) && p->num_vlans < 2 &&
           at + 2 + PACKET_VLAN <= p->len) {
        p->vlan_type[p->num_vlans] = p->ethertype;
        p->vlan[p->num_vlans++] = packet_be16(p, at + 2);
        at += PACKET_VLAN;
        p->ethertype = packet_be16(p, at);
    }
    return at + 2;
}

static bool parse_ipv4(struct packet *p, unsigned at)
{
    unsigned len, fragment;

    if (at + IPV4_BYTES > p->len || p->bytes[at] >> 4 != 4)
        return false;
    p->l3_len = (p->bytes[at] & 15u) * 4;
    len = packet_be16(p, at + 2);
    if (p->l3_len < IPV4_BYTES || at + p->l3_len > p->len || len < p->l3_len)
        return false;
    p->l3 = at;
    p->ip_version = 4;
    p->protocol = p->bytes[at + 9];
    p->end = at + len < p->len ? at + len : p->len;
    fragment = packet_be16(p, at + 6);
    p->fragment = (fragment & 0x3fff) != 0;             /* "more fragments", or an offset */
    return (fragment & 0x1fff) == 0;
}

/* Skips the extension headers. */
static bool parse_ipv6(struct packet *p, unsigned at)
{
    unsigned next = at + IPV6_BYTES, len;
    bool first = true;

    if (next > p->len || p->bytes[at] >> 4 != 6)
        return false;
    p->l3 = at;
    p->ip_version = 6;
    p->protocol = p->bytes[at + 6];
    len = packet_be16(p, at + 4);
    p->end = next + len < p->len ? next + len : p->len;
    while ((p->protocol == HOP_BY_HOP || p->protocol == ROUTING || p->protocol == DESTINATION ||
            p->protocol == FRAGMENT) && next + 8 <= p->end) {
        unsigned bytes = p->protocol == FRAGMENT ? 8 : (p->bytes[next + 1] + 1u) * 8;

        if (p->protocol == FRAGMENT) {
            p->fragment = true;
            first = (packet_be16(p, next + 2) & 0xfff8) == 0;
        }
        p->protocol = p->bytes[next];
        next += bytes;
    }
    p->l3_len = next - at;
    return first && next <= p->end;
}

static unsigned l4_bytes(uint8_t protocol)
{
    switch (protocol) {
    case PACKET_TCP: return TCP_BYTES;
    case PACKET_UDP: return UDP_BYTES;
    case PACKET_GRE: return GRE_BYTES;
    case PACKET_ICMP: case PACKET_ICMPV6: return ICMP_BYTES;
    default: return 0;
    }
}

/* Finds what is inside a tunnel over UDP or inside GRE: a frame or an IP packet. */
static void parse_tunnel(struct packet *p)
{
    unsigned at = p->l4 + UDP_BYTES, type;

    if (p->protocol == PACKET_UDP && packet_be16(p, p->l4 + 2) == PACKET_VXLAN_PORT &&
        at + VXLAN_BYTES + PACKET_ETH <= p->end) {
        p->tunnel = at;
        p->inner = at + VXLAN_BYTES;
        return;
    }
    if (p->protocol == PACKET_UDP && packet_be16(p, p->l4 + 2) == PACKET_GENEVE_PORT &&
        at + GENEVE_BYTES <= p->end && p->bytes[at] >> 6 == 0) {
        type = packet_be16(p, at + 2);
        at += GENEVE_BYTES + 4 * (p->bytes[at] & 0x3fu);
    } else if (p->protocol == PACKET_GRE) {       /* of any version, as on cards */
        unsigned flags = packet_be16(p, p->l4);

        type = packet_be16(p, p->l4 + 2);
        at = p->l4 + GRE_BYTES + (flags & GRE_CHECKSUM ? 4 : 0) + (flags & GRE_KEY ? 4 : 0) +
             (flags & GRE_SEQUENCE ? 4 : 0);
    } else {
        return;
    }
    if (type == PACKET_FRAME && at + PACKET_ETH <= p->end)
        p->inner = at;
    if ((type == PACKET_IPV4 || type == PACKET_IPV6) && at <= p->end) {
        p->inner_l3 = at;
        p->inner_type = (uint16_t)type;
    }
}

void packet_parse(uint8_t *bytes, uint32_t len, struct packet *p)
{
    unsigned at, need;
    bool has_payload;

    memset(p, 0, sizeof(*p));
    p->bytes = bytes;
    p->len = p->end = len;
    at = parse_l2(p);
    has_payload = p->ethertype == PACKET_IPV4 ? parse_ipv4(p, at)
                : p->ethertype == PACKET_IPV6 && parse_ipv6(p, at);
    need = has_payload ? l4_bytes(p->protocol) : 0;
    at = p->l3 + p->l3_len;
    if (need == 0 || at + need > p->end)
        return;
    p->l4 = at;
    parse_tunnel(p);
}

void packet_set_length(struct packet *p)
{
    unsigned l3 = PACKET_ETH + p->num_vlans * PACKET_VLAN;
    uint32_t reg[PACKET_REGISTERS];

    if (p->ethertype == PACKET_IPV4 && p->len >= l3 + IPV4_BYTES)
        put_be16(p, l3 + 2, (uint16_t)(p->len - l3));
    else if (p->ethertype == PACKET_IPV6 && p->len >= l3 + IPV6_BYTES)
        put_be16(p, l3 + 4, (uint16_t)(p->len - l3 - IPV6_BYTES));
    memcpy(reg, p->reg, sizeof(reg));
    packet_parse(p->bytes, p->len, p);
    memcpy(p->reg, reg, sizeof(reg));
}

/* ---- checksums ------------------------------------------------------------------------------ */

static uint32_t sum(const struct packet *p, unsigned at, unsigned end, uint32_t so_far)
{
    for (; at + 1 < end; at += 2)
        so_far += packet_be16(p, at);
    if (at < end)
        so_far += (uint32_t)p->bytes[at] << 8;
    return so_far;
}

static uint16_t fold(uint32_t value)
{
    while (value >> 16)
        value = (value & 0xffff) + (value >> 16);
    return (uint16_t)value;
}

static bool has_l4_checksum(const struct packet *p)
{
    return p->l4 && !p->fragment && (p->protocol == PACKET_TCP || p->protocol == PACKET_UDP);
}

static unsigned l4_checksum_at(const struct packet *p)
{
    return p->l4 + (p->protocol == PACKET_TCP ? 16 : 6);
}

/* The sum over the pseudo header and the segment, with its checksum field. */
static uint16_t l4_sum(const struct packet *p)
{
    unsigned addresses = p->ip_version == 4 ? p->l3 + 12 : p->l3 + 8;
    unsigned bytes = p->ip_version == 4 ? 8 : 32;

    return fold(sum(p, p->l4, p->end,
                    sum(p, addresses, addresses + bytes, p->protocol + (p->end - p->l4))));
}

bool packet_l3_ok(const struct packet *p)
{
    return p->ip_version == 6 ||
           (p->ip_version == 4 && fold(sum(p, p->l3, p->l3 + p->l3_len, 0)) == 0xffff);
}

bool packet_l4_ok(const struct packet *p)
{
    if (!has_l4_checksum(p))
        return false;
    if (p->protocol == PACKET_UDP && p->ip_version == 4 && packet_be16(p, p->l4 + 6) == 0)
        return true;
    return l4_sum(p) == 0xffff;
}

void packet_set_l3_checksum(struct packet *p)
{
    if (p->ip_version != 4)
        return;
    put_be16(p, p->l3 + 10, 0);
    put_be16(p, p->l3 + 10, (uint16_t)~fold(sum(p, p->l3, p->l3 + p->l3_len, 0)));
}

void packet_set_l4_checksum(struct packet *p)
{
    uint16_t value;

    if (!has_l4_checksum(p))
        return;
    put_be16(p, l4_checksum_at(p), 0);
    value = (uint16_t)~l4_sum(p);
    if (value == 0 && p->protocol == PACKET_UDP)
        value = 0xffff;         /* 0 says that UDP has no checksum */
    put_be16(p, l4_checksum_at(p), value);
}

/* ---- hash ----------------------------------------------------------------------------------- */

uint32_t packet_toeplitz(const struct packet *p, unsigned fields, const uint8_t key[40])
{
    uint8_t input[36];
    unsigned num = 0, bytes = p->ip_version == 6 ? 16 : 4, at = p->l3 + (bytes == 16 ? 8 : 12);
    uint32_t window = (uint32_t)key[0] << 24 | (uint32_t)key[1] << 16 | (uint32_t)key[2] << 8 |
                      key[3], hash = 0;

    for (unsigned i = 0; i < 2; i++)
        if (fields & (HASH_SRC_IP << i)) {
            memcpy(input + num, p->bytes + at + i * bytes, bytes);
            num += bytes;
        }
    for (unsigned i = 0; i < 2; i++)
        if (fields & (HASH_L4_SPORT << i)) {
            memcpy(input + num, p->bytes + p->l4 + i * 2, 2);
            num += 2;
        }
    for (unsigned bit = 0; bit < num * 8; bit++) {
        unsigned next = (bit + 32) % (KEY_BYTES * 8);

        if (input[bit / 8] >> (7 - bit % 8) & 1)
            hash ^= window;
        window = window << 1 | (key[next / 8] >> (7 - next % 8) & 1);
    }
    return hash;
}

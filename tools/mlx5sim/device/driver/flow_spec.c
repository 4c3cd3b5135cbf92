/* Translates the specifications of verbs into what the device matches. */
#include "device/driver/flow_spec.h"
#include "wire/prm.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include <rdma/ib_user_verbs.h>

enum {                          /* enum ib_flow_spec_type */
    SPEC_ETH = 0x20, SPEC_IPV4 = 0x30, SPEC_IPV6 = 0x31, SPEC_TCP = 0x40, SPEC_UDP = 0x41,
    SPEC_VXLAN = 0x50, SPEC_INNER = 0x100, SPEC_TAG = 0x1000, SPEC_DROP = 0x1001,
    SPEC_COUNT = 0x1003,
    HEAD = 8,                   /* bytes before the filters */
    MAX_SPEC = 128              /* bytes of the longest known specification */
};

_Static_assert(sizeof(struct ib_uverbs_flow_spec_ipv6) <= MAX_SPEC, "the longest one fits");

/* The specification that is translated. Each set() writes a field of mask and value. */
struct spec {
    struct hca_rule_attr *attr;
    struct flow_spec_result *result;
    bool inner;
};

static void set(struct spec *s, enum prm_id field, uint64_t mask, uint64_t value)
{
    enum prm_id part = s->inner ? prm_fte_match_param_inner_headers
                                : prm_fte_match_param_outer_headers;

    if (mask == 0)
        return;
    prm_set(PRM_AT(s->attr->mask, part), field, mask);
    prm_set(PRM_AT(s->attr->value, part), field, value & mask);
}

static void set_bytes(struct spec *s, enum prm_id field, size_t skip, const void *mask,
                      const void *value, size_t bytes)
{
    enum prm_id part = s->inner ? prm_fte_match_param_inner_headers
                                : prm_fte_match_param_outer_headers;

    memcpy(PRM_AT(PRM_AT(s->attr->mask, part), field) + skip, mask, bytes);
    memcpy(PRM_AT(PRM_AT(s->attr->value, part), field) + skip, value, bytes);
}

static void set_misc(struct spec *s, enum prm_id field, uint64_t mask, uint64_t value)
{
    prm_set(PRM_AT(s->attr->mask, prm_fte_match_param_misc_parameters), field, mask);
    prm_set(PRM_AT(s->attr->value, prm_fte_match_param_misc_parameters), field, value & mask);
}

#define FIELD(name) prm_fte_match_set_lyr_2_4_##name

static int read_eth(struct spec *s, const void *bytes)
{
    struct ib_uverbs_flow_spec_eth eth;
    uint16_t tag, value;

    memcpy(&eth, bytes, sizeof(eth));
    set_bytes(s, FIELD(dmac_47_16), 0, eth.mask.dst_mac, eth.val.dst_mac, 6);
    set_bytes(s, FIELD(smac_47_16), 0, eth.mask.src_mac, eth.val.src_mac, 6);
    set(s, FIELD(ethertype), be16toh(eth.mask.ether_type), be16toh(eth.val.ether_type));
    if (eth.mask.ether_type == 0xffff && !s->inner)
        s->result->ethertype = be16toh(eth.val.ether_type);
    tag = be16toh(eth.mask.vlan_tag);
    value = be16toh(eth.val.vlan_tag);
    if (tag) {
        set(s, FIELD(cvlan_tag), 1, 1);
        set(s, FIELD(first_prio), tag >> 13, value >> 13);
        set(s, FIELD(first_cfi), tag >> 12 & 1u, value >> 12);
        set(s, FIELD(first_vid), tag & 0xfffu, value & 0xfffu);
    }
    return 0;
}

static void set_version(struct spec *s, unsigned version)
{
    set(s, FIELD(ip_version), 15, version);
    if (!s->inner)
        s->result->ip_version = version;
}

static int read_ipv4(struct spec *s, const void *bytes)
{
    struct ib_uverbs_flow_spec_ipv4 ip;

    memcpy(&ip, bytes, sizeof(ip));
    if (ip.mask.flags)
        return EOPNOTSUPP;
    set_version(s, 4);
    set_bytes(s, FIELD(src_ipv4_src_ipv6), 12, &ip.mask.src_ip, &ip.val.src_ip, 4);
    set_bytes(s, FIELD(dst_ipv4_dst_ipv6), 12, &ip.mask.dst_ip, &ip.val.dst_ip, 4);
    set(s, FIELD(ip_dscp), ip.mask.tos >> 2, ip.val.tos >> 2);
    set(s, FIELD(ip_ecn), ip.mask.tos & 3u, ip.val.tos);
    set(s, FIELD(ip_protocol), ip.mask.proto, ip.val.proto);
    set(s, FIELD(ttl_hoplimit), ip.mask.ttl, ip.val.ttl);
    return 0;
}

static int read_ipv6(struct spec *s, const void *bytes)
{
    struct ib_uverbs_flow_spec_ipv6 ip;

    memcpy(&ip, bytes, sizeof(ip));
    if (ip.mask.reserved || ip.val.reserved || be32toh(ip.mask.flow_label) > 0xfffff)
        return EINVAL;
    set_version(s, 6);
    set_bytes(s, FIELD(src_ipv4_src_ipv6), 0, ip.mask.src_ip, ip.val.src_ip, 16);
    set_bytes(s, FIELD(dst_ipv4_dst_ipv6), 0, ip.mask.dst_ip, ip.val.dst_ip, 16);
    set(s, FIELD(ip_dscp), ip.mask.traffic_class >> 2, ip.val.traffic_class >> 2);
    set(s, FIELD(ip_ecn), ip.mask.traffic_class & 3u, ip.val.traffic_class);
    set(s, FIELD(ip_protocol), ip.mask.next_hdr, ip.val.next_hdr);
    set(s, FIELD(ttl_hoplimit), ip.mask.hop_limit, ip.val.hop_limit);
    if (ip.mask.flow_label)
        set_misc(s, s->inner ? prm_fte_match_set_misc_inner_ipv6_flow_label
                             : prm_fte_match_set_misc_outer_ipv6_flow_label,
                 be32toh(ip.mask.flow_label), be32toh(ip.val.flow_label));
    return 0;
}

static int read_ports(struct spec *s, const void *bytes, bool tcp)
{
    struct ib_uverbs_flow_spec_tcp_udp l4;

    memcpy(&l4, bytes, sizeof(l4));
    set(s, FIELD(ip_protocol), 0xff, tcp ? PACKET_TCP : PACKET_UDP);
    set(s, tcp ? FIELD(tcp_sport) : FIELD(udp_sport), be16toh(l4.mask.src_port),
        be16toh(l4.val.src_port));
    set(s, tcp ? FIELD(tcp_dport) : FIELD(udp_dport), be16toh(l4.mask.dst_port),
        be16toh(l4.val.dst_port));
    return 0;
}

/* A VXLAN specification matches packets to the port of VXLAN. */
static int read_vxlan(struct spec *s, const void *bytes)
{
    struct ib_uverbs_flow_spec_tunnel tunnel;

    memcpy(&tunnel, bytes, sizeof(tunnel));
    if (be32toh(tunnel.mask.tunnel_id) > 0xffffff || be32toh(tunnel.val.tunnel_id) > 0xffffff ||
        s->inner)
        return EINVAL;
    set(s, FIELD(ip_protocol), 0xff, PACKET_UDP);
    set(s, FIELD(udp_dport), 0xffff, PACKET_VXLAN_PORT);
    if (tunnel.mask.tunnel_id)
        set_misc(s, prm_fte_match_set_misc_vxlan_vni, be32toh(tunnel.mask.tunnel_id),
                 be32toh(tunnel.val.tunnel_id));
    return 0;
}

static int read_action(struct spec *s, const uint8_t *bytes, uint32_t type)
{
    struct ib_uverbs_flow_spec_action_count count;
    struct ib_uverbs_flow_spec_action_tag tag;

    switch (type) {
    case SPEC_TAG:
        memcpy(&tag, bytes, sizeof(tag));
        if (tag.tag_id > 0xffffff || s->result->tags)
            return EINVAL;
        s->attr->tag = tag.tag_id;
        s->result->tags = true;
        return 0;
    case SPEC_DROP:
        s->result->drops = true;
        return 0;
    default:
        memcpy(&count, bytes, sizeof(count));
        if (s->result->counts)
            return EINVAL;
        s->result->counts = true;
        s->result->counters = count.handle;
        return 0;
    }
}

static size_t size_of(uint32_t type)
{
    switch (type & ~(uint32_t)SPEC_INNER) {
    case SPEC_ETH: return sizeof(struct ib_uverbs_flow_spec_eth);
    case SPEC_IPV4: return sizeof(struct ib_uverbs_flow_spec_ipv4);
    case SPEC_IPV6: return sizeof(struct ib_uverbs_flow_spec_ipv6);
    case SPEC_TCP: case SPEC_UDP: return sizeof(struct ib_uverbs_flow_spec_tcp_udp);
    case SPEC_VXLAN: return sizeof(struct ib_uverbs_flow_spec_tunnel);
    case SPEC_TAG: return sizeof(struct ib_uverbs_flow_spec_action_tag);
    case SPEC_DROP: return sizeof(struct ib_uverbs_flow_spec_action_drop);
    case SPEC_COUNT: return sizeof(struct ib_uverbs_flow_spec_action_count);
    default: return 0;
    }
}

/* Value and mask of a specification may be shorter or longer than the kernel's structures. Missing
 * bytes are 0, and the mask must be 0 in unknown bytes. */
static int normalize(const uint8_t *bytes, size_t size, uint8_t *to, size_t to_size)
{
    size_t given = (size - HEAD) / 2, known = (to_size - HEAD) / 2, i;
    size_t len = given < known ? given : known;

    if ((size - HEAD) % 2 != 0 || given == 0)
        return EINVAL;
    memset(to, 0, to_size);
    memcpy(to, bytes, HEAD);
    memcpy(to + HEAD, bytes + HEAD, len);
    memcpy(to + HEAD + known, bytes + HEAD + given, len);
    for (i = len; i < given; i++)
        if (bytes[HEAD + given + i] != 0)
            return EINVAL;
    return 0;
}

static int read_spec(struct spec *s, const uint8_t *given, size_t size, uint32_t type)
{
    uint8_t bytes[MAX_SPEC];
    int err = 0;

    if (type >= SPEC_TAG) {
        if (size < size_of(type))
            return EINVAL;
        memcpy(bytes, given, size_of(type));
    } else {
        err = normalize(given, size, bytes, size_of(type));
    }
    if (err != 0)
        return err;
    s->inner = type < SPEC_TAG && (type & SPEC_INNER);
    switch (type & ~(uint32_t)SPEC_INNER) {
    case SPEC_ETH: return read_eth(s, bytes);
    case SPEC_IPV4: return read_ipv4(s, bytes);
    case SPEC_IPV6: return read_ipv6(s, bytes);
    case SPEC_TCP: case SPEC_UDP: return read_ports(s, bytes, (type & 1) == 0);
    case SPEC_VXLAN: return read_vxlan(s, bytes);
    default: return read_action(s, bytes, type);
    }
}

int flow_specs_read(const uint8_t *specs, size_t bytes, unsigned num, struct hca_rule_attr *attr,
                    struct flow_spec_result *result)
{
    struct spec s = {.attr = attr, .result = result};
    struct ib_uverbs_flow_spec_hdr head;
    unsigned i;
    int err;

    for (i = 0; i < num; i++) {
        if (bytes < sizeof(head))
            return EINVAL;
        memcpy(&head, specs, sizeof(head));
        if (size_of(head.type) == 0)
            return EOPNOTSUPP;
        if (head.size < HEAD || head.size > bytes || head.reserved)
            return EINVAL;
        err = read_spec(&s, specs, head.size, head.type);
        if (err != 0)
            return err;
        specs += head.size;
        bytes -= head.size;
    }
    if (bytes != 0 || (result->ethertype && result->ip_version &&
                       result->ethertype != (result->ip_version == 4 ? PACKET_IPV4 : PACKET_IPV6)))
        return EINVAL;
    return 0;
}

/* The layouts that steering entries compare, as a table. */
#include "device/hca/ste_tag.h"
#include "wire/prm.h"

#include <string.h>

enum part { HEADERS, MISC, MISC2 };
enum { IPV4 = 1, IPV6 = 2, SVLAN = 1, CVLAN = 2 };      /* values in the layouts */

/* A field of a layout: its first bit and width, and the field of the match layout. Two rows with
 * the same bit are joined: TCP and UDP ports, of which a packet has only one kind. */
struct row {
    uint8_t bit, width, part;
    uint16_t field;
};

#define L(bit, width, field) { bit, width, HEADERS, prm_fte_match_set_lyr_2_4_##field }
#define M(bit, width, field) { bit, width, MISC, prm_fte_match_set_misc_##field }
#define R(bit, width, field) { bit, width, MISC2, prm_fte_match_set_misc2_metadata_reg_##field }
#define L2_COMMON L(0x30, 16, ethertype), L(0x4c, 3, first_prio), L(0x4f, 1, first_cfi), \
    L(0x54, 12, first_vid), L(0x60, 1, frag), M(0x6c, 3, outer_second_prio), \
    M(0x6f, 1, outer_second_cfi), M(0x74, 12, outer_second_vid)
#define PORTS(source, dest) L(source, 16, tcp_sport), L(source, 16, udp_sport), \
    L(dest, 16, tcp_dport), L(dest, 16, udp_dport)
#define END { 0, 0, 0, 0 }

static const struct row l2_src[] = {
    L(0, 32, smac_47_16), L(0x20, 16, smac_15_0), L2_COMMON, END };
static const struct row l2_dst[] = {
    L(0, 32, dmac_47_16), L(0x20, 16, dmac_15_0), L2_COMMON, END };
static const struct row l2_both[] = {
    L(0, 32, dmac_47_16), L(0x20, 16, dmac_15_0), L(0x30, 32, smac_47_16), L(0x50, 16, smac_15_0),
    L(0x6c, 3, first_prio), L(0x6f, 1, first_cfi), L(0x74, 12, first_vid), END };
static const struct row l2_tunnel[] = {
    L(0, 32, dmac_47_16), L(0x20, 16, dmac_15_0), L(0x30, 16, ethertype), M(0x40, 24, vxlan_vni),
    L(0x60, 1, frag), L(0x68, 3, first_prio), L(0x6b, 1, first_cfi), L(0x74, 12, first_vid), END };
static const struct row tuple[] = {
    PORTS(0x40, 0x50), L(0x60, 1, frag), L(0x65, 2, ip_ecn), L(0x67, 9, tcp_flags),
    L(0x70, 6, ip_dscp), L(0x78, 8, ip_protocol), END };
static const struct row l4[] = {
    L(0, 1, frag), L(8, 8, ip_protocol), PORTS(0x30, 0x10), L(0x25, 2, ip_ecn),
    L(0x27, 9, tcp_flags), L(0x50, 8, ttl_hoplimit), L(0x58, 6, ip_dscp),
    M(0x6c, 20, outer_ipv6_flow_label), END };
static const struct row ipv4_misc[] = { L(0x40, 8, ttl_hoplimit), END };
static const struct row gre[] = { M(0x10, 16, gre_protocol), END };
static const struct row source[] = { M(0x28, 24, source_sqn), END };
static const struct row register_a[] = { R(0, 32, a), END };
static const struct row registers_0[] = {
    R(0, 32, c_0), R(0x20, 32, c_1), R(0x40, 32, c_2), R(0x60, 32, c_3), END };
static const struct row registers_1[] = {
    R(0, 32, c_4), R(0x20, 32, c_5), R(0x40, 32, c_6), R(0x60, 32, c_7), END };
static const struct row nothing[] = { END };

/* The lookup types of a layout: for outer headers of packets that are sent and received, and for
 * inner headers; 0: there is none. The other members describe what rows cannot. */
static const struct layout {
    uint8_t sent, received, inner;
    const struct row *rows;
    uint8_t l3_type, first_qualifier, second_qualifier;         /* bits; 0: there is none */
    int8_t dst_at, src_at;      /* bytes of addresses of IPv6; negative: there are none */
    bool tuple;                 /* has addresses of IPv4 */
} layouts[] = {
    { 0x08, 0x1c, 0x09, l2_src, 0x64, 0x50, 0x70, -1, -1, false },
    { 0x06, 0x1b, 0x07, l2_dst, 0x64, 0x50, 0x70, -1, -1, false },
    { 0x36, 0x38, 0x37, l2_both, 0x64, 0x70, 0, -1, -1, false },
    { 0, 0, 0x0a, l2_tunnel, 0x64, 0x70, 0, -1, -1, false },
    { 0x0d, 0x1e, 0x0e, nothing, 0, 0, 0, 0, -1, false },
    { 0x0f, 0x1f, 0x10, nothing, 0, 0, 0, -1, 0, false },
    { 0x11, 0x20, 0x12, tuple, 0, 0, 0, -1, -1, true },
    { 0x29, 0x2b, 0x2a, ipv4_misc, 0, 0, 0, -1, -1, false },
    { 0x13, 0x21, 0x14, l4, 0, 0, 0, -1, -1, false },
    { 0x16, 0, 0, gre, 0, 0, 0, -1, -1, false },
    { 0x05, 0, 0, source, 0, 0, 0, -1, -1, false },
    { 0x18, 0, 0, register_a, 0, 0, 0, -1, -1, false },
    { 0x2f, 0, 0, registers_0, 0, 0, 0, -1, -1, false },
    { 0x30, 0, 0, registers_1, 0, 0, 0, -1, -1, false },
    { STE_ANYTHING, 0, 0, nothing, 0, 0, 0, -1, -1, false },
};

static const struct layout *find(unsigned lookup)
{
    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
        if (lookup && (layouts[i].sent == lookup || layouts[i].received == lookup ||
                       layouts[i].inner == lookup))
            return &layouts[i];
    return NULL;
}

static void join(uint8_t *tag, unsigned bit, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++)
        if (value >> (width - 1 - i) & 1)
            tag[(bit + i) / 8] |= (uint8_t)(0x80 >> (bit + i) % 8);
}

/* The field of inner headers that corresponds to one of outer headers. */
static unsigned misc_field(unsigned field, bool inner)
{
    return inner && field == prm_fte_match_set_misc_outer_ipv6_flow_label
        ? prm_fte_match_set_misc_inner_ipv6_flow_label : field;
}

static void add_qualifiers(const struct layout *layout, bool inner, const uint8_t *headers,
                           const uint8_t *misc, uint8_t *tag)
{
    uint64_t cvlan = prm_get(headers, prm_fte_match_set_lyr_2_4_cvlan_tag);
    uint64_t svlan = prm_get(headers, prm_fte_match_set_lyr_2_4_svlan_tag);

    if (layout->first_qualifier)
        join(tag, layout->first_qualifier, 2, cvlan ? CVLAN : svlan ? SVLAN : 0);
    if (!layout->second_qualifier || inner)
        return;
    cvlan = prm_get(misc, prm_fte_match_set_misc_outer_second_cvlan_tag);
    svlan = prm_get(misc, prm_fte_match_set_misc_outer_second_svlan_tag);
    join(tag, layout->second_qualifier, 2, cvlan ? CVLAN : svlan ? SVLAN : 0);
}

static void add_addresses(const struct layout *layout, const uint8_t *headers, uint8_t *tag)
{
    const uint8_t *src = PRM_AT(headers, prm_fte_match_set_lyr_2_4_src_ipv4_src_ipv6);
    const uint8_t *dst = PRM_AT(headers, prm_fte_match_set_lyr_2_4_dst_ipv4_dst_ipv6);
    uint64_t version = prm_get(headers, prm_fte_match_set_lyr_2_4_ip_version);

    if (layout->l3_type)
        join(tag, layout->l3_type, 2, version == 4 ? IPV4 : version == 6 ? IPV6 : 0);
    if (layout->dst_at >= 0 && version == 6)
        memcpy(tag, dst, STE_TAG_BYTES);
    if (layout->src_at >= 0 && version == 6)
        memcpy(tag, src, STE_TAG_BYTES);
    if (layout->tuple && version == 4) {
        memcpy(tag, dst + 12, 4);
        memcpy(tag + 4, src + 12, 4);
    }
}

bool ste_tag(unsigned lookup, const uint8_t match[MATCH_BYTES], uint8_t tag[STE_TAG_BYTES])
{
    const struct layout *layout = find(lookup);
    bool inner = layout && lookup == layout->inner;
    const uint8_t *parts[] = {
        [HEADERS] = inner ? PRM_AT(match, prm_fte_match_param_inner_headers)
                          : PRM_AT(match, prm_fte_match_param_outer_headers),
        [MISC] = PRM_AT(match, prm_fte_match_param_misc_parameters),
        [MISC2] = PRM_AT(match, prm_fte_match_param_misc_parameters_2) };

    memset(tag, 0, STE_TAG_BYTES);
    if (!layout)
        return false;
    for (const struct row *row = layout->rows; row->width; row++) {
        unsigned field = row->part == MISC ? misc_field(row->field, inner) : row->field;

        if (inner && field >= prm_fte_match_set_misc_outer_second_prio &&
            field <= prm_fte_match_set_misc_outer_second_vid)
            continue;           /* match_of_packet() knows only the first tag of inner headers */
        join(tag, row->bit, row->width, prm_get(parts[row->part], (enum prm_id)field));
    }
    add_qualifiers(layout, inner, parts[HEADERS], parts[MISC], tag);
    add_addresses(layout, parts[HEADERS], tag);
    return true;
}

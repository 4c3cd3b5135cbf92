/* Fills in struct fte_match_param from a packet. */
#include "device/hca/match.h"
#include "wire/prm.h"

#include <string.h>

#define SET(field, value) prm_set(to, prm_fte_match_set_lyr_2_4_##field, value)

static void set_l2(const struct packet *p, uint8_t *to)
{
    SET(dmac_47_16, packet_be32(p, 0));
    SET(dmac_15_0, packet_be16(p, 4));
    SET(smac_47_16, packet_be32(p, 6));
    SET(smac_15_0, packet_be16(p, 10));
    SET(ethertype, p->ethertype);
    if (p->num_vlans == 0)
        return;
    SET(cvlan_tag, p->vlan_type[0] == PACKET_CVLAN);
    SET(svlan_tag, p->vlan_type[0] == PACKET_SVLAN);
    SET(first_prio, p->vlan[0] >> 13);
    SET(first_cfi, p->vlan[0] >> 12 & 1u);
    SET(first_vid, p->vlan[0] & 0xfffu);
}

static void set_l3(const struct packet *p, uint8_t *to)
{
    uint8_t *src = PRM_AT(to, prm_fte_match_set_lyr_2_4_src_ipv4_src_ipv6);
    uint8_t *dst = PRM_AT(to, prm_fte_match_set_lyr_2_4_dst_ipv4_dst_ipv6);
    uint8_t class;

    if (p->ip_version == 0)
        return;
    SET(ip_version, p->ip_version);
    SET(ip_protocol, p->protocol);
    SET(frag, p->fragment);
    if (p->ip_version == 4) {
        class = p->bytes[p->l3 + 1];
        SET(ttl_hoplimit, p->bytes[p->l3 + 8]);
        memcpy(src + 12, p->bytes + p->l3 + 12, 4);
        memcpy(dst + 12, p->bytes + p->l3 + 16, 4);
    } else {
        class = (uint8_t)(packet_be16(p, p->l3) >> 4);
        SET(ttl_hoplimit, p->bytes[p->l3 + 7]);
        memcpy(src, p->bytes + p->l3 + 8, 16);
        memcpy(dst, p->bytes + p->l3 + 24, 16);
    }
    SET(ip_dscp, class >> 2);
    SET(ip_ecn, class & 3u);
}

static void set_l4(const struct packet *p, uint8_t *to)
{
    if (p->l4 && p->protocol == PACKET_TCP) {
        SET(tcp_sport, packet_be16(p, p->l4));
        SET(tcp_dport, packet_be16(p, p->l4 + 2));
        SET(tcp_flags, packet_be16(p, p->l4 + 12) & 0x1ffu);
    } else if (p->l4 && p->protocol == PACKET_UDP) {
        SET(udp_sport, packet_be16(p, p->l4));
        SET(udp_dport, packet_be16(p, p->l4 + 2));
    }
}

static uint64_t flow_label(const struct packet *p)
{
    return p->ip_version == 6 ? packet_be32(p, p->l3) & 0xfffff : 0;
}

#undef SET
#define SET(field, value) prm_set(misc, prm_fte_match_set_misc_##field, value)

static void set_misc(const struct packet *p, uint32_t sqn, uint8_t *misc)
{
    SET(source_sqn, sqn);
    SET(outer_ipv6_flow_label, flow_label(p));
    if (p->num_vlans == 2) {
        SET(outer_second_cvlan_tag, p->vlan_type[1] == PACKET_CVLAN);
        SET(outer_second_svlan_tag, p->vlan_type[1] == PACKET_SVLAN);
        SET(outer_second_prio, p->vlan[1] >> 13);
        SET(outer_second_cfi, p->vlan[1] >> 12 & 1u);
        SET(outer_second_vid, p->vlan[1] & 0xfffu);
    }
    if (p->l4 && p->protocol == PACKET_GRE)
        SET(gre_protocol, packet_be16(p, p->l4 + 2));
    if (p->tunnel)
        SET(vxlan_vni, packet_be32(p, p->tunnel + 4) >> 8);
}

static void set_registers(const struct packet *p, uint8_t *misc2)
{
    prm_set(misc2, prm_fte_match_set_misc2_metadata_reg_a, p->reg[PACKET_REG_A]);
    for (unsigned i = 0; i < 8; i++)    /* the layout begins with the last register */
        prm_set(misc2, prm_fte_match_set_misc2_metadata_reg_c_7 + i, p->reg[PACKET_REG_C + 7 - i]);
}

void match_of_packet(const struct packet *p, uint32_t sqn, uint8_t match[MATCH_BYTES])
{
    uint8_t *outer = PRM_AT(match, prm_fte_match_param_outer_headers);
    uint8_t *misc = PRM_AT(match, prm_fte_match_param_misc_parameters);
    uint8_t *of_inner = PRM_AT(match, prm_fte_match_param_inner_headers);
    struct packet inner;

    memset(match, 0, MATCH_BYTES);
    set_l2(p, outer);
    set_l3(p, outer);
    set_l4(p, outer);
    set_misc(p, sqn, misc);
    set_registers(p, PRM_AT(match, prm_fte_match_param_misc_parameters_2));
    if (!p->inner)
        return;
    packet_parse(p->bytes + p->inner, p->end - p->inner, &inner);
    set_l2(&inner, of_inner);
    set_l3(&inner, of_inner);
    set_l4(&inner, of_inner);
    SET(inner_ipv6_flow_label, flow_label(&inner));
}

bool match_is_met(const uint8_t match[MATCH_BYTES], const uint8_t mask[MATCH_BYTES],
                  const uint8_t value[MATCH_BYTES])
{
    uint64_t of_packet, of_mask, of_value;

    for (unsigned i = 0; i < MATCH_BYTES; i += sizeof(of_mask)) {
        memcpy(&of_packet, match + i, sizeof(of_packet));
        memcpy(&of_mask, mask + i, sizeof(of_mask));
        memcpy(&of_value, value + i, sizeof(of_value));
        if ((of_packet ^ of_value) & of_mask)
            return false;
    }
    return true;
}

/* Sets all bits of the fields that match_of_packet() knows. */
static void set_known(uint8_t known[MATCH_BYTES])
{
#define LYR(field) prm_fte_match_set_lyr_2_4_##field
#define MISC(field) prm_fte_match_set_misc_##field
    static const enum prm_id headers[] = {
        LYR(smac_47_16), LYR(smac_15_0), LYR(ethertype), LYR(dmac_47_16), LYR(dmac_15_0),
        LYR(first_prio), LYR(first_cfi), LYR(first_vid), LYR(ip_protocol), LYR(ip_dscp),
        LYR(ip_ecn), LYR(cvlan_tag), LYR(svlan_tag), LYR(frag), LYR(ip_version), LYR(tcp_flags),
        LYR(tcp_sport), LYR(tcp_dport), LYR(ttl_hoplimit), LYR(udp_sport), LYR(udp_dport) };
    static const enum prm_id misc[] = {
        MISC(source_sqn), MISC(outer_second_prio), MISC(outer_second_cfi), MISC(outer_second_vid),
        MISC(outer_second_cvlan_tag), MISC(outer_second_svlan_tag), MISC(gre_protocol),
        MISC(vxlan_vni), MISC(outer_ipv6_flow_label), MISC(inner_ipv6_flow_label) };
#undef LYR
#undef MISC
    uint8_t *parts[] = { PRM_AT(known, prm_fte_match_param_outer_headers),
                         PRM_AT(known, prm_fte_match_param_inner_headers) };

    memset(known, 0, MATCH_BYTES);
    for (unsigned part = 0; part < 2; part++) {
        for (unsigned i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
            prm_set(parts[part], headers[i], UINT64_MAX);
        memset(PRM_AT(parts[part], prm_fte_match_set_lyr_2_4_src_ipv4_src_ipv6), 0xff, 32);
    }
    for (unsigned i = 0; i < sizeof(misc) / sizeof(misc[0]); i++)
        prm_set(PRM_AT(known, prm_fte_match_param_misc_parameters), misc[i], UINT64_MAX);
    for (unsigned i = 0; i <= 8; i++)   /* registers C 7 to C 0, and A */
        prm_set(PRM_AT(known, prm_fte_match_param_misc_parameters_2),
                prm_fte_match_set_misc2_metadata_reg_c_7 + i, UINT64_MAX);
}

bool match_is_covered(const uint8_t mask[MATCH_BYTES], unsigned criteria)
{
    for (unsigned i = 0; i < MATCH_BYTES; i++)
        if (mask[i] && !(criteria & 1u << i / MATCH_PART))
            return false;
    return true;
}

bool match_is_empty(const uint8_t mask[MATCH_BYTES])
{
    return match_is_covered(mask, 0);
}

bool match_is_known(const uint8_t mask[MATCH_BYTES])
{
    static uint8_t known[MATCH_BYTES];

    set_known(known);
    for (unsigned i = 0; i < MATCH_BYTES; i++)
        if (mask[i] & ~known[i])
            return false;
    return true;
}

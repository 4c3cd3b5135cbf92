/* The header of a datagram: a GRH; on RoCE v2 an IPv6 header, or an IPv4 header at its end. */
#include "device/hca/grh.h"
#include "device/machine/gid.h"
#include "wire/prm.h"

#include <endian.h>
#include <string.h>

enum {
    IPV4_AT = 20, IPV4_BYTES = 20, IN_GID = 12, UDP = 17, IB = 0x1b, DONT_FRAGMENT = 0x40,
    V2_HEADERS = 8 + 12 + 8 + 4, /* UDP, BTH, DETH, ICRC */
    HAS_IPV6 = 1, HAS_IPV4 = 2, HAS_UDP = 8 /* service levels */
};

bool grh_is_sent(const uint8_t *av)
{
    return prm_get(av, prm_wqe_av_extended) &&
           (machine.profile.ethernet || prm_get(av, prm_wqe_av_grh));
}

unsigned grh_service_level(const struct sim_function *from, const uint8_t *av)
{
    struct sim_gid gid;

    if (!machine.profile.ethernet)
        return (unsigned)prm_get(av, prm_wqe_av_sl);
    if (!gid_at(from, (unsigned)prm_get(av, prm_wqe_av_src_addr_index), &gid) || !gid.is_v2)
        return 0;
    return HAS_UDP | (gid.is_ipv4 ? HAS_IPV4 : HAS_IPV6);
}

static void build_ipv4(const struct sim_gid *from, const uint8_t *av, uint64_t bytes, uint8_t *ip)
{
    uint16_t len = (uint16_t)(IPV4_BYTES + V2_HEADERS + bytes);
    uint32_t sum = 0;

    ip[0] = 0x45;               /* version 4, five words */
    ip[1] = (uint8_t)prm_get(av, prm_wqe_av_tclass);
    ip[2] = (uint8_t)(len >> 8);
    ip[3] = (uint8_t)len;
    ip[6] = DONT_FRAGMENT;
    ip[8] = (uint8_t)prm_get(av, prm_wqe_av_hop_limit);
    ip[9] = UDP;
    memcpy(ip + 12, from->bytes + IN_GID, 4);
    memcpy(ip + 16, av + GRH_AV_RGID + IN_GID, 4);
    for (unsigned i = 0; i < IPV4_BYTES; i += 2)
        sum += (uint32_t)ip[i] << 8 | ip[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
    sum = ~((sum & 0xffff) + (sum >> 16));
    ip[10] = (uint8_t)(sum >> 8);
    ip[11] = (uint8_t)sum;
}

void grh_build(const struct sim_function *from, const uint8_t *av, uint64_t bytes,
               uint8_t grh[GRH_BYTES])
{
    struct sim_gid gid;
    uint32_t first;

    memset(grh, 0, GRH_BYTES);
    if (!grh_is_sent(av) ||
        !gid_at(from, (unsigned)prm_get(av, prm_wqe_av_src_addr_index), &gid))
        return;
    if (gid.is_ipv4 && gid.is_v2) {
        build_ipv4(&gid, av, bytes, grh + IPV4_AT);
        return;
    }
    first = htobe32(6u << 28 | (uint32_t)prm_get(av, prm_wqe_av_tclass) << 20 |
                    (uint32_t)prm_get(av, prm_wqe_av_flow_label));
    memcpy(grh, &first, 4);
    grh[4] = (uint8_t)(bytes >> 8);
    grh[5] = (uint8_t)bytes;
    grh[6] = gid.is_v2 ? UDP : IB;      /* next header */
    grh[7] = (uint8_t)prm_get(av, prm_wqe_av_hop_limit);
    memcpy(grh + 8, gid.bytes, 16);
    memcpy(grh + 24, av + GRH_AV_RGID, 16);
}

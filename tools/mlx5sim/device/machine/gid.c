/*
 * The GID table of a function. An InfiniBand port has one GID, made from its GUID. A RoCE port has
 * the link-local address made from its MAC, and the IPv4 address of its interface, each for RoCE v1
 * and for RoCE v2.
 */
#include "device/machine/gid.h"

#include <string.h>

enum { PREFIX = 12 };           /* bytes before the IPv4 address */

static const uint8_t mapped[PREFIX] = {[10] = 0xff, [11] = 0xff};

unsigned gid_table_len(void)
{
    return machine.profile.ethernet ? GID_TABLE_ETHERNET : GID_TABLE_INFINIBAND;
}

bool gid_at(const struct sim_function *f, unsigned index, struct sim_gid *out)
{
    const unsigned num = machine.profile.ethernet ? 4 : 1;

    *out = (struct sim_gid){.is_ipv4 = index >= 2, .is_v2 = index % 2 != 0};
    if (index >= num)
        return false;
    if (out->is_ipv4) {
        memcpy(out->bytes, mapped, PREFIX);
        memcpy(out->bytes + PREFIX, &f->ipv4, sizeof(f->ipv4));
    } else {
        memcpy(out->bytes, f->gid, sizeof(f->gid));
    }
    return true;
}

static bool mac_of_ipv4(const uint8_t *ipv4, uint8_t mac[6])
{
    const uint8_t group[6] = {0x01, 0x00, 0x5e, ipv4[1] & 0x7f, ipv4[2], ipv4[3]};
    unsigned i;

    if ((ipv4[0] & 0xf0) == 0xe0) {
        memcpy(mac, group, sizeof(group));
        return true;
    }
    for (i = 0; i < machine.num_functions; i++)
        if (memcmp(&machine.functions[i].ipv4, ipv4, 4) == 0) {
            memcpy(mac, machine.functions[i].mac, 6);
            return true;
        }
    return false;
}

bool gid_mac(const uint8_t gid[16], uint8_t mac[6])
{
    const uint8_t group[6] = {0x33, 0x33, gid[12], gid[13], gid[14], gid[15]};
    const uint8_t of_eui64[6] = {gid[8] ^ 2, gid[9], gid[10], gid[13], gid[14], gid[15]};

    if (memcmp(gid, mapped, PREFIX) == 0)
        return mac_of_ipv4(gid + PREFIX, mac);
    memcpy(mac, gid[0] == 0xff ? group : of_eui64, 6);
    return true;
}

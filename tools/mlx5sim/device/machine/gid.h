/* The GID table of a function. */
#ifndef MLX5SIM_MACHINE_GID_H
#define MLX5SIM_MACHINE_GID_H

#include "device/machine/machine.h"

/* Entries of a table; most of them are empty. */
enum { GID_TABLE_INFINIBAND = 8, GID_TABLE_ETHERNET = 16 };

enum { GID_LINK_LOCAL_V2 = 1 }; /* index in the table of a RoCE port */

struct sim_gid {
    uint8_t bytes[16];          /* network byte order */
    bool is_ipv4;               /* an IPv4 address that is mapped to IPv6 */
    bool is_v2;                 /* RoCE v2; otherwise InfiniBand or RoCE v1 */
};

/* Returns the number of entries of every table. */
unsigned gid_table_len(void);

/* Reads an entry of the table of `f`. False when the entry is empty or does not exist. */
bool gid_at(const struct sim_function *f, unsigned index, struct sim_gid *out);

/* Stores the MAC address that belongs to a GID. False when no function has the GID and the MAC does
 * not follow from it. */
bool gid_mac(const uint8_t gid[16], uint8_t mac[6]);

#endif

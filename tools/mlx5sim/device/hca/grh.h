/* The header of a datagram that the receiver gets before the data. */
#ifndef MLX5SIM_HCA_GRH_H
#define MLX5SIM_HCA_GRH_H

#include "device/machine/machine.h"

enum { GRH_BYTES = 40, GRH_AV_RGID = 32 };  /* GRH_AV_RGID: offset in an address vector */

/* True when a datagram with this address vector has a GRH. On RoCE every packet has one, and the
 * bit of the address vector is reserved. */
bool grh_is_sent(const uint8_t *av);

/* The service level in the CQE of a datagram. InfiniBand: that of the address vector. RoCE: the
 * kind of its header instead (0: GRH, 9: IPv6, 10: IPv4), because a receiver cannot tell from the
 * first 40 bytes whether they end with an IPv4 header. */
unsigned grh_service_level(const struct sim_function *from, const uint8_t *av);

/* Writes the header of a datagram with `bytes` bytes of data. Without a GRH, it is zero. */
void grh_build(const struct sim_function *from, const uint8_t *av, uint64_t bytes,
               uint8_t grh[GRH_BYTES]);

#endif

/* The header of a datagram that the receiver gets before the data. */
#ifndef MLX5SIM_HCA_GRH_H
#define MLX5SIM_HCA_GRH_H

#include "device/machine/machine.h"

enum { GRH_BYTES = 40, GRH_AV_RGID = 32 };  /* GRH_AV_RGID: offset in an address vector */

/* True when a datagram with this address vector has a GRH. On RoCE every packet has one, and the
 * bit of the address vector is reserved. */
bool grh_is_sent(const uint8_t *av);

/* Writes the header of a datagram with `bytes` bytes of data. Without a GRH, it is zero. */
void grh_build(const struct sim_function *from, const uint8_t *av, uint64_t bytes,
               uint8_t grh[GRH_BYTES]);

#endif

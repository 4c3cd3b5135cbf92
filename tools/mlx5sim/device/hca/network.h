/* The emulated network: where a frame goes that a function sends. */
#ifndef MLX5SIM_HCA_NETWORK_H
#define MLX5SIM_HCA_NETWORK_H

#include "device/hca/packet.h"
#include "device/hca/qp.h"

/* Sends a frame of at least PACKET_ETH and at most PACKET_MAX bytes. */
void network_send(struct sim_function *from, uint8_t *bytes, uint32_t len);

#endif

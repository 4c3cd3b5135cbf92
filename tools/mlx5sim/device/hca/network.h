/* The emulated network: where a frame goes that a function sends. */
#ifndef MLX5SIM_HCA_NETWORK_H
#define MLX5SIM_HCA_NETWORK_H

#include "device/hca/packet.h"
#include "device/hca/qp.h"

/*
 * Sends a frame of PACKET_ETH to PACKET_MAX bytes from send queue `sqn`. `metadata` is the value
 * that the WQE gives to register A.
 *
 *   to the MAC address of a function of the same port, also of the sender: only this function
 *   to a multicast address: all functions of the port, also the sender, and through the cable
 *   to another address: through the cable
 *
 * A frame that leaves a port through the cable arrives at all other ports; when no function has
 * another port, a unicast frame comes back. At the port it goes to the function with the
 * destination address, otherwise to all functions of the port. The rules of a function decide
 * whether one of its queues takes the frame.
 */
void network_send(struct sim_function *from, uint8_t *bytes, uint32_t len, uint32_t sqn,
                  uint32_t metadata);

#endif

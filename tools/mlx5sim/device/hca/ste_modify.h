/* The lists of header changes that steering entries of format 0 name. */
#ifndef MLX5SIM_HCA_STE_MODIFY_H
#define MLX5SIM_HCA_STE_MODIFY_H

#include "device/hca/packet.h"

enum { STE_ACTION_BYTES = 8 };

/* Executes an action. An action on a header that the packet does not have does nothing, as does an
 * action of 0. False when the device does not know the action. */
bool ste_modify(struct packet *packet, const uint8_t action[STE_ACTION_BYTES]);

#endif

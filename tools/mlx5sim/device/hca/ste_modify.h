/* The lists of header changes that steering entries of format 0 name. */
#ifndef MLX5SIM_HCA_STE_MODIFY_H
#define MLX5SIM_HCA_STE_MODIFY_H

#include "device/hca/packet.h"

enum { STE_ACTION_BYTES = 8 };

/* Executes the actions of a list. An action on a header that the packet does not have does nothing,
 * as does an action of 0. False, after the actions before it, when the device does not know an
 * action. As in the lists of firmware commands, the actions of a list find the headers where they
 * were before the list (assumed), and a checksum that was right is right afterwards. */
bool ste_modify(struct packet *packet, const uint8_t *actions, unsigned num);

#endif

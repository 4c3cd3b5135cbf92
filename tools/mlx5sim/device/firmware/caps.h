/* Capabilities of a function. */
#ifndef MLX5SIM_FIRMWARE_CAPS_H
#define MLX5SIM_FIRMWARE_CAPS_H

#include "device/machine/machine.h"

/* Fills in the capabilities of a type, as QUERY_HCA_CAP returns them. False for an unknown type. */
bool caps_query(const struct sim_function *f, unsigned type, uint8_t *capability);

#endif

/* Firmware commands on flow samplers, which are general objects. */
#ifndef MLX5SIM_FIRMWARE_SAMPLERS_H
#define MLX5SIM_FIRMWARE_SAMPLERS_H

#include "device/firmware/command.h"

void devx_create_sampler(struct devx_command *c);
void devx_query_sampler(struct devx_command *c);

#endif

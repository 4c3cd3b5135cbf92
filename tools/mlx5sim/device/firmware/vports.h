/* Firmware commands about the functions of an eswitch. */
#ifndef MLX5SIM_FIRMWARE_VPORTS_H
#define MLX5SIM_FIRMWARE_VPORTS_H

#include "device/firmware/command.h"

void devx_query_esw_functions(struct devx_command *c);
void devx_query_vuid(struct devx_command *c);
void devx_query_esw_vport_context(struct devx_command *c);

#endif

/* Firmware commands on flow meters, which are general objects. */
#ifndef MLX5SIM_FIRMWARE_METERS_H
#define MLX5SIM_FIRMWARE_METERS_H

#include "device/firmware/command.h"

enum { METERS_REGISTERS = 0xff };       /* the registers C that a meter can write, as bits */

void devx_create_meter(struct devx_command *c);
void devx_modify_meter(struct devx_command *c);
void devx_query_meter(struct devx_command *c);

#endif

/* Firmware commands on DCTs. */
#ifndef MLX5SIM_FIRMWARE_DCTS_H
#define MLX5SIM_FIRMWARE_DCTS_H

#include "device/firmware/command.h"

void devx_create_dct(struct devx_command *c);
void devx_drain_dct(struct devx_command *c);
void devx_query_dct(struct devx_command *c);

#endif

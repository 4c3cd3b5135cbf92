/* Firmware commands on contexts that change packets: packet reformat, modify header. */
#ifndef MLX5SIM_FIRMWARE_CHANGES_H
#define MLX5SIM_FIRMWARE_CHANGES_H

#include "device/firmware/command.h"

void devx_alloc_packet_reformat(struct devx_command *c);
void devx_alloc_modify_header(struct devx_command *c);

#endif

/* Firmware commands on QPs. */
#ifndef MLX5SIM_FIRMWARE_QPS_H
#define MLX5SIM_FIRMWARE_QPS_H

#include "device/firmware/command.h"

void devx_create_qp(struct devx_command *c);
void devx_modify_qp(struct devx_command *c);
void devx_query_qp(struct devx_command *c);

#endif

/* Firmware commands on send queues (SQ) and receive queues (RQ) for Ethernet. */
#ifndef MLX5SIM_FIRMWARE_WQS_H
#define MLX5SIM_FIRMWARE_WQS_H

#include "device/firmware/command.h"

void devx_create_sq(struct devx_command *c);
void devx_modify_sq(struct devx_command *c);
void devx_query_sq(struct devx_command *c);
void devx_create_rq(struct devx_command *c);
void devx_modify_rq(struct devx_command *c);
void devx_query_rq(struct devx_command *c);

#endif

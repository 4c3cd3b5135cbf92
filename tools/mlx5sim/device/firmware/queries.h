/* Firmware commands that do not create objects: capabilities, ports, addresses, registers. */
#ifndef MLX5SIM_FIRMWARE_QUERIES_H
#define MLX5SIM_FIRMWARE_QUERIES_H

#include "device/firmware/command.h"

void devx_query_hca_cap(struct devx_command *c);
void devx_query_lag(struct devx_command *c);
void devx_query_adapter(struct devx_command *c);
void devx_query_special_contexts(struct devx_command *c);
void devx_query_hca_vport_context(struct devx_command *c);
void devx_query_nic_vport_context(struct devx_command *c);
void devx_query_roce_address(struct devx_command *c);
void devx_access_reg(struct devx_command *c);

#endif

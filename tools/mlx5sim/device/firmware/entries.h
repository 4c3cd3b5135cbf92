/* Firmware commands on the entries of flow tables. */
#ifndef MLX5SIM_FIRMWARE_ENTRIES_H
#define MLX5SIM_FIRMWARE_ENTRIES_H

#include "device/firmware/command.h"

void devx_set_flow_table_entry(struct devx_command *c);
void devx_query_flow_table_entry(struct devx_command *c);

#endif

/*
 * Firmware commands on flow counters and flow tables. Both are objects without an effect: no
 * command adds a rule to a table, so packets do not pass through tables, and counters stay 0.
 */
#ifndef MLX5SIM_FIRMWARE_FLOWS_H
#define MLX5SIM_FIRMWARE_FLOWS_H

#include "device/firmware/command.h"

enum {                                  /* limits; the values are assumed */
    FLOW_MAX_COUNTERS = 1 << 12,        /* of the device */
    FLOW_LOG_MAX_TABLES = 10,           /* of the device */
    FLOW_LOG_MAX_SIZE = 16,             /* entries of a table */
    FLOW_MAX_LEVEL = 64                 /* levels of tables: 0 to FLOW_MAX_LEVEL - 1 */
};

void devx_alloc_flow_counter(struct devx_command *c);
void devx_query_flow_counter(struct devx_command *c);
void devx_create_flow_table(struct devx_command *c);
void devx_query_flow_table(struct devx_command *c);

#endif

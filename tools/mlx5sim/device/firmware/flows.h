/* Firmware commands on flow tables and their groups. */
#ifndef MLX5SIM_FIRMWARE_FLOWS_H
#define MLX5SIM_FIRMWARE_FLOWS_H

#include "device/firmware/command.h"
#include "device/hca/flow_table.h"

enum {                                  /* limits; the values are assumed */
    FLOW_LOG_MAX_SIZE = 16              /* indices of a table */
};

/* Returns a table of the client that has this type, or NULL after devx_fail(). */
struct hca_flow_table *devx_table(struct devx_command *c, uint32_t number, unsigned type);

/* True when packets may pass from one table to another: both have the same type, and the level of
 * the second one is higher. No packet passes twice through a table. */
bool devx_is_next_table(const struct hca_flow_table *next, unsigned type, unsigned level);

void devx_create_flow_table(struct devx_command *c);
void devx_modify_flow_table(struct devx_command *c);
void devx_query_flow_table(struct devx_command *c);
void devx_create_flow_group(struct devx_command *c);
void devx_query_flow_group(struct devx_command *c);
void devx_sync_steering(struct devx_command *c);

#endif

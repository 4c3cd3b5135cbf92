/* Firmware commands on flow counters. */
#ifndef MLX5SIM_FIRMWARE_COUNTERS_H
#define MLX5SIM_FIRMWARE_COUNTERS_H

#include "device/firmware/command.h"
#include "device/hca/counter.h"

/* One command allocates one counter, or 128 << i counters for bit i of the field
 * flow_counter_bulk. */
enum { COUNTER_BULKS = 0xff };

/* Finds a counter of the client, and its index in its object. NULL after devx_fail(). */
struct hca_counter *devx_counter(struct devx_command *c, uint32_t id, uint32_t *index);

void devx_alloc_flow_counter(struct devx_command *c);
void devx_query_flow_counter(struct devx_command *c);

#endif

/* Commands on scheduling elements: those of their own, and those on general objects, which libmlx5
 * uses. */
#ifndef MLX5SIM_FIRMWARE_SCHEDS_H
#define MLX5SIM_FIRMWARE_SCHEDS_H

#include "device/firmware/command.h"
#include "device/hca/sched.h"

void devx_create_sched(struct devx_command *c);
void devx_modify_sched(struct devx_command *c);
void devx_query_sched(struct devx_command *c);

/* The same as general objects. */
void devx_create_sched_object(struct devx_command *c);
void devx_modify_sched_object(struct devx_command *c);
void devx_query_sched_object(struct devx_command *c);

/* Finds a leaf to which a queue is to be attached; number 0: none. False after devx_fail(). */
bool devx_sched_leaf(struct devx_command *c, uint32_t number, struct hca_sched **leaf);

#endif

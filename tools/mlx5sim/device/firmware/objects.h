/* Firmware commands on PDs, mkeys, CQs, RMPs, aliases and transport domains. */
#ifndef MLX5SIM_FIRMWARE_OBJECTS_H
#define MLX5SIM_FIRMWARE_OBJECTS_H

#include "device/firmware/command.h"

void devx_alloc_pd(struct devx_command *c);
void devx_alloc_transport_domain(struct devx_command *c);
void devx_create_psv(struct devx_command *c);
void devx_create_mkey(struct devx_command *c);
void devx_query_mkey(struct devx_command *c);
void devx_create_cq(struct devx_command *c);
void devx_query_cq(struct devx_command *c);
void devx_modify_cq(struct devx_command *c);
void devx_create_rmp(struct devx_command *c);
void devx_modify_rmp(struct devx_command *c);
void devx_query_rmp(struct devx_command *c);
void devx_allow_other_vhca(struct devx_command *c);
void devx_create_general(struct devx_command *c);
void devx_query_general(struct devx_command *c);
void devx_modify_general(struct devx_command *c);

#endif

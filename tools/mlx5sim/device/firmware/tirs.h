/* Firmware commands on TIS, TIR and RQT objects. */
#ifndef MLX5SIM_FIRMWARE_TIRS_H
#define MLX5SIM_FIRMWARE_TIRS_H

#include "device/firmware/command.h"

/* True when the ports are Ethernet. Otherwise the device does not know the command; false after
 * devx_fail(). */
bool devx_has_packets(struct devx_command *c);

/* Returns a TIS of the client, or NULL after devx_fail(). */
struct hca_object *devx_tis(struct devx_command *c, uint32_t number);

void devx_create_tis(struct devx_command *c);
void devx_query_tis(struct devx_command *c);
void devx_create_rqt(struct devx_command *c);
void devx_modify_rqt(struct devx_command *c);
void devx_query_rqt(struct devx_command *c);
void devx_create_tir(struct devx_command *c);
void devx_query_tir(struct devx_command *c);

#endif

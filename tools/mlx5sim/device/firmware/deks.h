/* Firmware commands on DEKs and on logins. */
#ifndef MLX5SIM_FIRMWARE_DEKS_H
#define MLX5SIM_FIRMWARE_DEKS_H

#include "device/firmware/command.h"

enum { CRYPTO_IMPORT_AES_XTS = 1 << 2 };        /* wrapped_import_method */

void devx_create_dek(struct devx_command *c);
void devx_query_dek(struct devx_command *c);
void devx_create_login(struct devx_command *c);
void devx_query_login(struct devx_command *c);

#endif

/* Ranges of QP numbers that are reserved for programs. */
#ifndef MLX5SIM_FIRMWARE_RESERVED_H
#define MLX5SIM_FIRMWARE_RESERVED_H

#include "device/firmware/command.h"

/* A range has 2^RESERVED_LOG_QPNS numbers. There are at most 2^RESERVED_LOG_MAX numbers. */
enum { RESERVED_LOG_QPNS = 6, RESERVED_LOG_MAX = 22 };

/* Handles CREATE_GENERAL_OBJECT of a range. No QP of the device gets a number of the range. */
void devx_create_reserved_qpns(struct devx_command *c);

#endif

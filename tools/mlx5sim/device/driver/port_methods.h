/* Methods on ports: their attributes, their GID table, their place at the eswitch. */
#ifndef MLX5SIM_DRIVER_PORT_METHODS_H
#define MLX5SIM_DRIVER_PORT_METHODS_H

#include "device/driver/method.h"

extern const struct method port_methods[];      /* `run` of the last entry is NULL */

#endif

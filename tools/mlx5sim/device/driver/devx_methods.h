/* Methods of DevX objects, UARs and umems. */
#ifndef MLX5SIM_DRIVER_DEVX_METHODS_H
#define MLX5SIM_DRIVER_DEVX_METHODS_H

#include "device/driver/method.h"

extern const struct method devx_methods[];    /* `run` of the last entry is NULL */

#endif

/* Methods of memory: MR, MW, DM. */
#ifndef MLX5SIM_DRIVER_MEMORY_METHODS_H
#define MLX5SIM_DRIVER_MEMORY_METHODS_H

#include "device/driver/method.h"

extern const struct method memory_methods[];    /* `run` of the last entry is NULL */

#endif

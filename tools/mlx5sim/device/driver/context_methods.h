/* Methods of contexts, PDs, AHs and event descriptors. */
#ifndef MLX5SIM_DRIVER_CONTEXT_METHODS_H
#define MLX5SIM_DRIVER_CONTEXT_METHODS_H

#include "device/driver/method.h"

extern const struct method context_methods[];    /* `run` of the last entry is NULL */

#endif

/* Methods of VARs: doorbell pages for queues of emulated virtio devices. */
#ifndef MLX5SIM_DRIVER_VAR_METHODS_H
#define MLX5SIM_DRIVER_VAR_METHODS_H

#include "device/driver/method.h"

extern const struct method var_methods[];       /* `run` of the last entry is NULL */

#endif

/* Flow rules of mlx5dv: matchers, and rules with values for them. */
#ifndef MLX5SIM_DRIVER_MATCHER_METHODS_H
#define MLX5SIM_DRIVER_MATCHER_METHODS_H

#include "device/driver/method.h"

extern const struct method matcher_methods[];

#endif

/* Flow rules of verbs, and their counters. */
#ifndef MLX5SIM_DRIVER_FLOW_METHODS_H
#define MLX5SIM_DRIVER_FLOW_METHODS_H

#include "device/driver/method.h"

extern const struct method flow_methods[];
extern const struct write_command flow_commands[];

#endif

/* XRC domains. */
#ifndef MLX5SIM_DRIVER_XRC_H
#define MLX5SIM_DRIVER_XRC_H

#include "device/driver/method.h"

extern const struct method xrc_methods[];       /* `run` of the last entry is NULL */

int uverbs_open_xrcd(struct call *call);
int uverbs_close_xrcd(struct call *call);

#endif

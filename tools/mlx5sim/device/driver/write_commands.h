/* Commands of the older write(2) interface. Programs issue them through an ioctl. */
#ifndef MLX5SIM_DRIVER_WRITE_COMMANDS_H
#define MLX5SIM_DRIVER_WRITE_COMMANDS_H

#include "device/driver/call.h"

/* The method DEVICE.INVOKE_WRITE. Returns 0 or an errno. */
int uverbs_write_command(struct call *call);

#endif

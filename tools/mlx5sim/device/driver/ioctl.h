/* The uverbs ioctl. */
#ifndef MLX5SIM_DRIVER_IOCTL_H
#define MLX5SIM_DRIVER_IOCTL_H

#include "device/driver/call.h"

/* Executes the ioctl in call->hdr. Returns 0 or an errno. */
int uverbs_ioctl(struct call *call);

#endif

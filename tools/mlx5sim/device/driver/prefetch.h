/* ibv_advise_mr(): prefetches the memory of regions with on-demand paging. */
#ifndef MLX5SIM_DRIVER_PREFETCH_H
#define MLX5SIM_DRIVER_PREFETCH_H

#include "device/driver/call.h"

/* Executes MR.ADVISE_MR. */
int advise_mr(struct call *call);

#endif

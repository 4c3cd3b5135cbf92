/* Packet pacing: entries of DevX, and the rate of a QP. */
#ifndef MLX5SIM_DRIVER_PACE_METHODS_H
#define MLX5SIM_DRIVER_PACE_METHODS_H

#include "device/driver/method.h"

extern const struct method pace_methods[];      /* `run` of the last entry is NULL */

/* Executes the part of MODIFY_QP that sets a rate. Returns 0 or an errno. */
int pace_modify_qp(const struct call *call, struct hca_object *qp);

#endif

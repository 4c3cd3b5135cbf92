/* Methods of queues: CQ, QP, SRQ. */
#ifndef MLX5SIM_DRIVER_QUEUE_METHODS_H
#define MLX5SIM_DRIVER_QUEUE_METHODS_H

#include "device/driver/method.h"

extern const struct method queue_methods[];    /* `run` of the last entry is NULL */

struct uobject *uverbs_create_srq(struct call *call, struct ib_uverbs_create_xsrq *cmd,
                                  int *error);

#endif

/* Receive work queues (WQ), indirection tables, and QPs that spread packets over them (RSS). */
#ifndef MLX5SIM_DRIVER_WQ_METHODS_H
#define MLX5SIM_DRIVER_WQ_METHODS_H

#include "device/driver/method.h"

extern const struct method wq_methods[];
extern const struct write_command wq_commands[];

/* Executes QP.CREATE with an indirection table. */
int wq_create_rss_qp(struct call *call);

#endif

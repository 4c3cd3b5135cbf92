/* Commands of the older write(2) interface on QPs. */
#ifndef MLX5SIM_DRIVER_QP_COMMANDS_H
#define MLX5SIM_DRIVER_QP_COMMANDS_H

#include "device/driver/call.h"

int uverbs_modify_qp(struct call *call);
int uverbs_query_qp(struct call *call);

/* Attach a UD QP to a multicast group, and detach it. */
int uverbs_attach_mcast(struct call *call);
int uverbs_detach_mcast(struct call *call);

/* Makes a handle of an XRC target QP that exists already (ibv_open_qp()). */
int uverbs_open_qp(struct call *call);

#endif

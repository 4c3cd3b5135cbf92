/* The rules for raw packet QPs that differ from those for other QPs. */
#ifndef MLX5SIM_DRIVER_PACKET_METHODS_H
#define MLX5SIM_DRIVER_PACKET_METHODS_H

#include "device/driver/call.h"

#include <rdma/mlx5-abi.h>

/* True for the type of raw packet QPs, if the ports are Ethernet. The kernel also demands
 * CAP_NET_RAW, which this emulator does not. */
bool packet_supports(uint32_t type);

/* Checks the memory and the flags of a new QP. The numbers of WQEs have been checked. */
int packet_check_qp(const struct call *call, const struct mlx5_ib_create_qp *user,
                    const struct ib_uverbs_qp_cap *cap, bool has_srq);

/* Tells the library the numbers of the two queues that a raw packet QP consists of. */
void packet_qp_numbers(const struct uobject *qp, struct mlx5_ib_create_qp_resp *resp);

/* True when a QP may go from state `from` to `to` with these attributes (IB_QP_*). */
bool packet_move_is_allowed(uint8_t from, uint8_t to, uint32_t mask);

/* Returns the flags of the device (IB_UVERBS_DEVICE_*) for packets. */
uint32_t packet_device_flags(void);
/* Gives a QP that sends its TIS, in the transport domain of the context. Returns 0 or an errno. */
int packet_add_tis(const struct call *call, struct hca_object *qp);

/* Fills in the other capabilities for packets. */
void packet_query_device(struct ib_uverbs_ex_query_device_resp *resp,
                         struct mlx5_ib_query_device_resp *driver);

#endif

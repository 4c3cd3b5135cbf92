/* The RDMA devices of the emulated machine, as the kernel's NETLINK_RDMA describes its devices. */
#ifndef MLX5SIM_PROGRAM_RDMA_H
#define MLX5SIM_PROGRAM_RDMA_H

#include "program/description.h"
#include "program/message.h"

/* True for the types of messages that RDMA clients of netlink use. */
bool rdma_is_asked(const struct nlmsghdr *request);

/* Answers a complete request: the caller has read all nlmsg_len bytes. A type of request that the
 * emulated kernel does not have gets EOPNOTSUPP. */
enum verdict rdma_answer(const struct nlmsghdr *request, const struct wire_description *of,
                         struct answer *a);

#endif

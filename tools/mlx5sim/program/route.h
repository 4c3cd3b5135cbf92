/* The network interfaces of the emulated functions, as the kernel's NETLINK_ROUTE describes its
 * interfaces. */
#ifndef MLX5SIM_PROGRAM_ROUTE_H
#define MLX5SIM_PROGRAM_ROUTE_H

#include "program/description.h"
#include "program/message.h"

/* True for requests that may concern an emulated interface: RTM_GETLINK and RTM_GETADDR. */
bool route_is_asked(const struct nlmsghdr *request);

/* Answers a request. The bytes behind its header are as many as nlmsg_len says. */
enum verdict route_answer(const struct nlmsghdr *request, const struct wire_description *of,
                          struct answer *a);

#endif

/* The network interfaces of the emulated functions, as the kernel's NETLINK_ROUTE describes its
 * interfaces. */
#ifndef MLX5SIM_PROGRAM_ROUTE_H
#define MLX5SIM_PROGRAM_ROUTE_H

#include "program/description.h"
#include "program/message.h"

/* True for requests that may concern an emulated interface: RTM_GETLINK and RTM_GETADDR. */
bool route_is_asked(const struct nlmsghdr *request);

/* Answers a complete request: the caller has read all nlmsg_len bytes. */
enum verdict route_answer(const struct nlmsghdr *request, const struct wire_description *of,
                          struct answer *a);

#endif

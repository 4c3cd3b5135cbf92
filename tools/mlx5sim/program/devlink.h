/* The PCI functions of the emulated machine, as the kernel's devlink describes its devices. */
#ifndef MLX5SIM_PROGRAM_DEVLINK_H
#define MLX5SIM_PROGRAM_DEVLINK_H

#include "program/description.h"
#include "program/message.h"

/* True for the request that asks for the number of the family devlink, and for requests to this
 * family. */
bool devlink_is_asked(const struct nlmsghdr *request);

/* Answers a complete request: the caller has read all nlmsg_len bytes. Commands that the emulated
 * kernel does not have get EOPNOTSUPP. */
enum verdict devlink_answer(const struct nlmsghdr *request, const struct wire_description *of,
                            struct answer *a);

#endif

/* Network interfaces of the emulated functions, which the kernel does not know. */
#ifndef MLX5SIM_PROGRAM_INTERFACE_H
#define MLX5SIM_PROGRAM_INTERFACE_H

#include <stdbool.h>

/* The kernel's list of IPv6 addresses. */
#define INTERFACE_IPV6_LIST "/proc/net/if_inet6"

/* Answers SIOCGIFADDR, the request for the IPv4 address of an interface, for an emulated interface
 * that has one. Returns false for all other requests, which the kernel then answers. */
bool interface_ioctl(unsigned long code, void *arg);

/* Opens a copy of INTERFACE_IPV6_LIST with the addresses of the emulated interfaces at its end.
 * Returns -1 when the machine has none; the caller then opens the list itself. */
int interface_open_ipv6_list(int flags);

#endif

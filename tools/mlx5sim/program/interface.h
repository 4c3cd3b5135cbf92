/* Network interfaces of the emulated functions, which the kernel does not know. Functions of this
 * file ask the kernel first: an interface of the host is never hidden. */
#ifndef MLX5SIM_PROGRAM_INTERFACE_H
#define MLX5SIM_PROGRAM_INTERFACE_H

#include <ifaddrs.h>
#include <net/if.h>
#include <stdbool.h>

/* The kernel's list of IPv6 addresses. */
#define INTERFACE_IPV6_LIST "/proc/net/if_inet6"

/* True for the requests SIOCGIF* about an interface that interface_ioctl() answers. */
bool interface_is_asked(unsigned long code);

/* Implements ioctl() for these requests. */
int interface_ioctl(int fd, unsigned long code, void *arg);

/* Implement the libc functions with these names. */
unsigned interface_index(const char *name);
char *interface_name(unsigned index, char name[IF_NAMESIZE]);

/* Return one block of memory that free() frees, or NULL with errno. */
struct if_nameindex *interface_names(void);

/* Implements getifaddrs(). Only interface_free_addresses() can free the list. */
int interface_addresses(struct ifaddrs **list);
void interface_free_addresses(struct ifaddrs *list);

/* Opens a copy of INTERFACE_IPV6_LIST with the addresses of the emulated interfaces at its end.
 * Returns -1 when the machine has none; the caller then opens the list itself. */
int interface_open_ipv6_list(int flags);

#endif

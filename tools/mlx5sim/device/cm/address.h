/* Addresses of the connection manager, and the functions that they belong to. */
#ifndef MLX5SIM_CM_ADDRESS_H
#define MLX5SIM_CM_ADDRESS_H

#include "device/cm/state.h"

/* Returns the size of an address of this family in bytes; 0 for an unknown family. */
size_t cm_addr_size(const union cm_addr *addr);

bool cm_addr_is_any(const union cm_addr *addr);
/* True when two addresses have the same family and, apart from the port, the same value. */
bool cm_addr_equal(const union cm_addr *a, const union cm_addr *b);

uint16_t cm_addr_port(const union cm_addr *addr);       /* in host byte order; 0: none */
void cm_addr_set_port(union cm_addr *addr, uint16_t port, uint16_t ps);
/* Returns the port space that an address of AF_IB selects; `ps` for other addresses. */
uint16_t cm_addr_ps(const union cm_addr *addr, uint16_t ps);

bool cm_addr_is_multicast(const union cm_addr *addr);
/* Returns the function whose interface the scope of a link-local address names, or NULL. */
struct sim_function *cm_addr_scope(const union cm_addr *addr);

/* Replaces an unspecified address by the loopback address of its family. */
void cm_addr_to_loopback(union cm_addr *addr);

/* Returns the function that has the address: by the `ip=` of the function, by its interface if the
 * host of the emulator has an interface of this name, or by its GID. All other addresses of the
 * host, such as 127.0.0.1, belong to the first function. NULL: nobody has the address. */
struct sim_function *cm_addr_function(const union cm_addr *addr);

#endif

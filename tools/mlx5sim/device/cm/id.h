/* Identifiers: handles, addresses and ports. */
#ifndef MLX5SIM_CM_ID_H
#define MLX5SIM_CM_ID_H

#include "device/cm/state.h"

/* Makes an identifier with the lowest free handle. NULL when no memory is left. */
struct cm_id *cm_id_new(struct cm_file *file, uint64_t uid, uint16_t ps, uint8_t qp_type);
/* Frees the identifier, its port and its handle. Events and connection have ended before. */
void cm_id_free(struct cm_id *id);

/* Finds an identifier of the file. ENOENT: the handle does not exist; EINVAL: the identifier
 * belongs to another file. */
int cm_id_find(const struct cm_file *file, uint32_t handle, struct cm_id **out);

/* Returns the identifier with the lowest handle that is at least `handle`, or NULL. */
struct cm_id *cm_id_from(uint32_t handle);

/* The rules of the kernel for bind and listen. Errors: EINVAL wrong state or family; EADDRNOTAVAIL
 * nobody has the address, or all addresses of a port are in use; EADDRINUSE. */
int cm_bind(struct cm_id *id, const union cm_addr *addr);
int cm_listen(struct cm_id *id, uint32_t backlog);

/* Begin to find the peer's address, and the route to it. The result is an event: the address
 * that nobody has ends with ADDR_ERROR after `timeout_ms`. */
int cm_resolve_addr(struct cm_id *id, const union cm_addr *src, const union cm_addr *dst,
                    uint32_t timeout_ms);
int cm_resolve_route(struct cm_id *id);

/* Returns the identifier that listens for what `id` asks, or NULL. */
struct cm_id *cm_find_listener(const struct cm_id *id);

/* Sets the time at which the current step of the identifier ends by itself; ns 0: never. */
void cm_set_deadline(struct cm_id *id, uint64_t ns);
/* Calls `expired` for identifiers whose time has come. Returns the earliest later time, or
 * UINT64_MAX. */
uint64_t cm_run_deadlines(uint64_t now, void (*expired)(struct cm_id *));

#endif

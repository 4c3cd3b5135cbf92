/* Memberships in multicast groups. The port joins a group; the device announces no multicast, so
 * that a QP cannot be attached to the group. */
#ifndef MLX5SIM_CM_MULTICAST_H
#define MLX5SIM_CM_MULTICAST_H

#include "device/cm/state.h"

/* Makes a membership; the program gets the event MULTICAST_JOIN with `uid`. Returns 0 or an errno:
 * EINVAL for an identifier that is not a datagram one or is not bound to a device. */
int multicast_join(struct cm_id *id, uint64_t uid, const union cm_addr *addr, uint32_t *handle);
/* Ends a membership; *reported receives the number of its events that were read. */
int multicast_leave(const struct cm_file *file, uint32_t handle, uint32_t *reported);
void multicast_event_read(struct cm_multicast *multicast);
void multicast_end(const struct cm_id *id);     /* ends all memberships of the identifier */

#endif

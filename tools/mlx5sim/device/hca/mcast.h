/* Multicast groups. */
#ifndef MLX5SIM_HCA_MCAST_H
#define MLX5SIM_HCA_MCAST_H

#include <stdbool.h>
#include <stdint.h>

enum { HCA_LOG_MAX_GROUPS = 6, HCA_MAX_GROUP_QPS = 248 };

struct hca_qp;

/* Attaches the QP to a group, or detaches it. A group is a GID and exists in the whole fabric. Both
 * return 0 or an errno: ENOMEM at a limit, EINVAL when the QP is not attached. To attach a QP again
 * has no effect. */
int mcast_attach(struct hca_qp *qp, const uint8_t gid[16]);
int mcast_detach(const struct hca_qp *qp, const uint8_t gid[16]);

bool mcast_has(const struct hca_qp *qp);        /* the QP is attached to a group */
void mcast_forget(const struct hca_qp *qp);     /* detaches a QP that is destroyed */

/* Calls `each` for every QP of the group. `each` must not attach or detach QPs. */
void mcast_each(const uint8_t gid[16], void (*each)(struct hca_qp *qp, void *), void *arg);

#endif

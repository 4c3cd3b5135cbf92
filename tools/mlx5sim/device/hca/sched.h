/* Scheduling elements: a tree of each program, whose leaves limit the rate of the queues that are
 * attached to them. */
#ifndef MLX5SIM_HCA_SCHED_H
#define MLX5SIM_HCA_SCHED_H

#include "device/hca/object.h"

/* Limits, with the values of a BlueField that a public capability dump shows. */
enum { SCHED_LOG_MAX_LEVELS = 2, SCHED_LOG_MAX_LEAVES = 8, SCHED_MAX_SHARE = 100 };

struct hca_sched_attr {
    struct hca_sched *parent;   /* NULL: a root */
    bool is_leaf;
    uint32_t share;             /* weight among the elements of the parent; only stored */
    uint32_t mbps;              /* largest rate in Mbit/s; 0: no limit */
};

struct hca_sched {
    struct hca_object object;
    struct hca_sched_attr attr;
    unsigned level;             /* of a root: 1 */
    uint64_t busy_until;        /* ns; when the rate has let out all that was sent */
};

/* Returns 0, or ENOSPC when the tree would be too deep or no element is left. */
int hca_sched_create(struct sim_client *client, const struct hca_sched_attr *attr,
                     struct hca_object **out);

/* Attaches a queue to a leaf, and detaches it from the one before; NULL: from all. */
void hca_sched_attach(struct hca_sched **queue, struct hca_sched *leaf);

/* True when all limits from the leaf to its root let a queue send at time `now`; otherwise stores
 * the time at which they do. NULL: no limit. */
bool hca_sched_may_send(const struct hca_sched *leaf, uint64_t now, uint64_t *wake);
void hca_sched_sent(struct hca_sched *leaf, uint64_t now, uint32_t bytes);

#endif

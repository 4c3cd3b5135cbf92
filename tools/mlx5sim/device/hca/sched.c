/* Scheduling elements. A queue sends when no element between its leaf and the root is busy. */
#include "device/hca/sched.h"

#include <errno.h>
#include <stdlib.h>

static unsigned num_leaves[SIM_MAX_FUNCTIONS];

static void sched_release(struct hca_object *object)
{
    struct hca_sched *sched = (struct hca_sched *)object;

    hca_unref(sched->attr.parent);
    num_leaves[object->function->index] -= sched->attr.is_leaf;
}

int hca_sched_create(struct sim_client *client, const struct hca_sched_attr *attr,
                     struct hca_object **out)
{
    unsigned *leaves = &num_leaves[client->function->index];
    unsigned level = attr->parent ? attr->parent->level + 1 : 1;
    struct hca_sched *sched;

    if (level > 1u << SCHED_LOG_MAX_LEVELS ||
        (attr->is_leaf && *leaves == 1u << SCHED_LOG_MAX_LEAVES))
        return ENOSPC;
    sched = calloc(1, sizeof(*sched));
    if (!sched || hca_add(&sched->object, HCA_SCHED, client, sched_release)) {
        free(sched);
        return ENOSPC;
    }
    sched->attr = *attr;
    sched->level = level;
    hca_ref(attr->parent);
    *leaves += attr->is_leaf;
    *out = &sched->object;
    return 0;
}

void hca_sched_attach(struct hca_sched **queue, struct hca_sched *leaf)
{
    hca_ref(leaf);
    hca_unref(*queue);
    *queue = leaf;
}

bool hca_sched_may_send(const struct hca_sched *leaf, uint64_t now, uint64_t *wake)
{
    uint64_t from = now;

    for (; leaf; leaf = leaf->attr.parent)
        if (leaf->attr.mbps && leaf->busy_until > from)
            from = leaf->busy_until;
    if (from == now)
        return true;
    *wake = from;
    return false;
}

void hca_sched_sent(struct hca_sched *leaf, uint64_t now, uint32_t bytes)
{
    for (; leaf; leaf = leaf->attr.parent) {
        if (!leaf->attr.mbps)
            continue;
        if (leaf->busy_until < now)
            leaf->busy_until = now;
        leaf->busy_until += (uint64_t)bytes * 8000 / leaf->attr.mbps;
    }
}

/* Multicast groups: for each group, a list of the QPs that are attached to it. */
#include "device/hca/mcast.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GID = 16, MAX_GROUPS = 1 << HCA_LOG_MAX_GROUPS };

struct attachment {
    struct attachment *next;
    struct hca_qp *qp;
};

static struct group {
    struct attachment *first;   /* NULL: this entry is free */
    unsigned num_qps;
    uint8_t gid[GID];
} groups[MAX_GROUPS];

/* Finds the group of the GID. NULL: no QP is attached to it. */
static struct group *group_of(const uint8_t gid[GID])
{
    for (struct group *g = groups; g < groups + MAX_GROUPS; g++)
        if (g->first && memcmp(g->gid, gid, GID) == 0)
            return g;
    return NULL;
}

static struct group *free_group(void)
{
    for (struct group *g = groups; g < groups + MAX_GROUPS; g++)
        if (!g->first)
            return g;
    return NULL;
}

static bool group_has(const struct group *g, const struct hca_qp *qp)
{
    const struct attachment *a = g->first;

    while (a && a->qp != qp)
        a = a->next;
    return a != NULL;
}

int mcast_attach(struct hca_qp *qp, const uint8_t gid[GID])
{
    struct group *g = group_of(gid);
    struct attachment *new;

    if (g && group_has(g, qp))
        return 0;
    if (!g)
        g = free_group();
    new = g && g->num_qps < HCA_MAX_GROUP_QPS ? calloc(1, sizeof(*new)) : NULL;
    if (!new)
        return ENOMEM;
    new->qp = qp;
    new->next = g->first;
    g->first = new;
    g->num_qps++;
    memcpy(g->gid, gid, GID);
    return 0;
}

/* Removes the QP from the group. Returns 0, or EINVAL when the QP is not attached to it. */
static int remove_of(struct group *g, const struct hca_qp *qp)
{
    struct attachment **at = &g->first, *a;

    while (*at && (*at)->qp != qp)
        at = &(*at)->next;
    a = *at;
    if (!a)
        return EINVAL;
    *at = a->next;
    g->num_qps--;
    free(a);
    return 0;
}

int mcast_detach(const struct hca_qp *qp, const uint8_t gid[GID])
{
    struct group *g = group_of(gid);

    return g ? remove_of(g, qp) : EINVAL;
}

void mcast_forget(const struct hca_qp *qp)
{
    for (struct group *g = groups; g < groups + MAX_GROUPS; g++)
        remove_of(g, qp);
}

bool mcast_has(const struct hca_qp *qp)
{
    for (const struct group *g = groups; g < groups + MAX_GROUPS; g++)
        if (group_has(g, qp))
            return true;
    return false;
}

void mcast_each(const uint8_t gid[GID], void (*each)(struct hca_qp *qp, void *), void *arg)
{
    const struct group *g = group_of(gid);

    for (const struct attachment *a = g ? g->first : NULL; a; a = a->next)
        each(a->qp, arg);
}

/* Multicast groups: a list of the QPs that are attached to each. */
#include "device/hca/mcast.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GID = 16 };

struct attachment {
    struct attachment *next;
    struct hca_qp *qp;
    uint8_t gid[GID];
};

static struct attachment *attachments;

static bool is_of(const struct attachment *a, const uint8_t gid[GID])
{
    return memcmp(a->gid, gid, GID) == 0;
}

/* True when another QP of the group, or another group, is within the limits. */
static bool has_room(const uint8_t gid[GID])
{
    unsigned qps = 0, groups = 0;

    for (const struct attachment *a = attachments; a; a = a->next) {
        const struct attachment *b = attachments;

        qps += is_of(a, gid);
        while (!is_of(b, a->gid))
            b = b->next;
        groups += a == b;       /* the first attachment of its group */
    }
    return qps < HCA_MAX_GROUP_QPS && (qps > 0 || groups < 1u << HCA_LOG_MAX_GROUPS);
}

int mcast_attach(struct hca_qp *qp, const uint8_t gid[GID])
{
    struct attachment *new;

    for (const struct attachment *a = attachments; a; a = a->next)
        if (a->qp == qp && is_of(a, gid))
            return 0;
    new = has_room(gid) ? calloc(1, sizeof(*new)) : NULL;
    if (!new)
        return ENOMEM;
    new->qp = qp;
    memcpy(new->gid, gid, GID);
    new->next = attachments;
    attachments = new;
    return 0;
}

/* Removes the attachments of the QP: to one group, or to all of them when `gid` is NULL. */
static int remove_of(const struct hca_qp *qp, const uint8_t *gid)
{
    int status = EINVAL;

    for (struct attachment **at = &attachments; *at;) {
        struct attachment *a = *at;

        if (a->qp != qp || (gid && !is_of(a, gid))) {
            at = &a->next;
            continue;
        }
        *at = a->next;
        free(a);
        status = 0;
    }
    return status;
}

int mcast_detach(const struct hca_qp *qp, const uint8_t gid[GID])
{
    return remove_of(qp, gid);
}

void mcast_forget(const struct hca_qp *qp)
{
    remove_of(qp, NULL);
}

bool mcast_has(const struct hca_qp *qp)
{
    const struct attachment *a = attachments;

    while (a && a->qp != qp)
        a = a->next;
    return a != NULL;
}

void mcast_each(const uint8_t gid[GID], void (*each)(struct hca_qp *qp, void *), void *arg)
{
    for (const struct attachment *a = attachments; a; a = a->next)
        if (is_of(a, gid))
            each(a->qp, arg);
}

/* Memberships in multicast groups. */
#define _GNU_SOURCE
#include "device/cm/multicast.h"
#include "device/cm/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { GROUP_QP = 0xffffff, GROUP_QKEY = 0x01234567, GROUP_LID = 0xc001 };

struct cm_multicast {
    struct cm_multicast *next;
    struct cm_id *id;
    uint32_t handle;
    uint32_t events_reported;
};

static struct cm_multicast *memberships;

static uint32_t free_handle(void)
{
    const struct cm_multicast *m = memberships;
    uint32_t handle = 0;

    while (m != NULL) {
        if (m->handle != handle) {
            m = m->next;
            continue;
        }
        handle++;
        m = memberships;
    }
    return handle;
}

/* Makes the GID of a group from its address: IPv6 groups are GIDs already, IPv4 groups have the
 * prefix that IPoIB gives to them. */
static void group_gid(const union cm_addr *addr, uint8_t gid[16])
{
    static const uint8_t ipv4_group[12] = {0xff, 0x12, 0x40, 0x1b, 0xff, 0xff};

    if (addr->any.sa_family == AF_INET) {
        memcpy(gid, ipv4_group, sizeof(ipv4_group));
        memcpy(gid + 12, &addr->ipv4.sin_addr, 4);
    } else {
        memcpy(gid, addr->any.sa_family == AF_INET6 ? addr->ipv6.sin6_addr.s6_addr : addr->ib.gid,
               16);
    }
}

int multicast_join(struct cm_id *id, uint64_t uid, const union cm_addr *addr, uint32_t *handle)
{
    struct rdma_ucm_ud_param *ud;
    struct cm_multicast *m;
    struct cm_event *event;

    if (id->function == NULL || id->qp_type != IB_UVERBS_QPT_UD ||
        (id->state != CM_BOUND && id->state != CM_ADDR_RESOLVED))
        return EINVAL;
    m = calloc(1, sizeof(*m));
    event = m != NULL ? cm_event_new(id, CM_MULTICAST_JOIN, 0) : NULL;
    if (event == NULL) {
        free(m);
        return ENOMEM;
    }
    m->id = id;
    m->handle = *handle = free_handle();
    m->next = memberships;
    memberships = m;
    event->multicast = m;
    event->resp.uid = uid;
    event->resp.id = m->handle;
    ud = &event->resp.param.ud;
    ud->qp_num = GROUP_QP;
    ud->qkey = GROUP_QKEY;
    ud->ah_attr.port_num = 1;
    ud->ah_attr.is_global = 1;
    ud->ah_attr.dlid = machine.profile.ethernet ? 0 : GROUP_LID;
    group_gid(addr, ud->ah_attr.grh.dgid);
    cm_event_post(event);
    return 0;
}

static void remove_membership(struct cm_multicast **at)
{
    struct cm_multicast *m = *at;

    *at = m->next;
    cm_events_drop(m->id->file, m->id, m, NULL);
    free(m);
}

int multicast_leave(const struct cm_file *file, uint32_t handle, uint32_t *reported)
{
    struct cm_multicast **at = &memberships;

    while (*at != NULL && (*at)->handle != handle)
        at = &(*at)->next;
    if (*at == NULL)
        return ENOENT;
    if ((*at)->id->file != file)
        return EINVAL;
    *reported = (*at)->events_reported;
    remove_membership(at);
    return 0;
}

void multicast_event_read(struct cm_multicast *multicast)
{
    multicast->events_reported++;
}

void multicast_end(const struct cm_id *id)
{
    struct cm_multicast **at = &memberships;

    while (*at != NULL) {
        if ((*at)->id == id)
            remove_membership(at);
        else
            at = &(*at)->next;
    }
}

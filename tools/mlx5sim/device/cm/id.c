/* Identifiers: handles, addresses and ports. */
#define _GNU_SOURCE
#include "device/cm/id.h"
#include "device/cm/address.h"
#include "device/cm/event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PORT = 32768, LAST_PORT = 60999, MAX_BACKLOG = 1024 };

static struct cm_id **ids;      /* index = handle */
static uint32_t num_slots;
static uint64_t earliest = UINT64_MAX;

/* ---- handles -------------------------------------------------------------------------------- */

/* Returns a free handle; num_slots when no memory is left for a longer table. */
static uint32_t free_handle(void)
{
    uint32_t handle, room;
    struct cm_id **table;

    for (handle = 0; handle < num_slots; handle++)
        if (ids[handle] == NULL)
            return handle;
    room = num_slots == 0 ? 64 : 2 * num_slots;
    /* analyzer: bugprone-sizeof-expression: the table holds pointers */
    table = reallocarray(ids, room, sizeof(*table));
    if (table == NULL)
        return num_slots;
    ids = table;
    while (num_slots < room)
        ids[num_slots++] = NULL;
    return handle;
}

struct cm_id *cm_id_new(struct cm_file *file, uint64_t uid, uint16_t ps, uint8_t qp_type)
{
    static uint32_t next_psn = 0x4711;
    struct cm_id *id = calloc(1, sizeof(*id));
    uint32_t handle = free_handle();

    if (id == NULL || handle == num_slots) {
        free(id);
        return NULL;
    }
    id->handle = handle;
    id->uid = uid;
    id->file = file;
    id->ps = ps;
    id->qp_type = qp_type;
    id->psn = next_psn++ * 2654435761u >> 8;    /* 24 bits that differ between identifiers */
    ids[handle] = id;
    return id;
}

void cm_id_free(struct cm_id *id)
{
    ids[id->handle] = NULL;
    free(id);
}

int cm_id_find(const struct cm_file *file, uint32_t handle, struct cm_id **out)
{
    struct cm_id *id = handle < num_slots ? ids[handle] : NULL;

    if (id == NULL)
        return ENOENT;
    if (id->file != file)
        return EINVAL;
    *out = id;
    return 0;
}

struct cm_id *cm_id_from(uint32_t handle)
{
    for (; handle < num_slots; handle++)
        if (ids[handle] != NULL)
            return ids[handle];
    return NULL;
}

/* ---- bind and listen ------------------------------------------------------------------------ */

/* Returns 0 when `id` can have this address and port besides all other identifiers. A port has one
 * user for each address, except that identifiers with REUSEADDR that do not listen share it. */
static int check_port(const struct cm_id *id, const union cm_addr *addr, uint16_t port,
                      bool reuseaddr)
{
    struct cm_id *other;

    for (other = cm_id_from(0); other != NULL; other = cm_id_from(other->handle + 1)) {
        if (other == id || !other->has_port || other->ps != id->ps ||
            cm_addr_port(&other->src) != port)
            continue;
        if (reuseaddr && other->reuseaddr && other->state != CM_LISTEN)
            continue;
        if (id->afonly && other->afonly && addr->any.sa_family != other->src.any.sa_family)
            continue;
        if (cm_addr_is_any(addr) || cm_addr_is_any(&other->src))
            return EADDRNOTAVAIL;
        if (cm_addr_equal(addr, &other->src))
            return EADDRINUSE;
    }
    return 0;
}

/* Gives the address a port that no identifier uses. Returns 0 or EADDRNOTAVAIL. */
static int choose_port(const struct cm_id *id, union cm_addr *addr)
{
    static uint16_t last = LAST_PORT;
    unsigned i;

    for (i = 0; i <= LAST_PORT - FIRST_PORT; i++) {
        last = last >= LAST_PORT ? FIRST_PORT : (uint16_t)(last + 1);
        if (check_port(id, addr, last, false) == 0) {
            cm_addr_set_port(addr, last, id->ps);
            return 0;
        }
    }
    return EADDRNOTAVAIL;
}

int cm_bind(struct cm_id *id, const union cm_addr *addr)
{
    struct sim_function *function = NULL;
    union cm_addr src = *addr;
    uint16_t ps = id->ps;
    int err;

    if (id->state != CM_IDLE)
        return EINVAL;
    if (!cm_addr_is_any(addr)) {
        function = cm_addr_function(addr);
        if (function == NULL)
            return EADDRNOTAVAIL;
    }
    id->ps = cm_addr_ps(addr, ps);
    if (cm_addr_port(addr) == 0) {
        err = choose_port(id, &src);
    } else {
        cm_addr_set_port(&src, cm_addr_port(addr), id->ps);
        err = check_port(id, &src, cm_addr_port(&src), id->reuseaddr);
    }
    if (err != 0) {
        id->ps = ps;
        return err;
    }
    id->src = src;
    id->function = function;
    id->has_port = true;
    id->state = CM_BOUND;
    return 0;
}

int cm_listen(struct cm_id *id, uint32_t backlog)
{
    const union cm_addr any = {.ipv4 = {.sin_family = AF_INET}};
    int err = 0;

    if (id->state == CM_IDLE)
        err = cm_bind(id, &any);
    if (err == 0 && id->state != CM_BOUND)
        err = EINVAL;
    /* a listener shares its address and port with no other identifier, even with REUSEADDR */
    err = err != 0 ? err : check_port(id, &id->src, cm_addr_port(&id->src), false);
    if (err != 0)
        return err;
    id->state = CM_LISTEN;
    id->backlog = (int32_t)backlog <= 0 || backlog > MAX_BACKLOG ? MAX_BACKLOG : backlog;
    return 0;
}

struct cm_id *cm_find_listener(const struct cm_id *id)
{
    struct cm_id *l, *found = NULL;

    for (l = cm_id_from(0); l != NULL; l = cm_id_from(l->handle + 1)) {
        if (l->state != CM_LISTEN || l->ps != id->ps ||
            cm_addr_port(&l->src) != cm_addr_port(&id->dst) ||
            (l->function != NULL && l->function != id->peer_function))
            continue;
        if (cm_addr_equal(&l->src, &id->dst))
            return l;
        if (cm_addr_is_any(&l->src) && (l->src.any.sa_family == id->dst.any.sa_family ||
                                        (l->src.any.sa_family == AF_INET6 && !l->afonly)))
            found = l;
    }
    return found;
}

/* ---- resolving ------------------------------------------------------------------------------ */

/* Replaces the source address of an identifier, but not its port, by the address of its function's
 * interface. */
static void use_interface_address(struct cm_id *id)
{
    const struct sim_function *function = id->function;

    if (id->src.any.sa_family == AF_INET)
        id->src.ipv4.sin_addr.s_addr = function->ipv4;
    else if (id->src.any.sa_family == AF_INET6)
        memcpy(&id->src.ipv6.sin6_addr, function->gid, sizeof(function->gid));
    else
        memcpy(id->src.ib.gid, function->gid, sizeof(function->gid));
}

/* Chooses the device and the source address of an identifier that is bound to none, as the routes
 * of the kernel do: a link-local address is reached from the interface that its scope names, a
 * multicast group from the interface of the first function, and each other address of the machine
 * from itself. */
static void choose_source(struct cm_id *id)
{
    struct sim_function *function = cm_addr_scope(&id->dst);
    uint16_t port = cm_addr_port(&id->src);

    id->function = function != NULL ? function : id->peer_function;
    if (cm_addr_is_multicast(&id->dst)) {
        use_interface_address(id);
        return;
    }
    id->src = id->dst;
    cm_addr_set_port(&id->src, port, id->ps);
    if (function != NULL)
        memcpy(&id->src.ipv6.sin6_addr, function->gid, sizeof(function->gid));
}

int cm_resolve_addr(struct cm_id *id, const union cm_addr *src, const union cm_addr *dst,
                    uint32_t timeout_ms)
{
    union cm_addr any = {.any = {.sa_family = dst->any.sa_family}};
    int err = 0;

    if (id->state == CM_IDLE)
        err = cm_bind(id, src->any.sa_family != 0 ? src : &any);
    if (err == 0 && (id->state != CM_BOUND || id->src.any.sa_family != dst->any.sa_family))
        err = EINVAL;
    if (err != 0)
        return err;
    id->dst = *dst;
    cm_addr_to_loopback(&id->dst);
    if (cm_addr_is_multicast(&id->dst))
        id->peer_function = id->function != NULL ? id->function : &machine.functions[0];
    else
        id->peer_function = cm_addr_function(&id->dst);
    if (id->peer_function == NULL) {
        id->state = CM_ADDR_QUERY;
        cm_set_deadline(id, sim_now() + timeout_ms * UINT64_C(1000000));
        return 0;
    }
    if (id->function == NULL)
        choose_source(id);
    id->state = CM_ADDR_RESOLVED;
    cm_event_simple(id, CM_ADDR_RESOLVED_EVENT, 0);
    return 0;
}

int cm_resolve_route(struct cm_id *id)
{
    if (id->state != CM_ADDR_RESOLVED)
        return EINVAL;
    id->state = CM_ROUTE_RESOLVED;
    id->has_route = true;
    cm_event_simple(id, CM_ROUTE_RESOLVED_EVENT, 0);
    return 0;
}

/* ---- deadlines ------------------------------------------------------------------------------ */

void cm_set_deadline(struct cm_id *id, uint64_t ns)
{
    id->deadline = ns;
    if (ns != 0 && ns < earliest)
        earliest = ns;
}

uint64_t cm_run_deadlines(uint64_t now, void (*expired)(struct cm_id *))
{
    struct cm_id *id;

    if (now < earliest)
        return earliest;
    earliest = UINT64_MAX;
    for (id = cm_id_from(0); id != NULL; id = cm_id_from(id->handle + 1)) {
        if (id->deadline != 0 && id->deadline <= now) {
            id->deadline = 0;
            expired(id);
        }
        if (id->deadline != 0 && id->deadline < earliest)
            earliest = id->deadline;
    }
    return earliest;
}

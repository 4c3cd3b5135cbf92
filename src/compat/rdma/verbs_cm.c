/* ---- >>impl.rdma.verbs_cm -------------------------------------------------------------------
 * Connections by address between queue pairs, through librdmacm. Its identifiers (struct
 * rdma_cm_id) only carry the connection messages: the queue pairs are made as for connections by
 * export, and move through their states with the attributes of rdma_init_qp_attr().
 *     client:    ASKING: resolve address, resolve route, connect -> response: UP
 *     listener:  request: ASKED -> accept: JOINING -> established, or first completion: UP
 * The kernel tells the peer when a side ends, also when its process is killed, so the connections
 * have no control queue pair. The event channel exists from the first call about an address on; it
 * belongs to the epoll set of the instance.                                                     */
#include "compat/rdma/verbs_cm_priv.h"

#include "base/clock_priv.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "progress/ctx.h"
#include "compat/rdma/address_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/verbs_end_priv.h"
#include "compat/rdma/verbs_priv.h"

#if defined(DOCA_CORE_RDMA_VERBS) && defined(DOCA_CORE_RDMA_CM)

#define DOCA_PRIV_RDMA_CM_WHERE "doca_pe_progress"
#define DOCA_PRIV_RDMA_CM_EVENTS 16   /* events that one call handles at most */
#define DOCA_PRIV_RDMA_CM_FIND_MS 200 /* until the search for an address is repeated */
#define DOCA_PRIV_RDMA_CM_BACKLOG 128 /* requests that wait at a port */
#define DOCA_PRIV_RDMA_CM_NO_PORT 8   /* reason of a rejection: nobody listens on the port */

/* Addresses of the families that librdmacm takes. */
union doca_priv_rdma_cm_addr {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
};

/* Create the event channel of an instance. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_cm_open(struct doca_rdma *r, const char **step)
{
    int flags;

    if (r->cm_channel != NULL)
        return 0;
    *step = DOCA_PRIV_LOG_TEXT("create an event channel of librdmacm (rdma_create_event_channel)");
    errno = 0;
    r->cm_channel = rdma_create_event_channel();
    if (r->cm_channel == NULL)
        return errno != 0 ? errno : ENODEV;
    *step = DOCA_PRIV_LOG_TEXT("watch the event channel of librdmacm");
    flags = (int)doca_priv_sys_call(SYS_fcntl, r->cm_channel->fd, 3 /* F_GETFL */, 0, 0, 0, 0);
    if (flags >= 0 &&
        doca_priv_sys_call(SYS_fcntl, r->cm_channel->fd, 4 /* F_SETFL */,
                           flags | 04000 /* NONBLOCK */, 0, 0, 0) == 0 &&
        doca_priv_rdma_watch(r, r->cm_channel->fd, DOCA_PRIV_RDMA_AT_CONN, 0))
        return 0;
    flags = errno;
    rdma_destroy_event_channel(r->cm_channel);
    r->cm_channel = NULL;
    return flags;
}

DOCA_PRIV_DECL void doca_priv_rdma_cm_close(struct doca_rdma *r)
{
    if (r->cm_channel == NULL)
        return;
    doca_priv_rdma_cm_end_ports(r);
    rdma_destroy_event_channel(r->cm_channel);
    r->cm_channel = NULL;
}

/* ---- addresses ---- */

/* Convert an address to that of its family. A GID of RoCE is an address of IPv6, or of IPv4. */
static void doca_priv_rdma_cm_convert(const struct doca_rdma *r, struct doca_rdma_addr *addr,
                                      union doca_priv_rdma_cm_addr *to)
{
    static const uint8_t mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
    enum doca_rdma_addr_type type = DOCA_RDMA_ADDR_TYPE_IPv4;
    const char *text = NULL;
    struct in6_addr ipv6;
    uint16_t port = 0;

    DOCA_CORE_MEMSET(to, 0, sizeof(*to));
    (void)doca_rdma_addr_get_params(addr, &type, &text, &port);
    if (type == DOCA_RDMA_ADDR_TYPE_IPv4) {
        to->ipv4.sin_family = AF_INET;
        to->ipv4.sin_port = htons(port);
        (void)inet_pton(AF_INET, text, &to->ipv4.sin_addr);
        return;
    }
    (void)inet_pton(AF_INET6, text, &ipv6);
    if (DOCA_CORE_MEMCMP(&ipv6, mapped, sizeof(mapped)) == 0) {
        to->ipv4.sin_family = AF_INET;
        to->ipv4.sin_port = htons(port);
        DOCA_CORE_MEMCPY(&to->ipv4.sin_addr, (const uint8_t *)(const void *)&ipv6 + sizeof(mapped),
                         sizeof(to->ipv4.sin_addr));
        return;
    }
    to->ipv6.sin6_family = AF_INET6;
    to->ipv6.sin6_port = htons(port);
    to->ipv6.sin6_addr = ipv6;
    if (((const uint8_t *)(const void *)&ipv6)[0] == 0xfe) /* of one link: that of the device */
        to->ipv6.sin6_scope_id = if_nametoindex(r->ctx.dev->info.attr.iface_name);
}

/* Find the source address for a connection request to a peer with an IPv4 address: the IPv4 address
 * of the device. Returns false when the device has none, or the address of the peer is not IPv4.
 * The kernel's routes then select the source address. */
static bool doca_priv_rdma_cm_source(const struct doca_rdma *r,
                                     const union doca_priv_rdma_cm_addr *peer,
                                     union doca_priv_rdma_cm_addr *from)
{
    uint8_t bytes[DOCA_DEVINFO_IPV4_ADDR_SIZE];

    if (peer->any.sa_family != AF_INET ||
        doca_devinfo_get_ipv4_addr(&r->ctx.dev->info, bytes, sizeof(bytes)) != DOCA_SUCCESS)
        return false;
    DOCA_CORE_MEMSET(from, 0, sizeof(*from));
    from->ipv4.sin_family = AF_INET;
    DOCA_CORE_MEMCPY(&from->ipv4.sin_addr, bytes, sizeof(bytes));
    return from->ipv4.sin_addr.s_addr != 0;
}

/* True when the identifier uses the device and the port of the instance. */
static bool doca_priv_rdma_cm_is_here(const struct doca_rdma *r, const struct rdma_cm_id *id)
{
    return id->verbs != NULL && id->port_num == DOCA_PRIV_RDMA_PORT &&
           doca_priv_str_equal(ibv_get_device_name(id->verbs->device),
                               ibv_get_device_name(r->pd->context->device));
}

/* ---- queue pairs ---- */

/* Move the queue pair of a connection to RTR or RTS. Returns an errno, or 0. */
static int doca_priv_rdma_cm_modify(struct doca_rdma_connection *c, enum ibv_qp_state state)
{
    const struct doca_rdma *r = c->rdma;
    struct ibv_qp_attr attr;
    int mask = 0;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = state;
    if (rdma_init_qp_attr(c->cm_id, &attr, &mask) != 0)
        return errno;
    if (state == IBV_QPS_RTR) {
        attr.min_rnr_timer = DOCA_PRIV_RDMA_RNR_TIMER;
        if ((unsigned)attr.path_mtu > (unsigned)c->place.mtu)
            attr.path_mtu = (enum ibv_mtu)c->place.mtu;
    } else {
        attr.rnr_retry = r->rnr_retry_count;
    }
    return ibv_modify_qp(c->qp, &attr, mask);
}

/* Move the queue pair from INIT to RTS. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_cm_ready(struct doca_rdma_connection *c, const char **step)
{
    int error;

    *step = DOCA_PRIV_LOG_TEXT("bring the queue pair to RTR (rdma_init_qp_attr, ibv_modify_qp)");
    error = doca_priv_rdma_cm_modify(c, IBV_QPS_RTR);
    if (error != 0)
        return error;
    *step = DOCA_PRIV_LOG_TEXT("bring the queue pair to RTS (rdma_init_qp_attr, ibv_modify_qp)");
    return doca_priv_rdma_cm_modify(c, IBV_QPS_RTS);
}

/* Fill in the properties of this side's queue pair that the peer must know. */
static void doca_priv_rdma_cm_describe(const struct doca_rdma_connection *c,
                                       struct rdma_conn_param *param)
{
    DOCA_CORE_MEMSET(param, 0, sizeof(*param));
    param->responder_resources = param->initiator_depth = (uint8_t)c->rdma->max_reads;
    param->retry_count = DOCA_PRIV_RDMA_RETRIES;
    param->rnr_retry_count = c->rdma->rnr_retry_count;
    param->srq = 1;
    param->qp_num = c->qp->qp_num;
}

/* Add a connection whose queue pair takes requests to the live ones. */
static void doca_priv_rdma_cm_enter(struct doca_rdma_connection *c)
{
    c->next_live = c->rdma->live;
    c->rdma->live = c;
    c->rdma->num_live++;
}

static void doca_priv_rdma_cm_up(struct doca_rdma_connection *c)
{
    c->deadline = 0;
    c->was_up = true;
    doca_priv_rdma_set_state(c, DOCA_PRIV_RDMA_UP);
    doca_priv_rdma_tell(c, DOCA_PRIV_RDMA_ESTABLISHED);
}

/* Make the connection UP if it is JOINING. The caller has handled the completion of one of its
 * tasks, so the peer is connected, although the event ESTABLISHED has not arrived yet. */
DOCA_PRIV_DECL void doca_priv_rdma_cm_heard(struct doca_rdma_connection *connection)
{
    if (doca_unlikely(connection->obj.state == DOCA_PRIV_RDMA_JOINING))
        doca_priv_rdma_cm_up(connection);
}

/* Log the error of a connection that could not be made, and end it with the failure callback. */
static void doca_priv_rdma_cm_fail(struct doca_rdma_connection *c, doca_error_t code,
                                   enum doca_core_item item)
{
    (void)doca_priv_fail(code, item, DOCA_PRIV_RDMA_CM_WHERE, c);
    c->rdma->transport->down(c, code, DOCA_PRIV_RDMA_FAILED);
}

/* The same when a step of the connection manager failed: log the step with its errno. */
static void doca_priv_rdma_cm_refused(struct doca_rdma_connection *c, const char *step, int error)
{
    (void)doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_CM_WHERE, c,
                                       step, error);
    c->rdma->transport->down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_FAILED);
}

/* ---- events ---- */

/* Find the device and the neighbour of the address of a connection. When the kernel finds a
 * neighbour, it may leave a request for this neighbour waiting until the time limit of the request.
 * So each request gets only a part of the time, and is repeated. */
static void doca_priv_rdma_cm_find(struct doca_rdma_connection *c)
{
    union doca_priv_rdma_cm_addr from, to;
    const int ms = c->rdma->timeout < DOCA_PRIV_RDMA_CM_FIND_MS ? (int)c->rdma->timeout
                                                                : DOCA_PRIV_RDMA_CM_FIND_MS;

    doca_priv_rdma_cm_convert(c->rdma, c->addr, &to);
    if (rdma_resolve_addr(c->cm_id,
                          doca_priv_rdma_cm_source(c->rdma, &to, &from) ? &from.any : NULL, &to.any,
                          ms) != 0)
        doca_priv_rdma_cm_refused(c, DOCA_PRIV_LOG_TEXT("find the address (rdma_resolve_addr)"),
                                  errno);
}

/* The address of the peer is resolved: find the route. */
static void doca_priv_rdma_cm_route(struct doca_rdma_connection *c)
{
    if (!doca_priv_rdma_cm_is_here(c->rdma, c->cm_id))
        doca_priv_rdma_cm_fail(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_ELSEWHERE);
    else if (rdma_resolve_route(c->cm_id, c->rdma->timeout) != 0)
        doca_priv_rdma_cm_refused(
            c, DOCA_PRIV_LOG_TEXT("find a route to the peer (rdma_resolve_route)"), errno);
}

/* The route is known: ask the peer. */
static void doca_priv_rdma_cm_connect(struct doca_rdma_connection *c)
{
    struct rdma_conn_param param;

    doca_priv_rdma_cm_describe(c, &param);
    if (rdma_connect(c->cm_id, &param) != 0)
        doca_priv_rdma_cm_refused(c, DOCA_PRIV_LOG_TEXT("ask the peer (rdma_connect)"), errno);
}

/* The peer has accepted. */
static void doca_priv_rdma_cm_answered(struct doca_rdma_connection *c)
{
    const char *step;
    int error = doca_priv_rdma_cm_ready(c, &step);

    if (error == 0) {
        step = DOCA_PRIV_LOG_TEXT("establish the connection (rdma_establish)");
        error = rdma_establish(c->cm_id) == 0 ? 0 : errno;
    }
    if (error != 0) {
        doca_priv_rdma_cm_refused(c, step, error);
        return;
    }
    doca_priv_rdma_cm_enter(c);
    doca_priv_rdma_cm_up(c);
}

/* A peer asks for a connection. */
static void doca_priv_rdma_cm_asked(struct doca_rdma *r, struct rdma_cm_id *id,
                                    const struct doca_priv_rdma_port *entry)
{
    struct doca_rdma_connection *c = NULL;

    id->context = NULL;
    if (!doca_priv_rdma_cm_is_here(r, id) || entry->fd < 0 ||
        doca_priv_rdma_conn_open(r, &c, DOCA_PRIV_RDMA_CM_WHERE) != DOCA_SUCCESS) {
        (void)rdma_reject(id, NULL, 0);
        (void)rdma_destroy_id(id);
        return;
    }
    doca_priv_rdma_verbs_forget_control(c, false);
    id->context = c;
    c->cm_id = id;
    c->port = entry->port;
    c->obj.state = DOCA_PRIV_RDMA_ASKED;
    doca_priv_rdma_tell(c, DOCA_PRIV_RDMA_REQUESTED);
}

/* Handle an event by which a connection fails before it is established. When the address was not
 * found in time, search again until the deadline; otherwise end the connection with the failure
 * callback. In the state ASKED do nothing: the program of the listener has not answered the request
 * yet, and its accept will fail. */
static void doca_priv_rdma_cm_rejected(struct doca_rdma_connection *c,
                                       enum rdma_cm_event_type event, int status)
{
    if (c->obj.state == DOCA_PRIV_RDMA_ASKED)
        return;
    if (event == RDMA_CM_EVENT_ADDR_ERROR && status == -ETIMEDOUT &&
        doca_priv_sys_now() < c->deadline)
        doca_priv_rdma_cm_find(c);
    else if (event == RDMA_CM_EVENT_REJECTED)
        doca_priv_rdma_cm_fail(c, DOCA_ERROR_CONNECTION_ABORTED,
                               status == DOCA_PRIV_RDMA_CM_NO_PORT ? DOCA_CORE_ITEM_RDMA_NO_LISTENER
                                                                   : DOCA_CORE_ITEM_RDMA_REJECTED);
    else if (event == RDMA_CM_EVENT_UNREACHABLE)
        doca_priv_rdma_cm_fail(c, DOCA_ERROR_TIME_OUT, DOCA_CORE_ITEM_RDMA_LATE);
    else
        doca_priv_rdma_cm_refused(
            c,
            event == RDMA_CM_EVENT_ADDR_ERROR    ? DOCA_PRIV_LOG_TEXT("find the address")
            : event == RDMA_CM_EVENT_ROUTE_ERROR ? DOCA_PRIV_LOG_TEXT("find a route to the address")
                                                 : DOCA_PRIV_LOG_TEXT("make the connection"),
            status < 0 ? -status : status);
}

/* Handle an event of a connection. */
static void doca_priv_rdma_cm_happened(struct doca_rdma_connection *c,
                                       enum rdma_cm_event_type event, int status)
{
    const uint8_t state = c->obj.state;

    switch (event) {
    case RDMA_CM_EVENT_ADDR_RESOLVED:
        doca_priv_rdma_cm_route(c);
        return;
    case RDMA_CM_EVENT_ROUTE_RESOLVED:
        doca_priv_rdma_cm_connect(c);
        return;
    case RDMA_CM_EVENT_CONNECT_RESPONSE:
        if (state == DOCA_PRIV_RDMA_ASKING)
            doca_priv_rdma_cm_answered(c);
        return;
    case RDMA_CM_EVENT_ESTABLISHED:
        if (state == DOCA_PRIV_RDMA_JOINING)
            doca_priv_rdma_cm_up(c);
        return;
    case RDMA_CM_EVENT_DISCONNECTED:
    case RDMA_CM_EVENT_DEVICE_REMOVAL:
        if (state != DOCA_PRIV_RDMA_ASKED)
            doca_priv_rdma_verbs_lose(c);
        return;
    case RDMA_CM_EVENT_ADDR_ERROR:
    case RDMA_CM_EVENT_ROUTE_ERROR:
    case RDMA_CM_EVENT_CONNECT_ERROR:
    case RDMA_CM_EVENT_UNREACHABLE:
    case RDMA_CM_EVENT_REJECTED:
        doca_priv_rdma_cm_rejected(c, event, status);
        return;
    default: /* nothing to do */
        return;
    }
}

/* Handle the next event. Returns false when no event is there. */
static bool doca_priv_rdma_cm_take(struct doca_rdma *r)
{
    struct rdma_cm_event *event = NULL;
    struct doca_rdma_connection *c;
    enum rdma_cm_event_type what;
    struct rdma_cm_id *id;
    int status;

    if (rdma_get_cm_event(r->cm_channel, &event) != 0)
        return false;
    what = event->event;
    id = event->id;
    status = event->status;
    (void)rdma_ack_cm_event(event); /* rdma_destroy_id() waits for it */
    if (what == RDMA_CM_EVENT_CONNECT_REQUEST) {
        doca_priv_rdma_cm_asked(r, id, (const struct doca_priv_rdma_port *)id->context);
        return true;
    }
    c = (struct doca_rdma_connection *)id->context;
    if (c >= r->conns && c < r->conns + r->max_conns && c->cm_id == id)
        doca_priv_rdma_cm_happened(c, what, status);
    return true;
}

/* End what has waited for too long. */
static void doca_priv_rdma_cm_expire(struct doca_rdma *r)
{
    const uint64_t now = doca_priv_sys_now();
    struct doca_rdma_connection *c;

    for (c = r->conns; r->num_unsettled > 0 && c < r->conns + r->max_conns; c++)
        if ((c->obj.state == DOCA_PRIV_RDMA_ASKING || c->obj.state == DOCA_PRIV_RDMA_JOINING) &&
            c->deadline <= now)
            doca_priv_rdma_cm_fail(c, DOCA_ERROR_TIME_OUT, DOCA_CORE_ITEM_RDMA_LATE);
}

/* Handle what the event channel has. */
DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void doca_priv_rdma_cm_look(struct doca_rdma *r)
{
    uint32_t i;

    if (r->cm_channel == NULL)
        return;
    for (i = 0; i < DOCA_PRIV_RDMA_CM_EVENTS && doca_priv_rdma_cm_take(r); i++)
        continue;
    if (r->num_unsettled > 0)
        doca_priv_rdma_cm_expire(r);
}

/* ---- calls of the program ---- */

/* Let the identifier listen on the port, for addresses of a family. Returns an errno, or 0. */
static int doca_priv_rdma_cm_bind(struct rdma_cm_id *id, int family, uint16_t port)
{
    union doca_priv_rdma_cm_addr any;

    DOCA_CORE_MEMSET(&any, 0, sizeof(any));
    any.any.sa_family = (sa_family_t)family;
    if (family == AF_INET)
        any.ipv4.sin_port = htons(port);
    else
        any.ipv6.sin6_port = htons(port); /* takes addresses of IPv4, too */
    return rdma_bind_addr(id, &any.any) == 0 ? 0 : errno;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_cm_listen(struct doca_rdma *r,
                                                     struct doca_priv_rdma_port *entry,
                                                     uint16_t port, const char *function)
{
    struct rdma_cm_id *id = NULL;
    const char *step = NULL;
    int error = doca_priv_rdma_cm_open(r, &step);

    if (error == 0) {
        step = DOCA_PRIV_LOG_TEXT("listen on the port (rdma_create_id, rdma_bind_addr, "
                                  "rdma_listen)");
        error = rdma_create_id(r->cm_channel, &id, entry, RDMA_PS_TCP) == 0 ? 0 : errno;
    }
    if (error == 0) {
        error = doca_priv_rdma_cm_bind(id, AF_INET6, port);
        if (error == EAFNOSUPPORT)
            error = doca_priv_rdma_cm_bind(id, AF_INET, port);
    }
    if (error == 0)
        error = rdma_listen(id, DOCA_PRIV_RDMA_CM_BACKLOG) == 0 ? 0 : errno;
    if (error != 0) {
        if (id != NULL)
            (void)rdma_destroy_id(id);
        if (error == EADDRINUSE || error == EADDRNOTAVAIL) /* another has the port */
            return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_PORT_TAKEN,
                                  function, r);
        return doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, function, r, step,
                                            error);
    }
    entry->cm_id = id;
    entry->port = port;
    entry->fd = r->cm_channel->fd; /* of all ports */
    return DOCA_SUCCESS;
}

static void doca_priv_rdma_cm_end_port(struct doca_priv_rdma_port *entry)
{
    if (entry->fd >= 0)
        (void)rdma_destroy_id(entry->cm_id);
    entry->cm_id = NULL;
    entry->fd = -1;
}

DOCA_PRIV_DECL void doca_priv_rdma_cm_unlisten(struct doca_rdma *r,
                                               struct doca_priv_rdma_port *entry)
{
    doca_priv_rdma_cm_end_port(entry);
    doca_priv_rdma_refuse_unheard(r, entry->port);
}

DOCA_PRIV_DECL void doca_priv_rdma_cm_end_ports(struct doca_rdma *r)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        doca_priv_rdma_cm_end_port(&r->ports[i]);
}

/* Set the time until which the peer must have answered. */
static void doca_priv_rdma_cm_limit(struct doca_rdma_connection *c)
{
    c->deadline = doca_priv_sys_now() + (uint64_t)c->rdma->timeout * 1000000u;
    doca_priv_rdma_wake_program(c->rdma); /* so that the next sleep ends in time */
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_cm_ask(struct doca_rdma_connection *connection,
                                                  struct doca_rdma_addr *addr, const char *function)
{
    struct doca_rdma *r = connection->rdma;
    const char *step = NULL;
    int error = doca_priv_rdma_cm_open(r, &step);

    doca_priv_rdma_verbs_forget_control(connection, false);
    if (error == 0) {
        step = DOCA_PRIV_LOG_TEXT("create an identifier (rdma_create_id)");
        error = rdma_create_id(r->cm_channel, &connection->cm_id, connection, RDMA_PS_TCP) == 0
                    ? 0
                    : errno;
    }
    if (error != 0)
        return doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, function, r, step,
                                            error);
    doca_priv_rdma_hold_addr(addr);
    connection->addr = addr;
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_ASKING);
    doca_priv_rdma_cm_limit(connection);
    doca_priv_rdma_cm_find(connection);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_cm_accept(struct doca_rdma_connection *connection,
                                                     const void *private_data,
                                                     uint8_t private_data_len, const char *function)
{
    struct doca_rdma *r = connection->rdma;
    struct rdma_conn_param param;
    const char *step;
    int error = doca_priv_rdma_cm_ready(connection, &step);

    if (error == 0) {
        step = DOCA_PRIV_LOG_TEXT("accept the connection (rdma_accept)");
        doca_priv_rdma_cm_describe(connection, &param);
        param.private_data = private_data;
        param.private_data_len = private_data_len;
        error = rdma_accept(connection->cm_id, &param) == 0 ? 0 : errno;
    }
    if (error != 0) {
        (void)doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, function, connection,
                                           step, error);
        r->transport->down(connection, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    doca_priv_rdma_cm_enter(connection);
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_JOINING);
    doca_priv_rdma_cm_limit(connection);
    return DOCA_SUCCESS;
}

/* End the identifier of a connection that ends: the kernel tells the peer. */
DOCA_PRIV_DECL void doca_priv_rdma_cm_end(struct doca_rdma_connection *connection)
{
    struct rdma_cm_id *id = connection->cm_id;

    if (id == NULL)
        return;
    connection->cm_id = NULL;
    if (connection->obj.state == DOCA_PRIV_RDMA_ASKED)
        (void)rdma_reject(id, NULL, 0);
    else if (connection->obj.state >= DOCA_PRIV_RDMA_JOINING)
        (void)rdma_disconnect(id);
    (void)rdma_destroy_id(id);
}

#endif /* DOCA_CORE_RDMA_VERBS && DOCA_CORE_RDMA_CM */

/* ---- >>impl.rdma.connection -----------------------------------------------------------------
 * The life of a connection:
 *     by export:   FREE -> MADE -> JOINING -> UP -> DOWN -> FREE
 *     by address:  FREE -> ASKING or ASKED -> JOINING -> ...
 * When a side connects, it opens a socket to the instance of its peer, and sends a HELLO with the
 * descriptors of its ring, its eventfd and its lock. A connection is UP when its program has
 * connected it and the HELLO of the peer is there, so that neither side has to be the first. The
 * sockets carry nothing else; they tell when the peer has ended.                                */
#include "compat/rdma/connection_priv.h"

#include "base/clock_priv.h"
#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/devinfo_priv.h"
#include "memory/export_priv.h"
#include "progress/ctx.h"
#include "compat/local/memory_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/local/queue_priv.h"
#include "compat/local/socket_priv.h"
#include "compat/rdma/address_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/ring_priv.h"

#define DOCA_PRIV_RDMA_WHERE "doca_pe_progress"

/* Nanoseconds between two attempts to reach a full listener while the program sleeps. */
#define DOCA_PRIV_RDMA_DIAL_NS 1000000u

DOCA_PRIV_ASSERT_STATIC(rdma_packets_fit, sizeof(struct doca_priv_local_head) +
                                                      sizeof(struct doca_priv_rdma_details) <
                                                  DOCA_PRIV_RDMA_PACKET &&
                                              sizeof(struct doca_priv_local_head) +
                                                      sizeof(struct doca_priv_rdma_hello) <
                                                  DOCA_PRIV_RDMA_PACKET);

DOCA_PRIV_DECL bool doca_priv_rdma_watch(const struct doca_rdma *r, int fd, uint32_t kind,
                                         uint32_t number)
{
    const uint64_t data = (uint64_t)kind << 32 | number;
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = EPOLLIN;
    DOCA_CORE_MEMCPY((unsigned char *)(void *)&event + DOCA_PRIV_RDMA_READY_DATA, &data,
                     sizeof(data));
    return epoll_ctl(r->set, EPOLL_CTL_ADD, fd, &event) == 0;
}

DOCA_PRIV_DECL bool doca_priv_rdma_is_connection(const struct doca_rdma_connection *connection)
{
    return doca_priv_is(connection, DOCA_PRIV_KIND_RDMA_CONNECTION);
}

static uint32_t doca_priv_rdma_conn_index(const struct doca_rdma_connection *connection)
{
    return (uint32_t)(connection - connection->rdma->conns);
}

static bool doca_priv_rdma_watch_conn(const struct doca_rdma_connection *connection, int fd)
{
    return doca_priv_rdma_watch(connection->rdma, fd, DOCA_PRIV_RDMA_AT_CONN,
                                doca_priv_rdma_conn_index(connection));
}

/* Count the connections whose sockets are to be looked at in every poll, because the program waits
 * for them. */
DOCA_PRIV_DECL void doca_priv_rdma_set_state(struct doca_rdma_connection *connection, uint8_t state)
{
    struct doca_rdma *r = connection->rdma;
    const uint8_t was = connection->obj.state;

    r->num_unsettled +=
        (uint32_t)(state == DOCA_PRIV_RDMA_ASKING || state == DOCA_PRIV_RDMA_JOINING);
    r->num_unsettled -= (uint32_t)(was == DOCA_PRIV_RDMA_ASKING || was == DOCA_PRIV_RDMA_JOINING);
    connection->obj.state = state;
}

DOCA_PRIV_DECL void doca_priv_rdma_set_asking(struct doca_rdma_connection *connection)
{
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_ASKING);
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_describe(struct doca_rdma_connection *connection,
                                                    const char *function)
{
    struct doca_rdma *r = connection->rdma;
    enum doca_core_item item;

    connection->details.instance = r->number;
    if (!doca_priv_sys_random(&connection->key))
        return doca_priv_fail_system(DOCA_CORE_ITEM_EXPORT_RANDOM, function, &r->ctx, NULL);
    item = doca_priv_export_seal(&connection->details.head, DOCA_PRIV_EXPORT_RDMA,
                                 sizeof(connection->details), &connection->key);
    return item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS
                                       : doca_priv_fail_system(item, function, &r->ctx, NULL);
}

DOCA_PRIV_DECL const void *doca_priv_rdma_show(const struct doca_rdma_connection *connection,
                                               size_t *bytes)
{
    *bytes = sizeof(connection->details);
    return &connection->details;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_connect_far(struct doca_rdma_connection *connection,
                                                       const void *details, size_t len,
                                                       const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (!doca_priv_rdma_take_details(connection, details, len, &item))
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, item, function, connection);
    return doca_priv_rdma_join(connection, function);
}

static bool doca_priv_rdma_is_task_of(const struct doca_task *task, const void *connection)
{
    return ((const struct doca_priv_rdma_task *)(const void *)task)->connection == connection;
}

/* True while the end of a task of the connection is not reported to the program. */
static bool doca_priv_rdma_has_tasks(const struct doca_rdma_connection *connection)
{
    const struct doca_rdma *r = connection->rdma;
    const struct doca_task *task = r->queue->first;
    const struct doca_priv_rdma_task *op = r->late;

    for (; task != NULL; task = task->next)
        if (doca_priv_rdma_is_task_of(task, connection))
            return true;
    for (; op != NULL; op = (const struct doca_priv_rdma_task *)(const void *)op->task.next)
        if (doca_priv_rdma_is_task_of(&op->task, connection))
            return true;
    return doca_priv_fault_has(&r->ctx, doca_priv_rdma_is_task_of, connection);
}

static bool doca_priv_rdma_is_free(const struct doca_rdma_connection *connection)
{
    return connection->obj.state == DOCA_PRIV_RDMA_FREE ||
           (connection->is_free && !doca_priv_rdma_has_tasks(connection));
}

/* Make a connection in the entry of the table that has been free for the longest time, with its
 * details. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_conn_open(struct doca_rdma *r,
                                                     struct doca_rdma_connection **connection,
                                                     const char *function)
{
    struct doca_rdma_connection *c = NULL;
    doca_error_t rc;
    uint32_t i;

    for (i = 0; i < r->max_conns; i++) {
        c = &r->conns[r->next_conn];
        r->next_conn = (r->next_conn + 1) % r->max_conns;
        if (r->transport->forget != NULL && doca_priv_rdma_is_free(c))
            r->transport->forget(c); /* a last message may have come */
        if (doca_priv_rdma_is_free(c))
            break;
    }
    if (i == r->max_conns)
        return doca_priv_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_RDMA_CROWDED, function, &r->ctx);
    DOCA_CORE_MEMSET(c, 0, sizeof(*c));
    c->rdma = r;
    c->serial = ++r->num_conns;
    c->ask_fd = c->out_fd = c->in_fd = c->peer_wake_fd = c->peer_lock_fd = -1;
    c->out.memory_fd = c->in.memory_fd = -1;
    rc = r->transport->describe(c, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_object_init(&c->obj, DOCA_PRIV_KIND_RDMA_CONNECTION);
    doca_priv_rdma_set_state(c, DOCA_PRIV_RDMA_MADE);
    *connection = c;
    return DOCA_SUCCESS;
}

/* Close a socket. Its peer sees the end also when a child of this process has inherited it. */
DOCA_PRIV_DECL void doca_priv_rdma_close_fd(const struct doca_rdma *r, int *fd)
{
    if (*fd < 0)
        return;
    doca_priv_sys_unwatch(r->set, *fd);
    doca_priv_local_hang_up(*fd);
    doca_priv_sys_close(*fd);
    *fd = -1;
}

/* Forget the HELLO of the peer. */
static void doca_priv_rdma_close_in(struct doca_rdma_connection *connection)
{
    doca_priv_rdma_close_fd(connection->rdma, &connection->in_fd);
    doca_priv_rdma_lane_close(&connection->in);
    doca_priv_rdma_lock_close(connection->peer_lock);
    connection->peer_lock = NULL;
    doca_priv_sys_close(connection->peer_wake_fd);
    doca_priv_sys_close(connection->peer_lock_fd);
    connection->peer_wake_fd = connection->peer_lock_fd = -1;
}

/* Let another connection take the place of one that is DOWN. Its handle stays valid until then. */
DOCA_PRIV_DECL void doca_priv_rdma_conn_free(struct doca_rdma_connection *connection)
{
    doca_priv_rdma_drop_addr(connection->addr);
    connection->addr = NULL;
    connection->is_free = true;
}

/* Let progress call the program for an event of the connection. */
DOCA_PRIV_DECL void doca_priv_rdma_tell(struct doca_rdma_connection *connection,
                                        enum doca_priv_rdma_happening event)
{
    struct doca_rdma *r = connection->rdma;

    if (event == DOCA_PRIV_RDMA_NOTHING ||
        (event != DOCA_PRIV_RDMA_REQUESTED && r->established == NULL))
        return;
    r->num_events++;
    connection->events |= (uint8_t)(1u << event);
    doca_priv_rdma_wake_program(r);
}

DOCA_PRIV_DECL void doca_priv_rdma_wake_peer(const struct doca_rdma_connection *connection)
{
    if (connection->peer_wake_fd >= 0)
        (void)doca_priv_sys_event_signal(connection->peer_wake_fd);
}

/* A call or an event has changed something: wake the program if it has armed its PE. */
DOCA_PRIV_DECL void doca_priv_rdma_wake_program(const struct doca_rdma *r)
{
    if (r->is_armed)
        (void)doca_priv_sys_event_signal(r->wake_fd);
}

/* True when the listener of the peer was full, so that poll opens the socket to it. Connections of
 * RDMA devices have no sockets. */
DOCA_PRIV_DECL bool doca_priv_rdma_is_dialling(const struct doca_rdma_connection *connection)
{
    return connection->rdma != NULL && connection->rdma->listener >= 0 &&
           ((connection->obj.state == DOCA_PRIV_RDMA_JOINING && connection->out_fd < 0) ||
            (connection->obj.state == DOCA_PRIV_RDMA_ASKING && connection->ask_fd < 0));
}

/* Set the timer of the instance to the first deadline. While the program sleeps and a listener was
 * full, set it to the time of the next attempt. The timer wakes the program. */
DOCA_PRIV_DECL void doca_priv_rdma_set_timer(const struct doca_rdma *r)
{
    struct {
        int64_t every[2], at[2];
    } times; /* a struct itimerspec of 64-bit numbers */
    uint64_t first = 0, next;
    uint32_t i;

    for (i = 0; i < r->max_conns; i++) {
        next = r->conns[i].deadline;
        if (r->is_armed && doca_priv_rdma_is_dialling(&r->conns[i]))
            next = doca_priv_sys_now() + DOCA_PRIV_RDMA_DIAL_NS;
        if (next != 0 && (first == 0 || next < first))
            first = next;
    }
    DOCA_CORE_MEMSET(&times, 0, sizeof(times));
    times.at[0] = (int64_t)(first / 1000000000u);
    times.at[1] = (int64_t)(first % 1000000000u);
    (void)doca_priv_sys_call(DOCA_PRIV_RDMA_TIMER_SETTIME, r->timer_fd, 1 /* absolute */,
                             (long)&times, 0, 0, 0);
}

/* Set the time, in ns of the monotonic clock, at which the instance stops waiting for the peer. 0:
 * the instance waits without a limit. */
DOCA_PRIV_DECL void doca_priv_rdma_set_deadline(struct doca_rdma_connection *connection,
                                                uint64_t ns)
{
    connection->deadline = ns;
    doca_priv_rdma_set_timer(connection->rdma);
}

/* Copy and check the details that a peer has made. Returns false with the reason in *item. */
DOCA_PRIV_DECL bool doca_priv_rdma_take_details(struct doca_rdma_connection *connection,
                                                const void *bytes, size_t len,
                                                enum doca_core_item *item)
{
    struct doca_priv_rdma_details details;

    if (doca_priv_export_open(bytes, len, DOCA_PRIV_EXPORT_RDMA, DOCA_PRIV_EXPORT_RDMA,
                              &details.head, sizeof(details), item) != DOCA_SUCCESS)
        return false;
    *item = DOCA_CORE_ITEM_RDMA_DETAILS;
    if (details.head.token == 0 || details.head.machine == 0 ||
        details.head.token_at > UINTPTR_MAX - sizeof(uint64_t))
        return false;
    connection->peer = details;
    connection->far.pid = details.head.pid;
    connection->far.token = details.head.token;
    connection->far.token_at = details.head.token_at;
    connection->far.may_read = true;
    connection->far.dmabuf_fd = -1;
    connection->peer_memory.far = &connection->far;
    connection->has_details = true;
    return true;
}

/* The connection becomes UP when both sides have connected. */
static void doca_priv_rdma_try_up(struct doca_rdma_connection *connection)
{
    if (connection->obj.state != DOCA_PRIV_RDMA_JOINING || connection->in_fd < 0 ||
        connection->out_fd < 0)
        return;
    if (connection->peer_key != connection->peer.head.token) { /* of a third program */
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_RDMA_NONSENSE,
                             DOCA_PRIV_RDMA_WHERE, connection);
        doca_priv_rdma_close_in(connection);
        return;
    }
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_UP);
    connection->was_up = true;
    doca_priv_rdma_set_deadline(connection, 0);
    doca_priv_rdma_close_fd(connection->rdma, &connection->ask_fd);
    doca_priv_rdma_tell(connection, DOCA_PRIV_RDMA_ESTABLISHED);
    doca_priv_rdma_wake_peer(connection); /* messages may be in the ring already */
}

/* Open the socket to the instance of the peer, and send the HELLO. */
static bool doca_priv_rdma_dial(struct doca_rdma_connection *connection,
                                struct doca_core_refusal *why, enum doca_core_item *item)
{
    struct doca_rdma *r = connection->rdma;
    struct doca_priv_rdma_hello hello;
    int fd, fds[DOCA_PRIV_LOCAL_FDS];

    *item = DOCA_CORE_ITEM_RDMA_SYSTEM;
    fd = doca_priv_local_dial(DOCA_PRIV_RDMA_INSTANCE_PREFIX, connection->peer.instance, why);
    if (fd < 0 && why->error == EAGAIN)
        return true; /* tried again by poll */
    if (fd < 0) {
        *item = why->error == ECONNREFUSED ? DOCA_CORE_ITEM_RDMA_DETAILS : *item;
        return false;
    }
    connection->out_fd = fd;
    *item = DOCA_CORE_ITEM_RDMA_FOREIGN;
    if (!doca_priv_local_is_same_user(fd))
        return false;
    DOCA_CORE_MEMSET(&hello, 0, sizeof(hello));
    hello.to_key = connection->peer.head.token;
    hello.from_key = connection->key;
    hello.permissions = r->permissions;
    fds[0] = connection->out.memory_fd;
    fds[1] = r->wake_fd;
    fds[2] = r->lock_fd;
    *item = DOCA_CORE_ITEM_RDMA_SYSTEM;
    why->step = DOCA_PRIV_LOG_TEXT("send the descriptors of the connection");
    if (doca_priv_local_send(fd, DOCA_PRIV_RDMA_HELLO, 0, &hello, sizeof(hello), fds) !=
            DOCA_PRIV_LOCAL_SENT ||
        !doca_priv_rdma_watch_conn(connection, fd)) {
        why->error = errno;
        return false;
    }
    return true;
}

/* Connect to the peer. The details of the peer are known. On failure the connection is as before.
 */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_join(struct doca_rdma_connection *connection,
                                                const char *function)
{
    struct doca_rdma *r = connection->rdma;
    enum doca_core_item item = DOCA_CORE_ITEM_RDMA_SYSTEM;
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    if (!doca_priv_rdma_lane_create(&connection->out, r->send_queue_size, &why) ||
        !doca_priv_rdma_dial(connection, &why, &item)) {
        doca_priv_rdma_close_fd(r, &connection->out_fd);
        doca_priv_rdma_lane_close(&connection->out);
        return item == DOCA_CORE_ITEM_RDMA_SYSTEM
                   ? doca_core_backend_refuse(DOCA_ERROR_CONNECTION_ABORTED, item, function,
                                              connection, &why)
                   : doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, item, function, connection);
    }
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_JOINING);
    connection->next_live = r->live;
    r->live = connection;
    r->num_live++;
    doca_priv_rdma_try_up(connection);
    doca_priv_rdma_wake_program(r); /* the rings of the connection are not armed */
    return DOCA_SUCCESS;
}

/* Try to open the socket to the peer again. Returns false when the connection has ended instead. */
DOCA_PRIV_DECL bool doca_priv_rdma_dial_again(struct doca_rdma_connection *connection)
{
    enum doca_core_item item;
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    if (connection->out_fd >= 0)
        return true;
    if (!doca_priv_rdma_dial(connection, &why, &item)) {
        doca_priv_rdma_lose(connection);
        return false;
    }
    doca_priv_rdma_try_up(connection);
    return true;
}

/* Handle the HELLO of a peer. On success the socket and the descriptors belong to a connection;
 * otherwise they stay with the caller. */
DOCA_PRIV_DECL bool doca_priv_rdma_hear_hello(struct doca_rdma *r, int fd, const uint8_t *bytes,
                                              size_t len, struct doca_priv_local_packet *packet)
{
    struct doca_rdma_connection *c = r->conns;
    struct doca_priv_rdma_hello hello;

    if (len != sizeof(hello) || packet->num_fds != DOCA_PRIV_LOCAL_FDS ||
        !doca_priv_local_is_event(packet->fds[1])) {
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_RDMA_NONSENSE,
                             DOCA_PRIV_RDMA_WHERE, &r->ctx);
        return false;
    }
    DOCA_CORE_MEMCPY(&hello, bytes, sizeof(hello));
    while (c < r->conns + r->max_conns &&
           ((c->obj.state != DOCA_PRIV_RDMA_MADE && c->obj.state != DOCA_PRIV_RDMA_ASKING &&
             c->obj.state != DOCA_PRIV_RDMA_JOINING) ||
            c->key != hello.to_key))
        c++;
    if (c == r->conns + r->max_conns || c->in_fd >= 0 ||
        (c->peer_lock = doca_priv_rdma_lock_import(packet->fds[2])) == NULL)
        return false;
    packet->num_fds = 0;
    c->peer_wake_fd = packet->fds[1];
    c->peer_lock_fd = packet->fds[2];
    c->peer_key = hello.from_key;
    c->peer_permissions = hello.permissions;
    c->in_fd = fd;
    doca_priv_sys_unwatch(r->set, fd);
    if (!doca_priv_rdma_lane_import(&c->in, packet->fds[0]) || !doca_priv_rdma_watch_conn(c, fd)) {
        doca_priv_rdma_close_in(c);
        return true; /* close_in() has closed `fd` */
    }
    if (r->is_armed)
        DOCA_PRIV_STORE_ORDERED(&c->in.ring->receiver_sleeps, 1u);
    doca_priv_rdma_try_up(c);
    return true;
}

/* End all tasks of the connection with `status`, except those that the peer has already handled. */
DOCA_PRIV_DECL void doca_priv_rdma_end_ops(struct doca_rdma_connection *connection,
                                           doca_error_t status)
{
    struct doca_priv_rdma_task *op;
    struct doca_priv_rdma_slot *slot;
    doca_error_t rc;

    while ((op = connection->ops) != NULL) {
        rc = status;
        if (op->stage == DOCA_PRIV_RDMA_ENDED) {
            rc = (doca_error_t)op->task.status;
        } else if (op->stage == DOCA_PRIV_RDMA_SENT) {
            slot = doca_priv_rdma_slot_of(&connection->out, op->ticket);
            if (!doca_priv_rdma_swap(
                    &slot->turn, DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_FILLED),
                    DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_CANCELLED)))
                rc = DOCA_PRIV_LOAD(&slot->status) == DOCA_SUCCESS ? DOCA_SUCCESS
                                                                   : DOCA_ERROR_IO_FAILED;
        }
        connection->ops = doca_priv_rdma_task_of(op->task.next);
        if (rc != DOCA_SUCCESS && op->stage != DOCA_PRIV_RDMA_ENDED)
            (void)doca_priv_fail(rc,
                                 rc == DOCA_ERROR_SHUTDOWN           ? DOCA_CORE_ITEM_FLUSHED
                                 : rc == DOCA_ERROR_CONNECTION_RESET ? DOCA_CORE_ITEM_RDMA_LOST
                                 : rc == DOCA_ERROR_IO_FAILED ? DOCA_CORE_ITEM_RDMA_PEER_FAILED
                                                              : DOCA_CORE_ITEM_RDMA_BROKEN,
                                 DOCA_PRIV_RDMA_WHERE, &op->task);
        doca_priv_local_end_task(connection->rdma->queue, &op->task, rc);
    }
    connection->waiting = NULL;
    connection->num_ops = 0;
}

DOCA_PRIV_DECL void doca_priv_rdma_unlive(struct doca_rdma_connection *connection)
{
    struct doca_rdma *r = connection->rdma;
    struct doca_rdma_connection **link = &r->live;

    while (*link != NULL && *link != connection)
        link = &(*link)->next_live;
    if (*link != NULL) {
        *link = connection->next_live;
        r->num_live--;
    }
    if (r->turn == connection)
        r->turn = connection->next_live;
}

/* End a connection: its tasks end with `status`, and progress will run the callback of `event`.
 * When no callback has to run, the entry of the connection is free at once. */
DOCA_PRIV_DECL void doca_priv_rdma_conn_down(struct doca_rdma_connection *connection,
                                             doca_error_t status,
                                             enum doca_priv_rdma_happening event)
{
    struct doca_rdma *r = connection->rdma;

    while (connection->events != 0 && event == DOCA_PRIV_RDMA_NOTHING) {
        connection->events &= (uint8_t)(connection->events - 1);
        r->num_events--;
    }
    if (connection->out.ring != NULL)
        doca_priv_rdma_end_ops(connection, status);
    doca_priv_rdma_unlive(connection);
    connection->key = 0; /* ends the peer's right to read messages */
    doca_priv_rdma_close_fd(r, &connection->ask_fd);
    doca_priv_rdma_close_fd(r, &connection->out_fd);
    doca_priv_rdma_close_in(connection);
    doca_priv_rdma_lane_close(&connection->out);
    if (connection->deadline != 0)
        doca_priv_rdma_set_deadline(connection, 0);
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_DOWN);
    doca_priv_rdma_tell(connection, event);
    doca_priv_rdma_wake_program(r); /* tasks have ended */
    if (connection->events == 0 && !r->is_of_25)
        doca_priv_rdma_conn_free(connection);
}

/* A task has failed: as on a card, the tasks behind it fail too, and the peer sees an end. */
DOCA_PRIV_DECL void doca_priv_rdma_break(struct doca_rdma_connection *connection)
{
    doca_priv_rdma_conn_down(connection, DOCA_ERROR_CONNECTION_ABORTED,
                             DOCA_PRIV_RDMA_DISCONNECTED);
}

/* The peer has ended, or has closed the connection. */
DOCA_PRIV_DECL void doca_priv_rdma_lose(struct doca_rdma_connection *connection)
{
    const bool was_up = connection->was_up;

    (void)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET,
                         was_up ? DOCA_CORE_ITEM_RDMA_LOST
                         : connection->obj.state == DOCA_PRIV_RDMA_ASKING
                             ? DOCA_CORE_ITEM_RDMA_REJECTED
                             : DOCA_CORE_ITEM_RDMA_GONE,
                         DOCA_PRIV_RDMA_WHERE, connection);
    doca_priv_rdma_conn_down(connection, DOCA_ERROR_CONNECTION_RESET,
                             was_up ? DOCA_PRIV_RDMA_DISCONNECTED : DOCA_PRIV_RDMA_FAILED);
}

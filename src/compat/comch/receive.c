/* ---- >>impl.comch.receive -------------------------------------------------------------------
 * Handling of packets: the answers of a server or client to the packets of its peers, and the
 * events that the program gets for these packets.
 * A packet that violates the protocol closes its connection.                                    */
#include "compat/comch/receive_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "device/devinfo_priv.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "fault/text_priv.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"
#include "compat/comch/connection_priv.h"
#include "compat/comch/objects_priv.h"
#include "compat/comch/ring_priv.h"
#include "compat/comch/wire_priv.h"
#include "compat/local/socket_priv.h"

#define DOCA_PRIV_COMCH_WHERE "doca_pe_progress"

/* Call the program for an event. */
static void doca_priv_comch_event_done(struct doca_task *task)
{
    struct doca_priv_comch_event *event = (struct doca_priv_comch_event *)(void *)task;
    const struct doca_priv_comch *c = event->connection->comch;
    struct doca_comch_event_connection_status_changed *changed =
        (struct doca_comch_event_connection_status_changed *)(void *)event;

    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_EVENT | (uint32_t)c->ctx.obj.kind << 8 |
                                         (uint32_t)event->what << 16,
                                     event->connection,
                                     event->what == DOCA_PRIV_COMCH_RECEIVED ? event->number : 0,
                                     doca_priv_trace_id(&c->ctx));)
    switch (event->what) {
    case DOCA_PRIV_COMCH_RECEIVED:
        c->received((struct doca_comch_event_msg_recv *)(void *)event, event->bytes, event->number,
                    event->connection);
        break;
    case DOCA_PRIV_COMCH_CONNECTED:
    case DOCA_PRIV_COMCH_NOT_CONNECTED:
        c->connected(changed, event->connection, event->what == DOCA_PRIV_COMCH_CONNECTED);
        break;
    case DOCA_PRIV_COMCH_DISCONNECTED:
        c->disconnected(changed, event->connection, 1);
        break;
    case DOCA_PRIV_COMCH_CONSUMER_NEW:
    case DOCA_PRIV_COMCH_CONSUMER_EXPIRED:
        (event->what == DOCA_PRIV_COMCH_CONSUMER_NEW ? c->consumer_new : c->consumer_expired)(
            (struct doca_comch_event_consumer *)(void *)event, event->connection, event->number);
        break;
    }
}

/* Make an event, in the form of a task that poll returns. Returns NULL when the program has not
 * registered a callback for events of this type. */
static struct doca_task *doca_priv_comch_make_event(struct doca_comch_connection *connection,
                                                    enum doca_priv_comch_happening what,
                                                    uint8_t *bytes, uint32_t number)
{
    struct doca_priv_comch *c = connection->comch;
    struct doca_priv_comch_event *event = &c->event;
    const bool is_wanted = what == DOCA_PRIV_COMCH_RECEIVED      ? c->received != NULL
                           : what < DOCA_PRIV_COMCH_CONSUMER_NEW ? c->connected != NULL
                                                                 : c->consumer_new != NULL;

    if (!is_wanted)
        return NULL;
    event->task.kind = DOCA_PRIV_KIND_TASK;
    event->task.type = DOCA_PRIV_TASK_EVENT;
    event->task.ctx = &c->ctx;
    event->task.done = doca_priv_comch_event_done;
    event->what = what;
    event->connection = connection;
    event->bytes = bytes;
    event->number = number;
    c->ctx.num_inflight++;
    return &event->task;
}

/* Close the connection of a peer that violated the protocol. Packets that have arrived are read and
 * ignored. */
static void doca_priv_comch_nonsense(struct doca_comch_connection *connection)
{
    if (connection->obj.state == DOCA_PRIV_COMCH_DOWN)
        return;
    (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_COMCH_NONSENSE,
                         DOCA_PRIV_COMCH_WHERE, connection);
    doca_priv_comch_conn_hang_up(connection);
}

/* Refuse a client that has no entry of the table yet. If `item` is NONE, the caller has logged the
 * refusal already. */
static void doca_priv_comch_turn_away(const struct doca_priv_comch *c, int fd, doca_error_t code,
                                      enum doca_core_item item)
{
    if (item != DOCA_CORE_ITEM_NONE)
        (void)doca_priv_fail(code, item, DOCA_PRIV_COMCH_WHERE, c);
    (void)doca_priv_local_send(fd, DOCA_PRIV_COMCH_REFUSED, (uint32_t)code, NULL, 0, NULL);
    doca_priv_sys_close(fd);
}

/* Accept waiting clients, up to a limit: even if new clients connect all the time, the server must
 * handle its other events. */
DOCA_PRIV_DECL void doca_priv_comch_accept_all(struct doca_priv_comch *c)
{
    doca_error_t rc;
    unsigned i;
    int fd;

    for (i = 0; i < DOCA_PRIV_LOCAL_ACCEPTS && (fd = doca_priv_local_accept(c->listener)) >= 0;
         i++) {
        if (!doca_priv_local_is_same_user(fd))
            doca_priv_comch_turn_away(c, fd, DOCA_ERROR_NOT_PERMITTED,
                                      DOCA_CORE_ITEM_COMCH_FOREIGN);
        else if ((rc = doca_priv_fault_call(&c->ctx, DOCA_PRIV_FAULT_COMCH_CONNECT)) !=
                 DOCA_SUCCESS)
            doca_priv_comch_turn_away(c, fd, rc, DOCA_CORE_ITEM_NONE);
        else if (doca_priv_comch_conn_open(c, fd) == NULL)
            doca_priv_comch_turn_away(c, fd, DOCA_ERROR_FULL, DOCA_CORE_ITEM_COMCH_CROWDED);
    }
}

/* Handle the first packet of a client. */
static struct doca_task *doca_priv_comch_hear_hello(struct doca_comch_connection *connection,
                                                    const struct doca_priv_local_head *head,
                                                    size_t len)
{
    const struct doca_priv_comch *c = connection->comch;
    struct doca_priv_comch_hello hello;
    bool is_sound = head->type == DOCA_PRIV_COMCH_HELLO && len == sizeof(hello);

    if (is_sound) {
        DOCA_CORE_MEMCPY(&hello, c->inbox + sizeof(*head), sizeof(hello));
        is_sound = hello.name[sizeof(hello.name) - 1] == '\0' && hello.max_msg > 0;
    }
    if (!is_sound) {
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    if (hello.version != DOCA_PRIV_COMCH_VERSION || !doca_priv_str_equal(hello.name, c->name)) {
        (void)doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_REFUSED,
                                   (uint32_t)DOCA_ERROR_NOT_PERMITTED, NULL, 0, NULL);
        doca_priv_comch_nonsense(connection);
        return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_NOT_CONNECTED, NULL, 0);
    }
    connection->max_msg = hello.max_msg < c->max_msg ? hello.max_msg : c->max_msg;
    if (doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_WELCOME, c->max_msg, NULL, 0, NULL) !=
        DOCA_PRIV_LOCAL_SENT) { /* the client has disconnected */
        doca_priv_comch_conn_hang_up(connection);
        return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_NOT_CONNECTED, NULL, 0);
    }
    DOCA_PRIV_STORE(&connection->obj.state, (uint8_t)DOCA_PRIV_COMCH_UP);
    connection->was_up = true;
    return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_CONNECTED, NULL, 0);
}

static struct doca_task *doca_priv_comch_hear_message(struct doca_comch_connection *connection,
                                                      size_t len)
{
    struct doca_priv_comch *c = connection->comch;
    struct doca_task *task;

    if (len > c->max_msg) {
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    connection->counts[2]++;
    connection->counts[3] += len;
    task =
        doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_RECEIVED,
                                   c->inbox + sizeof(struct doca_priv_local_head), (uint32_t)len);
    if (task == NULL)
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_COMCH_DEAF,
                             DOCA_PRIV_COMCH_WHERE, connection);
    return task;
}

/* Handle the announcement of a consumer of the peer. */
static struct doca_task *doca_priv_comch_hear_consumer(struct doca_comch_connection *connection,
                                                       uint32_t id,
                                                       struct doca_priv_local_packet *packet)
{
    struct doca_priv_comch_lane *lane = doca_priv_comch_conn_free_lane(connection, id);

    if (packet->num_fds != DOCA_PRIV_LOCAL_FDS || lane == NULL) {
        doca_priv_local_close_fds(packet);
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    doca_priv_comch_lane_close(lane);
    if (!doca_priv_comch_lane_import(lane, packet->fds, id)) {
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    DOCA_PRIV_STORE(&connection->lane_of[id % DOCA_CORE_COMCH_MAX_CONSUMERS],
                    (uint8_t)(lane - connection->lanes));
    return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_CONSUMER_NEW, NULL, id);
}

static struct doca_task *doca_priv_comch_hear_expired(struct doca_comch_connection *connection,
                                                      uint32_t id)
{
    struct doca_priv_comch_lane *lane = doca_priv_comch_lane_of(connection, id);

    if (lane->ring == NULL || lane->id != id || DOCA_PRIV_LOAD(&lane->is_live) == 0) {
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    DOCA_PRIV_STORE(&lane->is_live, 0u);
    (void)doca_priv_sys_event_signal(lane->room_fd);
    return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_CONSUMER_EXPIRED, NULL, id);
}

/* Handle the end of a connection: the peer has ended, or either side has closed the connection, and
 * all packets are read. A client then stops. */
static struct doca_task *doca_priv_comch_hear_end(struct doca_comch_connection *connection)
{
    struct doca_priv_comch *c = connection->comch;
    const bool was_up = connection->was_up;

    doca_priv_comch_conn_end(connection);
    if (c->rep != NULL)
        return was_up
                   ? doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_DISCONNECTED, NULL, 0)
                   : NULL;
    if (c->ctx.obj.state == DOCA_CTX_STATE_RUNNING) {
        (void)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET, DOCA_CORE_ITEM_COMCH_LOST,
                             DOCA_PRIV_COMCH_WHERE, c);
        doca_priv_ctx_enter_stopping(&c->ctx, DOCA_ERROR_CONNECTION_RESET, DOCA_PRIV_COMCH_WHERE);
    }
    return NULL;
}

/* Receive one packet, if there is one. Returns the event that the packet causes, or NULL. */
DOCA_PRIV_DECL struct doca_task *doca_priv_comch_hear(struct doca_comch_connection *connection)
{
    const struct doca_priv_comch *c = connection->comch;
    struct doca_priv_local_packet packet;
    struct doca_priv_local_head head;
    struct doca_task *task = NULL;
    size_t len;

    if (connection->obj.state == DOCA_PRIV_COMCH_FREE ||
        connection->obj.state == DOCA_PRIV_COMCH_GONE)
        return NULL;
    doca_priv_local_receive(connection->fd, c->inbox, DOCA_PRIV_COMCH_PACKET(c->max_msg) + 1,
                            &packet);
    if (packet.bytes < 0)
        return NULL;
    if (packet.bytes == 0)
        return doca_priv_comch_hear_end(connection);
    if ((size_t)packet.bytes < sizeof(head)) {
        doca_priv_local_close_fds(&packet);
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    DOCA_CORE_MEMCPY(&head, c->inbox, sizeof(head));
    len = (size_t)packet.bytes - sizeof(head);
    if (head.type == DOCA_PRIV_COMCH_CONSUMER && connection->obj.state == DOCA_PRIV_COMCH_UP)
        return doca_priv_comch_hear_consumer(connection, head.number, &packet);
    if (packet.num_fds > 0) {
        doca_priv_local_close_fds(&packet);
        doca_priv_comch_nonsense(connection);
    } else if (connection->obj.state == DOCA_PRIV_COMCH_GREETING && c->rep != NULL) {
        task = doca_priv_comch_hear_hello(connection, &head, len);
    } else if (!connection->was_up) { /* a client that stopped before it received the answer */
        if (c->rep == NULL && head.type == DOCA_PRIV_COMCH_WELCOME)
            connection->was_up = true;
        else
            doca_priv_comch_nonsense(connection);
    } else if (head.type == DOCA_PRIV_COMCH_MESSAGE) {
        task = doca_priv_comch_hear_message(connection, len);
    } else if (head.type == DOCA_PRIV_COMCH_EXPIRED) {
        task = doca_priv_comch_hear_expired(connection, head.number);
    } else {
        doca_priv_comch_nonsense(connection);
    }
    return task;
}

/* Receive the answer of a server, if it has arrived. Returns SUCCESS when the connection is UP,
 * IN_PROGRESS when there is no answer yet, or an error that was logged. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_hear_answer(struct doca_comch_connection *connection)
{
    const struct doca_priv_comch *c = connection->comch;
    struct doca_priv_local_packet packet;
    struct doca_priv_local_head head;

    doca_priv_local_receive(connection->fd, c->inbox, sizeof(head) + 1, &packet);
    if (packet.bytes < 0)
        return DOCA_ERROR_IN_PROGRESS;
    doca_priv_local_close_fds(&packet);
    if (packet.bytes == 0)
        return doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_COMCH_LOST,
                                      DOCA_PRIV_COMCH_WHERE, &c->ctx, 0);
    DOCA_CORE_MEMCPY(&head, c->inbox, sizeof(head));
    if (packet.bytes != (long)sizeof(head) ||
        (head.type != DOCA_PRIV_COMCH_REFUSED && head.type != DOCA_PRIV_COMCH_WELCOME) ||
        (head.type == DOCA_PRIV_COMCH_WELCOME && head.number == 0))
        return doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_COMCH_NONSENSE,
                                      DOCA_PRIV_COMCH_WHERE, &c->ctx, 0);
    if (head.type == DOCA_PRIV_COMCH_REFUSED)
        return doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_COMCH_REFUSED,
                                      DOCA_PRIV_COMCH_WHERE, &c->ctx, head.number);
    connection->max_msg = head.number < c->max_msg ? head.number : c->max_msg;
    DOCA_PRIV_STORE(&connection->obj.state, (uint8_t)DOCA_PRIV_COMCH_UP);
    connection->was_up = true;
    return DOCA_SUCCESS;
}

/* Read and drop the packets of a connection that is hung up, and free its entry. The connection
 * belongs to an endpoint of the Comm Channel, so consumers and producers cannot use it. The loop
 * ends, because the peer cannot add packets to those in the socket. */
DOCA_PRIV_DECL void doca_priv_comch_drain(struct doca_comch_connection *connection)
{
    while (connection->obj.state == DOCA_PRIV_COMCH_DOWN)
        if (doca_priv_comch_hear(connection) != NULL)
            connection->comch->ctx.num_inflight--;
    if (connection->obj.state == DOCA_PRIV_COMCH_GONE && !doca_priv_comch_has_children(connection))
        doca_priv_comch_conn_free(connection);
}

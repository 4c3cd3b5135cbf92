/* ---- >>impl.comch.connection ----------------------------------------------------------------
 * The states of a connection:
 *     FREE -> GREETING -> UP -> DOWN -> GONE -> FREE
 * doca_priv_comch_conn_hang_up() makes the connection DOWN: from then on neither side can send a
 * packet, but packets that have arrived are still read. When all packets are read, the connection
 * is GONE; when its last consumer or producer is destroyed, it becomes FREE. The thread of the
 * server or client owns the connection. Consumers and producers of other threads use the members of
 * the connection from `lock` on, and send packets on its socket.                                */
#include "compat/comch/connection_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/share_priv.h"
#include "base/types.h"
#include "object/arena_priv.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "compat/comch/objects_priv.h"
#include "compat/local/platform_priv.h"
#include "compat/comch/ring_priv.h"
#include "compat/comch/wire_priv.h"
#include "compat/local/socket_priv.h"

DOCA_PRIV_ASSERT_STATIC(comch_lanes_fit_a_byte, DOCA_PRIV_COMCH_LANES <= 256);
DOCA_PRIV_ASSERT_STATIC(comch_consumers_fit_a_mask,
                        DOCA_CORE_COMCH_MAX_CONSUMERS >= 1 && DOCA_CORE_COMCH_MAX_CONSUMERS <= 64);

DOCA_PRIV_DECL bool doca_priv_comch_is_connection(const struct doca_comch_connection *connection)
{
    return doca_priv_is(connection, DOCA_PRIV_KIND_COMCH_CONNECTION);
}

/* Check the arguments of a call that needs an established connection. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_check_up(const struct doca_comch_connection *connection,
                                                     const void *pointer, const char *function)
{
    doca_error_t rc =
        doca_priv_check_args(connection, DOCA_PRIV_KIND_COMCH_CONNECTION, pointer, function);

    if (rc == DOCA_SUCCESS && DOCA_PRIV_LOAD(&connection->obj.state) != DOCA_PRIV_COMCH_UP)
        rc =
            doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_COMCH_NOT_UP, function, connection);
    return rc;
}

DOCA_PRIV_DECL uint32_t doca_priv_comch_conn_index(const struct doca_comch_connection *connection)
{
    return (uint32_t)(connection - connection->comch->conns);
}

/* Watch the socket of a connection for packets and, if sends wait, also for room. */
static bool doca_priv_comch_conn_watch(const struct doca_comch_connection *connection,
                                       int operation, bool needs_room)
{
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = needs_room ? EPOLLIN | EPOLLOUT : EPOLLIN;
    event.data.u32 = doca_priv_comch_conn_index(connection);
    return epoll_ctl(connection->comch->set, operation, connection->fd, &event) == 0;
}

/* Take a free entry of the table for the connection of a socket. On success the socket belongs to
 * the connection. Returns NULL when no entry is free or the kernel refuses to watch the socket;
 * the socket then still belongs to the caller. */
DOCA_PRIV_DECL struct doca_comch_connection *doca_priv_comch_conn_open(struct doca_priv_comch *c,
                                                                       int fd)
{
    struct doca_comch_connection *connection = c->conns;
    uint32_t i;

    while (connection < c->conns + c->max_conns && connection->obj.state != DOCA_PRIV_COMCH_FREE)
        connection++;
    if (connection == c->conns + c->max_conns)
        return NULL;
    DOCA_CORE_MEMSET(connection, 0, sizeof(*connection));
    connection->comch = c;
    connection->serial = ++c->num_connections;
    connection->fd = fd;
    if (!doca_priv_comch_conn_watch(connection, EPOLL_CTL_ADD, false))
        return NULL;
    for (i = 0; i < DOCA_PRIV_COMCH_LANES; i++) {
        connection->lanes[i].memory_fd = -1;
        connection->lanes[i].wake_fd = -1;
        connection->lanes[i].room_fd = -1;
    }
    for (i = 0; i < DOCA_CORE_COMCH_MAX_CONSUMERS; i++)
        connection->lane_of[i] = (uint8_t)i;
    doca_priv_object_init(&connection->obj, DOCA_PRIV_KIND_COMCH_CONNECTION);
    connection->obj.state = DOCA_PRIV_COMCH_GREETING;
    return connection;
}

/* Stop sending and receiving; packets that have arrived are still read. */
DOCA_PRIV_DECL void doca_priv_comch_conn_hang_up(struct doca_comch_connection *connection)
{
    doca_priv_local_hang_up(connection->fd);
    DOCA_PRIV_STORE(&connection->obj.state, (uint8_t)DOCA_PRIV_COMCH_DOWN);
}

/* Complete the sends that the socket had no room for. */
DOCA_PRIV_DECL void doca_priv_comch_conn_drop_unsent(struct doca_comch_connection *connection,
                                                     doca_error_t status)
{
    struct doca_core_queue *queue = connection->comch->queue;
    struct doca_task *task;

    while ((task = connection->unsent) != NULL) {
        connection->unsent = task->next;
        doca_priv_local_end_task(queue, task, status);
    }
}

/* Choose the lane for a new consumer of the peer with this id. Returns NULL when a live consumer of
 * the peer has the same entry of lane_of[], or when waiting tasks and producers still use all lanes
 * of consumers that have ended. */
DOCA_PRIV_DECL struct doca_priv_comch_lane *
doca_priv_comch_conn_free_lane(struct doca_comch_connection *connection, uint32_t id)
{
    struct doca_priv_comch_lane *lane = doca_priv_comch_lane_of(connection, id);
    bool is_taken[DOCA_PRIV_COMCH_LANES];
    uint32_t i;

    if (DOCA_PRIV_LOAD(&lane->is_live) != 0)
        return NULL;
    if (DOCA_PRIV_LOAD(&lane->num_users) == 0)
        return lane;
    DOCA_CORE_MEMSET(is_taken, 0, sizeof(is_taken));
    for (i = 0; i < DOCA_CORE_COMCH_MAX_CONSUMERS; i++)
        is_taken[connection->lane_of[i]] = true;
    for (i = 0; i < DOCA_PRIV_COMCH_LANES; i++)
        if (!is_taken[i] && DOCA_PRIV_LOAD(&connection->lanes[i].num_users) == 0)
            return &connection->lanes[i];
    return NULL;
}

/* End a connection whose packets are all read. Its lanes stay mapped until the connection is free,
 * because producers of other threads may be using them. */
DOCA_PRIV_DECL void doca_priv_comch_conn_end(struct doca_comch_connection *connection)
{
    uint32_t i;

    doca_priv_sys_unwatch(connection->comch->set, connection->fd);
    doca_priv_local_hang_up(connection->fd);
    DOCA_PRIV_STORE(&connection->obj.state, (uint8_t)DOCA_PRIV_COMCH_GONE);
    connection->comch->has_gone = true;
    doca_priv_comch_conn_drop_unsent(connection, DOCA_ERROR_CONNECTION_RESET);
    for (i = 0; i < DOCA_PRIV_COMCH_LANES; i++)
        if (connection->lanes[i].ring != NULL) {
            DOCA_PRIV_STORE(&connection->lanes[i].is_live, 0u);
            (void)doca_priv_sys_event_signal(connection->lanes[i].room_fd);
        }
}

/* Free the entry of a connection that no consumer or producer uses. */
DOCA_PRIV_DECL void doca_priv_comch_conn_free(struct doca_comch_connection *connection)
{
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_COMCH_LANES; i++)
        doca_priv_comch_lane_close(&connection->lanes[i]);
    doca_priv_sys_unwatch(connection->comch->set, connection->fd);
    doca_priv_sys_close(connection->fd);
    connection->fd = -1;
    connection->obj.state = DOCA_PRIV_COMCH_FREE;
    doca_priv_object_end(&connection->obj);
}

/* Make the epoll set report when the socket has room again. */
DOCA_PRIV_DECL void doca_priv_comch_conn_await_room(struct doca_comch_connection *connection)
{
    (void)doca_priv_comch_conn_watch(connection, EPOLL_CTL_MOD, true);
}

/* Notify the peer of consumers that have ended and were not reported yet. Returns false when the
 * socket has no room. */
static bool doca_priv_comch_conn_flush_expired(struct doca_comch_connection *connection)
{
    bool has_room = true;
    uint32_t i;

    doca_priv_lock(&connection->lock);
    for (i = 0; has_room && i < DOCA_CORE_COMCH_MAX_CONSUMERS; i++) {
        if ((connection->expired >> i & 1) == 0)
            continue;
        has_room =
            doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_EXPIRED,
                                 connection->expired_ids[i], NULL, 0, NULL) != DOCA_PRIV_LOCAL_FULL;
        if (has_room)
            connection->expired &= ~((uint64_t)1 << i);
    }
    doca_priv_unlock(&connection->lock);
    return has_room;
}

/* Send waiting packets as long as the socket has room. */
DOCA_PRIV_DECL void doca_priv_comch_conn_flush(struct doca_comch_connection *connection)
{
    enum doca_priv_local_sent sent = DOCA_PRIV_LOCAL_SENT;
    const struct doca_comch_task_send *send;
    struct doca_task *task;

    if (!doca_priv_comch_conn_flush_expired(connection))
        sent = DOCA_PRIV_LOCAL_FULL;
    while (sent != DOCA_PRIV_LOCAL_FULL && (task = connection->unsent) != NULL) {
        send = (const struct doca_comch_task_send *)(const void *)task;
        sent = doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_MESSAGE, 0, send->bytes,
                                    send->len, NULL);
        if (sent == DOCA_PRIV_LOCAL_FULL)
            break;
        connection->unsent = task->next;
        if (sent == DOCA_PRIV_LOCAL_SENT) {
            connection->counts[0]++;
            connection->counts[1] += send->len;
        }
        doca_priv_local_end_task(connection->comch->queue, task,
                                 sent == DOCA_PRIV_LOCAL_SENT ? DOCA_SUCCESS
                                                              : DOCA_ERROR_CONNECTION_RESET);
    }
    (void)doca_priv_comch_conn_watch(connection, EPOLL_CTL_MOD, sent == DOCA_PRIV_LOCAL_FULL);
}

/* Choose the id of a new consumer. The peer stores the consumer in the entry id % MAX_CONSUMERS of
 * its table, so this remainder must differ from the remainders of all other consumers of this side.
 * Ids are assigned in ascending order, so that an entry is reused as late as possible. 0 and 0xffff
 * are no ids: the vendor's programs use them for "no consumer". */
static bool doca_priv_comch_choose_id(struct doca_comch_connection *connection, uint32_t *id)
{
    uint32_t i, entry;

    for (i = 0; i < 2 * DOCA_CORE_COMCH_MAX_CONSUMERS; i++) { /* the entry of a number left out
                                                               * comes again */
        entry = ++connection->next_consumer % DOCA_CORE_COMCH_MAX_CONSUMERS;
        if (connection->next_consumer == 0 || connection->next_consumer == UINT16_MAX)
            continue;
        if ((connection->consumers >> entry & 1) == 0 && (connection->expired >> entry & 1) == 0) {
            connection->consumers |= (uint64_t)1 << entry;
            *id = connection->next_consumer;
            return true;
        }
    }
    return false;
}

/* Count a new consumer or producer of a connection, and choose its id. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_join(struct doca_comch_connection *connection,
                                                 bool is_consumer, uint32_t *id,
                                                 const char *function)
{
    bool is_up, has_id = true;

    doca_priv_lock(&connection->lock);
    is_up = DOCA_PRIV_LOAD(&connection->obj.state) == DOCA_PRIV_COMCH_UP;
    if (is_up && is_consumer)
        has_id = doca_priv_comch_choose_id(connection, id);
    else if (is_up && connection->num_producers < DOCA_CORE_COMCH_MAX_PRODUCERS)
        *id = ++connection->next_producer;
    else
        has_id = false;
    if (is_up && has_id) {
        connection->num_children++;
        (*(is_consumer ? &connection->num_consumers : &connection->num_producers))++;
    }
    doca_priv_unlock(&connection->lock);
    if (!is_up)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_COMCH_NOT_UP, function,
                              connection);
    return has_id ? DOCA_SUCCESS
                  : doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_COMCH_FEW_IDS, function,
                                   connection);
}

/* Count one consumer or producer less. If it was the last, wake the thread of the connection, which
 * may then free the connection. */
DOCA_PRIV_DECL void doca_priv_comch_part(struct doca_comch_connection *connection, bool is_consumer,
                                         uint32_t id)
{
    doca_priv_lock(&connection->lock);
    if (is_consumer)
        connection->consumers &= ~((uint64_t)1 << id % DOCA_CORE_COMCH_MAX_CONSUMERS);
    (*(is_consumer ? &connection->num_consumers : &connection->num_producers))--;
    if (--connection->num_children == 0)
        (void)doca_priv_sys_event_signal(connection->comch->wake_fd);
    doca_priv_unlock(&connection->lock);
}

/* True when consumers or producers of the connection exist. Once the result is false for a
 * connection that is not UP, no other thread uses the connection: because of the lock, the last
 * such thread has left the critical section of doca_priv_comch_part(). */
DOCA_PRIV_DECL bool doca_priv_comch_has_children(struct doca_comch_connection *connection)
{
    bool has_children;

    doca_priv_lock(&connection->lock);
    has_children = connection->num_children > 0;
    doca_priv_unlock(&connection->lock);
    return has_children;
}

/* Notify the peer that a consumer has ended. If the socket has no room, the thread of the
 * connection sends the notice later. */
DOCA_PRIV_DECL void doca_priv_comch_tell_expired(struct doca_comch_connection *connection,
                                                 uint32_t id)
{
    const uint32_t entry = id % DOCA_CORE_COMCH_MAX_CONSUMERS;

    if (doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_EXPIRED, id, NULL, 0, NULL) !=
        DOCA_PRIV_LOCAL_FULL)
        return;
    doca_priv_lock(&connection->lock);
    connection->expired |= (uint64_t)1 << entry;
    connection->expired_ids[entry] = id;
    doca_priv_unlock(&connection->lock);
    (void)doca_priv_sys_event_signal(connection->comch->wake_fd);
}

DOCA_CORE_DECL doca_error_t doca_comch_connection_set_user_data(
    struct doca_comch_connection *connection, union doca_data user_data)
{
    if (!doca_priv_comch_is_connection(connection))
        return DOCA_PRIV_FAIL_HANDLE(connection);
    connection->user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL union doca_data
doca_comch_connection_get_user_data(const struct doca_comch_connection *connection)
{
    union doca_data none;

    none.u64 = 0;
    if (doca_priv_comch_is_connection(connection))
        return connection->user_data;
    (void)DOCA_PRIV_FAIL_HANDLE(connection);
    return none;
}

DOCA_CORE_DECL struct doca_comch_server *
doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection)
{
    if (!doca_priv_comch_is_connection(connection)) {
        (void)DOCA_PRIV_FAIL_HANDLE(connection);
        return NULL;
    }
    return connection->comch->rep != NULL
               ? (struct doca_comch_server *)DOCA_PRIV_HANDLE(connection->comch)
               : NULL;
}

DOCA_CORE_DECL struct doca_comch_client *
doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection)
{
    if (!doca_priv_comch_is_connection(connection)) {
        (void)DOCA_PRIV_FAIL_HANDLE(connection);
        return NULL;
    }
    return connection->comch->rep == NULL
               ? (struct doca_comch_client *)DOCA_PRIV_HANDLE(connection->comch)
               : NULL;
}

DOCA_CORE_DECL doca_error_t
doca_comch_connection_update_info(struct doca_comch_connection *comch_connection)
{
    if (!doca_priv_comch_is_connection(comch_connection))
        return DOCA_PRIV_FAIL_HANDLE(comch_connection);
    if (comch_connection->obj.state == DOCA_PRIV_COMCH_GREETING)
        return DOCA_PRIV_FAIL(CONNECTION_INPROGRESS, COMCH_NOT_UP, comch_connection);
    DOCA_CORE_MEMCPY(comch_connection->seen, comch_connection->counts,
                     sizeof(comch_connection->seen));
    if (comch_connection->obj.state != DOCA_PRIV_COMCH_UP ||
        doca_priv_local_is_hung_up(comch_connection->fd))
        return DOCA_PRIV_FAIL(CONNECTION_ABORTED, COMCH_LOST, comch_connection);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
                                  enum doca_comch_counter counter_type, uint64_t *counter_value)
{
    doca_error_t rc = doca_priv_check_args(comch_connection, DOCA_PRIV_KIND_COMCH_CONNECTION,
                                           counter_value, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((unsigned)counter_type < DOCA_COMCH_COUNTER_SENT_MESSAGES ||
        (unsigned)counter_type > DOCA_COMCH_COUNTER_RECV_BYTES)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, comch_connection);
    *counter_value = comch_connection->seen[(unsigned)counter_type - 1];
    return DOCA_SUCCESS;
}

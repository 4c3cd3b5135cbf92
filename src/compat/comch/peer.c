/* ---- >>impl.comch.peer ----------------------------------------------------------------------
 * The peers of endpoints, from listen, connect or accept to disconnect. The user data of an
 * endpoint's server or client is the endpoint, and the user data of a connection is its peer.
 * States of a peer:
 *     UNUSED -> CONNECTING (client) -> UP -> BROKEN -> UNUSED
 * A peer that breaks before the program has its handle becomes UNUSED at once. All callbacks run in
 * doca_priv_peer_advance(), or while the endpoint drops messages to disconnect.                 */
#include "compat/comch/endpoint.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "progress/ctx.h"
#include "progress/pe.h"
#include "compat/comch/comch.h"
#include "compat/comch/connection_priv.h"
#include "compat/comch/endpoint_priv.h"
#include "compat/comch/objects_priv.h"
#include "compat/local/platform_priv.h"
#include "compat/comch/receive_priv.h"
#include "compat/comch/wire_priv.h"
#include "compat/local/socket_priv.h"

DOCA_PRIV_DECL bool doca_priv_peer_is(const struct doca_comm_channel_addr_t *peer)
{
    return doca_priv_is(peer, DOCA_PRIV_KIND_PEER);
}

DOCA_PRIV_DECL bool doca_priv_peer_is_of(const struct doca_comm_channel_addr_t *peer,
                                         const struct doca_comm_channel_ep_t *ep)
{
    return doca_priv_peer_is(peer) && peer->ep == ep && peer->obj.state != DOCA_PRIV_PEER_UNUSED;
}

/* Take an unused entry of the table for a peer. Returns NULL when all entries are in use. */
static struct doca_comm_channel_addr_t *doca_priv_peer_open(struct doca_comm_channel_ep_t *ep,
                                                            uint8_t state)
{
    struct doca_comm_channel_addr_t *peer = ep->peers;

    while (peer < ep->peers + DOCA_CORE_COMCH_MAX_CLIENTS &&
           peer->obj.state != DOCA_PRIV_PEER_UNUSED)
        peer++;
    if (peer == ep->peers + DOCA_CORE_COMCH_MAX_CLIENTS)
        return NULL;
    DOCA_CORE_MEMSET(peer, 0, sizeof(*peer));
    doca_priv_object_init(&peer->obj, DOCA_PRIV_KIND_PEER);
    peer->obj.state = state;
    peer->ep = ep;
    return peer;
}

/* Release the handle of a peer. */
static void doca_priv_peer_end(struct doca_comm_channel_addr_t *peer)
{
    if (peer->ep->sender == peer)
        doca_priv_endpoint_hold(peer->ep, NULL);
    peer->obj.state = DOCA_PRIV_PEER_UNUSED;
    doca_priv_object_end(&peer->obj);
}

/* Mark a peer as broken: its connection has broken, or is being closed. */
static void doca_priv_peer_break(struct doca_comm_channel_addr_t *peer)
{
    doca_priv_endpoint_unblock(peer);
    peer->connection = NULL;
    peer->obj.state = DOCA_PRIV_PEER_BROKEN;
}

static struct doca_comm_channel_ep_t *
doca_priv_peer_ep(const struct doca_comch_connection *connection)
{
    return (struct doca_comm_channel_ep_t *)connection->comch->ctx.user_data.ptr;
}

static void doca_priv_peer_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes,
                                    uint32_t len, struct doca_comch_connection *connection)
{
    struct doca_comm_channel_ep_t *ep = doca_priv_peer_ep(connection);
    struct doca_comm_channel_addr_t *peer =
        ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT
            ? &ep->peers[0]
            : (struct doca_comm_channel_addr_t *)connection->user_data.ptr;

    (void)event;
    if (ep->drops || peer == NULL)
        return;
    peer->counts[DOCA_COMCH_COUNTER_RECV_MESSAGES - 1]++;
    peer->counts[DOCA_COMCH_COUNTER_RECV_BYTES - 1] += len;
    ep->len = len;
    if (ep->to != NULL && len <= ep->room) {
        DOCA_CORE_MEMCPY(ep->to, bytes, len);
        ep->sender = peer;
    } else {
        DOCA_CORE_MEMCPY(ep->held, bytes, len);
        doca_priv_endpoint_hold(ep, peer);
    }
}

static void doca_priv_peer_came(struct doca_comch_event_connection_status_changed *event,
                                struct doca_comch_connection *connection, uint8_t is_connected)
{
    struct doca_comm_channel_ep_t *ep = doca_priv_peer_ep(connection);
    struct doca_comm_channel_addr_t *peer;

    (void)event;
    doca_priv_endpoint_set(ep->service_fd, true);
    if (is_connected == 0)
        return;
    peer = ep->drops ? NULL : doca_priv_peer_open(ep, DOCA_PRIV_PEER_UP);
    if (peer == NULL) {
        if (!ep->drops)
            (void)doca_priv_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_COMM_CROWDED, "doca_pe_progress",
                                 ep);
        doca_priv_comch_conn_hang_up(connection);
        return;
    }
    peer->connection = connection;
    connection->user_data.ptr = peer;
    (void)doca_priv_endpoint_watch(ep->service_set, connection->fd, 0);
}

static void doca_priv_peer_went(struct doca_comch_event_connection_status_changed *event,
                                struct doca_comch_connection *connection, uint8_t change_successful)
{
    struct doca_comm_channel_addr_t *peer =
        (struct doca_comm_channel_addr_t *)connection->user_data.ptr;

    (void)event;
    (void)change_successful;
    doca_priv_endpoint_set(doca_priv_peer_ep(connection)->service_fd, true);
    if (peer == NULL)
        return;
    doca_priv_peer_break(peer);
    if (!peer->is_known)
        doca_priv_peer_end(peer);
}

/* Make progress until the server or client of an endpoint is idle. Its connections are hung up, so
 * no peer can delay this. */
static void doca_priv_peer_await_idle(struct doca_comm_channel_ep_t *ep)
{
    ep->drops = true;
    while (ep->comch->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        (void)doca_pe_progress(ep->pe);
    ep->drops = false;
}

/* Stop and destroy the server or client, and release the handles of all peers. */
DOCA_PRIV_DECL void doca_priv_peer_close(struct doca_comm_channel_ep_t *ep)
{
    struct doca_comm_channel_addr_t *peer;

    if (ep->obj.state == DOCA_PRIV_ENDPOINT_IDLE)
        return;
    for (peer = ep->peers; peer < ep->peers + DOCA_CORE_COMCH_MAX_CLIENTS; peer++)
        if (peer->obj.state != DOCA_PRIV_PEER_UNUSED) {
            if (peer->connection != NULL)
                peer->connection->user_data.ptr = NULL;
            doca_priv_peer_break(peer);
            doca_priv_peer_end(peer);
        }
    if (ep->comch->ctx.obj.state != DOCA_CTX_STATE_IDLE) {
        if (ep->comch->ctx.obj.state != DOCA_CTX_STATE_STOPPING)
            (void)doca_ctx_stop(&ep->comch->ctx);
        doca_priv_peer_await_idle(ep);
    }
    if (ep->obj.state == DOCA_PRIV_ENDPOINT_SERVICE)
        (void)doca_comch_server_destroy((struct doca_comch_server *)(void *)ep->comch);
    else
        (void)doca_comch_client_destroy((struct doca_comch_client *)(void *)ep->comch);
    ep->comch = NULL;
    ep->obj.state = DOCA_PRIV_ENDPOINT_IDLE;
    ep->num_listed = 0;
    ep->num_pending = 0;
    doca_priv_endpoint_set(ep->recv_fd, false);
}

/* Update the state of a client's peer from the state of the client. */
static void doca_priv_peer_follow(struct doca_comm_channel_ep_t *ep)
{
    struct doca_comm_channel_addr_t *peer = &ep->peers[0];
    const uint8_t state = ep->comch->ctx.obj.state;

    if (state == DOCA_CTX_STATE_RUNNING && peer->obj.state == DOCA_PRIV_PEER_CONNECTING) {
        peer->connection = &ep->comch->conns[0];
        peer->obj.state = DOCA_PRIV_PEER_UP;
    } else if ((state == DOCA_CTX_STATE_STOPPING || state == DOCA_CTX_STATE_IDLE) &&
               peer->obj.state != DOCA_PRIV_PEER_BROKEN) {
        doca_priv_peer_break(peer);
        doca_priv_peer_await_idle(ep);
        doca_priv_endpoint_set(ep->recv_fd, true);
    }
}

/* Make one step of progress, which receives at most one message. Returns false when there is no
 * more work. */
DOCA_PRIV_DECL bool doca_priv_peer_advance(struct doca_comm_channel_ep_t *ep)
{
    uint8_t num;

    if (ep->comch->ctx.obj.state == DOCA_CTX_STATE_IDLE)
        return false;
    ep->comch->num_empty = 0; /* the next poll asks the kernel */
    num = doca_pe_progress(ep->pe);
    if (ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT)
        doca_priv_peer_follow(ep);
    return num > 0 || (ep->comch->ctx.obj.state != DOCA_CTX_STATE_IDLE &&
                       doca_priv_endpoint_is_readable(ep->comch->set));
}

/* Map the result of a Comch call to a result that listen and connect document. */
static doca_error_t doca_priv_peer_map(doca_error_t rc, const char *function)
{
    if (rc == DOCA_ERROR_ALREADY_EXIST)
        rc = DOCA_ERROR_CONNECTION_ABORTED;
    else if (rc == DOCA_SUCCESS || rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NO_MEMORY ||
             rc == DOCA_ERROR_NOT_SUPPORTED || rc == DOCA_ERROR_DRIVER)
        return rc;
    else
        rc = DOCA_ERROR_INITIALIZATION;
    doca_priv_last.code = rc; /* only the log line has the code of Comch */
    doca_priv_last.function = function;
    return rc;
}

/* Check a call of listen or connect. */
static doca_error_t doca_priv_peer_may_open(const struct doca_comm_channel_ep_t *ep,
                                            const void *pointer, bool needs_rep,
                                            const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, pointer, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (ep->obj.state != DOCA_PRIV_ENDPOINT_IDLE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_COMM_BUSY, function, ep);
    if (ep->dev == NULL || (needs_rep && ep->rep == NULL))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE,
                              ep->dev == NULL ? DOCA_CORE_ITEM_COMM_NO_DEV
                                              : DOCA_CORE_ITEM_COMM_NO_REP,
                              function, ep);
    return DOCA_SUCCESS;
}

/* Configure and start the server or client that was made for an endpoint. */
static doca_error_t doca_priv_peer_start(struct doca_comm_channel_ep_t *ep, void *made,
                                         uint8_t state, const char *function)
{
    DOCA_PRIV_OPEN(made)
    struct doca_priv_comch *comch = (struct doca_priv_comch *)made;
    doca_error_t rc = DOCA_ERROR_INITIALIZATION;

    ep->comch = comch;
    ep->obj.state = state;
    comch->max_msg = ep->max_msg;
    comch->recv_queue_size = ep->recv_queue_size;
    comch->received = doca_priv_peer_received;
    comch->ctx.user_data.ptr = ep;
    if (state == DOCA_PRIV_ENDPOINT_SERVICE) {
        comch->connected = doca_priv_peer_came;
        comch->disconnected = doca_priv_peer_went;
    }
    if (doca_priv_endpoint_open_channels(ep, function)) {
        doca_priv_endpoint_set(ep->send_fd, true);
        rc = doca_pe_connect_ctx(ep->pe, &comch->ctx);
        if (rc == DOCA_SUCCESS)
            rc = doca_ctx_start(&comch->ctx);
        rc = rc == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : doca_priv_peer_map(rc, function);
    }
    if (rc == DOCA_SUCCESS && !doca_priv_endpoint_watch(ep->recv_set, comch->set, EPOLLIN)) {
        (void)doca_priv_fail_system(DOCA_CORE_ITEM_COMCH_SYSTEM, function, ep,
                                    DOCA_PRIV_LOG_TEXT("watch the sockets of the endpoint"));
        rc = DOCA_ERROR_INITIALIZATION;
    }
    if (rc != DOCA_SUCCESS)
        doca_priv_peer_close(ep);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_listen(struct doca_comm_channel_ep_t *local_ep,
                                                        const char *name)
{
    struct doca_comch_server *server = NULL;
    doca_error_t rc = doca_priv_peer_may_open(local_ep, name, true, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_peer_map(doca_core_comch_server_create_in(local_ep->arena, local_ep->dev,
                                                             local_ep->rep, name, &server),
                            __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_peer_start(local_ep, server, DOCA_PRIV_ENDPOINT_SERVICE, __func__);
    if (rc == DOCA_SUCCESS)
        (void)doca_priv_endpoint_watch(local_ep->service_set, local_ep->comch->listener, EPOLLIN);
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_connect(struct doca_comm_channel_ep_t *local_ep, const char *name,
                             struct doca_comm_channel_addr_t **peer_addr)
{
    struct doca_comch_client *client = NULL;
    struct doca_comm_channel_addr_t *peer;
    unsigned i;
    doca_error_t rc = doca_priv_peer_may_open(local_ep, peer_addr, false, __func__);

    if (rc == DOCA_SUCCESS && name == NULL)
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, local_ep);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_peer_map(
        doca_core_comch_client_create_in(local_ep->arena, local_ep->dev, name, &client), __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_peer_start(local_ep, client, DOCA_PRIV_ENDPOINT_CLIENT, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    peer = doca_priv_peer_open(local_ep, DOCA_PRIV_PEER_CONNECTING);
    for (i = 0; i < 4 && peer->obj.state == DOCA_PRIV_PEER_CONNECTING &&
                local_ep->comch->conns[0].obj.state == DOCA_PRIV_COMCH_FREE;
         i++)
        (void)doca_priv_peer_advance(local_ep); /* connects the socket */
    if (peer->obj.state == DOCA_PRIV_PEER_BROKEN) {
        doca_priv_peer_close(local_ep);
        doca_priv_last.code = DOCA_ERROR_CONNECTION_ABORTED;
        doca_priv_last.function = __func__;
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    peer->is_known = true;
    *peer_addr = peer;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_disconnect(
    struct doca_comm_channel_ep_t *local_ep, struct doca_comm_channel_addr_t *peer_addr)
{
    doca_error_t rc = doca_priv_endpoint_check(local_ep, local_ep, __func__);
    struct doca_comch_connection *connection;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_peer_is_of(peer_addr, local_ep))
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_NO_PEER, local_ep);
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT) {
        doca_priv_peer_close(local_ep);
        return DOCA_SUCCESS;
    }
    connection = peer_addr->connection;
    doca_priv_peer_break(peer_addr);
    doca_priv_peer_end(peer_addr);
    if (connection != NULL) {
        connection->user_data.ptr = NULL;
        if (connection->obj.state == DOCA_PRIV_COMCH_UP)
            doca_priv_comch_conn_hang_up(connection);
        doca_priv_comch_drain(connection);
    }
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_user_data(
    struct doca_comm_channel_addr_t *peer_addr, uint64_t *user_data)
{
    doca_error_t rc = doca_priv_check_args(peer_addr, DOCA_PRIV_KIND_PEER, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = peer_addr->user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_set_user_data(
    struct doca_comm_channel_addr_t *peer_addr, uint64_t user_context)
{
    if (!doca_priv_peer_is(peer_addr))
        return DOCA_PRIV_FAIL_HANDLE(peer_addr);
    peer_addr->user_data = user_context;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_peer_addr_update_info(struct doca_comm_channel_addr_t *peer_addr)
{
    if (!doca_priv_peer_is(peer_addr))
        return DOCA_PRIV_FAIL_HANDLE(peer_addr);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_CONNECTING)
        (void)doca_priv_peer_advance(peer_addr->ep);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_CONNECTING)
        return DOCA_PRIV_FAIL(CONNECTION_INPROGRESS, COMM_CONNECTING, peer_addr);
    DOCA_CORE_MEMCPY(peer_addr->seen, peer_addr->counts, sizeof(peer_addr->seen));
    if (peer_addr->obj.state == DOCA_PRIV_PEER_BROKEN ||
        doca_priv_local_is_hung_up(peer_addr->connection->fd))
        return DOCA_PRIV_FAIL(CONNECTION_ABORTED, COMM_BROKEN, peer_addr);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_peer_count(const struct doca_comm_channel_addr_t *peer,
                                         enum doca_comch_counter which, uint64_t *to,
                                         const char *function)
{
    doca_error_t rc = doca_priv_check_args(peer, DOCA_PRIV_KIND_PEER, to, function);

    if (rc == DOCA_SUCCESS)
        *to = peer->seen[(unsigned)which - 1];
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_messages)
{
    return doca_priv_peer_count(peer_addr, DOCA_COMCH_COUNTER_SENT_MESSAGES, send_messages,
                                __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_bytes(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_bytes)
{
    return doca_priv_peer_count(peer_addr, DOCA_COMCH_COUNTER_SENT_BYTES, send_bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_recv_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_messages)
{
    return doca_priv_peer_count(peer_addr, DOCA_COMCH_COUNTER_RECV_MESSAGES, recv_messages,
                                __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_recv_bytes(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_bytes)
{
    return doca_priv_peer_count(peer_addr, DOCA_COMCH_COUNTER_RECV_BYTES, recv_bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_in_flight_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_in_flight_messages)
{
    doca_error_t rc =
        doca_priv_check_args(peer_addr, DOCA_PRIV_KIND_PEER, send_in_flight_messages, __func__);

    if (rc == DOCA_SUCCESS)
        *send_in_flight_messages = 0;
    return rc;
}

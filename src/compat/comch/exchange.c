/* ---- >>impl.comch.exchange ------------------------------------------------------------------
 * Messages of endpoints, and the snapshot of a service.                                         */
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
#include "device/devinfo_priv.h"
#include "progress/ctx.h"
#include "fault/text_priv.h"
#include "compat/comch/comch.h"
#include "compat/comch/endpoint_priv.h"
#include "compat/comch/objects_priv.h"
#include "compat/comch/receive_priv.h"
#include "compat/comch/wire_priv.h"
#include "compat/local/socket_priv.h"

/* Maximum number of steps of progress in one recvfrom: enough to accept all clients at once, and a
 * bound if clients connect and disconnect all the time. */
#define DOCA_PRIV_ENDPOINT_STEPS (4u * DOCA_CORE_COMCH_MAX_CLIENTS)

/* Keep the message of `sender` in `held` until recvfrom takes it; NULL: no message is held. */
DOCA_PRIV_DECL void doca_priv_endpoint_hold(struct doca_comm_channel_ep_t *ep,
                                            struct doca_comm_channel_addr_t *sender)
{
    if (sender != NULL)
        sender->is_known = true; /* the handle stays valid until recvfrom has returned it */
    ep->sender = sender;
    ep->is_held = sender != NULL;
    doca_priv_endpoint_set(ep->recv_fd, ep->is_held);
}

/* Check a call of sendto or recvfrom. */
static doca_error_t doca_priv_endpoint_check_message(const struct doca_comm_channel_ep_t *ep,
                                                     const void *msg, int flags,
                                                     const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, msg, function);

    if (rc == DOCA_SUCCESS && flags != DOCA_CC_MSG_FLAG_NONE)
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMM_FLAGS, function, ep);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_sendto(struct doca_comm_channel_ep_t *local_ep,
                                                        const void *msg, size_t len, int flags,
                                                        struct doca_comm_channel_addr_t *peer_addr)
{
    doca_error_t rc = doca_priv_endpoint_check_message(local_ep, msg, flags, __func__);
    enum doca_priv_local_sent sent;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_peer_is_of(peer_addr, local_ep))
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_NO_PEER, local_ep);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_CONNECTING)
        (void)doca_priv_peer_advance(local_ep);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_CONNECTING)
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_CONNECTING, peer_addr);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_BROKEN)
        return DOCA_PRIV_FAIL(CONNECTION_RESET, COMM_BROKEN, peer_addr);
    if (len > peer_addr->connection->max_msg)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_TOO_LONG, peer_addr);
    rc = doca_priv_fault_call(&local_ep->comch->ctx, DOCA_PRIV_FAULT_COMM_SENDTO);
    if (rc != DOCA_SUCCESS)
        return rc;
    sent =
        doca_priv_local_send(peer_addr->connection->fd, DOCA_PRIV_COMCH_MESSAGE, 0, msg, len, NULL);
    if (sent == DOCA_PRIV_LOCAL_FULL) {
        doca_priv_endpoint_block(peer_addr);
        return DOCA_PRIV_FAIL(AGAIN, COMM_FULL, peer_addr);
    }
    doca_priv_endpoint_unblock(peer_addr);
    if (sent == DOCA_PRIV_LOCAL_BROKEN)
        return DOCA_PRIV_FAIL(CONNECTION_RESET, COMM_BROKEN, peer_addr);
    peer_addr->counts[DOCA_COMCH_COUNTER_SENT_MESSAGES - 1]++;
    peer_addr->counts[DOCA_COMCH_COUNTER_SENT_BYTES - 1] += len;
    return DOCA_SUCCESS;
}

/* Receive a message into the memory of the caller if it fits, otherwise into `held`. */
static void doca_priv_endpoint_receive(struct doca_comm_channel_ep_t *ep, void *to, size_t room)
{
    uint32_t i;

    ep->to = to;
    ep->room = room;
    for (i = 0; i < DOCA_PRIV_ENDPOINT_STEPS && ep->sender == NULL; i++)
        if (!doca_priv_peer_advance(ep))
            break;
    ep->to = NULL;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_recvfrom(struct doca_comm_channel_ep_t *local_ep, void *msg, size_t *len,
                              int flags, struct doca_comm_channel_addr_t **peer_addr)
{
    doca_error_t rc = doca_priv_endpoint_check_message(local_ep, msg, flags, __func__);

    if (rc == DOCA_SUCCESS && (len == NULL || peer_addr == NULL))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, local_ep);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_IDLE)
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_IDLE, local_ep);
    /* With injected faults, the message goes to `held` first: this call may still fail, and then
     * must not have written to the caller's memory. */
    if (local_ep->sender == NULL)
        doca_priv_endpoint_receive(local_ep,
                                   doca_priv_fault_is_on(&local_ep->comch->ctx) ? NULL : msg, *len);
    if (local_ep->sender == NULL) {
        if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT &&
            local_ep->peers[0].obj.state == DOCA_PRIV_PEER_BROKEN)
            return DOCA_PRIV_FAIL(CONNECTION_RESET, COMM_BROKEN, local_ep);
        return DOCA_PRIV_FAIL(AGAIN, COMM_NOTHING, local_ep);
    }
    if (local_ep->is_held && local_ep->len > *len) {
        *len = local_ep->len;
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMM_ROOM, local_ep);
    }
    rc = doca_priv_fault_call(&local_ep->comch->ctx, DOCA_PRIV_FAULT_COMM_RECVFROM);
    if (rc != DOCA_SUCCESS)
        return rc;
    *len = local_ep->len;
    *peer_addr = local_ep->sender;
    local_ep->sender->is_known = true;
    if (local_ep->is_held) {
        DOCA_CORE_MEMCPY(msg, local_ep->held, local_ep->len);
        doca_priv_endpoint_hold(local_ep, NULL);
    }
    local_ep->sender = NULL;
    return DOCA_SUCCESS;
}

/* Check a call that needs a service. */
static doca_error_t doca_priv_endpoint_check_service(const struct doca_comm_channel_ep_t *ep,
                                                     const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, pointer, function);

    if (rc == DOCA_SUCCESS && ep->obj.state != DOCA_PRIV_ENDPOINT_SERVICE)
        rc =
            doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMM_NOT_SERVICE, function, ep);
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_update_service_state_info(struct doca_comm_channel_ep_t *local_ep)
{
    doca_error_t rc = doca_priv_endpoint_check_service(local_ep, local_ep, __func__);
    struct doca_comm_channel_addr_t *peer;
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_ep->comch->ctx.obj.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_PRIV_FAIL(CONNECTION_RESET, COMCH_NOT_STARTED, local_ep);
    doca_priv_endpoint_set(local_ep->service_fd, false);
    doca_priv_comch_accept_all(local_ep->comch);
    local_ep->num_listed = 0;
    local_ep->num_pending = 0;
    for (i = 0; i < DOCA_CORE_COMCH_MAX_CLIENTS; i++) {
        if (local_ep->comch->conns[i].obj.state == DOCA_PRIV_COMCH_GREETING)
            local_ep->num_pending++;
        peer = &local_ep->peers[i];
        if (peer->obj.state != DOCA_PRIV_PEER_UP)
            continue;
        if (doca_priv_local_is_hung_up(peer->connection->fd)) { /* the next recvfrom will notice
                                                                 * it */
            doca_priv_sys_unwatch(local_ep->service_set, peer->connection->fd);
            continue;
        }
        peer->is_known = true;
        local_ep->listed[local_ep->num_listed++] = peer;
    }
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_peer_addr_list(
    const struct doca_comm_channel_ep_t *local_ep,
    struct doca_comm_channel_addr_t ***peer_addr_array, uint32_t *peer_addr_array_len)
{
    doca_error_t rc = doca_priv_endpoint_check_service(
        local_ep, peer_addr_array != NULL ? (const void *)peer_addr_array_len : NULL, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    *peer_addr_array = ((struct doca_comm_channel_ep_t *)(uintptr_t)local_ep)->listed;
    *peer_addr_array_len = local_ep->num_listed;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_pending_connections(
    const struct doca_comm_channel_ep_t *local_ep, uint32_t *pending_connections)
{
    doca_error_t rc = doca_priv_endpoint_check_service(local_ep, pending_connections, __func__);

    if (rc == DOCA_SUCCESS)
        *pending_connections = local_ep->num_pending;
    return rc;
}

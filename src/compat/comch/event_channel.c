/* ---- >>impl.comch.event_channel -------------------------------------------------------------
 * The event channels of endpoints.                                                              */
#include "compat/comch/endpoint.h"

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
#include "compat/comch/endpoint_priv.h"
#include "compat/comch/objects_priv.h"
#include "compat/local/platform_priv.h"

/* Watch a descriptor in an epoll set. If `events` is 0, the set reports only that the peer has hung
 * up. */
DOCA_PRIV_DECL bool doca_priv_endpoint_watch(int set, int fd, uint32_t events)
{
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = events;
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* True when poll() reports an event for this descriptor. */
DOCA_PRIV_DECL bool doca_priv_endpoint_is_readable(int fd)
{
    struct pollfd wait;

    wait.fd = fd;
    wait.events = POLLIN;
    wait.revents = 0;
    return poll(&wait, 1, 0) > 0;
}

/* Make an eventfd readable or not. */
DOCA_PRIV_DECL void doca_priv_endpoint_set(int event_fd, bool is_readable)
{
    (void)doca_priv_sys_event_drain(event_fd);
    if (is_readable)
        (void)doca_priv_sys_event_signal(event_fd);
}

DOCA_PRIV_DECL void doca_priv_endpoint_close_channels(struct doca_comm_channel_ep_t *ep)
{
    doca_priv_sys_close(ep->recv_set);
    doca_priv_sys_close(ep->recv_fd);
    doca_priv_sys_close(ep->send_set);
    doca_priv_sys_close(ep->send_fd);
    doca_priv_sys_close(ep->service_set);
    doca_priv_sys_close(ep->service_fd);
    ep->recv_set = ep->send_set = ep->service_set = -1;
    ep->recv_fd = ep->send_fd = ep->service_fd = -1;
}

/* Open the channels of an endpoint, unless they are open. On failure, errno has the cause. */
DOCA_PRIV_DECL bool doca_priv_endpoint_open_channels(struct doca_comm_channel_ep_t *ep,
                                                     const char *function)
{
    if (ep->service_set >= 0)
        return true;
    ep->recv_set = doca_priv_sys_wait_open(&ep->recv_fd);
    ep->send_set = doca_priv_sys_wait_open(&ep->send_fd);
    ep->service_set = doca_priv_sys_wait_open(&ep->service_fd);
    if (ep->recv_set >= 0 && ep->send_set >= 0 && ep->service_set >= 0)
        return true;
    (void)doca_priv_fail_system(DOCA_CORE_ITEM_COMCH_SYSTEM, function, ep,
                                DOCA_PRIV_LOG_TEXT("open the event channels"));
    doca_priv_endpoint_close_channels(ep);
    return false;
}

/* Make the send channel wait for room: sendto has found the connection of this peer full. */
DOCA_PRIV_DECL void doca_priv_endpoint_block(struct doca_comm_channel_addr_t *peer)
{
    struct doca_comm_channel_ep_t *ep = peer->ep;

    if (peer->is_blocked || !doca_priv_endpoint_watch(ep->send_set, peer->connection->fd, EPOLLOUT))
        return;
    peer->is_blocked = true;
    if (ep->num_blocked++ == 0)
        doca_priv_endpoint_set(ep->send_fd, false);
}

/* Stop waiting for room: the connection of a peer has room, or ends. When the context is idle, the
 * memory of its connections is released, and the kernel has dropped their descriptors. */
DOCA_PRIV_DECL void doca_priv_endpoint_unblock(struct doca_comm_channel_addr_t *peer)
{
    struct doca_comm_channel_ep_t *ep = peer->ep;

    if (!peer->is_blocked)
        return;
    if (peer->connection != NULL && ep->comch->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        doca_priv_sys_unwatch(ep->send_set, peer->connection->fd);
    peer->is_blocked = false;
    if (--ep->num_blocked == 0)
        doca_priv_endpoint_set(ep->send_fd, true);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_event_channel(
    struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *send_event_channel,
    doca_event_channel_t *recv_event_channel)
{
    doca_error_t rc = doca_priv_endpoint_check(
        local_ep, send_event_channel != NULL ? send_event_channel : recv_event_channel, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, COMM_IDLE, local_ep);
    if (send_event_channel != NULL)
        *send_event_channel = local_ep->send_set;
    if (recv_event_channel != NULL)
        *recv_event_channel = local_ep->recv_set;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_service_event_channel(
    struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *service_event_channel)
{
    doca_error_t rc = doca_priv_endpoint_check(local_ep, service_event_channel, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, COMM_IDLE, local_ep);
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, COMM_NOT_SERVICE, local_ep);
    *service_event_channel = local_ep->service_set;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_event_handle_arm_send(struct doca_comm_channel_ep_t *local_ep)
{
    return doca_priv_endpoint_check(local_ep, local_ep, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_event_handle_arm_recv(struct doca_comm_channel_ep_t *local_ep)
{
    return doca_priv_endpoint_check(local_ep, local_ep, __func__);
}

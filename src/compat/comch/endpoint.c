/* ---- >>impl.comch.endpoint ------------------------------------------------------------------
 * Limits, create, destroy and settings of endpoints.                                            */
#include "compat/comch/endpoint.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "progress/pe.h"
#include "progress/pe_priv.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"
#include "compat/comch/endpoint_priv.h"

/* Lower limits of sizes (a smaller size is raised to the limit), and initial values. */
#define DOCA_PRIV_ENDPOINT_MIN_MSG 64u
#define DOCA_PRIV_ENDPOINT_MIN_QUEUE 16u
#define DOCA_PRIV_ENDPOINT_QUEUE 64u

/* Return a limit of Comch, cut to the maximum of uint16_t, because endpoints store sizes as
 * uint16_t. */
static uint32_t doca_priv_endpoint_clamp(uint32_t limit)
{
    return limit < UINT16_MAX ? limit : UINT16_MAX;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_get_max_service_name_len(uint32_t *max_service_name_len)
{
    if (max_service_name_len == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    *max_service_name_len = DOCA_CORE_COMCH_MAX_NAME;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_endpoint_limit(const struct doca_devinfo *devinfo, uint32_t *to,
                                             uint32_t limit, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, to, function);

    if (rc == DOCA_SUCCESS)
        *to = doca_priv_endpoint_clamp(limit);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_message_size(struct doca_devinfo *devinfo,
                                                                   uint32_t *max_message_size)
{
    return doca_priv_endpoint_limit(devinfo, max_message_size, DOCA_CORE_COMCH_MAX_MSG, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_send_queue_size(struct doca_devinfo *devinfo,
                                                                      uint32_t *max_send_queue_size)
{
    return doca_priv_endpoint_limit(devinfo, max_send_queue_size, DOCA_CORE_COMCH_MAX_SEND_TASKS,
                                    __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_recv_queue_size(struct doca_devinfo *devinfo,
                                                                      uint32_t *max_recv_queue_size)
{
    return doca_priv_endpoint_limit(devinfo, max_recv_queue_size, DOCA_CORE_COMCH_MAX_RECV_QUEUE,
                                    __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_get_service_max_num_connections(
    struct doca_devinfo *devinfo, uint32_t *max_num_connections)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, max_num_connections, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_comch_cap_server_is_supported(devinfo);
    if (rc == DOCA_SUCCESS)
        *max_num_connections = DOCA_CORE_COMCH_MAX_CLIENTS;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comm_channel_ep(struct doca_dev *dev, bool is_service,
                                                            uint32_t max_msg, size_t *bytes)
{
    size_t ep = 0, pe = 0, comch = 0;
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);

    if (rc == DOCA_SUCCESS && max_msg > 0 && max_msg < DOCA_PRIV_ENDPOINT_MIN_MSG)
        max_msg = DOCA_PRIV_ENDPOINT_MIN_MSG;
    if (rc == DOCA_SUCCESS)
        rc = is_service ? doca_core_bytes_comch_server(dev, DOCA_CORE_COMCH_MAX_CLIENTS, 1, max_msg,
                                                       &comch)
                        : doca_core_bytes_comch_client(dev, 1, max_msg, &comch);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_bytes_pe(&pe);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_bytes_object(sizeof(struct doca_comm_channel_ep_t), &ep, __func__);
    if (rc == DOCA_SUCCESS)
        *bytes = ep + pe + comch;
    return rc;
}

/* Check the arguments of a call with an endpoint and a pointer. */
DOCA_PRIV_DECL doca_error_t doca_priv_endpoint_check(const struct doca_comm_channel_ep_t *ep,
                                                     const void *pointer, const char *function)
{
    return doca_priv_check_args(ep, DOCA_PRIV_KIND_ENDPOINT, pointer, function);
}

static doca_error_t doca_priv_endpoint_create(struct doca_core_arena *arena,
                                              struct doca_comm_channel_ep_t **to,
                                              const char *function)
{
    struct doca_comm_channel_ep_t *ep;
    void *block = NULL;
    doca_error_t rc;

    if (to == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    rc = doca_priv_object_take(arena, sizeof(*ep), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    ep = (struct doca_comm_channel_ep_t *)block;
    rc = doca_priv_pe_create(arena, &ep->pe, function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_arena_give(arena, ep);
        return rc;
    }
    ep->arena = arena;
    ep->max_msg = (uint16_t)doca_priv_endpoint_clamp(DOCA_CORE_COMCH_MAX_MSG);
    ep->send_queue_size = DOCA_PRIV_ENDPOINT_QUEUE;
    ep->recv_queue_size = DOCA_PRIV_ENDPOINT_QUEUE;
    ep->recv_set = ep->send_set = ep->service_set = -1;
    ep->recv_fd = ep->send_fd = ep->service_fd = -1;
    doca_priv_object_init(&ep->obj, DOCA_PRIV_KIND_ENDPOINT);
    ep->obj.state = DOCA_PRIV_ENDPOINT_IDLE;
    *to = ep;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_create(struct doca_comm_channel_ep_t **ep)
{
    return doca_priv_endpoint_create(doca_core_arena_bound(), ep, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comm_channel_ep_create_in(struct doca_core_arena *arena,
                                                                struct doca_comm_channel_ep_t **ep)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, ep, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_endpoint_create(arena, ep, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_destroy(struct doca_comm_channel_ep_t *local_ep)
{
    doca_error_t rc;

    if (!doca_priv_is(local_ep, DOCA_PRIV_KIND_ENDPOINT))
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_NO_ENDPOINT, NULL);
    doca_priv_peer_close(local_ep);
    doca_priv_endpoint_close_channels(local_ep);
    rc = doca_pe_destroy(local_ep->pe);
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(local_ep->arena, &local_ep->obj));
    return rc;
}

/* Check that an endpoint may be configured. */
static doca_error_t doca_priv_endpoint_change(const struct doca_comm_channel_ep_t *ep,
                                              const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, pointer, function);

    if (rc == DOCA_SUCCESS && ep->obj.state != DOCA_PRIV_ENDPOINT_IDLE)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_COMM_BUSY, function, ep);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_device(struct doca_comm_channel_ep_t *ep,
                                                            struct doca_dev **device)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, device, __func__);

    if (rc == DOCA_SUCCESS)
        *device = ep->dev;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_device_rep(struct doca_comm_channel_ep_t *ep,
                                                                struct doca_dev_rep **device_rep)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, device_rep, __func__);

    if (rc == DOCA_SUCCESS)
        *device_rep = ep->rep;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_device(struct doca_comm_channel_ep_t *ep,
                                                            struct doca_dev *device)
{
    doca_error_t rc = doca_priv_endpoint_change(ep, device, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(device, DOCA_PRIV_KIND_DEV, device, __func__);
    if (rc == DOCA_SUCCESS)
        ep->dev = device;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_device_rep(struct doca_comm_channel_ep_t *ep,
                                                                struct doca_dev_rep *device_rep)
{
    doca_error_t rc = doca_priv_endpoint_change(ep, device_rep, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(device_rep, DOCA_PRIV_KIND_DEV_REP, device_rep, __func__);
    if (rc == DOCA_SUCCESS)
        ep->rep = device_rep;
    return rc;
}

enum doca_priv_endpoint_size {
    DOCA_PRIV_ENDPOINT_MSG,
    DOCA_PRIV_ENDPOINT_SENDS,
    DOCA_PRIV_ENDPOINT_RECVS
};

static uint16_t *doca_priv_endpoint_size(struct doca_comm_channel_ep_t *ep,
                                         enum doca_priv_endpoint_size which)
{
    return which == DOCA_PRIV_ENDPOINT_MSG     ? &ep->max_msg
           : which == DOCA_PRIV_ENDPOINT_SENDS ? &ep->send_queue_size
                                               : &ep->recv_queue_size;
}

static doca_error_t doca_priv_endpoint_get_size(struct doca_comm_channel_ep_t *ep,
                                                enum doca_priv_endpoint_size which, uint16_t *to,
                                                const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, to, function);

    if (rc == DOCA_SUCCESS)
        *to = *doca_priv_endpoint_size(ep, which);
    return rc;
}

/* Set a size. The value is raised to its lower limit and, for a queue, to a power of two. */
static doca_error_t doca_priv_endpoint_set_size(struct doca_comm_channel_ep_t *ep,
                                                enum doca_priv_endpoint_size which, uint32_t value,
                                                const char *function)
{
    static const uint32_t limits[] = { DOCA_CORE_COMCH_MAX_MSG, DOCA_CORE_COMCH_MAX_SEND_TASKS,
                                       DOCA_CORE_COMCH_MAX_RECV_QUEUE };
    const uint32_t limit = doca_priv_endpoint_clamp(limits[which]);
    doca_error_t rc = doca_priv_endpoint_change(ep, ep, function);
    uint32_t raised;

    if (rc == DOCA_SUCCESS && (value == 0 || value > limit))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_LIMIT, function, ep);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (which == DOCA_PRIV_ENDPOINT_MSG)
        raised = value < DOCA_PRIV_ENDPOINT_MIN_MSG ? DOCA_PRIV_ENDPOINT_MIN_MSG : value;
    else
        for (raised = DOCA_PRIV_ENDPOINT_MIN_QUEUE; raised < value; raised *= 2)
            ;
    *doca_priv_endpoint_size(ep, which) = (uint16_t)(raised < limit ? raised : limit);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_max_msg_size(struct doca_comm_channel_ep_t *ep,
                                                                  uint16_t *max_msg_size)
{
    return doca_priv_endpoint_get_size(ep, DOCA_PRIV_ENDPOINT_MSG, max_msg_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_send_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t *send_queue_size)
{
    return doca_priv_endpoint_get_size(ep, DOCA_PRIV_ENDPOINT_SENDS, send_queue_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_recv_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t *recv_queue_size)
{
    return doca_priv_endpoint_get_size(ep, DOCA_PRIV_ENDPOINT_RECVS, recv_queue_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_max_msg_size(struct doca_comm_channel_ep_t *ep,
                                                                  uint16_t max_msg_size)
{
    return doca_priv_endpoint_set_size(ep, DOCA_PRIV_ENDPOINT_MSG, max_msg_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_send_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t send_queue_size)
{
    return doca_priv_endpoint_set_size(ep, DOCA_PRIV_ENDPOINT_SENDS, send_queue_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_recv_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t recv_queue_size)
{
    return doca_priv_endpoint_set_size(ep, DOCA_PRIV_ENDPOINT_RECVS, recv_queue_size, __func__);
}

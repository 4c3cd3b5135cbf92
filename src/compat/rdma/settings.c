/* ---- >>impl.rdma.settings -------------------------------------------------------------------
 * Settings of instances.                                                                        */
#include "compat/rdma/rdma.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/create_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/receive.h"

/* Check that a setting may change. */
static doca_error_t doca_priv_rdma_change(struct doca_rdma *rdma, const char *function)
{
    DOCA_PRIV_ENTER(rdma, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, function);
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_ctx_change(&rdma->ctx, DOCA_ERROR_BAD_STATE, function);
}

static doca_error_t doca_priv_rdma_refuse(const struct doca_rdma *rdma, doca_error_t code,
                                          const char *function)
{
    return doca_priv_fail(code, DOCA_CORE_ITEM_RDMA_LIMIT, function, rdma);
}

/* Set the size of a queue, rounded up to a power of two. */
static doca_error_t doca_priv_rdma_set_size(struct doca_rdma *rdma, uint32_t *to, uint32_t size,
                                            uint32_t max, const char *function)
{
    uint32_t rounded = 1;

    if (size == 0)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, function);
    if (size > max)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_NOT_SUPPORTED, function);
    while (rounded < size)
        rounded *= 2;
    *to = rounded;
    return DOCA_SUCCESS;
}

/* Define a setter. It checks the instance and then executes `body`, whose result it returns. */
#define DOCA_PRIV_RDMA_SETTER(name, type, value, body)                                             \
    DOCA_CORE_DECL doca_error_t doca_rdma_##name(struct doca_rdma *rdma, type value)               \
    {                                                                                              \
        DOCA_PRIV_OPEN(rdma)                                                                       \
        doca_error_t rc = doca_priv_rdma_change(rdma, __func__);                                   \
                                                                                                   \
        if (rc != DOCA_SUCCESS)                                                                    \
            return rc;                                                                             \
        body                                                                                       \
    }

/* Define a getter of a member. */
#define DOCA_PRIV_RDMA_GETTER(name, qualifier, type, member)                                       \
    DOCA_CORE_DECL doca_error_t doca_rdma_##name(qualifier struct doca_rdma *rdma, type *value)    \
    {                                                                                              \
        DOCA_PRIV_OPEN(rdma)                                                                       \
        doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, value, __func__);        \
                                                                                                   \
        if (rc == DOCA_SUCCESS)                                                                    \
            *value = (type)rdma->member;                                                           \
        return rc;                                                                                 \
    }

DOCA_PRIV_RDMA_SETTER(set_send_queue_size, uint32_t, send_queue_size,
                      return doca_priv_rdma_set_size(rdma, &rdma->send_queue_size, send_queue_size,
                                                     rdma->limits.send_queue, __func__);)
DOCA_PRIV_RDMA_GETTER(get_send_queue_size, const, uint32_t, send_queue_size)

DOCA_PRIV_RDMA_SETTER(set_recv_queue_size, uint32_t, recv_queue_size,
                      return doca_priv_rdma_set_size(rdma, &rdma->recv_queue_size, recv_queue_size,
                                                     rdma->limits.recv_queue, __func__);)
DOCA_PRIV_RDMA_GETTER(get_recv_queue_size, const, uint32_t, recv_queue_size)

/* Store a number that is at least 1 and at most `max`. */
static doca_error_t doca_priv_rdma_set_number(struct doca_rdma *rdma, uint32_t *to, uint32_t value,
                                              uint32_t max, const char *function)
{
    if (value == 0 || value > max)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, function);
    *to = value;
    return DOCA_SUCCESS;
}

DOCA_PRIV_RDMA_SETTER(set_max_send_buf_list_len, uint32_t, max_send_buf_list_len,
                      return doca_priv_rdma_set_number(rdma, &rdma->send_list_len,
                                                       max_send_buf_list_len,
                                                       rdma->limits.send_list, __func__);)
DOCA_PRIV_RDMA_GETTER(get_max_send_buf_list_len, const, uint32_t, send_list_len)

DOCA_PRIV_RDMA_SETTER(task_receive_set_dst_buf_list_len, uint32_t, buf_list_len,
                      return doca_priv_rdma_set_number(rdma, &rdma->recv_list_len, buf_list_len,
                                                       rdma->limits.recv_list, __func__);)
DOCA_PRIV_RDMA_GETTER(task_receive_get_dst_buf_list_len, const, uint32_t, recv_list_len)

DOCA_PRIV_RDMA_SETTER(set_transport_type, enum doca_rdma_transport_type, transport_type,
                      return doca_priv_rdma_check_transport(transport_type, rdma, __func__);)

DOCA_CORE_DECL doca_error_t doca_rdma_get_transport_type(
    const struct doca_rdma *rdma, enum doca_rdma_transport_type *transport_type)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, transport_type, __func__);

    if (rc == DOCA_SUCCESS)
        *transport_type = DOCA_RDMA_TRANSPORT_TYPE_RC;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_set_permissions(struct doca_rdma *rdma, uint32_t permissions)
{
    DOCA_PRIV_OPEN(rdma)
    const uint32_t known = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                           DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
                           DOCA_ACCESS_FLAG_RDMA_ATOMIC;
    doca_error_t rc = doca_priv_rdma_change(rdma, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((permissions & ~known) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_FLAGS, rdma);
    rdma->permissions = permissions;
    return DOCA_SUCCESS;
}
DOCA_PRIV_RDMA_GETTER(get_permissions, , uint32_t, permissions)

DOCA_CORE_DECL doca_error_t doca_rdma_set_max_num_connections(struct doca_rdma *rdma,
                                                              uint16_t max_num_connections)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_rdma_change(rdma, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (max_num_connections > DOCA_CORE_RDMA_MAX_CONNECTIONS)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, __func__);
    if (max_num_connections == 0 || (rdma->is_of_25 && max_num_connections != 1))
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_NOT_SUPPORTED, __func__);
    rdma->max_conns = max_num_connections;
    return DOCA_SUCCESS;
}
DOCA_PRIV_RDMA_GETTER(get_max_num_connections, , uint16_t, max_conns)

/* Store a small number in a member after a check. */
#define DOCA_PRIV_RDMA_SET_IF(is_valid, member, value)                                             \
    if (!(is_valid))                                                                               \
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, __func__);                    \
    rdma->member = (value);                                                                        \
    return DOCA_SUCCESS;

DOCA_PRIV_RDMA_SETTER(set_connection_request_timeout, uint16_t, timeout,
                      DOCA_PRIV_RDMA_SET_IF(timeout != 0, timeout, timeout))
DOCA_PRIV_RDMA_GETTER(get_connection_request_timeout, const, uint16_t, timeout)

DOCA_PRIV_RDMA_SETTER(set_rnr_retry_count, uint8_t, rnr_retry_count,
                      DOCA_PRIV_RDMA_SET_IF(rnr_retry_count <= 7, rnr_retry_count, rnr_retry_count))
DOCA_PRIV_RDMA_GETTER(get_rnr_retry_count, const, uint8_t, rnr_retry_count)

DOCA_CORE_DECL doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_rdma_change(rdma, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (mtu == DOCA_MTU_SIZE_RAW_ETHERNET)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_NOT_SUPPORTED, __func__);
    if ((unsigned)mtu > (unsigned)DOCA_MTU_SIZE_4K_BYTES)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, __func__);
    rdma->mtu = (uint8_t)mtu;
    return DOCA_SUCCESS;
}
DOCA_PRIV_RDMA_GETTER(get_mtu, const, enum doca_mtu_size, mtu)

DOCA_PRIV_RDMA_SETTER(set_grh_enabled, uint8_t, grh_enabled,
                      DOCA_PRIV_RDMA_SET_IF(true, grh_enabled, grh_enabled != 0 ? 1 : 0))
DOCA_PRIV_RDMA_GETTER(get_grh_enabled, const, uint8_t, grh_enabled)

DOCA_PRIV_RDMA_SETTER(set_gid_index, uint32_t, gid_index,
                      DOCA_PRIV_RDMA_SET_IF(gid_index < rdma->limits.gids, gid_index, gid_index))
DOCA_PRIV_RDMA_GETTER(get_gid_index, const, uint32_t, gid_index)

DOCA_PRIV_RDMA_SETTER(set_sl, uint32_t, sl, DOCA_PRIV_RDMA_SET_IF(sl <= 15, sl, sl))
DOCA_PRIV_RDMA_GETTER(get_sl, const, uint32_t, sl)

DOCA_CORE_DECL doca_error_t doca_rdma_set_connection_state_callbacks(
    struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
    doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
    doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
    doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, __func__);

    if (rc == DOCA_SUCCESS &&
        (doca_rdma_connect_established_cb == NULL || doca_rdma_connect_failure_cb == NULL ||
         doca_rdma_disconnect_cb == NULL))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, rdma);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_change(rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    rdma->requested = doca_rdma_connect_request_cb;
    rdma->established = doca_rdma_connect_established_cb;
    rdma->not_connected = doca_rdma_connect_failure_cb;
    rdma->disconnected = doca_rdma_disconnect_cb;
    return DOCA_SUCCESS;
}

/* ---- >>impl.rdma.connect --------------------------------------------------------------------
 * The calls that make, accept, reject and end connections.                                       */
#include "compat/rdma/connection.h"

#include "base/clock_priv.h"
#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/devinfo_priv.h"
#include "progress/ctx.h"
#include "fault/text_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/create_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"

/* Check that an instance of 2.10 is running. */
static doca_error_t doca_priv_rdma_check_running(const struct doca_rdma *r, const char *function)
{
    doca_error_t rc = doca_priv_check_args(r, DOCA_PRIV_KIND_RDMA, r, function);

    if (rc == DOCA_SUCCESS && r->is_of_25)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_RDMA_OF_25, function, r);
    if (rc == DOCA_SUCCESS && r->ctx.obj.state != DOCA_CTX_STATE_RUNNING)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, r);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_export(struct doca_rdma *rdma,
                                             const void **local_rdma_conn_details,
                                             size_t *local_rdma_conn_details_size,
                                             struct doca_rdma_connection **rdma_connection)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    struct doca_rdma_connection *c = NULL;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (local_rdma_conn_details == NULL || local_rdma_conn_details_size == NULL ||
        rdma_connection == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_rdma_check_running(rdma, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_fault_call(&rdma->ctx, DOCA_PRIV_FAULT_RDMA_EXPORT);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_rdma_conn_open(rdma, &c, __func__);
    if (rc != DOCA_SUCCESS)
        return rc == DOCA_ERROR_OPERATING_SYSTEM ? DOCA_ERROR_CONNECTION_ABORTED : rc;
    *local_rdma_conn_details = rdma->transport->show(c, local_rdma_conn_details_size);
    *rdma_connection = c;
    return DOCA_SUCCESS;
}

/* Connect a connection of the instance to the peer with these details. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_connect(struct doca_rdma *r,
                                                   struct doca_rdma_connection *connection,
                                                   const void *details, size_t len,
                                                   const char *function)
{
    doca_error_t rc;

    if (!doca_priv_rdma_is_connection(connection))
        return doca_priv_fail_handle(connection, function);
    if (details == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              connection);
    if (connection->rdma != r)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_OF_OTHER, function,
                              connection);
    if (connection->obj.state == DOCA_PRIV_RDMA_DOWN && !connection->was_up)
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_GONE, function,
                              connection);
    if (connection->obj.state != DOCA_PRIV_RDMA_MADE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_RDMA_CONNECTED, function,
                              connection);
    rc = doca_priv_fault_call(&r->ctx, DOCA_PRIV_FAULT_RDMA_CONNECT);
    return rc != DOCA_SUCCESS ? rc : r->transport->connect(connection, details, len, function);
}

DOCA_CORE_DECL doca_error_t doca_rdma_connect(struct doca_rdma *rdma,
                                              const void *remote_rdma_conn_details,
                                              size_t remote_rdma_conn_details_size,
                                              struct doca_rdma_connection *rdma_connection)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_rdma_check_running(rdma, __func__);
    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_rdma_connect(rdma, rdma_connection, remote_rdma_conn_details,
                                        remote_rdma_conn_details_size, __func__);
}

/* Find the port, or with `port` 0 an unused entry. */
static struct doca_priv_rdma_port *doca_priv_rdma_find_port(struct doca_rdma *r, uint16_t port)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        if (port == 0 ? r->ports[i].fd < 0 : r->ports[i].fd >= 0 && r->ports[i].port == port)
            return &r->ports[i];
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma, uint16_t port)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    struct doca_priv_rdma_port *entry;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (port == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_PORT, rdma);
    rc = doca_priv_rdma_check_running(rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (rdma->transport->listen == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, RDMA_BY_EXPORT, rdma);
    if (rdma->requested == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, RDMA_NO_CALLBACKS, rdma);
    entry = doca_priv_rdma_find_port(rdma, 0);
    if (entry == NULL || doca_priv_rdma_find_port(rdma, port) != NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, RDMA_PORTS, rdma);
    rc = doca_priv_fault_call(&rdma->ctx, DOCA_PRIV_FAULT_RDMA_LISTEN);
    return rc != DOCA_SUCCESS ? rc : rdma->transport->listen(rdma, entry, port, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma, uint16_t port)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    struct doca_priv_rdma_port *entry;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    entry = port != 0 && rdma->conns != NULL ? doca_priv_rdma_find_port(rdma, port) : NULL;
    if (entry == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_PORT, rdma);
    rdma->transport->unlisten(rdma, entry);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connect_to_addr(struct doca_rdma *rdma,
                                                      struct doca_rdma_addr *addr,
                                                      union doca_data connection_user_data)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    struct doca_rdma_connection *c = NULL;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(addr, DOCA_PRIV_KIND_RDMA_ADDR, addr, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_check_running(rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (rdma->transport->ask == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, RDMA_BY_EXPORT, rdma);
    if (rdma->established == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, RDMA_NO_CALLBACKS, rdma);
    rc = doca_priv_rdma_conn_open(rdma, &c, __func__);
    if (rc != DOCA_SUCCESS)
        return rc == DOCA_ERROR_OPERATING_SYSTEM ? DOCA_ERROR_CONNECTION_ABORTED : rc;
    c->user_data = connection_user_data;
    rc = doca_priv_fault_call(&rdma->ctx, DOCA_PRIV_FAULT_RDMA_CONNECT_TO_ADDR);
    if (rc == DOCA_SUCCESS)
        rc = rdma->transport->ask(c, addr, __func__);
    if (rc != DOCA_SUCCESS)
        rdma->transport->down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
    return rc;
}

/* Check that a connection waits for accept or reject. */
static doca_error_t doca_priv_rdma_check_asked(const struct doca_rdma_connection *connection,
                                               const char *function)
{
    if (!doca_priv_rdma_is_connection(connection))
        return doca_priv_fail_handle(connection, function);
    return connection->obj.state == DOCA_PRIV_RDMA_ASKED
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_NOT_ASKED, function,
                                connection);
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_accept(
    struct doca_rdma_connection *rdma_connection, void *private_data, uint8_t private_data_len)
{
    struct doca_rdma_connection *c = rdma_connection;
    doca_error_t rc = doca_priv_rdma_check_asked(c, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((private_data == NULL) != (private_data_len == 0))
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, c);
    rc = doca_priv_fault_call(&c->rdma->ctx, DOCA_PRIV_FAULT_RDMA_ACCEPT);
    if (rc == DOCA_SUCCESS)
        return c->rdma->transport->accept(c, private_data, private_data_len, __func__);
    c->rdma->transport->down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection)
{
    doca_error_t rc = doca_priv_rdma_check_asked(rdma_connection, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_fault_call(&rdma_connection->rdma->ctx, DOCA_PRIV_FAULT_RDMA_REJECT);
    if (rc != DOCA_SUCCESS)
        return rc;
    rdma_connection->rdma->transport->down(rdma_connection, DOCA_ERROR_CONNECTION_ABORTED,
                                           DOCA_PRIV_RDMA_NOTHING);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection)
{
    struct doca_rdma_connection *c = rdma_connection;
    doca_error_t rc;

    if (!doca_priv_rdma_is_connection(c))
        return DOCA_PRIV_FAIL_HANDLE(c);
    if (c->obj.state == DOCA_PRIV_RDMA_DOWN)
        return DOCA_SUCCESS;
    rc = doca_priv_fault_call(&c->rdma->ctx, DOCA_PRIV_FAULT_RDMA_DISCONNECT);
    if (rc == DOCA_SUCCESS)
        c->rdma->transport->down(c, DOCA_ERROR_CONNECTION_ABORTED,
                                 c->was_up ? DOCA_PRIV_RDMA_DISCONNECTED : DOCA_PRIV_RDMA_NOTHING);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_set_user_data(
    struct doca_rdma_connection *rdma_connection, union doca_data connection_user_data)
{
    if (!doca_priv_rdma_is_connection(rdma_connection))
        return DOCA_PRIV_FAIL_HANDLE(rdma_connection);
    rdma_connection->user_data = connection_user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_get_user_data(
    const struct doca_rdma_connection *rdma_connection, union doca_data *connection_user_data)
{
    doca_error_t rc = doca_priv_check_args(rdma_connection, DOCA_PRIV_KIND_RDMA_CONNECTION,
                                           connection_user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *connection_user_data = rdma_connection->user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_get_addr(
    const struct doca_rdma_connection *rdma_connection, struct doca_rdma_addr **addr)
{
    doca_error_t rc =
        doca_priv_check_args(rdma_connection, DOCA_PRIV_KIND_RDMA_CONNECTION, addr, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (rdma_connection->addr == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_NO_ADDRESS, rdma_connection);
    *addr = rdma_connection->addr;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_get_id(
    const struct doca_rdma_connection *rdma_connection, uint32_t *connection_id)
{
    doca_error_t rc = doca_priv_check_args(rdma_connection, DOCA_PRIV_KIND_RDMA_CONNECTION,
                                           connection_id, __func__);

    if (rc == DOCA_SUCCESS)
        *connection_id = (uint32_t)(rdma_connection - rdma_connection->rdma->conns);
    return rc;
}

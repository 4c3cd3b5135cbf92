/* ---- >>impl.comch.settings ------------------------------------------------------------------
 * Settings and callbacks of servers and clients, and calls for their connections. The calls for
 * servers differ from the calls for clients only in the type of the handle.                     */
#include "compat/comch/comch.h"

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
#include "compat/comch/config.h"
#include "compat/comch/connection_priv.h"
#include "compat/comch/objects_priv.h"

/* Check that a server or client may be configured. */
static doca_error_t doca_priv_comch_change(const struct doca_priv_comch *c, uint8_t kind,
                                           const char *function)
{
    doca_error_t rc = doca_priv_check_args(c, kind, c, function);

    return rc != DOCA_SUCCESS ? rc : doca_priv_ctx_change(&c->ctx, DOCA_ERROR_BAD_STATE, function);
}

enum doca_priv_comch_number {
    DOCA_PRIV_COMCH_MSG_SIZE,
    DOCA_PRIV_COMCH_RECV_SIZE,
    DOCA_PRIV_COMCH_CLIENTS
};

static uint32_t *doca_priv_comch_number(struct doca_priv_comch *c,
                                        enum doca_priv_comch_number which)
{
    return which == DOCA_PRIV_COMCH_MSG_SIZE    ? &c->max_msg
           : which == DOCA_PRIV_COMCH_RECV_SIZE ? &c->recv_queue_size
                                                : &c->max_conns;
}

static doca_error_t doca_priv_comch_set(void *handle, uint8_t kind,
                                        enum doca_priv_comch_number which, uint32_t value,
                                        const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)handle;
    const uint32_t max = which == DOCA_PRIV_COMCH_MSG_SIZE    ? DOCA_CORE_COMCH_MAX_MSG
                         : which == DOCA_PRIV_COMCH_RECV_SIZE ? DOCA_CORE_COMCH_MAX_RECV_QUEUE
                                                              : DOCA_CORE_COMCH_MAX_CLIENTS;
    DOCA_PRIV_ENTER(c, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_comch_change(c, kind, function);
    if (rc == DOCA_SUCCESS && (value == 0 || value > max))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_LIMIT, function, c);
    if (rc == DOCA_SUCCESS)
        *doca_priv_comch_number(c, which) = value;
    return rc;
}

static doca_error_t doca_priv_comch_get(const void *handle, uint8_t kind,
                                        enum doca_priv_comch_number which, uint32_t *value,
                                        const char *function)
{
    doca_error_t rc = doca_priv_check_args(handle, kind, value, function);

    if (rc == DOCA_SUCCESS)
        *value = *doca_priv_comch_number((struct doca_priv_comch *)(uintptr_t)handle, which);
    return rc;
}

static doca_error_t doca_priv_comch_get_device(const void *handle, uint8_t kind,
                                               struct doca_dev **dev, const char *function)
{
    doca_error_t rc = doca_priv_check_args(handle, kind, dev, function);

    if (rc == DOCA_SUCCESS)
        *dev = ((const struct doca_priv_comch *)handle)->ctx.dev;
    return rc;
}

static doca_error_t doca_priv_comch_set_conf(void *handle, uint8_t kind,
                                             doca_comch_task_send_completion_cb_t done,
                                             doca_comch_task_send_completion_cb_t failed,
                                             uint32_t num_tasks, const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)handle;
    DOCA_PRIV_ENTER(c, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(c, kind, c, function);
    if (rc == DOCA_SUCCESS && (done == NULL || failed == NULL))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function, c);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_ctx_change(&c->ctx, DOCA_ERROR_BAD_STATE, function);
    if (rc == DOCA_SUCCESS && (num_tasks == 0 || num_tasks > DOCA_CORE_COMCH_MAX_SEND_TASKS))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_LIMIT, function, c);
    if (rc != DOCA_SUCCESS)
        return rc;
    c->send_done = done;
    c->send_failed = failed;
    c->send_stock.num = num_tasks;
    return DOCA_SUCCESS;
}

/* Check a call that sets event callbacks. `all_given` says that the program passed all of them. */
static doca_error_t doca_priv_comch_may_register(void *handle, uint8_t kind, bool all_given,
                                                 const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)handle;
    DOCA_PRIV_ENTER(c, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(c, kind, c, function);
    if (rc == DOCA_SUCCESS && !all_given)
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function, c);
    return rc != DOCA_SUCCESS ? rc : doca_priv_ctx_change(&c->ctx, DOCA_ERROR_BAD_STATE, function);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server, uint32_t size)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_set(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_MSG_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server, uint32_t *size)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_get(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_MSG_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server, uint32_t size)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_set(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_RECV_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_get_recv_queue_size(const struct doca_comch_server *comch_server, uint32_t *size)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_get(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_RECV_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_get_device(const struct doca_comch_server *comch_server, struct doca_dev **dev)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_get_device(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, dev, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server)
{
    return (struct doca_ctx *)(void *)comch_server;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_task_send_set_conf(
    struct doca_comch_server *comch_server, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_set_conf(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, task_completion_cb,
                                    task_error_cb, num_send_tasks, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_server_event_msg_recv_register(
    struct doca_comch_server *comch_server, doca_comch_event_msg_recv_cb_t recv_event_cb)
{
    DOCA_PRIV_OPEN(comch_server)
    doca_error_t rc = doca_priv_comch_may_register(comch_server, DOCA_PRIV_KIND_COMCH_SERVER,
                                                   recv_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS)
        comch_server->comch.received = recv_event_cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_event_consumer_register(
    struct doca_comch_server *comch_server, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb)
{
    DOCA_PRIV_OPEN(comch_server)
    doca_error_t rc = doca_priv_comch_may_register(
        comch_server, DOCA_PRIV_KIND_COMCH_SERVER,
        new_consumer_event_cb != NULL && expired_consumer_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS) {
        comch_server->comch.consumer_new = new_consumer_event_cb;
        comch_server->comch.consumer_expired = expired_consumer_event_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client, uint32_t size)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_set(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, DOCA_PRIV_COMCH_MSG_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client, uint32_t *size)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_get(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, DOCA_PRIV_COMCH_MSG_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client, uint32_t size)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_set(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, DOCA_PRIV_COMCH_RECV_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_get_recv_queue_size(const struct doca_comch_client *comch_client, uint32_t *size)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_get(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, DOCA_PRIV_COMCH_RECV_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_get_device(const struct doca_comch_client *comch_client, struct doca_dev **dev)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_get_device(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, dev, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client)
{
    return (struct doca_ctx *)(void *)comch_client;
}

DOCA_CORE_DECL doca_error_t doca_comch_client_task_send_set_conf(
    struct doca_comch_client *comch_client, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_set_conf(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, task_completion_cb,
                                    task_error_cb, num_send_tasks, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_client_event_msg_recv_register(
    struct doca_comch_client *comch_client, doca_comch_event_msg_recv_cb_t recv_event_cb)
{
    DOCA_PRIV_OPEN(comch_client)
    doca_error_t rc = doca_priv_comch_may_register(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT,
                                                   recv_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS)
        comch_client->comch.received = recv_event_cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_client_event_consumer_register(
    struct doca_comch_client *comch_client, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb)
{
    DOCA_PRIV_OPEN(comch_client)
    doca_error_t rc = doca_priv_comch_may_register(
        comch_client, DOCA_PRIV_KIND_COMCH_CLIENT,
        new_consumer_event_cb != NULL && expired_consumer_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS) {
        comch_client->comch.consumer_new = new_consumer_event_cb;
        comch_client->comch.consumer_expired = expired_consumer_event_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_get_device_rep(
    const struct doca_comch_server *comch_server, struct doca_dev_rep **rep)
{
    DOCA_PRIV_OPEN(comch_server)
    doca_error_t rc =
        doca_priv_check_args(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, rep, __func__);

    if (rc == DOCA_SUCCESS)
        *rep = comch_server->comch.rep;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_event_connection_status_changed_register(
    struct doca_comch_server *comch_server,
    doca_comch_event_connection_status_changed_cb_t connect_event_cb,
    doca_comch_event_connection_status_changed_cb_t disconnect_event_cb)
{
    DOCA_PRIV_OPEN(comch_server)
    doca_error_t rc = doca_priv_comch_may_register(
        comch_server, DOCA_PRIV_KIND_COMCH_SERVER,
        connect_event_cb != NULL && disconnect_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS) {
        comch_server->comch.connected = connect_event_cb;
        comch_server->comch.disconnected = disconnect_event_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
                                                         struct doca_comch_connection *connection)
{
    DOCA_PRIV_OPEN(comch_server)
    DOCA_PRIV_ENTER(comch_server, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, comch_server, __func__);
    if (rc == DOCA_SUCCESS)
        rc =
            doca_priv_check_args(connection, DOCA_PRIV_KIND_COMCH_CONNECTION, connection, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (connection->comch != &comch_server->comch)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_OF_OTHER, connection);
    if (doca_priv_comch_has_children(connection))
        return DOCA_PRIV_FAIL(IN_USE, COMCH_CHILDREN, connection);
    if (connection->obj.state == DOCA_PRIV_COMCH_UP)
        doca_priv_comch_conn_hang_up(connection);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comch_client_get_connection(
    const struct doca_comch_client *comch_client, struct doca_comch_connection **connection)
{
    DOCA_PRIV_OPEN(comch_client)
    doca_error_t rc =
        doca_priv_check_args(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, connection, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (comch_client->comch.conns == NULL ||
        comch_client->comch.conns[0].obj.state == DOCA_PRIV_COMCH_FREE)
        return DOCA_PRIV_FAIL(BAD_STATE, COMCH_NOT_STARTED, comch_client);
    *connection = &comch_client->comch.conns[0];
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_core_comch_server_set_max_clients(struct doca_comch_server *comch_server, uint32_t num_clients)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_set(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_CLIENTS,
                               num_clients, __func__);
}

/* ---- >>impl.comch.send ----------------------------------------------------------------------
 * Allocation of the send tasks of servers and clients.                                          */
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
#include "progress/task.h"
#include "progress/task_priv.h"
#include "compat/comch/config.h"
#include "compat/comch/connection_priv.h"
#include "compat/comch/objects_priv.h"

DOCA_PRIV_ASSERT_STATIC(comch_send_fits_its_slot,
                        sizeof(struct doca_comch_task_send) <= DOCA_PRIV_COMCH_TASK_BYTES);

static doca_error_t doca_priv_comch_alloc(void *handle, uint8_t kind,
                                          struct doca_comch_connection *peer, const void *msg,
                                          uint32_t len, struct doca_comch_task_send **task,
                                          const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)handle;
    doca_error_t rc = doca_priv_check_args(c, kind, task, function);
    struct doca_comch_task_send *send;
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(peer, DOCA_PRIV_KIND_COMCH_CONNECTION, peer, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (msg == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function, c);
    if (peer->comch != c)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_OF_OTHER, function,
                              peer);
    if (len > (peer->was_up ? peer->max_msg : c->max_msg))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_TOO_LONG, function,
                              peer);
    rc = doca_priv_task_take(&c->ctx, 0, &taken, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    send = (struct doca_comch_task_send *)(void *)taken;
    send->task.user_data.u64 = 0;
    send->connection = peer;
    send->bytes = msg;
    send->len = len;
    send->serial = peer->serial;
    *task = (struct doca_comch_task_send *)DOCA_PRIV_HANDLE(send);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_task_send_alloc_init(
    struct doca_comch_server *comch_server, struct doca_comch_connection *peer, const void *msg,
    uint32_t len, struct doca_comch_task_send **task)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_alloc(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, peer, msg, len, task,
                                 __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_client_task_send_alloc_init(
    struct doca_comch_client *comch_client, struct doca_comch_connection *peer, const void *msg,
    uint32_t len, struct doca_comch_task_send **task)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_alloc(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, peer, msg, len, task,
                                 __func__);
}

DOCA_CORE_DECL struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task)
{
    return (struct doca_task *)(void *)task;
}

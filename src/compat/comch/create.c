/* ---- >>impl.comch.create --------------------------------------------------------------------
 * Capabilities of devices; servers and clients from create to destroy.                          */
#include "compat/comch/comch.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "device/devinfo_priv.h"
#include "device/rep.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "compat/comch/channel_priv.h"
#include "compat/comch/config.h"
#include "compat/comch/objects_priv.h"

/* Return a limit that is the same for all devices. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_limit(const struct doca_devinfo *devinfo, uint32_t *to,
                                                  uint32_t limit, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, to, function);

    if (rc == DOCA_SUCCESS)
        *to = limit;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo,
                                                            uint32_t *max_name_len)
{
    return doca_priv_comch_limit(devinfo, max_name_len, DOCA_CORE_COMCH_MAX_NAME, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo,
                                                            uint32_t *size)
{
    return doca_priv_comch_limit(devinfo, size, DOCA_CORE_COMCH_MAX_MSG, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *size)
{
    return doca_priv_comch_limit(devinfo, size, DOCA_CORE_COMCH_MAX_RECV_QUEUE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo,
                                                           uint32_t *num_clients)
{
    return doca_priv_comch_limit(devinfo, num_clients, DOCA_CORE_COMCH_MAX_CLIENTS, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
                                                              uint32_t *max_send_tasks)
{
    return doca_priv_comch_limit(devinfo, max_send_tasks, DOCA_CORE_COMCH_MAX_SEND_TASKS, __func__);
}

/* Check that a device belongs to a DPU or to its host. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_check_card(const struct doca_devinfo *devinfo,
                                                       const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, devinfo, function);

    if (rc == DOCA_SUCCESS && devinfo->attr.limits.has_no_comch != 0)
        rc = doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMCH_NO_DPU, function,
                            devinfo);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo)
{
    doca_error_t rc = doca_priv_comch_check_card(devinfo, __func__);

    if (rc == DOCA_SUCCESS &&
        (devinfo->attr.side == DOCA_CORE_SIDE_HOST || devinfo->attr.rep_filters == 0))
        rc = DOCA_PRIV_FAIL(NOT_SUPPORTED, COMCH_NOT_SERVER, devinfo);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo)
{
    doca_error_t rc = doca_priv_comch_check_card(devinfo, __func__);

    if (rc == DOCA_SUCCESS && devinfo->attr.side == DOCA_CORE_SIDE_DPU)
        rc = DOCA_PRIV_FAIL(NOT_SUPPORTED, COMCH_NOT_CLIENT, devinfo);
    return rc;
}

static void doca_priv_comch_send_ended(struct doca_task *task)
{
    const struct doca_priv_comch *c = (const struct doca_priv_comch *)(const void *)task->ctx;

    (task->status == DOCA_SUCCESS ? c->send_done : c->send_failed)(
        (struct doca_comch_task_send *)DOCA_PRIV_HANDLE(task), task->user_data, c->ctx.user_data);
}

/* Set the initial settings of a new object. The caller has checked the length of `name`. */
static void doca_priv_comch_init(struct doca_priv_comch *c, uint8_t kind,
                                 struct doca_core_arena *arena, struct doca_dev *dev,
                                 struct doca_dev_rep *rep, const char *name)
{
    c->send_stock.done = doca_priv_comch_send_ended;
    c->send_stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    c->rep = rep;
    c->max_msg = DOCA_CORE_COMCH_MAX_MSG;
    c->recv_queue_size = DOCA_PRIV_COMCH_RECV_QUEUE;
    c->max_conns = rep != NULL ? DOCA_CORE_COMCH_MAX_CLIENTS : 1;
    DOCA_CORE_MEMCPY(c->name, name, doca_priv_str_len(name) + 1);
    doca_priv_ctx_init(&c->ctx, kind, &doca_priv_comch_engine, doca_priv_comch_backend_of(dev),
                       arena, dev, 1);
}

/* Create a server, or a client when `rep` is NULL, in `arena`. NULL selects the arena of the
 * device. */
static doca_error_t doca_priv_comch_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                           struct doca_dev_rep *rep, const char *name, uint8_t kind,
                                           void **object, const char *function)
{
    const struct doca_core_dev_attr *attr;
    void *block = NULL;
    doca_error_t rc;

    if (name == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    if (name[0] == '\0' || doca_priv_str_len(name) >= DOCA_CORE_COMCH_MAX_NAME)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_NAME, function, NULL);
    rc = kind == DOCA_PRIV_KIND_COMCH_SERVER
             ? doca_comch_cap_server_is_supported(doca_dev_as_devinfo(dev))
             : doca_comch_cap_client_is_supported(doca_dev_as_devinfo(dev));
    if (rc != DOCA_SUCCESS)
        return rc;
    if (rep != NULL && rep->dev != dev)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_REP, function, rep);
    attr = rep != NULL ? &rep->info.info.attr : &dev->info.attr;
    if (doca_priv_comch_name_of(attr)[0] == '\0')
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMCH_FUNCTION, function,
                              dev);
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(struct doca_priv_comch), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_comch_init((struct doca_priv_comch *)block, kind, arena, dev, rep, name);
    if (rep != NULL) {
        doca_priv_lock(&doca_priv_world.lock);
        rep->num_opens++;
        doca_priv_unlock(&doca_priv_world.lock);
    }
    *object = DOCA_PRIV_HANDLE(block);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_comch_create_server(struct doca_core_arena *arena,
                                                  struct doca_dev *dev, struct doca_dev_rep *rep,
                                                  const char *name,
                                                  struct doca_comch_server **server,
                                                  const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, server, function);
    void *object = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(rep, DOCA_PRIV_KIND_DEV_REP, rep, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_comch_create(arena, dev, rep, name, DOCA_PRIV_KIND_COMCH_SERVER, &object,
                                    function);
    if (rc == DOCA_SUCCESS)
        *server = (struct doca_comch_server *)object;
    return rc;
}

static doca_error_t doca_priv_comch_create_client(struct doca_core_arena *arena,
                                                  struct doca_dev *dev, const char *name,
                                                  struct doca_comch_client **client,
                                                  const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, client, function);
    void *object = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_comch_create(arena, dev, NULL, name, DOCA_PRIV_KIND_COMCH_CLIENT, &object,
                                    function);
    if (rc == DOCA_SUCCESS)
        *client = (struct doca_comch_client *)object;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_create(struct doca_dev *dev,
                                                     struct doca_dev_rep *repr, const char *name,
                                                     struct doca_comch_server **comch_server)
{
    return doca_priv_comch_create_server(NULL, dev, repr, name, comch_server, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comch_server_create_in(struct doca_core_arena *arena,
                                                             struct doca_dev *dev,
                                                             struct doca_dev_rep *repr,
                                                             const char *name,
                                                             struct doca_comch_server **server)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, server, __func__);

    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_comch_create_server(arena, dev, repr, name, server, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
                                                     struct doca_comch_client **comch_client)
{
    return doca_priv_comch_create_client(NULL, dev, name, comch_client, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comch_client_create_in(struct doca_core_arena *arena,
                                                             struct doca_dev *dev, const char *name,
                                                             struct doca_comch_client **client)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, client, __func__);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_comch_create_client(arena, dev, name, client, __func__);
}

static doca_error_t doca_priv_comch_destroy(struct doca_priv_comch *c, const char *function)
{
    struct doca_dev_rep *rep = c->rep;
    doca_error_t rc;

    if (c->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CTX_NOT_IDLE, function, c);
    rc = doca_priv_ctx_destroy(&c->ctx, function);
    if (rc == DOCA_SUCCESS && rep != NULL)
        rc = doca_dev_rep_close(rep);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server)
{
    DOCA_PRIV_OPEN(comch_server)
    if (!doca_priv_is(comch_server, DOCA_PRIV_KIND_COMCH_SERVER))
        return DOCA_PRIV_FAIL_HANDLE(comch_server);
    return doca_priv_comch_destroy(&comch_server->comch, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client)
{
    DOCA_PRIV_OPEN(comch_client)
    if (!doca_priv_is(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT))
        return DOCA_PRIV_FAIL_HANDLE(comch_client);
    return doca_priv_comch_destroy(&comch_client->comch, __func__);
}

/* Compute the arena bytes of a started server or client. */
static doca_error_t doca_priv_comch_bytes(struct doca_dev *dev, uint32_t max_conns,
                                          uint32_t num_send_tasks, uint32_t max_msg, size_t *bytes,
                                          const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, function);
    struct doca_priv_comch c;
    size_t block = 0;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (max_conns == 0 || max_conns > DOCA_CORE_COMCH_MAX_CLIENTS || max_msg == 0 ||
        max_msg > DOCA_CORE_COMCH_MAX_MSG || num_send_tasks > DOCA_CORE_COMCH_MAX_SEND_TASKS)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_LIMIT, function, dev);
    DOCA_CORE_MEMSET(&c, 0, sizeof(c));
    c.ctx.dev = dev;
    c.ctx.backend = doca_priv_comch_backend_of(dev);
    c.ctx.engine = &doca_priv_comch_engine;
    c.ctx.num_stocks = 1;
    c.send_stock.num = num_send_tasks;
    c.send_stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    rc = doca_priv_ctx_bytes(&c.ctx, sizeof(c), bytes, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_bytes_object(doca_priv_comch_block_bytes(max_conns, max_msg), &block,
                                    function);
    *bytes += block;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_server(struct doca_dev *dev, uint32_t num_clients,
                                                         uint32_t num_send_tasks, uint32_t max_msg,
                                                         size_t *bytes)
{
    return doca_priv_comch_bytes(dev, num_clients, num_send_tasks, max_msg, bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_client(struct doca_dev *dev,
                                                         uint32_t num_send_tasks, uint32_t max_msg,
                                                         size_t *bytes)
{
    return doca_priv_comch_bytes(dev, 1, num_send_tasks, max_msg, bytes, __func__);
}

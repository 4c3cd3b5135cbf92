/* ---- >>impl.comch.consumer ------------------------------------------------------------------
 * Consumers: capabilities, create, settings, tasks. The queue is in >>impl.comch.inlet.         */
#include "compat/comch/consumer.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/task_priv.h"
#include "compat/comch/channel_priv.h"
#include "compat/comch/config.h"
#include "compat/comch/connection_priv.h"
#include "compat/comch/inlet_priv.h"
#include "compat/comch/objects_priv.h"

DOCA_PRIV_ASSERT_STATIC(comch_recv_fits_its_slot,
                        sizeof(struct doca_comch_consumer_task_post_recv) <=
                            DOCA_PRIV_COMCH_TASK_BYTES);

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo)
{
    return doca_priv_comch_check_card(devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_num_tasks(
    const struct doca_devinfo *devinfo, uint32_t *max_num_tasks)
{
    return doca_priv_comch_limit(devinfo, max_num_tasks, DOCA_CORE_COMCH_MAX_TASKS, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t *max_buf_size)
{
    return doca_priv_comch_limit(devinfo, max_buf_size, DOCA_CORE_COMCH_MAX_BUF, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
    return doca_priv_comch_limit(devinfo, max_buf_list_len, 1, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_consumers(
    const struct doca_devinfo *devinfo, uint32_t *max_consumers)
{
    return doca_priv_comch_limit(devinfo, max_consumers, DOCA_CORE_COMCH_MAX_CONSUMERS, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(
    const struct doca_devinfo *devinfo, uint32_t *max_imm_data_len)
{
    return doca_priv_comch_limit(devinfo, max_imm_data_len, DOCA_CORE_COMCH_MAX_IMM, __func__);
}

static void doca_priv_comch_recv_ended(struct doca_task *task)
{
    const struct doca_comch_consumer *consumer =
        (const struct doca_comch_consumer *)(const void *)task->ctx;

    (task->status == DOCA_SUCCESS ? consumer->done : consumer->failed)(
        (struct doca_comch_consumer_task_post_recv *)DOCA_PRIV_HANDLE(task), task->user_data,
        consumer->ctx.user_data);
}

/* Create a consumer in `arena`. NULL selects the arena of the device. */
static doca_error_t doca_priv_comch_create_consumer(struct doca_core_arena *arena,
                                                    struct doca_comch_connection *connection,
                                                    struct doca_mmap *mmap,
                                                    struct doca_comch_consumer **consumer,
                                                    const char *function)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_comch_check_up(connection, consumer, function);
    struct doca_comch_consumer *made;
    struct doca_dev *dev;
    void *block = NULL;
    uint32_t id = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, mmap, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_comch_join(connection, true, &id, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    dev = connection->comch->ctx.dev;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*made), &block, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_comch_part(connection, true, id);
        return rc;
    }
    made = (struct doca_comch_consumer *)block;
    made->stock.done = doca_priv_comch_recv_ended;
    made->stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    made->connection = connection;
    made->mmap = mmap;
    made->id = id;
    made->imm_len = DOCA_CORE_COMCH_MAX_IMM;
    doca_priv_ctx_init(&made->ctx, DOCA_PRIV_KIND_COMCH_CONSUMER, &doca_priv_comch_inlet_engine,
                       doca_priv_comch_inlet_backend_of(dev), arena, dev, 1);
    *consumer = (struct doca_comch_consumer *)DOCA_PRIV_HANDLE(made);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
                           struct doca_mmap *buf_mmap, struct doca_comch_consumer **consumer)
{
    return doca_priv_comch_create_consumer(NULL, comch_connection, buf_mmap, consumer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comch_consumer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_mmap *buf_mmap, struct doca_comch_consumer **consumer)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, consumer, __func__);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_comch_create_consumer(arena, comch_connection, buf_mmap,
                                                                consumer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer)
{
    DOCA_PRIV_OPEN(consumer)
    struct doca_comch_connection *connection;
    doca_error_t rc;
    uint32_t id;

    if (!doca_priv_is(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER))
        return DOCA_PRIV_FAIL_HANDLE(consumer);
    if (consumer->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(IN_USE, CTX_NOT_IDLE, consumer);
    connection = consumer->connection;
    id = consumer->id;
    rc = doca_priv_ctx_destroy(&consumer->ctx, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_comch_part(connection, true, id);
    return rc;
}

DOCA_CORE_DECL struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer)
{
    return (struct doca_ctx *)(void *)consumer;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_consumer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_comch_consumer model;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_tasks > DOCA_CORE_COMCH_MAX_TASKS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, dev);
    DOCA_CORE_MEMSET(&model, 0, sizeof(model));
    model.ctx.dev = dev;
    model.ctx.backend = doca_priv_comch_inlet_backend_of(dev);
    model.ctx.engine = &doca_priv_comch_inlet_engine;
    model.ctx.num_stocks = 1;
    model.stock.num = num_tasks;
    model.stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    return doca_priv_ctx_bytes(&model.ctx, sizeof(model), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer,
                                                       uint32_t *id)
{
    DOCA_PRIV_OPEN(consumer)
    doca_error_t rc = doca_priv_check_args(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, id, __func__);

    if (rc == DOCA_SUCCESS)
        *id = consumer->id;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_imm_data_len(
    const struct doca_comch_consumer *consumer, uint32_t *imm_data_len)
{
    DOCA_PRIV_OPEN(consumer)
    doca_error_t rc =
        doca_priv_check_args(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, imm_data_len, __func__);

    if (rc == DOCA_SUCCESS)
        *imm_data_len = consumer->imm_len;
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer, uint32_t imm_data_len)
{
    DOCA_PRIV_OPEN(consumer)
    DOCA_PRIV_ENTER(consumer, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER))
        return DOCA_PRIV_FAIL_HANDLE(consumer);
    if (imm_data_len > DOCA_CORE_COMCH_MAX_IMM)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, consumer);
    rc = doca_priv_ctx_change(&consumer->ctx, DOCA_ERROR_BAD_STATE, __func__);
    if (rc == DOCA_SUCCESS)
        consumer->imm_len = imm_data_len;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_set_conf(
    struct doca_comch_consumer *consumer,
    doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
    doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, uint32_t num_post_recv_tasks)
{
    DOCA_PRIV_OPEN(consumer)
    DOCA_PRIV_ENTER(consumer, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER))
        return DOCA_PRIV_FAIL_HANDLE(consumer);
    if (task_completion_cb == NULL || task_error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, consumer);
    if (num_post_recv_tasks == 0 || num_post_recv_tasks > DOCA_CORE_COMCH_MAX_TASKS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, consumer);
    rc = doca_priv_ctx_change(&consumer->ctx, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    consumer->done = task_completion_cb;
    consumer->failed = task_error_cb;
    consumer->stock.num = num_post_recv_tasks;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
    struct doca_comch_consumer *consumer, struct doca_buf *buf,
    struct doca_comch_consumer_task_post_recv **task)
{
    DOCA_PRIV_OPEN(consumer)
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_check_args(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, task, __func__);
    struct doca_comch_consumer_task_post_recv *recv;
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS && buf != NULL && !doca_priv_comch_inlet_takes(consumer, buf))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_BUF, consumer);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_task_take(&consumer->ctx, 0, &taken, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    recv = (struct doca_comch_consumer_task_post_recv *)(void *)taken;
    recv->task.user_data.u64 = 0;
    recv->buf = buf;
    recv->producer_id = 0;
    recv->imm_len = 0;
    *task = (struct doca_comch_consumer_task_post_recv *)DOCA_PRIV_HANDLE(recv);
    return DOCA_SUCCESS;
}

/* Return the receive task for a getter, or NULL if the task is not a receive task. */
static const struct doca_comch_consumer_task_post_recv *
doca_priv_comch_recv(const struct doca_comch_consumer_task_post_recv *task, const char *function)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_comch_recv_ended, function) ? task : NULL;
}

DOCA_CORE_DECL struct doca_buf *
doca_comch_consumer_task_post_recv_get_buf(const struct doca_comch_consumer_task_post_recv *task)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_recv(task, __func__);

    return recv != NULL && recv->buf != NULL ? (struct doca_buf *)DOCA_PRIV_HANDLE(recv->buf)
                                             : NULL;
}

DOCA_CORE_DECL void
doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
                                           struct doca_buf *buf)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(buf)
    if (doca_priv_task_check(task, doca_priv_comch_recv_ended, __func__) == DOCA_SUCCESS)
        task->buf = buf;
}

DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
    const struct doca_comch_consumer_task_post_recv *task)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_recv(task, __func__);

    return recv != NULL ? recv->producer_id : 0;
}

DOCA_CORE_DECL const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
    const struct doca_comch_consumer_task_post_recv *task)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_recv(task, __func__);

    return recv != NULL && recv->imm_len > 0 ? recv->imm : NULL;
}

DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
    const struct doca_comch_consumer_task_post_recv *task)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_recv(task, __func__);

    return recv != NULL ? recv->imm_len : 0;
}

DOCA_CORE_DECL struct doca_task *
doca_comch_consumer_task_post_recv_as_task(struct doca_comch_consumer_task_post_recv *task)
{
    return (struct doca_task *)(void *)task;
}

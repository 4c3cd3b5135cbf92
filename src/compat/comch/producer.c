/* ---- >>impl.comch.producer ------------------------------------------------------------------
 * Producers: capabilities, create, settings, tasks. The queue is in >>impl.comch.outlet.         */
#include "compat/comch/producer.h"

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
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/task_priv.h"
#include "compat/comch/channel_priv.h"
#include "compat/comch/config.h"
#include "compat/comch/connection_priv.h"
#include "compat/comch/outlet_priv.h"
#include "compat/comch/objects_priv.h"

DOCA_PRIV_ASSERT_STATIC(comch_sending_fits_its_slot,
                        sizeof(struct doca_comch_producer_task_send) <= DOCA_PRIV_COMCH_TASK_BYTES);

DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo)
{
    return doca_priv_comch_check_card(devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_num_tasks(
    const struct doca_devinfo *devinfo, uint32_t *max_num_tasks)
{
    return doca_priv_comch_limit(devinfo, max_num_tasks, DOCA_CORE_COMCH_MAX_TASKS, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t *max_buf_size)
{
    return doca_priv_comch_limit(devinfo, max_buf_size, DOCA_CORE_COMCH_MAX_BUF, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
    return doca_priv_comch_limit(devinfo, max_buf_list_len, 1, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_producers(
    const struct doca_devinfo *devinfo, uint32_t *max_producers)
{
    return doca_priv_comch_limit(devinfo, max_producers, DOCA_CORE_COMCH_MAX_PRODUCERS, __func__);
}

static void doca_priv_comch_sending_ended(struct doca_task *task)
{
    const struct doca_comch_producer *producer =
        (const struct doca_comch_producer *)(const void *)task->ctx;

    (task->status == DOCA_SUCCESS ? producer->done : producer->failed)(
        (struct doca_comch_producer_task_send *)DOCA_PRIV_HANDLE(task), task->user_data,
        producer->ctx.user_data);
}

/* Create a producer in `arena`. NULL selects the arena of the device. */
static doca_error_t doca_priv_comch_create_producer(struct doca_core_arena *arena,
                                                    struct doca_comch_connection *connection,
                                                    struct doca_comch_producer **producer,
                                                    const char *function)
{
    doca_error_t rc = doca_priv_comch_check_up(connection, producer, function);
    struct doca_comch_producer *made;
    struct doca_dev *dev;
    void *block = NULL;
    uint32_t id = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_comch_join(connection, false, &id, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    dev = connection->comch->ctx.dev;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*made), &block, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_comch_part(connection, false, id);
        return rc;
    }
    made = (struct doca_comch_producer *)block;
    made->stock.done = doca_priv_comch_sending_ended;
    made->stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    made->connection = connection;
    made->id = id;
    doca_priv_ctx_init(&made->ctx, DOCA_PRIV_KIND_COMCH_PRODUCER, &doca_priv_comch_outlet_engine,
                       doca_priv_comch_outlet_backend_of(dev), arena, dev, 1);
    *producer = (struct doca_comch_producer *)DOCA_PRIV_HANDLE(made);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_create(
    struct doca_comch_connection *comch_connection, struct doca_comch_producer **producer)
{
    return doca_priv_comch_create_producer(NULL, comch_connection, producer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comch_producer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_comch_producer **producer)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, producer, __func__);

    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_comch_create_producer(arena, comch_connection, producer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer)
{
    DOCA_PRIV_OPEN(producer)
    struct doca_comch_connection *connection;
    doca_error_t rc;
    uint32_t id;

    if (!doca_priv_is(producer, DOCA_PRIV_KIND_COMCH_PRODUCER))
        return DOCA_PRIV_FAIL_HANDLE(producer);
    if (producer->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(IN_USE, CTX_NOT_IDLE, producer);
    connection = producer->connection;
    id = producer->id;
    rc = doca_priv_ctx_destroy(&producer->ctx, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_comch_part(connection, false, id);
    return rc;
}

DOCA_CORE_DECL struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer)
{
    return (struct doca_ctx *)(void *)producer;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_producer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_comch_producer model;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_tasks > DOCA_CORE_COMCH_MAX_TASKS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, dev);
    DOCA_CORE_MEMSET(&model, 0, sizeof(model));
    model.ctx.dev = dev;
    model.ctx.backend = doca_priv_comch_outlet_backend_of(dev);
    model.ctx.engine = &doca_priv_comch_outlet_engine;
    model.ctx.num_stocks = 1;
    model.stock.num = num_tasks;
    model.stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    return doca_priv_ctx_bytes(&model.ctx, sizeof(model), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer,
                                                       uint32_t *id)
{
    DOCA_PRIV_OPEN(producer)
    doca_error_t rc = doca_priv_check_args(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, id, __func__);

    if (rc == DOCA_SUCCESS)
        *id = producer->id;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_set_conf(
    struct doca_comch_producer *producer,
    doca_comch_producer_task_send_completion_cb_t task_completion_cb,
    doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
    DOCA_PRIV_OPEN(producer)
    DOCA_PRIV_ENTER(producer, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(producer, DOCA_PRIV_KIND_COMCH_PRODUCER))
        return DOCA_PRIV_FAIL_HANDLE(producer);
    if (task_completion_cb == NULL || task_error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, producer);
    if (num_send_tasks == 0 || num_send_tasks > DOCA_CORE_COMCH_MAX_TASKS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, producer);
    rc = doca_priv_ctx_change(&producer->ctx, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    producer->done = task_completion_cb;
    producer->failed = task_error_cb;
    producer->stock.num = num_send_tasks;
    return DOCA_SUCCESS;
}

/* Set the immediate data of a task. The caller has checked `len`. */
static void doca_priv_comch_set_imm(struct doca_comch_producer_task_send *task, const uint8_t *imm,
                                    uint32_t len)
{
    task->imm_len = (uint8_t)len;
    if (len > 0)
        DOCA_CORE_MEMCPY(task->imm, imm, len);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_alloc_init(
    struct doca_comch_producer *producer, const struct doca_buf *buf, uint8_t *imm_data,
    uint32_t imm_data_len, uint32_t consumer_id, struct doca_comch_producer_task_send **task)
{
    DOCA_PRIV_OPEN(producer)
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_check_args(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, task, __func__);
    struct doca_comch_producer_task_send *send;
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS && imm_data == NULL && imm_data_len > 0)
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, producer);
    if (rc == DOCA_SUCCESS && imm_data_len > DOCA_CORE_COMCH_MAX_IMM)
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_IMM, producer);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_task_take(&producer->ctx, 0, &taken, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    send = (struct doca_comch_producer_task_send *)(void *)taken;
    send->task.user_data.u64 = 0;
    send->buf = buf;
    send->consumer_id = consumer_id;
    send->sleeps = false; /* this and the following: as after each end of the task */
    send->is_streamed = false;
    send->is_user = false;
    doca_priv_comch_set_imm(send, imm_data, imm_data_len);
    *task = (struct doca_comch_producer_task_send *)DOCA_PRIV_HANDLE(send);
    return DOCA_SUCCESS;
}

/* Return the send task for a getter, or NULL if the task is not a send task. */
static const struct doca_comch_producer_task_send *
doca_priv_comch_sent_task(const struct doca_comch_producer_task_send *task, const char *function)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_comch_sending_ended, function) ? task : NULL;
}

DOCA_CORE_DECL const struct doca_buf *
doca_comch_producer_task_send_get_buf(const struct doca_comch_producer_task_send *task)
{
    const struct doca_comch_producer_task_send *send = doca_priv_comch_sent_task(task, __func__);

    return send != NULL && send->buf != NULL ? (const struct doca_buf *)DOCA_PRIV_HANDLE(send->buf)
                                             : NULL;
}

DOCA_CORE_DECL void
doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
                                      const struct doca_buf *buf)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(buf)
    if (doca_priv_task_check(task, doca_priv_comch_sending_ended, __func__) == DOCA_SUCCESS)
        task->buf = buf;
}

DOCA_CORE_DECL uint32_t
doca_comch_producer_task_send_get_consumer_id(const struct doca_comch_producer_task_send *task)
{
    const struct doca_comch_producer_task_send *send = doca_priv_comch_sent_task(task, __func__);

    return send != NULL ? send->consumer_id : 0;
}

DOCA_CORE_DECL void
doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
                                              const uint32_t consumer_id)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_comch_sending_ended, __func__) == DOCA_SUCCESS)
        task->consumer_id = consumer_id;
}

DOCA_CORE_DECL uint8_t *
doca_comch_producer_task_send_get_imm_data(const struct doca_comch_producer_task_send *task)
{
    const struct doca_comch_producer_task_send *send = doca_priv_comch_sent_task(task, __func__);

    return send != NULL && send->imm_len > 0 ? (uint8_t *)(uintptr_t)send->imm : NULL;
}

DOCA_CORE_DECL uint32_t
doca_comch_producer_task_send_get_imm_data_len(const struct doca_comch_producer_task_send *task)
{
    const struct doca_comch_producer_task_send *send = doca_priv_comch_sent_task(task, __func__);

    return send != NULL ? send->imm_len : 0;
}

DOCA_CORE_DECL void
doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
                                           uint8_t *imm_data, uint32_t imm_data_len)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_comch_sending_ended, __func__) != DOCA_SUCCESS)
        return;
    if (imm_data_len > DOCA_CORE_COMCH_MAX_IMM || (imm_data == NULL && imm_data_len > 0))
        (void)DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_IMM, task);
    else
        doca_priv_comch_set_imm(task, imm_data, imm_data_len);
}

DOCA_CORE_DECL struct doca_task *
doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task)
{
    return (struct doca_task *)(void *)task;
}

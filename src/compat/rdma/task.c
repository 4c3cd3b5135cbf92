/* ---- >>impl.rdma.task -----------------------------------------------------------------------
 * Types of tasks: how they are enabled, allocated and completed.                                */
#include "compat/rdma/task_priv.h"

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
#include "progress/task.h"
#include "progress/task_priv.h"
#include "compat/rdma/atomic.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/create_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/read_write.h"
#include "compat/rdma/receive.h"
#include "compat/rdma/send.h"
#include "compat/rdma/sync_event.h"

DOCA_PRIV_ASSERT_STATIC(rdma_tasks_fit_their_slots,
                        sizeof(struct doca_priv_rdma_task) <= DOCA_PRIV_RDMA_TASK_BYTES);

/* Enable a type of tasks. */
static doca_error_t doca_priv_rdma_set_conf(struct doca_rdma *rdma, enum doca_priv_rdma_type type,
                                            doca_priv_rdma_any_cb done,
                                            doca_priv_rdma_any_cb failed, uint32_t num_tasks,
                                            const char *function)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, function);
    if (rc == DOCA_SUCCESS && (done == NULL || failed == NULL))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function, rdma);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_ctx_change(&rdma->ctx, DOCA_ERROR_BAD_STATE, function);
    if (rc == DOCA_SUCCESS &&
        (num_tasks == 0 || num_tasks > (type == DOCA_PRIV_RDMA_RECEIVE ? rdma->limits.recv_queue
                                                                       : rdma->limits.send_queue)))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_LIMIT, function, rdma);
    if (rc != DOCA_SUCCESS)
        return rc;
    rdma->done[type] = done;
    rdma->failed[type] = failed;
    rdma->stocks[type].num = num_tasks;
    return DOCA_SUCCESS;
}

/* Define the functions that differ only in the type of their task: completion, capability,
 * set_conf and as_task. */
#define DOCA_PRIV_RDMA_TASK_TYPE(name, type)                                                       \
    static void doca_priv_rdma_##name##_ended(struct doca_task *task)                              \
    {                                                                                              \
        const struct doca_rdma *r = (const struct doca_rdma *)(const void *)task->ctx;             \
                                                                                                   \
        ((doca_rdma_task_##name##_completion_cb_t)(                                                \
            task->status == DOCA_SUCCESS ? r->done[type] : r->failed[type]))(                      \
            (struct doca_rdma_task_##name *)DOCA_PRIV_HANDLE(task), task->user_data,               \
            r->ctx.user_data);                                                                     \
    }                                                                                              \
                                                                                                   \
    DOCA_CORE_DECL doca_error_t doca_rdma_cap_task_##name##_is_supported(                          \
        const struct doca_devinfo *devinfo)                                                        \
    {                                                                                              \
        return doca_priv_rdma_check_devinfo(devinfo, devinfo, __func__);                           \
    }                                                                                              \
                                                                                                   \
    DOCA_CORE_DECL doca_error_t doca_rdma_task_##name##_set_conf(                                  \
        struct doca_rdma *rdma,                                                                    \
        doca_rdma_task_##name##_completion_cb_t successful_task_completion_cb,                     \
        doca_rdma_task_##name##_completion_cb_t error_task_completion_cb, uint32_t num_tasks)      \
    {                                                                                              \
        return doca_priv_rdma_set_conf(                                                            \
            rdma, type, (doca_priv_rdma_any_cb)successful_task_completion_cb,                      \
            (doca_priv_rdma_any_cb)error_task_completion_cb, num_tasks, __func__);                 \
    }                                                                                              \
                                                                                                   \
    DOCA_CORE_DECL struct doca_task *doca_rdma_task_##name##_as_task(                              \
        struct doca_rdma_task_##name *task)                                                        \
    {                                                                                              \
        return (struct doca_task *)(void *)task;                                                   \
    }

DOCA_PRIV_RDMA_TASK_TYPE(receive, DOCA_PRIV_RDMA_RECEIVE)
DOCA_PRIV_RDMA_TASK_TYPE(send, DOCA_PRIV_RDMA_SEND)
DOCA_PRIV_RDMA_TASK_TYPE(send_imm, DOCA_PRIV_RDMA_SEND_IMM)
DOCA_PRIV_RDMA_TASK_TYPE(read, DOCA_PRIV_RDMA_READ)
DOCA_PRIV_RDMA_TASK_TYPE(write, DOCA_PRIV_RDMA_WRITE)
DOCA_PRIV_RDMA_TASK_TYPE(write_imm, DOCA_PRIV_RDMA_WRITE_IMM)
DOCA_PRIV_RDMA_TASK_TYPE(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP)
DOCA_PRIV_RDMA_TASK_TYPE(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD)
DOCA_PRIV_RDMA_TASK_TYPE(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET)
DOCA_PRIV_RDMA_TASK_TYPE(remote_net_sync_event_notify_set, DOCA_PRIV_RDMA_EVENT_SET)
DOCA_PRIV_RDMA_TASK_TYPE(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD)

/* The completion functions, by type. */
static void (*const doca_priv_rdma_ended[DOCA_PRIV_RDMA_TYPES])(struct doca_task *task) = {
    doca_priv_rdma_receive_ended,
    doca_priv_rdma_send_ended,
    doca_priv_rdma_send_imm_ended,
    doca_priv_rdma_read_ended,
    doca_priv_rdma_write_ended,
    doca_priv_rdma_write_imm_ended,
    doca_priv_rdma_atomic_cmp_swp_ended,
    doca_priv_rdma_atomic_fetch_add_ended,
    doca_priv_rdma_remote_net_sync_event_get_ended,
    doca_priv_rdma_remote_net_sync_event_notify_set_ended,
    doca_priv_rdma_remote_net_sync_event_notify_add_ended
};

DOCA_PRIV_DECL void doca_priv_rdma_init_stocks(struct doca_rdma *r)
{
    unsigned i;

    for (i = 0; i < DOCA_PRIV_RDMA_TYPES; i++) {
        r->stocks[i].done = doca_priv_rdma_ended[i];
        r->stocks[i].task_bytes = DOCA_PRIV_RDMA_TASK_BYTES;
    }
}

/* Return the task of a handle if the program may change it; otherwise NULL, with a log line. */
DOCA_PRIV_DECL struct doca_priv_rdma_task *
doca_priv_rdma_writable(void *handle, enum doca_priv_rdma_type type, const char *function)
{
    DOCA_PRIV_OPEN(handle)
    return doca_priv_task_check(handle, doca_priv_rdma_ended[type], function) == DOCA_SUCCESS
               ? (struct doca_priv_rdma_task *)handle
               : NULL;
}

/* Return the task of a handle if it can be read; otherwise NULL, with a log line. */
DOCA_PRIV_DECL const struct doca_priv_rdma_task *
doca_priv_rdma_readable(const void *handle, enum doca_priv_rdma_type type, const char *function)
{
    DOCA_PRIV_OPEN(handle)
    return doca_priv_task_reads_as(handle, doca_priv_rdma_ended[type], function)
               ? (const struct doca_priv_rdma_task *)handle
               : NULL;
}

/* Allocate a task, with all its members cleared. On success *task is the task. */
static doca_error_t doca_priv_rdma_alloc(struct doca_rdma *rdma, enum doca_priv_rdma_type type,
                                         struct doca_rdma_connection *connection,
                                         union doca_data user_data, const void *out,
                                         struct doca_priv_rdma_task **task, const char *function)
{
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, out, function);
    struct doca_task *taken = NULL;
    struct doca_priv_rdma_task *t;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (type != DOCA_PRIV_RDMA_RECEIVE && !doca_priv_rdma_is_connection(connection))
        return doca_priv_fail_handle(connection, function);
    if (type != DOCA_PRIV_RDMA_RECEIVE && connection->rdma != rdma)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_OF_OTHER, function,
                              connection);
    if (rdma->stocks[type].num == 0)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NO_TASK_TYPE, function,
                              rdma);
    rc = doca_priv_task_take(&rdma->ctx, type, &taken, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    taken->user_data = user_data;
    t = doca_priv_rdma_task_of(taken);
    t->connection = connection;
    t->serial = connection != NULL ? connection->serial : 0;
    t->local = t->remote = NULL;
    t->event = NULL;
    t->values[0] = t->values[1] = 0;
    t->imm = 0;
    t->result_len = 0;
    t->opcode = 0;
    t->stage = DOCA_PRIV_RDMA_WAITING;
    *task = t;
    return DOCA_SUCCESS;
}

static struct doca_buf *doca_priv_rdma_buf(const struct doca_buf *buf)
{
    DOCA_PRIV_OPEN(buf)
    return (struct doca_buf *)(uintptr_t)buf;
}

/* Give the task to the program when `rc` is SUCCESS, and return `rc`. */
#define DOCA_PRIV_RDMA_HAND_OUT(name)                                                              \
    if (rc == DOCA_SUCCESS)                                                                        \
        *task = (struct doca_rdma_task_##name *)DOCA_PRIV_HANDLE(t);                               \
    return rc;

DOCA_CORE_DECL doca_error_t doca_rdma_task_receive_allocate_init(
    struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_receive **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc =
        doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_RECEIVE, NULL, user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS)
        t->local = doca_priv_rdma_buf(dst_buf);
    DOCA_PRIV_RDMA_HAND_OUT(receive)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_send_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, union doca_data user_data, struct doca_rdma_task_send **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_SEND, rdma_connection, user_data,
                                           task, &t, __func__);

    if (rc == DOCA_SUCCESS)
        t->local = doca_priv_rdma_buf(src_buf);
    DOCA_PRIV_RDMA_HAND_OUT(send)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_send_imm_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, doca_be32_t immediate_data, union doca_data user_data,
    struct doca_rdma_task_send_imm **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_SEND_IMM, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->local = doca_priv_rdma_buf(src_buf);
        t->imm = immediate_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(send_imm)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_read_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_read **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_READ, rdma_connection, user_data,
                                           task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->remote = doca_priv_rdma_buf(src_buf);
        t->local = doca_priv_rdma_buf(dst_buf);
    }
    DOCA_PRIV_RDMA_HAND_OUT(read)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_write_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_write **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_WRITE, rdma_connection, user_data,
                                           task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->local = doca_priv_rdma_buf(src_buf);
        t->remote = doca_priv_rdma_buf(dst_buf);
    }
    DOCA_PRIV_RDMA_HAND_OUT(write)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_write_imm_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, struct doca_buf *dst_buf, doca_be32_t immediate_data,
    union doca_data user_data, struct doca_rdma_task_write_imm **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_WRITE_IMM, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->local = doca_priv_rdma_buf(src_buf);
        t->remote = doca_priv_rdma_buf(dst_buf);
        t->imm = immediate_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(write_imm)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_atomic_cmp_swp_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
    struct doca_buf *result_buf, uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
    struct doca_rdma_task_atomic_cmp_swp **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_CMP_SWP, rdma_connection, user_data,
                                           task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->remote = doca_priv_rdma_buf(dst_buf);
        t->local = doca_priv_rdma_buf(result_buf);
        t->values[0] = cmp_data;
        t->values[1] = swap_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(atomic_cmp_swp)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_atomic_fetch_add_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
    struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
    struct doca_rdma_task_atomic_fetch_add **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_FETCH_ADD, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->remote = doca_priv_rdma_buf(dst_buf);
        t->local = doca_priv_rdma_buf(result_buf);
        t->values[0] = add_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(atomic_fetch_add)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_get_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf,
    union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_get **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_EVENT_GET, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->event = (struct doca_sync_event_remote_net *)(uintptr_t)event;
        t->local = doca_priv_rdma_buf(dst_buf);
    }
    DOCA_PRIV_RDMA_HAND_OUT(remote_net_sync_event_get)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf,
    union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_set **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_EVENT_SET, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->event = event;
        t->local = doca_priv_rdma_buf(src_buf);
    }
    DOCA_PRIV_RDMA_HAND_OUT(remote_net_sync_event_notify_set)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    struct doca_sync_event_remote_net *event, struct doca_buf *result_buf, uint64_t add_data,
    union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_add **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_EVENT_ADD, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->event = event;
        t->local = doca_priv_rdma_buf(result_buf);
        t->values[0] = add_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(remote_net_sync_event_notify_add)
}

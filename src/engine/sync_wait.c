/* ---- >>impl.sync_wait -----------------------------------------------------------------------
 * Wait tasks of an event context: configuration, allocation, parameters, completion.            */
#include "engine/sync_wait_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "memory/mmap.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "engine/sync_event.h"
#include "engine/sync_task_priv.h"

DOCA_PRIV_DECL void doca_priv_event_wait_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_wait_gt_completion_cb_t cb =
        doca_priv_event_succeeded(task) ? event->wait_done : event->wait_failed;

    cb((struct doca_sync_event_task_wait_gt *)DOCA_PRIV_HANDLE(task), task->user_data,
       event->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_gt_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_gt_completion_cb_t completion_cb,
    doca_sync_event_task_wait_gt_completion_cb_t error_cb, uint32_t num_tasks)
{
    DOCA_PRIV_OPEN(event)
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_WAIT, __func__);

    if (rc == DOCA_SUCCESS) {
        event->wait_done = completion_cb;
        event->wait_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_gt_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_gt **task)
{
    DOCA_PRIV_OPEN(event)
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_WAIT, task, &taken, __func__);
    struct doca_sync_event_task_wait_gt *t =
        (struct doca_sync_event_task_wait_gt *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->wait_val = wait_val;
    t->mask = mask;
    *task = (struct doca_sync_event_task_wait_gt *)DOCA_PRIV_HANDLE(t);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_wait_gt_as_doca_task(
    struct doca_sync_event_task_wait_gt *task)
{
    return (struct doca_task *)(void *)task;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_gt_set_wait_val(
    struct doca_sync_event_task_wait_gt *task, uint64_t wait_val)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_wait_done, __func__) == DOCA_SUCCESS)
        task->wait_val = wait_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_gt_get_wait_val(
    const struct doca_sync_event_task_wait_gt *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_wait_done, __func__) ? task->wait_val : 0;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_gt_set_mask(
    struct doca_sync_event_task_wait_gt *task, uint64_t mask)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_wait_done, __func__) == DOCA_SUCCESS)
        task->mask = mask;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_gt_get_mask(
    const struct doca_sync_event_task_wait_gt *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_wait_done, __func__) ? task->mask : 0;
}

DOCA_PRIV_DECL void doca_priv_event_wait_eq_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_wait_eq_completion_cb_t cb =
        doca_priv_event_succeeded(task) ? event->wait_eq_done : event->wait_eq_failed;

    cb((struct doca_sync_event_task_wait_eq *)DOCA_PRIV_HANDLE(task), task->user_data,
       event->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_eq_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_eq_completion_cb_t completion_cb,
    doca_sync_event_task_wait_eq_completion_cb_t error_cb, uint32_t num_tasks)
{
    DOCA_PRIV_OPEN(event)
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_WAIT_EQ, __func__);

    if (rc == DOCA_SUCCESS) {
        event->wait_eq_done = completion_cb;
        event->wait_eq_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_eq_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_eq **task)
{
    DOCA_PRIV_OPEN(event)
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_WAIT_EQ, task, &taken, __func__);
    struct doca_sync_event_task_wait_eq *t =
        (struct doca_sync_event_task_wait_eq *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->wait.wait_val = wait_val;
    t->wait.mask = mask;
    *task = (struct doca_sync_event_task_wait_eq *)DOCA_PRIV_HANDLE(t);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(
    struct doca_sync_event_task_wait_eq *task)
{
    return (struct doca_task *)(void *)task;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_eq_set_wait_val(
    struct doca_sync_event_task_wait_eq *task, uint64_t wait_val)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_wait_eq_done, __func__) == DOCA_SUCCESS)
        task->wait.wait_val = wait_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_eq_get_wait_val(
    const struct doca_sync_event_task_wait_eq *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_wait_eq_done, __func__)
               ? task->wait.wait_val
               : 0;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_eq_set_mask(
    struct doca_sync_event_task_wait_eq *task, uint64_t mask)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_wait_eq_done, __func__) == DOCA_SUCCESS)
        task->wait.mask = mask;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_eq_get_mask(
    const struct doca_sync_event_task_wait_eq *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_wait_eq_done, __func__)
               ? task->wait.mask
               : 0;
}

DOCA_PRIV_DECL void doca_priv_event_wait_neq_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_wait_neq_completion_cb_t cb =
        doca_priv_event_succeeded(task) ? event->wait_neq_done : event->wait_neq_failed;

    cb((struct doca_sync_event_task_wait_neq *)DOCA_PRIV_HANDLE(task), task->user_data,
       event->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_neq_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_neq_completion_cb_t completion_cb,
    doca_sync_event_task_wait_neq_completion_cb_t error_cb, uint32_t num_tasks)
{
    DOCA_PRIV_OPEN(event)
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_WAIT_NEQ, __func__);

    if (rc == DOCA_SUCCESS) {
        event->wait_neq_done = completion_cb;
        event->wait_neq_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_neq_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_neq **task)
{
    DOCA_PRIV_OPEN(event)
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_WAIT_NEQ, task, &taken, __func__);
    struct doca_sync_event_task_wait_neq *t =
        (struct doca_sync_event_task_wait_neq *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->wait.wait_val = wait_val;
    t->wait.mask = mask;
    *task = (struct doca_sync_event_task_wait_neq *)DOCA_PRIV_HANDLE(t);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_wait_neq_as_doca_task(
    struct doca_sync_event_task_wait_neq *task)
{
    return (struct doca_task *)(void *)task;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_neq_set_wait_val(
    struct doca_sync_event_task_wait_neq *task, uint64_t wait_val)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_wait_neq_done, __func__) == DOCA_SUCCESS)
        task->wait.wait_val = wait_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_neq_get_wait_val(
    const struct doca_sync_event_task_wait_neq *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_wait_neq_done, __func__)
               ? task->wait.wait_val
               : 0;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_neq_set_mask(
    struct doca_sync_event_task_wait_neq *task, uint64_t mask)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_wait_neq_done, __func__) == DOCA_SUCCESS)
        task->wait.mask = mask;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_neq_get_mask(
    const struct doca_sync_event_task_wait_neq *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_wait_neq_done, __func__)
               ? task->wait.mask
               : 0;
}

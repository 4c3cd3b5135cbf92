/* ---- >>impl.legacy.workq ---------------------------------------------------------------------
 * Work queues: their depth, their events, and sleeping until an event arrives.                  */
#include "compat/legacy/workq_priv.h"

#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "progress/pe.h"
#include "progress/pe_priv.h"
#include "compat/legacy/bytes.h"
#include "compat/legacy/graph_run_priv.h"
#include "compat/legacy/job.h"
#include "compat/legacy/job_priv.h"
#include "compat/legacy/property_priv.h"
#include "compat/legacy/workq.h"

static doca_error_t doca_priv_workq_carve(struct doca_core_arena *arena, uint32_t depth,
                                          void **block, const char *function)
{
    return doca_priv_object_take(arena, doca_priv_size(depth, sizeof(struct doca_priv_job), 0),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_workq(uint32_t depth, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_object_take(&count, sizeof(struct doca_workq), &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_workq_carve(&count, depth, &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(&count, sizeof(struct doca_pe), &block, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

/* Replace the slots by `depth` free ones. */
static doca_error_t doca_priv_workq_make_slots(struct doca_workq *workq, uint32_t depth,
                                               const char *function)
{
    void *block = NULL;
    doca_error_t rc = doca_priv_workq_carve(workq->arena, depth, &block, function);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    (void)doca_core_arena_give(workq->arena, workq->jobs);
    workq->jobs = (struct doca_priv_job *)block;
    workq->free_jobs = workq->jobs;
    for (i = 0; i < depth; i++) {
        workq->jobs[i].workq = workq;
        workq->jobs[i].end.job = &workq->jobs[i];
        workq->jobs[i].next = i + 1 < depth ? &workq->jobs[i + 1] : NULL;
    }
    workq->depth = depth;
    workq->num_free = depth;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_workq_create(uint32_t depth, struct doca_workq **workq)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_workq *q;
    void *block = NULL;
    doca_error_t rc;

    if (workq == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (depth == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, NULL);
    rc = doca_priv_object_take(arena, sizeof(*q), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    q = (struct doca_workq *)block;
    q->arena = arena;
    rc = doca_priv_workq_make_slots(q, depth, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_pe_create(arena, &q->pe, __func__);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_arena_give(arena, q->jobs);
        (void)doca_core_arena_give(arena, q);
        return rc;
    }
    doca_priv_object_init(&q->obj, DOCA_PRIV_KIND_WORKQ);
    *workq = q;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_workq_destroy(struct doca_workq *workq)
{
    doca_error_t rc;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (workq->links != NULL || workq->graphs != NULL)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_ADDED, workq);
    rc = doca_pe_destroy(workq->pe);
    DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(workq->arena, workq->jobs));
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(workq->arena, &workq->obj));
    return rc;
}

static doca_error_t doca_priv_workq_set_depth(struct doca_workq *workq, uint32_t depth,
                                              const char *function)
{
    if (depth == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, workq);
    if (workq->links != NULL || workq->graphs != NULL)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_WORKQ_ADDED, function, workq);
    return doca_priv_workq_make_slots(workq, depth, function);
}

DOCA_CORE_DECL doca_error_t doca_workq_property_set(struct doca_workq *workq,
                                                    enum doca_workq_property property,
                                                    const void *value, uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, value, __func__);
    uint32_t depth;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (property != DOCA_WORKQ_DEPTH || size != sizeof(depth))
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, workq);
    DOCA_CORE_MEMCPY(&depth, value, sizeof(depth));
    return doca_priv_workq_set_depth(workq, depth, __func__);
}

DOCA_CORE_DECL doca_error_t doca_workq_property_get(const struct doca_workq *workq,
                                                    enum doca_workq_property property, void *value,
                                                    uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, value, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (property != DOCA_WORKQ_DEPTH)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, workq);
    return doca_priv_property_put_32(value, size, workq->depth, __func__);
}

DOCA_CORE_DECL doca_error_t doca_workq_set_depth(struct doca_workq *workq, uint32_t depth)
{
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    return doca_priv_workq_set_depth(workq, depth, __func__);
}

DOCA_CORE_DECL doca_error_t doca_workq_get_depth(const struct doca_workq *workq, uint32_t *depth)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, depth, __func__);

    if (rc == DOCA_SUCCESS)
        *depth = workq->depth;
    return rc;
}

/* Signal the handle when it is armed. The progress engine does not know about graph nodes that
 * became ready and events of graphs. */
DOCA_PRIV_DECL void doca_priv_workq_wake(struct doca_workq *workq)
{
    if (workq->pe->is_armed)
        (void)doca_priv_pe_signal(workq->pe, "doca_workq_submit");
}

DOCA_PRIV_DECL void doca_priv_workq_put_event(struct doca_workq *workq,
                                              struct doca_priv_legacy_event *end)
{
    end->next = NULL;
    if (workq->events == NULL)
        workq->events = end;
    else
        workq->last_event->next = end;
    workq->last_event = end;
}

DOCA_CORE_DECL doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq,
                                                         struct doca_event *ev, int flags)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, ev, __func__);
    struct doca_priv_legacy_event *end;

    (void)flags;
    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    if (doca_unlikely(workq->calling != NULL))
        doca_priv_graph_end_call(workq);
    if (workq->events == NULL && workq->ready != NULL)
        doca_priv_graph_run_next(workq);
    if (workq->events == NULL)
        (void)doca_pe_progress(workq->pe);
    end = workq->events;
    if (end == NULL)
        return DOCA_ERROR_AGAIN;
    workq->events = end->next;
    *ev = end->event;
    if (end->job != NULL)
        doca_priv_job_free(end->job);
    else
        doca_priv_graph_event_taken(end->instance);
    return ev->result.u64 == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

DOCA_CORE_DECL doca_error_t doca_workq_set_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t enable)
{
    doca_event_handle_t handle;
    doca_error_t rc = DOCA_SUCCESS;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (workq->is_event_driven == (enable != 0))
        return DOCA_SUCCESS;
    if (workq->links != NULL || workq->graphs != NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_ADDED, workq);
    if (enable != 0)
        rc = doca_pe_get_notification_handle(workq->pe, &handle);
    if (rc == DOCA_SUCCESS)
        workq->is_event_driven = enable != 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_get_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t *enabled)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, enabled, __func__);

    if (rc == DOCA_SUCCESS)
        *enabled = workq->is_event_driven ? 1 : 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_get_event_handle(struct doca_workq *workq,
                                                        doca_event_handle_t *handle)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, handle, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!workq->is_event_driven)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_POLLED, workq);
    return doca_pe_get_notification_handle(workq->pe, handle);
}

DOCA_CORE_DECL doca_error_t doca_workq_event_handle_arm(struct doca_workq *workq)
{
    doca_error_t rc;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!workq->is_event_driven)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_POLLED, workq);
    rc = doca_pe_request_notification(workq->pe);
    if (rc == DOCA_SUCCESS && (workq->events != NULL || workq->ready != NULL))
        doca_priv_workq_wake(workq);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_event_handle_clear(struct doca_workq *workq,
                                                          doca_event_handle_t handle)
{
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!workq->is_event_driven)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_POLLED, workq);
    return doca_pe_clear_notification(workq->pe, handle);
}

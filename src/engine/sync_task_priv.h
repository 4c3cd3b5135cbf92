/* ---- >>priv.sync_task ------------------------------------------------------------------------
 * Declarations of >>impl.sync_task for other parts of the library.                              */
#ifndef DOCA_SRC_ENGINE_SYNC_TASK_PRIV_H
#define DOCA_SRC_ENGINE_SYNC_TASK_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "memory/mmap.h"
#include "progress/ctx_priv.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "engine/sync_event.h"

struct doca_priv_engine;

/* How an event is used: `mode` of struct doca_sync_event. In the last two modes, calls must not
 * update the value; therefore the calls check for mode >= IS_CTX. */
enum {
    DOCA_PRIV_EVENT_NEW = 0,      /* not decided yet */
    DOCA_PRIV_EVENT_ALONE = 1,    /* stand-alone */
    DOCA_PRIV_EVENT_IS_CTX = 2,   /* as a context */
    DOCA_PRIV_EVENT_READ_ONLY = 3 /* stand-alone; devices add to the value, the CPU only reads */
};

/* Locations of publishers and subscribers; bits. */
enum { DOCA_PRIV_EVENT_ON_CPU = 1, DOCA_PRIV_EVENT_ON_DPU = 2, DOCA_PRIV_EVENT_ON_NET = 4 };

DOCA_PRIV_DATA const struct doca_core_backend doca_priv_event_backend;
DOCA_PRIV_DATA const struct doca_priv_engine doca_priv_event_engine;

DOCA_PRIV_DECL bool doca_priv_event_is_complete(const struct doca_task *task);
DOCA_PRIV_DECL bool doca_priv_event_is_imported(const struct doca_sync_event *event);
DOCA_PRIV_DECL doca_error_t doca_priv_event_begin(struct doca_sync_event *event,
                                                  const char *function);
DOCA_PRIV_DECL void doca_priv_event_end(struct doca_sync_event *event);
DOCA_PRIV_DECL doca_error_t doca_priv_event_check_task(const struct doca_task *task,
                                                       enum doca_core_item *item);
DOCA_PRIV_DECL void doca_priv_event_settle(struct doca_task *task);
DOCA_PRIV_DECL doca_error_t doca_priv_event_conf(struct doca_sync_event *event, bool has_callbacks,
                                                 uint32_t num_tasks, unsigned type,
                                                 const char *function);
DOCA_PRIV_DECL void doca_priv_event_get_done(struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_event_set_done(struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_event_add_done(struct doca_task *task);

/* Common part of the alloc_init calls: check the event and allocate a task of `type`. `out` is the
 * address that the caller will write the handle to; it is only checked for NULL. */
DOCA_PRIV_HOT doca_error_t doca_priv_event_take(struct doca_sync_event *event,
                                                union doca_data user_data, unsigned type,
                                                const void *out, struct doca_task **task,
                                                const char *function)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, out, function);

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    if (doca_unlikely(event->mode != DOCA_PRIV_EVENT_IS_CTX))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_IS_NO_CTX, function,
                              event);
    rc = doca_priv_task_take(&event->ctx, type, task, function);
    if (doca_likely(rc == DOCA_SUCCESS))
        (*task)->user_data = user_data;
    return rc;
}

/* True when the task has succeeded. If it has failed and a device executes the tasks of the
 * context, the context is stopped. */
DOCA_PRIV_HOT bool doca_priv_event_succeeded(const struct doca_task *task)
{
    if (doca_likely(task->status == DOCA_SUCCESS))
        return true;
    doca_priv_task_failed(task);
    return false;
}

#endif

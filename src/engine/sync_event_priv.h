/* ---- >>priv.sync_event -----------------------------------------------------------------------
 * Declarations of >>impl.sync_event for other parts of the library.                             */
#ifndef DOCA_SRC_ENGINE_SYNC_EVENT_PRIV_H
#define DOCA_SRC_ENGINE_SYNC_EVENT_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "memory/export_priv.h"
#include "progress/pe.h"
#include "engine/sync_event.h"
#include "engine/sync_task_priv.h"

struct doca_priv_event_share;

DOCA_PRIV_DECL doca_error_t doca_priv_event_import(struct doca_priv_event_share *share,
                                                   struct doca_dev *dev, const uint8_t *data,
                                                   size_t sz, enum doca_priv_export_kind kind,
                                                   const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_event_no_target(const void *object, uint8_t kind,
                                                      const void *target, const void *out,
                                                      const char *function);

/* Check that `pointer` is not NULL and that the event is started stand-alone. */
DOCA_PRIV_HOT doca_error_t doca_priv_event_check(const struct doca_sync_event *event,
                                                 const void *pointer, const char *function)
{
    if (doca_unlikely(!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT) || pointer == NULL))
        return doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, pointer, function);
    if (doca_unlikely(event->mode == DOCA_PRIV_EVENT_IS_CTX))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_IS_CTX, function, event);
    if (doca_unlikely(event->ctx.obj.state == DOCA_CTX_STATE_IDLE))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_NOT_STARTED, function,
                              event);
    return DOCA_SUCCESS;
}

/* Check that `pointer` is not NULL, that the event is started stand-alone, and that calls may
 * update its value: mode is DOCA_PRIV_EVENT_ALONE. */
DOCA_PRIV_HOT doca_error_t doca_priv_event_check_update(const struct doca_sync_event *event,
                                                        const void *pointer, const char *function)
{
    if (doca_unlikely(!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT) || pointer == NULL ||
                      event->mode >= DOCA_PRIV_EVENT_IS_CTX ||
                      event->ctx.obj.state == DOCA_CTX_STATE_IDLE)) {
        doca_error_t rc = doca_priv_event_check(event, pointer, function);

        return rc != DOCA_SUCCESS
                   ? rc
                   : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_NOT_ATOMIC,
                                    function, event);
    }
    return DOCA_SUCCESS;
}

#endif

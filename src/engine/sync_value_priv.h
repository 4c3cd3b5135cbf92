/* ---- >>priv.sync_value -----------------------------------------------------------------------
 * Declarations of >>impl.sync_value for other parts of the library.                             */
#ifndef DOCA_SRC_ENGINE_SYNC_VALUE_PRIV_H
#define DOCA_SRC_ENGINE_SYNC_VALUE_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "object/log_priv.h"

/* Log the failure of an operation on a value, if it has failed, and return its code. The only
 * possible reason is that the exporter has ended. */
DOCA_PRIV_HOT doca_error_t doca_priv_event_outcome(doca_error_t rc, const void *event,
                                                   const char *function)
{
    return doca_likely(rc == DOCA_SUCCESS)
               ? rc
               : doca_priv_fail(rc, DOCA_CORE_ITEM_EVENT_GONE, function, event);
}

#endif

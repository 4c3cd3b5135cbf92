/* ---- >>impl.sync_value ----------------------------------------------------------------------
 * Read, update and wait on the value of a stand-alone event.                                    */
#include "engine/sync_value_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "progress/pe.h"
#include "engine/hot_engine.h"
#include "engine/sync_event.h"
#include "engine/sync_event_priv.h"
#include "engine/sync_shared_priv.h"

DOCA_PRIV_HOT bool doca_priv_event_is_shared(const struct doca_sync_event *event)
{
    return doca_priv_is_in(event, DOCA_PRIV_KIND_SYNC_EVENT, DOCA_PRIV_EVENT_SHARED);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_get_other(struct doca_sync_event *event,
                                                      uint64_t *value)
{
    doca_error_t rc = doca_priv_event_check(event, value, "doca_sync_event_get");

    if (doca_likely(rc == DOCA_SUCCESS))
        *value = DOCA_PRIV_LOAD(event->share.value);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value)
{
    return doca_priv_hot_sync_event_get(event, value);
}

static DOCA_PRIV_NOINLINE doca_error_t doca_priv_event_set_checked(struct doca_sync_event *event,
                                                                   uint64_t value)
{
    const char *function = "doca_sync_event_update_set";
    doca_error_t rc = doca_priv_event_check_update(event, event, function);

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    return doca_priv_event_outcome(doca_priv_share_set(&event->share, value), event, function);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_set_other(struct doca_sync_event *event, uint64_t value)
{
    if (doca_likely(doca_priv_event_is_shared(event)) &&
        doca_likely(doca_priv_share_set(&event->share, value) == DOCA_SUCCESS))
        return DOCA_SUCCESS;
    return doca_priv_event_set_checked(event, value);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_update_set(struct doca_sync_event *event,
                                                       uint64_t value)
{
    return doca_priv_hot_sync_event_update_set(event, value);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_add_other(struct doca_sync_event *event,
                                                      uint64_t value, uint64_t *fetched)
{
    const char *function = "doca_sync_event_update_add";
    doca_error_t rc = doca_priv_event_check_update(event, fetched, function);

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    return doca_priv_event_outcome(doca_priv_share_add(&event->share, value, fetched), event,
                                   function);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_update_add(struct doca_sync_event *event,
                                                       uint64_t value, uint64_t *fetched)
{
    return doca_priv_hot_sync_event_update_add(event, value, fetched);
}

static DOCA_PRIV_NOINLINE doca_error_t doca_priv_event_wait_checked(struct doca_sync_event *event,
                                                                    unsigned type, uint64_t value,
                                                                    uint64_t mask, bool yields,
                                                                    const char *function)
{
    doca_error_t rc = doca_priv_event_check(event, event, function);

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    return doca_priv_event_outcome(doca_priv_share_wait(&event->share, type, value, mask, yields),
                                   event, function);
}

DOCA_PRIV_HOT doca_error_t doca_priv_event_wait(struct doca_sync_event *event, unsigned type,
                                                uint64_t value, uint64_t mask, bool yields,
                                                const char *function)
{
    DOCA_PRIV_OPEN(event)
    bool stands_alone = doca_priv_event_is_plain(event) || doca_priv_event_is_shared(event);

    if (!yields && doca_likely(stands_alone) &&
        doca_likely(doca_priv_share_spin(&event->share, type, value, mask)))
        return DOCA_SUCCESS;
    return doca_priv_event_wait_checked(event, type, value, mask, yields, function);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t value,
                                                    uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT, value, mask, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event,
                                                          uint64_t value, uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT, value, mask, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event, uint64_t value,
                                                    uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT_EQ, value, mask, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_eq_yield(struct doca_sync_event *event,
                                                          uint64_t value, uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT_EQ, value, mask, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event, uint64_t value,
                                                     uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT_NEQ, value, mask, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_neq_yield(struct doca_sync_event *event,
                                                           uint64_t value, uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT_NEQ, value, mask, true, __func__);
}

/* ---- >>priv.sync_shared ----------------------------------------------------------------------
 * Declarations of >>impl.sync_shared for other parts of the library, and the operations on a shared
 * value that are inlined.                                                                       */
#ifndef DOCA_SRC_ENGINE_SYNC_SHARED_PRIV_H
#define DOCA_SRC_ENGINE_SYNC_SHARED_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "memory/export_priv.h"
#include "engine/sync_event.h"

struct doca_priv_event_share;

DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void
doca_priv_share_wake(const struct doca_priv_event_share *share);
DOCA_PRIV_DECL void doca_priv_share_probe(const struct doca_priv_event_share *share);
DOCA_PRIV_DECL doca_error_t doca_priv_share_wait(const struct doca_priv_event_share *share,
                                                 unsigned type, uint64_t wait_val, uint64_t mask,
                                                 bool yields);
DOCA_PRIV_DECL doca_error_t doca_priv_share_create(struct doca_priv_event_share *share);
DOCA_PRIV_DECL void doca_priv_share_unmap(struct doca_priv_event_share *share);
DOCA_PRIV_DECL void doca_priv_share_close(struct doca_priv_event_share *share);
DOCA_PRIV_DECL doca_error_t doca_priv_share_import(struct doca_priv_event_share *share,
                                                   const uint8_t *data, size_t sz,
                                                   enum doca_priv_export_kind kind,
                                                   enum doca_core_item *item);

/* After a change of the value: wake the contexts that wait for a change, if there are any. The load
 * of num_armed comes after the change. A context that arms does the opposite: it first increments
 * num_armed and then reads the value. Therefore at least one of the two notices the other. */
DOCA_PRIV_HOT void doca_priv_share_notify(const struct doca_priv_event_share *share)
{
    if (share->page != NULL && doca_unlikely(DOCA_PRIV_LOAD_ORDERED(&share->page->num_armed) > 0))
        doca_priv_share_wake(share);
}

DOCA_PRIV_HOT bool doca_priv_share_is_imported(const struct doca_priv_event_share *share)
{
    return share->exporter_pid != 0;
}

/* True when the value is imported and its exporter is known to have ended. */
DOCA_PRIV_HOT bool doca_priv_share_is_reset(const struct doca_priv_event_share *share)
{
    return share->page != NULL && doca_unlikely(DOCA_PRIV_LOAD(&share->page->is_closed) != 0) &&
           doca_priv_share_is_imported(share);
}

DOCA_PRIV_HOT doca_error_t doca_priv_share_add(const struct doca_priv_event_share *share,
                                               uint64_t value, uint64_t *fetched)
{
    if (doca_unlikely(doca_priv_share_is_reset(share)))
        return DOCA_ERROR_CONNECTION_RESET;
    *fetched = DOCA_PRIV_FETCH_ADD(share->value, value);
    doca_priv_share_notify(share);
    return DOCA_SUCCESS;
}

DOCA_PRIV_HOT doca_error_t doca_priv_share_set(const struct doca_priv_event_share *share,
                                               uint64_t value)
{
    if (doca_unlikely(doca_priv_share_is_reset(share)))
        return DOCA_ERROR_CONNECTION_RESET;
    DOCA_PRIV_STORE_ORDERED(share->value, value); /* ordered before the load of num_armed */
    doca_priv_share_notify(share);
    return DOCA_SUCCESS;
}

/* True when a masked value fulfils the condition of a wait of type `type`
 * (DOCA_PRIV_EVENT_WAIT*). */
DOCA_PRIV_HOT bool doca_priv_share_holds(unsigned type, uint64_t value, uint64_t wait_val)
{
    return type == DOCA_PRIV_EVENT_WAIT ? value > wait_val
                                        : (value == wait_val) == (type == DOCA_PRIV_EVENT_WAIT_EQ);
}

/* First phase of a wait: read the value up to 4096 times, for a few microseconds, without pause
 * instructions, because a pause takes nearly as long as the transfer of a cache line between two
 * cores. When two threads wait for each other in turn, the caller should make its next update
 * within a few instructions after the wait. Otherwise (after about 20 cycles) the other thread,
 * which spins on the same line, has fetched the line back to its core, and the update must wait for
 * another transfer. */
DOCA_PRIV_HOT bool doca_priv_share_spin(const struct doca_priv_event_share *share, unsigned type,
                                        uint64_t wait_val, uint64_t mask)
{
    const doca_priv_cell *value = share->value;
    uint32_t num_reads;

    for (num_reads = 4096; num_reads > 0; num_reads--) {
        if (doca_priv_share_holds(type, DOCA_PRIV_LOAD(value) & mask, wait_val))
            return true;
        DOCA_CORE_RELAX();
    }
    return false;
}

#endif

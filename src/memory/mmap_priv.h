/* ---- >>priv.mmap -----------------------------------------------------------------------------
 * Declarations for the other parts: creating mmaps, finding their devices, and counting their
 * buffers.                                                                                      */
#ifndef DOCA_SRC_MEMORY_MMAP_PRIV_H
#define DOCA_SRC_MEMORY_MMAP_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "object/hot.h"
#include "memory/mmap.h"
#include "memory/stocks_priv.h"

struct doca_core_range;

#define DOCA_PRIV_ACCESS_KNOWN (2u * DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING - 1)

/* Result of a search for the buffers of an mmap in the inventories and pools of the process. */
enum doca_priv_stocks { DOCA_PRIV_STOCKS_NONE, DOCA_PRIV_STOCKS_SOME, DOCA_PRIV_STOCKS_UNKNOWN };

DOCA_PRIV_DECL void doca_priv_mmap_init(struct doca_mmap *m, struct doca_core_arena *arena);
DOCA_PRIV_DECL doca_error_t doca_priv_mmap_create(struct doca_core_arena *arena,
                                                  struct doca_mmap **mmap, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_mmap_hand_out(doca_error_t rc, struct doca_mmap **mmap);
DOCA_PRIV_DECL void doca_priv_mmap_enter_started(struct doca_mmap *mmap);
DOCA_PRIV_DECL void doca_priv_mmap_range(const struct doca_mmap *mmap,
                                         struct doca_core_range *range);
DOCA_PRIV_DECL enum doca_core_item doca_priv_mmap_busy(struct doca_mmap *mmap,
                                                       const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_mmap_unref(struct doca_mmap *mmap);
DOCA_PRIV_DECL uint32_t doca_priv_mmap_find(const struct doca_mmap *mmap,
                                            const struct doca_dev *dev);
DOCA_PRIV_DECL DOCA_PRIV_COLD bool doca_priv_mmap_is_indirect(const struct doca_mmap *mmap,
                                                              const struct doca_dev *dev);
DOCA_PRIV_DECL void doca_priv_mmap_set_range(struct doca_mmap *mmap, void *addr, size_t len);

/* Count a new buffer of the mmap. */
DOCA_PRIV_HOT void doca_priv_mmap_hold(struct doca_mmap *mmap)
{
    if (doca_unlikely(mmap->is_shared))
        (void)DOCA_PRIV_FETCH_ADD(&mmap->num_bufs, 1u);
    else
        DOCA_PRIV_COUNT(mmap, 1);
}

/* True when the mmap of this serial still exists at this address. The guard is read at every check
 * level, because the address does not come from the program. */
DOCA_PRIV_HOT bool doca_priv_mmap_is(const struct doca_mmap *mmap, uint32_t serial)
{
    return mmap->obj.guard == DOCA_PRIV_GUARD && mmap->obj.kind == DOCA_PRIV_KIND_MMAP &&
           mmap->serial == serial;
}

/* True when that mmap exists and is started. */
DOCA_PRIV_HOT bool doca_priv_mmap_is_started(const struct doca_mmap *mmap, uint32_t serial)
{
    return doca_priv_mmap_is(mmap, serial) && mmap->obj.state != DOCA_PRIV_STOPPED;
}

#endif

/* ---- >>priv.legacy.chunk ---------------------------------------------------------------------
 * Functions and types of >>impl.legacy.chunk that other parts use.                              */
#ifndef DOCA_SRC_COMPAT_LEGACY_CHUNK_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_CHUNK_PRIV_H

#include "base/error.h"
#include "base/platform_priv.h"

struct doca_core_legacy_mmap;
struct doca_dev;

DOCA_PRIV_DECL doca_error_t doca_priv_legacy_mmap_change(const struct doca_core_legacy_mmap *mmap,
                                                         const void *pointer, const char *function);
DOCA_PRIV_DECL uint32_t doca_priv_legacy_mmap_find(const struct doca_core_legacy_mmap *mmap,
                                                   const struct doca_dev *dev);
DOCA_PRIV_DECL uint32_t doca_priv_chunk_find(const struct doca_core_legacy_mmap *mmap,
                                             const void *addr);

#endif

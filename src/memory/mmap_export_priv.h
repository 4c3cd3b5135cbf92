/* ---- >>priv.mmap_export ----------------------------------------------------------------------
 * Declarations of >>impl.mmap_export for other parts.                                           */
#ifndef DOCA_SRC_MEMORY_MMAP_EXPORT_PRIV_H
#define DOCA_SRC_MEMORY_MMAP_EXPORT_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/types.h"
#include "memory/export_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_mmap_publish(struct doca_mmap *mmap,
                                                   const struct doca_dev *dev,
                                                   enum doca_priv_export_kind kind,
                                                   const void **export_desc,
                                                   size_t *export_desc_len, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_mmap_import(struct doca_core_arena *arena,
                                                  const union doca_data *user_data,
                                                  const void *export_desc, size_t export_desc_len,
                                                  struct doca_dev *dev, struct doca_mmap **mmap,
                                                  const char *function);

#endif

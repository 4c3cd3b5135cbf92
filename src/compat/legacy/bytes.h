/* ---- >>legacy.bytes --------------------------------------------------------------------------
 * Sizes of the objects of this header in an arena.                                              */
#ifndef DOCA_SRC_COMPAT_LEGACY_BYTES_H
#define DOCA_SRC_COMPAT_LEGACY_BYTES_H

#include "base/error.h"
#include "compat/legacy/config.h"

struct doca_dev;

/* Compute the arena bytes of an inventory, of a started mmap with all its ranges, of a DMA context,
 * and of a work queue of `depth` jobs. doca_core_bytes_legacy_ctx_workq() computes the bytes that
 * attaching such a work queue to a DMA context on `dev` takes. */
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_buf_inventory(size_t num_elements,
                                                                 size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_mmap(uint32_t max_num_chunks,
                                                        uint32_t max_num_devices, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_dma(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_workq(uint32_t depth, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_ctx_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes);

/* Compute the arena bytes of a SHA context, of attaching a work queue of `depth` jobs to a SHA
 * context on `dev`, and of a SHA session. */
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha_session(size_t *bytes);

#endif

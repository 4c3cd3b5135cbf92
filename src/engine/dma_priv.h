/* ---- >>priv.dma ------------------------------------------------------------------------------
 * Declarations of >>impl.dma for other parts of the library.                                    */
#ifndef DOCA_SRC_ENGINE_DMA_PRIV_H
#define DOCA_SRC_ENGINE_DMA_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "engine/dma.h"

struct doca_core_limits;

DOCA_PRIV_DECL doca_error_t doca_priv_dma_inspect(const struct doca_dma_task_memcpy *memcpy_task,
                                                  bool *is_far, enum doca_core_item *item);
#ifndef DOCA_CORE_NO_DMA
DOCA_PRIV_DECL bool doca_priv_dma_is_supported(const struct doca_core_limits *limits);
DOCA_PRIV_DECL doca_error_t doca_priv_dma_create(struct doca_core_arena *arena,
                                                 struct doca_dev *dev, struct doca_dma **dma,
                                                 const char *function);
#endif

#endif

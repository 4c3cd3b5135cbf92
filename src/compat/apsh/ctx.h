/* ---- >>apsh.ctx ------------------------------------------------------------------------------
 * Contexts: the device whose DMA engine reads the memory of targets.
 * Source: API reference, "DOCA App Shield".                                                     */
#ifndef DOCA_SRC_COMPAT_APSH_CTX_H
#define DOCA_SRC_COMPAT_APSH_CTX_H

#include "compat/apsh/config.h"

struct doca_apsh_ctx;

/* Create a context. Returns NULL, with the reason in doca_core_last_error(), when the arena is
 * exhausted. doca_apsh_create() uses the bound arena.
 *
 * Owns      one block of the arena; the systems of the context and their snapshots use the same
 *           arena */
DOCA_CORE_DECL struct doca_apsh_ctx *doca_apsh_create(void);
DOCA_CORE_DECL struct doca_apsh_ctx *doca_core_apsh_create_in(struct doca_core_arena *arena);

/* Destroy a context. Its systems stay usable, and keep its memory until they are destroyed. NULL is
 * accepted. */
DOCA_CORE_DECL void doca_apsh_destroy(struct doca_apsh_ctx *ctx);

/* Set the device whose DMA engine reads the memory of targets. The device must stay open until all
 * systems of the context are destroyed. Mandatory.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or `dma_dev` is not an open device
 *           BAD_STATE      the context is started */
DOCA_CORE_DECL doca_error_t doca_apsh_dma_dev_set(struct doca_apsh_ctx *ctx,
                                                  struct doca_dev *dma_dev);

/* Start a context: systems can be started from then on.
 *
 * Errors    INVALID_VALUE  `ctx` is NULL, no device was set, or the device has no DMA engine
 *           BAD_STATE      the context is started */
DOCA_CORE_DECL doca_error_t doca_apsh_start(struct doca_apsh_ctx *ctx);

#endif

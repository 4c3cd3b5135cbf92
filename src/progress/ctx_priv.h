/* ---- >>priv.ctx ------------------------------------------------------------------------------
 * Declarations of >>impl.ctx for other parts.                                                   */
#ifndef DOCA_SRC_PROGRESS_CTX_PRIV_H
#define DOCA_SRC_PROGRESS_CTX_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "progress/ctx.h"

struct doca_priv_engine;

DOCA_PRIV_DECL bool doca_priv_is_ctx(const struct doca_ctx *ctx);
DOCA_PRIV_DECL doca_error_t doca_priv_ctx_check(const struct doca_ctx *ctx, const void *pointer,
                                                const char *function);
DOCA_PRIV_DECL bool doca_priv_ctx_has_events(const struct doca_ctx *ctx);
DOCA_PRIV_DECL doca_error_t doca_priv_ctx_change(const struct doca_ctx *ctx, doca_error_t code,
                                                 const char *function);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_ctx_init(struct doca_ctx *ctx, uint8_t kind,
                                                        const struct doca_priv_engine *engine,
                                                        const struct doca_core_backend *backend,
                                                        struct doca_core_arena *arena,
                                                        struct doca_dev *dev, uint8_t num_stocks);
DOCA_PRIV_DECL size_t doca_priv_batch_bytes(uint32_t max_tasks);
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_ctx_bytes(const struct doca_ctx *model,
                                                                 size_t object_bytes, size_t *bytes,
                                                                 const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_ctx_unwind(struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_ctx_refuse(struct doca_ctx *ctx, doca_error_t status);
DOCA_PRIV_DECL void doca_priv_ctx_post_deferred(struct doca_ctx *ctx, bool is_followed);
DOCA_PRIV_DECL uint32_t doca_priv_ctx_count_out(const struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_ctx_enter_stopping(struct doca_ctx *ctx, doca_error_t status,
                                                 const char *function);
DOCA_PRIV_DECL DOCA_PRIV_COLD void doca_priv_task_failed(const struct doca_task *task);
DOCA_PRIV_DECL bool doca_priv_ctx_attend(struct doca_ctx *ctx);
DOCA_PRIV_DECL bool doca_priv_ctx_has_work(struct doca_ctx *ctx);
DOCA_PRIV_DECL bool doca_priv_ctx_is_fallible(const struct doca_ctx *ctx);
DOCA_PRIV_DECL bool doca_priv_ctx_is_lost(const struct doca_ctx *ctx);
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_ctx_open_queue(struct doca_ctx *ctx,
                                                                      uint32_t num_tasks,
                                                                      const char *function);
DOCA_PRIV_DECL DOCA_CORE_UNUSED doca_error_t doca_priv_ctx_destroy(struct doca_ctx *ctx,
                                                                   const char *function);
DOCA_PRIV_DECL void doca_priv_ctx_enter_idle(struct doca_ctx *ctx, const char *function);

#endif

/* ---- >>priv.stats ----------------------------------------------------------------------------
 * Declarations of >>impl.stats for other parts.                                                 */
#ifndef DOCA_SRC_PROGRESS_STATS_PRIV_H
#define DOCA_SRC_PROGRESS_STATS_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "progress/ctx.h"
#include "progress/pe.h"

#if !defined(DOCA_CORE_NO_STATS)

DOCA_PRIV_DECL void doca_priv_stats_attach(struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_stats_detach(uint16_t *number, const void *object);
DOCA_PRIV_DECL void doca_priv_stats_count(const struct doca_ctx *ctx, const struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_stats_count_withdrawn(const struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_stats_publish(const struct doca_pe *pe);
DOCA_PRIV_DECL void doca_priv_stats_set_state(const struct doca_ctx *ctx);
#endif

#endif

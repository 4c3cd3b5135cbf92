/* ---- >>priv.pe -------------------------------------------------------------------------------
 * Declarations of >>impl.pe for other parts.                                                    */
#ifndef DOCA_SRC_PROGRESS_PE_PRIV_H
#define DOCA_SRC_PROGRESS_PE_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "progress/pe.h"

DOCA_PRIV_DECL void doca_priv_pe_adopt(struct doca_pe *pe, struct doca_ctx *ctx);
DOCA_PRIV_DECL doca_error_t doca_priv_pe_signal(struct doca_pe *pe, const char *function);
DOCA_PRIV_DECL void doca_priv_pe_activate(struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_pe_deactivate(struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_pe_unlink(struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_pe_follow(struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_pe_unfollow(struct doca_ctx *ctx);
DOCA_PRIV_DECL bool doca_priv_pe_watch(struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_pe_unwatch(struct doca_ctx *ctx);
DOCA_PRIV_DECL doca_error_t doca_priv_pe_create(struct doca_core_arena *arena, struct doca_pe **pe,
                                                const char *function);

#endif

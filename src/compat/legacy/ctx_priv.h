/* ---- >>priv.legacy.ctx -----------------------------------------------------------------------
 * Contexts and their links to work queues. Each link has a context of doca_core.h (its `engine`),
 * which only the thread of the work queue uses. The lock of a legacy context guards the state, the
 * device and the number of links of the context.                                                */
#ifndef DOCA_SRC_COMPAT_LEGACY_CTX_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_CTX_PRIV_H

#include "base/platform_priv.h"
#include "base/types.h"

struct doca_core_arena;
struct doca_ctx;
struct doca_dev;
struct doca_workq;

struct doca_core_legacy_ctx {
    struct doca_priv_object obj;
    uint32_t lock;
    uint32_t num_links;
    struct doca_dev *dev;
    struct doca_core_arena *arena;
};

struct doca_core_legacy_sha {
    struct doca_core_legacy_ctx ctx;
};

struct doca_priv_link {
    struct doca_core_legacy_ctx *ctx;
    /* the context of a struct doca_dma or doca_sha, depending on obj.kind of `ctx` */
    struct doca_ctx *engine;
    struct doca_priv_link *next; /* next link of the same work queue */
    uint32_t num_jobs;           /* jobs whose events have not been retrieved */
};

DOCA_PRIV_DECL bool doca_priv_is_legacy_ctx(const struct doca_core_legacy_ctx *ctx);
DOCA_PRIV_DECL uint32_t doca_priv_link_hashes(const struct doca_dev *dev, uint32_t depth);
DOCA_PRIV_DECL bool doca_priv_legacy_ctx_add_links(struct doca_core_legacy_ctx *ctx, uint32_t by);
DOCA_PRIV_DECL struct doca_priv_link **doca_priv_link_find(struct doca_workq *workq,
                                                           const struct doca_core_legacy_ctx *ctx);

#endif

/* ---- >>priv.sha ------------------------------------------------------------------------------
 * Declarations of >>impl.sha for other parts of the library.                                    */
#ifndef DOCA_SRC_ENGINE_SHA_PRIV_H
#define DOCA_SRC_ENGINE_SHA_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "engine/sha.h"

#define DOCA_PRIV_SHA_ALGORITHMS 3

/* Digest and block sizes in bytes, indexed by enum doca_sha_algorithm. */
static const struct doca_priv_sha_size {
    uint8_t digest;
    uint8_t block;
} doca_priv_sha_sizes[DOCA_PRIV_SHA_ALGORITHMS] = { { 20, 64 }, { 32, 64 }, { 64, 128 } };

DOCA_PRIV_DECL doca_error_t doca_priv_sha_inspect(const struct doca_sha_task_hash *t, bool *is_far,
                                                  enum doca_core_item *item);
#if DOCA_CORE_CHECK >= 2
DOCA_PRIV_DECL uint64_t doca_priv_sha_written(const struct doca_task *task);
#endif
DOCA_PRIV_DECL bool doca_priv_sha_is_complete(const struct doca_task *task);
DOCA_PRIV_DECL doca_error_t doca_priv_sha_create(struct doca_core_arena *arena,
                                                 struct doca_dev *dev, struct doca_sha **sha,
                                                 const char *function);

#endif

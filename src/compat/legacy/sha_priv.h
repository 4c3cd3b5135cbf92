/* ---- >>priv.legacy.sha -----------------------------------------------------------------------
 * Hash sessions. A session is the state of a hash between two jobs. Each of its jobs takes a task
 * of its own, which receives the state at submit and returns it when it ends. No task is taken
 * between jobs.                                                                                 */
#ifndef DOCA_SRC_COMPAT_LEGACY_SHA_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_SHA_PRIV_H

#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "engine/sha.h"

struct doca_core_arena;
struct doca_core_legacy_ctx;
struct doca_priv_job;
struct doca_task;
struct doca_workq;

struct doca_sha_partial_session {
    struct doca_priv_object obj;
    uint8_t algorithm; /* valid while the session is open */
    uint8_t session;   /* DOCA_PRIV_SHA_NEW or _OPEN */
    const struct doca_core_legacy_ctx *ctx;
    const struct doca_workq *workq;
    struct doca_core_arena *arena;
    struct doca_priv_job *job; /* job whose event has not been retrieved; NULL when there is none */
    uint64_t bytes;
    union doca_priv_sha_state state;
};

DOCA_PRIV_DECL enum doca_core_item
doca_priv_session_fault(const struct doca_sha_partial_session *session,
                        const struct doca_core_legacy_ctx *ctx, const struct doca_workq *workq,
                        uint8_t algorithm);
DOCA_PRIV_DECL void doca_priv_session_enter(struct doca_sha_partial_session *session,
                                            struct doca_priv_job *job, struct doca_task *task,
                                            uint8_t algorithm, bool is_final);
DOCA_PRIV_DECL bool doca_priv_session_leave(struct doca_sha_partial_session *session,
                                            struct doca_task *task);

#endif

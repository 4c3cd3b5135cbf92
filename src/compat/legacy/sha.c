/* ---- >>impl.legacy.sha -----------------------------------------------------------------------
 * Hash contexts and sessions.                                                                   */
#include "compat/legacy/sha_priv.h"

#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "progress/task.h"
#include "engine/sha.h"
#include "engine/sha_priv.h"
#include "compat/legacy/bytes.h"
#include "compat/legacy/ctx_priv.h"
#include "compat/legacy/sha.h"
#include "compat/legacy/workq_priv.h"

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_core_legacy_sha), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha_session(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_sha_partial_session), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    size_t sha_bytes = 0;
    uint32_t num;

    if (rc != DOCA_SUCCESS)
        return rc;
    num = doca_priv_link_hashes(dev, depth);
    rc = doca_core_bytes_sha(dev, num, num, &sha_bytes);
    if (rc == DOCA_SUCCESS)
        *bytes = sha_bytes + DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_link));
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_sha_create(struct doca_core_legacy_sha **sha)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    void *block = NULL;
    doca_error_t rc;

    if (sha == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_object_take(arena, sizeof(**sha), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *sha = (struct doca_core_legacy_sha *)block;
    doca_priv_object_init(&(*sha)->ctx.obj, DOCA_PRIV_KIND_LEGACY_SHA);
    (*sha)->ctx.arena = arena;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_sha_destroy(struct doca_core_legacy_sha *sha)
{
    if (!doca_priv_is(sha, DOCA_PRIV_KIND_LEGACY_SHA))
        return DOCA_PRIV_FAIL_HANDLE(sha);
    if (sha->ctx.dev != NULL)
        return DOCA_PRIV_FAIL(IN_USE, LEGACY_CTX_DEV, sha);
    return doca_priv_object_give(sha->ctx.arena, &sha->ctx.obj);
}

DOCA_CORE_DECL struct doca_core_legacy_ctx *doca_core_legacy_sha_as_ctx(
    struct doca_core_legacy_sha *sha)
{
    return sha != NULL ? &sha->ctx : NULL;
}

/* Return the algorithm of a type of job, or DOCA_PRIV_SHA_ALGORITHMS when the type is invalid. */
static uint32_t doca_priv_sha_of_job(enum doca_sha_job_type job_type)
{
    return job_type >= DOCA_SHA_JOB_SHA1 && job_type <= DOCA_SHA_JOB_SHA512_PARTIAL
               ? (uint32_t)(job_type - DOCA_SHA_JOB_SHA1) % DOCA_PRIV_SHA_ALGORITHMS
               : (uint32_t)DOCA_PRIV_SHA_ALGORITHMS;
}

DOCA_CORE_DECL doca_error_t doca_sha_job_get_supported(const struct doca_devinfo *devinfo,
                                                       enum doca_sha_job_type job_type)
{
    return doca_sha_cap_task_hash_get_supported(
        devinfo, (enum doca_sha_algorithm)doca_priv_sha_of_job(job_type));
}

DOCA_CORE_DECL doca_error_t doca_sha_get_hardware_supported(const struct doca_devinfo *devinfo)
{
    return doca_sha_cap_task_hash_get_supported(devinfo, DOCA_SHA_ALGORITHM_SHA256);
}

DOCA_CORE_DECL doca_error_t doca_sha_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_list_num_elem)
{
    return doca_sha_cap_get_max_list_buf_num_elem(devinfo, max_list_num_elem);
}

DOCA_CORE_DECL doca_error_t doca_sha_get_max_src_buffer_size(const struct doca_devinfo *devinfo,
                                                             uint64_t *max_buffer_size)
{
    return doca_sha_cap_get_max_src_buffer_size(devinfo, max_buffer_size);
}

DOCA_CORE_DECL doca_error_t doca_sha_get_min_dst_buffer_size(const struct doca_devinfo *devinfo,
                                                             enum doca_sha_job_type job_type,
                                                             uint32_t *min_buffer_size)
{
    return doca_sha_cap_get_min_dst_buffer_size(
        devinfo, (enum doca_sha_algorithm)doca_priv_sha_of_job(job_type), min_buffer_size);
}

/* Check that `session` is a session of this context and work queue. */
static doca_error_t doca_priv_session_check(const struct doca_core_legacy_sha *sha,
                                            const struct doca_workq *workq,
                                            const struct doca_sha_partial_session *session,
                                            const char *function)
{
    doca_error_t rc = doca_priv_check_args(sha, DOCA_PRIV_KIND_LEGACY_SHA, session, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, session, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(session, DOCA_PRIV_KIND_LEGACY_SESSION, session, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (session->ctx != &sha->ctx || session->workq != workq)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_JOB_SESSION, function,
                              session);
    return session->job == NULL ? DOCA_SUCCESS
                                : doca_priv_fail(DOCA_ERROR_IN_USE,
                                                 DOCA_CORE_ITEM_JOB_SESSION_BUSY, function,
                                                 session);
}

DOCA_CORE_DECL doca_error_t doca_sha_partial_session_create(
    struct doca_core_legacy_sha *sha, struct doca_workq *workq,
    struct doca_sha_partial_session **session)
{
    doca_error_t rc = doca_priv_check_args(sha, DOCA_PRIV_KIND_LEGACY_SHA, session, __func__);
    struct doca_sha_partial_session *s;
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, session, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(workq->arena, sizeof(*s), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    s = (struct doca_sha_partial_session *)block;
    doca_priv_object_init(&s->obj, DOCA_PRIV_KIND_LEGACY_SESSION);
    s->ctx = &sha->ctx;
    s->workq = workq;
    s->arena = workq->arena;
    *session = s;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_sha_partial_session_destroy(
    struct doca_core_legacy_sha *sha, struct doca_workq *workq,
    struct doca_sha_partial_session *session)
{
    doca_error_t rc = doca_priv_session_check(sha, workq, session, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_object_give(session->arena, &session->obj);
}

DOCA_CORE_DECL doca_error_t doca_sha_partial_session_copy(
    struct doca_core_legacy_sha *sha, struct doca_workq *workq,
    const struct doca_sha_partial_session *from_session,
    struct doca_sha_partial_session *to_session)
{
    doca_error_t rc = doca_priv_session_check(sha, workq, from_session, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_session_check(sha, workq, to_session, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    to_session->algorithm = from_session->algorithm;
    to_session->session = from_session->session;
    to_session->bytes = from_session->bytes;
    to_session->state = from_session->state;
    return DOCA_SUCCESS;
}

/* Return why a job with this algorithm cannot continue the session, or ITEM_NONE. */
DOCA_PRIV_DECL enum doca_core_item
doca_priv_session_fault(const struct doca_sha_partial_session *session,
                        const struct doca_core_legacy_ctx *ctx, const struct doca_workq *workq,
                        uint8_t algorithm)
{
    if (session == NULL)
        return DOCA_CORE_ITEM_NULL_ARGUMENT;
    if (!doca_priv_is(session, DOCA_PRIV_KIND_LEGACY_SESSION))
        return DOCA_CORE_ITEM_DEAD_HANDLE;
    if (session->ctx != ctx || session->workq != workq ||
        (session->session != DOCA_PRIV_SHA_NEW && session->algorithm != algorithm))
        return DOCA_CORE_ITEM_JOB_SESSION;
    return session->job != NULL ? DOCA_CORE_ITEM_JOB_SESSION_BUSY : DOCA_CORE_ITEM_NONE;
}

/* Prepare the task of a hash. With a session, the hash continues from its state. */
DOCA_PRIV_DECL void doca_priv_session_enter(struct doca_sha_partial_session *session,
                                            struct doca_priv_job *job, struct doca_task *task,
                                            uint8_t algorithm, bool is_final)
{
    struct doca_sha_task_partial_hash *t = (struct doca_sha_task_partial_hash *)(void *)task;

    t->hash.algorithm = algorithm;
    t->hash.session = DOCA_PRIV_SHA_NEW;
    t->hash.is_final = 0;
    t->hash.has_result = 0;
    if (session == NULL)
        return;
    session->algorithm = algorithm;
    session->job = job;
    t->hash.session = session->session;
    t->hash.is_final = is_final;
    if (session->session != DOCA_PRIV_SHA_NEW) {
        t->bytes = session->bytes;
        t->state = session->state;
    }
}

/* Take the state back from a task that has ended. Returns true when the task wrote its
 * destination. */
DOCA_PRIV_DECL bool doca_priv_session_leave(struct doca_sha_partial_session *session,
                                            struct doca_task *task)
{
    const struct doca_sha_task_partial_hash *t =
        (const struct doca_sha_task_partial_hash *)(const void *)task;

    if (session == NULL)
        return true;
    if (task->status != DOCA_SUCCESS)
        return false;
    session->session = t->hash.is_final ? DOCA_PRIV_SHA_NEW : DOCA_PRIV_SHA_OPEN;
    session->bytes = t->bytes;
    session->state = t->state;
    return t->hash.is_final;
}

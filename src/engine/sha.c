/* ---- >>impl.sha -----------------------------------------------------------------------------
 * SHA contexts, hash tasks and partial hash tasks: create, configure, allocate, check, complete.
 * The hashing itself is in the backends.                                                        */
#include "engine/sha_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "engine/hot_engine.h"

DOCA_PRIV_ASSERT_STATIC(hash_task_begins_as_memcpy_does,
                        offsetof(struct doca_sha_task_hash, src) ==
                                offsetof(struct doca_dma_task_memcpy, src) &&
                            offsetof(struct doca_sha_task_hash, dst) ==
                                offsetof(struct doca_dma_task_memcpy, dst));
DOCA_PRIV_ASSERT_STATIC(hash_task_fits_its_slot,
                        sizeof(struct doca_sha_task_hash) <= DOCA_PRIV_TASK_BYTES);

static bool doca_priv_sha_is_supported(const struct doca_core_limits *limits)
{
    return limits->has_sha != 0;
}

static void doca_priv_sha_hash_done(struct doca_task *task)
{
    const struct doca_sha *sha = (const struct doca_sha *)(const void *)task->ctx;
    doca_sha_task_hash_completion_cb_t cb = sha->hash_done;

    if (doca_unlikely(task->status != DOCA_SUCCESS)) {
        doca_priv_task_failed(task);
        cb = sha->hash_failed;
    }
    cb((struct doca_sha_task_hash *)DOCA_PRIV_HANDLE(task), task->user_data, sha->ctx.user_data);
}

/* Update the session after a segment. A segment that failed or was flushed leaves it unchanged. */
DOCA_PRIV_HOT void doca_priv_sha_partial_settle(struct doca_task *task)
{
    struct doca_sha_task_hash *t = (struct doca_sha_task_hash *)(void *)task;

    if (doca_likely(task->status == DOCA_SUCCESS)) {
        t->has_result = t->is_final;
        t->session = t->is_final ? DOCA_PRIV_SHA_ENDED : DOCA_PRIV_SHA_OPEN;
    }
}

static void doca_priv_sha_settle(struct doca_task *task)
{
    if (task->type == DOCA_CORE_SHA_PARTIAL)
        doca_priv_sha_partial_settle(task);
}

static void doca_priv_sha_partial_done(struct doca_task *task)
{
    const struct doca_sha *sha = (const struct doca_sha *)(const void *)task->ctx;
    doca_sha_task_partial_hash_completion_cb_t cb = sha->partial_done;

    if (doca_unlikely(task->status != DOCA_SUCCESS)) {
        doca_priv_task_failed(task);
        cb = sha->partial_failed;
    }
    doca_priv_sha_partial_settle(task);
    cb((struct doca_sha_task_partial_hash *)DOCA_PRIV_HANDLE(task), task->user_data,
       sha->ctx.user_data);
}

/* Check a task as a hash engine does when it executes it. Returns SUCCESS, or the error with the
 * reason in *item. *is_far: a buffer is not directly addressable in this process. */
DOCA_PRIV_DECL doca_error_t doca_priv_sha_inspect(const struct doca_sha_task_hash *t, bool *is_far,
                                                  enum doca_core_item *item)
{
    const struct doca_dev *dev = t->task.ctx->dev;
    const struct doca_core_limits *limits = &dev->info.attr.limits;
    struct doca_priv_task_list src, dst;
    doca_error_t rc = doca_priv_task_lists(t->src, t->dst, dev, &src, &dst, item);

    if (rc != DOCA_SUCCESS)
        return rc;
    *is_far = src.is_far || dst.is_far;
    if (t->session == DOCA_PRIV_SHA_ENDED) {
        *item = DOCA_CORE_ITEM_SHA_ENDED;
        return DOCA_ERROR_BAD_STATE;
    }
    *item = doca_priv_task_excess(&src, &dst, doca_priv_sha_sizes[t->algorithm].digest,
                                  limits->sha_max_src_buf_size, limits->sha_max_buf_list_len);
    if (*item == DOCA_CORE_ITEM_NONE && t->task.type == DOCA_CORE_SHA_PARTIAL && !t->is_final &&
        src.bytes % doca_priv_sha_sizes[t->algorithm].block != 0)
        *item = DOCA_CORE_ITEM_SHA_SEGMENT;
    return *item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t doca_priv_sha_check(const struct doca_task *task, enum doca_core_item *item)
{
    bool is_far;

    return doca_priv_sha_inspect((const struct doca_sha_task_hash *)(const void *)task, &is_far,
                                 item);
}

#if DOCA_CORE_CHECK >= 2
DOCA_PRIV_DECL uint64_t doca_priv_sha_written(const struct doca_task *task)
{
    const struct doca_sha_task_hash *t = (const struct doca_sha_task_hash *)(const void *)task;

    return t->task.type != DOCA_CORE_SHA_PARTIAL || t->is_final
               ? doca_priv_sha_sizes[t->algorithm].digest
               : 0;
}
#endif

DOCA_PRIV_DECL bool doca_priv_sha_is_complete(const struct doca_task *task)
{
    const struct doca_sha_task_hash *t = (const struct doca_sha_task_hash *)(const void *)task;

    return doca_priv_is_buf(t->src) && doca_priv_is_buf(t->dst);
}

static const struct doca_priv_engine doca_priv_sha_engine = {
    DOCA_CORE_ENGINE_SHA,      true,                doca_priv_sha_is_supported, doca_priv_sha_check,
    doca_priv_sha_is_complete, doca_priv_sha_settle,       doca_priv_ctx_open_queue,
    NULL,                      NULL,                NULL,
    doca_priv_task_src_bytes
};

static void doca_priv_sha_init_stocks(struct doca_priv_task_stock *stocks)
{
    /* analyzer: core.NullDereference: the stocks belong to an object that was allocated */
    stocks[DOCA_CORE_SHA_HASH].done = doca_priv_sha_hash_done;
    stocks[DOCA_CORE_SHA_HASH].task_bytes = DOCA_PRIV_TASK_BYTES;
    stocks[DOCA_CORE_SHA_PARTIAL].done = doca_priv_sha_partial_done;
    stocks[DOCA_CORE_SHA_PARTIAL].task_bytes = DOCA_PRIV_SHA_PARTIAL_BYTES;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sha(struct doca_dev *dev, uint32_t num_hash_tasks,
                                                uint32_t num_partial_hash_tasks, size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_sha sha;

    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(&sha, 0, sizeof(sha));
    sha.ctx.dev = dev;
    sha.ctx.backend = dev->backend;
    sha.ctx.engine = &doca_priv_sha_engine;
    sha.ctx.num_stocks = 2;
    doca_priv_sha_init_stocks(sha.stocks);
    sha.stocks[DOCA_CORE_SHA_HASH].num = num_hash_tasks;
    sha.stocks[DOCA_CORE_SHA_PARTIAL].num = num_partial_hash_tasks;
    return doca_priv_ctx_bytes(&sha.ctx, sizeof(sha), bytes, __func__);
}

/* Create a SHA context in `arena`; NULL selects the arena of the device. */
DOCA_PRIV_DECL doca_error_t doca_priv_sha_create(struct doca_core_arena *arena,
                                                 struct doca_dev *dev, struct doca_sha **sha,
                                                 const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, sha, function);
    struct doca_sha *s;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*s), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    s = (struct doca_sha *)block;
    doca_priv_sha_init_stocks(s->stocks);
    doca_priv_ctx_init(&s->ctx, DOCA_PRIV_KIND_SHA, &doca_priv_sha_engine, dev->backend, arena,
                       dev, 2);
    *sha = (struct doca_sha *)DOCA_PRIV_HANDLE(s);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sha_create_in(struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_sha **sha)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, sha, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_sha_create(arena, dev, sha, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sha_create(struct doca_dev *dev, struct doca_sha **sha)
{
    return doca_priv_sha_create(NULL, dev, sha, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sha_destroy(struct doca_sha *sha)
{
    DOCA_PRIV_OPEN(sha)
    if (!doca_priv_is(sha, DOCA_PRIV_KIND_SHA))
        return DOCA_PRIV_FAIL_HANDLE(sha);
    return doca_priv_ctx_destroy(&sha->ctx, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_sha_as_ctx(struct doca_sha *sha)
{
    return (struct doca_ctx *)(void *)sha;
}

/* Check that `algorithm` is a value of enum doca_sha_algorithm; otherwise log INVALID_VALUE. */
DOCA_PRIV_HOT doca_error_t doca_priv_sha_algorithm(uint32_t algorithm, const void *object,
                                                   const char *function)
{
    if (doca_likely(algorithm < DOCA_PRIV_SHA_ALGORITHMS))
        return DOCA_SUCCESS;
    return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_SHA_ALGORITHM, function, object);
}

/* Check the arguments of a capability query, and that the device has a hash engine. */
static doca_error_t doca_priv_sha_cap(const struct doca_devinfo *devinfo, uint32_t algorithm,
                                      const void *out, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, out, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_sha_algorithm(algorithm, devinfo, function);
    if (rc == DOCA_SUCCESS && !doca_priv_sha_is_supported(&devinfo->attr.limits))
        rc = doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SHA, function, devinfo);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_task_hash_get_supported(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm)
{
    return doca_priv_sha_cap(devinfo, (uint32_t)algorithm, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_task_partial_hash_get_supported(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm)
{
    return doca_priv_sha_cap(devinfo, (uint32_t)algorithm, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_list_buf_num_elem(
    const struct doca_devinfo *devinfo, uint32_t *max_list_buf_num_elem)
{
    doca_error_t rc = doca_priv_sha_cap(devinfo, 0, max_list_buf_num_elem, __func__);

    if (rc == DOCA_SUCCESS)
        *max_list_buf_num_elem = devinfo->attr.limits.sha_max_buf_list_len;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_src_buf_size(const struct doca_devinfo *devinfo,
                                                              uint64_t *max_src_buf_size)
{
    doca_error_t rc = doca_priv_sha_cap(devinfo, 0, max_src_buf_size, __func__);

    if (rc == DOCA_SUCCESS)
        *max_src_buf_size = devinfo->attr.limits.sha_max_src_buf_size;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_min_dst_buf_size(const struct doca_devinfo *devinfo,
                                                              enum doca_sha_algorithm algorithm,
                                                              uint32_t *min_dst_buf_size)
{
    doca_error_t rc = doca_priv_sha_cap(devinfo, (uint32_t)algorithm, min_dst_buf_size, __func__);

    if (rc == DOCA_SUCCESS)
        *min_dst_buf_size = doca_priv_sha_sizes[algorithm].digest;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_src_buffer_size(
    const struct doca_devinfo *devinfo, uint64_t *max_src_buf_size)
{
    return doca_sha_cap_get_max_src_buf_size(devinfo, max_src_buf_size);
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_min_dst_buffer_size(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
    uint32_t *min_dst_buf_size)
{
    return doca_sha_cap_get_min_dst_buf_size(devinfo, algorithm, min_dst_buf_size);
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_partial_hash_block_size(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
    uint32_t *partial_block_size)
{
    doca_error_t rc = doca_priv_sha_cap(devinfo, (uint32_t)algorithm, partial_block_size, __func__);

    if (rc == DOCA_SUCCESS)
        *partial_block_size = doca_priv_sha_sizes[algorithm].block;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_num_tasks(struct doca_sha *sha,
                                                           uint32_t *max_num_tasks)
{
    DOCA_PRIV_OPEN(sha)
    doca_error_t rc = doca_priv_check_args(sha, DOCA_PRIV_KIND_SHA, max_num_tasks, __func__);
    const struct doca_core_limits *limits;

    if (rc != DOCA_SUCCESS)
        return rc;
    limits = &sha->ctx.dev->info.attr.limits;
    *max_num_tasks = limits->has_sha != 0 ? limits->sha_max_num_tasks : 0;
    return DOCA_SUCCESS;
}

/* Common part of both set_conf calls: check the arguments and set the number of tasks of `type`.
 * The caller stores the callbacks. */
static doca_error_t doca_priv_sha_set_conf(struct doca_sha *sha, uint8_t type, bool has_cbs,
                                           uint8_t log_num_tasks, const char *function)
{
    DOCA_PRIV_ENTER(sha, function)
    const struct doca_core_limits *limits;
    doca_error_t rc;
    uint64_t total;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(sha, DOCA_PRIV_KIND_SHA) || !has_cbs)
        return doca_priv_check_args(sha, DOCA_PRIV_KIND_SHA, NULL, function);
    limits = &sha->ctx.dev->info.attr.limits;
    total = sha->stocks[1 - type].num + ((uint64_t)1 << log_num_tasks % 64);
    if (log_num_tasks >= 32 || (limits->has_sha != 0 && total > limits->sha_max_num_tasks))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_CTX_TOO_MANY_TASKS, function,
                              sha);
    rc = doca_priv_ctx_change(&sha->ctx, DOCA_ERROR_BAD_STATE, function);
    if (rc == DOCA_SUCCESS)
        sha->stocks[type].num = (uint32_t)1 << log_num_tasks;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_conf(
    struct doca_sha *sha, doca_sha_task_hash_completion_cb_t task_completion_cb,
    doca_sha_task_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    DOCA_PRIV_OPEN(sha)
    bool has_cbs = task_completion_cb != NULL && task_error_cb != NULL;
    doca_error_t rc =
        doca_priv_sha_set_conf(sha, DOCA_CORE_SHA_HASH, has_cbs, log_num_tasks, __func__);

    if (rc == DOCA_SUCCESS) {
        sha->hash_done = task_completion_cb;
        sha->hash_failed = task_error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_conf(
    struct doca_sha *sha, doca_sha_task_partial_hash_completion_cb_t task_completion_cb,
    doca_sha_task_partial_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    DOCA_PRIV_OPEN(sha)
    bool has_cbs = task_completion_cb != NULL && task_error_cb != NULL;
    doca_error_t rc =
        doca_priv_sha_set_conf(sha, DOCA_CORE_SHA_PARTIAL, has_cbs, log_num_tasks, __func__);

    if (rc == DOCA_SUCCESS) {
        sha->partial_done = task_completion_cb;
        sha->partial_failed = task_error_cb;
    }
    return rc;
}

/* Allocate a task of `type`, ready for its first submission. `out` is the address that the caller
 * will write the handle to; this function only checks that it is not NULL. */
DOCA_PRIV_HOT doca_error_t doca_priv_sha_task_take(struct doca_sha *sha, uint8_t type,
                                                   uint32_t algorithm, const struct doca_buf *src,
                                                   struct doca_buf *dst, union doca_data user_data,
                                                   const void *out, struct doca_task **task,
                                                   const char *function)
{
    doca_error_t rc = doca_priv_check_args(sha, DOCA_PRIV_KIND_SHA, out, function);
    struct doca_sha_task_hash *t;

    if (doca_likely(rc == DOCA_SUCCESS))
        rc = doca_priv_sha_algorithm(algorithm, sha, function);
    if (doca_likely(rc == DOCA_SUCCESS))
        rc = doca_priv_task_take(&sha->ctx, type, task, function);
    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t = (struct doca_sha_task_hash *)(void *)*task;
    t->task.user_data = user_data;
    t->src = src;
    t->dst = dst;
    DOCA_PRIV_CHECKED(t->lives[0] = doca_priv_check_life_of(src);
                      t->lives[1] = doca_priv_check_life_of(dst);)
    t->algorithm = (uint8_t)algorithm;
    t->session = DOCA_PRIV_SHA_NEW;
    t->is_final = 0;
    t->has_result = 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_sha_task_hash_alloc_other(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task)
{
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_sha_task_take(sha, DOCA_CORE_SHA_HASH, (uint32_t)algorithm, src_buf, dst_buf,
                                user_data, task, &taken, "doca_sha_task_hash_alloc_init");

    if (rc == DOCA_SUCCESS)
        *task = (struct doca_sha_task_hash *)(void *)taken;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task)
{
    return doca_priv_hot_sha_task_hash_alloc_init(sha, algorithm, src_buf, dst_buf, user_data,
                                                  task);
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_partial_hash **task)
{
    DOCA_PRIV_OPEN(sha)
    DOCA_PRIV_OPEN(src_buf)
    DOCA_PRIV_OPEN(dst_buf)
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_sha_task_take(sha, DOCA_CORE_SHA_PARTIAL, (uint32_t)algorithm, src_buf, dst_buf,
                                user_data, task, &taken, __func__);

    if (doca_likely(rc == DOCA_SUCCESS))
        *task = (struct doca_sha_task_partial_hash *)DOCA_PRIV_HANDLE(taken);
    return rc;
}

DOCA_CORE_DECL struct doca_task *doca_sha_task_hash_as_task(struct doca_sha_task_hash *task)
{
    return doca_priv_hot_sha_task_hash_as_task(task);
}

DOCA_CORE_DECL struct doca_task *doca_sha_task_partial_hash_as_task(
    struct doca_sha_task_partial_hash *task)
{
    return (struct doca_task *)(void *)task;
}

/* Check that the program may change the task. `is_fixed`: the property that the program wants to
 * change is fixed during a session. */
static doca_error_t doca_priv_sha_check_partial(const struct doca_sha_task_partial_hash *task,
                                                bool is_fixed, const char *function)
{
    doca_error_t rc = doca_priv_task_check(task, doca_priv_sha_partial_done, function);

    if (rc == DOCA_SUCCESS && is_fixed && task->hash.session != DOCA_PRIV_SHA_NEW)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_SHA_SESSION, function, task);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_src(struct doca_sha_task_hash *task,
                                                       const struct doca_buf *src_buf)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(src_buf)
    doca_error_t rc = doca_priv_task_check(task, doca_priv_sha_hash_done, __func__);

    if (rc == DOCA_SUCCESS) {
        task->src = src_buf;
        DOCA_PRIV_CHECKED(task->lives[0] = doca_priv_check_life_of(src_buf);)
    }
    return rc;
}

DOCA_CORE_DECL const struct doca_buf *doca_sha_task_hash_get_src(
    const struct doca_sha_task_hash *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_sha_hash_done, __func__)
               ? (const struct doca_buf *)DOCA_PRIV_HANDLE_OF(task->src, task->lives[0])
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_dst(struct doca_sha_task_hash *task,
                                                       struct doca_buf *dst_buf)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(dst_buf)
    doca_error_t rc = doca_priv_task_check(task, doca_priv_sha_hash_done, __func__);

    if (rc == DOCA_SUCCESS) {
        task->dst = dst_buf;
        DOCA_PRIV_CHECKED(task->lives[1] = doca_priv_check_life_of(dst_buf);)
    }
    return rc;
}

DOCA_CORE_DECL const struct doca_buf *doca_sha_task_hash_get_dst(
    const struct doca_sha_task_hash *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_sha_hash_done, __func__)
               ? (struct doca_buf *)DOCA_PRIV_HANDLE_OF(task->dst, task->lives[1])
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_algorithm(struct doca_sha_task_hash *task,
                                                             enum doca_sha_algorithm algorithm)
{
    DOCA_PRIV_OPEN(task)
    doca_error_t rc = doca_priv_task_check(task, doca_priv_sha_hash_done, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_sha_algorithm((uint32_t)algorithm, task, __func__);
    if (rc == DOCA_SUCCESS)
        task->algorithm = (uint8_t)algorithm;
    return rc;
}

DOCA_CORE_DECL enum doca_sha_algorithm doca_sha_task_hash_get_algorithm(
    const struct doca_sha_task_hash *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_sha_hash_done, __func__)
               ? (enum doca_sha_algorithm)task->algorithm
               : DOCA_SHA_ALGORITHM_SHA1;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_src(
    struct doca_sha_task_partial_hash *task, const struct doca_buf *src_buf)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(src_buf)
    doca_error_t rc = doca_priv_sha_check_partial(task, false, __func__);

    if (rc == DOCA_SUCCESS) {
        task->hash.src = src_buf;
        DOCA_PRIV_CHECKED(task->hash.lives[0] = doca_priv_check_life_of(src_buf);)
    }
    return rc;
}

DOCA_CORE_DECL const struct doca_buf *doca_sha_task_partial_hash_get_src(
    const struct doca_sha_task_partial_hash *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_sha_partial_done, __func__)
               ? (const struct doca_buf *)DOCA_PRIV_HANDLE_OF(task->hash.src, task->hash.lives[0])
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_dst(
    struct doca_sha_task_partial_hash *task, struct doca_buf *dst_buf)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(dst_buf)
    doca_error_t rc = doca_priv_sha_check_partial(task, true, __func__);

    if (rc == DOCA_SUCCESS) {
        task->hash.dst = dst_buf;
        DOCA_PRIV_CHECKED(task->hash.lives[1] = doca_priv_check_life_of(dst_buf);)
    }
    return rc;
}

DOCA_CORE_DECL const struct doca_buf *doca_sha_task_partial_hash_get_dst(
    const struct doca_sha_task_partial_hash *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_sha_partial_done, __func__)
               ? (struct doca_buf *)DOCA_PRIV_HANDLE_OF(task->hash.dst, task->hash.lives[1])
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_algorithm(
    struct doca_sha_task_partial_hash *task, enum doca_sha_algorithm algorithm)
{
    DOCA_PRIV_OPEN(task)
    doca_error_t rc = doca_priv_sha_check_partial(task, true, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_sha_algorithm((uint32_t)algorithm, task, __func__);
    if (rc == DOCA_SUCCESS)
        task->hash.algorithm = (uint8_t)algorithm;
    return rc;
}

DOCA_CORE_DECL enum doca_sha_algorithm doca_sha_task_partial_hash_get_algorithm(
    const struct doca_sha_task_partial_hash *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_sha_partial_done, __func__)
               ? (enum doca_sha_algorithm)task->hash.algorithm
               : DOCA_SHA_ALGORITHM_SHA1;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_reset(
    struct doca_sha_task_partial_hash *task)
{
    DOCA_PRIV_OPEN(task)
    doca_error_t rc = doca_priv_sha_check_partial(task, false, __func__);

    if (rc == DOCA_SUCCESS) {
        task->hash.session = DOCA_PRIV_SHA_NEW;
        task->hash.is_final = 0;
        task->hash.has_result = 0;
    }
    return rc;
}

static doca_error_t doca_priv_sha_set_final(struct doca_sha_task_partial_hash *task,
                                            const char *function)
{
    DOCA_PRIV_OPEN(task)
    doca_error_t rc = doca_priv_sha_check_partial(task, false, function);

    if (rc == DOCA_SUCCESS)
        task->hash.is_final = 1;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_is_final_buf(
    struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_set_final(task, __func__);
}

static uint8_t doca_priv_sha_get_final(const struct doca_sha_task_partial_hash *task,
                                       const char *function)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_sha_partial_done, function)
               ? task->hash.is_final
               : 0;
}

DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_get_final(task, __func__);
}

DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_has_result(
    const struct doca_sha_task_partial_hash *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_sha_partial_done, __func__)
               ? task->hash.has_result
               : 0;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_is_final_buffer(
    struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_set_final(task, __func__);
}

DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final_buf(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_get_final(task, __func__);
}

DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final_buffer(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_get_final(task, __func__);
}

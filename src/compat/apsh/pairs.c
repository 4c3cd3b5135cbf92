/* ---- >>impl.apsh.pairs -----------------------------------------------------------------------
 * Compare pairs of pages. All tasks of a comparison are submitted before the first is awaited.  */
#include "compat/apsh/pairs_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"

#ifdef DOCA_CORE_NO_SHA

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_pairs_open(struct doca_priv_apsh_pairs *pairs,
                                                      struct doca_core_arena *arena,
                                                      struct doca_dev *dev)
{
    (void)arena;
    (void)dev;
    memset(pairs, 0, offsetof(struct doca_priv_apsh_pairs, digests));
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_apsh_pairs_close(struct doca_priv_apsh_pairs *pairs)
{
    (void)pairs;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_comparison(struct doca_dev *dev, size_t *bytes)
{
    if (bytes == NULL || dev == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    *bytes = DOCA_CORE_BYTES_APSH_COMPARISON;
    return DOCA_SUCCESS;
}

static bool doca_priv_apsh_pairs_hash(struct doca_priv_apsh_pairs *pairs, const uint8_t *numbers,
                                      uint32_t num)
{
    (void)pairs;
    (void)numbers;
    (void)num;
    return false;
}

#else

#define DOCA_PRIV_APSH_LOG_TASKS 5u      /* log2 of the number of tasks, two tasks for each pair */
#define DOCA_PRIV_APSH_HASHING 100000000u /* progress calls after which a device counts as stuck */

DOCA_PRIV_APSH_ASSERT(tasks_are_enough,
                      1u << DOCA_PRIV_APSH_LOG_TASKS == 2 * DOCA_PRIV_APSH_PAIRS)

DOCA_CORE_DECL doca_error_t doca_core_bytes_apsh_comparison(struct doca_dev *dev, size_t *bytes)
{
    size_t sha = 0;
    doca_error_t rc;

    if (bytes == NULL)
        return DOCA_PRIV_APSH_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__);
    rc = doca_core_bytes_sha(dev, 2 * DOCA_PRIV_APSH_PAIRS, 0, &sha);
    if (rc == DOCA_SUCCESS)
        *bytes = sha + DOCA_CORE_BYTES_APSH_COMPARISON -
                 DOCA_CORE_BYTES_SHA(2 * DOCA_PRIV_APSH_PAIRS, 0);
    return rc;
}

/* Release the buffers and the task of a page. */
static void doca_priv_apsh_pairs_done(struct doca_sha_task_hash *task, union doca_data task_data,
                                      union doca_data ctx_data)
{
    struct doca_priv_apsh_pairs *pairs = (struct doca_priv_apsh_pairs *)ctx_data.ptr;
    struct doca_buf *src = (struct doca_buf *)(uintptr_t)doca_sha_task_hash_get_src(task);
    struct doca_buf *dst = (struct doca_buf *)(uintptr_t)doca_sha_task_hash_get_dst(task);

    (void)task_data;
    doca_task_free(doca_sha_task_hash_as_task(task));
    (void)doca_buf_dec_refcount(src, NULL);
    (void)doca_buf_dec_refcount(dst, NULL);
    pairs->num_inflight--;
}

static void doca_priv_apsh_pairs_failed(struct doca_sha_task_hash *task, union doca_data task_data,
                                        union doca_data ctx_data)
{
    ((struct doca_priv_apsh_pairs *)ctx_data.ptr)->has_failed = true;
    doca_priv_apsh_pairs_done(task, task_data, ctx_data);
}

/* Submit the task that hashes a page. */
static bool doca_priv_apsh_pairs_submit(struct doca_priv_apsh_pairs *pairs, uint32_t page)
{
    struct doca_sha_task_hash *task;
    struct doca_buf *src = NULL, *dst = NULL;
    union doca_data data;
    doca_error_t rc;

    data.ptr = NULL;
    rc = doca_buf_inventory_buf_get_by_data(pairs->inventory, pairs->mmap, pairs->pages[page],
                                            DOCA_PRIV_APSH_PAGE, &src);
    if (rc == DOCA_SUCCESS)
        rc = doca_buf_inventory_buf_get_by_addr(pairs->inventory, pairs->mmap,
                                                pairs->digests[page], DOCA_PRIV_APSH_DIGEST, &dst);
    if (rc == DOCA_SUCCESS)
        rc = doca_sha_task_hash_alloc_init(pairs->sha, DOCA_SHA_ALGORITHM_SHA256, src, dst, data,
                                           &task);
    if (rc == DOCA_SUCCESS) {
        rc = doca_task_submit(doca_sha_task_hash_as_task(task));
        if (rc != DOCA_SUCCESS)
            doca_task_free(doca_sha_task_hash_as_task(task));
    }
    if (rc != DOCA_SUCCESS) {
        (void)doca_buf_dec_refcount(src, NULL);
        (void)doca_buf_dec_refcount(dst, NULL);
        return false;
    }
    pairs->num_inflight++;
    return true;
}

/* Hash both pages of each of the `num` pairs whose indices are in `numbers`. Returns false when a
 * task fails or is rejected. */
static bool doca_priv_apsh_pairs_hash(struct doca_priv_apsh_pairs *pairs, const uint8_t *numbers,
                                      uint32_t num)
{
    bool is_good = true;
    uint32_t i;

    for (i = 0; i < 2 * num && is_good; i++)
        is_good = doca_priv_apsh_pairs_submit(pairs, 2u * numbers[i / 2] + i % 2);
    for (i = 0; i < DOCA_PRIV_APSH_HASHING && pairs->num_inflight > 0; i++)
        (void)doca_pe_progress(pairs->pe);
    return is_good && !pairs->has_failed && pairs->num_inflight == 0;
}

/* Make progress until the SHA context is in this state. */
static bool doca_priv_apsh_pairs_await(struct doca_priv_apsh_pairs *pairs,
                                       enum doca_ctx_states wanted)
{
    enum doca_ctx_states state;
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_HASHING; i++) {
        if (doca_ctx_get_state(doca_sha_as_ctx(pairs->sha), &state) != DOCA_SUCCESS)
            return false;
        if (state == wanted)
            return true;
        (void)doca_pe_progress(pairs->pe);
    }
    return false;
}

/* Create the SHA context, unless the device has no hash engine. */
static doca_error_t doca_priv_apsh_pairs_create(struct doca_priv_apsh_pairs *pairs,
                                                struct doca_core_arena *arena,
                                                struct doca_dev *dev)
{
    uint32_t num_tasks = 0;
    doca_error_t rc = doca_core_sha_create_in(arena, dev, &pairs->sha);

    if (rc == DOCA_SUCCESS)
        rc = doca_sha_cap_get_max_num_tasks(pairs->sha, &num_tasks);
    if (rc == DOCA_SUCCESS && num_tasks < 2 * DOCA_PRIV_APSH_PAIRS) {
        rc = doca_sha_destroy(pairs->sha);
        pairs->sha = NULL;
    }
    return rc;
}

/* Start the SHA context. */
static doca_error_t doca_priv_apsh_pairs_start(struct doca_priv_apsh_pairs *pairs)
{
    union doca_data data;
    doca_error_t rc;

    data.ptr = pairs;
    rc = doca_pe_connect_ctx(pairs->pe, doca_sha_as_ctx(pairs->sha));
    if (rc == DOCA_SUCCESS)
        rc = doca_ctx_set_user_data(doca_sha_as_ctx(pairs->sha), data);
    if (rc == DOCA_SUCCESS)
        rc = doca_sha_task_hash_set_conf(pairs->sha, doca_priv_apsh_pairs_done,
                                         doca_priv_apsh_pairs_failed, DOCA_PRIV_APSH_LOG_TASKS);
    if (rc == DOCA_SUCCESS)
        rc = doca_ctx_start(doca_sha_as_ctx(pairs->sha));
    if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS)
        return rc;
    return doca_priv_apsh_pairs_await(pairs, DOCA_CTX_STATE_RUNNING) ? DOCA_SUCCESS
                                                                     : DOCA_ERROR_IO_FAILED;
}

/* Open what the comparison needs. `pairs` is in memory that the device may read. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_pairs_open(struct doca_priv_apsh_pairs *pairs,
                                                      struct doca_core_arena *arena,
                                                      struct doca_dev *dev)
{
    doca_error_t rc;

    memset(pairs, 0, offsetof(struct doca_priv_apsh_pairs, digests));
    rc = doca_priv_apsh_pairs_create(pairs, arena, dev);
    if (rc != DOCA_SUCCESS || pairs->sha == NULL) {
        doca_priv_apsh_pairs_close(pairs);
        return rc;
    }
    rc = doca_core_mmap_create_in(arena, &pairs->mmap);
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_set_memrange(pairs->mmap, pairs->digests,
                                    sizeof(pairs->digests) + sizeof(pairs->pages));
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_add_dev(pairs->mmap, dev);
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_start(pairs->mmap);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_buf_inventory_create_in(arena, 4 * DOCA_PRIV_APSH_PAIRS, &pairs->inventory);
    if (rc == DOCA_SUCCESS)
        rc = doca_buf_inventory_start(pairs->inventory);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_pe_create_in(arena, &pairs->pe);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_pairs_start(pairs);
    if (rc != DOCA_SUCCESS)
        doca_priv_apsh_pairs_close(pairs);
    return rc;
}

/* Close everything that was opened. */
DOCA_PRIV_DECL void doca_priv_apsh_pairs_close(struct doca_priv_apsh_pairs *pairs)
{
    enum doca_ctx_states state;

    if (pairs->sha != NULL && pairs->pe != NULL &&
        doca_ctx_get_state(doca_sha_as_ctx(pairs->sha), &state) == DOCA_SUCCESS) {
        if (state == DOCA_CTX_STATE_RUNNING || state == DOCA_CTX_STATE_STARTING)
            (void)doca_ctx_stop(doca_sha_as_ctx(pairs->sha));
        (void)doca_priv_apsh_pairs_await(pairs, DOCA_CTX_STATE_IDLE);
    }
    if (pairs->sha != NULL)
        (void)doca_sha_destroy(pairs->sha);
    if (pairs->pe != NULL)
        (void)doca_pe_destroy(pairs->pe);
    if (pairs->inventory != NULL)
        (void)doca_buf_inventory_destroy(pairs->inventory);
    if (pairs->mmap != NULL)
        (void)doca_mmap_destroy(pairs->mmap);
    memset(pairs, 0, offsetof(struct doca_priv_apsh_pairs, digests));
}

#endif

/* Count the equal pairs among the `num` pairs whose indices are in `numbers`. A pair whose page of
 * the process could not be read counts as different. Returns false when the pages cannot be
 * hashed. */
DOCA_PRIV_DECL bool doca_priv_apsh_pairs_compare(struct doca_priv_apsh_pairs *pairs,
                                                 const uint8_t *numbers, uint32_t num,
                                                 uint32_t *num_equal)
{
    uint32_t i, k;
    bool is_equal;

    *num_equal = 0;
    if (pairs->sha != NULL && !doca_priv_apsh_pairs_hash(pairs, numbers, num))
        return false;
    for (i = 0; i < num; i++) {
        k = numbers[i];
        is_equal = pairs->sha != NULL
                       ? memcmp(pairs->digests[2 * k], pairs->digests[2 * k + 1],
                                DOCA_PRIV_APSH_DIGEST) == 0
                       : memcmp(pairs->pages[2 * k], pairs->pages[2 * k + 1],
                                DOCA_PRIV_APSH_PAGE) == 0;
        *num_equal += is_equal && pairs->is_whole[k];
    }
    return true;
}

/* Batches of tasks. Versions after 2.5.1 added them, so this file is compiled for both values of
 * DOCA_CORE_API. */
#include "held_backend.h"

#define BATCH_16 DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16

static unsigned batch_oks, batch_failures;
static void (*on_batch)(struct doca_task_batch *batch);

static void batch_done(struct doca_task_batch *batch, uint16_t num_tasks, union doca_data data,
                       union doca_data ctx_data)
{
    struct rig *r = ctx_data.ptr;

    CHECK(r->in_progress);
    r->num_callbacks++;
    CHECK_EQ(num_tasks, doca_task_batch_get_tasks_num(batch));
    CHECK_EQ(data.u64, doca_task_batch_get_user_data(batch).u64);
    CHECK_PTR(doca_task_batch_get_ctx_user_data(batch).ptr, r);
    CHECK_PTR(doca_task_batch_get_ctx(batch), r->ctx);
    if (on_batch != NULL)
        on_batch(batch);
}

static void batch_ok(struct doca_task_batch *batch, uint16_t num_tasks, union doca_data data,
                     union doca_data ctx_data)
{
    batch_oks++;
    CHECK_OK(doca_task_batch_get_status(batch));
    batch_done(batch, num_tasks, data, ctx_data);
}

static void batch_failed(struct doca_task_batch *batch, uint16_t num_tasks, union doca_data data,
                         union doca_data ctx_data)
{
    batch_failures++;
    CHECK(doca_task_batch_get_status(batch) != DOCA_SUCCESS);
    batch_done(batch, num_tasks, data, ctx_data);
}

static void open_with_batches(struct rig *r, const char *pci, uint32_t num_tasks,
                              uint32_t num_batches)
{
    batch_oks = 0;
    batch_failures = 0;
    on_batch = NULL;
    rig_build(r, pci, num_tasks);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r->ctx, BATCH_16, num_batches, batch_ok,
                                               batch_failed));
    CHECK_OK(doca_ctx_start(r->ctx));
    rig_drain(r);
    rig_forget_states(r);
}

static struct doca_task_batch *make_batch(struct rig *r, unsigned num_tasks)
{
    struct doca_task_batch *batch;
    unsigned i;

    CHECK_OK(doca_core_task_batch_alloc_init(r->ctx, (union doca_data){ .u64 = 42 }, &batch));
    for (i = 0; i < num_tasks; i++)
        CHECK_OK(doca_core_task_batch_add(
            batch, doca_dma_task_memcpy_as_task(rig_prepare(r, r->dma, 64 * i, 64))));
    return batch;
}

static void free_batch(struct doca_task_batch *batch)
{
    struct doca_buf *bufs[32];
    struct doca_task *task;
    uint16_t i, n = 0;

    for (i = 0; (task = doca_core_task_batch_get_task(batch, i)) != NULL; i++) {
        struct doca_dma_task_memcpy *t = (struct doca_dma_task_memcpy *)(void *)task;

        bufs[n++] = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(t);
        bufs[n++] = doca_dma_task_memcpy_get_dst(t);
    }
    doca_task_batch_free(batch);
    while (n > 0)
        CHECK_OK(doca_buf_dec_refcount(bufs[--n], NULL));
}

static void batch_is_reported_once(void)
{
    struct doca_task_batch *batch;
    unsigned round, i;
    struct rig r;

    open_with_batches(&r, NULL, 16, 1);
    batch = make_batch(&r, 16);
    for (round = 0; round < 3; round++) {
        memset(rig_to, 0xee, 1024);
        for (i = 0; i < 16; i++)
            CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(
                (struct doca_dma_task_memcpy *)(void *)doca_core_task_batch_get_task(
                    batch, (uint16_t)i))));
        CHECK_OK(round == 1 ? doca_task_batch_try_submit(batch) : doca_task_batch_submit(batch));
        CHECK_EQ(rig_inflight(r.ctx), 16);
        CHECK_EQ(batch_oks, round);
        CHECK_EQ(rig_drain(&r), 16);
        CHECK_EQ(batch_oks, round + 1);
        CHECK(memcmp(rig_from, rig_to, 1024) == 0);
    }
    CHECK_EQ(r.num_ok + r.num_failed + batch_failures, 0); /* tasks of a batch have no callbacks */
    free_batch(batch);
    rig_close(&r);
}

static void task_of_a_batch_belongs_to_the_batch(void)
{
    struct doca_task_batch *batch, *second = NULL;
    struct doca_dma_task_memcpy *t, *other;
    struct doca_task *task;
    union doca_data data = { .u64 = 7 };
    struct doca_buf *buf;
    struct rig r;

    open_with_batches(&r, NULL, 18, 1);
    batch = make_batch(&r, 1);
    CHECK_RC(doca_core_task_batch_alloc_init(r.ctx, data, &second), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(second, NULL);
    task = doca_core_task_batch_get_task(batch, 0);
    CHECK_PTR(doca_core_task_batch_get_task(batch, 1), NULL);
    CHECK_PTR(doca_core_task_batch_get_task(NULL, 0), NULL);
    t = (struct doca_dma_task_memcpy *)(void *)task;
    CHECK_RC(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_task_submit_ex(task, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_task_batch_add(batch, task), DOCA_ERROR_BAD_STATE);
    doca_task_free(task);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_TASK_NOT_OWNED);
    doca_task_set_user_data(task, data); /* user data can be changed */
    CHECK_EQ(doca_task_get_user_data(task).u64, 7);
    buf = doca_dma_task_memcpy_get_dst(t);
    doca_dma_task_memcpy_set_dst(t, NULL);
    CHECK_PTR(doca_dma_task_memcpy_get_dst(t), NULL);
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_INVALID_VALUE);
    doca_dma_task_memcpy_set_dst(t, buf);

    CHECK_OK(doca_task_batch_submit(batch));
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_BAD_STATE);
    other = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(other)),
             DOCA_ERROR_BAD_STATE);
    doca_task_batch_free(batch);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BATCH_NOT_OWNED);
    doca_task_batch_set_user_data(batch, data);
    rig_drain(&r);
    CHECK_EQ(batch_oks, 1);
    CHECK_RC(doca_task_submit(task), DOCA_ERROR_BAD_STATE); /* owned by the batch again */
    CHECK_EQ(doca_task_batch_get_user_data(batch).u64, 7);
    rig_release(other);
    free_batch(batch);
    CHECK_PTR(doca_core_task_batch_get_task(batch, 0), NULL); /* the batch has no tasks left */
    if (DOCA_CORE_CHECK >= 1) { /* free the batch a second time */
        doca_task_batch_free(batch);
        test_log_item = DOCA_CORE_ITEM_NONE;
        doca_task_batch_set_user_data(batch, data);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BATCH_NOT_OWNED);
    }
    t = rig_prepare(&r, r.dma, 0, 64); /* a task that was in a batch can be submitted alone again */
    r.frees_tasks = true;
    CHECK_OK(rig_submit(t));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    rig_close(&r);
}

static void wrong_batches_and_tasks_are_refused(void)
{
    struct doca_task_batch *batch;
    struct doca_dma_task_memcpy *t;
    struct doca_dma *other_dma;
    struct doca_ctx *other;
    union doca_data none = { 0 };
    struct rig r;
    size_t bytes;

    rig_build(&r, NULL, 20);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(NULL, BATCH_16, 1, batch_ok, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 1, NULL, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 1, batch_ok, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 0, batch_ok, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 256, batch_ok, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(
                 r.ctx, (enum doca_task_batch_max_tasks_number)4, 1, batch_ok, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_task_batch(1, (enum doca_task_batch_max_tasks_number)4, &bytes),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_task_batch(1, BATCH_16, NULL), DOCA_ERROR_INVALID_VALUE);
    if (sizeof(size_t) == 4)
        CHECK_RC(doca_core_bytes_task_batch(UINT32_MAX, BATCH_16, &bytes), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 255, batch_ok, batch_failed));
    CHECK_RC(doca_core_task_batch_alloc_init(r.ctx, none, &batch), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_task_batch_alloc_init(NULL, none, &batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 1, batch_ok, batch_failed),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_task_batch_alloc_init(r.ctx, none, NULL), DOCA_ERROR_INVALID_VALUE);
    batch = make_batch(&r, 0);
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_batch_try_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_task_batch_add(batch, NULL), DOCA_ERROR_INVALID_VALUE);
    doca_task_batch_free(batch);

    batch = make_batch(&r, 16);
    t = rig_task(r.dma, NULL, NULL);
    CHECK_RC(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(t)), DOCA_ERROR_FULL);
    doca_task_free(doca_dma_task_memcpy_as_task(t));
    free_batch(batch);

    other_dma = rig_make_dma(&r, 1);
    other = doca_dma_as_ctx(other_dma);
    CHECK_OK(doca_ctx_start(other));
    CHECK_RC(doca_core_task_batch_alloc_init(other, none, &batch), DOCA_ERROR_NO_MEMORY);
    batch = make_batch(&r, 0);
    t = rig_task(other_dma, NULL, NULL);
    CHECK_RC(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(t)),
             DOCA_ERROR_INVALID_VALUE);
    doca_task_free(doca_dma_task_memcpy_as_task(t));
    t = rig_task(r.dma, rig_src(&r, 0, 64), rig_dst(&r, 0, 32)); /* the destination is too small */
    CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(t)));
    CHECK_RC(doca_task_batch_try_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    free_batch(batch);
    rig_stop(&r, other);
    CHECK_OK(doca_dma_destroy(other_dma));

    CHECK_RC(doca_task_batch_submit(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_batch_try_submit(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_batch_get_status(NULL), DOCA_ERROR_INVALID_VALUE);
    doca_task_batch_free(NULL);
    doca_task_batch_set_user_data(NULL, none);
    CHECK_EQ(doca_task_batch_get_user_data(NULL).u64, 0);
    CHECK_EQ(doca_task_batch_get_ctx_user_data(NULL).u64, 0);
    CHECK_PTR(doca_task_batch_get_ctx(NULL), NULL);
    CHECK_EQ(doca_task_batch_get_tasks_num(NULL), 0);
    rig_close(&r);
}

static void batch_fails_with_its_first_failure(void)
{
    struct doca_task_batch *batch;
    struct rig r;
    uint16_t i;

    held_begin();
    open_with_batches(&r, HELD_DMA, 4, 1);
    batch = make_batch(&r, 4);
    held.num_to_fail = 1; /* the first task fails, and breaks the context */
    CHECK_OK(doca_task_batch_submit(batch));
    rig_drain(&r);
    CHECK_EQ(batch_failures, 1);
    CHECK_EQ(batch_oks, 0);
    CHECK_RC(doca_task_batch_get_status(batch), DOCA_ERROR_IO_FAILED);
    for (i = 0; i < 4; i++)
        CHECK_RC(doca_task_get_status(doca_core_task_batch_get_task(batch, i)),
                 DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING); /* the batch is not free */
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_BAD_STATE);
    free_batch(batch);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_INVALID_VALUE);
    held_close_rig(&r);
}

static void stop_ends_a_batch(void)
{
    struct doca_task_batch *batch, *empty;
    struct rig r;

    open_with_batches(&r, NULL, 4, 2);
    batch = make_batch(&r, 3);
    empty = make_batch(&r, 0);
    CHECK_OK(doca_task_batch_submit(batch));
    rig_progress(&r); /* the first task succeeds */
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    if (test_other() != NULL && batch_oks == 1) { /* the device has completed all tasks */
        CHECK_EQ(batch_failures, 0);
        CHECK_OK(doca_task_batch_get_status(batch));
    } else {
        CHECK_EQ(batch_failures, 1);
        CHECK_RC(doca_task_batch_get_status(batch), DOCA_ERROR_SHUTDOWN);
    }
    CHECK_OK(doca_task_get_status(doca_core_task_batch_get_task(batch, 0)));
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    free_batch(batch);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    doca_task_batch_free(empty);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    rig_close(&r);
}

static unsigned num_again;

static void submit_batch_again(struct doca_task_batch *batch)
{
    uint16_t i;

    for (i = 0; i < doca_task_batch_get_tasks_num(batch); i++)
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(
            (struct doca_dma_task_memcpy *)(void *)doca_core_task_batch_get_task(batch, i))));
    if (num_again > 0) {
        num_again--;
        CHECK_OK(doca_task_batch_submit(batch));
    } else {
        free_batch(batch);
    }
}

static void batch_is_submitted_and_freed_in_its_callback(void)
{
    struct doca_task_batch *batch;
    struct rig r;

    open_with_batches(&r, NULL, 16, 3);
    on_batch = submit_batch_again;
    num_again = 5;
    batch = make_batch(&r, 5);
    CHECK_OK(doca_task_batch_submit(batch));
    batch = make_batch(&r, 7);
    CHECK_OK(doca_task_batch_submit(batch));
    rig_drain(&r);
    CHECK_EQ(batch_oks, 7);
    rig_close(&r);
}

static void batch_waits_for_room_in_the_queue(void)
{
    struct doca_task_batch *batch;
    struct rig r;

    held_begin();
    open_with_batches(&r, HELD_DMA, 4, 1);
    batch = make_batch(&r, 4);
    held.full = true;
    CHECK_OK(doca_task_batch_submit(batch));
    CHECK_EQ(rig_drain(&r), 0);
    held.full = false;
    CHECK_EQ(rig_drain(&r), 4);
    CHECK_EQ(batch_oks, 1);
    free_batch(batch);
    held_close_rig(&r);
}

static struct doca_sha *sha;
static unsigned hash_oks;

static void hash_done(struct doca_sha_task_hash *task, union doca_data data, union doca_data ctx)
{
    (void)task;
    (void)data;
    (void)ctx;
    test_fail(__FILE__, __LINE__, "a callback ran for a task of a batch");
}

static void hash_batch_done(struct doca_task_batch *batch, uint16_t num_tasks,
                            union doca_data data, union doca_data ctx)
{
    (void)batch;
    (void)data;
    (void)ctx;
    hash_oks += num_tasks;
}

static void hashes_come_in_batches_as_well(void)
{
    struct doca_sha_task_hash *tasks[2];
    struct doca_task_batch *batch;
    struct doca_buf *src, *dst[2];
    union doca_data none = { 0 };
    struct rig r;
    unsigned i;

    rig_needs_sha();
    rig_open(&r, 1);
    hash_oks = 0;
    CHECK_OK(doca_sha_create(r.dev, &sha));
    CHECK_OK(doca_sha_task_hash_set_conf(sha, hash_done, hash_done, 1));
    CHECK_OK(doca_core_ctx_set_task_batch_conf(doca_sha_as_ctx(sha), BATCH_16, 1, hash_batch_done,
                                               hash_batch_done));
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_sha_as_ctx(sha)));
    CHECK_OK(doca_ctx_start(doca_sha_as_ctx(sha)));
    CHECK_OK(doca_core_task_batch_alloc_init(doca_sha_as_ctx(sha), none, &batch));
    src = rig_src(&r, 0, 100);
    for (i = 0; i < 2; i++) {
        dst[i] = rig_dst(&r, 64 * i, 64);
        CHECK_OK(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src, dst[i], none,
                                               &tasks[i]));
        CHECK_OK(doca_core_task_batch_add(batch, doca_sha_task_hash_as_task(tasks[i])));
    }
    CHECK_OK(doca_sha_task_hash_set_algorithm(tasks[1], DOCA_SHA_ALGORITHM_SHA1)); /* idle */
    CHECK_OK(doca_task_batch_try_submit(batch));
    rig_drain(&r);
    CHECK_EQ(hash_oks, 2);
    CHECK_EQ(rig_data_len(dst[0]), 32);
    CHECK_EQ(rig_data_len(dst[1]), 20);
    doca_task_batch_free(batch);
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(dst[1], NULL));
    CHECK_OK(doca_sha_destroy(sha));
    rig_close(&r);
}

static void batches_take_the_documented_bytes(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        mem[TEST_BYTES_DMA(3) + DOCA_CORE_BYTES_TASK_BATCH(5, 32)];
    struct doca_core_arena arena;
    size_t bytes, of_dma, used;
    struct doca_dma *dma;
    struct rig r;

    CHECK_OK(doca_core_bytes_task_batch(5, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_TASK_BATCH(5, 32));
    rig_open(&r, 1);
    CHECK_OK(doca_core_bytes_dma(r.dev, 3, &of_dma));
    CHECK(test_other() != NULL || of_dma == DOCA_CORE_BYTES_DMA(3));
    bytes += of_dma;
    CHECK(bytes <= sizeof(mem));
    CHECK_OK(doca_core_arena_init(&arena, mem, bytes));
    CHECK_OK(doca_core_dma_create_in(&arena, r.dev, &dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, 3));
    CHECK_OK(doca_core_ctx_set_task_batch_conf(doca_dma_as_ctx(dma),
                                               DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64, 5, batch_ok,
                                               batch_failed));
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_dma_as_ctx(dma)));
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(doca_dma_as_ctx(dma),
                                               DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32, 5, batch_ok,
                                               batch_failed));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, bytes);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(batch_is_reported_once, ""),
    CASE(task_of_a_batch_belongs_to_the_batch, ""),
    CASE(wrong_batches_and_tasks_are_refused, ""),
    CASE(batch_fails_with_its_first_failure, ""),
    CASE(stop_ends_a_batch, ""),
    CASE(batch_is_submitted_and_freed_in_its_callback, ""),
    CASE(batch_waits_for_room_in_the_queue, ""),
    CASE(hashes_come_in_batches_as_well, ""),
    CASE(batches_take_the_documented_bytes, ""),
};

TEST_MAIN(cases)

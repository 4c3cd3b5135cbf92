/* Advice on memory maps. Versions after 2.5.1 added it, so this file is compiled for both values of
 * DOCA_CORE_API. */
#include "held_backend.h"

#include <sys/mman.h>

#define BATCH_16 DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16

static unsigned batch_oks;

static doca_error_t wait_status;

typedef struct doca_mmap_advise_task_invalidate_cache advise_task;

#define AS_TASK doca_mmap_advise_task_invalidate_cache_as_doca_task

static unsigned advise_oks, advise_failures;

static void advise_ok(advise_task *task, union doca_data data, union doca_data ctx_data)
{
    CHECK_EQ(data.u64, 5);
    CHECK_EQ(ctx_data.u64, 6);
    CHECK_OK(doca_task_get_status(AS_TASK(task)));
    advise_oks++;
}

static void advise_failed(advise_task *task, union doca_data data, union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    wait_status = doca_task_get_status(AS_TASK(task));
    advise_failures++;
}

static void tasks_invalidate_caches(void)
{
    struct doca_mmap_advise *advise;
    struct doca_ctx *ctx;
    struct doca_buf *buf;
    advise_task *task, *none = NULL;
    union doca_data data = { .u64 = 5 };
    uint64_t max = 0;
    struct rig r;

    advise_oks = advise_failures = 0;
    rig_open(&r, 1);
    CHECK_OK(doca_mmap_advise_cap_task_cache_invalidate_is_supported(doca_dev_as_devinfo(r.dev)));
    CHECK_OK(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(doca_dev_as_devinfo(r.dev),
                                                                     &max));
    CHECK(max >= 1u << 30); /* the default profile has this limit */
    if (test_other() == NULL && getenv("DOCA_CORE_SW_PROFILE") == NULL)
        CHECK_EQ(max, 1u << 30);
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_ctx_set_user_data(ctx, (union doca_data){ .u64 = 6 }));
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 1));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, data, &none),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 1),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, data, &task));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, data, &none),
             DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(none, NULL);
    CHECK_PTR(doca_mmap_advise_task_invalidate_cache_get_buf(task), NULL);
    CHECK_RC(doca_task_submit(AS_TASK(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_try_submit(AS_TASK(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_submit_ex(AS_TASK(task), 0), DOCA_ERROR_INVALID_VALUE);

    buf = rig_dst(&r, 0, 4096);
    doca_mmap_advise_task_invalidate_cache_set_buf(task, buf);
    CHECK_PTR(doca_mmap_advise_task_invalidate_cache_get_buf(task), buf);
    CHECK_OK(doca_task_try_submit(AS_TASK(task)));
    CHECK_EQ(rig_inflight(ctx), 1);
    doca_mmap_advise_task_invalidate_cache_set_buf(task, NULL); /* in flight, so no effect */
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(advise_oks, 1);
    CHECK_OK(doca_task_submit_ex(AS_TASK(task), 0)); /* without FLUSH, as in other contexts */
    CHECK_EQ(doca_pe_progress(r.pe), 0);
    doca_ctx_flush_tasks(ctx);
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(advise_oks, 2);

    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    if (DOCA_CORE_CHECK < 2) {
        CHECK_OK(doca_task_submit(AS_TASK(task)));
        while (doca_pe_progress(r.pe))
            continue;
        CHECK_EQ(advise_failures, 1);
        CHECK_EQ(wait_status, DOCA_ERROR_IO_FAILED);
    }
    CHECK_RC(doca_task_try_submit(AS_TASK(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_state(ctx), DOCA_CTX_STATE_RUNNING);
    buf = rig_dst(&r, 0, 64);
    doca_mmap_advise_task_invalidate_cache_set_buf(task, buf);
    CHECK_OK(doca_task_submit(AS_TASK(task)));
    CHECK_RC(doca_ctx_stop(ctx), DOCA_ERROR_IN_PROGRESS);
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(wait_status, DOCA_ERROR_SHUTDOWN);
    CHECK_RC(doca_mmap_advise_destroy(advise), DOCA_ERROR_IN_USE);
    doca_task_free(AS_TASK(task));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    rig_close(&r);
}

static struct doca_task_batch *failed_batch;

static void advise_batch_ok(struct doca_task_batch *batch, uint16_t num_tasks,
                            union doca_data data, union doca_data ctx_data)
{
    (void)batch;
    (void)num_tasks;
    (void)data;
    (void)ctx_data;
    batch_oks++;
}

static void advise_batch_failed(struct doca_task_batch *batch, uint16_t num_tasks,
                                union doca_data data, union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK_EQ(num_tasks, 3);
    failed_batch = batch;
}

/* A batch with one failed task, in a context that continues after the failure. */
static void batch_with_one_failed_task_fails(void)
{
    static const doca_error_t want[3] = { DOCA_SUCCESS, DOCA_ERROR_IO_FAILED, DOCA_SUCCESS };
    struct doca_mmap_advise *advise;
    struct doca_task_batch *batch;
    union doca_data none = { 0 };
    struct doca_buf *bufs[3];
    struct doca_ctx *ctx;
    advise_task *task;
    struct rig r;
    uint16_t i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level submit reports the error");
    rig_open(&r, 1);
    batch_oks = 0;
    failed_batch = NULL;
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 3));
    CHECK_OK(doca_core_ctx_set_task_batch_conf(ctx, BATCH_16, 1, advise_batch_ok,
                                               advise_batch_failed));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_core_task_batch_alloc_init(ctx, none, &batch));
    for (i = 0; i < 3; i++) {
        bufs[i] = rig_dst(&r, 64 * i, 64);
        CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, bufs[i], none, &task));
        CHECK_OK(doca_core_task_batch_add(batch, AS_TASK(task)));
    }
    CHECK_OK(doca_buf_dec_refcount(bufs[1], NULL));
    CHECK_RC(doca_task_batch_try_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_task_batch_submit(batch));
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_PTR(failed_batch, batch);
    CHECK_EQ(batch_oks, 0);
    CHECK_RC(doca_task_batch_get_status(batch), DOCA_ERROR_IO_FAILED);
    for (i = 0; i < 3; i++)
        CHECK_RC(doca_task_get_status(doca_core_task_batch_get_task(batch, i)), want[i]);
    bufs[1] = rig_dst(&r, 64, 64);
    doca_mmap_advise_task_invalidate_cache_set_buf(
        (advise_task *)(void *)doca_core_task_batch_get_task(batch, 1), bufs[1]);
    CHECK_OK(doca_task_batch_submit(batch)); /* succeeds without the wrong task */
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(batch_oks, 1);
    CHECK_OK(doca_task_batch_get_status(batch));
    doca_task_batch_free(batch);
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_buf_dec_refcount(bufs[i], NULL));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    rig_close(&r);
}

/* The capability query reports the largest buffer: one byte more is refused. */
static void advise_beyond_the_largest_buffer_is_refused(void)
{
    struct doca_mmap_advise *advise;
    struct doca_buf *buf;
    struct doca_mmap *map;
    advise_task *task;
    uint64_t max = 0;
    struct rig r;
    void *at;

    advise_oks = advise_failures = 0;
    rig_open(&r, 1);
    CHECK_OK(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(doca_dev_as_devinfo(r.dev),
                                                                     &max));
    at = max > SIZE_MAX / 4 ? MAP_FAILED
                            : mmap(NULL, (size_t)max + 1, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        rig_close(&r);
        test_skip("the address space has no room for such a large mapping");
    }
    map = rig_map(r.dev, at, (size_t)max + 1);
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, map, at, (size_t)max + 1, &buf));
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    CHECK_OK(doca_ctx_set_user_data(doca_mmap_advise_as_ctx(advise),
                                    (union doca_data){ .u64 = 6 }));
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_mmap_advise_as_ctx(advise)));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 1));
    CHECK_OK(doca_ctx_start(doca_mmap_advise_as_ctx(advise)));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(
        advise, buf, (union doca_data){ .u64 = 5 }, &task));
    CHECK_RC(doca_task_try_submit(AS_TASK(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_TOO_LARGE);
    CHECK_OK(doca_buf_inventory_buf_reuse_by_addr(buf, at, (size_t)max));
    CHECK_OK(doca_task_try_submit(AS_TASK(task)));
    while (doca_pe_progress(r.pe))
        continue;
    CHECK(advise_oks == 1 && advise_failures == 0);
    doca_task_free(AS_TASK(task));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_EQ(munmap(at, (size_t)max + 1), 0);
    rig_close(&r);
}

static void wrong_advise_tasks_and_arguments_are_refused(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[DOCA_CORE_BYTES_MMAP_ADVISE(3)];
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap_advise *advise = NULL;
    union doca_data none = { 0 };
    advise_task *task = NULL;
    struct doca_core_arena arena;
    size_t bytes = 0, used;
    struct doca_pe *pe;
    uint64_t max;

    CHECK_RC(doca_mmap_advise_create(NULL, &advise), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_create(dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(doca_mmap_advise_as_ctx(NULL), NULL);
    CHECK_PTR(AS_TASK(NULL), NULL);
    CHECK_PTR(doca_mmap_advise_task_invalidate_cache_get_buf(NULL), NULL);
    doca_mmap_advise_task_invalidate_cache_set_buf(NULL, NULL);
    CHECK_RC(doca_mmap_advise_cap_task_cache_invalidate_is_supported(NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(NULL, &max),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(doca_dev_as_devinfo(dev),
                                                                     NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_mmap_advise(3, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_bytes_mmap_advise(3, &bytes));
    CHECK_EQ(bytes, sizeof(mem));

    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    CHECK_RC(doca_core_mmap_advise_create_in(NULL, dev, &advise), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_advise_create_in(&arena, dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_alloc_init(NULL, NULL, none, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(advise, NULL);
    CHECK_PTR(task, NULL);
    CHECK_OK(doca_core_mmap_advise_create_in(&arena, dev, &advise));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_set_conf(advise, NULL, advise_failed, 3),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, NULL, 3),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 0),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 4));
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_pe_connect_ctx(pe, doca_mmap_advise_as_ctx(advise)));
    CHECK_RC(doca_ctx_start(doca_mmap_advise_as_ctx(advise)), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 3));
    CHECK_OK(doca_ctx_start(doca_mmap_advise_as_ctx(advise)));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, sizeof(mem));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, none, NULL),
             DOCA_ERROR_INVALID_VALUE);
    if (DOCA_CORE_CHECK >= 1)
        CHECK_PTR(doca_mmap_advise_task_invalidate_cache_get_buf((advise_task *)(void *)dev), NULL);
    CHECK_RC(doca_ctx_set_completion_vector(doca_mmap_advise_as_ctx(advise), 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK(strstr(doca_core_last_error(), "mmap advise 0x") != NULL); /* with object and state */
    CHECK(strstr(doca_core_last_error(), "(running)") != NULL);
    CHECK_OK(doca_mmap_advise_destroy(advise));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(tasks_invalidate_caches, ""),
    CASE(batch_with_one_failed_task_fails, ""),
    CASE_OF_SW(advise_beyond_the_largest_buffer_is_refused, "", "that it does not pin memory"),
    CASE(wrong_advise_tasks_and_arguments_are_refused, ""),
};

TEST_MAIN(cases)

/* The hash engine: configuration, capabilities, arguments and memory. */
#include "sha_support.h"

static void task_counts_are_logarithms(void)
{
    struct doca_sha_task_hash *tasks[8], *more;
    struct doca_sha_task_partial_hash *partial;
    struct sha_rig s;
    unsigned log, i;

    sha_build(&s, NULL);
    CHECK_RC(doca_sha_task_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                           (union doca_data){ 0 }, &more), DOCA_ERROR_BAD_STATE);
    for (log = 0; log <= 3; log++) {
        CHECK_OK(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, (uint8_t)log));
        CHECK_OK(doca_ctx_start(s.r.ctx));
        CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 0),
                 DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_sha_task_partial_hash_set_conf(s.sha, partial_completed, partial_failed, 0),
                 DOCA_ERROR_BAD_STATE);
        for (i = 0; i < 1u << log; i++)
            tasks[i] = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL);
        CHECK_RC(doca_sha_task_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                               (union doca_data){ 0 }, &more),
                 DOCA_ERROR_NO_MEMORY);
        /* each type has its own tasks */
        partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL);
        doca_task_free(doca_sha_task_partial_hash_as_task(partial));
        while (i-- > 0)
            doca_task_free(doca_sha_task_hash_as_task(tasks[i]));
        rig_stop(&s.r, s.r.ctx);
    }
    sha_close(&s);
}

static void one_type_of_tasks_is_enough(void)
{
    struct doca_sha_task_partial_hash *partial;
    struct sha_rig s;
    struct doca_sha *sha;
    struct doca_ctx *ctx;

    sha_build(&s, NULL);
    CHECK_OK(doca_sha_create(s.r.dev, &sha));
    ctx = doca_sha_as_ctx(sha);
    CHECK_OK(doca_pe_connect_ctx(s.r.pe, ctx));
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NO_TASK_TYPE);
    CHECK_OK(doca_sha_task_hash_set_conf(sha, hash_completed, hash_failed, 0));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_RC(doca_sha_task_partial_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                                   (union doca_data){ 0 }, &partial),
             DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_sha_destroy(sha));
    sha_close(&s);
}

static const struct { const char *name; uint64_t max_bytes; uint32_t max_list; bool has_sha; }
    profiles[] = {
        { "default", 1u << 30, 65536, true },
        { "unlimited", SIZE_MAX, UINT32_MAX, true },
        { "bluefield2", 128u << 20, 64, true },
        { "bluefield3", 0, 0, false },
        { "connectx7", 0, 0, false },
    };

static void restore_default_profile(void)
{
    const char *name = getenv("DOCA_CORE_SW_PROFILE");

    if (name == NULL || doca_core_sw_set_profile(name) != DOCA_SUCCESS)
        CHECK_OK(doca_core_sw_set_profile("default"));
}

static void check_capabilities(const struct doca_devinfo *info, bool has_sha, uint64_t max_bytes,
                               uint32_t max_list)
{
    doca_error_t want = has_sha ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
    uint64_t bytes = 1;
    uint32_t n = 1;
    unsigned a;

    for (a = 0; a < 3; a++) {
        CHECK_RC(doca_sha_cap_task_hash_get_supported(info, algorithms[a]), want);
        CHECK_RC(doca_sha_cap_task_partial_hash_get_supported(info, algorithms[a]), want);
        CHECK_RC(doca_sha_cap_get_min_dst_buf_size(info, algorithms[a], &n), want);
        CHECK_EQ(n, has_sha ? ref_bytes[a].digest : 1);
        CHECK_RC(doca_sha_cap_get_partial_hash_block_size(info, algorithms[a], &n), want);
        CHECK_EQ(n, has_sha ? ref_bytes[a].block : 1);
    }
    CHECK_RC(doca_sha_cap_get_max_src_buf_size(info, &bytes), want);
    CHECK_EQ(bytes, has_sha ? max_bytes : 1);
    CHECK_RC(doca_sha_cap_get_max_list_buf_num_elem(info, &n), want);
    CHECK_EQ(n, has_sha ? max_list : 1);
}

static void capabilities_answer_the_limits_of_the_profile(void)
{
    struct sha_rig s;
    uint32_t max;
    size_t i;

    for (i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        CHECK_OK(doca_core_sw_set_profile(profiles[i].name));
        sha_build(&s, NULL);
        check_capabilities(doca_dev_as_devinfo(s.r.dev), profiles[i].has_sha,
                           profiles[i].max_bytes, profiles[i].max_list);
        CHECK_OK(doca_sha_cap_get_max_num_tasks(s.sha, &max));
        CHECK_EQ(max, profiles[i].has_sha ? 65536 : 0);
        CHECK_RC(doca_ctx_start(s.r.ctx),
                 profiles[i].has_sha ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
        if (profiles[i].has_sha) {
            CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 17),
                     DOCA_ERROR_INVALID_VALUE);
        } else {
            CHECK_OK(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 17));
            CHECK_EQ(rig_state(s.r.ctx), DOCA_CTX_STATE_IDLE);
        }
        sha_close(&s);
    }
    restore_default_profile();
}

static void wrong_arguments_are_refused(void)
{
    enum doca_sha_algorithm none = (enum doca_sha_algorithm)3;
    struct doca_sha_task_hash *task = NULL;
    struct doca_sha_task_partial_hash *partial = NULL;
    const struct doca_devinfo *info;
    struct sha_rig s;
    struct doca_sha *sha = NULL;
    uint64_t bytes;
    uint32_t n;
    size_t size;

    sha_open(&s);
    info = doca_dev_as_devinfo(s.r.dev);
#define REFUSED(call) CHECK_RC(call, DOCA_ERROR_INVALID_VALUE)
    REFUSED(doca_sha_create(NULL, &sha));
    REFUSED(doca_sha_create(s.r.dev, NULL));
    REFUSED(doca_core_sha_create_in(NULL, s.r.dev, &sha));
    REFUSED(doca_core_bytes_sha(NULL, 1, 1, &size));
    REFUSED(doca_core_bytes_sha(s.r.dev, 1, 1, NULL));
    REFUSED(doca_sha_destroy(NULL));
    CHECK_PTR(doca_sha_as_ctx(NULL), NULL);
    REFUSED(doca_sha_cap_task_hash_get_supported(NULL, DOCA_SHA_ALGORITHM_SHA1));
    REFUSED(doca_sha_cap_task_hash_get_supported(info, none));
    REFUSED(doca_sha_cap_task_partial_hash_get_supported(NULL, DOCA_SHA_ALGORITHM_SHA1));
    REFUSED(doca_sha_cap_task_partial_hash_get_supported(info, none));
    REFUSED(doca_sha_cap_get_max_list_buf_num_elem(NULL, &n));
    REFUSED(doca_sha_cap_get_max_list_buf_num_elem(info, NULL));
    REFUSED(doca_sha_cap_get_max_src_buf_size(NULL, &bytes));
    REFUSED(doca_sha_cap_get_max_src_buf_size(info, NULL));
    REFUSED(doca_sha_cap_get_min_dst_buf_size(NULL, DOCA_SHA_ALGORITHM_SHA1, &n));
    REFUSED(doca_sha_cap_get_min_dst_buf_size(info, none, &n));
    REFUSED(doca_sha_cap_get_min_dst_buf_size(info, DOCA_SHA_ALGORITHM_SHA1, NULL));
    REFUSED(doca_sha_cap_get_partial_hash_block_size(info, none, &n));
    REFUSED(doca_sha_cap_get_partial_hash_block_size(info, DOCA_SHA_ALGORITHM_SHA1, NULL));
    REFUSED(doca_sha_cap_get_max_num_tasks(NULL, &n));
    REFUSED(doca_sha_cap_get_max_num_tasks(s.sha, NULL));
    REFUSED(doca_sha_task_hash_set_conf(NULL, hash_completed, hash_failed, 0));
    REFUSED(doca_sha_task_hash_set_conf(s.sha, NULL, hash_failed, 0));
    REFUSED(doca_sha_task_hash_set_conf(s.sha, hash_completed, NULL, 0));
    REFUSED(doca_sha_task_partial_hash_set_conf(s.sha, NULL, partial_failed, 0));
    REFUSED(doca_sha_task_partial_hash_set_conf(s.sha, partial_completed, NULL, 0));
    REFUSED(doca_sha_task_hash_alloc_init(NULL, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                          (union doca_data){ 0 }, &task));
    REFUSED(doca_sha_task_hash_alloc_init(s.sha, none, NULL, NULL, (union doca_data){ 0 }, &task));
    REFUSED(doca_sha_task_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                          (union doca_data){ 0 }, NULL));
    REFUSED(doca_sha_task_partial_hash_alloc_init(s.sha, none, NULL, NULL, (union doca_data){ 0 },
                                                  &partial));
    CHECK(task == NULL && partial == NULL && sha == NULL);
    REFUSED(doca_sha_task_hash_set_src(NULL, NULL));
    REFUSED(doca_sha_task_hash_set_dst(NULL, NULL));
    REFUSED(doca_sha_task_hash_set_algorithm(NULL, DOCA_SHA_ALGORITHM_SHA1));
    REFUSED(doca_sha_task_partial_hash_reset(NULL));
    REFUSED(doca_sha_task_partial_hash_set_src(NULL, NULL));
    REFUSED(doca_sha_task_partial_hash_set_dst(NULL, NULL));
    REFUSED(doca_sha_task_partial_hash_set_algorithm(NULL, DOCA_SHA_ALGORITHM_SHA1));
    REFUSED(doca_sha_task_partial_hash_set_is_final_buf(NULL));
    CHECK_PTR(doca_sha_task_hash_as_task(NULL), NULL);
    CHECK_PTR(doca_sha_task_hash_get_src(NULL), NULL);
    CHECK_PTR(doca_sha_task_hash_get_dst(NULL), NULL);
    CHECK_PTR(doca_sha_task_partial_hash_as_task(NULL), NULL);
    CHECK_PTR(doca_sha_task_partial_hash_get_src(NULL), NULL);
    CHECK_PTR(doca_sha_task_partial_hash_get_dst(NULL), NULL);
    CHECK_EQ(doca_sha_task_hash_get_algorithm(NULL), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_algorithm(NULL), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_is_final(NULL), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(NULL), 0);
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA256, NULL, NULL);
    partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA256, NULL, NULL);
    REFUSED(doca_sha_task_hash_set_algorithm(task, none));
    REFUSED(doca_sha_task_partial_hash_set_algorithm(partial, none));
    CHECK_EQ(doca_sha_task_hash_get_algorithm(task), DOCA_SHA_ALGORITHM_SHA256);
    doca_task_free(doca_sha_task_hash_as_task(task));
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    sha_close(&s);
}

static void other_types_of_contexts_and_tasks_are_refused(void)
{
    struct doca_sha_task_hash *task;
    struct doca_sha_task_partial_hash *partial;
    struct doca_dma_task_memcpy *copy;
    struct doca_dma *dma;
    struct sha_rig s;
    uint32_t n;

    if (DOCA_CORE_CHECK == 0)
        test_skip("level 0 does not check the types of objects");
    sha_open(&s);
    dma = rig_make_dma(&s.r, 1);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    rig_drain(&s.r);
    REFUSED(doca_sha_destroy((void *)dma));
    REFUSED(doca_dma_destroy((void *)s.sha));
    REFUSED(doca_sha_cap_get_max_num_tasks((void *)dma, &n));
    REFUSED(doca_dma_cap_get_max_num_tasks((void *)s.sha, &n));
    REFUSED(doca_sha_task_hash_set_conf((void *)dma, hash_completed, hash_failed, 0));
    REFUSED(doca_dma_task_memcpy_set_conf((void *)s.sha, rig_completed, rig_failed, 1));
    REFUSED(doca_sha_task_hash_alloc_init((void *)dma, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                          (union doca_data){ 0 }, &task));
    REFUSED(doca_dma_task_memcpy_alloc_init((void *)s.sha, NULL, NULL, (union doca_data){ 0 },
                                            &copy));
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA512, NULL, NULL);
    partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA512, NULL, NULL);
    copy = rig_task(dma, NULL, NULL);
    REFUSED(doca_sha_task_partial_hash_reset((void *)task));
    REFUSED(doca_sha_task_partial_hash_set_src((void *)copy, NULL));
    REFUSED(doca_sha_task_hash_set_src((void *)partial, NULL));
    REFUSED(doca_sha_task_hash_set_algorithm((void *)copy, DOCA_SHA_ALGORITHM_SHA1));
    CHECK_EQ(doca_sha_task_hash_get_algorithm((void *)partial), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_algorithm((void *)task), 0);
    doca_task_free(doca_sha_task_hash_as_task(task));
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    rig_release(copy);
    rig_stop(&s.r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    sha_close(&s);
}

static void context_takes_the_documented_bytes(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[65536];
    static const uint8_t logs[][2] = { { 0, 0 }, { 3, 0 }, { 1, 6 } };
    struct doca_core_arena arena;
    struct sha_rig s;
    struct doca_sha *sha;
    size_t i, bytes, used;

    sha_build(&s, NULL);
    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    for (i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
        uint32_t num = 1u << logs[i][0], num_partial = 1u << logs[i][1];

        CHECK_OK(doca_core_sha_create_in(&arena, s.r.dev, &sha));
        CHECK_OK(doca_pe_connect_ctx(s.r.pe, doca_sha_as_ctx(sha)));
        CHECK_OK(doca_sha_task_hash_set_conf(sha, hash_completed, hash_failed, logs[i][0]));
        CHECK_OK(doca_sha_task_partial_hash_set_conf(sha, partial_completed, partial_failed,
                                                     logs[i][1]));
        CHECK_OK(doca_ctx_start(doca_sha_as_ctx(sha)));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, DOCA_CORE_BYTES_SHA(num, num_partial));
        CHECK_OK(doca_core_bytes_sha(s.r.dev, num, num_partial, &bytes));
        CHECK_EQ(used, bytes);
        CHECK_OK(doca_sha_destroy(sha));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
    }
    sha_close(&s);
}

static const struct test_case cases[] = {
    CASE(task_counts_are_logarithms, "250"),
    CASE(one_type_of_tasks_is_enough, ""),
    CASE(capabilities_answer_the_limits_of_the_profile, ""),
    CASE(wrong_arguments_are_refused, "1 19"),
    CASE(other_types_of_contexts_and_tasks_are_refused, ""),
    CASE(context_takes_the_documented_bytes, ""),
};

TEST_MAIN(cases)

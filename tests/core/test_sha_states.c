/* The hash engine: states of its context, and tasks in flight that are changed or submitted
 * again. */
#include "sha_support.h"

static void stop_flushes_tasks_and_keeps_the_session(void)
{
    struct sha_rig s;
    struct doca_sha_task_partial_hash *partial;
    struct doca_sha_task_hash *whole[3];
    struct doca_buf *src, *dst;
    unsigned i;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    run(&s, doca_sha_task_partial_hash_as_task(partial));
    for (i = 0; i < 3; i++) {
        whole[i] = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
        CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(whole[i])));
    }
    CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(partial));
    CHECK_OK(doca_task_submit(doca_sha_task_partial_hash_as_task(partial)));
    CHECK_RC(doca_ctx_stop(s.r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_ok, 1);
    CHECK_EQ(s.r.num_failed, 4);
    CHECK_RC(s.r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(rig_data_len(dst), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(partial), 0);
    CHECK_RC(doca_sha_task_partial_hash_set_dst(partial, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_task_submit(doca_sha_task_partial_hash_as_task(partial)), DOCA_ERROR_BAD_STATE);
    for (i = 0; i < 3; i++)
        doca_task_free(doca_sha_task_hash_as_task(whole[i]));
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    rig_drain(&s.r);
    CHECK_EQ(rig_state(s.r.ctx), DOCA_CTX_STATE_IDLE);

    CHECK_OK(doca_ctx_start(s.r.ctx)); /* the context works again */
    run_hash(&s, DOCA_SHA_ALGORITHM_SHA512, src);
    check_digest(REF_SHA512, rig_to, text, 64);
    drop(src);
    drop(dst);
    sha_close(&s);
}

static void failed_task_stops_the_context(void)
{
    struct sha_rig s;
    struct doca_sha_task_hash *bad, *good;
    struct doca_buf *src, *dst, *tight;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("submit refuses the first task at this check level");
    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    tight = rig_dst(&s.r, 100, 19);
    bad = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, tight);
    good = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(bad)));
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(good)));
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_failed, 2);
    CHECK_RC(doca_task_get_status(doca_sha_task_hash_as_task(good)), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_data_len(dst), 0);
    doca_task_free(doca_sha_task_hash_as_task(bad));
    doca_task_free(doca_sha_task_hash_as_task(good));
    drop(src);
    drop(dst);
    drop(tight);
    sha_close(&s);
}

static void resubmit_until(struct sha_rig *s, struct doca_task *task)
{
    if (s->r.num_ok < 50)
        CHECK_OK(doca_task_submit(task));
}

static void task_is_submitted_again_from_its_callback(void)
{
    struct sha_rig s;
    struct doca_sha_task_partial_hash *task;
    struct doca_buf *src, *dst;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA256, src, dst);
    s.on_task = resubmit_until;
    CHECK_OK(doca_task_submit(doca_sha_task_partial_hash_as_task(task)));
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_ok, 50);
    s.on_task = NULL;
    drop(src);
    run_segment(&s, task, get_text(&s, 5, 3), true);
    for (size_t i = 50; i-- > 1;)
        memcpy(text + 64 * i, text, 64);
    memmove(text + 64 * 50, (unsigned char[]){ text[5], text[6], text[7] }, 3);
    check_digest(REF_SHA256, rig_to, text, 64 * 50 + 3);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(dst);
    sha_close(&s);
}

static void buffer_released_in_flight_fails_the_task(void)
{
    struct doca_sha_task_hash *task;
    struct doca_buf *bufs[2];
    struct sha_rig s;
    unsigned side;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("a buffer in flight cannot be released at this check level");
    for (side = 0; side < 2; side++) {
        sha_open(&s);
        bufs[0] = get_text(&s, 0, 64);
        bufs[1] = rig_dst(&s.r, 0, 64);
        task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA256, bufs[0], bufs[1]);
        CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
        drop(bufs[side]);
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_failed, 1);
        CHECK_RC(s.r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(rig_to[0], 0xee);
        doca_task_free(doca_sha_task_hash_as_task(task));
        drop(bufs[1 - side]);
        sha_close(&s);
    }
}

/* A task keeps its parameters until the program sets others. The engine uses the latest parameters.
 * Setting them does not change tasks of the other type. */
static void task_keeps_its_parameters_until_they_are_set(void)
{
    struct doca_buf *src[2], *dst[2];
    struct doca_sha_task_partial_hash *partial;
    struct doca_sha_task_hash *task;
    struct sha_rig s;
    unsigned i;

    sha_open(&s);
    for (i = 0; i < 2; i++) {
        src[i] = get_text(&s, 100 * i, 100);
        dst[i] = rig_dst(&s.r, 64 * i, 64);
    }
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src[0], dst[0]);
    CHECK_PTR(doca_sha_task_hash_get_src(task), src[0]);
    CHECK_PTR(doca_sha_task_hash_get_dst(task), dst[0]);
    CHECK_EQ(doca_sha_task_hash_get_algorithm(task), DOCA_SHA_ALGORITHM_SHA1);
    CHECK_OK(doca_sha_task_hash_set_src(task, src[1]));
    CHECK_OK(doca_sha_task_hash_set_dst(task, dst[1]));
    CHECK_OK(doca_sha_task_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA256));
    CHECK_PTR(doca_sha_task_hash_get_src(task), src[1]);
    CHECK_PTR(doca_sha_task_hash_get_dst(task), dst[1]);
    CHECK_EQ(doca_sha_task_hash_get_algorithm(task), DOCA_SHA_ALGORITHM_SHA256);
    if (DOCA_CORE_CHECK >= 1) {
        partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src[0], dst[0]);
        CHECK_PTR(doca_sha_task_hash_get_src((void *)partial), NULL);
        CHECK_PTR(doca_sha_task_hash_get_dst((void *)partial), NULL);
        CHECK_RC(doca_sha_task_hash_set_dst((void *)partial, dst[1]), DOCA_ERROR_INVALID_VALUE);
        CHECK_PTR(doca_sha_task_partial_hash_get_dst(partial), dst[0]);
        doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    }
    run(&s, doca_sha_task_hash_as_task(task));
    CHECK_EQ(rig_data_len(dst[0]), 0);
    CHECK_EQ(rig_data_len(dst[1]), 32);
    check_digest(REF_SHA256, rig_to + 64, text + 100, 100);
    CHECK_EQ(rig_to[0], 0xee);
    doca_task_free(doca_sha_task_hash_as_task(task));
    for (i = 0; i < 2; i++) {
        drop(src[i]);
        drop(dst[i]);
    }
    sha_close(&s);
}

static void task_in_flight_cannot_be_changed(void)
{
    struct sha_rig s;
    struct doca_sha_task_hash *whole;
    struct doca_sha_task_partial_hash *partial;
    struct doca_buf *src, *dst;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    whole = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(whole)));
    CHECK_OK(doca_task_submit(doca_sha_task_partial_hash_as_task(partial)));
    CHECK_RC(doca_sha_task_hash_set_src(whole, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_hash_set_dst(whole, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_hash_set_algorithm(whole, DOCA_SHA_ALGORITHM_SHA512),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_set_src(partial, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_set_dst(partial, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_set_algorithm(partial, DOCA_SHA_ALGORITHM_SHA512),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_reset(partial), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_set_is_final_buf(partial), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_destroy(s.sha), DOCA_ERROR_IN_USE);
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_ok, 2);
    check_digest(REF_SHA1, rig_to, text, 64);
    doca_task_free(doca_sha_task_hash_as_task(whole));
    CHECK_RC(doca_sha_task_hash_set_src(whole, NULL), DOCA_ERROR_BAD_STATE);
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    drop(src);
    drop(dst);
    sha_close(&s);
}

static void sha_and_dma_contexts_share_a_progress_engine(void)
{
    struct sha_rig s;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *copy;
    struct doca_sha_task_hash *hash;
    struct doca_buf *src, *dst;
    struct rig *r;

    sha_open(&s);
    r = &s.r;
    dma = rig_make_dma(r, 1);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    rig_drain(r);
    src = get_text(&s, 0, 64);
    dst = rig_dst(r, 0, 64);
    hash = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(hash)));
    copy = rig_copy(r, dma, 500, 64);
    rig_drain(r);
    CHECK_EQ(r->num_ok, 2);
    check_digest(REF_SHA1, rig_to, text, 64);
    CHECK_MEM(rig_to + 500, rig_from + 500, 64);
    rig_release(copy);
    doca_task_free(doca_sha_task_hash_as_task(hash));
    drop(src);
    drop(dst);
    rig_stop(r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    sha_close(&s);
}

static const struct test_case cases[] = {
    CASE(stop_flushes_tasks_and_keeps_the_session, ""),
    CASE(failed_task_stops_the_context, "187"),
    CASE(task_is_submitted_again_from_its_callback, "251"),
    CASE(buffer_released_in_flight_fails_the_task, ""),
    CASE(task_keeps_its_parameters_until_they_are_set, ""),
    CASE(task_in_flight_cannot_be_changed, ""),
    CASE(sha_and_dma_contexts_share_a_progress_engine, "217"),
};

TEST_MAIN(cases)

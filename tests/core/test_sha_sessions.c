/* The hash engine: sessions of partial hashes. */
#include "sha_support.h"

static unsigned char want_to[RIG_BYTES];

enum { SPLIT_BLOCKS = 5 };

/* Hash a session: bit `i` of `cuts` ends a segment after block `i`; the final segment has `tail`
 * bytes. */
static void run_split(struct sha_rig *s, struct doca_sha_task_partial_hash *task, unsigned a,
                      unsigned cuts, size_t tail)
{
    size_t block = ref_bytes[a].block, at = 0;
    unsigned i;

    for (i = 0; i < SPLIT_BLOCKS; i++) {
        size_t end = (i + 1) * block;

        if ((cuts >> i & 1) == 0)
            continue;
        run_segment(s, task, get_list(s, s->text_map, text + at, block / 2,
                                      (unsigned)((end - at) / (block / 2)), true), false);
        CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
        at = end;
    }
    run_segment(s, task, get_text(s, at, SPLIT_BLOCKS * block + tail - at), true);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 1);
}

static void segments_hash_as_their_concatenation_in_all_splits(void)
{
    struct sha_rig s;
    unsigned a, cuts;
    size_t k;

    sha_open(&s);
    for (a = 0; a < 3; a++) {
        size_t block = ref_bytes[a].block, tails[] = { 0, 1, block / 2 + 55, block - 1, block };
        struct doca_buf *dst = rig_dst(&s.r, 0, 64);
        struct doca_sha_task_partial_hash *task = partial_task(&s, algorithms[a], NULL, dst);

        for (cuts = 0; cuts < 1 << SPLIT_BLOCKS; cuts++) {
            for (k = 0; k < sizeof(tails) / sizeof(tails[0]); k++) {
                memset(rig_to, 0xee, 64);
                CHECK_OK(doca_buf_reset_data_len(dst));
                run_split(&s, task, a, cuts, tails[k]);
                CHECK_EQ(rig_data_len(dst), ref_bytes[a].digest);
                check_digest(a, rig_to, text, SPLIT_BLOCKS * block + tails[k]);
                CHECK_OK(doca_sha_task_partial_hash_reset(task));
            }
        }
        doca_task_free(doca_sha_task_partial_hash_as_task(task));
        drop(dst);
    }
    sha_close(&s);
}

static void empty_segments_change_nothing(void)
{
    struct sha_rig s;
    struct doca_buf *dst;
    struct doca_sha_task_partial_hash *task;

    sha_open(&s);
    dst = rig_dst(&s.r, 0, 64);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA256, NULL, dst);
    run_segment(&s, task, get_text(&s, 0, 0), false);
    run_segment(&s, task, get_text(&s, 0, 128), false);
    run_segment(&s, task, get_text(&s, 0, 0), false);
    run_segment(&s, task, get_text(&s, 0, 0), true);
    check_digest(REF_SHA256, rig_to, text, 128);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(dst);
    sha_close(&s);
}

static void destination_is_written_by_the_final_segment(void)
{
    struct sha_rig s;
    struct doca_buf *dst;
    struct doca_sha_task_partial_hash *task;

    sha_open(&s);
    dst = rig_dst(&s.r, 0, 64);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA512, NULL, dst);
    memcpy(want_to, rig_to, RIG_BYTES);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
    run_segment(&s, task, get_text(&s, 0, 256), false);
    run_segment(&s, task, get_text(&s, 256, 128), false);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
    CHECK_MEM(rig_to, want_to, RIG_BYTES);
    CHECK_EQ(rig_data_len(dst), 0);
    run_segment(&s, task, get_text(&s, 384, 7), true);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 1);
    check_digest(REF_SHA512, rig_to, text, 391);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(dst);
    sha_close(&s);
}

static void session_fixes_algorithm_and_destination(void)
{
    struct sha_rig s;
    struct doca_buf *dst, *other;
    struct doca_sha_task_partial_hash *task;
    unsigned way;

    sha_open(&s);
    dst = rig_dst(&s.r, 0, 64);
    other = rig_dst(&s.r, 100, 64);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, NULL, other);
    for (way = 0; way < 2; way++) { /* between segments, and after the final segment */
        CHECK_OK(doca_sha_task_partial_hash_set_dst(task, dst));
        CHECK_OK(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA1));
        run_segment(&s, task, get_text(&s, 0, 64), false);
        if (way == 1)
            run_segment(&s, task, get_text(&s, 64, 1), true);
        CHECK_RC(doca_sha_task_partial_hash_set_dst(task, other), DOCA_ERROR_BAD_STATE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SHA_SESSION);
        CHECK_RC(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA256),
                 DOCA_ERROR_BAD_STATE);
        CHECK_PTR(doca_sha_task_partial_hash_get_dst(task), dst);
        CHECK_EQ(doca_sha_task_partial_hash_get_algorithm(task), DOCA_SHA_ALGORITHM_SHA1);
        CHECK_OK(doca_sha_task_partial_hash_reset(task));
        CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
        CHECK_EQ(doca_sha_task_partial_hash_get_is_final(task), 0);
        CHECK_OK(doca_sha_task_partial_hash_set_dst(task, other));
        CHECK_OK(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA256));
        run_segment(&s, task, get_text(&s, 9, 128), false);
        run_segment(&s, task, get_text(&s, 137, 40), true);
        check_digest(REF_SHA256, rig_to + 100, text + 9, 168);
        CHECK_OK(doca_buf_reset_data_len(other));
        CHECK_OK(doca_sha_task_partial_hash_reset(task));
    }
    check_digest(REF_SHA1, rig_to, text, 65);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(dst);
    drop(other);
    sha_close(&s);
}

static void ended_session_takes_no_more_segments(void)
{
    struct sha_rig s;
    struct doca_buf *src, *dst;
    struct doca_sha_task_partial_hash *task;
    struct doca_task *base;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 200);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    base = doca_sha_task_partial_hash_as_task(task);
    CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task)); /* the first segment is final */
    run(&s, base);
    check_digest(REF_SHA1, rig_to, text, 64);
    CHECK_RC(doca_task_try_submit(base), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SHA_ENDED);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 1);
    CHECK_OK(doca_sha_task_partial_hash_reset(task));
    run(&s, base); /* begins another session */
    CHECK_EQ(rig_data_len(dst), 20);
    doca_task_free(base);

    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst); /* reuses the task */
    CHECK_EQ(doca_sha_task_partial_hash_get_is_final(task), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
    CHECK_OK(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA512));
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(src);
    drop(dst);
    sha_close(&s);
}

static void sessions_in_flight_do_not_mix(void)
{
    struct doca_sha_task_partial_hash *partial[TASKS];
    struct doca_sha_task_hash *whole[TASKS];
    struct doca_buf *dst[2 * TASKS], *src[2 * TASKS];
    struct sha_rig s;
    unsigned i, part;

    sha_open(&s);
    for (i = 0; i < TASKS; i++) {
        dst[i] = rig_dst(&s.r, i * 200, 64);
        dst[TASKS + i] = rig_dst(&s.r, i * 200 + 100, 64);
        partial[i] = partial_task(&s, algorithms[i % 3], NULL, dst[i]);
    }
    for (part = 0; part < 3; part++) {
        for (i = 0; i < TASKS; i++) {
            src[i] = get_text(&s, i * 1000 + part * 256, part < 2 ? 256 : 10 + i);
            src[TASKS + i] = get_text(&s, i * 1000 + part, 500);
            whole[i] = hash_task(&s, algorithms[(i + part) % 3], src[TASKS + i], dst[TASKS + i]);
            CHECK_OK(doca_sha_task_partial_hash_set_src(partial[i], src[i]));
            if (part == 2)
                CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(partial[i]));
            CHECK_OK(doca_task_submit(doca_sha_task_partial_hash_as_task(partial[i])));
            CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(whole[i])));
        }
        CHECK_EQ(rig_inflight(s.r.ctx), 2 * TASKS);
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_ok, (part + 1) * 2 * TASKS);
        for (i = 0; i < TASKS; i++) {
            check_digest((i + part) % 3, rig_to + i * 200 + 100, text + i * 1000 + part, 500);
            doca_task_free(doca_sha_task_hash_as_task(whole[i]));
            CHECK_OK(doca_buf_reset_data_len(dst[TASKS + i]));
            drop(src[i]);
            drop(src[TASKS + i]);
        }
    }
    for (i = 0; i < TASKS; i++) {
        check_digest(i % 3, rig_to + i * 200, text + i * 1000, 522 + i);
        doca_task_free(doca_sha_task_partial_hash_as_task(partial[i]));
        drop(dst[i]);
        drop(dst[TASKS + i]);
    }
    sha_close(&s);
}

static const struct test_case cases[] = {
    CASE(segments_hash_as_their_concatenation_in_all_splits, "251"),
    CASE(empty_segments_change_nothing, "251"),
    CASE(destination_is_written_by_the_final_segment, "251 252"),
    CASE(session_fixes_algorithm_and_destination, "253"),
    CASE(ended_session_takes_no_more_segments, "252"),
    CASE(sessions_in_flight_do_not_mix, "251"),
};

TEST_MAIN(cases)

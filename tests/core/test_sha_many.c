/* The hash engine: several tasks in flight, which the software device may hash together. */
#include "sha_support.h"

#include <poll.h>

static unsigned char want_to[RIG_BYTES];

enum { LOG_MANY = 6, MANY = 1 << LOG_MANY };

/* Open a rig as sha_open() does, with MANY tasks of each type, which the test frees. */
static void open_for_many(struct sha_rig *s)
{
    sha_build(s, NULL);
    CHECK_OK(doca_sha_task_hash_set_conf(s->sha, hash_completed, hash_failed, LOG_MANY));
    CHECK_OK(doca_sha_task_partial_hash_set_conf(s->sha, partial_completed, partial_failed,
                                                 LOG_MANY));
    CHECK_OK(doca_ctx_start(s->r.ctx));
    rig_drain(&s->r);
}

/* Hook which checks that tasks complete in the order of their numbers. */
static void expect_next(struct sha_rig *s, struct doca_task *task)
{
    CHECK_EQ(doca_task_get_user_data(task).u64, s->r.todo);
    s->r.todo++;
}

static void tasks_in_flight_complete_in_order(void)
{
    static const size_t limits[] = { 100, 1000, 20000 };
    struct hashing hashing[MANY];
    struct sha_rig s;
    unsigned num, i, k;

    open_for_many(&s);
    s.on_task = expect_next;
    for (num = 1; num <= MANY; num = num < 20 ? num + 1 : num * 2 - 8) {
        memset(rig_to, 0xee, RIG_BYTES);
        s.r.todo = 0;
        for (i = 0; i < num; i++) { /* one algorithm, or a change of algorithm after some tasks */
            size_t limit = limits[rig_random(3)];

            submit_hash(&s, &hashing[i], i, (num + i / 24) % 3, i * 5, rig_random((uint32_t)limit));
        }
        for (i = 0; i < num; i++) {
            CHECK_EQ(rig_inflight(s.r.ctx), num - i);
            k = s.r.num_ok;
            CHECK(rig_progress(&s.r));
            CHECK_EQ(s.r.num_ok, k + 1);
        }
        CHECK_EQ(rig_inflight(s.r.ctx), 0);
        for (i = 0; i < num; i++) {
            check_hash(&hashing[i], i);
            release_hash(&hashing[i]);
        }
    }
    sha_close(&s);
}

/* Random buffers over the first NARROW bytes of rig_to, with room for two digests. */
enum { NARROW = 1500 };

static struct doca_buf *narrow_buf(struct sha_rig *s)
{
    size_t len = 140 + rig_random(rig_random(2) == 0 ? 60 : 600), off = rig_random(8);

    return get_args(s, s->r.dst_map, rig_to + rig_random((uint32_t)(NARROW - len)), len, off,
                    rig_random((uint32_t)(len - off - 127)));
}

static size_t content_at(const struct doca_buf *buf)
{
    void *data;

    CHECK_OK(doca_buf_get_data(buf, &data));
    return (size_t)((unsigned char *)data - rig_to);
}

/* Tasks read bytes that other tasks write, and write bytes that other tasks read or write. The
 * result must be as if the tasks ran one after the other. */
static void overlapping_tasks_give_the_result_of_sequential_tasks(void)
{
    enum { NUM = 20 };
    struct doca_sha_task_hash *task[NUM];
    struct doca_buf *buf[NUM];
    size_t at[NUM], len[NUM]; /* expected offset and length of each buffer's content */
    unsigned char digest[64];
    unsigned round, i, src, dst;
    struct sha_rig s;

    open_for_many(&s);
    for (round = 0; round < 200; round++) {
        unsigned a = rig_random(3);

        for (i = 0; i < NARROW; i++)
            rig_to[i] = (unsigned char)rig_random(256);
        memcpy(want_to, rig_to, NARROW);
        for (i = 0; i < NUM; i++) {
            buf[i] = narrow_buf(&s);
            at[i] = content_at(buf[i]);
            len[i] = rig_data_len(buf[i]);
        }
        for (i = 0; i < NUM; i++) {
            src = rig_random(NUM);
            dst = i % 8 == 7 ? i - 1 : i; /* a destination that already has a digest */
            task[i] = hash_task(&s, algorithms[a], buf[src], buf[dst]);
            CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task[i])));
            independent_hash(a, want_to + at[src], len[src], digest);
            memcpy(want_to + at[dst] + len[dst], digest, ref_bytes[a].digest);
            len[dst] += ref_bytes[a].digest;
        }
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_failed, 0);
        CHECK_MEM(rig_to, want_to, NARROW);
        for (i = 0; i < NUM; i++) {
            CHECK_EQ(rig_data_len(buf[i]), len[i]);
            doca_task_free(doca_sha_task_hash_as_task(task[i]));
            drop(buf[i]);
        }
    }
    sha_close(&s);
}

/* Tasks complete in order, also with lists, partial hashes and several algorithms. */
static void tasks_of_all_types_complete_in_order(void)
{
    struct doca_sha_task_partial_hash *partial[MANY];
    struct hashing hashing[MANY];
    struct doca_buf *list;
    struct sha_rig s;
    unsigned round, i;

    open_for_many(&s);
    s.on_task = expect_next;
    for (round = 0; round < 20; round++) {
        memset(rig_to, 0xee, RIG_BYTES);
        s.r.todo = 0;
        for (i = 0; i < MANY; i++) {
            unsigned a = rig_random(8) == 0 ? rig_random(3) : round % 3, kind = rig_random(6);
            size_t len = 1 + rig_random(3000);

            partial[i] = NULL;
            if (kind > 1) {
                submit_hash(&s, &hashing[i], i, a, i, len);
                continue;
            }
            hashing[i].algorithm = a;
            hashing[i].off = 0;
            hashing[i].len = kind == 1 ? len + 70 : len;
            hashing[i].src = list = get_text(&s, 0, len);
            if (kind == 1)
                CHECK_OK(doca_buf_chain_list(list, get_text(&s, len, 70)));
            hashing[i].dst = rig_dst(&s.r, 64 * i, 64);
            if (kind == 1) {
                hashing[i].task = hash_task(&s, algorithms[a], list, hashing[i].dst);
            } else {
                partial[i] = partial_task(&s, algorithms[a], list, hashing[i].dst);
                CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(partial[i]));
            }
            doca_task_set_user_data(partial[i] != NULL
                                        ? doca_sha_task_partial_hash_as_task(partial[i])
                                        : doca_sha_task_hash_as_task(hashing[i].task),
                                    (union doca_data){ .u64 = i });
            CHECK_OK(doca_task_submit(partial[i] != NULL
                                          ? doca_sha_task_partial_hash_as_task(partial[i])
                                          : doca_sha_task_hash_as_task(hashing[i].task)));
        }
        rig_drain(&s.r);
        CHECK_EQ(s.r.todo, MANY);
        CHECK_EQ(s.r.num_failed, 0);
        for (i = 0; i < MANY; i++) {
            check_digest(hashing[i].algorithm, rig_to + 64 * i, text + hashing[i].off,
                         hashing[i].len);
            if (partial[i] == NULL) {
                release_hash(&hashing[i]);
                continue;
            }
            doca_task_free(doca_sha_task_partial_hash_as_task(partial[i]));
            drop(hashing[i].src);
            drop(hashing[i].dst);
        }
    }
    sha_close(&s);
}

/* Check that tasks [first, num) completed with `status` and wrote nothing. */
static void check_untouched(struct hashing *hashing, unsigned first, unsigned num,
                            doca_error_t status)
{
    unsigned i, k;

    for (i = first; i < num; i++) {
        CHECK_RC(doca_task_get_status(doca_sha_task_hash_as_task(hashing[i].task)), status);
        CHECK_EQ(rig_data_len(hashing[i].dst), 0);
        for (k = 0; k < 64; k++)
            CHECK_EQ(rig_to[64 * i + k], 0xee);
    }
}

/* A wrong task at any position: the tasks before it succeed, the tasks after it are flushed. */
static void wrong_task_fails_only_later_tasks(void)
{
    struct hashing hashing[MANY];
    struct sha_rig s;
    unsigned bad, i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("submit refuses the wrong task at this check level");
    for (bad = 0; bad < 24; bad++) {
        open_for_many(&s);
        s.on_task = expect_next;
        for (i = 0; i < 24; i++)
            submit_to(&s, &hashing[i], i, bad % 3, i, 700, i == bad ? 4 : 64);
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_ok, bad);
        CHECK_EQ(s.r.num_failed, 24 - bad);
        for (i = 0; i < bad; i++)
            check_hash(&hashing[i], i);
        check_untouched(hashing, bad, 24, DOCA_ERROR_IO_FAILED);
        for (i = 0; i < 24; i++)
            release_hash(&hashing[i]);
        sha_close(&s);
    }
}

static void stop_flushes_tasks_that_are_not_hashed(void)
{
    struct hashing hashing[MANY];
    struct sha_rig s;
    unsigned before, i;

    for (before = 0; before <= 20; before++) { /* number of callbacks before the stop */
        open_for_many(&s);
        s.on_task = expect_next;
        for (i = 0; i < 20; i++)
            submit_hash(&s, &hashing[i], i, before % 3, i, 300);
        for (i = 0; i < before; i++)
            CHECK(rig_progress(&s.r));
        CHECK_RC(doca_ctx_stop(s.r.ctx), DOCA_ERROR_IN_PROGRESS);
        rig_drain(&s.r);
        CHECK(s.r.num_ok >= before);
        CHECK_EQ(s.r.todo, 20);
        for (i = 0; i < s.r.num_ok; i++)
            check_hash(&hashing[i], i);
        check_untouched(hashing, s.r.num_ok, 20, DOCA_ERROR_SHUTDOWN);
        for (i = 0; i < 20; i++)
            release_hash(&hashing[i]);
        sha_close(&s);
    }
}

/* The handle is readable until progress has returned all finished tasks. */
static void finished_tasks_wake_the_pe(void)
{
    struct hashing hashing[MANY];
    doca_notification_handle_t handle;
    struct pollfd ready;
    struct sha_rig s;
    unsigned i;

    open_for_many(&s);
    for (i = 0; i < 16; i++)
        submit_hash(&s, &hashing[i], i, REF_SHA1, i, 500);
    CHECK_OK(doca_pe_get_notification_handle(s.r.pe, &handle));
    for (i = 0; i <= 16; i++) {
        CHECK_OK(doca_pe_request_notification(s.r.pe));
        ready.fd = handle;
        ready.events = POLLIN;
        CHECK_EQ(poll(&ready, 1, 0), i < 16);
        CHECK_OK(doca_pe_clear_notification(s.r.pe, handle));
        CHECK_EQ(rig_progress(&s.r), i < 16);
    }
    for (i = 0; i < 16; i++) {
        check_hash(&hashing[i], i);
        release_hash(&hashing[i]);
    }
    sha_close(&s);
}

/* Hook that submits each task again, so that the queue is never empty. */
static void resubmit_often(struct sha_rig *s, struct doca_task *task)
{
    struct hashing *h = doca_task_get_user_data(task).ptr;

    CHECK_EQ(rig_data_len(h->dst), ref_bytes[h->algorithm].digest);
    check_digest(h->algorithm, rig_to + h->off, text + h->off, h->len);
    if (s->r.todo == 0)
        return;
    s->r.todo--;
    memset(rig_to + h->off, 0xee, 64);
    CHECK_OK(doca_buf_set_data(h->dst, rig_to + h->off, 0));
    CHECK_OK(doca_task_submit(task));
}

static void queue_that_is_never_empty_hashes_all_tasks(void)
{
    struct hashing hashing[MANY];
    struct sha_rig s;
    unsigned i;

    open_for_many(&s);
    s.on_task = resubmit_often;
    s.r.todo = 2000;
    for (i = 0; i < 21; i++) {
        submit_hash(&s, &hashing[i], i, REF_SHA512, 64 * i, 10 * i);
        doca_task_set_user_data(doca_sha_task_hash_as_task(hashing[i].task),
                                (union doca_data){ .ptr = &hashing[i] });
    }
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_ok, 2021);
    for (i = 0; i < 21; i++)
        release_hash(&hashing[i]);
    sha_close(&s);
}

static const struct test_case cases[] = {
    CASE(tasks_in_flight_complete_in_order, ""),
    CASE(overlapping_tasks_give_the_result_of_sequential_tasks, ""),
    CASE(tasks_of_all_types_complete_in_order, ""),
    CASE(wrong_task_fails_only_later_tasks, "187"),
    CASE(stop_flushes_tasks_that_are_not_hashed, ""),
    CASE(finished_tasks_wake_the_pe, ""),
    CASE(queue_that_is_never_empty_hashes_all_tasks, ""),
};

TEST_MAIN(cases)

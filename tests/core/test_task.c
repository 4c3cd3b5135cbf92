/* Tasks: when the program owns a task and when the library owns it, which calls are allowed then,
 * and the arguments of callbacks. */
#include "held_backend.h"

enum { TASKS = 8, LEN = 64 };

static void alloc_gives_the_task_to_the_program(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_task *base;

    rig_open(&r, TASKS);
    task = rig_task(r.dma, NULL, NULL);
    base = doca_dma_task_memcpy_as_task(task);
    CHECK_PTR(base, task);
    CHECK_OK(doca_task_get_status(base));
    CHECK_PTR(doca_task_get_ctx(base), r.ctx);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK(!rig_progress(&r));
    doca_task_free(base); /* the task was never submitted */
    rig_close(&r);
}

static void submit_takes_the_task_and_its_callback_gives_it_back(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    rig_open(&r, TASKS);
    task = rig_copy(&r, r.dma, 100, LEN);
    CHECK_EQ(rig_inflight(r.ctx), 1);
    CHECK_EQ(r.num_callbacks, 0);
    rig_drain(&r);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(r.num_failed, 0);
    CHECK_OK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    CHECK_MEM(rig_to + 100, rig_from + 100, LEN);
    rig_release(task);
    rig_close(&r);
}

static void failed_submit_leaves_the_task_with_the_program(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    held_begin();
    held_open_rig(&r, TASKS);
    task = rig_prepare(&r, r.dma, 0, LEN);
    held.full = true;
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_QUEUE_FULL);
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_AGAIN);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_EQ(rig_drain(&r), 0);
    held.full = false;
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    rig_release(task);
    held_close_rig(&r);
}

static void task_without_buffers_is_not_submitted(void)
{
    static const struct { bool src, dst; } given[] = { { false, false }, { true, false },
                                                       { false, true } };
    struct rig r;
    size_t i;

    rig_open(&r, TASKS);
    for (i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
        struct doca_dma_task_memcpy *task =
            rig_task(r.dma, given[i].src ? rig_src(&r, 0, LEN) : NULL,
                     given[i].dst ? rig_dst(&r, 0, LEN) : NULL);
        struct doca_task *base = doca_dma_task_memcpy_as_task(task);

        CHECK_RC(doca_task_submit(base), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_BUFFER);
        CHECK_RC(doca_task_try_submit(base), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(rig_inflight(r.ctx), 0);
        rig_release(task); /* the program still owns the task */
    }
    CHECK_EQ(r.num_callbacks, 0);
    rig_close(&r);
}

static void free_resubmit_or_keep(struct rig *r, struct doca_dma_task_memcpy *task)
{
    struct doca_task *base = doca_dma_task_memcpy_as_task(task);
    union doca_data data = doca_task_get_user_data(base);

    switch (data.u64) {
    case 1:
        rig_release(task);
        break;
    case 2:
        doca_task_set_user_data(base, (union doca_data){ .u64 = 3 });
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
        CHECK_OK(doca_task_submit(base));
        break;
    default:
        r->todo++;
        break;
    }
}

static void callback_may_free_resubmit_or_keep_the_task(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task[3];
    uint64_t i;

    rig_open(&r, TASKS);
    r.on_task = free_resubmit_or_keep;
    for (i = 0; i < 3; i++) {
        task[i] = rig_prepare(&r, r.dma, (size_t)i * LEN, LEN);
        doca_task_set_user_data(doca_dma_task_memcpy_as_task(task[i]),
                                (union doca_data){ .u64 = i + 1 });
    }
    for (i = 0; i < 3; i++)
        CHECK_OK(rig_submit(task[i]));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 4);
    CHECK_EQ(r.todo, 2); /* the kept task, and later the resubmitted task */
    rig_release(task[1]);
    rig_release(task[2]);
    rig_close(&r);
}

static void resubmitted_task_runs_again_with_its_new_buffers(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src[TASKS], *dst[TASKS];
    size_t i;

    rig_open(&r, 1);
    for (i = 0; i < TASKS; i++) {
        src[i] = rig_src(&r, i * 100, LEN);
        dst[i] = rig_dst(&r, 5000 + i * 100, LEN);
    }
    task = rig_task(r.dma, NULL, NULL);
    for (i = 0; i < TASKS; i++) {
        doca_dma_task_memcpy_set_src(task, src[i]);
        doca_dma_task_memcpy_set_dst(task, dst[i]);
        CHECK_PTR(doca_dma_task_memcpy_get_src(task), src[i]);
        CHECK_PTR(doca_dma_task_memcpy_get_dst(task), dst[i]);
        CHECK_OK(rig_submit(task));
        rig_drain(&r);
        CHECK_EQ(r.num_ok, i + 1);
        CHECK_MEM(rig_to + 5000 + i * 100, rig_from + i * 100, LEN);
    }
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    for (i = 0; i < TASKS; i++) {
        CHECK_OK(doca_buf_dec_refcount(src[i], NULL));
        CHECK_OK(doca_buf_dec_refcount(dst[i], NULL));
    }
    rig_close(&r);
}

static void check_result(struct rig *r, struct doca_dma_task_memcpy *task)
{
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);
    void *data;

    CHECK_OK(doca_buf_get_data(dst, &data));
    CHECK_EQ(rig_data_len(dst), LEN);
    CHECK_MEM(data, rig_from + 7, LEN);
    r->todo++;
}

static void result_is_complete_when_the_callback_begins(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    rig_open(&r, TASKS);
    r.on_task = check_result;
    task = rig_copy(&r, r.dma, 7, LEN);
    rig_drain(&r);
    CHECK_EQ(r.todo, 1);
    rig_release(task);
    rig_close(&r);
}

static void count_outcome(struct doca_dma_task_memcpy *task, union doca_data task_data,
                          union doca_data ctx_data)
{
    struct rig *r = ctx_data.ptr;
    doca_error_t *status = task_data.ptr;

    r->num_callbacks++;
    *status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
}

static void success_and_error_may_have_the_same_callback(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task[2];
    doca_error_t status[2] = { DOCA_ERROR_UNKNOWN, DOCA_ERROR_UNKNOWN };
    size_t i;

    held_begin();
    rig_build(&r, HELD_DMA, TASKS);
    CHECK_OK(doca_dma_task_memcpy_set_conf(r.dma, count_outcome, count_outcome, TASKS));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    for (i = 0; i < 2; i++) {
        task[i] = rig_prepare(&r, r.dma, i * LEN, LEN);
        doca_task_set_user_data(doca_dma_task_memcpy_as_task(task[i]),
                                (union doca_data){ .ptr = &status[i] });
        CHECK_OK(rig_submit(task[i]));
        rig_drain(&r);
        held.num_to_fail = 1;
    }
    CHECK_OK(status[0]);
    CHECK_RC(status[1], DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_task_get_status(doca_dma_task_memcpy_as_task(task[0])));
    CHECK_RC(doca_task_get_status(doca_dma_task_memcpy_as_task(task[1])), DOCA_ERROR_IO_FAILED);
    rig_release(task[0]);
    rig_release(task[1]);
    held_close_rig(&r);
}

static void note_user_data(struct doca_dma_task_memcpy *task, union doca_data task_data,
                           union doca_data ctx_data)
{
    struct rig *r = ctx_data.ptr;

    r->todo = (unsigned)task_data.u64;
    CHECK_EQ(doca_task_get_user_data(doca_dma_task_memcpy_as_task(task)).u64, task_data.u64);
}

static void user_data_reaches_the_callback_and_can_be_replaced(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_task *base;
    struct doca_buf *src, *dst;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_dma_task_memcpy_set_conf(r.dma, note_user_data, note_user_data, TASKS));
    CHECK_OK(doca_ctx_start(r.ctx));
    src = rig_src(&r, 0, LEN);
    dst = rig_dst(&r, 0, 2 * LEN);
    CHECK_OK(doca_dma_task_memcpy_alloc_init(r.dma, src, dst, (union doca_data){ .u64 = 11 },
                                             &task));
    base = doca_dma_task_memcpy_as_task(task);
    CHECK_EQ(doca_task_get_user_data(base).u64, 11);
    CHECK_OK(doca_task_submit(base));
    rig_drain(&r);
    CHECK_EQ(r.todo, 11);
    doca_task_set_user_data(base, (union doca_data){ .u64 = 22 });
    CHECK_EQ(doca_task_get_user_data(base).u64, 22);
    CHECK_OK(doca_task_submit(base));
    rig_drain(&r);
    CHECK_EQ(r.todo, 22);
    rig_release(task);
    rig_close(&r);
}

static void number_of_tasks_is_limited(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task[TASKS], *more = NULL;
    size_t i, k;

    rig_open(&r, TASKS);
    for (i = 0; i < TASKS; i++) {
        task[i] = rig_task(r.dma, NULL, NULL);
        for (k = 0; k < i; k++)
            CHECK(task[k] != task[i]);
    }
    CHECK_RC(doca_dma_task_memcpy_alloc_init(r.dma, NULL, NULL, (union doca_data){ 0 }, &more),
             DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_POOL_EMPTY);
    CHECK_PTR(more, NULL);
    doca_task_free(doca_dma_task_memcpy_as_task(task[3]));
    task[3] = rig_task(r.dma, NULL, NULL);
    for (i = 0; i < TASKS; i++)
        doca_task_free(doca_dma_task_memcpy_as_task(task[i]));
    rig_close(&r);
}

static void reused_task_is_like_a_new_task(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_task *base;

    held_begin();
    held_open_rig(&r, 1);
    task = rig_prepare(&r, r.dma, 0, LEN);
    doca_task_set_user_data(doca_dma_task_memcpy_as_task(task), (union doca_data){ .u64 = 5 });
    CHECK_OK(rig_submit(task));
    held.num_to_fail = 1;
    rig_drain(&r);
    rig_release(task);
    rig_drain(&r);
    CHECK_OK(doca_ctx_start(r.ctx));
    task = rig_task(r.dma, NULL, NULL);
    base = doca_dma_task_memcpy_as_task(task);
    CHECK_OK(doca_task_get_status(base));
    CHECK_EQ(doca_task_get_user_data(base).u64, 0);
    CHECK_PTR(doca_dma_task_memcpy_get_src(task), NULL);
    CHECK_PTR(doca_dma_task_memcpy_get_dst(task), NULL);
    doca_task_free(base);
    held_close_rig(&r);
}

/* The context has one task. It failed in the device, or the backend set its status and refused it;
 * the next allocation must reset the status. */
static void status_of_a_reused_task_is_success(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    unsigned refused;

    held_begin();
    held_open_rig(&r, 1);
    for (refused = 0; refused < 2; refused++) {
        held.full = refused;
        held.num_to_fail = 1;
        task = rig_prepare(&r, r.dma, 0, LEN);
        CHECK_RC(rig_submit(task), refused ? DOCA_ERROR_AGAIN : DOCA_SUCCESS);
        rig_drain(&r);
        CHECK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)) != DOCA_SUCCESS);
        rig_release(task);
        rig_drain(&r);
        if (!refused) /* the failure has stopped the context */
            CHECK_OK(doca_ctx_start(r.ctx));
        task = rig_task(r.dma, NULL, NULL);
        CHECK_OK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
        doca_task_free(doca_dma_task_memcpy_as_task(task));
    }
    held_close_rig(&r);
}

static void only_try_submit_validates(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_task *base;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level submit validates, too");
    rig_open(&r, TASKS);
    task = rig_prepare(&r, r.dma, 0, LEN);
    base = doca_dma_task_memcpy_as_task(task);
    CHECK_OK(doca_buf_set_data(doca_dma_task_memcpy_get_dst(task), rig_to, 1));
    CHECK_RC(doca_task_try_submit(base), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_OK(doca_task_submit(base));
    CHECK_EQ(rig_inflight(r.ctx), 1);
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 1);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    rig_release(task);
    rig_close(&r);
}

static void valid_task_has_the_same_result_with_both_submits(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    unsigned i;

    rig_open(&r, TASKS);
    for (i = 0; i < 2; i++) {
        struct doca_task *base;

        task = rig_prepare(&r, r.dma, 300 + i * LEN, LEN);
        base = doca_dma_task_memcpy_as_task(task);
        CHECK_OK(i == 0 ? doca_task_submit(base) : doca_task_try_submit(base));
        CHECK_EQ(rig_inflight(r.ctx), 1);
        CHECK_EQ(rig_drain(&r), 1);
        CHECK_EQ(r.num_ok, i + 1);
        CHECK_EQ(rig_data_len(doca_dma_task_memcpy_get_dst(task)), LEN);
        rig_release(task);
    }
    CHECK_MEM(rig_to + 300, rig_from + 300, 2 * LEN);
    rig_close(&r);
}

static unsigned times_done[TASKS], order_done[TASKS], num_done;

static void note_completion(struct rig *r, struct doca_dma_task_memcpy *task)
{
    union doca_data data = doca_task_get_user_data(doca_dma_task_memcpy_as_task(task));

    (void)r;
    times_done[data.u64]++;
    CHECK(num_done < TASKS);
    order_done[num_done++] = (unsigned)data.u64;
}

static void each_task_completes_once_in_any_order(void)
{
    struct rig r;
    unsigned newest_first, i;

    held_begin();
    held_open_rig(&r, TASKS);
    r.on_task = note_completion;
    r.frees_tasks = true;
    for (newest_first = 0; newest_first < 2; newest_first++) {
        held.newest_first = newest_first;
        held.budget = 0;
        num_done = 0;
        memset(times_done, 0, sizeof(times_done));
        for (i = 0; i < TASKS; i++) {
            struct doca_dma_task_memcpy *task = rig_prepare(&r, r.dma, i * LEN, LEN);

            doca_task_set_user_data(doca_dma_task_memcpy_as_task(task),
                                    (union doca_data){ .u64 = i });
            CHECK_OK(rig_submit(task));
        }
        CHECK_EQ(rig_drain(&r), 0);
        held.budget = 3;
        rig_drain(&r);
        CHECK_EQ(num_done, 3);
        CHECK_EQ(rig_inflight(r.ctx), TASKS - 3);
        held.budget = HELD_ALL;
        rig_drain(&r);
        for (i = 0; i < TASKS; i++) {
            CHECK_EQ(times_done[i], 1);
            CHECK_EQ(order_done[i], newest_first ? TASKS - 1 - i : i);
        }
    }
    held_close_rig(&r);
}

static void submit_needs_a_running_context(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    rig_open(&r, TASKS);
    task = rig_prepare(&r, r.dma, 0, LEN);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    CHECK_RC(rig_submit(task), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NOT_RUNNING);
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    rig_release(task);
    rig_drain(&r);
    CHECK_EQ(r.num_ok + r.num_failed, 0);
    rig_close(&r);
}

static void freeing_twice_is_logged_and_ignored(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task[2];
    struct doca_dma_task_memcpy *more;
    struct doca_task *base;

    rig_open(&r, 2);
    task[0] = rig_task(r.dma, NULL, NULL);
    base = doca_dma_task_memcpy_as_task(task[0]);
    doca_task_free(base);
    test_log_lines = 0;
    doca_task_free(base);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_TASK_NOT_OWNED);
    task[0] = rig_task(r.dma, NULL, NULL);
    task[1] = rig_task(r.dma, NULL, NULL);
    CHECK(task[0] != task[1]);
    CHECK_RC(doca_dma_task_memcpy_alloc_init(r.dma, NULL, NULL, (union doca_data){ 0 }, &more),
             DOCA_ERROR_NO_MEMORY);
    doca_task_free(doca_dma_task_memcpy_as_task(task[0]));
    doca_task_free(doca_dma_task_memcpy_as_task(task[1]));
    rig_close(&r);
}

static void submitted_task_can_not_be_freed_changed_or_submitted(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_task *base;
    struct doca_buf *src, *dst;

    rig_open(&r, TASKS);
    src = rig_src(&r, 0, LEN);
    dst = rig_dst(&r, 0, LEN);
    task = rig_task(r.dma, src, dst);
    base = doca_dma_task_memcpy_as_task(task);
    CHECK_OK(doca_task_submit(base));
    test_log_lines = 0;
    doca_task_free(base);
    doca_dma_task_memcpy_set_src(task, NULL);
    doca_dma_task_memcpy_set_dst(task, NULL);
    CHECK_EQ(test_log_lines, 3);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_TASK_NOT_OWNED);
    CHECK_RC(doca_task_submit(base), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_OWNED);
    CHECK_RC(doca_task_try_submit(base), DOCA_ERROR_BAD_STATE);
    CHECK_PTR(doca_dma_task_memcpy_get_src(task), src);
    CHECK_PTR(doca_dma_task_memcpy_get_dst(task), dst);
    CHECK_EQ(rig_inflight(r.ctx), 1);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_MEM(rig_to, rig_from, LEN);
    rig_release(task);
    rig_close(&r);
}

static void free_task_cannot_be_submitted_or_changed(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task, *again;
    struct doca_buf *src;

    rig_open(&r, 1);
    src = rig_src(&r, 0, LEN);
    task = rig_task(r.dma, NULL, NULL);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    CHECK_RC(rig_submit(task), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_OWNED);
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    again = rig_task(r.dma, NULL, NULL);
    CHECK_PTR(doca_dma_task_memcpy_get_src(again), NULL);
    doca_task_free(doca_dma_task_memcpy_as_task(again));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    rig_close(&r);
}

static void user_data_of_a_free_task_is_not_set(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_task *base;

    rig_open(&r, 1);
    task = rig_task(r.dma, NULL, NULL);
    base = doca_dma_task_memcpy_as_task(task);
    doca_task_set_user_data(base, (union doca_data){ .u64 = 5 });
    doca_task_free(base);
    test_log_lines = 0;
    doca_task_set_user_data(base, (union doca_data){ .u64 = 6 });
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_TASK_NOT_OWNED);
    CHECK_EQ(doca_task_get_user_data(base).u64, 5);
    rig_close(&r);
}

/* The handle of a task becomes invalid when its context stops, whichever call stops the context. */
static void task_handle_is_invalid_after_stop(void)
{
    unsigned way;

    if (DOCA_CORE_CHECK < 1)
        test_skip("DOCA_CORE_CHECK 0 does not check handles");
    for (way = 0; way < 3; way++) {
        struct rig r;
        struct doca_dma_task_memcpy *task, before;
        struct doca_task *base;

        rig_open(&r, 3);
        task = rig_prepare(&r, r.dma, 0, LEN);
        base = doca_dma_task_memcpy_as_task(task);
        if (way == 0)
            CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
        rig_release(task);
        rig_drain(&r);
        if (way == 1)
            CHECK_OK(doca_ctx_stop(r.ctx));
        if (way == 2) {
            CHECK_OK(doca_dma_destroy(r.dma));
            r.dma = NULL;
        }
        memcpy(&before, task, sizeof(before));
        test_log_lines = 0;
        CHECK_RC(doca_task_submit(base), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_task_try_submit(base), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_task_get_status(base), DOCA_ERROR_INVALID_VALUE);
        doca_task_free(base);
        doca_task_set_user_data(base, (union doca_data){ .u64 = 5 });
        doca_dma_task_memcpy_set_src(task, NULL);
        doca_dma_task_memcpy_set_dst(task, NULL);
        CHECK_EQ(doca_task_get_user_data(base).u64, 0);
        CHECK_PTR(doca_task_get_ctx(base), NULL);
        CHECK_EQ(test_log_lines, 9);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEAD_HANDLE);
        CHECK_PTR(doca_dma_task_memcpy_get_src(task), NULL);
        CHECK_PTR(doca_dma_task_memcpy_get_dst(task), NULL);
        CHECK_MEM(task, &before, sizeof(before)); /* the refused calls did not write to the task */
        rig_close(&r);
    }
}

static void getters_and_setters_accept_null(void)
{
    doca_task_free(NULL);
    doca_task_set_user_data(NULL, (union doca_data){ 0 });
    doca_dma_task_memcpy_set_src(NULL, NULL);
    doca_dma_task_memcpy_set_dst(NULL, NULL);
    CHECK_RC(doca_task_submit(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_try_submit(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_get_status(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_task_get_user_data(NULL).u64, 0);
    CHECK_PTR(doca_task_get_ctx(NULL), NULL);
    CHECK_PTR(doca_dma_task_memcpy_as_task(NULL), NULL);
    CHECK_PTR(doca_dma_task_memcpy_get_src(NULL), NULL);
    CHECK_PTR(doca_dma_task_memcpy_get_dst(NULL), NULL);
}

static void alloc_refuses_null(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    rig_open(&r, 1);
    CHECK_RC(doca_dma_task_memcpy_alloc_init(NULL, NULL, NULL, (union doca_data){ 0 }, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_task_memcpy_alloc_init(r.dma, NULL, NULL, (union doca_data){ 0 }, NULL),
             DOCA_ERROR_INVALID_VALUE);
    task = rig_task(r.dma, NULL, NULL); /* the refused calls took no task */
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(alloc_gives_the_task_to_the_program, "191 201 203"),
    CASE(submit_takes_the_task_and_its_callback_gives_it_back, "192 197"),
    CASE(failed_submit_leaves_the_task_with_the_program, "193"),
    CASE(task_without_buffers_is_not_submitted, "193"),
    CASE(callback_may_free_resubmit_or_keep_the_task, "194"),
    CASE(resubmitted_task_runs_again_with_its_new_buffers, "195"),
    CASE(result_is_complete_when_the_callback_begins, "196"),
    CASE(success_and_error_may_have_the_same_callback, "197 198 199"),
    CASE(user_data_reaches_the_callback_and_can_be_replaced, "200"),
    CASE(number_of_tasks_is_limited, "202"),
    CASE(reused_task_is_like_a_new_task, "191"),
    CASE(status_of_a_reused_task_is_success, "191"),
    CASE(only_try_submit_validates, "205"),
    CASE(valid_task_has_the_same_result_with_both_submits, "206"),
    CASE(each_task_completes_once_in_any_order, "197 207"),
    CASE(submit_needs_a_running_context, "208"),
    CASE(freeing_twice_is_logged_and_ignored, ""),
    CASE(submitted_task_can_not_be_freed_changed_or_submitted, ""),
    CASE(free_task_cannot_be_submitted_or_changed, ""),
    CASE(user_data_of_a_free_task_is_not_set, ""),
    CASE(task_handle_is_invalid_after_stop, ""),
    CASE(getters_and_setters_accept_null, "1"),
    CASE(alloc_refuses_null, "1"),
};

TEST_MAIN(cases)

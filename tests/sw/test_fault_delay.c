/* Injected faults: tasks that are delayed, held, released and reordered, and when they wake a
 * program that sleeps. */
#include "fault_support.h"
#include "event_rig.h"

#include <sys/wait.h>

static void delay_counts_polls(void)
{
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.complete=delay:5");
    fault_submit(&r, 1);
    for (i = 0; ended.num == 0 && i < 100; i++)
        (void)rig_progress(&r);
    CHECK_EQ(i, 6); /* the first poll finds the task finished; five more polls delay it */
    fault_close(&r);
}

static void delay_counts_time(void)
{
    double begin;
    struct rig r;

    fault_open(&r, "dma.complete=delay:30ms@1");
    begin = event_seconds();
    fault_submit(&r, 2);
    while (ended.num < 2 && event_seconds() - begin < 10)
        (void)rig_progress(&r);
    CHECK_EQ(ended.num, 2);
    CHECK(event_seconds() - begin >= 0.03);
    CHECK_EQ(ended.which[0], 1);
    fault_close(&r);
}

static void completions_are_reordered(void)
{
    static const struct {
        const char *text;
        unsigned order[NUM];
    } rows[] = {
        { "dma.complete=reorder@1", { 1, 0, 2, 3, 4, 5 } },
        { "dma.complete=reorder:3@2", { 0, 2, 3, 4, 1, 5 } },
        { "dma.complete=reorder:9@5", { 0, 1, 2, 3, 5, 4 } },
        { "dma.complete=reorder", { 5, 0, 1, 2, 3, 4 } },
        { "dma.complete=reorder:9", { 5, 4, 3, 2, 1, 0 } },
        { "dma.complete=reorder@6", { 0, 1, 2, 3, 4, 5 } },
        { "dma.complete=reorder:2@1,dma.complete=reorder:2@2", { 2, 3, 0, 1, 4, 5 } },
    };
    struct rig r;
    unsigned k, i;

    for (k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        fault_open(&r, rows[k].text);
        fault_submit(&r, NUM);
        fault_wait(&r, NUM);
        for (i = 0; i < NUM; i++)
            if (ended.which[i] != rows[k].order[i])
                test_fail(__FILE__, __LINE__, "%s: task %u ended at position %u", rows[k].text,
                          ended.which[i], i);
        CHECK_EQ(r.num_ok, NUM);
        CHECK_MEM(rig_to, rig_from, NUM * 64);
        fault_close(&r);
    }
}

static void held_tasks_end_when_released(void)
{
    struct rig r;

    fault_open(&r, "dma.complete=hold@2+");
    fault_submit(&r, 4);
    CHECK_EQ(doca_core_fault_get_num_held(), 3);
    fault_wait(&r, 1);
    fault_progress(&r, 100);
    CHECK_EQ(ended.num, 1);
    CHECK_EQ(doca_core_fault_release(1), 1);
    CHECK_EQ(doca_core_fault_get_num_held(), 2);
    fault_wait(&r, 2);
    CHECK_EQ(ended.which[1], 1);
    fault_progress(&r, 100);
    CHECK_EQ(ended.num, 2);
    CHECK_EQ(doca_core_fault_release(UINT32_MAX), 2);
    CHECK_EQ(doca_core_fault_release(UINT32_MAX), 0);
    fault_wait(&r, 4);
    CHECK_EQ(ended.which[3], 3);
    CHECK_EQ(r.num_ok, 4);
    fault_close(&r);
}

/* Hold two copies: first one of the context `first`, then one of `second`. A delayed task of
 * `second` is in flight all the time, so progress polls `second` before `first`. */
static void hold_two(struct rig *r, struct doca_dma *first, struct doca_dma *second)
{
    struct doca_dma *const turns[] = { second, first, second };
    struct doca_dma_task_memcpy *task;
    unsigned i;

    CHECK_OK(doca_core_fault_set("dma.complete=delay:1000@1,dma.complete=hold@2+"));
    memset(&ended, 0, sizeof(ended));
    for (i = 0; i < 3; i++) {
        task = rig_prepare(r, turns[i], (size_t)i * 64, 64);
        doca_task_set_user_data(doca_dma_task_memcpy_as_task(task), (union doca_data){ .u64 = i });
        CHECK_OK(rig_submit(task));
        fault_progress(r, 100);
    }
    CHECK_EQ(ended.num, 0);
    CHECK_EQ(doca_core_fault_get_num_held(), 2);
}

static void first_finished_task_is_released_first(void)
{
    struct doca_dma *other;
    struct rig r;
    unsigned k;

    fault_open(&r, "");
    other = rig_make_dma(&r, 4);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
    for (k = 0; k < 2; k++) {
        hold_two(&r, k == 0 ? r.dma : other, k == 0 ? other : r.dma);
        CHECK_EQ(doca_core_fault_release(1), 1);
        fault_wait(&r, 1);
        CHECK_EQ(ended.which[0], 1);
        fault_progress(&r, 100);
        CHECK_EQ(ended.num, 1);
        CHECK_EQ(doca_core_fault_release(2), 1);
        fault_wait(&r, 3);
    }
    hold_two(&r, r.dma, other);
    /* the stop completes the held task of this context, so one held task is left */
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    fault_wait(&r, 1);
    CHECK_EQ(doca_core_fault_get_num_held(), 1);
    CHECK_EQ(doca_core_fault_release(1), 1);
    fault_wait(&r, 3);
    CHECK_OK(doca_ctx_stop(doca_dma_as_ctx(other)));
    CHECK_OK(doca_dma_destroy(other));
    fault_close(&r);
}

/* A held task can be released before the device has finished it. It then completes when the device
 * finishes. The end of its context clears releases that have not been used. */
static void held_task_may_be_released_in_flight(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned k;

    fault_open(&r, "dma.complete=hold");
    fault_submit(&r, 2);
    CHECK_EQ(doca_core_fault_release(1), 1);
    CHECK_EQ(doca_core_fault_get_num_held(), 1);
    fault_wait(&r, 1);
    fault_progress(&r, 100);
    CHECK_EQ(ended.num, 1);
    CHECK_EQ(doca_core_fault_release(2), 1);
    fault_wait(&r, 2);
    fault_close(&r);

    for (k = 0; k < 2; k++) { /* k == 0: release before the device has finished; k == 1: after */
        fault_open(&r, "dma.complete=hold,dma.submit=lose@2");
        fault_submit(&r, 1);
        fault_progress(&r, k * 100);
        CHECK_EQ(ended.num, 0);
        CHECK_EQ(doca_core_fault_release(1), 1);
        CHECK_EQ(doca_core_fault_get_num_held(), 0);
        task = rig_prepare(&r, r.dma, 1024, 64);
        CHECK_RC(rig_submit(task), DOCA_ERROR_DRIVER);
        rig_release(task);
        fault_wait(&r, 1);
        CHECK_EQ(doca_core_fault_release(1), 0);
        fault_close(&r);
    }

    fault_open(&r, "dma.complete=hold"); /* the releases above must have no effect here */
    fault_submit(&r, 1);
    fault_progress(&r, 100);
    CHECK_EQ(ended.num, 0);
    CHECK_EQ(doca_core_fault_release(1), 1);
    fault_wait(&r, 1);
    fault_close(&r);
}

/* When a task is released while it is still in flight, the release applies to that task only. It
 * does not apply to a task that is held later and finishes earlier, or to a task of a context that
 * ends meanwhile. */
static void release_applies_only_to_tasks_held_before(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_dma *other, *dma;
    struct rig r;
    unsigned k, i;

    for (k = 0; k < 2; k++) {
        fault_open(&r, "dma.complete=delay:1000@1,dma.complete=hold@2+");
        other = rig_make_dma(&r, 4);
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
        fault_progress(&r, 10);
        for (i = 0; i < 3; i++) {
            dma = i == 1 ? r.dma : other; /* progress polls the other context first */
            task = rig_prepare(&r, dma, (size_t)i * 64, 64);
            doca_task_set_user_data(doca_dma_task_memcpy_as_task(task),
                                    (union doca_data){ .u64 = i });
            CHECK_OK(rig_submit(task));
            if (i == 1)
                CHECK_EQ(doca_core_fault_release(UINT32_MAX), 1);
        }
        CHECK_EQ(doca_core_fault_get_num_held(), 1);
        if (k == 1)
            CHECK_RC(doca_ctx_stop(doca_dma_as_ctx(other)), DOCA_ERROR_IN_PROGRESS);
        fault_progress(&r, 100);
        CHECK_EQ(ended.num, k == 0 ? 1 : 3);
        for (i = 0; i < ended.num && ended.which[i] != 1; i++)
            continue;
        CHECK(i < ended.num);
        CHECK_EQ(doca_core_fault_release(UINT32_MAX), k == 0 ? 1 : 0);
        fault_wait(&r, 3);
        if (k == 0)
            rig_stop(&r, doca_dma_as_ctx(other));
        CHECK_OK(doca_dma_destroy(other));
        fault_close(&r);
    }
}

/* A stop completes every task that a fault delays or holds, exactly once, and the context becomes
 * idle. */
static void stop_completes_delayed_and_held_tasks(void)
{
    static const char *const texts[] = { "dma.complete=hold", "dma.complete=delay:1000000",
                                         "dma.complete=delay:60s", "dma.complete=reorder:50",
                                         ("dma.complete=hold,dma.complete=delay:60s,"
                                          "dma.complete=fail@5"),
                                         "dma.flush=delay:20" };
    struct rig r;
    unsigned k, num_calls, seen, i;

    for (k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
        for (num_calls = 0; num_calls < 20; num_calls += 19) {
            fault_open(&r, texts[k]);
            fault_submit(&r, NUM);
            fault_progress(&r, num_calls);
            CHECK(doca_core_fault_get_num() > 0 || k == 5);
            if (rig_state(r.ctx) == DOCA_CTX_STATE_RUNNING && ended.num < NUM)
                CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
            fault_wait(&r, NUM);
            for (i = seen = 0; i < NUM; i++)
                seen |= 1u << ended.which[i];
            CHECK_EQ(seen, (1u << NUM) - 1);
            fault_close(&r);
            CHECK_EQ(ended.num, NUM);
        }
    }
}

static void flush_is_delayed(void)
{
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.flush=delay:20");
    fault_submit(&r, 2);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    (void)rig_progress(&r); /* reports the change of state */
    for (i = 0; i < 20; i++)
        CHECK(!rig_progress(&r));
    CHECK(rig_progress(&r));
    fault_wait(&r, 2);
    fault_close(&r);
}

static void delayed_and_held_tasks_wake_sleepers(void)
{
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.complete=delay:5ms@1,dma.complete=hold@2");
    fault_submit(&r, 2);
    for (i = 0; ended.num < 1 && i < RIG_PATIENCE; i++) {
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK(event_is_readable(r.pe, 5000));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        while (rig_progress(&r))
            continue;
    }
    CHECK_EQ(ended.num, 1);
    CHECK_EQ(doca_core_fault_release(1), 1);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(event_is_readable(r.pe, 5000));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    fault_wait(&r, 2);
    fault_close(&r);
}

/* A refused task waits in its context. As no completion will follow, the handle must become
 * readable, so that progress posts the task again. */
static void refused_task_wakes_sleepers(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    fault_open(&r, "dma.submit=again@1");
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), 0));
    doca_ctx_flush_tasks(r.ctx);
    CHECK(event_is_readable(r.pe, 5000));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    fault_wait(&r, 1);
    CHECK_OK(ended.status[0]);
    fault_close(&r);
}

/* A refused wait task is posted to its queue only when the program requests the notification. The
 * event must still wake the program. */
static void refused_wait_task_wakes_sleepers(void)
{
    struct doca_sync_event *import;
    struct doca_task *wait;
    const uint8_t *data;
    struct event_rig e;
    size_t sz;

    CHECK_OK(doca_core_fault_set("event.submit=again@1"));
    event_open(&e, true);
    CHECK_OK(doca_sync_event_export_to_dpu(e.event, e.dev, &data, &sz));
    CHECK_OK(doca_sync_event_create_from_export(e.dev, data, sz, &import));
    CHECK_OK(doca_sync_event_start(import));
    wait = event_wait_task(&e, 0, UINT64_MAX);
    CHECK_OK(doca_task_submit_ex(wait, 0));
    doca_ctx_flush_tasks(e.ctx); /* the fault refuses the task, so this has no effect */
    CHECK_OK(doca_pe_request_notification(e.pe));
    CHECK(!event_is_readable(e.pe, 0));
    CHECK_OK(doca_sync_event_update_set(import, 7));
    CHECK(event_is_readable(e.pe, 5000));
    CHECK_OK(doca_pe_clear_notification(e.pe, 0));
    event_drain(&e);
    CHECK_EQ(e.num_ok, 1);
    doca_task_free(wait);
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_core_fault_set(NULL));
    event_close(&e);
}

/* A task for which submit returned AGAIN belongs to the program. Requesting the notification must
 * not post it. */
static void refused_task_stays_with_the_program(void)
{
    struct doca_task *task;
    struct rig r;

    fault_open(&r, "dma.submit=again@2");
    fault_submit(&r, 1);
    task = doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, 4096, 64));
    CHECK_RC(doca_task_submit(task), DOCA_ERROR_AGAIN);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(event_is_readable(r.pe, 5000)); /* the first task has finished */
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    while (rig_progress(&r))
        continue;
    CHECK_EQ(ended.num, 1);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!event_is_readable(r.pe, 0));
    CHECK_OK(doca_task_submit(task));
    CHECK(event_is_readable(r.pe, 5000));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    fault_wait(&r, 2);
    CHECK_OK(ended.status[1]);
    fault_close(&r);
}

/* A task that a fault keeps from the device fails as soon as the tasks before it have ended, and
 * wakes the program. */
static void task_that_fails_in_order_wakes_sleepers(void)
{
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.complete=flip@1,dma.complete=fail@3");
    fault_submit(&r, 3);
    for (i = 0; ended.num < 3 && i < RIG_PATIENCE; i++) {
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK(event_is_readable(r.pe, 5000));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        (void)rig_progress(&r);
    }
    CHECK_EQ(ended.num, 3);
    for (i = 0; i < 3; i++) {
        CHECK_EQ(ended.which[i], i);
        CHECK_RC(ended.status[i], i < 2 ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED);
    }
    fault_close(&r);
}

/* A held task needs further calls of progress, so the handle stays readable. */
static void handle_is_readable_while_a_task_is_held(void)
{
    struct rig r;

    fault_open(&r, "dma.complete=hold@1");
    fault_submit(&r, 1);
    fault_progress(&r, 3);
    CHECK_EQ(ended.num, 0);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(event_is_readable(r.pe, 0));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK_EQ(doca_core_fault_release(1), 1);
    fault_wait(&r, 1);
    fault_close(&r);
}

/* The handle stays readable while a fault delays a flush. */
static void handle_is_readable_while_a_flush_is_delayed(void)
{
    struct rig r;

    held_begin();
    CHECK_OK(doca_core_fault_set("dma.flush=delay:1000"));
    held_open_rig(&r, 4);
    r.frees_tasks = true;
    held.budget = 0;
    (void)rig_copy(&r, r.dma, 0, 64);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    while (rig_progress(&r)) /* the change of state is reported */
        ;
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(event_is_readable(r.pe, 0));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    held.budget = HELD_ALL;
    while (rig_state(r.ctx) != DOCA_CTX_STATE_IDLE)
        (void)rig_progress(&r);
    CHECK_OK(doca_core_fault_set(NULL));
    held_close_rig(&r);
}

/* The handle does not become readable for a task that will fail, while a task before it is in
 * flight. */
static void failing_task_does_not_wake_before_its_turn(void)
{
    struct rig r;

    held_begin();
    CHECK_OK(doca_core_fault_set(""));
    held_open_rig(&r, 4);
    r.on_task = note_end;
    r.frees_tasks = true;
    memset(&ended, 0, sizeof(ended));
    CHECK_OK(doca_core_fault_set("dma.complete=fail@2"));
    held.budget = 0;
    fault_submit(&r, 2);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!event_is_readable(r.pe, 0));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    held.budget = HELD_ALL;
    fault_wait(&r, 2);
    CHECK_RC(ended.status[0], DOCA_SUCCESS);
    CHECK_RC(ended.status[1], DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_core_fault_set(NULL));
    held_close_rig(&r);
}

static const struct test_case cases[] = {
    CASE_OF_SW(delay_counts_polls, "", "its tasks finish in the first poll"),
    CASE(delay_counts_time, ""),
    CASE_OF_SW(completions_are_reordered, "207", "all its tasks finish in one poll"),
    CASE(held_tasks_end_when_released, ""),
    CASE(held_task_may_be_released_in_flight, ""),
    CASE(release_applies_only_to_tasks_held_before, ""),
    CASE_OF_SW(first_finished_task_is_released_first, "", "its tasks finish in the first poll"),
    CASE(stop_completes_delayed_and_held_tasks, "168 169 197"),
    CASE_OF_SW(flush_is_delayed, "", "it reports the change of state in the first poll"),
    CASE(delayed_and_held_tasks_wake_sleepers, "228"),
    CASE(task_that_fails_in_order_wakes_sleepers, "197 228"),
    CASE(refused_task_wakes_sleepers, ""),
    CASE(refused_wait_task_wakes_sleepers, ""),
    CASE(refused_task_stays_with_the_program, ""),
    CASE(handle_is_readable_while_a_task_is_held, ""),
    CASE(handle_is_readable_while_a_flush_is_delayed, ""),
    CASE(failing_task_does_not_wake_before_its_turn, ""),
};

TEST_MAIN(cases)

/* Injected faults: each operation and action of >>fault, the syntax of texts, and that every task
 * ends exactly once. */
#include "event_rig.h"
#include "held_backend.h"
#include "sha_reference.h"
#include "share.h"

#include <sys/stat.h>
#include <sys/wait.h>

#define NUM 6u

/* The tasks that have ended, in the order of their callbacks. */
static struct {
    unsigned num;
    unsigned which[64]; /* user data of the task: its number */
    doca_error_t status[64];
    size_t len[64];  /* data length of the destination */
    size_t from[64]; /* data length of the source */
} ended;

static void note_end(struct rig *r, struct doca_dma_task_memcpy *task)
{
    struct doca_task *t = doca_dma_task_memcpy_as_task(task);

    (void)r;
    CHECK(ended.num < 64);
    ended.len[ended.num] = rig_data_len(doca_dma_task_memcpy_get_dst(task));
    ended.from[ended.num] = rig_data_len(doca_dma_task_memcpy_get_src(task));
    ended.which[ended.num] = (unsigned)doca_task_get_user_data(t).u64;
    ended.status[ended.num++] = doca_task_get_status(t);
}

/* Open a rig whose device has faults. fault_close() removes the text. */
static void fault_open(struct rig *r, const char *text)
{
    CHECK_OK(doca_core_fault_set(""));
    rig_open(r, 32);
    CHECK_OK(doca_core_fault_set(text));
    memset(&ended, 0, sizeof(ended));
    r->on_task = note_end;
    r->frees_tasks = true;
}

static void fault_close(struct rig *r)
{
    CHECK_OK(doca_core_fault_set(NULL));
    rig_close(r);
    CHECK_EQ(doca_core_fault_get_num_held(), 0);
}

/* Submit `num` copies of 64 bytes, numbered from 0. */
static void fault_submit(struct rig *r, unsigned num)
{
    struct doca_dma_task_memcpy *task;
    unsigned i;

    for (i = 0; i < num; i++) {
        task = rig_prepare(r, r->dma, (size_t)i * 64, 64);
        doca_task_set_user_data(doca_dma_task_memcpy_as_task(task), (union doca_data){ .u64 = i });
        CHECK_OK(rig_submit(task));
    }
}

/* Progress until `num` tasks have ended. Fail after too many calls. */
static void fault_wait(struct rig *r, unsigned num)
{
    unsigned i;

    for (i = 0; ended.num < num && i < 4 * RIG_PATIENCE; i++)
        (void)rig_progress(r);
    CHECK_EQ(ended.num, num);
}

/* Make `num` calls of progress. */
static void fault_progress(struct rig *r, unsigned num)
{
    while (num-- > 0)
        (void)rig_progress(r);
}

static void text_is_accepted_or_refused_with_the_position(void)
{
    static const struct {
        const char *text;
        enum doca_core_item item; /* expected reason of the refusal; NONE: the text is accepted */
        unsigned place;           /* expected number of the wrong character */
    } texts[] = {
        { "", DOCA_CORE_ITEM_NONE, 0 },
        { "dma.submit=fail@3,dma.complete=delay:2us,seed=7", DOCA_CORE_ITEM_NONE, 0 },
        { "dma.submit=fail:NO_MEMORY@3+, *.complete=reorder:2%12.5 ,log=0", DOCA_CORE_ITEM_NONE,
          0 },
        { "*=fail@1", DOCA_CORE_ITEM_NONE, 0 },
        { "*.*=lose%0.001", DOCA_CORE_ITEM_NONE, 0 },
        { "event.open=delay:3,advise.flush=delay:1ms,sha.submit=truncate:0", DOCA_CORE_ITEM_NONE,
          0 },
        { "dma.complete=flip:4294967295%100,dma.complete=hold", DOCA_CORE_ITEM_NONE, 0 },
        { "seed=18446744073709551615", DOCA_CORE_ITEM_NONE, 0 },
        { "comch.open=delay:3,producer.submit=again,consumer.complete=hold,comch.connect=fail",
          DOCA_CORE_ITEM_NONE, 0 },
        { "rdma.complete=reorder:3,rdma.flush=delay:1ms,rdma.connect=lose,*.connect=fail@2",
          DOCA_CORE_ITEM_NONE, 0 },
        { "rdma_receive.complete=hold,rdma_send_imm.submit=again@2,rdma_atomic_cmp_swp.*=fail%3",
          DOCA_CORE_ITEM_NONE, 0 },
        { "rdma_remote_net_sync_event_notify_add.complete=delay:2us@1+", DOCA_CORE_ITEM_NONE, 0 },
        { "comm_channel.sendto=again,comm_channel.recvfrom=fail:EMPTY@2,rdma.export=lose,"
          "rdma.listen=fail",
          DOCA_CORE_ITEM_NONE, 0 },
        { "rdma_send.open=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "rdma_write.flush=delay:1", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "rdma_add.submit=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "rdma_send.complete=flip", DOCA_CORE_ITEM_FAULT_ACTION, 20 },
        { "comm_channel.sendto=delay:3", DOCA_CORE_ITEM_FAULT_ACTION, 21 },
        { "rdma.submit=truncate:3", DOCA_CORE_ITEM_FAULT_ACTION, 13 },
        { "comch.complete=flip", DOCA_CORE_ITEM_FAULT_ACTION, 16 },
        { "comch.connect=delay:3", DOCA_CORE_ITEM_FAULT_ACTION, 15 },
        { "dma.connect=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { ",", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "dma.submit=fail,", DOCA_CORE_ITEM_FAULT_OPERATION, 17 },
        { "dma=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "log=0,dma.finish=fail", DOCA_CORE_ITEM_FAULT_OPERATION, 7 },
        { "dma.submit", DOCA_CORE_ITEM_FAULT_ACTION, 11 },
        { "dma.submit=", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "dma.submit[", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "dma.submit{", DOCA_CORE_ITEM_FAULT_OPERATION, 1 },
        { "dma.submit=explode", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "dma.submit=explode[", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "dma.submit=explode{", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "dma.submit=hold", DOCA_CORE_ITEM_FAULT_ACTION, 12 },
        { "event.complete=flip", DOCA_CORE_ITEM_FAULT_ACTION, 16 },
        { "dev.open=lose", DOCA_CORE_ITEM_FAULT_ACTION, 10 },
        { "dma.submit=fail:NOTHING", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail:SUCCESS", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.open=fail:IN_PROGRESS", DOCA_CORE_ITEM_FAULT_VALUE, 14 },
        { "dma.submit=again:3", DOCA_CORE_ITEM_FAULT_VALUE, 17 },
        { "dma.complete=delay", DOCA_CORE_ITEM_FAULT_VALUE, 19 },
        { "dma.complete=delay:", DOCA_CORE_ITEM_FAULT_VALUE, 19 },
        { "dma.complete=delay:2h", DOCA_CORE_ITEM_FAULT_VALUE, 19 },
        { "dma.complete=flip:2us", DOCA_CORE_ITEM_FAULT_VALUE, 18 },
        { "dma.complete=delay:4294967296", DOCA_CORE_ITEM_FAULT_VALUE, 19 },
        { "dma.complete=reorder:2147483648", DOCA_CORE_ITEM_FAULT_VALUE, 21 },
        { "dma.complete=flip:0", DOCA_CORE_ITEM_FAULT_VALUE, 18 },
        { "dma.submit=fail@0", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail@", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail@18446744073709551616", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%0", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%101", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%100.001", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%1.0001", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail%5.", DOCA_CORE_ITEM_FAULT_VALUE, 16 },
        { "dma.submit=fail@3 4", DOCA_CORE_ITEM_FAULT_VALUE, 18 },
        { "seed=", DOCA_CORE_ITEM_FAULT_VALUE, 6 },
        { "seed=7x", DOCA_CORE_ITEM_FAULT_VALUE, 7 },
        { "log=2", DOCA_CORE_ITEM_FAULT_VALUE, 5 },
    };
    char text[2048], where[40];
    unsigned i;

    for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (texts[i].item == DOCA_CORE_ITEM_NONE) {
            CHECK_OK(doca_core_fault_set(texts[i].text));
            continue;
        }
        CHECK_RC(doca_core_fault_set(texts[i].text), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(doca_core_last_item(), texts[i].item);
        snprintf(where, sizeof(where), "at character %u: ", texts[i].place);
        if (strstr(test_log_text, where) == NULL)
            test_fail(__FILE__, __LINE__, "%s: want %s", texts[i].text, where);
    }
    for (i = 0, text[0] = '\0'; i < DOCA_CORE_FAULT_MAX_RULES; i++)
        strcat(text, i == 0 ? "*=fail@9" : ",*=fail@9");
    CHECK_OK(doca_core_fault_set(text));
    strcat(text, ",seed=2,*=fail@9");
    CHECK_RC(doca_core_fault_set(text), DOCA_ERROR_TOO_BIG);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_TOO_MANY);
    CHECK_OK(doca_core_fault_set(NULL));
}

static void refused_text_changes_nothing(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    fault_open(&r, "dma.submit=fail:FULL");
    CHECK_RC(doca_core_fault_set("dma.submit=fail:EMPTY,dma.submit=fail:NOTHING"),
             DOCA_ERROR_INVALID_VALUE);
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_FULL);
    rig_release(task);
    fault_close(&r);
}

static void kth_submit_fails_and_returns_the_task(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.submit=fail:NO_MEMORY@3");
    for (i = 1; i <= NUM; i++) {
        task = rig_prepare(&r, r.dma, 0, 64);
        CHECK_RC(rig_submit(task), i == 3 ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS);
        if (i == 3)
            rig_release(task);
        else
            fault_wait(&r, i < 3 ? i : i - 1);
    }
    CHECK_EQ(r.num_ok, NUM - 1);
    fault_close(&r);
}

static void first_matching_rule_applies(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    fault_open(&r, "dma.submit=fail:FULL@1,dma.submit=fail:EMPTY@1,dma.submit=fail:EMPTY@2");
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_FULL);
    CHECK_RC(rig_submit(task), DOCA_ERROR_EMPTY);
    CHECK_EQ(doca_core_fault_get_num(), 2); /* the second rule had no effect */
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 1);
    fault_close(&r);

    fault_open(&r, "dma.complete=flip@1,dma.complete=fail@1,dma.complete=flip@1,"
                   "dma.complete=delay:3,dma.complete=delay:0");
    fault_submit(&r, 2);
    fault_progress(&r, 3);
    CHECK_EQ(ended.num, 0);
    fault_wait(&r, 2);
    CHECK_RC(ended.status[0], DOCA_ERROR_IO_FAILED);
    CHECK_EQ(doca_core_fault_get_num(), 3); /* fail and delay for one task, delay for the other */
    fault_close(&r);
}

static void all_tasks_fail_from_the_kth_on(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.submit=again@4+");
    fault_submit(&r, 3);
    for (i = 0; i < 5; i++) {
        task = rig_prepare(&r, r.dma, 0, 64);
        CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_QUEUE_FULL);
        rig_release(task);
    }
    CHECK_OK(doca_core_fault_set(""));
    fault_submit(&r, 3);
    fault_wait(&r, 6);
    fault_close(&r);
}

static void seed_determines_random_faults(void)
{
    static const char *const texts[] = { "dma.submit=again%30,seed=7", "dma.submit=again%30,seed=7",
                                         "dma.submit=again%30,seed=8" };
    char outcomes[3][201];
    struct doca_dma_task_memcpy *task;
    unsigned i, n, num;
    doca_error_t rc;
    struct rig r;

    fault_open(&r, "");
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_core_fault_set(texts[i]));
        for (n = num = 0; n < 200; n++) {
            task = rig_prepare(&r, r.dma, 0, 64);
            rc = rig_submit(task);
            outcomes[i][n] = rc == DOCA_SUCCESS ? '.' : 'x';
            num += rc != DOCA_SUCCESS;
            if (rc != DOCA_SUCCESS)
                rig_release(task);
            ended.num = 0;
            fault_wait(&r, rc == DOCA_SUCCESS ? 1 : 0);
        }
        outcomes[i][n] = '\0';
        CHECK(num > 35 && num < 85);
        CHECK_EQ(doca_core_fault_get_num(), num);
    }
    CHECK_STR(outcomes[0], outcomes[1]);
    CHECK(strcmp(outcomes[0], outcomes[2]) != 0);
    fault_close(&r);
}

static void kth_completion_fails_and_nothing_is_written(void)
{
    struct rig r;

    fault_open(&r, "dma.complete=fail:AUTHENTICATION@2");
    fault_submit(&r, 2);
    fault_wait(&r, 2);
    CHECK_RC(ended.status[0], DOCA_SUCCESS);
    CHECK_RC(ended.status[1], DOCA_ERROR_AUTHENTICATION);
    CHECK_EQ(ended.which[1], 1);
    CHECK_EQ(ended.len[0], 64);
    CHECK_EQ(ended.len[1], 0);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_EQ(rig_to[63], rig_from[63]);
    CHECK_EQ(rig_to[64], 0xee);
    CHECK(rig_state(r.ctx) != DOCA_CTX_STATE_RUNNING); /* a failed task stops its context */
    fault_close(&r);
}

/* A start that fails writes one log line, with the fault as the reason. */
static void kth_start_fails(void)
{
    struct rig r;

    fault_open(&r, "dma.open=fail:FULL@1");
    rig_stop(&r, r.ctx);
    test_log_lines = 0;
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_FULL);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_OK(doca_ctx_start(r.ctx));
    fault_close(&r);
}

static void failed_task_ends_in_order(void)
{
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.complete=fail@4");
    fault_submit(&r, NUM);
    fault_wait(&r, NUM);
    for (i = 0; i < NUM; i++)
        CHECK_EQ(ended.which[i], i);
    for (i = 0; i < 3; i++)
        CHECK_RC(ended.status[i], DOCA_SUCCESS);
    CHECK_RC(ended.status[3], DOCA_ERROR_IO_FAILED);
    fault_close(&r);
}

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

static void source_is_truncated(void)
{
    struct rig r;

    fault_open(&r, "dma.submit=truncate:10@2,dma.submit=truncate:64@3");
    fault_submit(&r, 3);
    fault_wait(&r, 3);
    CHECK_EQ(r.num_ok, 3);
    CHECK_EQ(ended.len[0], 64);
    CHECK_EQ(ended.len[1], 10);
    CHECK_EQ(ended.from[1], 64); /* afterwards, the source buffer has its full length again */
    CHECK_EQ(ended.len[2], 64);
    CHECK_MEM(rig_to + 64, rig_from + 64, 10);
    CHECK_EQ(rig_to[74], 0xee);
    fault_close(&r);
}

/* Return the number of bits in which a and b differ. */
static unsigned count_bits(const unsigned char *a, const unsigned char *b, size_t len)
{
    unsigned num = 0;

    for (; len > 0; len--)
        num += (unsigned)__builtin_popcount((unsigned)(*a++ ^ *b++));
    return num;
}

static void one_bit_of_the_destination_is_flipped(void)
{
    unsigned char first[192];
    struct rig r;
    unsigned i;

    for (i = 0; i < 2; i++) {
        fault_open(&r, "dma.complete=flip@2,seed=5");
        fault_submit(&r, 3);
        fault_wait(&r, 3);
        CHECK_EQ(r.num_ok, 3);
        CHECK_EQ(count_bits(rig_to, rig_from, 64), 0);
        CHECK_EQ(count_bits(rig_to + 64, rig_from + 64, 64), 1);
        CHECK_EQ(count_bits(rig_to + 128, rig_from + 128, 64), 0);
        CHECK_EQ(rig_to[192], 0xee);
        if (i > 0)
            CHECK_MEM(rig_to, first, sizeof(first));
        memcpy(first, rig_to, sizeof(first));
        fault_close(&r);
    }
}

/* In a copy of one byte, no bit is flipped twice, so `flip` with a number of 8 or more flips every
 * bit. */
static void requested_number_of_bits_is_flipped(void)
{
    static const struct {
        const char *text;
        unsigned num;
    } flips[] = { { "dma.complete=flip:2", 2 }, { "dma.complete=flip:7", 7 },
                  { "dma.complete=flip:4294967295", 8 } };
    struct rig r;
    unsigned i, k;

    for (i = 0; i < sizeof(flips) / sizeof(flips[0]); i++) {
        fault_open(&r, flips[i].text);
        for (k = 0; k < 24; k++)
            rig_copy(&r, r.dma, k, 1);
        fault_wait(&r, 24);
        for (k = 0; k < 24; k++)
            CHECK_EQ(count_bits(rig_to + k, rig_from + k, 1), flips[i].num);
        fault_close(&r);
    }
}

/* The flipped bits are in the buffer that the task wrote first, which is the first buffer of the
 * list that had room. No bit is flipped if the task failed, or if its destination is memory of
 * another process. */
static void flipped_bits_are_in_bytes_of_the_task(void)
{
    static unsigned char far_bytes[4096];
    struct doca_buf *full, *behind;
    struct share s;
    struct rig r;

    fault_open(&r, "dma.complete=flip:3");
    full = rig_dst(&r, 0, 64);
    behind = rig_dst(&r, 64, 64);
    CHECK_OK(doca_buf_set_data(full, rig_to, 64));
    CHECK_OK(doca_buf_chain_list(full, behind));
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 64, 64), full)));
    fault_wait(&r, 1);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(rig_to[63], 0xee);
    CHECK_EQ(count_bits(rig_to + 64, rig_from + 64, 64), 3);

    share_open(&s, r.dev, far_bytes, sizeof(far_bytes), SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 64),
                                 share_dst(&r, s.import, far_bytes, 64))));
    fault_wait(&r, 2);
    CHECK_EQ(r.num_ok, 2);
    CHECK_MEM(far_bytes, rig_from, 64);
    CHECK_OK(doca_mmap_stop(s.map));
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 64, 64),
                                 share_dst(&r, s.import, far_bytes, 64))));
    fault_wait(&r, 3);
    CHECK_EQ(r.num_failed, 1);
    CHECK_MEM(far_bytes, rig_from, 64);
    while (rig_state(r.ctx) != DOCA_CTX_STATE_IDLE)
        (void)rig_progress(&r);
    share_close(&s);
    CHECK_OK(doca_ctx_start(r.ctx));

    if (DOCA_CORE_CHECK < 2) { /* in the checked mode, submit refuses this task */
        memset(rig_to, 0xee, 64);
        full = rig_dst(&r, 0, 64);
        CHECK_OK(doca_buf_set_data(full, rig_to, 64));
        CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 64), full)));
        fault_wait(&r, 4);
        CHECK_EQ(r.num_failed, 2);
        CHECK_EQ(rig_to[0] & rig_to[63], 0xee);
        while (rig_state(r.ctx) != DOCA_CTX_STATE_IDLE)
            (void)rig_progress(&r);
    }
    fault_close(&r);
}

/* When submit finds the queue full, the fault is not used up. It applies to the next task that the
 * queue accepts. */
static void fault_applies_to_the_next_accepted_task(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    CHECK_OK(doca_core_fault_set("dma.complete=flip@1"));
    held_begin();
    held_open_rig(&r, 2);
    r.frees_tasks = true;
    held.full = true;
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    held.full = false;
    CHECK_OK(rig_submit(task));
    rig_copy(&r, r.dma, 64, 64);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    CHECK_EQ(count_bits(rig_to, rig_from, 64), 1);
    CHECK_EQ(count_bits(rig_to + 64, rig_from + 64, 64), 0);
    CHECK_EQ(doca_core_fault_get_num(), 1);
    CHECK_OK(doca_core_fault_set(NULL));
    held_close_rig(&r);
}

/* When the device itself refuses or fails, the results are the same as without fault injection. */
static void failures_of_the_device_itself_are_unchanged(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    CHECK_OK(doca_core_fault_set("dma.open=delay:1000@2"));
    held_begin();
    rig_build(&r, HELD_DMA, 4);
    held.opening = DOCA_ERROR_IO_FAILED;
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    held.opening = DOCA_ERROR_IN_PROGRESS;
    CHECK_OK(doca_core_fault_set(""));
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STARTING);
    held.opening = DOCA_SUCCESS;
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    r.frees_tasks = true;
    task = rig_prepare(&r, r.dma, 0, 64);
    held.full = true; /* the queue of the device refuses; no fault applies to this task */
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    held.full = false;
    held.budget = 0;
    CHECK_OK(rig_submit(task));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!event_is_readable(r.pe, 0)); /* no event is pending that would wake the thread */
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    held.budget = HELD_ALL;
    task = rig_prepare(&r, r.dma, 64, 64);
    held_fail(NULL);
    CHECK_OK(rig_submit(task)); /* the device has failed, but the library does not know it yet */
    held_fail(r.dev);
    while (rig_state(r.ctx) != DOCA_CTX_STATE_IDLE)
        (void)rig_progress(&r);
    CHECK_EQ(r.num_ok + r.num_failed, 2);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_fault_get_num(), 0);
    CHECK_OK(doca_core_fault_set(NULL));
    held_close_rig(&r);
}

/* Submit two copies into `dst`, so that both are in flight at the same time, and wait for them. The
 * second one appends to the first one. */
static void fault_copy_two(struct rig *r, struct doca_buf *dst, size_t bytes)
{
    struct doca_dma_task_memcpy *tasks[2];
    unsigned i;

    CHECK_OK(doca_buf_inc_refcount(dst, NULL));
    for (i = 0; i < 2; i++)
        tasks[i] = rig_task(r->dma, rig_src(r, i * bytes, bytes), dst);
    for (i = 0; i < 2; i++)
        CHECK_OK(rig_submit(tasks[i]));
    fault_wait(r, 2);
}

/* A flip changes only bytes that its task wrote, although another task writes to the same
 * buffer. */
static void flip_leaves_bytes_of_other_tasks(void)
{
    char text[64];
    struct rig r;
    unsigned seed;

    if (test_other() != NULL)
        test_skip("this device runs two tasks on the same destination at one time");
    for (seed = 1; seed <= 20; seed++) {
        snprintf(text, sizeof(text), "dma.complete=flip@2,seed=%u", seed);
        fault_open(&r, text);
        fault_copy_two(&r, rig_dst(&r, 0, 8), 4);
        CHECK_MEM(rig_to, rig_from, 4);
        CHECK(memcmp(rig_to + 4, rig_from + 4, 4) != 0);
        fault_close(&r);
    }
}

static void truncated_copy_is_flipped_within_its_length(void)
{
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.submit=truncate:3,dma.complete=flip:100");
    memset(rig_to, 0, 64);
    fault_submit(&r, 1);
    fault_wait(&r, 1);
    CHECK_EQ(r.num_ok, 1);
    for (i = 0; i < 64; i++)
        CHECK_EQ(rig_to[i], i < 3 ? (unsigned char)~rig_from[i] : 0);
    fault_close(&r);
}

/* The flipped bits are in the bytes of the second task, although the first task has filled the
 * first buffer of the list, or a part of it. */
static void flip_finds_bytes_behind_another_task(void)
{
    struct doca_buf *dst;
    char text[64];
    struct rig r;
    unsigned seed, room;

    if (test_other() != NULL)
        test_skip("this device runs two tasks on the same destination at one time");
    for (seed = 1; seed <= 20; seed++)
        for (room = 8; room <= 12; room += 4) {
            snprintf(text, sizeof(text), "dma.complete=flip:4@2,seed=%u", seed);
            fault_open(&r, text);
            dst = rig_dst(&r, 0, room);
            CHECK_OK(doca_buf_chain_list(dst, rig_dst(&r, room, 64 - room)));
            fault_copy_two(&r, dst, 8);
            CHECK_MEM(rig_to, rig_from, 8);
            CHECK(memcmp(rig_to + 8, rig_from + 8, room == 8 ? 8 : 4) != 0);
            if (room == 12) /* the end of the second copy, in the second buffer, is unchanged */
                CHECK_MEM(rig_to + 12, rig_from + 12, 4);
            fault_close(&r);
        }
}

static void device_is_lost_with_tasks_in_flight(void)
{
    unsigned char more[64];
    struct doca_mmap *mmap;
    struct ibv_pd *pd;
    struct doca_dma *other;
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.complete=lose@3");
    fault_submit(&r, NUM);
    fault_wait(&r, NUM);
    for (i = 0; i < NUM; i++)
        CHECK_EQ(ended.which[i], i);
    CHECK_RC(ended.status[0], DOCA_SUCCESS);
    CHECK_RC(ended.status[1], DOCA_SUCCESS);
    CHECK_RC(ended.status[2], DOCA_ERROR_DRIVER);
    if (test_other() == NULL)
        for (i = 3; i < NUM; i++)
            CHECK_RC(ended.status[i], DOCA_ERROR_DRIVER);
    /* every operation on the lost device fails */
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, more, sizeof(more)));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_LOST);
    CHECK_RC(doca_rdma_bridge_get_dev_pd(r.dev, &pd), DOCA_ERROR_DRIVER);
    CHECK_OK(doca_mmap_destroy(mmap));
    other = rig_make_dma(&r, 2);
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(other)), DOCA_ERROR_DRIVER);
    CHECK_OK(doca_dma_destroy(other));
    fault_close(&r);
    /* after it was closed, the device can be opened again and works */
    fault_open(&r, "");
    fault_submit(&r, NUM);
    fault_wait(&r, NUM);
    CHECK_EQ(r.num_ok, NUM);
    fault_close(&r);
}

static void loss_affects_all_contexts_of_the_device(void)
{
    struct doca_dma_task_memcpy *task, *late;
    struct doca_dma *other;
    struct rig r;

    fault_open(&r, "dma.complete=hold");
    other = rig_make_dma(&r, 4);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
    task = rig_prepare(&r, other, 1024, 64);
    late = rig_prepare(&r, other, 2048, 64);
    CHECK_OK(rig_submit(task));
    CHECK_OK(doca_core_fault_set("dma.submit=lose@1"));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_DRIVER);
    rig_release(task);
    CHECK_RC(rig_submit(late), DOCA_ERROR_DRIVER);
    rig_release(late);
    CHECK_EQ(doca_core_fault_release(UINT32_MAX), 1);
    fault_wait(&r, 1);
    if (test_other() == NULL)
        CHECK_RC(ended.status[0], DOCA_ERROR_DRIVER);
    (void)doca_ctx_stop(doca_dma_as_ctx(other));
    while (rig_state(doca_dma_as_ctx(other)) != DOCA_CTX_STATE_IDLE)
        (void)rig_progress(&r);
    CHECK_OK(doca_dma_destroy(other));
    fault_close(&r);
}

static void delayed_start_ends_when_the_device_is_lost(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_dma *other;
    struct doca_ctx *ctx;
    unsigned i;
    struct rig r;

    fault_open(&r, "dma.open=delay:1000,dma.submit=lose@1");
    other = rig_make_dma(&r, 4);
    ctx = doca_dma_as_ctx(other);
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK(!rig_progress(&r) || rig_state(ctx) == DOCA_CTX_STATE_STARTING);
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_DRIVER);
    rig_release(task);
    for (i = 0; rig_state(ctx) != DOCA_CTX_STATE_IDLE && i < 100; i++)
        (void)rig_progress(&r);
    CHECK_EQ(rig_state(ctx), DOCA_CTX_STATE_IDLE);
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_DRIVER);
    CHECK_OK(doca_dma_destroy(other));
    fault_close(&r);
}

static void start_fails_or_is_delayed(void)
{
    struct rig r;
    unsigned i;

    CHECK_OK(doca_core_fault_set("dma.open=fail:FULL@1,dma.open=delay:9@2"));
    rig_build(&r, NULL, 4);
    r.frees_tasks = true;
    r.on_task = note_end;
    memset(&ended, 0, sizeof(ended));
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_FULL);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_OK(doca_ctx_stop(r.ctx)); /* no task is in flight, so the stop is complete at once */
    CHECK_OK(doca_core_fault_set("dma.open=fail:EMPTY@1,dma.open=again@1,"
                                 "dma.open=delay:1ms"));
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_EMPTY); /* fails at once, like FULL above */
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    while (rig_state(r.ctx) == DOCA_CTX_STATE_STARTING)
        (void)rig_progress(&r);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_fault_set("dma.open=delay:9"));
    rig_drain(&r);
    rig_forget_states(&r);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STARTING);
    for (i = 0; rig_state(r.ctx) == DOCA_CTX_STATE_STARTING && i < RIG_PATIENCE; i++)
        (void)rig_progress(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_EQ(i, 11); /* nine calls for the delay, and one for each of two changes of state */
    fault_submit(&r, 4);
    fault_wait(&r, 4);
    CHECK_EQ(r.num_ok, 4);
    fault_close(&r);
}

static void faults_refuse_devices_and_memory(void)
{
    struct doca_mmap *mmap, *imported;
    unsigned char memory[64];
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct ibv_pd *pd;
    const void *blob;
    size_t len;
    uint32_t n;

    CHECK_OK(doca_core_fault_set("dev.open=fail@1,mem.reg=fail:NO_MEMORY@1"));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    test_log_item = DOCA_CORE_ITEM_NONE;
    CHECK_RC(doca_dev_open(list[0], &dev), DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_fault_set("dev.open=again@1,dev.pd=fail:FULL,mem.reg=fail:NO_MEMORY@1,"
                                 "log=0"));
    test_log_item = DOCA_CORE_ITEM_NONE;
    CHECK_RC(doca_dev_open(list[0], &dev), DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_REFUSED); /* log=0 hides the line of the fault */
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_RC(doca_rdma_bridge_get_dev_pd(dev, &pd), DOCA_ERROR_FULL);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_NO_PD);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_core_fault_set("mem.export=fail:FULL,mem.import=fail:EMPTY"));
    CHECK_RC(doca_mmap_export_pci(mmap, dev, &blob, &len), DOCA_ERROR_FULL);
    CHECK_OK(doca_core_fault_set("mem.import=fail:EMPTY"));
    CHECK_OK(doca_mmap_export_pci(mmap, dev, &blob, &len));
    CHECK_RC(doca_mmap_create_from_export(NULL, blob, len, dev, &imported), DOCA_ERROR_EMPTY);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_fault_set(NULL));
}

static unsigned hashes_ok, hashes_failed;

static void hash_ok(struct doca_sha_task_hash *task, union doca_data a, union doca_data b)
{
    (void)a;
    (void)b;
    hashes_ok++;
    doca_task_free(doca_sha_task_hash_as_task(task));
}

static void hash_failed(struct doca_sha_task_hash *task, union doca_data a, union doca_data b)
{
    (void)a;
    (void)b;
    hashes_failed++;
    doca_task_free(doca_sha_task_hash_as_task(task));
}

/* Hash 64 bytes with SHA-256 in a new context, with the faults of `text`. */
static void hash_once(struct rig *r, const char *text, unsigned char *digest, bool fails)
{
    struct doca_sha_task_hash *task;
    struct doca_buf *src = rig_src(r, 0, 64), *dst = rig_dst(r, 4096, 64);
    struct doca_sha *sha;
    struct doca_ctx *ctx;

    CHECK_OK(doca_core_fault_set(text));
    hashes_ok = hashes_failed = 0;
    CHECK_OK(doca_sha_create(r->dev, &sha));
    ctx = doca_sha_as_ctx(sha);
    CHECK_OK(doca_pe_connect_ctx(r->pe, ctx));
    CHECK_OK(doca_sha_task_hash_set_conf(sha, hash_ok, hash_failed, 1));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src, dst,
                                           (union doca_data){ 0 }, &task));
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
    CHECK_PTR(doca_sha_task_hash_get_src(task), src); /* also when the fault is `truncate` */
    while (hashes_ok + hashes_failed == 0)
        (void)doca_pe_progress(r->pe);
    CHECK_EQ(hashes_failed, fails);
    CHECK_EQ(rig_data_len(dst), fails ? 0 : 32);
    memcpy(digest, rig_to + 4096, 32);
    (void)doca_ctx_stop(ctx);
    rig_drain(r);
    CHECK_OK(doca_sha_destroy(sha));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
}

static void faults_apply_to_hashes(void)
{
    unsigned char digest[32], want[64];
    struct rig r;

    rig_needs_sha();
    fault_open(&r, "");
    ref_hash(REF_SHA256, rig_from, 64, want);
    hash_once(&r, "sha.complete=fail@2", digest, false);
    CHECK_MEM(digest, want, 32);
    hash_once(&r, "sha.complete=flip:1", digest, false);
    CHECK_EQ(count_bits(digest, want, 32), 1);
    hash_once(&r, "sha.complete=fail", digest, true);
    ref_hash(REF_SHA256, rig_from, 3, want);
    hash_once(&r, "sha.submit=truncate:3", digest, false);
    CHECK_MEM(digest, want, 32);
    fault_close(&r);
}

static void faults_apply_to_sync_events(void)
{
    struct event_rig r;
    struct doca_task *set, *wait;
    uint64_t value = 7;

    CHECK_OK(doca_core_fault_set("event.submit=again@1,event.complete=fail:FULL@2,"
                                 "event.complete=hold@3"));
    event_open(&r, false);
    set = event_set_task(&r, 5);
    CHECK_RC(doca_task_submit(set), DOCA_ERROR_AGAIN);
    event_do(&r, set);
    CHECK_EQ(value, 7);
    set = event_get_task(&r, &value);
    CHECK_OK(doca_task_submit(set));
    event_drain(&r);
    CHECK_EQ(r.num_failed, 1);
    CHECK_RC(r.status, DOCA_ERROR_FULL);
    CHECK_EQ(value, 7); /* the read was not executed */
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_OK(doca_task_submit(set));
    event_drain(&r);
    CHECK_EQ(value, 5);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(doca_core_fault_release(1), 1);
    event_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    doca_task_free(set);
    wait = event_wait_task(&r, 1000, UINT64_MAX);
    CHECK_OK(doca_core_fault_set("event.submit=lose@2"));
    CHECK_OK(doca_task_submit(wait));
    set = event_set_task(&r, 2000);
    CHECK_RC(doca_task_submit(set), DOCA_ERROR_DRIVER);
    event_drain(&r);
    CHECK_RC(r.status, DOCA_ERROR_DRIVER);
    doca_task_free(set);
    doca_task_free(wait);
    event_close(&r);
    CHECK_OK(doca_core_fault_set(NULL));
}

static unsigned advised;

static void advise_done(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data a,
                        union doca_data b)
{
    (void)a;
    (void)b;
    advised++;
    doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
}

static void faults_apply_to_advice(void)
{
    struct doca_mmap_advise_task_invalidate_cache *task;
    struct doca_mmap_advise *advise;
    struct doca_ctx *ctx;
    struct doca_buf *buf;
    struct rig r;
    unsigned i;

    fault_open(&r, NULL); /* opened with an empty text, the device obeys texts that are set later */
    buf = rig_src(&r, 0, 64);
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    CHECK_OK(doca_core_fault_set("advise.open=fail:FULL@1,advise.complete=delay:7"));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_done, advise_done, 1));
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_FULL);
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf, (union doca_data){ 0 },
                                                               &task));
    CHECK_OK(doca_task_submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
    advised = 0;
    for (i = 0; advised == 0 && i < 100; i++)
        (void)doca_pe_progress(r.pe);
    CHECK_EQ(i, 8);
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    fault_close(&r);
}

/* Faults apply only to devices that are opened after doca_core_fault_set(). The mmap advise
 * contexts of a device that was opened earlier have no faults. */
static void advice_on_devices_without_faults_is_unchanged(void)
{
    struct doca_mmap_advise *advise;
    struct doca_ctx *ctx;
    struct rig r;

    rig_open(&r, 1);
    CHECK_OK(doca_core_fault_set("advise.open=lose"));
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_done, advise_done, 1));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    rig_close(&r);
    fault_open(&r, ""); /* a device that is opened later, at the same address, works */
    fault_close(&r);
}

static void without_a_text_no_faults_are_injected(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_dma *dma;
    size_t before, after;
    struct rig r;

    rig_open(&r, 4);
    r.frees_tasks = true;
    CHECK_PTR(r.dev->backend, r.dev->info.backend);
    CHECK_OK(doca_core_fault_set("*=fail")); /* has no effect on a device that is open already */
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_OK(doca_dma_create(r.dev, &dma));
    CHECK_OK(doca_core_bytes_dma(r.dev, 4, &before));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_core_fault_set(NULL));
    rig_close(&r);
    fault_open(&r, "");
    CHECK(r.dev->backend != r.dev->info.backend);
    CHECK_OK(doca_core_bytes_dma(r.dev, 4, &after));
    CHECK_EQ(after, before + DOCA_CORE_BYTES_FAULT_QUEUE(4));
    fault_close(&r);
}

static void injected_faults_are_recorded(void)
{
    struct doca_core_fault_record record;
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    fault_open(&r, "seed=3,dma.complete=delay:1@1,dma.submit=fail:FULL@2+");
    fault_submit(&r, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_FAULT_DELAY);
    CHECK(strstr(test_log_text, "dma.complete: task 0x") != NULL);
    task = rig_prepare(&r, r.dma, 64, 64);
    for (i = 0; i < 2 * DOCA_CORE_FAULT_MAX_RECORDS; i++)
        CHECK_RC(rig_submit(task), DOCA_ERROR_FULL);
    CHECK_EQ(doca_core_fault_get_num(), i + 1);
    CHECK_RC(doca_core_fault_get_record(i + 1 - DOCA_CORE_FAULT_MAX_RECORDS, &record),
             DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_fault_get_record(0, &record), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_fault_get_record(i + 2, &record), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_fault_get_record(1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_fault_get_record(i + 1, &record));
    CHECK_EQ(record.number, i + 1);
    CHECK_STR(record.operation, "dma.submit");
    CHECK_STR(record.action, "fail");
    CHECK_EQ(record.nth, i + 1);
    CHECK_EQ(record.rule, 1);
    CHECK_RC(record.code, DOCA_ERROR_FULL);
    CHECK_OK(doca_core_fault_set("log=0,dma.submit=fail@1"));
    CHECK_EQ(doca_core_fault_get_num(), 0);
    test_log_lines = 0;
    CHECK_RC(rig_submit(task), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(test_log_lines, 1); /* the line of submit; log=0 hides the line of the fault */
    CHECK_EQ(doca_core_fault_get_num(), 1);
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 2);
    fault_close(&r);
}

/* Tasks share a doorbell, and a fault keeps one of them from the device. All tasks end. */
static void tasks_that_share_a_doorbell_end(void)
{
    struct doca_dma_task_memcpy *tasks[NUM];
    struct rig r;
    unsigned i, k;

    for (k = 1; k <= NUM; k++) {
        fault_open(&r, "dma.complete=delay:3@4");
        for (i = 0; i < NUM; i++) {
            tasks[i] = rig_prepare(&r, r.dma, (size_t)i * 64, 64);
            CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(tasks[i]),
                                         i + 1 == k ? DOCA_TASK_SUBMIT_FLAG_FLUSH
                                                    : DOCA_TASK_SUBMIT_FLAG_NONE));
        }
        doca_ctx_flush_tasks(r.ctx);
        fault_wait(&r, NUM);
        CHECK_EQ(r.num_ok, NUM);
        fault_close(&r);

        fault_open(&r, "dma.complete=fail@3,dma.submit=again@2");
        for (i = 0; i < NUM; i++) {
            tasks[i] = rig_prepare(&r, r.dma, (size_t)i * 64, 64);
            CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(tasks[i]),
                                         DOCA_TASK_SUBMIT_FLAG_NONE));
        }
        doca_ctx_flush_tasks(r.ctx);
        fault_wait(&r, NUM);
        CHECK(r.num_failed >= 1);
        fault_close(&r);
    }
}

/* When a fault refuses a task that is submitted without FLUSH, either submit returns the error or
 * the task fails later. */
static void refusal_of_a_deferred_task_is_reported(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct rig r;
    unsigned i, num_refused = 0;

    fault_open(&r, "dma.submit=fail:FULL@2");
    fault_submit(&r, 1); /* makes the context active */
    for (i = 0; i < 2; i++) {
        tasks[i] = rig_prepare(&r, r.dma, 1024 + i * 64, 64);
        if (doca_task_submit_ex(doca_dma_task_memcpy_as_task(tasks[i]),
                                DOCA_TASK_SUBMIT_FLAG_NONE) == DOCA_ERROR_FULL) {
            num_refused++;
            rig_release(tasks[i]);
        }
    }
    doca_ctx_flush_tasks(r.ctx);
    fault_wait(&r, 3 - num_refused);
    CHECK_EQ(num_refused + r.num_failed >= 1, 1);
    CHECK(num_refused <= 1);
    fault_close(&r);
}

#define RINGING "0000:8c:00.0"

static uint32_t ringing_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    static const struct doca_core_dev_attr attr = {
        .pci_addr = RINGING, .ibdev_name = "ringing_0",
        .limits = { .dma_max_buf_size = 4096, .dma_max_buf_list_len = 4, .dma_max_num_tasks = 64,
                    .has_dma = 1 } };

    if (max > 0)
        attrs[0] = attr;
    return 1;
}

static unsigned num_rings;

static void ringing_ring(struct doca_core_queue *queue)
{
    (void)queue;
    num_rings++;
}

static doca_error_t (*full_post)(struct doca_core_queue *queue, struct doca_task *task);
static unsigned full_times; /* number of posts for which the queue still reports that it is full */

static doca_error_t post_if_not_full(struct doca_core_queue *queue, struct doca_task *task)
{
    if (full_times > 0) {
        full_times--;
        return DOCA_ERROR_AGAIN;
    }
    return full_post(queue, task);
}

static doca_error_t full_open(struct doca_core_queue *queue, enum doca_core_engine engine,
                              uint32_t depth)
{
    doca_error_t rc = doca_core_sw_backend()->queue_open(queue, engine, depth);

    full_post = queue->post;
    queue->post = post_if_not_full;
    return rc;
}

/* When the queue of the device is full, the task keeps the fault that was chosen for it until it is
 * submitted again, unless another text is set meanwhile. */
static void fault_stays_with_a_task_that_finds_the_queue_full(void)
{
    struct doca_core_backend full = *doca_core_sw_backend();
    struct doca_dma_task_memcpy *task;
    struct rig r;

    full.name = "full";
    full.enumerate = ringing_enumerate;
    full.queue_open = full_open;
    CHECK_OK(doca_core_backend_register(&full));
    CHECK_OK(doca_core_fault_set("dma.submit=truncate:8@1,dma.submit=fail:FULL@2,"
                                 "dma.complete=flip:1@2"));
    rig_build(&r, RINGING, 4);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    memset(&ended, 0, sizeof(ended));
    r.on_task = note_end;
    r.frees_tasks = true;
    task = rig_prepare(&r, r.dma, 0, 64);
    full_times = 3;
    while (full_times > 0)
        CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    CHECK_EQ(doca_core_fault_get_num(), 0); /* nothing has been truncated */
    CHECK_OK(rig_submit(task));
    CHECK_EQ(doca_core_fault_get_num(), 1);
    fault_wait(&r, 1);
    CHECK_EQ(ended.len[0], 8);
    task = rig_prepare(&r, r.dma, 64, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_FULL);
    full_times = 1;
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 2);
    CHECK_EQ(count_bits(rig_to + 64, rig_from + 64, 64), 1);
    CHECK_OK(doca_core_fault_set("dma.complete=flip:1"));
    task = rig_prepare(&r, r.dma, 128, 64);
    full_times = 1;
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    CHECK_OK(doca_core_fault_set(""));
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 3);
    CHECK_MEM(rig_to + 128, rig_from + 128, 64);
    fault_close(&r);
    CHECK_OK(doca_core_backend_unregister("full"));
}

/* As refusal_of_a_deferred_task_is_reported, for a backend with queue_ring, whose queue accepts
 * tasks without ringing the doorbell. */
static void refusal_by_a_queue_with_doorbell_is_reported(void)
{
    struct doca_core_backend ringing = *doca_core_sw_backend();
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    ringing.name = "ringing";
    ringing.enumerate = ringing_enumerate;
    ringing.queue_ring = ringing_ring;
    CHECK_OK(doca_core_backend_register(&ringing));
    CHECK_OK(doca_core_fault_set("dma.submit=fail:FULL@2,dma.submit=fail:EMPTY@3"));
    rig_build(&r, RINGING, 4);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    memset(&ended, 0, sizeof(ended));
    r.on_task = note_end;
    r.frees_tasks = true;
    fault_submit(&r, 1);
    task = rig_prepare(&r, r.dma, 1024, 64);
    CHECK_RC(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE),
             DOCA_ERROR_FULL);
    fault_wait(&r, 1);
    while (rig_progress(&r)) /* until the context leaves the ring of its progress engine */
        continue;
    CHECK_RC(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE),
             DOCA_ERROR_EMPTY);
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 2);
    CHECK_EQ(r.num_ok, 2);

    /* the queue refuses the second task, which then waits in its context; a flush posts both */
    CHECK_OK(doca_core_fault_set("dma.submit=again@2"));
    num_rings = 0;
    for (i = 0; i < 2; i++) {
        task = rig_prepare(&r, r.dma, 2048 + 64 * i, 64);
        CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task),
                                     DOCA_TASK_SUBMIT_FLAG_NONE));
        CHECK_EQ(rig_inflight(r.ctx), i + 1);
        CHECK_EQ(num_rings, i); /* refusing the second task rings the doorbell for the first */
    }
    doca_ctx_flush_tasks(r.ctx);
    fault_wait(&r, 4);
    CHECK_EQ(r.num_ok, 4);

    /* a task that is submitted while the handle is armed also waits in its context */
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_core_fault_set("dma.submit=fail@1"));
    task = rig_prepare(&r, r.dma, 1024, 64);
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE));
    CHECK_EQ(doca_core_fault_get_num(), 0); /* the task was not posted to the queue */
    CHECK_OK(doca_core_fault_set(""));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    doca_ctx_flush_tasks(r.ctx);
    fault_wait(&r, 5);
    CHECK_EQ(r.num_ok, 5);
    fault_close(&r);
    CHECK_OK(doca_core_backend_unregister("ringing"));
}

static unsigned batches_ok;
static doca_error_t batch_status;

static void batch_done(struct doca_task_batch *batch, uint16_t num_tasks, union doca_data data,
                       union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK_EQ(num_tasks, 3);
    batch_status = doca_task_batch_get_status(batch);
    batches_ok += batch_status == DOCA_SUCCESS;
}

/* A queue that accepts tasks without a doorbell refuses one task of a batch. The task still counts
 * as in flight, and the batch ends with the error of that task. */
static void batch_ends_with_the_error_of_a_refused_task(void)
{
    struct doca_core_backend ringing = *doca_core_sw_backend();
    struct doca_dma_task_memcpy *tasks[3];
    struct doca_task_batch *batch;
    struct rig r;
    unsigned i, k;

    ringing.name = "ringing";
    ringing.enumerate = ringing_enumerate;
    ringing.queue_ring = ringing_ring;
    CHECK_OK(doca_core_backend_register(&ringing));
    CHECK_OK(doca_core_fault_set(""));
    rig_build(&r, RINGING, 4);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                               batch_done, batch_done));
    for (k = 0; k < 2; k++) {
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
        CHECK_OK(doca_core_fault_set(k == 0 ? "" : "dma.submit=fail:FULL@2"));
        batches_ok = 0;
        batch_status = DOCA_ERROR_UNKNOWN;
        CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, (union doca_data){ 0 }, &batch));
        for (i = 0; i < 3; i++) {
            tasks[i] = rig_prepare(&r, r.dma, 64 * i, 64);
            CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(tasks[i])));
        }
        CHECK_OK(doca_task_batch_submit(batch));
        CHECK_EQ(rig_inflight(r.ctx), 3);
        while (batch_status == DOCA_ERROR_UNKNOWN)
            (void)rig_progress(&r);
        CHECK_EQ(rig_inflight(r.ctx), 0);
        CHECK_RC(batch_status, k == 0 ? DOCA_SUCCESS : DOCA_ERROR_FULL);
        CHECK_EQ(batches_ok, 1 - k);
        CHECK_EQ(rig_data_len(doca_dma_task_memcpy_get_dst(tasks[1])), k == 0 ? 64 : 0);
        for (i = 0; i < 3; i++) {
            CHECK_OK(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(tasks[i]), NULL));
            CHECK_OK(doca_buf_dec_refcount(
                (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(tasks[i]), NULL));
        }
        doca_task_batch_free(batch);
        rig_stop(&r, r.ctx);
    }
    fault_close(&r);
    CHECK_OK(doca_core_backend_unregister("ringing"));
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

static void workers_serve_devices_with_faults(void)
{
    struct doca_core_sw_worker *worker;
    unsigned i, k, num_served = 0;
    struct rig r;

    fault_open(&r, "dma.complete=hold@1,dma.complete=fail@9");
    CHECK_OK(doca_core_sw_worker_create(r.dev, &worker));
    CHECK_OK(doca_ctx_stop(r.ctx)); /* restart the context, so that the worker serves it */
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_EQ(doca_core_sw_worker_step(worker, 64), 0);
    fault_submit(&r, NUM);
    for (i = 0; i < NUM && ended.num < NUM - 1; i++) {
        num_served += doca_core_sw_worker_step(worker, 64);
        for (k = 0; k < 100; k++)
            (void)rig_progress(&r);
    }
    CHECK(num_served > 0);
    CHECK_EQ(ended.num, NUM - 1);
    CHECK_EQ(doca_core_fault_release(1), 1);
    fault_wait(&r, NUM);
    CHECK_EQ(r.num_ok, NUM);
    CHECK_OK(doca_core_sw_worker_stop(worker));
    CHECK_OK(doca_ctx_stop(r.ctx));
    rig_drain(&r);
    CHECK_OK(doca_core_sw_worker_destroy(worker));
    fault_close(&r);
}

/* Run one case of `program` in a new process with DOCA_CORE_FAULT=text. Return its exit status. */
static int run_again(const char *program, const char *name, const char *text)
{
    char how[96];
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        setenv("DOCA_CORE_FAULT", text, 1);
        execl(program, program, name, (char *)NULL);
        _exit(99);
    }
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    if (!WIFEXITED(status))
        test_fail(__FILE__, __LINE__, "%s %s: %s", program, name, peer_how(status, how));
    return WEXITSTATUS(status);
}

/* Without DOCA_CORE_FAULT, the case runs itself in two new processes with the variable set. With
 * the variable, it checks the effect of the text. */
static void environment_is_read_once(void)
{
    const char *text = getenv("DOCA_CORE_FAULT");
    struct doca_dma_task_memcpy *task;
    enum heap_trap_mode mode;
    struct rig r;

    if (text == NULL) {
        mode = heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(run_again("/proc/self/exe", "environment_is_read_once", "dma.submit=fail@1"), 0);
        CHECK_EQ(run_again("/proc/self/exe", "environment_is_read_once", "dma.submit=fault@1"), 0);
        heap_trap_set(mode);
        return;
    }
    rig_open(&r, 4);
    r.frees_tasks = true;
    if (strstr(text, "fault") != NULL) /* this text is wrong: it is logged and has no effect */
        CHECK_PTR(r.dev->backend, r.dev->info.backend);
    task = rig_prepare(&r, r.dma, 0, 64);
    if (strstr(text, "fault") == NULL)
        CHECK_RC(rig_submit(task), DOCA_ERROR_IO_FAILED);
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    rig_close(&r);
}

/* A copy of this program with set-user-ID must not obey the environment of its caller. */
static void environment_of_setuid_programs_is_ignored(void)
{
    const char *text = getenv("DOCA_CORE_FAULT");
    char path[] = "/tmp/doca_fault_XXXXXX", command[128];
    enum heap_trap_mode mode;
    struct rig r;
    int fd;

    if (text != NULL) {
        if (getuid() == geteuid())
            test_skip("the file system of /tmp ignores set-user-ID");
        rig_open(&r, 4);
        CHECK_PTR(r.dev->backend, r.dev->info.backend);
        rig_close(&r);
        return;
    }
#ifdef __SANITIZE_ADDRESS__
    test_skip("the sanitizer traces this process");
#endif
    if (getuid() != 0)
        test_skip("only root can make a program of another user with set-user-ID");
    mode = heap_trap_set(HEAP_TRAP_OFF);
    fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    snprintf(command, sizeof(command), "cp /proc/%d/exe %s", (int)getpid(), path);
    CHECK_EQ(system(command), 0);
    CHECK(chown(path, 65534, 65534) == 0 && chmod(path, 04755) == 0);
    fd = run_again(path, "environment_of_setuid_programs_is_ignored", "*=fail");
    unlink(path);
    heap_trap_set(mode);
    if (fd == 77)
        test_skip("the file system of /tmp ignores set-user-ID");
    CHECK_EQ(fd, 0);
}

static const struct test_case cases[] = {
    CASE(text_is_accepted_or_refused_with_the_position, ""),
    CASE(refused_text_changes_nothing, ""),
    CASE(kth_submit_fails_and_returns_the_task, ""),
    CASE(first_matching_rule_applies, ""),
    CASE(all_tasks_fail_from_the_kth_on, ""),
    CASE(seed_determines_random_faults, ""),
    CASE(kth_start_fails, ""),
    CASE(kth_completion_fails_and_nothing_is_written, "187 199 235"),
    CASE(failed_task_ends_in_order, "197"),
    CASE_OF_SW(delay_counts_polls, "", "its tasks finish in the first poll"),
    CASE(delay_counts_time, ""),
    CASE_OF_SW(completions_are_reordered, "207", "all its tasks finish in one poll"),
    CASE(held_tasks_end_when_released, ""),
    CASE(held_task_may_be_released_in_flight, ""),
    CASE(release_applies_only_to_tasks_held_before, ""),
    CASE_OF_SW(first_finished_task_is_released_first, "", "its tasks finish in the first poll"),
    CASE(stop_completes_delayed_and_held_tasks, "168 169 197"),
    CASE_OF_SW(flush_is_delayed, "", "it reports the change of state in the first poll"),
    CASE(source_is_truncated, ""),
    CASE(one_bit_of_the_destination_is_flipped, ""),
    CASE(requested_number_of_bits_is_flipped, ""),
    CASE(flipped_bits_are_in_bytes_of_the_task, ""),
    CASE(fault_applies_to_the_next_accepted_task, ""),
    CASE(failures_of_the_device_itself_are_unchanged, ""),
    CASE(flip_leaves_bytes_of_other_tasks, ""),
    CASE(flip_finds_bytes_behind_another_task, ""),
    CASE(truncated_copy_is_flipped_within_its_length, ""),
    CASE(device_is_lost_with_tasks_in_flight, "197"),
    CASE(loss_affects_all_contexts_of_the_device, ""),
    CASE(delayed_start_ends_when_the_device_is_lost, ""),
    CASE(start_fails_or_is_delayed, ""),
    CASE(faults_refuse_devices_and_memory, ""),
    CASE(faults_apply_to_hashes, ""),
    CASE(faults_apply_to_sync_events, ""),
    CASE(faults_apply_to_advice, ""),
    CASE(advice_on_devices_without_faults_is_unchanged, ""),
    CASE(without_a_text_no_faults_are_injected, ""),
    CASE(injected_faults_are_recorded, ""),
    CASE(tasks_that_share_a_doorbell_end, ""),
    CASE(refusal_of_a_deferred_task_is_reported, ""),
    CASE(fault_stays_with_a_task_that_finds_the_queue_full, ""),
    CASE(refusal_by_a_queue_with_doorbell_is_reported, ""),
    CASE(batch_ends_with_the_error_of_a_refused_task, ""),
    CASE(delayed_and_held_tasks_wake_sleepers, "228"),
    CASE(task_that_fails_in_order_wakes_sleepers, "197 228"),
    CASE(refused_task_wakes_sleepers, ""),
    CASE(refused_wait_task_wakes_sleepers, ""),
    CASE(refused_task_stays_with_the_program, ""),
    CASE(handle_is_readable_while_a_task_is_held, ""),
    CASE(handle_is_readable_while_a_flush_is_delayed, ""),
    CASE(failing_task_does_not_wake_before_its_turn, ""),
    CASE_OF_SW(workers_serve_devices_with_faults, "", "it has workers"),
    CASE_OF_SW(environment_is_read_once, "", "its list of devices is made inside the case"),
    CASE_OF_SW(environment_of_setuid_programs_is_ignored, "",
               "its list of devices is made inside the case"),
};

TEST_MAIN(cases)

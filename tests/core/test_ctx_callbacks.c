/* Contexts: reports of state changes, failed tasks, and calls from inside callbacks. */
#include "ctx_support.h"

/* ---- reports of state changes ---- */

static void check_state_is(struct rig *r, struct doca_ctx *ctx, enum doca_ctx_states next)
{
    CHECK_EQ(rig_state(ctx), next);
    r->todo++;
}

static void state_callback_finds_the_new_state(void)
{
    struct rig r;

    begin_slow_start(&r);
    r.on_state = check_state_is;
    r.frees_tasks = true;
    rig_drain(&r);
    held.opening = DOCA_SUCCESS;
    rig_drain(&r);
    held.budget = 0;
    submit_copies(&r, r.dma, 2);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_STR(r.states, "IS SR RP PI");
    CHECK_EQ(r.todo, 4);
    held_close_rig(&r);
}

static void eight_unreported_changes_are_all_reported(void)
{
    struct rig r;
    unsigned i;

    rig_build(&r, NULL, TASKS);
    for (i = 0; i < 4; i++) {
        CHECK_OK(doca_ctx_start(r.ctx));
        CHECK_OK(doca_ctx_stop(r.ctx));
    }
    CHECK_EQ(rig_drain(&r), 8);
    CHECK_STR(r.states, "IR RI IR RI IR RI IR RI");
    rig_close(&r);
}

static void count_merged(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    if (item != DOCA_CORE_ITEM_CTX_EVENTS_FOLDED)
        return;
    CHECK(strncmp(line, "doca_core: doca_ctx_st", 22) == 0); /* doca_ctx_start or doca_ctx_stop */
    ++*(unsigned *)user;
}

static void more_uncollected_changes_are_folded(void)
{
    struct rig r;
    unsigned num_warnings = 0, changes;

    doca_core_log_set_sink(count_merged, &num_warnings);
    for (changes = 9; changes < 45; changes++) {
        unsigned i;

        num_warnings = 0;
        rig_build(&r, NULL, TASKS);
        for (i = 0; i < changes; i++)
            CHECK_OK(i % 2 == 0 ? doca_ctx_start(r.ctx) : doca_ctx_stop(r.ctx));
        rig_drain(&r);
        CHECK(num_warnings > 0);
        CHECK(r.num_states > 0 && r.num_states <= 8);
        CHECK(rig_states_are_a_chain(&r));
        CHECK_EQ(r.states[0], 'I');
        CHECK_EQ(r.states[strlen(r.states) - 1], changes % 2 == 0 ? 'I' : 'R');
        rig_close(&r);
    }
}

/* When more than eight changes are not reported yet, the library merges the two oldest. Here
 * running
 * -> idle and idle -> starting become running -> starting. */
static void merged_changes_form_one_change(void)
{
    unsigned num_warnings = 0, i;
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    doca_core_log_set_sink(count_merged, &num_warnings);
    CHECK_OK(doca_ctx_stop(r.ctx));
    held.opening = DOCA_ERROR_IN_PROGRESS;
    for (i = 0; i < 7; i++) {
        if (i % 2 == 0)
            CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
        else
            CHECK_OK(doca_ctx_stop(r.ctx));
    }
    CHECK_EQ(num_warnings, 0);
    CHECK_OK(doca_ctx_stop(r.ctx));
    CHECK_EQ(num_warnings, 1);
    CHECK_EQ(rig_drain(&r), 8);
    CHECK_STR(r.states, "RS SI IS SI IS SI IS SI");
    held.opening = DOCA_SUCCESS;
    held_close_rig(&r);
}

static void removed_state_callback_is_not_called(void)
{
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, NULL));
    rig_drain(&r);
    CHECK_OK(doca_ctx_stop(r.ctx));
    rig_drain(&r);
    CHECK_EQ(r.num_states, 0);
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, rig_state_changed));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_STR(r.states, "IR");
    rig_close(&r);
}

static void note_other_state(const union doca_data user_data, struct doca_ctx *ctx,
                             enum doca_ctx_states prev, enum doca_ctx_states next)
{
    struct rig *r = user_data.ptr;

    (void)ctx;
    CHECK_EQ(prev, DOCA_CTX_STATE_RUNNING);
    CHECK_EQ(next, DOCA_CTX_STATE_IDLE);
    r->num_callbacks++;
    r->todo++;
}

static void new_state_callback_gets_no_earlier_changes(void)
{
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, rig_state_changed)); /* the same: no effect */
    CHECK_EQ(rig_drain(&r), 1);
    CHECK_STR(r.states, "IR");
    CHECK_OK(doca_ctx_stop(r.ctx));
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, note_other_state));
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_OK(doca_ctx_stop(r.ctx));
    CHECK_EQ(rig_drain(&r), 1);
    CHECK_EQ(r.todo, 1);
    CHECK_STR(r.states, "IR");
    rig_close(&r);
}

static void user_data_reaches_the_callbacks(void)
{
    struct rig r, other;
    struct doca_dma_task_memcpy *task;
    union doca_data data;

    rig_open(&r, TASKS);
    CHECK_OK(doca_ctx_get_user_data(r.ctx, &data));
    CHECK_PTR(data.ptr, &r);
    memset(&other, 0, sizeof(other));
    other.in_progress = true;
    CHECK_OK(doca_ctx_set_user_data(r.ctx, (union doca_data){ .ptr = &other }));
    task = rig_copy(&r, r.dma, 0, LEN);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 0);
    CHECK_EQ(other.num_ok, 1);
    CHECK_OK(doca_ctx_set_user_data(r.ctx, (union doca_data){ .ptr = &r }));
    rig_release(task);
    rig_close(&r);
}

static void check_num_inflight(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)task;
    CHECK_EQ(rig_inflight(r->ctx), TASKS - finished(r));
}

static void task_in_its_callback_is_not_in_flight(void)
{
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    r.on_task = check_num_inflight;
    r.frees_tasks = true;
    for (i = 0; i < TASKS; i++) {
        CHECK_EQ(rig_inflight(r.ctx), i);
        rig_copy(&r, r.dma, i * LEN, LEN);
    }
    rig_drain(&r);
    CHECK_EQ(r.num_ok, TASKS);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    rig_close(&r);
}

/* ---- failure ---- */

static void check_all_later_tasks_fail(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)task;
    if (r->num_failed > 0)
        CHECK_RC(r->status, DOCA_ERROR_IO_FAILED);
    if (r->num_failed == 1)
        CHECK_EQ(rig_state(r->ctx), DOCA_CTX_STATE_STOPPING);
}

static void failed_task_stops_its_context(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task[TASKS];
    unsigned i;

    held_begin();
    held_open_rig(&r, TASKS);
    r.on_task = check_all_later_tasks_fail;
    held.budget = 3;
    for (i = 0; i < TASKS; i++)
        task[i] = rig_copy(&r, r.dma, i * LEN, LEN);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 3);
    held.num_to_fail = 1;
    held.budget = 1;
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 1);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    CHECK_EQ(rig_inflight(r.ctx), TASKS - 4);
    CHECK_RC(try_alloc(&r), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 3);
    CHECK_EQ(r.num_failed, TASKS - 3);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(held.num_flushes, 1);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING); /* tasks not freed yet */
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    for (i = 0; i < TASKS; i++)
        rig_release(task[i]);
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_copy(&r, r.dma, 0, LEN);
    r.frees_tasks = true;
    r.on_task = NULL;
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 4);
    held_close_rig(&r);
}

static void failed_task_flushes_the_later_tasks_on_the_software_device(void)
{
    struct rig r;
    unsigned i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level submit refuses the failing task");
    rig_open(&r, TASKS);
    r.on_task = check_all_later_tasks_fail;
    r.frees_tasks = true;
    for (i = 0; i < TASKS; i++) {
        struct doca_dma_task_memcpy *task = rig_prepare(&r, r.dma, i * LEN, LEN);

        if (i == 2)
            CHECK_OK(doca_buf_set_data(doca_dma_task_memcpy_get_dst(task), rig_to + i * LEN, 1));
        CHECK_OK(rig_submit(task));
    }
    rig_drain(&r);
    CHECK_EQ(finished(&r), TASKS);
    CHECK(r.num_failed > 0);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

/* ---- from inside callbacks ---- */

static void stop_at_the_first_task(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)task;
    if (finished(r) > 1)
        return;
    CHECK_RC(doca_ctx_stop(r->ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(r->ctx), DOCA_CTX_STATE_STOPPING);
}

static void callback_may_stop_its_context_with_tasks_in_flight(void)
{
    struct rig r;

    rig_open(&r, TASKS);
    r.on_task = stop_at_the_first_task;
    r.frees_tasks = true;
    submit_copies(&r, r.dma, TASKS);
    rig_drain(&r);
    CHECK_EQ(finished(&r), TASKS);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

static void free_and_stop_at_the_last_task(struct rig *r, struct doca_dma_task_memcpy *task)
{
    doca_error_t rc;

    rig_release(task);
    if (finished(r) < TASKS)
        return;
    rc = doca_ctx_stop(r->ctx);
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
}

static void callback_of_the_last_task_may_stop_its_context(void)
{
    struct rig r;

    rig_open(&r, TASKS);
    r.on_task = free_and_stop_at_the_last_task;
    submit_copies(&r, r.dma, TASKS);
    while (finished(&r) < TASKS)
        CHECK(rig_progress(&r));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, TASKS);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK(rig_states_are_a_chain(&r));
    CHECK_EQ(r.states[0], 'R');
    CHECK_EQ(r.states[strlen(r.states) - 1], 'I');
    rig_close(&r);
}

static void copy_when_running(struct rig *r, struct doca_ctx *ctx, enum doca_ctx_states next)
{
    if (next != DOCA_CTX_STATE_RUNNING)
        return;
    CHECK_PTR(ctx, r->ctx);
    submit_copies(r, r->dma, TASKS);
}

static void running_callback_may_submit(void)
{
    unsigned slow;

    for (slow = 0; slow < 2; slow++) {
        struct rig r;

        held_begin();
        rig_build(&r, HELD_DMA, TASKS);
        r.frees_tasks = true;
        r.on_state = copy_when_running;
        held.opening = slow ? DOCA_ERROR_IN_PROGRESS : DOCA_SUCCESS;
        CHECK_RC(doca_ctx_start(r.ctx), held.opening);
        held.opening = DOCA_SUCCESS;
        rig_drain(&r);
        CHECK_EQ(r.num_ok, TASKS);
        held_close_rig(&r);
    }
}

static void stop_when_running(struct rig *r, struct doca_ctx *ctx, enum doca_ctx_states next)
{
    (void)r;
    if (next == DOCA_CTX_STATE_RUNNING)
        CHECK_OK(doca_ctx_stop(ctx));
}

static void running_callback_may_stop(void)
{
    struct rig r;

    rig_build(&r, NULL, TASKS);
    r.on_state = stop_when_running;
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_STR(r.states, "IR RI");
    rig_close(&r);
}

static void start_again_when_idle(struct rig *r, struct doca_ctx *ctx, enum doca_ctx_states next)
{
    if (next == DOCA_CTX_STATE_IDLE && r->todo++ < 2) {
        CHECK_OK(doca_dma_task_memcpy_set_conf(r->dma, rig_completed, rig_failed, r->todo));
        CHECK_OK(doca_ctx_start(ctx));
    }
}

static void idle_callback_may_configure_and_start(void)
{
    struct rig r;

    rig_open(&r, TASKS);
    r.on_state = start_again_when_idle;
    CHECK_OK(doca_ctx_stop(r.ctx));
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_OK(doca_ctx_stop(r.ctx));
    rig_drain(&r);
    CHECK_OK(doca_ctx_stop(r.ctx));
    rig_drain(&r);
    CHECK_STR(r.states, "RI IR RI IR RI");
    rig_close(&r);
}

/* The memory of a context that a callback has destroyed. The callback overwrites it, and the
 * library must not change it afterwards. */
static void *freed_memory;

static void destroy_when_idle(struct rig *r, struct doca_ctx *ctx, enum doca_ctx_states next)
{
    if (next != DOCA_CTX_STATE_IDLE)
        return;
    CHECK_PTR(ctx, r->ctx);
    CHECK_OK(doca_dma_destroy(r->dma));
    r->dma = NULL;
    CHECK_OK(doca_core_arena_take(doca_core_arena_bound(), sizeof(struct doca_dma), &freed_memory));
    memset(freed_memory, 0xaa, sizeof(struct doca_dma));
}

static void check_freed_memory(void)
{
    const unsigned char *bytes = freed_memory;
    size_t i;

    for (i = 0; i < sizeof(struct doca_dma); i++)
        CHECK_EQ(bytes[i], 0xaa);
    CHECK_OK(doca_core_arena_give(doca_core_arena_bound(), freed_memory));
}

static void idle_callback_may_destroy_the_context(void)
{
    unsigned way;

    for (way = 0; way < 3; way++) { /* stopped without tasks, with tasks in flight, by a failure */
        struct rig r;
        struct doca_dma *other;

        held_begin();
        held_open_rig(&r, TASKS);
        r.on_state = destroy_when_idle;
        r.frees_tasks = true;
        if (way > 0)
            submit_copies(&r, r.dma, TASKS);
        if (way == 2)
            held.num_to_fail = 1;
        else
            CHECK_RC(doca_ctx_stop(r.ctx), way == 0 ? DOCA_SUCCESS : DOCA_ERROR_IN_PROGRESS);
        rig_drain(&r);
        CHECK_PTR(r.dma, NULL);
        CHECK_EQ(finished(&r), way == 0 ? 0 : TASKS);
        check_freed_memory();
        r.on_state = NULL;
        other = rig_make_dma(&r, 1); /* the PE still works */
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
        rig_copy(&r, other, 0, LEN);
        rig_drain(&r);
        CHECK_OK(doca_dma_destroy(other));
        held_close_rig(&r);
    }
}

static void destroying_a_context_does_not_disturb_the_others(void)
{
    struct rig r;
    struct doca_dma *left, *right;
    unsigned i;

    rig_build(&r, NULL, TASKS);
    left = rig_make_dma(&r, TASKS);
    right = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(left)));
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(right)));
    rig_drain(&r);
    r.frees_tasks = true;
    r.on_state = destroy_when_idle;
    for (i = 0; i < TASKS; i++) {
        rig_copy(&r, left, i * LEN, LEN);
        rig_copy(&r, right, 4096 + i * LEN, LEN);
    }
    rig_copy(&r, r.dma, 8192, LEN);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    CHECK_EQ(finished(&r), 2 * TASKS + 1);
    CHECK_MEM(rig_to, rig_from, TASKS * LEN);
    CHECK_MEM(rig_to + 4096, rig_from + 4096, TASKS * LEN);
    check_freed_memory();
    CHECK_OK(doca_dma_destroy(left));
    CHECK_OK(doca_dma_destroy(right));
    rig_close(&r);
}

static struct doca_dma *victim;

static void destroy_the_victim(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    if (victim != NULL)
        CHECK_OK(doca_dma_destroy(victim));
    victim = NULL;
}

static void task_callback_may_destroy_another_context(void)
{
    struct rig r;

    rig_build(&r, NULL, TASKS);
    victim = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(victim)));
    rig_drain(&r);
    r.on_task = destroy_the_victim;
    r.frees_tasks = true;
    submit_copies(&r, r.dma, TASKS);
    CHECK_OK(doca_ctx_stop(doca_dma_as_ctx(victim))); /* its state change is not reported yet */
    rig_drain(&r);
    CHECK_PTR(victim, NULL);
    CHECK_EQ(r.num_ok, TASKS);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(state_callback_finds_the_new_state, "173 174"),
    CASE(eight_unreported_changes_are_all_reported, "174"),
    CASE(more_uncollected_changes_are_folded, ""),
    CASE(merged_changes_form_one_change, ""),
    CASE(removed_state_callback_is_not_called, ""),
    CASE(new_state_callback_gets_no_earlier_changes, ""),
    CASE(user_data_reaches_the_callbacks, "175"),
    CASE(task_in_its_callback_is_not_in_flight, "178"),
    CASE(failed_task_stops_its_context, "176 177 187 235 236 237 238"),
    CASE(failed_task_flushes_the_later_tasks_on_the_software_device, "177 187 237"),
    CASE(callback_may_stop_its_context_with_tasks_in_flight, "180 181"),
    CASE(callback_of_the_last_task_may_stop_its_context, "183"),
    CASE(running_callback_may_submit, "184"),
    CASE(running_callback_may_stop, ""),
    CASE(idle_callback_may_configure_and_start, "172"),
    CASE(idle_callback_may_destroy_the_context, "185"),
    CASE(destroying_a_context_does_not_disturb_the_others, "185"),
    CASE(task_callback_may_destroy_another_context, ""),
};

TEST_MAIN(cases)

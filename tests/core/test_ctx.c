/* Contexts: the state machine, and the calls that each state permits. */
#include "ctx_support.h"

/* ---- start ---- */

static void new_context_is_idle_and_has_no_tasks_in_flight(void)
{
    struct rig r;
    struct doca_dma *dma;
    union doca_data data = { .u64 = 1 };

    rig_build(&r, NULL, TASKS);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_OK(doca_dma_create(r.dev, &dma));
    CHECK_OK(doca_ctx_get_user_data(doca_dma_as_ctx(dma), &data));
    CHECK_EQ(data.u64, 0);
    CHECK_OK(doca_dma_destroy(dma));
    rig_close(&r);
}

static void started_context_runs_at_once(void)
{
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_EQ(r.num_callbacks, 0); /* progress reports the change, and not start itself */
    rig_drain(&r);
    CHECK_STR(r.states, "IR");
    rig_close(&r);
}

static void start_needs_a_progress_engine(void)
{
    struct rig r;
    struct doca_dma *dma;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_dma_create(r.dev, &dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, 1));
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NO_PE);
    CHECK_EQ(rig_state(doca_dma_as_ctx(dma)), DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_dma_as_ctx(dma)));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_OK(doca_dma_destroy(dma));
    rig_close(&r);
}

static void start_needs_a_task_type(void)
{
    struct rig r;
    struct doca_dma *dma;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_dma_create(r.dev, &dma));
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_dma_as_ctx(dma)));
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NO_TASK_TYPE);
    CHECK_EQ(rig_state(doca_dma_as_ctx(dma)), DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_dma_destroy(dma));
    rig_close(&r);
}

static void start_needs_a_device_with_the_engine(void)
{
    struct rig r;
    struct doca_dma *dma;

    CHECK_RC(doca_dma_create(NULL, &dma), DOCA_ERROR_INVALID_VALUE);
    held_begin();
    rig_build(&r, HELD_NO_DMA, TASKS);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_UNSUITABLE);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(rig_drain(&r), 0);
    held_close_rig(&r);
}

static void start_twice_is_refused(void)
{
    struct rig r;

    rig_open(&r, TASKS);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NOT_IDLE);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    rig_close(&r);
}

static void start_without_memory_leaves_the_context_idle(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[TEST_BYTES_DMA(1)];
    static struct doca_core_arena arena;
    struct rig r;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    size_t used, used_before, bytes;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_core_bytes_dma(r.dev, 1, &bytes));
    if (test_other() == NULL) /* one line for the header, one for the queue */
        CHECK_EQ(bytes, DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)) +
                            2 * DOCA_CORE_LINE + TEST_STOCKED(1) * TEST_TASK_BYTES);
    CHECK(bytes <= sizeof(mem));
    CHECK_OK(doca_core_arena_init(&arena, mem, bytes));
    CHECK_OK(doca_core_dma_create_in(&arena, r.dev, &dma));
    ctx = doca_dma_as_ctx(dma);
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, TASKS));
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_core_arena_query(&arena, &used_before, NULL, NULL));
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, used_before);
    CHECK_EQ(rig_state(ctx), DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, 1));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    rig_close(&r);
}

static void start_returns_the_error_of_the_backend(void)
{
    struct rig r;

    held_begin();
    rig_build(&r, HELD_DMA, TASKS);
    held.opening = DOCA_ERROR_DRIVER;
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(held.num_queues, 0);
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_EQ(r.num_states, 0);
    held.opening = DOCA_SUCCESS;
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    held_close_rig(&r);
}

/* ---- asynchronous start ---- */

static void slow_start_completes_in_progress(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    begin_slow_start(&r);
    rig_drain(&r);
    CHECK_STR(r.states, "IS");
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_RC(try_alloc(&r), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_BAD_STATE);
    held.opening = DOCA_SUCCESS;
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STARTING);
    CHECK(rig_drain(&r) > 0);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_STR(r.states, "IS SR");
    task = rig_copy(&r, r.dma, 0, LEN);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    rig_release(task);
    held_close_rig(&r);
}

static void failure_while_starting_leads_back_to_idle(void)
{
    unsigned collected;

    for (collected = 0; collected < 2; collected++) {
        struct rig r;

        begin_slow_start(&r);
        if (collected)
            rig_drain(&r);
        held.opening = DOCA_ERROR_DRIVER;
        rig_drain(&r);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_STR(r.states, "IS SP PI");
        CHECK_EQ(held.num_queues, 0);
        held.opening = DOCA_SUCCESS;
        CHECK_OK(doca_ctx_start(r.ctx));
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
        held_close_rig(&r);
    }
}

static void stop_while_starting_leads_back_to_idle(void)
{
    unsigned collected;

    for (collected = 0; collected < 2; collected++) {
        struct rig r;

        begin_slow_start(&r);
        if (collected)
            rig_drain(&r);
        CHECK_OK(doca_ctx_stop(r.ctx));
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_EQ(held.num_queues, 0);
        rig_drain(&r);
        CHECK(rig_states_are_a_chain(&r));
        CHECK(r.num_states >= 2 && strncmp(r.states, "IS S", 4) == 0);
        CHECK_EQ(r.states[strlen(r.states) - 1], 'I');
        held.opening = DOCA_SUCCESS;
        CHECK_OK(doca_ctx_start(r.ctx));
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
        held_close_rig(&r);
    }
}

static void starting_context_can_be_destroyed(void)
{
    struct rig r;

    begin_slow_start(&r);
    CHECK_OK(doca_dma_destroy(r.dma));
    r.dma = NULL;
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_EQ(r.num_states, 0);
    held_close_rig(&r);
}

/* ---- calls that each state allows ---- */

static void check_configuration_is_refused(struct rig *r)
{
    struct doca_pe *pe;
    int processor; /* its address stands for a processor; nothing reads it */

    CHECK_RC(doca_dma_task_memcpy_set_conf(r->dma, rig_completed, rig_failed, 1),
             DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NOT_IDLE);
    CHECK_RC(doca_ctx_set_datapath_on_dpa(r->ctx, (struct doca_dpa *)(void *)&processor),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_set_datapath_on_gpu(r->ctx, (struct doca_gpu *)(void *)&processor),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_start(r->ctx), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_pe_create(&pe));
    CHECK_RC(doca_pe_connect_ctx(pe, r->ctx), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_pe_destroy(pe));
}

static void configuration_needs_an_idle_context(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    begin_slow_start(&r);
    check_configuration_is_refused(&r);
    held.opening = DOCA_SUCCESS;
    rig_drain(&r);
    check_configuration_is_refused(&r);
    task = rig_task(r.dma, NULL, NULL);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    check_configuration_is_refused(&r);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    rig_drain(&r);
    CHECK_OK(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, 1));
    held_close_rig(&r);
}

static void other_data_paths_are_not_offered(void)
{
    struct rig r;
    int processor;

    rig_build(&r, NULL, TASKS);
    CHECK_RC(doca_ctx_set_datapath_on_dpa(r.ctx, (struct doca_dpa *)(void *)&processor),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_ctx_set_datapath_on_gpu(r.ctx, (struct doca_gpu *)(void *)&processor),
             DOCA_ERROR_NOT_SUPPORTED);
    rig_close(&r);
}

static void tasks_need_a_running_context(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    rig_build(&r, NULL, TASKS);
    CHECK_RC(try_alloc(&r), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NOT_RUNNING);
    CHECK_OK(doca_ctx_start(r.ctx));
    task = rig_task(r.dma, NULL, NULL);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_RC(try_alloc(&r), DOCA_ERROR_BAD_STATE);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_RC(try_alloc(&r), DOCA_ERROR_BAD_STATE);
    rig_close(&r);
}

/* ---- stop ---- */

static void stop_without_allocated_tasks_is_idle_at_once(void)
{
    struct rig r;

    rig_open(&r, TASKS);
    CHECK_OK(doca_ctx_stop(r.ctx));
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(r.num_states, 0);
    rig_drain(&r);
    CHECK_STR(r.states, "RI");
    rig_close(&r);
}

static void stop_of_an_idle_context_does_nothing(void)
{
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_ctx_stop(r.ctx));
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_EQ(r.num_states, 0);
    rig_close(&r);
}

static void stop_waits_for_inflight(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    r.frees_tasks = true;
    held.budget = 0;
    submit_copies(&r, r.dma, TASKS);
    CHECK_EQ(rig_inflight(r.ctx), TASKS);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    rig_drain(&r);
    CHECK_EQ(rig_inflight(r.ctx), TASKS);
    CHECK_STR(r.states, "RP");
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(held.num_flushes, 1);
    held.budget = TASKS - 1;
    rig_drain(&r);
    CHECK_EQ(r.num_failed, TASKS - 1);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    held.budget = HELD_ALL;
    while (r.num_failed < TASKS)
        CHECK(rig_progress(&r));
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING); /* the next progress ends the stop */
    CHECK(rig_progress(&r));
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    rig_drain(&r);
    CHECK_RC(r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(r.num_ok, 0);
    CHECK_STR(r.states, "RP PI");
    held_close_rig(&r);
}

static void stopped_software_device_gives_every_task_back(void)
{
    struct rig r;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    submit_copies(&r, r.dma, TASKS);
    CHECK(rig_progress(&r));
    CHECK_EQ(r.num_ok, 1);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    CHECK_EQ(finished(&r), TASKS);
    if (r.num_failed > 0)
        CHECK_RC(r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

static void stop_waits_for_every_task_to_be_freed(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task[2];

    rig_open(&r, TASKS);
    task[0] = rig_task(r.dma, NULL, NULL);
    task[1] = rig_task(r.dma, NULL, NULL);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    rig_drain(&r);
    CHECK_STR(r.states, "RP");
    doca_task_free(doca_dma_task_memcpy_as_task(task[0]));
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    doca_task_free(doca_dma_task_memcpy_as_task(task[1]));
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

static void tasks_not_freed_in_callbacks_delay_the_stop(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    rig_open(&r, TASKS);
    task = rig_copy(&r, r.dma, 0, LEN);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    CHECK_EQ(finished(&r), 1);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    rig_release(task);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    rig_close(&r);
}

static void idle_context_can_be_configured_and_started_again(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task[3];
    uint32_t num, i;

    rig_build(&r, NULL, TASKS);
    for (num = 1; num <= 3; num++) {
        CHECK_OK(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, num));
        CHECK_OK(doca_ctx_start(r.ctx));
        for (i = 0; i < num; i++)
            task[i] = rig_copy(&r, r.dma, i * LEN, LEN);
        CHECK_RC(try_alloc(&r), DOCA_ERROR_NO_MEMORY);
        rig_drain(&r);
        for (i = 0; i < num; i++)
            rig_release(task[i]);
        CHECK_OK(doca_ctx_stop(r.ctx));
        rig_drain(&r);
        CHECK_STR(r.states, "IR RI");
        rig_forget_states(&r);
    }
    CHECK_EQ(r.num_ok, 6);
    rig_close(&r);
}

/* ---- destroy ---- */

static void context_with_allocated_tasks_cannot_be_destroyed(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    rig_open(&r, TASKS);
    task = rig_prepare(&r, r.dma, 0, LEN);
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_BUSY);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_OK(rig_submit(task));
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    rig_drain(&r);
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    rig_release(task);
    CHECK_OK(doca_dma_destroy(r.dma)); /* still STOPPING, all tasks are free */
    r.dma = NULL;
    CHECK_EQ(rig_drain(&r), 0);
    rig_close(&r);
}

static void destroy_stops_a_running_context(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    CHECK_EQ(held.num_queues, 1);
    CHECK_OK(doca_dma_destroy(r.dma));
    r.dma = NULL;
    CHECK_EQ(held.num_queues, 0);
    held_close_rig(&r);
}

static void destroy_drops_changes_not_yet_reported(void)
{
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_OK(doca_ctx_stop(r.ctx));
    CHECK_OK(doca_dma_destroy(r.dma));
    r.dma = NULL;
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_EQ(r.num_states, 0);
    rig_close(&r);
}

static void null_is_refused(void)
{
    enum doca_ctx_states state;
    union doca_data data = { 0 };
    size_t num;

    CHECK_RC(doca_ctx_start(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_stop(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_get_state(NULL, &state), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_get_num_inflight_tasks(NULL, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_get_user_data(NULL, &data), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_set_state_changed_cb(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dma_destroy(NULL));
    CHECK_PTR(doca_dma_as_ctx(NULL), NULL);
}

static void null_outputs_are_refused(void)
{
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_RC(doca_ctx_get_state(r.ctx, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_get_num_inflight_tasks(r.ctx, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_get_user_data(r.ctx, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_create(r.dev, NULL), DOCA_ERROR_INVALID_VALUE);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(new_context_is_idle_and_has_no_tasks_in_flight, "159"),
    CASE(started_context_runs_at_once, "160"),
    CASE(start_needs_a_progress_engine, "162"),
    CASE(start_needs_a_task_type, "164"),
    CASE(start_needs_a_device_with_the_engine, "163"),
    CASE(start_twice_is_refused, "165"),
    CASE(start_without_memory_leaves_the_context_idle, ""),
    CASE(start_returns_the_error_of_the_backend, ""),
    CASE(slow_start_completes_in_progress, "161"),
    CASE(failure_while_starting_leads_back_to_idle, "176"),
    CASE(stop_while_starting_leads_back_to_idle, ""),
    CASE(starting_context_can_be_destroyed, ""),
    CASE(configuration_needs_an_idle_context, "13 165 189"),
    CASE(other_data_paths_are_not_offered, ""),
    CASE(tasks_need_a_running_context, "166"),
    CASE(stop_without_allocated_tasks_is_idle_at_once, "167"),
    CASE(stop_of_an_idle_context_does_nothing, ""),
    CASE(stop_waits_for_inflight, "168 169 170 182"),
    CASE(stopped_software_device_gives_every_task_back, "168 169"),
    CASE(stop_waits_for_every_task_to_be_freed, "171"),
    CASE(tasks_not_freed_in_callbacks_delay_the_stop, "171"),
    CASE(idle_context_can_be_configured_and_started_again, "12 14 172"),
    CASE(context_with_allocated_tasks_cannot_be_destroyed, ""),
    CASE(destroy_stops_a_running_context, ""),
    CASE(destroy_drops_changes_not_yet_reported, ""),
    CASE(null_is_refused, "1"),
    CASE(null_outputs_are_refused, "1 19"),
};

TEST_MAIN(cases)

/* Statistics of contexts and progress engines: each counter, for tasks that complete, fail, are
 * flushed or refused, in several contexts of one PE, with workers, graphs, batches and forks. The
 * first case runs before doca_core_stats_start(); all others after it. */
#include "held_backend.h"

#include <poll.h>
#include <sys/wait.h>

enum { TASKS = 8, LEN = 100, MANY = 1100 /* more than the statistics have room for */ };

static struct rig r;

static struct doca_core_ctx_stats of_ctx(const struct doca_ctx *ctx)
{
    struct doca_core_ctx_stats stats;

    memset(&stats, 0xff, sizeof(stats));
    CHECK_OK(doca_core_ctx_get_stats(ctx, &stats));
    return stats;
}

static struct doca_core_pe_stats of_pe(void)
{
    struct doca_core_pe_stats stats;

    memset(&stats, 0xff, sizeof(stats));
    CHECK_OK(doca_core_pe_get_stats(r.pe, &stats));
    return stats;
}

/* Check the number of tasks that a context has completed, failed and in flight. */
static void check_tasks(const struct doca_ctx *ctx, unsigned ok, unsigned failed, unsigned inflight)
{
    const struct doca_core_ctx_stats stats = of_ctx(ctx);

    CHECK(stats.is_counted);
    CHECK_EQ(stats.num_completed, ok);
    CHECK_EQ(stats.num_failed, failed);
    CHECK_EQ(stats.num_inflight, inflight);
    CHECK_EQ(stats.num_submitted, ok + failed + inflight);
    CHECK_EQ(stats.num_withdrawn, 0);
    CHECK_EQ(stats.num_events, 0);
}

static void open_counted(uint32_t num_tasks)
{
    CHECK_OK(doca_core_stats_start());
    rig_open(&r, num_tasks);
    r.frees_tasks = true;
}

static void copy_and_drain(unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++)
        (void)rig_copy(&r, r.dma, i * LEN, LEN);
    rig_drain(&r);
}

/* ---- counted events ---- */

static void without_a_start_only_tasks_in_flight_are_known(void)
{
    struct doca_core_ctx_stats ctx, none;
    struct doca_core_pe_stats pe, nothing;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    copy_and_drain(2);
    (void)rig_copy(&r, r.dma, 0, LEN);
    (void)rig_copy(&r, r.dma, LEN, LEN);
    memset(&none, 0, sizeof(none));
    memset(&nothing, 0, sizeof(nothing));
    none.num_inflight = nothing.num_inflight = 2;
    ctx = of_ctx(r.ctx);
    pe = of_pe();
    CHECK_EQ(memcmp(&ctx, &none, sizeof(ctx)), 0);
    CHECK_EQ(memcmp(&pe, &nothing, sizeof(pe)), 0);
    rig_drain(&r);
    rig_close(&r);
}

static void every_task_is_counted(void)
{
    unsigned i;

    open_counted(TASKS);
    check_tasks(r.ctx, 0, 0, 0);
    for (i = 0; i < 5; i++)
        (void)rig_copy(&r, r.dma, i * LEN, LEN + i);
    check_tasks(r.ctx, 0, 0, 5);
    CHECK_EQ(of_ctx(r.ctx).max_inflight, 5);
    CHECK(rig_progress(&r));
    check_tasks(r.ctx, 1, 0, 4);
    rig_drain(&r);
    check_tasks(r.ctx, 5, 0, 0);
    CHECK_EQ(of_ctx(r.ctx).num_bytes, 5 * LEN + 10);
    copy_and_drain(3);
    check_tasks(r.ctx, 8, 0, 0);
    CHECK_EQ(of_ctx(r.ctx).max_inflight, 5);
    CHECK_EQ(of_ctx(r.ctx).num_bytes, 8 * LEN + 10);
    CHECK_EQ(of_pe().num_submitted, 8);
    CHECK_EQ(of_pe().num_completed, 8);
    CHECK_EQ(of_pe().max_inflight, 5);
    CHECK_EQ(of_pe().num_bytes, 8 * LEN + 10);
    rig_close(&r);
}

static void task_without_a_later_poll_counts_for_the_maximum(void)
{
    open_counted(TASKS);
    copy_and_drain(1);
    (void)rig_copy(&r, r.dma, 0, LEN);
    (void)rig_copy(&r, r.dma, LEN, LEN);
    CHECK_EQ(of_ctx(r.ctx).max_inflight, 2);
    CHECK_EQ(of_pe().max_inflight, 2);
    rig_drain(&r);
    rig_close(&r);
}

static void bytes_of_a_list_are_added_up(void)
{
    struct doca_buf *src;

    open_counted(TASKS);
    src = rig_src(&r, 0, 100);
    CHECK_OK(doca_buf_chain_list(src, rig_src(&r, 200, 30)));
    CHECK_OK(rig_submit(rig_task(r.dma, src, rig_dst(&r, 0, 200))));
    rig_drain(&r);
    CHECK_EQ(of_ctx(r.ctx).num_bytes, 130);
    rig_close(&r);
}

/* A failed task stops the context, which flushes the tasks behind it. */
static void failed_and_flushed_tasks_have_no_bytes(void)
{
    unsigned i;

    held_begin();
    CHECK_OK(doca_core_stats_start());
    held_open_rig(&r, TASKS);
    r.frees_tasks = true;
    copy_and_drain(1);
    held.num_to_fail = 1;
    for (i = 0; i < 3; i++)
        (void)rig_copy(&r, r.dma, i * LEN, LEN);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(r.num_failed, 3);
    check_tasks(r.ctx, 1, 3, 0);
    CHECK_EQ(of_ctx(r.ctx).num_bytes, LEN);
    CHECK_EQ(of_pe().num_failed, 3);
    held_close_rig(&r);
}

static void task_that_is_not_accepted_is_not_counted(void)
{
    struct doca_dma_task_memcpy *task;

    open_counted(TASKS);
    task = rig_task(r.dma, NULL, rig_dst(&r, 0, LEN));
    CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
    rig_drain(&r);
    check_tasks(r.ctx, 0, 0, 0);
    CHECK_EQ(of_ctx(r.ctx).max_inflight, 0);
    rig_release(task);
    rig_close(&r);
}

/* The queue rejects a deferred task: the core completes it with the error. */
static void deferred_and_refused_tasks_are_counted(void)
{
    held_begin();
    CHECK_OK(doca_core_stats_start());
    held_open_rig(&r, TASKS);
    r.frees_tasks = true;
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, 0, LEN)), 0));
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, 0, LEN)), 0));
    check_tasks(r.ctx, 0, 0, 2);
    held.answer = DOCA_ERROR_NO_MEMORY;
    doca_ctx_flush_tasks(r.ctx);
    held.answer = DOCA_SUCCESS;
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 2);
    check_tasks(r.ctx, 0, 2, 0);
    CHECK_EQ(of_ctx(r.ctx).max_inflight, 2);
    held_close_rig(&r);
}

/* ---- polls ---- */

static void polls_that_find_nothing_are_counted(void)
{
    struct doca_core_ctx_stats ctx;
    struct doca_core_pe_stats pe;
    unsigned i;

    held_begin();
    CHECK_OK(doca_core_stats_start());
    held_open_rig(&r, TASKS);
    r.frees_tasks = true;
    ctx = of_ctx(r.ctx);
    pe = of_pe();
    held.budget = 0;
    (void)rig_copy(&r, r.dma, 0, LEN);
    for (i = 0; i < 7; i++)
        CHECK(!rig_progress(&r));
    CHECK_EQ(of_ctx(r.ctx).num_empty_polls - ctx.num_empty_polls, 7);
    CHECK_EQ(of_pe().num_empty_polls - pe.num_empty_polls, 7);
    held.budget = HELD_ALL;
    CHECK(rig_progress(&r));
    CHECK_EQ(of_ctx(r.ctx).num_empty_polls - ctx.num_empty_polls, 7);
    CHECK_EQ(of_pe().num_empty_polls - pe.num_empty_polls, 7);
    /* The first call polls the context. Later calls leave it out, because it has nothing in
     * flight. */
    for (i = 0; i < 3; i++)
        CHECK(!rig_progress(&r));
    CHECK_EQ(of_ctx(r.ctx).num_empty_polls - ctx.num_empty_polls, 8);
    CHECK_EQ(of_pe().num_empty_polls - pe.num_empty_polls, 10);
    held_close_rig(&r);
}

static void polls_of_a_pe_with_an_idle_ring_are_counted(void)
{
    uint64_t before;
    unsigned i;

    open_counted(TASKS);
    rig_drain(&r);
    before = of_pe().num_empty_polls;
    for (i = 0; i < 100; i++)
        CHECK(!rig_progress(&r));
    CHECK_EQ(of_pe().num_empty_polls - before, 100);
    rig_stop(&r, r.ctx);
    before = of_pe().num_empty_polls;
    for (i = 0; i < 100; i++)
        CHECK(!rig_progress(&r));
    CHECK_EQ(of_pe().num_empty_polls, before); /* no counted context is running */
    rig_close(&r);
}

/* ---- life of a context ---- */

static void counters_outlive_a_stop_but_not_the_context(void)
{
    open_counted(TASKS);
    copy_and_drain(3);
    rig_stop(&r, r.ctx);
    check_tasks(r.ctx, 3, 0, 0);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    copy_and_drain(2);
    check_tasks(r.ctx, 5, 0, 0);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_dma_destroy(r.dma));
    CHECK_EQ(of_pe().num_completed, 5); /* the PE still counts the tasks of the destroyed context */
    r.dma = rig_make_dma(&r, TASKS);
    r.ctx = doca_dma_as_ctx(r.dma);
    CHECK(!of_ctx(r.ctx).is_counted);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    check_tasks(r.ctx, 0, 0, 0);
    copy_and_drain(1);
    check_tasks(r.ctx, 1, 0, 0);
    CHECK_EQ(of_pe().num_completed, 6);
    rig_close(&r);
}

static void stopping_context_counts_its_flushed_tasks(void)
{
    unsigned i;

    held_begin();
    CHECK_OK(doca_core_stats_start());
    held_open_rig(&r, TASKS);
    r.frees_tasks = true;
    held.budget = 0;
    for (i = 0; i < 4; i++)
        (void)rig_copy(&r, r.dma, i * LEN, LEN);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK(rig_progress(&r)); /* reports STOPPING */
    CHECK(!rig_progress(&r));
    check_tasks(r.ctx, 0, 0, 4);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    check_tasks(r.ctx, 0, 4, 0);
    held_close_rig(&r);
}

static void contexts_of_one_pe_are_counted_apart_and_together(void)
{
    struct doca_dma *other;
    unsigned i;

    open_counted(TASKS);
    other = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
    rig_drain(&r);
    for (i = 0; i < 3; i++)
        (void)rig_copy(&r, r.dma, i * LEN, LEN);
    for (i = 0; i < 4; i++)
        (void)rig_copy(&r, other, i * LEN, LEN);
    CHECK_EQ(of_pe().num_inflight, 7);
    CHECK_EQ(of_pe().num_submitted, 7);
    while (rig_inflight(r.ctx) + rig_inflight(doca_dma_as_ctx(other)) > 0)
        (void)rig_progress(&r);
    check_tasks(r.ctx, 3, 0, 0);
    check_tasks(doca_dma_as_ctx(other), 4, 0, 0);
    CHECK_EQ(of_ctx(r.ctx).max_inflight, 3);
    CHECK_EQ(of_ctx(doca_dma_as_ctx(other)).max_inflight, 4);
    CHECK_EQ(of_pe().max_inflight, 7);
    CHECK_EQ(of_pe().num_completed, 7);
    CHECK_EQ(of_pe().num_bytes, 7 * LEN);
    rig_stop(&r, doca_dma_as_ctx(other));
    CHECK_OK(doca_dma_destroy(other));
    rig_close(&r);
}

static void contexts_beyond_the_room_work_without_counters(void)
{
    static struct doca_dma *dmas[MANY];
    unsigned i, num = 0;

    open_counted(TASKS);
    for (i = 0; i < MANY; i++) {
        dmas[i] = rig_make_dma(&r, 1);
        CHECK_OK(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(dmas[i]), NULL));
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dmas[i])));
        num += of_ctx(doca_dma_as_ctx(dmas[i])).is_counted;
    }
    CHECK(num > 900 && num <= 1008 - 2);
    CHECK(!of_ctx(doca_dma_as_ctx(dmas[MANY - 1])).is_counted);
    rig_drain(&r);
    (void)rig_copy(&r, dmas[0], 0, LEN);
    (void)rig_copy(&r, dmas[MANY - 1], 0, LEN);
    while (of_pe().num_inflight > 0)
        (void)rig_progress(&r);
    check_tasks(doca_dma_as_ctx(dmas[0]), 1, 0, 0);
    CHECK_EQ(r.num_ok, 2);
    CHECK_EQ(of_pe().num_completed, 1);
    for (i = 0; i < MANY; i++) {
        CHECK_OK(doca_ctx_stop(doca_dma_as_ctx(dmas[i])));
        CHECK_OK(doca_dma_destroy(dmas[i]));
    }
    rig_close(&r);
    open_counted(TASKS); /* the room is free again */
    check_tasks(r.ctx, 0, 0, 0);
    rig_close(&r);
}

static void armed_pe_wakes_for_a_counted_task(void)
{
    struct pollfd p = { 0, POLLIN, 0 };

    open_counted(TASKS);
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &p.fd));
    copy_and_drain(1);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(poll(&p, 1, 0), 0);
    (void)rig_copy(&r, r.dma, 0, LEN);
    CHECK_EQ(poll(&p, 1, 5000), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, p.fd));
    rig_drain(&r);
    check_tasks(r.ctx, 2, 0, 0);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(poll(&p, 1, 0), 0);
    CHECK_OK(doca_pe_clear_notification(r.pe, p.fd));
    rig_close(&r);
}

/* ---- other ways to run tasks ---- */

static void batch_done(struct doca_task_batch *batch, uint16_t num, union doca_data data,
                       union doca_data ctx_data)
{
    (void)num;
    (void)data;
    (void)ctx_data;
    r.num_callbacks++;
    doca_task_batch_free(batch);
}

static void tasks_of_a_batch_are_counted(void)
{
    const union doca_data none = { 0 };
    struct doca_dma_task_memcpy *tasks[4];
    struct doca_task_batch *batch;
    struct doca_buf *bufs[8];
    unsigned i;

    CHECK_OK(doca_core_stats_start());
    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                               batch_done, batch_done));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, none, &batch));
    for (i = 0; i < 4; i++) {
        bufs[2 * i] = rig_src(&r, i * LEN, LEN);
        bufs[2 * i + 1] = rig_dst(&r, i * LEN, LEN);
        tasks[i] = rig_task(r.dma, bufs[2 * i], bufs[2 * i + 1]);
        CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(tasks[i])));
    }
    CHECK_OK(doca_task_batch_submit(batch));
    check_tasks(r.ctx, 0, 0, 4);
    rig_drain(&r);
    check_tasks(r.ctx, 4, 0, 0);
    CHECK_EQ(of_ctx(r.ctx).num_bytes, 4 * LEN);
    for (i = 0; i < 8; i++)
        CHECK_OK(doca_buf_dec_refcount(bufs[i], NULL));
    rig_close(&r);
}

static unsigned num_runs;

static void run_done(struct doca_graph_instance *run, union doca_data data, union doca_data graph)
{
    (void)run;
    (void)data;
    (void)graph;
    num_runs++;
    r.num_callbacks++;
}

static doca_error_t user_node(void *cookie)
{
    (void)cookie;
    return DOCA_SUCCESS;
}

/* The task of a context node is counted in its context. User nodes are not counted. */
static void tasks_of_a_graph_are_counted_in_their_context(void)
{
    struct doca_graph_node *copy, *after;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_instance *run;
    struct doca_graph *graph;
    unsigned i;

    open_counted(TASKS);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, run_done, run_done, 1));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &copy));
    CHECK_OK(doca_graph_node_create_from_user(graph, user_node, &after));
    CHECK_OK(doca_graph_add_dependency(graph, copy, after));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &run));
    task = rig_prepare(&r, r.dma, 0, LEN);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(run, copy, doca_dma_task_memcpy_as_task(task)));
    CHECK_OK(doca_graph_instance_set_user_node_data(run, after, &num_runs));
    for (i = 1; i <= 3; i++) {
        CHECK_OK(doca_graph_instance_submit(run));
        CHECK_EQ(of_pe().num_inflight, 1);
        while (num_runs < i)
            (void)rig_progress(&r);
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
    }
    check_tasks(r.ctx, 3, 0, 0);
    CHECK_EQ(of_pe().num_completed, 3);
    CHECK_EQ(of_pe().max_inflight, 1);
    CHECK_OK(doca_graph_instance_destroy(run));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(task);
    rig_close(&r);
}

static void tasks_of_a_worker_are_counted(void)
{
    struct doca_core_sw_worker *worker;

    open_counted(TASKS);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_sw_worker_create(r.dev, &worker));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_EQ(doca_core_sw_worker_step(worker, 0), 0); /* from here on the worker serves */
    (void)rig_copy(&r, r.dma, 0, LEN);
    (void)rig_copy(&r, r.dma, 0, LEN);
    check_tasks(r.ctx, 0, 0, 2);
    while (r.num_ok < 2) {
        (void)doca_core_sw_worker_step(worker, 1);
        (void)rig_progress(&r);
    }
    check_tasks(r.ctx, 2, 0, 0);
    CHECK_EQ(of_ctx(r.ctx).max_inflight, 2);
    CHECK_EQ(of_ctx(r.ctx).num_bytes, 2 * LEN);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_sw_worker_destroy(worker));
    rig_close(&r);
}

static void on_event_task(struct doca_sync_event_task_notify_add *task, union doca_data data,
                          union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    r.num_callbacks++;
    doca_task_free(doca_sync_event_task_notify_add_as_doca_task(task));
}

static void tasks_without_bytes_are_counted(void)
{
    struct doca_sync_event_task_notify_add *task;
    const union doca_data none = { 0 };
    struct doca_sync_event *event;
    static uint64_t fetched;
    struct doca_ctx *ctx;

    open_counted(TASKS);
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, r.dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, r.dev));
    ctx = doca_sync_event_as_ctx(event);
    CHECK_OK(doca_sync_event_task_notify_add_set_conf(event, on_event_task, on_event_task, 2));
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_sync_event_task_notify_add_alloc_init(event, 1, &fetched, none, &task));
    CHECK_OK(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(task)));
    rig_drain(&r);
    check_tasks(ctx, 1, 0, 0);
    CHECK_EQ(of_ctx(ctx).num_bytes, 0);
    CHECK_EQ(of_pe().num_completed, 1);
    CHECK_OK(doca_ctx_stop(ctx));
    rig_drain(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    rig_close(&r);
}

/* ---- processes and arguments ---- */

static void forked_child_leaves_the_counters_of_its_parent_alone(void)
{
    pid_t pid;

    open_counted(TASKS);
    copy_and_drain(2);
    pid = test_peer();
    if (pid == 0) {
        CHECK(!of_ctx(r.ctx).is_counted);
        copy_and_drain(3);
        CHECK_EQ(r.num_ok, 5);
        CHECK_OK(doca_core_stats_start());
        CHECK(!of_ctx(r.ctx).is_counted);
        rig_stop(&r, r.ctx);
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
        copy_and_drain(1);
        check_tasks(r.ctx, 1, 0, 0);
        CHECK_EQ(of_pe().num_completed, 1);
        _exit(0);
    }
    PEER_REAP(pid);
    check_tasks(r.ctx, 2, 0, 0);
    copy_and_drain(1);
    check_tasks(r.ctx, 3, 0, 0);
    CHECK_EQ(of_pe().num_completed, 3);
    rig_close(&r);
}

static void arguments_are_checked(void)
{
    struct doca_core_ctx_stats ctx;
    struct doca_core_pe_stats pe;

    open_counted(TASKS);
    CHECK_OK(doca_core_stats_start()); /* again: no effect */
    CHECK_RC(doca_core_ctx_get_stats(NULL, &ctx), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_get_stats(r.ctx, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_pe_get_stats(NULL, &pe), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_pe_get_stats(r.pe, NULL), DOCA_ERROR_INVALID_VALUE);
    if (DOCA_CORE_CHECK >= 1) {
        CHECK_RC(doca_core_ctx_get_stats((struct doca_ctx *)(void *)r.pe, &ctx),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_core_pe_get_stats((struct doca_pe *)(void *)r.ctx, &pe),
                 DOCA_ERROR_INVALID_VALUE);
    }
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(without_a_start_only_tasks_in_flight_are_known, ""),
    CASE(every_task_is_counted, ""),
    CASE(task_without_a_later_poll_counts_for_the_maximum, ""),
    CASE(bytes_of_a_list_are_added_up, ""),
    CASE(failed_and_flushed_tasks_have_no_bytes, ""),
    CASE(task_that_is_not_accepted_is_not_counted, ""),
    CASE(deferred_and_refused_tasks_are_counted, ""),
    CASE(polls_that_find_nothing_are_counted, ""),
    CASE(polls_of_a_pe_with_an_idle_ring_are_counted, ""),
    CASE(counters_outlive_a_stop_but_not_the_context, ""),
    CASE(stopping_context_counts_its_flushed_tasks, ""),
    CASE(contexts_of_one_pe_are_counted_apart_and_together, ""),
    CASE(contexts_beyond_the_room_work_without_counters, ""),
    CASE(armed_pe_wakes_for_a_counted_task, ""),
    CASE(tasks_of_a_batch_are_counted, ""),
    CASE(tasks_of_a_graph_are_counted_in_their_context, ""),
    CASE(tasks_of_a_worker_are_counted, ""),
    CASE(tasks_without_bytes_are_counted, ""),
    CASE(forked_child_leaves_the_counters_of_its_parent_alone, ""),
    CASE(arguments_are_checked, ""),
};

TEST_MAIN(cases)

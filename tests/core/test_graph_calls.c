/* Graphs: calls from callbacks and user nodes, and the notification handle. */
#include "graph_support.h"

#include <sys/epoll.h>

static unsigned left; /* number of further submits */
static struct doca_task *again_task;

static unsigned num_nested;

static doca_error_t progress_in_node(void *cookie)
{
    (void)cookie;
    while (num_nested-- > 0)
        (void)doca_pe_progress(r.pe);
    num_nested = 0;
    return DOCA_SUCCESS;
}

static void end_graph(struct doca_graph_instance *ended)
{
    CHECK_OK(doca_graph_instance_destroy(ended));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
}

/* A user node must not call progress. If it does, the node fails, and the PE still works. */
static void progress_in_a_user_node_fails_the_node(void)
{
    struct doca_task *task;
    unsigned calls;
    size_t num;

    for (calls = 1; calls < 5; calls++) {
        open_graph(false, 8);
        node[0] = ctx_node(graph, r.ctx);
        CHECK_OK(doca_graph_node_create_from_user(graph, progress_in_node, &node[1]));
        node[2] = user_node(graph);
        edge(node[1], node[2]);
        edge(node[0], node[1]);
        CHECK_OK(doca_graph_start(graph));
        instance[0] = make_instance(graph);
        task = give_task(instance[0], node[0], 0);
        CHECK_OK(doca_graph_instance_submit(instance[0]));
        on_end = calls == 4 ? end_graph : NULL;
        num_nested = calls;
        for (r.in_progress = true; doca_pe_progress(r.pe);) /* rig_progress() permits no nesting */
            continue;
        r.in_progress = false;
        CHECK_STR(trace, "F");
        CHECK_OK(doca_pe_get_num_inflight_tasks(r.pe, &num));
        CHECK_EQ(num, 0);
        drop_task(task);
        if (calls == 4) {
            rig_close(&r);
            continue;
        }
        CHECK_OK(doca_graph_instance_destroy(instance[0]));
        close_graph(false);
    }
}

static void submit_again(struct doca_graph_instance *ended)
{
    trace[0] = '\0';
    empty(again_task);
    if (--left > 0)
        CHECK_OK(doca_graph_instance_submit(ended));
}

static void instance_can_run_a_million_times(void)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    const unsigned times = test_times(1000000);
    size_t used, now;

    again_task = open_pair(false);
    CHECK_OK(doca_core_arena_query(arena, &used, NULL, NULL));
    left = times;
    on_end = submit_again;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    while (left > 0)
        CHECK(rig_progress(&r));
    CHECK_EQ(num_completed, times);
    CHECK_EQ(num_user, times);
    CHECK_OK(doca_core_arena_query(arena, &now, NULL, NULL));
    CHECK_EQ(now, used);
    close_pair(false, again_task);
}

static bool destroys_graph;

static void destroy_all(struct doca_graph_instance *ended)
{
    CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_graph_instance_destroy(ended));
#if DOCA_CORE_CHECK >= 1
    CHECK_RC(doca_graph_instance_submit(ended), DOCA_ERROR_INVALID_VALUE);
#endif
    CHECK_OK(doca_graph_stop(graph));
    if (destroys_graph)
        CHECK_OK(doca_graph_destroy(graph));
}

static void callback_may_destroy_the_graph(void)
{
    struct doca_task *task;

    task = open_pair(false);
    on_end = destroy_all;
    destroys_graph = false;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    empty(task);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[0], task));
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    destroys_graph = true;
    rig_drain(&r);
    CHECK_EQ(num_completed, 2);
    drop_task(task);
    rig_close(&r);
}

static doca_error_t refuse_inside(void *is_first)
{
    note('r');
    if (is_first == NULL)
        return DOCA_SUCCESS;
    CHECK_RC(doca_graph_instance_destroy(instance[0]), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_graph_instance_submit(instance[0]), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_graph_destroy(graph), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_instance_submit(instance[1])); /* another instance may begin */
    return DOCA_SUCCESS;
}

static void user_node_cannot_end_its_own_instance(void)
{
    struct doca_task *task[2];

    open_graph(false, 8);
    node[0] = ctx_node(graph, r.ctx);
    CHECK_OK(doca_graph_node_create_from_user(graph, refuse_inside, &node[1]));
    edge(node[1], node[0]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    instance[1] = make_instance(graph);
    task[0] = give_task(instance[0], node[0], 0);
    task[1] = give_task(instance[1], node[0], 1);
    CHECK_OK(doca_graph_instance_set_user_node_data(instance[0], node[1], &r));
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_EQ(num_completed, 2);
    CHECK_OK(doca_graph_instance_destroy(instance[1]));
    drop_task(task[1]);
    close_pair(false, task[0]);
}

static bool is_readable(int epoll)
{
    struct epoll_event event;

    return epoll_wait(epoll, &event, 1, 0) == 1;
}

static void armed_pe_wakes_for_a_graph(void)
{
    struct doca_task *task = open_pair(true);
    struct epoll_event event = { .events = EPOLLIN };
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    doca_notification_handle_t handle;
    unsigned steps = 0;

    CHECK_OK(doca_pe_get_notification_handle(r.pe, &handle));
    CHECK_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, handle, &event), 0);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(epoll));
    held.full = true;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    CHECK(is_readable(epoll)); /* the node waits for room, and only progress can submit it */
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    held.full = false;
    held.budget = 0;
    CHECK(rig_progress(&r));
    CHECK(!rig_progress(&r));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(epoll)); /* the node waits for the device only */
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    held.budget = HELD_ALL;
    while (num_completed == 0) { /* one step for each wake-up */
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK(is_readable(epoll));
        CHECK_OK(doca_pe_clear_notification(r.pe, handle));
        CHECK(rig_progress(&r));
        steps++;
    }
    CHECK_EQ(steps, 3); /* the copy, the user node, the callback */
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(epoll));
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    close(epoll);
    close_pair(true, task);
}

static void waiting_for_room_does_not_wake_while_tasks_are_in_flight(void)
{
    struct doca_task *task = open_pair(true), *plain = make_task(r.dma, 5);
    struct epoll_event event = { .events = EPOLLIN };
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    doca_notification_handle_t handle;

    CHECK_OK(doca_pe_get_notification_handle(r.pe, &handle));
    CHECK_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, handle, &event), 0);
    held.budget = 0;
    CHECK_OK(doca_task_submit(plain));
    held.full = true;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(epoll));
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    held.full = false;
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    close(epoll);
    drop_task(plain);
    close_pair(true, task);
}

/* When a context stops, a node that waits for room in it can fail at once, even though a task of
 * the context is still in flight. This wakes the PE. The other contexts of the graph are not
 * involved. */
static void node_that_waits_wakes_the_pe_when_its_context_stops(void)
{
    struct doca_dma *dma = NULL;
    struct doca_task *task[2], *plain;
    struct epoll_event event = { .events = EPOLLIN };
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    doca_notification_handle_t handle;

    open_graph(true, 8);
    dma = rig_make_dma(&r, 1);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    node[0] = ctx_node(graph, doca_dma_as_ctx(dma));
    node[1] = ctx_node(graph, r.ctx);
    edge(node[0], node[1]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    task[0] = make_task(dma, 0);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[0], task[0]));
    task[1] = give_task(instance[0], node[1], 1);
    plain = make_task(r.dma, 5);
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &handle));
    CHECK_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, handle, &event), 0);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    held.full = true;
    rig_drain(&r);
    CHECK(is_copied(task[0]) && !is_copied(task[1])); /* the second task waits for room */
    held.full = false;
    held.budget = 0;
    CHECK_OK(doca_task_submit(plain));
    held.full = true;
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(epoll)); /* until the first task completes */
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, NULL)); /* a report of the state would wake */
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(is_readable(epoll));
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    while (rig_progress(&r))
        continue;
    CHECK_STR(trace, "F");
    CHECK_EQ(rig_inflight(r.ctx), 1);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_EQ(r.status, DOCA_ERROR_SHUTDOWN);
    close(epoll);
    drop_task(plain);
    drop_task(task[0]);
    rig_stop(&r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    close_pair(true, task[1]);
}

static const struct test_case cases[] = {
    CASE(progress_in_a_user_node_fails_the_node, ""),
    CASE(instance_can_run_a_million_times, "284"),
    CASE(callback_may_destroy_the_graph, "289"),
    CASE(user_node_cannot_end_its_own_instance, "279"),
    CASE(armed_pe_wakes_for_a_graph, ""),
    CASE(waiting_for_room_does_not_wake_while_tasks_are_in_flight, "286"),
    CASE(node_that_waits_wakes_the_pe_when_its_context_stops, "286"),
};

TEST_MAIN(cases)

/* Tasks of sync events, in a context and in graphs. */
#include "sync_event_support.h"

static void tasks_report_the_value(void)
{
    struct event_rig r;
    bool far;

    for (far = false;; far = true) {
        uint64_t was = 99, now = 99;

        event_open(&r, far);
        event_do(&r, event_add_task(&r, 5, &was));
        CHECK_EQ(was, 0);
        event_do(&r, event_add_task(&r, 2, &was));
        CHECK_EQ(was, 5);
        event_do(&r, event_get_task(&r, &now));
        CHECK_EQ(now, 7);
        event_do(&r, event_set_task(&r, 1ull << 40));
        event_do(&r, event_get_task(&r, &now));
        CHECK_EQ(now, 1ull << 40);
        event_close(&r);
        if (far)
            break;
    }
}

static void tasks_complete_in_the_order_of_submission(void)
{
    struct doca_task *tasks[3 * 4];
    uint64_t was[4], now[4];
    struct event_rig r;
    unsigned i;

    event_open(&r, false);
    for (i = 0; i < 4; i++) {
        tasks[3 * i] = event_set_task(&r, 100 * i);
        tasks[3 * i + 1] = event_add_task(&r, 10, &was[i]);
        tasks[3 * i + 2] = event_get_task(&r, &now[i]);
    }
    for (i = 0; i < 12; i++)
        CHECK_OK(doca_task_submit(tasks[i]));
    CHECK_EQ(rig_inflight(r.ctx), 12);
    for (i = 0; i < 12; i++) {
        CHECK_EQ(doca_pe_progress(r.pe), 1);
        CHECK_PTR(r.latest, tasks[i]);
    }
    CHECK_EQ(doca_pe_progress(r.pe), 0);
    for (i = 0; i < 4; i++) {
        CHECK_EQ(was[i], 100 * i);
        CHECK_EQ(now[i], 100 * i + 10);
    }
    for (i = 0; i < 12; i++)
        doca_task_free(tasks[i]);
    event_close(&r);
}

/* Hook that frees every completed task. */
static void free_task(struct event_rig *r, struct doca_task *task)
{
    (void)r;
    doca_task_free(task);
}

static void stop_and_drain(struct event_rig *r)
{
    doca_error_t rc = doca_ctx_stop(r->ctx);

    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    event_drain(r);
    CHECK_EQ(rig_state(r->ctx), DOCA_CTX_STATE_IDLE);
}

static void wait_task_completes_when_its_condition_holds(void)
{
    struct event_rig r;
    size_t i;

    for (i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        struct doca_task *wait;

        event_open(&r, false);
        r.on_task = free_task;
        wait = event_wait_task(&r, conditions[i].threshold, conditions[i].mask);
        CHECK_OK(doca_task_submit(wait));
        CHECK_EQ(event_drain(&r), 0);
        CHECK_OK(doca_task_submit(event_set_task(&r, conditions[i].value)));
        event_drain(&r);
        CHECK_EQ(r.num_ok, conditions[i].holds ? 2 : 1); /* the set task does not wait */
        CHECK_EQ(r.latest == wait, conditions[i].holds);
        stop_and_drain(&r);
        CHECK_EQ(r.num_failed, conditions[i].holds ? 0 : 1);
        CHECK_PTR(r.latest, wait);
        CHECK_RC(r.status, conditions[i].holds ? DOCA_SUCCESS : DOCA_ERROR_SHUTDOWN);
        event_close(&r);
    }
}

static void wait_tasks_complete_in_turn_as_the_value_rises(void)
{
    struct event_rig r;
    uint64_t was, i;

    event_open(&r, true);
    r.on_task = free_task;
    for (i = 0; i < EVENT_TASKS; i++) /* thresholds in a mixed order */
        CHECK_OK(doca_task_submit(event_wait_task(&r, i * 3 % EVENT_TASKS, ALL_BITS)));
    for (i = 0; i < EVENT_TASKS; i++) {
        CHECK_EQ(r.num_ok, 2 * i);
        CHECK_EQ(rig_inflight(r.ctx), EVENT_TASKS - i);
        CHECK_OK(doca_task_submit(event_add_task(&r, 1, &was)));
        event_drain(&r);
    }
    CHECK_EQ(r.num_ok, 2 * EVENT_TASKS);
    event_close(&r);
}

static void value_that_changed_back_is_read_again(void)
{
    struct event_rig r;

    event_open(&r, false);
    r.on_task = free_task;
    CHECK_OK(doca_task_submit(event_set_task(&r, 5)));
    CHECK_OK(doca_task_submit(event_wait_task(&r, 10, ALL_BITS)));
    event_drain(&r); /* the library has read 5, so the wait for 10 goes on */
    /* the condition of this task holds */
    CHECK_OK(doca_task_submit(event_wait_task(&r, 4, ALL_BITS)));
    event_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    CHECK_EQ(rig_inflight(r.ctx), 1);
    stop_and_drain(&r);
    event_close(&r);
}

/* Hook that submits the same task again, until todo is 0. */
static void submit_again(struct event_rig *r, struct doca_task *task)
{
    if (r->todo > 0) {
        r->todo--;
        CHECK_OK(doca_task_submit(task));
    } else {
        doca_task_free(task);
    }
}

static void waiting_and_other_tasks_do_not_starve_each_other(void)
{
    struct event_rig r;
    struct doca_task *wait, *set;
    unsigned num_waits = 0, i;

    event_open(&r, false);
    event_do(&r, event_set_task(&r, 1));
    r.on_task = submit_again;
    r.todo = 100;
    wait = event_wait_task(&r, 0, ALL_BITS);
    set = event_set_task(&r, 1);
    CHECK_OK(doca_task_submit(wait));
    CHECK_OK(doca_task_submit(set));
    for (i = 0; i < 50; i++) {
        CHECK_EQ(doca_pe_progress(r.pe), 1);
        num_waits += r.latest == wait;
    }
    CHECK(num_waits >= 20 && num_waits <= 30);
    event_drain(&r);
    event_close(&r);
}

static void wait_again(struct event_rig *r, struct doca_task *task)
{
    CHECK_PTR(r->latest, task);
    CHECK(r->todo > 0);
    r->todo--;
    CHECK_OK(doca_task_submit(task));
}

/* Wait tasks whose condition holds complete in the order of submission, even if each callback
 * submits its task again. */
static void wait_tasks_are_served_in_turn(void)
{
    struct doca_task *wait[EVENT_TASKS];
    struct event_rig r;
    unsigned i;

    event_open(&r, false);
    for (i = 0; i < EVENT_TASKS; i++) { /* the condition of the fourth task never holds */
        wait[i] = event_wait_task(&r, i == 3 ? 9 : 0, ALL_BITS);
        CHECK_OK(doca_task_submit(wait[i]));
    }
    event_do(&r, event_set_task(&r, 0));
    CHECK_EQ(r.num_ok, 1);
    CHECK_OK(doca_task_submit(event_set_task(&r, 1)));
    CHECK_EQ(doca_pe_progress(r.pe), 1);
    doca_task_free(r.latest);
    r.on_task = wait_again;
    r.todo = 20 * EVENT_TASKS;
    for (i = 0; i < 10 * EVENT_TASKS; i++) {
        if (i % EVENT_TASKS == 3)
            continue;
        CHECK_EQ(doca_pe_progress(r.pe), 1);
        CHECK_PTR(r.latest, wait[i % EVENT_TASKS]);
    }
    r.on_task = free_task;
    stop_and_drain(&r);
    CHECK_EQ(r.num_failed, EVENT_TASKS);
    event_close(&r);
}

static void graph_ended(struct doca_graph_instance *instance, union doca_data instance_data,
                        union doca_data graph_data)
{
    (void)instance;
    (void)instance_data;
    (void)graph_data;
}

/* While a task runs for a node, its parameters can be read but not changed. */
static void tasks_run_in_a_graph_and_can_be_read(void)
{
    struct doca_graph_instance *instance;
    struct doca_graph_node *node[4];
    struct doca_graph *graph;
    struct doca_task *task[4];
    uint64_t got = 0, was = 0;
    struct event_rig r;
    unsigned i;

    event_open(&r, false);
    task[0] = event_set_task(&r, 7);
    task[1] = event_add_task(&r, 5, &was);
    task[2] = event_get_task(&r, &got);
    task[3] = event_wait_task(&r, 11, 0xff);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &node[i]));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, node[i], task[i]));
    CHECK_OK(doca_graph_instance_submit(instance));
    CHECK_EQ(rig_inflight(r.ctx), 4);
    CHECK_EQ(doca_sync_event_task_notify_set_get_set_val((void *)task[0]), 7);
    CHECK_EQ(doca_sync_event_task_notify_add_get_inc_val((void *)task[1]), 5);
    CHECK_PTR(doca_sync_event_task_notify_add_get_fetched_val_ptr((void *)task[1]), &was);
    CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr((void *)task[2]), &got);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_wait_val((void *)task[3]), 11);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_mask((void *)task[3]), 0xff);
    doca_sync_event_task_notify_set_set_set_val((void *)task[0], 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_OWNED);
    event_drain(&r);
    CHECK_EQ(was, 7);
    CHECK_EQ(got, 12);
    CHECK_EQ(r.num_ok, 0); /* tasks of a graph have no callbacks */
    for (i = 0; i < 4; i++)
        doca_task_free(task[i]);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    event_close(&r);
}

static void task_without_a_result_pointer_is_refused(void)
{
    struct doca_sync_event_task_get *get;
    struct doca_sync_event_task_notify_add *add;
    struct event_rig r;
    uint64_t place = 9;

    event_open(&r, false);
    CHECK_OK(doca_sync_event_task_get_alloc_init(r.event, NULL, (union doca_data){ 0 }, &get));
    CHECK_OK(doca_sync_event_task_notify_add_alloc_init(r.event, 1, NULL, (union doca_data){ 0 },
                                                        &add));
    CHECK_RC(doca_task_submit(doca_sync_event_task_get_as_doca_task(get)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_try_submit(doca_sync_event_task_get_as_doca_task(get)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(add)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_try_submit(doca_sync_event_task_notify_add_as_doca_task(add)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_BUFFER);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    doca_sync_event_task_get_set_ret_val_ptr(get, &place);
    CHECK_OK(doca_task_try_submit(doca_sync_event_task_get_as_doca_task(get)));
    event_drain(&r);
    CHECK_EQ(place, 0);
    doca_task_free(doca_sync_event_task_get_as_doca_task(get));
    doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));
    event_close(&r);
}

static void task_keeps_its_parameters_until_they_are_set(void)
{
    struct doca_sync_event_task_get *get;
    struct doca_sync_event_task_notify_set *set;
    struct doca_sync_event_task_notify_add *add;
    struct doca_sync_event_task_wait_gt *wait;
    union doca_data data = { .u64 = 77 };
    uint64_t a = 0, b = 0;
    struct event_rig r;

    event_open(&r, false);
    CHECK_OK(doca_sync_event_task_get_alloc_init(r.event, &a, data, &get));
    CHECK_OK(doca_sync_event_task_notify_set_alloc_init(r.event, 1, data, &set));
    CHECK_OK(doca_sync_event_task_notify_add_alloc_init(r.event, 2, &a, data, &add));
    CHECK_OK(doca_sync_event_task_wait_gt_alloc_init(r.event, 3, 4, data, &wait));
    CHECK_EQ(doca_task_get_user_data(doca_sync_event_task_wait_gt_as_doca_task(wait)).u64, 77);
    CHECK_PTR(doca_task_get_ctx(doca_sync_event_task_get_as_doca_task(get)), r.ctx);
    CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr(get), &a);
    CHECK_EQ(doca_sync_event_task_notify_set_get_set_val(set), 1);
    CHECK_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 2);
    CHECK_PTR(doca_sync_event_task_notify_add_get_fetched_val_ptr(add), &a);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_wait_val(wait), 3);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_mask(wait), 4);
    doca_sync_event_task_get_set_ret_val_ptr(get, &b);
    doca_sync_event_task_notify_set_set_set_val(set, 11);
    doca_sync_event_task_notify_add_set_inc_val(add, 12);
    doca_sync_event_task_notify_add_set_fetched_val_ptr(add, &b);
    doca_sync_event_task_wait_gt_set_wait_val(wait, 13);
    doca_sync_event_task_wait_gt_set_mask(wait, 0xff);
    CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr(get), &b);
    CHECK_EQ(doca_sync_event_task_notify_set_get_set_val(set), 11);
    CHECK_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 12);
    CHECK_PTR(doca_sync_event_task_notify_add_get_fetched_val_ptr(add), &b);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_wait_val(wait), 13);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_mask(wait), 0xff);
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(wait)));
    doca_sync_event_task_wait_gt_set_mask(wait, 0); /* in flight, so no effect */
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_OWNED);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_mask(wait), 0xff);
    event_do(&r, doca_sync_event_task_notify_add_as_doca_task(add)); /* 12 does not end the wait */
    CHECK_EQ(b, 0);
    doca_sync_event_task_notify_set_set_set_val(set, 14);
    CHECK_OK(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(set)));
    event_drain(&r);
    CHECK_PTR(r.latest, doca_sync_event_task_wait_gt_as_doca_task(wait));
    if (DOCA_CORE_CHECK >= 1) { /* a handle of another type is refused */
        CHECK_EQ(doca_sync_event_task_wait_gt_get_mask((void *)set), 0);
        CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr((void *)set), NULL);
        CHECK_EQ(doca_sync_event_task_notify_set_get_set_val((void *)get), 0);
        doca_sync_event_task_notify_set_set_set_val((void *)get, 0);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEAD_HANDLE);
        CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr(get), &b);
    }
    doca_task_free(doca_sync_event_task_get_as_doca_task(get));
    doca_task_free(doca_sync_event_task_notify_set_as_doca_task(set));
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(wait));
    event_close(&r);
}

static void number_of_tasks_of_each_type_is_limited(void)
{
    struct doca_task *tasks[EVENT_TASKS];
    struct doca_sync_event_task_wait_gt *wait;
    struct doca_sync_event_task_get *get;
    struct event_rig r;
    unsigned i;

    event_open(&r, false);
    for (i = 0; i < EVENT_TASKS; i++)
        tasks[i] = event_wait_task(&r, 1, ALL_BITS);
    CHECK_RC(doca_sync_event_task_wait_gt_alloc_init(r.event, 1, 1, (union doca_data){ 0 }, &wait),
             DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_sync_event_task_get_alloc_init(r.event, NULL, (union doca_data){ 0 }, &get));
    CHECK_RC(doca_sync_event_destroy(r.event), DOCA_ERROR_IN_USE);
    doca_task_free(tasks[0]);
    tasks[0] = event_wait_task(&r, 1, ALL_BITS);
    for (i = 0; i < EVENT_TASKS; i++)
        doca_task_free(tasks[i]);
    doca_task_free(doca_sync_event_task_get_as_doca_task(get));
    event_close(&r);
}

static void context_starts_and_stops_without_a_device(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event;
    struct event_rig r;
    uint64_t now = 99;
    unsigned i;

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_dpu(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
    event_build_ctx(&r, dev, event);
    CHECK_OK(doca_dev_close(dev)); /* the event does not keep the device open */
    r.on_task = free_task;
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_ctx_start(r.ctx));
        CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_BAD_STATE);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
        CHECK_OK(doca_task_submit(event_get_task(&r, &now)));
        CHECK_OK(doca_task_submit(event_wait_task(&r, i, ALL_BITS)));
        CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
        event_drain(&r);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_RC(r.status, DOCA_ERROR_SHUTDOWN);
    }
    CHECK_EQ(r.num_failed, 6); /* stop flushes tasks that have not begun */
    CHECK_EQ(now, 99);
    event_start(&r);
    event_close_ctx(&r);
}

static const struct test_case cases[] = {
    CASE(tasks_report_the_value, "264"),
    CASE(tasks_complete_in_the_order_of_submission, "264"),
    CASE(wait_task_completes_when_its_condition_holds, "258"),
    CASE(wait_tasks_complete_in_turn_as_the_value_rises, "207 258"),
    CASE(value_that_changed_back_is_read_again, ""),
    CASE(waiting_and_other_tasks_do_not_starve_each_other, ""),
    CASE(tasks_run_in_a_graph_and_can_be_read, ""),
    CASE(wait_tasks_are_served_in_turn, ""),
    CASE(task_without_a_result_pointer_is_refused, ""),
    CASE(task_keeps_its_parameters_until_they_are_set, ""),
    CASE(number_of_tasks_of_each_type_is_limited, "202"),
    CASE(context_starts_and_stops_without_a_device, "263"),
};

TEST_MAIN(cases)

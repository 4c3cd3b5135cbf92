/* Graphs: nodes, instances and contexts that fail. */
#include "graph_support.h"

#include <setjmp.h>

static void failing_node_fails_the_instance(void)
{
    struct doca_dma *dma;
    struct doca_task *task[3];
    unsigned i;

    /* node 0 fails; node 1, on another context, runs; 2 depends on 0; 3 depends on 1 */
    open_graph(true, 4);
    dma = rig_make_dma(&r, 4);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    rig_drain(&r);
    node[0] = ctx_node(graph, r.ctx);
    node[1] = ctx_node(graph, doca_dma_as_ctx(dma));
    node[2] = ctx_node(graph, doca_dma_as_ctx(dma));
    node[3] = user_node(graph);
    edge(node[0], node[2]);
    edge(node[1], node[3]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    task[0] = give_task(instance[0], node[0], 0);
    for (i = 1; i < 3; i++) {
        task[i] = make_task(dma, i);
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[i], task[i]));
    }
    held.budget = 0;
    held.num_to_fail = 1;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    held.budget = 1;
    while (rig_progress(&r))
        continue;
    CHECK_EQ(rig_inflight(r.ctx) + rig_inflight(doca_dma_as_ctx(dma)), 1);
    CHECK_STR(trace, ""); /* the error callback waits for the task that still runs */
    CHECK_RC(doca_graph_instance_destroy(instance[0]), DOCA_ERROR_IN_USE);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_STR(trace, "F"); /* neither the user node nor the third copy ran */
    CHECK(!is_copied(task[2]));
    CHECK_EQ(is_copied(task[0]) + is_copied(task[1]), 1);
    CHECK_EQ(r.num_ok + r.num_failed, 0);

    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    for (i = 0; i < 3; i++)
        drop_task(task[i]); /* the program owns the tasks again */
    rig_drain(&r);
    CHECK_EQ((rig_state(r.ctx) == DOCA_CTX_STATE_IDLE) +
                 (rig_state(doca_dma_as_ctx(dma)) == DOCA_CTX_STATE_IDLE),
             1); /* a failed task breaks its context */
    rig_stop(&r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    close_graph(true);
}

static void result_of_a_user_node_decides(void)
{
    struct doca_task *task;

    task = open_pair(false);
    user_answer = DOCA_ERROR_NOT_FOUND;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "uF");
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_GRAPH_FAILED); /* the line also names the error code */
    CHECK(strstr(test_log_text, "NOT_FOUND") != NULL);
    user_answer = DOCA_SUCCESS;
    empty(task);
    CHECK_OK(doca_graph_instance_submit(instance[0])); /* the instance can be submitted again */
    rig_drain(&r);
    CHECK_STR(trace, "uFuC");
    user_answer = (doca_error_t)256; /* not a valid error code, but a failure */
    empty(task);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "uFuCuF");
    close_pair(false, task);
}

static void refused_task_fails_its_node(void)
{
    struct doca_task *first, *second;
    struct doca_buf *dst;

    open_graph(true, 8);
    node[0] = ctx_node(graph, r.ctx);
    node[1] = ctx_node(graph, r.ctx);
    node[2] = user_node(graph);
    edge(node[0], node[1]);
    edge(node[1], node[2]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    first = give_task(instance[0], node[0], 0);
    second = give_task(instance[0], node[1], 1);
    dst = doca_dma_task_memcpy_get_dst(as_copy(second));
    doca_dma_task_memcpy_set_dst(as_copy(second), NULL); /* permitted, as it is not a root */
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "F");
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_BUFFER);
    doca_dma_task_memcpy_set_dst(as_copy(second), dst);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING); /* the task never reached the device */
    empty(first);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_EQ(num_user, 1);
    CHECK_EQ(num_completed, 1);
    drop_task(second);
    close_pair(true, first);
}

/* A task with an error fails its node. Check level 2 finds the error before the device does, so the
 * context continues to run. */
static void task_with_an_error_fails_its_node(void)
{
    struct doca_task *first, *second;
    struct doca_buf *dst, *small;

    open_graph(true, 8);
    node[0] = ctx_node(graph, r.ctx);
    node[1] = ctx_node(graph, r.ctx);
    edge(node[0], node[1]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    first = give_task(instance[0], node[0], 0);
    second = give_task(instance[0], node[1], 1);
    dst = doca_dma_task_memcpy_get_dst(as_copy(second));
    small = rig_dst(&r, 64, LEN - 1);
    doca_dma_task_memcpy_set_dst(as_copy(second), small);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    while (num_failed == 0)
        CHECK(rig_progress(&r));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_ROOM);
    CHECK_EQ(rig_state(r.ctx),
             DOCA_CORE_CHECK >= 2 ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_STOPPING);
    doca_dma_task_memcpy_set_dst(as_copy(second), dst);
    CHECK_OK(doca_buf_dec_refcount(small, NULL));
    drop_task(second);
    close_pair(true, first);
}

static void stopped_context_fails_its_instances(void)
{
    struct doca_task *task[4];
    unsigned i, full;

    for (full = 0; full < 2; full++) { /* the tasks are in flight, or wait for room */
        open_graph(true, 8);
        node[0] = ctx_node(graph, r.ctx);
        node[1] = ctx_node(graph, r.ctx);
        edge(node[0], node[1]);
        CHECK_OK(doca_graph_start(graph));
        held.full = full != 0;
        held.budget = 0;
        for (i = 0; i < 2; i++) {
            instance[i] = make_instance(graph);
            task[2 * i] = give_task(instance[i], node[0], 2 * i);
            task[2 * i + 1] = give_task(instance[i], node[1], 2 * i + 1);
            CHECK_OK(doca_graph_instance_submit(instance[i]));
        }
        CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
        held.budget = HELD_ALL;
        rig_drain(&r);
        CHECK_STR(trace, "FF");
        CHECK_EQ(pe_inflight(), 0);
        for (i = 0; i < 4; i++) {
            CHECK(!is_copied(task[i]));
            drop_task(task[i]);
        }
        rig_drain(&r);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_graph_instance_destroy(instance[0]));
        CHECK_OK(doca_graph_instance_destroy(instance[1]));
        close_graph(true);
    }
}

static void waiting_node_of_a_failed_instance_never_runs(void)
{
    struct doca_task *task;

    open_graph(true, 8); /* roots: a copy that waits for room, and a user node that fails */
    node[0] = ctx_node(graph, r.ctx);
    node[1] = user_node(graph);
    node[2] = user_node(graph);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    task = give_task(instance[0], node[0], 0);
    give_letter(instance[0], node[1], 'u');
    give_letter(instance[0], node[2], 'v');
    held.full = true;
    user_answer = DOCA_ERROR_BAD_STATE;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "uF"); /* the waiting copy is dropped at once */
    CHECK_EQ(pe_inflight(), 0);
    held.full = false;
    CHECK_EQ(rig_drain(&r), 0);
    CHECK(!is_copied(task));
    close_pair(true, task);
}

static void program_owns_a_finished_task_again(void)
{
    open_graph(true, 8);
    node[0] = ctx_node(graph, r.ctx);
    CHECK_OK(doca_graph_node_create_from_user(graph, reuse_and_fail, &node[1]));
    edge(node[0], node[1]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    finished_run = NULL;
    finished_task = give_task(instance[0], node[0], 0);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    held.budget = 1;
    rig_drain(&r);
    CHECK_STR(trace, "fF");
    CHECK_EQ(rig_inflight(r.ctx), 1); /* the end of the instance did not change the task */
    CHECK_RC(doca_task_submit(finished_task), DOCA_ERROR_BAD_STATE);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    close_pair(true, finished_task);
}

static jmp_buf way_out;

static doca_error_t leave_by_longjmp(void *cookie)
{
    (void)cookie;
    note('l');
    longjmp(way_out, 1);
}

static void leave_callback_by_longjmp(struct doca_graph_instance *ended)
{
    (void)ended;
    r.num_callbacks--; /* longjmp() skips the check in rig_progress() */
    longjmp(way_out, 1);
}

static void callback_may_leave_by_longjmp(void)
{
    struct doca_task *task;
    volatile int jumps = 0;

    open_graph(false, 8);
    node[0] = ctx_node(graph, r.ctx);
    CHECK_OK(doca_graph_node_create_from_user(graph, leave_by_longjmp, &node[1]));
    node[2] = user_node(graph);
    edge(node[0], node[1]);
    edge(node[1], node[2]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    task = give_task(instance[0], node[0], 0);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    on_end = leave_callback_by_longjmp;
    if (setjmp(way_out) != 0)
        jumps++;
    rig_drain(&r);
    CHECK_EQ(jumps, 2);
    CHECK_STR(trace, "lF"); /* the node that did not return has failed */
    close_pair(false, task);
}

/* The function of a user node which calls progress; that call completes another task with a
 * failure. */
static doca_error_t progress_to_a_failure(void *cookie)
{
    (void)cookie;
    num_user++;
    held.num_to_fail = 1;
    held.budget = 1;
    CHECK_EQ(doca_pe_progress(r.pe), 1);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    return DOCA_SUCCESS;
}

/* When a user node has called progress and another task of its instance has failed in that call,
 * the library does not run the later nodes of the chain, in this call of progress or a later
 * one. */
static void nodes_of_a_failed_instance_do_not_run(void)
{
    struct doca_task *task[2];
    unsigned before, i;

    for (before = 0; before < 3; before++) {
        /* two copies; after copy 0 a chain: `before` nodes, the node that calls progress, two
         * nodes */
        open_graph(true, 8);
        node[0] = ctx_node(graph, r.ctx);
        node[1] = ctx_node(graph, r.ctx);
        for (i = 2; i < before + 5; i++) {
            if (i == before + 2)
                CHECK_OK(doca_graph_node_create_from_user(graph, progress_to_a_failure, &node[i]));
            else
                node[i] = user_node(graph);
            edge(node[i == 2 ? 0 : i - 1], node[i]);
        }
        CHECK_OK(doca_graph_start(graph));
        instance[0] = make_instance(graph);
        task[0] = give_task(instance[0], node[0], 0);
        task[1] = give_task(instance[0], node[1], 1);
        for (i = 2; i < before + 5; i++)
            give_letter(instance[0], node[i], i < before + 2 ? 'b' : 'u');
        held.budget = 1;
        CHECK_OK(doca_graph_instance_submit(instance[0]));
        for (r.in_progress = true; doca_pe_progress(r.pe);) /* rig_progress() permits no nesting */
            continue;
        r.in_progress = false;
        CHECK_STR(trace, &"bbF"[2 - before]);
        CHECK_EQ(pe_inflight(), 0);
        CHECK_OK(doca_graph_instance_destroy(instance[0]));
        drop_task(task[0]);
        drop_task(task[1]);
        close_graph(true);
    }
}

/* When one instance fails, another instance runs all its nodes and completes. */
static void failed_instance_does_not_affect_another(void)
{
    struct doca_task *task[2];
    unsigned i;

    open_graph(true, 8);
    node[0] = ctx_node(graph, r.ctx);
    CHECK_OK(doca_graph_node_create_from_user(graph, progress_to_a_failure, &node[1]));
    node[2] = user_node(graph);
    edge(node[0], node[1]);
    edge(node[1], node[2]);
    CHECK_OK(doca_graph_start(graph));
    held.budget = 1;
    for (i = 0; i < 2; i++) {
        instance[i] = make_instance(graph);
        task[i] = give_task(instance[i], node[0], i);
        give_letter(instance[i], node[2], (char)('0' + i));
        CHECK_OK(doca_graph_instance_submit(instance[i]));
    }
    for (r.in_progress = true; doca_pe_progress(r.pe);) /* rig_progress() permits no nesting */
        continue;
    r.in_progress = false;
    CHECK_EQ(num_completed, 1);
    CHECK_EQ(num_failed, 1);
    CHECK(strchr(trace, '0') != NULL && strchr(trace, '1') == NULL);
    CHECK_EQ(num_user, 2); /* once in each instance */
    CHECK_EQ(pe_inflight(), 0);
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_graph_instance_destroy(instance[i]));
        drop_task(task[i]);
    }
    close_graph(true);
}

static unsigned fails_at; /* the user node that fails, in the order of calls from 1; 0: none */
/* The node returns an error, leaves by longjmp(), or calls progress. */
static enum { FAIL_RETURNS, FAIL_JUMPS, FAIL_PROGRESSES, NUM_FAILS } failure;

static doca_error_t user_that_may_fail(void *cookie)
{
    (void)user(cookie);
    if (num_user != fails_at)
        return DOCA_SUCCESS;
    if (failure == FAIL_RETURNS)
        return DOCA_ERROR_IO_FAILED;
    if (failure == FAIL_JUMPS)
        longjmp(way_out, 1);
    CHECK_EQ(doca_pe_progress(r.pe), 1);
    return DOCA_SUCCESS;
}

static unsigned num_calls;

static void progress_to_the_end(void)
{
    for (r.in_progress = true; doca_pe_progress(r.pe);) /* rig_progress() permits no nesting */
        num_calls++;
    r.in_progress = false;
}

/* Run the instance. Return the number of calls of progress that returned 1. */
static unsigned run_chains(void)
{
    clear_trace();
    num_calls = 0;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    (void)setjmp(way_out);
    progress_to_the_end();
    CHECK_EQ(pe_inflight(), 0);
    return num_calls;
}

/* Several chains of user nodes of one instance run in one call of progress. After the first failure
 * no other node runs, and the instance can be submitted again. */
static void chains_of_user_nodes_run_in_one_call(void)
{
    struct doca_task *task;
    unsigned joins, i, k;

    for (joins = 0; joins < 2; joins++) {
        /* a copy, a user node, three chains of two nodes, and if `joins` is 1 a last node */
        open_graph(false, 8);
        node[0] = ctx_node(graph, r.ctx);
        for (i = 1; i < 8 + joins; i++)
            CHECK_OK(doca_graph_node_create_from_user(graph, user_that_may_fail, &node[i]));
        edge(node[0], node[1]);
        for (i = 2; i < 8; i++)
            edge(node[i % 2 == 0 ? 1 : i - 1], node[i]);
        for (i = 3; joins && i < 8; i += 2)
            edge(node[i], node[8]);
        CHECK_OK(doca_graph_start(graph));
        instance[0] = make_instance(graph);
        task = give_task(instance[0], node[0], 0);
        for (i = 1; i < 8 + joins; i++)
            give_letter(instance[0], node[i], (char)('a' + i - 1));
        for (failure = 0; failure < NUM_FAILS; failure++) {
            for (i = 1; i < 8 + joins; i++) {
                fails_at = i;
                run_chains();
                CHECK_EQ(num_user, i);
                CHECK_EQ(trace[i], 'F');
                empty(task);
                fails_at = 0;
                CHECK_EQ(run_chains(), 3); /* the copy, the user nodes, the callback */
                CHECK_EQ(strlen(trace), 8 + joins);
                CHECK_EQ(trace[7 + joins], 'C');
                for (k = 1; k < 7; k += 2) /* in the order of each chain */
                    CHECK(strchr(trace, 'a') < strchr(trace, 'a' + (int)k) &&
                          strchr(trace, 'a' + (int)k) < strchr(trace, 'b' + (int)k));
                CHECK(!joins || trace[7] == 'h');
                empty(task);
            }
        }
        close_pair(false, task);
    }
}

static DOCA_CORE_ALIGNED unsigned char graph_memory[DOCA_CORE_BYTES_GRAPH(3, 2, 5)];

/* When the creation of a node with a sub-graph fails, the sub-graph is not in use. */
static void failed_node_does_not_use_its_sub_graph(void)
{
    struct doca_core_arena arena;
    struct doca_graph *outer;
    struct doca_graph_node *n = NULL;
    doca_error_t rc;

    open_graph(false, 8);
    ctx_node(graph, r.ctx);
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_core_arena_init(&arena, graph_memory, DOCA_CORE_BYTES_GRAPH(3, 2, 5)));
    CHECK_OK(doca_core_graph_create_in(&arena, r.pe, &outer));
    do
        rc = doca_graph_node_create_from_user(outer, user, &n);
    while (rc == DOCA_SUCCESS);
    n = NULL;
    CHECK_RC(doca_graph_node_create_from_graph(outer, graph, &n), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(n, NULL);
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    CHECK_OK(doca_graph_destroy(outer));
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(failing_node_fails_the_instance, "282"),
    CASE(result_of_a_user_node_decides, "283 284"),
    CASE(refused_task_fails_its_node, "282"),
    CASE(task_with_an_error_fails_its_node, "282"),
    CASE(stopped_context_fails_its_instances, "282"),
    CASE(waiting_node_of_a_failed_instance_never_runs, "282"),
    CASE(program_owns_a_finished_task_again, "282"),
    CASE(callback_may_leave_by_longjmp, ""),
    CASE(nodes_of_a_failed_instance_do_not_run, ""),
    CASE(failed_instance_does_not_affect_another, ""),
    CASE(chains_of_user_nodes_run_in_one_call, ""),
    CASE(failed_node_does_not_use_its_sub_graph, ""),
};

TEST_MAIN(cases)

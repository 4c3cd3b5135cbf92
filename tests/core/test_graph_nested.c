/* Graphs as nodes of other graphs. */
#include "graph_support.h"

/* Nested graphs: each has a copy, then a node with the next inner graph, then a user node. */
enum { DEPTH = 4 };

static struct doca_graph *level[DEPTH];
static struct doca_graph_node *copy_at[DEPTH], *sub_at[DEPTH], *call_at[DEPTH];
static struct doca_graph_instance *run_at[DEPTH];
static struct doca_task *task_at[DEPTH];

static void open_levels(void)
{
    unsigned i;

    open_graph(true, 2 * DEPTH);
    for (i = 0; i < DEPTH; i++) { /* graph 0 is the innermost */
        level[i] = i == 0 ? graph : make_graph();
        copy_at[i] = ctx_node(level[i], r.ctx);
        call_at[i] = user_node(level[i]);
        if (i == 0) {
            CHECK_OK(doca_graph_add_dependency(level[i], copy_at[i], call_at[i]));
        } else {
            CHECK_OK(doca_graph_node_create_from_graph(level[i], level[i - 1], &sub_at[i]));
            CHECK_OK(doca_graph_add_dependency(level[i], copy_at[i], sub_at[i]));
            CHECK_OK(doca_graph_add_dependency(level[i], sub_at[i], call_at[i]));
        }
        CHECK_OK(doca_graph_start(level[i]));
        run_at[i] = make_instance(level[i]);
        task_at[i] = give_task(run_at[i], copy_at[i], i);
        give_letter(run_at[i], call_at[i], (char)('0' + i));
        if (i > 0)
            CHECK_OK(doca_graph_instance_set_sub_graph_node_data(run_at[i], sub_at[i],
                                                                 run_at[i - 1]));
    }
}

static void close_levels(void)
{
    unsigned i;

    for (i = DEPTH; i-- > 0;) {
        CHECK_OK(doca_graph_instance_destroy(run_at[i]));
        drop_task(task_at[i]);
    }
    for (i = DEPTH; i-- > 1;) {
        CHECK_OK(doca_graph_stop(level[i]));
        CHECK_OK(doca_graph_destroy(level[i]));
    }
    close_graph(true);
}

static void sub_graphs_run_in_order(void)
{
    unsigned i, again;

    open_levels();
    for (again = 0; again < 3; again++) {
        trace[0] = '\0';
        for (i = 0; i < DEPTH; i++)
            empty(task_at[i]);
        CHECK_OK(doca_graph_instance_submit(run_at[DEPTH - 1]));
        rig_drain(&r);
        CHECK_STR(trace, "0123C"); /* only the outermost instance has a callback */
        for (i = 0; i < DEPTH; i++)
            CHECK(is_copied(task_at[i]));
    }
    empty(task_at[0]);
    trace[0] = '\0';
    /* the inner instance has a callback when it is submitted by itself */
    CHECK_OK(doca_graph_instance_submit(run_at[0]));
    rig_drain(&r);
    CHECK_STR(trace, "0C");
    close_levels();
}

static void sub_instance_belongs_to_its_running_parent(void)
{
    unsigned i;

    open_levels();
    held.budget = 0;
    CHECK_OK(doca_graph_instance_submit(run_at[DEPTH - 1]));
    for (i = 0; i < DEPTH; i++) { /* the inner instances have not begun */
        CHECK_RC(doca_graph_instance_submit(run_at[i]), DOCA_ERROR_IN_USE);
        CHECK_RC(doca_graph_instance_destroy(run_at[i]), DOCA_ERROR_IN_USE);
        CHECK_RC(doca_graph_instance_set_ctx_node_data(run_at[i], copy_at[i], task_at[i]),
                 DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_task_submit(task_at[i]), DOCA_ERROR_BAD_STATE);
    }
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_STR(trace, "0123C");
    /* each of these instances is node data of its parent */
    for (i = 0; i + 1 < DEPTH; i++)
        CHECK_RC(doca_graph_instance_destroy(run_at[i]), DOCA_ERROR_IN_USE);
    close_levels();
}

static void parent_with_a_running_sub_instance_is_refused(void)
{
    struct doca_graph_instance *other;
    unsigned i;

    open_levels();
    held.budget = 0;
    CHECK_OK(doca_graph_instance_submit(run_at[0]));
    CHECK_REFUSED(run_at[DEPTH - 1], IN_USE, GRAPH_SUBMITTED, "instance", run_at[0],
                  " (submitted)");
    for (i = 1; i < DEPTH; i++)
        empty(task_at[i]); /* the program owns the tasks again */
    CHECK_RC(doca_graph_instance_set_sub_graph_node_data(run_at[1], sub_at[1], run_at[0]),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_instance_set_sub_graph_node_data(run_at[2], sub_at[2], run_at[0]),
             DOCA_ERROR_NOT_PERMITTED); /* the instance is of another graph */
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_STR(trace, "0C");
    other = make_instance(level[1]); /* has no node data */
    CHECK_OK(doca_graph_instance_set_sub_graph_node_data(run_at[2], sub_at[2], other));
    CHECK_REFUSED(run_at[DEPTH - 1], INVALID_VALUE, GRAPH_NO_DATA, "instance", other, " (idle)");
    CHECK_OK(doca_graph_instance_set_ctx_node_data(other, copy_at[1], task_at[1]));
    CHECK_RC(doca_graph_instance_submit(run_at[DEPTH - 1]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_instance_destroy(other), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_graph_instance_set_sub_graph_node_data(other, sub_at[1], run_at[0]));
    give_letter(other, call_at[1], 'o');
    trace[0] = '\0';
    empty(task_at[0]);
    CHECK_OK(doca_graph_instance_submit(run_at[DEPTH - 1]));
    /* its task is in flight */
    CHECK_RC(doca_graph_instance_submit(run_at[1]), DOCA_ERROR_BAD_STATE);
    rig_drain(&r);
    CHECK_STR(trace, "0o23C");
    CHECK_OK(doca_graph_instance_set_sub_graph_node_data(run_at[2], sub_at[2], run_at[1]));
    CHECK_OK(doca_graph_instance_destroy(other));
    close_levels();
}

static void failing_sub_instance_fails_its_parents(void)
{
    unsigned i;

    open_levels();
    user_answer = DOCA_ERROR_TIME_OUT;
    CHECK_OK(doca_graph_instance_submit(run_at[DEPTH - 1]));
    rig_drain(&r);
    CHECK_STR(trace, "0F");
    user_answer = DOCA_SUCCESS;
    for (i = 0; i < DEPTH; i++)
        empty(task_at[i]);
    trace[0] = '\0';
    CHECK_OK(doca_graph_instance_submit(run_at[DEPTH - 1]));
    rig_drain(&r);
    CHECK_STR(trace, "0123C");

    for (i = 0; i < DEPTH; i++) /* a sub instance that has not begun can be used again */
        empty(task_at[i]);
    trace[0] = '\0';
    held.num_to_fail = 1;
    CHECK_OK(doca_graph_instance_submit(run_at[DEPTH - 1]));
    rig_drain(&r);
    CHECK_STR(trace, "F");
    for (i = 0; i + 1 < DEPTH; i++)
        CHECK_OK(doca_graph_instance_set_user_data(run_at[i], (union doca_data){ 0 }));
    close_levels();
}

/* The submit posts a root that is also a root of a sub-graph, so its buffers must be set. Buffers
 * of other nodes may be set later. */
static void roots_of_sub_graphs_need_their_buffers(void)
{
    struct doca_graph *outer[2];
    struct doca_graph_instance *run[2];
    struct doca_task *task = open_pair(false);
    struct doca_buf *dst;
    unsigned i;

    dst = doca_dma_task_memcpy_get_dst(as_copy(task));
    doca_dma_task_memcpy_set_dst(as_copy(task), NULL);
    for (i = 0; i < 2; i++) {
        outer[i] = make_graph();
        CHECK_OK(doca_graph_node_create_from_graph(outer[i], i == 0 ? graph : outer[0], &node[2]));
        if (i == 1)
            CHECK_OK(doca_graph_node_create_from_user(outer[i], user, &node[3]));
        CHECK_OK(doca_graph_start(outer[i]));
        run[i] = make_instance(outer[i]);
        CHECK_OK(doca_graph_instance_set_sub_graph_node_data(run[i], node[2],
                                                             i == 0 ? instance[0] : run[0]));
        if (i == 1)
            give_letter(run[i], node[3], 'v');
        CHECK_REFUSED(run[i], INVALID_VALUE, TASK_NO_BUFFER, "task", task, " (owned)");
    }
    CHECK_OK(doca_graph_instance_destroy(run[1]));
    CHECK_OK(doca_graph_stop(outer[1]));
    /* the sub-graph is not a root then */
    CHECK_OK(doca_graph_add_dependency(outer[1], node[3], node[2]));
    CHECK_OK(doca_graph_start(outer[1]));
    run[1] = make_instance(outer[1]);
    CHECK_OK(doca_graph_instance_set_sub_graph_node_data(run[1], node[2], run[0]));
    give_letter(run[1], node[3], 'v');
    CHECK_OK(doca_graph_instance_submit(run[1]));
    rig_drain(&r);
    CHECK_STR(trace, "vF");
    doca_dma_task_memcpy_set_dst(as_copy(task), dst);
    CHECK_OK(doca_graph_instance_submit(run[1]));
    rig_drain(&r);
    CHECK_STR(trace, "vFvuC");
    for (i = 2; i-- > 0;) {
        CHECK_OK(doca_graph_instance_destroy(run[i]));
        CHECK_OK(doca_graph_stop(outer[i]));
        CHECK_OK(doca_graph_destroy(outer[i]));
    }
    close_pair(false, task);
}

static void program_owns_a_finished_sub_instance_again(void)
{
    struct doca_graph *outer;
    struct doca_graph_instance *run;

    finished_task = open_pair(true);
    finished_run = instance[0];
    outer = make_graph();
    CHECK_OK(doca_graph_node_create_from_graph(outer, graph, &node[2]));
    CHECK_OK(doca_graph_node_create_from_user(outer, reuse_and_fail, &node[3]));
    CHECK_OK(doca_graph_add_dependency(outer, node[2], node[3]));
    CHECK_OK(doca_graph_start(outer));
    run = make_instance(outer);
    CHECK_OK(doca_graph_instance_set_sub_graph_node_data(run, node[2], instance[0]));
    CHECK_OK(doca_graph_instance_submit(run));
    held.budget = 1;
    rig_drain(&r);
    CHECK_STR(trace, "ufF");
    CHECK_RC(doca_graph_instance_submit(instance[0]), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_graph_instance_submit(run), DOCA_ERROR_IN_USE);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_STR(trace, "ufFuC");
    CHECK_OK(doca_graph_instance_destroy(run));
    CHECK_OK(doca_graph_stop(outer));
    CHECK_OK(doca_graph_destroy(outer));
    close_pair(true, finished_task);
}

static void sub_graph_in_use_cannot_be_stopped(void)
{
    struct doca_graph *outer;
    struct doca_graph_node *n = NULL;
    struct doca_pe *pe;
    struct doca_graph *elsewhere;

    open_graph(false, 8);
    ctx_node(graph, r.ctx);
    outer = make_graph();
    CHECK_RC(doca_graph_node_create_from_graph(outer, graph, &n), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_node_create_from_graph(outer, graph, &n));
    CHECK_OK(doca_graph_start(outer));
    CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_IN_USE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_GRAPH_USED);
    CHECK_OK(doca_graph_stop(outer));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_RC(doca_graph_start(outer), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_destroy(graph), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_graph_destroy(outer));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_graph_create(pe, &elsewhere));
    CHECK_RC(doca_graph_node_create_from_graph(elsewhere, graph, &n), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_pe_destroy(pe), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_graph_destroy(elsewhere));
    CHECK_OK(doca_pe_destroy(pe));
    close_graph(false);
}

static const struct test_case cases[] = {
    CASE(sub_graphs_run_in_order, "271"),
    CASE(sub_instance_belongs_to_its_running_parent, "279"),
    CASE(parent_with_a_running_sub_instance_is_refused, "279"),
    CASE(failing_sub_instance_fails_its_parents, "282"),
    CASE(roots_of_sub_graphs_need_their_buffers, ""),
    CASE(program_owns_a_finished_sub_instance_again, "282"),
    CASE(sub_graph_in_use_cannot_be_stopped, ""),
};

TEST_MAIN(cases)

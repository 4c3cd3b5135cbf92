/* Graphs: the order of their nodes, and the calls that configure, start and submit them. */
#include "graph_support.h"

/* ---- order ---- */

static void node_waits_for_all_of_its_parents(void)
{
    struct doca_task *task[3];
    unsigned i;

    open_graph(true, 8); /* two copies, then a third copy, then a user node */
    for (i = 0; i < 3; i++)
        node[i] = ctx_node(graph, r.ctx);
    node[3] = user_node(graph);
    edge(node[0], node[2]);
    edge(node[1], node[2]);
    edge(node[2], node[3]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    for (i = 0; i < 3; i++)
        task[i] = give_task(instance[0], node[i], i);
    give_letter(instance[0], node[3], 'u');

    held.budget = 0;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    CHECK_EQ(rig_inflight(r.ctx), 2); /* both roots, no other node */
    CHECK(!rig_progress(&r));
    held.budget = 1;
    CHECK(rig_progress(&r));
    CHECK(!rig_progress(&r));
    CHECK_EQ(rig_inflight(r.ctx), 1); /* the node waits for a second parent */
    held.budget = 1;
    CHECK(rig_progress(&r));
    CHECK_EQ(rig_inflight(r.ctx), 1); /* the third copy */
    CHECK(!is_copied(task[2]));
    CHECK_STR(trace, "");
    held.budget = HELD_ALL;
    /* one call of progress each: the task completes, the user node runs, the callback runs */
    CHECK_EQ(rig_drain(&r), 3);
    CHECK_STR(trace, "uC");
    CHECK_MEM(rig_to, rig_from, 3 * LEN);
    CHECK_EQ(r.num_ok + r.num_failed, 0); /* tasks of a graph have no callbacks */

    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    for (i = 0; i < 3; i++)
        drop_task(task[i]);
    close_graph(true);
}

static void instance_completes_with_its_last_node(void)
{
    struct doca_task *task[2];

    open_graph(true, 8); /* two context nodes and a user node, without dependencies */
    node[0] = ctx_node(graph, r.ctx);
    node[1] = ctx_node(graph, r.ctx);
    node[2] = user_node(graph);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    task[0] = give_task(instance[0], node[0], 0);
    task[1] = give_task(instance[0], node[1], 1);
    give_letter(instance[0], node[2], 'u');
    held.budget = 1;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "u");
    held.budget = 1;
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    drop_task(task[0]);
    drop_task(task[1]);
    close_graph(true);
}

static void cycle_is_refused(void)
{
    unsigned i;

    open_graph(false, 8);
    for (i = 0; i < NODES; i++)
        node[i] = i % 2 == 0 ? ctx_node(graph, r.ctx) : user_node(graph);
    CHECK_RC(doca_graph_add_dependency(graph, node[0], node[0]), DOCA_ERROR_NOT_PERMITTED);
    for (i = 1; i < NODES; i++)
        edge(node[i - 1], node[i]);
    for (i = 1; i < NODES; i++)
        CHECK_RC(doca_graph_add_dependency(graph, node[i], node[rig_random(i)]),
                 DOCA_ERROR_NOT_PERMITTED);
    edge(node[0], node[NODES - 1]); /* a second, shorter path is not a cycle */
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_GRAPH_CYCLE);
    CHECK_RC(doca_graph_node_create_from_graph(graph, graph, &node[0]), DOCA_ERROR_NOT_PERMITTED);
    close_graph(false);
}

/* A dependency of an earlier node on a later node need not make a cycle. Here it connects two
 * chains in their middle. */
static void chains_can_be_connected_in_their_middle(void)
{
    struct doca_task *task;
    unsigned i;

    open_graph(false, 8);
    node[0] = ctx_node(graph, r.ctx);
    for (i = 1; i < 7; i++)
        node[i] = user_node(graph);
    for (i = 0; i < 2; i++) {
        edge(node[3 * i + 1], node[3 * i + 2]);
        edge(node[3 * i + 2], node[3 * i + 3]);
        edge(node[0], node[3 * i + 1]);
    }
    edge(node[5], node[2]); /* both nodes have parents and children */
    CHECK_RC(doca_graph_add_dependency(graph, node[2], node[5]), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_add_dependency(graph, node[3], node[4]), DOCA_ERROR_NOT_PERMITTED);
    edge(node[1], node[6]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    task = give_task(instance[0], node[0], 0);
    for (i = 1; i < 7; i++)
        give_letter(instance[0], node[i], (char)('0' + i));
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_EQ(strlen(trace), 7);
    CHECK_EQ(trace[6], 'C');
    CHECK(strchr(trace, '5') < strchr(trace, '2') && strchr(trace, '1') < strchr(trace, '2'));
    CHECK(strchr(trace, '4') < strchr(trace, '5') && strchr(trace, '2') < strchr(trace, '3'));
    CHECK(strchr(trace, '5') < strchr(trace, '6') && strchr(trace, '1') < strchr(trace, '6'));
    close_pair(false, task);
}

static void dependency_added_twice_counts_once(void)
{
    struct doca_task *task;
    size_t used, again;

    open_graph(false, 8);
    node[0] = ctx_node(graph, r.ctx);
    node[1] = user_node(graph);
    edge(node[0], node[1]);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    edge(node[0], node[1]);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &again, NULL, NULL));
    CHECK_EQ(again, used);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    task = give_task(instance[0], node[0], 0);
    give_letter(instance[0], node[1], 'u');
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    close_pair(false, task);
}

/* ---- states ---- */

/* A chain of very many nodes is built, run and destroyed quickly, and without recursion. */
static void long_chain_is_handled_quickly(void)
{
    /* level 2 checks the whole arena at each release */
    enum { LENGTH = DOCA_CORE_CHECK >= 2 ? 2000 : 100000 };
    struct doca_graph_node *before, *next;
    struct doca_task *task;
    struct timespec begin, end;
    uint32_t i;

    open_graph(false, 4);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    CHECK_OK(doca_graph_set_conf(graph, completed, failed, 1));
    node[0] = before = ctx_node(graph, r.ctx);
    for (i = 1; i < LENGTH; i++, before = next) {
        next = user_node(graph);
        edge(before, next);
    }
    CHECK_RC(doca_graph_add_dependency(graph, before, node[0]), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    task = give_task(instance[0], node[0], 0);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_EQ(num_user, LENGTH - 1);
    CHECK_EQ(num_completed, 1);
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    drop_task(task);
    close_graph(false);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    CHECK(end.tv_sec - begin.tv_sec < 10);
}

/* A chain of user nodes runs in one call of progress, up to a limit. The callback of the instance
 * runs in another call. */
static void chain_of_user_nodes_runs_in_few_calls(void)
{
    enum { LENGTH = 2 * DOCA_PRIV_GRAPH_BURST + 1 };
    struct doca_graph_node *before, *next;
    struct doca_task *task;
    unsigned i;

    open_graph(false, 4);
    node[0] = before = ctx_node(graph, r.ctx);
    for (i = 0; i < LENGTH; i++, before = next) {
        next = user_node(graph);
        CHECK_OK(doca_graph_add_dependency(graph, before, next));
    }
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    task = give_task(instance[0], node[0], 0);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    while (num_user == 0)
        CHECK(rig_progress(&r));
    CHECK_EQ(num_user, DOCA_PRIV_GRAPH_BURST);
    CHECK_EQ(pe_inflight(), 1);
    CHECK(rig_progress(&r));
    CHECK_EQ(num_user, 2 * DOCA_PRIV_GRAPH_BURST);
    CHECK(rig_progress(&r));
    CHECK_EQ(num_user, LENGTH);
    CHECK_EQ(num_completed, 0);
    CHECK(rig_progress(&r));
    CHECK_EQ(num_completed, 1);
    CHECK_EQ(pe_inflight(), 0);
    close_pair(false, task);
}

/* When one call of progress has reached the limit, in a chain or between two chains, the next call
 * continues there. */
static void user_nodes_beyond_the_limit_run_in_the_next_call(void)
{
    struct doca_graph_node *before, *next;
    struct doca_task *task;
    unsigned length, i;

    for (length = DOCA_PRIV_GRAPH_BURST - 5; length < DOCA_PRIV_GRAPH_BURST + 3; length++) {
        open_graph(false, 4);
        node[0] = before = ctx_node(graph, r.ctx);
        for (i = 0; i < length; i++, before = next) {
            next = user_node(graph);
            edge(before, next);
        }
        for (i = 0; i < 6; i++) { /* then three chains of two nodes each */
            node[1 + i] = user_node(graph);
            edge(i % 2 == 0 ? before : node[i], node[1 + i]);
        }
        CHECK_OK(doca_graph_start(graph));
        instance[0] = make_instance(graph);
        task = give_task(instance[0], node[0], 0);
        CHECK_OK(doca_graph_instance_submit(instance[0]));
        while (num_user == 0)
            CHECK(rig_progress(&r));
        CHECK_EQ(num_user, length + 6 > DOCA_PRIV_GRAPH_BURST ? DOCA_PRIV_GRAPH_BURST : length + 6);
        rig_drain(&r);
        CHECK_EQ(num_user, length + 6);
        CHECK_EQ(num_completed, 1);
        CHECK_EQ(pe_inflight(), 0);
        close_pair(false, task);
    }
}

static void graph_without_context_node_does_not_start(void)
{
    struct doca_graph *outer;
    struct doca_graph_node *n;

    open_graph(false, 8);
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
    user_node(graph);
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_GRAPH_NO_CTX_NODE);
    ctx_node(graph, r.ctx);
    CHECK_OK(doca_graph_start(graph));

    outer = make_graph(); /* a sub-graph with a context node is enough */
    user_node(outer);
    CHECK_OK(doca_graph_node_create_from_graph(outer, graph, &n));
    CHECK_OK(doca_graph_start(outer));
    CHECK_OK(doca_graph_stop(outer));
    CHECK_OK(doca_graph_destroy(outer));
    close_graph(false);
}

static void start_needs_set_conf(void)
{
    struct doca_graph *g;

    open_graph(false, 8);
    CHECK_OK(doca_graph_create(r.pe, &g));
    ctx_node(g, r.ctx);
    CHECK_RC(doca_graph_start(g), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_GRAPH_NO_CONF);
    CHECK_RC(doca_graph_set_conf(g, completed, failed, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_set_conf(g, NULL, failed, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_set_conf(g, completed, NULL, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_start(g), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_destroy(g));
    close_graph(false);
}

static void start_needs_running_contexts_on_the_pe(void)
{
    struct doca_dma *dma, *other;
    struct doca_pe *pe;

    open_graph(false, 8);
    dma = rig_make_dma(&r, 4);
    ctx_node(graph, doca_dma_as_ctx(dma));
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* the context is idle */
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_GRAPH_CTX);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_dma_create(r.dev, &other));
    CHECK_OK(doca_dma_task_memcpy_set_conf(other, rig_completed, rig_failed, 1));
    CHECK_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(other)));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
    ctx_node(graph, doca_dma_as_ctx(other));
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_dma_destroy(other));
#if DOCA_CORE_CHECK >= 1
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* the context was destroyed */
#endif
    CHECK_OK(doca_pe_destroy(pe));
    rig_stop(&r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    close_graph(false);
}

static void started_graph_cannot_be_configured(void)
{
    struct doca_graph_node *n = NULL;
    union doca_data word = { .u64 = 7 };
    struct doca_task *task = open_pair(false);

    CHECK_RC(doca_graph_node_create_from_ctx(graph, r.ctx, &n), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_node_create_from_user(graph, user, &n), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_add_dependency(graph, node[0], node[1]), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_set_conf(graph, completed, failed, 1), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_set_user_data(graph, word), DOCA_ERROR_BAD_STATE);
    CHECK_PTR(n, NULL);
    CHECK_OK(doca_graph_get_user_data(graph, &word));
    CHECK_PTR(word.ptr, &r);
    CHECK_OK(doca_graph_start(graph)); /* starting a started graph succeeds */
    CHECK_RC(doca_graph_destroy(graph), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_stop(graph));

    CHECK_OK(doca_graph_node_create_from_user(graph, user, &node[2])); /* permitted after a stop */
    edge(node[1], node[2]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[0], task));
    give_letter(instance[0], node[1], 'u');
    give_letter(instance[0], node[2], 'v');
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "uvC");
    close_pair(false, task);
}

static void number_of_instances_is_limited_by_the_configuration(void)
{
    struct doca_graph_instance *in = NULL;
    unsigned i;

    open_graph(false, 8);
    ctx_node(graph, r.ctx);
    /* the graph is not started */
    CHECK_RC(doca_graph_instance_create(graph, &in), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_start(graph));
    for (i = 0; i < INSTANCES; i++)
        instance[i] = make_instance(graph);
    CHECK_RC(doca_graph_instance_create(graph, &in), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(in, NULL);
    CHECK_OK(doca_graph_instance_destroy(instance[3]));
    instance[3] = make_instance(graph);
    for (i = 0; i < INSTANCES; i++) {
        CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_IN_USE);
        CHECK_OK(doca_graph_instance_destroy(instance[i]));
    }
    close_graph(false);
}

static void submitted_instance_cannot_be_changed(void)
{
    struct doca_task *task = open_pair(true);
    union doca_data word = { .u64 = 1 };

    held.budget = 0;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    CHECK_RC(doca_graph_instance_submit(instance[0]), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_graph_instance_destroy(instance[0]), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_graph_instance_set_user_data(instance[0], word), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance[0], node[0], task),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_instance_set_user_node_data(instance[0], node[1], task),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_instance_get_user_data(instance[0], &word));
    CHECK_EQ(word.u64, 0);
    CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_IN_USE);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    CHECK_OK(doca_graph_instance_set_user_data(instance[0], word));
    close_pair(true, task);
}

static const struct test_case cases[] = {
    CASE(node_waits_for_all_of_its_parents, "271 272 273 281"),
    CASE(instance_completes_with_its_last_node, "271 274"),
    CASE(cycle_is_refused, "275"),
    CASE(chains_can_be_connected_in_their_middle, "275"),
    CASE(dependency_added_twice_counts_once, ""),
    CASE(long_chain_is_handled_quickly, ""),
    CASE(chain_of_user_nodes_runs_in_few_calls, ""),
    CASE(user_nodes_beyond_the_limit_run_in_the_next_call, ""),
    CASE(graph_without_context_node_does_not_start, "276"),
    CASE(start_needs_set_conf, ""),
    CASE(start_needs_running_contexts_on_the_pe, ""),
    CASE(started_graph_cannot_be_configured, "277 289"),
    CASE(number_of_instances_is_limited_by_the_configuration, "278 288 289"),
    CASE(submitted_instance_cannot_be_changed, "279 280"),
};

TEST_MAIN(cases)

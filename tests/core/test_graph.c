/* Graphs: the order of their nodes, calls that are refused, nodes that fail or wait, sub-graphs,
 * and random graphs, which are compared with a model. */
#include "held_backend.h"

#include <setjmp.h>
#include <sys/epoll.h>

enum { NODES = 16, INSTANCES = 8, LEN = 16 };

static struct rig r;
static struct doca_graph *graph;
static struct doca_graph_node *node[NODES];
static struct doca_graph_instance *instance[INSTANCES];

static unsigned num_completed, num_failed, num_user;
static char trace[256]; /* a letter for each user node that ran; C, F: the callbacks that ran */
static void (*on_end)(struct doca_graph_instance *ended);
static doca_error_t user_answer;

static void note(char letter)
{
    size_t len = strlen(trace);

    CHECK(r.in_progress);
    if (len + 1 < sizeof(trace)) {
        trace[len] = letter;
        trace[len + 1] = '\0';
    }
}

static void completed(struct doca_graph_instance *ended, union doca_data instance_data,
                      union doca_data graph_data)
{
    (void)instance_data;
    CHECK_PTR(graph_data.ptr, &r);
    r.num_callbacks++; /* user nodes are not counted: several may run in one call of progress */
    note('C');
    num_completed++;
    if (on_end != NULL)
        on_end(ended);
}

static void failed(struct doca_graph_instance *ended, union doca_data instance_data,
                   union doca_data graph_data)
{
    (void)instance_data;
    CHECK_PTR(graph_data.ptr, &r);
    r.num_callbacks++;
    note('F');
    num_failed++;
    if (on_end != NULL)
        on_end(ended);
}

/* The function of a user node. Its cookie is the letter that it appends to the trace. */
static doca_error_t user(void *cookie)
{
    note((char)(size_t)cookie);
    num_user++;
    return user_answer;
}

static void clear_trace(void)
{
    num_completed = num_failed = num_user = 0;
    trace[0] = '\0';
    on_end = NULL;
    user_answer = DOCA_SUCCESS;
}

static struct doca_graph *make_graph(void)
{
    struct doca_graph *g;

    CHECK_OK(doca_graph_create(r.pe, &g));
    CHECK_OK(doca_graph_set_conf(g, completed, failed, INSTANCES));
    CHECK_OK(doca_graph_set_user_data(g, (union doca_data){ .ptr = &r }));
    return g;
}

/* Open a rig on the held device, or on the first device, and create a graph without nodes. */
static void open_graph(bool is_held, uint32_t num_tasks)
{
    clear_trace();
    if (is_held) {
        held_begin();
        held_open_rig(&r, num_tasks);
    } else {
        rig_open(&r, num_tasks);
    }
    graph = make_graph();
}

static void close_graph(bool is_held)
{
    rig_drain(&r);
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    if (is_held)
        held_close_rig(&r);
    else
        rig_close(&r);
}

static struct doca_graph_node *ctx_node(struct doca_graph *g, struct doca_ctx *ctx)
{
    struct doca_graph_node *n;

    CHECK_OK(doca_graph_node_create_from_ctx(g, ctx, &n));
    return n;
}

static struct doca_graph_node *user_node(struct doca_graph *g)
{
    struct doca_graph_node *n;

    CHECK_OK(doca_graph_node_create_from_user(g, user, &n));
    return n;
}

static void edge(struct doca_graph_node *from, struct doca_graph_node *to)
{
    CHECK_OK(doca_graph_add_dependency(graph, from, to));
}

static struct doca_graph_instance *make_instance(struct doca_graph *g)
{
    struct doca_graph_instance *in;

    CHECK_OK(doca_graph_instance_create(g, &in));
    return in;
}

static struct doca_task *make_task(struct doca_dma *dma, size_t slot)
{
    return doca_dma_task_memcpy_as_task(rig_prepare(&r, dma, slot * LEN, LEN));
}

static struct doca_dma_task_memcpy *as_copy(struct doca_task *task)
{
    return (struct doca_dma_task_memcpy *)(void *)task;
}

static struct doca_task *give_task(struct doca_graph_instance *in, struct doca_graph_node *n,
                                   size_t slot)
{
    struct doca_task *task = make_task(r.dma, slot);

    CHECK_OK(doca_graph_instance_set_ctx_node_data(in, n, task));
    return task;
}

static void give_letter(struct doca_graph_instance *in, struct doca_graph_node *n, char letter)
{
    CHECK_OK(doca_graph_instance_set_user_node_data(in, n, (void *)(size_t)letter));
}

static void drop_task(struct doca_task *task)
{
    rig_release(as_copy(task));
}

static bool is_copied(const struct doca_task *task)
{
    return rig_data_len(doca_dma_task_memcpy_get_dst(as_copy((struct doca_task *)(size_t)task))) ==
           LEN;
}

static void empty(struct doca_task *task)
{
    CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(as_copy(task))));
}

static size_t pe_inflight(void)
{
    size_t num;

    CHECK_OK(doca_pe_get_num_inflight_tasks(r.pe, &num));
    return num;
}

/* Make and start a graph of a context node and a user node that depends on it, with one
 * instance. */
static struct doca_task *open_pair(bool is_held)
{
    open_graph(is_held, 8);
    node[0] = ctx_node(graph, r.ctx);
    node[1] = user_node(graph);
    edge(node[0], node[1]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    give_letter(instance[0], node[1], 'u');
    return give_task(instance[0], node[0], 0);
}

static void close_pair(bool is_held, struct doca_task *task)
{
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    drop_task(task);
    close_graph(is_held);
}

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

/* ---- node data ---- */

static void node_data_must_fit(void)
{
    struct doca_task *task = open_pair(false), *foreign;
    struct doca_graph *other = make_graph();
    struct doca_graph_node *stranger = ctx_node(other, r.ctx);
    struct doca_dma *dma = rig_make_dma(&r, 1);
    struct doca_graph_instance *in;

    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    foreign = make_task(dma, 1);
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance[0], stranger, task),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance[0], node[0], foreign),
             DOCA_ERROR_NOT_PERMITTED); /* the task is of another context */
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance[0], node[1], task),
             DOCA_ERROR_NOT_PERMITTED); /* the node is of another type */
    CHECK_RC(doca_graph_instance_set_user_node_data(instance[0], node[0], NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_instance_set_user_node_data(instance[0], stranger, NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_start(other));
    in = make_instance(other);
    CHECK_RC(doca_graph_instance_set_sub_graph_node_data(instance[0], node[0], in),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_add_dependency(other, stranger, node[0]), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_instance_destroy(in));
    CHECK_OK(doca_graph_stop(other));
    CHECK_RC(doca_graph_add_dependency(other, stranger, node[0]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_add_dependency(other, node[0], stranger), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_graph_instance_submit(instance[0])); /* the refused calls changed nothing */
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    CHECK_OK(doca_graph_destroy(other));
    drop_task(foreign);
    rig_stop(&r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    close_pair(false, task);
}

/* Check that the submit fails, and that the log line names the object that is wrong. `state` is its
 * state in brackets, or "". */
static void check_refused(int at, struct doca_graph_instance *submitted, doca_error_t want,
                          enum doca_core_item item, const char *kind, const void *object,
                          const char *state)
{
    char line[128];
    doca_error_t got = doca_graph_instance_submit(submitted);

    snprintf(line, sizeof(line), "doca_core: doca_graph_instance_submit: %s 0x%zx%s: ", kind,
             (size_t)object, state);
    if (got != want || doca_core_last_item() != item)
        test_fail(__FILE__, at, "%s, item %d", doca_error_get_name(got), doca_core_last_item());
#ifndef DOCA_CORE_NO_LOG
    if (strncmp(doca_core_last_error(), line, strlen(line)) != 0)
        test_fail(__FILE__, at, "%s, not %s", doca_core_last_error(), line);
#endif
}

#define CHECK_REFUSED(submitted, code, item, kind, object, state)                                  \
    check_refused(__LINE__, submitted, DOCA_ERROR_##code, DOCA_CORE_ITEM_##item, kind, object,     \
                  state)

static void submit_checks_all_nodes_before_any_runs(void)
{
    struct doca_task *task[4], *missing;
    struct doca_buf *src, *dst;
    unsigned i;

    open_graph(true, 8);
    for (i = 0; i < 3; i++)
        node[i] = ctx_node(graph, r.ctx);
    edge(node[0], node[2]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    instance[1] = make_instance(graph);
    task[0] = give_task(instance[0], node[0], 0);
    task[1] = give_task(instance[0], node[1], 1);

    CHECK_REFUSED(instance[0], INVALID_VALUE, GRAPH_NO_DATA, "instance", instance[0], " (idle)");
    /* one task for two nodes */
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[2], task[0]));
    CHECK_REFUSED(instance[0], BAD_STATE, TASK_NOT_OWNED, "task", task[0], " (held)");
    task[2] = give_task(instance[0], node[2], 2);
    held.budget = 0;
    CHECK_OK(doca_task_submit(task[2]));
    CHECK_REFUSED(instance[0], BAD_STATE, TASK_NOT_OWNED, "task", task[2], " (submitted)");
    held.budget = HELD_ALL;
    rig_drain(&r);
    empty(task[2]);
    task[3] = make_task(r.dma, 3);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[2], task[3]));
    drop_task(task[3]);
    CHECK_REFUSED(instance[0], BAD_STATE, TASK_NOT_OWNED, "task", task[3], " (free)");
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[2], task[2]));

    missing = task[1]; /* one root has no buffer; the other root must not begin */
    src = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(as_copy(missing));
    dst = doca_dma_task_memcpy_get_dst(as_copy(missing));
    doca_dma_task_memcpy_set_dst(as_copy(missing), NULL);
    CHECK_REFUSED(instance[0], INVALID_VALUE, TASK_NO_BUFFER, "task", missing, " (owned)");
    doca_dma_task_memcpy_set_dst(as_copy(missing), dst);
    doca_dma_task_memcpy_set_src(as_copy(missing), NULL);
    CHECK_RC(doca_graph_instance_submit(instance[0]), DOCA_ERROR_INVALID_VALUE);
    doca_dma_task_memcpy_set_src(as_copy(missing), src);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_EQ(pe_inflight(), 0);
    CHECK_EQ(rig_drain(&r), 0);

    for (i = 0; i < 3; i++) /* tasks may be node data of several instances */
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[1], node[i], task[i]));
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    /* the tasks run in instance 0 */
    CHECK_RC(doca_graph_instance_submit(instance[1]), DOCA_ERROR_BAD_STATE);
    rig_drain(&r);
    CHECK_STR(trace, "C");
    for (i = 0; i < 3; i++)
        empty(task[i]);
    CHECK_OK(doca_graph_instance_submit(instance[1]));
    rig_drain(&r);
    CHECK_STR(trace, "CC");
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    CHECK_OK(doca_graph_instance_destroy(instance[1]));
    for (i = 0; i < 3; i++)
        drop_task(task[i]);
    close_graph(true);
}

static void submit_refuses_tasks_of_a_stopping_context(void)
{
    struct doca_task *task = open_pair(false);

    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS); /* waits for the allocated task */
    CHECK_RC(doca_graph_instance_submit(instance[0]), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_GRAPH_CTX);
    drop_task(task);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
#if DOCA_CORE_CHECK >= 1
    CHECK_RC(doca_graph_instance_submit(instance[0]), DOCA_ERROR_INVALID_VALUE); /* destroyed */
#endif
    CHECK_OK(doca_ctx_start(r.ctx));
    task = give_task(instance[0], node[0], 0);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    close_pair(false, task);
}

static void level_2_refuses_roots_with_errors(void)
{
    struct doca_task *task = open_pair(true);
    struct doca_dma_task_memcpy *copy = as_copy(task);
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(copy), *small = rig_dst(&r, 64, LEN - 1);

    if (DOCA_CORE_CHECK < 2) {
        CHECK_OK(doca_buf_dec_refcount(small, NULL));
        close_pair(true, task);
        test_skip("only check level 2 checks tasks at submit");
    }
    doca_dma_task_memcpy_set_dst(copy, small);
    CHECK_RC(doca_graph_instance_submit(instance[0]), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_ROOM);
    doca_dma_task_memcpy_set_dst(copy, dst);
    CHECK_OK(doca_buf_dec_refcount(small, NULL));
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    close_pair(true, task);
}

/* ---- tasks in a graph ---- */

static void task_in_a_graph_has_user_data_and_cannot_be_freed(void)
{
    union doca_data word = { .u64 = 0x1234 }, other = { .u64 = 0x5678 };
    struct doca_task *task = open_pair(true);

    doca_task_set_user_data(task, word);
    held.budget = 0;
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    CHECK_EQ(doca_task_get_user_data(task).u64, word.u64); /* while the task is in flight */
    doca_task_set_user_data(task, other);
    CHECK_EQ(doca_task_get_user_data(task).u64, other.u64);
    CHECK_RC(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_task_try_submit(task), DOCA_ERROR_BAD_STATE);
    doca_task_free(task);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_OWNED);
    CHECK_PTR(doca_task_get_ctx(task), r.ctx);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    CHECK_EQ(doca_task_get_user_data(task).u64, other.u64);
    empty(task);
    CHECK_OK(doca_task_submit(task)); /* without the graph the task has its callback again */
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    close_pair(true, task);
}

static struct doca_task *next_task;
static struct doca_buf *next_src, *old_src;

/* A typical user node: it changes the parameters of the next task. */
static doca_error_t adjust(void *cookie)
{
    (void)cookie;
    note('a');
    doca_task_free(next_task);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_OWNED);
    CHECK_RC(doca_task_submit(next_task), DOCA_ERROR_BAD_STATE);
    old_src = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(as_copy(next_task));
    doca_dma_task_memcpy_set_src(as_copy(next_task), next_src);
    CHECK_EQ(pe_inflight(), 1); /* this user node */
    return DOCA_SUCCESS;
}

static void user_node_adjusts_the_next_task(void)
{
    struct doca_task *first;

    open_graph(false, 8);
    node[0] = ctx_node(graph, r.ctx);
    CHECK_OK(doca_graph_node_create_from_user(graph, adjust, &node[1]));
    node[2] = ctx_node(graph, r.ctx);
    edge(node[0], node[1]);
    edge(node[1], node[2]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    first = give_task(instance[0], node[0], 0);
    next_task = give_task(instance[0], node[2], 1);
    next_src = rig_src(&r, 1000, LEN);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "aC");
    CHECK_MEM(rig_to + LEN, rig_from + 1000, LEN);
    CHECK_OK(doca_buf_dec_refcount(old_src, NULL));
    drop_task(next_task);
    close_pair(false, first);
}

static void tasks_and_graph_instances_share_a_pe(void)
{
    struct doca_task *task = open_pair(true), *plain = make_task(r.dma, 5);
    unsigned i;

    for (i = 0; i < 100; i++) {
        empty(task);
        empty(plain);
        held.budget = 0;
        held.newest_first = i % 2 != 0;
        CHECK_OK(doca_task_submit(plain));
        CHECK_OK(doca_graph_instance_submit(instance[0]));
        CHECK_EQ(pe_inflight(), 2);
        held.budget = HELD_ALL;
        rig_drain(&r);
        CHECK_EQ(pe_inflight(), 0);
    }
    CHECK_EQ(r.num_ok, 100);
    CHECK_EQ(num_completed, 100);
    drop_task(plain);
    close_pair(true, task);
}

static void instances_run_in_parallel(void)
{
    struct doca_task *task[INSTANCES];
    unsigned i;

    open_graph(true, INSTANCES);
    node[0] = ctx_node(graph, r.ctx);
    node[1] = user_node(graph);
    edge(node[0], node[1]);
    CHECK_OK(doca_graph_start(graph));
    held.budget = 0;
    for (i = 0; i < INSTANCES; i++) {
        instance[i] = make_instance(graph);
        task[i] = give_task(instance[i], node[0], i);
        give_letter(instance[i], node[1], (char)('0' + i));
        CHECK_OK(doca_graph_instance_submit(instance[i]));
    }
    CHECK_EQ(rig_inflight(r.ctx), INSTANCES);
    held.budget = HELD_ALL;
    CHECK_EQ(rig_drain(&r), 3 * INSTANCES);
    CHECK_EQ(num_user, INSTANCES);
    CHECK_EQ(num_completed, INSTANCES);
    CHECK_MEM(rig_to, rig_from, INSTANCES * LEN);
    for (i = 0; i < INSTANCES; i++) {
        CHECK_OK(doca_graph_instance_destroy(instance[i]));
        drop_task(task[i]);
    }
    close_graph(true);
}

static void full_queue_delays_tasks_in_order(void)
{
    struct doca_task *task[4];
    unsigned i;

    open_graph(true, 8);
    node[0] = ctx_node(graph, r.ctx);
    CHECK_OK(doca_graph_start(graph));
    for (i = 0; i < 3; i++) {
        instance[i] = make_instance(graph);
        task[i] = give_task(instance[i], node[0], i);
    }
    held.full = true;
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_graph_instance_submit(instance[i]));
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_EQ(pe_inflight(), 3);
    for (i = 0; i < 10; i++)
        CHECK(!rig_progress(&r));
    for (i = 0; i < 3; i++) { /* the graph owns the tasks that wait */
        CHECK_RC(doca_task_submit(task[i]), DOCA_ERROR_BAD_STATE);
        doca_task_free(task[i]);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_OWNED);
    }
    held.full = false;
    held.budget = 0;
    instance[3] = make_instance(graph);
    task[3] = give_task(instance[3], node[0], 3);
    /* this task waits until the earlier ones have started, although the queue has room */
    CHECK_OK(doca_graph_instance_submit(instance[3]));
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_EQ(pe_inflight(), 4);
    CHECK(rig_progress(&r));
    CHECK(rig_progress(&r));
    CHECK_EQ(rig_inflight(r.ctx), 2);
    held.budget = 2;
    held.full = true;
    while (rig_progress(&r))
        continue;
    /* tasks start in the order in which they began to wait */
    CHECK(is_copied(task[0]) && is_copied(task[1]) && !is_copied(task[2]));
    CHECK_STR(trace, "CC");
    held.budget = HELD_ALL;
    held.full = false;
    rig_drain(&r);
    CHECK_STR(trace, "CCCC");
    CHECK_EQ(num_failed, 0);
    for (i = 0; i < 4; i++) {
        CHECK_OK(doca_graph_instance_destroy(instance[i]));
        drop_task(task[i]);
    }
    close_graph(true);
}

/* ---- failures ---- */

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

static struct doca_task *finished_task;
static struct doca_graph_instance *finished_run;

/* The function of a user node: submit the finished task or instance again, and then fail. */
static doca_error_t reuse_and_fail(void *cookie)
{
    (void)cookie;
    note('f');
    empty(finished_task);
    CHECK_OK(finished_run != NULL ? doca_graph_instance_submit(finished_run)
                                  : doca_task_submit(finished_task));
    return DOCA_ERROR_UNKNOWN;
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

/* ---- calls from callbacks and user nodes ---- */

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

/* ---- sub-graphs ---- */

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

/* ---- nodes of other engines ---- */

static unsigned num_hashed;

static void hashed(struct doca_sha_task_partial_hash *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
    num_hashed++;
}

/* SHA, DMA and a user node, as in the vendor's guide. Each of two runs hashes one segment. */
static void partial_hash_continues_in_the_next_run(void)
{
    struct doca_sha *sha;
    struct doca_task *copy, *hash;
    struct doca_sha_task_partial_hash *partial;
    struct doca_buf *first, *second, *digest;

    rig_needs_sha();
    open_graph(false, 8);
    num_hashed = 0;
    CHECK_OK(doca_sha_create(r.dev, &sha));
    CHECK_OK(doca_sha_task_partial_hash_set_conf(sha, hashed, hashed, 1));
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_sha_as_ctx(sha)));
    CHECK_OK(doca_ctx_start(doca_sha_as_ctx(sha)));
    first = rig_src(&r, 0, 64);
    second = rig_src(&r, 64, 36);
    digest = rig_dst(&r, 4096, 64);
    CHECK_OK(doca_sha_task_partial_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA1, first, digest,
                                                   (union doca_data){ .u64 = 5 }, &partial));
    hash = doca_sha_task_partial_hash_as_task(partial);
    node[0] = ctx_node(graph, r.ctx);
    node[1] = ctx_node(graph, doca_sha_as_ctx(sha));
    node[2] = user_node(graph);
    edge(node[0], node[2]);
    edge(node[1], node[2]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    copy = give_task(instance[0], node[0], 0);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[1], hash));
    give_letter(instance[0], node[2], 'u');
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    CHECK_PTR(doca_sha_task_partial_hash_get_src(partial), first); /* also while the graph runs */
    CHECK_RC(doca_sha_task_partial_hash_set_src(partial, second), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_task_get_user_data(hash).u64, 5);
    rig_drain(&r);
    CHECK_STR(trace, "uC");
    CHECK_RC(doca_sha_task_partial_hash_set_algorithm(partial, DOCA_SHA_ALGORITHM_SHA256),
             DOCA_ERROR_BAD_STATE); /* the session is not finished */
    CHECK_OK(doca_sha_task_partial_hash_set_src(partial, second));
    CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(partial));
    empty(copy);
    CHECK_OK(doca_graph_instance_submit(instance[0]));
    rig_drain(&r);
    CHECK_STR(trace, "uCuC");
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(partial), 1);
    CHECK_EQ(rig_data_len(digest), 20);
    CHECK_EQ(num_hashed, 0);

    doca_task_free(hash); /* below: the same text in one task, without a graph */
    CHECK_OK(doca_buf_dec_refcount(first, NULL));
    CHECK_OK(doca_buf_dec_refcount(second, NULL));
    first = rig_src(&r, 0, 100);
    second = rig_dst(&r, 8192, 64);
    CHECK_OK(doca_sha_task_partial_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA1, first, second,
                                                   (union doca_data){ 0 }, &partial));
    CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(partial));
    CHECK_OK(doca_task_submit(doca_sha_task_partial_hash_as_task(partial)));
    rig_drain(&r);
    CHECK_EQ(num_hashed, 1);
    CHECK_MEM(rig_to + 4096, rig_to + 8192, 20);
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    CHECK_OK(doca_buf_dec_refcount(first, NULL));
    CHECK_OK(doca_buf_dec_refcount(second, NULL));
    CHECK_OK(doca_buf_dec_refcount(digest, NULL));
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    drop_task(copy);
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_ctx_stop(doca_sha_as_ctx(sha)));
    CHECK_OK(doca_sha_destroy(sha));
    close_graph(false);
}

/* ---- the notification handle ---- */

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

/* ---- memory and handles ---- */

static DOCA_CORE_ALIGNED unsigned char graph_memory[DOCA_CORE_BYTES_GRAPH(3, 2, 5)];

/* Build a graph of 3 nodes, 2 dependencies and 5 instances in an arena. */
static doca_error_t build_in(struct doca_core_arena *arena, struct doca_graph **g)
{
    doca_error_t rc = doca_core_graph_create_in(arena, r.pe, g);
    struct doca_graph_node *n[3] = { NULL };
    unsigned i;

    if (rc != DOCA_SUCCESS)
        return rc;
    for (i = 0; i < 3 && rc == DOCA_SUCCESS; i++)
        rc = doca_graph_node_create_from_ctx(*g, r.ctx, &n[i]);
    for (i = 0; i < 2 && rc == DOCA_SUCCESS; i++)
        rc = doca_graph_add_dependency(*g, n[i], n[i + 1]);
    if (rc == DOCA_SUCCESS)
        rc = doca_graph_set_conf(*g, completed, failed, 5);
    if (rc == DOCA_SUCCESS)
        rc = doca_graph_start(*g);
    if (rc != DOCA_SUCCESS)
        CHECK_OK(doca_graph_destroy(*g));
    return rc;
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

/* A header of one of the graph's blocks is overwritten. Destroy reports it, does not free that
 * block, and frees unrelated blocks. */
static void destroy_reports_an_overwritten_header(void)
{
    struct doca_core_arena arena;
    size_t used, all;
    unsigned victim;

    open_graph(false, 8);
    for (victim = 0; victim < 4; victim++) {
        struct doca_graph *g;
        unsigned char *header;
        void *block;

        CHECK_OK(doca_core_arena_init(&arena, graph_memory, DOCA_CORE_BYTES_GRAPH(3, 2, 5)));
        CHECK_OK(doca_core_graph_create_in(&arena, r.pe, &g));
        CHECK_OK(doca_graph_node_create_from_user(g, user, &node[0]));
        CHECK_OK(doca_graph_node_create_from_user(g, user, &node[1]));
        CHECK_OK(doca_graph_add_dependency(g, node[0], node[1]));
        block = victim == 0 ? (void *)g
                : victim < 3 ? (void *)node[victim - 1] : node[0]->children;
        header = (unsigned char *)block - DOCA_CORE_LINE;
        CHECK_OK(doca_core_arena_query(&arena, &all, NULL, NULL));
        header[0] ^= 0xff;
        CHECK_RC(doca_graph_destroy(g), DOCA_ERROR_UNEXPECTED);
        header[0] ^= 0xff;
        CHECK_OK(doca_core_arena_audit(&arena));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK(used > 0 && used < all);
        CHECK_OK(doca_core_arena_give(&arena, block)); /* free the block */
        CHECK_OK(doca_core_arena_audit(&arena));
    }
    close_graph(false);
}

static void graph_takes_the_documented_bytes(void)
{
    size_t bytes = 0, used, lines;
    struct doca_core_arena arena;
    struct doca_graph *g = NULL;
    unsigned i;
    doca_error_t rc;

    rig_open(&r, 8);
    clear_trace();
    CHECK_OK(doca_core_bytes_graph(3, 2, 5, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_GRAPH(3, 2, 5));
    for (lines = 2; lines * DOCA_CORE_LINE <= bytes; lines++) {
        CHECK_OK(doca_core_arena_init(&arena, graph_memory, lines * DOCA_CORE_LINE));
        rc = build_in(&arena, &g);
        CHECK_RC(rc, lines * DOCA_CORE_LINE < bytes ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS);
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, rc == DOCA_SUCCESS ? bytes : 0);
    }
    for (i = 0; i < 5; i++)
        instance[i] = make_instance(g);
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, bytes); /* instances take no memory after the start */
    for (i = 0; i < 5; i++)
        CHECK_OK(doca_graph_instance_destroy(instance[i]));
    CHECK_OK(doca_graph_stop(g));
    CHECK_OK(doca_graph_destroy(g));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);

    for (i = 1; i <= 40; i++) { /* macro and function give the same size */
        CHECK_OK(doca_core_bytes_graph(i, i * i / 3, 41 - i, &bytes));
        CHECK_EQ(bytes, DOCA_CORE_BYTES_GRAPH(i, i * i / 3, 41 - i));
    }
    bytes = 1;
    rc = doca_core_bytes_graph(UINT32_MAX, UINT32_MAX, UINT32_MAX, &bytes);
    CHECK(rc == DOCA_ERROR_NO_MEMORY || bytes / UINT32_MAX > 1 << 20);
    CHECK_RC(doca_core_bytes_graph(1, 1, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    rig_close(&r);
}

static void bytes_in_use_are_the_same_after_many_graphs(void)
{
    struct doca_core_arena arena;
    struct doca_graph *g;
    size_t used;
    unsigned i;

    rig_open(&r, 8);
    CHECK_OK(doca_core_arena_init(&arena, graph_memory, DOCA_CORE_BYTES_GRAPH(3, 2, 5)));
    for (i = 0; i < 10000; i++) {
        CHECK_OK(build_in(&arena, &g));
        CHECK_OK(doca_graph_stop(g));
        CHECK_OK(doca_graph_start(g));
        CHECK_OK(doca_graph_stop(g));
        CHECK_OK(doca_graph_destroy(g));
    }
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    rig_close(&r);
}

static void null_is_refused(void)
{
    struct doca_task *task = open_pair(false);
    struct doca_graph_instance *in = instance[0];
    struct doca_graph *g = NULL;
    struct doca_graph_node *n = NULL;
    union doca_data word;

#define REFUSED(call) CHECK_RC(call, DOCA_ERROR_INVALID_VALUE)
    REFUSED(doca_graph_create(NULL, &g));
    REFUSED(doca_graph_create(r.pe, NULL));
    REFUSED(doca_core_graph_create_in(NULL, r.pe, &g));
    REFUSED(doca_graph_destroy(NULL));
    REFUSED(doca_graph_set_conf(NULL, completed, failed, 1));
    REFUSED(doca_graph_set_user_data(NULL, (union doca_data){ 0 }));
    REFUSED(doca_graph_get_user_data(NULL, &word));
    REFUSED(doca_graph_get_user_data(graph, NULL));
    REFUSED(doca_graph_node_create_from_ctx(NULL, r.ctx, &n));
    REFUSED(doca_graph_node_create_from_ctx(graph, NULL, &n));
    REFUSED(doca_graph_node_create_from_ctx(graph, r.ctx, NULL));
    REFUSED(doca_graph_node_create_from_user(NULL, user, &n));
    REFUSED(doca_graph_node_create_from_user(graph, NULL, &n));
    REFUSED(doca_graph_node_create_from_user(graph, user, NULL));
    REFUSED(doca_graph_node_create_from_graph(NULL, graph, &n));
    REFUSED(doca_graph_node_create_from_graph(graph, NULL, &n));
    REFUSED(doca_graph_node_create_from_graph(graph, graph, NULL));
    REFUSED(doca_graph_add_dependency(NULL, node[0], node[1]));
    REFUSED(doca_graph_start(NULL));
    REFUSED(doca_graph_stop(NULL));
    REFUSED(doca_graph_instance_create(NULL, &in));
    REFUSED(doca_graph_instance_create(graph, NULL));
    REFUSED(doca_graph_instance_destroy(NULL));
    REFUSED(doca_graph_instance_set_user_data(NULL, (union doca_data){ 0 }));
    REFUSED(doca_graph_instance_get_user_data(NULL, &word));
    REFUSED(doca_graph_instance_get_user_data(in, NULL));
    REFUSED(doca_graph_instance_set_ctx_node_data(NULL, node[0], task));
    REFUSED(doca_graph_instance_set_ctx_node_data(in, NULL, task));
    REFUSED(doca_graph_instance_set_ctx_node_data(in, node[0], NULL));
    REFUSED(doca_graph_instance_set_user_node_data(NULL, node[1], NULL));
    REFUSED(doca_graph_instance_set_user_node_data(in, NULL, NULL));
    REFUSED(doca_graph_instance_set_sub_graph_node_data(NULL, node[1], in));
    REFUSED(doca_graph_instance_set_sub_graph_node_data(in, NULL, in));
    REFUSED(doca_graph_instance_set_sub_graph_node_data(in, node[1], NULL));
    REFUSED(doca_graph_instance_submit(NULL));
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    CHECK_OK(doca_graph_stop(graph));
    REFUSED(doca_graph_add_dependency(graph, NULL, node[1]));
    REFUSED(doca_graph_add_dependency(graph, node[0], NULL));
    CHECK_PTR(g, NULL);
    CHECK_PTR(n, NULL);
    CHECK_PTR(in, instance[0]);
    drop_task(task);
    close_graph(false);
}

/* A task of a node is released, and at the time of the submit its memory has a task of another
 * context. */
static void task_of_another_context_at_the_same_address_is_refused(void)
{
    struct doca_task *task = open_pair(false), *other = NULL, *made[8];
    struct doca_dma *dma = rig_make_dma(&r, 8);
    unsigned i;

    drop_task(task);
    rig_stop(&r, r.ctx); /* frees the memory of its tasks */
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    rig_drain(&r);
    for (i = 0; i < 8; i++) {
        made[i] = make_task(dma, i);
        if (made[i] == task)
            other = task;
    }
    if (other != NULL)
        CHECK_REFUSED(instance[0], INVALID_VALUE, GRAPH_TASK_GONE, "instance", instance[0],
                      " (idle)");
    for (i = 0; i < 8; i++)
        drop_task(made[i]);
    rig_stop(&r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    close_graph(false);
    if (other == NULL)
        test_skip("the tasks of the new context are not at the old address");
}

/* A task is refused when its context has the address of a destroyed context of the graph, but is
 * connected to another PE. */
static void task_of_another_pe_is_refused(void)
{
    struct doca_task *task = open_pair(false);
    struct doca_dma *former = r.dma, *dma;
    struct doca_pe *pe;

    drop_task(task);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_dma_destroy(r.dma));
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), NULL, NULL, &(size_t){ 0 }));
    CHECK_OK(doca_dma_create(r.dev, &dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, 8));
    CHECK_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    (void)doca_ctx_start(doca_dma_as_ctx(dma));
    while (rig_state(doca_dma_as_ctx(dma)) != DOCA_CTX_STATE_RUNNING)
        (void)doca_pe_progress(pe);
    task = make_task(dma, 0);
    if (dma == former) {
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[0], task));
        CHECK_RC(doca_graph_instance_submit(instance[0]), DOCA_ERROR_BAD_STATE);
    }
    drop_task(task);
    (void)doca_ctx_stop(doca_dma_as_ctx(dma));
    while (rig_state(doca_dma_as_ctx(dma)) != DOCA_CTX_STATE_IDLE)
        (void)doca_pe_progress(pe);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    r.dma = rig_make_dma(&r, 8);
    r.ctx = doca_dma_as_ctx(r.dma);
    close_graph(false);
    if (dma != former)
        test_skip("the new context is not at the address of the old one");
}

/* A new context at the address of a node's destroyed context is not the node's context, even on the
 * same PE. */
static void new_object_at_the_address_of_a_nodes_context_is_refused(void)
{
    struct doca_task *task = open_pair(false);
    struct doca_dma *former = r.dma;
    struct doca_mmap *map;
    struct doca_pe *pe;

    drop_task(task);
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_dma_destroy(r.dma));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* the memory has no object */
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_GRAPH_CTX);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), NULL, NULL, &(size_t){ 0 }));
    /* at that address: objects whose type has a smaller, and then a larger number than a context */
    CHECK_OK(doca_mmap_create(&map));
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_pe_create(&pe));
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), NULL, NULL, &(size_t){ 0 }));
    r.dma = rig_make_dma(&r, 8);
    r.ctx = doca_dma_as_ctx(r.dma);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_GRAPH_CTX);
    close_graph(false);
    if (r.dma != former || (void *)map != (void *)former || (void *)pe != (void *)former)
        test_skip("some objects are not at the old addresses");
}

/* If the graph was started before, the submit of an instance detects the new context. */
static void submit_detects_a_new_context_at_the_same_address(void)
{
    struct doca_task *task = open_pair(false);
    struct doca_dma *former = r.dma;

    drop_task(task);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_dma_destroy(r.dma));
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), NULL, NULL, &(size_t){ 0 }));
    r.dma = rig_make_dma(&r, 8);
    r.ctx = doca_dma_as_ctx(r.dma);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    task = make_task(r.dma, 0);
    if (r.dma == former) {
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance[0], node[0], task));
        CHECK_RC(doca_graph_instance_submit(instance[0]), DOCA_ERROR_BAD_STATE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_GRAPH_CTX);
    }
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    drop_task(task);
    close_graph(false);
    if (r.dma != former)
        test_skip("the new context is not at the address of the old one");
}

static void stale_and_foreign_handles_are_refused(void)
{
    struct doca_task *task = open_pair(false);
    struct doca_graph *g = make_graph();
    struct doca_graph_node *dead, *n;
    struct doca_graph_instance *in = make_instance(graph);

    if (DOCA_CORE_CHECK == 0) {
        CHECK_OK(doca_graph_instance_destroy(in));
        CHECK_OK(doca_graph_destroy(g));
        close_pair(false, task);
        test_skip("handles are not checked at level 0");
    }
    dead = user_node(g);
    CHECK_OK(doca_graph_destroy(g));
    REFUSED(doca_graph_destroy(g));
    REFUSED(doca_graph_start(g));
    REFUSED(doca_graph_stop(g));
    REFUSED(doca_graph_set_conf(g, completed, failed, 1));
    REFUSED(doca_graph_node_create_from_ctx(g, r.ctx, &n));
    REFUSED(doca_graph_instance_set_user_node_data(instance[0], dead, NULL));
    CHECK_OK(doca_graph_instance_destroy(in));
    REFUSED(doca_graph_instance_destroy(in));
    REFUSED(doca_graph_instance_submit(in));
    REFUSED(doca_graph_instance_set_ctx_node_data(in, node[0], task));
    REFUSED(doca_graph_instance_set_ctx_node_data(instance[0], node[0],
                                                  (struct doca_task *)(void *)r.dev));
    /* not a context for programs */
    REFUSED(doca_pe_connect_ctx(r.pe, (struct doca_ctx *)(void *)graph));
    REFUSED(doca_ctx_stop((struct doca_ctx *)(void *)graph));
    REFUSED(doca_graph_node_create_from_ctx(graph, (struct doca_ctx *)(void *)graph, &n));
    close_pair(false, task);
}

/* ---- random graphs, compared with a model ----
 *
 * Every copy reads from the destination of its first parent that is a copy, so the final bytes
 * depend on the order. Every user node checks that all its ancestors have run. */

enum { MODEL_NODES = 10, MODEL_RUNS = 3, MODEL_GRAPHS = 150, MODEL_ROUNDS = 12 };

static struct doca_dma *copier[2];
static struct doca_graph *inner; /* a copy, then a user node */
static struct doca_graph_node *inner_copy, *inner_call;

static struct {
    uint8_t kind;     /* DOCA_PRIV_NODE_* */
    unsigned copier;  /* index of the DMA context, for a context node */
    uint32_t parents; /* a bit for each node; the same in `ancestors` */
    uint32_t ancestors;
    int source;       /* node whose bytes it copies; -1: rig_from */
    struct doca_graph_node *handle;
} model[MODEL_NODES];
static unsigned num_model;

static struct model_run {
    struct doca_graph_instance *run;
    bool is_submitted, has_ended, is_ok;
    unsigned fails_at; /* the user node that fails */
    struct model_slot {
        struct model_run *of;
        unsigned index;
        struct doca_task *task;
        struct doca_graph_instance *sub;
        bool is_called;
    } slot[MODEL_NODES];
} runs[MODEL_RUNS];

static size_t model_place(const struct model_run *m, unsigned n)
{
    return ((size_t)(m - runs) * MODEL_NODES + n) * LEN;
}

static bool model_is_done(const struct model_run *m, unsigned n)
{
    const struct model_slot *s = &m->slot[n];

    return (s->task == NULL || is_copied(s->task)) &&
           (model[n].kind == DOCA_PRIV_NODE_CTX || s->is_called);
}

static doca_error_t model_call(void *cookie)
{
    struct model_slot *s = cookie;
    struct model_run *m = s->of;
    unsigned a;

    CHECK(m->is_submitted && !m->has_ended && !s->is_called);
    for (a = 0; a < num_model; a++)
        if ((model[s->index].ancestors >> a & 1) != 0)
            CHECK(model_is_done(m, a));
        else if ((model[a].ancestors >> s->index & 1) != 0)
            CHECK(!model_is_done(m, a));
    if (s->task != NULL)
        CHECK(is_copied(s->task)); /* the task of a sub-graph */
    if (m->fails_at == s->index)
        return DOCA_ERROR_IO_FAILED;
    s->is_called = true;
    return DOCA_SUCCESS;
}

static void model_end(struct doca_graph_instance *ended, union doca_data data, bool is_ok)
{
    struct model_run *m = data.ptr;

    CHECK_PTR(ended, m->run);
    CHECK(m->is_submitted && !m->has_ended);
    r.num_callbacks++;
    m->has_ended = true;
    m->is_ok = is_ok;
}

static void model_completed(struct doca_graph_instance *ended, union doca_data data,
                            union doca_data graph_data)
{
    (void)graph_data;
    model_end(ended, data, true);
}

static void model_failed(struct doca_graph_instance *ended, union doca_data data,
                         union doca_data graph_data)
{
    (void)graph_data;
    model_end(ended, data, false);
}

static void model_make_tasks(void)
{
    struct doca_buf *src;
    struct model_run *m;
    unsigned n;

    for (m = runs; m < runs + MODEL_RUNS; m++) {
        for (n = 0; n < num_model; n++) {
            if (model[n].kind == DOCA_PRIV_NODE_USER)
                continue;
            if (model[n].source < 0)
                src = rig_src(&r, model_place(m, n), LEN);
            else
                CHECK_OK(doca_buf_inventory_buf_get_by_data(
                    r.inventory, r.dst_map, rig_to + model_place(m, (unsigned)model[n].source), LEN,
                    &src));
            m->slot[n].task = doca_dma_task_memcpy_as_task(
                rig_task(copier[model[n].copier], src, rig_dst(&r, model_place(m, n), LEN)));
            if (model[n].kind == DOCA_PRIV_NODE_CTX)
                CHECK_OK(doca_graph_instance_set_ctx_node_data(m->run, model[n].handle,
                                                               m->slot[n].task));
            else
                CHECK_OK(doca_graph_instance_set_ctx_node_data(m->slot[n].sub, inner_copy,
                                                               m->slot[n].task));
        }
    }
}

static void model_drop_tasks(void)
{
    unsigned i, n;

    for (i = 0; i < MODEL_RUNS; i++)
        for (n = 0; n < num_model; n++)
            if (runs[i].slot[n].task != NULL) {
                drop_task(runs[i].slot[n].task);
                runs[i].slot[n].task = NULL;
            }
}

/* Build a graph of random nodes in a random order. Later nodes depend on earlier nodes. */
static void model_build_graph(void)
{
    uint32_t order[MODEL_NODES], i, j, swap, density = 1 + rig_random(4);
    struct doca_graph_node **handle;
    bool has_ctx = false;

    num_model = 1 + rig_random(MODEL_NODES);
    memset(model, 0, sizeof(model));
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, model_completed, model_failed, MODEL_RUNS));
    for (i = 0; i < num_model; i++) {
        order[i] = i;
        handle = &model[i].handle;
        model[i].kind = (uint8_t)rig_random(3);
        if (i + 1 == num_model && !has_ctx)
            model[i].kind = DOCA_PRIV_NODE_CTX;
        has_ctx = has_ctx || model[i].kind != DOCA_PRIV_NODE_USER;
        model[i].copier = model[i].kind == DOCA_PRIV_NODE_CTX ? rig_random(2) : 0;
        model[i].source = -1;
        if (model[i].kind == DOCA_PRIV_NODE_CTX)
            CHECK_OK(doca_graph_node_create_from_ctx(
                graph, doca_dma_as_ctx(copier[model[i].copier]), handle));
        else if (model[i].kind == DOCA_PRIV_NODE_USER)
            CHECK_OK(doca_graph_node_create_from_user(graph, model_call, handle));
        else
            CHECK_OK(doca_graph_node_create_from_graph(graph, inner, handle));
    }
    for (i = num_model - 1; i > 0; i--) {
        j = rig_random(i + 1);
        swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (i = 0; i < num_model; i++) {
        for (j = 0; j < i; j++) {
            uint32_t from = order[j], to = order[i];

            if (rig_random(4) >= density)
                continue;
            CHECK_OK(doca_graph_add_dependency(graph, model[from].handle, model[to].handle));
            CHECK_RC(doca_graph_add_dependency(graph, model[to].handle, model[from].handle),
                     DOCA_ERROR_NOT_PERMITTED);
            model[to].ancestors |= model[from].ancestors | 1u << from;
            if (model[to].source < 0 && model[from].kind != DOCA_PRIV_NODE_USER)
                model[to].source = (int)from;
        }
    }
    CHECK_OK(doca_graph_start(graph));
}

static void model_make_runs(void)
{
    struct model_run *m;
    unsigned n;

    memset(runs, 0, sizeof(runs));
    for (m = runs; m < runs + MODEL_RUNS; m++) {
        m->run = make_instance(graph);
        CHECK_OK(doca_graph_instance_set_user_data(m->run, (union doca_data){ .ptr = m }));
        for (n = 0; n < num_model; n++) {
            m->slot[n].of = m;
            m->slot[n].index = n;
            if (model[n].kind == DOCA_PRIV_NODE_USER)
                CHECK_OK(doca_graph_instance_set_user_node_data(m->run, model[n].handle,
                                                                &m->slot[n]));
            if (model[n].kind != DOCA_PRIV_NODE_GRAPH)
                continue;
            m->slot[n].sub = make_instance(inner);
            CHECK_OK(doca_graph_instance_set_user_node_data(m->slot[n].sub, inner_call,
                                                            &m->slot[n]));
            CHECK_OK(doca_graph_instance_set_sub_graph_node_data(m->run, model[n].handle,
                                                                 m->slot[n].sub));
        }
    }
}

static void model_submit(struct model_run *m)
{
    unsigned n;

    for (n = 0; n < num_model; n++) {
        m->slot[n].is_called = false;
        if (m->slot[n].task != NULL)
            empty(m->slot[n].task);
    }
    m->is_submitted = true;
    m->has_ended = false;
    m->fails_at = rig_random(4) == 0 ? rig_random(num_model) : MODEL_NODES;
    CHECK_OK(doca_graph_instance_submit(m->run));
}

static void model_check(struct model_run *m)
{
    unsigned n, a, origin;

    CHECK(m->has_ended);
    for (n = 0; n < num_model; n++) {
        if (m->is_ok)
            CHECK(model_is_done(m, n));
        if (m->slot[n].task != NULL && is_copied(m->slot[n].task)) {
            for (origin = n; model[origin].source >= 0;)
                origin = (unsigned)model[origin].source;
            CHECK_MEM(rig_to + model_place(m, n), rig_from + model_place(m, origin), LEN);
        }
        if (!model_is_done(m, n))
            continue;
        for (a = 0; a < num_model; a++)
            CHECK((model[n].ancestors >> a & 1) == 0 || model_is_done(m, a));
    }
    m->is_submitted = false;
}

/* Run all submitted instances, on a device that is often full, slow, and completes tasks out of
 * order. */
static void model_run_all(void)
{
    unsigned i, patience;

    for (patience = 0; pe_inflight() > 0; patience++) {
        CHECK(patience < 100000);
        held.full = rig_random(3) == 0;
        held.budget = rig_random(3);
        held.newest_first = rig_random(2) != 0;
        rig_progress(&r);
    }
    held.full = false;
    held.budget = HELD_ALL;
    held.num_to_fail = 0;
    rig_drain(&r);
    for (i = 0; i < MODEL_RUNS; i++)
        if (runs[i].is_submitted)
            model_check(&runs[i]);
}

/* Start the contexts again that a failed copy has stopped. */
static void model_restart_contexts(void)
{
    unsigned i;

    if (rig_state(doca_dma_as_ctx(copier[0])) == DOCA_CTX_STATE_RUNNING &&
        rig_state(doca_dma_as_ctx(copier[1])) == DOCA_CTX_STATE_RUNNING)
        return;
    model_drop_tasks();
    for (i = 0; i < 2; i++) {
        rig_stop(&r, doca_dma_as_ctx(copier[i]));
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(copier[i])));
    }
    rig_drain(&r);
    rig_forget_states(&r);
    model_make_tasks();
}

static void random_graphs_agree_with_a_model(void)
{
    unsigned g, round, i, n, num_ok = 0, num_not = 0;

    held_begin();
    held_open_rig(&r, 64);
    clear_trace();
    copier[0] = r.dma;
    copier[1] = rig_make_dma(&r, 64);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(copier[1])));
    rig_drain(&r);
    CHECK_OK(doca_graph_create(r.pe, &inner));
    CHECK_OK(doca_graph_set_conf(inner, model_completed, model_failed, MODEL_NODES * MODEL_RUNS));
    CHECK_OK(doca_graph_node_create_from_user(inner, model_call, &inner_call));
    inner_copy = ctx_node(inner, r.ctx);
    CHECK_OK(doca_graph_add_dependency(inner, inner_copy, inner_call));
    CHECK_OK(doca_graph_start(inner));
    for (g = 0; g < MODEL_GRAPHS; g++) {
        model_build_graph();
        model_make_runs();
        model_make_tasks();
        for (round = 0; round < MODEL_ROUNDS; round++) {
            memset(rig_to, 0, MODEL_RUNS * MODEL_NODES * LEN);
            held.num_to_fail = rig_random(10) == 0;
            held.full = rig_random(3) == 0;
            for (i = 0; i < MODEL_RUNS; i++)
                if (rig_random(4) != 0)
                    model_submit(&runs[i]);
            model_run_all();
            for (i = 0; i < MODEL_RUNS; i++)
                (void)(runs[i].is_ok ? num_ok++ : num_not++);
            model_restart_contexts();
        }
        for (i = 0; i < MODEL_RUNS; i++) {
            CHECK_OK(doca_graph_instance_destroy(runs[i].run));
            for (n = 0; n < num_model; n++)
                if (runs[i].slot[n].sub != NULL)
                    CHECK_OK(doca_graph_instance_destroy(runs[i].slot[n].sub));
        }
        model_drop_tasks();
        CHECK_OK(doca_graph_stop(graph));
        CHECK_OK(doca_graph_destroy(graph));
    }
    /* success and failure both occurred often */
    CHECK(num_ok > MODEL_GRAPHS && num_not > MODEL_GRAPHS);
    CHECK_OK(doca_graph_stop(inner));
    CHECK_OK(doca_graph_destroy(inner));
    rig_stop(&r, doca_dma_as_ctx(copier[1]));
    CHECK_OK(doca_dma_destroy(copier[1]));
    held_close_rig(&r);
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
    CASE(node_data_must_fit, "280"),
    CASE(submit_checks_all_nodes_before_any_runs, ""),
    CASE(submit_refuses_tasks_of_a_stopping_context, ""),
    CASE(level_2_refuses_roots_with_errors, ""),
    CASE(task_in_a_graph_has_user_data_and_cannot_be_freed, "281"),
    CASE(user_node_adjusts_the_next_task, "271"),
    CASE(tasks_and_graph_instances_share_a_pe, "285"),
    CASE(instances_run_in_parallel, "288"),
    CASE(full_queue_delays_tasks_in_order, "286"),
    CASE(failing_node_fails_the_instance, "282"),
    CASE(result_of_a_user_node_decides, "283 284"),
    CASE(refused_task_fails_its_node, "282"),
    CASE(task_with_an_error_fails_its_node, "282"),
    CASE(stopped_context_fails_its_instances, "282"),
    CASE(waiting_node_of_a_failed_instance_never_runs, "282"),
    CASE(program_owns_a_finished_task_again, "282"),
    CASE(callback_may_leave_by_longjmp, ""),
    CASE(progress_in_a_user_node_fails_the_node, ""),
    CASE(nodes_of_a_failed_instance_do_not_run, ""),
    CASE(failed_instance_does_not_affect_another, ""),
    CASE(chains_of_user_nodes_run_in_one_call, ""),
    CASE(instance_can_run_a_million_times, "284"),
    CASE(callback_may_destroy_the_graph, "289"),
    CASE(user_node_cannot_end_its_own_instance, "279"),
    CASE(sub_graphs_run_in_order, "271"),
    CASE(sub_instance_belongs_to_its_running_parent, "279"),
    CASE(parent_with_a_running_sub_instance_is_refused, "279"),
    CASE(failing_sub_instance_fails_its_parents, "282"),
    CASE(roots_of_sub_graphs_need_their_buffers, ""),
    CASE(program_owns_a_finished_sub_instance_again, "282"),
    CASE(sub_graph_in_use_cannot_be_stopped, ""),
    CASE(partial_hash_continues_in_the_next_run, "281 284"),
    CASE(armed_pe_wakes_for_a_graph, ""),
    CASE(waiting_for_room_does_not_wake_while_tasks_are_in_flight, "286"),
    CASE(node_that_waits_wakes_the_pe_when_its_context_stops, "286"),
    CASE(failed_node_does_not_use_its_sub_graph, ""),
    CASE(destroy_reports_an_overwritten_header, ""),
    CASE(graph_takes_the_documented_bytes, ""),
    CASE(bytes_in_use_are_the_same_after_many_graphs, ""),
    CASE(null_is_refused, ""),
    CASE(task_of_another_context_at_the_same_address_is_refused, ""),
    CASE(task_of_another_pe_is_refused, ""),
    CASE(new_object_at_the_address_of_a_nodes_context_is_refused, ""),
    CASE(submit_detects_a_new_context_at_the_same_address, ""),
    CASE(stale_and_foreign_handles_are_refused, ""),
    CASE(random_graphs_agree_with_a_model, "272 273 274 282 286 288"),
};

TEST_MAIN(cases)

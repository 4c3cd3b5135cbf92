/* Programs of DOCA 1.3: graphs. */
#include "legacy_support.h"

/* A graph of five nodes. Node 0 is the parent of the nodes 1, 2 and 3, which are the parents of
 * node
 * 4. Node 3 is a user node; the other nodes are copy jobs. */
struct diamond {
    struct doca_graph *graph;
    struct doca_graph_node *nodes[5];
    struct doca_graph_instance *instance;
    struct doca_dma_job_memcpy jobs[4];
    struct doca_event events[5];
    struct doca_buf *bufs[8];
    unsigned num_calls;
    doca_error_t answer;
};

static doca_error_t count_call(void *cookie, struct doca_event *ev)
{
    struct diamond *d = cookie;

    CHECK_PTR(ev, &d->events[3]);
    ev->user_data.u64 = 33;
    CHECK_MEM(to, from, LEN); /* its parent has completed */
    d->num_calls++;
    return d->answer;
}

static const unsigned diamond_job_nodes[4] = { 0, 1, 2, 4 }; /* node 3 is the user node */

static void diamond_open(struct diamond *d, struct kit *k)
{
    static const unsigned edges[][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 },
                                         { 1, 4 }, { 2, 4 }, { 3, 4 } };
    unsigned i;

    memset(d, 0, sizeof(*d));
    CHECK_OK(doca_graph_create(&d->graph));
    for (i = 0; i < 5; i++) {
        if (i == 3)
            CHECK_OK(doca_graph_user_node_create(d->graph, count_call, &d->nodes[i]));
        else
            CHECK_OK(
                doca_graph_ctx_node_create(d->graph, DOCA_DMA_JOB_MEMCPY, k->ctx, &d->nodes[i]));
    }
    for (i = 0; i < 6; i++)
        CHECK_OK(doca_graph_add_dependency(d->graph, d->nodes[edges[i][0]], d->nodes[edges[i][1]]));
    CHECK_OK(doca_graph_start(d->graph));
    CHECK_OK(doca_graph_workq_add(d->graph, k->workq));
    CHECK_OK(doca_graph_instance_create(d->graph, &d->instance));
    for (i = 0; i < 4; i++) {
        d->bufs[2 * i] = buf_on(k->inventory, k->mmap, from + i * LEN, LEN);
        d->bufs[2 * i + 1] = buf_on(k->inventory, k->mmap, to + i * LEN, LEN);
        d->jobs[i] = job_of(k->ctx, d->bufs[2 * i], d->bufs[2 * i + 1], LEN, 100 + i);
        CHECK_OK(doca_graph_instance_set_ctx_node_data(
            d->instance, d->nodes[diamond_job_nodes[i]], &d->jobs[i].base,
            &d->events[diamond_job_nodes[i]]));
    }
    CHECK_OK(doca_graph_instance_set_user_node_data(d->instance, d->nodes[3], d, &d->events[3]));
}

static void diamond_close(struct diamond *d, struct kit *k)
{
    unsigned i;

    for (i = 0; i < 8; i++)
        release(d->bufs[i]);
    CHECK_OK(doca_graph_instance_destroy(d->instance));
    CHECK_OK(doca_graph_workq_rm(d->graph, k->workq));
    CHECK_OK(doca_graph_stop(d->graph));
    CHECK_OK(doca_graph_destroy(d->graph));
}

static enum doca_graph_instance_node_state state_of(struct diamond *d, unsigned i)
{
    enum doca_graph_instance_node_state state;

    CHECK_OK(doca_graph_instance_node_get_state(d->instance, d->nodes[i], &state));
    return state;
}

static void graph_runs_in_order_and_again(void)
{
    union doca_data user_data = { .u64 = 77 }, result;
    unsigned round, again, i;
    struct doca_event ev;
    struct diamond d;
    doca_error_t rc;
    uint32_t num;
    struct kit k;

    kit_open_on(&k, NULL, 2); /* room for the nodes 1 and 2 */
    diamond_open(&d, &k);
    for (round = 1; round <= 3; round++) {
        memset(to, 0xee, sizeof(to));
        CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
        CHECK_RC(doca_workq_graph_submit(k.workq, d.instance, user_data), DOCA_ERROR_IN_USE);
        CHECK_RC(doca_graph_instance_destroy(d.instance), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_graph_workq_rm(d.graph, k.workq), DOCA_ERROR_IN_USE);
        CHECK_RC(doca_graph_instance_set_user_node_data(d.instance, d.nodes[3], NULL, NULL),
                 DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_graph_instance_node_get_result(d.instance, d.nodes[4], &result),
                 DOCA_ERROR_BAD_STATE);
        for (again = 0; (rc = doca_workq_progress_retrieve(k.workq, &ev, 0)) == DOCA_ERROR_AGAIN;
             again++)
            CHECK(again < 1000);
        CHECK_OK(rc);
        CHECK(again >= 3); /* nodes have no events */
        CHECK_EQ(ev.type, DOCA_GRAPH_JOB);
        CHECK_EQ(ev.user_data.u64, 77);
        CHECK_EQ(ev.result.u64, DOCA_SUCCESS);
        CHECK_EQ(d.num_calls, round);
        CHECK_MEM(to, from, 4 * LEN);
        for (i = 0; i < 5; i++) {
            CHECK_EQ(state_of(&d, i), DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED);
            CHECK_OK(doca_graph_instance_node_get_result(d.instance, d.nodes[i], &result));
            CHECK_EQ(result.u64, DOCA_SUCCESS);
        }
        CHECK_EQ(d.events[4].user_data.u64, 103);
        CHECK_EQ(d.events[4].type, DOCA_DMA_JOB_MEMCPY);
        CHECK_EQ(d.events[3].user_data.u64, 33);
        CHECK_OK(doca_graph_instance_get_num_failed_nodes(d.instance, &num));
        CHECK_EQ(num, 0);
    }
    CHECK_RC(doca_ctx_workq_rm(k.ctx, k.workq), DOCA_ERROR_NOT_PERMITTED); /* used by the graph */
    CHECK_RC(doca_workq_destroy(k.workq), DOCA_ERROR_IN_USE);
    diamond_close(&d, &k);
    kit_close(&k);
}

/* The jobs of the nodes 1 and 2 write to the same list: one job must wait for the other. */
static void jobs_of_a_graph_wait_for_a_list(void)
{
    union doca_data user_data = { .u64 = 1 };
    struct doca_event ev;
    struct doca_buf *list;
    struct diamond d;
    struct kit k;
    unsigned i;

    held_begin();
    kit_open_on(&k, HELD_DMA, 8);
    diamond_open(&d, &k);
    list = list_on(&k, to + 5 * LEN, 16, to + 6 * LEN, 32);
    for (i = 1; i < 3; i++) {
        d.jobs[i].dst_buff = list;
        d.jobs[i].num_bytes_to_copy = 32;
    }
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    /* the device completes only node 0; the nodes after it are started */
    held.budget = 1;
    for (i = 0; i < 10; i++)
        CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    held.budget = HELD_ALL;
    CHECK_OK(retrieve(k.workq, &ev));
    check_list(list, 16, 16);
    i = to[5 * LEN] == from[LEN] ? 1 : 2;
    CHECK_MEM(to + 5 * LEN, from + i * LEN, 16);
    CHECK_MEM(to + 6 * LEN, from + i * LEN + 16, 16);
    CHECK_EQ(to[6 * LEN + 16], 0xee);
    release(list);
    diamond_close(&d, &k);
    kit_close(&k);
    held_end();
}

static void failing_node_fails_the_instance(void)
{
    const struct doca_graph_node *failed_nodes[5];
    union doca_data user_data = { .u64 = 1 }, result;
    struct doca_event ev;
    struct diamond d;
    uint32_t num;
    struct kit k;

    kit_open(&k);
    diamond_open(&d, &k);
    d.answer = DOCA_ERROR_TOO_BIG;
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(ev.type, DOCA_GRAPH_JOB);
    CHECK_EQ(ev.result.u64, DOCA_ERROR_TOO_BIG);
    CHECK_EQ(state_of(&d, 3), DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR);
    CHECK_EQ(state_of(&d, 4), DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED);
    CHECK_EQ(to[3 * LEN], 0xee);
    CHECK_OK(doca_graph_instance_get_num_failed_nodes(d.instance, &num));
    CHECK_EQ(num, 1);
    num = 5;
    CHECK_OK(doca_graph_instance_get_failed_nodes(d.instance, failed_nodes, &num));
    CHECK_EQ(num, 1);
    CHECK_PTR(failed_nodes[0], d.nodes[3]);
    num = 0;
    CHECK_OK(doca_graph_instance_get_failed_nodes(d.instance, failed_nodes, &num));
    CHECK_EQ(num, 0);
    CHECK_OK(doca_graph_instance_node_get_result(d.instance, d.nodes[3], &result));
    CHECK_EQ(result.u64, DOCA_ERROR_TOO_BIG);

    d.answer = DOCA_SUCCESS; /* a job that cannot be submitted fails its node */
    d.jobs[3].num_bytes_to_copy = LEN + 1;
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(ev.result.u64, DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(d.events[4].result.u64, DOCA_ERROR_INVALID_VALUE);
    d.jobs[3].num_bytes_to_copy = LEN;
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_OK(retrieve(k.workq, &ev));

    d.jobs[0].num_bytes_to_copy = LEN + 1; /* submit checks jobs of nodes without parents */
    CHECK_RC(doca_workq_graph_submit(k.workq, d.instance, user_data), DOCA_ERROR_INVALID_VALUE);
    d.jobs[0].num_bytes_to_copy = LEN;
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_OK(retrieve(k.workq, &ev));
    diamond_close(&d, &k);
    kit_close(&k);
}

static void invalid_graph_calls_are_refused(void)
{
    struct doca_graph_node *node, *other_node;
    struct doca_graph *graph, *other;
    struct doca_graph_instance *instance;
    enum doca_graph_instance_node_state state;
    union doca_data none = { .u64 = 0 };
    struct doca_dma_job_memcpy job;
    struct doca_workq *workq;
    struct kit k;

    kit_open(&k);
    CHECK_OK(doca_graph_create(&graph));
    CHECK_OK(doca_graph_create(&other));
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE); /* no job node */
    CHECK_OK(doca_graph_user_node_create(graph, count_call, &node));
    CHECK_RC(doca_graph_start(graph), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_user_node_create(graph, NULL, &node), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_ctx_node_create(graph, 5, k.ctx, &node), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, NULL, &node),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_sub_graph_node_create(graph, graph, &node), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_sub_graph_node_create(graph, other, &node), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, k.ctx, &other_node));
    CHECK_OK(doca_graph_add_dependency(graph, node, other_node));
    CHECK_OK(doca_graph_add_dependency(graph, node, other_node));
    CHECK_RC(doca_graph_add_dependency(graph, other_node, node), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_add_dependency(graph, node, node), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_add_dependency(other, node, other_node), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_instance_create(graph, &instance), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_workq_add(graph, k.workq), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_start(graph));
    CHECK_RC(doca_graph_user_node_create(graph, count_call, &node), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_graph_add_dependency(graph, node, other_node), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_workq_create(1, &workq));
    CHECK_RC(doca_graph_workq_add(graph, workq), DOCA_ERROR_BAD_STATE); /* not attached to o.ctx */
    CHECK_RC(doca_graph_workq_rm(graph, k.workq), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_RC(doca_workq_graph_submit(k.workq, instance, none), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_graph_workq_add(graph, k.workq));
    CHECK_RC(doca_graph_workq_add(graph, k.workq), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_workq_graph_submit(k.workq, instance, none), DOCA_ERROR_INVALID_VALUE);
    job = job_of(k.ctx, NULL, NULL, 0, 0);
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance, node, &job.base, NULL),
             DOCA_ERROR_NOT_PERMITTED); /* a user node */
    job.base.ctx = NULL;
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance, other_node, &job.base, NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_instance_set_ctx_node_data(instance, other_node, NULL, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_graph_destroy(graph), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_ctx_node_create(other, DOCA_DMA_JOB_MEMCPY, k.ctx, &node));
    CHECK_RC(doca_graph_instance_node_get_state(instance, node, &state), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_RC(doca_graph_stop(graph), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_workq_rm(graph, k.workq));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    CHECK_OK(doca_graph_destroy(other));
    CHECK_OK(doca_workq_destroy(workq));
    kit_close(&k);
}

/* An outer graph has two nodes that run instances of the diamond, one after the other. */
static void sub_graphs_run_as_nodes(void)
{
    union doca_data user_data = { .u64 = 5 };
    struct doca_graph_instance *outer_instance, *second;
    struct doca_graph_node *nodes[2];
    struct doca_event ev, inner[2];
    struct doca_graph *outer;
    struct diamond d;
    struct kit k;
    unsigned i;

    kit_open(&k);
    diamond_open(&d, &k);
    CHECK_OK(doca_graph_instance_create(d.graph, &second));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_graph_instance_set_ctx_node_data(second, d.nodes[diamond_job_nodes[i]],
                                                       &d.jobs[i].base, NULL));
    CHECK_OK(doca_graph_instance_set_user_node_data(second, d.nodes[3], &d, &d.events[3]));
    CHECK_OK(doca_graph_create(&outer));
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_graph_sub_graph_node_create(outer, d.graph, &nodes[i]));
    CHECK_OK(doca_graph_add_dependency(outer, nodes[0], nodes[1]));
    CHECK_OK(doca_graph_start(outer));
    CHECK_OK(doca_graph_workq_add(outer, k.workq));
    CHECK_OK(doca_graph_instance_create(outer, &outer_instance));
    CHECK_RC(doca_workq_graph_submit(k.workq, outer_instance, user_data),
             DOCA_ERROR_INVALID_VALUE); /* no node data */
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_graph_instance_set_sub_graph_node_data(outer_instance, nodes[i], d.instance,
                                                             &inner[i]));
    CHECK_RC(doca_workq_graph_submit(k.workq, outer_instance, user_data), DOCA_ERROR_IN_USE);
    /* the failed submit left d.instance free */
    CHECK_OK(doca_workq_graph_submit(k.workq, d.instance, user_data));
    CHECK_OK(retrieve(k.workq, &ev));
    CHECK_OK(doca_graph_instance_set_sub_graph_node_data(outer_instance, nodes[1], second,
                                                         &inner[1]));
    CHECK_RC(doca_graph_instance_destroy(second), DOCA_ERROR_NOT_PERMITTED);
    d.num_calls = 0;
    for (i = 1; i <= 2; i++) {
        memset(to, 0xee, sizeof(to));
        CHECK_OK(doca_workq_graph_submit(k.workq, outer_instance, user_data));
        CHECK_RC(doca_workq_graph_submit(k.workq, second, user_data), DOCA_ERROR_IN_USE);
        CHECK_OK(retrieve(k.workq, &ev));
        CHECK_EQ(ev.user_data.u64, 5);
        CHECK_EQ(d.num_calls, 2 * i);
        CHECK_EQ(inner[0].type, DOCA_GRAPH_JOB);
        CHECK_EQ(inner[1].result.u64, DOCA_SUCCESS);
        CHECK_MEM(to, from, 4 * LEN);
    }
    /* If a node of the first diamond fails, the outer graph fails, and the second diamond is not
     * run. */
    d.answer = DOCA_ERROR_IO_FAILED;
    d.num_calls = 0;
    CHECK_OK(doca_workq_graph_submit(k.workq, outer_instance, user_data));
    CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(d.num_calls, 1);
    d.answer = DOCA_SUCCESS;
    /* all instances can be submitted again */
    CHECK_OK(doca_workq_graph_submit(k.workq, outer_instance, user_data));
    CHECK_OK(retrieve(k.workq, &ev));
    CHECK_RC(doca_graph_stop(d.graph), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_graph_instance_destroy(outer_instance));
    CHECK_OK(doca_graph_instance_destroy(second));
    CHECK_OK(doca_graph_workq_rm(outer, k.workq));
    CHECK_OK(doca_graph_destroy(outer)); /* the graph is still started */
    diamond_close(&d, &k);
    kit_close(&k);
}

static jmp_buf outside_of_the_node;

static doca_error_t leave_the_node(void *cookie, struct doca_event *ev)
{
    (void)cookie;
    (void)ev;
    longjmp(outside_of_the_node, 1);
}

static doca_error_t retrieve_in_the_node(void *cookie, struct doca_event *ev)
{
    (void)ev;
    (void)retrieve_result(cookie);
    return DOCA_SUCCESS;
}

/* A node fails if its function calls longjmp(), or retrieves an event from the same queue. No call
 * hangs. */
static void node_that_does_not_return_fails(void)
{
    union doca_data none = { .u64 = 0 };
    static struct doca_graph_node *node, *job_node;
    static struct doca_graph_instance *instance;
    static struct doca_dma_job_memcpy job;
    static struct doca_graph *graph;
    static struct doca_event ev;
    static struct kit k;
    static int kind;

    kit_open(&k);
    for (kind = 0; kind < 2; kind++) {
        CHECK_OK(doca_graph_create(&graph));
        CHECK_OK(doca_graph_user_node_create(
            graph, kind == 0 ? leave_the_node : retrieve_in_the_node, &node));
        CHECK_OK(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, k.ctx, &job_node));
        CHECK_OK(doca_graph_add_dependency(graph, node, job_node));
        CHECK_OK(doca_graph_start(graph));
        CHECK_OK(doca_graph_workq_add(graph, k.workq));
        CHECK_OK(doca_graph_instance_create(graph, &instance));
        job = job_of(k.ctx, NULL, NULL, 0, 0);
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, job_node, &job.base, NULL));
        CHECK_OK(doca_graph_instance_set_user_node_data(instance, node, k.workq, NULL));
        CHECK_OK(doca_workq_graph_submit(k.workq, instance, none));
        memset(&ev, 0, sizeof(ev));
        if (kind == 0) {
            if (setjmp(outside_of_the_node) == 0)
                (void)retrieve(k.workq, &ev);
            CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
            CHECK_EQ(ev.type, DOCA_GRAPH_JOB);
        } else { /* the call inside the function got the event */
            CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
        }
        CHECK_OK(doca_graph_instance_destroy(instance));
        CHECK_OK(doca_graph_workq_rm(graph, k.workq));
        CHECK_OK(doca_graph_destroy(graph));
    }
    kit_close(&k);
}

static doca_error_t answer_of(void *cookie, struct doca_event *ev)
{
    doca_error_t *answer = cookie;
    doca_error_t rc = *answer;

    (void)ev;
    *answer = DOCA_ERROR_UNEXPECTED; /* the case sees that the function was called */
    return rc;
}

/* A graph of two user nodes and two jobs, all without parents. After a failure no other node is
 * started, submit fails if the queue has no room for both jobs, and the event handle is readable
 * while user nodes can run. */
static void graph_without_edges(void)
{
    doca_error_t answers[2] = { DOCA_ERROR_FULL, DOCA_SUCCESS };
    union doca_data none = { .u64 = 0 };
    struct doca_graph_node *nodes[4];
    struct doca_dma_job_memcpy jobs[2];
    struct doca_graph_instance *instance;
    struct doca_graph *graph;
    struct doca_buf *bufs[4];
    doca_event_handle_t fd;
    struct doca_event ev;
    struct kit k;
    unsigned i;

    kit_open_on(&k, NULL, 1);
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    CHECK_OK(doca_workq_set_event_driven_enable(k.workq, 1));
    CHECK_OK(doca_workq_get_event_handle(k.workq, &fd));
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    CHECK_OK(doca_graph_create(&graph));
    for (i = 0; i < 4; i++)
        CHECK_OK(i < 2 ? doca_graph_user_node_create(graph, answer_of, &nodes[i])
                       : doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, k.ctx, &nodes[i]));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_workq_add(graph, k.workq));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    for (i = 0; i < 2; i++) {
        bufs[2 * i] = buf_on(k.inventory, k.mmap, from + i * LEN, LEN);
        bufs[2 * i + 1] = buf_on(k.inventory, k.mmap, to + i * LEN, LEN);
        jobs[i] = job_of(k.ctx, bufs[2 * i], bufs[2 * i + 1], LEN, 0);
        CHECK_OK(doca_graph_instance_set_user_node_data(instance, nodes[i], &answers[i], NULL));
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, nodes[2 + i], &jobs[i].base,
                                                       NULL));
    }
    CHECK_RC(doca_workq_graph_submit(k.workq, instance, none), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    CHECK_EQ(answers[0], DOCA_ERROR_FULL); /* no node was started */
    CHECK_OK(doca_graph_workq_rm(graph, k.workq));
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    CHECK_OK(doca_workq_set_depth(k.workq, 2));
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    CHECK_OK(doca_graph_workq_add(graph, k.workq));
    CHECK_OK(doca_workq_event_handle_arm(k.workq));
    CHECK_OK(doca_workq_graph_submit(k.workq, instance, none));
    CHECK(is_readable(fd));
    CHECK_OK(doca_workq_event_handle_clear(k.workq, fd));
    CHECK(!is_readable(fd));
    CHECK_OK(doca_workq_event_handle_arm(k.workq)); /* the user nodes can still run */
    CHECK(is_readable(fd));
    CHECK_OK(doca_workq_event_handle_clear(k.workq, fd));
    CHECK_RC(retrieve(k.workq, &ev), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(ev.result.u64, DOCA_ERROR_FULL);
    CHECK_EQ(answers[1], DOCA_SUCCESS); /* unchanged: the function was not called */
    CHECK_EQ(to[0], 0xee);
    answers[0] = DOCA_SUCCESS;
    CHECK_OK(doca_workq_graph_submit(k.workq, instance, none));
    CHECK_OK(retrieve(k.workq, &ev));
    CHECK_EQ(answers[1], DOCA_ERROR_UNEXPECTED);
    CHECK_MEM(to, from, 2 * LEN);
    for (i = 0; i < 4; i++)
        release(bufs[i]);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_workq_rm(graph, k.workq));
    CHECK_OK(doca_graph_destroy(graph));
    kit_close(&k);
}

static const struct test_case cases[] = {
    CASE(graph_runs_in_order_and_again, ""),
    CASE(jobs_of_a_graph_wait_for_a_list, ""),
    CASE(failing_node_fails_the_instance, ""),
    CASE(invalid_graph_calls_are_refused, ""),
    CASE(sub_graphs_run_as_nodes, ""),
    CASE(graph_without_edges, ""),
    CASE(node_that_does_not_return_fails, ""),
};

TEST_MAIN(cases)

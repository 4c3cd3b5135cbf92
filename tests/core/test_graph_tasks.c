/* Graphs: the data of nodes, and tasks that belong to a graph. */
#include "graph_support.h"

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

static const struct test_case cases[] = {
    CASE(node_data_must_fit, "280"),
    CASE(submit_checks_all_nodes_before_any_runs, ""),
    CASE(submit_refuses_tasks_of_a_stopping_context, ""),
    CASE(level_2_refuses_roots_with_errors, ""),
    CASE(task_in_a_graph_has_user_data_and_cannot_be_freed, "281"),
    CASE(user_node_adjusts_the_next_task, "271"),
    CASE(tasks_and_graph_instances_share_a_pe, "285"),
    CASE(instances_run_in_parallel, "288"),
    CASE(full_queue_delays_tasks_in_order, "286"),
    CASE(partial_hash_continues_in_the_next_run, "281 284"),
};

TEST_MAIN(cases)

/* Graphs: their memory, and handles of wrong, destroyed and later objects. */
#include "graph_support.h"

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

static const struct test_case cases[] = {
    CASE(destroy_reports_an_overwritten_header, ""),
    CASE(graph_takes_the_documented_bytes, ""),
    CASE(bytes_in_use_are_the_same_after_many_graphs, ""),
    CASE(null_is_refused, ""),
    CASE(task_of_another_context_at_the_same_address_is_refused, ""),
    CASE(task_of_another_pe_is_refused, ""),
    CASE(new_object_at_the_address_of_a_nodes_context_is_refused, ""),
    CASE(submit_detects_a_new_context_at_the_same_address, ""),
    CASE(stale_and_foreign_handles_are_refused, ""),
};

TEST_MAIN(cases)

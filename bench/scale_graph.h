/* Rows of bench_scale.c: graphs of more and more nodes. All figures are for one node. A graph must
 * contain a task; here a copy of 64 B stands before the user nodes. */
#ifndef BENCH_SCALE_GRAPH_H
#define BENCH_SCALE_GRAPH_H

#include "scale.h"

enum graph_shape {
    GRAPH_LINE,     /* node after node */
    GRAPH_FAN,      /* all nodes after the copy, and one node after all of them */
    GRAPH_BACKWARD, /* a line whose dependencies are added from its end */
    GRAPH_MIXED,    /* a line whose dependencies are added in pairs, then between the pairs */
    GRAPH_CTXS      /* all nodes after the copy; each is a task of a separate context */
};

static struct {
    enum graph_shape shape;
    size_t num;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_dma **dmas; /* GRAPH_CTXS */
    struct doca_task *task;
    struct bench_copy copy;
    struct doca_graph *graph;
    struct doca_graph_instance *run;
    struct doca_graph_node *first, **nodes;
    unsigned char *data;
    struct graph_bare {
        struct graph_bare *next;
        void (*function)(unsigned long *count);
        unsigned long count;
        unsigned char rest[BENCH_LINE - 2 * sizeof(void *) - sizeof(long)];
    } * bare;
    unsigned char *steps; /* 56 B for each bare node, as in the library */
    unsigned long num_called, num_runs;
} graph;

static void graph_copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                         union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data; /* not called in a graph */
}

static void graph_ended(struct doca_graph_instance *run, union doca_data data,
                        union doca_data graph_data)
{
    (void)run, (void)data, (void)graph_data;
    graph.num_runs++;
}

static void graph_failed(struct doca_graph_instance *run, union doca_data data,
                         union doca_data graph_data)
{
    (void)run, (void)data, (void)graph_data;
    bench_die(doca_core_last_error());
}

static doca_error_t graph_called(void *cookie)
{
    (void)cookie;
    graph.num_called++;
    return DOCA_SUCCESS;
}

static void depend(struct doca_graph_node *from, struct doca_graph_node *to)
{
    bench_must(doca_graph_add_dependency(graph.graph, from, to));
}

static void depend_on_before(size_t i)
{
    depend(i > 0 ? graph.nodes[i - 1] : graph.first, graph.nodes[i]);
}

static void add_dependencies(void)
{
    size_t i, num = graph.num;

    switch (graph.shape) {
    case GRAPH_LINE:
        for (i = 0; i < num; i++)
            depend_on_before(i);
        break;
    case GRAPH_BACKWARD:
        for (i = num; i > 0; i--)
            depend_on_before(i - 1);
        break;
    case GRAPH_MIXED:
        for (i = 0; i < num; i += 2)
            depend_on_before(i);
        for (i = 1; i < num; i += 2)
            depend_on_before(i);
        break;
    default:
        for (i = 0; i + 1 < num; i++) {
            depend(graph.first, graph.nodes[i]);
            depend(graph.nodes[i], graph.nodes[num - 1]);
        }
        if (num == 1)
            depend_on_before(0);
    }
}

static void build_graph(void)
{
    struct doca_ctx *ctx;
    size_t i;

    bench_must(doca_graph_create(graph.pe, &graph.graph));
    bench_must(doca_graph_set_conf(graph.graph, graph_ended, graph_failed, 1));
    bench_must(
        doca_graph_node_create_from_ctx(graph.graph, doca_dma_as_ctx(graph.dma), &graph.first));
    for (i = 0; i < graph.num; i++) {
        ctx = graph.shape == GRAPH_CTXS ? doca_dma_as_ctx(graph.dmas[i]) : NULL;
        bench_must(ctx != NULL ? doca_graph_node_create_from_ctx(graph.graph, ctx, &graph.nodes[i])
                               : doca_graph_node_create_from_user(graph.graph, graph_called,
                                                                  &graph.nodes[i]));
    }
    add_dependencies();
    bench_must(doca_graph_start(graph.graph));
    bench_must(doca_graph_instance_create(graph.graph, &graph.run));
    bench_must(doca_graph_instance_set_ctx_node_data(graph.run, graph.first, graph.task));
}

static void end_graph(void)
{
    bench_must(doca_graph_instance_destroy(graph.run));
    bench_must(doca_graph_stop(graph.graph));
    bench_must(doca_graph_destroy(graph.graph));
}

static void graph_count(unsigned long *count)
{
    (*count)++;
}

static void open_bare(size_t num)
{
    size_t i;

    graph.bare = bench_pages(num * sizeof(*graph.bare));
    graph.steps = bench_pages(num * 56);
    for (i = 0; i < num; i++) {
        graph.bare[i].next = i + 1 < num ? &graph.bare[i + 1] : NULL;
        graph.bare[i].function = graph_count;
    }
}

static void open_graph(enum graph_shape shape, size_t num, bool is_built)
{
    const union doca_data none = { NULL };
    struct doca_dma_task_memcpy *copy;
    size_t i;

    memset(&graph, 0, sizeof(graph));
    graph.shape = shape;
    graph.num = num;
    graph.data = bench_pages(4096);
    graph.nodes = bench_pages(num * sizeof(void *));
    graph.dmas = bench_pages(num * sizeof(void *));
    open_bare(num);
    bench_rig_open(&scale.rig, graph.data, 4096, 2);
    bench_copy_open(&graph.copy, &scale.rig, scale.rig.map, graph.data, graph.data + 2048,
                    SCALE_ROOM);
    bench_must(doca_pe_create(&graph.pe));
    graph.dma = bench_dma_open(scale.rig.dev, graph.pe);
    bench_dma_start(graph.dma, graph_copied, 1);
    for (i = 0; shape == GRAPH_CTXS && i < num; i++) {
        graph.dmas[i] = bench_dma_open(scale.rig.dev, graph.pe);
        bench_dma_start(graph.dmas[i], graph_copied, 1);
    }
    bench_must(
        doca_dma_task_memcpy_alloc_init(graph.dma, graph.copy.src, graph.copy.dst, none, &copy));
    graph.task = doca_dma_task_memcpy_as_task(copy);
    while (doca_pe_progress(graph.pe) != 0)
        continue;
    if (is_built)
        build_graph();
}

static void close_unbuilt(size_t num)
{
    size_t i;

    doca_task_free(graph.task);
    bench_copy_close(&graph.copy);
    for (i = 0; graph.shape == GRAPH_CTXS && i < num; i++)
        bench_must(doca_dma_destroy(graph.dmas[i]));
    bench_must(doca_dma_destroy(graph.dma));
    bench_must(doca_pe_destroy(graph.pe));
    bench_rig_close(&scale.rig);
    scale_drop(graph.steps, num * 56);
    scale_drop(graph.bare, num * sizeof(*graph.bare));
    scale_drop(graph.dmas, num * sizeof(void *));
    scale_drop(graph.nodes, num * sizeof(void *));
    scale_drop(graph.data, 4096);
}

static void close_built(size_t num)
{
    end_graph();
    close_unbuilt(num);
}

#define GRAPH_OPEN(name, shape, is_built)                                                          \
    static void name(size_t num)                                                                   \
    {                                                                                              \
        open_graph(shape, num, is_built);                                                          \
    }

GRAPH_OPEN(open_run_line, GRAPH_LINE, true)
GRAPH_OPEN(open_run_fan, GRAPH_FAN, true)
GRAPH_OPEN(open_line, GRAPH_LINE, false)
GRAPH_OPEN(open_fan, GRAPH_FAN, false)
GRAPH_OPEN(open_backward, GRAPH_BACKWARD, false)
GRAPH_OPEN(open_mixed, GRAPH_MIXED, false)
GRAPH_OPEN(open_graph_ctxs, GRAPH_CTXS, false)

/* Run the graph once for every `num` operations: each of its nodes counts as one operation. */
static void run_graph(unsigned long n, const void *arg)
{
    unsigned long target;

    (void)arg;
    for (; bench_left(n); n -= graph.num) {
        target = graph.num_runs + 1;
        bench_must(doca_buf_reset_data_len(graph.copy.dst));
        bench_must(doca_graph_instance_submit(graph.run));
        while (graph.num_runs != target)
            doca_pe_progress(graph.pe);
    }
}

/* Follow a list of as many lines, read as many bytes of steps, and call a function for each. */
static void bare_graph(unsigned long n, const void *arg)
{
    struct graph_bare *node;
    volatile uint64_t *step;

    (void)arg;
    for (; bench_left(n); n -= graph.num) {
        step = (volatile uint64_t *)(void *)graph.steps;
        for (node = graph.bare; node != NULL; node = node->next, step += 7) {
            (void)*step;
            node->function(&node->count);
        }
    }
}

static void run_build(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n -= graph.num) {
        build_graph();
        end_graph();
    }
}

/* The bare pattern of building a graph, in plain memory: the cache lines of each node and of each
 * dependency are written when the graph is built, and again when it is destroyed. */
static void bare_build(unsigned long n, const void *arg)
{
    size_t i, turn;

    (void)arg;
    for (; bench_left(n); n -= graph.num)
        for (turn = 0; turn < 2; turn++)
            for (i = 0; i < graph.num; i++) {
                graph.bare[i].count++;
                graph.steps[i * 56]++;
            }
}

#define NODE_ROW .x = "nodes", .factor = 10, .max = 10000, .smoke_max = 1000, .is_per_object = true
#define BUILD_ROW                                                                                  \
    NODE_ROW, .run = run_build, .close = close_unbuilt, .bare = bare_build,                        \
              .bare_name = "count in as many lines, twice"

static const struct scale_row scale_graph_rows[] = {
    { .work = "graph_line",
      .title = "run a line of nodes, per node",
      NODE_ROW,
      .open = open_run_line,
      .close = close_built,
      .run = run_graph,
      .bare = bare_graph,
      .bare_name = "call a function for each node of a list" },
    { .work = "graph_fan",
      .title = "run a fan of nodes, per node",
      NODE_ROW,
      .open = open_run_fan,
      .close = close_built,
      .run = run_graph,
      .bare = bare_graph,
      .bare_name = "call a function for each node of a list" },
    { .work = "build_line",
      .title = "build, start and destroy a line, per node",
      BUILD_ROW,
      .open = open_line },
    { .work = "build_fan",
      .title = "build, start and destroy a fan, per node",
      BUILD_ROW,
      .open = open_fan },
    { .work = "build_backward",
      .title = "build, start and destroy a line, dependencies from its end, per node",
      BUILD_ROW,
      .open = open_backward },
    { .work = "build_mixed",
      .title = "build, start and destroy a line, every second dependency first, per node",
      BUILD_ROW,
      .open = open_mixed },
    { .work = "build_ctxs",
      .title = "build, start and destroy a fan of tasks of different contexts, per node",
      .x = "nodes",
      .factor = 4,
      .max = 4096,
      .smoke_max = 256,
      .is_per_object = true,
      .run = run_build,
      .close = close_unbuilt,
      .bare = bare_build,
      .bare_name = "count in as many lines, twice",
      .open = open_graph_ctxs },
};

#endif

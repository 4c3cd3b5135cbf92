/* Graphs: the cost of a node, in a chain of five and in four lanes between a first and a last node.
 * The peer is a chain of five nodes of DPDK's rte_graph, for one object. The packaged rte_graph
 * reads the clock twice for each node; a second peer is the same walk without the clock.
 *
 * A graph of doca_core must contain a task. Here a copy of 64 B stands before the nodes that are
 * measured, and the least time that a graph of that copy alone took in the same turns is
 * subtracted. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "bench.h"

#define LINE 5u
#define LANES 4u
#define LANE 4u /* number of nodes of a lane */
#define IN_LANES (1 + LANES * LANE + 1)
#define SMALL 64u

/* Source and destination are an odd number of cache lines apart; bench_dma.c says why. */
static unsigned char memory[2 * 4096] __attribute__((aligned(4096)));
static unsigned char *const from = memory, *const to = memory + 4096 + 21 * BENCH_LINE;

static struct plan { /* a graph, and the instance of it that runs again and again */
    unsigned num; /* nodes behind the copy */
    struct doca_graph *graph;
    struct doca_graph_node *copy;
    struct doca_graph_instance *instance;
    struct doca_task *task;
} alone = { .num = 0 }, line = { .num = LINE }, lanes = { .num = IN_LANES };

static struct doca_pe *pe;
static struct doca_dma *dma;
static struct doca_buf *src, *dst;
static unsigned long num_called; /* number of calls of nodes, by the current side */
static unsigned long num_runs;

static void copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data; /* not called in a graph */
}

static void run_ended(struct doca_graph_instance *instance, union doca_data data,
                      union doca_data graph_data)
{
    (void)instance, (void)data, (void)graph_data;
    num_runs++;
}

static void run_failed(struct doca_graph_instance *instance, union doca_data data,
                       union doca_data graph_data)
{
    (void)instance, (void)data, (void)graph_data;
    bench_die(doca_core_last_error());
}

static doca_error_t called(void *cookie)
{
    (void)cookie;
    num_called++;
    return DOCA_SUCCESS;
}

/* ---- ours ---- */

static struct doca_graph_node *add_node(struct plan *p, struct doca_graph_node *behind)
{
    struct doca_graph_node *node = NULL;

    bench_must(doca_graph_node_create_from_user(p->graph, called, &node));
    bench_must(doca_graph_add_dependency(p->graph, behind, node));
    return node;
}

static void open_plan(struct plan *p)
{
    const union doca_data none = { NULL };
    struct doca_dma_task_memcpy *copy;

    bench_must(doca_graph_create(pe, &p->graph));
    bench_must(doca_graph_set_conf(p->graph, run_ended, run_failed, 1));
    bench_must(doca_graph_node_create_from_ctx(p->graph, doca_dma_as_ctx(dma), &p->copy));
    bench_must(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &copy));
    p->task = doca_dma_task_memcpy_as_task(copy);
}

static void start_plan(struct plan *p)
{
    bench_must(doca_graph_start(p->graph));
    bench_must(doca_graph_instance_create(p->graph, &p->instance));
    bench_must(doca_graph_instance_set_ctx_node_data(p->instance, p->copy, p->task));
}

static void close_plan(struct plan *p)
{
    bench_must(doca_graph_instance_destroy(p->instance));
    bench_must(doca_graph_stop(p->graph));
    bench_must(doca_graph_destroy(p->graph));
    doca_task_free(p->task);
}

static void open_plans(void)
{
    struct doca_graph_node *node, *first, *last = NULL;
    unsigned i, k;

    open_plan(&alone);
    start_plan(&alone);
    open_plan(&line);
    for (i = 0, node = line.copy; i < LINE; i++)
        node = add_node(&line, node);
    start_plan(&line);
    open_plan(&lanes);
    first = add_node(&lanes, lanes.copy);
    for (i = 0; i < LANES; i++) {
        for (k = 0, node = first; k < LANE; k++)
            node = add_node(&lanes, node);
        if (last == NULL)
            last = add_node(&lanes, node);
        else
            bench_must(doca_graph_add_dependency(lanes.graph, node, last));
    }
    start_plan(&lanes);
}

BENCH_INLINE void runs(bool is_library, unsigned long n, const struct plan *p)
{
    unsigned long before = num_runs;

    for (; bench_left(n); n--, before++) {
        bench_must(BENCH_CALL(is_library, buf_reset_data_len, dst));
        bench_must(BENCH_CALL(is_library, graph_instance_submit, p->instance));
        while (num_runs == before)
            (void)BENCH_CALL(is_library, pe_progress, pe);
    }
}

static void runs_inlined(unsigned long n, const void *arg)
{
    runs(false, n, arg);
}

static void runs_library(unsigned long n, const void *arg)
{
    runs(true, n, arg);
}

static bool all_were_called(const struct bench_side *side)
{
    const struct plan *p = side->arg;
    unsigned long before = num_called;

    bench_fill(from, SMALL);
    memset(to, 0, SMALL);
    side->run(3, p);
    return num_called - before == 3ul * p->num && memcmp(from, to, SMALL) == 0;
}

/* ---- DPDK: a source that makes one object, and nodes that pass it on ---- */

#ifdef BENCH_DPDK
#include <rte_graph_worker.h>

static struct rte_graph *packaged;

static uint16_t make_object(struct rte_graph *graph, struct rte_node *node, void **objs,
                            uint16_t num)
{
    (void)objs, (void)num;
    num_called++;
    objs = rte_node_next_stream_get(graph, node, 0, 1);
    objs[0] = from;
    rte_node_next_stream_put(graph, node, 0, 1);
    return 1;
}

static uint16_t pass_on(struct rte_graph *graph, struct rte_node *node, void **objs, uint16_t num)
{
    (void)objs;
    num_called++;
    rte_node_next_stream_move(graph, node, 0);
    return num;
}

static uint16_t drop(struct rte_graph *graph, struct rte_node *node, void **objs, uint16_t num)
{
    (void)graph, (void)node, (void)objs;
    num_called++;
    return num;
}

static struct rte_node_register node_1 = { .name = "bench_1", .flags = RTE_NODE_SOURCE_F,
                                           .process = make_object, .nb_edges = 1,
                                           .next_nodes = { "bench_2" } };
static struct rte_node_register node_2 = { .name = "bench_2", .process = pass_on, .nb_edges = 1,
                                           .next_nodes = { "bench_3" } };
static struct rte_node_register node_3 = { .name = "bench_3", .process = pass_on, .nb_edges = 1,
                                           .next_nodes = { "bench_4" } };
static struct rte_node_register node_4 = { .name = "bench_4", .process = pass_on, .nb_edges = 1,
                                           .next_nodes = { "bench_5" } };
static struct rte_node_register node_5 = { .name = "bench_5", .process = drop };

RTE_NODE_REGISTER(node_1);
RTE_NODE_REGISTER(node_2);
RTE_NODE_REGISTER(node_3);
RTE_NODE_REGISTER(node_4);
RTE_NODE_REGISTER(node_5);

static const char *graph_ready(void)
{
    static const char *patterns[] = { "bench_*" };
    struct rte_graph_param param = { .socket_id = SOCKET_ID_ANY, .nb_node_patterns = 1,
                                     .node_patterns = patterns };
    const char *reason = bench_eal(64, NULL);

    if (reason == NULL && packaged == NULL) {
        if (rte_graph_create("bench", &param) != RTE_GRAPH_ID_INVALID)
            packaged = rte_graph_lookup("bench");
        reason = packaged == NULL ? "DPDK makes no graph here" : NULL;
    }
    return reason;
}

static void walk(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        rte_graph_walk(packaged);
}

/* The loop of rte_graph_walk() when DPDK is configured without RTE_LIBRTE_GRAPH_STATS: pending
 * nodes stand in a ring, behind the sources, whose indices are negative. */
static void walk_without_statistics(unsigned long n, const void *arg)
{
    const rte_graph_off_t *ring = packaged->cir_start;
    struct rte_node *node;
    int32_t i;

    (void)arg;
    for (; bench_left(n); n--) {
        for (i = (int32_t)packaged->head; i != (int32_t)packaged->tail;) {
            node = RTE_PTR_ADD(packaged, ring[i++]);
            rte_prefetch0(node->objs);
            node->process(packaged, node, node->objs, node->idx);
            node->idx = 0;
            if (i > 0)
                i &= (int32_t)packaged->cir_mask;
        }
        packaged->tail = 0;
    }
}

static bool all_passed(const struct bench_side *side)
{
    unsigned long before = num_called;

    side->run(3, side->arg);
    return num_called - before == 3ul * LINE;
}

static void graph_end(void)
{
    if (packaged != NULL)
        rte_graph_destroy(packaged->id);
}
#else
static const char *graph_ready(void)
{
    return bench_eal(0, NULL);
}

static void graph_end(void)
{
}
#endif

#define COPY_ALONE "one copy alone"
#define OURS(form, function, plan, nodes)                                                          \
    { .side = "ours", .name = form, .run = function, .arg = plan, .per = nodes,                    \
      .verify = all_were_called, .beyond = COPY_ALONE,                                             \
      .note = "the least that one copy alone takes is taken off" }
#define ALONE                                                                                      \
    { .side = "ours", .name = COPY_ALONE, .run = runs_inlined, .arg = &alone,                      \
      .verify = all_were_called, .note = "a run, which is taken off the others of ours" }
#define WALKS                                                                                      \
    { .side = "peer", .name = "rte_graph, line of 5", .run = BENCH_IF_DPDK(walk), .per = LINE,     \
      .verify = BENCH_IF_DPDK(all_passed), .ready = graph_ready },                                 \
    { .side = "peer", .name = "rte_graph, line of 5, statistics off",                              \
      .run = BENCH_IF_DPDK(walk_without_statistics), .per = LINE,                                  \
      .verify = BENCH_IF_DPDK(all_passed), .ready = graph_ready }
#define TARGETS                                                                                    \
    { "13", "inlined", "rte_graph, line of 5", "ratio", 0.2, 0.12 },                               \
    { "13", "inlined", "rte_graph, line of 5, statistics off", "ratio", 0.95, NAN }

static const struct bench_work works[] = {
    { .area = "graph",
      .work = "line5",
      .title = "a run, per node, of a line of 5",
      .batch = 1,
      .sides = { OURS("inlined", runs_inlined, &line, LINE),
                 OURS("library", runs_library, &line, LINE), ALONE, WALKS },
      .targets = { TARGETS } },
    { .area = "graph",
      .work = "lanes18",
      .title = "a run, per node, of 18 nodes in 4 lanes",
      .batch = 1,
      .sides = { OURS("inlined", runs_inlined, &lanes, IN_LANES),
                 OURS("library", runs_library, &lanes, IN_LANES), ALONE, WALKS },
      .targets = { TARGETS } },
};

int main(int argc, char **argv)
{
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *inventory;
    size_t i;

    bench_begin("bench_graph", argc, argv);
    dev = bench_open_dev();
    map = bench_map(dev, memory, sizeof(memory));
    bench_must(doca_buf_inventory_create(2, &inventory));
    bench_must(doca_buf_inventory_start(inventory));
    bench_must(doca_buf_inventory_buf_get_by_data(inventory, map, from, SMALL, &src));
    bench_must(doca_buf_inventory_buf_get_by_addr(inventory, map, to, SMALL, &dst));
    bench_must(doca_pe_create(&pe));
    bench_must(doca_dma_create(dev, &dma));
    bench_must(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    bench_must(doca_dma_task_memcpy_set_conf(dma, copied, copied, 3));
    bench_must(doca_ctx_start(doca_dma_as_ctx(dma)));
    open_plans();
    for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
        bench_run(&works[i]);
    close_plan(&alone);
    close_plan(&line);
    close_plan(&lanes);
    graph_end();
    bench_must(doca_dma_destroy(dma));
    bench_must(doca_pe_destroy(pe));
    bench_must(doca_buf_dec_refcount(src, NULL));
    bench_must(doca_buf_dec_refcount(dst, NULL));
    bench_must(doca_buf_inventory_destroy(inventory));
    bench_must(doca_mmap_destroy(map));
    bench_must(doca_dev_close(dev));
    return bench_end();
}

/* The objects that the operations of instructions.c use, and their callbacks. instructions.c
 * includes this file after doca_core.h. */
#ifndef BENCH_INSTRUCTIONS_OBJECTS_H
#define BENCH_INSTRUCTIONS_OBJECTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FEW 2u
#define MANY 6u
#define LANE 4u     /* nodes of a lane */
#define SMALL 64u   /* bytes that a task copies */

#define NUM_BUFS 512u
#define NUM_EXPANDED 32u /* bufs of an inventory that was expanded twice */
#define NUM_AMONG 64u /* contexts of a PE; one of them is busy */
#define NUM_CTXS 4    /* contexts of the random sequence */
#define NUM_TASKS 32u /* tasks of each of these contexts */

static DOCA_CORE_ALIGNED unsigned char memory[1 << 16];
static unsigned char *const from = memory, *const to = memory + (1 << 15) + 21 * 64;

static struct doca_dev *dev;
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory, *expanded;
static struct doca_buf_pool *pool;
static struct doca_pe *pe, *pe_among, *pe_sha, *pe_graph, *pe_random, *pe_lists;
static struct doca_dma *dma, *dma_among[NUM_AMONG], *dma_random[NUM_CTXS], *dma_lists, *dma_graph;
static struct doca_sha *sha;
static struct doca_sync_event *event;
static struct doca_graph_instance *lines[MANY + 1]; /* lines[i] has i nodes */
static struct doca_graph_instance *lanes[MANY + 1]; /* lanes[i] has i lanes */
static struct doca_buf *src, *dst, *dst_graph, *digest;
static struct doca_buf *src2, *dst2[MANY]; /* lists of two halves */

static unsigned num_done; /* completions so far */
static const union doca_data none;

static __attribute__((noinline, cold, noreturn)) void fail(const char *what)
{
    fprintf(stderr, "instructions: %s\n", what != NULL ? what : doca_core_last_error());
    exit(1);
}

static inline void must(doca_error_t rc)
{
    if (doca_unlikely(rc != DOCA_SUCCESS))
        fail(NULL);
}

static inline struct doca_task *as_task(struct doca_dma_task_memcpy *task)
{
    return doca_dma_task_memcpy_as_task(task);
}

/* The task's user data says what its callback does. */
enum on_done { KEEP, FREE };

static const union doca_data keep = { .u64 = KEEP }, release = { .u64 = FREE };

static void on_done(struct doca_dma_task_memcpy *task, union doca_data what, union doca_data unused)
{
    (void)unused;
    num_done++;
    if (what.u64 == FREE)
        doca_task_free(as_task(task));
}

static struct doca_dma_task_memcpy *last_done;

static void on_random_done(struct doca_dma_task_memcpy *task, union doca_data data,
                           union doca_data unused)
{
    (void)data, (void)unused;
    last_done = task;
}

static void on_error(struct doca_dma_task_memcpy *task, union doca_data data,
                     union doca_data unused)
{
    (void)task, (void)data, (void)unused;
    fail(NULL);
}

static void on_hash(struct doca_sha_task_hash *task, union doca_data data, union doca_data unused)
{
    (void)data, (void)unused;
    must(doca_task_get_status(doca_sha_task_hash_as_task(task)));
    num_done++;
    doca_task_free(doca_sha_task_hash_as_task(task));
}

static void on_run(struct doca_graph_instance *run, union doca_data data, union doca_data unused)
{
    (void)run, (void)data, (void)unused;
    num_done++;
}

static void on_run_error(struct doca_graph_instance *run, union doca_data data,
                         union doca_data unused)
{
    (void)run, (void)data, (void)unused;
    fail(NULL);
}

static doca_error_t user_node(void *cookie)
{
    (void)cookie;
    return DOCA_SUCCESS;
}

static struct doca_dma *make_dma(struct doca_pe *of, doca_dma_task_memcpy_completion_cb_t done)
{
    struct doca_dma *made;

    must(doca_dma_create(dev, &made));
    must(doca_pe_connect_ctx(of, doca_dma_as_ctx(made)));
    must(doca_dma_task_memcpy_set_conf(made, done, on_error, NUM_TASKS));
    must(doca_ctx_start(doca_dma_as_ctx(made)));
    return made;
}

static struct doca_graph_node *make_node(struct doca_graph *graph, struct doca_graph_node *behind)
{
    struct doca_graph_node *node = NULL;

    must(doca_graph_node_create_from_user(graph, user_node, &node));
    must(doca_graph_add_dependency(graph, behind, node));
    return node;
}

/* Make an instance of a graph: a task (a graph must contain one), then `num` lanes of `length` user
 * nodes, then, with several lanes, a node that waits for all of them. */
static struct doca_graph_instance *make_lanes(unsigned num, unsigned length)
{
    struct doca_graph_node *first, *node, *last = NULL;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_instance *run;
    struct doca_graph *graph;
    unsigned i, k;

    must(doca_graph_create(pe_graph, &graph));
    must(doca_graph_set_conf(graph, on_run, on_run_error, 1));
    must(doca_graph_node_create_from_ctx(graph, doca_dma_as_ctx(dma_graph), &first));
    for (i = 0; i < num; i++) {
        for (k = 0, node = first; k < length; k++)
            node = make_node(graph, node);
        if (num > 1 && last != NULL)
            must(doca_graph_add_dependency(graph, node, last));
        else if (num > 1)
            last = make_node(graph, node);
    }
    must(doca_graph_start(graph));
    must(doca_graph_instance_create(graph, &run));
    must(doca_dma_task_memcpy_alloc_init(dma_graph, src, dst_graph, keep, &task));
    must(doca_graph_instance_set_ctx_node_data(run, first, as_task(task)));
    return run;
}

static void set_up_engines(void)
{
    unsigned i;

    must(doca_pe_create(&pe));
    must(doca_pe_create(&pe_among));
    must(doca_pe_create(&pe_sha));
    must(doca_pe_create(&pe_graph));
    must(doca_pe_create(&pe_random));
    must(doca_pe_create(&pe_lists));
    dma = make_dma(pe, on_done);
    dma_lists = make_dma(pe_lists, on_random_done);
    for (i = 0; i < NUM_AMONG; i++)
        dma_among[i] = make_dma(pe_among, on_done);
    for (i = 0; i < NUM_CTXS; i++)
        dma_random[i] = make_dma(pe_random, on_random_done);
    must(doca_sha_create(dev, &sha));
    must(doca_pe_connect_ctx(pe_sha, doca_sha_as_ctx(sha)));
    must(doca_sha_task_hash_set_conf(sha, on_hash, on_hash, 5));
    must(doca_ctx_start(doca_sha_as_ctx(sha)));
    dma_graph = make_dma(pe_graph, on_done);
    lines[FEW] = make_lanes(1, FEW);
    lines[MANY] = make_lanes(1, MANY);
    lanes[FEW] = make_lanes(FEW, LANE);
    lanes[MANY] = make_lanes(MANY, LANE);
}

static struct doca_buf *make_buf(unsigned char *addr, size_t len, size_t data_len)
{
    struct doca_buf *made;

    must(doca_buf_inventory_buf_get_by_args(inventory, map, addr, len, addr, data_len, &made));
    return made;
}

/* Make a list of two bufs of SMALL / 2 bytes each. */
static struct doca_buf *make_halves(unsigned char *addr, size_t data_len)
{
    struct doca_buf *head = make_buf(addr, SMALL / 2, data_len);

    must(doca_buf_chain_list(head, make_buf(addr + SMALL / 2, SMALL / 2, data_len)));
    return head;
}

static void set_up(void)
{
    struct doca_devinfo **list;
    uint32_t num;
    size_t i;

    for (i = 0; i < sizeof(memory); i++)
        memory[i] = (unsigned char)(i * 7 + i / 256);
    must(doca_devinfo_create_list(&list, &num));
    must(doca_dev_open(list[0], &dev));
    must(doca_devinfo_destroy_list(list));
    must(doca_mmap_create(&map));
    must(doca_mmap_set_memrange(map, memory, sizeof(memory)));
    must(doca_mmap_add_dev(map, dev));
    must(doca_mmap_start(map));
    must(doca_buf_inventory_create(NUM_BUFS, &inventory));
    must(doca_buf_inventory_start(inventory));
    must(doca_buf_inventory_create(NUM_EXPANDED / 4, &expanded));
    must(doca_buf_inventory_expand(expanded, NUM_EXPANDED / 4));
    must(doca_buf_inventory_expand(expanded, NUM_EXPANDED / 2));
    must(doca_buf_inventory_start(expanded));
    must(doca_buf_pool_create(MANY, SMALL, map, &pool));
    must(doca_buf_pool_start(pool));
    must(doca_sync_event_create(&event));
    must(doca_sync_event_add_publisher_location_cpu(event, dev));
    must(doca_sync_event_add_subscriber_location_cpu(event, dev));
    must(doca_sync_event_start(event));
    src = make_buf(from, SMALL, SMALL);
    dst = make_buf(to, (size_t)SMALL * MANY, 0);
    src2 = make_halves(from, SMALL / 2);
    for (i = 0; i < MANY; i++)
        dst2[i] = make_halves(to + i * SMALL, 0);
    digest = make_buf(to, (size_t)32 * MANY, 0);
    dst_graph = make_buf(to, SMALL, 0);
    set_up_engines();
}

#endif

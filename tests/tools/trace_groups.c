/* A program for the test of tools/trace. It submits a batch of three copies, and runs a graph
 * twice: a copy, then a function of the program, which fails in the second run. */
#define DOCA_CORE_TRACE 1
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != DOCA_SUCCESS) {                                                              \
            fprintf(stderr, "%s: %s\n", #call, doca_core_last_error());                            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { BYTES = 4096, LEN = 100, COPIES = 3 };

static unsigned char memory[BYTES];
static const union doca_data none = { 0 };
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory;
static struct doca_dma *dma;
static struct doca_pe *pe;
static unsigned num_batches, num_runs;

static void task_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                      union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data;
}

static void batch_done(struct doca_task_batch *batch, uint16_t num, union doca_data data,
                       union doca_data ctx_data)
{
    (void)batch, (void)num, (void)data, (void)ctx_data;
    num_batches++;
}

static void run_done(struct doca_graph_instance *run, union doca_data data, union doca_data graph)
{
    (void)run, (void)data, (void)graph;
    num_runs++;
}

static doca_error_t user_node(void *cookie)
{
    (void)cookie;
    return num_runs == 0 ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

static struct doca_task *copy_of(unsigned i)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;

    OK(doca_buf_inventory_buf_get_by_data(inventory, map, memory + i * LEN, LEN, &src));
    OK(doca_buf_inventory_buf_get_by_addr(inventory, map, memory + BYTES / 2 + i * LEN, 2 * LEN,
                                          &dst));
    OK(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task));
    return doca_dma_task_memcpy_as_task(task);
}

static void open_all(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    OK(doca_devinfo_create_list(&list, &num));
    OK(doca_dev_open(list[0], &dev));
    OK(doca_devinfo_destroy_list(list));
    OK(doca_mmap_create(&map));
    OK(doca_mmap_add_dev(map, dev));
    OK(doca_mmap_set_memrange(map, memory, BYTES));
    OK(doca_mmap_start(map));
    OK(doca_buf_inventory_create(16, &inventory));
    OK(doca_buf_inventory_start(inventory));
    OK(doca_pe_create(&pe));
    OK(doca_dma_create(dev, &dma));
    OK(doca_dma_task_memcpy_set_conf(dma, task_done, task_done, 8));
    OK(doca_core_ctx_set_task_batch_conf(doca_dma_as_ctx(dma), DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16,
                                         1, batch_done, batch_done));
    OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    OK(doca_ctx_start(doca_dma_as_ctx(dma)));
}

static void run_batch(void)
{
    struct doca_task_batch *batch;
    unsigned i;

    OK(doca_core_task_batch_alloc_init(doca_dma_as_ctx(dma), none, &batch));
    for (i = 0; i < COPIES; i++)
        OK(doca_core_task_batch_add(batch, copy_of(i)));
    OK(doca_task_batch_submit(batch));
    while (num_batches == 0)
        (void)doca_pe_progress(pe);
}

static void run_graph(void)
{
    struct doca_graph_node *copy, *after = NULL;
    struct doca_graph_instance *run;
    struct doca_graph *graph;
    unsigned i;

    OK(doca_graph_create(pe, &graph));
    OK(doca_graph_set_conf(graph, run_done, run_done, 1));
    OK(doca_graph_node_create_from_ctx(graph, doca_dma_as_ctx(dma), &copy));
    OK(doca_graph_node_create_from_user(graph, user_node, &after));
    OK(doca_graph_add_dependency(graph, copy, after));
    OK(doca_graph_start(graph));
    OK(doca_graph_instance_create(graph, &run));
    OK(doca_graph_instance_set_ctx_node_data(run, copy, copy_of(COPIES)));
    OK(doca_graph_instance_set_user_node_data(run, after, &num_runs));
    for (i = 1; i <= 2; i++) {
        OK(doca_graph_instance_submit(run));
        while (num_runs < i)
            (void)doca_pe_progress(pe);
    }
}

int main(void)
{
    open_all();
    run_batch();
    run_graph();
    return 0;
}

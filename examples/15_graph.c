/* A text is hashed and copied side by side; when both are done, a function prints the hash and
 * compares the copy. The graph states this order once. An instance holds the tasks of one run, and
 * the program can submit it again and again. Here the function at its end does so: three texts, one
 * after the other.
 *
 *     a: sha256 ca978112 ..., copy equal
 *     b: sha256 3e23e816 ..., copy equal
 *     c: sha256 2e7d2c03 ..., copy equal
 *     3 runs, 0 callbacks of tasks
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
    unsigned char text, copy, hash[32];
} memory = { 'a', 0, { 0 } };

static struct doca_buf *text, *copy, *hash;
static unsigned num_runs, num_callbacks;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static doca_error_t report(void *cookie)
{
    const unsigned char *h = memory.hash;

    (void)cookie;
    printf("%c: sha256 %02x%02x%02x%02x ..., copy %s\n", memory.text, h[0], h[1], h[2], h[3],
           memory.copy == memory.text ? "equal" : "DIFFERENT");
    return memory.copy == memory.text ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

static void run_ended(struct doca_graph_instance *run, union doca_data data, union doca_data unused)
{
    (void)data, (void)unused;
    num_runs++;
    if (memory.text++ == 'c')
        return;
    check(doca_buf_reset_data_len(copy));
    check(doca_buf_reset_data_len(hash));
    check(doca_graph_instance_submit(run));
}

static void run_failed(struct doca_graph_instance *run, union doca_data data,
                       union doca_data unused)
{
    (void)run, (void)data, (void)unused; /* the reason was logged */
}

static void copied(struct doca_dma_task_memcpy *task, union doca_data data, union doca_data unused)
{
    (void)task, (void)data, (void)unused;
    num_callbacks++;
}

static void hashed(struct doca_sha_task_hash *task, union doca_data data, union doca_data unused)
{
    (void)task, (void)data, (void)unused;
    num_callbacks++;
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_sha *sha;
    struct doca_dma_task_memcpy *copying;
    struct doca_sha_task_hash *hashing;
    struct doca_graph *graph;
    struct doca_graph_node *node[3];
    struct doca_graph_instance *run;
    union doca_data none = { NULL };
    uint32_t num;

    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(3, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_buf_inventory_buf_get_by_data(bufs, map, &memory.text, 1, &text));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, &memory.copy, 1, &copy));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.hash, 32, &hash));

    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, copied, copied, 1));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    check(doca_dma_task_memcpy_alloc_init(dma, text, copy, none, &copying));
    check(doca_sha_create(dev, &sha));
    check(doca_sha_task_hash_set_conf(sha, hashed, hashed, 0)); /* 2^0 tasks */
    check(doca_pe_connect_ctx(pe, doca_sha_as_ctx(sha)));
    check(doca_ctx_start(doca_sha_as_ctx(sha)));
    check(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, text, hash, none,
                                        &hashing));

    check(doca_graph_create(pe, &graph));
    check(doca_graph_set_conf(graph, run_ended, run_failed, 1));
    check(doca_graph_node_create_from_ctx(graph, doca_dma_as_ctx(dma), &node[0]));
    check(doca_graph_node_create_from_ctx(graph, doca_sha_as_ctx(sha), &node[1]));
    check(doca_graph_node_create_from_user(graph, report, &node[2]));
    check(doca_graph_add_dependency(graph, node[0], node[2]));
    check(doca_graph_add_dependency(graph, node[1], node[2]));
    check(doca_graph_start(graph));
    check(doca_graph_instance_create(graph, &run));
    check(doca_graph_instance_set_ctx_node_data(run, node[0],
                                                doca_dma_task_memcpy_as_task(copying)));
    check(doca_graph_instance_set_ctx_node_data(run, node[1],
                                                doca_sha_task_hash_as_task(hashing)));
    check(doca_graph_instance_submit(run));
    while (doca_pe_progress(pe))
        continue;
    printf("%u runs, %u callbacks of tasks\n", num_runs, num_callbacks);

    check(doca_graph_instance_destroy(run));
    check(doca_graph_stop(graph));
    check(doca_graph_destroy(graph));
    doca_task_free(doca_dma_task_memcpy_as_task(copying));
    doca_task_free(doca_sha_task_hash_as_task(hashing));
    check(doca_sha_destroy(sha));
    check(doca_dma_destroy(dma));
    check(doca_pe_destroy(pe));
    check(doca_buf_dec_refcount(text, NULL));
    check(doca_buf_dec_refcount(copy, NULL));
    check(doca_buf_dec_refcount(hash, NULL));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

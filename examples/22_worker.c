/* Copies by another thread. The software device works in doca_pe_progress(), so a copy normally
 * keeps the calling thread busy. Here a second thread, a worker, copies 32 blocks while this thread
 * counts primes. This thread looks for finished tasks only afterwards.
 *
 *     9592 primes below 100000, counted while a worker copied 32 blocks of 65536 bytes
 *     contents equal
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 32, BLOCK = 65536, BELOW = 100000 };

static struct {
    unsigned char from[BLOCKS * BLOCK], to[BLOCKS * BLOCK];
} memory;
static unsigned copied;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void ended(struct doca_dma_task_memcpy *task, union doca_data task_data,
                  union doca_data ctx_data)
{
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    check(doca_buf_dec_refcount(task_data.ptr, NULL));
    check(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(task), NULL));
    (void)ctx_data;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    copied++;
}

static void *serve(void *worker)
{
    check(doca_core_sw_worker_run(worker)); /* until another thread stops it */
    return NULL;
}

static unsigned count_primes(void)
{
    unsigned n, d, num = 0;

    for (n = 2; n < BELOW; n++) {
        for (d = 2; d * d <= n && n % d != 0; d++)
            continue;
        num += d * d > n;
    }
    return num;
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_buf *src, *dst;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *task;
    struct doca_core_sw_worker *worker;
    union doca_data source;
    pthread_t thread;
    uint32_t num, primes;
    size_t at;

    for (at = 0; at < sizeof(memory.from); at++)
        memory.from[at] = (unsigned char)(at * 7 + at / 1000);
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_core_sw_worker_create(dev, &worker)); /* before the contexts that it serves start */
    if (pthread_create(&thread, NULL, serve, worker) != 0)
        abort();
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2 * BLOCKS, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, ended, ended, BLOCKS));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));

    for (at = 0; at < sizeof(memory.from); at += BLOCK) {
        check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.from + at, BLOCK, &src));
        check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.to + at, BLOCK, &dst));
        source.ptr = src;
        check(doca_dma_task_memcpy_alloc_init(dma, src, dst, source, &task));
        check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    }
    primes = count_primes();
    while (copied < BLOCKS) /* callbacks still run in this thread */
        (void)doca_pe_progress(pe);
    printf("%u primes below %d, counted while a worker copied %u blocks of %d bytes\n",
           (unsigned)primes, BELOW, copied, BLOCK);
    printf("contents %s\n", memcmp(memory.from, memory.to, at) == 0 ? "equal" : "differ");

    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_core_sw_worker_stop(worker));
    (void)pthread_join(thread, NULL);
    check(doca_core_sw_worker_destroy(worker));
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

/* Four tasks for sixteen copies. A completed task belongs to the program again: its callback gives
 * it the next pair of buffers and submits it once more. A few tasks serve any number of copies, and
 * the program neither frees nor allocates a task on the way. Each pair of buffers moves one letter.
 *
 *     4 tasks, 16 pairs of buffers
 *     4 submissions by main, 12 by the callback
 *     copied: four tasks do it
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

#define TASKS 4
#define PAIRS 16

static struct {
    char from[PAIRS + 1], to[PAIRS + 1];
} memory = { "four tasks do it", "" };

static struct {
    struct doca_buf *src[PAIRS], *dst[PAIRS];
    unsigned next; /* pair to be copied */
    unsigned num_done, num_again;
} work;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void submit_next_pair(struct doca_dma_task_memcpy *task)
{
    doca_dma_task_memcpy_set_src(task, work.src[work.next]);
    doca_dma_task_memcpy_set_dst(task, work.dst[work.next]);
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    work.next++;
}

static void pair_copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                        union doca_data ctx_data)
{
    (void)task_data, (void)ctx_data;
    work.num_done++;
    if (work.next < PAIRS) {
        submit_next_pair(task);
        work.num_again++;
    }
}

static void pair_failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
                        union doca_data ctx_data)
{
    (void)task_data, (void)ctx_data;
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task))); /* ends the program */
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *task[TASKS];
    union doca_data none = { NULL };
    uint32_t num, i;

    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2 * PAIRS, &bufs));
    check(doca_buf_inventory_start(bufs));
    for (i = 0; i < PAIRS; i++) {
        check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.from + i, 1, &work.src[i]));
        check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.to + i, 1, &work.dst[i]));
    }
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, pair_copied, pair_failed, TASKS));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));

    printf("%d tasks, %d pairs of buffers\n", TASKS, PAIRS);
    for (i = 0; i < TASKS; i++) {
        check(doca_dma_task_memcpy_alloc_init(dma, NULL, NULL, none, &task[i]));
        submit_next_pair(task[i]);
    }
    while (work.num_done < PAIRS)
        (void)doca_pe_progress(pe);
    printf("%d submissions by main, %u by the callback\n", TASKS, work.num_again);
    printf("copied: %s\n", memory.to);

    for (i = 0; i < TASKS; i++)
        doca_task_free(doca_dma_task_memcpy_as_task(task[i]));
    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_pe_destroy(pe));
    for (i = 0; i < PAIRS; i++) {
        check(doca_buf_dec_refcount(work.src[i], NULL));
        check(doca_buf_dec_refcount(work.dst[i], NULL));
    }
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

/* Keep a device busy. 32 tasks are allocated once. Whenever a task completes, its callback points
 * it at the next block and submits it again, until 1,000 blocks are copied. The buffers stay with
 * their tasks: each buffer spans its whole array, and the program moves its data section to the
 * next block.
 *
 *     1000 blocks of 512 bytes copied by 32 tasks, at most 32 in flight
 *     contents equal
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 1000
#define BLOCK 512
#define DEPTH 32

static struct {
    unsigned char from[BLOCKS * BLOCK], to[BLOCKS * BLOCK];
} memory;

static struct {
    struct doca_dma_task_memcpy *task[DEPTH];
    struct doca_buf *src[DEPTH], *dst[DEPTH];
    size_t begun, done;
} work;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void submit_next_block(uint64_t i)
{
    check(doca_buf_set_data(work.src[i], memory.from + work.begun * BLOCK, BLOCK));
    check(doca_buf_set_data(work.dst[i], memory.to + work.begun * BLOCK, 0)); /* empty */
    check(doca_task_submit(doca_dma_task_memcpy_as_task(work.task[i])));
    work.begun++;
}

static void block_ended(struct doca_dma_task_memcpy *task, union doca_data task_data,
                        union doca_data ctx_data)
{
    (void)ctx_data;
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    work.done++;
    if (work.begun < BLOCKS)
        submit_next_block(task_data.u64);
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_pe *pe;
    struct doca_dma *dma;
    union doca_data i = { NULL };
    uint32_t num;
    size_t n, most = 0;

    for (n = 0; n < sizeof(memory.from); n++)
        memory.from[n] = (unsigned char)(n * 31 + n / BLOCK);
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2 * DEPTH, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, block_ended, block_ended, DEPTH));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));

    for (i.u64 = 0; i.u64 < DEPTH; i.u64++) {
        struct doca_buf **src = &work.src[i.u64], **dst = &work.dst[i.u64];

        check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.from, BLOCKS * BLOCK, src));
        check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.to, BLOCKS * BLOCK, dst));
        check(doca_dma_task_memcpy_alloc_init(dma, *src, *dst, i, &work.task[i.u64]));
        submit_next_block(i.u64);
    }
    while (work.done < BLOCKS) {
        check(doca_pe_get_num_inflight_tasks(pe, &n));
        most = n > most ? n : most;
        (void)doca_pe_progress(pe);
    }
    printf("%d blocks of %d bytes copied by %d tasks, at most %u in flight\n", BLOCKS, BLOCK, DEPTH,
           (unsigned)most);
    printf("contents %s\n",
           memcmp(memory.from, memory.to, BLOCKS * BLOCK) == 0 ? "equal" : "DIFFERENT");

    for (n = 0; n < DEPTH; n++) {
        doca_task_free(doca_dma_task_memcpy_as_task(work.task[n]));
        check(doca_buf_dec_refcount(work.src[n], NULL));
        check(doca_buf_dec_refcount(work.dst[n], NULL));
    }
    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

/* Every object in the caller's memory: a static array whose size the compiler adds up from the
 * DOCA_CORE_BYTES_* macros, one for each object. The sum is exact: when all objects exist and the
 * context has started, no byte is left, and another mmap is refused. A copy still works, because
 * the library takes no memory after start. When all objects are destroyed, the arena is empty
 * again.
 *
 *     made and started: 100% of the array used
 *     one mmap more: DOCA_ERROR_NO_MEMORY
 *     copied: no heap, nothing hidden
 *     all destroyed: 0 bytes used, peak 100%
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

static DOCA_CORE_ALIGNED unsigned char
    objects[DOCA_CORE_BYTES_DEVINFO_LIST(DOCA_CORE_SW_DEFAULT_DEVS) + DOCA_CORE_BYTES_DEV(1) +
            DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_BUF_INVENTORY(2) + DOCA_CORE_BYTES_PE(1) +
            DOCA_CORE_BYTES_DMA(1)];

static struct {
    char from[32], to[32];
} memory = { "no heap, nothing hidden", "" };

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)ctx_data;
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    *(bool *)task_data.ptr = true;
}

static void copy(struct doca_dma *dma, struct doca_pe *pe, const struct doca_buf *src,
                 struct doca_buf *dst)
{
    struct doca_dma_task_memcpy *task;
    bool done = false;
    union doca_data data = { &done };

    check(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task));
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (!done)
        (void)doca_pe_progress(pe);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    printf("copied: %s\n", memory.to);
}

int main(void)
{
    struct doca_core_arena arena;
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map, *one_more;
    struct doca_buf_inventory *bufs;
    struct doca_buf *src, *dst;
    struct doca_pe *pe;
    struct doca_dma *dma;
    uint32_t num;
    size_t used, peak;

    check(doca_core_arena_init(&arena, objects, sizeof(objects)));
    check(doca_core_arena_bind(&arena)); /* every create below draws from it */
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, copied, copied, 1));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));

    check(doca_core_arena_query(&arena, &used, NULL, NULL));
    printf("made and started: %u%% of the array used\n", (unsigned)(used * 100 / sizeof(objects)));
    printf("one mmap more: %s\n", doca_error_get_name(doca_mmap_create(&one_more)));
    check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.from, sizeof(memory.from), &src));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.to, sizeof(memory.to), &dst));
    copy(dma, pe, src, dst);

    check(doca_buf_dec_refcount(src, NULL));
    check(doca_buf_dec_refcount(dst, NULL));
    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_core_arena_query(&arena, &used, &peak, NULL));
    printf("all destroyed: %u bytes used, peak %u%%\n", (unsigned)used,
           (unsigned)(peak * 100 / sizeof(objects)));
    check(doca_core_arena_bind(NULL));
    return EXIT_SUCCESS;
}

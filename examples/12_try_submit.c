/* Mistakes found before the device finds them. doca_task_submit does not check a task, because
 * checks take time: the result of a mistake is a failed task and a stopped context. During
 * development, doca_task_try_submit checks first: it reports what is wrong, submits nothing, and
 * the context continues. Six tasks are tried here; the last one is right.
 *
 *     no source: DOCA_ERROR_INVALID_VALUE, source or destination is NULL or not a live buffer
 *     empty source: DOCA_ERROR_INVALID_VALUE, the source holds no data
 *     little room: DOCA_ERROR_INVALID_VALUE, the destination has too little room behind its data
 *     read-only: DOCA_ERROR_NOT_PERMITTED, the destination mmap gives no local write permission
 *     old buffer: DOCA_ERROR_INVALID_VALUE, a buffer was released
 *     no mistake: DOCA_SUCCESS, copied: looked at twice
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

static char text[16] = "looked at twice", copy[16];

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
    (void)task_data, (void)ctx_data;
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    printf(", copied: %s\n", copy);
}

/* Submit one task after a check, and release both buffers. */
static void try_copy(const char *name, struct doca_dma *dma, struct doca_pe *pe,
                     struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_dma_task_memcpy *task;
    union doca_data none = { NULL };
    doca_error_t rc;

    check(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task));
    rc = doca_task_try_submit(doca_dma_task_memcpy_as_task(task));
    printf("%s: %s", name, doca_error_get_name(rc));
    if (rc != DOCA_SUCCESS)
        printf(", %s\n", doca_core_item_text(doca_core_last_item()));
    while (doca_pe_progress(pe))
        ;
    doca_task_free(doca_dma_task_memcpy_as_task(task)); /* either way the program owns the task */
}

static struct doca_mmap *map_for(struct doca_dev *dev, void *addr, size_t len, uint32_t access)
{
    struct doca_mmap *map;

    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, addr, len));
    check(doca_mmap_set_permissions(map, access));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    return map;
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *text_map, *copy_map;
    struct doca_buf_inventory *bufs;
    struct doca_buf *src, *dst, *empty, *small, *fixed, *old;
    struct doca_pe *pe;
    struct doca_dma *dma;
    uint32_t num;

    check(doca_core_log_set_level(DOCA_CORE_LOG_DISABLE)); /* the mistakes are printed here */
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    text_map = map_for(dev, text, sizeof(text), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    copy_map = map_for(dev, copy, sizeof(copy), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    check(doca_buf_inventory_create(6, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_buf_inventory_buf_get_by_data(bufs, text_map, text, sizeof(text), &src));
    check(doca_buf_inventory_buf_get_by_addr(bufs, text_map, text, sizeof(text), &empty));
    check(doca_buf_inventory_buf_get_by_addr(bufs, copy_map, copy, sizeof(copy), &dst));
    check(doca_buf_inventory_buf_get_by_addr(bufs, copy_map, copy, 15, &small));
    check(doca_buf_inventory_buf_get_by_addr(bufs, text_map, text, sizeof(text), &fixed));
    check(doca_buf_inventory_buf_get_by_data(bufs, text_map, text, sizeof(text), &old));
    check(doca_buf_dec_refcount(old, NULL));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, ended, ended, 1));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));

    try_copy("no source", dma, pe, NULL, dst);
    try_copy("empty source", dma, pe, empty, dst);
    try_copy("little room", dma, pe, src, small);
    try_copy("read-only", dma, pe, src, fixed);
    try_copy("old buffer", dma, pe, old, dst);
    try_copy("no mistake", dma, pe, src, dst);

    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_pe_destroy(pe));
    check(doca_buf_dec_refcount(src, NULL));
    check(doca_buf_dec_refcount(empty, NULL));
    check(doca_buf_dec_refcount(dst, NULL));
    check(doca_buf_dec_refcount(small, NULL));
    check(doca_buf_dec_refcount(fixed, NULL));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(text_map));
    check(doca_mmap_destroy(copy_map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

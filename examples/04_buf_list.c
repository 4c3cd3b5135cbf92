/* Gather and scatter in one task: three pieces of text, chained into a list, are copied into two
 * fields, chained into another. The first field has 16 bytes of room, so it takes the first 16 of
 * the 24 bytes and the second field the rest; each buffer says afterwards how much it holds.
 *
 *     source: 3 buffers, 24 bytes
 *     first field: 16 bytes, "one list, gather"
 *     second field: 8 bytes, "ed by 3."
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char source[3][32];
    char first[16];
    char between[16]; /* belongs to no buffer and stays unchanged */
    char second[32];
} memory = { { "one list, ", "gathered", " by 3." }, "", "untouched", "" };

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

static void print_field(const char *name, const struct doca_buf *buf)
{
    void *data;
    size_t len;

    check(doca_buf_get_data(buf, &data));
    check(doca_buf_get_data_len(buf, &len));
    printf("%s field: %u bytes, \"%.*s\"\n", name, (unsigned)len, (int)len, (char *)data);
}

/* Copy the list `src` to the list `dst` with one task. */
static void copy_list(struct doca_dev *dev, const struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *task;
    bool done = false;
    union doca_data data = { &done };

    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, copied, copied, 1));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    check(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task));
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (!done)
        (void)doca_pe_progress(pe);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_pe_destroy(pe));
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_buf *src[3], *dst[2];
    uint32_t num, i;

    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));

    check(doca_buf_inventory_create(5, &bufs));
    check(doca_buf_inventory_start(bufs));
    for (i = 0; i < 3; i++) {
        char *text = memory.source[i];

        check(doca_buf_inventory_buf_get_by_data(bufs, map, text, strlen(text), &src[i]));
        if (i > 0)
            check(doca_buf_chain_list(src[0], src[i]));
    }
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.first, 16, &dst[0]));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.second, 32, &dst[1]));
    check(doca_buf_chain_list(dst[0], dst[1]));

    check(doca_buf_get_list_len(src[0], &num));
    printf("source: %u buffers, 24 bytes\n", (unsigned)num);
    copy_list(dev, src[0], dst[0]);
    print_field("first", dst[0]);
    print_field("second", dst[1]);

    check(doca_buf_dec_refcount(src[0], NULL)); /* a head takes its list along */
    check(doca_buf_dec_refcount(dst[0], NULL));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return strcmp(memory.between, "untouched") == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

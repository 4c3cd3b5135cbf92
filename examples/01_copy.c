/* One copy from beginning to end. The program finds a device by its PCI address, gives it access to
 * two arrays, makes a buffer on each, and polls while the DMA engine copies the text.
 *
 *     0000:03:00.0 copied 22 bytes: copied by a DMA engine
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char from[4096] = "copied by a DMA engine";
static char to[4096];

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

/* Serves both outcomes: the task's status tells them apart. */
static void copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    bool *done = task_data.ptr;

    (void)ctx_data;
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    *done = true;
}

static struct doca_dev *open_by_pci_addr(const char *pci_addr)
{
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t num, i;
    uint8_t is_equal;

    check(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num && dev == NULL; i++) {
        check(doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal));
        if (is_equal)
            check(doca_dev_open(list[i], &dev));
    }
    check(doca_devinfo_destroy_list(list));
    if (dev == NULL) {
        fprintf(stderr, "no device %s\n", pci_addr);
        exit(EXIT_FAILURE);
    }
    return dev;
}

static struct doca_mmap *map_for(struct doca_dev *dev, void *addr, size_t len)
{
    struct doca_mmap *map;

    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, addr, len));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    return map;
}

int main(void)
{
    struct doca_dev *dev = open_by_pci_addr("0000:03:00.0");
    struct doca_mmap *src_map = map_for(dev, from, sizeof(from));
    struct doca_mmap *dst_map = map_for(dev, to, sizeof(to));
    struct doca_buf_inventory *bufs;
    struct doca_buf *src, *dst;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *task;
    bool done = false;
    union doca_data data = { &done };
    size_t len;

    check(doca_buf_inventory_create(2, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_buf_inventory_buf_get_by_data(bufs, src_map, from, strlen(from), &src));
    check(doca_buf_inventory_buf_get_by_addr(bufs, dst_map, to, sizeof(to), &dst));

    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, copied, copied, 1));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));

    check(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task));
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (!done)
        (void)doca_pe_progress(pe);
    check(doca_buf_get_data_len(dst, &len));
    printf("0000:03:00.0 copied %u bytes: %s\n", (unsigned)len, to);

    doca_task_free(doca_dma_task_memcpy_as_task(task));
    check(doca_ctx_stop(doca_dma_as_ctx(dma)));
    check(doca_dma_destroy(dma));
    check(doca_pe_destroy(pe));
    check(doca_buf_dec_refcount(src, NULL));
    check(doca_buf_dec_refcount(dst, NULL));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(src_map));
    check(doca_mmap_destroy(dst_map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

/* The copy of 01_copy.c on an RDMA device. The program registers two arrays on the first device of
 * the machine that copies, and sleeps until the device has made the copy. Only the first call of
 * main() differs from a program for the software device. Exit status 77: there is no RDMA device.
 *
 *     an RDMA device copied 24 bytes: copied by an RDMA device
 */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core_mlx5.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char from[4096] = "copied by an RDMA device";
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

/* Open the first device of libibverbs that copies. The list contains only devices of libibverbs. */
static struct doca_dev *open_first_that_copies(void)
{
    static const struct doca_core_dev_attr none;
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t num, i;
    doca_error_t rc;

    check(doca_core_sw_set_devices(&none, 0));
    check(doca_core_backend_register(doca_core_mlx5_backend(NULL)));
    rc = doca_devinfo_create_list(&list, &num);
    if (rc == DOCA_ERROR_NOT_FOUND)
        exit(77);
    check(rc);
    for (i = 0; i < num && dev == NULL; i++)
        if (doca_dma_cap_task_memcpy_is_supported(list[i]) == DOCA_SUCCESS)
            check(doca_dev_open(list[i], &dev));
    check(doca_devinfo_destroy_list(list));
    if (dev == NULL)
        exit(77);
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

/* Sleep until there is something to do, and do it. */
static void wait_for(struct doca_pe *pe, const bool *done)
{
    struct pollfd handle = { .events = POLLIN };

    check(doca_pe_get_notification_handle(pe, &handle.fd));
    while (!*done) {
        check(doca_pe_request_notification(pe));
        (void)poll(&handle, 1, -1);
        check(doca_pe_clear_notification(pe, handle.fd));
        while (doca_pe_progress(pe))
            continue;
    }
}

int main(void)
{
    struct doca_dev *dev = open_first_that_copies();
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
    wait_for(pe, &done);
    check(doca_buf_get_data_len(dst, &len));
    printf("an RDMA device copied %u bytes: %s\n", (unsigned)len, to);

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

/* One progress engine for four DMA contexts on two devices. Every context has a row of the boat and
 * four tasks, each of which copies one letter of that row; a single polling loop serves all
 * contexts in turn. The callback learns from the user data of the context which row it works for.
 *
 *     16 tasks in flight, 4 of them in context 1
 *     context 1 on 0000:03:00.0: 4 copies, four
 *     context 2 on 0000:03:00.1: 4 copies, oars
 *     context 3 on 0000:03:00.0: 4 copies, same
 *     context 4 on 0000:03:00.1: 4 copies, boat
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

#define ROWS 4
#define LETTERS 4 /* of a row */

static struct {
    char from[ROWS][LETTERS], to[ROWS][LETTERS];
} memory = { { "four", "oars", "same", "boat" }, { "" } };

static struct row {
    struct doca_dev *dev;
    struct doca_dma *dma;
    unsigned num_copies;
} rows[ROWS];

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
    struct row *row = ctx_data.ptr;

    (void)task_data;
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    row->num_copies++;
    check(doca_buf_dec_refcount((struct doca_buf *)doca_dma_task_memcpy_get_src(task), NULL));
    check(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(task), NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void open_two_that_copy(struct doca_dev *devs[2])
{
    struct doca_devinfo **list;
    uint32_t num, i, n = 0;

    check(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num && n < 2; i++)
        if (doca_dma_cap_task_memcpy_is_supported(list[i]) == DOCA_SUCCESS)
            check(doca_dev_open(list[i], &devs[n++]));
    check(doca_devinfo_destroy_list(list));
    if (n < 2)
        exit(EXIT_FAILURE); /* no second device with a copy engine */
}

int main(void)
{
    struct doca_dev *devs[2];
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_buf *src, *dst;
    struct doca_dma_task_memcpy *task;
    struct doca_pe *pe;
    union doca_data data = { NULL };
    char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
    size_t n, i, k;

    open_two_that_copy(devs);
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, devs[0])); /* one map for both devices */
    check(doca_mmap_add_dev(map, devs[1]));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2 * ROWS * LETTERS, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_pe_create(&pe));
    for (i = 0; i < ROWS; i++) {
        data.ptr = &rows[i];
        rows[i].dev = devs[i % 2];
        check(doca_dma_create(rows[i].dev, &rows[i].dma));
        check(doca_ctx_set_user_data(doca_dma_as_ctx(rows[i].dma), data));
        check(doca_dma_task_memcpy_set_conf(rows[i].dma, copied, copied, LETTERS));
        check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(rows[i].dma)));
        check(doca_ctx_start(doca_dma_as_ctx(rows[i].dma)));
        for (k = 0; k < LETTERS; k++) {
            check(doca_buf_inventory_buf_get_by_data(bufs, map, &memory.from[i][k], 1, &src));
            check(doca_buf_inventory_buf_get_by_addr(bufs, map, &memory.to[i][k], 1, &dst));
            check(doca_dma_task_memcpy_alloc_init(rows[i].dma, src, dst, data, &task));
            check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
        }
    }
    check(doca_pe_get_num_inflight_tasks(pe, &n)); /* of all its contexts */
    printf("%u tasks in flight, ", (unsigned)n);
    check(doca_ctx_get_num_inflight_tasks(doca_dma_as_ctx(rows[0].dma), &n));
    printf("%u of them in context 1\n", (unsigned)n);
    for (; n > 0; check(doca_pe_get_num_inflight_tasks(pe, &n)))
        (void)doca_pe_progress(pe);
    for (i = 0; i < ROWS; i++) {
        check(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(rows[i].dev), pci));
        printf("context %u on %s: %u copies, %.*s\n", (unsigned)i + 1, pci, rows[i].num_copies,
               LETTERS, memory.to[i]);
        check(doca_dma_destroy(rows[i].dma)); /* also stops it: all tasks are freed */
    }
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(devs[0]));
    check(doca_dev_close(devs[1]));
    return EXIT_SUCCESS;
}

/* One bad task among 255, and how the program recovers. Each task copies one page of a book; the
 * task of page 2 has too little room. The device fails it and returns the tasks in flight behind it
 * undone, and the context stops. The state callback of the context starts it again as soon as it is
 * idle and, once it runs, submits the missing pages, page 2 with enough room this time.
 *
 *     start: 255 pages submitted
 *     stopped by a failure, 1 page copied
 *     start: 254 pages submitted
 *     255 pages copied, contents equal
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGES 255
#define PAGE 64 /* bytes */

static struct {
    unsigned char book[PAGES][PAGE], copy[PAGES][PAGE];
} memory;

static struct doca_mmap *map;
static struct doca_buf_inventory *bufs;
static struct doca_dma *dma;
static bool is_copied[PAGES], is_repaired;
static unsigned num_copied;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

/* Serves both outcomes. Every task must be freed before the context can become idle. */
static void ended(struct doca_dma_task_memcpy *task, union doca_data page, union doca_data ctx_data)
{
    (void)ctx_data;
    is_copied[page.u64] = doca_task_get_status(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS;
    num_copied += is_copied[page.u64];
    check(doca_buf_dec_refcount((struct doca_buf *)doca_dma_task_memcpy_get_src(task), NULL));
    check(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(task), NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void submit_missing_pages(void)
{
    struct doca_buf *src, *dst;
    struct doca_dma_task_memcpy *task;
    union doca_data i;

    printf("start: %u pages submitted\n", PAGES - num_copied);
    for (i.u64 = 0; i.u64 < PAGES; i.u64++) {
        size_t room = i.u64 == 1 && !is_repaired ? PAGE / 2 : PAGE;

        if (is_copied[i.u64])
            continue;
        check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.book[i.u64], PAGE, &src));
        check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.copy[i.u64], room, &dst));
        check(doca_dma_task_memcpy_alloc_init(dma, src, dst, i, &task));
        check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    }
}

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                          enum doca_ctx_states prev, enum doca_ctx_states next)
{
    (void)user_data, (void)prev;
    if (next == DOCA_CTX_STATE_RUNNING)
        submit_missing_pages();
    if (next == DOCA_CTX_STATE_IDLE) {
        printf("stopped by a failure, %u page copied\n", num_copied);
        is_repaired = true;
        check(doca_ctx_start(ctx));
    }
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_pe *pe;
    uint32_t num, i;

    for (i = 0; i < PAGES; i++)
        memset(memory.book[i], (int)i + 1, PAGE);
    /* the failure of a task is expected here */
    check(doca_core_log_set_level(DOCA_CORE_LOG_ERROR));
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2 * PAGES, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, ended, ended, PAGES));
    check(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(dma), state_changed));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));

    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    while (num_copied < PAGES)
        (void)doca_pe_progress(pe);
    printf("%u pages copied, contents %s\n", num_copied,
           memcmp(memory.book, memory.copy, PAGES * PAGE) == 0 ? "equal" : "DIFFERENT");

    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

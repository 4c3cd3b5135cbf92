/* Stop a context while it works. Sixteen copies are in flight; after the eighth the program has
 * enough and stops the context. The device returns the remaining tasks undone: their error callback
 * receives DOCA_ERROR_SHUTDOWN, which is not a failure but the result of the stop. A stop with
 * tasks in flight does not wait; the state callback reports its end, once every task has come back
 * and is freed.
 *
 *     8 copies are done, stop: DOCA_ERROR_IN_PROGRESS
 *     idle: every task is back
 *     8 copied, 8 flushed
 *     copied: stopping
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

#define COPIES 16

static struct {
    char from[COPIES + 1], to[COPIES + 1];
} memory = { "stopping halfway", "" };

static struct {
    unsigned num_copied, num_flushed;
    bool is_idle;
} app;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void release(struct doca_dma_task_memcpy *task)
{
    check(doca_buf_dec_refcount((struct doca_buf *)doca_dma_task_memcpy_get_src(task), NULL));
    check(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(task), NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    struct doca_ctx *ctx = doca_task_get_ctx(doca_dma_task_memcpy_as_task(task));

    (void)task_data, (void)ctx_data;
    release(task);
    if (++app.num_copied == COPIES / 2)
        printf("8 copies are done, stop: %s\n", doca_error_get_name(doca_ctx_stop(ctx)));
}

static void not_copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                       union doca_data ctx_data)
{
    doca_error_t status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));

    (void)task_data, (void)ctx_data;
    /* any other status is a real error */
    check(status == DOCA_ERROR_SHUTDOWN ? DOCA_SUCCESS : status);
    app.num_flushed++;
    release(task);
}

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                          enum doca_ctx_states prev, enum doca_ctx_states next)
{
    (void)user_data, (void)ctx, (void)prev;
    app.is_idle = next == DOCA_CTX_STATE_IDLE;
    if (app.is_idle)
        printf("idle: every task is back\n");
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
    union doca_data none = { NULL };
    uint32_t num, i;

    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2 * COPIES, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, copied, not_copied, COPIES));
    check(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(dma), state_changed));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));

    for (i = 0; i < COPIES; i++) {
        check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.from + i, 1, &src));
        check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.to + i, 1, &dst));
        check(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task));
        check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    }
    while (!app.is_idle)
        (void)doca_pe_progress(pe);
    printf("%u copied, %u flushed\ncopied: %s\n", app.num_copied, app.num_flushed, memory.to);

    check(doca_dma_destroy(dma));
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

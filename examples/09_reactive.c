/* A program whose work is done in its callbacks. main only starts the context and polls until it is
 * idle again. The state callback submits sixteen copies once the context is running; the callback
 * of the last copy stops the context. The task of that callback is not freed yet, so the stop takes
 * time: the context is STOPPING, and becomes IDLE in a later call of doca_pe_progress.
 *
 *     context: IDLE -> RUNNING
 *     copy 16 of 16 is back: stop
 *     context: RUNNING -> STOPPING
 *     context: STOPPING -> IDLE
 *     copied: callbacks do all
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>

#define COPIES 16

static struct {
    char from[COPIES + 1], to[COPIES + 1];
} memory = { "callbacks do all", "" };

static struct app {
    struct doca_mmap *map;
    struct doca_buf_inventory *bufs;
    struct doca_dma *dma;
    unsigned num_copied;
    bool is_over;
} app;

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
    doca_error_t rc;

    (void)task_data, (void)ctx_data;
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    if (++app.num_copied == COPIES) {
        printf("copy %d of %d is back: stop\n", COPIES, COPIES);
        rc = doca_ctx_stop(doca_dma_as_ctx(app.dma));
        check(rc == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : rc);
    }
    check(doca_buf_dec_refcount((struct doca_buf *)doca_dma_task_memcpy_get_src(task), NULL));
    check(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(task), NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void submit_all(void)
{
    union doca_data none = { NULL };
    struct doca_buf *src, *dst;
    struct doca_dma_task_memcpy *task;
    unsigned i;

    for (i = 0; i < COPIES; i++) {
        check(doca_buf_inventory_buf_get_by_data(app.bufs, app.map, memory.from + i, 1, &src));
        check(doca_buf_inventory_buf_get_by_addr(app.bufs, app.map, memory.to + i, 1, &dst));
        check(doca_dma_task_memcpy_alloc_init(app.dma, src, dst, none, &task));
        check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    }
}

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                          enum doca_ctx_states prev, enum doca_ctx_states next)
{
    static const char *const names[] = { "IDLE", "STARTING", "RUNNING", "STOPPING" };

    (void)user_data, (void)ctx;
    printf("context: %s -> %s\n", names[prev], names[next]);
    if (next == DOCA_CTX_STATE_RUNNING)
        submit_all();
    app.is_over = next == DOCA_CTX_STATE_IDLE;
}

int main(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_pe *pe;
    uint32_t num;

    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&app.map));
    check(doca_mmap_set_memrange(app.map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(app.map, dev));
    check(doca_mmap_start(app.map));
    check(doca_buf_inventory_create(2 * COPIES, &app.bufs));
    check(doca_buf_inventory_start(app.bufs));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &app.dma));
    check(doca_dma_task_memcpy_set_conf(app.dma, copied, copied, COPIES));
    check(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(app.dma), state_changed));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(app.dma)));

    check(doca_ctx_start(doca_dma_as_ctx(app.dma)));
    while (!app.is_over)
        (void)doca_pe_progress(pe);
    printf("copied: %s\n", memory.to);

    check(doca_dma_destroy(app.dma));
    check(doca_pe_destroy(pe));
    check(doca_buf_inventory_destroy(app.bufs));
    check(doca_mmap_destroy(app.map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

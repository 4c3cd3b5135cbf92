/* A mistake: the destination has room for 8 bytes, and the source has 16. try_submit finds the
 * mistake and submits nothing. submit does not check the task: the device fails it, and the context
 * begins to stop. The stop is complete when the program has freed its tasks. Then the program
 * starts the context again, and the next copy succeeds.
 *
 *     context: IDLE -> RUNNING
 *     log: the destination has too little room behind its data
 *     try_submit: DOCA_ERROR_INVALID_VALUE
 *     log: the destination has too little room behind its data
 *     log: a task failed; the context stops
 *     task: DOCA_ERROR_IO_FAILED
 *     context: RUNNING -> STOPPING
 *     context: STOPPING -> IDLE
 *     context: IDLE -> RUNNING
 *     task: DOCA_SUCCESS, and copied 16
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char memory[32] = ", and copied 16", *const to = memory + 16;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

/* `line` also names call, object and state; its addresses differ from run to run. */
static void log_sink(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level, (void)line, (void)user;
    printf("log: %s\n", doca_core_item_text(item));
}

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                          enum doca_ctx_states prev, enum doca_ctx_states next)
{
    static const char *const names[] = { "IDLE", "STARTING", "RUNNING", "STOPPING" };

    (void)user_data, (void)ctx;
    printf("context: %s -> %s\n", names[prev], names[next]);
}

static void ended(struct doca_dma_task_memcpy *task, union doca_data data, union doca_data ctx_data)
{
    doca_error_t status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));

    (void)data, (void)ctx_data;
    printf("task: %s%s\n", doca_error_get_name(status), to);
}

static void progress(struct doca_pe *pe)
{
    while (doca_pe_progress(pe))
        ;
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
    uint32_t num;
    doca_error_t rc;

    doca_core_log_set_sink(log_sink, NULL);
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_buf_inventory_buf_get_by_data(bufs, map, memory, 16, &src));
    check(doca_buf_inventory_buf_get_by_args(bufs, map, to, 16, to, 8, &dst));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, ended, ended, 1));
    check(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(dma), state_changed));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));

    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    progress(pe);
    check(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task));
    rc = doca_task_try_submit(doca_dma_task_memcpy_as_task(task));
    printf("try_submit: %s\n", doca_error_get_name(rc));
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    progress(pe); /* the task comes back */
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    progress(pe); /* after this call it is idle */

    check(doca_buf_reset_data_len(dst)); /* makes room for all */
    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    check(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task));
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    progress(pe);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    check(doca_dma_destroy(dma)); /* also stops it: all tasks are freed */
    check(doca_pe_destroy(pe));
    check(doca_buf_dec_refcount(src, NULL));
    check(doca_buf_dec_refcount(dst, NULL));
    check(doca_buf_inventory_destroy(bufs));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

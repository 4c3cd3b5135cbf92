/* Sleep instead of polling: the PE has a file descriptor that is readable once the PE was armed and
 * has work. This program copies three words and waits for each in poll(), without a time limit:
 * request_notification, submit, poll, clear_notification, progress until it returns 0.
 *
 *     not armed: not readable
 *     armed, nothing submitted: not readable
 *     woken: alpha
 *     woken: beta
 *     woken: gamma
 *     cleared: not readable
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char from[16], to[16];
} memory;

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
    (void)task_data;
    (void)ctx_data;
    check(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    printf("woken: %s\n", memory.to);
}

/* Say whether `handle` is readable within `timeout_ms`; -1: wait for ever. */
static bool is_readable(doca_notification_handle_t handle, int timeout_ms)
{
    struct pollfd wait = { handle, POLLIN, 0 };
    int n = poll(&wait, 1, timeout_ms);

    if (n < 0) {
        perror("poll");
        exit(EXIT_FAILURE);
    }
    return n > 0;
}

static void copy_word(const char *word, struct doca_pe *pe, doca_notification_handle_t handle,
                      struct doca_dma_task_memcpy *task)
{
    strcpy(memory.from, word);
    check(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
    check(doca_pe_request_notification(pe));
    check(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    (void)is_readable(handle, -1);
    check(doca_pe_clear_notification(pe, handle));
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
    doca_notification_handle_t handle;
    union doca_data none = { NULL };
    uint32_t num;

    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_mmap_create(&map));
    check(doca_mmap_set_memrange(map, &memory, sizeof(memory)));
    check(doca_mmap_add_dev(map, dev));
    check(doca_mmap_start(map));
    check(doca_buf_inventory_create(2, &bufs));
    check(doca_buf_inventory_start(bufs));
    check(doca_buf_inventory_buf_get_by_data(bufs, map, memory.from, sizeof(memory.from), &src));
    check(doca_buf_inventory_buf_get_by_addr(bufs, map, memory.to, sizeof(memory.to), &dst));
    check(doca_pe_create(&pe));
    check(doca_dma_create(dev, &dma));
    check(doca_dma_task_memcpy_set_conf(dma, copied, copied, 1));
    check(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    check(doca_ctx_start(doca_dma_as_ctx(dma)));
    check(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &task));
    while (doca_pe_progress(pe)) /* the change to RUNNING is work, too */
        ;

    check(doca_pe_get_notification_handle(pe, &handle));
    printf("not armed: %s\n", is_readable(handle, 0) ? "readable" : "not readable");
    check(doca_pe_request_notification(pe));
    printf("armed, nothing submitted: %s\n", is_readable(handle, 0) ? "readable" : "not readable");
    copy_word("alpha", pe, handle, task);
    copy_word("beta", pe, handle, task);
    copy_word("gamma", pe, handle, task);
    printf("cleared: %s\n", is_readable(handle, 0) ? "readable" : "not readable");

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

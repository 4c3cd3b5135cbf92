/* A sync event whose value is in the memory of the NIC. A worker thread adds to the value whenever
 * a piece of its work is done, and the main thread sleeps until all pieces are done. The device
 * executes both the additions and the wait. Exit status 77: no device has such memory. An emulated
 * card has: tools/mlx5sim/run -- 26_mlx5_sync_event
 *
 *     worker: piece 1 is done
 *     worker: piece 2 is done
 *     worker: piece 3 is done
 *     main: woken, 3 pieces are done
 */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core_mlx5.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECES = 3 };

struct party { /* objects of one thread: an event as a context, and its progress engine */
    struct doca_sync_event *event;
    struct doca_pe *pe;
    bool is_done;
};

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void added(struct doca_sync_event_task_notify_add *task, union doca_data task_data,
                  union doca_data party)
{
    (void)task_data;
    check(doca_task_get_status(doca_sync_event_task_notify_add_as_doca_task(task)));
    ((struct party *)party.ptr)->is_done = true;
}

static void waited(struct doca_sync_event_task_wait_gt *task, union doca_data task_data,
                   union doca_data party)
{
    (void)task_data;
    check(doca_task_get_status(doca_sync_event_task_wait_gt_as_doca_task(task)));
    ((struct party *)party.ptr)->is_done = true;
}

/* Open a device that executes tasks of sync events, and allocate 64 bytes of its memory as `map`.
 * Exit with 77 when there is no such device. */
static struct doca_dev *open_device(struct doca_mmap **map)
{
    static const struct doca_core_dev_attr none;
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t num, i;

    check(doca_core_sw_set_devices(&none, 0));
    check(doca_core_backend_register(doca_core_mlx5_backend(NULL)));
    doca_core_log_set_level(DOCA_CORE_LOG_ERROR); /* a device without such memory is no error */
    if (doca_devinfo_create_list(&list, &num) != DOCA_SUCCESS)
        exit(77);
    for (i = 0; i < num && dev == NULL; i++) {
        if (list[i]->attr.limits.event_engine == DOCA_CORE_EVENT_ENGINE_NONE)
            continue;
        check(doca_dev_open(list[i], &dev));
        if (doca_core_mmap_create_on_dev(dev, 64, map) != DOCA_SUCCESS) {
            check(doca_dev_close(dev));
            dev = NULL;
        }
    }
    check(doca_devinfo_destroy_list(list));
    if (dev == NULL)
        exit(77);
    return dev;
}

/* An event on the value in `buf`, as a running context. */
static void join(struct party *p, struct doca_dev *dev, struct doca_buf *buf)
{
    struct doca_ctx *ctx;

    p->is_done = false;
    check(doca_sync_event_create(&p->event));
    check(doca_sync_event_add_publisher_location_cpu(p->event, dev));
    check(doca_sync_event_add_subscriber_location_cpu(p->event, dev));
    check(doca_sync_event_set_doca_buf(p->event, buf));
    check(doca_sync_event_task_notify_add_set_conf(p->event, added, added, 1));
    check(doca_sync_event_task_wait_gt_set_conf(p->event, waited, waited, 1));
    ctx = doca_sync_event_as_ctx(p->event);
    check(doca_pe_create(&p->pe));
    check(doca_pe_connect_ctx(p->pe, ctx));
    check(doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = p }));
    check(doca_ctx_start(ctx));
}

static void leave(struct party *p)
{
    check(doca_ctx_stop(doca_sync_event_as_ctx(p->event)));
    check(doca_sync_event_destroy(p->event));
    check(doca_pe_destroy(p->pe));
}

static void *work(void *arg)
{
    struct doca_sync_event_task_notify_add *task;
    struct party *worker = arg;
    uint64_t before;
    int piece;

    check(doca_sync_event_task_notify_add_alloc_init(worker->event, 1, &before,
                                                     (union doca_data){ 0 }, &task));
    for (piece = 1; piece <= PIECES; piece++) {
        printf("worker: piece %d is done\n", piece);
        worker->is_done = false;
        check(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(task)));
        while (!worker->is_done)
            (void)doca_pe_progress(worker->pe);
    }
    doca_task_free(doca_sync_event_task_notify_add_as_doca_task(task));
    return NULL;
}

/* Sleep until the value is above `threshold`. */
static void sleep_until(struct party *p, uint64_t threshold)
{
    struct doca_sync_event_task_wait_gt *task;
    struct pollfd sleep = { -1, POLLIN, 0 };

    check(doca_sync_event_task_wait_gt_alloc_init(p->event, threshold, UINT64_MAX,
                                                  (union doca_data){ 0 }, &task));
    check(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(task)));
    check(doca_pe_get_notification_handle(p->pe, &sleep.fd));
    while (!p->is_done) {
        check(doca_pe_request_notification(p->pe));
        (void)poll(&sleep, 1, -1);
        check(doca_pe_clear_notification(p->pe, sleep.fd));
        while (doca_pe_progress(p->pe))
            continue;
    }
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(task));
}

int main(void)
{
    struct doca_mmap *map;
    struct doca_dev *dev = open_device(&map);
    struct doca_buf_inventory *inventory;
    struct party worker, waiter;
    const uint64_t zero = 0;
    struct doca_buf *buf;
    pthread_t thread;
    void *addr;
    size_t len;

    check(doca_core_mmap_write(map, 0, &zero, sizeof(zero)));
    check(doca_mmap_get_memrange(map, &addr, &len));
    check(doca_buf_inventory_create(1, &inventory));
    check(doca_buf_inventory_start(inventory));
    check(doca_buf_inventory_buf_get_by_data(inventory, map, addr, sizeof(zero), &buf));
    join(&worker, dev, buf);
    join(&waiter, dev, buf);
    check(doca_buf_dec_refcount(buf, NULL)); /* the events need only the mmap */

    if (pthread_create(&thread, NULL, work, &worker) != 0)
        return EXIT_FAILURE;
    sleep_until(&waiter, PIECES - 1);
    printf("main: woken, %d pieces are done\n", PIECES);
    pthread_join(thread, NULL);

    leave(&waiter);
    leave(&worker);
    check(doca_buf_inventory_destroy(inventory));
    check(doca_mmap_destroy(map));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}

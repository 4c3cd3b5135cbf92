/* The host exports a sync event; the DPU, here a child of this program, imports it, sleeps in
 * poll() until its value changes, and answers. When the host destroys the event, the wait of the
 * DPU ends with an error.
 *
 *     dpu: woken, adds 41
 *     host: the value is 42
 *     dpu: woken by DOCA_ERROR_CONNECTION_RESET
 */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct doca_dev *dev;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static int host(int to_dpu)
{
    struct doca_sync_event *event;
    const uint8_t *data;
    uint64_t value;
    size_t size;

    check(doca_sync_event_create(&event));
    check(doca_sync_event_add_publisher_location_cpu(event, dev));
    check(doca_sync_event_add_subscriber_location_dpu(event));
    check(doca_sync_event_start(event));
    check(doca_sync_event_export_to_dpu(event, dev, &data, &size));
    if (write(to_dpu, data, size) != (ssize_t)size)
        return EXIT_FAILURE;
    (void)alarm(10); /* an exporter is not told when its importer dies */
    check(doca_sync_event_update_set(event, 1));
    check(doca_sync_event_wait_gt_yield(event, 1, UINT64_MAX));
    check(doca_sync_event_get(event, &value));
    printf("host: the value is %llu\n", (unsigned long long)value);
    check(doca_sync_event_destroy(event));
    return wait(NULL) > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static void waited(struct doca_sync_event_task_wait_gt *task, union doca_data is_done,
                   union doca_data unused)
{
    (void)task, (void)unused;
    *(bool *)is_done.ptr = true;
}

/* Sleep until the value is above `threshold`, and give the status of the task that waited. */
static doca_error_t sleep_until(struct doca_sync_event *event, struct doca_pe *pe,
                                uint64_t threshold)
{
    struct pollfd sleep = { -1, POLLIN, 0 };
    struct doca_sync_event_task_wait_gt *task;
    bool is_done = false;
    union doca_data where = { &is_done };
    doca_error_t status;

    check(doca_sync_event_task_wait_gt_alloc_init(event, threshold, UINT64_MAX, where, &task));
    check(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(task)));
    check(doca_pe_get_notification_handle(pe, &sleep.fd));
    while (!is_done) {
        check(doca_pe_request_notification(pe));
        (void)poll(&sleep, 1, -1);
        check(doca_pe_clear_notification(pe, sleep.fd));
        while (doca_pe_progress(pe))
            continue;
    }
    status = doca_task_get_status(doca_sync_event_task_wait_gt_as_doca_task(task));
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(task));
    return status;
}

/* Two handles of one value: a context to sleep on, and a stand-alone event for the answer. */
static int dpu(int from_host)
{
    struct doca_sync_event *event, *answer;
    struct doca_pe *pe;
    uint8_t data[256];
    uint64_t before;
    ssize_t size = read(from_host, data, sizeof(data));

    check(doca_sync_event_create_from_export(dev, data, size > 0 ? (size_t)size : 0, &answer));
    check(doca_sync_event_start(answer));
    check(doca_sync_event_create_from_export(dev, data, (size_t)size, &event));
    check(doca_pe_create(&pe));
    check(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(event)));
    check(doca_sync_event_task_wait_gt_set_conf(event, waited, waited, 1));
    check(doca_ctx_start(doca_sync_event_as_ctx(event)));
    check(sleep_until(event, pe, 0));
    printf("dpu: woken, adds 41\n");
    check(doca_sync_event_update_add(answer, 41, &before));
    printf("dpu: woken by %s\n", doca_error_get_name(sleep_until(event, pe, 1000)));
    check(doca_sync_event_destroy(event));
    check(doca_sync_event_destroy(answer));
    check(doca_pe_destroy(pe));
    return EXIT_SUCCESS;
}

int main(void)
{
    struct doca_devinfo **list;
    uint32_t num;
    pid_t child;
    int ends[2];

    check(doca_core_log_set_level(DOCA_CORE_LOG_ERROR)); /* the reset is printed here */
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev)); /* for both: fork() copies the handle */
    setvbuf(stdout, NULL, _IONBF, 0);
    child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0)
        return EXIT_FAILURE;
    return child == 0 ? dpu(ends[0]) : host(ends[1]);
}

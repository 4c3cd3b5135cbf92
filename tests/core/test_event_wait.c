/* Tasks and calls that wait for the value of a sync event. Versions after 2.5.1 added them, so this
 * file is compiled for both values of DOCA_CORE_API. */
#include "held_backend.h"

#include <poll.h>
#include <pthread.h>

static DOCA_CORE_ALIGNED unsigned char memory[4096];
static int anything; /* its address stands for a DPA or a GPU; the library does not read it */

#define DPA ((struct doca_dpa *)&anything)
#define GPU ((struct doca_gpu *)&anything)

static struct doca_sync_event *make_event(struct doca_dev *dev, bool is_shared)
{
    struct doca_sync_event *event;

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    if (is_shared)
        CHECK_OK(doca_sync_event_add_subscriber_location_remote_pci(event));
    return event;
}

static void *set_to_5_later(void *arg)
{
    struct doca_sync_event *event = arg;

    usleep(2000);
    (void)doca_sync_event_update_set(event, 4);
    usleep(2000);
    (void)doca_sync_event_update_set(event, 5);
    return NULL;
}

static void wait_ends_with_its_condition(void)
{
    static doca_error_t (*const waits[])(struct doca_sync_event *event, uint64_t value,
                                         uint64_t mask) = {
        doca_sync_event_wait_eq, doca_sync_event_wait_eq_yield, doca_sync_event_wait_neq,
        doca_sync_event_wait_neq_yield,
    };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = make_event(dev, false);
    enum heap_trap_mode mode;
    pthread_t thread;
    uint64_t value;
    unsigned i;

    for (i = 0; i < 4; i++) {
        CHECK_RC(waits[i](NULL, 0, 0), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(waits[i](event, 0, 0), DOCA_ERROR_BAD_STATE);
    }
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_update_set(event, 0x1234));
    for (i = 0; i < 2; i++) { /* both waits return at once */
        CHECK_OK(waits[i](event, 0x1234, UINT64_MAX));
        CHECK_OK(waits[i](event, 0x34, 0xff));
        CHECK_OK(waits[i](event, 0, 0));
        CHECK_OK(waits[2 + i](event, 0x1235, UINT64_MAX));
        CHECK_OK(waits[2 + i](event, 0x1234, 0xff));
        CHECK_OK(waits[2 + i](event, 1, 0));
    }
    for (i = 0; i < 4; i++) {
        CHECK_OK(doca_sync_event_update_set(event, 3));
        mode = heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_create(&thread, NULL, set_to_5_later, event), 0);
        heap_trap_set(mode);
        CHECK_OK(waits[i](event, i < 2 ? 5 : 3, UINT64_MAX));
        CHECK_OK(doca_sync_event_get(event, &value));
        CHECK(i < 2 ? value == 5 : value == 4 || value == 5);
        mode = heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_join(thread, NULL), 0);
        heap_trap_set(mode);
    }
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static unsigned eq_oks, neq_oks, gt_oks, wait_failures;
static doca_error_t wait_status;

static void eq_ok(struct doca_sync_event_task_wait_eq *task, union doca_data data,
                  union doca_data ctx_data)
{
    (void)ctx_data;
    CHECK(IS_HANDLE(task));
    CHECK_EQ(data.u64, 1);
    CHECK_OK(doca_task_get_status(doca_sync_event_task_wait_eq_as_doca_task(task)));
    eq_oks++;
}

static void eq_failed(struct doca_sync_event_task_wait_eq *task, union doca_data data,
                      union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK(IS_HANDLE(task));
    wait_status = doca_task_get_status(doca_sync_event_task_wait_eq_as_doca_task(task));
    wait_failures++;
}

static void neq_ok(struct doca_sync_event_task_wait_neq *task, union doca_data data,
                   union doca_data ctx_data)
{
    (void)ctx_data;
    CHECK(IS_HANDLE(task));
    CHECK_EQ(data.u64, 2);
    CHECK_OK(doca_task_get_status(doca_sync_event_task_wait_neq_as_doca_task(task)));
    neq_oks++;
}

static void neq_failed(struct doca_sync_event_task_wait_neq *task, union doca_data data,
                       union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK(IS_HANDLE(task));
    wait_status = doca_task_get_status(doca_sync_event_task_wait_neq_as_doca_task(task));
    wait_failures++;
}

static void gt_ok(struct doca_sync_event_task_wait_gt *task, union doca_data data,
                  union doca_data ctx_data)
{
    (void)task;
    (void)data;
    (void)ctx_data;
    gt_oks++;
}

struct waiting {
    struct doca_pe *pe;
    struct doca_ctx *ctx;
    struct doca_sync_event_task_wait_eq *eq;
    struct doca_sync_event_task_wait_neq *neq;
};

static struct waiting begin_waiting(struct doca_sync_event *event)
{
    struct waiting w;

    eq_oks = neq_oks = gt_oks = wait_failures = 0;
    CHECK_OK(doca_pe_create(&w.pe));
    w.ctx = doca_sync_event_as_ctx(event);
    CHECK_OK(doca_sync_event_task_wait_eq_set_conf(event, eq_ok, eq_failed, 1));
    CHECK_OK(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, 1));
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(event, gt_ok, gt_ok, 1));
    CHECK_OK(doca_pe_connect_ctx(w.pe, w.ctx));
    CHECK_OK(doca_ctx_start(w.ctx));
    CHECK_OK(doca_sync_event_task_wait_eq_alloc_init(event, 7, UINT64_MAX,
                                                     (union doca_data){ .u64 = 1 }, &w.eq));
    CHECK_OK(doca_sync_event_task_wait_neq_alloc_init(event, 0, UINT64_MAX,
                                                      (union doca_data){ .u64 = 2 }, &w.neq));
    CHECK(IS_HANDLE(w.eq) && IS_HANDLE(w.neq));
    return w;
}

static void end_waiting(struct waiting *w, struct doca_sync_event *event)
{
    doca_task_free(doca_sync_event_task_wait_eq_as_doca_task(w->eq));
    doca_task_free(doca_sync_event_task_wait_neq_as_doca_task(w->neq));
    while (doca_pe_progress(w->pe))
        continue;
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_pe_destroy(w->pe));
}

static void waiting_tasks_end_with_their_conditions(void)
{
    static DOCA_CORE_ALIGNED uint64_t cell;
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = make_event(dev, false);
    struct doca_sync_event_task_wait_gt *gt;
    struct doca_task *eq_task, *neq_task;
    struct waiting w;

    cell = 0;
    CHECK_OK(doca_sync_event_set_addr(event, &cell));
    w = begin_waiting(event);
    eq_task = doca_sync_event_task_wait_eq_as_doca_task(w.eq);
    neq_task = doca_sync_event_task_wait_neq_as_doca_task(w.neq);
    CHECK_OK(doca_sync_event_task_wait_gt_alloc_init(event, 6, UINT64_MAX, (union doca_data){ 0 },
                                                     &gt));
    CHECK_OK(doca_task_submit(eq_task));
    CHECK_OK(doca_task_try_submit(neq_task));
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(gt)));
    CHECK_EQ(doca_pe_progress(w.pe), 0);
    cell = 3;
    while (doca_pe_progress(w.pe))
        continue;
    CHECK_EQ(neq_oks, 1);
    CHECK_EQ(eq_oks + gt_oks, 0);
    cell = 8; /* the value has passed the expected one */
    while (doca_pe_progress(w.pe))
        continue;
    CHECK_EQ(gt_oks, 1);
    CHECK_EQ(eq_oks, 0);
    cell = 7;
    CHECK_EQ(doca_pe_progress(w.pe), 1);
    CHECK_EQ(eq_oks, 1);

    doca_sync_event_task_wait_eq_set_wait_val(w.eq, 0x12);
    doca_sync_event_task_wait_eq_set_mask(w.eq, 0xff);
    doca_sync_event_task_wait_neq_set_wait_val(w.neq, 0x12);
    doca_sync_event_task_wait_neq_set_mask(w.neq, 0xff);
    CHECK_EQ(doca_sync_event_task_wait_eq_get_wait_val(w.eq), 0x12);
    CHECK_EQ(doca_sync_event_task_wait_eq_get_mask(w.eq), 0xff);
    CHECK_EQ(doca_sync_event_task_wait_neq_get_wait_val(w.neq), 0x12);
    CHECK_EQ(doca_sync_event_task_wait_neq_get_mask(w.neq), 0xff);
    cell = 0x3412;
    CHECK_OK(doca_task_submit(eq_task));
    CHECK_OK(doca_task_submit(neq_task));
    while (doca_pe_progress(w.pe))
        continue;
    CHECK_EQ(eq_oks, 2);
    CHECK_EQ(neq_oks, 1);
    doca_sync_event_task_wait_eq_set_wait_val(w.eq, 0x13);
    CHECK_OK(doca_task_submit(eq_task));
    CHECK_RC(doca_ctx_stop(w.ctx), DOCA_ERROR_IN_PROGRESS);
    while (doca_pe_progress(w.pe))
        continue;
    CHECK_EQ(wait_failures, 2); /* one task of each type, in its error callback */
    CHECK_EQ(eq_oks, 2);
    CHECK_EQ(neq_oks, 1);
    CHECK_EQ(doca_task_get_status(eq_task), DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(doca_task_get_status(neq_task), DOCA_ERROR_SHUTDOWN);

    CHECK_PTR(doca_sync_event_task_wait_eq_as_doca_task(NULL), NULL);
    CHECK_PTR(doca_sync_event_task_wait_neq_as_doca_task(NULL), NULL);
    CHECK_EQ(doca_sync_event_task_wait_eq_get_mask(NULL), 0);
    CHECK_EQ(doca_sync_event_task_wait_eq_get_wait_val(NULL), 0);
    CHECK_EQ(doca_sync_event_task_wait_neq_get_mask(NULL), 0);
    CHECK_EQ(doca_sync_event_task_wait_neq_get_wait_val(NULL), 0);
    if (DOCA_CORE_CHECK >= 1) { /* a handle of another type is refused */
        CHECK_EQ(doca_sync_event_task_wait_eq_get_mask(
                     (struct doca_sync_event_task_wait_eq *)(void *)w.neq), 0);
        doca_sync_event_task_wait_neq_set_mask(
            (struct doca_sync_event_task_wait_neq *)(void *)w.eq, 5);
        CHECK_EQ(doca_sync_event_task_wait_eq_get_mask(w.eq), 0xff);
    }
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(gt));
    end_waiting(&w, event);
    CHECK_OK(doca_dev_close(dev));
}

static void wait_conf_is_checked(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = make_event(dev, false);
    struct doca_sync_event_task_wait_eq *eq = NULL;
    struct doca_sync_event_task_wait_neq *neq = NULL;
    const uint32_t most = (1u << 30) - 1;
    union doca_data none = { 0 };
    struct waiting w;

    CHECK_RC(doca_sync_event_task_wait_eq_set_conf(NULL, eq_ok, eq_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_wait_eq_set_conf(event, NULL, eq_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, 0),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, most + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(event, gt_ok, gt_ok, most));
    CHECK_OK(doca_sync_event_task_wait_eq_set_conf(event, eq_ok, eq_failed, most));
    CHECK_OK(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, most));
    CHECK_RC(doca_sync_event_task_wait_eq_alloc_init(event, 0, 0, none, &eq),
             DOCA_ERROR_BAD_STATE);
    w = begin_waiting(event);
    CHECK_RC(doca_sync_event_task_wait_eq_set_conf(event, eq_ok, eq_failed, 1),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, 1),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_task_wait_eq_alloc_init(event, 0, 0, none, &eq), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_sync_event_task_wait_neq_alloc_init(event, 0, 0, none, &neq),
             DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_sync_event_task_wait_neq_alloc_init(event, 0, 0, none, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(eq, NULL);
    CHECK_PTR(neq, NULL);
    end_waiting(&w, event);
    CHECK_OK(doca_dev_close(dev));
}

static void both_types_of_wait_tasks_wake_a_sleeping_program(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event_task_wait_eq *eq;
    struct doca_sync_event_task_wait_neq *neq;
    struct doca_sync_event *event, *import;
    struct doca_task *task;
    struct doca_pe *pe;
    struct pollfd fd;
    const uint8_t *data;
    size_t bytes;
    unsigned i;

    for (i = 0; i < 2; i++) { /* only one type of tasks is configured */
        eq_oks = neq_oks = 0;
        event = make_event(dev, true);
        CHECK_OK(doca_sync_event_start(event));
        CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &bytes));
        CHECK_OK(doca_sync_event_create_from_export(dev, data, bytes, &import));
        CHECK_OK(doca_pe_create(&pe));
        CHECK_OK(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(import)));
        if (i == 0)
            CHECK_OK(doca_sync_event_task_wait_eq_set_conf(import, eq_ok, eq_failed, 1));
        else
            CHECK_OK(doca_sync_event_task_wait_neq_set_conf(import, neq_ok, neq_failed, 1));
        CHECK_OK(doca_ctx_start(doca_sync_event_as_ctx(import)));
        if (i == 0) {
            CHECK_OK(doca_sync_event_task_wait_eq_alloc_init(import, 7, UINT64_MAX,
                                                             (union doca_data){ .u64 = 1 }, &eq));
            task = doca_sync_event_task_wait_eq_as_doca_task(eq);
        } else {
            CHECK_OK(doca_sync_event_task_wait_neq_alloc_init(import, 0, UINT64_MAX,
                                                              (union doca_data){ .u64 = 2 }, &neq));
            task = doca_sync_event_task_wait_neq_as_doca_task(neq);
        }
        CHECK_OK(doca_task_submit(task));
        CHECK_OK(doca_pe_get_notification_handle(pe, &fd.fd));
        fd.events = POLLIN;
        CHECK_OK(doca_pe_request_notification(pe));
        CHECK_EQ(poll(&fd, 1, 0), 0);
        CHECK_OK(doca_sync_event_update_set(event, 7));
        CHECK_EQ(poll(&fd, 1, 1000), 1);
        CHECK_OK(doca_pe_clear_notification(pe, fd.fd));
        CHECK_EQ(doca_pe_progress(pe), 1);
        CHECK_EQ(eq_oks + neq_oks, 1);
        doca_task_free(task);
        CHECK_OK(doca_sync_event_destroy(import));
        CHECK_OK(doca_pe_destroy(pe));
        CHECK_OK(doca_sync_event_destroy(event));
    }
    CHECK_OK(doca_dev_close(dev));
}

/* The import is in the same process. The library shares the value in the same way as between two
 * processes. */
static void remote_pci_is_the_dpu(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event, *import;
    const uint8_t *data = NULL, *same = NULL;
    size_t bytes = 0, same_bytes = 0;
    doca_notification_handle_t handle;
    struct pollfd fd;
    struct waiting w;

    CHECK_RC(doca_sync_event_add_publisher_location_remote_pci(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_add_subscriber_location_remote_pci(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_pci(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_RC(doca_sync_event_export_to_remote_pci(event, dev, &data, &bytes),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_export_to_remote_pci(event, NULL, &data, &bytes),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_export_to_remote_pci(event, dev, NULL, &bytes),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &bytes));
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &same, &same_bytes));
    CHECK_PTR(data, same);
    CHECK_EQ(bytes, same_bytes);

    CHECK_OK(doca_sync_event_create_from_export(dev, data, bytes, &import));
    w = begin_waiting(import);
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(w.eq)));
    CHECK_OK(doca_pe_get_notification_handle(w.pe, &handle));
    fd.fd = handle;
    fd.events = POLLIN;
    CHECK_OK(doca_pe_request_notification(w.pe));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    CHECK_OK(doca_sync_event_update_set(event, 6)); /* wakes, but ends no wait */
    CHECK_OK(doca_pe_clear_notification(w.pe, handle));
    CHECK_EQ(doca_pe_progress(w.pe), 0);
    CHECK_OK(doca_pe_request_notification(w.pe));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    CHECK_OK(doca_sync_event_update_set(event, 7));
    CHECK_EQ(poll(&fd, 1, 1000), 1);
    CHECK_OK(doca_pe_clear_notification(w.pe, handle));
    CHECK_EQ(doca_pe_progress(w.pe), 1);
    CHECK_EQ(eq_oks, 1);

    doca_sync_event_task_wait_neq_set_wait_val(w.neq, 7);
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_neq_as_doca_task(w.neq)));
    CHECK_EQ(doca_pe_progress(w.pe), 0);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_EQ(doca_pe_progress(w.pe), 1);
    CHECK_EQ(wait_failures, 1);
    CHECK_EQ(wait_status, DOCA_ERROR_CONNECTION_RESET);
    end_waiting(&w, import);
    CHECK_OK(doca_dev_close(dev));
}

static void wait_ends_when_the_exporter_has_ended(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = make_event(dev, true), *import;
    const uint8_t *data;
    size_t bytes;

    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &bytes));
    CHECK_OK(doca_sync_event_create_from_export(dev, data, bytes, &import));
    CHECK_OK(doca_sync_event_start(import));
    CHECK_OK(doca_sync_event_update_set(event, 4));
    CHECK_OK(doca_sync_event_wait_eq(import, 4, UINT64_MAX));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_sync_event_wait_eq(import, 4, UINT64_MAX));
    CHECK_RC(doca_sync_event_wait_eq(import, 5, UINT64_MAX), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_sync_event_wait_neq_yield(import, 4, UINT64_MAX), DOCA_ERROR_CONNECTION_RESET);
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_dev_close(dev));
}

static void event_has_no_handle_on_processors(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    struct doca_sync_event *event;
    struct doca_sync_event_remote_net *net;
    doca_dpa_dev_sync_event_t dpa = 7;
    doca_gpu_dev_sync_event_t *gpu = NULL;
    doca_dpa_dev_sync_event_remote_net_t net_dpa;
    doca_gpu_dev_sync_event_remote_net_t net_gpu;
    const uint8_t *data;
    size_t bytes;

    CHECK_OK(doca_sync_event_cap_is_export_to_remote_pci_supported(info));
    CHECK_OK(doca_sync_event_cap_task_wait_eq_is_supported(info));
    CHECK_OK(doca_sync_event_cap_task_wait_neq_is_supported(info));
    CHECK_RC(doca_sync_event_cap_is_export_to_remote_pci_supported(NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_cap_task_wait_eq_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_cap_task_wait_neq_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_net(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_RC(doca_sync_event_get_dpa_handle(event, DPA, &dpa), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_get_dpa_handle(event, NULL, &dpa), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_get_gpu_handle(event, GPU, &gpu), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_get_gpu_handle(event, GPU, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &bytes));
    CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, data, bytes, &net));
    CHECK_RC(doca_sync_event_remote_net_get_dpa_handle(net, DPA, &net_dpa),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_remote_net_get_gpu_handle(net, GPU, &net_gpu),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_remote_net_get_dpa_handle(NULL, DPA, &net_dpa),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_remote_net_get_gpu_handle(net, NULL, &net_gpu),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(dpa, 7);
    CHECK_PTR(gpu, NULL);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void value_of_an_event_can_be_in_a_buffer(void)
{
    struct doca_sync_event *event;
    struct doca_buf *buf, *other;
    struct doca_mmap *read_only;
    uint64_t value = 5, got = 0;
    struct rig r;

    rig_open(&r, 1);
    event = make_event(r.dev, false);
    memcpy(rig_to + 8, &value, sizeof(value));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to + 8, 8, &buf));
    CHECK_RC(doca_sync_event_set_doca_buf(NULL, buf), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_set_doca_buf(event, NULL), DOCA_ERROR_INVALID_VALUE);
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_sync_event_set_doca_buf(event, (void *)r.dev), DOCA_ERROR_INVALID_VALUE);

    CHECK_OK(doca_buf_set_data(buf, rig_to + 8, 7));
    CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to + 4, 8, &other));
    CHECK_RC(doca_sync_event_set_doca_buf(event, other), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_set_data(buf, rig_to + 8, 8));
    CHECK_OK(doca_buf_chain_list(buf, other));
    CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_set_doca_buf(event, other), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_unchain_list(buf, other));
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    CHECK_RC(doca_sync_event_set_doca_buf(event, other), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_create(&read_only));
    CHECK_OK(doca_mmap_set_memrange(read_only, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_set_permissions(read_only, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_OK(doca_mmap_start(read_only));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, read_only, memory, 8, &other));
    CHECK_RC(doca_sync_event_set_doca_buf(event, other), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    CHECK_OK(doca_mmap_destroy(read_only));

    CHECK_OK(doca_sync_event_set_doca_buf(event, buf));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_sync_event_get(event, &got));
    CHECK_EQ(got, 5);
    CHECK_OK(doca_sync_event_update_add(event, 2, &got));
    memcpy(&value, rig_to + 8, sizeof(value));
    CHECK_EQ(value, 7);
    CHECK_OK(doca_sync_event_wait_eq(event, 7, UINT64_MAX));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(wait_ends_with_its_condition, ""),
    CASE(waiting_tasks_end_with_their_conditions, ""),
    CASE(wait_conf_is_checked, ""),
    CASE(both_types_of_wait_tasks_wake_a_sleeping_program, ""),
    CASE(remote_pci_is_the_dpu, ""),
    CASE(wait_ends_when_the_exporter_has_ended, ""),
    CASE(event_has_no_handle_on_processors, ""),
    CASE(value_of_an_event_can_be_in_a_buffer, ""),
};

TEST_MAIN(cases)

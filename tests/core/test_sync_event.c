/* Sync events within one process. test_sync_event_processes.c has tests with two processes. */
#include "event_rig.h"

#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define ALL_BITS UINT64_MAX

/* Counts the calls of sched_yield(), which replaces the function of the C library here. */
static unsigned num_yields;

int sched_yield(void)
{
    __atomic_fetch_add(&num_yields, 1, __ATOMIC_RELAXED);
    return (int)sys_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

/* ---- without a context ---- */

static void value_is_set_added_and_read(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    bool far;

    for (far = false;; far = true) {
        struct doca_sync_event *event = event_alone(dev, far);
        uint64_t was = 99;

        CHECK_EQ(event_value(event), 0);
        CHECK_OK(doca_sync_event_update_set(event, 7));
        CHECK_EQ(event_value(event), 7);
        CHECK_OK(doca_sync_event_update_add(event, 5, &was));
        CHECK_EQ(was, 7);
        CHECK_EQ(event_value(event), 12);
        CHECK_OK(doca_sync_event_update_set(event, UINT64_MAX));
        CHECK_OK(doca_sync_event_update_add(event, 3, &was));
        CHECK_EQ(was, UINT64_MAX);
        CHECK_EQ(event_value(event), 2);
        CHECK_OK(doca_sync_event_stop(event));
        CHECK_OK(doca_sync_event_start(event));
        CHECK_EQ(event_value(event), 0);
        CHECK_OK(doca_sync_event_destroy(event));
        if (far)
            break;
    }
    CHECK_OK(doca_dev_close(dev));
}

struct adder {
    struct doca_sync_event *event;
    uint64_t step, num, sum_fetched, latest;
    bool is_rising;
};

static void *add_many(void *arg)
{
    struct adder *a = arg;
    uint64_t i, was;

    a->is_rising = true;
    for (i = 0; i < a->num; i++) {
        if (doca_sync_event_update_add(a->event, a->step, &was) != DOCA_SUCCESS)
            return arg;
        a->is_rising = a->is_rising && (i == 0 || was > a->latest);
        a->latest = was;
        a->sum_fetched += was;
    }
    return NULL;
}

static void no_addition_of_a_thread_is_lost(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, false);
    const uint64_t n = 50000;
    struct adder adders[4];
    pthread_t threads[4];
    uint64_t sum = 0;
    void *failed;
    unsigned i;

    memset(adders, 0, sizeof(adders));
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < 4; i++) {
        adders[i].event = event;
        adders[i].step = 1;
        adders[i].num = n;
        CHECK_EQ(pthread_create(&threads[i], NULL, add_many, &adders[i]), 0);
    }
    for (i = 0; i < 4; i++) {
        pthread_join(threads[i], &failed);
        CHECK(failed == NULL);
        CHECK(adders[i].is_rising);
        sum += adders[i].sum_fetched;
    }
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK_EQ(event_value(event), 4 * n);
    CHECK_EQ(sum, 4 * n * (4 * n - 1) / 2); /* each value from 0 to 4n-1 was fetched once */
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static const struct {
    uint64_t value, threshold, mask;
    bool holds;
} conditions[] = {
    { 1, 0, ALL_BITS, true },
    { 1, 1, ALL_BITS, false },
    { 0x1ff, 0xfe, 0xff, true },
    { 0x1ff, 0xff, 0xff, false },
    { 0x1ff, 0xff, 0xffff, true },
    { 0xff00, 0, 0xff, false },
    { 5, 0, 0, false },
    { UINT64_MAX, UINT64_MAX - 1, ALL_BITS, true },
    { UINT64_MAX, UINT64_MAX, ALL_BITS, false },
    { 1ull << 63, 254, ALL_BITS, true },
};

static void wait_returns_at_once_if_its_condition_holds(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, false);
    size_t i;

    for (i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        if (!conditions[i].holds)
            continue;
        CHECK_OK(doca_sync_event_update_set(event, conditions[i].value));
        num_yields = 0;
        CHECK_OK(doca_sync_event_wait_gt(event, conditions[i].threshold, conditions[i].mask));
        CHECK_OK(doca_sync_event_wait_gt_yield(event, conditions[i].threshold,
                                               conditions[i].mask));
        CHECK_EQ(num_yields, 0);
    }
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

struct waiter {
    struct doca_sync_event *event;
    bool yields;
    doca_error_t rc;
    uint32_t has_begun, is_done;
};

static void *wait_for_event(void *arg)
{
    struct waiter *w = arg;

    __atomic_store_n(&w->has_begun, 1, __ATOMIC_RELEASE);
    w->rc = w->yields ? doca_sync_event_wait_gt_yield(w->event, 0x10, 0xff)
                      : doca_sync_event_wait_gt(w->event, 0x10, 0xff);
    __atomic_store_n(&w->is_done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void wait_lasts_until_the_masked_value_is_greater(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, false);
    unsigned yields;

    heap_trap_set(HEAP_TRAP_OFF);
    for (yields = 0; yields < 2; yields++) {
        struct waiter w = { event, yields != 0, DOCA_ERROR_UNKNOWN, 0, 0 };
        unsigned patience = 5000;
        pthread_t thread;

        CHECK_OK(doca_sync_event_update_set(event, 0));
        num_yields = 0;
        CHECK_EQ(pthread_create(&thread, NULL, wait_for_event, &w), 0);
        while (patience-- > 0 && (__atomic_load_n(&w.has_begun, __ATOMIC_ACQUIRE) == 0 ||
                                  __atomic_load_n(&num_yields, __ATOMIC_RELAXED) < yields))
            usleep(1000);
        CHECK_OK(doca_sync_event_update_set(event, 0xff10)); /* greater only without the mask */
        usleep(5000);
        CHECK_EQ(__atomic_load_n(&w.is_done, __ATOMIC_ACQUIRE), 0);
        CHECK_OK(doca_sync_event_update_set(event, 0x11));
        pthread_join(thread, NULL);
        CHECK_OK(w.rc);
        CHECK_EQ(num_yields > 0, yields);
    }
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- configuration and start ---- */

static void start_needs_both_sides(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event;
    struct event_rig r;

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_NO_LOCATION);
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_destroy(event));

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
    event_build_ctx(&r, dev, event);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_NO_LOCATION);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    event_close(&r);
}

static void check_fixed(struct doca_sync_event *event, struct doca_dev *dev)
{
    static uint64_t cell;

    CHECK_RC(doca_sync_event_add_publisher_location_cpu(event, dev), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_add_publisher_location_dpu(event), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_add_publisher_location_remote_net(event), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_add_subscriber_location_cpu(event, dev), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_add_subscriber_location_dpu(event), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_set_addr(event, &cell), DOCA_ERROR_BAD_STATE);
}

static void started_event_or_context_cannot_be_configured(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, false);

    check_fixed(event, dev);
    CHECK_OK(doca_sync_event_stop(event));
    CHECK_OK(doca_sync_event_add_publisher_location_dpu(event));
    CHECK_OK(doca_sync_event_destroy(event));
    event = event_make(dev, false);
    CHECK(doca_sync_event_as_ctx(event) != NULL);
    check_fixed(event, dev);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void device_of_a_location_cannot_be_closed(void)
{
    struct doca_dev *dev = rig_open_dev(NULL), *other = rig_open_second();
    struct doca_sync_event *event;

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, other)); /* replaces the device */
    CHECK_RC(doca_dev_close(other), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(other));
}

static void value_can_be_in_memory_of_the_program(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_make(dev, true);
    static uint64_t cells[2];
    const uint8_t *data;
    uint64_t was;
    size_t sz;

    cells[0] = 41;
    CHECK_RC(doca_sync_event_set_addr(event, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_set_addr(event, (uint64_t *)(void *)((char *)cells + 4)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_set_addr(event, &cells[0]));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_EQ(event_value(event), 41);
    CHECK_OK(doca_sync_event_update_add(event, 1, &was));
    CHECK_EQ(cells[0], 42);
    __atomic_store_n(&cells[0], 50, __ATOMIC_RELEASE);
    CHECK_OK(doca_sync_event_wait_gt(event, 49, ALL_BITS));
    CHECK_RC(doca_sync_event_export_to_dpu(event, dev, &data, &sz), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_sync_event_stop(event));
    CHECK_OK(doca_sync_event_set_addr(event, &cells[1]));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_net(event));
    CHECK_RC(doca_sync_event_set_addr(event, &cells[0]), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_OWN_ADDR);
    CHECK_EQ(cells[0], 50);
    CHECK_EQ(cells[1], 0);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void event_is_used_with_or_without_a_context(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_make(dev, false);
    struct doca_sync_event_task_wait_gt *task = NULL;
    struct doca_ctx *ctx;
    uint64_t value = 9;

    CHECK_RC(doca_sync_event_stop(event), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_get(event, &value), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_update_set(event, 1), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_NOT_STARTED);
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_BAD_STATE);
    CHECK(strstr(doca_core_last_error(), "(started)") != NULL);
    CHECK_PTR(doca_sync_event_as_ctx(event), NULL);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_IS_NO_CTX);
    CHECK_RC(doca_sync_event_task_wait_gt_alloc_init(event, 1, 1, (union doca_data){ 0 }, &task),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_sync_event_stop(event));
    CHECK_PTR(doca_sync_event_as_ctx(event), NULL);
    CHECK_OK(doca_sync_event_destroy(event));

    event = event_make(dev, false);
    ctx = doca_sync_event_as_ctx(event);
    CHECK(ctx != NULL);
    CHECK_PTR(doca_sync_event_as_ctx(event), ctx);
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_stop(event), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_get(event, &value), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_update_set(event, 1), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_update_add(event, 1, &value), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_wait_gt(event, 1, 1), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_wait_gt_yield(event, 1, 1), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_IS_CTX);
    CHECK_RC(doca_sync_event_task_wait_gt_alloc_init(event, 1, 1, (union doca_data){ 0 }, &task),
             DOCA_ERROR_BAD_STATE);
    CHECK(task == NULL);
    CHECK_EQ(value, 9);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void wait_eq_ended(struct doca_sync_event_task_wait_eq *task, union doca_data user_data,
                          union doca_data ctx_data)
{
    (void)task;
    (void)user_data;
    (void)ctx_data;
}

static void set_conf_is_for_idle_events(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event;
    struct event_rig r;

    event_open(&r, false);
    event = r.event;
#define REFUSED_ALL(want, ok_cb, err_cb, num)                                                      \
    do {                                                                                           \
        CHECK_RC(doca_sync_event_task_get_set_conf(event, ok_cb##get_done, err_cb##get_done, num), \
                 want);                                                                            \
        CHECK_RC(doca_sync_event_task_notify_set_set_conf(event, ok_cb##notify_set_done,           \
                                                          err_cb##notify_set_done, num), want);    \
        CHECK_RC(doca_sync_event_task_notify_add_set_conf(event, ok_cb##notify_add_done,           \
                                                          err_cb##notify_add_done, num), want);    \
        CHECK_RC(doca_sync_event_task_wait_gt_set_conf(event, ok_cb##wait_gt_done,                 \
                                                       err_cb##wait_gt_done, num), want);          \
    } while (0)
    REFUSED_ALL(DOCA_ERROR_NOT_PERMITTED, event_, event_, 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NOT_IDLE);
    CHECK_OK(doca_ctx_stop(r.ctx));
    REFUSED_ALL(DOCA_ERROR_INVALID_VALUE, event_, event_, 0);
    REFUSED_ALL(DOCA_ERROR_INVALID_VALUE, event_, event_, 1u << 30);
    REFUSED_ALL(DOCA_SUCCESS, event_, event_, 1);
    REFUSED_ALL(DOCA_SUCCESS, event_, event_, (1u << 30) - 1);
    CHECK_RC(doca_sync_event_task_wait_eq_set_conf(event, wait_eq_ended, wait_eq_ended,
                                                   (1u << 30) - 1),
        DOCA_ERROR_INVALID_VALUE); /* all types together exceed 2^32 */
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_TOO_MANY_TASKS);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_sync_event_task_get_set_conf(event, NULL, event_get_done, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_notify_set_set_conf(event, event_notify_set_done, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_notify_add_set_conf(event, NULL, event_notify_add_done, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_wait_gt_set_conf(event, event_wait_gt_done, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    event = NULL;
    REFUSED_ALL(DOCA_ERROR_INVALID_VALUE, event_, event_, 1);
    event_close(&r);
    event = event_alone(dev, false);
    REFUSED_ALL(DOCA_ERROR_NOT_PERMITTED, event_, event_, 1);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

typedef doca_error_t (*cap_t)(const struct doca_devinfo *devinfo);

static const struct {
    cap_t cap;
    bool is_offered;
} caps[] = {
    { doca_sync_event_cap_is_create_from_export_supported, true },
    { doca_sync_event_cap_is_export_to_dpa_supported, false },
    { doca_sync_event_cap_is_export_to_dpu_supported, true },
    { doca_sync_event_cap_is_export_to_gpu_supported, false },
    { doca_sync_event_cap_is_export_to_remote_net_supported, true },
    { doca_sync_event_cap_remote_net_is_create_from_export_supported, true },
    { doca_sync_event_cap_remote_net_is_export_to_dpa_supported, false },
    { doca_sync_event_cap_remote_net_is_export_to_gpu_supported, false },
    { doca_sync_event_cap_task_get_is_supported, true },
    { doca_sync_event_cap_task_notify_add_is_supported, true },
    { doca_sync_event_cap_task_notify_set_is_supported, true },
    { doca_sync_event_cap_task_wait_gt_is_supported, true },
};

static void capabilities_follow_the_device(void)
{
    struct doca_core_dev_attr attr = { .pci_addr = "0000:0c:00.0" };
    struct doca_dev *dev = rig_open_dev(NULL), *poor;
    struct doca_sync_event *event, *import = NULL;
    struct doca_sync_event_remote_net *net = NULL;
    const uint8_t *data, *more;
    size_t i, sz, more_sz;

    CHECK_OK(doca_core_sw_set_devices(&attr, 1));
    poor = rig_open_dev(NULL);
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    for (i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
        CHECK_RC(caps[i].cap(doca_dev_as_devinfo(dev)),
                 caps[i].is_offered ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
        CHECK_RC(caps[i].cap(doca_dev_as_devinfo(poor)), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT);
        CHECK_RC(caps[i].cap(NULL), DOCA_ERROR_INVALID_VALUE);
    }
    event = event_make(poor, true);
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, poor)); /* as the subscriber */
    CHECK_RC(doca_sync_event_start(event), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT);
    CHECK_OK(doca_sync_event_destroy(event));
    event = event_make(poor, true);
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_export_to_dpu(event, poor, &data, &sz), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK_RC(doca_sync_event_create_from_export(poor, data, sz, &import),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_remote_net_create_from_export(poor, data, sz, &net),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &more, &more_sz));
    CHECK(more == data && more_sz == sz);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(poor));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- tasks ---- */

static void tasks_report_the_value(void)
{
    struct event_rig r;
    bool far;

    for (far = false;; far = true) {
        uint64_t was = 99, now = 99;

        event_open(&r, far);
        event_do(&r, event_add_task(&r, 5, &was));
        CHECK_EQ(was, 0);
        event_do(&r, event_add_task(&r, 2, &was));
        CHECK_EQ(was, 5);
        event_do(&r, event_get_task(&r, &now));
        CHECK_EQ(now, 7);
        event_do(&r, event_set_task(&r, 1ull << 40));
        event_do(&r, event_get_task(&r, &now));
        CHECK_EQ(now, 1ull << 40);
        event_close(&r);
        if (far)
            break;
    }
}

static void tasks_complete_in_the_order_of_submission(void)
{
    struct doca_task *tasks[3 * 4];
    uint64_t was[4], now[4];
    struct event_rig r;
    unsigned i;

    event_open(&r, false);
    for (i = 0; i < 4; i++) {
        tasks[3 * i] = event_set_task(&r, 100 * i);
        tasks[3 * i + 1] = event_add_task(&r, 10, &was[i]);
        tasks[3 * i + 2] = event_get_task(&r, &now[i]);
    }
    for (i = 0; i < 12; i++)
        CHECK_OK(doca_task_submit(tasks[i]));
    CHECK_EQ(rig_inflight(r.ctx), 12);
    for (i = 0; i < 12; i++) {
        CHECK_EQ(doca_pe_progress(r.pe), 1);
        CHECK_PTR(r.latest, tasks[i]);
    }
    CHECK_EQ(doca_pe_progress(r.pe), 0);
    for (i = 0; i < 4; i++) {
        CHECK_EQ(was[i], 100 * i);
        CHECK_EQ(now[i], 100 * i + 10);
    }
    for (i = 0; i < 12; i++)
        doca_task_free(tasks[i]);
    event_close(&r);
}

/* Hook that frees every completed task. */
static void free_task(struct event_rig *r, struct doca_task *task)
{
    (void)r;
    doca_task_free(task);
}

static void stop_and_drain(struct event_rig *r)
{
    doca_error_t rc = doca_ctx_stop(r->ctx);

    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    event_drain(r);
    CHECK_EQ(rig_state(r->ctx), DOCA_CTX_STATE_IDLE);
}

static void wait_task_completes_when_its_condition_holds(void)
{
    struct event_rig r;
    size_t i;

    for (i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        struct doca_task *wait;

        event_open(&r, false);
        r.on_task = free_task;
        wait = event_wait_task(&r, conditions[i].threshold, conditions[i].mask);
        CHECK_OK(doca_task_submit(wait));
        CHECK_EQ(event_drain(&r), 0);
        CHECK_OK(doca_task_submit(event_set_task(&r, conditions[i].value)));
        event_drain(&r);
        CHECK_EQ(r.num_ok, conditions[i].holds ? 2 : 1); /* the set task does not wait */
        CHECK_EQ(r.latest == wait, conditions[i].holds);
        stop_and_drain(&r);
        CHECK_EQ(r.num_failed, conditions[i].holds ? 0 : 1);
        CHECK_PTR(r.latest, wait);
        CHECK_RC(r.status, conditions[i].holds ? DOCA_SUCCESS : DOCA_ERROR_SHUTDOWN);
        event_close(&r);
    }
}

static void wait_tasks_complete_in_turn_as_the_value_rises(void)
{
    struct event_rig r;
    uint64_t was, i;

    event_open(&r, true);
    r.on_task = free_task;
    for (i = 0; i < EVENT_TASKS; i++) /* thresholds in a mixed order */
        CHECK_OK(doca_task_submit(event_wait_task(&r, i * 3 % EVENT_TASKS, ALL_BITS)));
    for (i = 0; i < EVENT_TASKS; i++) {
        CHECK_EQ(r.num_ok, 2 * i);
        CHECK_EQ(rig_inflight(r.ctx), EVENT_TASKS - i);
        CHECK_OK(doca_task_submit(event_add_task(&r, 1, &was)));
        event_drain(&r);
    }
    CHECK_EQ(r.num_ok, 2 * EVENT_TASKS);
    event_close(&r);
}

static void value_that_changed_back_is_read_again(void)
{
    struct event_rig r;

    event_open(&r, false);
    r.on_task = free_task;
    CHECK_OK(doca_task_submit(event_set_task(&r, 5)));
    CHECK_OK(doca_task_submit(event_wait_task(&r, 10, ALL_BITS)));
    event_drain(&r); /* the library has read 5, so the wait for 10 goes on */
    /* the condition of this task holds */
    CHECK_OK(doca_task_submit(event_wait_task(&r, 4, ALL_BITS)));
    event_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    CHECK_EQ(rig_inflight(r.ctx), 1);
    stop_and_drain(&r);
    event_close(&r);
}

/* Hook that submits the same task again, until todo is 0. */
static void submit_again(struct event_rig *r, struct doca_task *task)
{
    if (r->todo > 0) {
        r->todo--;
        CHECK_OK(doca_task_submit(task));
    } else {
        doca_task_free(task);
    }
}

static void waiting_and_other_tasks_do_not_starve_each_other(void)
{
    struct event_rig r;
    struct doca_task *wait, *set;
    unsigned num_waits = 0, i;

    event_open(&r, false);
    event_do(&r, event_set_task(&r, 1));
    r.on_task = submit_again;
    r.todo = 100;
    wait = event_wait_task(&r, 0, ALL_BITS);
    set = event_set_task(&r, 1);
    CHECK_OK(doca_task_submit(wait));
    CHECK_OK(doca_task_submit(set));
    for (i = 0; i < 50; i++) {
        CHECK_EQ(doca_pe_progress(r.pe), 1);
        num_waits += r.latest == wait;
    }
    CHECK(num_waits >= 20 && num_waits <= 30);
    event_drain(&r);
    event_close(&r);
}

static void wait_again(struct event_rig *r, struct doca_task *task)
{
    CHECK_PTR(r->latest, task);
    CHECK(r->todo > 0);
    r->todo--;
    CHECK_OK(doca_task_submit(task));
}

/* Wait tasks whose condition holds complete in the order of submission, even if each callback
 * submits its task again. */
static void wait_tasks_are_served_in_turn(void)
{
    struct doca_task *wait[EVENT_TASKS];
    struct event_rig r;
    unsigned i;

    event_open(&r, false);
    for (i = 0; i < EVENT_TASKS; i++) { /* the condition of the fourth task never holds */
        wait[i] = event_wait_task(&r, i == 3 ? 9 : 0, ALL_BITS);
        CHECK_OK(doca_task_submit(wait[i]));
    }
    event_do(&r, event_set_task(&r, 0));
    CHECK_EQ(r.num_ok, 1);
    CHECK_OK(doca_task_submit(event_set_task(&r, 1)));
    CHECK_EQ(doca_pe_progress(r.pe), 1);
    doca_task_free(r.latest);
    r.on_task = wait_again;
    r.todo = 20 * EVENT_TASKS;
    for (i = 0; i < 10 * EVENT_TASKS; i++) {
        if (i % EVENT_TASKS == 3)
            continue;
        CHECK_EQ(doca_pe_progress(r.pe), 1);
        CHECK_PTR(r.latest, wait[i % EVENT_TASKS]);
    }
    r.on_task = free_task;
    stop_and_drain(&r);
    CHECK_EQ(r.num_failed, EVENT_TASKS);
    event_close(&r);
}

static void graph_ended(struct doca_graph_instance *instance, union doca_data instance_data,
                        union doca_data graph_data)
{
    (void)instance;
    (void)instance_data;
    (void)graph_data;
}

/* While a task runs for a node, its parameters can be read but not changed. */
static void tasks_run_in_a_graph_and_can_be_read(void)
{
    struct doca_graph_instance *instance;
    struct doca_graph_node *node[4];
    struct doca_graph *graph;
    struct doca_task *task[4];
    uint64_t got = 0, was = 0;
    struct event_rig r;
    unsigned i;

    event_open(&r, false);
    task[0] = event_set_task(&r, 7);
    task[1] = event_add_task(&r, 5, &was);
    task[2] = event_get_task(&r, &got);
    task[3] = event_wait_task(&r, 11, 0xff);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &node[i]));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, node[i], task[i]));
    CHECK_OK(doca_graph_instance_submit(instance));
    CHECK_EQ(rig_inflight(r.ctx), 4);
    CHECK_EQ(doca_sync_event_task_notify_set_get_set_val((void *)task[0]), 7);
    CHECK_EQ(doca_sync_event_task_notify_add_get_inc_val((void *)task[1]), 5);
    CHECK_PTR(doca_sync_event_task_notify_add_get_fetched_val_ptr((void *)task[1]), &was);
    CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr((void *)task[2]), &got);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_wait_val((void *)task[3]), 11);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_mask((void *)task[3]), 0xff);
    doca_sync_event_task_notify_set_set_set_val((void *)task[0], 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_OWNED);
    event_drain(&r);
    CHECK_EQ(was, 7);
    CHECK_EQ(got, 12);
    CHECK_EQ(r.num_ok, 0); /* tasks of a graph have no callbacks */
    for (i = 0; i < 4; i++)
        doca_task_free(task[i]);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    event_close(&r);
}

static void task_without_a_result_pointer_is_refused(void)
{
    struct doca_sync_event_task_get *get;
    struct doca_sync_event_task_notify_add *add;
    struct event_rig r;
    uint64_t place = 9;

    event_open(&r, false);
    CHECK_OK(doca_sync_event_task_get_alloc_init(r.event, NULL, (union doca_data){ 0 }, &get));
    CHECK_OK(doca_sync_event_task_notify_add_alloc_init(r.event, 1, NULL, (union doca_data){ 0 },
                                                        &add));
    CHECK_RC(doca_task_submit(doca_sync_event_task_get_as_doca_task(get)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_try_submit(doca_sync_event_task_get_as_doca_task(get)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_submit(doca_sync_event_task_notify_add_as_doca_task(add)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_try_submit(doca_sync_event_task_notify_add_as_doca_task(add)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_BUFFER);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    doca_sync_event_task_get_set_ret_val_ptr(get, &place);
    CHECK_OK(doca_task_try_submit(doca_sync_event_task_get_as_doca_task(get)));
    event_drain(&r);
    CHECK_EQ(place, 0);
    doca_task_free(doca_sync_event_task_get_as_doca_task(get));
    doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));
    event_close(&r);
}

static void task_keeps_its_parameters_until_they_are_set(void)
{
    struct doca_sync_event_task_get *get;
    struct doca_sync_event_task_notify_set *set;
    struct doca_sync_event_task_notify_add *add;
    struct doca_sync_event_task_wait_gt *wait;
    union doca_data data = { .u64 = 77 };
    uint64_t a = 0, b = 0;
    struct event_rig r;

    event_open(&r, false);
    CHECK_OK(doca_sync_event_task_get_alloc_init(r.event, &a, data, &get));
    CHECK_OK(doca_sync_event_task_notify_set_alloc_init(r.event, 1, data, &set));
    CHECK_OK(doca_sync_event_task_notify_add_alloc_init(r.event, 2, &a, data, &add));
    CHECK_OK(doca_sync_event_task_wait_gt_alloc_init(r.event, 3, 4, data, &wait));
    CHECK_EQ(doca_task_get_user_data(doca_sync_event_task_wait_gt_as_doca_task(wait)).u64, 77);
    CHECK_PTR(doca_task_get_ctx(doca_sync_event_task_get_as_doca_task(get)), r.ctx);
    CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr(get), &a);
    CHECK_EQ(doca_sync_event_task_notify_set_get_set_val(set), 1);
    CHECK_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 2);
    CHECK_PTR(doca_sync_event_task_notify_add_get_fetched_val_ptr(add), &a);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_wait_val(wait), 3);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_mask(wait), 4);
    doca_sync_event_task_get_set_ret_val_ptr(get, &b);
    doca_sync_event_task_notify_set_set_set_val(set, 11);
    doca_sync_event_task_notify_add_set_inc_val(add, 12);
    doca_sync_event_task_notify_add_set_fetched_val_ptr(add, &b);
    doca_sync_event_task_wait_gt_set_wait_val(wait, 13);
    doca_sync_event_task_wait_gt_set_mask(wait, 0xff);
    CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr(get), &b);
    CHECK_EQ(doca_sync_event_task_notify_set_get_set_val(set), 11);
    CHECK_EQ(doca_sync_event_task_notify_add_get_inc_val(add), 12);
    CHECK_PTR(doca_sync_event_task_notify_add_get_fetched_val_ptr(add), &b);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_wait_val(wait), 13);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_mask(wait), 0xff);
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(wait)));
    doca_sync_event_task_wait_gt_set_mask(wait, 0); /* in flight, so no effect */
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_OWNED);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_mask(wait), 0xff);
    event_do(&r, doca_sync_event_task_notify_add_as_doca_task(add)); /* 12 does not end the wait */
    CHECK_EQ(b, 0);
    doca_sync_event_task_notify_set_set_set_val(set, 14);
    CHECK_OK(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(set)));
    event_drain(&r);
    CHECK_PTR(r.latest, doca_sync_event_task_wait_gt_as_doca_task(wait));
    if (DOCA_CORE_CHECK >= 1) { /* a handle of another type is refused */
        CHECK_EQ(doca_sync_event_task_wait_gt_get_mask((void *)set), 0);
        CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr((void *)set), NULL);
        CHECK_EQ(doca_sync_event_task_notify_set_get_set_val((void *)get), 0);
        doca_sync_event_task_notify_set_set_set_val((void *)get, 0);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEAD_HANDLE);
        CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr(get), &b);
    }
    doca_task_free(doca_sync_event_task_get_as_doca_task(get));
    doca_task_free(doca_sync_event_task_notify_set_as_doca_task(set));
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(wait));
    event_close(&r);
}

static void number_of_tasks_of_each_type_is_limited(void)
{
    struct doca_task *tasks[EVENT_TASKS];
    struct doca_sync_event_task_wait_gt *wait;
    struct doca_sync_event_task_get *get;
    struct event_rig r;
    unsigned i;

    event_open(&r, false);
    for (i = 0; i < EVENT_TASKS; i++)
        tasks[i] = event_wait_task(&r, 1, ALL_BITS);
    CHECK_RC(doca_sync_event_task_wait_gt_alloc_init(r.event, 1, 1, (union doca_data){ 0 }, &wait),
             DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_sync_event_task_get_alloc_init(r.event, NULL, (union doca_data){ 0 }, &get));
    CHECK_RC(doca_sync_event_destroy(r.event), DOCA_ERROR_IN_USE);
    doca_task_free(tasks[0]);
    tasks[0] = event_wait_task(&r, 1, ALL_BITS);
    for (i = 0; i < EVENT_TASKS; i++)
        doca_task_free(tasks[i]);
    doca_task_free(doca_sync_event_task_get_as_doca_task(get));
    event_close(&r);
}

static void context_starts_and_stops_without_a_device(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event;
    struct event_rig r;
    uint64_t now = 99;
    unsigned i;

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_dpu(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
    event_build_ctx(&r, dev, event);
    CHECK_OK(doca_dev_close(dev)); /* the event does not keep the device open */
    r.on_task = free_task;
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_ctx_start(r.ctx));
        CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_BAD_STATE);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
        CHECK_OK(doca_task_submit(event_get_task(&r, &now)));
        CHECK_OK(doca_task_submit(event_wait_task(&r, i, ALL_BITS)));
        CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
        event_drain(&r);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_RC(r.status, DOCA_ERROR_SHUTDOWN);
    }
    CHECK_EQ(r.num_failed, 6); /* stop flushes tasks that have not begun */
    CHECK_EQ(now, 99);
    event_start(&r);
    event_close_ctx(&r);
}

/* ---- notification ---- */

static void task_that_ends_a_wait_wakes_the_pe(void)
{
    struct doca_task *wait, *set;
    struct event_rig r;
    bool far;

    for (far = false;; far = true) {
        event_open(&r, far);
        wait = event_wait_task(&r, 1, ALL_BITS);
        set = event_set_task(&r, 2);
        CHECK(!event_is_readable(r.pe, 0));
        CHECK_OK(doca_task_submit(wait));
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK(!event_is_readable(r.pe, 0)); /* the task waits, so there is no work */
        CHECK_OK(doca_task_submit(set));
        CHECK(event_is_readable(r.pe, 0));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        CHECK(!event_is_readable(r.pe, 0));
        CHECK_EQ(event_drain(&r), 2);
        CHECK_PTR(r.latest, wait);
        CHECK_OK(doca_pe_request_notification(r.pe)); /* the condition holds already */
        CHECK_OK(doca_task_submit(wait));
        CHECK(event_is_readable(r.pe, 0));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        CHECK_EQ(event_drain(&r), 1);
        doca_task_free(wait);
        doca_task_free(set);
        event_close(&r);
        if (far)
            break;
    }
}

/* Export `event` to the DPU or, if its locations require that, to a remote network. */
static doca_error_t export_any(struct doca_sync_event *event, struct doca_dev *dev,
                               const uint8_t **data, size_t *sz)
{
    doca_error_t rc = doca_sync_event_export_to_dpu(event, dev, data, sz);

    return rc == DOCA_ERROR_NOT_PERMITTED ? doca_sync_event_export_to_remote_net(event, data, sz)
                                          : rc;
}

static struct doca_sync_event *import_of(struct doca_dev *dev, struct doca_sync_event *event)
{
    struct doca_sync_event *import;
    const uint8_t *data;
    size_t sz;

    CHECK_OK(export_any(event, dev, &data, &sz));
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
    return import;
}

static void *update_later(void *arg)
{
    usleep(20000);
    return doca_sync_event_update_set(arg, 7) == DOCA_SUCCESS ? NULL : arg;
}

static void update_of_a_shared_value_wakes_sleepers(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    struct doca_task *waits[2];
    struct event_rig r[2];
    pthread_t thread;
    void *failed;
    unsigned i, round;

    for (i = 0; i < 2; i++) {
        event_build_ctx(&r[i], dev, import_of(dev, event));
        event_start(&r[i]);
        waits[i] = event_wait_task(&r[i], 5, ALL_BITS);
    }
    for (round = 0; round < 2; round++) {
        CHECK_OK(doca_sync_event_update_set(event, 0));
        for (i = 0; i < 2; i++) {
            CHECK_OK(doca_task_submit(waits[i]));
            CHECK_OK(doca_pe_request_notification(r[i].pe));
            CHECK(!event_is_readable(r[i].pe, 0));
        }
        heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_create(&thread, NULL, update_later, event), 0);
        for (i = 0; i < 2; i++)
            CHECK(event_is_readable(r[i].pe, 5000));
        pthread_join(thread, &failed);
        heap_trap_set(HEAP_TRAP_ABORT);
        CHECK(failed == NULL);
        for (i = 0; i < 2; i++) {
            CHECK_OK(doca_pe_clear_notification(r[i].pe, 0));
            CHECK(!event_is_readable(r[i].pe, 0));
            CHECK_EQ(event_drain(&r[i]), 1);
            CHECK_OK(r[i].status);
        }
    }
    CHECK_OK(doca_sync_event_update_set(event, 8)); /* a PE that is not armed is not signalled */
    for (i = 0; i < 2; i++) {
        CHECK(!event_is_readable(r[i].pe, 0));
        doca_task_free(waits[i]);
        event_close_ctx(&r[i]);
    }
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

#if defined(__x86_64__)
enum { CROSSINGS = 5000 };

struct crossing {
    struct doca_sync_event *own, *other;
    uint64_t seen[CROSSINGS + 1];
    uint32_t *num_there;
    bool is_wrong;
};

static void *cross(void *arg)
{
    const bool is_one_cpu = sysconf(_SC_NPROCESSORS_ONLN) == 1;
    struct crossing *c = arg;
    uint32_t i;

    for (i = 1; i <= CROSSINGS; i++) {
        __atomic_fetch_add(c->num_there, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(c->num_there, __ATOMIC_SEQ_CST) < 2 * i)
            if (is_one_cpu)
                sched_yield();
        c->is_wrong = c->is_wrong || doca_sync_event_update_set(c->own, i) != DOCA_SUCCESS ||
                      doca_sync_event_get(c->other, &c->seen[i]) != DOCA_SUCCESS;
    }
    return NULL;
}
#endif

/* Each of two threads changes one value and then reads the value that the other thread changes. At
 * least one thread must see the change. Threads that sleep depend on this order. */
static void update_precedes_later_reads(void)
{
#if defined(__x86_64__)
    static struct crossing c[2];
    struct doca_dev *dev = rig_open_dev(NULL);
    uint32_t num_there = 0, i;
    pthread_t threads[2];

    memset(c, 0, sizeof(c));
    for (i = 0; i < 2; i++) {
        c[i].own = c[1 - i].other = event_alone(dev, true);
        c[i].num_there = &num_there;
    }
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < 2; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, cross, &c[i]), 0);
    for (i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    heap_trap_set(HEAP_TRAP_ABORT);
    for (i = 1; i <= CROSSINGS; i++)
        CHECK(c[0].seen[i] == i || c[1].seen[i] == i);
    for (i = 0; i < 2; i++) {
        CHECK(!c[i].is_wrong);
        CHECK_OK(doca_sync_event_destroy(c[i].own));
    }
    CHECK_OK(doca_dev_close(dev));
#else
    test_skip("doca_sync_event_get() is a barrier only on x86-64");
#endif
}

static void context_started_on_an_armed_pe_wakes_it(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    struct doca_task *wait, *other;
    struct event_rig r;

    event_build_ctx(&r, dev, import_of(dev, event));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_ctx_start(r.ctx));
    wait = event_wait_task(&r, 0, ALL_BITS);
    other = event_wait_task(&r, 0, ALL_BITS);
    CHECK_OK(doca_task_submit(wait));
    CHECK_OK(doca_task_submit(other));
    CHECK_EQ(OBJECT(event)->share.page->num_armed, 1);
    CHECK(!event_is_readable(r.pe, 0));
    CHECK_OK(doca_sync_event_update_set(event, 1));
    CHECK(event_is_readable(r.pe, 1000));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_OK(r.status);
    CHECK_EQ(r.num_ok, 2);
    doca_task_free(wait);
    doca_task_free(other);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_sync_event_update_set(event, 3)); /* no task waits for it */
    CHECK(!event_is_readable(r.pe, 0));
    CHECK_EQ(OBJECT(event)->share.page->num_armed, 0);
    CHECK_OK(doca_ctx_stop(r.ctx)); /* stopped while armed */
    CHECK_OK(doca_sync_event_update_set(event, 2));
    CHECK(!event_is_readable(r.pe, 0));
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* An update that ends no wait wakes the PE, too. When the program then arms again without clearing
 * the handle, it sleeps until the next update, also with an edge-triggered epoll. */
static void arming_again_clears_updates_that_ended_no_wait(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event edge;
    struct doca_task *wait;
    struct event_rig r;
    unsigned i;

    event_build_ctx(&r, dev, import_of(dev, event));
    event_start(&r);
    memset(&edge, 0, sizeof(edge));
    edge.events = EPOLLIN | EPOLLET;
    CHECK(!event_is_readable(r.pe, 0)); /* creates the handle */
    CHECK_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, r.pe->fd, &edge), 0);
    wait = event_wait_task(&r, 9, ALL_BITS);
    CHECK_OK(doca_task_submit(wait));
    for (i = 1; i < 10; i++) {
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK(!event_is_readable(r.pe, 0));
        CHECK_EQ(epoll_wait(epoll, &edge, 1, 0), 0);
        CHECK_OK(doca_sync_event_update_set(event, i));
        CHECK(event_is_readable(r.pe, 1000));
        CHECK_EQ(epoll_wait(epoll, &edge, 1, 1000), 1);
        CHECK_EQ(event_drain(&r), 0);
    }
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_sync_event_update_set(event, 10));
    CHECK_EQ(epoll_wait(epoll, &edge, 1, 1000), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    doca_task_free(wait);
    close(epoll);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- export and import ---- */

static void exports_need_the_locations_they_are_for(void)
{
    enum { CPU = 1, DPU = 2, NET = 4 };
    static const struct {
        int publisher, subscriber;
        bool dpu, net;
    } rows[] = {
        { CPU, CPU, false, false }, { CPU, DPU, true, false }, { DPU, CPU, true, false },
        { DPU, DPU, true, false },  { NET, CPU, false, true }, { NET, DPU, false, true },
    };
    struct doca_dev *dev = rig_open_dev(NULL);
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint8_t *data = NULL;
        struct doca_sync_event *event;
        size_t sz = 0;

        CHECK_OK(doca_sync_event_create(&event));
        if (rows[i].publisher == CPU)
            CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
        else if (rows[i].publisher == DPU)
            CHECK_OK(doca_sync_event_add_publisher_location_dpu(event));
        else
            CHECK_OK(doca_sync_event_add_publisher_location_remote_net(event));
        if (rows[i].subscriber == CPU)
            CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
        else
            CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
        CHECK_RC(doca_sync_event_export_to_dpu(event, dev, &data, &sz), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_sync_event_export_to_remote_net(event, &data, &sz), DOCA_ERROR_BAD_STATE);
        CHECK_OK(doca_sync_event_start(event));
        CHECK_RC(doca_sync_event_export_to_dpu(event, dev, &data, &sz),
                 rows[i].dpu ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_sync_event_export_to_remote_net(event, &data, &sz),
                 rows[i].net ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);
        CHECK_EQ(sz > 0, rows[i].dpu || rows[i].net);
        CHECK_OK(doca_sync_event_destroy(event));
    }
    CHECK_OK(doca_dev_close(dev));
}

static void import_shares_only_the_value(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *a, *b;
    const uint8_t *data;
    uint64_t was;
    size_t sz;

    CHECK_OK(doca_sync_event_update_set(event, 3));
    a = import_of(dev, event);
    b = import_of(dev, event);
    CHECK_RC(doca_sync_event_get(a, &was), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sync_event_add_publisher_location_cpu(a, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_add_publisher_location_dpu(a), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_add_publisher_location_remote_net(a), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_add_subscriber_location_cpu(a, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_add_subscriber_location_dpu(a), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_set_addr(a, &was), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_sync_event_start(a));
    CHECK_OK(doca_sync_event_start(b));
    CHECK_RC(doca_sync_event_export_to_dpu(a, dev, &data, &sz), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_export_to_remote_net(a, &data, &sz), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_IMPORTED);
    CHECK_EQ(event_value(a), 3);
    CHECK_OK(doca_sync_event_update_add(a, 4, &was));
    CHECK_EQ(was, 3);
    CHECK_EQ(event_value(event), 7);
    CHECK_EQ(event_value(b), 7);
    CHECK_OK(doca_sync_event_update_set(event, 100));
    CHECK_OK(doca_sync_event_wait_gt(a, 99, ALL_BITS));
    CHECK_OK(doca_sync_event_wait_gt_yield(b, 99, ALL_BITS));
    CHECK_OK(doca_sync_event_stop(a));
    CHECK_OK(doca_sync_event_start(a)); /* an import keeps the exporter's value */
    CHECK_EQ(event_value(a), 100);
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_sync_event_destroy(a));
    CHECK_OK(doca_sync_event_update_set(b, 5));
    CHECK_EQ(event_value(event), 5);
    CHECK_OK(doca_sync_event_destroy(b));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void remote_handle_works_on_the_value(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_net(dev), *wrong = NULL;
    struct doca_sync_event_remote_net *net;
    doca_dpa_dev_sync_event_remote_net_t dpa_handle;
    doca_gpu_dev_sync_event_remote_net_t gpu_handle;
    const uint8_t *data;
    uint64_t value = 0;
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &sz));
    CHECK_RC(doca_sync_event_create_from_export(dev, data, sz, &wrong), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_KIND);
    CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, data, sz, &net));
    CHECK_OK(doca_core_sync_event_remote_net_update_set(net, 10));
    CHECK_OK(doca_sync_event_wait_gt(event, 9, ALL_BITS));
    CHECK_OK(doca_sync_event_update_add(event, 1, &value));
    CHECK_OK(doca_core_sync_event_remote_net_get(net, &value));
    CHECK_EQ(value, 11);
    CHECK_OK(doca_core_sync_event_remote_net_update_add(net, 2, &value));
    CHECK_EQ(value, 11);
    CHECK_EQ(event_value(event), 13);
    CHECK_OK(doca_core_sync_event_remote_net_wait_gt(net, 12, ALL_BITS));
    CHECK_RC(doca_sync_event_remote_net_export_to_dpa(net, (struct doca_dpa *)(void *)&value,
                                                      &dpa_handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_remote_net_export_to_gpu(net, (struct doca_gpu *)(void *)&value,
                                                      &gpu_handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_sync_event_stop(event));
    CHECK_RC(doca_core_sync_event_remote_net_update_set(net, 1), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_core_sync_event_remote_net_update_add(net, 1, &value),
             DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_core_sync_event_remote_net_wait_gt(net, 13, ALL_BITS),
             DOCA_ERROR_CONNECTION_RESET);
    CHECK_OK(doca_core_sync_event_remote_net_get(net, &value));
    CHECK_EQ(value, 13);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void stopped_exporter_resets_its_importers(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *alone, *fresh = NULL;
    struct doca_task *waits[3], *set, *get;
    uint8_t old[256];
    const uint8_t *data;
    uint64_t was = 9, now = 0;
    struct event_rig r;
    size_t sz, i;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK(sz <= sizeof(old));
    memcpy(old, data, sz);
    alone = import_of(dev, event);
    CHECK_OK(doca_sync_event_start(alone));
    event_build_ctx(&r, dev, import_of(dev, event));
    event_start(&r);
    for (i = 0; i < 3; i++)
        waits[i] = event_wait_task(&r, 10 * i, ALL_BITS);
    set = event_set_task(&r, 100);
    get = event_get_task(&r, &now);
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_task_submit(waits[i]));
    event_drain(&r);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_sync_event_update_set(event, 15)); /* ends the first two waits */
    CHECK_OK(doca_sync_event_stop(event));
    CHECK(event_is_readable(r.pe, 0));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_EQ(r.num_ok, 2); /* the update before the stop ends the waits */
    CHECK_EQ(r.num_failed, 1);
    CHECK_RC(doca_task_get_status(waits[2]), DOCA_ERROR_CONNECTION_RESET);
    /* a failed task does not stop this context */
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_OK(doca_task_submit(set));
    event_drain(&r);
    CHECK_RC(r.status, DOCA_ERROR_CONNECTION_RESET);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
    CHECK_OK(doca_task_submit(get));
    event_drain(&r);
    CHECK_OK(r.status);
    CHECK_EQ(now, 15);
    CHECK_OK(doca_pe_request_notification(r.pe)); /* a wait for a stopped exporter fails at once */
    CHECK_OK(doca_task_submit(waits[2]));
    CHECK(event_is_readable(r.pe, 0));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    event_drain(&r);
    CHECK_RC(r.status, DOCA_ERROR_CONNECTION_RESET);

    CHECK_EQ(event_value(alone), 15);
    CHECK_RC(doca_sync_event_update_set(alone, 1), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_sync_event_update_add(alone, 1, &was), DOCA_ERROR_CONNECTION_RESET);
    CHECK_EQ(was, 9);
    CHECK_OK(doca_sync_event_wait_gt(alone, 14, ALL_BITS));
    CHECK_RC(doca_sync_event_wait_gt(alone, 15, ALL_BITS), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_sync_event_wait_gt_yield(alone, 15, ALL_BITS), DOCA_ERROR_CONNECTION_RESET);

    CHECK_OK(doca_sync_event_start(event)); /* a new value; old imports do not see it */
    CHECK_EQ(event_value(event), 0);
    CHECK_RC(doca_sync_event_update_set(alone, 1), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_sync_event_create_from_export(dev, old, sz, &fresh), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
    fresh = import_of(dev, event);
    CHECK_OK(doca_sync_event_start(fresh));
    CHECK_OK(doca_sync_event_update_set(fresh, 2));
    CHECK_EQ(event_value(event), 2);
    CHECK_EQ(event_value(alone), 15);
    CHECK_OK(doca_sync_event_destroy(event)); /* destroying the event stops it */
    CHECK_RC(doca_sync_event_update_set(fresh, 3), DOCA_ERROR_CONNECTION_RESET);
    for (i = 0; i < 3; i++)
        doca_task_free(waits[i]);
    doca_task_free(set);
    doca_task_free(get);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(fresh));
    CHECK_OK(doca_sync_event_destroy(alone));
    CHECK_OK(doca_dev_close(dev));
}

static void only_complete_descriptors_are_accepted(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *import = NULL;
    int fd = event_free_fd();
    const uint8_t *data;
    uint8_t copy[512];
    size_t sz, i;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK(sz < sizeof(copy));
    for (i = 0; i < sz; i++) {
        uint8_t *cut = copy + sizeof(copy) - i; /* sanitizers detect reads beyond the end */

        memcpy(cut, data, i);
        CHECK_RC(doca_sync_event_create_from_export(dev, cut, i, &import),
                 DOCA_ERROR_INVALID_VALUE);
    }
    memset(copy, 0, sizeof(copy));
    memcpy(copy, data, sz);
    for (i = sz + 1; i < sizeof(copy); i += 17)
        CHECK_RC(doca_sync_event_create_from_export(dev, copy, i, &import),
                 DOCA_ERROR_INVALID_VALUE);
    for (i = 0; i < 8 * sz; i++) {
        copy[i / 8] ^= (uint8_t)(1u << i % 8);
        CHECK_RC(doca_sync_event_create_from_export(dev, copy, sz, &import),
                 DOCA_ERROR_INVALID_VALUE);
        copy[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    for (i = 0; i < 2000; i++) {
        size_t len = rig_random(sizeof(copy)), n;

        for (n = 0; n < len; n++)
            copy[n] = (uint8_t)rig_random(256);
        if (i % 2 == 0)
            memcpy(copy, data, len < 16 ? len : 16); /* the first bytes are correct */
        CHECK_RC(doca_sync_event_create_from_export(dev, copy, len, &import),
                 DOCA_ERROR_INVALID_VALUE);
    }
    CHECK(import == NULL);
    CHECK_EQ(event_free_fd(), fd);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* After the next start the page has the same file descriptor number as the page before. A
 * descriptor of the earlier start must not work. */
static void descriptor_is_valid_for_one_start_only(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *import = NULL;
    const uint8_t *data;
    uint8_t desc[256];
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    memcpy(desc, data, sz);
    CHECK_OK(doca_sync_event_stop(event));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_create_from_export(dev, desc, sz, &import), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
    CHECK(import == NULL);
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK(memcmp(desc, data, sz) != 0);
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* At the time of the import, the file descriptor number of the page may belong to another file. */
static void other_files_are_not_mistaken_for_the_page(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event, *import = NULL;
    uint8_t desc[256];
    const uint8_t *data;
    int fd, file, i;
    size_t sz;

    for (i = 0; i < 5; i++) {
        fd = event_free_fd();
        event = event_alone(dev, true);
        CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
        memcpy(desc, data, sz);
        CHECK_OK(doca_sync_event_destroy(event));
        while ((file = i == 0   ? open("/dev/null", O_RDWR)
                       : i == 1 ? memfd_create("doca_core_page", 0)
                       : i == 2 ? open("/proc/self/exe", O_RDONLY)
                       : i == 3 ? open("/", O_RDONLY) /* a file with a short name */
                                : eventfd(0, 0)) < fd + 3)
            CHECK(file >= 0);
        CHECK_RC(doca_sync_event_create_from_export(dev, desc, sz, &import),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_GONE);
        for (; file >= fd; file--)
            close(file);
    }
    CHECK(import == NULL);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- resources ---- */

static void destroy_frees_memory_and_descriptors(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event_remote_net *net;
    struct doca_sync_event *event, *import;
    int fd = event_free_fd(), i;
    const uint8_t *data;
    struct event_rig r;
    size_t sz;

    for (i = 0; i < 50; i++) {
        event = event_alone(dev, true);
        import = import_of(dev, event);
        CHECK_OK(doca_sync_event_destroy(event));
        CHECK_OK(doca_sync_event_destroy(import));
        event_build_ctx(&r, dev, event_make(dev, true));
        event_start(&r);
        CHECK(!event_is_readable(r.pe, 0));
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_OK(doca_sync_event_destroy(r.event)); /* while it is running and armed */
        CHECK_OK(doca_pe_destroy(r.pe));
        event = event_net(dev);
        CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &sz));
        CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, data, sz, &net));
        CHECK_OK(doca_sync_event_remote_net_destroy(net));
        CHECK_OK(doca_sync_event_destroy(event));
        CHECK_EQ(event_free_fd(), fd);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* With fewer and fewer free descriptors, each step fails at least once. A failed step leaves no
 * memory or descriptor in use. */
static void lack_of_descriptors_is_an_ordinary_error(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *import;
    struct rlimit old, few;
    const uint8_t *data;
    struct event_rig r;
    int fd = event_free_fd();
    unsigned failures[3] = { 0, 0, 0 }, room;
    doca_error_t rc;
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    event_build_ctx(&r, dev, event_make(dev, true));
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
    few = old;
    for (room = 0; room < 6; room++) {
        few.rlim_cur = (rlim_t)fd + room;
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
        rc = doca_sync_event_create_from_export(dev, data, sz, &import);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_OPERATING_SYSTEM);
        if (room == 0) /* the library cannot even read the id of this machine */
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_SYSTEM);
        failures[0] += rc != DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS)
            CHECK_OK(doca_sync_event_destroy(import));
        rc = doca_ctx_start(r.ctx);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_OPERATING_SYSTEM);
        failures[1] += rc != DOCA_SUCCESS;
        if (rc != DOCA_SUCCESS)
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_SYSTEM);
        CHECK_OK(doca_ctx_stop(r.ctx));
        rc = doca_sync_event_stop(event);
        CHECK_OK(rc);
        rc = doca_sync_event_start(event); /* one descriptor is free */
        failures[2] += rc != DOCA_SUCCESS;
        setrlimit(RLIMIT_NOFILE, &old);
        if (rc != DOCA_SUCCESS)
            CHECK_OK(doca_sync_event_start(event));
        CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
        CHECK_EQ(event_free_fd(), fd);
    }
    CHECK(failures[0] > 0 && failures[0] < 6);
    CHECK(failures[1] >= failures[0] && failures[1] < 6);
    CHECK(failures[2] > 0 && failures[2] < 6);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* When RLIMIT_FSIZE forbids writing files, the call fails and the process gets no SIGXFSZ. */
static void limit_of_file_sizes_is_an_ordinary_error(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *another = event_make(dev, true);
    struct doca_sync_event *import = NULL;
    struct rlimit old, small;
    doca_error_t started, imported;
    const uint8_t *data;
    size_t sz;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    for (small.rlim_cur = 0; small.rlim_cur <= 4096; small.rlim_cur += 2048) {
        doca_core_log_set_level(DOCA_CORE_LOG_DISABLE); /* the log may go to a file */
        CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
        started = doca_sync_event_start(another);
        imported = doca_sync_event_create_from_export(dev, data, sz, &import);
        CHECK_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
        doca_core_log_set_level(DOCA_CORE_LOG_WARNING);
        CHECK_RC(started, small.rlim_cur < 4096 ? DOCA_ERROR_OPERATING_SYSTEM : DOCA_SUCCESS);
        CHECK_RC(imported, started);
    }
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_sync_event_destroy(another));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* Export an event in a thread. If the thread has its own descriptor table, the page of the event
 * has the same descriptor number as another page in the first thread. */
static void *export_in_thread(void *is_apart)
{
    struct doca_sync_event *event;
    struct doca_dev *dev;
    int fd;

    if (unshare(CLONE_FILES) != 0)
        return NULL;
    *(bool *)is_apart = true;
    for (fd = 3; fd < 256; fd++)
        close(fd);
    dev = rig_open_dev(NULL);
    event = event_alone(dev, true);
    CHECK_OK(doca_sync_event_update_set(event, 77));
    CHECK_EQ(event_value(event), 77);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
    return NULL;
}

static void threads_may_have_their_own_descriptor_tables(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *events[8], *import;
    bool is_apart = false;
    const uint8_t *data;
    pthread_t thread;
    unsigned i;
    size_t sz;

    for (i = 0; i < 8; i++) {
        events[i] = event_alone(dev, true);
        CHECK_OK(doca_sync_event_update_set(events[i], 5));
        CHECK_OK(doca_sync_event_export_to_dpu(events[i], dev, &data, &sz));
    }
    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&thread, NULL, export_in_thread, &is_apart), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    for (i = 0; i < 8; i++) {
        CHECK_EQ(event_value(events[i]), 5);
        CHECK_OK(doca_sync_event_export_to_dpu(events[i], dev, &data, &sz));
        CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
        CHECK_OK(doca_sync_event_destroy(import));
        CHECK_OK(doca_sync_event_destroy(events[i]));
    }
    CHECK_OK(doca_dev_close(dev));
    if (!is_apart)
        test_skip("this system does not permit separate descriptor tables");
}

/* The library must not remember a failure for lack of descriptors when the program exports
 * again. */
static void export_without_descriptors_can_be_tried_again(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *import = NULL;
    struct rlimit old, few;
    const uint8_t *data = NULL;
    size_t sz = 0;

    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
    few = old;
    few.rlim_cur = (rlim_t)event_free_fd();
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    CHECK_RC(doca_sync_event_export_to_dpu(event, dev, &data, &sz), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_SYSTEM);
    CHECK(data == NULL && sz == 0);
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* A context without wait tasks needs no descriptors to watch the value. */
static void context_without_waits_opens_no_descriptor(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true);
    struct doca_sync_event_task_get *get;
    struct event_rig r;
    uint64_t value = 0;
    int fd;

    memset(&r, 0, sizeof(r));
    r.dev = dev;
    r.event = import_of(dev, event);
    r.ctx = doca_sync_event_as_ctx(r.event);
    CHECK_OK(doca_pe_create(&r.pe));
    CHECK_OK(doca_sync_event_task_get_set_conf(r.event, event_get_done, event_get_done, 1));
    CHECK_OK(doca_ctx_set_user_data(r.ctx, (union doca_data){ .ptr = &r }));
    CHECK_OK(doca_pe_connect_ctx(r.pe, r.ctx));
    fd = event_free_fd();
    event_start(&r);
    CHECK_EQ(event_free_fd(), fd);
    CHECK_OK(doca_sync_event_update_set(event, 9));
    CHECK_OK(doca_sync_event_task_get_alloc_init(r.event, &value, (union doca_data){ 0 }, &get));
    event_do(&r, doca_sync_event_task_get_as_doca_task(get));
    CHECK_EQ(value, 9);
    event_close_ctx(&r);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

/* An import that fails because the arena is exhausted closes the descriptors that it has opened. */
static void failed_import_closes_its_descriptors(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[16 * DOCA_CORE_BYTES_SYNC_EVENT_REMOTE_NET(1)];
    struct doca_sync_event_remote_net *nets[17];
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_net(dev);
    struct doca_core_arena arena;
    const uint8_t *data;
    size_t sz, used;
    unsigned num;
    int fd;

    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &sz));
    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    for (num = 0; num < 16; num++)
        CHECK_OK(doca_core_sync_event_remote_net_create_from_export_in(&arena, dev, data, sz,
                                                                       &nets[num]));
    fd = event_free_fd();
    nets[16] = NULL;
    CHECK_RC(doca_core_sync_event_remote_net_create_from_export_in(&arena, dev, data, sz,
                                                                   &nets[16]),
             DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(nets[16], NULL);
    CHECK_EQ(event_free_fd(), fd);
    while (num-- > 0)
        CHECK_OK(doca_sync_event_remote_net_destroy(nets[num]));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void lack_of_memory_is_an_ordinary_error(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[8192];
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *net_event = event_net(dev);
    struct doca_sync_event *made, *import;
    struct doca_sync_event_remote_net *net;
    int fd = event_free_fd();
    const uint8_t *data, *net_data;
    size_t sz, net_sz, lines, used, failures = 0;

    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &data, &sz));
    CHECK_OK(doca_sync_event_export_to_remote_net(net_event, &net_data, &net_sz));
    for (lines = 2; lines < sizeof(mem) / DOCA_CORE_LINE; lines++) {
        doca_error_t rc[4] = { 0, 0, 0, 0 };
        struct doca_core_arena arena;
        struct event_rig r;

        CHECK_OK(doca_core_arena_init(&arena, mem, lines * DOCA_CORE_LINE));
        rc[0] = doca_core_sync_event_create_from_export_in(&arena, dev, data, sz, &import);
        if (rc[0] == DOCA_SUCCESS)
            CHECK_OK(doca_sync_event_destroy(import));
        rc[1] = doca_core_sync_event_remote_net_create_from_export_in(&arena, dev, net_data,
                                                                      net_sz, &net);
        if (rc[1] == DOCA_SUCCESS)
            CHECK_OK(doca_sync_event_remote_net_destroy(net));
        rc[2] = doca_core_sync_event_create_in(&arena, &made);
        if (rc[2] == DOCA_SUCCESS) {
            CHECK_OK(doca_sync_event_add_publisher_location_dpu(made));
            CHECK_OK(doca_sync_event_add_subscriber_location_dpu(made));
            event_build_ctx(&r, dev, made);
            rc[3] = doca_ctx_start(r.ctx);
            CHECK_OK(doca_sync_event_destroy(made));
            CHECK_OK(doca_pe_destroy(r.pe));
        }
        for (used = 0; used < 4; used++) {
            CHECK(rc[used] == DOCA_SUCCESS || rc[used] == DOCA_ERROR_NO_MEMORY);
            failures += rc[used] != DOCA_SUCCESS;
        }
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
        CHECK_EQ(event_free_fd(), fd);
    }
    CHECK(failures > 4);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_sync_event_destroy(net_event));
    CHECK_OK(doca_dev_close(dev));
}

static void event_takes_the_documented_bytes(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[65536];
    static const uint32_t nums[][4] = { { 1, 0, 0, 0 }, { 0, 0, 0, 3 }, { 2, 7, 1, 30 } };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event;
    struct doca_core_arena arena;
    struct doca_pe *pe;
    size_t i, used, bytes;

    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    CHECK_OK(doca_core_sync_event_create_in(&arena, &event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, DOCA_CORE_BYTES_SYNC_EVENT(0));
    CHECK_OK(doca_core_bytes_sync_event(0, &bytes));
    CHECK_EQ(bytes, used);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_core_bytes_sync_event_remote_net(&bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_SYNC_EVENT_REMOTE_NET(1));
    CHECK_OK(doca_pe_create(&pe));
    for (i = 0; i < sizeof(nums) / sizeof(nums[0]); i++) {
        uint32_t num = nums[i][0] + nums[i][1] + nums[i][2] + nums[i][3];

        CHECK_OK(doca_core_sync_event_create_in(&arena, &event));
        CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
        CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
        CHECK_OK(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(event)));
        if (nums[i][0] > 0)
            CHECK_OK(doca_sync_event_task_get_set_conf(event, event_get_done, event_get_done,
                                                       nums[i][0]));
        if (nums[i][1] > 0)
            CHECK_OK(doca_sync_event_task_notify_set_set_conf(event, event_notify_set_done,
                                                              event_notify_set_done, nums[i][1]));
        if (nums[i][2] > 0)
            CHECK_OK(doca_sync_event_task_notify_add_set_conf(event, event_notify_add_done,
                                                              event_notify_add_done, nums[i][2]));
        if (nums[i][3] > 0)
            CHECK_OK(doca_sync_event_task_wait_gt_set_conf(event, event_wait_gt_done,
                                                           event_wait_gt_done, nums[i][3]));
        CHECK_OK(doca_ctx_start(doca_sync_event_as_ctx(event)));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_OK(doca_core_bytes_sync_event(num, &bytes));
        CHECK_EQ(bytes, DOCA_CORE_BYTES_SYNC_EVENT(num));
        CHECK(DOCA_CORE_CHECK >= 2 ? used <= bytes : used == bytes);
        CHECK_OK(doca_sync_event_destroy(event));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
    }
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- arguments ---- */

#define REFUSED(call) CHECK_RC(call, DOCA_ERROR_INVALID_VALUE)

static void wrong_arguments_are_refused(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_alone(dev, true), *none = NULL;
    struct doca_sync_event_remote_net *no_net = NULL;
    struct doca_sync_event_task_get *get = NULL;
    struct doca_sync_event_task_notify_set *set = NULL;
    struct doca_sync_event_task_notify_add *add = NULL;
    struct doca_sync_event_task_wait_gt *wait = NULL;
    struct doca_dpa *dpa = (struct doca_dpa *)(void *)dev; /* only compared with NULL */
    struct doca_gpu *gpu = (struct doca_gpu *)(void *)dev;
    doca_dpa_dev_sync_event_t dpa_handle;
    doca_gpu_dev_sync_event_t *gpu_handle;
    union doca_data data = { 0 };
    const uint8_t *desc;
    uint64_t value;
    size_t sz;

    REFUSED(doca_sync_event_create(NULL));
    REFUSED(doca_core_sync_event_create_in(NULL, &none));
    REFUSED(doca_sync_event_destroy(NULL));
    REFUSED(doca_sync_event_start(NULL));
    REFUSED(doca_sync_event_stop(NULL));
    CHECK_PTR(doca_sync_event_as_ctx(NULL), NULL);
    REFUSED(doca_sync_event_add_publisher_location_cpu(NULL, dev));
    REFUSED(doca_sync_event_add_publisher_location_cpu(event, NULL));
    REFUSED(doca_sync_event_add_publisher_location_dpu(NULL));
    REFUSED(doca_sync_event_add_publisher_location_remote_net(NULL));
    REFUSED(doca_sync_event_add_subscriber_location_cpu(NULL, dev));
    REFUSED(doca_sync_event_add_subscriber_location_cpu(event, NULL));
    REFUSED(doca_sync_event_add_subscriber_location_dpu(NULL));
    REFUSED(doca_sync_event_add_publisher_location_dpa(NULL, dpa));
    REFUSED(doca_sync_event_add_publisher_location_dpa(event, NULL));
    REFUSED(doca_sync_event_add_publisher_location_gpu(event, NULL));
    REFUSED(doca_sync_event_add_subscriber_location_dpa(event, NULL));
    REFUSED(doca_sync_event_add_subscriber_location_gpu(NULL, gpu));
    CHECK_RC(doca_sync_event_add_publisher_location_dpa(event, dpa), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_add_publisher_location_gpu(event, gpu), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_add_subscriber_location_dpa(event, dpa), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_add_subscriber_location_gpu(event, gpu), DOCA_ERROR_NOT_SUPPORTED);
    REFUSED(doca_sync_event_set_addr(NULL, &value));
    REFUSED(doca_sync_event_get(NULL, &value));
    REFUSED(doca_sync_event_get(event, NULL));
    REFUSED(doca_sync_event_update_set(NULL, 1));
    REFUSED(doca_sync_event_update_add(NULL, 1, &value));
    REFUSED(doca_sync_event_update_add(event, 1, NULL));
    CHECK_EQ(event_value(event), 0);
    REFUSED(doca_sync_event_wait_gt(NULL, 1, 1));
    REFUSED(doca_sync_event_wait_gt_yield(NULL, 1, 1));
    REFUSED(doca_sync_event_export_to_dpu(NULL, dev, &desc, &sz));
    REFUSED(doca_sync_event_export_to_dpu(event, NULL, &desc, &sz));
    REFUSED(doca_sync_event_export_to_dpu(event, dev, NULL, &sz));
    REFUSED(doca_sync_event_export_to_dpu(event, dev, &desc, NULL));
    REFUSED(doca_sync_event_export_to_remote_net(NULL, &desc, &sz));
    REFUSED(doca_sync_event_export_to_remote_net(event, NULL, &sz));
    REFUSED(doca_sync_event_export_to_remote_net(event, &desc, NULL));
    REFUSED(doca_sync_event_export_to_dpa(event, NULL, &dpa_handle));
    REFUSED(doca_sync_event_export_to_dpa(event, dpa, NULL));
    REFUSED(doca_sync_event_export_to_gpu(NULL, gpu, &gpu_handle));
    REFUSED(doca_sync_event_export_to_gpu(event, gpu, NULL));
    CHECK_RC(doca_sync_event_export_to_dpa(event, dpa, &dpa_handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_export_to_gpu(event, gpu, &gpu_handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &desc, &sz));
    REFUSED(doca_sync_event_create_from_export(NULL, desc, sz, &none));
    REFUSED(doca_sync_event_create_from_export(dev, NULL, sz, &none));
    REFUSED(doca_sync_event_create_from_export(dev, desc, 0, &none));
    REFUSED(doca_sync_event_create_from_export(dev, desc, sz, NULL));
    REFUSED(doca_core_sync_event_create_from_export_in(NULL, dev, desc, sz, &none));
    REFUSED(doca_sync_event_remote_net_create_from_export(NULL, desc, sz, &no_net));
    REFUSED(doca_sync_event_remote_net_create_from_export(dev, NULL, sz, &no_net));
    REFUSED(doca_sync_event_remote_net_create_from_export(dev, desc, sz, NULL));
    /* the descriptor is for a DPU */
    REFUSED(doca_sync_event_remote_net_create_from_export(dev, desc, sz, &no_net));
    REFUSED(doca_core_sync_event_remote_net_create_from_export_in(NULL, dev, desc, sz, &no_net));
    REFUSED(doca_sync_event_remote_net_destroy(NULL));
    REFUSED(doca_sync_event_remote_net_export_to_dpa(NULL, dpa, &dpa_handle));
    REFUSED(doca_sync_event_remote_net_export_to_gpu(NULL, gpu, &dpa_handle));
    REFUSED(doca_core_sync_event_remote_net_get(NULL, &value));
    REFUSED(doca_core_sync_event_remote_net_update_set(NULL, 1));
    REFUSED(doca_core_sync_event_remote_net_update_add(NULL, 1, &value));
    REFUSED(doca_core_sync_event_remote_net_wait_gt(NULL, 1, 1));
    REFUSED(doca_core_bytes_sync_event(0, NULL));
    REFUSED(doca_core_bytes_sync_event(1, NULL));
    REFUSED(doca_core_bytes_sync_event_remote_net(NULL));
    REFUSED(doca_sync_event_task_get_alloc_init(NULL, &value, data, &get));
    REFUSED(doca_sync_event_task_get_alloc_init(event, &value, data, NULL));
    REFUSED(doca_sync_event_task_notify_set_alloc_init(NULL, 1, data, &set));
    REFUSED(doca_sync_event_task_notify_set_alloc_init(event, 1, data, NULL));
    REFUSED(doca_sync_event_task_notify_add_alloc_init(NULL, 1, &value, data, &add));
    REFUSED(doca_sync_event_task_notify_add_alloc_init(event, 1, &value, data, NULL));
    REFUSED(doca_sync_event_task_wait_gt_alloc_init(NULL, 1, 1, data, &wait));
    REFUSED(doca_sync_event_task_wait_gt_alloc_init(event, 1, 1, data, NULL));
    CHECK(get == NULL && set == NULL && add == NULL && wait == NULL);
    CHECK(none == NULL && no_net == NULL);
    CHECK_PTR(doca_sync_event_task_get_as_doca_task(NULL), NULL);
    CHECK_PTR(doca_sync_event_task_notify_set_as_doca_task(NULL), NULL);
    CHECK_PTR(doca_sync_event_task_notify_add_as_doca_task(NULL), NULL);
    CHECK_PTR(doca_sync_event_task_wait_gt_as_doca_task(NULL), NULL);
    CHECK_PTR(doca_sync_event_task_get_get_ret_val_ptr(NULL), NULL);
    CHECK_EQ(doca_sync_event_task_notify_set_get_set_val(NULL), 0);
    CHECK_EQ(doca_sync_event_task_notify_add_get_inc_val(NULL), 0);
    CHECK_PTR(doca_sync_event_task_notify_add_get_fetched_val_ptr(NULL), NULL);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_wait_val(NULL), 0);
    CHECK_EQ(doca_sync_event_task_wait_gt_get_mask(NULL), 0);
    doca_sync_event_task_get_set_ret_val_ptr(NULL, &value);
    doca_sync_event_task_notify_set_set_set_val(NULL, 1);
    doca_sync_event_task_notify_add_set_inc_val(NULL, 1);
    doca_sync_event_task_notify_add_set_fetched_val_ptr(NULL, &value);
    doca_sync_event_task_wait_gt_set_wait_val(NULL, 1);
    doca_sync_event_task_wait_gt_set_mask(NULL, 1);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void stale_and_foreign_handles_are_refused(void)
{
    struct doca_dev *dev;
    struct doca_sync_event *event;
    struct doca_sync_event_remote_net *net;
    const uint8_t *desc;
    struct event_rig r;
    uint64_t value;
    size_t sz;

    if (DOCA_CORE_CHECK == 0)
        test_skip("level 0 does not check handles");
    event_open(&r, false);
    REFUSED(doca_dma_destroy((void *)r.event));
    REFUSED(doca_sync_event_remote_net_destroy((void *)r.event));
    REFUSED(doca_sync_event_destroy((void *)r.pe));
    REFUSED(doca_sync_event_get((void *)r.dev, &value));
    CHECK_PTR(doca_sync_event_as_ctx((void *)r.pe), NULL);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEAD_HANDLE);
    event_close_ctx(&r);
    dev = r.dev;
    event = event_net(dev);
    CHECK_OK(doca_sync_event_export_to_remote_net(event, &desc, &sz));
    CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, desc, sz, &net));
    REFUSED(doca_sync_event_update_set((void *)net, 1));
    REFUSED(doca_core_sync_event_remote_net_get((void *)event, &value));
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    REFUSED(doca_sync_event_remote_net_destroy(net));
    REFUSED(doca_core_sync_event_remote_net_update_set(net, 1));
    CHECK_OK(doca_sync_event_destroy(event));
    REFUSED(doca_sync_event_destroy(event));
    REFUSED(doca_sync_event_start(event));
    REFUSED(doca_sync_event_update_set(event, 1));
    REFUSED(doca_sync_event_wait_gt(event, 0, 1));
    CHECK_OK(doca_dev_close(dev));
}

/* A program casts an event, which it uses without a context, to a context instead of calling
 * doca_sync_event_as_ctx(). The call must fail. */
static void event_without_a_context_does_not_start_as_one(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_make(dev, false);
    struct doca_ctx *ctx = (struct doca_ctx *)event;
    struct doca_pe *pe;

    CHECK_OK(doca_sync_event_task_get_set_conf(event, event_get_done, event_get_done, 1));
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_pe_connect_ctx(pe, ctx));
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_IS_NO_CTX);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
}

static void event_without_a_context_does_not_stop_as_one(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = event_make(dev, false);

    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_ctx_stop((struct doca_ctx *)event), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_IS_NO_CTX);
    CHECK_OK(doca_sync_event_update_set(event, 1));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(value_is_set_added_and_read, "255 256 257"),
    CASE(no_addition_of_a_thread_is_lost, "256"),
    CASE(wait_returns_at_once_if_its_condition_holds, "258"),
    CASE(wait_lasts_until_the_masked_value_is_greater, "258 259"),
    CASE(start_needs_both_sides, "260"),
    CASE(started_event_or_context_cannot_be_configured, "260 261"),
    CASE(device_of_a_location_cannot_be_closed, ""),
    CASE(value_can_be_in_memory_of_the_program, "261"),
    CASE(event_is_used_with_or_without_a_context, "262"),
    CASE(set_conf_is_for_idle_events, "265"),
    CASE(capabilities_follow_the_device, "266"),
    CASE(tasks_report_the_value, "264"),
    CASE(tasks_complete_in_the_order_of_submission, "264"),
    CASE(wait_task_completes_when_its_condition_holds, "258"),
    CASE(wait_tasks_complete_in_turn_as_the_value_rises, "207 258"),
    CASE(value_that_changed_back_is_read_again, ""),
    CASE(waiting_and_other_tasks_do_not_starve_each_other, ""),
    CASE(tasks_run_in_a_graph_and_can_be_read, ""),
    CASE(wait_tasks_are_served_in_turn, ""),
    CASE(task_without_a_result_pointer_is_refused, ""),
    CASE(task_keeps_its_parameters_until_they_are_set, ""),
    CASE(number_of_tasks_of_each_type_is_limited, "202"),
    CASE(context_starts_and_stops_without_a_device, "263"),
    CASE(task_that_ends_a_wait_wakes_the_pe, "228"),
    CASE(update_of_a_shared_value_wakes_sleepers, "228 269"),
    CASE(update_precedes_later_reads, ""),
    CASE(context_started_on_an_armed_pe_wakes_it, ""),
    CASE(arming_again_clears_updates_that_ended_no_wait, ""),
    CASE(exports_need_the_locations_they_are_for, "267"),
    CASE(import_shares_only_the_value, "268 269"),
    CASE(remote_handle_works_on_the_value, "269"),
    CASE(stopped_exporter_resets_its_importers, ""),
    CASE(only_complete_descriptors_are_accepted, ""),
    CASE(descriptor_is_valid_for_one_start_only, ""),
    CASE(other_files_are_not_mistaken_for_the_page, ""),
    CASE(destroy_frees_memory_and_descriptors, ""),
    CASE(lack_of_descriptors_is_an_ordinary_error, ""),
    CASE(limit_of_file_sizes_is_an_ordinary_error, ""),
    CASE(threads_may_have_their_own_descriptor_tables, ""),
    CASE(export_without_descriptors_can_be_tried_again, ""),
    CASE(context_without_waits_opens_no_descriptor, ""),
    CASE(failed_import_closes_its_descriptors, ""),
    CASE(lack_of_memory_is_an_ordinary_error, ""),
    CASE(event_takes_the_documented_bytes, ""),
    CASE(wrong_arguments_are_refused, "1 265"),
    CASE(stale_and_foreign_handles_are_refused, ""),
    CASE(event_without_a_context_does_not_start_as_one, "262"),
    CASE(event_without_a_context_does_not_stop_as_one, "262"),
};

TEST_MAIN(cases)

/* Sync events within one process: without a context, configuration and start, and wrong arguments.
 * test_sync_event_processes.c has tests with two processes. */
#include "sync_event_support.h"

#include <pthread.h>
#include <sched.h>

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
    CASE(wrong_arguments_are_refused, "1 265"),
    CASE(stale_and_foreign_handles_are_refused, ""),
    CASE(event_without_a_context_does_not_start_as_one, "262"),
    CASE(event_without_a_context_does_not_stop_as_one, "262"),
};

TEST_MAIN(cases)

/* The set-up of tests of sync events: a device, an event and, when the event is used as a context,
 * a PE. The callbacks count completed tasks and record the status of the latest task. */
#ifndef EVENT_RIG_H
#define EVENT_RIG_H

#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#define EVENT_TASKS 8

struct event_rig {
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_sync_event *event;
    struct doca_ctx *ctx;
    unsigned num_ok, num_failed;
    doca_error_t status;
    struct doca_task *latest;
    void (*on_task)(struct event_rig *r, struct doca_task *task);
    unsigned todo; /* a counter that on_task may use */
};

static inline void event_done(struct doca_task *task, struct event_rig *r)
{
    CHECK(IS_HANDLE(task));
    r->status = doca_task_get_status(task);
    r->num_ok += r->status == DOCA_SUCCESS;
    r->num_failed += r->status != DOCA_SUCCESS;
    r->latest = task;
    if (r->on_task != NULL)
        r->on_task(r, task);
}

#define EVENT_CALLBACK(type)                                                                       \
    static inline void event_##type##_done(struct doca_sync_event_task_##type *task,               \
                                           union doca_data task_data, union doca_data ctx_data)    \
    {                                                                                              \
        (void)task_data;                                                                           \
        event_done(doca_sync_event_task_##type##_as_doca_task(task), ctx_data.ptr);                \
    }

EVENT_CALLBACK(get)
EVENT_CALLBACK(notify_set)
EVENT_CALLBACK(notify_add)
EVENT_CALLBACK(wait_gt)

static inline uint64_t event_value(struct doca_sync_event *event)
{
    uint64_t value = 0;

    CHECK_OK(doca_sync_event_get(event, &value));
    return value;
}

/* Create an event and set its locations, but do not start it. The subscriber is the DPU if
 * `for_dpu` is true, otherwise the CPU. */
static inline struct doca_sync_event *event_make(struct doca_dev *dev, bool for_dpu)
{
    struct doca_sync_event *event;

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    if (for_dpu)
        CHECK_OK(doca_sync_event_add_subscriber_location_dpu(event));
    else
        CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    return event;
}

/* Create an event and start it without a context. */
static inline struct doca_sync_event *event_alone(struct doca_dev *dev, bool for_dpu)
{
    struct doca_sync_event *event = event_make(dev, for_dpu);

    CHECK_OK(doca_sync_event_start(event));
    return event;
}

/* Create and start an event with a remote publisher and a local subscriber. */
static inline struct doca_sync_event *event_net(struct doca_dev *dev)
{
    struct doca_sync_event *event;

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_net(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_start(event));
    return event;
}

static inline void event_start(struct event_rig *r)
{
    CHECK_OK(doca_ctx_start(r->ctx));
    while (doca_pe_progress(r->pe))
        continue;
}

/* Use `event` as a context with tasks of all types. The context stays idle. */
static inline void event_build_ctx(struct event_rig *r, struct doca_dev *dev,
                                   struct doca_sync_event *event)
{
    memset(r, 0, sizeof(*r));
    r->dev = dev;
    r->event = event;
    r->ctx = doca_sync_event_as_ctx(event);
    CHECK(r->ctx != NULL);
    CHECK_OK(doca_pe_create(&r->pe));
    CHECK_OK(doca_sync_event_task_get_set_conf(event, event_get_done, event_get_done,
                                               EVENT_TASKS));
    CHECK_OK(doca_sync_event_task_notify_set_set_conf(event, event_notify_set_done,
                                                      event_notify_set_done, EVENT_TASKS));
    CHECK_OK(doca_sync_event_task_notify_add_set_conf(event, event_notify_add_done,
                                                      event_notify_add_done, EVENT_TASKS));
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(event, event_wait_gt_done, event_wait_gt_done,
                                                   EVENT_TASKS));
    CHECK_OK(doca_ctx_set_user_data(r->ctx, (union doca_data){ .ptr = r }));
    CHECK_OK(doca_pe_connect_ctx(r->pe, r->ctx));
}

/* Create an event and start it as a context. */
static inline void event_open(struct event_rig *r, bool for_dpu)
{
    struct doca_dev *dev = rig_open_dev(NULL);

    event_build_ctx(r, dev, event_make(dev, for_dpu));
    event_start(r);
}

/* Stop and destroy the context. The test must have freed its tasks. */
static inline void event_close_ctx(struct event_rig *r)
{
    CHECK_OK(doca_ctx_stop(r->ctx));
    CHECK_OK(doca_sync_event_destroy(r->event));
    CHECK_OK(doca_pe_destroy(r->pe));
}

static inline void event_close(struct event_rig *r)
{
    event_close_ctx(r);
    CHECK_OK(doca_dev_close(r->dev));
}

static inline unsigned event_drain(struct event_rig *r)
{
    unsigned calls;

    for (calls = 0; calls < RIG_PATIENCE; calls++)
        if (!doca_pe_progress(r->pe))
            return calls;
    test_fail(__FILE__, __LINE__, "progress never comes to an end");
}

static inline struct doca_task *event_wait_task(struct event_rig *r, uint64_t value, uint64_t mask)
{
    struct doca_sync_event_task_wait_gt *task;

    CHECK_OK(doca_sync_event_task_wait_gt_alloc_init(r->event, value, mask, (union doca_data){ 0 },
                                                     &task));
    return doca_sync_event_task_wait_gt_as_doca_task(task);
}

static inline struct doca_task *event_set_task(struct event_rig *r, uint64_t value)
{
    struct doca_sync_event_task_notify_set *task;

    CHECK_OK(doca_sync_event_task_notify_set_alloc_init(r->event, value, (union doca_data){ 0 },
                                                        &task));
    return doca_sync_event_task_notify_set_as_doca_task(task);
}

static inline struct doca_task *event_add_task(struct event_rig *r, uint64_t value, uint64_t *was)
{
    struct doca_sync_event_task_notify_add *task;

    CHECK_OK(doca_sync_event_task_notify_add_alloc_init(r->event, value, was,
                                                        (union doca_data){ 0 }, &task));
    return doca_sync_event_task_notify_add_as_doca_task(task);
}

static inline struct doca_task *event_get_task(struct event_rig *r, uint64_t *value)
{
    struct doca_sync_event_task_get *task;

    CHECK_OK(doca_sync_event_task_get_alloc_init(r->event, value, (union doca_data){ 0 }, &task));
    return doca_sync_event_task_get_as_doca_task(task);
}

/* Submit a task that does not wait, make progress until it has completed, and free it. */
static inline void event_do(struct event_rig *r, struct doca_task *task)
{
    unsigned before = r->num_ok;

    CHECK_OK(doca_task_submit(task));
    event_drain(r);
    CHECK_EQ(r->num_ok, before + 1);
    doca_task_free(task);
}

static inline bool event_is_readable(struct doca_pe *pe, int timeout_ms)
{
    struct pollfd wait = { -1, POLLIN, 0 };

    CHECK_OK(doca_pe_get_notification_handle(pe, &wait.fd));
    return poll(&wait, 1, timeout_ms) > 0;
}

static inline double event_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Return the lowest free file descriptor. A call that leaks a descriptor takes this number, so a
 * test compares the result before and after the call. */
static inline int event_free_fd(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

    CHECK(fd >= 0);
    close(fd);
    return fd;
}

#endif

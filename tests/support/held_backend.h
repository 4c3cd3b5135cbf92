/* A test backend: the software device with switches that a test sets. It executes a task only when
 * poll returns the task. Until then the task can still be flushed, and the test chooses the order
 * of completions. Call held_begin() before use and held_end() after it. */
#ifndef HELD_BACKEND_H
#define HELD_BACKEND_H

#include "fixture.h"

#include <unistd.h>

#define HELD_DMA "0000:8b:00.0"
#define HELD_NO_DMA "0000:8b:00.1"
#define HELD_ALL UINT32_MAX

static const struct doca_core_dev_attr held_attrs[] = {
    { .pci_addr = HELD_DMA, .ibdev_name = "held_0", .iface_name = "h0",
      .mac_addr = { 2, 0, 0, 0, 0, 1 },
      .limits = { .dma_max_buf_size = 4096, .dma_max_buf_list_len = 4, .dma_max_num_tasks = 64,
                  .has_dma = 1 } },
    { .pci_addr = HELD_NO_DMA, .ibdev_name = "held_1", .iface_name = "h1",
      .mac_addr = { 2, 0, 0, 0, 0, 2 },
      .limits = { .dma_max_buf_size = 4096, .dma_max_buf_list_len = 4, .dma_max_num_tasks = 64 } },
};

static struct {
    bool is_present;       /* the devices are in the device list */
    doca_error_t opening;  /* result of queue_open and queue_opening */
    uint32_t num_asks;     /* number of the queue_opening call, counted from 1, that returns
                            * opens_as; 0: every call returns `opening` */
    doca_error_t opens_as;
    bool full;             /* post returns AGAIN */
    doca_error_t answer;   /* error that post returns; SUCCESS: it accepts tasks */
    uint32_t budget;       /* tasks that poll may still return; HELD_ALL: any number */
    bool newest_first;     /* poll returns the task that was posted last, not the first */
    uint32_t num_to_fail;  /* tasks that fail when they begin */
    int fd;                /* handle of the queue; -1: the queue has no handle, and tasks finish
                            * only in poll */
    bool is_armed;
    uint32_t num_queues;   /* queues that are open; a queue whose open was refused does not count
                            * and needs no close */
    uint32_t num_flushes;
    uint32_t num_polls;
    uint32_t num_asked;    /* calls of queue_ready */
    uint32_t has_failed;   /* both devices have failed; set by any thread */
    bool fails_in_open;    /* the devices fail in queue_open and report the failure */
} held;

struct held_queue {
    struct doca_core_queue queue;
    struct doca_core_queue *inner; /* queue of the software device, in the same block of memory */
    struct doca_task *tasks;       /* list of tasks that have not begun, the newest first */
    doca_error_t flush_status;
};

#define HELD_OWN_BYTES                                                                             \
    ((sizeof(struct held_queue) + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE * DOCA_CORE_LINE)

static inline uint32_t held_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t n = held.is_present ? sizeof(held_attrs) / sizeof(held_attrs[0]) : 0, i;

    for (i = 0; i < n && i < max; i++)
        attrs[i] = held_attrs[i];
    return n;
}

static inline size_t held_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                      uint32_t depth)
{
    return HELD_OWN_BYTES + doca_core_sw_backend()->queue_bytes(dev, engine, depth);
}

static inline doca_error_t held_post(struct doca_core_queue *queue, struct doca_task *task)
{
    struct held_queue *q = (struct held_queue *)(void *)queue;
    struct doca_dma_task_memcpy *memcpy_task = (struct doca_dma_task_memcpy *)(void *)task;

    if (memcpy_task->src == NULL || memcpy_task->dst == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (held.answer != DOCA_SUCCESS)
        return held.answer;
    if (held.full) {
        task->status = DOCA_ERROR_AGAIN; /* must have no effect: the task was refused */
        return DOCA_ERROR_AGAIN;
    }
    task->next = q->tasks;
    q->tasks = task;
    return DOCA_SUCCESS;
}

/* Execute one task. Return it when it has finished; otherwise a later poll returns it. */
static inline struct doca_task *held_begin_task(struct held_queue *q)
{
    struct doca_task **at = &q->tasks, *task;
    doca_error_t rc = q->flush_status;

    while (!held.newest_first && (*at)->next != NULL)
        at = &(*at)->next;
    task = *at;
    *at = task->next;
    if (rc == DOCA_SUCCESS && held.num_to_fail > 0) {
        held.num_to_fail--;
        rc = DOCA_ERROR_IO_FAILED;
    }
    if (rc == DOCA_SUCCESS)
        rc = q->inner->post(q->inner, task);
    if (rc == DOCA_SUCCESS)
        return q->inner->poll(q->inner);
    task->status = (uint8_t)rc;
    return task;
}

static inline struct doca_task *held_poll(struct doca_core_queue *queue)
{
    struct held_queue *q = (struct held_queue *)(void *)queue;
    struct doca_task *task;

    held.num_polls++;
    if (held.budget == 0)
        return NULL;
    task = q->inner->poll(q->inner);
    if (task == NULL && q->tasks != NULL)
        task = held_begin_task(q);
    if (task != NULL && held.budget != HELD_ALL)
        held.budget--;
    return task;
}

static inline bool held_queue_ready(struct doca_core_queue *queue)
{
    struct held_queue *q = (struct held_queue *)(void *)queue;

    held.num_asked++;
    return held.budget > 0 && (q->tasks != NULL || doca_core_sw_backend()->queue_ready(q->inner));
}

static inline int held_queue_fd(struct doca_core_queue *queue)
{
    (void)queue;
    return held.fd;
}

static inline void held_queue_arm(struct doca_core_queue *queue, bool armed)
{
    uint64_t count;

    (void)queue;
    held.is_armed = armed;
    if (held.fd >= 0 && !armed)
        (void)(read(held.fd, &count, sizeof(count)) < 0); /* fails if nothing was signalled */
}

/* Let poll return all tasks, and signal the handle of the queue if it is armed. */
static inline void held_finish(void)
{
    uint64_t one = 1;

    held.budget = HELD_ALL;
    if (held.is_armed)
        CHECK_EQ(write(held.fd, &one, sizeof(one)), sizeof(one));
}

static inline doca_error_t held_queue_open(struct doca_core_queue *queue,
                                           enum doca_core_engine engine, uint32_t depth)
{
    const struct doca_core_backend *sw = doca_core_sw_backend();
    struct held_queue *q = (struct held_queue *)(void *)queue;
    doca_error_t rc;

    if (held.opening != DOCA_SUCCESS && held.opening != DOCA_ERROR_IN_PROGRESS)
        return held.opening;
    q->inner = (struct doca_core_queue *)(void *)((unsigned char *)queue + HELD_OWN_BYTES);
    q->inner->backend = sw;
    q->inner->dev = queue->dev;
    rc = sw->queue_open(q->inner, engine, depth);
    if (rc != DOCA_SUCCESS)
        return rc;
    q->tasks = NULL;
    q->flush_status = DOCA_SUCCESS;
    queue->post = held_post;
    queue->poll = held_poll;
    held.num_queues++;
    if (held.fails_in_open) {
        __atomic_store_n(&held.has_failed, 1u, __ATOMIC_RELAXED);
        doca_core_backend_dev_failed(queue->dev);
    }
    return held.opening;
}

static inline doca_error_t held_queue_opening(struct doca_core_queue *queue)
{
    (void)queue;
    if (held.num_asks > 0 && --held.num_asks == 0)
        held.opening = held.opens_as;
    return held.opening;
}

static inline void held_queue_close(struct doca_core_queue *queue)
{
    struct held_queue *q = (struct held_queue *)(void *)queue;

    if (doca_core_sw_backend()->queue_close != NULL)
        doca_core_sw_backend()->queue_close(q->inner);
    held.num_queues--;
}

static inline void held_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct held_queue *q = (struct held_queue *)(void *)queue;

    doca_core_sw_backend()->queue_flush(q->inner, status);
    q->flush_status = status;
    held.num_flushes++;
}

static inline bool held_dev_failed(struct doca_dev *dev)
{
    CHECK(dev->backend->dev_failed != NULL); /* of this backend or of the fault layer */
    return __atomic_load_n(&held.has_failed, __ATOMIC_RELAXED) != 0;
}

/* Let the devices fail. If `dev` is not NULL, also report its failure to the core. */
static inline void held_fail(struct doca_dev *dev)
{
    __atomic_store_n(&held.has_failed, 1u, __ATOMIC_RELAXED);
    if (dev != NULL)
        doca_core_backend_dev_failed(dev);
}

/* Make the devices appear and reset all switches: they then behave like software devices. */
static inline void held_begin(void)
{
    static const struct doca_core_backend backend = {
        .name = "held",
        .enumerate = held_enumerate,
        .queue_bytes = held_queue_bytes,
        .queue_open = held_queue_open,
        .queue_opening = held_queue_opening,
        .queue_close = held_queue_close,
        .queue_flush = held_queue_flush,
        .queue_ready = held_queue_ready,
        .queue_fd = held_queue_fd,
        .queue_arm = held_queue_arm,
        .dev_failed = held_dev_failed,
    };
    static bool is_registered; /* never unregistered: a failed case may leave devices open */

    memset(&held, 0, sizeof(held));
    held.budget = HELD_ALL;
    held.fd = -1;
    held.is_present = true;
    if (!is_registered)
        CHECK_OK(doca_core_backend_register(&backend));
    is_registered = true;
}

static inline void held_end(void)
{
    CHECK_EQ(held.num_queues, 0);
    held.is_present = false;
}

/* Build a rig on the held device and start its context. The context may still be STARTING
 * afterwards, if a switch delays the opening of the queue. */
static inline void held_open_rig(struct rig *r, uint32_t num_tasks)
{
    rig_build(r, HELD_DMA, num_tasks);
    CHECK_OK(doca_ctx_start(r->ctx));
    rig_drain(r);
    rig_forget_states(r);
}

static inline void held_close_rig(struct rig *r)
{
    rig_close(r);
    held_end();
}

#endif

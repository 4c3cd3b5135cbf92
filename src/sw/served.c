/* ---- >>impl.sw.served -----------------------------------------------------------------------
 * Queues that workers serve, as the thread of the PE uses them: post, poll, ready and arm; then
 * opening and closing. The head of >>impl.sw.worker explains lanes and mailboxes.               */
#include "sw/served_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/devinfo_priv.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "progress/task.h"
#include "engine/sha.h"
#include "engine/sha_priv.h"
#include "sw/copy_priv.h"
#include "sw/hash_priv.h"
#include "sw/lanes_priv.h"
#include "sw/sw.h"
#include "sw/worker_priv.h"

/* Choose the lane for a post: the next lane, in rotation, that has a free mailbox and a worker that
 * serves it. Returns NULL when no lane qualifies. */
DOCA_PRIV_HOT struct doca_priv_sw_lane *doca_priv_sw_served_lane(struct doca_priv_sw_served *served)
{
    struct doca_priv_sw_lane *lane;
    uint32_t left;

    for (left = served->num_lanes; left > 0; left--) {
        lane = &served->lanes[served->next_post];
        served->next_post = served->next_post + 1 < served->num_lanes ? served->next_post + 1 : 0;
        if (doca_likely(lane->num_posted < lane->num_boxes &&
                        DOCA_PRIV_LOAD(&lane->mode) != DOCA_PRIV_SW_ABSENT))
            return lane;
    }
    return NULL;
}

/* Post a task that reads `src` and appends `grows` bytes to `dst`. */
DOCA_PRIV_HOT doca_error_t doca_priv_sw_lane_post(struct doca_priv_sw_lane *lane,
                                                  struct doca_task *task,
                                                  const struct doca_buf *src, struct doca_buf *dst,
                                                  size_t grows, uint8_t algorithm)
{
    struct doca_priv_sw_box *box = &lane->boxes[lane->post_at];

    box->algorithm = algorithm;
    box->from = src->data;
    box->len = src->data_len;
    box->to = dst->data + dst->data_len;
    box->grows = grows;
    box->dst = dst;
    DOCA_PRIV_TRACED(
        doca_priv_trace(DOCA_PRIV_TRACE_ASSIGN, task, (uintptr_t)box, lane->num_posted);)
    DOCA_PRIV_STORE(&box->state, (uint32_t)DOCA_PRIV_SW_POSTED);
    lane->post_at = lane->post_at + 1 < lane->num_boxes ? lane->post_at + 1 : 0;
    if (lane->num_posted++ == 0)
        lane->first = task;
    else
        lane->last->next = task;
    lane->last = task;
    if (doca_unlikely(DOCA_PRIV_LOAD(&lane->mode) == DOCA_PRIV_SW_ASLEEP))
        doca_priv_sw_worker_wake(lane->worker);
    return DOCA_SUCCESS;
}

#ifndef DOCA_CORE_NO_DMA
DOCA_PRIV_DECL doca_error_t doca_priv_sw_served_dma_post(struct doca_core_queue *queue,
                                                         struct doca_task *task)
{
    struct doca_priv_sw_served *served = doca_priv_sw_served_of(queue);
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(void *)task;
    struct doca_priv_sw_lane *lane = NULL;

    if (doca_likely(doca_priv_sw_memcpy_is_plain(&served->plain.dma, t)))
        lane = doca_priv_sw_served_lane(served);
    return doca_likely(lane != NULL)
               ? doca_priv_sw_lane_post(lane, task, t->src, t->dst, t->src->data_len, 0)
               : served->plain.queue.post(&served->plain.queue, task);
}
#endif

#ifndef DOCA_CORE_NO_SHA
DOCA_PRIV_DECL doca_error_t doca_priv_sw_served_sha_post(struct doca_core_queue *queue,
                                                         struct doca_task *task)
{
    struct doca_priv_sw_served *served = doca_priv_sw_served_of(queue);
    const struct doca_sha_task_hash *t = (const struct doca_sha_task_hash *)(void *)task;
    struct doca_priv_sw_lane *lane = NULL;

    if (doca_likely(doca_priv_sha_is_complete(task) && doca_priv_sw_hash_is_plain(t, queue->dev)))
        lane = doca_priv_sw_served_lane(served);
    return doca_likely(lane != NULL)
               ? doca_priv_sw_lane_post(lane, task, t->src, t->dst,
                                        doca_priv_sha_sizes[t->algorithm].digest, t->algorithm)
               : served->plain.queue.post(&served->plain.queue, task);
}
#endif

/* True when the oldest posted task of the lane has an answer. */
DOCA_PRIV_HOT bool doca_priv_sw_lane_is_done(const struct doca_priv_sw_lane *lane)
{
    return lane->num_posted > 0 &&
           DOCA_PRIV_LOAD(&lane->boxes[lane->reap_at].state) >= DOCA_PRIV_SW_DONE;
}

/* Take the oldest task of the lane, and set its status. Its mailbox must contain the answer. */
DOCA_PRIV_HOT struct doca_task *doca_priv_sw_lane_reap(const struct doca_priv_sw_served *served,
                                                       struct doca_priv_sw_lane *lane)
{
    struct doca_priv_sw_box *box = &lane->boxes[lane->reap_at];
    struct doca_task *task = lane->first;
    struct doca_buf *dst = box->dst;
    uint32_t ahead;

    /* Prefetch a later mailbox for writing: it probably contains its answer already, and the next
     * posts will write to it. */
    if (lane->num_posted > DOCA_PRIV_SW_PREFETCH_AHEAD) {
        ahead = lane->reap_at + DOCA_PRIV_SW_PREFETCH_AHEAD;
        DOCA_PRIV_PREFETCH_WRITE(
            &lane->boxes[ahead < lane->num_boxes ? ahead : ahead - lane->num_boxes]);
    }
    lane->first = task->next;
    lane->reap_at = lane->reap_at + 1 < lane->num_boxes ? lane->reap_at + 1 : 0;
    lane->num_posted--;
    lane->num_reaped++;
    if (doca_unlikely(box->state == DOCA_PRIV_SW_SKIPPED)) {
        task->status = (uint8_t)doca_priv_fail(served->status, DOCA_CORE_ITEM_FLUSHED,
                                               "doca_pe_progress", task);
    } else if (DOCA_CORE_CHECK >= 2 && box->state == DOCA_PRIV_SW_UNMAPPED) {
        task->status = (uint8_t)doca_priv_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_BUF_MEMORY_GONE,
                                               "doca_pe_progress", task);
    } else if (doca_unlikely(dst->flags == 0 || dst->data + dst->data_len != box->to ||
                             box->grows > doca_priv_buf_tailroom(dst))) {
        task->status = (uint8_t)doca_priv_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_SW_WORKER_DST,
                                               "doca_pe_progress", task);
    } else {
        dst->data_len += box->grows;
        task->status = DOCA_SUCCESS;
    }
    return task;
}

/* Make progress with a lane that has tasks and whose worker is not awake. If the worker sleeps,
 * wake it. If no worker serves the lane, execute one task in this thread and return the task.
 * Returns NULL when no task is finished yet. */
static DOCA_PRIV_NOINLINE struct doca_task *
doca_priv_sw_lane_drive(const struct doca_priv_sw_served *served, struct doca_priv_sw_lane *lane)
{
    if (DOCA_PRIV_LOAD(&lane->mode) == DOCA_PRIV_SW_ASLEEP) {
        doca_priv_sw_worker_wake(lane->worker);
    } else if (DOCA_PRIV_TRY_LOCK(&lane->lock)) {
        (void)doca_priv_sw_lane_execute(lane);
        doca_priv_unlock(&lane->lock);
        if (doca_priv_sw_lane_is_done(lane))
            return doca_priv_sw_lane_reap(served, lane);
    }
    return NULL;
}

DOCA_PRIV_DECL struct doca_task *doca_priv_sw_served_poll(struct doca_core_queue *queue)
{
    struct doca_priv_sw_served *served = doca_priv_sw_served_of(queue);
    struct doca_priv_sw_lane *lane;
    struct doca_task *task;
    uint32_t left;

    /* alternate with the lanes: lanes that never run empty would otherwise starve `plain` */
    if (doca_unlikely(served->plain.queue.first != NULL)) {
        served->is_plain_next = !served->is_plain_next;
        if (served->is_plain_next)
            return served->plain.queue.poll(&served->plain.queue);
    }
    for (left = served->num_lanes; left > 0; left--) {
        lane = &served->lanes[served->next_reap];
        served->next_reap = served->next_reap + 1 < served->num_lanes ? served->next_reap + 1 : 0;
        if (doca_priv_sw_lane_is_done(lane))
            return doca_priv_sw_lane_reap(served, lane);
        /* execute tasks that a worker has left, even while other lanes are busy */
        if (lane->num_posted > 0 &&
            doca_unlikely(DOCA_PRIV_LOAD(&lane->mode) != DOCA_PRIV_SW_AWAKE)) {
            task = doca_priv_sw_lane_drive(served, lane);
            if (task != NULL)
                return task;
        }
    }
    return served->plain.queue.first != NULL ? served->plain.queue.poll(&served->plain.queue)
                                             : NULL;
}

/* True when poll would return a task. */
DOCA_PRIV_DECL bool doca_priv_sw_served_ready(struct doca_priv_sw_served *served)
{
    static uint32_t fence;
    struct doca_priv_sw_lane *lane;
    uint32_t i, mode;

    /* The fence between the store of "armed" and the loads below; see the head of >>impl.sw.worker.
     * On x86 any locked instruction is a full fence. On Armv8 the acquire load of this instruction
     * is not executed before the store-release (stlr) of "armed", and no later load is executed
     * before the acquire load. */
    (void)DOCA_PRIV_FETCH_ADD(&fence, 1u);
    for (i = 0; i < served->num_lanes; i++) {
        lane = &served->lanes[i];
        mode = DOCA_PRIV_LOAD_ORDERED(&lane->mode);
        if (doca_priv_sw_lane_is_done(lane) ||
            (lane->num_posted > 0 && mode == DOCA_PRIV_SW_ABSENT))
            return true;
        if (lane->num_posted > 0 && mode == DOCA_PRIV_SW_ASLEEP)
            doca_priv_sw_worker_wake(lane->worker);
    }
    return served->plain.queue.first != NULL;
}

/* Arm or disarm the queue. The order prevents that a completion is missed: first the signal of an
 * earlier arming is drained, then the flags are set, then the queue looks for finished tasks. */
DOCA_PRIV_DECL void doca_priv_sw_served_arm(struct doca_priv_sw_served *served, bool armed)
{
    struct doca_priv_sw_lane *lane;
    uint32_t i;

    if (++served->num_arms == 0)
        served->num_arms = 1;
    for (i = 0; i < served->num_lanes; i++)
        DOCA_PRIV_STORE_ORDERED(&served->lanes[i].armed, 0u);
    (void)doca_priv_sys_event_drain(served->fd);
    for (i = 0; armed && i < served->num_lanes; i++) {
        lane = &served->lanes[i];
        DOCA_PRIV_STORE(&lane->armed_at, lane->num_reaped);
        DOCA_PRIV_STORE_ORDERED(&lane->armed, served->num_arms);
    }
    if (armed && doca_priv_sw_served_ready(served))
        (void)doca_priv_sys_event_signal(served->fd);
}

/* ---- opening and closing ---- */

/* Take the memory of a served queue from an arena, and divide it into the head, the lanes and their
 * mailboxes. An arena that only counts returns no block; then *served is not changed. */
static doca_error_t doca_priv_sw_served_carve(struct doca_core_arena *arena, uint32_t num_tasks,
                                              uint32_t num_lanes,
                                              struct doca_priv_sw_served **served,
                                              const char *function)
{
    uint32_t num_boxes = num_tasks / num_lanes + (num_tasks % num_lanes != 0), i;
    size_t bytes = doca_priv_size(
        num_lanes, doca_priv_size(num_boxes, DOCA_CORE_LINE, sizeof(struct doca_priv_sw_lane)),
        2 * DOCA_CORE_LINE);
    struct doca_priv_sw_box *boxes;
    void *block = NULL;
    doca_error_t rc = doca_priv_arena_take(arena, bytes, &block, function);

    if (rc != DOCA_SUCCESS || block == NULL)
        return rc;
    DOCA_CORE_MEMSET(block, 0, bytes);
    *served = (struct doca_priv_sw_served *)block;
    (*served)->num_lanes = num_lanes;
    (*served)->lanes = (struct doca_priv_sw_lane *)(void *)((unsigned char *)block +
                                                            2 * DOCA_CORE_LINE);
    boxes = (struct doca_priv_sw_box *)(void *)((*served)->lanes + num_lanes);
    for (i = 0; i < num_lanes; i++) {
        (*served)->lanes[i].boxes = boxes + (size_t)i * num_boxes;
        (*served)->lanes[i].num_boxes = num_boxes;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sw_lanes(uint32_t num_tasks, uint32_t num_workers,
                                                     size_t *bytes)
{
    struct doca_core_arena count;
    struct doca_priv_sw_served *served;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);

    if (rc == DOCA_SUCCESS && (num_workers == 0 || num_workers > DOCA_CORE_SW_MAX_WORKERS))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, SW_WORKER_FULL, NULL);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_sw_served_carve(&count, num_tasks, num_workers, &served, __func__);
    return rc == DOCA_SUCCESS ? doca_priv_counted(&count, rc, bytes, __func__) : rc;
}

/* Add `more` to the number of queues of the worker. 1 adds a queue; UINT32_MAX, which is -1 modulo
 * 2^32, removes one. */
static void doca_priv_sw_worker_count(struct doca_core_sw_worker *worker, uint32_t more)
{
    doca_priv_lock(&doca_priv_world.lock);
    worker->num_queues += more;
    doca_priv_unlock(&doca_priv_world.lock);
}

/* List the workers that this process created for the device, and return their number. Add one to
 * the number of queues of each worker, so that the worker cannot be destroyed. */
static uint32_t doca_priv_sw_workers_acquire(const struct doca_dev *dev,
                                             struct doca_core_sw_worker **workers)
{
    uint32_t num = 0, pid = doca_priv_sys_pid();
    struct doca_core_sw_worker *w;

    if (!doca_priv_sw_has_workers(dev))
        return 0;
    doca_priv_lock(&doca_priv_world.lock);
    for (w = (struct doca_core_sw_worker *)dev->backend_data; w != NULL; w = w->next) {
        if (w->pid == pid) {
            w->num_queues++;
            workers[num++] = w;
        }
    }
    doca_priv_unlock(&doca_priv_world.lock);
    return num;
}

/* Add a lane to its worker. From now on the worker may execute requests of the lane. */
static void doca_priv_sw_lane_add(struct doca_priv_sw_lane *lane,
                                  struct doca_core_sw_worker *worker)
{
    doca_priv_sw_worker_enter(worker);
    lane->next = worker->lanes;
    worker->lanes = lane;
    if (worker->is_serving && doca_priv_sw_lane_hold(lane) && worker->is_asleep)
        DOCA_PRIV_STORE(&lane->mode, (uint32_t)DOCA_PRIV_SW_ASLEEP);
    doca_priv_sw_worker_leave(worker);
}

/* Remove a lane from its worker, and count one queue less for the worker. */
static void doca_priv_sw_lane_remove(struct doca_priv_sw_lane *lane)
{
    struct doca_core_sw_worker *worker = lane->worker;
    struct doca_priv_sw_lane **link;

    doca_priv_sw_worker_enter(worker);
    for (link = &worker->lanes; *link != lane; link = &(*link)->next) {
    }
    *link = lane->next;
    doca_priv_sw_worker_leave(worker);
    doca_priv_sw_worker_count(worker, UINT32_MAX);
}

/* Create the lanes of a queue for all workers of its device. If the device has no workers, *served
 * is not changed. */
DOCA_PRIV_DECL doca_error_t doca_priv_sw_served_open(struct doca_dev *dev, uint32_t num_tasks,
                                                     struct doca_priv_sw_served **served)
{
    struct doca_core_sw_worker *workers[DOCA_CORE_SW_MAX_WORKERS];
    uint32_t num = doca_priv_sw_workers_acquire(dev, workers), i;
    struct doca_priv_sw_served *made = NULL;
    doca_error_t rc;

    if (num == 0)
        return DOCA_SUCCESS;
    rc = doca_priv_sw_served_carve(dev->info.arena, num_tasks, num, &made, "doca_ctx_start");
    if (rc != DOCA_SUCCESS) {
        /* the caller does not know of this arena; so it reports this reason, as if a backend had
         * reported it */
        doca_priv_last.is_backends = true;
    } else {
        /* analyzer: core.NullDereference,analyzer-null-dereference: the carve has set `made` */
        made->fd = doca_priv_sys_event_open();
        if (doca_priv_sys_has_event && made->fd < 0) {
            rc = doca_priv_fail_system(DOCA_CORE_ITEM_SW_WORKER_SYSTEM, "doca_ctx_start", dev,
                                       DOCA_PRIV_LOG_TEXT("open an eventfd for the workers of the "
                                                          "device"));
            doca_priv_last.is_backends = true;
            (void)doca_core_arena_give(dev->info.arena, made);
        }
    }
    for (i = 0; i < num; i++) {
        if (rc == DOCA_SUCCESS)
            made->lanes[i].worker = workers[i];
        else
            doca_priv_sw_worker_count(workers[i], UINT32_MAX);
    }
    if (rc == DOCA_SUCCESS)
        *served = made;
    return rc;
}

/* Give the lanes to their workers. In a copy queue `kernels` is NULL. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED void
doca_priv_sw_served_begin(struct doca_priv_sw_served *served,
                          const struct doca_priv_sha_kernels *kernels)
{
    uint32_t i;

    for (i = 0; i < served->num_lanes; i++) {
        served->lanes[i].fd = served->fd;
        served->lanes[i].kernels = kernels;
        doca_priv_sw_lane_add(&served->lanes[i], served->lanes[i].worker);
    }
}

DOCA_PRIV_DECL void doca_priv_sw_served_flush(struct doca_priv_sw_served *served,
                                              doca_error_t status)
{
    uint32_t i;

    served->status = status;
    for (i = 0; i < served->num_lanes; i++)
        DOCA_PRIV_STORE(&served->lanes[i].is_flushed, 1u);
}

DOCA_PRIV_DECL void doca_priv_sw_served_close(struct doca_priv_sw_served *served)
{
    uint32_t i;

    for (i = 0; i < served->num_lanes; i++)
        doca_priv_sw_lane_remove(&served->lanes[i]);
    doca_priv_sys_close(served->fd);
    (void)doca_core_arena_give(served->plain.queue.dev->info.arena, served);
}

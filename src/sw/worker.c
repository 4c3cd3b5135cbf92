/* ---- >>impl.sw.worker -----------------------------------------------------------------------
 * Workers, and how they execute requests.
 * A queue that workers serve has a lane for each of them: a ring of mailboxes. A mailbox is a cache
 * line that carries a request to the worker and the answer back. Only the thread of the PE posts
 * and reaps. Only the thread that has the lane's lock executes: a worker keeps the locks of its
 * lanes while it serves; when no worker serves, the thread of the PE takes the lock for each task.
 * Tasks that no lane can take go to `plain`, a queue as on a device without workers.
 * Mailboxes are passed between threads with release and acquire. Two flags need more care: "asleep"
 * (set by the worker) and "armed" (set by the thread of the PE). A side sets its flag and then
 * looks for work once more; the other side adds work and then reads the flag. To never miss a flag,
 * both sides would need a full fence between their two steps. The path of each task has no such
 * fence, so a flag can be missed, once. A later check compensates for this: poll and queue_arm wake
 * sleeping workers, and a worker reads "armed" in every turn and, after a fence, before it sleeps,
 * ends a step, or leaves.
 * (A turn is one pass of a worker over its lanes.)                                              */
#include "sw/worker_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "device/devinfo_priv.h"
#include "engine/sha.h"
#include "engine/sha_priv.h"
#include "sw/hash_priv.h"
#include "sw/lanes_priv.h"
#include "sw/sha_priv.h"
#include "sw/sw.h"
#include "sw/sw_priv.h"
#include "sw/topology_priv.h"

#define DOCA_PRIV_SW_BURST 32       /* maximum number of tasks of a lane in one turn */
#define DOCA_PRIV_SW_SPIN_TURNS 256 /* idle turns without a pause instruction; a pause would delay
                                     * the next request */
#define DOCA_PRIV_SW_MAX_IDLE 20000 /* idle turns after which a worker sleeps, by default */

DOCA_PRIV_ASSERT_STATIC(sw_served_is_counted,
                        sizeof(struct doca_priv_sw_served) <= 2 * DOCA_CORE_LINE &&
                            sizeof(struct doca_priv_sw_lane) == 3 * DOCA_CORE_LINE &&
                            sizeof(struct doca_priv_sw_box) == DOCA_CORE_LINE);

/* ---- execution of requests ---- */

#if DOCA_CORE_CHECK >= 2
/* Execute a request with functions that detect memory that is no longer mapped. Return the new
 * state of the mailbox. */
DOCA_PRIV_DECL uint32_t doca_priv_sw_box_check(const struct doca_priv_sw_lane *lane,
                                               const struct doca_priv_sw_box *box)
{
    enum doca_core_item item;

    if (lane->kernels == NULL)
        item = doca_priv_sw_move(box->to, box->from, box->len);
    else
        item = DOCA_CORE_ITEM_NONE;
    DOCA_PRIV_WITH_SHA(if (lane->kernels != NULL) {
        unsigned char digest[sizeof(union doca_priv_sha_state)];
        struct doca_priv_sha_stream s;

        s.compress = lane->kernels->one[box->algorithm];
        s.block_bytes = doca_priv_sha_sizes[box->algorithm].block;
        s.fill = 0;
        s.bytes = 0;
        doca_priv_sha_begin(&s.state, box->algorithm);
        item = doca_priv_sw_absorb_local(&s, box->from, box->len);
        doca_priv_sha_finish(&s);
        doca_priv_sha_put(&s.state, box->algorithm, digest);
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_sw_move(box->to, digest, box->grows);
    })
    return item == DOCA_CORE_ITEM_NONE ? DOCA_PRIV_SW_DONE : DOCA_PRIV_SW_UNMAPPED;
}
#endif

#ifndef DOCA_CORE_NO_SHA
/* Hash up to `max` of the oldest requests side by side in SIMD lanes, if they use the same
 * algorithm. Return their number, or 0 when there are too few requests. */
static DOCA_PRIV_NOINLINE uint32_t doca_priv_sw_lane_hash(struct doca_priv_sw_lane *lane,
                                                          uint32_t max)
{
    struct doca_priv_sha_message messages[DOCA_PRIV_SHA_GROUP];
    struct doca_priv_sw_box *box, *boxes[DOCA_PRIV_SHA_GROUP];
    uint32_t most = lane->num_boxes < max ? lane->num_boxes : max, at = lane->head, num, i;
    size_t shortest = SIZE_MAX;
    uint8_t algorithm = 0;

    for (num = 0; num < most && num < DOCA_PRIV_SHA_GROUP; num++) {
        box = &lane->boxes[at];
        if (DOCA_PRIV_LOAD(&box->state) != DOCA_PRIV_SW_POSTED ||
            (num > 0 && box->algorithm != algorithm))
            break;
        algorithm = box->algorithm;
        boxes[num] = box;
        shortest = box->len < shortest ? box->len : shortest;
        at = at + 1 < lane->num_boxes ? at + 1 : 0;
    }
    if (!doca_priv_sha_is_group(lane->kernels, algorithm, num, shortest) ||
        DOCA_PRIV_LOAD(&lane->is_flushed) != 0)
        return 0;
    for (i = 0; i < num; i++)
        doca_priv_sha_message_begin(&messages[i], algorithm, boxes[i]->from, boxes[i]->len);
    doca_priv_sha_hash_group(lane->kernels, algorithm, messages, num);
    for (i = 0; i < num; i++) {
        doca_priv_sha_put(&messages[i].state, algorithm, boxes[i]->to);
        doca_priv_sw_lane_answer(lane, boxes[i], DOCA_PRIV_SW_DONE);
    }
    return num;
}
#endif

/* Signal the PE, once per arming, if the lane is armed and has answers that were not reaped when it
 * was armed. The load of `armed` is ordered after the answer, as the PE sets `armed` before it
 * looks for answers. */
static void doca_priv_sw_lane_signal(struct doca_priv_sw_lane *lane)
{
    uint32_t armed = DOCA_PRIV_LOAD_ORDERED(&lane->armed);

    if (armed != 0 && armed != lane->signalled &&
        lane->num_done != DOCA_PRIV_LOAD(&lane->armed_at)) {
        lane->signalled = armed;
        (void)doca_priv_sys_event_signal(lane->fd);
    }
}

/* Execute at most `max` requests of a lane and return their number. Stop early when a thread waits
 * for the lock of the worker. */
static uint32_t doca_priv_sw_lane_serve(struct doca_priv_sw_lane *lane, uint32_t max)
{
    uint32_t num = 0, more;

    for (; num < max; num += more) {
        more = 0;
        DOCA_PRIV_WITH_SHA(if (DOCA_CORE_CHECK < 2 && lane->kernels != NULL)
                               more = doca_priv_sw_lane_hash(lane, max - num);)
        if (more == 0)
            more = doca_priv_sw_lane_execute(lane);
        if (more == 0)
            break;
        if (doca_unlikely(DOCA_PRIV_LOAD(&lane->armed) != 0))
            doca_priv_sw_lane_signal(lane);
        if (doca_unlikely(DOCA_PRIV_LOAD(&lane->worker->num_waiting) != 0))
            return num + more;
    }
    if (doca_unlikely(DOCA_PRIV_LOAD(&lane->armed) != 0))
        doca_priv_sw_lane_signal(lane);
    return num;
}

/* Take the lock of a lane for its worker, unless the thread of the PE has it. Return true when the
 * worker holds the lane. */
DOCA_PRIV_DECL bool doca_priv_sw_lane_hold(struct doca_priv_sw_lane *lane)
{
    if (!lane->is_held && DOCA_PRIV_TRY_LOCK(&lane->lock)) {
        lane->is_held = true;
        DOCA_PRIV_STORE(&lane->mode, (uint32_t)DOCA_PRIV_SW_AWAKE);
    }
    return lane->is_held;
}

/* True when the lane has a request. The load is ordered after the store of `mode`, as a post
 * stores the request before it reads the mode. */
static bool doca_priv_sw_lane_is_posted(const struct doca_priv_sw_lane *lane)
{
    return DOCA_PRIV_LOAD_ORDERED(&lane->boxes[lane->head].state) == DOCA_PRIV_SW_POSTED;
}

/* Leave a lane to the thread of the PE. If the lane is armed and has requests or unreported
 * answers, signal the PE, because its thread may sleep. */
static void doca_priv_sw_lane_release(struct doca_priv_sw_lane *lane)
{
    bool is_due;

    if (!lane->is_held)
        return;
    lane->is_held = false;
    DOCA_PRIV_STORE_ORDERED(&lane->mode, (uint32_t)DOCA_PRIV_SW_ABSENT);
    is_due = DOCA_PRIV_LOAD_ORDERED(&lane->armed) != 0 &&
             (doca_priv_sw_lane_is_posted(lane) ||
              lane->num_done != DOCA_PRIV_LOAD(&lane->armed_at));
    doca_priv_unlock(&lane->lock);
    if (is_due)
        (void)doca_priv_sys_event_signal(lane->fd);
}

/* ---- workers ---- */

/* Take the lock of a worker. A thread that serves the worker releases the lock soon, since it reads
 * num_waiting after each task. */
DOCA_PRIV_DECL void doca_priv_sw_worker_enter(struct doca_core_sw_worker *worker)
{
    (void)DOCA_PRIV_FETCH_ADD(&worker->num_waiting, 1u);
    doca_priv_lock(&worker->lock);
    (void)DOCA_PRIV_FETCH_ADD(&worker->num_waiting, UINT32_MAX);
}

DOCA_PRIV_DECL void doca_priv_sw_worker_leave(struct doca_core_sw_worker *worker)
{
    doca_priv_unlock(&worker->lock);
}

/* Give the lock of the worker to the threads that wait for it. */
static void doca_priv_sw_worker_step_aside(struct doca_core_sw_worker *worker)
{
    doca_priv_unlock(&worker->lock);
    while (DOCA_PRIV_LOAD(&worker->num_waiting) != 0) {
        DOCA_PRIV_PAUSE();
        DOCA_CORE_RELAX();
    }
    doca_priv_lock(&worker->lock);
}

/* Wake the worker if it sleeps. */
DOCA_PRIV_DECL void doca_priv_sw_worker_wake(struct doca_core_sw_worker *worker)
{
    if (DOCA_PRIV_LOAD(&worker->asleep) != 0) {
        DOCA_PRIV_STORE(&worker->asleep, 0u);
        doca_priv_sys_wake(&worker->asleep);
    }
}

/* Make one turn: execute up to DOCA_PRIV_SW_BURST tasks of each lane, and at most `max` in all.
 * Return their number. */
static uint32_t doca_priv_sw_worker_turn(struct doca_core_sw_worker *worker, uint32_t max)
{
    struct doca_priv_sw_lane *lane;
    uint32_t num = 0, left;

    for (lane = worker->lanes; lane != NULL; lane = lane->next) {
        left = max - num < DOCA_PRIV_SW_BURST ? max - num : DOCA_PRIV_SW_BURST;
        if (doca_priv_sw_lane_hold(lane))
            num += doca_priv_sw_lane_serve(lane, left);
    }
    return num;
}

/* Store `mode` in all lanes that the worker holds, and signal their PEs if necessary. Return true
 * when a lane has a request or the worker does not hold a lane. */
static bool doca_priv_sw_worker_set_mode(struct doca_core_sw_worker *worker, uint32_t mode)
{
    struct doca_priv_sw_lane *lane;
    bool is_busy = false;

    for (lane = worker->lanes; lane != NULL; lane = lane->next) {
        if (!lane->is_held) {
            is_busy = true;
            continue;
        }
        DOCA_PRIV_STORE_ORDERED(&lane->mode, mode);
        doca_priv_sw_lane_signal(lane);
        is_busy = is_busy || doca_priv_sw_lane_is_posted(lane);
    }
    return is_busy;
}

/* Sleep until a task is posted or the worker is stopped. The lock of the worker is free during the
 * sleep, so that other threads can add and remove lanes. */
static void doca_priv_sw_worker_sleep(struct doca_core_sw_worker *worker)
{
    worker->is_asleep = true;
    DOCA_PRIV_STORE_ORDERED(&worker->asleep, 1u);
    if (!doca_priv_sw_worker_set_mode(worker, DOCA_PRIV_SW_ASLEEP)) {
        doca_priv_unlock(&worker->lock);
        doca_priv_sys_sleep(&worker->asleep, 1);
        doca_priv_lock(&worker->lock);
    }
    worker->is_asleep = false;
    DOCA_PRIV_STORE(&worker->asleep, 0u);
    (void)doca_priv_sw_worker_set_mode(worker, DOCA_PRIV_SW_AWAKE);
}

/* Serve until the worker is stopped: turn after turn, with a pause and then a sleep when idle. */
static void doca_priv_sw_worker_loop(struct doca_core_sw_worker *worker)
{
    uint32_t idle = 0, max_idle;

    while (!worker->is_stopped) {
        max_idle = DOCA_PRIV_LOAD(&worker->max_idle);
        if (doca_priv_sw_worker_turn(worker, UINT32_MAX) > 0) {
            idle = 0;
        } else if (idle >= max_idle && max_idle != UINT32_MAX) {
            doca_priv_sw_worker_sleep(worker);
            idle = 0;
        } else if (idle++ >= DOCA_PRIV_SW_SPIN_TURNS) {
            DOCA_PRIV_PAUSE();
            DOCA_CORE_RELAX();
        }
        if (doca_unlikely(DOCA_PRIV_LOAD(&worker->num_waiting) != 0))
            doca_priv_sw_worker_step_aside(worker);
    }
}

/* Leave all lanes to the threads of their PEs. */
static void doca_priv_sw_worker_end(struct doca_core_sw_worker *worker)
{
    struct doca_priv_sw_lane *lane;

    for (lane = worker->lanes; lane != NULL; lane = lane->next)
        doca_priv_sw_lane_release(lane);
    worker->is_serving = false;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_run(struct doca_core_sw_worker *worker)
{
    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER))
        return DOCA_PRIV_FAIL_HANDLE(worker);
    doca_priv_sw_worker_enter(worker);
    if (worker->is_running) {
        doca_priv_sw_worker_leave(worker);
        return DOCA_PRIV_FAIL(IN_USE, SW_WORKER_RUNS, worker);
    }
    worker->is_running = true;
    worker->is_serving = true;
    doca_priv_sw_worker_loop(worker);
    worker->is_stopped = false;
    worker->is_running = false;
    doca_priv_sw_worker_end(worker);
    doca_priv_sw_worker_leave(worker);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL uint32_t doca_core_sw_worker_step(struct doca_core_sw_worker *worker,
                                                 uint32_t max_tasks)
{
    uint32_t num = 0, more;

    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER)) {
        (void)DOCA_PRIV_FAIL_HANDLE(worker);
        return 0;
    }
    doca_priv_sw_worker_enter(worker);
    if (worker->is_running) {
        doca_priv_sw_worker_leave(worker);
        (void)DOCA_PRIV_FAIL(IN_USE, SW_WORKER_RUNS, worker);
        return 0;
    }
    worker->is_serving = true;
    worker->is_stopped = false;
    do {
        more = doca_priv_sw_worker_turn(worker, max_tasks - num);
        num += more;
    } while (more > 0 && num < max_tasks && DOCA_PRIV_LOAD(&worker->num_waiting) == 0);
    (void)doca_priv_sw_worker_set_mode(worker, DOCA_PRIV_SW_AWAKE);
    doca_priv_sw_worker_leave(worker);
    return num;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_stop(struct doca_core_sw_worker *worker)
{
    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER))
        return DOCA_PRIV_FAIL_HANDLE(worker);
    doca_priv_sw_worker_enter(worker);
    worker->is_stopped = true;
    if (worker->is_running)
        doca_priv_sw_worker_wake(worker);
    else
        doca_priv_sw_worker_end(worker);
    doca_priv_sw_worker_leave(worker);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_set_max_idle_turns(
    struct doca_core_sw_worker *worker, uint32_t num_turns)
{
    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER))
        return DOCA_PRIV_FAIL_HANDLE(worker);
    DOCA_PRIV_STORE(&worker->max_idle, num_turns);
    return DOCA_SUCCESS;
}

/* True when the device can have workers. Only devices of this backend can have workers, because
 * their dev->backend_data is the list of their workers, protected by doca_priv_world.lock. (Other
 * backends may let this backend open queues for their devices.) */
DOCA_PRIV_DECL bool doca_priv_sw_has_workers(const struct doca_dev *dev)
{
    return dev->info.backend == doca_core_sw_backend();
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sw_worker(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_core_sw_worker), bytes, __func__);
}

/* Create a worker. An `arena` of NULL stands for the arena of the device. */
static doca_error_t doca_priv_sw_worker_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                               struct doca_core_sw_worker **worker,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, worker, function);
    struct doca_core_sw_worker *w, *other;
    void *block = NULL;
    uint32_t num = 0;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_sw_has_workers(dev))
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_SW_WORKER_DEV, function,
                              dev);
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*w), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    w = (struct doca_core_sw_worker *)block;
    doca_priv_object_init(&w->obj, DOCA_PRIV_KIND_SW_WORKER);
    /* analyzer: analyzer-null-dereference: an arena that gave a block is not a counting one */
    w->pid = doca_priv_sys_pid();
    w->arena = arena;
    w->dev = dev;
    w->max_idle = DOCA_PRIV_SW_MAX_IDLE;
    doca_priv_lock(&doca_priv_world.lock);
    w->next = (struct doca_core_sw_worker *)dev->backend_data;
    for (other = w->next; other != NULL; other = other->next)
        num += other->pid == w->pid;
    if (num < DOCA_CORE_SW_MAX_WORKERS) {
        dev->backend_data = w;
        dev->num_users++;
    }
    doca_priv_unlock(&doca_priv_world.lock);
    if (num < DOCA_CORE_SW_MAX_WORKERS) {
        *worker = w;
        return DOCA_SUCCESS;
    }
    (void)doca_priv_object_give(arena, &w->obj);
    return doca_priv_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_SW_WORKER_FULL, function, dev);
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_create_in(struct doca_core_arena *arena,
                                                          struct doca_dev *dev,
                                                          struct doca_core_sw_worker **worker)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, worker, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_sw_worker_create(arena, dev, worker, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_create(struct doca_dev *dev,
                                                       struct doca_core_sw_worker **worker)
{
    return doca_priv_sw_worker_create(NULL, dev, worker, __func__);
}

/* Remove a worker from the list of its device. If queues use the worker, leave it in the list and
 * return false. */
static bool doca_priv_sw_worker_unlist(struct doca_core_sw_worker *worker)
{
    struct doca_dev *dev = worker->dev;
    struct doca_core_sw_worker *other;
    bool is_busy;

    doca_priv_lock(&doca_priv_world.lock);
    is_busy = worker->num_queues > 0;
    if (!is_busy) {
        other = (struct doca_core_sw_worker *)dev->backend_data;
        if (other == worker) {
            dev->backend_data = worker->next;
        } else {
            while (other->next != worker)
                other = other->next;
            other->next = worker->next;
        }
        dev->num_users--;
    }
    doca_priv_unlock(&doca_priv_world.lock);
    return !is_busy;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_destroy(struct doca_core_sw_worker *worker)
{
    bool is_running;

    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER))
        return DOCA_PRIV_FAIL_HANDLE(worker);
    doca_priv_sw_worker_enter(worker);
    is_running = worker->is_running;
    doca_priv_sw_worker_leave(worker);
    if (is_running)
        return DOCA_PRIV_FAIL(IN_USE, SW_WORKER_RUNS, worker);
    if (!doca_priv_sw_worker_unlist(worker))
        return DOCA_PRIV_FAIL(IN_USE, SW_WORKER_BUSY, worker);
    return doca_priv_object_give(worker->arena, &worker->obj);
}

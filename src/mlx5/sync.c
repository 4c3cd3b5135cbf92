/* ---- >>mlx5.sync ----------------------------------------------------------------------------
 * Queues of sync events.
 * Tasks that read or update the value are in slots, with one WQE each; the 8 bytes that an RDMA
 * READ or FETCH_ADD returns are written into the slot. (It is assumed that the device reads and
 * writes 8 aligned bytes atomically.)
 * Waiting tasks are not in slots but in two lists. `waits` contains the tasks that the latest read
 * of the value is for. `fresh` contains tasks that were submitted after this read had started: its
 * result must not complete them. If the CPU cannot access the value, each read for waiting tasks
 * (a `probe`) is an RDMA READ in a slot without a task. Between two probes the queue waits for a
 * number of polls or, while it is armed, for a time interval.
 * Polling alternates between the tasks in slots and the waiting tasks, so that neither kind can
 * keep the other from completing.                                                               */
#include "mlx5/sync_priv.h"

#include "mlx5/api.h"
#include "mlx5/device_priv.h"
#include "mlx5/dm_priv.h"
#include "mlx5/dma_priv.h"
#include "mlx5/event_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/layout_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/poll_priv.h"
#include "mlx5/queue_priv.h"
#include "mlx5/sys.h"

#define DOCA_PRIV_MLX5_MAX_SKIPS 255 /* largest number of polls between two READs */
#define DOCA_PRIV_MLX5_CLOCK 1       /* CLOCK_MONOTONIC of Linux */

DOCA_PRIV_MLX5_ASSERT(sync, sizeof(struct doca_priv_mlx5_sync) + DOCA_PRIV_MLX5_OPAQUE_BYTES +
                                    DOCA_PRIV_MLX5_DBRECS_BYTES <=
                                DOCA_PRIV_MLX5_SYNC_BYTES);

static struct doca_priv_mlx5_sync *doca_priv_mlx5_sync_of(struct doca_core_queue *queue)
{
    return (struct doca_priv_mlx5_sync *)(void *)queue;
}

static void doca_priv_mlx5_waits_add(struct doca_priv_mlx5_waits *waits, struct doca_task *task)
{
    task->next = NULL;
    *waits->end = task;
    waits->end = &task->next;
}

/* Remove the task that *link points to from its list, and return it. */
static struct doca_task *doca_priv_mlx5_waits_take(struct doca_priv_mlx5_waits *waits,
                                                   struct doca_task **link)
{
    struct doca_task *task = *link;

    /* analyzer: core.NullDereference: callers pass the link of an existing task */
    *link = task->next;
    if (*link == NULL)
        waits->end = link;
    return task;
}

/* Append the fresh tasks to `waits`, because the probe that begins counts for them. */
static void doca_priv_mlx5_sync_add_fresh(struct doca_priv_mlx5_sync *s)
{
    if (s->fresh.first == NULL)
        return;
    *s->waits.end = s->fresh.first;
    s->waits.end = s->fresh.end;
    s->fresh.first = NULL;
    s->fresh.end = &s->fresh.first;
}

static bool doca_priv_mlx5_sync_has_waits(const struct doca_priv_mlx5_sync *s)
{
    return s->waits.first != NULL || s->fresh.first != NULL;
}

/* True when `value` satisfies the condition of a waiting task. */
static bool doca_priv_mlx5_sync_is_met(const struct doca_task *task, uint64_t value)
{
    const struct doca_sync_event_task_wait_gt *t =
        (const struct doca_sync_event_task_wait_gt *)(const void *)task;

    value &= t->mask;
    return task->type == DOCA_CORE_EVENT_WAIT_GT
               ? value > t->wait_val
               : (value == t->wait_val) == (task->type == DOCA_CORE_EVENT_WAIT_EQ);
}

/* Return the link to the first task in `waits` whose condition `value` satisfies. If `value`
 * satisfies no condition, return the link at the end of the list; it contains NULL. */
static struct doca_task **doca_priv_mlx5_sync_find_met(struct doca_priv_mlx5_waits *waits,
                                                       uint64_t value)
{
    struct doca_task **link = &waits->first;

    while (*link != NULL && !doca_priv_mlx5_sync_is_met(*link, value))
        link = &(*link)->next;
    return link;
}

/* True when a poll would complete one of the waiting tasks. */
DOCA_PRIV_DECL bool doca_priv_mlx5_sync_has_ready(struct doca_priv_mlx5_sync *s)
{
    uint64_t value;

    if (!doca_priv_mlx5_sync_has_waits(s))
        return false;
    if (s->q.is_flushed || doca_priv_mlx5_is_fatal(s->q.dev))
        return true;
    if (s->cpu_addr == NULL)
        return s->is_value_unchecked && *doca_priv_mlx5_sync_find_met(&s->waits, s->value) != NULL;
    value = __atomic_load_n(s->cpu_addr, __ATOMIC_ACQUIRE);
    return *doca_priv_mlx5_sync_find_met(&s->waits, value) != NULL ||
           *doca_priv_mlx5_sync_find_met(&s->fresh, value) != NULL;
}

/* Describe in *a what the device does for the task of a slot. A slot without a task stands for a
 * probe: an RDMA READ. */
static void doca_priv_mlx5_sync_access(const struct doca_priv_mlx5_sync *s,
                                       struct doca_priv_mlx5_slot *slot,
                                       struct doca_priv_mlx5_access_8 *a)
{
    const struct doca_task *task = slot->task;

    memset(a, 0, sizeof(*a));
    a->opcode = DOCA_PRIV_MLX5_OPCODE_RDMA_READ;
    a->addr = s->addr;
    a->rkey = s->rkey;
    a->cell = (uintptr_t)&slot->bytes;
    a->lkey = s->q.opaque_mr->lkey;
    if (task != NULL && task->type == DOCA_CORE_EVENT_NOTIFY_SET) {
        a->opcode = DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE;
        a->operand =
            ((const struct doca_sync_event_task_notify_set *)(const void *)task)->set_val;
    } else if (task != NULL && task->type == DOCA_CORE_EVENT_NOTIFY_ADD) {
        a->opcode = DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA;
        a->operand =
            ((const struct doca_sync_event_task_notify_add *)(const void *)task)->inc_val;
    }
}

/* True when a WQE with this opcode must not be posted yet. With VERBS the order is ensured here,
 * without fence flags, because soft-RoCE of Linux 6.1 can hang on a fence. A write must wait while
 * a READ or an addition is in flight, and an addition must wait while a READ is in flight. Other
 * combinations take effect in order without a wait. */
static bool doca_priv_mlx5_sync_is_fenced(const struct doca_priv_mlx5_sync *s, uint32_t opcode)
{
    uint32_t end = opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE  ? s->fetches
                   : opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA ? s->reads
                                                               : s->q.sq_ci;

    return s->q.engine == DOCA_CORE_MLX5_ENGINE_VERBS &&
           end - s->q.sq_ci - 1 < s->q.sq_pi - s->q.sq_ci; /* true when `end` is after sq_ci */
}

/* Post the access that doca_priv_mlx5_sync_access() has prepared, through verbs. Return 0 or an
 * errno. */
static int doca_priv_mlx5_sync_send_wr(const struct doca_priv_mlx5_queue *q,
                                       struct doca_priv_mlx5_access_8 *a)
{
    struct ibv_send_wr wr;
    struct ibv_sge sge;

    memset(&wr, 0, sizeof(wr));
    sge.addr = a->cell;
    sge.length = sizeof(a->operand);
    sge.lkey = a->lkey;
    wr.wr_id = q->sq_pi & 0xffff;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.send_flags = IBV_SEND_SIGNALED;
    if (a->opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA) {
        wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
        wr.wr.atomic.remote_addr = a->addr;
        wr.wr.atomic.rkey = a->rkey;
        wr.wr.atomic.compare_add = a->operand;
    } else {
        wr.opcode = IBV_WR_RDMA_READ;
        wr.wr.rdma.remote_addr = a->addr;
        wr.wr.rdma.rkey = a->rkey;
    }
    if (a->opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE) {
        wr.opcode = IBV_WR_RDMA_WRITE;
        wr.send_flags |= IBV_SEND_INLINE;
        sge.addr = (uintptr_t)&a->operand;
    }
    return doca_priv_mlx5.sys->post_send(q->qp, &wr);
}

/* Start the task or probe of the oldest waiting slot. Returns false when it cannot start at the
 * moment. */
static bool doca_priv_mlx5_sync_start(struct doca_priv_mlx5_sync *s,
                                      struct doca_priv_mlx5_slot *slot)
{
    struct doca_priv_mlx5_queue *q = &s->q;
    struct doca_priv_mlx5_access_8 a;
    int error = 0;

    doca_priv_mlx5_sync_access(s, slot, &a);
    if (q->sq_pi - q->sq_ci >= q->max_wqes || doca_priv_mlx5_sync_is_fenced(s, a.opcode))
        return false;
    if (doca_unlikely(doca_priv_mlx5_is_fatal(q->dev))) {
        doca_priv_mlx5_refuse(q, slot, DOCA_CORE_ITEM_MLX5_FATAL);
    } else {
        if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS)
            error = doca_priv_mlx5_sync_send_wr(q, &a);
        else
            doca_priv_mlx5_pack_access_8(
                q->sq + (size_t)(q->sq_pi & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB, q->qp->qp_num,
                q->sq_pi, &a);
        if (doca_unlikely(error != 0)) {
            doca_priv_mlx5_fail_post(q, slot, error);
        } else {
            slot->last = q->sq_pi++;
            slot->kind = DOCA_PRIV_MLX5_POSTED;
            if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS)
                q->sq_pi_rung = q->sq_pi;
            if (a.opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_READ)
                s->reads = q->sq_pi;
            if (a.opcode != DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE)
                s->fetches = q->sq_pi;
        }
    }
    q->num_waiting--;
    return true;
}

/* Put a task into the next slot, or a probe if `task` is NULL, and start it if it can start. */
static void doca_priv_mlx5_sync_submit(struct doca_priv_mlx5_sync *s, struct doca_task *task)
{
    struct doca_priv_mlx5_slot *slot =
        doca_priv_mlx5_slot_add(&s->q, task, DOCA_PRIV_MLX5_WAITING);

    if (++s->q.num_waiting == 1 && doca_likely(!s->q.is_broken))
        (void)doca_priv_mlx5_sync_start(s, slot);
}

/* Return the address that the task's result is written to. The program must have set it before
 * submit. */
static uint64_t *doca_priv_mlx5_sync_result(struct doca_task *task)
{
    return task->type == DOCA_CORE_EVENT_GET
               ? ((struct doca_sync_event_task_get *)(void *)task)->ret_val_ptr
               : ((struct doca_sync_event_task_notify_add *)(void *)task)->fetched_val_ptr;
}

static bool doca_priv_mlx5_sync_has_result(const struct doca_task *task)
{
    return task->type == DOCA_CORE_EVENT_GET || task->type == DOCA_CORE_EVENT_NOTIFY_ADD;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_sync_post(struct doca_core_queue *queue,
                                                     struct doca_task *task)
{
    struct doca_priv_mlx5_sync *s = doca_priv_mlx5_sync_of(queue);

    /* This queue does not defer tasks: a deferred task that is refused here could complete before
     * the core calls queue_ring(). */
    if (task->more == DOCA_CORE_MORE_LATER)
        return DOCA_ERROR_AGAIN;
    if (doca_unlikely(doca_priv_mlx5_sync_has_result(task) &&
                      doca_priv_mlx5_sync_result(task) == NULL)) {
        doca_priv_mlx5_ring(&s->q);
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (task->type >= DOCA_CORE_EVENT_WAIT_GT) {
        doca_priv_mlx5_waits_add(&s->fresh, task);
        s->next_skips = 0;
        s->skips = 0;
        if (s->is_armed)
            doca_priv_mlx5_sync_arm(s, true);
    } else {
        doca_priv_mlx5_sync_submit(s, task);
    }
    if (task->more == DOCA_CORE_MORE_NONE)
        doca_priv_mlx5_ring(&s->q);
    return DOCA_SUCCESS;
}

/* Return the status of the task or probe in a slot, and write the task's result. */
static doca_error_t doca_priv_mlx5_sync_status(const struct doca_priv_mlx5_queue *q,
                                               const struct doca_priv_mlx5_slot *slot)
{
    if (slot->kind == DOCA_PRIV_MLX5_REFUSED)
        return doca_priv_mlx5_fail_refused(slot);
    if (slot->kind == DOCA_PRIV_MLX5_WAITING)
        return doca_priv_mlx5_fail(slot, q->status, DOCA_CORE_ITEM_FLUSHED);
    if (doca_unlikely(slot->syndrome != 0))
        return doca_priv_mlx5_task_status(q, slot);
    if (slot->task != NULL && doca_priv_mlx5_sync_has_result(slot->task))
        *doca_priv_mlx5_sync_result(slot->task) = slot->bytes;
    return DOCA_SUCCESS;
}

/* Complete the first waiting task with `rc`, because a probe has failed or the queue was
 * aborted. */
static struct doca_task *doca_priv_mlx5_sync_fail(struct doca_priv_mlx5_sync *s, doca_error_t rc)
{
    struct doca_task *task;

    doca_priv_mlx5_sync_add_fresh(s);
    task = doca_priv_mlx5_waits_take(&s->waits, &s->waits.first);
    task->status = (uint8_t)rc;
    return task;
}

/* Handle a finished probe: store the value that it has read and free its slot. If it failed,
 * complete the first waiting task with the error and return that task, else NULL. */
static struct doca_task *doca_priv_mlx5_sync_probe_done(struct doca_priv_mlx5_sync *s,
                                                        struct doca_priv_mlx5_slot *slot)
{
    doca_error_t rc = DOCA_SUCCESS;

    s->is_probing = false;
    if (!s->q.is_flushed) {
        slot->task = s->waits.first; /* the task that is named in the report of a failure */
        if (slot->syndrome != 0 || slot->kind != DOCA_PRIV_MLX5_POSTED)
            rc = doca_priv_mlx5_sync_status(&s->q, slot);
        if (s->value != slot->bytes)
            s->next_skips = 0;
        s->value = slot->bytes;
        s->is_value_unchecked = rc == DOCA_SUCCESS;
    }
    slot->kind = DOCA_PRIV_MLX5_EMPTY;
    s->q.oldest = slot + 1 != s->q.end ? slot + 1 : s->q.slots;
    return rc != DOCA_SUCCESS ? doca_priv_mlx5_sync_fail(s, rc) : NULL;
}

/* Return the task of the oldest slot if it has finished, and start slots that wait. */
static struct doca_task *doca_priv_mlx5_sync_poll_slot(struct doca_priv_mlx5_sync *s)
{
    struct doca_priv_mlx5_queue *q = &s->q;
    struct doca_priv_mlx5_slot *slot = q->oldest;
    struct doca_task *task;
    bool started = false;

    if (slot->kind == DOCA_PRIV_MLX5_EMPTY)
        return NULL;
    if (slot->kind == DOCA_PRIV_MLX5_POSTED && !doca_priv_mlx5_is_done(q, slot) &&
        !doca_priv_mlx5_is_lost(q, slot))
        return NULL;
    if (slot->kind == DOCA_PRIV_MLX5_WAITING) {
        if (!q->is_broken)
            return NULL;
        q->num_waiting--;
    }
    task = slot->task == NULL
               ? doca_priv_mlx5_sync_probe_done(s, slot)
               : doca_priv_mlx5_slot_complete(q, slot, doca_priv_mlx5_sync_status(q, slot));
    while (doca_unlikely(q->num_waiting > 0) && !q->is_broken &&
           doca_priv_mlx5_sync_start(s, doca_priv_mlx5_oldest_waiting(q)))
        started = true;
    /* If no task was started here, tasks submitted without FLUSH stay without a doorbell. */
    if (started)
        doca_priv_mlx5_ring(q);
    return task;
}

/* Return the first waiting task whose condition holds for the value that was last read. */
static struct doca_task *doca_priv_mlx5_sync_take_met(struct doca_priv_mlx5_sync *s)
{
    struct doca_task **link, *task;
    uint64_t value;

    if (!doca_priv_mlx5_sync_has_waits(s) || s->q.is_flushed)
        return NULL;
    if (s->cpu_addr != NULL) {
        value = __atomic_load_n(s->cpu_addr, __ATOMIC_ACQUIRE);
        s->is_value_unchecked = s->is_value_unchecked || s->fresh.first != NULL ||
                                value != s->value;
        s->value = value;
        doca_priv_mlx5_sync_add_fresh(s);
    }
    if (!s->is_value_unchecked)
        return NULL;
    link = doca_priv_mlx5_sync_find_met(&s->waits, s->value);
    s->is_value_unchecked = *link != NULL;
    if (*link == NULL)
        return NULL;
    task = doca_priv_mlx5_waits_take(&s->waits, link);
    task->status = DOCA_SUCCESS;
    return task;
}

/* Start a probe for the waiting tasks, unless it is too early or no probe is needed. */
static void doca_priv_mlx5_sync_probe(struct doca_priv_mlx5_sync *s)
{
    if (s->cpu_addr != NULL || s->is_probing || s->is_value_unchecked || s->q.is_broken ||
        !doca_priv_mlx5_sync_has_waits(s))
        return;
    if (s->skips > 0) {
        s->skips--;
        return;
    }
    doca_priv_mlx5_sync_add_fresh(s);
    s->is_probing = true;
    doca_priv_mlx5_sync_submit(s, NULL);
    doca_priv_mlx5_ring(&s->q);
    s->skips = s->next_skips;
    s->next_skips =
        s->next_skips < DOCA_PRIV_MLX5_MAX_SKIPS ? 2 * s->next_skips + 1 : DOCA_PRIV_MLX5_MAX_SKIPS;
}

/* Complete a waiting task with an error after a flush or a failure of the device, once all slots
 * are empty. */
static struct doca_task *doca_priv_mlx5_sync_abort(struct doca_priv_mlx5_sync *s)
{
    struct doca_priv_mlx5_queue *q = &s->q;
    doca_error_t rc;

    if (!doca_priv_mlx5_sync_has_waits(s) || q->oldest->kind != DOCA_PRIV_MLX5_EMPTY)
        return NULL;
    if (doca_likely(!q->is_flushed && !doca_priv_mlx5_is_fatal(q->dev)))
        return NULL;
    doca_priv_mlx5_sync_add_fresh(s);
    rc = q->is_flushed
             ? doca_core_backend_fail(q->status, DOCA_CORE_ITEM_FLUSHED, "doca_pe_progress",
                                      s->waits.first, 0)
             : doca_core_backend_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_FATAL,
                                      "doca_pe_progress", s->waits.first, 0);
    return doca_priv_mlx5_sync_fail(s, rc);
}

DOCA_PRIV_DECL struct doca_task *doca_priv_mlx5_sync_poll(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_sync *s = doca_priv_mlx5_sync_of(queue);
    struct doca_task *task = NULL;

    if (s->waits_first) {
        task = doca_priv_mlx5_sync_take_met(s);
        doca_priv_mlx5_sync_probe(s);
    }
    s->waits_first = false;
    if (task == NULL) {
        task = doca_priv_mlx5_sync_poll_slot(s);
        s->waits_first = task != NULL;
    }
    if (task == NULL)
        task = doca_priv_mlx5_sync_take_met(s);
    if (task == NULL)
        doca_priv_mlx5_sync_probe(s);
    return task != NULL ? task : doca_priv_mlx5_sync_abort(s);
}

/* Set or stop the timer. While the queue is armed, tasks wait and no READ is in flight, the timer
 * wakes the sleeping thread, so that it polls and reads the value. */
DOCA_PRIV_DECL void doca_priv_mlx5_sync_arm(struct doca_priv_mlx5_sync *s, bool armed)
{
    const bool is_on = armed && doca_priv_mlx5_sync_has_waits(s) && !s->is_probing;
    struct itimerspec spec;

    s->is_armed = armed;
    if (!is_on && !s->is_timed)
        return;
    memset(&spec, 0, sizeof(spec));
    if (is_on) {
        spec.it_value.tv_nsec = 1000L * (50 + 4 * (long)s->next_skips);
        s->skips = 0; /* the poll that the timer causes reads the value at once */
        if (s->cpu_addr != NULL)
            s->next_skips = s->next_skips < DOCA_PRIV_MLX5_MAX_SKIPS ? 2 * s->next_skips + 1
                                                                     : DOCA_PRIV_MLX5_MAX_SKIPS;
    }
    (void)timerfd_settime(s->timer, 0, &spec, NULL);
    s->is_timed = is_on;
}

/* Acquire what a queue of a sync event needs in addition to its queue pairs. Returns false on
 * failure; errno and *why then say what failed. */
DOCA_PRIV_DECL bool doca_priv_mlx5_sync_open(struct doca_priv_mlx5_sync *s,
                                             const struct doca_core_event_place *place,
                                             struct doca_core_refusal *why)
{
    const unsigned rights = DOCA_PRIV_MLX5_SYNC_ACCESS | (unsigned)IBV_ACCESS_LOCAL_WRITE;
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_queue *q = &s->q;
    struct doca_priv_mlx5_dm *dm;

    s->waits.end = &s->waits.first;
    s->fresh.end = &s->fresh.first;
    s->addr = (uintptr_t)place->addr;
    s->cpu_addr = place->here;
    s->rkey = place->internal_mkey != 0 ? place->internal_mkey : place->mkey;
    errno = 0;
    why->step = DOCA_PRIV_MLX5_TEXT("register the memory for results");
    q->opaque_mr =
        sys->reg_mr(q->dev->pd, q->slots, (size_t)(q->end - q->slots) * sizeof(*q->slots),
                    IBV_ACCESS_LOCAL_WRITE);
    if (q->opaque_mr == NULL)
        return false;
    why->step = DOCA_PRIV_MLX5_TEXT("register the event's value");
    if (place->mmap->is_on_dev) {
        dm = doca_priv_mlx5_dm_find(q->dev, place->mkey, false);
        if (dm == NULL)
            return false;
        s->mr = sys->reg_dm_mr(q->dev->pd, dm->dm, doca_priv_mlx5_dm_bytes(place->mmap->len),
                               rights | (unsigned)IBV_ACCESS_ZERO_BASED);
    } else if (!place->mmap->is_imported) {
        s->mr = sys->reg_mr(q->dev->pd, place->addr, sizeof(*place->here), rights);
    }
    if (s->mr == NULL && !place->mmap->is_imported)
        return false;
    if (s->mr != NULL)
        s->rkey = s->mr->rkey;
    why->step = DOCA_PRIV_MLX5_TEXT("open a timer (timerfd_create)");
    s->timer = doca_core_backend_keep_fd(
        timerfd_create(DOCA_PRIV_MLX5_CLOCK, TFD_NONBLOCK | TFD_CLOEXEC));
    return s->timer >= 0 && doca_priv_mlx5_watch(q, EPOLL_CTL_ADD, s->timer, true) == 0;
}

DOCA_PRIV_DECL int doca_priv_mlx5_sync_close(struct doca_priv_mlx5_sync *s)
{
    if (s->timer >= 0)
        (void)close(s->timer);
    return s->mr != NULL ? doca_priv_mlx5.sys->dereg_mr(s->mr) : 0;
}

/* ---- >>impl.fault.queue ---------------------------------------------------------------------
 * A queue with fault injection. Its memory consists of its head, an entry for each task, and the
 * queue of the inner backend.
 * A task that a fault concerns has an entry. While the device has the task, the entry is in
 * `planned`, in the order of submission. An entry is in `finished`, in the order of finishing, when
 * the device has finished the task but the task must still wait. A task that must fail is *parked*:
 * its entry is in `planned`, but the inner queue never gets the task. The task completes when the
 * inner queue has returned all tasks before it; in queues of sync events it completes at once.
 * In a queue whose wrapper has set_fate, a task that must fail is *doomed* instead: the inner queue
 * gets the task together with its error. Instead of executing the task, the inner queue ends the
 * task with this error.
 * The inner queue can also return events of its context (DOCA_PRIV_TASK_EVENT). The program has not
 * posted them, so this queue returns them at once and does not count them.                      */
#include "fault/queue_priv.h"

#include "base/clock_priv.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "object/hot.h"
#include "device/backend.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "memory/mmap_get_priv.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "engine/dma.h"
#include "fault/fault.h"
#include "fault/plan_priv.h"
#include "fault/text_priv.h"

enum { /* flags of an entry */
    DOCA_PRIV_FAULT_PARKED = 1,   /* the task must fail, and the inner queue never gets it */
    DOCA_PRIV_FAULT_LOSES = 2,    /* the device is lost when the task completes */
    DOCA_PRIV_FAULT_CUT = 4,      /* during calls of the inner queue, the task's source is `cut` */
    DOCA_PRIV_FAULT_HELD = 8,     /* the task waits for doca_core_fault_release() */
    DOCA_PRIV_FAULT_DELAYED = 16, /* the task waits for a number of polls */
    DOCA_PRIV_FAULT_TIMED = 32,   /* the task waits for a time, in ns */
    DOCA_PRIV_FAULT_BEHIND = 64,  /* the task waits for a number of completions */
    DOCA_PRIV_FAULT_DOOMED = 128  /* the task must fail, and the inner queue gets it */
};

#define DOCA_PRIV_FAULT_FLIPPED 16 /* flip inverts bits only in the last bytes, this many */

DOCA_PRIV_ASSERT_STATIC(
    fault_queue_is_counted,
    sizeof(struct doca_priv_fault_queue) <= DOCA_PRIV_FAULT_HEAD &&
        sizeof(struct doca_priv_fault_entry) <= DOCA_PRIV_FAULT_ENTRY &&
        DOCA_PRIV_FAULT_HEAD + 7 * DOCA_PRIV_FAULT_ENTRY == DOCA_CORE_BYTES_FAULT_QUEUE(7));

DOCA_PRIV_DECL struct doca_priv_fault_queue *doca_priv_fault_q(struct doca_core_queue *queue)
{
    return (struct doca_priv_fault_queue *)(void *)queue;
}

DOCA_PRIV_DECL void doca_priv_fault_list_init(struct doca_priv_fault_list *list)
{
    list->first = NULL;
    list->end = &list->first;
}

static const struct doca_priv_fault_wrapper *
doca_priv_fault_own_wrapper(const struct doca_priv_fault_queue *q)
{
    return (const struct doca_priv_fault_wrapper *)(const void *)q->queue.backend;
}

static void doca_priv_fault_list_add(struct doca_priv_fault_list *list,
                                     struct doca_priv_fault_entry *entry)
{
    entry->next = NULL;
    *list->end = entry;
    list->end = &entry->next;
}

static struct doca_priv_fault_entry *doca_priv_fault_list_take(struct doca_priv_fault_list *list,
                                                               struct doca_priv_fault_entry **link)
{
    struct doca_priv_fault_entry *entry = *link;

    *link = entry->next;
    if (*link == NULL)
        list->end = link;
    return entry;
}

DOCA_PRIV_DECL void doca_priv_fault_entry_free(struct doca_priv_fault_queue *q,
                                               struct doca_priv_fault_entry *entry)
{
    q->num_altered -= (entry->flags & DOCA_PRIV_FAULT_CUT) != 0 || entry->flips > 0;
    entry->next = q->free_entries;
    q->free_entries = entry;
}

/* True when the time or the poll number `when` is reached. */
static bool doca_priv_fault_is_due(const struct doca_priv_fault_queue *q, uint64_t when,
                                   bool is_time)
{
    return is_time ? doca_priv_sys_now() >= when : q->num_polls >= when;
}

/* Return the time or the poll number that is `delay` later. */
static uint64_t doca_priv_fault_when(const struct doca_priv_fault_queue *q, uint64_t delay,
                                     bool is_time)
{
    return (is_time ? doca_priv_sys_now() : q->num_polls) + delay;
}

/* True while a rule delays the opening or the flush of the queue. */
static bool doca_priv_fault_is_quiet(struct doca_priv_fault_queue *q)
{
    if (q->is_quiet && doca_priv_fault_is_due(q, q->quiet_until, q->is_quiet_timed))
        q->is_quiet = false;
    return q->is_quiet;
}

/* Make the queue quiet for the delay of the verdict, if it has a delay. */
DOCA_PRIV_DECL void doca_priv_fault_make_quiet(struct doca_priv_fault_queue *q,
                                               const struct doca_priv_fault_verdict *v)
{
    q->is_quiet = (v->actions & DOCA_PRIV_FAULT_BIT(DELAY)) != 0;
    q->is_quiet_timed = v->is_time;
    q->quiet_until = q->is_quiet ? doca_priv_fault_when(q, v->delay, v->is_time) : 0;
    if (!v->is_time)
        q->quiet_until++; /* this call is between two polls: a delay of 0 ends with the next poll */
}

/* ---- the device breaks down ---- */

static void doca_priv_fault_flush_inner(struct doca_priv_fault_queue *q, doca_error_t status)
{
    if (!q->is_flushed)
        q->ops->queue_flush(q->inner, status);
    q->is_flushed = true;
}

/* True when the device is lost. The first time that a queue notices this, it flushes the inner
 * queue. */
static bool doca_priv_fault_is_lost(struct doca_priv_fault_queue *q)
{
    q->is_lost = q->is_lost || doca_priv_fault_is_dev_lost(q->queue.dev);
    if (q->is_lost)
        doca_priv_fault_flush_inner(q, DOCA_ERROR_DRIVER);
    return q->is_lost;
}

/* Mark the device of a queue as lost; or the queue itself, if it has no device. */
static void doca_priv_fault_lose(struct doca_priv_fault_queue *q)
{
    if (q->queue.dev != NULL && !doca_priv_fault_is_dev_lost(q->queue.dev)) {
        doca_priv_lock(&doca_priv_fault.lock);
        doca_priv_fault.lost |= q->queue.dev->bit;
        doca_priv_unlock(&doca_priv_fault.lock);
        doca_core_backend_dev_failed(q->queue.dev);
    }
    q->is_lost = true;
    (void)doca_priv_fault_is_lost(q);
}

/* ---- post ---- */

/* Prepare a shortened copy of the first source buffer, with at most `bytes` bytes. The task must
 * begin as a memcpy task does. */
static void doca_priv_fault_truncate(struct doca_priv_fault_entry *entry, uint64_t bytes)
{
    entry->src = ((const struct doca_dma_task_memcpy *)(void *)entry->task)->src;
    entry->cut = *entry->src;
    entry->cut.next = NULL;
    entry->cut.last = &entry->cut;
    entry->cut.flags = (uint8_t)(entry->cut.flags & ~DOCA_PRIV_BUF_LIST);
    if (entry->cut.data_len > bytes)
        entry->cut.data_len = (size_t)bytes;
    entry->flags |= DOCA_PRIV_FAULT_CUT;
}

/* Replace the source of a truncated task by the shortened copy, or restore the original. The copy
 * is in place only during calls of the inner queue. */
static void doca_priv_fault_set_cut(struct doca_priv_fault_entry *entry, bool is_cut)
{
    if ((entry->flags & DOCA_PRIV_FAULT_CUT) != 0)
        ((struct doca_dma_task_memcpy *)(void *)entry->task)->src = is_cut ? &entry->cut
                                                                           : entry->src;
}

/* Store where the output of the task will begin if the task is executed next: in the first
 * destination buffer with room. The result is NULL if this process cannot write to that memory. */
static void doca_priv_fault_note_dst(struct doca_priv_fault_entry *entry)
{
    struct doca_buf *dst = ((struct doca_dma_task_memcpy *)(void *)entry->task)->dst;

    while (dst != NULL && doca_priv_buf_tailroom(dst) == 0)
        dst = dst->next;
    if (dst != NULL && (dst->mmap == NULL || dst->mmap->is_backend_only))
        dst = NULL;
    entry->dst = dst;
    entry->dst_len = dst != NULL ? dst->data_len : 0;
}

/* Poll the inner queue, after shortening truncated sources and storing where outputs begin. */
static struct doca_task *doca_priv_fault_poll_inner(struct doca_priv_fault_queue *q)
{
    struct doca_priv_fault_entry *entry;
    struct doca_task *task;

    for (entry = q->planned.first; q->num_altered > 0 && entry != NULL; entry = entry->next) {
        doca_priv_fault_set_cut(entry, true);
        if (entry->flips > 0)
            doca_priv_fault_note_dst(entry);
    }
    task = q->inner->poll(q->inner);
    for (entry = q->planned.first; q->num_altered > 0 && entry != NULL; entry = entry->next)
        doca_priv_fault_set_cut(entry, false);
    q->num_returned += task != NULL && task->type != DOCA_PRIV_TASK_EVENT;
    return task;
}

/* Store how many trailing bytes of the output the action flip may change: at most as many as the
 * task writes, because other tasks may write directly before its output. */
static void doca_priv_fault_note_bytes(struct doca_priv_fault_entry *entry)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)entry->task;
    const struct doca_buf *src = (entry->flags & DOCA_PRIV_FAULT_CUT) != 0 ? &entry->cut : t->src;
    size_t bytes = 0;

    if (entry->task->ctx->obj.kind == DOCA_PRIV_KIND_SHA)
        /* a digest is longer; a segment that is not final has no output */
        bytes = DOCA_PRIV_FAULT_FLIPPED;
    for (; src != NULL && bytes < DOCA_PRIV_FAULT_FLIPPED; src = src->next)
        bytes += src->data_len < DOCA_PRIV_FAULT_FLIPPED ? src->data_len : DOCA_PRIV_FAULT_FLIPPED;
    entry->dst_max = bytes < DOCA_PRIV_FAULT_FLIPPED ? (uint8_t)bytes : DOCA_PRIV_FAULT_FLIPPED;
}

/* Take an entry for a task and note what the verdicts on its submit, and on its completion `v`,
 * decide for it. Returns NULL when no fault concerns the task. */
static struct doca_priv_fault_entry *
doca_priv_fault_plan_task(struct doca_priv_fault_queue *q, struct doca_task *task,
                          const struct doca_priv_fault_verdict *submit,
                          const struct doca_priv_fault_verdict *v)
{
    const unsigned failed =
        (v->actions & DOCA_PRIV_FAULT_BIT(LOSE)) != 0 ? DOCA_PRIV_FAULT_LOSE : DOCA_PRIV_FAULT_FAIL;
    struct doca_priv_fault_entry *entry = q->free_entries;

    if ((submit->actions | v->actions) == 0)
        return NULL;
    q->free_entries = entry->next;
    DOCA_CORE_MEMSET(entry, 0, sizeof(*entry));
    entry->task = task;
    if (v->code != DOCA_SUCCESS)
        entry->flags = doca_priv_fault_own_wrapper(q)->set_fate != NULL ? DOCA_PRIV_FAULT_DOOMED
                                                                    : DOCA_PRIV_FAULT_PARKED;
    if ((v->actions & DOCA_PRIV_FAULT_BIT(LOSE)) != 0)
        entry->flags |= DOCA_PRIV_FAULT_LOSES;
    if ((v->actions & DOCA_PRIV_FAULT_BIT(HOLD)) != 0)
        entry->flags |= DOCA_PRIV_FAULT_HELD;
    if ((v->actions & DOCA_PRIV_FAULT_BIT(DELAY)) != 0)
        entry->flags |= v->is_time ? DOCA_PRIV_FAULT_TIMED : DOCA_PRIV_FAULT_DELAYED;
    if ((v->actions & DOCA_PRIV_FAULT_BIT(REORDER)) != 0)
        entry->flags |= DOCA_PRIV_FAULT_BEHIND;
    entry->code = (uint8_t)v->code;
    /* A parked task completes after the inner queue has returned all tasks posted before it. In the
     * queue of a sync event it does not wait: an earlier task may be a wait that only a later task
     * ends. */
    entry->parked_until = q->first_op == DOCA_PRIV_FAULT_EVENT ? q->num_returned : q->num_posted;
    entry->delay = v->delay;
    entry->behind = v->behind;
    entry->flips = v->flips;
    entry->salt = v->code == DOCA_SUCCESS ? v->salt : v->nth[failed];
    entry->op = v->op[failed];
    if ((submit->actions & DOCA_PRIV_FAULT_BIT(TRUNCATE)) != 0)
        doca_priv_fault_truncate(entry, submit->bytes);
    if (v->flips > 0)
        doca_priv_fault_note_bytes(entry);
    q->num_altered += (entry->flags & DOCA_PRIV_FAULT_CUT) != 0 || entry->flips > 0;
    return entry;
}

/* Post a task to the inner queue. An inner queue without queue_ring gets the task without
 * DOCA_CORE_MORE_LATER, so it begins at once. */
static doca_error_t doca_priv_fault_post_inner(struct doca_priv_fault_queue *q,
                                               struct doca_task *task,
                                               struct doca_priv_fault_entry *entry)
{
    uint8_t more = task->more;
    doca_error_t rc;

    if (entry != NULL)
        doca_priv_fault_set_cut(entry, true);
    if (doca_priv_fault_own_wrapper(q)->set_fate != NULL)
        doca_priv_fault_own_wrapper(q)->set_fate(
            task, entry != NULL ? (doca_error_t)entry->code : DOCA_SUCCESS);
    if (q->ops->queue_ring == NULL)
        task->more = DOCA_CORE_MORE_NONE;
    rc = q->inner->post(q->inner, task);
    task->more = more;
    if (entry != NULL)
        doca_priv_fault_set_cut(entry, false);
    if (rc == DOCA_SUCCESS)
        q->num_posted++;
    else if (entry != NULL)
        doca_priv_fault_entry_free(q, entry);
    return rc;
}

/* Ring the doorbell of the inner queue when a task is not posted to it. Otherwise, tasks that it
 * has deferred could wait forever. */
static void doca_priv_fault_ring_inner(struct doca_priv_fault_queue *q)
{
    if (q->ops->queue_ring != NULL)
        q->ops->queue_ring(q->inner);
}

/* True when the context requires that its tasks complete in order. */
static bool doca_priv_fault_is_ordered(const struct doca_task *task)
{
    return task->ctx->obj.kind == DOCA_PRIV_KIND_DMA &&
           ((const struct doca_dma *)(const void *)task->ctx)->is_ordered;
}

/* Return the operation of the type of a task, for which DOCA_PRIV_FAULT_SUBMIT or _COMPLETE stands
 * in `op`, or that of the queue when the type has none. */
static unsigned doca_priv_fault_task_op(const struct doca_priv_fault_queue *q,
                                        const struct doca_task *task, unsigned op)
{
    const uint32_t first = doca_priv_fault_own_wrapper(q)->first_task_op;

    return first != 0 ? first + 2u * task->type + (op - DOCA_PRIV_FAULT_SUBMIT) : q->first_op + op;
}

/* Decide about a submit and, if it succeeds, about the completion `next` of the task. Return the
 * answer. */
static doca_error_t doca_priv_fault_submit(struct doca_priv_fault_queue *q, struct doca_task *task,
                                           struct doca_priv_fault_verdict *v,
                                           struct doca_priv_fault_verdict *next)
{
    const unsigned op = q->first_op + DOCA_PRIV_FAULT_SUBMIT;

    doca_priv_fault_choose(q->queue.dev, op,
                           doca_priv_fault_task_op(q, task, DOCA_PRIV_FAULT_SUBMIT), v);
    if ((v->actions & DOCA_PRIV_FAULT_BIT(LOSE)) != 0) {
        doca_priv_fault_lose(q);
    } else if (doca_priv_fault_is_lost(q) && v->code == DOCA_SUCCESS) {
        v->is_lost = true;
        v->code = DOCA_ERROR_DRIVER;
    }
    q->refused = v->code == DOCA_ERROR_AGAIN ? task->ctx : NULL;
    next->actions = 0;
    if (v->code != DOCA_SUCCESS) {
        doca_priv_fault_record(v);
        return doca_priv_fault_report(v, op, task);
    }
    doca_priv_fault_choose(q->queue.dev, q->first_op + DOCA_PRIV_FAULT_COMPLETE,
                           doca_priv_fault_task_op(q, task, DOCA_PRIV_FAULT_COMPLETE), next);
    if (doca_priv_fault_is_ordered(task))
        next->actions &= ~(DOCA_PRIV_FAULT_BIT(DELAY) | DOCA_PRIV_FAULT_BIT(HOLD) |
                           DOCA_PRIV_FAULT_BIT(REORDER));
    return DOCA_SUCCESS;
}

/* The queue has accepted a task: its faults take place. */
static void doca_priv_fault_accept(struct doca_priv_fault_queue *q,
                                   struct doca_priv_fault_entry *entry,
                                   const struct doca_priv_fault_verdict *submit,
                                   const struct doca_priv_fault_verdict *next)
{
    doca_priv_fault_record(submit);
    doca_priv_fault_record(next);
    if (entry == NULL)
        return;
    if ((entry->flags & DOCA_PRIV_FAULT_HELD) != 0)
        doca_priv_fault_held_begin(&entry->held);
    doca_priv_fault_list_add(&q->planned, entry);
    doca_priv_fault_log(submit, ~0u, entry->task);
    doca_priv_fault_log(next, ~(unsigned)DOCA_PRIV_FAULT_ANSWER, entry->task);
}

DOCA_PRIV_DECL doca_error_t doca_priv_fault_post(struct doca_core_queue *queue,
                                                 struct doca_task *task)
{
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);
    struct doca_priv_fault_verdict submit, next;
    struct doca_priv_fault_entry *entry;
    doca_error_t rc = DOCA_ERROR_INVALID_VALUE;

    if (task->ctx->engine->is_complete(task))
        rc = doca_priv_fault_submit(q, task, &submit, &next);
    if (rc != DOCA_SUCCESS) {
        doca_priv_fault_ring_inner(q);
        return rc;
    }
    entry = doca_priv_fault_plan_task(q, task, &submit, &next);
    if (entry == NULL || (entry->flags & DOCA_PRIV_FAULT_PARKED) == 0) {
        rc = doca_priv_fault_post_inner(q, task, entry);
        if (rc != DOCA_SUCCESS) {
            doca_priv_fault_return(&submit);
            doca_priv_fault_return(&next);
            return rc;
        }
    } else {
        doca_priv_fault_ring_inner(q);
    }
    doca_priv_fault_accept(q, entry, &submit, &next);
    return DOCA_SUCCESS;
}

/* ---- poll ---- */

/* Invert bits among the last bytes that a task has written. */
static void doca_priv_fault_flip(const struct doca_priv_fault_entry *entry)
{
    const struct doca_buf *dst = entry->dst;
    size_t len = dst != NULL && dst->data_len > entry->dst_len ? dst->data_len - entry->dst_len
                                                               : 0;
    unsigned char *end;
    uint64_t wrong[2] = { 0, 0 };
    uint32_t num, i, x;

    if (len == 0 || entry->task->status != DOCA_SUCCESS)
        return;
    end = doca_priv_mmap_local(dst->mmap, dst->data);
    if (end == NULL)
        return;
    end += dst->data_len;
    if (len > entry->dst_max)
        len = entry->dst_max;
    num = (uint32_t)len * 8;
    for (i = 0; i < entry->flips && i < num; i++) {
        x = (uint32_t)(doca_priv_fault_random(entry->salt, i) >> 32) % num;
        while ((wrong[x / 64] >> x % 64 & 1) != 0) /* find a bit that is not inverted yet */
            x = x + 1 < num ? x + 1 : 0;
        wrong[x / 64] |= (uint64_t)1 << x % 64;
        end[-1 - (ptrdiff_t)(x >> 3)] ^= (unsigned char)(1u << (x & 7));
    }
}

/* Handle the end of a task with an entry: the inner queue has returned the task, or a parked task
 * need not wait for earlier tasks any longer. Return true when the task must still wait. */
static bool doca_priv_fault_finish(struct doca_priv_fault_queue *q,
                                   struct doca_priv_fault_entry *entry)
{
    struct doca_task *task = entry->task;

    if ((entry->flags & DOCA_PRIV_FAULT_PARKED) != 0)
        task->status = entry->code;
    if ((entry->flags & DOCA_PRIV_FAULT_LOSES) != 0)
        doca_priv_fault_lose(q);
    if (entry->flips > 0)
        doca_priv_fault_flip(entry);
    if ((entry->flags & DOCA_PRIV_FAULT_HELD) != 0)
        doca_priv_fault_held_finish(&entry->held);
    entry->behind += q->num_delivered;
    entry->delay = doca_priv_fault_when(q, entry->delay,
                                        (entry->flags & DOCA_PRIV_FAULT_TIMED) != 0);
    return (entry->flags & (DOCA_PRIV_FAULT_HELD | DOCA_PRIV_FAULT_DELAYED |
                            DOCA_PRIV_FAULT_TIMED | DOCA_PRIV_FAULT_BEHIND)) != 0;
}

/* True when neither delay nor hold stops a finished task. The task may still wait for
 * completions. */
static bool doca_priv_fault_may_complete(const struct doca_priv_fault_queue *q,
                                         struct doca_priv_fault_entry *entry)
{
    if ((entry->flags & (DOCA_PRIV_FAULT_DELAYED | DOCA_PRIV_FAULT_TIMED)) != 0 &&
        !doca_priv_fault_is_due(q, entry->delay, (entry->flags & DOCA_PRIV_FAULT_TIMED) != 0))
        return false;
    if ((entry->flags & DOCA_PRIV_FAULT_HELD) != 0 &&
        doca_priv_fault_held_is_released(&entry->held))
        entry->flags = (uint8_t)(entry->flags & ~DOCA_PRIV_FAULT_HELD);
    return (entry->flags & DOCA_PRIV_FAULT_HELD) == 0;
}

/* Take the first finished task that may complete. `is_last`: the inner queue is empty. In that case
 * the completions that the tasks wait for may never come; if all of them wait for completions, take
 * the last one. */
static struct doca_priv_fault_entry *doca_priv_fault_take_finished(struct doca_priv_fault_queue *q,
                                                                   bool is_last)
{
    struct doca_priv_fault_entry **link, **latest = NULL;

    for (link = &q->finished.first; *link != NULL; link = &(*link)->next) {
        if (!doca_priv_fault_may_complete(q, *link))
            continue;
        if (((*link)->flags & DOCA_PRIV_FAULT_BEHIND) == 0 ||
            (int32_t)(q->num_delivered - (*link)->behind) >= 0)
            return doca_priv_fault_list_take(&q->finished, link);
        latest = link;
    }
    return is_last && latest != NULL ? doca_priv_fault_list_take(&q->finished, latest) : NULL;
}

/* Take the entry of a task that the inner queue has returned. Returns NULL when the task has no
 * entry. */
static struct doca_priv_fault_entry *doca_priv_fault_find(struct doca_priv_fault_queue *q,
                                                          const struct doca_task *task)
{
    struct doca_priv_fault_entry **link = &q->planned.first;

    while (*link != NULL && (*link)->task != task)
        link = &(*link)->next;
    return *link != NULL ? doca_priv_fault_list_take(&q->planned, link) : NULL;
}

/* Take the first parked task, if it need not wait for earlier tasks any longer. */
static struct doca_priv_fault_entry *doca_priv_fault_take_parked(struct doca_priv_fault_queue *q)
{
    struct doca_priv_fault_entry **link = &q->planned.first;

    while (*link != NULL && ((*link)->flags & DOCA_PRIV_FAULT_PARKED) == 0)
        link = &(*link)->next;
    return *link != NULL && (int32_t)(q->num_returned - (*link)->parked_until) >= 0
               ? doca_priv_fault_list_take(&q->planned, link)
               : NULL;
}

/* Return the task of an entry to the core, and release the entry. If the task fails because of a
 * rule, log this. A doomed task can also have failed for another reason before. */
static struct doca_task *doca_priv_fault_deliver(struct doca_priv_fault_queue *q,
                                                 struct doca_priv_fault_entry *entry)
{
    struct doca_priv_fault_verdict v;
    struct doca_task *task = entry->task;

    if ((entry->flags & (DOCA_PRIV_FAULT_PARKED | DOCA_PRIV_FAULT_DOOMED)) != 0 &&
        task->status == entry->code) {
        DOCA_CORE_MEMSET(&v, 0, sizeof(v));
        v.actions = (entry->flags & DOCA_PRIV_FAULT_LOSES) != 0 ? DOCA_PRIV_FAULT_BIT(LOSE)
                                                                : DOCA_PRIV_FAULT_BIT(FAIL);
        v.code = (doca_error_t)entry->code;
        v.nth[DOCA_PRIV_FAULT_FAIL] = v.nth[DOCA_PRIV_FAULT_LOSE] = entry->salt;
        v.op[DOCA_PRIV_FAULT_FAIL] = v.op[DOCA_PRIV_FAULT_LOSE] = entry->op;
        (void)doca_priv_fault_report(&v, q->first_op + DOCA_PRIV_FAULT_COMPLETE, task);
    }
    doca_priv_fault_entry_free(q, entry);
    q->num_delivered++;
    return task;
}

DOCA_PRIV_DECL struct doca_task *doca_priv_fault_poll(struct doca_core_queue *queue)
{
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);
    struct doca_priv_fault_entry *entry;
    struct doca_task *task;

    q->num_polls++;
    if (doca_priv_fault_is_quiet(q))
        return NULL;
    (void)doca_priv_fault_is_lost(q);
    entry = doca_priv_fault_take_finished(q, false);
    while (entry == NULL) {
        entry = doca_priv_fault_take_parked(q);
        if (entry == NULL) {
            task = doca_priv_fault_poll_inner(q);
            if (task == NULL)
                break;
            if (task->type == DOCA_PRIV_TASK_EVENT)
                return task;
            entry = doca_priv_fault_find(q, task);
            if (entry == NULL) {
                q->num_delivered++;
                return task;
            }
        }
        if (doca_priv_fault_finish(q, entry)) {
            doca_priv_fault_list_add(&q->finished, entry);
            entry = NULL;
        }
    }
    if (entry == NULL) /* perhaps all remaining tasks wait for other completions */
        entry = doca_priv_fault_take_finished(q, q->num_posted == q->num_returned);
    return entry != NULL ? doca_priv_fault_deliver(q, entry) : NULL;
}

/* Forget a task in flight that the program frees. Returns true when the inner queue has the
 * task. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_fault_drop(struct doca_core_queue *queue,
                                                          const struct doca_task *task)
{
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);
    struct doca_priv_fault_entry *entry = doca_priv_fault_find(q, task);
    struct doca_priv_fault_entry **link = &q->finished.first;
    bool is_inside = entry == NULL || (entry->flags & DOCA_PRIV_FAULT_PARKED) == 0;

    while (entry == NULL && *link != NULL && (*link)->task != task)
        link = &(*link)->next;
    if (entry == NULL && *link != NULL) {
        entry = doca_priv_fault_list_take(&q->finished, link);
        is_inside = false;
    }
    q->num_returned += is_inside;
    if (entry != NULL) {
        if ((entry->flags & DOCA_PRIV_FAULT_HELD) != 0)
            doca_priv_fault_held_end(&entry->held);
        doca_priv_fault_entry_free(q, entry);
    }
    return is_inside;
}

/* True when `is_match` selects a finished task that still waits. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_fault_finds(
    struct doca_core_queue *queue,
    bool (*is_match)(const struct doca_task *task, const void *object), const void *object)
{
    const struct doca_priv_fault_entry *entry = doca_priv_fault_q(queue)->finished.first;

    while (entry != NULL && !is_match(entry->task, object))
        entry = entry->next;
    return entry != NULL;
}

/* ---- other functions of the table ---- */

DOCA_PRIV_DECL bool doca_priv_fault_queue_ready(struct doca_core_queue *queue)
{
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);
    const struct doca_priv_fault_entry *entry = q->planned.first;

    (void)doca_priv_fault_is_lost(q);
    while (entry != NULL && (entry->flags & DOCA_PRIV_FAULT_PARKED) == 0)
        entry = entry->next;
    if (q->is_quiet || q->finished.first != NULL)
        return true;
    /* a rule refused the submit, so no completion will make room for the task */
    if (q->refused != NULL && q->refused->must_post)
        return true;
    if (entry != NULL && (int32_t)(q->num_returned - entry->parked_until) >= 0)
        return true;
    return q->ops->queue_ready(q->inner);
}

/* End all waiting except that for the device, flush the inner queue, and apply the rules for
 * flush. */
DOCA_PRIV_DECL void doca_priv_fault_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    const unsigned waits = DOCA_PRIV_FAULT_HELD | DOCA_PRIV_FAULT_DELAYED | DOCA_PRIV_FAULT_TIMED |
                           DOCA_PRIV_FAULT_BEHIND;
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);
    struct doca_priv_fault_entry *entry;
    struct doca_priv_fault_verdict v;
    unsigned list;

    for (list = 0; list < 2; list++) {
        entry = list == 0 ? q->planned.first : q->finished.first;
        for (; entry != NULL; entry = entry->next) {
            if ((entry->flags & DOCA_PRIV_FAULT_HELD) != 0)
                doca_priv_fault_held_end(&entry->held);
            entry->flags = (uint8_t)(entry->flags & ~waits);
        }
    }
    if (!doca_priv_fault_is_lost(q))
        doca_priv_fault_flush_inner(q, status);
    doca_priv_fault_decide(queue->dev, q->first_op + DOCA_PRIV_FAULT_FLUSH, &v);
    doca_priv_fault_log(&v, ~0u, NULL);
    doca_priv_fault_make_quiet(q, &v);
}

DOCA_PRIV_DECL void doca_priv_fault_queue_close(struct doca_core_queue *queue)
{
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);

    q->ops->queue_close(q->inner);
}

DOCA_PRIV_DECL int doca_priv_fault_queue_fd(struct doca_core_queue *queue)
{
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);

    return q->ops->queue_fd(q->inner);
}

DOCA_PRIV_DECL void doca_priv_fault_queue_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);

    q->ops->queue_arm(q->inner, armed);
}

DOCA_PRIV_DECL void doca_priv_fault_queue_ring(struct doca_core_queue *queue)
{
    doca_priv_fault_ring_inner(doca_priv_fault_q(queue));
}

DOCA_PRIV_DECL doca_error_t doca_priv_fault_queue_opening(struct doca_core_queue *queue)
{
    struct doca_priv_fault_queue *q = doca_priv_fault_q(queue);

    q->num_polls++;
    if (doca_priv_fault_is_dev_lost(queue->dev))
        return DOCA_ERROR_DRIVER;
    if (doca_priv_fault_is_quiet(q))
        return DOCA_ERROR_IN_PROGRESS;
    if (q->is_opening)
        return q->ops->queue_opening(q->inner);
    return DOCA_SUCCESS;
}

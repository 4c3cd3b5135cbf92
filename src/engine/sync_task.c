/* ---- >>impl.sync_task -----------------------------------------------------------------------
 * Event contexts whose tasks the CPU executes: their queue, and get, notify_set and notify_add
 * tasks. These three kinds, called ready tasks here, are executed by poll in the order of
 * submission. Wait tasks are in a separate list; poll checks all of it when the value has changed.
 * The queue has no file descriptor. A listener wakes the PE (see >>impl.sync_listen).           */
#include "engine/sync_task_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "engine/sync_card_priv.h"
#include "engine/sync_dev_priv.h"
#include "engine/sync_event.h"
#include "engine/sync_listen_priv.h"
#include "engine/sync_shared_priv.h"

#define DOCA_PRIV_EVENT_POLLS 256 /* polls between two checks whether the exporter still runs */

DOCA_PRIV_ASSERT_STATIC(event_tasks_fit_a_line,
                        sizeof(struct doca_sync_event_task_notify_add) <= DOCA_CORE_LINE &&
                            sizeof(struct doca_sync_event_task_wait_gt) <= DOCA_CORE_LINE);

struct doca_priv_event_queue {
    struct doca_core_queue queue; /* first, last: list of ready tasks */
    struct doca_sync_event *event;
    struct doca_task *waiting;      /* list of wait tasks */
    struct doca_task **waiting_end; /* link at the end of the list */
    uint64_t seen;      /* last value that did not fulfil the condition of any wait task */
    uint32_t num_polls; /* polls of the wait tasks, for DOCA_PRIV_EVENT_POLLS */
    bool has_unchecked; /* a wait task has not been checked against `seen` */
    bool waits_turn;    /* the next poll begins with the wait tasks */
    bool is_armed;
    bool cannot_wake; /* true: not every update can wake the PE, so queue_ready returns true
                       * while tasks wait */
    /* Open only if the value is in a shared page and the context has wait tasks; otherwise
     * listener.watch is -1. */
    struct doca_priv_listener listener;
};

DOCA_PRIV_ASSERT_STATIC(event_queue_fits,
                        sizeof(struct doca_priv_event_queue) <= DOCA_PRIV_EVENT_QUEUE_BYTES);

DOCA_PRIV_HOT struct doca_priv_event_queue *doca_priv_event_q(struct doca_core_queue *queue)
{
    return (struct doca_priv_event_queue *)(void *)queue;
}

/* True when the task has an address for its result, or has no result. */
DOCA_PRIV_DECL bool doca_priv_event_is_complete(const struct doca_task *task)
{
    if (task->type == DOCA_PRIV_EVENT_GET)
        return ((const struct doca_sync_event_task_get *)(const void *)task)->ret_val_ptr != NULL;
    return task->type != DOCA_PRIV_EVENT_ADD ||
           ((const struct doca_sync_event_task_notify_add *)(const void *)task)->fetched_val_ptr !=
               NULL;
}

static void doca_priv_event_queue_arm(struct doca_core_queue *queue, bool armed);

static doca_error_t doca_priv_event_post(struct doca_core_queue *queue, struct doca_task *task)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);

    if (doca_unlikely(!doca_priv_event_is_complete(task)))
        return DOCA_ERROR_INVALID_VALUE;
    task->next = NULL;
    if (task->type >= DOCA_PRIV_EVENT_WAIT) {
        *q->waiting_end = task;
        q->waiting_end = &task->next;
        q->has_unchecked = true;
        if (doca_unlikely(q->event->ctx.pe->is_armed) && !q->is_armed)
            doca_priv_event_queue_arm(queue, true);
        return DOCA_SUCCESS;
    }
    if (q->queue.first == NULL)
        q->queue.first = task;
    else
        q->queue.last->next = task;
    q->queue.last = task;
    return DOCA_SUCCESS;
}

/* Execute a ready task. */
static doca_error_t doca_priv_event_execute(const struct doca_priv_event_share *share,
                                            struct doca_task *task)
{
    struct doca_sync_event_task_get *get = (struct doca_sync_event_task_get *)(void *)task;
    struct doca_sync_event_task_notify_set *set =
        (struct doca_sync_event_task_notify_set *)(void *)task;
    struct doca_sync_event_task_notify_add *add =
        (struct doca_sync_event_task_notify_add *)(void *)task;
    doca_error_t rc = DOCA_SUCCESS;

    if (task->type == DOCA_PRIV_EVENT_GET)
        *get->ret_val_ptr = DOCA_PRIV_LOAD(share->value);
    else if (task->type == DOCA_PRIV_EVENT_SET)
        rc = doca_priv_share_set(share, set->set_val);
    else
        rc = doca_priv_share_add(share, add->inc_val, add->fetched_val_ptr);
    return rc == DOCA_SUCCESS
               ? rc
               : doca_priv_fail(rc, DOCA_CORE_ITEM_EVENT_GONE, "doca_pe_progress", task);
}

static bool doca_priv_event_holds(const struct doca_task *task, uint64_t value)
{
    const struct doca_sync_event_task_wait_gt *t =
        (const struct doca_sync_event_task_wait_gt *)(const void *)task;

    /* analyzer: nullPointerRedundantCheck: callers test for NULL before they call this */
    return doca_priv_share_holds(task->type, value & t->mask, t->wait_val);
}

/* Remove and return the first wait task that can complete, because its condition holds or because
 * the exporter has ended; NULL if every task must go on waiting. */
static struct doca_task *doca_priv_event_poll_waiting(struct doca_priv_event_queue *q)
{
    const struct doca_priv_event_share *share = &q->event->share;
    struct doca_task **link, *task;
    bool is_reset, holds = false;
    uint64_t value;

    if (++q->num_polls % DOCA_PRIV_EVENT_POLLS == 0)
        doca_priv_share_probe(share);
    /* Read before the value: the exporter makes its last update before it sets is_closed. */
    is_reset = doca_priv_share_is_reset(share);
    value = DOCA_PRIV_LOAD(share->value);
    if (!is_reset && !q->has_unchecked && value == q->seen)
        return NULL;
    for (link = &q->waiting; *link != NULL; link = &(*link)->next) {
        holds = doca_priv_event_holds(*link, value);
        if (holds || is_reset)
            break;
    }
    task = *link;
    q->has_unchecked = task != NULL;
    if (task == NULL) {
        q->seen = value;
        return NULL;
    }
    *link = task->next;
    if (*link == NULL)
        q->waiting_end = link;
    task->status = DOCA_SUCCESS;
    if (!holds)
        task->status = (uint8_t)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET,
                                               DOCA_CORE_ITEM_EVENT_GONE, "doca_pe_progress", task);
    return task;
}

/* Poll ready tasks and wait tasks alternately, so that neither kind can starve the other. */
static struct doca_task *doca_priv_event_poll(struct doca_core_queue *queue)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    struct doca_task *task = NULL;

    if (q->waiting != NULL && (q->waits_turn || q->queue.first == NULL))
        task = doca_priv_event_poll_waiting(q);
    q->waits_turn = false;
    if (task == NULL && q->queue.first != NULL) {
        task = q->queue.first;
        q->queue.first = task->next;
        q->waits_turn = true;
        task->status = (uint8_t)doca_priv_event_execute(&q->event->share, task);
    }
    return task;
}

/* Poll function after a flush: return all tasks with the status that the flush has set. */
static struct doca_task *doca_priv_event_poll_flushed(struct doca_core_queue *queue)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    struct doca_task **list = q->queue.first != NULL ? &q->queue.first : &q->waiting, *task = *list;

    if (task != NULL) {
        *list = task->next;
        (void)doca_priv_fail((doca_error_t)task->status, DOCA_CORE_ITEM_FLUSHED, "doca_pe_progress",
                             task);
    }
    return task;
}

static void doca_priv_event_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    struct doca_task *task;

    for (task = q->queue.first; task != NULL; task = task->next)
        task->status = (uint8_t)status;
    for (task = q->waiting; task != NULL; task = task->next)
        task->status = (uint8_t)status;
    queue->poll = doca_priv_event_poll_flushed;
}

static bool doca_priv_event_queue_ready(struct doca_core_queue *queue)
{
    const struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    const struct doca_priv_event_share *share = &q->event->share;
    const struct doca_task *task = q->waiting;
    uint64_t value;

    if (q->queue.first != NULL || task == NULL)
        return q->queue.first != NULL;
    if (queue->poll == doca_priv_event_poll_flushed || q->cannot_wake)
        return true;
    if (doca_priv_share_is_imported(share) && DOCA_PRIV_LOAD_ORDERED(&share->page->is_closed) != 0)
        return true; /* ordered: sees a close that was too early to see num_armed incremented */
    value = DOCA_PRIV_LOAD_ORDERED(share->value);
    while (task != NULL && !doca_priv_event_holds(task, value))
        task = task->next;
    return task != NULL;
}

/* Return -1: the queue has no descriptor; its listener wakes the PE (see >>impl.sync_listen). */
static int doca_priv_event_queue_fd(struct doca_core_queue *queue)
{
    (void)queue;
    return -1;
}

/* Arm or disarm the queue. A queue without wait tasks stays disarmed, because each update of an
 * armed value costs a write to the file of the page; doca_priv_event_post() arms the queue when a
 * wait task arrives. Arming and disarming both check whether the exporter still runs: it may have
 * exited before the watch began, and its exit may have been the cause of a wake-up. */
static void doca_priv_event_queue_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    const struct doca_priv_event_share *share = &q->event->share;
    struct doca_pe *pe = q->event->ctx.pe;

    if (q->listener.watch < 0)
        return;
    if (armed && q->waiting == NULL) {
        armed = false;
        (void)doca_priv_listener_tune(pe, &q->listener, false);
    }
    if (!armed && !q->is_armed)
        return;
    if (armed && !q->is_armed) {
        /* The inotify watch does not see what an RDMA device writes to the page. */
        q->cannot_wake = !doca_priv_listener_arm(pe, &q->listener) || q->event->card != NULL;
        (void)DOCA_PRIV_FETCH_ADD(&share->page->num_armed, 1u);
    } else if (!armed) {
        (void)DOCA_PRIV_FETCH_ADD(&share->page->num_armed, 0u - 1u);
        doca_priv_listener_disarm(pe);
        q->cannot_wake = false;
    }
    q->is_armed = armed;
    doca_priv_share_probe(share); /* before the caller reads the value */
}

static size_t doca_priv_event_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                          uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return DOCA_PRIV_EVENT_QUEUE_BYTES;
}

/* True when the event was created from an export descriptor. */
DOCA_PRIV_DECL bool doca_priv_event_is_imported(const struct doca_sync_event *event)
{
    return doca_priv_share_is_imported(&event->share) || event->owns_mmap;
}

/* First half of every start: check the locations and determine the address of the value. Creates a
 * page if a location is remote. share.value stays NULL if the CPU cannot access the value. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_begin(struct doca_sync_event *event,
                                                  const char *function)
{
    const struct doca_dev *pub = event->publisher_dev, *sub = event->subscriber_dev;
    unsigned locations = (unsigned)event->publishers | event->subscribers;
    doca_error_t rc;

    if (doca_priv_event_is_imported(event))
        return DOCA_SUCCESS;
    if (event->publishers == 0 || event->subscribers == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EVENT_NO_LOCATION, function,
                              event);
    if ((pub != NULL && !pub->info.attr.limits.has_sync_event) ||
        (sub != NULL && !sub->info.attr.limits.has_sync_event))
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT, function,
                              event);
    if (event->addr != NULL && (locations & DOCA_PRIV_EVENT_ON_NET) != 0)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_OWN_ADDR, function,
                              event);
    if (event->mmap != NULL && !doca_priv_mmap_is_started(event->mmap, event->mmap->serial))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              event); /* possible if threads share the mmap */
    if (event->addr != NULL) {
        if (event->mmap == NULL || !event->mmap->is_backend_only)
            event->share.value = (doca_priv_cell *)event->addr;
        return DOCA_SUCCESS;
    }
    if (locations == DOCA_PRIV_EVENT_ON_CPU) {
        event->local_value = 0;
        event->share.value = &event->local_value;
        return DOCA_SUCCESS;
    }
    rc = doca_priv_share_create(&event->share);
    if (rc == DOCA_ERROR_OPERATING_SYSTEM)
        return doca_priv_fail_system(DOCA_CORE_ITEM_EVENT_SYSTEM, function, event,
                                     DOCA_PRIV_LOG_TEXT("create the page of the event"));
    return rc == DOCA_SUCCESS ? rc
                              : doca_priv_fail(rc, DOCA_CORE_ITEM_EVENT_SYSTEM, function, event);
}

/* Undo doca_priv_event_begin(). An imported event keeps its page until destroy. */
DOCA_PRIV_DECL void doca_priv_event_end(struct doca_sync_event *event)
{
    if (doca_priv_share_is_imported(&event->share))
        return;
    doca_priv_event_end_card(event);
    doca_priv_share_close(&event->share);
    DOCA_CORE_MEMSET(&event->desc, 0, sizeof(event->desc));
}

static doca_error_t doca_priv_event_queue_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                               const char *function)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(ctx->queue);
    struct doca_sync_event *event = (struct doca_sync_event *)(void *)ctx;
    struct doca_core_refusal why = { NULL, NULL, NULL, 0, 0, 0, 0 };
    doca_error_t rc;

    (void)num_tasks;
    if (event->mode != DOCA_PRIV_EVENT_IS_CTX)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_IS_NO_CTX, function, ctx);
    rc = doca_priv_event_begin(event, function);
    if (rc == DOCA_SUCCESS && event->mmap != NULL)
        rc = doca_priv_event_check_cpu(event, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    q->queue.post = doca_priv_event_post;
    q->queue.poll = doca_priv_event_poll;
    q->event = event;
    q->waiting_end = &q->waiting;
    q->listener.watch = -1;
    if (event->share.page != NULL && (event->stocks[DOCA_PRIV_EVENT_WAIT].num > 0 ||
                                      event->stocks[DOCA_PRIV_EVENT_WAIT_EQ].num > 0 ||
                                      event->stocks[DOCA_PRIV_EVENT_WAIT_NEQ].num > 0) &&
        !doca_priv_listener_open(ctx->pe, &q->listener, &event->share, &why)) {
        doca_priv_event_end(event);
        return doca_priv_fail_refused(DOCA_CORE_ITEM_EVENT_SYSTEM, function, ctx, &why);
    }
    return DOCA_SUCCESS;
}

static void doca_priv_event_queue_close(struct doca_core_queue *queue)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);

    if (q->listener.watch >= 0) {
        doca_priv_event_queue_arm(queue, false);
        doca_priv_listener_close(q->event->ctx.pe, &q->listener);
    }
    doca_priv_event_end(q->event);
}

/* Backend of event contexts whose tasks the CPU executes. It is never registered, and has only the
 * functions that contexts call. */
DOCA_PRIV_DECL const struct doca_core_backend doca_priv_event_backend = {
    "sync event",
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    doca_priv_event_queue_bytes,
    NULL,
    NULL,
    doca_priv_event_queue_close,
    doca_priv_event_queue_flush,
    doca_priv_event_queue_ready,
    doca_priv_event_queue_fd,
    doca_priv_event_queue_arm,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    0,
    false, NULL, NULL, NULL, NULL,
};

DOCA_PRIV_DECL doca_error_t doca_priv_event_check_task(const struct doca_task *task,
                                                       enum doca_core_item *item)
{
    *item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
    return doca_priv_event_is_complete(task) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

DOCA_PRIV_DECL void doca_priv_event_settle(struct doca_task *task)
{
    (void)task;
}

DOCA_PRIV_DECL const struct doca_priv_engine doca_priv_event_engine = {
    DOCA_PRIV_ENGINE_NONE,       false,                  NULL,
    doca_priv_event_check_task,  doca_priv_event_is_complete, doca_priv_event_settle,
    doca_priv_event_queue_open,
    NULL,                      NULL,                NULL,
    NULL
};

/* Common part of the set_conf calls: check the arguments and set the number of tasks of `type`. The
 * caller stores the callbacks. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_conf(struct doca_sync_event *event, bool has_callbacks,
                                                 uint32_t num_tasks, unsigned type,
                                                 const char *function)
{
    DOCA_PRIV_ENTER(event, function)
    uint64_t sum = num_tasks;
    doca_error_t rc;
    unsigned i;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT))
        return doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, NULL, function);
    if (!has_callbacks)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              event);
    if (num_tasks == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, event);
    for (i = 0; i < DOCA_PRIV_EVENT_TYPES; i++)
        sum += i == type ? 0 : event->stocks[i].num;
    if (num_tasks >= 1u << 30 || sum > UINT32_MAX) /* num_inflight has 32 bits */
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_CTX_TOO_MANY_TASKS,
                              function, event);
    rc = doca_priv_ctx_change(&event->ctx, DOCA_ERROR_NOT_PERMITTED, function);
    if (rc == DOCA_SUCCESS)
        event->stocks[type].num = num_tasks;
    return rc;
}

DOCA_PRIV_DECL void doca_priv_event_get_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_get_completion_cb_t cb =
        doca_priv_event_succeeded(task) ? event->get_done : event->get_failed;

    cb((struct doca_sync_event_task_get *)DOCA_PRIV_HANDLE(task), task->user_data,
       event->ctx.user_data);
}

DOCA_PRIV_DECL void doca_priv_event_set_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_notify_set_completion_cb_t cb =
        doca_priv_event_succeeded(task) ? event->set_done : event->set_failed;

    cb((struct doca_sync_event_task_notify_set *)DOCA_PRIV_HANDLE(task), task->user_data,
       event->ctx.user_data);
}

DOCA_PRIV_DECL void doca_priv_event_add_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_notify_add_completion_cb_t cb =
        doca_priv_event_succeeded(task) ? event->add_done : event->add_failed;

    cb((struct doca_sync_event_task_notify_add *)DOCA_PRIV_HANDLE(task), task->user_data,
       event->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_get_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_get_completion_cb_t completion_cb,
    doca_sync_event_task_get_completion_cb_t error_cb, uint32_t num_tasks)
{
    DOCA_PRIV_OPEN(event)
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_GET, __func__);

    if (rc == DOCA_SUCCESS) {
        event->get_done = completion_cb;
        event->get_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_get_alloc_init(
    struct doca_sync_event *event, uint64_t *ret_val_ptr, union doca_data user_data,
    struct doca_sync_event_task_get **task)
{
    DOCA_PRIV_OPEN(event)
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_GET, task, &taken, __func__);
    struct doca_sync_event_task_get *t = (struct doca_sync_event_task_get *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->ret_val_ptr = ret_val_ptr;
    *task = (struct doca_sync_event_task_get *)DOCA_PRIV_HANDLE(t);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_get_as_doca_task(
    struct doca_sync_event_task_get *task)
{
    return (struct doca_task *)(void *)task;
}

DOCA_CORE_DECL void doca_sync_event_task_get_set_ret_val_ptr(struct doca_sync_event_task_get *task,
                                                             uint64_t *ret_val_ptr)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_get_done, __func__) == DOCA_SUCCESS)
        task->ret_val_ptr = ret_val_ptr;
}

DOCA_CORE_DECL uint64_t *doca_sync_event_task_get_get_ret_val_ptr(
    const struct doca_sync_event_task_get *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_get_done, __func__)
               ? task->ret_val_ptr
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_set_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_notify_set_completion_cb_t completion_cb,
    doca_sync_event_task_notify_set_completion_cb_t error_cb, uint32_t num_tasks)
{
    DOCA_PRIV_OPEN(event)
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_SET, __func__);

    if (rc == DOCA_SUCCESS) {
        event->set_done = completion_cb;
        event->set_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_set_alloc_init(
    struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
    struct doca_sync_event_task_notify_set **task)
{
    DOCA_PRIV_OPEN(event)
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_SET, task, &taken, __func__);
    struct doca_sync_event_task_notify_set *t =
        (struct doca_sync_event_task_notify_set *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->set_val = set_val;
    *task = (struct doca_sync_event_task_notify_set *)DOCA_PRIV_HANDLE(t);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_notify_set_as_doca_task(
    struct doca_sync_event_task_notify_set *task)
{
    return (struct doca_task *)(void *)task;
}

DOCA_CORE_DECL void doca_sync_event_task_notify_set_set_set_val(
    struct doca_sync_event_task_notify_set *task, uint64_t set_val)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_set_done, __func__) == DOCA_SUCCESS)
        task->set_val = set_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_notify_set_get_set_val(
    const struct doca_sync_event_task_notify_set *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_set_done, __func__) ? task->set_val : 0;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_add_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_notify_add_completion_cb_t completion_cb,
    doca_sync_event_task_notify_add_completion_cb_t error_cb, uint32_t num_tasks)
{
    DOCA_PRIV_OPEN(event)
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_ADD, __func__);

    if (rc == DOCA_SUCCESS) {
        event->add_done = completion_cb;
        event->add_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_add_alloc_init(
    struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr,
    union doca_data user_data, struct doca_sync_event_task_notify_add **task)
{
    DOCA_PRIV_OPEN(event)
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_ADD, task, &taken, __func__);
    struct doca_sync_event_task_notify_add *t =
        (struct doca_sync_event_task_notify_add *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->inc_val = inc_val;
    t->fetched_val_ptr = fetched_val_ptr;
    *task = (struct doca_sync_event_task_notify_add *)DOCA_PRIV_HANDLE(t);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_notify_add_as_doca_task(
    struct doca_sync_event_task_notify_add *task)
{
    return (struct doca_task *)(void *)task;
}

DOCA_CORE_DECL void doca_sync_event_task_notify_add_set_inc_val(
    struct doca_sync_event_task_notify_add *task, uint64_t inc_val)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_add_done, __func__) == DOCA_SUCCESS)
        task->inc_val = inc_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_notify_add_get_inc_val(
    const struct doca_sync_event_task_notify_add *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_add_done, __func__) ? task->inc_val : 0;
}

DOCA_CORE_DECL void doca_sync_event_task_notify_add_set_fetched_val_ptr(
    struct doca_sync_event_task_notify_add *task, uint64_t *fetched_val_ptr)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_event_add_done, __func__) == DOCA_SUCCESS)
        task->fetched_val_ptr = fetched_val_ptr;
}

DOCA_CORE_DECL uint64_t *doca_sync_event_task_notify_add_get_fetched_val_ptr(
    const struct doca_sync_event_task_notify_add *task)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_event_add_done, __func__)
               ? task->fetched_val_ptr
               : NULL;
}

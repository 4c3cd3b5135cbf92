/* ---- >>impl.rdma.queue ----------------------------------------------------------------------
 * An instance as a context: start, post, poll, stop. Each poll ends at most one task. A message is
 * put into the ring as soon as the tasks before it permit. Another task is executed when it is the
 * first task of its connection.                                                                  */
#include "compat/rdma/queue_priv.h"

#include "base/clock_priv.h"
#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/task_priv.h"
#include "fault/text_priv.h"
#include "compat/local/queue_priv.h"
#include "compat/local/socket_priv.h"
#include "compat/rdma/address_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/create_priv.h"
#include "compat/rdma/execute_priv.h"
#include "compat/rdma/message_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/ring_priv.h"
#include "compat/rdma/sockets_priv.h"

/* Number of polls for one look at the descriptors, while no connection is being made. */
#define DOCA_PRIV_RDMA_LAZY 16u

DOCA_PRIV_DECL size_t doca_priv_rdma_block_bytes(uint32_t max_conns)
{
    return doca_priv_size(max_conns, sizeof(struct doca_rdma_connection), 0);
}

static bool doca_priv_rdma_is_message(const struct doca_priv_rdma_task *op)
{
    return op->task.type == DOCA_PRIV_RDMA_SEND || op->task.type == DOCA_PRIV_RDMA_SEND_IMM;
}

/* True when the first waiting task of a connection can begin. */
static bool doca_priv_rdma_can_begin(const struct doca_rdma_connection *c)
{
    return c->waiting != NULL && !c->has_failed &&
           (doca_priv_rdma_is_message(c->waiting) ||
            (c->waiting == c->ops && c->obj.state == DOCA_PRIV_RDMA_UP));
}

/* Return the status of a task that could not be executed. When the process of the peer has ended,
 * its memory is gone before its sockets are closed. */
static doca_error_t doca_priv_rdma_failure(const struct doca_rdma_connection *c,
                                           enum doca_core_item item)
{
    return item == DOCA_CORE_ITEM_EXPORTER_GONE || doca_priv_local_is_hung_up(c->out_fd)
               ? DOCA_ERROR_CONNECTION_RESET
               : DOCA_ERROR_IO_FAILED;
}

/* Begin the first waiting task. Returns false when this task has to wait longer. */
static bool doca_priv_rdma_begin(struct doca_rdma_connection *c)
{
    struct doca_priv_rdma_task *op = c->waiting;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = (doca_error_t)op->fate;

    /* execute() records the beginning of its task itself, when the task need not wait */
    DOCA_PRIV_TRACED(if (rc != DOCA_SUCCESS || doca_priv_rdma_is_message(op))
                         doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    if (rc != DOCA_SUCCESS) {
        item = DOCA_CORE_ITEM_FAULT_FAIL;
    } else if (doca_priv_rdma_is_message(op)) {
        rc = doca_priv_rdma_check(&op->task, &item) == DOCA_SUCCESS ? DOCA_SUCCESS
                                                                    : DOCA_ERROR_IO_FAILED;
    } else {
        rc = doca_priv_rdma_execute(op, &item);
        if (rc == DOCA_ERROR_AGAIN)
            return false;
    }
    if (rc == DOCA_SUCCESS &&
        (doca_priv_rdma_is_message(op) || op->task.type == DOCA_PRIV_RDMA_WRITE_IMM)) {
        item = doca_priv_rdma_send(op);
        rc = item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
    } else {
        op->stage = DOCA_PRIV_RDMA_ENDED;
    }
    c->waiting = doca_priv_rdma_task_of(op->task.next);
    if (rc != DOCA_SUCCESS)
        op->stage = DOCA_PRIV_RDMA_ENDED;
    if (rc != DOCA_SUCCESS && item != DOCA_CORE_ITEM_FAULT_FAIL) { /* >>fault logs this fault */
        rc = doca_priv_rdma_failure(c, item);
        (void)doca_priv_fail(rc, item, "doca_pe_progress", &op->task);
    }
    if (op->stage == DOCA_PRIV_RDMA_ENDED)
        op->task.status = (uint8_t)rc;
    c->has_failed = rc != DOCA_SUCCESS;
    return true;
}

/* True when the first task of a connection has ended. */
static bool doca_priv_rdma_has_ended(const struct doca_rdma_connection *c)
{
    return c->ops != NULL &&
           (c->ops->stage == DOCA_PRIV_RDMA_ENDED ||
            (c->ops->stage == DOCA_PRIV_RDMA_SENT &&
             doca_priv_rdma_slot_is(&c->out, c->ops->ticket, DOCA_PRIV_RDMA_SLOT_DONE)));
}

/* True when the peer has no receive task for the first message, and the time of the retries has not
 * begun. */
static bool doca_priv_rdma_must_time(const struct doca_rdma_connection *c)
{
    return c->rdma->rnr_retry_count < 7 && c->deadline == 0 && doca_priv_rdma_is_starving(c);
}

static void doca_priv_rdma_await_receive(struct doca_rdma_connection *c)
{
    const uint32_t retries = c->rdma->rnr_retry_count;

    if (doca_priv_rdma_must_time(c))
        doca_priv_rdma_set_deadline(
            c, doca_priv_sys_now() + (retries * (uint64_t)DOCA_CORE_RDMA_RNR_MS * 1000000u) + 1);
}

/* Remove the first task of a connection and return it. The task has ended. */
static struct doca_task *doca_priv_rdma_take_op(struct doca_rdma_connection *c)
{
    struct doca_priv_rdma_task *op = c->ops;
    doca_error_t status;

    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, op, 0, 0);)
    if (op->stage == DOCA_PRIV_RDMA_SENT) {
        op->task.status = DOCA_SUCCESS;
        if (DOCA_PRIV_LOAD(&doca_priv_rdma_slot_of(&c->out, op->ticket)->status) != DOCA_SUCCESS) {
            op->task.status = (uint8_t)DOCA_ERROR_IO_FAILED;
            (void)doca_priv_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_RDMA_PEER_FAILED,
                                 "doca_pe_progress", &op->task);
        }
    }
    status = (doca_error_t)op->task.status;
    c->ops = doca_priv_rdma_task_of(op->task.next);
    c->num_ops--;
    if (c->deadline != 0)
        doca_priv_rdma_set_deadline(c, 0);
    if (status == DOCA_ERROR_CONNECTION_RESET)
        doca_priv_rdma_lose(c);
    else if (status != DOCA_SUCCESS)
        doca_priv_rdma_break(c);
    return &op->task;
}

/* Go on with the tasks of a connection, and return one that has ended. Tasks of this side and
 * messages of the peer take turns. */
static struct doca_task *doca_priv_rdma_advance(struct doca_rdma_connection *c)
{
    struct doca_task *task;

    if (c->hears_first) {
        c->hears_first = false;
        task = doca_priv_rdma_receive(c);
        if (task != NULL || c->obj.state != DOCA_PRIV_RDMA_UP)
            return task;
    }
    while (doca_priv_rdma_can_begin(c) && doca_priv_rdma_begin(c)) {
    }
    if (doca_priv_rdma_has_ended(c)) {
        c->hears_first = c->obj.state == DOCA_PRIV_RDMA_UP;
        return doca_priv_rdma_take_op(c);
    }
    if (c->obj.state != DOCA_PRIV_RDMA_UP)
        return NULL;
    doca_priv_rdma_await_receive(c);
    return doca_priv_rdma_receive(c);
}

/* A connection that has ended is free when its last callback has run. */
static void doca_priv_rdma_end_report(struct doca_rdma *r)
{
    struct doca_rdma_connection *c = r->reported;

    r->reported = NULL;
    if (c != NULL && c->obj.state == DOCA_PRIV_RDMA_DOWN && c->events == 0)
        doca_priv_rdma_conn_free(c);
}

/* Call the program for an event. The callback may leave by longjmp; then the next poll ends the
 * report. */
static void doca_priv_rdma_event_done(struct doca_task *task)
{
    const struct doca_priv_rdma_event *event = (const struct doca_priv_rdma_event *)(void *)task;
    struct doca_rdma_connection *c = event->connection;
    struct doca_rdma *r = c->rdma;

    switch (event->what) {
    case DOCA_PRIV_RDMA_REQUESTED:
        r->requested(c, r->ctx.user_data);
        return;
    case DOCA_PRIV_RDMA_ESTABLISHED:
        r->established(c, c->user_data, r->ctx.user_data);
        return;
    case DOCA_PRIV_RDMA_FAILED:
        r->reported = c;
        r->not_connected(c, c->user_data, r->ctx.user_data);
        break;
    default:
        r->reported = c;
        r->disconnected(c, c->user_data, r->ctx.user_data);
        break;
    }
    doca_priv_rdma_end_report(r);
}

/* Return the next event of this connection as a task. The connection has at least one event. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_take_event_of(struct doca_rdma_connection *c)
{
    struct doca_rdma *r = c->rdma;
    struct doca_priv_rdma_event *event = &r->event;

    event->task.kind = DOCA_PRIV_KIND_TASK;
    event->task.type = DOCA_PRIV_TASK_EVENT;
    event->task.ctx = &r->ctx;
    event->task.done = doca_priv_rdma_event_done;
    event->connection = c;
    event->what = (enum doca_priv_rdma_happening)doca_priv_low_bit(c->events);
    c->events &= (uint8_t)(c->events - 1);
    r->num_events--;
    r->ctx.num_inflight++;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_EVENT | (uint32_t)r->ctx.obj.kind << 8 |
                                         (uint32_t)event->what << 16,
                                     c, 0, doca_priv_trace_id(&r->ctx));)
    return &event->task;
}

/* Return the next event of a connection as a task. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_take_event(struct doca_rdma *r)
{
    struct doca_rdma_connection *c = r->conns;

    while (c->events == 0)
        c++;
    return doca_priv_rdma_take_event_of(c);
}

static bool doca_priv_rdma_must_look(struct doca_rdma *r)
{
    const bool must_look = r->must_look || r->is_armed || r->num_unsettled > 0 ||
                           r->num_polls % DOCA_PRIV_RDMA_LAZY == 0;

    r->must_look = false;
    return must_look;
}

/* Return the next task of a connection that has sent or received something. */
static struct doca_task *doca_priv_rdma_take_turn(struct doca_rdma *r)
{
    uint32_t num = r->num_live; /* a connection may end, and leave the list */
    struct doca_rdma_connection *c;
    struct doca_task *task = NULL;

    for (; num > 0 && r->live != NULL && task == NULL; num--) {
        c = r->turn != NULL ? r->turn : r->live;
        r->turn = c->next_live;
        task = doca_priv_rdma_advance(c);
    }
    return task;
}

/* Ended tasks come first, then events, then the connections in turn. A connection that ends puts
 * its tasks into the list of ended tasks, so the program gets them before the event. Tasks
 * submitted to an ended connection come last: otherwise a program that submits tasks without a
 * pause would never receive the event. */
static struct doca_task *doca_priv_rdma_poll(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *late = r->late;
    struct doca_task *task = NULL;

    doca_priv_rdma_end_report(r);
    if (queue->first != NULL)
        return doca_priv_local_take_ended(queue);
    r->num_polls++;
    if (doca_priv_rdma_must_look(r))
        doca_priv_rdma_look(r);
    if (queue->first == NULL && r->num_events == 0 && (late == NULL || r->num_polls % 2 != 0))
        task = doca_priv_rdma_take_turn(r);
    if (task != NULL)
        return task;
    if (queue->first != NULL) /* a connection has ended */
        return doca_priv_local_take_ended(queue);
    if (r->num_events > 0)
        return doca_priv_rdma_take_event(r);
    if (late == NULL)
        return NULL;
    r->late = doca_priv_rdma_task_of(late->task.next);
    return &late->task;
}

DOCA_PRIV_DECL void doca_priv_rdma_append(struct doca_priv_rdma_task **first,
                                          struct doca_priv_rdma_task **last,
                                          struct doca_priv_rdma_task *op)
{
    op->task.next = NULL;
    if (*first == NULL)
        *first = op;
    else
        (*last)->task.next = &op->task;
    *last = op;
}

static doca_error_t doca_priv_rdma_post(struct doca_core_queue *queue, struct doca_task *task)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op = doca_priv_rdma_task_of(task);
    struct doca_rdma_connection *c;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = doca_priv_rdma_check(task, &item);

    if (rc != DOCA_SUCCESS)
        return rc;
    op->result_len = 0;
    if (task->type == DOCA_PRIV_RDMA_RECEIVE) {
        op->connection = NULL;
        op->opcode = 0;
        op->imm = 0;
        doca_priv_rdma_append(&r->receives, &r->receives_last, op);
        if (r->has_starved)
            doca_priv_rdma_feed(r);
    } else if (op->connection->obj.state == DOCA_PRIV_RDMA_DOWN ||
               op->connection->serial != op->serial) {
        (void)doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_NOT_CONNECTED,
                             "doca_task_submit", task);
        task->status = (uint8_t)DOCA_ERROR_CONNECTION_ABORTED;
        doca_priv_rdma_append(&r->late, &r->late_last, op);
    } else {
        c = op->connection;
        if (c->num_ops == r->send_queue_size)
            return DOCA_ERROR_FULL;
        c->num_ops++;
        op->stage = DOCA_PRIV_RDMA_WAITING;
        doca_priv_rdma_append(&c->ops, &c->ops_last, op);
        if (c->waiting == NULL)
            c->waiting = op;
        /* the peer need not wait until this side makes progress */
        if (c->waiting == op && doca_priv_rdma_is_message(op) && !c->has_failed)
            (void)doca_priv_rdma_begin(c);
    }
    doca_priv_rdma_wake_program(r);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL size_t doca_priv_rdma_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                                 uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return sizeof(struct doca_priv_rdma_queue);
}

/* Close the sockets through which peers make connections. */
static void doca_priv_rdma_close_sockets(struct doca_rdma *r)
{
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_RDMA_GUESTS; i++)
        doca_priv_rdma_close_fd(r, &r->guests[i].fd);
    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        doca_priv_rdma_close_fd(r, &r->ports[i].fd);
    doca_priv_rdma_close_fd(r, &r->listener);
}

/* Release what an open instance has. */
static void doca_priv_rdma_close(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    uint32_t i;

    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE && !r->conns[i].is_free)
            doca_priv_rdma_conn_down(&r->conns[i], DOCA_ERROR_SHUTDOWN, DOCA_PRIV_RDMA_NOTHING);
    for (i = 0; i < r->max_conns; i++) /* end their handles */
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE)
            doca_priv_object_end(&r->conns[i].obj);
    doca_priv_rdma_close_sockets(r);
    doca_priv_sys_close(r->wake_fd);
    doca_priv_sys_close(r->timer_fd);
    doca_priv_sys_close(r->set);
    if (r->lock_fd >= 0)
        doca_priv_rdma_lock_drop();
    (void)doca_core_arena_give(r->ctx.arena, r->conns);
    r->conns = NULL;
}

/* Open the descriptors of an instance. Returns false with the reason in *why. */
static bool doca_priv_rdma_open_fds(struct doca_rdma *r, struct doca_core_refusal *why)
{
    why->step = DOCA_PRIV_LOG_TEXT("open an epoll set with an eventfd and a timer");
    r->set = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC));
    r->wake_fd = doca_priv_sys_event_open();
    r->timer_fd = doca_priv_sys_keep((int)doca_priv_sys_call(
        SYS_timerfd_create, 1 /* CLOCK_MONOTONIC */, 02004000 /* NONBLOCK, CLOEXEC */, 0, 0, 0, 0));
    if (r->set < 0 || r->wake_fd < 0 || r->timer_fd < 0 ||
        !doca_priv_rdma_watch(r, r->wake_fd, DOCA_PRIV_RDMA_AT_WAKE, 0) ||
        !doca_priv_rdma_watch(r, r->timer_fd, DOCA_PRIV_RDMA_AT_TIMER, 0)) {
        why->error = errno;
        return false;
    }
    why->step = DOCA_PRIV_LOG_TEXT("make the shared memory of the lock");
    r->lock_fd = doca_priv_rdma_lock_hold();
    if (r->lock_fd < 0) {
        why->error = errno;
        return false;
    }
    why->step = DOCA_PRIV_LOG_TEXT("make a random number");
    if (!doca_priv_sys_random(&r->number)) {
        why->error = errno;
        return false;
    }
    r->listener = doca_priv_local_listen(DOCA_PRIV_RDMA_INSTANCE_PREFIX, r->number, why);
    if (r->listener >= 0 && !doca_priv_rdma_watch(r, r->listener, DOCA_PRIV_RDMA_AT_LISTENER, 0)) {
        why->step = DOCA_PRIV_LOG_TEXT("watch the socket of the instance");
        why->error = errno;
        return false;
    }
    return r->listener >= 0;
}

static doca_error_t doca_priv_rdma_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                        const char *function)
{
    struct doca_rdma *r = (struct doca_rdma *)(void *)ctx;
    const size_t bytes = doca_priv_rdma_block_bytes(r->max_conns);
    const char *ptracer = doca_priv_sys_env("DOCA_CORE_SW_PTRACER");
    struct doca_core_refusal why;
    struct doca_rdma_connection *c;
    void *block = NULL;
    doca_error_t rc;
    uint32_t i;

    (void)num_tasks;
    rc = doca_priv_arena_take(ctx->arena, bytes, &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(block, 0, bytes);
    DOCA_CORE_MEMSET((unsigned char *)(void *)r + offsetof(struct doca_rdma, conns), 0,
                     sizeof(*r) - offsetof(struct doca_rdma, conns));
    r->conns = (struct doca_rdma_connection *)block;
    r->queue = ctx->queue;
    ((struct doca_priv_rdma_queue *)(void *)ctx->queue)->rdma = r;
    ctx->queue->post = doca_priv_rdma_post;
    ctx->queue->poll = doca_priv_rdma_poll;
    r->listener = r->set = r->wake_fd = r->timer_fd = r->lock_fd = -1;
    for (i = 0; i < DOCA_PRIV_RDMA_GUESTS; i++)
        r->guests[i].fd = -1;
    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        r->ports[i].fd = -1;
    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    if (!doca_priv_rdma_open_fds(r, &why)) {
        doca_priv_rdma_close(ctx->queue);
        return doca_priv_fail_refused(DOCA_CORE_ITEM_RDMA_SYSTEM, function, ctx, &why);
    }
    if (ptracer != NULL && doca_priv_str_equal(ptracer, "any"))
        doca_priv_sys_far_permit(); /* receivers read the memory of senders */
    if (!r->is_of_25)
        return DOCA_SUCCESS;
    rc = doca_priv_rdma_conn_open(r, &c, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_rdma_close(ctx->queue);
        return rc;
    }
    return DOCA_ERROR_IN_PROGRESS;
}

/* An instance of 2.5 is open when its connection is established. */
static doca_error_t doca_priv_rdma_opening(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);

    doca_priv_rdma_look(r);
    if (r->conns[0].obj.state == DOCA_PRIV_RDMA_UP)
        return DOCA_SUCCESS;
    return r->conns[0].obj.state == DOCA_PRIV_RDMA_DOWN
               ? doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_GONE,
                                        "doca_pe_progress", &r->ctx, 0)
               : DOCA_ERROR_IN_PROGRESS;
}

static void doca_priv_rdma_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op;
    struct doca_rdma_connection *c;

    for (c = r->live; c != NULL; c = c->next_live)
        doca_priv_rdma_end_ops(c, status);
    while ((op = r->receives) != NULL) {
        r->receives = doca_priv_rdma_task_of(op->task.next);
        (void)doca_priv_fail(status, DOCA_CORE_ITEM_FLUSHED, "doca_pe_progress", &op->task);
        doca_priv_local_end_task(queue, &op->task, status);
    }
}

/* True when poll has to handle a message of the peer: a receive task can take the message, or
 * ring->starving does not tell the sender yet that the message waits for a receive task. */
static bool doca_priv_rdma_must_hear(const struct doca_rdma_connection *c)
{
    return doca_priv_rdma_slot_is(&c->in, c->in.ticket, DOCA_PRIV_RDMA_SLOT_FILLED) &&
           (c->rdma->receives != NULL ||
            DOCA_PRIV_LOAD(&c->in.ring->starving) !=
                DOCA_PRIV_RDMA_TURN(c->in.ticket, DOCA_PRIV_RDMA_SLOT_FILLED));
}

static bool doca_priv_rdma_ready(struct doca_core_queue *queue)
{
    const struct doca_rdma *r = doca_priv_rdma_of(queue);
    const struct doca_rdma_connection *c = r->live;

    if (queue->first != NULL || r->num_events > 0 || r->late != NULL)
        return true;
    for (; c != NULL; c = c->next_live)
        if (doca_priv_rdma_can_begin(c) || doca_priv_rdma_has_ended(c) ||
            (c->obj.state == DOCA_PRIV_RDMA_UP &&
             (doca_priv_rdma_must_time(c) || doca_priv_rdma_must_hear(c))))
            return true;
    return false;
}

static int doca_priv_rdma_fd(struct doca_core_queue *queue)
{
    return doca_priv_rdma_of(queue)->set;
}

static void doca_priv_rdma_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_rdma_connection *c = r->live;

    r->is_armed = armed;
    for (; c != NULL; c = c->next_live) {
        DOCA_PRIV_STORE_ORDERED(&c->out.ring->sender_sleeps, armed ? 1u : 0u);
        if (c->in.ring != NULL)
            DOCA_PRIV_STORE_ORDERED(&c->in.ring->receiver_sleeps, armed ? 1u : 0u);
    }
    if (armed) {
        if (r->num_unsettled > 0)
            doca_priv_rdma_set_timer(r);
        return;
    }
    (void)doca_priv_sys_event_drain(r->wake_fd);
    r->must_look = true;
}

static void doca_priv_rdma_begin_stop(struct doca_ctx *ctx)
{
    struct doca_rdma *r = (struct doca_rdma *)(void *)ctx;
    uint32_t i;

    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE && !r->conns[i].is_free)
            doca_priv_rdma_conn_down(&r->conns[i], DOCA_ERROR_SHUTDOWN, DOCA_PRIV_RDMA_NOTHING);
    doca_priv_rdma_close_sockets(r);
}

DOCA_PRIV_DECL bool doca_priv_rdma_can_stop(struct doca_ctx *ctx)
{
    (void)ctx; /* all connections have ended */
    return true;
}

DOCA_PRIV_DECL bool doca_priv_rdma_is_supported(const struct doca_core_limits *limits)
{
    (void)limits; /* create has checked the device */
    return true;
}

DOCA_PRIV_DECL bool doca_priv_rdma_is_complete(const struct doca_task *task)
{
    (void)task;
    return true;
}

DOCA_PRIV_DECL void doca_priv_rdma_settle(struct doca_task *task)
{
    (void)task;
}

DOCA_PRIV_DECL uint64_t doca_priv_rdma_task_bytes(const struct doca_task *task)
{
    const struct doca_priv_rdma_task *op = (const struct doca_priv_rdma_task *)(const void *)task;

    switch (task->type) {
    case DOCA_PRIV_RDMA_SEND:
    case DOCA_PRIV_RDMA_SEND_IMM:
    case DOCA_PRIV_RDMA_WRITE:
    case DOCA_PRIV_RDMA_WRITE_IMM:
        return doca_priv_task_list_bytes(op->local);
    default:
        return op->result_len;
    }
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_rdma_set_fate(struct doca_task *task,
                                                             doca_error_t code)
{
    doca_priv_rdma_task_of(task)->fate = (uint8_t)code;
}

static doca_error_t doca_priv_rdma_limit(const struct doca_devinfo *devinfo,
                                         const struct doca_dev *dev,
                                         struct doca_priv_rdma_limits *limits, const char *function)
{
    (void)devinfo;
    (void)dev;
    (void)function;
    limits->send_queue = DOCA_CORE_RDMA_MAX_SEND_QUEUE;
    limits->recv_queue = DOCA_CORE_RDMA_MAX_RECV_QUEUE;
    limits->send_list = limits->recv_list = DOCA_CORE_RDMA_MAX_SEND_LIST;
    limits->message = DOCA_CORE_RDMA_MAX_MESSAGE;
    limits->gids = 2;
    return DOCA_SUCCESS;
}

/* The identifiers of a device are its IPv6 address in the topology and, if the topology gives the
 * device one, its IPv4 address. */
static doca_error_t doca_priv_rdma_read_gids(const struct doca_devinfo *devinfo, uint32_t first,
                                             uint32_t num, struct doca_rdma_gid *gids,
                                             const char *function)
{
    static const uint8_t none[DOCA_DEVINFO_IPV4_ADDR_SIZE] = { 0 };
    uint8_t *to;
    uint32_t i;

    (void)function;
    for (i = 0; i < num; i++) {
        to = gids[i].raw;
        DOCA_CORE_MEMSET(to, 0, sizeof(gids[i].raw));
        if (first + i == 0) {
            DOCA_CORE_MEMCPY(to, devinfo->attr.ipv6_addr, DOCA_DEVINFO_IPV6_ADDR_SIZE);
        } else if (DOCA_CORE_MEMCMP(devinfo->attr.ipv4_addr, none, sizeof(none)) != 0) {
            to[10] = to[11] = 0xff;
            DOCA_CORE_MEMCPY(to + 12, devinfo->attr.ipv4_addr, DOCA_DEVINFO_IPV4_ADDR_SIZE);
        }
    }
    return DOCA_SUCCESS;
}

static const struct doca_priv_engine doca_priv_rdma_engine = {
    DOCA_PRIV_ENGINE_NONE,       false,
    doca_priv_rdma_is_supported, doca_priv_rdma_check,
    doca_priv_rdma_is_complete,  doca_priv_rdma_settle,
    doca_priv_rdma_open,         doca_priv_rdma_begin_stop,
    doca_priv_rdma_can_stop,     NULL,
    doca_priv_rdma_task_bytes
};

static const struct doca_core_backend doca_priv_rdma_backend = DOCA_PRIV_LOCAL_TABLE(
    "rdma", doca_priv_rdma_queue_bytes, doca_priv_rdma_opening, doca_priv_rdma_close,
    doca_priv_rdma_flush, doca_priv_rdma_ready, doca_priv_rdma_fd, doca_priv_rdma_arm);

#if !defined(DOCA_CORE_NO_FAULT)
DOCA_PRIV_ASSERT_STATIC(rdma_tasks_have_faults,
                        (unsigned)DOCA_PRIV_FAULT_OPS ==
                            DOCA_PRIV_FAULT_RDMA_TASKS + 2u * DOCA_PRIV_RDMA_TYPES);
#endif

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_rdma_faults, "rdma", doca_priv_rdma_queue_bytes,
                        doca_priv_rdma_backend, DOCA_PRIV_FAULT_RDMA, DOCA_PRIV_FAULT_RDMA_TASKS,
                        doca_priv_rdma_set_fate)

static const struct doca_core_backend *doca_priv_rdma_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_rdma_backend, doca_priv_rdma_faults);
}

DOCA_PRIV_DECL const struct doca_priv_rdma_transport doca_priv_rdma_local = {
    &doca_priv_rdma_engine,
    doca_priv_rdma_backend_of,
    NULL,
    doca_priv_rdma_describe,
    doca_priv_rdma_show,
    doca_priv_rdma_connect_far,
    doca_priv_rdma_conn_down,
    doca_priv_rdma_limit,
    doca_priv_rdma_read_gids,
    doca_priv_rdma_listen,
    doca_priv_rdma_unlisten,
    doca_priv_rdma_ask,
    doca_priv_rdma_accept
};

/* ---- >>impl.comch.channel -------------------------------------------------------------------
 * Servers and clients as contexts: start, poll, stop. The epoll set of a context contains the
 * sockets of its connections, each with the number of its connection; the socket on which a server
 * listens; and an eventfd. Consumers and producers of other threads signal the eventfd when they
 * are destroyed, or when they have a packet that the socket had no room for.                    */
#include "compat/comch/channel_priv.h"

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
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/devinfo_priv.h"
#include "device/rep.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/task_priv.h"
#include "fault/text_priv.h"
#include "compat/comch/connection_priv.h"
#include "compat/comch/objects_priv.h"
#include "compat/local/platform_priv.h"
#include "compat/local/queue_priv.h"
#include "compat/comch/receive_priv.h"
#include "compat/comch/wire_priv.h"
#include "compat/local/socket_priv.h"

/* Numbers in the epoll set of the descriptors that do not belong to connections. */
#define DOCA_PRIV_COMCH_LISTENER 0xffffffffu
#define DOCA_PRIV_COMCH_WAKE 0xfffffffeu

/* After EAGER polls in a row that found nothing, a context asks the kernel only in every LAZY-th
 * poll. So it takes little time from the other contexts of a busy progress engine. */
#define DOCA_PRIV_COMCH_EAGER 64u
#define DOCA_PRIV_COMCH_LAZY 16u

#define DOCA_PRIV_COMCH_ENDED_IN_TURN 8u /* completed sends in a row before other events are polled
                                          * for */

/* If the kernel reported a single ready connection and it had a packet, up to this many polls
 * receive from this connection without asking the kernel again, until one of them finds nothing.
 * The first poll after the program has slept tries the connection of the latest packet as well,
 * because most programs have one busy connection. If that connection has no packet, the poll asks
 * the kernel. */
#define DOCA_PRIV_COMCH_AGAIN 16u

/* Most programs that sleep get one message, answer it, and sleep again. Therefore the poll after
 * the first message of a wake-up reports that nothing is left, without a system call that would
 * delay the answer. The check follows when the program goes to sleep: the handle becomes readable
 * at once if a packet has arrived. After such a packet, and after each second message of a wake-up,
 * this many wake-ups do look for a second message. */
#define DOCA_PRIV_COMCH_SECONDS 16u

DOCA_PRIV_DECL size_t doca_priv_comch_block_bytes(uint32_t max_conns, uint32_t max_msg)
{
    return doca_priv_size(max_conns, sizeof(struct doca_comch_connection),
                          DOCA_PRIV_COMCH_PACKET(max_msg) + 1 + DOCA_CORE_LINE);
}

static bool doca_priv_comch_watch(int set, int fd, uint32_t number)
{
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = EPOLLIN;
    event.data.u32 = number;
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Return the name by which clients and servers of a function find each other; an empty string when
 * the function has none. The name is not always the PCI address, because an SF has the PCI address
 * of its PF. */
DOCA_PRIV_DECL const char *doca_priv_comch_name_of(const struct doca_core_dev_attr *attr)
{
    return attr->func_type == DOCA_PCI_FUNC_TYPE_SF || attr->pci_addr[0] == '\0' ? attr->vuid
                                                                                 : attr->pci_addr;
}

/* The name of the function of a client's device, or of a server's representor. */
static const char *doca_priv_comch_function(const struct doca_priv_comch *c)
{
    return doca_priv_comch_name_of(c->rep != NULL ? &c->rep->info.info.attr
                                                  : &c->ctx.dev->info.attr);
}

/* Free the connections whose packets are all read and which have no consumer and no producer. */
static void doca_priv_comch_sweep(struct doca_priv_comch *c)
{
    uint32_t i;

    c->has_gone = false;
    for (i = 0; i < c->max_conns; i++) {
        if (c->conns[i].obj.state != DOCA_PRIV_COMCH_GONE)
            continue;
        if (doca_priv_comch_has_children(&c->conns[i]))
            c->has_gone = true;
        else
            doca_priv_comch_conn_free(&c->conns[i]);
    }
}

/* Handle a signal of another thread: its consumers or producers were destroyed, or could not
 * send. */
static void doca_priv_comch_hear_wake(struct doca_priv_comch *c)
{
    uint32_t i;

    (void)doca_priv_sys_event_drain(c->wake_fd);
    doca_priv_comch_sweep(c);
    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state == DOCA_PRIV_COMCH_UP)
            doca_priv_comch_conn_flush(&c->conns[i]);
}

/* Handle a descriptor that was ready when the kernel was asked. Its connection may have ended
 * since, and a new connection may have the same entry of c->conns. */
static struct doca_task *doca_priv_comch_handle(struct doca_priv_comch *c,
                                                const struct epoll_event *event)
{
    struct doca_comch_connection *connection;

    if (event->data.u32 == DOCA_PRIV_COMCH_LISTENER) {
        if (c->listener >= 0)
            doca_priv_comch_accept_all(c);
        return NULL;
    }
    if (event->data.u32 == DOCA_PRIV_COMCH_WAKE) {
        doca_priv_comch_hear_wake(c);
        return NULL;
    }
    connection = &c->conns[event->data.u32];
    if ((event->events & EPOLLOUT) != 0 && connection->obj.state != DOCA_PRIV_COMCH_FREE)
        doca_priv_comch_conn_flush(connection);
    return (event->events & ~(uint32_t)EPOLLOUT) != 0 ? doca_priv_comch_hear(connection) : NULL;
}

/* Ask the kernel which descriptors are ready. The set is level-triggered: the kernel reports a
 * descriptor again while it stays ready. If more than DOCA_PRIV_COMCH_READY descriptors are
 * ready, the kernel reports them in rotation. */
static void doca_priv_comch_ask(struct doca_priv_comch *c)
{
    const int num = epoll_wait(c->set, c->ready, DOCA_PRIV_COMCH_READY, 0);

    c->num_ready = num > 0 ? (uint32_t)num : 0;
    c->next_ready = 0;
    c->num_empty = num > 0 ? 0 : c->num_empty + 1;
    c->num_again = 0;
    c->owes_look = false;
}

/* Receive from the connection that had the latest packet, without asking the kernel whether it has
 * another one. */
static struct doca_task *doca_priv_comch_look_again(struct doca_priv_comch *c, bool is_guess)
{
    const bool is_second = c->is_second && !is_guess;
    struct doca_task *task = NULL;

    c->owes_look = is_second && c->num_seconds == 0;
    if (!c->owes_look) {
        c->num_again++;
        task = doca_priv_comch_hear(&c->conns[c->again]);
        if (is_second)
            c->num_seconds = task != NULL ? DOCA_PRIV_COMCH_SECONDS : c->num_seconds - 1;
    }
    c->is_second = is_guess && task != NULL;
    c->is_alone = task != NULL;
    return task;
}

/* Handle ready descriptors until there is an event for the program. All descriptors that one
 * call of epoll has reported are handled before the next call, so that a busy connection does not
 * delay the others. */
static struct doca_task *doca_priv_comch_look(struct doca_priv_comch *c)
{
    struct doca_task *task = NULL;
    const bool is_guess = c->is_guess && c->num_ready <= 1;

    if (c->has_gone)
        doca_priv_comch_sweep(c);
    c->is_guess = false;
    if ((c->is_alone || is_guess) && c->next_ready == c->num_ready &&
        c->num_again < DOCA_PRIV_COMCH_AGAIN) {
        task = doca_priv_comch_look_again(c, is_guess);
        if (task != NULL || !is_guess)
            return task;
    }
    if (c->next_ready == c->num_ready)
        doca_priv_comch_ask(c);
    while (task == NULL && c->next_ready < c->num_ready)
        task = doca_priv_comch_handle(c, &c->ready[c->next_ready++]);
    c->is_alone = task != NULL && c->num_ready == 1;
    if (task != NULL)
        c->again = c->ready[c->next_ready - 1].data.u32;
    return task;
}

/* Return completed sends first. After some of them, look for other events: a program that submits a
 * send after each completion must also get its other events. */
static struct doca_task *doca_priv_comch_poll(struct doca_core_queue *queue)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);
    struct doca_task *task;

    if (queue->first != NULL && ++c->num_ended % DOCA_PRIV_COMCH_ENDED_IN_TURN != 0)
        return doca_priv_local_take_ended(queue);
    if (queue->first == NULL && c->num_empty >= DOCA_PRIV_COMCH_EAGER &&
        c->ctx.obj.state == DOCA_CTX_STATE_RUNNING && ++c->num_empty % DOCA_PRIV_COMCH_LAZY != 0)
        return NULL;
    task = doca_priv_comch_look(c);
    return task != NULL ? task : doca_priv_local_take_ended(queue);
}

static doca_error_t doca_priv_comch_post(struct doca_core_queue *queue, struct doca_task *task)
{
    const struct doca_comch_task_send *send =
        (const struct doca_comch_task_send *)(const void *)task;
    struct doca_comch_connection *connection = send->connection;
    enum doca_priv_local_sent sent = DOCA_PRIV_LOCAL_FULL;

    if (!doca_priv_comch_is_connection(connection) || send->serial != connection->serial ||
        connection->obj.state == DOCA_PRIV_COMCH_GREETING)
        return DOCA_ERROR_BAD_STATE;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, task, 0, 0);)
    if (connection->obj.state != DOCA_PRIV_COMCH_UP)
        sent = DOCA_PRIV_LOCAL_BROKEN;
    else if (connection->unsent == NULL)
        sent = doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_MESSAGE, 0, send->bytes,
                                    send->len, NULL);
    if (doca_likely(sent == DOCA_PRIV_LOCAL_SENT)) {
        connection->counts[0]++;
        connection->counts[1] += send->len;
        doca_priv_local_end_task(queue, task, DOCA_SUCCESS);
    } else if (sent == DOCA_PRIV_LOCAL_BROKEN) {
        (void)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET, DOCA_CORE_ITEM_COMCH_LOST,
                             "doca_task_submit", task);
        doca_priv_local_end_task(queue, task, DOCA_ERROR_CONNECTION_RESET);
    } else {
        task->next = NULL;
        if (connection->unsent == NULL)
            connection->unsent = task;
        else
            connection->unsent_last->next = task;
        connection->unsent_last = task;
        doca_priv_comch_conn_await_room(connection);
    }
    return DOCA_SUCCESS;
}

static size_t doca_priv_comch_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                          uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return sizeof(struct doca_priv_comch_queue);
}

/* Release all resources of an open context. */
static void doca_priv_comch_close(struct doca_core_queue *queue)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);
    uint32_t i;

    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state != DOCA_PRIV_COMCH_FREE)
            doca_priv_comch_conn_free(&c->conns[i]);
    doca_priv_sys_close(c->listener);
    doca_priv_sys_close(c->wake_fd);
    doca_priv_sys_close(c->set);
    (void)doca_core_arena_give(c->ctx.arena, c->block);
    c->block = NULL;
    c->conns = NULL;
}

static doca_error_t doca_priv_comch_refuse_start(struct doca_priv_comch *c,
                                                 struct doca_core_refusal *why,
                                                 const char *function)
{
    doca_error_t rc;

    if (c->set >= 0 && c->wake_fd >= 0 && why->error == EADDRINUSE)
        rc = doca_priv_fail(DOCA_ERROR_ALREADY_EXIST, DOCA_CORE_ITEM_COMCH_NAME_TAKEN, function,
                            &c->ctx);
    else
        rc = doca_priv_fail_refused(DOCA_CORE_ITEM_COMCH_SYSTEM, function, &c->ctx, why);
    doca_priv_comch_close(c->queue);
    return rc;
}

static doca_error_t doca_priv_comch_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                         const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)(void *)ctx;
    struct doca_core_refusal why;
    doca_error_t rc;

    (void)num_tasks;
    rc = doca_priv_arena_take(ctx->arena, doca_priv_comch_block_bytes(c->max_conns, c->max_msg),
                              &c->block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(c->block, 0, doca_priv_comch_block_bytes(c->max_conns, c->max_msg));
    c->conns = (struct doca_comch_connection *)c->block;
    c->inbox = (uint8_t *)((uintptr_t)(c->conns + c->max_conns) / DOCA_CORE_LINE * DOCA_CORE_LINE +
                           DOCA_CORE_LINE);
    c->queue = ctx->queue;
    ((struct doca_priv_comch_queue *)(void *)ctx->queue)->comch = c;
    ctx->queue->post = doca_priv_comch_post;
    ctx->queue->poll = doca_priv_comch_poll;
    c->num_empty = 0;
    c->again = 0;
    c->num_again = 0;
    c->is_alone = false;
    c->is_guess = false;
    c->is_second = false;
    c->owes_look = false;
    c->num_seconds = 0;
    c->num_ready = 0;
    c->next_ready = 0;
    c->opening = DOCA_ERROR_IN_PROGRESS;
    c->listener = -1;
    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    c->set = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC));
    c->wake_fd = doca_priv_sys_event_open();
    if (c->set < 0 || c->wake_fd < 0 ||
        !doca_priv_comch_watch(c->set, c->wake_fd, DOCA_PRIV_COMCH_WAKE)) {
        why.step = DOCA_PRIV_LOG_TEXT("open an epoll set with an eventfd");
        why.error = errno;
        return doca_priv_comch_refuse_start(c, &why, function);
    }
    if (c->rep == NULL)
        return DOCA_ERROR_IN_PROGRESS;
    c->listener = doca_priv_comch_listen(doca_priv_comch_function(c), c->name, &why);
    if (c->listener < 0)
        return doca_priv_comch_refuse_start(c, &why, function);
    if (!doca_priv_comch_watch(c->set, c->listener, DOCA_PRIV_COMCH_LISTENER)) {
        why.step = DOCA_PRIV_LOG_TEXT("watch the socket of the server");
        why.error = errno;
        return doca_priv_comch_refuse_start(c, &why, function);
    }
    return DOCA_SUCCESS;
}

/* Begin to connect a client. */
static doca_error_t doca_priv_comch_dial_server(struct doca_priv_comch *c)
{
    struct doca_priv_comch_hello hello;
    struct doca_comch_connection *connection;
    struct doca_core_refusal why;
    doca_error_t rc;
    int fd;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    fd = doca_priv_comch_dial(doca_priv_comch_function(c), c->name, &why);
    if (fd < 0 && why.error == EAGAIN)
        return DOCA_ERROR_IN_PROGRESS;
    if (fd < 0)
        return why.error == ECONNREFUSED
                   ? doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED,
                                            DOCA_CORE_ITEM_COMCH_NO_SERVER, "doca_pe_progress",
                                            &c->ctx, 0)
                   : doca_core_backend_refuse(DOCA_ERROR_OPERATING_SYSTEM,
                                              DOCA_CORE_ITEM_COMCH_SYSTEM, "doca_pe_progress",
                                              &c->ctx, &why);
    if (!doca_priv_local_is_same_user(fd)) {
        doca_priv_sys_close(fd);
        return doca_core_backend_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_COMCH_FOREIGN,
                                      "doca_pe_progress", &c->ctx, 0);
    }
    rc = doca_priv_fault_call(&c->ctx, DOCA_PRIV_FAULT_COMCH_CONNECT);
    if (rc != DOCA_SUCCESS) {
        doca_priv_sys_close(fd);
        return rc;
    }
    connection = doca_priv_comch_conn_open(c, fd);
    if (connection == NULL) {
        why.step = DOCA_PRIV_LOG_TEXT("watch the socket of the client");
        why.error = errno;
        doca_priv_sys_close(fd);
        return doca_core_backend_refuse(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_COMCH_SYSTEM,
                                        "doca_pe_progress", &c->ctx, &why);
    }
    DOCA_CORE_MEMSET(&hello, 0, sizeof(hello));
    hello.version = DOCA_PRIV_COMCH_VERSION;
    hello.max_msg = c->max_msg;
    DOCA_CORE_MEMCPY(hello.name, c->name, sizeof(hello.name));
    (void)doca_priv_local_send(fd, DOCA_PRIV_COMCH_HELLO, 0, &hello, sizeof(hello), NULL);
    return DOCA_ERROR_IN_PROGRESS;
}

static doca_error_t doca_priv_comch_opening(struct doca_core_queue *queue)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);

    if (c->opening == DOCA_ERROR_IN_PROGRESS)
        c->opening = c->conns[0].obj.state == DOCA_PRIV_COMCH_FREE
                         ? doca_priv_comch_dial_server(c)
                         : doca_priv_comch_hear_answer(&c->conns[0]);
    return c->opening;
}

static void doca_priv_comch_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);
    uint32_t i;

    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state != DOCA_PRIV_COMCH_FREE)
            doca_priv_comch_conn_drop_unsent(&c->conns[i], status);
}

/* Most packets need no check here: the epoll set is level-triggered and always armed, so packets
 * make the notification handle readable without help. But an edge-triggered watch of the handle
 * does not report packets that arrived before the program went to sleep. Therefore, when a poll has
 * reported nothing without a look at the sockets (owes_look), this function looks. */
static bool doca_priv_comch_ready(struct doca_core_queue *queue)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);

    if (queue->first != NULL)
        return true;
    if (!c->owes_look)
        return false;
    c->owes_look = false;
    if (!doca_priv_local_is_readable(c->set))
        return false;
    c->num_seconds = DOCA_PRIV_COMCH_SECONDS;
    return true;
}

static int doca_priv_comch_fd(struct doca_core_queue *queue)
{
    return doca_priv_comch_of(queue)->set;
}

static void doca_priv_comch_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);

    /* the descriptors of the set stay readable until their packets are read */
    if (!armed)
        c->is_guess = true;
}

static void doca_priv_comch_begin_stop(struct doca_ctx *ctx)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)(void *)ctx;
    uint32_t i;

    if (c->listener >= 0)
        doca_priv_sys_unwatch(c->set, c->listener);
    doca_priv_sys_close(c->listener);
    c->listener = -1;
    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state == DOCA_PRIV_COMCH_GREETING ||
            c->conns[i].obj.state == DOCA_PRIV_COMCH_UP)
            doca_priv_comch_conn_hang_up(&c->conns[i]);
}

static bool doca_priv_comch_can_stop(struct doca_ctx *ctx)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)(void *)ctx;
    uint32_t i;

    doca_priv_comch_sweep(c);
    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state != DOCA_PRIV_COMCH_FREE)
            return false;
    return true;
}

static bool doca_priv_comch_is_supported(const struct doca_core_limits *limits)
{
    (void)limits; /* create has checked the side of the device */
    return true;
}

static doca_error_t doca_priv_comch_check(const struct doca_task *task, enum doca_core_item *item)
{
    const struct doca_comch_task_send *send =
        (const struct doca_comch_task_send *)(const void *)task;

    *item = DOCA_CORE_ITEM_COMCH_NOT_UP;
    return doca_priv_comch_is_connection(send->connection) &&
                   send->connection->obj.state == DOCA_PRIV_COMCH_UP
               ? DOCA_SUCCESS
               : DOCA_ERROR_BAD_STATE;
}

static bool doca_priv_comch_is_complete(const struct doca_task *task)
{
    (void)task;
    return true;
}

static void doca_priv_comch_settle(struct doca_task *task)
{
    (void)task;
}

static uint64_t doca_priv_comch_task_bytes(const struct doca_task *task)
{
    return ((const struct doca_comch_task_send *)(const void *)task)->len;
}

DOCA_PRIV_DECL const struct doca_priv_engine doca_priv_comch_engine = {
    DOCA_PRIV_ENGINE_NONE,        false,
    doca_priv_comch_is_supported, doca_priv_comch_check,
    doca_priv_comch_is_complete,  doca_priv_comch_settle,
    doca_priv_comch_open,         doca_priv_comch_begin_stop,
    doca_priv_comch_can_stop,     NULL,
    doca_priv_comch_task_bytes
};

static const struct doca_core_backend doca_priv_comch_backend = DOCA_PRIV_LOCAL_TABLE(
    "comch", doca_priv_comch_queue_bytes, doca_priv_comch_opening, doca_priv_comch_close,
    doca_priv_comch_flush, doca_priv_comch_ready, doca_priv_comch_fd, doca_priv_comch_arm);

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_comch_faults, "comch", doca_priv_comch_queue_bytes,
                        doca_priv_comch_backend, DOCA_PRIV_FAULT_COMCH, 0, NULL)

/* Return the table of servers and clients of a device. */
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_comch_backend, doca_priv_comch_faults);
}

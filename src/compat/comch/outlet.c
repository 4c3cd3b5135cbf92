/* ---- >>impl.comch.outlet --------------------------------------------------------------------
 * The queue of a producer. post takes a ticket of the consumer. If the chunk of the ticket is free
 * and the message has at most DOCA_PRIV_COMCH_CHUNK bytes, post writes the message into the ring at
 * once. Otherwise the task waits in a list, and poll sends it in steps. Tasks complete in the order
 * of their posts.                                                                               */
#include "compat/comch/outlet_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/pe.h"
#include "progress/task_priv.h"
#include "compat/comch/config.h"
#include "compat/comch/objects_priv.h"
#include "compat/local/platform_priv.h"
#include "compat/local/queue_priv.h"
#include "compat/comch/ring_priv.h"
#include "compat/comch/wire_priv.h"
#include "compat/local/socket_priv.h"

#define DOCA_PRIV_COMCH_STEPS 8u /* maximum number of waiting tasks that one poll handles */
/* After this many consecutive calls of post that find no credit, post checks whether the peer still
 * exists. */
#define DOCA_PRIV_COMCH_DENIALS 256u

struct doca_priv_comch_outlet {
    struct doca_core_queue queue; /* first, last: all tasks, in the order of their posts */
    struct doca_comch_producer *producer;
    struct doca_comch_producer_task_send *waiting, *waiting_last;
    struct doca_priv_comch_lane *lane; /* of the latest task. The producer is counted as its user */
    uint32_t num_denials; /* consecutive posts that found no credit */
    int set;              /* epoll set with the eventfds of the rings that tasks wait for */
    bool is_armed;
};

static struct doca_priv_comch_outlet *doca_priv_comch_outlet_of(struct doca_core_queue *queue)
{
    return (struct doca_priv_comch_outlet *)(void *)queue;
}

static struct doca_comch_producer_task_send *doca_priv_comch_sending(struct doca_task *task)
{
    return (struct doca_comch_producer_task_send *)(void *)task;
}

/* True when the CPU can read the bytes of the buffer for this producer. */
static bool doca_priv_comch_outlet_takes(const struct doca_comch_producer *producer,
                                         const struct doca_buf *buf)
{
    return (doca_priv_buf_is_head(buf, false, DOCA_PRIV_BUF_LIST) ||
            doca_priv_buf_is_warned_head(buf, DOCA_PRIV_BUF_LIST)) &&
           (buf->mmap->dev_mask & producer->ctx.dev->bit) != 0 &&
           buf->data_len <= DOCA_CORE_COMCH_MAX_BUF;
}

static uint64_t doca_priv_comch_send_len(const struct doca_comch_producer_task_send *send)
{
    return send->buf != NULL ? send->buf->data_len : 0;
}

static void doca_priv_comch_outlet_wake(const struct doca_priv_comch_lane *lane)
{
    if (DOCA_PRIV_LOAD_ORDERED(&lane->ring->consumer_sleeps) != 0)
        (void)doca_priv_sys_event_signal(lane->wake_fd);
}

static uint32_t doca_priv_comch_chunk_bit(const struct doca_comch_producer_task_send *send)
{
    return 1u << (send->ticket & (send->lane->num_chunks - 1));
}

/* Release the chunk of a streamed message. The consumer had released the chunk earlier, and does
 * not wake the producer of the next message in this chunk a second time; therefore this producer
 * wakes it. */
static void doca_priv_comch_outlet_release(struct doca_comch_producer_task_send *send)
{
    struct doca_priv_comch_lane *lane = send->lane;

    send->is_streamed = false;
    (void)DOCA_PRIV_FETCH_ADD(&lane->busy_chunks, 0u - doca_priv_comch_chunk_bit(send));
    if (DOCA_PRIV_LOAD_ORDERED(&lane->ring->producers_sleep) != 0)
        (void)doca_priv_sys_event_signal(lane->room_fd);
}

/* Mark a task as ended. poll returns the task when all tasks before it have ended. */
DOCA_PRIV_HOT void doca_priv_comch_outlet_mark(struct doca_comch_producer_task_send *send,
                                               doca_error_t status)
{
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, send, 0, 0);)
    send->stage = DOCA_PRIV_COMCH_ENDED;
    send->task.status = (uint8_t)status;
}

/* End a task that may have waited. */
static void doca_priv_comch_outlet_end(struct doca_comch_producer_task_send *send,
                                       doca_error_t status)
{
    doca_priv_comch_outlet_mark(send, status);
    if (send->sleeps)
        (void)DOCA_PRIV_FETCH_ADD(&send->lane->ring->producers_sleep, ~0u);
    send->sleeps = false;
    if (send->is_streamed)
        doca_priv_comch_outlet_release(send);
    if (send->is_user)
        (void)DOCA_PRIV_FETCH_ADD(&send->lane->num_users, ~0u);
    send->is_user = false;
    send->lane = NULL;
}

static void doca_priv_comch_outlet_fail(struct doca_comch_producer_task_send *send,
                                        doca_error_t status, enum doca_core_item item,
                                        const char *function)
{
    (void)doca_priv_fail(status, item, function, &send->task);
    doca_priv_comch_outlet_end(send, status);
}

/* Give the message, whose bytes are written, to the consumer. Returns false when the consumer has
 * already stopped. The store of the turn is ordered before the loads of both flags, is_closed and
 * consumer_sleeps. Before a consumer stops or sleeps, it sets one of these flags, and then reads
 * the turn. So at least one side sees the store of the other. */
DOCA_PRIV_HOT bool doca_priv_comch_show(const struct doca_comch_producer_task_send *send,
                                        const struct doca_priv_comch_lane *lane,
                                        struct doca_priv_comch_slot *slot, uint32_t ticket,
                                        uint64_t len, bool is_refused)
{
    const struct doca_comch_producer *producer =
        (const struct doca_comch_producer *)(const void *)send->task.ctx;

    slot->len = len;
    slot->is_refused = is_refused;
    slot->producer_id = producer->id;
    slot->imm_len = send->imm_len;
    if (doca_unlikely(send->imm_len > 0))
        DOCA_CORE_MEMCPY(slot->imm, send->imm, send->imm_len);
    DOCA_PRIV_STORE_ORDERED(&slot->turn, DOCA_PRIV_COMCH_TURN(ticket, DOCA_PRIV_COMCH_FILLED));
    if (doca_unlikely(DOCA_PRIV_LOAD_ORDERED(&lane->ring->is_closed) != 0) &&
        !doca_priv_comch_settle_claim(lane, ticket, DOCA_PRIV_COMCH_DELIVERED))
        return false;
    doca_priv_comch_outlet_wake(lane);
    return true;
}

/* Like doca_priv_comch_show(), for a task whose lane and ticket are set. Not inlined. */
static bool doca_priv_comch_publish(const struct doca_comch_producer_task_send *send, uint64_t len,
                                    bool is_refused)
{
    return doca_priv_comch_show(send, send->lane,
                                doca_priv_comch_slot_of(send->lane, send->ticket), send->ticket,
                                len, is_refused);
}

/* True when the consumer has read the previous message in the chunk of this task. The copy of
 * num_done may be out of date: the consumer has then read more messages than the copy says. */
static bool doca_priv_comch_has_chunk(const struct doca_comch_producer_task_send *send)
{
    struct doca_priv_comch_lane *lane = send->lane;
    uint32_t num_done = DOCA_PRIV_LOAD(&lane->num_done);

    if (doca_unlikely(send->ticket - num_done >= lane->num_chunks)) {
        num_done = DOCA_PRIV_LOAD_ORDERED(&lane->ring->num_done);
        DOCA_PRIV_STORE(&lane->num_done, num_done);
    }
    return send->ticket - num_done < lane->num_chunks &&
           (DOCA_PRIV_LOAD_ORDERED(&lane->busy_chunks) & doca_priv_comch_chunk_bit(send)) == 0;
}

/* Write the first bytes of a message into its chunk, which must be free, and publish the
 * message. */
static void doca_priv_comch_begin(struct doca_comch_producer_task_send *send)
{
    struct doca_priv_comch_chunk *chunk = doca_priv_comch_chunk_of(send->lane, send->ticket);
    const uint64_t len = doca_priv_comch_send_len(send);
    const size_t num = len < DOCA_PRIV_COMCH_CHUNK ? (size_t)len : DOCA_PRIV_COMCH_CHUNK;

    DOCA_CORE_MEMCPY(chunk->bytes, send->buf->data, num);
    send->num_written = num;
    send->stage = DOCA_PRIV_COMCH_STREAMS;
    send->is_streamed = num < len;
    if (send->is_streamed) {
        DOCA_PRIV_STORE(&chunk->num_written, (uint64_t)num);
        DOCA_PRIV_STORE(&chunk->num_read, (uint64_t)0);
        (void)DOCA_PRIV_FETCH_ADD(&send->lane->busy_chunks, doca_priv_comch_chunk_bit(send));
    }
    if (!doca_priv_comch_publish(send, len, false))
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_CONNECTION_RESET,
                                    DOCA_CORE_ITEM_COMCH_NO_CONSUMER, "doca_pe_progress");
    else if (num == len)
        doca_priv_comch_outlet_end(send, DOCA_SUCCESS);
}

/* Return the bytes of a streamed message that the consumer has read, or DISCARDED. */
static uint64_t doca_priv_comch_num_read(const struct doca_comch_producer_task_send *send)
{
    return DOCA_PRIV_LOAD_ORDERED(&doca_priv_comch_chunk_of(send->lane, send->ticket)->num_read);
}

/* True when the consumer has read all of a streamed message. Both sides then agree that the message
 * has arrived, whatever happens afterwards. */
static bool doca_priv_comch_has_arrived(const struct doca_comch_producer_task_send *send)
{
    return send->stage == DOCA_PRIV_COMCH_STREAMS &&
           doca_priv_comch_num_read(send) == doca_priv_comch_send_len(send);
}

/* Write more bytes of a message into its chunk, as many as fit. */
static void doca_priv_comch_go_on(struct doca_comch_producer_task_send *send)
{
    struct doca_priv_comch_chunk *chunk = doca_priv_comch_chunk_of(send->lane, send->ticket);
    const uint64_t num_read = doca_priv_comch_num_read(send), held = send->num_written - num_read;
    uint64_t num = doca_priv_comch_send_len(send) - send->num_written;
    const size_t at = (size_t)(send->num_written % DOCA_PRIV_COMCH_CHUNK);
    const unsigned char *from = send->buf->data + send->num_written;
    size_t first;

    if (num_read == DOCA_PRIV_COMCH_DISCARDED || held > DOCA_PRIV_COMCH_CHUNK) {
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_IO_FAILED,
                                    num_read == DOCA_PRIV_COMCH_DISCARDED
                                        ? DOCA_CORE_ITEM_COMCH_NO_ROOM
                                        : DOCA_CORE_ITEM_COMCH_NONSENSE,
                                    "doca_pe_progress");
        return;
    }
    if (num > DOCA_PRIV_COMCH_CHUNK - held)
        num = DOCA_PRIV_COMCH_CHUNK - held;
    if (num == 0)
        return;
    first = DOCA_PRIV_COMCH_CHUNK - at < num ? DOCA_PRIV_COMCH_CHUNK - at : (size_t)num;
    DOCA_CORE_MEMCPY(chunk->bytes + at, from, first);
    DOCA_CORE_MEMCPY(chunk->bytes, from + first, (size_t)num - first);
    send->num_written += num;
    DOCA_PRIV_STORE_ORDERED(&chunk->num_written, send->num_written);
    doca_priv_comch_outlet_wake(send->lane);
}

/* Tell the consumer that this message will not be completed. A ticket cannot be returned;
 * therefore, if no byte was sent yet, the consumer gets a message that it must refuse. */
static void doca_priv_comch_abandon(const struct doca_comch_producer_task_send *send)
{
    if (send->stage == DOCA_PRIV_COMCH_WAITS) {
        (void)doca_priv_comch_publish(send, 0, true);
    } else {
        DOCA_PRIV_STORE_ORDERED(&doca_priv_comch_chunk_of(send->lane, send->ticket)->num_written,
                                DOCA_PRIV_COMCH_ABANDONED);
        doca_priv_comch_outlet_wake(send->lane);
    }
}

/* True when a step of the task would make progress. */
static bool doca_priv_comch_can_step(const struct doca_comch_producer_task_send *send)
{
    const struct doca_priv_comch_lane *lane = send->lane;
    const uint64_t len = doca_priv_comch_send_len(send);
    uint64_t num_read;

    if (DOCA_PRIV_LOAD(&lane->is_live) == 0 || DOCA_PRIV_LOAD(&lane->ring->is_closed) != 0)
        return true;
    if (send->stage == DOCA_PRIV_COMCH_WAITS)
        return doca_priv_comch_has_chunk(send);
    num_read = doca_priv_comch_num_read(send);
    return num_read >= len ||
           (send->num_written < len && send->num_written - num_read != DOCA_PRIV_COMCH_CHUNK);
}

static void doca_priv_comch_step(struct doca_comch_producer_task_send *send)
{
    const struct doca_priv_comch_lane *lane = send->lane;

    if (doca_priv_comch_has_arrived(send)) {
        doca_priv_comch_outlet_end(send, DOCA_SUCCESS);
    } else if (DOCA_PRIV_LOAD(&lane->is_live) == 0 || DOCA_PRIV_LOAD(&lane->ring->is_closed) != 0) {
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_CONNECTION_RESET,
                                    DOCA_CORE_ITEM_COMCH_NO_CONSUMER, "doca_pe_progress");
    } else if (!doca_priv_buf_is_head(send->buf, false, 0) &&
               !doca_priv_buf_is_warned_head(send->buf, 0)) {
        doca_priv_comch_abandon(send);
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_COMCH_BUF,
                                    "doca_pe_progress");
    } else if (send->stage == DOCA_PRIV_COMCH_STREAMS) {
        doca_priv_comch_go_on(send);
    } else if (doca_priv_comch_has_chunk(send)) {
        doca_priv_comch_begin(send);
    }
}

/* Ask the consumer to wake this producer when the ring has room for the task. */
static void doca_priv_comch_outlet_listen(const struct doca_priv_comch_outlet *q,
                                          struct doca_comch_producer_task_send *send)
{
    struct epoll_event event;

    if (send->sleeps)
        return;
    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = EPOLLIN | EPOLLET; /* never reset: edge-triggered, so each signal wakes each
                                       * producer once */
    (void)epoll_ctl(q->set, EPOLL_CTL_ADD, send->lane->room_fd, &event);
    (void)DOCA_PRIV_FETCH_ADD(&send->lane->ring->producers_sleep, 1u);
    send->sleeps = true;
}

static void doca_priv_comch_outlet_wait(struct doca_priv_comch_outlet *q,
                                        struct doca_comch_producer_task_send *send)
{
    send->next_waiting = NULL;
    if (q->waiting == NULL)
        q->waiting = send;
    else
        q->waiting_last->next_waiting = send;
    q->waiting_last = send;
    if (q->is_armed)
        doca_priv_comch_outlet_listen(q, send);
}

/* Decrement the number of users of a lane. */
static void doca_priv_comch_let_go(struct doca_priv_comch_lane *lane)
{
    (void)DOCA_PRIV_FETCH_ADD(&lane->num_users, ~0u);
}

/* Find the lane of a consumer of the peer, and count the producer as its user in place of the lane
 * that it used before. Returns NULL if the peer has no such consumer. */
static struct doca_priv_comch_lane *doca_priv_comch_change_lane(struct doca_priv_comch_outlet *q,
                                                                uint32_t id)
{
    struct doca_priv_comch_lane *lane = doca_priv_comch_lane_of(q->producer->connection, id);

    if (q->lane != NULL)
        doca_priv_comch_let_go(q->lane);
    q->lane = NULL;
    (void)DOCA_PRIV_FETCH_ADD(&lane->num_users, 1u);
    if (DOCA_PRIV_LOAD_ORDERED(&lane->is_live) != 0 && lane->id == id)
        q->lane = lane;
    else
        doca_priv_comch_let_go(lane);
    return q->lane;
}

/* Return the lane of the consumer with this id, or NULL if the peer has no such consumer. A lane is
 * not closed while it has a user. */
static struct doca_priv_comch_lane *doca_priv_comch_get_lane(struct doca_priv_comch_outlet *q,
                                                             uint32_t id)
{
    struct doca_priv_comch_lane *lane = q->lane;

    if (doca_unlikely(lane == NULL || lane->id != id || DOCA_PRIV_LOAD(&lane->is_live) == 0))
        lane = doca_priv_comch_change_lane(q, id);
    return lane != NULL && DOCA_PRIV_LOAD(&lane->ring->is_closed) == 0 ? lane : NULL;
}

/* Send a task that has a ticket and whose message is too long for a slot, or is refused because the
 * consumer has no room for its bytes or for its immediate data. */
static DOCA_PRIV_NOINLINE void
doca_priv_comch_transmit_other(struct doca_priv_comch_outlet *q,
                               struct doca_comch_producer_task_send *send, bool is_refused)
{
    if (is_refused) {
        (void)doca_priv_comch_publish(send, 0, true);
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_IO_FAILED,
                                    send->imm_len > send->lane->imm_len
                                        ? DOCA_CORE_ITEM_COMCH_IMM
                                        : DOCA_CORE_ITEM_COMCH_NO_ROOM,
                                    "doca_task_submit");
        return;
    }
    send->stage = DOCA_PRIV_COMCH_WAITS;
    doca_priv_comch_step(send);
    if (send->stage == DOCA_PRIV_COMCH_ENDED)
        return;
    (void)DOCA_PRIV_FETCH_ADD(&send->lane->num_users, 1u);
    send->is_user = true;
    doca_priv_comch_outlet_wait(q, send);
}

/* Handle a call of post that finds no credit. Every DOCA_PRIV_COMCH_DENIALS such calls, check
 * whether the peer still exists, because programs may repeat the submit without any progress call.
 * Returns AGAIN while the peer exists. */
static doca_error_t doca_priv_comch_deny(struct doca_priv_comch_outlet *q)
{
    if (++q->num_denials % DOCA_PRIV_COMCH_DENIALS != 0 ||
        !doca_priv_local_is_hung_up(q->producer->connection->fd))
        return DOCA_ERROR_AGAIN;
    return DOCA_ERROR_CONNECTION_RESET;
}

/* Send a task that has a ticket. */
DOCA_PRIV_HOT void doca_priv_comch_transmit(struct doca_priv_comch_outlet *q,
                                            struct doca_comch_producer_task_send *send,
                                            struct doca_priv_comch_lane *lane, uint64_t len)
{
    const uint32_t ticket = send->ticket, at = ticket & (lane->num_slots - 1);
    struct doca_priv_comch_slot *slot = &lane->slots[at];
    const bool is_refused =
        len > DOCA_PRIV_PEEK(&lane->capacities[at]) || send->imm_len > lane->imm_len;

    send->lane = lane;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, send, 0, 0);)
    if (doca_unlikely(is_refused || len > DOCA_PRIV_COMCH_SHORT)) {
        doca_priv_comch_transmit_other(q, send, is_refused);
        return;
    }
    if (doca_likely(len > 0))
        doca_priv_comch_copy(slot->bytes, send->buf->data, (size_t)len);
    if (doca_likely(doca_priv_comch_show(send, lane, slot, ticket, len, false)))
        doca_priv_comch_outlet_mark(send, DOCA_SUCCESS);
    else
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_CONNECTION_RESET,
                                    DOCA_CORE_ITEM_COMCH_NO_CONSUMER, "doca_task_submit");
}

static doca_error_t doca_priv_comch_outlet_post(struct doca_core_queue *queue,
                                                struct doca_task *task)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_comch_producer_task_send *send = doca_priv_comch_sending(task);
    const uint64_t len = doca_priv_comch_send_len(send);
    struct doca_priv_comch_lane *lane;
    doca_error_t rc;

    if (doca_unlikely(send->buf != NULL && !doca_priv_comch_outlet_takes(q->producer, send->buf))) {
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_COMCH_BUF,
                                    "doca_task_submit");
    } else if (doca_unlikely((lane = doca_priv_comch_get_lane(q, send->consumer_id)) == NULL)) {
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_NOT_CONNECTED,
                                    DOCA_CORE_ITEM_COMCH_NO_CONSUMER, "doca_task_submit");
    } else {
        rc = doca_priv_comch_claim(lane, len, &send->ticket);
        if (doca_unlikely(rc == DOCA_ERROR_AGAIN))
            rc = doca_priv_comch_deny(q);
        if (doca_unlikely(rc == DOCA_ERROR_AGAIN))
            return rc;
        if (doca_likely(rc == DOCA_SUCCESS))
            doca_priv_comch_transmit(q, send, lane, len);
        else
            doca_priv_comch_outlet_fail(send, rc, DOCA_CORE_ITEM_COMCH_LOST, "doca_task_submit");
        q->num_denials = 0; /* after the message is visible */
    }
    task->next = NULL;
    if (queue->first == NULL)
        queue->first = task;
    else
        queue->last->next = task;
    queue->last = task;
    return DOCA_SUCCESS;
}

/* Try the first waiting tasks. A task that must wait longer moves to the end of the list, so that a
 * slow consumer does not delay messages to other consumers. The order of the messages to one
 * consumer does not depend on this list, because each task has its ticket already. */
static void doca_priv_comch_outlet_advance(struct doca_priv_comch_outlet *q)
{
    struct doca_comch_producer_task_send *send;
    unsigned i;

    for (i = 0; i < DOCA_PRIV_COMCH_STEPS && (send = q->waiting) != NULL; i++) {
        doca_priv_comch_step(send);
        q->waiting = send->next_waiting;
        if (send->stage != DOCA_PRIV_COMCH_ENDED)
            doca_priv_comch_outlet_wait(q, send);
    }
}

static struct doca_task *doca_priv_comch_outlet_poll(struct doca_core_queue *queue)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_task *task;

    if (doca_unlikely(q->waiting != NULL))
        doca_priv_comch_outlet_advance(q);
    task = queue->first;
    if (task == NULL || doca_priv_comch_sending(task)->stage != DOCA_PRIV_COMCH_ENDED)
        return NULL;
    queue->first = task->next;
    return task;
}

static size_t doca_priv_comch_outlet_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                           uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return sizeof(struct doca_priv_comch_outlet);
}

static doca_error_t doca_priv_comch_outlet_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                                const char *function)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(ctx->queue);
    struct doca_core_refusal why;

    (void)num_tasks;
    q->producer = (struct doca_comch_producer *)(void *)ctx;
    q->queue.post = doca_priv_comch_outlet_post;
    q->queue.poll = doca_priv_comch_outlet_poll;
    q->set = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC));
    if (q->set >= 0)
        return DOCA_SUCCESS;
    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    why.step = DOCA_PRIV_LOG_TEXT("open an epoll set");
    why.error = errno;
    return doca_priv_fail_refused(DOCA_CORE_ITEM_COMCH_SYSTEM, function, ctx, &why);
}

static doca_error_t doca_priv_comch_outlet_opening(struct doca_core_queue *queue)
{
    (void)queue;
    return DOCA_SUCCESS;
}

static void doca_priv_comch_outlet_close(struct doca_core_queue *queue)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);

    if (q->lane != NULL)
        doca_priv_comch_let_go(q->lane);
    q->lane = NULL;
    doca_priv_sys_close(q->set);
}

/* End the tasks that wait. */
static void doca_priv_comch_outlet_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_comch_producer_task_send *send;

    while ((send = q->waiting) != NULL) {
        q->waiting = send->next_waiting;
        if (doca_priv_comch_has_arrived(send)) {
            doca_priv_comch_outlet_end(send, DOCA_SUCCESS);
            continue;
        }
        doca_priv_comch_abandon(send);
        doca_priv_comch_outlet_fail(send, status, DOCA_CORE_ITEM_FLUSHED, "doca_ctx_stop");
    }
}

static bool doca_priv_comch_outlet_ready(struct doca_core_queue *queue)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_task *task = queue->first;
    const struct doca_comch_producer_task_send *send;

    if (task != NULL && doca_priv_comch_sending(task)->stage == DOCA_PRIV_COMCH_ENDED)
        return true;
    for (send = q->waiting; send != NULL; send = send->next_waiting)
        if (doca_priv_comch_can_step(send))
            return true;
    return false;
}

static int doca_priv_comch_outlet_fd(struct doca_core_queue *queue)
{
    return doca_priv_comch_outlet_of(queue)->set;
}

static void doca_priv_comch_outlet_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_comch_producer_task_send *send;
    struct epoll_event events[8];

    q->is_armed = armed;
    for (send = q->waiting; armed && send != NULL; send = send->next_waiting)
        doca_priv_comch_outlet_listen(q, send);
    if (armed)
        return;
    for (send = q->waiting; send != NULL; send = send->next_waiting)
        if (send->sleeps) {
            (void)DOCA_PRIV_FETCH_ADD(&send->lane->ring->producers_sleep, ~0u);
            send->sleeps = false;
        }
    while (epoll_wait(q->set, events, 8, 0) == 8)
        ;
}

static bool doca_priv_comch_outlet_is_supported(const struct doca_core_limits *limits)
{
    (void)limits;
    return true;
}

/* Check the buffer of a send task. *item is the reason of a refusal. */
static doca_error_t doca_priv_comch_outlet_check(const struct doca_task *task,
                                                 enum doca_core_item *item)
{
    const struct doca_comch_producer_task_send *send =
        (const struct doca_comch_producer_task_send *)(const void *)task;

    *item = DOCA_CORE_ITEM_COMCH_BUF;
    return send->buf == NULL ||
                   doca_priv_comch_outlet_takes(
                       (const struct doca_comch_producer *)(const void *)task->ctx, send->buf)
               ? DOCA_SUCCESS
               : DOCA_ERROR_INVALID_VALUE;
}

static bool doca_priv_comch_outlet_is_complete(const struct doca_task *task)
{
    (void)task;
    return true;
}

static void doca_priv_comch_outlet_settle(struct doca_task *task)
{
    (void)task;
}

static uint64_t doca_priv_comch_outlet_task_bytes(const struct doca_task *task)
{
    return doca_priv_comch_send_len(
        (const struct doca_comch_producer_task_send *)(const void *)task);
}

DOCA_PRIV_DECL const struct doca_priv_engine doca_priv_comch_outlet_engine = {
    DOCA_PRIV_ENGINE_NONE,
    false,
    doca_priv_comch_outlet_is_supported,
    doca_priv_comch_outlet_check,
    doca_priv_comch_outlet_is_complete,
    doca_priv_comch_outlet_settle,
    doca_priv_comch_outlet_open,
    NULL,
    NULL,
    NULL,
    doca_priv_comch_outlet_task_bytes
};

static const struct doca_core_backend doca_priv_comch_outlet_backend = DOCA_PRIV_LOCAL_TABLE(
    "comch producer", doca_priv_comch_outlet_bytes, doca_priv_comch_outlet_opening,
    doca_priv_comch_outlet_close, doca_priv_comch_outlet_flush, doca_priv_comch_outlet_ready,
    doca_priv_comch_outlet_fd, doca_priv_comch_outlet_arm);

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_comch_outlet_faults, "comch producer",
                        doca_priv_comch_outlet_bytes, doca_priv_comch_outlet_backend,
                        DOCA_PRIV_FAULT_PRODUCER, 0, NULL)

/* Return the table of producers of a device. */
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_outlet_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_comch_outlet_backend, doca_priv_comch_outlet_faults);
}

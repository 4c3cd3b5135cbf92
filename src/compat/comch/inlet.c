/* ---- >>impl.comch.inlet ---------------------------------------------------------------------
 * The queue of a consumer. Posted tasks wait in the order of their tickets; poll completes the
 * oldest one when its message is in the ring.                                                   */
#include "compat/comch/inlet_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/devinfo_priv.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/hot_task.h"
#include "progress/task_priv.h"
#include "compat/comch/connection_priv.h"
#include "compat/comch/objects_priv.h"
#include "compat/comch/ring_priv.h"
#include "compat/comch/wire_priv.h"
#include "compat/local/socket_priv.h"

struct doca_priv_comch_inlet {
    struct doca_core_queue queue;
    struct doca_comch_consumer *consumer;
    struct doca_priv_comch_lane lane;
    uint32_t num_posted;      /* the ticket of the next post */
    uint32_t next;            /* the ticket of the oldest posted task */
    uint64_t len;             /* length of the message that is being streamed; 0: no message */
    uint64_t num_read;        /* bytes of this message that have been taken from the ring */
    enum doca_core_item item; /* why this message is discarded; ITEM_NONE: it is not discarded */
    doca_error_t opening;     /* result of the start */
    doca_error_t flush;       /* status with which posted tasks end; SUCCESS: they wait */
    bool is_announced;
    bool owes_wake; /* messages have completed since producers were last woken */
    /* Posted tasks, indexed by ticket % num_slots. NULL: the program freed the task after a
     * producer had claimed the ticket; the message is dropped when it arrives.
     * DOCA_PRIV_COMCH_UNCLAIMED: the program freed the task before a producer claimed the ticket;
     * the ticket is skipped. */
    struct doca_task *posted[1];
};

/* The mark of a skipped ticket in posted[] of the queue `q`: an address that no task has. */
#define DOCA_PRIV_COMCH_UNCLAIMED(q) ((struct doca_task *)(void *)(q))

static struct doca_priv_comch_inlet *doca_priv_comch_inlet_of(struct doca_core_queue *queue)
{
    return (struct doca_priv_comch_inlet *)(void *)queue;
}

/* True when the consumer can write messages into the buffer. The permission for the local device or
 * the permission for PCI is sufficient: programs give the memory of both sides only
 * PCI_READ_WRITE. */
DOCA_PRIV_HOT bool doca_priv_comch_inlet_is_good(const struct doca_comch_consumer *consumer,
                                                 const struct doca_buf *buf)
{
    return (doca_priv_buf_is_head(buf, false, DOCA_PRIV_BUF_LIST) ||
            doca_priv_buf_is_warned_head(buf, DOCA_PRIV_BUF_LIST)) &&
           buf->mmap == consumer->mmap &&
           ((buf->flags & DOCA_PRIV_BUF_WRITE) != 0 ||
            (buf->mmap->access & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0) &&
           (buf->mmap->dev_mask & consumer->ctx.dev->bit) != 0;
}

DOCA_PRIV_DECL bool doca_priv_comch_inlet_takes(const struct doca_comch_consumer *consumer,
                                                const struct doca_buf *buf)
{
    return doca_priv_comch_inlet_is_good(consumer, buf);
}

static doca_error_t doca_priv_comch_inlet_post(struct doca_core_queue *queue,
                                               struct doca_task *task)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);
    struct doca_comch_consumer_task_post_recv *recv =
        (struct doca_comch_consumer_task_post_recv *)(void *)task;
    const uint32_t ticket = q->num_posted, at = ticket & (q->lane.num_slots - 1);
    struct doca_priv_comch_ring *ring = q->lane.ring;
    uint64_t capacity;

    if (doca_unlikely(!doca_priv_comch_inlet_is_good(q->consumer, recv->buf)))
        return DOCA_ERROR_INVALID_VALUE;
    if (doca_unlikely(ticket - q->next == q->lane.num_slots))
        return DOCA_ERROR_AGAIN; /* a skipped ticket keeps its slot while an older ticket waits */
    recv->ticket = ticket;
    q->posted[at] = task;
    q->num_posted = ticket + 1;
    capacity = doca_priv_buf_tailroom(recv->buf);
    if (doca_unlikely(DOCA_PRIV_PEEK(&q->lane.capacities[at]) != capacity))
        DOCA_PRIV_STORE(&q->lane.capacities[at], capacity);
    DOCA_PRIV_STORE(&ring->num_posted, ticket + 1);
    return DOCA_SUCCESS;
}

/* Wake the producers that sleep until a chunk has room. */
static void doca_priv_comch_inlet_wake(const struct doca_priv_comch_inlet *q)
{
    if (DOCA_PRIV_LOAD_ORDERED(&q->lane.ring->producers_sleep) != 0)
        (void)doca_priv_sys_event_signal(q->lane.room_fd);
}

/* Publish that all tickets before q->next have ended, and wake the producers that sleep until a
 * chunk has room. */
static void doca_priv_comch_inlet_show_done(struct doca_priv_comch_inlet *q)
{
    q->owes_wake = false;
    DOCA_PRIV_STORE_ORDERED(&q->lane.ring->num_done, q->next);
    doca_priv_comch_inlet_wake(q);
}

/* True when the ticket is skipped. */
static bool doca_priv_comch_inlet_is_skipped(const struct doca_priv_comch_inlet *q, uint32_t ticket)
{
    return q->posted[ticket & (q->lane.num_slots - 1)] == DOCA_PRIV_COMCH_UNCLAIMED(q);
}

/* Release the slot of the oldest ticket, which is a skipped ticket. */
static void doca_priv_comch_inlet_pass(struct doca_priv_comch_inlet *q)
{
    DOCA_PRIV_STORE(&doca_priv_comch_slot_of(&q->lane, q->next)->turn,
                    DOCA_PRIV_COMCH_TURN(q->next, DOCA_PRIV_COMCH_FILLED));
    q->next++;
    doca_priv_comch_inlet_show_done(q);
}

/* Return the task of the oldest ticket, or NULL if the program freed it. The ticket is not
 * skipped. */
static struct doca_comch_consumer_task_post_recv *
doca_priv_comch_inlet_oldest(const struct doca_priv_comch_inlet *q)
{
    return (struct doca_comch_consumer_task_post_recv *)(void *)
        q->posted[q->next & (q->lane.num_slots - 1)];
}

/* Release the slot of the oldest ticket, and return its task with this status, or NULL if the
 * program freed the task. A producer may sleep until the chunk of this ticket is free, also when
 * the message was short and did not use the chunk. To be sure to see a sleeping producer, this
 * function would need a barrier before it reads producers_sleep, and the barrier makes the core
 * wait until all bytes of the message are written. Therefore the function reads producers_sleep
 * without a barrier, and only after a message in a chunk or a failed message. A sleeping producer
 * that it does not see is woken later: when poll finds no other message, when the consumer goes to
 * sleep, or when the program frees a task. In a ring with a chunk for each slot, no producer waits
 * for the chunk of a short message. */
static struct doca_task *doca_priv_comch_inlet_end(struct doca_priv_comch_inlet *q,
                                                   doca_error_t status)
{
    struct doca_task *task = q->posted[q->next & (q->lane.num_slots - 1)];
    const bool had_chunk = q->len > DOCA_PRIV_COMCH_SHORT || status != DOCA_SUCCESS;

    q->next++;
    q->len = 0;
    DOCA_PRIV_STORE(&q->lane.ring->num_done, q->next);
    q->owes_wake = had_chunk || q->lane.num_slots > DOCA_PRIV_COMCH_MAX_CHUNKS;
    if (had_chunk && doca_unlikely(DOCA_PRIV_LOAD(&q->lane.ring->producers_sleep) != 0))
        doca_priv_comch_inlet_show_done(q);
    if (task != NULL)
        task->status = (uint8_t)status;
    DOCA_PRIV_TRACED(if (task != NULL) doca_priv_trace(DOCA_PRIV_TRACE_END, task, 0, 0);)
    return task;
}

/* Fail the task of the oldest ticket, because it cannot take its message, and end the ticket. */
static struct doca_task *doca_priv_comch_inlet_refuse(struct doca_priv_comch_inlet *q,
                                                      enum doca_core_item item)
{
    struct doca_task *task = doca_priv_comch_inlet_end(q, DOCA_ERROR_IO_FAILED);

    if (task != NULL)
        (void)doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", task);
    return task;
}

/* Copy the bytes of a streamed message that have arrived, and complete the task when all bytes have
 * arrived. A message that is discarded is also read to its end, because its producer writes into
 * the chunk until then. */
static struct doca_task *doca_priv_comch_inlet_stream(struct doca_priv_comch_inlet *q)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_inlet_oldest(q);
    struct doca_priv_comch_chunk *chunk = doca_priv_comch_chunk_of(&q->lane, q->next);
    const uint64_t num_written = DOCA_PRIV_LOAD(&chunk->num_written);
    const uint64_t num = num_written - q->num_read;
    const size_t at = (size_t)(q->num_read % DOCA_PRIV_COMCH_CHUNK);
    unsigned char *to;
    size_t first;

    if (num_written == DOCA_PRIV_COMCH_ABANDONED)
        return doca_priv_comch_inlet_refuse(q, DOCA_CORE_ITEM_COMCH_LOST);
    if (num > DOCA_PRIV_COMCH_CHUNK || num > q->len - q->num_read)
        return doca_priv_comch_inlet_refuse(q, DOCA_CORE_ITEM_COMCH_NONSENSE);
    if (num == 0)
        return DOCA_PRIV_LOAD(&q->consumer->connection->obj.state) == DOCA_PRIV_COMCH_UP
                   ? NULL
                   : doca_priv_comch_inlet_refuse(q, DOCA_CORE_ITEM_COMCH_LOST);
    if (recv == NULL)
        q->item = DOCA_CORE_ITEM_FLUSHED;
    if (q->item == DOCA_CORE_ITEM_NONE) {
        first = DOCA_PRIV_COMCH_CHUNK - at < num ? DOCA_PRIV_COMCH_CHUNK - at : (size_t)num;
        to = recv->buf->data + recv->buf->data_len + q->num_read;
        DOCA_CORE_MEMCPY(to, chunk->bytes + at, first);
        DOCA_CORE_MEMCPY(to + first, chunk->bytes, (size_t)num - first);
    }
    q->num_read += num;
    DOCA_PRIV_STORE_ORDERED(&chunk->num_read,
                            q->num_read == q->len && q->item != DOCA_CORE_ITEM_NONE
                                ? DOCA_PRIV_COMCH_DISCARDED
                                : q->num_read);
    if (q->num_read < q->len) {
        doca_priv_comch_inlet_wake(q);
        return NULL;
    }
    if (q->item != DOCA_CORE_ITEM_NONE)
        return doca_priv_comch_inlet_refuse(q, q->item);
    recv->buf->data_len += (size_t)q->len;
    return doca_priv_comch_inlet_end(q, DOCA_SUCCESS);
}

/* Return why the oldest task cannot take a message, or ITEM_NONE. */
static enum doca_core_item doca_priv_comch_inlet_judge(const struct doca_priv_comch_inlet *q,
                                                       uint64_t len, uint16_t imm_len)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_inlet_oldest(q);

    return recv == NULL                                           ? DOCA_CORE_ITEM_FLUSHED
           : !doca_priv_comch_inlet_takes(q->consumer, recv->buf) ? DOCA_CORE_ITEM_COMCH_BUF
           : len > doca_priv_buf_tailroom(recv->buf)              ? DOCA_CORE_ITEM_COMCH_NO_ROOM
           : imm_len > q->lane.imm_len                            ? DOCA_CORE_ITEM_COMCH_NONSENSE
                                                                  : DOCA_CORE_ITEM_NONE;
}

/* Take the message of the oldest ticket out of its slot. The ticket of a streamed message stays the
 * oldest ticket. */
static struct doca_task *doca_priv_comch_inlet_take(struct doca_priv_comch_inlet *q,
                                                    const struct doca_priv_comch_slot *slot)
{
    struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_inlet_oldest(q);
    const uint64_t len = DOCA_PRIV_PEEK(&slot->len);
    const uint16_t imm_len = DOCA_PRIV_PEEK(&slot->imm_len);
    const uint8_t *bytes = slot->bytes;

    DOCA_PRIV_TRACED(if (recv != NULL) doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, recv, 0, 0);)
    if (doca_unlikely(slot->is_refused != 0))
        return doca_priv_comch_inlet_refuse(q, DOCA_CORE_ITEM_COMCH_NO_ROOM);
    q->item = doca_priv_comch_inlet_judge(q, len, imm_len);
    q->len = len;
    q->num_read = 0;
    if (doca_likely(q->item == DOCA_CORE_ITEM_NONE)) {
        recv->len = len;
        recv->producer_id = slot->producer_id;
        recv->imm_len = (uint8_t)imm_len;
        if (imm_len > 0)
            DOCA_CORE_MEMCPY(recv->imm, slot->imm, imm_len);
    }
    if (doca_unlikely(len > DOCA_PRIV_COMCH_CHUNK))
        return doca_priv_comch_inlet_stream(q);
    if (doca_unlikely(q->item != DOCA_CORE_ITEM_NONE))
        return doca_priv_comch_inlet_refuse(q, q->item);
    if (len > DOCA_PRIV_COMCH_SHORT)
        bytes = doca_priv_comch_chunk_of(&q->lane, q->next)->bytes;
    doca_priv_comch_copy(recv->buf->data + recv->buf->data_len, bytes, (size_t)len);
    recv->buf->data_len += (size_t)len;
    return doca_priv_comch_inlet_end(q, DOCA_SUCCESS);
}

/* Close the oldest ticket, so that its producer knows that the message does not arrive. Returns
 * false when the message has arrived already. A slot with an invalid value counts as closed. */
static bool doca_priv_comch_inlet_shut(const struct doca_priv_comch_inlet *q)
{
    return doca_priv_comch_claim_as(&q->lane, q->next, DOCA_PRIV_COMCH_CLOSED) ||
           doca_priv_comch_settle_claim(&q->lane, q->next, DOCA_PRIV_COMCH_CLOSED) ||
           DOCA_PRIV_LOAD(&doca_priv_comch_slot_of(&q->lane, q->next)->turn) !=
               DOCA_PRIV_COMCH_TURN(q->next, DOCA_PRIV_COMCH_FILLED);
}

/* Handle a poll that finds neither a short message nor an empty slot. */
static DOCA_PRIV_NOINLINE struct doca_task *
doca_priv_comch_inlet_poll_other(struct doca_priv_comch_inlet *q)
{
    struct doca_priv_comch_slot *slot;
    struct doca_task *task = NULL;
    uint32_t turn;

    while (task == NULL && q->next != q->num_posted) {
        slot = doca_priv_comch_slot_of(&q->lane, q->next);
        turn = DOCA_PRIV_LOAD(&slot->turn);
        if (q->len != 0 && q->flush == DOCA_SUCCESS)
            task = doca_priv_comch_inlet_stream(q);
        else if (doca_unlikely(doca_priv_comch_inlet_is_skipped(q, q->next)))
            doca_priv_comch_inlet_pass(q);
        else if (turn == DOCA_PRIV_COMCH_TURN(q->next, DOCA_PRIV_COMCH_FILLED) && q->len == 0)
            task = doca_priv_comch_inlet_take(q, slot);
        else if (q->flush == DOCA_SUCCESS)
            break;
        else if (q->len != 0 || doca_priv_comch_inlet_shut(q))
            task = doca_priv_comch_inlet_end(q, q->flush);
        if (q->len != 0 && q->flush == DOCA_SUCCESS)
            break;
    }
    if (doca_unlikely(task == NULL && q->owes_wake))
        doca_priv_comch_inlet_show_done(q);
    return task;
}

/* Take the message out of the slot of the oldest ticket, if it has at most DOCA_PRIV_COMCH_SHORT
 * bytes and the posted buffer can take it. Otherwise return NULL and change nothing. */
DOCA_PRIV_HOT struct doca_task *
doca_priv_comch_inlet_take_short(struct doca_priv_comch_inlet *q,
                                 const struct doca_priv_comch_slot *slot, uint32_t at)
{
    struct doca_comch_consumer_task_post_recv *recv =
        (struct doca_comch_consumer_task_post_recv *)(void *)q->posted[at];
    const uint64_t len = DOCA_PRIV_PEEK(&slot->len);
    const uint16_t imm_len = DOCA_PRIV_PEEK(&slot->imm_len);
    struct doca_buf *buf;

    DOCA_PRIV_PREFETCH(slot->bytes);
    if (doca_unlikely(
            q->len != 0 || recv == NULL || (const void *)recv == DOCA_PRIV_COMCH_UNCLAIMED(q) ||
            len > DOCA_PRIV_COMCH_SHORT || slot->is_refused != 0 || imm_len > q->lane.imm_len))
        return NULL;
    buf = recv->buf;
    if (doca_unlikely(!doca_priv_comch_inlet_is_good(q->consumer, buf) ||
                      len > doca_priv_buf_tailroom(buf)))
        return NULL;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, recv, 0, 0);)
    recv->len = len;
    recv->producer_id = slot->producer_id;
    recv->imm_len = (uint8_t)imm_len;
    if (doca_unlikely(imm_len > 0))
        DOCA_CORE_MEMCPY(recv->imm, slot->imm, imm_len);
    doca_priv_comch_copy(buf->data + buf->data_len, slot->bytes, (size_t)len);
    buf->data_len += (size_t)len;
    q->next++;
    q->owes_wake = q->lane.num_slots > DOCA_PRIV_COMCH_MAX_CHUNKS;
    DOCA_PRIV_STORE(&q->lane.ring->num_done, q->next);
    recv->task.status = DOCA_SUCCESS;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, recv, 0, 0);)
    return &recv->task;
}

static struct doca_task *doca_priv_comch_inlet_poll(struct doca_core_queue *queue)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);
    const uint32_t next = q->next, at = next & (q->lane.num_slots - 1);
    const struct doca_priv_comch_slot *slot = &q->lane.slots[at];
    struct doca_task *task;

    if (next != q->num_posted &&
        DOCA_PRIV_LOAD(&slot->turn) == DOCA_PRIV_COMCH_TURN(next, DOCA_PRIV_COMCH_FILLED)) {
        task = doca_priv_comch_inlet_take_short(q, slot, at);
        if (doca_likely(task != NULL))
            return task;
    } else if (doca_likely(q->len == 0 && q->flush == DOCA_SUCCESS && !q->owes_wake &&
                           q->posted[at] != DOCA_PRIV_COMCH_UNCLAIMED(q))) {
        return NULL;
    }
    return doca_priv_comch_inlet_poll_other(q);
}

static size_t doca_priv_comch_inlet_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                          uint32_t depth)
{
    (void)dev;
    (void)engine;
    return doca_priv_size(2 * (size_t)depth, sizeof(struct doca_task *),
                          sizeof(struct doca_priv_comch_inlet));
}

static doca_error_t doca_priv_comch_inlet_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                               const char *function)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(ctx->queue);
    struct doca_comch_consumer *consumer = (struct doca_comch_consumer *)(void *)ctx;
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    consumer->inlet = q;
    q->consumer = consumer;
    q->opening = DOCA_ERROR_IN_PROGRESS;
    q->flush = DOCA_SUCCESS;
    q->queue.post = doca_priv_comch_inlet_post;
    q->queue.poll = doca_priv_comch_inlet_poll;
    if (!doca_priv_comch_lane_create(&q->lane, num_tasks, consumer->imm_len, &why))
        return doca_priv_fail_refused(DOCA_CORE_ITEM_COMCH_SYSTEM, function, ctx, &why);
    return DOCA_ERROR_IN_PROGRESS;
}

/* Announce the consumer to the peer. Returns IN_PROGRESS while the socket has no room for the
 * packet, and the result of the start from then on. */
static doca_error_t doca_priv_comch_inlet_opening(struct doca_core_queue *queue)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);
    const struct doca_comch_consumer *consumer = q->consumer;
    enum doca_priv_local_sent sent = DOCA_PRIV_LOCAL_BROKEN;
    int fds[DOCA_PRIV_LOCAL_FDS];

    if (q->opening != DOCA_ERROR_IN_PROGRESS)
        return q->opening;
    fds[0] = q->lane.memory_fd;
    fds[1] = q->lane.wake_fd;
    fds[2] = q->lane.room_fd;
    if (DOCA_PRIV_LOAD(&consumer->connection->obj.state) == DOCA_PRIV_COMCH_UP)
        sent = doca_priv_local_send(consumer->connection->fd, DOCA_PRIV_COMCH_CONSUMER,
                                    consumer->id, NULL, 0, fds);
    if (sent == DOCA_PRIV_LOCAL_FULL) { /* try again soon, also if the program sleeps */
        (void)doca_priv_sys_event_signal(q->lane.wake_fd);
        return DOCA_ERROR_IN_PROGRESS;
    }
    q->is_announced = sent == DOCA_PRIV_LOCAL_SENT;
    q->opening = q->is_announced ? DOCA_SUCCESS
                                 : doca_core_backend_fail(DOCA_ERROR_CONNECTION_RESET,
                                                          DOCA_CORE_ITEM_COMCH_LOST,
                                                          "doca_pe_progress", &consumer->ctx, 0);
    return q->opening;
}

static void doca_priv_comch_inlet_close(struct doca_core_queue *queue)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);

    if (q->is_announced) {
        DOCA_PRIV_STORE_ORDERED(&q->lane.ring->is_closed, 1u);
        (void)doca_priv_sys_event_signal(q->lane.room_fd);
        doca_priv_comch_tell_expired(q->consumer->connection, q->consumer->id);
    }
    doca_priv_comch_lane_close(&q->lane);
}

static void doca_priv_comch_inlet_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);

    q->flush = status;
    DOCA_PRIV_STORE_ORDERED(&q->lane.ring->is_closed, 1u);
}

static bool doca_priv_comch_inlet_ready(struct doca_core_queue *queue)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);
    uint32_t turn;

    if (q->next == q->num_posted)
        return false;
    if (q->flush != DOCA_SUCCESS)
        return true;
    if (q->len != 0)
        return DOCA_PRIV_LOAD_ORDERED(&doca_priv_comch_chunk_of(&q->lane, q->next)->num_written) !=
                   q->num_read ||
               DOCA_PRIV_LOAD(&q->consumer->connection->obj.state) != DOCA_PRIV_COMCH_UP;
    turn = DOCA_PRIV_LOAD_ORDERED(&doca_priv_comch_slot_of(&q->lane, q->next)->turn);
    return turn == DOCA_PRIV_COMCH_TURN(q->next, DOCA_PRIV_COMCH_FILLED) ||
           doca_priv_comch_inlet_is_skipped(q, q->next);
}

static int doca_priv_comch_inlet_fd(struct doca_core_queue *queue)
{
    return doca_priv_comch_inlet_of(queue)->lane.wake_fd;
}

static void doca_priv_comch_inlet_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);

    DOCA_PRIV_STORE_ORDERED(&q->lane.ring->consumer_sleeps, armed ? 1u : 0u);
    if (!armed)
        (void)doca_priv_sys_event_drain(q->lane.wake_fd);
    else if (q->owes_wake)
        doca_priv_comch_inlet_show_done(q);
}

static bool doca_priv_comch_inlet_is_supported(const struct doca_core_limits *limits)
{
    (void)limits;
    return true;
}

static doca_error_t doca_priv_comch_inlet_check(const struct doca_task *task,
                                                enum doca_core_item *item)
{
    const struct doca_comch_consumer *consumer =
        (const struct doca_comch_consumer *)(const void *)task->ctx;

    *item = DOCA_CORE_ITEM_COMCH_BUF;
    return doca_priv_comch_inlet_takes(
               consumer,
               ((const struct doca_comch_consumer_task_post_recv *)(const void *)task)->buf)
               ? DOCA_SUCCESS
               : DOCA_ERROR_INVALID_VALUE;
}

static bool doca_priv_comch_inlet_is_complete(const struct doca_task *task)
{
    return doca_priv_is_buf(
        ((const struct doca_comch_consumer_task_post_recv *)(const void *)task)->buf);
}

static void doca_priv_comch_inlet_settle(struct doca_task *task)
{
    (void)task;
}

static uint64_t doca_priv_comch_inlet_task_bytes(const struct doca_task *task)
{
    return ((const struct doca_comch_consumer_task_post_recv *)(const void *)task)->len;
}

/* Skip the ticket of a posted task, unless a producer has claimed the ticket; its message is then
 * lost. A ticket whose message is being streamed counts as claimed, whatever the ring contains. */
static void doca_priv_comch_inlet_skip(struct doca_priv_comch_inlet *q, uint32_t ticket)
{
    const bool is_streamed = ticket == q->next && q->len != 0;
    const bool is_skipped =
        !is_streamed && doca_priv_comch_claim_as(&q->lane, ticket, DOCA_PRIV_COMCH_SKIPPED);

    q->posted[ticket & (q->lane.num_slots - 1)] = is_skipped ? DOCA_PRIV_COMCH_UNCLAIMED(q) : NULL;
    while (q->len == 0 && q->next != q->num_posted && doca_priv_comch_inlet_is_skipped(q, q->next))
        doca_priv_comch_inlet_pass(q);
    if (q->owes_wake) /* wake producers now: if this was the last task, poll does not run again */
        doca_priv_comch_inlet_show_done(q);
}

/* Let the program free a posted task, as NVIDIA's secure_channel does. */
static bool doca_priv_comch_inlet_withdraw(struct doca_task *task)
{
    if (doca_priv_fault_withdraw(task))
        doca_priv_comch_inlet_skip(
            ((const struct doca_comch_consumer *)(const void *)task->ctx)->inlet,
            ((const struct doca_comch_consumer_task_post_recv *)(const void *)task)->ticket);
    task->ctx->num_inflight--;
    doca_priv_task_set_state(task, DOCA_PRIV_TASK_OWNED);
    DOCA_PRIV_CHECKED(doca_priv_check_finish(task);)
    doca_priv_task_put(task);
    doca_priv_ctx_count_returned(task->ctx);
    return true;
}

DOCA_PRIV_DECL const struct doca_priv_engine doca_priv_comch_inlet_engine = {
    DOCA_PRIV_ENGINE_NONE,
    false,
    doca_priv_comch_inlet_is_supported,
    doca_priv_comch_inlet_check,
    doca_priv_comch_inlet_is_complete,
    doca_priv_comch_inlet_settle,
    doca_priv_comch_inlet_open,
    NULL,
    NULL,
    doca_priv_comch_inlet_withdraw,
    doca_priv_comch_inlet_task_bytes
};

static const struct doca_core_backend doca_priv_comch_inlet_backend = DOCA_PRIV_LOCAL_TABLE(
    "comch consumer", doca_priv_comch_inlet_bytes, doca_priv_comch_inlet_opening,
    doca_priv_comch_inlet_close, doca_priv_comch_inlet_flush, doca_priv_comch_inlet_ready,
    doca_priv_comch_inlet_fd, doca_priv_comch_inlet_arm);

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_comch_inlet_faults, "comch consumer", doca_priv_comch_inlet_bytes,
                        doca_priv_comch_inlet_backend, DOCA_PRIV_FAULT_CONSUMER, 0, NULL)

/* Return the table of consumers of a device. */
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_inlet_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_comch_inlet_backend, doca_priv_comch_inlet_faults);
}

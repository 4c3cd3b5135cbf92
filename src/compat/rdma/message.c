/* ---- >>impl.rdma.message --------------------------------------------------------------------
 * Messages between send and receive tasks, and the immediate data of writes: how the sender fills a
 * slot of its ring, and how the receiver empties it.                                            */
#include "compat/rdma/message_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "memory/buf.h"
#include "memory/export_priv.h"
#include "memory/hot_buf.h"
#include "memory/mmap_get_priv.h"
#include "progress/task_priv.h"
#include "sw/sw_priv.h"
#include "compat/local/queue_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/execute_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/receive.h"
#include "compat/rdma/ring_priv.h"

/* Copy a short message into its slot. */
static enum doca_core_item doca_priv_rdma_fill(struct doca_priv_rdma_slot *slot,
                                               const struct doca_buf *buf)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char *to = slot->u.bytes, *local;
    const struct doca_buf *first = buf;
    struct doca_priv_far_trip trip;

    doca_priv_sw_sync(first, true);
    doca_priv_far_begin(&trip, NULL);
    for (; buf != NULL && item == DOCA_CORE_ITEM_NONE; to += buf->data_len, buf = buf->next) {
        local = doca_priv_mmap_local(buf->mmap, buf->data);
        if (local != NULL)
            item = doca_priv_sw_move(to, local, buf->data_len);
        else
            item =
                doca_priv_sw_trip_add(&trip, buf->mmap->far, false, to, buf->data, buf->data_len);
    }
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_far_go(&trip);
    doca_priv_sw_sync(first, false);
    return item;
}

/* Fill the next slot with the message of a task. The task is SENT then. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_rdma_send(struct doca_priv_rdma_task *op)
{
    struct doca_rdma_connection *c = op->connection;
    struct doca_priv_rdma_slot *slot = doca_priv_rdma_slot_of(&c->out, c->out.ticket);
    const bool is_write = op->task.type == DOCA_PRIV_RDMA_WRITE_IMM;
    const struct doca_buf *buf;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    uint64_t len = 0;

    for (buf = op->local; buf != NULL; buf = buf->next)
        len += buf->data_len;
    slot->len = len;
    if (is_write)
        len = 0; /* the data is there already */
    buf = is_write ? NULL : op->local;
    slot->num_pieces = 0;
    slot->imm = op->imm;
    slot->opcode = is_write                                   ? DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM
                   : op->task.type == DOCA_PRIV_RDMA_SEND_IMM ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM
                                                              : DOCA_RDMA_OPCODE_RECV_SEND;
    if (len <= DOCA_PRIV_RDMA_SHORT)
        item = doca_priv_rdma_fill(slot, buf);
    for (; len > DOCA_PRIV_RDMA_SHORT && buf != NULL; buf = buf->next) {
        slot->u.pieces[slot->num_pieces].addr =
            (uintptr_t)doca_priv_mmap_local(buf->mmap, buf->data);
        slot->u.pieces[slot->num_pieces].len = buf->data_len;
        if (slot->u.pieces[slot->num_pieces++].addr == 0)
            item = DOCA_CORE_ITEM_RDMA_FAR_SOURCE;
    }
    if (item != DOCA_CORE_ITEM_NONE)
        return item;
    op->ticket = c->out.ticket++;
    op->stage = DOCA_PRIV_RDMA_SENT;
    DOCA_PRIV_STORE_ORDERED(&slot->turn,
                            DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_FILLED));
    if (DOCA_PRIV_LOAD_ORDERED(&c->out.ring->receiver_sleeps) != 0)
        doca_priv_rdma_wake_peer(c);
    return DOCA_CORE_ITEM_NONE;
}

/* Copy a message to the list of a receive task, without letting the data of the list grow. `slot`
 * is a copy of the head of the slot in the ring; its numbers are checked. */
static enum doca_core_item doca_priv_rdma_copy_message(struct doca_rdma_connection *c,
                                                       const struct doca_priv_rdma_slot *slot,
                                                       const struct doca_priv_rdma_piece *pieces,
                                                       struct doca_buf *dst)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_sw_out out;
    uint32_t i;

    doca_priv_sw_sync(dst, true);
    doca_priv_sw_out_begin(&out, dst);
    if (slot->num_pieces == 0)
        item = doca_priv_sw_far_append(
            &out, NULL, doca_priv_rdma_slot_of(&c->in, c->in.ticket)->u.bytes, (size_t)slot->len);
    for (i = 0; i < slot->num_pieces && item == DOCA_CORE_ITEM_NONE; i++)
        item = doca_priv_sw_far_append(&out, &c->peer_memory,
                                       (unsigned char *)(uintptr_t)pieces[i].addr,
                                       (size_t)pieces[i].len);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, dst, 0);
    if (item != DOCA_CORE_ITEM_NONE)
        doca_priv_sw_out_clear(&out, dst);
    doca_priv_sw_sync(dst, false);
    return item;
}

/* Read the numbers of a slot once, and check them. */
static bool doca_priv_rdma_read_slot(const struct doca_rdma_connection *c,
                                     struct doca_priv_rdma_slot *head,
                                     struct doca_priv_rdma_piece *pieces)
{
    const struct doca_priv_rdma_slot *slot = doca_priv_rdma_slot_of(&c->in, c->in.ticket);
    uint64_t sum = 0;
    uint32_t i;

    DOCA_CORE_MEMCPY(head, slot, offsetof(struct doca_priv_rdma_slot, u));
    if (head->opcode > DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM ||
        head->len > DOCA_CORE_RDMA_MAX_MESSAGE || head->num_pieces > DOCA_CORE_RDMA_MAX_SEND_LIST)
        return false;
    if (head->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM)
        return head->num_pieces == 0;
    if (head->num_pieces == 0)
        return head->len <= DOCA_PRIV_RDMA_SHORT;
    DOCA_CORE_MEMCPY(pieces, slot->u.pieces, head->num_pieces * sizeof(pieces[0]));
    for (i = 0; i < head->num_pieces; i++) {
        if (pieces[i].len > head->len || pieces[i].addr > UINTPTR_MAX - pieces[i].len)
            return false;
        sum += pieces[i].len;
    }
    return sum == head->len;
}

/* Let the data of a list grow by `len` bytes. */
DOCA_PRIV_DECL void doca_priv_rdma_grow(struct doca_buf *dst, uint64_t len)
{
    struct doca_priv_sw_out out;

    if (len == 0)
        return;
    doca_priv_sw_out_begin(&out, dst);
    (void)doca_priv_sw_out_end(&out, dst, len);
}

/* Tell the sender the outcome. Returns false when the sender has cancelled the message. The ticket
 * stays at a cancelled message, so that none behind it is received. */
static bool doca_priv_rdma_acknowledge(struct doca_rdma_connection *c, doca_error_t status)
{
    const uint32_t ticket = c->in.ticket;
    struct doca_priv_rdma_slot *slot = doca_priv_rdma_slot_of(&c->in, ticket);

    DOCA_PRIV_STORE(&slot->status, (uint32_t)status);
    if (!doca_priv_rdma_swap(&slot->turn, DOCA_PRIV_RDMA_TURN(ticket, DOCA_PRIV_RDMA_SLOT_FILLED),
                             DOCA_PRIV_RDMA_TURN(ticket, DOCA_PRIV_RDMA_SLOT_DONE)))
        return false;
    c->in.ticket++;
    if (DOCA_PRIV_LOAD_ORDERED(&c->in.ring->sender_sleeps) != 0)
        doca_priv_rdma_wake_peer(c);
    return true;
}

/* Tell the peer that there is no receive task for its message, so that its retries begin. */
static void doca_priv_rdma_starve(struct doca_rdma_connection *c)
{
    const uint32_t turn = DOCA_PRIV_RDMA_TURN(c->in.ticket, DOCA_PRIV_RDMA_SLOT_FILLED);

    if (DOCA_PRIV_LOAD(&c->in.ring->starving) == turn)
        return;
    c->rdma->has_starved = true;
    DOCA_PRIV_STORE_ORDERED(&c->in.ring->starving, turn);
    if (DOCA_PRIV_LOAD_ORDERED(&c->in.ring->sender_sleeps) != 0)
        doca_priv_rdma_wake_peer(c);
}

/* The program has posted a receive task: end the retries of all peers. If a peer's message still
 * finds no receive task afterwards, doca_priv_rdma_starve() starts its retries again. */
DOCA_PRIV_DECL void doca_priv_rdma_feed(struct doca_rdma *r)
{
    struct doca_rdma_connection *c;

    for (c = r->live; c != NULL; c = c->next_live)
        if (c->in.ring != NULL)
            DOCA_PRIV_STORE(&c->in.ring->starving, 0u);
    r->has_starved = false;
}

/* Return the bytes that a message brings to the buffers of its receive task. */
static uint64_t doca_priv_rdma_bytes_of(const struct doca_priv_rdma_slot *head)
{
    return head->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM ? 0 : head->len;
}

/* Copy the message whose slot is in `head` to the buffers of a receive task. Returns NONE, or the
 * reason why the task and the send of the peer fail. */
static enum doca_core_item doca_priv_rdma_try_receive(struct doca_rdma_connection *c,
                                                      struct doca_priv_rdma_task *op,
                                                      const struct doca_priv_rdma_slot *head,
                                                      const struct doca_priv_rdma_piece *pieces)
{
    const uint64_t len = doca_priv_rdma_bytes_of(head);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_task_list list;

    if (len == 0)
        return DOCA_CORE_ITEM_NONE;
    list.bytes = 0;
    if (op->local != NULL &&
        (!doca_priv_is_buf(op->local) ||
         doca_priv_task_measure(op->local, op->task.ctx->dev, true, &list, &item) != DOCA_SUCCESS))
        return DOCA_CORE_ITEM_RDMA_BUF;
    return len <= list.bytes ? doca_priv_rdma_copy_message(c, head, pieces, op->local)
                             : DOCA_CORE_ITEM_RDMA_TOO_LONG;
}

/* Receive the next message of a connection, if there are a message and a receive task. Returns the
 * receive task, which has ended, or NULL. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_receive(struct doca_rdma_connection *c)
{
    struct doca_rdma *r = c->rdma;
    struct doca_priv_rdma_task *op = r->receives;
    struct doca_priv_rdma_piece pieces[DOCA_CORE_RDMA_MAX_SEND_LIST];
    struct doca_priv_rdma_slot head;
    enum doca_core_item item;

    if (!doca_priv_rdma_slot_is(&c->in, c->in.ticket, DOCA_PRIV_RDMA_SLOT_FILLED))
        return NULL;
    if (op == NULL) {
        doca_priv_rdma_starve(c);
        return NULL;
    }
    if (!doca_priv_rdma_read_slot(c, &head, pieces)) {
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_RDMA_NONSENSE,
                             "doca_pe_progress", c);
        doca_priv_rdma_break(c);
        return NULL;
    }
    item = op->fate != DOCA_SUCCESS ? DOCA_CORE_ITEM_FAULT_FAIL
                                    : doca_priv_rdma_try_receive(c, op, &head, pieces);
    if (item == DOCA_CORE_ITEM_EXPORTER_GONE || item == DOCA_CORE_ITEM_EXPORTER_STOPPED) {
        doca_priv_rdma_lose(c); /* the receive task waits for another message */
        return NULL;
    }
    if (!doca_priv_rdma_acknowledge(c, item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS
                                                                   : DOCA_ERROR_IO_FAILED))
        return NULL; /* the peer has ended the task, and will close the connection */
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    r->receives = doca_priv_rdma_task_of(op->task.next);
    op->connection = c;
    op->opcode = (uint8_t)head.opcode;
    op->imm = head.opcode == DOCA_RDMA_OPCODE_RECV_SEND ? 0 : head.imm;
    op->task.status = DOCA_SUCCESS;
    if (item == DOCA_CORE_ITEM_NONE) {
        op->result_len = (uint32_t)head.len;
        doca_priv_rdma_grow(op->local, doca_priv_rdma_bytes_of(&head));
    } else {
        op->task.status = op->fate != DOCA_SUCCESS ? op->fate : (uint8_t)DOCA_ERROR_IO_FAILED;
        if (item != DOCA_CORE_ITEM_FAULT_FAIL) /* >>fault logs its own */
            (void)doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", &op->task);
        doca_priv_rdma_break(c);
    }
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, op, 0, 0);)
    return &op->task;
}

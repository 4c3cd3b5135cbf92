/* ---- >>impl.rdma.verbs_queue ----------------------------------------------------------------
 * Tasks of a connection between queue pairs: one work request each. The completions of a queue pair
 * come in the order of its requests, so the request of a task has no number, and completes the
 * first task of its connection. The number of a receive request is the address of its task: all
 * connections take their receive requests from one shared receive queue.
 * A connection that ends leaves its queue pair in the error state until its entry of the table is
 * used again. The device then completes what is left of its requests, and these completions are
 * ignored; a receive request among them is posted again.                                        */
#include "compat/rdma/verbs_priv.h"

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
#include "object/object_priv.h"
#include "device/backend.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"
#include "progress/task_priv.h"
#include "compat/local/queue_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/execute_priv.h"
#include "compat/rdma/message_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/queue_priv.h"
#include "compat/rdma/receive.h"
#include "compat/rdma/rings_priv.h"
#include "compat/rdma/verbs_cm_priv.h"
#include "compat/rdma/verbs_end_priv.h"
#include "compat/rdma/verbs_sync_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS

#define DOCA_PRIV_RDMA_BATCH 16 /* completions that one call of libibverbs returns at most */

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_check(const struct doca_task *task,
                                                       enum doca_core_item *item)
{
    doca_error_t rc = doca_priv_rdma_check(task, item);

    return rc == DOCA_SUCCESS && task->type >= DOCA_PRIV_RDMA_EVENT_GET
               ? doca_priv_rdma_verbs_check_event(task, item)
               : rc;
}

/* Return the key of a buffer's memory on the device. An import that must not be read has only the
 * key for writing. */
static uint32_t doca_priv_rdma_verbs_lkey(const struct doca_buf *buf, const struct doca_dev *dev)
{
    const struct doca_priv_mmap_dev *d = &buf->mmap->devs[0];

    if (d->dev != dev)
        d = &buf->mmap->devs[doca_priv_mmap_find(buf->mmap, dev)];
    return d->mkey != 0 ? d->mkey : d->internal_mkey;
}

/* List up to `max` bytes of the data of a local list, or of its room. Returns the number of
 * elements, at most DOCA_CORE_RDMA_MAX_SEND_LIST. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_gather(const struct doca_buf *buf,
                                               const struct doca_dev *dev, bool is_room,
                                               uint64_t max, struct ibv_sge *sges)
{
    unsigned char *at;
    uint64_t len;
    int num = 0;

    for (; buf != NULL && max > 0; buf = buf->next) {
        at = is_room ? buf->data + buf->data_len : buf->data;
        len = is_room ? doca_priv_buf_tailroom(buf) : buf->data_len;
        if (len > max)
            len = max;
        if (len == 0)
            continue; /* 0 stands for 2 GiB in a work request */
        sges[num].addr = (uintptr_t)at;
        sges[num].length = (uint32_t)len;
        sges[num].lkey = doca_priv_rdma_verbs_lkey(buf, dev);
        num++;
        max -= len;
    }
    return num;
}

/* True when the CPU can copy the list into the work request. */
static bool doca_priv_rdma_verbs_is_inline(const struct doca_rdma *r, const struct doca_buf *buf,
                                           uint64_t len)
{
    if (len == 0 || len > r->max_inline)
        return false;
    while (buf != NULL && buf->mmap->far == NULL && !buf->mmap->is_backend_only)
        buf = buf->next;
    return buf == NULL;
}

static uint64_t doca_priv_rdma_verbs_data_len(const struct doca_buf *buf)
{
    uint64_t len = 0;

    for (; buf != NULL; buf = buf->next)
        len += buf->data_len;
    return len;
}

/* Fill in the request of a task with data or room in its local list. */
static void doca_priv_rdma_verbs_fill_move(struct doca_priv_rdma_task *op, struct ibv_send_wr *wr)
{
    static const enum ibv_wr_opcode opcodes[] = {
        IBV_WR_SEND, /* of a receive task: not used */
        IBV_WR_SEND,       IBV_WR_SEND_WITH_IMM,       IBV_WR_RDMA_READ,
        IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM,
    };
    const struct doca_rdma *r = op->connection->rdma;
    const bool is_read = op->task.type == DOCA_PRIV_RDMA_READ;
    const uint64_t len = !is_read             ? doca_priv_rdma_verbs_data_len(op->local)
                         : op->remote != NULL ? op->remote->data_len
                                              : 0;

    op->ticket = (uint32_t)len;
    wr->opcode = opcodes[op->task.type];
    wr->imm_data = op->imm;
    if (op->task.type >= DOCA_PRIV_RDMA_READ && op->remote != NULL) {
        wr->wr.rdma.rkey = op->remote->mmap->remote_key;
        wr->wr.rdma.remote_addr =
            (uintptr_t)op->remote->data + (is_read ? 0 : op->remote->data_len);
    }
    wr->num_sge = doca_priv_rdma_verbs_gather(op->local, r->ctx.dev, is_read, len, wr->sg_list);
    if (!is_read && doca_priv_rdma_verbs_is_inline(r, op->local, len))
        wr->send_flags |= IBV_SEND_INLINE;
}

static void doca_priv_rdma_verbs_fill_atomic(struct doca_priv_rdma_task *op, struct ibv_send_wr *wr)
{
    op->ticket = sizeof(uint64_t);
    wr->opcode = op->task.type == DOCA_PRIV_RDMA_CMP_SWP ? IBV_WR_ATOMIC_CMP_AND_SWP
                                                         : IBV_WR_ATOMIC_FETCH_AND_ADD;
    wr->wr.atomic.remote_addr = (uintptr_t)op->remote->data;
    wr->wr.atomic.rkey = op->remote->mmap->remote_key;
    wr->wr.atomic.compare_add = op->values[0];
    wr->wr.atomic.swap = op->values[1];
    wr->num_sge = doca_priv_rdma_verbs_gather(op->local, op->task.ctx->dev, true, sizeof(uint64_t),
                                              wr->sg_list);
}

/* Keep a task that fault injection lets fail, or a task that comes after such a task. The device
 * never gets its request. */
static void doca_priv_rdma_verbs_doom(struct doca_priv_rdma_task *op)
{
    struct doca_rdma_connection *c = op->connection;

    c->is_doomed = true;
    c->rdma->has_doomed = true;
    c->num_ops++;
    doca_priv_rdma_append(&c->ops, &c->ops_last, op);
    if (c->rdma->is_armed)
        (void)doca_priv_sys_event_signal(c->rdma->wake_fd);
}

/* Post the request of a task to its queue pair. */
static doca_error_t doca_priv_rdma_verbs_request(struct doca_priv_rdma_task *op)
{
    struct doca_rdma_connection *c = op->connection;
    struct ibv_sge sges[DOCA_CORE_RDMA_MAX_SEND_LIST];
    struct ibv_send_wr wr, *bad = NULL;

    if (c->num_ops == c->rdma->send_queue_size)
        return DOCA_ERROR_FULL;
    if (doca_unlikely(op->fate != DOCA_SUCCESS || c->is_doomed)) {
        doca_priv_rdma_verbs_doom(op);
        return DOCA_SUCCESS;
    }
    DOCA_CORE_MEMSET(&wr, 0, sizeof(wr));
    wr.sg_list = sges;
    wr.send_flags = IBV_SEND_SIGNALED;
    if (op->task.type >= DOCA_PRIV_RDMA_EVENT_GET)
        doca_priv_rdma_verbs_fill_event(op, &wr);
    else if (op->task.type >= DOCA_PRIV_RDMA_CMP_SWP)
        doca_priv_rdma_verbs_fill_atomic(op, &wr);
    else
        doca_priv_rdma_verbs_fill_move(op, &wr);
    if (c->rdma->rings.is_own)
        doca_priv_rdma_rings_send(c, &wr);
    else if (ibv_post_send(c->qp, &wr, &bad) != 0)
        return DOCA_ERROR_FULL;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    c->num_ops++;
    doca_priv_rdma_append(&c->ops, &c->ops_last, op);
    return DOCA_SUCCESS;
}

/* Post the request of a receive task to the shared receive queue. */
static doca_error_t doca_priv_rdma_verbs_request_receive(struct doca_rdma *r,
                                                         struct doca_priv_rdma_task *op)
{
    struct ibv_sge sges[DOCA_CORE_RDMA_MAX_SEND_LIST];
    struct ibv_recv_wr wr, *bad = NULL;

    wr.num_sge = 0; /* without room, a task that is to fail receives no byte */
    if (doca_likely(op->fate == DOCA_SUCCESS))
        wr.num_sge =
            doca_priv_rdma_verbs_gather(op->local, r->ctx.dev, true, r->limits.message, sges);
    if (r->rings.is_own)
        return doca_priv_rdma_rings_receive(r, op, sges, wr.num_sge) ? DOCA_SUCCESS
                                                                     : DOCA_ERROR_FULL;
    wr.wr_id = (uintptr_t)op;
    wr.next = NULL;
    wr.sg_list = sges;
    return ibv_post_srq_recv(r->srq, &wr, &bad) == 0 ? DOCA_SUCCESS : DOCA_ERROR_FULL;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_post(struct doca_core_queue *queue,
                                                      struct doca_task *task)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op = doca_priv_rdma_task_of(task);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = doca_priv_rdma_verbs_check(task, &item);

    if (rc != DOCA_SUCCESS)
        return rc;
    op->result_len = 0;
    if (task->type == DOCA_PRIV_RDMA_RECEIVE) {
        op->connection = NULL;
        op->opcode = 0;
        op->imm = 0;
        rc = doca_priv_rdma_verbs_request_receive(r, op);
        if (rc == DOCA_SUCCESS)
            doca_priv_rdma_append(&r->receives, &r->receives_last, op);
        return rc;
    }
    if ((op->connection->obj.state == DOCA_PRIV_RDMA_UP ||
         op->connection->obj.state == DOCA_PRIV_RDMA_JOINING) &&
        op->connection->serial == op->serial)
        return doca_priv_rdma_verbs_request(op);
    (void)doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_NOT_CONNECTED,
                         "doca_task_submit", task);
    task->status = (uint8_t)DOCA_ERROR_CONNECTION_ABORTED;
    doca_priv_rdma_append(&r->late, &r->late_last, op);
    if (r->is_armed)
        (void)doca_priv_sys_event_signal(r->wake_fd);
    return DOCA_SUCCESS;
}

/* Find the connection of a queue pair. Returns NULL for one that was destroyed. */
static struct doca_rdma_connection *doca_priv_rdma_verbs_conn_of(struct doca_rdma *r, uint32_t qpn)
{
    struct doca_rdma_connection *c = r->latest;
    uint32_t i;

    if (doca_likely(c != NULL && c->qp != NULL && c->qp->qp_num == qpn))
        return c;
    for (i = 0; i < r->max_conns; i++) {
        c = &r->conns[i];
        if (c->qp != NULL && c->qp->qp_num == qpn)
            return r->latest = c;
    }
    return NULL;
}

/* Log the failure of a task, with the status of its completion. Returns the status of the task. */
static doca_error_t doca_priv_rdma_verbs_explain(const struct doca_task *task,
                                                 const struct ibv_wc *wc)
{
    const bool is_receive = wc->wr_id != 0;
    enum doca_core_item item = DOCA_CORE_ITEM_RDMA_CARD;
    doca_error_t rc = DOCA_ERROR_IO_FAILED;
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    why.status = ibv_wc_status_str(wc->status);
    why.vendor_syndrome = wc->vendor_err;
    if (wc->status == IBV_WC_RETRY_EXC_ERR) {
        item = DOCA_CORE_ITEM_RDMA_LOST;
        rc = DOCA_ERROR_CONNECTION_RESET;
    } else if (wc->status == IBV_WC_WR_FLUSH_ERR) {
        item = DOCA_CORE_ITEM_RDMA_BROKEN;
        rc = DOCA_ERROR_CONNECTION_ABORTED;
    } else if (wc->status == IBV_WC_RNR_RETRY_EXC_ERR) {
        item = DOCA_CORE_ITEM_RDMA_NO_RECEIVE;
    } else if (wc->status == IBV_WC_LOC_LEN_ERR && is_receive) {
        item = DOCA_CORE_ITEM_RDMA_TOO_LONG;
    }
    return doca_core_backend_refuse(rc, item, "doca_pe_progress", task, &why);
}

/* Remove a receive task from the list of submitted ones. Returns false when it is not there: it was
 * flushed. */
static bool doca_priv_rdma_verbs_take_receive(struct doca_rdma *r,
                                              const struct doca_priv_rdma_task *op)
{
    struct doca_priv_rdma_task *before = NULL, *at = r->receives;

    while (at != NULL && at != op) {
        before = at;
        at = doca_priv_rdma_task_of(at->task.next);
    }
    if (at == NULL)
        return false;
    if (before == NULL)
        r->receives = doca_priv_rdma_task_of(at->task.next);
    else
        before->task.next = at->task.next;
    if (r->receives_last == at)
        r->receives_last = before;
    return true;
}

/* End a receive task. */
static void doca_priv_rdma_verbs_received(struct doca_rdma *r, const struct ibv_wc *wc)
{
    struct doca_priv_rdma_task *op = (struct doca_priv_rdma_task *)(uintptr_t)wc->wr_id;
    struct doca_rdma_connection *c = doca_priv_rdma_verbs_conn_of(r, wc->qp_num);
    doca_error_t rc = DOCA_SUCCESS;

    if ((wc->status == IBV_WC_WR_FLUSH_ERR && r->is_flushed) ||
        !doca_priv_rdma_verbs_take_receive(r, op))
        return;
    if (wc->status == IBV_WC_WR_FLUSH_ERR &&
        doca_priv_rdma_verbs_request_receive(r, op) == DOCA_SUCCESS) {
        doca_priv_rdma_append(&r->receives, &r->receives_last, op);
        return;
    }
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    op->connection = c;
    if (c != NULL && wc->status == IBV_WC_SUCCESS)
        doca_priv_rdma_cm_heard(c);
    if (doca_unlikely(op->fate != DOCA_SUCCESS)) {
        rc = wc->status == IBV_WC_WR_FLUSH_ERR ? doca_priv_rdma_verbs_explain(&op->task, wc)
                                               : (doca_error_t)op->fate;
    } else if (wc->status == IBV_WC_SUCCESS) {
        op->opcode =
            (uint8_t)(wc->opcode == IBV_WC_RECV_RDMA_WITH_IMM ? DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM
                      : (wc->wc_flags & IBV_WC_WITH_IMM) != 0 ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM
                                                              : DOCA_RDMA_OPCODE_RECV_SEND);
        op->imm = (wc->wc_flags & IBV_WC_WITH_IMM) != 0 ? wc->imm_data : 0;
        op->result_len = wc->byte_len;
        if (op->opcode != DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM)
            doca_priv_rdma_grow(op->local, wc->byte_len);
    } else {
        rc = doca_priv_rdma_verbs_explain(&op->task, wc);
    }
    doca_priv_local_end_task(r->queue, &op->task, rc);
    if (rc != DOCA_SUCCESS && c != NULL)
        doca_priv_rdma_verbs_end(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_DISCONNECTED);
}

/* End the first task of a connection. */
static void doca_priv_rdma_verbs_requested(struct doca_rdma *r, const struct ibv_wc *wc)
{
    struct doca_rdma_connection *c = doca_priv_rdma_verbs_conn_of(r, wc->qp_num);
    struct doca_priv_rdma_task *op = c != NULL ? c->ops : NULL;
    doca_error_t rc = DOCA_SUCCESS;

    /* the connection has ended, or the status of its tasks is decided elsewhere */
    if (op == NULL || (wc->status == IBV_WC_WR_FLUSH_ERR && c->is_halted))
        return;
    c->ops = doca_priv_rdma_task_of(op->task.next);
    c->num_ops--;
    if (doca_likely(wc->status == IBV_WC_SUCCESS)) {
        doca_priv_rdma_cm_heard(c);
        if (doca_priv_rdma_verbs_fills(op->task.type)) {
            op->result_len = op->ticket;
            doca_priv_rdma_grow(op->local, op->ticket);
        }
    } else {
        rc = doca_priv_rdma_verbs_explain(&op->task, wc);
    }
    doca_priv_local_end_task(r->queue, &op->task, rc);
    if (rc != DOCA_SUCCESS)
        doca_priv_rdma_verbs_end(
            c, rc == DOCA_ERROR_CONNECTION_RESET ? rc : DOCA_ERROR_CONNECTION_ABORTED,
            DOCA_PRIV_RDMA_DISCONNECTED);
}

/* Handle up to DOCA_PRIV_RDMA_BATCH completions. Returns false when there were no completions. */
static bool doca_priv_rdma_verbs_reap(struct doca_rdma *r)
{
    struct ibv_wc wc[DOCA_PRIV_RDMA_BATCH];
    const int num = r->rings.is_own ? doca_priv_rdma_rings_read(r, DOCA_PRIV_RDMA_BATCH, wc)
                                    : ibv_poll_cq(r->cq, DOCA_PRIV_RDMA_BATCH, wc);
    int i;

    for (i = 0; i < num; i++) {
        if (wc[i].wr_id != 0)
            doca_priv_rdma_verbs_received(r, &wc[i]);
        else
            doca_priv_rdma_verbs_requested(r, &wc[i]);
    }
    return num > 0;
}

/* Handle all completions that are there. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_drain(struct doca_rdma *r)
{
    while (doca_priv_rdma_verbs_reap(r)) {
    }
}

/* End the connections whose first task is to fail by fault injection, and these tasks. */
static void doca_priv_rdma_verbs_end_doomed(struct doca_rdma *r)
{
    struct doca_rdma_connection *c = r->live, *next;
    struct doca_priv_rdma_task *op;

    r->has_doomed = false;
    for (; c != NULL; c = next) {
        next = c->next_live;
        op = c->ops;
        if (op == NULL || op->fate == DOCA_SUCCESS) {
            r->has_doomed |= c->is_doomed;
            continue;
        }
        c->ops = doca_priv_rdma_task_of(op->task.next);
        c->num_ops--;
        doca_priv_local_end_task(r->queue, &op->task, (doca_error_t)op->fate);
        doca_priv_rdma_verbs_end(c,
                                 op->fate == DOCA_ERROR_CONNECTION_RESET
                                     ? DOCA_ERROR_CONNECTION_RESET
                                     : DOCA_ERROR_CONNECTION_ABORTED,
                                 DOCA_PRIV_RDMA_DISCONNECTED);
    }
}

/* Take the first ended task. If the event that its connection is established was not reported to
 * the program yet, take this event first. */
static struct doca_task *doca_priv_rdma_verbs_take_ended(struct doca_core_queue *queue)
{
    struct doca_rdma_connection *c = doca_priv_rdma_task_of(queue->first)->connection;

    if (doca_unlikely(doca_priv_rdma_of(queue)->num_events > 0) && c != NULL &&
        (c->events & 1u << DOCA_PRIV_RDMA_ESTABLISHED) != 0)
        return doca_priv_rdma_take_event_of(c);
    return doca_priv_local_take_ended(queue);
}

/* Take the next ended task, or run an event. Events come before completions, because steady
 * completions must not delay them; tasks that were submitted to an ended connection come last. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_verbs_take(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *late = r->late;

    if (queue->first != NULL)
        return doca_priv_rdma_verbs_take_ended(queue);
    if (doca_unlikely(r->num_events > 0))
        return doca_priv_rdma_take_event(r);
    if (doca_priv_rdma_verbs_reap(r) && queue->first != NULL)
        return doca_priv_rdma_verbs_take_ended(queue);
    if (doca_unlikely(r->has_doomed))
        doca_priv_rdma_verbs_end_doomed(r);
    if (doca_unlikely(queue->first != NULL))
        return doca_priv_rdma_verbs_take_ended(queue);
    if (doca_unlikely(r->num_events > 0))
        return doca_priv_rdma_take_event(r);
    if (late == NULL)
        return NULL;
    r->late = doca_priv_rdma_task_of(late->task.next);
    return &late->task;
}

DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_verbs_poll(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);

    if (doca_unlikely(++r->num_polls % DOCA_PRIV_RDMA_LISTEN_POLLS == 0))
        doca_priv_rdma_verbs_attend(r);
    return doca_priv_rdma_verbs_take(queue);
}

/* Let the device end the requests of a connection, and execute no further one. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_halt(struct doca_rdma_connection *connection)
{
    struct ibv_qp_attr attr;

    if (connection->qp == NULL || connection->is_halted)
        return;
    connection->is_halted = true;
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_ERR;
    (void)ibv_modify_qp(connection->qp, &attr, IBV_QP_STATE);
}

static void doca_priv_rdma_verbs_drop_ops(struct doca_rdma_connection *connection,
                                          doca_error_t status)
{
    struct doca_priv_rdma_task *op;

    while ((op = connection->ops) != NULL) {
        connection->ops = doca_priv_rdma_task_of(op->task.next);
        (void)doca_priv_fail(status,
                             status == DOCA_ERROR_SHUTDOWN           ? DOCA_CORE_ITEM_FLUSHED
                             : status == DOCA_ERROR_CONNECTION_RESET ? DOCA_CORE_ITEM_RDMA_LOST
                                                                     : DOCA_CORE_ITEM_RDMA_BROKEN,
                             "doca_pe_progress", &op->task);
        doca_priv_local_end_task(connection->rdma->queue, &op->task, status);
    }
    connection->num_ops = 0;
}

/* End a connection whose completions were handled: its tasks end with `status`, and progress will
 * run the callback of `event`. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_end(struct doca_rdma_connection *connection,
                                             doca_error_t status,
                                             enum doca_priv_rdma_happening event)
{
    struct doca_rdma *r = connection->rdma;

    if (connection->obj.state == DOCA_PRIV_RDMA_DOWN)
        return;
    while (connection->events != 0 && event == DOCA_PRIV_RDMA_NOTHING) {
        connection->events &= (uint8_t)(connection->events - 1);
        r->num_events--;
    }
    doca_priv_rdma_verbs_halt(connection);
    doca_priv_rdma_verbs_leave(connection);
    doca_priv_rdma_cm_end(connection);
    doca_priv_rdma_verbs_drop_ops(connection, status);
    doca_priv_rdma_unlive(connection);
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_DOWN);
    doca_priv_rdma_tell(connection, event);
    if (connection->events == 0 && !r->is_of_25)
        doca_priv_rdma_conn_free(connection);
    if (r->is_armed)
        (void)doca_priv_sys_event_signal(r->wake_fd);
}

/* The device may write to the buffers of a receive task until all queue pairs are halted. Tasks
 * that the device has executed before that end with their own status. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op;
    struct doca_rdma_connection *c;

    doca_priv_rdma_verbs_drain(r);
    r->is_flushed = true;
    for (c = r->live; c != NULL; c = c->next_live)
        doca_priv_rdma_verbs_halt(c);
    doca_priv_rdma_verbs_drain(r);
    for (c = r->live; c != NULL; c = c->next_live)
        doca_priv_rdma_verbs_drop_ops(c, status);
    while ((op = r->receives) != NULL) {
        r->receives = doca_priv_rdma_task_of(op->task.next);
        (void)doca_priv_fail(status, DOCA_CORE_ITEM_FLUSHED, "doca_pe_progress", &op->task);
        doca_priv_local_end_task(queue, &op->task, status);
    }
}

DOCA_PRIV_DECL int doca_priv_rdma_verbs_fd(struct doca_core_queue *queue)
{
    return doca_priv_rdma_of(queue)->set;
}

DOCA_PRIV_DECL bool doca_priv_rdma_verbs_ready(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);

    if (queue->first == NULL && r->num_events == 0 && r->late == NULL) {
        doca_priv_rdma_verbs_listen(r);
        (void)doca_priv_rdma_verbs_reap(r);
    }
    if (r->has_doomed)
        doca_priv_rdma_verbs_end_doomed(r);
    return queue->first != NULL || r->num_events > 0 || r->late != NULL;
}

/* Read the events that earlier armings have caused. Unread events would keep the descriptor
 * readable. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_read_events(struct doca_rdma *r)
{
    struct ibv_cq *cq;
    void *cq_context;

    while (ibv_get_cq_event(r->channel, &cq, &cq_context) == 0) {
        ibv_ack_cq_events(cq, 1);
        r->rings.num_events++;
    }
}

DOCA_PRIV_DECL void doca_priv_rdma_verbs_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);

    r->is_armed = armed;
    doca_priv_rdma_verbs_read_events(r);
    if (!armed) {
        (void)doca_priv_sys_event_drain(r->wake_fd);
        return;
    }
    if (doca_priv_rdma_rings_arm(r) != 0 || !doca_priv_rdma_verbs_arm_control(r) ||
        doca_priv_rdma_verbs_ready(queue))
        (void)doca_priv_sys_event_signal(r->wake_fd);
}

#endif /* DOCA_CORE_RDMA_VERBS */

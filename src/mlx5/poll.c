/* ---- >>mlx5.poll ----------------------------------------------------------------------------
 * Polling: reads completions and completes the tasks that they belong to.
 * In the absence of errors, only the last WQE of a task writes a completion queue entry (CQE).
 * After an error, the device writes a CQE for every WQE that it has not executed.               */
#include "mlx5/poll_priv.h"

#include "mlx5/api.h"
#include "mlx5/device_priv.h"
#include "mlx5/dm_priv.h"
#include "mlx5/dma_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/layout_priv.h"
#include "mlx5/order_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/queue_priv.h"
#include "mlx5/sync_priv.h"
#include "mlx5/sys.h"

/* Return the next CQE, or NULL when the device has not written it yet. */
static const unsigned char *doca_priv_mlx5_peek(const struct doca_priv_mlx5_queue *q)
{
    uint8_t op_own = __atomic_load_n(q->cqe + offsetof(struct doca_priv_mlx5_cqe, op_own),
                                     __ATOMIC_RELAXED);

    return op_own >> 4 != DOCA_PRIV_MLX5_CQE_INVALID && (op_own & 1u) == q->cq_owner ? q->cqe
                                                                                     : NULL;
}

/* Release the CQE that has just been read, so that the device can overwrite it. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_cqe_release(struct doca_priv_mlx5_queue *q)
{
    q->cq_ci++;
    doca_priv_mlx5_cqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(&q->cq_dbrec[0], q->cq_ci & 0xffffff);
    q->cqe += q->cqe_bytes;
    if (doca_unlikely(q->cqe == q->cqe_end)) {
        q->cqe = q->cq;
        q->cq_owner ^= 1;
    }
}

/* Return the syndrome for a status of verbs. Both numberings follow the InfiniBand
 * specification. */
static uint8_t doca_priv_mlx5_syndrome(enum ibv_wc_status status)
{
    switch (status) {
    case IBV_WC_SUCCESS:
        return 0;
    case IBV_WC_LOC_LEN_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH;
    case IBV_WC_LOC_QP_OP_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP;
    case IBV_WC_LOC_PROT_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT;
    case IBV_WC_WR_FLUSH_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH;
    case IBV_WC_LOC_ACCESS_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS;
    case IBV_WC_REM_INV_REQ_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ;
    case IBV_WC_REM_ACCESS_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS;
    case IBV_WC_REM_OP_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP;
    case IBV_WC_RETRY_EXC_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC;
    case IBV_WC_RNR_RETRY_EXC_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC;
    default:
        return DOCA_PRIV_MLX5_SYNDROME_NONE;
    }
}

/* Poll for a completion through verbs and store it in q->done. Returns false when no completion has
 * arrived. */
static bool doca_priv_mlx5_poll_verbs(struct doca_priv_mlx5_queue *q)
{
    struct ibv_wc wc;

    int num = doca_priv_mlx5.sys->poll_cq(q->ibv_cq, &wc);

    q->is_lost = num < 0;
    q->has_done = num > 0;
    if (q->has_done) {
        q->done.wqe = (uint16_t)wc.wr_id;
        q->done.syndrome = doca_priv_mlx5_syndrome(wc.status);
        q->done.vendor = q->done.syndrome != 0 ? (uint8_t)wc.vendor_err : 0;
    }
    return q->has_done;
}

/* Read the next completion, with any engine. Returns false when no completion has arrived. */
static bool doca_priv_mlx5_reap(struct doca_priv_mlx5_queue *q, struct doca_priv_mlx5_done *done)
{
    struct doca_priv_mlx5_cqe copy;
    const unsigned char *cqe;

    if (q->has_done ||
        (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS && doca_priv_mlx5_poll_verbs(q))) {
        q->has_done = false;
        *done = q->done;
        return true;
    }
    if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS)
        return false;
    cqe = doca_priv_mlx5_peek(q);
    if (cqe == NULL)
        return false;
    doca_priv_mlx5_owner_before_cqe();
    memcpy(&copy, cqe, sizeof(copy));
    doca_priv_mlx5_parse_cqe(&copy, done);
    doca_priv_mlx5_cqe_release(q);
    return true;
}

/* Return the reason text that the program gets for a syndrome. */
static enum doca_core_item doca_priv_mlx5_item(uint8_t syndrome)
{
    switch (syndrome) {
    case DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH:
        return DOCA_CORE_ITEM_MLX5_LENGTH;
    case DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP:
        return DOCA_CORE_ITEM_MLX5_QP_OP;
    case DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT:
    case DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS:
        return DOCA_CORE_ITEM_MLX5_PROTECTION;
    case DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS:
        return DOCA_CORE_ITEM_MLX5_ACCESS;
    case DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ:
    case DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP:
    case DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED:
        return DOCA_CORE_ITEM_MLX5_REMOTE;
    case DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC:
    case DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC:
        return DOCA_CORE_ITEM_MLX5_RETRY;
    case DOCA_PRIV_MLX5_SYNDROME_FATAL:
        return DOCA_CORE_ITEM_MLX5_FATAL;
    default:
        return DOCA_CORE_ITEM_MLX5_OTHER;
    }
}

/* Report why the task of a slot failed. Return `code`. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_fail(const struct doca_priv_mlx5_slot *slot,
                                                doca_error_t code, enum doca_core_item item)
{
    return doca_core_backend_fail(code, item, "doca_pe_progress", slot->task, 0);
}

/* Report a task whose WQE ibv_post_send() refused. */
static doca_error_t doca_priv_mlx5_fail_call(const struct doca_priv_mlx5_slot *slot)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.step = DOCA_PRIV_MLX5_TEXT("take a request (ibv_post_send)");
    why.hint = slot->vendor == ENOMEM ? DOCA_PRIV_MLX5_TEXT("the queue pair has no room left")
                                      : NULL;
    return doca_priv_mlx5_report_as(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_CALL,
                                    "doca_pe_progress", slot->task, slot->vendor, &why);
}

/* Report a task that was refused before the device received it. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_fail_refused(const struct doca_priv_mlx5_slot *slot)
{
    const enum doca_core_item item = (enum doca_core_item)slot->last;

    return item == DOCA_CORE_ITEM_MLX5_CALL
               ? doca_priv_mlx5_fail_call(slot)
               : doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, item);
}

/* Report a task with the syndromes of its error completion. */
static doca_error_t doca_priv_mlx5_fail_done(const struct doca_priv_mlx5_slot *slot)
{
    static const struct {
        uint8_t syndrome;
        const char *name;
    } rows[] = {
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH, "LOCAL_LENGTH_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP, "LOCAL_QP_OP_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT, "LOCAL_PROT_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_MW_BIND, "MW_BIND_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_BAD_RESP, "BAD_RESP_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS, "LOCAL_ACCESS_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ, "REMOTE_INVAL_REQ_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS, "REMOTE_ACCESS_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP, "REMOTE_OP_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC, "TRANSPORT_RETRY_EXC_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC, "RNR_RETRY_EXC_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED, "REMOTE_ABORTED_ERR" },
    };
    const enum doca_core_item item = doca_priv_mlx5_item(slot->syndrome);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].syndrome == slot->syndrome)
            why.status = rows[i].name;
    if (slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_NONE)
        why.status = DOCA_PRIV_MLX5_TEXT("no syndrome");
    else if (item != DOCA_CORE_ITEM_MLX5_FATAL)
        why.syndrome = slot->syndrome;
    why.vendor_syndrome = slot->vendor;
    return doca_core_backend_refuse(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", slot->task,
                                    &why);
}

/* Add the copied bytes to the content of the destination buffers. Fails if the buffers have
 * changed. */
static doca_error_t doca_priv_mlx5_extend_dst(const struct doca_priv_mlx5_slot *slot)
{
    struct doca_buf *dst = ((struct doca_dma_task_memcpy *)(void *)slot->task)->dst, *d;
    uint64_t left = slot->bytes, room;

    if (doca_unlikely(dst->flags == 0 || dst->data + dst->data_len != slot->to))
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_BUF);
    for (d = dst; d != NULL && left > 0; d = d->next) {
        room = doca_priv_mlx5_tailroom(d);
        left -= room < left ? room : left;
    }
    if (doca_unlikely(left > 0))
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_BUF);
    for (left = slot->bytes; left > 0; dst = dst->next) {
        room = doca_priv_mlx5_tailroom(dst);
        room = room < left ? room : left;
        /* analyzer: core.NullDereference: the loop above found room for all of `left` */
        dst->data_len += (size_t)room;
        left -= room;
    }
    return DOCA_SUCCESS;
}

/* Return the status of a task that the device has finished, and update its destination. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_task_status(const struct doca_priv_mlx5_queue *q,
                                                       const struct doca_priv_mlx5_slot *slot)
{
    if (doca_likely(slot->syndrome == 0))
        return doca_priv_mlx5_extend_dst(slot);
    if (slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH)
        return doca_priv_mlx5_fail(slot, q->status, DOCA_CORE_ITEM_FLUSHED);
    if (slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_CALL)
        return doca_priv_mlx5_fail_call(slot);
    return doca_priv_mlx5_fail_done(slot);
}

/* Set `len` bytes after the content of `dst` to 0, if the CPU can write them: in memory of this
 * process and in memory of the device. */
static void doca_priv_mlx5_clear_buf(const struct doca_buf *dst, struct doca_dev *dev, uint64_t len)
{
    static const unsigned char zeros[256] = { 0 };
    unsigned char *to = dst->data + dst->data_len;
    size_t at, n;

    if (doca_priv_mlx5_is_local(dst))
        doca_core_backend_clear(to, (size_t)len);
    for (at = 0; dst->mmap->is_on_dev && at < len; at += n) {
        n = len - at < sizeof(zeros) ? (size_t)(len - at) : sizeof(zeros);
        (void)doca_priv_mlx5_dm_copy(dev, doca_priv_mlx5_keys(dst->mmap, dev)->mkey,
                                     (size_t)(to - dst->mmap->addr) + at,
                                     (void *)(uintptr_t)zeros, n, true);
    }
}

/* Clear the destination of a failed task whose source list has a buffer that is not local, for
 * example a buffer in an import: the export may have ended before all WQEs of the task had run, so
 * the copied bytes must not be used. A flushed task needs no clearing: it has copied nothing, or
 * only bytes that it read while the export was valid. If the program has released or changed the
 * destination since submit, the function does nothing, because the free bytes of the destination
 * are then not the bytes that the task wrote. */
static void doca_priv_mlx5_clear_dst(const struct doca_priv_mlx5_queue *q,
                                     const struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    const struct doca_buf *src = t->src, *dst = t->dst;
    uint64_t left = slot->bytes, room;

    while (src != NULL && doca_priv_mlx5_is_local(src))
        src = src->next;
    if (slot->syndrome == 0 || slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH || src == NULL ||
        dst->flags == 0 || dst->data + dst->data_len != slot->to)
        return;
    for (; left > 0 && dst != NULL; dst = dst->next, left -= room) {
        room = doca_priv_mlx5_tailroom(dst);
        room = room < left ? room : left;
        if (room > 0)
            doca_priv_mlx5_clear_buf(dst, q->queue.dev, room);
    }
}

/* True when the device has finished the oldest posted task, whose slot is `slot`. Completions
 * arrive in the order of the WQEs. A completion of a later WQE therefore means that the completion
 * of this task is lost; the task then fails, and the later completion is stored for the next
 * call. */
DOCA_PRIV_DECL bool doca_priv_mlx5_is_done(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_slot *slot)
{
    struct doca_priv_mlx5_done done;

    while (doca_priv_mlx5_reap(q, &done)) {
        if (doca_unlikely((uint16_t)(done.wqe - slot->last - 1u) < 0x7fff)) {
            q->done = done;
            q->has_done = true;
            q->is_broken = true;
            if (slot->syndrome == 0)
                slot->syndrome = DOCA_PRIV_MLX5_SYNDROME_NONE;
            done.wqe = (uint16_t)slot->last;
        } else if (doca_unlikely(done.syndrome != 0)) {
            q->is_broken = true;
            if (slot->syndrome == 0) {
                slot->syndrome = done.syndrome;
                slot->vendor = done.vendor;
            }
        }
        if (done.wqe == (uint16_t)slot->last) {
            q->sq_ci = slot->last + slot->blocks;
            return true;
        }
    }
    return false;
}

/* True when the device has failed and will write no more completions. Some parts of the device may
 * still work. Therefore the queue pairs are reset, to end all transfers in flight, before the tasks
 * are completed without CQEs. */
DOCA_PRIV_DECL bool doca_priv_mlx5_is_lost(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_slot *slot)
{
    if (doca_likely(!doca_priv_mlx5_is_fatal(q->dev) && !q->is_lost))
        return false;
    if (!q->is_reset) {
        q->is_reset = true;
        (void)doca_priv_mlx5_set_qp_state(q, IBV_QPS_RESET);
    }
    q->is_broken = true;
    slot->syndrome = DOCA_PRIV_MLX5_SYNDROME_FATAL;
    return true;
}

/* Let the CPU move the bytes of a task that has overlapping buffers. Fails if the buffers have
 * changed since submit. */
static doca_error_t doca_priv_mlx5_move_by_cpu(const struct doca_priv_mlx5_queue *q,
                                               const struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    doca_error_t rc;

    if (!doca_priv_mlx5_is_simple_task(q, t) || t->src->data_len != slot->bytes)
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_BUF);
    rc = doca_priv_mlx5_extend_dst(slot);
    if (rc == DOCA_SUCCESS)
        memmove(slot->to, t->src->data, (size_t)slot->bytes);
    return rc;
}

/* Complete the oldest task if it has finished, with any engine and any outcome. */
DOCA_PRIV_MLX5_NOINLINE struct doca_task *doca_priv_mlx5_poll(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_slot *slot = q->oldest;
    struct doca_task *task;
    bool started = false;
    doca_error_t rc;

    if (slot->kind == DOCA_PRIV_MLX5_EMPTY)
        return NULL;
    if (slot->kind == DOCA_PRIV_MLX5_POSTED) {
        if (!doca_priv_mlx5_is_done(q, slot) && !doca_priv_mlx5_is_lost(q, slot))
            return NULL;
        rc = doca_priv_mlx5_task_status(q, slot);
        if (doca_unlikely(rc != DOCA_SUCCESS))
            doca_priv_mlx5_clear_dst(q, slot);
    } else if (slot->kind == DOCA_PRIV_MLX5_REFUSED) {
        rc = doca_priv_mlx5_fail_refused(slot);
    } else if (slot->kind == DOCA_PRIV_MLX5_BY_CPU && !q->is_flushed) {
        rc = doca_priv_mlx5_move_by_cpu(q, slot);
    } else {
        q->num_waiting -= slot->kind == DOCA_PRIV_MLX5_WAITING;
        rc = doca_priv_mlx5_fail(slot, q->status, DOCA_CORE_ITEM_FLUSHED);
    }
    task = doca_priv_mlx5_slot_complete(q, slot, rc);
    while (doca_unlikely(q->num_waiting > 0) && !q->is_broken &&
           doca_priv_mlx5_start(q, doca_priv_mlx5_oldest_waiting(q)))
        started = true;
    doca_priv_mlx5_set_fast_path(q);
    /* If no task was started here, tasks submitted without FLUSH stay without a doorbell. */
    if (started)
        doca_priv_mlx5_ring(q);
    return task;
}

/* True when a slot holds a posted task without an error whose last WQE has one basic block. The
 * four fields kind, syndrome, vendor and blocks are compared as one word. */
DOCA_PRIV_MLX5_HOT bool doca_priv_mlx5_is_simple_slot(const struct doca_priv_mlx5_slot *slot)
{
    const uint8_t wanted[4] = { DOCA_PRIV_MLX5_POSTED, 0, 0, 1 };
    uint32_t is, should;

    memcpy(&is, &slot->kind, sizeof(is));
    memcpy(&should, wanted, sizeof(should));
    return is == should;
}

#define DOCA_PRIV_MLX5_OP_OWN 0xf1u /* the bits of op_own that hold opcode and owner */

/* Fast path of polling, for MMO and RC: complete the oldest task if its CQE has arrived, reports no
 * error, and the destination matches `fast_buf` and has not changed since submit. Otherwise call
 * doca_priv_mlx5_poll(). */
DOCA_PRIV_DECL struct doca_task *doca_priv_mlx5_poll_fast(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_slot *slot = q->oldest;
    struct doca_buf *dst;
    uint16_t counter;

    if ((__atomic_load_n(q->cqe + offsetof(struct doca_priv_mlx5_cqe, op_own), __ATOMIC_RELAXED) &
         DOCA_PRIV_MLX5_OP_OWN) != ((uint32_t)DOCA_PRIV_MLX5_CQE_REQ << 4 | q->cq_owner) ||
        doca_unlikely(!doca_priv_mlx5_is_simple_slot(slot)))
        return doca_priv_mlx5_poll(queue);
    doca_priv_mlx5_owner_before_cqe();
    memcpy(&counter, q->cqe + offsetof(struct doca_priv_mlx5_cqe, wqe_counter), sizeof(counter));
    dst = ((struct doca_dma_task_memcpy *)(void *)slot->task)->dst;
    if (doca_unlikely(DOCA_PRIV_MLX5_BE16(counter) != (uint16_t)slot->last ||
                      doca_priv_mlx5_buf_bytes(dst, 0) != q->fast_buf ||
                      dst->data + dst->data_len != slot->to ||
                      (uintptr_t)slot->to + slot->bytes > (uintptr_t)dst->end))
        return doca_priv_mlx5_poll(queue);
    doca_priv_mlx5_cqe_release(q);
    q->sq_ci = slot->last + 1;
    dst->data_len += (size_t)slot->bytes;
    return doca_priv_mlx5_slot_complete(q, slot, DOCA_SUCCESS);
}

/* Return tasks that were posted after the last doorbell to the state WAITING: the device has not
 * started them. Their WQEs are discarded. */
static void doca_priv_mlx5_unpost(struct doca_priv_mlx5_queue *q)
{
    struct doca_priv_mlx5_slot *slot;

    for (slot = q->slots; q->sq_pi != q->sq_pi_rung && slot != q->end; slot++) {
        if (slot->kind == DOCA_PRIV_MLX5_POSTED &&
            slot->last - q->sq_pi_rung < q->sq_pi - q->sq_pi_rung) {
            slot->kind = DOCA_PRIV_MLX5_WAITING;
            q->num_waiting++;
        }
    }
    q->sq_pi = q->sq_pi_rung;
}

/* Flush the queue: tasks that have not started complete with `status`. The queue pair enters the
 * error state, and one more WQE is posted. The device flushes this WQE, and its completion arrives
 * after all others: if the completion of a task is lost, the task does not wait forever. The ring
 * always has room for this WQE. */
DOCA_PRIV_DECL void doca_priv_mlx5_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_copy nothing;

    q->status = status;
    q->is_flushed = true;
    q->is_broken = true;
    doca_priv_mlx5_unpost(q);
    doca_priv_mlx5_set_fast_path(q);
    memset(&nothing, 0, sizeof(nothing));
    nothing.num = 1;
    if (doca_priv_mlx5_enter_error(q) && doca_priv_mlx5_post_wqe(q, &nothing, true) == 0 &&
        q->engine != DOCA_CORE_MLX5_ENGINE_VERBS)
        doca_priv_mlx5_ring_wqe(q, q->sq_pi - 1);
}

DOCA_PRIV_DECL void doca_priv_mlx5_queue_ring(struct doca_core_queue *queue)
{
    doca_priv_mlx5_ring(doca_priv_mlx5_queue_of(queue));
}

DOCA_PRIV_DECL bool doca_priv_mlx5_queue_ready(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);

    if (q->sync != NULL && doca_priv_mlx5_sync_has_ready(q->sync))
        return true;
    if (q->oldest->kind == DOCA_PRIV_MLX5_EMPTY)
        return false;
    if (q->oldest->kind != DOCA_PRIV_MLX5_POSTED || q->has_done || q->has_no_events ||
        doca_priv_mlx5_is_fatal(q->dev))
        return true;
    return q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? doca_priv_mlx5_poll_verbs(q) || q->is_lost
                                                    : doca_priv_mlx5_peek(q) != NULL;
}

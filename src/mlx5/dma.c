/* ---- >>mlx5.dma -----------------------------------------------------------------------------
 * Submitting copy tasks: inspects a task, turns it into WQEs and rings the doorbell. A `piece` is a
 * contiguous copy: the lists of a task are cut at every boundary of a source or destination buffer.
 * A WQE consists of one or more pieces with one contiguous destination. The fast path (functions
 * with `fast` in their names) handles copies between two single buffers; all other tasks go
 * through doca_priv_mlx5_post().                                                                */
#include "mlx5/dma_priv.h"

#include "mlx5/api.h"
#include "mlx5/config.h"
#include "mlx5/device_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/layout_priv.h"
#include "mlx5/order_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/queue_priv.h"
#include "mlx5/sys.h"

/* Iterator over the pieces of a task. */
struct doca_priv_mlx5_walk {
    const struct doca_buf *src;
    const struct doca_buf *dst;
    uint64_t src_done; /* bytes of src's content that are consumed */
    uint64_t dst_done; /* bytes of dst's free space that are used */
    uint64_t left;
};

/* Return the number of free bytes after the buffer's content. */
DOCA_PRIV_DECL uint64_t doca_priv_mlx5_tailroom(const struct doca_buf *buf)
{
    /* analyzer: core.NullDereference: a walk stops before the end of either list */
    return (uint64_t)((uintptr_t)buf->end - (uintptr_t)buf->data) - buf->data_len;
}

/* Start an iteration over the pieces of a task. */
static void doca_priv_mlx5_walk_begin(struct doca_priv_mlx5_walk *walk,
                                      const struct doca_dma_task_memcpy *t)
{
    const struct doca_buf *src;

    walk->src = t->src;
    walk->dst = t->dst;
    walk->src_done = 0;
    walk->dst_done = 0;
    walk->left = 0;
    for (src = t->src; src != NULL; src = src->next)
        walk->left += src->data_len;
}

/* Return the memory keys of `mmap` on `dev`. The mmap must be registered on `dev`. */
DOCA_PRIV_DECL const struct doca_priv_mmap_dev *doca_priv_mlx5_keys(const struct doca_mmap *mmap,
                                                                    const struct doca_dev *dev)
{
    const struct doca_priv_mmap_dev *keys = mmap->devs;

    while (keys->dev != dev)
        keys++;
    return keys;
}

/* Get the next piece; false when all bytes are done. The destination list has enough space, because
 * the task has passed inspection. */
static bool doca_priv_mlx5_walk_next(struct doca_priv_mlx5_walk *walk,
                                     const struct doca_priv_mlx5_queue *q,
                                     struct doca_priv_mlx5_piece *piece)
{
    const struct doca_priv_mmap_dev *to;
    uint64_t from_here, to_here;

    if (walk->left == 0)
        return false;
    while ((from_here = walk->src->data_len - walk->src_done) == 0) {
        walk->src = walk->src->next;
        walk->src_done = 0;
    }
    while ((to_here = doca_priv_mlx5_tailroom(walk->dst) - walk->dst_done) == 0) {
        walk->dst = walk->dst->next;
        walk->dst_done = 0;
    }
    to = doca_priv_mlx5_keys(walk->dst->mmap, q->queue.dev);
    piece->from = (uintptr_t)walk->src->data + walk->src_done;
    piece->from_key = doca_priv_mlx5_keys(walk->src->mmap, q->queue.dev)->mkey;
    piece->to = (uintptr_t)walk->dst->data + walk->dst->data_len + walk->dst_done;
    piece->to_key = to->internal_mkey;
    piece->bytes = from_here < to_here ? from_here : to_here;
    walk->src_done += piece->bytes;
    walk->dst_done += piece->bytes;
    walk->left -= piece->bytes;
    return true;
}

/* True when the CPU can access the buffer's bytes at their address in this process. */
DOCA_PRIV_DECL bool doca_priv_mlx5_is_local(const struct doca_buf *buf)
{
    return buf->mmap->far == NULL && !buf->mmap->is_backend_only;
}

/* Get the next WQE: successive pieces with one contiguous destination, up to the number of sources
 * that a WQE can have. Returns false when all pieces are done. */
static bool doca_priv_mlx5_walk_wqe(struct doca_priv_mlx5_walk *walk,
                                    const struct doca_priv_mlx5_queue *q,
                                    struct doca_priv_mlx5_copy *copy)
{
    struct doca_priv_mlx5_piece piece;
    struct doca_priv_mlx5_walk before;

    if (!doca_priv_mlx5_walk_next(walk, q, &piece))
        return false;
    copy->to = piece.to;
    copy->to_key = piece.to_key;
    copy->bytes = 0;
    copy->num = 0;
    copy->is_cpu_readable = true;
    do {
        before = *walk;
        copy->from[copy->num].addr = piece.from;
        copy->from[copy->num].length = (uint32_t)piece.bytes;
        copy->from[copy->num++].lkey = piece.from_key;
        copy->bytes += piece.bytes;
        copy->is_cpu_readable = copy->is_cpu_readable && doca_priv_mlx5_is_local(walk->src);
    } while (copy->num < q->max_sge && doca_priv_mlx5_walk_next(walk, q, &piece) &&
             piece.to == copy->to + copy->bytes && piece.to_key == copy->to_key);
    *walk = before; /* the last piece belongs to the next WQE: return to it */
    return true;
}

/* True when the data is copied into the WQE itself. The CPU then reads the data during submit,
 * before the task completes. */
static bool doca_priv_mlx5_is_inline(const struct doca_priv_mlx5_queue *q,
                                     const struct doca_priv_mlx5_copy *copy)
{
    return copy->bytes <= q->max_inline && copy->is_cpu_readable;
}

/* Return the number by which a WQE for this copy increases sq_pi: the number of its basic blocks,
 * or 1 with VERBS. */
static uint32_t doca_priv_mlx5_num_blocks(const struct doca_priv_mlx5_queue *q,
                                          const struct doca_priv_mlx5_copy *copy)
{
    return q->engine != DOCA_CORE_MLX5_ENGINE_RC || doca_priv_mlx5_is_inline(q, copy)
               ? 1
               : (2 + copy->num + 3) / 4;
}

/* Post a WQE through verbs. Return 0 or an errno. */
static int doca_priv_mlx5_send_wr(struct doca_priv_mlx5_queue *q, struct doca_priv_mlx5_copy *copy)
{
    struct ibv_send_wr wr;

    memset(&wr, 0, sizeof(wr));
    wr.wr_id = q->sq_pi & 0xffff;
    wr.sg_list = copy->from;
    wr.num_sge = (int)copy->num;
    wr.opcode = IBV_WR_RDMA_WRITE;
    /* Every WQE asks for a completion: otherwise a task whose later WQEs are refused might wait
     * forever. */
    wr.send_flags = IBV_SEND_SIGNALED;
    if (doca_priv_mlx5_is_inline(q, copy))
        wr.send_flags |= IBV_SEND_INLINE;
    wr.wr.rdma.remote_addr = copy->to;
    wr.wr.rdma.rkey = copy->to_key;
    return doca_priv_mlx5.sys->post_send(q->qp, &wr);
}

/* Write a WQE into the ring. Return the number of its basic blocks. */
static uint32_t doca_priv_mlx5_fill_wqe(struct doca_priv_mlx5_queue *q,
                                        const struct doca_priv_mlx5_copy *copy, bool is_signaled)
{
    unsigned char *wqe = q->sq + (size_t)(q->sq_pi & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB;
    unsigned char data[DOCA_PRIV_MLX5_INLINE_BYTES];
    struct doca_priv_mlx5_piece piece;
    size_t num = 0;
    uint32_t i;

    piece.from = copy->from[0].addr;
    piece.from_key = copy->from[0].lkey;
    piece.to = copy->to;
    piece.to_key = copy->to_key;
    piece.bytes = copy->bytes;
    if (q->engine == DOCA_CORE_MLX5_ENGINE_MMO) {
        (void)doca_priv_mlx5_pack_mmo(wqe, &q->model, q->sq_pi, &piece);
    } else if (doca_priv_mlx5_is_inline(q, copy)) {
        for (i = 0; i < copy->num; num += copy->from[i++].length)
            memcpy(data + num, (const void *)(uintptr_t)copy->from[i].addr, copy->from[i].length);
        piece.from = (uintptr_t)data;
        (void)doca_priv_mlx5_pack_inline(wqe, &q->model, q->sq_pi, &piece);
    } else {
        doca_priv_mlx5_pack_gather(q->sq, q->sq_mask, &q->model, q->sq_pi, copy);
    }
    if (!is_signaled)
        doca_priv_mlx5_unsignal(wqe);
    return doca_priv_mlx5_num_blocks(q, copy);
}

/* Post one WQE. With VERBS the device starts it at once; with MMO and RC the device starts it after
 * the next doorbell. Return 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_mlx5_post_wqe(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_copy *copy, bool is_signaled)
{
    int error;

    if (q->engine != DOCA_CORE_MLX5_ENGINE_VERBS) {
        q->sq_pi += doca_priv_mlx5_fill_wqe(q, copy, is_signaled);
        return 0;
    }
    error = doca_priv_mlx5_send_wr(q, copy);
    if (error == 0)
        q->sq_pi_rung = ++q->sq_pi;
    return error;
}

/* Ring the doorbell for all WQEs that are posted. `first`: the first 8 bytes of the last WQE, the
 * value for the doorbell register. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_doorbell(struct doca_priv_mlx5_queue *q, uint64_t first)
{
    doca_priv_mlx5_ring_doorbell(q->sq_dbrec, q->uar, q->sq_pi, first);
#if DOCA_CORE_TRACE
    doca_core_backend_trace_doorbell(q, q->sq_pi - q->sq_pi_rung);
#endif
    q->sq_pi_rung = q->sq_pi;
}

/* Ring the doorbell for all WQEs that are posted. `last`: index of the last WQE. */
DOCA_PRIV_DECL void doca_priv_mlx5_ring_wqe(struct doca_priv_mlx5_queue *q, uint32_t last)
{
    uint64_t first;

    memcpy(&first, q->sq + (size_t)(last & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB, sizeof(first));
    doca_priv_mlx5_doorbell(q, first);
}

/* Return the slot of the oldest waiting task, or the next free slot when no task waits. */
DOCA_PRIV_DECL struct doca_priv_mlx5_slot *
doca_priv_mlx5_oldest_waiting(const struct doca_priv_mlx5_queue *q)
{
    size_t newer = (size_t)(q->next - q->slots);

    return q->num_waiting <= newer ? q->next - q->num_waiting : q->end - (q->num_waiting - newer);
}

/* Ring the doorbell if WQEs were posted since the last doorbell. The last WQE belongs to the newest
 * posted task. The function does not find such a task if the device has completed the WQEs before
 * their doorbell. Real devices do not do this; the next doorbell then covers these WQEs. */
DOCA_PRIV_DECL void doca_priv_mlx5_ring(struct doca_priv_mlx5_queue *q)
{
    const struct doca_priv_mlx5_slot *first = doca_priv_mlx5_oldest_waiting(q), *slot = first;

    if (q->sq_pi_rung == q->sq_pi)
        return;
    do
        slot = (slot != q->slots ? slot : q->end) - 1;
    while (slot->kind != DOCA_PRIV_MLX5_POSTED && slot != first);
    if (slot->kind == DOCA_PRIV_MLX5_POSTED)
        doca_priv_mlx5_ring_wqe(q, slot->last);
}

/* True when source and destination are single buffers that share bytes. Addresses of different
 * mmaps can be compared only if the CPU can access both. */
static bool doca_priv_mlx5_overlaps(const struct doca_dma_task_memcpy *t)
{
    uintptr_t from = (uintptr_t)t->src->data, to = (uintptr_t)t->dst->data + t->dst->data_len;

    return from < to + t->src->data_len && to < from + t->src->data_len && t->src->next == NULL &&
           t->dst->next == NULL &&
           (t->src->mmap == t->dst->mmap ||
            (doca_priv_mlx5_is_local(t->src) && doca_priv_mlx5_is_local(t->dst)));
}

/* Mark a task as refused. It fails with the reason `item` after all earlier tasks have completed,
 * and no later task starts. */
DOCA_PRIV_DECL void doca_priv_mlx5_refuse(struct doca_priv_mlx5_queue *q,
                                          struct doca_priv_mlx5_slot *slot,
                                          enum doca_core_item item)
{
    slot->kind = DOCA_PRIV_MLX5_REFUSED;
    slot->last = (uint32_t)item;
    q->is_broken = true;
}

/* Move both queue pairs to `state`. If the peer did not move, it could write data that it received
 * earlier, after the main queue pair has completed the WQE. Returns false when the main queue pair
 * did not move. */
DOCA_PRIV_DECL bool doca_priv_mlx5_set_qp_state(const struct doca_priv_mlx5_queue *q,
                                                enum ibv_qp_state state)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct ibv_qp_attr attr;
    bool has_moved;

    memset(&attr, 0, sizeof(attr));
    attr.qp_state = state;
    has_moved = sys->modify_qp(q->qp, &attr, IBV_QP_STATE) == 0;
    if (q->peer != NULL)
        (void)sys->modify_qp(q->peer, &attr, IBV_QP_STATE);
    return has_moved;
}

/* Move the queue pairs to the error state, so that the device flushes their WQEs. Returns false
 * when no WQEs are in flight, or when the move failed. */
DOCA_PRIV_DECL bool doca_priv_mlx5_enter_error(const struct doca_priv_mlx5_queue *q)
{
    return q->sq_pi != q->sq_ci && !q->is_reset && doca_priv_mlx5_set_qp_state(q, IBV_QPS_ERR);
}

/* Handle a WQE that ibv_post_send() refused with `error`. If earlier WQEs of the same task are
 * posted, the task fails once they have completed; otherwise it is refused as a whole. */
DOCA_PRIV_DECL void doca_priv_mlx5_fail_post(struct doca_priv_mlx5_queue *q,
                                             struct doca_priv_mlx5_slot *slot, int error)
{
    slot->vendor = (uint8_t)error;
    if (slot->kind == DOCA_PRIV_MLX5_POSTED) {
        slot->syndrome = DOCA_PRIV_MLX5_SYNDROME_CALL;
        q->is_broken = true;
        (void)doca_priv_mlx5_enter_error(q);
    } else {
        doca_priv_mlx5_refuse(q, slot, DOCA_CORE_ITEM_MLX5_CALL);
    }
}

/* Post the WQEs of a valid task. Returns false when the send queue has too little room at the
 * moment. */
static bool doca_priv_mlx5_post_task(struct doca_priv_mlx5_queue *q,
                                     struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    uint32_t room = q->max_wqes - (q->sq_pi - q->sq_ci), num = 0, begin;
    struct doca_priv_mlx5_copy copy;
    struct doca_priv_mlx5_walk walk;
    int error;

    doca_priv_mlx5_walk_begin(&walk, t);
    slot->bytes = walk.left;
    slot->to = t->dst->data + t->dst->data_len;
    if (doca_unlikely(t->src->next != NULL || t->dst->next != NULL)) {
        while (doca_priv_mlx5_walk_wqe(&walk, q, &copy))
            num += doca_priv_mlx5_num_blocks(q, &copy);
        doca_priv_mlx5_walk_begin(&walk, t);
    }
    if (doca_unlikely(room < num || room == 0))
        return false;
    while (doca_priv_mlx5_walk_wqe(&walk, q, &copy)) {
        begin = q->sq_pi;
        error = doca_priv_mlx5_post_wqe(q, &copy, walk.left == 0);
        if (doca_unlikely(error != 0)) {
            doca_priv_mlx5_fail_post(q, slot, error);
            return true;
        }
        slot->last = begin;
        slot->blocks = (uint8_t)(q->sq_pi - begin);
        slot->kind = DOCA_PRIV_MLX5_POSTED;
    }
    return true;
}

/* Start the oldest waiting task: post it, refuse it, or leave it to the CPU. Returns false when the
 * send queue has too little room at the moment. */
DOCA_PRIV_DECL bool doca_priv_mlx5_start(struct doca_priv_mlx5_queue *q,
                                         struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (doca_unlikely(!doca_priv_mlx5_is_simple_task(q, t)) &&
        doca_core_dma_task_inspect(t, &item) != DOCA_SUCCESS) {
        doca_priv_mlx5_refuse(q, slot, item);
    } else if (doca_unlikely(doca_priv_mlx5_is_fatal(q->dev))) {
        doca_priv_mlx5_refuse(q, slot, DOCA_CORE_ITEM_MLX5_FATAL);
    } else if (doca_unlikely(doca_priv_mlx5_overlaps(t))) {
        if (!doca_priv_mlx5_is_local(t->dst))
            doca_priv_mlx5_refuse(q, slot, DOCA_CORE_ITEM_MLX5_OVERLAP);
        else
            slot->kind = DOCA_PRIV_MLX5_BY_CPU;
        slot->bytes = t->src->data_len;
        slot->to = t->dst->data + t->dst->data_len;
    } else if (!doca_priv_mlx5_post_task(q, slot)) {
        return false;
    }
    q->num_waiting--;
    return true;
}

/* Compute `fast_buf`: the kind and flags of the buffers that the fast path accepts. The value 0
 * turns the fast path off. It is off while the queue is broken, and while tasks wait, because later
 * tasks must wait behind them. It is always off on a device that has no bit in the flags of
 * buffers; only the first DOCA_PRIV_BUF_DEVS devices have a bit. */
DOCA_PRIV_DECL void doca_priv_mlx5_set_fast_path(struct doca_priv_mlx5_queue *q)
{
    uint8_t begin[2] = { DOCA_PRIV_BUF_KIND, DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_WRITE };
    uint64_t bit = q->queue.dev->bit;
    unsigned place = bit != 0 ? (unsigned)__builtin_ctzll(bit) : DOCA_PRIV_BUF_DEVS;

    q->fast_buf = 0;
    begin[1] = (uint8_t)(begin[1] + (place + 1) * DOCA_PRIV_BUF_DEV);
    if (place < DOCA_PRIV_BUF_DEVS && q->num_waiting == 0 && !q->is_broken)
        memcpy(&q->fast_buf, begin, sizeof(q->fast_buf));
}

/* Post any task, with any engine. */
DOCA_PRIV_MLX5_NOINLINE doca_error_t doca_priv_mlx5_post(struct doca_core_queue *queue,
                                                         struct doca_task *task)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_slot *slot;

    /* This queue does not defer tasks: a deferred task that is refused here could complete before
     * the core calls queue_ring(). */
    if (task->more == DOCA_CORE_MORE_LATER)
        return DOCA_ERROR_AGAIN;
    if (doca_unlikely(t->src == NULL || t->dst == NULL)) {
        doca_priv_mlx5_ring(q);
        return DOCA_ERROR_INVALID_VALUE;
    }
    slot = doca_priv_mlx5_slot_add(q, task, DOCA_PRIV_MLX5_WAITING);
    if (++q->num_waiting == 1 && doca_likely(!q->is_broken))
        (void)doca_priv_mlx5_start(q, slot);
    doca_priv_mlx5_set_fast_path(q);
    if (task->more == DOCA_CORE_MORE_NONE)
        doca_priv_mlx5_ring(q);
    return DOCA_SUCCESS;
}

/* True when a task is fast: both buffers are live, single and registered on this device only, no
 * threads share their mmaps, the destination is writable, and the send queue has room for one WQE.
 * The flag WRITE is added to the source's flags before the comparison, as the source may be
 * read-only. */
DOCA_PRIV_MLX5_HOT bool doca_priv_mlx5_is_fast(const struct doca_priv_mlx5_queue *q,
                                               const struct doca_dma_task_memcpy *t)
{
    return doca_likely(t->src != NULL && t->dst != NULL && q->sq_pi - q->sq_ci < q->max_wqes &&
                       doca_priv_mlx5_buf_bytes(t->src, DOCA_PRIV_BUF_WRITE) == q->fast_buf &&
                       doca_priv_mlx5_buf_bytes(t->dst, 0) == q->fast_buf);
}

/* Second test of the fast path, for a task that passed doca_priv_mlx5_is_fast(): the copy is
 * longer than `least` and at most `least` + `most` bytes long, fits the destination, and its source
 * and destination do not overlap. If so, describe it in *piece. The `- 1` turns every length up to
 * `least` into a huge number: a single comparison checks both limits. The additions cannot
 * overflow, because buffers of the fast path never end at the top of the address space. */
DOCA_PRIV_MLX5_HOT bool doca_priv_mlx5_describe_fast(const struct doca_dma_task_memcpy *t,
                                                     uint64_t least, uint64_t most,
                                                     struct doca_priv_mlx5_piece *piece)
{
    const struct doca_buf *src = t->src, *dst = t->dst;

    piece->bytes = src->data_len;
    piece->from = (uintptr_t)src->data;
    piece->to = (uintptr_t)dst->data + dst->data_len;
    if (doca_unlikely(piece->bytes - least - 1 >= most ||
                      piece->to + piece->bytes > (uintptr_t)dst->end ||
                      piece->to - piece->from + piece->bytes - 1 < 2 * piece->bytes - 1))
        return false;
    piece->from_key = src->mmap->devs->mkey;
    piece->to_key = dst->mmap->devs->internal_mkey;
    return true;
}

enum doca_priv_mlx5_form { DOCA_PRIV_MLX5_MMO, DOCA_PRIV_MLX5_WRITE, DOCA_PRIV_MLX5_SHORT };

static doca_error_t doca_priv_mlx5_post_short(struct doca_core_queue *queue,
                                              struct doca_task *task);

/* Post a fast task if it passes doca_priv_mlx5_describe_fast(); else pass it on to a slower
 * function. */
/* analyzer: misc-no-recursion: WRITE calls SHORT, and SHORT does not call this function again */
DOCA_PRIV_MLX5_HOT doca_error_t doca_priv_mlx5_post_form(struct doca_core_queue *queue,
                                                         struct doca_task *task,
                                                         enum doca_priv_mlx5_form form)
{
    const uint64_t least = form == DOCA_PRIV_MLX5_WRITE ? DOCA_CORE_MLX5_MAX_INLINE : 0;
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    const uint64_t most = form == DOCA_PRIV_MLX5_SHORT ? DOCA_CORE_MLX5_MAX_INLINE : q->max_fast;
    struct doca_priv_mlx5_piece piece;
    struct doca_priv_mlx5_slot *slot;
    unsigned char *wqe;
    uint64_t first;

    if (!doca_priv_mlx5_describe_fast(t, least, most, &piece))
        return form == DOCA_PRIV_MLX5_WRITE ? doca_priv_mlx5_post_short(queue, task)
                                            : doca_priv_mlx5_post(queue, task);
    wqe = q->sq + (size_t)(q->sq_pi & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB;
    if (form == DOCA_PRIV_MLX5_MMO)
        first = doca_priv_mlx5_pack_mmo(wqe, &q->model, q->sq_pi, &piece);
    else if (form == DOCA_PRIV_MLX5_SHORT && doca_likely(doca_priv_mlx5_is_local(t->src)))
        first = doca_priv_mlx5_pack_inline(wqe, &q->model, q->sq_pi, &piece);
    else
        first = doca_priv_mlx5_pack_write(wqe, &q->model, q->sq_pi, &piece);
    slot = doca_priv_mlx5_slot_add(q, task, DOCA_PRIV_MLX5_POSTED);
    slot->to = (unsigned char *)(uintptr_t)piece.to;
    slot->bytes = piece.bytes;
    slot->last = q->sq_pi++;
    if (task->more == DOCA_CORE_MORE_NONE)
        doca_priv_mlx5_doorbell(q, first);
    return DOCA_SUCCESS;
}

/* Post a task on the fast path if it is fast, else through doca_priv_mlx5_post(). A failure of the
 * device is not checked here; polling detects it. */
DOCA_PRIV_MLX5_HOT doca_error_t doca_priv_mlx5_post_fast(struct doca_core_queue *queue,
                                                         struct doca_task *task,
                                                         enum doca_priv_mlx5_form form)
{
    return doca_priv_mlx5_is_fast(doca_priv_mlx5_queue_of(queue),
                                  (const struct doca_dma_task_memcpy *)(const void *)task)
               ? doca_priv_mlx5_post_form(queue, task, form)
               : doca_priv_mlx5_post(queue, task);
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_post_mmo(struct doca_core_queue *queue,
                                                    struct doca_task *task)
{
    return doca_priv_mlx5_post_fast(queue, task, DOCA_PRIV_MLX5_MMO);
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_post_rc(struct doca_core_queue *queue,
                                                   struct doca_task *task)
{
    return doca_priv_mlx5_post_fast(queue, task, DOCA_PRIV_MLX5_WRITE);
}

/* Post a fast task that does not pass the test of the form WRITE, usually because it is short. If
 * the CPU can read the bytes of a short task, they are placed in the WQE. */
/* analyzer: misc-no-recursion: a task of the form SHORT is not posted from here again */
DOCA_PRIV_MLX5_NOINLINE doca_error_t doca_priv_mlx5_post_short(struct doca_core_queue *queue,
                                                               struct doca_task *task)
{
    return doca_priv_mlx5_post_form(queue, task, DOCA_PRIV_MLX5_SHORT);
}

/* ---- >>impl.rdma.rings_post -----------------------------------------------------------------
 * Writes the requests of tasks into the rings of an mlx5 device. The WQE of a simple task is
 * written in place. A task is simple if its only local buffer belongs to an mmap with this device
 * alone, and if its WQE cannot reach the end of the ring. Requests of other tasks are first
 * described as for libibverbs; their WQEs are written to the stack and then copied. An instance
 * with rings has room for the requests of all tasks that it accepts.                            */
#include "compat/rdma/rings_priv.h"

#include "mlx5/order_priv.h"
#include "mlx5/wqe_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "device/backend.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "progress/task.h"
#include "compat/rdma/config.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/queue_priv.h"
#include "compat/rdma/verbs_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS

/* Bytes of the longest WQE: with a list of maximal length, or with data inside. */
#define DOCA_PRIV_RDMA_WQE_BYTES                                                                   \
    ((2 + DOCA_CORE_RDMA_MAX_SEND_LIST) * DOCA_PRIV_MLX5_SEG_BYTES + 2 * DOCA_PRIV_RDMA_INLINE)

/* Write the control segment, with `ds` segments in the WQE. Returns its first 8 bytes, the value
 * for the doorbell register. Every request asks for a completion. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_rdma_rings_control(const struct doca_priv_rdma_sq *sq,
                                                         unsigned char *wqe, uint32_t opcode,
                                                         uint32_t ds, uint32_t imm)
{
    const uint64_t first = DOCA_PRIV_MLX5_BE64((uint64_t)(sq->pi & 0xffff) << 40 |
                                               (uint64_t)opcode << 32 | sq->qpn << 8 | ds);

    doca_priv_mlx5_put64(wqe, first);
    doca_priv_mlx5_put32(wqe + 8, DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_CE_ALWAYS));
    doca_priv_mlx5_put32(wqe + 12, imm);
    return first;
}

DOCA_PRIV_MLX5_HOT void doca_priv_rdma_rings_remote(unsigned char *seg, uint64_t addr,
                                                    uint32_t rkey)
{
    doca_priv_mlx5_put64(seg, DOCA_PRIV_MLX5_BE64(addr));
    doca_priv_mlx5_put64(seg + 8, DOCA_PRIV_MLX5_BE64((uint64_t)rkey << 32));
}

/* Tell the device of a new WQE with `ds` segments. */
DOCA_PRIV_MLX5_HOT void doca_priv_rdma_rings_ring(struct doca_priv_rdma_sq *sq, uint32_t ds,
                                                  uint64_t first)
{
    sq->pi += (ds + 3) / 4;
    doca_priv_mlx5_ring_doorbell(sq->dbrec, sq->uar, sq->pi, first);
}

/* ---- any request ---- */

/* Return the opcode of the device. */
static uint32_t doca_priv_rdma_rings_opcode(enum ibv_wr_opcode opcode)
{
    switch (opcode) {
    case IBV_WR_RDMA_WRITE:
        return DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE;
    case IBV_WR_RDMA_WRITE_WITH_IMM:
        return DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE_IMM;
    case IBV_WR_RDMA_READ:
        return DOCA_PRIV_MLX5_OPCODE_RDMA_READ;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
        return DOCA_PRIV_MLX5_OPCODE_ATOMIC_CS;
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
        return DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA;
    case IBV_WR_SEND_WITH_IMM:
        return DOCA_PRIV_MLX5_OPCODE_SEND_IMM;
    default:
        return DOCA_PRIV_MLX5_OPCODE_SEND;
    }
}

/* Write the data of a request, at segment `ds`: pointers to it, or the data itself. Returns the
 * number of the segment after it. */
static uint32_t doca_priv_rdma_rings_data(unsigned char *wqe, uint32_t ds,
                                          const struct ibv_send_wr *wr)
{
    unsigned char *at = wqe + (size_t)ds * DOCA_PRIV_MLX5_SEG_BYTES;
    uint32_t len = 0;
    int i;

    if ((wr->send_flags & IBV_SEND_INLINE) == 0) {
        for (i = 0; i < wr->num_sge; i++)
            doca_priv_mlx5_put_data(at + (size_t)i * DOCA_PRIV_MLX5_SEG_BYTES,
                                    doca_priv_mlx5_byte_count(wr->sg_list[i].length),
                                    wr->sg_list[i].lkey, wr->sg_list[i].addr);
        return ds + (uint32_t)wr->num_sge;
    }
    for (i = 0; i < wr->num_sge; i++) {
        DOCA_CORE_MEMCPY(at + 4 + len, (const void *)(uintptr_t)wr->sg_list[i].addr,
                         wr->sg_list[i].length);
        len += wr->sg_list[i].length;
    }
    doca_priv_mlx5_put32(at, DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_INLINE | len));
    DOCA_CORE_MEMSET(at + 4 + len, 0, DOCA_PRIV_MLX5_SEG_BYTES);
    return ds + (len + 19) / DOCA_PRIV_MLX5_SEG_BYTES;
}

/* Post a request to the send queue of a connection. The send queue must have room. */
DOCA_PRIV_DECL void doca_priv_rdma_rings_send(struct doca_rdma_connection *connection,
                                              const struct ibv_send_wr *wr)
{
    const uint32_t opcode = doca_priv_rdma_rings_opcode(wr->opcode);
    struct doca_priv_rdma_sq *sq = &connection->sq;
    const uint32_t start = sq->pi & sq->mask;
    unsigned char wqe[DOCA_PRIV_RDMA_WQE_BYTES];
    size_t bytes, before_end;
    uint64_t first;
    uint32_t ds = 1;

    if (opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_CS || opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA) {
        const bool is_swap = opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_CS;

        doca_priv_rdma_rings_remote(wqe + 16, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey);
        doca_priv_mlx5_put64(wqe + 32, DOCA_PRIV_MLX5_BE64(is_swap ? wr->wr.atomic.swap
                                                                   : wr->wr.atomic.compare_add));
        doca_priv_mlx5_put64(wqe + 40,
                             DOCA_PRIV_MLX5_BE64(is_swap ? wr->wr.atomic.compare_add : 0));
        ds = 3;
    } else if (opcode != DOCA_PRIV_MLX5_OPCODE_SEND && opcode != DOCA_PRIV_MLX5_OPCODE_SEND_IMM) {
        doca_priv_rdma_rings_remote(wqe + 16, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey);
        ds = 2;
    }
    ds = doca_priv_rdma_rings_data(wqe, ds, wr);
    /* the tasks of requests without immediate data have a 0 */
    first = doca_priv_rdma_rings_control(sq, wqe, opcode, ds, wr->imm_data);
    bytes = (size_t)ds * DOCA_PRIV_MLX5_SEG_BYTES;
    before_end = (size_t)(sq->mask + 1 - start) * DOCA_PRIV_MLX5_WQEBB;
    if (before_end > bytes)
        before_end = bytes;
    DOCA_CORE_MEMCPY(sq->ring + (size_t)start * DOCA_PRIV_MLX5_WQEBB, wqe, before_end);
    DOCA_CORE_MEMCPY(sq->ring, wqe + before_end, bytes - before_end);
    doca_priv_rdma_rings_ring(sq, ds, first);
}

/* Post the request of a receive task to the shared receive queue. The task remembers the index of
 * its WQE. Returns false when the queue is full. */
DOCA_PRIV_DECL bool doca_priv_rdma_rings_receive(struct doca_rdma *r,
                                                 struct doca_priv_rdma_task *op,
                                                 const struct ibv_sge *sges, int num)
{
    struct doca_priv_rdma_rings *rings = &r->rings;
    unsigned char *wqe = rings->srq + (size_t)rings->srq_head * rings->srq_bytes;
    unsigned char *seg = wqe + DOCA_PRIV_MLX5_SEG_BYTES;
    uint16_t next;
    int i;

    if (rings->srq_head == rings->srq_tail)
        return false;
    DOCA_CORE_MEMCPY(&next, wqe + DOCA_PRIV_MLX5_SRQ_NEXT, sizeof(next));
    for (i = 0; i < num; i++, seg += DOCA_PRIV_MLX5_SEG_BYTES)
        doca_priv_mlx5_put_data(seg, doca_priv_mlx5_byte_count(sges[i].length), sges[i].lkey,
                                sges[i].addr);
    if (seg != wqe + rings->srq_bytes) /* end the list of segments */
        doca_priv_mlx5_put_data(seg, 0, DOCA_PRIV_MLX5_INVALID_LKEY, 0);
    op->ticket = rings->srq_head;
    rings->srq_head = DOCA_PRIV_MLX5_BE16(next);
    rings->srq_posted++;
    doca_priv_mlx5_wqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(rings->srq_dbrec, rings->srq_posted & 0xffff);
    return true;
}

/* ---- simple tasks ---- */

/* The request of a simple task. Messages have no remote buffer. */
struct doca_priv_rdma_simple {
    const unsigned char *local;
    uint64_t remote;
    uint32_t opcode;
    uint32_t len;
    uint32_t lkey;
    bool is_inline;
};

/* True when the task may be simple: it sends, reads or writes, its connection is up and has room,
 * and its local buffer is a single buffer of an mmap that has only this device. */
DOCA_PRIV_MLX5_HOT bool doca_priv_rdma_rings_may_be_simple(const struct doca_rdma *r,
                                                           const struct doca_priv_rdma_task *op)
{
    const struct doca_rdma_connection *c = op->connection;
    const uint8_t any = (uint8_t)(0xff & ~DOCA_PRIV_BUF_WRITE);

    return DOCA_CORE_CHECK < 2 &&
           doca_likely((uint32_t)op->task.type - DOCA_PRIV_RDMA_SEND <=
                       DOCA_PRIV_RDMA_WRITE_IMM - DOCA_PRIV_RDMA_SEND) &&
           doca_likely(doca_priv_is_in(c, DOCA_PRIV_KIND_RDMA_CONNECTION, DOCA_PRIV_RDMA_UP)) &&
           doca_likely(c->rdma == r && c->serial == op->serial &&
                       c->num_ops != r->send_queue_size && op->local != NULL &&
                       doca_priv_buf_word(op->local, any, 0) == r->rings.simple_buf);
}

/* True when the remote buffer of the task is memory that the device reaches. */
DOCA_PRIV_MLX5_HOT bool doca_priv_rdma_rings_is_remote(const struct doca_rdma *r,
                                                       const struct doca_buf *buf)
{
    return doca_likely(buf != NULL && buf->kind == DOCA_PRIV_KIND_BUF && buf->flags != 0 &&
                       buf->mmap->remote_key != 0 && buf->mmap->devs->dev == r->ctx.dev);
}

/* Write to *s the request of a task for which doca_priv_rdma_rings_may_be_simple() is true. Returns
 * false when the task is not simple: the full check then decides whether the task is valid. */
DOCA_PRIV_MLX5_HOT bool doca_priv_rdma_rings_describe(const struct doca_rdma *r,
                                                      const struct doca_priv_rdma_task *op,
                                                      struct doca_priv_rdma_simple *s)
{
    static const uint8_t opcodes[] = {
        DOCA_PRIV_MLX5_OPCODE_SEND, DOCA_PRIV_MLX5_OPCODE_SEND_IMM,
        DOCA_PRIV_MLX5_OPCODE_RDMA_READ, DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE,
        DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE_IMM,
    };
    const struct doca_buf *local = op->local, *remote = op->remote;
    const bool is_read = op->task.type == DOCA_PRIV_RDMA_READ;
    const bool is_message = op->task.type < DOCA_PRIV_RDMA_READ;
    const struct doca_mmap *mmap = local->mmap;
    size_t len = local->data_len;

    s->remote = 0;
    s->opcode = opcodes[op->task.type - DOCA_PRIV_RDMA_SEND];
    s->local = local->data;
    if (!is_message) {
        if (!doca_priv_rdma_rings_is_remote(r, remote))
            return false;
        s->remote = (uintptr_t)remote->data + remote->data_len;
        if (is_read) {
            s->remote = (uintptr_t)remote->data;
            s->local += len;
            len = remote->data_len;
        }
        if (doca_unlikely(is_read ? (local->flags & DOCA_PRIV_BUF_WRITE) == 0 ||
                                        len > doca_priv_buf_tailroom(local)
                                  : len > doca_priv_buf_tailroom(remote)))
            return false;
    }
    s->len = (uint32_t)len;
    s->lkey = mmap->devs->mkey != 0 ? mmap->devs->mkey : mmap->devs->internal_mkey;
    s->is_inline = !is_read && len <= r->max_inline && !mmap->is_backend_only;
    return doca_likely(len - 1 < r->limits.message);
}

/* Copy up to DOCA_PRIV_RDMA_INLINE bytes. */
DOCA_PRIV_MLX5_HOT void doca_priv_rdma_rings_copy(unsigned char *to, const unsigned char *from,
                                                  uint32_t bytes)
{
    if (bytes <= 32) {
        doca_priv_mlx5_copy_short(to, from, bytes);
        return;
    }
    DOCA_PRIV_COPY(to, from, 32);
    DOCA_PRIV_COPY(to + bytes - 32, from + bytes - 32, 32);
}

/* Post a task. The common case is a simple task; doca_priv_rdma_verbs_post() posts any other, and
 * logs why it refuses one. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_rings_post(struct doca_core_queue *queue,
                                                      struct doca_task *task)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op = doca_priv_rdma_task_of(task);
    struct doca_rdma_connection *c = op->connection;
    struct doca_priv_rdma_simple s;
    unsigned char *wqe, *at;
    uint32_t ds = 2;

    if (!doca_priv_rdma_rings_may_be_simple(r, op) || !doca_priv_rdma_rings_describe(r, op, &s) ||
        doca_unlikely((c->sq.pi & c->sq.mask) == c->sq.mask)) /* the second block is the first */
        return doca_priv_rdma_verbs_post(queue, task);
    wqe = c->sq.ring + (size_t)(c->sq.pi & c->sq.mask) * DOCA_PRIV_MLX5_WQEBB;
    at = wqe + DOCA_PRIV_MLX5_SEG_BYTES;
    if (op->task.type >= DOCA_PRIV_RDMA_READ) {
        doca_priv_rdma_rings_remote(at, s.remote, op->remote->mmap->remote_key);
        at += DOCA_PRIV_MLX5_SEG_BYTES;
        ds = 3;
    }
    if (s.is_inline) {
        doca_priv_mlx5_put32(at, DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_INLINE | s.len));
        doca_priv_rdma_rings_copy(at + 4, s.local, s.len);
        ds += (s.len + 3) / DOCA_PRIV_MLX5_SEG_BYTES; /* beyond the first 12 bytes */
    } else {
        doca_priv_mlx5_put_data(at, doca_priv_mlx5_byte_count(s.len), s.lkey, (uintptr_t)s.local);
    }
    op->ticket = s.len;
    op->result_len = 0;
    c->num_ops++;
    doca_priv_rdma_append(&c->ops, &c->ops_last, op);
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    doca_priv_rdma_rings_ring(
        &c->sq, ds, doca_priv_rdma_rings_control(&c->sq, wqe, s.opcode, ds, op->imm));
    return DOCA_SUCCESS;
}

#endif /* DOCA_CORE_RDMA_VERBS */

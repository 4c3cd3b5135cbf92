/* ---- >>impl.rdma.rings ----------------------------------------------------------------------
 * This part finds the rings of an instance on an mlx5 device, and reads completions from them.
 * From its start to its stop, an instance uses either the rings or the calls of libibverbs, for all
 * of its queues: libmlx5 counts the requests and completions that pass through its calls, and its
 * counts would be wrong in a mixture. The following calls of libmlx5 are still made on the queues:
 *   - mlx5dv_init_obj() marks the completion queue as owned by the program. Calls that destroy or
 *     reset a queue pair then leave the ring of completions alone.
 *   - ibv_get_cq_event() reads events. ibv_req_notify_cq() would send libmlx5's count of
 *     completions to the device; therefore this part arms the queue itself.
 *   - mlx5dv_create_qp() creates the queue pairs without "scatter to CQE". With that feature, the
 *     device puts short messages into the completion, and libmlx5 copies them from there.
 * Compressed completions exist only in completion queues that were created for them. If a
 * compressed completion or a completion with data arrives nevertheless, its task ends with a
 * general error.                                                                                */
#include "compat/rdma/rings_priv.h"

#include "mlx5/order_priv.h"
#include "mlx5/wqe_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "device/backend.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "progress/task.h"
#include "compat/local/queue_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/message_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/verbs_end_priv.h"
#include "compat/rdma/verbs_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS

#define DOCA_PRIV_RDMA_CQE_FORMAT 0x0cu /* bits of op_own: data in the CQE, or compressed */
#define DOCA_PRIV_RDMA_CQE_SOLICITED 0x02u

/* ---- opening ---- */

/* True when DOCA_CORE_RDMA_ENGINE=verbs in the environment selects libibverbs for every device. */
static bool doca_priv_rdma_rings_are_off(void)
{
    const char *engine = doca_priv_sys_env("DOCA_CORE_RDMA_ENGINE");

    return engine != NULL && strcmp(engine, "verbs") == 0;
}

/* Create a protection domain whose queue pairs have a doorbell register that nothing else uses.
 * Returns false when the device has no unused register. */
static bool doca_priv_rdma_rings_make_domain(struct doca_rdma *r)
{
    struct ibv_parent_domain_init_attr attr;
    struct ibv_td_init_attr none;

    DOCA_CORE_MEMSET(&none, 0, sizeof(none));
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    r->rings.td = ibv_alloc_td(r->pd->context, &none);
    if (r->rings.td == NULL)
        return false;
    attr.pd = r->pd;
    attr.td = r->rings.td;
    r->rings.domain = ibv_alloc_parent_domain(r->pd->context, &attr);
    return r->rings.domain != NULL;
}

/* Find the shared receive queue. Its WQEs are a circular list from `head` to `tail`. */
static bool doca_priv_rdma_rings_find_srq(struct doca_rdma *r)
{
    struct mlx5dv_obj obj;
    struct mlx5dv_srq srq;

    DOCA_CORE_MEMSET(&obj, 0, sizeof(obj));
    DOCA_CORE_MEMSET(&srq, 0, sizeof(srq));
    obj.srq.in = r->srq;
    obj.srq.out = &srq;
    if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_SRQ) != 0 ||
        srq.stride < (1 + r->recv_list_len) * DOCA_PRIV_MLX5_SEG_BYTES)
        return false;
    r->rings.srq = (unsigned char *)srq.buf;
    r->rings.srq_dbrec = (uint32_t *)srq.dbrec;
    r->rings.srq_bytes = srq.stride;
    r->rings.srq_head = srq.head;
    r->rings.srq_tail = srq.tail;
    return true;
}

static bool doca_priv_rdma_rings_find_cq(struct doca_rdma *r)
{
    struct mlx5dv_obj obj;
    struct mlx5dv_cq cq;

    DOCA_CORE_MEMSET(&obj, 0, sizeof(obj));
    DOCA_CORE_MEMSET(&cq, 0, sizeof(cq));
    obj.cq.in = r->cq;
    obj.cq.out = &cq;
    if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ) != 0)
        return false;
    r->rings.cq = (unsigned char *)cq.buf + cq.cqe_size - sizeof(struct doca_priv_mlx5_cqe);
    r->rings.cqe = r->rings.cq;
    r->rings.end = r->rings.cq + (size_t)cq.cqe_cnt * cq.cqe_size;
    r->rings.cqe_bytes = cq.cqe_size;
    r->rings.cq_dbrec = (uint32_t *)cq.dbrec;
    r->rings.uar = (unsigned char *)cq.cq_uar;
    r->rings.cqn = cq.cqn;
    return true;
}

/* Return the value of `simple_buf` in struct doca_priv_rdma_rings for a device: the first word of
 * buffers of mmaps with this device alone. Returns 0 for a device that has no number in the flags
 * of buffers: only the first DOCA_PRIV_BUF_DEVS open devices have one. */
static uint32_t doca_priv_rdma_rings_simple_buf(const struct doca_dev *dev)
{
    uint32_t place = 0;

    while (place < DOCA_PRIV_BUF_DEVS && dev->bit != (uint64_t)1 << place)
        place++;
    return place == DOCA_PRIV_BUF_DEVS
               ? 0
               : doca_priv_buf_word_of(
                     DOCA_PRIV_KIND_BUF,
                     (uint8_t)(DOCA_PRIV_BUF_OUT + (place + 1) * DOCA_PRIV_BUF_DEV), 0);
}

/* Decide whether an instance with new queues uses the rings, and find their addresses. If a step
 * fails, the instance uses the slower calls of libibverbs. The completion queue comes last,
 * because libmlx5 treats that queue differently after mlx5dv_init_obj(). */
DOCA_PRIV_DECL void doca_priv_rdma_rings_open(struct doca_rdma *r)
{
    if (!DOCA_PRIV_MLX5_HAS_DOORBELL || doca_priv_rdma_rings_are_off() ||
        !mlx5dv_is_supported(r->pd->context->device) || !doca_priv_rdma_rings_make_domain(r) ||
        !doca_priv_rdma_rings_find_srq(r) || !doca_priv_rdma_rings_find_cq(r))
        return;
    r->rings.is_own = true;
    r->rings.simple_buf = doca_priv_rdma_rings_simple_buf(r->ctx.dev);
    if (r->ctx.dev->backend != r->ctx.dev->info.backend)
        return; /* the path of simple tasks does not look at faults */
    r->queue->post = doca_priv_rdma_rings_post;
    r->queue->poll = doca_priv_rdma_rings_poll;
}

/* Release the domain, after the queue pairs in it. Returns 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_rdma_rings_close(struct doca_rdma *r)
{
    int error = 0;

    if (r->rings.domain != NULL)
        error = ibv_dealloc_pd(r->rings.domain);
    if (r->rings.td != NULL && error == 0)
        error = ibv_dealloc_td(r->rings.td);
    r->rings.domain = NULL;
    r->rings.td = NULL;
    return error;
}

/* Create a queue pair of the instance, and update attr->cap. Returns NULL with errno. */
DOCA_PRIV_DECL struct ibv_qp *doca_priv_rdma_rings_create_qp(struct doca_rdma *r,
                                                             struct ibv_qp_init_attr *attr)
{
    struct mlx5dv_qp_init_attr mlx5;
    struct ibv_qp_init_attr_ex more;
    struct ibv_qp *qp;

    if (!r->rings.is_own)
        return ibv_create_qp(r->pd, attr);
    DOCA_CORE_MEMSET(&mlx5, 0, sizeof(mlx5));
    DOCA_CORE_MEMSET(&more, 0, sizeof(more));
    more.send_cq = attr->send_cq;
    more.recv_cq = attr->recv_cq;
    more.srq = attr->srq;
    more.cap = attr->cap;
    more.qp_type = attr->qp_type;
    more.comp_mask = IBV_QP_INIT_ATTR_PD;
    more.pd = r->rings.domain;
    mlx5.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS;
    mlx5.create_flags = MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE;
    qp = mlx5dv_create_qp(r->pd->context, &more, &mlx5);
    attr->cap = more.cap;
    if (attr->cap.max_inline_data > DOCA_PRIV_RDMA_INLINE)
        attr->cap.max_inline_data = DOCA_PRIV_RDMA_INLINE;
    return qp; /* analyzer: returnDanglingLifetime: the call keeps no pointer to `more` */
}

/* Find the send queue of a new queue pair. It must hold the longest WQEs of all tasks in flight: a
 * task is refused only when there are too many tasks. Returns 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_rdma_rings_attach(struct doca_rdma_connection *connection)
{
    const struct doca_rdma *r = connection->rdma;
    const uint32_t num_segs = 2 + (r->send_list_len > 5 ? r->send_list_len : 5);
    struct doca_priv_rdma_sq *sq = &connection->sq;
    struct mlx5dv_obj obj;
    struct mlx5dv_qp qp;
    int error;

    if (!r->rings.is_own)
        return 0;
    DOCA_CORE_MEMSET(&obj, 0, sizeof(obj));
    DOCA_CORE_MEMSET(&qp, 0, sizeof(qp));
    obj.qp.in = connection->qp;
    obj.qp.out = &qp;
    error = mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP);
    if (error != 0)
        return error;
    if (qp.sq.wqe_cnt / ((num_segs + 3) / 4) < r->send_queue_size)
        return ENOSPC;
    sq->ring = (unsigned char *)qp.sq.buf;
    /* analyzer: autoVariables: dbrec points to memory that libmlx5 keeps, not into `qp` */
    sq->dbrec = (uint32_t *)&qp.dbrec[MLX5_SND_DBR];
    sq->uar = qp.bf.reg;
    sq->mask = qp.sq.wqe_cnt - 1;
    sq->pi = 0;
    sq->qpn = connection->qp->qp_num;
    return 0;
}

/* Let the device send an event for the next completion. Returns 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_rdma_rings_arm(struct doca_rdma *r)
{
    const struct doca_priv_rdma_rings *rings = &r->rings;

    if (!rings->is_own)
        return ibv_req_notify_cq(r->cq, 0);
    doca_priv_mlx5_ring_arm(rings->cq_dbrec, rings->uar, rings->cqn, rings->ci, rings->num_events);
    return 0;
}

/* ---- completions ---- */

DOCA_PRIV_MLX5_HOT uint8_t doca_priv_rdma_rings_op_own(const struct doca_priv_rdma_rings *rings)
{
    return __atomic_load_n(rings->cqe + offsetof(struct doca_priv_mlx5_cqe, op_own),
                           __ATOMIC_RELAXED);
}

/* True when the device has written the next CQE. `op_own`: a member of it. */
DOCA_PRIV_MLX5_HOT bool doca_priv_rdma_rings_is_new(const struct doca_priv_rdma_rings *rings,
                                                    uint8_t op_own)
{
    return (op_own & 1) == rings->owner && op_own >> 4 != DOCA_PRIV_MLX5_CQE_INVALID;
}

/* Return 4 bytes of a CQE, as they are there. */
DOCA_PRIV_MLX5_HOT uint32_t doca_priv_rdma_rings_field(const struct doca_priv_rdma_rings *rings,
                                                       size_t offset)
{
    uint32_t value;

    DOCA_PRIV_COPY(&value, rings->cqe + offset, sizeof(value));
    return value;
}

/* Give the CQE that has just been read back to the device. */
DOCA_PRIV_MLX5_HOT void doca_priv_rdma_rings_release(struct doca_priv_rdma_rings *rings)
{
    rings->ci++;
    doca_priv_mlx5_cqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(&rings->cq_dbrec[0], rings->ci & 0xffffff);
    rings->cqe += rings->cqe_bytes;
    if (doca_unlikely(rings->cqe == rings->end)) {
        rings->cqe = rings->cq;
        rings->owner ^= 1;
    }
}

/* Return the status of verbs for a syndrome, as libmlx5 does. */
static enum ibv_wc_status doca_priv_rdma_rings_status(uint8_t syndrome)
{
    static const struct {
        uint8_t syndrome;
        enum ibv_wc_status status;
    } rows[] = {
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH, IBV_WC_LOC_LEN_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP, IBV_WC_LOC_QP_OP_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT, IBV_WC_LOC_PROT_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH, IBV_WC_WR_FLUSH_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_MW_BIND, IBV_WC_MW_BIND_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_BAD_RESP, IBV_WC_BAD_RESP_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS, IBV_WC_LOC_ACCESS_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ, IBV_WC_REM_INV_REQ_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS, IBV_WC_REM_ACCESS_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP, IBV_WC_REM_OP_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC, IBV_WC_RETRY_EXC_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC, IBV_WC_RNR_RETRY_EXC_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED, IBV_WC_REM_ABORT_ERR },
    };
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].syndrome == syndrome)
            return rows[i].status;
    return IBV_WC_GENERAL_ERR;
}

/* Put a receive WQE behind the free ones. */
static void doca_priv_rdma_rings_free_receive(struct doca_priv_rdma_rings *rings, uint32_t index)
{
    const uint16_t next = DOCA_PRIV_MLX5_BE16(index);

    DOCA_CORE_MEMCPY(rings->srq + (size_t)rings->srq_tail * rings->srq_bytes +
                         DOCA_PRIV_MLX5_SRQ_NEXT,
                     &next, sizeof(next));
    rings->srq_tail = index;
}

/* Read the completion of a receive WQE. Returns false when the task of the WQE was flushed. */
static bool doca_priv_rdma_rings_parse_receive(struct doca_rdma *r, uint8_t opcode,
                                               struct ibv_wc *wc)
{
    struct doca_priv_rdma_rings *rings = &r->rings;
    struct doca_priv_rdma_task *op = r->receives;
    uint16_t index;

    DOCA_PRIV_COPY(&index, rings->cqe + offsetof(struct doca_priv_mlx5_cqe, wqe_counter),
                   sizeof(index));
    index = DOCA_PRIV_MLX5_BE16(index);
    doca_priv_rdma_rings_free_receive(rings, index);
    while (op != NULL && op->ticket != index)
        op = doca_priv_rdma_task_of(op->task.next);
    wc->wr_id = (uintptr_t)op;
    wc->opcode =
        opcode == DOCA_PRIV_MLX5_CQE_RESP_WRITE_IMM ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;
    wc->byte_len =
        DOCA_PRIV_MLX5_BE32(doca_priv_rdma_rings_field(rings, DOCA_PRIV_MLX5_CQE_BYTE_COUNT));
    if (opcode == DOCA_PRIV_MLX5_CQE_RESP_WRITE_IMM || opcode == DOCA_PRIV_MLX5_CQE_RESP_SEND_IMM) {
        wc->wc_flags = IBV_WC_WITH_IMM;
        wc->imm_data = doca_priv_rdma_rings_field(rings, DOCA_PRIV_MLX5_CQE_IMM);
    }
    return op != NULL;
}

/* Read the next CQE into the members of *wc that the callers use. The device must have written the
 * CQE. wr_id receives the task of a receive WQE, or 0 for a request. Returns false when no task
 * waits for the CQE. */
static bool doca_priv_rdma_rings_parse(struct doca_rdma *r, uint8_t op_own, struct ibv_wc *wc)
{
    const unsigned char *cqe = r->rings.cqe;
    const uint8_t opcode = (uint8_t)(op_own >> 4);
    const uint32_t qpn =
        doca_priv_rdma_rings_field(&r->rings, offsetof(struct doca_priv_mlx5_cqe, sop_drop_qpn));

    wc->wr_id = 0;
    wc->status = IBV_WC_SUCCESS;
    wc->wc_flags = 0;
    wc->vendor_err = 0;
    wc->qp_num = DOCA_PRIV_MLX5_BE32(qpn) & 0xffffff;
    if (opcode == DOCA_PRIV_MLX5_CQE_REQ_ERR || opcode == DOCA_PRIV_MLX5_CQE_RESP_ERR) {
        wc->status =
            doca_priv_rdma_rings_status(cqe[offsetof(struct doca_priv_mlx5_cqe, syndrome)]);
        wc->vendor_err = cqe[offsetof(struct doca_priv_mlx5_cqe, vendor_err_synd)];
    } else if ((op_own & DOCA_PRIV_RDMA_CQE_FORMAT) != 0 ||
               opcode > DOCA_PRIV_MLX5_CQE_RESP_SEND_IMM) {
        wc->status = IBV_WC_GENERAL_ERR; /* of a kind that these queues cannot have */
    }
    return opcode == DOCA_PRIV_MLX5_CQE_REQ || opcode == DOCA_PRIV_MLX5_CQE_REQ_ERR ||
           doca_priv_rdma_rings_parse_receive(r, opcode, wc);
}

/* Read up to `max` completions, like ibv_poll_cq(). */
DOCA_PRIV_DECL int doca_priv_rdma_rings_read(struct doca_rdma *r, int max, struct ibv_wc *wc)
{
    struct doca_priv_rdma_rings *rings = &r->rings;
    uint8_t op_own;
    int num = 0;

    while (num < max) {
        op_own = doca_priv_rdma_rings_op_own(rings);
        if (!doca_priv_rdma_rings_is_new(rings, op_own))
            break;
        doca_priv_mlx5_owner_before_cqe();
        num += doca_priv_rdma_rings_parse(r, op_own, &wc[num]);
        doca_priv_rdma_rings_release(rings);
    }
    return num;
}

/* Return the task of the next CQE in the common case: the device has written the CQE, the CQE
 * reports the success of a request, and the connection is that of the previous completion. Returns
 * NULL in other cases. Requests complete in order, so the task is the first one of the
 * connection. */
DOCA_PRIV_MLX5_HOT struct doca_priv_rdma_task *doca_priv_rdma_rings_next(const struct doca_rdma *r,
                                                                         uint8_t op_own)
{
    const struct doca_rdma_connection *c = r->latest;
    uint32_t qpn;

    if (doca_unlikely((op_own & ~DOCA_PRIV_RDMA_CQE_SOLICITED) !=
                          ((uint32_t)DOCA_PRIV_MLX5_CQE_REQ << 4 | r->rings.owner) ||
                      c == NULL))
        return NULL;
    doca_priv_mlx5_owner_before_cqe();
    qpn = doca_priv_rdma_rings_field(&r->rings, offsetof(struct doca_priv_mlx5_cqe, sop_drop_qpn));
    return doca_likely((DOCA_PRIV_MLX5_BE32(qpn) & 0xffffff) == c->sq.qpn) ? c->ops : NULL;
}

/* End one task, in the common case that its request has succeeded. doca_priv_rdma_verbs_take()
 * handles all other cases, but is not called when there is nothing to do. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_rings_poll(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op = NULL;
    uint8_t op_own;

    if (doca_unlikely(++r->num_polls % DOCA_PRIV_RDMA_LISTEN_POLLS == 0))
        doca_priv_rdma_verbs_attend(r);
    op_own = doca_priv_rdma_rings_op_own(&r->rings);
    if (queue->first == NULL && r->num_events == 0) /* events come first */
        op = doca_priv_rdma_rings_next(r, op_own);
    if (op == NULL)
        return queue->first == NULL && !doca_priv_rdma_rings_is_new(&r->rings, op_own) &&
                       r->num_events == 0 && r->late == NULL
                   ? NULL
                   : doca_priv_rdma_verbs_take(queue);
    doca_priv_rdma_rings_release(&r->rings);
    r->latest->ops = doca_priv_rdma_task_of(op->task.next);
    r->latest->num_ops--;
    if (doca_priv_rdma_verbs_fills(op->task.type)) {
        op->result_len = op->ticket;
        doca_priv_rdma_grow(op->local, op->ticket);
    }
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, op, 0, 0);)
    op->task.status = (uint8_t)DOCA_SUCCESS;
    op->task.next = NULL;
    return &op->task;
}

#endif /* DOCA_CORE_RDMA_VERBS */

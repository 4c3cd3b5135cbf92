/* ---- >>mlx5.queue ---------------------------------------------------------------------------
 * A queue consists of a ring of slots, a completion queue and a queue pair. With the engines RC and
 * VERBS the queue pair is connected to a second queue pair (the peer), with MMO to itself. A slot
 * holds one task, and the slots are in the order of submission. Started tasks come before waiting
 * tasks. A task waits because the send queue is full, or because the queue is broken and starts no
 * more tasks.
 * The completion queue has an entry for every WQE in flight, even for WQEs that do not ask for a
 * completion: after an error the device writes an entry for each of them.                       */
#include "mlx5/queue_priv.h"

#include "mlx5/api.h"
#include "mlx5/config.h"
#include "mlx5/device_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/layout_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/share_priv.h"
#include "mlx5/sync_priv.h"
#include "mlx5/sys.h"

DOCA_PRIV_MLX5_ASSERT(slot, sizeof(struct doca_priv_mlx5_slot) <= DOCA_PRIV_MLX5_SLOT_BYTES);

struct doca_priv_mlx5_sync;

DOCA_PRIV_MLX5_ASSERT(queue, sizeof(struct doca_priv_mlx5_queue) + DOCA_PRIV_MLX5_OPAQUE_BYTES +
                                     DOCA_PRIV_MLX5_DBRECS_BYTES <=
                                 DOCA_PRIV_MLX5_QUEUE_BYTES);

DOCA_PRIV_DECL struct doca_priv_mlx5_queue *doca_priv_mlx5_queue_of(struct doca_core_queue *queue)
{
    return (struct doca_priv_mlx5_queue *)(void *)queue;
}

/* Return the size of a queue's block: the structure, the slots and the rings. */
DOCA_PRIV_DECL size_t doca_priv_mlx5_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                                 uint32_t depth)
{
    bool has_rings = doca_priv_mlx5_dev_of(dev)->card->engine != DOCA_CORE_MLX5_ENGINE_VERBS;
    bool is_sync = engine == DOCA_CORE_ENGINE_EVENT;
    size_t num_slots = (size_t)depth + is_sync;

    return (is_sync ? DOCA_PRIV_MLX5_SYNC_BYTES : DOCA_PRIV_MLX5_QUEUE_BYTES) +
           DOCA_PRIV_MLX5_SLOTS(num_slots) + (has_rings ? DOCA_PRIV_MLX5_RINGS(num_slots) : 0);
}

/* Return the number of WQEs for a queue of `depth` tasks: enough for that many tasks with single
 * buffers, and for one task with source and destination lists of maximal length. The first number
 * is halved while the device does not support it. */
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_num_wqes(const struct doca_priv_mlx5_caps *caps,
                                                uint32_t depth)
{
    uint32_t num = (uint32_t)DOCA_PRIV_MLX5_WQES(depth);

    while (num > DOCA_PRIV_MLX5_MIN_WQES && (num > caps->max_wqes / 4 || num > caps->max_cqes))
        num /= 2;
    return num;
}

/* The allocator that libmlx5 calls for the rings and doorbell records of a queue. It returns memory
 * that the queue has reserved in its block. If a request does not fit, it tells libmlx5 to use the
 * heap. */
static void *doca_priv_mlx5_ring_alloc(struct ibv_pd *domain, void *queue, size_t bytes,
                                       size_t alignment, uint64_t type)
{
    struct doca_priv_mlx5_queue *q = (struct doca_priv_mlx5_queue *)queue;
    bool is_dbrec = type == MLX5DV_RES_TYPE_DBR;
    unsigned char *at = is_dbrec ? q->dbrec_place : q->ring_place;
    size_t room = is_dbrec ? (size_t)(q->opaque - q->dbrec_place) : q->ring_bytes;

    (void)domain;
    if (bytes > room || (alignment != 0 && (uintptr_t)at % alignment != 0)) {
        (void)doca_core_backend_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_MLX5_RING_BYTES,
                                     "doca_ctx_start", NULL, (uint32_t)bytes);
        return IBV_ALLOCATOR_USE_DEFAULT;
    }
    if (is_dbrec)
        q->dbrec_place += bytes;
    else
        q->ring_bytes = 0;  /* the reserved memory holds one ring */
    memset(at, 0, bytes);
    return at;
}

static void doca_priv_mlx5_ring_free(struct ibv_pd *domain, void *queue, void *ring, uint64_t type)
{
    (void)domain; /* the memory belongs to the block of the context */
    (void)queue;
    (void)ring;
    (void)type;
}

/* Create the parent domain through which libmlx5 places the rings in the queue's block and gives
 * the queue its own doorbell register. If this fails, the rings are on the heap and the doorbell
 * register is shared. */
DOCA_PRIV_DECL void doca_priv_mlx5_make_domain(struct doca_priv_mlx5_queue *q)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    struct ibv_parent_domain_init_attr attr;

    if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS)
        return;
    memset(&attr, 0, sizeof(attr));
    attr.pd = q->dev->pd;
    q->td = doca_priv_mlx5.sys->alloc_td(q->dev->context);
    attr.td = q->td;
    attr.comp_mask =
        IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS | IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT;
    attr.alloc = doca_priv_mlx5_ring_alloc;
    attr.free = doca_priv_mlx5_ring_free;
    attr.pd_context = q;
    errno = 0;
    q->domain = doca_priv_mlx5.sys->alloc_parent_domain(q->dev->context, &attr);
    if (q->domain != NULL)
        return;
    (void)doca_priv_mlx5_report_as(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_RINGS,
                                   "doca_ctx_start", NULL, errno, &why);
    if (q->td != NULL)
        (void)doca_priv_mlx5.sys->dealloc_td(q->td);
    q->td = NULL;
}

/* Set where libmlx5 places the next ring that it allocates: `bytes` bytes, `offset` bytes after the
 * first page boundary after the slots. */
DOCA_PRIV_DECL void doca_priv_mlx5_set_ring_place(struct doca_priv_mlx5_queue *q, size_t offset,
                                                  size_t bytes)
{
    uintptr_t rings = (uintptr_t)q->end + (DOCA_CORE_LINE - 1);

    rings = rings / DOCA_CORE_LINE * DOCA_CORE_LINE + (DOCA_CORE_MLX5_PAGE - 1);
    q->ring_place = (unsigned char *)(rings / DOCA_CORE_MLX5_PAGE * DOCA_CORE_MLX5_PAGE) + offset;
    q->ring_bytes = bytes;
}

#define DOCA_PRIV_MLX5_RC_BLOCKS 4 /* basic blocks that libmlx5 counts per WQE of an RC pair */

/* Create a queue pair. With MMO and RC this backend writes the WQEs itself, so that the attributes
 * only determine how large a ring libmlx5 allocates. */
DOCA_PRIV_DECL struct ibv_qp *doca_priv_mlx5_make_qp(struct doca_priv_mlx5_queue *q,
                                                     uint32_t num_wqes, uint32_t num_sge,
                                                     uint32_t bytes_inline)
{
    struct ibv_qp *qp;
    uint32_t blocks = q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? 1 : DOCA_PRIV_MLX5_RC_BLOCKS;
    struct ibv_qp_init_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.send_cq = q->ibv_cq;
    attr.recv_cq = q->ibv_cq;
    attr.cap.max_send_wr = (num_wqes + blocks - 1) / blocks;
    attr.cap.max_send_sge = num_sge;
    attr.cap.max_inline_data = bytes_inline;
    attr.qp_type = IBV_QPT_RC;
    errno = 0;
    qp = doca_priv_mlx5.sys->create_qp(q->domain != NULL ? q->domain : q->dev->pd, &attr);
    q->max_sge = (uint8_t)num_sge;
    q->max_inline = (uint8_t)(attr.cap.max_inline_data < bytes_inline ? attr.cap.max_inline_data
                                                                      : bytes_inline);
    return qp; /* analyzer: returnDanglingLifetime: create_qp() keeps no pointer to `attr` */
}

/* Create the queue pair that WQEs are posted to. With VERBS, search for the largest number of
 * sources and inline bytes that the device accepts together: it reports a limit for each of them
 * alone, but may refuse a queue pair that uses both. */
DOCA_PRIV_DECL struct ibv_qp *doca_priv_mlx5_make_main_qp(struct doca_priv_mlx5_queue *q,
                                                          uint32_t num_wqes)
{
    const uint32_t max = q->dev->card->caps.max_sge;
    uint32_t num = max == 0 ? 1 : max < DOCA_PRIV_MLX5_MAX_SGE ? max : DOCA_PRIV_MLX5_MAX_SGE;
    struct ibv_qp *qp = NULL;

    if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS && q->sync != NULL)
        return doca_priv_mlx5_make_qp(q, num_wqes, 1, sizeof(uint64_t));
    if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS) {
        for (; qp == NULL && num > 0; num /= 2) {
            qp = doca_priv_mlx5_make_qp(q, num_wqes, num, DOCA_CORE_MLX5_MAX_INLINE);
            if (qp == NULL)
                qp = doca_priv_mlx5_make_qp(q, num_wqes, num, 0);
        }
        return qp;
    }
    qp = doca_priv_mlx5_make_qp(q, num_wqes, 1, 0);
    if (q->engine == DOCA_CORE_MLX5_ENGINE_RC) {
        q->max_sge = (uint8_t)num;
        q->max_inline = DOCA_CORE_MLX5_MAX_INLINE;
    }
    return qp;
}

/* Enable DMA on a queue pair: set its MMO bit. This takes a firmware command, because verbs have no
 * call for it. */
static int doca_priv_mlx5_enable_mmo(struct ibv_qp *qp, struct doca_core_refusal *why)
{
    uint8_t in[DOCA_PRIV_MLX5_QP_IN_BYTES], out[DOCA_PRIV_MLX5_QP_OUT_BYTES];
    int error;

    memset(in, 0, sizeof(in));
    memset(out, 0, sizeof(out));
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_INIT2INIT_QP);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_QPC_EXT, 1, 1);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_QPN, 24, qp->qp_num);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_OPT_MASK_63_32, 32, DOCA_PRIV_MLX5_QP_OPT_MMO);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_EXT_MMO, 1, 1);
    why->step = DOCA_PRIV_MLX5_TEXT("set the MMO bit of a queue pair (INIT2INIT_QP)");
    error = doca_priv_mlx5.sys->devx_qp_modify(qp, in, sizeof(in), out, sizeof(out));
    if (error != 0)
        (void)doca_priv_mlx5_get_status(out, why);
    return error;
}

/* Move a queue pair to the state RTS, connected to the queue pair `dest_qpn` on the port that
 * `caps` describes. `dest_qpn` may be the number of the queue pair itself. Return 0, or the errno
 * of the step that failed; *why then names the step. */
DOCA_PRIV_DECL int doca_priv_mlx5_connect(const struct doca_priv_mlx5_queue *q,
                                          const struct doca_priv_mlx5_caps *caps, struct ibv_qp *qp,
                                          uint32_t dest_qpn, unsigned access,
                                          struct doca_core_refusal *why)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct ibv_qp_attr attr;
    int error;

    memset(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = DOCA_PRIV_MLX5_PORT;
    attr.qp_access_flags = access;
    why->step = DOCA_PRIV_MLX5_TEXT("move a queue pair from RESET to INIT");
    error = sys->modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                          IBV_QP_ACCESS_FLAGS);
    if (error == 0 && q->engine == DOCA_CORE_MLX5_ENGINE_MMO && caps->has_mmo_bit)
        error = doca_priv_mlx5_enable_mmo(qp, why);
    if (error != 0)
        return error;
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = (enum ibv_mtu)caps->active_mtu;
    attr.dest_qp_num = dest_qpn;
    attr.max_dest_rd_atomic = 1;
    attr.min_rnr_timer = 12;
    attr.ah_attr.dlid = caps->lid;
    attr.ah_attr.port_num = DOCA_PRIV_MLX5_PORT;
    attr.ah_attr.is_global = caps->is_ethernet;
    if (caps->is_ethernet) {
        memcpy(attr.ah_attr.grh.dgid.raw, caps->gid, sizeof(caps->gid));
        attr.ah_attr.grh.sgid_index = caps->gid_index;
        attr.ah_attr.grh.hop_limit = 1;
    }
    why->step = DOCA_PRIV_MLX5_TEXT("move a queue pair from INIT to RTR");
    error = sys->modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                                          IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    if (error != 0)
        return error;
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = 14; /* 67 ms */
    attr.retry_cnt = 7;
    attr.rnr_retry = 7;
    attr.max_rd_atomic = 1;
    why->step = DOCA_PRIV_MLX5_TEXT("move a queue pair from RTR to RTS");
    return sys->modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                         IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                                         IBV_QP_MAX_QP_RD_ATOMIC);
}

/* Read from libmlx5 where the rings, doorbell registers and doorbell records of the queue are.
 * Return 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_mlx5_get_rings(struct doca_priv_mlx5_queue *q)
{
    struct mlx5dv_obj obj;
    struct mlx5dv_qp qp;
    struct mlx5dv_cq cq;
    int error;

    memset(&obj, 0, sizeof(obj));
    memset(&qp, 0, sizeof(qp));
    memset(&cq, 0, sizeof(cq));
    obj.qp.in = q->qp;
    obj.qp.out = &qp;
    obj.cq.in = q->ibv_cq;
    obj.cq.out = &cq;
    error = doca_priv_mlx5.sys->init_obj(&obj, MLX5DV_OBJ_QP | MLX5DV_OBJ_CQ);
    if (error != 0)
        return error;
    q->sq = (unsigned char *)qp.sq.buf;
    /* analyzer: autoVariables: dbrec points to memory that libmlx5 keeps, not into `qp` */
    q->sq_dbrec = (uint32_t *)&qp.dbrec[MLX5_SND_DBR];
    q->uar = qp.bf.reg;
    q->sq_mask = qp.sq.wqe_cnt - 1;
    q->max_wqes = (qp.sq.wqe_cnt < cq.cqe_cnt ? qp.sq.wqe_cnt : cq.cqe_cnt) - 1;
    /* A task with two lists of maximal length has up to this many pieces. */
    if (q->max_wqes < 2 * DOCA_CORE_MLX5_MAX_LIST - 1)
        return ENOSPC;
    q->cq = (unsigned char *)cq.buf + cq.cqe_size - sizeof(struct doca_priv_mlx5_cqe);
    q->cqe = q->cq;
    q->cqe_end = q->cq + (size_t)cq.cqe_cnt * cq.cqe_size;
    q->cqe_bytes = cq.cqe_size;
    q->cq_dbrec = (uint32_t *)cq.dbrec;
    q->cq_uar = (unsigned char *)cq.cq_uar;
    q->cqn = cq.cqn;
    return 0;
}

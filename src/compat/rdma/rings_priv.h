/* ---- >>priv.rdma.rings -----------------------------------------------------------------------
 * The queues of mlx5 devices as rings that this header reads and writes itself, instead of calling
 * ibv_post_send(), ibv_post_srq_recv() and ibv_poll_cq().                                       */
#ifndef DOCA_SRC_COMPAT_RDMA_RINGS_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_RINGS_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/types.h"
#include "device/backend.h"
#include "progress/task.h"
#include "compat/rdma/platform_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS
struct doca_rdma;
struct doca_rdma_connection;
struct doca_priv_rdma_task;

#define DOCA_PRIV_RDMA_INLINE 64 /* bytes of data that a request holds itself */

/* The send queue of a connection. */
struct doca_priv_rdma_sq {
    unsigned char *ring; /* the first basic block */
    uint32_t *dbrec;     /* doorbell record */
    void *uar;           /* doorbell register */
    uint32_t mask;       /* number of basic blocks, less 1 */
    uint32_t pi;         /* index of the next basic block to write */
    uint32_t qpn;        /* number of the queue pair */
};

/* The completion queue and the shared receive queue of an instance. */
struct doca_priv_rdma_rings {
    bool is_own; /* false: the calls of libibverbs are used; of the other members, only `td` and
                  * `domain` may be set */

    uint8_t owner;        /* bit 0 of op_own in new CQEs; flips when the ring wraps */
    unsigned char *cqe;   /* last 64 bytes of the next CQE to read */
    unsigned char *cq;    /* last 64 bytes of the first CQE */
    unsigned char *end;   /* value of `cqe` after the last CQE */
    uint32_t *cq_dbrec;   /* doorbell records: consumer index, arming */
    unsigned char *uar;   /* doorbell page of the CQ */
    uint32_t cqe_bytes;   /* 64 or 128 */
    uint32_t ci;          /* number of CQEs that were read */
    uint32_t cqn;         /* number of the CQ */
    uint32_t num_events;  /* events of the CQ that were read; arming sends it to the device */
    uint32_t simple_buf;  /* first word of buffers of mmaps with this device alone, without the flag
                           * WRITE and the references; 0: the device has no number in buffers */

    unsigned char *srq;   /* the first receive WQE */
    uint32_t *srq_dbrec;  /* doorbell record: number of posted WQEs */
    uint32_t srq_bytes;   /* length of one receive WQE */
    uint32_t srq_head;    /* the first free WQE; each free WQE contains the index of the next */
    uint32_t srq_tail;    /* the last free WQE; it stays unused until another WQE is free */
    uint32_t srq_posted;  /* number of WQEs that were ever posted */

    struct ibv_td *td;    /* thread domain: a doorbell register for these queue pairs alone */
    struct ibv_pd *domain; /* the protection domain with `td` */
};

DOCA_PRIV_DECL void doca_priv_rdma_rings_open(struct doca_rdma *r);
DOCA_PRIV_DECL int doca_priv_rdma_rings_close(struct doca_rdma *r);
DOCA_PRIV_DECL struct ibv_qp *doca_priv_rdma_rings_create_qp(struct doca_rdma *r,
                                                             struct ibv_qp_init_attr *attr);
DOCA_PRIV_DECL int doca_priv_rdma_rings_attach(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL int doca_priv_rdma_rings_arm(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_rings_send(struct doca_rdma_connection *connection,
                                              const struct ibv_send_wr *wr);
DOCA_PRIV_DECL bool doca_priv_rdma_rings_receive(struct doca_rdma *r,
                                                 struct doca_priv_rdma_task *op,
                                                 const struct ibv_sge *sges, int num);
DOCA_PRIV_DECL int doca_priv_rdma_rings_read(struct doca_rdma *r, int max, struct ibv_wc *wc);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_rings_post(struct doca_core_queue *queue,
                                                      struct doca_task *task);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_rings_poll(struct doca_core_queue *queue);
#endif

#endif

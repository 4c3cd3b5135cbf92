/* ---- >>mlx5.priv.queue -----------------------------------------------------------------------
 * Declarations of >>mlx5.queue for other parts.
 * Three terms: A task is `posted` when its WQEs are in the send queue. A `fast` task is handled by
 * the fast path: it copies between two single buffers, and the first two bytes of both (kind and
 * flags) have the value in `fast_buf`. A queue is `broken` after a failed task or a flush; it then
 * starts no more tasks.                                                                         */
#ifndef DOCA_SRC_MLX5_QUEUE_PRIV_H
#define DOCA_SRC_MLX5_QUEUE_PRIV_H

#include "mlx5/config.h"
#include "mlx5/layout_priv.h"
#include "mlx5/platform_priv.h"

struct doca_core_refusal;
struct doca_priv_mlx5_caps;
struct doca_priv_mlx5_dev;
struct doca_priv_mlx5_done;
struct doca_priv_mlx5_model;
struct doca_priv_mlx5_sync;

enum doca_priv_mlx5_kind { /* state of a slot */
    DOCA_PRIV_MLX5_EMPTY = 0,
    DOCA_PRIV_MLX5_WAITING = 1,
    DOCA_PRIV_MLX5_POSTED = 2, /* its WQEs are in the send queue */
    DOCA_PRIV_MLX5_BY_CPU = 3, /* the CPU moves the bytes when the task is the oldest one */
    DOCA_PRIV_MLX5_REFUSED = 4
};

struct doca_priv_mlx5_slot {
    struct doca_task *task; /* NULL in the slot of a probe (see >>mlx5.sync) */
    unsigned char *to;      /* where the first destination's content ended at submit */
    uint64_t bytes;         /* length of the copy; for a sync event: the 8 bytes that the device
                             * returned */
    uint32_t last;          /* POSTED: index (sq_pi) of the task's last WQE; REFUSED: enum
                             * doca_core_item, the reason */
    uint8_t kind;           /* enum doca_priv_mlx5_kind */
    uint8_t syndrome;       /* syndrome of the first WQE that failed; 0: no WQE failed */
    uint8_t vendor;         /* vendor syndrome, or the errno of the verbs call that failed */
    uint8_t blocks;         /* POSTED: basic blocks of the task's last WQE */
};

struct doca_priv_mlx5_queue {
    struct doca_core_queue queue;       /* the part that the core uses; must be first */
    struct doca_priv_mlx5_dev *dev;
    struct doca_priv_mlx5_slot *slots;  /* first slot */
    struct doca_priv_mlx5_slot *end;    /* after the last slot */
    struct doca_priv_mlx5_slot *oldest; /* slot of the oldest task in the queue */
    struct doca_priv_mlx5_slot *next;   /* slot for the next task */
    uint64_t max_bytes;                 /* longest copy */
    uint64_t max_fast;                  /* `most` of doca_priv_mlx5_describe_fast(): max_bytes; with
                                         * RC, less the inline limit */
    uint32_t num_waiting;               /* tasks not started yet; they are the newest ones */
    uint16_t fast_buf;                  /* first two bytes of buffers of fast tasks; 0 matches no
                                         * buffer and turns the fast path off */
    uint8_t engine;                     /* enum doca_core_mlx5_engine */
    bool is_broken;                     /* no further task may start */
    uint8_t max_sge;                    /* largest number of sources of a WQE */
    uint8_t max_inline;                 /* largest number of inline bytes of a WQE */

    unsigned char *sq;                  /* send queue: first basic block */
    uint32_t *sq_dbrec;                 /* doorbell record of the send queue */
    void *uar;                          /* doorbell register of the send queue */
    uint32_t sq_mask;                   /* basic blocks of the send queue, less 1 */
    uint32_t sq_pi;                     /* producer index, in basic blocks (VERBS: in WQEs) */
    uint32_t sq_ci;                     /* consumer index: after the last completed WQE */
    uint32_t sq_pi_rung;                /* value of sq_pi at the last doorbell */
    uint32_t max_wqes;                  /* maximum number of basic blocks (VERBS: of WQEs) in
                                         * flight; the ring has one more, for the flush */
    struct doca_priv_mlx5_model model;  /* template of the WQEs */

    unsigned char *cqe;                 /* last 64 bytes of the next CQE to read */
    unsigned char *cqe_end;             /* value of `cqe` after the last CQE of the ring */
    unsigned char *cq;                  /* last 64 bytes of the first CQE of the ring */
    uint32_t *cq_dbrec;                 /* doorbell records of the CQ: consumer index, arming */
    unsigned char *cq_uar;              /* doorbell page of the CQ */
    uint32_t cqe_bytes;                 /* size of a CQE: 64 or 128 */
    uint32_t cq_ci;                     /* number of CQEs read */
    uint8_t cq_owner;                   /* bit 0 of op_own in new CQEs; flips when the ring wraps */
    uint32_t cqn;                       /* number of the CQ */
    uint32_t arm_sn;                    /* number of events read; arming the CQ sends it */

    bool is_flushed;                    /* queue_flush() was called */
    bool has_done;                      /* `done` holds a completion not processed yet */
    bool is_lost;                       /* VERBS: ibv_poll_cq() failed */
    bool is_reset;                      /* the queue pairs are in RESET, after is_lost or a
                                         * failure of the device */
    bool is_hw_armed;                   /* the CQ is armed; its event was not read yet */
    bool is_masked;                     /* the epoll set does not report the channel */
    bool watches_dev;                   /* the epoll set contains the device's descriptor of
                                         * asynchronous events */
    bool has_no_events;                 /* VERBS: arming the CQ failed; it must be polled */
    struct doca_priv_mlx5_done done;    /* see has_done */
    doca_error_t status;                /* status of flushed tasks */
    int fd;                             /* epoll set; readable when one of its descriptors is */
    struct doca_priv_mlx5_queue *next_of_dev; /* next open queue of the device */
    unsigned char *ring_place;          /* memory for the next ring of ring_alloc() */
    size_t ring_bytes;                  /* size of ring_place; 0: ring_place is in use */
    unsigned char *dbrec_place;         /* memory for the next doorbell record of ring_alloc() */
    struct ibv_pd *domain;              /* parent domain; NULL: not available */
    struct ibv_td *td;                  /* thread domain; NULL: the doorbell register is shared */
    struct ibv_comp_channel *channel;   /* completion channel, for the events of the CQ */
    struct ibv_cq *ibv_cq;
    struct ibv_qp *qp;                  /* the queue pair that WQEs are posted to */
    struct ibv_qp *peer;                /* queue pair connected to `qp`; NULL with MMO */
    struct ibv_mr *opaque_mr;           /* registration of `opaque`; in the queue of a sync event,
                                         * registration of the slots */
    unsigned char *opaque;              /* OPAQUE_BYTES that the MMO engine writes to */
    struct doca_priv_mlx5_sync *sync;   /* the structure that begins with this queue if it belongs
                                         * to a sync event; NULL in a queue of copies */
};

#define DOCA_PRIV_MLX5_OPAQUE_BYTES 64
#define DOCA_PRIV_MLX5_DBRECS_BYTES 64 /* cache line before `opaque`; a CQ and two QPs use 8
                                        * bytes each */

DOCA_PRIV_DECL struct doca_priv_mlx5_queue *doca_priv_mlx5_queue_of(struct doca_core_queue *queue);
DOCA_PRIV_DECL size_t doca_priv_mlx5_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                                 uint32_t depth);
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_num_wqes(const struct doca_priv_mlx5_caps *caps,
                                                uint32_t depth);
DOCA_PRIV_DECL void doca_priv_mlx5_make_domain(struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL void doca_priv_mlx5_set_ring_place(struct doca_priv_mlx5_queue *q, size_t offset,
                                                  size_t bytes);
DOCA_PRIV_DECL struct ibv_qp *doca_priv_mlx5_make_qp(struct doca_priv_mlx5_queue *q,
                                                     uint32_t num_wqes, uint32_t num_sge,
                                                     uint32_t bytes_inline);
DOCA_PRIV_DECL struct ibv_qp *doca_priv_mlx5_make_main_qp(struct doca_priv_mlx5_queue *q,
                                                          uint32_t num_wqes);
DOCA_PRIV_DECL int doca_priv_mlx5_connect(const struct doca_priv_mlx5_queue *q,
                                          const struct doca_priv_mlx5_caps *caps, struct ibv_qp *qp,
                                          uint32_t dest_qpn, unsigned access,
                                          struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_mlx5_get_rings(struct doca_priv_mlx5_queue *q);

#endif

/* Receive queues of QPs, and shared receive queues (SRQs). */
#ifndef MLX5SIM_HCA_RQ_H
#define MLX5SIM_HCA_RQ_H

#include "device/hca/cq.h"
#include "device/hca/xrc.h"

/* A receive queue, of a QP or of an SRQ. */
struct hca_rq {
    struct sim_space *space;
    uint64_t addr, db_addr;
    uint32_t num_wqes, wqe_shift;
    uint16_t ci;                /* number of WQEs taken */
    uint16_t head;              /* if `is_linked`: index of the next WQE */
    bool is_linked;             /* SRQ: the WQEs form a linked list */
    bool has_next_seg;          /* WQEs begin with a next segment, even if not linked */
};

struct hca_srq {
    struct hca_object object;
    struct hca_pd *pd;
    struct hca_rq rq;
    struct hca_xrcd *xrcd;      /* domain of an XRC SRQ; NULL for other SRQs */
    struct hca_cq *cq;          /* XRC SRQ, SRQ with tags: receives complete here */
    struct hca_tm *tm;          /* list of an SRQ with tags; NULL for other SRQs */
    struct hca_umem *umem, *db_umem;
    uint32_t limit;
    uint32_t uidx;
};

struct hca_srq_attr {
    struct hca_object *pd;
    struct hca_object *xrcd;            /* NULL unless this is an XRC SRQ */
    struct hca_object *cq;              /* NULL unless this is an XRC SRQ or has tags */
    struct sim_space *space;
    uint64_t buf_addr;
    uint64_t db_addr;           /* doorbell record: be32 counter */
    uint32_t num_wqes;          /* power of two */
    uint32_t wqe_shift;         /* log2 bytes of one WQE */
    uint32_t limit;
    uint32_t uidx;
};

int hca_srq_create(struct sim_client *client, const struct hca_srq_attr *attr,
                   struct hca_object **out);
int hca_srq_set_limit(struct hca_object *srq, uint32_t limit);
uint32_t hca_srq_limit(const struct hca_object *srq);           /* 0 after it was reached */

/* Reads the producer counter in the doorbell record. False when the record cannot be read. */
bool hca_rq_producer(struct hca_rq *rq, uint16_t *producer);

#endif

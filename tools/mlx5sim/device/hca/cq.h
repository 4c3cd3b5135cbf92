/* Completion queues. */
#ifndef MLX5SIM_HCA_CQ_H
#define MLX5SIM_HCA_CQ_H

#include "device/hca/compress.h"
#include "device/hca/memory.h"

struct hca_cq {
    struct hca_object object;
    struct sim_space *space;
    uint64_t buf_addr, db_addr;
    uint32_t num_cqes, cqe_bytes;
    uint32_t uar_page;
    struct hca_umem *umem, *db_umem;
    bool overrun_ignore;
    bool failed;                /* has overrun, and takes no more CQEs */
    uint32_t pi;                /* number of CQEs written, modulo 2^32 */
    uint32_t ci;                /* number of CQEs polled, as last read from the doorbell record */
    uint32_t last_solicited;    /* pi just after the last solicited CQE */
    uint32_t event_pi;          /* pi at the latest event: CQEs before it have been reported */
    bool armed, armed_solicited;
    uint8_t sn, event_sn;       /* sequence numbers: of the latest arm, of the latest event */
    uint32_t arm_word;          /* poll mode: arm word of the doorbell record when last read */
    struct compress_session *session;   /* CQEs not written yet; NULL: CQEs are not compressed */
    bool has_session;           /* the CQ is in the list of CQs with such CQEs */
    struct hca_cq *next_session;
};

struct hca_cq_attr {
    struct sim_space *space;
    uint64_t buf_addr;
    uint64_t db_addr;           /* doorbell record: be32 ci, be32 arm */
    uint32_t num_cqes;          /* power of two */
    uint32_t cqe_bytes;         /* 64 or 128 */
    uint32_t uar_page;          /* UINT32_MAX: any UAR page of the client */
    uint32_t flags;             /* MLX5_IB_CREATE_CQ_FLAGS_* */
    bool compresses;
    unsigned format;            /* enum compress_format */
    bool overrun_ignore;        /* IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN */
};

int hca_cq_create(struct sim_client *client, const struct hca_cq_attr *attr,
                  struct hca_object **out);
/* Gives the CQ a new ring, as RESIZE_CQ does. A special CQE in the old ring tells libmlx5 that
 * later CQEs are in the new ring. */
int hca_cq_resize(struct hca_object *cq, uint64_t buf_addr, uint32_t num_cqes, uint32_t cqe_bytes);

/* Writes a CQE into the queue, and reports an event when the queue is armed. If the queue is full,
 * it fails. */
void cqe_put(struct hca_cq *cq, struct hca_cqe *cqe, bool solicited);

/* Writes the CQEs of all queues that wait for others like them. Called when the device has executed
 * what it can. */
void cqe_write_sessions(void);

/* Arms the queue, with the word that the program stored into the arm register. */
void cqe_arm(struct hca_cq *cq, uint32_t word);

/* Poll mode: arms the queue with the arm word of the doorbell record, if this word is new. */
void cqe_arm_by_record(struct hca_cq *cq);

#endif

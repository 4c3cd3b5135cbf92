/* Tag matching: SRQs that find the buffer of a message by a tag in its header. */
#ifndef MLX5SIM_HCA_TM_H
#define MLX5SIM_HCA_TM_H

#include "device/hca/pieces.h"
#include "device/hca/receive.h"

enum {
    TM_LOG_MAX_TAGS = 7,        /* entries of a list */
    TM_MAX_RENDEZVOUS = 64,     /* bytes of a rendezvous request */
    TM_NO_TAG = 4               /* app_op of a receive to which tags do not apply */
};

/* Gives an SRQ a list of at least `num_tags` entries. Returns 0, EINVAL or ENOMEM. */
int tm_create(struct hca_srq *srq, uint32_t num_tags);

/* Executes a WQE that adds a tag, removes a tag, or tells how many unexpected messages the program
 * has handled. */
int tm_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);

enum tm_result {
    TM_FOR_SRQ,                 /* a receive WQE of the SRQ takes the message */
    TM_TAKEN,                   /* the buffer of a tag has the message, and it is completed */
    TM_INVALID,                 /* the receiver refuses the message */
    TM_UNREADABLE               /* the message cannot be read */
};

/* Looks for the buffer of a message that QP `from` sends to an SRQ with tags. `cqe` has the fields
 * that are the same for every receive. With TM_FOR_SRQ, `*app_op` is for tm_mark(). */
enum tm_result tm_receive(struct hca_qp *from, const struct hca_responder *to,
                          const struct hca_pieces *message, struct hca_cqe *cqe, bool solicited,
                          uint8_t *app_op);

/* Sets the fields of a CQE that only SRQs with tags have. */
void tm_mark(struct hca_srq *srq, uint8_t app_op, struct hca_cqe *cqe);

/* Gives the QP the message that ends a rendezvous. False when it must wait until qp->wake for a
 * receive WQE. */
bool tm_deliver_fin(struct hca_qp *qp);

#endif

/* Receive WQEs: takes the next WQE for a message that arrives. */
#ifndef MLX5SIM_HCA_RECEIVE_H
#define MLX5SIM_HCA_RECEIVE_H

#include "device/hca/pieces.h"
#include "device/hca/qp.h"

/* Where a request takes effect. If the QP is an XRC target, the other members are those of the SRQ
 * that the request names. */
struct hca_responder {
    struct hca_qp *qp;
    struct hca_srq *srq;        /* NULL: receives come from the QP's own queue */
    struct hca_pd *pd;          /* of remote keys */
    struct hca_cq *cq;          /* for receives */
    uint32_t uidx;              /* user index in the CQEs of receives */
};

struct hca_receive {
    struct hca_pieces pieces;
    uint64_t room;
    uint16_t index;
};

enum hca_take { TAKE_OK, TAKE_EMPTY, TAKE_BAD };

/* Takes the next receive WQE and stores in `receive` where the message is to be written. */
enum hca_take hca_take_receive(const struct hca_responder *to, struct hca_receive *receive);

/* Gives the receive WQE that was taken last back to its queue: no message has arrived. */
void hca_return_receive(const struct hca_responder *to, const struct hca_receive *receive);

#endif

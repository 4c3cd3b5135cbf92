/* Receive WQEs: takes the next WQE for a message that arrives. */
#ifndef MLX5SIM_HCA_RECEIVE_H
#define MLX5SIM_HCA_RECEIVE_H

#include "device/hca/pieces.h"
#include "device/hca/qp.h"

struct hca_receive {
    struct hca_pieces pieces;
    uint64_t room;
    uint16_t index;
};

enum hca_take { TAKE_OK, TAKE_EMPTY, TAKE_BAD };

/* Takes the next receive WQE of the QP, or of its SRQ, and stores in `receive` where the message is
 * to be written. */
enum hca_take hca_take_receive(struct hca_qp *qp, struct hca_receive *receive);

#endif

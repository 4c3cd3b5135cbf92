/* The responder of a request. */
#ifndef MLX5SIM_HCA_PEER_H
#define MLX5SIM_HCA_PEER_H

#include "device/hca/receive.h"

enum hca_peer {
    PEER_FOUND,
    PEER_SILENT,                /* nobody answers */
    PEER_REFUSES,               /* the QP refuses the request as invalid; to->qp is set */
    PEER_DENIES                 /* the DCT has another access key; to->qp is set */
};

/* Finds the responder of a WQE. `seg` is the segment that names the responder: the address vector
 * of a UD QP or a DCI, the XRC segment of an XRC initiator; NULL for RC and UC. */
enum hca_peer peer_find(const struct hca_qp *qp, const uint8_t *seg, struct hca_responder *to);

/* Describes a QP as the responder of messages from its peer. */
void peer_self(struct hca_qp *qp, struct hca_responder *to);

/* True when a UD QP takes a datagram with this address vector. Stores the QP in `to`. */
bool peer_takes_datagram(const struct hca_qp *qp, struct hca_qp *peer, const uint8_t *av,
                         struct hca_responder *to);

#endif

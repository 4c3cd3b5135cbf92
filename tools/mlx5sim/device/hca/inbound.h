/* The arrival of a frame at a receive queue. */
#ifndef MLX5SIM_HCA_INBOUND_H
#define MLX5SIM_HCA_INBOUND_H

#include "device/hca/packet.h"
#include "device/hca/qp.h"

/* Properties of a frame that its CQE reports. */
struct inbound {
    uint32_t hash, flow_tag;
    uint8_t hash_type;
};

/* Writes the frame into the next receive WQE of the queue. A queue that is not ready or has no WQE
 * drops it. */
void inbound_deliver(struct hca_qp *qp, const struct packet *packet, const struct inbound *info);

#endif

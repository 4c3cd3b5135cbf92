/* Send queues. */
#ifndef MLX5SIM_HCA_SQ_H
#define MLX5SIM_HCA_SQ_H

#include "device/hca/qp.h"

/* Reads the producer counter of the send queue from its doorbell record into qp->sq_pi. False when
 * the record cannot be read. */
bool hca_sq_producer(struct hca_qp *qp);

/* Executes WQEs of all QPs that have work. It is called after every doorbell, and when a retry, an
 * RNR timer or a delayed WQE is due. Returns the time of the next call, in ns of sim_now();
 * UINT64_MAX when no QP waits. */
uint64_t hca_tick(uint64_t now);

#endif

/* Execution of send WQEs that need a peer: messages, RDMA, atomics. */
#ifndef MLX5SIM_HCA_TRANSPORT_H
#define MLX5SIM_HCA_TRANSPORT_H

#include "device/hca/qp.h"

/* Returns the buffer of WQE_MAX bytes into which a WQE is read. It is part of a space, so that
 * inline data is handled like any other memory. */
uint8_t *transport_wqe_memory(void);

/* Executes a SEND, an RDMA WRITE or READ, or an atomic. Returns WQE_DONE with the outcome, or
 * WQE_WAIT. */
int transport_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);

#endif

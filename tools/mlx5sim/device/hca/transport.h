/* Execution of send WQEs that need a peer: messages, RDMA, atomics. */
#ifndef MLX5SIM_HCA_TRANSPORT_H
#define MLX5SIM_HCA_TRANSPORT_H

#include "device/hca/mkey.h"
#include "device/hca/qp.h"

/* Returns the buffer of WQE_MAX bytes into which a WQE is read. It is part of a space, so that
 * inline data is handled like any other memory. */
uint8_t *transport_wqe_memory(void);

/* Lists the memory that the data segments in [at, end) of a WQE refer to. Returns 0 or a
 * syndrome. */
uint8_t transport_gather(struct hca_qp *qp, const uint8_t *at, const uint8_t *end, uint32_t need,
                         struct hca_pieces *pieces);

/* Executes a SEND, an RDMA WRITE or READ, or an atomic. Returns WQE_DONE with the outcome, or
 * WQE_WAIT. */
int transport_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);

#endif

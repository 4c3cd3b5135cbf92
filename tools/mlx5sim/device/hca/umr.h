/* User-mode registration. */
#ifndef MLX5SIM_HCA_UMR_H
#define MLX5SIM_HCA_UMR_H

#include "device/hca/qp.h"

/* Executes a UMR WQE. Returns WQE_DONE with the outcome. */
int umr_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);

/* Invalidates a key for a SEND with invalidate from the peer. False when the QP may not invalidate
 * it. */
bool umr_invalidate(struct hca_qp *qp, uint32_t key);

#endif

/* User-mode registration. */
#ifndef MLX5SIM_HCA_UMR_H
#define MLX5SIM_HCA_UMR_H

#include "device/hca/qp.h"

/* Executes a UMR WQE. Returns WQE_DONE with the outcome. */
int umr_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);

/* Executes SET_PSV, which gives a PSV its value. Returns WQE_DONE with the outcome. */
int umr_set_psv(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);

/* Invalidates a key for a SEND with invalidate from a peer. False when the message may not
 * invalidate the key because it does not belong to the PD, or because it does not permit this. */
bool umr_invalidate(struct sim_function *function, const struct hca_pd *pd, uint32_t key);

#endif

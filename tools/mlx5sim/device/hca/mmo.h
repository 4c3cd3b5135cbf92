/* The engines: DMA and SHA by MMO WQEs. */
#ifndef MLX5SIM_HCA_MMO_H
#define MLX5SIM_HCA_MMO_H

#include "device/hca/qp.h"

/* Executes an MMO WQE. Returns WQE_DONE with the outcome. */
int mmo_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);

#endif

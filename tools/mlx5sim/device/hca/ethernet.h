/* Send WQEs of raw packet QPs. */
#ifndef MLX5SIM_HCA_ETHERNET_H
#define MLX5SIM_HCA_ETHERNET_H

#include "device/hca/qp.h"

enum { ETHERNET_LOG_MAX_LSO = 18 };     /* bytes of the payload of an LSO WQE; assumed */

/* Executes a WQE of a raw packet QP. Returns WQE_DONE. */
int ethernet_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);

#endif

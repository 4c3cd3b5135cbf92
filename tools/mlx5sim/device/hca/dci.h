/* Streams of DCIs. */
#ifndef MLX5SIM_HCA_DCI_H
#define MLX5SIM_HCA_DCI_H

#include "device/hca/qp.h"

/* True when the stream of the WQE has failed: the WQE must be flushed. */
bool dci_stream_has_failed(const struct hca_qp *qp, const struct hca_wqe *wqe);

/* Handles a WQE that has completed with an error. True when only its stream fails; otherwise the
 * whole QP must enter the error state. */
bool dci_fails_only_stream(struct hca_qp *qp, const struct hca_wqe *wqe);

/* Makes a failed stream usable. False when the stream has not failed. */
bool dci_reset_stream(struct hca_qp *qp, uint16_t stream);

#endif

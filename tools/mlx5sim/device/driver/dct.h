/* DCTs as QPs of verbs. The device gets a DCT only when its QP becomes ready to receive. */
#ifndef MLX5SIM_DRIVER_DCT_H
#define MLX5SIM_DRIVER_DCT_H

#include "device/driver/call.h"

/* Modifies the QP of a DCT. `dctn` receives the number of a DCT that the call has made. */
int dct_modify(const struct call *call, struct uobject *qp, const struct ib_uverbs_modify_qp *m,
               uint32_t *dctn);
int dct_query(const struct uobject *qp, struct ib_uverbs_query_qp_resp *resp);

#endif

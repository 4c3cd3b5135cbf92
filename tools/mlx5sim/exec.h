/* Between wqe.c, which fetches WQEs, and exec.c, which carries out what they ask of a peer. */
#ifndef MLX5SIM_EXEC_H
#define MLX5SIM_EXEC_H

#include "hca.h"

/* Where a WQE is fetched to: WQE_MAX bytes, and a space in which inline data is memory like any. */
uint8_t *exec_wqe_memory(void);

/* SEND, RDMA WRITE and READ, atomics. */
int exec_request(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);

/* The memory that the data segments in [at, end) of the WQE name. 0 or a syndrome. */
uint8_t exec_gather(struct hca_qp *qp, const uint8_t *at, const uint8_t *end, uint32_t need,
                    struct hca_pieces *pieces);

#endif

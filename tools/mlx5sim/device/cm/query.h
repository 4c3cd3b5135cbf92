/* What an identifier says of its addresses, its device and its path. */
#ifndef MLX5SIM_CM_QUERY_H
#define MLX5SIM_CM_QUERY_H

#include "device/cm/state.h"

void query_route(const struct cm_id *id, struct rdma_ucm_query_route_resp *resp);
void query_addr(const struct cm_id *id, struct rdma_ucm_query_addr_resp *resp);
/* The addresses are those of the ports: their GIDs. */
void query_gid(const struct cm_id *id, struct rdma_ucm_query_addr_resp *resp);
/* `resp` has room for one path. */
void query_path(const struct cm_id *id, struct rdma_ucm_query_path_resp *resp);

#endif

/* DOCA Comch and DOCA RDMA on RDMA devices, which replace the software devices: see
 * impl_mlx5.c. */
#include "rdma_impl_mlx5.c"

#define DOCA_CORE_COMCH_IMPLEMENTATION
#include "doca_core_comch.h"

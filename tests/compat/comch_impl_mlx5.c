/* DOCA Comch on RDMA devices, which replace the software devices (see impl_mlx5.c). */
#include "../mlx5/impl_mlx5.c"

#define DOCA_CORE_COMCH_IMPLEMENTATION
#include "doca_core_comch.h"

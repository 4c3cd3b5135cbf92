/* DOCA RDMA as code, with the implementation of the core, on which it is built. */
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core.h"
#include "tools/compat/doca_core_rdma.h"

/* The file that compiles the implementation in doca_core.h together with Comch, RDMA and the API of
 * DOCA 1.x, which are built on private functions of the core. It does not use any API itself. */
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core.h"

#include "tools/compat/doca_core_comch.h"
#include "tools/compat/doca_core_rdma.h"

#include "tools/compat/doca_core_legacy.h"

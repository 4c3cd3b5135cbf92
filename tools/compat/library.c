/* doca_core as a compiled library, with the vendor's log, argument parser, App Shield, clocks,
 * Comch and RDMA, and for programs of DOCA 1.x. */
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_LOG_IMPLEMENTATION
#define DOCA_CORE_ARGP_IMPLEMENTATION
#define DOCA_CORE_APSH_IMPLEMENTATION
#define DOCA_CORE_CLOCK_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core_vendor.h"

#include "doca_core_legacy.h"

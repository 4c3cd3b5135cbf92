/* Compiles the implementation of the argument parser. With ARGP_WITH_LOG, the parser finds a
 * vendor's log, whose two functions argp_support.h defines. */
#include "doca_core.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef ARGP_WITH_LOG
#define DOCA_CORE_LOG_H
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);
#endif
extern const bool argp_with_log;
#ifdef __cplusplus
}
#endif

#define DOCA_CORE_ARGP_IMPLEMENTATION
#include "tools/compat/doca_core_argp.h"

#ifdef ARGP_WITH_LOG
const bool argp_with_log = true;
#else
const bool argp_with_log = false;
#endif

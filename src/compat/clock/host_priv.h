/* ---- >>priv.clock.host -----------------------------------------------------------------------
 * Declarations of >>impl.clock.host for other parts.                                            */
#ifndef DOCA_SRC_COMPAT_CLOCK_HOST_PRIV_H
#define DOCA_SRC_COMPAT_CLOCK_HOST_PRIV_H

#include "compat/clock/config.h"

#define DOCA_PRIV_CLOCK_SECOND 1000000000u /* nanoseconds */

/* Record and log a failure of a call of the program. Returns the error code. */
#define DOCA_PRIV_CLOCK_FAIL(code, item, function, object)                                         \
    doca_core_backend_fail(DOCA_ERROR_##code, DOCA_CORE_ITEM_##item, function, object, 0)

DOCA_PRIV_DECL doca_error_t doca_priv_clock_host_read(uint64_t clock_type, const char *function,
                                                      uint64_t *value);

#endif

/* ---- >>impl.clock ---------------------------------------------------------------------------
 * A monotonic clock; without an operating system it always gives 0.                             */
#include "base/clock_priv.h"

#include "base/config.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"

#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)

#ifdef SYS_clock_gettime
typedef long doca_priv_sys_time;
#define DOCA_PRIV_SYS_TIME SYS_clock_gettime
#else
typedef int64_t doca_priv_sys_time;
#define DOCA_PRIV_SYS_TIME SYS_clock_gettime64
#endif

/* Return the time in nanoseconds of CLOCK_MONOTONIC, which nobody can set. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_sys_now(void)
{
    const long monotonic = 1; /* CLOCK_MONOTONIC; time.h hides the name in strict C */
    doca_priv_sys_time now[2] = { 0, 0 };

    (void)doca_priv_sys_call(DOCA_PRIV_SYS_TIME, monotonic, (long)now, 0, 0, 0, 0);
    return (uint64_t)now[0] * 1000000000u + (uint64_t)now[1];
}
#else

DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_sys_now(void)
{
    return 0;
}
#endif

/* ---- >>impl.clock ---------------------------------------------------------------------------
 * Clocks of the operating system. Without an operating system, the monotonic clock always gives 0,
 * and no other clock can be read.                                                               */
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

/* Read the clock DOCA_PRIV_CLOCK_*, in nanoseconds. Returns false when the kernel has no such
 * clock. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_clock(int id, uint64_t *ns)
{
    doca_priv_sys_time now[2] = { 0, 0 };

    if (doca_priv_sys_call(DOCA_PRIV_SYS_TIME, id, (long)now, 0, 0, 0, 0) != 0)
        return false;
    *ns = (uint64_t)now[0] * 1000000000u + (uint64_t)now[1];
    return true;
}

/* Return the time of CLOCK_MONOTONIC in nanoseconds. This clock cannot be set. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_sys_now(void)
{
    uint64_t ns = 0;

    (void)doca_priv_sys_clock(DOCA_PRIV_CLOCK_MONOTONIC, &ns);
    return ns;
}
#else

DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_clock(int id, uint64_t *ns)
{
    (void)id;
    (void)ns;
    return false;
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_sys_now(void)
{
    return 0;
}
#endif

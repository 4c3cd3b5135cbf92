/* ---- >>priv.clock ----------------------------------------------------------------------------
 * Declarations of >>impl.clock for other parts.                                                 */
#ifndef DOCA_SRC_BASE_CLOCK_PRIV_H
#define DOCA_SRC_BASE_CLOCK_PRIV_H

#include "base/compiler.h"
#include "base/config.h"

#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)
static DOCA_CORE_UNUSED const bool doca_priv_sys_has_clock = true;
#endif

#if !(defined(__linux__) && !defined(DOCA_CORE_FREESTANDING))
static DOCA_CORE_UNUSED const bool doca_priv_sys_has_clock = false;
#endif

/* Clocks of Linux for doca_priv_sys_clock(). time.h hides their names in strict C. */
#define DOCA_PRIV_CLOCK_REALTIME 0
#define DOCA_PRIV_CLOCK_MONOTONIC 1
#define DOCA_PRIV_CLOCK_MONOTONIC_RAW 4
#define DOCA_PRIV_CLOCK_TAI 11

DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_sys_now(void);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_sys_clock(int id, uint64_t *ns);

#endif

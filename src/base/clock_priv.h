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

DOCA_PRIV_DECL DOCA_CORE_UNUSED uint64_t doca_priv_sys_now(void);

#endif

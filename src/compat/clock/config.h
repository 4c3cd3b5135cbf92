/* ---- >>clock.config --------------------------------------------------------------------------
 * Limits of this header, and the system header that declares struct timespec.                   */
#ifndef DOCA_SRC_COMPAT_CLOCK_CONFIG_H
#define DOCA_SRC_COMPAT_CLOCK_CONFIG_H

/* amalgamate: skip */
#include "../../../doca_core.h"

/* Private functions and data that several parts use. The amalgamated header makes them static. */
#undef DOCA_PRIV_DECL /* doca_core.h defines it when the compiler optimizes */
#define DOCA_PRIV_DECL
#define DOCA_PRIV_DATA extern
/* amalgamate: end */

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_clock.h is for hosted programs"
#endif

#include <time.h>
#ifdef __linux__
#include <sched.h> /* declares struct timespec also in strict C99, where time.h does not */
#endif

/* Number of attempts of a cross timestamp. More attempts take longer, and make it likelier that at
 * least one attempt is not interrupted. Define it before the include, in the file with the
 * implementation. */
#ifndef DOCA_CORE_CLOCK_TRIES
#define DOCA_CORE_CLOCK_TRIES 8
#endif

#endif

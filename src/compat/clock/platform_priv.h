/* ---- >>priv.clock.platform -------------------------------------------------------------------
 * System headers, and declarations that these headers leave out when the program asks for standard
 * C only.                                                                                        */
#ifndef DOCA_SRC_COMPAT_CLOCK_PLATFORM_PRIV_H
#define DOCA_SRC_COMPAT_CLOCK_PLATFORM_PRIV_H

#include "compat/clock/config.h"

#include <errno.h>

/* Identifiers of the host's clocks for clock_gettime(); -1: the platform has no such clock. Linux
 * never changes its numbers. */
#ifdef __linux__
#if !defined(CLOCK_MONOTONIC) && !defined(__cplusplus)
int clock_gettime(int id, struct timespec *now);
#endif
#define DOCA_PRIV_CLOCK_ID_REAL_TIME 0
#define DOCA_PRIV_CLOCK_ID_MONOTONIC 1
#define DOCA_PRIV_CLOCK_ID_MONOTONIC_RAW 4
#else
#define DOCA_PRIV_CLOCK_ID_REAL_TIME CLOCK_REALTIME
#define DOCA_PRIV_CLOCK_ID_MONOTONIC CLOCK_MONOTONIC
#ifdef CLOCK_MONOTONIC_RAW
#define DOCA_PRIV_CLOCK_ID_MONOTONIC_RAW CLOCK_MONOTONIC_RAW
#else
#define DOCA_PRIV_CLOCK_ID_MONOTONIC_RAW (-1)
#endif
#endif

#endif

/* ---- >>vendor.version ------------------------------------------------------------------------
 * The version of the API that is offered (doca_version.h). The vendor's patch number has four
 * digits: 1000 times the patch release, plus the build number, which is 0 here. The EXACT number
 * of 2.5.1 is therefore 2.5.1000. The OFFICIAL number has no build and is written 2, 5, 1;
 * DOCA_VERSION_EQ_CURRENT and DOCA_VERSION_LTE_CURRENT compare with it. All numbers are as wide as
 * size_t and can be used in #if.                                                                */
#ifndef DOCA_SRC_COMPAT_VENDOR_VERSION_H
#define DOCA_SRC_COMPAT_VENDOR_VERSION_H

/* amalgamate: skip */
#include "../../../doca_core.h"
/* amalgamate: end */

#if DOCA_CORE_API >= 30000
#define DOCA_VERSION_MAJOR 3
#define DOCA_VERSION_MINOR 0
#define DOCA_VERSION_PATCH 0
#define DOCA_VERSION_STRING "3.0.0000"
#else
#define DOCA_VERSION_MAJOR 2
#define DOCA_VERSION_MINOR 5
#define DOCA_VERSION_PATCH 1000
#define DOCA_VERSION_STRING "2.5.1000"
#endif

#define DOCA_VERSION_CALC_EXACT(major, minor, patch)                                               \
    ((((major) + 0UL) << 24) | (((minor) + 0UL) << 16) | ((patch) + 0UL))
#define DOCA_VERSION_CALC(major, minor, patch)                                                     \
    DOCA_VERSION_CALC_EXACT(major, minor, (patch) * 1000UL)
#define DOCA_VERSION_EXACT                                                                         \
    DOCA_VERSION_CALC_EXACT(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR, DOCA_VERSION_PATCH)
#define DOCA_VERSION_OFFICIAL                                                                      \
    DOCA_VERSION_CALC(DOCA_VERSION_MAJOR, DOCA_VERSION_MINOR, DOCA_VERSION_PATCH / 1000)
#define DOCA_VERSION_EQ_CURRENT(major, minor, patch)                                               \
    (DOCA_VERSION_CALC(major, minor, patch) == DOCA_VERSION_OFFICIAL)
#define DOCA_VERSION_LTE_CURRENT(major, minor, patch)                                              \
    (DOCA_VERSION_CALC(major, minor, patch) <= DOCA_VERSION_OFFICIAL)

/* spelling of 2.5 */
#define DOCA_VER_MAJOR DOCA_VERSION_MAJOR
#define DOCA_VER_MINOR DOCA_VERSION_MINOR
#define DOCA_VER_PATCH DOCA_VERSION_PATCH
#define DOCA_VER_STRING DOCA_VERSION_STRING
#define DOCA_VERSION_NUM(major, minor, patch) DOCA_VERSION_CALC_EXACT(major, minor, patch)
#define DOCA_CURRENT_VERSION_NUM DOCA_VERSION_EXACT

/* Return the version of the API that the program was compiled with, as "2.5.1000".
 * Threads   any */
static inline const char *doca_version(void)
{
    return DOCA_VERSION_STRING;
}

/* Return the version of the API that the library was compiled with.
 * Threads   any */
DOCA_CORE_DECL const char *doca_version_runtime(void);

#endif

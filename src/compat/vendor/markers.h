/* ---- >>vendor.markers ------------------------------------------------------------------------
 * Markers for declarations of the program (doca_compat.h). Which functions are stable,
 * experimental or deprecated is the vendor's decision, so all markers mean the same here.       */
#ifndef DOCA_SRC_COMPAT_VENDOR_MARKERS_H
#define DOCA_SRC_COMPAT_VENDOR_MARKERS_H

#include "compat/vendor/version.h"

#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_USED __attribute__((used))
#define DOCA_STABLE __attribute__((visibility("default")))
#else
#define DOCA_USED
#define DOCA_STABLE
#endif
#define DOCA_EXPERIMENTAL DOCA_STABLE
#define DOCA_DEPRECATED DOCA_STABLE
#ifndef __DOCA_EXPERIMENTAL /* marker of 1.x; some programs define it themselves */
#define __DOCA_EXPERIMENTAL DOCA_STABLE
#endif

/* Macros for a structure that begins with DOCA_STRUCT_START and contains the version that it was
 * compiled with. */
#ifndef DOCA_COMPAT_HELPERS
#define DOCA_COMPAT_HELPERS
#endif
#define DOCA_STRUCT_START size_t doca_core_api_version
#define DOCA_STRUCT_GET_VERSION(pointer) ((pointer)->doca_core_api_version)
#define DOCA_STRUCT_CTOR(object) ((object).doca_core_api_version = DOCA_VERSION_EXACT)
#define DOCA_STRUCT_PTR_CTOR(pointer) DOCA_STRUCT_CTOR(*(pointer))
#define DOCA_STRUCT_MEMSET_CTOR(object)                                                            \
    do {                                                                                           \
        memset(&(object), 0, sizeof(object));                                                      \
        DOCA_STRUCT_CTOR(object);                                                                  \
    } while (0)

#endif

/* doca_core_vendor.h - what a program written for the vendor's SDK finds behind its headers
 *
 * The build makes doca_dma.h, doca_pe.h and the other names of the vendor's headers; each of them
 * includes this one and nothing else, so that every name brings what all of them have: doca_core.h,
 * the log, the argument parser, the C headers that such programs rely on, and the macros below.
 * With the compiled library (CMake, DOCA_CORE_LIBRARY) a program needs no more. Without it, DO THIS
 * in one C (or C++) file:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #define DOCA_CORE_LOG_IMPLEMENTATION
 *     #define DOCA_CORE_ARGP_IMPLEMENTATION
 *     #include "doca_core_vendor.h"
 *
 * DOCA_ALLOW_EXPERIMENTAL_API, DOCA_ALLOW_DEPRECATED_API and their older spellings may be defined
 * or not: nothing here warns for want of them.
 *
 * DOCA_CORE_LEGACY, defined before the first include, chooses the 1.x API.
 *
 * THE SIDE of the process. After the include one of DOCA_ARCH_DPU and DOCA_ARCH_HOST is defined,
 * HOST unless the program is compiled with -DDOCA_ARCH_DPU. A program that is compiled with either
 * of them is on that side of the software topology, although the library was compiled before it;
 * one that leaves both out sees the devices of both sides. DOCA_CORE_SIDE in the environment and
 * doca_core_sw_set_side() go before (see >>sw in doca_core.h). This wants ELF, and gcc or clang;
 * otherwise the implementation itself is compiled with the macro.
 *
 * Source: programs published with the SDK, and what they include and test; DOCA Backward
 * Compatibility Policy; API reference, "Version Management".                                    */
#ifndef DOCA_CORE_VENDOR_H
#define DOCA_CORE_VENDOR_H

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the side of the process ------------------------------------------------------------------
 * The program's word on it: a constant of each of its files, the linker keeps one. The library asks
 * whether there is one.                                                                         */

#if defined(__ELF__) && defined(__GNUC__) && !defined(__TINYC__)
#ifdef __cplusplus
extern "C" {
#endif
extern const unsigned char doca_core_program_side __attribute__((weak, visibility("default")));
#if defined(DOCA_ARCH_DPU)
const unsigned char doca_core_program_side = 1; /* DOCA_CORE_SIDE_DPU */
#elif defined(DOCA_ARCH_HOST)
const unsigned char doca_core_program_side = 2; /* DOCA_CORE_SIDE_HOST */
#elif !defined(DOCA_CORE_PROCESS_SIDE)
#define DOCA_CORE_PROCESS_SIDE                                                                     \
    (&doca_core_program_side != NULL ? (unsigned)doca_core_program_side : 0u)
#endif
#ifdef __cplusplus
}
#endif
#endif

#ifndef DOCA_CORE_NO_INLINE
#define DOCA_CORE_NO_INLINE /* the library may be another version */
#endif
#ifdef DOCA_CORE_LEGACY
#include "doca_core_legacy.h"
#else
#include "doca_core.h"
#endif
#include "doca_core_log.h"
#include "doca_core_argp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- build configuration (doca_build_config.h, doca_config.h) -------------------------------- */

#if defined(DOCA_ARCH_DPU)
#undef DOCA_ARCH_HOST
#elif !defined(DOCA_ARCH_HOST)
#define DOCA_ARCH_HOST
#endif

#if defined(DOCA_ARCH_ARM)
#undef DOCA_ARCH_X86
#elif !defined(DOCA_ARCH_X86)
#if defined(__aarch64__) || defined(__arm__)
#define DOCA_ARCH_ARM
#else
#define DOCA_ARCH_X86
#endif
#endif

/* ---- markers (doca_compat.h) ------------------------------------------------------------------
 * For declarations of the program's own. Their state of life is the vendor's to say, not ours.  */

#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_USED __attribute__((used))
#define DOCA_STABLE __attribute__((visibility("default")))
#else
#define DOCA_USED
#define DOCA_STABLE
#endif
#define DOCA_EXPERIMENTAL DOCA_STABLE
#define DOCA_DEPRECATED DOCA_STABLE
#ifndef __DOCA_EXPERIMENTAL /* the marker of 1.x, which some programs define themselves */
#define __DOCA_EXPERIMENTAL DOCA_STABLE
#endif

/* A structure that begins with DOCA_STRUCT_START; remembers the version it was compiled with. */
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

/* ---- version (doca_version.h) -----------------------------------------------------------------
 * That of the API which is offered. The vendor's patch number has four digits: a thousand for each
 * patch release, and below it the build, which is 0 here. So the EXACT number of 2.5.1 is 2.5.1000;
 * the OFFICIAL one, which DOCA_VERSION_EQ_CURRENT and ..._LTE_CURRENT compare with, has no build
 * and is written 2, 5, 1. All of them are as wide as size_t, and may stand in #if.              */

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

/* the spelling of 2.5 */
#define DOCA_VER_MAJOR DOCA_VERSION_MAJOR
#define DOCA_VER_MINOR DOCA_VERSION_MINOR
#define DOCA_VER_PATCH DOCA_VERSION_PATCH
#define DOCA_VER_STRING DOCA_VERSION_STRING
#define DOCA_VERSION_NUM(major, minor, patch) DOCA_VERSION_CALC_EXACT(major, minor, patch)
#define DOCA_CURRENT_VERSION_NUM DOCA_VERSION_EXACT

/* Give the version of the API that the program was compiled with, "2.5.1000".   Threads any */
static inline const char *doca_version(void)
{
    return DOCA_VERSION_STRING;
}

/* Give the version of the API that the library was compiled with.   Threads any */
DOCA_CORE_DECL const char *doca_version_runtime(void);

/* ---- byte order (doca_bitfield.h) -------------------------------------------------------------
 * Constants where the value is one, so that they may stand in initializers. Of that header this is
 * what programs outside of DOCA Flow are known to use; the rest of it is not offered.           */

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_HTOBE16(x) __builtin_bswap16((uint16_t)(x))
#define DOCA_HTOBE32(x) __builtin_bswap32((uint32_t)(x))
#define DOCA_HTOBE64(x) __builtin_bswap64((uint64_t)(x))
#else /* which evaluate their argument more than once */
#define DOCA_HTOBE16(x) ((uint16_t)((uint16_t)(x) << 8 | (uint16_t)(x) >> 8))
#define DOCA_HTOBE32(x)                                                                            \
    ((uint32_t)DOCA_HTOBE16((uint32_t)(x)) << 16 | DOCA_HTOBE16((uint32_t)(x) >> 16))
#define DOCA_HTOBE64(x)                                                                            \
    ((uint64_t)DOCA_HTOBE32((uint64_t)(x)) << 32 | DOCA_HTOBE32((uint64_t)(x) >> 32))
#endif
#else
#define DOCA_HTOBE16(x) ((uint16_t)(x))
#define DOCA_HTOBE32(x) ((uint32_t)(x))
#define DOCA_HTOBE64(x) ((uint64_t)(x))
#endif
#define DOCA_BETOH16(x) DOCA_HTOBE16(x)
#define DOCA_BETOH32(x) DOCA_HTOBE32(x)
#define DOCA_BETOH64(x) DOCA_HTOBE64(x)

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_VENDOR_H */

#if defined(DOCA_CORE_IMPLEMENTATION) && !defined(DOCA_PRIV_VENDOR_IMPLEMENTED)
#define DOCA_PRIV_VENDOR_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

DOCA_CORE_DECL const char *doca_version_runtime(void)
{
    return DOCA_VERSION_STRING;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_IMPLEMENTATION */

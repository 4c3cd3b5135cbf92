/* doca_core_vendor.h - everything that a program for the vendor's SDK finds behind its headers
 *
 * The build creates doca_dma.h, doca_pe.h and the other names of the vendor's headers. Each of them
 * only includes this header. Every name therefore brings the same declarations: doca_core.h, the
 * log, the argument parser, App Shield, Comch, RDMA, the clocks, the C headers that such programs
 * rely on, and the macros below. The doca_cc names also bring the names that Comch has in 2.5,
 * which programs of later versions do not see otherwise. A program that is linked with the compiled
 * library (CMake, DOCA_CORE_LIBRARY) needs nothing else. Without the library, DO THIS in one C (or
 * C++) file:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #define DOCA_CORE_LOG_IMPLEMENTATION
 *     #define DOCA_CORE_ARGP_IMPLEMENTATION
 *     #define DOCA_CORE_APSH_IMPLEMENTATION
 *     #define DOCA_CORE_CLOCK_IMPLEMENTATION
 *     #define DOCA_CORE_COMCH_IMPLEMENTATION
 *     #define DOCA_CORE_RDMA_IMPLEMENTATION
 *     #include "doca_core_vendor.h"
 *
 * DOCA_ALLOW_EXPERIMENTAL_API, DOCA_ALLOW_DEPRECATED_API and their older spellings have no effect:
 * this header does not warn about functions of either kind.
 *
 * DOCA_CORE_LEGACY, defined before the first include, selects the 1.x API, without Comch and RDMA.
 *
 * THE SIDE of the process. After the include, either DOCA_ARCH_DPU or DOCA_ARCH_HOST is defined. It
 * is HOST unless the program is compiled with -DDOCA_ARCH_DPU. A program that is compiled with one
 * of the two macros is on that side of the software topology, even though the library was compiled
 * earlier. A program that is compiled with neither sees the devices of both sides. DOCA_CORE_SIDE
 * in the environment and doca_core_sw_set_side() take precedence (see >>sw in doca_core.h). This
 * needs ELF, and gcc or clang. With another compiler, compile the implementation with the macro.
 *
 * Source: programs published with the SDK: the headers that they include and the macros that they
 * test; DOCA Backward Compatibility Policy; API reference, "Version Management".
 *
 * CONTENTS (search for the tag)
 *   Declarations    >>vendor.side
 *   API             >>vendor.build >>vendor.version >>vendor.markers >>vendor.bitfield
 *   Implementation  >>impl.vendor.version
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/vendor/. Change the
 * parts.
 */
#ifndef DOCA_CORE_VENDOR_H
#define DOCA_CORE_VENDOR_H

/* Programs for the vendor's SDK share an mmap between threads without a call for this purpose. */
#ifndef DOCA_CORE_SHARED_MMAPS
#define DOCA_CORE_SHARED_MMAPS 1
#endif

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* part: src/compat/vendor/side.h */
/* ---- >>vendor.side ---------------------------------------------------------------------------
 * The side of the process, if the program selects it. Each file of the program that is compiled
 * with DOCA_ARCH_DPU or DOCA_ARCH_HOST defines a weak constant. The linker keeps only one of these
 * constants. The library checks whether the constant exists.                                    */

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
#define DOCA_CORE_NO_INLINE /* the library may be of another version */
#endif
#ifdef DOCA_CORE_LEGACY
#include "doca_core_legacy.h"
#else
#include "doca_core.h"
#endif
#include "doca_core_log.h"
#include "doca_core_argp.h"
#include "doca_core_clock.h"
/* App Shield needs pointers of 64 bits, representors and DMA */
#if UINTPTR_MAX > 0xffffffffu && !defined(DOCA_CORE_NO_REP) && !defined(DOCA_CORE_NO_DMA)
#include "doca_core_apsh.h"
#endif
/* Comch needs Linux and representors, and the current API */
#if defined(__linux__) && !defined(DOCA_CORE_NO_REP) && !defined(DOCA_CORE_LEGACY)
#include "doca_core_comch.h"
#endif
/* RDMA needs Linux and sync events, and the current API */
#if defined(__linux__) && !defined(DOCA_CORE_NO_SYNC_EVENT) && !defined(DOCA_CORE_LEGACY)
#include "doca_core_rdma.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/vendor/build.h */
/* ---- >>vendor.build --------------------------------------------------------------------------
 * Macros of the build configuration (doca_build_config.h, doca_config.h).                       */

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

/* part: src/compat/vendor/version.h */
/* ---- >>vendor.version ------------------------------------------------------------------------
 * The version of the API that is offered (doca_version.h). The vendor's patch number has four
 * digits: 1000 times the patch release, plus the build number, which is 0 here. The EXACT number
 * of 2.5.1 is therefore 2.5.1000. The OFFICIAL number has no build and is written 2, 5, 1;
 * DOCA_VERSION_EQ_CURRENT and DOCA_VERSION_LTE_CURRENT compare with it. All numbers are as wide as
 * size_t and can be used in #if.                                                                */

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

/* part: src/compat/vendor/markers.h */
/* ---- >>vendor.markers ------------------------------------------------------------------------
 * Markers for declarations of the program (doca_compat.h). Which functions are stable,
 * experimental or deprecated is the vendor's decision, so all markers mean the same here.       */

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

/* part: src/compat/vendor/bitfield.h */
/* ---- >>vendor.bitfield -----------------------------------------------------------------------
 * Byte order and bit fields (doca_bitfield.h). With constant arguments the macros are constants
 * and can be used in initializers. U8 is a byte. BE16 and BE32 are words in network byte order,
 * and so are their masks. A mask is one contiguous run of bits.                                 */

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_HTOBE16(x) __builtin_bswap16((uint16_t)(x))
#define DOCA_HTOBE32(x) __builtin_bswap32((uint32_t)(x))
#define DOCA_HTOBE64(x) __builtin_bswap64((uint64_t)(x))
#else /* these evaluate their argument more than once */
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

/* DOCA_SHIFT: the number of the lowest bit that is set, or 0 when `x` is 0. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_SHIFT(x) ((x) != 0 ? __builtin_ctzll((unsigned long long)(x)) : 0)
#else
#define DOCA_SHIFT(x) (doca_priv_vendor_shift((uint64_t)(x)))
static inline int doca_priv_vendor_shift(uint64_t x)
{
    int n = 0;

    for (; x > 1 && (x & 1) == 0; x >>= 1)
        n++;
    return n;
}
#endif

/* GENMASK: a mask of the bits from `high` down to `low`. The forms with P store it at a pointer. */
#define DOCA_PRIV_GENMASK(high, low) ((UINT64_MAX >> (63 - (high))) & (UINT64_MAX << (low)))
#define DOCA_U8_GENMASK(high, low) ((uint8_t)DOCA_PRIV_GENMASK(high, low))
#define DOCA_BE16_GENMASK(high, low) DOCA_HTOBE16(DOCA_PRIV_GENMASK(high, low))
#define DOCA_BE32_GENMASK(high, low) DOCA_HTOBE32(DOCA_PRIV_GENMASK(high, low))
#define DOCA_U8P_GENMASK(high, low, p) ((void)(*(uint8_t *)(p) = DOCA_U8_GENMASK(high, low)))
#define DOCA_BE16P_GENMASK(high, low, p)                                                           \
    ((void)(*(doca_be16_t *)(p) = DOCA_BE16_GENMASK(high, low)))
#define DOCA_BE32P_GENMASK(high, low, p)                                                           \
    ((void)(*(doca_be32_t *)(p) = DOCA_BE32_GENMASK(high, low)))

/* SET: `value`, in host order, shifted to the position of the mask; all other bits are 0. The
 * forms with P combine it with the word at a pointer by OR. */
#define DOCA_U8_SET(mask, value) ((uint8_t)((uint64_t)(value) << DOCA_SHIFT(mask) & (mask)))
#define DOCA_BE16_SET(mask, value)                                                                 \
    ((doca_be16_t)(DOCA_HTOBE16((uint64_t)(value) << DOCA_SHIFT(DOCA_BETOH16(mask))) & (mask)))
#define DOCA_BE32_SET(mask, value)                                                                 \
    ((doca_be32_t)(DOCA_HTOBE32((uint64_t)(value) << DOCA_SHIFT(DOCA_BETOH32(mask))) & (mask)))
#define DOCA_U8P_SET(mask, value, p)                                                               \
    ((void)(*(uint8_t *)(p) = (uint8_t)(*(uint8_t *)(p) | DOCA_U8_SET(mask, value))))
#define DOCA_BE16P_SET(mask, value, p)                                                             \
    ((void)(*(doca_be16_t *)(p) =                                                                  \
                (doca_be16_t)(*(doca_be16_t *)(p) | DOCA_BE16_SET(mask, value))))
#define DOCA_BE32P_SET(mask, value, p)                                                             \
    ((void)(*(doca_be32_t *)(p) |= DOCA_BE32_SET(mask, value)))

/* GET: the value, in host order, of the bits of `word` under the mask. */
#define DOCA_U8_GET(mask, word) ((uint8_t)(((word) & (mask)) >> DOCA_SHIFT(mask)))
#define DOCA_BE16_GET(mask, word)                                                                  \
    ((uint16_t)(DOCA_BETOH16((word) & (mask)) >> DOCA_SHIFT(DOCA_BETOH16(mask))))
#define DOCA_BE32_GET(mask, word)                                                                  \
    ((uint32_t)(DOCA_BETOH32((word) & (mask)) >> DOCA_SHIFT(DOCA_BETOH32(mask))))

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_VENDOR_H */

#if defined(DOCA_CORE_IMPLEMENTATION) && !defined(DOCA_PRIV_VENDOR_IMPLEMENTED)
#define DOCA_PRIV_VENDOR_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/vendor/version.c */
/* ---- >>impl.vendor.version -------------------------------------------------------------------
 * The version that the library was compiled with.                                               */

DOCA_CORE_DECL const char *doca_version_runtime(void)
{
    return DOCA_VERSION_STRING;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_IMPLEMENTATION */

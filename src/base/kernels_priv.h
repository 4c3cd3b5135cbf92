/* ---- >>priv.kernels --------------------------------------------------------------------------
 * The vector kernels: functions that use SHA or vector instructions.                            */
#ifndef DOCA_SRC_BASE_KERNELS_PRIV_H
#define DOCA_SRC_BASE_KERNELS_PRIV_H

#include "base/config.h"

/* These macros select the kernels to compile. At run time, the first use checks whether the CPU has
 * the instructions. Arm: on Linux, compilers that can enable the instructions for single functions
 * compile the kernels; on other systems, only compilers that were told to use them everywhere. */
#if defined(DOCA_CORE_NO_SIMD) || defined(DOCA_CORE_FREESTANDING) || defined(__TINYC__) ||         \
    !defined(__GNUC__)
#elif defined(__x86_64__)
#define DOCA_PRIV_SIMD_X86
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#if defined(__linux__) && (defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 8)
#define DOCA_PRIV_SIMD_ARM
#elif !defined(__linux__) && defined(__ARM_FEATURE_SHA2)
#define DOCA_PRIV_SIMD_ARM
#endif
#endif

#endif

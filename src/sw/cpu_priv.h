/* ---- >>priv.sw.cpu ---------------------------------------------------------------------------
 * The CPU features that hashes and very large copies use, as bits that doca_priv_simd_cpu()
 * returns.                                                                                      */
#ifndef DOCA_SRC_SW_CPU_PRIV_H
#define DOCA_SRC_SW_CPU_PRIV_H

#include "base/compiler.h"
#include "base/intrinsics_priv.h"
#include "base/platform_priv.h"

#if (defined(DOCA_PRIV_STREAMS) || !defined(DOCA_CORE_NO_SHA)) && defined(DOCA_PRIV_SIMD_X86)
#define DOCA_PRIV_SIMD_AVX2 __attribute__((target("avx2,bmi,bmi2")))

/* A feature bit is set when the CPU has the instructions and the operating system saves the
 * registers that they use. */
enum { DOCA_PRIV_CPU_SHA = 1, DOCA_PRIV_CPU_AVX2 = 2, DOCA_PRIV_CPU_AVX512 = 4 };
#endif

#if (defined(DOCA_PRIV_STREAMS) || !defined(DOCA_CORE_NO_SHA)) && !defined(DOCA_PRIV_SIMD_X86) &&  \
    defined(DOCA_PRIV_SIMD_ARM)
enum { DOCA_PRIV_CPU_SHA = 1, DOCA_PRIV_CPU_SHA512 = 2 };
#endif

#if (defined(DOCA_PRIV_STREAMS) || !defined(DOCA_CORE_NO_SHA)) && (defined(DOCA_PRIV_SIMD_X86) ||  \
    (!defined(DOCA_PRIV_SIMD_X86) && defined(DOCA_PRIV_SIMD_ARM)) ||                               \
    (!defined(DOCA_PRIV_SIMD_X86) && !defined(DOCA_PRIV_SIMD_ARM)))
DOCA_PRIV_DECL unsigned doca_priv_simd_cpu(void);
#endif

#endif

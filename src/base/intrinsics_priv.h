/* ---- >>priv.intrinsics -----------------------------------------------------------------------
 * The compiler's headers for SHA and vector instructions. They are longer than all of this library,
 * so only parts that use such instructions include them. In the joined header they precede
 * platform_priv.h, which opens extern "C".                                                      */
#ifndef DOCA_SRC_BASE_INTRINSICS_PRIV_H
#define DOCA_SRC_BASE_INTRINSICS_PRIV_H

#include "base/kernels_priv.h"

#if defined(DOCA_PRIV_SIMD_X86)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(DOCA_PRIV_SIMD_ARM)
#include <arm_neon.h>
#endif

#endif

/* ---- >>priv.sw.simd --------------------------------------------------------------------------
 * The compression functions that use SHA or vector instructions.                                */
#ifndef DOCA_SRC_SW_SIMD_PRIV_H
#define DOCA_SRC_SW_SIMD_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "engine/sha.h"
#include "sw/cpu_priv.h"

#if defined(DOCA_PRIV_SIMD_X86)
#define DOCA_PRIV_SIMD_TARGET __attribute__((target("sha,sse4.1")))
#define DOCA_PRIV_SIMD_LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define DOCA_PRIV_SIMD_AVX512 __attribute__((target("sha,avx2,bmi,bmi2,avx512f,avx512bw,avx512vl")))

/* The next four words of the schedule of SHA-256, in the place of `m0`. */
#define DOCA_PRIV_SHA256_NEXT(m0, m1, m2, m3)                                                      \
    (m0 = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(m0, m1),                         \
                                             _mm_alignr_epi8(m3, m2, 4)),                          \
                               m3))
#endif
#if !defined(DOCA_PRIV_SIMD_X86) && defined(DOCA_PRIV_SIMD_ARM) && defined(__linux__)
#define DOCA_PRIV_SIMD_TARGET __attribute__((target("arch=armv8-a+crypto")))
#endif
#if !defined(DOCA_PRIV_SIMD_X86) && defined(DOCA_PRIV_SIMD_ARM) && !defined(__linux__)
#define DOCA_PRIV_SIMD_TARGET
#endif

#if !defined(DOCA_PRIV_SIMD_X86) && defined(DOCA_PRIV_SIMD_ARM)
/* Load words n to n + 3 of a block, where numbers are big-endian. */
#define DOCA_PRIV_SIMD_WORDS32(data, n)                                                            \
    vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8((data) + 4 * (n))))

/* The next four words of the schedule of SHA-256, in the place of `m0`. */
#define DOCA_PRIV_SHA256_NEXT(m0, m1, m2, m3)                                                      \
    (m0 = vsha256su1q_u32(vsha256su0q_u32(m0, m1), m2, m3))
#endif

#if defined(DOCA_PRIV_SIMD_X86) || (!defined(DOCA_PRIV_SIMD_X86) && defined(DOCA_PRIV_SIMD_ARM))
DOCA_PRIV_SIMD_TARGET DOCA_PRIV_DECL void
doca_priv_sha1_simd(union doca_priv_sha_state *state, const unsigned char *data, size_t num_blocks);
#endif
#if defined(DOCA_PRIV_SIMD_X86)
DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void doca_priv_sha1_simd512(union doca_priv_sha_state *state,
                                                                 const unsigned char *data,
                                                                 size_t num_blocks);
#endif
#if defined(DOCA_PRIV_SIMD_X86) || (!defined(DOCA_PRIV_SIMD_X86) && defined(DOCA_PRIV_SIMD_ARM))
DOCA_PRIV_SIMD_TARGET DOCA_PRIV_DECL void doca_priv_sha256_simd(union doca_priv_sha_state *state,
                                                                const unsigned char *data,
                                                                size_t num_blocks);
#endif

#endif

/* ---- >>priv.sw.lanes512 ----------------------------------------------------------------------
 * Reading blocks of several messages into vectors, and the compression functions of AVX-512.    */
#ifndef DOCA_SRC_SW_LANES512_PRIV_H
#define DOCA_SRC_SW_LANES512_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "engine/sha.h"
#include "sw/cpu_priv.h"
#include "sw/sha_priv.h"
#include "sw/simd_priv.h"

#if defined(DOCA_PRIV_SIMD_X86)
typedef const unsigned char *const *doca_priv_lane_data;

/* Define, for vectors of `bits` bits: the types of the vectors, and the functions that read 16
 * words from a block of each message, by transposing within each 128 bits. */
#define DOCA_PRIV_LANES_WORDS(target, bits, broadcast)                                             \
    typedef uint32_t doca_priv_lanes32x##bits __attribute__((vector_size((bits) / 8), may_alias)); \
    typedef uint64_t doca_priv_lanes64x##bits __attribute__((vector_size((bits) / 8), may_alias)); \
                                                                                                   \
    target DOCA_PRIV_HOT void doca_priv_lanes_words32x##bits(                                      \
        doca_priv_lanes32x##bits *w, doca_priv_lane_data data, size_t at)                          \
    {                                                                                              \
        const __m##bits##i order =                                                                 \
            broadcast(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));                     \
        __m##bits##i a, b, c, d, ab, cd, *to = (__m##bits##i *)(void *)w;                          \
        size_t end;                                                                                \
                                                                                                   \
        for (end = at + 64; at < end; at += 16, to += 4) {                                         \
            a = doca_priv_lanes_row##bits(data, 4, at, order);                                     \
            b = doca_priv_lanes_row##bits(data + 1, 4, at, order);                                 \
            c = doca_priv_lanes_row##bits(data + 2, 4, at, order);                                 \
            d = doca_priv_lanes_row##bits(data + 3, 4, at, order);                                 \
            ab = _mm##bits##_unpacklo_epi32(a, b);                                                 \
            cd = _mm##bits##_unpacklo_epi32(c, d);                                                 \
            to[0] = _mm##bits##_unpacklo_epi64(ab, cd);                                            \
            to[1] = _mm##bits##_unpackhi_epi64(ab, cd);                                            \
            ab = _mm##bits##_unpackhi_epi32(a, b);                                                 \
            cd = _mm##bits##_unpackhi_epi32(c, d);                                                 \
            to[2] = _mm##bits##_unpacklo_epi64(ab, cd);                                            \
            to[3] = _mm##bits##_unpackhi_epi64(ab, cd);                                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    target DOCA_PRIV_HOT void doca_priv_lanes_words64x##bits(                                      \
        doca_priv_lanes64x##bits *w, doca_priv_lane_data data, size_t at)                          \
    {                                                                                              \
        const __m##bits##i order =                                                                 \
            broadcast(_mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607));                     \
        __m##bits##i a, b, *to = (__m##bits##i *)(void *)w;                                        \
        size_t end;                                                                                \
                                                                                                   \
        for (end = at + 128; at < end; at += 16, to += 2) {                                        \
            a = doca_priv_lanes_row##bits(data, 2, at, order);                                     \
            b = doca_priv_lanes_row##bits(data + 1, 2, at, order);                                 \
            to[0] = _mm##bits##_unpacklo_epi64(a, b);                                              \
            to[1] = _mm##bits##_unpackhi_epi64(a, b);                                              \
        }                                                                                          \
    }

DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void doca_priv_sha1_lanes512(union doca_priv_sha_state *state,
                                                                  doca_priv_lane_data data,
                                                                  size_t num_blocks);
DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void
doca_priv_sha256_lanes512(union doca_priv_sha_state *state, doca_priv_lane_data data,
                          size_t num_blocks);
DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void
doca_priv_sha512_lanes512(union doca_priv_sha_state *state, doca_priv_lane_data data,
                          size_t num_blocks);
#endif

#endif

/* ---- >>impl.sw.lanes512 ----------------------------------------------------------------------
 * The compression functions of AVX-512, for sixteen messages of SHA-1 or SHA-256, or eight of
 * SHA-512. Other CPUs use the functions of >>impl.sw.lanes, which compilers vectorize from the
 * general form. Here the whole schedule, 16 words, and the state fit into the 32 registers, and a
 * single instruction computes each function of three words.                                     */
#include "sw/lanes512_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/platform_priv.h"
#include "engine/sha.h"
#include "sw/cpu_priv.h"
#include "sw/sha_priv.h"
#include "sw/simd_priv.h"

#if defined(DOCA_PRIV_SIMD_X86)

#if !defined(__clang__) /* GCC 12 in C++ warns about parts of vectors that AVX-512 functions leave
                         * unset intentionally */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* Load 16 bytes at offset `at` from each of the messages data[0], data[step], data[2 * step] and
 * data[3 * step]. `order` arranges the bytes of each word. */
DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_HOT __m512i doca_priv_lanes_row512(doca_priv_lane_data data,
                                                                   size_t step, size_t at,
                                                                   __m512i order)
{
    __m512i row = _mm512_castsi128_si512(DOCA_PRIV_SIMD_LOAD(data[0] + at));

    row = _mm512_inserti32x4(row, DOCA_PRIV_SIMD_LOAD(data[step] + at), 1);
    row = _mm512_inserti32x4(row, DOCA_PRIV_SIMD_LOAD(data[2 * step] + at), 2);
    row = _mm512_inserti32x4(row, DOCA_PRIV_SIMD_LOAD(data[3 * step] + at), 3);
    return _mm512_shuffle_epi8(row, order);
}

DOCA_PRIV_LANES_WORDS(DOCA_PRIV_SIMD_AVX512, 512, _mm512_broadcast_i32x4)

/* The truth tables of functions of three words. */
#define DOCA_PRIV_WIDE_PARITY 0x96
#define DOCA_PRIV_WIDE_CH 0xca
#define DOCA_PRIV_WIDE_MAJ 0xe8

/* Make the compiler keep this sum. Otherwise GCC adds the words of a round in another order, and
 * the word that is computed last would pass through more additions; the next round waits for that
 * word. */
#define DOCA_PRIV_WIDE_KEEP(x) __asm__("" : "+v"(x))

/* Copy the words of a block, so that compilers can keep the copies in registers. */
#define DOCA_PRIV_WIDE_COPY(w, from)                                                               \
    (w[0] = from[0], w[1] = from[1], w[2] = from[2], w[3] = from[3], w[4] = from[4],               \
     w[5] = from[5], w[6] = from[6], w[7] = from[7], w[8] = from[8], w[9] = from[9],               \
     w[10] = from[10], w[11] = from[11], w[12] = from[12], w[13] = from[13], w[14] = from[14],     \
     w[15] = from[15])

/* ---- SHA-1 ---- */

/* Round `t`. `f` is the truth table of its function. The round also computes the word of the
 * schedule that replaces word `t`. */
#define DOCA_PRIV_WIDE1_ROUND(a, b, c, d, e, f, t)                                                 \
    do {                                                                                           \
        e = _mm512_add_epi32(_mm512_add_epi32(e, k), w[(t) % 16]);                                 \
        DOCA_PRIV_WIDE_KEEP(e);                                                                    \
        e = _mm512_add_epi32(e, _mm512_ternarylogic_epi32(b, c, d, f));                            \
        DOCA_PRIV_WIDE_KEEP(e);                                                                    \
        e = _mm512_add_epi32(e, _mm512_rol_epi32(a, 5));                                           \
        b = _mm512_rol_epi32(b, 30);                                                               \
        w[(t) % 16] = _mm512_ternarylogic_epi32(w[(t) % 16], w[((t) + 2) % 16],                    \
                                                w[((t) + 8) % 16], DOCA_PRIV_WIDE_PARITY);         \
        w[(t) % 16] =                                                                              \
            _mm512_rol_epi32(_mm512_xor_si512(w[(t) % 16], w[((t) + 13) % 16]), 1);                \
    } while (0)

/* Rounds `t` to `t` + 4; after five rounds every variable has its old role again. */
#define DOCA_PRIV_WIDE1_FIVE(f, t)                                                                 \
    DOCA_PRIV_WIDE1_ROUND(a, b, c, d, e, f, t);                                                    \
    DOCA_PRIV_WIDE1_ROUND(e, a, b, c, d, f, (t) + 1);                                              \
    DOCA_PRIV_WIDE1_ROUND(d, e, a, b, c, f, (t) + 2);                                              \
    DOCA_PRIV_WIDE1_ROUND(c, d, e, a, b, f, (t) + 3);                                              \
    DOCA_PRIV_WIDE1_ROUND(b, c, d, e, a, f, (t) + 4)
#define DOCA_PRIV_WIDE1_TWENTY(f, constant, t)                                                     \
    k = _mm512_set1_epi32((int)(constant));                                                        \
    DOCA_PRIV_WIDE1_FIVE(f, t);                                                                    \
    DOCA_PRIV_WIDE1_FIVE(f, (t) + 5);                                                              \
    DOCA_PRIV_WIDE1_FIVE(f, (t) + 10);                                                             \
    DOCA_PRIV_WIDE1_FIVE(f, (t) + 15)

/* analyzer: readability-function-size: the macros write out 80 rounds */
DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void doca_priv_sha1_lanes512(union doca_priv_sha_state *state,
                                                                  doca_priv_lane_data data,
                                                                  size_t num_blocks)
{
    __m512i *s = (__m512i *)(void *)state;
    __m512i a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], w[16], k;
    doca_priv_lanes32x512 block[16];
    const __m512i *words;
    size_t at;

    for (at = 0; num_blocks > 0; num_blocks--, at += 64) {
        doca_priv_lanes_words32x512(block, data, at);
        words = (const __m512i *)(void *)block;
        DOCA_PRIV_WIDE_COPY(w, words);
        DOCA_PRIV_WIDE1_TWENTY(DOCA_PRIV_WIDE_CH, 0x5a827999u, 0);
        DOCA_PRIV_WIDE1_TWENTY(DOCA_PRIV_WIDE_PARITY, 0x6ed9eba1u, 20);
        DOCA_PRIV_WIDE1_TWENTY(DOCA_PRIV_WIDE_MAJ, 0x8f1bbcdcu, 40);
        DOCA_PRIV_WIDE1_TWENTY(DOCA_PRIV_WIDE_PARITY, 0xca62c1d6u, 60);
        s[0] = a = _mm512_add_epi32(a, s[0]);
        s[1] = b = _mm512_add_epi32(b, s[1]);
        s[2] = c = _mm512_add_epi32(c, s[2]);
        s[3] = d = _mm512_add_epi32(d, s[3]);
        s[4] = e = _mm512_add_epi32(e, s[4]);
    }
}

/* ---- SHA-256 and SHA-512 ---- */

/* The functions of one word: the exclusive or of three rotations, or of two rotations and a shift.
 * `bits` is the length of a word. */
#define DOCA_PRIV_WIDE2_SUM(bits, x, p, q, r)                                                      \
    _mm512_ternarylogic_epi##bits(_mm512_ror_epi##bits(x, p), _mm512_ror_epi##bits(x, q),          \
                                  _mm512_ror_epi##bits(x, r), DOCA_PRIV_WIDE_PARITY)
#define DOCA_PRIV_WIDE2_MIX(bits, x, p, q, r)                                                      \
    _mm512_ternarylogic_epi##bits(_mm512_ror_epi##bits(x, p), _mm512_ror_epi##bits(x, q),          \
                                  _mm512_srli_epi##bits(x, r), DOCA_PRIV_WIDE_PARITY)
#define DOCA_PRIV_WIDE256_SUM0(x) DOCA_PRIV_WIDE2_SUM(32, x, 2, 13, 22)
#define DOCA_PRIV_WIDE256_SUM1(x) DOCA_PRIV_WIDE2_SUM(32, x, 6, 11, 25)
#define DOCA_PRIV_WIDE256_MIX0(x) DOCA_PRIV_WIDE2_MIX(32, x, 7, 18, 3)
#define DOCA_PRIV_WIDE256_MIX1(x) DOCA_PRIV_WIDE2_MIX(32, x, 17, 19, 10)
#define DOCA_PRIV_WIDE512_SUM0(x) DOCA_PRIV_WIDE2_SUM(64, x, 28, 34, 39)
#define DOCA_PRIV_WIDE512_SUM1(x) DOCA_PRIV_WIDE2_SUM(64, x, 14, 18, 41)
#define DOCA_PRIV_WIDE512_MIX0(x) DOCA_PRIV_WIDE2_MIX(64, x, 1, 8, 7)
#define DOCA_PRIV_WIDE512_MIX1(x) DOCA_PRIV_WIDE2_MIX(64, x, 19, 61, 6)
#define DOCA_PRIV_WIDE256_K(t) _mm512_set1_epi32((int)doca_priv_sha256_k[t])
#define DOCA_PRIV_WIDE512_K(t) _mm512_set1_epi64((long long)doca_priv_sha_k[t])

/* Round `from` + `t`, with `t` below 16; W is the prefix of the macros of the function. */
#define DOCA_PRIV_WIDE2_ROUND(W, bits, a, b, c, d, e, f, g, h, t)                                  \
    do {                                                                                           \
        h = _mm512_add_epi##bits(_mm512_add_epi##bits(h, W##_K(from + (t))), w[t]);                \
        DOCA_PRIV_WIDE_KEEP(h);                                                                    \
        h = _mm512_add_epi##bits(h, _mm512_ternarylogic_epi##bits(e, f, g, DOCA_PRIV_WIDE_CH));    \
        DOCA_PRIV_WIDE_KEEP(h);                                                                    \
        h = _mm512_add_epi##bits(h, W##_SUM1(e));                                                  \
        d = _mm512_add_epi##bits(d, h);                                                            \
        h = _mm512_add_epi##bits(                                                                  \
            h, _mm512_add_epi##bits(_mm512_ternarylogic_epi##bits(a, b, c, DOCA_PRIV_WIDE_MAJ),    \
                                    W##_SUM0(a)));                                                 \
    } while (0)

/* Compute the word of the schedule that replaces word `t`. */
#define DOCA_PRIV_WIDE2_NEXT(W, bits, t)                                                           \
    (w[t] = _mm512_add_epi##bits(                                                                  \
         _mm512_add_epi##bits(w[t], W##_MIX1(w[((t) + 14) % 16])),                                 \
         _mm512_add_epi##bits(w[((t) + 9) % 16], W##_MIX0(w[((t) + 1) % 16]))))
#define DOCA_PRIV_WIDE2_NO_NEXT(W, bits, t) ((void)0)

/* Eight rounds, after which every variable has its old role again. `next` is one of the two macros
 * above. */
#define DOCA_PRIV_WIDE2_EIGHT(W, bits, next, t)                                                    \
    DOCA_PRIV_WIDE2_ROUND(W, bits, a, b, c, d, e, f, g, h, t);                                     \
    next(W, bits, t);                                                                              \
    DOCA_PRIV_WIDE2_ROUND(W, bits, h, a, b, c, d, e, f, g, (t) + 1);                               \
    next(W, bits, (t) + 1);                                                                        \
    DOCA_PRIV_WIDE2_ROUND(W, bits, g, h, a, b, c, d, e, f, (t) + 2);                               \
    next(W, bits, (t) + 2);                                                                        \
    DOCA_PRIV_WIDE2_ROUND(W, bits, f, g, h, a, b, c, d, e, (t) + 3);                               \
    next(W, bits, (t) + 3);                                                                        \
    DOCA_PRIV_WIDE2_ROUND(W, bits, e, f, g, h, a, b, c, d, (t) + 4);                               \
    next(W, bits, (t) + 4);                                                                        \
    DOCA_PRIV_WIDE2_ROUND(W, bits, d, e, f, g, h, a, b, c, (t) + 5);                               \
    next(W, bits, (t) + 5);                                                                        \
    DOCA_PRIV_WIDE2_ROUND(W, bits, c, d, e, f, g, h, a, b, (t) + 6);                               \
    next(W, bits, (t) + 6);                                                                        \
    DOCA_PRIV_WIDE2_ROUND(W, bits, b, c, d, e, f, g, h, a, (t) + 7);                               \
    next(W, bits, (t) + 7)

/* Define the compression function `name`. A block has twice `bits` bytes. */
#define DOCA_PRIV_WIDE2_KERNEL(name, W, bits, rounds)                                              \
    DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void name(union doca_priv_sha_state *state,               \
                                                   doca_priv_lane_data data, size_t num_blocks)    \
    {                                                                                              \
        __m512i *s = (__m512i *)(void *)state;                                                     \
        __m512i a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];    \
        __m512i w[16];                                                                             \
        doca_priv_lanes##bits##x512 block[16];                                                     \
        const __m512i *words;                                                                      \
        size_t at, from;                                                                           \
                                                                                                   \
        for (at = 0; num_blocks > 0; num_blocks--, at += 2 * (bits)) {                             \
            doca_priv_lanes_words##bits##x512(block, data, at);                                    \
            words = (const __m512i *)(void *)block;                                                \
            DOCA_PRIV_WIDE_COPY(w, words);                                                         \
            for (from = 0; from < (rounds) - 16; from += 16) {                                     \
                DOCA_PRIV_WIDE2_EIGHT(W, bits, DOCA_PRIV_WIDE2_NEXT, 0);                           \
                DOCA_PRIV_WIDE2_EIGHT(W, bits, DOCA_PRIV_WIDE2_NEXT, 8);                           \
            }                                                                                      \
            DOCA_PRIV_WIDE2_EIGHT(W, bits, DOCA_PRIV_WIDE2_NO_NEXT, 0);                            \
            DOCA_PRIV_WIDE2_EIGHT(W, bits, DOCA_PRIV_WIDE2_NO_NEXT, 8);                            \
            s[0] = a = _mm512_add_epi##bits(a, s[0]);                                              \
            s[1] = b = _mm512_add_epi##bits(b, s[1]);                                              \
            s[2] = c = _mm512_add_epi##bits(c, s[2]);                                              \
            s[3] = d = _mm512_add_epi##bits(d, s[3]);                                              \
            s[4] = e = _mm512_add_epi##bits(e, s[4]);                                              \
            s[5] = f = _mm512_add_epi##bits(f, s[5]);                                              \
            s[6] = g = _mm512_add_epi##bits(g, s[6]);                                              \
            s[7] = h = _mm512_add_epi##bits(h, s[7]);                                              \
        }                                                                                          \
    }
DOCA_PRIV_WIDE2_KERNEL(doca_priv_sha256_lanes512, DOCA_PRIV_WIDE256, 32, 64)
DOCA_PRIV_WIDE2_KERNEL(doca_priv_sha512_lanes512, DOCA_PRIV_WIDE512, 64, 80)

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif

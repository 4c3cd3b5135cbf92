/* ---- >>impl.sw.simd -------------------------------------------------------------------------
 * The compression functions for one message at a time, with the SHA and vector instructions of the
 * CPU.                                                                                          */
#include "sw/simd_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/platform_priv.h"
#include "engine/sha.h"
#include "sw/cpu_priv.h"
#include "sw/sha_priv.h"

#if defined(DOCA_PRIV_SIMD_X86)

/* Copy a vector in a way that the compiler cannot undo. An instruction that overwrites its operand
 * can then overwrite the copy, and no move is needed between the rounds. */
DOCA_PRIV_HOT __m128i doca_priv_simd_copy(__m128i x)
{
    __asm__("" : "+x"(x));
    return x;
}

/* The first of three steps to the next four schedule words of SHA-1, in place of `m0`. The
 * instruction for this step is slow and occupies the execution port that the rounds need. `joins`:
 * use exclusive ors instead of the instruction, because the CPU can do two of them in one operation
 * (AVX-512). */
DOCA_PRIV_SIMD_TARGET DOCA_PRIV_HOT __m128i doca_priv_sha1_msg1(__m128i m0, __m128i m1, bool joins)
{
    __m128d behind = _mm_shuffle_pd(_mm_castsi128_pd(m1), _mm_castsi128_pd(m0), 1);

    return joins ? _mm_xor_si128(m0, _mm_castpd_si128(behind)) : _mm_sha1msg1_epu32(m0, m1);
}

/* Four rounds of SHA-1 with the words `m`; the _NEXT form also makes one step for each of the next
 * three groups of four words. `e` is the sum of `m` and the variable e (the rotated `a` of four
 * rounds ago). */
#define DOCA_PRIV_SHA1_QUAD(m, f)                                                                  \
    (e = _mm_sha1nexte_epu32(before, m), before = doca_priv_simd_copy(abcd),                       \
     abcd = _mm_sha1rnds4_epu32(abcd, e, f))
#define DOCA_PRIV_SHA1_QUAD_NEXT(m0, m1, m2, m3, f)                                                \
    (m1 = _mm_sha1msg2_epu32(m1, m0), DOCA_PRIV_SHA1_QUAD(m0, f), m2 = _mm_xor_si128(m2, m0),      \
     m3 = doca_priv_sha1_msg1(m3, m0, joins))
#define DOCA_PRIV_SHA1_WORDS(n) _mm_shuffle_epi8(_mm_loadu_si128(block + (n)), reversed)

/* Compress blocks with the SHA-1 instructions. The words of a block are loaded during the last
 * rounds of the block before it. */
DOCA_PRIV_SIMD_TARGET DOCA_PRIV_HOT void doca_priv_sha1_quads(union doca_priv_sha_state *state,
                                                              const unsigned char *data,
                                                              size_t num_blocks, bool joins)
{
    const __m128i reversed = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
    const __m128i *block = (const __m128i *)(const void *)data;
    __m128i *h = (__m128i *)(void *)state->w32;
    __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(h), 0x1b);
    __m128i e_sum = _mm_slli_si128(_mm_loadu_si128(h + 1), 12);
    __m128i a = DOCA_PRIV_SHA1_WORDS(0), b = DOCA_PRIV_SHA1_WORDS(1); /* a to d: sixteen words */
    __m128i c = DOCA_PRIV_SHA1_WORDS(2), d = DOCA_PRIV_SHA1_WORDS(3);
    __m128i abcd_sum, before, e, last;

    for (; num_blocks > 0; num_blocks--) {
        abcd_sum = abcd;
        e = _mm_add_epi32(e_sum, a);
        before = doca_priv_simd_copy(abcd);
        abcd = _mm_sha1rnds4_epu32(abcd, e, 0);
        DOCA_PRIV_SHA1_QUAD(b, 0);
        a = doca_priv_sha1_msg1(a, b, joins);
        DOCA_PRIV_SHA1_QUAD(c, 0);
        a = _mm_xor_si128(a, c);
        b = doca_priv_sha1_msg1(b, c, joins);
        DOCA_PRIV_SHA1_QUAD_NEXT(d, a, b, c, 0);
        DOCA_PRIV_SHA1_QUAD_NEXT(a, b, c, d, 0);
        DOCA_PRIV_SHA1_QUAD_NEXT(b, c, d, a, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(c, d, a, b, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(d, a, b, c, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(a, b, c, d, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(b, c, d, a, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(c, d, a, b, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(d, a, b, c, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(a, b, c, d, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(b, c, d, a, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(c, d, a, b, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(d, a, b, c, 3);
        DOCA_PRIV_SHA1_QUAD_NEXT(a, b, c, d, 3);
        block += num_blocks > 1 ? 4 : 0;
        last = _mm_xor_si128(d, b);
        c = _mm_sha1msg2_epu32(c, b);
        a = DOCA_PRIV_SHA1_WORDS(0);
        DOCA_PRIV_SHA1_QUAD(b, 3);
        b = DOCA_PRIV_SHA1_WORDS(1);
        last = _mm_sha1msg2_epu32(last, c);
        DOCA_PRIV_SHA1_QUAD(c, 3);
        c = DOCA_PRIV_SHA1_WORDS(2);
        DOCA_PRIV_SHA1_QUAD(last, 3);
        d = DOCA_PRIV_SHA1_WORDS(3);
        e_sum = _mm_sha1nexte_epu32(before, e_sum);
        abcd = _mm_add_epi32(abcd, abcd_sum);
    }
    _mm_storeu_si128(h, _mm_shuffle_epi32(abcd, 0x1b));
    _mm_storeu_si128(h + 1, _mm_srli_si128(e_sum, 12));
}

DOCA_PRIV_SIMD_TARGET DOCA_PRIV_DECL void
doca_priv_sha1_simd(union doca_priv_sha_state *state, const unsigned char *data, size_t num_blocks)
{
    doca_priv_sha1_quads(state, data, num_blocks, false);
}

DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void doca_priv_sha1_simd512(union doca_priv_sha_state *state,
                                                                 const unsigned char *data,
                                                                 size_t num_blocks)
{
    doca_priv_sha1_quads(state, data, num_blocks, true);
}

#define DOCA_PRIV_SHA256_QUAD(m, t)                                                                \
    (wk = _mm_add_epi32(m, DOCA_PRIV_SIMD_LOAD(doca_priv_sha256_k + (t))),                         \
     cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk),                                                 \
     abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e)))

DOCA_PRIV_SIMD_TARGET DOCA_PRIV_DECL void doca_priv_sha256_simd(union doca_priv_sha_state *state,
                                                                const unsigned char *data,
                                                                size_t num_blocks)
{
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i *block = (const __m128i *)(const void *)data;
    __m128i *h = (__m128i *)(void *)state->w32;
    /* badc and hgfe name the words in their lanes from the lowest lane up, abef and cdgh from the
     * highest lane down. */
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(h), 0xb1);
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(h + 1), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    __m128i abef_sum, cdgh_sum, wk, a, b, c, d; /* a to d: sixteen words of the schedule */
    unsigned t;

    for (; num_blocks > 0; num_blocks--, block += 4) {
        abef_sum = abef;
        cdgh_sum = cdgh;
        a = _mm_shuffle_epi8(_mm_loadu_si128(block), swapped);
        b = _mm_shuffle_epi8(_mm_loadu_si128(block + 1), swapped);
        c = _mm_shuffle_epi8(_mm_loadu_si128(block + 2), swapped);
        d = _mm_shuffle_epi8(_mm_loadu_si128(block + 3), swapped);
        for (t = 0;; t += 16) {
            DOCA_PRIV_SHA256_QUAD(a, t);
            DOCA_PRIV_SHA256_QUAD(b, t + 4);
            DOCA_PRIV_SHA256_QUAD(c, t + 8);
            DOCA_PRIV_SHA256_QUAD(d, t + 12);
            if (t == 48)
                break;
            DOCA_PRIV_SHA256_NEXT(a, b, c, d);
            DOCA_PRIV_SHA256_NEXT(b, c, d, a);
            DOCA_PRIV_SHA256_NEXT(c, d, a, b);
            DOCA_PRIV_SHA256_NEXT(d, a, b, c);
        }
        abef = _mm_add_epi32(abef, abef_sum);
        cdgh = _mm_add_epi32(cdgh, cdgh_sum);
    }
    badc = _mm_shuffle_epi32(abef, 0x1b); /* lanes from the lowest: a, b, e, f */
    hgfe = _mm_shuffle_epi32(cdgh, 0xb1); /* lanes from the lowest: g, h, c, d */
    _mm_storeu_si128(h, _mm_blend_epi16(badc, hgfe, 0xf0));
    _mm_storeu_si128(h + 1, _mm_alignr_epi8(hgfe, badc, 8));
}

#elif defined(DOCA_PRIV_SIMD_ARM)

#if defined(__linux__)
#define DOCA_PRIV_SIMD_TARGET512 __attribute__((target("arch=armv8.2-a+sha3")))
#endif

/* The next four words of the schedule of SHA-1 (NEXT), four rounds with the words `m` (QUAD), or
 * both. */
#define DOCA_PRIV_SHA1_NEXT(m0, m1, m2, m3)                                                        \
    (m0 = vsha1su1q_u32(vsha1su0q_u32(m0, m1, m2), m3))
#define DOCA_PRIV_SHA1_QUAD(m, rounds, k)                                                          \
    (e_next = vsha1h_u32(vgetq_lane_u32(abcd, 0)),                                                 \
     abcd = rounds(abcd, e, vaddq_u32(m, vdupq_n_u32(k))), e = e_next)
#define DOCA_PRIV_SHA1_NEXT_QUAD(m0, m1, m2, m3, rounds, k)                                        \
    (DOCA_PRIV_SHA1_NEXT(m0, m1, m2, m3), DOCA_PRIV_SHA1_QUAD(m0, rounds, k))

#define DOCA_PRIV_SIMD_WORDS64(data, n)                                                            \
    vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8((data) + 8 * (n))))

DOCA_PRIV_SIMD_TARGET DOCA_PRIV_DECL void
doca_priv_sha1_simd(union doca_priv_sha_state *state, const unsigned char *data, size_t num_blocks)
{
    uint32x4_t abcd = vld1q_u32(state->w32), abcd_sum, a, b, c, d;
    uint32_t e = state->w32[4], e_sum, e_next;

    for (; num_blocks > 0; num_blocks--, data += 64) {
        abcd_sum = abcd;
        e_sum = e;
        a = DOCA_PRIV_SIMD_WORDS32(data, 0);
        b = DOCA_PRIV_SIMD_WORDS32(data, 4);
        c = DOCA_PRIV_SIMD_WORDS32(data, 8);
        d = DOCA_PRIV_SIMD_WORDS32(data, 12);
        DOCA_PRIV_SHA1_QUAD(a, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_QUAD(b, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_QUAD(c, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_QUAD(d, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_NEXT_QUAD(a, b, c, d, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_NEXT_QUAD(b, c, d, a, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(c, d, a, b, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(d, a, b, c, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(a, b, c, d, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(b, c, d, a, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(c, d, a, b, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(d, a, b, c, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(a, b, c, d, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(b, c, d, a, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(c, d, a, b, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(d, a, b, c, vsha1pq_u32, 0xca62c1d6u);
        DOCA_PRIV_SHA1_NEXT_QUAD(a, b, c, d, vsha1pq_u32, 0xca62c1d6u);
        DOCA_PRIV_SHA1_NEXT_QUAD(b, c, d, a, vsha1pq_u32, 0xca62c1d6u);
        DOCA_PRIV_SHA1_NEXT_QUAD(c, d, a, b, vsha1pq_u32, 0xca62c1d6u);
        DOCA_PRIV_SHA1_NEXT_QUAD(d, a, b, c, vsha1pq_u32, 0xca62c1d6u);
        abcd = vaddq_u32(abcd, abcd_sum);
        e += e_sum;
    }
    vst1q_u32(state->w32, abcd);
    state->w32[4] = e;
}

#define DOCA_PRIV_SHA256_QUAD(m, t)                                                                \
    (k = vaddq_u32(vld1q_u32(doca_priv_sha256_k + (t)), m), before = abcd,                         \
     abcd = vsha256hq_u32(abcd, efgh, k), efgh = vsha256h2q_u32(efgh, before, k))

DOCA_PRIV_SIMD_TARGET DOCA_PRIV_DECL void doca_priv_sha256_simd(union doca_priv_sha_state *state,
                                                                const unsigned char *data,
                                                                size_t num_blocks)
{
    uint32x4_t abcd = vld1q_u32(state->w32), efgh = vld1q_u32(state->w32 + 4);
    uint32x4_t abcd_sum, efgh_sum, before, k, a, b, c, d;
    unsigned t;

    for (; num_blocks > 0; num_blocks--, data += 64) {
        abcd_sum = abcd;
        efgh_sum = efgh;
        a = DOCA_PRIV_SIMD_WORDS32(data, 0);
        b = DOCA_PRIV_SIMD_WORDS32(data, 4);
        c = DOCA_PRIV_SIMD_WORDS32(data, 8);
        d = DOCA_PRIV_SIMD_WORDS32(data, 12);
        for (t = 0;; t += 16) {
            DOCA_PRIV_SHA256_QUAD(a, t);
            DOCA_PRIV_SHA256_QUAD(b, t + 4);
            DOCA_PRIV_SHA256_QUAD(c, t + 8);
            DOCA_PRIV_SHA256_QUAD(d, t + 12);
            if (t == 48)
                break;
            DOCA_PRIV_SHA256_NEXT(a, b, c, d);
            DOCA_PRIV_SHA256_NEXT(b, c, d, a);
            DOCA_PRIV_SHA256_NEXT(c, d, a, b);
            DOCA_PRIV_SHA256_NEXT(d, a, b, c);
        }
        abcd = vaddq_u32(abcd, abcd_sum);
        efgh = vaddq_u32(efgh, efgh_sum);
    }
    vst1q_u32(state->w32, abcd);
    vst1q_u32(state->w32 + 4, efgh);
}

#if defined(DOCA_PRIV_SIMD_TARGET512)

/* Two rounds of SHA-512 with words n and n + 1 of the schedule. Words n + 16 and n + 17 replace
 * them. The rounds replace the variables cd and gh, so the names rotate from call to call. */
#define DOCA_PRIV_SHA512_PAIR(ab, cd, ef, gh, n)                                                   \
    (k = vaddq_u64(w[n], vld1q_u64(doca_priv_sha_k + t + 2 * (n))),                                \
     k = vaddq_u64(vextq_u64(k, k, 1), gh),                                                        \
     k = vsha512hq_u64(k, vextq_u64(ef, gh, 1), vextq_u64(cd, ef, 1)),                             \
     gh = vsha512h2q_u64(k, cd, ab), cd = vaddq_u64(cd, k),                                        \
     w[n] = vsha512su1q_u64(vsha512su0q_u64(w[n], w[((n) + 1) % 8]), w[((n) + 7) % 8],             \
                            vextq_u64(w[((n) + 4) % 8], w[((n) + 5) % 8], 1)))

DOCA_PRIV_SIMD_TARGET512 DOCA_PRIV_DECL void doca_priv_sha512_simd(union doca_priv_sha_state *state,
                                                                   const unsigned char *data,
                                                                   size_t num_blocks)
{
    uint64x2_t ab = vld1q_u64(state->w64), cd = vld1q_u64(state->w64 + 2);
    uint64x2_t ef = vld1q_u64(state->w64 + 4), gh = vld1q_u64(state->w64 + 6);
    uint64x2_t ab_sum, cd_sum, ef_sum, gh_sum, k, w[8];
    unsigned t;

    for (; num_blocks > 0; num_blocks--, data += 128) {
        ab_sum = ab;
        cd_sum = cd;
        ef_sum = ef;
        gh_sum = gh;
        for (t = 0; t < 8; t++)
            w[t] = DOCA_PRIV_SIMD_WORDS64(data, 2 * t);
        for (t = 0; t < 80; t += 16) {
            DOCA_PRIV_SHA512_PAIR(ab, cd, ef, gh, 0);
            DOCA_PRIV_SHA512_PAIR(gh, ab, cd, ef, 1);
            DOCA_PRIV_SHA512_PAIR(ef, gh, ab, cd, 2);
            DOCA_PRIV_SHA512_PAIR(cd, ef, gh, ab, 3);
            DOCA_PRIV_SHA512_PAIR(ab, cd, ef, gh, 4);
            DOCA_PRIV_SHA512_PAIR(gh, ab, cd, ef, 5);
            DOCA_PRIV_SHA512_PAIR(ef, gh, ab, cd, 6);
            DOCA_PRIV_SHA512_PAIR(cd, ef, gh, ab, 7);
        }
        ab = vaddq_u64(ab, ab_sum);
        cd = vaddq_u64(cd, cd_sum);
        ef = vaddq_u64(ef, ef_sum);
        gh = vaddq_u64(gh, gh_sum);
    }
    vst1q_u64(state->w64, ab);
    vst1q_u64(state->w64 + 2, cd);
    vst1q_u64(state->w64 + 4, ef);
    vst1q_u64(state->w64 + 6, gh);
}

#endif

#endif

/* ---- >>impl.sw.pairs ------------------------------------------------------------------------
 * The compression functions for single messages on CPUs without SHA instructions, and of SHA-512 on
 * all x86-64 CPUs. The rounds use general registers. Between them, vector instructions compute the
 * schedules of two blocks, each in one half of the vectors. A round reads from memory the sum of
 * its schedule word and its constant.                                                           */
#include "sw/pairs_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/platform_priv.h"
#include "engine/sha.h"
#include "sw/cpu_priv.h"
#include "sw/sha_priv.h"
#include "sw/simd_priv.h"

#if defined(DOCA_PRIV_SIMD_X86)

/* Words of two schedules: the first block's in the lower half, the second block's in the upper. */
typedef uint32_t doca_priv_pairs32 __attribute__((vector_size(32), may_alias));
typedef uint64_t doca_priv_pairs64 __attribute__((vector_size(32), may_alias));

/* Load 16 bytes at `p` and 16 bytes at `p` + `step`. `order` arranges the bytes of each word. */
DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT __m256i doca_priv_pairs_load(const unsigned char *p, size_t step,
                                                               __m128i order)
{
    return _mm256_shuffle_epi8(
        _mm256_inserti128_si256(_mm256_castsi128_si256(DOCA_PRIV_SIMD_LOAD(p)),
                                DOCA_PRIV_SIMD_LOAD(p + step), 1),
        _mm256_broadcastsi128_si256(order));
}

/* In each half: the words of `low` without the first `n` words, then the first words of `high`. */
#define DOCA_PRIV_PAIRS_FROM(type, high, low, n)                                                   \
    ((type)_mm256_alignr_epi8((__m256i)(high), (__m256i)(low), (n) * (int)sizeof((low)[0])))

/* Compute the vector here: between two rounds, not elsewhere. Compilers would collect the vector
 * instructions of many rounds in one place, where they delay the rounds. */
#define DOCA_PRIV_PAIRS_HERE(v) __asm__ volatile("" : "+x"(v))

/* Instructions of a round; `to` is the destination. The braces contain the operands in the syntax
 * of AT&T and in that of Intel, and the compiler chooses. A round is written in assembly language
 * because its time depends on the order of its instructions. This order was found by measuring. */
#define DOCA_PRIV_PAIRS_OP(name, to, from) name " {" from ", " to "|" to ", " from "}\n\t"
#define DOCA_PRIV_PAIRS_ROR(to, from, bits)                                                        \
    "rorx {$" #bits ", " from ", " to "|" to ", " from ", " #bits "}\n\t"
#define DOCA_PRIV_PAIRS_ANDN(to, not_from, from)                                                   \
    "andn {" from ", " not_from ", " to "|" to ", " not_from ", " from "}\n\t"

/* Rounds of SHA-1 with the three functions of the standard. CH leaves the rotated `b` in `n`, and
 * its caller uses the register of `b` as the next `n`. */
#define DOCA_PRIV_SHA1_CH_ROUND(a, b, c, d, e, n, sum)                                             \
    __asm__ volatile(DOCA_PRIV_PAIRS_ANDN("%3", "%1", "%6")                                        \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%7")                                         \
                     DOCA_PRIV_PAIRS_ROR("%2", "%1", 2)                                            \
                     DOCA_PRIV_PAIRS_OP("and", "%1", "%5")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%3")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%1")                                         \
                     DOCA_PRIV_PAIRS_ROR("%3", "%4", 27)                                           \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%3")                                         \
                     : "+&r"(e), "+&r"(b), "+&r"(n), "=&r"(x)                                      \
                     : "r"(a), "r"(c), "r"(d), "m"(sum)                                            \
                     : "cc")
#define DOCA_PRIV_SHA1_PARITY_ROUND(a, b, c, d, e, sum)                                            \
    __asm__ volatile(DOCA_PRIV_PAIRS_OP("mov", "%2", "%4")                                         \
                     DOCA_PRIV_PAIRS_OP("xor", "%2", "%5")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%6")                                         \
                     DOCA_PRIV_PAIRS_OP("xor", "%2", "%1")                                         \
                     DOCA_PRIV_PAIRS_ROR("%1", "%1", 2)                                            \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%2")                                         \
                     DOCA_PRIV_PAIRS_ROR("%2", "%3", 27)                                           \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%2")                                         \
                     : "+&r"(e), "+&r"(b), "=&r"(x)                                                \
                     : "r"(a), "r"(c), "r"(d), "m"(sum)                                            \
                     : "cc")
#define DOCA_PRIV_SHA1_MAJ_ROUND(a, b, c, d, e, sum)                                               \
    __asm__ volatile(DOCA_PRIV_PAIRS_OP("mov", "%2", "%4")                                         \
                     DOCA_PRIV_PAIRS_OP("xor", "%2", "%5")                                         \
                     DOCA_PRIV_PAIRS_OP("and", "%2", "%1")                                         \
                     DOCA_PRIV_PAIRS_ROR("%1", "%1", 2)                                            \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%7")                                         \
                     DOCA_PRIV_PAIRS_OP("mov", "%3", "%4")                                         \
                     DOCA_PRIV_PAIRS_OP("and", "%3", "%5")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%3")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%2")                                         \
                     DOCA_PRIV_PAIRS_ROR("%3", "%6", 27)                                           \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%3")                                         \
                     : "+&r"(e), "+&r"(b), "=&r"(x), "=&r"(z)                                      \
                     : "r"(c), "r"(d), "r"(a), "m"(sum)                                            \
                     : "cc")

/* _FOUR: four rounds with group `n` of the sums. next(0, n) to next(2, n) stand between the rounds.
 * _TWENTY: five times _FOUR. CH_TWENTY rotates six variables: afterwards the words a to e of the
 * state are in the variables d, e, b, y and c, with which TWENTY begins. */
#define DOCA_PRIV_SHA1_CH_FOUR(next, a, b, c, d, e, y, n)                                          \
    DOCA_PRIV_SHA1_CH_ROUND(a, b, c, d, e, y, sums[8 * (n)]);                                      \
    next(0, n);                                                                                    \
    DOCA_PRIV_SHA1_CH_ROUND(e, a, y, c, d, b, sums[8 * (n) + 1]);                                  \
    next(1, n);                                                                                    \
    DOCA_PRIV_SHA1_CH_ROUND(d, e, b, y, c, a, sums[8 * (n) + 2]);                                  \
    next(2, n);                                                                                    \
    DOCA_PRIV_SHA1_CH_ROUND(c, d, a, b, y, e, sums[8 * (n) + 3])
#define DOCA_PRIV_SHA1_CH_TWENTY(next)                                                             \
    DOCA_PRIV_SHA1_CH_FOUR(next, a, b, c, d, e, y, 0);                                             \
    DOCA_PRIV_SHA1_CH_FOUR(next, y, c, e, a, b, d, 1);                                             \
    DOCA_PRIV_SHA1_CH_FOUR(next, d, e, b, y, c, a, 2);                                             \
    DOCA_PRIV_SHA1_CH_FOUR(next, a, b, c, d, e, y, 3);                                             \
    DOCA_PRIV_SHA1_CH_FOUR(next, y, c, e, a, b, d, 4)
#define DOCA_PRIV_SHA1_FOUR(round, next, a, b, c, d, e, n)                                         \
    round(a, b, c, d, e, sums[8 * (n)]);                                                           \
    next(0, n);                                                                                    \
    round(e, a, b, c, d, sums[8 * (n) + 1]);                                                       \
    next(1, n);                                                                                    \
    round(d, e, a, b, c, sums[8 * (n) + 2]);                                                       \
    next(2, n);                                                                                    \
    round(c, d, e, a, b, sums[8 * (n) + 3])
#define DOCA_PRIV_SHA1_TWENTY(round, next, n)                                                      \
    DOCA_PRIV_SHA1_FOUR(round, next, d, e, b, y, c, n);                                            \
    DOCA_PRIV_SHA1_FOUR(round, next, e, b, y, c, d, (n) + 1);                                      \
    DOCA_PRIV_SHA1_FOUR(round, next, b, y, c, d, e, (n) + 2);                                      \
    DOCA_PRIV_SHA1_FOUR(round, next, y, c, d, e, b, (n) + 3);                                      \
    DOCA_PRIV_SHA1_FOUR(round, next, c, d, e, b, y, (n) + 4)

/* Store the sums of group `n`: its schedule words, which are in w[n % 8], and their constants. */
#define DOCA_PRIV_SHA1_STORE(n)                                                                    \
    (*(doca_priv_pairs32 *)(void *)(all_sums + 8 * (n)) = w[(n) % 8] + doca_priv_sha1_k[(n) / 5])
#define DOCA_PRIV_SHA1_LOAD(n)                                                                     \
    (w[n] = (doca_priv_pairs32)doca_priv_pairs_load(data + 16 * (n), step, swapped),               \
     DOCA_PRIV_SHA1_STORE(n))

/* One of three steps that compute group n + 4. The fourth word of a group depends on the first. In
 * the first four groups this costs extra instructions. The later groups use words from 6 to 32
 * before, to which the formula of the standard can be transformed. */
#define DOCA_PRIV_SHA1_NEXT(step, n)                                                               \
    do {                                                                                           \
        if ((step) == 0 && (n) < 4) {                                                              \
            v = DOCA_PRIV_PAIRS_FROM(doca_priv_pairs32, w[((n) + 1) % 8], w[(n) % 8], 2) ^         \
                w[((n) + 2) % 8] ^ w[(n) % 8] ^                                                    \
                (doca_priv_pairs32)_mm256_srli_si256((__m256i)w[((n) + 3) % 8], 4);                \
            DOCA_PRIV_PAIRS_HERE(v);                                                               \
        } else if ((step) == 0) {                                                                  \
            v = DOCA_PRIV_PAIRS_FROM(doca_priv_pairs32, w[((n) + 3) % 8], w[((n) + 2) % 8], 2) ^   \
                w[(n) % 8] ^ w[((n) + 5) % 8] ^ w[((n) + 4) % 8];                                  \
            DOCA_PRIV_PAIRS_HERE(v);                                                               \
        } else if ((step) == 1 && (n) < 4) {                                                       \
            u = (doca_priv_pairs32)_mm256_slli_si256((__m256i)v, 12);                              \
            w[((n) + 4) % 8] = DOCA_PRIV_SHA_ROL32(v, 1) ^ DOCA_PRIV_SHA_ROL32(u, 2);              \
            DOCA_PRIV_PAIRS_HERE(w[((n) + 4) % 8]);                                                \
        } else if ((step) == 1) {                                                                  \
            w[((n) + 4) % 8] = DOCA_PRIV_SHA_ROL32(v, 2);                                          \
            DOCA_PRIV_PAIRS_HERE(w[((n) + 4) % 8]);                                                \
        } else {                                                                                   \
            DOCA_PRIV_SHA1_STORE((n) + 4);                                                         \
        }                                                                                          \
    } while (0)
#define DOCA_PRIV_SHA1_NOTHING(step, n) (void)0

static const uint32_t doca_priv_sha1_k[4] = { 0x5a827999u, 0x6ed9eba1u, 0x8f1bbcdcu, 0xca62c1d6u };

/* analyzer: readability-function-size: the macros write out 80 rounds of two blocks */
DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT void doca_priv_sha1_pairs(union doca_priv_sha_state *state,
                                                            const unsigned char *data,
                                                            size_t num_blocks)
{
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    DOCA_CORE_ALIGNED uint32_t all_sums[2 * 80]; /* groups of four; blocks alternate */
    uint32_t *s = state->w32, a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], x, y = 0, z;
    doca_priv_pairs32 w[8], v, u;
    const uint32_t *sums;
    bool is_second, is_late;
    size_t step;

    for (is_second = false; num_blocks > 0; is_second = !is_second, num_blocks--, data += 64) {
        sums = all_sums + (is_second ? 4 : 0);
        DOCA_PRIV_HIDE(sums);
        if (is_second) {
            DOCA_PRIV_SHA1_CH_TWENTY(DOCA_PRIV_SHA1_NOTHING);
        } else {
            step = num_blocks > 1 ? 64 : 0; /* a single block is in both halves */
            DOCA_PRIV_SHA1_LOAD(0);
            DOCA_PRIV_SHA1_LOAD(1);
            DOCA_PRIV_SHA1_LOAD(2);
            DOCA_PRIV_SHA1_LOAD(3);
            DOCA_PRIV_SHA1_CH_TWENTY(DOCA_PRIV_SHA1_NEXT);
            DOCA_PRIV_SHA1_TWENTY(DOCA_PRIV_SHA1_PARITY_ROUND, DOCA_PRIV_SHA1_NEXT, 5);
            DOCA_PRIV_SHA1_TWENTY(DOCA_PRIV_SHA1_MAJ_ROUND, DOCA_PRIV_SHA1_NEXT, 10);
            DOCA_PRIV_SHA1_NEXT(0, 15);
            DOCA_PRIV_SHA1_NEXT(1, 15);
            DOCA_PRIV_SHA1_NEXT(2, 15);
            sums += 80;
        }
        for (is_late = !is_second;; is_late = true) {
            DOCA_PRIV_HIDE(sums);
            DOCA_PRIV_SHA1_TWENTY(DOCA_PRIV_SHA1_PARITY_ROUND, DOCA_PRIV_SHA1_NOTHING, 5);
            if (is_late)
                break;
            DOCA_PRIV_SHA1_TWENTY(DOCA_PRIV_SHA1_MAJ_ROUND, DOCA_PRIV_SHA1_NOTHING, 10);
            sums += 80;
        }
        DOCA_PRIV_HIDE(s);
        a = s[0] += d;
        x = s[1] += e;
        z = s[2] += b;
        d = s[3] += y;
        e = s[4] += c;
        b = x;
        c = z;
    }
}

/* A round of SHA-256 or SHA-512. On entry `y` is b ^ c. The round overwrites `y`, and leaves a ^ b
 * in `x` for the next round. F_TURN is the rotations of the two sums. */
#define DOCA_PRIV_SHA2_PAIRS_ROUND(F, a, b, c, d, e, f, g, h, x, y, sum)                           \
    __asm__ volatile(DOCA_PRIV_PAIRS_OP("mov", "%3", "%8")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%11")                                        \
                     DOCA_PRIV_PAIRS_ANDN("%4", "%8", "%10")                                       \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%4")                                         \
                     F##_TURN_E("%4", "%5", "%8")                                                  \
                     DOCA_PRIV_PAIRS_OP("xor", "%4", "%5")                                         \
                     DOCA_PRIV_PAIRS_OP("and", "%3", "%9")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%3")                                         \
                     F##_TURN_E_LAST("%5", "%8")                                                   \
                     DOCA_PRIV_PAIRS_OP("mov", "%3", "%6")                                         \
                     DOCA_PRIV_PAIRS_OP("xor", "%4", "%5")                                         \
                     DOCA_PRIV_PAIRS_OP("xor", "%3", "%7")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%4")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%1", "%0")                                         \
                     DOCA_PRIV_PAIRS_OP("and", "%2", "%3")                                         \
                     F##_TURN_A("%4", "%5", "%6")                                                  \
                     DOCA_PRIV_PAIRS_OP("xor", "%2", "%7")                                         \
                     DOCA_PRIV_PAIRS_OP("xor", "%4", "%5")                                         \
                     F##_TURN_A_LAST("%5", "%6")                                                   \
                     DOCA_PRIV_PAIRS_OP("xor", "%4", "%5")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%2")                                         \
                     DOCA_PRIV_PAIRS_OP("add", "%0", "%4")                                         \
                     : "+&r"(h), "+&r"(d), "+&r"(y), "+&r"(x), "=&r"(z), "=&r"(z2)                 \
                     : "r"(a), "r"(b), "r"(e), "r"(f), "r"(g), "m"(sum)                            \
                     : "cc")
#define DOCA_PRIV_SHA256_TURN_E(to, to2, e)                                                        \
    DOCA_PRIV_PAIRS_ROR(to, e, 11) DOCA_PRIV_PAIRS_ROR(to2, e, 6)
#define DOCA_PRIV_SHA256_TURN_E_LAST(to, e) DOCA_PRIV_PAIRS_ROR(to, e, 25)
#define DOCA_PRIV_SHA256_TURN_A(to, to2, a)                                                        \
    DOCA_PRIV_PAIRS_ROR(to, a, 13) DOCA_PRIV_PAIRS_ROR(to2, a, 2)
#define DOCA_PRIV_SHA256_TURN_A_LAST(to, a) DOCA_PRIV_PAIRS_ROR(to, a, 22)
#define DOCA_PRIV_SHA512_TURN_E(to, to2, e)                                                        \
    DOCA_PRIV_PAIRS_ROR(to, e, 14) DOCA_PRIV_PAIRS_ROR(to2, e, 18)
#define DOCA_PRIV_SHA512_TURN_E_LAST(to, e) DOCA_PRIV_PAIRS_ROR(to, e, 41)
#define DOCA_PRIV_SHA512_TURN_A(to, to2, a)                                                        \
    DOCA_PRIV_PAIRS_ROR(to, a, 28) DOCA_PRIV_PAIRS_ROR(to2, a, 34)
#define DOCA_PRIV_SHA512_TURN_A_LAST(to, a) DOCA_PRIV_PAIRS_ROR(to, a, 39)

/* Store the sums of group `n`, with the constants from number `t` on. */
#define DOCA_PRIV_SHA256_STORE(to, t, n)                                                           \
    (*(doca_priv_pairs32 *)(void *)((to) + 8 * (n)) =                                              \
         w[n] + (doca_priv_pairs32)_mm256_broadcastsi128_si256(                                    \
                    DOCA_PRIV_SIMD_LOAD(doca_priv_sha256_k + (t) + 4 * (n))))
#define DOCA_PRIV_SHA256_LOAD(n)                                                                   \
    (w[n] = (doca_priv_pairs32)doca_priv_pairs_load(data + 16 * (n), step, swapped),               \
     DOCA_PRIV_SHA256_STORE(all_sums, 0, n))

/* Four rounds; the _NEXT form also computes the schedule words that are used 16 rounds later. */
#define DOCA_PRIV_SHA256_FOUR(a, b, c, d, e, f, g, h, n)                                           \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA256, a, b, c, d, e, f, g, h, x, y, sums[8 * (n)]);     \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA256, h, a, b, c, d, e, f, g, y, x, sums[8 * (n) + 1]); \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA256, g, h, a, b, c, d, e, f, x, y, sums[8 * (n) + 2]); \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA256, f, g, h, a, b, c, d, e, y, x, sums[8 * (n) + 3])
#define DOCA_PRIV_SHA256_FOUR_NEXT(a, b, c, d, e, f, g, h, n)                                      \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA256, a, b, c, d, e, f, g, h, x, y, sums[8 * (n)]);     \
    v = DOCA_PRIV_PAIRS_FROM(doca_priv_pairs32, w[((n) + 1) % 4], w[n], 1);                        \
    v = DOCA_PRIV_SHA256_MIX0(v);                                                                  \
    DOCA_PRIV_PAIRS_HERE(v);                                                                       \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA256, h, a, b, c, d, e, f, g, y, x, sums[8 * (n) + 1]); \
    w[n] += v + DOCA_PRIV_PAIRS_FROM(doca_priv_pairs32, w[((n) + 3) % 4], w[((n) + 2) % 4], 1);    \
    w[n] += doca_priv_sha256_mix_low(w[((n) + 3) % 4], rotates);                                   \
    DOCA_PRIV_PAIRS_HERE(w[n]);                                                                    \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA256, g, h, a, b, c, d, e, f, x, y, sums[8 * (n) + 2]); \
    w[n] += doca_priv_sha256_mix_high(w[n], rotates);                                              \
    DOCA_PRIV_PAIRS_HERE(w[n]);                                                                    \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA256, f, g, h, a, b, c, d, e, y, x, sums[8 * (n) + 3]); \
    DOCA_PRIV_SHA256_STORE(sums + 32, t + 16, n)

/* MIX1 of words that appear twice, next to each other: then a shift of both is a rotation. The
 * result is in the first word of each two. */
DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT __m256i doca_priv_sha256_mix_twice(__m256i words)
{
    return _mm256_xor_si256(
        _mm256_xor_si256(_mm256_srli_epi64(words, 17), _mm256_srli_epi64(words, 19)),
        _mm256_srli_epi32(words, 10));
}

/* MIX1 of words 2 and 3 for words 0 and 1; MIX1 of words 0 and 1 for words 2 and 3. The other words
 * of the result are 0. `rotates`: the CPU has instructions that rotate words of vectors. */
DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT doca_priv_pairs32
doca_priv_sha256_mix_low(doca_priv_pairs32 words, bool rotates)
{
    const __m128i first = _mm_set_epi32(-1, -1, 0x0b0a0908, 0x03020100);
    __m256i twice = _mm256_shuffle_epi32((__m256i)words, 0xfa);

    words = (doca_priv_pairs32)_mm256_srli_si256((__m256i)words, 8);
    if (rotates)
        return DOCA_PRIV_SHA256_MIX1(words);
    return (doca_priv_pairs32)_mm256_shuffle_epi8(doca_priv_sha256_mix_twice(twice),
                                                  _mm256_broadcastsi128_si256(first));
}

DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT doca_priv_pairs32
doca_priv_sha256_mix_high(doca_priv_pairs32 words, bool rotates)
{
    const __m128i last = _mm_set_epi32(0x0b0a0908, 0x03020100, -1, -1);
    __m256i twice = _mm256_shuffle_epi32((__m256i)words, 0x50);

    words = (doca_priv_pairs32)_mm256_slli_si256((__m256i)words, 8);
    if (rotates)
        return DOCA_PRIV_SHA256_MIX1(words);
    return (doca_priv_pairs32)_mm256_shuffle_epi8(doca_priv_sha256_mix_twice(twice),
                                                  _mm256_broadcastsi128_si256(last));
}

/* Add the state before a block to the state after its rounds. */
#define DOCA_PRIV_SHA2_PAIRS_ADD()                                                                 \
    (a = s[0] += a, b = s[1] += b, c = s[2] += c, d = s[3] += d, e = s[4] += e, f = s[5] += f,     \
     g = s[6] += g, h = s[7] += h)

DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT void doca_priv_sha256_pairs(union doca_priv_sha_state *state,
                                                              const unsigned char *data,
                                                              size_t num_blocks, bool rotates)
{
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    DOCA_CORE_ALIGNED uint32_t all_sums[2 * 64]; /* groups of four; blocks alternate */
    uint32_t *sums, *s = state->w32, x = 0, y, z, z2;
    uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    doca_priv_pairs32 w[4], v;
    size_t t, half, step;

    while (num_blocks > 0) {
        step = num_blocks > 1 ? 64 : 0; /* a single block is in both halves */
        DOCA_PRIV_SHA256_LOAD(0);
        DOCA_PRIV_SHA256_LOAD(1);
        DOCA_PRIV_SHA256_LOAD(2);
        DOCA_PRIV_SHA256_LOAD(3);
        y = b ^ c;
        for (t = 0; t < 48; t += 16) {
            sums = all_sums + 2 * t;
            DOCA_PRIV_SHA256_FOUR_NEXT(a, b, c, d, e, f, g, h, 0);
            DOCA_PRIV_SHA256_FOUR_NEXT(e, f, g, h, a, b, c, d, 1);
            DOCA_PRIV_SHA256_FOUR_NEXT(a, b, c, d, e, f, g, h, 2);
            DOCA_PRIV_SHA256_FOUR_NEXT(e, f, g, h, a, b, c, d, 3);
        }
        for (half = 0; half < 2 && num_blocks > 0; half++, num_blocks--, data += 64, t = 0) {
            for (y = b ^ c; t < 64; t += 8) {
                sums = all_sums + 2 * t + 4 * half;
                DOCA_PRIV_SHA256_FOUR(a, b, c, d, e, f, g, h, 0);
                DOCA_PRIV_SHA256_FOUR(e, f, g, h, a, b, c, d, 1);
            }
            DOCA_PRIV_HIDE(s);
            DOCA_PRIV_SHA2_PAIRS_ADD();
        }
    }
}

#define DOCA_PRIV_SHA512_STORE(to, t, n)                                                           \
    (*(doca_priv_pairs64 *)(void *)((to) + 4 * (n)) =                                              \
         w[n] + (doca_priv_pairs64)_mm256_broadcastsi128_si256(                                    \
                    DOCA_PRIV_SIMD_LOAD(doca_priv_sha_k + (t) + 2 * (n))))
#define DOCA_PRIV_SHA512_LOAD(n)                                                                   \
    (w[n] = (doca_priv_pairs64)doca_priv_pairs_load(data + 16 * (n), step, swapped),               \
     DOCA_PRIV_SHA512_STORE(all_sums, 0, n))

/* Two rounds; the _NEXT form also computes the schedule words that are used 16 rounds later. */
#define DOCA_PRIV_SHA512_TWO(a, b, c, d, e, f, g, h, n)                                            \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA512, a, b, c, d, e, f, g, h, x, y, sums[4 * (n)]);     \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA512, h, a, b, c, d, e, f, g, y, x, sums[4 * (n) + 1])
#define DOCA_PRIV_SHA512_TWO_NEXT(a, b, c, d, e, f, g, h, n)                                       \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA512, a, b, c, d, e, f, g, h, x, y, sums[4 * (n)]);     \
    v = DOCA_PRIV_PAIRS_FROM(doca_priv_pairs64, w[((n) + 1) % 8], w[n], 1);                        \
    w[n] += DOCA_PRIV_SHA512_MIX0(v);                                                              \
    DOCA_PRIV_PAIRS_HERE(w[n]);                                                                    \
    DOCA_PRIV_SHA2_PAIRS_ROUND(DOCA_PRIV_SHA512, h, a, b, c, d, e, f, g, y, x, sums[4 * (n) + 1]); \
    w[n] += DOCA_PRIV_SHA512_MIX1(w[((n) + 7) % 8]) +                                              \
            DOCA_PRIV_PAIRS_FROM(doca_priv_pairs64, w[((n) + 5) % 8], w[((n) + 4) % 8], 1);        \
    DOCA_PRIV_PAIRS_HERE(w[n]);                                                                    \
    DOCA_PRIV_SHA512_STORE(sums + 32, t + 16, n)
#define DOCA_PRIV_SHA512_EIGHT(two, n)                                                             \
    two(a, b, c, d, e, f, g, h, n);                                                                \
    two(g, h, a, b, c, d, e, f, (n) + 1);                                                          \
    two(e, f, g, h, a, b, c, d, (n) + 2);                                                          \
    two(c, d, e, f, g, h, a, b, (n) + 3)

DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT void doca_priv_sha512_pairs(union doca_priv_sha_state *state,
                                                              const unsigned char *data,
                                                              size_t num_blocks)
{
    const __m128i swapped = _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607);
    DOCA_CORE_ALIGNED uint64_t all_sums[2 * 80]; /* groups of two; blocks alternate */
    uint64_t *sums, *s = state->w64, x = 0, y, z, z2;
    uint64_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    doca_priv_pairs64 w[8], v;
    size_t t, half, step;

    while (num_blocks > 0) {
        step = num_blocks > 1 ? 128 : 0; /* a single block is in both halves */
        DOCA_PRIV_SHA512_LOAD(0);
        DOCA_PRIV_SHA512_LOAD(1);
        DOCA_PRIV_SHA512_LOAD(2);
        DOCA_PRIV_SHA512_LOAD(3);
        DOCA_PRIV_SHA512_LOAD(4);
        DOCA_PRIV_SHA512_LOAD(5);
        DOCA_PRIV_SHA512_LOAD(6);
        DOCA_PRIV_SHA512_LOAD(7);
        y = b ^ c;
        for (t = 0; t < 64; t += 16) {
            sums = all_sums + 2 * t;
            DOCA_PRIV_SHA512_EIGHT(DOCA_PRIV_SHA512_TWO_NEXT, 0);
            DOCA_PRIV_SHA512_EIGHT(DOCA_PRIV_SHA512_TWO_NEXT, 4);
        }
        for (half = 0; half < 2 && num_blocks > 0; half++, num_blocks--, data += 128, t = 0) {
            for (y = b ^ c; t < 80; t += 8) {
                sums = all_sums + 2 * t + 2 * half;
                DOCA_PRIV_SHA512_EIGHT(DOCA_PRIV_SHA512_TWO, 0);
            }
            DOCA_PRIV_HIDE(s);
            DOCA_PRIV_SHA2_PAIRS_ADD();
        }
    }
}

/* The versions for CPUs with AVX2, and for CPUs with AVX-512, which rotates words of vectors. */
DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_DECL void doca_priv_sha1_pairs256(union doca_priv_sha_state *state,
                                                                const unsigned char *data,
                                                                size_t num_blocks)
{
    doca_priv_sha1_pairs(state, data, num_blocks);
}

DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_DECL void doca_priv_sha256_pairs256(union doca_priv_sha_state *state,
                                                                  const unsigned char *data,
                                                                  size_t num_blocks)
{
    doca_priv_sha256_pairs(state, data, num_blocks, false);
}

DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_DECL void doca_priv_sha512_pairs256(union doca_priv_sha_state *state,
                                                                  const unsigned char *data,
                                                                  size_t num_blocks)
{
    doca_priv_sha512_pairs(state, data, num_blocks);
}

DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void doca_priv_sha1_pairs512(union doca_priv_sha_state *state,
                                                                  const unsigned char *data,
                                                                  size_t num_blocks)
{
    doca_priv_sha1_pairs(state, data, num_blocks);
}

DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void
doca_priv_sha256_pairs512(union doca_priv_sha_state *state, const unsigned char *data,
                          size_t num_blocks)
{
    doca_priv_sha256_pairs(state, data, num_blocks, true);
}

DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_DECL void
doca_priv_sha512_pairs512(union doca_priv_sha_state *state, const unsigned char *data,
                          size_t num_blocks)
{
    doca_priv_sha512_pairs(state, data, num_blocks);
}

#endif

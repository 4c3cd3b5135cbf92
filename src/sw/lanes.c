/* ---- >>impl.sw.lanes ------------------------------------------------------------------------
 * Several messages at once, each in its own SIMD lane, and the choice of hash functions for the
 * CPU. In the common state, word i of lane l is at index [i * lanes + l].                       */
#include "sw/lanes_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/platform_priv.h"
#include "engine/sha.h"
#include "sw/cpu_priv.h"
#include "sw/lanes512_priv.h"
#include "sw/pairs_priv.h"
#include "sw/sha_priv.h"
#include "sw/simd_priv.h"

#define DOCA_PRIV_LANES_NO { NULL, 0, UINT8_MAX }
#define DOCA_PRIV_LANES_NONE { DOCA_PRIV_LANES_NO, DOCA_PRIV_LANES_NO, DOCA_PRIV_LANES_NO }
#define DOCA_PRIV_LANES_TWO                                                                        \
    { DOCA_PRIV_LANES_NO, { doca_priv_sha256_two, 2, 2 }, DOCA_PRIV_LANES_NO }

#if defined(DOCA_PRIV_SIMD_X86)

#if !defined(__clang__) /* GCC 12 in C++ warns about parts of vectors that AVX2 functions leave
                         * unset intentionally */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* Load 16 bytes at offset `at` from each of the messages data[0] and data[step]. `order` arranges
 * the bytes of each word. */
DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT __m256i doca_priv_lanes_row256(doca_priv_lane_data data,
                                                                 size_t step, size_t at,
                                                                 __m256i order)
{
    __m256i row = _mm256_castsi128_si256(DOCA_PRIV_SIMD_LOAD(data[0] + at));

    row = _mm256_inserti128_si256(row, DOCA_PRIV_SIMD_LOAD(data[step] + at), 1);
    return _mm256_shuffle_epi8(row, order);
}

DOCA_PRIV_LANES_WORDS(DOCA_PRIV_SIMD_AVX2, 256, _mm256_broadcastsi128_si256)
DOCA_PRIV_SHA1_KERNEL(doca_priv_sha1_lanes256, static DOCA_PRIV_SIMD_AVX2, doca_priv_lanes32x256,
                      doca_priv_lane_data, doca_priv_lanes_words32x256)
DOCA_PRIV_SHA2_KERNEL(doca_priv_sha256_lanes256, static DOCA_PRIV_SIMD_AVX2, DOCA_PRIV_SHA256, 64,
                      doca_priv_lanes32x256, doca_priv_lane_data, doca_priv_lanes_words32x256)
DOCA_PRIV_SHA2_KERNEL(doca_priv_sha512_lanes256, static DOCA_PRIV_SIMD_AVX2, DOCA_PRIV_SHA512, 80,
                      doca_priv_lanes64x256, doca_priv_lane_data, doca_priv_lanes_words64x256)

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/* Four rounds of SHA-256 for each of two messages. The SHA instructions of a single message wait
 * for each other; the instructions of a second message fill these gaps. */
#define DOCA_PRIV_SHA256_TWO_QUADS(m, m2, t)                                                       \
    (k = DOCA_PRIV_SIMD_LOAD(doca_priv_sha256_k + (t)), wk = _mm_add_epi32(m, k),                  \
     wk2 = _mm_add_epi32(m2, k), cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk),                     \
     cdgh2 = _mm_sha256rnds2_epu32(cdgh2, abef2, wk2),                                             \
     abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e)),                        \
     abef2 = _mm_sha256rnds2_epu32(abef2, cdgh2, _mm_shuffle_epi32(wk2, 0x0e)))
#define DOCA_PRIV_SHA256_SWAP_HALVES(x) _mm_castsi128_ps(_mm_shuffle_epi32(x, 0x4e))

DOCA_PRIV_SIMD_TARGET static void doca_priv_sha256_two(union doca_priv_sha_state *state,
                                                       doca_priv_lane_data data, size_t num_blocks)
{
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    float *h = (float *)(void *)state;
    __m128 ab = _mm_loadu_ps(h), cd = _mm_loadu_ps(h + 4); /* words of the two messages alternate */
    __m128 ef = _mm_loadu_ps(h + 8), gh = _mm_loadu_ps(h + 12);
    __m128i abef = _mm_castps_si128(_mm_shuffle_ps(ef, ab, 0x22));
    __m128i cdgh = _mm_castps_si128(_mm_shuffle_ps(gh, cd, 0x22));
    __m128i abef2 = _mm_castps_si128(_mm_shuffle_ps(ef, ab, 0x77));
    __m128i cdgh2 = _mm_castps_si128(_mm_shuffle_ps(gh, cd, 0x77));
    __m128i abef_sum, cdgh_sum, abef2_sum, cdgh2_sum, k, wk, wk2;
    __m128i a, b, c, d, a2, b2, c2, d2;
    size_t at, t;

    for (at = 0; num_blocks > 0; num_blocks--, at += 64) {
        abef_sum = abef;
        cdgh_sum = cdgh;
        abef2_sum = abef2;
        cdgh2_sum = cdgh2;
        a = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[0] + at), swapped);
        b = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[0] + at + 16), swapped);
        c = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[0] + at + 32), swapped);
        d = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[0] + at + 48), swapped);
        a2 = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[1] + at), swapped);
        b2 = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[1] + at + 16), swapped);
        c2 = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[1] + at + 32), swapped);
        d2 = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[1] + at + 48), swapped);
        for (t = 0;; t += 16) {
            DOCA_PRIV_SHA256_TWO_QUADS(a, a2, t);
            DOCA_PRIV_SHA256_TWO_QUADS(b, b2, t + 4);
            DOCA_PRIV_SHA256_TWO_QUADS(c, c2, t + 8);
            DOCA_PRIV_SHA256_TWO_QUADS(d, d2, t + 12);
            if (t == 48)
                break;
            DOCA_PRIV_SHA256_NEXT(a, b, c, d);
            DOCA_PRIV_SHA256_NEXT(a2, b2, c2, d2);
            DOCA_PRIV_SHA256_NEXT(b, c, d, a);
            DOCA_PRIV_SHA256_NEXT(b2, c2, d2, a2);
            DOCA_PRIV_SHA256_NEXT(c, d, a, b);
            DOCA_PRIV_SHA256_NEXT(c2, d2, a2, b2);
            DOCA_PRIV_SHA256_NEXT(d, a, b, c);
            DOCA_PRIV_SHA256_NEXT(d2, a2, b2, c2);
        }
        abef = _mm_add_epi32(abef, abef_sum);
        cdgh = _mm_add_epi32(cdgh, cdgh_sum);
        abef2 = _mm_add_epi32(abef2, abef2_sum);
        cdgh2 = _mm_add_epi32(cdgh2, cdgh2_sum);
    }
    _mm_storeu_ps(h, DOCA_PRIV_SHA256_SWAP_HALVES(_mm_unpackhi_epi32(abef, abef2)));
    _mm_storeu_ps(h + 4, DOCA_PRIV_SHA256_SWAP_HALVES(_mm_unpackhi_epi32(cdgh, cdgh2)));
    _mm_storeu_ps(h + 8, DOCA_PRIV_SHA256_SWAP_HALVES(_mm_unpacklo_epi32(abef, abef2)));
    _mm_storeu_ps(h + 12, DOCA_PRIV_SHA256_SWAP_HALVES(_mm_unpacklo_epi32(cdgh, cdgh2)));
}

/* Return the hash functions for a CPU with these features. Hashing in lanes takes the same time for
 * any number of messages. It is faster than hashing the messages one by one when at least about a
 * third of the lanes are in use. For SHA-256 it is faster than hashing the messages in pairs when
 * at least about two thirds are in use. */
static const struct doca_priv_sha_kernels *doca_priv_simd_sha(unsigned cpu)
{
    static const struct doca_priv_sha_kernels simd[2][3] = {
        { { { doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_plain },
            DOCA_PRIV_LANES_NONE,
            DOCA_PRIV_LANES_NONE },
          { { doca_priv_sha1_pairs256, doca_priv_sha256_pairs256, doca_priv_sha512_pairs256 },
            DOCA_PRIV_LANES_NONE,
            { { doca_priv_sha1_lanes256, 8, 3 },
              { doca_priv_sha256_lanes256, 8, 3 },
              { doca_priv_sha512_lanes256, 4, 3 } } },
          { { doca_priv_sha1_pairs512, doca_priv_sha256_pairs512, doca_priv_sha512_pairs512 },
            DOCA_PRIV_LANES_NONE,
            { { doca_priv_sha1_lanes512, 16, 3 },
              { doca_priv_sha256_lanes512, 16, 2 },
              { doca_priv_sha512_lanes512, 8, 3 } } } },
        { { { doca_priv_sha1_simd, doca_priv_sha256_simd, doca_priv_sha512_plain },
            DOCA_PRIV_LANES_TWO,
            DOCA_PRIV_LANES_NONE },
          { { doca_priv_sha1_simd, doca_priv_sha256_simd, doca_priv_sha512_pairs256 },
            DOCA_PRIV_LANES_TWO,
            { { doca_priv_sha1_lanes256, 8, 6 },
              DOCA_PRIV_LANES_NO,
              { doca_priv_sha512_lanes256, 4, 3 } } },
          { { doca_priv_sha1_simd512, doca_priv_sha256_simd, doca_priv_sha512_pairs512 },
            DOCA_PRIV_LANES_TWO,
            { { doca_priv_sha1_lanes512, 16, 5 },
              { doca_priv_sha256_lanes512, 16, 10 },
              { doca_priv_sha512_lanes512, 8, 3 } } } },
    };

    return &simd[cpu & DOCA_PRIV_CPU_SHA][(cpu & DOCA_PRIV_CPU_AVX512) != 0 ? 2
                                          : (cpu & DOCA_PRIV_CPU_AVX2) != 0 ? 1
                                                                            : 0];
}

#elif defined(DOCA_PRIV_SIMD_ARM)

/* Four rounds of SHA-256 for each of two messages. The SHA instructions of a single message wait
 * for each other; the instructions of a second message fill these gaps. */
#define DOCA_PRIV_SHA256_TWO_QUADS(m, m2, t)                                                       \
    (k = vld1q_u32(doca_priv_sha256_k + (t)), before = abcd, before2 = abcd2,                      \
     wk = vaddq_u32(k, m), wk2 = vaddq_u32(k, m2), abcd = vsha256hq_u32(abcd, efgh, wk),           \
     abcd2 = vsha256hq_u32(abcd2, efgh2, wk2), efgh = vsha256h2q_u32(efgh, before, wk),            \
     efgh2 = vsha256h2q_u32(efgh2, before2, wk2))

DOCA_PRIV_SIMD_TARGET static void doca_priv_sha256_two(union doca_priv_sha_state *state,
                                                       const unsigned char *const *data,
                                                       size_t num_blocks)
{
    uint32_t *h = (uint32_t *)(void *)state;
    /* words of the two messages alternate in memory */
    uint32x4x2_t abcds = vld2q_u32(h), efghs = vld2q_u32(h + 8);
    uint32x4_t abcd = abcds.val[0], efgh = efghs.val[0], abcd2 = abcds.val[1];
    uint32x4_t efgh2 = efghs.val[1], k, wk, wk2, before, before2, a, b, c, d, a2, b2, c2, d2;
    size_t at, t;

    for (at = 0; num_blocks > 0; num_blocks--, at += 64) {
        a = DOCA_PRIV_SIMD_WORDS32(data[0] + at, 0);
        b = DOCA_PRIV_SIMD_WORDS32(data[0] + at, 4);
        c = DOCA_PRIV_SIMD_WORDS32(data[0] + at, 8);
        d = DOCA_PRIV_SIMD_WORDS32(data[0] + at, 12);
        a2 = DOCA_PRIV_SIMD_WORDS32(data[1] + at, 0);
        b2 = DOCA_PRIV_SIMD_WORDS32(data[1] + at, 4);
        c2 = DOCA_PRIV_SIMD_WORDS32(data[1] + at, 8);
        d2 = DOCA_PRIV_SIMD_WORDS32(data[1] + at, 12);
        for (t = 0;; t += 16) {
            DOCA_PRIV_SHA256_TWO_QUADS(a, a2, t);
            DOCA_PRIV_SHA256_TWO_QUADS(b, b2, t + 4);
            DOCA_PRIV_SHA256_TWO_QUADS(c, c2, t + 8);
            DOCA_PRIV_SHA256_TWO_QUADS(d, d2, t + 12);
            if (t == 48)
                break;
            DOCA_PRIV_SHA256_NEXT(a, b, c, d);
            DOCA_PRIV_SHA256_NEXT(a2, b2, c2, d2);
            DOCA_PRIV_SHA256_NEXT(b, c, d, a);
            DOCA_PRIV_SHA256_NEXT(b2, c2, d2, a2);
            DOCA_PRIV_SHA256_NEXT(c, d, a, b);
            DOCA_PRIV_SHA256_NEXT(c2, d2, a2, b2);
            DOCA_PRIV_SHA256_NEXT(d, a, b, c);
            DOCA_PRIV_SHA256_NEXT(d2, a2, b2, c2);
        }
        abcd = abcds.val[0] = vaddq_u32(abcd, abcds.val[0]);
        efgh = efghs.val[0] = vaddq_u32(efgh, efghs.val[0]);
        abcd2 = abcds.val[1] = vaddq_u32(abcd2, abcds.val[1]);
        efgh2 = efghs.val[1] = vaddq_u32(efgh2, efghs.val[1]);
    }
    vst2q_u32(h, abcds);
    vst2q_u32(h + 8, efghs);
}

static const struct doca_priv_sha_kernels *doca_priv_simd_sha(unsigned cpu)
{
    static const struct doca_priv_sha_kernels simd[3] = {
        { { doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_plain },
          DOCA_PRIV_LANES_NONE,
          DOCA_PRIV_LANES_NONE },
        { { doca_priv_sha1_simd, doca_priv_sha256_simd, doca_priv_sha512_plain },
          DOCA_PRIV_LANES_TWO,
          DOCA_PRIV_LANES_NONE },
        { { doca_priv_sha1_simd, doca_priv_sha256_simd, doca_priv_sha512_simd },
          DOCA_PRIV_LANES_TWO,
          DOCA_PRIV_LANES_NONE },
    };

    return &simd[(cpu & DOCA_PRIV_CPU_SHA512) != 0 ? 2 : cpu];
}

#else

static const struct doca_priv_sha_kernels *doca_priv_simd_sha(unsigned cpu)
{
    static const struct doca_priv_sha_kernels plain = {
        { doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_plain },
        DOCA_PRIV_LANES_NONE,
        DOCA_PRIV_LANES_NONE
    };

    (void)cpu;
    return &plain;
}

#endif

/* Return the hash functions of the software device. They are chosen once; threads that choose at
 * the same time make the same choice. */
DOCA_PRIV_DECL const struct doca_priv_sha_kernels *doca_priv_sha_choice(void)
{
    static const struct doca_priv_sha_kernels *chosen;
    const struct doca_priv_sha_kernels *kernels = DOCA_PRIV_LOAD(&chosen);

    if (kernels == NULL) {
        kernels = doca_priv_simd_sha(doca_priv_simd_cpu());
        DOCA_PRIV_STORE(&chosen, kernels);
    }
    return kernels;
}

/* Advance by `num_blocks` blocks. After the whole blocks of the message, continue in its tail. */
static void doca_priv_sha_message_advance(struct doca_priv_sha_message *m, uint8_t algorithm,
                                          size_t num_blocks)
{
    m->data += num_blocks << doca_priv_sha_log_block(algorithm);
    m->num_blocks -= num_blocks;
    if (m->num_blocks == 0) {
        m->data = m->tail;
        m->num_blocks = m->num_tail;
        m->num_tail = 0;
    }
}

DOCA_PRIV_DECL void doca_priv_sha_message_begin(struct doca_priv_sha_message *m, uint8_t algorithm,
                                                const unsigned char *data, size_t len)
{
    unsigned log_block = doca_priv_sha_log_block(algorithm);

    doca_priv_sha_begin(&m->state, algorithm);
    m->data = data;
    m->num_blocks = len >> log_block;
    m->num_tail = doca_priv_sha_copy_tail(m->tail, data, len, log_block);
    doca_priv_sha_message_advance(m, algorithm, 0);
}

/* The hash states of the messages in all lanes. */
struct doca_priv_sha_in_lanes {
    DOCA_CORE_ALIGNED union {
        uint32_t w32[8 * DOCA_PRIV_SHA_GROUP];
        uint64_t w64[8 * DOCA_PRIV_SHA_GROUP / 2];
    } state;
    size_t num;
    uint8_t algorithm;
};

/* enter: copy the hash state of a message into a lane. leave: copy it back. */
static void doca_priv_sha_lane_enter(struct doca_priv_sha_in_lanes *in, size_t lane,
                                     const struct doca_priv_sha_message *m)
{
    size_t i;

    for (i = 0; i < 8; i++, lane += in->num)
        if (in->algorithm == DOCA_SHA_ALGORITHM_SHA512)
            in->state.w64[lane] = m->state.w64[i];
        else
            in->state.w32[lane] = m->state.w32[i];
}

static void doca_priv_sha_lane_leave(const struct doca_priv_sha_in_lanes *in, size_t lane,
                                     struct doca_priv_sha_message *m)
{
    size_t i;

    for (i = 0; i < 8; i++, lane += in->num)
        if (in->algorithm == DOCA_SHA_ALGORITHM_SHA512)
            m->state.w64[i] = in->state.w64[lane];
        else
            m->state.w32[i] = in->state.w32[lane];
}

/* Hash messages in lanes until fewer than lanes->from are left. Finished messages are removed from
 * left[]. Return the number of messages that remain in left[]. */
static size_t doca_priv_sha_run_lanes(const struct doca_priv_sha_lanes *lanes, uint8_t algorithm,
                                      struct doca_priv_sha_message **left, size_t num)
{
    size_t used = num < lanes->num ? num : lanes->num, i, num_blocks;
    const unsigned char *data[DOCA_PRIV_SHA_GROUP];
    struct doca_priv_sha_in_lanes in;

    in.num = lanes->num;
    in.algorithm = algorithm;
    for (i = 0; i < in.num; i++)
        /* analyzer: core.CallAndMessage: `num` is at least lanes->from, which is never 0 */
        doca_priv_sha_lane_enter(&in, i, left[i < used ? i : 0]);
    while (num >= lanes->from) {
        /* analyzer: core.NullDereference: lanes->from is never 0, so there is a message */
        num_blocks = left[0]->num_blocks;
        for (i = 0; i < in.num; i++) {
            data[i] = left[i < used ? i : 0]->data; /* unused lanes repeat the first message */
            if (i < used && left[i]->num_blocks < num_blocks)
                num_blocks = left[i]->num_blocks;
        }
        lanes->run((union doca_priv_sha_state *)(void *)&in.state, data, num_blocks);
        for (i = used; i-- > 0;) {
            doca_priv_sha_message_advance(left[i], algorithm, num_blocks);
            if (left[i]->num_blocks > 0)
                continue;
            doca_priv_sha_lane_leave(&in, i, left[i]);
            /* reuse the lane for a waiting message, else for the message of the last lane */
            if (--num >= used) {
                left[i] = left[num];
                doca_priv_sha_lane_enter(&in, i, left[i]);
            } else if (i != --used) {
                left[i] = left[used];
                doca_priv_sha_lane_leave(&in, used, left[i]);
                doca_priv_sha_lane_enter(&in, i, left[i]);
            }
        }
    }
    for (i = 0; i < used; i++)
        doca_priv_sha_lane_leave(&in, i, left[i]);
    return num;
}

/* Hash up to DOCA_PRIV_SHA_GROUP messages, each prepared by doca_priv_sha_message_begin(). */
DOCA_PRIV_DECL void doca_priv_sha_hash_group(const struct doca_priv_sha_kernels *kernels,
                                             uint8_t algorithm,
                                             struct doca_priv_sha_message *messages, size_t num)
{
    struct doca_priv_sha_message *left[DOCA_PRIV_SHA_GROUP], *m;
    size_t i;

    for (i = 0; i < num; i++)
        left[i] = &messages[i];
    if (num >= kernels->many[algorithm].from)
        num = doca_priv_sha_run_lanes(&kernels->many[algorithm], algorithm, left, num);
    if (num >= kernels->few[algorithm].from)
        num = doca_priv_sha_run_lanes(&kernels->few[algorithm], algorithm, left, num);
    while (num > 0) {
        for (m = left[--num]; m->num_blocks > 0;) {
            kernels->one[algorithm](&m->state, m->data, m->num_blocks);
            doca_priv_sha_message_advance(m, algorithm, m->num_blocks);
        }
    }
}

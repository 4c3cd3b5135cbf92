/* ---- >>priv.sw.sha ---------------------------------------------------------------------------
 * The hash functions of FIPS 180-4: constants, the compression functions as macros, padding, and a
 * short path for a contiguous message.
 * The constants of SHA-512 are the first 64 bits of the fractions of roots of prime numbers. Their
 * upper halves are the constants of SHA-256.                                                    */
#ifndef DOCA_SRC_SW_SHA_PRIV_H
#define DOCA_SRC_SW_SHA_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/platform_priv.h"
#include "engine/sha.h"
#include "engine/sha_priv.h"

/* A compression function: hashes `num_blocks` blocks at `data`, at least one. */
typedef void (*doca_priv_sha_compress_t)(union doca_priv_sha_state *state,
                                         const unsigned char *data, size_t num_blocks);

static const uint64_t doca_priv_sha_k[80] = { /* SHA-512, from cube roots */
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

/* SHA-256: the upper halves of the first 64 constants, next to each other for vector loads. */
static DOCA_CORE_ALIGNED const uint32_t doca_priv_sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* The initial hash values: SHA-1 and SHA-256 in the first table; SHA-512, from square roots, in the
 * second. Copy them with vector instructions: a vector load is slow if narrower stores have just
 * written the same bytes. */
static const uint32_t doca_priv_sha_start[2][8] = {
    { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0, 0, 0, 0 },
    { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
      0x5be0cd19 },
};

static const uint64_t doca_priv_sha_root[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

/* The arguments of the macros below are numbers, or vectors of numbers of several messages. So each
 * compression function is written only once. */
#define DOCA_PRIV_SHA_ROL32(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define DOCA_PRIV_SHA_ROR32(x, n) ((x) >> (n) | (x) << (32 - (n)))
#define DOCA_PRIV_SHA_ROR64(x, n) ((x) >> (n) | (x) << (64 - (n)))
#define DOCA_PRIV_SHA_CH(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define DOCA_PRIV_SHA_MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))
#define DOCA_PRIV_SHA_PARITY(x, y, z) ((x) ^ (y) ^ (z))

/* A single round of SHA-1, and five rounds from `t` on. After five rounds every variable has its
 * former role again. Each round also computes a word of the schedule. In a separate loop, compilers
 * would vectorize this computation, which is slow because each word depends on the word three
 * before it. */
#define DOCA_PRIV_SHA1_ROUND(a, b, c, d, e, f, k, t)                                               \
    (e += DOCA_PRIV_SHA_ROL32(a, 5) + f(b, c, d) + (k) + w[t], b = DOCA_PRIV_SHA_ROL32(b, 30),     \
     w[(t) + 16] = w[(t) + 13] ^ w[(t) + 8] ^ w[(t) + 2] ^ w[t],                                   \
     w[(t) + 16] = DOCA_PRIV_SHA_ROL32(w[(t) + 16], 1))
#define DOCA_PRIV_SHA1_ROUNDS(f, k, t)                                                             \
    (DOCA_PRIV_SHA1_ROUND(a, b, c, d, e, f, k, t),                                                 \
     DOCA_PRIV_SHA1_ROUND(e, a, b, c, d, f, k, t + 1),                                             \
     DOCA_PRIV_SHA1_ROUND(d, e, a, b, c, f, k, t + 2),                                             \
     DOCA_PRIV_SHA1_ROUND(c, d, e, a, b, f, k, t + 3),                                             \
     DOCA_PRIV_SHA1_ROUND(b, c, d, e, a, f, k, t + 4))

/* A single round of SHA-256 or SHA-512, and eight rounds from `t` on. F is the prefix of the macros
 * for the hash function: the constants K, the sums SUM0 and SUM1, and MIX0 and MIX1 of the
 * schedule. */
#define DOCA_PRIV_SHA2_ROUND(F, a, b, c, d, e, f, g, h, t)                                         \
    (h += F##_SUM1(e) + DOCA_PRIV_SHA_CH(e, f, g) + F##_K[t] + w[t], d += h,                       \
     h += F##_SUM0(a) + DOCA_PRIV_SHA_MAJ(a, b, c))
#define DOCA_PRIV_SHA2_ROUNDS(F, t)                                                                \
    (DOCA_PRIV_SHA2_ROUND(F, a, b, c, d, e, f, g, h, t),                                           \
     DOCA_PRIV_SHA2_ROUND(F, h, a, b, c, d, e, f, g, t + 1),                                       \
     DOCA_PRIV_SHA2_ROUND(F, g, h, a, b, c, d, e, f, t + 2),                                       \
     DOCA_PRIV_SHA2_ROUND(F, f, g, h, a, b, c, d, e, t + 3),                                       \
     DOCA_PRIV_SHA2_ROUND(F, e, f, g, h, a, b, c, d, t + 4),                                       \
     DOCA_PRIV_SHA2_ROUND(F, d, e, f, g, h, a, b, c, t + 5),                                       \
     DOCA_PRIV_SHA2_ROUND(F, c, d, e, f, g, h, a, b, t + 6),                                       \
     DOCA_PRIV_SHA2_ROUND(F, b, c, d, e, f, g, h, a, t + 7))
#define DOCA_PRIV_SHA256_K doca_priv_sha256_k
#define DOCA_PRIV_SHA256_SUM0(x)                                                                   \
    (DOCA_PRIV_SHA_ROR32(x, 2) ^ DOCA_PRIV_SHA_ROR32(x, 13) ^ DOCA_PRIV_SHA_ROR32(x, 22))
#define DOCA_PRIV_SHA256_SUM1(x)                                                                   \
    (DOCA_PRIV_SHA_ROR32(x, 6) ^ DOCA_PRIV_SHA_ROR32(x, 11) ^ DOCA_PRIV_SHA_ROR32(x, 25))
#define DOCA_PRIV_SHA256_MIX0(x)                                                                   \
    (DOCA_PRIV_SHA_ROR32(x, 7) ^ DOCA_PRIV_SHA_ROR32(x, 18) ^ (x) >> 3)
#define DOCA_PRIV_SHA256_MIX1(x)                                                                   \
    (DOCA_PRIV_SHA_ROR32(x, 17) ^ DOCA_PRIV_SHA_ROR32(x, 19) ^ (x) >> 10)
#define DOCA_PRIV_SHA512_K doca_priv_sha_k
#define DOCA_PRIV_SHA512_SUM0(x)                                                                   \
    (DOCA_PRIV_SHA_ROR64(x, 28) ^ DOCA_PRIV_SHA_ROR64(x, 34) ^ DOCA_PRIV_SHA_ROR64(x, 39))
#define DOCA_PRIV_SHA512_SUM1(x)                                                                   \
    (DOCA_PRIV_SHA_ROR64(x, 14) ^ DOCA_PRIV_SHA_ROR64(x, 18) ^ DOCA_PRIV_SHA_ROR64(x, 41))
#define DOCA_PRIV_SHA512_MIX0(x)                                                                   \
    (DOCA_PRIV_SHA_ROR64(x, 1) ^ DOCA_PRIV_SHA_ROR64(x, 8) ^ (x) >> 7)
#define DOCA_PRIV_SHA512_MIX1(x)                                                                   \
    (DOCA_PRIV_SHA_ROR64(x, 19) ^ DOCA_PRIV_SHA_ROR64(x, 61) ^ (x) >> 6)

/* Define the SHA-1 compression function `name`. `target` is its linkage and the CPU features that
 * it needs. The function takes 64-byte blocks of the message `data`, or of several messages, into
 * the hash state. `number` is the type of a word, or of a vector of words; `words` reads the 16
 * words of a block. */
#define DOCA_PRIV_SHA1_KERNEL(name, target, number, data_t, words)                                 \
    target void name(union doca_priv_sha_state *state, data_t data, size_t num_blocks)             \
    {                                                                                              \
        number *s = (number *)(void *)state, w[80 + 16], a, b, c, d, e;                            \
        size_t t, at;                                                                              \
                                                                                                   \
        for (at = 0; num_blocks > 0; num_blocks--, at += 64) {                                     \
            words(w, data, at);                                                                    \
            a = s[0];                                                                              \
            b = s[1];                                                                              \
            c = s[2];                                                                              \
            d = s[3];                                                                              \
            e = s[4];                                                                              \
            for (t = 0; t < 20; t += 5)                                                            \
                DOCA_PRIV_SHA1_ROUNDS(DOCA_PRIV_SHA_CH, 0x5a827999u, t);                           \
            for (; t < 40; t += 5)                                                                 \
                DOCA_PRIV_SHA1_ROUNDS(DOCA_PRIV_SHA_PARITY, 0x6ed9eba1u, t);                       \
            for (; t < 60; t += 5)                                                                 \
                DOCA_PRIV_SHA1_ROUNDS(DOCA_PRIV_SHA_MAJ, 0x8f1bbcdcu, t);                          \
            for (; t < 80; t += 5)                                                                 \
                DOCA_PRIV_SHA1_ROUNDS(DOCA_PRIV_SHA_PARITY, 0xca62c1d6u, t);                       \
            s[0] += a;                                                                             \
            s[1] += b;                                                                             \
            s[2] += c;                                                                             \
            s[3] += d;                                                                             \
            s[4] += e;                                                                             \
        }                                                                                          \
    }

/* Define the SHA-256 or SHA-512 compression function `name`; F is the prefix of its macros and
 * `rounds` the number of its rounds. The other parameters are as above. */
#define DOCA_PRIV_SHA2_KERNEL(name, target, F, rounds, number, data_t, words)                      \
    target void name(union doca_priv_sha_state *state, data_t data, size_t num_blocks)             \
    {                                                                                              \
        number *s = (number *)(void *)state, w[rounds], a, b, c, d, e, f, g, h;                    \
        size_t t, at;                                                                              \
                                                                                                   \
        for (at = 0; num_blocks > 0; num_blocks--, at += 16 * sizeof(F##_K[0])) {                  \
            words(w, data, at);                                                                    \
            for (t = 16; t < (rounds); t++)                                                        \
                w[t] = F##_MIX1(w[t - 2]) + w[t - 7] + F##_MIX0(w[t - 15]) + w[t - 16];            \
            a = s[0];                                                                              \
            b = s[1];                                                                              \
            c = s[2];                                                                              \
            d = s[3];                                                                              \
            e = s[4];                                                                              \
            f = s[5];                                                                              \
            g = s[6];                                                                              \
            h = s[7];                                                                              \
            for (t = 0; t < (rounds); t += 8)                                                      \
                DOCA_PRIV_SHA2_ROUNDS(F, t);                                                       \
            s[0] += a;                                                                             \
            s[1] += b;                                                                             \
            s[2] += c;                                                                             \
            s[3] += d;                                                                             \
            s[4] += e;                                                                             \
            s[5] += f;                                                                             \
            s[6] += g;                                                                             \
            s[7] += h;                                                                             \
        }                                                                                          \
    }
#define DOCA_PRIV_SHA_SLACK 16 /* bytes that padding may write beyond its end */
#define DOCA_PRIV_SHA_TAIL (2 * 128 + DOCA_PRIV_SHA_SLACK) /* bytes, for two blocks */

/* A message while it is hashed piece by piece. */
struct doca_priv_sha_stream {
    doca_priv_sha_compress_t compress;
    uint32_t block_bytes;
    uint32_t fill;  /* bytes in `block`, fewer than a block */
    uint64_t bytes; /* bytes of the message so far */
    union doca_priv_sha_state state;
    unsigned char block[DOCA_PRIV_SHA_TAIL];
};

DOCA_PRIV_DECL void doca_priv_sha1_plain(union doca_priv_sha_state *state,
                                         const unsigned char *data, size_t num_blocks);
DOCA_PRIV_DECL void doca_priv_sha256_plain(union doca_priv_sha_state *state,
                                           const unsigned char *data, size_t num_blocks);
DOCA_PRIV_DECL void doca_priv_sha512_plain(union doca_priv_sha_state *state,
                                           const unsigned char *data, size_t num_blocks);
DOCA_PRIV_DECL void doca_priv_sha_absorb(struct doca_priv_sha_stream *s, const unsigned char *data,
                                         size_t len);
DOCA_PRIV_DECL void doca_priv_sha_finish(struct doca_priv_sha_stream *s);

DOCA_PRIV_HOT void doca_priv_sha_store32(unsigned char *p, uint32_t x)
{
    x = DOCA_PRIV_BIG32(x);
    DOCA_CORE_MEMCPY(p, &x, sizeof(x));
}

DOCA_PRIV_HOT void doca_priv_sha_store64(unsigned char *p, uint64_t x)
{
    x = DOCA_PRIV_BIG64(x);
    DOCA_CORE_MEMCPY(p, &x, sizeof(x));
}

DOCA_PRIV_HOT void doca_priv_sha_begin(union doca_priv_sha_state *state, uint8_t algorithm)
{
    const uint32_t *start;

    if (algorithm == DOCA_SHA_ALGORITHM_SHA512) {
        DOCA_CORE_MEMCPY(state->w64, doca_priv_sha_root, sizeof(doca_priv_sha_root));
    } else {
        start = doca_priv_sha_start[algorithm];
        DOCA_PRIV_HIDE(start); /* prevents that the compiler stores the constants word by word */
        DOCA_CORE_MEMCPY(state->w32, start, sizeof(doca_priv_sha_start[0]));
    }
}

/* Pad the end of a message to whole blocks and return the number of blocks in `tail`. On entry
 * `tail` contains the last `fill` bytes of the message, less than a block. `bytes` is the length of
 * the whole message. */
DOCA_PRIV_HOT size_t doca_priv_sha_pad(unsigned char *tail, size_t fill, uint64_t bytes,
                                       unsigned log_block)
{
    /* 9/8 of a block: 8/8 to round up, and 1/8 for the length */
    size_t num = (fill + ((size_t)9 << log_block >> 3)) >> log_block;
    unsigned char *end = tail + (num << log_block), *at = tail + fill;

    *at++ = 0x80;
    for (; at < end; at += DOCA_PRIV_SHA_SLACK) {
        DOCA_PRIV_HIDE(at); /* prevents that the compiler turns the loop into a call of memset(),
                             * which is slower */
        DOCA_CORE_MEMSET(at, 0, DOCA_PRIV_SHA_SLACK);
    }
    if (log_block == 7)
        doca_priv_sha_store64(end - 16, bytes >> 61);
    doca_priv_sha_store64(end - 8, bytes << 3);
    return num;
}

/* Write the digest to `to`. */
DOCA_PRIV_HOT void doca_priv_sha_put(const union doca_priv_sha_state *state, uint8_t algorithm,
                                     unsigned char *to)
{
    unsigned i;

    if (algorithm == DOCA_SHA_ALGORITHM_SHA512)
        for (i = 0; i < 8; i++)
            doca_priv_sha_store64(to + 8 * i, state->w64[i]);
    else
        for (i = 0; i < doca_priv_sha_sizes[algorithm].digest / 4u; i++)
            doca_priv_sha_store32(to + 4 * i, state->w32[i]);
}

DOCA_PRIV_HOT unsigned doca_priv_sha_log_block(uint8_t algorithm)
{
    return algorithm == DOCA_SHA_ALGORITHM_SHA512 ? 7 : 6;
}

/* Copy the bytes after the last whole block of a message to `tail` and pad them. Return the number
 * of blocks in `tail`. */
DOCA_PRIV_HOT size_t doca_priv_sha_copy_tail(unsigned char *tail, const unsigned char *data,
                                             size_t len, unsigned log_block)
{
    size_t rest = len & (((size_t)1 << log_block) - 1);

    if (rest > 0)
        DOCA_CORE_MEMCPY(tail, data + len - rest, rest);
    return doca_priv_sha_pad(tail, rest, len, log_block);
}

/* Hash a contiguous message; `algorithm` is a constant at each call. The tail is copied first,
 * because vector loads wait for narrower stores to the same bytes; these stores complete while the
 * rest of the message is hashed. If a message has exactly one whole block, this block is also
 * copied, in front of the tail. Then a single call hashes both, and the hash state stays in
 * registers. */
DOCA_PRIV_HOT void doca_priv_sha_digest(doca_priv_sha_compress_t compress, uint8_t algorithm,
                                        const unsigned char *data, size_t len, unsigned char *to)
{
    unsigned log_block = doca_priv_sha_log_block(algorithm);
    unsigned char block[128 + DOCA_PRIV_SHA_TAIL], *tail = block + ((size_t)1 << log_block);
    size_t num_tail = doca_priv_sha_copy_tail(tail, data, len, log_block);
    union doca_priv_sha_state state;

    doca_priv_sha_begin(&state, algorithm);
    if (len >> log_block == 1) {
        DOCA_CORE_MEMCPY(block, data, (size_t)1 << log_block);
        compress(&state, block, 1 + num_tail);
    } else {
        if (len >> log_block > 0)
            compress(&state, data, len >> log_block);
        compress(&state, tail, num_tail);
    }
    doca_priv_sha_put(&state, algorithm, to);
}

DOCA_PRIV_HOT void doca_priv_sha_hash(const doca_priv_sha_compress_t *compress, uint8_t algorithm,
                                      const unsigned char *data, size_t len, unsigned char *to)
{
    doca_priv_sha_compress_t one = compress[algorithm];

    if (algorithm == DOCA_SHA_ALGORITHM_SHA1)
        doca_priv_sha_digest(one, DOCA_SHA_ALGORITHM_SHA1, data, len, to);
    else if (algorithm == DOCA_SHA_ALGORITHM_SHA256)
        doca_priv_sha_digest(one, DOCA_SHA_ALGORITHM_SHA256, data, len, to);
    else
        doca_priv_sha_digest(one, DOCA_SHA_ALGORITHM_SHA512, data, len, to);
}

#endif

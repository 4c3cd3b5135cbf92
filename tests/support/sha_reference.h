/* The hash functions of FIPS 180-4, as a reference for tests: written to follow the standard, not
 * for speed. The constants are computed from their definitions in the standard, not taken from a
 * table. */
#ifndef SHA_REFERENCE_H
#define SHA_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { REF_SHA1, REF_SHA256, REF_SHA512 }; /* values of enum doca_sha_algorithm */

static const struct { size_t digest, block; } ref_bytes[] = { { 20, 64 }, { 32, 64 }, { 64, 128 } };

/* True when x^power < prime * 2^(64 * power). Numbers are arrays of 16-bit limbs, lowest first. */
static inline bool ref_is_below_root(const uint32_t *x, unsigned power, uint32_t prime)
{
    uint32_t product[16] = { 1 };
    unsigned n, i, k;

    for (n = 0; n < power; n++) {
        uint64_t sum[16] = { 0 };

        for (i = 0; i < 11; i++)
            for (k = 0; k < 5; k++)
                sum[i + k] += (uint64_t)product[i] * x[k];
        for (i = 0; i < 16; i++) {
            product[i] = (uint32_t)(sum[i] & 0xffff);
            if (i < 15)
                sum[i + 1] += sum[i] >> 16;
        }
    }
    return (product[4 * power] | product[4 * power + 1] << 16) < prime;
}

/* Return the first 64 bits of the fraction of the square root (power 2) or cube root (power 3) of a
 * prime. */
static inline uint64_t ref_root(unsigned power, uint32_t prime)
{
    uint32_t x[5] = { 0 };
    int bit;

    for (bit = 69; bit >= 0; bit--) {
        x[bit / 16] |= 1u << bit % 16;
        if (!ref_is_below_root(x, power, prime))
            x[bit / 16] &= ~(1u << bit % 16);
    }
    return x[0] | (uint64_t)x[1] << 16 | (uint64_t)x[2] << 32 | (uint64_t)x[3] << 48;
}

static uint64_t ref_square_roots[8], ref_cube_roots[80];

static inline void ref_init(void)
{
    uint32_t prime = 1, divisor;
    unsigned n;

    for (n = 0; n < 80 && ref_cube_roots[79] == 0; n++) {
        do {
            prime++;
            for (divisor = 2; prime % divisor != 0; divisor++) {
            }
        } while (divisor != prime);
        ref_cube_roots[n] = ref_root(3, prime);
        if (n < 8)
            ref_square_roots[n] = ref_root(2, prime);
    }
}

/* Return byte `i` of the padded message. */
static inline uint64_t ref_byte(const unsigned char *data, size_t len, size_t padded, size_t i)
{
    if (i < len)
        return data[i];
    if (i == len)
        return 0x80;
    return i + 8 < padded ? 0 : (uint64_t)len * 8 >> 8 * (padded - 1 - i) & 0xff;
}

static inline uint64_t ref_ror(uint64_t x, unsigned n, unsigned width)
{
    return x >> n | x << (width - n);
}

static inline void ref_sha1_block(uint64_t *h, uint64_t *w)
{
    uint64_t mask = 0xffffffff, v[5], temp;
    unsigned t;

    for (t = 16; t < 80; t++)
        w[t] = ref_ror(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 31, 32) & mask;
    memcpy(v, h, sizeof(v));
    for (t = 0; t < 80; t++) {
        uint64_t b = v[1], c = v[2], d = v[3];
        uint64_t f = t < 20   ? (b & c) ^ (~b & d)
                     : t < 40 ? b ^ c ^ d
                     : t < 60 ? (b & c) ^ (b & d) ^ (c & d)
                              : b ^ c ^ d;
        static const uint32_t k[] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };

        temp = (ref_ror(v[0], 27, 32) + f + v[4] + k[t / 20] + w[t]) & mask;
        memmove(v + 1, v, 4 * sizeof(v[0]));
        v[2] = ref_ror(v[2], 2, 32) & mask;
        v[0] = temp;
    }
    for (t = 0; t < 5; t++)
        h[t] = (h[t] + v[t]) & mask;
}

static inline void ref_sha2_block(uint64_t *h, uint64_t *w, unsigned width)
{
    static const unsigned char rotations[2][12] = {
        { 2, 13, 22, 6, 11, 25, 7, 18, 3, 17, 19, 10 },
        { 28, 34, 39, 14, 18, 41, 1, 8, 7, 19, 61, 6 },
    };
    const unsigned char *r = rotations[width == 64];
    uint64_t mask = width == 64 ? UINT64_MAX : 0xffffffff, v[8], t1, t2;
    unsigned t, rounds = width == 64 ? 80 : 64;

#define ROR(x, n) ref_ror(x, n, width)
    for (t = 16; t < rounds; t++)
        w[t] = ((ROR(w[t - 2], r[9]) ^ ROR(w[t - 2], r[10]) ^ w[t - 2] >> r[11]) + w[t - 7] +
                (ROR(w[t - 15], r[6]) ^ ROR(w[t - 15], r[7]) ^ w[t - 15] >> r[8]) + w[t - 16]) &
               mask;
    memcpy(v, h, sizeof(v));
    for (t = 0; t < rounds; t++) {
        t1 = v[7] + (ROR(v[4], r[3]) ^ ROR(v[4], r[4]) ^ ROR(v[4], r[5])) +
             ((v[4] & v[5]) ^ (~v[4] & v[6])) + (ref_cube_roots[t] >> (64 - width)) + w[t];
        t2 = (ROR(v[0], r[0]) ^ ROR(v[0], r[1]) ^ ROR(v[0], r[2])) +
             ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof(v[0]));
        v[4] = (v[4] + t1) & mask;
        v[0] = (t1 + t2) & mask;
    }
#undef ROR
    for (t = 0; t < 8; t++)
        h[t] = (h[t] + v[t]) & mask;
}

static inline void ref_hash(unsigned algorithm, const unsigned char *data, size_t len,
                            unsigned char *digest)
{
    static const uint32_t sha1[] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
    size_t block = ref_bytes[algorithm].block, word = block / 16, at = 0, i, k;
    size_t padded = (len + 1 + block / 8 + block - 1) / block * block;
    uint64_t h[8] = { 0 }, w[80];

    ref_init();
    for (i = 0; i < 8; i++)
        h[i] = algorithm != REF_SHA1 ? ref_square_roots[i] >> (64 - 8 * word) : i < 5 ? sha1[i] : 0;
    while (at < padded) {
        for (i = 0; i < 16; i++)
            for (w[i] = 0, k = 0; k < word; k++)
                w[i] = w[i] << 8 | ref_byte(data, len, padded, at++);
        if (algorithm == REF_SHA1)
            ref_sha1_block(h, w);
        else
            ref_sha2_block(h, w, (unsigned)(8 * word));
    }
    for (i = 0; i < ref_bytes[algorithm].digest; i++)
        digest[i] = (unsigned char)(h[i / word] >> 8 * (word - 1 - i % word));
}

#endif

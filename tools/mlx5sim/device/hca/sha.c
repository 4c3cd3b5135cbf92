/* SHA-1, SHA-256 and SHA-512 (FIPS 180-4) of a list of pieces of memory. */
#include "device/hca/sha.h"

#include <string.h>

struct sha {
    unsigned algorithm;
    union {
        uint32_t h32[8];
        uint64_t h64[8];
    } state;
    uint8_t block[128];
    unsigned used, block_bytes;
    uint64_t bytes;
};

static uint32_t rol(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static uint32_t ror(uint32_t x, unsigned n)
{
    return rol(x, 32 - n);
}

static uint64_t ror64(uint64_t x, unsigned n)
{
    return x >> n | x << (64 - n);
}

static uint64_t big(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;

    while (bytes-- > 0)
        v = v << 8 | *p++;
    return v;
}

/* The first 64 bits of the fractions of the cube roots of the first 80 primes. */
static const uint64_t k512[80] = {
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
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817
};

static void round1(uint32_t *h, const uint8_t *block)
{
    static const uint32_t k[4] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

    for (unsigned t = 0; t < 80; t++) {
        uint32_t f = t < 20 ? (b & c) | (~b & d)
                   : t >= 40 && t < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
        uint32_t next;

        w[t] = t < 16 ? (uint32_t)big(block + 4 * t, 4)
                      /* analyzer: uninitvar: the first 16 words are set before this branch */
                      : rol(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
        next = rol(a, 5) + f + e + k[t / 20] + w[t];
        e = d, d = c, c = rol(b, 30), b = a, a = next;
    }
    h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e;
}

static void round256(uint32_t *h, const uint8_t *block)
{
    uint32_t w[64], v[8];

    memcpy(v, h, sizeof(v));
    for (unsigned t = 0; t < 64; t++) {
        uint32_t s0, s1, t1, t2;

        if (t < 16) {
            w[t] = (uint32_t)big(block + 4 * t, 4);
        } else {
            s0 = ror(w[t - 15], 7) ^ ror(w[t - 15], 18) ^ w[t - 15] >> 3;
            s1 = ror(w[t - 2], 17) ^ ror(w[t - 2], 19) ^ w[t - 2] >> 10;
            w[t] = w[t - 16] + s0 + w[t - 7] + s1;
        }
        t1 = v[7] + (ror(v[4], 6) ^ ror(v[4], 11) ^ ror(v[4], 25)) +
             ((v[4] & v[5]) ^ (~v[4] & v[6])) + (uint32_t)(k512[t] >> 32) + w[t];
        t2 = (ror(v[0], 2) ^ ror(v[0], 13) ^ ror(v[0], 22)) +
             ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof(v[0]));
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++)
        h[i] += v[i];
}

static void round512(uint64_t *h, const uint8_t *block)
{
    uint64_t w[80], v[8];

    memcpy(v, h, sizeof(v));
    for (unsigned t = 0; t < 80; t++) {
        uint64_t s0, s1, t1, t2;

        if (t < 16) {
            w[t] = big(block + 8 * t, 8);
        } else {
            s0 = ror64(w[t - 15], 1) ^ ror64(w[t - 15], 8) ^ w[t - 15] >> 7;
            s1 = ror64(w[t - 2], 19) ^ ror64(w[t - 2], 61) ^ w[t - 2] >> 6;
            w[t] = w[t - 16] + s0 + w[t - 7] + s1;
        }
        t1 = v[7] + (ror64(v[4], 14) ^ ror64(v[4], 18) ^ ror64(v[4], 41)) +
             ((v[4] & v[5]) ^ (~v[4] & v[6])) + k512[t] + w[t];
        t2 = (ror64(v[0], 28) ^ ror64(v[0], 34) ^ ror64(v[0], 39)) +
             ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof(v[0]));
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++)
        h[i] += v[i];
}

static void feed(struct sha *sha, const uint8_t *p, uint64_t len)
{
    while (len > 0) {
        uint64_t n = sha->block_bytes - sha->used < len ? sha->block_bytes - sha->used : len;

        memcpy(sha->block + sha->used, p, n);
        sha->used += (unsigned)n;
        sha->bytes += n;
        p += n;
        len -= n;
        if (sha->used < sha->block_bytes)
            break;
        sha->used = 0;
        if (sha->algorithm == 1)
            round1(sha->state.h32, sha->block);
        else if (sha->algorithm == 256)
            round256(sha->state.h32, sha->block);
        else
            round512(sha->state.h64, sha->block);
    }
}

static void begin(struct sha *sha, unsigned algorithm)
{
    static const uint32_t h1[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
    static const uint64_t h512[8] = {
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179
    };

    memset(sha, 0, sizeof(*sha));
    sha->algorithm = algorithm;
    sha->block_bytes = algorithm == 512 ? 128 : 64;
    if (algorithm == 1)
        memcpy(sha->state.h32, h1, sizeof(h1));
    else if (algorithm == 512)
        memcpy(sha->state.h64, h512, sizeof(h512));
    else
        for (unsigned i = 0; i < 8; i++)
            sha->state.h32[i] = (uint32_t)(h512[i] >> 32);
}

static int end(struct sha *sha, uint8_t digest[64])
{
    unsigned bytes = sha->algorithm == 1 ? 20 : sha->algorithm == 256 ? 32 : 64;
    unsigned length_bytes = sha->algorithm == 512 ? 16 : 8;
    uint64_t bits = sha->bytes * 8;
    uint8_t pad = 0x80, length[16] = { 0 };

    feed(sha, &pad, 1);
    pad = 0;
    while (sha->used != sha->block_bytes - length_bytes)
        feed(sha, &pad, 1);
    for (unsigned i = 0; i < 8; i++)
        length[length_bytes - 1 - i] = (uint8_t)(bits >> 8 * i);
    feed(sha, length, length_bytes);
    for (unsigned i = 0; i < bytes; i++)
        digest[i] = sha->algorithm == 512 ? (uint8_t)(sha->state.h64[i / 8] >> (56 - i % 8 * 8))
                                          : (uint8_t)(sha->state.h32[i / 4] >> (24 - i % 4 * 8));
    return (int)bytes;
}

int sha_digest(unsigned algorithm, const struct hca_pieces *src, uint8_t digest[64])
{
    uint8_t buf[4096];
    struct sha sha;

    begin(&sha, algorithm);
    for (uint32_t i = 0; i < src->num; i++)
        for (uint64_t at = 0; at < src->piece[i].len;) {
            uint64_t left = src->piece[i].len - at;
            uint64_t n = left < sizeof(buf) ? left : sizeof(buf);

            if (sim_read(src->piece[i].space, src->piece[i].addr + at, buf, n))
                return -1;
            feed(&sha, buf, n);
            at += n;
        }
    return end(&sha, digest);
}

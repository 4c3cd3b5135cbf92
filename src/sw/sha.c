/* ---- >>impl.sw.sha --------------------------------------------------------------------------
 * The hash functions of FIPS 180-4 in plain C: compression functions for whole blocks, and the
 * stream functions that cut content into blocks.                                                */
#include "sw/sha_priv.h"

#include "base/compiler.h"
#include "base/platform_priv.h"

/* Read a number of a message. Numbers are big-endian in messages and digests. */
DOCA_PRIV_HOT uint32_t doca_priv_sha_load32(const unsigned char *p)
{
    uint32_t x;

    DOCA_CORE_MEMCPY(&x, p, sizeof(x));
    return DOCA_PRIV_BIG32(x);
}

DOCA_PRIV_HOT uint64_t doca_priv_sha_load64(const unsigned char *p)
{
    uint64_t x;

    DOCA_CORE_MEMCPY(&x, p, sizeof(x));
    return DOCA_PRIV_BIG64(x);
}

DOCA_PRIV_HOT void doca_priv_sha_words32(uint32_t *w, const unsigned char *data, size_t at)
{
    size_t t;

    for (t = 0; t < 16; t++)
        w[t] = doca_priv_sha_load32(data + at + 4 * t);
}

DOCA_PRIV_HOT void doca_priv_sha_words64(uint64_t *w, const unsigned char *data, size_t at)
{
    size_t t;

    for (t = 0; t < 16; t++)
        w[t] = doca_priv_sha_load64(data + at + 8 * t);
}

DOCA_PRIV_SHA1_KERNEL(doca_priv_sha1_plain, DOCA_PRIV_DECL, uint32_t, const unsigned char *,
                      doca_priv_sha_words32)
DOCA_PRIV_SHA2_KERNEL(doca_priv_sha256_plain, DOCA_PRIV_DECL, DOCA_PRIV_SHA256, 64, uint32_t,
                      const unsigned char *, doca_priv_sha_words32)
DOCA_PRIV_SHA2_KERNEL(doca_priv_sha512_plain, DOCA_PRIV_DECL, DOCA_PRIV_SHA512, 80, uint64_t,
                      const unsigned char *, doca_priv_sha_words64)

DOCA_PRIV_DECL void doca_priv_sha_absorb(struct doca_priv_sha_stream *s, const unsigned char *data,
                                         size_t len)
{
    size_t n;

    s->bytes += len;
    if (s->fill > 0) {
        n = s->block_bytes - s->fill;
        if (n > len)
            n = len;
        DOCA_CORE_MEMCPY(s->block + s->fill, data, n);
        s->fill += (uint32_t)n;
        data += n;
        len -= n;
        if (s->fill < s->block_bytes)
            return;
        s->compress(&s->state, s->block, 1);
        s->fill = 0;
    }
    n = len / s->block_bytes;
    if (n > 0)
        s->compress(&s->state, data, n);
    s->fill = (uint32_t)(len % s->block_bytes);
    DOCA_CORE_MEMCPY(s->block, data + n * s->block_bytes, s->fill);
}

DOCA_PRIV_DECL void doca_priv_sha_finish(struct doca_priv_sha_stream *s)
{
    size_t num = doca_priv_sha_pad(s->block, s->fill, s->bytes, s->block_bytes > 64 ? 7 : 6);

    s->compress(&s->state, s->block, num);
}

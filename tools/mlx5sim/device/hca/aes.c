/* AES (FIPS 197), XTS (IEEE 1619), and AES key wrap (RFC 3394). */
#include "device/hca/aes.h"

#include <string.h>

enum { WRAP_UNIT = 8, WRAP_MAX = 88, WRAP_STEPS = 6, WRAP_IV = 0xa6 };

/* ---- the cipher ----------------------------------------------------------------------------- */

static uint8_t sbox[256], inverse[256];
static bool is_ready;

/* Multiplies by x in the field of AES. */
static uint8_t times_x(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

static uint8_t times(uint8_t a, uint8_t b)
{
    uint8_t product = 0;

    for (; b; b >>= 1, a = times_x(a))
        if (b & 1)
            product ^= a;
    return product;
}

static uint8_t rotate(uint8_t a, unsigned by)
{
    return (uint8_t)(a << by | a >> (8 - by));
}

/* Computes the substitution: the inverse in the field, and an affine map. 3 generates the field,
 * and 0xf6 is its inverse. */
static void prepare(void)
{
    uint8_t a = 1, b = 1;

    if (is_ready)
        return;
    do {
        a = (uint8_t)(a ^ times_x(a));
        b = times(b, 0xf6);
        sbox[a] = (uint8_t)(b ^ rotate(b, 1) ^ rotate(b, 2) ^ rotate(b, 3) ^ rotate(b, 4) ^ 0x63);
    } while (a != 1);
    sbox[0] = 0x63;
    for (unsigned i = 0; i < 256; i++)
        inverse[sbox[i]] = (uint8_t)i;
    is_ready = true;
}

void aes_set_key(struct aes *aes, const uint8_t *key, size_t len)
{
    uint8_t *w = aes->key[0], round = 1;
    unsigned words = (unsigned)len / 4, all;

    prepare();
    aes->rounds = words + 6;
    all = 4 * (aes->rounds + 1);
    memcpy(w, key, len);
    for (unsigned i = words; i < all; i++) {
        uint8_t t[4], first;

        memcpy(t, w + 4 * (i - 1), 4);
        if (i % words == 0) {
            first = t[0];
            t[0] = sbox[t[1]] ^ round;
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[first];
            round = times_x(round);
        } else if (words > 6 && i % words == 4) {
            for (unsigned k = 0; k < 4; k++)
                t[k] = sbox[t[k]];
        }
        for (unsigned k = 0; k < 4; k++)
            w[4 * i + k] = w[4 * (i - words) + k] ^ t[k];
    }
}

static void add(uint8_t *to, const uint8_t *other)
{
    for (unsigned i = 0; i < AES_BLOCK; i++)
        to[i] ^= other[i];
}

/* Substitutes each byte, and moves row r of the state by r columns: to the left, or back. */
static void substitute(uint8_t *state, const uint8_t *table, unsigned step)
{
    uint8_t old[AES_BLOCK];

    memcpy(old, state, AES_BLOCK);
    for (unsigned i = 0; i < AES_BLOCK; i++)
        state[i] = table[old[(i + i % 4 * step) % AES_BLOCK]];
}

static void mix(uint8_t *state, const uint8_t factor[4])
{
    for (unsigned c = 0; c < AES_BLOCK; c += 4) {
        uint8_t old[4];

        memcpy(old, state + c, 4);
        for (unsigned r = 0; r < 4; r++)
            state[c + r] = times(old[r], factor[0]) ^ times(old[(r + 1) % 4], factor[1]) ^
                           times(old[(r + 2) % 4], factor[2]) ^ times(old[(r + 3) % 4], factor[3]);
    }
}

void aes_encrypt(const struct aes *aes, uint8_t block[AES_BLOCK])
{
    static const uint8_t factor[4] = { 2, 3, 1, 1 };

    add(block, aes->key[0]);
    for (unsigned round = 1; round <= aes->rounds; round++) {
        substitute(block, sbox, 4);
        if (round < aes->rounds)
            mix(block, factor);
        add(block, aes->key[round]);
    }
}

void aes_decrypt(const struct aes *aes, uint8_t block[AES_BLOCK])
{
    static const uint8_t factor[4] = { 14, 11, 13, 9 };

    for (unsigned round = aes->rounds; round > 0; round--) {
        add(block, aes->key[round]);
        if (round < aes->rounds)
            mix(block, factor);
        substitute(block, inverse, 12);
    }
    add(block, aes->key[0]);
}

/* ---- XTS ------------------------------------------------------------------------------------ */

static void next_tweak(uint8_t tweak[AES_BLOCK])
{
    uint8_t carry = tweak[AES_BLOCK - 1] >> 7;

    for (unsigned i = AES_BLOCK - 1; i > 0; i--)
        tweak[i] = (uint8_t)(tweak[i] << 1 | tweak[i - 1] >> 7);
    tweak[0] = (uint8_t)(tweak[0] << 1 ^ (carry ? 0x87 : 0));
}

static void crypt_block(const struct aes *aes, const uint8_t *tweak, uint8_t *block, bool encrypt)
{
    add(block, tweak);
    if (encrypt)
        aes_encrypt(aes, block);
    else
        aes_decrypt(aes, block);
    add(block, tweak);
}

/* The last bytes that do not fill a block take the end of the block before them ("stealing"). */
void aes_xts(const struct aes *data, const struct aes *tweak_key, const uint8_t tweak[AES_BLOCK],
             uint8_t *unit, size_t len, bool encrypt)
{
    size_t rest = len % AES_BLOCK, whole = len - rest, last = whole - AES_BLOCK;
    uint8_t t[AES_BLOCK], after[AES_BLOCK], swapped[AES_BLOCK];

    memcpy(t, tweak, AES_BLOCK);
    aes_encrypt(tweak_key, t);
    for (size_t at = 0; at < (rest ? last : whole); at += AES_BLOCK, next_tweak(t))
        crypt_block(data, t, unit + at, encrypt);
    if (rest == 0)
        return;
    memcpy(after, t, AES_BLOCK);
    next_tweak(after);
    crypt_block(data, encrypt ? t : after, unit + last, encrypt);
    memcpy(swapped, unit + last, AES_BLOCK);
    memcpy(unit + last, unit + whole, rest);
    memcpy(unit + whole, swapped, rest);
    crypt_block(data, encrypt ? after : t, unit + last, encrypt);
}

/* ---- key wrap ------------------------------------------------------------------------------- */

bool aes_unwrap(const struct aes *aes, const uint8_t *in, size_t len, uint8_t *out)
{
    size_t num = len / WRAP_UNIT - 1;
    uint8_t r[WRAP_MAX], block[AES_BLOCK];
    bool good = true;

    if (len % WRAP_UNIT || num < 2 || len > WRAP_MAX)
        return false;
    memcpy(r, in, len);
    for (unsigned step = WRAP_STEPS; step-- > 0;)
        for (size_t i = num; i > 0; i--) {
            uint8_t *part = r + i * WRAP_UNIT;

            memcpy(block, r, WRAP_UNIT);
            memcpy(block + WRAP_UNIT, part, WRAP_UNIT);
            block[WRAP_UNIT - 1] ^= (uint8_t)(num * step + i);
            aes_decrypt(aes, block);
            memcpy(r, block, WRAP_UNIT);
            memcpy(part, block + WRAP_UNIT, WRAP_UNIT);
        }
    for (unsigned i = 0; i < WRAP_UNIT; i++)
        good = good && r[i] == WRAP_IV;
    if (good)
        memcpy(out, r + WRAP_UNIT, len - WRAP_UNIT);
    return good;
}

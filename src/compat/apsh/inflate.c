/* ---- >>impl.apsh.inflate ---------------------------------------------------------------------
 * The deflate format (RFC 1951), and stored members. Each read continues where the previous read
 * stopped, even in the middle of a copy.                                                        */
#include "compat/apsh/inflate_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_END_OF_BLOCK 256u
#define DOCA_PRIV_APSH_LITERALS_MAX 286u  /* symbols that a block may define */
#define DOCA_PRIV_APSH_DISTANCES_MAX 30u

static bool doca_priv_apsh_inflate_bad(struct doca_priv_apsh_inflate *inflate, const char *reason)
{
    return doca_priv_apsh_json_bad(inflate->file, reason);
}

/* ---- bits ---- */

/* Read bytes until `num` bits are available, or the member has ended. */
static void doca_priv_apsh_bits_fill(struct doca_priv_apsh_inflate *inflate, uint32_t num)
{
    int byte;

    while (inflate->num_bits < num && inflate->packed_left > 0) {
        byte = doca_priv_apsh_json_byte(inflate->file);
        if (byte < 0) {
            (void)doca_priv_apsh_inflate_bad(inflate, "the file ends inside a member");
            return;
        }
        inflate->packed_left--;
        inflate->bits |= (uint32_t)byte << inflate->num_bits;
        inflate->num_bits += 8;
    }
}

/* Remove used bits from the buffer. */
static bool doca_priv_apsh_bits_drop(struct doca_priv_apsh_inflate *inflate, uint32_t num)
{
    if (num > inflate->num_bits)
        return doca_priv_apsh_inflate_bad(inflate, "a member ends too early");
    inflate->bits >>= num;
    inflate->num_bits -= num;
    return true;
}

/* Take a number of up to 15 bits from the buffer. Returns 0 after an error. */
static uint32_t doca_priv_apsh_bits_take(struct doca_priv_apsh_inflate *inflate, uint32_t num)
{
    uint32_t value;

    doca_priv_apsh_bits_fill(inflate, num);
    value = inflate->bits & ((1u << num) - 1);
    return doca_priv_apsh_bits_drop(inflate, num) ? value : 0;
}

/* ---- codes ---- */

/* Enter a short code into the table. The first bit of a code is its most significant bit, but the
 * table is indexed by the bits in the order of the stream, so the bits are reversed. */
static void doca_priv_apsh_code_quick(struct doca_priv_apsh_code *code, uint32_t bits, uint32_t len,
                                      uint32_t symbol)
{
    uint32_t reversed = 0, i;

    for (i = 0; i < len; i++)
        reversed |= (bits >> i & 1) << (len - 1 - i);
    for (i = reversed; i < 1u << DOCA_PRIV_APSH_QUICK_BITS; i += 1u << len)
        code->quick[i] = (uint16_t)(symbol << 4 | len);
}

/* Make a code from the lengths of the codes of `num` symbols. A length of 0 means that the symbol
 * has no code. Returns false when no prefix code has these lengths. A code without symbols, or with
 * one symbol and a length of one bit, is accepted; in every other code each sequence of bits must
 * have a meaning. */
static bool doca_priv_apsh_code_make(struct doca_priv_apsh_code *code, const uint8_t *lengths,
                                     uint32_t num)
{
    uint32_t firsts[DOCA_PRIV_APSH_CODE_BITS + 1], places[DOCA_PRIV_APSH_CODE_BITS + 1];
    uint32_t len, i, place = 0, first = 0;

    memset(code, 0, sizeof(*code));
    for (i = 0; i < num; i++)
        code->num[lengths[i]]++;
    code->num[0] = 0;
    for (len = 1; len <= DOCA_PRIV_APSH_CODE_BITS; len++) {
        first *= 2;
        firsts[len] = first;
        places[len] = place;
        first += code->num[len];
        place += code->num[len];
        if (first > 1u << len)
            return false;
    }
    if (first != 1u << DOCA_PRIV_APSH_CODE_BITS && place != 0 && (place != 1 || code->num[1] != 1))
        return false;
    for (i = 0; i < num; i++) {
        len = lengths[i];
        if (len == 0)
            continue;
        if (len <= DOCA_PRIV_APSH_QUICK_BITS)
            doca_priv_apsh_code_quick(code, firsts[len], len, i);
        firsts[len]++;
        code->symbols[places[len]++] = (uint16_t)i;
    }
    return true;
}

/* Decode a symbol. Returns UINT32_MAX after an error. */
static uint32_t doca_priv_apsh_code_read(struct doca_priv_apsh_inflate *inflate,
                                         const struct doca_priv_apsh_code *code)
{
    uint32_t quick, len, value = 0, first = 0, place = 0;

    doca_priv_apsh_bits_fill(inflate, DOCA_PRIV_APSH_CODE_BITS);
    quick = code->quick[inflate->bits & ((1u << DOCA_PRIV_APSH_QUICK_BITS) - 1)];
    if (quick != 0)
        return doca_priv_apsh_bits_drop(inflate, quick & 15) ? quick >> 4 : UINT32_MAX;
    for (len = 1; len <= DOCA_PRIV_APSH_CODE_BITS && len <= inflate->num_bits; len++) {
        value = 2 * value + (inflate->bits >> (len - 1) & 1);
        first *= 2;
        if (value < first + code->num[len]) {
            (void)doca_priv_apsh_bits_drop(inflate, len);
            return code->symbols[place + value - first];
        }
        first += code->num[len];
        place += code->num[len];
    }
    (void)doca_priv_apsh_inflate_bad(inflate, len > DOCA_PRIV_APSH_CODE_BITS
                                                  ? "a member has a code that it does not define"
                                                  : "a member ends too early");
    return UINT32_MAX;
}

/* ---- blocks ---- */

/* Set the codes that the format itself defines. */
static void doca_priv_apsh_block_fixed(struct doca_priv_apsh_inflate *inflate)
{
    uint8_t lengths[DOCA_PRIV_APSH_SYMBOLS_MAX];
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_SYMBOLS_MAX; i++)
        lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    (void)doca_priv_apsh_code_make(&inflate->literals, lengths, DOCA_PRIV_APSH_SYMBOLS_MAX);
    memset(lengths, 5, 32);
    (void)doca_priv_apsh_code_make(&inflate->distances, lengths, 32);
}

/* Read the lengths of `num` codes. These lengths are coded themselves. */
static bool doca_priv_apsh_block_lengths(struct doca_priv_apsh_inflate *inflate, uint8_t *lengths,
                                         uint32_t num)
{
    uint32_t i = 0, symbol, repeat;
    uint8_t value;

    while (i < num) {
        symbol = doca_priv_apsh_code_read(inflate, &inflate->distances);
        value = 0;
        repeat = 1;
        if (symbol < 16) {
            value = (uint8_t)symbol;
        } else if (symbol == 16 && i > 0) {
            value = lengths[i - 1];
            repeat = 3 + doca_priv_apsh_bits_take(inflate, 2);
        } else if (symbol == 17) {
            repeat = 3 + doca_priv_apsh_bits_take(inflate, 3);
        } else if (symbol == 18) {
            repeat = 11 + doca_priv_apsh_bits_take(inflate, 7);
        } else {
            return doca_priv_apsh_inflate_bad(inflate, "a member repeats no length");
        }
        if (inflate->file->reason != NULL)
            return false;
        if (repeat > num - i)
            return doca_priv_apsh_inflate_bad(inflate, "a member has too many lengths of codes");
        while (repeat-- > 0)
            lengths[i++] = value;
    }
    return true;
}

/* Read the codes of a block. */
static bool doca_priv_apsh_block_codes(struct doca_priv_apsh_inflate *inflate)
{
    static const uint8_t order[19] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1,
                                       15 };
    uint8_t lengths[DOCA_PRIV_APSH_LITERALS_MAX + DOCA_PRIV_APSH_DISTANCES_MAX];
    uint8_t outer[19];
    const uint32_t num_literals = 257 + doca_priv_apsh_bits_take(inflate, 5);
    const uint32_t num_distances = 1 + doca_priv_apsh_bits_take(inflate, 5);
    const uint32_t num_outer = 4 + doca_priv_apsh_bits_take(inflate, 4);
    uint32_t i;

    if (num_literals > DOCA_PRIV_APSH_LITERALS_MAX || num_distances > DOCA_PRIV_APSH_DISTANCES_MAX)
        return doca_priv_apsh_inflate_bad(inflate, "a member defines too many codes");
    memset(outer, 0, sizeof(outer));
    for (i = 0; i < num_outer; i++)
        outer[order[i]] = (uint8_t)doca_priv_apsh_bits_take(inflate, 3);
    if (!doca_priv_apsh_code_make(&inflate->distances, outer, 19))
        return doca_priv_apsh_inflate_bad(inflate, "a member has lengths that are no code");
    if (!doca_priv_apsh_block_lengths(inflate, lengths, num_literals + num_distances))
        return false;
    if (lengths[DOCA_PRIV_APSH_END_OF_BLOCK] == 0)
        return doca_priv_apsh_inflate_bad(inflate, "a member has a block without an end");
    if (!doca_priv_apsh_code_make(&inflate->literals, lengths, num_literals) ||
        !doca_priv_apsh_code_make(&inflate->distances, lengths + num_literals, num_distances))
        return doca_priv_apsh_inflate_bad(inflate, "a member has lengths that are no code");
    return true;
}

/* Read the head of a stored block, which begins at a byte boundary. */
static bool doca_priv_apsh_block_raw(struct doca_priv_apsh_inflate *inflate)
{
    uint32_t len, inverse;

    (void)doca_priv_apsh_bits_drop(inflate, inflate->num_bits % 8);
    len = doca_priv_apsh_bits_take(inflate, 8);
    len |= doca_priv_apsh_bits_take(inflate, 8) << 8;
    inverse = doca_priv_apsh_bits_take(inflate, 8);
    inverse |= doca_priv_apsh_bits_take(inflate, 8) << 8;
    if (len != (inverse ^ 0xffff))
        return doca_priv_apsh_inflate_bad(inflate, "a member has a damaged length");
    inflate->raw_left = len;
    return true;
}

/* Read the head of the next block. */
static bool doca_priv_apsh_block_next(struct doca_priv_apsh_inflate *inflate)
{
    uint32_t kind;

    inflate->is_last = doca_priv_apsh_bits_take(inflate, 1) != 0;
    kind = doca_priv_apsh_bits_take(inflate, 2);
    if (inflate->file->reason != NULL)
        return false;
    inflate->block = kind == 0 ? DOCA_PRIV_APSH_BLOCK_RAW : DOCA_PRIV_APSH_BLOCK_CODES;
    if (kind == 0)
        return doca_priv_apsh_block_raw(inflate);
    if (kind == 1)
        doca_priv_apsh_block_fixed(inflate);
    else if (kind == 3)
        return doca_priv_apsh_inflate_bad(inflate, "a member has a block of no known kind");
    return kind == 1 || doca_priv_apsh_block_codes(inflate);
}

/* Begin a copy. `symbol` encodes its length. */
static bool doca_priv_apsh_copy_begin(struct doca_priv_apsh_inflate *inflate, uint32_t symbol)
{
    const uint32_t place = symbol - 257; /* index in the table of lengths */
    uint32_t more;

    if (place == 28) {
        inflate->copy_left = 258;
    } else if (place < 28) { /* 8 lengths have no extra bits, 4 have 1, 4 have 2, ... */
        more = place < 8 ? 0 : place / 4 - 1;
        inflate->copy_left = more == 0 ? place + 3 : ((4 + place % 4) << more) + 3;
        inflate->copy_left += doca_priv_apsh_bits_take(inflate, more);
    } else {
        return doca_priv_apsh_inflate_bad(inflate, "a member has a copy of no known length");
    }
    symbol = doca_priv_apsh_code_read(inflate, &inflate->distances);
    if (inflate->file->reason != NULL)
        return false;
    if (symbol >= DOCA_PRIV_APSH_DISTANCES_MAX)
        return doca_priv_apsh_inflate_bad(inflate, "a member has a copy of no known distance");
    more = symbol < 4 ? 0 : symbol / 2 - 1;
    inflate->distance = more == 0 ? symbol + 1 : ((2 + symbol % 2) << more) + 1;
    inflate->distance += doca_priv_apsh_bits_take(inflate, more);
    return inflate->distance <= inflate->num_out ||
           doca_priv_apsh_inflate_bad(inflate, "a member has a copy of what is before its begin");
}

/* ---- output ---- */

/* Get the next byte. Returns -1 when a block begins or ends instead, or after an error. */
static int doca_priv_apsh_inflate_byte(struct doca_priv_apsh_inflate *inflate)
{
    uint32_t symbol;

    if (inflate->copy_left == 0 && inflate->block == DOCA_PRIV_APSH_BLOCK_CODES) {
        symbol = doca_priv_apsh_code_read(inflate, &inflate->literals);
        if (symbol < DOCA_PRIV_APSH_END_OF_BLOCK)
            return (int)symbol;
        if (symbol == UINT32_MAX)
            return -1;
        if (symbol == DOCA_PRIV_APSH_END_OF_BLOCK) {
            inflate->block =
                inflate->is_last ? DOCA_PRIV_APSH_BLOCK_END : DOCA_PRIV_APSH_BLOCK_NEXT;
            return -1;
        }
        if (!doca_priv_apsh_copy_begin(inflate, symbol))
            return -1;
    }
    if (inflate->copy_left > 0) {
        inflate->copy_left--;
        return inflate->history[(inflate->at - inflate->distance) % DOCA_PRIV_APSH_HISTORY];
    }
    if (inflate->block == DOCA_PRIV_APSH_BLOCK_NEXT) {
        (void)doca_priv_apsh_block_next(inflate);
        return -1;
    }
    if (inflate->raw_left > 0) {
        inflate->raw_left--;
        symbol = doca_priv_apsh_bits_take(inflate, 8);
        return inflate->file->reason == NULL ? (int)symbol : -1;
    }
    inflate->block = inflate->is_last ? DOCA_PRIV_APSH_BLOCK_END : DOCA_PRIV_APSH_BLOCK_NEXT;
    return -1;
}

/* Compare the size and the checksum of the unpacked bytes with the directory of the file. */
static void doca_priv_apsh_inflate_end(struct doca_priv_apsh_inflate *inflate)
{
    if (inflate->size_left > 0)
        (void)doca_priv_apsh_inflate_bad(inflate, "a member is shorter than its size");
    else if (inflate->packed_left > 0 || inflate->num_bits >= 8)
        (void)doca_priv_apsh_inflate_bad(inflate, "a member has bytes behind its end");
    else if (~inflate->crc != inflate->crc_wanted)
        (void)doca_priv_apsh_inflate_bad(inflate, "a member has another checksum");
}

/* Unpack up to `len` bytes to `to`; when `to` is NULL, discard them. Returns fewer bytes at the end
 * of the member and after an error, whose reason is then in inflate->file. At the end of the
 * member, the size and the checksum are compared with the directory. */
DOCA_PRIV_DECL size_t doca_priv_apsh_inflate_read(struct doca_priv_apsh_inflate *inflate,
                                                  unsigned char *to, size_t len)
{
    size_t num = 0;
    int byte;

    while (num < len && inflate->file->reason == NULL &&
           inflate->block != DOCA_PRIV_APSH_BLOCK_END) {
        byte = doca_priv_apsh_inflate_byte(inflate);
        if (byte < 0) {
            if (inflate->block == DOCA_PRIV_APSH_BLOCK_END && inflate->file->reason == NULL)
                doca_priv_apsh_inflate_end(inflate);
            continue;
        }
        if (inflate->size_left == 0) {
            (void)doca_priv_apsh_inflate_bad(inflate, "a member is longer than its size");
            break;
        }
        if (*inflate->work == 0) {
            (void)doca_priv_apsh_inflate_bad(inflate, "more to unpack than may be");
            break;
        }
        --*inflate->work;
        inflate->size_left--;
        inflate->history[inflate->at++ % DOCA_PRIV_APSH_HISTORY] = (unsigned char)byte;
        inflate->num_out += inflate->num_out < DOCA_PRIV_APSH_HISTORY;
        inflate->crc = inflate->crc >> 8 ^ inflate->crcs[(inflate->crc ^ (uint32_t)byte) & 255];
        if (to != NULL)
            to[num] = (unsigned char)byte;
        num++;
    }
    return num;
}

/* Begin to unpack the member at the current place of the file. */
DOCA_PRIV_DECL void doca_priv_apsh_inflate_begin(struct doca_priv_apsh_inflate *inflate,
                                                 struct doca_priv_apsh_json *file, bool is_deflated,
                                                 uint64_t packed, uint64_t size, uint32_t crc,
                                                 uint64_t *work)
{
    uint32_t i, k, value;

    memset(inflate, 0, offsetof(struct doca_priv_apsh_inflate, crcs));
    for (i = 0; i < 256; i++) {
        for (value = i, k = 0; k < 8; k++)
            value = (value & 1) != 0 ? value >> 1 ^ 0xedb88320u : value >> 1;
        inflate->crcs[i] = value;
    }
    inflate->file = file;
    inflate->packed_left = packed;
    inflate->size_left = size;
    inflate->work = work;
    inflate->crc = UINT32_MAX;
    inflate->crc_wanted = crc;
    inflate->block = is_deflated ? DOCA_PRIV_APSH_BLOCK_NEXT : DOCA_PRIV_APSH_BLOCK_RAW;
    inflate->raw_left = is_deflated ? 0 : packed;
    inflate->is_last = !is_deflated;
}

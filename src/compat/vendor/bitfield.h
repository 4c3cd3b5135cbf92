/* ---- >>vendor.bitfield -----------------------------------------------------------------------
 * Byte order and bit fields (doca_bitfield.h). With constant arguments the macros are constants
 * and can be used in initializers. U8 is a byte. BE16 and BE32 are words in network byte order,
 * and so are their masks. A mask is one contiguous run of bits.                                 */
#ifndef DOCA_SRC_COMPAT_VENDOR_BITFIELD_H
#define DOCA_SRC_COMPAT_VENDOR_BITFIELD_H

/* amalgamate: skip */
#include "../../../doca_core.h"
/* amalgamate: end */

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_HTOBE16(x) __builtin_bswap16((uint16_t)(x))
#define DOCA_HTOBE32(x) __builtin_bswap32((uint32_t)(x))
#define DOCA_HTOBE64(x) __builtin_bswap64((uint64_t)(x))
#else /* these evaluate their argument more than once */
#define DOCA_HTOBE16(x) ((uint16_t)((uint16_t)(x) << 8 | (uint16_t)(x) >> 8))
#define DOCA_HTOBE32(x)                                                                            \
    ((uint32_t)DOCA_HTOBE16((uint32_t)(x)) << 16 | DOCA_HTOBE16((uint32_t)(x) >> 16))
#define DOCA_HTOBE64(x)                                                                            \
    ((uint64_t)DOCA_HTOBE32((uint64_t)(x)) << 32 | DOCA_HTOBE32((uint64_t)(x) >> 32))
#endif
#else
#define DOCA_HTOBE16(x) ((uint16_t)(x))
#define DOCA_HTOBE32(x) ((uint32_t)(x))
#define DOCA_HTOBE64(x) ((uint64_t)(x))
#endif
#define DOCA_BETOH16(x) DOCA_HTOBE16(x)
#define DOCA_BETOH32(x) DOCA_HTOBE32(x)
#define DOCA_BETOH64(x) DOCA_HTOBE64(x)

/* DOCA_SHIFT: the number of the lowest bit that is set, or 0 when `x` is 0. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_SHIFT(x) ((x) != 0 ? __builtin_ctzll((unsigned long long)(x)) : 0)
#else
#define DOCA_SHIFT(x) (doca_priv_vendor_shift((uint64_t)(x)))
static inline int doca_priv_vendor_shift(uint64_t x)
{
    int n = 0;

    for (; x > 1 && (x & 1) == 0; x >>= 1)
        n++;
    return n;
}
#endif

/* GENMASK: a mask of the bits from `high` down to `low`. The forms with P store it at a pointer. */
#define DOCA_PRIV_GENMASK(high, low) ((UINT64_MAX >> (63 - (high))) & (UINT64_MAX << (low)))
#define DOCA_U8_GENMASK(high, low) ((uint8_t)DOCA_PRIV_GENMASK(high, low))
#define DOCA_BE16_GENMASK(high, low) DOCA_HTOBE16(DOCA_PRIV_GENMASK(high, low))
#define DOCA_BE32_GENMASK(high, low) DOCA_HTOBE32(DOCA_PRIV_GENMASK(high, low))
#define DOCA_U8P_GENMASK(high, low, p) ((void)(*(uint8_t *)(p) = DOCA_U8_GENMASK(high, low)))
#define DOCA_BE16P_GENMASK(high, low, p)                                                           \
    ((void)(*(doca_be16_t *)(p) = DOCA_BE16_GENMASK(high, low)))
#define DOCA_BE32P_GENMASK(high, low, p)                                                           \
    ((void)(*(doca_be32_t *)(p) = DOCA_BE32_GENMASK(high, low)))

/* SET: `value`, in host order, shifted to the position of the mask; all other bits are 0. The
 * forms with P combine it with the word at a pointer by OR. */
#define DOCA_U8_SET(mask, value) ((uint8_t)((uint64_t)(value) << DOCA_SHIFT(mask) & (mask)))
#define DOCA_BE16_SET(mask, value)                                                                 \
    ((doca_be16_t)(DOCA_HTOBE16((uint64_t)(value) << DOCA_SHIFT(DOCA_BETOH16(mask))) & (mask)))
#define DOCA_BE32_SET(mask, value)                                                                 \
    ((doca_be32_t)(DOCA_HTOBE32((uint64_t)(value) << DOCA_SHIFT(DOCA_BETOH32(mask))) & (mask)))
#define DOCA_U8P_SET(mask, value, p)                                                               \
    ((void)(*(uint8_t *)(p) = (uint8_t)(*(uint8_t *)(p) | DOCA_U8_SET(mask, value))))
#define DOCA_BE16P_SET(mask, value, p)                                                             \
    ((void)(*(doca_be16_t *)(p) =                                                                  \
                (doca_be16_t)(*(doca_be16_t *)(p) | DOCA_BE16_SET(mask, value))))
#define DOCA_BE32P_SET(mask, value, p)                                                             \
    ((void)(*(doca_be32_t *)(p) |= DOCA_BE32_SET(mask, value)))

/* GET: the value, in host order, of the bits of `word` under the mask. */
#define DOCA_U8_GET(mask, word) ((uint8_t)(((word) & (mask)) >> DOCA_SHIFT(mask)))
#define DOCA_BE16_GET(mask, word)                                                                  \
    ((uint16_t)(DOCA_BETOH16((word) & (mask)) >> DOCA_SHIFT(DOCA_BETOH16(mask))))
#define DOCA_BE32_GET(mask, word)                                                                  \
    ((uint32_t)(DOCA_BETOH32((word) & (mask)) >> DOCA_SHIFT(DOCA_BETOH32(mask))))

#endif

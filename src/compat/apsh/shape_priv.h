/* ---- >>priv.apsh.shape -----------------------------------------------------------------------
 * Structures of the kernel. Several members of a structure are read at once. Terms: a *part* is a
 * number of 4 or 8 bytes of a structure; a *shape* is a list of parts with their offsets in the
 * kernel of the target. When a slot of the cache contains all parts of a structure, one check of
 * the address is sufficient for all of them.                                                    */
#ifndef DOCA_SRC_COMPAT_APSH_SHAPE_PRIV_H
#define DOCA_SRC_COMPAT_APSH_SHAPE_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/walk_priv.h"

#define DOCA_PRIV_APSH_PARTS 16u /* maximum number of parts of a shape */

struct doca_priv_apsh_part {
    uint8_t member; /* enum doca_priv_apsh_member */
    uint8_t inside; /* offset of the part in the member, in bytes */
    uint8_t bytes;  /* 4 or 8 */
};

struct doca_priv_apsh_shape {
    uint64_t first; /* offset of the part with the lowest offset in the structure */
    uint32_t bytes; /* bytes from `first` to 8 bytes after the beginning of the last part */
    uint32_t num;
    uint64_t masks[DOCA_PRIV_APSH_PARTS];  /* bits of a part; 0: the kernel has no such member */
    uint32_t places[DOCA_PRIV_APSH_PARTS]; /* distance from the first part */
};

/* The parts whose values doca_priv_apsh_pick() returns. It fetches the other parts into the cache
 * only. */
struct doca_priv_apsh_span {
    uint32_t from, to; /* numbers of the first part, and of the part after the last */
};

DOCA_PRIV_DECL void doca_priv_apsh_shape_make(const struct doca_priv_apsh_kernel *kernel,
                                              const struct doca_priv_apsh_part *parts, uint32_t num,
                                              struct doca_priv_apsh_shape *shape);
DOCA_PRIV_DECL DOCA_PRIV_APSH_APART doca_error_t doca_priv_apsh_pick_other(
    struct doca_priv_apsh_kernel *kernel, const struct doca_priv_apsh_shape *shape, uint64_t object,
    struct doca_priv_apsh_span span, uint64_t *values);

/* Load 8 bytes. On little-endian machines compilers turn the expression into one instruction. */
DOCA_PRIV_APSH_HOT uint64_t doca_priv_apsh_load(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 |
           (uint64_t)at[7] << 56;
}

/* True when the slot contains all of [addr, addr + len). */
DOCA_PRIV_APSH_HOT bool doca_priv_apsh_slot_has(const struct doca_priv_apsh_slot *slot,
                                                uint64_t addr, uint32_t len)
{
    const uint64_t at = addr - slot->addr;

    return at < slot->bytes && len <= slot->bytes - at;
}

/* Load parts of a structure whose first part is at `at`. */
DOCA_PRIV_APSH_HOT void doca_priv_apsh_load_parts(const struct doca_priv_apsh_shape *shape,
                                                  const unsigned char *at,
                                                  struct doca_priv_apsh_span span, uint64_t *values)
{
    const uint64_t *mask = shape->masks + span.from, *const end = shape->masks + span.to;
    const uint32_t *place = shape->places + span.from;
    uint64_t *to = values + span.from;

    while (mask < end)
        *to++ = doca_priv_apsh_load(at + *place++) & *mask++;
    DOCA_PRIV_APSH_LOADED(values);
}

/* Read the parts `span` of the structure at `object` into the elements of `values` with the same
 * index. The value of a member that the kernel does not have is 0. NOT_FOUND: a part is not
 * mapped. */
DOCA_PRIV_APSH_HOT doca_error_t doca_priv_apsh_pick(struct doca_priv_apsh_kernel *kernel,
                                                const struct doca_priv_apsh_shape *shape,
                                                uint64_t object, struct doca_priv_apsh_span span,
                                                uint64_t *values)
{
    const uint64_t physical = object + shape->first - kernel->direct;
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_latest(&kernel->mem, physical);

    if (!doca_priv_apsh_may_be_direct(kernel, object + shape->first) ||
        !doca_priv_apsh_mem_contains(&kernel->mem, slot, physical) ||
        !doca_priv_apsh_slot_has(slot, physical, shape->bytes) ||
        !doca_priv_apsh_mem_spend(&kernel->mem, span.to - span.from))
        return doca_priv_apsh_pick_other(kernel, shape, object, span, values);
    doca_priv_apsh_load_parts(shape, slot->from + (physical - slot->addr), span, values);
    return DOCA_SUCCESS;
}

#endif

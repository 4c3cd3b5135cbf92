/* ---- >>priv.apsh.shape -----------------------------------------------------------------------
 * Structures of the kernel of which several members are read at once. Terms: a *part* is a number
 * of 4 or 8 bytes of a structure; a *shape* is a list of parts, with their places in the kernel of
 * the target. When a slot of the cache contains all parts of a structure, one check of its address
 * is enough for all of them.                                                                    */
#ifndef DOCA_SRC_COMPAT_APSH_SHAPE_PRIV_H
#define DOCA_SRC_COMPAT_APSH_SHAPE_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"

#define DOCA_PRIV_APSH_PARTS 16u /* maximum number of parts of a shape */

struct doca_priv_apsh_part {
    uint8_t member; /* enum doca_priv_apsh_member */
    uint8_t inside; /* where the part begins in the member, in bytes */
    uint8_t bytes;  /* 4 or 8 */
};

struct doca_priv_apsh_shape {
    uint64_t first; /* offset of the part that is first in the structure */
    uint32_t bytes; /* from there to the end of 8 bytes at the last part */
    uint32_t num;
    uint64_t masks[DOCA_PRIV_APSH_PARTS];  /* bits of a part; 0: the kernel has no such member */
    uint32_t places[DOCA_PRIV_APSH_PARTS]; /* distance from the first part */
};

/* Parts whose values doca_priv_apsh_pick() returns. The others are only fetched with them. */
struct doca_priv_apsh_span {
    uint32_t from, to; /* `to` is the number behind the last part */
};

DOCA_PRIV_DECL void doca_priv_apsh_shape_make(const struct doca_priv_apsh_kernel *kernel,
                                              const struct doca_priv_apsh_part *parts, uint32_t num,
                                              struct doca_priv_apsh_shape *shape);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_pick(struct doca_priv_apsh_kernel *kernel,
                                                const struct doca_priv_apsh_shape *shape,
                                                uint64_t object, struct doca_priv_apsh_span span,
                                                uint64_t *values);

#endif

/* ---- >>impl.apsh.shape -----------------------------------------------------------------------
 * Structures of the kernel. Several members of a structure are read at once.                    */
#include "compat/apsh/shape_priv.h"

#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/walk_priv.h"

/* Make the shape of a structure from at most DOCA_PRIV_APSH_PARTS parts. */
DOCA_PRIV_DECL void doca_priv_apsh_shape_make(const struct doca_priv_apsh_kernel *kernel,
                                              const struct doca_priv_apsh_part *parts, uint32_t num,
                                              struct doca_priv_apsh_shape *shape)
{
    uint64_t first = UINT64_MAX, end = 0, offset;
    uint32_t i;

    memset(shape, 0, sizeof(*shape));
    shape->num = num;
    for (i = 0; i < num; i++) {
        if (kernel->offsets[parts[i].member] < 0)
            continue;
        offset = (uint64_t)kernel->offsets[parts[i].member] + parts[i].inside;
        first = offset < first ? offset : first;
        end = offset + 8 > end ? offset + 8 : end;
        shape->masks[i] = parts[i].bytes == 4 ? UINT32_MAX : UINT64_MAX;
    }
    if (end == 0)
        return;
    shape->first = first;
    shape->bytes = (uint32_t)(end - first);
    for (i = 0; i < num; i++)
        if (shape->masks[i] != 0)
            shape->places[i] = (uint32_t)((uint64_t)kernel->offsets[parts[i].member] +
                                          parts[i].inside - first);
}

/* Read all blocks with parts of a structure to the cache, in one batch. */
static void doca_priv_apsh_shape_fetch(struct doca_priv_apsh_kernel *kernel,
                                       const struct doca_priv_apsh_shape *shape, uint64_t object)
{
    uint64_t addrs[DOCA_PRIV_APSH_PARTS];
    uint32_t num = 0, i;

    for (i = 0; i < shape->num; i++)
        if (shape->masks[i] != 0)
            doca_priv_apsh_batch(kernel, object + shape->first + shape->places[i], addrs, &num);
    doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num);
}

/* Read all blocks with parts of a structure in the direct map to the cache, in one batch. If a task
 * can read as many bytes as all parts span, only two blocks matter: the block with the first part
 * and the block with the last part. `physical`: address of the first part. */
static void doca_priv_apsh_shape_fetch_near(struct doca_priv_apsh_kernel *kernel,
                                            const struct doca_priv_apsh_shape *shape,
                                            uint64_t physical)
{
    const uint64_t addrs[2] = { physical, physical + shape->bytes - 8 };

    if (shape->bytes <= kernel->mem.unit)
        doca_priv_apsh_mem_fetch(&kernel->mem, addrs, 2);
    else
        doca_priv_apsh_shape_fetch(kernel, shape, physical + kernel->direct - shape->first);
}

/* Read a part through the cache. */
static doca_error_t doca_priv_apsh_pick_one(struct doca_priv_apsh_kernel *kernel,
                                            const struct doca_priv_apsh_shape *shape,
                                            uint64_t object, uint32_t part, uint64_t *value)
{
    unsigned char bytes[8] = { 0 };
    doca_error_t rc = DOCA_SUCCESS;

    if (shape->masks[part] != 0)
        rc = doca_priv_apsh_read(kernel, object + shape->first + shape->places[part], bytes,
                                 shape->masks[part] == UINT32_MAX ? 4 : 8);
    *value = doca_priv_apsh_u64(bytes);
    return rc;
}

/* Read parts of a structure in the direct map that no single slot contains. */
static doca_error_t doca_priv_apsh_pick_near(struct doca_priv_apsh_kernel *kernel,
                                             const struct doca_priv_apsh_shape *shape,
                                             uint64_t physical, struct doca_priv_apsh_span span,
                                             uint64_t *values)
{
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_present(&kernel->mem, physical);
    doca_error_t rc = DOCA_SUCCESS;
    uint64_t at;
    uint32_t i;

    if (slot->bytes == 0 ||
        doca_priv_apsh_mem_present(&kernel->mem, physical + shape->bytes - 8)->bytes == 0) {
        doca_priv_apsh_shape_fetch_near(kernel, shape, physical);
        slot = doca_priv_apsh_mem_present(&kernel->mem, physical);
    }
    for (i = span.from; i < span.to && rc == DOCA_SUCCESS; i++) {
        at = physical + shape->places[i];
        if (!doca_priv_apsh_slot_has(slot, at, 8))
            slot = doca_priv_apsh_mem_present(&kernel->mem, at);
        if (doca_priv_apsh_slot_has(slot, at, 8) && doca_priv_apsh_mem_spend(&kernel->mem, 1)) {
            values[i] = doca_priv_apsh_load(slot->from + (at - slot->addr)) & shape->masks[i];
            continue;
        }
        rc = doca_priv_apsh_pick_one(kernel, shape, at + kernel->direct - shape->places[i] -
                                                        shape->first, i, &values[i]);
        slot = doca_priv_apsh_mem_present(&kernel->mem, physical); /* pick_one may have replaced the
                                                                    * slot */
    }
    DOCA_PRIV_APSH_LOADED(values);
    return rc;
}

/* Read parts of a structure that is not in the direct map, or that crosses the end of the target's
 * memory. */
static doca_error_t doca_priv_apsh_pick_each(struct doca_priv_apsh_kernel *kernel,
                                             const struct doca_priv_apsh_shape *shape,
                                             uint64_t object, struct doca_priv_apsh_span span,
                                             uint64_t *values)
{
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    doca_priv_apsh_shape_fetch(kernel, shape, object);
    for (i = span.from; i < span.to && rc == DOCA_SUCCESS; i++)
        rc = doca_priv_apsh_pick_one(kernel, shape, object, i, &values[i]);
    return rc;
}

/* Read parts of a structure that the slot of the latest access does not contain. */
DOCA_PRIV_DECL DOCA_PRIV_APSH_APART doca_error_t doca_priv_apsh_pick_other(
    struct doca_priv_apsh_kernel *kernel, const struct doca_priv_apsh_shape *shape, uint64_t object,
    struct doca_priv_apsh_span span, uint64_t *values)
{
    const uint64_t physical = object + shape->first - kernel->direct;
    const unsigned char *at;

    if (!doca_priv_apsh_may_be_direct(kernel, object + shape->first))
        return doca_priv_apsh_pick_each(kernel, shape, object, span, values);
    at = doca_priv_apsh_mem_window(&kernel->mem, physical, shape->bytes);
    if (at == NULL || !doca_priv_apsh_mem_spend(&kernel->mem, span.to - span.from))
        return doca_priv_apsh_pick_near(kernel, shape, physical, span, values);
    doca_priv_apsh_load_parts(shape, at, span, values);
    return DOCA_SUCCESS;
}

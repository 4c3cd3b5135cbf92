/* ---- >>impl.legacy.inventory -----------------------------------------------------------------
 * Inventories, and the buffers taken from them. user_data of an inventory of 1.x points to a label
 * with its name, extensions and user data; obj.owner marks such an inventory.                   */
#include "compat/legacy/inventory.h"

#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "memory/inventory.h"
#include "memory/inventory_priv.h"
#include "compat/legacy/buf.h"
#include "compat/legacy/bytes.h"
#include "compat/legacy/chunk_priv.h"
#include "compat/legacy/mmap_priv.h"
#include "compat/legacy/property_priv.h"

/* Take a buffer. The range that contains `addr` supplies the mmap of doca_core.h. */
static doca_error_t doca_priv_legacy_buf_get(struct doca_buf_inventory *inventory,
                                             struct doca_core_legacy_mmap *mmap, void *addr,
                                             size_t len, void *data, size_t data_len,
                                             struct doca_buf **buf, const char *function)
{
    uint32_t at;

    if (doca_unlikely(!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP)))
        return doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, NULL, function);
    if (doca_unlikely(mmap->obj.state != DOCA_PRIV_STARTED))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              mmap);
    at = mmap->whole != NULL ? 0 : doca_priv_chunk_find(mmap, addr);
    if (doca_unlikely(at == mmap->num_chunks))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE, function,
                              mmap);
    return doca_priv_inventory_get(inventory, mmap->chunks[at], addr, len, data, data_len, buf,
                                   function);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len,
                                                           struct doca_buf **buf)
{
    return doca_priv_legacy_buf_get(inventory, mmap, addr, len, addr, 0, buf, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_data(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *data, size_t data_len,
                                                           struct doca_buf **buf)
{
    return doca_priv_legacy_buf_get(inventory, mmap, data, data_len, data, data_len, buf,
                                    __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_args(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len, void *data,
                                                           size_t data_len, struct doca_buf **buf)
{
    return doca_priv_legacy_buf_get(inventory, mmap, addr, len, data, data_len, buf, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_buf_dup(
    struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf)
{
    DOCA_PRIV_OPEN(src_buf)
    const struct doca_core_legacy_mmap *mmap;
    const struct doca_buf *buf;

    /* the call below refuses any other buffer */
    if (doca_priv_is_buf(src_buf) && src_buf->flags != 0) {
        for (buf = src_buf; buf != NULL; buf = buf->next) {
            if (buf->mmap->obj.owner != DOCA_PRIV_OF_LEGACY)
                continue;
            mmap = (const struct doca_core_legacy_mmap *)buf->mmap->user_data.ptr;
            if (mmap->obj.state != DOCA_PRIV_STARTED)
                return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, mmap);
        }
    }
    return doca_buf_inventory_buf_dup(inventory, src_buf, dst_buf);
}

struct doca_priv_legacy_label {
    uint32_t extensions;
    union doca_data user_data;
    char name[DOCA_CORE_LEGACY_NAME_BYTES];
};

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_buf_inventory(size_t num_elements,
                                                                 size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_stock_carve(&count, num_elements, &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(&count, sizeof(struct doca_priv_legacy_label), &block, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

static doca_error_t doca_priv_legacy_inventory_make(const char *name,
                                                    const union doca_data *user_data,
                                                    size_t num_elements, uint32_t extensions,
                                                    struct doca_buf_inventory **inventory,
                                                    const char *function)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_buf_inventory *made = NULL;
    struct doca_priv_legacy_label *label;
    void *block = NULL;
    doca_error_t rc;

    if (inventory == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    if ((extensions & ~(uint32_t)DOCA_BUF_EXTENSION_LINKED_LIST) != 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_LEGACY_PROPERTY, function,
                              NULL);
    rc = doca_priv_inventory_create(arena, num_elements, &made, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_object_take(arena, sizeof(*label), &block, function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_buf_inventory_destroy(made);
        return rc;
    }
    label = (struct doca_priv_legacy_label *)block;
    label->extensions = extensions;
    if (user_data != NULL)
        label->user_data = *user_data;
    doca_priv_legacy_name(label->name, name);
    made->stock.obj.owner = DOCA_PRIV_OF_LEGACY;
    made->stock.user_data.ptr = label;
    *inventory = made;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create(
    const char *name, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory)
{
    return doca_priv_legacy_inventory_make(name, NULL, num_elements, extensions, buf_inventory,
                                           __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create_15(
    const union doca_data *user_data, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory)
{
    return doca_priv_legacy_inventory_make(NULL, user_data, num_elements, extensions, buf_inventory,
                                           __func__);
}

/* Return the label of an inventory of 1.x. Returns NULL for an inventory of doca_core.h. */
static struct doca_priv_legacy_label *doca_priv_legacy_label_of(
    const struct doca_buf_inventory *inventory)
{
    return inventory->stock.obj.owner == DOCA_PRIV_OF_LEGACY
               ? (struct doca_priv_legacy_label *)inventory->stock.user_data.ptr
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_destroy(
    struct doca_buf_inventory *inventory)
{
    struct doca_core_arena *arena;
    uint32_t owner;
    void *label;
    doca_error_t rc;

    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    arena = inventory->stock.arena;
    label = doca_priv_legacy_label_of(inventory);
    owner = inventory->stock.obj.owner;
    inventory->stock.obj.owner = 0; /* otherwise doca_buf_inventory_destroy() would refuse it */
    rc = doca_buf_inventory_destroy(inventory);
    if (rc == DOCA_ERROR_IN_USE)
        inventory->stock.obj.owner = owner;
    else
        DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(arena, label));
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, user_data, __func__);
    const struct doca_priv_legacy_label *label;

    if (rc != DOCA_SUCCESS)
        return rc;
    label = doca_priv_legacy_label_of(inventory);
    *user_data = label != NULL ? label->user_data : inventory->stock.user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_set_user_data(
    struct doca_buf_inventory *inventory, union doca_data user_data)
{
    struct doca_priv_legacy_label *label;

    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    label = doca_priv_legacy_label_of(inventory);
    if (label != NULL)
        label->user_data = user_data;
    else
        inventory->stock.user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_set(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property,
    const void *value, uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, value, __func__);

    (void)size;
    if (rc != DOCA_SUCCESS)
        return rc;
    if ((unsigned)property > DOCA_BUF_INVENTORY_EXTENSIONS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, inventory);
    return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_READ_ONLY, inventory);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_get(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property, void *value,
    uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, value, __func__);
    const struct doca_priv_legacy_label *label;
    const char *name;

    if (rc != DOCA_SUCCESS)
        return rc;
    label = doca_priv_legacy_label_of(inventory);
    switch ((int)property) {
    case DOCA_BUF_INVENTORY_NAME:
        name = label != NULL ? label->name : "";
        return doca_priv_property_put(value, size, name, doca_priv_str_len(name) + 1, __func__);
    case DOCA_BUF_INVENTORY_NUM_ELEMENTS:
        return doca_priv_property_put_32(value, size, inventory->stock.num, __func__);
    case DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS:
        return doca_priv_property_put_32(value, size, inventory->stock.num_free, __func__);
    case DOCA_BUF_INVENTORY_EXTENSIONS:
        return doca_priv_property_put_32(value, size, label != NULL ? label->extensions : 0,
                                         __func__);
    default:
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, inventory);
    }
}

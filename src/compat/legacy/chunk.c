/* ---- >>impl.legacy.chunk ---------------------------------------------------------------------
 * The memory ranges and the devices of an mmap of 1.x.                                          */
#include "compat/legacy/chunk_priv.h"

#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"
#include "compat/legacy/mmap.h"
#include "compat/legacy/mmap_priv.h"

/* Check that ranges and devices of the mmap may be added and removed, and that it may be
 * exported. */
DOCA_PRIV_DECL doca_error_t doca_priv_legacy_mmap_change(const struct doca_core_legacy_mmap *mmap,
                                                         const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, pointer, function);
    enum doca_core_item item;

    if (rc != DOCA_SUCCESS)
        return rc;
    item = mmap->whole != NULL                    ? DOCA_CORE_ITEM_LEGACY_ONE_RANGE
           : mmap->is_imported                    ? DOCA_CORE_ITEM_MMAP_IMPORTED
           : mmap->is_exported                    ? DOCA_CORE_ITEM_MMAP_EXPORTED
           : mmap->obj.state != DOCA_PRIV_STARTED ? DOCA_CORE_ITEM_MMAP_NOT_STARTED
                                                  : DOCA_CORE_ITEM_NONE;
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, function, mmap);
}

/* Return the index of `dev` among the devices of the mmap, or num_devs when the mmap does not have
 * the device. */
DOCA_PRIV_DECL uint32_t doca_priv_legacy_mmap_find(const struct doca_core_legacy_mmap *mmap,
                                                   const struct doca_dev *dev)
{
    uint32_t i;

    for (i = 0; i < mmap->num_devs && mmap->devs[i] != dev; i++) {
    }
    return i;
}

/* Register a range on one more device. Returns false when the device refuses. */
static bool doca_priv_chunk_dev_add(struct doca_mmap *chunk, struct doca_dev *dev)
{
    struct doca_priv_mmap_dev *d = &chunk->devs[chunk->num_devs];
    struct doca_core_range range;

    doca_priv_mmap_range(chunk, &range);
    if (dev->backend->reg_range(dev, &range, &d->mkey, &d->internal_mkey) != DOCA_SUCCESS)
        return false;
    d->dev = dev;
    chunk->num_devs++;
    chunk->dev_mask |= dev->bit;
    doca_priv_dev_hold(dev);
    return true;
}

static void doca_priv_chunk_dev_rm(struct doca_mmap *chunk, struct doca_dev *dev)
{
    uint32_t i = doca_priv_mmap_find(chunk, dev);

    dev->backend->dereg(dev, chunk->devs[i].mkey);
    chunk->dev_mask &= ~dev->bit;
    chunk->devs[i] = chunk->devs[--chunk->num_devs];
    doca_priv_dev_drop(dev);
}

DOCA_CORE_DECL doca_error_t doca_mmap_dev_add(struct doca_core_legacy_mmap *mmap,
                                              struct doca_dev *dev)
{
    doca_error_t rc;
    uint32_t i;

    if (doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP) && mmap->whole != NULL)
        return doca_mmap_add_dev(mmap->whole, dev);
    rc = doca_priv_legacy_mmap_change(mmap, dev, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    if (doca_priv_legacy_mmap_find(mmap, dev) < mmap->num_devs)
        return DOCA_PRIV_FAIL(IN_USE, MMAP_DEV_TWICE, mmap);
    if (mmap->num_devs == mmap->max_devs)
        return DOCA_PRIV_FAIL(NO_MEMORY, MMAP_DEV_FULL, mmap);
    for (i = 0; i < mmap->num_chunks; i++) {
        if (!doca_priv_chunk_dev_add(mmap->chunks[i], dev)) {
            while (i-- > 0)
                doca_priv_chunk_dev_rm(mmap->chunks[i], dev);
            return DOCA_PRIV_FAIL(NOT_PERMITTED, BACKEND_REFUSED, mmap);
        }
    }
    mmap->devs[mmap->num_devs++] = dev;
    doca_priv_dev_hold(dev);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_dev_rm(struct doca_core_legacy_mmap *mmap,
                                             struct doca_dev *dev)
{
    doca_error_t rc;
    uint32_t i, at;

    if (doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP) && mmap->whole != NULL)
        return doca_mmap_rm_dev(mmap->whole, dev);
    rc = doca_priv_legacy_mmap_change(mmap, dev, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    at = doca_priv_legacy_mmap_find(mmap, dev);
    if (at == mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEV_MISSING, mmap);
    for (i = 0; i < mmap->num_chunks; i++)
        doca_priv_chunk_dev_rm(mmap->chunks[i], dev);
    mmap->devs[at] = mmap->devs[--mmap->num_devs];
    doca_priv_dev_drop(dev);
    return DOCA_SUCCESS;
}

/* Return the index of the first range that ends after `addr`, or num_chunks when every range ends
 * before it. */
DOCA_PRIV_DECL uint32_t doca_priv_chunk_find(const struct doca_core_legacy_mmap *mmap,
                                             const void *addr)
{
    uint32_t low = 0, high = mmap->num_chunks, middle;

    while (low < high) {
        middle = low + (high - low) / 2;
        if ((uintptr_t)mmap->chunks[middle]->addr + mmap->chunks[middle]->len <= (uintptr_t)addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Translate permissions of 1.x to today's. */
static uint32_t doca_priv_legacy_access(uint32_t flags)
{
    uint32_t access = 0;

    if ((flags & DOCA_MMAP_ACCESS_LOCAL_WRITE) != 0)
        access |= DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    if ((flags & DOCA_MMAP_ACCESS_REMOTE_WRITE) != 0)
        access |= DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE;
    else if ((flags & DOCA_MMAP_ACCESS_REMOTE_READ) != 0)
        access |= DOCA_ACCESS_FLAG_PCI_READ_ONLY;
    if ((flags & DOCA_MMAP_ACCESS_REMOTE_READ) != 0)
        access |= DOCA_ACCESS_FLAG_RDMA_READ;
    if ((flags & DOCA_MMAP_ACCESS_REMOTE_ATOMIC) != 0)
        access |= DOCA_ACCESS_FLAG_RDMA_ATOMIC;
    return access;
}

/* Create the mmap of doca_core.h for a range that has been checked, and start it. */
static doca_error_t doca_priv_chunk_make(struct doca_core_legacy_mmap *mmap, void *addr, size_t len,
                                         struct doca_mmap **chunk, const char *function)
{
    struct doca_mmap *c = NULL;
    doca_error_t rc = doca_priv_mmap_create(mmap->arena, &c, function);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (mmap->max_devs > c->max_devs) {
        rc = doca_mmap_set_max_num_devices(c, mmap->max_devs);
        if (rc != DOCA_SUCCESS) {
            (void)doca_mmap_destroy(c);
            return rc;
        }
    }
    c->obj.owner = DOCA_PRIV_OF_LEGACY;
    c->user_data.ptr = mmap;
    c->access = doca_priv_legacy_access(mmap->flags);
    doca_priv_mmap_set_range(c, addr, len);
    for (i = 0; i < mmap->num_devs; i++)
        (void)doca_mmap_add_dev(c, mmap->devs[i]);
    if (doca_mmap_start(c) != DOCA_SUCCESS) {
        (void)doca_mmap_destroy(c);
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_BACKEND_REFUSED, function,
                              mmap);
    }
    *chunk = c;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_populate(struct doca_core_legacy_mmap *mmap, void *addr,
                                               size_t len, size_t pg_sz,
                                               doca_mmap_memrange_free_cb_t *free_cb, void *opaque)
{
    doca_error_t rc = doca_priv_legacy_mmap_change(mmap, addr, __func__);
    struct doca_mmap *chunk = NULL;
    uint32_t at;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (len == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, mmap);
    if (len > UINTPTR_MAX - (uintptr_t)addr)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_RANGE_WRAPS, mmap);
    if (pg_sz < 4096 || (pg_sz & (pg_sz - 1)) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PAGE_SIZE, mmap);
    if (mmap->num_chunks == mmap->max_chunks)
        return DOCA_PRIV_FAIL(NO_MEMORY, LEGACY_CHUNKS_FULL, mmap);
    at = doca_priv_chunk_find(mmap, addr);
    if (at < mmap->num_chunks && (uintptr_t)mmap->chunks[at]->addr < (uintptr_t)addr + len)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_CHUNK_OVERLAP, mmap);
    rc = doca_priv_chunk_make(mmap, addr, len, &chunk, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    /* analyzer: core.NullDereference: success means that the chunk was created */
    chunk->free_cb = free_cb;
    chunk->free_opaque = opaque;
    chunk->free_cb_armed = free_cb != NULL;
    /* analyzer: bugprone-sizeof-expression: the elements of the array are pointers */
    DOCA_CORE_MEMMOVE(mmap->chunks + at + 1, mmap->chunks + at,
                      (mmap->num_chunks - at) * sizeof(*mmap->chunks));
    mmap->chunks[at] = chunk;
    mmap->num_chunks++;
    return DOCA_SUCCESS;
}

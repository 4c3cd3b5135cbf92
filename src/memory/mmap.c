/* ---- >>impl.mmap ----------------------------------------------------------------------------
 * Create, configure, start, stop and destroy mmaps. num_bufs counts the buffers; stop and destroy
 * refuse while it is above 0, except for an mmap with is_shared.                                */
#include "memory/mmap_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/backend_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "memory/buf.h"
#include "memory/export_priv.h"
#include "memory/hot_buf.h"
#include "memory/inventory_priv.h"
#include "memory/mmap_dev_priv.h"
#include "memory/mmap_rep_priv.h"
#include "memory/stocks_priv.h"

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_mmap), bytes, __func__);
}

static doca_error_t doca_priv_mmap_devs_carve(struct doca_core_arena *arena, uint32_t num,
                                              void **block, const char *function)
{
    return doca_priv_object_take(arena, doca_priv_size(num, sizeof(struct doca_priv_mmap_dev), 0),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_devs(uint32_t num_devs, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_mmap_devs_carve(&count, num_devs, &block, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

/* Initialize a stopped mmap in zeroed memory. */
DOCA_PRIV_DECL void doca_priv_mmap_init(struct doca_mmap *m, struct doca_core_arena *arena)
{
    doca_priv_object_init(&m->obj, DOCA_PRIV_KIND_MMAP);
    /* analyzer: analyzer-null-dereference: only an arena that just counts returns NULL */
    m->access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    m->serial = doca_priv_serial();
    m->arena = arena;
    m->devs = m->inline_devs;
    m->max_devs = DOCA_CORE_MMAP_DEVS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mmap_create(struct doca_core_arena *arena,
                                                  struct doca_mmap **mmap, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, mmap, function);
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(arena, sizeof(**mmap), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    *mmap = (struct doca_mmap *)block;
    doca_priv_mmap_init(*mmap, arena);
    return DOCA_SUCCESS;
}

/* Replace the address of a new mmap by the handle that the program gets. */
DOCA_PRIV_DECL doca_error_t doca_priv_mmap_hand_out(doca_error_t rc, struct doca_mmap **mmap)
{
    if (rc == DOCA_SUCCESS)
        *mmap = (struct doca_mmap *)DOCA_PRIV_HANDLE(*mmap);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_create_in(struct doca_core_arena *arena,
                                                     struct doca_mmap **mmap)
{
    return doca_priv_mmap_hand_out(doca_priv_mmap_create(arena, mmap, __func__), mmap);
}

DOCA_CORE_DECL doca_error_t doca_mmap_create(struct doca_mmap **mmap)
{
    return doca_priv_mmap_hand_out(
        doca_priv_mmap_create(doca_core_arena_bound(), mmap, __func__), mmap);
}

/* Undo the registrations on devs[0] to devs[num - 1] and remove the mapping of a dmabuf. */
static void doca_priv_mmap_dereg(struct doca_mmap *mmap, uint32_t num)
{
    while (num-- > 0)
        mmap->devs[num].dev->backend->dereg(mmap->devs[num].dev, mmap->devs[num].mkey);
    mmap->dev_mask = 0;
    if (mmap->far != NULL) { /* a dmabuf: this function is not called for imports */
        doca_priv_sys_dmabuf_unmap(mmap->far->view, mmap->len);
        mmap->far->view = NULL;
    }
}

/* Map the dmabuf. Fails unless all devices support dmabufs. */
static doca_error_t doca_priv_mmap_map_dmabuf(struct doca_mmap *mmap, const char *function)
{
    const uint32_t writers = DOCA_PRIV_ACCESS_OF_WRITERS | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    uint32_t i;

    for (i = 0; i < mmap->num_devs; i++)
        if (mmap->devs[i].dev->info.attr.limits.has_dmabuf == 0)
            return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_DMABUF, function,
                                  mmap->devs[i].dev);
    mmap->far->view = doca_priv_sys_dmabuf_map(mmap->far->dmabuf_fd, mmap->far->dmabuf_offset,
                                               mmap->len, (mmap->access & writers) != 0);
    return mmap->far->view != NULL
               ? DOCA_SUCCESS
               : doca_priv_fail_system(DOCA_CORE_ITEM_MMAP_DMABUF_MAP, function, mmap,
                                       DOCA_PRIV_LOG_TEXT("map the dmabuf"));
}

/* End all exports. All tokens are cleared before any block is released. */
static void doca_priv_mmap_revoke(struct doca_mmap *mmap)
{
    struct doca_priv_mmap_export *e;

    for (e = mmap->exports; e != NULL; e = e->next)
        *(volatile uint64_t *)&e->token = 0; /* an importer may read it at this time */
    /* An importer reads the token after the data. The fence ensures that it sees the cleared token
     * if it sees anything that the program writes to this memory after the stop. */
    DOCA_PRIV_FENCE();
    while ((e = mmap->exports) != NULL) {
        mmap->exports = e->next;
        if (e->reg.dev->backend->mem_unexport != NULL)
            e->reg.dev->backend->mem_unexport(e->reg.dev, e->reg.mkey, e->reg.internal_mkey,
                                              e->desc.head.kind == DOCA_PRIV_EXPORT_MMAP_RDMA);
        (void)doca_core_arena_give(mmap->arena, e);
    }
}

/* Check that the mmap can be configured. A started mmap gives the error `code`. */
static doca_error_t doca_priv_mmap_check_config(const struct doca_mmap *mmap, doca_error_t code,
                                                const char *function)
{
    if (mmap->is_imported)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_MMAP_IMPORTED, function,
                              mmap);
    if (mmap->obj.state != DOCA_PRIV_STOPPED)
        return doca_priv_fail(code, DOCA_CORE_ITEM_MMAP_STARTED, function, mmap);
    return DOCA_SUCCESS;
}

/* Mark the mmap as started and prepare the first word of its buffers. A range that ends in the last
 * page of the address space does not get the flag of its device: the fast paths require that flag
 * and compute the end of a copy without an overflow check. */
DOCA_PRIV_DECL void doca_priv_mmap_enter_started(struct doca_mmap *mmap)
{
    const uintptr_t end = (uintptr_t)mmap->addr + mmap->len;
    uint8_t flags = DOCA_PRIV_BUF_OUT;

    if ((mmap->access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0)
        flags |= DOCA_PRIV_BUF_WRITE;
    if (mmap->is_shared || mmap->obj.owner == DOCA_PRIV_OF_DPDK)
        flags |= DOCA_PRIV_BUF_OTHER;
    if (mmap->num_devs == 1 && mmap->obj.owner == 0 && end - 1 < UINTPTR_MAX - 4096)
        flags |= doca_priv_buf_dev(mmap->dev_mask);
    mmap->end = (unsigned char *)end;
    mmap->buf_word = doca_priv_buf_word_of(DOCA_PRIV_KIND_BUF, flags, 1);
    mmap->obj.state = mmap->is_shared ? DOCA_PRIV_STARTED_SHARED : DOCA_PRIV_STARTED;
}

/* Describe the range for the registration by a backend. */
DOCA_PRIV_DECL void doca_priv_mmap_range(const struct doca_mmap *mmap,
                                         struct doca_core_range *range)
{
    range->addr = mmap->addr;
    range->len = mmap->len;
    range->access = mmap->access;
    range->dmabuf_fd = mmap->far != NULL ? mmap->far->dmabuf_fd : -1;
    range->dmabuf_offset = mmap->far != NULL ? mmap->far->dmabuf_offset : 0;
    range->mmap = mmap;
}

/* Register the range on all devices. When a device refuses, undo the registrations made before. */
static doca_error_t doca_priv_mmap_reg(struct doca_mmap *mmap, const char *function)
{
    doca_error_t rc = mmap->far != NULL ? doca_priv_mmap_map_dmabuf(mmap, function) : DOCA_SUCCESS;
    struct doca_core_range range;
    struct doca_priv_mmap_dev *d;
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_mmap_range(mmap, &range);
    doca_priv_listen();
    for (i = 0; i < mmap->num_devs; i++) {
        d = &mmap->devs[i];
        rc = d->dev->backend->reg_range(d->dev, &range, &d->mkey, &d->internal_mkey);
        if (rc != DOCA_SUCCESS) {
            doca_priv_mmap_dereg(mmap, i);
            return doca_priv_refused(rc, function, mmap);
        }
        if (mmap->far == NULL)
            mmap->dev_mask |= d->dev->bit;
    }
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mmap_start(struct doca_mmap *mmap, const char *function)
{
    doca_error_t rc;

    if (mmap->exports != NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_MMAP_EXPORTED, function,
                              mmap);
    rc = doca_priv_mmap_check_config(mmap, DOCA_ERROR_BAD_STATE, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!mmap->has_range)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_NO_RANGE, function,
                              mmap);
    rc = doca_priv_mmap_reg(mmap, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_mmap_enter_started(mmap);
    mmap->was_started = true;
    mmap->free_cb_armed = mmap->free_cb != NULL;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_start(struct doca_mmap *mmap)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    return doca_priv_mmap_start(mmap, __func__);
}

/* Check whether buffers or sync events prevent a stop. Returns NONE, or the reason. In an mmap with
 * is_shared they never prevent a stop. When threads share an mmap without is_shared, updates of its
 * count may be lost. Therefore a count above 0 is verified by a search in all inventories and
 * pools, and set to 0 when they have no buffer of the mmap. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_mmap_busy(struct doca_mmap *mmap, const char *function)
{
    enum doca_priv_stocks found;

    if (mmap->is_shared) /* tested first, as threads may change the count */
        return DOCA_CORE_ITEM_NONE;
    if (DOCA_PRIV_LOAD(&mmap->num_events) > 0)
        return DOCA_CORE_ITEM_MMAP_HAS_BUFS;
    if (DOCA_PRIV_LOAD(&mmap->num_bufs) == 0)
        return DOCA_CORE_ITEM_NONE;
    found = doca_priv_stocks_search(mmap);
    if (found != DOCA_PRIV_STOCKS_NONE)
        return found == DOCA_PRIV_STOCKS_SOME ? DOCA_CORE_ITEM_MMAP_HAS_BUFS
                                              : DOCA_CORE_ITEM_MMAP_MAY_HAVE_BUFS;
    (void)doca_priv_fail(DOCA_ERROR_UNEXPECTED, DOCA_CORE_ITEM_MMAP_MISCOUNTED, function, mmap);
    DOCA_PRIV_STORE(&mmap->num_bufs, 0u);
    return DOCA_CORE_ITEM_NONE;
}

static doca_error_t doca_priv_mmap_stop(struct doca_mmap *mmap, const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (mmap->is_imported)
        item = DOCA_CORE_ITEM_MMAP_IMPORTED;
    else if (mmap->is_on_dev)
        item = DOCA_CORE_ITEM_MMAP_ON_DEV;
    else if (mmap->obj.state == DOCA_PRIV_STOPPED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              mmap);
    else
        item = doca_priv_mmap_busy(mmap, function);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, function, mmap);
    doca_priv_mmap_revoke(mmap);
    doca_priv_mmap_dereg(mmap, mmap->num_devs);
    mmap->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_stop(struct doca_mmap *mmap)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    return doca_priv_mmap_stop(mmap, __func__);
}

/* Drop a reference to an mmap with is_shared: the reference of a buffer, or of the mmap itself. The
 * last reference frees the mmap. */
DOCA_PRIV_DECL doca_error_t doca_priv_mmap_unref(struct doca_mmap *mmap)
{
    return DOCA_PRIV_FETCH_ADD(&mmap->num_bufs, -1u) == 1
               ? doca_priv_object_give(mmap->arena, &mmap->obj)
               : DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_destroy(struct doca_mmap *mmap)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    doca_mmap_memrange_free_cb_t *free_cb;
    enum doca_core_item item;
    void *addr, *opaque;
    doca_error_t rc;
    size_t len;
    uint32_t i;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    item = doca_priv_mmap_busy(mmap, __func__);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, mmap);
    DOCA_PRIV_CHECKED(doca_priv_check_childless(&mmap->num_children, mmap, __func__);)
    doca_priv_mmap_revoke(mmap);
    if (mmap->is_rep)
        doca_priv_rep_mem_end(mmap);
    else if (mmap->is_imported && mmap->far == NULL)
        mmap->devs[0].dev->backend->mem_unimport(mmap->devs[0].dev, mmap->devs[0].mkey,
                                                 mmap->devs[0].internal_mkey);
    else if (mmap->is_on_dev)
        mmap->devs[0].dev->backend->dm_free(mmap->devs[0].dev, mmap->devs[0].mkey);
    else if (mmap->obj.state != DOCA_PRIV_STOPPED && !mmap->is_imported)
        doca_priv_mmap_dereg(mmap, mmap->num_devs);
    for (i = 0; i < mmap->num_devs; i++)
        doca_priv_dev_drop(mmap->devs[i].dev);
    free_cb = mmap->free_cb_armed ? mmap->free_cb : NULL;
    addr = mmap->addr;
    len = mmap->len;
    opaque = mmap->free_opaque;
    if (mmap->devs != mmap->inline_devs)
        (void)doca_core_arena_give(mmap->arena, mmap->devs);
    (void)doca_core_arena_give(mmap->arena, mmap->far);
    if (mmap->is_shared) {
        mmap->far = NULL;
        /* The devices may be closed and their memory reused before the last buffer is released. */
        mmap->num_devs = 0;
        mmap->dev_mask = 0;
        mmap->obj.kind = DOCA_PRIV_KIND_MMAP_GONE;
        rc = doca_priv_mmap_unref(mmap);
    } else {
        rc = doca_priv_object_give(mmap->arena, &mmap->obj);
    }
    if (free_cb != NULL)
        free_cb(addr, len, opaque);
    return rc;
}

/* Return the index of `dev` in the mmap, or num_devs when the mmap does not have it. */
DOCA_PRIV_DECL uint32_t doca_priv_mmap_find(const struct doca_mmap *mmap,
                                            const struct doca_dev *dev)
{
    uint32_t i;

    for (i = 0; i < mmap->num_devs && mmap->devs[i].dev != dev; i++) {
    }
    return i;
}

/* True when `dev` is in the started mmap, but the memory may not be read, or is not at the range's
 * address in this process. */
DOCA_PRIV_DECL DOCA_PRIV_COLD bool doca_priv_mmap_is_indirect(const struct doca_mmap *mmap,
                                                              const struct doca_dev *dev)
{
    return (mmap->far != NULL || mmap->is_write_only || mmap->is_rdma_only) &&
           mmap->obj.state != DOCA_PRIV_STOPPED &&
           doca_priv_mmap_find(mmap, dev) < mmap->num_devs;
}

DOCA_CORE_DECL doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    rc = doca_priv_mmap_check_config(mmap, DOCA_ERROR_NOT_PERMITTED, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_mmap_find(mmap, dev) < mmap->num_devs)
        return DOCA_PRIV_FAIL(ALREADY_EXIST, MMAP_DEV_TWICE, mmap);
    if (mmap->num_devs == mmap->max_devs)
        return DOCA_PRIV_FAIL(NO_MEMORY, MMAP_DEV_FULL, mmap);
    mmap->devs[mmap->num_devs].dev = dev;
    mmap->devs[mmap->num_devs].mkey = 0;
    mmap->num_devs++;
    doca_priv_dev_hold(dev);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    doca_error_t rc;
    uint32_t i;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    rc = doca_priv_mmap_check_config(mmap, DOCA_ERROR_NOT_PERMITTED, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    i = doca_priv_mmap_find(mmap, dev);
    if (i == mmap->num_devs)
        return DOCA_PRIV_FAIL(NOT_FOUND, MMAP_DEV_MISSING, mmap);
    mmap->num_devs--;
    mmap->devs[i] = mmap->devs[mmap->num_devs];
    doca_priv_dev_drop(dev);
    return DOCA_SUCCESS;
}

/* Checks that set_memrange and set_dmabuf_memrange have in common. */
static doca_error_t doca_priv_mmap_range_check(const struct doca_mmap *mmap, const void *addr,
                                               size_t len, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, addr, function);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (len == 0)
        item = DOCA_CORE_ITEM_ZERO;
    else if (len > UINTPTR_MAX - (uintptr_t)addr)
        item = DOCA_CORE_ITEM_MMAP_RANGE_WRAPS;
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    rc = doca_priv_mmap_check_config(mmap, DOCA_ERROR_BAD_STATE, function);
    if (rc == DOCA_SUCCESS && mmap->has_range)
        rc = doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_MMAP_RANGE_SET, function,
                            mmap);
    return rc;
}

DOCA_PRIV_DECL void doca_priv_mmap_set_range(struct doca_mmap *mmap, void *addr, size_t len)
{
    mmap->addr = (unsigned char *)addr;
    mmap->len = len;
    mmap->has_range = true;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_mmap_range_check(mmap, addr, len, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_mmap_set_range(mmap, addr, len);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa,
                                                       uint64_t dpa_addr, size_t len)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_mmap_range_check(mmap, dpa, len, __func__);

    if (rc == DOCA_SUCCESS && len > UINT64_MAX - dpa_addr)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_RANGE_WRAPS, mmap);
    return rc != DOCA_SUCCESS ? rc : DOCA_PRIV_FAIL(NOT_SUPPORTED, MMAP_NO_DPA, mmap);
}

DOCA_CORE_DECL doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap,
                                                         const struct doca_dev *dev,
                                                         doca_dpa_dev_mmap_t *dpa_mmap_handle)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, dpa_mmap_handle, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, dev, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (mmap->obj.state == DOCA_PRIV_STOPPED)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_NOT_STARTED, mmap);
    return doca_priv_mmap_find(mmap, dev) == mmap->num_devs
               ? DOCA_PRIV_FAIL(NOT_FOUND, MMAP_DEV_MISSING, mmap)
               : DOCA_PRIV_FAIL(NOT_SUPPORTED, MMAP_NO_DPA, mmap);
}

DOCA_CORE_DECL doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    enum doca_core_item item;
    bool is_always_started; /* always started */

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    is_always_started = mmap->is_imported || mmap->is_on_dev;
    if (mmap->is_shared && is_always_started)
        return DOCA_SUCCESS;
    if (mmap->obj.state != DOCA_PRIV_STOPPED && !is_always_started)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_STARTED, mmap);
    /* Buffers and events that already exist were counted without is_shared. */
    if (mmap->obj.state != DOCA_PRIV_STOPPED) {
        item = doca_priv_mmap_busy(mmap, __func__);
        if (item != DOCA_CORE_ITEM_NONE)
            return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, mmap);
    }
    if (!mmap->is_shared)
        mmap->num_bufs = 1;
    mmap->is_shared = true;
    if (is_always_started)
        doca_priv_mmap_enter_started(mmap);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_dmabuf(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_priv_far), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd,
                                                          void *addr, size_t dmabuf_offset,
                                                          size_t len)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    doca_error_t rc;
    void *block = NULL;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_mmap_range_check(mmap, addr, len, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (dmabuf_fd < 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DMABUF_MAP, mmap);
    if (!doca_priv_sys_has_dmabuf)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_DMABUF, mmap);
    rc = doca_priv_object_take(mmap->arena, sizeof(*mmap->far), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    mmap->far = (struct doca_priv_far *)block;
    /* analyzer: analyzer-null-dereference: only an arena that just counts returns NULL */
    mmap->far->dmabuf_fd = dmabuf_fd;
    mmap->far->dmabuf_offset = dmabuf_offset;
    mmap->far->may_read = true;
    doca_priv_mmap_set_range(mmap, addr, len);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    const uint32_t both = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if ((access_mask & ~DOCA_PRIV_ACCESS_KNOWN) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_ACCESS_UNKNOWN, mmap);
    if ((access_mask & both) == both)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_ACCESS_CONFLICT, mmap);
    rc = doca_priv_mmap_check_config(mmap, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (mmap->is_shared && DOCA_PRIV_LOAD(&mmap->num_bufs) > 1)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_HAS_BUFS, mmap);
    mmap->access = access_mask;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap,
                                                          uint32_t max_num_devices)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    struct doca_priv_mmap_dev *devs;
    void *block = NULL;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (max_num_devices == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, mmap);
    if (mmap->was_started)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_DEVS_FIXED, mmap);
    if (max_num_devices < mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEVS_FEWER, mmap);
    if (max_num_devices == mmap->max_devs)
        return DOCA_SUCCESS;
    devs = mmap->inline_devs;
    if (max_num_devices > DOCA_CORE_MMAP_DEVS) {
        rc = doca_priv_mmap_devs_carve(mmap->arena, max_num_devices, &block, __func__);
        if (rc != DOCA_SUCCESS)
            return rc;
        devs = (struct doca_priv_mmap_dev *)block;
    }
    if (devs != mmap->devs)
        DOCA_CORE_MEMCPY(devs, mmap->devs, mmap->num_devs * sizeof(*devs));
    if (mmap->devs != mmap->inline_devs)
        (void)doca_core_arena_give(mmap->arena, mmap->devs);
    mmap->devs = devs;
    mmap->max_devs = max_num_devices;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap,
                                                  doca_mmap_memrange_free_cb_t *free_cb,
                                                  void *opaque)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    rc = doca_priv_mmap_check_config(mmap, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    mmap->free_cb = free_cb;
    mmap->free_opaque = opaque;
    mmap->free_cb_armed = false;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap,
                                                    union doca_data user_data)
{
    DOCA_PRIV_OPEN(mmap)
    DOCA_PRIV_ENTER(mmap, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    rc = doca_priv_mmap_check_config(mmap, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    mmap->user_data = user_data;
    return DOCA_SUCCESS;
}

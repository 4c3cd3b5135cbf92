/* ---- >>impl.mmap_dev ------------------------------------------------------------------------
 * Mmaps of device memory, and properties of an mmap that depend on its devices: memory keys and the
 * flags of buffers.                                                                             */
#include "memory/mmap_dev_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "memory/buf.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"

DOCA_CORE_DECL doca_error_t doca_core_mmap_create_on_dev(struct doca_dev *dev, size_t len,
                                                         struct doca_mmap **mmap)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, mmap, __func__);
    struct doca_mmap *m = NULL;
    void *addr = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (len == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, dev);
    if (dev->backend->dm_alloc == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_MEMORY, dev);
    rc = doca_priv_mmap_create(dev->info.arena, &m, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_listen();
    rc = dev->backend->dm_alloc(dev, len, &addr, &m->devs[0].mkey, &m->devs[0].internal_mkey);
    if (rc != DOCA_SUCCESS) {
        (void)doca_priv_object_give(m->arena, &m->obj);
        return doca_priv_refused(rc, __func__, dev);
    }
    doca_priv_mmap_set_range(m, addr, len);
    m->devs[0].dev = dev;
    m->num_devs = 1;
    m->dev_mask = dev->bit;
    m->is_backend_only = true;
    m->is_on_dev = true;
    m->was_started = true;
    doca_priv_dev_hold(dev);
    doca_priv_mmap_enter_started(m);
    *mmap = (struct doca_mmap *)DOCA_PRIV_HANDLE(m);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mmap_copy(const struct doca_mmap *mmap, size_t offset, void *bytes,
                                        size_t len, bool is_write, const char *function)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, bytes, function);
    const struct doca_priv_mmap_dev *d;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!mmap->is_on_dev)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MMAP_NOT_ON_DEV, function,
                              mmap);
    if (offset > mmap->len || len > mmap->len - offset)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_OUTSIDE, function,
                              mmap);
    d = &mmap->devs[0];
    doca_priv_listen();
    rc = d->dev->backend->dm_copy(d->dev, d->mkey, offset, bytes, len, is_write);
    return rc == DOCA_SUCCESS ? rc : doca_priv_refused(rc, function, mmap);
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_mkey(const struct doca_mmap *mmap,
                                               const struct doca_dev *dev, uint32_t *mkey)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, mkey, __func__);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    if (mmap->obj.state == DOCA_PRIV_STOPPED)
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, mmap);
    i = doca_priv_mmap_find(mmap, dev);
    if (i == mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEV_MISSING, mmap);
    if (mmap->devs[i].mkey == 0)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, BUF_NO_KEY, mmap);
    *mkey = mmap->devs[i].mkey;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_read(const struct doca_mmap *mmap, size_t offset,
                                                void *to, size_t len)
{
    return doca_priv_mmap_copy(mmap, offset, to, len, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_write(struct doca_mmap *mmap, size_t offset,
                                                 const void *from, size_t len)
{
    return doca_priv_mmap_copy(mmap, offset, (void *)(uintptr_t)from, len, true, __func__);
}

/* Return the flag of buffers whose mmap has only the device with this bit. Only the first
 * DOCA_PRIV_BUF_DEVS devices have a flag; the result is 0 for all further devices. */
DOCA_PRIV_DECL uint8_t doca_priv_buf_dev(uint64_t dev_bit)
{
    unsigned place = dev_bit == 0 ? DOCA_PRIV_BUF_DEVS : doca_priv_high_bit(dev_bit);

    return place < DOCA_PRIV_BUF_DEVS ? (uint8_t)((place + 1) * DOCA_PRIV_BUF_DEV) : 0;
}

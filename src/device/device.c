/* ---- >>impl.device --------------------------------------------------------------------------
 * Open devices. They form a list in doca_priv_world, under its lock. The lock is held while a
 * backend opens or closes a device. Messages of the backend are logged only after the lock is
 * released, because a log sink of the program may call the library.                             */
#include "device/device_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/devinfo_priv.h"

DOCA_CORE_DECL doca_error_t doca_core_bytes_dev(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_dev), bytes, __func__);
}

/* True when `a` and `b` describe the same function. Host and DPU are separate machines, so equal
 * PCI addresses on different sides belong to different functions. */
DOCA_PRIV_DECL bool doca_priv_attr_is_same(const struct doca_core_dev_attr *a,
                                           const struct doca_core_dev_attr *b)
{
    return a->side == b->side && doca_priv_str_equal(a->pci_addr, b->pci_addr) &&
           doca_priv_str_equal(a->ibdev_name, b->ibdev_name);
}

/* Return the bucket of a devinfo's device in the hash table of open devices. */
static struct doca_dev **doca_priv_dev_place(const struct doca_devinfo *info)
{
    return &doca_priv_world.hashed[info->hash % DOCA_PRIV_DEV_PLACES];
}

/* Return the open device that `info` describes, or NULL. The caller holds the lock. */
static struct doca_dev *doca_priv_dev_find(const struct doca_devinfo *info)
{
    struct doca_dev *dev = *doca_priv_dev_place(info);

    while (dev != NULL && !(dev->info.backend == info->backend &&
                            dev->info.serial == info->serial &&
                            doca_priv_attr_is_same(&dev->info.attr, &info->attr)))
        dev = dev->next_hashed;
    return dev;
}

/* Add an open device to the list, and to the table unless it was opened from a PD. The caller holds
 * the lock. */
static void doca_priv_dev_enlist(struct doca_dev *dev)
{
    struct doca_dev **place = doca_priv_dev_place(&dev->info);

    dev->next = doca_priv_world.devs;
    dev->link = &doca_priv_world.devs;
    if (dev->next != NULL)
        dev->next->link = &dev->next;
    doca_priv_world.devs = dev;
    if (dev->from_pd != NULL)
        return;
    dev->next_hashed = *place;
    *place = dev;
}

/* Undo doca_priv_dev_enlist(). */
static void doca_priv_dev_delist(struct doca_dev *dev)
{
    struct doca_dev **place = doca_priv_dev_place(&dev->info);

    *dev->link = dev->next;
    if (dev->next != NULL)
        dev->next->link = dev->link;
    if (dev->from_pd != NULL)
        return;
    while (*place != dev)
        place = &(*place)->next_hashed;
    *place = dev->next_hashed;
}

/* Return the device that was opened from `pd`, or NULL. The caller holds the lock. */
static struct doca_dev *doca_priv_dev_find_pd(const struct ibv_pd *pd)
{
    struct doca_dev *dev = doca_priv_world.devs;

    while (dev != NULL && dev->from_pd != pd)
        dev = dev->next;
    return dev;
}

/* Open a device in the block `d`. The caller holds the lock. Nothing may be logged under this lock,
 * so the reason of a failure is stored in *item. */
static doca_error_t doca_priv_dev_make(const struct doca_devinfo *devinfo, struct ibv_pd *pd,
                                       struct doca_dev *d, enum doca_core_item *item)
{
    uint64_t free_bits =
        ~doca_priv_world.dev_bits & (~(uint64_t)0 >> (64 - (DOCA_CORE_MAX_DEVS)));
    doca_error_t rc;

    *item = DOCA_CORE_ITEM_BACKEND_UNKNOWN;
    if (devinfo->backend->serial != devinfo->serial) /* the backend was unregistered after the list
                                                      * was made */
        return DOCA_ERROR_NOT_CONNECTED;
    *item = DOCA_CORE_ITEM_DEV_TOO_MANY;
    if (free_bits == 0)
        return DOCA_ERROR_INITIALIZATION;
    doca_priv_object_init(&d->obj, DOCA_PRIV_KIND_DEV);
    d->backend = doca_priv_fault_wrap(devinfo->backend);
    d->info = *devinfo;
    *item = DOCA_CORE_ITEM_BACKEND_REFUSED;
    d->from_pd = pd;
    rc = pd == NULL ? d->backend->dev_open(d) : d->backend->open_from_pd(d, pd);
    if (rc != DOCA_SUCCESS) { /* a device that was closed may have had this block */
        doca_priv_object_end(&d->info.obj);
        doca_priv_object_end(&d->obj);
        return pd != NULL || rc == DOCA_ERROR_NO_MEMORY ? rc : DOCA_ERROR_NOT_CONNECTED;
    }
    if (pd != NULL) { /* other processes could not refer to such a device */
        d->info.attr.limits.has_export_pci = 0;
        d->info.attr.limits.has_import_pci = 0;
        d->info.attr.limits.has_rdma = 0;
        d->info.attr.rep_filters = 0;
    }
    d->bit = free_bits & (~free_bits + 1);
    doca_priv_world.dev_bits |= d->bit;
    doca_priv_dev_enlist(d);
    return DOCA_SUCCESS;
}

/* Take the lock for calls into a backend. Messages of the backend are kept until the lock is
 * released, because logging calls the program's sink. */
static void doca_priv_devs_lock(void)
{
    doca_priv_listen();
    doca_priv_last_waits = true;
    doca_priv_lock(&doca_priv_world.lock);
}

static void doca_priv_devs_unlock(void)
{
    doca_priv_unlock(&doca_priv_world.lock);
    doca_priv_last_waits = false;
}

/* Count one more opening of an open device and return the device, or return NULL when it is not
 * open. The caller holds the lock. */
static struct doca_dev *doca_priv_dev_reopen(const struct doca_devinfo *devinfo, struct ibv_pd *pd)
{
    struct doca_dev *d = pd == NULL ? doca_priv_dev_find(devinfo) : doca_priv_dev_find_pd(pd);

    if (d != NULL)
        d->num_opens++;
    return d;
}

/* Open the device that `devinfo` describes. If `pd` is not NULL, open a device from the PD instead;
 * then only the backend and the arena of `devinfo` are used. */
DOCA_PRIV_DECL doca_error_t doca_priv_dev_open(const struct doca_devinfo *devinfo,
                                               struct ibv_pd *pd, struct doca_dev **dev,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, dev, function);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_dev *d;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_devs_lock();
    d = doca_priv_dev_reopen(devinfo, pd);
    doca_priv_devs_unlock();
    if (d == NULL) { /* The block is taken without the lock, so that no thread waits for an arena
                      * while it holds the lock. Another thread may open the device meanwhile. */
        rc = doca_priv_object_take(devinfo->arena, sizeof(*d), &block, function);
        if (rc != DOCA_SUCCESS)
            return rc;
        DOCA_PRIV_ASSUME(block != NULL);
        doca_priv_devs_lock();
        d = doca_priv_dev_reopen(devinfo, pd);
        if (d == NULL)
            rc = doca_priv_dev_make(devinfo, pd, (struct doca_dev *)block, &item);
        if (d == NULL && rc == DOCA_SUCCESS) {
            d = (struct doca_dev *)block;
            d->num_opens = 1;
            block = NULL;
        }
        doca_priv_devs_unlock();
        (void)doca_core_arena_give(devinfo->arena, block);
    }
    if (d == NULL)
        return doca_priv_refused_late(rc, item, function, pd == NULL ? devinfo : NULL);
    *dev = d;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
{
    return doca_priv_dev_open(devinfo, NULL, dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dev_close(struct doca_dev *dev)
{
    bool busy, last;

    if (dev == NULL)
        return DOCA_SUCCESS;
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_devs_lock();
    last = dev->num_opens == 1;
    busy = last && dev->num_users > 0;
    if (last && !busy) {
        doca_priv_dev_delist(dev);
        doca_priv_world.dev_bits &= ~dev->bit;
        dev->backend->dev_close(dev);
    } else if (!last) {
        dev->num_opens--;
    }
    doca_priv_devs_unlock();
    if (busy || !last)
        return busy ? DOCA_PRIV_FAIL(IN_USE, DEV_BUSY, dev) : DOCA_SUCCESS;
    if (doca_priv_last.is_backends)
        doca_priv_log(&doca_priv_last);
    doca_priv_object_end(&dev->info.obj);
    return doca_priv_object_give(dev->info.arena, &dev->obj);
}

/* Count one more (hold) or one less (drop) object that needs the device open. */
DOCA_PRIV_DECL void doca_priv_dev_hold(struct doca_dev *dev)
{
    doca_priv_lock(&doca_priv_world.lock);
    dev->num_users++;
    doca_priv_unlock(&doca_priv_world.lock);
}

DOCA_PRIV_DECL void doca_priv_dev_drop(struct doca_dev *dev)
{
    doca_priv_lock(&doca_priv_world.lock);
    dev->num_users--;
    doca_priv_unlock(&doca_priv_world.lock);
}

DOCA_CORE_DECL struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev)
{
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV)) {
        (void)DOCA_PRIV_FAIL_HANDLE(dev);
        return NULL;
    }
    if (dev->from_pd != NULL) {
        (void)DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_FROM_PD, dev);
        return NULL;
    }
    return &((struct doca_dev *)(uintptr_t)dev)->info;
}

/* ---- >>impl.bridge.rdma ---------------------------------------------------------------------
 * The software backend opens a device from a PD when no other backend does. Both directions of the
 * bridge read the list of open devices under doca_priv_world.lock.                              */
#include "bridge/rdma.h"

#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/backend_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "device/devinfo_priv.h"
#include "memory/buf.h"
#include "memory/buf_priv.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "memory/mmap_priv.h"

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev,
                                                        struct ibv_pd **pd)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, pd, __func__);
    struct ibv_pd *device_pd;

    if (rc != DOCA_SUCCESS)
        return rc;
    device_pd = dev->from_pd;
    doca_priv_listen();
    if (device_pd == NULL)
        rc = dev->backend->get_pd(dev, &device_pd);
    if (rc != DOCA_SUCCESS)
        return doca_priv_refused_late(rc, DOCA_CORE_ITEM_DEV_NO_PD, __func__, dev);
    *pd = device_pd;
    return DOCA_SUCCESS;
}

/* True when `pd` is the PD that a backend created for a device that was not opened from a PD. The
 * caller holds the lock. */
static bool doca_priv_bridge_is_backend_pd(const struct ibv_pd *pd)
{
    const struct doca_dev *dev;
    struct ibv_pd *device_pd = NULL;

    for (dev = doca_priv_world.devs; dev != NULL; dev = dev->next)
        if (dev->from_pd == NULL && dev->info.backend->get_pd(dev, &device_pd) == DOCA_SUCCESS &&
            device_pd == pd)
            return true;
    return false;
}

static doca_error_t doca_priv_bridge_open(struct doca_core_arena *arena, struct ibv_pd *pd,
                                          struct doca_dev **dev, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, pd, function);
    const struct doca_core_backend *backend;
    struct doca_devinfo info;
    bool is_backend_pd;

    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_PRIV_WITH_SW(doca_priv_sw_read_environment();)
    doca_priv_fault_read_environment();
    DOCA_CORE_MEMSET(&info, 0, sizeof(info));
    doca_priv_object_init(&info.obj, DOCA_PRIV_KIND_DEVINFO);
    info.arena = arena;
    doca_priv_lock(&doca_priv_world.lock);
    is_backend_pd = doca_priv_bridge_is_backend_pd(pd);
    backend = doca_priv_backend_next(doca_core_sw_backend());
    while (backend != NULL && backend->open_from_pd == doca_priv_absent_open_from_pd)
        backend = doca_priv_backend_next(backend);
    info.backend = backend != NULL ? backend : doca_core_sw_backend();
    info.serial = info.backend->serial;
    doca_priv_unlock(&doca_priv_world.lock);
    if (is_backend_pd)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_DEV_OWN_PD, function, NULL);
    return doca_priv_dev_open(&info, pd, dev, function);
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_bridge_open_dev_from_pd_in(
    struct doca_core_arena *arena, struct ibv_pd *pd, struct doca_dev **dev)
{
    return doca_priv_bridge_open(arena, pd, dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd,
                                                              struct doca_dev **dev)
{
    return doca_priv_bridge_open(doca_core_arena_bound(), pd, dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf,
                                                          struct doca_dev *dev, uint32_t *mkey)
{
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_buf_check(buf, mkey, __func__);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    if (buf->flags == 0)
        return DOCA_PRIV_FAIL(BAD_STATE, BUF_RETURNED, buf);
    i = doca_priv_mmap_find(buf->mmap, dev);
    if (i == buf->mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEV_MISSING, buf->mmap);
    /* After doca_mmap_enable_thread_safety() an mmap can be stopped although it has buffers. */
    if (buf->mmap->obj.state == DOCA_PRIV_STOPPED)
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, buf->mmap);
    if (buf->mmap->devs[i].mkey == 0)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, BUF_NO_KEY, buf);
    *mkey = buf->mmap->devs[i].mkey;
    return DOCA_SUCCESS;
}

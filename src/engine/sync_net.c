/* ---- >>impl.sync_net ------------------------------------------------------------------------
 * Remote net handles of sync events.                                                            */
#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "memory/export_priv.h"
#include "engine/sync_card_priv.h"
#include "engine/sync_event.h"
#include "engine/sync_event_priv.h"
#include "engine/sync_shared_priv.h"
#include "engine/sync_value_priv.h"

/* Create a remote net handle in `arena`; NULL selects the arena of the device. */
static doca_error_t doca_priv_event_net_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                               const uint8_t *data, size_t sz,
                                               struct doca_sync_event_remote_net **event,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, event, function);
    struct doca_sync_event_remote_net import;
    struct doca_sync_event_remote_net *e;
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_event_import_net(&import, dev, data, sz, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*e), &block, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_share_unmap(&import.share);
        return rc;
    }
    e = (struct doca_sync_event_remote_net *)block;
    doca_priv_object_init(&e->obj, DOCA_PRIV_KIND_SYNC_EVENT_NET);
    e->share = import.share;
    e->addr = import.addr;
    e->rkey = import.rkey;
    e->arena = arena;
    e->dev = dev;
    doca_priv_dev_hold(dev);
    *event = e;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_create_from_export_in(
    struct doca_core_arena *arena, struct doca_dev *dev, const uint8_t *data, size_t sz,
    struct doca_sync_event_remote_net **event)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, event, __func__);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_event_net_create(arena, dev, data, sz, event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_create_from_export(
    struct doca_dev *dev, const uint8_t *data, size_t sz, struct doca_sync_event_remote_net **event)
{
    return doca_priv_event_net_create(NULL, dev, data, sz, event, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event)
{
    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT_NET))
        return DOCA_PRIV_FAIL_HANDLE(event);
    doca_priv_share_unmap(&event->share);
    doca_priv_dev_drop(event->dev);
    return doca_priv_object_give(event->arena, &event->obj);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_export_to_dpa(
    struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, dpa, dpa_remote_event,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_export_to_gpu(
    struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
    doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, gpu, gpu_remote_event,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_get_dpa_handle(
    struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, dpa, dpa_remote_event,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_get_gpu_handle(
    struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
    doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, gpu, gpu_remote_event,
                                     __func__);
}

/* Check that `pointer` is not NULL and that the CPU can access the value. */
static doca_error_t doca_priv_event_net_check(const struct doca_sync_event_remote_net *event,
                                              const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, pointer, function);

    return rc != DOCA_SUCCESS || doca_likely(event->share.value != NULL)
               ? rc
               : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_BY_RDMA, function,
                                event);
}

DOCA_CORE_DECL doca_error_t
doca_core_sync_event_remote_net_get(struct doca_sync_event_remote_net *event, uint64_t *value)
{
    doca_error_t rc = doca_priv_event_net_check(event, value, __func__);

    if (rc == DOCA_SUCCESS)
        *value = DOCA_PRIV_LOAD(event->share.value);
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_core_sync_event_remote_net_update_set(struct doca_sync_event_remote_net *event, uint64_t value)
{
    doca_error_t rc = doca_priv_event_net_check(event, event, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    return doca_priv_event_outcome(doca_priv_share_set(&event->share, value), event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_update_add(
    struct doca_sync_event_remote_net *event, uint64_t value, uint64_t *fetched)
{
    doca_error_t rc = doca_priv_event_net_check(event, fetched, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    return doca_priv_event_outcome(doca_priv_share_add(&event->share, value, fetched), event,
                                   __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_wait_gt(
    struct doca_sync_event_remote_net *event, uint64_t value, uint64_t mask)
{
    doca_error_t rc = doca_priv_event_net_check(event, event, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_likely(doca_priv_share_spin(&event->share, DOCA_PRIV_EVENT_WAIT, value, mask)))
        return DOCA_SUCCESS;
    return doca_priv_event_outcome(
        doca_priv_share_wait(&event->share, DOCA_PRIV_EVENT_WAIT, value, mask, false), event,
        __func__);
}

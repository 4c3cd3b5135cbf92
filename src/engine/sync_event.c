/* ---- >>impl.sync_event ----------------------------------------------------------------------
 * Sync events: create, import, configure, start, stop and destroy.                              */
#include "engine/sync_event_priv.h"

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
#include "device/device.h"
#include "device/device_priv.h"
#include "device/devinfo_priv.h"
#include "memory/buf.h"
#include "memory/buf_priv.h"
#include "memory/export_priv.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "memory/mmap_get_priv.h"
#include "memory/mmap_priv.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/pe.h"
#include "engine/sync_dev_priv.h"
#include "engine/sync_shared_priv.h"
#include "engine/sync_task_priv.h"
#include "engine/sync_wait_priv.h"

static void doca_priv_event_init_stocks(struct doca_priv_task_stock *stocks)
{
    unsigned type;

    /* analyzer: core.NullDereference: the stocks belong to an object that was allocated */
    stocks[DOCA_PRIV_EVENT_GET].done = doca_priv_event_get_done;
    stocks[DOCA_PRIV_EVENT_SET].done = doca_priv_event_set_done;
    stocks[DOCA_PRIV_EVENT_ADD].done = doca_priv_event_add_done;
    stocks[DOCA_PRIV_EVENT_WAIT].done = doca_priv_event_wait_done;
    stocks[DOCA_PRIV_EVENT_WAIT_EQ].done = doca_priv_event_wait_eq_done;
    stocks[DOCA_PRIV_EVENT_WAIT_NEQ].done = doca_priv_event_wait_neq_done;
    for (type = 0; type < DOCA_PRIV_EVENT_TYPES; type++)
        stocks[type].task_bytes = DOCA_CORE_LINE;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sync_event(uint32_t num_tasks, size_t *bytes)
{
    struct doca_sync_event event;
    doca_error_t rc;

    if (num_tasks == 0 || bytes == NULL)
        return doca_priv_bytes_object(sizeof(event), bytes, __func__);
    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    doca_priv_fault_read_environment();
    event.ctx.backend = doca_priv_fault_wrap_ctx(&doca_priv_event_backend, false);
    event.ctx.engine = &doca_priv_event_engine;
    event.ctx.num_stocks = 1; /* tasks of all types have the same size, so one stock is enough
                               * here */
    event.stocks[0].num = num_tasks;
    event.stocks[0].task_bytes = DOCA_CORE_LINE;
    rc = doca_priv_ctx_bytes(&event.ctx, sizeof(event), bytes, __func__);
    if (rc == DOCA_SUCCESS) /* in the checked mode: add the quarantine of the other types */
        *bytes = doca_priv_size((DOCA_PRIV_EVENT_TYPES - 1) * DOCA_PRIV_CHECK_QUARANTINED,
                                DOCA_CORE_LINE, *bytes);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sync_event_remote_net(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_sync_event_remote_net), bytes, __func__);
}

static doca_error_t doca_priv_event_create(struct doca_core_arena *arena,
                                           struct doca_sync_event **event, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, event, function);
    struct doca_sync_event *e;
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(arena, sizeof(*e), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_fault_read_environment();
    e = (struct doca_sync_event *)block;
    doca_priv_event_init_stocks(e->stocks);
    doca_priv_ctx_init(&e->ctx, DOCA_PRIV_KIND_SYNC_EVENT, &doca_priv_event_engine,
                       doca_priv_fault_wrap_ctx(&doca_priv_event_backend, false), arena, NULL,
                       DOCA_PRIV_EVENT_TYPES);
    *event = (struct doca_sync_event *)DOCA_PRIV_HANDLE(e);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_create_in(struct doca_core_arena *arena,
                                                           struct doca_sync_event **event)
{
    return doca_priv_event_create(arena, event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_create(struct doca_sync_event **event)
{
    return doca_priv_event_create(doca_core_arena_bound(), event, __func__);
}

/* Import the value of an export descriptor for a handle on `dev`. If the descriptor was exported
 * through a device, *share stays empty, and the caller imports the mmap. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_import(struct doca_priv_event_share *share,
                                                   struct doca_dev *dev, const uint8_t *data,
                                                   size_t sz, enum doca_priv_export_kind kind,
                                                   const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, data, function);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!dev->info.attr.limits.has_sync_event)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT, function,
                              dev);
    DOCA_CORE_MEMSET(share, 0, sizeof(*share));
    if (kind == DOCA_PRIV_EXPORT_EVENT_PCI && doca_priv_event_is_of_dev(data, sz))
        return DOCA_SUCCESS;
    rc = doca_priv_share_import(share, data, sz, kind, &item);
    if (rc == DOCA_ERROR_OPERATING_SYSTEM && item == DOCA_CORE_ITEM_EVENT_SYSTEM)
        return doca_priv_fail_system(item, function, dev,
                                     DOCA_PRIV_LOG_TEXT("open the page of the exporter"));
    if (rc == DOCA_ERROR_OPERATING_SYSTEM)
        return doca_priv_fail_system(item, function, dev, NULL);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, function, dev);
}

/* Create an event from an export descriptor in `arena`; NULL selects the arena of the device. */
static doca_error_t doca_priv_event_create_from(struct doca_core_arena *arena,
                                                struct doca_dev *dev, const uint8_t *data,
                                                size_t sz, struct doca_sync_event **event,
                                                const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, event, function);
    struct doca_priv_event_share share;
    struct doca_sync_event *e = NULL;
    struct doca_mmap *mmap = NULL;
    uint64_t addr = 0;

    if (rc == DOCA_SUCCESS && arena == NULL)
        arena = dev->info.arena;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_event_import(&share, dev, data, sz, DOCA_PRIV_EXPORT_EVENT_PCI, function);
    if (rc == DOCA_SUCCESS && doca_priv_event_is_of_dev(data, sz))
        rc = doca_priv_event_import_dev(arena, dev, data, sz, &mmap, &addr, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_event_create(arena, &e, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_share_unmap(&share);
        if (mmap != NULL)
            (void)doca_mmap_destroy(mmap);
        return rc;
    }
    *event = e;
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&e);)
    e->share = share;
    if (mmap != NULL) {
        doca_priv_event_attach(e, mmap, function);
        e->addr = (uint64_t *)(uintptr_t)addr;
        e->owns_mmap = true;
    }
    e->publisher_dev = dev;
    doca_priv_dev_hold(dev);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_create_from_export_in(
    struct doca_core_arena *arena, struct doca_dev *dev, const uint8_t *data, size_t sz,
    struct doca_sync_event **event)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, event, __func__);

    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_event_create_from(arena, dev, data, sz, event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev,
                                                               const uint8_t *data, size_t sz,
                                                               struct doca_sync_event **event)
{
    return doca_priv_event_create_from(NULL, dev, data, sz, event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_destroy(struct doca_sync_event *event)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_ENTER(event, __func__)
    struct doca_ctx *ctx;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT))
        return DOCA_PRIV_FAIL_HANDLE(event);
    ctx = &event->ctx;
    if (doca_priv_ctx_count_out(ctx) > 0)
        return DOCA_PRIV_FAIL(IN_USE, CTX_BUSY, event);
    if (ctx->queue != NULL)
        (void)doca_priv_ctx_unwind(ctx);
    else
        doca_priv_event_end(event);
    ctx->obj.state = DOCA_CTX_STATE_IDLE;
    doca_priv_share_unmap(&event->share);
    doca_priv_event_detach(event, __func__);
    if (event->publisher_dev != NULL)
        doca_priv_dev_drop(event->publisher_dev);
    if (event->subscriber_dev != NULL)
        doca_priv_dev_drop(event->subscriber_dev);
    return doca_priv_ctx_destroy(ctx, __func__);
}

/* Check that `object` is not NULL and that the event may be configured. */
static doca_error_t doca_priv_event_check_conf(const struct doca_sync_event *event,
                                               const void *object, const char *function)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, object, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (event->mode == DOCA_PRIV_EVENT_IS_CTX || event->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_FIXED, function, event);
    if (doca_priv_event_is_imported(event))
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_EVENT_IMPORTED, function,
                              event);
    return DOCA_SUCCESS;
}

/* Add a location of publishers or subscribers. If `dev` is not NULL, it becomes the device of the
 * publishers or subscribers, and the event takes a reference to it. */
static void doca_priv_event_locate(struct doca_sync_event *event, struct doca_dev *dev,
                                   bool publishes, unsigned location)
{
    uint8_t *side = publishes ? &event->publishers : &event->subscribers;
    struct doca_dev **held = publishes ? &event->publisher_dev : &event->subscriber_dev;

    *side = (uint8_t)(*side | location);
    if (dev != NULL) {
        doca_priv_dev_hold(dev);
        if (*held != NULL)
            doca_priv_dev_drop(*held);
        *held = dev;
    }
}

static doca_error_t doca_priv_event_locate_cpu(struct doca_sync_event *event, struct doca_dev *dev,
                                               bool publishes, const char *function)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_ENTER(event, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, event, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_event_check_conf(event, dev, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_event_locate(event, dev, publishes, DOCA_PRIV_EVENT_ON_CPU);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_event_locate_remote(struct doca_sync_event *event, bool publishes,
                                                  unsigned location, const char *function)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_ENTER(event, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_event_check_conf(event, event, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_event_locate(event, NULL, publishes, location);
    return DOCA_SUCCESS;
}

/* Common part of all calls that take a DPA or GPU as a location or export target: check the
 * arguments and fail with NOT_SUPPORTED. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_no_target(const void *object, uint8_t kind,
                                                      const void *target, const void *out,
                                                      const char *function)
{
    DOCA_PRIV_OPEN(object)
    doca_error_t rc = doca_priv_check_args(object, kind, target, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(object, kind, out, function);
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED,
                                               DOCA_CORE_ITEM_EVENT_NO_TARGET, function, object);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_cpu(
    struct doca_sync_event *event, struct doca_dev *dev)
{
    return doca_priv_event_locate_cpu(event, dev, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_dpa(
    struct doca_sync_event *event, struct doca_dpa *dpa)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, dpa, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_gpu(
    struct doca_sync_event *event, struct doca_gpu *gpu)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, gpu, gpu, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_dpu(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_remote(event, true, DOCA_PRIV_EVENT_ON_DPU, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_remote_pci(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_remote(event, true, DOCA_PRIV_EVENT_ON_DPU, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_cpu(
    struct doca_sync_event *event, struct doca_dev *dev)
{
    return doca_priv_event_locate_cpu(event, dev, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_dpa(
    struct doca_sync_event *event, struct doca_dpa *dpa)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, dpa, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_gpu(
    struct doca_sync_event *event, struct doca_gpu *gpu)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, gpu, gpu, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_dpu(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_remote(event, false, DOCA_PRIV_EVENT_ON_DPU, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_remote_pci(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_remote(event, false, DOCA_PRIV_EVENT_ON_DPU, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_remote_net(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_remote(event, true, DOCA_PRIV_EVENT_ON_NET, __func__);
}

/* Place the value at `addr`, in memory of the program. Takes effect at the next start. */
static doca_error_t doca_priv_event_place_at(struct doca_sync_event *event, void *addr,
                                             const char *function)
{
    if ((uintptr_t)addr % sizeof(*event->addr) != 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EVENT_MISALIGNED, function,
                              event);
    if ((event->publishers & DOCA_PRIV_EVENT_ON_NET) != 0)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_OWN_ADDR, function,
                              event);
    event->addr = (uint64_t *)addr;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_ENTER(event, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_event_check_conf(event, addr, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_event_place_at(event, addr, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_event_detach(event, __func__);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event,
                                                         struct doca_buf *buf)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_OPEN(buf)
    DOCA_PRIV_ENTER(event, __func__)
    doca_error_t rc;
    bool is_for_dev, may_unmap;
    unsigned char *addr;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_event_check_conf(event, buf, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is_buf(buf))
        return DOCA_PRIV_FAIL_HANDLE(buf);
    if (!doca_priv_buf_is_list_head(buf))
        return doca_priv_buf_not_head(buf, __func__);
    if (buf->next != NULL || buf->data_len != sizeof(*event->addr) ||
        (buf->flags & DOCA_PRIV_BUF_WRITE) == 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, EVENT_BUF, buf);
    /* An mmap that threads share can be stopped or destroyed although it has buffers. */
    if (!doca_priv_mmap_is_started(buf->mmap, buf->mmap->serial))
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, buf);
    is_for_dev = doca_priv_event_is_for_dev(buf->mmap);
    addr = buf->data;
    if (!is_for_dev) {
        /* Stopping the mmap unmaps a dmabuf, and buffers do not prevent the stop of an mmap that
         * threads share. So the address of the value could become invalid. */
        may_unmap = buf->mmap->is_shared && buf->mmap->far != NULL;
        addr = buf->mmap->is_backend_only || may_unmap ? NULL
                                                       : doca_priv_mmap_local(buf->mmap, buf->data);
    }
    if (addr == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, EVENT_BUF_FAR, buf);
    rc = doca_priv_event_place_at(event, addr, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (is_for_dev)
        doca_priv_event_attach(event, buf->mmap, __func__);
    else
        doca_priv_event_detach(event, __func__);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_event_cap(const struct doca_devinfo *devinfo, bool is_offered,
                                        const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, devinfo, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!devinfo->attr.limits.has_sync_event)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT, function,
                              devinfo);
    return is_offered ? DOCA_SUCCESS
                      : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_NO_TARGET,
                                       function, devinfo);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_create_from_export_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_dpu_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_remote_net_is_export_to_dpa_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_remote_net_is_export_to_gpu_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_get_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_notify_add_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_notify_set_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_wait_gt_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_start(struct doca_sync_event *event)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_ENTER(event, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT))
        return DOCA_PRIV_FAIL_HANDLE(event);
    if (event->mode == DOCA_PRIV_EVENT_IS_CTX)
        return DOCA_PRIV_FAIL(BAD_STATE, EVENT_IS_CTX, event);
    if (event->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, EVENT_FIXED, event);
    rc = doca_priv_event_begin(event, __func__);
    return rc != DOCA_SUCCESS ? rc : doca_priv_event_begin_alone(event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_stop(struct doca_sync_event *event)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_ENTER(event, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_event_check(event, event, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_event_end(event);
    event->mode = DOCA_PRIV_EVENT_ALONE;
    event->ctx.obj.state = DOCA_CTX_STATE_IDLE;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_ENTER(event, __func__)
    DOCA_PRIV_ALONE(return NULL)
    if (event == NULL)
        return NULL;
    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT)) {
        (void)DOCA_PRIV_FAIL_HANDLE(event);
        return NULL;
    }
    if (event->mode == DOCA_PRIV_EVENT_ALONE || event->mode == DOCA_PRIV_EVENT_READ_ONLY) {
        (void)DOCA_PRIV_FAIL(BAD_STATE, EVENT_IS_NO_CTX, event);
        return NULL;
    }
    if (event->mode != DOCA_PRIV_EVENT_IS_CTX)
        doca_priv_event_choose_dev(event);
    event->mode = DOCA_PRIV_EVENT_IS_CTX;
    return (struct doca_ctx *)DOCA_PRIV_HANDLE(event);
}

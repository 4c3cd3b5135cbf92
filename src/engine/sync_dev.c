/* ---- >>impl.sync_dev ------------------------------------------------------------------------
 * Events whose value is in a buffer that devices can access: selection of the device that executes
 * the tasks, and export and import through devices. doca_sync_event_as_ctx() decides which device
 * executes the tasks of the context; the choice does not change afterwards.                     */
#include "engine/sync_dev_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/backend_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "memory/export_priv.h"
#include "memory/mmap.h"
#include "memory/mmap_export_priv.h"
#include "memory/mmap_priv.h"
#include "progress/ctx.h"
#include "progress/pe.h"
#include "progress/task_priv.h"
#include "engine/hot_engine.h"
#include "engine/sync_event.h"
#include "engine/sync_task_priv.h"

/* True when a device executes the tasks of an event whose value is in `mmap`. That is so if a
 * device of the mmap has an engine for them, and the range is imported, or is device memory, or is
 * remotely writable. If only this process accesses the value, the CPU executes the tasks. */
DOCA_PRIV_DECL bool doca_priv_event_is_for_dev(const struct doca_mmap *mmap)
{
    bool has_engine = false;
    uint32_t i;

    for (i = 0; i < mmap->num_devs; i++)
        has_engine = has_engine || (mmap->devs[i].dev->info.attr.limits.event_engine != 0 &&
                                    mmap->devs[i].dev->backend->event_open != NULL);
    return has_engine && mmap->far == NULL &&
           (mmap->is_backend_only || (mmap->access & DOCA_PRIV_ACCESS_OF_WRITERS) != 0);
}

/* Return the registration of the event's mmap on `dev`, if the device can execute the tasks of the
 * event; otherwise NULL. */
static const struct doca_priv_mmap_dev *doca_priv_event_reg(const struct doca_sync_event *event,
                                                            const struct doca_dev *dev)
{
    uint32_t i = dev != NULL ? doca_priv_mmap_find(event->mmap, dev) : event->mmap->num_devs;

    return i < event->mmap->num_devs && dev->info.attr.limits.event_engine != 0 &&
                   dev->backend->event_open != NULL
               ? &event->mmap->devs[i]
               : NULL;
}

/* Select the device that executes the tasks of the event, the publisher's before the subscriber's,
 * and return the registration of the mmap on it; NULL if neither device can. */
static const struct doca_priv_mmap_dev *doca_priv_event_select(const struct doca_sync_event *event)
{
    const struct doca_priv_mmap_dev *reg = NULL;

    if (event->mmap != NULL) {
        reg = doca_priv_event_reg(event, event->publisher_dev);
        if (reg == NULL)
            reg = doca_priv_event_reg(event, event->subscriber_dev);
    }
    return reg;
}

/* True when the CPU may update the value: no device of the mmap adds to it in a way that is not
 * atomic with respect to the CPU. */
static bool doca_priv_event_is_for_cpu(const struct doca_sync_event *event)
{
    const struct doca_mmap *mmap = event->mmap;
    unsigned engine;
    uint32_t i;

    for (i = 0; mmap != NULL && i < mmap->num_devs; i++) {
        engine = mmap->devs[i].dev->info.attr.limits.event_engine;
        if (engine != DOCA_CORE_EVENT_ENGINE_NONE && engine != DOCA_CORE_EVENT_ENGINE_ALL)
            return false;
    }
    return true;
}

/* Drop the event's reference to the mmap of its value. If the event has imported the mmap itself,
 * the mmap is destroyed. */
DOCA_PRIV_DECL void doca_priv_event_detach(struct doca_sync_event *event, const char *function)
{
    struct doca_mmap *mmap = event->mmap;

    (void)function; /* only used in the checked mode */
    event->mmap = NULL;
    (void)doca_core_arena_give(event->ctx.arena, event->dev_desc);
    event->dev_desc = NULL;
    if (mmap != NULL && mmap->is_shared)
        (void)doca_priv_mmap_unref(mmap);
    else if (mmap != NULL) {
        DOCA_PRIV_CHECKED(doca_priv_check_take_turn(event, mmap, function);)
        (void)DOCA_PRIV_FETCH_ADD(&mmap->num_events, -1u);
        DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    }
    if (event->owns_mmap)
        (void)doca_mmap_destroy(mmap);
    event->owns_mmap = false;
}

/* Place the value in `mmap`, an mmap that devices can access: take a reference to it, and drop the
 * reference to the previous mmap. */
DOCA_PRIV_DECL void doca_priv_event_attach(struct doca_sync_event *event, struct doca_mmap *mmap,
                                           const char *function)
{
    DOCA_PRIV_CHECKED(doca_priv_check_take_turn(event, mmap, function);)
    /* Before detach(), because the previous mmap may be the same one. */
    (void)DOCA_PRIV_FETCH_ADD(mmap->is_shared ? &mmap->num_bufs : &mmap->num_events, 1u);
    DOCA_PRIV_CHECKED(doca_priv_check_end_turn();)
    doca_priv_event_detach(event, function);
    event->mmap = mmap;
}

/* Check that the CPU can execute the tasks of an event context whose devices cannot: it can access
 * the value and update it atomically. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_check_cpu(struct doca_sync_event *event,
                                                      const char *function)
{
    if (event->share.value == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_BUF_FAR, function,
                              event);
    return doca_priv_event_is_for_cpu(event)
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_NOT_ATOMIC,
                                function, event);
}

static bool doca_priv_event_dev_supports(const struct doca_core_limits *limits)
{
    return limits->event_engine != 0;
}

/* Start an event context whose tasks a device executes: open a queue of the device. */
static doca_error_t doca_priv_event_dev_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                             const char *function)
{
    struct doca_sync_event *event = (struct doca_sync_event *)(void *)ctx;
    const struct doca_priv_mmap_dev *reg;
    struct doca_core_event_place place;
    doca_error_t rc = doca_priv_event_begin(event, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    reg = doca_priv_event_reg(event, ctx->dev);
    if (reg == NULL) /* possible for an mmap that threads share: the device was removed from it */
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_BUF_FAR, function,
                              ctx);
    place.addr = event->addr;
    place.mmap = event->mmap;
    place.mkey = reg->mkey;
    place.internal_mkey = reg->internal_mkey;
    place.here = event->share.value;
    doca_priv_listen();
    rc = ctx->backend->event_open(ctx->queue, &place, num_tasks);
    return rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS
               ? rc
               : doca_priv_refused(rc, function, ctx);
}

static const struct doca_priv_engine doca_priv_event_dev_engine = {
    DOCA_CORE_ENGINE_EVENT,     true,                         doca_priv_event_dev_supports,
    doca_priv_event_check_task, doca_priv_event_is_complete,  doca_priv_event_settle,
    doca_priv_event_dev_open,
    NULL,                      NULL,                NULL,
    NULL
};

/* Called when the event becomes a context: let a device execute the tasks, if a device can.
 * Otherwise the engine and backend of the context remain those for the CPU. */
DOCA_PRIV_DECL void doca_priv_event_choose_dev(struct doca_sync_event *event)
{
    const struct doca_priv_mmap_dev *reg = doca_priv_event_select(event);

    if (reg == NULL)
        return;
    event->ctx.engine = &doca_priv_event_dev_engine;
    event->ctx.backend = reg->dev->backend;
    event->ctx.dev = reg->dev;
    doca_priv_dev_hold(reg->dev);
}

/* Second half of a stand-alone start: set mode and state. Fails if the CPU cannot access the
 * value. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_begin_alone(struct doca_sync_event *event,
                                                        const char *function)
{
    if (event->share.value == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_BY_DEV, function,
                              event);
    event->mode = DOCA_PRIV_EVENT_ALONE;
    event->ctx.obj.state =
        event->share.page == NULL ? DOCA_PRIV_EVENT_PLAIN : DOCA_PRIV_EVENT_SHARED;
    if (!doca_priv_event_is_for_cpu(event)) {
        event->mode = DOCA_PRIV_EVENT_READ_ONLY;
        event->ctx.obj.state = DOCA_PRIV_EVENT_READ;
    }
    return DOCA_SUCCESS;
}

/* Export the mmap that contains the value through `dev`, and build a descriptor of that export and
 * the address of the value. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_export_dev(struct doca_sync_event *event,
                                                       struct doca_dev *dev, const uint8_t **data,
                                                       size_t *sz, const char *function)
{
    struct doca_priv_event_dev_desc *d = event->dev_desc;
    const void *desc = NULL;
    void *block = NULL;
    size_t len = 0;
    doca_error_t rc;

    if (!event->mmap->is_backend_only &&
        (event->mmap->access & (uint32_t)DOCA_ACCESS_FLAG_PCI_READ_WRITE) == 0)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_MMAP_ACCESS_LACKS, function,
                              event);
    rc = doca_priv_mmap_publish(event->mmap, dev, DOCA_PRIV_EXPORT_MMAP_PCI, &desc, &len, function);
    if (rc == DOCA_SUCCESS && d == NULL) {
        rc = doca_priv_object_take(event->ctx.arena, sizeof(*d), &block, function);
        event->dev_desc = d = (struct doca_priv_event_dev_desc *)block;
    }
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(d, 0, sizeof(*d));
    d->addr = (uintptr_t)event->addr;
    DOCA_CORE_MEMCPY(&d->mmap, desc, sizeof(d->mmap));
    (void)doca_priv_export_seal(&d->head, DOCA_PRIV_EXPORT_EVENT_DEV, sizeof(*d), NULL);
    *data = (const uint8_t *)d;
    *sz = sizeof(*d);
    return DOCA_SUCCESS;
}

/* Check a descriptor made by doca_priv_event_export_dev() and import its mmap on `dev`. *addr is
 * the address of the value in the mmap. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_import_dev(struct doca_core_arena *arena,
                                                       struct doca_dev *dev, const uint8_t *data,
                                                       size_t sz, struct doca_mmap **mmap,
                                                       uint64_t *addr, const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_event_dev_desc desc;
    doca_error_t rc = doca_priv_export_open(data, sz, DOCA_PRIV_EXPORT_EVENT_DEV,
                                            DOCA_PRIV_EXPORT_EVENT_DEV, &desc.head, sizeof(desc),
                                            &item);

    if (rc == DOCA_ERROR_OPERATING_SYSTEM)
        return doca_priv_fail_system(item, function, dev, NULL);
    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, item, function, dev);
    if (dev->info.attr.limits.event_engine == 0 || dev->backend->event_open == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_BUF_FAR, function,
                              dev);
    if (desc.addr % sizeof(uint64_t) != 0 || desc.addr < desc.mmap.addr ||
        desc.mmap.len < sizeof(uint64_t) ||
        desc.addr - desc.mmap.addr > desc.mmap.len - sizeof(uint64_t))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORT_DAMAGED, function,
                              dev);
    *addr = desc.addr;
    return doca_priv_mmap_import(arena, NULL, &desc.mmap, sizeof(desc.mmap), dev, mmap, function);
}

/* True when the bytes claim to be a descriptor of doca_priv_event_export_dev(). Whether they are
 * one is checked later, by doca_priv_event_import_dev(). */
DOCA_PRIV_DECL bool doca_priv_event_is_of_dev(const uint8_t *data, size_t sz)
{
    struct doca_priv_export head;

    if (sz < sizeof(head))
        return false;
    DOCA_CORE_MEMCPY(&head, data, sizeof(head));
    return head.kind == DOCA_PRIV_EXPORT_EVENT_DEV;
}

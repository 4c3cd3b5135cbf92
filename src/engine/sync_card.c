/* ---- >>impl.sync_card -----------------------------------------------------------------------
 * Remote net events whose value RDMA devices of other machines can access. The exporter registers
 * the 8 bytes of the value on a device of the event. Its export descriptor contains the address and
 * the key of the value, and the descriptor of the page. An importer on the same machine uses the
 * page. Any other importer only uses the key, in tasks of an RDMA connection to the exporter.    */
#include "engine/sync_card_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/export_priv.h"
#include "engine/sync_event.h"
#include "engine/sync_event_priv.h"
#include "engine/sync_shared_priv.h"

/* The exporter's registration of a value, and the export descriptor that contains its key. */
struct doca_priv_event_card {
    struct doca_dev *dev; /* the event has a reference to it */
    uint32_t mkey;
    struct doca_priv_event_card_desc desc;
};

#ifdef DOCA_CORE_RDMA_VERBS
/* Return the device of the event whose keys other machines can use: the device of the publishers or
 * else the device of the subscribers. Returns NULL if neither device has such keys. */
static struct doca_dev *doca_priv_event_card_dev(const struct doca_sync_event *event)
{
    if (event->publisher_dev != NULL && event->publisher_dev->backend->mem_export != NULL)
        return event->publisher_dev;
    return event->subscriber_dev != NULL && event->subscriber_dev->backend->mem_export != NULL
               ? event->subscriber_dev
               : NULL;
}

/* Register the value on `dev`. */
static doca_error_t doca_priv_event_card_reg(const struct doca_sync_event *event,
                                             struct doca_dev *dev, uint32_t *mkey)
{
    struct doca_core_range range;
    uint32_t internal_mkey = 0;

    DOCA_CORE_MEMSET(&range, 0, sizeof(range));
    range.addr = (void *)(uintptr_t)event->share.value;
    range.len = sizeof(uint64_t);
    range.access = (uint32_t)(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
                              DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC);
    range.dmabuf_fd = -1;
    doca_priv_listen();
    return dev->backend->reg_range(dev, &range, mkey, &internal_mkey);
}
#endif

/* Replace the export descriptor of a started event by a descriptor with a key, if a device of the
 * event has keys for other machines. The first call registers the value. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_export_card(struct doca_sync_event *event,
                                                        const uint8_t **data, size_t *sz,
                                                        const char *function)
{
#ifdef DOCA_CORE_RDMA_VERBS
    struct doca_dev *dev = doca_priv_event_card_dev(event);
    struct doca_priv_event_card *card = event->card;
    void *block = NULL;
    doca_error_t rc;

    if (dev == NULL || event->share.page == NULL)
        return DOCA_SUCCESS;
    if (card == NULL) {
        rc = doca_priv_object_take(event->ctx.arena, sizeof(*card), &block, function);
        if (rc != DOCA_SUCCESS)
            return rc;
        card = (struct doca_priv_event_card *)block;
        DOCA_CORE_MEMSET(card, 0, sizeof(*card));
        rc = doca_priv_event_card_reg(event, dev, &card->mkey);
        if (rc != DOCA_SUCCESS) {
            (void)doca_core_arena_give(event->ctx.arena, card);
            return doca_priv_refused(rc, function, event);
        }
        card->dev = dev;
        card->desc.addr = (uintptr_t)event->share.value;
        card->desc.rkey = card->mkey;
        card->desc.page = event->desc;
        (void)doca_priv_export_seal(&card->desc.head, DOCA_PRIV_EXPORT_EVENT_CARD,
                                    sizeof(card->desc), NULL);
        event->card = card;
    }
    *data = (const uint8_t *)&card->desc;
    *sz = sizeof(card->desc);
#else
    (void)event;
    (void)data;
    (void)sz;
    (void)function;
#endif
    return DOCA_SUCCESS;
}

/* End the registration of a value, before its page is released. */
DOCA_PRIV_DECL void doca_priv_event_end_card(struct doca_sync_event *event)
{
    struct doca_priv_event_card *card = event->card;

    if (card == NULL)
        return;
    event->card = NULL;
    card->dev->backend->dereg(card->dev, card->mkey);
    (void)doca_core_arena_give(event->ctx.arena, card);
}

/* True when the bytes claim to be an export descriptor with a key. */
static bool doca_priv_event_is_of_card(const uint8_t *data, size_t sz)
{
    struct doca_priv_export head;

    if (data == NULL || sz < sizeof(head))
        return false;
    DOCA_CORE_MEMCPY(&head, data, sizeof(head));
    return head.kind == DOCA_PRIV_EXPORT_EVENT_CARD;
}

/* Import the value of a remote net descriptor with or without a key into `event`, whose share, key
 * and address are set. */
DOCA_PRIV_DECL doca_error_t doca_priv_event_import_net(struct doca_sync_event_remote_net *event,
                                                       struct doca_dev *dev, const uint8_t *data,
                                                       size_t sz, const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_event_card_desc desc;
    doca_error_t rc;

    event->addr = 0;
    event->rkey = 0;
    if (!doca_priv_event_is_of_card(data, sz))
        return doca_priv_event_import(&event->share, dev, data, sz, DOCA_PRIV_EXPORT_EVENT_NET,
                                      function);
    rc = doca_priv_export_open(data, sz, DOCA_PRIV_EXPORT_EVENT_CARD, DOCA_PRIV_EXPORT_EVENT_CARD,
                               &desc.head, sizeof(desc), &item);
    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, item, function, dev);
    if (desc.addr % sizeof(uint64_t) != 0 || desc.rkey == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORT_DAMAGED, function,
                              dev);
    if (dev->backend->mem_export == NULL) /* the device cannot use the key */
        return doca_priv_event_import(&event->share, dev, (const uint8_t *)&desc.page,
                                      sizeof(desc.page), DOCA_PRIV_EXPORT_EVENT_NET, function);
    if (!dev->info.attr.limits.has_sync_event)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT, function,
                              dev);
    DOCA_CORE_MEMSET(&event->share, 0, sizeof(event->share));
    rc = doca_priv_share_import(&event->share, (const uint8_t *)&desc.page, sizeof(desc.page),
                                DOCA_PRIV_EXPORT_EVENT_NET, &item);
    if (rc != DOCA_SUCCESS) {
        DOCA_CORE_MEMSET(&event->share, 0, sizeof(event->share));
        if (item != DOCA_CORE_ITEM_EXPORT_MACHINE && item != DOCA_CORE_ITEM_EVENT_OTHER_USER)
            return doca_priv_fail(rc, item, function, dev);
    }
    event->addr = desc.addr;
    event->rkey = desc.rkey;
    return DOCA_SUCCESS;
}

/* ---- >>impl.sync_export ---------------------------------------------------------------------
 * Export calls of sync events.                                                                  */
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "device/device.h"
#include "memory/export_priv.h"
#include "engine/sync_card_priv.h"
#include "engine/sync_dev_priv.h"
#include "engine/sync_event.h"
#include "engine/sync_event_priv.h"
#include "engine/sync_task_priv.h"

/* Return the export descriptor of a started event, and build it on the first call.
 *   dev    device to export the event through, if devices access its value; else NULL
 *   suits  the locations of the event allow an export of this kind */
static doca_error_t doca_priv_event_export(struct doca_sync_event *event, struct doca_dev *dev,
                                           bool suits, enum doca_priv_export_kind kind,
                                           const uint8_t **data, size_t *sz, const char *function)
{
    enum doca_core_item item;

    if (doca_priv_event_is_imported(event))
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_EVENT_IMPORTED, function,
                              event);
    if (event->ctx.obj.state == DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_NOT_STARTED, function,
                              event);
    if (!suits)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_EVENT_LOCATION, function,
                              event);
    if (event->mmap != NULL && dev != NULL)
        return doca_priv_event_export_dev(event, dev, data, sz, function);
    if (event->share.page == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_OWN_ADDR, function,
                              event);
    if (event->desc.head.bytes == 0) {
        event->desc.fd = event->share.fd;
        item = doca_priv_export_seal(&event->desc.head, kind, sizeof(event->desc),
                                     &event->share.page->token);
        if (item != DOCA_CORE_ITEM_NONE)
            return doca_priv_fail_system(item, function, event, NULL);
    }
    *data = (const uint8_t *)&event->desc;
    *sz = sizeof(event->desc);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_event_export_pci(struct doca_sync_event *event, struct doca_dev *dev,
                                               const uint8_t **data, size_t *sz,
                                               const char *function)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_ENTER(event, function)
    unsigned locations;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, data, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, sz, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!dev->info.attr.limits.has_sync_event)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT, function,
                              dev);
    locations = (unsigned)event->publishers | event->subscribers;
    return doca_priv_event_export(event, dev,
                                  (locations & DOCA_PRIV_EVENT_ON_DPU) != 0 &&
                                      (locations & DOCA_PRIV_EVENT_ON_NET) == 0,
                                  DOCA_PRIV_EXPORT_EVENT_PCI, data, sz, function);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_dpu(struct doca_sync_event *event,
                                                          struct doca_dev *dev,
                                                          const uint8_t **data, size_t *sz)
{
    return doca_priv_event_export_pci(event, dev, data, sz, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
                                                                 struct doca_dev *dev,
                                                                 const uint8_t **data, size_t *sz)
{
    return doca_priv_event_export_pci(event, dev, data, sz, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
                                                                 const uint8_t **data, size_t *sz)
{
    DOCA_PRIV_OPEN(event)
    DOCA_PRIV_ENTER(event, __func__)
    const uint8_t *desc = NULL;
    size_t desc_sz = 0;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, data, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, sz, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_event_export(event, NULL, (event->publishers & DOCA_PRIV_EVENT_ON_NET) != 0,
                                    DOCA_PRIV_EXPORT_EVENT_NET, &desc, &desc_sz, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_event_export_card(event, &desc, &desc_sz, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *data = desc;
    *sz = desc_sz;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_dpa(
    struct doca_sync_event *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, dpa, dpa_dev_se_handle,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_gpu(struct doca_sync_event *event,
                                                          struct doca_gpu *gpu,
                                                          doca_gpu_dev_sync_event_t **gpu_dev_se)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, gpu, gpu_dev_se, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_get_dpa_handle(
    struct doca_sync_event *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, dpa, dpa_dev_se_handle,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_get_gpu_handle(struct doca_sync_event *event,
                                                           struct doca_gpu *gpu,
                                                           doca_gpu_dev_sync_event_t **gpu_dev_se)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, gpu, gpu_dev_se, __func__);
}

/* Helpers of the suites of sync events. */
#ifndef SYNC_EVENT_SUPPORT_H
#define SYNC_EVENT_SUPPORT_H

#include "event_rig.h"

#define ALL_BITS UINT64_MAX

static const struct {
    uint64_t value, threshold, mask;
    bool holds;
} conditions[] = {
    { 1, 0, ALL_BITS, true },
    { 1, 1, ALL_BITS, false },
    { 0x1ff, 0xfe, 0xff, true },
    { 0x1ff, 0xff, 0xff, false },
    { 0x1ff, 0xff, 0xffff, true },
    { 0xff00, 0, 0xff, false },
    { 5, 0, 0, false },
    { UINT64_MAX, UINT64_MAX - 1, ALL_BITS, true },
    { UINT64_MAX, UINT64_MAX, ALL_BITS, false },
    { 1ull << 63, 254, ALL_BITS, true },
};

/* Export `event` to the DPU or, if its locations require that, to a remote network. */
static inline doca_error_t export_any(struct doca_sync_event *event, struct doca_dev *dev,
                                      const uint8_t **data, size_t *sz)
{
    doca_error_t rc = doca_sync_event_export_to_dpu(event, dev, data, sz);

    return rc == DOCA_ERROR_NOT_PERMITTED ? doca_sync_event_export_to_remote_net(event, data, sz)
                                          : rc;
}

static inline struct doca_sync_event *import_of(struct doca_dev *dev, struct doca_sync_event *event)
{
    struct doca_sync_event *import;
    const uint8_t *data;
    size_t sz;

    CHECK_OK(export_any(event, dev, &data, &sz));
    CHECK_OK(doca_sync_event_create_from_export(dev, data, sz, &import));
    return import;
}

#endif

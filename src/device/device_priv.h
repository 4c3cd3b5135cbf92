/* ---- >>priv.device ---------------------------------------------------------------------------
 * Declarations for the other parts: opening devices, finding open devices, and counting the
 * objects that need a device open.                                                              */
#ifndef DOCA_SRC_DEVICE_DEVICE_PRIV_H
#define DOCA_SRC_DEVICE_DEVICE_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "device/device.h"

struct doca_core_dev_attr;

DOCA_PRIV_DECL bool doca_priv_attr_is_same(const struct doca_core_dev_attr *a,
                                           const struct doca_core_dev_attr *b);
DOCA_PRIV_DECL doca_error_t doca_priv_dev_open(const struct doca_devinfo *devinfo,
                                               struct ibv_pd *pd, struct doca_dev **dev,
                                               const char *function);
DOCA_PRIV_DECL void doca_priv_dev_hold(struct doca_dev *dev);
DOCA_PRIV_DECL void doca_priv_dev_drop(struct doca_dev *dev);

#endif

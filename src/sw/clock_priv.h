/* ---- >>priv.sw.clock ------------------------------------------------------------------------
 * Declarations of >>impl.sw.clock for the table.                                                */
#ifndef DOCA_SRC_SW_CLOCK_PRIV_H
#define DOCA_SRC_SW_CLOCK_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "device/backend.h"

DOCA_PRIV_DECL doca_error_t doca_priv_sw_clock_cap(const struct doca_core_dev_attr *attr,
                                                   enum doca_core_nic_clock clock);
DOCA_PRIV_DECL doca_error_t doca_priv_sw_clock_read(struct doca_dev *dev,
                                                    enum doca_core_nic_clock clock,
                                                    const char *function, uint64_t *ns);

#endif

/* ---- >>priv.sw.ram ---------------------------------------------------------------------------
 * Declarations of >>impl.sw.ram for other parts.                                                */
#ifndef DOCA_SRC_SW_RAM_PRIV_H
#define DOCA_SRC_SW_RAM_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "device/device.h"

struct doca_core_rep_mem;

DOCA_PRIV_DECL doca_error_t doca_priv_sw_rep_mem_open(struct doca_dev *dev,
                                                      const struct doca_core_dev_attr *rep,
                                                      struct doca_core_rep_mem *mem);
DOCA_PRIV_DECL void doca_priv_sw_rep_mem_close(struct doca_dev *dev, uint32_t mkey,
                                               uint32_t internal_mkey);

#endif

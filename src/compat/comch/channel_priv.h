/* ---- >>priv.comch.channel --------------------------------------------------------------------
 * Declarations of >>impl.comch.channel for other parts.                                         */
#ifndef DOCA_SRC_COMPAT_COMCH_CHANNEL_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_CHANNEL_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "compat/comch/objects_priv.h"

struct doca_core_dev_attr;
struct doca_priv_engine;

DOCA_PRIV_DATA const struct doca_priv_engine doca_priv_comch_engine;

DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_backend_of(const struct doca_dev *dev);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_check_card(const struct doca_devinfo *devinfo,
                                                       const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_limit(const struct doca_devinfo *devinfo, uint32_t *to,
                                                  uint32_t limit, const char *function);
DOCA_PRIV_DECL const char *doca_priv_comch_name_of(const struct doca_core_dev_attr *attr);
DOCA_PRIV_DECL size_t doca_priv_comch_block_bytes(uint32_t max_conns, uint32_t max_msg);

#endif

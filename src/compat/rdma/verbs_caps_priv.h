/* ---- >>priv.rdma.verbs_caps ------------------------------------------------------------------
 * Limits of RDMA devices: declarations of >>impl.rdma.verbs_caps.                               */
#ifndef DOCA_SRC_COMPAT_RDMA_VERBS_CAPS_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_VERBS_CAPS_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "device/device.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/rdma.h"

#ifdef DOCA_CORE_RDMA_VERBS
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_limit(const struct doca_devinfo *devinfo,
                                                       const struct doca_dev *dev,
                                                       struct doca_priv_rdma_limits *limits,
                                                       const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_read_gids(const struct doca_devinfo *devinfo,
                                                           uint32_t first, uint32_t num,
                                                           struct doca_rdma_gid *gids,
                                                           const char *function);
#endif

#endif

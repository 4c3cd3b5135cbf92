/* ---- >>priv.rdma.verbs_sync ------------------------------------------------------------------
 * Tasks on sync events of the peer: declarations of >>impl.rdma.verbs_sync.                     */
#ifndef DOCA_SRC_COMPAT_RDMA_VERBS_SYNC_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_VERBS_SYNC_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_check_event(const struct doca_task *task,
                                                             enum doca_core_item *item);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_fill_event(struct doca_priv_rdma_task *op,
                                                    struct ibv_send_wr *wr);
#endif

#endif

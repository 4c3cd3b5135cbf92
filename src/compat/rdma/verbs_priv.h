/* ---- >>priv.rdma.verbs -----------------------------------------------------------------------
 * Instances of devices with a protection domain of libibverbs (DOCA_CORE_RDMA_VERBS).           */
#ifndef DOCA_SRC_COMPAT_RDMA_VERBS_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_VERBS_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "compat/rdma/objects_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS
DOCA_PRIV_DATA const struct doca_priv_rdma_transport doca_priv_rdma_verbs;

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_check(const struct doca_task *task,
                                                       enum doca_core_item *item);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_post(struct doca_core_queue *queue,
                                                      struct doca_task *task);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_verbs_poll(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_drain(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_flush(struct doca_core_queue *queue, doca_error_t status);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_end(struct doca_rdma_connection *connection,
                                             doca_error_t status,
                                             enum doca_priv_rdma_happening event);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_halt(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL int doca_priv_rdma_verbs_fd(struct doca_core_queue *queue);
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_ready(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_arm(struct doca_core_queue *queue, bool armed);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_read_events(struct doca_rdma *r);
#endif

#endif

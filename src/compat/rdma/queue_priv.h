/* ---- >>priv.rdma.queue -----------------------------------------------------------------------
 * Declarations of >>impl.rdma.queue.                                                            */
#ifndef DOCA_SRC_COMPAT_RDMA_QUEUE_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_QUEUE_PRIV_H

#include "base/compiler.h"
#include "device/backend.h"
#include "progress/task_priv.h"
#include "compat/rdma/objects_priv.h"

DOCA_PRIV_DECL size_t doca_priv_rdma_block_bytes(uint32_t max_conns);
DOCA_PRIV_DECL size_t doca_priv_rdma_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                                 uint32_t depth);
DOCA_PRIV_DECL void doca_priv_rdma_append(struct doca_priv_rdma_task **first,
                                          struct doca_priv_rdma_task **last,
                                          struct doca_priv_rdma_task *op);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_take_event(struct doca_rdma *r);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_take_event_of(struct doca_rdma_connection *c);
DOCA_PRIV_DECL bool doca_priv_rdma_can_stop(struct doca_ctx *ctx);
DOCA_PRIV_DECL bool doca_priv_rdma_is_supported(const struct doca_core_limits *limits);
DOCA_PRIV_DECL bool doca_priv_rdma_is_complete(const struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_rdma_settle(struct doca_task *task);
DOCA_PRIV_DECL uint64_t doca_priv_rdma_task_bytes(const struct doca_task *task);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_rdma_set_fate(struct doca_task *task,
                                                             doca_error_t code);
/* Connections between processes of this machine, without a card. */
DOCA_PRIV_DATA const struct doca_priv_rdma_transport doca_priv_rdma_local;

#endif

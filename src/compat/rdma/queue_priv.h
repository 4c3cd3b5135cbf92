/* ---- >>priv.rdma.queue -----------------------------------------------------------------------
 * Declarations of >>impl.rdma.queue.                                                            */
#ifndef DOCA_SRC_COMPAT_RDMA_QUEUE_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_QUEUE_PRIV_H

#include "base/compiler.h"
#include "device/backend.h"
#include "progress/task_priv.h"

DOCA_PRIV_DECL size_t doca_priv_rdma_block_bytes(uint32_t max_conns);
DOCA_PRIV_DATA const struct doca_priv_engine doca_priv_rdma_engine;
DOCA_PRIV_DATA const struct doca_core_backend doca_priv_rdma_backend;

#endif

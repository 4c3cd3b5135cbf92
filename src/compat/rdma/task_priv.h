/* ---- >>priv.rdma.task ------------------------------------------------------------------------
 * Checks that the accessors of tasks have in common.                                            */
#ifndef DOCA_SRC_COMPAT_RDMA_TASK_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_TASK_PRIV_H

#include "base/compiler.h"
#include "compat/rdma/objects_priv.h"

DOCA_PRIV_DECL struct doca_priv_rdma_task *
doca_priv_rdma_writable(void *handle, enum doca_priv_rdma_type type, const char *function);
DOCA_PRIV_DECL const struct doca_priv_rdma_task *
doca_priv_rdma_readable(const void *handle, enum doca_priv_rdma_type type, const char *function);

#endif

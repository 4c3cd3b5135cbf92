/* ---- >>priv.rdma.execute ---------------------------------------------------------------------
 * Declarations of >>impl.rdma.execute.                                                          */
#ifndef DOCA_SRC_COMPAT_RDMA_EXECUTE_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_EXECUTE_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "compat/rdma/objects_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check(const struct doca_task *task,
                                                 enum doca_core_item *item);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_execute(struct doca_priv_rdma_task *op,
                                                   enum doca_core_item *item);
DOCA_PRIV_DECL enum doca_core_item doca_priv_rdma_move(const struct doca_buf *src, bool is_one,
                                                       struct doca_buf *dst, uint64_t len,
                                                       bool grows);

#endif

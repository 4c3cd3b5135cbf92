/* ---- >>priv.rdma.message ---------------------------------------------------------------------
 * Declarations of >>impl.rdma.message.                                                          */
#ifndef DOCA_SRC_COMPAT_RDMA_MESSAGE_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_MESSAGE_PRIV_H

#include "base/compiler.h"
#include "base/log.h"
#include "compat/rdma/objects_priv.h"

DOCA_PRIV_DECL enum doca_core_item doca_priv_rdma_send(struct doca_priv_rdma_task *op);
DOCA_PRIV_DECL void doca_priv_rdma_grow(struct doca_buf *dst, uint64_t len);
DOCA_PRIV_DECL void doca_priv_rdma_feed(struct doca_rdma *r);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_receive(struct doca_rdma_connection *connection);

#endif

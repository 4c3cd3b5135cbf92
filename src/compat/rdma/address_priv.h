/* ---- >>priv.rdma.address ---------------------------------------------------------------------
 * Declarations of >>impl.rdma.address.                                                          */
#ifndef DOCA_SRC_COMPAT_RDMA_ADDRESS_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_ADDRESS_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "compat/rdma/objects_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_ask(struct doca_rdma_connection *connection,
                                               struct doca_rdma_addr *addr, const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_ask_again(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_drop_addr(struct doca_rdma_addr *addr);

#endif

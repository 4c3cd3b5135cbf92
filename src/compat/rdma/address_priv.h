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
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_listen(struct doca_rdma *r,
                                                  struct doca_priv_rdma_port *entry, uint16_t port,
                                                  const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_unlisten(struct doca_rdma *r, struct doca_priv_rdma_port *entry);
DOCA_PRIV_DECL void doca_priv_rdma_refuse_unheard(struct doca_rdma *r, uint16_t port);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_accept(struct doca_rdma_connection *connection,
                                                  const void *private_data,
                                                  uint8_t private_data_len, const char *function);

/* Count a connection of an address. */
DOCA_PRIV_DECL void doca_priv_rdma_hold_addr(struct doca_rdma_addr *addr);
DOCA_PRIV_DECL void doca_priv_rdma_drop_addr(struct doca_rdma_addr *addr);

#endif

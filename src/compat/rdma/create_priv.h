/* ---- >>priv.rdma.create ----------------------------------------------------------------------
 * Declarations of >>impl.rdma.create, >>impl.rdma.task and >>impl.rdma.connect for other parts.  */
#ifndef DOCA_SRC_COMPAT_RDMA_CREATE_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_CREATE_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "compat/rdma/objects_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check_devinfo(const struct doca_devinfo *devinfo,
                                                         const void *pointer, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check_transport(enum doca_rdma_transport_type type,
                                                           const void *object,
                                                           const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_init_stocks(struct doca_rdma *r);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_connect(struct doca_rdma *r,
                                                   struct doca_rdma_connection *connection,
                                                   const void *details, size_t len,
                                                   const char *function);

#endif

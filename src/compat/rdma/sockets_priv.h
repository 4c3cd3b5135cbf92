/* ---- >>priv.rdma.sockets ---------------------------------------------------------------------
 * Declarations of >>impl.rdma.sockets.                                                          */
#ifndef DOCA_SRC_COMPAT_RDMA_SOCKETS_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_SOCKETS_PRIV_H

#include "base/compiler.h"
#include "compat/rdma/objects_priv.h"

DOCA_PRIV_DECL void doca_priv_rdma_look(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_expire(struct doca_rdma *r);

#endif

/* ---- >>priv.rdma.verbs_cm --------------------------------------------------------------------
 * Connections by address through librdmacm: declarations of >>impl.rdma.verbs_cm. Without
 * DOCA_CORE_RDMA_CM, RDMA devices have no such connections.                                     */
#ifndef DOCA_SRC_COMPAT_RDMA_VERBS_CM_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_VERBS_CM_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "compat/rdma/objects_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS
#ifdef DOCA_CORE_RDMA_CM
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_cm_listen(struct doca_rdma *r,
                                                     struct doca_priv_rdma_port *entry,
                                                     uint16_t port, const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_cm_unlisten(struct doca_rdma *r,
                                               struct doca_priv_rdma_port *entry);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_cm_ask(struct doca_rdma_connection *connection,
                                                  struct doca_rdma_addr *addr,
                                                  const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_cm_accept(struct doca_rdma_connection *connection,
                                                     const void *private_data,
                                                     uint8_t private_data_len,
                                                     const char *function);
DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void doca_priv_rdma_cm_look(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_cm_heard(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_cm_end(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_cm_end_ports(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_cm_close(struct doca_rdma *r);

#define DOCA_PRIV_RDMA_CM_CALLS                                                                    \
    doca_priv_rdma_cm_listen, doca_priv_rdma_cm_unlisten, doca_priv_rdma_cm_ask,                   \
        doca_priv_rdma_cm_accept
#else
#define DOCA_PRIV_RDMA_CM_CALLS NULL, NULL, NULL, NULL
#define doca_priv_rdma_cm_look(r) ((void)(r))
#define doca_priv_rdma_cm_heard(connection) ((void)(connection))
#define doca_priv_rdma_cm_end(connection) ((void)(connection))
#define doca_priv_rdma_cm_end_ports(r) ((void)(r))
#define doca_priv_rdma_cm_close(r) ((void)(r))
#endif
#endif

#endif

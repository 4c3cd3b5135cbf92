/* ---- >>priv.rdma.verbs_end -------------------------------------------------------------------
 * The control queue pairs of connections: declarations of >>impl.rdma.verbs_end.                */
#ifndef DOCA_SRC_COMPAT_RDMA_VERBS_END_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_VERBS_END_PRIV_H

#include "base/compiler.h"
#include "compat/rdma/objects_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS
#define DOCA_PRIV_RDMA_LISTEN_POLLS 16u /* polls until the next look at the control queue pairs */

DOCA_PRIV_DECL int doca_priv_rdma_verbs_open_control(struct doca_rdma *r, const char **step);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_close_control(struct doca_rdma *r);
DOCA_PRIV_DECL int doca_priv_rdma_verbs_create_control(struct doca_rdma_connection *connection,
                                                       const char **step);
DOCA_PRIV_DECL int doca_priv_rdma_verbs_join_control(struct doca_rdma_connection *connection,
                                                     const struct doca_priv_rdma_place *peer,
                                                     const char **step);
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_reset_control(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_forget_control(struct doca_rdma_connection *connection,
                                                        bool waits);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_lose(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_leave(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_limit_stop(struct doca_rdma *r);
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_has_left(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_listen(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_send_probes(struct doca_rdma *r);
DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void doca_priv_rdma_verbs_attend(struct doca_rdma *r);
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_arm_control(struct doca_rdma *r);
#endif

#endif

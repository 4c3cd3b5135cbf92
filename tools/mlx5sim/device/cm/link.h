/*
 * Connections between identifiers. The messages of the InfiniBand connection manager (REQ, REP,
 * RTU, REJ, DREQ, DREP, and SIDR for datagrams) are calls here: none is lost, and none is repeated.
 *
 *     active end                          passive end
 *     link_connect()    REQ_SENT    ->    REQ_RECEIVED   CONNECT_REQUEST
 *     CONNECT_RESPONSE  REP_RECEIVED <-   REP_SENT       link_accept()
 *     link_accept()     ESTABLISHED ->    ESTABLISHED    ESTABLISHED
 *
 * Either end disconnects: link_disconnect() of the first end is a DREQ, that of the other end, or
 * the end of its identifier, is the DREP. Each end gets the event DISCONNECTED.
 */
#ifndef MLX5SIM_CM_LINK_H
#define MLX5SIM_CM_LINK_H

#include "device/cm/state.h"

/* Returns 0 or the errno that the kernel gives: EINVAL for a wrong state or too much private
 * data. */
int link_connect(struct cm_id *id, const struct rdma_ucm_conn_param *param);
/* `uid` names the identifier in its events from now on. With param->valid the call is the answer of
 * a listener, otherwise it is that of an active end to CONNECT_RESPONSE. */
int link_accept(struct cm_id *id, uint64_t uid, const struct rdma_ucm_conn_param *param);
int link_reject(struct cm_id *id, uint8_t reason, const void *data, size_t bytes);
int link_disconnect(struct cm_id *id);
/* The program has seen a message of the peer before the event ESTABLISHED. EISCONN: the connection
 * is established already. */
int link_notify_established(struct cm_id *id);

/* Reports requests that waited for room in the backlog of the listener. */
void link_retry_requests(struct cm_id *listener);

/* Tells the peer that the identifier ends: a request is refused, a connection is disconnected, and
 * requests that wait for a listener are refused. */
void link_end(struct cm_id *id);

/* Ends the current step of an identifier whose deadline has come. */
void link_expired(struct cm_id *id);

/* Attributes of the QP of an identifier for a state. Returns 0, or EINVAL when the connection is
 * not that far. */
int link_qp_attr(const struct cm_id *id, uint32_t qp_state, struct ib_uverbs_qp_attr *attr);

/* Fills the path from any function to the port of a function. */
void link_path(const struct sim_function *to, struct ib_uverbs_ah_attr *path);

#endif

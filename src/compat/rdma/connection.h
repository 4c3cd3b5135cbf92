/* ---- >>rdma.connection -----------------------------------------------------------------------
 * Connections of an instance to instances of the same process or of other processes. There are two
 * ways to connect:
 *   - by export: each side calls doca_rdma_export(), the program sends the returned bytes to the
 *     peer by its own means, and each side passes the bytes of its peer to doca_rdma_connect().
 *   - by address: one side listens on a port, and the other side calls doca_rdma_connect_to_addr().
 * An exporting or listening instance is reached under an abstract address of local sockets
 * (AF_UNIX), so both processes are on one machine, have one user and share a network namespace. A
 * peer of another user is refused, by the credentials that the kernel gives.
 * A program may submit tasks as soon as doca_rdma_connect() has returned SUCCESS: they wait until
 * the peer has called doca_rdma_connect(), too. By address, tasks are possible from the established
 * callback on.
 * Results of a task that uses a connection, apart from SUCCESS:
 *     INVALID_VALUE       of doca_task_submit(): the connection is NULL or one of another instance,
 *                         or a buffer is refused; the comment of each task says which buffers are
 *     NOT_CONNECTED       of doca_task_submit(): this side has not called doca_rdma_connect() for
 *                         the connection, or the connection by address is not established
 *     FULL                of doca_task_submit(): the send queue of the connection is full; the task
 *                         is not submitted, and can be submitted after doca_pe_progress()
 *     BAD_STATE           of doca_task_submit(): the instance is not running
 *     IO_FAILED           of the task: the peer refused it, because a permission is missing, the
 *                         range is not in memory that it exports at the moment, its receive buffer
 *                         is too short, or it had no receive task for too long. The connection
 *                         breaks.
 *     CONNECTION_ABORTED  of the task: the connection broke because of another task, this side
 *                         disconnected, or the connection had ended before the submit
 *     CONNECTION_RESET    of the task: while it was in flight, the peer disconnected, was stopped,
 *                         ended or was killed
 *     SHUTDOWN            of the task: this instance was stopped
 * Each task completes once. Tasks of one connection complete in the order of their submission
 * (Assumed); tasks of different connections complete in any order. A connection that has broken or
 * ended runs its disconnection callback once on each side, after the callbacks of its tasks.
 * An ended connection is free for another use when its tasks have completed and its failure or
 * disconnection callback has returned; no further call is necessary. Its handle is valid until the
 * instance makes another connection in its place, or is idle. A task that was allocated for the
 * ended connection completes with CONNECTION_ABORTED, also when another connection has its place.
 * A child of fork() must not use the instances of its parent, and does not keep their connections
 * alive when the parent ends them by a call. When the parent is killed, its peers notice after the
 * children that were forked without exec() have ended, too.
 * Source: DOCA RDMA guide; API reference, "DOCA RDMA"; programs published with the SDK.         */
#ifndef DOCA_SRC_COMPAT_RDMA_CONNECTION_H
#define DOCA_SRC_COMPAT_RDMA_CONNECTION_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/rdma/config.h"
#include "compat/rdma/rdma.h"

struct rdma_cm_id; /* type of librdmacm */

/* The text that an address holds. */
enum doca_rdma_addr_type {
    DOCA_RDMA_ADDR_TYPE_IPv4 = 0,
    DOCA_RDMA_ADDR_TYPE_IPv6 = 1,
    DOCA_RDMA_ADDR_TYPE_GID = 2
};

/* Called at a listening instance when a peer asks for a connection. The callback, or the program
 * later, accepts or rejects the connection. The callback may set the user data of the connection.
 */
typedef void (*doca_rdma_connection_request_cb_t)(struct doca_rdma_connection *rdma_connection,
                                                  union doca_data ctx_user_data);

/* Called when a connection is established, could not be made, or has ended.
 *
 *   connection_user_data  as set by doca_rdma_connection_set_user_data() or
 *                         doca_rdma_connect_to_addr()
 *
 * The callbacks may allocate and submit tasks, stop the instance, and end this connection with
 * doca_rdma_connection_disconnect(). */
typedef void (*doca_rdma_connection_established_cb_t)(struct doca_rdma_connection *rdma_connection,
                                                      union doca_data connection_user_data,
                                                      union doca_data ctx_user_data);
typedef void (*doca_rdma_connection_failure_cb_t)(struct doca_rdma_connection *rdma_connection,
                                                  union doca_data connection_user_data,
                                                  union doca_data ctx_user_data);
typedef void (*doca_rdma_connection_disconnection_cb_t)(
    struct doca_rdma_connection *rdma_connection, union doca_data connection_user_data,
    union doca_data ctx_user_data);

/* Set the callbacks for the states of connections. The call can be repeated while the instance is
 * idle. Connections by export run the last three as well (Assumed), established when both sides
 * have connected.
 *
 *   doca_rdma_connect_request_cb  may be NULL in an instance that does not listen
 *   the other three callbacks     must not be NULL
 *
 * Errors    INVALID_VALUE  an argument other than the request callback is NULL
 *           BAD_STATE      the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_set_connection_state_callbacks(
    struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
    doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
    doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
    doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb);

/* Make a connection for one peer, and the bytes that this peer needs to connect. In 2.5 there is no
 * connection argument: see >>rdma.api_25.
 *
 *   rdma                           running
 *   local_rdma_conn_details        out: bytes for the peer's doca_rdma_connect(). They belong to
 *                                  the instance and are valid as long as the connection.
 *   local_rdma_conn_details_size   out: a few hundred bytes
 *   rdma_connection                out: for this side's doca_rdma_connect()
 *
 * Errors    INVALID_VALUE       an argument is NULL
 *           BAD_STATE           the instance is not running, or is one of 2.5
 *           FULL                all connections of the instance are in use
 *           CONNECTION_ABORTED  the operating system refused the socket; the log names the call */
DOCA_CORE_DECL doca_error_t doca_rdma_export(struct doca_rdma *rdma,
                                             const void **local_rdma_conn_details,
                                             size_t *local_rdma_conn_details_size,
                                             struct doca_rdma_connection **rdma_connection);

/* Connect to the peer that exported these details. Tasks may be submitted at once. The peer may
 * connect earlier or later. In 2.5 there is no connection argument: see >>rdma.api_25.
 *
 *   remote_rdma_conn_details       from the peer's doca_rdma_export(); not used after the call
 *   remote_rdma_conn_details_size  bytes
 *   rdma_connection                from this instance's doca_rdma_export(). Both sides export, and
 *                                  each side passes the details that the other side exported
 *
 * Cost      system calls; the call does not wait for the peer
 * Errors    INVALID_VALUE       an argument is NULL, or the connection is one of another instance
 *           BAD_STATE           the instance is not running or is one of 2.5, or the connection is
 *                               connected, or was made by address
 *           CONNECTION_ABORTED  the bytes are not those of an export, are damaged, or come from
 *                               another user, another machine, or an instance that has ended; the
 *                               peer has connected and ended before; the operating system refused
 *                               a descriptor, and the log names the call */
DOCA_CORE_DECL doca_error_t doca_rdma_connect(struct doca_rdma *rdma,
                                              const void *remote_rdma_conn_details,
                                              size_t remote_rdma_conn_details_size,
                                              struct doca_rdma_connection *rdma_connection);

/* Create an address. It lies in a static table of DOCA_CORE_RDMA_MAX_ADDRS elements, because the
 * call names no device whose arena could hold it. The software device reaches its own machine only.
 * The call checks that the text is an address, and nothing else depends on the text: the port
 * selects the listening instance.
 *
 *   address  text of this type: "192.0.2.1", "2001:db8::1", or the 16 bytes of a GID written like
 *            an IPv6 address; no host names; copied
 *   port     in host byte order; not 0
 *
 * Threads   any; the table has a lock
 * Errors    INVALID_VALUE  an argument is NULL, there is no such type, the text is no such address,
 *                          or the port is 0
 *           NO_MEMORY      all elements of the table are in use */
DOCA_CORE_DECL doca_error_t doca_rdma_addr_create(enum doca_rdma_addr_type addr_type,
                                                  const char *address, uint16_t port,
                                                  struct doca_rdma_addr **addr);

/* Destroy an address.
 *
 * Threads   any
 * Errors    INVALID_VALUE  the argument is NULL, or not a live address
 *           BAD_STATE      a connection that was made with it has not ended, or its failure or
 *                          disconnection callback has not returned */
DOCA_CORE_DECL doca_error_t doca_rdma_addr_destroy(struct doca_rdma_addr *addr);

/* Get what an address was created with.
 *
 *   address  out: points into the address, and is valid until its destroy
 *
 * Threads   any
 * Errors    INVALID_VALUE  an argument is NULL, or `addr` is not a live address */
DOCA_CORE_DECL doca_error_t doca_rdma_addr_get_params(struct doca_rdma_addr *addr,
                                                      enum doca_rdma_addr_type *addr_type,
                                                      const char **address, uint16_t *port);

/* Begin or cease to listen on a port. Within a network namespace, one instance of a user listens on
 * a port; instances of other users may listen on a port of the same number. A running instance can
 * listen on DOCA_CORE_RDMA_MAX_PORTS ports. Connections that exist stay when listening ends;
 * requests that were not reported yet are refused. A peer that asks while all connections of the
 * instance are in use is refused without a request callback.
 *
 *   port  in host byte order; not 0
 *
 * Callback  allowed
 * Errors    INVALID_VALUE       the instance is NULL, or the port is 0; stop: the instance does not
 *                               listen on it
 *           BAD_STATE           start: the instance is not running, is one of 2.5, has no request
 *                               callback, or listens on this port or on too many ports already
 *           CONNECTION_ABORTED  start: another instance of this user listens on the port (Assumed),
 *                               or the operating system refused; the log says which
 *           NOT_SUPPORTED       start, on RDMA devices: without DOCA_CORE_RDMA_CM */
DOCA_CORE_DECL doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma, uint16_t port);
DOCA_CORE_DECL doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma, uint16_t port);

/* Accept or reject the connection of a request callback. After accept, the established callback
 * runs on both sides. After reject, the connection is free for another use, and the failure
 * callback runs at the peer.
 *
 *   private_data      no call of this API reads it, and only RDMA devices send it; NULL for none
 *   private_data_len  bytes; 0 with NULL
 *
 * Callback  allowed in the request callback
 * Errors    INVALID_VALUE       the connection is NULL, or is not one that waits for an answer;
 *                               accept: private_data and its length do not fit together
 *           CONNECTION_ABORTED  accept: the peer has given up, or the operating system refused a
 *                               descriptor. The connection has then ended, without a callback.
 *                               reject: never
 *           NO_MEMORY           never: start took the memory of all connections */
DOCA_CORE_DECL doca_error_t doca_rdma_connection_accept(
    struct doca_rdma_connection *rdma_connection, void *private_data, uint8_t private_data_len);
DOCA_CORE_DECL doca_error_t
doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection);

/* Begin to connect to a listening instance. Later, either the established callback or the failure
 * callback runs, once, with the user data, unless the program ends the connection or stops the
 * instance before. Failure means that no instance listens on the port, the listening instance has
 * rejected the connection or has no free one, or that the time of
 * doca_rdma_set_connection_request_timeout() has passed. While more than 128 clients wait at the
 * port, progress asks again until that time.
 *
 *   addr                  in use until the failure or disconnection callback has returned
 *   connection_user_data  initial user data of the connection
 *
 * Callback  allowed
 * Errors    INVALID_VALUE       an argument is NULL
 *           BAD_STATE           the instance is not running, is one of 2.5, or has no connection
 *                               state callbacks
 *           FULL                all connections of the instance are in use (Assumed)
 *           CONNECTION_ABORTED  the operating system refused the socket; the log names the call
 *           NOT_SUPPORTED       on RDMA devices: without DOCA_CORE_RDMA_CM */
DOCA_CORE_DECL doca_error_t doca_rdma_connect_to_addr(struct doca_rdma *rdma,
                                                      struct doca_rdma_addr *addr,
                                                      union doca_data connection_user_data);

/* End a connection. Tasks in flight complete with CONNECTION_ABORTED, and those of the peer with
 * CONNECTION_RESET. The disconnection callback then runs on both sides. If the connection is not
 * established yet, no callback runs on this side. For a connection that has ended, as in its
 * failure or disconnection callback, the call succeeds and does nothing.
 *
 * Callback  allowed
 * Errors    INVALID_VALUE       the connection is NULL or not valid
 *           CONNECTION_ABORTED  never: an end that has begun on the other side is a success */
DOCA_CORE_DECL doca_error_t
doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection);

/* Set or get a value that the program keeps with a connection; initially 0, or as given to
 * doca_rdma_connect_to_addr().
 *
 * Callback  allowed
 * Errors    INVALID_VALUE  an argument is NULL, or the connection is not valid */
DOCA_CORE_DECL doca_error_t doca_rdma_connection_set_user_data(
    struct doca_rdma_connection *rdma_connection, union doca_data connection_user_data);
DOCA_CORE_DECL doca_error_t doca_rdma_connection_get_user_data(
    const struct doca_rdma_connection *rdma_connection, union doca_data *connection_user_data);

/* Get the address that the connection was made with, or the number of the connection within its
 * instance. The number is less than doca_rdma_get_max_num_connections(). When the connection has
 * ended, a later connection may get its number.
 *
 * Callback  allowed
 * Errors    INVALID_VALUE  an argument is NULL, or the connection is not valid; get_addr: it was
 *                          not made by doca_rdma_connect_to_addr(), or it has ended and its last
 *                          callback has returned */
DOCA_CORE_DECL doca_error_t doca_rdma_connection_get_addr(
    const struct doca_rdma_connection *rdma_connection, struct doca_rdma_addr **addr);
DOCA_CORE_DECL doca_error_t doca_rdma_connection_get_id(
    const struct doca_rdma_connection *rdma_connection, uint32_t *connection_id);

/* For programs that listen by librdmacm themselves. The software device has no counterpart of an
 * rdma_cm_id, so the calls are refused with one log line. doca_rdma_bridge_accept() is the form of
 * 2.10. In 3.0 it has other parameters and follows doca_rdma_bridge_prepare_connection(); that form
 * is doca_core_v3_rdma_bridge_accept(), and has the vendor's name in programs for 3.x
 * (DOCA_CORE_API).
 *
 *   private_data  not examined
 *
 * Errors    INVALID_VALUE  another pointer is NULL, or `rdma` is not a live instance
 *           NOT_SUPPORTED  otherwise */
DOCA_CORE_DECL doca_error_t
doca_rdma_bridge_prepare_connection(struct doca_rdma *rdma, struct rdma_cm_id *cm_id,
                                    struct doca_rdma_connection **rdma_connection);
DOCA_CORE_DECL doca_error_t doca_rdma_bridge_accept(struct doca_rdma *rdma,
                                                    struct rdma_cm_id *cm_id, void *private_data,
                                                    uint8_t private_data_len,
                                                    struct doca_rdma_connection **rdma_connection);
DOCA_CORE_DECL doca_error_t doca_core_v3_rdma_bridge_accept(
    struct doca_rdma *rdma, void *private_data, uint8_t private_data_len,
    struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL doca_error_t
doca_rdma_bridge_established(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection);

#endif

/* ---- >>comch --------------------------------------------------------------------------------
 * The control path: a server, its clients, their connections, and messages of up to 4080 bytes. A
 * server runs on the DPU and serves one function of the host, which a representor names. Clients on
 * the host connect to the server by its name. Each side has its own object for a connection.
 * Servers and clients are contexts: doca_ctx_start() starts them, and doca_ctx_stop() stops them.
 *     server   IDLE -> RUNNING -> (STOPPING ->) IDLE
 *     client   IDLE -> STARTING -> RUNNING -> (STOPPING ->) IDLE
 * doca_ctx_start() of a server listens and returns SUCCESS, or ALREADY_EXIST when another server
 * has this name and function. doca_ctx_start() of a client returns IN_PROGRESS, and
 * doca_pe_progress() makes the client RUNNING when the server has accepted it. A client whose
 * server is absent, is full, or runs as another user goes from STARTING to IDLE. Both starts can
 * fail with the errors of doca_ctx_start(); OPERATING_SYSTEM then names the system call.
 * A stop closes connections in order: each message whose send task has completed with SUCCESS is
 * delivered to the peer as an event before the peer's side of the connection ends. A context leaves
 * STOPPING when all its tasks are freed and all consumers and producers on its connections are
 * destroyed.
 * Order of calls:
 *     create -> task_send_set_conf, events -> connect to a PE -> start -> progress until RUNNING
 *     -> alloc_init -> submit -> callback -> free
 * If the process of the peer ends or is killed, a server gets exactly one disconnect event for the
 * connection. A client becomes STOPPING, and IDLE when its consumers and producers are destroyed.
 * Send tasks that the peer did not receive complete with an error.
 * A call whose argument is NULL, or whose handle is not a live object of its type, returns
 * INVALID_VALUE; a getter without an error code returns NULL or 0.
 * Threads: a server or client, its connections and their tasks belong to the thread of its PE.
 * Source: DOCA Comch guide; API reference, "DOCA Comch".                                        */
#ifndef DOCA_SRC_COMPAT_COMCH_COMCH_H
#define DOCA_SRC_COMPAT_COMCH_COMCH_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/config.h"

struct doca_comch_client;
struct doca_comch_connection;
struct doca_comch_event_connection_status_changed;
struct doca_comch_event_consumer;
struct doca_comch_event_msg_recv;
struct doca_comch_server;
struct doca_comch_task_send;

/* Called when a send task has completed, with success or failure. The callback may free or resubmit
 * the task, and stop the context. */
typedef void (*doca_comch_task_send_completion_cb_t)(struct doca_comch_task_send *task,
                                                     union doca_data task_user_data,
                                                     union doca_data ctx_user_data);

/* Called for a received message.
 *
 *   event        valid until the callback returns
 *   recv_buffer  the message, without a NUL after it; valid until the callback returns (Assumed)
 *   msg_len      length of the message in bytes
 *
 * The callback may allocate and submit tasks, set the user data of the connection, and stop or
 * disconnect. */
typedef void (*doca_comch_event_msg_recv_cb_t)(struct doca_comch_event_msg_recv *event,
                                               uint8_t *recv_buffer, uint32_t msg_len,
                                               struct doca_comch_connection *comch_connection);

/* Called at a server when a client has connected or disconnected. The connect callback may send to
 * the client. In the disconnect callback the program can still get the server and the user data of
 * the connection; after the callback the connection is no longer valid (Assumed).
 *
 *   change_successful  1; or 0 if a client failed to connect */
typedef void (*doca_comch_event_connection_status_changed_cb_t)(
    struct doca_comch_event_connection_status_changed *event,
    struct doca_comch_connection *comch_connection, uint8_t change_successful);

/* Called when consumer `id` of the peer can receive messages, or when it has stopped. */
typedef void (*doca_comch_event_consumer_cb_t)(struct doca_comch_event_consumer *event,
                                               struct doca_comch_connection *comch_connection,
                                               uint32_t id);

/* Counters of a connection: messages and bytes of the control path. */
enum doca_comch_counter {
    DOCA_COMCH_COUNTER_SENT_MESSAGES = 1,
    DOCA_COMCH_COUNTER_SENT_BYTES = 2,
    DOCA_COMCH_COUNTER_RECV_MESSAGES = 3,
    DOCA_COMCH_COUNTER_RECV_BYTES = 4
};

/* Query the control path of a device.
 *
 *   max_name_len    out: maximum length of a server's name in bytes, with its NUL
 *   max_msg_size    out: maximum length of a message in bytes; set_max_msg_size accepts this value
 *   max_recv_queue  out: maximum value of set_recv_queue_size
 *   num_clients     out: maximum number of clients that a server can have at the same time
 *   max_send_tasks  out: maximum number of send tasks of a server or client
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  server_is_supported: the device is on the host, or has no
 *                          representors; client_is_supported: the device is on the DPU; both: the
 *                          card of the device has no DPU */
DOCA_CORE_DECL doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo,
                                                            uint32_t *max_name_len);
DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo,
                                                            uint32_t *size);
DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_recv_queue_size(
    const struct doca_devinfo *devinfo, uint32_t *size);
DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo,
                                                           uint32_t *num_clients);
DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
                                                              uint32_t *max_send_tasks);

/* Compute the arena bytes of a started server with `num_clients` connections, or of a started
 * client. The consumers and producers of the connections need additional memory.
 *
 *   num_clients     as in doca_core_comch_server_set_max_clients()
 *   num_send_tasks  as in task_send_set_conf
 *   max_msg         as in set_max_msg_size, in bytes
 *   bytes           out: sum of the bytes that create and start take
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, `dev` is not open, or a number exceeds its
 *                          capability */
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_server(struct doca_dev *dev,
                                                         uint32_t num_clients,
                                                         uint32_t num_send_tasks, uint32_t max_msg,
                                                         size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_client(struct doca_dev *dev,
                                                         uint32_t num_send_tasks, uint32_t max_msg,
                                                         size_t *bytes);

/* Create an idle server. doca_core_comch_server_create_in() takes the memory from `arena` instead
 * of from the arena of the device.
 *
 *   repr  the function of the host whose clients the server accepts; must stay open until destroy
 *   name  1 to 119 bytes and a NUL; copied. Servers for different functions may have the same name.
 *         Names of the same function are compared byte for byte.
 *
 * Owns      one block of the arena, and a reference to the device, until destroy
 * Errors    INVALID_VALUE   an argument is NULL; `dev` or `repr` is not open; `repr` belongs to
 *                           another device; or the name is empty or too long
 *           NOT_SUPPORTED   the device cannot be a server, or the function has neither a PCI
 *                           address nor a VUID, or is an SF without a VUID
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  never: the reference lists it for a lock, which a server does not have
 */
DOCA_CORE_DECL doca_error_t doca_comch_server_create(struct doca_dev *dev,
                                                     struct doca_dev_rep *repr, const char *name,
                                                     struct doca_comch_server **comch_server);
DOCA_CORE_DECL doca_error_t doca_core_comch_server_create_in(struct doca_core_arena *arena,
                                                             struct doca_dev *dev,
                                                             struct doca_dev_rep *repr,
                                                             const char *name,
                                                             struct doca_comch_server **server);

/* Create an idle client. doca_core_comch_client_create_in() takes the memory from `arena` instead
 * of from the arena of the device.
 *
 *   dev   the function of the host that the server serves
 *   name  the server's name: 1 to 119 bytes and a NUL; copied
 *
 * Owns      one block of the arena, and a reference to the device, until destroy
 * Errors    INVALID_VALUE   an argument is NULL; `dev` is not open; or the name is empty or too
 *                           long
 *           NOT_SUPPORTED   the device cannot be a client, has neither a PCI address nor a VUID, or
 *                           is an SF without a VUID
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  never, as for a server */
DOCA_CORE_DECL doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
                                                     struct doca_comch_client **comch_client);
DOCA_CORE_DECL doca_error_t doca_core_comch_client_create_in(struct doca_core_arena *arena,
                                                             struct doca_dev *dev, const char *name,
                                                             struct doca_comch_client **client);

/* Destroy an idle server or client and disconnect it from its PE. State changes that were not
 * reported yet are dropped.
 *
 * Callback  allowed in the context's state callback when the new state is IDLE
 * Errors    INVALID_VALUE  the argument is NULL, or not a live object
 *           IN_USE         the context is not idle, tasks are not freed, or consumers or producers
 *                          of a connection exist */
DOCA_CORE_DECL doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server);
DOCA_CORE_DECL doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client);

/* Return a server or client as a generic context; both are the same object, which must exist as
 * long as the context is used. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server);
DOCA_CORE_DECL struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client);

/* Set or get the largest message that this side sends and accepts, in bytes. Initially the maximum.
 * When the two sides of a connection differ, the smaller value holds for both (Assumed).
 *
 *   size  1 to the maximum of doca_comch_cap_get_max_msg_size()
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the size is 0 or too large
 *           BAD_STATE      set: the context is not idle. The reference names BAD_STATE for get,
 *                          too; get succeeds in every state, as programs read the size after start
 */
DOCA_CORE_DECL doca_error_t doca_comch_server_set_max_msg_size(
    struct doca_comch_server *comch_server, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_comch_server_get_max_msg_size(
    const struct doca_comch_server *comch_server, uint32_t *size);
DOCA_CORE_DECL doca_error_t doca_comch_client_set_max_msg_size(
    struct doca_comch_client *comch_client, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_comch_client_get_max_msg_size(
    const struct doca_comch_client *comch_client, uint32_t *size);

/* Set the number of clients that a server can have at the same time; initially the maximum of
 * doca_comch_cap_get_max_clients(). Start takes the memory of all connections, about 14 KiB each.
 * The server refuses further clients, which then become idle again.
 *
 *   num_clients  1 to that maximum
 *
 * Errors    INVALID_VALUE  the server is NULL, or the number is 0 or too large
 *           BAD_STATE      the server is not idle */
DOCA_CORE_DECL doca_error_t doca_core_comch_server_set_max_clients(
    struct doca_comch_server *comch_server, uint32_t num_clients);

/* Set or get the number of received messages that may wait for doca_pe_progress(); initially 64.
 * Messages wait in a buffer of the kernel, whose size does not depend on this number: a program
 * must not rely on the number as a bound.
 *
 *   size  1 to the maximum of doca_comch_cap_get_max_recv_queue_size()
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the size is 0 or too large
 *           BAD_STATE      set: the context is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_server_set_recv_queue_size(
    struct doca_comch_server *comch_server, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_comch_server_get_recv_queue_size(
    const struct doca_comch_server *comch_server, uint32_t *size);
DOCA_CORE_DECL doca_error_t doca_comch_client_set_recv_queue_size(
    struct doca_comch_client *comch_client, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_comch_client_get_recv_queue_size(
    const struct doca_comch_client *comch_client, uint32_t *size);

/* Get the device or the representor that the server or client was created with.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or the handle is not a live object
 *           BAD_STATE      never: the reference names it, but both are known in every state */
DOCA_CORE_DECL doca_error_t doca_comch_server_get_device(
    const struct doca_comch_server *comch_server, struct doca_dev **dev);
DOCA_CORE_DECL doca_error_t doca_comch_server_get_device_rep(
    const struct doca_comch_server *comch_server, struct doca_dev_rep **rep);
DOCA_CORE_DECL doca_error_t doca_comch_client_get_device(
    const struct doca_comch_client *comch_client, struct doca_dev **dev);

/* Get the connection of a client. The connection is established when the client is RUNNING; its
 * handle is valid until the connection has ended, at the latest until the client is idle again.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or the handle is not a live object
 *           BAD_STATE      the client is idle, is STARTING and has not reached the server yet, or
 *                          is STOPPING and its connection has ended */
DOCA_CORE_DECL doca_error_t doca_comch_client_get_connection(
    const struct doca_comch_client *comch_client, struct doca_comch_connection **connection);

/* Return the server or the client of a connection. NULL when the connection is NULL, or when its
 * side has the other kind of object. */
DOCA_CORE_DECL struct doca_comch_server *doca_comch_server_get_server_ctx(
    const struct doca_comch_connection *connection);
DOCA_CORE_DECL struct doca_comch_client *doca_comch_client_get_client_ctx(
    const struct doca_comch_connection *connection);

/* Set or get a value that the program stores in a connection; initially 0.
 *
 * Callback  allowed
 * Errors    INVALID_VALUE  `connection` is NULL, or not a live connection; get then returns 0 */
DOCA_CORE_DECL doca_error_t doca_comch_connection_set_user_data(
    struct doca_comch_connection *connection, union doca_data user_data);
DOCA_CORE_DECL union doca_data doca_comch_connection_get_user_data(
    const struct doca_comch_connection *connection);

/* Read the counters of a connection. update_info copies the four counters at that moment, and
 * get_counter returns a value of the latest copy, or 0 before the first copy. The result of
 * update_info shows whether the connection is alive.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE          an argument is NULL, the connection is not live, or the counter
 *                                  is unknown
 *           CONNECTION_INPROGRESS  update_info: the connection is not established yet
 *           CONNECTION_ABORTED     update_info: the connection failed, or has ended */
DOCA_CORE_DECL doca_error_t doca_comch_connection_update_info(
    struct doca_comch_connection *comch_connection);
DOCA_CORE_DECL doca_error_t doca_comch_connection_get_counter(
    const struct doca_comch_connection *comch_connection, enum doca_comch_counter counter_type,
    uint64_t *counter_value);

/* Disconnect one client of a server. Messages whose send tasks have completed are delivered first.
 * The client leaves RUNNING, and the server gets the disconnect event.
 *
 *   connection  a connection of this server. When it has ended already, the call succeeds and does
 *               nothing.
 *
 * Callback  allowed
 * Errors    INVALID_VALUE  an argument is NULL, or the connection does not belong to this server
 *           IN_USE         consumers or producers of the connection exist on this side
 *           AGAIN          never: the reference names it, but the end of the socket is the notice
 *                          to the client, and needs no room */
DOCA_CORE_DECL doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
                                                         struct doca_comch_connection *connection);

/* Enable send tasks and set their number and callbacks. Mandatory before start. The call can be
 * repeated while the context is idle.
 *
 *   task_completion_cb, task_error_cb  called on success and on failure: exactly one of the two per
 *                                      submission. They may be the same function.
 *   num_send_tasks                     number of tasks that can be allocated at the same time, at
 *                                      least 1
 *
 * Errors    INVALID_VALUE  an argument is NULL; the number is 0, or exceeds
 *                          doca_comch_cap_get_max_send_tasks()
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_server_task_send_set_conf(
    struct doca_comch_server *comch_server, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_client_task_send_set_conf(
    struct doca_comch_client *comch_client, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);

/* Allocate a send task. doca_task_set_user_data() sets the value that its callback receives.
 *
 *   peer  server: an established connection of this server. Client: the client's connection.
 *   msg   ordinary memory, without an mmap; unchanged until the task has completed
 *   len   length in bytes, at most the largest message of the connection
 *
 * When the task succeeds, the message is on its way to the peer. The peer gets it as one event,
 * even if this side stops. Messages of one connection and direction arrive in the order of their
 * submission. If the socket has no room for the message, the task stays in flight, and
 * doca_pe_progress() sends the message later. A freed task can be allocated again at once. Results
 * of a submitted task, apart from SUCCESS:
 *     BAD_STATE         of doca_task_submit(): the connection is no longer valid
 *     CONNECTION_RESET  of the task: the peer has ended, or this server has disconnected it
 *     SHUTDOWN          of the task: the context was stopped before the message was sent
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, the connection belongs to another object, or the
 *                          message is too long
 *           BAD_STATE      the context is not running
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_comch_server_task_send_alloc_init(
    struct doca_comch_server *comch_server, struct doca_comch_connection *peer, const void *msg,
    uint32_t len, struct doca_comch_task_send **task);
DOCA_CORE_DECL doca_error_t doca_comch_client_task_send_alloc_init(
    struct doca_comch_client *comch_client, struct doca_comch_connection *peer, const void *msg,
    uint32_t len, struct doca_comch_task_send **task);

/* Return the send task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task);

/* Set the callback for received messages. Without a callback, each received message is dropped with
 * a log line. The call can be repeated while the context is idle. All callbacks of a context run in
 * doca_pe_progress().
 *
 * Errors    INVALID_VALUE  an argument is NULL
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_server_event_msg_recv_register(
    struct doca_comch_server *comch_server, doca_comch_event_msg_recv_cb_t recv_event_cb);
DOCA_CORE_DECL doca_error_t doca_comch_client_event_msg_recv_register(
    struct doca_comch_client *comch_client, doca_comch_event_msg_recv_cb_t recv_event_cb);

/* Set the callbacks of a server for clients that connect and disconnect. The disconnect callback
 * runs once for every client whose connect callback ran with change_successful 1, whichever side
 * ended the connection. A client has no such events: its state callback reports both.
 *
 * Errors    INVALID_VALUE  an argument is NULL
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_server_event_connection_status_changed_register(
    struct doca_comch_server *comch_server,
    doca_comch_event_connection_status_changed_cb_t connect_event_cb,
    doca_comch_event_connection_status_changed_cb_t disconnect_event_cb);

/* Set the callbacks for consumers of the peer. The new callback runs when a consumer of the peer
 * becomes RUNNING; from then on producers can send to its id. The expired callback runs once, with
 * the same id, when that consumer has stopped. The end of the connection ends all consumers of the
 * peer without this callback.
 *
 * Errors    INVALID_VALUE  an argument is NULL
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_server_event_consumer_register(
    struct doca_comch_server *comch_server, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb);
DOCA_CORE_DECL doca_error_t doca_comch_client_event_consumer_register(
    struct doca_comch_client *comch_client, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb);

#endif

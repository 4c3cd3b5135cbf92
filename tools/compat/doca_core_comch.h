/* doca_core_comch.h - the API of DOCA Comch (doca_comch.h, 2.10 and 3.x), for use with doca_core.h
 *
 * Comch carries messages between a program on the DPU and programs on its host. A server on the DPU
 * serves one function of the host; clients on the host connect to the server by its name. The
 * control path of a connection carries messages of up to 4080 bytes. Its data path carries messages
 * of up to 1 GiB, from producers to buffers that consumers post. Here, both sides are processes of
 * one machine, or threads of one process, and the software device replaces the card.
 *
 * THIS HEADER HAS all 109 functions of doca_comch.h, doca_comch_consumer.h, doca_comch_producer.h
 * and doca_comch_msgq.h, with the vendor's names, values and signatures, and the 66 functions of
 * doca_cc.h, doca_cc_consumer.h and doca_cc_producer.h, the names of this channel in 2.5. The 28
 * calls for a DPA and for message queues only answer NOT_SUPPORTED and log one line.
 *
 * DO THIS in the one C (or C++) file that has the implementation, in place of doca_core.h, and
 * include this header without the macros everywhere else:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #define DOCA_CORE_COMCH_IMPLEMENTATION
 *     #include "doca_core_comch.h"
 *
 * A CLIENT sends a message, and prints the answer, after which it stops:
 *
 *     static void sent(struct doca_comch_task_send *task, union doca_data of_task,
 *                      union doca_data of_ctx)
 *     {
 *         doca_task_free(doca_comch_task_send_as_task(task));
 *     }
 *
 *     static void received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
 *                          struct doca_comch_connection *connection)
 *     {
 *         printf("%.*s\n", (int)len, (const char *)bytes);
 *         doca_ctx_stop(doca_comch_client_as_ctx(doca_comch_client_get_client_ctx(connection)));
 *     }
 *
 *     doca_comch_client_create(dev, "echo", &client);
 *     doca_comch_client_task_send_set_conf(client, sent, sent, 16);
 *     doca_comch_client_event_msg_recv_register(client, received);
 *     doca_pe_connect_ctx(pe, doca_comch_client_as_ctx(client));
 *     doca_ctx_start(doca_comch_client_as_ctx(client));   // returns IN_PROGRESS
 *     while (state == DOCA_CTX_STATE_STARTING)            // the state callback sets `state`
 *         doca_pe_progress(pe);
 *     doca_comch_client_get_connection(client, &connection);
 *     doca_comch_client_task_send_alloc_init(client, connection, "hello", 5, &task);
 *     doca_task_submit(doca_comch_task_send_as_task(task));
 *     while (state != DOCA_CTX_STATE_IDLE)
 *         doca_pe_progress(pe);
 *     doca_comch_client_destroy(client);
 *
 * A SERVER makes the same calls with a representor, doca_comch_server_create(dev, rep, "echo",
 * &server), is RUNNING at once, and sends to the connections that its connect event brings.
 *
 * THE DATA PATH needs an established connection. The receiving side creates a consumer with an
 * mmap, starts it and posts buffers. The sending side learns the consumer's id by the new-consumer
 * event, creates a producer, and sends to that id. Either side may have several of both. To end,
 * destroy consumers and producers first, then stop and destroy the client, then the server.
 *
 * PROCESSES. A server listens under an abstract address of local sockets (AF_UNIX). The address is
 * made of the user id, the PCI address of the represented function (the VUID, for an SF), and the
 * name of the server.
 * Both processes therefore have one user, see the same software topology, and share a network
 * namespace. A server refuses a client of another user, by the credentials that the kernel gives.
 * Control messages travel through a socket (SOCK_SEQPACKET). The data path is one ring per consumer
 * in memory that the kernel shares between the two processes. When a process is killed, its peer
 * notices: see >>comch.
 *
 * NOTIFICATION. A PE with servers, clients, consumers and producers has a notification handle, and
 * a program may sleep on it as with any other context.
 *
 * THREADS. A server or client and its connections belong to one thread. Each consumer and producer
 * may belong to a thread of its own, with a PE of its own.
 *
 * MEMORY. No call uses the heap. Servers and clients take their memory from the arena of the
 * device, consumers and producers from that of their server or client; the _create_in calls take it
 * from any arena. The doca_core_bytes_comch_... calls give the sizes. Rings and sockets are memory
 * of the kernel.
 *
 * ERRORS are reported as in doca_core.h, including doca_core_last_error().
 *
 * AS ON A CARD: the states and their order, the results of start, the events and their order, the
 * callbacks and what they may call, AGAIN of a submit without a posted buffer, and the order in
 * which objects end. A program that works here makes the calls that a card needs.
 *
 * DIFFERENCES from the vendor's library
 *   - Both sides are on one machine, and have one user. No call reaches a card or another machine.
 *   - A send task of the data path succeeds when a message of up to 64 KiB is in the ring. On a
 *     card it succeeds when the message is in the consumer's buffer (Assumed).
 *   - Getters that the reference forbids in some states succeed in every state.
 *   - A DPA does not exist: completions for its threads and message queues are NOT_SUPPORTED.
 *
 * PROGRAMS OF 2.5 call the channel doca_cc_...; see >>comch.cc.
 *
 * Assumed, because the vendor's documents do not say: all limits except 4080 bytes; that a name is
 * copied; that a received message is valid until its callback returns; that a connection is no
 * longer valid after its disconnect event; that of two message sizes the smaller one holds; that a
 * message that does not fit its buffer fails both tasks with IO_FAILED; that a message may have
 * immediate data only.
 * Source: DOCA Comch guide; API reference, "DOCA Comch"; programs published with the SDK.
 *
 * CONTENTS (search for the tag)
 *   API             >>comch.config >>comch >>comch.consumer >>comch.producer >>comch.msgq
 *                   >>comch.cc.events
 *   Implementation  >>impl.comch.unsupported
 *   Names           >>comch.cc
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/comch/. Change the
 * parts.
 */
#if defined(DOCA_CORE_COMCH_IMPLEMENTATION) && !defined(DOCA_CORE_IMPLEMENTATION) &&               \
    !defined(DOCA_PRIV_COMCH_IMPLEMENTED)
#error "define DOCA_CORE_IMPLEMENTATION in the file that defines DOCA_CORE_COMCH_IMPLEMENTATION"
#endif

#include "doca_core.h"

#ifndef DOCA_CORE_COMCH_H
#define DOCA_CORE_COMCH_H

/* part: src/compat/comch/config.h */
/* ---- >>comch.config --------------------------------------------------------------------------
 * Limits of this header, which the capability queries return and which bound what a peer may ask
 * for. Define them before the include, with the same value in every file of every process that uses
 * a channel. 4080 bytes is the message size of public programs. All other numbers are Assumed,
 * because the vendor publishes none.                                                            */

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_comch.h is for hosted programs"
#endif
#ifndef __linux__
#error "doca_core_comch.h needs sockets and shared memory of Linux"
#endif
#ifdef DOCA_CORE_NO_REP
#error "doca_core_comch.h needs representors"
#endif

/* Control path: bytes of a message; bytes of the name of a server, with its NUL; messages that a
 * receive queue holds; send tasks of a server or client; connections of a server. */
#ifndef DOCA_CORE_COMCH_MAX_MSG
#define DOCA_CORE_COMCH_MAX_MSG 4080
#endif
#define DOCA_CORE_COMCH_MAX_NAME 120
#ifndef DOCA_CORE_COMCH_MAX_RECV_QUEUE
#define DOCA_CORE_COMCH_MAX_RECV_QUEUE 8192
#endif
#ifndef DOCA_CORE_COMCH_MAX_SEND_TASKS
#define DOCA_CORE_COMCH_MAX_SEND_TASKS 8192
#endif
#ifndef DOCA_CORE_COMCH_MAX_CLIENTS
#define DOCA_CORE_COMCH_MAX_CLIENTS 512
#endif

/* Data path: consumers and producers that each side of a connection may have; tasks of a consumer
 * or producer; bytes of one buffer; bytes of immediate data of one message. */
#ifndef DOCA_CORE_COMCH_MAX_CONSUMERS
#define DOCA_CORE_COMCH_MAX_CONSUMERS 64
#endif
#ifndef DOCA_CORE_COMCH_MAX_PRODUCERS
#define DOCA_CORE_COMCH_MAX_PRODUCERS 64
#endif
#if DOCA_CORE_COMCH_MAX_CONSUMERS > 64 || DOCA_CORE_COMCH_MAX_PRODUCERS > 64
#error "a side of a connection has at most 64 consumers and 64 producers"
#endif
#ifndef DOCA_CORE_COMCH_MAX_TASKS
#define DOCA_CORE_COMCH_MAX_TASKS 8192
#endif
#ifndef DOCA_CORE_COMCH_MAX_BUF
#define DOCA_CORE_COMCH_MAX_BUF (1u << 30)
#endif
#define DOCA_CORE_COMCH_MAX_IMM 32

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/comch/comch.h */
/* ---- >>comch --------------------------------------------------------------------------------
 * The control path: a server, its clients, their connections, and messages of up to 4080 bytes.
 * A server runs on the DPU and serves one function of the host, which a representor names. Clients
 * on the host connect to the server by its name. Each connection is one object on either side.
 * A server and a client are contexts, which doca_ctx_start() starts and doca_ctx_stop() stops.
 *     server   IDLE -> RUNNING -> (STOPPING ->) IDLE
 *     client   IDLE -> STARTING -> RUNNING -> (STOPPING ->) IDLE
 * doca_ctx_start() of a server listens and returns SUCCESS, or ALREADY_EXIST when another server
 * has this name and function. doca_ctx_start() of a client returns IN_PROGRESS, and
 * doca_pe_progress() makes the client RUNNING when the server has accepted it. A client whose
 * server is absent, is full, or runs as another user goes from STARTING to IDLE. Both starts can
 * fail with the errors of doca_ctx_start(); OPERATING_SYSTEM then names the system call.
 * A stop closes connections in order: each message whose send task has completed with SUCCESS is
 * delivered to the peer as an event before the peer's side of the connection ends. A context leaves
 * STOPPING when its tasks are freed and the consumers and producers on its connections destroyed.
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

struct doca_comch_client;
struct doca_comch_connection;
struct doca_comch_event_connection_status_changed;
struct doca_comch_event_consumer;
struct doca_comch_event_msg_recv;
struct doca_comch_server;
struct doca_comch_task_send;

/* Called when a send task has completed. The same type serves success and failure. The callback may
 * free or resubmit the task, and stop the context. */
typedef void (*doca_comch_task_send_completion_cb_t)(struct doca_comch_task_send *task,
                                                     union doca_data task_user_data,
                                                     union doca_data ctx_user_data);

/* Called for a received message.
 *
 *   event        valid until the callback returns
 *   recv_buffer  the message, without a NUL behind it; valid until the callback returns (Assumed)
 *   msg_len      bytes
 *
 * The callback may allocate and submit tasks, set the user data of the connection, and stop or
 * disconnect. */
typedef void (*doca_comch_event_msg_recv_cb_t)(struct doca_comch_event_msg_recv *event,
                                               uint8_t *recv_buffer, uint32_t msg_len,
                                               struct doca_comch_connection *comch_connection);

/* Called at a server when a client has connected or disconnected. The connect callback may send to
 * the client. The disconnect callback may still ask for the server and the user data of the
 * connection; after the disconnect callback the connection is no longer valid (Assumed).
 *
 *   change_successful  1, or 0 for an attempt that failed */
typedef void (*doca_comch_event_connection_status_changed_cb_t)(
    struct doca_comch_event_connection_status_changed *event,
    struct doca_comch_connection *comch_connection, uint8_t change_successful);

/* Called when the peer's consumer `id` can receive, or has ended. */
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
 *   max_name_len    out: bytes of a server's name, with its NUL
 *   max_msg_size    out: bytes of a message; set_max_msg_size accepts this value
 *   max_recv_queue  out: messages that set_recv_queue_size accepts
 *   num_clients     out: clients that a server can have at the same time
 *   max_send_tasks  out: send tasks of a server or client
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  server_is_supported: the device is on the host, or has no
 *                          representors; client_is_supported: the device is on the DPU */
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

/* Compute the arena bytes of a started server with up to `num_clients` connections, or of a started
 * client. The consumers and producers of the connections need memory of their own.
 *
 *   num_send_tasks  as in task_send_set_conf
 *   max_msg         bytes, as in set_max_msg_size
 *   bytes           out: an upper bound for any PE that the context is connected to
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
 * Errors    INVALID_VALUE   an argument is NULL; `dev` or `repr` is not open; the representor is
 *                           not one of the device; or the name is empty or too long
 *           NOT_SUPPORTED   the device cannot be a server, or the function has neither a PCI
 *                           address nor a VUID
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  never: the reference names it for a lock, which a server does not have
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
 *           NOT_SUPPORTED   the device cannot be a client, or has neither a PCI address nor a VUID
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
 * handle is valid until the client is idle again.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or the handle is not a live object
 *           BAD_STATE      the client is idle */
DOCA_CORE_DECL doca_error_t doca_comch_client_get_connection(
    const struct doca_comch_client *comch_client, struct doca_comch_connection **connection);

/* Return the server or the client of a connection. NULL when the connection is one of the other
 * kind, or is NULL. */
DOCA_CORE_DECL struct doca_comch_server *doca_comch_server_get_server_ctx(
    const struct doca_comch_connection *connection);
DOCA_CORE_DECL struct doca_comch_client *doca_comch_client_get_client_ctx(
    const struct doca_comch_connection *connection);

/* Set or get a value that the program keeps with a connection; initially 0.
 *
 * Callback  allowed
 * Errors    INVALID_VALUE  `connection` is NULL, or not a live connection; get returns 0 then */
DOCA_CORE_DECL doca_error_t doca_comch_connection_set_user_data(
    struct doca_comch_connection *connection, union doca_data user_data);
DOCA_CORE_DECL union doca_data doca_comch_connection_get_user_data(
    const struct doca_comch_connection *connection);

/* Read the counters of a connection. update_info copies the four counters at that moment, and
 * get_counter returns a value of the latest copy, 0 before the first. A call of update_info is also
 * the test whether a connection is alive.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE          an argument is NULL, the connection is not live, or there is no
 *                                  such counter
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
 *   connection  an established connection of this server
 *
 * Callback  allowed
 * Errors    INVALID_VALUE  an argument is NULL, or the connection is not one of this server
 *           IN_USE         consumers or producers of the connection exist on this side
 *           AGAIN          the notice to the client has no room now; call again after
 *                          doca_pe_progress() */
DOCA_CORE_DECL doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
                                                         struct doca_comch_connection *connection);

/* Enable send tasks and set their number and callbacks. Mandatory before start. The call can be
 * repeated while the context is idle.
 *
 *   task_completion_cb, task_error_cb  called on success and on failure: exactly one of the two per
 *                                      submission. They may be the same function.
 *   num_send_tasks                     tasks that can be allocated at the same time, at least 1
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
 *   len   bytes, at most the largest message of the connection
 *
 * Success of the task means that the message is on its way to the peer, where it becomes one event,
 * even if this side stops. Messages of one connection and direction arrive in the order of their
 * submission. A task whose message finds the socket full stays in flight, and doca_pe_progress()
 * sends the message later. A freed task can be allocated again at once. Results of a submitted
 * task, apart from SUCCESS:
 *     BAD_STATE         of the task: the connection is not established
 *     CONNECTION_RESET  of the task: the peer has ended
 *     SHUTDOWN          of the task: the context was stopped before the message was sent
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, the connection is not one of this object, or the
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

/* Set the callback for received messages. Without one, each received message is dropped with a log
 * line. The call can be repeated while the context is idle. All callbacks of a context run in
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
 * the same id, when that consumer has stopped.
 *
 * Errors    INVALID_VALUE  an argument is NULL
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_server_event_consumer_register(
    struct doca_comch_server *comch_server, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb);
DOCA_CORE_DECL doca_error_t doca_comch_client_event_consumer_register(
    struct doca_comch_client *comch_client, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb);

/* part: src/compat/comch/consumer.h */
/* ---- >>comch.consumer ------------------------------------------------------------------------
 * Consumers: the receiving end of the data path. A consumer is a context on an established
 * connection of either side. The program posts buffers to the consumer, and producers of the peer
 * fill them. A message is written behind the data of its buffer, and the data grows by the length
 * of the message, so a program calls doca_buf_reset_data_len() before it posts a buffer again.
 * States:
 *     IDLE -> STARTING -> RUNNING -> (STOPPING ->) IDLE
 * doca_ctx_start() returns IN_PROGRESS. The consumer becomes RUNNING by progress of its own PE,
 * while the thread of the control path progresses the PE of the server or client: the messages that
 * announce a consumer travel through the connection. A consumer that goes from STARTING to IDLE
 * could not start. A stop completes the posted tasks through the error callback, with SHUTDOWN.
 * Order of calls:
 *     create -> task_post_recv_set_conf -> connect to a PE -> start -> progress until RUNNING
 *     -> alloc_init -> submit -> callback -> reset_data_len -> submit again, or free
 * A consumer, even an idle one, keeps its connection: the server or client can leave STOPPING only
 * after its consumers and producers are destroyed.
 * The messages of a consumer come through a ring in memory that both processes map. A message of up
 * to 64 KiB is in the ring when its send completes. A longer message passes through the ring piece
 * by piece, while both sides make progress.
 * A call whose argument is NULL, or whose handle is not a live object of its type, returns
 * INVALID_VALUE; a getter without an error code returns NULL or 0.
 * Threads: a consumer and its tasks belong to the thread of the consumer's PE, from create to
 * destroy. That thread can be another one than the thread of the connection.
 * Source: DOCA Comch guide; API reference, "DOCA Comch Consumer".                               */

struct doca_comch_consumer;
struct doca_comch_consumer_completion;
struct doca_comch_consumer_task_post_recv;
struct doca_dpa_thread;

/* Handles of a DPA's memory. No call of this library gives one. */
typedef uint64_t doca_dpa_dev_comch_consumer_completion_t;
typedef uint64_t doca_dpa_dev_comch_consumer_t;

/* Called when a posted buffer holds a message, or its task has failed. The same type serves success
 * and failure. The callback may submit the task again, free it, and stop the context. */
typedef void (*doca_comch_consumer_task_post_recv_completion_cb_t)(
    struct doca_comch_consumer_task_post_recv *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

/* Query the consumers of a device.
 *
 *   max_num_tasks     out: tasks of a consumer
 *   max_buf_size      out: bytes of one message
 *   max_buf_list_len  out: 1, which means that lists of buffers are not supported
 *   max_consumers     out: consumers that one side of a connection can have
 *   max_imm_data_len  out: bytes of immediate data of one message
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  (is_supported, max_buf_size, max_buf_list_len) the device can be neither
 *                          a server nor a client */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_num_tasks(
    const struct doca_devinfo *devinfo, uint32_t *max_num_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_size);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_consumers(
    const struct doca_devinfo *devinfo, uint32_t *max_consumers);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(
    const struct doca_devinfo *devinfo, uint32_t *max_imm_data_len);

/* Compute the arena bytes of a started consumer with `num_tasks` tasks. The ring is not in the
 * arena: it is memory that the kernel shares between the two processes.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, `dev` is not open, or the number exceeds
 *                          doca_comch_consumer_cap_get_max_num_tasks() */
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_consumer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes);

/* Create an idle consumer. doca_core_comch_consumer_create_in() takes the memory from `arena`
 * instead of from the arena of the server or client.
 *
 *   comch_connection  established; of a server or of a client
 *   buf_mmap          started, with the permission to write; all posted buffers lie in it
 *
 * Owns      one block of the arena, and a use of the connection and of the mmap, until destroy
 * Errors    INVALID_VALUE  an argument is NULL, or not a live object
 *           NO_MEMORY      the arena is exhausted, or this side of the connection already has
 *                          doca_comch_consumer_cap_get_max_consumers() consumers
 *           BAD_STATE      the connection is not established, or the mmap is not started
 *           NOT_PERMITTED  the peer runs a version of this library with another protocol */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_create(
    struct doca_comch_connection *comch_connection, struct doca_mmap *buf_mmap,
    struct doca_comch_consumer **consumer);
DOCA_CORE_DECL doca_error_t doca_core_comch_consumer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_mmap *buf_mmap, struct doca_comch_consumer **consumer);

/* Destroy an idle consumer and disconnect it from its PE.
 *
 * Callback  allowed in the consumer's state callback when the new state is IDLE
 * Errors    INVALID_VALUE   the argument is NULL, or not a live object
 *           BAD_STATE       the consumer is not idle
 *           IN_USE          tasks are not freed
 *           INITIALIZATION  never: the reference names it for a lock, which a consumer does not
 *                           have */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);

/* Return the consumer as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer);

/* Get the number by which the peer's producers address the consumer. It is unique among the
 * consumers of this side of the connection, valid from create on, and neither 0 nor 0xffff. A
 * program can send it to the peer, but the consumer receives only while it is RUNNING.
 *
 * Threads   any, while the consumer exists
 * Errors    INVALID_VALUE  an argument is NULL, or the handle is not a live object */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer,
                                                       uint32_t *id);

/* Set or get the maximum number of bytes of immediate data that a message for this consumer may
 * have; initially 0.
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the length exceeds
 *                          doca_comch_consumer_cap_get_max_imm_data_len()
 *           BAD_STATE      set: the consumer is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_imm_data_len(
    const struct doca_comch_consumer *consumer, uint32_t *imm_data_len);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_imm_data_len(
    struct doca_comch_consumer *consumer, uint32_t imm_data_len);

/* Enable receive tasks and set their number and callbacks. Mandatory before start. The call can be
 * repeated while the consumer is idle.
 *
 *   task_completion_cb, task_error_cb  called on success and on failure: exactly one of the two per
 *                                      submission. They may be the same function.
 *   num_post_recv_tasks                tasks that can be allocated at the same time, at least 1
 *
 * Errors    INVALID_VALUE  an argument is NULL; the number is 0, or exceeds
 *                          doca_comch_consumer_cap_get_max_num_tasks()
 *           BAD_STATE      the consumer is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_set_conf(
    struct doca_comch_consumer *consumer,
    doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
    doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, uint32_t num_post_recv_tasks);

/* Allocate a receive task. doca_task_set_user_data() sets the value that its callback receives.
 * Messages fill the submitted tasks in the order of the submission. A submitted task may be freed
 * before the stop of the consumer; it is withdrawn then, without a callback.
 *
 *   buf  a single buffer in the mmap of the consumer, with free bytes behind its data for the
 *        longest message; or NULL, when all messages have immediate data only. The program keeps
 *        its reference.
 *
 * Results of a submitted task, apart from SUCCESS:
 *     INVALID_VALUE     of doca_task_submit(): the buffer is a list, or outside the mmap
 *     IO_FAILED         of the task: the message is longer than the free bytes of the buffer, or
 *                       has more immediate data than the consumer accepts; the send of the producer
 *                       fails, too (Assumed)
 *     CONNECTION_RESET  of the task: the peer has ended
 *     SHUTDOWN          of the task: the consumer was stopped
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `consumer` or `task` is NULL, or not a live object
 *           BAD_STATE      the consumer is not running
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
    struct doca_comch_consumer *consumer, struct doca_buf *buf,
    struct doca_comch_consumer_task_post_recv **task);

/* Return the receive task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_comch_consumer_task_post_recv_as_task(
    struct doca_comch_consumer_task_post_recv *task);

/* Get or set the buffer of the task. Setting the buffer of a free or submitted task is logged and
 * has no effect. The getter returns NULL for a NULL task. */
DOCA_CORE_DECL struct doca_buf *doca_comch_consumer_task_post_recv_get_buf(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL void doca_comch_consumer_task_post_recv_set_buf(
    struct doca_comch_consumer_task_post_recv *task, struct doca_buf *buf);

/* Return what the message of a completed task has besides the bytes in its buffer: the producer
 * that sent it, and its immediate data. The data is in the task, and valid until the task is
 * submitted again or freed. Without immediate data the pointer is NULL and the length, in bytes,
 * is 0. */
DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
    const struct doca_comch_consumer_task_post_recv *task);

/* Completions for threads of a DPA, and settings of a consumer whose data path a DPA runs. No
 * device has a DPA, so no completion can be created. Numbers are not examined.
 *
 * Errors    INVALID_VALUE  a pointer is NULL, or `consumer` is not a live consumer
 *           NOT_SUPPORTED  otherwise. The reference names BAD_STATE for
 *                          doca_comch_consumer_get_dpa_handle() and for
 *                          doca_comch_consumer_completion_set_imm_data_len(), for objects in the
 *                          wrong state */
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_create(struct doca_comch_consumer_completion **consumer_comp);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_dpa_thread(
    struct doca_comch_consumer_completion *consumer_comp, struct doca_dpa_thread *dpa_thread);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_destroy(struct doca_comch_consumer_completion *consumer_comp);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_start(struct doca_comch_consumer_completion *consumer_comp);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_stop(struct doca_comch_consumer_completion *consumer_comp);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_dpa_handle(
    struct doca_comch_consumer_completion *consumer_comp,
    doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_recv(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_recv(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_imm_data_len(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_imm_data_len(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_dev_max_num_recv(
    struct doca_comch_consumer *consumer, uint32_t dev_num_recv);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_completion(
    struct doca_comch_consumer *consumer, struct doca_comch_consumer_completion *consumer_comp,
    uint32_t user_data);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_dpa_handle(
    struct doca_comch_consumer *consumer, doca_dpa_dev_comch_consumer_t *dpa_consumer);

/* part: src/compat/comch/producer.h */
/* ---- >>comch.producer ------------------------------------------------------------------------
 * Producers: the sending end of the data path. A producer is a context on an established connection
 * of either side. Its tasks send the data of a buffer, immediate data of up to 32 bytes, or both,
 * to any RUNNING consumer of the peer on the same connection. Several producers may send to one
 * consumer. doca_ctx_start() makes a producer RUNNING at once, and returns SUCCESS.
 * A send succeeds when its bytes are with the peer: in the ring of the consumer, and, for a message
 * of more than 64 KiB, in the consumer's buffer. Such a long message moves while both sides make
 * progress. Messages of one producer to one consumer arrive in the order of their submission.
 * Order of calls:
 *     create -> task_send_set_conf -> connect to a PE -> start -> alloc_init -> submit -> callback
 *     -> free
 * A producer, even an idle one, keeps its connection: the server or client can leave STOPPING only
 * after its consumers and producers are destroyed.
 * A call whose argument is NULL, or whose handle is not a live object of its type, returns
 * INVALID_VALUE; a getter without an error code returns NULL or 0.
 * Threads: a producer and its tasks belong to the thread of the producer's PE, from create to
 * destroy. That thread can be another one than the thread of the connection.
 * Source: DOCA Comch guide; API reference, "DOCA Comch Producer".                               */

struct doca_comch_producer;
struct doca_comch_producer_task_send;
struct doca_dpa_completion;

/* Handle of a DPA's memory. No call of this library gives one. */
typedef uint64_t doca_dpa_dev_comch_producer_t;

/* Called when a send task has completed. The same type serves success and failure. The callback may
 * submit the task again, free it, and stop the context. */
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
    struct doca_comch_producer_task_send *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

/* Query the producers of a device.
 *
 *   max_num_tasks     out: tasks of a producer
 *   max_buf_size      out: bytes of one message
 *   max_buf_list_len  out: 1, which means that lists of buffers are not supported
 *   max_producers     out: producers that one side of a connection can have
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  (is_supported, max_buf_size, max_buf_list_len) the device can be neither
 *                          a server nor a client */
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_num_tasks(
    const struct doca_devinfo *devinfo, uint32_t *max_num_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_size);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_producers(
    const struct doca_devinfo *devinfo, uint32_t *max_producers);

/* Compute the arena bytes of a started producer with `num_tasks` tasks.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, `dev` is not open, or the number exceeds
 *                          doca_comch_producer_cap_get_max_num_tasks() */
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_producer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes);

/* Create an idle producer. doca_core_comch_producer_create_in() takes the memory from `arena`
 * instead of from the arena of the server or client.
 *
 *   comch_connection  established; of a server or of a client
 *
 * Owns      one block of the arena, and a use of the connection, until destroy
 * Errors    INVALID_VALUE  an argument is NULL, or not a live object
 *           NO_MEMORY      the arena is exhausted, or this side of the connection already has
 *                          doca_comch_producer_cap_get_max_producers() producers
 *           BAD_STATE      the connection is not established
 *           NOT_PERMITTED  the peer runs a version of this library with another protocol */
DOCA_CORE_DECL doca_error_t doca_comch_producer_create(
    struct doca_comch_connection *comch_connection, struct doca_comch_producer **producer);
DOCA_CORE_DECL doca_error_t doca_core_comch_producer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_comch_producer **producer);

/* Destroy an idle producer and disconnect it from its PE.
 *
 * Callback  allowed in the producer's state callback when the new state is IDLE
 * Errors    INVALID_VALUE   the argument is NULL, or not a live object
 *           BAD_STATE       the producer is not idle
 *           IN_USE          tasks are not freed
 *           INITIALIZATION  never: the reference names it for a lock, which a producer does not
 *                           have */
DOCA_CORE_DECL doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);

/* Return the producer as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);

/* Get the number that consumers see as the sender of a message. It is unique among the producers of
 * this side of the connection, and not 0.
 *
 * Threads   any, while the producer exists
 * Errors    INVALID_VALUE  an argument is NULL, or the handle is not a live object */
DOCA_CORE_DECL doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer,
                                                       uint32_t *id);

/* Enable send tasks and set their number and callbacks. Mandatory before start. The call can be
 * repeated while the producer is idle.
 *
 *   task_completion_cb, task_error_cb  called on success and on failure: exactly one of the two per
 *                                      submission. They may be the same function.
 *   num_send_tasks                     tasks that can be allocated at the same time, at least 1
 *
 * Errors    INVALID_VALUE  an argument is NULL; the number is 0, or exceeds
 *                          doca_comch_producer_cap_get_max_num_tasks()
 *           BAD_STATE      the producer is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_set_conf(
    struct doca_comch_producer *producer,
    doca_comch_producer_task_send_completion_cb_t task_completion_cb,
    doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);

/* Allocate a send task. doca_task_set_user_data() sets the value that its callback receives.
 *
 *   buf           a single buffer, whose data is sent; or NULL with immediate data only (Assumed).
 *                 The program keeps its reference. Several tasks in flight may send one buffer.
 *   imm_data      bytes that the call copies into the task; or NULL
 *   imm_data_len  bytes, at most 32 and at most what the consumer accepts; 0 with NULL
 *   consumer_id   from the new-consumer event, or from a message of the peer
 *
 * Results of a submitted task, apart from SUCCESS:
 *     AGAIN             of doca_task_submit(): the consumer has no free posted buffer, or is not
 *                       known yet; the task is not submitted. A program may repeat the submit in a
 *                       loop: what the consumer posts is visible to submit without any progress of
 *                       the sending process.
 *     INVALID_VALUE     of doca_task_submit(): the task has neither a buffer nor immediate data,
 *                       the buffer is a list, or its data is longer than
 *                       doca_comch_producer_cap_get_max_buf_size()
 *     IO_FAILED         of the task: the posted buffer is too short, or the consumer does not
 *                       accept so much immediate data; the task of the consumer fails, too
 *                       (Assumed)
 *     CONNECTION_RESET  of the task: the consumer or the peer has ended
 *     SHUTDOWN          of the task: the producer was stopped
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `producer` or `task` is NULL, or not a live object; or imm_data and its
 *                          length do not fit together
 *           BAD_STATE      the producer is not running
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_alloc_init(
    struct doca_comch_producer *producer, const struct doca_buf *buf, uint8_t *imm_data,
    uint32_t imm_data_len, uint32_t consumer_id, struct doca_comch_producer_task_send **task);

/* Return the send task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_comch_producer_task_send_as_task(
    struct doca_comch_producer_task_send *task);

/* Get or set the buffer, the consumer or the immediate data of the task. set_imm_data copies the
 * bytes; NULL and 0 remove the data. get_imm_data returns the copy in the task, or NULL when there
 * is none; its length is in bytes. A call that would change a free or submitted task, or set more
 * than 32 bytes, is logged and has no effect. */
DOCA_CORE_DECL const struct doca_buf *doca_comch_producer_task_send_get_buf(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_buf(
    struct doca_comch_producer_task_send *task, const struct doca_buf *buf);
DOCA_CORE_DECL uint32_t doca_comch_producer_task_send_get_consumer_id(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_consumer_id(
    struct doca_comch_producer_task_send *task, const uint32_t consumer_id);
DOCA_CORE_DECL uint8_t *doca_comch_producer_task_send_get_imm_data(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL uint32_t doca_comch_producer_task_send_get_imm_data_len(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_imm_data(
    struct doca_comch_producer_task_send *task, uint8_t *imm_data, uint32_t imm_data_len);

/* Settings of a producer whose data path a DPA runs. No device has a DPA.
 *
 * Errors    INVALID_VALUE  a pointer is NULL, or `producer` is not a live producer
 *           NOT_SUPPORTED  otherwise. The reference names BAD_STATE for
 *                          doca_comch_producer_get_dpa_handle(), for a producer in the wrong state
 */
DOCA_CORE_DECL doca_error_t doca_comch_producer_set_dev_max_num_send(
    struct doca_comch_producer *producer, uint32_t dev_num_send);
DOCA_CORE_DECL doca_error_t doca_comch_producer_dpa_completion_attach(
    struct doca_comch_producer *producer, struct doca_dpa_completion *dpa_comp);
DOCA_CORE_DECL doca_error_t doca_comch_producer_get_dpa_handle(
    struct doca_comch_producer *producer, doca_dpa_dev_comch_producer_t *dpa_producer);

/* part: src/compat/comch/msgq.h */
/* ---- >>comch.msgq ----------------------------------------------------------------------------
 * Message queues, which connect consumers and producers of one device without a server and a
 * client. One side of a message queue runs on a DPA. No device of this library has a DPA, so no
 * message queue can be created, and every call is refused with one log line. Two threads of one
 * process that need such a queue use a server and a client of this process.
 * Source: DOCA Comch guide, "MsgQ"; API reference, "DOCA Comch MsgQ".                           */

struct doca_comch_consumer;
struct doca_comch_msgq;
struct doca_comch_producer;

/* Create, configure, start, stop and destroy a message queue, and create its consumers and
 * producers. Outputs are untouched, and numbers are not examined.
 *
 * Threads   any
 * Cost      O(1)
 * Errors    INVALID_VALUE  a pointer is NULL, or `dev` is not open
 *           NOT_SUPPORTED  otherwise */
DOCA_CORE_DECL doca_error_t doca_comch_msgq_create(struct doca_dev *dev,
                                                   struct doca_comch_msgq **msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_consumers);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_producers);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_consumer **consumer);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_producer **producer);

/* part: src/compat/comch/cc_events.h */
/* ---- >>comch.cc.events -----------------------------------------------------------------------
 * The two event callbacks of 2.5 whose parameters differ: the length of a message is a size_t, and
 * the result of a connection event is a bool. The other names of 2.5 are in >>comch.cc.
 * Source: API reference 2.5, "DOCA Comm Channel"; public programs of 2.5.                       */

/* As doca_comch_event_msg_recv_cb_t and doca_comch_event_connection_status_changed_cb_t. */
typedef void (*doca_cc_event_msg_recv_cb_t)(struct doca_comch_event_msg_recv *event,
                                            uint8_t *recv_buffer, size_t msg_len,
                                            struct doca_comch_connection *cc_connection);
typedef void (*doca_cc_event_connection_status_changed_cb_t)(
    struct doca_comch_event_connection_status_changed *event,
    struct doca_comch_connection *cc_connection, bool change_successful);

/* Set these callbacks in place of those of the current API; the latest call for a kind of event
 * holds. Errors are those of doca_comch_server_event_msg_recv_register(),
 * doca_comch_client_event_msg_recv_register() and
 * doca_comch_server_event_connection_status_changed_register():
 *
 * Errors    INVALID_VALUE  an argument is NULL
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_cc_server_event_msg_recv_register(
    struct doca_comch_server *cc_server, doca_cc_event_msg_recv_cb_t recv_event_cb);
DOCA_CORE_DECL doca_error_t doca_cc_client_event_msg_recv_register(
    struct doca_comch_client *cc_client, doca_cc_event_msg_recv_cb_t recv_event_cb);
DOCA_CORE_DECL doca_error_t doca_cc_server_event_connection_register(
    struct doca_comch_server *cc_server,
    doca_cc_event_connection_status_changed_cb_t connect_event_cb,
    doca_cc_event_connection_status_changed_cb_t disconnect_event_cb);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_COMCH_H */

#if defined(DOCA_CORE_COMCH_IMPLEMENTATION) && !defined(DOCA_PRIV_COMCH_IMPLEMENTED)
#define DOCA_PRIV_COMCH_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/comch/unsupported.c */
/* ---- >>impl.comch.unsupported ----------------------------------------------------------------
 * The calls that serve a DPA, and message queues. A DPA is a processor of the card, which no device
 * of this library has. Each call checks its arguments as the reference documents them, and then
 * returns NOT_SUPPORTED. Completions of consumers and message queues cannot be created, so a handle
 * of one is only compared with NULL.                                                            */

/* Refuse a call with a handle of an object that cannot exist, and another pointer. */
static doca_error_t doca_priv_comch_refuse(const void *handle, const void *pointer,
                                           enum doca_core_item item, const char *function)
{
    if (handle == NULL || pointer == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, item, function, NULL);
}

static doca_error_t doca_priv_comch_no_dpa(const void *handle, const void *pointer,
                                           const char *function)
{
    return doca_priv_comch_refuse(handle, pointer, DOCA_CORE_ITEM_COMCH_NO_DPA, function);
}

static doca_error_t doca_priv_comch_no_msgq(const void *handle, const void *pointer,
                                            const char *function)
{
    return doca_priv_comch_refuse(handle, pointer, DOCA_CORE_ITEM_COMCH_NO_MSGQ, function);
}

/* Refuse a call with a handle of an object that exists. */
static doca_error_t doca_priv_comch_not_of(const void *object, uint8_t kind, const void *pointer,
                                           enum doca_core_item item, const char *function)
{
    doca_error_t rc = doca_priv_check_args(object, kind, pointer, function);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, item, function, object);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_create(struct doca_comch_consumer_completion **consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_dpa_thread(
    struct doca_comch_consumer_completion *consumer_comp, struct doca_dpa_thread *dpa_thread)
{
    return doca_priv_comch_no_dpa(consumer_comp, dpa_thread, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_destroy(struct doca_comch_consumer_completion *consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_start(struct doca_comch_consumer_completion *consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_stop(struct doca_comch_consumer_completion *consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_dpa_handle(
    struct doca_comch_consumer_completion *consumer_comp,
    doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp_handle, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers)
{
    (void)max_num_consumers;
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers)
{
    return doca_priv_comch_no_dpa(consumer_comp, max_num_consumers, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_recv(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv)
{
    (void)max_num_recv;
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_recv(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv)
{
    return doca_priv_comch_no_dpa(consumer_comp, max_num_recv, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_imm_data_len(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len)
{
    (void)imm_data_len;
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_imm_data_len(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len)
{
    return doca_priv_comch_no_dpa(consumer_comp, imm_data_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_dev_max_num_recv(
    struct doca_comch_consumer *consumer, uint32_t dev_num_recv)
{
    DOCA_PRIV_OPEN(consumer)
    (void)dev_num_recv;
    return doca_priv_comch_not_of(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, consumer,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_completion(
    struct doca_comch_consumer *consumer, struct doca_comch_consumer_completion *consumer_comp,
    uint32_t user_data)
{
    DOCA_PRIV_OPEN(consumer)
    (void)user_data;
    return doca_priv_comch_not_of(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, consumer_comp,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_dpa_handle(
    struct doca_comch_consumer *consumer, doca_dpa_dev_comch_consumer_t *dpa_consumer)
{
    DOCA_PRIV_OPEN(consumer)
    return doca_priv_comch_not_of(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, dpa_consumer,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_set_dev_max_num_send(
    struct doca_comch_producer *producer, uint32_t dev_num_send)
{
    DOCA_PRIV_OPEN(producer)
    (void)dev_num_send;
    return doca_priv_comch_not_of(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, producer,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_dpa_completion_attach(
    struct doca_comch_producer *producer, struct doca_dpa_completion *dpa_comp)
{
    DOCA_PRIV_OPEN(producer)
    return doca_priv_comch_not_of(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, dpa_comp,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_get_dpa_handle(
    struct doca_comch_producer *producer, doca_dpa_dev_comch_producer_t *dpa_producer)
{
    DOCA_PRIV_OPEN(producer)
    return doca_priv_comch_not_of(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, dpa_producer,
                                  DOCA_CORE_ITEM_COMCH_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_create(struct doca_dev *dev,
                                                   struct doca_comch_msgq **msgq)
{
    return doca_priv_comch_not_of(dev, DOCA_PRIV_KIND_DEV, msgq, DOCA_CORE_ITEM_COMCH_NO_MSGQ,
                                  __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq)
{
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa)
{
    return doca_priv_comch_no_msgq(msgq, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_consumers)
{
    (void)max_num_consumers;
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa)
{
    return doca_priv_comch_no_msgq(msgq, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_producers)
{
    (void)max_num_producers;
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq)
{
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq)
{
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_consumer **consumer)
{
    return doca_priv_comch_no_msgq(msgq, consumer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_producer **producer)
{
    return doca_priv_comch_no_msgq(msgq, producer, __func__);
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_COMCH_IMPLEMENTATION */

/* part: src/compat/comch/cc.h */
/* ---- >>comch.cc ------------------------------------------------------------------------------
 * The names of 2.5 (doca_cc.h, doca_cc_consumer.h and doca_cc_producer.h): 41, 12 and 13 functions
 * on the objects of the current API. Where only the name differs, a macro without parameters maps
 * the name of 2.5 to the current name. Where parameters differ, a function is below or in
 * >>comch.cc.events: sizes are size_t, consumer ids are int, and numbers of tasks are logarithms
 * to the base 2. A failure is logged by the current name of the call.
 * The names are visible in files with DOCA_CORE_API 20501, the default, and in files that define
 * DOCA_CORE_COMCH_CC before they include this header, as the vendor's header names doca_cc*.h do.
 * Source: API reference 2.5, "DOCA Comm Channel"; public programs of 2.5.                       */

#if (DOCA_CORE_API < 30000 || defined(DOCA_CORE_COMCH_CC)) && !defined(DOCA_CORE_COMCH_CC_H)
#define DOCA_CORE_COMCH_CC_H

/* types */
#define doca_cc_client doca_comch_client
#define doca_cc_connection doca_comch_connection
#define doca_cc_consumer doca_comch_consumer
#define doca_cc_consumer_post_recv_task doca_comch_consumer_task_post_recv
#define doca_cc_counter doca_comch_counter
#define doca_cc_event_connection_status_changed doca_comch_event_connection_status_changed
#define doca_cc_event_consumer doca_comch_event_consumer
#define doca_cc_event_msg_recv doca_comch_event_msg_recv
#define doca_cc_producer doca_comch_producer
#define doca_cc_producer_send_task doca_comch_producer_task_send
#define doca_cc_send_task doca_comch_task_send
#define doca_cc_server doca_comch_server
#define doca_cc_send_task_comp_handler doca_comch_task_send_completion_cb_t
#define doca_cc_event_consumer_cb_t doca_comch_event_consumer_cb_t
#define doca_cc_consumer_post_recv_task_comp_handler                                               \
    doca_comch_consumer_task_post_recv_completion_cb_t
#define doca_cc_producer_send_task_comp_handler doca_comch_producer_task_send_completion_cb_t
#define DOCA_CC_COUNTER_SENT_MESSAGES DOCA_COMCH_COUNTER_SENT_MESSAGES
#define DOCA_CC_COUNTER_SENT_BYTES DOCA_COMCH_COUNTER_SENT_BYTES
#define DOCA_CC_COUNTER_RECV_MESSAGES DOCA_COMCH_COUNTER_RECV_MESSAGES
#define DOCA_CC_COUNTER_RECV_BYTES DOCA_COMCH_COUNTER_RECV_BYTES

/* functions whose parameters are the same */
#define doca_cc_cap_client_is_supported doca_comch_cap_client_is_supported
#define doca_cc_cap_get_max_name_len doca_comch_cap_get_max_name_len
#define doca_cc_cap_is_consumer_supported doca_comch_consumer_cap_is_supported
#define doca_cc_cap_is_producer_supported doca_comch_producer_cap_is_supported
#define doca_cc_cap_server_is_supported doca_comch_cap_server_is_supported
#define doca_cc_client_as_ctx doca_comch_client_as_ctx
#define doca_cc_client_create doca_comch_client_create
#define doca_cc_client_destroy doca_comch_client_destroy
#define doca_cc_client_event_consumer_register doca_comch_client_event_consumer_register
#define doca_cc_client_get_client_ctx doca_comch_client_get_client_ctx
#define doca_cc_client_get_connection doca_comch_client_get_connection
#define doca_cc_client_get_device doca_comch_client_get_device
#define doca_cc_connection_get_counter doca_comch_connection_get_counter
#define doca_cc_connection_get_user_data doca_comch_connection_get_user_data
#define doca_cc_connection_set_user_data doca_comch_connection_set_user_data
#define doca_cc_connection_update_info doca_comch_connection_update_info
#define doca_cc_consumer_as_ctx doca_comch_consumer_as_ctx
#define doca_cc_consumer_create doca_comch_consumer_create
#define doca_cc_consumer_destroy doca_comch_consumer_destroy
#define doca_cc_consumer_get_id doca_comch_consumer_get_id
#define doca_cc_consumer_post_recv_task_alloc_init doca_comch_consumer_task_post_recv_alloc_init
#define doca_cc_consumer_post_recv_task_as_task doca_comch_consumer_task_post_recv_as_task
#define doca_cc_consumer_post_recv_task_set_buf doca_comch_consumer_task_post_recv_set_buf
#define doca_cc_producer_as_ctx doca_comch_producer_as_ctx
#define doca_cc_producer_create doca_comch_producer_create
#define doca_cc_producer_destroy doca_comch_producer_destroy
#define doca_cc_producer_send_task_as_task doca_comch_producer_task_send_as_task
#define doca_cc_send_task_as_task doca_comch_task_send_as_task
#define doca_cc_server_as_ctx doca_comch_server_as_ctx
#define doca_cc_server_create doca_comch_server_create
#define doca_cc_server_destroy doca_comch_server_destroy
#define doca_cc_server_event_consumer_register doca_comch_server_event_consumer_register
#define doca_cc_server_get_device doca_comch_server_get_device
#define doca_cc_server_get_device_repr doca_comch_server_get_device_rep
#define doca_cc_server_get_server_ctx doca_comch_server_get_server_ctx

#ifdef __cplusplus
extern "C" {
#endif

/* Convert a size or a logarithm for a call of the current API. A value that does not fit becomes
 * UINT32_MAX, which exceeds every limit, so that the call returns INVALID_VALUE. */
static inline uint32_t doca_priv_cc_size(size_t size)
{
    return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

static inline uint32_t doca_priv_cc_exp(size_t log_num)
{
    return log_num < 32 ? (uint32_t)1 << log_num : UINT32_MAX;
}

/* Pass a number on when the call that returned `rc` has set it. */
static inline doca_error_t doca_priv_cc_give(doca_error_t rc, uint32_t number, size_t *out)
{
    if (rc == DOCA_SUCCESS)
        *out = number;
    return rc;
}

/* As doca_priv_cc_give(), with the logarithm of the largest power of two up to `number`. */
static inline doca_error_t doca_priv_cc_give_log(doca_error_t rc, uint32_t number, size_t *out)
{
    size_t log_num = 0;

    while (number >> 1 >> log_num != 0)
        log_num++;
    return doca_priv_cc_give(rc, (uint32_t)log_num, out);
}

/* The control path. Parameters are those of the current functions, with the types of 2.5. */
static inline doca_error_t doca_cc_cap_get_max_msg_size(const struct doca_devinfo *devinfo,
                                                        size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_cap_get_max_msg_size(devinfo, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo,
                                                               size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_cap_get_max_recv_queue_size(devinfo, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_cap_get_max_clients(const struct doca_devinfo *devinfo,
                                                       size_t *num_clients)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_cap_get_max_clients(devinfo, num_clients != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, num_clients);
}

static inline doca_error_t doca_cc_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
                                                          size_t *max_send_tasks)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_cap_get_max_send_tasks(devinfo, max_send_tasks != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, max_send_tasks);
}

static inline doca_error_t doca_cc_server_set_max_msg_size(struct doca_comch_server *cc_server,
                                                           size_t size)
{
    return doca_comch_server_set_max_msg_size(cc_server, doca_priv_cc_size(size));
}

static inline doca_error_t
doca_cc_server_get_max_msg_size(const struct doca_comch_server *cc_server, size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_server_get_max_msg_size(cc_server, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_server_set_recv_queue_size(struct doca_comch_server *cc_server,
                                                              size_t size)
{
    return doca_comch_server_set_recv_queue_size(cc_server, doca_priv_cc_size(size));
}

static inline doca_error_t
doca_cc_server_get_recv_queue_size(const struct doca_comch_server *cc_server, size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_server_get_recv_queue_size(cc_server, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_client_set_max_msg_size(struct doca_comch_client *cc_client,
                                                           size_t size)
{
    return doca_comch_client_set_max_msg_size(cc_client, doca_priv_cc_size(size));
}

static inline doca_error_t
doca_cc_client_get_max_msg_size(const struct doca_comch_client *cc_client, size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_client_get_max_msg_size(cc_client, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_client_set_recv_queue_size(struct doca_comch_client *cc_client,
                                                              size_t size)
{
    return doca_comch_client_set_recv_queue_size(cc_client, doca_priv_cc_size(size));
}

static inline doca_error_t
doca_cc_client_get_recv_queue_size(const struct doca_comch_client *cc_client, size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_client_get_recv_queue_size(cc_client, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_server_send_task_set_conf(
    struct doca_comch_server *cc_server, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    return doca_comch_server_task_send_set_conf(cc_server, task_completion_cb, task_error_cb,
                                                doca_priv_cc_exp(log_num_tasks));
}

static inline doca_error_t doca_cc_server_send_task_alloc_init(struct doca_comch_server *cc_server,
                                                               struct doca_comch_connection *peer,
                                                               const void *msg, size_t len,
                                                               struct doca_comch_task_send **task)
{
    return doca_comch_server_task_send_alloc_init(cc_server, peer, msg, doca_priv_cc_size(len),
                                                  task);
}

static inline doca_error_t doca_cc_client_send_task_set_conf(
    struct doca_comch_client *cc_client, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    return doca_comch_client_task_send_set_conf(cc_client, task_completion_cb, task_error_cb,
                                                doca_priv_cc_exp(log_num_tasks));
}

static inline doca_error_t doca_cc_client_send_task_alloc_init(struct doca_comch_client *cc_client,
                                                               struct doca_comch_connection *peer,
                                                               const void *msg, size_t len,
                                                               struct doca_comch_task_send **task)
{
    return doca_comch_client_task_send_alloc_init(cc_client, peer, msg, doca_priv_cc_size(len),
                                                  task);
}

/* Consumers and producers. */
static inline doca_error_t
doca_cc_consumer_cap_get_max_log_num_tasks(const struct doca_devinfo *devinfo,
                                           size_t *max_log_num_tasks)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_consumer_cap_get_max_num_tasks(
        devinfo, max_log_num_tasks != NULL ? &number : NULL);

    return doca_priv_cc_give_log(rc, number, max_log_num_tasks);
}

static inline doca_error_t doca_cc_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                                 size_t *max_buf_size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_consumer_cap_get_max_buf_size(devinfo, max_buf_size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, max_buf_size);
}

static inline doca_error_t doca_cc_consumer_post_recv_task_set_conf(
    struct doca_comch_consumer *consumer,
    doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
    doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, size_t log_num_tasks)
{
    return doca_comch_consumer_task_post_recv_set_conf(consumer, task_completion_cb, task_error_cb,
                                                       doca_priv_cc_exp(log_num_tasks));
}

static inline doca_error_t
doca_cc_producer_cap_get_max_log_num_tasks(const struct doca_devinfo *devinfo,
                                           size_t *max_log_num_tasks)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_producer_cap_get_max_num_tasks(
        devinfo, max_log_num_tasks != NULL ? &number : NULL);

    return doca_priv_cc_give_log(rc, number, max_log_num_tasks);
}

static inline doca_error_t doca_cc_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                                 size_t *max_buf_size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_producer_cap_get_max_buf_size(devinfo, max_buf_size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, max_buf_size);
}

static inline doca_error_t doca_cc_producer_send_task_set_conf(
    struct doca_comch_producer *producer,
    doca_comch_producer_task_send_completion_cb_t task_completion_cb,
    doca_comch_producer_task_send_completion_cb_t task_error_cb, size_t log_num_tasks)
{
    return doca_comch_producer_task_send_set_conf(producer, task_completion_cb, task_error_cb,
                                                  doca_priv_cc_exp(log_num_tasks));
}

static inline struct doca_buf *
doca_cc_consumer_post_recv_task_get_buf(struct doca_comch_consumer_task_post_recv *task)
{
    return doca_comch_consumer_task_post_recv_get_buf(task);
}

static inline doca_error_t
doca_cc_producer_send_task_alloc_init(struct doca_comch_producer *producer, struct doca_buf *buf,
                                      int consumer_id, struct doca_comch_producer_task_send **task)
{
    return doca_comch_producer_task_send_alloc_init(producer, buf, NULL, 0, (uint32_t)consumer_id,
                                                    task);
}

static inline struct doca_buf *
doca_cc_producer_send_task_get_buf(struct doca_comch_producer_task_send *task)
{
    return (struct doca_buf *)(uintptr_t)doca_comch_producer_task_send_get_buf(task);
}

static inline void doca_cc_producer_send_task_set_buf(struct doca_comch_producer_task_send *task,
                                                      struct doca_buf *buf)
{
    doca_comch_producer_task_send_set_buf(task, buf);
}

static inline int
doca_cc_producer_send_task_get_consumer_id(struct doca_comch_producer_task_send *task)
{
    return (int)doca_comch_producer_task_send_get_consumer_id(task);
}

static inline void
doca_cc_producer_send_task_set_consumer_id(struct doca_comch_producer_task_send *task,
                                           const int consumer_id)
{
    doca_comch_producer_task_send_set_consumer_id(task, (uint32_t)consumer_id);
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_COMCH_CC_H */

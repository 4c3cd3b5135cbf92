/* doca_core_comch.h - the API of DOCA Comch (doca_comch.h, 2.10 and 3.x), for use with doca_core.h
 *
 * Comch carries messages between a program on the DPU and programs on its host. A server on the DPU
 * serves one function of the host; clients on the host connect to the server by its name. The
 * control path of a connection carries messages of up to 4080 bytes. Its data path carries messages
 * of up to 1 GiB, from producers to buffers that consumers post. Here, both sides are processes of
 * one machine, or threads of one process. The devices are software devices, or RDMA devices of
 * doca_core_mlx5.h that have the sides and representors of a DPU; in both cases, messages travel
 * through sockets and memory of this machine.
 *
 * THIS HEADER HAS all 109 functions of doca_comch.h, doca_comch_consumer.h, doca_comch_producer.h
 * and doca_comch_msgq.h, with the vendor's names, values and signatures, and the 66 functions of
 * doca_cc.h, doca_cc_consumer.h and doca_cc_producer.h, the names of this channel in 2.5. The 28
 * calls for a DPA and for message queues only log one line and return NOT_SUPPORTED. The header
 * also has the 37 functions of doca_comm_channel.h (2.0 to 2.8), the predecessor of Comch: see
 * >>comch.endpoint.
 *
 * DO THIS in the one C (or C++) file that has the implementation, in place of doca_core.h, and
 * include this header without the macros everywhere else:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #define DOCA_CORE_COMCH_IMPLEMENTATION
 *     #include "doca_core_comch.h"
 *
 * A CLIENT sends a message, prints the answer, and then stops:
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
 * A SERVER makes the same calls with a representor: doca_comch_server_create(dev, rep, "echo",
 * &server). It is RUNNING at once, and sends to the connections that its connect callback receives.
 *
 * THE DATA PATH needs an established connection. The receiving side creates a consumer with an
 * mmap, starts it and posts buffers. The new-consumer event gives the consumer's id to the sending
 * side, which creates a producer and sends to that id. Each side may have several consumers and
 * several producers. To end, destroy consumers and producers first, then stop and destroy the
 * client, then the server.
 *
 * PROCESSES. A server listens on an abstract address of local sockets (AF_UNIX). The address
 * consists of the user id, the PCI address of the represented function (for an SF: its VUID), and
 * the name of the server.
 * Both processes therefore must have the same user, see the same devices, and share a network
 * namespace. A server refuses a client of another user; the kernel provides the
 * credentials. Control messages travel through a socket (SOCK_SEQPACKET). The data path is one ring
 * per consumer in memory that the kernel shares between the two processes. When a process is
 * killed, its peer detects it: see >>comch.
 *
 * NOTIFICATION. A PE with servers, clients, consumers and producers has a notification handle, and
 * a program may sleep on it as with any other context.
 *
 * THREADS. A server or client and its connections belong to one thread. Each consumer and producer
 * may belong to another thread with another PE.
 *
 * MEMORY. No call uses the heap. Objects take their memory from the arena of their device; the
 * _create_in calls take it from any arena. The doca_core_bytes_comch_... calls give the sizes.
 * Rings and sockets are memory of the kernel.
 *
 * PLATFORM. Linux, with pointers of 32 or 64 bits, and representors (no DOCA_CORE_NO_REP). On other
 * systems the header is refused with #error.
 *
 * ERRORS are reported as in doca_core.h, including doca_core_last_error().
 *
 * FAULTS for tests: the rules of DOCA_CORE_FAULT apply to starts, connections and tasks (>>fault in
 * doca_core.h: comch, producer, consumer), and to the messages of endpoints (comm_channel).
 *
 * AS ON A CARD, according to the vendor's documents and samples: the states and their order, the
 * results of start, the events and their order, the calls that callbacks may make, a submit that
 * returns AGAIN if no buffer is posted, and the order in which objects must be destroyed.
 *
 * DIFFERENCES from the vendor's library
 *   - Both sides are on one machine, and belong to one user. No call reaches a card or another
 *     machine.
 *   - A send task of the data path succeeds when its message is in the ring. On a card it succeeds
 *     when the message is in the consumer's buffer (Assumed).
 *   - Getters that the reference forbids in some states succeed in every state.
 *   - A DPA does not exist: calls for completions of its threads and for message queues return
 *     NOT_SUPPORTED.
 *
 * PROGRAMS OF 2.5 call the channel doca_cc_...; see >>comch.cc.
 *
 * Assumed, because the vendor's documents do not say: all limits except messages of 4080 bytes and
 * buffers of 1 GiB of the data path (therefore the profiles of cards have the same numbers); that a
 * name is copied; that a received message is valid until its callback returns; that a connection is
 * no longer valid after its disconnect event; that the smaller of two message sizes applies; that a
 * message that does not fit into its buffer fails both tasks with IO_FAILED; that a message may
 * consist of immediate data only.
 * Source: DOCA Comch guide; API reference, "DOCA Comch"; programs published with the SDK.
 *
 * CONTENTS (search for the tag)
 *   API             >>comch.config >>comch >>comch.consumer >>comch.producer >>comch.msgq
 *                   >>comch.cc.events >>comch.endpoint
 *   Private         >>priv.local.platform >>priv.local.socket >>priv.local.memory
 *                   >>priv.local.queue >>priv.comch.wire >>priv.comch.ring >>priv.comch.cc.events
 *                   >>priv.comch.objects >>priv.comch.connection >>priv.comch.receive
 *                   >>priv.comch.channel >>priv.comch.inlet >>priv.comch.outlet
 *                   >>priv.comch.endpoint
 *   Implementation  >>impl.local.socket >>impl.local.memory >>impl.comch.wire >>impl.comch.ring
 *                   >>impl.comch.connection >>impl.comch.receive >>impl.comch.channel
 *                   >>impl.comch.create >>impl.comch.settings >>impl.comch.send >>impl.comch.inlet
 *                   >>impl.comch.consumer >>impl.comch.outlet >>impl.comch.producer
 *                   >>impl.comch.cc.events >>impl.comch.event_channel >>impl.comch.peer
 *                   >>impl.comch.exchange >>impl.comch.endpoint >>impl.comch.unsupported
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
 * Limits of this header. The capability queries return them, and they bound the requests of a peer.
 * Define them before the include, with the same value in every file of every process that uses a
 * channel. 4080 bytes is the message size of public programs. All other numbers are Assumed,
 * because the vendor publishes none of them.                                                    */

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_comch.h is for hosted programs"
#endif
#ifndef __linux__
#error "doca_core_comch.h needs sockets and shared memory of Linux"
#endif
#ifdef DOCA_CORE_NO_REP
#error "doca_core_comch.h needs representors"
#endif

/* Control path: maximum length in bytes of a message, and of the name of a server with its NUL;
 * maximum number of messages in a receive queue, of send tasks of a server or client, and of
 * connections of a server. */
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
#define DOCA_CORE_COMCH_MAX_CLIENTS 64
#endif

/* Data path: maximum number of consumers and of producers that each side of a connection may have,
 * and of tasks of a consumer or producer; maximum length in bytes of one buffer, and of the
 * immediate data of one message. */
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

#define DOCA_PRIV_COMCH_RECV_QUEUE 64 /* initial size of a receive queue */

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/comch/comch.h */
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

/* part: src/compat/comch/consumer.h */
/* ---- >>comch.consumer ------------------------------------------------------------------------
 * Consumers: the receiving end of the data path. A consumer is a context on an established
 * connection of either side. The program posts buffers to the consumer, and producers of the peer
 * fill the buffers. A message is appended to the data of its buffer, so a program calls
 * doca_buf_reset_data_len() before it posts the buffer again.
 * States:
 *     IDLE -> STARTING -> RUNNING -> (STOPPING ->) IDLE
 * doca_ctx_start() returns IN_PROGRESS. The messages that announce a consumer travel through the
 * connection; the consumer becomes RUNNING when both its own PE and the PE of the server or client
 * make progress. A consumer that goes from STARTING to IDLE could not start. A stop completes the
 * posted tasks through the error callback, with SHUTDOWN.
 * Order of calls:
 *     create -> task_post_recv_set_conf -> connect to a PE -> start -> progress until RUNNING
 *     -> alloc_init -> submit -> callback -> reset_data_len -> submit again, or free
 * A consumer, even an idle one, keeps its connection: the server or client can leave STOPPING only
 * after its consumers and producers are destroyed.
 * Messages reach a consumer through a ring in memory that both processes map. When the send of a
 * message of up to 64 KiB completes, the whole message is in the ring; the consumer can receive it
 * even if the peer then disconnects or ends. A longer message passes through the ring piece by
 * piece, while both sides make progress.
 * A call whose argument is NULL, or whose handle is not a live object of its type, returns
 * INVALID_VALUE; a getter without an error code returns NULL or 0.
 * Threads: a consumer and its tasks belong to the thread of the consumer's PE, from create to
 * destroy. The connection may belong to another thread.
 * Source: DOCA Comch guide; API reference, "DOCA Comch Consumer".                               */

struct doca_comch_consumer;
struct doca_comch_consumer_completion;
struct doca_comch_consumer_task_post_recv;
struct doca_dpa_thread;

/* Handle of memory of a DPA. No call of this library returns such a handle. */
typedef uint64_t doca_dpa_dev_comch_consumer_completion_t;
typedef uint64_t doca_dpa_dev_comch_consumer_t;

/* Called when a posted buffer holds a message, or when its task has failed. The callback may submit
 * the task again, free it, and stop the context. */
typedef void (*doca_comch_consumer_task_post_recv_completion_cb_t)(
    struct doca_comch_consumer_task_post_recv *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

/* Query the consumers of a device.
 *
 *   max_num_tasks     out: maximum number of tasks of a consumer
 *   max_buf_size      out: maximum length of a message in bytes
 *   max_buf_list_len  out: 1, which means that lists of buffers are not supported
 *   max_consumers     out: maximum number of consumers of one side of a connection
 *   max_imm_data_len  out: maximum length of the immediate data of a message in bytes
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  is_supported: the card of the device has no DPU */
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
 * instead of from the arena of the device.
 *
 *   comch_connection  an established connection of a server or a client
 *   buf_mmap          mmap of all buffers that are posted. It must contain the device of the
 *                     connection, have the permission LOCAL_READ_WRITE or PCI_READ_WRITE, and exist
 *                     until destroy.
 *
 * Owns      one block of the arena, and a reference to the connection, until destroy
 * Errors    INVALID_VALUE  an argument is NULL, or not a live object
 *           NO_MEMORY      the arena is exhausted, or this side of the connection already has
 *                          doca_comch_consumer_cap_get_max_consumers() consumers
 *           BAD_STATE      the connection is not established
 *           NOT_PERMITTED  never: a peer with another protocol is refused when it connects */
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
 *           IN_USE          the consumer is not idle
 *           INITIALIZATION  never: the reference lists it for a lock, which a consumer does not
 *                           have */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);

/* Return the consumer as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer);

/* Get the id by which the peer's producers address the consumer. The id is unique among the
 * consumers of this side of the connection, is valid from create on, and is neither 0 nor 0xffff. A
 * program can send the id to the peer, but the consumer receives messages only while it is RUNNING.
 *
 * Threads   any, while the consumer exists
 * Errors    INVALID_VALUE  an argument is NULL, or the handle is not a live object */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer,
                                                       uint32_t *id);

/* Set or get the maximum number of bytes of immediate data that a message for this consumer may
 * have; initially the maximum, 32.
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
 *   num_post_recv_tasks                number of tasks that can be allocated at the same time, at
 *                                      least 1
 *
 * Errors    INVALID_VALUE  an argument is NULL; the number is 0, or exceeds
 *                          doca_comch_consumer_cap_get_max_num_tasks()
 *           BAD_STATE      the consumer is not idle */
DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_set_conf(
    struct doca_comch_consumer *consumer,
    doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
    doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, uint32_t num_post_recv_tasks);

/* Allocate a receive task. doca_task_set_user_data() sets the value that its callback receives.
 * Messages fill the submitted tasks in the order of their submission. When the peer ends, submitted
 * tasks wait until the consumer is stopped. A submitted task may be freed: its callback is not
 * called, and a message that a producer has sent or is sending for this task is lost.
 *
 *   buf  a single buffer of the consumer's mmap, with enough free bytes after its data for the
 *        longest message; or NULL, and the program sets the buffer before submit. The program keeps
 *        its reference.
 *
 * Results of a submitted task, apart from SUCCESS:
 *     INVALID_VALUE  of doca_task_submit(): the task has no buffer, or a buffer that alloc_init
 *                    rejects
 *     AGAIN          of doca_task_submit(): tasks were freed while they were submitted, and their
 *                    places become free only when the oldest submitted task has completed
 *     IO_FAILED      of the task: the message is longer than the free bytes of the buffer, or has
 *                    more immediate data than the consumer accepts (then the send of the producer
 *                    fails, too; Assumed); or the peer ended, or its producer was stopped, before
 *                    the whole message was in the ring
 *     SHUTDOWN       of the task: the consumer was stopped
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `consumer` or `task` is NULL; or the buffer is a list, belongs to
 *                          another mmap, or may not be written
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

/* Return the properties of the message of a completed task: the id of the producer that sent it,
 * and its immediate data. The data is in the task; it is valid until the task is submitted again or
 * freed. Without immediate data the pointer is NULL and the length in bytes is 0. */
DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
    const struct doca_comch_consumer_task_post_recv *task);

/* Completions for threads of a DPA, and settings of a consumer whose data path runs on a DPA. No
 * device has a DPA, so no completion can be created. Arguments that are numbers are not checked.
 *
 * Errors    INVALID_VALUE  a pointer is NULL, or `consumer` is not a live consumer
 *           NOT_SUPPORTED  otherwise. The reference lists BAD_STATE for
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
 * A send succeeds when all bytes of its message are in the ring of the consumer. The ring holds up
 * to 64 KiB of a message; a longer message passes through the ring while both sides make progress.
 * Messages of one producer to one consumer arrive in the order of their submission, and send tasks
 * of one producer complete in the order of their submission.
 * Order of calls:
 *     create -> task_send_set_conf -> connect to a PE -> start -> alloc_init -> submit -> callback
 *     -> free
 * A producer, even an idle one, keeps its connection: the server or client can leave STOPPING only
 * after its consumers and producers are destroyed.
 * A call whose argument is NULL, or whose handle is not a live object of its type, returns
 * INVALID_VALUE; a getter without an error code returns NULL or 0.
 * Threads: a producer and its tasks belong to the thread of the producer's PE, from create to
 * destroy. The connection may belong to another thread.
 * Source: DOCA Comch guide; API reference, "DOCA Comch Producer".                               */

struct doca_comch_producer;
struct doca_comch_producer_task_send;
struct doca_dpa_completion;

/* Handle of memory of a DPA. No call of this library returns such a handle. */
typedef uint64_t doca_dpa_dev_comch_producer_t;

/* Called when a send task has completed, with success or failure. The callback may submit the task
 * again, free it, and stop the context. */
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
    struct doca_comch_producer_task_send *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

/* Query the producers of a device.
 *
 *   max_num_tasks     out: maximum number of tasks of a producer
 *   max_buf_size      out: maximum length of a message in bytes
 *   max_buf_list_len  out: 1, which means that lists of buffers are not supported
 *   max_producers     out: maximum number of producers of one side of a connection
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  is_supported: the card of the device has no DPU */
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
 * instead of from the arena of the device.
 *
 *   comch_connection  an established connection of a server or a client
 *
 * Owns      one block of the arena, and a reference to the connection, until destroy
 * Errors    INVALID_VALUE  an argument is NULL, or not a live object
 *           NO_MEMORY      the arena is exhausted, or this side of the connection already has
 *                          doca_comch_producer_cap_get_max_producers() producers
 *           BAD_STATE      the connection is not established
 *           NOT_PERMITTED  never: a peer with another protocol is refused when it connects */
DOCA_CORE_DECL doca_error_t doca_comch_producer_create(
    struct doca_comch_connection *comch_connection, struct doca_comch_producer **producer);
DOCA_CORE_DECL doca_error_t doca_core_comch_producer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_comch_producer **producer);

/* Destroy an idle producer and disconnect it from its PE.
 *
 * Callback  allowed in the producer's state callback when the new state is IDLE
 * Errors    INVALID_VALUE   the argument is NULL, or not a live object
 *           IN_USE          the producer is not idle
 *           INITIALIZATION  never: the reference lists it for a lock, which a producer does not
 *                           have */
DOCA_CORE_DECL doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);

/* Return the producer as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);

/* Get the id that consumers see as the sender of a message. The id is unique among the producers of
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
 *   num_send_tasks                     number of tasks that can be allocated at the same time, at
 *                                      least 1
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
 *   buf           the single buffer whose data is sent. Its mmap must contain the device of the
 *                 connection. NULL to send only immediate data (Assumed). The program keeps its
 *                 reference. Several tasks in flight may send the same buffer.
 *   imm_data      bytes that the call copies into the task; or NULL
 *   imm_data_len  length in bytes, at most 32 and at most the consumer's limit; 0 with NULL
 *   consumer_id   from the new-consumer event, or from a message of the peer
 *
 * Results of a submitted task, apart from SUCCESS:
 *     AGAIN             of doca_task_submit(): the consumer has no free posted buffer; the task is
 *                       not submitted. A program may repeat the submit in a loop: submit sees newly
 *                       posted buffers even if the sending process makes no progress.
 *     NOT_CONNECTED     of the task: the peer has no running consumer with this id, or this side
 *                       has not received its new-consumer event yet
 *     IO_FAILED         of the task: the posted buffer is too short, or the consumer accepts less
 *                       immediate data (then the task of the consumer fails, too; Assumed); or the
 *                       buffer is a list, its mmap lacks the device, or its data is longer than
 *                       doca_comch_producer_cap_get_max_buf_size(). doca_task_try_submit() returns
 *                       INVALID_VALUE for such a buffer.
 *     CONNECTION_RESET  of the task: the consumer or the peer has ended
 *     SHUTDOWN          of the task: the producer was stopped
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `producer` or `task` is NULL, or not a live object; imm_data is NULL and
 *                          its length is not 0; or the length exceeds 32
 *           BAD_STATE      the producer is not running
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_alloc_init(
    struct doca_comch_producer *producer, const struct doca_buf *buf, uint8_t *imm_data,
    uint32_t imm_data_len, uint32_t consumer_id, struct doca_comch_producer_task_send **task);

/* Return the send task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_comch_producer_task_send_as_task(
    struct doca_comch_producer_task_send *task);

/* Get or set the buffer, the consumer or the immediate data of the task. set_imm_data copies the
 * bytes; NULL and 0 remove the data. get_imm_data returns the copy in the task, or NULL without
 * immediate data; its length is in bytes. A call that would change a free or submitted task, or set
 * more than 32 bytes, is logged and has no effect. */
DOCA_CORE_DECL const struct doca_buf *doca_comch_producer_task_send_get_buf(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_buf(
    struct doca_comch_producer_task_send *task, const struct doca_buf *buf);
DOCA_CORE_DECL uint32_t doca_comch_producer_task_send_get_consumer_id(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_consumer_id(
    struct doca_comch_producer_task_send *task, uint32_t consumer_id);
DOCA_CORE_DECL uint8_t *doca_comch_producer_task_send_get_imm_data(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL uint32_t doca_comch_producer_task_send_get_imm_data_len(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_imm_data(
    struct doca_comch_producer_task_send *task, uint8_t *imm_data, uint32_t imm_data_len);

/* Settings of a producer whose data path runs on a DPA. No device has a DPA.
 *
 * Errors    INVALID_VALUE  a pointer is NULL, or `producer` is not a live producer
 *           NOT_SUPPORTED  otherwise. The reference lists BAD_STATE for
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
 * Message queues. They connect consumers and producers of one device without a server and a client.
 * One side of a message queue runs on a DPA. No device of this library has a DPA, so no message
 * queue can be created, and every call fails with one log line. If two threads of one process need
 * such a queue, the process creates a server and a client.
 * Source: DOCA Comch guide, "MsgQ"; API reference, "DOCA Comch MsgQ".                           */

struct doca_comch_consumer;
struct doca_comch_msgq;
struct doca_comch_producer;

/* Create, configure, start, stop and destroy a message queue, and create its consumers and
 * producers. Outputs are not changed, and arguments that are numbers are not checked.
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

/* Set these callbacks in place of the callbacks of the current API. Each call replaces the earlier
 * callback for the same kind of event. Errors are those of
 * doca_comch_server_event_msg_recv_register(), doca_comch_client_event_msg_recv_register() and
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

/* part: src/compat/comch/endpoint.h */
/* ---- >>comch.endpoint -----------------------------------------------------------------------
 * The Comm Channel of DOCA 2.0 to 2.8 (doca_comm_channel.h), the predecessor of Comch: endpoints,
 * which a program polls. doca_comm_channel_ep_listen() makes an endpoint a service, and
 * doca_comm_channel_ep_connect() makes it a client. An endpoint owns a progress engine and a Comch
 * server or client. Therefore endpoints also reach servers and clients of Comch.
 *
 * Order of calls of a client:
 *     ep_create -> set_device, sizes -> connect
 *     -> peer_addr_update_info until it returns SUCCESS -> sendto, recvfrom -> disconnect
 *     -> connect again, or ep_destroy
 * Order of calls of a service:
 *     ep_create -> set_device, set_device_rep, sizes -> listen
 *     -> recvfrom, which also accepts clients -> sendto to the peers that it returns -> ep_destroy
 *
 * AGAIN of sendto and recvfrom means "not yet": the program calls again, or sleeps on the event
 * channel of that direction. Two threads may use the two directions of an endpoint if a lock of the
 * program admits one call at a time; the arm calls need no lock.
 * A peer (struct doca_comm_channel_addr_t) is one connection. Its handle is valid until
 * doca_comm_channel_ep_disconnect() or _ep_destroy() releases it, even after the connection broke.
 * For a handle that is NULL or not a live object of its type, a call returns INVALID_VALUE, or
 * NOT_CONNECTED if its comment says so.
 * In DOCA 1.3, ep_create has a struct of attributes; this form is not provided.
 * Source: API reference 2.5, "DOCA Comm Channel"; public programs of 2.x.                       */

struct doca_comm_channel_addr_t;
struct doca_comm_channel_ep_t;

enum doca_comm_channel_msg_flags { DOCA_CC_MSG_FLAG_NONE = 0 };

typedef doca_event_handle_t doca_event_channel_t; /* a file descriptor for poll or epoll */

/* Query the limits of endpoints on a device. They are the limits of Comch.
 *
 *   max_service_name_len  out: maximum length of a name in bytes, with its NUL; the same for all
 *                         devices
 *   max_message_size      out: maximum length of a message in bytes
 *   max_..._queue_size    out: maximum number of messages in a queue
 *   max_num_connections   out: maximum number of clients of a service at the same time
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  max_num_connections: this device cannot have a service
 *           UNEXPECTED     never */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_get_max_service_name_len(uint32_t *max_service_name_len);
DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_message_size(struct doca_devinfo *devinfo,
                                                                   uint32_t *max_message_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_send_queue_size(
    struct doca_devinfo *devinfo, uint32_t *max_send_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_recv_queue_size(
    struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_get_service_max_num_connections(
    struct doca_devinfo *devinfo, uint32_t *max_num_connections);

/* Compute the arena bytes of an endpoint, with its progress engine and its server or client.
 *
 *   is_service  true for a service, false for a client
 *   max_msg     as in set_max_msg_size, in bytes
 *   bytes       out: an upper bound
 *
 * Errors    INVALID_VALUE  an argument is NULL, `dev` is not open, or `max_msg` is 0 or exceeds
 *                          the limit */
DOCA_CORE_DECL doca_error_t doca_core_bytes_comm_channel_ep(struct doca_dev *dev, bool is_service,
                                                            uint32_t max_msg, size_t *bytes);

/* Create an endpoint without a device. doca_core_comm_channel_ep_create_in() takes all memory of
 * the endpoint from `arena` instead of from the bound arena.
 *
 * Owns      two blocks of the arena; from listen or connect on, up to four more blocks, up to nine
 *           file descriptors, and one file descriptor for each connection
 * Errors    INVALID_VALUE           an argument is NULL
 *           NO_MEMORY               the arena is exhausted
 *           INITIALIZATION, DRIVER  never */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_create(struct doca_comm_channel_ep_t **ep);
DOCA_CORE_DECL doca_error_t doca_core_comm_channel_ep_create_in(struct doca_core_arena *arena,
                                                                struct doca_comm_channel_ep_t **ep);

/* Disconnect all peers and destroy an endpoint. Messages that the endpoint has sent are delivered;
 * messages that it has not received are dropped. The call does not wait for a peer.
 *
 * Errors    NOT_CONNECTED  the endpoint is NULL, or not a live object */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_destroy(struct doca_comm_channel_ep_t *local_ep);

/* Get or set the device and the representor; initially NULL. Both must stay open as long as the
 * endpoint listens or is connected.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or not a live object
 *           BAD_STATE      set: the endpoint listens or is connected */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_device(struct doca_comm_channel_ep_t *ep,
                                                            struct doca_dev **device);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_device_rep(struct doca_comm_channel_ep_t *ep,
                                                                struct doca_dev_rep **device_rep);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_device(struct doca_comm_channel_ep_t *ep,
                                                            struct doca_dev *device);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_device_rep(struct doca_comm_channel_ep_t *ep,
                                                                struct doca_dev_rep *device_rep);

/* Get or set sizes. The value in use can be greater than the value that the program sets: a message
 * size is raised to 64 bytes, and a queue size to 16 messages and to a power of two (both lower
 * limits are Assumed). Initially the message size is the maximum, and a queue has 64 messages. When
 * the message sizes of the two sides differ, the smaller size applies to both. Messages wait in a
 * buffer of the kernel, whose size does not depend on the queue sizes: a program must not rely on a
 * queue size as a bound.
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the value is 0, or above the limit
 *           BAD_STATE      set: the endpoint listens or is connected */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_max_msg_size(struct doca_comm_channel_ep_t *ep,
                                                                  uint16_t *max_msg_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_send_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t *send_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_recv_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t *recv_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_max_msg_size(struct doca_comm_channel_ep_t *ep,
                                                                  uint16_t max_msg_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_send_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t send_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_recv_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t recv_queue_size);

/* Get the event channels: descriptors for poll and epoll. The program must neither read nor close
 * them. They stay the same until ep_destroy, even if a client connects again.
 *   recv     readable while recvfrom has work: a message, a new client, or a broken connection. The
 *            call can still return AGAIN
 *   send     readable while no sendto has returned AGAIN, or when one that did can now succeed
 *   service  readable after a client began to wait, connected or disconnected, until
 *            update_service_state_info
 * An output of get_event_channel may be NULL. The arm calls exist for programs written for a card:
 * here a channel becomes readable without them, and they only check the handle.
 *
 * Threads   arm: any thread, even without the lock of the program
 * Errors    INVALID_VALUE  the endpoint is NULL; get: all outputs are NULL
 *           BAD_STATE      get: the endpoint neither listens nor is connected
 *           NOT_SUPPORTED  service: the endpoint is a client
 *           NOT_FOUND      never */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_event_channel(
    struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *send_event_channel,
    doca_event_channel_t *recv_event_channel);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_service_event_channel(
    struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *service_event_channel);
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_event_handle_arm_send(struct doca_comm_channel_ep_t *local_ep);
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_event_handle_arm_recv(struct doca_comm_channel_ep_t *local_ep);

/* Make an endpoint a service for the function that the representor names. The endpoint stays a
 * service until ep_destroy.
 *
 *   name  1 to 119 bytes and a NUL; copied
 *
 * Errors    INVALID_VALUE       an argument is NULL; the name is empty or too long; or the
 *                               representor belongs to another device
 *           NOT_SUPPORTED       the device cannot have a service, or the function cannot be named:
 *                               see doca_comch_server_create()
 *           BAD_STATE           the device or the representor is not set
 *           NOT_PERMITTED       the endpoint listens or is connected
 *           NO_MEMORY           the arena is exhausted
 *           INITIALIZATION      the operating system refused a resource
 *           CONNECTION_ABORTED  another service of this user has this name and function
 *           DRIVER              the device has failed */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_listen(struct doca_comm_channel_ep_t *local_ep,
                                                        const char *name);

/* Make an endpoint the client of the service with this name. The call does not wait: the service
 * accepts the client in its next recvfrom, and peer_addr_update_info then returns SUCCESS. After
 * doca_comm_channel_ep_disconnect() the endpoint can connect again.
 *
 *   name       1 to 119 bytes and a NUL; copied
 *   peer_addr  out: the peer
 *
 * Errors    INVALID_VALUE       an argument is NULL, or the name is empty or too long
 *           NOT_SUPPORTED       the device cannot have a client, or it cannot be named: see
 *                               doca_comch_client_create()
 *           BAD_STATE           the device is not set
 *           NOT_PERMITTED       the endpoint listens or is connected
 *           NO_MEMORY           the arena is exhausted
 *           INITIALIZATION      the operating system refused the event channels
 *           CONNECTION_ABORTED  no service has this name, the service belongs to another user, or
 *                               the operating system refused the socket
 *           DRIVER              the device has failed */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_connect(struct doca_comm_channel_ep_t *local_ep, const char *name,
                             struct doca_comm_channel_addr_t **peer_addr);

/* Send a message without waiting. On SUCCESS the message is on its way to the peer, and the program
 * may change its bytes.
 *
 *   len    length in bytes, at most the message size of both sides; may be 0
 *   flags  DOCA_CC_MSG_FLAG_NONE
 *
 * Cost      a system call
 * Errors    INVALID_VALUE            the endpoint or `msg` is NULL, the message is too long, or a
 *                                    flag is set
 *           NOT_CONNECTED            the peer is NULL, is not live, belongs to another endpoint, or
 *                                    is not connected yet
 *           AGAIN                    the buffer of the connection is full; the send channel becomes
 *                                    readable when it has room
 *           CONNECTION_RESET         the connection is broken; disconnect it
 *           INITIALIZATION, UNKNOWN  never */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_sendto(struct doca_comm_channel_ep_t *local_ep,
                                                        const void *msg, size_t len, int flags,
                                                        struct doca_comm_channel_addr_t *peer_addr);

/* Receive a message without waiting. In this call a service also accepts clients, and detects that
 * clients have disconnected.
 *
 *   len        in: size of the buffer in bytes; out: length of the message. If the message is
 *              longer than the buffer, the call returns INVALID_VALUE, with the length of the
 *              message in *len; the next call can receive the message
 *   flags      DOCA_CC_MSG_FLAG_NONE
 *   peer_addr  out: the sender
 *
 * Cost      a few system calls
 * Errors    INVALID_VALUE            an argument is NULL, a flag is set, or the message is longer
 *                                    than the buffer
 *           NOT_CONNECTED            the endpoint neither listens nor is connected
 *           AGAIN                    there is no message; the receive channel becomes readable when
 *                                    there is one
 *           CONNECTION_RESET         client: the connection is broken and all messages are
 *                                    received; disconnect it
 *           INITIALIZATION, UNKNOWN  never */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_recvfrom(struct doca_comm_channel_ep_t *local_ep, void *msg, size_t *len,
                              int flags, struct doca_comm_channel_addr_t **peer_addr);

/* Disconnect a peer and release its handle. Messages that this side has sent are delivered;
 * messages from the peer that this side has not received are dropped. The call does not wait for
 * the peer.
 *
 * Errors    INVALID_VALUE       the endpoint is NULL
 *           NOT_CONNECTED       the peer is NULL, is not live, or belongs to another endpoint
 *           NO_MEMORY, UNKNOWN  never */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_disconnect(
    struct doca_comm_channel_ep_t *local_ep, struct doca_comm_channel_addr_t *peer_addr);

/* Get or set a value that the program stores in a peer; initially 0.
 *
 * Errors    INVALID_VALUE  an argument is NULL */
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_user_data(
    struct doca_comm_channel_addr_t *peer_addr, uint64_t *user_data);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_set_user_data(
    struct doca_comm_channel_addr_t *peer_addr, uint64_t user_context);

/* Copy the counters of a peer for the five getters, and test whether its connection is alive. For a
 * client this call also makes progress with the handshake.
 *
 * Errors    INVALID_VALUE          the argument is NULL
 *           CONNECTION_INPROGRESS  the service has not accepted the client yet
 *           CONNECTION_ABORTED     the connection has failed or ended; disconnect it */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_peer_addr_update_info(struct doca_comm_channel_addr_t *peer_addr);

/* Get a counter of the latest update_info, or 0 before the first. The number of messages in flight
 * is always 0: as soon as sendto accepts a message, the message is in the connection.
 *
 * Errors    INVALID_VALUE  an argument is NULL */
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_messages);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_bytes(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_bytes);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_recv_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_messages);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_recv_bytes(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_bytes);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_in_flight_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_in_flight_messages);

/* Take a snapshot of a service for the two getters below, and make the service channel unreadable
 * until the next change. recvfrom accepts the clients that the snapshot counts as pending.
 *
 * Errors    INVALID_VALUE     the endpoint is NULL
 *           NOT_SUPPORTED     the endpoint is not a service
 *           CONNECTION_RESET  the service has failed; destroy the endpoint
 *           AGAIN, DRIVER     never */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_update_service_state_info(struct doca_comm_channel_ep_t *local_ep);

/* Get values of the snapshot: the connected peers, or the number of clients that wait until
 * recvfrom accepts them. The array is valid until the next update_service_state_info.
 *
 * Errors    INVALID_VALUE  an argument is NULL
 *           NOT_SUPPORTED  the endpoint is not a service */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_peer_addr_list(
    const struct doca_comm_channel_ep_t *local_ep,
    struct doca_comm_channel_addr_t ***peer_addr_array, uint32_t *peer_addr_array_len);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_pending_connections(
    const struct doca_comm_channel_ep_t *local_ep, uint32_t *pending_connections);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_COMCH_H */

#if defined(DOCA_CORE_COMCH_IMPLEMENTATION) && !defined(DOCA_PRIV_COMCH_IMPLEMENTED)
#define DOCA_PRIV_COMCH_IMPLEMENTED

/* part: src/compat/local/platform_priv.h */
/* ---- >>priv.local.platform -------------------------------------------------------------------
 * System headers.                                                                               */

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/local/socket_priv.h */
/* ---- >>priv.local.socket ---------------------------------------------------------------------
 * Declarations of >>impl.local.socket. A packet consists of a head and of bytes that depend on its
 * type. Both ends run on one machine, so numbers are in its byte order.                          */

struct doca_core_refusal;

#ifndef DOCA_PRIV_LOCAL_SOCKET /* several headers contain this part */
struct doca_priv_local_head {
    uint32_t type;
    uint32_t number;
};

#define DOCA_PRIV_LOCAL_FDS 3      /* maximum number of descriptors of a packet */
#define DOCA_PRIV_LOCAL_ACCEPTS 32 /* maximum number of sockets that one poll of a listener
                                    * accepts */

enum doca_priv_local_sent {
    DOCA_PRIV_LOCAL_SENT,
    DOCA_PRIV_LOCAL_FULL,  /* the socket has no room at this time */
    DOCA_PRIV_LOCAL_BROKEN /* the peer has closed its end */
};

struct doca_priv_local_packet { /* a received packet */
    /* number of bytes of the packet, including its head; 0: the peer has closed its end; -1: no
     * packet has arrived */
    long bytes;
    int fds[DOCA_PRIV_LOCAL_FDS];
    unsigned num_fds;
};

DOCA_PRIV_DECL int doca_priv_local_listen(const char *prefix, uint64_t number,
                                          struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_local_dial(const char *prefix, uint64_t number,
                                        struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_local_accept(int listener);
DOCA_PRIV_DECL bool doca_priv_local_is_same_user(int fd);
DOCA_PRIV_DECL enum doca_priv_local_sent doca_priv_local_send(int fd, uint32_t type,
                                                              uint32_t number, const void *bytes,
                                                              size_t len, const int *fds);
DOCA_PRIV_DECL void doca_priv_local_receive(int fd, void *to, size_t room,
                                            struct doca_priv_local_packet *packet);
DOCA_PRIV_DECL void doca_priv_local_close_fds(struct doca_priv_local_packet *packet);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_local_hang_up(int fd);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_local_is_readable(int fd);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_local_is_hung_up(int fd);
#endif

/* part: src/compat/local/memory_priv.h */
/* ---- >>priv.local.memory ---------------------------------------------------------------------
 * Declarations of >>impl.local.memory.                                                          */

#ifndef DOCA_PRIV_LOCAL_MEMORY /* several headers contain this part */
DOCA_PRIV_DECL int doca_priv_local_file(const char *name, size_t bytes);
DOCA_PRIV_DECL size_t doca_priv_local_file_bytes(int fd);
DOCA_PRIV_DECL void *doca_priv_local_map(int fd, size_t bytes);
DOCA_PRIV_DECL void doca_priv_local_unmap(void *map, size_t bytes);
DOCA_PRIV_DECL bool doca_priv_local_is_event(int fd);
#endif

/* part: src/compat/local/queue_priv.h */
/* ---- >>priv.local.queue ----------------------------------------------------------------------
 * The common code of queues that no device serves: those of Comch, and of RDMA on software
 * devices.                                                                                       */

#ifndef DOCA_PRIV_LOCAL_QUEUE /* several headers contain this part */
#define DOCA_PRIV_LOCAL_QUEUE

/* The functions of a kind of queue, in the form of the table of a backend that has no devices. */
#define DOCA_PRIV_LOCAL_TABLE(name, bytes, opening, close, flush, ready, fd, arm)                  \
    {                                                                                              \
        name, NULL, NULL, NULL, NULL, NULL, NULL, bytes, NULL, opening, close, flush, ready, fd,   \
            arm, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,     \
            NULL, NULL, 0, false, NULL, NULL, NULL, NULL,                                          \
    }

/* Define `wrapper`: a table that puts fault injection (>>fault) around the queues of the table
 * `inner`. `bytes` is queue_bytes of that table; struct doca_priv_fault_wrapper explains
 * `first_op`, `first_task_op` and `set_fate`. DOCA_PRIV_LOCAL_OF gives the table for contexts of
 * the device `dev`: that of the wrapper when the device has fault injection. ctx->queue is then the
 * queue of the wrapper, so that parts that need the queue of `inner` between two calls of the core
 * keep its address from open. */
#if defined(DOCA_CORE_NO_FAULT)
#define DOCA_PRIV_LOCAL_WRAPPER(wrapper, name, bytes, inner, first_op, first_task_op, set_fate)
#define DOCA_PRIV_LOCAL_OF(dev, inner, wrapper) ((void)(dev), &(inner))
#else
#define DOCA_PRIV_LOCAL_WRAPPER(wrapper, name, bytes, inner, first_op, first_task_op, set_fate)    \
    static const struct doca_priv_fault_wrapper wrapper = {                                        \
        DOCA_PRIV_LOCAL_TABLE(name, bytes, doca_priv_fault_queue_opening,                          \
                              doca_priv_fault_queue_close, doca_priv_fault_queue_flush,            \
                              doca_priv_fault_queue_ready, doca_priv_fault_queue_fd,               \
                              doca_priv_fault_queue_arm),                                          \
        &(inner), first_op, first_task_op, set_fate                                                \
    };
#define DOCA_PRIV_LOCAL_OF(dev, inner, wrapper)                                                    \
    ((dev)->backend == (dev)->info.backend ? &(inner) : &(wrapper).table)
#endif

/* Add a task to the list of ended tasks. poll returns the tasks in the order of this list. */
DOCA_PRIV_HOT void doca_priv_local_end_task(struct doca_core_queue *queue, struct doca_task *task,
                                            doca_error_t status)
{
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, task, 0, 0);)
    task->status = (uint8_t)status;
    task->next = NULL;
    if (queue->first == NULL)
        queue->first = task;
    else
        queue->last->next = task;
    queue->last = task;
}

DOCA_PRIV_HOT struct doca_task *doca_priv_local_take_ended(struct doca_core_queue *queue)
{
    struct doca_task *task = queue->first;

    if (task != NULL)
        queue->first = task->next;
    return task;
}
#endif

/* part: src/compat/comch/wire_priv.h */
/* ---- >>priv.comch.wire -----------------------------------------------------------------------
 * Packets of the control path. Each is one packet of a local SOCK_SEQPACKET socket, and consists of
 * a head and a body that depends on the type of the packet. Both ends run on one machine, so
 * numbers are in native byte order.                                                              */

struct doca_core_refusal;

enum {                               /* types of packets */
       DOCA_PRIV_COMCH_HELLO = 1,    /* client to server, first: struct doca_priv_comch_hello */
       DOCA_PRIV_COMCH_WELCOME = 2,  /* answer; number: maximum message size of the server */
       DOCA_PRIV_COMCH_REFUSED = 3,  /* answer; number: a doca_error_t */
       DOCA_PRIV_COMCH_MESSAGE = 4,  /* bytes of the program */
       DOCA_PRIV_COMCH_CONSUMER = 5, /* a consumer has started; number: its id. With three
                                      * descriptors. */
       DOCA_PRIV_COMCH_EXPIRED = 6   /* a consumer has ended; number: its id */
};

#define DOCA_PRIV_COMCH_VERSION 1u

struct doca_priv_comch_hello {
    uint32_t version;
    uint32_t max_msg; /* maximum message size of the client, in bytes */
    char name[DOCA_CORE_COMCH_MAX_NAME];
};

/* Bytes of the largest packet with messages of at most `max_msg` bytes. */
#define DOCA_PRIV_COMCH_PACKET(max_msg)                                                            \
    (sizeof(struct doca_priv_local_head) + ((max_msg) > sizeof(struct doca_priv_comch_hello)       \
                                                ? (max_msg)                                        \
                                                : sizeof(struct doca_priv_comch_hello)))

DOCA_PRIV_DECL int doca_priv_comch_listen(const char *function_name, const char *service,
                                          struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_comch_dial(const char *function_name, const char *service,
                                        struct doca_core_refusal *why);

/* part: src/compat/comch/ring_priv.h */
/* ---- >>priv.comch.ring -----------------------------------------------------------------------
 * The ring of a consumer: memory that the process of the consumer shares with the process of the
 * producers. Each posted buffer has a number, its ticket, and the slot ticket % num_slots. A
 * producer takes the next ticket, claims its slot, and writes its message into the slot; if the
 * message has more than DOCA_PRIV_COMCH_SHORT bytes, into the chunk ticket % num_chunks. Then it
 * sets slot.turn. The consumer copies the messages into its buffers in the order of the tickets.
 * The producers' side keeps the next ticket in its own memory; the credit is num_posted minus this
 * ticket. Either side may be hostile and write anything at any time. Therefore the other side reads
 * each number once, checks it, and uses the copy. It may lose messages, but it never accesses
 * memory outside the ring.
 *
 * Two words of each slot contain a ticket and a state. A producer sets slot.turn to FILLED when the
 * message is in the slot. Each change of a claim is a compare-and-swap, so that both sides agree on
 * the order of their changes:
 *     claims[]   older ticket -> CLAIMED by a producer, which thereby has the ticket
 *                older ticket -> SKIPPED: the program freed the task before a producer claimed the
 *                                ticket; the producer takes another ticket
 *                older ticket or CLAIMED -> CLOSED: the consumer has stopped, and gets no message
 *                CLAIMED -> DELIVERED: the producer sees after its store to slot.turn that the
 *                                consumer is stopping; the consumer takes the message
 * A producer writes only into slots and chunks that it has claimed. When a consumer stops, it first
 * sets is_closed and then reads slot.turn. A producer first sets slot.turn and then reads
 * is_closed. Both use a barrier, so at least one of them sees the store of the other. If the
 * consumer sees FILLED, it takes the message; otherwise the claim decides.
 *
 * The latency of a message depends on the cache lines that move between the two cores. The consumer
 * polls the line of slot.turn, which is written once for each message. The claims are in other
 * lines, which only producers change in normal operation. The capacities of the posted buffers are
 * in lines that do not change while all buffers have one size. Producers keep copies of num_posted
 * and num_done, and read the originals again only when the ring seems to be full.                */

struct doca_core_refusal;

#define DOCA_PRIV_COMCH_SHORT 64              /* maximum length in bytes of a message in its slot */
#define DOCA_PRIV_COMCH_CHUNK ((size_t)65536) /* bytes of a chunk */
#define DOCA_PRIV_COMCH_MAX_CHUNKS 32u

/* value of chunk.num_written after the producer has abandoned the rest of a message */
#define DOCA_PRIV_COMCH_ABANDONED UINT64_MAX

/* value of chunk.num_read after the consumer has read and discarded a message */
#define DOCA_PRIV_COMCH_DISCARDED UINT64_MAX

enum {
    DOCA_PRIV_COMCH_CLAIMED,
    DOCA_PRIV_COMCH_SKIPPED,
    DOCA_PRIV_COMCH_FILLED,
    DOCA_PRIV_COMCH_CLOSED,
    DOCA_PRIV_COMCH_DELIVERED
};

#define DOCA_PRIV_COMCH_TURN(ticket, what) (8u * (ticket) + (what))

struct doca_priv_comch_slot {
    uint32_t turn;
    uint16_t imm_len;
    uint16_t is_refused; /* the message does not fit; its bytes were not written */
    uint64_t len;
    uint32_t producer_id;
    uint32_t unused[3];
    uint8_t imm[DOCA_CORE_COMCH_MAX_IMM];
    uint8_t bytes[DOCA_PRIV_COMCH_SHORT];
};

struct doca_priv_comch_chunk {
    uint64_t num_written; /* bytes of the message that the producer has written so far */
    uint64_t num_read;
    uint8_t unused[48];
    uint8_t bytes[DOCA_PRIV_COMCH_CHUNK]; /* byte i of the message is at i % CHUNK */
};

struct doca_priv_comch_ring { /* each group of members has a cache line of its own */
    uint64_t magic;
    uint32_t num_slots; /* a power of two, as is num_chunks */
    uint32_t num_chunks;
    uint32_t imm_len; /* maximum length of immediate data in bytes */
    uint32_t unused[11];

    uint32_t num_posted; /* posted buffers; the consumer writes it for each of them */
    uint32_t num_done;   /* tickets that have ended: their slots and chunks are free */
    uint32_t unused_too[14];

    uint32_t consumer_sleeps; /* the consumer sleeps until wake_fd is signalled */
    uint32_t is_closed;       /* read for each message, like consumer_sleeps; rarely written */
    uint32_t unused_as_well[14];

    uint32_t producers_sleep; /* number of producers that sleep until room_fd is signalled */
    uint32_t unused_at_last[15];
};

/* A mapped ring and its descriptors, on either side. The arrays follow the ring in its memory. */
struct doca_priv_comch_lane {
    struct doca_priv_comch_ring *ring; /* NULL: not mapped */
    uint64_t *capacities;              /* free bytes of the posted buffer of each slot */
    uint32_t *claims;                  /* claim of each slot */
    struct doca_priv_comch_slot *slots;
    struct doca_priv_comch_chunk *chunks;
    size_t bytes;
    int memory_fd;
    int wake_fd; /* eventfds: the first wakes the consumer, the second the producers */
    int room_fd;
    uint32_t num_slots; /* checked copies of the ring's numbers */
    uint32_t num_chunks;
    uint32_t imm_len;
    uint32_t id;          /* id of the consumer */
    uint32_t is_live;     /* 0: the consumer or the connection has ended */
    /* Producers' side: all tickets before this one are claimed or skipped. Another thread may have
     * claimed this ticket and later ones, too. */
    uint32_t num_tickets;
    uint32_t num_posted;  /* producers' side: ring.num_posted as last read */
    uint32_t num_done;    /* producers' side: ring.num_done as last read */
    /* Producers' side: a bit for each chunk whose streamed message has not completed on this side.
     * The consumer may have finished with such a chunk, but the producer must still read num_read,
     * to learn whether the consumer read all of the message. */
    uint32_t busy_chunks;
    /* Producers' side: number of waiting tasks and of producers that use the lane. This is the last
     * member, because other threads change it at any time: code that clears the lane must stop
     * before it. */
    uint32_t num_users;
};

DOCA_PRIV_DECL bool doca_priv_comch_lane_create(struct doca_priv_comch_lane *lane,
                                                uint32_t num_tasks, uint32_t imm_len,
                                                struct doca_core_refusal *why);
DOCA_PRIV_DECL bool doca_priv_comch_lane_import(struct doca_priv_comch_lane *lane, const int *fds,
                                                uint32_t id);
DOCA_PRIV_DECL void doca_priv_comch_lane_close(struct doca_priv_comch_lane *lane);

DOCA_PRIV_HOT struct doca_priv_comch_slot *
doca_priv_comch_slot_of(const struct doca_priv_comch_lane *lane, uint32_t ticket)
{
    return &lane->slots[ticket & (lane->num_slots - 1)];
}

DOCA_PRIV_HOT struct doca_priv_comch_chunk *
doca_priv_comch_chunk_of(const struct doca_priv_comch_lane *lane, uint32_t ticket)
{
    return &lane->chunks[ticket & (lane->num_chunks - 1)];
}

/* Copy a message. Most short messages have the maximum length; the copy of a constant number of
 * bytes needs no call. */
DOCA_PRIV_HOT void doca_priv_comch_copy(void *to, const void *from, size_t len)
{
    if (len == DOCA_PRIV_COMCH_SHORT)
        DOCA_CORE_MEMCPY(to, from, DOCA_PRIV_COMCH_SHORT);
    else
        DOCA_CORE_MEMCPY(to, from, len);
}

/* Change *number from `from` to `to` if it is `from`. Ordered before and after other accesses. */
DOCA_PRIV_HOT bool doca_priv_comch_swap(uint32_t *number, uint32_t from, uint32_t to)
{
#if defined(__TINYC__) || defined(DOCA_CORE_SINGLE_THREAD)
    if (*number != from)
        return false;
    *number = to;
    return true;
#else
    return __atomic_compare_exchange_n(number, &from, to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
#endif
}

/* Set the claim of a ticket to CLAIMED, SKIPPED or CLOSED, unless it has a state already. */
DOCA_PRIV_HOT bool doca_priv_comch_claim_as(const struct doca_priv_comch_lane *lane,
                                            uint32_t ticket, uint32_t what)
{
    uint32_t *claim = &lane->claims[ticket & (lane->num_slots - 1)];
    const uint32_t was = DOCA_PRIV_LOAD(claim);

    return (int32_t)(was - DOCA_PRIV_COMCH_TURN(ticket, 0)) < 0 &&
           doca_priv_comch_swap(claim, was, DOCA_PRIV_COMCH_TURN(ticket, what));
}

/* Change the claim of a ticket from CLAIMED to CLOSED or DELIVERED. Returns false when the claim is
 * not CLAIMED. */
DOCA_PRIV_HOT bool doca_priv_comch_settle_claim(const struct doca_priv_comch_lane *lane,
                                                uint32_t ticket, uint32_t what)
{
    return doca_priv_comch_swap(&lane->claims[ticket & (lane->num_slots - 1)],
                                DOCA_PRIV_COMCH_TURN(ticket, DOCA_PRIV_COMCH_CLAIMED),
                                DOCA_PRIV_COMCH_TURN(ticket, what));
}

/* Producers' side: return how many buffers the consumer has posted for a ticket and later ones;
 * 0 or less: none. */
DOCA_PRIV_HOT int32_t doca_priv_comch_credit(struct doca_priv_comch_lane *lane, uint32_t ticket)
{
    uint32_t posted = DOCA_PRIV_LOAD(&lane->num_posted);

    if ((int32_t)(posted - ticket) <= 0) {
        posted = DOCA_PRIV_LOAD(&lane->ring->num_posted);
        DOCA_PRIV_STORE(&lane->num_posted, posted);
    }
    return (int32_t)(posted - ticket);
}

/* Producers' side: claim the first ticket that no producer has, for a message of `len` bytes.
 * Returns AGAIN when all posted buffers are taken, and CONNECTION_RESET when the consumer has
 * stopped or wrote an invalid number. num_tickets is only the ticket where the search begins:
 * another thread may have taken this ticket and later ones. The claim of a ticket's slot then has
 * this ticket or a later one, and the ticket one lap before a later one has ended with all tickets
 * before it. The number of attempts is bounded, because a hostile consumer could change the claims
 * endlessly. */
DOCA_PRIV_HOT doca_error_t doca_priv_comch_claim(struct doca_priv_comch_lane *lane, uint64_t len,
                                                 uint32_t *ticket)
{
    const uint32_t num_slots = lane->num_slots;
    uint32_t next = DOCA_PRIV_LOAD(&lane->num_tickets), *claim, was, ahead, i;
    struct doca_priv_comch_slot *slot;
    int32_t credit;

    for (i = 0; i < 2 * num_slots + 2; i++) {
        claim = &lane->claims[next & (num_slots - 1)];
        was = DOCA_PRIV_LOAD(claim);
        ahead = was - DOCA_PRIV_COMCH_TURN(next, 0);
        if (doca_likely((int32_t)ahead < 0)) {
            credit = doca_priv_comch_credit(lane, next);
            if (credit <= 0)
                return DOCA_ERROR_AGAIN;
            /* The lines of the slot are in the cache of the consumer. Request both at once. */
            slot = &lane->slots[next & (num_slots - 1)];
            if (doca_likely(len <= DOCA_PRIV_COMCH_SHORT))
                DOCA_PRIV_PREFETCH_WRITE(slot->bytes);
            DOCA_PRIV_PREFETCH_WRITE(slot);
            if (doca_likely(doca_priv_comch_swap(
                    claim, was, DOCA_PRIV_COMCH_TURN(next, DOCA_PRIV_COMCH_CLAIMED)))) {
                DOCA_PRIV_STORE(&lane->num_tickets, next + 1);
                *ticket = next;
                /* ThreadSanitizer cannot see that the last writer of the slot came earlier, because
                 * a consumer in the same process has mapped the ring at another address. */
                if (DOCA_PRIV_HAS_TSAN)
                    (void)DOCA_PRIV_LOAD(&slot->turn);
                /* No other thread had the ticket, so no later lap can have begun, and more credit
                 * than slots is an invalid number of the consumer. */
                return doca_likely((uint32_t)credit <= num_slots) ? DOCA_SUCCESS
                                                                  : DOCA_ERROR_CONNECTION_RESET;
            }
        } else {
            next += ahead / 8 > num_slots ? ahead / 8 - num_slots + 1 : 1;
        }
        if (DOCA_PRIV_LOAD(&lane->ring->is_closed) != 0)
            return DOCA_ERROR_CONNECTION_RESET;
    }
    return DOCA_ERROR_AGAIN;
}

/* part: src/compat/comch/cc_events_priv.h */
/* ---- >>priv.comch.cc.events ------------------------------------------------------------------
 * The callbacks of 2.5, as a member of servers and clients.                                     */

struct doca_priv_comch_25 {
    doca_cc_event_msg_recv_cb_t received;
    doca_cc_event_connection_status_changed_cb_t connected, disconnected;
};

/* part: src/compat/comch/objects_priv.h */
/* ---- >>priv.comch.objects --------------------------------------------------------------------
 * Servers, clients and their connections.                                                       */

/* States of a connection (obj.state). */
enum {
    DOCA_PRIV_COMCH_FREE,     /* an unused entry of the table */
    DOCA_PRIV_COMCH_GREETING, /* the server waits for HELLO, or the client for WELCOME */
    DOCA_PRIV_COMCH_UP,
    DOCA_PRIV_COMCH_DOWN, /* hung up; packets that arrived before must still be read */
    DOCA_PRIV_COMCH_GONE  /* all packets are read; consumers or producers are left */
};

#define DOCA_PRIV_COMCH_LANES (DOCA_CORE_COMCH_MAX_CONSUMERS + DOCA_CORE_COMCH_MAX_PRODUCERS)

struct doca_comch_connection {
    struct doca_priv_object obj;
    struct doca_priv_comch *comch;
    struct doca_task *unsent, *unsent_last; /* submitted sends that the socket had no room for */
    union doca_data user_data;
    int fd;
    uint32_t serial;    /* differs from that of an earlier connection in this entry */
    uint32_t max_msg;   /* maximum length in bytes of a message that the peer receives */
    bool was_up;        /* the connection was established, so the program of a server knows it */
    uint64_t counts[4]; /* by doca_comch_counter, from 1 */
    uint64_t seen[4];   /* counts at the last update_info */

    /* Any thread may use the following members while it holds `lock`. The members of lanes may also
     * be accessed without the lock, atomically. */
    uint32_t lock;
    uint32_t num_children; /* consumers and producers */
    uint32_t num_consumers;
    uint32_t num_producers;
    uint32_t next_consumer; /* candidates for ids */
    uint32_t next_producer;
    uint64_t consumers; /* bit id % MAX_CONSUMERS is set for each consumer of this side */
    uint64_t expired;   /* ended consumers that could not be reported to the peer yet */
    uint32_t expired_ids[DOCA_CORE_COMCH_MAX_CONSUMERS];
    /* Consumers of the peer. lane_of[] has the index of each one's lane, by id % MAX_CONSUMERS.
     * A producer keeps the lane that it used last. There are as many lanes more as producers, so
     * that a new consumer always gets a lane that no producer keeps. */
    uint8_t lane_of[DOCA_CORE_COMCH_MAX_CONSUMERS];
    struct doca_priv_comch_lane lanes[DOCA_PRIV_COMCH_LANES];
};

DOCA_PRIV_HOT struct doca_priv_comch_lane *
doca_priv_comch_lane_of(struct doca_comch_connection *connection, uint32_t id)
{
    return &connection->lanes[DOCA_PRIV_LOAD(
        &connection->lane_of[id % DOCA_CORE_COMCH_MAX_CONSUMERS])];
}

enum doca_priv_comch_happening {
    DOCA_PRIV_COMCH_RECEIVED,
    DOCA_PRIV_COMCH_CONNECTED,
    DOCA_PRIV_COMCH_NOT_CONNECTED,
    DOCA_PRIV_COMCH_DISCONNECTED,
    DOCA_PRIV_COMCH_CONSUMER_NEW,
    DOCA_PRIV_COMCH_CONSUMER_EXPIRED
};

/* An event in the form of a task. Progress completes the task, and its `done` calls the program. */
struct doca_priv_comch_event {
    struct doca_task task;
    enum doca_priv_comch_happening what;
    struct doca_comch_connection *connection;
    uint8_t *bytes;
    uint32_t number; /* length of a message in bytes, or the id of a consumer */
};

#define DOCA_PRIV_COMCH_READY 8 /* maximum number of descriptors in one report of the kernel */

/* A server or a client. The common members of both come first, as in every context. */
struct doca_priv_comch {
    struct doca_ctx ctx;
    struct doca_priv_task_stock send_stock;
    doca_comch_task_send_completion_cb_t send_done, send_failed;
    doca_comch_event_msg_recv_cb_t received;
    doca_comch_event_connection_status_changed_cb_t connected, disconnected;
    doca_comch_event_consumer_cb_t consumer_new, consumer_expired;
    struct doca_priv_comch_25 of_25; /* callbacks with the types of 2.5 */
    struct doca_dev_rep *rep;        /* NULL in a client */
    uint32_t max_msg;
    uint32_t recv_queue_size;
    uint32_t max_conns;
    char name[DOCA_CORE_COMCH_MAX_NAME];
    uint32_t num_connections; /* connections so far, for their serials */

    /* while started */
    struct doca_core_queue *queue; /* queue of the context; with fault injection, ctx.queue is
                                    * another queue */
    void *block;                   /* connections, then the inbox */
    struct doca_comch_connection *conns;
    uint8_t *inbox;      /* the packet that is being handled */
    int set;             /* epoll set of all descriptors */
    int listener;        /* socket on which a server listens */
    int wake_fd;         /* eventfd: consumers and producers of other threads wake the context */
    uint32_t num_empty;  /* consecutive polls that found nothing */
    uint32_t num_ended;  /* number of completed sends */
    bool has_gone;       /* a connection is GONE */
    uint32_t again;      /* number of the connection that had the latest packet */
    uint32_t num_again;  /* polls of this connection since the kernel was asked */
    bool is_alone;       /* no other descriptor was ready when the kernel was asked */
    bool is_guess;       /* the program has slept since, so another connection may be ready */
    bool is_second;      /* the latest message is the first one after the program has slept */
    bool owes_look;      /* a poll has reported nothing without a look at the sockets */
    uint32_t num_seconds; /* wake-ups that look for a second message */
    uint32_t num_ready;  /* descriptors that the kernel has reported as ready */
    uint32_t next_ready; /* index of the first ready descriptor that is not handled */
    struct epoll_event ready[DOCA_PRIV_COMCH_READY];
    doca_error_t opening; /* result of the start of a client */
    struct doca_priv_comch_event event;
};

struct doca_comch_server {
    struct doca_priv_comch comch;
};

struct doca_comch_client {
    struct doca_priv_comch comch;
};

struct doca_comch_task_send {
    struct doca_task task;
    struct doca_comch_connection *connection;
    const void *bytes;
    uint32_t len;
    uint32_t serial; /* of the connection */
};

#define DOCA_PRIV_COMCH_TASK_BYTES (2 * DOCA_PRIV_TASK_BYTES)

struct doca_priv_comch_queue { /* queue of a server or client; first, last: completed sends */
    struct doca_core_queue queue;
    struct doca_priv_comch *comch;
};

DOCA_PRIV_HOT struct doca_priv_comch *doca_priv_comch_of(struct doca_core_queue *queue)
{
    return ((struct doca_priv_comch_queue *)(void *)queue)->comch;
}

/* part: src/compat/comch/connection_priv.h */
/* ---- >>priv.comch.connection -----------------------------------------------------------------
 * Declarations of >>impl.comch.connection for other parts.                                      */

struct doca_core_refusal;

DOCA_PRIV_DECL bool doca_priv_comch_is_connection(const struct doca_comch_connection *connection);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_check_up(const struct doca_comch_connection *connection,
                                                     const void *pointer, const char *function);
DOCA_PRIV_DECL struct doca_comch_connection *doca_priv_comch_conn_open(struct doca_priv_comch *c,
                                                                       int fd);
DOCA_PRIV_DECL void doca_priv_comch_conn_hang_up(struct doca_comch_connection *connection);
DOCA_PRIV_DECL struct doca_priv_comch_lane *
doca_priv_comch_conn_free_lane(struct doca_comch_connection *connection, uint32_t id);
DOCA_PRIV_DECL void doca_priv_comch_conn_end(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_conn_free(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_conn_flush(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_conn_drop_unsent(struct doca_comch_connection *connection,
                                                     doca_error_t status);
DOCA_PRIV_DECL void doca_priv_comch_conn_await_room(struct doca_comch_connection *connection);
DOCA_PRIV_DECL uint32_t doca_priv_comch_conn_index(const struct doca_comch_connection *connection);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_join(struct doca_comch_connection *connection,
                                                 bool is_consumer, uint32_t *id,
                                                 const char *function);
DOCA_PRIV_DECL void doca_priv_comch_part(struct doca_comch_connection *connection, bool is_consumer,
                                         uint32_t id);
DOCA_PRIV_DECL bool doca_priv_comch_has_children(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_tell_expired(struct doca_comch_connection *connection,
                                                 uint32_t id);

/* part: src/compat/comch/receive_priv.h */
/* ---- >>priv.comch.receive --------------------------------------------------------------------
 * Declarations of >>impl.comch.receive for other parts.                                         */

DOCA_PRIV_DECL void doca_priv_comch_accept_all(struct doca_priv_comch *c);
DOCA_PRIV_DECL struct doca_task *doca_priv_comch_hear(struct doca_comch_connection *connection);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_hear_answer(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_drain(struct doca_comch_connection *connection);

/* part: src/compat/comch/channel_priv.h */
/* ---- >>priv.comch.channel --------------------------------------------------------------------
 * Declarations of >>impl.comch.channel for other parts.                                         */

struct doca_core_dev_attr;
struct doca_priv_engine;

DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_backend_of(const struct doca_dev *dev);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_check_card(const struct doca_devinfo *devinfo,
                                                       const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_limit(const struct doca_devinfo *devinfo, uint32_t *to,
                                                  uint32_t limit, const char *function);
DOCA_PRIV_DECL const char *doca_priv_comch_name_of(const struct doca_core_dev_attr *attr);
DOCA_PRIV_DECL size_t doca_priv_comch_block_bytes(uint32_t max_conns, uint32_t max_msg);

/* part: src/compat/comch/inlet_priv.h */
/* ---- >>priv.comch.inlet ----------------------------------------------------------------------
 * Consumers, and the declarations of >>impl.comch.inlet for other parts.                        */

struct doca_priv_comch_inlet;
struct doca_priv_engine;

struct doca_comch_consumer {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stock;
    struct doca_comch_connection *connection;
    struct doca_mmap *mmap;
    struct doca_priv_comch_inlet *inlet; /* queue of the consumer while started; with fault
                                          * injection, ctx.queue is another queue */
    doca_comch_consumer_task_post_recv_completion_cb_t done, failed;
    uint32_t id;
    uint32_t imm_len; /* maximum length of immediate data in bytes */
};

struct doca_comch_consumer_task_post_recv {
    struct doca_task task;
    struct doca_buf *buf;
    uint64_t len; /* length of the received message in bytes */
    uint32_t producer_id;
    uint32_t ticket; /* ticket of the task while it is posted */
    uint8_t imm_len;
    uint8_t imm[DOCA_CORE_COMCH_MAX_IMM];
};

DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_inlet_backend_of(const struct doca_dev *dev);
DOCA_PRIV_DECL bool doca_priv_comch_inlet_takes(const struct doca_comch_consumer *consumer,
                                                const struct doca_buf *buf);

/* part: src/compat/comch/outlet_priv.h */
/* ---- >>priv.comch.outlet ---------------------------------------------------------------------
 * Producers, and the declarations of >>impl.comch.outlet for other parts.                       */

struct doca_priv_engine;

struct doca_comch_producer {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stock;
    struct doca_comch_connection *connection;
    doca_comch_producer_task_send_completion_cb_t done, failed;
    uint32_t id;
};

enum doca_priv_comch_stage {
    DOCA_PRIV_COMCH_WAITS,   /* the task waits for its chunk */
    DOCA_PRIV_COMCH_STREAMS, /* the task is streaming its message through the chunk */
    DOCA_PRIV_COMCH_ENDED
};

struct doca_comch_producer_task_send {
    struct doca_task task;
    const struct doca_buf *buf; /* NULL: the message has immediate data only */
    struct doca_priv_comch_lane *lane;
    struct doca_comch_producer_task_send *next_waiting;
    uint64_t num_written; /* bytes that were written to the ring so far */
    uint32_t consumer_id;
    uint32_t ticket;
    uint8_t stage;
    bool sleeps;      /* the task is counted in ring.producers_sleep */
    bool is_streamed; /* the bit of the task's chunk in lane.busy_chunks is set */
    bool is_user;     /* the task is counted in lane.num_users */
    uint8_t imm_len;
    uint8_t imm[DOCA_CORE_COMCH_MAX_IMM];
};

DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_outlet_backend_of(const struct doca_dev *dev);

/* part: src/compat/comch/endpoint_priv.h */
/* ---- >>priv.comch.endpoint -------------------------------------------------------------------
 * Endpoints of the Comm Channel and their peers.                                                */

enum { /* obj.state of an endpoint */
       DOCA_PRIV_ENDPOINT_IDLE,
       DOCA_PRIV_ENDPOINT_SERVICE,
       DOCA_PRIV_ENDPOINT_CLIENT
};

enum { /* obj.state of a peer */
       DOCA_PRIV_PEER_UNUSED,
       DOCA_PRIV_PEER_CONNECTING,
       DOCA_PRIV_PEER_UP,
       DOCA_PRIV_PEER_BROKEN /* the handle is still valid */
};

struct doca_comm_channel_addr_t {
    struct doca_priv_object obj;
    struct doca_comm_channel_ep_t *ep;
    struct doca_comch_connection *connection; /* while UP */
    uint64_t user_data;
    uint64_t counts[4]; /* by doca_comch_counter, from 1 */
    uint64_t seen[4];   /* counts at the latest update_info */
    bool is_known;      /* the program has the handle */
    bool is_blocked;    /* the send set watches the connection for room */
};

struct doca_comm_channel_ep_t {
    struct doca_priv_object obj;
    struct doca_core_arena *arena;
    struct doca_pe *pe;
    struct doca_dev *dev;
    struct doca_dev_rep *rep;
    uint16_t max_msg;
    uint16_t send_queue_size;
    uint16_t recv_queue_size;

    /* The following members are valid from listen or connect on. */
    struct doca_priv_comch *comch; /* the server or client */
    bool drops;                    /* the endpoint is disconnecting, and drops received messages */
    uint32_t num_blocked;          /* peers with is_blocked */

    /* The message that progress has received. It is in the memory of the caller of recvfrom; or in
     * `held`, if recvfrom is not running or its caller has too little room. */
    struct doca_comm_channel_addr_t *sender; /* NULL: no message */
    void *to;                                /* NULL: recvfrom is not running */
    size_t room;
    size_t len;
    bool is_held;

    /* Descriptors; -1 before the first listen or connect. Each event channel is an epoll set that
     * contains one of the eventfds, and sockets. */
    int recv_set, send_set, service_set;
    int recv_fd;    /* readable: a message is held, or the connection of a client is broken */
    int send_fd;    /* readable: no peer is blocked */
    int service_fd; /* readable: a client connected or disconnected */

    uint32_t num_listed; /* snapshot of a service */
    uint32_t num_pending;
    struct doca_comm_channel_addr_t *listed[DOCA_CORE_COMCH_MAX_CLIENTS];
    struct doca_comm_channel_addr_t peers[DOCA_CORE_COMCH_MAX_CLIENTS];
    uint8_t held[DOCA_CORE_COMCH_MAX_MSG];
};

DOCA_PRIV_DECL doca_error_t doca_priv_endpoint_check(const struct doca_comm_channel_ep_t *ep,
                                                     const void *pointer, const char *function);
DOCA_PRIV_DECL bool doca_priv_endpoint_open_channels(struct doca_comm_channel_ep_t *ep,
                                                     const char *function);
DOCA_PRIV_DECL void doca_priv_endpoint_close_channels(struct doca_comm_channel_ep_t *ep);
DOCA_PRIV_DECL bool doca_priv_endpoint_watch(int set, int fd, uint32_t events);
DOCA_PRIV_DECL void doca_priv_endpoint_block(struct doca_comm_channel_addr_t *peer);
DOCA_PRIV_DECL void doca_priv_endpoint_unblock(struct doca_comm_channel_addr_t *peer);
DOCA_PRIV_DECL bool doca_priv_endpoint_is_readable(int fd);
DOCA_PRIV_DECL void doca_priv_endpoint_set(int event_fd, bool is_readable);
DOCA_PRIV_DECL void doca_priv_endpoint_hold(struct doca_comm_channel_ep_t *ep,
                                            struct doca_comm_channel_addr_t *sender);
DOCA_PRIV_DECL bool doca_priv_peer_is(const struct doca_comm_channel_addr_t *peer);
DOCA_PRIV_DECL bool doca_priv_peer_is_of(const struct doca_comm_channel_addr_t *peer,
                                         const struct doca_comm_channel_ep_t *ep);
DOCA_PRIV_DECL bool doca_priv_peer_advance(struct doca_comm_channel_ep_t *ep);
DOCA_PRIV_DECL void doca_priv_peer_close(struct doca_comm_channel_ep_t *ep);

/* part: src/compat/local/socket.c */
/* ---- >>impl.local.socket --------------------------------------------------------------------
 * Local sockets (SOCK_SEQPACKET) between processes of one machine and one user. A packet may carry
 * descriptors. Several headers contain this part; the first that is included defines it.         */

#ifndef DOCA_PRIV_LOCAL_SOCKET
#define DOCA_PRIV_LOCAL_SOCKET

#define DOCA_PRIV_LOCAL_BACKLOG 128
#define DOCA_PRIV_LOCAL_PREFIX 16 /* bytes of the prefix of an address */
#define DOCA_PRIV_LOCAL_ADDRESS_BYTES                                                              \
    ((socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + DOCA_PRIV_LOCAL_PREFIX + 32))

/* Make an abstract address from the prefix, the user id and the number. Such an address needs no
 * file, and ceases to exist when the process ends. */
static struct sockaddr_un doca_priv_local_address(const char *prefix, uint64_t number)
{
    struct sockaddr_un address;
    uint64_t words[2];
    char *to = address.sun_path + 1;
    unsigned i;

    words[0] = (uint64_t)geteuid();
    words[1] = number;
    DOCA_CORE_MEMSET(&address, 0, sizeof(address));
    address.sun_family = AF_UNIX;
    DOCA_CORE_MEMCPY(to, prefix, DOCA_PRIV_LOCAL_PREFIX);
    for (i = 0; i < 32; i++)
        to[DOCA_PRIV_LOCAL_PREFIX + i] =
            "0123456789abcdef"[words[i / 16] >> (60 - i % 16 * 4) & 15];
    return address;
}

static int doca_priv_local_socket(struct doca_core_refusal *why)
{
    int fd = doca_priv_sys_keep(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));

    if (fd < 0) {
        why->step = DOCA_PRIV_LOG_TEXT("open a local socket");
        why->error = errno;
    }
    return fd;
}

static int doca_priv_local_give_up(int fd, const char *step, struct doca_core_refusal *why)
{
    why->step = step;
    why->error = errno;
    close(fd);
    return -1;
}

/* Open a socket that listens under the address. Returns -1, with the reason in *why, on failure;
 * EADDRINUSE means that another socket has the address. */
DOCA_PRIV_DECL int doca_priv_local_listen(const char *prefix, uint64_t number,
                                          struct doca_core_refusal *why)
{
    int fd = doca_priv_local_socket(why);
    struct sockaddr_un address;

    if (fd < 0)
        return -1;
    address = doca_priv_local_address(prefix, number);
    if (bind(fd, (const struct sockaddr *)(const void *)&address, DOCA_PRIV_LOCAL_ADDRESS_BYTES) !=
            0 ||
        listen(fd, DOCA_PRIV_LOCAL_BACKLOG) != 0)
        return doca_priv_local_give_up(fd, DOCA_PRIV_LOG_TEXT("listen under the name"), why);
    return fd;
}

/* Connect to the socket that listens under the address. Returns -1, with the reason in *why, on
 * failure; EAGAIN means that too many clients wait for the listener to accept them. */
DOCA_PRIV_DECL int doca_priv_local_dial(const char *prefix, uint64_t number,
                                        struct doca_core_refusal *why)
{
    int fd = doca_priv_local_socket(why);
    struct sockaddr_un address;

    if (fd < 0)
        return -1;
    address = doca_priv_local_address(prefix, number);
    if (connect(fd, (const struct sockaddr *)(const void *)&address,
                DOCA_PRIV_LOCAL_ADDRESS_BYTES) != 0)
        return doca_priv_local_give_up(fd, DOCA_PRIV_LOG_TEXT("connect to the peer"), why);
    return fd;
}

/* Accept a client. Returns -1 when no client waits. */
DOCA_PRIV_DECL int doca_priv_local_accept(int listener)
{
    return doca_priv_sys_keep(
        (int)doca_priv_sys_call(SYS_accept4, listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK, 0, 0));
}

/* True when the peer of a socket runs as the user of this process. */
DOCA_PRIV_DECL bool doca_priv_local_is_same_user(int fd)
{
    struct {
        int pid;
        unsigned uid, gid;
    } peer = { 0, 0, 0 }; /* a struct ucred; strict C hides it */
    socklen_t len = sizeof(peer);

    return getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, &peer, &len) == 0 &&
           len == sizeof(peer) && peer.uid == (unsigned)geteuid();
}

/* Send a packet, with three descriptors unless `fds` is NULL. */
DOCA_PRIV_DECL enum doca_priv_local_sent doca_priv_local_send(int fd, uint32_t type,
                                                              uint32_t number, const void *bytes,
                                                              size_t len, const int *fds)
{
    struct doca_priv_local_head head;
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(DOCA_PRIV_LOCAL_FDS * sizeof(int))];
    } control;
    struct iovec parts[2];
    struct msghdr message;

    head.type = type;
    head.number = number;
    parts[0].iov_base = &head;
    parts[0].iov_len = sizeof(head);
    parts[1].iov_base = (void *)(uintptr_t)bytes;
    parts[1].iov_len = len;
    DOCA_CORE_MEMSET(&message, 0, sizeof(message));
    message.msg_iov = parts;
    message.msg_iovlen = len > 0 ? 2 : 1;
    if (fds != NULL) {
        DOCA_CORE_MEMSET(&control, 0, sizeof(control));
        message.msg_control = &control;
        message.msg_controllen = sizeof(control);
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        control.head.cmsg_len = CMSG_LEN(DOCA_PRIV_LOCAL_FDS * sizeof(int));
        DOCA_CORE_MEMCPY(CMSG_DATA(&control.head), fds, DOCA_PRIV_LOCAL_FDS * sizeof(int));
    }
    while (sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        if (errno != EINTR)
            return errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM || errno == ETOOMANYREFS
                       ? DOCA_PRIV_LOCAL_FULL
                       : DOCA_PRIV_LOCAL_BROKEN;
    return DOCA_PRIV_LOCAL_SENT;
}

/* Store the descriptors of a received packet, with numbers above 2 (the standard streams). */
static void doca_priv_local_take_fds(struct msghdr *message, struct doca_priv_local_packet *packet)
{
    struct cmsghdr *head = CMSG_FIRSTHDR(message);
    size_t len;
    unsigned i;

    if (head == NULL || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
        return;
    len = head->cmsg_len - CMSG_LEN(0);
    packet->num_fds = (unsigned)(len / sizeof(int));
    if (packet->num_fds > DOCA_PRIV_LOCAL_FDS)
        packet->num_fds = DOCA_PRIV_LOCAL_FDS;
    DOCA_CORE_MEMCPY(packet->fds, CMSG_DATA(head), packet->num_fds * sizeof(int));
    for (i = 0; i < packet->num_fds; i++)
        packet->fds[i] = doca_priv_sys_keep(packet->fds[i]);
}

/* Receive a packet of at most `room` bytes and DOCA_PRIV_LOCAL_FDS descriptors; a longer packet is
 * cut. The buffer has CMSG_SPACE() bytes, which is rounded up and may have space for one more
 * descriptor. Therefore msg_controllen is CMSG_LEN(): the kernel then closes all descriptors that
 * exceed the maximum. */
DOCA_PRIV_DECL void doca_priv_local_receive(int fd, void *to, size_t room,
                                            struct doca_priv_local_packet *packet)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(DOCA_PRIV_LOCAL_FDS * sizeof(int))];
    } control;
    struct msghdr message;
    struct iovec part;

    part.iov_base = to;
    part.iov_len = room;
    DOCA_CORE_MEMSET(&message, 0, sizeof(message));
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = CMSG_LEN(DOCA_PRIV_LOCAL_FDS * sizeof(int));
    packet->num_fds = 0;
    do { /* after ECONNRESET (the peer ended before it had read all packets), packets of the peer
          * can still be read */
        packet->bytes = (long)recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (packet->bytes < 0 && (errno == EINTR || errno == ECONNRESET));
    if (packet->bytes >= 0 && message.msg_controllen > 0)
        doca_priv_local_take_fds(&message, packet);
    if (packet->bytes < 0 && errno != EAGAIN)
        packet->bytes = 0;
    if (packet->bytes == 0) /* an empty packet counts as the end of the connection, but may carry
                             * descriptors */
        doca_priv_local_close_fds(packet);
}

DOCA_PRIV_DECL void doca_priv_local_close_fds(struct doca_priv_local_packet *packet)
{
    while (packet->num_fds > 0)
        doca_priv_sys_close(packet->fds[--packet->num_fds]);
}

/* End both directions of a connection at once. Both ends can still read the packets that they have
 * received before. From here on every send of the peer fails. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_local_hang_up(int fd)
{
    (void)shutdown(fd, SHUT_RDWR);
}

static int doca_priv_local_fd_events(int fd)
{
    struct pollfd wait;

    wait.fd = fd;
    wait.events = POLLIN;
    wait.revents = 0;
    return poll(&wait, 1, 0) > 0 ? wait.revents : 0;
}

/* True when a packet can be received, or when an epoll set has a ready descriptor. */
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_local_is_readable(int fd)
{
    return (doca_priv_local_fd_events(fd) & POLLIN) != 0;
}

/* True when one of the two ends has closed or ended the connection. */
DOCA_PRIV_DECL bool doca_priv_local_is_hung_up(int fd)
{
    return (doca_priv_local_fd_events(fd) & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

#endif /* DOCA_PRIV_LOCAL_SOCKET */

/* part: src/compat/local/memory.c */
/* ---- >>impl.local.memory --------------------------------------------------------------------
 * Shared memory of two processes: an anonymous file of fixed size. One process creates the file and
 * sends its descriptor to the other process. Eventfds are sent in the same way. Several headers
 * contain this part; the first that is included defines it.                                     */

#ifndef DOCA_PRIV_LOCAL_MEMORY
#define DOCA_PRIV_LOCAL_MEMORY

/* Create an anonymous file of `bytes` zeros, whose size nobody can change. The operating system
 * shows the file under `name`. Returns -1, with the cause in errno, on failure. */
DOCA_PRIV_DECL int doca_priv_local_file(const char *name, size_t bytes)
{
    struct rlimit limit;
    int fd, error;

    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) {
        errno = EFBIG; /* a write beyond the limit would end the process with a signal */
        return -1;
    }
    fd = doca_priv_sys_keep((int)doca_priv_sys_call(SYS_memfd_create, (long)name,
                                                    3 /* CLOEXEC, ALLOW_SEALING */, 0, 0, 0, 0));
    if (fd >= 0 && (lseek(fd, (off_t)bytes - 1, SEEK_SET) < 0 || write(fd, "", 1) != 1 ||
                    fcntl(fd, 1033 /* F_ADD_SEALS */, DOCA_PRIV_SEALS) != 0)) {
        error = errno;
        close(fd);
        errno = error;
        fd = -1;
    }
    return fd;
}

/* Return the size in bytes of a file that the peer sent. Returns 0 if the size could still change:
 * an access beyond the end would end this process with a signal. */
DOCA_PRIV_DECL size_t doca_priv_local_file_bytes(int fd)
{
    int seals = fcntl(fd, DOCA_PRIV_GET_SEALS);
    struct stat status;

    return seals >= 0 && (seals & DOCA_PRIV_SEALS) == DOCA_PRIV_SEALS && fstat(fd, &status) == 0
               ? (size_t)status.st_size
               : 0;
}

/* Map a file for reading and writing. Returns NULL, with the cause in errno, on failure. */
DOCA_PRIV_DECL void *doca_priv_local_map(int fd, size_t bytes)
{
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    return map == MAP_FAILED ? NULL : map;
}

DOCA_PRIV_DECL void doca_priv_local_unmap(void *map, size_t bytes)
{
    (void)munmap(map, bytes);
}

/* True when a write of 8 bytes to a descriptor that the peer sent does not block: it is an eventfd
 * (which has no file type) and non-blocking. The peer can only change this on purpose. */
DOCA_PRIV_DECL bool doca_priv_local_is_event(int fd)
{
    struct stat status;
    int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && (flags & O_NONBLOCK) != 0 && fstat(fd, &status) == 0 &&
           (status.st_mode & 0170000u /* S_IFMT */) == 0;
}

#endif /* DOCA_PRIV_LOCAL_MEMORY */

/* part: src/compat/comch/wire.c */
/* ---- >>impl.comch.wire ----------------------------------------------------------------------
 * The addresses of servers. The number in an address is a hash of the function and the service.  */

#define DOCA_PRIV_COMCH_PREFIX "doca_core_comch_"

/* Add the bytes of a text and its NUL to a FNV-1a hash. */
static uint64_t doca_priv_comch_hash(uint64_t hash, const char *s)
{
    do {
        hash = (hash ^ (unsigned char)*s) * 0x100000001b3u;
    } while (*s++ != '\0');
    return hash;
}

/* Return the number in the address of a server. */
static uint64_t doca_priv_comch_meeting_number(const char *function_name, const char *service)
{
    return doca_priv_comch_hash(doca_priv_comch_hash(0xcbf29ce484222325u, function_name), service);
}

DOCA_PRIV_DECL int doca_priv_comch_listen(const char *function_name, const char *service,
                                          struct doca_core_refusal *why)
{
    return doca_priv_local_listen(DOCA_PRIV_COMCH_PREFIX,
                                  doca_priv_comch_meeting_number(function_name, service), why);
}

DOCA_PRIV_DECL int doca_priv_comch_dial(const char *function_name, const char *service,
                                        struct doca_core_refusal *why)
{
    return doca_priv_local_dial(DOCA_PRIV_COMCH_PREFIX,
                                doca_priv_comch_meeting_number(function_name, service), why);
}

/* part: src/compat/comch/ring.c */
/* ---- >>impl.comch.ring ----------------------------------------------------------------------
 * The memory of rings: an anonymous file of fixed size. The consumer's process creates the file and
 * sends its descriptor to the process of the producers.                                         */

#define DOCA_PRIV_COMCH_MAGIC 0x33676e69726d6364u /* must change when the layout changes */

DOCA_PRIV_ASSERT_STATIC(comch_slots_are_two_lines, sizeof(struct doca_priv_comch_slot) == 128);
DOCA_PRIV_ASSERT_STATIC(comch_rings_are_four_lines, sizeof(struct doca_priv_comch_ring) == 256);
DOCA_PRIV_ASSERT_STATIC(comch_chunk_heads_are_a_line,
                        sizeof(struct doca_priv_comch_chunk) == 64 + DOCA_PRIV_COMCH_CHUNK);

/* Bytes of an array, rounded up to whole cache lines. */
static size_t doca_priv_comch_array_bytes(uint32_t num, size_t each)
{
    return (num * each + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE * DOCA_CORE_LINE;
}

static size_t doca_priv_comch_ring_bytes(uint32_t num_slots, uint32_t num_chunks)
{
    return sizeof(struct doca_priv_comch_ring) +
           doca_priv_comch_array_bytes(num_slots, sizeof(uint64_t)) +
           doca_priv_comch_array_bytes(num_slots, sizeof(uint32_t)) +
           num_slots * sizeof(struct doca_priv_comch_slot) +
           num_chunks * sizeof(struct doca_priv_comch_chunk);
}

static bool doca_priv_comch_lane_map(struct doca_priv_comch_lane *lane, int fd, size_t bytes)
{
    lane->ring = (struct doca_priv_comch_ring *)doca_priv_local_map(fd, bytes);
    lane->bytes = bytes;
    return lane->ring != NULL;
}

/* Set the addresses of the arrays of a mapped ring. num_slots must be set. */
static void doca_priv_comch_lane_lay_out(struct doca_priv_comch_lane *lane)
{
    uintptr_t at = (uintptr_t)lane->ring + sizeof(*lane->ring);

    lane->capacities = (uint64_t *)(void *)at;
    at += doca_priv_comch_array_bytes(lane->num_slots, sizeof(*lane->capacities));
    lane->claims = (uint32_t *)(void *)at;
    at += doca_priv_comch_array_bytes(lane->num_slots, sizeof(*lane->claims));
    lane->slots = (struct doca_priv_comch_slot *)(void *)at;
    lane->chunks = (struct doca_priv_comch_chunk *)(void *)(lane->slots + lane->num_slots);
}

/* Create the ring of a consumer that posts up to `num_tasks` buffers. */
DOCA_PRIV_DECL bool doca_priv_comch_lane_create(struct doca_priv_comch_lane *lane,
                                                uint32_t num_tasks, uint32_t imm_len,
                                                struct doca_core_refusal *why)
{
    uint32_t num_slots = 1, i;
    size_t bytes;

    while (num_slots < num_tasks)
        num_slots *= 2;
    lane->num_slots = num_slots;
    lane->num_chunks =
        num_slots < DOCA_PRIV_COMCH_MAX_CHUNKS ? num_slots : DOCA_PRIV_COMCH_MAX_CHUNKS;
    lane->imm_len = imm_len;
    lane->wake_fd = doca_priv_sys_event_open();
    lane->room_fd = doca_priv_sys_event_open();
    bytes = doca_priv_comch_ring_bytes(lane->num_slots, lane->num_chunks);
    lane->memory_fd = doca_priv_local_file("doca_core_comch", bytes);
    if (lane->wake_fd < 0 || lane->room_fd < 0 || lane->memory_fd < 0 ||
        !doca_priv_comch_lane_map(lane, lane->memory_fd, bytes)) {
        why->step = DOCA_PRIV_LOG_TEXT("make the shared memory of the consumer");
        why->error = errno;
        doca_priv_comch_lane_close(lane);
        return false;
    }
    lane->ring->magic = DOCA_PRIV_COMCH_MAGIC;
    lane->ring->num_slots = lane->num_slots;
    lane->ring->num_chunks = lane->num_chunks;
    lane->ring->imm_len = imm_len;
    doca_priv_comch_lane_lay_out(lane);
    for (i = 0; i < num_slots; i++) { /* the same state as after the use of all earlier tickets */
        lane->claims[i] = DOCA_PRIV_COMCH_TURN(i - num_slots, DOCA_PRIV_COMCH_CLAIMED);
        lane->slots[i].turn = DOCA_PRIV_COMCH_TURN(i - num_slots, DOCA_PRIV_COMCH_FILLED);
    }
    lane->is_live = 1;
    return true;
}

/* True when a number that the peer chose is a power of two from 1 to `max`. */
static bool doca_priv_comch_is_size(uint32_t n, uint32_t max)
{
    return n != 0 && n <= max && (n & (n - 1)) == 0;
}

/* Map the ring of a consumer of the peer. `fds` are the descriptors of the peer's packet; they
 * belong to the lane afterwards, even if the ring is refused. */
DOCA_PRIV_DECL bool doca_priv_comch_lane_import(struct doca_priv_comch_lane *lane, const int *fds,
                                                uint32_t id)
{
    const size_t bytes = doca_priv_local_file_bytes(fds[0]);
    struct doca_priv_comch_ring head;

    DOCA_CORE_MEMSET(lane, 0, offsetof(struct doca_priv_comch_lane, num_users));
    lane->memory_fd = fds[0];
    lane->wake_fd = fds[1];
    lane->room_fd = fds[2];
    lane->id = id;
    if (bytes >= sizeof(head) && doca_priv_local_is_event(fds[1]) &&
        doca_priv_local_is_event(fds[2]) && doca_priv_comch_lane_map(lane, fds[0], bytes)) {
        DOCA_CORE_MEMCPY(&head, lane->ring, sizeof(head));
        lane->num_slots = head.num_slots;
        lane->num_chunks = head.num_chunks;
        lane->imm_len = head.imm_len;
        if (head.magic == DOCA_PRIV_COMCH_MAGIC &&
            doca_priv_comch_is_size(head.num_slots, DOCA_CORE_COMCH_MAX_TASKS) &&
            doca_priv_comch_is_size(head.num_chunks, DOCA_PRIV_COMCH_MAX_CHUNKS) &&
            head.imm_len <= DOCA_CORE_COMCH_MAX_IMM &&
            lane->bytes == doca_priv_comch_ring_bytes(head.num_slots, head.num_chunks)) {
            doca_priv_comch_lane_lay_out(lane);
            DOCA_PRIV_STORE(&lane->is_live, 1u);
            return true;
        }
    }
    doca_priv_comch_lane_close(lane);
    return false;
}

/* Unmap a ring and close its descriptors. */
DOCA_PRIV_DECL void doca_priv_comch_lane_close(struct doca_priv_comch_lane *lane)
{
    if (lane->ring != NULL)
        doca_priv_local_unmap(lane->ring, lane->bytes);
    doca_priv_sys_close(lane->memory_fd);
    doca_priv_sys_close(lane->wake_fd);
    doca_priv_sys_close(lane->room_fd);
    DOCA_CORE_MEMSET(lane, 0, offsetof(struct doca_priv_comch_lane, num_users));
    lane->memory_fd = -1;
    lane->wake_fd = -1;
    lane->room_fd = -1;
}

/* part: src/compat/comch/connection.c */
/* ---- >>impl.comch.connection ----------------------------------------------------------------
 * The states of a connection:
 *     FREE -> GREETING -> UP -> DOWN -> GONE -> FREE
 * doca_priv_comch_conn_hang_up() makes the connection DOWN: from then on neither side can send a
 * packet, but packets that have arrived are still read. When all packets are read, the connection
 * is GONE; when its last consumer or producer is destroyed, it becomes FREE. The thread of the
 * server or client owns the connection. Consumers and producers of other threads use the members of
 * the connection from `lock` on, and send packets on its socket.                                */

DOCA_PRIV_ASSERT_STATIC(comch_lanes_fit_a_byte, DOCA_PRIV_COMCH_LANES <= 256);
DOCA_PRIV_ASSERT_STATIC(comch_consumers_fit_a_mask,
                        DOCA_CORE_COMCH_MAX_CONSUMERS >= 1 && DOCA_CORE_COMCH_MAX_CONSUMERS <= 64);

DOCA_PRIV_DECL bool doca_priv_comch_is_connection(const struct doca_comch_connection *connection)
{
    return doca_priv_is(connection, DOCA_PRIV_KIND_COMCH_CONNECTION);
}

/* Check the arguments of a call that needs an established connection. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_check_up(const struct doca_comch_connection *connection,
                                                     const void *pointer, const char *function)
{
    doca_error_t rc =
        doca_priv_check_args(connection, DOCA_PRIV_KIND_COMCH_CONNECTION, pointer, function);

    if (rc == DOCA_SUCCESS && DOCA_PRIV_LOAD(&connection->obj.state) != DOCA_PRIV_COMCH_UP)
        rc =
            doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_COMCH_NOT_UP, function, connection);
    return rc;
}

DOCA_PRIV_DECL uint32_t doca_priv_comch_conn_index(const struct doca_comch_connection *connection)
{
    return (uint32_t)(connection - connection->comch->conns);
}

/* Watch the socket of a connection for packets and, if sends wait, also for room. */
static bool doca_priv_comch_conn_watch(const struct doca_comch_connection *connection,
                                       int operation, bool needs_room)
{
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = needs_room ? EPOLLIN | EPOLLOUT : EPOLLIN;
    event.data.u32 = doca_priv_comch_conn_index(connection);
    return epoll_ctl(connection->comch->set, operation, connection->fd, &event) == 0;
}

/* Take a free entry of the table for the connection of a socket. On success the socket belongs to
 * the connection. Returns NULL when no entry is free or the kernel refuses to watch the socket;
 * the socket then still belongs to the caller. */
DOCA_PRIV_DECL struct doca_comch_connection *doca_priv_comch_conn_open(struct doca_priv_comch *c,
                                                                       int fd)
{
    struct doca_comch_connection *connection = c->conns;
    uint32_t i;

    while (connection < c->conns + c->max_conns && connection->obj.state != DOCA_PRIV_COMCH_FREE)
        connection++;
    if (connection == c->conns + c->max_conns)
        return NULL;
    DOCA_CORE_MEMSET(connection, 0, sizeof(*connection));
    connection->comch = c;
    connection->serial = ++c->num_connections;
    connection->fd = fd;
    if (!doca_priv_comch_conn_watch(connection, EPOLL_CTL_ADD, false))
        return NULL;
    for (i = 0; i < DOCA_PRIV_COMCH_LANES; i++) {
        connection->lanes[i].memory_fd = -1;
        connection->lanes[i].wake_fd = -1;
        connection->lanes[i].room_fd = -1;
    }
    for (i = 0; i < DOCA_CORE_COMCH_MAX_CONSUMERS; i++)
        connection->lane_of[i] = (uint8_t)i;
    doca_priv_object_init(&connection->obj, DOCA_PRIV_KIND_COMCH_CONNECTION);
    connection->obj.state = DOCA_PRIV_COMCH_GREETING;
    return connection;
}

/* Stop sending and receiving; packets that have arrived are still read. */
DOCA_PRIV_DECL void doca_priv_comch_conn_hang_up(struct doca_comch_connection *connection)
{
    doca_priv_local_hang_up(connection->fd);
    DOCA_PRIV_STORE(&connection->obj.state, (uint8_t)DOCA_PRIV_COMCH_DOWN);
}

/* Complete the sends that the socket had no room for. */
DOCA_PRIV_DECL void doca_priv_comch_conn_drop_unsent(struct doca_comch_connection *connection,
                                                     doca_error_t status)
{
    struct doca_core_queue *queue = connection->comch->queue;
    struct doca_task *task;

    while ((task = connection->unsent) != NULL) {
        connection->unsent = task->next;
        doca_priv_local_end_task(queue, task, status);
    }
}

/* Choose the lane for a new consumer of the peer with this id. Returns NULL when a live consumer of
 * the peer has the same entry of lane_of[], or when waiting tasks and producers still use all lanes
 * of consumers that have ended. */
DOCA_PRIV_DECL struct doca_priv_comch_lane *
doca_priv_comch_conn_free_lane(struct doca_comch_connection *connection, uint32_t id)
{
    struct doca_priv_comch_lane *lane = doca_priv_comch_lane_of(connection, id);
    bool is_taken[DOCA_PRIV_COMCH_LANES];
    uint32_t i;

    if (DOCA_PRIV_LOAD(&lane->is_live) != 0)
        return NULL;
    if (DOCA_PRIV_LOAD(&lane->num_users) == 0)
        return lane;
    DOCA_CORE_MEMSET(is_taken, 0, sizeof(is_taken));
    for (i = 0; i < DOCA_CORE_COMCH_MAX_CONSUMERS; i++)
        is_taken[connection->lane_of[i]] = true;
    for (i = 0; i < DOCA_PRIV_COMCH_LANES; i++)
        if (!is_taken[i] && DOCA_PRIV_LOAD(&connection->lanes[i].num_users) == 0)
            return &connection->lanes[i];
    return NULL;
}

/* End a connection whose packets are all read. Its lanes stay mapped until the connection is free,
 * because producers of other threads may be using them. */
DOCA_PRIV_DECL void doca_priv_comch_conn_end(struct doca_comch_connection *connection)
{
    uint32_t i;

    doca_priv_sys_unwatch(connection->comch->set, connection->fd);
    doca_priv_local_hang_up(connection->fd);
    DOCA_PRIV_STORE(&connection->obj.state, (uint8_t)DOCA_PRIV_COMCH_GONE);
    connection->comch->has_gone = true;
    doca_priv_comch_conn_drop_unsent(connection, DOCA_ERROR_CONNECTION_RESET);
    for (i = 0; i < DOCA_PRIV_COMCH_LANES; i++)
        if (connection->lanes[i].ring != NULL) {
            DOCA_PRIV_STORE(&connection->lanes[i].is_live, 0u);
            (void)doca_priv_sys_event_signal(connection->lanes[i].room_fd);
        }
}

/* Free the entry of a connection that no consumer or producer uses. */
DOCA_PRIV_DECL void doca_priv_comch_conn_free(struct doca_comch_connection *connection)
{
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_COMCH_LANES; i++)
        doca_priv_comch_lane_close(&connection->lanes[i]);
    doca_priv_sys_unwatch(connection->comch->set, connection->fd);
    doca_priv_sys_close(connection->fd);
    connection->fd = -1;
    connection->obj.state = DOCA_PRIV_COMCH_FREE;
    doca_priv_object_end(&connection->obj);
}

/* Make the epoll set report when the socket has room again. */
DOCA_PRIV_DECL void doca_priv_comch_conn_await_room(struct doca_comch_connection *connection)
{
    (void)doca_priv_comch_conn_watch(connection, EPOLL_CTL_MOD, true);
}

/* Notify the peer of consumers that have ended and were not reported yet. Returns false when the
 * socket has no room. */
static bool doca_priv_comch_conn_flush_expired(struct doca_comch_connection *connection)
{
    bool has_room = true;
    uint32_t i;

    doca_priv_lock(&connection->lock);
    for (i = 0; has_room && i < DOCA_CORE_COMCH_MAX_CONSUMERS; i++) {
        if ((connection->expired >> i & 1) == 0)
            continue;
        has_room =
            doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_EXPIRED,
                                 connection->expired_ids[i], NULL, 0, NULL) != DOCA_PRIV_LOCAL_FULL;
        if (has_room)
            connection->expired &= ~((uint64_t)1 << i);
    }
    doca_priv_unlock(&connection->lock);
    return has_room;
}

/* Send waiting packets as long as the socket has room. */
DOCA_PRIV_DECL void doca_priv_comch_conn_flush(struct doca_comch_connection *connection)
{
    enum doca_priv_local_sent sent = DOCA_PRIV_LOCAL_SENT;
    const struct doca_comch_task_send *send;
    struct doca_task *task;

    if (!doca_priv_comch_conn_flush_expired(connection))
        sent = DOCA_PRIV_LOCAL_FULL;
    while (sent != DOCA_PRIV_LOCAL_FULL && (task = connection->unsent) != NULL) {
        send = (const struct doca_comch_task_send *)(const void *)task;
        sent = doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_MESSAGE, 0, send->bytes,
                                    send->len, NULL);
        if (sent == DOCA_PRIV_LOCAL_FULL)
            break;
        connection->unsent = task->next;
        if (sent == DOCA_PRIV_LOCAL_SENT) {
            connection->counts[0]++;
            connection->counts[1] += send->len;
        }
        doca_priv_local_end_task(connection->comch->queue, task,
                                 sent == DOCA_PRIV_LOCAL_SENT ? DOCA_SUCCESS
                                                              : DOCA_ERROR_CONNECTION_RESET);
    }
    (void)doca_priv_comch_conn_watch(connection, EPOLL_CTL_MOD, sent == DOCA_PRIV_LOCAL_FULL);
}

/* Choose the id of a new consumer. The peer stores the consumer in the entry id % MAX_CONSUMERS of
 * its table, so this remainder must differ from the remainders of all other consumers of this side.
 * Ids are assigned in ascending order, so that an entry is reused as late as possible. 0 and 0xffff
 * are no ids: the vendor's programs use them for "no consumer". */
static bool doca_priv_comch_choose_id(struct doca_comch_connection *connection, uint32_t *id)
{
    uint32_t i, entry;

    for (i = 0; i < 2 * DOCA_CORE_COMCH_MAX_CONSUMERS; i++) { /* the entry of a number left out
                                                               * comes again */
        entry = ++connection->next_consumer % DOCA_CORE_COMCH_MAX_CONSUMERS;
        if (connection->next_consumer == 0 || connection->next_consumer == UINT16_MAX)
            continue;
        if ((connection->consumers >> entry & 1) == 0 && (connection->expired >> entry & 1) == 0) {
            connection->consumers |= (uint64_t)1 << entry;
            *id = connection->next_consumer;
            return true;
        }
    }
    return false;
}

/* Count a new consumer or producer of a connection, and choose its id. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_join(struct doca_comch_connection *connection,
                                                 bool is_consumer, uint32_t *id,
                                                 const char *function)
{
    bool is_up, has_id = true;

    doca_priv_lock(&connection->lock);
    is_up = DOCA_PRIV_LOAD(&connection->obj.state) == DOCA_PRIV_COMCH_UP;
    if (is_up && is_consumer)
        has_id = doca_priv_comch_choose_id(connection, id);
    else if (is_up && connection->num_producers < DOCA_CORE_COMCH_MAX_PRODUCERS)
        *id = ++connection->next_producer;
    else
        has_id = false;
    if (is_up && has_id) {
        connection->num_children++;
        (*(is_consumer ? &connection->num_consumers : &connection->num_producers))++;
    }
    doca_priv_unlock(&connection->lock);
    if (!is_up)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_COMCH_NOT_UP, function,
                              connection);
    return has_id ? DOCA_SUCCESS
                  : doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_COMCH_FEW_IDS, function,
                                   connection);
}

/* Count one consumer or producer less. If it was the last, wake the thread of the connection, which
 * may then free the connection. */
DOCA_PRIV_DECL void doca_priv_comch_part(struct doca_comch_connection *connection, bool is_consumer,
                                         uint32_t id)
{
    doca_priv_lock(&connection->lock);
    if (is_consumer)
        connection->consumers &= ~((uint64_t)1 << id % DOCA_CORE_COMCH_MAX_CONSUMERS);
    (*(is_consumer ? &connection->num_consumers : &connection->num_producers))--;
    if (--connection->num_children == 0)
        (void)doca_priv_sys_event_signal(connection->comch->wake_fd);
    doca_priv_unlock(&connection->lock);
}

/* True when consumers or producers of the connection exist. Once the result is false for a
 * connection that is not UP, no other thread uses the connection: because of the lock, the last
 * such thread has left the critical section of doca_priv_comch_part(). */
DOCA_PRIV_DECL bool doca_priv_comch_has_children(struct doca_comch_connection *connection)
{
    bool has_children;

    doca_priv_lock(&connection->lock);
    has_children = connection->num_children > 0;
    doca_priv_unlock(&connection->lock);
    return has_children;
}

/* Notify the peer that a consumer has ended. If the socket has no room, the thread of the
 * connection sends the notice later. */
DOCA_PRIV_DECL void doca_priv_comch_tell_expired(struct doca_comch_connection *connection,
                                                 uint32_t id)
{
    const uint32_t entry = id % DOCA_CORE_COMCH_MAX_CONSUMERS;

    if (doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_EXPIRED, id, NULL, 0, NULL) !=
        DOCA_PRIV_LOCAL_FULL)
        return;
    doca_priv_lock(&connection->lock);
    connection->expired |= (uint64_t)1 << entry;
    connection->expired_ids[entry] = id;
    doca_priv_unlock(&connection->lock);
    (void)doca_priv_sys_event_signal(connection->comch->wake_fd);
}

DOCA_CORE_DECL doca_error_t doca_comch_connection_set_user_data(
    struct doca_comch_connection *connection, union doca_data user_data)
{
    if (!doca_priv_comch_is_connection(connection))
        return DOCA_PRIV_FAIL_HANDLE(connection);
    connection->user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL union doca_data
doca_comch_connection_get_user_data(const struct doca_comch_connection *connection)
{
    union doca_data none;

    none.u64 = 0;
    if (doca_priv_comch_is_connection(connection))
        return connection->user_data;
    (void)DOCA_PRIV_FAIL_HANDLE(connection);
    return none;
}

DOCA_CORE_DECL struct doca_comch_server *
doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection)
{
    if (!doca_priv_comch_is_connection(connection)) {
        (void)DOCA_PRIV_FAIL_HANDLE(connection);
        return NULL;
    }
    return connection->comch->rep != NULL
               ? (struct doca_comch_server *)DOCA_PRIV_HANDLE(connection->comch)
               : NULL;
}

DOCA_CORE_DECL struct doca_comch_client *
doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection)
{
    if (!doca_priv_comch_is_connection(connection)) {
        (void)DOCA_PRIV_FAIL_HANDLE(connection);
        return NULL;
    }
    return connection->comch->rep == NULL
               ? (struct doca_comch_client *)DOCA_PRIV_HANDLE(connection->comch)
               : NULL;
}

DOCA_CORE_DECL doca_error_t
doca_comch_connection_update_info(struct doca_comch_connection *comch_connection)
{
    if (!doca_priv_comch_is_connection(comch_connection))
        return DOCA_PRIV_FAIL_HANDLE(comch_connection);
    if (comch_connection->obj.state == DOCA_PRIV_COMCH_GREETING)
        return DOCA_PRIV_FAIL(CONNECTION_INPROGRESS, COMCH_NOT_UP, comch_connection);
    DOCA_CORE_MEMCPY(comch_connection->seen, comch_connection->counts,
                     sizeof(comch_connection->seen));
    if (comch_connection->obj.state != DOCA_PRIV_COMCH_UP ||
        doca_priv_local_is_hung_up(comch_connection->fd))
        return DOCA_PRIV_FAIL(CONNECTION_ABORTED, COMCH_LOST, comch_connection);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
                                  enum doca_comch_counter counter_type, uint64_t *counter_value)
{
    doca_error_t rc = doca_priv_check_args(comch_connection, DOCA_PRIV_KIND_COMCH_CONNECTION,
                                           counter_value, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((unsigned)counter_type < DOCA_COMCH_COUNTER_SENT_MESSAGES ||
        (unsigned)counter_type > DOCA_COMCH_COUNTER_RECV_BYTES)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, comch_connection);
    *counter_value = comch_connection->seen[(unsigned)counter_type - 1];
    return DOCA_SUCCESS;
}

/* part: src/compat/comch/receive.c */
/* ---- >>impl.comch.receive -------------------------------------------------------------------
 * Handling of packets: the answers of a server or client to the packets of its peers, and the
 * events that the program gets for these packets.
 * A packet that violates the protocol closes its connection.                                    */

#define DOCA_PRIV_COMCH_WHERE "doca_pe_progress"

/* Call the program for an event. */
static void doca_priv_comch_event_done(struct doca_task *task)
{
    struct doca_priv_comch_event *event = (struct doca_priv_comch_event *)(void *)task;
    const struct doca_priv_comch *c = event->connection->comch;
    struct doca_comch_event_connection_status_changed *changed =
        (struct doca_comch_event_connection_status_changed *)(void *)event;

    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_EVENT | (uint32_t)c->ctx.obj.kind << 8 |
                                         (uint32_t)event->what << 16,
                                     event->connection,
                                     event->what == DOCA_PRIV_COMCH_RECEIVED ? event->number : 0,
                                     doca_priv_trace_id(&c->ctx));)
    switch (event->what) {
    case DOCA_PRIV_COMCH_RECEIVED:
        c->received((struct doca_comch_event_msg_recv *)(void *)event, event->bytes, event->number,
                    event->connection);
        break;
    case DOCA_PRIV_COMCH_CONNECTED:
    case DOCA_PRIV_COMCH_NOT_CONNECTED:
        c->connected(changed, event->connection, event->what == DOCA_PRIV_COMCH_CONNECTED);
        break;
    case DOCA_PRIV_COMCH_DISCONNECTED:
        c->disconnected(changed, event->connection, 1);
        break;
    case DOCA_PRIV_COMCH_CONSUMER_NEW:
    case DOCA_PRIV_COMCH_CONSUMER_EXPIRED:
        (event->what == DOCA_PRIV_COMCH_CONSUMER_NEW ? c->consumer_new : c->consumer_expired)(
            (struct doca_comch_event_consumer *)(void *)event, event->connection, event->number);
        break;
    }
}

/* Make an event, in the form of a task that poll returns. Returns NULL when the program has not
 * registered a callback for events of this type. */
static struct doca_task *doca_priv_comch_make_event(struct doca_comch_connection *connection,
                                                    enum doca_priv_comch_happening what,
                                                    uint8_t *bytes, uint32_t number)
{
    struct doca_priv_comch *c = connection->comch;
    struct doca_priv_comch_event *event = &c->event;
    const bool is_wanted = what == DOCA_PRIV_COMCH_RECEIVED      ? c->received != NULL
                           : what < DOCA_PRIV_COMCH_CONSUMER_NEW ? c->connected != NULL
                                                                 : c->consumer_new != NULL;

    if (!is_wanted)
        return NULL;
    event->task.kind = DOCA_PRIV_KIND_TASK;
    event->task.type = DOCA_PRIV_TASK_EVENT;
    event->task.ctx = &c->ctx;
    event->task.done = doca_priv_comch_event_done;
    event->what = what;
    event->connection = connection;
    event->bytes = bytes;
    event->number = number;
    c->ctx.num_inflight++;
    return &event->task;
}

/* Close the connection of a peer that violated the protocol. Packets that have arrived are read and
 * ignored. */
static void doca_priv_comch_nonsense(struct doca_comch_connection *connection)
{
    if (connection->obj.state == DOCA_PRIV_COMCH_DOWN)
        return;
    (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_COMCH_NONSENSE,
                         DOCA_PRIV_COMCH_WHERE, connection);
    doca_priv_comch_conn_hang_up(connection);
}

/* Refuse a client that has no entry of the table yet. If `item` is NONE, the caller has logged the
 * refusal already. */
static void doca_priv_comch_turn_away(const struct doca_priv_comch *c, int fd, doca_error_t code,
                                      enum doca_core_item item)
{
    if (item != DOCA_CORE_ITEM_NONE)
        (void)doca_priv_fail(code, item, DOCA_PRIV_COMCH_WHERE, c);
    (void)doca_priv_local_send(fd, DOCA_PRIV_COMCH_REFUSED, (uint32_t)code, NULL, 0, NULL);
    doca_priv_sys_close(fd);
}

/* Accept waiting clients, up to a limit: even if new clients connect all the time, the server must
 * handle its other events. */
DOCA_PRIV_DECL void doca_priv_comch_accept_all(struct doca_priv_comch *c)
{
    doca_error_t rc;
    unsigned i;
    int fd;

    for (i = 0; i < DOCA_PRIV_LOCAL_ACCEPTS && (fd = doca_priv_local_accept(c->listener)) >= 0;
         i++) {
        if (!doca_priv_local_is_same_user(fd))
            doca_priv_comch_turn_away(c, fd, DOCA_ERROR_NOT_PERMITTED,
                                      DOCA_CORE_ITEM_COMCH_FOREIGN);
        else if ((rc = doca_priv_fault_call(&c->ctx, DOCA_PRIV_FAULT_COMCH_CONNECT)) !=
                 DOCA_SUCCESS)
            doca_priv_comch_turn_away(c, fd, rc, DOCA_CORE_ITEM_NONE);
        else if (doca_priv_comch_conn_open(c, fd) == NULL)
            doca_priv_comch_turn_away(c, fd, DOCA_ERROR_FULL, DOCA_CORE_ITEM_COMCH_CROWDED);
    }
}

/* Handle the first packet of a client. */
static struct doca_task *doca_priv_comch_hear_hello(struct doca_comch_connection *connection,
                                                    const struct doca_priv_local_head *head,
                                                    size_t len)
{
    const struct doca_priv_comch *c = connection->comch;
    struct doca_priv_comch_hello hello;
    bool is_sound = head->type == DOCA_PRIV_COMCH_HELLO && len == sizeof(hello);

    if (is_sound) {
        DOCA_CORE_MEMCPY(&hello, c->inbox + sizeof(*head), sizeof(hello));
        is_sound = hello.name[sizeof(hello.name) - 1] == '\0' && hello.max_msg > 0;
    }
    if (!is_sound) {
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    if (hello.version != DOCA_PRIV_COMCH_VERSION || !doca_priv_str_equal(hello.name, c->name)) {
        (void)doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_REFUSED,
                                   (uint32_t)DOCA_ERROR_NOT_PERMITTED, NULL, 0, NULL);
        doca_priv_comch_nonsense(connection);
        return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_NOT_CONNECTED, NULL, 0);
    }
    connection->max_msg = hello.max_msg < c->max_msg ? hello.max_msg : c->max_msg;
    if (doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_WELCOME, c->max_msg, NULL, 0, NULL) !=
        DOCA_PRIV_LOCAL_SENT) { /* the client has disconnected */
        doca_priv_comch_conn_hang_up(connection);
        return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_NOT_CONNECTED, NULL, 0);
    }
    DOCA_PRIV_STORE(&connection->obj.state, (uint8_t)DOCA_PRIV_COMCH_UP);
    connection->was_up = true;
    return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_CONNECTED, NULL, 0);
}

static struct doca_task *doca_priv_comch_hear_message(struct doca_comch_connection *connection,
                                                      size_t len)
{
    struct doca_priv_comch *c = connection->comch;
    struct doca_task *task;

    if (len > c->max_msg) {
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    connection->counts[2]++;
    connection->counts[3] += len;
    task =
        doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_RECEIVED,
                                   c->inbox + sizeof(struct doca_priv_local_head), (uint32_t)len);
    if (task == NULL)
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_COMCH_DEAF,
                             DOCA_PRIV_COMCH_WHERE, connection);
    return task;
}

/* Handle the announcement of a consumer of the peer. */
static struct doca_task *doca_priv_comch_hear_consumer(struct doca_comch_connection *connection,
                                                       uint32_t id,
                                                       struct doca_priv_local_packet *packet)
{
    struct doca_priv_comch_lane *lane = doca_priv_comch_conn_free_lane(connection, id);

    if (packet->num_fds != DOCA_PRIV_LOCAL_FDS || lane == NULL) {
        doca_priv_local_close_fds(packet);
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    doca_priv_comch_lane_close(lane);
    if (!doca_priv_comch_lane_import(lane, packet->fds, id)) {
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    DOCA_PRIV_STORE(&connection->lane_of[id % DOCA_CORE_COMCH_MAX_CONSUMERS],
                    (uint8_t)(lane - connection->lanes));
    return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_CONSUMER_NEW, NULL, id);
}

static struct doca_task *doca_priv_comch_hear_expired(struct doca_comch_connection *connection,
                                                      uint32_t id)
{
    struct doca_priv_comch_lane *lane = doca_priv_comch_lane_of(connection, id);

    if (lane->ring == NULL || lane->id != id || DOCA_PRIV_LOAD(&lane->is_live) == 0) {
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    DOCA_PRIV_STORE(&lane->is_live, 0u);
    (void)doca_priv_sys_event_signal(lane->room_fd);
    return doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_CONSUMER_EXPIRED, NULL, id);
}

/* Handle the end of a connection: the peer has ended, or either side has closed the connection, and
 * all packets are read. A client then stops. */
static struct doca_task *doca_priv_comch_hear_end(struct doca_comch_connection *connection)
{
    struct doca_priv_comch *c = connection->comch;
    const bool was_up = connection->was_up;

    doca_priv_comch_conn_end(connection);
    if (c->rep != NULL)
        return was_up
                   ? doca_priv_comch_make_event(connection, DOCA_PRIV_COMCH_DISCONNECTED, NULL, 0)
                   : NULL;
    if (c->ctx.obj.state == DOCA_CTX_STATE_RUNNING) {
        (void)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET, DOCA_CORE_ITEM_COMCH_LOST,
                             DOCA_PRIV_COMCH_WHERE, c);
        doca_priv_ctx_enter_stopping(&c->ctx, DOCA_ERROR_CONNECTION_RESET, DOCA_PRIV_COMCH_WHERE);
    }
    return NULL;
}

/* Receive one packet, if there is one. Returns the event that the packet causes, or NULL. */
DOCA_PRIV_DECL struct doca_task *doca_priv_comch_hear(struct doca_comch_connection *connection)
{
    const struct doca_priv_comch *c = connection->comch;
    struct doca_priv_local_packet packet;
    struct doca_priv_local_head head;
    struct doca_task *task = NULL;
    size_t len;

    if (connection->obj.state == DOCA_PRIV_COMCH_FREE ||
        connection->obj.state == DOCA_PRIV_COMCH_GONE)
        return NULL;
    doca_priv_local_receive(connection->fd, c->inbox, DOCA_PRIV_COMCH_PACKET(c->max_msg) + 1,
                            &packet);
    if (packet.bytes < 0)
        return NULL;
    if (packet.bytes == 0)
        return doca_priv_comch_hear_end(connection);
    if ((size_t)packet.bytes < sizeof(head)) {
        doca_priv_local_close_fds(&packet);
        doca_priv_comch_nonsense(connection);
        return NULL;
    }
    DOCA_CORE_MEMCPY(&head, c->inbox, sizeof(head));
    len = (size_t)packet.bytes - sizeof(head);
    if (head.type == DOCA_PRIV_COMCH_CONSUMER && connection->obj.state == DOCA_PRIV_COMCH_UP)
        return doca_priv_comch_hear_consumer(connection, head.number, &packet);
    if (packet.num_fds > 0) {
        doca_priv_local_close_fds(&packet);
        doca_priv_comch_nonsense(connection);
    } else if (connection->obj.state == DOCA_PRIV_COMCH_GREETING && c->rep != NULL) {
        task = doca_priv_comch_hear_hello(connection, &head, len);
    } else if (!connection->was_up) { /* a client that stopped before it received the answer */
        if (c->rep == NULL && head.type == DOCA_PRIV_COMCH_WELCOME)
            connection->was_up = true;
        else
            doca_priv_comch_nonsense(connection);
    } else if (head.type == DOCA_PRIV_COMCH_MESSAGE) {
        task = doca_priv_comch_hear_message(connection, len);
    } else if (head.type == DOCA_PRIV_COMCH_EXPIRED) {
        task = doca_priv_comch_hear_expired(connection, head.number);
    } else {
        doca_priv_comch_nonsense(connection);
    }
    return task;
}

/* Receive the answer of a server, if it has arrived. Returns SUCCESS when the connection is UP,
 * IN_PROGRESS when there is no answer yet, or an error that was logged. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_hear_answer(struct doca_comch_connection *connection)
{
    const struct doca_priv_comch *c = connection->comch;
    struct doca_priv_local_packet packet;
    struct doca_priv_local_head head;

    doca_priv_local_receive(connection->fd, c->inbox, sizeof(head) + 1, &packet);
    if (packet.bytes < 0)
        return DOCA_ERROR_IN_PROGRESS;
    doca_priv_local_close_fds(&packet);
    if (packet.bytes == 0)
        return doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_COMCH_LOST,
                                      DOCA_PRIV_COMCH_WHERE, &c->ctx, 0);
    DOCA_CORE_MEMCPY(&head, c->inbox, sizeof(head));
    if (packet.bytes != (long)sizeof(head) ||
        (head.type != DOCA_PRIV_COMCH_REFUSED && head.type != DOCA_PRIV_COMCH_WELCOME) ||
        (head.type == DOCA_PRIV_COMCH_WELCOME && head.number == 0))
        return doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_COMCH_NONSENSE,
                                      DOCA_PRIV_COMCH_WHERE, &c->ctx, 0);
    if (head.type == DOCA_PRIV_COMCH_REFUSED)
        return doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_COMCH_REFUSED,
                                      DOCA_PRIV_COMCH_WHERE, &c->ctx, head.number);
    connection->max_msg = head.number < c->max_msg ? head.number : c->max_msg;
    DOCA_PRIV_STORE(&connection->obj.state, (uint8_t)DOCA_PRIV_COMCH_UP);
    connection->was_up = true;
    return DOCA_SUCCESS;
}

/* Read and drop the packets of a connection that is hung up, and free its entry. The connection
 * belongs to an endpoint of the Comm Channel, so consumers and producers cannot use it. The loop
 * ends, because the peer cannot add packets to those in the socket. */
DOCA_PRIV_DECL void doca_priv_comch_drain(struct doca_comch_connection *connection)
{
    while (connection->obj.state == DOCA_PRIV_COMCH_DOWN)
        if (doca_priv_comch_hear(connection) != NULL)
            connection->comch->ctx.num_inflight--;
    if (connection->obj.state == DOCA_PRIV_COMCH_GONE && !doca_priv_comch_has_children(connection))
        doca_priv_comch_conn_free(connection);
}

/* part: src/compat/comch/channel.c */
/* ---- >>impl.comch.channel -------------------------------------------------------------------
 * Servers and clients as contexts: start, poll, stop. The epoll set of a context contains the
 * sockets of its connections, each with the number of its connection; the socket on which a server
 * listens; and an eventfd. Consumers and producers of other threads signal the eventfd when they
 * are destroyed, or when they have a packet that the socket had no room for.                    */

/* Numbers in the epoll set of the descriptors that do not belong to connections. */
#define DOCA_PRIV_COMCH_LISTENER 0xffffffffu
#define DOCA_PRIV_COMCH_WAKE 0xfffffffeu

/* After EAGER polls in a row that found nothing, a context asks the kernel only in every LAZY-th
 * poll. So it takes little time from the other contexts of a busy progress engine. */
#define DOCA_PRIV_COMCH_EAGER 64u
#define DOCA_PRIV_COMCH_LAZY 16u

#define DOCA_PRIV_COMCH_ENDED_IN_TURN 8u /* completed sends in a row before other events are polled
                                          * for */

/* If the kernel reported a single ready connection and it had a packet, up to this many polls
 * receive from this connection without asking the kernel again, until one of them finds nothing.
 * The first poll after the program has slept tries the connection of the latest packet as well,
 * because most programs have one busy connection. If that connection has no packet, the poll asks
 * the kernel. */
#define DOCA_PRIV_COMCH_AGAIN 16u

/* Most programs that sleep get one message, answer it, and sleep again. Therefore the poll after
 * the first message of a wake-up reports that nothing is left, without a system call that would
 * delay the answer. The check follows when the program goes to sleep: the handle becomes readable
 * at once if a packet has arrived. After such a packet, and after each second message of a wake-up,
 * this many wake-ups do look for a second message. */
#define DOCA_PRIV_COMCH_SECONDS 16u

DOCA_PRIV_DECL size_t doca_priv_comch_block_bytes(uint32_t max_conns, uint32_t max_msg)
{
    return doca_priv_size(max_conns, sizeof(struct doca_comch_connection),
                          DOCA_PRIV_COMCH_PACKET(max_msg) + 1 + DOCA_CORE_LINE);
}

static bool doca_priv_comch_watch(int set, int fd, uint32_t number)
{
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = EPOLLIN;
    event.data.u32 = number;
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Return the name by which clients and servers of a function find each other; an empty string when
 * the function has none. The name is not always the PCI address, because an SF has the PCI address
 * of its PF. */
DOCA_PRIV_DECL const char *doca_priv_comch_name_of(const struct doca_core_dev_attr *attr)
{
    return attr->func_type == DOCA_PCI_FUNC_TYPE_SF || attr->pci_addr[0] == '\0' ? attr->vuid
                                                                                 : attr->pci_addr;
}

/* The name of the function of a client's device, or of a server's representor. */
static const char *doca_priv_comch_function(const struct doca_priv_comch *c)
{
    return doca_priv_comch_name_of(c->rep != NULL ? &c->rep->info.info.attr
                                                  : &c->ctx.dev->info.attr);
}

/* Free the connections whose packets are all read and which have no consumer and no producer. */
static void doca_priv_comch_sweep(struct doca_priv_comch *c)
{
    uint32_t i;

    c->has_gone = false;
    for (i = 0; i < c->max_conns; i++) {
        if (c->conns[i].obj.state != DOCA_PRIV_COMCH_GONE)
            continue;
        if (doca_priv_comch_has_children(&c->conns[i]))
            c->has_gone = true;
        else
            doca_priv_comch_conn_free(&c->conns[i]);
    }
}

/* Handle a signal of another thread: its consumers or producers were destroyed, or could not
 * send. */
static void doca_priv_comch_hear_wake(struct doca_priv_comch *c)
{
    uint32_t i;

    (void)doca_priv_sys_event_drain(c->wake_fd);
    doca_priv_comch_sweep(c);
    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state == DOCA_PRIV_COMCH_UP)
            doca_priv_comch_conn_flush(&c->conns[i]);
}

/* Handle a descriptor that was ready when the kernel was asked. Its connection may have ended
 * since, and a new connection may have the same entry of c->conns. */
static struct doca_task *doca_priv_comch_handle(struct doca_priv_comch *c,
                                                const struct epoll_event *event)
{
    struct doca_comch_connection *connection;

    if (event->data.u32 == DOCA_PRIV_COMCH_LISTENER) {
        if (c->listener >= 0)
            doca_priv_comch_accept_all(c);
        return NULL;
    }
    if (event->data.u32 == DOCA_PRIV_COMCH_WAKE) {
        doca_priv_comch_hear_wake(c);
        return NULL;
    }
    connection = &c->conns[event->data.u32];
    if ((event->events & EPOLLOUT) != 0 && connection->obj.state != DOCA_PRIV_COMCH_FREE)
        doca_priv_comch_conn_flush(connection);
    return (event->events & ~(uint32_t)EPOLLOUT) != 0 ? doca_priv_comch_hear(connection) : NULL;
}

/* Ask the kernel which descriptors are ready. The set is level-triggered: the kernel reports a
 * descriptor again while it stays ready. If more than DOCA_PRIV_COMCH_READY descriptors are
 * ready, the kernel reports them in rotation. */
static void doca_priv_comch_ask(struct doca_priv_comch *c)
{
    const int num = epoll_wait(c->set, c->ready, DOCA_PRIV_COMCH_READY, 0);

    c->num_ready = num > 0 ? (uint32_t)num : 0;
    c->next_ready = 0;
    c->num_empty = num > 0 ? 0 : c->num_empty + 1;
    c->num_again = 0;
    c->owes_look = false;
}

/* Receive from the connection that had the latest packet, without asking the kernel whether it has
 * another one. */
static struct doca_task *doca_priv_comch_look_again(struct doca_priv_comch *c, bool is_guess)
{
    const bool is_second = c->is_second && !is_guess;
    struct doca_task *task = NULL;

    c->owes_look = is_second && c->num_seconds == 0;
    if (!c->owes_look) {
        c->num_again++;
        task = doca_priv_comch_hear(&c->conns[c->again]);
        if (is_second)
            c->num_seconds = task != NULL ? DOCA_PRIV_COMCH_SECONDS : c->num_seconds - 1;
    }
    c->is_second = is_guess && task != NULL;
    c->is_alone = task != NULL;
    return task;
}

/* Handle ready descriptors until there is an event for the program. All descriptors that one
 * call of epoll has reported are handled before the next call, so that a busy connection does not
 * delay the others. */
static struct doca_task *doca_priv_comch_look(struct doca_priv_comch *c)
{
    struct doca_task *task = NULL;
    const bool is_guess = c->is_guess && c->num_ready <= 1;

    if (c->has_gone)
        doca_priv_comch_sweep(c);
    c->is_guess = false;
    if ((c->is_alone || is_guess) && c->next_ready == c->num_ready &&
        c->num_again < DOCA_PRIV_COMCH_AGAIN) {
        task = doca_priv_comch_look_again(c, is_guess);
        if (task != NULL || !is_guess)
            return task;
    }
    if (c->next_ready == c->num_ready)
        doca_priv_comch_ask(c);
    while (task == NULL && c->next_ready < c->num_ready)
        task = doca_priv_comch_handle(c, &c->ready[c->next_ready++]);
    c->is_alone = task != NULL && c->num_ready == 1;
    if (task != NULL)
        c->again = c->ready[c->next_ready - 1].data.u32;
    return task;
}

/* Return completed sends first. After some of them, look for other events: a program that submits a
 * send after each completion must also get its other events. */
static struct doca_task *doca_priv_comch_poll(struct doca_core_queue *queue)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);
    struct doca_task *task;

    if (queue->first != NULL && ++c->num_ended % DOCA_PRIV_COMCH_ENDED_IN_TURN != 0)
        return doca_priv_local_take_ended(queue);
    if (queue->first == NULL && c->num_empty >= DOCA_PRIV_COMCH_EAGER &&
        c->ctx.obj.state == DOCA_CTX_STATE_RUNNING && ++c->num_empty % DOCA_PRIV_COMCH_LAZY != 0)
        return NULL;
    task = doca_priv_comch_look(c);
    return task != NULL ? task : doca_priv_local_take_ended(queue);
}

static doca_error_t doca_priv_comch_post(struct doca_core_queue *queue, struct doca_task *task)
{
    const struct doca_comch_task_send *send =
        (const struct doca_comch_task_send *)(const void *)task;
    struct doca_comch_connection *connection = send->connection;
    enum doca_priv_local_sent sent = DOCA_PRIV_LOCAL_FULL;

    if (!doca_priv_comch_is_connection(connection) || send->serial != connection->serial ||
        connection->obj.state == DOCA_PRIV_COMCH_GREETING)
        return DOCA_ERROR_BAD_STATE;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, task, 0, 0);)
    if (connection->obj.state != DOCA_PRIV_COMCH_UP)
        sent = DOCA_PRIV_LOCAL_BROKEN;
    else if (connection->unsent == NULL)
        sent = doca_priv_local_send(connection->fd, DOCA_PRIV_COMCH_MESSAGE, 0, send->bytes,
                                    send->len, NULL);
    if (doca_likely(sent == DOCA_PRIV_LOCAL_SENT)) {
        connection->counts[0]++;
        connection->counts[1] += send->len;
        doca_priv_local_end_task(queue, task, DOCA_SUCCESS);
    } else if (sent == DOCA_PRIV_LOCAL_BROKEN) {
        (void)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET, DOCA_CORE_ITEM_COMCH_LOST,
                             "doca_task_submit", task);
        doca_priv_local_end_task(queue, task, DOCA_ERROR_CONNECTION_RESET);
    } else {
        task->next = NULL;
        if (connection->unsent == NULL)
            connection->unsent = task;
        else
            connection->unsent_last->next = task;
        connection->unsent_last = task;
        doca_priv_comch_conn_await_room(connection);
    }
    return DOCA_SUCCESS;
}

static size_t doca_priv_comch_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                          uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return sizeof(struct doca_priv_comch_queue);
}

/* Release all resources of an open context. */
static void doca_priv_comch_close(struct doca_core_queue *queue)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);
    uint32_t i;

    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state != DOCA_PRIV_COMCH_FREE)
            doca_priv_comch_conn_free(&c->conns[i]);
    doca_priv_sys_close(c->listener);
    doca_priv_sys_close(c->wake_fd);
    doca_priv_sys_close(c->set);
    (void)doca_core_arena_give(c->ctx.arena, c->block);
    c->block = NULL;
    c->conns = NULL;
}

static doca_error_t doca_priv_comch_refuse_start(struct doca_priv_comch *c,
                                                 struct doca_core_refusal *why,
                                                 const char *function)
{
    doca_error_t rc;

    if (c->set >= 0 && c->wake_fd >= 0 && why->error == EADDRINUSE)
        rc = doca_priv_fail(DOCA_ERROR_ALREADY_EXIST, DOCA_CORE_ITEM_COMCH_NAME_TAKEN, function,
                            &c->ctx);
    else
        rc = doca_priv_fail_refused(DOCA_CORE_ITEM_COMCH_SYSTEM, function, &c->ctx, why);
    doca_priv_comch_close(c->queue);
    return rc;
}

static doca_error_t doca_priv_comch_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                         const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)(void *)ctx;
    struct doca_core_refusal why;
    doca_error_t rc;

    (void)num_tasks;
    rc = doca_priv_arena_take(ctx->arena, doca_priv_comch_block_bytes(c->max_conns, c->max_msg),
                              &c->block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(c->block, 0, doca_priv_comch_block_bytes(c->max_conns, c->max_msg));
    c->conns = (struct doca_comch_connection *)c->block;
    c->inbox = (uint8_t *)((uintptr_t)(c->conns + c->max_conns) / DOCA_CORE_LINE * DOCA_CORE_LINE +
                           DOCA_CORE_LINE);
    c->queue = ctx->queue;
    ((struct doca_priv_comch_queue *)(void *)ctx->queue)->comch = c;
    ctx->queue->post = doca_priv_comch_post;
    ctx->queue->poll = doca_priv_comch_poll;
    c->num_empty = 0;
    c->again = 0;
    c->num_again = 0;
    c->is_alone = false;
    c->is_guess = false;
    c->is_second = false;
    c->owes_look = false;
    c->num_seconds = 0;
    c->num_ready = 0;
    c->next_ready = 0;
    c->opening = DOCA_ERROR_IN_PROGRESS;
    c->listener = -1;
    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    c->set = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC));
    c->wake_fd = doca_priv_sys_event_open();
    if (c->set < 0 || c->wake_fd < 0 ||
        !doca_priv_comch_watch(c->set, c->wake_fd, DOCA_PRIV_COMCH_WAKE)) {
        why.step = DOCA_PRIV_LOG_TEXT("open an epoll set with an eventfd");
        why.error = errno;
        return doca_priv_comch_refuse_start(c, &why, function);
    }
    if (c->rep == NULL)
        return DOCA_ERROR_IN_PROGRESS;
    c->listener = doca_priv_comch_listen(doca_priv_comch_function(c), c->name, &why);
    if (c->listener < 0)
        return doca_priv_comch_refuse_start(c, &why, function);
    if (!doca_priv_comch_watch(c->set, c->listener, DOCA_PRIV_COMCH_LISTENER)) {
        why.step = DOCA_PRIV_LOG_TEXT("watch the socket of the server");
        why.error = errno;
        return doca_priv_comch_refuse_start(c, &why, function);
    }
    return DOCA_SUCCESS;
}

/* Begin to connect a client. */
static doca_error_t doca_priv_comch_dial_server(struct doca_priv_comch *c)
{
    struct doca_priv_comch_hello hello;
    struct doca_comch_connection *connection;
    struct doca_core_refusal why;
    doca_error_t rc;
    int fd;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    fd = doca_priv_comch_dial(doca_priv_comch_function(c), c->name, &why);
    if (fd < 0 && why.error == EAGAIN)
        return DOCA_ERROR_IN_PROGRESS;
    if (fd < 0)
        return why.error == ECONNREFUSED
                   ? doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED,
                                            DOCA_CORE_ITEM_COMCH_NO_SERVER, "doca_pe_progress",
                                            &c->ctx, 0)
                   : doca_core_backend_refuse(DOCA_ERROR_OPERATING_SYSTEM,
                                              DOCA_CORE_ITEM_COMCH_SYSTEM, "doca_pe_progress",
                                              &c->ctx, &why);
    if (!doca_priv_local_is_same_user(fd)) {
        doca_priv_sys_close(fd);
        return doca_core_backend_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_COMCH_FOREIGN,
                                      "doca_pe_progress", &c->ctx, 0);
    }
    rc = doca_priv_fault_call(&c->ctx, DOCA_PRIV_FAULT_COMCH_CONNECT);
    if (rc != DOCA_SUCCESS) {
        doca_priv_sys_close(fd);
        return rc;
    }
    connection = doca_priv_comch_conn_open(c, fd);
    if (connection == NULL) {
        why.step = DOCA_PRIV_LOG_TEXT("watch the socket of the client");
        why.error = errno;
        doca_priv_sys_close(fd);
        return doca_core_backend_refuse(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_COMCH_SYSTEM,
                                        "doca_pe_progress", &c->ctx, &why);
    }
    DOCA_CORE_MEMSET(&hello, 0, sizeof(hello));
    hello.version = DOCA_PRIV_COMCH_VERSION;
    hello.max_msg = c->max_msg;
    DOCA_CORE_MEMCPY(hello.name, c->name, sizeof(hello.name));
    (void)doca_priv_local_send(fd, DOCA_PRIV_COMCH_HELLO, 0, &hello, sizeof(hello), NULL);
    return DOCA_ERROR_IN_PROGRESS;
}

static doca_error_t doca_priv_comch_opening(struct doca_core_queue *queue)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);

    if (c->opening == DOCA_ERROR_IN_PROGRESS)
        c->opening = c->conns[0].obj.state == DOCA_PRIV_COMCH_FREE
                         ? doca_priv_comch_dial_server(c)
                         : doca_priv_comch_hear_answer(&c->conns[0]);
    return c->opening;
}

static void doca_priv_comch_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);
    uint32_t i;

    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state != DOCA_PRIV_COMCH_FREE)
            doca_priv_comch_conn_drop_unsent(&c->conns[i], status);
}

/* Most packets need no check here: the epoll set is level-triggered and always armed, so packets
 * make the notification handle readable without help. But an edge-triggered watch of the handle
 * does not report packets that arrived before the program went to sleep. Therefore, when a poll has
 * reported nothing without a look at the sockets (owes_look), this function looks. */
static bool doca_priv_comch_ready(struct doca_core_queue *queue)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);

    if (queue->first != NULL)
        return true;
    if (!c->owes_look)
        return false;
    c->owes_look = false;
    if (!doca_priv_local_is_readable(c->set))
        return false;
    c->num_seconds = DOCA_PRIV_COMCH_SECONDS;
    return true;
}

static int doca_priv_comch_fd(struct doca_core_queue *queue)
{
    return doca_priv_comch_of(queue)->set;
}

static void doca_priv_comch_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_comch *c = doca_priv_comch_of(queue);

    /* the descriptors of the set stay readable until their packets are read */
    if (!armed)
        c->is_guess = true;
}

static void doca_priv_comch_begin_stop(struct doca_ctx *ctx)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)(void *)ctx;
    uint32_t i;

    if (c->listener >= 0)
        doca_priv_sys_unwatch(c->set, c->listener);
    doca_priv_sys_close(c->listener);
    c->listener = -1;
    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state == DOCA_PRIV_COMCH_GREETING ||
            c->conns[i].obj.state == DOCA_PRIV_COMCH_UP)
            doca_priv_comch_conn_hang_up(&c->conns[i]);
}

static bool doca_priv_comch_can_stop(struct doca_ctx *ctx)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)(void *)ctx;
    uint32_t i;

    doca_priv_comch_sweep(c);
    for (i = 0; i < c->max_conns; i++)
        if (c->conns[i].obj.state != DOCA_PRIV_COMCH_FREE)
            return false;
    return true;
}

static bool doca_priv_comch_is_supported(const struct doca_core_limits *limits)
{
    (void)limits; /* create has checked the side of the device */
    return true;
}

static doca_error_t doca_priv_comch_check(const struct doca_task *task, enum doca_core_item *item)
{
    const struct doca_comch_task_send *send =
        (const struct doca_comch_task_send *)(const void *)task;

    *item = DOCA_CORE_ITEM_COMCH_NOT_UP;
    return doca_priv_comch_is_connection(send->connection) &&
                   send->connection->obj.state == DOCA_PRIV_COMCH_UP
               ? DOCA_SUCCESS
               : DOCA_ERROR_BAD_STATE;
}

static bool doca_priv_comch_is_complete(const struct doca_task *task)
{
    (void)task;
    return true;
}

static void doca_priv_comch_settle(struct doca_task *task)
{
    (void)task;
}

static uint64_t doca_priv_comch_task_bytes(const struct doca_task *task)
{
    return ((const struct doca_comch_task_send *)(const void *)task)->len;
}

DOCA_PRIV_DECL const struct doca_priv_engine doca_priv_comch_engine = {
    DOCA_PRIV_ENGINE_NONE,        false,
    doca_priv_comch_is_supported, doca_priv_comch_check,
    doca_priv_comch_is_complete,  doca_priv_comch_settle,
    doca_priv_comch_open,         doca_priv_comch_begin_stop,
    doca_priv_comch_can_stop,     NULL,
    doca_priv_comch_task_bytes
};

static const struct doca_core_backend doca_priv_comch_backend = DOCA_PRIV_LOCAL_TABLE(
    "comch", doca_priv_comch_queue_bytes, doca_priv_comch_opening, doca_priv_comch_close,
    doca_priv_comch_flush, doca_priv_comch_ready, doca_priv_comch_fd, doca_priv_comch_arm);

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_comch_faults, "comch", doca_priv_comch_queue_bytes,
                        doca_priv_comch_backend, DOCA_PRIV_FAULT_COMCH, 0, NULL)

/* Return the table of servers and clients of a device. */
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_comch_backend, doca_priv_comch_faults);
}

/* part: src/compat/comch/create.c */
/* ---- >>impl.comch.create --------------------------------------------------------------------
 * Capabilities of devices; servers and clients from create to destroy.                          */

/* Return a limit that is the same for all devices. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_limit(const struct doca_devinfo *devinfo, uint32_t *to,
                                                  uint32_t limit, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, to, function);

    if (rc == DOCA_SUCCESS)
        *to = limit;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo,
                                                            uint32_t *max_name_len)
{
    return doca_priv_comch_limit(devinfo, max_name_len, DOCA_CORE_COMCH_MAX_NAME, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo,
                                                            uint32_t *size)
{
    return doca_priv_comch_limit(devinfo, size, DOCA_CORE_COMCH_MAX_MSG, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *size)
{
    return doca_priv_comch_limit(devinfo, size, DOCA_CORE_COMCH_MAX_RECV_QUEUE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo,
                                                           uint32_t *num_clients)
{
    return doca_priv_comch_limit(devinfo, num_clients, DOCA_CORE_COMCH_MAX_CLIENTS, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
                                                              uint32_t *max_send_tasks)
{
    return doca_priv_comch_limit(devinfo, max_send_tasks, DOCA_CORE_COMCH_MAX_SEND_TASKS, __func__);
}

/* Check that a device belongs to a DPU or to its host. */
DOCA_PRIV_DECL doca_error_t doca_priv_comch_check_card(const struct doca_devinfo *devinfo,
                                                       const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, devinfo, function);

    if (rc == DOCA_SUCCESS && devinfo->attr.limits.has_no_comch != 0)
        rc = doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMCH_NO_DPU, function,
                            devinfo);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo)
{
    doca_error_t rc = doca_priv_comch_check_card(devinfo, __func__);

    if (rc == DOCA_SUCCESS &&
        (devinfo->attr.side == DOCA_CORE_SIDE_HOST || devinfo->attr.rep_filters == 0))
        rc = DOCA_PRIV_FAIL(NOT_SUPPORTED, COMCH_NOT_SERVER, devinfo);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo)
{
    doca_error_t rc = doca_priv_comch_check_card(devinfo, __func__);

    if (rc == DOCA_SUCCESS && devinfo->attr.side == DOCA_CORE_SIDE_DPU)
        rc = DOCA_PRIV_FAIL(NOT_SUPPORTED, COMCH_NOT_CLIENT, devinfo);
    return rc;
}

static void doca_priv_comch_send_ended(struct doca_task *task)
{
    const struct doca_priv_comch *c = (const struct doca_priv_comch *)(const void *)task->ctx;

    (task->status == DOCA_SUCCESS ? c->send_done : c->send_failed)(
        (struct doca_comch_task_send *)DOCA_PRIV_HANDLE(task), task->user_data, c->ctx.user_data);
}

/* Set the initial settings of a new object. The caller has checked the length of `name`. */
static void doca_priv_comch_init(struct doca_priv_comch *c, uint8_t kind,
                                 struct doca_core_arena *arena, struct doca_dev *dev,
                                 struct doca_dev_rep *rep, const char *name)
{
    c->send_stock.done = doca_priv_comch_send_ended;
    c->send_stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    c->rep = rep;
    c->max_msg = DOCA_CORE_COMCH_MAX_MSG;
    c->recv_queue_size = DOCA_PRIV_COMCH_RECV_QUEUE;
    c->max_conns = rep != NULL ? DOCA_CORE_COMCH_MAX_CLIENTS : 1;
    DOCA_CORE_MEMCPY(c->name, name, doca_priv_str_len(name) + 1);
    doca_priv_ctx_init(&c->ctx, kind, &doca_priv_comch_engine, doca_priv_comch_backend_of(dev),
                       arena, dev, 1);
}

/* Create a server, or a client when `rep` is NULL, in `arena`. NULL selects the arena of the
 * device. */
static doca_error_t doca_priv_comch_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                           struct doca_dev_rep *rep, const char *name, uint8_t kind,
                                           void **object, const char *function)
{
    const struct doca_core_dev_attr *attr;
    void *block = NULL;
    doca_error_t rc;

    if (name == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    if (name[0] == '\0' || doca_priv_str_len(name) >= DOCA_CORE_COMCH_MAX_NAME)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_NAME, function, NULL);
    rc = kind == DOCA_PRIV_KIND_COMCH_SERVER
             ? doca_comch_cap_server_is_supported(doca_dev_as_devinfo(dev))
             : doca_comch_cap_client_is_supported(doca_dev_as_devinfo(dev));
    if (rc != DOCA_SUCCESS)
        return rc;
    if (rep != NULL && rep->dev != dev)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_REP, function, rep);
    attr = rep != NULL ? &rep->info.info.attr : &dev->info.attr;
    if (doca_priv_comch_name_of(attr)[0] == '\0')
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMCH_FUNCTION, function,
                              dev);
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(struct doca_priv_comch), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_comch_init((struct doca_priv_comch *)block, kind, arena, dev, rep, name);
    if (rep != NULL) {
        doca_priv_lock(&doca_priv_world.lock);
        rep->num_opens++;
        doca_priv_unlock(&doca_priv_world.lock);
    }
    *object = DOCA_PRIV_HANDLE(block);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_comch_create_server(struct doca_core_arena *arena,
                                                  struct doca_dev *dev, struct doca_dev_rep *rep,
                                                  const char *name,
                                                  struct doca_comch_server **server,
                                                  const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, server, function);
    void *object = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(rep, DOCA_PRIV_KIND_DEV_REP, rep, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_comch_create(arena, dev, rep, name, DOCA_PRIV_KIND_COMCH_SERVER, &object,
                                    function);
    if (rc == DOCA_SUCCESS)
        *server = (struct doca_comch_server *)object;
    return rc;
}

static doca_error_t doca_priv_comch_create_client(struct doca_core_arena *arena,
                                                  struct doca_dev *dev, const char *name,
                                                  struct doca_comch_client **client,
                                                  const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, client, function);
    void *object = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_comch_create(arena, dev, NULL, name, DOCA_PRIV_KIND_COMCH_CLIENT, &object,
                                    function);
    if (rc == DOCA_SUCCESS)
        *client = (struct doca_comch_client *)object;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_create(struct doca_dev *dev,
                                                     struct doca_dev_rep *repr, const char *name,
                                                     struct doca_comch_server **comch_server)
{
    return doca_priv_comch_create_server(NULL, dev, repr, name, comch_server, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comch_server_create_in(struct doca_core_arena *arena,
                                                             struct doca_dev *dev,
                                                             struct doca_dev_rep *repr,
                                                             const char *name,
                                                             struct doca_comch_server **server)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, server, __func__);

    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_comch_create_server(arena, dev, repr, name, server, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
                                                     struct doca_comch_client **comch_client)
{
    return doca_priv_comch_create_client(NULL, dev, name, comch_client, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comch_client_create_in(struct doca_core_arena *arena,
                                                             struct doca_dev *dev, const char *name,
                                                             struct doca_comch_client **client)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, client, __func__);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_comch_create_client(arena, dev, name, client, __func__);
}

static doca_error_t doca_priv_comch_destroy(struct doca_priv_comch *c, const char *function)
{
    struct doca_dev_rep *rep = c->rep;
    doca_error_t rc;

    if (c->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CTX_NOT_IDLE, function, c);
    rc = doca_priv_ctx_destroy(&c->ctx, function);
    if (rc == DOCA_SUCCESS && rep != NULL)
        rc = doca_dev_rep_close(rep);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server)
{
    DOCA_PRIV_OPEN(comch_server)
    if (!doca_priv_is(comch_server, DOCA_PRIV_KIND_COMCH_SERVER))
        return DOCA_PRIV_FAIL_HANDLE(comch_server);
    return doca_priv_comch_destroy(&comch_server->comch, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client)
{
    DOCA_PRIV_OPEN(comch_client)
    if (!doca_priv_is(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT))
        return DOCA_PRIV_FAIL_HANDLE(comch_client);
    return doca_priv_comch_destroy(&comch_client->comch, __func__);
}

/* Compute the arena bytes of a started server or client. */
static doca_error_t doca_priv_comch_bytes(struct doca_dev *dev, uint32_t max_conns,
                                          uint32_t num_send_tasks, uint32_t max_msg, size_t *bytes,
                                          const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, function);
    struct doca_priv_comch c;
    size_t block = 0;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (max_conns == 0 || max_conns > DOCA_CORE_COMCH_MAX_CLIENTS || max_msg == 0 ||
        max_msg > DOCA_CORE_COMCH_MAX_MSG || num_send_tasks > DOCA_CORE_COMCH_MAX_SEND_TASKS)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_LIMIT, function, dev);
    DOCA_CORE_MEMSET(&c, 0, sizeof(c));
    c.ctx.dev = dev;
    c.ctx.backend = doca_priv_comch_backend_of(dev);
    c.ctx.engine = &doca_priv_comch_engine;
    c.ctx.num_stocks = 1;
    c.send_stock.num = num_send_tasks;
    c.send_stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    rc = doca_priv_ctx_bytes(&c.ctx, sizeof(c), bytes, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_bytes_object(doca_priv_comch_block_bytes(max_conns, max_msg), &block,
                                    function);
    *bytes += block;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_server(struct doca_dev *dev, uint32_t num_clients,
                                                         uint32_t num_send_tasks, uint32_t max_msg,
                                                         size_t *bytes)
{
    return doca_priv_comch_bytes(dev, num_clients, num_send_tasks, max_msg, bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_client(struct doca_dev *dev,
                                                         uint32_t num_send_tasks, uint32_t max_msg,
                                                         size_t *bytes)
{
    return doca_priv_comch_bytes(dev, 1, num_send_tasks, max_msg, bytes, __func__);
}

/* part: src/compat/comch/settings.c */
/* ---- >>impl.comch.settings ------------------------------------------------------------------
 * Settings and callbacks of servers and clients, and calls for their connections. The calls for
 * servers differ from the calls for clients only in the type of the handle.                     */

/* Check that a server or client may be configured. */
static doca_error_t doca_priv_comch_change(const struct doca_priv_comch *c, uint8_t kind,
                                           const char *function)
{
    doca_error_t rc = doca_priv_check_args(c, kind, c, function);

    return rc != DOCA_SUCCESS ? rc : doca_priv_ctx_change(&c->ctx, DOCA_ERROR_BAD_STATE, function);
}

enum doca_priv_comch_number {
    DOCA_PRIV_COMCH_MSG_SIZE,
    DOCA_PRIV_COMCH_RECV_SIZE,
    DOCA_PRIV_COMCH_CLIENTS
};

static uint32_t *doca_priv_comch_number(struct doca_priv_comch *c,
                                        enum doca_priv_comch_number which)
{
    return which == DOCA_PRIV_COMCH_MSG_SIZE    ? &c->max_msg
           : which == DOCA_PRIV_COMCH_RECV_SIZE ? &c->recv_queue_size
                                                : &c->max_conns;
}

static doca_error_t doca_priv_comch_set(void *handle, uint8_t kind,
                                        enum doca_priv_comch_number which, uint32_t value,
                                        const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)handle;
    const uint32_t max = which == DOCA_PRIV_COMCH_MSG_SIZE    ? DOCA_CORE_COMCH_MAX_MSG
                         : which == DOCA_PRIV_COMCH_RECV_SIZE ? DOCA_CORE_COMCH_MAX_RECV_QUEUE
                                                              : DOCA_CORE_COMCH_MAX_CLIENTS;
    DOCA_PRIV_ENTER(c, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_comch_change(c, kind, function);
    if (rc == DOCA_SUCCESS && (value == 0 || value > max))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_LIMIT, function, c);
    if (rc == DOCA_SUCCESS)
        *doca_priv_comch_number(c, which) = value;
    return rc;
}

static doca_error_t doca_priv_comch_get(const void *handle, uint8_t kind,
                                        enum doca_priv_comch_number which, uint32_t *value,
                                        const char *function)
{
    doca_error_t rc = doca_priv_check_args(handle, kind, value, function);

    if (rc == DOCA_SUCCESS)
        *value = *doca_priv_comch_number((struct doca_priv_comch *)(uintptr_t)handle, which);
    return rc;
}

static doca_error_t doca_priv_comch_get_device(const void *handle, uint8_t kind,
                                               struct doca_dev **dev, const char *function)
{
    doca_error_t rc = doca_priv_check_args(handle, kind, dev, function);

    if (rc == DOCA_SUCCESS)
        *dev = ((const struct doca_priv_comch *)handle)->ctx.dev;
    return rc;
}

static doca_error_t doca_priv_comch_set_conf(void *handle, uint8_t kind,
                                             doca_comch_task_send_completion_cb_t done,
                                             doca_comch_task_send_completion_cb_t failed,
                                             uint32_t num_tasks, const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)handle;
    DOCA_PRIV_ENTER(c, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(c, kind, c, function);
    if (rc == DOCA_SUCCESS && (done == NULL || failed == NULL))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function, c);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_ctx_change(&c->ctx, DOCA_ERROR_BAD_STATE, function);
    if (rc == DOCA_SUCCESS && (num_tasks == 0 || num_tasks > DOCA_CORE_COMCH_MAX_SEND_TASKS))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_LIMIT, function, c);
    if (rc != DOCA_SUCCESS)
        return rc;
    c->send_done = done;
    c->send_failed = failed;
    c->send_stock.num = num_tasks;
    return DOCA_SUCCESS;
}

/* Check a call that sets event callbacks. `all_given` says that the program passed all of them. */
static doca_error_t doca_priv_comch_may_register(void *handle, uint8_t kind, bool all_given,
                                                 const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)handle;
    DOCA_PRIV_ENTER(c, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(c, kind, c, function);
    if (rc == DOCA_SUCCESS && !all_given)
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function, c);
    return rc != DOCA_SUCCESS ? rc : doca_priv_ctx_change(&c->ctx, DOCA_ERROR_BAD_STATE, function);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server, uint32_t size)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_set(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_MSG_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server, uint32_t *size)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_get(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_MSG_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server, uint32_t size)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_set(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_RECV_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_get_recv_queue_size(const struct doca_comch_server *comch_server, uint32_t *size)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_get(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_RECV_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_server_get_device(const struct doca_comch_server *comch_server, struct doca_dev **dev)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_get_device(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, dev, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server)
{
    return (struct doca_ctx *)(void *)comch_server;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_task_send_set_conf(
    struct doca_comch_server *comch_server, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_set_conf(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, task_completion_cb,
                                    task_error_cb, num_send_tasks, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_server_event_msg_recv_register(
    struct doca_comch_server *comch_server, doca_comch_event_msg_recv_cb_t recv_event_cb)
{
    DOCA_PRIV_OPEN(comch_server)
    doca_error_t rc = doca_priv_comch_may_register(comch_server, DOCA_PRIV_KIND_COMCH_SERVER,
                                                   recv_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS)
        comch_server->comch.received = recv_event_cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_event_consumer_register(
    struct doca_comch_server *comch_server, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb)
{
    DOCA_PRIV_OPEN(comch_server)
    doca_error_t rc = doca_priv_comch_may_register(
        comch_server, DOCA_PRIV_KIND_COMCH_SERVER,
        new_consumer_event_cb != NULL && expired_consumer_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS) {
        comch_server->comch.consumer_new = new_consumer_event_cb;
        comch_server->comch.consumer_expired = expired_consumer_event_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client, uint32_t size)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_set(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, DOCA_PRIV_COMCH_MSG_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client, uint32_t *size)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_get(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, DOCA_PRIV_COMCH_MSG_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client, uint32_t size)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_set(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, DOCA_PRIV_COMCH_RECV_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_get_recv_queue_size(const struct doca_comch_client *comch_client, uint32_t *size)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_get(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, DOCA_PRIV_COMCH_RECV_SIZE,
                               size, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_client_get_device(const struct doca_comch_client *comch_client, struct doca_dev **dev)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_get_device(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, dev, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client)
{
    return (struct doca_ctx *)(void *)comch_client;
}

DOCA_CORE_DECL doca_error_t doca_comch_client_task_send_set_conf(
    struct doca_comch_client *comch_client, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_set_conf(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, task_completion_cb,
                                    task_error_cb, num_send_tasks, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_client_event_msg_recv_register(
    struct doca_comch_client *comch_client, doca_comch_event_msg_recv_cb_t recv_event_cb)
{
    DOCA_PRIV_OPEN(comch_client)
    doca_error_t rc = doca_priv_comch_may_register(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT,
                                                   recv_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS)
        comch_client->comch.received = recv_event_cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_client_event_consumer_register(
    struct doca_comch_client *comch_client, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb)
{
    DOCA_PRIV_OPEN(comch_client)
    doca_error_t rc = doca_priv_comch_may_register(
        comch_client, DOCA_PRIV_KIND_COMCH_CLIENT,
        new_consumer_event_cb != NULL && expired_consumer_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS) {
        comch_client->comch.consumer_new = new_consumer_event_cb;
        comch_client->comch.consumer_expired = expired_consumer_event_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_get_device_rep(
    const struct doca_comch_server *comch_server, struct doca_dev_rep **rep)
{
    DOCA_PRIV_OPEN(comch_server)
    doca_error_t rc =
        doca_priv_check_args(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, rep, __func__);

    if (rc == DOCA_SUCCESS)
        *rep = comch_server->comch.rep;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_event_connection_status_changed_register(
    struct doca_comch_server *comch_server,
    doca_comch_event_connection_status_changed_cb_t connect_event_cb,
    doca_comch_event_connection_status_changed_cb_t disconnect_event_cb)
{
    DOCA_PRIV_OPEN(comch_server)
    doca_error_t rc = doca_priv_comch_may_register(
        comch_server, DOCA_PRIV_KIND_COMCH_SERVER,
        connect_event_cb != NULL && disconnect_event_cb != NULL, __func__);

    if (rc == DOCA_SUCCESS) {
        comch_server->comch.connected = connect_event_cb;
        comch_server->comch.disconnected = disconnect_event_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
                                                         struct doca_comch_connection *connection)
{
    DOCA_PRIV_OPEN(comch_server)
    DOCA_PRIV_ENTER(comch_server, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, comch_server, __func__);
    if (rc == DOCA_SUCCESS)
        rc =
            doca_priv_check_args(connection, DOCA_PRIV_KIND_COMCH_CONNECTION, connection, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (connection->comch != &comch_server->comch)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_OF_OTHER, connection);
    if (doca_priv_comch_has_children(connection))
        return DOCA_PRIV_FAIL(IN_USE, COMCH_CHILDREN, connection);
    if (connection->obj.state == DOCA_PRIV_COMCH_UP)
        doca_priv_comch_conn_hang_up(connection);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comch_client_get_connection(
    const struct doca_comch_client *comch_client, struct doca_comch_connection **connection)
{
    DOCA_PRIV_OPEN(comch_client)
    doca_error_t rc =
        doca_priv_check_args(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, connection, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (comch_client->comch.conns == NULL ||
        comch_client->comch.conns[0].obj.state == DOCA_PRIV_COMCH_FREE)
        return DOCA_PRIV_FAIL(BAD_STATE, COMCH_NOT_STARTED, comch_client);
    *connection = &comch_client->comch.conns[0];
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_core_comch_server_set_max_clients(struct doca_comch_server *comch_server, uint32_t num_clients)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_set(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, DOCA_PRIV_COMCH_CLIENTS,
                               num_clients, __func__);
}

/* part: src/compat/comch/send.c */
/* ---- >>impl.comch.send ----------------------------------------------------------------------
 * Allocation of the send tasks of servers and clients.                                          */

DOCA_PRIV_ASSERT_STATIC(comch_send_fits_its_slot,
                        sizeof(struct doca_comch_task_send) <= DOCA_PRIV_COMCH_TASK_BYTES);

static doca_error_t doca_priv_comch_alloc(void *handle, uint8_t kind,
                                          struct doca_comch_connection *peer, const void *msg,
                                          uint32_t len, struct doca_comch_task_send **task,
                                          const char *function)
{
    struct doca_priv_comch *c = (struct doca_priv_comch *)handle;
    doca_error_t rc = doca_priv_check_args(c, kind, task, function);
    struct doca_comch_task_send *send;
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(peer, DOCA_PRIV_KIND_COMCH_CONNECTION, peer, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (msg == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function, c);
    if (peer->comch != c)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_OF_OTHER, function,
                              peer);
    if (len > (peer->was_up ? peer->max_msg : c->max_msg))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_TOO_LONG, function,
                              peer);
    rc = doca_priv_task_take(&c->ctx, 0, &taken, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    send = (struct doca_comch_task_send *)(void *)taken;
    send->task.user_data.u64 = 0;
    send->connection = peer;
    send->bytes = msg;
    send->len = len;
    send->serial = peer->serial;
    *task = (struct doca_comch_task_send *)DOCA_PRIV_HANDLE(send);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comch_server_task_send_alloc_init(
    struct doca_comch_server *comch_server, struct doca_comch_connection *peer, const void *msg,
    uint32_t len, struct doca_comch_task_send **task)
{
    DOCA_PRIV_OPEN(comch_server)
    return doca_priv_comch_alloc(comch_server, DOCA_PRIV_KIND_COMCH_SERVER, peer, msg, len, task,
                                 __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_client_task_send_alloc_init(
    struct doca_comch_client *comch_client, struct doca_comch_connection *peer, const void *msg,
    uint32_t len, struct doca_comch_task_send **task)
{
    DOCA_PRIV_OPEN(comch_client)
    return doca_priv_comch_alloc(comch_client, DOCA_PRIV_KIND_COMCH_CLIENT, peer, msg, len, task,
                                 __func__);
}

DOCA_CORE_DECL struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task)
{
    return (struct doca_task *)(void *)task;
}

/* part: src/compat/comch/inlet.c */
/* ---- >>impl.comch.inlet ---------------------------------------------------------------------
 * The queue of a consumer. Posted tasks wait in the order of their tickets; poll completes the
 * oldest one when its message is in the ring.                                                   */

struct doca_priv_comch_inlet {
    struct doca_core_queue queue;
    struct doca_comch_consumer *consumer;
    struct doca_priv_comch_lane lane;
    uint32_t num_posted;      /* the ticket of the next post */
    uint32_t next;            /* the ticket of the oldest posted task */
    uint64_t len;             /* length of the message that is being streamed; 0: no message */
    uint64_t num_read;        /* bytes of this message that have been taken from the ring */
    enum doca_core_item item; /* why this message is discarded; ITEM_NONE: it is not discarded */
    doca_error_t opening;     /* result of the start */
    doca_error_t flush;       /* status with which posted tasks end; SUCCESS: they wait */
    bool is_announced;
    bool owes_wake; /* messages have completed since producers were last woken */
    /* Posted tasks, indexed by ticket % num_slots. NULL: the program freed the task after a
     * producer had claimed the ticket; the message is dropped when it arrives.
     * DOCA_PRIV_COMCH_UNCLAIMED: the program freed the task before a producer claimed the ticket;
     * the ticket is skipped. */
    struct doca_task *posted[1];
};

/* The mark of a skipped ticket in posted[] of the queue `q`: an address that no task has. */
#define DOCA_PRIV_COMCH_UNCLAIMED(q) ((struct doca_task *)(void *)(q))

static struct doca_priv_comch_inlet *doca_priv_comch_inlet_of(struct doca_core_queue *queue)
{
    return (struct doca_priv_comch_inlet *)(void *)queue;
}

/* True when the consumer can write messages into the buffer. The permission for the local device or
 * the permission for PCI is sufficient: programs give the memory of both sides only
 * PCI_READ_WRITE. */
DOCA_PRIV_HOT bool doca_priv_comch_inlet_is_good(const struct doca_comch_consumer *consumer,
                                                 const struct doca_buf *buf)
{
    return (doca_priv_buf_is_head(buf, false, DOCA_PRIV_BUF_LIST) ||
            doca_priv_buf_is_warned_head(buf, DOCA_PRIV_BUF_LIST)) &&
           buf->mmap == consumer->mmap &&
           ((buf->flags & DOCA_PRIV_BUF_WRITE) != 0 ||
            (buf->mmap->access & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0) &&
           (buf->mmap->dev_mask & consumer->ctx.dev->bit) != 0;
}

DOCA_PRIV_DECL bool doca_priv_comch_inlet_takes(const struct doca_comch_consumer *consumer,
                                                const struct doca_buf *buf)
{
    return doca_priv_comch_inlet_is_good(consumer, buf);
}

static doca_error_t doca_priv_comch_inlet_post(struct doca_core_queue *queue,
                                               struct doca_task *task)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);
    struct doca_comch_consumer_task_post_recv *recv =
        (struct doca_comch_consumer_task_post_recv *)(void *)task;
    const uint32_t ticket = q->num_posted, at = ticket & (q->lane.num_slots - 1);
    struct doca_priv_comch_ring *ring = q->lane.ring;
    uint64_t capacity;

    if (doca_unlikely(!doca_priv_comch_inlet_is_good(q->consumer, recv->buf)))
        return DOCA_ERROR_INVALID_VALUE;
    if (doca_unlikely(ticket - q->next == q->lane.num_slots))
        return DOCA_ERROR_AGAIN; /* a skipped ticket keeps its slot while an older ticket waits */
    recv->ticket = ticket;
    q->posted[at] = task;
    q->num_posted = ticket + 1;
    capacity = doca_priv_buf_tailroom(recv->buf);
    if (doca_unlikely(DOCA_PRIV_PEEK(&q->lane.capacities[at]) != capacity))
        DOCA_PRIV_STORE(&q->lane.capacities[at], capacity);
    DOCA_PRIV_STORE(&ring->num_posted, ticket + 1);
    return DOCA_SUCCESS;
}

/* Wake the producers that sleep until a chunk has room. */
static void doca_priv_comch_inlet_wake(const struct doca_priv_comch_inlet *q)
{
    if (DOCA_PRIV_LOAD_ORDERED(&q->lane.ring->producers_sleep) != 0)
        (void)doca_priv_sys_event_signal(q->lane.room_fd);
}

/* Publish that all tickets before q->next have ended, and wake the producers that sleep until a
 * chunk has room. */
static void doca_priv_comch_inlet_show_done(struct doca_priv_comch_inlet *q)
{
    q->owes_wake = false;
    DOCA_PRIV_STORE_ORDERED(&q->lane.ring->num_done, q->next);
    doca_priv_comch_inlet_wake(q);
}

/* True when the ticket is skipped. */
static bool doca_priv_comch_inlet_is_skipped(const struct doca_priv_comch_inlet *q, uint32_t ticket)
{
    return q->posted[ticket & (q->lane.num_slots - 1)] == DOCA_PRIV_COMCH_UNCLAIMED(q);
}

/* Release the slot of the oldest ticket, which is a skipped ticket. */
static void doca_priv_comch_inlet_pass(struct doca_priv_comch_inlet *q)
{
    DOCA_PRIV_STORE(&doca_priv_comch_slot_of(&q->lane, q->next)->turn,
                    DOCA_PRIV_COMCH_TURN(q->next, DOCA_PRIV_COMCH_FILLED));
    q->next++;
    doca_priv_comch_inlet_show_done(q);
}

/* Return the task of the oldest ticket, or NULL if the program freed it. The ticket is not
 * skipped. */
static struct doca_comch_consumer_task_post_recv *
doca_priv_comch_inlet_oldest(const struct doca_priv_comch_inlet *q)
{
    return (struct doca_comch_consumer_task_post_recv *)(void *)
        q->posted[q->next & (q->lane.num_slots - 1)];
}

/* Release the slot of the oldest ticket, and return its task with this status, or NULL if the
 * program freed the task. A producer may sleep until the chunk of this ticket is free, also when
 * the message was short and did not use the chunk. To be sure to see a sleeping producer, this
 * function would need a barrier before it reads producers_sleep, and the barrier makes the core
 * wait until all bytes of the message are written. Therefore the function reads producers_sleep
 * without a barrier, and only after a message in a chunk or a failed message. A sleeping producer
 * that it does not see is woken later: when poll finds no other message, when the consumer goes to
 * sleep, or when the program frees a task. In a ring with a chunk for each slot, no producer waits
 * for the chunk of a short message. */
static struct doca_task *doca_priv_comch_inlet_end(struct doca_priv_comch_inlet *q,
                                                   doca_error_t status)
{
    struct doca_task *task = q->posted[q->next & (q->lane.num_slots - 1)];
    const bool had_chunk = q->len > DOCA_PRIV_COMCH_SHORT || status != DOCA_SUCCESS;

    q->next++;
    q->len = 0;
    DOCA_PRIV_STORE(&q->lane.ring->num_done, q->next);
    q->owes_wake = had_chunk || q->lane.num_slots > DOCA_PRIV_COMCH_MAX_CHUNKS;
    if (had_chunk && doca_unlikely(DOCA_PRIV_LOAD(&q->lane.ring->producers_sleep) != 0))
        doca_priv_comch_inlet_show_done(q);
    if (task != NULL)
        task->status = (uint8_t)status;
    DOCA_PRIV_TRACED(if (task != NULL) doca_priv_trace(DOCA_PRIV_TRACE_END, task, 0, 0);)
    return task;
}

/* Fail the task of the oldest ticket, because it cannot take its message, and end the ticket. */
static struct doca_task *doca_priv_comch_inlet_refuse(struct doca_priv_comch_inlet *q,
                                                      enum doca_core_item item)
{
    struct doca_task *task = doca_priv_comch_inlet_end(q, DOCA_ERROR_IO_FAILED);

    if (task != NULL)
        (void)doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", task);
    return task;
}

/* Copy the bytes of a streamed message that have arrived, and complete the task when all bytes have
 * arrived. A message that is discarded is also read to its end, because its producer writes into
 * the chunk until then. */
static struct doca_task *doca_priv_comch_inlet_stream(struct doca_priv_comch_inlet *q)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_inlet_oldest(q);
    struct doca_priv_comch_chunk *chunk = doca_priv_comch_chunk_of(&q->lane, q->next);
    const uint64_t num_written = DOCA_PRIV_LOAD(&chunk->num_written);
    const uint64_t num = num_written - q->num_read;
    const size_t at = (size_t)(q->num_read % DOCA_PRIV_COMCH_CHUNK);
    unsigned char *to;
    size_t first;

    if (num_written == DOCA_PRIV_COMCH_ABANDONED)
        return doca_priv_comch_inlet_refuse(q, DOCA_CORE_ITEM_COMCH_LOST);
    if (num > DOCA_PRIV_COMCH_CHUNK || num > q->len - q->num_read)
        return doca_priv_comch_inlet_refuse(q, DOCA_CORE_ITEM_COMCH_NONSENSE);
    if (num == 0)
        return DOCA_PRIV_LOAD(&q->consumer->connection->obj.state) == DOCA_PRIV_COMCH_UP
                   ? NULL
                   : doca_priv_comch_inlet_refuse(q, DOCA_CORE_ITEM_COMCH_LOST);
    if (recv == NULL)
        q->item = DOCA_CORE_ITEM_FLUSHED;
    if (q->item == DOCA_CORE_ITEM_NONE) {
        first = DOCA_PRIV_COMCH_CHUNK - at < num ? DOCA_PRIV_COMCH_CHUNK - at : (size_t)num;
        to = recv->buf->data + recv->buf->data_len + q->num_read;
        DOCA_CORE_MEMCPY(to, chunk->bytes + at, first);
        DOCA_CORE_MEMCPY(to + first, chunk->bytes, (size_t)num - first);
    }
    q->num_read += num;
    DOCA_PRIV_STORE_ORDERED(&chunk->num_read,
                            q->num_read == q->len && q->item != DOCA_CORE_ITEM_NONE
                                ? DOCA_PRIV_COMCH_DISCARDED
                                : q->num_read);
    if (q->num_read < q->len) {
        doca_priv_comch_inlet_wake(q);
        return NULL;
    }
    if (q->item != DOCA_CORE_ITEM_NONE)
        return doca_priv_comch_inlet_refuse(q, q->item);
    recv->buf->data_len += (size_t)q->len;
    return doca_priv_comch_inlet_end(q, DOCA_SUCCESS);
}

/* Return why the oldest task cannot take a message, or ITEM_NONE. */
static enum doca_core_item doca_priv_comch_inlet_judge(const struct doca_priv_comch_inlet *q,
                                                       uint64_t len, uint16_t imm_len)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_inlet_oldest(q);

    return recv == NULL                                           ? DOCA_CORE_ITEM_FLUSHED
           : !doca_priv_comch_inlet_takes(q->consumer, recv->buf) ? DOCA_CORE_ITEM_COMCH_BUF
           : len > doca_priv_buf_tailroom(recv->buf)              ? DOCA_CORE_ITEM_COMCH_NO_ROOM
           : imm_len > q->lane.imm_len                            ? DOCA_CORE_ITEM_COMCH_NONSENSE
                                                                  : DOCA_CORE_ITEM_NONE;
}

/* Take the message of the oldest ticket out of its slot. The ticket of a streamed message stays the
 * oldest ticket. */
static struct doca_task *doca_priv_comch_inlet_take(struct doca_priv_comch_inlet *q,
                                                    const struct doca_priv_comch_slot *slot)
{
    struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_inlet_oldest(q);
    const uint64_t len = DOCA_PRIV_PEEK(&slot->len);
    const uint16_t imm_len = DOCA_PRIV_PEEK(&slot->imm_len);
    const uint8_t *bytes = slot->bytes;

    DOCA_PRIV_TRACED(if (recv != NULL) doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, recv, 0, 0);)
    if (doca_unlikely(slot->is_refused != 0))
        return doca_priv_comch_inlet_refuse(q, DOCA_CORE_ITEM_COMCH_NO_ROOM);
    q->item = doca_priv_comch_inlet_judge(q, len, imm_len);
    q->len = len;
    q->num_read = 0;
    if (doca_likely(q->item == DOCA_CORE_ITEM_NONE)) {
        recv->len = len;
        recv->producer_id = slot->producer_id;
        recv->imm_len = (uint8_t)imm_len;
        if (imm_len > 0)
            DOCA_CORE_MEMCPY(recv->imm, slot->imm, imm_len);
    }
    if (doca_unlikely(len > DOCA_PRIV_COMCH_CHUNK))
        return doca_priv_comch_inlet_stream(q);
    if (doca_unlikely(q->item != DOCA_CORE_ITEM_NONE))
        return doca_priv_comch_inlet_refuse(q, q->item);
    if (len > DOCA_PRIV_COMCH_SHORT)
        bytes = doca_priv_comch_chunk_of(&q->lane, q->next)->bytes;
    doca_priv_comch_copy(recv->buf->data + recv->buf->data_len, bytes, (size_t)len);
    recv->buf->data_len += (size_t)len;
    return doca_priv_comch_inlet_end(q, DOCA_SUCCESS);
}

/* Close the oldest ticket, so that its producer knows that the message does not arrive. Returns
 * false when the message has arrived already. A slot with an invalid value counts as closed. */
static bool doca_priv_comch_inlet_shut(const struct doca_priv_comch_inlet *q)
{
    return doca_priv_comch_claim_as(&q->lane, q->next, DOCA_PRIV_COMCH_CLOSED) ||
           doca_priv_comch_settle_claim(&q->lane, q->next, DOCA_PRIV_COMCH_CLOSED) ||
           DOCA_PRIV_LOAD(&doca_priv_comch_slot_of(&q->lane, q->next)->turn) !=
               DOCA_PRIV_COMCH_TURN(q->next, DOCA_PRIV_COMCH_FILLED);
}

/* Handle a poll that finds neither a short message nor an empty slot. */
static DOCA_PRIV_NOINLINE struct doca_task *
doca_priv_comch_inlet_poll_other(struct doca_priv_comch_inlet *q)
{
    struct doca_priv_comch_slot *slot;
    struct doca_task *task = NULL;
    uint32_t turn;

    while (task == NULL && q->next != q->num_posted) {
        slot = doca_priv_comch_slot_of(&q->lane, q->next);
        turn = DOCA_PRIV_LOAD(&slot->turn);
        if (q->len != 0 && q->flush == DOCA_SUCCESS)
            task = doca_priv_comch_inlet_stream(q);
        else if (doca_unlikely(doca_priv_comch_inlet_is_skipped(q, q->next)))
            doca_priv_comch_inlet_pass(q);
        else if (turn == DOCA_PRIV_COMCH_TURN(q->next, DOCA_PRIV_COMCH_FILLED) && q->len == 0)
            task = doca_priv_comch_inlet_take(q, slot);
        else if (q->flush == DOCA_SUCCESS)
            break;
        else if (q->len != 0 || doca_priv_comch_inlet_shut(q))
            task = doca_priv_comch_inlet_end(q, q->flush);
        if (q->len != 0 && q->flush == DOCA_SUCCESS)
            break;
    }
    if (doca_unlikely(task == NULL && q->owes_wake))
        doca_priv_comch_inlet_show_done(q);
    return task;
}

/* Take the message out of the slot of the oldest ticket, if it has at most DOCA_PRIV_COMCH_SHORT
 * bytes and the posted buffer can take it. Otherwise return NULL and change nothing. */
DOCA_PRIV_HOT struct doca_task *
doca_priv_comch_inlet_take_short(struct doca_priv_comch_inlet *q,
                                 const struct doca_priv_comch_slot *slot, uint32_t at)
{
    struct doca_comch_consumer_task_post_recv *recv =
        (struct doca_comch_consumer_task_post_recv *)(void *)q->posted[at];
    const uint64_t len = DOCA_PRIV_PEEK(&slot->len);
    const uint16_t imm_len = DOCA_PRIV_PEEK(&slot->imm_len);
    struct doca_buf *buf;

    DOCA_PRIV_PREFETCH(slot->bytes);
    if (doca_unlikely(
            q->len != 0 || recv == NULL || (const void *)recv == DOCA_PRIV_COMCH_UNCLAIMED(q) ||
            len > DOCA_PRIV_COMCH_SHORT || slot->is_refused != 0 || imm_len > q->lane.imm_len))
        return NULL;
    buf = recv->buf;
    if (doca_unlikely(!doca_priv_comch_inlet_is_good(q->consumer, buf) ||
                      len > doca_priv_buf_tailroom(buf)))
        return NULL;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, recv, 0, 0);)
    recv->len = len;
    recv->producer_id = slot->producer_id;
    recv->imm_len = (uint8_t)imm_len;
    if (doca_unlikely(imm_len > 0))
        DOCA_CORE_MEMCPY(recv->imm, slot->imm, imm_len);
    doca_priv_comch_copy(buf->data + buf->data_len, slot->bytes, (size_t)len);
    buf->data_len += (size_t)len;
    q->next++;
    q->owes_wake = q->lane.num_slots > DOCA_PRIV_COMCH_MAX_CHUNKS;
    DOCA_PRIV_STORE(&q->lane.ring->num_done, q->next);
    recv->task.status = DOCA_SUCCESS;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, recv, 0, 0);)
    return &recv->task;
}

static struct doca_task *doca_priv_comch_inlet_poll(struct doca_core_queue *queue)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);
    const uint32_t next = q->next, at = next & (q->lane.num_slots - 1);
    const struct doca_priv_comch_slot *slot = &q->lane.slots[at];
    struct doca_task *task;

    if (next != q->num_posted &&
        DOCA_PRIV_LOAD(&slot->turn) == DOCA_PRIV_COMCH_TURN(next, DOCA_PRIV_COMCH_FILLED)) {
        task = doca_priv_comch_inlet_take_short(q, slot, at);
        if (doca_likely(task != NULL))
            return task;
    } else if (doca_likely(q->len == 0 && q->flush == DOCA_SUCCESS && !q->owes_wake &&
                           q->posted[at] != DOCA_PRIV_COMCH_UNCLAIMED(q))) {
        return NULL;
    }
    return doca_priv_comch_inlet_poll_other(q);
}

static size_t doca_priv_comch_inlet_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                          uint32_t depth)
{
    (void)dev;
    (void)engine;
    return doca_priv_size(2 * (size_t)depth, sizeof(struct doca_task *),
                          sizeof(struct doca_priv_comch_inlet));
}

static doca_error_t doca_priv_comch_inlet_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                               const char *function)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(ctx->queue);
    struct doca_comch_consumer *consumer = (struct doca_comch_consumer *)(void *)ctx;
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    consumer->inlet = q;
    q->consumer = consumer;
    q->opening = DOCA_ERROR_IN_PROGRESS;
    q->flush = DOCA_SUCCESS;
    q->queue.post = doca_priv_comch_inlet_post;
    q->queue.poll = doca_priv_comch_inlet_poll;
    if (!doca_priv_comch_lane_create(&q->lane, num_tasks, consumer->imm_len, &why))
        return doca_priv_fail_refused(DOCA_CORE_ITEM_COMCH_SYSTEM, function, ctx, &why);
    return DOCA_ERROR_IN_PROGRESS;
}

/* Announce the consumer to the peer. Returns IN_PROGRESS while the socket has no room for the
 * packet, and the result of the start from then on. */
static doca_error_t doca_priv_comch_inlet_opening(struct doca_core_queue *queue)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);
    const struct doca_comch_consumer *consumer = q->consumer;
    enum doca_priv_local_sent sent = DOCA_PRIV_LOCAL_BROKEN;
    int fds[DOCA_PRIV_LOCAL_FDS];

    if (q->opening != DOCA_ERROR_IN_PROGRESS)
        return q->opening;
    fds[0] = q->lane.memory_fd;
    fds[1] = q->lane.wake_fd;
    fds[2] = q->lane.room_fd;
    if (DOCA_PRIV_LOAD(&consumer->connection->obj.state) == DOCA_PRIV_COMCH_UP)
        sent = doca_priv_local_send(consumer->connection->fd, DOCA_PRIV_COMCH_CONSUMER,
                                    consumer->id, NULL, 0, fds);
    if (sent == DOCA_PRIV_LOCAL_FULL) { /* try again soon, also if the program sleeps */
        (void)doca_priv_sys_event_signal(q->lane.wake_fd);
        return DOCA_ERROR_IN_PROGRESS;
    }
    q->is_announced = sent == DOCA_PRIV_LOCAL_SENT;
    q->opening = q->is_announced ? DOCA_SUCCESS
                                 : doca_core_backend_fail(DOCA_ERROR_CONNECTION_RESET,
                                                          DOCA_CORE_ITEM_COMCH_LOST,
                                                          "doca_pe_progress", &consumer->ctx, 0);
    return q->opening;
}

static void doca_priv_comch_inlet_close(struct doca_core_queue *queue)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);

    if (q->is_announced) {
        DOCA_PRIV_STORE_ORDERED(&q->lane.ring->is_closed, 1u);
        (void)doca_priv_sys_event_signal(q->lane.room_fd);
        doca_priv_comch_tell_expired(q->consumer->connection, q->consumer->id);
    }
    doca_priv_comch_lane_close(&q->lane);
}

static void doca_priv_comch_inlet_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);

    q->flush = status;
    DOCA_PRIV_STORE_ORDERED(&q->lane.ring->is_closed, 1u);
}

static bool doca_priv_comch_inlet_ready(struct doca_core_queue *queue)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);
    uint32_t turn;

    if (q->next == q->num_posted)
        return false;
    if (q->flush != DOCA_SUCCESS)
        return true;
    if (q->len != 0)
        return DOCA_PRIV_LOAD_ORDERED(&doca_priv_comch_chunk_of(&q->lane, q->next)->num_written) !=
                   q->num_read ||
               DOCA_PRIV_LOAD(&q->consumer->connection->obj.state) != DOCA_PRIV_COMCH_UP;
    turn = DOCA_PRIV_LOAD_ORDERED(&doca_priv_comch_slot_of(&q->lane, q->next)->turn);
    return turn == DOCA_PRIV_COMCH_TURN(q->next, DOCA_PRIV_COMCH_FILLED) ||
           doca_priv_comch_inlet_is_skipped(q, q->next);
}

static int doca_priv_comch_inlet_fd(struct doca_core_queue *queue)
{
    return doca_priv_comch_inlet_of(queue)->lane.wake_fd;
}

static void doca_priv_comch_inlet_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_comch_inlet *q = doca_priv_comch_inlet_of(queue);

    DOCA_PRIV_STORE_ORDERED(&q->lane.ring->consumer_sleeps, armed ? 1u : 0u);
    if (!armed)
        (void)doca_priv_sys_event_drain(q->lane.wake_fd);
    else if (q->owes_wake)
        doca_priv_comch_inlet_show_done(q);
}

static bool doca_priv_comch_inlet_is_supported(const struct doca_core_limits *limits)
{
    (void)limits;
    return true;
}

static doca_error_t doca_priv_comch_inlet_check(const struct doca_task *task,
                                                enum doca_core_item *item)
{
    const struct doca_comch_consumer *consumer =
        (const struct doca_comch_consumer *)(const void *)task->ctx;

    *item = DOCA_CORE_ITEM_COMCH_BUF;
    return doca_priv_comch_inlet_takes(
               consumer,
               ((const struct doca_comch_consumer_task_post_recv *)(const void *)task)->buf)
               ? DOCA_SUCCESS
               : DOCA_ERROR_INVALID_VALUE;
}

static bool doca_priv_comch_inlet_is_complete(const struct doca_task *task)
{
    return doca_priv_is_buf(
        ((const struct doca_comch_consumer_task_post_recv *)(const void *)task)->buf);
}

static void doca_priv_comch_inlet_settle(struct doca_task *task)
{
    (void)task;
}

static uint64_t doca_priv_comch_inlet_task_bytes(const struct doca_task *task)
{
    return ((const struct doca_comch_consumer_task_post_recv *)(const void *)task)->len;
}

/* Skip the ticket of a posted task, unless a producer has claimed the ticket; its message is then
 * lost. A ticket whose message is being streamed counts as claimed, whatever the ring contains. */
static void doca_priv_comch_inlet_skip(struct doca_priv_comch_inlet *q, uint32_t ticket)
{
    const bool is_streamed = ticket == q->next && q->len != 0;
    const bool is_skipped =
        !is_streamed && doca_priv_comch_claim_as(&q->lane, ticket, DOCA_PRIV_COMCH_SKIPPED);

    q->posted[ticket & (q->lane.num_slots - 1)] = is_skipped ? DOCA_PRIV_COMCH_UNCLAIMED(q) : NULL;
    while (q->len == 0 && q->next != q->num_posted && doca_priv_comch_inlet_is_skipped(q, q->next))
        doca_priv_comch_inlet_pass(q);
    if (q->owes_wake) /* wake producers now: if this was the last task, poll does not run again */
        doca_priv_comch_inlet_show_done(q);
}

/* Let the program free a posted task, as NVIDIA's secure_channel does. */
static bool doca_priv_comch_inlet_withdraw(struct doca_task *task)
{
    if (doca_priv_fault_withdraw(task))
        doca_priv_comch_inlet_skip(
            ((const struct doca_comch_consumer *)(const void *)task->ctx)->inlet,
            ((const struct doca_comch_consumer_task_post_recv *)(const void *)task)->ticket);
    task->ctx->num_inflight--;
    doca_priv_task_set_state(task, DOCA_PRIV_TASK_OWNED);
    DOCA_PRIV_CHECKED(doca_priv_check_finish(task);)
    doca_priv_task_put(task);
    doca_priv_ctx_count_returned(task->ctx);
    return true;
}

DOCA_PRIV_DECL const struct doca_priv_engine doca_priv_comch_inlet_engine = {
    DOCA_PRIV_ENGINE_NONE,
    false,
    doca_priv_comch_inlet_is_supported,
    doca_priv_comch_inlet_check,
    doca_priv_comch_inlet_is_complete,
    doca_priv_comch_inlet_settle,
    doca_priv_comch_inlet_open,
    NULL,
    NULL,
    doca_priv_comch_inlet_withdraw,
    doca_priv_comch_inlet_task_bytes
};

static const struct doca_core_backend doca_priv_comch_inlet_backend = DOCA_PRIV_LOCAL_TABLE(
    "comch consumer", doca_priv_comch_inlet_bytes, doca_priv_comch_inlet_opening,
    doca_priv_comch_inlet_close, doca_priv_comch_inlet_flush, doca_priv_comch_inlet_ready,
    doca_priv_comch_inlet_fd, doca_priv_comch_inlet_arm);

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_comch_inlet_faults, "comch consumer", doca_priv_comch_inlet_bytes,
                        doca_priv_comch_inlet_backend, DOCA_PRIV_FAULT_CONSUMER, 0, NULL)

/* Return the table of consumers of a device. */
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_inlet_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_comch_inlet_backend, doca_priv_comch_inlet_faults);
}

/* part: src/compat/comch/consumer.c */
/* ---- >>impl.comch.consumer ------------------------------------------------------------------
 * Consumers: capabilities, create, settings, tasks. The queue is in >>impl.comch.inlet.         */

DOCA_PRIV_ASSERT_STATIC(comch_recv_fits_its_slot,
                        sizeof(struct doca_comch_consumer_task_post_recv) <=
                            DOCA_PRIV_COMCH_TASK_BYTES);

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo)
{
    return doca_priv_comch_check_card(devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_num_tasks(
    const struct doca_devinfo *devinfo, uint32_t *max_num_tasks)
{
    return doca_priv_comch_limit(devinfo, max_num_tasks, DOCA_CORE_COMCH_MAX_TASKS, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t *max_buf_size)
{
    return doca_priv_comch_limit(devinfo, max_buf_size, DOCA_CORE_COMCH_MAX_BUF, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
    return doca_priv_comch_limit(devinfo, max_buf_list_len, 1, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_consumers(
    const struct doca_devinfo *devinfo, uint32_t *max_consumers)
{
    return doca_priv_comch_limit(devinfo, max_consumers, DOCA_CORE_COMCH_MAX_CONSUMERS, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(
    const struct doca_devinfo *devinfo, uint32_t *max_imm_data_len)
{
    return doca_priv_comch_limit(devinfo, max_imm_data_len, DOCA_CORE_COMCH_MAX_IMM, __func__);
}

static void doca_priv_comch_recv_ended(struct doca_task *task)
{
    const struct doca_comch_consumer *consumer =
        (const struct doca_comch_consumer *)(const void *)task->ctx;

    (task->status == DOCA_SUCCESS ? consumer->done : consumer->failed)(
        (struct doca_comch_consumer_task_post_recv *)DOCA_PRIV_HANDLE(task), task->user_data,
        consumer->ctx.user_data);
}

/* Create a consumer in `arena`. NULL selects the arena of the device. */
static doca_error_t doca_priv_comch_create_consumer(struct doca_core_arena *arena,
                                                    struct doca_comch_connection *connection,
                                                    struct doca_mmap *mmap,
                                                    struct doca_comch_consumer **consumer,
                                                    const char *function)
{
    DOCA_PRIV_OPEN(mmap)
    doca_error_t rc = doca_priv_comch_check_up(connection, consumer, function);
    struct doca_comch_consumer *made;
    struct doca_dev *dev;
    void *block = NULL;
    uint32_t id = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, mmap, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_comch_join(connection, true, &id, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    dev = connection->comch->ctx.dev;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*made), &block, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_comch_part(connection, true, id);
        return rc;
    }
    made = (struct doca_comch_consumer *)block;
    made->stock.done = doca_priv_comch_recv_ended;
    made->stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    made->connection = connection;
    made->mmap = mmap;
    made->id = id;
    made->imm_len = DOCA_CORE_COMCH_MAX_IMM;
    doca_priv_ctx_init(&made->ctx, DOCA_PRIV_KIND_COMCH_CONSUMER, &doca_priv_comch_inlet_engine,
                       doca_priv_comch_inlet_backend_of(dev), arena, dev, 1);
    *consumer = (struct doca_comch_consumer *)DOCA_PRIV_HANDLE(made);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
                           struct doca_mmap *buf_mmap, struct doca_comch_consumer **consumer)
{
    return doca_priv_comch_create_consumer(NULL, comch_connection, buf_mmap, consumer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comch_consumer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_mmap *buf_mmap, struct doca_comch_consumer **consumer)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, consumer, __func__);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_comch_create_consumer(arena, comch_connection, buf_mmap,
                                                                consumer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer)
{
    DOCA_PRIV_OPEN(consumer)
    struct doca_comch_connection *connection;
    doca_error_t rc;
    uint32_t id;

    if (!doca_priv_is(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER))
        return DOCA_PRIV_FAIL_HANDLE(consumer);
    if (consumer->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(IN_USE, CTX_NOT_IDLE, consumer);
    connection = consumer->connection;
    id = consumer->id;
    rc = doca_priv_ctx_destroy(&consumer->ctx, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_comch_part(connection, true, id);
    return rc;
}

DOCA_CORE_DECL struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer)
{
    return (struct doca_ctx *)(void *)consumer;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_consumer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_comch_consumer model;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_tasks > DOCA_CORE_COMCH_MAX_TASKS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, dev);
    DOCA_CORE_MEMSET(&model, 0, sizeof(model));
    model.ctx.dev = dev;
    model.ctx.backend = doca_priv_comch_inlet_backend_of(dev);
    model.ctx.engine = &doca_priv_comch_inlet_engine;
    model.ctx.num_stocks = 1;
    model.stock.num = num_tasks;
    model.stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    return doca_priv_ctx_bytes(&model.ctx, sizeof(model), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer,
                                                       uint32_t *id)
{
    DOCA_PRIV_OPEN(consumer)
    doca_error_t rc = doca_priv_check_args(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, id, __func__);

    if (rc == DOCA_SUCCESS)
        *id = consumer->id;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_imm_data_len(
    const struct doca_comch_consumer *consumer, uint32_t *imm_data_len)
{
    DOCA_PRIV_OPEN(consumer)
    doca_error_t rc =
        doca_priv_check_args(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, imm_data_len, __func__);

    if (rc == DOCA_SUCCESS)
        *imm_data_len = consumer->imm_len;
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer, uint32_t imm_data_len)
{
    DOCA_PRIV_OPEN(consumer)
    DOCA_PRIV_ENTER(consumer, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER))
        return DOCA_PRIV_FAIL_HANDLE(consumer);
    if (imm_data_len > DOCA_CORE_COMCH_MAX_IMM)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, consumer);
    rc = doca_priv_ctx_change(&consumer->ctx, DOCA_ERROR_BAD_STATE, __func__);
    if (rc == DOCA_SUCCESS)
        consumer->imm_len = imm_data_len;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_set_conf(
    struct doca_comch_consumer *consumer,
    doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
    doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, uint32_t num_post_recv_tasks)
{
    DOCA_PRIV_OPEN(consumer)
    DOCA_PRIV_ENTER(consumer, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER))
        return DOCA_PRIV_FAIL_HANDLE(consumer);
    if (task_completion_cb == NULL || task_error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, consumer);
    if (num_post_recv_tasks == 0 || num_post_recv_tasks > DOCA_CORE_COMCH_MAX_TASKS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, consumer);
    rc = doca_priv_ctx_change(&consumer->ctx, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    consumer->done = task_completion_cb;
    consumer->failed = task_error_cb;
    consumer->stock.num = num_post_recv_tasks;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
    struct doca_comch_consumer *consumer, struct doca_buf *buf,
    struct doca_comch_consumer_task_post_recv **task)
{
    DOCA_PRIV_OPEN(consumer)
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_check_args(consumer, DOCA_PRIV_KIND_COMCH_CONSUMER, task, __func__);
    struct doca_comch_consumer_task_post_recv *recv;
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS && buf != NULL && !doca_priv_comch_inlet_takes(consumer, buf))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_BUF, consumer);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_task_take(&consumer->ctx, 0, &taken, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    recv = (struct doca_comch_consumer_task_post_recv *)(void *)taken;
    recv->task.user_data.u64 = 0;
    recv->buf = buf;
    recv->producer_id = 0;
    recv->imm_len = 0;
    *task = (struct doca_comch_consumer_task_post_recv *)DOCA_PRIV_HANDLE(recv);
    return DOCA_SUCCESS;
}

/* Return the receive task for a getter, or NULL if the task is not a receive task. */
static const struct doca_comch_consumer_task_post_recv *
doca_priv_comch_recv(const struct doca_comch_consumer_task_post_recv *task, const char *function)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_comch_recv_ended, function) ? task : NULL;
}

DOCA_CORE_DECL struct doca_buf *
doca_comch_consumer_task_post_recv_get_buf(const struct doca_comch_consumer_task_post_recv *task)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_recv(task, __func__);

    return recv != NULL && recv->buf != NULL ? (struct doca_buf *)DOCA_PRIV_HANDLE(recv->buf)
                                             : NULL;
}

DOCA_CORE_DECL void
doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
                                           struct doca_buf *buf)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(buf)
    if (doca_priv_task_check(task, doca_priv_comch_recv_ended, __func__) == DOCA_SUCCESS)
        task->buf = buf;
}

DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
    const struct doca_comch_consumer_task_post_recv *task)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_recv(task, __func__);

    return recv != NULL ? recv->producer_id : 0;
}

DOCA_CORE_DECL const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
    const struct doca_comch_consumer_task_post_recv *task)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_recv(task, __func__);

    return recv != NULL && recv->imm_len > 0 ? recv->imm : NULL;
}

DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
    const struct doca_comch_consumer_task_post_recv *task)
{
    const struct doca_comch_consumer_task_post_recv *recv = doca_priv_comch_recv(task, __func__);

    return recv != NULL ? recv->imm_len : 0;
}

DOCA_CORE_DECL struct doca_task *
doca_comch_consumer_task_post_recv_as_task(struct doca_comch_consumer_task_post_recv *task)
{
    return (struct doca_task *)(void *)task;
}

/* part: src/compat/comch/outlet.c */
/* ---- >>impl.comch.outlet --------------------------------------------------------------------
 * The queue of a producer. post takes a ticket of the consumer. If the chunk of the ticket is free
 * and the message has at most DOCA_PRIV_COMCH_CHUNK bytes, post writes the message into the ring at
 * once. Otherwise the task waits in a list, and poll sends it in steps. Tasks complete in the order
 * of their posts.                                                                               */

#define DOCA_PRIV_COMCH_STEPS 8u /* maximum number of waiting tasks that one poll handles */
/* After this many consecutive calls of post that find no credit, post checks whether the peer still
 * exists. */
#define DOCA_PRIV_COMCH_DENIALS 256u

struct doca_priv_comch_outlet {
    struct doca_core_queue queue; /* first, last: all tasks, in the order of their posts */
    struct doca_comch_producer *producer;
    struct doca_comch_producer_task_send *waiting, *waiting_last;
    struct doca_priv_comch_lane *lane; /* of the latest task. The producer is counted as its user */
    uint32_t num_denials; /* consecutive posts that found no credit */
    int set;              /* epoll set with the eventfds of the rings that tasks wait for */
    bool is_armed;
};

static struct doca_priv_comch_outlet *doca_priv_comch_outlet_of(struct doca_core_queue *queue)
{
    return (struct doca_priv_comch_outlet *)(void *)queue;
}

static struct doca_comch_producer_task_send *doca_priv_comch_sending(struct doca_task *task)
{
    return (struct doca_comch_producer_task_send *)(void *)task;
}

/* True when the CPU can read the bytes of the buffer for this producer. */
static bool doca_priv_comch_outlet_takes(const struct doca_comch_producer *producer,
                                         const struct doca_buf *buf)
{
    return (doca_priv_buf_is_head(buf, false, DOCA_PRIV_BUF_LIST) ||
            doca_priv_buf_is_warned_head(buf, DOCA_PRIV_BUF_LIST)) &&
           (buf->mmap->dev_mask & producer->ctx.dev->bit) != 0 &&
           buf->data_len <= DOCA_CORE_COMCH_MAX_BUF;
}

static uint64_t doca_priv_comch_send_len(const struct doca_comch_producer_task_send *send)
{
    return send->buf != NULL ? send->buf->data_len : 0;
}

static void doca_priv_comch_outlet_wake(const struct doca_priv_comch_lane *lane)
{
    if (DOCA_PRIV_LOAD_ORDERED(&lane->ring->consumer_sleeps) != 0)
        (void)doca_priv_sys_event_signal(lane->wake_fd);
}

static uint32_t doca_priv_comch_chunk_bit(const struct doca_comch_producer_task_send *send)
{
    return 1u << (send->ticket & (send->lane->num_chunks - 1));
}

/* Release the chunk of a streamed message. The consumer had released the chunk earlier, and does
 * not wake the producer of the next message in this chunk a second time; therefore this producer
 * wakes it. */
static void doca_priv_comch_outlet_release(struct doca_comch_producer_task_send *send)
{
    struct doca_priv_comch_lane *lane = send->lane;

    send->is_streamed = false;
    (void)DOCA_PRIV_FETCH_ADD(&lane->busy_chunks, 0u - doca_priv_comch_chunk_bit(send));
    if (DOCA_PRIV_LOAD_ORDERED(&lane->ring->producers_sleep) != 0)
        (void)doca_priv_sys_event_signal(lane->room_fd);
}

/* Mark a task as ended. poll returns the task when all tasks before it have ended. */
DOCA_PRIV_HOT void doca_priv_comch_outlet_mark(struct doca_comch_producer_task_send *send,
                                               doca_error_t status)
{
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, send, 0, 0);)
    send->stage = DOCA_PRIV_COMCH_ENDED;
    send->task.status = (uint8_t)status;
}

/* End a task that may have waited. */
static void doca_priv_comch_outlet_end(struct doca_comch_producer_task_send *send,
                                       doca_error_t status)
{
    doca_priv_comch_outlet_mark(send, status);
    if (send->sleeps)
        (void)DOCA_PRIV_FETCH_ADD(&send->lane->ring->producers_sleep, ~0u);
    send->sleeps = false;
    if (send->is_streamed)
        doca_priv_comch_outlet_release(send);
    if (send->is_user)
        (void)DOCA_PRIV_FETCH_ADD(&send->lane->num_users, ~0u);
    send->is_user = false;
    send->lane = NULL;
}

static void doca_priv_comch_outlet_fail(struct doca_comch_producer_task_send *send,
                                        doca_error_t status, enum doca_core_item item,
                                        const char *function)
{
    (void)doca_priv_fail(status, item, function, &send->task);
    doca_priv_comch_outlet_end(send, status);
}

/* Give the message, whose bytes are written, to the consumer. Returns false when the consumer has
 * already stopped. The store of the turn is ordered before the loads of both flags, is_closed and
 * consumer_sleeps. Before a consumer stops or sleeps, it sets one of these flags, and then reads
 * the turn. So at least one side sees the store of the other. */
DOCA_PRIV_HOT bool doca_priv_comch_show(const struct doca_comch_producer_task_send *send,
                                        const struct doca_priv_comch_lane *lane,
                                        struct doca_priv_comch_slot *slot, uint32_t ticket,
                                        uint64_t len, bool is_refused)
{
    const struct doca_comch_producer *producer =
        (const struct doca_comch_producer *)(const void *)send->task.ctx;

    slot->len = len;
    slot->is_refused = is_refused;
    slot->producer_id = producer->id;
    slot->imm_len = send->imm_len;
    if (doca_unlikely(send->imm_len > 0))
        DOCA_CORE_MEMCPY(slot->imm, send->imm, send->imm_len);
    DOCA_PRIV_STORE_ORDERED(&slot->turn, DOCA_PRIV_COMCH_TURN(ticket, DOCA_PRIV_COMCH_FILLED));
    if (doca_unlikely(DOCA_PRIV_LOAD_ORDERED(&lane->ring->is_closed) != 0) &&
        !doca_priv_comch_settle_claim(lane, ticket, DOCA_PRIV_COMCH_DELIVERED))
        return false;
    doca_priv_comch_outlet_wake(lane);
    return true;
}

/* Like doca_priv_comch_show(), for a task whose lane and ticket are set. Not inlined. */
static bool doca_priv_comch_publish(const struct doca_comch_producer_task_send *send, uint64_t len,
                                    bool is_refused)
{
    return doca_priv_comch_show(send, send->lane,
                                doca_priv_comch_slot_of(send->lane, send->ticket), send->ticket,
                                len, is_refused);
}

/* True when the consumer has read the previous message in the chunk of this task. The copy of
 * num_done may be out of date: the consumer has then read more messages than the copy says. */
static bool doca_priv_comch_has_chunk(const struct doca_comch_producer_task_send *send)
{
    struct doca_priv_comch_lane *lane = send->lane;
    uint32_t num_done = DOCA_PRIV_LOAD(&lane->num_done);

    if (doca_unlikely(send->ticket - num_done >= lane->num_chunks)) {
        num_done = DOCA_PRIV_LOAD_ORDERED(&lane->ring->num_done);
        DOCA_PRIV_STORE(&lane->num_done, num_done);
    }
    return send->ticket - num_done < lane->num_chunks &&
           (DOCA_PRIV_LOAD_ORDERED(&lane->busy_chunks) & doca_priv_comch_chunk_bit(send)) == 0;
}

/* Write the first bytes of a message into its chunk, which must be free, and publish the
 * message. */
static void doca_priv_comch_begin(struct doca_comch_producer_task_send *send)
{
    struct doca_priv_comch_chunk *chunk = doca_priv_comch_chunk_of(send->lane, send->ticket);
    const uint64_t len = doca_priv_comch_send_len(send);
    const size_t num = len < DOCA_PRIV_COMCH_CHUNK ? (size_t)len : DOCA_PRIV_COMCH_CHUNK;

    DOCA_CORE_MEMCPY(chunk->bytes, send->buf->data, num);
    send->num_written = num;
    send->stage = DOCA_PRIV_COMCH_STREAMS;
    send->is_streamed = num < len;
    if (send->is_streamed) {
        DOCA_PRIV_STORE(&chunk->num_written, (uint64_t)num);
        DOCA_PRIV_STORE(&chunk->num_read, (uint64_t)0);
        (void)DOCA_PRIV_FETCH_ADD(&send->lane->busy_chunks, doca_priv_comch_chunk_bit(send));
    }
    if (!doca_priv_comch_publish(send, len, false))
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_CONNECTION_RESET,
                                    DOCA_CORE_ITEM_COMCH_NO_CONSUMER, "doca_pe_progress");
    else if (num == len)
        doca_priv_comch_outlet_end(send, DOCA_SUCCESS);
}

/* Return the bytes of a streamed message that the consumer has read, or DISCARDED. */
static uint64_t doca_priv_comch_num_read(const struct doca_comch_producer_task_send *send)
{
    return DOCA_PRIV_LOAD_ORDERED(&doca_priv_comch_chunk_of(send->lane, send->ticket)->num_read);
}

/* True when the consumer has read all of a streamed message. Both sides then agree that the message
 * has arrived, whatever happens afterwards. */
static bool doca_priv_comch_has_arrived(const struct doca_comch_producer_task_send *send)
{
    return send->stage == DOCA_PRIV_COMCH_STREAMS &&
           doca_priv_comch_num_read(send) == doca_priv_comch_send_len(send);
}

/* Write more bytes of a message into its chunk, as many as fit. */
static void doca_priv_comch_go_on(struct doca_comch_producer_task_send *send)
{
    struct doca_priv_comch_chunk *chunk = doca_priv_comch_chunk_of(send->lane, send->ticket);
    const uint64_t num_read = doca_priv_comch_num_read(send), held = send->num_written - num_read;
    uint64_t num = doca_priv_comch_send_len(send) - send->num_written;
    const size_t at = (size_t)(send->num_written % DOCA_PRIV_COMCH_CHUNK);
    const unsigned char *from = send->buf->data + send->num_written;
    size_t first;

    if (num_read == DOCA_PRIV_COMCH_DISCARDED || held > DOCA_PRIV_COMCH_CHUNK) {
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_IO_FAILED,
                                    num_read == DOCA_PRIV_COMCH_DISCARDED
                                        ? DOCA_CORE_ITEM_COMCH_NO_ROOM
                                        : DOCA_CORE_ITEM_COMCH_NONSENSE,
                                    "doca_pe_progress");
        return;
    }
    if (num > DOCA_PRIV_COMCH_CHUNK - held)
        num = DOCA_PRIV_COMCH_CHUNK - held;
    if (num == 0)
        return;
    first = DOCA_PRIV_COMCH_CHUNK - at < num ? DOCA_PRIV_COMCH_CHUNK - at : (size_t)num;
    DOCA_CORE_MEMCPY(chunk->bytes + at, from, first);
    DOCA_CORE_MEMCPY(chunk->bytes, from + first, (size_t)num - first);
    send->num_written += num;
    DOCA_PRIV_STORE_ORDERED(&chunk->num_written, send->num_written);
    doca_priv_comch_outlet_wake(send->lane);
}

/* Tell the consumer that this message will not be completed. A ticket cannot be returned;
 * therefore, if no byte was sent yet, the consumer gets a message that it must refuse. */
static void doca_priv_comch_abandon(const struct doca_comch_producer_task_send *send)
{
    if (send->stage == DOCA_PRIV_COMCH_WAITS) {
        (void)doca_priv_comch_publish(send, 0, true);
    } else {
        DOCA_PRIV_STORE_ORDERED(&doca_priv_comch_chunk_of(send->lane, send->ticket)->num_written,
                                DOCA_PRIV_COMCH_ABANDONED);
        doca_priv_comch_outlet_wake(send->lane);
    }
}

/* True when a step of the task would make progress. */
static bool doca_priv_comch_can_step(const struct doca_comch_producer_task_send *send)
{
    const struct doca_priv_comch_lane *lane = send->lane;
    const uint64_t len = doca_priv_comch_send_len(send);
    uint64_t num_read;

    if (DOCA_PRIV_LOAD(&lane->is_live) == 0 || DOCA_PRIV_LOAD(&lane->ring->is_closed) != 0)
        return true;
    if (send->stage == DOCA_PRIV_COMCH_WAITS)
        return doca_priv_comch_has_chunk(send);
    num_read = doca_priv_comch_num_read(send);
    return num_read >= len ||
           (send->num_written < len && send->num_written - num_read != DOCA_PRIV_COMCH_CHUNK);
}

static void doca_priv_comch_step(struct doca_comch_producer_task_send *send)
{
    const struct doca_priv_comch_lane *lane = send->lane;

    if (doca_priv_comch_has_arrived(send)) {
        doca_priv_comch_outlet_end(send, DOCA_SUCCESS);
    } else if (DOCA_PRIV_LOAD(&lane->is_live) == 0 || DOCA_PRIV_LOAD(&lane->ring->is_closed) != 0) {
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_CONNECTION_RESET,
                                    DOCA_CORE_ITEM_COMCH_NO_CONSUMER, "doca_pe_progress");
    } else if (!doca_priv_buf_is_head(send->buf, false, 0) &&
               !doca_priv_buf_is_warned_head(send->buf, 0)) {
        doca_priv_comch_abandon(send);
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_COMCH_BUF,
                                    "doca_pe_progress");
    } else if (send->stage == DOCA_PRIV_COMCH_STREAMS) {
        doca_priv_comch_go_on(send);
    } else if (doca_priv_comch_has_chunk(send)) {
        doca_priv_comch_begin(send);
    }
}

/* Ask the consumer to wake this producer when the ring has room for the task. */
static void doca_priv_comch_outlet_listen(const struct doca_priv_comch_outlet *q,
                                          struct doca_comch_producer_task_send *send)
{
    struct epoll_event event;

    if (send->sleeps)
        return;
    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = EPOLLIN | EPOLLET; /* never reset: edge-triggered, so each signal wakes each
                                       * producer once */
    (void)epoll_ctl(q->set, EPOLL_CTL_ADD, send->lane->room_fd, &event);
    (void)DOCA_PRIV_FETCH_ADD(&send->lane->ring->producers_sleep, 1u);
    send->sleeps = true;
}

static void doca_priv_comch_outlet_wait(struct doca_priv_comch_outlet *q,
                                        struct doca_comch_producer_task_send *send)
{
    send->next_waiting = NULL;
    if (q->waiting == NULL)
        q->waiting = send;
    else
        q->waiting_last->next_waiting = send;
    q->waiting_last = send;
    if (q->is_armed)
        doca_priv_comch_outlet_listen(q, send);
}

/* Decrement the number of users of a lane. */
static void doca_priv_comch_let_go(struct doca_priv_comch_lane *lane)
{
    (void)DOCA_PRIV_FETCH_ADD(&lane->num_users, ~0u);
}

/* Find the lane of a consumer of the peer, and count the producer as its user in place of the lane
 * that it used before. Returns NULL if the peer has no such consumer. */
static struct doca_priv_comch_lane *doca_priv_comch_change_lane(struct doca_priv_comch_outlet *q,
                                                                uint32_t id)
{
    struct doca_priv_comch_lane *lane = doca_priv_comch_lane_of(q->producer->connection, id);

    if (q->lane != NULL)
        doca_priv_comch_let_go(q->lane);
    q->lane = NULL;
    (void)DOCA_PRIV_FETCH_ADD(&lane->num_users, 1u);
    if (DOCA_PRIV_LOAD_ORDERED(&lane->is_live) != 0 && lane->id == id)
        q->lane = lane;
    else
        doca_priv_comch_let_go(lane);
    return q->lane;
}

/* Return the lane of the consumer with this id, or NULL if the peer has no such consumer. A lane is
 * not closed while it has a user. */
static struct doca_priv_comch_lane *doca_priv_comch_get_lane(struct doca_priv_comch_outlet *q,
                                                             uint32_t id)
{
    struct doca_priv_comch_lane *lane = q->lane;

    if (doca_unlikely(lane == NULL || lane->id != id || DOCA_PRIV_LOAD(&lane->is_live) == 0))
        lane = doca_priv_comch_change_lane(q, id);
    return lane != NULL && DOCA_PRIV_LOAD(&lane->ring->is_closed) == 0 ? lane : NULL;
}

/* Send a task that has a ticket and whose message is too long for a slot, or is refused because the
 * consumer has no room for its bytes or for its immediate data. */
static DOCA_PRIV_NOINLINE void
doca_priv_comch_transmit_other(struct doca_priv_comch_outlet *q,
                               struct doca_comch_producer_task_send *send, bool is_refused)
{
    if (is_refused) {
        (void)doca_priv_comch_publish(send, 0, true);
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_IO_FAILED,
                                    send->imm_len > send->lane->imm_len
                                        ? DOCA_CORE_ITEM_COMCH_IMM
                                        : DOCA_CORE_ITEM_COMCH_NO_ROOM,
                                    "doca_task_submit");
        return;
    }
    send->stage = DOCA_PRIV_COMCH_WAITS;
    doca_priv_comch_step(send);
    if (send->stage == DOCA_PRIV_COMCH_ENDED)
        return;
    (void)DOCA_PRIV_FETCH_ADD(&send->lane->num_users, 1u);
    send->is_user = true;
    doca_priv_comch_outlet_wait(q, send);
}

/* Handle a call of post that finds no credit. Every DOCA_PRIV_COMCH_DENIALS such calls, check
 * whether the peer still exists, because programs may repeat the submit without any progress call.
 * Returns AGAIN while the peer exists. */
static doca_error_t doca_priv_comch_deny(struct doca_priv_comch_outlet *q)
{
    if (++q->num_denials % DOCA_PRIV_COMCH_DENIALS != 0 ||
        !doca_priv_local_is_hung_up(q->producer->connection->fd))
        return DOCA_ERROR_AGAIN;
    return DOCA_ERROR_CONNECTION_RESET;
}

/* Send a task that has a ticket. */
DOCA_PRIV_HOT void doca_priv_comch_transmit(struct doca_priv_comch_outlet *q,
                                            struct doca_comch_producer_task_send *send,
                                            struct doca_priv_comch_lane *lane, uint64_t len)
{
    const uint32_t ticket = send->ticket, at = ticket & (lane->num_slots - 1);
    struct doca_priv_comch_slot *slot = &lane->slots[at];
    const bool is_refused =
        len > DOCA_PRIV_PEEK(&lane->capacities[at]) || send->imm_len > lane->imm_len;

    send->lane = lane;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, send, 0, 0);)
    if (doca_unlikely(is_refused || len > DOCA_PRIV_COMCH_SHORT)) {
        doca_priv_comch_transmit_other(q, send, is_refused);
        return;
    }
    if (doca_likely(len > 0))
        doca_priv_comch_copy(slot->bytes, send->buf->data, (size_t)len);
    if (doca_likely(doca_priv_comch_show(send, lane, slot, ticket, len, false)))
        doca_priv_comch_outlet_mark(send, DOCA_SUCCESS);
    else
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_CONNECTION_RESET,
                                    DOCA_CORE_ITEM_COMCH_NO_CONSUMER, "doca_task_submit");
}

static doca_error_t doca_priv_comch_outlet_post(struct doca_core_queue *queue,
                                                struct doca_task *task)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_comch_producer_task_send *send = doca_priv_comch_sending(task);
    const uint64_t len = doca_priv_comch_send_len(send);
    struct doca_priv_comch_lane *lane;
    doca_error_t rc;

    if (doca_unlikely(send->buf != NULL && !doca_priv_comch_outlet_takes(q->producer, send->buf))) {
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_COMCH_BUF,
                                    "doca_task_submit");
    } else if (doca_unlikely((lane = doca_priv_comch_get_lane(q, send->consumer_id)) == NULL)) {
        doca_priv_comch_outlet_fail(send, DOCA_ERROR_NOT_CONNECTED,
                                    DOCA_CORE_ITEM_COMCH_NO_CONSUMER, "doca_task_submit");
    } else {
        rc = doca_priv_comch_claim(lane, len, &send->ticket);
        if (doca_unlikely(rc == DOCA_ERROR_AGAIN))
            rc = doca_priv_comch_deny(q);
        if (doca_unlikely(rc == DOCA_ERROR_AGAIN))
            return rc;
        if (doca_likely(rc == DOCA_SUCCESS))
            doca_priv_comch_transmit(q, send, lane, len);
        else
            doca_priv_comch_outlet_fail(send, rc, DOCA_CORE_ITEM_COMCH_LOST, "doca_task_submit");
        q->num_denials = 0; /* after the message is visible */
    }
    task->next = NULL;
    if (queue->first == NULL)
        queue->first = task;
    else
        queue->last->next = task;
    queue->last = task;
    return DOCA_SUCCESS;
}

/* Try the first waiting tasks. A task that must wait longer moves to the end of the list, so that a
 * slow consumer does not delay messages to other consumers. The order of the messages to one
 * consumer does not depend on this list, because each task has its ticket already. */
static void doca_priv_comch_outlet_advance(struct doca_priv_comch_outlet *q)
{
    struct doca_comch_producer_task_send *send;
    unsigned i;

    for (i = 0; i < DOCA_PRIV_COMCH_STEPS && (send = q->waiting) != NULL; i++) {
        doca_priv_comch_step(send);
        q->waiting = send->next_waiting;
        if (send->stage != DOCA_PRIV_COMCH_ENDED)
            doca_priv_comch_outlet_wait(q, send);
    }
}

static struct doca_task *doca_priv_comch_outlet_poll(struct doca_core_queue *queue)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_task *task;

    if (doca_unlikely(q->waiting != NULL))
        doca_priv_comch_outlet_advance(q);
    task = queue->first;
    if (task == NULL || doca_priv_comch_sending(task)->stage != DOCA_PRIV_COMCH_ENDED)
        return NULL;
    queue->first = task->next;
    return task;
}

static size_t doca_priv_comch_outlet_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                           uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return sizeof(struct doca_priv_comch_outlet);
}

static doca_error_t doca_priv_comch_outlet_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                                const char *function)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(ctx->queue);
    struct doca_core_refusal why;

    (void)num_tasks;
    q->producer = (struct doca_comch_producer *)(void *)ctx;
    q->queue.post = doca_priv_comch_outlet_post;
    q->queue.poll = doca_priv_comch_outlet_poll;
    q->set = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC));
    if (q->set >= 0)
        return DOCA_SUCCESS;
    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    why.step = DOCA_PRIV_LOG_TEXT("open an epoll set");
    why.error = errno;
    return doca_priv_fail_refused(DOCA_CORE_ITEM_COMCH_SYSTEM, function, ctx, &why);
}

static doca_error_t doca_priv_comch_outlet_opening(struct doca_core_queue *queue)
{
    (void)queue;
    return DOCA_SUCCESS;
}

static void doca_priv_comch_outlet_close(struct doca_core_queue *queue)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);

    if (q->lane != NULL)
        doca_priv_comch_let_go(q->lane);
    q->lane = NULL;
    doca_priv_sys_close(q->set);
}

/* End the tasks that wait. */
static void doca_priv_comch_outlet_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_comch_producer_task_send *send;

    while ((send = q->waiting) != NULL) {
        q->waiting = send->next_waiting;
        if (doca_priv_comch_has_arrived(send)) {
            doca_priv_comch_outlet_end(send, DOCA_SUCCESS);
            continue;
        }
        doca_priv_comch_abandon(send);
        doca_priv_comch_outlet_fail(send, status, DOCA_CORE_ITEM_FLUSHED, "doca_ctx_stop");
    }
}

static bool doca_priv_comch_outlet_ready(struct doca_core_queue *queue)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_task *task = queue->first;
    const struct doca_comch_producer_task_send *send;

    if (task != NULL && doca_priv_comch_sending(task)->stage == DOCA_PRIV_COMCH_ENDED)
        return true;
    for (send = q->waiting; send != NULL; send = send->next_waiting)
        if (doca_priv_comch_can_step(send))
            return true;
    return false;
}

static int doca_priv_comch_outlet_fd(struct doca_core_queue *queue)
{
    return doca_priv_comch_outlet_of(queue)->set;
}

static void doca_priv_comch_outlet_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_comch_outlet *q = doca_priv_comch_outlet_of(queue);
    struct doca_comch_producer_task_send *send;
    struct epoll_event events[8];

    q->is_armed = armed;
    for (send = q->waiting; armed && send != NULL; send = send->next_waiting)
        doca_priv_comch_outlet_listen(q, send);
    if (armed)
        return;
    for (send = q->waiting; send != NULL; send = send->next_waiting)
        if (send->sleeps) {
            (void)DOCA_PRIV_FETCH_ADD(&send->lane->ring->producers_sleep, ~0u);
            send->sleeps = false;
        }
    while (epoll_wait(q->set, events, 8, 0) == 8)
        ;
}

static bool doca_priv_comch_outlet_is_supported(const struct doca_core_limits *limits)
{
    (void)limits;
    return true;
}

/* Check the buffer of a send task. *item is the reason of a refusal. */
static doca_error_t doca_priv_comch_outlet_check(const struct doca_task *task,
                                                 enum doca_core_item *item)
{
    const struct doca_comch_producer_task_send *send =
        (const struct doca_comch_producer_task_send *)(const void *)task;

    *item = DOCA_CORE_ITEM_COMCH_BUF;
    return send->buf == NULL ||
                   doca_priv_comch_outlet_takes(
                       (const struct doca_comch_producer *)(const void *)task->ctx, send->buf)
               ? DOCA_SUCCESS
               : DOCA_ERROR_INVALID_VALUE;
}

static bool doca_priv_comch_outlet_is_complete(const struct doca_task *task)
{
    (void)task;
    return true;
}

static void doca_priv_comch_outlet_settle(struct doca_task *task)
{
    (void)task;
}

static uint64_t doca_priv_comch_outlet_task_bytes(const struct doca_task *task)
{
    return doca_priv_comch_send_len(
        (const struct doca_comch_producer_task_send *)(const void *)task);
}

DOCA_PRIV_DECL const struct doca_priv_engine doca_priv_comch_outlet_engine = {
    DOCA_PRIV_ENGINE_NONE,
    false,
    doca_priv_comch_outlet_is_supported,
    doca_priv_comch_outlet_check,
    doca_priv_comch_outlet_is_complete,
    doca_priv_comch_outlet_settle,
    doca_priv_comch_outlet_open,
    NULL,
    NULL,
    NULL,
    doca_priv_comch_outlet_task_bytes
};

static const struct doca_core_backend doca_priv_comch_outlet_backend = DOCA_PRIV_LOCAL_TABLE(
    "comch producer", doca_priv_comch_outlet_bytes, doca_priv_comch_outlet_opening,
    doca_priv_comch_outlet_close, doca_priv_comch_outlet_flush, doca_priv_comch_outlet_ready,
    doca_priv_comch_outlet_fd, doca_priv_comch_outlet_arm);

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_comch_outlet_faults, "comch producer",
                        doca_priv_comch_outlet_bytes, doca_priv_comch_outlet_backend,
                        DOCA_PRIV_FAULT_PRODUCER, 0, NULL)

/* Return the table of producers of a device. */
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_outlet_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_comch_outlet_backend, doca_priv_comch_outlet_faults);
}

/* part: src/compat/comch/producer.c */
/* ---- >>impl.comch.producer ------------------------------------------------------------------
 * Producers: capabilities, create, settings, tasks. The queue is in >>impl.comch.outlet.         */

DOCA_PRIV_ASSERT_STATIC(comch_sending_fits_its_slot,
                        sizeof(struct doca_comch_producer_task_send) <= DOCA_PRIV_COMCH_TASK_BYTES);

DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo)
{
    return doca_priv_comch_check_card(devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_num_tasks(
    const struct doca_devinfo *devinfo, uint32_t *max_num_tasks)
{
    return doca_priv_comch_limit(devinfo, max_num_tasks, DOCA_CORE_COMCH_MAX_TASKS, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t *max_buf_size)
{
    return doca_priv_comch_limit(devinfo, max_buf_size, DOCA_CORE_COMCH_MAX_BUF, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
    return doca_priv_comch_limit(devinfo, max_buf_list_len, 1, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_producers(
    const struct doca_devinfo *devinfo, uint32_t *max_producers)
{
    return doca_priv_comch_limit(devinfo, max_producers, DOCA_CORE_COMCH_MAX_PRODUCERS, __func__);
}

static void doca_priv_comch_sending_ended(struct doca_task *task)
{
    const struct doca_comch_producer *producer =
        (const struct doca_comch_producer *)(const void *)task->ctx;

    (task->status == DOCA_SUCCESS ? producer->done : producer->failed)(
        (struct doca_comch_producer_task_send *)DOCA_PRIV_HANDLE(task), task->user_data,
        producer->ctx.user_data);
}

/* Create a producer in `arena`. NULL selects the arena of the device. */
static doca_error_t doca_priv_comch_create_producer(struct doca_core_arena *arena,
                                                    struct doca_comch_connection *connection,
                                                    struct doca_comch_producer **producer,
                                                    const char *function)
{
    doca_error_t rc = doca_priv_comch_check_up(connection, producer, function);
    struct doca_comch_producer *made;
    struct doca_dev *dev;
    void *block = NULL;
    uint32_t id = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_comch_join(connection, false, &id, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    dev = connection->comch->ctx.dev;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*made), &block, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_comch_part(connection, false, id);
        return rc;
    }
    made = (struct doca_comch_producer *)block;
    made->stock.done = doca_priv_comch_sending_ended;
    made->stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    made->connection = connection;
    made->id = id;
    doca_priv_ctx_init(&made->ctx, DOCA_PRIV_KIND_COMCH_PRODUCER, &doca_priv_comch_outlet_engine,
                       doca_priv_comch_outlet_backend_of(dev), arena, dev, 1);
    *producer = (struct doca_comch_producer *)DOCA_PRIV_HANDLE(made);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_create(
    struct doca_comch_connection *comch_connection, struct doca_comch_producer **producer)
{
    return doca_priv_comch_create_producer(NULL, comch_connection, producer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comch_producer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_comch_producer **producer)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, producer, __func__);

    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_comch_create_producer(arena, comch_connection, producer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer)
{
    DOCA_PRIV_OPEN(producer)
    struct doca_comch_connection *connection;
    doca_error_t rc;
    uint32_t id;

    if (!doca_priv_is(producer, DOCA_PRIV_KIND_COMCH_PRODUCER))
        return DOCA_PRIV_FAIL_HANDLE(producer);
    if (producer->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(IN_USE, CTX_NOT_IDLE, producer);
    connection = producer->connection;
    id = producer->id;
    rc = doca_priv_ctx_destroy(&producer->ctx, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_comch_part(connection, false, id);
    return rc;
}

DOCA_CORE_DECL struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer)
{
    return (struct doca_ctx *)(void *)producer;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_producer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_comch_producer model;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_tasks > DOCA_CORE_COMCH_MAX_TASKS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, dev);
    DOCA_CORE_MEMSET(&model, 0, sizeof(model));
    model.ctx.dev = dev;
    model.ctx.backend = doca_priv_comch_outlet_backend_of(dev);
    model.ctx.engine = &doca_priv_comch_outlet_engine;
    model.ctx.num_stocks = 1;
    model.stock.num = num_tasks;
    model.stock.task_bytes = DOCA_PRIV_COMCH_TASK_BYTES;
    return doca_priv_ctx_bytes(&model.ctx, sizeof(model), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer,
                                                       uint32_t *id)
{
    DOCA_PRIV_OPEN(producer)
    doca_error_t rc = doca_priv_check_args(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, id, __func__);

    if (rc == DOCA_SUCCESS)
        *id = producer->id;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_set_conf(
    struct doca_comch_producer *producer,
    doca_comch_producer_task_send_completion_cb_t task_completion_cb,
    doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks)
{
    DOCA_PRIV_OPEN(producer)
    DOCA_PRIV_ENTER(producer, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(producer, DOCA_PRIV_KIND_COMCH_PRODUCER))
        return DOCA_PRIV_FAIL_HANDLE(producer);
    if (task_completion_cb == NULL || task_error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, producer);
    if (num_send_tasks == 0 || num_send_tasks > DOCA_CORE_COMCH_MAX_TASKS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_LIMIT, producer);
    rc = doca_priv_ctx_change(&producer->ctx, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    producer->done = task_completion_cb;
    producer->failed = task_error_cb;
    producer->stock.num = num_send_tasks;
    return DOCA_SUCCESS;
}

/* Set the immediate data of a task. The caller has checked `len`. */
static void doca_priv_comch_set_imm(struct doca_comch_producer_task_send *task, const uint8_t *imm,
                                    uint32_t len)
{
    task->imm_len = (uint8_t)len;
    if (len > 0)
        DOCA_CORE_MEMCPY(task->imm, imm, len);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_alloc_init(
    struct doca_comch_producer *producer, const struct doca_buf *buf, uint8_t *imm_data,
    uint32_t imm_data_len, uint32_t consumer_id, struct doca_comch_producer_task_send **task)
{
    DOCA_PRIV_OPEN(producer)
    DOCA_PRIV_OPEN(buf)
    doca_error_t rc = doca_priv_check_args(producer, DOCA_PRIV_KIND_COMCH_PRODUCER, task, __func__);
    struct doca_comch_producer_task_send *send;
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS && imm_data == NULL && imm_data_len > 0)
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, producer);
    if (rc == DOCA_SUCCESS && imm_data_len > DOCA_CORE_COMCH_MAX_IMM)
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_IMM, producer);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_task_take(&producer->ctx, 0, &taken, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    send = (struct doca_comch_producer_task_send *)(void *)taken;
    send->task.user_data.u64 = 0;
    send->buf = buf;
    send->consumer_id = consumer_id;
    send->sleeps = false; /* this and the following: as after each end of the task */
    send->is_streamed = false;
    send->is_user = false;
    doca_priv_comch_set_imm(send, imm_data, imm_data_len);
    *task = (struct doca_comch_producer_task_send *)DOCA_PRIV_HANDLE(send);
    return DOCA_SUCCESS;
}

/* Return the send task for a getter, or NULL if the task is not a send task. */
static const struct doca_comch_producer_task_send *
doca_priv_comch_sent_task(const struct doca_comch_producer_task_send *task, const char *function)
{
    DOCA_PRIV_OPEN(task)
    return doca_priv_task_reads_as(task, doca_priv_comch_sending_ended, function) ? task : NULL;
}

DOCA_CORE_DECL const struct doca_buf *
doca_comch_producer_task_send_get_buf(const struct doca_comch_producer_task_send *task)
{
    const struct doca_comch_producer_task_send *send = doca_priv_comch_sent_task(task, __func__);

    return send != NULL && send->buf != NULL ? (const struct doca_buf *)DOCA_PRIV_HANDLE(send->buf)
                                             : NULL;
}

DOCA_CORE_DECL void
doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
                                      const struct doca_buf *buf)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_OPEN(buf)
    if (doca_priv_task_check(task, doca_priv_comch_sending_ended, __func__) == DOCA_SUCCESS)
        task->buf = buf;
}

DOCA_CORE_DECL uint32_t
doca_comch_producer_task_send_get_consumer_id(const struct doca_comch_producer_task_send *task)
{
    const struct doca_comch_producer_task_send *send = doca_priv_comch_sent_task(task, __func__);

    return send != NULL ? send->consumer_id : 0;
}

DOCA_CORE_DECL void
doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
                                              const uint32_t consumer_id)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_comch_sending_ended, __func__) == DOCA_SUCCESS)
        task->consumer_id = consumer_id;
}

DOCA_CORE_DECL uint8_t *
doca_comch_producer_task_send_get_imm_data(const struct doca_comch_producer_task_send *task)
{
    const struct doca_comch_producer_task_send *send = doca_priv_comch_sent_task(task, __func__);

    return send != NULL && send->imm_len > 0 ? (uint8_t *)(uintptr_t)send->imm : NULL;
}

DOCA_CORE_DECL uint32_t
doca_comch_producer_task_send_get_imm_data_len(const struct doca_comch_producer_task_send *task)
{
    const struct doca_comch_producer_task_send *send = doca_priv_comch_sent_task(task, __func__);

    return send != NULL ? send->imm_len : 0;
}

DOCA_CORE_DECL void
doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
                                           uint8_t *imm_data, uint32_t imm_data_len)
{
    DOCA_PRIV_OPEN(task)
    if (doca_priv_task_check(task, doca_priv_comch_sending_ended, __func__) != DOCA_SUCCESS)
        return;
    if (imm_data_len > DOCA_CORE_COMCH_MAX_IMM || (imm_data == NULL && imm_data_len > 0))
        (void)DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_IMM, task);
    else
        doca_priv_comch_set_imm(task, imm_data, imm_data_len);
}

DOCA_CORE_DECL struct doca_task *
doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task)
{
    return (struct doca_task *)(void *)task;
}

/* part: src/compat/comch/cc_events.c */
/* ---- >>impl.comch.cc.events ------------------------------------------------------------------
 * Callbacks of 2.5 for events. A server or client calls a function of this file, and this function
 * calls the program's callback with the types of 2.5.                                           */

static void doca_priv_comch_25_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes,
                                        uint32_t len, struct doca_comch_connection *connection)
{
    connection->comch->of_25.received(event, bytes, len, connection);
}

static void doca_priv_comch_25_connected(struct doca_comch_event_connection_status_changed *event,
                                         struct doca_comch_connection *connection,
                                         uint8_t change_successful)
{
    connection->comch->of_25.connected(event, connection, change_successful != 0);
}

static void
doca_priv_comch_25_disconnected(struct doca_comch_event_connection_status_changed *event,
                                struct doca_comch_connection *connection, uint8_t change_successful)
{
    connection->comch->of_25.disconnected(event, connection, change_successful != 0);
}

DOCA_CORE_DECL doca_error_t doca_cc_server_event_msg_recv_register(
    struct doca_comch_server *cc_server, doca_cc_event_msg_recv_cb_t recv_event_cb)
{
    doca_error_t rc = doca_comch_server_event_msg_recv_register(
        cc_server, recv_event_cb != NULL ? doca_priv_comch_25_received : NULL);
    DOCA_PRIV_OPEN(cc_server)

    if (rc == DOCA_SUCCESS)
        cc_server->comch.of_25.received = recv_event_cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_cc_client_event_msg_recv_register(
    struct doca_comch_client *cc_client, doca_cc_event_msg_recv_cb_t recv_event_cb)
{
    doca_error_t rc = doca_comch_client_event_msg_recv_register(
        cc_client, recv_event_cb != NULL ? doca_priv_comch_25_received : NULL);
    DOCA_PRIV_OPEN(cc_client)

    if (rc == DOCA_SUCCESS)
        cc_client->comch.of_25.received = recv_event_cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_cc_server_event_connection_register(
    struct doca_comch_server *cc_server,
    doca_cc_event_connection_status_changed_cb_t connect_event_cb,
    doca_cc_event_connection_status_changed_cb_t disconnect_event_cb)
{
    doca_error_t rc = doca_comch_server_event_connection_status_changed_register(
        cc_server, connect_event_cb != NULL ? doca_priv_comch_25_connected : NULL,
        disconnect_event_cb != NULL ? doca_priv_comch_25_disconnected : NULL);
    DOCA_PRIV_OPEN(cc_server)

    if (rc == DOCA_SUCCESS) {
        cc_server->comch.of_25.connected = connect_event_cb;
        cc_server->comch.of_25.disconnected = disconnect_event_cb;
    }
    return rc;
}

/* part: src/compat/comch/event_channel.c */
/* ---- >>impl.comch.event_channel -------------------------------------------------------------
 * The event channels of endpoints.                                                              */

/* Watch a descriptor in an epoll set. If `events` is 0, the set reports only that the peer has hung
 * up. */
DOCA_PRIV_DECL bool doca_priv_endpoint_watch(int set, int fd, uint32_t events)
{
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = events;
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* True when poll() reports an event for this descriptor. */
DOCA_PRIV_DECL bool doca_priv_endpoint_is_readable(int fd)
{
    struct pollfd wait;

    wait.fd = fd;
    wait.events = POLLIN;
    wait.revents = 0;
    return poll(&wait, 1, 0) > 0;
}

/* Make an eventfd readable or not. */
DOCA_PRIV_DECL void doca_priv_endpoint_set(int event_fd, bool is_readable)
{
    (void)doca_priv_sys_event_drain(event_fd);
    if (is_readable)
        (void)doca_priv_sys_event_signal(event_fd);
}

DOCA_PRIV_DECL void doca_priv_endpoint_close_channels(struct doca_comm_channel_ep_t *ep)
{
    doca_priv_sys_close(ep->recv_set);
    doca_priv_sys_close(ep->recv_fd);
    doca_priv_sys_close(ep->send_set);
    doca_priv_sys_close(ep->send_fd);
    doca_priv_sys_close(ep->service_set);
    doca_priv_sys_close(ep->service_fd);
    ep->recv_set = ep->send_set = ep->service_set = -1;
    ep->recv_fd = ep->send_fd = ep->service_fd = -1;
}

/* Open the channels of an endpoint, unless they are open. On failure, errno has the cause. */
DOCA_PRIV_DECL bool doca_priv_endpoint_open_channels(struct doca_comm_channel_ep_t *ep,
                                                     const char *function)
{
    if (ep->service_set >= 0)
        return true;
    ep->recv_set = doca_priv_sys_wait_open(&ep->recv_fd);
    ep->send_set = doca_priv_sys_wait_open(&ep->send_fd);
    ep->service_set = doca_priv_sys_wait_open(&ep->service_fd);
    if (ep->recv_set >= 0 && ep->send_set >= 0 && ep->service_set >= 0)
        return true;
    (void)doca_priv_fail_system(DOCA_CORE_ITEM_COMCH_SYSTEM, function, ep,
                                DOCA_PRIV_LOG_TEXT("open the event channels"));
    doca_priv_endpoint_close_channels(ep);
    return false;
}

/* Make the send channel wait for room: sendto has found the connection of this peer full. */
DOCA_PRIV_DECL void doca_priv_endpoint_block(struct doca_comm_channel_addr_t *peer)
{
    struct doca_comm_channel_ep_t *ep = peer->ep;

    if (peer->is_blocked || !doca_priv_endpoint_watch(ep->send_set, peer->connection->fd, EPOLLOUT))
        return;
    peer->is_blocked = true;
    if (ep->num_blocked++ == 0)
        doca_priv_endpoint_set(ep->send_fd, false);
}

/* Stop waiting for room: the connection of a peer has room, or ends. When the context is idle, the
 * memory of its connections is released, and the kernel has dropped their descriptors. */
DOCA_PRIV_DECL void doca_priv_endpoint_unblock(struct doca_comm_channel_addr_t *peer)
{
    struct doca_comm_channel_ep_t *ep = peer->ep;

    if (!peer->is_blocked)
        return;
    if (peer->connection != NULL && ep->comch->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        doca_priv_sys_unwatch(ep->send_set, peer->connection->fd);
    peer->is_blocked = false;
    if (--ep->num_blocked == 0)
        doca_priv_endpoint_set(ep->send_fd, true);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_event_channel(
    struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *send_event_channel,
    doca_event_channel_t *recv_event_channel)
{
    doca_error_t rc = doca_priv_endpoint_check(
        local_ep, send_event_channel != NULL ? send_event_channel : recv_event_channel, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, COMM_IDLE, local_ep);
    if (send_event_channel != NULL)
        *send_event_channel = local_ep->send_set;
    if (recv_event_channel != NULL)
        *recv_event_channel = local_ep->recv_set;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_service_event_channel(
    struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *service_event_channel)
{
    doca_error_t rc = doca_priv_endpoint_check(local_ep, service_event_channel, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, COMM_IDLE, local_ep);
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, COMM_NOT_SERVICE, local_ep);
    *service_event_channel = local_ep->service_set;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_event_handle_arm_send(struct doca_comm_channel_ep_t *local_ep)
{
    return doca_priv_endpoint_check(local_ep, local_ep, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_event_handle_arm_recv(struct doca_comm_channel_ep_t *local_ep)
{
    return doca_priv_endpoint_check(local_ep, local_ep, __func__);
}

/* part: src/compat/comch/peer.c */
/* ---- >>impl.comch.peer ----------------------------------------------------------------------
 * The peers of endpoints, from listen, connect or accept to disconnect. The user data of an
 * endpoint's server or client is the endpoint, and the user data of a connection is its peer.
 * States of a peer:
 *     UNUSED -> CONNECTING (client) -> UP -> BROKEN -> UNUSED
 * A peer that breaks before the program has its handle becomes UNUSED at once. All callbacks run in
 * doca_priv_peer_advance(), or while the endpoint drops messages to disconnect.                 */

DOCA_PRIV_DECL bool doca_priv_peer_is(const struct doca_comm_channel_addr_t *peer)
{
    return doca_priv_is(peer, DOCA_PRIV_KIND_PEER);
}

DOCA_PRIV_DECL bool doca_priv_peer_is_of(const struct doca_comm_channel_addr_t *peer,
                                         const struct doca_comm_channel_ep_t *ep)
{
    return doca_priv_peer_is(peer) && peer->ep == ep && peer->obj.state != DOCA_PRIV_PEER_UNUSED;
}

/* Take an unused entry of the table for a peer. Returns NULL when all entries are in use. */
static struct doca_comm_channel_addr_t *doca_priv_peer_open(struct doca_comm_channel_ep_t *ep,
                                                            uint8_t state)
{
    struct doca_comm_channel_addr_t *peer = ep->peers;

    while (peer < ep->peers + DOCA_CORE_COMCH_MAX_CLIENTS &&
           peer->obj.state != DOCA_PRIV_PEER_UNUSED)
        peer++;
    if (peer == ep->peers + DOCA_CORE_COMCH_MAX_CLIENTS)
        return NULL;
    DOCA_CORE_MEMSET(peer, 0, sizeof(*peer));
    doca_priv_object_init(&peer->obj, DOCA_PRIV_KIND_PEER);
    peer->obj.state = state;
    peer->ep = ep;
    return peer;
}

/* Release the handle of a peer. */
static void doca_priv_peer_end(struct doca_comm_channel_addr_t *peer)
{
    if (peer->ep->sender == peer)
        doca_priv_endpoint_hold(peer->ep, NULL);
    peer->obj.state = DOCA_PRIV_PEER_UNUSED;
    doca_priv_object_end(&peer->obj);
}

/* Mark a peer as broken: its connection has broken, or is being closed. */
static void doca_priv_peer_break(struct doca_comm_channel_addr_t *peer)
{
    doca_priv_endpoint_unblock(peer);
    peer->connection = NULL;
    peer->obj.state = DOCA_PRIV_PEER_BROKEN;
}

static struct doca_comm_channel_ep_t *
doca_priv_peer_ep(const struct doca_comch_connection *connection)
{
    return (struct doca_comm_channel_ep_t *)connection->comch->ctx.user_data.ptr;
}

static void doca_priv_peer_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes,
                                    uint32_t len, struct doca_comch_connection *connection)
{
    struct doca_comm_channel_ep_t *ep = doca_priv_peer_ep(connection);
    struct doca_comm_channel_addr_t *peer =
        ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT
            ? &ep->peers[0]
            : (struct doca_comm_channel_addr_t *)connection->user_data.ptr;

    (void)event;
    if (ep->drops || peer == NULL)
        return;
    peer->counts[DOCA_COMCH_COUNTER_RECV_MESSAGES - 1]++;
    peer->counts[DOCA_COMCH_COUNTER_RECV_BYTES - 1] += len;
    ep->len = len;
    if (ep->to != NULL && len <= ep->room) {
        DOCA_CORE_MEMCPY(ep->to, bytes, len);
        ep->sender = peer;
    } else {
        DOCA_CORE_MEMCPY(ep->held, bytes, len);
        doca_priv_endpoint_hold(ep, peer);
    }
}

static void doca_priv_peer_came(struct doca_comch_event_connection_status_changed *event,
                                struct doca_comch_connection *connection, uint8_t is_connected)
{
    struct doca_comm_channel_ep_t *ep = doca_priv_peer_ep(connection);
    struct doca_comm_channel_addr_t *peer;

    (void)event;
    doca_priv_endpoint_set(ep->service_fd, true);
    if (is_connected == 0)
        return;
    peer = ep->drops ? NULL : doca_priv_peer_open(ep, DOCA_PRIV_PEER_UP);
    if (peer == NULL) {
        if (!ep->drops)
            (void)doca_priv_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_COMM_CROWDED, "doca_pe_progress",
                                 ep);
        doca_priv_comch_conn_hang_up(connection);
        return;
    }
    peer->connection = connection;
    connection->user_data.ptr = peer;
    (void)doca_priv_endpoint_watch(ep->service_set, connection->fd, 0);
}

static void doca_priv_peer_went(struct doca_comch_event_connection_status_changed *event,
                                struct doca_comch_connection *connection, uint8_t change_successful)
{
    struct doca_comm_channel_addr_t *peer =
        (struct doca_comm_channel_addr_t *)connection->user_data.ptr;

    (void)event;
    (void)change_successful;
    doca_priv_endpoint_set(doca_priv_peer_ep(connection)->service_fd, true);
    if (peer == NULL)
        return;
    doca_priv_peer_break(peer);
    if (!peer->is_known)
        doca_priv_peer_end(peer);
}

/* Make progress until the server or client of an endpoint is idle. Its connections are hung up, so
 * no peer can delay this. */
static void doca_priv_peer_await_idle(struct doca_comm_channel_ep_t *ep)
{
    ep->drops = true;
    while (ep->comch->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        (void)doca_pe_progress(ep->pe);
    ep->drops = false;
}

/* Stop and destroy the server or client, and release the handles of all peers. */
DOCA_PRIV_DECL void doca_priv_peer_close(struct doca_comm_channel_ep_t *ep)
{
    struct doca_comm_channel_addr_t *peer;

    if (ep->obj.state == DOCA_PRIV_ENDPOINT_IDLE)
        return;
    for (peer = ep->peers; peer < ep->peers + DOCA_CORE_COMCH_MAX_CLIENTS; peer++)
        if (peer->obj.state != DOCA_PRIV_PEER_UNUSED) {
            if (peer->connection != NULL)
                peer->connection->user_data.ptr = NULL;
            doca_priv_peer_break(peer);
            doca_priv_peer_end(peer);
        }
    if (ep->comch->ctx.obj.state != DOCA_CTX_STATE_IDLE) {
        if (ep->comch->ctx.obj.state != DOCA_CTX_STATE_STOPPING)
            (void)doca_ctx_stop(&ep->comch->ctx);
        doca_priv_peer_await_idle(ep);
    }
    if (ep->obj.state == DOCA_PRIV_ENDPOINT_SERVICE)
        (void)doca_comch_server_destroy((struct doca_comch_server *)(void *)ep->comch);
    else
        (void)doca_comch_client_destroy((struct doca_comch_client *)(void *)ep->comch);
    ep->comch = NULL;
    ep->obj.state = DOCA_PRIV_ENDPOINT_IDLE;
    ep->num_listed = 0;
    ep->num_pending = 0;
    doca_priv_endpoint_set(ep->recv_fd, false);
}

/* Update the state of a client's peer from the state of the client. */
static void doca_priv_peer_follow(struct doca_comm_channel_ep_t *ep)
{
    struct doca_comm_channel_addr_t *peer = &ep->peers[0];
    const uint8_t state = ep->comch->ctx.obj.state;

    if (state == DOCA_CTX_STATE_RUNNING && peer->obj.state == DOCA_PRIV_PEER_CONNECTING) {
        peer->connection = &ep->comch->conns[0];
        peer->obj.state = DOCA_PRIV_PEER_UP;
    } else if ((state == DOCA_CTX_STATE_STOPPING || state == DOCA_CTX_STATE_IDLE) &&
               peer->obj.state != DOCA_PRIV_PEER_BROKEN) {
        doca_priv_peer_break(peer);
        doca_priv_peer_await_idle(ep);
        doca_priv_endpoint_set(ep->recv_fd, true);
    }
}

/* Make one step of progress, which receives at most one message. Returns false when there is no
 * more work. */
DOCA_PRIV_DECL bool doca_priv_peer_advance(struct doca_comm_channel_ep_t *ep)
{
    uint8_t num;

    if (ep->comch->ctx.obj.state == DOCA_CTX_STATE_IDLE)
        return false;
    ep->comch->num_empty = 0; /* the next poll asks the kernel */
    num = doca_pe_progress(ep->pe);
    if (ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT)
        doca_priv_peer_follow(ep);
    return num > 0 || (ep->comch->ctx.obj.state != DOCA_CTX_STATE_IDLE &&
                       doca_priv_endpoint_is_readable(ep->comch->set));
}

/* Map the result of a Comch call to a result that listen and connect document. */
static doca_error_t doca_priv_peer_map(doca_error_t rc, const char *function)
{
    if (rc == DOCA_ERROR_ALREADY_EXIST)
        rc = DOCA_ERROR_CONNECTION_ABORTED;
    else if (rc == DOCA_SUCCESS || rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_NO_MEMORY ||
             rc == DOCA_ERROR_NOT_SUPPORTED || rc == DOCA_ERROR_DRIVER)
        return rc;
    else
        rc = DOCA_ERROR_INITIALIZATION;
    doca_priv_last.code = rc; /* only the log line has the code of Comch */
    doca_priv_last.function = function;
    return rc;
}

/* Check a call of listen or connect. */
static doca_error_t doca_priv_peer_may_open(const struct doca_comm_channel_ep_t *ep,
                                            const void *pointer, bool needs_rep,
                                            const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, pointer, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (ep->obj.state != DOCA_PRIV_ENDPOINT_IDLE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_COMM_BUSY, function, ep);
    if (ep->dev == NULL || (needs_rep && ep->rep == NULL))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE,
                              ep->dev == NULL ? DOCA_CORE_ITEM_COMM_NO_DEV
                                              : DOCA_CORE_ITEM_COMM_NO_REP,
                              function, ep);
    return DOCA_SUCCESS;
}

/* Configure and start the server or client that was made for an endpoint. */
static doca_error_t doca_priv_peer_start(struct doca_comm_channel_ep_t *ep, void *made,
                                         uint8_t state, const char *function)
{
    DOCA_PRIV_OPEN(made)
    struct doca_priv_comch *comch = (struct doca_priv_comch *)made;
    doca_error_t rc = DOCA_ERROR_INITIALIZATION;

    ep->comch = comch;
    ep->obj.state = state;
    comch->max_msg = ep->max_msg;
    comch->recv_queue_size = ep->recv_queue_size;
    comch->received = doca_priv_peer_received;
    comch->ctx.user_data.ptr = ep;
    if (state == DOCA_PRIV_ENDPOINT_SERVICE) {
        comch->connected = doca_priv_peer_came;
        comch->disconnected = doca_priv_peer_went;
    }
    if (doca_priv_endpoint_open_channels(ep, function)) {
        doca_priv_endpoint_set(ep->send_fd, true);
        rc = doca_pe_connect_ctx(ep->pe, &comch->ctx);
        if (rc == DOCA_SUCCESS)
            rc = doca_ctx_start(&comch->ctx);
        rc = rc == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : doca_priv_peer_map(rc, function);
    }
    if (rc == DOCA_SUCCESS && !doca_priv_endpoint_watch(ep->recv_set, comch->set, EPOLLIN)) {
        (void)doca_priv_fail_system(DOCA_CORE_ITEM_COMCH_SYSTEM, function, ep,
                                    DOCA_PRIV_LOG_TEXT("watch the sockets of the endpoint"));
        rc = DOCA_ERROR_INITIALIZATION;
    }
    if (rc != DOCA_SUCCESS)
        doca_priv_peer_close(ep);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_listen(struct doca_comm_channel_ep_t *local_ep,
                                                        const char *name)
{
    struct doca_comch_server *server = NULL;
    doca_error_t rc = doca_priv_peer_may_open(local_ep, name, true, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_peer_map(doca_core_comch_server_create_in(local_ep->arena, local_ep->dev,
                                                             local_ep->rep, name, &server),
                            __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_peer_start(local_ep, server, DOCA_PRIV_ENDPOINT_SERVICE, __func__);
    if (rc == DOCA_SUCCESS)
        (void)doca_priv_endpoint_watch(local_ep->service_set, local_ep->comch->listener, EPOLLIN);
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_connect(struct doca_comm_channel_ep_t *local_ep, const char *name,
                             struct doca_comm_channel_addr_t **peer_addr)
{
    struct doca_comch_client *client = NULL;
    struct doca_comm_channel_addr_t *peer;
    unsigned i;
    doca_error_t rc = doca_priv_peer_may_open(local_ep, peer_addr, false, __func__);

    if (rc == DOCA_SUCCESS && name == NULL)
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, local_ep);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_peer_map(
        doca_core_comch_client_create_in(local_ep->arena, local_ep->dev, name, &client), __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_peer_start(local_ep, client, DOCA_PRIV_ENDPOINT_CLIENT, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    peer = doca_priv_peer_open(local_ep, DOCA_PRIV_PEER_CONNECTING);
    for (i = 0; i < 4 && peer->obj.state == DOCA_PRIV_PEER_CONNECTING &&
                local_ep->comch->conns[0].obj.state == DOCA_PRIV_COMCH_FREE;
         i++)
        (void)doca_priv_peer_advance(local_ep); /* connects the socket */
    if (peer->obj.state == DOCA_PRIV_PEER_BROKEN) {
        doca_priv_peer_close(local_ep);
        doca_priv_last.code = DOCA_ERROR_CONNECTION_ABORTED;
        doca_priv_last.function = __func__;
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    peer->is_known = true;
    *peer_addr = peer;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_disconnect(
    struct doca_comm_channel_ep_t *local_ep, struct doca_comm_channel_addr_t *peer_addr)
{
    doca_error_t rc = doca_priv_endpoint_check(local_ep, local_ep, __func__);
    struct doca_comch_connection *connection;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_peer_is_of(peer_addr, local_ep))
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_NO_PEER, local_ep);
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT) {
        doca_priv_peer_close(local_ep);
        return DOCA_SUCCESS;
    }
    connection = peer_addr->connection;
    doca_priv_peer_break(peer_addr);
    doca_priv_peer_end(peer_addr);
    if (connection != NULL) {
        connection->user_data.ptr = NULL;
        if (connection->obj.state == DOCA_PRIV_COMCH_UP)
            doca_priv_comch_conn_hang_up(connection);
        doca_priv_comch_drain(connection);
    }
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_user_data(
    struct doca_comm_channel_addr_t *peer_addr, uint64_t *user_data)
{
    doca_error_t rc = doca_priv_check_args(peer_addr, DOCA_PRIV_KIND_PEER, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = peer_addr->user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_set_user_data(
    struct doca_comm_channel_addr_t *peer_addr, uint64_t user_context)
{
    if (!doca_priv_peer_is(peer_addr))
        return DOCA_PRIV_FAIL_HANDLE(peer_addr);
    peer_addr->user_data = user_context;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_peer_addr_update_info(struct doca_comm_channel_addr_t *peer_addr)
{
    if (!doca_priv_peer_is(peer_addr))
        return DOCA_PRIV_FAIL_HANDLE(peer_addr);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_CONNECTING)
        (void)doca_priv_peer_advance(peer_addr->ep);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_CONNECTING)
        return DOCA_PRIV_FAIL(CONNECTION_INPROGRESS, COMM_CONNECTING, peer_addr);
    DOCA_CORE_MEMCPY(peer_addr->seen, peer_addr->counts, sizeof(peer_addr->seen));
    if (peer_addr->obj.state == DOCA_PRIV_PEER_BROKEN ||
        doca_priv_local_is_hung_up(peer_addr->connection->fd))
        return DOCA_PRIV_FAIL(CONNECTION_ABORTED, COMM_BROKEN, peer_addr);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_peer_count(const struct doca_comm_channel_addr_t *peer,
                                         enum doca_comch_counter which, uint64_t *to,
                                         const char *function)
{
    doca_error_t rc = doca_priv_check_args(peer, DOCA_PRIV_KIND_PEER, to, function);

    if (rc == DOCA_SUCCESS)
        *to = peer->seen[(unsigned)which - 1];
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_messages)
{
    return doca_priv_peer_count(peer_addr, DOCA_COMCH_COUNTER_SENT_MESSAGES, send_messages,
                                __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_bytes(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_bytes)
{
    return doca_priv_peer_count(peer_addr, DOCA_COMCH_COUNTER_SENT_BYTES, send_bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_recv_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_messages)
{
    return doca_priv_peer_count(peer_addr, DOCA_COMCH_COUNTER_RECV_MESSAGES, recv_messages,
                                __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_recv_bytes(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_bytes)
{
    return doca_priv_peer_count(peer_addr, DOCA_COMCH_COUNTER_RECV_BYTES, recv_bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_in_flight_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_in_flight_messages)
{
    doca_error_t rc =
        doca_priv_check_args(peer_addr, DOCA_PRIV_KIND_PEER, send_in_flight_messages, __func__);

    if (rc == DOCA_SUCCESS)
        *send_in_flight_messages = 0;
    return rc;
}

/* part: src/compat/comch/exchange.c */
/* ---- >>impl.comch.exchange ------------------------------------------------------------------
 * Messages of endpoints, and the snapshot of a service.                                         */

/* Maximum number of steps of progress in one recvfrom: enough to accept all clients at once, and a
 * bound if clients connect and disconnect all the time. */
#define DOCA_PRIV_ENDPOINT_STEPS (4u * DOCA_CORE_COMCH_MAX_CLIENTS)

/* Keep the message of `sender` in `held` until recvfrom takes it; NULL: no message is held. */
DOCA_PRIV_DECL void doca_priv_endpoint_hold(struct doca_comm_channel_ep_t *ep,
                                            struct doca_comm_channel_addr_t *sender)
{
    if (sender != NULL)
        sender->is_known = true; /* the handle stays valid until recvfrom has returned it */
    ep->sender = sender;
    ep->is_held = sender != NULL;
    doca_priv_endpoint_set(ep->recv_fd, ep->is_held);
}

/* Check a call of sendto or recvfrom. */
static doca_error_t doca_priv_endpoint_check_message(const struct doca_comm_channel_ep_t *ep,
                                                     const void *msg, int flags,
                                                     const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, msg, function);

    if (rc == DOCA_SUCCESS && flags != DOCA_CC_MSG_FLAG_NONE)
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMM_FLAGS, function, ep);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_sendto(struct doca_comm_channel_ep_t *local_ep,
                                                        const void *msg, size_t len, int flags,
                                                        struct doca_comm_channel_addr_t *peer_addr)
{
    doca_error_t rc = doca_priv_endpoint_check_message(local_ep, msg, flags, __func__);
    enum doca_priv_local_sent sent;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_peer_is_of(peer_addr, local_ep))
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_NO_PEER, local_ep);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_CONNECTING)
        (void)doca_priv_peer_advance(local_ep);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_CONNECTING)
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_CONNECTING, peer_addr);
    if (peer_addr->obj.state == DOCA_PRIV_PEER_BROKEN)
        return DOCA_PRIV_FAIL(CONNECTION_RESET, COMM_BROKEN, peer_addr);
    if (len > peer_addr->connection->max_msg)
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMCH_TOO_LONG, peer_addr);
    rc = doca_priv_fault_call(&local_ep->comch->ctx, DOCA_PRIV_FAULT_COMM_SENDTO);
    if (rc != DOCA_SUCCESS)
        return rc;
    sent =
        doca_priv_local_send(peer_addr->connection->fd, DOCA_PRIV_COMCH_MESSAGE, 0, msg, len, NULL);
    if (sent == DOCA_PRIV_LOCAL_FULL) {
        doca_priv_endpoint_block(peer_addr);
        return DOCA_PRIV_FAIL(AGAIN, COMM_FULL, peer_addr);
    }
    doca_priv_endpoint_unblock(peer_addr);
    if (sent == DOCA_PRIV_LOCAL_BROKEN)
        return DOCA_PRIV_FAIL(CONNECTION_RESET, COMM_BROKEN, peer_addr);
    peer_addr->counts[DOCA_COMCH_COUNTER_SENT_MESSAGES - 1]++;
    peer_addr->counts[DOCA_COMCH_COUNTER_SENT_BYTES - 1] += len;
    return DOCA_SUCCESS;
}

/* Receive a message into the memory of the caller if it fits, otherwise into `held`. */
static void doca_priv_endpoint_receive(struct doca_comm_channel_ep_t *ep, void *to, size_t room)
{
    uint32_t i;

    ep->to = to;
    ep->room = room;
    for (i = 0; i < DOCA_PRIV_ENDPOINT_STEPS && ep->sender == NULL; i++)
        if (!doca_priv_peer_advance(ep))
            break;
    ep->to = NULL;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_recvfrom(struct doca_comm_channel_ep_t *local_ep, void *msg, size_t *len,
                              int flags, struct doca_comm_channel_addr_t **peer_addr)
{
    doca_error_t rc = doca_priv_endpoint_check_message(local_ep, msg, flags, __func__);

    if (rc == DOCA_SUCCESS && (len == NULL || peer_addr == NULL))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, local_ep);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_IDLE)
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_IDLE, local_ep);
    /* With injected faults, the message goes to `held` first: this call may still fail, and then
     * must not have written to the caller's memory. */
    if (local_ep->sender == NULL)
        doca_priv_endpoint_receive(local_ep,
                                   doca_priv_fault_is_on(&local_ep->comch->ctx) ? NULL : msg, *len);
    if (local_ep->sender == NULL) {
        if (local_ep->obj.state == DOCA_PRIV_ENDPOINT_CLIENT &&
            local_ep->peers[0].obj.state == DOCA_PRIV_PEER_BROKEN)
            return DOCA_PRIV_FAIL(CONNECTION_RESET, COMM_BROKEN, local_ep);
        return DOCA_PRIV_FAIL(AGAIN, COMM_NOTHING, local_ep);
    }
    if (local_ep->is_held && local_ep->len > *len) {
        *len = local_ep->len;
        return DOCA_PRIV_FAIL(INVALID_VALUE, COMM_ROOM, local_ep);
    }
    rc = doca_priv_fault_call(&local_ep->comch->ctx, DOCA_PRIV_FAULT_COMM_RECVFROM);
    if (rc != DOCA_SUCCESS)
        return rc;
    *len = local_ep->len;
    *peer_addr = local_ep->sender;
    local_ep->sender->is_known = true;
    if (local_ep->is_held) {
        DOCA_CORE_MEMCPY(msg, local_ep->held, local_ep->len);
        doca_priv_endpoint_hold(local_ep, NULL);
    }
    local_ep->sender = NULL;
    return DOCA_SUCCESS;
}

/* Check a call that needs a service. */
static doca_error_t doca_priv_endpoint_check_service(const struct doca_comm_channel_ep_t *ep,
                                                     const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, pointer, function);

    if (rc == DOCA_SUCCESS && ep->obj.state != DOCA_PRIV_ENDPOINT_SERVICE)
        rc =
            doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMM_NOT_SERVICE, function, ep);
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_update_service_state_info(struct doca_comm_channel_ep_t *local_ep)
{
    doca_error_t rc = doca_priv_endpoint_check_service(local_ep, local_ep, __func__);
    struct doca_comm_channel_addr_t *peer;
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_ep->comch->ctx.obj.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_PRIV_FAIL(CONNECTION_RESET, COMCH_NOT_STARTED, local_ep);
    doca_priv_endpoint_set(local_ep->service_fd, false);
    doca_priv_comch_accept_all(local_ep->comch);
    local_ep->num_listed = 0;
    local_ep->num_pending = 0;
    for (i = 0; i < DOCA_CORE_COMCH_MAX_CLIENTS; i++) {
        if (local_ep->comch->conns[i].obj.state == DOCA_PRIV_COMCH_GREETING)
            local_ep->num_pending++;
        peer = &local_ep->peers[i];
        if (peer->obj.state != DOCA_PRIV_PEER_UP)
            continue;
        if (doca_priv_local_is_hung_up(peer->connection->fd)) { /* the next recvfrom will notice
                                                                 * it */
            doca_priv_sys_unwatch(local_ep->service_set, peer->connection->fd);
            continue;
        }
        peer->is_known = true;
        local_ep->listed[local_ep->num_listed++] = peer;
    }
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_peer_addr_list(
    const struct doca_comm_channel_ep_t *local_ep,
    struct doca_comm_channel_addr_t ***peer_addr_array, uint32_t *peer_addr_array_len)
{
    doca_error_t rc = doca_priv_endpoint_check_service(
        local_ep, peer_addr_array != NULL ? (const void *)peer_addr_array_len : NULL, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    *peer_addr_array = ((struct doca_comm_channel_ep_t *)(uintptr_t)local_ep)->listed;
    *peer_addr_array_len = local_ep->num_listed;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_pending_connections(
    const struct doca_comm_channel_ep_t *local_ep, uint32_t *pending_connections)
{
    doca_error_t rc = doca_priv_endpoint_check_service(local_ep, pending_connections, __func__);

    if (rc == DOCA_SUCCESS)
        *pending_connections = local_ep->num_pending;
    return rc;
}

/* part: src/compat/comch/endpoint.c */
/* ---- >>impl.comch.endpoint ------------------------------------------------------------------
 * Limits, create, destroy and settings of endpoints.                                            */

/* Lower limits of sizes (a smaller size is raised to the limit), and initial values. */
#define DOCA_PRIV_ENDPOINT_MIN_MSG 64u
#define DOCA_PRIV_ENDPOINT_MIN_QUEUE 16u
#define DOCA_PRIV_ENDPOINT_QUEUE 64u

/* Return a limit of Comch, cut to the maximum of uint16_t, because endpoints store sizes as
 * uint16_t. */
static uint32_t doca_priv_endpoint_clamp(uint32_t limit)
{
    return limit < UINT16_MAX ? limit : UINT16_MAX;
}

DOCA_CORE_DECL doca_error_t
doca_comm_channel_get_max_service_name_len(uint32_t *max_service_name_len)
{
    if (max_service_name_len == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    *max_service_name_len = DOCA_CORE_COMCH_MAX_NAME;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_endpoint_limit(const struct doca_devinfo *devinfo, uint32_t *to,
                                             uint32_t limit, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, to, function);

    if (rc == DOCA_SUCCESS)
        *to = doca_priv_endpoint_clamp(limit);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_message_size(struct doca_devinfo *devinfo,
                                                                   uint32_t *max_message_size)
{
    return doca_priv_endpoint_limit(devinfo, max_message_size, DOCA_CORE_COMCH_MAX_MSG, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_send_queue_size(struct doca_devinfo *devinfo,
                                                                      uint32_t *max_send_queue_size)
{
    return doca_priv_endpoint_limit(devinfo, max_send_queue_size, DOCA_CORE_COMCH_MAX_SEND_TASKS,
                                    __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_recv_queue_size(struct doca_devinfo *devinfo,
                                                                      uint32_t *max_recv_queue_size)
{
    return doca_priv_endpoint_limit(devinfo, max_recv_queue_size, DOCA_CORE_COMCH_MAX_RECV_QUEUE,
                                    __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_get_service_max_num_connections(
    struct doca_devinfo *devinfo, uint32_t *max_num_connections)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, max_num_connections, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_comch_cap_server_is_supported(devinfo);
    if (rc == DOCA_SUCCESS)
        *max_num_connections = DOCA_CORE_COMCH_MAX_CLIENTS;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_comm_channel_ep(struct doca_dev *dev, bool is_service,
                                                            uint32_t max_msg, size_t *bytes)
{
    size_t ep = 0, pe = 0, comch = 0;
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);

    if (rc == DOCA_SUCCESS && max_msg > 0 && max_msg < DOCA_PRIV_ENDPOINT_MIN_MSG)
        max_msg = DOCA_PRIV_ENDPOINT_MIN_MSG;
    if (rc == DOCA_SUCCESS)
        rc = is_service ? doca_core_bytes_comch_server(dev, DOCA_CORE_COMCH_MAX_CLIENTS, 1, max_msg,
                                                       &comch)
                        : doca_core_bytes_comch_client(dev, 1, max_msg, &comch);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_bytes_pe(&pe);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_bytes_object(sizeof(struct doca_comm_channel_ep_t), &ep, __func__);
    if (rc == DOCA_SUCCESS)
        *bytes = ep + pe + comch;
    return rc;
}

/* Check the arguments of a call with an endpoint and a pointer. */
DOCA_PRIV_DECL doca_error_t doca_priv_endpoint_check(const struct doca_comm_channel_ep_t *ep,
                                                     const void *pointer, const char *function)
{
    return doca_priv_check_args(ep, DOCA_PRIV_KIND_ENDPOINT, pointer, function);
}

static doca_error_t doca_priv_endpoint_create(struct doca_core_arena *arena,
                                              struct doca_comm_channel_ep_t **to,
                                              const char *function)
{
    struct doca_comm_channel_ep_t *ep;
    void *block = NULL;
    doca_error_t rc;

    if (to == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    rc = doca_priv_object_take(arena, sizeof(*ep), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    ep = (struct doca_comm_channel_ep_t *)block;
    rc = doca_priv_pe_create(arena, &ep->pe, function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_arena_give(arena, ep);
        return rc;
    }
    ep->arena = arena;
    ep->max_msg = (uint16_t)doca_priv_endpoint_clamp(DOCA_CORE_COMCH_MAX_MSG);
    ep->send_queue_size = DOCA_PRIV_ENDPOINT_QUEUE;
    ep->recv_queue_size = DOCA_PRIV_ENDPOINT_QUEUE;
    ep->recv_set = ep->send_set = ep->service_set = -1;
    ep->recv_fd = ep->send_fd = ep->service_fd = -1;
    doca_priv_object_init(&ep->obj, DOCA_PRIV_KIND_ENDPOINT);
    ep->obj.state = DOCA_PRIV_ENDPOINT_IDLE;
    *to = ep;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_create(struct doca_comm_channel_ep_t **ep)
{
    return doca_priv_endpoint_create(doca_core_arena_bound(), ep, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_comm_channel_ep_create_in(struct doca_core_arena *arena,
                                                                struct doca_comm_channel_ep_t **ep)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, ep, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_endpoint_create(arena, ep, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_destroy(struct doca_comm_channel_ep_t *local_ep)
{
    doca_error_t rc;

    if (!doca_priv_is(local_ep, DOCA_PRIV_KIND_ENDPOINT))
        return DOCA_PRIV_FAIL(NOT_CONNECTED, COMM_NO_ENDPOINT, NULL);
    doca_priv_peer_close(local_ep);
    doca_priv_endpoint_close_channels(local_ep);
    rc = doca_pe_destroy(local_ep->pe);
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(local_ep->arena, &local_ep->obj));
    return rc;
}

/* Check that an endpoint may be configured. */
static doca_error_t doca_priv_endpoint_change(const struct doca_comm_channel_ep_t *ep,
                                              const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, pointer, function);

    if (rc == DOCA_SUCCESS && ep->obj.state != DOCA_PRIV_ENDPOINT_IDLE)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_COMM_BUSY, function, ep);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_device(struct doca_comm_channel_ep_t *ep,
                                                            struct doca_dev **device)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, device, __func__);

    if (rc == DOCA_SUCCESS)
        *device = ep->dev;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_device_rep(struct doca_comm_channel_ep_t *ep,
                                                                struct doca_dev_rep **device_rep)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, device_rep, __func__);

    if (rc == DOCA_SUCCESS)
        *device_rep = ep->rep;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_device(struct doca_comm_channel_ep_t *ep,
                                                            struct doca_dev *device)
{
    doca_error_t rc = doca_priv_endpoint_change(ep, device, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(device, DOCA_PRIV_KIND_DEV, device, __func__);
    if (rc == DOCA_SUCCESS)
        ep->dev = device;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_device_rep(struct doca_comm_channel_ep_t *ep,
                                                                struct doca_dev_rep *device_rep)
{
    doca_error_t rc = doca_priv_endpoint_change(ep, device_rep, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(device_rep, DOCA_PRIV_KIND_DEV_REP, device_rep, __func__);
    if (rc == DOCA_SUCCESS)
        ep->rep = device_rep;
    return rc;
}

enum doca_priv_endpoint_size {
    DOCA_PRIV_ENDPOINT_MSG,
    DOCA_PRIV_ENDPOINT_SENDS,
    DOCA_PRIV_ENDPOINT_RECVS
};

static uint16_t *doca_priv_endpoint_size(struct doca_comm_channel_ep_t *ep,
                                         enum doca_priv_endpoint_size which)
{
    return which == DOCA_PRIV_ENDPOINT_MSG     ? &ep->max_msg
           : which == DOCA_PRIV_ENDPOINT_SENDS ? &ep->send_queue_size
                                               : &ep->recv_queue_size;
}

static doca_error_t doca_priv_endpoint_get_size(struct doca_comm_channel_ep_t *ep,
                                                enum doca_priv_endpoint_size which, uint16_t *to,
                                                const char *function)
{
    doca_error_t rc = doca_priv_endpoint_check(ep, to, function);

    if (rc == DOCA_SUCCESS)
        *to = *doca_priv_endpoint_size(ep, which);
    return rc;
}

/* Set a size. The value is raised to its lower limit and, for a queue, to a power of two. */
static doca_error_t doca_priv_endpoint_set_size(struct doca_comm_channel_ep_t *ep,
                                                enum doca_priv_endpoint_size which, uint32_t value,
                                                const char *function)
{
    static const uint32_t limits[] = { DOCA_CORE_COMCH_MAX_MSG, DOCA_CORE_COMCH_MAX_SEND_TASKS,
                                       DOCA_CORE_COMCH_MAX_RECV_QUEUE };
    const uint32_t limit = doca_priv_endpoint_clamp(limits[which]);
    doca_error_t rc = doca_priv_endpoint_change(ep, ep, function);
    uint32_t raised;

    if (rc == DOCA_SUCCESS && (value == 0 || value > limit))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_LIMIT, function, ep);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (which == DOCA_PRIV_ENDPOINT_MSG)
        raised = value < DOCA_PRIV_ENDPOINT_MIN_MSG ? DOCA_PRIV_ENDPOINT_MIN_MSG : value;
    else
        for (raised = DOCA_PRIV_ENDPOINT_MIN_QUEUE; raised < value; raised *= 2)
            ;
    *doca_priv_endpoint_size(ep, which) = (uint16_t)(raised < limit ? raised : limit);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_max_msg_size(struct doca_comm_channel_ep_t *ep,
                                                                  uint16_t *max_msg_size)
{
    return doca_priv_endpoint_get_size(ep, DOCA_PRIV_ENDPOINT_MSG, max_msg_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_send_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t *send_queue_size)
{
    return doca_priv_endpoint_get_size(ep, DOCA_PRIV_ENDPOINT_SENDS, send_queue_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_recv_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t *recv_queue_size)
{
    return doca_priv_endpoint_get_size(ep, DOCA_PRIV_ENDPOINT_RECVS, recv_queue_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_max_msg_size(struct doca_comm_channel_ep_t *ep,
                                                                  uint16_t max_msg_size)
{
    return doca_priv_endpoint_set_size(ep, DOCA_PRIV_ENDPOINT_MSG, max_msg_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_send_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t send_queue_size)
{
    return doca_priv_endpoint_set_size(ep, DOCA_PRIV_ENDPOINT_SENDS, send_queue_size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_recv_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t recv_queue_size)
{
    return doca_priv_endpoint_set_size(ep, DOCA_PRIV_ENDPOINT_RECVS, recv_queue_size, __func__);
}

/* part: src/compat/comch/unsupported.c */
/* ---- >>impl.comch.unsupported ----------------------------------------------------------------
 * Calls for a DPA, and for message queues. A DPA is a processor of the card, and no device of this
 * library has one. Each call checks its arguments as the reference documents them, and then returns
 * NOT_SUPPORTED. Completions of consumers and message queues cannot be created, so the only check
 * of their handles is a comparison with NULL.                                                   */

/* Refuse a call with the handle of an object that cannot exist, and another pointer. */
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

/* Refuse a call with the handle of an existing object. */
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
 * DOCA_CORE_COMCH_CC before they include this header, as the headers doca_cc*.h do.
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
 * UINT32_MAX. This exceeds every limit, so the call returns INVALID_VALUE. */
static inline uint32_t doca_priv_cc_size(size_t size)
{
    return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

static inline uint32_t doca_priv_cc_exp(size_t log_num)
{
    return log_num < 32 ? (uint32_t)1 << log_num : UINT32_MAX;
}

/* Store `number` in *out if the call succeeded. Returns `rc`, the result of the call. */
static inline doca_error_t doca_priv_cc_give(doca_error_t rc, uint32_t number, size_t *out)
{
    if (rc == DOCA_SUCCESS)
        *out = number;
    return rc;
}

/* Like doca_priv_cc_give(), but store the base-2 logarithm of the largest power of two that is not
 * above `number`. */
static inline doca_error_t doca_priv_cc_give_log(doca_error_t rc, uint32_t number, size_t *out)
{
    size_t log_num = 0;

    while (number >> 1 >> log_num != 0)
        log_num++;
    return doca_priv_cc_give(rc, (uint32_t)log_num, out);
}

/* The control path. The functions have the parameters of the current functions, with the types of
 * 2.5. */
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

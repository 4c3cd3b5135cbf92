/* doca_core_rdma.h - the API of DOCA RDMA (doca_rdma.h, 2.5 to 3.x), for use with doca_core.h
 *
 * RDMA connects instances of two programs. A program sends messages into buffers that its peer has
 * posted. It also reads, writes and changes memory that the peer has exported, while the program of
 * the peer does something else. Here, both sides are processes of one machine, or threads of one
 * process, and the software device replaces the card.
 *
 * THIS HEADER HAS all 178 functions of doca_rdma.h of 2.10 and the one that 3.0 adds, with the
 * vendor's names, values and signatures, and the forms of 2.5 and 3.0 where these differ: see
 * >>rdma.api_25. The 6 calls for a DPA, for a GPU and for librdmacm only answer NOT_SUPPORTED and
 * log one line.
 *
 * DO THIS in the one C (or C++) file that has the implementation, in place of doca_core.h, and
 * include this header without the macros everywhere else:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #define DOCA_CORE_RDMA_IMPLEMENTATION
 *     #include "doca_core_rdma.h"
 *
 * Programs of 2.10 and 3.x, like the one below, are compiled with -DDOCA_CORE_API=30000. Without it
 * the vendor's names have the form of 2.5, and export and connect have no connection argument.
 *
 * ONE SIDE sends a message, and stops when the message has arrived:
 *
 *     static void sent(struct doca_rdma_task_send *task, union doca_data of_task,
 *                      union doca_data of_ctx)
 *     {
 *         doca_task_free(doca_rdma_task_send_as_task(task));
 *         doca_ctx_stop(of_ctx.ptr);
 *     }
 *
 *     doca_rdma_create(dev, &rdma);
 *     ctx = doca_rdma_as_ctx(rdma);
 *     doca_rdma_task_send_set_conf(rdma, sent, sent, 1);
 *     doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = ctx });
 *     doca_pe_connect_ctx(pe, ctx);
 *     doca_ctx_start(ctx);                                // returns SUCCESS
 *     doca_rdma_export(rdma, &bytes, &num_bytes, &connection);
 *     exchange(bytes, num_bytes, &of_peer, &num_of_peer); // by a channel of the program
 *     doca_rdma_connect(rdma, of_peer, num_of_peer, connection);
 *     doca_rdma_task_send_allocate_init(rdma, connection, buf, nothing, &task);
 *     doca_task_submit(doca_rdma_task_send_as_task(task));
 *     while (state != DOCA_CTX_STATE_IDLE)                // the state callback sets `state`
 *         doca_pe_progress(pe);
 *     doca_rdma_destroy(rdma);
 *
 * THE OTHER SIDE makes the same calls with doca_rdma_task_receive_set_conf() and a receive task,
 * which it submits with an empty buffer for the message.
 *
 * MEMORY OF THE PEER is reached through an mmap. Its owner sets RDMA_READ, RDMA_WRITE or
 * RDMA_ATOMIC as permissions of the mmap and of its instance, exports the mmap by
 * doca_mmap_export_rdma(), and sends the descriptor and the address to the peer. The peer imports
 * the mmap by doca_mmap_create_from_export(), and makes buffers with the addresses of the owner.
 *
 * PROCESSES. Both processes have one user, see the same software topology, and share a network
 * namespace. A started instance with connections listens under an abstract address of local sockets
 * (AF_UNIX): for connections by export, its name is in the exported bytes; for connections by
 * address, the name is made of the user id and the port. A peer of another user is refused, by the
 * credentials that the kernel gives. When a process is killed, its peer notices: see
 * >>rdma.connection.
 *
 * NOTIFICATION. A PE with instances has a notification handle, and a program may sleep on it as
 * with any other context.
 *
 * THREADS. An instance, its connections and its tasks belong to the thread of its PE. Addresses
 * (doca_rdma_addr_create()) may be created and destroyed by any thread.
 *
 * MEMORY. No call uses the heap. Objects take their memory from the arena of their device;
 * doca_core_rdma_create_in() takes it from any arena. doca_core_bytes_rdma() gives the size. Only
 * addresses lie in a static table.
 *
 * PLATFORM. Linux, with pointers of 32 or 64 bits, and sync events (no DOCA_CORE_NO_SYNC_EVENT). On
 * other systems the header is refused with #error.
 *
 * ERRORS are reported as in doca_core.h, including doca_core_last_error().
 *
 * AS ON A CARD, as far as the vendor's documents and samples tell: the states and their order, the
 * results of start, what callbacks may call, the wait of a message for a receive task, FULL of a
 * submit to a full send queue, and the order in which tasks complete.
 *
 * DIFFERENCES from the vendor's library
 *   - Both sides are on one machine, and have one user. No call reaches a card or another machine,
 *     and the text of an address does not matter, only its port.
 *   - DC transport, DPA, GPU and librdmacm do not exist: NOT_SUPPORTED.
 *   - MTU, GRH, GID index and service level are kept and have no effect.
 *   - doca_rdma_set_recv_queue_size() succeeds on the data path of the CPU.
 *
 * Assumed, because the vendor's documents do not say: all limits and initial values; that a missing
 * permission of the peer completes the task with IO_FAILED and breaks the connection; that received
 * and read data goes behind the data of the buffers; that connections by export run the connection
 * state callbacks; the order of completions; host byte order of the numbers of atomic tasks.
 * Source: DOCA RDMA guide; API reference, "DOCA RDMA"; programs published with the SDK.
 *
 * CONTENTS (search for the tag)
 *   API             >>rdma.config >>rdma >>rdma.connection >>rdma.receive >>rdma.send
 *                   >>rdma.read_write >>rdma.atomic >>rdma.sync_event >>rdma.api_25
 *   Names           >>rdma.names
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/rdma/. Change the
 * parts.
 */
#if defined(DOCA_CORE_RDMA_IMPLEMENTATION) && !defined(DOCA_CORE_IMPLEMENTATION) &&                \
    !defined(DOCA_PRIV_RDMA_IMPLEMENTED)
#error "define DOCA_CORE_IMPLEMENTATION in the file that defines DOCA_CORE_RDMA_IMPLEMENTATION"
#endif

#include "doca_core.h"

#ifndef DOCA_CORE_RDMA_H
#define DOCA_CORE_RDMA_H

/* part: src/compat/rdma/config.h */
/* ---- >>rdma.config ---------------------------------------------------------------------------
 * Limits of this header, which the capability queries return and which bound what a peer may ask
 * for. Define them before the include, with the same value in every file of every process that uses
 * a connection. All numbers are Assumed, because the vendor publishes none.                     */

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_rdma.h is for hosted programs"
#endif
#ifndef __linux__
#error "doca_core_rdma.h needs sockets and shared memory of Linux"
#endif
#ifdef DOCA_CORE_NO_SYNC_EVENT
#error "doca_core_rdma.h needs sync events"
#endif

/* Per instance: connections; send and receive tasks in flight, and tasks of one type; ports on
 * which it listens at the same time. The number of connections is at most 65,535, and the sizes of
 * queues are powers of two. */
#ifndef DOCA_CORE_RDMA_MAX_CONNECTIONS
#define DOCA_CORE_RDMA_MAX_CONNECTIONS 64
#endif
#ifndef DOCA_CORE_RDMA_MAX_SEND_QUEUE
#define DOCA_CORE_RDMA_MAX_SEND_QUEUE 8192
#endif
#ifndef DOCA_CORE_RDMA_MAX_RECV_QUEUE
#define DOCA_CORE_RDMA_MAX_RECV_QUEUE 8192
#endif
#ifndef DOCA_CORE_RDMA_MAX_PORTS
#define DOCA_CORE_RDMA_MAX_PORTS 4
#endif

/* Per task: buffers of a local list; bytes of a message, a read or a write. */
#ifndef DOCA_CORE_RDMA_MAX_SEND_LIST
#define DOCA_CORE_RDMA_MAX_SEND_LIST 32
#endif
#ifndef DOCA_CORE_RDMA_MAX_MESSAGE
#define DOCA_CORE_RDMA_MAX_MESSAGE (1u << 30)
#endif

/* Addresses (doca_rdma_addr_create()) that exist in the process at the same time. Each takes about
 * 100 bytes of static memory. */
#ifndef DOCA_CORE_RDMA_MAX_ADDRS
#define DOCA_CORE_RDMA_MAX_ADDRS 64
#endif

/* Milliseconds between two attempts of a message whose receiver has no receive task posted. It
 * matters with a number of retries from 0 to 6: see doca_rdma_set_rnr_retry_count(). */
#ifndef DOCA_CORE_RDMA_RNR_MS
#define DOCA_CORE_RDMA_RNR_MS 100
#endif

#if DOCA_CORE_RDMA_MAX_CONNECTIONS < 1 || DOCA_CORE_RDMA_MAX_CONNECTIONS > 65535
#error "DOCA_CORE_RDMA_MAX_CONNECTIONS is 1 to 65535"
#endif
#if DOCA_CORE_RDMA_MAX_SEND_QUEUE < 1 ||                                                           \
    (DOCA_CORE_RDMA_MAX_SEND_QUEUE & (DOCA_CORE_RDMA_MAX_SEND_QUEUE - 1)) != 0 ||                  \
    DOCA_CORE_RDMA_MAX_RECV_QUEUE < 1 ||                                                           \
    (DOCA_CORE_RDMA_MAX_RECV_QUEUE & (DOCA_CORE_RDMA_MAX_RECV_QUEUE - 1)) != 0
#error "DOCA_CORE_RDMA_MAX_SEND_QUEUE and DOCA_CORE_RDMA_MAX_RECV_QUEUE are powers of two"
#endif
#if DOCA_CORE_RDMA_MAX_SEND_LIST < 1 || DOCA_CORE_RDMA_MAX_PORTS < 1 ||                            \
    DOCA_CORE_RDMA_MAX_ADDRS < 1 || DOCA_CORE_RDMA_RNR_MS < 1
#error "DOCA_CORE_RDMA_MAX_SEND_LIST, _MAX_PORTS, _MAX_ADDRS and _RNR_MS are at least 1"
#endif
#if (DOCA_CORE_RDMA_MAX_MESSAGE) < 4096 || (DOCA_CORE_RDMA_MAX_MESSAGE) > 0x80000000u
#error "DOCA_CORE_RDMA_MAX_MESSAGE is 4096 to 2 GiB"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/rdma/rdma.h */
/* ---- >>rdma ----------------------------------------------------------------------------------
 * An instance: its settings, and the capabilities of its device. An instance is a context, which
 * doca_ctx_start() starts and doca_ctx_stop() stops. It owns its connections (>>rdma.connection)
 * and its tasks.
 * States of an instance of 2.10 and later (doca_rdma_create()):
 *     IDLE -> RUNNING -> (STOPPING ->) IDLE
 * doca_ctx_start() returns SUCCESS, and export, connect, listen and submit are possible at once.
 * States of an instance of 2.5 and 2.6 (doca_core_rdma_25_create(), see >>rdma.api_25):
 *     IDLE -> STARTING -> RUNNING -> (STOPPING ->) IDLE
 * doca_ctx_start() returns IN_PROGRESS, export and connect are called while the instance is
 * STARTING, and doca_pe_progress() makes it RUNNING when its connection is established.
 * Order of calls:
 *     create -> settings, set_conf of task types -> connect to a PE -> start -> connections
 *     -> allocate_init -> submit -> callback -> free
 * An instance that only lends its memory to peers needs no task type. Every start can fail with the
 * errors of doca_ctx_start() except BAD_STATE for a missing task type; OPERATING_SYSTEM then names
 * the system call.
 * A stop ends all connections and stops listening. Tasks in flight complete with SHUTDOWN. The
 * instance leaves STOPPING when its tasks are freed. After a restart a program exports and connects
 * again. The peers see the stop as a disconnection.
 * A call whose argument is NULL, or whose handle is not a live object of its type, returns
 * INVALID_VALUE; a getter without an error code returns NULL or 0. All callbacks of an instance run
 * in doca_pe_progress().
 * Threads: an instance, its connections and its tasks belong to the thread of its PE.
 * Source: DOCA RDMA guide; API reference, "DOCA RDMA".                                          */

struct doca_dpa_completion;
struct doca_gpu_dev_rdma;
struct doca_rdma;
struct doca_rdma_addr;
struct doca_rdma_connection;

/* Handle of a DPA's memory. No call of this library gives one. */
typedef uint64_t doca_dpa_dev_rdma_t;

/* A global identifier of a port, in network byte order. */
struct doca_rdma_gid {
    uint8_t raw[DOCA_GID_BYTE_LENGTH];
};

/* RC is the reliable connection. DC is not supported. */
enum doca_rdma_transport_type { DOCA_RDMA_TRANSPORT_TYPE_RC = 0, DOCA_RDMA_TRANSPORT_TYPE_DC = 1 };

/* Create an idle instance, which is RUNNING as soon as it is started. In programs of 2.5
 * (DOCA_CORE_API below 21000) the vendor's name stands for doca_core_rdma_25_create(), whose
 * instances wait for their connection in STARTING. doca_core_rdma_create_in() takes the memory from
 * `arena` instead of from the arena of the device.
 *
 *   dev  a software device
 *
 * Owns      one block of the arena, and a reference to the device, until destroy; from start until
 *           the instance is idle again, one block more
 * Errors    INVALID_VALUE   an argument is NULL, or `dev` is not open
 *           NOT_SUPPORTED   the device is not a software device
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  never: the reference names it for a lock, which an instance does not
 *                           have */
DOCA_CORE_DECL doca_error_t doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma);
DOCA_CORE_DECL doca_error_t doca_core_rdma_create_in(struct doca_core_arena *arena,
                                                     struct doca_dev *dev, struct doca_rdma **rdma);

/* Destroy an idle instance and disconnect it from its PE. State changes that were not reported yet
 * are dropped.
 *
 * Callback  allowed in the instance's state callback when the new state is IDLE
 * Errors    INVALID_VALUE  the argument is NULL, or not a live object
 *           BAD_STATE      the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_destroy(struct doca_rdma *rdma);

/* Return the instance as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_rdma_as_ctx(struct doca_rdma *rdma);

/* Numbers that determine the memory of an instance. The setters of the same names explain them. 0
 * stands for the initial value. */
struct doca_core_rdma_sizes {
    uint32_t num_connections;
    uint32_t num_tasks; /* of all types together: the sum of the numbers of the set_conf calls */
    uint32_t send_queue_size;
    uint32_t max_send_buf_list_len;
};

/* Compute the arena bytes of a started instance, as an upper bound: create and start together take
 * at most this, whatever the types of the tasks.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, `dev` is not open, or a number exceeds its limit */
DOCA_CORE_DECL doca_error_t doca_core_bytes_rdma(struct doca_dev *dev,
                                                 const struct doca_core_rdma_sizes *sizes,
                                                 size_t *bytes);

/* Query a device. Each software device has the same limits.
 *
 *   max_recv_queue_size    out: receive tasks
 *   max_send_queue_size    out: tasks in flight of one connection
 *   max_send_buf_list_len  out: buffers of a local list of send, send_imm, read, write, write_imm
 *   max_message_size       out: bytes of a message, a read or a write
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device;
 *                          transport_type_is_supported: there is no such type
 *           NOT_SUPPORTED  the device is not a software device; transport_type_is_supported: DC
 *           DRIVER         never: the reference names it for a card that cannot be asked */
DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_max_recv_queue_size(
    const struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size);
DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_max_send_queue_size(
    const struct doca_devinfo *devinfo, uint32_t *max_send_queue_size);
DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_max_send_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_send_buf_list_len);
DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_max_message_size(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_message_size);
DOCA_CORE_DECL doca_error_t doca_rdma_cap_transport_type_is_supported(
    const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type);

/* Read the table of global identifiers of a device. A software device has two entries: its IPv6
 * address, and its IPv4 address as ::ffff:a.b.c.d. An address that the topology does not give is 16
 * bytes of 0. In 2.5 the parameter `devinfo` is not const.
 *
 *   gid_table_size  out: entries
 *   start_index     the first entry to read
 *   num_entries     at least 1; start_index + num_entries is at most the size of the table
 *   gid_array       out: an array of the caller with num_entries elements
 *
 * Errors    INVALID_VALUE  an argument is NULL, `devinfo` is not from a device list or device, or
 *                          the entries are not all in the table
 *           NOT_SUPPORTED  the device is not a software device
 *           DRIVER         never: the reference names it for a card that cannot be asked */
DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_gid_table_size(const struct doca_devinfo *devinfo,
                                                             uint32_t *gid_table_size);
DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo,
                                                  uint32_t start_index, uint32_t num_entries,
                                                  struct doca_rdma_gid *gid_array);

/* Set or get the number of tasks, other than receive tasks, that one connection can have in flight;
 * initially 1024 (Assumed). One more submit returns FULL. The value is rounded up to a power of
 * two. Get returns the value in use.
 *
 *   send_queue_size  1 to doca_rdma_cap_get_max_send_queue_size()
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the size is 0
 *           NOT_SUPPORTED  set: the size is too large
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_set_send_queue_size(struct doca_rdma *rdma,
                                                          uint32_t send_queue_size);
DOCA_CORE_DECL doca_error_t doca_rdma_get_send_queue_size(const struct doca_rdma *rdma,
                                                          uint32_t *send_queue_size);

/* Set or get the size of the receive queue; initially 1024 (Assumed). The value is rounded up to a
 * power of two and kept. It does not bound receive tasks, whose number is that of
 * doca_rdma_task_receive_set_conf(). The reference names NOT_SUPPORTED for instances whose data
 * path the CPU runs; here such calls succeed, as in 2.5.
 *
 *   recv_queue_size  1 to doca_rdma_cap_get_max_recv_queue_size()
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the size is 0
 *           NOT_SUPPORTED  set: the size is too large
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_set_recv_queue_size(struct doca_rdma *rdma,
                                                          uint32_t recv_queue_size);
DOCA_CORE_DECL doca_error_t doca_rdma_get_recv_queue_size(const struct doca_rdma *rdma,
                                                          uint32_t *recv_queue_size);

/* Set or get the number of buffers that a local list of send, send_imm, read, write and write_imm
 * may have; initially 1 (Assumed).
 *
 *   max_send_buf_list_len  1 to doca_rdma_cap_get_max_send_buf_list_len()
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the number is 0 or too large
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_set_max_send_buf_list_len(struct doca_rdma *rdma,
                                                                uint32_t max_send_buf_list_len);
DOCA_CORE_DECL doca_error_t doca_rdma_get_max_send_buf_list_len(const struct doca_rdma *rdma,
                                                                uint32_t *max_send_buf_list_len);

/* Set or get the transport; initially, and always, RC.
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: there is no such type
 *           NOT_SUPPORTED  set: DC
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t
doca_rdma_set_transport_type(struct doca_rdma *rdma, enum doca_rdma_transport_type transport_type);
DOCA_CORE_DECL doca_error_t doca_rdma_get_transport_type(
    const struct doca_rdma *rdma, enum doca_rdma_transport_type *transport_type);

/* Set or get what peers may do with memory by this instance, as flags of enum doca_access_flag;
 * initially LOCAL_READ_WRITE (Assumed). RDMA_READ, RDMA_WRITE and RDMA_ATOMIC allow the peer's
 * reads, writes and atomic tasks, and the corresponding tasks of sync events, on memory whose mmap
 * has the same flag. Local flags are accepted and have no effect.
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: a flag of PCI, or a bit that is no flag
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_set_permissions(struct doca_rdma *rdma, uint32_t permissions);
DOCA_CORE_DECL doca_error_t doca_rdma_get_permissions(struct doca_rdma *rdma,
                                                      uint32_t *permissions);

/* Set or get the number of connections that the instance can have at the same time; initially 1
 * (Assumed). Start takes the memory of all connections.
 *
 *   max_num_connections  1 to DOCA_CORE_RDMA_MAX_CONNECTIONS
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the number is too large
 *           NOT_SUPPORTED  set: the number is 0; or the instance is one of 2.5, which has one
 *                          connection, and the number is not 1
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_set_max_num_connections(struct doca_rdma *rdma,
                                                              uint16_t max_num_connections);
DOCA_CORE_DECL doca_error_t doca_rdma_get_max_num_connections(struct doca_rdma *rdma,
                                                              uint16_t *max_num_connections);

/* Set or get the time that doca_rdma_connect_to_addr() has for a connection; initially 2000
 * (Assumed). Then the failure callback runs.
 *
 *   timeout  milliseconds, at least 1
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the time is 0
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_set_connection_request_timeout(struct doca_rdma *rdma,
                                                                     uint16_t timeout);
DOCA_CORE_DECL doca_error_t doca_rdma_get_connection_request_timeout(const struct doca_rdma *rdma,
                                                                     uint16_t *timeout);

/* Set or get how often a message is tried again while the connected receiver has no receive task
 * posted; initially 7 (Assumed). 7 stands for waiting without a bound. With n from 0 to 6 the task
 * fails with IO_FAILED after n more attempts, DOCA_CORE_RDMA_RNR_MS apart, and the connection
 * breaks. The time until the peer has connected does not count.
 *
 *   rnr_retry_count  0 to 7
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the number is too large
 *           NOT_SUPPORTED  never: every number from 0 on is supported
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_set_rnr_retry_count(struct doca_rdma *rdma,
                                                          uint8_t rnr_retry_count);
DOCA_CORE_DECL doca_error_t doca_rdma_get_rnr_retry_count(const struct doca_rdma *rdma,
                                                          uint8_t *rnr_retry_count);

/* Set or get what the packets of a network would need. The values are kept, and have no effect on
 * the software device, which has no network.
 *
 *   mtu          256 bytes to 4 KiB; initially 1 KiB (Assumed)
 *   grh_enabled  0 or 1; initially 0 (Assumed). In 2.5 a bool: see >>rdma.api_25. Another number
 *                counts as 1.
 *   gid_index    less than doca_rdma_cap_get_gid_table_size(); initially 0
 *   sl           service level, 0 to 15; initially 0
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: a number is too large, or there is no such MTU
 *           NOT_SUPPORTED  set_mtu: the MTU for raw Ethernet
 *           BAD_STATE      set: the instance is not idle
 *           UNEXPECTED     never: the reference names it for set_mtu */
DOCA_CORE_DECL doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu);
DOCA_CORE_DECL doca_error_t doca_rdma_get_mtu(const struct doca_rdma *rdma,
                                              enum doca_mtu_size *mtu);
DOCA_CORE_DECL doca_error_t doca_rdma_set_grh_enabled(struct doca_rdma *rdma, uint8_t grh_enabled);
DOCA_CORE_DECL doca_error_t doca_rdma_get_grh_enabled(const struct doca_rdma *rdma,
                                                      uint8_t *grh_enabled);
DOCA_CORE_DECL doca_error_t doca_rdma_set_gid_index(struct doca_rdma *rdma, uint32_t gid_index);
DOCA_CORE_DECL doca_error_t doca_rdma_get_gid_index(const struct doca_rdma *rdma,
                                                    uint32_t *gid_index);
DOCA_CORE_DECL doca_error_t doca_rdma_set_sl(struct doca_rdma *rdma, uint32_t sl);
DOCA_CORE_DECL doca_error_t doca_rdma_get_sl(const struct doca_rdma *rdma, uint32_t *sl);

/* Settings and handles of an instance whose data path a DPA or a GPU runs. No device of this
 * library has a DPA or a GPU, so the calls are refused with one log line.
 *
 * Errors    INVALID_VALUE  a pointer is NULL, or `rdma` is not a live instance
 *           NOT_SUPPORTED  otherwise. The reference names BAD_STATE for an instance in the wrong
 *                          state, or on another data path */
DOCA_CORE_DECL doca_error_t doca_rdma_dpa_completion_attach(struct doca_rdma *rdma,
                                                            struct doca_dpa_completion *dpa_comp);
DOCA_CORE_DECL doca_error_t doca_rdma_get_dpa_handle(struct doca_rdma *rdma,
                                                     doca_dpa_dev_rdma_t *dpa_rdma);
DOCA_CORE_DECL doca_error_t doca_rdma_get_gpu_handle(struct doca_rdma *rdma,
                                                     struct doca_gpu_dev_rdma **gpu_rdma);

/* part: src/compat/rdma/connection.h */
/* ---- >>rdma.connection -----------------------------------------------------------------------
 * Connections of an instance to instances of other processes, or of this one. There are two ways:
 *   - by export: each side calls doca_rdma_export(), the program carries the bytes to the peer by
 *     a channel of its own, and each side passes the peer's bytes to doca_rdma_connect().
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
 * instance makes another connection in its place, or is idle.
 * Source: DOCA RDMA guide; API reference, "DOCA RDMA"; programs published with the SDK.         */

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
 * The callbacks may allocate and submit tasks, call doca_rdma_connection_disconnect() for this
 * connection, which then succeeds, and stop the instance. */
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
 *   the others                    must not be NULL
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
 *           BAD_STATE           the instance is not running
 *           FULL                all connections of the instance are in use
 *           CONNECTION_ABORTED  the operating system refused the socket; the log names the call */
DOCA_CORE_DECL doca_error_t doca_rdma_export(struct doca_rdma *rdma,
                                             const void **local_rdma_conn_details,
                                             size_t *local_rdma_conn_details_size,
                                             struct doca_rdma_connection **rdma_connection);

/* Connect to the peer whose bytes these are. Tasks may be submitted at once. The peer may connect
 * earlier or later. In 2.5 there is no connection argument: see >>rdma.api_25.
 *
 *   remote_rdma_conn_details       from the peer's doca_rdma_export(); not used after the call
 *   remote_rdma_conn_details_size  bytes
 *   rdma_connection                from this instance's doca_rdma_export(); of one connection, each
 *                                  side passes the bytes of the other
 *
 * Cost      system calls; the call does not wait for the peer
 * Errors    INVALID_VALUE       an argument is NULL, or the connection is one of another instance
 *           BAD_STATE           the instance is not running, or the connection is connected
 *           CONNECTION_ABORTED  the bytes are not those of an export, are damaged, or come from
 *                               another user, another machine, or an instance that has ended */
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
 *           BAD_STATE      a connection that was made with it has not ended */
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
 *           BAD_STATE           start: the instance is not running, has no request callback, or
 *                               listens on this port or on too many ports already
 *           CONNECTION_ABORTED  start: another instance of this user listens on the port (Assumed),
 *                               or the operating system refused; the log says which
 *           NOT_SUPPORTED       never: the reference names it for data paths without a CPU */
DOCA_CORE_DECL doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma, uint16_t port);
DOCA_CORE_DECL doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma, uint16_t port);

/* Accept or reject the connection of a request callback. After accept, the established callback
 * runs on both sides. After reject, the connection is free for another use, and the failure
 * callback runs at the peer.
 *
 *   private_data      not sent: no call of this API reads it; NULL for none
 *   private_data_len  bytes; 0 with NULL
 *
 * Callback  allowed in the request callback
 * Errors    INVALID_VALUE       the connection is NULL, or is not one that waits for an answer;
 *                               accept: private_data and its length do not fit together
 *           CONNECTION_ABORTED  the peer has given up
 *           NO_MEMORY           never: start took the memory of all connections */
DOCA_CORE_DECL doca_error_t doca_rdma_connection_accept(
    struct doca_rdma_connection *rdma_connection, void *private_data, uint8_t private_data_len);
DOCA_CORE_DECL doca_error_t
doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection);

/* Begin to connect to a listening instance. Later, either the established callback or the failure
 * callback runs, once, with the user data. Failure means that no instance listens on the port, the
 * listening instance has rejected the connection or has no free one, or that the time of
 * doca_rdma_set_connection_request_timeout() has passed.
 *
 *   addr                  in use until the connection has ended
 *   connection_user_data  initial user data of the connection
 *
 * Callback  allowed
 * Errors    INVALID_VALUE       an argument is NULL
 *           BAD_STATE           the instance is not running, or has no connection state callbacks
 *           FULL                all connections of the instance are in use (Assumed)
 *           CONNECTION_ABORTED  the operating system refused the socket; the log names the call
 *           NOT_SUPPORTED       never: the reference names it for data paths without a CPU */
DOCA_CORE_DECL doca_error_t doca_rdma_connect_to_addr(struct doca_rdma *rdma,
                                                      struct doca_rdma_addr *addr,
                                                      union doca_data connection_user_data);

/* End a connection. Tasks in flight complete with CONNECTION_ABORTED, and those of the peer with
 * CONNECTION_RESET. The disconnection callback then runs on both sides. For a connection that has
 * ended, as in its failure or disconnection callback, the call succeeds and does nothing.
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
 * instance, which is less than doca_rdma_get_max_num_connections() and is used again when the
 * connection has ended.
 *
 * Callback  allowed
 * Errors    INVALID_VALUE  an argument is NULL, or the connection is not valid; get_addr: it was
 *                          not made by doca_rdma_connect_to_addr() */
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

/* part: src/compat/rdma/receive.h */
/* ---- >>rdma.receive --------------------------------------------------------------------------
 * Receive tasks. Submitted tasks form one queue for all connections of an instance. The next
 * message of a peer (send, send_imm) or the next write_imm of a peer takes the oldest task. Data of
 * a message is written behind the data of the buffers, and the data of each buffer grows, so a
 * program calls doca_buf_reset_data_len() before it submits a buffer again. A write_imm takes a
 * task and leaves its buffers as they are.
 * Tasks can be submitted as soon as the instance is running, before it has a connection. When a
 * connection ends, submitted tasks wait for messages of other connections, or for the stop of the
 * instance, which completes them with SHUTDOWN.
 * Source: DOCA RDMA guide, "Receive"; API reference, "DOCA RDMA".                                */

struct doca_rdma_task_receive;

/* What completed a receive task: send, send_imm or write_imm of the peer. */
enum doca_rdma_opcode {
    DOCA_RDMA_OPCODE_RECV_SEND = 0,
    DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM = 1,
    DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM = 2
};

/* Called when a task has completed. The same type serves success and failure. The callback may
 * submit the task again, free it, and stop the instance. */
typedef void (*doca_rdma_task_receive_completion_cb_t)(struct doca_rdma_task_receive *task,
                                                       union doca_data task_user_data,
                                                       union doca_data ctx_user_data);

/* Query receive tasks of a device.
 *
 *   max_buf_list_len  out: buffers of a list
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, `devinfo` is not from a device list or device, or
 *                          there is no such transport
 *           NOT_SUPPORTED  the device is not a software device; or DC
 *           DRIVER         never: the reference names it for a card that cannot be asked */
DOCA_CORE_DECL doca_error_t
doca_rdma_cap_task_receive_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
    const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type,
    uint32_t *max_buf_list_len);

/* Enable receive tasks and set their number and callbacks. The call can be repeated while the
 * instance is idle.
 *
 *   successful_task_completion_cb,  called on success and on failure: exactly one of the two per
 *   error_task_completion_cb        submission. They may be the same function.
 *   num_tasks                       tasks that can be allocated at the same time, 1 to
 *                                   DOCA_CORE_RDMA_MAX_RECV_QUEUE
 *
 * Errors    INVALID_VALUE  an argument is NULL; the number is 0 or too large
 *           BAD_STATE      the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_task_receive_set_conf(
    struct doca_rdma *rdma, doca_rdma_task_receive_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_receive_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/* Set or get the number of buffers that a list of a receive task may have; initially 1 (Assumed).
 *
 *   buf_list_len  1 to doca_rdma_cap_task_receive_get_max_dst_buf_list_len()
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the number is 0 or too large
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_task_receive_set_dst_buf_list_len(struct doca_rdma *rdma,
                                                                        uint32_t buf_list_len);
DOCA_CORE_DECL doca_error_t
doca_rdma_task_receive_get_dst_buf_list_len(const struct doca_rdma *rdma, uint32_t *buf_list_len);

/* Allocate a receive task.
 *
 *   dst_buf    a buffer or a list of up to doca_rdma_task_receive_get_dst_buf_list_len() buffers,
 *              of an mmap that contains the device of the instance and has the permission
 *              LOCAL_READ_WRITE, with free bytes behind the data for the longest message; or NULL
 *              for messages without data. The program keeps its reference.
 *   user_data  what the callback receives
 *
 * Results of a submitted task, apart from SUCCESS:
 *     INVALID_VALUE  of doca_task_submit(): the list is too long, the mmap lacks the device or the
 *                    permission
 *     BAD_STATE      of doca_task_submit(): the instance is not running
 *     IO_FAILED      of the task: the message is longer than the free bytes of the buffers, and the
 *                    send of the peer fails, too; or the connection broke during the message
 *     SHUTDOWN       of the task: the instance was stopped
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `rdma` or `task` is NULL, or not a live object
 *           BAD_STATE      the instance is not running, or receive tasks are not enabled
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_rdma_task_receive_allocate_init(
    struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_receive **task);

/* Return the receive task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *
doca_rdma_task_receive_as_task(struct doca_rdma_task_receive *task);

/* Set or get the buffer of the task. Setting the buffer of a free or submitted task is logged and
 * has no effect. The getter returns NULL for a NULL task. */
DOCA_CORE_DECL void doca_rdma_task_receive_set_dst_buf(struct doca_rdma_task_receive *task,
                                                       struct doca_buf *dst_buf);
DOCA_CORE_DECL struct doca_buf *
doca_rdma_task_receive_get_dst_buf(const struct doca_rdma_task_receive *task);

/* Return what a completed task received. The values hold until the task is submitted again or
 * freed. The opcode and the connection hold after success and failure; after a failure without a
 * message, and for a NULL task, they are RECV_SEND and NULL.
 *
 *   result_len              bytes of the message; for a write_imm those that the peer has written
 *                           to remote memory; 0 after a failure. In 2.5 the name of the call is
 *                           doca_rdma_task_receive_get_result_length().
 *   result_immediate_data   in network byte order; 0 without immediate data
 *   result_rdma_connection  the connection that the message came through */
DOCA_CORE_DECL enum doca_rdma_opcode
doca_rdma_task_receive_get_result_opcode(const struct doca_rdma_task_receive *task);
DOCA_CORE_DECL uint32_t
doca_rdma_task_receive_get_result_len(const struct doca_rdma_task_receive *task);
DOCA_CORE_DECL doca_be32_t
doca_rdma_task_receive_get_result_immediate_data(const struct doca_rdma_task_receive *task);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_receive_get_result_rdma_connection(const struct doca_rdma_task_receive *task);

/* part: src/compat/rdma/send.h */
/* ---- >>rdma.send -----------------------------------------------------------------------------
 * Tasks that send a message to a receive task of the peer, without and with 32 bits of immediate
 * data. A task of either kind waits, in flight, until the peer has connected and has submitted a
 * receive task, up to the bound of doca_rdma_set_rnr_retry_count(). Success means that the message
 * is in the buffers of the peer's receive task, and that this task completes.
 * Results of submitted tasks: see >>rdma.connection.
 * Source: DOCA RDMA guide, "Send", "Send With Immediate"; API reference, "DOCA RDMA".           */

struct doca_rdma_task_send;
struct doca_rdma_task_send_imm;

/* Called when a task has completed. The same type serves success and failure. The callback may
 * submit the task again, free it, and stop the instance. */
typedef void (*doca_rdma_task_send_completion_cb_t)(struct doca_rdma_task_send *task,
                                                    union doca_data task_user_data,
                                                    union doca_data ctx_user_data);
typedef void (*doca_rdma_task_send_imm_completion_cb_t)(struct doca_rdma_task_send_imm *task,
                                                        union doca_data task_user_data,
                                                        union doca_data ctx_user_data);

/* Report whether a device supports the tasks.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  `devinfo` is NULL, or not from a device list or device
 *           NOT_SUPPORTED  the device is not a software device */
DOCA_CORE_DECL doca_error_t
doca_rdma_cap_task_send_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t
doca_rdma_cap_task_send_imm_is_supported(const struct doca_devinfo *devinfo);

/* Enable tasks of a kind and set their number and callbacks. The call can be repeated while the
 * instance is idle.
 *
 *   successful_task_completion_cb,  called on success and on failure: exactly one of the two per
 *   error_task_completion_cb        submission. They may be the same function.
 *   num_tasks                       tasks that can be allocated at the same time, 1 to
 *                                   DOCA_CORE_RDMA_MAX_SEND_QUEUE
 *
 * Errors    INVALID_VALUE  an argument is NULL; the number is 0 or too large
 *           BAD_STATE      the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_task_send_set_conf(
    struct doca_rdma *rdma, doca_rdma_task_send_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_send_completion_cb_t error_task_completion_cb, uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_rdma_task_send_imm_set_conf(
    struct doca_rdma *rdma, doca_rdma_task_send_imm_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_send_imm_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/* Allocate a task. In 2.5 there is no connection argument: see >>rdma.api_25.
 *
 *   rdma_connection  of this instance
 *   src_buf          a buffer or a list of up to doca_rdma_get_max_send_buf_list_len() buffers,
 *                    whose data is sent, of an mmap that contains the device of the instance; up to
 *                    doca_rdma_cap_get_max_message_size() bytes; or NULL for an empty message. The
 *                    program keeps its reference. Several tasks in flight may send one buffer.
 *   immediate_data   in network byte order
 *   user_data        what the callback receives
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `rdma`, `rdma_connection` or `task` is NULL, or not a live object
 *           BAD_STATE      the instance is not running, or tasks of this kind are not enabled
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_rdma_task_send_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, union doca_data user_data, struct doca_rdma_task_send **task);
DOCA_CORE_DECL doca_error_t doca_rdma_task_send_imm_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, doca_be32_t immediate_data, union doca_data user_data,
    struct doca_rdma_task_send_imm **task);

/* Return the task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_rdma_task_send_as_task(struct doca_rdma_task_send *task);
DOCA_CORE_DECL struct doca_task *
doca_rdma_task_send_imm_as_task(struct doca_rdma_task_send_imm *task);

/* Set or get the buffer, the immediate data or the connection of a task; values and limits are
 * those of the allocation. A call that would change a free or submitted task is logged and has no
 * effect. Getters return NULL or 0 for a NULL task. */
DOCA_CORE_DECL void doca_rdma_task_send_set_src_buf(struct doca_rdma_task_send *task,
                                                    const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *
doca_rdma_task_send_get_src_buf(const struct doca_rdma_task_send *task);
DOCA_CORE_DECL void
doca_rdma_task_send_set_rdma_connection(struct doca_rdma_task_send *task,
                                        struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_send_get_rdma_connection(const struct doca_rdma_task_send *task);
DOCA_CORE_DECL void doca_rdma_task_send_imm_set_src_buf(struct doca_rdma_task_send_imm *task,
                                                        const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *
doca_rdma_task_send_imm_get_src_buf(const struct doca_rdma_task_send_imm *task);
DOCA_CORE_DECL void doca_rdma_task_send_imm_set_immediate_data(struct doca_rdma_task_send_imm *task,
                                                               doca_be32_t immediate_data);
DOCA_CORE_DECL doca_be32_t
doca_rdma_task_send_imm_get_immediate_data(const struct doca_rdma_task_send_imm *task);
DOCA_CORE_DECL void
doca_rdma_task_send_imm_set_rdma_connection(struct doca_rdma_task_send_imm *task,
                                            struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_send_imm_get_rdma_connection(const struct doca_rdma_task_send_imm *task);

/* part: src/compat/rdma/read_write.h */
/* ---- >>rdma.read_write -----------------------------------------------------------------------
 * Tasks that read memory of the peer, write it, or write it and complete a receive task of the peer
 * with 32 bits of immediate data. The memory of the peer is an mmap that the peer has exported by
 * doca_mmap_export_rdma(), and that this process has imported by doca_mmap_create_from_export();
 * remote buffers are made from the imported mmap, with its addresses. The peer's program takes no
 * part in a read or write. A write_imm waits until the peer has submitted a receive task, as a send
 * does.
 * Data goes behind the data of the destination buffers, and on success their data grows by it, as
 * for DMA (Assumed). Success of a write means that this side has finished; the peer's program sees
 * the bytes when it has received a later message of this connection, or the immediate data.
 * The mmaps of local buffers contain the device of the instance on this side, and the mmaps of
 * remote buffers are imported with this device; doca_task_submit() returns INVALID_VALUE for other
 * buffers. The peer's instance, and the exported mmap, need the permission RDMA_READ for
 * reads and RDMA_WRITE for writes; otherwise the task fails with IO_FAILED and the connection
 * breaks (Assumed).
 * Results of submitted tasks: see >>rdma.connection.
 * Source: DOCA RDMA guide, "Read", "Write", "Write With Immediate"; API reference, "DOCA RDMA". */

struct doca_rdma_task_read;
struct doca_rdma_task_write;
struct doca_rdma_task_write_imm;

/* Called when a task has completed. The same type serves success and failure. The callback may
 * submit the task again, free it, and stop the instance. */
typedef void (*doca_rdma_task_read_completion_cb_t)(struct doca_rdma_task_read *task,
                                                    union doca_data task_user_data,
                                                    union doca_data ctx_user_data);
typedef void (*doca_rdma_task_write_completion_cb_t)(struct doca_rdma_task_write *task,
                                                     union doca_data task_user_data,
                                                     union doca_data ctx_user_data);
typedef void (*doca_rdma_task_write_imm_completion_cb_t)(struct doca_rdma_task_write_imm *task,
                                                         union doca_data task_user_data,
                                                         union doca_data ctx_user_data);

/* Report whether a device supports the tasks.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  `devinfo` is NULL, or not from a device list or device
 *           NOT_SUPPORTED  the device is not a software device */
DOCA_CORE_DECL doca_error_t
doca_rdma_cap_task_read_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t
doca_rdma_cap_task_write_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t
doca_rdma_cap_task_write_imm_is_supported(const struct doca_devinfo *devinfo);

/* Enable tasks of a kind and set their number and callbacks. The call can be repeated while the
 * instance is idle.
 *
 *   successful_task_completion_cb,  called on success and on failure: exactly one of the two per
 *   error_task_completion_cb        submission. They may be the same function.
 *   num_tasks                       tasks that can be allocated at the same time, 1 to
 *                                   DOCA_CORE_RDMA_MAX_SEND_QUEUE
 *
 * Errors    INVALID_VALUE  an argument is NULL; the number is 0 or too large
 *           BAD_STATE      the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_task_read_set_conf(
    struct doca_rdma *rdma, doca_rdma_task_read_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_read_completion_cb_t error_task_completion_cb, uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_rdma_task_write_set_conf(
    struct doca_rdma *rdma, doca_rdma_task_write_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_write_completion_cb_t error_task_completion_cb, uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_rdma_task_write_imm_set_conf(
    struct doca_rdma *rdma, doca_rdma_task_write_imm_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_write_imm_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/* Allocate a read task. In 2.5 there is no connection argument: see >>rdma.api_25.
 *
 *   rdma_connection  of this instance
 *   src_buf          remote: a single buffer, whose data is read; of a list, only the head counts
 *   dst_buf          local: a buffer or a list of up to doca_rdma_get_max_send_buf_list_len()
 *                    buffers, with LOCAL_READ_WRITE, and with free bytes behind the data for all
 *                    bytes of `src_buf`, at most doca_rdma_cap_get_max_message_size()
 *   user_data        what the callback receives
 *
 * With both buffers NULL the task reads nothing, and succeeds when the peer is reached. One of them
 * NULL is INVALID_VALUE of doca_task_submit(). The program keeps its references to the buffers.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `rdma`, `rdma_connection` or `task` is NULL, or not a live object
 *           BAD_STATE      the instance is not running, or read tasks are not enabled
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_rdma_task_read_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_read **task);

/* Allocate a write task, without or with immediate data. In 2.5 there is no connection argument:
 * see >>rdma.api_25.
 *
 *   rdma_connection  of this instance
 *   src_buf          local: a buffer or a list of up to doca_rdma_get_max_send_buf_list_len()
 *                    buffers, whose data is written, at most doca_rdma_cap_get_max_message_size()
 *                    bytes
 *   dst_buf          remote: a single buffer, with free bytes behind its data for all bytes of
 *                    `src_buf`; of a list, only the head counts
 *   immediate_data   in network byte order; given to a receive task of the peer
 *   user_data        what the callback receives
 *
 * With both buffers NULL the task writes nothing; a write_imm then carries immediate data only. One
 * of them NULL is INVALID_VALUE of doca_task_submit(). The program keeps its references to the
 * buffers.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `rdma`, `rdma_connection` or `task` is NULL, or not a live object
 *           BAD_STATE      the instance is not running, or tasks of this kind are not enabled
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_rdma_task_write_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_write **task);
DOCA_CORE_DECL doca_error_t doca_rdma_task_write_imm_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, struct doca_buf *dst_buf, doca_be32_t immediate_data,
    union doca_data user_data, struct doca_rdma_task_write_imm **task);

/* Return the task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_rdma_task_read_as_task(struct doca_rdma_task_read *task);
DOCA_CORE_DECL struct doca_task *doca_rdma_task_write_as_task(struct doca_rdma_task_write *task);
DOCA_CORE_DECL struct doca_task *
doca_rdma_task_write_imm_as_task(struct doca_rdma_task_write_imm *task);

/* Set or get a buffer, the immediate data or the connection of a task; values and limits are those
 * of the allocation. A call that would change a free or submitted task is logged and has no effect.
 * Getters return NULL or 0 for a NULL task. */
DOCA_CORE_DECL void doca_rdma_task_read_set_src_buf(struct doca_rdma_task_read *task,
                                                    const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *
doca_rdma_task_read_get_src_buf(const struct doca_rdma_task_read *task);
DOCA_CORE_DECL void doca_rdma_task_read_set_dst_buf(struct doca_rdma_task_read *task,
                                                    struct doca_buf *dst_buf);
DOCA_CORE_DECL struct doca_buf *
doca_rdma_task_read_get_dst_buf(const struct doca_rdma_task_read *task);
DOCA_CORE_DECL void
doca_rdma_task_read_set_rdma_connection(struct doca_rdma_task_read *task,
                                        struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_read_get_rdma_connection(const struct doca_rdma_task_read *task);
DOCA_CORE_DECL void doca_rdma_task_write_set_src_buf(struct doca_rdma_task_write *task,
                                                     const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *
doca_rdma_task_write_get_src_buf(const struct doca_rdma_task_write *task);
DOCA_CORE_DECL void doca_rdma_task_write_set_dst_buf(struct doca_rdma_task_write *task,
                                                     struct doca_buf *dst_buf);
DOCA_CORE_DECL struct doca_buf *
doca_rdma_task_write_get_dst_buf(const struct doca_rdma_task_write *task);
DOCA_CORE_DECL void
doca_rdma_task_write_set_rdma_connection(struct doca_rdma_task_write *task,
                                         struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_write_get_rdma_connection(const struct doca_rdma_task_write *task);
DOCA_CORE_DECL void doca_rdma_task_write_imm_set_src_buf(struct doca_rdma_task_write_imm *task,
                                                         const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *
doca_rdma_task_write_imm_get_src_buf(const struct doca_rdma_task_write_imm *task);
DOCA_CORE_DECL void doca_rdma_task_write_imm_set_dst_buf(struct doca_rdma_task_write_imm *task,
                                                         struct doca_buf *dst_buf);
DOCA_CORE_DECL struct doca_buf *
doca_rdma_task_write_imm_get_dst_buf(const struct doca_rdma_task_write_imm *task);
DOCA_CORE_DECL void
doca_rdma_task_write_imm_set_immediate_data(struct doca_rdma_task_write_imm *task,
                                            doca_be32_t immediate_data);
DOCA_CORE_DECL doca_be32_t
doca_rdma_task_write_imm_get_immediate_data(const struct doca_rdma_task_write_imm *task);
DOCA_CORE_DECL void
doca_rdma_task_write_imm_set_rdma_connection(struct doca_rdma_task_write_imm *task,
                                             struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_write_imm_get_rdma_connection(const struct doca_rdma_task_write_imm *task);

/* Return the bytes that a successful read has written into its destination; 0 before, and for a
 * NULL task. In 2.5 the name is doca_rdma_task_read_get_result_length(). */
DOCA_CORE_DECL uint32_t doca_rdma_task_read_get_result_len(const struct doca_rdma_task_read *task);

/* part: src/compat/rdma/atomic.h */
/* ---- >>rdma.atomic ---------------------------------------------------------------------------
 * Tasks that change 8 bytes of the peer's memory atomically, with respect to every other atomic
 * access to them: compare and swap, and fetch and add. Both return the old value.
 * The peer's instance and the exported mmap need the permission RDMA_ATOMIC; otherwise the task
 * fails with IO_FAILED, and the connection breaks (Assumed). Remote buffers are made as for reads
 * and writes: see >>rdma.read_write.
 * Results of submitted tasks: see >>rdma.connection. A buffer that the comments below exclude,
 * such as NULL, is INVALID_VALUE of doca_task_submit().
 * Source: DOCA RDMA guide, "Atomic Compare and Swap", "Atomic Fetch and Add"; API reference.     */

struct doca_rdma_task_atomic_cmp_swp;
struct doca_rdma_task_atomic_fetch_add;

/* Called when a task has completed. The same type serves success and failure. The callback may
 * submit the task again, free it, and stop the instance. */
typedef void (*doca_rdma_task_atomic_cmp_swp_completion_cb_t)(
    struct doca_rdma_task_atomic_cmp_swp *task, union doca_data task_user_data,
    union doca_data ctx_user_data);
typedef void (*doca_rdma_task_atomic_fetch_add_completion_cb_t)(
    struct doca_rdma_task_atomic_fetch_add *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

/* Report whether a device supports the tasks.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  `devinfo` is NULL, or not from a device list or device
 *           NOT_SUPPORTED  the device is not a software device, or the CPU has no atomic access to
 *                          64 bits */
DOCA_CORE_DECL doca_error_t
doca_rdma_cap_task_atomic_cmp_swp_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t
doca_rdma_cap_task_atomic_fetch_add_is_supported(const struct doca_devinfo *devinfo);

/* Enable tasks of a kind and set their number and callbacks. The call can be repeated while the
 * instance is idle.
 *
 *   successful_task_completion_cb,  called on success and on failure: exactly one of the two per
 *   error_task_completion_cb        submission. They may be the same function.
 *   num_tasks                       tasks that can be allocated at the same time, 1 to
 *                                   DOCA_CORE_RDMA_MAX_SEND_QUEUE
 *
 * Errors    INVALID_VALUE  an argument is NULL; the number is 0 or too large
 *           BAD_STATE      the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_task_atomic_cmp_swp_set_conf(
    struct doca_rdma *rdma,
    doca_rdma_task_atomic_cmp_swp_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_atomic_cmp_swp_completion_cb_t error_task_completion_cb, uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_rdma_task_atomic_fetch_add_set_conf(
    struct doca_rdma *rdma,
    doca_rdma_task_atomic_fetch_add_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_atomic_fetch_add_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

/* Allocate a task that stores `swap_data` if the 8 bytes equal `cmp_data`, or one that adds
 * `add_data`. In 2.5 there is no connection argument: see >>rdma.api_25.
 *
 *   rdma_connection  of this instance
 *   dst_buf          remote: the 8 bytes begin where the data of the buffer begins, at an address
 *                    that is a multiple of 8. The length of the data is not examined; of a list,
 *                    only the head counts.
 *   result_buf       local: a buffer, with LOCAL_READ_WRITE and 8 free bytes behind its data, for
 *                    the old value; of a list, only the head counts. On success its data grows by
 *                    8 bytes.
 *   cmp_data, swap_data, add_data
 *                    in host byte order (Assumed), as is the old value
 *   user_data        what the callback receives
 *
 * Both buffers may be NULL here, and are set before submit. The program keeps its references.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `rdma`, `rdma_connection` or `task` is NULL, or not a live object
 *           BAD_STATE      the instance is not running, or tasks of this kind are not enabled
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_rdma_task_atomic_cmp_swp_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
    struct doca_buf *result_buf, uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
    struct doca_rdma_task_atomic_cmp_swp **task);
DOCA_CORE_DECL doca_error_t doca_rdma_task_atomic_fetch_add_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
    struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
    struct doca_rdma_task_atomic_fetch_add **task);

/* Return the task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *
doca_rdma_task_atomic_cmp_swp_as_task(struct doca_rdma_task_atomic_cmp_swp *task);
DOCA_CORE_DECL struct doca_task *
doca_rdma_task_atomic_fetch_add_as_task(struct doca_rdma_task_atomic_fetch_add *task);

/* Set or get a buffer, a value or the connection of a task; values and limits are those of the
 * allocation. A call that would change a free or submitted task is logged and has no effect.
 * Getters return NULL or 0 for a NULL task. */
DOCA_CORE_DECL void
doca_rdma_task_atomic_cmp_swp_set_dst_buf(struct doca_rdma_task_atomic_cmp_swp *task,
                                          struct doca_buf *dst_buf);
DOCA_CORE_DECL struct doca_buf *
doca_rdma_task_atomic_cmp_swp_get_dst_buf(const struct doca_rdma_task_atomic_cmp_swp *task);
DOCA_CORE_DECL void
doca_rdma_task_atomic_cmp_swp_set_result_buf(struct doca_rdma_task_atomic_cmp_swp *task,
                                             struct doca_buf *result_buf);
DOCA_CORE_DECL struct doca_buf *
doca_rdma_task_atomic_cmp_swp_get_result_buf(const struct doca_rdma_task_atomic_cmp_swp *task);
DOCA_CORE_DECL void
doca_rdma_task_atomic_cmp_swp_set_cmp_data(struct doca_rdma_task_atomic_cmp_swp *task,
                                           uint64_t cmp_data);
DOCA_CORE_DECL uint64_t
doca_rdma_task_atomic_cmp_swp_get_cmp_data(const struct doca_rdma_task_atomic_cmp_swp *task);
DOCA_CORE_DECL void
doca_rdma_task_atomic_cmp_swp_set_swap_data(struct doca_rdma_task_atomic_cmp_swp *task,
                                            uint64_t swap_data);
DOCA_CORE_DECL uint64_t
doca_rdma_task_atomic_cmp_swp_get_swap_data(const struct doca_rdma_task_atomic_cmp_swp *task);
DOCA_CORE_DECL void
doca_rdma_task_atomic_cmp_swp_set_rdma_connection(struct doca_rdma_task_atomic_cmp_swp *task,
                                                  struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_atomic_cmp_swp_get_rdma_connection(const struct doca_rdma_task_atomic_cmp_swp *task);
DOCA_CORE_DECL void
doca_rdma_task_atomic_fetch_add_set_dst_buf(struct doca_rdma_task_atomic_fetch_add *task,
                                            struct doca_buf *dst_buf);
DOCA_CORE_DECL struct doca_buf *
doca_rdma_task_atomic_fetch_add_get_dst_buf(const struct doca_rdma_task_atomic_fetch_add *task);
DOCA_CORE_DECL void
doca_rdma_task_atomic_fetch_add_set_result_buf(struct doca_rdma_task_atomic_fetch_add *task,
                                               struct doca_buf *result_buf);
DOCA_CORE_DECL struct doca_buf *
doca_rdma_task_atomic_fetch_add_get_result_buf(const struct doca_rdma_task_atomic_fetch_add *task);
DOCA_CORE_DECL void
doca_rdma_task_atomic_fetch_add_set_add_data(struct doca_rdma_task_atomic_fetch_add *task,
                                             uint64_t add_data);
DOCA_CORE_DECL uint64_t
doca_rdma_task_atomic_fetch_add_get_add_data(const struct doca_rdma_task_atomic_fetch_add *task);
DOCA_CORE_DECL void
doca_rdma_task_atomic_fetch_add_set_rdma_connection(struct doca_rdma_task_atomic_fetch_add *task,
                                                    struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_atomic_fetch_add_get_rdma_connection(
    const struct doca_rdma_task_atomic_fetch_add *task);

/* part: src/compat/rdma/sync_event.h */
/* ---- >>rdma.sync_event -----------------------------------------------------------------------
 * Tasks on a sync event of the peer: get its value, set it, and add to it. The peer exports the
 * event by doca_sync_event_export_to_remote_net(), and this process imports it by
 * doca_sync_event_remote_net_create_from_export(). The value has 8 bytes, in host byte order. A
 * change ends the waits for the event at the peer whose condition it fulfils.
 * The peer's instance needs the permission RDMA_READ to get, RDMA_WRITE to set and RDMA_ATOMIC to
 * add (Assumed); otherwise the task fails with IO_FAILED, and the connection breaks. Whether the
 * event is one of the process at the other end of the connection is not examined.
 * Results of submitted tasks: see >>rdma.connection. An event or a buffer that the comments below
 * exclude, such as NULL, is INVALID_VALUE of doca_task_submit().
 * Source: DOCA RDMA guide, "Get Remote Sync Event", "Set Remote Sync Event" and "Add Remote Sync
 * Event"; API reference, "DOCA RDMA".                                                            */

struct doca_rdma_task_remote_net_sync_event_get;
struct doca_rdma_task_remote_net_sync_event_notify_add;
struct doca_rdma_task_remote_net_sync_event_notify_set;

/* Called when a task has completed. The same type serves success and failure. The callback may
 * submit the task again, free it, and stop the instance. */
typedef void (*doca_rdma_task_remote_net_sync_event_get_completion_cb_t)(
    struct doca_rdma_task_remote_net_sync_event_get *task, union doca_data task_user_data,
    union doca_data ctx_user_data);
typedef void (*doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t)(
    struct doca_rdma_task_remote_net_sync_event_notify_set *task, union doca_data task_user_data,
    union doca_data ctx_user_data);
typedef void (*doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t)(
    struct doca_rdma_task_remote_net_sync_event_notify_add *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

/* Report whether a device supports the tasks.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  `devinfo` is NULL, or not from a device list or device
 *           NOT_SUPPORTED  the device is not a software device */
DOCA_CORE_DECL doca_error_t
doca_rdma_cap_task_remote_net_sync_event_get_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(
    const struct doca_devinfo *devinfo);

/* Enable tasks of a kind and set their number and callbacks. The call can be repeated while the
 * instance is idle.
 *
 *   successful_task_completion_cb,  called on success and on failure: exactly one of the two per
 *   error_task_completion_cb        submission. They may be the same function.
 *   num_tasks                       tasks that can be allocated at the same time, 1 to
 *                                   DOCA_CORE_RDMA_MAX_SEND_QUEUE
 *
 * Errors    INVALID_VALUE  an argument is NULL; the number is 0 or too large
 *           BAD_STATE      the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_get_set_conf(
    struct doca_rdma *rdma,
    doca_rdma_task_remote_net_sync_event_get_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_remote_net_sync_event_get_completion_cb_t error_task_completion_cb,
    uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_set_conf(
    struct doca_rdma *rdma,
    doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t error_task_completion_cb,
    uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_set_conf(
    struct doca_rdma *rdma,
    doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t successful_task_completion_cb,
    doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t error_task_completion_cb,
    uint32_t num_tasks);

/* Allocate a task. In 2.5 there is no connection argument: see >>rdma.api_25.
 *
 *   rdma_connection  of this instance, to the instance of the process that exported the event
 *   event            must exist until the task has completed
 *   dst_buf          get: a buffer or a list with LOCAL_READ_WRITE and 8 free bytes behind its data
 *                    (all buffers together), for the value
 *   src_buf          set: a buffer with 8 bytes of data, the new value
 *   result_buf       add: a buffer with LOCAL_READ_WRITE and 8 free bytes behind its data, for the
 *                    value before the addition; of a list, only the head counts
 *   add_data         add: what to add, in host byte order
 *   user_data        what the callback receives
 *
 * On success the data of dst_buf and result_buf grows by 8 bytes. The event and the buffers may be
 * NULL here, and are set before submit. The program keeps its references to the buffers.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `rdma`, `rdma_connection` or `task` is NULL, or not a live object
 *           BAD_STATE      the instance is not running, or tasks of this kind are not enabled
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_get_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf,
    union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_get **task);
DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf,
    union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_set **task);
DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    struct doca_sync_event_remote_net *event, struct doca_buf *result_buf, uint64_t add_data,
    union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_add **task);

/* Return the task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_rdma_task_remote_net_sync_event_get_as_task(
    struct doca_rdma_task_remote_net_sync_event_get *task);
DOCA_CORE_DECL struct doca_task *doca_rdma_task_remote_net_sync_event_notify_set_as_task(
    struct doca_rdma_task_remote_net_sync_event_notify_set *task);
DOCA_CORE_DECL struct doca_task *doca_rdma_task_remote_net_sync_event_notify_add_as_task(
    struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/* Set or get the event, a buffer, the number to add, or the connection of a task; values and limits
 * are those of the allocation. A call that would change a free or submitted task is logged and has
 * no effect. Getters return NULL or 0 for a NULL task. */
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_get_set_sync_event(
    struct doca_rdma_task_remote_net_sync_event_get *task,
    const struct doca_sync_event_remote_net *event);
DOCA_CORE_DECL const struct doca_sync_event_remote_net *
doca_rdma_task_remote_net_sync_event_get_get_sync_event(
    const struct doca_rdma_task_remote_net_sync_event_get *task);
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_get_set_dst_buf(
    struct doca_rdma_task_remote_net_sync_event_get *task, struct doca_buf *dst_buf);
DOCA_CORE_DECL struct doca_buf *doca_rdma_task_remote_net_sync_event_get_get_dst_buf(
    const struct doca_rdma_task_remote_net_sync_event_get *task);
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_get_set_rdma_connection(
    struct doca_rdma_task_remote_net_sync_event_get *task,
    struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_remote_net_sync_event_get_get_rdma_connection(
    const struct doca_rdma_task_remote_net_sync_event_get *task);
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event(
    struct doca_rdma_task_remote_net_sync_event_notify_set *task,
    struct doca_sync_event_remote_net *event);
DOCA_CORE_DECL struct doca_sync_event_remote_net *
doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event(
    const struct doca_rdma_task_remote_net_sync_event_notify_set *task);
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_notify_set_set_rdma_connection(
    struct doca_rdma_task_remote_net_sync_event_notify_set *task,
    struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_remote_net_sync_event_notify_set_get_rdma_connection(
    const struct doca_rdma_task_remote_net_sync_event_notify_set *task);
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf(
    struct doca_rdma_task_remote_net_sync_event_notify_set *task, const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf(
    const struct doca_rdma_task_remote_net_sync_event_notify_set *task);
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event(
    struct doca_rdma_task_remote_net_sync_event_notify_add *task,
    struct doca_sync_event_remote_net *event);
DOCA_CORE_DECL struct doca_sync_event_remote_net *
doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event(
    const struct doca_rdma_task_remote_net_sync_event_notify_add *task);
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf(
    struct doca_rdma_task_remote_net_sync_event_notify_add *task, struct doca_buf *result_buf);
DOCA_CORE_DECL struct doca_buf *doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(
    const struct doca_rdma_task_remote_net_sync_event_notify_add *task);
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_notify_add_set_add_data(
    struct doca_rdma_task_remote_net_sync_event_notify_add *task, uint64_t add_data);
DOCA_CORE_DECL uint64_t doca_rdma_task_remote_net_sync_event_notify_add_get_add_data(
    const struct doca_rdma_task_remote_net_sync_event_notify_add *task);
DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_notify_add_set_rdma_connection(
    struct doca_rdma_task_remote_net_sync_event_notify_add *task,
    struct doca_rdma_connection *rdma_connection);
DOCA_CORE_DECL const struct doca_rdma_connection *
doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection(
    const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

/* Return the bytes that a successful get has written into its destination: 8. Return 0 before that,
 * and for a NULL task. In 2.5 the name is
 * doca_rdma_task_remote_net_sync_event_get_get_result_length(). */
DOCA_CORE_DECL uint32_t doca_rdma_task_remote_net_sync_event_get_get_result_len(
    const struct doca_rdma_task_remote_net_sync_event_get *task);

/* part: src/compat/rdma/api_25.h */
/* ---- >>rdma.api_25 ---------------------------------------------------------------------------
 * Functions that 2.10 has changed, in the form of 2.5 and 2.6. An instance of 2.5 has one
 * connection, so functions need no connection argument. The instance is STARTING until its
 * connection is established.
 * With DOCA_CORE_API below 21000, as by default, macros map the vendor's names to these functions
 * and to the inline functions in >>rdma.names:
 *     doca_rdma_create             doca_core_rdma_25_create
 *     doca_rdma_export             doca_core_rdma_25_export
 *     doca_rdma_connect            doca_core_rdma_25_connect
 *     ..._allocate_init            doca_core_rdma_25_..._allocate_init, except receive
 *     ..._get_result_length        the three functions of 2.10 that end in _get_result_len
 *     doca_rdma_set_grh_enabled    doca_core_rdma_25_set_grh_enabled, a bool; get as well
 *     doca_rdma_get_dpa_handle     doca_core_rdma_25_get_dpa_handle
 * All other functions are those of 2.10, and work on both kinds of instances. The inline functions
 * return INVALID_VALUE for an instance that is not started, because it has no connection. Programs
 * of 2.10 and 3.x define DOCA_CORE_API 30000. Programs of either kind can be linked with the same
 * implementation. Programs of 2.6 find two differences: doca_rdma_get_grh_enabled() takes a bool
 * here and a uint8_t in 2.6, and the functions for shared receive queues are missing.
 * Source: API reference 2.5, "DOCA RDMA"; programs published with the SDK 2.5 and 2.6.          */

/* Create an idle instance of 2.5; everything else is as for doca_rdma_create() and
 * doca_core_rdma_create_in(). doca_ctx_start() returns IN_PROGRESS for such an instance. It becomes
 * RUNNING by doca_pe_progress() when both sides have connected. It goes from STARTING to IDLE when
 * the peer has ended before. It stays RUNNING when its connection ends later: tasks then fail, and
 * the program stops the instance. doca_ctx_stop() is allowed while it is STARTING. */
DOCA_CORE_DECL doca_error_t doca_core_rdma_25_create(struct doca_dev *dev, struct doca_rdma **rdma);
DOCA_CORE_DECL doca_error_t doca_core_rdma_25_create_in(struct doca_core_arena *arena,
                                                        struct doca_dev *dev,
                                                        struct doca_rdma **rdma);

/* Get the bytes that a peer needs to connect to an instance of 2.5. A repeated call gives the same
 * bytes until the instance is idle again.
 *
 *   rdma                          starting or running; of doca_core_rdma_25_create()
 *   local_rdma_conn_details       out: bytes, which belong to the instance until it is idle again
 *   local_rdma_conn_details_size  out: a few hundred bytes
 *
 * Errors    INVALID_VALUE       an argument is NULL
 *           BAD_STATE           the instance is not started, or is one of doca_rdma_create()
 *           CONNECTION_ABORTED  the operating system refused the socket; the log names the call */
DOCA_CORE_DECL doca_error_t doca_core_rdma_25_export(const struct doca_rdma *rdma,
                                                     const void **local_rdma_conn_details,
                                                     size_t *local_rdma_conn_details_size);

/* Connect an instance of 2.5 to the peer whose bytes these are. A program need not have called
 * export before; the peer needs the bytes of this side, too.
 *
 *   rdma                           starting; of doca_core_rdma_25_create()
 *   remote_rdma_conn_details       from the peer's export; not used after the call
 *   remote_rdma_conn_details_size  bytes
 *
 * Cost      system calls; the call does not wait for the peer
 * Errors    INVALID_VALUE       an argument is NULL
 *           BAD_STATE           the instance is not started, is connected, or is one of
 *                               doca_rdma_create()
 *           CONNECTION_ABORTED  the bytes are not those of an export, are damaged, or come from
 *                               another user, another machine, or an instance that has ended */
DOCA_CORE_DECL doca_error_t doca_core_rdma_25_connect(struct doca_rdma *rdma,
                                                      const void *remote_rdma_conn_details,
                                                      size_t remote_rdma_conn_details_size);

/* Return the connection of a started instance of 2.5. The inline functions in >>rdma.names pass it
 * to the functions of 2.10. The call returns NULL, without a log line, for NULL, for an idle
 * instance, and for an instance of doca_rdma_create().
 *
 * Cost      O(1) */
DOCA_CORE_DECL struct doca_rdma_connection *doca_core_rdma_25_connection(struct doca_rdma *rdma);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_RDMA_H */

#if defined(DOCA_CORE_RDMA_IMPLEMENTATION) && !defined(DOCA_PRIV_RDMA_IMPLEMENTED)
#define DOCA_PRIV_RDMA_IMPLEMENTED

/* All forms of the changed functions are defined below. Undo the renaming macros of an earlier
 * inclusion of this header. */
#undef doca_rdma_create
#undef doca_core_rdma_create_in
#undef doca_rdma_export
#undef doca_rdma_connect
#undef doca_rdma_set_grh_enabled
#undef doca_rdma_get_grh_enabled
#undef doca_rdma_get_dpa_handle
#undef doca_rdma_task_send_allocate_init
#undef doca_rdma_task_send_imm_allocate_init
#undef doca_rdma_task_read_allocate_init
#undef doca_rdma_task_write_allocate_init
#undef doca_rdma_task_write_imm_allocate_init
#undef doca_rdma_task_atomic_cmp_swp_allocate_init
#undef doca_rdma_task_atomic_fetch_add_allocate_init
#undef doca_rdma_task_remote_net_sync_event_get_allocate_init
#undef doca_rdma_task_remote_net_sync_event_notify_set_allocate_init
#undef doca_rdma_task_remote_net_sync_event_notify_add_allocate_init
#undef doca_rdma_bridge_accept

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_RDMA_IMPLEMENTATION */

/* part: src/compat/rdma/names.h */
/* ---- >>rdma.names ----------------------------------------------------------------------------
 * DOCA_CORE_API decides which form of a changed function has the vendor's name; >>rdma.api_25 and
 * >>rdma.connection describe the forms. The macros have no parameters, so a program can still take
 * the address of each function. The implementation defines all forms under their own names, so this
 * part follows it. A failure of an inline function is logged by the name of the called function. */

#if DOCA_CORE_API < 21000

#ifndef DOCA_CORE_RDMA_25_H
#define DOCA_CORE_RDMA_25_H

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dpa_dev_rdma;

/* In 2.5 the flag grh is a bool, and the handle of a DPA is a pointer. No call gives a handle. */
static inline doca_error_t doca_core_rdma_25_set_grh_enabled(struct doca_rdma *rdma,
                                                             bool grh_enabled)
{
    return doca_rdma_set_grh_enabled(rdma, grh_enabled ? 1 : 0);
}

static inline doca_error_t doca_core_rdma_25_get_grh_enabled(const struct doca_rdma *rdma,
                                                             bool *grh_enabled)
{
    uint8_t flag = 0;
    doca_error_t rc = doca_rdma_get_grh_enabled(rdma, grh_enabled != NULL ? &flag : NULL);

    if (rc == DOCA_SUCCESS)
        *grh_enabled = flag != 0;
    return rc;
}

static inline doca_error_t doca_core_rdma_25_get_dpa_handle(struct doca_rdma *rdma,
                                                            struct doca_dpa_dev_rdma **dpa_rdma)
{
    doca_dpa_dev_rdma_t handle = 0;

    return doca_rdma_get_dpa_handle(rdma, dpa_rdma != NULL ? &handle : NULL);
}

/* Allocate tasks of the only connection. Parameters are those of the functions of 2.10. */
static inline doca_error_t
doca_core_rdma_25_task_send_allocate_init(struct doca_rdma *rdma, const struct doca_buf *src_buf,
                                          union doca_data user_data,
                                          struct doca_rdma_task_send **task)
{
    return doca_rdma_task_send_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                             user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_send_imm_allocate_init(
    struct doca_rdma *rdma, const struct doca_buf *src_buf, doca_be32_t immediate_data,
    union doca_data user_data, struct doca_rdma_task_send_imm **task)
{
    return doca_rdma_task_send_imm_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                                 immediate_data, user_data, task);
}

static inline doca_error_t
doca_core_rdma_25_task_read_allocate_init(struct doca_rdma *rdma, const struct doca_buf *src_buf,
                                          struct doca_buf *dst_buf, union doca_data user_data,
                                          struct doca_rdma_task_read **task)
{
    return doca_rdma_task_read_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                             dst_buf, user_data, task);
}

static inline doca_error_t
doca_core_rdma_25_task_write_allocate_init(struct doca_rdma *rdma, const struct doca_buf *src_buf,
                                           struct doca_buf *dst_buf, union doca_data user_data,
                                           struct doca_rdma_task_write **task)
{
    return doca_rdma_task_write_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                              dst_buf, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_write_imm_allocate_init(
    struct doca_rdma *rdma, const struct doca_buf *src_buf, struct doca_buf *dst_buf,
    doca_be32_t immediate_data, union doca_data user_data, struct doca_rdma_task_write_imm **task)
{
    return doca_rdma_task_write_imm_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                                  dst_buf, immediate_data, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_atomic_cmp_swp_allocate_init(
    struct doca_rdma *rdma, struct doca_buf *dst_buf, struct doca_buf *result_buf,
    uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
    struct doca_rdma_task_atomic_cmp_swp **task)
{
    return doca_rdma_task_atomic_cmp_swp_allocate_init(rdma, doca_core_rdma_25_connection(rdma),
                                                       dst_buf, result_buf, cmp_data, swap_data,
                                                       user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_atomic_fetch_add_allocate_init(
    struct doca_rdma *rdma, struct doca_buf *dst_buf, struct doca_buf *result_buf,
    uint64_t add_data, union doca_data user_data, struct doca_rdma_task_atomic_fetch_add **task)
{
    return doca_rdma_task_atomic_fetch_add_allocate_init(
        rdma, doca_core_rdma_25_connection(rdma), dst_buf, result_buf, add_data, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_remote_net_sync_event_get_allocate_init(
    struct doca_rdma *rdma, const struct doca_sync_event_remote_net *event,
    struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_remote_net_sync_event_get **task)
{
    return doca_rdma_task_remote_net_sync_event_get_allocate_init(
        rdma, doca_core_rdma_25_connection(rdma), event, dst_buf, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_remote_net_sync_event_notify_set_allocate_init(
    struct doca_rdma *rdma, struct doca_sync_event_remote_net *event,
    const struct doca_buf *src_buf, union doca_data user_data,
    struct doca_rdma_task_remote_net_sync_event_notify_set **task)
{
    return doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
        rdma, doca_core_rdma_25_connection(rdma), event, src_buf, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_remote_net_sync_event_notify_add_allocate_init(
    struct doca_rdma *rdma, struct doca_sync_event_remote_net *event, struct doca_buf *result_buf,
    uint64_t add_data, union doca_data user_data,
    struct doca_rdma_task_remote_net_sync_event_notify_add **task)
{
    return doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
        rdma, doca_core_rdma_25_connection(rdma), event, result_buf, add_data, user_data, task);
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_RDMA_25_H */

#define doca_rdma_create doca_core_rdma_25_create
#define doca_core_rdma_create_in doca_core_rdma_25_create_in
#define doca_rdma_export doca_core_rdma_25_export
#define doca_rdma_connect doca_core_rdma_25_connect
#define doca_rdma_set_grh_enabled doca_core_rdma_25_set_grh_enabled
#define doca_rdma_get_grh_enabled doca_core_rdma_25_get_grh_enabled
#define doca_rdma_get_dpa_handle doca_core_rdma_25_get_dpa_handle
#define doca_rdma_task_send_allocate_init doca_core_rdma_25_task_send_allocate_init
#define doca_rdma_task_send_imm_allocate_init doca_core_rdma_25_task_send_imm_allocate_init
#define doca_rdma_task_read_allocate_init doca_core_rdma_25_task_read_allocate_init
#define doca_rdma_task_write_allocate_init doca_core_rdma_25_task_write_allocate_init
#define doca_rdma_task_write_imm_allocate_init doca_core_rdma_25_task_write_imm_allocate_init
#define doca_rdma_task_atomic_cmp_swp_allocate_init                                                \
    doca_core_rdma_25_task_atomic_cmp_swp_allocate_init
#define doca_rdma_task_atomic_fetch_add_allocate_init                                              \
    doca_core_rdma_25_task_atomic_fetch_add_allocate_init
#define doca_rdma_task_remote_net_sync_event_get_allocate_init                                     \
    doca_core_rdma_25_task_remote_net_sync_event_get_allocate_init
#define doca_rdma_task_remote_net_sync_event_notify_set_allocate_init                              \
    doca_core_rdma_25_task_remote_net_sync_event_notify_set_allocate_init
#define doca_rdma_task_remote_net_sync_event_notify_add_allocate_init                              \
    doca_core_rdma_25_task_remote_net_sync_event_notify_add_allocate_init

/* names of 2.5; 2.6 has the new ones */
#define doca_rdma_task_receive_get_result_length doca_rdma_task_receive_get_result_len
#define doca_rdma_task_read_get_result_length doca_rdma_task_read_get_result_len
#define doca_rdma_task_remote_net_sync_event_get_get_result_length                                 \
    doca_rdma_task_remote_net_sync_event_get_get_result_len

#endif /* DOCA_CORE_API */

#if DOCA_CORE_API >= 30000
#define doca_rdma_bridge_accept doca_core_v3_rdma_bridge_accept
#endif

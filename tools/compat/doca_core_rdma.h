/* doca_core_rdma.h - the API of DOCA RDMA (doca_rdma.h, 2.5 to 3.x), for use with doca_core.h
 *
 * RDMA connects instances of two programs. A program sends messages into buffers that its peer has
 * posted. It also reads, writes and changes memory that the peer has exported, while the program of
 * the peer does something else. Here, both sides are processes of one machine, or threads of one
 * process, and the software device replaces the card.
 *
 * THIS HEADER HAS all 178 functions of doca_rdma.h of 2.10 and the function that 3.0 adds, with the
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
 * THE OTHER SIDE makes the same calls, but calls doca_rdma_task_receive_set_conf(), and submits a
 * receive task with an empty buffer for the message.
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
 * >>rdma.connection. A process reads and writes memory of its peer by system calls, for tasks on
 * exported memory and for messages of more than 544 bytes. Where the kernel restricts these calls
 * (Yama), set DOCA_CORE_SW_PTRACER=any for both processes: see doca_mmap_export_rdma().
 *
 * RDMA DEVICES. With DOCA_CORE_RDMA_VERBS (>>rdma.config), -libverbs and -lmlx5, devices of
 * doca_core_mlx5.h have RDMA, also to other machines. They have never been tried on a card, only on
 * an emulated one, and on Linux's soft-RoCE between two virtual machines. An instance then has a
 * completion queue and a shared receive queue, and each connection a queue pair (RC). On mlx5
 * devices, the library writes requests to these queues and reads completions from them itself. On
 * other devices, and if the environment contains DOCA_CORE_RDMA_ENGINE=verbs when an instance
 * starts, the library calls libibverbs. The queue pairs of an instance share a doorbell register
 * that no other queue uses (ibv_alloc_td()). If the device has no register left, the library calls
 * libibverbs.
 * Differences from the software device:
 *   - doca_rdma_connect() establishes the connection of its side at once. Tasks wait about 4 s for
 *     the peer to connect; then they fail with CONNECTION_RESET.
 *   - A connection by export has a second queue pair. When a side disconnects, stops, or has broken
 *     the connection, it sends its peer a notice on this queue pair. The peer finds the notice in
 *     its next 16 calls of doca_pe_progress(), also when only receive tasks wait. When the process
 *     of the peer was killed, or its machine does not answer, the connection ends about 4 s after
 *     the next probe. A probe is an empty write; a side sends one every DOCA_CORE_RDMA_PROBE_MS
 *     (2 s) while no task is in flight. The program must call doca_pe_progress(), or sleep on the
 *     handle, which a due probe wakes. When a peer is killed before it has answered the first
 *     probe, only a task can detect that: it fails. Every 16th call of doca_pe_progress() also
 *     looks at the completion queue of the second queue pairs, and every 256th reads the clock.
 *   - doca_ctx_stop() gives the devices of peers up to 1 s to take this notice. It does not wait
 *     for a peer on the same machine whose process has ended. doca_rdma_export() waits up to 10 ms
 *     when it reuses the entry of an ended connection.
 *   - Connections by address need DOCA_CORE_RDMA_CM as well, and -lrdmacm. The library resolves
 *     the address through librdmacm. When a process is killed, its kernel tells the peer that the
 *     connection has ended. The listener accepts requests to all addresses of the instance's
 *     device. A request that reaches the port through another device is rejected. Only
 *     one instance of the machine can listen on a port. GIDs are those of RoCE. accept sends the
 *     private data. An instance that has called a function about an address makes a system call in
 *     every 16th idle call of progress. This code has run on soft-RoCE only. Without
 *     DOCA_CORE_RDMA_CM, these calls are NOT_SUPPORTED.
 *   - Tasks on sync events of the peer need an event whose subscriber or publisher on the CPU has
 *     the device of the peer's instance. The device executes them: an addition is atomic with
 *     respect to other additions by the device, and with respect to the CPU only as
 *     DOCA_CORE_EVENT_ENGINE_ALL says. It needs the permission RDMA_ATOMIC of the peer's instance.
 *     While tasks of a PE wait for such an event, a request for notification makes the handle of
 *     the PE readable at once.
 *   - The capability calls open the device, and return its limits, not above those of
 *     >>rdma.config. The longest queue with the longest lists may be too large for a queue pair:
 *     then doca_rdma_export() fails.
 *   - The attempts of a message without a receive task are 0.64 ms apart. On soft-RoCE they end
 *     after some seconds with CONNECTION_RESET, although the peer is alive.
 *   - An export of a card that cannot be used by other engines of the importing device is imported
 *     for RDMA tasks only; copies refuse it.
 *   - libibverbs uses the heap when an instance starts, exports, connects and stops, and in
 *     capability calls; librdmacm does when connections by address are made and end.
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
 * FAULTS for tests: the rules of DOCA_CORE_FAULT apply to starts, connections and tasks (>>fault in
 * doca_core.h: rdma, and rdma_send, rdma_read and so on for tasks of one type).
 *
 * AS ON A CARD, as far as the vendor's documents and samples tell: the states and their order, the
 * results of start, the calls that callbacks may make, the order in which tasks complete, that a
 * message waits for a receive task, and that a submit to a full send queue returns FULL.
 *
 * DIFFERENCES from the vendor's library
 *   - On software devices, both sides are on one machine, and have one user. No call reaches
 *     another machine, and the text of an address does not matter, only its port.
 *   - DC transport, DPA, GPU and the bridge to librdmacm do not exist: NOT_SUPPORTED.
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
 *   Private         >>priv.local.platform >>priv.rdma.platform >>mlx5.priv.wqe >>mlx5.priv.order
 *                   >>priv.local.socket >>priv.local.memory >>priv.local.queue >>priv.rdma.ring
 *                   >>priv.rdma.rings >>priv.rdma.objects >>priv.rdma.connection
 *                   >>priv.rdma.address >>priv.rdma.create >>priv.rdma.execute >>priv.rdma.message
 *                   >>priv.rdma.sockets >>priv.rdma.queue >>priv.rdma.verbs >>priv.rdma.verbs_caps
 *                   >>priv.rdma.verbs_cm >>priv.rdma.verbs_end >>priv.rdma.verbs_sync
 *                   >>priv.rdma.task
 *   Implementation  >>impl.local.socket >>impl.local.memory >>impl.rdma.ring >>impl.rdma.connection
 *                   >>impl.rdma.execute >>impl.rdma.message >>impl.rdma.sockets >>impl.rdma.queue
 *                   >>impl.rdma.rings >>impl.rdma.rings_post >>impl.rdma.verbs_caps
 *                   >>impl.rdma.verbs_cm >>impl.rdma.verbs_end >>impl.rdma.verbs_sync
 *                   >>impl.rdma.verbs_queue >>impl.rdma.verbs >>impl.rdma.create
 *                   >>impl.rdma.settings >>impl.rdma.connect >>impl.rdma.address >>impl.rdma.task
 *                   >>impl.rdma.accessors >>impl.rdma.api_25 >>impl.rdma.unsupported
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
 * Limits of this header. The capability queries return them, and they bound the requests of a
 * peer. Define them before the include, with the same value in every file of every process that
 * uses a connection. All numbers are Assumed, because the vendor publishes none.                 */

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_rdma.h is for hosted programs"
#endif
#ifndef __linux__
#error "doca_core_rdma.h needs sockets and shared memory of Linux"
#endif
#ifdef DOCA_CORE_NO_SYNC_EVENT
#error "doca_core_rdma.h needs sync events"
#endif

/* Define DOCA_CORE_RDMA_VERBS, without a value, in the files that have the implementation of this
 * header and of doca_core_mlx5.h, and link with -libverbs -lmlx5: the devices of doca_core_mlx5.h
 * then have RDMA, too (see RDMA DEVICES in the manual above). Without the macro, only software
 * devices have RDMA. Define DOCA_CORE_RDMA_CM as well, and link with -lrdmacm, for connections of
 * these devices by address. */

/* Per instance: connections; send and receive tasks in flight, and tasks of one type; ports that
 * the instance listens on at the same time. The number of connections is at most 65,535, and the
 * sizes of queues are powers of two. */
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

/* Milliseconds between two probes of a connection that has no task in flight, on RDMA devices. By
 * an unanswered probe a side notices that the process of its peer was killed (see RDMA DEVICES in
 * the manual above). 0: no probes. Files with the implementation only. */
#ifndef DOCA_CORE_RDMA_PROBE_MS
#define DOCA_CORE_RDMA_PROBE_MS 2000
#endif

#if defined(DOCA_CORE_RDMA_CM) && !defined(DOCA_CORE_RDMA_VERBS)
#error "DOCA_CORE_RDMA_CM needs DOCA_CORE_RDMA_VERBS"
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
#if DOCA_CORE_RDMA_MAX_SEND_LIST < 1 || DOCA_CORE_RDMA_MAX_SEND_LIST > 34
#error "DOCA_CORE_RDMA_MAX_SEND_LIST is 1 to 34"
#endif
#if DOCA_CORE_RDMA_MAX_PORTS < 1 || DOCA_CORE_RDMA_MAX_ADDRS < 1 || DOCA_CORE_RDMA_RNR_MS < 1
#error "DOCA_CORE_RDMA_MAX_PORTS, _MAX_ADDRS and _RNR_MS are at least 1"
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

/* Create an idle instance. It is RUNNING as soon as it is started. In programs of 2.5
 * (DOCA_CORE_API below 21000) the vendor's name stands for doca_core_rdma_25_create(): such an
 * instance is STARTING until its connection is established. doca_core_rdma_create_in() takes the
 * memory from `arena` instead of from the arena of the device.
 *
 *   dev  a software device; with DOCA_CORE_RDMA_VERBS also a device of doca_core_mlx5.h that was
 *        not opened from a PD of the program
 *
 * Owns      one block of the arena, and a reference to the device, until destroy; from start until
 *           the instance is idle again, one block more
 * Errors    INVALID_VALUE   an argument is NULL, or `dev` is not open
 *           NOT_SUPPORTED   `dev` is not a device of these kinds
 *           DRIVER          RDMA device: libibverbs refused to report its limits; the log names the
 *                           call
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  never: the reference names this error for a lock, and an instance has
 *                           no lock */
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

/* Query a device. All software devices have the limits of >>rdma.config. The limits of an RDMA
 * device are those that libibverbs reports, where they are lower.
 *
 *   max_recv_queue_size    out: receive tasks
 *   max_send_queue_size    out: tasks in flight of one connection
 *   max_send_buf_list_len  out: buffers of a local list of send, send_imm, read, write, write_imm
 *   max_message_size       out: bytes of a message, a read or a write
 *
 * Cost      O(1); the calls that return a number open an RDMA device and close it again
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device;
 *                          transport_type_is_supported: there is no such type
 *           NOT_SUPPORTED  the device has no RDMA: see doca_rdma_create();
 *                          transport_type_is_supported: DC
 *           DRIVER         libibverbs refused; the log names the call */
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
 * address, and its IPv4 address as ::ffff:a.b.c.d. An RDMA device has those of its port. An entry
 * that is not used, or an address that the topology does not give, is 16 bytes of 0. In 2.5 the
 * parameter `devinfo` is not const.
 *
 *   gid_table_size  out: entries
 *   start_index     the first entry to read
 *   num_entries     at least 1; start_index + num_entries is at most the size of the table
 *   gid_array       out: an array of the caller with num_entries elements
 *
 * Errors    INVALID_VALUE  an argument is NULL, `devinfo` is not from a device list or device, or
 *                          the entries are not all in the table
 *           NOT_SUPPORTED  the device has no RDMA
 *           DRIVER         libibverbs refused; the log names the call */
DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_gid_table_size(const struct doca_devinfo *devinfo,
                                                             uint32_t *gid_table_size);
DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo,
                                                  uint32_t start_index, uint32_t num_entries,
                                                  struct doca_rdma_gid *gid_array);

/* Set or get the number of tasks, other than receive tasks, that one connection can have in flight;
 * initially 1024 (Assumed). A submit beyond this number returns FULL. The value is rounded up to a
 * power of two. Get returns the value in use.
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
 * power of two and returned by the getter. It does not limit receive tasks:
 * doca_rdma_task_receive_set_conf() sets their number. The reference names
 * NOT_SUPPORTED for instances whose data path the CPU runs; here such calls succeed, as in 2.5.
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
 *           NOT_SUPPORTED  set: the number is 0; or the instance is of 2.5 and the number is not 1
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
 *           NOT_SUPPORTED  never: all numbers from 0 to 7 are supported
 *           BAD_STATE      set: the instance is not idle */
DOCA_CORE_DECL doca_error_t doca_rdma_set_rnr_retry_count(struct doca_rdma *rdma,
                                                          uint8_t rnr_retry_count);
DOCA_CORE_DECL doca_error_t doca_rdma_get_rnr_retry_count(const struct doca_rdma *rdma,
                                                          uint8_t *rnr_retry_count);

/* Set or get properties of network packets. The software device has no network: it keeps the
 * values, which have no effect. RDMA devices use them; there, doca_ctx_start() fails with DRIVER
 * when the entry of the GID index is not used.
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

/* part: src/compat/rdma/receive.h */
/* ---- >>rdma.receive --------------------------------------------------------------------------
 * Receive tasks. Submitted tasks form one queue for all connections of an instance. The next
 * message of a peer (send, send_imm) or the next write_imm of a peer takes the oldest task. Data of
 * a message is written behind the data of the buffers, and the data of each buffer grows, so a
 * program calls doca_buf_reset_data_len() before it submits a buffer again. A write_imm takes a
 * task and leaves its buffers as they are.
 * Tasks can be submitted as soon as the instance is running, before it has a connection. When a
 * connection ends, submitted tasks wait for messages of other connections. When the instance stops,
 * they complete with SHUTDOWN.
 * Source: DOCA RDMA guide, "Receive"; API reference, "DOCA RDMA".                                */

struct doca_rdma_task_receive;

/* The kind of the peer's task that completed a receive task: send, send_imm or write_imm. */
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
 * Cost      O(1); max_dst_buf_list_len opens an RDMA device and closes it again
 * Errors    INVALID_VALUE  an argument is NULL, `devinfo` is not from a device list or device, or
 *                          there is no such transport
 *           NOT_SUPPORTED  the device has no RDMA; or DC
 *           DRIVER         max_dst_buf_list_len: libibverbs refused; the log names the call */
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
 *                                   doca_rdma_cap_get_max_recv_queue_size()
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
 *   result_len              bytes of the message, or, for a write_imm, bytes that the peer's task
 *                           has written; 0 after a failure. In 2.5 the name of the call is
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
 *           NOT_SUPPORTED  the device has no RDMA */
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
 *                                   doca_rdma_cap_get_max_send_queue_size()
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
 *   src_buf          a buffer or a list of up to doca_rdma_get_max_send_buf_list_len() buffers with
 *                    the data to send: up to doca_rdma_cap_get_max_message_size() bytes, of an mmap
 *                    that contains the device of the instance. NULL: an empty message. The program
 *                    keeps its reference. Several tasks in flight may send the same buffer.
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

/* Set or get the buffer, the immediate data or the connection of a task. Values and limits are as
 * for the allocation. A call that would change a free or submitted task is logged and has no
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
 *           NOT_SUPPORTED  the device has no RDMA */
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
 *                                   doca_rdma_cap_get_max_send_queue_size()
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
 *   src_buf          remote: a single buffer; the task reads its data. Of a list, only the head
 *                    counts
 *   dst_buf          local: a buffer or a list of up to doca_rdma_get_max_send_buf_list_len()
 *                    buffers, with LOCAL_READ_WRITE, and with free bytes behind the data for all
 *                    bytes of `src_buf`, at most doca_rdma_cap_get_max_message_size()
 *   user_data        what the callback receives
 *
 * With both buffers NULL the task reads nothing, and succeeds when the peer is reached. If only one
 * of the two buffers is NULL, doca_task_submit() returns INVALID_VALUE. The program keeps its
 * references to the buffers.
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
 *                    buffers; the task writes their data, at most
 *                    doca_rdma_cap_get_max_message_size() bytes
 *   dst_buf          remote: a single buffer, with free bytes behind its data for all bytes of
 *                    `src_buf`; of a list, only the head counts
 *   immediate_data   in network byte order; given to a receive task of the peer
 *   user_data        what the callback receives
 *
 * With both buffers NULL the task writes nothing; a write_imm then carries immediate data only. If
 * only one of the two buffers is NULL, doca_task_submit() returns INVALID_VALUE. The program keeps
 * its references to the buffers.
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
 * Tasks that change 8 bytes of the peer's memory: compare and swap, and fetch and add. Both return
 * the old value. They are atomic with respect to all other atomic tasks on the memory of that
 * process, but not to its CPU, as on cards that report IBV_ATOMIC_HCA.
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
 *           NOT_SUPPORTED  the device has no RDMA */
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
 *                                   doca_rdma_cap_get_max_send_queue_size()
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
 * doca_sync_event_remote_net_create_from_export(). The value has 8 bytes, in host byte order. When
 * a change fulfils the condition of a wait for the event at the peer, this wait ends.
 * The peer's instance needs the permission RDMA_READ to get, RDMA_WRITE to set and RDMA_ATOMIC to
 * add (Assumed); on the software device, RDMA_WRITE also permits adding. Without the permission the
 * task fails with IO_FAILED, and the connection breaks. So does a task on an event that another
 * process than the peer has exported, on the software device. An RDMA device does not examine which
 * process has exported the event.
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
 *           NOT_SUPPORTED  the device has no RDMA */
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
 *                                   doca_rdma_cap_get_max_send_queue_size()
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
 *   add_data         add: the addend, in host byte order
 *   user_data        passed to the callback
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
 *     doca_core_rdma_create_in     doca_core_rdma_25_create_in
 *     doca_rdma_export             doca_core_rdma_25_export
 *     doca_rdma_connect            doca_core_rdma_25_connect
 *     ..._allocate_init            doca_core_rdma_25_..._allocate_init, except receive
 *     ..._get_result_length        the three functions of 2.10 that end in _get_result_len
 *     doca_rdma_set_grh_enabled    doca_core_rdma_25_set_grh_enabled, with a bool
 *     doca_rdma_get_grh_enabled    doca_core_rdma_25_get_grh_enabled, with a bool
 *     doca_rdma_get_dpa_handle     doca_core_rdma_25_get_dpa_handle
 * All other functions are those of 2.10, and work on both kinds of instances, except that
 * doca_rdma_start_listen_to_port() and doca_rdma_connect_to_addr() return BAD_STATE for an instance
 * of 2.5. The inline functions return INVALID_VALUE for an instance that is not started, because it
 * has no connection. Programs of 2.10 and 3.x define DOCA_CORE_API 30000. Programs of either kind
 * can be linked with the same implementation. Programs of 2.6 find two differences:
 * doca_rdma_get_grh_enabled() takes a bool here and a uint8_t in 2.6, and the functions for shared
 * receive queues are missing.
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
 *           CONNECTION_ABORTED  never: doca_ctx_start() has opened the socket and made the bytes */
DOCA_CORE_DECL doca_error_t doca_core_rdma_25_export(const struct doca_rdma *rdma,
                                                     const void **local_rdma_conn_details,
                                                     size_t *local_rdma_conn_details_size);

/* Connect an instance of 2.5 to the peer that exported `remote_rdma_conn_details`. The program may
 * call doca_core_rdma_25_export() before or after this call: the peer must connect with the bytes
 * that this side exports.
 *
 *   rdma                           starting; created by doca_core_rdma_25_create()
 *   remote_rdma_conn_details       from the peer's export; not used after the call
 *   remote_rdma_conn_details_size  bytes
 *
 * Cost      system calls; the call does not wait for the peer
 * Errors    INVALID_VALUE       an argument is NULL
 *           BAD_STATE           the instance is not started, is connected, or was created by
 *                               doca_rdma_create()
 *           CONNECTION_ABORTED  the bytes are not those of an export, are damaged, or come from
 *                               another user, another machine, or an instance that has ended; the
 *                               peer has connected and ended before; the operating system refused
 *                               a descriptor, and the log names the call */
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

/* part: src/compat/rdma/platform_priv.h */
/* ---- >>priv.rdma.platform --------------------------------------------------------------------
 * System calls by number. On 32-bit systems, the calls with 64-bit times have other numbers.    */

#ifdef DOCA_CORE_RDMA_VERBS
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#ifdef DOCA_CORE_RDMA_CM
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <sys/socket.h>
#endif
#endif

#ifdef SYS_timerfd_settime64
#define DOCA_PRIV_RDMA_TIMER_SETTIME SYS_timerfd_settime64
#else
#define DOCA_PRIV_RDMA_TIMER_SETTIME SYS_timerfd_settime
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef DOCA_CORE_RDMA_VERBS

/* part: src/mlx5/wqe_priv.h */
/* ---- >>mlx5.priv.wqe -------------------------------------------------------------------------
 * Segments of WQEs and fields of CQEs, with the names of the programmer's reference manual (PRM).
 * All fields are big-endian. doca_core_rdma.h contains this part as well, because its queue pairs
 * have the same layout. Therefore this part must not include other parts of either header.      */

#ifndef DOCA_PRIV_MLX5_WQE /* several headers contain this part */
#define DOCA_PRIV_MLX5_WQE

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DOCA_PRIV_MLX5_BE16(x) __builtin_bswap16((uint16_t)(x))
#define DOCA_PRIV_MLX5_BE32(x) __builtin_bswap32((uint32_t)(x))
#define DOCA_PRIV_MLX5_BE64(x) __builtin_bswap64((uint64_t)(x))
#endif
#if !(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define DOCA_PRIV_MLX5_BE16(x) ((uint16_t)(x))
#define DOCA_PRIV_MLX5_BE32(x) ((uint32_t)(x))
#define DOCA_PRIV_MLX5_BE64(x) ((uint64_t)(x))
#endif

/* A small function of the data path, inlined into every caller. */
#define DOCA_PRIV_MLX5_HOT static inline __attribute__((always_inline))
#define DOCA_PRIV_MLX5_UAR_CQ 0x20 /* offset of the register that arms CQs in a doorbell page */
#define DOCA_PRIV_MLX5_WQEBB 64 /* bytes of a basic block; a WQE has one or more of them */
#define DOCA_PRIV_MLX5_SEG_BYTES 16 /* bytes of a segment; a basic block has four */
#define DOCA_PRIV_MLX5_SRQ_NEXT 2   /* offset in a WQE of an SRQ: index of the next WQE, 16 bits */
#define DOCA_PRIV_MLX5_INVALID_LKEY 0x100 /* ends the data segments of a receive WQE */
#define DOCA_PRIV_MLX5_CE_ALWAYS 0x08 /* bit of fm_ce_se: write a CQE also on success */

enum { /* opcodes of WQEs, and modifiers of MMO */
    DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE = 0x08,
    DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE_IMM = 0x09,
    DOCA_PRIV_MLX5_OPCODE_SEND = 0x0a,
    DOCA_PRIV_MLX5_OPCODE_SEND_IMM = 0x0b,
    DOCA_PRIV_MLX5_OPCODE_RDMA_READ = 0x10,
    DOCA_PRIV_MLX5_OPCODE_ATOMIC_CS = 0x11,
    DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA = 0x12,
    DOCA_PRIV_MLX5_OPCODE_MMO = 0x2f,
    DOCA_PRIV_MLX5_OPMOD_MMO_DMA = 1
};

#define DOCA_PRIV_MLX5_INLINE 0x80000000u /* in a byte count: the data follows it */

struct doca_priv_mlx5_ctrl_seg {
    uint32_t opmod_idx_opcode;
    uint32_t qpn_ds; /* ds: size of the WQE in units of 16 bytes */
    uint8_t signature;
    uint8_t reserved[2];
    uint8_t fm_ce_se;
    uint32_t imm; /* for MMO: bits 63 to 32 of control */
};

struct doca_priv_mlx5_data_seg {
    uint32_t byte_count; /* 31 bits; 0 means 2 GiB */
    uint32_t lkey;
    uint64_t addr;
};

struct doca_priv_mlx5_raddr_seg {
    uint64_t raddr;
    uint32_t rkey;
    uint32_t reserved;
};

struct doca_priv_mlx5_cqe { /* an error CQE has the fields before sop_drop_qpn */
    uint8_t reserved[54];
    uint8_t vendor_err_synd; /* valid only for errors, like `syndrome` */
    uint8_t syndrome;
    uint32_t sop_drop_qpn;
    uint16_t wqe_counter; /* index of the WQE's first basic block */
    uint8_t signature;
    uint8_t op_own; /* opcode in the upper half, owner in bit 0; written last */
};

enum { /* offsets in the CQE of a received message; an error CQE has other fields there */
    DOCA_PRIV_MLX5_CQE_IMM = 36,
    DOCA_PRIV_MLX5_CQE_BYTE_COUNT = 44
};

enum { /* opcodes of CQEs */
    DOCA_PRIV_MLX5_CQE_REQ = 0,
    DOCA_PRIV_MLX5_CQE_RESP_WRITE_IMM = 1,
    DOCA_PRIV_MLX5_CQE_RESP_SEND = 2,
    DOCA_PRIV_MLX5_CQE_RESP_SEND_IMM = 3,
    DOCA_PRIV_MLX5_CQE_REQ_ERR = 13,
    DOCA_PRIV_MLX5_CQE_RESP_ERR = 14,
    DOCA_PRIV_MLX5_CQE_INVALID = 15
};

enum { /* syndromes of error CQEs */
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH = 0x01,
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP = 0x02,
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT = 0x04,
    DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH = 0x05,
    DOCA_PRIV_MLX5_SYNDROME_MW_BIND = 0x06,
    DOCA_PRIV_MLX5_SYNDROME_BAD_RESP = 0x10,
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS = 0x11,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ = 0x12,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS = 0x13,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP = 0x14,
    DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC = 0x15,
    DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC = 0x16,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED = 0x22
};

DOCA_PRIV_MLX5_HOT uint32_t doca_priv_mlx5_byte_count(uint64_t bytes)
{
    /* The device reads 0 as 2 GiB. Bit 31 must be 0, because it marks inline data. */
    return DOCA_PRIV_MLX5_BE32(bytes & 0x7fffffff);
}

/* Write 4 or 8 bytes, or a whole data segment, of a WQE in the ring. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put32(unsigned char *at, uint32_t value)
{
    memcpy(at, &value, sizeof(value));
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put64(unsigned char *at, uint64_t value)
{
    memcpy(at, &value, sizeof(value));
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put_data(unsigned char *seg, uint32_t byte_count,
                                                uint32_t lkey, uint64_t addr)
{
    doca_priv_mlx5_put32(seg + offsetof(struct doca_priv_mlx5_data_seg, byte_count), byte_count);
    doca_priv_mlx5_put32(seg + offsetof(struct doca_priv_mlx5_data_seg, lkey),
                         DOCA_PRIV_MLX5_BE32(lkey));
    doca_priv_mlx5_put64(seg + offsetof(struct doca_priv_mlx5_data_seg, addr),
                         DOCA_PRIV_MLX5_BE64(addr));
}

/* Copy up to 28 bytes: as two parts of 16, 8 or 4 bytes that may overlap, or byte by byte if there
 * are fewer than 4. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_copy_short(unsigned char *to, const unsigned char *from,
                                                  uint32_t bytes)
{
    if (bytes >= 16) {
        memcpy(to, from, 16);
        memcpy(to + bytes - 16, from + bytes - 16, 16);
    } else if (bytes >= 8) {
        memcpy(to, from, 8);
        memcpy(to + bytes - 8, from + bytes - 8, 8);
    } else if (bytes >= 4) {
        memcpy(to, from, 4);
        memcpy(to + bytes - 4, from + bytes - 4, 4);
    } else {
        while (bytes-- > 0)
            to[bytes] = from[bytes];
    }
}

#endif

/* part: src/mlx5/order_priv.h */
/* ---- >>mlx5.priv.order -----------------------------------------------------------------------
 * Declarations of >>mlx5.order for other parts, and the barriers.                               */

#ifndef DOCA_PRIV_MLX5_ORDER /* several headers contain this part */
#define DOCA_PRIV_MLX5_ORDER

#if defined(__x86_64__) || defined(__i386__)
#define DOCA_PRIV_MLX5_HAS_DOORBELL true
#define DOCA_PRIV_MLX5_STORES() __asm__ volatile("" : : : "memory")
#define DOCA_PRIV_MLX5_LOADS() __asm__ volatile("" : : : "memory")
#define DOCA_PRIV_MLX5_DOORBELL() __asm__ volatile("sfence" : : : "memory")
#endif
#if !(defined(__x86_64__) || defined(__i386__)) && defined(__aarch64__)
#define DOCA_PRIV_MLX5_HAS_DOORBELL true
#define DOCA_PRIV_MLX5_STORES() __asm__ volatile("dmb oshst" : : : "memory")
#define DOCA_PRIV_MLX5_LOADS() __asm__ volatile("dmb oshld" : : : "memory")
#define DOCA_PRIV_MLX5_DOORBELL() __asm__ volatile("dsb st" : : : "memory")
#endif
#if !(defined(__x86_64__) || defined(__i386__)) && !defined(__aarch64__) &&                        \
    !defined(DOCA_PRIV_MLX5_HAS_DOORBELL)
#define DOCA_PRIV_MLX5_HAS_DOORBELL false
#endif
#if !(defined(__x86_64__) || defined(__i386__)) && !defined(__aarch64__)
#define DOCA_PRIV_MLX5_STORES() __sync_synchronize()
#define DOCA_PRIV_MLX5_LOADS() __sync_synchronize()
#define DOCA_PRIV_MLX5_DOORBELL() __sync_synchronize()
#endif

/* Order the WQE, and the source data that the program wrote before submit, before the doorbell
 * record. Otherwise the device could see the new index first and read an incomplete WQE or old
 * data. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_wqe_before_dbrec(void)
{
    DOCA_PRIV_MLX5_STORES();
}

/* Order the doorbell record before the doorbell register. Otherwise the device could react to the
 * doorbell, read the old index, and not be notified again. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_dbrec_before_uar(void)
{
    DOCA_PRIV_MLX5_DOORBELL();
}

/* Order a write of the doorbell register before the next one. Otherwise the first one could stay in
 * a write-combining buffer of the CPU and be overtaken. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_uar_before_next(void)
{
    DOCA_PRIV_MLX5_DOORBELL();
}

/* Order the load of a CQE's owner bit before the loads of its other fields and of the data that was
 * copied. Otherwise the CPU could read them before the device has written them. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_owner_before_cqe(void)
{
    DOCA_PRIV_MLX5_LOADS();
}

/* Order the loads of a CQE before the doorbell record of the CQ. Otherwise the device could see the
 * new index and overwrite a CQE that the CPU has not read completely. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_cqe_before_dbrec(void)
{
#if defined(__aarch64__)
    __asm__ volatile("dmb osh" : : : "memory");
#else
    DOCA_PRIV_MLX5_LOADS();
#endif
}

/* Write a doorbell register with one 8-byte store. The device could see two 4-byte stores mixed
 * with stores that another thread makes to the same register. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_uar_write(void *reg, uint64_t value)
{
    __atomic_store_n((uint64_t *)reg, value, __ATOMIC_RELAXED);
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_dbrec_write(uint32_t *dbrec, uint32_t value)
{
    __atomic_store_n(dbrec, DOCA_PRIV_MLX5_BE32(value), __ATOMIC_RELAXED);
}

/* Tell the device to execute all WQEs of a send queue before the index `pi`, which counts basic
 * blocks. `first`: the first 8 bytes of the last WQE. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_ring_doorbell(uint32_t *dbrec, void *uar, uint32_t pi,
                                                     uint64_t first)
{
    doca_priv_mlx5_wqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(dbrec, pi & 0xffff);
    doca_priv_mlx5_dbrec_before_uar();
    doca_priv_mlx5_uar_write(uar, first);
    doca_priv_mlx5_uar_before_next();
}

/* Arm a completion queue: the device sends an event for the first CQE after index `ci`. `sn`: the
 * number of events that were read. `uar`: the doorbell page of the CQ. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_ring_arm(uint32_t *dbrecs, unsigned char *uar, uint32_t cqn,
                                                uint32_t ci, uint32_t sn)
{
    const uint32_t first = (sn & 3) << 28 | (ci & 0xffffff);
    const uint32_t words[2] = { DOCA_PRIV_MLX5_BE32(first), DOCA_PRIV_MLX5_BE32(cqn) };
    uint64_t doorbell;

    memcpy(&doorbell, words, sizeof(doorbell));
    doca_priv_mlx5_dbrec_write(&dbrecs[1], first);
    doca_priv_mlx5_dbrec_before_uar();
    doca_priv_mlx5_uar_write(uar + DOCA_PRIV_MLX5_UAR_CQ, doorbell);
    doca_priv_mlx5_uar_before_next();
}

#endif

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

/* part: src/compat/rdma/ring_priv.h */
/* ---- >>priv.rdma.ring ------------------------------------------------------------------------
 * The ring of one direction of a connection: memory that the process of the sender shares with that
 * of the receiver. Message number t (its ticket) is in slot t % num_slots. The slot holds a short
 * message itself. For a longer message it holds addresses in the sender's memory, and the receiver
 * copies the message from there. Either side may be hostile: it can write anything at any time.
 * Therefore the other side reads each number once, checks it, and uses the copy. slot.turn has the
 * ticket and the state:
 *     FILLED by the sender -> DONE by the receiver, with a status: the message is received
 *     FILLED -> CANCELLED by the sender, which has ended the task
 * The changes to DONE and to CANCELLED are compare-and-swaps, so that both sides agree whether a
 * message was received.                                                                         */

struct doca_core_refusal;

enum { DOCA_PRIV_RDMA_SLOT_FILLED = 1, DOCA_PRIV_RDMA_SLOT_DONE, DOCA_PRIV_RDMA_SLOT_CANCELLED };

#define DOCA_PRIV_RDMA_TURN(ticket, what) (4u * (ticket) + (what))
#define DOCA_PRIV_RDMA_SHORT 544 /* bytes of a message in its slot */

struct doca_priv_rdma_piece {
    uint64_t addr; /* in the sender's process */
    uint64_t len;
};

struct doca_priv_rdma_slot {
    uint32_t turn;
    uint32_t status; /* a doca_error_t */
    uint64_t len;
    doca_be32_t imm;
    uint32_t num_pieces; /* 0: the message is in the slot */
    uint32_t opcode;
    uint32_t unused;
    union {
        unsigned char bytes[DOCA_PRIV_RDMA_SHORT];
        struct doca_priv_rdma_piece
            pieces[DOCA_PRIV_RDMA_SHORT / sizeof(struct doca_priv_rdma_piece)];
    } u;
};

struct doca_priv_rdma_ring { /* each group of members between blank lines fills a cache line */
    uint64_t magic;
    uint32_t num_slots; /* a power of two */
    uint32_t unused[13];

    uint32_t receiver_sleeps; /* not 0: the sender must write to the receiver's eventfd */
    uint32_t unused_too[15];

    uint32_t sender_sleeps;
    uint32_t starving; /* slot.turn of a message that found no receive task, or 0 */
    uint32_t unused_as_well[14];
};

struct doca_priv_rdma_lane {          /* a mapped ring */
    struct doca_priv_rdma_ring *ring; /* NULL: not mapped */
    size_t bytes;
    int memory_fd;
    uint32_t num_slots; /* a copy of the ring's number, checked */
    uint32_t ticket;    /* of the next message */
};

DOCA_PRIV_DECL bool doca_priv_rdma_lane_create(struct doca_priv_rdma_lane *lane, uint32_t num_slots,
                                               struct doca_core_refusal *why);
DOCA_PRIV_DECL bool doca_priv_rdma_lane_import(struct doca_priv_rdma_lane *lane, int memory_fd);
DOCA_PRIV_DECL void doca_priv_rdma_lane_close(struct doca_priv_rdma_lane *lane);
DOCA_PRIV_DECL int doca_priv_rdma_lock_hold(void);
DOCA_PRIV_DECL void doca_priv_rdma_lock_drop(void);
DOCA_PRIV_DECL uint32_t *doca_priv_rdma_lock_import(int fd);
DOCA_PRIV_DECL void doca_priv_rdma_lock_close(uint32_t *lock);

DOCA_PRIV_HOT struct doca_priv_rdma_slot *
doca_priv_rdma_slot_of(const struct doca_priv_rdma_lane *lane, uint32_t ticket)
{
    struct doca_priv_rdma_slot *slots =
        (struct doca_priv_rdma_slot *)(void *)((uintptr_t)lane->ring + sizeof(*lane->ring));

    return &slots[ticket & (lane->num_slots - 1)];
}

/* Change *number from `from` to `to` if it is `from`. Ordered before and after other accesses. */
DOCA_PRIV_HOT bool doca_priv_rdma_swap(uint32_t *number, uint32_t from, uint32_t to)
{
#if defined(__TINYC__) /* it has no atomics: see DOCA_PRIV_LOAD */
    if (*number != from)
        return false;
    *number = to;
    return true;
#else
    return __atomic_compare_exchange_n(number, &from, to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
#endif
}

DOCA_PRIV_HOT bool doca_priv_rdma_slot_is(const struct doca_priv_rdma_lane *lane, uint32_t ticket,
                                          unsigned what)
{
    return DOCA_PRIV_LOAD_ORDERED(&doca_priv_rdma_slot_of(lane, ticket)->turn) ==
           DOCA_PRIV_RDMA_TURN(ticket, what);
}

/* part: src/compat/rdma/rings_priv.h */
/* ---- >>priv.rdma.rings -----------------------------------------------------------------------
 * The queues of mlx5 devices as rings that this header reads and writes itself, instead of calling
 * ibv_post_send(), ibv_post_srq_recv() and ibv_poll_cq().                                       */

#ifdef DOCA_CORE_RDMA_VERBS
struct doca_rdma;
struct doca_rdma_connection;
struct doca_priv_rdma_task;

#define DOCA_PRIV_RDMA_INLINE 64 /* bytes of data that a request holds itself */

/* The send queue of a connection. */
struct doca_priv_rdma_sq {
    unsigned char *ring; /* the first basic block */
    uint32_t *dbrec;     /* doorbell record */
    void *uar;           /* doorbell register */
    uint32_t mask;       /* number of basic blocks, less 1 */
    uint32_t pi;         /* index of the next basic block to write */
    uint32_t qpn;        /* number of the queue pair */
};

/* The completion queue and the shared receive queue of an instance. */
struct doca_priv_rdma_rings {
    bool is_own; /* false: the calls of libibverbs are used; of the other members, only `td` and
                  * `domain` may be set */

    uint8_t owner;        /* bit 0 of op_own in new CQEs; flips when the ring wraps */
    unsigned char *cqe;   /* last 64 bytes of the next CQE to read */
    unsigned char *cq;    /* last 64 bytes of the first CQE */
    unsigned char *end;   /* value of `cqe` after the last CQE */
    uint32_t *cq_dbrec;   /* doorbell records: consumer index, arming */
    unsigned char *uar;   /* doorbell page of the CQ */
    uint32_t cqe_bytes;   /* 64 or 128 */
    uint32_t ci;          /* number of CQEs that were read */
    uint32_t cqn;         /* number of the CQ */
    uint32_t num_events;  /* events of the CQ that were read; arming sends it to the device */
    uint32_t simple_buf;  /* first word of buffers of mmaps with this device alone, without the flag
                           * WRITE and the references; 0: the device has no number in buffers */

    unsigned char *srq;   /* the first receive WQE */
    uint32_t *srq_dbrec;  /* doorbell record: number of posted WQEs */
    uint32_t srq_bytes;   /* length of one receive WQE */
    uint32_t srq_head;    /* the first free WQE; each free WQE contains the index of the next */
    uint32_t srq_tail;    /* the last free WQE; it stays unused until another WQE is free */
    uint32_t srq_posted;  /* number of WQEs that were ever posted */

    struct ibv_td *td;    /* thread domain: a doorbell register for these queue pairs alone */
    struct ibv_pd *domain; /* the protection domain with `td` */
};

DOCA_PRIV_DECL void doca_priv_rdma_rings_open(struct doca_rdma *r);
DOCA_PRIV_DECL int doca_priv_rdma_rings_close(struct doca_rdma *r);
DOCA_PRIV_DECL struct ibv_qp *doca_priv_rdma_rings_create_qp(struct doca_rdma *r,
                                                             struct ibv_qp_init_attr *attr);
DOCA_PRIV_DECL int doca_priv_rdma_rings_attach(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL int doca_priv_rdma_rings_arm(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_rings_send(struct doca_rdma_connection *connection,
                                              const struct ibv_send_wr *wr);
DOCA_PRIV_DECL bool doca_priv_rdma_rings_receive(struct doca_rdma *r,
                                                 struct doca_priv_rdma_task *op,
                                                 const struct ibv_sge *sges, int num);
DOCA_PRIV_DECL int doca_priv_rdma_rings_read(struct doca_rdma *r, int max, struct ibv_wc *wc);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_rings_post(struct doca_core_queue *queue,
                                                      struct doca_task *task);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_rings_poll(struct doca_core_queue *queue);
#endif

/* part: src/compat/rdma/objects_priv.h */
/* ---- >>priv.rdma.objects ---------------------------------------------------------------------
 * Instances, connections and tasks.                                                             */

struct doca_priv_engine;
struct doca_rdma_gid;

/* Types of tasks, in the order of doca_rdma.stocks. */
enum doca_priv_rdma_type {
    DOCA_PRIV_RDMA_RECEIVE,
    DOCA_PRIV_RDMA_SEND,
    DOCA_PRIV_RDMA_SEND_IMM,
    DOCA_PRIV_RDMA_READ,
    DOCA_PRIV_RDMA_WRITE,
    DOCA_PRIV_RDMA_WRITE_IMM,
    DOCA_PRIV_RDMA_CMP_SWP,
    DOCA_PRIV_RDMA_FETCH_ADD,
    DOCA_PRIV_RDMA_EVENT_GET,
    DOCA_PRIV_RDMA_EVENT_SET,
    DOCA_PRIV_RDMA_EVENT_ADD,
    DOCA_PRIV_RDMA_TYPES
};

/* States of a connection, in obj.state. */
enum {
    DOCA_PRIV_RDMA_FREE,    /* an entry of the table that was never used */
    DOCA_PRIV_RDMA_MADE,    /* new: its details are complete, and nothing was sent to the peer */
    DOCA_PRIV_RDMA_ASKING,  /* by address: waits for the answer of the listener */
    DOCA_PRIV_RDMA_ASKED,   /* by address: the program has to accept or reject it */
    DOCA_PRIV_RDMA_JOINING, /* the program has connected it; the peer has not */
    DOCA_PRIV_RDMA_UP,
    DOCA_PRIV_RDMA_DOWN /* it has ended; tasks on it fail until its entry is used again */
};

/* Progress of a submitted task that uses a connection, in doca_priv_rdma_task.stage. */
enum {
    DOCA_PRIV_RDMA_WAITING,
    DOCA_PRIV_RDMA_SENT, /* its slot is filled, and the peer has to handle it */
    DOCA_PRIV_RDMA_ENDED
};

/* A task of any type. The buffer `local` is the source of a send or write, the destination of a
 * receive or read, and the result of an atomic task. */
struct doca_priv_rdma_task {
    struct doca_task task;
    struct doca_rdma_connection *connection; /* receive: the connection that carried the message */
    struct doca_buf *local;
    struct doca_buf *remote;
    struct doca_sync_event_remote_net *event;
    uint64_t values[2]; /* addend; or value to compare with, then value to store */
    doca_be32_t imm;
    uint32_t result_len;
    uint32_t ticket; /* ticket of the task's slot in the ring */
    uint32_t serial; /* connection->serial when the task got the connection. If the two differ, the
                      * connection has ended, and its entry holds a later connection */
    uint8_t opcode;  /* result of a receive */
    uint8_t stage;
    uint8_t fate; /* error that fault injection has chosen for the task, or SUCCESS */
};

#define DOCA_PRIV_RDMA_TASK_BYTES (2 * DOCA_PRIV_TASK_BYTES)

/* The bytes that a program passes to its peer to connect. The token in the head is the key of the
 * connection: a reader that finds the key in the memory of the peer knows that the peer lives. */
struct doca_priv_rdma_details {
    struct doca_priv_export head;
    uint64_t instance; /* number in the address of the instance's socket */
};

#ifdef DOCA_CORE_RDMA_VERBS
/* The same for a connection between queue pairs. The peer may be on another machine. On the same
 * machine, the peer finds the process of this side by `machine` and head.pid. */
struct doca_priv_rdma_place {
    struct doca_priv_export head;
    uint32_t qpn, psn;
    uint16_t lid;
    uint8_t mtu; /* enum ibv_mtu */
    uint8_t has_gid;
    uint32_t permissions; /* of the instance; informational only */
    uint8_t gid[16];
    uint32_t control_qpn, control_psn; /* see >>impl.rdma.verbs_end */
    uint64_t machine;                  /* as in struct doca_priv_export; 0: unknown */
};
#endif

struct doca_rdma_connection {
    struct doca_priv_object obj;
    struct doca_rdma *rdma;
    struct doca_rdma_connection *next_live; /* list of connections that are JOINING or UP */
    uint64_t key;                           /* random; the peer's HELLO contains it. 0: unused */
    struct doca_priv_rdma_details details;  /* of this side */
    struct doca_priv_rdma_details peer;     /* of the peer, once they are known */
    union doca_data user_data;
    struct doca_rdma_addr *addr;
    int ask_fd;                /* by address: socket of the request and its answer */
    int out_fd;                /* socket that this side has opened to the peer; -1: not open */
    int in_fd;                 /* socket that the peer has opened, once it has connected */
    uint64_t peer_key;         /* key of the peer's connection, from its HELLO */
    uint32_t peer_permissions; /* of the peer's instance */
    uint8_t events;            /* bit n: the callback for happening n has not run yet */
    bool has_details;
    bool was_up;
    bool is_free;      /* DOWN, and another connection may take its place */
    bool has_failed;   /* a task has failed; later tasks must not begin */
    bool hears_first;  /* the next poll receives before it ends a task */
    uint16_t port;     /* port of the request; 0: made by export */
    uint32_t serial;   /* number of the connection in its instance, from 1 */
    uint64_t deadline; /* ns of the monotonic clock; 0: no deadline */

    struct doca_priv_rdma_lane out; /* ring of this side's messages */
    struct doca_priv_rdma_lane in;  /* ring of the peer's messages */
    int peer_wake_fd;               /* eventfd of the peer's instance */
    int peer_lock_fd;
    uint32_t *peer_lock;        /* mapped word that serializes atomic tasks on the peer's memory */
    uint32_t num_lock_failures; /* in a row */

    struct doca_priv_rdma_task *ops, *ops_last; /* submitted tasks, in order */
    struct doca_priv_rdma_task *waiting;        /* the first of them that is WAITING */
    uint32_t num_ops;

#ifdef DOCA_CORE_RDMA_VERBS
    struct ibv_qp *qp; /* of a connection that is DOWN, it stays until the entry is used again */
    struct doca_priv_rdma_sq sq;       /* send queue, if the instance has rings */
    bool is_halted;                    /* the queue pair executes no further request */
    bool is_doomed;                    /* `ops` contains a task that fault injection lets fail */
    bool is_probing;                   /* a probe is in flight */
    bool is_answered;                  /* the device of the peer has answered a probe */
    bool is_leaving;                   /* the goodbye of this side is in flight */
    bool has_left;                     /* the peer has said goodbye, or does not answer */
    struct ibv_qp *control;            /* see >>impl.rdma.verbs_end */
    struct rdma_cm_id *cm_id;          /* by address: see >>impl.rdma.verbs_cm */
    struct doca_priv_rdma_place place; /* details of this side */
    struct doca_priv_rdma_place peer_place; /* details of the peer, once they are known */
#endif
    struct doca_priv_far far;     /* where the messages of the peer are read */
    struct doca_mmap peer_memory; /* all memory of the peer; only `far` of it is used */
};

enum doca_priv_rdma_happening {
    DOCA_PRIV_RDMA_NOTHING,
    DOCA_PRIV_RDMA_REQUESTED, /* a connection reports its events in this order */
    DOCA_PRIV_RDMA_ESTABLISHED,
    DOCA_PRIV_RDMA_FAILED,
    DOCA_PRIV_RDMA_DISCONNECTED
};

/* An event as a task: progress completes it, and its `done` calls the program. */
struct doca_priv_rdma_event {
    struct doca_task task;
    struct doca_rdma_connection *connection;
    enum doca_priv_rdma_happening what;
};

/* An accepted socket whose first packet has not been read. */
struct doca_priv_rdma_guest {
    int fd;         /* -1: unused */
    uint32_t since; /* number of guests that came before it */
    uint16_t port;  /* port of the listener that accepted it; 0: the instance's socket */
};

/* A peer sends its first packet as soon as its socket is connected, so an instance rarely has
 * several guests at a time. When all entries are in use, the oldest guest is closed. */
#define DOCA_PRIV_RDMA_GUESTS 8

struct doca_priv_rdma_port {
    int fd; /* -1: unused */
    uint16_t port;
    struct rdma_cm_id *cm_id; /* of an RDMA device: it listens */
};

typedef void (*doca_priv_rdma_any_cb)(void);

/* Limits of the instances of a device, not above those of >>rdma.config. */
struct doca_priv_rdma_limits {
    uint32_t send_queue, recv_queue; /* tasks; powers of two */
    uint32_t send_list, recv_list;   /* buffers */
    uint32_t message;                /* bytes */
    uint32_t gids;                   /* entries of the table of global identifiers */
};

/* How the instances of a kind of device make connections. The other functions of an instance are in
 * the tables of the context. */
struct doca_priv_rdma_transport {
    const struct doca_priv_engine *engine;

    /* Return the table of the instances of a device. */
    const struct doca_core_backend *(*backend_of)(const struct doca_dev *dev);

    /* Release what an entry of the table has left of its last connection. Optional. */
    void (*forget)(struct doca_rdma_connection *connection);

    /* Make the details of a new connection. An error is logged. */
    doca_error_t (*describe)(struct doca_rdma_connection *connection, const char *function);

    /* Return these details. */
    const void *(*show)(const struct doca_rdma_connection *connection, size_t *bytes);

    /* Connect to the peer with these details. An error is logged, and leaves the connection as it
     * was. */
    doca_error_t (*connect)(struct doca_rdma_connection *connection, const void *details,
                            size_t len, const char *function);

    /* End a connection: see doca_priv_rdma_conn_down(). */
    void (*down)(struct doca_rdma_connection *connection, doca_error_t status,
                 enum doca_priv_rdma_happening event);

    /* Read the limits of a device. `dev` is the device if it is open, else NULL. An error is
     * logged. */
    doca_error_t (*limit)(const struct doca_devinfo *devinfo, const struct doca_dev *dev,
                          struct doca_priv_rdma_limits *limits, const char *function);

    /* Read the global identifiers with the indices from `first` to `first` + `num` - 1. All of them
     * exist. The function logs its errors. */
    doca_error_t (*read_gids)(const struct doca_devinfo *devinfo, uint32_t first, uint32_t num,
                              struct doca_rdma_gid *gids, const char *function);

    /* Connections by address; NULL when the device does not support them. The functions log their
     * errors.
     * listen, unlisten: begin and end to listen on a port; unlisten also refuses the requests that
     * were not reported to the program yet.
     * ask: send the request for this connection to the listener at an address. The listener's
     * answer is reported as an event.
     * accept: accept this connection. When that fails, the connection has ended. */
    doca_error_t (*listen)(struct doca_rdma *r, struct doca_priv_rdma_port *entry, uint16_t port,
                           const char *function);
    void (*unlisten)(struct doca_rdma *r, struct doca_priv_rdma_port *entry);
    doca_error_t (*ask)(struct doca_rdma_connection *connection, struct doca_rdma_addr *addr,
                        const char *function);
    doca_error_t (*accept)(struct doca_rdma_connection *connection, const void *private_data,
                           uint8_t private_data_len, const char *function);
};

/* The common members of contexts come first, then the stocks of tasks. */
struct doca_rdma {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stocks[DOCA_PRIV_RDMA_TYPES];
    const struct doca_priv_rdma_transport *transport;
    doca_priv_rdma_any_cb done[DOCA_PRIV_RDMA_TYPES], failed[DOCA_PRIV_RDMA_TYPES];
    doca_rdma_connection_request_cb_t requested;
    doca_rdma_connection_established_cb_t established;
    doca_rdma_connection_failure_cb_t not_connected;
    doca_rdma_connection_disconnection_cb_t disconnected;
    uint32_t send_queue_size, recv_queue_size;
    uint32_t send_list_len, recv_list_len;
    uint32_t permissions;
    uint32_t gid_index, sl;
    uint16_t max_conns;
    uint16_t timeout; /* ms */
    uint8_t rnr_retry_count;
    uint8_t grh_enabled;
    uint8_t mtu;
    bool is_of_25; /* an instance of 2.5: one connection, and STARTING until that is UP */
    struct doca_priv_rdma_limits limits;

    /* while started */
    struct doca_rdma_connection *conns; /* start of a block */
    struct doca_core_queue *queue;      /* the doca_priv_rdma_queue; with fault injection it is not
                                         * ctx.queue */
    struct doca_rdma_connection *live;  /* list of connections that are JOINING or UP */
    struct doca_rdma_connection *turn;  /* the next connection of the list that poll serves */
    struct doca_priv_rdma_task *receives, *receives_last; /* submitted receive tasks */
    struct doca_priv_rdma_task *late, *late_last; /* submitted to a connection that had ended */
    struct doca_priv_rdma_event event;
    struct doca_rdma_connection
        *reported; /* connection whose last callback runs, or has left by longjmp */
    struct doca_priv_rdma_guest guests[DOCA_PRIV_RDMA_GUESTS];
    struct doca_priv_rdma_port ports[DOCA_CORE_RDMA_MAX_PORTS];
    uint64_t number; /* random; in the address of `listener` */
    int listener;
    int set; /* epoll set of all descriptors */
    int wake_fd;
    int timer_fd;
    int lock_fd;         /* the lock of this process; see >>impl.rdma.ring */
    uint32_t next_conn;  /* where the search for a free connection begins */
    uint32_t num_conns;  /* connections made so far; the latest one has this serial number */
    uint32_t num_live;   /* connections in the list `live` */
    uint32_t num_guests; /* sockets accepted so far */
    uint32_t num_events; /* callbacks that have not run yet: bits set in `events` of connections */
    uint32_t num_polls;
    uint32_t num_unsettled; /* connections whose sockets are looked at in every poll */
    bool is_armed;
    bool has_starved; /* a peer was told that there is no receive task for its message */
    bool must_look;   /* the program has slept; a descriptor may be ready */
#ifdef DOCA_CORE_RDMA_VERBS
    struct ibv_pd *pd;
    struct ibv_comp_channel *channel;
    struct ibv_cq *cq; /* of all connections */
    struct ibv_srq *srq;
    struct doca_priv_rdma_rings rings; /* of `cq` and `srq`, on mlx5 devices */
    struct ibv_pd *control_pd;         /* of the control queue pairs of all connections */
    struct ibv_cq *control_cq;
    struct rdma_event_channel *cm_channel; /* NULL until the first call about an address */
    uint64_t stop_at;     /* time limit of a stop that waits for goodbyes; ns, monotonic clock */
    uint32_t num_leaving; /* goodbyes of this side in flight */
    struct doca_rdma_connection *latest; /* connection of the latest completion, or NULL */
    uint32_t max_inline;
    uint32_t max_reads; /* reads and atomic tasks of a connection in flight */
    uint16_t lid;
    uint8_t port_mtu;
    bool is_ethernet;
    bool is_flushed; /* no task of the instance is left to the device */
    bool has_doomed; /* a connection may be doomed */
    uint8_t gid[16];
#endif
};

struct doca_priv_rdma_queue { /* first, last: tasks that have ended */
    struct doca_core_queue queue;
    struct doca_rdma *rdma;
};

DOCA_PRIV_HOT struct doca_rdma *doca_priv_rdma_of(struct doca_core_queue *queue)
{
    return ((struct doca_priv_rdma_queue *)(void *)queue)->rdma;
}

/* True when the peer has no receive task for the first message of this side. */
DOCA_PRIV_HOT bool doca_priv_rdma_is_starving(const struct doca_rdma_connection *c)
{
    return c->ops != NULL && c->ops->stage == DOCA_PRIV_RDMA_SENT &&
           DOCA_PRIV_LOAD_ORDERED(&c->out.ring->starving) ==
               DOCA_PRIV_RDMA_TURN(c->ops->ticket, DOCA_PRIV_RDMA_SLOT_FILLED);
}

DOCA_PRIV_HOT struct doca_priv_rdma_task *doca_priv_rdma_task_of(struct doca_task *task)
{
    return (struct doca_priv_rdma_task *)(void *)task;
}

/* part: src/compat/rdma/connection_priv.h */
/* ---- >>priv.rdma.connection ------------------------------------------------------------------
 * Declarations of >>impl.rdma.connection, and the packets between instances.                    */

struct doca_priv_local_packet;

/* The first packet of a socket. From instance to instance it is HELLO, with the descriptors of the
 * sender's ring, eventfd and lock. To a port it is ASK; the listener answers with ANSWER on the
 * same socket, or closes the socket when the program rejects the connection. ASK and ANSWER contain
 * the details of a connection. */
enum { DOCA_PRIV_RDMA_HELLO = 1, DOCA_PRIV_RDMA_ASK, DOCA_PRIV_RDMA_ANSWER };

struct doca_priv_rdma_hello {
    uint64_t to_key;      /* key of the receiver's connection */
    uint64_t from_key;    /* key of the sender's connection */
    uint32_t permissions; /* of the sender's instance */
    uint32_t unused;
};

/* Bytes of a buffer for the longest packet with its head, plus one, so that a packet that is too
 * long is recognized. */
#define DOCA_PRIV_RDMA_PACKET 128

/* Kinds of descriptors in the epoll set, in the upper half of their number. */
enum {
    DOCA_PRIV_RDMA_AT_LISTENER,
    DOCA_PRIV_RDMA_AT_WAKE,
    DOCA_PRIV_RDMA_AT_TIMER,
    DOCA_PRIV_RDMA_AT_PORT,
    DOCA_PRIV_RDMA_AT_GUEST,
    DOCA_PRIV_RDMA_AT_CONN /* any socket of a connection */
};

/* Layout of struct epoll_event in the kernel. On x86-64 the structure is packed, and TinyCC ignores
 * the attribute that says so. */
#ifdef __x86_64__
#define DOCA_PRIV_RDMA_READY_BYTES ((size_t)12)
#define DOCA_PRIV_RDMA_READY_DATA ((size_t)4)
#else
#define DOCA_PRIV_RDMA_READY_BYTES sizeof(struct epoll_event)
#define DOCA_PRIV_RDMA_READY_DATA offsetof(struct epoll_event, data)
#endif

#define DOCA_PRIV_RDMA_INSTANCE_PREFIX "doca_core_rdma_i"
#define DOCA_PRIV_RDMA_PORT_PREFIX "doca_core_rdma_p"

DOCA_PRIV_DECL bool doca_priv_rdma_watch(const struct doca_rdma *r, int fd, uint32_t kind,
                                         uint32_t number);
DOCA_PRIV_DECL bool doca_priv_rdma_is_connection(const struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_set_state(struct doca_rdma_connection *connection,
                                             uint8_t state);
DOCA_PRIV_DECL void doca_priv_rdma_unlive(struct doca_rdma_connection *connection);
/* Of the software device, for struct doca_priv_rdma_transport. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_describe(struct doca_rdma_connection *connection,
                                                    const char *function);
DOCA_PRIV_DECL const void *doca_priv_rdma_show(const struct doca_rdma_connection *connection,
                                               size_t *bytes);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_connect_far(struct doca_rdma_connection *connection,
                                                       const void *details, size_t len,
                                                       const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_close_fd(const struct doca_rdma *r, int *fd);
DOCA_PRIV_DECL bool doca_priv_rdma_is_dialling(const struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_set_asking(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_conn_open(struct doca_rdma *r,
                                                     struct doca_rdma_connection **connection,
                                                     const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_conn_free(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL bool doca_priv_rdma_take_details(struct doca_rdma_connection *connection,
                                                const void *bytes, size_t len,
                                                enum doca_core_item *item);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_join(struct doca_rdma_connection *connection,
                                                const char *function);
DOCA_PRIV_DECL bool doca_priv_rdma_dial_again(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL bool doca_priv_rdma_hear_hello(struct doca_rdma *r, int fd, const uint8_t *bytes,
                                              size_t len, struct doca_priv_local_packet *packet);
DOCA_PRIV_DECL void doca_priv_rdma_conn_down(struct doca_rdma_connection *connection,
                                             doca_error_t status,
                                             enum doca_priv_rdma_happening event);
DOCA_PRIV_DECL void doca_priv_rdma_break(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_lose(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_end_ops(struct doca_rdma_connection *connection,
                                           doca_error_t status);
DOCA_PRIV_DECL void doca_priv_rdma_set_deadline(struct doca_rdma_connection *connection,
                                                uint64_t ns);
DOCA_PRIV_DECL void doca_priv_rdma_set_timer(const struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_tell(struct doca_rdma_connection *connection,
                                        enum doca_priv_rdma_happening event);

/* Wake the instance of the peer; wake the program of this instance if it has armed its PE. */
DOCA_PRIV_DECL void doca_priv_rdma_wake_peer(const struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_wake_program(const struct doca_rdma *r);

/* part: src/compat/rdma/address_priv.h */
/* ---- >>priv.rdma.address ---------------------------------------------------------------------
 * Declarations of >>impl.rdma.address.                                                          */

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_ask(struct doca_rdma_connection *connection,
                                               struct doca_rdma_addr *addr, const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_ask_again(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_listen(struct doca_rdma *r,
                                                  struct doca_priv_rdma_port *entry, uint16_t port,
                                                  const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_unlisten(struct doca_rdma *r, struct doca_priv_rdma_port *entry);
DOCA_PRIV_DECL void doca_priv_rdma_refuse_unheard(struct doca_rdma *r, uint16_t port);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_accept(struct doca_rdma_connection *connection,
                                                  const void *private_data,
                                                  uint8_t private_data_len, const char *function);

/* Count a connection of an address. */
DOCA_PRIV_DECL void doca_priv_rdma_hold_addr(struct doca_rdma_addr *addr);
DOCA_PRIV_DECL void doca_priv_rdma_drop_addr(struct doca_rdma_addr *addr);

/* part: src/compat/rdma/create_priv.h */
/* ---- >>priv.rdma.create ----------------------------------------------------------------------
 * Declarations of >>impl.rdma.create, >>impl.rdma.task and >>impl.rdma.connect for other parts.  */

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

/* part: src/compat/rdma/execute_priv.h */
/* ---- >>priv.rdma.execute ---------------------------------------------------------------------
 * Declarations of >>impl.rdma.execute.                                                          */

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check(const struct doca_task *task,
                                                 enum doca_core_item *item);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_execute(struct doca_priv_rdma_task *op,
                                                   enum doca_core_item *item);
DOCA_PRIV_DECL enum doca_core_item doca_priv_rdma_move(const struct doca_buf *src, bool is_one,
                                                       struct doca_buf *dst, uint64_t len,
                                                       bool grows);

/* part: src/compat/rdma/message_priv.h */
/* ---- >>priv.rdma.message ---------------------------------------------------------------------
 * Declarations of >>impl.rdma.message.                                                          */

DOCA_PRIV_DECL enum doca_core_item doca_priv_rdma_send(struct doca_priv_rdma_task *op);
DOCA_PRIV_DECL void doca_priv_rdma_grow(struct doca_buf *dst, uint64_t len);
DOCA_PRIV_DECL void doca_priv_rdma_feed(struct doca_rdma *r);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_receive(struct doca_rdma_connection *connection);

/* part: src/compat/rdma/sockets_priv.h */
/* ---- >>priv.rdma.sockets ---------------------------------------------------------------------
 * Declarations of >>impl.rdma.sockets.                                                          */

DOCA_PRIV_DECL void doca_priv_rdma_look(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_expire(struct doca_rdma *r);

/* part: src/compat/rdma/queue_priv.h */
/* ---- >>priv.rdma.queue -----------------------------------------------------------------------
 * Declarations of >>impl.rdma.queue.                                                            */

DOCA_PRIV_DECL size_t doca_priv_rdma_block_bytes(uint32_t max_conns);
DOCA_PRIV_DECL size_t doca_priv_rdma_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                                 uint32_t depth);
DOCA_PRIV_DECL void doca_priv_rdma_append(struct doca_priv_rdma_task **first,
                                          struct doca_priv_rdma_task **last,
                                          struct doca_priv_rdma_task *op);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_take_event(struct doca_rdma *r);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_take_event_of(struct doca_rdma_connection *c);
DOCA_PRIV_DECL bool doca_priv_rdma_can_stop(struct doca_ctx *ctx);
DOCA_PRIV_DECL bool doca_priv_rdma_is_supported(const struct doca_core_limits *limits);
DOCA_PRIV_DECL bool doca_priv_rdma_is_complete(const struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_rdma_settle(struct doca_task *task);
DOCA_PRIV_DECL uint64_t doca_priv_rdma_task_bytes(const struct doca_task *task);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_rdma_set_fate(struct doca_task *task,
                                                             doca_error_t code);
/* Connections between processes of this machine, without a card. */

/* part: src/compat/rdma/verbs_priv.h */
/* ---- >>priv.rdma.verbs -----------------------------------------------------------------------
 * Instances of devices with a protection domain of libibverbs (DOCA_CORE_RDMA_VERBS).           */

#ifdef DOCA_CORE_RDMA_VERBS
#define DOCA_PRIV_RDMA_PORT 1
#define DOCA_PRIV_RDMA_RETRIES 6 /* repetitions of a packet; soft-RoCE would repeat 7 forever */
#define DOCA_PRIV_RDMA_RNR_TIMER 12 /* 0.64 ms until a message without a receive is repeated */

/* The two ends of a pair of queue pairs. */
struct doca_priv_rdma_ends {
    struct ibv_qp *qp;
    uint32_t psn; /* of the first packet of this side */
    uint32_t peer_qpn, peer_psn;
};

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_refused(doca_error_t code, const char *function,
                                                         const void *object, const char *step,
                                                         int error);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_released(const struct doca_rdma *r, int error,
                                                  const char *step);
DOCA_PRIV_DECL int doca_priv_rdma_verbs_to_init(struct ibv_qp *qp, unsigned access);
DOCA_PRIV_DECL int doca_priv_rdma_verbs_to_rts(const struct doca_rdma_connection *connection,
                                               const struct doca_priv_rdma_ends *ends,
                                               const struct doca_priv_rdma_place *peer,
                                               const char **step);

DOCA_PRIV_DECL int doca_priv_rdma_verbs_gather(const struct doca_buf *buf,
                                               const struct doca_dev *dev, bool is_room,
                                               uint64_t max, struct ibv_sge *sges);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_check(const struct doca_task *task,
                                                       enum doca_core_item *item);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_post(struct doca_core_queue *queue,
                                                      struct doca_task *task);
/* True when a task of this type fills its local buffer. */
DOCA_PRIV_HOT bool doca_priv_rdma_verbs_fills(uint8_t type)
{
    return type == DOCA_PRIV_RDMA_READ ||
           (type >= DOCA_PRIV_RDMA_CMP_SWP && type != DOCA_PRIV_RDMA_EVENT_SET);
}

DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_verbs_poll(struct doca_core_queue *queue);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_verbs_take(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_drain(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_flush(struct doca_core_queue *queue, doca_error_t status);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_end(struct doca_rdma_connection *connection,
                                             doca_error_t status,
                                             enum doca_priv_rdma_happening event);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_halt(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL int doca_priv_rdma_verbs_fd(struct doca_core_queue *queue);
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_ready(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_arm(struct doca_core_queue *queue, bool armed);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_read_events(struct doca_rdma *r);
#endif

/* part: src/compat/rdma/verbs_caps_priv.h */
/* ---- >>priv.rdma.verbs_caps ------------------------------------------------------------------
 * Limits of RDMA devices: declarations of >>impl.rdma.verbs_caps.                               */

#ifdef DOCA_CORE_RDMA_VERBS
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_limit(const struct doca_devinfo *devinfo,
                                                       const struct doca_dev *dev,
                                                       struct doca_priv_rdma_limits *limits,
                                                       const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_read_gids(const struct doca_devinfo *devinfo,
                                                           uint32_t first, uint32_t num,
                                                           struct doca_rdma_gid *gids,
                                                           const char *function);
#endif

/* part: src/compat/rdma/verbs_cm_priv.h */
/* ---- >>priv.rdma.verbs_cm --------------------------------------------------------------------
 * Connections by address through librdmacm: declarations of >>impl.rdma.verbs_cm. Without
 * DOCA_CORE_RDMA_CM, RDMA devices have no such connections.                                     */

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

/* part: src/compat/rdma/verbs_end_priv.h */
/* ---- >>priv.rdma.verbs_end -------------------------------------------------------------------
 * The control queue pairs of connections: declarations of >>impl.rdma.verbs_end.                */

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

/* part: src/compat/rdma/verbs_sync_priv.h */
/* ---- >>priv.rdma.verbs_sync ------------------------------------------------------------------
 * Tasks on sync events of the peer: declarations of >>impl.rdma.verbs_sync.                     */

#ifdef DOCA_CORE_RDMA_VERBS
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_check_event(const struct doca_task *task,
                                                             enum doca_core_item *item);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_fill_event(struct doca_priv_rdma_task *op,
                                                    struct ibv_send_wr *wr);
#endif

/* part: src/compat/rdma/task_priv.h */
/* ---- >>priv.rdma.task ------------------------------------------------------------------------
 * Checks that the accessors of tasks have in common.                                            */

DOCA_PRIV_DECL struct doca_priv_rdma_task *
doca_priv_rdma_writable(void *handle, enum doca_priv_rdma_type type, const char *function);
DOCA_PRIV_DECL const struct doca_priv_rdma_task *
doca_priv_rdma_readable(const void *handle, enum doca_priv_rdma_type type, const char *function);

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

/* part: src/compat/rdma/ring.c */
/* ---- >>impl.rdma.ring -----------------------------------------------------------------------
 * The memory of rings, and the lock of atomic tasks. The lock is a word in memory that a process
 * shares with all its peers: a peer holds the lock while it executes an atomic task on memory of
 * the process. The word contains the process number of the holder, or 0. A holder that has ended
 * loses the lock, unless another process has its number by then; a stopped holder keeps it.      */

#define DOCA_PRIV_RDMA_MAGIC 0x31676e69726d6472u

DOCA_PRIV_ASSERT_STATIC(rdma_slots_are_nine_lines, sizeof(struct doca_priv_rdma_slot) == 576);
DOCA_PRIV_ASSERT_STATIC(rdma_rings_are_three_lines, sizeof(struct doca_priv_rdma_ring) == 192);
DOCA_PRIV_ASSERT_STATIC(rdma_slots_have_the_pieces,
                        DOCA_PRIV_RDMA_SHORT / sizeof(struct doca_priv_rdma_piece) >=
                            DOCA_CORE_RDMA_MAX_SEND_LIST);

static size_t doca_priv_rdma_ring_bytes(uint32_t num_slots)
{
    return sizeof(struct doca_priv_rdma_ring) + num_slots * sizeof(struct doca_priv_rdma_slot);
}

static bool doca_priv_rdma_lane_map(struct doca_priv_rdma_lane *lane, size_t bytes)
{
    lane->ring = (struct doca_priv_rdma_ring *)doca_priv_local_map(lane->memory_fd, bytes);
    lane->bytes = bytes;
    return lane->ring != NULL;
}

/* Create the ring of a sender with up to `num_slots` messages in flight, a power of two. */
DOCA_PRIV_DECL bool doca_priv_rdma_lane_create(struct doca_priv_rdma_lane *lane, uint32_t num_slots,
                                               struct doca_core_refusal *why)
{
    const size_t bytes = doca_priv_rdma_ring_bytes(num_slots);

    lane->memory_fd = doca_priv_local_file("doca_core_rdma", bytes);
    if (lane->memory_fd < 0 || !doca_priv_rdma_lane_map(lane, bytes)) {
        why->step = DOCA_PRIV_LOG_TEXT("make the shared memory of the connection");
        why->error = errno;
        doca_priv_rdma_lane_close(lane);
        return false;
    }
    lane->ring->magic = DOCA_PRIV_RDMA_MAGIC;
    lane->ring->num_slots = num_slots;
    lane->num_slots = num_slots;
    return true;
}

/* Map the ring of a peer. The descriptor belongs to the lane from now on, also when the ring is
 * refused. */
DOCA_PRIV_DECL bool doca_priv_rdma_lane_import(struct doca_priv_rdma_lane *lane, int memory_fd)
{
    const size_t bytes = doca_priv_local_file_bytes(memory_fd);
    struct doca_priv_rdma_ring head;

    lane->memory_fd = memory_fd;
    if (bytes >= sizeof(head) && doca_priv_rdma_lane_map(lane, bytes)) {
        DOCA_CORE_MEMCPY(&head, lane->ring, sizeof(head));
        lane->num_slots = head.num_slots;
        if (head.magic == DOCA_PRIV_RDMA_MAGIC && head.num_slots != 0 &&
            head.num_slots <= DOCA_CORE_RDMA_MAX_SEND_QUEUE &&
            (head.num_slots & (head.num_slots - 1)) == 0 &&
            bytes == doca_priv_rdma_ring_bytes(head.num_slots))
            return true;
    }
    doca_priv_rdma_lane_close(lane);
    return false;
}

DOCA_PRIV_DECL void doca_priv_rdma_lane_close(struct doca_priv_rdma_lane *lane)
{
    if (lane->ring != NULL)
        doca_priv_local_unmap(lane->ring, lane->bytes);
    doca_priv_sys_close(lane->memory_fd);
    DOCA_CORE_MEMSET(lane, 0, sizeof(*lane));
    lane->memory_fd = -1;
}

/* The lock of this process, while it has instances that are started. */
static struct {
    uint32_t lock; /* serializes changes of the following members */
    uint32_t num_users;
    int fd;
} doca_priv_rdma_own_lock;

/* Return the descriptor of the lock of this process, or -1. Peers map the lock. Each successful
 * call must be followed by one call of doca_priv_rdma_lock_drop(). */
DOCA_PRIV_DECL int doca_priv_rdma_lock_hold(void)
{
    int fd;

    doca_priv_lock(&doca_priv_rdma_own_lock.lock);
    if (doca_priv_rdma_own_lock.num_users == 0)
        doca_priv_rdma_own_lock.fd = doca_priv_local_file("doca_core_rdma", DOCA_PRIV_PAGE_BYTES);
    fd = doca_priv_rdma_own_lock.fd;
    if (fd >= 0)
        doca_priv_rdma_own_lock.num_users++;
    doca_priv_unlock(&doca_priv_rdma_own_lock.lock);
    return fd;
}

DOCA_PRIV_DECL void doca_priv_rdma_lock_drop(void)
{
    doca_priv_lock(&doca_priv_rdma_own_lock.lock);
    if (--doca_priv_rdma_own_lock.num_users == 0)
        doca_priv_sys_close(doca_priv_rdma_own_lock.fd);
    doca_priv_unlock(&doca_priv_rdma_own_lock.lock);
}

/* Map the lock of a peer. Returns NULL when the descriptor is not one. */
DOCA_PRIV_DECL uint32_t *doca_priv_rdma_lock_import(int fd)
{
    return doca_priv_local_file_bytes(fd) == DOCA_PRIV_PAGE_BYTES
               ? (uint32_t *)doca_priv_local_map(fd, DOCA_PRIV_PAGE_BYTES)
               : NULL;
}

DOCA_PRIV_DECL void doca_priv_rdma_lock_close(uint32_t *lock)
{
    if (lock != NULL)
        doca_priv_local_unmap(lock, DOCA_PRIV_PAGE_BYTES);
}

/* part: src/compat/rdma/connection.c */
/* ---- >>impl.rdma.connection -----------------------------------------------------------------
 * The life of a connection:
 *     by export:   FREE -> MADE -> JOINING -> UP -> DOWN -> FREE
 *     by address:  FREE -> ASKING or ASKED -> JOINING -> ...
 * When a side connects, it opens a socket to the instance of its peer, and sends a HELLO with the
 * descriptors of its ring, its eventfd and its lock. A connection is UP when its program has
 * connected it and the HELLO of the peer is there, so that neither side has to be the first. The
 * sockets carry nothing else; they tell when the peer has ended.                                */

#define DOCA_PRIV_RDMA_WHERE "doca_pe_progress"

/* Nanoseconds between two attempts to reach a full listener while the program sleeps. */
#define DOCA_PRIV_RDMA_DIAL_NS 1000000u

DOCA_PRIV_ASSERT_STATIC(rdma_packets_fit, sizeof(struct doca_priv_local_head) +
                                                      sizeof(struct doca_priv_rdma_details) <
                                                  DOCA_PRIV_RDMA_PACKET &&
                                              sizeof(struct doca_priv_local_head) +
                                                      sizeof(struct doca_priv_rdma_hello) <
                                                  DOCA_PRIV_RDMA_PACKET);

DOCA_PRIV_DECL bool doca_priv_rdma_watch(const struct doca_rdma *r, int fd, uint32_t kind,
                                         uint32_t number)
{
    const uint64_t data = (uint64_t)kind << 32 | number;
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = EPOLLIN;
    DOCA_CORE_MEMCPY((unsigned char *)(void *)&event + DOCA_PRIV_RDMA_READY_DATA, &data,
                     sizeof(data));
    return epoll_ctl(r->set, EPOLL_CTL_ADD, fd, &event) == 0;
}

DOCA_PRIV_DECL bool doca_priv_rdma_is_connection(const struct doca_rdma_connection *connection)
{
    return doca_priv_is(connection, DOCA_PRIV_KIND_RDMA_CONNECTION);
}

static uint32_t doca_priv_rdma_conn_index(const struct doca_rdma_connection *connection)
{
    return (uint32_t)(connection - connection->rdma->conns);
}

static bool doca_priv_rdma_watch_conn(const struct doca_rdma_connection *connection, int fd)
{
    return doca_priv_rdma_watch(connection->rdma, fd, DOCA_PRIV_RDMA_AT_CONN,
                                doca_priv_rdma_conn_index(connection));
}

/* Count the connections whose sockets are to be looked at in every poll, because the program waits
 * for them. */
DOCA_PRIV_DECL void doca_priv_rdma_set_state(struct doca_rdma_connection *connection, uint8_t state)
{
    struct doca_rdma *r = connection->rdma;
    const uint8_t was = connection->obj.state;

    r->num_unsettled +=
        (uint32_t)(state == DOCA_PRIV_RDMA_ASKING || state == DOCA_PRIV_RDMA_JOINING);
    r->num_unsettled -= (uint32_t)(was == DOCA_PRIV_RDMA_ASKING || was == DOCA_PRIV_RDMA_JOINING);
    connection->obj.state = state;
}

DOCA_PRIV_DECL void doca_priv_rdma_set_asking(struct doca_rdma_connection *connection)
{
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_ASKING);
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_describe(struct doca_rdma_connection *connection,
                                                    const char *function)
{
    struct doca_rdma *r = connection->rdma;
    enum doca_core_item item;

    connection->details.instance = r->number;
    if (!doca_priv_sys_random(&connection->key))
        return doca_priv_fail_system(DOCA_CORE_ITEM_EXPORT_RANDOM, function, &r->ctx, NULL);
    item = doca_priv_export_seal(&connection->details.head, DOCA_PRIV_EXPORT_RDMA,
                                 sizeof(connection->details), &connection->key);
    return item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS
                                       : doca_priv_fail_system(item, function, &r->ctx, NULL);
}

DOCA_PRIV_DECL const void *doca_priv_rdma_show(const struct doca_rdma_connection *connection,
                                               size_t *bytes)
{
    *bytes = sizeof(connection->details);
    return &connection->details;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_connect_far(struct doca_rdma_connection *connection,
                                                       const void *details, size_t len,
                                                       const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (!doca_priv_rdma_take_details(connection, details, len, &item))
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, item, function, connection);
    return doca_priv_rdma_join(connection, function);
}

static bool doca_priv_rdma_is_task_of(const struct doca_task *task, const void *connection)
{
    return ((const struct doca_priv_rdma_task *)(const void *)task)->connection == connection;
}

/* True while the end of a task of the connection is not reported to the program. */
static bool doca_priv_rdma_has_tasks(const struct doca_rdma_connection *connection)
{
    const struct doca_rdma *r = connection->rdma;
    const struct doca_task *task = r->queue->first;
    const struct doca_priv_rdma_task *op = r->late;

    for (; task != NULL; task = task->next)
        if (doca_priv_rdma_is_task_of(task, connection))
            return true;
    for (; op != NULL; op = (const struct doca_priv_rdma_task *)(const void *)op->task.next)
        if (doca_priv_rdma_is_task_of(&op->task, connection))
            return true;
    return doca_priv_fault_has(&r->ctx, doca_priv_rdma_is_task_of, connection);
}

static bool doca_priv_rdma_is_free(const struct doca_rdma_connection *connection)
{
    return connection->obj.state == DOCA_PRIV_RDMA_FREE ||
           (connection->is_free && !doca_priv_rdma_has_tasks(connection));
}

/* Make a connection in the entry of the table that has been free for the longest time, with its
 * details. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_conn_open(struct doca_rdma *r,
                                                     struct doca_rdma_connection **connection,
                                                     const char *function)
{
    struct doca_rdma_connection *c = NULL;
    doca_error_t rc;
    uint32_t i;

    for (i = 0; i < r->max_conns; i++) {
        c = &r->conns[r->next_conn];
        r->next_conn = (r->next_conn + 1) % r->max_conns;
        if (r->transport->forget != NULL && doca_priv_rdma_is_free(c))
            r->transport->forget(c); /* a last message may have come */
        if (doca_priv_rdma_is_free(c))
            break;
    }
    if (i == r->max_conns)
        return doca_priv_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_RDMA_CROWDED, function, &r->ctx);
    DOCA_CORE_MEMSET(c, 0, sizeof(*c));
    c->rdma = r;
    c->serial = ++r->num_conns;
    c->ask_fd = c->out_fd = c->in_fd = c->peer_wake_fd = c->peer_lock_fd = -1;
    c->out.memory_fd = c->in.memory_fd = -1;
    rc = r->transport->describe(c, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_object_init(&c->obj, DOCA_PRIV_KIND_RDMA_CONNECTION);
    doca_priv_rdma_set_state(c, DOCA_PRIV_RDMA_MADE);
    *connection = c;
    return DOCA_SUCCESS;
}

/* Close a socket. Its peer sees the end also when a child of this process has inherited it. */
DOCA_PRIV_DECL void doca_priv_rdma_close_fd(const struct doca_rdma *r, int *fd)
{
    if (*fd < 0)
        return;
    doca_priv_sys_unwatch(r->set, *fd);
    doca_priv_local_hang_up(*fd);
    doca_priv_sys_close(*fd);
    *fd = -1;
}

/* Forget the HELLO of the peer. */
static void doca_priv_rdma_close_in(struct doca_rdma_connection *connection)
{
    doca_priv_rdma_close_fd(connection->rdma, &connection->in_fd);
    doca_priv_rdma_lane_close(&connection->in);
    doca_priv_rdma_lock_close(connection->peer_lock);
    connection->peer_lock = NULL;
    doca_priv_sys_close(connection->peer_wake_fd);
    doca_priv_sys_close(connection->peer_lock_fd);
    connection->peer_wake_fd = connection->peer_lock_fd = -1;
}

/* Let another connection take the place of one that is DOWN. Its handle stays valid until then. */
DOCA_PRIV_DECL void doca_priv_rdma_conn_free(struct doca_rdma_connection *connection)
{
    doca_priv_rdma_drop_addr(connection->addr);
    connection->addr = NULL;
    connection->is_free = true;
}

/* Let progress call the program for an event of the connection. */
DOCA_PRIV_DECL void doca_priv_rdma_tell(struct doca_rdma_connection *connection,
                                        enum doca_priv_rdma_happening event)
{
    struct doca_rdma *r = connection->rdma;

    if (event == DOCA_PRIV_RDMA_NOTHING ||
        (event != DOCA_PRIV_RDMA_REQUESTED && r->established == NULL))
        return;
    r->num_events++;
    connection->events |= (uint8_t)(1u << event);
    doca_priv_rdma_wake_program(r);
}

DOCA_PRIV_DECL void doca_priv_rdma_wake_peer(const struct doca_rdma_connection *connection)
{
    if (connection->peer_wake_fd >= 0)
        (void)doca_priv_sys_event_signal(connection->peer_wake_fd);
}

/* A call or an event has changed something: wake the program if it has armed its PE. */
DOCA_PRIV_DECL void doca_priv_rdma_wake_program(const struct doca_rdma *r)
{
    if (r->is_armed)
        (void)doca_priv_sys_event_signal(r->wake_fd);
}

/* True when the listener of the peer was full, so that poll opens the socket to it. Connections of
 * RDMA devices have no sockets. */
DOCA_PRIV_DECL bool doca_priv_rdma_is_dialling(const struct doca_rdma_connection *connection)
{
    return connection->rdma != NULL && connection->rdma->listener >= 0 &&
           ((connection->obj.state == DOCA_PRIV_RDMA_JOINING && connection->out_fd < 0) ||
            (connection->obj.state == DOCA_PRIV_RDMA_ASKING && connection->ask_fd < 0));
}

/* Set the timer of the instance to the first deadline. While the program sleeps and a listener was
 * full, set it to the time of the next attempt. The timer wakes the program. */
DOCA_PRIV_DECL void doca_priv_rdma_set_timer(const struct doca_rdma *r)
{
    struct {
        int64_t every[2], at[2];
    } times; /* a struct itimerspec of 64-bit numbers */
    uint64_t first = 0, next;
    uint32_t i;

    for (i = 0; i < r->max_conns; i++) {
        next = r->conns[i].deadline;
        if (r->is_armed && doca_priv_rdma_is_dialling(&r->conns[i]))
            next = doca_priv_sys_now() + DOCA_PRIV_RDMA_DIAL_NS;
        if (next != 0 && (first == 0 || next < first))
            first = next;
    }
    DOCA_CORE_MEMSET(&times, 0, sizeof(times));
    times.at[0] = (int64_t)(first / 1000000000u);
    times.at[1] = (int64_t)(first % 1000000000u);
    (void)doca_priv_sys_call(DOCA_PRIV_RDMA_TIMER_SETTIME, r->timer_fd, 1 /* absolute */,
                             (long)&times, 0, 0, 0);
}

/* Set the time, in ns of the monotonic clock, at which the instance stops waiting for the peer. 0:
 * the instance waits without a limit. */
DOCA_PRIV_DECL void doca_priv_rdma_set_deadline(struct doca_rdma_connection *connection,
                                                uint64_t ns)
{
    connection->deadline = ns;
    doca_priv_rdma_set_timer(connection->rdma);
}

/* Copy and check the details that a peer has made. Returns false with the reason in *item. */
DOCA_PRIV_DECL bool doca_priv_rdma_take_details(struct doca_rdma_connection *connection,
                                                const void *bytes, size_t len,
                                                enum doca_core_item *item)
{
    struct doca_priv_rdma_details details;

    if (doca_priv_export_open(bytes, len, DOCA_PRIV_EXPORT_RDMA, DOCA_PRIV_EXPORT_RDMA,
                              &details.head, sizeof(details), item) != DOCA_SUCCESS)
        return false;
    *item = DOCA_CORE_ITEM_RDMA_DETAILS;
    if (details.head.token == 0 || details.head.machine == 0 ||
        details.head.token_at > UINTPTR_MAX - sizeof(uint64_t))
        return false;
    connection->peer = details;
    connection->far.pid = details.head.pid;
    connection->far.token = details.head.token;
    connection->far.token_at = details.head.token_at;
    connection->far.may_read = true;
    connection->far.dmabuf_fd = -1;
    connection->peer_memory.far = &connection->far;
    connection->has_details = true;
    return true;
}

/* The connection becomes UP when both sides have connected. */
static void doca_priv_rdma_try_up(struct doca_rdma_connection *connection)
{
    if (connection->obj.state != DOCA_PRIV_RDMA_JOINING || connection->in_fd < 0 ||
        connection->out_fd < 0)
        return;
    if (connection->peer_key != connection->peer.head.token) { /* of a third program */
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_RDMA_NONSENSE,
                             DOCA_PRIV_RDMA_WHERE, connection);
        doca_priv_rdma_close_in(connection);
        return;
    }
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_UP);
    connection->was_up = true;
    doca_priv_rdma_set_deadline(connection, 0);
    doca_priv_rdma_close_fd(connection->rdma, &connection->ask_fd);
    doca_priv_rdma_tell(connection, DOCA_PRIV_RDMA_ESTABLISHED);
    doca_priv_rdma_wake_peer(connection); /* messages may be in the ring already */
}

/* Open the socket to the instance of the peer, and send the HELLO. */
static bool doca_priv_rdma_dial(struct doca_rdma_connection *connection,
                                struct doca_core_refusal *why, enum doca_core_item *item)
{
    struct doca_rdma *r = connection->rdma;
    struct doca_priv_rdma_hello hello;
    int fd, fds[DOCA_PRIV_LOCAL_FDS];

    *item = DOCA_CORE_ITEM_RDMA_SYSTEM;
    fd = doca_priv_local_dial(DOCA_PRIV_RDMA_INSTANCE_PREFIX, connection->peer.instance, why);
    if (fd < 0 && why->error == EAGAIN)
        return true; /* tried again by poll */
    if (fd < 0) {
        *item = why->error == ECONNREFUSED ? DOCA_CORE_ITEM_RDMA_DETAILS : *item;
        return false;
    }
    connection->out_fd = fd;
    *item = DOCA_CORE_ITEM_RDMA_FOREIGN;
    if (!doca_priv_local_is_same_user(fd))
        return false;
    DOCA_CORE_MEMSET(&hello, 0, sizeof(hello));
    hello.to_key = connection->peer.head.token;
    hello.from_key = connection->key;
    hello.permissions = r->permissions;
    fds[0] = connection->out.memory_fd;
    fds[1] = r->wake_fd;
    fds[2] = r->lock_fd;
    *item = DOCA_CORE_ITEM_RDMA_SYSTEM;
    why->step = DOCA_PRIV_LOG_TEXT("send the descriptors of the connection");
    if (doca_priv_local_send(fd, DOCA_PRIV_RDMA_HELLO, 0, &hello, sizeof(hello), fds) !=
            DOCA_PRIV_LOCAL_SENT ||
        !doca_priv_rdma_watch_conn(connection, fd)) {
        why->error = errno;
        return false;
    }
    return true;
}

/* Connect to the peer. The details of the peer are known. On failure the connection is as before.
 */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_join(struct doca_rdma_connection *connection,
                                                const char *function)
{
    struct doca_rdma *r = connection->rdma;
    enum doca_core_item item = DOCA_CORE_ITEM_RDMA_SYSTEM;
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    if (!doca_priv_rdma_lane_create(&connection->out, r->send_queue_size, &why) ||
        !doca_priv_rdma_dial(connection, &why, &item)) {
        doca_priv_rdma_close_fd(r, &connection->out_fd);
        doca_priv_rdma_lane_close(&connection->out);
        return item == DOCA_CORE_ITEM_RDMA_SYSTEM
                   ? doca_core_backend_refuse(DOCA_ERROR_CONNECTION_ABORTED, item, function,
                                              connection, &why)
                   : doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, item, function, connection);
    }
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_JOINING);
    connection->next_live = r->live;
    r->live = connection;
    r->num_live++;
    doca_priv_rdma_try_up(connection);
    doca_priv_rdma_wake_program(r); /* the rings of the connection are not armed */
    return DOCA_SUCCESS;
}

/* Try to open the socket to the peer again. Returns false when the connection has ended instead. */
DOCA_PRIV_DECL bool doca_priv_rdma_dial_again(struct doca_rdma_connection *connection)
{
    enum doca_core_item item;
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    if (connection->out_fd >= 0)
        return true;
    if (!doca_priv_rdma_dial(connection, &why, &item)) {
        doca_priv_rdma_lose(connection);
        return false;
    }
    doca_priv_rdma_try_up(connection);
    return true;
}

/* Handle the HELLO of a peer. On success the socket and the descriptors belong to a connection;
 * otherwise they stay with the caller. */
DOCA_PRIV_DECL bool doca_priv_rdma_hear_hello(struct doca_rdma *r, int fd, const uint8_t *bytes,
                                              size_t len, struct doca_priv_local_packet *packet)
{
    struct doca_rdma_connection *c = r->conns;
    struct doca_priv_rdma_hello hello;

    if (len != sizeof(hello) || packet->num_fds != DOCA_PRIV_LOCAL_FDS ||
        !doca_priv_local_is_event(packet->fds[1])) {
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_RDMA_NONSENSE,
                             DOCA_PRIV_RDMA_WHERE, &r->ctx);
        return false;
    }
    DOCA_CORE_MEMCPY(&hello, bytes, sizeof(hello));
    while (c < r->conns + r->max_conns &&
           ((c->obj.state != DOCA_PRIV_RDMA_MADE && c->obj.state != DOCA_PRIV_RDMA_ASKING &&
             c->obj.state != DOCA_PRIV_RDMA_JOINING) ||
            c->key != hello.to_key))
        c++;
    if (c == r->conns + r->max_conns || c->in_fd >= 0 ||
        (c->peer_lock = doca_priv_rdma_lock_import(packet->fds[2])) == NULL)
        return false;
    packet->num_fds = 0;
    c->peer_wake_fd = packet->fds[1];
    c->peer_lock_fd = packet->fds[2];
    c->peer_key = hello.from_key;
    c->peer_permissions = hello.permissions;
    c->in_fd = fd;
    doca_priv_sys_unwatch(r->set, fd);
    if (!doca_priv_rdma_lane_import(&c->in, packet->fds[0]) || !doca_priv_rdma_watch_conn(c, fd)) {
        doca_priv_rdma_close_in(c);
        return true; /* close_in() has closed `fd` */
    }
    if (r->is_armed)
        DOCA_PRIV_STORE_ORDERED(&c->in.ring->receiver_sleeps, 1u);
    doca_priv_rdma_try_up(c);
    return true;
}

/* End all tasks of the connection with `status`, except those that the peer has already handled. */
DOCA_PRIV_DECL void doca_priv_rdma_end_ops(struct doca_rdma_connection *connection,
                                           doca_error_t status)
{
    struct doca_priv_rdma_task *op;
    struct doca_priv_rdma_slot *slot;
    doca_error_t rc;

    while ((op = connection->ops) != NULL) {
        rc = status;
        if (op->stage == DOCA_PRIV_RDMA_ENDED) {
            rc = (doca_error_t)op->task.status;
        } else if (op->stage == DOCA_PRIV_RDMA_SENT) {
            slot = doca_priv_rdma_slot_of(&connection->out, op->ticket);
            if (!doca_priv_rdma_swap(
                    &slot->turn, DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_FILLED),
                    DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_CANCELLED)))
                rc = DOCA_PRIV_LOAD(&slot->status) == DOCA_SUCCESS ? DOCA_SUCCESS
                                                                   : DOCA_ERROR_IO_FAILED;
        }
        connection->ops = doca_priv_rdma_task_of(op->task.next);
        if (rc != DOCA_SUCCESS && op->stage != DOCA_PRIV_RDMA_ENDED)
            (void)doca_priv_fail(rc,
                                 rc == DOCA_ERROR_SHUTDOWN           ? DOCA_CORE_ITEM_FLUSHED
                                 : rc == DOCA_ERROR_CONNECTION_RESET ? DOCA_CORE_ITEM_RDMA_LOST
                                 : rc == DOCA_ERROR_IO_FAILED ? DOCA_CORE_ITEM_RDMA_PEER_FAILED
                                                              : DOCA_CORE_ITEM_RDMA_BROKEN,
                                 DOCA_PRIV_RDMA_WHERE, &op->task);
        doca_priv_local_end_task(connection->rdma->queue, &op->task, rc);
    }
    connection->waiting = NULL;
    connection->num_ops = 0;
}

DOCA_PRIV_DECL void doca_priv_rdma_unlive(struct doca_rdma_connection *connection)
{
    struct doca_rdma *r = connection->rdma;
    struct doca_rdma_connection **link = &r->live;

    while (*link != NULL && *link != connection)
        link = &(*link)->next_live;
    if (*link != NULL) {
        *link = connection->next_live;
        r->num_live--;
    }
    if (r->turn == connection)
        r->turn = connection->next_live;
}

/* End a connection: its tasks end with `status`, and progress will run the callback of `event`.
 * When no callback has to run, the entry of the connection is free at once. */
DOCA_PRIV_DECL void doca_priv_rdma_conn_down(struct doca_rdma_connection *connection,
                                             doca_error_t status,
                                             enum doca_priv_rdma_happening event)
{
    struct doca_rdma *r = connection->rdma;

    while (connection->events != 0 && event == DOCA_PRIV_RDMA_NOTHING) {
        connection->events &= (uint8_t)(connection->events - 1);
        r->num_events--;
    }
    if (connection->out.ring != NULL)
        doca_priv_rdma_end_ops(connection, status);
    doca_priv_rdma_unlive(connection);
    connection->key = 0; /* ends the peer's right to read messages */
    doca_priv_rdma_close_fd(r, &connection->ask_fd);
    doca_priv_rdma_close_fd(r, &connection->out_fd);
    doca_priv_rdma_close_in(connection);
    doca_priv_rdma_lane_close(&connection->out);
    if (connection->deadline != 0)
        doca_priv_rdma_set_deadline(connection, 0);
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_DOWN);
    doca_priv_rdma_tell(connection, event);
    doca_priv_rdma_wake_program(r); /* tasks have ended */
    if (connection->events == 0 && !r->is_of_25)
        doca_priv_rdma_conn_free(connection);
}

/* A task has failed: as on a card, the tasks behind it fail too, and the peer sees an end. */
DOCA_PRIV_DECL void doca_priv_rdma_break(struct doca_rdma_connection *connection)
{
    doca_priv_rdma_conn_down(connection, DOCA_ERROR_CONNECTION_ABORTED,
                             DOCA_PRIV_RDMA_DISCONNECTED);
}

/* The peer has ended, or has closed the connection. */
DOCA_PRIV_DECL void doca_priv_rdma_lose(struct doca_rdma_connection *connection)
{
    const bool was_up = connection->was_up;

    (void)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET,
                         was_up ? DOCA_CORE_ITEM_RDMA_LOST
                         : connection->obj.state == DOCA_PRIV_RDMA_ASKING
                             ? DOCA_CORE_ITEM_RDMA_REJECTED
                             : DOCA_CORE_ITEM_RDMA_GONE,
                         DOCA_PRIV_RDMA_WHERE, connection);
    doca_priv_rdma_conn_down(connection, DOCA_ERROR_CONNECTION_RESET,
                             was_up ? DOCA_PRIV_RDMA_DISCONNECTED : DOCA_PRIV_RDMA_FAILED);
}

/* part: src/compat/rdma/execute.c */
/* ---- >>impl.rdma.execute --------------------------------------------------------------------
 * Checks of submitted tasks, and the execution of tasks that need no action of the peer: reads,
 * writes, atomic tasks, and tasks on sync events of the peer.                                    */

#define DOCA_PRIV_RDMA_WORD sizeof(uint64_t) /* bytes of an atomic value, and of a sync event */

/* Polls in a row that find the lock of the peer held before its holder is suspected to have ended.
 */
#define DOCA_PRIV_RDMA_LOCK_PATIENCE 256u

static bool doca_priv_rdma_is_event(const struct doca_priv_rdma_task *op)
{
    return op->task.type >= DOCA_PRIV_RDMA_EVENT_GET;
}

/* Check the number of buffers of a local list, and count its bytes of data or of room in *bytes.
 * NULL is an empty list. */
static doca_error_t doca_priv_rdma_check_local(const struct doca_priv_rdma_task *op,
                                               bool is_destination, uint32_t max_num,
                                               uint64_t *bytes, enum doca_core_item *item)
{
    struct doca_priv_task_list list;
    doca_error_t rc;

    *bytes = 0;
    if (op->local == NULL)
        return DOCA_SUCCESS;
    *item = DOCA_CORE_ITEM_RDMA_BUF;
    if (!doca_priv_is_buf(op->local))
        return DOCA_ERROR_INVALID_VALUE;
    rc = doca_priv_task_measure(op->local, op->task.ctx->dev, is_destination, &list, item);
    if (rc != DOCA_SUCCESS)
        return rc;
    *bytes = list.bytes;
    *item = DOCA_CORE_ITEM_RDMA_BUF;
    return list.num <= max_num ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

/* Check that the remote buffer is in memory that was imported on the device. Permissions are looked
 * at when the task is executed, because on a card the peer checks them. */
static doca_error_t doca_priv_rdma_check_remote(const struct doca_priv_rdma_task *op,
                                                enum doca_core_item *item)
{
    const struct doca_buf *buf = op->remote;
    const struct doca_mmap *mmap;

    *item = DOCA_CORE_ITEM_RDMA_BUF;
    if (!doca_priv_is_buf(buf) || buf->flags == 0)
        return DOCA_ERROR_INVALID_VALUE;
    mmap = buf->mmap;
    *item = DOCA_CORE_ITEM_RDMA_NOT_REMOTE;
    return mmap->is_imported && mmap->devs[0].dev == op->task.ctx->dev &&
                   (mmap->remote_key != 0 ||
                    (mmap->far != NULL && mmap->far->view == NULL && mmap->far->rep_mem == NULL))
               ? DOCA_SUCCESS
               : DOCA_ERROR_INVALID_VALUE;
}

/* Check a read or a write. */
static doca_error_t doca_priv_rdma_check_move(const struct doca_priv_rdma_task *op,
                                              enum doca_core_item *item)
{
    const struct doca_rdma *r = (const struct doca_rdma *)(const void *)op->task.ctx;
    const bool is_read = op->task.type == DOCA_PRIV_RDMA_READ;
    uint64_t here, len, room;
    doca_error_t rc;

    if (op->local == NULL && op->remote == NULL)
        return DOCA_SUCCESS;
    *item = DOCA_CORE_ITEM_RDMA_BUF;
    if (op->local == NULL || op->remote == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    rc = doca_priv_rdma_check_local(op, is_read, r->send_list_len, &here, item);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_check_remote(op, item);
    if (rc != DOCA_SUCCESS)
        return rc;
    len = is_read ? op->remote->data_len : here;
    room = is_read ? here : doca_priv_buf_tailroom(op->remote);
    *item = DOCA_CORE_ITEM_RDMA_NO_ROOM;
    return len <= room && len <= r->limits.message ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

/* Check a task whose local buffer has 8 bytes: of room for a result, or of data for a new value. */
static doca_error_t doca_priv_rdma_check_word(const struct doca_priv_rdma_task *op,
                                              enum doca_core_item *item)
{
    const struct doca_rdma *r = (const struct doca_rdma *)(const void *)op->task.ctx;
    const bool is_set = op->task.type == DOCA_PRIV_RDMA_EVENT_SET;
    const uint32_t max_num = op->task.type == DOCA_PRIV_RDMA_EVENT_GET ? r->send_list_len : 1;
    uint64_t bytes;
    doca_error_t rc;

    if (doca_priv_rdma_is_event(op)) {
        *item = DOCA_CORE_ITEM_RDMA_EVENT;
        if (!doca_priv_is(op->event, DOCA_PRIV_KIND_SYNC_EVENT_NET))
            return DOCA_ERROR_INVALID_VALUE;
    } else {
        rc = doca_priv_rdma_check_remote(op, item);
        if (rc != DOCA_SUCCESS)
            return rc;
        *item = DOCA_CORE_ITEM_RDMA_UNALIGNED;
        if ((uintptr_t)op->remote->data % DOCA_PRIV_RDMA_WORD != 0)
            return DOCA_ERROR_INVALID_VALUE;
        *item = DOCA_CORE_ITEM_RDMA_NO_ROOM;
        if ((size_t)(op->remote->end - op->remote->data) < DOCA_PRIV_RDMA_WORD)
            return DOCA_ERROR_INVALID_VALUE;
    }
    *item = DOCA_CORE_ITEM_RDMA_BUF;
    if (op->local == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    rc = doca_priv_rdma_check_local(op, !is_set, max_num, &bytes, item);
    if (rc != DOCA_SUCCESS)
        return rc;
    *item = DOCA_CORE_ITEM_RDMA_NO_ROOM;
    return bytes >= DOCA_PRIV_RDMA_WORD ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check(const struct doca_task *task,
                                                 enum doca_core_item *item)
{
    const struct doca_priv_rdma_task *op = (const struct doca_priv_rdma_task *)(const void *)task;
    const struct doca_rdma *r = (const struct doca_rdma *)(const void *)task->ctx;
    uint64_t bytes;
    doca_error_t rc;

    if (task->type == DOCA_PRIV_RDMA_RECEIVE)
        return doca_priv_rdma_check_local(op, true, r->recv_list_len, &bytes, item);
    *item = DOCA_CORE_ITEM_RDMA_OF_OTHER;
    if (!doca_priv_rdma_is_connection(op->connection) || op->connection->rdma != r)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_RDMA_NOT_CONNECTED;
    /* A task with another serial was allocated for an earlier connection in this entry. It passes
     * here, and post completes it with CONNECTION_ABORTED. */
    if (op->serial == op->connection->serial && op->connection->obj.state < DOCA_PRIV_RDMA_JOINING)
        return DOCA_ERROR_NOT_CONNECTED;
    switch (task->type) {
    case DOCA_PRIV_RDMA_SEND:
    case DOCA_PRIV_RDMA_SEND_IMM:
        rc = doca_priv_rdma_check_local(op, false, r->send_list_len, &bytes, item);
        if (rc == DOCA_SUCCESS && bytes > r->limits.message) {
            *item = DOCA_CORE_ITEM_RDMA_NO_ROOM;
            rc = DOCA_ERROR_INVALID_VALUE;
        }
        return rc;
    case DOCA_PRIV_RDMA_READ:
    case DOCA_PRIV_RDMA_WRITE:
    case DOCA_PRIV_RDMA_WRITE_IMM:
        return doca_priv_rdma_check_move(op, item);
    default:
        return doca_priv_rdma_check_word(op, item);
    }
}

/* Copy the data of one list to the free room of another list. One of the two lists may be in memory
 * of the peer. `is_one`: only the first buffer of the source is copied. `grows`: the copied bytes
 * become data of the destination. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_rdma_move(const struct doca_buf *src, bool is_one,
                                                       struct doca_buf *dst, uint64_t len,
                                                       bool grows)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    const struct doca_buf *from;
    struct doca_priv_sw_out out;

    doca_priv_sw_sync(src, true);
    doca_priv_sw_sync(dst, true);
    doca_priv_sw_out_begin(&out, dst);
    for (from = src; from != NULL && item == DOCA_CORE_ITEM_NONE; from = is_one ? NULL : from->next)
        item = doca_priv_sw_far_append(&out, from->mmap, from->data, from->data_len);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, dst, grows ? len : 0);
    for (from = src; item != DOCA_CORE_ITEM_NONE && from != NULL; from = is_one ? NULL : from->next)
        if (from->mmap->far != NULL) { /* the data may come from after the end of an export */
            doca_priv_sw_out_clear(&out, dst);
            break;
        }
    doca_priv_sw_sync(dst, false);
    doca_priv_sw_sync(src, false);
    return item;
}

/* Store the result of a task on a word in its local list. */
static enum doca_core_item doca_priv_rdma_put_word(struct doca_priv_rdma_task *op, uint64_t value)
{
    enum doca_core_item item;
    struct doca_priv_sw_out out;

    op->result_len = DOCA_PRIV_RDMA_WORD;
    doca_priv_sw_sync(op->local, true);
    doca_priv_sw_out_begin(&out, op->local);
    item = doca_priv_sw_far_append(&out, NULL, (unsigned char *)(void *)&value, sizeof(value));
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, op->local, sizeof(value));
    doca_priv_sw_sync(op->local, false);
    return item;
}

/* Read the 8 bytes of data of the local buffer. */
static enum doca_core_item doca_priv_rdma_get_word(const struct doca_priv_rdma_task *op,
                                                   uint64_t *value)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    const struct doca_buf *buf = op->local;
    const unsigned char *local = doca_priv_mmap_local(buf->mmap, buf->data);
    struct doca_priv_far_trip trip;

    doca_priv_sw_sync(buf, true);
    if (local != NULL) {
        DOCA_CORE_MEMCPY(value, local, sizeof(*value));
    } else {
        doca_priv_far_begin(&trip, NULL);
        item = doca_priv_sw_trip_add(&trip, buf->mmap->far, false, (unsigned char *)(void *)value,
                                     buf->data, sizeof(*value));
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_far_go(&trip);
    }
    doca_priv_sw_sync(buf, false);
    return item;
}

static enum doca_core_item doca_priv_rdma_use_event(struct doca_priv_rdma_task *op)
{
    const struct doca_priv_event_share *share = &op->event->share;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = DOCA_SUCCESS;
    uint64_t value = 0;

    if (op->task.type == DOCA_PRIV_RDMA_EVENT_GET) {
        if (doca_priv_share_is_reset(share))
            return DOCA_CORE_ITEM_EVENT_GONE;
        return doca_priv_rdma_put_word(op, DOCA_PRIV_LOAD(share->value));
    }
    if (op->task.type == DOCA_PRIV_RDMA_EVENT_SET) {
        item = doca_priv_rdma_get_word(op, &value);
        if (item == DOCA_CORE_ITEM_NONE)
            rc = doca_priv_share_set(share, value);
    } else {
        rc = doca_priv_share_add(share, op->values[0], &value);
        if (rc == DOCA_SUCCESS)
            item = doca_priv_rdma_put_word(op, value);
    }
    return rc == DOCA_SUCCESS ? item : DOCA_CORE_ITEM_EVENT_GONE;
}

/* Take the lock of the peer. The lock of a process that has ended meanwhile is taken over. */
static bool doca_priv_rdma_take_lock(struct doca_rdma_connection *c)
{
    const uint32_t own = doca_priv_sys_pid(), holder = DOCA_PRIV_LOAD(c->peer_lock);

    if (holder == 0 && doca_priv_rdma_swap(c->peer_lock, 0, own)) {
        c->num_lock_failures = 0;
        return true;
    }
    if (++c->num_lock_failures % DOCA_PRIV_RDMA_LOCK_PATIENCE == 0 && holder != own &&
        doca_priv_sys_process_is_gone(-1, holder, -1))
        (void)doca_priv_rdma_swap(c->peer_lock, holder, 0);
    return false;
}

/* Read a word of the peer's memory, change it, and store the old value. The caller has the lock. */
static enum doca_core_item doca_priv_rdma_change_word(struct doca_priv_rdma_task *op)
{
    const struct doca_priv_far *far = op->remote->mmap->far;
    unsigned char *at = op->remote->data;
    enum doca_core_item item;
    struct doca_priv_far_trip trip;
    uint64_t old = 0, new_value;

    doca_priv_far_begin(&trip, NULL);
    item = doca_priv_sw_trip_add(&trip, far, false, (unsigned char *)(void *)&old, at, sizeof(old));
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_far_go(&trip);
    if (item != DOCA_CORE_ITEM_NONE)
        return item;
    new_value = op->task.type == DOCA_PRIV_RDMA_FETCH_ADD ? old + op->values[0] : op->values[1];
    if (op->task.type == DOCA_PRIV_RDMA_FETCH_ADD || old == op->values[0])
        item = doca_priv_sw_trip_add(&trip, far, true, (unsigned char *)(void *)&new_value, at,
                                     sizeof(new_value));
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_far_go(&trip);
    return item == DOCA_CORE_ITEM_NONE ? doca_priv_rdma_put_word(op, old) : item;
}

/* Return the permissions of the task's kind. The instance of the peer must have at least one of
 * them. */
static uint32_t doca_priv_rdma_needs(const struct doca_priv_rdma_task *op)
{
    switch (op->task.type) {
    case DOCA_PRIV_RDMA_READ:
    case DOCA_PRIV_RDMA_EVENT_GET:
        return DOCA_ACCESS_FLAG_RDMA_READ;
    case DOCA_PRIV_RDMA_CMP_SWP:
    case DOCA_PRIV_RDMA_FETCH_ADD:
        return DOCA_ACCESS_FLAG_RDMA_ATOMIC;
    case DOCA_PRIV_RDMA_EVENT_ADD: /* either is enough: the vendor's programs grant no ATOMIC */
        return DOCA_ACCESS_FLAG_RDMA_ATOMIC | DOCA_ACCESS_FLAG_RDMA_WRITE;
    default:
        return DOCA_ACCESS_FLAG_RDMA_WRITE;
    }
}

/* Return the process that has exported the event or the memory of a task. */
static uint32_t doca_priv_rdma_owner(const struct doca_priv_rdma_task *op)
{
    return doca_priv_rdma_is_event(op) ? op->event->share.exporter_pid : op->remote->mmap->far->pid;
}

/* True when the task needs the lock of the peer. */
static bool doca_priv_rdma_is_atomic(const struct doca_priv_rdma_task *op)
{
    return op->remote != NULL &&
           (op->task.type == DOCA_PRIV_RDMA_CMP_SWP || op->task.type == DOCA_PRIV_RDMA_FETCH_ADD);
}

/* Return why the peer does not permit a valid task, or ITEM_NONE. */
static enum doca_core_item doca_priv_rdma_judge(const struct doca_priv_rdma_task *op)
{
    const struct doca_rdma_connection *c = op->connection;
    const uint32_t needs = doca_priv_rdma_needs(op);

    if (!doca_priv_rdma_is_event(op) && op->remote == NULL)
        return DOCA_CORE_ITEM_NONE;
    if ((c->peer_permissions & needs) == 0)
        return DOCA_CORE_ITEM_RDMA_REFUSED;
    if (doca_priv_rdma_owner(op) != c->far.pid)
        return DOCA_CORE_ITEM_RDMA_OF_OTHER_PEER;
    return op->remote != NULL && (op->remote->mmap->far->rdma_access & needs) == 0
               ? DOCA_CORE_ITEM_RDMA_ACCESS
               : DOCA_CORE_ITEM_NONE;
}

/* Execute a task that the peer permits. An atomic task has the lock of the peer, and releases it.
 * Returns the reason of a failure, or ITEM_NONE. */
static enum doca_core_item doca_priv_rdma_perform(struct doca_priv_rdma_task *op)
{
    enum doca_core_item item;

    if (doca_priv_rdma_is_event(op))
        return doca_priv_rdma_use_event(op);
    if (op->remote == NULL)
        return DOCA_CORE_ITEM_NONE;
    if (doca_priv_rdma_is_atomic(op)) {
        item = doca_priv_rdma_change_word(op);
        (void)doca_priv_rdma_swap(op->connection->peer_lock, doca_priv_sys_pid(), 0u);
        return item;
    }
    if (op->task.type != DOCA_PRIV_RDMA_READ)
        return doca_priv_rdma_move(op->local, false, op->remote, 0, false);
    op->result_len = (uint32_t)op->remote->data_len;
    return doca_priv_rdma_move(op->remote, true, op->local, op->remote->data_len, true);
}

/* Execute a task of an established connection. Returns SUCCESS, IO_FAILED with the reason in *item,
 * or AGAIN while another process has the lock of the peer. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_execute(struct doca_priv_rdma_task *op,
                                                   enum doca_core_item *item)
{
    const bool is_valid = doca_priv_rdma_check(&op->task, item) == DOCA_SUCCESS;

    if (is_valid)
        *item = doca_priv_rdma_judge(op);
    if (is_valid && *item == DOCA_CORE_ITEM_NONE && doca_priv_rdma_is_atomic(op) &&
        !doca_priv_rdma_take_lock(op->connection))
        return DOCA_ERROR_AGAIN;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    if (is_valid && *item == DOCA_CORE_ITEM_NONE)
        *item = doca_priv_rdma_perform(op);
    return is_valid && *item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

/* part: src/compat/rdma/message.c */
/* ---- >>impl.rdma.message --------------------------------------------------------------------
 * Messages between send and receive tasks, and the immediate data of writes: how the sender fills a
 * slot of its ring, and how the receiver empties it.                                            */

/* Copy a short message into its slot. */
static enum doca_core_item doca_priv_rdma_fill(struct doca_priv_rdma_slot *slot,
                                               const struct doca_buf *buf)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char *to = slot->u.bytes, *local;
    const struct doca_buf *first = buf;
    struct doca_priv_far_trip trip;

    doca_priv_sw_sync(first, true);
    doca_priv_far_begin(&trip, NULL);
    for (; buf != NULL && item == DOCA_CORE_ITEM_NONE; to += buf->data_len, buf = buf->next) {
        local = doca_priv_mmap_local(buf->mmap, buf->data);
        if (local != NULL)
            item = doca_priv_sw_move(to, local, buf->data_len);
        else
            item =
                doca_priv_sw_trip_add(&trip, buf->mmap->far, false, to, buf->data, buf->data_len);
    }
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_far_go(&trip);
    doca_priv_sw_sync(first, false);
    return item;
}

/* Fill the next slot with the message of a task. The task is SENT then. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_rdma_send(struct doca_priv_rdma_task *op)
{
    struct doca_rdma_connection *c = op->connection;
    struct doca_priv_rdma_slot *slot = doca_priv_rdma_slot_of(&c->out, c->out.ticket);
    const bool is_write = op->task.type == DOCA_PRIV_RDMA_WRITE_IMM;
    const struct doca_buf *buf;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    uint64_t len = 0;

    for (buf = op->local; buf != NULL; buf = buf->next)
        len += buf->data_len;
    slot->len = len;
    if (is_write)
        len = 0; /* the data is there already */
    buf = is_write ? NULL : op->local;
    slot->num_pieces = 0;
    slot->imm = op->imm;
    slot->opcode = is_write                                   ? DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM
                   : op->task.type == DOCA_PRIV_RDMA_SEND_IMM ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM
                                                              : DOCA_RDMA_OPCODE_RECV_SEND;
    if (len <= DOCA_PRIV_RDMA_SHORT)
        item = doca_priv_rdma_fill(slot, buf);
    for (; len > DOCA_PRIV_RDMA_SHORT && buf != NULL; buf = buf->next) {
        slot->u.pieces[slot->num_pieces].addr =
            (uintptr_t)doca_priv_mmap_local(buf->mmap, buf->data);
        slot->u.pieces[slot->num_pieces].len = buf->data_len;
        if (slot->u.pieces[slot->num_pieces++].addr == 0)
            item = DOCA_CORE_ITEM_RDMA_FAR_SOURCE;
    }
    if (item != DOCA_CORE_ITEM_NONE)
        return item;
    op->ticket = c->out.ticket++;
    op->stage = DOCA_PRIV_RDMA_SENT;
    DOCA_PRIV_STORE_ORDERED(&slot->turn,
                            DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_FILLED));
    if (DOCA_PRIV_LOAD_ORDERED(&c->out.ring->receiver_sleeps) != 0)
        doca_priv_rdma_wake_peer(c);
    return DOCA_CORE_ITEM_NONE;
}

/* Copy a message to the list of a receive task, without letting the data of the list grow. `slot`
 * is a copy of the head of the slot in the ring; its numbers are checked. */
static enum doca_core_item doca_priv_rdma_copy_message(struct doca_rdma_connection *c,
                                                       const struct doca_priv_rdma_slot *slot,
                                                       const struct doca_priv_rdma_piece *pieces,
                                                       struct doca_buf *dst)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_sw_out out;
    uint32_t i;

    doca_priv_sw_sync(dst, true);
    doca_priv_sw_out_begin(&out, dst);
    if (slot->num_pieces == 0)
        item = doca_priv_sw_far_append(
            &out, NULL, doca_priv_rdma_slot_of(&c->in, c->in.ticket)->u.bytes, (size_t)slot->len);
    for (i = 0; i < slot->num_pieces && item == DOCA_CORE_ITEM_NONE; i++)
        item = doca_priv_sw_far_append(&out, &c->peer_memory,
                                       (unsigned char *)(uintptr_t)pieces[i].addr,
                                       (size_t)pieces[i].len);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, dst, 0);
    if (item != DOCA_CORE_ITEM_NONE)
        doca_priv_sw_out_clear(&out, dst);
    doca_priv_sw_sync(dst, false);
    return item;
}

/* Read the numbers of a slot once, and check them. */
static bool doca_priv_rdma_read_slot(const struct doca_rdma_connection *c,
                                     struct doca_priv_rdma_slot *head,
                                     struct doca_priv_rdma_piece *pieces)
{
    const struct doca_priv_rdma_slot *slot = doca_priv_rdma_slot_of(&c->in, c->in.ticket);
    uint64_t sum = 0;
    uint32_t i;

    DOCA_CORE_MEMCPY(head, slot, offsetof(struct doca_priv_rdma_slot, u));
    if (head->opcode > DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM ||
        head->len > DOCA_CORE_RDMA_MAX_MESSAGE || head->num_pieces > DOCA_CORE_RDMA_MAX_SEND_LIST)
        return false;
    if (head->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM)
        return head->num_pieces == 0;
    if (head->num_pieces == 0)
        return head->len <= DOCA_PRIV_RDMA_SHORT;
    DOCA_CORE_MEMCPY(pieces, slot->u.pieces, head->num_pieces * sizeof(pieces[0]));
    for (i = 0; i < head->num_pieces; i++) {
        if (pieces[i].len > head->len || pieces[i].addr > UINTPTR_MAX - pieces[i].len)
            return false;
        sum += pieces[i].len;
    }
    return sum == head->len;
}

/* Let the data of a list grow by `len` bytes. */
DOCA_PRIV_DECL void doca_priv_rdma_grow(struct doca_buf *dst, uint64_t len)
{
    struct doca_priv_sw_out out;

    if (len == 0)
        return;
    doca_priv_sw_out_begin(&out, dst);
    (void)doca_priv_sw_out_end(&out, dst, len);
}

/* Tell the sender the outcome. Returns false when the sender has cancelled the message. The ticket
 * stays at a cancelled message, so that none behind it is received. */
static bool doca_priv_rdma_acknowledge(struct doca_rdma_connection *c, doca_error_t status)
{
    const uint32_t ticket = c->in.ticket;
    struct doca_priv_rdma_slot *slot = doca_priv_rdma_slot_of(&c->in, ticket);

    DOCA_PRIV_STORE(&slot->status, (uint32_t)status);
    if (!doca_priv_rdma_swap(&slot->turn, DOCA_PRIV_RDMA_TURN(ticket, DOCA_PRIV_RDMA_SLOT_FILLED),
                             DOCA_PRIV_RDMA_TURN(ticket, DOCA_PRIV_RDMA_SLOT_DONE)))
        return false;
    c->in.ticket++;
    if (DOCA_PRIV_LOAD_ORDERED(&c->in.ring->sender_sleeps) != 0)
        doca_priv_rdma_wake_peer(c);
    return true;
}

/* Tell the peer that there is no receive task for its message, so that its retries begin. */
static void doca_priv_rdma_starve(struct doca_rdma_connection *c)
{
    const uint32_t turn = DOCA_PRIV_RDMA_TURN(c->in.ticket, DOCA_PRIV_RDMA_SLOT_FILLED);

    if (DOCA_PRIV_LOAD(&c->in.ring->starving) == turn)
        return;
    c->rdma->has_starved = true;
    DOCA_PRIV_STORE_ORDERED(&c->in.ring->starving, turn);
    if (DOCA_PRIV_LOAD_ORDERED(&c->in.ring->sender_sleeps) != 0)
        doca_priv_rdma_wake_peer(c);
}

/* The program has posted a receive task: end the retries of all peers. If a peer's message still
 * finds no receive task afterwards, doca_priv_rdma_starve() starts its retries again. */
DOCA_PRIV_DECL void doca_priv_rdma_feed(struct doca_rdma *r)
{
    struct doca_rdma_connection *c;

    for (c = r->live; c != NULL; c = c->next_live)
        if (c->in.ring != NULL)
            DOCA_PRIV_STORE(&c->in.ring->starving, 0u);
    r->has_starved = false;
}

/* Return the bytes that a message brings to the buffers of its receive task. */
static uint64_t doca_priv_rdma_bytes_of(const struct doca_priv_rdma_slot *head)
{
    return head->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM ? 0 : head->len;
}

/* Copy the message whose slot is in `head` to the buffers of a receive task. Returns NONE, or the
 * reason why the task and the send of the peer fail. */
static enum doca_core_item doca_priv_rdma_try_receive(struct doca_rdma_connection *c,
                                                      struct doca_priv_rdma_task *op,
                                                      const struct doca_priv_rdma_slot *head,
                                                      const struct doca_priv_rdma_piece *pieces)
{
    const uint64_t len = doca_priv_rdma_bytes_of(head);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_task_list list;

    if (len == 0)
        return DOCA_CORE_ITEM_NONE;
    list.bytes = 0;
    if (op->local != NULL &&
        (!doca_priv_is_buf(op->local) ||
         doca_priv_task_measure(op->local, op->task.ctx->dev, true, &list, &item) != DOCA_SUCCESS))
        return DOCA_CORE_ITEM_RDMA_BUF;
    return len <= list.bytes ? doca_priv_rdma_copy_message(c, head, pieces, op->local)
                             : DOCA_CORE_ITEM_RDMA_TOO_LONG;
}

/* Receive the next message of a connection, if there are a message and a receive task. Returns the
 * receive task, which has ended, or NULL. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_receive(struct doca_rdma_connection *c)
{
    struct doca_rdma *r = c->rdma;
    struct doca_priv_rdma_task *op = r->receives;
    struct doca_priv_rdma_piece pieces[DOCA_CORE_RDMA_MAX_SEND_LIST];
    struct doca_priv_rdma_slot head;
    enum doca_core_item item;

    if (!doca_priv_rdma_slot_is(&c->in, c->in.ticket, DOCA_PRIV_RDMA_SLOT_FILLED))
        return NULL;
    if (op == NULL) {
        doca_priv_rdma_starve(c);
        return NULL;
    }
    if (!doca_priv_rdma_read_slot(c, &head, pieces)) {
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, DOCA_CORE_ITEM_RDMA_NONSENSE,
                             "doca_pe_progress", c);
        doca_priv_rdma_break(c);
        return NULL;
    }
    item = op->fate != DOCA_SUCCESS ? DOCA_CORE_ITEM_FAULT_FAIL
                                    : doca_priv_rdma_try_receive(c, op, &head, pieces);
    if (item == DOCA_CORE_ITEM_EXPORTER_GONE || item == DOCA_CORE_ITEM_EXPORTER_STOPPED) {
        doca_priv_rdma_lose(c); /* the receive task waits for another message */
        return NULL;
    }
    if (!doca_priv_rdma_acknowledge(c, item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS
                                                                   : DOCA_ERROR_IO_FAILED))
        return NULL; /* the peer has ended the task, and will close the connection */
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    r->receives = doca_priv_rdma_task_of(op->task.next);
    op->connection = c;
    op->opcode = (uint8_t)head.opcode;
    op->imm = head.opcode == DOCA_RDMA_OPCODE_RECV_SEND ? 0 : head.imm;
    op->task.status = DOCA_SUCCESS;
    if (item == DOCA_CORE_ITEM_NONE) {
        op->result_len = (uint32_t)head.len;
        doca_priv_rdma_grow(op->local, doca_priv_rdma_bytes_of(&head));
    } else {
        op->task.status = op->fate != DOCA_SUCCESS ? op->fate : (uint8_t)DOCA_ERROR_IO_FAILED;
        if (item != DOCA_CORE_ITEM_FAULT_FAIL) /* >>fault logs its own */
            (void)doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", &op->task);
        doca_priv_rdma_break(c);
    }
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, op, 0, 0);)
    return &op->task;
}

/* part: src/compat/rdma/sockets.c */
/* ---- >>impl.rdma.sockets --------------------------------------------------------------------
 * Events on the descriptors of an instance: peers that connect, their first packets, the end of
 * their sockets, wake-ups and timers.                                                            */

#define DOCA_PRIV_RDMA_WHERE_LOOKED "doca_pe_progress"
#define DOCA_PRIV_RDMA_LOOKS 16 /* ready descriptors that one call handles */

/* A peer asks for a connection through a port. Returns true when the socket belongs to the new
 * connection. */
static bool doca_priv_rdma_hear_ask(struct doca_rdma *r, const struct doca_priv_rdma_guest *guest,
                                    const uint8_t *bytes, size_t len)
{
    struct doca_rdma_connection *c = NULL;
    enum doca_core_item item;

    if (doca_priv_rdma_conn_open(r, &c, DOCA_PRIV_RDMA_WHERE_LOOKED) != DOCA_SUCCESS)
        return false;
    if (!doca_priv_rdma_take_details(c, bytes, len, &item)) {
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, item, DOCA_PRIV_RDMA_WHERE_LOOKED, &r->ctx);
        doca_priv_rdma_conn_down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
        return false;
    }
    doca_priv_sys_unwatch(r->set, guest->fd);
    if (!doca_priv_rdma_watch(r, guest->fd, DOCA_PRIV_RDMA_AT_CONN, (uint32_t)(c - r->conns))) {
        doca_priv_rdma_conn_down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
        return false;
    }
    c->ask_fd = guest->fd;
    c->port = guest->port;
    c->obj.state = DOCA_PRIV_RDMA_ASKED;
    doca_priv_rdma_tell(c, DOCA_PRIV_RDMA_REQUESTED);
    return true;
}

/* Handle the first packet of a guest, or its end. */
static void doca_priv_rdma_hear_guest(struct doca_rdma *r, struct doca_priv_rdma_guest *guest)
{
    uint8_t bytes[DOCA_PRIV_RDMA_PACKET];
    const uint8_t *body = bytes + sizeof(struct doca_priv_local_head);
    struct doca_priv_local_packet packet;
    struct doca_priv_local_head head;
    bool is_taken = false;
    size_t len;

    doca_priv_local_receive(guest->fd, bytes, sizeof(bytes), &packet);
    if (packet.bytes < 0)
        return;
    if (packet.bytes >= (long)sizeof(head)) {
        DOCA_CORE_MEMCPY(&head, bytes, sizeof(head));
        len = (size_t)packet.bytes - sizeof(head);
        if (head.type == DOCA_PRIV_RDMA_HELLO && guest->port == 0)
            is_taken = doca_priv_rdma_hear_hello(r, guest->fd, body, len, &packet);
        else if (head.type == DOCA_PRIV_RDMA_ASK && guest->port != 0)
            is_taken = doca_priv_rdma_hear_ask(r, guest, body, len);
    }
    doca_priv_local_close_fds(&packet);
    if (is_taken)
        guest->fd = -1;
    else
        doca_priv_rdma_close_fd(r, &guest->fd);
}

/* Accept the clients of a listener, up to a number. Their first packets have usually arrived. When
 * there is no room for a guest, the oldest silent guest is closed. */
static void doca_priv_rdma_accept_all(struct doca_rdma *r, int listener, uint16_t port)
{
    struct doca_priv_rdma_guest *guest;
    uint32_t i, num;
    int fd;

    for (num = 0; num < DOCA_PRIV_LOCAL_ACCEPTS && (fd = doca_priv_local_accept(listener)) >= 0;
         num++) {
        if (!doca_priv_local_is_same_user(fd)) {
            (void)doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_RDMA_FOREIGN,
                                 DOCA_PRIV_RDMA_WHERE_LOOKED, &r->ctx);
            doca_priv_sys_close(fd);
            continue;
        }
        guest = &r->guests[0];
        for (i = 1; i < DOCA_PRIV_RDMA_GUESTS && guest->fd >= 0; i++)
            if (r->guests[i].fd < 0 ||
                r->num_guests - r->guests[i].since > r->num_guests - guest->since)
                guest = &r->guests[i];
        doca_priv_rdma_close_fd(r, &guest->fd);
        if (!doca_priv_rdma_watch(r, fd, DOCA_PRIV_RDMA_AT_GUEST, (uint32_t)(guest - r->guests))) {
            doca_priv_sys_close(fd);
            continue;
        }
        guest->fd = fd;
        guest->since = r->num_guests++;
        guest->port = port;
        doca_priv_rdma_hear_guest(r, guest);
    }
}

/* Handle the answer of a listener. */
static void doca_priv_rdma_hear_answer(struct doca_rdma_connection *c)
{
    uint8_t bytes[DOCA_PRIV_RDMA_PACKET];
    struct doca_priv_local_packet packet;
    struct doca_priv_local_head head;
    enum doca_core_item item;

    doca_priv_local_receive(c->ask_fd, bytes, sizeof(bytes), &packet);
    if (packet.bytes < 0)
        return;
    doca_priv_local_close_fds(&packet);
    if (packet.bytes < (long)sizeof(head)) {
        doca_priv_rdma_lose(c);
        return;
    }
    DOCA_CORE_MEMCPY(&head, bytes, sizeof(head));
    item = DOCA_CORE_ITEM_NONE;
    if (head.type != DOCA_PRIV_RDMA_ANSWER)
        item = DOCA_CORE_ITEM_RDMA_NONSENSE;
    else
        (void)doca_priv_rdma_take_details(c, bytes + sizeof(head),
                                          (size_t)packet.bytes - sizeof(head), &item);
    if (!c->has_details)
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, item, DOCA_PRIV_RDMA_WHERE_LOOKED, c);
    if (!c->has_details || doca_priv_rdma_join(c, DOCA_PRIV_RDMA_WHERE_LOOKED) != DOCA_SUCCESS)
        doca_priv_rdma_conn_down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_FAILED);
}

/* A socket of a connection has been reported as readable. Except for the answer of a listener, this
 * means that the peer has closed the socket. The report may be about an earlier connection that
 * used the same entry of the table, so the function looks at each socket of the connection. */
static void doca_priv_rdma_hear_conn(struct doca_rdma_connection *c)
{
    if (c->obj.state == DOCA_PRIV_RDMA_ASKING) {
        if (c->ask_fd >= 0)
            doca_priv_rdma_hear_answer(c);
        return;
    }
    if ((c->out_fd >= 0 && doca_priv_local_is_hung_up(c->out_fd)) ||
        (c->in_fd >= 0 && doca_priv_local_is_hung_up(c->in_fd)))
        doca_priv_rdma_lose(c);
    else if (c->obj.state == DOCA_PRIV_RDMA_ASKED && doca_priv_local_is_hung_up(c->ask_fd))
        doca_priv_sys_unwatch(c->rdma->set, c->ask_fd); /* accept will see it, too */
}

/* Handle a connection whose deadline has passed: its peer did not answer, or has posted no receive
 * task. */
static void doca_priv_rdma_expire_conn(struct doca_rdma_connection *c)
{
    struct doca_priv_rdma_task *op = c->ops;
    struct doca_priv_rdma_slot *slot;

    if (c->obj.state != DOCA_PRIV_RDMA_UP) {
        (void)doca_priv_fail(DOCA_ERROR_TIME_OUT, DOCA_CORE_ITEM_RDMA_LATE,
                             DOCA_PRIV_RDMA_WHERE_LOOKED, c);
        doca_priv_rdma_conn_down(c, DOCA_ERROR_TIME_OUT, DOCA_PRIV_RDMA_FAILED);
        return;
    }
    doca_priv_rdma_set_deadline(c, 0);
    if (op == NULL || !doca_priv_rdma_is_starving(c))
        return;
    slot = doca_priv_rdma_slot_of(&c->out, op->ticket);
    if (!doca_priv_rdma_swap(&slot->turn,
                             DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_FILLED),
                             DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_CANCELLED)))
        return; /* the peer has just received the message */
    op->stage = DOCA_PRIV_RDMA_ENDED;
    op->task.status = (uint8_t)DOCA_ERROR_IO_FAILED;
    (void)doca_priv_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_RDMA_NO_RECEIVE,
                         DOCA_PRIV_RDMA_WHERE_LOOKED, &op->task);
    doca_priv_rdma_break(c);
}

/* Handle each connection whose deadline has passed: a connection that is not yet established fails;
 * an established connection fails its oldest task, which waited for a receive task of the peer. */
DOCA_PRIV_DECL void doca_priv_rdma_expire(struct doca_rdma *r)
{
    const uint64_t now = doca_priv_sys_now();
    uint32_t i;

    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].deadline != 0 && r->conns[i].deadline <= now)
            doca_priv_rdma_expire_conn(&r->conns[i]);
    doca_priv_rdma_set_timer(r); /* an expired timer stays readable until it is set */
}

/* Open the sockets to listeners that were full. */
static void doca_priv_rdma_dial_all(struct doca_rdma *r)
{
    struct doca_rdma_connection *c;

    for (c = r->conns; r->num_unsettled > 0 && c < r->conns + r->max_conns; c++) {
        if (!doca_priv_rdma_is_dialling(c))
            continue;
        if (c->obj.state == DOCA_PRIV_RDMA_ASKING)
            doca_priv_rdma_ask_again(c);
        else
            (void)doca_priv_rdma_dial_again(c);
    }
}

/* Ask the kernel which descriptors are ready, and handle what is there. The set is level-triggered,
 * so descriptors that are not handled stay ready. */
DOCA_PRIV_DECL void doca_priv_rdma_look(struct doca_rdma *r)
{
    struct epoll_event events[DOCA_PRIV_RDMA_LOOKS];
    uint32_t number;
    uint64_t data;
    int num, i;

    doca_priv_rdma_dial_all(r);
    num = epoll_wait(r->set, events, DOCA_PRIV_RDMA_LOOKS, 0);
    for (i = 0; i < num; i++) {
        DOCA_CORE_MEMCPY(&data,
                         (const unsigned char *)(const void *)events +
                             (size_t)i * DOCA_PRIV_RDMA_READY_BYTES + DOCA_PRIV_RDMA_READY_DATA,
                         sizeof(data));
        number = (uint32_t)data;
        switch (data >> 32) {
        case DOCA_PRIV_RDMA_AT_LISTENER:
            if (r->listener >= 0)
                doca_priv_rdma_accept_all(r, r->listener, 0);
            break;
        case DOCA_PRIV_RDMA_AT_PORT:
            if (r->ports[number].fd >= 0)
                doca_priv_rdma_accept_all(r, r->ports[number].fd, r->ports[number].port);
            break;
        case DOCA_PRIV_RDMA_AT_GUEST:
            if (r->guests[number].fd >= 0)
                doca_priv_rdma_hear_guest(r, &r->guests[number]);
            break;
        case DOCA_PRIV_RDMA_AT_CONN:
            if (r->conns[number].obj.state != DOCA_PRIV_RDMA_FREE &&
                r->conns[number].obj.state != DOCA_PRIV_RDMA_DOWN)
                doca_priv_rdma_hear_conn(&r->conns[number]);
            break;
        case DOCA_PRIV_RDMA_AT_TIMER:
            doca_priv_rdma_expire(r);
            break;
        default:
            (void)doca_priv_sys_event_drain(r->wake_fd);
            break;
        }
    }
}

/* part: src/compat/rdma/queue.c */
/* ---- >>impl.rdma.queue ----------------------------------------------------------------------
 * An instance as a context: start, post, poll, stop. Each poll ends at most one task. A message is
 * put into the ring as soon as the tasks before it permit. Another task is executed when it is the
 * first task of its connection.                                                                  */

/* Number of polls for one look at the descriptors, while no connection is being made. */
#define DOCA_PRIV_RDMA_LAZY 16u

DOCA_PRIV_DECL size_t doca_priv_rdma_block_bytes(uint32_t max_conns)
{
    return doca_priv_size(max_conns, sizeof(struct doca_rdma_connection), 0);
}

static bool doca_priv_rdma_is_message(const struct doca_priv_rdma_task *op)
{
    return op->task.type == DOCA_PRIV_RDMA_SEND || op->task.type == DOCA_PRIV_RDMA_SEND_IMM;
}

/* True when the first waiting task of a connection can begin. */
static bool doca_priv_rdma_can_begin(const struct doca_rdma_connection *c)
{
    return c->waiting != NULL && !c->has_failed &&
           (doca_priv_rdma_is_message(c->waiting) ||
            (c->waiting == c->ops && c->obj.state == DOCA_PRIV_RDMA_UP));
}

/* Return the status of a task that could not be executed. When the process of the peer has ended,
 * its memory is gone before its sockets are closed. */
static doca_error_t doca_priv_rdma_failure(const struct doca_rdma_connection *c,
                                           enum doca_core_item item)
{
    return item == DOCA_CORE_ITEM_EXPORTER_GONE || doca_priv_local_is_hung_up(c->out_fd)
               ? DOCA_ERROR_CONNECTION_RESET
               : DOCA_ERROR_IO_FAILED;
}

/* Begin the first waiting task. Returns false when this task has to wait longer. */
static bool doca_priv_rdma_begin(struct doca_rdma_connection *c)
{
    struct doca_priv_rdma_task *op = c->waiting;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = (doca_error_t)op->fate;

    /* execute() records the beginning of its task itself, when the task need not wait */
    DOCA_PRIV_TRACED(if (rc != DOCA_SUCCESS || doca_priv_rdma_is_message(op))
                         doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    if (rc != DOCA_SUCCESS) {
        item = DOCA_CORE_ITEM_FAULT_FAIL;
    } else if (doca_priv_rdma_is_message(op)) {
        rc = doca_priv_rdma_check(&op->task, &item) == DOCA_SUCCESS ? DOCA_SUCCESS
                                                                    : DOCA_ERROR_IO_FAILED;
    } else {
        rc = doca_priv_rdma_execute(op, &item);
        if (rc == DOCA_ERROR_AGAIN)
            return false;
    }
    if (rc == DOCA_SUCCESS &&
        (doca_priv_rdma_is_message(op) || op->task.type == DOCA_PRIV_RDMA_WRITE_IMM)) {
        item = doca_priv_rdma_send(op);
        rc = item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
    } else {
        op->stage = DOCA_PRIV_RDMA_ENDED;
    }
    c->waiting = doca_priv_rdma_task_of(op->task.next);
    if (rc != DOCA_SUCCESS)
        op->stage = DOCA_PRIV_RDMA_ENDED;
    if (rc != DOCA_SUCCESS && item != DOCA_CORE_ITEM_FAULT_FAIL) { /* >>fault logs this fault */
        rc = doca_priv_rdma_failure(c, item);
        (void)doca_priv_fail(rc, item, "doca_pe_progress", &op->task);
    }
    if (op->stage == DOCA_PRIV_RDMA_ENDED)
        op->task.status = (uint8_t)rc;
    c->has_failed = rc != DOCA_SUCCESS;
    return true;
}

/* True when the first task of a connection has ended. */
static bool doca_priv_rdma_has_ended(const struct doca_rdma_connection *c)
{
    return c->ops != NULL &&
           (c->ops->stage == DOCA_PRIV_RDMA_ENDED ||
            (c->ops->stage == DOCA_PRIV_RDMA_SENT &&
             doca_priv_rdma_slot_is(&c->out, c->ops->ticket, DOCA_PRIV_RDMA_SLOT_DONE)));
}

/* True when the peer has no receive task for the first message, and the time of the retries has not
 * begun. */
static bool doca_priv_rdma_must_time(const struct doca_rdma_connection *c)
{
    return c->rdma->rnr_retry_count < 7 && c->deadline == 0 && doca_priv_rdma_is_starving(c);
}

static void doca_priv_rdma_await_receive(struct doca_rdma_connection *c)
{
    const uint32_t retries = c->rdma->rnr_retry_count;

    if (doca_priv_rdma_must_time(c))
        doca_priv_rdma_set_deadline(
            c, doca_priv_sys_now() + (retries * (uint64_t)DOCA_CORE_RDMA_RNR_MS * 1000000u) + 1);
}

/* Remove the first task of a connection and return it. The task has ended. */
static struct doca_task *doca_priv_rdma_take_op(struct doca_rdma_connection *c)
{
    struct doca_priv_rdma_task *op = c->ops;
    doca_error_t status;

    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, op, 0, 0);)
    if (op->stage == DOCA_PRIV_RDMA_SENT) {
        op->task.status = DOCA_SUCCESS;
        if (DOCA_PRIV_LOAD(&doca_priv_rdma_slot_of(&c->out, op->ticket)->status) != DOCA_SUCCESS) {
            op->task.status = (uint8_t)DOCA_ERROR_IO_FAILED;
            (void)doca_priv_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_RDMA_PEER_FAILED,
                                 "doca_pe_progress", &op->task);
        }
    }
    status = (doca_error_t)op->task.status;
    c->ops = doca_priv_rdma_task_of(op->task.next);
    c->num_ops--;
    if (c->deadline != 0)
        doca_priv_rdma_set_deadline(c, 0);
    if (status == DOCA_ERROR_CONNECTION_RESET)
        doca_priv_rdma_lose(c);
    else if (status != DOCA_SUCCESS)
        doca_priv_rdma_break(c);
    return &op->task;
}

/* Go on with the tasks of a connection, and return one that has ended. Tasks of this side and
 * messages of the peer take turns. */
static struct doca_task *doca_priv_rdma_advance(struct doca_rdma_connection *c)
{
    struct doca_task *task;

    if (c->hears_first) {
        c->hears_first = false;
        task = doca_priv_rdma_receive(c);
        if (task != NULL || c->obj.state != DOCA_PRIV_RDMA_UP)
            return task;
    }
    while (doca_priv_rdma_can_begin(c) && doca_priv_rdma_begin(c)) {
    }
    if (doca_priv_rdma_has_ended(c)) {
        c->hears_first = c->obj.state == DOCA_PRIV_RDMA_UP;
        return doca_priv_rdma_take_op(c);
    }
    if (c->obj.state != DOCA_PRIV_RDMA_UP)
        return NULL;
    doca_priv_rdma_await_receive(c);
    return doca_priv_rdma_receive(c);
}

/* A connection that has ended is free when its last callback has run. */
static void doca_priv_rdma_end_report(struct doca_rdma *r)
{
    struct doca_rdma_connection *c = r->reported;

    r->reported = NULL;
    if (c != NULL && c->obj.state == DOCA_PRIV_RDMA_DOWN && c->events == 0)
        doca_priv_rdma_conn_free(c);
}

/* Call the program for an event. The callback may leave by longjmp; then the next poll ends the
 * report. */
static void doca_priv_rdma_event_done(struct doca_task *task)
{
    const struct doca_priv_rdma_event *event = (const struct doca_priv_rdma_event *)(void *)task;
    struct doca_rdma_connection *c = event->connection;
    struct doca_rdma *r = c->rdma;

    switch (event->what) {
    case DOCA_PRIV_RDMA_REQUESTED:
        r->requested(c, r->ctx.user_data);
        return;
    case DOCA_PRIV_RDMA_ESTABLISHED:
        r->established(c, c->user_data, r->ctx.user_data);
        return;
    case DOCA_PRIV_RDMA_FAILED:
        r->reported = c;
        r->not_connected(c, c->user_data, r->ctx.user_data);
        break;
    default:
        r->reported = c;
        r->disconnected(c, c->user_data, r->ctx.user_data);
        break;
    }
    doca_priv_rdma_end_report(r);
}

/* Return the next event of this connection as a task. The connection has at least one event. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_take_event_of(struct doca_rdma_connection *c)
{
    struct doca_rdma *r = c->rdma;
    struct doca_priv_rdma_event *event = &r->event;

    event->task.kind = DOCA_PRIV_KIND_TASK;
    event->task.type = DOCA_PRIV_TASK_EVENT;
    event->task.ctx = &r->ctx;
    event->task.done = doca_priv_rdma_event_done;
    event->connection = c;
    event->what = (enum doca_priv_rdma_happening)doca_priv_low_bit(c->events);
    c->events &= (uint8_t)(c->events - 1);
    r->num_events--;
    r->ctx.num_inflight++;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_EVENT | (uint32_t)r->ctx.obj.kind << 8 |
                                         (uint32_t)event->what << 16,
                                     c, 0, doca_priv_trace_id(&r->ctx));)
    return &event->task;
}

/* Return the next event of a connection as a task. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_take_event(struct doca_rdma *r)
{
    struct doca_rdma_connection *c = r->conns;

    while (c->events == 0)
        c++;
    return doca_priv_rdma_take_event_of(c);
}

static bool doca_priv_rdma_must_look(struct doca_rdma *r)
{
    const bool must_look = r->must_look || r->is_armed || r->num_unsettled > 0 ||
                           r->num_polls % DOCA_PRIV_RDMA_LAZY == 0;

    r->must_look = false;
    return must_look;
}

/* Return the next task of a connection that has sent or received something. */
static struct doca_task *doca_priv_rdma_take_turn(struct doca_rdma *r)
{
    uint32_t num = r->num_live; /* a connection may end, and leave the list */
    struct doca_rdma_connection *c;
    struct doca_task *task = NULL;

    for (; num > 0 && r->live != NULL && task == NULL; num--) {
        c = r->turn != NULL ? r->turn : r->live;
        r->turn = c->next_live;
        task = doca_priv_rdma_advance(c);
    }
    return task;
}

/* Ended tasks come first, then events, then the connections in turn. A connection that ends puts
 * its tasks into the list of ended tasks, so the program gets them before the event. Tasks
 * submitted to an ended connection come last: otherwise a program that submits tasks without a
 * pause would never receive the event. */
static struct doca_task *doca_priv_rdma_poll(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *late = r->late;
    struct doca_task *task = NULL;

    doca_priv_rdma_end_report(r);
    if (queue->first != NULL)
        return doca_priv_local_take_ended(queue);
    r->num_polls++;
    if (doca_priv_rdma_must_look(r))
        doca_priv_rdma_look(r);
    if (queue->first == NULL && r->num_events == 0 && (late == NULL || r->num_polls % 2 != 0))
        task = doca_priv_rdma_take_turn(r);
    if (task != NULL)
        return task;
    if (queue->first != NULL) /* a connection has ended */
        return doca_priv_local_take_ended(queue);
    if (r->num_events > 0)
        return doca_priv_rdma_take_event(r);
    if (late == NULL)
        return NULL;
    r->late = doca_priv_rdma_task_of(late->task.next);
    return &late->task;
}

DOCA_PRIV_DECL void doca_priv_rdma_append(struct doca_priv_rdma_task **first,
                                          struct doca_priv_rdma_task **last,
                                          struct doca_priv_rdma_task *op)
{
    op->task.next = NULL;
    if (*first == NULL)
        *first = op;
    else
        (*last)->task.next = &op->task;
    *last = op;
}

static doca_error_t doca_priv_rdma_post(struct doca_core_queue *queue, struct doca_task *task)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op = doca_priv_rdma_task_of(task);
    struct doca_rdma_connection *c;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = doca_priv_rdma_check(task, &item);

    if (rc != DOCA_SUCCESS)
        return rc;
    op->result_len = 0;
    if (task->type == DOCA_PRIV_RDMA_RECEIVE) {
        op->connection = NULL;
        op->opcode = 0;
        op->imm = 0;
        doca_priv_rdma_append(&r->receives, &r->receives_last, op);
        if (r->has_starved)
            doca_priv_rdma_feed(r);
    } else if (op->connection->obj.state == DOCA_PRIV_RDMA_DOWN ||
               op->connection->serial != op->serial) {
        (void)doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_NOT_CONNECTED,
                             "doca_task_submit", task);
        task->status = (uint8_t)DOCA_ERROR_CONNECTION_ABORTED;
        doca_priv_rdma_append(&r->late, &r->late_last, op);
    } else {
        c = op->connection;
        if (c->num_ops == r->send_queue_size)
            return DOCA_ERROR_FULL;
        c->num_ops++;
        op->stage = DOCA_PRIV_RDMA_WAITING;
        doca_priv_rdma_append(&c->ops, &c->ops_last, op);
        if (c->waiting == NULL)
            c->waiting = op;
        /* the peer need not wait until this side makes progress */
        if (c->waiting == op && doca_priv_rdma_is_message(op) && !c->has_failed)
            (void)doca_priv_rdma_begin(c);
    }
    doca_priv_rdma_wake_program(r);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL size_t doca_priv_rdma_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                                 uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return sizeof(struct doca_priv_rdma_queue);
}

/* Close the sockets through which peers make connections. */
static void doca_priv_rdma_close_sockets(struct doca_rdma *r)
{
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_RDMA_GUESTS; i++)
        doca_priv_rdma_close_fd(r, &r->guests[i].fd);
    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        doca_priv_rdma_close_fd(r, &r->ports[i].fd);
    doca_priv_rdma_close_fd(r, &r->listener);
}

/* Release what an open instance has. */
static void doca_priv_rdma_close(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    uint32_t i;

    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE && !r->conns[i].is_free)
            doca_priv_rdma_conn_down(&r->conns[i], DOCA_ERROR_SHUTDOWN, DOCA_PRIV_RDMA_NOTHING);
    for (i = 0; i < r->max_conns; i++) /* end their handles */
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE)
            doca_priv_object_end(&r->conns[i].obj);
    doca_priv_rdma_close_sockets(r);
    doca_priv_sys_close(r->wake_fd);
    doca_priv_sys_close(r->timer_fd);
    doca_priv_sys_close(r->set);
    if (r->lock_fd >= 0)
        doca_priv_rdma_lock_drop();
    (void)doca_core_arena_give(r->ctx.arena, r->conns);
    r->conns = NULL;
}

/* Open the descriptors of an instance. Returns false with the reason in *why. */
static bool doca_priv_rdma_open_fds(struct doca_rdma *r, struct doca_core_refusal *why)
{
    why->step = DOCA_PRIV_LOG_TEXT("open an epoll set with an eventfd and a timer");
    r->set = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC));
    r->wake_fd = doca_priv_sys_event_open();
    r->timer_fd = doca_priv_sys_keep((int)doca_priv_sys_call(
        SYS_timerfd_create, 1 /* CLOCK_MONOTONIC */, 02004000 /* NONBLOCK, CLOEXEC */, 0, 0, 0, 0));
    if (r->set < 0 || r->wake_fd < 0 || r->timer_fd < 0 ||
        !doca_priv_rdma_watch(r, r->wake_fd, DOCA_PRIV_RDMA_AT_WAKE, 0) ||
        !doca_priv_rdma_watch(r, r->timer_fd, DOCA_PRIV_RDMA_AT_TIMER, 0)) {
        why->error = errno;
        return false;
    }
    why->step = DOCA_PRIV_LOG_TEXT("make the shared memory of the lock");
    r->lock_fd = doca_priv_rdma_lock_hold();
    if (r->lock_fd < 0) {
        why->error = errno;
        return false;
    }
    why->step = DOCA_PRIV_LOG_TEXT("make a random number");
    if (!doca_priv_sys_random(&r->number)) {
        why->error = errno;
        return false;
    }
    r->listener = doca_priv_local_listen(DOCA_PRIV_RDMA_INSTANCE_PREFIX, r->number, why);
    if (r->listener >= 0 && !doca_priv_rdma_watch(r, r->listener, DOCA_PRIV_RDMA_AT_LISTENER, 0)) {
        why->step = DOCA_PRIV_LOG_TEXT("watch the socket of the instance");
        why->error = errno;
        return false;
    }
    return r->listener >= 0;
}

static doca_error_t doca_priv_rdma_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                        const char *function)
{
    struct doca_rdma *r = (struct doca_rdma *)(void *)ctx;
    const size_t bytes = doca_priv_rdma_block_bytes(r->max_conns);
    const char *ptracer = doca_priv_sys_env("DOCA_CORE_SW_PTRACER");
    struct doca_core_refusal why;
    struct doca_rdma_connection *c;
    void *block = NULL;
    doca_error_t rc;
    uint32_t i;

    (void)num_tasks;
    rc = doca_priv_arena_take(ctx->arena, bytes, &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(block, 0, bytes);
    DOCA_CORE_MEMSET((unsigned char *)(void *)r + offsetof(struct doca_rdma, conns), 0,
                     sizeof(*r) - offsetof(struct doca_rdma, conns));
    r->conns = (struct doca_rdma_connection *)block;
    r->queue = ctx->queue;
    ((struct doca_priv_rdma_queue *)(void *)ctx->queue)->rdma = r;
    ctx->queue->post = doca_priv_rdma_post;
    ctx->queue->poll = doca_priv_rdma_poll;
    r->listener = r->set = r->wake_fd = r->timer_fd = r->lock_fd = -1;
    for (i = 0; i < DOCA_PRIV_RDMA_GUESTS; i++)
        r->guests[i].fd = -1;
    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        r->ports[i].fd = -1;
    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    if (!doca_priv_rdma_open_fds(r, &why)) {
        doca_priv_rdma_close(ctx->queue);
        return doca_priv_fail_refused(DOCA_CORE_ITEM_RDMA_SYSTEM, function, ctx, &why);
    }
    if (ptracer != NULL && doca_priv_str_equal(ptracer, "any"))
        doca_priv_sys_far_permit(); /* receivers read the memory of senders */
    if (!r->is_of_25)
        return DOCA_SUCCESS;
    rc = doca_priv_rdma_conn_open(r, &c, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_rdma_close(ctx->queue);
        return rc;
    }
    return DOCA_ERROR_IN_PROGRESS;
}

/* An instance of 2.5 is open when its connection is established. */
static doca_error_t doca_priv_rdma_opening(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);

    doca_priv_rdma_look(r);
    if (r->conns[0].obj.state == DOCA_PRIV_RDMA_UP)
        return DOCA_SUCCESS;
    return r->conns[0].obj.state == DOCA_PRIV_RDMA_DOWN
               ? doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_GONE,
                                        "doca_pe_progress", &r->ctx, 0)
               : DOCA_ERROR_IN_PROGRESS;
}

static void doca_priv_rdma_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op;
    struct doca_rdma_connection *c;

    for (c = r->live; c != NULL; c = c->next_live)
        doca_priv_rdma_end_ops(c, status);
    while ((op = r->receives) != NULL) {
        r->receives = doca_priv_rdma_task_of(op->task.next);
        (void)doca_priv_fail(status, DOCA_CORE_ITEM_FLUSHED, "doca_pe_progress", &op->task);
        doca_priv_local_end_task(queue, &op->task, status);
    }
}

/* True when poll has to handle a message of the peer: a receive task can take the message, or
 * ring->starving does not tell the sender yet that the message waits for a receive task. */
static bool doca_priv_rdma_must_hear(const struct doca_rdma_connection *c)
{
    return doca_priv_rdma_slot_is(&c->in, c->in.ticket, DOCA_PRIV_RDMA_SLOT_FILLED) &&
           (c->rdma->receives != NULL ||
            DOCA_PRIV_LOAD(&c->in.ring->starving) !=
                DOCA_PRIV_RDMA_TURN(c->in.ticket, DOCA_PRIV_RDMA_SLOT_FILLED));
}

static bool doca_priv_rdma_ready(struct doca_core_queue *queue)
{
    const struct doca_rdma *r = doca_priv_rdma_of(queue);
    const struct doca_rdma_connection *c = r->live;

    if (queue->first != NULL || r->num_events > 0 || r->late != NULL)
        return true;
    for (; c != NULL; c = c->next_live)
        if (doca_priv_rdma_can_begin(c) || doca_priv_rdma_has_ended(c) ||
            (c->obj.state == DOCA_PRIV_RDMA_UP &&
             (doca_priv_rdma_must_time(c) || doca_priv_rdma_must_hear(c))))
            return true;
    return false;
}

static int doca_priv_rdma_fd(struct doca_core_queue *queue)
{
    return doca_priv_rdma_of(queue)->set;
}

static void doca_priv_rdma_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_rdma_connection *c = r->live;

    r->is_armed = armed;
    for (; c != NULL; c = c->next_live) {
        DOCA_PRIV_STORE_ORDERED(&c->out.ring->sender_sleeps, armed ? 1u : 0u);
        if (c->in.ring != NULL)
            DOCA_PRIV_STORE_ORDERED(&c->in.ring->receiver_sleeps, armed ? 1u : 0u);
    }
    if (armed) {
        if (r->num_unsettled > 0)
            doca_priv_rdma_set_timer(r);
        return;
    }
    (void)doca_priv_sys_event_drain(r->wake_fd);
    r->must_look = true;
}

static void doca_priv_rdma_begin_stop(struct doca_ctx *ctx)
{
    struct doca_rdma *r = (struct doca_rdma *)(void *)ctx;
    uint32_t i;

    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE && !r->conns[i].is_free)
            doca_priv_rdma_conn_down(&r->conns[i], DOCA_ERROR_SHUTDOWN, DOCA_PRIV_RDMA_NOTHING);
    doca_priv_rdma_close_sockets(r);
}

DOCA_PRIV_DECL bool doca_priv_rdma_can_stop(struct doca_ctx *ctx)
{
    (void)ctx; /* all connections have ended */
    return true;
}

DOCA_PRIV_DECL bool doca_priv_rdma_is_supported(const struct doca_core_limits *limits)
{
    (void)limits; /* create has checked the device */
    return true;
}

DOCA_PRIV_DECL bool doca_priv_rdma_is_complete(const struct doca_task *task)
{
    (void)task;
    return true;
}

DOCA_PRIV_DECL void doca_priv_rdma_settle(struct doca_task *task)
{
    (void)task;
}

DOCA_PRIV_DECL uint64_t doca_priv_rdma_task_bytes(const struct doca_task *task)
{
    const struct doca_priv_rdma_task *op = (const struct doca_priv_rdma_task *)(const void *)task;

    switch (task->type) {
    case DOCA_PRIV_RDMA_SEND:
    case DOCA_PRIV_RDMA_SEND_IMM:
    case DOCA_PRIV_RDMA_WRITE:
    case DOCA_PRIV_RDMA_WRITE_IMM:
        return doca_priv_task_list_bytes(op->local);
    default:
        return op->result_len;
    }
}

DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_rdma_set_fate(struct doca_task *task,
                                                             doca_error_t code)
{
    doca_priv_rdma_task_of(task)->fate = (uint8_t)code;
}

static doca_error_t doca_priv_rdma_limit(const struct doca_devinfo *devinfo,
                                         const struct doca_dev *dev,
                                         struct doca_priv_rdma_limits *limits, const char *function)
{
    (void)devinfo;
    (void)dev;
    (void)function;
    limits->send_queue = DOCA_CORE_RDMA_MAX_SEND_QUEUE;
    limits->recv_queue = DOCA_CORE_RDMA_MAX_RECV_QUEUE;
    limits->send_list = limits->recv_list = DOCA_CORE_RDMA_MAX_SEND_LIST;
    limits->message = DOCA_CORE_RDMA_MAX_MESSAGE;
    limits->gids = 2;
    return DOCA_SUCCESS;
}

/* The identifiers of a device are its IPv6 address in the topology and, if the topology gives the
 * device one, its IPv4 address. */
static doca_error_t doca_priv_rdma_read_gids(const struct doca_devinfo *devinfo, uint32_t first,
                                             uint32_t num, struct doca_rdma_gid *gids,
                                             const char *function)
{
    static const uint8_t none[DOCA_DEVINFO_IPV4_ADDR_SIZE] = { 0 };
    uint8_t *to;
    uint32_t i;

    (void)function;
    for (i = 0; i < num; i++) {
        to = gids[i].raw;
        DOCA_CORE_MEMSET(to, 0, sizeof(gids[i].raw));
        if (first + i == 0) {
            DOCA_CORE_MEMCPY(to, devinfo->attr.ipv6_addr, DOCA_DEVINFO_IPV6_ADDR_SIZE);
        } else if (DOCA_CORE_MEMCMP(devinfo->attr.ipv4_addr, none, sizeof(none)) != 0) {
            to[10] = to[11] = 0xff;
            DOCA_CORE_MEMCPY(to + 12, devinfo->attr.ipv4_addr, DOCA_DEVINFO_IPV4_ADDR_SIZE);
        }
    }
    return DOCA_SUCCESS;
}

static const struct doca_priv_engine doca_priv_rdma_engine = {
    DOCA_PRIV_ENGINE_NONE,       false,
    doca_priv_rdma_is_supported, doca_priv_rdma_check,
    doca_priv_rdma_is_complete,  doca_priv_rdma_settle,
    doca_priv_rdma_open,         doca_priv_rdma_begin_stop,
    doca_priv_rdma_can_stop,     NULL,
    doca_priv_rdma_task_bytes
};

static const struct doca_core_backend doca_priv_rdma_backend = DOCA_PRIV_LOCAL_TABLE(
    "rdma", doca_priv_rdma_queue_bytes, doca_priv_rdma_opening, doca_priv_rdma_close,
    doca_priv_rdma_flush, doca_priv_rdma_ready, doca_priv_rdma_fd, doca_priv_rdma_arm);

#if !defined(DOCA_CORE_NO_FAULT)
DOCA_PRIV_ASSERT_STATIC(rdma_tasks_have_faults,
                        (unsigned)DOCA_PRIV_FAULT_OPS ==
                            DOCA_PRIV_FAULT_RDMA_TASKS + 2u * DOCA_PRIV_RDMA_TYPES);
#endif

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_rdma_faults, "rdma", doca_priv_rdma_queue_bytes,
                        doca_priv_rdma_backend, DOCA_PRIV_FAULT_RDMA, DOCA_PRIV_FAULT_RDMA_TASKS,
                        doca_priv_rdma_set_fate)

static const struct doca_core_backend *doca_priv_rdma_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_rdma_backend, doca_priv_rdma_faults);
}

DOCA_PRIV_DECL const struct doca_priv_rdma_transport doca_priv_rdma_local = {
    &doca_priv_rdma_engine,
    doca_priv_rdma_backend_of,
    NULL,
    doca_priv_rdma_describe,
    doca_priv_rdma_show,
    doca_priv_rdma_connect_far,
    doca_priv_rdma_conn_down,
    doca_priv_rdma_limit,
    doca_priv_rdma_read_gids,
    doca_priv_rdma_listen,
    doca_priv_rdma_unlisten,
    doca_priv_rdma_ask,
    doca_priv_rdma_accept
};

/* part: src/compat/rdma/rings.c */
/* ---- >>impl.rdma.rings ----------------------------------------------------------------------
 * This part finds the rings of an instance on an mlx5 device, and reads completions from them.
 * From its start to its stop, an instance uses either the rings or the calls of libibverbs, for all
 * of its queues: libmlx5 counts the requests and completions that pass through its calls, and its
 * counts would be wrong in a mixture. The following calls of libmlx5 are still made on the queues:
 *   - mlx5dv_init_obj() marks the completion queue as owned by the program. Calls that destroy or
 *     reset a queue pair then leave the ring of completions alone.
 *   - ibv_get_cq_event() reads events. ibv_req_notify_cq() would send libmlx5's count of
 *     completions to the device; therefore this part arms the queue itself.
 *   - mlx5dv_create_qp() creates the queue pairs without "scatter to CQE". With that feature, the
 *     device puts short messages into the completion, and libmlx5 copies them from there.
 * Compressed completions exist only in completion queues that were created for them. If a
 * compressed completion or a completion with data arrives nevertheless, its task ends with a
 * general error.                                                                                */

#ifdef DOCA_CORE_RDMA_VERBS

#define DOCA_PRIV_RDMA_CQE_FORMAT 0x0cu /* bits of op_own: data in the CQE, or compressed */
#define DOCA_PRIV_RDMA_CQE_SOLICITED 0x02u

/* ---- opening ---- */

/* True when DOCA_CORE_RDMA_ENGINE=verbs in the environment selects libibverbs for every device. */
static bool doca_priv_rdma_rings_are_off(void)
{
    const char *engine = doca_priv_sys_env("DOCA_CORE_RDMA_ENGINE");

    return engine != NULL && strcmp(engine, "verbs") == 0;
}

/* Create a protection domain whose queue pairs have a doorbell register that nothing else uses.
 * Returns false when the device has no unused register. */
static bool doca_priv_rdma_rings_make_domain(struct doca_rdma *r)
{
    struct ibv_parent_domain_init_attr attr;
    struct ibv_td_init_attr none;

    DOCA_CORE_MEMSET(&none, 0, sizeof(none));
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    r->rings.td = ibv_alloc_td(r->pd->context, &none);
    if (r->rings.td == NULL)
        return false;
    attr.pd = r->pd;
    attr.td = r->rings.td;
    r->rings.domain = ibv_alloc_parent_domain(r->pd->context, &attr);
    return r->rings.domain != NULL;
}

/* Find the shared receive queue. Its WQEs are a circular list from `head` to `tail`. */
static bool doca_priv_rdma_rings_find_srq(struct doca_rdma *r)
{
    struct mlx5dv_obj obj;
    struct mlx5dv_srq srq;

    DOCA_CORE_MEMSET(&obj, 0, sizeof(obj));
    DOCA_CORE_MEMSET(&srq, 0, sizeof(srq));
    obj.srq.in = r->srq;
    obj.srq.out = &srq;
    if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_SRQ) != 0 ||
        srq.stride < (1 + r->recv_list_len) * DOCA_PRIV_MLX5_SEG_BYTES)
        return false;
    r->rings.srq = (unsigned char *)srq.buf;
    r->rings.srq_dbrec = (uint32_t *)srq.dbrec;
    r->rings.srq_bytes = srq.stride;
    r->rings.srq_head = srq.head;
    r->rings.srq_tail = srq.tail;
    return true;
}

static bool doca_priv_rdma_rings_find_cq(struct doca_rdma *r)
{
    struct mlx5dv_obj obj;
    struct mlx5dv_cq cq;

    DOCA_CORE_MEMSET(&obj, 0, sizeof(obj));
    DOCA_CORE_MEMSET(&cq, 0, sizeof(cq));
    obj.cq.in = r->cq;
    obj.cq.out = &cq;
    if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ) != 0)
        return false;
    r->rings.cq = (unsigned char *)cq.buf + cq.cqe_size - sizeof(struct doca_priv_mlx5_cqe);
    r->rings.cqe = r->rings.cq;
    r->rings.end = r->rings.cq + (size_t)cq.cqe_cnt * cq.cqe_size;
    r->rings.cqe_bytes = cq.cqe_size;
    r->rings.cq_dbrec = (uint32_t *)cq.dbrec;
    r->rings.uar = (unsigned char *)cq.cq_uar;
    r->rings.cqn = cq.cqn;
    return true;
}

/* Return the value of `simple_buf` in struct doca_priv_rdma_rings for a device: the first word of
 * buffers of mmaps with this device alone. Returns 0 for a device that has no number in the flags
 * of buffers: only the first DOCA_PRIV_BUF_DEVS open devices have one. */
static uint32_t doca_priv_rdma_rings_simple_buf(const struct doca_dev *dev)
{
    uint32_t place = 0;

    while (place < DOCA_PRIV_BUF_DEVS && dev->bit != (uint64_t)1 << place)
        place++;
    return place == DOCA_PRIV_BUF_DEVS
               ? 0
               : doca_priv_buf_word_of(
                     DOCA_PRIV_KIND_BUF,
                     (uint8_t)(DOCA_PRIV_BUF_OUT + (place + 1) * DOCA_PRIV_BUF_DEV), 0);
}

/* Decide whether an instance with new queues uses the rings, and find their addresses. If a step
 * fails, the instance uses the slower calls of libibverbs. The completion queue comes last,
 * because libmlx5 treats that queue differently after mlx5dv_init_obj(). */
DOCA_PRIV_DECL void doca_priv_rdma_rings_open(struct doca_rdma *r)
{
    if (!DOCA_PRIV_MLX5_HAS_DOORBELL || doca_priv_rdma_rings_are_off() ||
        !mlx5dv_is_supported(r->pd->context->device) || !doca_priv_rdma_rings_make_domain(r) ||
        !doca_priv_rdma_rings_find_srq(r) || !doca_priv_rdma_rings_find_cq(r))
        return;
    r->rings.is_own = true;
    r->rings.simple_buf = doca_priv_rdma_rings_simple_buf(r->ctx.dev);
    if (r->ctx.dev->backend != r->ctx.dev->info.backend)
        return; /* the path of simple tasks does not look at faults */
    r->queue->post = doca_priv_rdma_rings_post;
    r->queue->poll = doca_priv_rdma_rings_poll;
}

/* Release the domain, after the queue pairs in it. Returns 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_rdma_rings_close(struct doca_rdma *r)
{
    int error = 0;

    if (r->rings.domain != NULL)
        error = ibv_dealloc_pd(r->rings.domain);
    if (r->rings.td != NULL && error == 0)
        error = ibv_dealloc_td(r->rings.td);
    r->rings.domain = NULL;
    r->rings.td = NULL;
    return error;
}

/* Create a queue pair of the instance, and update attr->cap. Returns NULL with errno. */
DOCA_PRIV_DECL struct ibv_qp *doca_priv_rdma_rings_create_qp(struct doca_rdma *r,
                                                             struct ibv_qp_init_attr *attr)
{
    struct mlx5dv_qp_init_attr mlx5;
    struct ibv_qp_init_attr_ex more;
    struct ibv_qp *qp;

    if (!r->rings.is_own)
        return ibv_create_qp(r->pd, attr);
    DOCA_CORE_MEMSET(&mlx5, 0, sizeof(mlx5));
    DOCA_CORE_MEMSET(&more, 0, sizeof(more));
    more.send_cq = attr->send_cq;
    more.recv_cq = attr->recv_cq;
    more.srq = attr->srq;
    more.cap = attr->cap;
    more.qp_type = attr->qp_type;
    more.comp_mask = IBV_QP_INIT_ATTR_PD;
    more.pd = r->rings.domain;
    mlx5.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS;
    mlx5.create_flags = MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE;
    qp = mlx5dv_create_qp(r->pd->context, &more, &mlx5);
    attr->cap = more.cap;
    if (attr->cap.max_inline_data > DOCA_PRIV_RDMA_INLINE)
        attr->cap.max_inline_data = DOCA_PRIV_RDMA_INLINE;
    return qp; /* analyzer: returnDanglingLifetime: the call keeps no pointer to `more` */
}

/* Find the send queue of a new queue pair. It must hold the longest WQEs of all tasks in flight: a
 * task is refused only when there are too many tasks. Returns 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_rdma_rings_attach(struct doca_rdma_connection *connection)
{
    const struct doca_rdma *r = connection->rdma;
    const uint32_t num_segs = 2 + (r->send_list_len > 5 ? r->send_list_len : 5);
    struct doca_priv_rdma_sq *sq = &connection->sq;
    struct mlx5dv_obj obj;
    struct mlx5dv_qp qp;
    int error;

    if (!r->rings.is_own)
        return 0;
    DOCA_CORE_MEMSET(&obj, 0, sizeof(obj));
    DOCA_CORE_MEMSET(&qp, 0, sizeof(qp));
    obj.qp.in = connection->qp;
    obj.qp.out = &qp;
    error = mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP);
    if (error != 0)
        return error;
    if (qp.sq.wqe_cnt / ((num_segs + 3) / 4) < r->send_queue_size)
        return ENOSPC;
    sq->ring = (unsigned char *)qp.sq.buf;
    /* analyzer: autoVariables: dbrec points to memory that libmlx5 keeps, not into `qp` */
    sq->dbrec = (uint32_t *)&qp.dbrec[MLX5_SND_DBR];
    sq->uar = qp.bf.reg;
    sq->mask = qp.sq.wqe_cnt - 1;
    sq->pi = 0;
    sq->qpn = connection->qp->qp_num;
    return 0;
}

/* Let the device send an event for the next completion. Returns 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_rdma_rings_arm(struct doca_rdma *r)
{
    const struct doca_priv_rdma_rings *rings = &r->rings;

    if (!rings->is_own)
        return ibv_req_notify_cq(r->cq, 0);
    doca_priv_mlx5_ring_arm(rings->cq_dbrec, rings->uar, rings->cqn, rings->ci, rings->num_events);
    return 0;
}

/* ---- completions ---- */

DOCA_PRIV_MLX5_HOT uint8_t doca_priv_rdma_rings_op_own(const struct doca_priv_rdma_rings *rings)
{
    return __atomic_load_n(rings->cqe + offsetof(struct doca_priv_mlx5_cqe, op_own),
                           __ATOMIC_RELAXED);
}

/* True when the device has written the next CQE. `op_own`: a member of it. */
DOCA_PRIV_MLX5_HOT bool doca_priv_rdma_rings_is_new(const struct doca_priv_rdma_rings *rings,
                                                    uint8_t op_own)
{
    return (op_own & 1) == rings->owner && op_own >> 4 != DOCA_PRIV_MLX5_CQE_INVALID;
}

/* Return 4 bytes of a CQE, as they are there. */
DOCA_PRIV_MLX5_HOT uint32_t doca_priv_rdma_rings_field(const struct doca_priv_rdma_rings *rings,
                                                       size_t offset)
{
    uint32_t value;

    DOCA_PRIV_COPY(&value, rings->cqe + offset, sizeof(value));
    return value;
}

/* Give the CQE that has just been read back to the device. */
DOCA_PRIV_MLX5_HOT void doca_priv_rdma_rings_release(struct doca_priv_rdma_rings *rings)
{
    rings->ci++;
    doca_priv_mlx5_cqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(&rings->cq_dbrec[0], rings->ci & 0xffffff);
    rings->cqe += rings->cqe_bytes;
    if (doca_unlikely(rings->cqe == rings->end)) {
        rings->cqe = rings->cq;
        rings->owner ^= 1;
    }
}

/* Return the status of verbs for a syndrome, as libmlx5 does. */
static enum ibv_wc_status doca_priv_rdma_rings_status(uint8_t syndrome)
{
    static const struct {
        uint8_t syndrome;
        enum ibv_wc_status status;
    } rows[] = {
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH, IBV_WC_LOC_LEN_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP, IBV_WC_LOC_QP_OP_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT, IBV_WC_LOC_PROT_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH, IBV_WC_WR_FLUSH_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_MW_BIND, IBV_WC_MW_BIND_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_BAD_RESP, IBV_WC_BAD_RESP_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS, IBV_WC_LOC_ACCESS_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ, IBV_WC_REM_INV_REQ_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS, IBV_WC_REM_ACCESS_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP, IBV_WC_REM_OP_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC, IBV_WC_RETRY_EXC_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC, IBV_WC_RNR_RETRY_EXC_ERR },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED, IBV_WC_REM_ABORT_ERR },
    };
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].syndrome == syndrome)
            return rows[i].status;
    return IBV_WC_GENERAL_ERR;
}

/* Put a receive WQE behind the free ones. */
static void doca_priv_rdma_rings_free_receive(struct doca_priv_rdma_rings *rings, uint32_t index)
{
    const uint16_t next = DOCA_PRIV_MLX5_BE16(index);

    DOCA_CORE_MEMCPY(rings->srq + (size_t)rings->srq_tail * rings->srq_bytes +
                         DOCA_PRIV_MLX5_SRQ_NEXT,
                     &next, sizeof(next));
    rings->srq_tail = index;
}

/* Read the completion of a receive WQE. Returns false when the task of the WQE was flushed. */
static bool doca_priv_rdma_rings_parse_receive(struct doca_rdma *r, uint8_t opcode,
                                               struct ibv_wc *wc)
{
    struct doca_priv_rdma_rings *rings = &r->rings;
    struct doca_priv_rdma_task *op = r->receives;
    uint16_t index;

    DOCA_PRIV_COPY(&index, rings->cqe + offsetof(struct doca_priv_mlx5_cqe, wqe_counter),
                   sizeof(index));
    index = DOCA_PRIV_MLX5_BE16(index);
    doca_priv_rdma_rings_free_receive(rings, index);
    while (op != NULL && op->ticket != index)
        op = doca_priv_rdma_task_of(op->task.next);
    wc->wr_id = (uintptr_t)op;
    wc->opcode =
        opcode == DOCA_PRIV_MLX5_CQE_RESP_WRITE_IMM ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;
    wc->byte_len =
        DOCA_PRIV_MLX5_BE32(doca_priv_rdma_rings_field(rings, DOCA_PRIV_MLX5_CQE_BYTE_COUNT));
    if (opcode == DOCA_PRIV_MLX5_CQE_RESP_WRITE_IMM || opcode == DOCA_PRIV_MLX5_CQE_RESP_SEND_IMM) {
        wc->wc_flags = IBV_WC_WITH_IMM;
        wc->imm_data = doca_priv_rdma_rings_field(rings, DOCA_PRIV_MLX5_CQE_IMM);
    }
    return op != NULL;
}

/* Read the next CQE into the members of *wc that the callers use. The device must have written the
 * CQE. wr_id receives the task of a receive WQE, or 0 for a request. Returns false when no task
 * waits for the CQE. */
static bool doca_priv_rdma_rings_parse(struct doca_rdma *r, uint8_t op_own, struct ibv_wc *wc)
{
    const unsigned char *cqe = r->rings.cqe;
    const uint8_t opcode = (uint8_t)(op_own >> 4);
    const uint32_t qpn =
        doca_priv_rdma_rings_field(&r->rings, offsetof(struct doca_priv_mlx5_cqe, sop_drop_qpn));

    wc->wr_id = 0;
    wc->status = IBV_WC_SUCCESS;
    wc->wc_flags = 0;
    wc->vendor_err = 0;
    wc->qp_num = DOCA_PRIV_MLX5_BE32(qpn) & 0xffffff;
    if (opcode == DOCA_PRIV_MLX5_CQE_REQ_ERR || opcode == DOCA_PRIV_MLX5_CQE_RESP_ERR) {
        wc->status =
            doca_priv_rdma_rings_status(cqe[offsetof(struct doca_priv_mlx5_cqe, syndrome)]);
        wc->vendor_err = cqe[offsetof(struct doca_priv_mlx5_cqe, vendor_err_synd)];
    } else if ((op_own & DOCA_PRIV_RDMA_CQE_FORMAT) != 0 ||
               opcode > DOCA_PRIV_MLX5_CQE_RESP_SEND_IMM) {
        wc->status = IBV_WC_GENERAL_ERR; /* of a kind that these queues cannot have */
    }
    return opcode == DOCA_PRIV_MLX5_CQE_REQ || opcode == DOCA_PRIV_MLX5_CQE_REQ_ERR ||
           doca_priv_rdma_rings_parse_receive(r, opcode, wc);
}

/* Read up to `max` completions, like ibv_poll_cq(). */
DOCA_PRIV_DECL int doca_priv_rdma_rings_read(struct doca_rdma *r, int max, struct ibv_wc *wc)
{
    struct doca_priv_rdma_rings *rings = &r->rings;
    uint8_t op_own;
    int num = 0;

    while (num < max) {
        op_own = doca_priv_rdma_rings_op_own(rings);
        if (!doca_priv_rdma_rings_is_new(rings, op_own))
            break;
        doca_priv_mlx5_owner_before_cqe();
        num += doca_priv_rdma_rings_parse(r, op_own, &wc[num]);
        doca_priv_rdma_rings_release(rings);
    }
    return num;
}

/* Return the task of the next CQE in the common case: the device has written the CQE, the CQE
 * reports the success of a request, and the connection is that of the previous completion. Returns
 * NULL in other cases. Requests complete in order, so the task is the first one of the
 * connection. */
DOCA_PRIV_MLX5_HOT struct doca_priv_rdma_task *doca_priv_rdma_rings_next(const struct doca_rdma *r,
                                                                         uint8_t op_own)
{
    const struct doca_rdma_connection *c = r->latest;
    uint32_t qpn;

    if (doca_unlikely((op_own & ~DOCA_PRIV_RDMA_CQE_SOLICITED) !=
                          ((uint32_t)DOCA_PRIV_MLX5_CQE_REQ << 4 | r->rings.owner) ||
                      c == NULL))
        return NULL;
    doca_priv_mlx5_owner_before_cqe();
    qpn = doca_priv_rdma_rings_field(&r->rings, offsetof(struct doca_priv_mlx5_cqe, sop_drop_qpn));
    return doca_likely((DOCA_PRIV_MLX5_BE32(qpn) & 0xffffff) == c->sq.qpn) ? c->ops : NULL;
}

/* End one task, in the common case that its request has succeeded. doca_priv_rdma_verbs_take()
 * handles all other cases, but is not called when there is nothing to do. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_rings_poll(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op = NULL;
    uint8_t op_own;

    if (doca_unlikely(++r->num_polls % DOCA_PRIV_RDMA_LISTEN_POLLS == 0))
        doca_priv_rdma_verbs_attend(r);
    op_own = doca_priv_rdma_rings_op_own(&r->rings);
    if (queue->first == NULL && r->num_events == 0) /* events come first */
        op = doca_priv_rdma_rings_next(r, op_own);
    if (op == NULL)
        return queue->first == NULL && !doca_priv_rdma_rings_is_new(&r->rings, op_own) &&
                       r->num_events == 0 && r->late == NULL
                   ? NULL
                   : doca_priv_rdma_verbs_take(queue);
    doca_priv_rdma_rings_release(&r->rings);
    r->latest->ops = doca_priv_rdma_task_of(op->task.next);
    r->latest->num_ops--;
    if (doca_priv_rdma_verbs_fills(op->task.type)) {
        op->result_len = op->ticket;
        doca_priv_rdma_grow(op->local, op->ticket);
    }
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, op, 0, 0);)
    op->task.status = (uint8_t)DOCA_SUCCESS;
    op->task.next = NULL;
    return &op->task;
}

#endif /* DOCA_CORE_RDMA_VERBS */

/* part: src/compat/rdma/rings_post.c */
/* ---- >>impl.rdma.rings_post -----------------------------------------------------------------
 * Writes the requests of tasks into the rings of an mlx5 device. The WQE of a simple task is
 * written in place. A task is simple if its only local buffer belongs to an mmap with this device
 * alone, and if its WQE cannot reach the end of the ring. Requests of other tasks are first
 * described as for libibverbs; their WQEs are written to the stack and then copied. An instance
 * with rings has room for the requests of all tasks that it accepts.                            */

#ifdef DOCA_CORE_RDMA_VERBS

/* Bytes of the longest WQE: with a list of maximal length, or with data inside. */
#define DOCA_PRIV_RDMA_WQE_BYTES                                                                   \
    ((2 + DOCA_CORE_RDMA_MAX_SEND_LIST) * DOCA_PRIV_MLX5_SEG_BYTES + 2 * DOCA_PRIV_RDMA_INLINE)

/* Write the control segment, with `ds` segments in the WQE. Returns its first 8 bytes, the value
 * for the doorbell register. Every request asks for a completion. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_rdma_rings_control(const struct doca_priv_rdma_sq *sq,
                                                         unsigned char *wqe, uint32_t opcode,
                                                         uint32_t ds, uint32_t imm)
{
    const uint64_t first = DOCA_PRIV_MLX5_BE64((uint64_t)(sq->pi & 0xffff) << 40 |
                                               (uint64_t)opcode << 32 | sq->qpn << 8 | ds);

    doca_priv_mlx5_put64(wqe, first);
    doca_priv_mlx5_put32(wqe + 8, DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_CE_ALWAYS));
    doca_priv_mlx5_put32(wqe + 12, imm);
    return first;
}

DOCA_PRIV_MLX5_HOT void doca_priv_rdma_rings_remote(unsigned char *seg, uint64_t addr,
                                                    uint32_t rkey)
{
    doca_priv_mlx5_put64(seg, DOCA_PRIV_MLX5_BE64(addr));
    doca_priv_mlx5_put64(seg + 8, DOCA_PRIV_MLX5_BE64((uint64_t)rkey << 32));
}

/* Tell the device of a new WQE with `ds` segments. */
DOCA_PRIV_MLX5_HOT void doca_priv_rdma_rings_ring(struct doca_priv_rdma_sq *sq, uint32_t ds,
                                                  uint64_t first)
{
    sq->pi += (ds + 3) / 4;
    doca_priv_mlx5_ring_doorbell(sq->dbrec, sq->uar, sq->pi, first);
}

/* ---- any request ---- */

/* Return the opcode of the device. */
static uint32_t doca_priv_rdma_rings_opcode(enum ibv_wr_opcode opcode)
{
    switch (opcode) {
    case IBV_WR_RDMA_WRITE:
        return DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE;
    case IBV_WR_RDMA_WRITE_WITH_IMM:
        return DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE_IMM;
    case IBV_WR_RDMA_READ:
        return DOCA_PRIV_MLX5_OPCODE_RDMA_READ;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
        return DOCA_PRIV_MLX5_OPCODE_ATOMIC_CS;
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
        return DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA;
    case IBV_WR_SEND_WITH_IMM:
        return DOCA_PRIV_MLX5_OPCODE_SEND_IMM;
    default:
        return DOCA_PRIV_MLX5_OPCODE_SEND;
    }
}

/* Write the data of a request, at segment `ds`: pointers to it, or the data itself. Returns the
 * number of the segment after it. */
static uint32_t doca_priv_rdma_rings_data(unsigned char *wqe, uint32_t ds,
                                          const struct ibv_send_wr *wr)
{
    unsigned char *at = wqe + (size_t)ds * DOCA_PRIV_MLX5_SEG_BYTES;
    uint32_t len = 0;
    int i;

    if ((wr->send_flags & IBV_SEND_INLINE) == 0) {
        for (i = 0; i < wr->num_sge; i++)
            doca_priv_mlx5_put_data(at + (size_t)i * DOCA_PRIV_MLX5_SEG_BYTES,
                                    doca_priv_mlx5_byte_count(wr->sg_list[i].length),
                                    wr->sg_list[i].lkey, wr->sg_list[i].addr);
        return ds + (uint32_t)wr->num_sge;
    }
    for (i = 0; i < wr->num_sge; i++) {
        DOCA_CORE_MEMCPY(at + 4 + len, (const void *)(uintptr_t)wr->sg_list[i].addr,
                         wr->sg_list[i].length);
        len += wr->sg_list[i].length;
    }
    doca_priv_mlx5_put32(at, DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_INLINE | len));
    DOCA_CORE_MEMSET(at + 4 + len, 0, DOCA_PRIV_MLX5_SEG_BYTES);
    return ds + (len + 19) / DOCA_PRIV_MLX5_SEG_BYTES;
}

/* Post a request to the send queue of a connection. The send queue must have room. */
DOCA_PRIV_DECL void doca_priv_rdma_rings_send(struct doca_rdma_connection *connection,
                                              const struct ibv_send_wr *wr)
{
    const uint32_t opcode = doca_priv_rdma_rings_opcode(wr->opcode);
    struct doca_priv_rdma_sq *sq = &connection->sq;
    const uint32_t start = sq->pi & sq->mask;
    unsigned char wqe[DOCA_PRIV_RDMA_WQE_BYTES];
    size_t bytes, before_end;
    uint64_t first;
    uint32_t ds = 1;

    if (opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_CS || opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA) {
        const bool is_swap = opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_CS;

        doca_priv_rdma_rings_remote(wqe + 16, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey);
        doca_priv_mlx5_put64(wqe + 32, DOCA_PRIV_MLX5_BE64(is_swap ? wr->wr.atomic.swap
                                                                   : wr->wr.atomic.compare_add));
        doca_priv_mlx5_put64(wqe + 40,
                             DOCA_PRIV_MLX5_BE64(is_swap ? wr->wr.atomic.compare_add : 0));
        ds = 3;
    } else if (opcode != DOCA_PRIV_MLX5_OPCODE_SEND && opcode != DOCA_PRIV_MLX5_OPCODE_SEND_IMM) {
        doca_priv_rdma_rings_remote(wqe + 16, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey);
        ds = 2;
    }
    ds = doca_priv_rdma_rings_data(wqe, ds, wr);
    /* the tasks of requests without immediate data have a 0 */
    first = doca_priv_rdma_rings_control(sq, wqe, opcode, ds, wr->imm_data);
    bytes = (size_t)ds * DOCA_PRIV_MLX5_SEG_BYTES;
    before_end = (size_t)(sq->mask + 1 - start) * DOCA_PRIV_MLX5_WQEBB;
    if (before_end > bytes)
        before_end = bytes;
    DOCA_CORE_MEMCPY(sq->ring + (size_t)start * DOCA_PRIV_MLX5_WQEBB, wqe, before_end);
    DOCA_CORE_MEMCPY(sq->ring, wqe + before_end, bytes - before_end);
    doca_priv_rdma_rings_ring(sq, ds, first);
}

/* Post the request of a receive task to the shared receive queue. The task remembers the index of
 * its WQE. Returns false when the queue is full. */
DOCA_PRIV_DECL bool doca_priv_rdma_rings_receive(struct doca_rdma *r,
                                                 struct doca_priv_rdma_task *op,
                                                 const struct ibv_sge *sges, int num)
{
    struct doca_priv_rdma_rings *rings = &r->rings;
    unsigned char *wqe = rings->srq + (size_t)rings->srq_head * rings->srq_bytes;
    unsigned char *seg = wqe + DOCA_PRIV_MLX5_SEG_BYTES;
    uint16_t next;
    int i;

    if (rings->srq_head == rings->srq_tail)
        return false;
    DOCA_CORE_MEMCPY(&next, wqe + DOCA_PRIV_MLX5_SRQ_NEXT, sizeof(next));
    for (i = 0; i < num; i++, seg += DOCA_PRIV_MLX5_SEG_BYTES)
        doca_priv_mlx5_put_data(seg, doca_priv_mlx5_byte_count(sges[i].length), sges[i].lkey,
                                sges[i].addr);
    if (seg != wqe + rings->srq_bytes) /* end the list of segments */
        doca_priv_mlx5_put_data(seg, 0, DOCA_PRIV_MLX5_INVALID_LKEY, 0);
    op->ticket = rings->srq_head;
    rings->srq_head = DOCA_PRIV_MLX5_BE16(next);
    rings->srq_posted++;
    doca_priv_mlx5_wqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(rings->srq_dbrec, rings->srq_posted & 0xffff);
    return true;
}

/* ---- simple tasks ---- */

/* The request of a simple task. Messages have no remote buffer. */
struct doca_priv_rdma_simple {
    const unsigned char *local;
    uint64_t remote;
    uint32_t opcode;
    uint32_t len;
    uint32_t lkey;
    bool is_inline;
};

/* True when the task may be simple: it sends, reads or writes, its connection is up and has room,
 * and its local buffer is a single buffer of an mmap that has only this device. */
DOCA_PRIV_MLX5_HOT bool doca_priv_rdma_rings_may_be_simple(const struct doca_rdma *r,
                                                           const struct doca_priv_rdma_task *op)
{
    const struct doca_rdma_connection *c = op->connection;
    const uint8_t any = (uint8_t)(0xff & ~DOCA_PRIV_BUF_WRITE);

    return DOCA_CORE_CHECK < 2 &&
           doca_likely((uint32_t)op->task.type - DOCA_PRIV_RDMA_SEND <=
                       DOCA_PRIV_RDMA_WRITE_IMM - DOCA_PRIV_RDMA_SEND) &&
           doca_likely(doca_priv_is_in(c, DOCA_PRIV_KIND_RDMA_CONNECTION, DOCA_PRIV_RDMA_UP)) &&
           doca_likely(c->rdma == r && c->serial == op->serial &&
                       c->num_ops != r->send_queue_size && op->local != NULL &&
                       doca_priv_buf_word(op->local, any, 0) == r->rings.simple_buf);
}

/* True when the remote buffer of the task is memory that the device reaches. */
DOCA_PRIV_MLX5_HOT bool doca_priv_rdma_rings_is_remote(const struct doca_rdma *r,
                                                       const struct doca_buf *buf)
{
    return doca_likely(buf != NULL && buf->kind == DOCA_PRIV_KIND_BUF && buf->flags != 0 &&
                       buf->mmap->remote_key != 0 && buf->mmap->devs->dev == r->ctx.dev);
}

/* Write to *s the request of a task for which doca_priv_rdma_rings_may_be_simple() is true. Returns
 * false when the task is not simple: the full check then decides whether the task is valid. */
DOCA_PRIV_MLX5_HOT bool doca_priv_rdma_rings_describe(const struct doca_rdma *r,
                                                      const struct doca_priv_rdma_task *op,
                                                      struct doca_priv_rdma_simple *s)
{
    static const uint8_t opcodes[] = {
        DOCA_PRIV_MLX5_OPCODE_SEND, DOCA_PRIV_MLX5_OPCODE_SEND_IMM,
        DOCA_PRIV_MLX5_OPCODE_RDMA_READ, DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE,
        DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE_IMM,
    };
    const struct doca_buf *local = op->local, *remote = op->remote;
    const bool is_read = op->task.type == DOCA_PRIV_RDMA_READ;
    const bool is_message = op->task.type < DOCA_PRIV_RDMA_READ;
    const struct doca_mmap *mmap = local->mmap;
    size_t len = local->data_len;

    s->remote = 0;
    s->opcode = opcodes[op->task.type - DOCA_PRIV_RDMA_SEND];
    s->local = local->data;
    if (!is_message) {
        if (!doca_priv_rdma_rings_is_remote(r, remote))
            return false;
        s->remote = (uintptr_t)remote->data + remote->data_len;
        if (is_read) {
            s->remote = (uintptr_t)remote->data;
            s->local += len;
            len = remote->data_len;
        }
        if (doca_unlikely(is_read ? (local->flags & DOCA_PRIV_BUF_WRITE) == 0 ||
                                        len > doca_priv_buf_tailroom(local)
                                  : len > doca_priv_buf_tailroom(remote)))
            return false;
    }
    s->len = (uint32_t)len;
    s->lkey = mmap->devs->mkey != 0 ? mmap->devs->mkey : mmap->devs->internal_mkey;
    s->is_inline = !is_read && len <= r->max_inline && !mmap->is_backend_only;
    return doca_likely(len - 1 < r->limits.message);
}

/* Copy up to DOCA_PRIV_RDMA_INLINE bytes. */
DOCA_PRIV_MLX5_HOT void doca_priv_rdma_rings_copy(unsigned char *to, const unsigned char *from,
                                                  uint32_t bytes)
{
    if (bytes <= 32) {
        doca_priv_mlx5_copy_short(to, from, bytes);
        return;
    }
    DOCA_PRIV_COPY(to, from, 32);
    DOCA_PRIV_COPY(to + bytes - 32, from + bytes - 32, 32);
}

/* Post a task. The common case is a simple task; doca_priv_rdma_verbs_post() posts any other, and
 * logs why it refuses one. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_rings_post(struct doca_core_queue *queue,
                                                      struct doca_task *task)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op = doca_priv_rdma_task_of(task);
    struct doca_rdma_connection *c = op->connection;
    struct doca_priv_rdma_simple s;
    unsigned char *wqe, *at;
    uint32_t ds = 2;

    if (!doca_priv_rdma_rings_may_be_simple(r, op) || !doca_priv_rdma_rings_describe(r, op, &s) ||
        doca_unlikely((c->sq.pi & c->sq.mask) == c->sq.mask)) /* the second block is the first */
        return doca_priv_rdma_verbs_post(queue, task);
    wqe = c->sq.ring + (size_t)(c->sq.pi & c->sq.mask) * DOCA_PRIV_MLX5_WQEBB;
    at = wqe + DOCA_PRIV_MLX5_SEG_BYTES;
    if (op->task.type >= DOCA_PRIV_RDMA_READ) {
        doca_priv_rdma_rings_remote(at, s.remote, op->remote->mmap->remote_key);
        at += DOCA_PRIV_MLX5_SEG_BYTES;
        ds = 3;
    }
    if (s.is_inline) {
        doca_priv_mlx5_put32(at, DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_INLINE | s.len));
        doca_priv_rdma_rings_copy(at + 4, s.local, s.len);
        ds += (s.len + 3) / DOCA_PRIV_MLX5_SEG_BYTES; /* beyond the first 12 bytes */
    } else {
        doca_priv_mlx5_put_data(at, doca_priv_mlx5_byte_count(s.len), s.lkey, (uintptr_t)s.local);
    }
    op->ticket = s.len;
    op->result_len = 0;
    c->num_ops++;
    doca_priv_rdma_append(&c->ops, &c->ops_last, op);
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    doca_priv_rdma_rings_ring(
        &c->sq, ds, doca_priv_rdma_rings_control(&c->sq, wqe, s.opcode, ds, op->imm));
    return DOCA_SUCCESS;
}

#endif /* DOCA_CORE_RDMA_VERBS */

/* part: src/compat/rdma/verbs_caps.c */
/* ---- >>impl.rdma.verbs_caps -----------------------------------------------------------------
 * Limits and global identifiers of RDMA devices, as libibverbs reports them. A query about a device
 * of a list opens the device for the time of the call.                                          */

#ifdef DOCA_CORE_RDMA_VERBS

/* Open the device with this name. Returns NULL with an errno in *error. */
static struct ibv_context *doca_priv_rdma_verbs_open_named(const char *name, int *error)
{
    struct ibv_context *context = NULL;
    struct ibv_device **list;
    int num = 0, i = 0;

    errno = 0;
    list = ibv_get_device_list(&num);
    while (list != NULL && i < num && !doca_priv_str_equal(ibv_get_device_name(list[i]), name))
        i++;
    if (list != NULL && i == num)
        errno = ENODEV;
    else if (list != NULL)
        context = ibv_open_device(list[i]);
    *error = errno;
    if (list != NULL)
        ibv_free_device_list(list);
    return context;
}

/* Open the device of a devinfo for a query. */
static doca_error_t doca_priv_rdma_verbs_begin_query(const struct doca_devinfo *devinfo,
                                                     struct ibv_context **context,
                                                     const char *function)
{
    int error = 0;

    *context = doca_priv_rdma_verbs_open_named(devinfo->attr.ibdev_name, &error);
    return *context != NULL
               ? DOCA_SUCCESS
               : doca_priv_rdma_verbs_refused(DOCA_ERROR_DRIVER, function, devinfo,
                                              DOCA_PRIV_LOG_TEXT("open the device for a query "
                                                                 "(ibv_open_device)"),
                                              error);
}

/* Return the lower of a limit of the device and one of >>rdma.config. */
static uint32_t doca_priv_rdma_verbs_lower(int64_t of_device, uint32_t of_config)
{
    return of_device < (int64_t)of_config ? (uint32_t)of_device : of_config;
}

/* The same for the size of a queue: a power of two. */
static uint32_t doca_priv_rdma_verbs_size(int64_t of_device, uint32_t of_config)
{
    uint32_t size = of_config;

    while (size > 1 && (int64_t)size > of_device)
        size /= 2;
    return size;
}

/* Read the limits. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_verbs_query(struct ibv_context *context,
                                      struct doca_priv_rdma_limits *limits, const char **step)
{
    struct ibv_device_attr device;
    struct ibv_port_attr port;
    int error;

    DOCA_CORE_MEMSET(&port, 0, sizeof(port));
    *step = DOCA_PRIV_LOG_TEXT("read the limits of the device (ibv_query_device)");
    error = ibv_query_device(context, &device);
    if (error != 0)
        return error;
    *step = DOCA_PRIV_LOG_TEXT("read the properties of the port (ibv_query_port)");
    error = ibv_query_port(context, DOCA_PRIV_RDMA_PORT, &port);
    if (error != 0)
        return error;
    limits->send_queue = doca_priv_rdma_verbs_size(device.max_qp_wr, DOCA_CORE_RDMA_MAX_SEND_QUEUE);
    limits->recv_queue =
        doca_priv_rdma_verbs_size(device.max_srq_wr, DOCA_CORE_RDMA_MAX_RECV_QUEUE);
    limits->send_list = doca_priv_rdma_verbs_lower(device.max_sge, DOCA_CORE_RDMA_MAX_SEND_LIST);
    if (device.max_sge_rd > 0) /* reads have lists, too */
        limits->send_list = doca_priv_rdma_verbs_lower(device.max_sge_rd, limits->send_list);
    limits->recv_list =
        doca_priv_rdma_verbs_lower(device.max_srq_sge, DOCA_CORE_RDMA_MAX_SEND_LIST);
    limits->message = doca_priv_rdma_verbs_lower(port.max_msg_sz, DOCA_CORE_RDMA_MAX_MESSAGE);
    limits->gids = (uint32_t)port.gid_tbl_len;
    return 0;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_limit(const struct doca_devinfo *devinfo,
                                                       const struct doca_dev *dev,
                                                       struct doca_priv_rdma_limits *limits,
                                                       const char *function)
{
    struct ibv_context *context = NULL;
    struct ibv_pd *pd = NULL;
    const char *step = NULL;
    doca_error_t rc;
    int error;

    doca_priv_listen();
    if (dev != NULL) {
        rc = dev->backend->get_pd(dev, &pd);
        if (rc != DOCA_SUCCESS)
            return doca_priv_refused(rc, function, dev);
    } else {
        rc = doca_priv_rdma_verbs_begin_query(devinfo, &context, function);
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    error = doca_priv_rdma_verbs_query(pd != NULL ? pd->context : context, limits, &step);
    if (context != NULL)
        (void)ibv_close_device(context);
    return error == 0
               ? DOCA_SUCCESS
               : doca_priv_rdma_verbs_refused(DOCA_ERROR_DRIVER, function, devinfo, step, error);
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_read_gids(const struct doca_devinfo *devinfo,
                                                           uint32_t first, uint32_t num,
                                                           struct doca_rdma_gid *gids,
                                                           const char *function)
{
    struct ibv_context *context = NULL;
    union ibv_gid gid;
    doca_error_t rc = doca_priv_rdma_verbs_begin_query(devinfo, &context, function);
    uint32_t i;

    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        DOCA_CORE_MEMSET(&gid, 0, sizeof(gid)); /* the index of an unused entry is refused */
        if (ibv_query_gid(context, DOCA_PRIV_RDMA_PORT, (int)(first + i), &gid) != 0)
            DOCA_CORE_MEMSET(&gid, 0, sizeof(gid));
        DOCA_CORE_MEMCPY(gids[i].raw, gid.raw, sizeof(gids[i].raw));
    }
    if (context != NULL)
        (void)ibv_close_device(context);
    return rc;
}

#endif /* DOCA_CORE_RDMA_VERBS */

/* part: src/compat/rdma/verbs_cm.c */
/* ---- >>impl.rdma.verbs_cm -------------------------------------------------------------------
 * Connections by address between queue pairs, through librdmacm. Its identifiers (struct
 * rdma_cm_id) only carry the connection messages: the queue pairs are made as for connections by
 * export, and move through their states with the attributes of rdma_init_qp_attr().
 *     client:    ASKING: resolve address, resolve route, connect -> response: UP
 *     listener:  request: ASKED -> accept: JOINING -> established, or first completion: UP
 * The kernel tells the peer when a side ends, also when its process is killed, so the connections
 * have no control queue pair. The event channel exists from the first call about an address on; it
 * belongs to the epoll set of the instance.                                                     */

#if defined(DOCA_CORE_RDMA_VERBS) && defined(DOCA_CORE_RDMA_CM)

#define DOCA_PRIV_RDMA_CM_WHERE "doca_pe_progress"
#define DOCA_PRIV_RDMA_CM_EVENTS 16   /* events that one call handles at most */
#define DOCA_PRIV_RDMA_CM_FIND_MS 200 /* until the search for an address is repeated */
#define DOCA_PRIV_RDMA_CM_BACKLOG 128 /* requests that wait at a port */
#define DOCA_PRIV_RDMA_CM_NO_PORT 8   /* reason of a rejection: nobody listens on the port */

/* Addresses of the families that librdmacm takes. */
union doca_priv_rdma_cm_addr {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
};

/* Create the event channel of an instance. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_cm_open(struct doca_rdma *r, const char **step)
{
    int flags;

    if (r->cm_channel != NULL)
        return 0;
    *step = DOCA_PRIV_LOG_TEXT("create an event channel of librdmacm (rdma_create_event_channel)");
    errno = 0;
    r->cm_channel = rdma_create_event_channel();
    if (r->cm_channel == NULL)
        return errno != 0 ? errno : ENODEV;
    *step = DOCA_PRIV_LOG_TEXT("watch the event channel of librdmacm");
    flags = (int)doca_priv_sys_call(SYS_fcntl, r->cm_channel->fd, 3 /* F_GETFL */, 0, 0, 0, 0);
    if (flags >= 0 &&
        doca_priv_sys_call(SYS_fcntl, r->cm_channel->fd, 4 /* F_SETFL */,
                           flags | 04000 /* NONBLOCK */, 0, 0, 0) == 0 &&
        doca_priv_rdma_watch(r, r->cm_channel->fd, DOCA_PRIV_RDMA_AT_CONN, 0))
        return 0;
    flags = errno;
    rdma_destroy_event_channel(r->cm_channel);
    r->cm_channel = NULL;
    return flags;
}

DOCA_PRIV_DECL void doca_priv_rdma_cm_close(struct doca_rdma *r)
{
    if (r->cm_channel == NULL)
        return;
    doca_priv_rdma_cm_end_ports(r);
    rdma_destroy_event_channel(r->cm_channel);
    r->cm_channel = NULL;
}

/* ---- addresses ---- */

/* Convert an address to that of its family. A GID of RoCE is an address of IPv6, or of IPv4. */
static void doca_priv_rdma_cm_convert(const struct doca_rdma *r, struct doca_rdma_addr *addr,
                                      union doca_priv_rdma_cm_addr *to)
{
    static const uint8_t mapped[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
    enum doca_rdma_addr_type type = DOCA_RDMA_ADDR_TYPE_IPv4;
    const char *text = NULL;
    struct in6_addr ipv6;
    uint16_t port = 0;

    DOCA_CORE_MEMSET(to, 0, sizeof(*to));
    (void)doca_rdma_addr_get_params(addr, &type, &text, &port);
    if (type == DOCA_RDMA_ADDR_TYPE_IPv4) {
        to->ipv4.sin_family = AF_INET;
        to->ipv4.sin_port = htons(port);
        (void)inet_pton(AF_INET, text, &to->ipv4.sin_addr);
        return;
    }
    (void)inet_pton(AF_INET6, text, &ipv6);
    if (DOCA_CORE_MEMCMP(&ipv6, mapped, sizeof(mapped)) == 0) {
        to->ipv4.sin_family = AF_INET;
        to->ipv4.sin_port = htons(port);
        DOCA_CORE_MEMCPY(&to->ipv4.sin_addr, (const uint8_t *)(const void *)&ipv6 + sizeof(mapped),
                         sizeof(to->ipv4.sin_addr));
        return;
    }
    to->ipv6.sin6_family = AF_INET6;
    to->ipv6.sin6_port = htons(port);
    to->ipv6.sin6_addr = ipv6;
    if (((const uint8_t *)(const void *)&ipv6)[0] == 0xfe) /* of one link: that of the device */
        to->ipv6.sin6_scope_id = if_nametoindex(r->ctx.dev->info.attr.iface_name);
}

/* Find the source address for a connection request to a peer with an IPv4 address: the IPv4 address
 * of the device. Returns false when the device has none, or the address of the peer is not IPv4.
 * The kernel's routes then select the source address. */
static bool doca_priv_rdma_cm_source(const struct doca_rdma *r,
                                     const union doca_priv_rdma_cm_addr *peer,
                                     union doca_priv_rdma_cm_addr *from)
{
    uint8_t bytes[DOCA_DEVINFO_IPV4_ADDR_SIZE];

    if (peer->any.sa_family != AF_INET ||
        doca_devinfo_get_ipv4_addr(&r->ctx.dev->info, bytes, sizeof(bytes)) != DOCA_SUCCESS)
        return false;
    DOCA_CORE_MEMSET(from, 0, sizeof(*from));
    from->ipv4.sin_family = AF_INET;
    DOCA_CORE_MEMCPY(&from->ipv4.sin_addr, bytes, sizeof(bytes));
    return from->ipv4.sin_addr.s_addr != 0;
}

/* True when the identifier uses the device and the port of the instance. */
static bool doca_priv_rdma_cm_is_here(const struct doca_rdma *r, const struct rdma_cm_id *id)
{
    return id->verbs != NULL && id->port_num == DOCA_PRIV_RDMA_PORT &&
           doca_priv_str_equal(ibv_get_device_name(id->verbs->device),
                               ibv_get_device_name(r->pd->context->device));
}

/* ---- queue pairs ---- */

/* Move the queue pair of a connection to RTR or RTS. Returns an errno, or 0. */
static int doca_priv_rdma_cm_modify(struct doca_rdma_connection *c, enum ibv_qp_state state)
{
    const struct doca_rdma *r = c->rdma;
    struct ibv_qp_attr attr;
    int mask = 0;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = state;
    if (rdma_init_qp_attr(c->cm_id, &attr, &mask) != 0)
        return errno;
    if (state == IBV_QPS_RTR) {
        attr.min_rnr_timer = DOCA_PRIV_RDMA_RNR_TIMER;
        if ((unsigned)attr.path_mtu > (unsigned)c->place.mtu)
            attr.path_mtu = (enum ibv_mtu)c->place.mtu;
    } else {
        attr.rnr_retry = r->rnr_retry_count;
    }
    return ibv_modify_qp(c->qp, &attr, mask);
}

/* Move the queue pair from INIT to RTS. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_cm_ready(struct doca_rdma_connection *c, const char **step)
{
    int error;

    *step = DOCA_PRIV_LOG_TEXT("bring the queue pair to RTR (rdma_init_qp_attr, ibv_modify_qp)");
    error = doca_priv_rdma_cm_modify(c, IBV_QPS_RTR);
    if (error != 0)
        return error;
    *step = DOCA_PRIV_LOG_TEXT("bring the queue pair to RTS (rdma_init_qp_attr, ibv_modify_qp)");
    return doca_priv_rdma_cm_modify(c, IBV_QPS_RTS);
}

/* Fill in the properties of this side's queue pair that the peer must know. */
static void doca_priv_rdma_cm_describe(const struct doca_rdma_connection *c,
                                       struct rdma_conn_param *param)
{
    DOCA_CORE_MEMSET(param, 0, sizeof(*param));
    param->responder_resources = param->initiator_depth = (uint8_t)c->rdma->max_reads;
    param->retry_count = DOCA_PRIV_RDMA_RETRIES;
    param->rnr_retry_count = c->rdma->rnr_retry_count;
    param->srq = 1;
    param->qp_num = c->qp->qp_num;
}

/* Add a connection whose queue pair takes requests to the live ones. */
static void doca_priv_rdma_cm_enter(struct doca_rdma_connection *c)
{
    c->next_live = c->rdma->live;
    c->rdma->live = c;
    c->rdma->num_live++;
}

static void doca_priv_rdma_cm_up(struct doca_rdma_connection *c)
{
    c->deadline = 0;
    c->was_up = true;
    doca_priv_rdma_set_state(c, DOCA_PRIV_RDMA_UP);
    doca_priv_rdma_tell(c, DOCA_PRIV_RDMA_ESTABLISHED);
}

/* Make the connection UP if it is JOINING. The caller has handled the completion of one of its
 * tasks, so the peer is connected, although the event ESTABLISHED has not arrived yet. */
DOCA_PRIV_DECL void doca_priv_rdma_cm_heard(struct doca_rdma_connection *connection)
{
    if (doca_unlikely(connection->obj.state == DOCA_PRIV_RDMA_JOINING))
        doca_priv_rdma_cm_up(connection);
}

/* Log the error of a connection that could not be made, and end it with the failure callback. */
static void doca_priv_rdma_cm_fail(struct doca_rdma_connection *c, doca_error_t code,
                                   enum doca_core_item item)
{
    (void)doca_priv_fail(code, item, DOCA_PRIV_RDMA_CM_WHERE, c);
    c->rdma->transport->down(c, code, DOCA_PRIV_RDMA_FAILED);
}

/* The same when a step of the connection manager failed: log the step with its errno. */
static void doca_priv_rdma_cm_refused(struct doca_rdma_connection *c, const char *step, int error)
{
    (void)doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_CM_WHERE, c,
                                       step, error);
    c->rdma->transport->down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_FAILED);
}

/* ---- events ---- */

/* Find the device and the neighbour of the address of a connection. When the kernel finds a
 * neighbour, it may leave a request for this neighbour waiting until the time limit of the request.
 * So each request gets only a part of the time, and is repeated. */
static void doca_priv_rdma_cm_find(struct doca_rdma_connection *c)
{
    union doca_priv_rdma_cm_addr from, to;
    const int ms = c->rdma->timeout < DOCA_PRIV_RDMA_CM_FIND_MS ? (int)c->rdma->timeout
                                                                : DOCA_PRIV_RDMA_CM_FIND_MS;

    doca_priv_rdma_cm_convert(c->rdma, c->addr, &to);
    if (rdma_resolve_addr(c->cm_id,
                          doca_priv_rdma_cm_source(c->rdma, &to, &from) ? &from.any : NULL, &to.any,
                          ms) != 0)
        doca_priv_rdma_cm_refused(c, DOCA_PRIV_LOG_TEXT("find the address (rdma_resolve_addr)"),
                                  errno);
}

/* The address of the peer is resolved: find the route. */
static void doca_priv_rdma_cm_route(struct doca_rdma_connection *c)
{
    if (!doca_priv_rdma_cm_is_here(c->rdma, c->cm_id))
        doca_priv_rdma_cm_fail(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_ELSEWHERE);
    else if (rdma_resolve_route(c->cm_id, c->rdma->timeout) != 0)
        doca_priv_rdma_cm_refused(
            c, DOCA_PRIV_LOG_TEXT("find a route to the peer (rdma_resolve_route)"), errno);
}

/* The route is known: ask the peer. */
static void doca_priv_rdma_cm_connect(struct doca_rdma_connection *c)
{
    struct rdma_conn_param param;

    doca_priv_rdma_cm_describe(c, &param);
    if (rdma_connect(c->cm_id, &param) != 0)
        doca_priv_rdma_cm_refused(c, DOCA_PRIV_LOG_TEXT("ask the peer (rdma_connect)"), errno);
}

/* The peer has accepted. */
static void doca_priv_rdma_cm_answered(struct doca_rdma_connection *c)
{
    const char *step;
    int error = doca_priv_rdma_cm_ready(c, &step);

    if (error == 0) {
        step = DOCA_PRIV_LOG_TEXT("establish the connection (rdma_establish)");
        error = rdma_establish(c->cm_id) == 0 ? 0 : errno;
    }
    if (error != 0) {
        doca_priv_rdma_cm_refused(c, step, error);
        return;
    }
    doca_priv_rdma_cm_enter(c);
    doca_priv_rdma_cm_up(c);
}

/* A peer asks for a connection. */
static void doca_priv_rdma_cm_asked(struct doca_rdma *r, struct rdma_cm_id *id,
                                    const struct doca_priv_rdma_port *entry)
{
    struct doca_rdma_connection *c = NULL;

    id->context = NULL;
    if (!doca_priv_rdma_cm_is_here(r, id) || entry->fd < 0 ||
        doca_priv_rdma_conn_open(r, &c, DOCA_PRIV_RDMA_CM_WHERE) != DOCA_SUCCESS) {
        (void)rdma_reject(id, NULL, 0);
        (void)rdma_destroy_id(id);
        return;
    }
    doca_priv_rdma_verbs_forget_control(c, false);
    id->context = c;
    c->cm_id = id;
    c->port = entry->port;
    c->obj.state = DOCA_PRIV_RDMA_ASKED;
    doca_priv_rdma_tell(c, DOCA_PRIV_RDMA_REQUESTED);
}

/* Handle an event by which a connection fails before it is established. When the address was not
 * found in time, search again until the deadline; otherwise end the connection with the failure
 * callback. In the state ASKED do nothing: the program of the listener has not answered the request
 * yet, and its accept will fail. */
static void doca_priv_rdma_cm_rejected(struct doca_rdma_connection *c,
                                       enum rdma_cm_event_type event, int status)
{
    if (c->obj.state == DOCA_PRIV_RDMA_ASKED)
        return;
    if (event == RDMA_CM_EVENT_ADDR_ERROR && status == -ETIMEDOUT &&
        doca_priv_sys_now() < c->deadline)
        doca_priv_rdma_cm_find(c);
    else if (event == RDMA_CM_EVENT_REJECTED)
        doca_priv_rdma_cm_fail(c, DOCA_ERROR_CONNECTION_ABORTED,
                               status == DOCA_PRIV_RDMA_CM_NO_PORT ? DOCA_CORE_ITEM_RDMA_NO_LISTENER
                                                                   : DOCA_CORE_ITEM_RDMA_REJECTED);
    else if (event == RDMA_CM_EVENT_UNREACHABLE)
        doca_priv_rdma_cm_fail(c, DOCA_ERROR_TIME_OUT, DOCA_CORE_ITEM_RDMA_LATE);
    else
        doca_priv_rdma_cm_refused(
            c,
            event == RDMA_CM_EVENT_ADDR_ERROR    ? DOCA_PRIV_LOG_TEXT("find the address")
            : event == RDMA_CM_EVENT_ROUTE_ERROR ? DOCA_PRIV_LOG_TEXT("find a route to the address")
                                                 : DOCA_PRIV_LOG_TEXT("make the connection"),
            status < 0 ? -status : status);
}

/* Handle an event of a connection. */
static void doca_priv_rdma_cm_happened(struct doca_rdma_connection *c,
                                       enum rdma_cm_event_type event, int status)
{
    const uint8_t state = c->obj.state;

    switch (event) {
    case RDMA_CM_EVENT_ADDR_RESOLVED:
        doca_priv_rdma_cm_route(c);
        return;
    case RDMA_CM_EVENT_ROUTE_RESOLVED:
        doca_priv_rdma_cm_connect(c);
        return;
    case RDMA_CM_EVENT_CONNECT_RESPONSE:
        if (state == DOCA_PRIV_RDMA_ASKING)
            doca_priv_rdma_cm_answered(c);
        return;
    case RDMA_CM_EVENT_ESTABLISHED:
        if (state == DOCA_PRIV_RDMA_JOINING)
            doca_priv_rdma_cm_up(c);
        return;
    case RDMA_CM_EVENT_DISCONNECTED:
    case RDMA_CM_EVENT_DEVICE_REMOVAL:
        if (state != DOCA_PRIV_RDMA_ASKED)
            doca_priv_rdma_verbs_lose(c);
        return;
    case RDMA_CM_EVENT_ADDR_ERROR:
    case RDMA_CM_EVENT_ROUTE_ERROR:
    case RDMA_CM_EVENT_CONNECT_ERROR:
    case RDMA_CM_EVENT_UNREACHABLE:
    case RDMA_CM_EVENT_REJECTED:
        doca_priv_rdma_cm_rejected(c, event, status);
        return;
    default: /* nothing to do */
        return;
    }
}

/* Handle the next event. Returns false when no event is there. */
static bool doca_priv_rdma_cm_take(struct doca_rdma *r)
{
    struct rdma_cm_event *event = NULL;
    struct doca_rdma_connection *c;
    enum rdma_cm_event_type what;
    struct rdma_cm_id *id;
    int status;

    if (rdma_get_cm_event(r->cm_channel, &event) != 0)
        return false;
    what = event->event;
    id = event->id;
    status = event->status;
    (void)rdma_ack_cm_event(event); /* rdma_destroy_id() waits for it */
    if (what == RDMA_CM_EVENT_CONNECT_REQUEST) {
        doca_priv_rdma_cm_asked(r, id, (const struct doca_priv_rdma_port *)id->context);
        return true;
    }
    c = (struct doca_rdma_connection *)id->context;
    if (c >= r->conns && c < r->conns + r->max_conns && c->cm_id == id)
        doca_priv_rdma_cm_happened(c, what, status);
    return true;
}

/* End what has waited for too long. */
static void doca_priv_rdma_cm_expire(struct doca_rdma *r)
{
    const uint64_t now = doca_priv_sys_now();
    struct doca_rdma_connection *c;

    for (c = r->conns; r->num_unsettled > 0 && c < r->conns + r->max_conns; c++)
        if ((c->obj.state == DOCA_PRIV_RDMA_ASKING || c->obj.state == DOCA_PRIV_RDMA_JOINING) &&
            c->deadline <= now)
            doca_priv_rdma_cm_fail(c, DOCA_ERROR_TIME_OUT, DOCA_CORE_ITEM_RDMA_LATE);
}

/* Handle what the event channel has. */
DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void doca_priv_rdma_cm_look(struct doca_rdma *r)
{
    uint32_t i;

    if (r->cm_channel == NULL)
        return;
    for (i = 0; i < DOCA_PRIV_RDMA_CM_EVENTS && doca_priv_rdma_cm_take(r); i++)
        continue;
    if (r->num_unsettled > 0)
        doca_priv_rdma_cm_expire(r);
}

/* ---- calls of the program ---- */

/* Let the identifier listen on the port, for addresses of a family. Returns an errno, or 0. */
static int doca_priv_rdma_cm_bind(struct rdma_cm_id *id, int family, uint16_t port)
{
    union doca_priv_rdma_cm_addr any;

    DOCA_CORE_MEMSET(&any, 0, sizeof(any));
    any.any.sa_family = (sa_family_t)family;
    if (family == AF_INET)
        any.ipv4.sin_port = htons(port);
    else
        any.ipv6.sin6_port = htons(port); /* takes addresses of IPv4, too */
    return rdma_bind_addr(id, &any.any) == 0 ? 0 : errno;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_cm_listen(struct doca_rdma *r,
                                                     struct doca_priv_rdma_port *entry,
                                                     uint16_t port, const char *function)
{
    struct rdma_cm_id *id = NULL;
    const char *step = NULL;
    int error = doca_priv_rdma_cm_open(r, &step);

    if (error == 0) {
        step = DOCA_PRIV_LOG_TEXT("listen on the port (rdma_create_id, rdma_bind_addr, "
                                  "rdma_listen)");
        error = rdma_create_id(r->cm_channel, &id, entry, RDMA_PS_TCP) == 0 ? 0 : errno;
    }
    if (error == 0) {
        error = doca_priv_rdma_cm_bind(id, AF_INET6, port);
        if (error == EAFNOSUPPORT)
            error = doca_priv_rdma_cm_bind(id, AF_INET, port);
    }
    if (error == 0)
        error = rdma_listen(id, DOCA_PRIV_RDMA_CM_BACKLOG) == 0 ? 0 : errno;
    if (error != 0) {
        if (id != NULL)
            (void)rdma_destroy_id(id);
        if (error == EADDRINUSE || error == EADDRNOTAVAIL) /* another has the port */
            return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_PORT_TAKEN,
                                  function, r);
        return doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, function, r, step,
                                            error);
    }
    entry->cm_id = id;
    entry->port = port;
    entry->fd = r->cm_channel->fd; /* of all ports */
    return DOCA_SUCCESS;
}

static void doca_priv_rdma_cm_end_port(struct doca_priv_rdma_port *entry)
{
    if (entry->fd >= 0)
        (void)rdma_destroy_id(entry->cm_id);
    entry->cm_id = NULL;
    entry->fd = -1;
}

DOCA_PRIV_DECL void doca_priv_rdma_cm_unlisten(struct doca_rdma *r,
                                               struct doca_priv_rdma_port *entry)
{
    doca_priv_rdma_cm_end_port(entry);
    doca_priv_rdma_refuse_unheard(r, entry->port);
}

DOCA_PRIV_DECL void doca_priv_rdma_cm_end_ports(struct doca_rdma *r)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        doca_priv_rdma_cm_end_port(&r->ports[i]);
}

/* Set the time until which the peer must have answered. */
static void doca_priv_rdma_cm_limit(struct doca_rdma_connection *c)
{
    c->deadline = doca_priv_sys_now() + (uint64_t)c->rdma->timeout * 1000000u;
    doca_priv_rdma_wake_program(c->rdma); /* so that the next sleep ends in time */
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_cm_ask(struct doca_rdma_connection *connection,
                                                  struct doca_rdma_addr *addr, const char *function)
{
    struct doca_rdma *r = connection->rdma;
    const char *step = NULL;
    int error = doca_priv_rdma_cm_open(r, &step);

    doca_priv_rdma_verbs_forget_control(connection, false);
    if (error == 0) {
        step = DOCA_PRIV_LOG_TEXT("create an identifier (rdma_create_id)");
        error = rdma_create_id(r->cm_channel, &connection->cm_id, connection, RDMA_PS_TCP) == 0
                    ? 0
                    : errno;
    }
    if (error != 0)
        return doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, function, r, step,
                                            error);
    doca_priv_rdma_hold_addr(addr);
    connection->addr = addr;
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_ASKING);
    doca_priv_rdma_cm_limit(connection);
    doca_priv_rdma_cm_find(connection);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_cm_accept(struct doca_rdma_connection *connection,
                                                     const void *private_data,
                                                     uint8_t private_data_len, const char *function)
{
    struct doca_rdma *r = connection->rdma;
    struct rdma_conn_param param;
    const char *step;
    int error = doca_priv_rdma_cm_ready(connection, &step);

    if (error == 0) {
        step = DOCA_PRIV_LOG_TEXT("accept the connection (rdma_accept)");
        doca_priv_rdma_cm_describe(connection, &param);
        param.private_data = private_data;
        param.private_data_len = private_data_len;
        error = rdma_accept(connection->cm_id, &param) == 0 ? 0 : errno;
    }
    if (error != 0) {
        (void)doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, function, connection,
                                           step, error);
        r->transport->down(connection, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    doca_priv_rdma_cm_enter(connection);
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_JOINING);
    doca_priv_rdma_cm_limit(connection);
    return DOCA_SUCCESS;
}

/* End the identifier of a connection that ends: the kernel tells the peer. */
DOCA_PRIV_DECL void doca_priv_rdma_cm_end(struct doca_rdma_connection *connection)
{
    struct rdma_cm_id *id = connection->cm_id;

    if (id == NULL)
        return;
    connection->cm_id = NULL;
    if (connection->obj.state == DOCA_PRIV_RDMA_ASKED)
        (void)rdma_reject(id, NULL, 0);
    else if (connection->obj.state >= DOCA_PRIV_RDMA_JOINING)
        (void)rdma_disconnect(id);
    (void)rdma_destroy_id(id);
}

#endif /* DOCA_CORE_RDMA_VERBS && DOCA_CORE_RDMA_CM */

/* part: src/compat/rdma/verbs_end.c */
/* ---- >>impl.rdma.verbs_end ------------------------------------------------------------------
 * How a side of a connection between queue pairs learns that its peer has ended. Beside the queue
 * pair of its tasks, each connection has a second queue pair, the control queue pair. The exported
 * details contain the numbers of both. A side that ends sends the goodbye: an empty message on the
 * control queue pair. The peer has posted a receive request for the goodbye from the start. So the
 * goodbye uses no receive task of the program, and it needs no permission of the peer's instance.
 * A process that was killed sends no goodbye. Therefore a side sends a probe every
 * DOCA_CORE_RDMA_PROBE_MS while a connection has no task in flight: it writes 0 bytes through the
 * control queue pair. The device of a living peer answers a probe without its program. A side sends
 * the first probe when it connects, and repeats it until the peer has connected. Only after that
 * does an unanswered probe mean that the peer has ended.
 * The control queue pairs of an instance have a separate protection domain without any memory, so
 * that a peer cannot use their permission to write. They also have a separate completion queue.
 * Only every DOCA_PRIV_RDMA_LISTEN_POLLS-th call of poll looks at that queue. It wakes a sleeping
 * program for goodbyes and failures, but not for answered probes.                               */

#ifdef DOCA_CORE_RDMA_VERBS

#define DOCA_PRIV_RDMA_PROBE_NS ((uint64_t)DOCA_CORE_RDMA_PROBE_MS * 1000000u)
#define DOCA_PRIV_RDMA_STOP_NS 1000000000u /* how long a stop waits for the goodbyes */
#define DOCA_PRIV_RDMA_LOOK_NS 20000000u   /* between two looks for an ended peer */
#define DOCA_PRIV_RDMA_REUSE_NS 10000000u  /* how long an export waits for an older goodbye */
#define DOCA_PRIV_RDMA_CLOCK_POLLS 256u    /* polls until the clock is read; a power of 2 */
#define DOCA_PRIV_RDMA_CONTROL_REQUESTS 2u /* a probe and the goodbye */
#define DOCA_PRIV_RDMA_CONTROL_ENTRIES 3u  /* completions of a connection: these, and a receive */

/* The purpose of a request on a control queue pair. The number of the request is the index of the
 * connection times DOCA_PRIV_RDMA_PURPOSES, plus the purpose. */
enum {
    DOCA_PRIV_RDMA_HEAR = 1,
    DOCA_PRIV_RDMA_PROBE,
    DOCA_PRIV_RDMA_GOODBYE,
    DOCA_PRIV_RDMA_PURPOSES
};

static uint64_t doca_priv_rdma_verbs_number(const struct doca_rdma_connection *connection,
                                            uint32_t purpose)
{
    return (uint64_t)(connection - connection->rdma->conns) * DOCA_PRIV_RDMA_PURPOSES + purpose;
}

/* Create the protection domain and the completion queue of the control queue pairs. Returns an
 * errno with the step that failed, or 0. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_open_control(struct doca_rdma *r, const char **step)
{
    *step = DOCA_PRIV_LOG_TEXT("allocate a protection domain (ibv_alloc_pd)");
    r->control_pd = ibv_alloc_pd(r->pd->context);
    if (r->control_pd == NULL)
        return errno;
    *step = DOCA_PRIV_LOG_TEXT("create a second completion queue (ibv_create_cq)");
    r->control_cq =
        ibv_create_cq(r->pd->context, (int)(r->max_conns * DOCA_PRIV_RDMA_CONTROL_ENTRIES + 1),
                      NULL, r->channel, 0);
    return r->control_cq != NULL ? 0 : errno;
}

/* Destroy both, once the control queue pairs and the events are gone. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_close_control(struct doca_rdma *r)
{
    if (r->control_cq != NULL)
        doca_priv_rdma_verbs_released(
            r, ibv_destroy_cq(r->control_cq),
            DOCA_PRIV_LOG_TEXT("destroy a completion queue (ibv_destroy_cq)"));
    if (r->control_pd != NULL)
        doca_priv_rdma_verbs_released(
            r, ibv_dealloc_pd(r->control_pd),
            DOCA_PRIV_LOG_TEXT("release a protection domain (ibv_dealloc_pd)"));
    r->control_cq = NULL;
    r->control_pd = NULL;
}

/* Bring a control queue pair from RESET to INIT, and post the receive request of the goodbye.
 * Returns an errno, or 0. */
static int doca_priv_rdma_verbs_hear(struct doca_rdma_connection *connection)
{
    struct ibv_recv_wr wr, *bad = NULL;
    int error;

    error = doca_priv_rdma_verbs_to_init(connection->control, (unsigned)IBV_ACCESS_REMOTE_WRITE);
    if (error != 0)
        return error;
    DOCA_CORE_MEMSET(&wr, 0, sizeof(wr));
    wr.wr_id = doca_priv_rdma_verbs_number(connection, DOCA_PRIV_RDMA_HEAR);
    return ibv_post_recv(connection->control, &wr, &bad);
}

/* Create the control queue pair of a connection. Returns 0, or an errno and the name of the failed
 * step in *step. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_create_control(struct doca_rdma_connection *connection,
                                                       const char **step)
{
    struct doca_rdma *r = connection->rdma;
    struct ibv_qp_init_attr attr;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.send_cq = attr.recv_cq = r->control_cq;
    attr.qp_type = IBV_QPT_RC;
    attr.cap.max_send_wr = DOCA_PRIV_RDMA_CONTROL_REQUESTS;
    attr.cap.max_recv_wr = 1;
    attr.cap.max_send_sge = attr.cap.max_recv_sge = 1;
    *step = DOCA_PRIV_LOG_TEXT("create a control queue pair (ibv_create_qp)");
    connection->control = ibv_create_qp(r->control_pd, &attr);
    if (connection->control == NULL)
        return errno;
    *step = DOCA_PRIV_LOG_TEXT("bring a control queue pair to INIT (ibv_modify_qp)");
    return doca_priv_rdma_verbs_hear(connection);
}

/* Post an empty request to the control queue pair. */
static bool doca_priv_rdma_verbs_say(struct doca_rdma_connection *connection, uint32_t purpose)
{
    struct ibv_send_wr wr, *bad = NULL;

    DOCA_CORE_MEMSET(&wr, 0, sizeof(wr));
    wr.wr_id = doca_priv_rdma_verbs_number(connection, purpose);
    wr.opcode = purpose == DOCA_PRIV_RDMA_GOODBYE ? IBV_WR_SEND : IBV_WR_RDMA_WRITE;
    wr.send_flags = (unsigned)IBV_SEND_SIGNALED |
                    (purpose == DOCA_PRIV_RDMA_GOODBYE ? (unsigned)IBV_SEND_SOLICITED : 0u);
    return ibv_post_send(connection->control, &wr, &bad) == 0;
}

/* Set the time of the next probe. */
static void doca_priv_rdma_verbs_wait_probe(struct doca_rdma_connection *connection)
{
    connection->deadline =
        DOCA_CORE_RDMA_PROBE_MS > 0 ? doca_priv_sys_now() + DOCA_PRIV_RDMA_PROBE_NS : 0;
}

static void doca_priv_rdma_verbs_probe(struct doca_rdma_connection *connection)
{
    if (DOCA_CORE_RDMA_PROBE_MS > 0)
        connection->is_probing = doca_priv_rdma_verbs_say(connection, DOCA_PRIV_RDMA_PROBE);
    doca_priv_rdma_verbs_wait_probe(connection);
}

/* Connect the control queue pair to that of the peer, and send the first probe. Returns an errno
 * with the step that failed, or 0. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_join_control(struct doca_rdma_connection *connection,
                                                     const struct doca_priv_rdma_place *peer,
                                                     const char **step)
{
    const struct doca_priv_rdma_ends ends = { connection->control, connection->place.control_psn,
                                              peer->control_qpn, peer->control_psn };
    int error = doca_priv_rdma_verbs_to_rts(connection, &ends, peer, step);

    if (error != 0)
        return error;
    connection->peer_place = *peer;
    doca_priv_rdma_verbs_probe(connection);
    return 0;
}

/* Bring a control queue pair back to INIT. Returns false when the device refuses. */
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_reset_control(struct doca_rdma_connection *connection)
{
    struct ibv_qp_attr attr;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RESET;
    return ibv_modify_qp(connection->control, &attr, IBV_QP_STATE) == 0 &&
           doca_priv_rdma_verbs_hear(connection) == 0;
}

/* The peer has ended. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_lose(struct doca_rdma_connection *connection)
{
    if (connection->obj.state == DOCA_PRIV_RDMA_DOWN)
        return;
    connection->has_left = true;
    (void)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET, DOCA_CORE_ITEM_RDMA_LOST, "doca_pe_progress",
                         connection);
    connection->rdma->transport->down(connection, DOCA_ERROR_CONNECTION_RESET,
                                      connection->was_up ? DOCA_PRIV_RDMA_DISCONNECTED
                                                         : DOCA_PRIV_RDMA_FAILED);
}

/* Handle the end of a probe. */
static void doca_priv_rdma_verbs_probed(struct doca_rdma_connection *connection,
                                        const struct ibv_wc *wc)
{
    struct doca_priv_rdma_place peer;
    const char *step;

    connection->is_probing = false;
    if (wc->status == IBV_WC_SUCCESS)
        connection->is_answered = true;
    if (wc->status == IBV_WC_SUCCESS || wc->status == IBV_WC_WR_FLUSH_ERR ||
        connection->obj.state != DOCA_PRIV_RDMA_UP)
        return;
    peer = connection->peer_place;
    if (wc->status != IBV_WC_RETRY_EXC_ERR || connection->is_answered ||
        !doca_priv_rdma_verbs_reset_control(connection) ||
        doca_priv_rdma_verbs_join_control(connection, &peer, &step) != 0)
        doca_priv_rdma_verbs_lose(connection);
}

/* Count one goodbye in flight less: the goodbye of the connection has completed, or the caller
 * stops waiting for its completion. */
static void doca_priv_rdma_verbs_left(struct doca_rdma_connection *connection)
{
    connection->is_leaving = false;
    connection->deadline = 0;
    connection->rdma->num_leaving--;
}

/* Handle one completion of a control queue pair. */
static void doca_priv_rdma_verbs_heard(struct doca_rdma *r, const struct ibv_wc *wc)
{
    struct doca_rdma_connection *c;

    if (wc->wr_id / DOCA_PRIV_RDMA_PURPOSES >= r->max_conns)
        return;
    c = &r->conns[wc->wr_id / DOCA_PRIV_RDMA_PURPOSES];
    if (c->control == NULL || c->control->qp_num != wc->qp_num) /* QP was destroyed */
        return;
    switch (wc->wr_id % DOCA_PRIV_RDMA_PURPOSES) {
    case DOCA_PRIV_RDMA_HEAR:
        if (wc->status == IBV_WC_SUCCESS && c->obj.state == DOCA_PRIV_RDMA_UP)
            doca_priv_rdma_verbs_lose(c);
        else if (wc->status == IBV_WC_SUCCESS)
            c->has_left = true;
        return;
    case DOCA_PRIV_RDMA_PROBE:
        doca_priv_rdma_verbs_probed(c, wc);
        return;
    default:
        if (c->is_leaving)
            doca_priv_rdma_verbs_left(c);
        return;
    }
}

/* Handle all completions of the control queue pairs. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_listen(struct doca_rdma *r)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(r->control_cq, 1, &wc) > 0)
        doca_priv_rdma_verbs_heard(r, &wc);
}

/* Send the probes that are due. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_send_probes(struct doca_rdma *r)
{
    struct doca_rdma_connection *c = r->live;
    const uint64_t now = DOCA_CORE_RDMA_PROBE_MS > 0 && c != NULL ? doca_priv_sys_now() : 0;

    for (; now != 0 && c != NULL; c = c->next_live) {
        if (c->deadline > now || c->control == NULL)
            continue;
        if (c->ops == NULL && !c->is_probing)
            doca_priv_rdma_verbs_probe(c);
        else /* the completion of a task or probe in flight will show whether the peer lives */
            doca_priv_rdma_verbs_wait_probe(c);
    }
}

/* Look at what poll need not look at in each call: completions of the control queue pairs, events
 * of connections by address, and, more rarely, the clock. */
DOCA_PRIV_DECL DOCA_PRIV_NOINLINE void doca_priv_rdma_verbs_attend(struct doca_rdma *r)
{
    doca_priv_rdma_verbs_listen(r);
    if (r->num_polls % DOCA_PRIV_RDMA_CLOCK_POLLS == 0)
        doca_priv_rdma_verbs_send_probes(r);
    doca_priv_rdma_cm_look(r);
}

/* Send the goodbye of a connection that ends on this side. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_leave(struct doca_rdma_connection *connection)
{
    connection->deadline = 0;
    if (connection->control == NULL || !connection->was_up || connection->has_left ||
        connection->is_leaving || !doca_priv_rdma_verbs_say(connection, DOCA_PRIV_RDMA_GOODBYE))
        return;
    connection->is_leaving = true;
    connection->rdma->num_leaving++;
}

/* True when the kernel says that the process of the peer has ended. False when the process runs, or
 * is on another machine. */
static bool doca_priv_rdma_verbs_is_peer_gone(const struct doca_rdma_connection *connection)
{
    const struct doca_priv_rdma_place *peer = &connection->peer_place;
    bool is_gone;
    int process;

    if (peer->machine == 0 || peer->machine != connection->place.machine)
        return false;
    process = doca_priv_sys_process_open(peer->head.pid);
    is_gone = doca_priv_sys_process_is_gone(process, peer->head.pid, -1);
    doca_priv_sys_close(process);
    return is_gone;
}

/* True when no goodbye is on its way, or its time is over. A goodbye to a process that has ended
 * gets no answer, so the stop does not wait for it. The deadline of a connection is the time of the
 * next question to the kernel, at which a program that sleeps wakes. */
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_has_left(struct doca_rdma *r)
{
    const uint64_t now = doca_priv_sys_now();
    const bool is_over = now >= r->stop_at;
    struct doca_rdma_connection *c = r->conns;
    uint32_t i;

    doca_priv_rdma_verbs_listen(r);
    for (i = 0; r->num_leaving > 0 && i < r->max_conns; i++, c++) {
        if (!c->is_leaving)
            continue;
        if (is_over)
            c->deadline = 0;
        else if (now >= c->deadline && doca_priv_rdma_verbs_is_peer_gone(c))
            doca_priv_rdma_verbs_left(c);
        else if (now >= c->deadline)
            c->deadline = now + DOCA_PRIV_RDMA_LOOK_NS;
    }
    return is_over || r->num_leaving == 0;
}

/* Give the goodbyes of an instance that stops some time: the device of a peer that runs answers at
 * once. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_limit_stop(struct doca_rdma *r)
{
    r->stop_at = doca_priv_sys_now() + DOCA_PRIV_RDMA_STOP_NS;
    (void)doca_priv_rdma_verbs_has_left(r);
}

/* Destroy the control queue pair of a connection that has ended. `waits`: give the goodbye time. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_forget_control(struct doca_rdma_connection *connection,
                                                        bool waits)
{
    struct doca_rdma *r = connection->rdma;
    uint64_t end;

    if (connection->control == NULL)
        return;
    doca_priv_rdma_verbs_listen(r);
    end = connection->is_leaving && waits ? doca_priv_sys_now() + DOCA_PRIV_RDMA_REUSE_NS : 0;
    while (connection->is_leaving && end != 0 && doca_priv_sys_now() < end)
        doca_priv_rdma_verbs_listen(r);
    if (connection->is_leaving)
        doca_priv_rdma_verbs_left(connection);
    doca_priv_rdma_verbs_released(
        r, ibv_destroy_qp(connection->control),
        DOCA_PRIV_LOG_TEXT("destroy a control queue pair (ibv_destroy_qp)"));
    connection->control = NULL;
}

/* Ask the event channel for the next completion: while the instance has goodbyes on their way, for
 * any; otherwise for goodbyes of peers, and failures. Returns false when the device refuses. */
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_arm_control(struct doca_rdma *r)
{
    if (ibv_req_notify_cq(r->control_cq, r->num_leaving == 0 ? 1 : 0) != 0)
        return false;
    doca_priv_rdma_verbs_listen(r);
    if (r->ctx.obj.state == DOCA_CTX_STATE_STOPPING) /* a deadline in the past would wake at once */
        (void)doca_priv_rdma_verbs_has_left(r);
    doca_priv_rdma_verbs_send_probes(r);
    doca_priv_rdma_cm_look(r);
    doca_priv_rdma_set_timer(r);
    return true;
}

#endif /* DOCA_CORE_RDMA_VERBS */

/* part: src/compat/rdma/verbs_sync.c */
/* ---- >>impl.rdma.verbs_sync -----------------------------------------------------------------
 * Tasks on sync events of the peer, on connections between queue pairs. The device reads, writes or
 * adds to the 8 bytes of the value. The export descriptor of the event contains the address and the
 * key of the value (>>impl.sync_card).                                                           */

#ifdef DOCA_CORE_RDMA_VERBS

/* Check that the event of a task has a key. The event is a live object. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_check_event(const struct doca_task *task,
                                                             enum doca_core_item *item)
{
    const struct doca_priv_rdma_task *op = (const struct doca_priv_rdma_task *)(const void *)task;

    *item = DOCA_CORE_ITEM_RDMA_NO_EVENTS;
    return op->event->rkey != 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

/* Fill in the request of a task on an event. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_fill_event(struct doca_priv_rdma_task *op,
                                                    struct ibv_send_wr *wr)
{
    const bool is_set = op->task.type == DOCA_PRIV_RDMA_EVENT_SET;

    op->ticket = sizeof(uint64_t);
    if (op->task.type == DOCA_PRIV_RDMA_EVENT_ADD) {
        wr->opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
        wr->wr.atomic.remote_addr = op->event->addr;
        wr->wr.atomic.rkey = op->event->rkey;
        wr->wr.atomic.compare_add = op->values[0];
    } else {
        wr->opcode = is_set ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
        wr->wr.rdma.remote_addr = op->event->addr;
        wr->wr.rdma.rkey = op->event->rkey;
    }
    wr->num_sge = doca_priv_rdma_verbs_gather(op->local, op->task.ctx->dev, !is_set,
                                              sizeof(uint64_t), wr->sg_list);
}

#endif /* DOCA_CORE_RDMA_VERBS */

/* part: src/compat/rdma/verbs_queue.c */
/* ---- >>impl.rdma.verbs_queue ----------------------------------------------------------------
 * Tasks of a connection between queue pairs: one work request each. The completions of a queue pair
 * come in the order of its requests, so the request of a task has no number, and completes the
 * first task of its connection. The number of a receive request is the address of its task: all
 * connections take their receive requests from one shared receive queue.
 * A connection that ends leaves its queue pair in the error state until its entry of the table is
 * used again. The device then completes what is left of its requests, and these completions are
 * ignored; a receive request among them is posted again.                                        */

#ifdef DOCA_CORE_RDMA_VERBS

#define DOCA_PRIV_RDMA_BATCH 16 /* completions that one call of libibverbs returns at most */

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_check(const struct doca_task *task,
                                                       enum doca_core_item *item)
{
    doca_error_t rc = doca_priv_rdma_check(task, item);

    return rc == DOCA_SUCCESS && task->type >= DOCA_PRIV_RDMA_EVENT_GET
               ? doca_priv_rdma_verbs_check_event(task, item)
               : rc;
}

/* Return the key of a buffer's memory on the device. An import that must not be read has only the
 * key for writing. */
static uint32_t doca_priv_rdma_verbs_lkey(const struct doca_buf *buf, const struct doca_dev *dev)
{
    const struct doca_priv_mmap_dev *d = &buf->mmap->devs[0];

    if (d->dev != dev)
        d = &buf->mmap->devs[doca_priv_mmap_find(buf->mmap, dev)];
    return d->mkey != 0 ? d->mkey : d->internal_mkey;
}

/* List up to `max` bytes of the data of a local list, or of its room. Returns the number of
 * elements, at most DOCA_CORE_RDMA_MAX_SEND_LIST. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_gather(const struct doca_buf *buf,
                                               const struct doca_dev *dev, bool is_room,
                                               uint64_t max, struct ibv_sge *sges)
{
    unsigned char *at;
    uint64_t len;
    int num = 0;

    for (; buf != NULL && max > 0; buf = buf->next) {
        at = is_room ? buf->data + buf->data_len : buf->data;
        len = is_room ? doca_priv_buf_tailroom(buf) : buf->data_len;
        if (len > max)
            len = max;
        if (len == 0)
            continue; /* 0 stands for 2 GiB in a work request */
        sges[num].addr = (uintptr_t)at;
        sges[num].length = (uint32_t)len;
        sges[num].lkey = doca_priv_rdma_verbs_lkey(buf, dev);
        num++;
        max -= len;
    }
    return num;
}

/* True when the CPU can copy the list into the work request. */
static bool doca_priv_rdma_verbs_is_inline(const struct doca_rdma *r, const struct doca_buf *buf,
                                           uint64_t len)
{
    if (len == 0 || len > r->max_inline)
        return false;
    while (buf != NULL && buf->mmap->far == NULL && !buf->mmap->is_backend_only)
        buf = buf->next;
    return buf == NULL;
}

static uint64_t doca_priv_rdma_verbs_data_len(const struct doca_buf *buf)
{
    uint64_t len = 0;

    for (; buf != NULL; buf = buf->next)
        len += buf->data_len;
    return len;
}

/* Fill in the request of a task with data or room in its local list. */
static void doca_priv_rdma_verbs_fill_move(struct doca_priv_rdma_task *op, struct ibv_send_wr *wr)
{
    static const enum ibv_wr_opcode opcodes[] = {
        IBV_WR_SEND, /* of a receive task: not used */
        IBV_WR_SEND,       IBV_WR_SEND_WITH_IMM,       IBV_WR_RDMA_READ,
        IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM,
    };
    const struct doca_rdma *r = op->connection->rdma;
    const bool is_read = op->task.type == DOCA_PRIV_RDMA_READ;
    const uint64_t len = !is_read             ? doca_priv_rdma_verbs_data_len(op->local)
                         : op->remote != NULL ? op->remote->data_len
                                              : 0;

    op->ticket = (uint32_t)len;
    wr->opcode = opcodes[op->task.type];
    wr->imm_data = op->imm;
    if (op->task.type >= DOCA_PRIV_RDMA_READ && op->remote != NULL) {
        wr->wr.rdma.rkey = op->remote->mmap->remote_key;
        wr->wr.rdma.remote_addr =
            (uintptr_t)op->remote->data + (is_read ? 0 : op->remote->data_len);
    }
    wr->num_sge = doca_priv_rdma_verbs_gather(op->local, r->ctx.dev, is_read, len, wr->sg_list);
    if (!is_read && doca_priv_rdma_verbs_is_inline(r, op->local, len))
        wr->send_flags |= IBV_SEND_INLINE;
}

static void doca_priv_rdma_verbs_fill_atomic(struct doca_priv_rdma_task *op, struct ibv_send_wr *wr)
{
    op->ticket = sizeof(uint64_t);
    wr->opcode = op->task.type == DOCA_PRIV_RDMA_CMP_SWP ? IBV_WR_ATOMIC_CMP_AND_SWP
                                                         : IBV_WR_ATOMIC_FETCH_AND_ADD;
    wr->wr.atomic.remote_addr = (uintptr_t)op->remote->data;
    wr->wr.atomic.rkey = op->remote->mmap->remote_key;
    wr->wr.atomic.compare_add = op->values[0];
    wr->wr.atomic.swap = op->values[1];
    wr->num_sge = doca_priv_rdma_verbs_gather(op->local, op->task.ctx->dev, true, sizeof(uint64_t),
                                              wr->sg_list);
}

/* Keep a task that fault injection lets fail, or a task that comes after such a task. The device
 * never gets its request. */
static void doca_priv_rdma_verbs_doom(struct doca_priv_rdma_task *op)
{
    struct doca_rdma_connection *c = op->connection;

    c->is_doomed = true;
    c->rdma->has_doomed = true;
    c->num_ops++;
    doca_priv_rdma_append(&c->ops, &c->ops_last, op);
    if (c->rdma->is_armed)
        (void)doca_priv_sys_event_signal(c->rdma->wake_fd);
}

/* Post the request of a task to its queue pair. */
static doca_error_t doca_priv_rdma_verbs_request(struct doca_priv_rdma_task *op)
{
    struct doca_rdma_connection *c = op->connection;
    struct ibv_sge sges[DOCA_CORE_RDMA_MAX_SEND_LIST];
    struct ibv_send_wr wr, *bad = NULL;

    if (c->num_ops == c->rdma->send_queue_size)
        return DOCA_ERROR_FULL;
    if (doca_unlikely(op->fate != DOCA_SUCCESS || c->is_doomed)) {
        doca_priv_rdma_verbs_doom(op);
        return DOCA_SUCCESS;
    }
    DOCA_CORE_MEMSET(&wr, 0, sizeof(wr));
    wr.sg_list = sges;
    wr.send_flags = IBV_SEND_SIGNALED;
    if (op->task.type >= DOCA_PRIV_RDMA_EVENT_GET)
        doca_priv_rdma_verbs_fill_event(op, &wr);
    else if (op->task.type >= DOCA_PRIV_RDMA_CMP_SWP)
        doca_priv_rdma_verbs_fill_atomic(op, &wr);
    else
        doca_priv_rdma_verbs_fill_move(op, &wr);
    if (c->rdma->rings.is_own)
        doca_priv_rdma_rings_send(c, &wr);
    else if (ibv_post_send(c->qp, &wr, &bad) != 0)
        return DOCA_ERROR_FULL;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    c->num_ops++;
    doca_priv_rdma_append(&c->ops, &c->ops_last, op);
    return DOCA_SUCCESS;
}

/* Post the request of a receive task to the shared receive queue. */
static doca_error_t doca_priv_rdma_verbs_request_receive(struct doca_rdma *r,
                                                         struct doca_priv_rdma_task *op)
{
    struct ibv_sge sges[DOCA_CORE_RDMA_MAX_SEND_LIST];
    struct ibv_recv_wr wr, *bad = NULL;

    wr.num_sge = 0; /* without room, a task that is to fail receives no byte */
    if (doca_likely(op->fate == DOCA_SUCCESS))
        wr.num_sge =
            doca_priv_rdma_verbs_gather(op->local, r->ctx.dev, true, r->limits.message, sges);
    if (r->rings.is_own)
        return doca_priv_rdma_rings_receive(r, op, sges, wr.num_sge) ? DOCA_SUCCESS
                                                                     : DOCA_ERROR_FULL;
    wr.wr_id = (uintptr_t)op;
    wr.next = NULL;
    wr.sg_list = sges;
    return ibv_post_srq_recv(r->srq, &wr, &bad) == 0 ? DOCA_SUCCESS : DOCA_ERROR_FULL;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_post(struct doca_core_queue *queue,
                                                      struct doca_task *task)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op = doca_priv_rdma_task_of(task);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = doca_priv_rdma_verbs_check(task, &item);

    if (rc != DOCA_SUCCESS)
        return rc;
    op->result_len = 0;
    if (task->type == DOCA_PRIV_RDMA_RECEIVE) {
        op->connection = NULL;
        op->opcode = 0;
        op->imm = 0;
        rc = doca_priv_rdma_verbs_request_receive(r, op);
        if (rc == DOCA_SUCCESS)
            doca_priv_rdma_append(&r->receives, &r->receives_last, op);
        return rc;
    }
    if ((op->connection->obj.state == DOCA_PRIV_RDMA_UP ||
         op->connection->obj.state == DOCA_PRIV_RDMA_JOINING) &&
        op->connection->serial == op->serial)
        return doca_priv_rdma_verbs_request(op);
    (void)doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_NOT_CONNECTED,
                         "doca_task_submit", task);
    task->status = (uint8_t)DOCA_ERROR_CONNECTION_ABORTED;
    doca_priv_rdma_append(&r->late, &r->late_last, op);
    if (r->is_armed)
        (void)doca_priv_sys_event_signal(r->wake_fd);
    return DOCA_SUCCESS;
}

/* Find the connection of a queue pair. Returns NULL for one that was destroyed. */
static struct doca_rdma_connection *doca_priv_rdma_verbs_conn_of(struct doca_rdma *r, uint32_t qpn)
{
    struct doca_rdma_connection *c = r->latest;
    uint32_t i;

    if (doca_likely(c != NULL && c->qp != NULL && c->qp->qp_num == qpn))
        return c;
    for (i = 0; i < r->max_conns; i++) {
        c = &r->conns[i];
        if (c->qp != NULL && c->qp->qp_num == qpn)
            return r->latest = c;
    }
    return NULL;
}

/* Log the failure of a task, with the status of its completion. Returns the status of the task. */
static doca_error_t doca_priv_rdma_verbs_explain(const struct doca_task *task,
                                                 const struct ibv_wc *wc)
{
    const bool is_receive = wc->wr_id != 0;
    enum doca_core_item item = DOCA_CORE_ITEM_RDMA_CARD;
    doca_error_t rc = DOCA_ERROR_IO_FAILED;
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    why.status = ibv_wc_status_str(wc->status);
    why.vendor_syndrome = wc->vendor_err;
    if (wc->status == IBV_WC_RETRY_EXC_ERR) {
        item = DOCA_CORE_ITEM_RDMA_LOST;
        rc = DOCA_ERROR_CONNECTION_RESET;
    } else if (wc->status == IBV_WC_WR_FLUSH_ERR) {
        item = DOCA_CORE_ITEM_RDMA_BROKEN;
        rc = DOCA_ERROR_CONNECTION_ABORTED;
    } else if (wc->status == IBV_WC_RNR_RETRY_EXC_ERR) {
        item = DOCA_CORE_ITEM_RDMA_NO_RECEIVE;
    } else if (wc->status == IBV_WC_LOC_LEN_ERR && is_receive) {
        item = DOCA_CORE_ITEM_RDMA_TOO_LONG;
    }
    return doca_core_backend_refuse(rc, item, "doca_pe_progress", task, &why);
}

/* Remove a receive task from the list of submitted ones. Returns false when it is not there: it was
 * flushed. */
static bool doca_priv_rdma_verbs_take_receive(struct doca_rdma *r,
                                              const struct doca_priv_rdma_task *op)
{
    struct doca_priv_rdma_task *before = NULL, *at = r->receives;

    while (at != NULL && at != op) {
        before = at;
        at = doca_priv_rdma_task_of(at->task.next);
    }
    if (at == NULL)
        return false;
    if (before == NULL)
        r->receives = doca_priv_rdma_task_of(at->task.next);
    else
        before->task.next = at->task.next;
    if (r->receives_last == at)
        r->receives_last = before;
    return true;
}

/* End a receive task. */
static void doca_priv_rdma_verbs_received(struct doca_rdma *r, const struct ibv_wc *wc)
{
    struct doca_priv_rdma_task *op = (struct doca_priv_rdma_task *)(uintptr_t)wc->wr_id;
    struct doca_rdma_connection *c = doca_priv_rdma_verbs_conn_of(r, wc->qp_num);
    doca_error_t rc = DOCA_SUCCESS;

    if ((wc->status == IBV_WC_WR_FLUSH_ERR && r->is_flushed) ||
        !doca_priv_rdma_verbs_take_receive(r, op))
        return;
    if (wc->status == IBV_WC_WR_FLUSH_ERR &&
        doca_priv_rdma_verbs_request_receive(r, op) == DOCA_SUCCESS) {
        doca_priv_rdma_append(&r->receives, &r->receives_last, op);
        return;
    }
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    op->connection = c;
    if (c != NULL && wc->status == IBV_WC_SUCCESS)
        doca_priv_rdma_cm_heard(c);
    if (doca_unlikely(op->fate != DOCA_SUCCESS)) {
        rc = wc->status == IBV_WC_WR_FLUSH_ERR ? doca_priv_rdma_verbs_explain(&op->task, wc)
                                               : (doca_error_t)op->fate;
    } else if (wc->status == IBV_WC_SUCCESS) {
        op->opcode =
            (uint8_t)(wc->opcode == IBV_WC_RECV_RDMA_WITH_IMM ? DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM
                      : (wc->wc_flags & IBV_WC_WITH_IMM) != 0 ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM
                                                              : DOCA_RDMA_OPCODE_RECV_SEND);
        op->imm = (wc->wc_flags & IBV_WC_WITH_IMM) != 0 ? wc->imm_data : 0;
        op->result_len = wc->byte_len;
        if (op->opcode != DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM)
            doca_priv_rdma_grow(op->local, wc->byte_len);
    } else {
        rc = doca_priv_rdma_verbs_explain(&op->task, wc);
    }
    doca_priv_local_end_task(r->queue, &op->task, rc);
    if (rc != DOCA_SUCCESS && c != NULL)
        doca_priv_rdma_verbs_end(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_DISCONNECTED);
}

/* End the first task of a connection. */
static void doca_priv_rdma_verbs_requested(struct doca_rdma *r, const struct ibv_wc *wc)
{
    struct doca_rdma_connection *c = doca_priv_rdma_verbs_conn_of(r, wc->qp_num);
    struct doca_priv_rdma_task *op = c != NULL ? c->ops : NULL;
    doca_error_t rc = DOCA_SUCCESS;

    /* the connection has ended, or the status of its tasks is decided elsewhere */
    if (op == NULL || (wc->status == IBV_WC_WR_FLUSH_ERR && c->is_halted))
        return;
    c->ops = doca_priv_rdma_task_of(op->task.next);
    c->num_ops--;
    if (doca_likely(wc->status == IBV_WC_SUCCESS)) {
        doca_priv_rdma_cm_heard(c);
        if (doca_priv_rdma_verbs_fills(op->task.type)) {
            op->result_len = op->ticket;
            doca_priv_rdma_grow(op->local, op->ticket);
        }
    } else {
        rc = doca_priv_rdma_verbs_explain(&op->task, wc);
    }
    doca_priv_local_end_task(r->queue, &op->task, rc);
    if (rc != DOCA_SUCCESS)
        doca_priv_rdma_verbs_end(
            c, rc == DOCA_ERROR_CONNECTION_RESET ? rc : DOCA_ERROR_CONNECTION_ABORTED,
            DOCA_PRIV_RDMA_DISCONNECTED);
}

/* Handle up to DOCA_PRIV_RDMA_BATCH completions. Returns false when there were no completions. */
static bool doca_priv_rdma_verbs_reap(struct doca_rdma *r)
{
    struct ibv_wc wc[DOCA_PRIV_RDMA_BATCH];
    const int num = r->rings.is_own ? doca_priv_rdma_rings_read(r, DOCA_PRIV_RDMA_BATCH, wc)
                                    : ibv_poll_cq(r->cq, DOCA_PRIV_RDMA_BATCH, wc);
    int i;

    for (i = 0; i < num; i++) {
        if (wc[i].wr_id != 0)
            doca_priv_rdma_verbs_received(r, &wc[i]);
        else
            doca_priv_rdma_verbs_requested(r, &wc[i]);
    }
    return num > 0;
}

/* Handle all completions that are there. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_drain(struct doca_rdma *r)
{
    while (doca_priv_rdma_verbs_reap(r)) {
    }
}

/* End the connections whose first task is to fail by fault injection, and these tasks. */
static void doca_priv_rdma_verbs_end_doomed(struct doca_rdma *r)
{
    struct doca_rdma_connection *c = r->live, *next;
    struct doca_priv_rdma_task *op;

    r->has_doomed = false;
    for (; c != NULL; c = next) {
        next = c->next_live;
        op = c->ops;
        if (op == NULL || op->fate == DOCA_SUCCESS) {
            r->has_doomed |= c->is_doomed;
            continue;
        }
        c->ops = doca_priv_rdma_task_of(op->task.next);
        c->num_ops--;
        doca_priv_local_end_task(r->queue, &op->task, (doca_error_t)op->fate);
        doca_priv_rdma_verbs_end(c,
                                 op->fate == DOCA_ERROR_CONNECTION_RESET
                                     ? DOCA_ERROR_CONNECTION_RESET
                                     : DOCA_ERROR_CONNECTION_ABORTED,
                                 DOCA_PRIV_RDMA_DISCONNECTED);
    }
}

/* Take the first ended task. If the event that its connection is established was not reported to
 * the program yet, take this event first. */
static struct doca_task *doca_priv_rdma_verbs_take_ended(struct doca_core_queue *queue)
{
    struct doca_rdma_connection *c = doca_priv_rdma_task_of(queue->first)->connection;

    if (doca_unlikely(doca_priv_rdma_of(queue)->num_events > 0) && c != NULL &&
        (c->events & 1u << DOCA_PRIV_RDMA_ESTABLISHED) != 0)
        return doca_priv_rdma_take_event_of(c);
    return doca_priv_local_take_ended(queue);
}

/* Take the next ended task, or run an event. Events come before completions, because steady
 * completions must not delay them; tasks that were submitted to an ended connection come last. */
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_verbs_take(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *late = r->late;

    if (queue->first != NULL)
        return doca_priv_rdma_verbs_take_ended(queue);
    if (doca_unlikely(r->num_events > 0))
        return doca_priv_rdma_take_event(r);
    if (doca_priv_rdma_verbs_reap(r) && queue->first != NULL)
        return doca_priv_rdma_verbs_take_ended(queue);
    if (doca_unlikely(r->has_doomed))
        doca_priv_rdma_verbs_end_doomed(r);
    if (doca_unlikely(queue->first != NULL))
        return doca_priv_rdma_verbs_take_ended(queue);
    if (doca_unlikely(r->num_events > 0))
        return doca_priv_rdma_take_event(r);
    if (late == NULL)
        return NULL;
    r->late = doca_priv_rdma_task_of(late->task.next);
    return &late->task;
}

DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_verbs_poll(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);

    if (doca_unlikely(++r->num_polls % DOCA_PRIV_RDMA_LISTEN_POLLS == 0))
        doca_priv_rdma_verbs_attend(r);
    return doca_priv_rdma_verbs_take(queue);
}

/* Let the device end the requests of a connection, and execute no further one. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_halt(struct doca_rdma_connection *connection)
{
    struct ibv_qp_attr attr;

    if (connection->qp == NULL || connection->is_halted)
        return;
    connection->is_halted = true;
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_ERR;
    (void)ibv_modify_qp(connection->qp, &attr, IBV_QP_STATE);
}

static void doca_priv_rdma_verbs_drop_ops(struct doca_rdma_connection *connection,
                                          doca_error_t status)
{
    struct doca_priv_rdma_task *op;

    while ((op = connection->ops) != NULL) {
        connection->ops = doca_priv_rdma_task_of(op->task.next);
        (void)doca_priv_fail(status,
                             status == DOCA_ERROR_SHUTDOWN           ? DOCA_CORE_ITEM_FLUSHED
                             : status == DOCA_ERROR_CONNECTION_RESET ? DOCA_CORE_ITEM_RDMA_LOST
                                                                     : DOCA_CORE_ITEM_RDMA_BROKEN,
                             "doca_pe_progress", &op->task);
        doca_priv_local_end_task(connection->rdma->queue, &op->task, status);
    }
    connection->num_ops = 0;
}

/* End a connection whose completions were handled: its tasks end with `status`, and progress will
 * run the callback of `event`. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_end(struct doca_rdma_connection *connection,
                                             doca_error_t status,
                                             enum doca_priv_rdma_happening event)
{
    struct doca_rdma *r = connection->rdma;

    if (connection->obj.state == DOCA_PRIV_RDMA_DOWN)
        return;
    while (connection->events != 0 && event == DOCA_PRIV_RDMA_NOTHING) {
        connection->events &= (uint8_t)(connection->events - 1);
        r->num_events--;
    }
    doca_priv_rdma_verbs_halt(connection);
    doca_priv_rdma_verbs_leave(connection);
    doca_priv_rdma_cm_end(connection);
    doca_priv_rdma_verbs_drop_ops(connection, status);
    doca_priv_rdma_unlive(connection);
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_DOWN);
    doca_priv_rdma_tell(connection, event);
    if (connection->events == 0 && !r->is_of_25)
        doca_priv_rdma_conn_free(connection);
    if (r->is_armed)
        (void)doca_priv_sys_event_signal(r->wake_fd);
}

/* The device may write to the buffers of a receive task until all queue pairs are halted. Tasks
 * that the device has executed before that end with their own status. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    struct doca_priv_rdma_task *op;
    struct doca_rdma_connection *c;

    doca_priv_rdma_verbs_drain(r);
    r->is_flushed = true;
    for (c = r->live; c != NULL; c = c->next_live)
        doca_priv_rdma_verbs_halt(c);
    doca_priv_rdma_verbs_drain(r);
    for (c = r->live; c != NULL; c = c->next_live)
        doca_priv_rdma_verbs_drop_ops(c, status);
    while ((op = r->receives) != NULL) {
        r->receives = doca_priv_rdma_task_of(op->task.next);
        (void)doca_priv_fail(status, DOCA_CORE_ITEM_FLUSHED, "doca_pe_progress", &op->task);
        doca_priv_local_end_task(queue, &op->task, status);
    }
}

DOCA_PRIV_DECL int doca_priv_rdma_verbs_fd(struct doca_core_queue *queue)
{
    return doca_priv_rdma_of(queue)->set;
}

DOCA_PRIV_DECL bool doca_priv_rdma_verbs_ready(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);

    if (queue->first == NULL && r->num_events == 0 && r->late == NULL) {
        doca_priv_rdma_verbs_listen(r);
        (void)doca_priv_rdma_verbs_reap(r);
    }
    if (r->has_doomed)
        doca_priv_rdma_verbs_end_doomed(r);
    return queue->first != NULL || r->num_events > 0 || r->late != NULL;
}

/* Read the events that earlier armings have caused. Unread events would keep the descriptor
 * readable. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_read_events(struct doca_rdma *r)
{
    struct ibv_cq *cq;
    void *cq_context;

    while (ibv_get_cq_event(r->channel, &cq, &cq_context) == 0) {
        ibv_ack_cq_events(cq, 1);
        r->rings.num_events++;
    }
}

DOCA_PRIV_DECL void doca_priv_rdma_verbs_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);

    r->is_armed = armed;
    doca_priv_rdma_verbs_read_events(r);
    if (!armed) {
        (void)doca_priv_sys_event_drain(r->wake_fd);
        return;
    }
    if (doca_priv_rdma_rings_arm(r) != 0 || !doca_priv_rdma_verbs_arm_control(r) ||
        doca_priv_rdma_verbs_ready(queue))
        (void)doca_priv_sys_event_signal(r->wake_fd);
}

#endif /* DOCA_CORE_RDMA_VERBS */

/* part: src/compat/rdma/verbs.c */
/* ---- >>impl.rdma.verbs ----------------------------------------------------------------------
 * Instances and connections of devices with a protection domain of libibverbs. An instance has one
 * completion queue and one shared receive queue. Each connection has a queue pair (RC); the export
 * creates it. The exported details hold the address and number of the queue pair.
 * doca_rdma_connect() moves the queue pair to its last state at once, and the connection is UP: the
 * device repeats the requests until the peer has connected too, for DOCA_PRIV_RDMA_PATIENCE. A
 * connection ends when a task fails, or when its control queue pair tells that the peer has ended
 * (>>impl.rdma.verbs_end).                                                                       */

#ifdef DOCA_CORE_RDMA_VERBS

#define DOCA_PRIV_RDMA_PATIENCE 17 /* 0.54 s until a packet is repeated */
#define DOCA_PRIV_RDMA_READS 16    /* reads and atomic tasks of a connection at the same time */

/* Log a refused call of libibverbs. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_refused(doca_error_t code, const char *function,
                                                         const void *object, const char *step,
                                                         int error)
{
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    why.step = step;
    why.error = error;
    return doca_core_backend_refuse(code, DOCA_CORE_ITEM_RDMA_VERBS, function, object, &why);
}

/* Log a call that could not release something. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_released(const struct doca_rdma *r, int error,
                                                  const char *step)
{
    if (error != 0)
        (void)doca_priv_rdma_verbs_refused(DOCA_ERROR_DRIVER, "doca_ctx_stop", &r->ctx, step,
                                           error);
}

/* Destroy the queue pairs of a connection that has ended. Before that, the function handles the
 * completions of its receive requests. */
static void doca_priv_rdma_verbs_forget(struct doca_rdma_connection *connection)
{
    struct doca_rdma *r = connection->rdma;

    if (r == NULL || connection->qp == NULL) /* the entry was never used */
        return;
    doca_priv_rdma_verbs_forget_control(connection, r->ctx.obj.state == DOCA_CTX_STATE_RUNNING);
    doca_priv_rdma_verbs_drain(r);
    doca_priv_rdma_verbs_released(r, ibv_destroy_qp(connection->qp),
                                  DOCA_PRIV_LOG_TEXT("destroy a queue pair (ibv_destroy_qp)"));
    connection->qp = NULL;
    r->latest = NULL;
    /* the number of the queue pair may be given to another one: let none of its completions stay */
    doca_priv_rdma_verbs_drain(r);
}

static bool doca_priv_rdma_verbs_is_routed(const struct doca_rdma *r)
{
    return r->is_ethernet || r->grh_enabled != 0;
}

/* Return what the device lets the peer do, from the permissions of the instance. */
static unsigned doca_priv_rdma_verbs_qp_access(uint32_t permissions)
{
    return ((permissions & DOCA_ACCESS_FLAG_RDMA_READ) != 0 ? (unsigned)IBV_ACCESS_REMOTE_READ
                                                            : 0u) |
           ((permissions & DOCA_ACCESS_FLAG_RDMA_WRITE) != 0 ? (unsigned)IBV_ACCESS_REMOTE_WRITE
                                                             : 0u) |
           ((permissions & DOCA_ACCESS_FLAG_RDMA_ATOMIC) != 0 ? (unsigned)IBV_ACCESS_REMOTE_ATOMIC
                                                              : 0u);
}

/* Move a queue pair from RESET to INIT, where the peer may do what `access` says. Returns an errno,
 * or 0. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_to_init(struct ibv_qp *qp, unsigned access)
{
    struct ibv_qp_attr attr;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = DOCA_PRIV_RDMA_PORT;
    attr.qp_access_flags = access;
    return ibv_modify_qp(qp, &attr,
                         IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

/* Create the queue pairs of a connection. Returns false with the reason in *step and *error. */
static bool doca_priv_rdma_verbs_create_qp(struct doca_rdma_connection *connection,
                                           const char **step, int *error)
{
    struct doca_rdma *r = connection->rdma;
    struct ibv_qp_init_attr attr;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.send_cq = attr.recv_cq = r->cq;
    attr.srq = r->srq;
    attr.qp_type = IBV_QPT_RC;
    attr.cap.max_send_wr = r->send_queue_size;
    attr.cap.max_send_sge = r->send_list_len;
    attr.cap.max_inline_data = DOCA_PRIV_RDMA_INLINE;
    *step = DOCA_PRIV_LOG_TEXT("create a queue pair (ibv_create_qp)");
    connection->qp = doca_priv_rdma_rings_create_qp(r, &attr);
    if (connection->qp == NULL) { /* a long queue may have no space for data in its requests */
        attr.cap.max_inline_data = 0;
        connection->qp = doca_priv_rdma_rings_create_qp(r, &attr);
    }
    if (connection->qp == NULL) {
        *error = errno;
        return false;
    }
    r->max_inline = attr.cap.max_inline_data;
    *step = DOCA_PRIV_LOG_TEXT("find the send queue of a queue pair (mlx5dv_init_obj)");
    *error = doca_priv_rdma_rings_attach(connection);
    if (*error != 0)
        return false;
    *step = DOCA_PRIV_LOG_TEXT("bring a queue pair to INIT (ibv_modify_qp)");
    *error = doca_priv_rdma_verbs_to_init(connection->qp,
                                          doca_priv_rdma_verbs_qp_access(r->permissions));
    if (*error == 0)
        *error = doca_priv_rdma_verbs_create_control(connection, step);
    return *error == 0;
}

static doca_error_t doca_priv_rdma_verbs_describe(struct doca_rdma_connection *connection,
                                                  const char *function)
{
    struct doca_rdma *r = connection->rdma;
    struct doca_priv_rdma_place *place = &connection->place;
    const char *step;
    uint64_t psn;
    int error = 0;

    if (!doca_priv_sys_random(&psn))
        return doca_priv_fail_system(DOCA_CORE_ITEM_EXPORT_RANDOM, function, &r->ctx, NULL);
    if (!doca_priv_rdma_verbs_create_qp(connection, &step, &error)) {
        if (connection->control != NULL)
            (void)ibv_destroy_qp(connection->control);
        if (connection->qp != NULL)
            (void)ibv_destroy_qp(connection->qp);
        connection->control = connection->qp = NULL;
        return doca_priv_rdma_verbs_refused(DOCA_ERROR_OPERATING_SYSTEM, function, &r->ctx, step,
                                            error);
    }
    place->qpn = connection->qp->qp_num;
    place->psn = (uint32_t)psn & 0xffffff;
    place->control_qpn = connection->control->qp_num;
    place->control_psn = (uint32_t)(psn >> 32) & 0xffffff;
    place->lid = r->lid;
    place->mtu = (uint8_t)(r->mtu + (unsigned)IBV_MTU_256);
    if (place->mtu > r->port_mtu)
        place->mtu = r->port_mtu;
    place->has_gid = doca_priv_rdma_verbs_is_routed(r) ? 1 : 0;
    place->permissions = r->permissions;
    DOCA_CORE_MEMCPY(place->gid, r->gid, sizeof(place->gid));
    if (doca_priv_sys_machine(&place->machine) != DOCA_CORE_ITEM_NONE)
        place->machine = 0;
    /* doca_priv_export_seal() can only fail when it gets a token */
    (void)doca_priv_export_seal(&place->head, DOCA_PRIV_EXPORT_RDMA_CARD, sizeof(*place), NULL);
    return DOCA_SUCCESS;
}

static const void *doca_priv_rdma_verbs_show(const struct doca_rdma_connection *connection,
                                             size_t *bytes)
{
    *bytes = sizeof(connection->place);
    return &connection->place;
}

/* Move a queue pair to RTR, in which it receives from the peer, and then to RTS, in which it also
 * sends. Returns an errno with the step that failed, or 0. */
DOCA_PRIV_DECL int doca_priv_rdma_verbs_to_rts(const struct doca_rdma_connection *connection,
                                               const struct doca_priv_rdma_ends *ends,
                                               const struct doca_priv_rdma_place *peer,
                                               const char **step)
{
    const struct doca_rdma *r = connection->rdma;
    struct ibv_qp_attr attr;
    int error;

    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu =
        (enum ibv_mtu)(peer->mtu < connection->place.mtu ? peer->mtu : connection->place.mtu);
    attr.dest_qp_num = ends->peer_qpn;
    attr.rq_psn = ends->peer_psn;
    attr.max_dest_rd_atomic = (uint8_t)r->max_reads;
    attr.min_rnr_timer = DOCA_PRIV_RDMA_RNR_TIMER;
    attr.ah_attr.dlid = peer->lid;
    attr.ah_attr.sl = (uint8_t)r->sl;
    attr.ah_attr.port_num = DOCA_PRIV_RDMA_PORT;
    if (doca_priv_rdma_verbs_is_routed(r)) {
        attr.ah_attr.is_global = 1;
        attr.ah_attr.grh.hop_limit = 64;
        attr.ah_attr.grh.sgid_index = (uint8_t)r->gid_index;
        DOCA_CORE_MEMCPY(attr.ah_attr.grh.dgid.raw, peer->gid, sizeof(peer->gid));
    }
    *step = DOCA_PRIV_LOG_TEXT("bring the queue pair to RTR (ibv_modify_qp)");
    error = ibv_modify_qp(ends->qp, &attr,
                          IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                              IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    if (error != 0)
        return error;
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = DOCA_PRIV_RDMA_PATIENCE;
    attr.retry_cnt = DOCA_PRIV_RDMA_RETRIES;
    attr.rnr_retry = r->rnr_retry_count;
    attr.sq_psn = ends->psn;
    attr.max_rd_atomic = (uint8_t)r->max_reads;
    *step = DOCA_PRIV_LOG_TEXT("bring the queue pair to RTS (ibv_modify_qp)");
    return ibv_modify_qp(ends->qp, &attr,
                         IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                             IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

/* Connect both queue pairs. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_verbs_join(struct doca_rdma_connection *connection,
                                     const struct doca_priv_rdma_place *peer, const char **step)
{
    const struct doca_priv_rdma_ends ends = { connection->qp, connection->place.psn, peer->qpn,
                                              peer->psn };
    struct ibv_qp_attr attr;
    int error = doca_priv_rdma_verbs_to_rts(connection, &ends, peer, step);

    if (error == 0)
        error = doca_priv_rdma_verbs_join_control(connection, peer, step);
    if (error == 0)
        return 0;
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr)); /* leave the queue pairs as they were */
    attr.qp_state = IBV_QPS_RESET;
    if (ibv_modify_qp(connection->qp, &attr, IBV_QP_STATE) == 0)
        (void)doca_priv_rdma_verbs_to_init(
            connection->qp, doca_priv_rdma_verbs_qp_access(connection->rdma->permissions));
    (void)doca_priv_rdma_verbs_reset_control(connection);
    return error;
}

static doca_error_t doca_priv_rdma_verbs_connect(struct doca_rdma_connection *connection,
                                                 const void *details, size_t len,
                                                 const char *function)
{
    struct doca_rdma *r = connection->rdma;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_rdma_place peer;
    const char *step;
    int error;

    if (doca_priv_export_open(details, len, DOCA_PRIV_EXPORT_RDMA_CARD, DOCA_PRIV_EXPORT_RDMA_CARD,
                              &peer.head, sizeof(peer), &item) != DOCA_SUCCESS)
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, item, function, connection);
    if (peer.qpn > 0xffffff || peer.psn > 0xffffff || peer.control_qpn > 0xffffff ||
        peer.control_psn > 0xffffff || peer.mtu < (unsigned)IBV_MTU_256 ||
        peer.mtu > (unsigned)IBV_MTU_4096 ||
        (doca_priv_rdma_verbs_is_routed(r) && peer.has_gid == 0))
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_DETAILS, function,
                              connection);
    error = doca_priv_rdma_verbs_join(connection, &peer, &step);
    if (error != 0)
        return doca_priv_rdma_verbs_refused(DOCA_ERROR_CONNECTION_ABORTED, function, connection,
                                            step, error);
    connection->next_live = r->live;
    r->live = connection;
    r->num_live++;
    connection->was_up = true;
    doca_priv_rdma_set_state(connection, DOCA_PRIV_RDMA_UP);
    doca_priv_rdma_tell(connection, DOCA_PRIV_RDMA_ESTABLISHED);
    if (r->is_armed)
        (void)doca_priv_sys_event_signal(r->wake_fd);
    return DOCA_SUCCESS;
}

/* End a connection. Tasks that the device has completed end with their own status. */
static void doca_priv_rdma_verbs_down(struct doca_rdma_connection *connection, doca_error_t status,
                                      enum doca_priv_rdma_happening event)
{
    if (connection->obj.state == DOCA_PRIV_RDMA_DOWN)
        return;
    doca_priv_rdma_verbs_drain(connection->rdma);
    doca_priv_rdma_verbs_halt(connection);
    doca_priv_rdma_verbs_drain(connection->rdma);
    doca_priv_rdma_verbs_end(connection, status, event);
}

static void doca_priv_rdma_verbs_begin_stop(struct doca_ctx *ctx)
{
    struct doca_rdma *r = (struct doca_rdma *)(void *)ctx;
    uint32_t i;

    doca_priv_rdma_verbs_listen(r); /* a peer that has ended needs no goodbye */
    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE && !r->conns[i].is_free)
            doca_priv_rdma_verbs_down(&r->conns[i], DOCA_ERROR_SHUTDOWN, DOCA_PRIV_RDMA_NOTHING);
    doca_priv_rdma_verbs_limit_stop(r);
    doca_priv_rdma_cm_end_ports(r);
}

static bool doca_priv_rdma_verbs_can_stop(struct doca_ctx *ctx)
{
    return doca_priv_rdma_verbs_has_left((struct doca_rdma *)(void *)ctx);
}

/* Release what an open instance has. */
static void doca_priv_rdma_verbs_close(struct doca_core_queue *queue)
{
    struct doca_rdma *r = doca_priv_rdma_of(queue);
    uint32_t i;

    for (i = 0; i < r->max_conns; i++) {
        if (r->conns[i].obj.state != DOCA_PRIV_RDMA_FREE && !r->conns[i].is_free)
            doca_priv_rdma_verbs_end(&r->conns[i], DOCA_ERROR_SHUTDOWN, DOCA_PRIV_RDMA_NOTHING);
        doca_priv_rdma_verbs_forget(&r->conns[i]);
    }
    doca_priv_rdma_cm_close(r);
    doca_priv_rdma_verbs_released(
        r, doca_priv_rdma_rings_close(r),
        DOCA_PRIV_LOG_TEXT("release a parent domain (ibv_dealloc_pd, ibv_dealloc_td)"));
    if (r->srq != NULL)
        doca_priv_rdma_verbs_released(
            r, ibv_destroy_srq(r->srq),
            DOCA_PRIV_LOG_TEXT("destroy a receive queue (ibv_destroy_srq)"));
    if (r->cq != NULL) {
        doca_priv_rdma_verbs_read_events(r);
        doca_priv_rdma_verbs_released(
            r, ibv_destroy_cq(r->cq),
            DOCA_PRIV_LOG_TEXT("destroy a completion queue (ibv_destroy_cq)"));
    }
    doca_priv_rdma_verbs_close_control(r);
    if (r->channel != NULL)
        doca_priv_rdma_verbs_released(
            r, ibv_destroy_comp_channel(r->channel),
            DOCA_PRIV_LOG_TEXT("close the event channel of a completion queue "
                               "(ibv_destroy_comp_channel)"));
    doca_priv_sys_close(r->wake_fd);
    doca_priv_sys_close(r->timer_fd);
    doca_priv_sys_close(r->set);
    (void)doca_core_arena_give(r->ctx.arena, r->conns);
    r->conns = NULL;
}

/* Read the properties of the port. Returns an errno with the step that failed, or 0. */
static int doca_priv_rdma_verbs_read_port(struct doca_rdma *r, const char **step)
{
    struct ibv_device_attr device;
    struct ibv_port_attr port;
    union ibv_gid gid;
    int error;

    DOCA_CORE_MEMSET(&port, 0, sizeof(port));
    *step = DOCA_PRIV_LOG_TEXT("read the limits of the device (ibv_query_device)");
    error = ibv_query_device(r->pd->context, &device);
    if (error != 0)
        return error;
    r->max_reads = device.max_qp_rd_atom < DOCA_PRIV_RDMA_READS ? (uint32_t)device.max_qp_rd_atom
                                                                : DOCA_PRIV_RDMA_READS;
    *step = DOCA_PRIV_LOG_TEXT("read the properties of the port (ibv_query_port)");
    error = ibv_query_port(r->pd->context, DOCA_PRIV_RDMA_PORT, &port);
    if (error != 0)
        return error;
    r->lid = port.lid;
    r->port_mtu = (uint8_t)port.active_mtu;
    r->is_ethernet = port.link_layer == IBV_LINK_LAYER_ETHERNET;
    if (!doca_priv_rdma_verbs_is_routed(r))
        return 0;
    *step = DOCA_PRIV_LOG_TEXT("read the GID with the index of the instance (ibv_query_gid)");
    errno = 0;
    if (ibv_query_gid(r->pd->context, DOCA_PRIV_RDMA_PORT, (int)r->gid_index, &gid) != 0)
        return errno != 0 ? errno : EINVAL;
    DOCA_CORE_MEMCPY(r->gid, gid.raw, sizeof(r->gid));
    return 0;
}

/* Create the queues that all connections share. Returns an errno with the step that failed, or 0.
 */
static int doca_priv_rdma_verbs_create_queues(struct doca_rdma *r, const char **step)
{
    const uint32_t num_receives = r->stocks[DOCA_PRIV_RDMA_RECEIVE].num;
    struct ibv_srq_init_attr attr;

    *step = DOCA_PRIV_LOG_TEXT("create the event channel of a completion queue "
                               "(ibv_create_comp_channel)");
    r->channel = ibv_create_comp_channel(r->pd->context);
    if (r->channel == NULL)
        return errno;
    *step = DOCA_PRIV_LOG_TEXT("create a completion queue (ibv_create_cq)");
    r->cq =
        ibv_create_cq(r->pd->context, (int)(r->max_conns * r->send_queue_size + num_receives + 1),
                      NULL, r->channel, 0);
    if (r->cq == NULL)
        return errno;
    DOCA_CORE_MEMSET(&attr, 0, sizeof(attr));
    attr.attr.max_wr = num_receives > 0 ? num_receives : 1;
    attr.attr.max_sge = r->recv_list_len;
    *step = DOCA_PRIV_LOG_TEXT("create a shared receive queue (ibv_create_srq)");
    r->srq = ibv_create_srq(r->pd, &attr);
    if (r->srq == NULL)
        return errno;
    doca_priv_rdma_rings_open(r);
    return 0;
}

/* Open the epoll set with the events of an instance. Returns an errno with the step that failed, or
 * 0. */
static int doca_priv_rdma_verbs_open_fds(struct doca_rdma *r, const char **step)
{
    int flags;

    *step = DOCA_PRIV_LOG_TEXT("open an epoll set with an eventfd, a timer and the event channel");
    r->set = doca_priv_sys_keep(epoll_create1(EPOLL_CLOEXEC));
    r->wake_fd = doca_priv_sys_event_open();
    r->timer_fd = doca_priv_sys_keep((int)doca_priv_sys_call(
        SYS_timerfd_create, 1 /* CLOCK_MONOTONIC */, 02004000 /* NONBLOCK, CLOEXEC */, 0, 0, 0, 0));
    flags = (int)doca_priv_sys_call(SYS_fcntl, r->channel->fd, 3 /* F_GETFL */, 0, 0, 0, 0);
    if (r->set < 0 || r->wake_fd < 0 || r->timer_fd < 0 || flags < 0 ||
        doca_priv_sys_call(SYS_fcntl, r->channel->fd, 4 /* F_SETFL */, flags | 04000 /* NONBLOCK */,
                           0, 0, 0) != 0 ||
        !doca_priv_rdma_watch(r, r->wake_fd, DOCA_PRIV_RDMA_AT_WAKE, 0) ||
        !doca_priv_rdma_watch(r, r->timer_fd, DOCA_PRIV_RDMA_AT_TIMER, 0) ||
        !doca_priv_rdma_watch(r, r->channel->fd, DOCA_PRIV_RDMA_AT_CONN, 0))
        return errno;
    return 0;
}

static doca_error_t doca_priv_rdma_verbs_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                              const char *function)
{
    struct doca_rdma *r = (struct doca_rdma *)(void *)ctx;
    const size_t bytes = doca_priv_rdma_block_bytes(r->max_conns);
    struct doca_rdma_connection *c;
    const char *step = NULL;
    void *block = NULL;
    doca_error_t rc;
    uint32_t i;
    int error;

    (void)num_tasks;
    rc = doca_priv_arena_take(ctx->arena, bytes, &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(block, 0, bytes);
    DOCA_CORE_MEMSET((unsigned char *)(void *)r + offsetof(struct doca_rdma, conns), 0,
                     sizeof(*r) - offsetof(struct doca_rdma, conns));
    r->conns = (struct doca_rdma_connection *)block;
    r->listener = r->set = r->wake_fd = r->timer_fd = r->lock_fd = -1;
    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        r->ports[i].fd = -1;
    r->queue = ctx->queue;
    ((struct doca_priv_rdma_queue *)(void *)ctx->queue)->rdma = r;
    ctx->queue->post = doca_priv_rdma_verbs_post;
    ctx->queue->poll = doca_priv_rdma_verbs_poll;
    doca_priv_listen();
    rc = ctx->dev->backend->get_pd(ctx->dev, &r->pd);
    if (rc != DOCA_SUCCESS) {
        rc = doca_priv_refused(rc, function, ctx);
    } else {
        errno = 0;
        error = doca_priv_rdma_verbs_read_port(r, &step);
        if (error == 0)
            error = doca_priv_rdma_verbs_create_queues(r, &step);
        if (error == 0)
            error = doca_priv_rdma_verbs_open_control(r, &step);
        if (error == 0)
            error = doca_priv_rdma_verbs_open_fds(r, &step);
        if (error != 0)
            rc = doca_priv_rdma_verbs_refused(DOCA_ERROR_DRIVER, function, ctx, step, error);
    }
    if (rc == DOCA_SUCCESS && r->is_of_25)
        rc = doca_priv_rdma_conn_open(r, &c, function);
    if (rc != DOCA_SUCCESS)
        doca_priv_rdma_verbs_close(ctx->queue);
    return rc == DOCA_SUCCESS && r->is_of_25 ? DOCA_ERROR_IN_PROGRESS : rc;
}

/* An instance of 2.5 is open when its connection is. */
static doca_error_t doca_priv_rdma_verbs_opening(struct doca_core_queue *queue)
{
    const struct doca_rdma *r = doca_priv_rdma_of(queue);

    if (r->conns[0].obj.state == DOCA_PRIV_RDMA_UP)
        return DOCA_SUCCESS;
    return r->conns[0].obj.state == DOCA_PRIV_RDMA_DOWN
               ? doca_core_backend_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_GONE,
                                        "doca_pe_progress", &r->ctx, 0)
               : DOCA_ERROR_IN_PROGRESS;
}

static const struct doca_priv_engine doca_priv_rdma_verbs_engine = {
    DOCA_PRIV_ENGINE_NONE,         false,
    doca_priv_rdma_is_supported,   doca_priv_rdma_verbs_check,
    doca_priv_rdma_is_complete,    doca_priv_rdma_settle,
    doca_priv_rdma_verbs_open,     doca_priv_rdma_verbs_begin_stop,
    doca_priv_rdma_verbs_can_stop, NULL,
    doca_priv_rdma_task_bytes
};

static const struct doca_core_backend doca_priv_rdma_verbs_backend = DOCA_PRIV_LOCAL_TABLE(
    "rdma", doca_priv_rdma_queue_bytes, doca_priv_rdma_verbs_opening, doca_priv_rdma_verbs_close,
    doca_priv_rdma_verbs_flush, doca_priv_rdma_verbs_ready, doca_priv_rdma_verbs_fd,
    doca_priv_rdma_verbs_arm);

DOCA_PRIV_LOCAL_WRAPPER(doca_priv_rdma_verbs_faults, "rdma", doca_priv_rdma_queue_bytes,
                        doca_priv_rdma_verbs_backend, DOCA_PRIV_FAULT_RDMA,
                        DOCA_PRIV_FAULT_RDMA_TASKS, doca_priv_rdma_set_fate)

static const struct doca_core_backend *doca_priv_rdma_verbs_backend_of(const struct doca_dev *dev)
{
    return DOCA_PRIV_LOCAL_OF(dev, doca_priv_rdma_verbs_backend, doca_priv_rdma_verbs_faults);
}

DOCA_PRIV_DECL const struct doca_priv_rdma_transport doca_priv_rdma_verbs = {
    &doca_priv_rdma_verbs_engine,  doca_priv_rdma_verbs_backend_of, doca_priv_rdma_verbs_forget,
    doca_priv_rdma_verbs_describe, doca_priv_rdma_verbs_show,       doca_priv_rdma_verbs_connect,
    doca_priv_rdma_verbs_down,     doca_priv_rdma_verbs_limit,      doca_priv_rdma_verbs_read_gids,
    DOCA_PRIV_RDMA_CM_CALLS
};

#endif /* DOCA_CORE_RDMA_VERBS */

/* part: src/compat/rdma/create.c */
/* ---- >>impl.rdma.create ---------------------------------------------------------------------
 * Capabilities of devices; instances from create to destroy.                                    */

#define DOCA_PRIV_RDMA_QUEUE_SIZE 1024 /* initial size of both queues */
#define DOCA_PRIV_RDMA_TIMEOUT 2000    /* ms */

/* Return how instances of a device connect, or NULL when they cannot. Exports of a software device
 * are those of the operating system. */
static const struct doca_priv_rdma_transport *
doca_priv_rdma_transport_of(const struct doca_devinfo *devinfo)
{
    if (devinfo->attr.limits.has_rdma == 0)
        return NULL;
#ifdef DOCA_CORE_RDMA_VERBS
    if (devinfo->backend->mem_export != NULL && devinfo->backend->get_pd != doca_priv_absent_get_pd)
        return &doca_priv_rdma_verbs;
#endif
    return devinfo->backend->mem_export == NULL ? &doca_priv_rdma_local : NULL;
}

/* Check that a device can be used. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check_devinfo(const struct doca_devinfo *devinfo,
                                                         const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, pointer, function);

    if (rc == DOCA_SUCCESS && doca_priv_rdma_transport_of(devinfo) == NULL)
        rc =
            doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_RDMA_DEVICE, function, devinfo);
    return rc;
}

/* Read the limits of a device that need not be open. */
static doca_error_t doca_priv_rdma_cap(const struct doca_devinfo *devinfo, const void *pointer,
                                       struct doca_priv_rdma_limits *limits, const char *function)
{
    doca_error_t rc = doca_priv_rdma_check_devinfo(devinfo, pointer, function);

    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_rdma_transport_of(devinfo)->limit(devinfo, NULL, limits, function);
}

/* Define a query of a limit. */
#define DOCA_PRIV_RDMA_CAP(name, member)                                                           \
    DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_##name(const struct doca_devinfo *devinfo,       \
                                                         uint32_t *name)                           \
    {                                                                                              \
        struct doca_priv_rdma_limits limits;                                                       \
        doca_error_t rc = doca_priv_rdma_cap(devinfo, name, &limits, __func__);                    \
                                                                                                   \
        if (rc == DOCA_SUCCESS)                                                                    \
            *name = limits.member;                                                                 \
        return rc;                                                                                 \
    }

DOCA_PRIV_RDMA_CAP(max_recv_queue_size, recv_queue)
DOCA_PRIV_RDMA_CAP(max_send_queue_size, send_queue)
DOCA_PRIV_RDMA_CAP(max_send_buf_list_len, send_list)
DOCA_PRIV_RDMA_CAP(max_message_size, message)
DOCA_PRIV_RDMA_CAP(gid_table_size, gids)

/* Check a type of transport: RC is supported. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check_transport(enum doca_rdma_transport_type type,
                                                           const void *object, const char *function)
{
    if (type == DOCA_RDMA_TRANSPORT_TYPE_RC)
        return DOCA_SUCCESS;
    return type == DOCA_RDMA_TRANSPORT_TYPE_DC
               ? doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_RDMA_DC, function, object)
               : doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_LIMIT, function,
                                object);
}

DOCA_CORE_DECL doca_error_t doca_rdma_cap_transport_type_is_supported(
    const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type)
{
    doca_error_t rc = doca_priv_rdma_check_devinfo(devinfo, devinfo, __func__);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_rdma_check_transport(transport_type, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
    const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type,
    uint32_t *max_buf_list_len)
{
    struct doca_priv_rdma_limits limits;
    doca_error_t rc = doca_priv_rdma_check_devinfo(devinfo, max_buf_list_len, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_check_transport(transport_type, devinfo, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_cap(devinfo, max_buf_list_len, &limits, __func__);
    if (rc == DOCA_SUCCESS)
        *max_buf_list_len = limits.recv_list;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_cap_get_gid(const struct doca_devinfo *devinfo,
                                                  uint32_t start_index, uint32_t num_entries,
                                                  struct doca_rdma_gid *gid_array)
{
    struct doca_priv_rdma_limits limits;
    doca_error_t rc = doca_priv_rdma_cap(devinfo, gid_array, &limits, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_entries == 0 || start_index >= limits.gids || num_entries > limits.gids - start_index)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_LIMIT, devinfo);
    return doca_priv_rdma_transport_of(devinfo)->read_gids(devinfo, start_index, num_entries,
                                                           gid_array, __func__);
}

static uint32_t doca_priv_rdma_lower(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Set the initial settings of a new instance. Its memory is filled with zeros. */
static void doca_priv_rdma_init(struct doca_rdma *r, struct doca_core_arena *arena,
                                struct doca_dev *dev, const struct doca_priv_rdma_limits *limits,
                                bool is_of_25)
{
    r->limits = *limits;
    r->send_queue_size = doca_priv_rdma_lower(DOCA_PRIV_RDMA_QUEUE_SIZE, limits->send_queue);
    r->recv_queue_size = doca_priv_rdma_lower(DOCA_PRIV_RDMA_QUEUE_SIZE, limits->recv_queue);
    r->send_list_len = r->recv_list_len = 1;
    r->permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    r->max_conns = 1;
    r->timeout = DOCA_PRIV_RDMA_TIMEOUT;
    r->rnr_retry_count = 7;
    r->mtu = (uint8_t)DOCA_MTU_SIZE_1K_BYTES;
    r->is_of_25 = is_of_25;
    r->transport = doca_priv_rdma_transport_of(&dev->info);
    doca_priv_rdma_init_stocks(r);
    doca_priv_ctx_init(&r->ctx, DOCA_PRIV_KIND_RDMA, r->transport->engine,
                       r->transport->backend_of(dev), arena, dev, DOCA_PRIV_RDMA_TYPES);
}

/* Create an instance in `arena`; NULL selects that of the device. */
static doca_error_t doca_priv_rdma_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                          bool is_of_25, struct doca_rdma **rdma,
                                          const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, rdma, function);
    struct doca_priv_rdma_limits limits;
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_check_devinfo(&dev->info, dev, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_transport_of(&dev->info)->limit(&dev->info, dev, &limits, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(struct doca_rdma), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_rdma_init((struct doca_rdma *)block, arena, dev, &limits, is_of_25);
    *rdma = (struct doca_rdma *)DOCA_PRIV_HANDLE(block);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma)
{
    return doca_priv_rdma_create(NULL, dev, false, rdma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_create_in(struct doca_core_arena *arena,
                                                     struct doca_dev *dev, struct doca_rdma **rdma)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, rdma, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_rdma_create(arena, dev, false, rdma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_25_create(struct doca_dev *dev, struct doca_rdma **rdma)
{
    return doca_priv_rdma_create(NULL, dev, true, rdma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_25_create_in(struct doca_core_arena *arena,
                                                        struct doca_dev *dev,
                                                        struct doca_rdma **rdma)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, rdma, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_rdma_create(arena, dev, true, rdma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_destroy(struct doca_rdma *rdma)
{
    DOCA_PRIV_OPEN(rdma)
    if (!doca_priv_is(rdma, DOCA_PRIV_KIND_RDMA))
        return DOCA_PRIV_FAIL_HANDLE(rdma);
    if (rdma->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_IDLE, rdma);
    return doca_priv_ctx_destroy(&rdma->ctx, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_rdma_as_ctx(struct doca_rdma *rdma)
{
    return (struct doca_ctx *)(void *)rdma;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_rdma(struct doca_dev *dev,
                                                 const struct doca_core_rdma_sizes *sizes,
                                                 size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_rdma r;
    size_t block = 0;
    uint32_t num, i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (sizes == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, dev);
    if (sizes->num_connections > DOCA_CORE_RDMA_MAX_CONNECTIONS ||
        sizes->num_tasks > (DOCA_PRIV_RDMA_TYPES - 1) * DOCA_CORE_RDMA_MAX_SEND_QUEUE +
                               DOCA_CORE_RDMA_MAX_RECV_QUEUE ||
        sizes->send_queue_size > DOCA_CORE_RDMA_MAX_SEND_QUEUE ||
        sizes->max_send_buf_list_len > DOCA_CORE_RDMA_MAX_SEND_LIST)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_LIMIT, dev);
    DOCA_CORE_MEMSET(&r, 0, sizeof(r));
    doca_priv_rdma_init_stocks(&r);
    r.ctx.dev = dev;
    r.ctx.backend = doca_priv_rdma_local.backend_of(dev); /* the sizes of all kinds are equal */
    r.ctx.engine = doca_priv_rdma_local.engine;
    r.ctx.num_stocks = DOCA_PRIV_RDMA_TYPES;
    /* in the checked mode, a stock has more tasks than were asked for: count each type */
    for (i = 0, num = sizes->num_tasks; i < DOCA_PRIV_RDMA_TYPES && num > 0; i++) {
        r.stocks[i].num = i + 1 < DOCA_PRIV_RDMA_TYPES ? 1 : num;
        num -= r.stocks[i].num;
    }
    rc = doca_priv_ctx_bytes(&r.ctx, sizeof(r), bytes, __func__);
    num = sizes->num_connections > 0 ? sizes->num_connections : 1;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_bytes_object(doca_priv_rdma_block_bytes(num), &block, __func__);
    if (rc == DOCA_SUCCESS)
        *bytes += block;
    return rc;
}

/* part: src/compat/rdma/settings.c */
/* ---- >>impl.rdma.settings -------------------------------------------------------------------
 * Settings of instances.                                                                        */

/* Check that a setting may change. */
static doca_error_t doca_priv_rdma_change(struct doca_rdma *rdma, const char *function)
{
    DOCA_PRIV_ENTER(rdma, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, function);
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_ctx_change(&rdma->ctx, DOCA_ERROR_BAD_STATE, function);
}

static doca_error_t doca_priv_rdma_refuse(const struct doca_rdma *rdma, doca_error_t code,
                                          const char *function)
{
    return doca_priv_fail(code, DOCA_CORE_ITEM_RDMA_LIMIT, function, rdma);
}

/* Set the size of a queue, rounded up to a power of two. */
static doca_error_t doca_priv_rdma_set_size(struct doca_rdma *rdma, uint32_t *to, uint32_t size,
                                            uint32_t max, const char *function)
{
    uint32_t rounded = 1;

    if (size == 0)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, function);
    if (size > max)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_NOT_SUPPORTED, function);
    while (rounded < size)
        rounded *= 2;
    *to = rounded;
    return DOCA_SUCCESS;
}

/* Define a setter. It checks the instance and then executes `body`, whose result it returns. */
#define DOCA_PRIV_RDMA_SETTER(name, type, value, body)                                             \
    DOCA_CORE_DECL doca_error_t doca_rdma_##name(struct doca_rdma *rdma, type value)               \
    {                                                                                              \
        DOCA_PRIV_OPEN(rdma)                                                                       \
        doca_error_t rc = doca_priv_rdma_change(rdma, __func__);                                   \
                                                                                                   \
        if (rc != DOCA_SUCCESS)                                                                    \
            return rc;                                                                             \
        body                                                                                       \
    }

/* Define a getter of a member. */
#define DOCA_PRIV_RDMA_GETTER(name, qualifier, type, member)                                       \
    DOCA_CORE_DECL doca_error_t doca_rdma_##name(qualifier struct doca_rdma *rdma, type *value)    \
    {                                                                                              \
        DOCA_PRIV_OPEN(rdma)                                                                       \
        doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, value, __func__);        \
                                                                                                   \
        if (rc == DOCA_SUCCESS)                                                                    \
            *value = (type)rdma->member;                                                           \
        return rc;                                                                                 \
    }

DOCA_PRIV_RDMA_SETTER(set_send_queue_size, uint32_t, send_queue_size,
                      return doca_priv_rdma_set_size(rdma, &rdma->send_queue_size, send_queue_size,
                                                     rdma->limits.send_queue, __func__);)
DOCA_PRIV_RDMA_GETTER(get_send_queue_size, const, uint32_t, send_queue_size)

DOCA_PRIV_RDMA_SETTER(set_recv_queue_size, uint32_t, recv_queue_size,
                      return doca_priv_rdma_set_size(rdma, &rdma->recv_queue_size, recv_queue_size,
                                                     rdma->limits.recv_queue, __func__);)
DOCA_PRIV_RDMA_GETTER(get_recv_queue_size, const, uint32_t, recv_queue_size)

/* Store a number that is at least 1 and at most `max`. */
static doca_error_t doca_priv_rdma_set_number(struct doca_rdma *rdma, uint32_t *to, uint32_t value,
                                              uint32_t max, const char *function)
{
    if (value == 0 || value > max)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, function);
    *to = value;
    return DOCA_SUCCESS;
}

DOCA_PRIV_RDMA_SETTER(set_max_send_buf_list_len, uint32_t, max_send_buf_list_len,
                      return doca_priv_rdma_set_number(rdma, &rdma->send_list_len,
                                                       max_send_buf_list_len,
                                                       rdma->limits.send_list, __func__);)
DOCA_PRIV_RDMA_GETTER(get_max_send_buf_list_len, const, uint32_t, send_list_len)

DOCA_PRIV_RDMA_SETTER(task_receive_set_dst_buf_list_len, uint32_t, buf_list_len,
                      return doca_priv_rdma_set_number(rdma, &rdma->recv_list_len, buf_list_len,
                                                       rdma->limits.recv_list, __func__);)
DOCA_PRIV_RDMA_GETTER(task_receive_get_dst_buf_list_len, const, uint32_t, recv_list_len)

DOCA_PRIV_RDMA_SETTER(set_transport_type, enum doca_rdma_transport_type, transport_type,
                      return doca_priv_rdma_check_transport(transport_type, rdma, __func__);)

DOCA_CORE_DECL doca_error_t doca_rdma_get_transport_type(
    const struct doca_rdma *rdma, enum doca_rdma_transport_type *transport_type)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, transport_type, __func__);

    if (rc == DOCA_SUCCESS)
        *transport_type = DOCA_RDMA_TRANSPORT_TYPE_RC;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_set_permissions(struct doca_rdma *rdma, uint32_t permissions)
{
    DOCA_PRIV_OPEN(rdma)
    const uint32_t known = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                           DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
                           DOCA_ACCESS_FLAG_RDMA_ATOMIC;
    doca_error_t rc = doca_priv_rdma_change(rdma, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((permissions & ~known) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_FLAGS, rdma);
    rdma->permissions = permissions;
    return DOCA_SUCCESS;
}
DOCA_PRIV_RDMA_GETTER(get_permissions, , uint32_t, permissions)

DOCA_CORE_DECL doca_error_t doca_rdma_set_max_num_connections(struct doca_rdma *rdma,
                                                              uint16_t max_num_connections)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_rdma_change(rdma, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (max_num_connections > DOCA_CORE_RDMA_MAX_CONNECTIONS)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, __func__);
    if (max_num_connections == 0 || (rdma->is_of_25 && max_num_connections != 1))
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_NOT_SUPPORTED, __func__);
    rdma->max_conns = max_num_connections;
    return DOCA_SUCCESS;
}
DOCA_PRIV_RDMA_GETTER(get_max_num_connections, , uint16_t, max_conns)

/* Store a small number in a member after a check. */
#define DOCA_PRIV_RDMA_SET_IF(is_valid, member, value)                                             \
    if (!(is_valid))                                                                               \
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, __func__);                    \
    rdma->member = (value);                                                                        \
    return DOCA_SUCCESS;

DOCA_PRIV_RDMA_SETTER(set_connection_request_timeout, uint16_t, timeout,
                      DOCA_PRIV_RDMA_SET_IF(timeout != 0, timeout, timeout))
DOCA_PRIV_RDMA_GETTER(get_connection_request_timeout, const, uint16_t, timeout)

DOCA_PRIV_RDMA_SETTER(set_rnr_retry_count, uint8_t, rnr_retry_count,
                      DOCA_PRIV_RDMA_SET_IF(rnr_retry_count <= 7, rnr_retry_count, rnr_retry_count))
DOCA_PRIV_RDMA_GETTER(get_rnr_retry_count, const, uint8_t, rnr_retry_count)

DOCA_CORE_DECL doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_rdma_change(rdma, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (mtu == DOCA_MTU_SIZE_RAW_ETHERNET)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_NOT_SUPPORTED, __func__);
    if ((unsigned)mtu > (unsigned)DOCA_MTU_SIZE_4K_BYTES)
        return doca_priv_rdma_refuse(rdma, DOCA_ERROR_INVALID_VALUE, __func__);
    rdma->mtu = (uint8_t)mtu;
    return DOCA_SUCCESS;
}
DOCA_PRIV_RDMA_GETTER(get_mtu, const, enum doca_mtu_size, mtu)

DOCA_PRIV_RDMA_SETTER(set_grh_enabled, uint8_t, grh_enabled,
                      DOCA_PRIV_RDMA_SET_IF(true, grh_enabled, grh_enabled != 0 ? 1 : 0))
DOCA_PRIV_RDMA_GETTER(get_grh_enabled, const, uint8_t, grh_enabled)

DOCA_PRIV_RDMA_SETTER(set_gid_index, uint32_t, gid_index,
                      DOCA_PRIV_RDMA_SET_IF(gid_index < rdma->limits.gids, gid_index, gid_index))
DOCA_PRIV_RDMA_GETTER(get_gid_index, const, uint32_t, gid_index)

DOCA_PRIV_RDMA_SETTER(set_sl, uint32_t, sl, DOCA_PRIV_RDMA_SET_IF(sl <= 15, sl, sl))
DOCA_PRIV_RDMA_GETTER(get_sl, const, uint32_t, sl)

DOCA_CORE_DECL doca_error_t doca_rdma_set_connection_state_callbacks(
    struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
    doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
    doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
    doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, __func__);

    if (rc == DOCA_SUCCESS &&
        (doca_rdma_connect_established_cb == NULL || doca_rdma_connect_failure_cb == NULL ||
         doca_rdma_disconnect_cb == NULL))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, rdma);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_change(rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    rdma->requested = doca_rdma_connect_request_cb;
    rdma->established = doca_rdma_connect_established_cb;
    rdma->not_connected = doca_rdma_connect_failure_cb;
    rdma->disconnected = doca_rdma_disconnect_cb;
    return DOCA_SUCCESS;
}

/* part: src/compat/rdma/connect.c */
/* ---- >>impl.rdma.connect --------------------------------------------------------------------
 * The calls that make, accept, reject and end connections.                                       */

/* Check that an instance of 2.10 is running. */
static doca_error_t doca_priv_rdma_check_running(const struct doca_rdma *r, const char *function)
{
    doca_error_t rc = doca_priv_check_args(r, DOCA_PRIV_KIND_RDMA, r, function);

    if (rc == DOCA_SUCCESS && r->is_of_25)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_RDMA_OF_25, function, r);
    if (rc == DOCA_SUCCESS && r->ctx.obj.state != DOCA_CTX_STATE_RUNNING)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, r);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_export(struct doca_rdma *rdma,
                                             const void **local_rdma_conn_details,
                                             size_t *local_rdma_conn_details_size,
                                             struct doca_rdma_connection **rdma_connection)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    struct doca_rdma_connection *c = NULL;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (local_rdma_conn_details == NULL || local_rdma_conn_details_size == NULL ||
        rdma_connection == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_rdma_check_running(rdma, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_fault_call(&rdma->ctx, DOCA_PRIV_FAULT_RDMA_EXPORT);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_rdma_conn_open(rdma, &c, __func__);
    if (rc != DOCA_SUCCESS)
        return rc == DOCA_ERROR_OPERATING_SYSTEM ? DOCA_ERROR_CONNECTION_ABORTED : rc;
    *local_rdma_conn_details = rdma->transport->show(c, local_rdma_conn_details_size);
    *rdma_connection = c;
    return DOCA_SUCCESS;
}

/* Connect a connection of the instance to the peer with these details. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_connect(struct doca_rdma *r,
                                                   struct doca_rdma_connection *connection,
                                                   const void *details, size_t len,
                                                   const char *function)
{
    doca_error_t rc;

    if (!doca_priv_rdma_is_connection(connection))
        return doca_priv_fail_handle(connection, function);
    if (details == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              connection);
    if (connection->rdma != r)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_OF_OTHER, function,
                              connection);
    if (connection->obj.state == DOCA_PRIV_RDMA_DOWN && !connection->was_up)
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_GONE, function,
                              connection);
    if (connection->obj.state != DOCA_PRIV_RDMA_MADE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_RDMA_CONNECTED, function,
                              connection);
    rc = doca_priv_fault_call(&r->ctx, DOCA_PRIV_FAULT_RDMA_CONNECT);
    return rc != DOCA_SUCCESS ? rc : r->transport->connect(connection, details, len, function);
}

DOCA_CORE_DECL doca_error_t doca_rdma_connect(struct doca_rdma *rdma,
                                              const void *remote_rdma_conn_details,
                                              size_t remote_rdma_conn_details_size,
                                              struct doca_rdma_connection *rdma_connection)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_rdma_check_running(rdma, __func__);
    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_rdma_connect(rdma, rdma_connection, remote_rdma_conn_details,
                                        remote_rdma_conn_details_size, __func__);
}

/* Find the port, or with `port` 0 an unused entry. */
static struct doca_priv_rdma_port *doca_priv_rdma_find_port(struct doca_rdma *r, uint16_t port)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_RDMA_MAX_PORTS; i++)
        if (port == 0 ? r->ports[i].fd < 0 : r->ports[i].fd >= 0 && r->ports[i].port == port)
            return &r->ports[i];
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma, uint16_t port)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    struct doca_priv_rdma_port *entry;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (port == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_PORT, rdma);
    rc = doca_priv_rdma_check_running(rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (rdma->transport->listen == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, RDMA_BY_EXPORT, rdma);
    if (rdma->requested == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, RDMA_NO_CALLBACKS, rdma);
    entry = doca_priv_rdma_find_port(rdma, 0);
    if (entry == NULL || doca_priv_rdma_find_port(rdma, port) != NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, RDMA_PORTS, rdma);
    rc = doca_priv_fault_call(&rdma->ctx, DOCA_PRIV_FAULT_RDMA_LISTEN);
    return rc != DOCA_SUCCESS ? rc : rdma->transport->listen(rdma, entry, port, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma, uint16_t port)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    struct doca_priv_rdma_port *entry;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    entry = port != 0 && rdma->conns != NULL ? doca_priv_rdma_find_port(rdma, port) : NULL;
    if (entry == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_PORT, rdma);
    rdma->transport->unlisten(rdma, entry);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connect_to_addr(struct doca_rdma *rdma,
                                                      struct doca_rdma_addr *addr,
                                                      union doca_data connection_user_data)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    struct doca_rdma_connection *c = NULL;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(addr, DOCA_PRIV_KIND_RDMA_ADDR, addr, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_check_running(rdma, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (rdma->transport->ask == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, RDMA_BY_EXPORT, rdma);
    if (rdma->established == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, RDMA_NO_CALLBACKS, rdma);
    rc = doca_priv_rdma_conn_open(rdma, &c, __func__);
    if (rc != DOCA_SUCCESS)
        return rc == DOCA_ERROR_OPERATING_SYSTEM ? DOCA_ERROR_CONNECTION_ABORTED : rc;
    c->user_data = connection_user_data;
    rc = doca_priv_fault_call(&rdma->ctx, DOCA_PRIV_FAULT_RDMA_CONNECT_TO_ADDR);
    if (rc == DOCA_SUCCESS)
        rc = rdma->transport->ask(c, addr, __func__);
    if (rc != DOCA_SUCCESS)
        rdma->transport->down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
    return rc;
}

/* Check that a connection waits for accept or reject. */
static doca_error_t doca_priv_rdma_check_asked(const struct doca_rdma_connection *connection,
                                               const char *function)
{
    if (!doca_priv_rdma_is_connection(connection))
        return doca_priv_fail_handle(connection, function);
    return connection->obj.state == DOCA_PRIV_RDMA_ASKED
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_NOT_ASKED, function,
                                connection);
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_accept(
    struct doca_rdma_connection *rdma_connection, void *private_data, uint8_t private_data_len)
{
    struct doca_rdma_connection *c = rdma_connection;
    doca_error_t rc = doca_priv_rdma_check_asked(c, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((private_data == NULL) != (private_data_len == 0))
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, c);
    rc = doca_priv_fault_call(&c->rdma->ctx, DOCA_PRIV_FAULT_RDMA_ACCEPT);
    if (rc == DOCA_SUCCESS)
        return c->rdma->transport->accept(c, private_data, private_data_len, __func__);
    c->rdma->transport->down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
    return rc;
}

DOCA_CORE_DECL doca_error_t
doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection)
{
    doca_error_t rc = doca_priv_rdma_check_asked(rdma_connection, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_fault_call(&rdma_connection->rdma->ctx, DOCA_PRIV_FAULT_RDMA_REJECT);
    if (rc != DOCA_SUCCESS)
        return rc;
    rdma_connection->rdma->transport->down(rdma_connection, DOCA_ERROR_CONNECTION_ABORTED,
                                           DOCA_PRIV_RDMA_NOTHING);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection)
{
    struct doca_rdma_connection *c = rdma_connection;
    doca_error_t rc;

    if (!doca_priv_rdma_is_connection(c))
        return DOCA_PRIV_FAIL_HANDLE(c);
    if (c->obj.state == DOCA_PRIV_RDMA_DOWN)
        return DOCA_SUCCESS;
    rc = doca_priv_fault_call(&c->rdma->ctx, DOCA_PRIV_FAULT_RDMA_DISCONNECT);
    if (rc == DOCA_SUCCESS)
        c->rdma->transport->down(c, DOCA_ERROR_CONNECTION_ABORTED,
                                 c->was_up ? DOCA_PRIV_RDMA_DISCONNECTED : DOCA_PRIV_RDMA_NOTHING);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_set_user_data(
    struct doca_rdma_connection *rdma_connection, union doca_data connection_user_data)
{
    if (!doca_priv_rdma_is_connection(rdma_connection))
        return DOCA_PRIV_FAIL_HANDLE(rdma_connection);
    rdma_connection->user_data = connection_user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_get_user_data(
    const struct doca_rdma_connection *rdma_connection, union doca_data *connection_user_data)
{
    doca_error_t rc = doca_priv_check_args(rdma_connection, DOCA_PRIV_KIND_RDMA_CONNECTION,
                                           connection_user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *connection_user_data = rdma_connection->user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_get_addr(
    const struct doca_rdma_connection *rdma_connection, struct doca_rdma_addr **addr)
{
    doca_error_t rc =
        doca_priv_check_args(rdma_connection, DOCA_PRIV_KIND_RDMA_CONNECTION, addr, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (rdma_connection->addr == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_NO_ADDRESS, rdma_connection);
    *addr = rdma_connection->addr;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_connection_get_id(
    const struct doca_rdma_connection *rdma_connection, uint32_t *connection_id)
{
    doca_error_t rc = doca_priv_check_args(rdma_connection, DOCA_PRIV_KIND_RDMA_CONNECTION,
                                           connection_id, __func__);

    if (rc == DOCA_SUCCESS)
        *connection_id = (uint32_t)(rdma_connection - rdma_connection->rdma->conns);
    return rc;
}

/* part: src/compat/rdma/address.c */
/* ---- >>impl.rdma.address --------------------------------------------------------------------
 * Addresses, and requests for connections to them. Addresses are elements of a static table.     */

#define DOCA_PRIV_RDMA_ADDR_TEXT 48 /* bytes: IPv6 needs 46, with the NUL */

struct doca_rdma_addr {
    struct doca_priv_object obj;
    uint32_t num_users; /* connections */
    uint16_t port;
    uint8_t type;
    bool is_used;    /* this element of the table */
    uint64_t unused; /* handles are multiples of 8 */
    char text[DOCA_PRIV_RDMA_ADDR_TEXT];
};

static struct {
    DOCA_CORE_ALIGNED struct doca_rdma_addr addrs[DOCA_CORE_RDMA_MAX_ADDRS];
    uint32_t lock;
} doca_priv_rdma_addrs;

/* True when the text is four numbers from 0 to 255 with dots between them. */
static bool doca_priv_rdma_is_ipv4(const char *s)
{
    unsigned part, value, digits;

    for (part = 0; part < 4; part++) {
        for (value = 0, digits = 0; *s >= '0' && *s <= '9' && digits < 3; s++, digits++)
            value = value * 10 + (unsigned)(*s - '0');
        if (digits == 0 || value > 255 || *s != (part < 3 ? '.' : '\0'))
            return false;
        s++;
    }
    return true;
}

static bool doca_priv_rdma_is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* True when the text is an address of IPv6: eight groups of one to four hexadecimal digits with
 * colons between them. One "::" stands for at least one group of zeros, and an address of IPv4 may
 * take the place of the last two groups. */
static bool doca_priv_rdma_is_ipv6(const char *s)
{
    unsigned num = 0, digits;
    bool has_gap = s[0] == ':' && s[1] == ':';

    if (has_gap)
        s += 2;
    while (*s != '\0') {
        if (doca_priv_rdma_is_ipv4(s))
            return has_gap ? num <= 5 : num == 6;
        for (digits = 0; doca_priv_rdma_is_hex(*s) && digits < 4; digits++)
            s++;
        if (digits == 0 || ++num > 8)
            return false;
        if (*s == '\0')
            break;
        if (*s++ != ':' || *s == '\0')
            return false;
        if (*s == ':') {
            if (has_gap)
                return false;
            has_gap = true;
            s++;
        }
    }
    return has_gap ? num <= 7 : num == 8;
}

DOCA_CORE_DECL doca_error_t doca_rdma_addr_create(enum doca_rdma_addr_type addr_type,
                                                  const char *address, uint16_t port,
                                                  struct doca_rdma_addr **addr)
{
    struct doca_rdma_addr *a = doca_priv_rdma_addrs.addrs;
    bool is_valid;
    size_t len;

    if (address == NULL || addr == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    len = doca_priv_str_len(address);
    is_valid = len < DOCA_PRIV_RDMA_ADDR_TEXT && port != 0 &&
               (addr_type == DOCA_RDMA_ADDR_TYPE_IPv4 ? doca_priv_rdma_is_ipv4(address)
                : addr_type == DOCA_RDMA_ADDR_TYPE_IPv6
                    ? doca_priv_rdma_is_ipv6(address)
                    : addr_type == DOCA_RDMA_ADDR_TYPE_GID && doca_priv_rdma_is_ipv6(address));
    if (!is_valid)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_ADDRESS, NULL);
    doca_priv_lock(&doca_priv_rdma_addrs.lock);
    while (a < doca_priv_rdma_addrs.addrs + DOCA_CORE_RDMA_MAX_ADDRS && a->is_used)
        a++;
    if (a < doca_priv_rdma_addrs.addrs + DOCA_CORE_RDMA_MAX_ADDRS) {
        DOCA_CORE_MEMSET(a, 0, sizeof(*a));
        a->port = port;
        a->type = (uint8_t)addr_type;
        a->is_used = true;
        DOCA_CORE_MEMCPY(a->text, address, len + 1);
        doca_priv_object_init(&a->obj, DOCA_PRIV_KIND_RDMA_ADDR);
    } else {
        a = NULL;
    }
    doca_priv_unlock(&doca_priv_rdma_addrs.lock);
    if (a == NULL)
        return DOCA_PRIV_FAIL(NO_MEMORY, RDMA_ADDRESSES, NULL);
    *addr = a;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_addr_destroy(struct doca_rdma_addr *addr)
{
    bool is_used;

    if (!doca_priv_is(addr, DOCA_PRIV_KIND_RDMA_ADDR))
        return DOCA_PRIV_FAIL_HANDLE(addr);
    doca_priv_lock(&doca_priv_rdma_addrs.lock);
    is_used = addr->num_users > 0;
    if (!is_used) {
        doca_priv_object_end(&addr->obj);
        addr->is_used = false;
    }
    doca_priv_unlock(&doca_priv_rdma_addrs.lock);
    return is_used ? DOCA_PRIV_FAIL(BAD_STATE, RDMA_ADDRESS_USED, addr) : DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_addr_get_params(struct doca_rdma_addr *addr,
                                                      enum doca_rdma_addr_type *addr_type,
                                                      const char **address, uint16_t *port)
{
    doca_error_t rc = doca_priv_check_args(addr, DOCA_PRIV_KIND_RDMA_ADDR, addr_type, __func__);

    if (rc == DOCA_SUCCESS && (address == NULL || port == NULL))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, addr);
    if (rc != DOCA_SUCCESS)
        return rc;
    *addr_type = (enum doca_rdma_addr_type)addr->type;
    *address = addr->text;
    *port = addr->port;
    return DOCA_SUCCESS;
}

/* Count a connection of the address more, or less. */
static void doca_priv_rdma_count_addr(struct doca_rdma_addr *addr, uint32_t change)
{
    doca_priv_lock(&doca_priv_rdma_addrs.lock);
    addr->num_users += change;
    doca_priv_unlock(&doca_priv_rdma_addrs.lock);
}

DOCA_PRIV_DECL void doca_priv_rdma_hold_addr(struct doca_rdma_addr *addr)
{
    doca_priv_rdma_count_addr(addr, 1);
}

DOCA_PRIV_DECL void doca_priv_rdma_drop_addr(struct doca_rdma_addr *addr)
{
    if (addr != NULL)
        doca_priv_rdma_count_addr(addr, ~0u);
}

/* Send the request on a socket that was opened to the listener. */
static void doca_priv_rdma_request(struct doca_rdma_connection *c, int fd)
{
    c->ask_fd = fd;
    if (!doca_priv_local_is_same_user(fd) ||
        doca_priv_local_send(fd, DOCA_PRIV_RDMA_ASK, 0, &c->details, sizeof(c->details), NULL) !=
            DOCA_PRIV_LOCAL_SENT ||
        !doca_priv_rdma_watch(c->rdma, fd, DOCA_PRIV_RDMA_AT_CONN, (uint32_t)(c - c->rdma->conns)))
        doca_priv_rdma_lose(c);
}

/* End the connection with the failure callback: the port has no listener. */
static void doca_priv_rdma_no_listener(struct doca_rdma_connection *c, const char *function)
{
    (void)doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_NO_LISTENER, function,
                         c);
    doca_priv_rdma_conn_down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_FAILED);
}

/* Ask the instance that listens on the port of the address for a connection. When the port has no
 * listener, the call succeeds, and the connection ends with the failure callback. When too many
 * clients wait at the port, poll tries again until the deadline. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_ask(struct doca_rdma_connection *connection,
                                               struct doca_rdma_addr *addr, const char *function)
{
    struct doca_rdma *r = connection->rdma;
    struct doca_core_refusal why;
    int fd;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    fd = doca_priv_local_dial(DOCA_PRIV_RDMA_PORT_PREFIX, addr->port, &why);
    if (fd < 0 && why.error != ECONNREFUSED && why.error != EAGAIN)
        return doca_core_backend_refuse(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_SYSTEM,
                                        function, &r->ctx, &why);
    doca_priv_rdma_hold_addr(addr);
    connection->addr = addr;
    if (fd < 0 && why.error == ECONNREFUSED) {
        doca_priv_rdma_no_listener(connection, function);
        return DOCA_SUCCESS;
    }
    doca_priv_rdma_set_asking(connection);
    doca_priv_rdma_set_deadline(connection, doca_priv_sys_now() + (uint64_t)r->timeout * 1000000u);
    if (fd >= 0)
        doca_priv_rdma_request(connection, fd);
    doca_priv_rdma_wake_program(r);
    return DOCA_SUCCESS;
}

/* Try again to ask a listener that was full. */
DOCA_PRIV_DECL void doca_priv_rdma_ask_again(struct doca_rdma_connection *connection)
{
    struct doca_core_refusal why;
    int fd;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    fd = doca_priv_local_dial(DOCA_PRIV_RDMA_PORT_PREFIX, connection->addr->port, &why);
    if (fd >= 0)
        doca_priv_rdma_request(connection, fd);
    else if (why.error == ECONNREFUSED)
        doca_priv_rdma_no_listener(connection, "doca_pe_progress");
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_listen(struct doca_rdma *r,
                                                  struct doca_priv_rdma_port *entry, uint16_t port,
                                                  const char *function)
{
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    entry->fd = doca_priv_local_listen(DOCA_PRIV_RDMA_PORT_PREFIX, port, &why);
    if (entry->fd < 0 && why.error == EADDRINUSE)
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_PORT_TAKEN,
                              function, r);
    if (entry->fd >= 0 &&
        !doca_priv_rdma_watch(r, entry->fd, DOCA_PRIV_RDMA_AT_PORT, (uint32_t)(entry - r->ports))) {
        why.step = DOCA_PRIV_LOG_TEXT("watch the socket of the port");
        why.error = errno;
        doca_priv_rdma_close_fd(r, &entry->fd);
    }
    if (entry->fd < 0)
        return doca_core_backend_refuse(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_SYSTEM,
                                        function, r, &why);
    entry->port = port;
    return DOCA_SUCCESS;
}

/* Refuse the requests that came through a port and were not reported to the program. */
DOCA_PRIV_DECL void doca_priv_rdma_refuse_unheard(struct doca_rdma *r, uint16_t port)
{
    uint32_t i;

    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].port == port && (r->conns[i].events & 1u << DOCA_PRIV_RDMA_REQUESTED) != 0)
            r->transport->down(&r->conns[i], DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
}

DOCA_PRIV_DECL void doca_priv_rdma_unlisten(struct doca_rdma *r, struct doca_priv_rdma_port *entry)
{
    uint32_t i;

    doca_priv_rdma_close_fd(r, &entry->fd);
    for (i = 0; i < DOCA_PRIV_RDMA_GUESTS; i++)
        if (r->guests[i].port == entry->port)
            doca_priv_rdma_close_fd(r, &r->guests[i].fd);
    doca_priv_rdma_refuse_unheard(r, entry->port);
}

/* The private data is not sent. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_accept(struct doca_rdma_connection *connection,
                                                  const void *private_data,
                                                  uint8_t private_data_len, const char *function)
{
    doca_error_t rc = doca_priv_rdma_join(connection, function);

    (void)private_data;
    (void)private_data_len;
    if (rc == DOCA_SUCCESS &&
        doca_priv_local_send(connection->ask_fd, DOCA_PRIV_RDMA_ANSWER, 0, &connection->details,
                             sizeof(connection->details), NULL) == DOCA_PRIV_LOCAL_SENT)
        return DOCA_SUCCESS;
    doca_priv_rdma_conn_down(connection, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED,
                                               DOCA_CORE_ITEM_RDMA_GONE, function, NULL);
}

/* part: src/compat/rdma/task.c */
/* ---- >>impl.rdma.task -----------------------------------------------------------------------
 * Types of tasks: how they are enabled, allocated and completed.                                */

DOCA_PRIV_ASSERT_STATIC(rdma_tasks_fit_their_slots,
                        sizeof(struct doca_priv_rdma_task) <= DOCA_PRIV_RDMA_TASK_BYTES);

/* Enable a type of tasks. */
static doca_error_t doca_priv_rdma_set_conf(struct doca_rdma *rdma, enum doca_priv_rdma_type type,
                                            doca_priv_rdma_any_cb done,
                                            doca_priv_rdma_any_cb failed, uint32_t num_tasks,
                                            const char *function)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, function)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, rdma, function);
    if (rc == DOCA_SUCCESS && (done == NULL || failed == NULL))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function, rdma);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_ctx_change(&rdma->ctx, DOCA_ERROR_BAD_STATE, function);
    if (rc == DOCA_SUCCESS &&
        (num_tasks == 0 || num_tasks > (type == DOCA_PRIV_RDMA_RECEIVE ? rdma->limits.recv_queue
                                                                       : rdma->limits.send_queue)))
        rc = doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_LIMIT, function, rdma);
    if (rc != DOCA_SUCCESS)
        return rc;
    rdma->done[type] = done;
    rdma->failed[type] = failed;
    rdma->stocks[type].num = num_tasks;
    return DOCA_SUCCESS;
}

/* Define the functions that differ only in the type of their task: completion, capability,
 * set_conf and as_task. */
#define DOCA_PRIV_RDMA_TASK_TYPE(name, type)                                                       \
    static void doca_priv_rdma_##name##_ended(struct doca_task *task)                              \
    {                                                                                              \
        const struct doca_rdma *r = (const struct doca_rdma *)(const void *)task->ctx;             \
                                                                                                   \
        ((doca_rdma_task_##name##_completion_cb_t)(                                                \
            task->status == DOCA_SUCCESS ? r->done[type] : r->failed[type]))(                      \
            (struct doca_rdma_task_##name *)DOCA_PRIV_HANDLE(task), task->user_data,               \
            r->ctx.user_data);                                                                     \
    }                                                                                              \
                                                                                                   \
    DOCA_CORE_DECL doca_error_t doca_rdma_cap_task_##name##_is_supported(                          \
        const struct doca_devinfo *devinfo)                                                        \
    {                                                                                              \
        return doca_priv_rdma_check_devinfo(devinfo, devinfo, __func__);                           \
    }                                                                                              \
                                                                                                   \
    DOCA_CORE_DECL doca_error_t doca_rdma_task_##name##_set_conf(                                  \
        struct doca_rdma *rdma,                                                                    \
        doca_rdma_task_##name##_completion_cb_t successful_task_completion_cb,                     \
        doca_rdma_task_##name##_completion_cb_t error_task_completion_cb, uint32_t num_tasks)      \
    {                                                                                              \
        return doca_priv_rdma_set_conf(                                                            \
            rdma, type, (doca_priv_rdma_any_cb)successful_task_completion_cb,                      \
            (doca_priv_rdma_any_cb)error_task_completion_cb, num_tasks, __func__);                 \
    }                                                                                              \
                                                                                                   \
    DOCA_CORE_DECL struct doca_task *doca_rdma_task_##name##_as_task(                              \
        struct doca_rdma_task_##name *task)                                                        \
    {                                                                                              \
        return (struct doca_task *)(void *)task;                                                   \
    }

DOCA_PRIV_RDMA_TASK_TYPE(receive, DOCA_PRIV_RDMA_RECEIVE)
DOCA_PRIV_RDMA_TASK_TYPE(send, DOCA_PRIV_RDMA_SEND)
DOCA_PRIV_RDMA_TASK_TYPE(send_imm, DOCA_PRIV_RDMA_SEND_IMM)
DOCA_PRIV_RDMA_TASK_TYPE(read, DOCA_PRIV_RDMA_READ)
DOCA_PRIV_RDMA_TASK_TYPE(write, DOCA_PRIV_RDMA_WRITE)
DOCA_PRIV_RDMA_TASK_TYPE(write_imm, DOCA_PRIV_RDMA_WRITE_IMM)
DOCA_PRIV_RDMA_TASK_TYPE(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP)
DOCA_PRIV_RDMA_TASK_TYPE(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD)
DOCA_PRIV_RDMA_TASK_TYPE(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET)
DOCA_PRIV_RDMA_TASK_TYPE(remote_net_sync_event_notify_set, DOCA_PRIV_RDMA_EVENT_SET)
DOCA_PRIV_RDMA_TASK_TYPE(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD)

/* The completion functions, by type. */
static void (*const doca_priv_rdma_ended[DOCA_PRIV_RDMA_TYPES])(struct doca_task *task) = {
    doca_priv_rdma_receive_ended,
    doca_priv_rdma_send_ended,
    doca_priv_rdma_send_imm_ended,
    doca_priv_rdma_read_ended,
    doca_priv_rdma_write_ended,
    doca_priv_rdma_write_imm_ended,
    doca_priv_rdma_atomic_cmp_swp_ended,
    doca_priv_rdma_atomic_fetch_add_ended,
    doca_priv_rdma_remote_net_sync_event_get_ended,
    doca_priv_rdma_remote_net_sync_event_notify_set_ended,
    doca_priv_rdma_remote_net_sync_event_notify_add_ended
};

DOCA_PRIV_DECL void doca_priv_rdma_init_stocks(struct doca_rdma *r)
{
    unsigned i;

    for (i = 0; i < DOCA_PRIV_RDMA_TYPES; i++) {
        r->stocks[i].done = doca_priv_rdma_ended[i];
        r->stocks[i].task_bytes = DOCA_PRIV_RDMA_TASK_BYTES;
    }
}

/* Return the task of a handle if the program may change it; otherwise NULL, with a log line. */
DOCA_PRIV_DECL struct doca_priv_rdma_task *
doca_priv_rdma_writable(void *handle, enum doca_priv_rdma_type type, const char *function)
{
    DOCA_PRIV_OPEN(handle)
    return doca_priv_task_check(handle, doca_priv_rdma_ended[type], function) == DOCA_SUCCESS
               ? (struct doca_priv_rdma_task *)handle
               : NULL;
}

/* Return the task of a handle if it can be read; otherwise NULL, with a log line. */
DOCA_PRIV_DECL const struct doca_priv_rdma_task *
doca_priv_rdma_readable(const void *handle, enum doca_priv_rdma_type type, const char *function)
{
    DOCA_PRIV_OPEN(handle)
    return doca_priv_task_reads_as(handle, doca_priv_rdma_ended[type], function)
               ? (const struct doca_priv_rdma_task *)handle
               : NULL;
}

/* Allocate a task, with all its members cleared. On success *task is the task. */
static doca_error_t doca_priv_rdma_alloc(struct doca_rdma *rdma, enum doca_priv_rdma_type type,
                                         struct doca_rdma_connection *connection,
                                         union doca_data user_data, const void *out,
                                         struct doca_priv_rdma_task **task, const char *function)
{
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, out, function);
    struct doca_task *taken = NULL;
    struct doca_priv_rdma_task *t;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (type != DOCA_PRIV_RDMA_RECEIVE && !doca_priv_rdma_is_connection(connection))
        return doca_priv_fail_handle(connection, function);
    if (type != DOCA_PRIV_RDMA_RECEIVE && connection->rdma != rdma)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_RDMA_OF_OTHER, function,
                              connection);
    if (rdma->stocks[type].num == 0)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NO_TASK_TYPE, function,
                              rdma);
    rc = doca_priv_task_take(&rdma->ctx, type, &taken, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    taken->user_data = user_data;
    t = doca_priv_rdma_task_of(taken);
    t->connection = connection;
    t->serial = connection != NULL ? connection->serial : 0;
    t->local = t->remote = NULL;
    t->event = NULL;
    t->values[0] = t->values[1] = 0;
    t->imm = 0;
    t->result_len = 0;
    t->opcode = 0;
    t->stage = DOCA_PRIV_RDMA_WAITING;
    *task = t;
    return DOCA_SUCCESS;
}

static struct doca_buf *doca_priv_rdma_buf(const struct doca_buf *buf)
{
    DOCA_PRIV_OPEN(buf)
    return (struct doca_buf *)(uintptr_t)buf;
}

/* Give the task to the program when `rc` is SUCCESS, and return `rc`. */
#define DOCA_PRIV_RDMA_HAND_OUT(name)                                                              \
    if (rc == DOCA_SUCCESS)                                                                        \
        *task = (struct doca_rdma_task_##name *)DOCA_PRIV_HANDLE(t);                               \
    return rc;

DOCA_CORE_DECL doca_error_t doca_rdma_task_receive_allocate_init(
    struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_receive **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc =
        doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_RECEIVE, NULL, user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS)
        t->local = doca_priv_rdma_buf(dst_buf);
    DOCA_PRIV_RDMA_HAND_OUT(receive)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_send_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, union doca_data user_data, struct doca_rdma_task_send **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_SEND, rdma_connection, user_data,
                                           task, &t, __func__);

    if (rc == DOCA_SUCCESS)
        t->local = doca_priv_rdma_buf(src_buf);
    DOCA_PRIV_RDMA_HAND_OUT(send)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_send_imm_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, doca_be32_t immediate_data, union doca_data user_data,
    struct doca_rdma_task_send_imm **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_SEND_IMM, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->local = doca_priv_rdma_buf(src_buf);
        t->imm = immediate_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(send_imm)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_read_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_read **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_READ, rdma_connection, user_data,
                                           task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->remote = doca_priv_rdma_buf(src_buf);
        t->local = doca_priv_rdma_buf(dst_buf);
    }
    DOCA_PRIV_RDMA_HAND_OUT(read)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_write_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_write **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_WRITE, rdma_connection, user_data,
                                           task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->local = doca_priv_rdma_buf(src_buf);
        t->remote = doca_priv_rdma_buf(dst_buf);
    }
    DOCA_PRIV_RDMA_HAND_OUT(write)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_write_imm_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_buf *src_buf, struct doca_buf *dst_buf, doca_be32_t immediate_data,
    union doca_data user_data, struct doca_rdma_task_write_imm **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_WRITE_IMM, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->local = doca_priv_rdma_buf(src_buf);
        t->remote = doca_priv_rdma_buf(dst_buf);
        t->imm = immediate_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(write_imm)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_atomic_cmp_swp_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
    struct doca_buf *result_buf, uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
    struct doca_rdma_task_atomic_cmp_swp **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_CMP_SWP, rdma_connection, user_data,
                                           task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->remote = doca_priv_rdma_buf(dst_buf);
        t->local = doca_priv_rdma_buf(result_buf);
        t->values[0] = cmp_data;
        t->values[1] = swap_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(atomic_cmp_swp)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_atomic_fetch_add_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
    struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
    struct doca_rdma_task_atomic_fetch_add **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_FETCH_ADD, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->remote = doca_priv_rdma_buf(dst_buf);
        t->local = doca_priv_rdma_buf(result_buf);
        t->values[0] = add_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(atomic_fetch_add)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_get_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf,
    union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_get **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_EVENT_GET, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->event = (struct doca_sync_event_remote_net *)(uintptr_t)event;
        t->local = doca_priv_rdma_buf(dst_buf);
    }
    DOCA_PRIV_RDMA_HAND_OUT(remote_net_sync_event_get)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf,
    union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_set **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_EVENT_SET, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->event = event;
        t->local = doca_priv_rdma_buf(src_buf);
    }
    DOCA_PRIV_RDMA_HAND_OUT(remote_net_sync_event_notify_set)
}

DOCA_CORE_DECL doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
    struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
    struct doca_sync_event_remote_net *event, struct doca_buf *result_buf, uint64_t add_data,
    union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_add **task)
{
    DOCA_PRIV_OPEN(rdma)
    struct doca_priv_rdma_task *t = NULL;
    doca_error_t rc = doca_priv_rdma_alloc(rdma, DOCA_PRIV_RDMA_EVENT_ADD, rdma_connection,
                                           user_data, task, &t, __func__);

    if (rc == DOCA_SUCCESS) {
        t->event = event;
        t->local = doca_priv_rdma_buf(result_buf);
        t->values[0] = add_data;
    }
    DOCA_PRIV_RDMA_HAND_OUT(remote_net_sync_event_notify_add)
}

/* part: src/compat/rdma/accessors.c */
/* ---- >>impl.rdma.accessors ------------------------------------------------------------------
 * Setters and getters of tasks.                                                                 */

/* Define the getter doca_rdma_task_<name>_get_<what>(). It returns a member of the task, or 0 for a
 * task that is NULL. */
#define DOCA_PRIV_RDMA_GET(name, type, what, value_type, member)                                   \
    DOCA_CORE_DECL value_type doca_rdma_task_##name##_get_##what(                                  \
        const struct doca_rdma_task_##name *task)                                                  \
    {                                                                                              \
        const struct doca_priv_rdma_task *t = doca_priv_rdma_readable(task, type, __func__);       \
                                                                                                   \
        return t != NULL ? (value_type)t->member : (value_type)0;                                  \
    }

/* Define the getter, and also the setter, of a member that is a number or a connection. */
#define DOCA_PRIV_RDMA_ACCESS(name, type, what, value_type, member)                                \
    DOCA_CORE_DECL void doca_rdma_task_##name##_set_##what(struct doca_rdma_task_##name *task,     \
                                                           value_type what)                        \
    {                                                                                              \
        struct doca_priv_rdma_task *t = doca_priv_rdma_writable(task, type, __func__);             \
                                                                                                   \
        if (t != NULL)                                                                             \
            t->member = what;                                                                      \
    }                                                                                              \
    DOCA_PRIV_RDMA_GET(name, type, what, value_type, member)

/* Let a task use a connection. The serial number tells it from later connections in its entry. */
static void doca_priv_rdma_bind(struct doca_priv_rdma_task *task,
                                struct doca_rdma_connection *connection)
{
    task->connection = connection;
    task->serial = doca_priv_rdma_is_connection(connection) ? connection->serial : 0;
}

/* Define both for the connection. Its getter returns a const pointer. */
#define DOCA_PRIV_RDMA_ACCESS_CONNECTION(name, type)                                               \
    DOCA_CORE_DECL void doca_rdma_task_##name##_set_rdma_connection(                               \
        struct doca_rdma_task_##name *task, struct doca_rdma_connection *rdma_connection)          \
    {                                                                                              \
        struct doca_priv_rdma_task *t = doca_priv_rdma_writable(task, type, __func__);             \
                                                                                                   \
        if (t != NULL)                                                                             \
            doca_priv_rdma_bind(t, rdma_connection);                                               \
    }                                                                                              \
    DOCA_PRIV_RDMA_GET(name, type, rdma_connection, const struct doca_rdma_connection *, connection)

/* Define both for a buffer. `qualifier` is const for a source. */
#define DOCA_PRIV_RDMA_ACCESS_BUF(name, type, what, qualifier, member)                             \
    DOCA_CORE_DECL void doca_rdma_task_##name##_set_##what(struct doca_rdma_task_##name *task,     \
                                                           qualifier struct doca_buf *what)        \
    {                                                                                              \
        DOCA_PRIV_OPEN(what)                                                                       \
        struct doca_priv_rdma_task *t = doca_priv_rdma_writable(task, type, __func__);             \
                                                                                                   \
        if (t != NULL)                                                                             \
            t->member = (struct doca_buf *)(uintptr_t)what;                                        \
    }                                                                                              \
    DOCA_CORE_DECL qualifier struct doca_buf *doca_rdma_task_##name##_get_##what(                  \
        const struct doca_rdma_task_##name *task)                                                  \
    {                                                                                              \
        const struct doca_priv_rdma_task *t = doca_priv_rdma_readable(task, type, __func__);       \
                                                                                                   \
        return t != NULL && t->member != NULL                                                      \
                   ? (qualifier struct doca_buf *)DOCA_PRIV_HANDLE(t->member)                      \
                   : NULL;                                                                         \
    }

DOCA_PRIV_RDMA_ACCESS_BUF(receive, DOCA_PRIV_RDMA_RECEIVE, dst_buf, , local)
DOCA_PRIV_RDMA_GET(receive, DOCA_PRIV_RDMA_RECEIVE, result_opcode, enum doca_rdma_opcode, opcode)
DOCA_PRIV_RDMA_GET(receive, DOCA_PRIV_RDMA_RECEIVE, result_len, uint32_t, result_len)
DOCA_PRIV_RDMA_GET(receive, DOCA_PRIV_RDMA_RECEIVE, result_immediate_data, doca_be32_t, imm)
DOCA_PRIV_RDMA_GET(receive, DOCA_PRIV_RDMA_RECEIVE, result_rdma_connection,
                   const struct doca_rdma_connection *, connection)

DOCA_PRIV_RDMA_ACCESS_BUF(send, DOCA_PRIV_RDMA_SEND, src_buf, const, local)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(send, DOCA_PRIV_RDMA_SEND)

DOCA_PRIV_RDMA_ACCESS_BUF(send_imm, DOCA_PRIV_RDMA_SEND_IMM, src_buf, const, local)
DOCA_PRIV_RDMA_ACCESS(send_imm, DOCA_PRIV_RDMA_SEND_IMM, immediate_data, doca_be32_t, imm)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(send_imm, DOCA_PRIV_RDMA_SEND_IMM)

DOCA_PRIV_RDMA_ACCESS_BUF(read, DOCA_PRIV_RDMA_READ, src_buf, const, remote)
DOCA_PRIV_RDMA_ACCESS_BUF(read, DOCA_PRIV_RDMA_READ, dst_buf, , local)
DOCA_PRIV_RDMA_GET(read, DOCA_PRIV_RDMA_READ, result_len, uint32_t, result_len)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(read, DOCA_PRIV_RDMA_READ)

DOCA_PRIV_RDMA_ACCESS_BUF(write, DOCA_PRIV_RDMA_WRITE, src_buf, const, local)
DOCA_PRIV_RDMA_ACCESS_BUF(write, DOCA_PRIV_RDMA_WRITE, dst_buf, , remote)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(write, DOCA_PRIV_RDMA_WRITE)

DOCA_PRIV_RDMA_ACCESS_BUF(write_imm, DOCA_PRIV_RDMA_WRITE_IMM, src_buf, const, local)
DOCA_PRIV_RDMA_ACCESS_BUF(write_imm, DOCA_PRIV_RDMA_WRITE_IMM, dst_buf, , remote)
DOCA_PRIV_RDMA_ACCESS(write_imm, DOCA_PRIV_RDMA_WRITE_IMM, immediate_data, doca_be32_t, imm)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(write_imm, DOCA_PRIV_RDMA_WRITE_IMM)

DOCA_PRIV_RDMA_ACCESS_BUF(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP, dst_buf, , remote)
DOCA_PRIV_RDMA_ACCESS_BUF(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP, result_buf, , local)
DOCA_PRIV_RDMA_ACCESS(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP, cmp_data, uint64_t, values[0])
DOCA_PRIV_RDMA_ACCESS(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP, swap_data, uint64_t, values[1])
DOCA_PRIV_RDMA_ACCESS_CONNECTION(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP)

DOCA_PRIV_RDMA_ACCESS_BUF(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD, dst_buf, , remote)
DOCA_PRIV_RDMA_ACCESS_BUF(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD, result_buf, , local)
DOCA_PRIV_RDMA_ACCESS(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD, add_data, uint64_t, values[0])
DOCA_PRIV_RDMA_ACCESS_CONNECTION(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD)

DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_get_set_sync_event(
    struct doca_rdma_task_remote_net_sync_event_get *task,
    const struct doca_sync_event_remote_net *event)
{
    struct doca_priv_rdma_task *t =
        doca_priv_rdma_writable(task, DOCA_PRIV_RDMA_EVENT_GET, __func__);

    if (t != NULL)
        t->event = (struct doca_sync_event_remote_net *)(uintptr_t)event;
}
DOCA_PRIV_RDMA_GET(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET, sync_event,
                   const struct doca_sync_event_remote_net *, event)
DOCA_PRIV_RDMA_ACCESS_BUF(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET, dst_buf, , local)
DOCA_PRIV_RDMA_GET(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET, result_len, uint32_t,
                   result_len)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET)

DOCA_PRIV_RDMA_ACCESS(remote_net_sync_event_notify_set, DOCA_PRIV_RDMA_EVENT_SET, sync_event,
                      struct doca_sync_event_remote_net *, event)
DOCA_PRIV_RDMA_ACCESS_BUF(remote_net_sync_event_notify_set, DOCA_PRIV_RDMA_EVENT_SET, src_buf,
                          const, local)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(remote_net_sync_event_notify_set, DOCA_PRIV_RDMA_EVENT_SET)

DOCA_PRIV_RDMA_ACCESS(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD, sync_event,
                      struct doca_sync_event_remote_net *, event)
DOCA_PRIV_RDMA_ACCESS_BUF(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD, result_buf, ,
                          local)
DOCA_PRIV_RDMA_ACCESS(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD, add_data,
                      uint64_t, values[0])
DOCA_PRIV_RDMA_ACCESS_CONNECTION(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD)

/* part: src/compat/rdma/api_25.c */
/* ---- >>impl.rdma.api_25 ---------------------------------------------------------------------
 * The calls of 2.5. An instance has one connection, and no call has a connection argument.       */

/* Check that an instance is one of 2.5 and started. */
static doca_error_t doca_priv_rdma_check_25(const struct doca_rdma *rdma, const void *pointer,
                                            const char *function)
{
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, pointer, function);

    if (rc == DOCA_SUCCESS && !rdma->is_of_25)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_RDMA_OF_25, function, rdma);
    if (rc == DOCA_SUCCESS && rdma->ctx.obj.state != DOCA_CTX_STATE_STARTING &&
        rdma->ctx.obj.state != DOCA_CTX_STATE_RUNNING)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_RDMA_NOT_STARTED, function, rdma);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_25_export(const struct doca_rdma *rdma,
                                                     const void **local_rdma_conn_details,
                                                     size_t *local_rdma_conn_details_size)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_rdma_check_25(rdma, local_rdma_conn_details, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (local_rdma_conn_details_size == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, rdma);
    rc = doca_priv_fault_call(&rdma->ctx, DOCA_PRIV_FAULT_RDMA_EXPORT);
    if (rc != DOCA_SUCCESS)
        return rc;
    *local_rdma_conn_details = rdma->transport->show(&rdma->conns[0], local_rdma_conn_details_size);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_25_connect(struct doca_rdma *rdma,
                                                      const void *remote_rdma_conn_details,
                                                      size_t remote_rdma_conn_details_size)
{
    DOCA_PRIV_OPEN(rdma)
    DOCA_PRIV_ENTER(rdma, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_rdma_check_25(rdma, rdma, __func__);
    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_rdma_connect(rdma, &rdma->conns[0], remote_rdma_conn_details,
                                        remote_rdma_conn_details_size, __func__);
}

DOCA_CORE_DECL struct doca_rdma_connection *doca_core_rdma_25_connection(struct doca_rdma *rdma)
{
    DOCA_PRIV_OPEN(rdma)
    return doca_priv_is(rdma, DOCA_PRIV_KIND_RDMA) && rdma->is_of_25 && rdma->ctx.queue != NULL
               ? &rdma->conns[0]
               : NULL;
}

/* part: src/compat/rdma/unsupported.c */
/* ---- >>impl.rdma.unsupported ----------------------------------------------------------------
 * Calls for processors that do not exist here, and for programs that use librdmacm themselves.  */

/* Check the arguments of a call, and refuse it for the reason `item`. */
static doca_error_t doca_priv_rdma_no(const struct doca_rdma *rdma, const void *pointer,
                                      enum doca_core_item item, const char *function)
{
    DOCA_PRIV_OPEN(rdma)
    doca_error_t rc = doca_priv_check_args(rdma, DOCA_PRIV_KIND_RDMA, pointer, function);

    return rc != DOCA_SUCCESS ? rc : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, item, function, rdma);
}

DOCA_CORE_DECL doca_error_t doca_rdma_dpa_completion_attach(struct doca_rdma *rdma,
                                                            struct doca_dpa_completion *dpa_comp)
{
    return doca_priv_rdma_no(rdma, dpa_comp, DOCA_CORE_ITEM_RDMA_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_get_dpa_handle(struct doca_rdma *rdma,
                                                     doca_dpa_dev_rdma_t *dpa_rdma)
{
    return doca_priv_rdma_no(rdma, dpa_rdma, DOCA_CORE_ITEM_RDMA_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_get_gpu_handle(struct doca_rdma *rdma,
                                                     struct doca_gpu_dev_rdma **gpu_rdma)
{
    return doca_priv_rdma_no(rdma, gpu_rdma, DOCA_CORE_ITEM_RDMA_NO_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_prepare_connection(
    struct doca_rdma *rdma, struct rdma_cm_id *cm_id, struct doca_rdma_connection **rdma_connection)
{
    return doca_priv_rdma_no(rdma, rdma_connection != NULL ? cm_id : NULL,
                             DOCA_CORE_ITEM_RDMA_NO_BRIDGE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_accept(struct doca_rdma *rdma,
                                                    struct rdma_cm_id *cm_id, void *private_data,
                                                    uint8_t private_data_len,
                                                    struct doca_rdma_connection **rdma_connection)
{
    (void)private_data;
    (void)private_data_len;
    return doca_priv_rdma_no(rdma, rdma_connection != NULL ? cm_id : NULL,
                             DOCA_CORE_ITEM_RDMA_NO_BRIDGE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_v3_rdma_bridge_accept(
    struct doca_rdma *rdma, void *private_data, uint8_t private_data_len,
    struct doca_rdma_connection *rdma_connection)
{
    (void)private_data;
    (void)private_data_len;
    return doca_priv_rdma_no(rdma, rdma_connection, DOCA_CORE_ITEM_RDMA_NO_BRIDGE, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_rdma_bridge_established(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection)
{
    return doca_priv_rdma_no(rdma, rdma_connection, DOCA_CORE_ITEM_RDMA_NO_BRIDGE, __func__);
}

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

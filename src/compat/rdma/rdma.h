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
#ifndef DOCA_SRC_COMPAT_RDMA_RDMA_H
#define DOCA_SRC_COMPAT_RDMA_RDMA_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/rdma/config.h"

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

#endif

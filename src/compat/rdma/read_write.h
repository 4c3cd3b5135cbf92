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
#ifndef DOCA_SRC_COMPAT_RDMA_READ_WRITE_H
#define DOCA_SRC_COMPAT_RDMA_READ_WRITE_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/rdma.h"

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

#endif

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
#ifndef DOCA_SRC_COMPAT_RDMA_RECEIVE_H
#define DOCA_SRC_COMPAT_RDMA_RECEIVE_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/rdma/config.h"
#include "compat/rdma/rdma.h"

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

#endif

/* ---- >>rdma.send -----------------------------------------------------------------------------
 * Tasks that send a message to a receive task of the peer, without and with 32 bits of immediate
 * data. A task of either kind waits, in flight, until the peer has connected and has submitted a
 * receive task, up to the bound of doca_rdma_set_rnr_retry_count(). Success means that the message
 * is in the buffers of the peer's receive task, and that this task completes.
 * Results of submitted tasks: see >>rdma.connection.
 * Source: DOCA RDMA guide, "Send", "Send With Immediate"; API reference, "DOCA RDMA".           */
#ifndef DOCA_SRC_COMPAT_RDMA_SEND_H
#define DOCA_SRC_COMPAT_RDMA_SEND_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/rdma.h"

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

#endif

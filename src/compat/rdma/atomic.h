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
#ifndef DOCA_SRC_COMPAT_RDMA_ATOMIC_H
#define DOCA_SRC_COMPAT_RDMA_ATOMIC_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/rdma.h"

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

#endif

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
#ifndef DOCA_SRC_COMPAT_RDMA_SYNC_EVENT_H
#define DOCA_SRC_COMPAT_RDMA_SYNC_EVENT_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/rdma.h"

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

#endif

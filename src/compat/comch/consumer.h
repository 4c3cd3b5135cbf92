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
#ifndef DOCA_SRC_COMPAT_COMCH_CONSUMER_H
#define DOCA_SRC_COMPAT_COMCH_CONSUMER_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"

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

#endif

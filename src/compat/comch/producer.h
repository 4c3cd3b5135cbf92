/* ---- >>comch.producer ------------------------------------------------------------------------
 * Producers: the sending end of the data path. A producer is a context on an established connection
 * of either side. Its tasks send the data of a buffer, immediate data of up to 32 bytes, or both,
 * to any RUNNING consumer of the peer on the same connection. Several producers may send to one
 * consumer. doca_ctx_start() makes a producer RUNNING at once, and returns SUCCESS.
 * A send succeeds when its bytes are with the peer: in the ring of the consumer, and, for a message
 * of more than 64 KiB, in the consumer's buffer. Such a long message moves while both sides make
 * progress. Messages of one producer to one consumer arrive in the order of their submission.
 * Order of calls:
 *     create -> task_send_set_conf -> connect to a PE -> start -> alloc_init -> submit -> callback
 *     -> free
 * A producer, even an idle one, keeps its connection: the server or client can leave STOPPING only
 * after its consumers and producers are destroyed.
 * A call whose argument is NULL, or whose handle is not a live object of its type, returns
 * INVALID_VALUE; a getter without an error code returns NULL or 0.
 * Threads: a producer and its tasks belong to the thread of the producer's PE, from create to
 * destroy. That thread can be another one than the thread of the connection.
 * Source: DOCA Comch guide; API reference, "DOCA Comch Producer".                               */
#ifndef DOCA_SRC_COMPAT_COMCH_PRODUCER_H
#define DOCA_SRC_COMPAT_COMCH_PRODUCER_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"

struct doca_comch_producer;
struct doca_comch_producer_task_send;
struct doca_dpa_completion;

/* Handle of a DPA's memory. No call of this library gives one. */
typedef uint64_t doca_dpa_dev_comch_producer_t;

/* Called when a send task has completed. The same type serves success and failure. The callback may
 * submit the task again, free it, and stop the context. */
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
    struct doca_comch_producer_task_send *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

/* Query the producers of a device.
 *
 *   max_num_tasks     out: tasks of a producer
 *   max_buf_size      out: bytes of one message
 *   max_buf_list_len  out: 1, which means that lists of buffers are not supported
 *   max_producers     out: producers that one side of a connection can have
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  (is_supported, max_buf_size, max_buf_list_len) the device can be neither
 *                          a server nor a client */
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
 * instead of from the arena of the server or client.
 *
 *   comch_connection  established; of a server or of a client
 *
 * Owns      one block of the arena, and a use of the connection, until destroy
 * Errors    INVALID_VALUE  an argument is NULL, or not a live object
 *           NO_MEMORY      the arena is exhausted, or this side of the connection already has
 *                          doca_comch_producer_cap_get_max_producers() producers
 *           BAD_STATE      the connection is not established
 *           NOT_PERMITTED  the peer runs a version of this library with another protocol */
DOCA_CORE_DECL doca_error_t doca_comch_producer_create(
    struct doca_comch_connection *comch_connection, struct doca_comch_producer **producer);
DOCA_CORE_DECL doca_error_t doca_core_comch_producer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_comch_producer **producer);

/* Destroy an idle producer and disconnect it from its PE.
 *
 * Callback  allowed in the producer's state callback when the new state is IDLE
 * Errors    INVALID_VALUE   the argument is NULL, or not a live object
 *           BAD_STATE       the producer is not idle
 *           IN_USE          tasks are not freed
 *           INITIALIZATION  never: the reference names it for a lock, which a producer does not
 *                           have */
DOCA_CORE_DECL doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);

/* Return the producer as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);

/* Get the number that consumers see as the sender of a message. It is unique among the producers of
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
 *   num_send_tasks                     tasks that can be allocated at the same time, at least 1
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
 *   buf           a single buffer, whose data is sent; or NULL with immediate data only (Assumed).
 *                 The program keeps its reference. Several tasks in flight may send one buffer.
 *   imm_data      bytes that the call copies into the task; or NULL
 *   imm_data_len  bytes, at most 32 and at most what the consumer accepts; 0 with NULL
 *   consumer_id   from the new-consumer event, or from a message of the peer
 *
 * Results of a submitted task, apart from SUCCESS:
 *     AGAIN             of doca_task_submit(): the consumer has no free posted buffer, or is not
 *                       known yet; the task is not submitted. A program may repeat the submit in a
 *                       loop: what the consumer posts is visible to submit without any progress of
 *                       the sending process.
 *     INVALID_VALUE     of doca_task_submit(): the task has neither a buffer nor immediate data,
 *                       the buffer is a list, or its data is longer than
 *                       doca_comch_producer_cap_get_max_buf_size()
 *     IO_FAILED         of the task: the posted buffer is too short, or the consumer does not
 *                       accept so much immediate data; the task of the consumer fails, too
 *                       (Assumed)
 *     CONNECTION_RESET  of the task: the consumer or the peer has ended
 *     SHUTDOWN          of the task: the producer was stopped
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `producer` or `task` is NULL, or not a live object; or imm_data and its
 *                          length do not fit together
 *           BAD_STATE      the producer is not running
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_alloc_init(
    struct doca_comch_producer *producer, const struct doca_buf *buf, uint8_t *imm_data,
    uint32_t imm_data_len, uint32_t consumer_id, struct doca_comch_producer_task_send **task);

/* Return the send task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_comch_producer_task_send_as_task(
    struct doca_comch_producer_task_send *task);

/* Get or set the buffer, the consumer or the immediate data of the task. set_imm_data copies the
 * bytes; NULL and 0 remove the data. get_imm_data returns the copy in the task, or NULL when there
 * is none; its length is in bytes. A call that would change a free or submitted task, or set more
 * than 32 bytes, is logged and has no effect. */
DOCA_CORE_DECL const struct doca_buf *doca_comch_producer_task_send_get_buf(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_buf(
    struct doca_comch_producer_task_send *task, const struct doca_buf *buf);
DOCA_CORE_DECL uint32_t doca_comch_producer_task_send_get_consumer_id(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_consumer_id(
    struct doca_comch_producer_task_send *task, const uint32_t consumer_id);
DOCA_CORE_DECL uint8_t *doca_comch_producer_task_send_get_imm_data(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL uint32_t doca_comch_producer_task_send_get_imm_data_len(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_imm_data(
    struct doca_comch_producer_task_send *task, uint8_t *imm_data, uint32_t imm_data_len);

/* Settings of a producer whose data path a DPA runs. No device has a DPA.
 *
 * Errors    INVALID_VALUE  a pointer is NULL, or `producer` is not a live producer
 *           NOT_SUPPORTED  otherwise. The reference names BAD_STATE for
 *                          doca_comch_producer_get_dpa_handle(), for a producer in the wrong state
 */
DOCA_CORE_DECL doca_error_t doca_comch_producer_set_dev_max_num_send(
    struct doca_comch_producer *producer, uint32_t dev_num_send);
DOCA_CORE_DECL doca_error_t doca_comch_producer_dpa_completion_attach(
    struct doca_comch_producer *producer, struct doca_dpa_completion *dpa_comp);
DOCA_CORE_DECL doca_error_t doca_comch_producer_get_dpa_handle(
    struct doca_comch_producer *producer, doca_dpa_dev_comch_producer_t *dpa_producer);

#endif

/* ---- >>comch.producer ------------------------------------------------------------------------
 * Producers: the sending end of the data path. A producer is a context on an established connection
 * of either side. Its tasks send the data of a buffer, immediate data of up to 32 bytes, or both,
 * to any RUNNING consumer of the peer on the same connection. Several producers may send to one
 * consumer. doca_ctx_start() makes a producer RUNNING at once, and returns SUCCESS.
 * A send succeeds when all bytes of its message are in the ring of the consumer. The ring holds up
 * to 64 KiB of a message; a longer message passes through the ring while both sides make progress.
 * Messages of one producer to one consumer arrive in the order of their submission, and send tasks
 * of one producer complete in the order of their submission.
 * Order of calls:
 *     create -> task_send_set_conf -> connect to a PE -> start -> alloc_init -> submit -> callback
 *     -> free
 * A producer, even an idle one, keeps its connection: the server or client can leave STOPPING only
 * after its consumers and producers are destroyed.
 * A call whose argument is NULL, or whose handle is not a live object of its type, returns
 * INVALID_VALUE; a getter without an error code returns NULL or 0.
 * Threads: a producer and its tasks belong to the thread of the producer's PE, from create to
 * destroy. The connection may belong to another thread.
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

/* Handle of memory of a DPA. No call of this library returns such a handle. */
typedef uint64_t doca_dpa_dev_comch_producer_t;

/* Called when a send task has completed, with success or failure. The callback may submit the task
 * again, free it, and stop the context. */
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
    struct doca_comch_producer_task_send *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

/* Query the producers of a device.
 *
 *   max_num_tasks     out: maximum number of tasks of a producer
 *   max_buf_size      out: maximum length of a message in bytes
 *   max_buf_list_len  out: 1, which means that lists of buffers are not supported
 *   max_producers     out: maximum number of producers of one side of a connection
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  is_supported: the card of the device has no DPU */
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
 * instead of from the arena of the device.
 *
 *   comch_connection  an established connection of a server or a client
 *
 * Owns      one block of the arena, and a reference to the connection, until destroy
 * Errors    INVALID_VALUE  an argument is NULL, or not a live object
 *           NO_MEMORY      the arena is exhausted, or this side of the connection already has
 *                          doca_comch_producer_cap_get_max_producers() producers
 *           BAD_STATE      the connection is not established
 *           NOT_PERMITTED  never: a peer with another protocol is refused when it connects */
DOCA_CORE_DECL doca_error_t doca_comch_producer_create(
    struct doca_comch_connection *comch_connection, struct doca_comch_producer **producer);
DOCA_CORE_DECL doca_error_t doca_core_comch_producer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_comch_producer **producer);

/* Destroy an idle producer and disconnect it from its PE.
 *
 * Callback  allowed in the producer's state callback when the new state is IDLE
 * Errors    INVALID_VALUE   the argument is NULL, or not a live object
 *           IN_USE          the producer is not idle
 *           INITIALIZATION  never: the reference lists it for a lock, which a producer does not
 *                           have */
DOCA_CORE_DECL doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);

/* Return the producer as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);

/* Get the id that consumers see as the sender of a message. The id is unique among the producers of
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
 *   num_send_tasks                     number of tasks that can be allocated at the same time, at
 *                                      least 1
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
 *   buf           the single buffer whose data is sent. Its mmap must contain the device of the
 *                 connection. NULL to send only immediate data (Assumed). The program keeps its
 *                 reference. Several tasks in flight may send the same buffer.
 *   imm_data      bytes that the call copies into the task; or NULL
 *   imm_data_len  length in bytes, at most 32 and at most the consumer's limit; 0 with NULL
 *   consumer_id   from the new-consumer event, or from a message of the peer
 *
 * Results of a submitted task, apart from SUCCESS:
 *     AGAIN             of doca_task_submit(): the consumer has no free posted buffer; the task is
 *                       not submitted. A program may repeat the submit in a loop: submit sees newly
 *                       posted buffers even if the sending process makes no progress.
 *     NOT_CONNECTED     of the task: the peer has no running consumer with this id, or this side
 *                       has not received its new-consumer event yet
 *     IO_FAILED         of the task: the posted buffer is too short, or the consumer accepts less
 *                       immediate data (then the task of the consumer fails, too; Assumed); or the
 *                       buffer is a list, its mmap lacks the device, or its data is longer than
 *                       doca_comch_producer_cap_get_max_buf_size(). doca_task_try_submit() returns
 *                       INVALID_VALUE for such a buffer.
 *     CONNECTION_RESET  of the task: the consumer or the peer has ended
 *     SHUTDOWN          of the task: the producer was stopped
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  `producer` or `task` is NULL, or not a live object; imm_data is NULL and
 *                          its length is not 0; or the length exceeds 32
 *           BAD_STATE      the producer is not running
 *           NO_MEMORY      all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_alloc_init(
    struct doca_comch_producer *producer, const struct doca_buf *buf, uint8_t *imm_data,
    uint32_t imm_data_len, uint32_t consumer_id, struct doca_comch_producer_task_send **task);

/* Return the send task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_comch_producer_task_send_as_task(
    struct doca_comch_producer_task_send *task);

/* Get or set the buffer, the consumer or the immediate data of the task. set_imm_data copies the
 * bytes; NULL and 0 remove the data. get_imm_data returns the copy in the task, or NULL without
 * immediate data; its length is in bytes. A call that would change a free or submitted task, or set
 * more than 32 bytes, is logged and has no effect. */
DOCA_CORE_DECL const struct doca_buf *doca_comch_producer_task_send_get_buf(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_buf(
    struct doca_comch_producer_task_send *task, const struct doca_buf *buf);
DOCA_CORE_DECL uint32_t doca_comch_producer_task_send_get_consumer_id(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_consumer_id(
    struct doca_comch_producer_task_send *task, uint32_t consumer_id);
DOCA_CORE_DECL uint8_t *doca_comch_producer_task_send_get_imm_data(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL uint32_t doca_comch_producer_task_send_get_imm_data_len(
    const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void doca_comch_producer_task_send_set_imm_data(
    struct doca_comch_producer_task_send *task, uint8_t *imm_data, uint32_t imm_data_len);

/* Settings of a producer whose data path runs on a DPA. No device has a DPA.
 *
 * Errors    INVALID_VALUE  a pointer is NULL, or `producer` is not a live producer
 *           NOT_SUPPORTED  otherwise. The reference lists BAD_STATE for
 *                          doca_comch_producer_get_dpa_handle(), for a producer in the wrong state
 */
DOCA_CORE_DECL doca_error_t doca_comch_producer_set_dev_max_num_send(
    struct doca_comch_producer *producer, uint32_t dev_num_send);
DOCA_CORE_DECL doca_error_t doca_comch_producer_dpa_completion_attach(
    struct doca_comch_producer *producer, struct doca_dpa_completion *dpa_comp);
DOCA_CORE_DECL doca_error_t doca_comch_producer_get_dpa_handle(
    struct doca_comch_producer *producer, doca_dpa_dev_comch_producer_t *dpa_producer);

#endif

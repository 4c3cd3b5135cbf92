/* ---- >>comch.cc ------------------------------------------------------------------------------
 * The names of 2.5 (doca_cc.h, doca_cc_consumer.h and doca_cc_producer.h): 41, 12 and 13 functions
 * on the objects of the current API. Where only the name differs, a macro without parameters maps
 * the name of 2.5 to the current name. Where parameters differ, a function is below or in
 * >>comch.cc.events: sizes are size_t, consumer ids are int, and numbers of tasks are logarithms
 * to the base 2. A failure is logged by the current name of the call.
 * The names are visible in files with DOCA_CORE_API 20501, the default, and in files that define
 * DOCA_CORE_COMCH_CC before they include this header, as the headers doca_cc*.h do.
 * Source: API reference 2.5, "DOCA Comm Channel"; public programs of 2.5.                       */
#ifndef DOCA_SRC_COMPAT_COMCH_CC_H
#define DOCA_SRC_COMPAT_COMCH_CC_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/cc_events.h"
#include "compat/comch/comch.h"
#include "compat/comch/consumer.h"
#include "compat/comch/producer.h"

#if (DOCA_CORE_API < 30000 || defined(DOCA_CORE_COMCH_CC)) && !defined(DOCA_CORE_COMCH_CC_H)
#define DOCA_CORE_COMCH_CC_H

/* types */
#define doca_cc_client doca_comch_client
#define doca_cc_connection doca_comch_connection
#define doca_cc_consumer doca_comch_consumer
#define doca_cc_consumer_post_recv_task doca_comch_consumer_task_post_recv
#define doca_cc_counter doca_comch_counter
#define doca_cc_event_connection_status_changed doca_comch_event_connection_status_changed
#define doca_cc_event_consumer doca_comch_event_consumer
#define doca_cc_event_msg_recv doca_comch_event_msg_recv
#define doca_cc_producer doca_comch_producer
#define doca_cc_producer_send_task doca_comch_producer_task_send
#define doca_cc_send_task doca_comch_task_send
#define doca_cc_server doca_comch_server
#define doca_cc_send_task_comp_handler doca_comch_task_send_completion_cb_t
#define doca_cc_event_consumer_cb_t doca_comch_event_consumer_cb_t
#define doca_cc_consumer_post_recv_task_comp_handler                                               \
    doca_comch_consumer_task_post_recv_completion_cb_t
#define doca_cc_producer_send_task_comp_handler doca_comch_producer_task_send_completion_cb_t
#define DOCA_CC_COUNTER_SENT_MESSAGES DOCA_COMCH_COUNTER_SENT_MESSAGES
#define DOCA_CC_COUNTER_SENT_BYTES DOCA_COMCH_COUNTER_SENT_BYTES
#define DOCA_CC_COUNTER_RECV_MESSAGES DOCA_COMCH_COUNTER_RECV_MESSAGES
#define DOCA_CC_COUNTER_RECV_BYTES DOCA_COMCH_COUNTER_RECV_BYTES

/* functions whose parameters are the same */
#define doca_cc_cap_client_is_supported doca_comch_cap_client_is_supported
#define doca_cc_cap_get_max_name_len doca_comch_cap_get_max_name_len
#define doca_cc_cap_is_consumer_supported doca_comch_consumer_cap_is_supported
#define doca_cc_cap_is_producer_supported doca_comch_producer_cap_is_supported
#define doca_cc_cap_server_is_supported doca_comch_cap_server_is_supported
#define doca_cc_client_as_ctx doca_comch_client_as_ctx
#define doca_cc_client_create doca_comch_client_create
#define doca_cc_client_destroy doca_comch_client_destroy
#define doca_cc_client_event_consumer_register doca_comch_client_event_consumer_register
#define doca_cc_client_get_client_ctx doca_comch_client_get_client_ctx
#define doca_cc_client_get_connection doca_comch_client_get_connection
#define doca_cc_client_get_device doca_comch_client_get_device
#define doca_cc_connection_get_counter doca_comch_connection_get_counter
#define doca_cc_connection_get_user_data doca_comch_connection_get_user_data
#define doca_cc_connection_set_user_data doca_comch_connection_set_user_data
#define doca_cc_connection_update_info doca_comch_connection_update_info
#define doca_cc_consumer_as_ctx doca_comch_consumer_as_ctx
#define doca_cc_consumer_create doca_comch_consumer_create
#define doca_cc_consumer_destroy doca_comch_consumer_destroy
#define doca_cc_consumer_get_id doca_comch_consumer_get_id
#define doca_cc_consumer_post_recv_task_alloc_init doca_comch_consumer_task_post_recv_alloc_init
#define doca_cc_consumer_post_recv_task_as_task doca_comch_consumer_task_post_recv_as_task
#define doca_cc_consumer_post_recv_task_set_buf doca_comch_consumer_task_post_recv_set_buf
#define doca_cc_producer_as_ctx doca_comch_producer_as_ctx
#define doca_cc_producer_create doca_comch_producer_create
#define doca_cc_producer_destroy doca_comch_producer_destroy
#define doca_cc_producer_send_task_as_task doca_comch_producer_task_send_as_task
#define doca_cc_send_task_as_task doca_comch_task_send_as_task
#define doca_cc_server_as_ctx doca_comch_server_as_ctx
#define doca_cc_server_create doca_comch_server_create
#define doca_cc_server_destroy doca_comch_server_destroy
#define doca_cc_server_event_consumer_register doca_comch_server_event_consumer_register
#define doca_cc_server_get_device doca_comch_server_get_device
#define doca_cc_server_get_device_repr doca_comch_server_get_device_rep
#define doca_cc_server_get_server_ctx doca_comch_server_get_server_ctx

#ifdef __cplusplus
extern "C" {
#endif

/* Convert a size or a logarithm for a call of the current API. A value that does not fit becomes
 * UINT32_MAX. This exceeds every limit, so the call returns INVALID_VALUE. */
static inline uint32_t doca_priv_cc_size(size_t size)
{
    return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

static inline uint32_t doca_priv_cc_exp(size_t log_num)
{
    return log_num < 32 ? (uint32_t)1 << log_num : UINT32_MAX;
}

/* Store `number` in *out if the call succeeded. Returns `rc`, the result of the call. */
static inline doca_error_t doca_priv_cc_give(doca_error_t rc, uint32_t number, size_t *out)
{
    if (rc == DOCA_SUCCESS)
        *out = number;
    return rc;
}

/* Like doca_priv_cc_give(), but store the base-2 logarithm of the largest power of two that is not
 * above `number`. */
static inline doca_error_t doca_priv_cc_give_log(doca_error_t rc, uint32_t number, size_t *out)
{
    size_t log_num = 0;

    while (number >> 1 >> log_num != 0)
        log_num++;
    return doca_priv_cc_give(rc, (uint32_t)log_num, out);
}

/* The control path. The functions have the parameters of the current functions, with the types of
 * 2.5. */
static inline doca_error_t doca_cc_cap_get_max_msg_size(const struct doca_devinfo *devinfo,
                                                        size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_cap_get_max_msg_size(devinfo, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo,
                                                               size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_cap_get_max_recv_queue_size(devinfo, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_cap_get_max_clients(const struct doca_devinfo *devinfo,
                                                       size_t *num_clients)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_cap_get_max_clients(devinfo, num_clients != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, num_clients);
}

static inline doca_error_t doca_cc_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
                                                          size_t *max_send_tasks)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_cap_get_max_send_tasks(devinfo, max_send_tasks != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, max_send_tasks);
}

static inline doca_error_t doca_cc_server_set_max_msg_size(struct doca_comch_server *cc_server,
                                                           size_t size)
{
    return doca_comch_server_set_max_msg_size(cc_server, doca_priv_cc_size(size));
}

static inline doca_error_t
doca_cc_server_get_max_msg_size(const struct doca_comch_server *cc_server, size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_server_get_max_msg_size(cc_server, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_server_set_recv_queue_size(struct doca_comch_server *cc_server,
                                                              size_t size)
{
    return doca_comch_server_set_recv_queue_size(cc_server, doca_priv_cc_size(size));
}

static inline doca_error_t
doca_cc_server_get_recv_queue_size(const struct doca_comch_server *cc_server, size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_server_get_recv_queue_size(cc_server, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_client_set_max_msg_size(struct doca_comch_client *cc_client,
                                                           size_t size)
{
    return doca_comch_client_set_max_msg_size(cc_client, doca_priv_cc_size(size));
}

static inline doca_error_t
doca_cc_client_get_max_msg_size(const struct doca_comch_client *cc_client, size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_client_get_max_msg_size(cc_client, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_client_set_recv_queue_size(struct doca_comch_client *cc_client,
                                                              size_t size)
{
    return doca_comch_client_set_recv_queue_size(cc_client, doca_priv_cc_size(size));
}

static inline doca_error_t
doca_cc_client_get_recv_queue_size(const struct doca_comch_client *cc_client, size_t *size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_client_get_recv_queue_size(cc_client, size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, size);
}

static inline doca_error_t doca_cc_server_send_task_set_conf(
    struct doca_comch_server *cc_server, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    return doca_comch_server_task_send_set_conf(cc_server, task_completion_cb, task_error_cb,
                                                doca_priv_cc_exp(log_num_tasks));
}

static inline doca_error_t doca_cc_server_send_task_alloc_init(struct doca_comch_server *cc_server,
                                                               struct doca_comch_connection *peer,
                                                               const void *msg, size_t len,
                                                               struct doca_comch_task_send **task)
{
    return doca_comch_server_task_send_alloc_init(cc_server, peer, msg, doca_priv_cc_size(len),
                                                  task);
}

static inline doca_error_t doca_cc_client_send_task_set_conf(
    struct doca_comch_client *cc_client, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    return doca_comch_client_task_send_set_conf(cc_client, task_completion_cb, task_error_cb,
                                                doca_priv_cc_exp(log_num_tasks));
}

static inline doca_error_t doca_cc_client_send_task_alloc_init(struct doca_comch_client *cc_client,
                                                               struct doca_comch_connection *peer,
                                                               const void *msg, size_t len,
                                                               struct doca_comch_task_send **task)
{
    return doca_comch_client_task_send_alloc_init(cc_client, peer, msg, doca_priv_cc_size(len),
                                                  task);
}

/* Consumers and producers. */
static inline doca_error_t
doca_cc_consumer_cap_get_max_log_num_tasks(const struct doca_devinfo *devinfo,
                                           size_t *max_log_num_tasks)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_consumer_cap_get_max_num_tasks(
        devinfo, max_log_num_tasks != NULL ? &number : NULL);

    return doca_priv_cc_give_log(rc, number, max_log_num_tasks);
}

static inline doca_error_t doca_cc_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                                 size_t *max_buf_size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_consumer_cap_get_max_buf_size(devinfo, max_buf_size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, max_buf_size);
}

static inline doca_error_t doca_cc_consumer_post_recv_task_set_conf(
    struct doca_comch_consumer *consumer,
    doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
    doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, size_t log_num_tasks)
{
    return doca_comch_consumer_task_post_recv_set_conf(consumer, task_completion_cb, task_error_cb,
                                                       doca_priv_cc_exp(log_num_tasks));
}

static inline doca_error_t
doca_cc_producer_cap_get_max_log_num_tasks(const struct doca_devinfo *devinfo,
                                           size_t *max_log_num_tasks)
{
    uint32_t number = 0;
    doca_error_t rc = doca_comch_producer_cap_get_max_num_tasks(
        devinfo, max_log_num_tasks != NULL ? &number : NULL);

    return doca_priv_cc_give_log(rc, number, max_log_num_tasks);
}

static inline doca_error_t doca_cc_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                                 size_t *max_buf_size)
{
    uint32_t number = 0;
    doca_error_t rc =
        doca_comch_producer_cap_get_max_buf_size(devinfo, max_buf_size != NULL ? &number : NULL);

    return doca_priv_cc_give(rc, number, max_buf_size);
}

static inline doca_error_t doca_cc_producer_send_task_set_conf(
    struct doca_comch_producer *producer,
    doca_comch_producer_task_send_completion_cb_t task_completion_cb,
    doca_comch_producer_task_send_completion_cb_t task_error_cb, size_t log_num_tasks)
{
    return doca_comch_producer_task_send_set_conf(producer, task_completion_cb, task_error_cb,
                                                  doca_priv_cc_exp(log_num_tasks));
}

static inline struct doca_buf *
doca_cc_consumer_post_recv_task_get_buf(struct doca_comch_consumer_task_post_recv *task)
{
    return doca_comch_consumer_task_post_recv_get_buf(task);
}

static inline doca_error_t
doca_cc_producer_send_task_alloc_init(struct doca_comch_producer *producer, struct doca_buf *buf,
                                      int consumer_id, struct doca_comch_producer_task_send **task)
{
    return doca_comch_producer_task_send_alloc_init(producer, buf, NULL, 0, (uint32_t)consumer_id,
                                                    task);
}

static inline struct doca_buf *
doca_cc_producer_send_task_get_buf(struct doca_comch_producer_task_send *task)
{
    return (struct doca_buf *)(uintptr_t)doca_comch_producer_task_send_get_buf(task);
}

static inline void doca_cc_producer_send_task_set_buf(struct doca_comch_producer_task_send *task,
                                                      struct doca_buf *buf)
{
    doca_comch_producer_task_send_set_buf(task, buf);
}

static inline int
doca_cc_producer_send_task_get_consumer_id(struct doca_comch_producer_task_send *task)
{
    return (int)doca_comch_producer_task_send_get_consumer_id(task);
}

static inline void
doca_cc_producer_send_task_set_consumer_id(struct doca_comch_producer_task_send *task,
                                           const int consumer_id)
{
    doca_comch_producer_task_send_set_consumer_id(task, (uint32_t)consumer_id);
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_COMCH_CC_H */

#endif

/* doca_core_comch.h - the API of DOCA Comch (doca_comch.h, 2.10 and 3.x), for use with doca_core.h
 *
 * CONTENTS (search for the tag)
 *   API             >>comch.config >>comch >>comch.consumer >>comch.producer >>comch.msgq
 *   Implementation  >>impl.comch.unsupported
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/comch/. Change the
 * parts.
 */
#if defined(DOCA_CORE_COMCH_IMPLEMENTATION) && !defined(DOCA_CORE_IMPLEMENTATION) &&               \
    !defined(DOCA_PRIV_COMCH_IMPLEMENTED)
#error "define DOCA_CORE_IMPLEMENTATION in the file that defines DOCA_CORE_COMCH_IMPLEMENTATION"
#endif

#include "doca_core.h"

#ifndef DOCA_CORE_COMCH_H
#define DOCA_CORE_COMCH_H

/* part: src/compat/comch/config.h */
/* ---- >>comch.config --------------------------------------------------------------------------
 * Limits of this header. Define them before the include, with the same value in every file of
 * every process that uses a channel: they are the answers of the capability queries, and the bounds
 * of what a peer may ask for. 4080 bytes is the message size of public programs; all other numbers
 * are Assumed, because the vendor publishes none.                                               */

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_comch.h is for hosted programs"
#endif
#ifndef __linux__
#error "doca_core_comch.h needs sockets and shared memory of Linux"
#endif
#ifdef DOCA_CORE_NO_REP
#error "doca_core_comch.h needs representors"
#endif

/* Control path: bytes of a message; bytes of the name of a server, with its NUL; messages that a
 * receive queue holds; send tasks of a server or client; connections of a server. */
#ifndef DOCA_CORE_COMCH_MAX_MSG
#define DOCA_CORE_COMCH_MAX_MSG 4080
#endif
#define DOCA_CORE_COMCH_MAX_NAME 120
#ifndef DOCA_CORE_COMCH_MAX_RECV_QUEUE
#define DOCA_CORE_COMCH_MAX_RECV_QUEUE 8192
#endif
#ifndef DOCA_CORE_COMCH_MAX_SEND_TASKS
#define DOCA_CORE_COMCH_MAX_SEND_TASKS 8192
#endif
#ifndef DOCA_CORE_COMCH_MAX_CLIENTS
#define DOCA_CORE_COMCH_MAX_CLIENTS 512
#endif

/* Data path: consumers and producers that each side of a connection may have; tasks of a consumer
 * or producer; bytes of one buffer; bytes of immediate data of one message. */
#ifndef DOCA_CORE_COMCH_MAX_CONSUMERS
#define DOCA_CORE_COMCH_MAX_CONSUMERS 64
#endif
#ifndef DOCA_CORE_COMCH_MAX_PRODUCERS
#define DOCA_CORE_COMCH_MAX_PRODUCERS 64
#endif
#ifndef DOCA_CORE_COMCH_MAX_TASKS
#define DOCA_CORE_COMCH_MAX_TASKS 8192
#endif
#ifndef DOCA_CORE_COMCH_MAX_BUF
#define DOCA_CORE_COMCH_MAX_BUF (1u << 30)
#endif
#define DOCA_CORE_COMCH_MAX_IMM 32

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/comch/comch.h */
/* ---- >>comch ---
 * The control path. */

struct doca_comch_client;
struct doca_comch_connection;
struct doca_comch_event_connection_status_changed;
struct doca_comch_event_consumer;
struct doca_comch_event_msg_recv;
struct doca_comch_server;
struct doca_comch_task_send;

typedef void (*doca_comch_task_send_completion_cb_t)(struct doca_comch_task_send *task,
                                                     union doca_data task_user_data,
                                                     union doca_data ctx_user_data);
typedef void (*doca_comch_event_msg_recv_cb_t)(struct doca_comch_event_msg_recv *event,
                                               uint8_t *recv_buffer, uint32_t msg_len,
                                               struct doca_comch_connection *comch_connection);
typedef void (*doca_comch_event_connection_status_changed_cb_t)(
    struct doca_comch_event_connection_status_changed *event,
    struct doca_comch_connection *comch_connection, uint8_t change_successful);
enum doca_comch_counter {
    DOCA_COMCH_COUNTER_SENT_MESSAGES = 1,
    DOCA_COMCH_COUNTER_SENT_BYTES = 2,
    DOCA_COMCH_COUNTER_RECV_MESSAGES = 3,
    DOCA_COMCH_COUNTER_RECV_BYTES = 4
};
typedef void (*doca_comch_event_consumer_cb_t)(struct doca_comch_event_consumer *event,
                                               struct doca_comch_connection *comch_connection,
                                               uint32_t id);

DOCA_CORE_DECL doca_error_t doca_comch_connection_set_user_data(
    struct doca_comch_connection *connection, union doca_data user_data);
DOCA_CORE_DECL union doca_data
doca_comch_connection_get_user_data(const struct doca_comch_connection *connection);
DOCA_CORE_DECL struct doca_comch_server *
doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection);
DOCA_CORE_DECL struct doca_comch_client *
doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection);
DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo,
                                                            uint32_t *max_name_len);
DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo,
                                                            uint32_t *size);
DOCA_CORE_DECL doca_error_t
doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *size);
DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo,
                                                           uint32_t *num_clients);
DOCA_CORE_DECL doca_error_t doca_comch_server_create(struct doca_dev *dev,
                                                     struct doca_dev_rep *repr, const char *name,
                                                     struct doca_comch_server **comch_server);
DOCA_CORE_DECL doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server);
DOCA_CORE_DECL doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t
doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server, uint32_t size);
DOCA_CORE_DECL doca_error_t
doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server, uint32_t *size);
DOCA_CORE_DECL doca_error_t
doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server, uint32_t size);
DOCA_CORE_DECL doca_error_t
doca_comch_server_get_recv_queue_size(const struct doca_comch_server *comch_server, uint32_t *size);
DOCA_CORE_DECL doca_error_t
doca_comch_server_get_device(const struct doca_comch_server *comch_server, struct doca_dev **dev);
DOCA_CORE_DECL doca_error_t doca_comch_server_get_device_rep(
    const struct doca_comch_server *comch_server, struct doca_dev_rep **rep);
DOCA_CORE_DECL struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server);
DOCA_CORE_DECL doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server,
                                                         struct doca_comch_connection *connection);
DOCA_CORE_DECL doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name,
                                                     struct doca_comch_client **comch_client);
DOCA_CORE_DECL doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client);
DOCA_CORE_DECL doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t
doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client, uint32_t size);
DOCA_CORE_DECL doca_error_t
doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client, uint32_t *size);
DOCA_CORE_DECL doca_error_t
doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client, uint32_t size);
DOCA_CORE_DECL doca_error_t
doca_comch_client_get_recv_queue_size(const struct doca_comch_client *comch_client, uint32_t *size);
DOCA_CORE_DECL doca_error_t
doca_comch_client_get_device(const struct doca_comch_client *comch_client, struct doca_dev **dev);
DOCA_CORE_DECL struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client);
DOCA_CORE_DECL doca_error_t doca_comch_client_get_connection(
    const struct doca_comch_client *comch_client, struct doca_comch_connection **connection);
DOCA_CORE_DECL doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo,
                                                              uint32_t *max_send_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_server_task_send_set_conf(
    struct doca_comch_server *comch_server, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_client_task_send_set_conf(
    struct doca_comch_client *comch_client, doca_comch_task_send_completion_cb_t task_completion_cb,
    doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_server_task_send_alloc_init(
    struct doca_comch_server *comch_server, struct doca_comch_connection *peer, const void *msg,
    uint32_t len, struct doca_comch_task_send **task);
DOCA_CORE_DECL doca_error_t doca_comch_client_task_send_alloc_init(
    struct doca_comch_client *comch_client, struct doca_comch_connection *peer, const void *msg,
    uint32_t len, struct doca_comch_task_send **task);
DOCA_CORE_DECL struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task);
DOCA_CORE_DECL doca_error_t doca_comch_server_event_msg_recv_register(
    struct doca_comch_server *comch_server, doca_comch_event_msg_recv_cb_t recv_event_cb);
DOCA_CORE_DECL doca_error_t doca_comch_client_event_msg_recv_register(
    struct doca_comch_client *comch_client, doca_comch_event_msg_recv_cb_t recv_event_cb);
DOCA_CORE_DECL doca_error_t doca_comch_server_event_connection_status_changed_register(
    struct doca_comch_server *comch_server,
    doca_comch_event_connection_status_changed_cb_t connect_event_cb,
    doca_comch_event_connection_status_changed_cb_t disconnect_event_cb);
DOCA_CORE_DECL doca_error_t
doca_comch_connection_update_info(struct doca_comch_connection *comch_connection);
DOCA_CORE_DECL doca_error_t
doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
                                  enum doca_comch_counter counter_type, uint64_t *counter_value);
DOCA_CORE_DECL doca_error_t doca_comch_server_event_consumer_register(
    struct doca_comch_server *comch_server, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb);
DOCA_CORE_DECL doca_error_t doca_comch_client_event_consumer_register(
    struct doca_comch_client *comch_client, doca_comch_event_consumer_cb_t new_consumer_event_cb,
    doca_comch_event_consumer_cb_t expired_consumer_event_cb);

DOCA_CORE_DECL doca_error_t doca_core_comch_server_create_in(struct doca_core_arena *arena,
                                                             struct doca_dev *dev,
                                                             struct doca_dev_rep *repr,
                                                             const char *name,
                                                             struct doca_comch_server **server);
DOCA_CORE_DECL doca_error_t doca_core_comch_client_create_in(struct doca_core_arena *arena,
                                                             struct doca_dev *dev, const char *name,
                                                             struct doca_comch_client **client);
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_server(struct doca_dev *dev,
                                                         uint32_t num_clients,
                                                         uint32_t num_send_tasks, uint32_t max_msg,
                                                         size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_client(struct doca_dev *dev,
                                                         uint32_t num_send_tasks, uint32_t max_msg,
                                                         size_t *bytes);

/* part: src/compat/comch/consumer.h */
/* ---- >>comch.consumer ---
 * Consumers: the receiving end of the data path. */

struct doca_comch_consumer;
struct doca_comch_consumer_completion;
struct doca_comch_consumer_task_post_recv;
struct doca_dpa_thread;

typedef uint64_t doca_dpa_dev_comch_consumer_completion_t;
typedef uint64_t doca_dpa_dev_comch_consumer_t;
typedef void (*doca_comch_consumer_task_post_recv_completion_cb_t)(
    struct doca_comch_consumer_task_post_recv *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_create(struct doca_comch_connection *comch_connection,
                           struct doca_mmap *buf_mmap, struct doca_comch_consumer **consumer);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer,
                                                       uint32_t *id);
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
DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_imm_data_len(
    const struct doca_comch_consumer *consumer, uint32_t *imm_data_len);
DOCA_CORE_DECL doca_error_t
doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer, uint32_t imm_data_len);
DOCA_CORE_DECL struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer);
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
DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_set_conf(
    struct doca_comch_consumer *consumer,
    doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
    doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, uint32_t num_post_recv_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_consumer_task_post_recv_alloc_init(
    struct doca_comch_consumer *consumer, struct doca_buf *buf,
    struct doca_comch_consumer_task_post_recv **task);
DOCA_CORE_DECL struct doca_buf *
doca_comch_consumer_task_post_recv_get_buf(const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL void
doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
                                           struct doca_buf *buf);
DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_producer_id(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(
    const struct doca_comch_consumer_task_post_recv *task);
DOCA_CORE_DECL struct doca_task *
doca_comch_consumer_task_post_recv_as_task(struct doca_comch_consumer_task_post_recv *task);

DOCA_CORE_DECL doca_error_t doca_core_comch_consumer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_mmap *buf_mmap, struct doca_comch_consumer **consumer);
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_consumer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes);

/* part: src/compat/comch/producer.h */
/* ---- >>comch.producer ---
 * Producers: the sending end of the data path. */

struct doca_comch_producer;
struct doca_comch_producer_task_send;
struct doca_dpa_completion;

typedef uint64_t doca_dpa_dev_comch_producer_t;
typedef void (*doca_comch_producer_task_send_completion_cb_t)(
    struct doca_comch_producer_task_send *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

DOCA_CORE_DECL doca_error_t doca_comch_producer_create(
    struct doca_comch_connection *comch_connection, struct doca_comch_producer **producer);
DOCA_CORE_DECL doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);
DOCA_CORE_DECL doca_error_t
doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer,
                                                       uint32_t *id);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_num_tasks(
    const struct doca_devinfo *devinfo, uint32_t *max_num_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_size);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);
DOCA_CORE_DECL doca_error_t doca_comch_producer_cap_get_max_producers(
    const struct doca_devinfo *devinfo, uint32_t *max_producers);
DOCA_CORE_DECL struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);
DOCA_CORE_DECL doca_error_t doca_comch_producer_set_dev_max_num_send(
    struct doca_comch_producer *producer, uint32_t dev_num_send);
DOCA_CORE_DECL doca_error_t doca_comch_producer_dpa_completion_attach(
    struct doca_comch_producer *producer, struct doca_dpa_completion *dpa_comp);
DOCA_CORE_DECL doca_error_t doca_comch_producer_get_dpa_handle(
    struct doca_comch_producer *producer, doca_dpa_dev_comch_producer_t *dpa_producer);
DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_set_conf(
    struct doca_comch_producer *producer,
    doca_comch_producer_task_send_completion_cb_t task_completion_cb,
    doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);
DOCA_CORE_DECL doca_error_t doca_comch_producer_task_send_alloc_init(
    struct doca_comch_producer *producer, const struct doca_buf *buf, uint8_t *imm_data,
    uint32_t imm_data_len, uint32_t consumer_id, struct doca_comch_producer_task_send **task);
DOCA_CORE_DECL const struct doca_buf *
doca_comch_producer_task_send_get_buf(const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void
doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task,
                                      const struct doca_buf *buf);
DOCA_CORE_DECL uint32_t
doca_comch_producer_task_send_get_consumer_id(const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void
doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task,
                                              const uint32_t consumer_id);
DOCA_CORE_DECL uint8_t *
doca_comch_producer_task_send_get_imm_data(const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL uint32_t
doca_comch_producer_task_send_get_imm_data_len(const struct doca_comch_producer_task_send *task);
DOCA_CORE_DECL void
doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task,
                                           uint8_t *imm_data, uint32_t imm_data_len);
DOCA_CORE_DECL struct doca_task *
doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task);

DOCA_CORE_DECL doca_error_t doca_core_comch_producer_create_in(
    struct doca_core_arena *arena, struct doca_comch_connection *comch_connection,
    struct doca_comch_producer **producer);
DOCA_CORE_DECL doca_error_t doca_core_bytes_comch_producer(struct doca_dev *dev, uint32_t num_tasks,
                                                           size_t *bytes);

/* part: src/compat/comch/msgq.h */
/* ---- >>comch.msgq ---
 * Message queues between the CPU and a DPA. */

struct doca_comch_consumer;
struct doca_comch_msgq;
struct doca_comch_producer;

DOCA_CORE_DECL doca_error_t doca_comch_msgq_create(struct doca_dev *dev,
                                                   struct doca_comch_msgq **msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_consumers);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_producers);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_consumer **consumer);
DOCA_CORE_DECL doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_producer **producer);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_COMCH_H */

#if defined(DOCA_CORE_COMCH_IMPLEMENTATION) && !defined(DOCA_PRIV_COMCH_IMPLEMENTED)
#define DOCA_PRIV_COMCH_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/comch/unsupported.c */
/* ---- >>impl.comch.unsupported ----------------------------------------------------------------
 * The calls that serve a DPA, and message queues. A DPA is a processor of the card, which no device
 * of this library has. Each call checks its arguments as the reference documents them, and then
 * returns NOT_SUPPORTED. Completions of consumers and message queues cannot be created, so a handle
 * of one is only compared with NULL.                                                            */

/* Refuse a call with a handle and another pointer that must not be NULL. */
static doca_error_t doca_priv_comch_refuse(const void *handle, const void *pointer,
                                           enum doca_core_item item, const char *function)
{
    if (handle == NULL || pointer == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, item, function, NULL);
}

static doca_error_t doca_priv_comch_no_dpa(const void *handle, const void *pointer,
                                           const char *function)
{
    return doca_priv_comch_refuse(handle, pointer, DOCA_CORE_ITEM_COMCH_NO_DPA, function);
}

static doca_error_t doca_priv_comch_no_msgq(const void *handle, const void *pointer,
                                            const char *function)
{
    return doca_priv_comch_refuse(handle, pointer, DOCA_CORE_ITEM_COMCH_NO_MSGQ, function);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_create(struct doca_comch_consumer_completion **consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_dpa_thread(
    struct doca_comch_consumer_completion *consumer_comp, struct doca_dpa_thread *dpa_thread)
{
    return doca_priv_comch_no_dpa(consumer_comp, dpa_thread, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_destroy(struct doca_comch_consumer_completion *consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_start(struct doca_comch_consumer_completion *consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_comch_consumer_completion_stop(struct doca_comch_consumer_completion *consumer_comp)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_dpa_handle(
    struct doca_comch_consumer_completion *consumer_comp,
    doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle)
{
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp_handle, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_consumers(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers)
{
    (void)max_num_consumers;
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_consumers(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers)
{
    return doca_priv_comch_no_dpa(consumer_comp, max_num_consumers, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_max_num_recv(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t max_num_recv)
{
    (void)max_num_recv;
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_max_num_recv(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv)
{
    return doca_priv_comch_no_dpa(consumer_comp, max_num_recv, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_set_imm_data_len(
    struct doca_comch_consumer_completion *consumer_comp, uint32_t imm_data_len)
{
    (void)imm_data_len;
    return doca_priv_comch_no_dpa(consumer_comp, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_completion_get_imm_data_len(
    const struct doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len)
{
    return doca_priv_comch_no_dpa(consumer_comp, imm_data_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_dev_max_num_recv(
    struct doca_comch_consumer *consumer, uint32_t dev_num_recv)
{
    (void)dev_num_recv;
    return doca_priv_comch_no_dpa(consumer, consumer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_set_completion(
    struct doca_comch_consumer *consumer, struct doca_comch_consumer_completion *consumer_comp,
    uint32_t user_data)
{
    (void)user_data;
    return doca_priv_comch_no_dpa(consumer, consumer_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_consumer_get_dpa_handle(
    struct doca_comch_consumer *consumer, doca_dpa_dev_comch_consumer_t *dpa_consumer)
{
    return doca_priv_comch_no_dpa(consumer, dpa_consumer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_set_dev_max_num_send(
    struct doca_comch_producer *producer, uint32_t dev_num_send)
{
    (void)dev_num_send;
    return doca_priv_comch_no_dpa(producer, producer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_dpa_completion_attach(
    struct doca_comch_producer *producer, struct doca_dpa_completion *dpa_comp)
{
    return doca_priv_comch_no_dpa(producer, dpa_comp, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_producer_get_dpa_handle(
    struct doca_comch_producer *producer, doca_dpa_dev_comch_producer_t *dpa_producer)
{
    return doca_priv_comch_no_dpa(producer, dpa_producer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_create(struct doca_dev *dev,
                                                   struct doca_comch_msgq **msgq)
{
    return doca_priv_comch_no_msgq(dev, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq)
{
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa)
{
    return doca_priv_comch_no_msgq(msgq, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_consumers)
{
    (void)max_num_consumers;
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq,
                                                             struct doca_dpa *dpa)
{
    return doca_priv_comch_no_msgq(msgq, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq,
                                                                  uint32_t max_num_producers)
{
    (void)max_num_producers;
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq)
{
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq)
{
    return doca_priv_comch_no_msgq(msgq, msgq, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_consumer **consumer)
{
    return doca_priv_comch_no_msgq(msgq, consumer, __func__);
}

DOCA_CORE_DECL doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq,
                                                            struct doca_comch_producer **producer)
{
    return doca_priv_comch_no_msgq(msgq, producer, __func__);
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_COMCH_IMPLEMENTATION */

/* ---- >>comch ---
 * The control path. */
#ifndef DOCA_SRC_COMPAT_COMCH_COMCH_H
#define DOCA_SRC_COMPAT_COMCH_COMCH_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/config.h"

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

#endif

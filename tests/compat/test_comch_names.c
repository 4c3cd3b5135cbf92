/* Every function of DOCA Comch, declared once more as the reference documents it: a signature that
 * differs does not compile, a function that is missing does not link. Then the callback types and
 * the counters, and the names of 2.5 with the types that they have there. */
#define DOCA_CORE_COMCH_CC
#include "doca_core_comch.h"
#include "doca_test.h"

/* functions: 109 */
doca_error_t doca_comch_connection_set_user_data(struct doca_comch_connection *connection, union
    doca_data user_data);
union doca_data doca_comch_connection_get_user_data(const struct doca_comch_connection *connection);
struct doca_comch_server *doca_comch_server_get_server_ctx(const struct doca_comch_connection
    *connection);
struct doca_comch_client *doca_comch_client_get_client_ctx(const struct doca_comch_connection
    *connection);
doca_error_t doca_comch_cap_get_max_name_len(const struct doca_devinfo *devinfo, uint32_t
    *max_name_len);
doca_error_t doca_comch_cap_get_max_msg_size(const struct doca_devinfo *devinfo, uint32_t *size);
doca_error_t doca_comch_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t
    *size);
doca_error_t doca_comch_cap_get_max_clients(const struct doca_devinfo *devinfo, uint32_t
    *num_clients);
doca_error_t doca_comch_server_create(struct doca_dev *dev, struct doca_dev_rep *repr, const char
    *name, struct doca_comch_server **comch_server);
doca_error_t doca_comch_server_destroy(struct doca_comch_server *comch_server);
doca_error_t doca_comch_cap_server_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server, uint32_t
    size);
doca_error_t doca_comch_server_get_max_msg_size(const struct doca_comch_server *comch_server,
    uint32_t *size);
doca_error_t doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server, uint32_t
    size);
doca_error_t doca_comch_server_get_recv_queue_size(const struct doca_comch_server *comch_server,
    uint32_t *size);
doca_error_t doca_comch_server_get_device(const struct doca_comch_server *comch_server, struct
    doca_dev **dev);
doca_error_t doca_comch_server_get_device_rep(const struct doca_comch_server *comch_server, struct
    doca_dev_rep **rep);
struct doca_ctx *doca_comch_server_as_ctx(struct doca_comch_server *comch_server);
doca_error_t doca_comch_server_disconnect(struct doca_comch_server *comch_server, struct
    doca_comch_connection *connection);
doca_error_t doca_comch_client_create(struct doca_dev *dev, const char *name, struct
    doca_comch_client **comch_client);
doca_error_t doca_comch_client_destroy(struct doca_comch_client *comch_client);
doca_error_t doca_comch_cap_client_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client, uint32_t
    size);
doca_error_t doca_comch_client_get_max_msg_size(const struct doca_comch_client *comch_client,
    uint32_t *size);
doca_error_t doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client, uint32_t
    size);
doca_error_t doca_comch_client_get_recv_queue_size(const struct doca_comch_client *comch_client,
    uint32_t *size);
doca_error_t doca_comch_client_get_device(const struct doca_comch_client *comch_client, struct
    doca_dev **dev);
struct doca_ctx *doca_comch_client_as_ctx(struct doca_comch_client *comch_client);
doca_error_t doca_comch_client_get_connection(const struct doca_comch_client *comch_client, struct
    doca_comch_connection **connection);
doca_error_t doca_comch_cap_get_max_send_tasks(const struct doca_devinfo *devinfo, uint32_t
    *max_send_tasks);
doca_error_t doca_comch_server_task_send_set_conf(struct doca_comch_server *comch_server,
    doca_comch_task_send_completion_cb_t task_completion_cb, doca_comch_task_send_completion_cb_t
    task_error_cb, uint32_t num_send_tasks);
doca_error_t doca_comch_client_task_send_set_conf(struct doca_comch_client *comch_client,
    doca_comch_task_send_completion_cb_t task_completion_cb, doca_comch_task_send_completion_cb_t
    task_error_cb, uint32_t num_send_tasks);
doca_error_t doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server, struct
    doca_comch_connection *peer, const void *msg, uint32_t len, struct doca_comch_task_send **task);
doca_error_t doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client, struct
    doca_comch_connection *peer, const void *msg, uint32_t len, struct doca_comch_task_send **task);
struct doca_task *doca_comch_task_send_as_task(struct doca_comch_task_send *task);
doca_error_t doca_comch_server_event_msg_recv_register(struct doca_comch_server *comch_server,
    doca_comch_event_msg_recv_cb_t recv_event_cb);
doca_error_t doca_comch_client_event_msg_recv_register(struct doca_comch_client *comch_client,
    doca_comch_event_msg_recv_cb_t recv_event_cb);
doca_error_t doca_comch_server_event_connection_status_changed_register(struct doca_comch_server
    *comch_server, doca_comch_event_connection_status_changed_cb_t connect_event_cb,
    doca_comch_event_connection_status_changed_cb_t disconnect_event_cb);
doca_error_t doca_comch_connection_update_info(struct doca_comch_connection *comch_connection);
doca_error_t doca_comch_connection_get_counter(const struct doca_comch_connection *comch_connection,
    enum doca_comch_counter counter_type, uint64_t *counter_value);
doca_error_t doca_comch_server_event_consumer_register(struct doca_comch_server *comch_server,
    doca_comch_event_consumer_cb_t new_consumer_event_cb, doca_comch_event_consumer_cb_t
    expired_consumer_event_cb);
doca_error_t doca_comch_client_event_consumer_register(struct doca_comch_client *comch_client,
    doca_comch_event_consumer_cb_t new_consumer_event_cb, doca_comch_event_consumer_cb_t
    expired_consumer_event_cb);
doca_error_t doca_comch_consumer_create(struct doca_comch_connection *comch_connection, struct
    doca_mmap *buf_mmap, struct doca_comch_consumer **consumer);
doca_error_t doca_comch_consumer_destroy(struct doca_comch_consumer *consumer);
doca_error_t doca_comch_consumer_cap_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_comch_consumer_get_id(const struct doca_comch_consumer *consumer, uint32_t *id);
doca_error_t doca_comch_consumer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo, uint32_t
    *max_num_tasks);
doca_error_t doca_comch_consumer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t
    *max_buf_size);
doca_error_t doca_comch_consumer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
    uint32_t *max_buf_list_len);
doca_error_t doca_comch_consumer_cap_get_max_consumers(const struct doca_devinfo *devinfo, uint32_t
    *max_consumers);
doca_error_t doca_comch_consumer_cap_get_max_imm_data_len(const struct doca_devinfo *devinfo,
    uint32_t *max_imm_data_len);
doca_error_t doca_comch_consumer_get_imm_data_len(const struct doca_comch_consumer *consumer,
    uint32_t *imm_data_len);
doca_error_t doca_comch_consumer_set_imm_data_len(struct doca_comch_consumer *consumer, uint32_t
    imm_data_len);
struct doca_ctx *doca_comch_consumer_as_ctx(struct doca_comch_consumer *consumer);
doca_error_t doca_comch_consumer_completion_create(struct doca_comch_consumer_completion
    **consumer_comp);
doca_error_t doca_comch_consumer_completion_set_dpa_thread(struct doca_comch_consumer_completion
    *consumer_comp, struct doca_dpa_thread *dpa_thread);
doca_error_t doca_comch_consumer_completion_destroy(struct doca_comch_consumer_completion
    *consumer_comp);
doca_error_t doca_comch_consumer_completion_start(struct doca_comch_consumer_completion
    *consumer_comp);
doca_error_t doca_comch_consumer_completion_stop(struct doca_comch_consumer_completion
    *consumer_comp);
doca_error_t doca_comch_consumer_completion_get_dpa_handle(struct doca_comch_consumer_completion
    *consumer_comp, doca_dpa_dev_comch_consumer_completion_t *consumer_comp_handle);
doca_error_t doca_comch_consumer_completion_set_max_num_consumers(struct
    doca_comch_consumer_completion *consumer_comp, uint32_t max_num_consumers);
doca_error_t doca_comch_consumer_completion_get_max_num_consumers(const struct
    doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_consumers);
doca_error_t doca_comch_consumer_completion_set_max_num_recv(struct doca_comch_consumer_completion
    *consumer_comp, uint32_t max_num_recv);
doca_error_t doca_comch_consumer_completion_get_max_num_recv(const struct
    doca_comch_consumer_completion *consumer_comp, uint32_t *max_num_recv);
doca_error_t doca_comch_consumer_completion_set_imm_data_len(struct doca_comch_consumer_completion
    *consumer_comp, uint32_t imm_data_len);
doca_error_t doca_comch_consumer_completion_get_imm_data_len(const struct
    doca_comch_consumer_completion *consumer_comp, uint32_t *imm_data_len);
doca_error_t doca_comch_consumer_set_dev_max_num_recv(struct doca_comch_consumer *consumer, uint32_t
    dev_num_recv);
doca_error_t doca_comch_consumer_set_completion(struct doca_comch_consumer *consumer, struct
    doca_comch_consumer_completion *consumer_comp, uint32_t user_data);
doca_error_t doca_comch_consumer_get_dpa_handle(struct doca_comch_consumer *consumer,
    doca_dpa_dev_comch_consumer_t *dpa_consumer);
doca_error_t doca_comch_consumer_task_post_recv_set_conf(struct doca_comch_consumer *consumer,
    doca_comch_consumer_task_post_recv_completion_cb_t task_completion_cb,
    doca_comch_consumer_task_post_recv_completion_cb_t task_error_cb, uint32_t num_post_recv_tasks);
doca_error_t doca_comch_consumer_task_post_recv_alloc_init(struct doca_comch_consumer *consumer,
    struct doca_buf *buf, struct doca_comch_consumer_task_post_recv **task);
struct doca_buf *doca_comch_consumer_task_post_recv_get_buf(const struct
    doca_comch_consumer_task_post_recv *task);
void doca_comch_consumer_task_post_recv_set_buf(struct doca_comch_consumer_task_post_recv *task,
    struct doca_buf *buf);
uint32_t doca_comch_consumer_task_post_recv_get_producer_id(const struct
    doca_comch_consumer_task_post_recv *task);
const uint8_t *doca_comch_consumer_task_post_recv_get_imm_data(const struct
    doca_comch_consumer_task_post_recv *task);
uint32_t doca_comch_consumer_task_post_recv_get_imm_data_len(const struct
    doca_comch_consumer_task_post_recv *task);
struct doca_task *doca_comch_consumer_task_post_recv_as_task(struct
    doca_comch_consumer_task_post_recv *task);
doca_error_t doca_comch_producer_create(struct doca_comch_connection *comch_connection, struct
    doca_comch_producer **producer);
doca_error_t doca_comch_producer_destroy(struct doca_comch_producer *producer);
doca_error_t doca_comch_producer_cap_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_comch_producer_get_id(const struct doca_comch_producer *producer, uint32_t *id);
doca_error_t doca_comch_producer_cap_get_max_num_tasks(const struct doca_devinfo *devinfo, uint32_t
    *max_num_tasks);
doca_error_t doca_comch_producer_cap_get_max_buf_size(const struct doca_devinfo *devinfo, uint32_t
    *max_buf_size);
doca_error_t doca_comch_producer_cap_get_max_buf_list_len(const struct doca_devinfo *devinfo,
    uint32_t *max_buf_list_len);
doca_error_t doca_comch_producer_cap_get_max_producers(const struct doca_devinfo *devinfo, uint32_t
    *max_producers);
struct doca_ctx *doca_comch_producer_as_ctx(struct doca_comch_producer *producer);
doca_error_t doca_comch_producer_set_dev_max_num_send(struct doca_comch_producer *producer, uint32_t
    dev_num_send);
doca_error_t doca_comch_producer_dpa_completion_attach(struct doca_comch_producer *producer, struct
    doca_dpa_completion *dpa_comp);
doca_error_t doca_comch_producer_get_dpa_handle(struct doca_comch_producer *producer,
    doca_dpa_dev_comch_producer_t *dpa_producer);
doca_error_t doca_comch_producer_task_send_set_conf(struct doca_comch_producer *producer,
    doca_comch_producer_task_send_completion_cb_t task_completion_cb,
    doca_comch_producer_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks);
doca_error_t doca_comch_producer_task_send_alloc_init(struct doca_comch_producer *producer, const
    struct doca_buf *buf, uint8_t *imm_data, uint32_t imm_data_len, uint32_t consumer_id, struct
    doca_comch_producer_task_send **task);
const struct doca_buf *doca_comch_producer_task_send_get_buf(const struct
    doca_comch_producer_task_send *task);
void doca_comch_producer_task_send_set_buf(struct doca_comch_producer_task_send *task, const struct
    doca_buf *buf);
uint32_t doca_comch_producer_task_send_get_consumer_id(const struct doca_comch_producer_task_send
    *task);
void doca_comch_producer_task_send_set_consumer_id(struct doca_comch_producer_task_send *task, const
    uint32_t consumer_id);
uint8_t *doca_comch_producer_task_send_get_imm_data(const struct doca_comch_producer_task_send
    *task);
uint32_t doca_comch_producer_task_send_get_imm_data_len(const struct doca_comch_producer_task_send
    *task);
void doca_comch_producer_task_send_set_imm_data(struct doca_comch_producer_task_send *task, uint8_t
    *imm_data, uint32_t imm_data_len);
struct doca_task *doca_comch_producer_task_send_as_task(struct doca_comch_producer_task_send *task);
doca_error_t doca_comch_msgq_create(struct doca_dev *dev, struct doca_comch_msgq **msgq);
doca_error_t doca_comch_msgq_destroy(struct doca_comch_msgq *msgq);
doca_error_t doca_comch_msgq_set_dpa_consumer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa);
doca_error_t doca_comch_msgq_set_max_num_consumers(struct doca_comch_msgq *msgq, uint32_t
    max_num_consumers);
doca_error_t doca_comch_msgq_set_dpa_producer(struct doca_comch_msgq *msgq, struct doca_dpa *dpa);
doca_error_t doca_comch_msgq_set_max_num_producers(struct doca_comch_msgq *msgq, uint32_t
    max_num_producers);
doca_error_t doca_comch_msgq_start(struct doca_comch_msgq *msgq);
doca_error_t doca_comch_msgq_stop(struct doca_comch_msgq *msgq);
doca_error_t doca_comch_msgq_consumer_create(struct doca_comch_msgq *msgq, struct
    doca_comch_consumer **consumer);
doca_error_t doca_comch_msgq_producer_create(struct doca_comch_msgq *msgq, struct
    doca_comch_producer **producer);

static void every_function_is_there(void)
{
    static void (*const functions[])(void) = {
        (void (*)(void))doca_comch_connection_set_user_data,
        (void (*)(void))doca_comch_connection_get_user_data,
        (void (*)(void))doca_comch_server_get_server_ctx,
        (void (*)(void))doca_comch_client_get_client_ctx,
        (void (*)(void))doca_comch_cap_get_max_name_len,
        (void (*)(void))doca_comch_cap_get_max_msg_size,
        (void (*)(void))doca_comch_cap_get_max_recv_queue_size,
        (void (*)(void))doca_comch_cap_get_max_clients,
        (void (*)(void))doca_comch_server_create,
        (void (*)(void))doca_comch_server_destroy,
        (void (*)(void))doca_comch_cap_server_is_supported,
        (void (*)(void))doca_comch_server_set_max_msg_size,
        (void (*)(void))doca_comch_server_get_max_msg_size,
        (void (*)(void))doca_comch_server_set_recv_queue_size,
        (void (*)(void))doca_comch_server_get_recv_queue_size,
        (void (*)(void))doca_comch_server_get_device,
        (void (*)(void))doca_comch_server_get_device_rep,
        (void (*)(void))doca_comch_server_as_ctx,
        (void (*)(void))doca_comch_server_disconnect,
        (void (*)(void))doca_comch_client_create,
        (void (*)(void))doca_comch_client_destroy,
        (void (*)(void))doca_comch_cap_client_is_supported,
        (void (*)(void))doca_comch_client_set_max_msg_size,
        (void (*)(void))doca_comch_client_get_max_msg_size,
        (void (*)(void))doca_comch_client_set_recv_queue_size,
        (void (*)(void))doca_comch_client_get_recv_queue_size,
        (void (*)(void))doca_comch_client_get_device,
        (void (*)(void))doca_comch_client_as_ctx,
        (void (*)(void))doca_comch_client_get_connection,
        (void (*)(void))doca_comch_cap_get_max_send_tasks,
        (void (*)(void))doca_comch_server_task_send_set_conf,
        (void (*)(void))doca_comch_client_task_send_set_conf,
        (void (*)(void))doca_comch_server_task_send_alloc_init,
        (void (*)(void))doca_comch_client_task_send_alloc_init,
        (void (*)(void))doca_comch_task_send_as_task,
        (void (*)(void))doca_comch_server_event_msg_recv_register,
        (void (*)(void))doca_comch_client_event_msg_recv_register,
        (void (*)(void))doca_comch_server_event_connection_status_changed_register,
        (void (*)(void))doca_comch_connection_update_info,
        (void (*)(void))doca_comch_connection_get_counter,
        (void (*)(void))doca_comch_server_event_consumer_register,
        (void (*)(void))doca_comch_client_event_consumer_register,
        (void (*)(void))doca_comch_consumer_create,
        (void (*)(void))doca_comch_consumer_destroy,
        (void (*)(void))doca_comch_consumer_cap_is_supported,
        (void (*)(void))doca_comch_consumer_get_id,
        (void (*)(void))doca_comch_consumer_cap_get_max_num_tasks,
        (void (*)(void))doca_comch_consumer_cap_get_max_buf_size,
        (void (*)(void))doca_comch_consumer_cap_get_max_buf_list_len,
        (void (*)(void))doca_comch_consumer_cap_get_max_consumers,
        (void (*)(void))doca_comch_consumer_cap_get_max_imm_data_len,
        (void (*)(void))doca_comch_consumer_get_imm_data_len,
        (void (*)(void))doca_comch_consumer_set_imm_data_len,
        (void (*)(void))doca_comch_consumer_as_ctx,
        (void (*)(void))doca_comch_consumer_completion_create,
        (void (*)(void))doca_comch_consumer_completion_set_dpa_thread,
        (void (*)(void))doca_comch_consumer_completion_destroy,
        (void (*)(void))doca_comch_consumer_completion_start,
        (void (*)(void))doca_comch_consumer_completion_stop,
        (void (*)(void))doca_comch_consumer_completion_get_dpa_handle,
        (void (*)(void))doca_comch_consumer_completion_set_max_num_consumers,
        (void (*)(void))doca_comch_consumer_completion_get_max_num_consumers,
        (void (*)(void))doca_comch_consumer_completion_set_max_num_recv,
        (void (*)(void))doca_comch_consumer_completion_get_max_num_recv,
        (void (*)(void))doca_comch_consumer_completion_set_imm_data_len,
        (void (*)(void))doca_comch_consumer_completion_get_imm_data_len,
        (void (*)(void))doca_comch_consumer_set_dev_max_num_recv,
        (void (*)(void))doca_comch_consumer_set_completion,
        (void (*)(void))doca_comch_consumer_get_dpa_handle,
        (void (*)(void))doca_comch_consumer_task_post_recv_set_conf,
        (void (*)(void))doca_comch_consumer_task_post_recv_alloc_init,
        (void (*)(void))doca_comch_consumer_task_post_recv_get_buf,
        (void (*)(void))doca_comch_consumer_task_post_recv_set_buf,
        (void (*)(void))doca_comch_consumer_task_post_recv_get_producer_id,
        (void (*)(void))doca_comch_consumer_task_post_recv_get_imm_data,
        (void (*)(void))doca_comch_consumer_task_post_recv_get_imm_data_len,
        (void (*)(void))doca_comch_consumer_task_post_recv_as_task,
        (void (*)(void))doca_comch_producer_create,
        (void (*)(void))doca_comch_producer_destroy,
        (void (*)(void))doca_comch_producer_cap_is_supported,
        (void (*)(void))doca_comch_producer_get_id,
        (void (*)(void))doca_comch_producer_cap_get_max_num_tasks,
        (void (*)(void))doca_comch_producer_cap_get_max_buf_size,
        (void (*)(void))doca_comch_producer_cap_get_max_buf_list_len,
        (void (*)(void))doca_comch_producer_cap_get_max_producers,
        (void (*)(void))doca_comch_producer_as_ctx,
        (void (*)(void))doca_comch_producer_set_dev_max_num_send,
        (void (*)(void))doca_comch_producer_dpa_completion_attach,
        (void (*)(void))doca_comch_producer_get_dpa_handle,
        (void (*)(void))doca_comch_producer_task_send_set_conf,
        (void (*)(void))doca_comch_producer_task_send_alloc_init,
        (void (*)(void))doca_comch_producer_task_send_get_buf,
        (void (*)(void))doca_comch_producer_task_send_set_buf,
        (void (*)(void))doca_comch_producer_task_send_get_consumer_id,
        (void (*)(void))doca_comch_producer_task_send_set_consumer_id,
        (void (*)(void))doca_comch_producer_task_send_get_imm_data,
        (void (*)(void))doca_comch_producer_task_send_get_imm_data_len,
        (void (*)(void))doca_comch_producer_task_send_set_imm_data,
        (void (*)(void))doca_comch_producer_task_send_as_task,
        (void (*)(void))doca_comch_msgq_create,
        (void (*)(void))doca_comch_msgq_destroy,
        (void (*)(void))doca_comch_msgq_set_dpa_consumer,
        (void (*)(void))doca_comch_msgq_set_max_num_consumers,
        (void (*)(void))doca_comch_msgq_set_dpa_producer,
        (void (*)(void))doca_comch_msgq_set_max_num_producers,
        (void (*)(void))doca_comch_msgq_start,
        (void (*)(void))doca_comch_msgq_stop,
        (void (*)(void))doca_comch_msgq_consumer_create,
        (void (*)(void))doca_comch_msgq_producer_create,
    };

    CHECK_EQ(sizeof(functions) / sizeof(functions[0]), 109);
}

/* callback types: 6, and 6 of 2.5 */
#define IS_TYPE(name, type)                                                                        \
    _Static_assert(_Generic((name *)NULL, type *: 1, default: 0) == 1, #name)
typedef void send_cb(struct doca_comch_task_send *, union doca_data, union doca_data);
typedef void message_cb(struct doca_comch_event_msg_recv *, uint8_t *, uint32_t,
                        struct doca_comch_connection *);
typedef void status_cb(struct doca_comch_event_connection_status_changed *,
                       struct doca_comch_connection *, uint8_t);
typedef void consumer_cb(struct doca_comch_event_consumer *, struct doca_comch_connection *,
                         uint32_t);
typedef void post_recv_cb(struct doca_comch_consumer_task_post_recv *, union doca_data,
                          union doca_data);
typedef void producer_send_cb(struct doca_comch_producer_task_send *, union doca_data,
                              union doca_data);
typedef void message_25_cb(struct doca_cc_event_msg_recv *, uint8_t *, size_t,
                           struct doca_cc_connection *);
typedef void status_25_cb(struct doca_cc_event_connection_status_changed *,
                          struct doca_cc_connection *, bool);
IS_TYPE(doca_comch_task_send_completion_cb_t, send_cb *);
IS_TYPE(doca_comch_event_msg_recv_cb_t, message_cb *);
IS_TYPE(doca_comch_event_connection_status_changed_cb_t, status_cb *);
IS_TYPE(doca_comch_event_consumer_cb_t, consumer_cb *);
IS_TYPE(doca_comch_consumer_task_post_recv_completion_cb_t, post_recv_cb *);
IS_TYPE(doca_comch_producer_task_send_completion_cb_t, producer_send_cb *);
IS_TYPE(doca_cc_send_task_comp_handler, send_cb *);
IS_TYPE(doca_cc_event_msg_recv_cb_t, message_25_cb *);
IS_TYPE(doca_cc_event_connection_status_changed_cb_t, status_25_cb *);
IS_TYPE(doca_cc_event_consumer_cb_t, consumer_cb *);
IS_TYPE(doca_cc_consumer_post_recv_task_comp_handler, post_recv_cb *);
IS_TYPE(doca_cc_producer_send_task_comp_handler, producer_send_cb *);

static void every_counter_has_the_vendors_value(void)
{
    CHECK_EQ(DOCA_COMCH_COUNTER_SENT_MESSAGES, 1);
    CHECK_EQ(DOCA_COMCH_COUNTER_SENT_BYTES, 2);
    CHECK_EQ(DOCA_COMCH_COUNTER_RECV_MESSAGES, 3);
    CHECK_EQ(DOCA_COMCH_COUNTER_RECV_BYTES, 4);
    CHECK_EQ(DOCA_CC_COUNTER_SENT_MESSAGES, 1);
    CHECK_EQ(DOCA_CC_COUNTER_SENT_BYTES, 2);
    CHECK_EQ(DOCA_CC_COUNTER_RECV_MESSAGES, 3);
    CHECK_EQ(DOCA_CC_COUNTER_RECV_BYTES, 4);
}

/* functions of 2.5: 41, 12 and 13 */
#define OF_25(result, name, parameters)                                                            \
    _Static_assert(_Generic(&name, result(*) parameters: 1, default: 0) == 1, #name)
OF_25(doca_error_t, doca_cc_connection_set_user_data, (struct doca_cc_connection *, union
    doca_data));
OF_25(union doca_data, doca_cc_connection_get_user_data, (const struct doca_cc_connection *));
OF_25(struct doca_cc_server *, doca_cc_server_get_server_ctx, (const struct doca_cc_connection *));
OF_25(struct doca_cc_client *, doca_cc_client_get_client_ctx, (const struct doca_cc_connection *));
OF_25(doca_error_t, doca_cc_cap_get_max_name_len, (const struct doca_devinfo *, uint32_t *));
OF_25(doca_error_t, doca_cc_cap_get_max_msg_size, (const struct doca_devinfo *, size_t *));
OF_25(doca_error_t, doca_cc_cap_get_max_recv_queue_size, (const struct doca_devinfo *, size_t *));
OF_25(doca_error_t, doca_cc_cap_get_max_clients, (const struct doca_devinfo *, size_t *));
OF_25(doca_error_t, doca_cc_server_create, (struct doca_dev *, struct doca_dev_rep *, const char *,
    struct doca_cc_server **));
OF_25(doca_error_t, doca_cc_server_destroy, (struct doca_cc_server *));
OF_25(doca_error_t, doca_cc_cap_server_is_supported, (const struct doca_devinfo *));
OF_25(doca_error_t, doca_cc_server_set_max_msg_size, (struct doca_cc_server *, size_t));
OF_25(doca_error_t, doca_cc_server_get_max_msg_size, (const struct doca_cc_server *, size_t *));
OF_25(doca_error_t, doca_cc_server_set_recv_queue_size, (struct doca_cc_server *, size_t));
OF_25(doca_error_t, doca_cc_server_get_recv_queue_size, (const struct doca_cc_server *, size_t *));
OF_25(doca_error_t, doca_cc_server_get_device, (const struct doca_cc_server *, struct doca_dev **));
OF_25(doca_error_t, doca_cc_server_get_device_repr, (const struct doca_cc_server *, struct
    doca_dev_rep **));
OF_25(struct doca_ctx *, doca_cc_server_as_ctx, (struct doca_cc_server *));
OF_25(doca_error_t, doca_cc_client_create, (struct doca_dev *, const char *, struct doca_cc_client
    **));
OF_25(doca_error_t, doca_cc_client_destroy, (struct doca_cc_client *));
OF_25(doca_error_t, doca_cc_cap_client_is_supported, (const struct doca_devinfo *));
OF_25(doca_error_t, doca_cc_client_set_max_msg_size, (struct doca_cc_client *, size_t));
OF_25(doca_error_t, doca_cc_client_get_max_msg_size, (const struct doca_cc_client *, size_t *));
OF_25(doca_error_t, doca_cc_client_set_recv_queue_size, (struct doca_cc_client *, size_t));
OF_25(doca_error_t, doca_cc_client_get_recv_queue_size, (const struct doca_cc_client *, size_t *));
OF_25(doca_error_t, doca_cc_client_get_device, (const struct doca_cc_client *, struct doca_dev **));
OF_25(struct doca_ctx *, doca_cc_client_as_ctx, (struct doca_cc_client *));
OF_25(doca_error_t, doca_cc_client_get_connection, (const struct doca_cc_client *, struct
    doca_cc_connection **));
OF_25(doca_error_t, doca_cc_cap_get_max_send_tasks, (const struct doca_devinfo *, size_t *));
OF_25(doca_error_t, doca_cc_server_send_task_set_conf, (struct doca_cc_server *,
    doca_cc_send_task_comp_handler, doca_cc_send_task_comp_handler, uint8_t));
OF_25(doca_error_t, doca_cc_client_send_task_set_conf, (struct doca_cc_client *,
    doca_cc_send_task_comp_handler, doca_cc_send_task_comp_handler, uint8_t));
OF_25(doca_error_t, doca_cc_server_send_task_alloc_init, (struct doca_cc_server *, struct
    doca_cc_connection *, const void *, size_t, struct doca_cc_send_task **));
OF_25(doca_error_t, doca_cc_client_send_task_alloc_init, (struct doca_cc_client *, struct
    doca_cc_connection *, const void *, size_t, struct doca_cc_send_task **));
OF_25(struct doca_task *, doca_cc_send_task_as_task, (struct doca_cc_send_task *));
OF_25(doca_error_t, doca_cc_server_event_msg_recv_register, (struct doca_cc_server *,
    doca_cc_event_msg_recv_cb_t));
OF_25(doca_error_t, doca_cc_client_event_msg_recv_register, (struct doca_cc_client *,
    doca_cc_event_msg_recv_cb_t));
OF_25(doca_error_t, doca_cc_server_event_connection_register, (struct doca_cc_server *,
    doca_cc_event_connection_status_changed_cb_t, doca_cc_event_connection_status_changed_cb_t));
OF_25(doca_error_t, doca_cc_connection_update_info, (struct doca_cc_connection *));
OF_25(doca_error_t, doca_cc_connection_get_counter, (const struct doca_cc_connection *, enum
    doca_cc_counter, uint64_t *));
OF_25(doca_error_t, doca_cc_server_event_consumer_register, (struct doca_cc_server *,
    doca_cc_event_consumer_cb_t, doca_cc_event_consumer_cb_t));
OF_25(doca_error_t, doca_cc_client_event_consumer_register, (struct doca_cc_client *,
    doca_cc_event_consumer_cb_t, doca_cc_event_consumer_cb_t));
OF_25(doca_error_t, doca_cc_consumer_create, (struct doca_cc_connection *, struct doca_mmap *,
    struct doca_cc_consumer **));
OF_25(doca_error_t, doca_cc_consumer_destroy, (struct doca_cc_consumer *));
OF_25(doca_error_t, doca_cc_cap_is_consumer_supported, (const struct doca_devinfo *));
OF_25(doca_error_t, doca_cc_consumer_get_id, (const struct doca_cc_consumer *, uint32_t *));
OF_25(doca_error_t, doca_cc_consumer_cap_get_max_log_num_tasks, (const struct doca_devinfo *, size_t
    *));
OF_25(doca_error_t, doca_cc_consumer_cap_get_max_buf_size, (const struct doca_devinfo *, size_t *));
OF_25(struct doca_ctx *, doca_cc_consumer_as_ctx, (struct doca_cc_consumer *));
OF_25(doca_error_t, doca_cc_consumer_post_recv_task_set_conf, (struct doca_cc_consumer *,
    doca_cc_consumer_post_recv_task_comp_handler, doca_cc_consumer_post_recv_task_comp_handler,
    size_t));
OF_25(doca_error_t, doca_cc_consumer_post_recv_task_alloc_init, (struct doca_cc_consumer *, struct
    doca_buf *, struct doca_cc_consumer_post_recv_task **));
OF_25(struct doca_buf *, doca_cc_consumer_post_recv_task_get_buf, (struct
    doca_cc_consumer_post_recv_task *));
OF_25(void, doca_cc_consumer_post_recv_task_set_buf, (struct doca_cc_consumer_post_recv_task *,
    struct doca_buf *));
OF_25(struct doca_task *, doca_cc_consumer_post_recv_task_as_task, (struct
    doca_cc_consumer_post_recv_task *));
OF_25(doca_error_t, doca_cc_producer_create, (struct doca_cc_connection *, struct doca_cc_producer
    **));
OF_25(doca_error_t, doca_cc_producer_destroy, (struct doca_cc_producer *));
OF_25(doca_error_t, doca_cc_cap_is_producer_supported, (const struct doca_devinfo *));
OF_25(doca_error_t, doca_cc_producer_cap_get_max_log_num_tasks, (const struct doca_devinfo *, size_t
    *));
OF_25(doca_error_t, doca_cc_producer_cap_get_max_buf_size, (const struct doca_devinfo *, size_t *));
OF_25(struct doca_ctx *, doca_cc_producer_as_ctx, (struct doca_cc_producer *));
OF_25(doca_error_t, doca_cc_producer_send_task_set_conf, (struct doca_cc_producer *,
    doca_cc_producer_send_task_comp_handler, doca_cc_producer_send_task_comp_handler, size_t));
OF_25(doca_error_t, doca_cc_producer_send_task_alloc_init, (struct doca_cc_producer *, struct
    doca_buf *, int, struct doca_cc_producer_send_task **));
OF_25(struct doca_buf *, doca_cc_producer_send_task_get_buf, (struct doca_cc_producer_send_task *));
OF_25(void, doca_cc_producer_send_task_set_buf, (struct doca_cc_producer_send_task *, struct
    doca_buf *));
OF_25(int, doca_cc_producer_send_task_get_consumer_id, (struct doca_cc_producer_send_task *));
OF_25(void, doca_cc_producer_send_task_set_consumer_id, (struct doca_cc_producer_send_task *, const
    int));
OF_25(struct doca_task *, doca_cc_producer_send_task_as_task, (struct doca_cc_producer_send_task
    *));

static void every_function_of_25_is_there(void)
{
    static void (*const functions[])(void) = {
        (void (*)(void))doca_cc_connection_set_user_data,
        (void (*)(void))doca_cc_connection_get_user_data,
        (void (*)(void))doca_cc_server_get_server_ctx,
        (void (*)(void))doca_cc_client_get_client_ctx,
        (void (*)(void))doca_cc_cap_get_max_name_len,
        (void (*)(void))doca_cc_cap_get_max_msg_size,
        (void (*)(void))doca_cc_cap_get_max_recv_queue_size,
        (void (*)(void))doca_cc_cap_get_max_clients,
        (void (*)(void))doca_cc_server_create,
        (void (*)(void))doca_cc_server_destroy,
        (void (*)(void))doca_cc_cap_server_is_supported,
        (void (*)(void))doca_cc_server_set_max_msg_size,
        (void (*)(void))doca_cc_server_get_max_msg_size,
        (void (*)(void))doca_cc_server_set_recv_queue_size,
        (void (*)(void))doca_cc_server_get_recv_queue_size,
        (void (*)(void))doca_cc_server_get_device,
        (void (*)(void))doca_cc_server_get_device_repr,
        (void (*)(void))doca_cc_server_as_ctx,
        (void (*)(void))doca_cc_client_create,
        (void (*)(void))doca_cc_client_destroy,
        (void (*)(void))doca_cc_cap_client_is_supported,
        (void (*)(void))doca_cc_client_set_max_msg_size,
        (void (*)(void))doca_cc_client_get_max_msg_size,
        (void (*)(void))doca_cc_client_set_recv_queue_size,
        (void (*)(void))doca_cc_client_get_recv_queue_size,
        (void (*)(void))doca_cc_client_get_device,
        (void (*)(void))doca_cc_client_as_ctx,
        (void (*)(void))doca_cc_client_get_connection,
        (void (*)(void))doca_cc_cap_get_max_send_tasks,
        (void (*)(void))doca_cc_server_send_task_set_conf,
        (void (*)(void))doca_cc_client_send_task_set_conf,
        (void (*)(void))doca_cc_server_send_task_alloc_init,
        (void (*)(void))doca_cc_client_send_task_alloc_init,
        (void (*)(void))doca_cc_send_task_as_task,
        (void (*)(void))doca_cc_server_event_msg_recv_register,
        (void (*)(void))doca_cc_client_event_msg_recv_register,
        (void (*)(void))doca_cc_server_event_connection_register,
        (void (*)(void))doca_cc_connection_update_info,
        (void (*)(void))doca_cc_connection_get_counter,
        (void (*)(void))doca_cc_server_event_consumer_register,
        (void (*)(void))doca_cc_client_event_consumer_register,
        (void (*)(void))doca_cc_consumer_create,
        (void (*)(void))doca_cc_consumer_destroy,
        (void (*)(void))doca_cc_cap_is_consumer_supported,
        (void (*)(void))doca_cc_consumer_get_id,
        (void (*)(void))doca_cc_consumer_cap_get_max_log_num_tasks,
        (void (*)(void))doca_cc_consumer_cap_get_max_buf_size,
        (void (*)(void))doca_cc_consumer_as_ctx,
        (void (*)(void))doca_cc_consumer_post_recv_task_set_conf,
        (void (*)(void))doca_cc_consumer_post_recv_task_alloc_init,
        (void (*)(void))doca_cc_consumer_post_recv_task_get_buf,
        (void (*)(void))doca_cc_consumer_post_recv_task_set_buf,
        (void (*)(void))doca_cc_consumer_post_recv_task_as_task,
        (void (*)(void))doca_cc_producer_create,
        (void (*)(void))doca_cc_producer_destroy,
        (void (*)(void))doca_cc_cap_is_producer_supported,
        (void (*)(void))doca_cc_producer_cap_get_max_log_num_tasks,
        (void (*)(void))doca_cc_producer_cap_get_max_buf_size,
        (void (*)(void))doca_cc_producer_as_ctx,
        (void (*)(void))doca_cc_producer_send_task_set_conf,
        (void (*)(void))doca_cc_producer_send_task_alloc_init,
        (void (*)(void))doca_cc_producer_send_task_get_buf,
        (void (*)(void))doca_cc_producer_send_task_set_buf,
        (void (*)(void))doca_cc_producer_send_task_get_consumer_id,
        (void (*)(void))doca_cc_producer_send_task_set_consumer_id,
        (void (*)(void))doca_cc_producer_send_task_as_task,
    };

    CHECK_EQ(sizeof(functions) / sizeof(functions[0]), 41 + 12 + 13);
}

static const struct test_case cases[] = {
    CASE(every_function_is_there, ""),
    CASE(every_counter_has_the_vendors_value, ""),
    CASE(every_function_of_25_is_there, ""),
};

TEST_MAIN(cases)

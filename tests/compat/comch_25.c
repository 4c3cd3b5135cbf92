/* Uses DOCA Comch by the names and types of 2.5. headers.sh includes a header of the vendor with
 * -include and only compiles this file, as C and as C++. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program {
    struct doca_cc_server *server;
    struct doca_cc_connection *client;
    struct doca_cc_consumer *consumer;
    struct doca_cc_producer *producer;
    uint32_t consumer_of_client;
    size_t bytes;
    bool is_connected;
};

/* The connection keeps the program as its user data. */
static struct program *program_of(struct doca_cc_connection *connection)
{
    return (struct program *)doca_cc_connection_get_user_data(connection).ptr;
}

static void sent(struct doca_cc_send_task *task, union doca_data task_data,
                 union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    doca_task_free(doca_cc_send_task_as_task(task));
}

static void received(struct doca_cc_event_msg_recv *event, uint8_t *recv_buffer, size_t msg_len,
                     struct doca_cc_connection *connection)
{
    struct doca_cc_send_task *task;

    (void)event;
    program_of(connection)->bytes += msg_len;
    if (doca_cc_server_send_task_alloc_init(doca_cc_server_get_server_ctx(connection), connection,
                                            recv_buffer, msg_len, &task) == DOCA_SUCCESS)
        (void)doca_task_submit(doca_cc_send_task_as_task(task));
}

static void connected(struct doca_cc_event_connection_status_changed *event,
                      struct doca_cc_connection *connection, bool change_successful)
{
    (void)event;
    program_of(connection)->is_connected = change_successful;
}

static void consumer_changed(struct doca_cc_event_consumer *event,
                             struct doca_cc_connection *connection, uint32_t id)
{
    (void)event;
    program_of(connection)->consumer_of_client = id;
}

static void posted(struct doca_cc_consumer_post_recv_task *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    (void)doca_buf_reset_data_len(doca_cc_consumer_post_recv_task_get_buf(task));
    (void)doca_task_submit(doca_cc_consumer_post_recv_task_as_task(task));
}

static void produced(struct doca_cc_producer_send_task *task, union doca_data task_data,
                     union doca_data ctx_data)
{
    int consumer_id = doca_cc_producer_send_task_get_consumer_id(task);

    (void)task_data;
    (void)ctx_data;
    doca_cc_producer_send_task_set_consumer_id(task, consumer_id);
    (void)doca_task_submit(doca_cc_producer_send_task_as_task(task));
}

static doca_error_t serve(struct program *p, struct doca_dev *dev, struct doca_dev_rep *rep)
{
    size_t size;
    doca_error_t rc = doca_cc_server_create(dev, rep, "program", &p->server);

    if (rc == DOCA_SUCCESS)
        rc = doca_cc_server_send_task_set_conf(p->server, sent, sent, 10);
    if (rc == DOCA_SUCCESS)
        rc = doca_cc_server_event_msg_recv_register(p->server, received);
    if (rc == DOCA_SUCCESS)
        rc = doca_cc_server_event_connection_register(p->server, connected, connected);
    if (rc == DOCA_SUCCESS)
        rc = doca_cc_server_event_consumer_register(p->server, consumer_changed, consumer_changed);
    if (rc == DOCA_SUCCESS)
        rc = doca_cc_cap_get_max_msg_size(doca_dev_as_devinfo(dev), &size);
    if (rc == DOCA_SUCCESS)
        rc = doca_cc_server_set_max_msg_size(p->server, size);
    return rc;
}

static doca_error_t transfer(struct program *p, struct doca_mmap *mmap, struct doca_buf *buf)
{
    struct doca_cc_consumer_post_recv_task *post;
    struct doca_cc_producer_send_task *send;
    doca_error_t rc = doca_cc_consumer_create(p->client, mmap, &p->consumer);

    if (rc == DOCA_SUCCESS)
        rc = doca_cc_consumer_post_recv_task_set_conf(p->consumer, posted, posted, 10);
    if (rc == DOCA_SUCCESS)
        rc = doca_cc_consumer_post_recv_task_alloc_init(p->consumer, buf, &post);
    if (rc == DOCA_SUCCESS)
        rc = doca_cc_producer_create(p->client, &p->producer);
    if (rc == DOCA_SUCCESS)
        rc = doca_cc_producer_send_task_set_conf(p->producer, produced, produced, 10);
    if (rc == DOCA_SUCCESS)
        rc = doca_cc_producer_send_task_alloc_init(p->producer, buf, (int)p->consumer_of_client,
                                                   &send);
    return rc;
}

int main(void)
{
    struct program p = { NULL, NULL, NULL, NULL, 0, 0, false };
    uint64_t messages = 0;

    (void)doca_cc_connection_get_counter(p.client, DOCA_CC_COUNTER_SENT_MESSAGES, &messages);
    return serve(&p, NULL, NULL) != DOCA_SUCCESS && transfer(&p, NULL, NULL) != DOCA_SUCCESS;
}

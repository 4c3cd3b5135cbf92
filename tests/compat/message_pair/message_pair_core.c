/* The control path: a server or a client, from its creation to its end. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <doca_comch.h>
#include <doca_ctx.h>
#include <doca_log.h>

#include "message_pair.h"

DOCA_LOG_REGISTER(MESSAGE_PAIR::CORE);

#define NUM_SEND_TASKS 8
#define RECV_QUEUE_SIZE 10

void progress_or_sleep(struct doca_pe *pe)
{
    const struct timespec pause = { .tv_nsec = SLEEP_NS };

    if (doca_pe_progress(pe) == 0)
        nanosleep(&pause, NULL);
}

static struct pair_objects *objects_of(struct doca_comch_connection *connection)
{
    return (struct pair_objects *)doca_comch_connection_get_user_data(connection).ptr;
}

static void send_completed(struct doca_comch_task_send *task, union doca_data task_user_data,
                           union doca_data ctx_user_data)
{
    (void)task_user_data;
    (void)ctx_user_data;
    doca_task_free(doca_comch_task_send_as_task(task));
}

static void send_failed(struct doca_comch_task_send *task, union doca_data task_user_data,
                        union doca_data ctx_user_data)
{
    struct pair_objects *objects = (struct pair_objects *)ctx_user_data.ptr;

    (void)task_user_data;
    objects->result = doca_task_get_status(doca_comch_task_send_as_task(task));
    DOCA_LOG_ERR("A message was not sent: %s", doca_error_get_name(objects->result));
    doca_task_free(doca_comch_task_send_as_task(task));
}

doca_error_t send_text(struct pair_objects *objects, const char *text)
{
    struct doca_comch_task_send *task;
    uint32_t len = (uint32_t)strlen(text);
    doca_error_t result;

    if (objects->server != NULL)
        result = doca_comch_server_task_send_alloc_init(objects->server, objects->connection, text,
                                                        len, &task);
    else
        result = doca_comch_client_task_send_alloc_init(objects->client, objects->connection, text,
                                                        len, &task);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot make a message: %s", doca_error_get_name(result));
        return result;
    }
    result = doca_task_submit(doca_comch_task_send_as_task(task));
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot send a message: %s", doca_error_get_name(result));
        doca_task_free(doca_comch_task_send_as_task(task));
    }
    return result;
}

/* The server answers the first message inside of its callback. */
static void message_received(struct doca_comch_event_msg_recv *event, uint8_t *recv_buffer,
                             uint32_t msg_len, struct doca_comch_connection *connection)
{
    struct pair_objects *objects = objects_of(connection);

    (void)event;
    if (objects == NULL)
        return;
    printf("message of %u bytes: %.*s\n", msg_len, (int)msg_len, (const char *)recv_buffer);
    if (objects->num_received++ == 0 && objects->server != NULL)
        objects->result = send_text(objects, objects->conf->text);
}

static void consumer_started(struct doca_comch_event_consumer *event,
                             struct doca_comch_connection *connection, uint32_t id)
{
    struct pair_objects *objects = objects_of(connection);

    (void)event;
    if (objects != NULL)
        objects->consumer_id = id;
}

static void consumer_expired(struct doca_comch_event_consumer *event,
                             struct doca_comch_connection *connection, uint32_t id)
{
    struct pair_objects *objects = objects_of(connection);

    (void)event;
    if (objects != NULL && objects->consumer_id == id)
        objects->consumer_id = 0;
}

#ifdef DOCA_ARCH_DPU
static void client_connected(struct doca_comch_event_connection_status_changed *event,
                             struct doca_comch_connection *connection, uint8_t change_successful)
{
    struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
    union doca_data data = { 0 };

    (void)event;
    if (!change_successful) {
        DOCA_LOG_ERR("A client could not connect");
        return;
    }
    (void)doca_ctx_get_user_data(doca_comch_server_as_ctx(server), &data);
    (void)doca_comch_connection_set_user_data(connection, data);
    ((struct pair_objects *)data.ptr)->connection = connection;
}

static void client_disconnected(struct doca_comch_event_connection_status_changed *event,
                                struct doca_comch_connection *connection, uint8_t change_successful)
{
    struct pair_objects *objects = objects_of(connection);

    (void)event;
    (void)change_successful;
    if (objects != NULL)
        objects->connection = NULL;
}
#endif

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                          enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
    struct pair_objects *objects = (struct pair_objects *)user_data.ptr;

    (void)ctx;
    (void)prev_state;
    objects->is_idle = next_state == DOCA_CTX_STATE_IDLE;
    if (next_state == DOCA_CTX_STATE_RUNNING)
        objects->was_running = true;
}

/* Connect a context to the engine, with the objects as its data. */
static doca_error_t connect_ctx(struct pair_objects *objects, struct doca_ctx *ctx)
{
    union doca_data data = { .ptr = objects };
    doca_error_t result;

    result = doca_ctx_set_user_data(ctx, data);
    if (result == DOCA_SUCCESS)
        result = doca_ctx_set_state_changed_cb(ctx, state_changed);
    if (result == DOCA_SUCCESS)
        result = doca_pe_connect_ctx(objects->pe, ctx);
    return result;
}

static doca_error_t stop_and_wait(struct pair_objects *objects, struct doca_ctx *ctx)
{
    doca_error_t result = doca_ctx_stop(ctx);

    if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS) {
        DOCA_LOG_ERR("Cannot stop the control path: %s", doca_error_get_name(result));
        return result;
    }
    while (!objects->is_idle)
        progress_or_sleep(objects->pe);
    return DOCA_SUCCESS;
}

#ifdef DOCA_ARCH_DPU

static doca_error_t open_rep(struct pair_objects *objects)
{
    struct doca_devinfo_rep **list;
    uint8_t is_equal;
    uint32_t num, i;
    doca_error_t result;

    result = doca_devinfo_rep_create_list(objects->dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num);
    if (result != DOCA_SUCCESS)
        return result;
    result = DOCA_ERROR_NOT_FOUND;
    for (i = 0; i < num && result == DOCA_ERROR_NOT_FOUND; i++)
        if (doca_devinfo_rep_is_equal_pci_addr(list[i], objects->conf->rep_addr, &is_equal) ==
                DOCA_SUCCESS &&
            is_equal)
            result = doca_dev_rep_open(list[i], &objects->rep);
    (void)doca_devinfo_rep_destroy_list(list);
    if (result == DOCA_ERROR_NOT_FOUND)
        DOCA_LOG_ERR("The device has no representor of %s", objects->conf->rep_addr);
    return result;
}

static doca_error_t configure_server(struct pair_objects *objects, uint32_t max_msg_size)
{
    struct doca_comch_server *server = objects->server;
    doca_error_t result;

    result = doca_comch_server_set_max_msg_size(server, max_msg_size);
    if (result == DOCA_SUCCESS)
        result = doca_comch_server_set_recv_queue_size(server, RECV_QUEUE_SIZE);
    if (result == DOCA_SUCCESS)
        result = doca_comch_server_task_send_set_conf(server, send_completed, send_failed,
                                                      NUM_SEND_TASKS);
    if (result == DOCA_SUCCESS)
        result = doca_comch_server_event_msg_recv_register(server, message_received);
    if (result == DOCA_SUCCESS)
        result = doca_comch_server_event_connection_status_changed_register(
            server, client_connected, client_disconnected);
    if (result == DOCA_SUCCESS)
        result =
            doca_comch_server_event_consumer_register(server, consumer_started, consumer_expired);
    if (result == DOCA_SUCCESS)
        result = connect_ctx(objects, doca_comch_server_as_ctx(server));
    return result;
}

/* Serve one client until it disconnects. */
static doca_error_t serve(struct pair_objects *objects)
{
    struct doca_ctx *ctx = doca_comch_server_as_ctx(objects->server);
    doca_error_t result, tmp_result;

    result = doca_ctx_start(ctx);
    if (result != DOCA_SUCCESS) { /* also when it is DOCA_ERROR_IN_PROGRESS */
        DOCA_LOG_ERR("Cannot start the server: %s", doca_error_get_name(result));
        return result;
    }
    DOCA_LOG_INFO("The server waits for a client");
    while (objects->num_received == 0)
        progress_or_sleep(objects->pe);
    result = objects->result == DOCA_SUCCESS ? run_consumer(objects) : objects->result;
    while (result == DOCA_SUCCESS && objects->connection != NULL)
        progress_or_sleep(objects->pe);
    tmp_result = stop_and_wait(objects, ctx);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    return result;
}

#else

static doca_error_t configure_client(struct pair_objects *objects, uint32_t max_msg_size)
{
    struct doca_comch_client *client = objects->client;
    doca_error_t result;

    result = doca_comch_client_set_max_msg_size(client, max_msg_size);
    if (result == DOCA_SUCCESS)
        result = doca_comch_client_set_recv_queue_size(client, RECV_QUEUE_SIZE);
    if (result == DOCA_SUCCESS)
        result = doca_comch_client_task_send_set_conf(client, send_completed, send_failed,
                                                      NUM_SEND_TASKS);
    if (result == DOCA_SUCCESS)
        result = doca_comch_client_event_msg_recv_register(client, message_received);
    if (result == DOCA_SUCCESS)
        result =
            doca_comch_client_event_consumer_register(client, consumer_started, consumer_expired);
    if (result == DOCA_SUCCESS)
        result = connect_ctx(objects, doca_comch_client_as_ctx(client));
    return result;
}

/* Connect, send the text, await the answer, send the messages, and disconnect. */
static doca_error_t call(struct pair_objects *objects)
{
    struct doca_ctx *ctx = doca_comch_client_as_ctx(objects->client);
    union doca_data data = { .ptr = objects };
    doca_error_t result, tmp_result;

    result = doca_ctx_start(ctx);
    if (result != DOCA_ERROR_IN_PROGRESS) { /* a client cannot be connected at once */
        DOCA_LOG_ERR("Cannot start the client: %s", doca_error_get_name(result));
        return result == DOCA_SUCCESS ? DOCA_ERROR_UNEXPECTED : result;
    }
    while (!objects->was_running && !objects->is_idle)
        progress_or_sleep(objects->pe);
    if (!objects->was_running) {
        DOCA_LOG_ERR("The client found no server");
        return DOCA_ERROR_INITIALIZATION;
    }
    result = doca_comch_client_get_connection(objects->client, &objects->connection);
    if (result == DOCA_SUCCESS)
        result = doca_comch_connection_set_user_data(objects->connection, data);
    if (result == DOCA_SUCCESS)
        result = send_text(objects, objects->conf->text);
    while (result == DOCA_SUCCESS && !objects->is_idle &&
           (objects->num_received == 0 || objects->consumer_id == 0)) {
        progress_or_sleep(objects->pe);
        result = objects->result;
    }
    if (result == DOCA_SUCCESS)
        result = objects->is_idle ? DOCA_ERROR_CONNECTION_ABORTED : run_producer(objects);
    tmp_result = objects->is_idle ? DOCA_SUCCESS : stop_and_wait(objects, ctx);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    return result;
}

#endif

static doca_error_t can_talk(const struct doca_devinfo *devinfo)
{
#ifdef DOCA_ARCH_DPU
    return doca_comch_cap_server_is_supported(devinfo);
#else
    return doca_comch_cap_client_is_supported(devinfo);
#endif
}

doca_error_t run_pair(const struct pair_config *conf)
{
    struct pair_objects objects = { .conf = conf, .is_idle = false };
    uint32_t max_msg_size;
    doca_error_t result, tmp_result;

    result = open_device(conf->pci_addr, can_talk, &objects.dev);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_pe_create(&objects.pe);
    if (result == DOCA_SUCCESS)
        result = doca_comch_cap_get_max_msg_size(doca_dev_as_devinfo(objects.dev), &max_msg_size);
#ifdef DOCA_ARCH_DPU
    if (result == DOCA_SUCCESS)
        result = open_rep(&objects);
    if (result == DOCA_SUCCESS)
        result = doca_comch_server_create(objects.dev, objects.rep, conf->name, &objects.server);
    if (result == DOCA_SUCCESS)
        result = configure_server(&objects, max_msg_size);
    if (result == DOCA_SUCCESS)
        result = serve(&objects);
    if (objects.server != NULL) {
        tmp_result = doca_comch_server_destroy(objects.server);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (objects.rep != NULL) {
        tmp_result = doca_dev_rep_close(objects.rep);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
#else
    if (result == DOCA_SUCCESS)
        result = doca_comch_client_create(objects.dev, conf->name, &objects.client);
    if (result == DOCA_SUCCESS)
        result = configure_client(&objects, max_msg_size);
    if (result == DOCA_SUCCESS)
        result = call(&objects);
    if (objects.client != NULL) {
        tmp_result = doca_comch_client_destroy(objects.client);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
#endif
    if (objects.pe != NULL) {
        tmp_result = doca_pe_destroy(objects.pe);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    tmp_result = doca_dev_close(objects.dev);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    return result;
}

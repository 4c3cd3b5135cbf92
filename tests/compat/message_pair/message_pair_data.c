/* The data path: the server has a consumer, the client a producer. Each message is a number, in a
 * buffer and as immediate data. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_comch_consumer.h>
#include <doca_comch_producer.h>
#include <doca_ctx.h>
#include <doca_log.h>
#include <doca_mmap.h>

#include "message_pair.h"

DOCA_LOG_REGISTER(MESSAGE_PAIR::DATA);

#define NUM_BUFS 4
#define BUF_SIZE 4096

/* The data path has its own progress engine, as in programs whose data path runs in another
 * thread. */
struct data_objects {
    struct pair_objects *pair;
    struct doca_pe *pe;
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    struct doca_ctx *ctx;
    bool is_running, is_idle;
    int num_tasks, num_messages, num_wrong;
    doca_error_t result;
    char memory[NUM_BUFS][BUF_SIZE];
};

static void data_state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                               enum doca_ctx_states prev_state, enum doca_ctx_states next_state)
{
    struct data_objects *data = (struct data_objects *)user_data.ptr;

    (void)ctx;
    if (next_state == DOCA_CTX_STATE_IDLE && prev_state != DOCA_CTX_STATE_RUNNING &&
        prev_state != DOCA_CTX_STATE_STOPPING)
        data->result = DOCA_ERROR_UNEXPECTED; /* it did not start */
    data->is_running = next_state == DOCA_CTX_STATE_RUNNING;
    data->is_idle = next_state == DOCA_CTX_STATE_IDLE;
}

static doca_error_t open_data(struct pair_objects *pair, struct data_objects *data)
{
    doca_error_t result;

    data->pair = pair;
    result = doca_pe_create(&data->pe);
    if (result == DOCA_SUCCESS)
        result = doca_mmap_create(&data->mmap);
    if (result == DOCA_SUCCESS)
        result = start_mmap(data->mmap, pair->dev, data->memory, sizeof(data->memory),
                            DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    if (result == DOCA_SUCCESS)
        result = doca_buf_inventory_create(NUM_BUFS, &data->inventory);
    if (result == DOCA_SUCCESS)
        result = doca_buf_inventory_start(data->inventory);
    return result;
}

static doca_error_t connect_data(struct data_objects *data, struct doca_ctx *ctx)
{
    union doca_data user_data = { .ptr = data };
    doca_error_t result;

    data->ctx = ctx;
    result = doca_ctx_set_user_data(ctx, user_data);
    if (result == DOCA_SUCCESS)
        result = doca_ctx_set_state_changed_cb(ctx, data_state_changed);
    if (result == DOCA_SUCCESS)
        result = doca_pe_connect_ctx(data->pe, ctx);
    return result;
}

static doca_error_t close_data(struct data_objects *data)
{
    doca_error_t result = DOCA_SUCCESS, tmp_result;

    if (data->inventory != NULL) {
        tmp_result = doca_buf_inventory_destroy(data->inventory);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (data->mmap != NULL) {
        tmp_result = doca_mmap_destroy(data->mmap);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (data->pe != NULL) {
        tmp_result = doca_pe_destroy(data->pe);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    return result;
}

static doca_error_t stop_data(struct data_objects *data)
{
    doca_error_t result = doca_ctx_stop(data->ctx);

    if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS)
        return result;
    while (!data->is_idle)
        progress_or_sleep(data->pe);
    return DOCA_SUCCESS;
}

#ifdef DOCA_ARCH_DPU

/* Check the number of a message, and post its buffer again while messages are to come. */
static void recv_completed(struct doca_comch_consumer_task_post_recv *task,
                           union doca_data task_user_data, union doca_data ctx_user_data)
{
    struct data_objects *data = (struct data_objects *)ctx_user_data.ptr;
    struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);
    struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
    char text[32];
    void *bytes;
    size_t len;
    int imm = -1;

    (void)task_user_data;
    snprintf(text, sizeof(text), "number %d", data->num_messages);
    if (doca_comch_consumer_task_post_recv_get_imm_data_len(task) == sizeof(imm))
        memcpy(&imm, doca_comch_consumer_task_post_recv_get_imm_data(task), sizeof(imm));
    if (doca_buf_get_data(buf, &bytes) != DOCA_SUCCESS ||
        doca_buf_get_data_len(buf, &len) != DOCA_SUCCESS || len != strlen(text) ||
        memcmp(bytes, text, len) != 0 || imm != data->num_messages)
        data->num_wrong++;
    data->num_messages++;
    (void)doca_buf_reset_data_len(buf);
    if (data->num_messages + data->num_tasks <= data->pair->conf->num_messages) {
        data->result = doca_task_submit(base);
        if (data->result == DOCA_SUCCESS)
            return;
    }
    (void)doca_buf_dec_refcount(buf, NULL);
    doca_task_free(base);
    data->num_tasks--;
}

static void recv_failed(struct doca_comch_consumer_task_post_recv *task,
                        union doca_data task_user_data, union doca_data ctx_user_data)
{
    struct data_objects *data = (struct data_objects *)ctx_user_data.ptr;
    struct doca_task *base = doca_comch_consumer_task_post_recv_as_task(task);

    (void)task_user_data;
    if (data->result == DOCA_SUCCESS)
        data->result = doca_task_get_status(base);
    (void)doca_buf_dec_refcount(doca_comch_consumer_task_post_recv_get_buf(task), NULL);
    doca_task_free(base);
    data->num_tasks--;
}

static doca_error_t post_buffers(struct data_objects *data, struct doca_comch_consumer *consumer)
{
    struct doca_comch_consumer_task_post_recv *task;
    struct doca_buf *buf;
    doca_error_t result = DOCA_SUCCESS;
    int i;

    for (i = 0; i < NUM_BUFS && i < data->pair->conf->num_messages && result == DOCA_SUCCESS; i++) {
        result = doca_buf_inventory_buf_get_by_addr(data->inventory, data->mmap, data->memory[i],
                                                    BUF_SIZE, &buf);
        if (result != DOCA_SUCCESS)
            break;
        result = doca_comch_consumer_task_post_recv_alloc_init(consumer, buf, &task);
        if (result == DOCA_SUCCESS) {
            data->num_tasks++;
            result = doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task));
        }
    }
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot post a buffer: %s", doca_error_get_name(result));
    return result;
}

static doca_error_t consume(struct data_objects *data, struct doca_comch_consumer *consumer)
{
    doca_error_t result, tmp_result;

    result = doca_comch_consumer_task_post_recv_set_conf(consumer, recv_completed, recv_failed,
                                                         NUM_BUFS);
    if (result == DOCA_SUCCESS)
        result = doca_comch_consumer_set_imm_data_len(consumer, sizeof(int));
    if (result == DOCA_SUCCESS)
        result = connect_data(data, doca_comch_consumer_as_ctx(consumer));
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_ctx_start(data->ctx);
    if (result != DOCA_ERROR_IN_PROGRESS) { /* the peer must be told of the consumer first */
        DOCA_LOG_ERR("Cannot start the consumer: %s", doca_error_get_name(result));
        if (result != DOCA_SUCCESS)
            return result;
        (void)stop_data(data);
        return DOCA_ERROR_UNEXPECTED;
    }
    while (!data->is_running && data->result == DOCA_SUCCESS)
        progress_or_sleep(data->pe);
    if (data->result != DOCA_SUCCESS)
        return data->result;
    result = post_buffers(data, consumer);
    while (result == DOCA_SUCCESS && data->num_tasks > 0 && data->pair->connection != NULL) {
        (void)doca_pe_progress(data->pair->pe); /* the control path goes on meanwhile */
        progress_or_sleep(data->pe);
        result = data->result;
    }
    /* messages that the peer sent before it disconnected may still wait for this consumer */
    while (result == DOCA_SUCCESS && data->num_tasks > 0 && doca_pe_progress(data->pe) != 0)
        result = data->result;
    printf("%d messages, %d of them wrong\n", data->num_messages, data->num_wrong);
    if (result == DOCA_SUCCESS && data->num_messages < data->pair->conf->num_messages)
        result = DOCA_ERROR_CONNECTION_ABORTED;
    tmp_result = stop_data(data);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    return result;
}

doca_error_t run_consumer(struct pair_objects *pair)
{
    static struct data_objects data;
    struct doca_comch_consumer *consumer = NULL;
    doca_error_t result, tmp_result;

    result = open_data(pair, &data);
    if (result == DOCA_SUCCESS)
        result = doca_comch_consumer_create(pair->connection, data.mmap, &consumer);
    if (result == DOCA_SUCCESS)
        result = consume(&data, consumer);
    if (consumer != NULL) {
        tmp_result = doca_comch_consumer_destroy(consumer);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    tmp_result = close_data(&data);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    return result;
}

#else

static void produce_completed(struct doca_comch_producer_task_send *task,
                              union doca_data task_user_data, union doca_data ctx_user_data)
{
    struct data_objects *data = (struct data_objects *)ctx_user_data.ptr;

    (void)task_user_data;
    doca_task_free(doca_comch_producer_task_send_as_task(task));
    data->num_tasks--;
}

static void produce_failed(struct doca_comch_producer_task_send *task,
                           union doca_data task_user_data, union doca_data ctx_user_data)
{
    struct data_objects *data = (struct data_objects *)ctx_user_data.ptr;

    data->result = doca_task_get_status(doca_comch_producer_task_send_as_task(task));
    DOCA_LOG_ERR("A message was not delivered: %s", doca_error_get_name(data->result));
    produce_completed(task, task_user_data, ctx_user_data);
}

/* Send one message. Without a posted buffer of the consumer the submit returns AGAIN; this repeats
 * it, and makes no progress in between. */
static doca_error_t send_number(struct data_objects *data, struct doca_comch_producer *producer,
                                struct doca_buf *buf, int number)
{
    const struct timespec pause = { .tv_nsec = SLEEP_NS };
    struct doca_comch_producer_task_send *task;
    uint8_t imm[sizeof(number)];
    void *bytes;
    doca_error_t result;

    result = doca_buf_get_data(buf, &bytes);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_buf_set_data(buf, bytes, (size_t)snprintf(bytes, BUF_SIZE, "number %d", number));
    if (result != DOCA_SUCCESS)
        return result;
    memcpy(imm, &number, sizeof(number));
    result = doca_comch_producer_task_send_alloc_init(producer, buf, imm, sizeof(imm),
                                                      data->pair->consumer_id, &task);
    if (result != DOCA_SUCCESS)
        return result;
    while ((result = doca_task_submit(doca_comch_producer_task_send_as_task(task))) ==
           DOCA_ERROR_AGAIN)
        nanosleep(&pause, NULL);
    if (result != DOCA_SUCCESS) {
        doca_task_free(doca_comch_producer_task_send_as_task(task));
        return result;
    }
    data->num_tasks++;
    while (data->num_tasks > 0) /* the next message is written into the same buffer */
        progress_or_sleep(data->pe);
    return data->result;
}

static doca_error_t produce(struct data_objects *data, struct doca_comch_producer *producer)
{
    struct doca_buf *buf;
    doca_error_t result, tmp_result;
    int i;

    result = doca_comch_producer_task_send_set_conf(producer, produce_completed, produce_failed,
                                                    NUM_BUFS);
    if (result == DOCA_SUCCESS)
        result = connect_data(data, doca_comch_producer_as_ctx(producer));
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_ctx_start(data->ctx);
    if (result != DOCA_SUCCESS) { /* a producer starts at once, without waiting for the peer */
        DOCA_LOG_ERR("Cannot start the producer: %s", doca_error_get_name(result));
        if (result == DOCA_ERROR_IN_PROGRESS)
            (void)stop_data(data);
        return result;
    }
    result = doca_buf_inventory_buf_get_by_addr(data->inventory, data->mmap, data->memory[0],
                                                BUF_SIZE, &buf);
    if (result == DOCA_SUCCESS) {
        for (i = 0; i < data->pair->conf->num_messages && result == DOCA_SUCCESS; i++)
            result = send_number(data, producer, buf, i);
        printf("%d messages sent\n", i);
        (void)doca_buf_dec_refcount(buf, NULL);
    }
    tmp_result = stop_data(data);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    return result;
}

doca_error_t run_producer(struct pair_objects *pair)
{
    static struct data_objects data;
    struct doca_comch_producer *producer = NULL;
    doca_error_t result, tmp_result;

    result = open_data(pair, &data);
    if (result == DOCA_SUCCESS)
        result = doca_comch_producer_create(pair->connection, &producer);
    if (result == DOCA_SUCCESS)
        result = produce(&data, producer);
    if (producer != NULL) {
        tmp_result = doca_comch_producer_destroy(producer);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    tmp_result = close_data(&data);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    return result;
}

#endif

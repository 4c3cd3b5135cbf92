/* The common part of owners and readers: their objects, and messages. */
#include <string.h>
#include <time.h>

#include "block_store.h"

DOCA_LOG_REGISTER(BLOCK_STORE::CORE);

#define SLEEP_NS 10000
#define NUM_BUFS 64
#define NUM_TASKS 16

/* FNV-1a over words. */
uint64_t checksum_of(const uint64_t *words, uint64_t number, uint64_t version)
{
    uint64_t sum = (0xcbf29ce484222325u ^ number) * 0x100000001b3u;
    size_t i;

    sum = (sum ^ version) * 0x100000001b3u;
    for (i = 0; i < BLOCK_WORDS; i++)
        sum = (sum ^ words[i]) * 0x100000001b3u;
    return sum;
}

void progress_or_sleep(struct endpoint *endpoint)
{
    const struct timespec pause = { .tv_nsec = SLEEP_NS };

    if (doca_pe_progress(endpoint->pe) == 0)
        nanosleep(&pause, NULL);
}

void note(struct endpoint *endpoint, doca_error_t result, const char *what)
{
    if (result == DOCA_SUCCESS || endpoint->result != DOCA_SUCCESS)
        return;
    DOCA_LOG_ERR("%s: %s", what, doca_error_get_name(result));
    endpoint->result = result;
}

doca_error_t get_buf(struct endpoint *endpoint, struct doca_mmap *mmap, void *addr, size_t len,
                     size_t data_len, struct doca_buf **buf)
{
    return doca_buf_inventory_buf_get_by_args(endpoint->inventory, mmap, addr, len, addr, data_len,
                                              buf);
}

/* ---- messages ---- */

/* A send can fail because the peer was lost. The connection callbacks report the loss. */
static void send_completed(struct doca_rdma_task_send *task, union doca_data task_user_data,
                           union doca_data ctx_user_data)
{
    struct endpoint *endpoint = (struct endpoint *)ctx_user_data.ptr;
    const struct doca_buf *buf = doca_rdma_task_send_get_src_buf(task);

    (void)task_user_data;
    doca_task_free(doca_rdma_task_send_as_task(task));
    (void)doca_buf_dec_refcount((struct doca_buf *)(uintptr_t)buf, NULL);
    endpoint->num_sending--;
}

doca_error_t send_message(struct endpoint *endpoint, struct doca_rdma_connection *connection,
                          struct message *message)
{
    const union doca_data none = { 0 };
    struct doca_rdma_task_send *task;
    struct doca_buf *buf;
    doca_error_t result;

    result = get_buf(endpoint, endpoint->mmap, message, sizeof(*message), sizeof(*message), &buf);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_rdma_task_send_allocate_init(endpoint->rdma, connection, buf, none, &task);
    if (result == DOCA_SUCCESS) {
        result = doca_task_submit(doca_rdma_task_send_as_task(task));
        if (result == DOCA_SUCCESS) {
            endpoint->num_sending++;
            return DOCA_SUCCESS;
        }
        doca_task_free(doca_rdma_task_send_as_task(task));
    }
    (void)doca_buf_dec_refcount(buf, NULL);
    return result;
}

static void release_receive(struct doca_rdma_task_receive *task)
{
    struct doca_buf *buf = doca_rdma_task_receive_get_dst_buf(task);

    doca_task_free(doca_rdma_task_receive_as_task(task));
    (void)doca_buf_dec_refcount(buf, NULL);
}

/* Use the message, and post the task again. */
static void receive_completed(struct doca_rdma_task_receive *task, union doca_data task_user_data,
                              union doca_data ctx_user_data)
{
    struct endpoint *endpoint = (struct endpoint *)ctx_user_data.ptr;
    doca_error_t result;

    if (doca_rdma_task_receive_get_result_len(task) == sizeof(struct message))
        endpoint->handle_message(endpoint, doca_rdma_task_receive_get_result_rdma_connection(task),
                                 (const struct message *)task_user_data.ptr);
    else
        note(endpoint, DOCA_ERROR_BAD_STATE, "A message has a wrong length");
    result = doca_buf_reset_data_len(doca_rdma_task_receive_get_dst_buf(task));
    if (result == DOCA_SUCCESS)
        result = doca_task_submit(doca_rdma_task_receive_as_task(task));
    if (result != DOCA_SUCCESS) {
        note(endpoint, result, "Cannot post a receive task again");
        release_receive(task);
    }
}

/* The context is being stopped. */
static void receive_failed(struct doca_rdma_task_receive *task, union doca_data task_user_data,
                           union doca_data ctx_user_data)
{
    (void)task_user_data;
    (void)ctx_user_data;
    release_receive(task);
}

doca_error_t post_receive(struct endpoint *endpoint, struct message *message)
{
    const union doca_data data = { .ptr = message };
    struct doca_rdma_task_receive *task;
    struct doca_buf *buf;
    doca_error_t result;

    result = get_buf(endpoint, endpoint->mmap, message, sizeof(*message), 0, &buf);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_rdma_task_receive_allocate_init(endpoint->rdma, buf, data, &task);
    if (result != DOCA_SUCCESS) {
        (void)doca_buf_dec_refcount(buf, NULL);
        return result;
    }
    result = doca_task_submit(doca_rdma_task_receive_as_task(task));
    if (result != DOCA_SUCCESS)
        release_receive(task);
    return result;
}

/* ---- objects ---- */

doca_error_t open_endpoint(const struct store_config *conf, void *memory, size_t len,
                           uint32_t permissions, struct endpoint *endpoint)
{
    const union doca_data data = { .ptr = endpoint };
    doca_error_t result;

    endpoint->conf = conf;
    result = open_device(conf->pci_addr[0] != '\0' ? conf->pci_addr : NULL,
                         doca_rdma_cap_task_read_is_supported, &endpoint->dev);
    if (result != DOCA_SUCCESS)
        return result;
    result = doca_pe_create(&endpoint->pe);
    if (result == DOCA_SUCCESS)
        result = doca_buf_inventory_create(NUM_BUFS, &endpoint->inventory);
    if (result == DOCA_SUCCESS)
        result = doca_buf_inventory_start(endpoint->inventory);
    if (result == DOCA_SUCCESS)
        result = doca_mmap_create(&endpoint->mmap);
    if (result == DOCA_SUCCESS)
        result = start_mmap(endpoint->mmap, endpoint->dev, memory, len,
                            DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_create(endpoint->dev, &endpoint->rdma);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_set_permissions(endpoint->rdma, permissions);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_set_gid_index(endpoint->rdma, (uint32_t)conf->gid_index);
    if (result == DOCA_SUCCESS)
        result =
            doca_rdma_task_send_set_conf(endpoint->rdma, send_completed, send_completed, NUM_TASKS);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_task_receive_set_conf(endpoint->rdma, receive_completed, receive_failed,
                                                 NUM_TASKS);
    if (result == DOCA_SUCCESS)
        result = doca_ctx_set_user_data(doca_rdma_as_ctx(endpoint->rdma), data);
    if (result == DOCA_SUCCESS)
        result = doca_pe_connect_ctx(endpoint->pe, doca_rdma_as_ctx(endpoint->rdma));
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot make an RDMA instance: %s", doca_error_get_name(result));
    return result;
}

doca_error_t start_endpoint(struct endpoint *endpoint)
{
    doca_error_t result = doca_ctx_start(doca_rdma_as_ctx(endpoint->rdma));

    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot start the RDMA instance: %s", doca_error_get_name(result));
    return result;
}

doca_error_t stop_endpoint(struct endpoint *endpoint)
{
    enum doca_ctx_states state;
    doca_error_t result;

    if (endpoint->rdma == NULL)
        return DOCA_SUCCESS;
    result = doca_ctx_get_state(doca_rdma_as_ctx(endpoint->rdma), &state);
    if (result == DOCA_SUCCESS && state != DOCA_CTX_STATE_IDLE)
        result = stop_ctx(endpoint->pe, doca_rdma_as_ctx(endpoint->rdma));
    if (result == DOCA_SUCCESS)
        result = doca_rdma_destroy(endpoint->rdma);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot stop the RDMA instance: %s", doca_error_get_name(result));
    return result;
}

doca_error_t close_endpoint(struct endpoint *endpoint)
{
    doca_error_t result = DOCA_SUCCESS, tmp_result;

    if (endpoint->mmap != NULL) {
        tmp_result = doca_mmap_destroy(endpoint->mmap);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (endpoint->inventory != NULL) {
        tmp_result = doca_buf_inventory_destroy(endpoint->inventory);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (endpoint->pe != NULL) {
        tmp_result = doca_pe_destroy(endpoint->pe);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (endpoint->dev != NULL) {
        tmp_result = doca_dev_close(endpoint->dev);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("An object could not be destroyed: %s", doca_error_get_name(result));
    return result;
}

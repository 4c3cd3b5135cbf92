/* A reader: keeps copies of the blocks, and uses only those that are whole and current. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_store.h"

DOCA_LOG_REGISTER(BLOCK_STORE::READER);

/* Memory of the tasks. */
struct reader_memory {
    struct store copy; /* the directory as it was read, and copies of blocks */
    struct message received;
    struct message sent;
};

struct reader {
    struct endpoint endpoint; /* first: the user data of the context */
    struct doca_sync_event *event;
    struct doca_rdma_addr *addr;
    struct doca_rdma_connection *connection; /* NULL: not established yet, or no longer */
    bool is_refused, is_welcome;
    struct doca_mmap *imported;
    struct store *remote; /* an address of the owner */
    size_t num_blocks;
    bool has_copy[MAX_BLOCKS];
    uint64_t epoch; /* latest epoch seen; unless careless, the directory was read after it */
    doca_error_t read_result;
    bool is_reading;
    struct report report;
};

static _Alignas(4096) struct reader_memory memory;

/* ---- connection ---- */

static void handle_message(struct endpoint *endpoint, const struct doca_rdma_connection *connection,
                           const struct message *message)
{
    struct reader *reader = (struct reader *)endpoint;
    doca_error_t result;
    void *start;
    size_t len;

    (void)connection;
    if (message->type != WELCOME || message->count > MAX_DESCRIPTOR_SIZE ||
        message->num_blocks == 0 || message->num_blocks > MAX_BLOCKS || reader->is_welcome) {
        note(endpoint, DOCA_ERROR_UNEXPECTED, "The owner has sent an unknown message");
        return;
    }
    result = doca_mmap_create_from_export(NULL, message->of.descriptor, message->count,
                                          endpoint->dev, &reader->imported);
    if (result == DOCA_SUCCESS)
        result = doca_mmap_get_memrange(reader->imported, &start, &len);
    if (result == DOCA_SUCCESS && len < sizeof(struct store))
        result = DOCA_ERROR_INVALID_VALUE;
    if (result != DOCA_SUCCESS) {
        note(endpoint, result, "Cannot import the store");
        return;
    }
    reader->remote = (struct store *)start;
    reader->num_blocks = (size_t)message->num_blocks;
    reader->is_welcome = true;
}

static void established(struct doca_rdma_connection *connection,
                        union doca_data connection_user_data, union doca_data ctx_user_data)
{
    (void)connection_user_data;
    ((struct reader *)ctx_user_data.ptr)->connection = connection;
}

static void refused(struct doca_rdma_connection *connection, union doca_data connection_user_data,
                    union doca_data ctx_user_data)
{
    (void)connection;
    (void)connection_user_data;
    ((struct reader *)ctx_user_data.ptr)->is_refused = true;
}

static void disconnected(struct doca_rdma_connection *connection,
                         union doca_data connection_user_data, union doca_data ctx_user_data)
{
    (void)connection_user_data;
    ((struct reader *)ctx_user_data.ptr)->connection = NULL;
    (void)doca_rdma_connection_disconnect(connection);
}

/* True while there is an owner and nothing has failed. */
static bool is_well(const struct reader *reader)
{
    return reader->connection != NULL && reader->endpoint.result == DOCA_SUCCESS;
}

static doca_error_t failure_of(const struct reader *reader)
{
    if (reader->endpoint.result != DOCA_SUCCESS)
        return reader->endpoint.result;
    return reader->connection == NULL ? DOCA_ERROR_CONNECTION_RESET : DOCA_SUCCESS;
}

/* Send the message in memory.sent, and wait until the owner has received it. */
static doca_error_t send_and_wait(struct reader *reader)
{
    doca_error_t result = send_message(&reader->endpoint, reader->connection, &memory.sent);

    if (result != DOCA_SUCCESS)
        return result;
    while (reader->endpoint.num_sending > 0)
        progress_or_sleep(&reader->endpoint);
    memory.sent.count = 0;
    return failure_of(reader);
}

/* Begin to connect to the owner. */
static doca_error_t ask_owner(struct reader *reader)
{
    struct endpoint *endpoint = &reader->endpoint;
    const union doca_data none = { 0 };
    doca_error_t result;
    int fd;

    if (endpoint->conf->by_address)
        return doca_rdma_connect_to_addr(endpoint->rdma, reader->addr, none);
    result = call_owner(endpoint->conf, &fd);
    if (result == DOCA_ERROR_NOT_FOUND) {
        reader->is_refused = true;
        return DOCA_SUCCESS;
    }
    return result == DOCA_SUCCESS ? meet_peer(endpoint, fd, none) : result;
}

/* Connect to the owner, and exchange exports with it. */
static doca_error_t meet_owner(struct reader *reader)
{
    struct endpoint *endpoint = &reader->endpoint;
    const uint8_t *descriptor;
    doca_error_t result;
    size_t len;

    result = doca_sync_event_export_to_remote_net(reader->event, &descriptor, &len);
    if (result == DOCA_SUCCESS && len > MAX_DESCRIPTOR_SIZE)
        result = DOCA_ERROR_TOO_BIG;
    if (result == DOCA_SUCCESS)
        result = post_receive(endpoint, &memory.received);
    if (result == DOCA_SUCCESS)
        result = ask_owner(reader);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot begin to connect: %s", doca_error_get_name(result));
        return result;
    }
    while (reader->connection == NULL && !reader->is_refused)
        progress_or_sleep(endpoint);
    if (reader->is_refused) {
        DOCA_LOG_ERR("The reader found no owner");
        return DOCA_ERROR_NOT_FOUND;
    }
    memory.sent.type = HELLO;
    memory.sent.count = (uint32_t)len;
    memcpy(memory.sent.of.descriptor, descriptor, len);
    result = send_and_wait(reader);
    while (result == DOCA_SUCCESS && !reader->is_welcome && is_well(reader))
        progress_or_sleep(endpoint);
    return result != DOCA_SUCCESS ? result : failure_of(reader);
}

/* ---- blocks ---- */

static void read_completed(struct doca_rdma_task_read *task, union doca_data task_user_data,
                           union doca_data ctx_user_data)
{
    struct reader *reader = (struct reader *)ctx_user_data.ptr;

    (void)task_user_data;
    reader->read_result = doca_task_get_status(doca_rdma_task_read_as_task(task));
    reader->is_reading = false;
    doca_task_free(doca_rdma_task_read_as_task(task));
}

/* Read memory of the owner into the same place of the copy, and wait until that is done. */
static doca_error_t read_store(struct reader *reader, void *to, size_t len)
{
    struct endpoint *endpoint = &reader->endpoint;
    const size_t offset = (size_t)((char *)to - (char *)&memory.copy);
    const union doca_data none = { 0 };
    struct doca_buf *src = NULL, *dst = NULL;
    struct doca_rdma_task_read *task;
    doca_error_t result;

    result = get_buf(endpoint, reader->imported, (char *)reader->remote + offset, len, len, &src);
    if (result == DOCA_SUCCESS)
        result = get_buf(endpoint, endpoint->mmap, to, len, 0, &dst);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_task_read_allocate_init(endpoint->rdma, reader->connection, src, dst,
                                                   none, &task);
    if (result == DOCA_SUCCESS) {
        reader->is_reading = true;
        result = doca_task_submit(doca_rdma_task_read_as_task(task));
        if (result != DOCA_SUCCESS)
            doca_task_free(doca_rdma_task_read_as_task(task));
        while (result == DOCA_SUCCESS && reader->is_reading)
            progress_or_sleep(endpoint);
        if (result == DOCA_SUCCESS)
            result = reader->read_result;
    }
    if (src != NULL)
        (void)doca_buf_dec_refcount(src, NULL);
    if (dst != NULL)
        (void)doca_buf_dec_refcount(dst, NULL);
    return result;
}

/* A new epoch: read the directory, and drop the copies of older versions. */
static doca_error_t refresh(struct reader *reader, uint64_t epoch)
{
    doca_error_t result;
    size_t i;

    result = read_store(reader, memory.copy.versions, sizeof(memory.copy.versions));
    for (i = 0; i < reader->num_blocks && result == DOCA_SUCCESS; i++) {
        if (reader->has_copy[i] && memory.copy.versions[i] > memory.copy.blocks[i].version) {
            reader->has_copy[i] = false;
            reader->report.num_dropped++;
        }
    }
    reader->epoch = epoch;
    return result;
}

/* Read a block until it is whole. */
static doca_error_t fetch(struct reader *reader, size_t number)
{
    struct block *block = &memory.copy.blocks[number];
    doca_error_t result;

    for (;;) {
        result = read_store(reader, block, sizeof(*block));
        if (result != DOCA_SUCCESS)
            return result;
        reader->report.num_reads++;
        if (block->version == block->version_again && block->version % 2 == 0 &&
            block->checksum == checksum_of(block->words, number, block->version))
            break;
        reader->report.num_torn++;
        progress_or_sleep(&reader->endpoint); /* the owner needs time for the rest of the block */
    }
    reader->has_copy[number] = true;
    return DOCA_SUCCESS;
}

static doca_error_t flush(struct reader *reader)
{
    return memory.sent.count > 0 ? send_and_wait(reader) : DOCA_SUCCESS;
}

/* Use a block, and record what was used. The checksum is computed once more, so that the record
 * describes the bytes that the reader has. */
static doca_error_t use(struct reader *reader, size_t number)
{
    const struct block *block = &memory.copy.blocks[number];
    doca_error_t result;
    struct record *record;

    if (!reader->has_copy[number]) {
        result = fetch(reader, number);
        if (result != DOCA_SUCCESS)
            return result;
    }
    memory.sent.type = RECORDS;
    record = &memory.sent.of.records[memory.sent.count++];
    record->epoch = reader->epoch;
    record->block = number;
    record->version = block->version;
    record->checksum = checksum_of(block->words, number, block->version);
    reader->report.num_accepted++;
    return memory.sent.count == NUM_RECORDS ? flush(reader) : DOCA_SUCCESS;
}

/* Use blocks at random until the owner ends, then each block once, and report. */
static doca_error_t use_blocks(struct reader *reader)
{
    doca_error_t result = DOCA_SUCCESS;
    uint64_t epoch = 0;
    size_t i;

    while (result == DOCA_SUCCESS && is_well(reader) && !(epoch & STOP)) {
        result = doca_sync_event_get(reader->event, &epoch);
        if (result == DOCA_SUCCESS && epoch != reader->epoch) {
            if (reader->endpoint.conf->is_careless)
                reader->epoch = epoch;
            else
                result = refresh(reader, epoch);
        }
        if (result == DOCA_SUCCESS)
            result = use(reader, (size_t)rand() % reader->num_blocks);
        (void)doca_pe_progress(reader->endpoint.pe);
    }
    for (i = 0; i < reader->num_blocks && result == DOCA_SUCCESS && is_well(reader); i++)
        result = use(reader, i);
    if (result == DOCA_SUCCESS)
        result = failure_of(reader);
    if (result == DOCA_SUCCESS)
        result = flush(reader);
    if (result == DOCA_SUCCESS) {
        memory.sent.type = REPORT;
        memory.sent.of.report = reader->report;
        result = send_and_wait(reader);
    }
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("The reader must end: %s", doca_error_get_name(result));
    return result;
}

/* ---- from beginning to end ---- */

static doca_error_t create_event(struct reader *reader)
{
    doca_error_t result;

    result = doca_sync_event_create(&reader->event);
    if (result == DOCA_SUCCESS)
        result = doca_sync_event_add_publisher_location_remote_net(reader->event);
    if (result == DOCA_SUCCESS)
        result = doca_sync_event_add_subscriber_location_cpu(reader->event, reader->endpoint.dev);
    if (result == DOCA_SUCCESS)
        result = doca_sync_event_start(reader->event);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot make a sync event: %s", doca_error_get_name(result));
    return result;
}

static doca_error_t configure(struct reader *reader)
{
    struct doca_rdma *rdma = reader->endpoint.rdma;
    doca_error_t result;

    result = doca_rdma_task_read_set_conf(rdma, read_completed, read_completed, 1);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_set_connection_state_callbacks(rdma, NULL, established, refused,
                                                          disconnected);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, reader->endpoint.conf->ip,
                                       (uint16_t)reader->endpoint.conf->port, &reader->addr);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot configure the reader: %s", doca_error_get_name(result));
    return result;
}

static doca_error_t release(struct reader *reader)
{
    doca_error_t result = DOCA_SUCCESS, tmp_result;

    if (reader->imported != NULL)
        result = doca_mmap_destroy(reader->imported);
    if (reader->addr != NULL) {
        tmp_result = doca_rdma_addr_destroy(reader->addr);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (reader->event != NULL) {
        tmp_result = doca_sync_event_destroy(reader->event);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    return result;
}

doca_error_t run_reader(const struct store_config *conf)
{
    static struct reader reader;
    doca_error_t result, tmp_result;

    reader.endpoint.handle_message = handle_message;
    result =
        open_endpoint(conf, &memory, sizeof(memory), DOCA_ACCESS_FLAG_RDMA_WRITE, &reader.endpoint);
    if (result == DOCA_SUCCESS)
        result = create_event(&reader);
    if (result == DOCA_SUCCESS)
        result = configure(&reader);
    if (result == DOCA_SUCCESS)
        result = start_endpoint(&reader.endpoint);
    if (result == DOCA_SUCCESS)
        result = meet_owner(&reader);
    if (result == DOCA_SUCCESS) {
        DOCA_LOG_INFO("The reader has met the owner");
        result = use_blocks(&reader);
    }
    tmp_result = stop_endpoint(&reader.endpoint);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    tmp_result = release(&reader);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    tmp_result = close_endpoint(&reader.endpoint);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    return result;
}

/* The owner: rewrites blocks, tells the readers, and checks what they have used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "block_store.h"

DOCA_LOG_REGISTER(BLOCK_STORE::OWNER);

#define NUM_RECEIVES 8

/* A published version of a block. Element n of a history is version 2n. */
struct publication {
    uint64_t epoch; /* a reader that has seen this epoch must not use an older version */
    uint64_t checksum;
};

struct history {
    struct publication *list;
    size_t num, room;
};

struct owner;

struct reader_peer {
    struct owner *owner;
    struct doca_rdma_connection *connection; /* NULL: not connected yet, or no longer */
    struct doca_sync_event_remote_net *event;
    struct doca_rdma_task_remote_net_sync_event_notify_set *task; /* sets the event */
    struct doca_buf *buf;                                         /* the value to set */
    uint64_t told;                                                /* epoch of the latest task */
    bool is_telling, is_lost, has_reported;
    struct report report;
    uint64_t num_checked, num_torn, num_stale; /* records */
    uint64_t num_since_loss;                   /* records since a reader was lost */
};

/* Memory of the tasks. */
struct owner_memory {
    struct message received[NUM_RECEIVES];
    struct message welcome;
    uint64_t told[MAX_READERS];
};

struct owner {
    struct endpoint endpoint; /* first: the user data of the context */
    struct doca_mmap *store_mmap;
    int port_fd; /* negative: readers connect by address */
    struct history histories[MAX_BLOCKS];
    uint64_t epoch; /* rewrites so far, and STOP at the end */
    struct reader_peer peers[MAX_READERS];
    int num_peers, num_lost, num_reported;
    int num_since_loss; /* rewrites since a reader was lost */
};

static _Alignas(4096) struct store store;
static _Alignas(64) struct owner_memory memory;

/* ---- blocks ---- */

static doca_error_t remember(struct history *history, uint64_t epoch, uint64_t checksum)
{
    struct publication *list = history->list;

    if (history->num == history->room) {
        history->room = history->room > 0 ? 2 * history->room : 64;
        list = realloc(list, history->room * sizeof(*list));
        if (list == NULL)
            return DOCA_ERROR_NO_MEMORY;
        history->list = list;
    }
    list[history->num].epoch = epoch;
    list[history->num++].checksum = checksum;
    return DOCA_SUCCESS;
}

/* Write the next version of a block, and then the directory. Readers may read at the same time. */
static doca_error_t rewrite(struct owner *owner, uint64_t number)
{
    struct history *history = &owner->histories[number];
    struct block *block = &store.blocks[number];
    uint64_t version = 2 * history->num, word = number << 32 ^ version, checksum;
    size_t i;

    __atomic_store_n(&block->version, version - 1, __ATOMIC_RELAXED);
    __atomic_store_n(&block->version_again, version - 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (i = 0; i < BLOCK_WORDS; i++) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        __atomic_store_n(&block->words[i], word, __ATOMIC_RELAXED);
    }
    checksum = checksum_of(block->words, number, version);
    __atomic_store_n(&block->checksum, checksum, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&block->version_again, version, __ATOMIC_RELEASE);
    __atomic_store_n(&block->version, version, __ATOMIC_RELEASE);
    __atomic_store_n(&store.versions[number], version, __ATOMIC_RELEASE);
    return remember(history, owner->epoch, checksum);
}

/* ---- records of the readers ---- */

static void check_record(struct owner *owner, struct reader_peer *peer, const struct record *record)
{
    const struct history *history;
    uint64_t n = record->version / 2, epoch = record->epoch & ~STOP;

    peer->num_checked++;
    peer->num_since_loss++;
    if (record->block >= (uint64_t)owner->endpoint.conf->num_blocks) {
        peer->num_torn++;
        return;
    }
    history = &owner->histories[record->block];
    if (record->version % 2 != 0 || n >= history->num ||
        record->checksum != history->list[n].checksum)
        peer->num_torn++;
    else if (n + 1 < history->num && history->list[n + 1].epoch <= epoch)
        peer->num_stale++;
}

static doca_error_t welcome(struct owner *owner, struct reader_peer *peer,
                            const struct message *hello)
{
    struct endpoint *endpoint = &owner->endpoint;
    const union doca_data data = { .ptr = peer };
    const size_t index = (size_t)(peer - owner->peers);
    doca_error_t result;

    result = doca_sync_event_remote_net_create_from_export(endpoint->dev, hello->of.descriptor,
                                                           hello->count, &peer->event);
    if (result == DOCA_SUCCESS)
        result = get_buf(endpoint, endpoint->mmap, &memory.told[index], sizeof(uint64_t),
                         sizeof(uint64_t), &peer->buf);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
            endpoint->rdma, peer->connection, peer->event, peer->buf, data, &peer->task);
    if (result == DOCA_SUCCESS)
        result = send_message(endpoint, peer->connection, &memory.welcome);
    return result;
}

static struct reader_peer *peer_of(const struct doca_rdma_connection *connection)
{
    union doca_data data = { 0 };

    (void)doca_rdma_connection_get_user_data(connection, &data);
    return (struct reader_peer *)data.ptr;
}

static void handle_message(struct endpoint *endpoint, const struct doca_rdma_connection *connection,
                           const struct message *message)
{
    struct owner *owner = (struct owner *)endpoint;
    struct reader_peer *peer = peer_of(connection);
    uint32_t i;

    if (peer == NULL) {
        note(endpoint, DOCA_ERROR_UNEXPECTED, "A message comes from an unknown reader");
    } else if (message->type == HELLO && message->count <= MAX_DESCRIPTOR_SIZE &&
               peer->event == NULL) {
        note(endpoint, welcome(owner, peer, message), "Cannot welcome a reader");
        owner->num_peers++;
    } else if (message->type == RECORDS && message->count <= NUM_RECORDS) {
        for (i = 0; i < message->count; i++)
            check_record(owner, peer, &message->of.records[i]);
    } else if (message->type == REPORT && !peer->has_reported) {
        peer->has_reported = true;
        peer->report = message->of.report;
        owner->num_reported++;
    } else {
        note(endpoint, DOCA_ERROR_UNEXPECTED, "A message has an unknown type");
    }
}

/* ---- connections ---- */

/* Return an entry for a new reader; NULL when the store has all its readers. */
static struct reader_peer *unused_peer(struct owner *owner)
{
    int i;

    for (i = 0; i < owner->endpoint.conf->num_readers; i++)
        if (owner->peers[i].owner == NULL)
            return &owner->peers[i];
    return NULL;
}

/* A reader connects by address. */
static void requested(struct doca_rdma_connection *connection, union doca_data ctx_user_data)
{
    struct owner *owner = (struct owner *)ctx_user_data.ptr;
    struct reader_peer *peer = unused_peer(owner);
    const union doca_data data = { .ptr = peer };

    if (peer == NULL) {
        note(&owner->endpoint, doca_rdma_connection_reject(connection), "Cannot reject a reader");
        return;
    }
    peer->owner = owner;
    note(&owner->endpoint, doca_rdma_connection_set_user_data(connection, data),
         "Cannot set the data of a connection");
    note(&owner->endpoint, doca_rdma_connection_accept(connection, NULL, 0),
         "Cannot accept a reader");
}

/* Connect to a reader that waits at the TCP port, if there is one. */
static void meet_reader(struct owner *owner)
{
    struct reader_peer *peer = owner->port_fd >= 0 ? unused_peer(owner) : NULL;
    const union doca_data data = { .ptr = peer };
    int fd = peer != NULL ? accept_reader(owner->port_fd) : -1;

    if (fd < 0)
        return;
    peer->owner = owner;
    if (meet_peer(&owner->endpoint, fd, data) == DOCA_SUCCESS)
        return;
    DOCA_LOG_WARN("A reader has left before it was connected");
    peer->owner = NULL;
}

static void established(struct doca_rdma_connection *connection,
                        union doca_data connection_user_data, union doca_data ctx_user_data)
{
    (void)ctx_user_data;
    ((struct reader_peer *)connection_user_data.ptr)->connection = connection;
}

/* The reader has ended: after its report, or because it was killed. */
static void disconnected(struct doca_rdma_connection *connection,
                         union doca_data connection_user_data, union doca_data ctx_user_data)
{
    struct owner *owner = (struct owner *)ctx_user_data.ptr;
    struct reader_peer *peer = (struct reader_peer *)connection_user_data.ptr;
    int i;

    peer->connection = NULL;
    (void)doca_rdma_connection_disconnect(connection);
    if (peer->has_reported)
        return;
    DOCA_LOG_WARN("A reader is lost");
    peer->is_lost = true;
    owner->num_lost++;
    owner->num_since_loss = 0;
    for (i = 0; i < MAX_READERS; i++)
        owner->peers[i].num_since_loss = 0;
}

/* The connection failed, so the entry of the reader is free again. */
static void refused(struct doca_rdma_connection *connection, union doca_data connection_user_data,
                    union doca_data ctx_user_data)
{
    (void)connection;
    (void)ctx_user_data;
    ((struct reader_peer *)connection_user_data.ptr)->owner = NULL;
}

/* ---- sync events ---- */

/* Set the event of a reader to the latest epoch, unless its task is in flight. */
static void tell(struct owner *owner, struct reader_peer *peer)
{
    doca_error_t result;

    if (peer->task == NULL || peer->connection == NULL || peer->is_telling ||
        peer->told == owner->epoch)
        return;
    memory.told[peer - owner->peers] = owner->epoch;
    result = doca_task_submit(doca_rdma_task_remote_net_sync_event_notify_set_as_task(peer->task));
    if (result == DOCA_SUCCESS) {
        peer->told = owner->epoch;
        peer->is_telling = true;
    } else if (result != DOCA_ERROR_NOT_CONNECTED) { /* the disconnection callback comes later */
        note(&owner->endpoint, result, "Cannot set a sync event");
    }
}

static void told(struct doca_rdma_task_remote_net_sync_event_notify_set *task,
                 union doca_data task_user_data, union doca_data ctx_user_data)
{
    struct reader_peer *peer = (struct reader_peer *)task_user_data.ptr;

    (void)task;
    peer->is_telling = false;
    tell((struct owner *)ctx_user_data.ptr, peer); /* the epoch may have changed meanwhile */
}

/* The task fails when the reader has ended. The disconnection callback handles that. */
static void not_told(struct doca_rdma_task_remote_net_sync_event_notify_set *task,
                     union doca_data task_user_data, union doca_data ctx_user_data)
{
    (void)task;
    (void)ctx_user_data;
    ((struct reader_peer *)task_user_data.ptr)->is_telling = false;
}

static void publish(struct owner *owner)
{
    int i;

    for (i = 0; i < MAX_READERS; i++)
        tell(owner, &owner->peers[i]);
}

/* ---- from beginning to end ---- */

/* True when the owner and each reader have done enough since the latest loss. */
static bool is_enough(const struct owner *owner)
{
    const struct store_config *conf = owner->endpoint.conf;
    int i;

    if (owner->num_peers < conf->num_readers || owner->num_lost < conf->num_lost ||
        owner->num_since_loss < conf->num_rewrites)
        return false;
    for (i = 0; i < conf->num_readers; i++)
        if (!owner->peers[i].is_lost &&
            owner->peers[i].num_since_loss < (uint64_t)conf->num_accepts)
            return false;
    return true;
}

static bool has_connections(const struct owner *owner)
{
    int i;

    for (i = 0; i < MAX_READERS; i++)
        if (owner->peers[i].connection != NULL)
            return true;
    return false;
}

static doca_error_t serve(struct owner *owner)
{
    struct endpoint *endpoint = &owner->endpoint;
    doca_error_t result = DOCA_SUCCESS;

    while (result == DOCA_SUCCESS && endpoint->result == DOCA_SUCCESS && !is_enough(owner)) {
        owner->epoch++;
        owner->num_since_loss++;
        result = rewrite(owner, (uint64_t)rand() % (uint64_t)endpoint->conf->num_blocks);
        publish(owner);
        meet_reader(owner);
        progress_or_sleep(endpoint);
    }
    owner->epoch |= STOP;
    publish(owner);
    while (result == DOCA_SUCCESS && endpoint->result == DOCA_SUCCESS &&
           owner->num_reported + owner->num_lost < owner->num_peers)
        progress_or_sleep(endpoint);
    while (result == DOCA_SUCCESS && endpoint->result == DOCA_SUCCESS && has_connections(owner))
        progress_or_sleep(endpoint);
    return result != DOCA_SUCCESS ? result : endpoint->result;
}

/* Print the counts. Fails when a reader has used a block that it must not use. */
static doca_error_t judge(const struct owner *owner)
{
    doca_error_t result = DOCA_SUCCESS;
    const struct reader_peer *peer;
    int i;

    for (i = 0; i < MAX_READERS; i++) {
        peer = &owner->peers[i];
        if (peer->owner == NULL)
            continue;
        if (peer->is_lost)
            printf("a lost reader: used %llu blocks", (unsigned long long)peer->num_checked);
        else
            printf(
                "a reader: used %llu blocks, read %llu, repeated %llu reads, dropped %llu copies",
                (unsigned long long)peer->num_checked, (unsigned long long)peer->report.num_reads,
                (unsigned long long)peer->report.num_torn,
                (unsigned long long)peer->report.num_dropped);
        if (peer->num_torn + peer->num_stale == 0)
            printf("; all were whole and current\n");
        else
            printf("; torn: %llu, stale: %llu\n", (unsigned long long)peer->num_torn,
                   (unsigned long long)peer->num_stale);
        if (peer->num_torn + peer->num_stale > 0) {
            DOCA_LOG_ERR("A reader has used blocks that it must not use");
            result = DOCA_ERROR_UNEXPECTED;
        } else if (!peer->is_lost && peer->num_checked != peer->report.num_accepted) {
            DOCA_LOG_ERR("Records of a reader are missing");
            result = DOCA_ERROR_UNEXPECTED;
        }
    }
    return result;
}

static doca_error_t configure(struct owner *owner)
{
    struct endpoint *endpoint = &owner->endpoint;
    struct doca_rdma *rdma = endpoint->rdma;
    doca_error_t result;

    result = doca_rdma_set_max_num_connections(rdma, (uint16_t)endpoint->conf->num_readers);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_task_remote_net_sync_event_notify_set_set_conf(rdma, told, not_told,
                                                                          MAX_READERS);
    if (result == DOCA_SUCCESS)
        result = doca_rdma_set_connection_state_callbacks(rdma, requested, established, refused,
                                                          disconnected);
    if (result == DOCA_SUCCESS)
        result = doca_mmap_create(&owner->store_mmap);
    if (result == DOCA_SUCCESS)
        result = start_mmap(owner->store_mmap, endpoint->dev, &store, sizeof(store),
                            DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot configure the owner: %s", doca_error_get_name(result));
    return result;
}

/* Export the memory, write the first version of all blocks, and listen. */
static doca_error_t open_store(struct owner *owner)
{
    const struct store_config *conf = owner->endpoint.conf;
    const void *descriptor;
    doca_error_t result;
    size_t len, i;

    result = doca_mmap_export_rdma(owner->store_mmap, owner->endpoint.dev, &descriptor, &len);
    if (result == DOCA_SUCCESS && len > MAX_DESCRIPTOR_SIZE)
        result = DOCA_ERROR_TOO_BIG;
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot export the store: %s", doca_error_get_name(result));
        return result;
    }
    memory.welcome.type = WELCOME;
    memory.welcome.count = (uint32_t)len;
    memory.welcome.num_blocks = (uint64_t)conf->num_blocks;
    memcpy(memory.welcome.of.descriptor, descriptor, len);
    for (i = 0; i < (size_t)conf->num_blocks && result == DOCA_SUCCESS; i++)
        result = rewrite(owner, i);
    for (i = 0; i < NUM_RECEIVES && result == DOCA_SUCCESS; i++)
        result = post_receive(&owner->endpoint, &memory.received[i]);
    if (result == DOCA_SUCCESS && conf->by_address)
        result = doca_rdma_start_listen_to_port(owner->endpoint.rdma, (uint16_t)conf->port);
    else if (result == DOCA_SUCCESS)
        result = open_port(conf, &owner->port_fd);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot open the store: %s", doca_error_get_name(result));
    else
        DOCA_LOG_INFO("The store is open");
    return result;
}

/* Release what belongs to the readers, while the context runs. */
static doca_error_t close_peers(struct owner *owner)
{
    doca_error_t result = DOCA_SUCCESS, tmp_result;
    int i;

    for (i = 0; i < MAX_READERS; i++) {
        struct reader_peer *peer = &owner->peers[i];

        while (peer->is_telling)
            progress_or_sleep(&owner->endpoint);
        if (peer->task != NULL)
            doca_task_free(doca_rdma_task_remote_net_sync_event_notify_set_as_task(peer->task));
        if (peer->buf != NULL) {
            tmp_result = doca_buf_dec_refcount(peer->buf, NULL);
            DOCA_ERROR_PROPAGATE(result, tmp_result);
        }
        if (peer->event != NULL) {
            tmp_result = doca_sync_event_remote_net_destroy(peer->event);
            DOCA_ERROR_PROPAGATE(result, tmp_result);
        }
    }
    return result;
}

doca_error_t run_owner(const struct store_config *conf)
{
    static struct owner owner;
    doca_error_t result, tmp_result;
    size_t i;

    owner.port_fd = -1;
    owner.endpoint.handle_message = handle_message;
    result =
        open_endpoint(conf, &memory, sizeof(memory), DOCA_ACCESS_FLAG_RDMA_READ, &owner.endpoint);
    if (result == DOCA_SUCCESS)
        result = configure(&owner);
    if (result == DOCA_SUCCESS)
        result = start_endpoint(&owner.endpoint);
    if (result == DOCA_SUCCESS) {
        result = open_store(&owner);
        if (result == DOCA_SUCCESS)
            result = serve(&owner);
        if (result == DOCA_SUCCESS)
            result = judge(&owner);
        tmp_result = close_peers(&owner);
        DOCA_ERROR_PROPAGATE(result, tmp_result);
    }
    if (owner.port_fd >= 0)
        close(owner.port_fd);
    tmp_result = stop_endpoint(&owner.endpoint);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    tmp_result = owner.store_mmap != NULL ? doca_mmap_destroy(owner.store_mmap) : DOCA_SUCCESS;
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    tmp_result = close_endpoint(&owner.endpoint);
    DOCA_ERROR_PROPAGATE(result, tmp_result);
    for (i = 0; i < MAX_BLOCKS; i++)
        free(owner.histories[i].list);
    return result;
}

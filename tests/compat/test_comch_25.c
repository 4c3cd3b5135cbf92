/* DOCA Comch by the names and types of 2.5: sizes are size_t, numbers of tasks are logarithms, and
 * the two event callbacks whose parameters differ. A server and a client are in one process, on one
 * progress engine. */
#define DOCA_CORE_COMCH_CC
#include "doca_core_comch.h"
#include "doca_test.h"

enum { TURNS = 1000000, BYTES = 4096 };

static struct {
    struct doca_dev *dpu, *host;
    struct doca_dev_rep *rep;
    struct doca_pe *pe;
    struct doca_cc_server *server;
    struct doca_cc_client *client;
    struct doca_cc_connection *of_server, *of_client;
    unsigned num_connected, num_disconnected, num_sent, num_failed;
    unsigned num_posted, num_produced;
    unsigned num_replaced; /* calls of a callback that was replaced before the start */
    size_t len_at_server, len_at_client;
    uint32_t consumer_id;
    char text[16];
} rig;

static void sent(struct doca_cc_send_task *task, union doca_data task_data,
                 union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    if (doca_task_get_status(doca_cc_send_task_as_task(task)) == DOCA_SUCCESS)
        rig.num_sent++;
    else
        rig.num_failed++;
    doca_task_free(doca_cc_send_task_as_task(task));
}

static void received_at_server(struct doca_cc_event_msg_recv *event, uint8_t *recv_buffer,
                               size_t msg_len, struct doca_cc_connection *connection)
{
    struct doca_cc_send_task *task;

    CHECK(event != NULL && connection == rig.of_server);
    rig.len_at_server += msg_len;
    memcpy(rig.text, recv_buffer, msg_len);
    CHECK_OK(doca_cc_server_send_task_alloc_init(doca_cc_server_get_server_ctx(connection),
                                                 connection, rig.text, msg_len, &task));
    CHECK_OK(doca_task_submit(doca_cc_send_task_as_task(task)));
}

static void received_at_client(struct doca_cc_event_msg_recv *event, uint8_t *recv_buffer,
                               size_t msg_len, struct doca_cc_connection *connection)
{
    CHECK(event != NULL && connection == rig.of_client);
    CHECK_MEM(recv_buffer, rig.text, msg_len);
    rig.len_at_client += msg_len;
}

static void received_by_another(struct doca_comch_event_msg_recv *event, uint8_t *recv_buffer,
                                uint32_t msg_len, struct doca_comch_connection *connection)
{
    (void)event;
    (void)recv_buffer;
    (void)msg_len;
    (void)connection;
    rig.num_replaced++;
}

static void connected(struct doca_cc_event_connection_status_changed *event,
                      struct doca_cc_connection *connection, bool change_successful)
{
    CHECK(event != NULL && change_successful);
    rig.of_server = connection;
    rig.num_connected++;
}

static void disconnected(struct doca_cc_event_connection_status_changed *event,
                         struct doca_cc_connection *connection, bool change_successful)
{
    CHECK(event != NULL && connection == rig.of_server && change_successful);
    rig.num_disconnected++;
}

static void consumer_new(struct doca_cc_event_consumer *event,
                         struct doca_cc_connection *connection, uint32_t id)
{
    CHECK(event != NULL && connection == rig.of_client);
    rig.consumer_id = id;
}

static void consumer_expired(struct doca_cc_event_consumer *event,
                             struct doca_cc_connection *connection, uint32_t id)
{
    CHECK(event != NULL && connection == rig.of_client && id == rig.consumer_id);
    rig.consumer_id = 0;
}

/* ---- the two sides */

/* Open the first device of a side; the list has one. */
static struct doca_dev *open_device(enum doca_core_side side)
{
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint32_t num;

    CHECK_OK(doca_core_sw_set_side(side));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_EQ(num, 1);
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

static void open_devices(void)
{
    struct doca_devinfo_rep **list;
    uint32_t num;

    memset(&rig, 0, sizeof(rig));
    CHECK_OK(doca_core_sw_set_topology("03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0"));
    rig.dpu = open_device(DOCA_CORE_SIDE_DPU);
    rig.host = open_device(DOCA_CORE_SIDE_HOST);
    CHECK_OK(doca_devinfo_rep_create_list(rig.dpu, DOCA_DEVINFO_REP_FILTER_NET, &list, &num));
    CHECK_EQ(num, 1);
    CHECK_OK(doca_dev_rep_open(list[0], &rig.rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
}

static void close_devices(void)
{
    CHECK_OK(doca_dev_rep_close(rig.rep));
    CHECK_OK(doca_dev_close(rig.dpu));
    CHECK_OK(doca_dev_close(rig.host));
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_BOTH));
    CHECK_OK(doca_core_sw_set_topology(NULL));
}

static enum doca_ctx_states state_of(struct doca_ctx *ctx)
{
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;

    CHECK_OK(doca_ctx_get_state(ctx, &state));
    return state;
}

/* Progress until the condition holds. */
#define UNTIL(condition)                                                                           \
    do {                                                                                           \
        unsigned turns = 0;                                                                        \
        while (!(condition)) {                                                                     \
            (void)doca_pe_progress(rig.pe);                                                        \
            CHECK(++turns < TURNS);                                                                \
        }                                                                                          \
    } while (0)

static void create_both(void)
{
    open_devices();
    CHECK_OK(doca_pe_create(&rig.pe));
    CHECK_OK(doca_cc_server_create(rig.dpu, rig.rep, "of 2.5", &rig.server));
    CHECK_OK(doca_cc_server_send_task_set_conf(rig.server, sent, sent, 4));
    CHECK_OK(doca_cc_server_event_msg_recv_register(rig.server, received_at_server));
    CHECK_OK(doca_cc_server_event_connection_register(rig.server, connected, disconnected));
    CHECK_OK(doca_pe_connect_ctx(rig.pe, doca_cc_server_as_ctx(rig.server)));
    CHECK_OK(doca_cc_client_create(rig.host, "of 2.5", &rig.client));
    CHECK_OK(doca_cc_client_send_task_set_conf(rig.client, sent, sent, 2));
    CHECK_OK(doca_cc_client_event_msg_recv_register(rig.client, received_at_client));
    CHECK_OK(doca_cc_client_event_consumer_register(rig.client, consumer_new, consumer_expired));
    CHECK_OK(doca_pe_connect_ctx(rig.pe, doca_cc_client_as_ctx(rig.client)));
}

static void connect_both(void)
{
    CHECK_OK(doca_ctx_start(doca_cc_server_as_ctx(rig.server)));
    CHECK_RC(doca_ctx_start(doca_cc_client_as_ctx(rig.client)), DOCA_ERROR_IN_PROGRESS);
    UNTIL(rig.num_connected == 1 &&
          state_of(doca_cc_client_as_ctx(rig.client)) == DOCA_CTX_STATE_RUNNING);
    CHECK_OK(doca_cc_client_get_connection(rig.client, &rig.of_client));
}

/* Stop a context, and progress until it is idle. */
static void stop(struct doca_ctx *ctx)
{
    doca_error_t rc = doca_ctx_stop(ctx);

    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    UNTIL(state_of(ctx) == DOCA_CTX_STATE_IDLE);
}

static void destroy_both(void)
{
    stop(doca_cc_client_as_ctx(rig.client));
    UNTIL(rig.num_disconnected == rig.num_connected);
    stop(doca_cc_server_as_ctx(rig.server));
    CHECK_OK(doca_cc_client_destroy(rig.client));
    CHECK_OK(doca_cc_server_destroy(rig.server));
    CHECK_OK(doca_pe_destroy(rig.pe));
    close_devices();
}

/* ---- cases */

static void callbacks_get_the_types_of_25(void)
{
    struct doca_cc_send_task *task;
    uint64_t messages = 0;

    create_both();
    connect_both();
    CHECK_OK(doca_cc_client_send_task_alloc_init(rig.client, rig.of_client, "hello", 5, &task));
    CHECK_OK(doca_task_submit(doca_cc_send_task_as_task(task)));
    UNTIL(rig.len_at_client == 5);
    CHECK_EQ(rig.len_at_server, 5);
    UNTIL(rig.num_sent == 2);
    CHECK_EQ(rig.num_failed, 0);
    CHECK_OK(doca_cc_connection_update_info(rig.of_client));
    CHECK_OK(doca_cc_connection_get_counter(rig.of_client, DOCA_CC_COUNTER_RECV_MESSAGES,
                                            &messages));
    CHECK_EQ(messages, 1);
    destroy_both();
    CHECK_EQ(rig.num_disconnected, 1);
}

static void latest_callback_holds(void)
{
    struct doca_cc_send_task *task;

    create_both();
    CHECK_OK(doca_comch_server_event_msg_recv_register(rig.server, received_by_another));
    CHECK_OK(doca_comch_client_event_msg_recv_register(rig.client, received_by_another));
    CHECK_OK(doca_cc_server_event_msg_recv_register(rig.server, received_at_server));
    CHECK_OK(doca_cc_client_event_msg_recv_register(rig.client, received_at_client));
    CHECK_RC(doca_cc_server_event_msg_recv_register(rig.server, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_cc_client_event_msg_recv_register(rig.client, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_cc_server_event_msg_recv_register(NULL, received_at_server),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_cc_server_event_connection_register(rig.server, NULL, disconnected),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_cc_server_event_connection_register(rig.server, connected, NULL),
             DOCA_ERROR_INVALID_VALUE);
    connect_both();
    CHECK_RC(doca_cc_server_event_msg_recv_register(rig.server, received_at_server),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_cc_client_event_msg_recv_register(rig.client, received_at_client),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_cc_server_event_connection_register(rig.server, connected, disconnected),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_cc_client_send_task_alloc_init(rig.client, rig.of_client, "again", 5, &task));
    CHECK_OK(doca_task_submit(doca_cc_send_task_as_task(task)));
    UNTIL(rig.len_at_client == 5 && rig.num_sent == 2);
    CHECK_EQ(rig.num_replaced, 0);
    destroy_both();
}

static void number_of_tasks_is_a_logarithm(void)
{
    struct doca_cc_send_task *tasks[4], *fifth;
    size_t i, max = 0;

    create_both();
    CHECK_RC(doca_cc_client_send_task_set_conf(rig.client, sent, sent, 31),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_cc_client_send_task_set_conf(rig.client, sent, sent, 255),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_cc_cap_get_max_send_tasks(doca_dev_as_devinfo(rig.host), &max));
    CHECK(max >= 1024);
    connect_both();
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_cc_client_send_task_alloc_init(rig.client, rig.of_client, "x", 1, &tasks[i]));
    CHECK_RC(doca_cc_client_send_task_alloc_init(rig.client, rig.of_client, "x", 1, &fifth),
             DOCA_ERROR_NO_MEMORY);
    for (i = 0; i < 4; i++)
        doca_task_free(doca_cc_send_task_as_task(tasks[i]));
    CHECK_RC(doca_cc_client_send_task_alloc_init(rig.client, rig.of_client, "x", SIZE_MAX, &fifth),
             DOCA_ERROR_INVALID_VALUE);
    destroy_both();
}

static void sizes_are_those_of_the_current_calls(void)
{
    const struct doca_devinfo *info;
    size_t size = 0, of_list[5];
    uint32_t number = 0;

    create_both();
    info = doca_dev_as_devinfo(rig.host);
    CHECK_OK(doca_cc_cap_get_max_msg_size(info, &of_list[0]));
    CHECK_OK(doca_comch_cap_get_max_msg_size(info, &number));
    CHECK_EQ(of_list[0], number);
    CHECK_OK(doca_cc_cap_get_max_recv_queue_size(info, &of_list[1]));
    CHECK_OK(doca_comch_cap_get_max_recv_queue_size(info, &number));
    CHECK_EQ(of_list[1], number);
    CHECK_OK(doca_cc_cap_get_max_clients(info, &of_list[2]));
    CHECK_OK(doca_comch_cap_get_max_clients(info, &number));
    CHECK_EQ(of_list[2], number);
    CHECK_OK(doca_cc_consumer_cap_get_max_buf_size(info, &of_list[3]));
    CHECK_OK(doca_comch_consumer_cap_get_max_buf_size(info, &number));
    CHECK_EQ(of_list[3], number);
    CHECK_OK(doca_cc_producer_cap_get_max_buf_size(info, &of_list[4]));
    CHECK_OK(doca_comch_producer_cap_get_max_buf_size(info, &number));
    CHECK_EQ(of_list[4], number);
    CHECK_OK(doca_cc_consumer_cap_get_max_log_num_tasks(info, &size));
    CHECK_OK(doca_comch_consumer_cap_get_max_num_tasks(info, &number));
    CHECK(size < 32 && number >> size == 1);
    CHECK_OK(doca_cc_producer_cap_get_max_log_num_tasks(info, &size));
    CHECK_OK(doca_comch_producer_cap_get_max_num_tasks(info, &number));
    CHECK(size < 32 && number >> size == 1);
    CHECK_RC(doca_cc_cap_get_max_msg_size(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_cc_consumer_cap_get_max_log_num_tasks(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_cc_producer_cap_get_max_log_num_tasks(NULL, &size), DOCA_ERROR_INVALID_VALUE);

    CHECK_OK(doca_cc_server_set_max_msg_size(rig.server, 100));
    CHECK_OK(doca_cc_server_get_max_msg_size(rig.server, &size));
    CHECK_EQ(size, 100);
    CHECK_OK(doca_cc_client_set_max_msg_size(rig.client, 200));
    CHECK_OK(doca_cc_client_get_max_msg_size(rig.client, &size));
    CHECK_EQ(size, 200);
    CHECK_OK(doca_cc_server_set_recv_queue_size(rig.server, 10));
    CHECK_OK(doca_cc_server_get_recv_queue_size(rig.server, &size));
    CHECK_EQ(size, 10);
    CHECK_OK(doca_cc_client_set_recv_queue_size(rig.client, 20));
    CHECK_OK(doca_cc_client_get_recv_queue_size(rig.client, &size));
    CHECK_EQ(size, 20);
    CHECK_RC(doca_cc_client_get_recv_queue_size(rig.client, NULL), DOCA_ERROR_INVALID_VALUE);
#if SIZE_MAX > UINT32_MAX
    /* the lower half of the size alone would be valid */
    CHECK_RC(doca_cc_server_set_max_msg_size(rig.server, ((size_t)1 << 32) + 100),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_cc_client_set_recv_queue_size(rig.client, ((size_t)1 << 32) + 10),
             DOCA_ERROR_INVALID_VALUE);
#endif
    destroy_both();
}

static void posted(struct doca_cc_consumer_post_recv_task *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    size_t len = 0;

    (void)task_data;
    (void)ctx_data;
    CHECK_OK(doca_task_get_status(doca_cc_consumer_post_recv_task_as_task(task)));
    CHECK_OK(doca_buf_get_data_len(doca_cc_consumer_post_recv_task_get_buf(task), &len));
    CHECK_EQ(len, 100);
    rig.num_posted++;
    doca_task_free(doca_cc_consumer_post_recv_task_as_task(task));
}

static void produced(struct doca_cc_producer_send_task *task, union doca_data task_data,
                     union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    CHECK_OK(doca_task_get_status(doca_cc_producer_send_task_as_task(task)));
    rig.num_produced++;
    doca_task_free(doca_cc_producer_send_task_as_task(task));
}

/* Send 100 bytes of `src` from the client to a consumer of the server, which writes them to `dst`,
 * with tasks that change their buffer and their consumer before they are submitted. */
static void send_100_bytes(struct doca_cc_consumer *consumer, struct doca_cc_producer *producer,
                           struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_cc_consumer_post_recv_task *post;
    struct doca_cc_producer_send_task *send;

    CHECK_OK(doca_cc_consumer_post_recv_task_alloc_init(consumer, NULL, &post));
    doca_cc_consumer_post_recv_task_set_buf(post, dst);
    CHECK_PTR(doca_cc_consumer_post_recv_task_get_buf(post), dst);
    CHECK_OK(doca_task_submit(doca_cc_consumer_post_recv_task_as_task(post)));
    CHECK_OK(doca_cc_producer_send_task_alloc_init(producer, src, 7, &send));
    CHECK_EQ(doca_cc_producer_send_task_get_consumer_id(send), 7);
    doca_cc_producer_send_task_set_consumer_id(send, (int)rig.consumer_id);
    CHECK_EQ(doca_cc_producer_send_task_get_consumer_id(send), (int)rig.consumer_id);
    doca_cc_producer_send_task_set_buf(send, src);
    CHECK_PTR(doca_cc_producer_send_task_get_buf(send), src);
    CHECK_OK(doca_task_submit(doca_cc_producer_send_task_as_task(send)));
    UNTIL(rig.num_posted == 1 && rig.num_produced == 1);
}

/* Start a consumer at the server and a producer at the client, and transfer. */
static void transfer(struct doca_mmap *mmap, struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_cc_consumer *consumer;
    struct doca_cc_producer *producer;
    uint32_t id = 0;

    CHECK_OK(doca_cc_cap_is_consumer_supported(doca_dev_as_devinfo(rig.dpu)));
    CHECK_OK(doca_cc_cap_is_producer_supported(doca_dev_as_devinfo(rig.host)));
    CHECK_OK(doca_cc_consumer_create(rig.of_server, mmap, &consumer));
    CHECK_OK(doca_cc_producer_create(rig.of_client, &producer));
    CHECK_RC(doca_cc_consumer_post_recv_task_set_conf(consumer, posted, posted, 64),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_cc_producer_send_task_set_conf(producer, produced, produced, SIZE_MAX),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_cc_consumer_post_recv_task_set_conf(consumer, posted, posted, 3));
    CHECK_OK(doca_cc_producer_send_task_set_conf(producer, produced, produced, 3));
    CHECK_OK(doca_pe_connect_ctx(rig.pe, doca_cc_consumer_as_ctx(consumer)));
    CHECK_OK(doca_pe_connect_ctx(rig.pe, doca_cc_producer_as_ctx(producer)));
    CHECK_RC(doca_ctx_start(doca_cc_consumer_as_ctx(consumer)), DOCA_ERROR_IN_PROGRESS);
    CHECK_OK(doca_ctx_start(doca_cc_producer_as_ctx(producer)));
    UNTIL(state_of(doca_cc_consumer_as_ctx(consumer)) == DOCA_CTX_STATE_RUNNING &&
          rig.consumer_id != 0);
    CHECK_OK(doca_cc_consumer_get_id(consumer, &id));
    CHECK_EQ(id, rig.consumer_id);
    send_100_bytes(consumer, producer, src, dst);
    stop(doca_cc_consumer_as_ctx(consumer));
    stop(doca_cc_producer_as_ctx(producer));
    CHECK_OK(doca_cc_consumer_destroy(consumer));
    CHECK_OK(doca_cc_producer_destroy(producer));
    UNTIL(rig.consumer_id == 0);
}

static void buffers_travel_by_the_calls_of_25(void)
{
    static unsigned char memory[2 * BYTES];
    struct doca_buf_inventory *inventory;
    struct doca_mmap *mmap;
    struct doca_buf *src, *dst;
    unsigned i;

    create_both();
    connect_both();
    for (i = 0; i < sizeof(memory); i++)
        memory[i] = (unsigned char)(i % 251);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, rig.dpu));
    CHECK_OK(doca_mmap_add_dev(mmap, rig.host));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_inventory_create(2, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 100, &src));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + BYTES, BYTES, &dst));
    transfer(mmap, src, dst);
    CHECK_MEM(memory + BYTES, memory, 100);
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
    destroy_both();
}

static const struct test_case cases[] = {
    CASE(callbacks_get_the_types_of_25, ""),
    CASE(latest_callback_holds, ""),
    CASE(number_of_tasks_is_a_logarithm, ""),
    CASE(sizes_are_those_of_the_current_calls, ""),
    CASE(buffers_travel_by_the_calls_of_25, ""),
};

TEST_MAIN(cases)

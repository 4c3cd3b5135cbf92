/* Endpoints of the Comm Channel of DOCA 2.0 to 2.8 (doca_comm_channel.h): settings, wrong calls,
 * connections that cannot be made, and memory. Both sides are in one thread. */
#include "comm_end.h"

#include <sys/resource.h>

#define IS_NULL(call) REFUSED(call, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT)

static void limits_are_those_of_comch(void)
{
    struct doca_dev *dpu = comm_open_dev(COMM_DPU), *host = comm_open_dev(COMM_HOST);
    struct doca_devinfo *info = doca_dev_as_devinfo(dpu), *of_host = doca_dev_as_devinfo(host);
    uint32_t value = 0, other = 0;

    CHECK_OK(doca_comm_channel_get_max_service_name_len(&value));
    CHECK_EQ(value, 120);
    CHECK_OK(doca_comm_channel_get_max_message_size(info, &value));
    CHECK_EQ(value, 4080);
    CHECK_OK(doca_comm_channel_get_max_send_queue_size(info, &value));
    CHECK_OK(doca_comch_cap_get_max_send_tasks(info, &other));
    CHECK_EQ(value, other);
    CHECK_OK(doca_comm_channel_get_max_recv_queue_size(info, &value));
    CHECK_OK(doca_comch_cap_get_max_recv_queue_size(info, &other));
    CHECK_EQ(value, other);
    CHECK_OK(doca_comm_channel_get_service_max_num_connections(info, &value));
    CHECK_OK(doca_comch_cap_get_max_clients(info, &other));
    CHECK_EQ(value, other);
    REFUSED(doca_comm_channel_get_service_max_num_connections(of_host, &value),
            DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMCH_NOT_SERVER);
    IS_NULL(doca_comm_channel_get_max_service_name_len(NULL));
    IS_NULL(doca_comm_channel_get_max_message_size(NULL, &value));
    IS_NULL(doca_comm_channel_get_max_message_size(info, NULL));
    IS_NULL(doca_comm_channel_get_max_send_queue_size(NULL, &value));
    IS_NULL(doca_comm_channel_get_max_send_queue_size(info, NULL));
    IS_NULL(doca_comm_channel_get_max_recv_queue_size(NULL, &value));
    IS_NULL(doca_comm_channel_get_max_recv_queue_size(info, NULL));
    IS_NULL(doca_comm_channel_get_service_max_num_connections(NULL, &value));
    IS_NULL(doca_comm_channel_get_service_max_num_connections(info, NULL));
    CHECK_OK(doca_dev_close(dpu));
    CHECK_OK(doca_dev_close(host));
}

static void settings_are_kept_and_raised(void)
{
    static const struct {
        uint16_t set, msg, queue;
    } values[] = { { 1, 64, 16 }, { 64, 64, 64 }, { 65, 65, 128 }, { 4080, 4080, 4096 } };
    struct doca_comm_channel_ep_t *ep;
    struct doca_dev *dev = comm_open_dev(COMM_DPU), *got = dev;
    struct doca_dev_rep *rep = comm_open_rep(dev, COMM_HOST), *got_rep = rep;
    uint16_t value;
    size_t i;

    CHECK_OK(doca_comm_channel_ep_create(&ep));
    CHECK_OK(doca_comm_channel_ep_get_device(ep, &got));
    CHECK_OK(doca_comm_channel_ep_get_device_rep(ep, &got_rep));
    CHECK(got == NULL && got_rep == NULL);
    CHECK_OK(doca_comm_channel_ep_set_device(ep, dev));
    CHECK_OK(doca_comm_channel_ep_set_device_rep(ep, rep));
    CHECK_OK(doca_comm_channel_ep_get_device(ep, &got));
    CHECK_OK(doca_comm_channel_ep_get_device_rep(ep, &got_rep));
    CHECK(got == dev && got_rep == rep);
    CHECK_OK(doca_comm_channel_ep_get_max_msg_size(ep, &value));
    CHECK_EQ(value, 4080);
    for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        CHECK_OK(doca_comm_channel_ep_set_max_msg_size(ep, values[i].set));
        CHECK_OK(doca_comm_channel_ep_get_max_msg_size(ep, &value));
        CHECK_EQ(value, values[i].msg);
        CHECK_OK(doca_comm_channel_ep_set_send_queue_size(ep, values[i].set));
        CHECK_OK(doca_comm_channel_ep_get_send_queue_size(ep, &value));
        CHECK_EQ(value, values[i].queue);
        CHECK_OK(doca_comm_channel_ep_set_recv_queue_size(ep, values[i].set));
        CHECK_OK(doca_comm_channel_ep_get_recv_queue_size(ep, &value));
        CHECK_EQ(value, values[i].queue);
    }
    REFUSED(doca_comm_channel_ep_set_max_msg_size(ep, 4081), DOCA_ERROR_INVALID_VALUE,
            DOCA_CORE_ITEM_COMCH_LIMIT);
    REFUSED(doca_comm_channel_ep_set_send_queue_size(ep, 8193), DOCA_ERROR_INVALID_VALUE,
            DOCA_CORE_ITEM_COMCH_LIMIT);
    REFUSED(doca_comm_channel_ep_set_recv_queue_size(ep, 0), DOCA_ERROR_INVALID_VALUE,
            DOCA_CORE_ITEM_COMCH_LIMIT);
    CHECK_OK(doca_comm_channel_ep_get_recv_queue_size(ep, &value));
    CHECK_EQ(value, 4096);
    CHECK_OK(doca_comm_channel_ep_destroy(ep));
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
}

static void null_arguments_are_named(void)
{
    struct doca_comm_channel_ep_t *ep, *none = NULL;
    struct doca_comm_channel_addr_t *peer, **peers;
    struct doca_dev_rep *rep;
    struct doca_dev *dev;
    uint16_t size;
    uint32_t num;
    size_t len = 1;
    char byte = 0;
    int fd;

    IS_NULL(doca_comm_channel_ep_create(NULL));
    IS_NULL(doca_core_comm_channel_ep_create_in(NULL, &ep));
    CHECK_OK(doca_comm_channel_ep_create(&ep));
    IS_NULL(doca_comm_channel_ep_get_device(none, &dev));
    IS_NULL(doca_comm_channel_ep_get_device(ep, NULL));
    IS_NULL(doca_comm_channel_ep_get_device_rep(none, &rep));
    IS_NULL(doca_comm_channel_ep_get_device_rep(ep, NULL));
    IS_NULL(doca_comm_channel_ep_get_max_msg_size(none, &size));
    IS_NULL(doca_comm_channel_ep_get_max_msg_size(ep, NULL));
    IS_NULL(doca_comm_channel_ep_get_send_queue_size(none, &size));
    IS_NULL(doca_comm_channel_ep_get_send_queue_size(ep, NULL));
    IS_NULL(doca_comm_channel_ep_get_recv_queue_size(none, &size));
    IS_NULL(doca_comm_channel_ep_get_recv_queue_size(ep, NULL));
    IS_NULL(doca_comm_channel_ep_set_device(ep, NULL));
    IS_NULL(doca_comm_channel_ep_set_device(none, NULL));
    IS_NULL(doca_comm_channel_ep_set_device_rep(ep, NULL));
    IS_NULL(doca_comm_channel_ep_set_max_msg_size(none, 64));
    IS_NULL(doca_comm_channel_ep_set_send_queue_size(none, 64));
    IS_NULL(doca_comm_channel_ep_set_recv_queue_size(none, 64));
    IS_NULL(doca_comm_channel_ep_get_event_channel(none, &fd, &fd));
    IS_NULL(doca_comm_channel_ep_get_event_channel(ep, NULL, NULL));
    IS_NULL(doca_comm_channel_ep_get_service_event_channel(none, &fd));
    IS_NULL(doca_comm_channel_ep_get_service_event_channel(ep, NULL));
    IS_NULL(doca_comm_channel_ep_event_handle_arm_send(none));
    IS_NULL(doca_comm_channel_ep_event_handle_arm_recv(none));
    IS_NULL(doca_comm_channel_ep_listen(none, "name"));
    IS_NULL(doca_comm_channel_ep_listen(ep, NULL));
    IS_NULL(doca_comm_channel_ep_connect(none, "name", &peer));
    IS_NULL(doca_comm_channel_ep_connect(ep, "name", NULL));
    IS_NULL(doca_comm_channel_ep_sendto(none, &byte, 1, 0, NULL));
    IS_NULL(doca_comm_channel_ep_sendto(ep, NULL, 1, 0, NULL));
    IS_NULL(doca_comm_channel_ep_recvfrom(none, &byte, &len, 0, &peer));
    IS_NULL(doca_comm_channel_ep_recvfrom(ep, NULL, &len, 0, &peer));
    IS_NULL(doca_comm_channel_ep_recvfrom(ep, &byte, NULL, 0, &peer));
    IS_NULL(doca_comm_channel_ep_recvfrom(ep, &byte, &len, 0, NULL));
    IS_NULL(doca_comm_channel_ep_disconnect(none, NULL));
    IS_NULL(doca_comm_channel_ep_update_service_state_info(none));
    IS_NULL(doca_comm_channel_ep_get_peer_addr_list(none, &peers, &num));
    IS_NULL(doca_comm_channel_ep_get_peer_addr_list(ep, NULL, &num));
    IS_NULL(doca_comm_channel_ep_get_peer_addr_list(ep, &peers, NULL));
    IS_NULL(doca_comm_channel_ep_get_pending_connections(none, &num));
    IS_NULL(doca_comm_channel_ep_get_pending_connections(ep, NULL));
    REFUSED(doca_comm_channel_ep_destroy(NULL), DOCA_ERROR_NOT_CONNECTED,
            DOCA_CORE_ITEM_COMM_NO_ENDPOINT);
    CHECK_OK(doca_comm_channel_ep_destroy(ep));
#if DOCA_CORE_CHECK >= 1
    CHECK_RC(doca_comm_channel_ep_destroy(ep), DOCA_ERROR_NOT_CONNECTED);
#endif
}

static void null_arguments_of_peers_are_named(void)
{
    struct comm_end service, client;
    const char *name = comm_name();
    uint64_t value;

    comm_pair(&service, &client, name);
    IS_NULL(doca_comm_channel_peer_addr_get_user_data(NULL, &value));
    IS_NULL(doca_comm_channel_peer_addr_get_user_data(client.peer, NULL));
    IS_NULL(doca_comm_channel_peer_addr_set_user_data(NULL, 1));
    IS_NULL(doca_comm_channel_peer_addr_update_info(NULL));
    IS_NULL(doca_comm_channel_peer_addr_get_send_messages(NULL, &value));
    IS_NULL(doca_comm_channel_peer_addr_get_send_messages(client.peer, NULL));
    IS_NULL(doca_comm_channel_peer_addr_get_send_bytes(NULL, &value));
    IS_NULL(doca_comm_channel_peer_addr_get_send_bytes(client.peer, NULL));
    IS_NULL(doca_comm_channel_peer_addr_get_recv_messages(NULL, &value));
    IS_NULL(doca_comm_channel_peer_addr_get_recv_messages(client.peer, NULL));
    IS_NULL(doca_comm_channel_peer_addr_get_recv_bytes(NULL, &value));
    IS_NULL(doca_comm_channel_peer_addr_get_recv_bytes(client.peer, NULL));
    IS_NULL(doca_comm_channel_peer_addr_get_send_in_flight_messages(NULL, &value));
    IS_NULL(doca_comm_channel_peer_addr_get_send_in_flight_messages(client.peer, NULL));
    comm_destroy(&client);
    comm_destroy(&service);
}

static void calls_before_listen_or_connect_are_refused(void)
{
    struct doca_comm_channel_addr_t *peer, **peers;
    struct comm_end e;
    uint32_t num;
    char byte = 0;
    size_t len = 1;
    int fd;

    comm_create(&e, true);
    REFUSED(doca_comm_channel_ep_get_event_channel(e.ep, &fd, NULL), DOCA_ERROR_BAD_STATE,
            DOCA_CORE_ITEM_COMM_IDLE);
    REFUSED(doca_comm_channel_ep_get_service_event_channel(e.ep, &fd), DOCA_ERROR_BAD_STATE,
            DOCA_CORE_ITEM_COMM_IDLE);
    REFUSED(doca_comm_channel_ep_recvfrom(e.ep, &byte, &len, 0, &peer), DOCA_ERROR_NOT_CONNECTED,
            DOCA_CORE_ITEM_COMM_IDLE);
    REFUSED(doca_comm_channel_ep_sendto(e.ep, &byte, 1, 0, NULL), DOCA_ERROR_NOT_CONNECTED,
            DOCA_CORE_ITEM_COMM_NO_PEER);
    REFUSED(doca_comm_channel_ep_disconnect(e.ep, NULL), DOCA_ERROR_NOT_CONNECTED,
            DOCA_CORE_ITEM_COMM_NO_PEER);
    REFUSED(doca_comm_channel_ep_update_service_state_info(e.ep), DOCA_ERROR_NOT_SUPPORTED,
            DOCA_CORE_ITEM_COMM_NOT_SERVICE);
    REFUSED(doca_comm_channel_ep_get_peer_addr_list(e.ep, &peers, &num), DOCA_ERROR_NOT_SUPPORTED,
            DOCA_CORE_ITEM_COMM_NOT_SERVICE);
    REFUSED(doca_comm_channel_ep_get_pending_connections(e.ep, &num), DOCA_ERROR_NOT_SUPPORTED,
            DOCA_CORE_ITEM_COMM_NOT_SERVICE);
    CHECK_OK(doca_comm_channel_ep_event_handle_arm_send(e.ep));
    CHECK_OK(doca_comm_channel_ep_event_handle_arm_recv(e.ep));
    comm_destroy(&e);
}

static void listen_and_connect_need_device_and_name(void)
{
    static char long_name[121];
    struct doca_comm_channel_addr_t *peer = NULL;
    struct doca_comm_channel_ep_t *ep;
    struct comm_end service, client;

    memset(long_name, 'n', sizeof(long_name) - 1);
    comm_create(&service, true);
    comm_create(&client, false);
    CHECK_OK(doca_comm_channel_ep_create(&ep));
    REFUSED(doca_comm_channel_ep_listen(ep, "n"), DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_COMM_NO_DEV);
    REFUSED(doca_comm_channel_ep_connect(ep, "n", &peer), DOCA_ERROR_BAD_STATE,
            DOCA_CORE_ITEM_COMM_NO_DEV);
    CHECK_OK(doca_comm_channel_ep_set_device(ep, service.dev));
    REFUSED(doca_comm_channel_ep_listen(ep, "n"), DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_COMM_NO_REP);
    REFUSED(doca_comm_channel_ep_connect(ep, "n", &peer), DOCA_ERROR_NOT_SUPPORTED,
            DOCA_CORE_ITEM_COMCH_NOT_CLIENT);
    CHECK_OK(doca_comm_channel_ep_set_device(ep, client.dev));
    CHECK_OK(doca_comm_channel_ep_set_device_rep(ep, service.rep));
    REFUSED(doca_comm_channel_ep_listen(ep, "n"), DOCA_ERROR_NOT_SUPPORTED,
            DOCA_CORE_ITEM_COMCH_NOT_SERVER);
    CHECK_OK(doca_comm_channel_ep_destroy(ep));
    REFUSED(doca_comm_channel_ep_listen(service.ep, long_name), DOCA_ERROR_INVALID_VALUE,
            DOCA_CORE_ITEM_COMCH_NAME);
    REFUSED(doca_comm_channel_ep_connect(client.ep, "", &peer), DOCA_ERROR_INVALID_VALUE,
            DOCA_CORE_ITEM_COMCH_NAME);
    CHECK(peer == NULL);
    comm_destroy(&service);
    comm_destroy(&client);
}

static void connect_without_a_service_is_aborted(void)
{
    struct doca_comm_channel_addr_t *peer = NULL;
    struct comm_end client;
    const char *name = comm_name();
    unsigned i;

    comm_create(&client, false);
    doca_core_log_set_level(DOCA_CORE_LOG_WARNING); /* no line about the start in progress */
    for (i = 0; i < 3; i++)
        REFUSED(doca_comm_channel_ep_connect(client.ep, name, &peer), DOCA_ERROR_CONNECTION_ABORTED,
                DOCA_CORE_ITEM_COMCH_NO_SERVER);
    CHECK(strstr(doca_core_last_error(), "doca_comm_channel_ep_connect") != NULL);
    CHECK(peer == NULL);
    CHECK_OK(doca_comm_channel_ep_set_max_msg_size(client.ep, 100)); /* it is idle */
    comm_destroy(&client);
}

static void a_name_has_one_service(void)
{
    struct comm_end first, second;
    const char *name = comm_name();

    comm_create(&first, true);
    comm_create(&second, true);
    CHECK_OK(doca_comm_channel_ep_listen(first.ep, name));
    REFUSED(doca_comm_channel_ep_listen(second.ep, name), DOCA_ERROR_CONNECTION_ABORTED,
            DOCA_CORE_ITEM_COMCH_NAME_TAKEN);
    REFUSED(doca_comm_channel_ep_listen(first.ep, name), DOCA_ERROR_NOT_PERMITTED,
            DOCA_CORE_ITEM_COMM_BUSY);
    comm_destroy(&first);
    CHECK_OK(doca_comm_channel_ep_listen(second.ep, name));
    comm_destroy(&second);
}

static void settings_are_fixed_while_connected(void)
{
    struct comm_end service, client;
    struct doca_comm_channel_addr_t *peer = NULL;
    const char *name = comm_name();
    int fd;

    comm_pair(&service, &client, name);
    REFUSED(doca_comm_channel_ep_set_device(service.ep, service.dev), DOCA_ERROR_BAD_STATE,
            DOCA_CORE_ITEM_COMM_BUSY);
    REFUSED(doca_comm_channel_ep_set_device_rep(service.ep, service.rep), DOCA_ERROR_BAD_STATE,
            DOCA_CORE_ITEM_COMM_BUSY);
    REFUSED(doca_comm_channel_ep_set_max_msg_size(client.ep, 64), DOCA_ERROR_BAD_STATE,
            DOCA_CORE_ITEM_COMM_BUSY);
    REFUSED(doca_comm_channel_ep_set_send_queue_size(client.ep, 64), DOCA_ERROR_BAD_STATE,
            DOCA_CORE_ITEM_COMM_BUSY);
    REFUSED(doca_comm_channel_ep_set_recv_queue_size(client.ep, 64), DOCA_ERROR_BAD_STATE,
            DOCA_CORE_ITEM_COMM_BUSY);
    REFUSED(doca_comm_channel_ep_connect(client.ep, name, &peer), DOCA_ERROR_NOT_PERMITTED,
            DOCA_CORE_ITEM_COMM_BUSY);
    REFUSED(doca_comm_channel_ep_get_service_event_channel(client.ep, &fd),
            DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_COMM_NOT_SERVICE);
    REFUSED(doca_comm_channel_ep_update_service_state_info(client.ep), DOCA_ERROR_NOT_SUPPORTED,
            DOCA_CORE_ITEM_COMM_NOT_SERVICE);
    comm_destroy(&client);
    comm_destroy(&service);
}

static void a_full_service_refuses_a_client(void)
{
    static struct comm_end clients[DOCA_CORE_COMCH_MAX_CLIENTS];
    struct comm_end service, late;
    const char *name = comm_name();
    doca_error_t rc;
    unsigned i;

    comm_create(&service, true);
    comm_create(&late, false);
    CHECK_OK(doca_comm_channel_ep_listen(service.ep, name));
    for (i = 0; i < DOCA_CORE_COMCH_MAX_CLIENTS; i++) {
        comm_create(&clients[i], false);
        comm_connect(&clients[i], &service, name);
        CHECK_OK(comm_send(&clients[i], clients[i].peer, "hello"));
        comm_expect(&service, "hello");
    }
    CHECK_OK(doca_comm_channel_ep_connect(late.ep, name, &late.peer));
    COMM_UNTIL((rc = doca_comm_channel_peer_addr_update_info(late.peer)) !=
                   DOCA_ERROR_CONNECTION_INPROGRESS,
               CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN));
    CHECK_RC(rc, DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_OK(doca_comm_channel_ep_disconnect(late.ep, late.peer));
    /* a client has gone, but its peer at the service still has a handle */
    CHECK_OK(doca_comm_channel_ep_disconnect(clients[i - 1].ep, clients[i - 1].peer));
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
    CHECK_OK(doca_comm_channel_ep_connect(late.ep, name, &late.peer));
    COMM_UNTIL(doca_comm_channel_peer_addr_update_info(late.peer) == DOCA_ERROR_CONNECTION_ABORTED,
               CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN));
    CHECK_OK(doca_comm_channel_ep_disconnect(late.ep, late.peer));
    CHECK_OK(doca_comm_channel_ep_disconnect(service.ep, service.from));
    comm_connect(&late, &service, name);
    for (i = 0; i < DOCA_CORE_COMCH_MAX_CLIENTS; i++)
        comm_destroy(&clients[i]);
    comm_destroy(&late);
    comm_destroy(&service);
}

/* An arena of the computed size is enough for an endpoint, and is empty after the destroy. */
static void an_endpoint_needs_no_more_than_its_size(void)
{
    static DOCA_CORE_ALIGNED unsigned char memory[2][1 << 20];
    struct doca_core_arena arenas[2];
    struct comm_end ends[2];
    const char *name = comm_name();
    size_t bytes, used;
    unsigned i, round;

    for (i = 0; i < 2; i++) {
        memset(&ends[i], 0, sizeof(ends[i]));
        ends[i].dev = comm_open_dev(i == 0 ? COMM_DPU : COMM_HOST);
        ends[i].rep = i == 0 ? comm_open_rep(ends[i].dev, COMM_HOST) : NULL;
        CHECK_OK(doca_core_bytes_comm_channel_ep(ends[i].dev, i == 0, 4080, &bytes));
        CHECK(bytes <= sizeof(memory[i]));
        CHECK_OK(doca_core_arena_init(&arenas[i], memory[i], bytes));
    }
    CHECK_RC(doca_core_bytes_comm_channel_ep(ends[0].dev, true, 4081, &bytes),
             DOCA_ERROR_INVALID_VALUE);
    IS_NULL(doca_core_bytes_comm_channel_ep(ends[0].dev, true, 4080, NULL));
    for (round = 0; round < 100; round++) {
        for (i = 0; i < 2; i++) {
            CHECK_OK(doca_core_comm_channel_ep_create_in(&arenas[i], &ends[i].ep));
            CHECK_OK(doca_comm_channel_ep_set_device(ends[i].ep, ends[i].dev));
        }
        CHECK_OK(doca_comm_channel_ep_set_device_rep(ends[0].ep, ends[0].rep));
        CHECK_OK(doca_comm_channel_ep_listen(ends[0].ep, name));
        comm_connect(&ends[1], &ends[0], name);
        CHECK_OK(comm_send(&ends[1], ends[1].peer, "hello"));
        comm_expect(&ends[0], "hello");
        for (i = 0; i < 2; i++) {
            CHECK_OK(doca_comm_channel_ep_destroy(ends[i].ep));
            doca_core_arena_query(&arenas[i], &used, NULL, NULL);
            CHECK_EQ(used, 0);
        }
    }
    for (i = 0; i < 2; i++) {
        if (ends[i].rep != NULL)
            CHECK_OK(doca_dev_rep_close(ends[i].rep));
        CHECK_OK(doca_dev_close(ends[i].dev));
    }
}

static void an_arena_that_is_too_small_is_no_memory(void)
{
    static DOCA_CORE_ALIGNED unsigned char memory[1 << 20];
    struct doca_dev *dev = comm_open_dev(COMM_DPU);
    struct doca_dev_rep *rep = comm_open_rep(dev, COMM_HOST);
    struct doca_comm_channel_ep_t *ep;
    struct doca_core_arena arena;
    const char *name = comm_name();
    size_t bytes, most, before, used;
    unsigned created = 0, listening = 0;
    doca_error_t rc;

    CHECK_OK(doca_core_bytes_comm_channel_ep(dev, true, 64, &most));
    for (bytes = 4096; bytes <= most; bytes += 4096) {
        CHECK_OK(doca_core_arena_init(&arena, memory, bytes));
        rc = doca_core_comm_channel_ep_create_in(&arena, &ep);
        if (rc == DOCA_SUCCESS) {
            created++;
            doca_core_arena_query(&arena, &before, NULL, NULL);
            CHECK_OK(doca_comm_channel_ep_set_max_msg_size(ep, 64));
            CHECK_OK(doca_comm_channel_ep_set_device(ep, dev));
            CHECK_OK(doca_comm_channel_ep_set_device_rep(ep, rep));
            rc = doca_comm_channel_ep_listen(ep, name);
            listening += rc == DOCA_SUCCESS;
            if (rc != DOCA_SUCCESS) {
                doca_core_arena_query(&arena, &used, NULL, NULL);
                CHECK_EQ(used, before);
            }
            CHECK_OK(doca_comm_channel_ep_destroy(ep));
        }
        if (rc != DOCA_SUCCESS)
            CHECK_RC(rc, DOCA_ERROR_NO_MEMORY);
        doca_core_arena_query(&arena, &used, NULL, NULL);
        CHECK_EQ(used, 0);
    }
    CHECK(created > listening);
    CHECK_OK(doca_dev_rep_close(rep));
    CHECK_OK(doca_dev_close(dev));
}

/* Without descriptors both calls fail, and leave the endpoint as it was. */
static void without_descriptors_an_endpoint_stays_idle(void)
{
    struct rlimit limit, low;
    struct comm_end ends[2], service;
    const char *name = comm_name();
    unsigned i, before, failed[2] = { 0, 0 };
    doca_error_t rc;
    int first;

    comm_create(&service, true);
    CHECK_OK(doca_comm_channel_ep_listen(service.ep, name));
    comm_create(&ends[0], true);
    comm_create(&ends[1], false);
    before = comm_num_descriptors();
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    first = dup(0);
    close(first);
    for (i = 0; i < 2; i++) {
        low = limit;
        low.rlim_cur = (rlim_t)first;
        do {
            CHECK_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
            if (i == 0)
                rc = doca_comm_channel_ep_listen(ends[0].ep, "another name");
            else
                rc = doca_comm_channel_ep_connect(ends[1].ep, name, &ends[1].peer);
            CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
            if (rc == DOCA_SUCCESS)
                break;
            CHECK(rc == DOCA_ERROR_INITIALIZATION ||
                  (i == 1 && rc == DOCA_ERROR_CONNECTION_ABORTED));
            CHECK(strstr(doca_core_last_error(), i == 0 ? "ep_listen" : "ep_connect") != NULL);
            CHECK_OK(doca_comm_channel_ep_set_max_msg_size(ends[i].ep, 100));
            failed[i]++;
        } while (++low.rlim_cur < limit.rlim_cur && failed[i] < 50);
        CHECK_OK(rc);
        CHECK(failed[i] >= 6);
    }
    comm_destroy(&ends[0]);
    comm_destroy(&ends[1]);
    CHECK(comm_num_descriptors() <= before);
    comm_destroy(&service);
}

static void destroy_closes_all_descriptors(void)
{
    struct comm_end service, client;
    const char *name = comm_name();
    unsigned before = comm_num_descriptors();

    comm_pair(&service, &client, name);
    CHECK(comm_num_descriptors() > before);
    comm_destroy(&client);
    comm_destroy(&service);
    CHECK_EQ(comm_num_descriptors(), before);
}

static const struct test_case cases[] = {
    CASE(limits_are_those_of_comch, ""),
    CASE(settings_are_kept_and_raised, ""),
    CASE(null_arguments_are_named, ""),
    CASE(null_arguments_of_peers_are_named, ""),
    CASE(calls_before_listen_or_connect_are_refused, ""),
    CASE(listen_and_connect_need_device_and_name, ""),
    CASE(connect_without_a_service_is_aborted, ""),
    CASE(a_name_has_one_service, ""),
    CASE(settings_are_fixed_while_connected, ""),
    CASE(a_full_service_refuses_a_client, ""),
    CASE(an_endpoint_needs_no_more_than_its_size, ""),
    CASE(an_arena_that_is_too_small_is_no_memory, ""),
    CASE(without_descriptors_an_endpoint_stays_idle, ""),
    CASE(destroy_closes_all_descriptors, ""),
};

TEST_MAIN(cases)

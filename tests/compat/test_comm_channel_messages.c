/* Messages, event channels and peers of the Comm Channel. Both sides are in one thread. */
#include "comm_end.h"

#include <pthread.h>
#include <sys/epoll.h>

enum { MESSAGES = 1000, MANY_CLIENTS = 5 };

static void connect_does_not_wait_for_the_service(void)
{
    struct comm_end service, client;
    const char *name = comm_name();
    unsigned i;

    comm_create(&service, true);
    comm_create(&client, false);
    CHECK_OK(doca_comm_channel_ep_listen(service.ep, name));
    CHECK_OK(doca_comm_channel_ep_connect(client.ep, name, &client.peer));
    for (i = 0; i < 100; i++) {
        CHECK_RC(doca_comm_channel_peer_addr_update_info(client.peer),
                 DOCA_ERROR_CONNECTION_INPROGRESS);
        CHECK_RC(comm_send(&client, client.peer, "early"), DOCA_ERROR_NOT_CONNECTED);
        CHECK_RC(comm_receive(&client), DOCA_ERROR_AGAIN);
    }
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
    CHECK_OK(doca_comm_channel_peer_addr_update_info(client.peer));
    CHECK_OK(comm_send(&client, client.peer, "hello"));
    comm_expect(&service, "hello");
    comm_destroy(&client);
    comm_destroy(&service);
}

static void thousand_messages_travel_both_ways(void)
{
    struct comm_end service, client;
    const char *name = comm_name();
    uint64_t value, bytes = 0;
    char text[32];
    unsigned i;

    comm_pair(&service, &client, name);
    for (i = 0; i < MESSAGES; i++) {
        snprintf(text, sizeof(text), "to the service %u", i);
        bytes += strlen(text) + 1;
        CHECK_OK(comm_send(&client, client.peer, text));
        comm_expect(&service, text);
        snprintf(text, sizeof(text), "to the client %u", i);
        CHECK_OK(comm_send(&service, service.from, text));
        comm_expect(&client, text);
        CHECK_PTR(client.from, client.peer);
    }
    CHECK_OK(doca_comm_channel_peer_addr_get_send_messages(client.peer, &value));
    CHECK_EQ(value, 0); /* the value of the latest update_info */
    CHECK_OK(doca_comm_channel_peer_addr_update_info(client.peer));
    CHECK_OK(doca_comm_channel_peer_addr_update_info(service.from));
    CHECK_OK(doca_comm_channel_peer_addr_get_send_messages(client.peer, &value));
    CHECK_EQ(value, MESSAGES);
    CHECK_OK(doca_comm_channel_peer_addr_get_send_bytes(client.peer, &value));
    CHECK_EQ(value, bytes);
    CHECK_OK(doca_comm_channel_peer_addr_get_recv_messages(client.peer, &value));
    CHECK_EQ(value, MESSAGES);
    CHECK_OK(doca_comm_channel_peer_addr_get_recv_messages(service.from, &value));
    CHECK_EQ(value, MESSAGES);
    CHECK_OK(doca_comm_channel_peer_addr_get_recv_bytes(service.from, &value));
    CHECK_EQ(value, bytes);
    CHECK_OK(doca_comm_channel_peer_addr_get_send_bytes(service.from, &bytes));
    CHECK_OK(doca_comm_channel_peer_addr_get_recv_bytes(client.peer, &value));
    CHECK_EQ(value, bytes);
    CHECK_OK(doca_comm_channel_peer_addr_get_send_in_flight_messages(client.peer, &value));
    CHECK_EQ(value, 0);
    comm_destroy(&client);
    comm_destroy(&service);
}

static void messages_of_each_length_arrive(void)
{
    static char bytes[COMM_ROOM + 1];
    static const size_t lengths[] = { 0, 1, 7, 4079, 4080 };
    struct comm_end service, client;
    const char *name = comm_name();
    size_t i;

    for (i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 7);
    comm_pair(&service, &client, name);
    for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        CHECK_OK(doca_comm_channel_ep_sendto(client.ep, bytes, lengths[i], 0, client.peer));
        COMM_UNTIL(comm_receive(&service) == DOCA_SUCCESS, (void)0);
        CHECK_EQ(service.len, lengths[i]);
        CHECK_MEM(service.text, bytes, lengths[i]);
    }
    REFUSED(doca_comm_channel_ep_sendto(client.ep, bytes, 4081, 0, client.peer),
            DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMCH_TOO_LONG);
    REFUSED(doca_comm_channel_ep_sendto(client.ep, bytes, 1, 1, client.peer),
            DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMM_FLAGS);
    REFUSED(doca_comm_channel_ep_sendto(client.ep, bytes, 1, 0, service.from),
            DOCA_ERROR_NOT_CONNECTED, DOCA_CORE_ITEM_COMM_NO_PEER);
    REFUSED(doca_comm_channel_ep_sendto(client.ep, bytes, 1, 0, NULL), DOCA_ERROR_NOT_CONNECTED,
            DOCA_CORE_ITEM_COMM_NO_PEER);
    comm_destroy(&client);
    comm_destroy(&service);
}

static void the_smaller_message_size_holds(void)
{
    struct comm_end service, client;
    const char *name = comm_name();
    char bytes[101] = "";

    comm_create(&service, true);
    comm_create(&client, false);
    CHECK_OK(doca_comm_channel_ep_set_max_msg_size(service.ep, 100));
    CHECK_OK(doca_comm_channel_ep_listen(service.ep, name));
    comm_connect(&client, &service, name);
    CHECK_OK(doca_comm_channel_ep_sendto(client.ep, bytes, 100, 0, client.peer));
    CHECK_RC(doca_comm_channel_ep_sendto(client.ep, bytes, 101, 0, client.peer),
             DOCA_ERROR_INVALID_VALUE);
    comm_destroy(&client);
    comm_destroy(&service);
}

static void a_message_that_does_not_fit_waits(void)
{
    struct doca_comm_channel_addr_t *from = NULL;
    struct comm_end service, client;
    const char *name = comm_name();
    char room[16] = "";
    size_t len;
    int fd;

    comm_pair(&service, &client, name);
    CHECK_OK(doca_comm_channel_ep_get_event_channel(service.ep, NULL, &fd));
    CHECK_OK(comm_send(&client, client.peer, "sixteen bytes ok"));
    CHECK_OK(comm_send(&client, client.peer, "next"));
    len = sizeof(room);
    REFUSED(doca_comm_channel_ep_recvfrom(service.ep, room, &len, 0, &from),
            DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_COMM_ROOM);
    CHECK_EQ(len, 17);
    CHECK(from == NULL && room[0] == '\0');
    CHECK(comm_is_readable(fd, 0));
    len = sizeof(room);
    CHECK_RC(doca_comm_channel_ep_recvfrom(service.ep, room, &len, 0, &from),
             DOCA_ERROR_INVALID_VALUE);
    comm_expect(&service, "sixteen bytes ok");
    comm_expect(&service, "next");
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
    CHECK(!comm_is_readable(fd, 0));
    /* a message that waits is dropped with its peer */
    CHECK_OK(comm_send(&client, client.peer, "sixteen bytes ok"));
    len = sizeof(room);
    CHECK_RC(doca_comm_channel_ep_recvfrom(service.ep, room, &len, 0, &from),
             DOCA_ERROR_INVALID_VALUE);
    CHECK(comm_is_readable(fd, 0)); /* although the socket is empty */
    CHECK_OK(doca_comm_channel_ep_disconnect(service.ep, service.from));
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
    CHECK(!comm_is_readable(fd, 0));
    comm_destroy(&client);
    comm_destroy(&service);
}

static void sendto_is_again_until_the_peer_receives(void)
{
    static char bytes[2000];
    struct comm_end service, client;
    const char *name = comm_name();
    unsigned sent = 0, received = 0;
    doca_error_t rc;
    int fd;

    comm_pair(&service, &client, name);
    CHECK_OK(doca_comm_channel_ep_get_event_channel(client.ep, &fd, NULL));
    CHECK(comm_is_readable(fd, 0));
    while ((rc = doca_comm_channel_ep_sendto(client.ep, bytes, sizeof(bytes), 0, client.peer)) ==
           DOCA_SUCCESS)
        sent++;
    CHECK_RC(rc, DOCA_ERROR_AGAIN);
    CHECK_RC(comm_send(&client, client.peer, "more"), DOCA_ERROR_AGAIN);
    CHECK(sent >= 10);
    CHECK_OK(doca_comm_channel_ep_event_handle_arm_send(client.ep));
    CHECK(!comm_is_readable(fd, 0));
    while (comm_receive(&service) == DOCA_SUCCESS)
        received++;
    CHECK_EQ(received, sent);
    CHECK(comm_is_readable(fd, COMM_PATIENCE_MS));
    CHECK_OK(comm_send(&client, client.peer, "more"));
    CHECK(comm_is_readable(fd, 0));
    comm_expect(&service, "more");
    /* a broken connection also ends the wait */
    while (doca_comm_channel_ep_sendto(client.ep, bytes, sizeof(bytes), 0, client.peer) ==
           DOCA_SUCCESS)
        ;
    CHECK(!comm_is_readable(fd, 0));
    comm_destroy(&service);
    CHECK(comm_is_readable(fd, 0));
    CHECK_RC(comm_send(&client, client.peer, "more"), DOCA_ERROR_CONNECTION_RESET);
    CHECK_OK(doca_comm_channel_ep_disconnect(client.ep, client.peer));
    comm_destroy(&client);
}

static void a_program_can_sleep_until_a_message_comes(void)
{
    struct comm_end service, client;
    struct epoll_event event = { .events = EPOLLIN }, got;
    const char *name = comm_name();
    int set, of_service, of_client, again;
    unsigned i;

    comm_create(&service, true);
    comm_create(&client, false);
    CHECK_OK(doca_comm_channel_ep_listen(service.ep, name));
    CHECK_OK(doca_comm_channel_ep_get_event_channel(service.ep, NULL, &of_service));
    set = epoll_create1(0);
    CHECK_EQ(epoll_ctl(set, EPOLL_CTL_ADD, of_service, &event), 0);
    CHECK_EQ(epoll_wait(set, &got, 1, 0), 0);
    CHECK_OK(doca_comm_channel_ep_connect(client.ep, name, &client.peer));
    CHECK_OK(doca_comm_channel_ep_get_event_channel(client.ep, NULL, &of_client));
    CHECK(!comm_is_readable(of_client, 0));
    CHECK_EQ(epoll_wait(set, &got, 1, COMM_PATIENCE_MS), 1); /* a client wants to be accepted */
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
    CHECK_EQ(epoll_wait(set, &got, 1, 0), 0); /* recvfrom has done all that there is */
    CHECK(comm_is_readable(of_client, COMM_PATIENCE_MS));
    CHECK_RC(comm_receive(&client), DOCA_ERROR_AGAIN);
    CHECK_OK(doca_comm_channel_peer_addr_update_info(client.peer));
    for (i = 0; i < 100; i++) {
        CHECK(!comm_is_readable(of_client, 0));
        CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
        CHECK_OK(doca_comm_channel_ep_event_handle_arm_recv(service.ep));
        CHECK_EQ(epoll_wait(set, &got, 1, 0), 0);
        CHECK_OK(comm_send(&client, client.peer, "wake up"));
        CHECK_EQ(epoll_wait(set, &got, 1, COMM_PATIENCE_MS), 1);
        CHECK_OK(comm_receive(&service)); /* one call is enough to receive the message */
        CHECK_STR(service.text, "wake up");
    }
    for (i = 0; i < 2000; i++) { /* also after many calls that found nothing */
        CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
        if (i % 150 == 149) {
            CHECK_OK(comm_send(&client, client.peer, "wake up"));
            CHECK_OK(comm_receive(&service));
        }
    }
    comm_destroy(&service);
    CHECK(comm_is_readable(of_client, COMM_PATIENCE_MS));
    CHECK_RC(comm_receive(&client), DOCA_ERROR_CONNECTION_RESET);
    CHECK(comm_is_readable(of_client, 0)); /* until the program disconnects */
    CHECK_OK(doca_comm_channel_ep_disconnect(client.ep, client.peer));
    CHECK(!comm_is_readable(of_client, 0));
    /* the channels of an endpoint stay the same */
    comm_create(&service, true);
    CHECK_OK(doca_comm_channel_ep_listen(service.ep, name));
    comm_connect(&client, &service, name);
    CHECK_OK(doca_comm_channel_ep_get_event_channel(client.ep, NULL, &again));
    CHECK_EQ(again, of_client);
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
    comm_destroy(&client);
    comm_destroy(&service);
    close(set);
}

static void the_service_channel_tells_who_comes_and_goes(void)
{
    struct doca_comm_channel_addr_t **peers, *first;
    struct comm_end service, client;
    const char *name = comm_name();
    uint32_t num;
    int fd;

    comm_create(&service, true);
    comm_create(&client, false);
    CHECK_OK(doca_comm_channel_ep_listen(service.ep, name));
    CHECK_OK(doca_comm_channel_ep_get_service_event_channel(service.ep, &fd));
    CHECK_OK(doca_comm_channel_ep_update_service_state_info(service.ep));
    CHECK(!comm_is_readable(fd, 0));
    CHECK_OK(doca_comm_channel_ep_connect(client.ep, name, &client.peer));
    CHECK(comm_is_readable(fd, COMM_PATIENCE_MS));
    CHECK_OK(doca_comm_channel_ep_update_service_state_info(service.ep));
    CHECK(!comm_is_readable(fd, 0));
    CHECK_OK(doca_comm_channel_ep_get_pending_connections(service.ep, &num));
    CHECK_EQ(num, 1);
    CHECK_OK(doca_comm_channel_ep_get_peer_addr_list(service.ep, &peers, &num));
    CHECK_EQ(num, 0);
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN); /* accepts */
    CHECK(comm_is_readable(fd, 0));
    CHECK_OK(doca_comm_channel_ep_get_pending_connections(service.ep, &num));
    CHECK_EQ(num, 1); /* as of the latest snapshot */
    CHECK_OK(doca_comm_channel_ep_update_service_state_info(service.ep));
    CHECK_OK(doca_comm_channel_ep_get_pending_connections(service.ep, &num));
    CHECK_EQ(num, 0);
    CHECK_OK(doca_comm_channel_ep_get_peer_addr_list(service.ep, &peers, &num));
    CHECK_EQ(num, 1);
    first = peers[0];
    CHECK_OK(doca_comm_channel_peer_addr_update_info(first));
    CHECK_OK(comm_send(&service, first, "found in the list"));
    comm_expect(&client, "found in the list");
    CHECK(!comm_is_readable(fd, 0));
    CHECK_OK(doca_comm_channel_ep_disconnect(client.ep, client.peer));
    CHECK(comm_is_readable(fd, COMM_PATIENCE_MS));
    CHECK_OK(doca_comm_channel_ep_update_service_state_info(service.ep));
    CHECK_OK(doca_comm_channel_ep_get_peer_addr_list(service.ep, &peers, &num));
    CHECK_EQ(num, 0);
    CHECK(!comm_is_readable(fd, 0));
    CHECK_RC(doca_comm_channel_peer_addr_update_info(first), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_RC(comm_send(&service, first, "too late"), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
    CHECK_RC(comm_send(&service, first, "too late"), DOCA_ERROR_CONNECTION_RESET);
    CHECK_OK(doca_comm_channel_ep_disconnect(service.ep, first));
    CHECK_RC(doca_comm_channel_ep_disconnect(service.ep, first), DOCA_ERROR_NOT_CONNECTED);
    comm_destroy(&client);
    comm_destroy(&service);
}

static void several_clients_are_told_apart(void)
{
    struct comm_end service, clients[MANY_CLIENTS];
    const char *name = comm_name();
    char text[32];
    uint64_t value;
    unsigned i, round;

    comm_create(&service, true);
    CHECK_OK(doca_comm_channel_ep_listen(service.ep, name));
    for (i = 0; i < MANY_CLIENTS; i++) {
        comm_create(&clients[i], false);
        comm_connect(&clients[i], &service, name);
    }
    for (round = 0; round < 10; round++)
        for (i = 0; i < MANY_CLIENTS; i++) {
            snprintf(text, sizeof(text), "I am %u", i);
            CHECK_OK(comm_send(&clients[i], clients[i].peer, text));
            comm_expect(&service, text);
            CHECK_OK(doca_comm_channel_peer_addr_get_user_data(service.from, &value));
            CHECK_EQ(value, round == 0 ? 0 : UINT64_MAX - i);
            CHECK_OK(doca_comm_channel_peer_addr_set_user_data(service.from, UINT64_MAX - i));
            snprintf(text, sizeof(text), "you are %u", i);
            CHECK_OK(comm_send(&service, service.from, text));
            comm_expect(&clients[i], text);
        }
    /* one client less; the others do not notice */
    CHECK_OK(doca_comm_channel_ep_disconnect(clients[1].ep, clients[1].peer));
    CHECK_OK(comm_send(&clients[0], clients[0].peer, "still here"));
    comm_expect(&service, "still here");
    CHECK_OK(comm_send(&clients[2], clients[2].peer, "me, too"));
    CHECK_OK(doca_comm_channel_ep_disconnect(service.ep, service.from));
    comm_expect(&service, "me, too"); /* the disconnect drops only the messages of its peer */
    CHECK_RC(comm_receive(&clients[0]), DOCA_ERROR_CONNECTION_RESET);
    for (i = 0; i < MANY_CLIENTS; i++)
        comm_destroy(&clients[i]);
    comm_destroy(&service);
}

static void what_was_sent_before_a_disconnect_arrives(void)
{
    struct comm_end service, client;
    const char *name = comm_name();
    unsigned i, before;

    comm_pair(&service, &client, name);
    CHECK_OK(comm_send(&client, client.peer, "who"));
    comm_expect(&service, "who");
    for (i = 0; i < 20; i++)
        CHECK_OK(comm_send(&service, service.from, "last words"));
    CHECK_OK(comm_send(&client, client.peer, "unread"));
    before = comm_num_descriptors();
    CHECK_OK(doca_comm_channel_ep_disconnect(service.ep, service.from));
    CHECK_EQ(comm_num_descriptors(), before - 1); /* the resources of the peer are gone */
    for (i = 0; i < 20; i++)
        comm_expect(&client, "last words");
    CHECK_RC(comm_receive(&client), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(comm_receive(&client), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(comm_send(&client, client.peer, "hello?"), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_comm_channel_peer_addr_update_info(client.peer), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN); /* "unread" was dropped */
    comm_destroy(&client);
    comm_destroy(&service);
}

static void an_endpoint_connects_again_and_again(void)
{
    struct comm_end service, client;
    struct doca_comm_channel_addr_t *old;
    const char *name = comm_name();
    unsigned i;

    comm_pair(&service, &client, name);
    for (i = 0; i < 150; i++) { /* more than a service has connections */
        CHECK_OK(comm_send(&client, client.peer, "once more"));
        comm_expect(&service, "once more");
        old = client.peer;
        CHECK_OK(doca_comm_channel_ep_disconnect(client.ep, client.peer));
        CHECK_RC(doca_comm_channel_ep_sendto(client.ep, "x", 1, 0, old), DOCA_ERROR_NOT_CONNECTED);
        if (i % 2 == 0) { /* the service handles the end of the connection before it disconnects */
            CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
            CHECK_RC(doca_comm_channel_peer_addr_update_info(service.from),
                     DOCA_ERROR_CONNECTION_ABORTED);
        }
        CHECK_OK(doca_comm_channel_ep_disconnect(service.ep, service.from));
        comm_connect(&client, &service, name);
    }
    /* clients that are never reported to the program leave nothing behind */
    for (i = 0; i < 150; i++) {
        CHECK_OK(doca_comm_channel_ep_disconnect(client.ep, client.peer));
        comm_connect(&client, &service, name);
    }
    comm_destroy(&client);
    comm_destroy(&service);
}

/* A client that two threads use, one for each direction. */
struct shared_client {
    struct comm_end e;
    pthread_mutex_t lock;
    int send_fd, recv_fd;
};

static void *send_all_numbers(void *argument)
{
    struct shared_client *c = (struct shared_client *)argument;
    doca_error_t rc;
    uint32_t i = 0;

    while (i < MESSAGES) {
        pthread_mutex_lock(&c->lock);
        rc = doca_comm_channel_ep_sendto(c->e.ep, &i, sizeof(i), 0, c->e.peer);
        pthread_mutex_unlock(&c->lock);
        if (rc == DOCA_ERROR_AGAIN) {
            CHECK_OK(doca_comm_channel_ep_event_handle_arm_send(c->e.ep));
            CHECK(comm_is_readable(c->send_fd, COMM_PATIENCE_MS));
        } else {
            CHECK_OK(rc);
            i++;
        }
    }
    return NULL;
}

static void *receive_all_numbers(void *argument)
{
    struct shared_client *c = (struct shared_client *)argument;
    uint32_t i = 0, number;
    doca_error_t rc;

    while (i < MESSAGES) {
        pthread_mutex_lock(&c->lock);
        rc = comm_receive(&c->e);
        pthread_mutex_unlock(&c->lock);
        if (rc == DOCA_ERROR_AGAIN) {
            CHECK_OK(doca_comm_channel_ep_event_handle_arm_recv(c->e.ep));
            CHECK(comm_is_readable(c->recv_fd, COMM_PATIENCE_MS));
        } else {
            CHECK_OK(rc);
            CHECK_EQ(c->e.len, sizeof(number));
            memcpy(&number, c->e.text, sizeof(number));
            CHECK_EQ(number, i++);
        }
    }
    return NULL;
}

static void two_threads_share_an_endpoint(void)
{
    static struct shared_client client;
    enum heap_trap_mode mode;
    const char *name = comm_name();
    struct comm_end service;
    pthread_t threads[2];
    unsigned i, received = 0;
    doca_error_t rc;

    comm_pair(&service, &client.e, name);
    doca_core_log_set_level(DOCA_CORE_LOG_WARNING); /* the buffer for log lines has no lock */
    CHECK_EQ(pthread_mutex_init(&client.lock, NULL), 0);
    CHECK_OK(doca_comm_channel_ep_get_event_channel(client.e.ep, &client.send_fd, &client.recv_fd));
    mode = heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&threads[0], NULL, send_all_numbers, &client), 0);
    CHECK_EQ(pthread_create(&threads[1], NULL, receive_all_numbers, &client), 0);
    heap_trap_set(mode);
    while (received < MESSAGES) {
        rc = comm_receive(&service);
        if (rc == DOCA_ERROR_AGAIN)
            continue;
        CHECK_OK(rc);
        received++;
        do {
            rc =
                doca_comm_channel_ep_sendto(service.ep, service.text, service.len, 0, service.from);
        } while (rc == DOCA_ERROR_AGAIN);
        CHECK_OK(rc);
    }
    mode = heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < 2; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    heap_trap_set(mode);
    CHECK_EQ(pthread_mutex_destroy(&client.lock), 0);
    comm_destroy(&client.e);
    comm_destroy(&service);
}

static void comch_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
                           struct doca_comch_connection *connection)
{
    char *text = (char *)doca_comch_connection_get_user_data(connection).ptr;

    (void)event;
    if (text != NULL && len <= COMM_ROOM)
        memcpy(text, bytes, len);
}

static void comch_sent(struct doca_comch_task_send *task, union doca_data task_data,
                       union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    doca_task_free(doca_comch_task_send_as_task(task));
}

static void a_client_of_comch_reaches_a_service(void)
{
    static char text[COMM_ROOM];
    struct doca_dev *dev = comm_open_dev(COMM_HOST);
    struct doca_comch_connection *connection;
    struct doca_comch_client *client;
    struct doca_comch_task_send *task;
    enum doca_ctx_states state;
    struct comm_end service;
    union doca_data data;
    struct doca_ctx *ctx;
    struct doca_pe *pe;
    const char *name = comm_name();

    comm_create(&service, true);
    CHECK_OK(doca_comm_channel_ep_listen(service.ep, name));
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_comch_client_create(dev, name, &client));
    CHECK_OK(doca_comch_client_task_send_set_conf(client, comch_sent, comch_sent, 1));
    CHECK_OK(doca_comch_client_event_msg_recv_register(client, comch_received));
    ctx = doca_comch_client_as_ctx(client);
    CHECK_OK(doca_pe_connect_ctx(pe, ctx));
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_IN_PROGRESS);
    COMM_UNTIL((doca_ctx_get_state(ctx, &state), state == DOCA_CTX_STATE_RUNNING),
               (doca_pe_progress(pe), comm_receive(&service)));
    CHECK_OK(doca_comch_client_get_connection(client, &connection));
    data.ptr = text;
    CHECK_OK(doca_comch_connection_set_user_data(connection, data));
    CHECK_OK(doca_comch_client_task_send_alloc_init(client, connection, "from Comch", 11, &task));
    CHECK_OK(doca_task_submit(doca_comch_task_send_as_task(task)));
    comm_expect(&service, "from Comch");
    CHECK_OK(comm_send(&service, service.from, "to Comch"));
    COMM_UNTIL(strcmp(text, "to Comch") == 0, doca_pe_progress(pe));
    CHECK_OK(doca_comm_channel_ep_disconnect(service.ep, service.from));
    COMM_UNTIL((doca_ctx_get_state(ctx, &state), state == DOCA_CTX_STATE_IDLE),
               doca_pe_progress(pe));
    CHECK_OK(doca_comch_client_destroy(client));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
    comm_destroy(&service);
}

/* ---- injected faults ---- */

/* Two connected endpoints whose devices have fault injection. */
static void faulty_pair(struct comm_end *service, struct comm_end *client)
{
    CHECK_OK(doca_core_fault_set("log=0"));
    comm_pair(service, client, comm_name());
}

static void faulty_end(struct comm_end *service, struct comm_end *client)
{
    CHECK_OK(doca_core_fault_set(NULL));
    comm_destroy(client);
    comm_destroy(service);
}

static void check_fault(uint64_t number, const char *operation, uint64_t nth)
{
    struct doca_core_fault_record record;

    CHECK_EQ(doca_core_fault_get_num(), number);
    CHECK_OK(doca_core_fault_get_record(number, &record));
    CHECK_STR(record.operation, operation);
    CHECK_STR(record.action, "fail");
    CHECK_EQ(record.nth, nth);
}

/* The second message is not sent, then all messages are not sent. Calls that fail for another
 * reason do not count. */
static void sendto_fails_by_a_rule_and_sends_nothing(void)
{
    struct comm_end service, client;
    char bytes[COMM_ROOM + 1] = "";

    faulty_pair(&service, &client);
    CHECK_OK(doca_core_fault_set("comm_channel.sendto=fail:NO_MEMORY@2,log=0"));
    CHECK_OK(comm_send(&client, client.peer, "one"));
    CHECK_RC(doca_comm_channel_ep_sendto(client.ep, bytes, sizeof(bytes), 0, client.peer),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(comm_send(&client, client.peer, "two"), DOCA_ERROR_NO_MEMORY);
    check_fault(1, "comm_channel.sendto", 2);
    CHECK_OK(comm_send(&client, client.peer, "three"));
    comm_expect(&service, "one");
    comm_expect(&service, "three");
    CHECK_OK(doca_core_fault_set("comm_channel.sendto=fail,log=0"));
    CHECK_RC(comm_send(&client, client.peer, "four"), DOCA_ERROR_IO_FAILED);
    CHECK_RC(comm_send(&service, service.from, "five"), DOCA_ERROR_IO_FAILED);
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN);
    CHECK_RC(comm_receive(&client), DOCA_ERROR_AGAIN);
    CHECK_OK(doca_core_fault_set(""));
    CHECK_OK(comm_send(&service, service.from, "six"));
    comm_expect(&client, "six");
    faulty_end(&service, &client);
}

/* A failed recvfrom leaves the message in the endpoint and the memory of the caller unchanged. */
static void recvfrom_fails_by_a_rule_and_keeps_the_message(void)
{
    struct comm_end service, client;
    doca_error_t rc = DOCA_ERROR_AGAIN;

    faulty_pair(&service, &client);
    CHECK_OK(doca_core_fault_set("comm_channel.recvfrom=fail:EMPTY@2,log=0"));
    CHECK_RC(comm_receive(&service), DOCA_ERROR_AGAIN); /* without a message it does not count */
    CHECK_OK(comm_send(&client, client.peer, "one"));
    CHECK_OK(comm_send(&client, client.peer, "two"));
    comm_expect(&service, "one");
    COMM_UNTIL((rc = comm_receive(&service)) != DOCA_ERROR_AGAIN, (void)0);
    CHECK_RC(rc, DOCA_ERROR_EMPTY);
    CHECK_EQ(service.len, sizeof(service.text));
    CHECK_STR(service.text, "one");
    check_fault(1, "comm_channel.recvfrom", 2);
    comm_expect(&service, "two");
    CHECK_OK(doca_core_fault_set("comm_channel.recvfrom=fail,log=0"));
    CHECK_OK(comm_send(&service, service.from, "three"));
    COMM_UNTIL((rc = comm_receive(&client)) != DOCA_ERROR_AGAIN, (void)0);
    CHECK_RC(rc, DOCA_ERROR_IO_FAILED);
    CHECK_RC(comm_receive(&client), DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_core_fault_set("comm_channel.recvfrom=again@1,log=0"));
    CHECK_RC(comm_receive(&client), DOCA_ERROR_AGAIN);
    comm_expect(&client, "three");
    faulty_end(&service, &client);
}

/* A fault rule can make the device of the service fail. Both endpoints then return an error, and
 * both can be destroyed. */
static void sendto_loses_the_device(void)
{
    struct comm_end service, client;
    doca_error_t rc = DOCA_ERROR_AGAIN;

    faulty_pair(&service, &client);
    CHECK_OK(comm_send(&client, client.peer, "one"));
    comm_expect(&service, "one");
    CHECK_OK(doca_core_fault_set("comm_channel.sendto=lose@1,log=0"));
    CHECK_RC(comm_send(&service, service.from, "two"), DOCA_ERROR_DRIVER);
    COMM_UNTIL((rc = comm_receive(&client)) != DOCA_ERROR_AGAIN, (void)comm_receive(&service));
    CHECK_RC(rc, DOCA_ERROR_CONNECTION_RESET);
    faulty_end(&service, &client);
}

static const struct test_case cases[] = {
    CASE(connect_does_not_wait_for_the_service, ""),
    CASE(thousand_messages_travel_both_ways, ""),
    CASE(messages_of_each_length_arrive, ""),
    CASE(the_smaller_message_size_holds, ""),
    CASE(a_message_that_does_not_fit_waits, ""),
    CASE(sendto_is_again_until_the_peer_receives, ""),
    CASE(a_program_can_sleep_until_a_message_comes, ""),
    CASE(the_service_channel_tells_who_comes_and_goes, ""),
    CASE(several_clients_are_told_apart, ""),
    CASE(what_was_sent_before_a_disconnect_arrives, ""),
    CASE(an_endpoint_connects_again_and_again, ""),
    CASE(two_threads_share_an_endpoint, ""),
    CASE(a_client_of_comch_reaches_a_service, ""),
    CASE(sendto_fails_by_a_rule_and_sends_nothing, ""),
    CASE(recvfrom_fails_by_a_rule_and_keeps_the_message, ""),
    CASE(sendto_loses_the_device, ""),
};

TEST_MAIN(cases)

/* DOCA Comch between two processes: requests and answers, the fast path, processes that stop in an
 * orderly way while the other one sends, and processes that are killed at random moments.
 *
 * A child is forked before the parent creates its end, so that it inherits no socket of it.
 * Every child ends at the latest with this program, and every wait has a time limit.
 * DOCA_TEST_KILLS=number sets how many processes are killed in each of the four cases about kills.
 */
#include "comch_traffic.h"

enum {
    REQUESTS = 1000,
    DATA_MESSAGES = 10000,
    KILLS = 50, /* in each of four cases */
    STOPS = 20,
    RESTARTS = 20,
    SIGN_MS = 5000 /* until the end of the other process must be noticed */
};

/* flags that say what a child does */
enum { IS_SERVER = 1, IS_FAST = 2, IS_QUIET = 4 };

static struct traffic traffic;               /* of this process, parent or child */
static struct traffic_counters *counters[2]; /* of the parent, and of the child */
static char service[COMCH_NAME];

static void new_service(void)
{
    unsigned i;

    comch_begin();
    strcpy(service, comch_name());
    for (i = 0; i < 2; i++)
        counters[i] = traffic_share();
}

static void forget_counters(void)
{
    unsigned i;

    for (i = 0; i < 2; i++)
        CHECK_EQ(munmap(counters[i], 4096), 0);
}

static void clear_counters(void)
{
    unsigned i;

    for (i = 0; i < 2; i++)
        memset(counters[i], 0, sizeof(*counters[i]));
}

/* ---- the child ---- */

static void become(enum doca_core_side side)
{
    comch_forget_engines();
    CHECK_OK(doca_core_sw_set_side(side));
}

/* True when the connection of this process has ended. */
static bool has_sign(void)
{
    if (traffic.e.server != NULL)
        return traffic.e.num_disconnects == 1;
    return !comch_is(&traffic.e, DOCA_CTX_STATE_RUNNING) &&
           !comch_is(&traffic.e, DOCA_CTX_STATE_STARTING);
}

/* Send and receive until the parent sends a byte or has left, then stop in an orderly way. A server
 * tells the parent when it is ready; a client waits for the server of the parent. The parent sends
 * two bytes in all. */
static void child(int fd, uint32_t how)
{
    bool is_server = (how & IS_SERVER) != 0;

    become(is_server ? DOCA_CORE_SIDE_DPU : DOCA_CORE_SIDE_HOST);
    if (!is_server)
        wait_for_byte(fd);
    traffic_open(&traffic, is_server, service, (how & IS_FAST) != 0, counters[1]);
    traffic.is_quiet = (how & IS_QUIET) != 0;
    if (is_server)
        comch_start_server(&traffic.e);
    else
        comch_start_client(&traffic.e);
    if (is_server)
        send_byte(fd);
    while (!has_byte(fd) && !has_sign())
        if (!traffic_step(&traffic))
            usleep(20);
    traffic_close(&traffic);
    wait_for_byte(fd);
    wait_for_byte(fd);
}

/* Start a child and the end of the parent that belongs to it. */
static struct peer start_both(uint32_t how)
{
    bool is_server = (how & IS_SERVER) == 0; /* this end */
    struct peer peer;

    clear_counters();
    peer = start_peer(child, how);
    if (!is_server)
        wait_for_byte(peer.fd);
    traffic_open(&traffic, is_server, service, (how & IS_FAST) != 0, counters[0]);
    if (is_server) {
        comch_start_server(&traffic.e);
        send_byte(peer.fd);
    } else {
        comch_start_client(&traffic.e);
    }
    return peer;
}

/* ---- requests and answers ---- */

static void answer(struct comch_end *e, struct doca_comch_connection *c, const unsigned char *msg,
                   uint32_t len)
{
    static unsigned char copies[4][COMCH_MAX_MSG];
    unsigned char *copy = copies[e->num_received % 4];
    uint32_t i;

    for (i = 0; i < len; i++)
        copy[i] = (unsigned char)(msg[i] ^ 0x5a);
    comch_send_to(e, c, copy, len);
}

static void answering_server(int fd, uint32_t unused)
{
    struct comch_end server;

    (void)unused;
    become(DOCA_CORE_SIDE_DPU);
    comch_make_server(&server, COMCH_HOST, service, 4);
    server.on_message = answer;
    comch_start_server(&server);
    send_byte(fd);
    COMCH_WAIT(comch_turn(), has_byte(fd));
    comch_close(&server);
}

static void check_answers(struct comch_end *client)
{
    uint32_t i, k;

    for (i = 0; i < REQUESTS; i++) {
        uint32_t len = i * 97 % (COMCH_MAX_MSG + 1);

        comch_send(client, rig_from + i, len);
        COMCH_UNTIL(client->num_received == i + 1 && client->num_sent == i + 1);
        CHECK_EQ(client->len, len);
        for (k = 0; k < len; k++)
            CHECK_EQ(client->text[k], rig_from[i + k] ^ 0x5a);
    }
}

static void thousand_requests_are_answered(void)
{
    struct comch_end client;
    struct peer peer;
    size_t i;

    for (i = 0; i < RIG_BYTES; i++)
        rig_from[i] = (unsigned char)(i * 31 + (i >> 8) * 7);
    new_service();
    peer = start_peer(answering_server, 0);
    wait_for_byte(peer.fd);
    comch_make_client(&client, COMCH_HOST, service, 4);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client));
    check_answers(&client);
    comch_close(&client);
    end_peer(&peer);
    forget_counters();
}

/* Two clients in two processes have one server. A third client asks for a server that does not
 * exist. */
static void asking_client(int fd, uint32_t unused)
{
    struct comch_end client;

    (void)unused;
    become(DOCA_CORE_SIDE_HOST);
    wait_for_byte(fd);
    comch_make_client(&client, COMCH_HOST, service, 4);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client));
    check_answers(&client);
    comch_close(&client);
}

static void lost_client(int fd, uint32_t unused)
{
    char other[COMCH_NAME + 2];
    struct comch_end client;

    (void)unused;
    become(DOCA_CORE_SIDE_HOST);
    wait_for_byte(fd);
    snprintf(other, sizeof(other), "%sx", service);
    comch_make_client(&client, COMCH_HOST, other, 4);
    comch_start_client(&client);
    COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && client.num_states >= 2);
    CHECK(strchr(client.states, 'R') == NULL);
    comch_destroy(&client);
}

static void two_processes_may_use_one_server(void)
{
    struct comch_end server;
    struct peer peers[3];
    unsigned i;

    new_service();
    for (i = 0; i < 3; i++)
        peers[i] = start_peer(i < 2 ? asking_client : lost_client, 0);
    comch_make_server(&server, COMCH_HOST, service, 16);
    server.on_message = answer;
    comch_start_server(&server);
    for (i = 0; i < 3; i++)
        send_byte(peers[i].fd);
    COMCH_UNTIL(server.num_disconnects == 2);
    CHECK_EQ(server.num_received, 2 * REQUESTS);
    CHECK_EQ(server.num_connects, 2);
    for (i = 0; i < 3; i++)
        end_peer(&peers[i]);
    comch_close(&server);
    forget_counters();
}

/* ---- the fast path, and orderly stops ---- */

/* Keep sending until this end notices that the other process has left. */
static void wait_for_sign(void)
{
    uint64_t end = comch_now_ms() + SIGN_MS;

    while (!has_sign()) {
        if (!traffic_step(&traffic))
            usleep(20);
        CHECK(comch_now_ms() < end);
    }
}

/* Check that all messages whose sends succeeded have arrived, unless the receiver never had its
 * connection. (test_comch_messages.c tests a client that stops while it connects.) */
static void check_counters(const struct traffic_counters *from, const struct traffic_counters *to)
{
    if (!to->has_run)
        return;
    if (to->received < from->sent || to->data_received < from->data_sent)
        test_fail(__FILE__, __LINE__,
                  "%llu messages and %llu buffers are reported as sent, %llu and %llu have arrived",
                  (unsigned long long)from->sent, (unsigned long long)from->data_sent,
                  (unsigned long long)to->received, (unsigned long long)to->data_received);
}

static uint64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void run_for(uint64_t delay_us)
{
    uint64_t end = now_us() + delay_us;

    while (now_us() < end)
        if (!traffic_step(&traffic))
            usleep(20);
}

static bool all_data_is_there(void)
{
    return counters[0]->data_received >= DATA_MESSAGES &&
           counters[1]->data_received >= DATA_MESSAGES;
}

static void ten_thousand_buffers_arrive_in_order(void)
{
    struct peer peer;
    uint32_t role;

    new_service();
    for (role = 0; role <= IS_SERVER; role++) {
        peer = start_both(role | IS_FAST);
        COMCH_WAIT(traffic_step(&traffic), has_sign() || all_data_is_there());
        CHECK(!has_sign());
        send_byte(peer.fd);
        wait_for_sign();
        traffic_close(&traffic);
        send_byte(peer.fd);
        end_peer(&peer);
        check_counters(counters[0], counters[1]);
        check_counters(counters[1], counters[0]);
    }
    forget_counters();
}

/* The child stops at a random moment, while both send. It may not even be connected by then. */
static void orderly_stop_loses_nothing_that_was_sent(void)
{
    struct peer peer;
    unsigned i;

    new_service();
    for (i = 0; i < STOPS * 4; i++) {
        peer = start_both(i % 4);
        if (i % 8 < 4)
            COMCH_WAIT(traffic_step(&traffic), traffic.e.num_conns == 1);
        run_for(rig_random(8000));
        CHECK(!has_sign());
        send_byte(peer.fd);
        if (traffic.e.client != NULL || i % 8 < 4)
            wait_for_sign();
        else
            run_for(100000);
        traffic_close(&traffic);
        send_byte(peer.fd);
        end_peer(&peer);
        check_counters(counters[0], counters[1]);
        check_counters(counters[1], counters[0]);
    }
    forget_counters();
}

/* The parent stops at a random moment. */
static void orderly_stop_of_the_other_side_loses_nothing_either(void)
{
    struct peer peer;
    unsigned i;

    new_service();
    for (i = 0; i < STOPS * 4; i++) {
        peer = start_both(i % 4);
        COMCH_WAIT(traffic_step(&traffic), traffic.e.num_conns == 1);
        run_for(rig_random(8000));
        CHECK(!has_sign());
        traffic_close(&traffic);
        send_byte(peer.fd);
        send_byte(peer.fd);
        end_peer(&peer);
        check_counters(counters[0], counters[1]);
        check_counters(counters[1], counters[0]);
    }
    forget_counters();
}

/* ---- kills ---- */

/* Count how often the client left the state RUNNING. */
static unsigned count_ends(const char *states, unsigned num)
{
    unsigned i, count = 0;

    for (i = 0; i < num; i++)
        count += states[3 * i] == 'R';
    return count;
}

static void kill_once(uint32_t how, uint32_t delay_us)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    uint64_t end = comch_now_ms() + SIGN_MS;
    size_t before = 0, after = 0;
    struct peer peer;

    CHECK_OK(doca_core_arena_query(arena, &before, NULL, NULL));
    peer = start_both(how);
    run_for(delay_us);
    CHECK(!has_sign());
    kill_peer(&peer);
    if (traffic.e.client != NULL || traffic.e.num_connects == 1)
        wait_for_sign();
    comch_settle();
    /* a client that was killed while it connected may give two events, or none */
    while (traffic.e.num_connects != traffic.e.num_disconnects) {
        (void)traffic_step(&traffic);
        CHECK(comch_now_ms() < end);
    }
    CHECK(traffic.e.num_connects <= 1 && traffic.e.num_disconnects <= 1);
    traffic_close(&traffic);
    CHECK(count_ends(traffic.e.states, traffic.e.num_states) <= 1);
    check_counters(counters[1], counters[0]);
    CHECK_OK(doca_core_arena_query(arena, &after, NULL, NULL));
    CHECK_EQ(after, before);
}

static unsigned num_kills(void)
{
    const char *wanted = getenv("DOCA_TEST_KILLS");

    return wanted != NULL ? (unsigned)atoi(wanted) : KILLS;
}

static void check_kills(uint32_t how)
{
    unsigned i, num = num_kills();

    (void)rig_random(2); /* prints the seed */
    new_service();
    for (i = 0; i < num; i++)
        kill_once(how, rig_random(i % 4 == 0 ? 2000 : 15000));
    forget_counters();
}

static void killed_client_gives_one_disconnect_event(void)
{
    check_kills(0);
}

static void killed_client_with_a_fast_path_gives_one_disconnect_event(void)
{
    check_kills(IS_FAST);
}

static void client_of_a_killed_server_leaves_running(void)
{
    check_kills(IS_SERVER);
}

static void client_with_a_fast_path_of_a_killed_server_leaves_running(void)
{
    check_kills(IS_SERVER | IS_FAST);
}

/* The name of a killed server is free at once. The client is the same one all the time. */
static void name_of_a_killed_server_is_free(void)
{
    struct comch_end client;
    struct peer peer;
    unsigned i;

    new_service();
    for (i = 0; i < RESTARTS; i++) {
        peer = start_peer(answering_server, 0);
        wait_for_byte(peer.fd);
        if (i == 0)
            comch_make_client(&client, COMCH_HOST, service, 4);
        comch_forget_states(&client);
        comch_start_client(&client);
        COMCH_UNTIL(comch_runs(&client));
        comch_deliver(&client, &client, "", 0); /* the answer to no bytes is no bytes */
        kill_peer(&peer);
        COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && client.num_conns == 0);
        CHECK_EQ(count_ends(client.states, client.num_states), 1);
    }
    comch_destroy(&client);
    forget_counters();
}

/* When one client is killed, the server and the other clients continue to work. */
static void other_clients_do_not_notice_a_kill(void)
{
    struct comch_end server, client;
    struct peer peers[5];
    unsigned i;

    new_service();
    for (i = 0; i < 5; i++)
        peers[i] = start_peer(child, IS_QUIET);
    comch_make_server(&server, COMCH_HOST, service, 4);
    server.on_message = answer;
    comch_make_client(&client, COMCH_HOST, service, 4);
    comch_start_server(&server);
    comch_start_client(&client);
    for (i = 0; i < 5; i++)
        send_byte(peers[i].fd);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 6);
    for (i = 0; i < 5; i++) {
        kill_peer(&peers[i]);
        COMCH_UNTIL(server.num_disconnects == i + 1);
        comch_send(&client, "echo", 4);
        COMCH_UNTIL(client.num_received == i + 1 && client.num_sent == i + 1 &&
                    server.num_sent == i + 1);
    }
    comch_settle();
    CHECK_EQ(server.num_disconnects, 5);
    comch_close_both(&server, &client);
    forget_counters();
}

static const struct test_case cases[] = {
    CASE(thousand_requests_are_answered, "328 362"),
    CASE(two_processes_may_use_one_server, "328 329 348"),
    CASE(ten_thousand_buffers_arrive_in_order, "367 371"),
    CASE(orderly_stop_loses_nothing_that_was_sent, "349 362 371"),
    CASE(orderly_stop_of_the_other_side_loses_nothing_either, "349 362 371"),
    CASE(killed_client_gives_one_disconnect_event, "354 362 366"),
    CASE(killed_client_with_a_fast_path_gives_one_disconnect_event, "354 366 371"),
    CASE(client_of_a_killed_server_leaves_running, "355 362 366"),
    CASE(client_with_a_fast_path_of_a_killed_server_leaves_running, "355 366 371"),
    CASE(name_of_a_killed_server_is_free, "366"),
    CASE(other_clients_do_not_notice_a_kill, "329 354"),
};

TEST_MAIN(cases)

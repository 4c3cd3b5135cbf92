/* DOCA Comch: servers, clients and their connections, from start to stop. Server and client live
 * in one thread, each with its own progress engine. */
#include "comch_data.h"

#include <sys/resource.h>

enum { MANY = 1000 };

static unsigned char memory[4096];

/* ---- states ---- */

static void server_runs_at_once(void)
{
    struct comch_end server;

    comch_make_server(&server, COMCH_HOST, comch_name(), 1);
    CHECK_OK(doca_ctx_start(server.ctx));
    CHECK_EQ(rig_state(server.ctx), DOCA_CTX_STATE_RUNNING);
    COMCH_UNTIL(server.num_states == 1);
    CHECK_STR(server.states, "IR");
    comch_close(&server);
}

static void client_is_starting_until_progress_makes_it_run(void)
{
    struct comch_end server, client;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    comch_start_server(&server);
    CHECK_RC(doca_ctx_start(client.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(client.ctx), DOCA_CTX_STATE_STARTING);
    CHECK_EQ(server.num_connects, 0);
    COMCH_UNTIL(comch_runs(&client) && server.num_connects == 1);
    CHECK_STR(client.states, "IS SR");
    comch_settle();
    CHECK_EQ(server.num_connects, 1);
    CHECK_EQ(server.num_failed_connects + server.num_disconnects, 0);
    comch_close_both(&server, &client);
}

/* Expect that a client does not find a server: it goes back to idle and was never running. */
static void check_finds_nobody(struct comch_end *client)
{
    comch_forget_states(client);
    comch_start_client(client);
    COMCH_UNTIL(comch_is(client, DOCA_CTX_STATE_IDLE) && client->num_states >= 2);
    CHECK(strchr(client->states, 'R') == NULL);
    CHECK_EQ(client->states[0], 'I');
    CHECK_EQ(client->states[3 * client->num_states - 2], 'I');
}

static void client_without_a_server_falls_back_to_idle(void)
{
    struct comch_end server, client;
    const char *name = comch_name();
    unsigned i;

    comch_make_client(&client, COMCH_HOST, name, 1);
    for (i = 0; i < 3; i++)
        check_finds_nobody(&client);
    comch_make_server(&server, COMCH_HOST, name, 1); /* not started */
    check_finds_nobody(&client);
    comch_forget_states(&client);
    comch_start_server(&server);
    comch_start_client(&client); /* the same client finds a server that is there now */
    COMCH_UNTIL(comch_runs(&client));
    comch_close_both(&server, &client);
}

static void client_does_not_find_a_server_of_another_name(void)
{
    struct comch_end server, client;
    char name[COMCH_NAME];
    const char *unique = comch_name();

    comch_make_server(&server, COMCH_HOST, unique, 1);
    comch_start_server(&server);
    memset(name, 0, sizeof(name));
    CHECK(strlen(unique) + 2 <= sizeof(name));
    memcpy(name, unique, strlen(unique));
    name[strlen(name)] = 'x'; /* longer */
    comch_make_client(&client, COMCH_HOST, name, 1);
    check_finds_nobody(&client);
    comch_destroy(&client);
    name[strlen(name) - 2] = '\0'; /* shorter */
    comch_make_client(&client, COMCH_HOST, name, 1);
    check_finds_nobody(&client);
    comch_destroy(&client);
    CHECK_EQ(server.num_connects, 0);
    comch_close(&server);
}

/* A name belongs to one host function: two servers on two representors may share it. */
static void servers_of_two_host_functions_may_share_a_name(void)
{
    struct comch_end servers[2], clients[2];
    const char *name = comch_name();
    unsigned i;

    comch_make_server(&servers[0], COMCH_HOST, name, 1);
    comch_start_server(&servers[0]);
    comch_make_client(&clients[1], COMCH_HOST_VF, name, 1);
    check_finds_nobody(&clients[1]);
    comch_forget_states(&clients[1]);
    comch_make_server(&servers[1], COMCH_HOST_VF, name, 1);
    comch_start_server(&servers[1]);
    comch_make_client(&clients[0], COMCH_HOST, name, 1);
    for (i = 0; i < 2; i++) {
        comch_start_client(&clients[i]);
        COMCH_UNTIL(comch_runs(&clients[i]) && servers[i].num_conns == 1);
        CHECK_EQ(servers[1 - i].num_connects, i);
    }
    for (i = 0; i < 2; i++)
        comch_deliver(&clients[i], &servers[i], rig_from + i, 10 + i);
    for (i = 0; i < 2; i++)
        comch_deliver(&servers[i], &clients[i], rig_from + i, 20 + i);
    for (i = 0; i < 2; i++)
        comch_close_both(&servers[i], &clients[i]);
}

static void second_server_of_a_name_is_refused_and_the_first_one_lives(void)
{
    struct comch_end server, second, client;
    const char *name = comch_name();
    doca_error_t rc;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_start_server(&server);
    comch_make_server(&second, COMCH_HOST, name, 1);
    rc = doca_ctx_start(second.ctx);
    CHECK(rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(second.ctx), DOCA_CTX_STATE_IDLE);
    comch_make_client(&client, COMCH_HOST, name, 1);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    comch_deliver(&client, &server, "first", 5);
    comch_close_both(&server, &client);
    comch_start_server(&second); /* the name is free again */
    comch_close(&second);
}

/* ---- connections ---- */

static void each_connection_knows_its_context_and_its_user_data(void)
{
    struct comch_end server, clients[3];
    const char *name = comch_name();
    unsigned i;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_start_server(&server);
    for (i = 0; i < 3; i++) {
        comch_make_client(&clients[i], COMCH_HOST, name, 1);
        comch_start_client(&clients[i]);
        COMCH_UNTIL(comch_runs(&clients[i]) && server.num_conns == i + 1);
        CHECK_PTR(doca_comch_client_get_client_ctx(clients[i].conns[0]), clients[i].client);
        CHECK_PTR(doca_comch_server_get_server_ctx(clients[i].conns[0]), NULL);
        CHECK_PTR(doca_comch_server_get_server_ctx(server.conns[i]), server.server);
        CHECK_PTR(doca_comch_client_get_client_ctx(server.conns[i]), NULL);
        CHECK_EQ(doca_comch_connection_get_user_data(server.conns[i]).u64, 0);
        CHECK_EQ(doca_comch_connection_get_user_data(clients[i].conns[0]).u64, 0);
        CHECK_OK(doca_comch_connection_set_user_data(server.conns[i],
                                                     (union doca_data){ .u64 = 100 + i }));
        CHECK_OK(doca_comch_connection_set_user_data(clients[i].conns[0],
                                                     (union doca_data){ .u64 = 200 + i }));
    }
    for (i = 0; i < 3; i++) {
        CHECK_EQ(doca_comch_connection_get_user_data(server.conns[i]).u64, 100 + i);
        CHECK_EQ(doca_comch_connection_get_user_data(clients[i].conns[0]).u64, 200 + i);
    }
    CHECK(server.conns[0] != server.conns[1] && server.conns[1] != server.conns[2]);
    CHECK_RC(doca_comch_connection_set_user_data(NULL, (union doca_data){ .u64 = 1 }),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(doca_comch_server_get_server_ctx(NULL), NULL);
    CHECK_PTR(doca_comch_client_get_client_ctx(NULL), NULL);
    for (i = 0; i < 3; i++)
        comch_close(&clients[i]);
    COMCH_UNTIL(server.num_disconnects == 3);
    comch_close(&server);
}

/* User data of an earlier connection must not show in a later one. */
static void new_connection_has_no_user_data(void)
{
    struct comch_end server, client;
    unsigned i;

    comch_open(&server, &client, 1);
    for (i = 0; i < 3; i++) {
        CHECK_EQ(doca_comch_connection_get_user_data(server.conns[0]).u64, 0);
        CHECK_EQ(doca_comch_connection_get_user_data(client.conns[0]).u64, 0);
        CHECK_OK(doca_comch_connection_set_user_data(server.conns[0],
                                                     (union doca_data){ .u64 = ~(uint64_t)0 }));
        CHECK_OK(
            doca_comch_connection_set_user_data(client.conns[0], (union doca_data){ .u64 = 5 }));
        comch_stop(&client);
        COMCH_UNTIL(server.num_conns == 0 && client.num_conns == 0);
        comch_start_client(&client);
        COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    }
    comch_close_both(&server, &client);
}

static void note_number(struct comch_end *e, struct doca_comch_connection *c)
{
    CHECK_PTR(doca_comch_server_get_server_ctx(c), e->server);
    e->todo = (unsigned)doca_comch_connection_get_user_data(c).u64;
}

static void client_that_stops_gives_one_disconnect_event(void)
{
    struct comch_end server, client, other;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    comch_make_client(&other, COMCH_HOST, name, 1);
    server.on_disconnect = note_number;
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    comch_start_client(&other);
    COMCH_UNTIL(comch_runs(&other) && server.num_conns == 2);
    CHECK_OK(doca_comch_connection_set_user_data(server.conns[0], (union doca_data){ .u64 = 7 }));
    CHECK_OK(doca_comch_connection_set_user_data(server.conns[1], (union doca_data){ .u64 = 8 }));
    comch_stop(&client);
    COMCH_UNTIL(server.num_disconnects == 1 && client.num_states >= 3);
    CHECK_EQ(server.todo, 7); /* still readable inside of the callback */
    comch_settle();
    CHECK_EQ(server.num_disconnects, 1);
    CHECK_EQ(strncmp(client.states, "IS SR R", 7), 0);
    CHECK_EQ(client.states[3 * client.num_states - 2], 'I');
    comch_deliver(&other, &server, "still here", 10);
    comch_close(&other);
    COMCH_UNTIL(server.num_disconnects == 2);
    CHECK_EQ(server.todo, 8);
    comch_destroy(&client);
    comch_close(&server);
}

static doca_error_t disconnect(struct comch_end *server, struct doca_comch_connection *c)
{
    doca_error_t rc;

    COMCH_UNTIL((rc = doca_comch_server_disconnect(server->server, c)) != DOCA_ERROR_AGAIN);
    return rc;
}

static void server_can_disconnect_one_client(void)
{
    struct comch_end server, client, other;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    comch_make_client(&other, COMCH_HOST, name, 1);
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    comch_start_client(&other);
    COMCH_UNTIL(comch_runs(&other) && server.num_conns == 2);
    CHECK_RC(doca_comch_server_disconnect(NULL, server.conns[0]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_disconnect(server.server, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(disconnect(&server, server.conns[0]));
    COMCH_UNTIL(server.num_disconnects == 1 && comch_is(&client, DOCA_CTX_STATE_IDLE) &&
                client.num_conns == 0);
    comch_settle();
    CHECK_EQ(server.num_disconnects, 1);
    CHECK(comch_runs(&other));
    comch_deliver(&other, &server, "still here", 10);
    comch_deliver(&server, &other, "you too", 7);
    comch_forget_states(&client);
    comch_start_client(&client); /* it may come again */
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 2);
    comch_close(&client);
    comch_close_both(&server, &other);
}

/* A client has no callback for disconnections, so only its state tells it of the end. */
static void server_that_stops_drops_all_clients(void)
{
    struct comch_end server, clients[3];
    const char *name = comch_name();
    unsigned i;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_start_server(&server);
    for (i = 0; i < 3; i++) {
        comch_make_client(&clients[i], COMCH_HOST, name, 1);
        comch_start_client(&clients[i]);
        COMCH_UNTIL(comch_runs(&clients[i]) && server.num_conns == i + 1);
    }
    comch_stop_ctx(server.ctx);
    COMCH_UNTIL(comch_is(&server, DOCA_CTX_STATE_IDLE) && server.num_disconnects == 3);
    for (i = 0; i < 3; i++) {
        COMCH_UNTIL(comch_is(&clients[i], DOCA_CTX_STATE_IDLE) && clients[i].num_conns == 0);
        CHECK_EQ(strncmp(clients[i].states, "IS SR R", 7), 0);
    }
    comch_settle();
    CHECK_EQ(server.num_disconnects, 3);
    CHECK_EQ(server.num_connects, 3);
    for (i = 0; i < 3; i++)
        comch_destroy(&clients[i]);
    comch_destroy(&server);
}

/* A program that submits one more message before each call of doca_pe_progress() must not keep the
 * end of its connection from being reported. */
static void steady_sender_learns_that_its_peer_has_left(void)
{
    struct comch_end server, client, *sender;
    unsigned by_server, i;

    for (by_server = 0; by_server < 2; by_server++) {
        comch_open(&server, &client, 8);
        sender = by_server ? &client : &server;
        comch_stop_ctx(by_server ? server.ctx : client.ctx);
        for (i = 0; i < 20000 && sender->num_conns == 1; i++) {
            if (comch_is(sender, DOCA_CTX_STATE_RUNNING))
                (void)comch_try_send(sender, sender->conns[0], "more", 4);
            (void)comch_progress(by_server ? &server : &client);
            (void)comch_progress(sender);
        }
        if (by_server)
            CHECK(!comch_is(&client, DOCA_CTX_STATE_RUNNING));
        else
            CHECK_EQ(server.num_disconnects, 1);
        comch_close_both(&server, &client);
    }
}

/* The client is stopped while it connects. In some rounds the server makes progress meanwhile. */
static void client_may_stop_while_it_connects(void)
{
    struct comch_end server, client;
    const char *name = comch_name();
    unsigned i, k;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    comch_start_server(&server);
    for (i = 0; i < 20; i++) {
        comch_forget_states(&client);
        comch_start_client(&client);
        for (k = 0; k < i; k++)
            (void)(k % 2 == 0 ? comch_progress(&server) : comch_progress(&client));
        comch_stop(&client);
        comch_settle();
        CHECK_EQ(server.num_conns, 0);
        CHECK_EQ(server.num_connects, server.num_disconnects);
    }
    comch_close_both(&server, &client);
}

static void many_connects_leave_no_memory_behind(void)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    const unsigned num = test_times(MANY);
    struct comch_end server, client;
    const char *name = comch_name();
    size_t level = 0, used = 0;
    unsigned i;

    comch_make_server(&server, COMCH_HOST, name, 4);
    comch_start_server(&server);
    for (i = 0; i < num; i++) {
        comch_make_client(&client, COMCH_HOST, name, 4);
        comch_start_client(&client);
        COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
        if (i % 10 == 0)
            comch_deliver(&client, &server, rig_from + i, i);
        if (i % 2 == 0)
            comch_stop(&client);
        else
            CHECK_OK(disconnect(&server, server.conns[0]));
        COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && server.num_conns == 0);
        comch_destroy(&client);
        CHECK_OK(doca_core_arena_query(arena, &used, NULL, NULL));
        if (i == 1)
            level = used;
        if (i > 1)
            CHECK_EQ(used, level);
    }
    CHECK_EQ(server.num_connects, num);
    CHECK_EQ(server.num_disconnects, num);
    comch_close(&server);
}

/* A server that stops also frees its memory in the arena, so it can start again with the same
 * name. */
static void server_starts_again_with_the_same_name(void)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct comch_end server, client;
    size_t level = 0, used = 0;
    unsigned i;

    comch_open(&server, &client, 1);
    for (i = 0; i < 50; i++) {
        comch_stop(&server);
        COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && client.num_conns == 0);
        CHECK_OK(doca_core_arena_query(arena, &used, NULL, NULL));
        if (i == 0)
            level = used;
        CHECK_EQ(used, level);
        comch_forget_states(&server);
        comch_forget_states(&client);
        comch_start_server(&server);
        comch_start_client(&client);
        COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
        comch_deliver(&client, &server, rig_from + i, 100);
    }
    comch_close_both(&server, &client);
}

/* ---- the number of clients ---- */

static struct comch_end crowd[513];

static void allow_many_files(void)
{
    struct rlimit limit;

    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_cur < 4096)
        test_skip("this user may not open enough files");
}

/* Client number cap + 1 falls back to idle. The server and the other clients work as before, and a
 * client that leaves makes room for another one. */
static void one_client_too_many_is_refused_and_the_server_lives(void)
{
    const uint32_t last = sizeof(crowd) / sizeof(crowd[0]) - 1;
    const char *name = comch_name();
    struct comch_end server, *extra;
    uint32_t most, i;

    allow_many_files();
    comch_make_server(&server, COMCH_HOST, name, 4);
    CHECK_OK(doca_comch_server_set_recv_queue_size(server.server, 8));
    CHECK_OK(doca_comch_cap_get_max_clients(doca_dev_as_devinfo(server.dev), &most));
    CHECK(most <= last);
    comch_start_server(&server);
    for (i = 0; i <= most; i++) {
        comch_make_client(&crowd[i], COMCH_HOST, name, 1);
        CHECK_OK(doca_comch_client_set_recv_queue_size(crowd[i].client, 8));
        CHECK_OK(doca_comch_client_set_max_msg_size(crowd[i].client, 64));
        comch_engine_remove(crowd[i].pe); /* not more engines than comch_turn() can hold */
        comch_start_client(&crowd[i]);
        if (i < most)
            COMCH_WAIT(comch_progress(&server) + comch_progress(&crowd[i]),
                       comch_runs(&crowd[i]) && server.num_connects == i + 1);
    }
    extra = &crowd[most];
    COMCH_WAIT(comch_progress(&server) + comch_progress(extra),
               comch_is(extra, DOCA_CTX_STATE_IDLE) && extra->num_states >= 2);
    CHECK(strchr(extra->states, 'R') == NULL);
    CHECK_EQ(server.num_connects, most);
    CHECK_EQ(server.num_disconnects, 0);
    comch_engine_add(crowd[0].pe, &crowd[0].num_callbacks);
    comch_deliver(&crowd[0], &server, "alive", 5);
    comch_deliver(&server, &crowd[0], "me too", 6);
    comch_stop(&crowd[0]);
    COMCH_UNTIL(server.num_disconnects == 1);
    comch_forget_states(extra);
    comch_start_client(extra);
    COMCH_WAIT(comch_progress(&server) + comch_progress(extra),
               comch_runs(extra) && server.num_connects == most + 1);
    for (i = 0; i <= most; i++) {
        if (i > 0)
            comch_engine_add(crowd[i].pe, &crowd[i].num_callbacks);
        comch_close(&crowd[i]);
    }
    COMCH_UNTIL(server.num_disconnects == most + 1);
    comch_close(&server);
}

/* ---- consumers and producers keep their connection ---- */

static void child_keeps_its_connection(void)
{
    struct doca_comch_connection *c;
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;
    unsigned i;

    for (i = 0; i < 2; i++) {
        comch_open(&server, &client, 1);
        c = server.conns[0];
        if (i == 0)
            consumer_make(&consumer, &server, NULL, memory, sizeof(memory), 1); /* it stays idle */
        else
            producer_make(&producer, &server, NULL, memory, sizeof(memory), 1);
        CHECK_RC(disconnect(&server, c), DOCA_ERROR_IN_USE);
        CHECK_RC(doca_ctx_stop(server.ctx), DOCA_ERROR_IN_PROGRESS);
        comch_settle();
        CHECK_EQ(rig_state(server.ctx), DOCA_CTX_STATE_STOPPING);
        CHECK_RC(doca_comch_server_destroy(server.server), DOCA_ERROR_IN_USE);
        if (i == 0)
            consumer_close(&consumer);
        else
            producer_close(&producer);
        COMCH_UNTIL(comch_is(&server, DOCA_CTX_STATE_IDLE));
        COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && client.num_conns == 0);
        comch_destroy(&server);
        comch_destroy(&client);
    }
}

static void child_keeps_its_client(void)
{
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;

    comch_open(&server, &client, 1);
    consumer_make(&consumer, &client, client.pe, memory, sizeof(memory), 1);
    producer_make(&producer, &client, client.pe, memory, sizeof(memory), 1);
    CHECK_RC(doca_ctx_stop(client.ctx), DOCA_ERROR_IN_PROGRESS);
    comch_settle();
    CHECK_EQ(rig_state(client.ctx), DOCA_CTX_STATE_STOPPING);
    CHECK_RC(doca_comch_client_destroy(client.client), DOCA_ERROR_IN_USE);
    consumer_close(&consumer);
    comch_settle();
    CHECK_EQ(rig_state(client.ctx), DOCA_CTX_STATE_STOPPING);
    producer_close(&producer);
    COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && server.num_disconnects == 1);
    comch_destroy(&client);
    comch_close(&server);
}

/* The server stops while the client has a consumer and a producer. The client cannot become idle
 * before both are destroyed. */
static void children_of_a_client_whose_server_leaves_can_be_destroyed(void)
{
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;

    comch_open(&server, &client, 1);
    consumer_make(&consumer, &client, NULL, memory, sizeof(memory), 1);
    producer_make(&producer, &client, NULL, memory, sizeof(memory), 1);
    consumer_start(&consumer);
    producer_start(&producer);
    consumer_post(&consumer, 0, 100);
    comch_stop(&server);
    COMCH_UNTIL(!comch_is(&client, DOCA_CTX_STATE_RUNNING));
    consumer_close(&consumer);
    producer_close(&producer);
    CHECK_EQ(consumer.num_ok, 0);
    CHECK_EQ(consumer.num_failed, 1);
    COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && client.num_conns == 0);
    comch_destroy(&client);
    comch_destroy(&server);
}

static void running_context_is_not_destroyed(void)
{
    struct comch_end server, client;

    comch_open(&server, &client, 1);
    CHECK_RC(doca_comch_server_destroy(server.server), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_comch_client_destroy(client.client), DOCA_ERROR_IN_USE);
    comch_deliver(&client, &server, "as before", 9);
    comch_deliver(&server, &client, "yes", 3);
    comch_close_both(&server, &client);
}

static void children_need_an_established_connection(void)
{
    struct doca_comch_consumer *consumer = NULL;
    struct doca_comch_producer *producer = NULL;
    struct doca_comch_connection *c = NULL;
    struct comch_end server, client;
    const char *name = comch_name();
    struct doca_mmap *map;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    map = comch_map(client.dev, memory, sizeof(memory));
    comch_start_server(&server);
    comch_start_client(&client);
    if (doca_comch_client_get_connection(client.client, &c) == DOCA_SUCCESS) {
        CHECK_RC(doca_comch_connection_update_info(c), DOCA_ERROR_CONNECTION_INPROGRESS);
        CHECK_RC(doca_comch_consumer_create(c, map, &consumer), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_comch_producer_create(c, &producer), DOCA_ERROR_BAD_STATE);
    }
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    c = client.conns[0];
    CHECK_RC(doca_comch_consumer_create(NULL, map, &consumer), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_create(c, NULL, &consumer), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_create(c, map, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_create(NULL, &producer), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_create(c, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK(consumer == NULL && producer == NULL);
    CHECK_OK(doca_mmap_destroy(map));
    comch_close_both(&server, &client);
}

/* The server gives the entry of a client that has left to the next client. A task for the first one
 * is still allocated then. */
static void a_task_of_an_ended_connection_reaches_no_other_client(void)
{
    static struct comch_end server, clients[2];
    struct doca_comch_task_send *task = NULL;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 2);
    CHECK_OK(doca_core_comch_server_set_max_clients(server.server, 1));
    comch_start_server(&server);
    comch_make_client(&clients[0], COMCH_HOST, name, 1);
    comch_start_client(&clients[0]);
    COMCH_UNTIL(comch_runs(&clients[0]) && server.num_conns == 1);
    CHECK_OK(comch_alloc(&server, server.conns[0], "first", 5, &task));
    comch_close(&clients[0]);
    COMCH_UNTIL(server.num_conns == 0);
    comch_settle();
    comch_make_client(&clients[1], COMCH_HOST, name, 1);
    comch_start_client(&clients[1]);
    COMCH_UNTIL(comch_runs(&clients[1]) && server.num_conns == 1);
    CHECK_RC(comch_submit(task), DOCA_ERROR_BAD_STATE);
    doca_task_free(doca_comch_task_send_as_task(task));
    comch_settle();
    CHECK_EQ(clients[1].num_received, 0);
    comch_deliver(&server, &clients[1], "second", 6);
    comch_close(&clients[1]);
    comch_close(&server);
}

static void a_server_keeps_its_representor(void)
{
    struct comch_end server;

    comch_make_server(&server, COMCH_HOST, comch_name(), 1);
    CHECK_OK(doca_dev_rep_close(server.rep));
    server.rep = NULL;
    comch_start_server(&server);
    comch_close(&server);       /* also closes the device, which has no open representor then */
    CHECK_OK(doca_core_arena_audit(doca_core_arena_bound()));
}

static const struct test_case cases[] = {
    CASE(server_runs_at_once, "343"),
    CASE(client_is_starting_until_progress_makes_it_run, "344 353"),
    CASE(client_without_a_server_falls_back_to_idle, "348"),
    CASE(client_does_not_find_a_server_of_another_name, "328"),
    CASE(servers_of_two_host_functions_may_share_a_name, "330"),
    CASE(second_server_of_a_name_is_refused_and_the_first_one_lives, "330"),
    CASE(each_connection_knows_its_context_and_its_user_data, "329"),
    CASE(new_connection_has_no_user_data, "329"),
    CASE(client_that_stops_gives_one_disconnect_event, "349 354"),
    CASE(server_can_disconnect_one_client, "351 354 355"),
    CASE(server_that_stops_drops_all_clients, "349 354 355"),
    CASE(steady_sender_learns_that_its_peer_has_left, "366"),
    CASE(client_may_stop_while_it_connects, "349"),
    CASE(many_connects_leave_no_memory_behind, ""),
    CASE(server_starts_again_with_the_same_name, ""),
    CASE(one_client_too_many_is_refused_and_the_server_lives, "339"),
    CASE(child_keeps_its_connection, "331 350 351"),
    CASE(child_keeps_its_client, "331 350"),
    CASE(children_of_a_client_whose_server_leaves_can_be_destroyed, "350"),
    CASE(running_context_is_not_destroyed, ""),
    CASE(a_task_of_an_ended_connection_reaches_no_other_client, ""),
    CASE(a_server_keeps_its_representor, ""),
    CASE(children_need_an_established_connection, "331"),
};

TEST_MAIN(cases)

/* DOCA Comch: what programs do inside the callbacks of servers and clients: send, set user data,
 * stop, disconnect, start again, destroy. */
#include "comch_end.h"

enum { MANY = 1000 };

/* ---- sends ---- */

static void greet(struct comch_end *e, struct doca_comch_connection *c)
{
    CHECK_OK(doca_comch_connection_set_user_data(c, (union doca_data){ .u64 = 42 }));
    comch_send_to(e, c, "welcome", 7);
}

static void server_may_send_in_the_connect_callback(void)
{
    struct comch_end server, client;
    const char *name = comch_name();
    unsigned i;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    server.on_connect = greet;
    comch_start_server(&server);
    for (i = 1; i <= 10; i++) {
        comch_start_client(&client);
        COMCH_UNTIL(comch_runs(&client) && client.num_received == i && server.num_sent == i);
        CHECK_EQ(client.len, 7);
        CHECK_MEM(client.text, "welcome", 7);
        CHECK_EQ(doca_comch_connection_get_user_data(server.conns[0]).u64, 42);
        comch_stop(&client);
        COMCH_UNTIL(server.num_disconnects == i && client.num_conns == 0);
        comch_forget_states(&client);
    }
    comch_destroy(&client);
    comch_close(&server);
}

static void say_hello(struct comch_end *e, enum doca_ctx_states next)
{
    if (next == DOCA_CTX_STATE_RUNNING)
        comch_send(e, "hello", 5);
}

static void client_may_send_in_its_state_callback(void)
{
    struct comch_end server, client;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    client.on_state = say_hello;
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(server.num_received == 1 && client.num_sent == 1);
    CHECK_MEM(server.text, "hello", 5);
    comch_close_both(&server, &client);
}

/* Answer with the received text. The callback copies the text, because its memory belongs to the
 * library again when the callback has returned. */
static void echo(struct comch_end *e, struct doca_comch_connection *c, const unsigned char *msg,
                 uint32_t len)
{
    static unsigned char copies[2][COMCH_MAX_MSG];
    unsigned char *copy = copies[e->server != NULL];

    if (e->num_received > MANY)
        return;
    memcpy(copy, msg, len);
    comch_send_to(e, c, copy, len);
}

static void both_sides_may_send_in_the_receive_callback(void)
{
    struct comch_end server, client;

    comch_open(&server, &client, 2);
    server.on_message = client.on_message = echo;
    comch_send(&client, rig_from, 2000);
    COMCH_UNTIL(client.num_received == MANY && server.num_received == MANY + 1);
    CHECK_EQ(client.len, 2000);
    CHECK_MEM(client.text, rig_from, 2000);
    CHECK_EQ(server.num_failed + client.num_failed, 0);
    comch_close_both(&server, &client);
}

/* The callback needs more tasks than the pool has: it gets NO_MEMORY or AGAIN, and nothing else. */
static void flood(struct comch_end *e, struct doca_comch_connection *c, const unsigned char *msg,
                  uint32_t len)
{
    doca_error_t rc;

    (void)msg;
    (void)len;
    do {
        rc = comch_try_send(e, c, rig_from, 100);
        e->todo += rc == DOCA_SUCCESS;
    } while (rc == DOCA_SUCCESS);
    CHECK(rc == DOCA_ERROR_NO_MEMORY || rc == DOCA_ERROR_AGAIN);
}

static void callback_that_sends_too_much_is_told_so(void)
{
    struct comch_end server, client;
    unsigned i;

    comch_open(&server, &client, 8);
    server.on_message = flood;
    for (i = 0; i < 10; i++) {
        comch_send(&client, "more", 4);
        COMCH_UNTIL(server.num_received == i + 1 && client.num_sent == i + 1 &&
                    server.num_sent == server.todo);
    }
    COMCH_UNTIL(client.num_received == server.todo);
    comch_close_both(&server, &client);
}

/* ---- stops ---- */

static void stop_by_message(struct comch_end *e, struct doca_comch_connection *c,
                            const unsigned char *msg, uint32_t len)
{
    (void)c;
    (void)msg;
    (void)len;
    if (e->todo++ == 0)
        comch_stop_ctx(e->ctx);
}

static void stop_by_connection(struct comch_end *e, struct doca_comch_connection *c)
{
    (void)c;
    if (e->todo++ == 0)
        comch_stop_ctx(e->ctx);
}

static void stop_by_send(struct comch_end *e, struct doca_comch_task_send *task, bool is_ok)
{
    (void)task;
    (void)is_ok;
    if (e->todo++ == 0)
        comch_stop_ctx(e->ctx);
}

static void stop_by_state(struct comch_end *e, enum doca_ctx_states next)
{
    if (next == DOCA_CTX_STATE_RUNNING && e->todo++ == 0)
        comch_stop_ctx(e->ctx);
}

/* Check that both ends become idle, and destroy them. `by_server`: the server has stopped, and not
 * the client. */
static void check_both_end(struct comch_end *server, struct comch_end *client, bool by_server)
{
    COMCH_UNTIL(comch_is(client, DOCA_CTX_STATE_IDLE) && client->num_conns == 0);
    if (by_server)
        COMCH_UNTIL(comch_is(server, DOCA_CTX_STATE_IDLE));
    COMCH_UNTIL(server->num_disconnects == server->num_connects);
    comch_settle();
    CHECK_EQ(server->num_disconnects, server->num_connects);
    CHECK_EQ(rig_inflight(server->ctx), 0);
    CHECK_EQ(rig_inflight(client->ctx), 0);
    comch_destroy(client);
    comch_close(server);
}

static void stop_inside_the_receive_callback(void)
{
    struct comch_end server, client;
    unsigned by_server, i;

    for (by_server = 0; by_server < 2; by_server++) {
        comch_open(&server, &client, 8);
        if (by_server)
            server.on_message = stop_by_message;
        else
            client.on_message = stop_by_message;
        for (i = 0; i < 8; i++)
            comch_send(by_server ? &client : &server, "stop", 4);
        check_both_end(&server, &client, by_server);
        CHECK(server.todo + client.todo >= 1);
    }
}

static void stop_inside_the_send_callback(void)
{
    struct comch_end server, client;
    unsigned by_server, i;

    for (by_server = 0; by_server < 2; by_server++) {
        comch_open(&server, &client, 8);
        if (by_server)
            server.on_sent = stop_by_send;
        else
            client.on_sent = stop_by_send;
        for (i = 0; i < 8; i++)
            comch_send(by_server ? &server : &client, "stop", 4);
        check_both_end(&server, &client, by_server);
        CHECK_EQ(server.num_sent + server.num_failed + client.num_sent + client.num_failed, 8);
        CHECK_EQ(server.todo + client.todo, 8);
    }
}

static void stop_inside_the_connect_callback(void)
{
    struct comch_end server, client;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    server.on_connect = stop_by_connection;
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(server.num_connects == 1);
    check_both_end(&server, &client, true);
}

static void stop_inside_the_disconnect_callback(void)
{
    struct comch_end server, client;

    comch_open(&server, &client, 1);
    server.on_disconnect = stop_by_connection;
    comch_stop_ctx(client.ctx);
    check_both_end(&server, &client, true);
    CHECK_EQ(server.todo, 1);
}

static void stop_inside_the_state_callback(void)
{
    struct comch_end server, client;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    client.on_state = stop_by_state;
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(client.todo == 1);
    check_both_end(&server, &client, false);
    CHECK_EQ(client.todo, 1);
}

/* ---- disconnects ---- */

static void drop_by_message(struct comch_end *e, struct doca_comch_connection *c,
                            const unsigned char *msg, uint32_t len)
{
    doca_error_t rc;

    (void)msg;
    (void)len;
    if (e->todo > 0)
        return;
    rc = doca_comch_server_disconnect(e->server, c);
    if (rc == DOCA_ERROR_AGAIN) /* the next message tries again */
        return;
    CHECK_OK(rc);
    e->todo++;
}

static void server_may_disconnect_in_the_receive_callback(void)
{
    const char *name = comch_name();
    struct comch_end server, client, other;
    unsigned i;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 8);
    comch_make_client(&other, COMCH_HOST, name, 1);
    server.on_message = drop_by_message;
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    comch_start_client(&other);
    COMCH_UNTIL(comch_runs(&other) && server.num_conns == 2);
    for (i = 0; i < 8; i++)
        comch_send(&client, "drop me", 7);
    COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && server.num_disconnects == 1 &&
                client.num_conns == 0);
    CHECK_EQ(server.todo, 1);
    CHECK_EQ(client.num_sent + client.num_failed, 8);
    comch_deliver(&other, &server, "still here", 10);
    comch_settle();
    CHECK_EQ(server.num_disconnects, 1);
    comch_destroy(&client);
    comch_close_both(&server, &other);
}

static void drop_at_once(struct comch_end *e, struct doca_comch_connection *c)
{
    CHECK_OK(doca_comch_server_disconnect(e->server, c));
}

static void server_may_disconnect_in_the_connect_callback(void)
{
    struct comch_end server, client;
    const char *name = comch_name();
    unsigned i;

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    server.on_connect = drop_at_once;
    comch_start_server(&server);
    for (i = 1; i <= 10; i++) {
        comch_forget_states(&client);
        comch_start_client(&client);
        COMCH_UNTIL(server.num_disconnects == i && comch_is(&client, DOCA_CTX_STATE_IDLE) &&
                    client.num_conns == 0 && client.states[3 * client.num_states - 2] == 'I');
    }
    comch_settle();
    CHECK_EQ(server.num_disconnects, 10);
    comch_destroy(&client);
    comch_close(&server);
}

/* ---- start and destroy ---- */

static void start_again(struct comch_end *e, enum doca_ctx_states next)
{
    if (next == DOCA_CTX_STATE_IDLE && ++e->todo < 10) {
        comch_forget_states(e);
        comch_start_client(e);
    }
}

static void stop_again(struct comch_end *e, struct doca_comch_connection *c)
{
    CHECK_OK(doca_comch_server_disconnect(e->server, c));
}

static void client_may_start_again_in_its_state_callback(void)
{
    struct comch_end server, client;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    client.on_state = start_again;
    server.on_connect = stop_again;
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(client.todo == 10);
    COMCH_UNTIL(server.num_disconnects == 10);
    comch_destroy(&client);
    comch_close(&server);
}

static void destroy_it(struct comch_end *e, enum doca_ctx_states next)
{
    if (next != DOCA_CTX_STATE_IDLE)
        return;
    if (e->server != NULL)
        CHECK_OK(doca_comch_server_destroy(e->server));
    else
        CHECK_OK(doca_comch_client_destroy(e->client));
    e->server = NULL;
    e->client = NULL;
    e->todo++;
}

static void context_may_be_destroyed_in_its_state_callback(void)
{
    struct comch_end server, client;

    comch_open(&server, &client, 1);
    client.on_state = server.on_state = destroy_it;
    comch_stop_ctx(server.ctx);
    COMCH_UNTIL(server.todo == 1 && client.todo == 1);
    comch_destroy(&client);
    comch_destroy(&server);
}

/* ---- the callbacks' arguments ---- */

static void check_task_data(struct comch_end *e, struct doca_comch_task_send *task, bool is_ok)
{
    struct doca_task *t = doca_comch_task_send_as_task(task);

    CHECK(is_ok);
    CHECK_PTR(doca_task_get_ctx(t), e->ctx);
    CHECK_EQ(doca_task_get_user_data(t).u64, 77);
    e->todo++;
}

static void send_task_has_user_data_and_context(void)
{
    struct doca_comch_task_send *task;
    struct comch_end server, client;

    comch_open(&server, &client, 1);
    client.on_sent = check_task_data;
    CHECK_OK(comch_alloc(&client, client.conns[0], "x", 1, &task));
    doca_task_set_user_data(doca_comch_task_send_as_task(task), (union doca_data){ .u64 = 77 });
    CHECK_PTR(doca_task_get_ctx(doca_comch_task_send_as_task(task)), client.ctx);
    CHECK_OK(comch_submit(task));
    CHECK_EQ(rig_inflight(client.ctx), 1);
    COMCH_UNTIL(client.todo == 1 && server.num_received == 1);
    CHECK_EQ(rig_inflight(client.ctx), 0);
    comch_close_both(&server, &client);
}

/* Server and client on one progress engine. */
static void both_sides_may_share_a_progress_engine(void)
{
    struct comch_end server, client;
    const char *name = comch_name();
    struct doca_pe *own;
    unsigned i;

    comch_make_server(&server, COMCH_HOST, name, 2);
    comch_make_client(&client, COMCH_HOST, name, 2);
    CHECK_OK(doca_comch_client_destroy(client.client)); /* its engine stays, for comch_destroy() */
    own = client.pe;
    comch_engine_remove(own);
    CHECK_OK(doca_comch_client_create(client.dev, name, &client.client));
    client.ctx = doca_comch_client_as_ctx(client.client);
    client.pe = server.pe;
    CHECK_OK(doca_comch_client_task_send_set_conf(client.client, comch_sent, comch_failed, 2));
    CHECK_OK(doca_comch_client_event_msg_recv_register(client.client, comch_received));
    CHECK_OK(doca_ctx_set_user_data(client.ctx, (union doca_data){ .ptr = &client }));
    CHECK_OK(doca_ctx_set_state_changed_cb(client.ctx, comch_state_changed));
    CHECK_OK(doca_pe_connect_ctx(server.pe, client.ctx));
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    for (i = 0; i < 100; i++) {
        comch_deliver(&client, &server, rig_from, i);
        comch_deliver(&server, &client, rig_from, i);
    }
    comch_stop(&client);
    CHECK_OK(doca_comch_client_destroy(client.client));
    client.client = NULL;
    COMCH_UNTIL(server.num_disconnects == 1);
    comch_close(&server);
    client.pe = own;
    comch_destroy(&client);
}

static const struct test_case cases[] = {
    CASE(server_may_send_in_the_connect_callback, "357"),
    CASE(client_may_send_in_its_state_callback, "357"),
    CASE(both_sides_may_send_in_the_receive_callback, "356 357"),
    CASE(callback_that_sends_too_much_is_told_so, "364 365"),
    CASE(stop_inside_the_receive_callback, "349 357"),
    CASE(stop_inside_the_send_callback, "349"),
    CASE(stop_inside_the_connect_callback, "349 357"),
    CASE(stop_inside_the_disconnect_callback, "349"),
    CASE(stop_inside_the_state_callback, "349"),
    CASE(server_may_disconnect_in_the_receive_callback, "351 354"),
    CASE(server_may_disconnect_in_the_connect_callback, "351 354"),
    CASE(client_may_start_again_in_its_state_callback, "349"),
    CASE(context_may_be_destroyed_in_its_state_callback, ""),
    CASE(send_task_has_user_data_and_context, "363"),
    CASE(both_sides_may_share_a_progress_engine, ""),
};

TEST_MAIN(cases)

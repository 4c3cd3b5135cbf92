/* DOCA Comch: messages of the control path. Server and client live in one thread, each with its
 * own progress engine. */
#include "comch_end.h"

enum { TASKS = 16, MANY = 1000 };

/* A message that names its number, with a length that depends on it. */
struct numbered {
    uint32_t number;
    unsigned char rest[60];
};

static uint32_t numbered_len(uint32_t number)
{
    return (uint32_t)sizeof(uint32_t) + number % 60;
}

static struct numbered numbered[MANY];

static void number_them(void)
{
    uint32_t i;

    for (i = 0; i < MANY; i++) {
        numbered[i].number = i;
        memset(numbered[i].rest, (int)(i * 7 & 0xff), sizeof(numbered[i].rest));
    }
}

static void check_numbered(const unsigned char *msg, uint32_t len, uint32_t number)
{
    CHECK_EQ(len, numbered_len(number));
    CHECK_MEM(msg, &numbered[number], len);
}

/* ---- lengths ---- */

static void messages_of_every_length_arrive_unchanged(void)
{
    static const uint32_t lengths[] = { 0,  1,  2,   3,   4,    7,    8,    15,  16,
                                        63, 64, 100, 511, 1024, 2047, 4079, 4080 };
    struct comch_end server, client;
    size_t i;

    comch_open(&server, &client, 1);
    for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        comch_deliver(&client, &server, rig_from + i, lengths[i]);
        CHECK_PTR(server.from, server.conns[0]);
        comch_deliver(&server, &client, rig_from + 2 * i + 1, lengths[i]);
        CHECK_PTR(client.from, client.conns[0]);
    }
    comch_close_both(&server, &client);
}

static void wrong_arguments_of_a_send_are_refused(void)
{
    struct doca_comch_task_send *task = NULL;
    struct comch_end server, client;
    struct doca_comch_connection *s, *c;

    comch_open(&server, &client, 1);
    s = server.conns[0];
    c = client.conns[0];
    CHECK_RC(doca_comch_server_task_send_alloc_init(NULL, s, "x", 1, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_task_send_alloc_init(server.server, NULL, "x", 1, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_task_send_alloc_init(server.server, c, "x", 1, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_task_send_alloc_init(server.server, s, NULL, 1, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_task_send_alloc_init(server.server, s, "x", 1, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_server_task_send_alloc_init(server.server, s, rig_from, COMCH_MAX_MSG + 1,
                                                    &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_task_send_alloc_init(NULL, c, "x", 1, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_task_send_alloc_init(client.client, NULL, "x", 1, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_task_send_alloc_init(client.client, s, "x", 1, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_task_send_alloc_init(client.client, c, NULL, 1, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_task_send_alloc_init(client.client, c, "x", 1, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_client_task_send_alloc_init(client.client, c, rig_from, UINT32_MAX, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(task, NULL);
    CHECK_PTR(doca_comch_task_send_as_task(NULL), NULL);
    comch_deliver(&client, &server, "x", 1); /* the refused calls took no task from the pool */
    comch_deliver(&server, &client, "x", 1);
    comch_close_both(&server, &client);
}

/* When the two sides have different maximum sizes, the smaller size holds for both. */
static void smaller_size_of_the_two_sides_binds(void)
{
    const char *name = comch_name();
    struct comch_end server, client;
    unsigned i;

    for (i = 0; i < 2; i++) {
        comch_make_server(&server, COMCH_HOST, name, 1);
        comch_make_client(&client, COMCH_HOST, name, 1);
        if (i == 0)
            CHECK_OK(doca_comch_client_set_max_msg_size(client.client, 100));
        else
            CHECK_OK(doca_comch_server_set_max_msg_size(server.server, 100));
        comch_start_server(&server);
        comch_start_client(&client);
        COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
        comch_deliver(&client, &server, rig_from, 100);
        comch_deliver(&server, &client, rig_from, 100);
        CHECK_RC(comch_try_send(&client, client.conns[0], rig_from, 101), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(comch_try_send(&server, server.conns[0], rig_from, 101), DOCA_ERROR_INVALID_VALUE);
        comch_close_both(&server, &client);
    }
}

/* ---- order, pool and queue ---- */

static void check_order(struct comch_end *e, struct doca_comch_connection *c,
                        const unsigned char *msg, uint32_t len)
{
    (void)c;
    check_numbered(msg, len, e->num_received - 1);
}

static void check_completion_order(struct comch_end *e, struct doca_comch_task_send *task,
                                   bool is_ok)
{
    union doca_data data = doca_task_get_user_data(doca_comch_task_send_as_task(task));

    CHECK(is_ok);
    CHECK_EQ(data.u64, e->num_sent - 1);
}

/* Send the next message if the pool and the queue have room. */
static bool send_next(struct comch_end *e, uint32_t *next)
{
    struct doca_comch_task_send *task = NULL;
    doca_error_t rc;

    if (*next == MANY)
        return false;
    rc = comch_alloc(e, e->conns[0], &numbered[*next], numbered_len(*next), &task);
    if (rc == DOCA_ERROR_NO_MEMORY)
        return false;
    CHECK_OK(rc);
    doca_task_set_user_data(doca_comch_task_send_as_task(task), (union doca_data){ .u64 = *next });
    rc = comch_submit(task);
    if (rc == DOCA_ERROR_AGAIN) {
        doca_task_free(doca_comch_task_send_as_task(task));
        return false;
    }
    CHECK_OK(rc);
    ++*next;
    return true;
}

static void messages_and_completions_keep_their_order(void)
{
    struct comch_end server, client;
    uint32_t up = 0, down = 0;

    number_them();
    comch_open(&server, &client, TASKS);
    server.on_message = client.on_message = check_order;
    server.on_sent = client.on_sent = check_completion_order;
    COMCH_WAIT(send_next(&client, &up) + send_next(&server, &down) + comch_turn(),
               server.num_received == MANY && client.num_received == MANY);
    COMCH_UNTIL(server.num_sent == MANY && client.num_sent == MANY);
    comch_settle();
    CHECK_EQ(server.num_received, MANY);
    CHECK_EQ(client.num_received, MANY);
    comch_close_both(&server, &client);
}

/* The receiver makes no progress while the sender fills all queues. A refused task is unchanged,
 * and can be submitted again after progress. */
static void full_queue_gives_again_and_loses_nothing(void)
{
    const char *name = comch_name();
    struct comch_end server, client;
    uint32_t next = 0, stuck;

    number_them();
    comch_make_server(&server, COMCH_HOST, name, MANY);
    comch_make_client(&client, COMCH_HOST, name, MANY);
    CHECK_OK(doca_comch_server_set_recv_queue_size(server.server, 10));
    CHECK_OK(doca_comch_client_set_recv_queue_size(client.client, 10));
    server.on_message = check_order;
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    while (send_next(&client, &next))
        continue;
    CHECK(next > 0);
    CHECK_EQ(client.num_sent + server.num_received, 0);
    stuck = next;
    COMCH_WAIT(send_next(&client, &next) + comch_turn(), server.num_received == MANY);
    CHECK_EQ(next, MANY);
    CHECK(stuck <= MANY);
    COMCH_UNTIL(client.num_sent == MANY);
    CHECK_EQ(client.num_failed, 0);
    comch_close_both(&server, &client);
}

/* Progress of the sender alone does not lose or reorder anything either. */
static void sender_may_make_progress_alone(void)
{
    const char *name = comch_name();
    struct comch_end server, client;
    uint32_t next = 0, idle;

    number_them();
    comch_make_server(&server, COMCH_HOST, name, TASKS);
    comch_make_client(&client, COMCH_HOST, name, TASKS);
    CHECK_OK(doca_comch_server_set_recv_queue_size(server.server, 10));
    server.on_message = check_order;
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    for (idle = 0; idle < 10000; idle++)
        if (send_next(&client, &next) + comch_progress(&client))
            idle = 0;
    CHECK_EQ(server.num_received, 0);
    COMCH_WAIT(send_next(&client, &next) + comch_turn(),
               server.num_received == MANY && client.num_sent == MANY);
    comch_close_both(&server, &client);
}

static void empty_pool_gives_no_memory(void)
{
    struct doca_comch_task_send *tasks[TASKS], *more = NULL;
    struct comch_end server, client;
    unsigned i;

    comch_open(&server, &client, TASKS);
    for (i = 0; i < TASKS; i++)
        CHECK_OK(comch_alloc(&client, client.conns[0], "x", 1, &tasks[i]));
    CHECK_RC(comch_alloc(&client, client.conns[0], "x", 1, &more), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(more, NULL);
    doca_task_free(doca_comch_task_send_as_task(tasks[3]));
    CHECK_OK(comch_alloc(&client, client.conns[0], "x", 1, &tasks[3]));
    CHECK_RC(comch_alloc(&client, client.conns[0], "x", 1, &more), DOCA_ERROR_NO_MEMORY);
    for (i = 0; i < TASKS; i++)
        doca_task_free(doca_comch_task_send_as_task(tasks[i]));
    CHECK_EQ(rig_inflight(client.ctx), 0);
    comch_close_both(&server, &client);
}

static void use_the_freed_task(struct comch_end *e, struct doca_comch_task_send *task, bool is_ok)
{
    CHECK(is_ok);
    CHECK_RC(comch_try_send(e, e->conns[0], "x", 1), DOCA_ERROR_NO_MEMORY);
    doca_task_free(doca_comch_task_send_as_task(task));
    if (++e->todo < MANY)
        comch_send(e, "x", 1);
}

/* A pool of one task: once the callback has freed it, the next send gets it. */
static void freed_task_can_be_used_in_the_same_callback(void)
{
    struct comch_end server, client;

    comch_open(&server, &client, 1);
    client.keeps_tasks = true;
    client.on_sent = use_the_freed_task;
    comch_send(&client, "x", 1);
    COMCH_UNTIL(client.num_sent == MANY && server.num_received == MANY);
    comch_close_both(&server, &client);
}

static void submit_again(struct comch_end *e, struct doca_comch_task_send *task, bool is_ok)
{
    CHECK(is_ok);
    if (e->num_sent < MANY)
        CHECK_OK(comch_submit(task));
    else
        doca_task_free(doca_comch_task_send_as_task(task));
}

static void task_can_be_submitted_again_in_its_callback(void)
{
    struct comch_end server, client;

    comch_open(&server, &client, 1);
    server.keeps_tasks = true;
    server.on_sent = submit_again;
    comch_send(&server, "again", 5);
    COMCH_UNTIL(server.num_sent == MANY && client.num_received == MANY);
    CHECK_EQ(client.bytes_received, 5 * MANY);
    comch_close_both(&server, &client);
}

/* ---- what success means ---- */

/* When the sender has its completions, the receiver gets the messages without any progress of the
 * sender. The sender may use the memory of a message again as soon as its task is complete. */
static void completed_message_is_delivered(void)
{
    static struct numbered copies[TASKS];
    struct comch_end server, client;
    unsigned i;

    number_them();
    comch_open(&server, &client, TASKS);
    server.on_message = check_order;
    for (i = 0; i < TASKS; i++) {
        copies[i] = numbered[i];
        comch_send(&client, &copies[i], numbered_len(i));
        COMCH_UNTIL(client.num_sent == i + 1);
        memset(&copies[i], 0xdd, sizeof(copies[i]));
    }
    COMCH_WAIT(comch_progress(&server), server.num_received == TASKS);
    comch_close_both(&server, &client);
}

/* A client stops after its sends are complete, before the server has received them. No message is
 * lost, and the server gets the disconnect event after the messages. */
static void check_all_is_there(struct comch_end *e, struct doca_comch_connection *c)
{
    (void)c;
    CHECK_EQ(e->num_received, e->todo);
}

static void orderly_stop_of_a_client_loses_no_sent_message(void)
{
    struct comch_end server, client;
    uint32_t next = 0, idle;

    number_them();
    comch_open(&server, &client, TASKS);
    server.on_message = check_order;
    server.on_disconnect = check_all_is_there;
    for (idle = 0; idle < 10000; idle++) /* only the client makes progress */
        if (send_next(&client, &next) + comch_progress(&client))
            idle = 0;
    COMCH_UNTIL(client.num_sent == next); /* the last sends need progress of the server */
    server.todo = next;
    comch_stop_ctx(client.ctx);
    COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && server.num_disconnects == 1);
    CHECK_EQ(server.num_received, next);
    comch_destroy(&client);
    comch_close(&server);
}

static void note_number(struct comch_end *e, enum doca_ctx_states next)
{
    if (next != DOCA_CTX_STATE_RUNNING && e->todo == 0)
        e->todo = 1 + e->num_received; /* at the first sign that the connection ends */
}

static void orderly_stop_of_a_server_loses_no_sent_message(void)
{
    struct comch_end server, client;
    uint32_t next = 0, idle;

    number_them();
    comch_open(&server, &client, TASKS);
    client.on_message = check_order;
    client.on_state = note_number;
    for (idle = 0; idle < 10000; idle++)
        if (send_next(&server, &next) + comch_progress(&server))
            idle = 0;
    COMCH_UNTIL(server.num_sent == next);
    comch_stop_ctx(server.ctx);
    COMCH_UNTIL(comch_is(&server, DOCA_CTX_STATE_IDLE) && comch_is(&client, DOCA_CTX_STATE_IDLE) &&
                client.num_conns == 0);
    CHECK_EQ(client.num_received, next);
    CHECK_EQ(client.todo, 1 + next);
    comch_destroy(&client);
    comch_destroy(&server);
}

static void greet_often(struct comch_end *e, struct doca_comch_connection *c)
{
    unsigned i;

    for (i = 0; i < TASKS; i++)
        comch_send_to(e, c, &numbered[i], numbered_len(i));
}

/* The server sends as soon as it has accepted a client. The client stops before it has received any
 * message. It must still get every message whose send has succeeded. */
static void stop_of_a_connecting_client_loses_no_sent_message(void)
{
    const char *name = comch_name();
    struct comch_end server, client;
    unsigned idle, turns, i;

    number_them();
    for (turns = 0; turns < 6; turns++) {
        comch_make_server(&server, COMCH_HOST, name, TASKS);
        comch_make_client(&client, COMCH_HOST, name, TASKS);
        server.on_connect = greet_often;
        client.on_message = check_order;
        comch_start_server(&server);
        comch_start_client(&client);
        for (i = 0; i < turns; i++)
            (void)comch_progress(&client);
        for (idle = 0; idle < 1000; idle++)
            if (comch_progress(&server))
                idle = 0;
        comch_stop(&client);
        comch_settle();
        CHECK_EQ(server.num_sent + server.num_failed, server.num_connects * TASKS);
        CHECK_EQ(client.num_received, server.num_sent);
        comch_destroy(&client);
        comch_close(&server);
    }
}

/* Each send in flight when the connection ends completes once. If it succeeds, the other side has
 * the message; otherwise it fails. */
static void sends_in_flight_complete_once_when_the_peer_leaves(void)
{
    const char *name = comch_name();
    struct comch_end server, client;
    unsigned i, round;

    number_them();
    for (round = 0; round < 3; round++) {
        unsigned submitted = 0;

        comch_make_server(&server, COMCH_HOST, name, MANY);
        comch_make_client(&client, COMCH_HOST, name, MANY);
        CHECK_OK(doca_comch_server_set_recv_queue_size(server.server, 10));
        server.on_message = check_order;
        comch_start_server(&server);
        comch_start_client(&client);
        COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
        for (i = 0; i < MANY; i++) {
            doca_error_t rc =
                comch_try_send(&client, client.conns[0], &numbered[i], numbered_len(i));

            if (rc == DOCA_ERROR_AGAIN)
                break;
            CHECK_OK(rc);
            submitted++;
        }
        for (i = 0; i < 10 * round; i++)
            comch_turn();
        comch_stop(&server);
        COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && client.num_conns == 0);
        CHECK_EQ(client.num_sent + client.num_failed, submitted);
        CHECK(server.num_received >= client.num_sent);
        if (client.num_failed > 0)
            CHECK(client.status == DOCA_ERROR_CONNECTION_RESET);
        comch_destroy(&client);
        comch_destroy(&server);
    }
}

static void own_stop_completes_every_send_once(void)
{
    struct comch_end server, client;
    unsigned i, round, submitted;

    number_them();
    for (round = 0; round < 4; round++) {
        comch_open(&server, &client, MANY);
        for (submitted = 0; submitted < MANY; submitted++)
            if (comch_try_send(&client, client.conns[0], &numbered[submitted],
                               numbered_len(submitted)) != DOCA_SUCCESS)
                break;
        server.on_message = check_order;
        for (i = 0; i < 5 * round; i++)
            comch_turn();
        comch_stop(&client);
        COMCH_UNTIL(server.num_disconnects == 1);
        CHECK_EQ(client.num_sent + client.num_failed, submitted);
        CHECK(server.num_received >= client.num_sent);
        comch_destroy(&client);
        comch_close(&server);
    }
}

/* A task that the program holds keeps its context from becoming idle. */
static void unfreed_task_keeps_the_context_stopping(void)
{
    struct doca_comch_task_send *task;
    struct comch_end server, client;

    comch_open(&server, &client, 2);
    CHECK_OK(comch_alloc(&client, client.conns[0], "x", 1, &task));
    CHECK_RC(doca_ctx_stop(client.ctx), DOCA_ERROR_IN_PROGRESS);
    comch_settle();
    CHECK_EQ(rig_state(client.ctx), DOCA_CTX_STATE_STOPPING);
    CHECK_RC(comch_submit(task), DOCA_ERROR_BAD_STATE);
    doca_task_free(doca_comch_task_send_as_task(task));
    COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && server.num_disconnects == 1);
    comch_destroy(&client);
    comch_close(&server);
}

/* ---- connections that are not established ---- */

/* The connection has ended, so the message is refused, or its task fails. */
static void try_to_send(struct comch_end *e, struct doca_comch_connection *c)
{
    doca_error_t rc = comch_try_send(e, c, "late", 4);

    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_BAD_STATE || rc == DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_connection_update_info(c), DOCA_ERROR_CONNECTION_ABORTED);
    e->todo = 1 + (rc == DOCA_SUCCESS);
}

static void connection_that_has_ended_takes_no_message(void)
{
    struct comch_end server, client;

    comch_open(&server, &client, 1);
    server.on_disconnect = try_to_send;
    comch_stop(&client);
    COMCH_UNTIL(server.num_disconnects == 1);
    CHECK(server.todo > 0);
    COMCH_UNTIL(server.num_failed == server.todo - 1);
    if (server.num_failed > 0)
        CHECK_RC(server.status, DOCA_ERROR_CONNECTION_RESET);
    comch_settle();
    CHECK_EQ(server.num_sent, 0);
    CHECK_EQ(server.num_failed, server.todo - 1);
    comch_close(&server);
    comch_destroy(&client);
}

static void client_that_is_starting_takes_no_message(void)
{
    struct doca_comch_connection *c = NULL;
    struct comch_end server, client;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 1);
    comch_make_client(&client, COMCH_HOST, name, 1);
    comch_start_server(&server);
    comch_start_client(&client);
    if (doca_comch_client_get_connection(client.client, &c) == DOCA_SUCCESS)
        CHECK_RC(comch_try_send(&client, c, "early", 5), DOCA_ERROR_BAD_STATE);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    comch_settle();
    CHECK_EQ(server.num_received, 0);
    comch_close_both(&server, &client);
}

/* ---- many clients ---- */

static void server_addresses_any_of_its_clients(void)
{
    enum { CLIENTS = 8 };
    struct comch_end server, clients[CLIENTS];
    const char *name = comch_name();
    unsigned i, k;

    number_them();
    comch_make_server(&server, COMCH_HOST, name, CLIENTS);
    comch_start_server(&server);
    for (i = 0; i < CLIENTS; i++) {
        comch_make_client(&clients[i], COMCH_HOST, name, 1);
        comch_start_client(&clients[i]);
        COMCH_UNTIL(comch_runs(&clients[i]) && server.num_conns == i + 1);
    }
    for (k = 0; k < 20; k++) {
        for (i = 0; i < CLIENTS; i++)
            comch_send_to(&server, server.conns[i], &numbered[10 * k + i],
                          numbered_len(10 * k + i));
        for (i = 0; i < CLIENTS; i++) {
            COMCH_UNTIL(clients[i].num_received == k + 1);
            check_numbered(clients[i].text, clients[i].len, 10 * k + i);
        }
        COMCH_UNTIL(server.num_sent == (k + 1) * CLIENTS);
        i = k * 5 % CLIENTS;
        comch_deliver(&clients[i], &server, &numbered[k], numbered_len(k));
        CHECK_PTR(server.from, server.conns[i]);
    }
    for (i = 0; i < CLIENTS; i++)
        comch_close(&clients[i]);
    comch_close(&server);
}

/* ---- counters ---- */

static uint64_t counter(const struct doca_comch_connection *c, enum doca_comch_counter which)
{
    uint64_t value = 12345;

    CHECK_OK(doca_comch_connection_get_counter(c, which, &value));
    return value;
}

static void check_counters(const struct doca_comch_connection *c, uint64_t sent,
                           uint64_t sent_bytes, uint64_t received, uint64_t received_bytes)
{
    CHECK_EQ(counter(c, DOCA_COMCH_COUNTER_SENT_MESSAGES), sent);
    CHECK_EQ(counter(c, DOCA_COMCH_COUNTER_SENT_BYTES), sent_bytes);
    CHECK_EQ(counter(c, DOCA_COMCH_COUNTER_RECV_MESSAGES), received);
    CHECK_EQ(counter(c, DOCA_COMCH_COUNTER_RECV_BYTES), received_bytes);
}

static void counters_change_only_by_an_update(void)
{
    struct comch_end server, client;
    struct doca_comch_connection *s, *c;
    uint64_t value = 9;

    comch_open(&server, &client, 1);
    s = server.conns[0];
    c = client.conns[0];
    CHECK_OK(doca_comch_connection_update_info(s));
    CHECK_OK(doca_comch_connection_update_info(c));
    check_counters(s, 0, 0, 0, 0);
    check_counters(c, 0, 0, 0, 0);
    comch_deliver(&client, &server, rig_from, 10);
    comch_deliver(&client, &server, rig_from, 20);
    comch_deliver(&server, &client, rig_from, 4000);
    comch_settle();
    check_counters(s, 0, 0, 0, 0);
    check_counters(c, 0, 0, 0, 0);
    CHECK_OK(doca_comch_connection_update_info(s));
    CHECK_OK(doca_comch_connection_update_info(c));
    check_counters(s, 1, 4000, 2, 30);
    check_counters(c, 2, 30, 1, 4000);
    comch_deliver(&server, &client, rig_from, 0);
    CHECK_OK(doca_comch_connection_update_info(c));
    check_counters(c, 2, 30, 2, 4000);
    check_counters(s, 1, 4000, 2, 30);
    CHECK_RC(doca_comch_connection_get_counter(c, (enum doca_comch_counter)0, &value),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_connection_get_counter(c, (enum doca_comch_counter)5, &value),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_connection_get_counter(NULL, DOCA_COMCH_COUNTER_SENT_BYTES, &value),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_connection_get_counter(c, DOCA_COMCH_COUNTER_SENT_BYTES, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_connection_update_info(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(value, 9);
    comch_close_both(&server, &client);
}

static const struct test_case cases[] = {
    CASE(messages_of_every_length_arrive_unchanged, "335 356 362"),
    CASE(wrong_arguments_of_a_send_are_refused, "363"),
    CASE(smaller_size_of_the_two_sides_binds, "342"),
    CASE(messages_and_completions_keep_their_order, "367"),
    CASE(full_queue_gives_again_and_loses_nothing, "365 367"),
    CASE(sender_may_make_progress_alone, "367"),
    CASE(empty_pool_gives_no_memory, "364"),
    CASE(freed_task_can_be_used_in_the_same_callback, "364"),
    CASE(task_can_be_submitted_again_in_its_callback, "363"),
    CASE(completed_message_is_delivered, "362 363"),
    CASE(orderly_stop_of_a_client_loses_no_sent_message, "362"),
    CASE(orderly_stop_of_a_server_loses_no_sent_message, "362"),
    CASE(stop_of_a_connecting_client_loses_no_sent_message, "362"),
    CASE(sends_in_flight_complete_once_when_the_peer_leaves, "362 366"),
    CASE(own_stop_completes_every_send_once, "349"),
    CASE(unfreed_task_keeps_the_context_stopping, "349"),
    CASE(connection_that_has_ended_takes_no_message, "354 368 382"),
    CASE(client_that_is_starting_takes_no_message, "368"),
    CASE(server_addresses_any_of_its_clients, "329 368"),
    CASE(counters_change_only_by_an_update, "382"),
};

TEST_MAIN(cases)

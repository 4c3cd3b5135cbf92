/* DOCA Comch with injected faults (>>fault): start, connection, and every type of task. Both ends
 * live in one thread, and both devices have fault injection. */
#include "comch_data.h"

#include <poll.h>
#include <sys/wait.h>

enum { TASKS = 8, BYTES = 256, LONG = 200000, MANY = 400, CROWD = 256, HOLE = 0x5a };

static unsigned char source[LONG], sink[LONG];

static void fault_text(const char *text)
{
    CHECK_OK(doca_core_fault_set(text));
}

/* Begin a case: devices that are opened from now on have fault injection, without rules. */
static void fault_begin(void)
{
    size_t i;

    fault_text("log=0");
    for (i = 0; i < sizeof(source); i++)
        source[i] = (unsigned char)(i * 31 + (i >> 8) * 7 + 1);
    memset(sink, HOLE, sizeof(sink));
}

static void fault_end(void)
{
    fault_text(NULL);
    CHECK_EQ(doca_core_fault_get_num_held(), 0);
}

/* Fault number `number` has this operation and action. */
static void check_record(uint64_t number, const char *operation, const char *action)
{
    struct doca_core_fault_record record;

    CHECK_OK(doca_core_fault_get_record(number, &record));
    CHECK_STR(record.operation, operation);
    CHECK_STR(record.action, action);
}

/* A server with a producer, and a client with a consumer. */
struct pair {
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;
};

static void pair_open(struct pair *p)
{
    fault_begin();
    comch_open(&p->server, &p->client, TASKS);
    consumer_make(&p->consumer, &p->client, NULL, sink, sizeof(sink), TASKS);
    producer_make(&p->producer, &p->server, NULL, source, sizeof(source), TASKS);
    producer_start(&p->producer);
    consumer_start(&p->consumer);
    COMCH_UNTIL(p->server.num_consumers == 1);
}

static void pair_close(struct pair *p)
{
    fault_end();
    consumer_close(&p->consumer);
    producer_close(&p->producer);
    comch_close_both(&p->server, &p->client);
}

static bool is_untouched(const unsigned char *at, size_t len)
{
    while (len > 0 && at[len - 1] == HOLE)
        len--;
    return len == 0;
}

/* A message of the data path arrives: nothing is left of earlier faults. */
static void data_arrives(struct pair *p, size_t len)
{
    const unsigned ok = p->consumer.num_ok, sent = p->producer.num_ok;

    consumer_post(&p->consumer, 0, len);
    producer_send(&p->producer, 0, len, p->consumer.id);
    COMCH_UNTIL(p->consumer.num_ok == ok + 1 && p->producer.num_ok == sent + 1);
    CHECK_EQ(p->consumer.len, len);
    CHECK_MEM(p->consumer.data, source, len);
}

/* ---- tasks that fail ---- */

static char endings[TASKS + 1]; /* a letter for each completed send: o, or f when it failed */

static void note_ending(struct comch_end *e, struct doca_comch_task_send *task, bool is_ok)
{
    const size_t num = strlen(endings);

    (void)e;
    (void)task;
    CHECK(num < TASKS);
    endings[num] = is_ok ? 'o' : 'f';
    endings[num + 1] = '\0';
}

/* The second of three messages of `from` fails. The peer gets the first and the third message in
 * this order, and the tasks complete in order. Messages that `from` has received before do not
 * matter. */
static void fail_one_message(struct comch_end *from, struct comch_end *to, const char *text,
                             doca_error_t want)
{
    const unsigned received = to->num_received, sent = from->num_sent, failed = from->num_failed;
    unsigned i;

    fault_text("");
    for (i = 0; i < 3; i++)
        comch_deliver(to, from, "before", 6);
    endings[0] = '\0';
    from->on_sent = note_ending;
    fault_text(text);
    comch_send(from, "first", 5);
    comch_send(from, "second message", 14);
    comch_send(from, "3", 1);
    COMCH_UNTIL(from->num_sent == sent + 2 && from->num_failed == failed + 1 &&
                to->num_received == received + 2);
    comch_settle();
    from->on_sent = NULL;
    CHECK_STR(endings, "ofo");
    CHECK_EQ(from->num_sent, sent + 2);
    CHECK_EQ(from->num_failed, failed + 1);
    CHECK_RC(from->status, want);
    CHECK_EQ(to->num_received, received + 2);
    CHECK_EQ(to->len, 1);
    CHECK_EQ(to->text[0], '3');
    CHECK_EQ(doca_core_fault_get_num(), 1);
    check_record(1, "comch.complete", "fail");
}

static void failed_message_is_not_sent_and_the_connection_goes_on(void)
{
    struct comch_end server, client;
    uint64_t num = 0;

    fault_begin();
    comch_open(&server, &client, TASKS);
    fail_one_message(&client, &server, "comch.complete=fail:NO_MEMORY@2,log=0",
                     DOCA_ERROR_NO_MEMORY);
    client.num_failed = 0;
    fail_one_message(&server, &client, "comch.complete=fail@2,log=0", DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_comch_connection_update_info(client.conns[0]));
    CHECK_OK(
        doca_comch_connection_get_counter(client.conns[0], DOCA_COMCH_COUNTER_SENT_MESSAGES, &num));
    CHECK_EQ(num, 5); /* the failed one does not count */
    fault_text("");
    server.num_failed = 0;
    comch_deliver(&client, &server, "works", 5);
    comch_deliver(&server, &client, "works too", 9);
    CHECK_EQ(server.num_disconnects, 0);
    fault_end();
    comch_close_both(&server, &client);
}

static void refused_submit_leaves_the_task_with_the_program(void)
{
    struct doca_comch_producer_task_send *sending;
    struct doca_comch_consumer_task_post_recv *posting;
    struct doca_comch_task_send *task;
    struct pair p;

    pair_open(&p);
    CHECK_OK(comch_alloc(&p.client, p.client.conns[0], "again", 5, &task));
    fault_text("comch.submit=fail:BAD_STATE@1,comch.submit=again@2,log=0");
    CHECK_RC(comch_submit(task), DOCA_ERROR_BAD_STATE);
    CHECK_RC(comch_submit(task), DOCA_ERROR_AGAIN);
    comch_settle();
    CHECK_EQ(p.client.num_sent + p.client.num_failed + p.server.num_received, 0);
    CHECK_OK(comch_submit(task));
    COMCH_UNTIL(p.client.num_sent == 1 && p.server.num_received == 1);

    fault_text("consumer.submit=fail:FULL@1,producer.submit=fail:TOO_BIG@1,log=0");
    posting = consumer_task(&p.consumer, consumer_buf(&p.consumer, 0, BYTES));
    CHECK_RC(consumer_submit(posting), DOCA_ERROR_FULL);
    CHECK_OK(consumer_submit(posting));
    sending =
        producer_task(&p.producer, producer_buf(&p.producer, 0, BYTES), NULL, 0, p.consumer.id);
    CHECK_RC(producer_submit(sending), DOCA_ERROR_TOO_BIG);
    comch_settle();
    CHECK(is_untouched(sink, sizeof(sink)));
    CHECK_OK(producer_submit(sending));
    COMCH_UNTIL(p.consumer.num_ok == 1 && p.producer.num_ok == 1);
    CHECK_EQ(p.consumer.num_failed + p.producer.num_failed + p.client.num_failed, 0);
    pair_close(&p);
}

/* Messages of each path through the ring: in the slot, in a chunk, streamed. */
static void failed_send_of_a_producer_moves_no_byte_and_takes_no_buffer(void)
{
    static const size_t lens[] = { 16, 1000, LONG };
    struct pair p;
    unsigned i;

    pair_open(&p);
    for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        consumer_post(&p.consumer, 0, lens[i]);
        fault_text("producer.complete=fail:NOT_PERMITTED@1,log=0");
        producer_send(&p.producer, 0, lens[i], p.consumer.id);
        COMCH_UNTIL(p.producer.num_failed == i + 1);
        comch_settle();
        CHECK_RC(p.producer.status, DOCA_ERROR_NOT_PERMITTED);
        CHECK_EQ(p.producer.num_ok, i);
        CHECK_EQ(p.consumer.num_ok, i); /* the posted task still waits */
        CHECK(is_untouched(sink, sizeof(sink)));
        fault_text("");
        producer_send(&p.producer, 0, lens[i], p.consumer.id); /* into the same buffer */
        COMCH_UNTIL(p.consumer.num_ok == i + 1 && p.producer.num_ok == i + 1);
        CHECK_MEM(sink, source, lens[i]);
        memset(sink, HOLE, sizeof(sink));
    }
    CHECK_EQ(p.consumer.num_failed, 0);
    pair_close(&p);
}

static void failed_send_without_a_posted_buffer_completes(void)
{
    struct pair p;

    pair_open(&p);
    fault_text("producer.complete=fail@1,log=0");
    CHECK_OK(producer_submit(
        producer_task(&p.producer, producer_buf(&p.producer, 0, BYTES), NULL, 0, p.consumer.id)));
    COMCH_UNTIL(p.producer.num_failed == 1);
    CHECK_RC(p.producer.status, DOCA_ERROR_IO_FAILED);
    data_arrives(&p, BYTES);
    pair_close(&p);
}

/* Of three posted tasks the second fails. It takes no message: the second message goes into the
 * buffer of the third task. */
static void failed_receive_task_takes_no_message(void)
{
    struct pair p;
    unsigned i;

    pair_open(&p);
    fault_text("consumer.complete=fail:EMPTY@2,log=0");
    for (i = 0; i < 3; i++)
        consumer_post(&p.consumer, (size_t)i * BYTES, BYTES);
    comch_settle();
    CHECK_EQ(p.consumer.num_failed, 0); /* tasks complete in the order of their posts */
    producer_send(&p.producer, 0, 100, p.consumer.id);
    COMCH_UNTIL(p.consumer.num_ok == 1 && p.consumer.num_failed == 1);
    CHECK_RC(p.consumer.status, DOCA_ERROR_EMPTY);
    CHECK_MEM(sink, source, 100);
    producer_send(&p.producer, 500, 70, p.consumer.id);
    COMCH_UNTIL(p.consumer.num_ok == 2 && p.producer.num_ok == 2);
    comch_settle();
    CHECK_EQ(p.consumer.num_failed, 1);
    CHECK_EQ(p.producer.num_failed, 0);
    CHECK(is_untouched(sink + BYTES, BYTES));
    CHECK_MEM(sink + (size_t)2 * BYTES, source + 500, 70);
    check_record(1, "consumer.complete", "fail");
    data_arrives(&p, BYTES);
    pair_close(&p);
}

/* More messages than the socket has room for, with one failure among those that wait for room. In
 * the second round the client stops while they wait. */
static void messages_that_wait_for_the_socket_complete_once(void)
{
    static unsigned char text[COMCH_MAX_MSG];
    struct comch_end server, client;
    unsigned i, round;

    for (round = 0; round < 2; round++) {
        fault_begin();
        comch_open(&server, &client, CROWD);
        fault_text("comch.complete=fail:TOO_BIG@250,log=0");
        for (i = 0; i < CROWD; i++)
            comch_send(&client, text, sizeof(text));
        comch_settle_end(&client);
        CHECK(client.num_sent < CROWD - 10); /* the others wait */
        CHECK_EQ(client.num_failed, 0);
        if (round == 1) {
            comch_stop_ctx(client.ctx);
            COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE));
            comch_settle();
            CHECK_EQ(client.num_sent + client.num_failed, CROWD);
        } else {
            COMCH_UNTIL(client.num_sent == CROWD - 1 && server.num_received == CROWD - 1);
            CHECK_EQ(client.num_failed, 1);
            CHECK_RC(client.status, DOCA_ERROR_TOO_BIG);
        }
        CHECK_EQ(server.num_received, client.num_sent);
        fault_end();
        comch_close_both(&server, &client);
    }
}

/* ---- tasks that are late ---- */

static void late_completions_do_not_delay_the_bytes(void)
{
    struct pair p;

    pair_open(&p);
    fault_text("*.complete=hold,log=0");
    comch_send(&p.client, "held", 4);
    consumer_post(&p.consumer, 0, BYTES);
    producer_send(&p.producer, 0, BYTES, p.consumer.id);
    CHECK_EQ(doca_core_fault_get_num_held(), 3);
    COMCH_UNTIL(p.server.num_received == 1);
    comch_settle();
    CHECK_MEM(sink, source, BYTES);
    CHECK_EQ(p.client.num_sent + p.producer.num_ok + p.consumer.num_ok, 0);
    CHECK_EQ(rig_inflight(p.client.ctx), 1);
    CHECK_EQ(doca_core_fault_release(UINT32_MAX), 3);
    COMCH_UNTIL(p.client.num_sent == 1 && p.producer.num_ok == 1 && p.consumer.num_ok == 1);
    CHECK_EQ(p.consumer.len, BYTES);

    fault_text("*.complete=delay:20,log=0");
    comch_send(&p.client, "late", 4);
    CHECK(!comch_progress(&p.client));
    COMCH_UNTIL(p.client.num_sent == 2 && p.server.num_received == 2);
    fault_text("*.complete=delay:2ms,log=0");
    consumer_post(&p.consumer, 0, BYTES);
    producer_send(&p.producer, 0, BYTES, p.consumer.id);
    COMCH_UNTIL(p.producer.num_ok == 2 && p.consumer.num_ok == 2);
    pair_close(&p);
}

static unsigned order[TASKS], num_in_order;

static void note_order(struct comch_consumer *c, struct doca_comch_consumer_task_post_recv *task,
                       bool is_ok)
{
    unsigned char *addr = NULL;
    void *data = NULL;

    CHECK(is_ok);
    CHECK_OK(doca_buf_get_data(doca_comch_consumer_task_post_recv_get_buf(task), &data));
    addr = data;
    CHECK(num_in_order < TASKS);
    order[num_in_order++] = (unsigned)((size_t)(addr - c->memory) / BYTES);
}

static void reordered_completions_change_places(void)
{
    struct pair p;
    unsigned i;

    pair_open(&p);
    num_in_order = 0;
    p.consumer.on_task = note_order;
    fault_text("consumer.complete=reorder@1,producer.complete=reorder:2@1,comch.complete=reorder@1,"
               "log=0");
    for (i = 0; i < 3; i++) {
        consumer_post(&p.consumer, (size_t)i * BYTES, BYTES);
        producer_send(&p.producer, i, BYTES, p.consumer.id);
        comch_send(&p.client, "123", i + 1);
    }
    COMCH_UNTIL(p.consumer.num_ok == 3 && p.producer.num_ok == 3 && p.client.num_sent == 3 &&
                p.server.num_received == 3);
    CHECK_EQ(order[0], 1);
    CHECK_EQ(order[1], 0);
    CHECK_EQ(order[2], 2);
    for (i = 0; i < 3; i++)
        CHECK_MEM(sink + (size_t)i * BYTES, source + i, BYTES);
    CHECK_EQ(p.server.len, 3); /* the messages keep their order */
    p.consumer.on_task = NULL;
    pair_close(&p);
}

/* True when a program that sleeps on the handle of the PE is woken at once. */
static bool is_readable(struct doca_pe *pe)
{
    struct pollfd wait = { -1, POLLIN, 0 };
    bool is_woken;

    CHECK_OK(doca_pe_get_notification_handle(pe, &wait.fd));
    CHECK_OK(doca_pe_request_notification(pe));
    is_woken = poll(&wait, 1, 0) > 0;
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    return is_woken;
}

static void late_completions_wake_sleepers(void)
{
    struct pair p;

    pair_open(&p);
    consumer_post(&p.consumer, 0, BYTES);
    comch_settle();
    CHECK(!is_readable(p.client.pe));
    CHECK(!is_readable(p.producer.pe));
    fault_text("comch.complete=delay:3,producer.complete=fail@1,log=0");
    comch_send(&p.client, "late", 4);
    producer_send(&p.producer, 0, BYTES, p.consumer.id);
    while (p.client.num_sent == 0) {
        CHECK(is_readable(p.client.pe));
        (void)comch_progress(&p.client);
    }
    CHECK(is_readable(p.producer.pe));
    COMCH_UNTIL(p.producer.num_failed == 1);
    comch_settle();
    CHECK(!is_readable(p.producer.pe));
    pair_close(&p);
}

/* ---- start and connection ---- */

static void start_fails_and_succeeds_afterwards(void)
{
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;
    const char *name;

    fault_begin();
    name = comch_name();
    comch_make_server(&server, COMCH_HOST, name, TASKS);
    comch_make_client(&client, COMCH_HOST, name, TASKS);
    fault_text("comch.open=fail:NO_MEMORY@1,comch.open=again@2,log=0");
    CHECK_RC(doca_ctx_start(server.ctx), DOCA_ERROR_NO_MEMORY);
    CHECK(comch_is(&server, DOCA_CTX_STATE_IDLE));
    CHECK_RC(doca_ctx_start(client.ctx), DOCA_ERROR_AGAIN);
    CHECK(comch_is(&client, DOCA_CTX_STATE_IDLE));
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    consumer_make(&consumer, &client, NULL, sink, sizeof(sink), TASKS);
    producer_make(&producer, &server, NULL, source, sizeof(source), TASKS);
    fault_text("consumer.open=fail@1,producer.open=fail:OPERATING_SYSTEM@1,log=0");
    CHECK_RC(doca_ctx_start(consumer.ctx), DOCA_ERROR_IO_FAILED);
    CHECK_RC(doca_ctx_start(producer.ctx), DOCA_ERROR_OPERATING_SYSTEM);
    comch_settle();
    CHECK_EQ(server.num_consumers, 0);
    check_record(1, "consumer.open", "fail");
    check_record(2, "producer.open", "fail");
    consumer_start(&consumer);
    producer_start(&producer);
    COMCH_UNTIL(server.num_consumers == 1);
    consumer_post(&consumer, 0, BYTES);
    producer_send(&producer, 0, BYTES, consumer.id);
    COMCH_UNTIL(consumer.num_ok == 1 && producer.num_ok == 1);
    fault_end();
    consumer_close(&consumer);
    producer_close(&producer);
    comch_close_both(&server, &client);
}

static void delayed_start_ends_or_is_stopped(void)
{
    struct comch_end server, client;
    const char *name;
    unsigned round;

    fault_begin();
    name = comch_name();
    comch_make_server(&server, COMCH_HOST, name, TASKS);
    comch_make_client(&client, COMCH_HOST, name, TASKS);
    fault_text("comch.open=delay:5,log=0");
    CHECK_RC(doca_ctx_start(server.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK(comch_is(&server, DOCA_CTX_STATE_STARTING));
    COMCH_UNTIL(comch_is(&server, DOCA_CTX_STATE_RUNNING));
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    comch_deliver(&client, &server, "late but here", 13);
    comch_stop(&client);
    comch_stop(&server);
    fault_text("comch.open=delay:100s,log=0");
    for (round = 0; round < 2; round++) { /* the stop does not wait for the delay */
        struct comch_end *e = round == 0 ? &server : &client;

        CHECK_RC(doca_ctx_start(e->ctx), DOCA_ERROR_IN_PROGRESS);
        comch_settle();
        CHECK(comch_is(e, DOCA_CTX_STATE_STARTING));
        comch_stop(e);
    }
    fault_end();
    comch_close_both(&server, &client);
}

/* A fault refuses the k-th decision about a connection: the first decision is the client's, the
 * second the server's. The client that could not connect connects afterwards. */
static void refused_connection_stops_the_client_only(void)
{
    struct comch_end server, client;
    char text[64];
    const char *name;
    unsigned k;

    for (k = 1; k <= 2; k++) {
        fault_begin();
        name = comch_name();
        comch_make_server(&server, COMCH_HOST, name, TASKS);
        comch_make_client(&client, COMCH_HOST, name, TASKS);
        comch_start_server(&server);
        snprintf(text, sizeof(text), "comch.connect=fail:FULL@%u,log=0", k);
        fault_text(text);
        comch_start_client(&client);
        COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && client.num_states == 3);
        comch_settle();
        CHECK_STR(client.states, "IS SP PI");
        CHECK(comch_is(&server, DOCA_CTX_STATE_RUNNING));
        CHECK_EQ(server.num_connects, 0);
        check_record(1, "comch.connect", "fail");
        CHECK_EQ(doca_core_fault_get_num(), 1);
        fault_text("");
        comch_start_client(&client);
        COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
        comch_deliver(&client, &server, "connected", 9);
        fault_end();
        comch_close_both(&server, &client);
    }
}

/* ---- stop, and the end of the device ---- */

static void stop_ends_late_tasks_once(void)
{
    struct pair p;
    unsigned i;

    pair_open(&p);
    fault_text("*.complete=hold,comch.complete=fail@2,producer.complete=fail@2,"
               "consumer.complete=fail@3,log=0");
    for (i = 0; i < 3; i++) {
        consumer_post(&p.consumer, (size_t)i * BYTES, BYTES);
        if (i < 2)
            comch_send(&p.client, "held", 4);
    }
    for (i = 0; i < 2; i++)
        producer_send(&p.producer, 0, BYTES, p.consumer.id);
    comch_settle();
    CHECK_EQ(p.client.num_sent + p.client.num_failed, 0);
    producer_stop(&p.producer);
    CHECK_EQ(p.producer.num_ok, 1);
    CHECK_EQ(p.producer.num_failed, 1);
    consumer_stop(&p.consumer);
    CHECK_EQ(p.consumer.num_ok, 1); /* the other task that the device has is flushed */
    CHECK_EQ(p.consumer.num_failed, 2);
    CHECK_OK(doca_comch_consumer_destroy(p.consumer.consumer));
    CHECK_OK(doca_comch_producer_destroy(p.producer.producer));
    p.consumer.consumer = NULL;
    p.producer.producer = NULL;
    comch_stop(&p.client);
    CHECK_EQ(p.client.num_sent, 1);
    CHECK_EQ(p.client.num_failed, 1);
    CHECK_EQ(doca_core_fault_get_num_held(), 0);
    pair_close(&p);
}

/* The program frees posted tasks: a task that is to fail, a task whose message has arrived but
 * whose completion is held, and a task that waits for its message. */
static void posted_tasks_with_faults_may_be_freed(void)
{
    struct doca_comch_consumer_task_post_recv *tasks[4];
    struct pair p;
    unsigned i;

    pair_open(&p);
    fault_text("consumer.complete=hold@1,consumer.complete=fail@2,log=0");
    for (i = 0; i < 4; i++) {
        tasks[i] = consumer_task(&p.consumer, consumer_buf(&p.consumer, (size_t)i * BYTES, BYTES));
        CHECK_OK(consumer_submit(tasks[i]));
    }
    comch_settle();
    consumer_release(tasks[1]);
    producer_send(&p.producer, 0, BYTES, p.consumer.id);
    COMCH_UNTIL(p.producer.num_ok == 1);
    comch_settle();
    CHECK_EQ(p.consumer.num_ok, 0);
    CHECK_EQ(doca_core_fault_get_num_held(), 1);
    consumer_release(tasks[0]);
    CHECK_EQ(doca_core_fault_get_num_held(), 0);
    consumer_release(tasks[2]);
    producer_send(&p.producer, 7, BYTES, p.consumer.id); /* for the last task */
    COMCH_UNTIL(p.consumer.num_ok == 1);
    CHECK_MEM(sink + (size_t)3 * BYTES, source + 7, BYTES);
    CHECK_EQ(p.consumer.num_failed, 0);
    CHECK_EQ(rig_inflight(p.consumer.ctx), 0);
    data_arrives(&p, BYTES);
    pair_close(&p);
}

static void lost_device_ends_its_contexts(void)
{
    struct comch_end server, client;

    fault_begin();
    comch_open(&server, &client, TASKS);
    comch_deliver(&client, &server, "before", 6);
    fault_text("comch.complete=lose@2,log=0");
    comch_send(&client, "arrives", 7);
    comch_send(&client, "is lost", 7);
    COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE) && server.num_disconnects == 1);
    CHECK_EQ(client.num_sent, 2);
    CHECK_EQ(client.num_failed, 1);
    CHECK_RC(client.status, DOCA_ERROR_DRIVER);
    CHECK_EQ(server.num_received, 2);
    CHECK_RC(doca_ctx_start(client.ctx), DOCA_ERROR_DRIVER);
    CHECK(comch_is(&server, DOCA_CTX_STATE_RUNNING)); /* its device works */
    fault_end();
    comch_close_both(&server, &client);
}

/* ---- each operation in turn ---- */

/* Start a client until the server has accepted it. */
static void ladder_connect(struct comch_end *server, struct comch_end *client)
{
    doca_error_t rc;

    do {
        rc = doca_ctx_start(client->ctx);
        if (rc != DOCA_ERROR_IN_PROGRESS)
            CHECK_RC(rc, DOCA_ERROR_IO_FAILED);
        COMCH_UNTIL(comch_is(client, DOCA_CTX_STATE_IDLE) || comch_runs(client));
    } while (!comch_runs(client));
    COMCH_UNTIL(server->num_conns == 1);
}

/* Start a context. When a rule refuses the first call, call again. */
static void ladder_start(struct doca_ctx *ctx)
{
    if (doca_ctx_start(ctx) == DOCA_ERROR_IO_FAILED)
        (void)doca_ctx_start(ctx);
    COMCH_UNTIL(rig_state(ctx) == DOCA_CTX_STATE_RUNNING);
}

/* Start, connect, send on both paths, and repeat each call that fails. Every submitted task
 * completes once. */
static void ladder_climb(struct pair *p)
{
    struct doca_comch_consumer_task_post_recv *post;
    struct doca_comch_producer_task_send *task;
    unsigned i;

    ladder_start(p->server.ctx);
    ladder_connect(&p->server, &p->client);
    consumer_make(&p->consumer, &p->client, NULL, sink, sizeof(sink), TASKS);
    producer_make(&p->producer, &p->server, NULL, source, sizeof(source), TASKS);
    ladder_start(p->consumer.ctx);
    ladder_start(p->producer.ctx);
    COMCH_UNTIL(p->server.num_consumers == 1);
    for (i = 0; i < 2; i++) {
        if (comch_try_send(&p->client, p->client.conns[0], "up", 2) != DOCA_SUCCESS)
            comch_send(&p->client, "up", 2);
        if (comch_try_send(&p->server, p->server.conns[0], "down", 4) != DOCA_SUCCESS)
            comch_send(&p->server, "down", 4);
        post = consumer_task(&p->consumer, consumer_buf(&p->consumer, (size_t)i * BYTES, BYTES));
        if (consumer_submit(post) != DOCA_SUCCESS)
            CHECK_OK(consumer_submit(post));
    }
    task =
        producer_task(&p->producer, producer_buf(&p->producer, 0, BYTES), NULL, 0, p->consumer.id);
    if (producer_submit(task) == DOCA_ERROR_IO_FAILED)
        CHECK_OK(producer_submit(task));
    COMCH_UNTIL(p->client.num_sent + p->client.num_failed == 2 &&
                p->server.num_sent + p->server.num_failed == 2 &&
                p->producer.num_ok + p->producer.num_failed == 1 &&
                p->client.num_received == p->server.num_sent &&
                p->server.num_received == p->client.num_sent);
    comch_settle();
    CHECK_EQ(p->consumer.num_ok, p->producer.num_ok);
}

static void each_operation_fails_in_turn(void)
{
    bool has_failed = true;
    const char *name;
    char text[100];
    struct pair p;
    unsigned k;

    for (k = 1; has_failed; k++) {
        fault_begin();
        name = comch_name();
        comch_make_server(&p.server, COMCH_HOST, name, TASKS);
        comch_make_client(&p.client, COMCH_HOST, name, TASKS);
        snprintf(text, sizeof(text), "comch.*=fail@%u,consumer.*=fail@%u,producer.*=fail@%u,log=0",
                 k, k, k);
        fault_text(text);
        ladder_climb(&p);
        has_failed = doca_core_fault_get_num() > 0;
        CHECK(has_failed || p.client.num_failed + p.server.num_failed == 0);
        pair_close(&p);
        CHECK_EQ(p.consumer.num_ok + p.consumer.num_failed, 2);
    }
    /* comch has 2 starts, 2 connects, 4 submits, 4 completions; the last round has no fault */
    CHECK_EQ(k, 2 + 2 + 4 + 4 + 2);
}

/* ---- many ---- */

/* Send messages with random faults. The result is a number that depends on the failed messages. */
static uint64_t soak(const char *text)
{
    unsigned i, before, posted = 0;
    uint64_t pattern = 0;
    struct pair p;

    pair_open(&p);
    fault_text(text);
    for (i = 0; i < MANY; i++) {
        before = p.client.num_failed + p.producer.num_failed * 3;
        if (comch_try_send(&p.client, p.client.conns[0], "x", 1) == DOCA_SUCCESS)
            COMCH_UNTIL(rig_inflight(p.client.ctx) == 0);
        else
            pattern++;
        for (; posted == p.producer.num_ok; posted++)
            consumer_post(&p.consumer, 0, BYTES);
        producer_send(&p.producer, 0, BYTES, p.consumer.id);
        COMCH_UNTIL(rig_inflight(p.producer.ctx) == 0);
        pattern = pattern * 31 + p.client.num_failed + p.producer.num_failed * 3 - before;
    }
    COMCH_UNTIL(p.server.num_received == p.client.num_sent &&
                p.consumer.num_ok == p.producer.num_ok);
    CHECK(p.client.num_failed > 0 && p.producer.num_failed > 0 && p.client.num_sent > 0);
    CHECK_EQ(p.producer.num_ok + p.producer.num_failed, MANY);
    pair_close(&p);
    return pattern;
}

#define SOAK                                                                                       \
    "comch.submit=fail%5,comch.complete=fail%20,comch.complete=delay:3%10,"                        \
    "producer.complete=fail%20,producer.complete=reorder%20,consumer.complete=delay:2%30,log=0,"

static void seed_determines_random_faults(void)
{
    const uint64_t one = soak(SOAK "seed=1");

    CHECK_EQ(soak(SOAK "seed=1"), one);
    CHECK(soak(SOAK "seed=2") != one);
}

/* ---- sizes, devices without faults, environment ---- */

static void contexts_take_the_documented_bytes(void)
{
    size_t plain[4], with[4];
    struct doca_dev *dev;
    unsigned i, k;

    for (k = 0; k < 2; k++) {
        fault_text(k == 0 ? NULL : "");
        dev = rig_open_dev(COMCH_DPU);
        CHECK_OK(doca_core_bytes_comch_server(dev, 2, TASKS, 100, &with[0]));
        CHECK_OK(doca_core_bytes_comch_client(dev, TASKS, 100, &with[1]));
        CHECK_OK(doca_core_bytes_comch_consumer(dev, TASKS, &with[2]));
        CHECK_OK(doca_core_bytes_comch_producer(dev, TASKS, &with[3]));
        CHECK_OK(doca_dev_close(dev));
        if (k == 0)
            memcpy(plain, with, sizeof(with));
    }
    for (i = 0; i < 4; i++)
        CHECK_EQ(with[i], plain[i] + DOCA_CORE_BYTES_FAULT_QUEUE(TASKS));
    fault_end();
}

/* Rules that were set after the devices were opened have no effect on them. */
static void devices_without_faults_are_unchanged(void)
{
    struct comch_end server, client;

    fault_text(NULL);
    comch_open(&server, &client, TASKS);
    CHECK_PTR(client.dev->backend, client.dev->info.backend);
    fault_text("*.submit=fail,*.complete=fail,comch.connect=fail,log=0");
    comch_deliver(&client, &server, "unharmed", 8);
    CHECK_EQ(doca_core_fault_get_num(), 0);
    fault_end();
    comch_close_both(&server, &client);
}

/* Without DOCA_CORE_FAULT, the case runs itself in a new process with the variable set. With the
 * variable, it checks the effect of the text: no call for faults is made. */
static void environment_sets_rules(void)
{
    struct comch_end server, client;
    enum heap_trap_mode mode;
    int status = -1;
    pid_t pid;

    if (getenv("DOCA_CORE_FAULT") == NULL) {
        mode = heap_trap_set(HEAP_TRAP_OFF);
        pid = fork();
        if (pid == 0) {
            setenv("DOCA_CORE_FAULT", "comch.complete=fail:UNEXPECTED@2", 1);
            execl("/proc/self/exe", "/proc/self/exe", test_current, (char *)NULL);
            _exit(99);
        }
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
        heap_trap_set(mode);
        CHECK(WIFEXITED(status));
        CHECK_EQ(WEXITSTATUS(status), 0);
        return;
    }
    comch_open(&server, &client, TASKS);
    comch_deliver(&client, &server, "one", 3);
    comch_send(&client, "two", 3);
    COMCH_UNTIL(client.num_failed == 1);
    CHECK_RC(client.status, DOCA_ERROR_UNEXPECTED);
    client.num_failed = 0;
    comch_deliver(&client, &server, "three", 5);
    comch_close_both(&server, &client);
}

static const struct test_case cases[] = {
    CASE(failed_message_is_not_sent_and_the_connection_goes_on, ""),
    CASE(refused_submit_leaves_the_task_with_the_program, ""),
    CASE(failed_send_of_a_producer_moves_no_byte_and_takes_no_buffer, ""),
    CASE(failed_send_without_a_posted_buffer_completes, ""),
    CASE(failed_receive_task_takes_no_message, ""),
    CASE(messages_that_wait_for_the_socket_complete_once, ""),
    CASE(late_completions_do_not_delay_the_bytes, ""),
    CASE(reordered_completions_change_places, ""),
    CASE(late_completions_wake_sleepers, ""),
    CASE(start_fails_and_succeeds_afterwards, ""),
    CASE(delayed_start_ends_or_is_stopped, ""),
    CASE(refused_connection_stops_the_client_only, ""),
    CASE(stop_ends_late_tasks_once, ""),
    CASE(posted_tasks_with_faults_may_be_freed, "375"),
    CASE(lost_device_ends_its_contexts, ""),
    CASE(each_operation_fails_in_turn, ""),
    CASE(seed_determines_random_faults, ""),
    CASE(contexts_take_the_documented_bytes, ""),
    CASE(devices_without_faults_are_unchanged, ""),
    CASE(environment_sets_rules, ""),
};

TEST_MAIN(cases)

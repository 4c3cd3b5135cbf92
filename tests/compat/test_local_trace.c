/* Recordings of Comch and RDMA between two ends in one process: when the engine of a task begins
 * and ends, and the events that the contexts report. */
#define DOCA_CORE_API 30000 /* the forms of RDMA with a connection argument */
#define DOCA_CORE_TRACE 1
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core_comch.h"
#include "doca_core_rdma.h"

#include "comch_data.h"
#include "rdma_leave.h"
#include "trace_events.h"

enum { BLOCKS = 256, BYTES = 4096 };

static _Alignas(64) unsigned char recording[BLOCKS * DOCA_CORE_TRACE_BLOCK];
static unsigned char source[1 << 20], sink[1 << 20];

static void start(void)
{
    (void)doca_core_trace_stop(); /* the recording of a failed case */
    CHECK_OK(doca_core_trace_start(recording, sizeof(recording), DOCA_CORE_TRACE_KEEP));
}

static void stop(void)
{
    CHECK_OK(doca_core_trace_stop());
    read_events(recording);
}

/* Return the number of messages, with this number of bytes, that a context has reported. */
static unsigned count_messages(const struct doca_ctx *ctx, uint64_t bytes)
{
    unsigned i, num = 0;

    for (i = 0; i < num_events; i++)
        num += kind_of(&events[i]) == DOCA_PRIV_TRACE_EVENT &&
               events[i].amount == doca_priv_trace_id(ctx) && events[i].other == bytes;
    return num;
}

static void comch_tasks_and_messages_leave_events(void)
{
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;

    comch_open(&server, &client, 2);
    consumer_make(&consumer, &client, NULL, sink, sizeof(sink), 4);
    producer_make(&producer, &server, NULL, source, sizeof(source), 4);
    producer_start(&producer);
    consumer_start(&consumer);
    COMCH_UNTIL(server.num_consumers == 1);
    start();
    consumer_post(&consumer, 0, 100);
    consumer_post(&consumer, 0, sizeof(sink)); /* a message that is streamed */
    producer_send(&producer, 0, 64, consumer.id);
    producer_send(&producer, 0, sizeof(source), consumer.id);
    comch_send(&server, source, 70);
    COMCH_UNTIL(producer.num_ok == 2 && consumer.num_ok == 2 && server.num_sent == 1 &&
                client.num_received == 1);
    stop();
    CHECK_EQ(check_tasks(producer.ctx), 2);
    CHECK_EQ(check_tasks(consumer.ctx), 2);
    CHECK_EQ(check_tasks(server.ctx), 1);
    CHECK_EQ(count_messages(client.ctx, 70), 1);
    CHECK_EQ(count_messages(server.ctx, 70), 0);
    consumer_close(&consumer);
    producer_close(&producer);
    comch_close_both(&server, &client);
}

/* Return the number of events of this kind about the object. */
static unsigned count_of(unsigned kind, const void *object)
{
    unsigned i, num = 0;

    for (i = 0; i < num_events; i++)
        num += kind_of(&events[i]) == kind && events[i].object == (uintptr_t)object;
    return num;
}

/* A producer has claimed the ticket of a posted task before the program frees the task. The message
 * is dropped, and no event is without an object. */
static void message_of_a_task_that_was_freed_leaves_no_event(void)
{
    struct doca_comch_consumer_task_post_recv *task;
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;

    comch_open(&server, &client, 2);
    consumer_make(&consumer, &client, NULL, sink, sizeof(sink), 2);
    producer_make(&producer, &server, NULL, source, sizeof(source), 2);
    producer_start(&producer);
    consumer_start(&consumer);
    COMCH_UNTIL(server.num_consumers == 1);
    start();
    task = consumer_task(&consumer, consumer_buf(&consumer, 0, BYTES));
    CHECK_OK(consumer_submit(task));
    producer_send(&producer, 0, BYTES, consumer.id);
    consumer_release(task);
    consumer_post(&consumer, 0, 100);
    producer_send(&producer, 0, 100, consumer.id);
    COMCH_UNTIL(consumer.num_ok == 1);
    stop();
    CHECK_EQ(count_of(DOCA_PRIV_TRACE_BEGIN, NULL), 0);
    CHECK_EQ(count_of(DOCA_PRIV_TRACE_END, NULL), 0);
    consumer_close(&consumer);
    producer_close(&producer);
    comch_close_both(&server, &client);
}

/* The library drops the messages of a connection that was hung up, without telling the program. */
static void message_that_is_dropped_leaves_no_event(void)
{
    struct comch_end server, client;

    comch_open(&server, &client, 2);
    start();
    comch_send(&client, source, 70);
    COMCH_WAIT(comch_progress(&client), client.num_sent == 1);
    doca_priv_comch_conn_hang_up(server.conns[0]);
    doca_priv_comch_drain(server.conns[0]);
    stop();
    CHECK_EQ(server.num_received, 0);
    CHECK_EQ(count(DOCA_PRIV_TRACE_EVENT), 0);
    comch_close_both(&server, &client);
}

static void rdma_tasks_and_events_leave_events(void)
{
    struct rdma_end a, b;

    rdma_open(&a, source, BYTES);
    rdma_open(&b, sink, BYTES);
    start();
    rdma_join(&a, &b);
    rdma_deliver(&a, &b, 0, 0, 1000);
    stop();
    CHECK_EQ(check_tasks(a.ctx), 1); /* the send */
    CHECK_EQ(check_tasks(b.ctx), 1); /* the receive */
    CHECK(count_messages(a.ctx, 0) >= 1); /* the connection */
    CHECK(count_messages(b.ctx, 0) >= 1);
    rdma_close_both(&a, &b);
}

static void task_that_waits_for_the_lock_of_its_peer_begins_once(void)
{
    struct rdma_end a, b;
    struct rdma_op op;
    unsigned i;

    rdma_open(&a, source, BYTES);
    rdma_open(&b, sink, BYTES);
    rdma_lend(&b, &a);
    rdma_join(&a, &b);
    RDMA_UNTIL(a.num_established == 1 && b.num_established == 1);
    op = rdma_add(&a, rdma_far_buf(&a, 0, 8), rdma_room(&a, 0, 8), 1, 1);
    start();
    *a.conn->peer_lock = 1; /* another process has the lock */
    CHECK_OK(rdma_submit(op));
    for (i = 0; i < 5; i++)
        CHECK(!rdma_progress(&a));
    *a.conn->peer_lock = 0;
    RDMA_UNTIL(a.num_done == 1);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_BEGIN), 1);
    CHECK_EQ(check_tasks(a.ctx), 1);
    rdma_close_both(&a, &b);
}

/* The sender has ended before the message was copied: the receive task waits for another one. */
static void receive_task_whose_sender_has_gone_begins_once(void)
{
    struct rdma_end a, b;

    rdma_open(&a, source, BYTES);
    rdma_open(&b, sink, BYTES);
    rdma_join(&a, &b);
    RDMA_UNTIL(a.num_established == 1 && b.num_established == 1);
    start();
    rdma_post(&b, 0, 1000, 1);
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 1000), 2)));
    while (rdma_progress(&a))
        continue;
    b.conn->far.pid = 0x7ffffffe; /* no process has this number */
    RDMA_UNTIL(b.num_disconnects == 1);
    CHECK_EQ(b.num_done, 0);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_BEGIN), 1); /* the send */
    rdma_close_both(&a, &b);
}

static void rdma_callback_that_leaves_has_its_end(void)
{
    struct rdma_end a, b;
    unsigned num;

    rdma_open(&a, source, BYTES);
    rdma_open(&b, sink, BYTES);
    start();
    num = rdma_run_and_leave(&a, &b, 3, 1000);
    stop();
    CHECK_EQ(check_callbacks(), num);
    rdma_close_both(&a, &b);
}

/* ---- callbacks of Comch that leave ---- */

static jmp_buf way_out;

static void leave(void)
{
    comch_progressing = NULL;
    longjmp(way_out, 1);
}

static void leave_connection(struct comch_end *e, struct doca_comch_connection *c)
{
    (void)e;
    (void)c;
    leave();
}

static void leave_message(struct comch_end *e, struct doca_comch_connection *c,
                          const unsigned char *msg, uint32_t len)
{
    (void)e;
    (void)c;
    (void)msg;
    (void)len;
    leave();
}

static void leave_sent(struct comch_end *e, struct doca_comch_task_send *task, bool is_ok)
{
    (void)e;
    CHECK(is_ok);
    doca_task_free(doca_comch_task_send_as_task(task));
    leave();
}

static void leave_consumer_event(struct comch_end *e, struct doca_comch_connection *c, uint32_t id,
                                 bool is_new)
{
    (void)e;
    (void)c;
    (void)id;
    (void)is_new;
    leave();
}

static void leave_received(struct comch_consumer *c,
                           struct doca_comch_consumer_task_post_recv *task, bool is_ok)
{
    (void)c;
    CHECK(is_ok);
    consumer_release(task);
    leave();
}

static void leave_produced(struct comch_producer *p, struct doca_comch_producer_task_send *task,
                           bool is_ok)
{
    (void)p;
    CHECK(is_ok);
    producer_release(task);
    leave();
}

/* Progress everything until both counters have this value. Callbacks may leave. */
static void await(const unsigned *one, const unsigned *other, unsigned value)
{
    (void)setjmp(way_out);
    COMCH_UNTIL(*one == value && *other == value);
}

/* The connect event, two messages, the event of a consumer, a message of the data path and the
 * event of the consumer's end: every callback but those of states leaves by longjmp(). */
static void comch_callback_that_leaves_has_its_end(void)
{
    struct comch_consumer consumer;
    struct comch_producer producer;
    struct comch_end server, client;
    const char *name = comch_name();

    comch_make_server(&server, COMCH_HOST, name, 2);
    comch_make_client(&client, COMCH_HOST, name, 2);
    server.on_connect = leave_connection;
    server.on_message = client.on_message = leave_message;
    server.on_sent = client.on_sent = leave_sent;
    server.on_consumer = leave_consumer_event;
    start();
    comch_start_server(&server);
    comch_start_client(&client);
    await(&server.num_connects, &client.num_conns, 1);
    comch_send(&server, source, 70);
    comch_send(&client, source, 80);
    await(&server.num_received, &client.num_received, 1);
    await(&server.num_sent, &client.num_sent, 1);
    consumer_make(&consumer, &client, NULL, sink, sizeof(sink), 2);
    producer_make(&producer, &server, NULL, source, sizeof(source), 2);
    consumer.on_task = leave_received;
    producer.on_task = leave_produced;
    producer_start(&producer);
    CHECK_RC(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
    await(&server.num_consumers, &server.num_consumers, 1);
    COMCH_UNTIL(rig_state(consumer.ctx) == DOCA_CTX_STATE_RUNNING);
    consumer_post(&consumer, 0, 100);
    CHECK_OK(producer_submit(
        producer_task(&producer, producer_buf(&producer, 0, 64), NULL, 0, consumer.id)));
    await(&producer.num_ok, &consumer.num_ok, 1);
    consumer_close(&consumer);
    await(&server.num_expired, &server.num_expired, 1);
    comch_settle();
    stop();
    CHECK_EQ(check_callbacks(), 9);
    producer_close(&producer);
    comch_close_both(&server, &client);
}

static const struct test_case cases[] = {
    CASE(comch_tasks_and_messages_leave_events, ""),
    CASE(message_of_a_task_that_was_freed_leaves_no_event, ""),
    CASE(message_that_is_dropped_leaves_no_event, ""),
    CASE(rdma_tasks_and_events_leave_events, ""),
    CASE(task_that_waits_for_the_lock_of_its_peer_begins_once, ""),
    CASE(receive_task_whose_sender_has_gone_begins_once, ""),
    CASE(rdma_callback_that_leaves_has_its_end, ""),
    CASE(comch_callback_that_leaves_has_its_end, ""),
};

TEST_MAIN(cases)

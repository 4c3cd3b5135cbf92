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
#include "rdma_ops.h"
#include "trace_events.h"

enum { BLOCKS = 256, BYTES = 4096 };

static _Alignas(64) unsigned char recording[BLOCKS * DOCA_CORE_TRACE_BLOCK];
static unsigned char source[1 << 20], sink[1 << 20];

static void start(void)
{
    CHECK_OK(doca_core_trace_start(recording, sizeof(recording), DOCA_CORE_TRACE_KEEP));
}

static void stop(void)
{
    CHECK_OK(doca_core_trace_stop());
    read_events(recording);
}

/* Check that each task that was submitted to the context begins, ends and is called back, in this
 * order. Returns the number of tasks. */
static unsigned check_tasks(const struct doca_ctx *ctx)
{
    unsigned i, at, num = 0;

    for (i = 0; i < num_events; i++) {
        const void *task = (const void *)(size_t)events[i].object;

        if (kind_of(&events[i]) != DOCA_PRIV_TRACE_SUBMIT ||
            events[i].amount != doca_priv_trace_id(ctx))
            continue;
        at = find(i, DOCA_PRIV_TRACE_BEGIN, task);
        at = find(at, DOCA_PRIV_TRACE_END, task);
        at = find(at, DOCA_PRIV_TRACE_CALLBACK, task);
        CHECK_EQ(detail_of(&events[at]), DOCA_SUCCESS);
        num++;
    }
    return num;
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

static const struct test_case cases[] = {
    CASE(comch_tasks_and_messages_leave_events, ""),
    CASE(rdma_tasks_and_events_leave_events, ""),
};

TEST_MAIN(cases)

/* Consumers of Comch that stop while a producer sends. The consumer stops between two steps of one
 * submit: after the producer has claimed a ticket, and before it shows that the message is
 * complete. The producer copies the message between these two steps; the library copies with
 * copy_of_the_library(), which calls the test before it copies. */
#include <stddef.h>

static void *copy_of_the_library(void *to, const void *from, size_t len);

#define DOCA_CORE_MEMCPY copy_of_the_library
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core_comch.h"

#include "comch_data.h"

enum { SHORT = 64, LONG = 1000, BYTES = 4096, TASKS = 4 };

static unsigned char source[BYTES], sink[BYTES];
static struct comch_end server, client;
static struct comch_consumer consumer;
static struct comch_producer producer;

static void (*meanwhile)(void); /* called before the next copy from the source of the producer */

static void *copy_of_the_library(void *to, const void *from, size_t len)
{
    void (*const call)(void) = meanwhile;

    if (call != NULL && from == source) {
        meanwhile = NULL;
        call();
    }
    return memcpy(to, from, len);
}

static void begin_to_stop(void)
{
    CHECK_RC(doca_ctx_stop(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(consumer.num_failed, 0);
}

static void stop(void)
{
    begin_to_stop();
    COMCH_WAIT(comch_progress_pe(consumer.pe, &consumer.num_callbacks),
               rig_state(consumer.ctx) == DOCA_CTX_STATE_IDLE);
}

static void open_all(void)
{
    meanwhile = NULL;
    memset(source, 's', sizeof(source));
    memset(sink, 0, sizeof(sink));
    comch_open(&server, &client, TASKS);
    consumer_make(&consumer, &client, NULL, sink, sizeof(sink), TASKS);
    producer_make(&producer, &server, NULL, source, sizeof(source), TASKS);
    producer_start(&producer);
    consumer_start(&consumer);
    COMCH_UNTIL(server.num_consumers == 1);
    consumer_post(&consumer, 0, BYTES / 2);
    consumer_post(&consumer, BYTES / 2, BYTES / 2);
}

static void close_all(void)
{
    consumer_close(&consumer);
    producer_close(&producer);
    comch_close_both(&server, &client);
}

/* Send a message of `len` bytes; `call` is called in the middle of the submit. */
static void send_and(void (*call)(void), size_t len)
{
    meanwhile = call;
    CHECK_OK(producer_submit(producer_task(&producer, producer_buf(&producer, 0, len), NULL, 0,
                                           consumer.id)));
    CHECK(meanwhile == NULL);
}

/* The consumer has ended all its tasks, so that nobody reads the message. */
static void message_that_is_complete_after_the_stop_has_failed(void)
{
    static const size_t lens[] = { SHORT, LONG };
    size_t i;

    for (i = 0; i < 2; i++) {
        open_all();
        send_and(stop, lens[i]);
        CHECK_EQ(consumer.num_ok, 0);
        CHECK_EQ(consumer.num_failed, 2);
        COMCH_UNTIL(producer.num_ok + producer.num_failed == 1);
        CHECK_EQ(producer.num_ok, 0);
        CHECK_RC(producer.status, DOCA_ERROR_CONNECTION_RESET);
        close_all();
    }
}

/* The consumer has begun to stop and has not ended the task yet, so that it takes the message. */
static void message_that_is_complete_during_the_stop_arrives(void)
{
    static const size_t lens[] = { SHORT, LONG };
    size_t i;

    for (i = 0; i < 2; i++) {
        open_all();
        send_and(begin_to_stop, lens[i]);
        COMCH_UNTIL(producer.num_ok + producer.num_failed == 1);
        CHECK_EQ(producer.num_ok, 1);
        COMCH_UNTIL(rig_state(consumer.ctx) == DOCA_CTX_STATE_IDLE);
        CHECK_EQ(consumer.num_ok, 1);
        CHECK_EQ(consumer.num_failed, 1); /* the second buffer, which has no message */
        CHECK_EQ(consumer.len, lens[i]);
        CHECK_MEM(sink, source, lens[i]);
        close_all();
    }
}

/* A message that is complete before the stop arrives; the next one is refused by the submit. */
static void message_that_is_complete_before_the_stop_arrives(void)
{
    open_all();
    producer_send(&producer, 0, SHORT, consumer.id);
    stop();
    CHECK_EQ(consumer.num_ok, 1);
    CHECK_EQ(consumer.num_failed, 1);
    producer_send(&producer, 0, SHORT, consumer.id);
    COMCH_UNTIL(producer.num_ok + producer.num_failed == 2);
    CHECK_EQ(producer.num_ok, 1);
    CHECK_RC(producer.status, DOCA_ERROR_NOT_CONNECTED);
    close_all();
}

static const struct test_case cases[] = {
    CASE(message_that_is_complete_after_the_stop_has_failed, ""),
    CASE(message_that_is_complete_during_the_stop_arrives, ""),
    CASE(message_that_is_complete_before_the_stop_arrives, ""),
};

TEST_MAIN(cases)

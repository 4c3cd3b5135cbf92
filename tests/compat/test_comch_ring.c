/* The ring of a consumer of Comch, by a program that contains the library.
 * Some consumers stop while a producer sends, between two steps of one submit: after the producer
 * has claimed a ticket, and before it shows that the message is complete. The producer copies the
 * message between these two steps; the library copies with copy_of_the_library(), which calls the
 * test before it copies.
 * Other consumers find slots in the ring that no producer of this library writes. */
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
    CHECK_OK(producer_submit(
        producer_task(&producer, producer_buf(&producer, 0, len), NULL, 0, consumer.id)));
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
        CHECK_EQ(consumer.num_failed, 1); /* the second buffer got no message */
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

/* Write the slot of a ticket as a producer that checks nothing. */
static struct doca_priv_comch_slot *write_slot(uint32_t ticket, uint64_t len, uint16_t imm_len)
{
    const struct doca_priv_comch_inlet *q = consumer.consumer->inlet;
    struct doca_priv_comch_slot *slot = doca_priv_comch_slot_of(&q->lane, ticket);

    memset(slot->bytes, 'x', sizeof(slot->bytes));
    memset(slot->imm, 'x', sizeof(slot->imm));
    slot->len = len;
    slot->imm_len = imm_len;
    slot->is_refused = 0;
    DOCA_PRIV_STORE(&slot->turn, DOCA_PRIV_COMCH_TURN(ticket, DOCA_PRIV_COMCH_FILLED));
    return slot;
}

/* Claim the ticket of the oldest posted buffer, then write its slot like write_slot(). */
static struct doca_priv_comch_slot *fill_slot(uint64_t len, uint16_t imm_len)
{
    const struct doca_priv_comch_inlet *q = consumer.consumer->inlet;

    CHECK(doca_priv_comch_claim_as(&q->lane, q->next, DOCA_PRIV_COMCH_CLAIMED));
    return write_slot(q->next, len, imm_len);
}

/* The message is one byte longer than its buffer. The byte after the buffer must stay 0; it is the
 * first byte of the next buffer. */
static void short_message_without_room_fails_its_task(void)
{
    open_all();
    consumer_stop(&consumer);
    consumer.num_failed = 0;
    consumer_start(&consumer);
    consumer_post(&consumer, 0, SHORT - 1);
    consumer_post(&consumer, SHORT - 1, SHORT);
    (void)fill_slot(SHORT, 0);
    COMCH_UNTIL(consumer.num_ok + consumer.num_failed == 1);
    CHECK_EQ(consumer.num_ok, 0);
    CHECK_RC(consumer.status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(sink[SHORT - 1], 0);
    (void)fill_slot(SHORT, 0);
    COMCH_UNTIL(consumer.num_ok == 1);
    CHECK_EQ(sink[SHORT - 1], 'x');
    close_all();
}

static void too_long_immediate_data_fail_their_task(void)
{
    static const uint16_t lens[] = { COMCH_IMM + 1, 256, 65535 };
    size_t i;

    for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        open_all();
        (void)fill_slot(SHORT, lens[i]);
        COMCH_UNTIL(consumer.num_ok + consumer.num_failed == 1);
        CHECK_EQ(consumer.num_ok, 0);
        CHECK_RC(consumer.status, DOCA_ERROR_IO_FAILED);
        (void)fill_slot(SHORT, COMCH_IMM);
        COMCH_UNTIL(consumer.num_ok == 1);
        CHECK_EQ(consumer.imm_len, COMCH_IMM);
        close_all();
    }
}

static void refused_short_message_fails_its_task(void)
{
    open_all();
    fill_slot(SHORT, 0)->is_refused = 1;
    COMCH_UNTIL(consumer.num_ok + consumer.num_failed == 1);
    CHECK_EQ(consumer.num_ok, 0);
    CHECK_RC(consumer.status, DOCA_ERROR_IO_FAILED);
    close_all();
}

/* The program has freed the second of three tasks, so that its ticket is skipped. A producer that
 * does not look at the claims writes a message for it. */
static void message_for_a_skipped_ticket_is_ignored(void)
{
    struct doca_comch_consumer_task_post_recv *second;

    open_all();
    consumer_stop(&consumer);
    consumer_start(&consumer);
    consumer_post(&consumer, 0, SHORT);
    second = consumer_task(&consumer, consumer_buf(&consumer, SHORT, SHORT));
    CHECK_OK(consumer_submit(second));
    consumer_post(&consumer, 2 * SHORT, SHORT);
    consumer_release(second);
    (void)write_slot(1, SHORT, 0);
    (void)fill_slot(SHORT, 0);
    COMCH_UNTIL(consumer.num_ok == 1);
    COMCH_UNTIL(consumer.consumer->inlet->next == 2);
    CHECK_EQ(consumer.num_ok, 1);
    (void)fill_slot(SHORT, 0);
    COMCH_UNTIL(consumer.num_ok == 2);
    CHECK_EQ(sink[0], 'x');
    CHECK_EQ(sink[SHORT], 0);
    CHECK_EQ(sink[2 * SHORT], 'x');
    close_all();
}

/* The consumer may have freed the task of a ticket just before a message arrives for it. */
static void short_message_for_a_freed_task_is_dropped(void)
{
    const struct doca_priv_comch_inlet *q;
    struct doca_comch_consumer_task_post_recv *first;

    open_all();
    consumer_stop(&consumer);
    consumer_start(&consumer);
    first = consumer_task(&consumer, consumer_buf(&consumer, 0, SHORT));
    CHECK_OK(consumer_submit(first));
    consumer_post(&consumer, SHORT, SHORT);
    q = consumer.consumer->inlet;
    (void)fill_slot(SHORT, 0); /* claimed by a producer, so that the free cannot skip the ticket */
    consumer_release(first);
    CHECK(q->posted[0] == NULL);
    COMCH_UNTIL(q->next == 1);
    (void)fill_slot(SHORT, 0);
    COMCH_UNTIL(consumer.num_ok == 1);
    CHECK_EQ(sink[0], 0);
    CHECK_EQ(sink[SHORT], 'x');
    close_all();
}

static const struct test_case cases[] = {
    CASE(message_that_is_complete_after_the_stop_has_failed, ""),
    CASE(message_that_is_complete_during_the_stop_arrives, ""),
    CASE(message_that_is_complete_before_the_stop_arrives, ""),
    CASE(short_message_without_room_fails_its_task, ""),
    CASE(too_long_immediate_data_fail_their_task, ""),
    CASE(refused_short_message_fails_its_task, ""),
    CASE(message_for_a_skipped_ticket_is_ignored, ""),
    CASE(short_message_for_a_freed_task_is_dropped, ""),
};

TEST_MAIN(cases)

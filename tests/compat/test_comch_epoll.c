/* DOCA Comch: two processes that sleep in epoll on the notification handles of their progress
 * engines. The number of wake-ups is limited, so that no side can run in a busy loop. */
#include "comch_data.h"

#include "export_peer.h"

#include <sys/epoll.h>

enum {
    ROUNDS = 1000,
    ENGINES = 3,
    BYTES = 500,
    POSTED = 8,
    SLEEP_MS = 10000,
    QUIET_MS = 300,
    WAKEUPS = 12 /* at most, of one side in a round trip; a wake-up progresses all engines */
};

static unsigned char source[4096], sink[BYTES * POSTED];
static const char *service;

/* Children are forked before the parent creates its end, so that they inherit none of its sockets.
 * They wait until the parent is ready. */
static void wait_for_go(int fd)
{
    unsigned char byte;

    receive_all(fd, &byte, 1);
}

static void go(struct peer *peer)
{
    send_all(peer->fd, "g", 1);
}

/* The engines that a process sleeps on. */
struct sleeper {
    int set;
    struct comch_engine engines[ENGINES];
    unsigned num;
    unsigned num_wakeups;
};

static void sleeper_open(struct sleeper *s)
{
    memset(s, 0, sizeof(*s));
    s->set = epoll_create1(EPOLL_CLOEXEC);
    CHECK(s->set >= 0);
}

static void sleeper_add(struct sleeper *s, struct doca_pe *pe, unsigned *num_callbacks)
{
    struct epoll_event event = { .events = EPOLLIN };
    doca_notification_handle_t handle = -1;

    CHECK(s->num < ENGINES);
    CHECK_OK(doca_pe_get_notification_handle(pe, &handle));
    event.data.u32 = s->num;
    CHECK_EQ(epoll_ctl(s->set, EPOLL_CTL_ADD, handle, &event), 0);
    s->engines[s->num].pe = pe;
    s->engines[s->num++].num_callbacks = num_callbacks;
}

static void sleeper_close(struct sleeper *s)
{
    close(s->set);
}

/* Sleep until an engine has work, and do all work of all engines. Return false when the time is
 * over before that. */
static bool sleeper_sleep(struct sleeper *s, int timeout_ms)
{
    struct epoll_event events[ENGINES];
    unsigned i;
    int n;

    for (i = 0; i < s->num; i++)
        CHECK_OK(doca_pe_request_notification(s->engines[i].pe));
    n = epoll_wait(s->set, events, ENGINES, timeout_ms);
    CHECK(n >= 0);
    for (i = 0; i < s->num; i++) {
        CHECK_OK(doca_pe_clear_notification(s->engines[i].pe, 0));
        while (comch_progress_pe(s->engines[i].pe, s->engines[i].num_callbacks))
            continue;
    }
    s->num_wakeups += n > 0;
    return n > 0;
}

#define SLEEP_UNTIL(s, condition)                                                                  \
    do {                                                                                           \
        while (!(condition)) {                                                                     \
            if (!sleeper_sleep(s, SLEEP_MS) && !(condition)) {                                     \
                peer_explain(__FILE__, __LINE__);                                                  \
                test_fail(__FILE__, __LINE__, "nothing wakes this side for: %s", #condition);      \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Check that the armed handle stays unreadable after all work is done and no event arrives. */
static void check_quiet(struct sleeper *s)
{
    unsigned i;

    for (i = 0; i < 5 && sleeper_sleep(s, QUIET_MS / 3); i++)
        continue; /* do the work that is left */
    CHECK(i < 5);
    CHECK(!sleeper_sleep(s, QUIET_MS));
}

/* ---- control messages ---- */

static void answer(struct comch_end *e, struct doca_comch_connection *c, const unsigned char *msg,
                   uint32_t len)
{
    static unsigned char copy[COMCH_MAX_MSG];

    memcpy(copy, msg, len);
    comch_send_to(e, c, copy, len);
}

/* A client that sends the next message when it has the answer to the last one. */
static void ask_again(struct comch_end *e, struct doca_comch_connection *c,
                      const unsigned char *msg, uint32_t len)
{
    CHECK_EQ(len, e->num_received % 100);
    CHECK_MEM(msg, source + len, len);
    if (e->num_received < ROUNDS) {
        len = (e->num_received + 1) % 100;
        comch_send_to(e, c, source + len, len);
    }
}

static void fill_source(void)
{
    size_t i;

    for (i = 0; i < sizeof(source); i++)
        source[i] = (unsigned char)(i * 29 + (i >> 8) + 3);
}

static void asking_client(int fd, uint32_t unused)
{
    struct comch_end client;
    struct sleeper s;

    (void)unused;
    wait_for_go(fd);
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_HOST));
    sleeper_open(&s);
    comch_make_client(&client, COMCH_HOST, service, 2);
    client.on_message = ask_again;
    sleeper_add(&s, client.pe, &client.num_callbacks);
    comch_start_client(&client);
    SLEEP_UNTIL(&s, comch_runs(&client));
    s.num_wakeups = 0;
    comch_send(&client, source + 1, 1);
    SLEEP_UNTIL(&s, client.num_received == ROUNDS);
    CHECK(s.num_wakeups <= WAKEUPS * ROUNDS);
    check_quiet(&s);
    send_all(fd, "q", 1); /* the server may be quiet now, too */
    receive_all(fd, source, 1);
    comch_stop_ctx(client.ctx);
    SLEEP_UNTIL(&s, comch_is(&client, DOCA_CTX_STATE_IDLE));
    sleeper_close(&s);
    comch_destroy(&client);
}

static void sleeping_sides_exchange_a_thousand_messages(void)
{
    unsigned char byte = 0;
    struct comch_end server;
    struct sleeper s;
    struct peer peer;

    fill_source();
    service = comch_name();
    peer = start_peer(asking_client, 0);
    sleeper_open(&s);
    comch_make_server(&server, COMCH_HOST, service, 2);
    server.on_message = answer;
    comch_start_server(&server);
    go(&peer);
    sleeper_add(&s, server.pe, &server.num_callbacks);
    SLEEP_UNTIL(&s, server.num_received == ROUNDS && server.num_sent == ROUNDS);
    CHECK(s.num_wakeups <= WAKEUPS * ROUNDS);
    receive_all(peer.fd, &byte, 1);
    check_quiet(&s);
    CHECK_EQ(server.num_disconnects, 0);
    send_all(peer.fd, &byte, 1);
    SLEEP_UNTIL(&s, server.num_disconnects == 1); /* the end of the client wakes the server */
    comch_stop_ctx(server.ctx);
    SLEEP_UNTIL(&s, comch_is(&server, DOCA_CTX_STATE_IDLE));
    sleeper_close(&s);
    comch_destroy(&server);
    end_peer(&peer);
}

/* A program that watches the handle edge-triggered, and makes progress until nothing is left, gets
 * all messages, also when several arrive before one wake-up. */
static void edge_triggered_program_gets_all_messages(void)
{
    struct epoll_event event = { .events = EPOLLIN | EPOLLET };
    doca_notification_handle_t handle = -1;
    struct comch_end server, client;
    unsigned round, k, total = 0;
    struct sleeper s;

    fill_source();
    comch_open(&server, &client, 4);
    sleeper_open(&s);
    sleeper_add(&s, client.pe, &client.num_callbacks);
    CHECK_OK(doca_pe_get_notification_handle(client.pe, &handle));
    CHECK_EQ(epoll_ctl(s.set, EPOLL_CTL_MOD, handle, &event), 0);
    for (round = 0; round < 200; round++) {
        for (k = 0; k < (round % 40 == 39 ? 3 : 1); k++, total++)
            comch_send(&server, source, 10);
        while (server.num_sent < total)
            (void)comch_progress_pe(server.pe, &server.num_callbacks);
        SLEEP_UNTIL(&s, client.num_received == total);
    }
    sleeper_close(&s);
    comch_close_both(&server, &client);
}

/* ---- the end of the other process ---- */

static void client_that_waits_to_be_killed(int fd, uint32_t unused)
{
    struct comch_end client;

    (void)unused;
    wait_for_go(fd);
    comch_make_client(&client, COMCH_HOST, service, 1);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client));
    for (;;)
        pause();
}

static void sleeping_server_wakes_when_its_client_is_killed(void)
{
    struct comch_end server;
    struct sleeper s;
    struct peer peer;

    service = comch_name();
    peer = start_peer(client_that_waits_to_be_killed, 0);
    sleeper_open(&s);
    comch_make_server(&server, COMCH_HOST, service, 1);
    comch_start_server(&server);
    go(&peer);
    sleeper_add(&s, server.pe, &server.num_callbacks);
    SLEEP_UNTIL(&s, server.num_connects == 1);
    check_quiet(&s);
    kill_peer(&peer);
    SLEEP_UNTIL(&s, server.num_disconnects == 1);
    check_quiet(&s);
    sleeper_close(&s);
    comch_close(&server);
}

static void server_that_waits_to_be_killed(int fd, uint32_t unused)
{
    struct comch_end server;

    (void)unused;
    comch_make_server(&server, COMCH_HOST, service, 1);
    comch_start_server(&server);
    send_all(fd, "r", 1);
    COMCH_UNTIL(server.num_conns == 1);
    for (;;)
        pause();
}

static void sleeping_client_wakes_when_its_server_is_killed(void)
{
    struct comch_end client;
    struct sleeper s;
    struct peer peer;
    unsigned char byte;

    service = comch_name();
    peer = start_peer(server_that_waits_to_be_killed, 0);
    sleeper_open(&s);
    receive_all(peer.fd, &byte, 1);
    comch_make_client(&client, COMCH_HOST, service, 1);
    sleeper_add(&s, client.pe, &client.num_callbacks);
    comch_start_client(&client);
    SLEEP_UNTIL(&s, comch_runs(&client));
    check_quiet(&s);
    kill_peer(&peer);
    SLEEP_UNTIL(&s, comch_is(&client, DOCA_CTX_STATE_IDLE));
    sleeper_close(&s);
    comch_destroy(&client);
}

/* ---- the fast path ---- */

/* One side: a consumer and a producer with separate progress engines. The side sleeps on all of its
 * engines. */
struct data_side {
    struct comch_end *e;
    struct comch_consumer consumer;
    struct comch_producer producer;
    struct sleeper s;
    uint32_t peer_id;
    unsigned num_sent; /* submitted */
};

static void post_again(struct comch_consumer *c, struct doca_comch_consumer_task_post_recv *task,
                       bool is_ok)
{
    struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);

    if (!is_ok) {
        consumer_release(task);
        return;
    }
    CHECK_EQ(c->len, BYTES);
    CHECK_MEM(c->data, source + (c->num_ok - 1) % 1000, BYTES);
    CHECK_OK(doca_buf_reset_data_len(buf));
    CHECK_OK(consumer_submit(task));
}

/* Send the next message. While the consumer has no room, sleep a little, as the samples do. */
static void send_one(struct data_side *d)
{
    struct doca_comch_producer_task_send *task = producer_task(
        &d->producer, producer_buf(&d->producer, d->num_sent % 1000, BYTES), NULL, 0, d->peer_id);
    uint64_t end = comch_now_ms() + SLEEP_MS;
    doca_error_t rc;

    while ((rc = producer_submit(task)) == DOCA_ERROR_AGAIN) {
        CHECK(comch_now_ms() < end);
        usleep(10);
    }
    CHECK_OK(rc);
    d->num_sent++;
}

static void data_side_open(struct data_side *d, struct comch_end *e)
{
    unsigned i;

    d->e = e;
    d->num_sent = 0;
    consumer_make(&d->consumer, e, NULL, sink, sizeof(sink), POSTED);
    producer_make(&d->producer, e, NULL, source, sizeof(source), 4);
    d->consumer.keeps_tasks = true;
    d->consumer.on_task = post_again;
    sleeper_add(&d->s, d->consumer.pe, &d->consumer.num_callbacks);
    sleeper_add(&d->s, d->producer.pe, &d->producer.num_callbacks);
    producer_start(&d->producer);
    CHECK_RC(doca_ctx_start(d->consumer.ctx), DOCA_ERROR_IN_PROGRESS);
    SLEEP_UNTIL(&d->s, rig_state(d->consumer.ctx) == DOCA_CTX_STATE_RUNNING);
    for (i = 0; i < POSTED; i++)
        consumer_post(&d->consumer, (size_t)BYTES * i, BYTES);
    SLEEP_UNTIL(&d->s, e->num_consumers == 1);
    d->peer_id = e->consumers[0];
    d->s.num_wakeups = 0;
}

/* Send a message for each one that arrives, in all ROUNDS, and then stop, asleep. */
static void data_side_run(struct data_side *d, bool begins)
{
    while (d->num_sent < ROUNDS) {
        unsigned wanted = d->num_sent + !begins;

        SLEEP_UNTIL(&d->s, d->consumer.num_ok >= wanted);
        send_one(d);
    }
    SLEEP_UNTIL(&d->s, d->consumer.num_ok == ROUNDS && d->producer.num_ok == ROUNDS);
    CHECK(d->s.num_wakeups <= WAKEUPS * ROUNDS);
    check_quiet(&d->s);
}

static void data_side_close(struct data_side *d)
{
    comch_stop_ctx(d->consumer.ctx);
    comch_stop_ctx(d->producer.ctx);
    SLEEP_UNTIL(&d->s, rig_state(d->consumer.ctx) == DOCA_CTX_STATE_IDLE &&
                           rig_state(d->producer.ctx) == DOCA_CTX_STATE_IDLE);
    sleeper_close(&d->s);
    consumer_close(&d->consumer);
    producer_close(&d->producer);
}

static void data_client(int fd, uint32_t unused)
{
    static struct data_side d;
    struct comch_end client;
    unsigned char byte;

    (void)unused;
    wait_for_go(fd);
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_HOST));
    sleeper_open(&d.s);
    comch_make_client(&client, COMCH_HOST, service, 2);
    sleeper_add(&d.s, client.pe, &client.num_callbacks);
    comch_start_client(&client);
    SLEEP_UNTIL(&d.s, comch_runs(&client));
    data_side_open(&d, &client);
    data_side_run(&d, true);
    send_all(fd, "q", 1);
    receive_all(fd, &byte, 1);
    data_side_close(&d);
    comch_close(&client);
}

static void sleeping_sides_exchange_a_thousand_buffers(void)
{
    static struct data_side d;
    unsigned char byte = 0;
    struct comch_end server;
    struct peer peer;

    fill_source();
    service = comch_name();
    peer = start_peer(data_client, 0);
    sleeper_open(&d.s);
    comch_make_server(&server, COMCH_HOST, service, 2);
    comch_start_server(&server);
    go(&peer);
    sleeper_add(&d.s, server.pe, &server.num_callbacks);
    SLEEP_UNTIL(&d.s, server.num_conns == 1);
    data_side_open(&d, &server);
    data_side_run(&d, false);
    receive_all(peer.fd, &byte, 1);
    send_all(peer.fd, &byte, 1);
    data_side_close(&d);
    COMCH_UNTIL(server.num_disconnects == 1);
    comch_close(&server);
    end_peer(&peer);
}

/* ---- a producer that sleeps until a chunk of the ring is free ---- */

enum {
    SLOTS = 64, /* posted buffers: more than the ring has chunks */
    CHUNKS = 32,
    SHORT = 64,                /* bytes of a message that needs no chunk */
    LONG = SHORT + 36,         /* bytes of a message that needs a chunk */
    STREAMED = 64 * 1024 + 100 /* bytes of a message that is longer than a chunk */
};

/* The next action of a consumer that has taken the short messages. */
enum pause { POLLS, SLEEPS, FREES };

static unsigned char large_source[STREAMED], large_sink[STREAMED];

static void progress_producer(struct comch_producer *p)
{
    while (comch_progress_pe(p->pe, &p->num_callbacks))
        continue;
}

/* Let the producer sleep while its task waits for the consumer. */
static void producer_sleeps(struct sleeper *s, struct comch_producer *p)
{
    struct epoll_event event;

    sleeper_open(s);
    sleeper_add(s, p->pe, &p->num_callbacks);
    progress_producer(p);
    CHECK_OK(doca_pe_request_notification(p->pe));
    CHECK_EQ(epoll_wait(s->set, &event, 1, 0), 0);
}

/* Check that the handle of a sleeping producer is readable, and that `num_ok` tasks have succeeded
 * after progress. */
static void check_wakes(struct sleeper *s, struct comch_producer *p, unsigned num_ok)
{
    struct epoll_event event;

    CHECK_EQ(epoll_wait(s->set, &event, 1, QUIET_MS), 1);
    CHECK_OK(doca_pe_clear_notification(p->pe, 0));
    progress_producer(p);
    CHECK_EQ(p->num_ok, num_ok);
    sleeper_close(s);
}

/* The consumer takes exactly the short messages that keep the long message from the ring. Then it
 * polls once more without a result, requests a notification, or frees its other tasks. */
static void check_short_messages_wake(enum pause then)
{
    static struct doca_comch_consumer_task_post_recv *posts[SLOTS];
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;
    struct sleeper s;
    unsigned i;

    comch_open(&server, &client, 2);
    consumer_make(&consumer, &client, NULL, large_sink, sizeof(large_sink), SLOTS);
    producer_make(&producer, &server, NULL, large_source, sizeof(large_source), SLOTS);
    producer_start(&producer);
    consumer_start(&consumer);
    COMCH_UNTIL(server.num_consumers == 1);
    for (i = 0; i < SLOTS; i++) {
        posts[i] = consumer_task(&consumer, consumer_buf(&consumer, (size_t)LONG * i, LONG));
        CHECK_OK(consumer_submit(posts[i]));
    }
    for (i = 0; i < CHUNKS; i++)
        CHECK_OK(producer_submit(producer_task(
            &producer, producer_buf(&producer, 0, SHORT), NULL, 0, consumer.id)));
    CHECK_OK(producer_submit(
        producer_task(&producer, producer_buf(&producer, 0, LONG), NULL, 0, consumer.id)));
    producer_sleeps(&s, &producer);
    CHECK_EQ(producer.num_ok, CHUNKS);
    while (consumer.num_ok < CHUNKS)
        CHECK(comch_progress_pe(consumer.pe, &consumer.num_callbacks));
    if (then == POLLS)
        CHECK(!comch_progress_pe(consumer.pe, &consumer.num_callbacks));
    else if (then == SLEEPS)
        CHECK_OK(doca_pe_request_notification(consumer.pe));
    for (i = CHUNKS; i < SLOTS && then == FREES; i++)
        consumer_release(posts[i]);
    check_wakes(&s, &producer, CHUNKS + 1);
    COMCH_UNTIL(then == FREES || consumer.num_ok == CHUNKS + 1);
    consumer_close(&consumer);
    producer_close(&producer);
    comch_close_both(&server, &client);
}

static void consumer_that_polls_in_vain_wakes_a_producer_after_short_messages(void)
{
    check_short_messages_wake(POLLS);
}

static void consumer_that_goes_to_sleep_wakes_a_producer_after_short_messages(void)
{
    check_short_messages_wake(SLEEPS);
}

static void consumer_that_frees_its_tasks_wakes_a_producer_after_short_messages(void)
{
    check_short_messages_wake(FREES);
}

/* The consumer is done with a streamed message, but its producer has not seen that yet. Another
 * producer has the next ticket of the same chunk, and sleeps until the first one has seen it. */
static void end_of_a_streamed_message_wakes_the_producer_that_waits_for_its_chunk(void)
{
    struct comch_producer streamer, sleeper;
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct sleeper s;

    comch_open(&server, &client, 2);
    consumer_make(&consumer, &client, NULL, large_sink, sizeof(large_sink), 1);
    producer_make(&streamer, &server, NULL, large_source, sizeof(large_source), 1);
    producer_make(&sleeper, &server, NULL, large_source, sizeof(large_source), 1);
    producer_start(&streamer);
    producer_start(&sleeper);
    consumer_start(&consumer);
    COMCH_UNTIL(server.num_consumers == 1);
    consumer_post(&consumer, 0, STREAMED);
    producer_send(&streamer, 0, STREAMED, consumer.id);
    CHECK(!comch_progress_pe(consumer.pe, &consumer.num_callbacks)); /* takes the first bytes */
    progress_producer(&streamer);                                    /* writes the last ones */
    COMCH_WAIT(comch_progress_pe(consumer.pe, &consumer.num_callbacks), consumer.num_ok == 1);
    consumer_post(&consumer, 0, LONG);
    CHECK_OK(producer_submit(
        producer_task(&sleeper, producer_buf(&sleeper, 0, LONG), NULL, 0, consumer.id)));
    producer_sleeps(&s, &sleeper);
    CHECK_EQ(streamer.num_ok, 0);
    CHECK_EQ(sleeper.num_ok, 0);
    progress_producer(&streamer);
    CHECK_EQ(streamer.num_ok, 1);
    check_wakes(&s, &sleeper, 1);
    COMCH_UNTIL(consumer.num_ok == 2);
    consumer_close(&consumer);
    producer_close(&streamer);
    producer_close(&sleeper);
    comch_close_both(&server, &client);
}

static const struct test_case cases[] = {
    CASE(sleeping_sides_exchange_a_thousand_messages, "334"),
    CASE(edge_triggered_program_gets_all_messages, "334"),
    CASE(sleeping_server_wakes_when_its_client_is_killed, "334 366"),
    CASE(sleeping_client_wakes_when_its_server_is_killed, "334 366"),
    CASE(sleeping_sides_exchange_a_thousand_buffers, "334 373"),
    CASE(consumer_that_polls_in_vain_wakes_a_producer_after_short_messages, "334"),
    CASE(consumer_that_goes_to_sleep_wakes_a_producer_after_short_messages, "334"),
    CASE(consumer_that_frees_its_tasks_wakes_a_producer_after_short_messages, "334"),
    CASE(end_of_a_streamed_message_wakes_the_producer_that_waits_for_its_chunk, "334"),
};

TEST_MAIN(cases)

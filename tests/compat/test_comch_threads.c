/* DOCA Comch with threads, as a public application of the vendor uses it: over one connection, one
 * thread has a producer, another one a consumer, each with its own progress engine, and the main
 * thread has the server or client. Both threads create and destroy their objects themselves. Also
 * compiled with ThreadSanitizer. */
#include "comch_data.h"

#include "export_peer.h"

#include <pthread.h>

enum { MESSAGES = 3000, BYTES = 4000, TASKS = 32 };

/* One end of the connection with its two threads. */
struct worker_side {
    struct comch_end e;
    uint32_t peer_id;   /* of the peer's consumer; 0: none so far. Written by the main thread */
    unsigned num_ended; /* threads that have destroyed their objects */
    unsigned num_over;  /* threads of both ends that have all their messages */
    struct worker_side *peer; /* in the same process, or NULL */
    pthread_t threads[2];
    struct comch_consumer consumer;
    struct comch_producer producer;
    uint64_t next; /* number of the next message that is sent */
    unsigned num_posted;
    struct doca_comch_consumer_task_post_recv *posts[TASKS];
    unsigned char source[TASKS][BYTES], sink[TASKS][BYTES];
};

static struct worker_side sides[2];
static const char *service;

/* The sink of the harness belongs to one thread. */
static void no_sink(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)item;
    (void)line;
    (void)user;
}

static uint32_t length_of(uint64_t number)
{
    return (uint32_t)(sizeof(number) + number * 53 % (BYTES - sizeof(number)));
}

static void write_message(unsigned char *at, uint64_t number)
{
    memset(at, (int)(number * 7 & 0xff), length_of(number));
    memcpy(at, &number, sizeof(number));
}

/* ---- the consumer's thread ---- */

/* Check the message, and post the buffer again as long as messages are to come. */
static void check_and_post(struct comch_consumer *c,
                           struct doca_comch_consumer_task_post_recv *task, bool is_ok)
{
    struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
    uint64_t number = c->num_ok - 1;
    size_t i;

    CHECK(is_ok); /* tasks that are still posted are freed before the stop */
    CHECK_EQ(c->len, length_of(number));
    CHECK_MEM(c->data, &number, sizeof(number));
    for (i = sizeof(number); i < c->len; i++)
        CHECK_EQ(c->data[i], number * 7 & 0xff);
    CHECK_OK(doca_buf_reset_data_len(buf));
    CHECK_OK(consumer_submit(task));
}

static void wait_until_all_are_over(struct worker_side *side, struct doca_pe *pe, unsigned *calls)
{
    uint64_t end = comch_now_ms() + COMCH_PATIENCE_MS;

    __atomic_add_fetch(&side->num_over, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&side->num_over, __ATOMIC_ACQUIRE) +
               (side->peer != NULL ? __atomic_load_n(&side->peer->num_over, __ATOMIC_ACQUIRE) : 2) <
           4) {
        if (!comch_progress_pe(pe, calls))
            usleep(50);
        CHECK(comch_now_ms() < end);
    }
}

static void *consume(void *arg)
{
    struct worker_side *side = arg;
    struct comch_consumer *c = &side->consumer;
    unsigned i;

    (void)heap_trap_set(HEAP_TRAP_ABORT);
    consumer_make(c, &side->e, NULL, side->sink, sizeof(side->sink), TASKS);
    c->keeps_tasks = true;
    c->on_task = check_and_post;
    consumer_start(c);
    for (i = 0; i < TASKS; i++) {
        side->posts[i] = consumer_task(c, consumer_buf(c, (size_t)BYTES * i, BYTES));
        CHECK_OK(consumer_submit(side->posts[i]));
    }
    COMCH_UNTIL(c->num_ok == MESSAGES);
    wait_until_all_are_over(side, c->pe, &c->num_callbacks);
    for (i = 0; i < TASKS; i++) /* as the vendor's application does, while they are posted */
        consumer_release(side->posts[i]);
    consumer_close(c);
    CHECK_EQ(c->num_failed, 0);
    __atomic_add_fetch(&side->num_ended, 1, __ATOMIC_RELEASE);
    (void)heap_trap_set(HEAP_TRAP_OFF);
    return NULL;
}

/* ---- the producer's thread ---- */

/* Submit without any progress until the consumer has room. */
static void submit_in_a_loop(struct doca_comch_producer_task_send *task)
{
    uint64_t end = comch_now_ms() + COMCH_PATIENCE_MS;
    doca_error_t rc;

    while ((rc = producer_submit(task)) == DOCA_ERROR_AGAIN)
        CHECK(comch_now_ms() < end);
    CHECK_OK(rc);
}

/* Send the next message with the task of the last one. */
static void send_next(struct comch_producer *p, struct doca_comch_producer_task_send *task,
                      bool is_ok)
{
    struct worker_side *side = p->user;
    struct doca_buf *buf = (struct doca_buf *)(size_t)doca_comch_producer_task_send_get_buf(task);
    void *at;

    CHECK(is_ok);
    if (side->next == MESSAGES) {
        producer_release(task);
        return;
    }
    CHECK_OK(doca_buf_get_head(buf, &at));
    write_message(at, side->next);
    CHECK_OK(doca_buf_set_data(buf, at, length_of(side->next)));
    side->next++;
    submit_in_a_loop(task);
}

static void *produce(void *arg)
{
    struct worker_side *side = arg;
    struct comch_producer *p = &side->producer;
    uint64_t end = comch_now_ms() + COMCH_PATIENCE_MS;
    uint32_t id;
    unsigned i;

    (void)heap_trap_set(HEAP_TRAP_ABORT);
    producer_make(p, &side->e, NULL, side->source, sizeof(side->source), TASKS);
    p->keeps_tasks = true;
    p->on_task = send_next;
    p->user = side;
    producer_start(p);
    while ((id = __atomic_load_n(&side->peer_id, __ATOMIC_ACQUIRE)) == 0) {
        usleep(50);
        CHECK(comch_now_ms() < end);
    }
    for (i = 0; i < TASKS; i++) {
        struct doca_buf *buf = producer_buf(p, (size_t)BYTES * i, BYTES);

        write_message(side->source[i], side->next);
        CHECK_OK(doca_buf_set_data(buf, side->source[i], length_of(side->next)));
        side->next++;
        submit_in_a_loop(producer_task(p, buf, NULL, 0, id));
    }
    COMCH_UNTIL(p->num_ok == MESSAGES);
    wait_until_all_are_over(side, p->pe, &p->num_callbacks);
    producer_close(p);
    __atomic_add_fetch(&side->num_ended, 1, __ATOMIC_RELEASE);
    (void)heap_trap_set(HEAP_TRAP_OFF);
    return NULL;
}

/* ---- the main thread ---- */

static void note_consumer(struct comch_end *e, struct doca_comch_connection *c, uint32_t id,
                          bool is_new)
{
    struct worker_side *side = e->user;

    (void)c;
    if (is_new)
        __atomic_store_n(&side->peer_id, id, __ATOMIC_RELEASE);
}

/* Make the end `number`: 0 the server, 1 the client. */
static void open_side(unsigned number)
{
    struct worker_side *side = &sides[number];

    memset(side, 0, sizeof(*side));
    if (number == 0)
        comch_make_server(&side->e, COMCH_HOST, service, 4);
    else
        comch_make_client(&side->e, COMCH_HOST, service, 4);
    side->e.on_consumer = note_consumer;
    side->e.user = side;
    if (number == 0)
        comch_start_server(&side->e);
    else
        comch_start_client(&side->e);
}

static void start_threads(struct worker_side *side)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() uses the heap */

    CHECK_EQ(pthread_create(&side->threads[0], NULL, consume, side), 0);
    CHECK_EQ(pthread_create(&side->threads[1], NULL, produce, side), 0);
    (void)heap_trap_set(mode);
}

static bool has_ended(struct worker_side *side)
{
    return __atomic_load_n(&side->num_ended, __ATOMIC_ACQUIRE) == 2;
}

static void join_threads(struct worker_side *side)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);

    CHECK_EQ(pthread_join(side->threads[0], NULL), 0);
    CHECK_EQ(pthread_join(side->threads[1], NULL), 0);
    (void)heap_trap_set(mode);
}

/* Send control messages all the time while the threads work. */
static bool chat(struct comch_end *e)
{
    return comch_turn() + (comch_try_send(e, e->conns[0], sides[0].source, 0) == DOCA_SUCCESS) > 0;
}

static void four_threads_of_one_process(void)
{
    unsigned i;

    doca_core_log_set_sink(no_sink, NULL);
    service = comch_name();
    for (i = 0; i < 2; i++)
        open_side(i);
    COMCH_UNTIL(comch_runs(&sides[1].e) && sides[0].e.num_conns == 1);
    for (i = 0; i < 2; i++) {
        sides[i].peer = &sides[1 - i];
        start_threads(&sides[i]);
    }
    COMCH_WAIT(chat(&sides[1].e) + chat(&sides[0].e), has_ended(&sides[0]) && has_ended(&sides[1]));
    for (i = 0; i < 2; i++)
        join_threads(&sides[i]);
    COMCH_UNTIL(sides[0].e.num_expired == 1 && sides[1].e.num_expired == 1);
    for (i = 0; i < 2; i++) {
        CHECK_EQ(sides[i].consumer.num_ok, MESSAGES);
        CHECK_EQ(sides[i].producer.num_ok, MESSAGES);
    }
    comch_close_both(&sides[0].e, &sides[1].e);
}

/* Run the threads of one side, and wait until the other process has ended its threads, too. */
static void work(struct worker_side *side, int fd)
{
    unsigned char byte = 0;

    start_threads(side);
    COMCH_WAIT(chat(&side->e),
               __atomic_load_n(&side->num_over, __ATOMIC_ACQUIRE) == 2 || has_ended(side));
    COMCH_UNTIL(has_ended(side));
    join_threads(side);
    send_all(fd, "e", 1);
    COMCH_WAIT(comch_turn(), recv(fd, &byte, 1, MSG_DONTWAIT) == 1);
}

static void working_client(int fd, uint32_t unused)
{
    unsigned char byte;

    (void)unused;
    comch_forget_engines();
    CHECK_OK(doca_core_sw_set_side(DOCA_CORE_SIDE_HOST));
    receive_all(fd, &byte, 1);
    open_side(1);
    COMCH_UNTIL(comch_runs(&sides[1].e));
    work(&sides[1], fd);
    comch_close(&sides[1].e);
}

static void two_threads_of_each_of_two_processes(void)
{
    struct peer peer;

    doca_core_log_set_sink(no_sink, NULL);
    service = comch_name();
    peer = start_peer(working_client, 0);
    open_side(0);
    send_all(peer.fd, "g", 1);
    COMCH_UNTIL(sides[0].e.num_conns == 1);
    work(&sides[0], peer.fd);
    COMCH_UNTIL(sides[0].e.num_disconnects == 1);
    comch_close(&sides[0].e);
    end_peer(&peer);
}

/* ---- consumers that stop while a producer sends ---- */

enum { GENERATIONS = 400, SHORT = 64, LONG = 200000, POSTED = 8 };

static unsigned char long_source[LONG], long_sink[POSTED][LONG];

/* Shared by the main thread, which has the consumer of the client, and the thread that has the
 * producer of the server. Each consumer is a generation. */
static struct {
    uint32_t id;          /* of the consumer to send to; 0: none */
    unsigned num_drained; /* generations whose sends have all completed */
    unsigned num_sent;    /* successful sends of the latest generation */
    bool is_over;
} race;

static void *send_to_each_generation(void *unused)
{
    struct comch_producer *p = &sides[0].producer;
    unsigned submitted = 0, before;
    uint32_t id;

    (void)unused;
    producer_make(p, &sides[0].e, NULL, long_source, sizeof(long_source), TASKS);
    producer_start(p);
    while (!__atomic_load_n(&race.is_over, __ATOMIC_ACQUIRE)) {
        id = __atomic_load_n(&race.id, __ATOMIC_ACQUIRE);
        before = p->num_ok;
        if (id == 0) {
            usleep(10);
            continue;
        }
        while (__atomic_load_n(&race.id, __ATOMIC_ACQUIRE) == id) {
            if (submitted - p->num_ok - p->num_failed < TASKS) {
                size_t len = submitted % 3 == 2 ? LONG : SHORT;
                struct doca_comch_producer_task_send *task =
                    producer_task(p, producer_buf(p, 0, len), NULL, 0, id);

                if (producer_submit(task) == DOCA_SUCCESS)
                    submitted++;
                else
                    producer_release(task); /* no room, or the consumer has stopped */
            }
            (void)comch_progress_pe(p->pe, &p->num_callbacks);
        }
        COMCH_UNTIL(p->num_ok + p->num_failed == submitted);
        __atomic_store_n(&race.num_sent, p->num_ok - before, __ATOMIC_RELAXED);
        __atomic_add_fetch(&race.num_drained, 1, __ATOMIC_RELEASE);
    }
    producer_close(p);
    __atomic_add_fetch(&sides[0].num_ended, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void post_while_running(struct comch_consumer *c,
                               struct doca_comch_consumer_task_post_recv *task, bool is_ok)
{
    if (is_ok)
        CHECK_OK(doca_buf_reset_data_len(doca_comch_consumer_task_post_recv_get_buf(task)));
    if (!is_ok || consumer_submit(task) != DOCA_SUCCESS)
        consumer_release(task);
    (void)c;
}

/* A consumer stops while the producer sends. Each message whose send succeeded must have arrived,
 * also if it was sent at the moment of the stop. */
static void stop_of_a_consumer_loses_no_sent_buffer(void)
{
    struct comch_consumer *c = &sides[1].consumer;
    enum heap_trap_mode mode;
    unsigned i, k;

    doca_core_log_set_sink(no_sink, NULL);
    service = comch_name();
    memset(&race, 0, sizeof(race));
    (void)rig_random(2);
    for (i = 0; i < 2; i++)
        open_side(i);
    COMCH_UNTIL(comch_runs(&sides[1].e) && sides[0].e.num_conns == 1);
    mode = heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&sides[0].threads[0], NULL, send_to_each_generation, NULL), 0);
    (void)heap_trap_set(mode);
    for (i = 0; i < GENERATIONS; i++) {
        consumer_make(c, &sides[1].e, NULL, long_sink, sizeof(long_sink), POSTED);
        c->keeps_tasks = true;
        c->on_task = post_while_running;
        consumer_start(c);
        COMCH_UNTIL(sides[0].e.num_consumers == i + 1);
        for (k = 0; k < POSTED; k++)
            consumer_post(c, (size_t)LONG * k, LONG);
        __atomic_store_n(&race.id, c->id, __ATOMIC_RELEASE);
        k = 1 + rig_random(60); /* at least one, so that the producer knows the generation */
        COMCH_UNTIL(c->num_ok >= k);
        consumer_stop(c);
        __atomic_store_n(&race.id, 0, __ATOMIC_RELEASE);
        COMCH_UNTIL(__atomic_load_n(&race.num_drained, __ATOMIC_ACQUIRE) == i + 1);
        k = __atomic_load_n(&race.num_sent, __ATOMIC_RELAXED);
        if (c->num_ok < k)
            test_fail(__FILE__, __LINE__, "generation %u: %u sends succeeded, and %u arrived", i, k,
                      c->num_ok);
        consumer_close(c);
    }
    __atomic_store_n(&race.is_over, true, __ATOMIC_RELEASE);
    COMCH_UNTIL(__atomic_load_n(&sides[0].num_ended, __ATOMIC_ACQUIRE) == 1);
    mode = heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_join(sides[0].threads[0], NULL), 0);
    (void)heap_trap_set(mode);
    comch_close_both(&sides[0].e, &sides[1].e);
}

/* ---- several threads that send to one consumer ---- */

#ifdef __SANITIZE_THREAD__
#define EACH 1000u /* ThreadSanitizer makes each message take many times longer */
#else
#define EACH 20000u
#endif

enum { SENDERS = 3, FEW = 8 };

static struct sender {
    pthread_t thread;
    uint32_t number;
    struct comch_producer producer;
    uint64_t words[FEW][2]; /* number of the sender, number of the message */
    unsigned num_sent;
} senders[SENDERS];
static uint32_t common_id; /* of the consumer */

/* Send the next message with the task of the last one. */
static void send_next_words(struct comch_producer *p, struct doca_comch_producer_task_send *task,
                            bool is_ok)
{
    struct sender *s = p->user;
    const struct doca_buf *buf = doca_comch_producer_task_send_get_buf(task);
    void *at;

    CHECK(is_ok);
    if (s->num_sent == EACH) {
        producer_release(task);
        return;
    }
    CHECK_OK(doca_buf_get_head(buf, &at));
    ((uint64_t *)at)[1] = s->num_sent++;
    submit_in_a_loop(task);
}

static void *send_words(void *arg)
{
    struct sender *s = arg;
    struct comch_producer *p = &s->producer;
    unsigned i;

    producer_make(p, &sides[0].e, NULL, s->words, sizeof(s->words), FEW);
    p->keeps_tasks = true;
    p->on_task = send_next_words;
    p->user = s;
    producer_start(p);
    for (i = 0; i < FEW / 2; i++) {
        s->words[i][0] = s->number;
        s->words[i][1] = s->num_sent++;
        submit_in_a_loop(producer_task(p, producer_buf(p, sizeof(s->words[0]) * i,
                                                       sizeof(s->words[0])), NULL, 0, common_id));
    }
    COMCH_UNTIL(p->num_ok == EACH);
    producer_close(p);
    __atomic_add_fetch(&sides[0].num_ended, 1, __ATOMIC_RELEASE);
    return NULL;
}

/* The messages of each sender arrive in their order. */
static void check_words(struct comch_consumer *c, struct doca_comch_consumer_task_post_recv *task,
                        bool is_ok)
{
    uint64_t *nexts = c->user, words[2];

    if (!is_ok) {
        consumer_release(task);
        return;
    }
    CHECK_EQ(c->len, sizeof(words));
    memcpy(words, c->data, sizeof(words));
    CHECK(words[0] < SENDERS);
    CHECK_EQ(words[1], nexts[words[0]]);
    nexts[words[0]]++;
    CHECK_OK(doca_buf_reset_data_len(doca_comch_consumer_task_post_recv_get_buf(task)));
    CHECK_OK(consumer_submit(task));
}

static void threads_that_share_a_consumer_lose_no_message(void)
{
    struct comch_consumer *c = &sides[1].consumer;
    uint64_t nexts[SENDERS] = { 0 };
    enum heap_trap_mode mode;
    unsigned i;

    doca_core_log_set_sink(no_sink, NULL);
    service = comch_name();
    for (i = 0; i < 2; i++)
        open_side(i);
    COMCH_UNTIL(comch_runs(&sides[1].e) && sides[0].e.num_conns == 1);
    consumer_make(c, &sides[1].e, NULL, sides[1].sink, sizeof(sides[1].sink), FEW);
    c->keeps_tasks = true;
    c->on_task = check_words;
    c->user = nexts;
    consumer_start(c);
    COMCH_UNTIL(sides[0].e.num_consumers == 1);
    common_id = c->id;
    for (i = 0; i < FEW; i++)
        consumer_post(c, BYTES * (size_t)i, BYTES);
    mode = heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < SENDERS; i++) {
        memset(&senders[i], 0, sizeof(senders[i]));
        senders[i].number = i;
        CHECK_EQ(pthread_create(&senders[i].thread, NULL, send_words, &senders[i]), 0);
    }
    (void)heap_trap_set(mode);
    COMCH_UNTIL(c->num_ok == SENDERS * EACH);
    COMCH_UNTIL(__atomic_load_n(&sides[0].num_ended, __ATOMIC_ACQUIRE) == SENDERS);
    mode = heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < SENDERS; i++)
        CHECK_EQ(pthread_join(senders[i].thread, NULL), 0);
    (void)heap_trap_set(mode);
    consumer_close(c);
    comch_close_both(&sides[0].e, &sides[1].e);
}

static const struct test_case cases[] = {
    CASE(four_threads_of_one_process, "332 345 370 373 375"),
    CASE(two_threads_of_each_of_two_processes, "332 345 370 373 375"),
    CASE(stop_of_a_consumer_loses_no_sent_buffer, "371 374"),
    CASE(threads_that_share_a_consumer_lose_no_message, "371 380"),
};

TEST_MAIN(cases)

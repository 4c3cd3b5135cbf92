/* DOCA Comch: tasks of consumers and producers: their pools, their buffers, how they are used
 * again and how they end. Both ends live in one thread. */
#include "comch_data.h"

enum { TASKS = 16, MANY = 2000, BYTES = 256, SIDE = 4 };

static unsigned char source[65536], sink[65536];

struct pair {
    struct comch_end server, client;
    struct comch_consumer consumer; /* of the client */
    struct comch_producer producer; /* of the server */
};

static void pair_open(struct pair *p, uint32_t num_tasks)
{
    size_t i;

    for (i = 0; i < sizeof(source); i++)
        source[i] = (unsigned char)(i * 31 + (i >> 8) * 7 + 1);
    comch_open(&p->server, &p->client, 2);
    consumer_make(&p->consumer, &p->client, NULL, sink, sizeof(sink), num_tasks);
    producer_make(&p->producer, &p->server, NULL, source, sizeof(source), num_tasks);
    producer_start(&p->producer);
    consumer_start(&p->consumer);
    COMCH_UNTIL(p->server.num_consumers == 1);
}

static void pair_close(struct pair *p)
{
    consumer_close(&p->consumer);
    producer_close(&p->producer);
    comch_close_both(&p->server, &p->client);
}

/* ---- arguments and configuration ---- */

static void wrong_arguments_of_consumers_are_refused(void)
{
    struct doca_comch_consumer_task_post_recv *task = NULL;
    struct doca_comch_consumer *c;
    struct doca_buf *buf;
    uint32_t most = 0, len = 0;
    struct pair p;

    pair_open(&p, 2);
    c = p.consumer.consumer;
    buf = consumer_buf(&p.consumer, 0, 100);
    CHECK_RC(doca_comch_consumer_get_id(NULL, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_get_id(c, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(doca_comch_consumer_as_ctx(NULL), NULL);
    CHECK_RC(doca_comch_consumer_task_post_recv_alloc_init(NULL, buf, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_task_post_recv_alloc_init(c, buf, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(task, NULL);
    CHECK_PTR(doca_comch_consumer_task_post_recv_as_task(NULL), NULL);
    /* a running consumer cannot be configured or destroyed */
    CHECK_RC(doca_comch_consumer_set_imm_data_len(c, 4), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_comch_consumer_task_post_recv_set_conf(c, consumer_received, consumer_failed, 1),
             DOCA_ERROR_BAD_STATE);
    CHECK(doca_comch_consumer_destroy(c) != DOCA_SUCCESS);
    CHECK_EQ(rig_state(p.consumer.ctx), DOCA_CTX_STATE_RUNNING);
    consumer_stop(&p.consumer);
    CHECK_OK(
        doca_comch_consumer_cap_get_max_imm_data_len(doca_dev_as_devinfo(p.client.dev), &most));
    CHECK_OK(doca_comch_consumer_set_imm_data_len(c, most));
    CHECK_OK(doca_comch_consumer_get_imm_data_len(c, &len));
    CHECK_EQ(len, most);
    CHECK_RC(doca_comch_consumer_set_imm_data_len(c, most + 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_set_imm_data_len(NULL, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_get_imm_data_len(c, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_get_imm_data_len(NULL, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_comch_consumer_cap_get_max_num_tasks(doca_dev_as_devinfo(p.client.dev), &most));
    CHECK_RC(doca_comch_consumer_task_post_recv_set_conf(c, consumer_received, consumer_failed,
                                                         most + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_task_post_recv_set_conf(c, NULL, consumer_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_consumer_task_post_recv_set_conf(c, consumer_received, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    pair_close(&p);
}

static void wrong_arguments_of_producers_are_refused(void)
{
    struct doca_comch_producer_task_send *task = NULL;
    uint8_t imm[COMCH_IMM + 1] = { 0 };
    struct doca_comch_producer *c;
    struct doca_buf *buf;
    uint32_t most = 0, id = 0;
    struct pair p;

    pair_open(&p, 2);
    c = p.producer.producer;
    id = p.consumer.id;
    buf = producer_buf(&p.producer, 0, 100);
    CHECK_RC(doca_comch_producer_task_send_alloc_init(NULL, buf, NULL, 0, id, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_task_send_alloc_init(c, buf, NULL, 0, id, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_task_send_alloc_init(c, buf, NULL, 1, id, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_task_send_alloc_init(c, buf, imm, COMCH_IMM + 1, id, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(task, NULL);
    CHECK_RC(doca_comch_producer_get_id(NULL, &id), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_get_id(c, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(doca_comch_producer_as_ctx(NULL), NULL);
    CHECK_PTR(doca_comch_producer_task_send_as_task(NULL), NULL);
    CHECK_RC(doca_comch_producer_task_send_set_conf(c, producer_sent, producer_failed, 1),
             DOCA_ERROR_BAD_STATE);
    CHECK(doca_comch_producer_destroy(c) != DOCA_SUCCESS);
    CHECK_EQ(rig_state(p.producer.ctx), DOCA_CTX_STATE_RUNNING);
    producer_stop(&p.producer);
    CHECK_OK(doca_comch_producer_cap_get_max_num_tasks(doca_dev_as_devinfo(p.server.dev), &most));
    CHECK_RC(doca_comch_producer_task_send_set_conf(c, producer_sent, producer_failed, most + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_task_send_set_conf(c, NULL, producer_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_comch_producer_task_send_set_conf(c, producer_sent, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    pair_close(&p);
}

static void task_of_a_producer_keeps_what_was_set(void)
{
    struct doca_comch_producer_task_send *task;
    struct doca_buf *bufs[2];
    struct pair p;

    pair_open(&p, 2);
    bufs[0] = producer_buf(&p.producer, 0, 100);
    bufs[1] = producer_buf(&p.producer, 100, 50);
    task = producer_task(&p.producer, bufs[0], NULL, 0, p.consumer.id);
    CHECK_PTR(doca_comch_producer_task_send_get_buf(task), bufs[0]);
    CHECK_EQ(doca_comch_producer_task_send_get_consumer_id(task), p.consumer.id);
    doca_comch_producer_task_send_set_buf(task, bufs[1]);
    CHECK_PTR(doca_comch_producer_task_send_get_buf(task), bufs[1]);
    doca_comch_producer_task_send_set_consumer_id(task, 54321);
    CHECK_EQ(doca_comch_producer_task_send_get_consumer_id(task), 54321);
    doca_comch_producer_task_send_set_consumer_id(task, p.consumer.id);
    consumer_post(&p.consumer, 0, 100);
    producer_push(task); /* the new buffer */
    COMCH_UNTIL(p.consumer.num_ok == 1 && p.producer.num_ok == 1);
    CHECK_EQ(p.consumer.len, 50);
    CHECK_MEM(sink, source + 100, 50);
    CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
    pair_close(&p);
}

/* ---- pools ---- */

static void empty_pools_give_no_memory(void)
{
    struct doca_comch_consumer_task_post_recv *posts[TASKS], *post = NULL;
    struct doca_comch_producer_task_send *sends[TASKS], *send = NULL;
    struct doca_buf *from, *to;
    struct pair p;
    unsigned i;

    pair_open(&p, TASKS);
    from = producer_buf(&p.producer, 0, 100);
    to = consumer_buf(&p.consumer, 0, 100);
    for (i = 0; i < TASKS; i++) {
        posts[i] = consumer_task(&p.consumer, to);
        sends[i] = producer_task(&p.producer, from, NULL, 0, p.consumer.id);
    }
    for (i = 0; i < 2; i++) {
        CHECK_RC(doca_comch_consumer_task_post_recv_alloc_init(p.consumer.consumer, to, &post),
                 DOCA_ERROR_NO_MEMORY);
        CHECK_RC(doca_comch_producer_task_send_alloc_init(p.producer.producer, from, NULL, 0,
                                                          p.consumer.id, &send),
                 DOCA_ERROR_NO_MEMORY);
        CHECK(post == NULL && send == NULL);
        doca_task_free(doca_comch_consumer_task_post_recv_as_task(posts[i]));
        doca_task_free(doca_comch_producer_task_send_as_task(sends[i]));
        posts[i] = consumer_task(&p.consumer, to);
        sends[i] = producer_task(&p.producer, from, NULL, 0, p.consumer.id);
    }
    for (i = 0; i < TASKS; i++) {
        doca_task_free(doca_comch_consumer_task_post_recv_as_task(posts[i]));
        doca_task_free(doca_comch_producer_task_send_as_task(sends[i]));
    }
    CHECK_OK(doca_buf_dec_refcount(from, NULL));
    CHECK_OK(doca_buf_dec_refcount(to, NULL));
    pair_close(&p);
}

/* ---- buffers ---- */

/* A consumer's buffers must lie in the mmap that it was created with. */
static void buffer_outside_of_the_mmap_of_the_consumer_is_refused(void)
{
    struct doca_comch_consumer_task_post_recv *task = NULL;
    static unsigned char other[4096];
    struct doca_buf *buf;
    struct doca_mmap *map;
    doca_error_t rc;
    struct pair p;

    pair_open(&p, 2);
    memset(other, 0xee, sizeof(other));
    map = comch_map(p.client.dev, other, sizeof(other));
    CHECK_OK(
        doca_buf_inventory_buf_get_by_addr(p.consumer.inventory, map, other, sizeof(other), &buf));
    rc = doca_comch_consumer_task_post_recv_alloc_init(p.consumer.consumer, buf, &task);
    if (rc == DOCA_SUCCESS) {
        rc = consumer_submit(task);
        CHECK(rc != DOCA_ERROR_AGAIN);
        if (rc != DOCA_SUCCESS)
            doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
    }
    CHECK_RC(rc, DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_destroy(map));
    pair_close(&p);
}

/* The program keeps its reference of a buffer that many tasks send at once. */
static void one_buffer_may_be_in_many_sends(void)
{
    struct doca_comch_producer_task_send *tasks[TASKS];
    struct doca_buf *buf;
    uint16_t count = 0;
    struct pair p;
    unsigned i;

    pair_open(&p, TASKS);
    p.producer.keeps_tasks = true;
    buf = producer_buf(&p.producer, 7, BYTES);
    for (i = 0; i < TASKS; i++) {
        consumer_post(&p.consumer, (size_t)BYTES * i, BYTES);
        tasks[i] = producer_task(&p.producer, buf, NULL, 0, p.consumer.id);
    }
    for (i = 0; i < TASKS; i++)
        producer_push(tasks[i]);
    COMCH_UNTIL(p.consumer.num_ok == TASKS && p.producer.num_ok == TASKS);
    for (i = 0; i < TASKS; i++) {
        CHECK_MEM(sink + BYTES * i, source + 7, BYTES);
        doca_task_free(doca_comch_producer_task_send_as_task(tasks[i]));
    }
    CHECK_OK(doca_buf_get_refcount(buf, &count));
    CHECK_EQ(count, 1);
    CHECK_EQ(rig_data_len(buf), BYTES);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    pair_close(&p);
}

/* ---- use again, as the vendor's application does ---- */

static void post_again(struct comch_consumer *c, struct doca_comch_consumer_task_post_recv *task,
                       bool is_ok)
{
    struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);

    if (!is_ok || c->num_ok >= c->todo) {
        consumer_release(task);
        return;
    }
    CHECK_EQ(c->len, BYTES);
    CHECK_EQ(c->data[0], source[0]);
    CHECK_OK(doca_buf_reset_data_len(buf));
    CHECK_OK(consumer_submit(task));
}

static void send_again(struct comch_producer *p, struct doca_comch_producer_task_send *task,
                       bool is_ok)
{
    doca_error_t rc;

    CHECK(is_ok);
    if (p->num_ok + p->todo > MANY) { /* todo: tasks in flight */
        doca_task_free(doca_comch_producer_task_send_as_task(task));
        p->todo--;
        return;
    }
    rc = producer_submit(task);
    if (rc == DOCA_ERROR_AGAIN) { /* one thread cannot wait here for its own consumer */
        doca_task_free(doca_comch_producer_task_send_as_task(task));
        p->todo--;
    } else {
        CHECK_OK(rc);
    }
}

/* Begin another send if fewer than half of the buffers are in use. */
static bool begin_send(struct comch_producer *p, struct doca_buf *buf, uint32_t id)
{
    struct doca_comch_producer_task_send *task;
    doca_error_t rc;

    if (p->todo >= TASKS / 2 || p->num_ok + p->todo >= MANY)
        return false;
    task = producer_task(p, buf, NULL, 0, id);
    rc = producer_submit(task);
    if (rc == DOCA_ERROR_AGAIN) {
        doca_task_free(doca_comch_producer_task_send_as_task(task));
        return false;
    }
    CHECK_OK(rc);
    p->todo++;
    return true;
}

static void tasks_are_submitted_again_in_their_callbacks(void)
{
    struct doca_buf *buf;
    struct pair p;
    unsigned i;

    pair_open(&p, TASKS);
    p.consumer.keeps_tasks = p.producer.keeps_tasks = true;
    p.consumer.on_task = post_again;
    p.consumer.todo = MANY;
    p.producer.on_task = send_again;
    buf = producer_buf(&p.producer, 0, BYTES);
    for (i = 0; i < TASKS; i++)
        consumer_post(&p.consumer, (size_t)BYTES * i, BYTES);
    COMCH_WAIT(begin_send(&p.producer, buf, p.consumer.id) + comch_turn(),
               p.producer.num_ok == MANY && p.consumer.num_ok == MANY);
    comch_settle();
    CHECK_EQ(p.consumer.num_ok, MANY);
    CHECK_EQ(p.producer.num_ok, MANY);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    pair_close(&p);
}

/* ---- the end ---- */

static void stop_of_a_consumer_flushes_its_tasks(void)
{
    struct pair p;
    unsigned i;

    pair_open(&p, TASKS);
    for (i = 0; i < TASKS; i++)
        consumer_post(&p.consumer, 100 * (size_t)i, 100);
    producer_send(&p.producer, 0, 100, p.consumer.id);
    COMCH_UNTIL(p.consumer.num_ok == 1 && p.producer.num_ok == 1);
    CHECK_RC(doca_ctx_stop(p.consumer.ctx), DOCA_ERROR_IN_PROGRESS);
    COMCH_UNTIL(rig_state(p.consumer.ctx) == DOCA_CTX_STATE_IDLE);
    CHECK_EQ(p.consumer.num_ok, 1);
    CHECK_EQ(p.consumer.num_failed, TASKS - 1);
    COMCH_UNTIL(p.server.num_expired == 1 || p.consumer.num_states == 4);
    pair_close(&p);
}

/* The vendor's application frees tasks that are still posted, and gives back their buffers, before
 * it stops the consumer. */
static void posted_tasks_may_be_freed_before_the_stop(void)
{
    struct doca_comch_consumer_task_post_recv *tasks[TASKS];
    struct doca_comch_producer_task_send *late;
    struct pair p;
    unsigned i, round;

    for (round = 0; round < 3; round++) {
        pair_open(&p, TASKS);
        for (i = 0; i < TASKS; i++) {
            tasks[i] = consumer_task(&p.consumer, consumer_buf(&p.consumer, 100 * (size_t)i, 100));
            CHECK_OK(consumer_submit(tasks[i]));
        }
        if (round > 0)
            comch_settle();
        for (i = 0; i < TASKS; i++)
            consumer_release(tasks[i]);
        memset(sink, 0xee, sizeof(sink));
        if (round > 1) { /* a send that arrives now must not reach memory that was given back */
            late = producer_task(&p.producer, producer_buf(&p.producer, 0, 100), NULL, 0,
                                 p.consumer.id);
            if (producer_submit(late) != DOCA_SUCCESS)
                producer_release(late);
        }
        comch_settle();
        CHECK_EQ(p.consumer.num_ok + p.consumer.num_failed, 0);
        for (i = 0; i < TASKS * 100; i++)
            CHECK_EQ(sink[i], 0xee);
        CHECK_EQ(rig_inflight(p.consumer.ctx), 0);
        consumer_stop(&p.consumer);
        CHECK_EQ(p.consumer.num_ok + p.consumer.num_failed, 0);
        pair_close(&p); /* destroys the inventory, which fails while a buffer is in use */
        CHECK_EQ(p.producer.num_ok, 0);
    }
}

/* The oldest task stays posted, while another one is freed and posted again until the ring has no
 * place left. Messages go to the remaining tasks in the order of the posts, and each message makes
 * room for another post. */
static void tasks_posted_again_after_a_free_keep_their_order(void)
{
    struct doca_comch_consumer_task_post_recv *first, *task = NULL;
    doca_error_t rc = DOCA_SUCCESS;
    struct pair p;
    unsigned i;

    pair_open(&p, TASKS);
    first = consumer_task(&p.consumer, consumer_buf(&p.consumer, 0, 100));
    CHECK_OK(consumer_submit(first));
    for (i = 0; i < 10 * TASKS && rc == DOCA_SUCCESS; i++) {
        if (task != NULL)
            consumer_release(task);
        task = consumer_task(&p.consumer, consumer_buf(&p.consumer, 100, 100));
        rc = consumer_submit(task);
    }
    CHECK_EQ(rc, DOCA_ERROR_AGAIN);
    CHECK_OK(producer_submit(
        producer_task(&p.producer, producer_buf(&p.producer, 0, 100), NULL, 0, p.consumer.id)));
    COMCH_UNTIL(p.consumer.num_ok == 1 && p.producer.num_ok == 1);
    CHECK_OK(consumer_submit(task));
    CHECK_OK(producer_submit(
        producer_task(&p.producer, producer_buf(&p.producer, 100, 100), NULL, 0, p.consumer.id)));
    COMCH_UNTIL(p.consumer.num_ok == 2 && p.producer.num_ok == 2);
    CHECK_EQ(p.consumer.num_failed, 0);
    pair_close(&p);
}

/* The ring reuses the places of freed tasks, in each of its rounds. */
static void places_of_freed_tasks_take_messages_again(void)
{
    static const size_t lens[] = { 64, 100 }; /* inside a slot of the ring, and in a chunk */
    struct doca_comch_consumer_task_post_recv *task;
    struct pair p;
    unsigned i, num = 0;

    pair_open(&p, TASKS);
    for (i = 0; i < 4 * TASKS; i++) {
        task = consumer_task(&p.consumer, consumer_buf(&p.consumer, 0, 100));
        CHECK_OK(consumer_submit(task));
        if (i % 3 == 0 || (i > TASKS && i < 2 * TASKS)) {
            consumer_release(task);
            continue;
        }
        memset(sink, 0xee, 100);
        CHECK_OK(producer_submit(producer_task(
            &p.producer, producer_buf(&p.producer, i, lens[i % 2]), NULL, 0, p.consumer.id)));
        num++;
        COMCH_UNTIL(p.consumer.num_ok == num && p.producer.num_ok == num);
        CHECK_MEM(sink, source + i, lens[i % 2]);
    }
    CHECK_EQ(p.consumer.num_failed + p.producer.num_failed, 0);
    pair_close(&p);
}

/* Each send ends once, whether its consumer has stopped, was destroyed, or never existed. */
static void send_to_a_consumer_that_is_gone_does_not_succeed(void)
{
    struct doca_comch_producer_task_send *task;
    unsigned round, submitted;
    doca_error_t rc;
    struct pair p;

    for (round = 0; round < 3; round++) {
        pair_open(&p, 2);
        if (round == 1) {
            consumer_stop(&p.consumer);
        } else if (round == 2) {
            consumer_stop(&p.consumer);
            CHECK_OK(doca_comch_consumer_destroy(p.consumer.consumer));
            p.consumer.consumer = NULL;
            COMCH_UNTIL(p.server.num_expired == 1);
        }
        comch_settle();
        task = producer_task(&p.producer, producer_buf(&p.producer, 0, 100), NULL, 0,
                             round == 0 ? 54321 : p.consumer.id);
        rc = producer_submit(task);
        submitted = rc == DOCA_SUCCESS;
        if (!submitted)
            producer_release(task);
        comch_settle();
        CHECK_EQ(p.producer.num_ok, 0);
        CHECK_EQ(p.consumer.num_ok, 0);
        CHECK(p.producer.num_failed <= submitted);
        producer_stop(&p.producer);
        CHECK_EQ(p.producer.num_failed, submitted);
        pair_close(&p);
    }
}

/* The consumer stops while sends are under way. The data of each successful send is in its buffer.
 */
static void sends_under_way_end_once_when_the_consumer_stops(void)
{
    unsigned round, i, submitted;
    struct pair p;

    for (round = 0; round < 12; round++) {
        pair_open(&p, TASKS);
        for (i = 0; i < TASKS; i++)
            consumer_post(&p.consumer, (size_t)BYTES * i, BYTES);
        comch_settle();
        for (submitted = 0; submitted < TASKS; submitted++)
            CHECK_OK(producer_submit(producer_task(
                &p.producer, producer_buf(&p.producer, submitted, BYTES), NULL, 0, p.consumer.id)));
        for (i = 0; i < round; i++)
            (void)comch_turn();
        consumer_stop(&p.consumer);
        CHECK_EQ(p.consumer.num_ok + p.consumer.num_failed, TASKS);
        comch_settle();
        producer_stop(&p.producer);
        CHECK_EQ(p.producer.num_ok + p.producer.num_failed, submitted);
        CHECK(p.producer.num_ok <= p.consumer.num_ok);
        for (i = 0; i < p.producer.num_ok; i++)
            CHECK_MEM(sink + BYTES * i, source + i, BYTES);
        pair_close(&p);
    }
}

static void sends_under_way_end_once_when_the_producer_stops(void)
{
    unsigned round, i;
    struct pair p;

    for (round = 0; round < 12; round++) {
        pair_open(&p, TASKS);
        for (i = 0; i < TASKS; i++)
            consumer_post(&p.consumer, 4096 * (size_t)i, 4096);
        comch_settle();
        for (i = 0; i < TASKS; i++)
            CHECK_OK(producer_submit(producer_task(&p.producer, producer_buf(&p.producer, i, 4096),
                                                   NULL, 0, p.consumer.id)));
        for (i = 0; i < round; i++)
            (void)comch_turn();
        producer_stop(&p.producer);
        CHECK_EQ(p.producer.num_ok + p.producer.num_failed, TASKS);
        comch_settle();
        CHECK(p.consumer.num_ok >= p.producer.num_ok);
        CHECK(comch_runs(&p.client)); /* a producer that stops leaves the connection alone */
        pair_close(&p);
        CHECK_EQ(p.consumer.num_ok + p.consumer.num_failed, TASKS);
    }
}

/* ---- several on one connection ---- */

struct crowd {
    struct comch_consumer consumers[SIDE];
    struct comch_producer producers[SIDE];
};

/* Each producer of one side sends to each consumer of the other side. */
static void check_crowd(struct crowd *from, struct crowd *to, unsigned seed)
{
    unsigned i, k, before;

    for (i = 0; i < SIDE; i++) {
        for (k = 0; k < SIDE; k++) {
            uint8_t imm[2] = { (uint8_t)i, (uint8_t)(k + seed) };
            struct comch_consumer *c = &to->consumers[k];
            struct comch_producer *p = &from->producers[i];

            before = c->num_ok;
            consumer_post(c, 1024 * (size_t)k, 1024);
            producer_push(
                producer_task(p, producer_buf(p, 64 * (size_t)i, 500 + i), imm, 2, c->id));
            COMCH_UNTIL(c->num_ok == before + 1 && p->num_ok == seed * SIDE + k + 1);
            CHECK_EQ(c->from, p->id);
            CHECK_EQ(c->len, 500 + i);
            CHECK_MEM(c->data, source + 64 * i, 500 + i);
            CHECK_EQ(c->imm[0], i);
            CHECK_EQ(c->imm[1], k + seed);
        }
    }
}

static void several_producers_address_several_consumers(void)
{
    static struct crowd crowds[2];
    struct comch_end ends[2];
    unsigned side, i;

    comch_open(&ends[0], &ends[1], 1);
    for (side = 0; side < 2; side++) {
        for (i = 0; i < SIDE; i++) {
            consumer_make(&crowds[side].consumers[i], &ends[side], i % 2 ? ends[side].pe : NULL,
                          sink, sizeof(sink), 2);
            producer_make(&crowds[side].producers[i], &ends[side], i % 2 ? ends[side].pe : NULL,
                          source, sizeof(source), 2);
            producer_start(&crowds[side].producers[i]);
            consumer_start(&crowds[side].consumers[i]);
        }
        COMCH_UNTIL(ends[1 - side].num_consumers == SIDE);
    }
    for (i = 0; i < 10; i++) {
        check_crowd(&crowds[0], &crowds[1], i);
        check_crowd(&crowds[1], &crowds[0], i);
    }
    for (side = 0; side < 2; side++) {
        for (i = 0; i < SIDE; i++) {
            producer_close(&crowds[side].producers[i]);
            consumer_close(&crowds[side].consumers[i]);
        }
    }
    comch_close_both(&ends[0], &ends[1]);
}

/* Several producers fill one consumer: each message arrives once, complete, with its sender's id.
 */
static void note_sender(struct comch_consumer *c, struct doca_comch_consumer_task_post_recv *task,
                        bool is_ok)
{
    unsigned *counts = c->user;

    (void)task;
    if (!is_ok)
        return;
    CHECK_EQ(c->imm_len, 1);
    CHECK(c->imm[0] < SIDE);
    CHECK_EQ(c->from, counts[SIDE + c->imm[0]]);
    counts[c->imm[0]]++;
}

static void several_producers_share_one_consumer(void)
{
    struct comch_producer producers[SIDE];
    unsigned counts[2 * SIDE] = { 0 }, i, k, posted = 0;
    struct pair p;

    pair_open(&p, TASKS);
    p.consumer.on_task = note_sender;
    p.consumer.user = counts;
    for (i = 0; i < SIDE; i++) {
        producer_make(&producers[i], &p.server, NULL, source, sizeof(source), TASKS);
        producer_start(&producers[i]);
        counts[SIDE + i] = producers[i].id;
    }
    for (k = 0; k < 100; k++) {
        for (i = 0; i < SIDE; i++, posted++)
            consumer_post(&p.consumer, (size_t)BYTES * (posted % TASKS), BYTES);
        for (i = 0; i < SIDE; i++) {
            uint8_t imm = (uint8_t)i;

            producer_push(producer_task(&producers[i], producer_buf(&producers[i], k, BYTES), &imm,
                                        1, p.consumer.id));
        }
        COMCH_UNTIL(p.consumer.num_ok == posted);
    }
    for (i = 0; i < SIDE; i++) {
        COMCH_UNTIL(producers[i].num_ok == 100);
        CHECK_EQ(counts[i], 100);
        producer_close(&producers[i]);
    }
    pair_close(&p);
}

/* ---- statistics ---- */

static void sends_receives_events_and_withdrawn_tasks_are_counted(void)
{
    struct doca_comch_consumer_task_post_recv *task;
    struct doca_core_ctx_stats stats;
    struct pair p;

    CHECK_OK(doca_core_stats_start());
    pair_open(&p, TASKS);
    consumer_post(&p.consumer, 0, 1000);
    producer_send(&p.producer, 0, 1000, p.consumer.id);
    comch_send(&p.server, source, 70);
    COMCH_UNTIL(p.producer.num_ok == 1 && p.consumer.num_ok == 1 && p.server.num_sent == 1 &&
                p.client.num_received == 1);
    task = consumer_task(&p.consumer, consumer_buf(&p.consumer, 0, 100));
    CHECK_OK(consumer_submit(task));
    consumer_release(task);
    CHECK_OK(doca_core_ctx_get_stats(p.producer.ctx, &stats));
    CHECK_EQ(stats.num_completed, 1);
    CHECK_EQ(stats.num_bytes, 1000);
    CHECK_OK(doca_core_ctx_get_stats(p.consumer.ctx, &stats));
    CHECK_EQ(stats.num_completed, 1);
    CHECK_EQ(stats.num_bytes, 1000);
    CHECK_EQ(stats.num_withdrawn, 1);
    CHECK_EQ(stats.num_submitted, 2);
    CHECK_EQ(stats.max_inflight, 1);
    CHECK_OK(doca_core_ctx_get_stats(p.server.ctx, &stats));
    CHECK_EQ(stats.num_completed, 1);
    CHECK_EQ(stats.num_bytes, 70);
    CHECK(stats.num_events >= 1); /* the connection, and perhaps the consumer */
    CHECK_OK(doca_core_ctx_get_stats(p.client.ctx, &stats));
    CHECK_EQ(stats.num_submitted, 0);
    CHECK_EQ(stats.max_inflight, 0);
    CHECK(stats.num_events >= 1); /* the message */
    pair_close(&p);
}

static const struct test_case cases[] = {
    CASE(wrong_arguments_of_consumers_are_refused, "378"),
    CASE(wrong_arguments_of_producers_are_refused, "378"),
    CASE(task_of_a_producer_keeps_what_was_set, "380"),
    CASE(empty_pools_give_no_memory, ""),
    CASE(buffer_outside_of_the_mmap_of_the_consumer_is_refused, "376"),
    CASE(one_buffer_may_be_in_many_sends, "372"),
    CASE(tasks_are_submitted_again_in_their_callbacks, "369 373"),
    CASE(stop_of_a_consumer_flushes_its_tasks, "374"),
    CASE(posted_tasks_may_be_freed_before_the_stop, "375"),
    CASE(tasks_posted_again_after_a_free_keep_their_order, "375"),
    CASE(sends_receives_events_and_withdrawn_tasks_are_counted, ""),
    CASE(places_of_freed_tasks_take_messages_again, "375"),
    CASE(send_to_a_consumer_that_is_gone_does_not_succeed, "359"),
    CASE(sends_under_way_end_once_when_the_consumer_stops, "374"),
    CASE(sends_under_way_end_once_when_the_producer_stops, ""),
    CASE(several_producers_address_several_consumers, "329 377 380"),
    CASE(several_producers_share_one_consumer, "380"),
};

TEST_MAIN(cases)

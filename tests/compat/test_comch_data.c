/* DOCA Comch: consumers and producers. Both ends live in one thread. */
#include "comch_data.h"

enum { MIB = 1 << 20, BIG = 5 * MIB, TASKS = 16, MANY = 1000, GUARD = 64 };

static unsigned char source[BIG + GUARD], sink[BIG + 2 * GUARD];

/* A consumer at the client and a producer at the server, or the other way round. */
struct pair {
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;
};

static void pair_open(struct pair *p, bool client_sends, uint32_t num_tasks)
{
    struct comch_end *sender, *receiver;

    comch_open(&p->server, &p->client, 2);
    sender = client_sends ? &p->client : &p->server;
    receiver = client_sends ? &p->server : &p->client;
    consumer_make(&p->consumer, receiver, NULL, sink, sizeof(sink), num_tasks);
    producer_make(&p->producer, sender, NULL, source, sizeof(source), num_tasks);
    producer_start(&p->producer);
    consumer_start(&p->consumer);
    COMCH_UNTIL(sender->num_consumers == 1);
    CHECK_EQ(sender->consumers[0], p->consumer.id);
}

static void pair_close(struct pair *p)
{
    consumer_close(&p->consumer);
    producer_close(&p->producer);
    comch_close_both(&p->server, &p->client);
}

static void fill_source(unsigned seed)
{
    size_t i;

    for (i = 0; i < sizeof(source); i++)
        source[i] = (unsigned char)(i * 31 + (i >> 8) * 7 + (i >> 16) * 3 + seed);
}

/* ---- states and ids ---- */

static void consumer_is_starting_until_progress_makes_it_run(void)
{
    struct comch_end server, client;
    struct comch_consumer consumer;

    comch_open(&server, &client, 1);
    consumer_make(&consumer, &client, NULL, sink, 4096, 1);
    CHECK_RC(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(consumer.ctx), DOCA_CTX_STATE_STARTING);
    COMCH_UNTIL(consumer.num_states == 2);
    CHECK_STR(consumer.states, "IS SR");
    CHECK_EQ(rig_state(consumer.ctx), DOCA_CTX_STATE_RUNNING);
    consumer_close(&consumer);
    comch_close_both(&server, &client);
}

static void producer_runs_at_once(void)
{
    struct comch_end server, client;
    struct comch_producer producer;

    comch_open(&server, &client, 1);
    producer_make(&producer, &client, NULL, source, 4096, 1);
    CHECK_OK(doca_ctx_start(producer.ctx));
    CHECK_EQ(rig_state(producer.ctx), DOCA_CTX_STATE_RUNNING);
    COMCH_UNTIL(producer.num_states == 1);
    CHECK_STR(producer.states, "IR");
    producer_close(&producer);
    comch_close_both(&server, &client);
}

static bool is_in(uint32_t id, const uint32_t *ids, unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++)
        if (ids[i] == id)
            return true;
    return false;
}

/* The id is known before the consumer starts, and is neither 0 nor 0xffff. The peer gets the same
 * id by one event when the consumer starts and by another event when the consumer has ended. */
static void peer_learns_the_ids_of_consumers(void)
{
    enum { NUM = 6 };
    struct comch_consumer consumers[NUM];
    struct comch_end ends[2];
    uint32_t ids[NUM];
    unsigned side, i;

    comch_open(&ends[0], &ends[1], 1);
    for (side = 0; side < 2; side++) {
        struct comch_end *own = &ends[side], *peer = &ends[1 - side];

        for (i = 0; i < NUM; i++) {
            consumer_make(&consumers[i], own, own->pe, sink, 4096, 1);
            CHECK(consumers[i].id != 0 && consumers[i].id != 0xffff);
            CHECK(!is_in(consumers[i].id, ids, i));
            ids[i] = consumers[i].id;
        }
        comch_settle();
        CHECK_EQ(peer->num_consumers, 0); /* no consumer has started */
        for (i = 0; i < NUM; i++) {
            consumer_start(&consumers[i]);
            COMCH_UNTIL(peer->num_consumers == i + 1);
            CHECK_EQ(peer->consumers[i], ids[i]);
            CHECK_OK(doca_comch_consumer_get_id(consumers[i].consumer, &ids[i]));
            CHECK_EQ(consumers[i].id, ids[i]);
        }
        for (i = 0; i < NUM; i++) {
            consumer_close(&consumers[i]);
            COMCH_UNTIL(peer->num_expired == i + 1);
            CHECK_EQ(peer->expired[i], ids[i]);
        }
        comch_settle();
        CHECK_EQ(peer->num_consumers, NUM);
        CHECK_EQ(peer->num_expired, NUM);
        CHECK_EQ(own->num_consumers + own->num_expired, side * 2 * NUM);
    }
    comch_close_both(&ends[0], &ends[1]);
}

/* The vendor's programs use 0xffff for "no consumer". */
static void an_id_is_never_0xffff(void)
{
    struct doca_comch_consumer *consumer;
    struct comch_end server, client;
    struct doca_mmap *map;
    uint32_t id = 0, last;

    comch_open(&server, &client, 1);
    map = comch_map(client.dev, sink, 4096);
    do {
        last = id;
        CHECK_OK(doca_comch_consumer_create(client.conns[0], map, &consumer));
        CHECK_OK(doca_comch_consumer_get_id(consumer, &id));
        CHECK(id > last && id != 0xffff);
        CHECK_OK(doca_comch_consumer_destroy(consumer));
    } while (id < 0xffff);
    CHECK_OK(doca_mmap_destroy(map));
    comch_close_both(&server, &client);
}

static void ids_of_producers_differ(void)
{
    enum { NUM = 6 };
    struct comch_producer producers[NUM];
    struct comch_end server, client;
    uint32_t ids[NUM], id;
    unsigned i;

    comch_open(&server, &client, 1);
    for (i = 0; i < NUM; i++) {
        producer_make(&producers[i], &client, client.pe, source, 4096, 1);
        CHECK(!is_in(producers[i].id, ids, i));
        ids[i] = producers[i].id;
    }
    for (i = 0; i < NUM; i++) {
        producer_start(&producers[i]);
        CHECK_OK(doca_comch_producer_get_id(producers[i].producer, &id));
        CHECK_EQ(id, ids[i]);
        producer_close(&producers[i]);
    }
    comch_close_both(&server, &client);
}

/* Cards have lost the start of a consumer when control messages arrived at the same time. The
 * library must not. */
static void consumer_starts_while_messages_arrive(void)
{
    struct comch_end server, client;
    struct comch_consumer consumer;
    unsigned i, k;

    comch_open(&server, &client, 8);
    for (i = 0; i < 50; i++) {
        consumer_make(&consumer, &client, NULL, sink, 4096, 1);
        for (k = 0; k < i % 8; k++)
            comch_send(&server, source, 100 * k);
        CHECK_RC(doca_ctx_start(consumer.ctx), DOCA_ERROR_IN_PROGRESS);
        for (k = 0; k < i % 5; k++)
            comch_send(&client, source, 100 * k);
        COMCH_UNTIL(consumer.num_states == 2 && server.num_consumers == i + 1);
        consumer_close(&consumer);
        COMCH_UNTIL(server.num_sent == client.num_received &&
                    client.num_sent == server.num_received && server.num_expired == i + 1);
        CHECK_EQ(rig_inflight(server.ctx) + rig_inflight(client.ctx), 0);
    }
    comch_close_both(&server, &client);
}

/* ---- lengths ---- */

static const size_t lengths[] = { 0, 1, 63, 64, 65, 4096, 65535, 65536, MIB, BIG };

static void check_transfer(struct pair *p, size_t len, size_t room)
{
    unsigned ok = p->consumer.num_ok, sent = p->producer.num_ok;

    memset(sink, 0xee, len + 2 * GUARD);
    consumer_post(&p->consumer, GUARD, room > 0 ? room : 1);
    producer_send(&p->producer, 1, len, p->consumer.id);
    COMCH_UNTIL(p->producer.num_ok == sent + 1 && p->consumer.num_ok == ok + 1);
    CHECK_EQ(p->producer.num_failed + p->consumer.num_failed, 0);
    CHECK_EQ(p->consumer.len, len);
    CHECK_PTR(p->consumer.data, sink + GUARD);
    CHECK_MEM(sink + GUARD, source + 1, len);
    CHECK_EQ(sink[GUARD - 1], 0xee);
    CHECK_EQ(sink[GUARD + len], 0xee);
    CHECK_EQ(p->consumer.from, p->producer.id);
    CHECK_EQ(p->consumer.imm_len, 0);
}

static void data_of_every_length_arrives_unchanged(void)
{
    unsigned client_sends;
    struct pair p;
    size_t i;

    for (client_sends = 0; client_sends < 2; client_sends++) {
        fill_source(client_sends);
        pair_open(&p, client_sends, 2);
        for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
            check_transfer(&p, lengths[i], lengths[i]);
            if (lengths[i] < BIG)
                check_transfer(&p, lengths[i], lengths[i] + GUARD); /* the buffer has more room */
        }
        pair_close(&p);
    }
}

/* Data goes behind what the posted buffer contains already. */
static void data_is_appended_to_the_content_of_the_buffer(void)
{
    struct doca_buf *buf;
    struct pair p;

    fill_source(3);
    pair_open(&p, true, 2);
    memset(sink, 0x11, 1000);
    CHECK_OK(doca_buf_inventory_buf_get_by_args(p.consumer.inventory, p.consumer.map, sink, 1000,
                                                sink + 100, 50, &buf));
    CHECK_OK(consumer_submit(consumer_task(&p.consumer, buf)));
    producer_send(&p.producer, 0, 300, p.consumer.id);
    COMCH_UNTIL(p.consumer.num_ok == 1 && p.producer.num_ok == 1);
    CHECK_PTR(p.consumer.data, sink + 100);
    CHECK_EQ(p.consumer.len, 350);
    CHECK_EQ(sink[149], 0x11);
    CHECK_MEM(sink + 150, source, 300);
    CHECK_EQ(sink[450], 0x11);
    pair_close(&p);
}

/* Both buffers have their content before their window, and the library has warned about it. */
static void content_outside_the_windows_is_sent_and_received(void)
{
    enum { LEN = 300 };
    struct doca_buf *to, *from;
    struct pair p;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("doca_buf_set_data() fails at this check level");
    fill_source(5);
    pair_open(&p, true, 2);
    to = consumer_buf(&p.consumer, 2000, 1000);
    CHECK_OK(doca_buf_set_data(to, sink + GUARD, 0));
    from = producer_buf(&p.producer, 4000, 1000);
    CHECK_OK(doca_buf_set_data(from, source + 1, LEN));
    CHECK_OK(consumer_submit(consumer_task(&p.consumer, to)));
    producer_push(producer_task(&p.producer, from, NULL, 0, p.consumer.id));
    COMCH_UNTIL(p.consumer.num_ok == 1 && p.producer.num_ok == 1);
    CHECK_PTR(p.consumer.data, sink + GUARD);
    CHECK_EQ(p.consumer.len, LEN);
    CHECK_MEM(sink + GUARD, source + 1, LEN);
    pair_close(&p);
}

/* The room behind the content counts, not the length of the whole buffer. */
static void too_small_buffer_fails_on_both_sides(void)
{
    static const size_t rooms[][2] = { { 99, 100 }, { 1, 2 }, { 65535, 65536 }, { MIB, BIG } };
    unsigned client_sends;
    struct pair p;
    size_t i;

    for (i = 0; i < 8; i++) {
        client_sends = i % 2;
        pair_open(&p, client_sends, 2);
        memset(sink, 0xee, sizeof(sink));
        consumer_post(&p.consumer, 0, rooms[i / 2][0]);
        producer_send(&p.producer, 0, rooms[i / 2][1], p.consumer.id);
        COMCH_UNTIL(p.producer.num_failed == 1 && p.consumer.num_failed == 1);
        CHECK_RC(p.producer.status, DOCA_ERROR_IO_FAILED);
        CHECK_RC(p.consumer.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(p.producer.num_ok + p.consumer.num_ok, 0);
        CHECK_EQ(sink[rooms[i / 2][0]], 0xee); /* nothing is written behind the buffer */
        CHECK(comch_runs(&p.client));          /* the connection lives */
        comch_deliver(&p.client, &p.server, "alive", 5);
        pair_close(&p);
    }
}

/* ---- immediate data ---- */

static void immediate_data_of_0_to_32_bytes_arrives(void)
{
    struct doca_comch_producer_task_send *task;
    uint8_t imm[COMCH_IMM];
    struct pair p;
    uint32_t len, i;

    fill_source(4);
    pair_open(&p, false, 2);
    for (len = 0; len <= COMCH_IMM; len++) {
        for (i = 0; i < len; i++)
            imm[i] = (uint8_t)(len * 3 + i);
        consumer_post(&p.consumer, 0, 1000);
        task = producer_task(&p.producer, producer_buf(&p.producer, len, 200), len > 0 ? imm : NULL,
                             len, p.consumer.id);
        CHECK_EQ(doca_comch_producer_task_send_get_imm_data_len(task), len);
        CHECK_EQ(doca_comch_producer_task_send_get_imm_data(task) == NULL, len == 0);
        memset(imm, 0, sizeof(imm)); /* the task has a copy */
        producer_push(task);
        COMCH_UNTIL(p.consumer.num_ok == len + 1 && p.producer.num_ok == len + 1);
        CHECK_EQ(p.consumer.imm_len, len);
        for (i = 0; i < len; i++)
            CHECK_EQ(p.consumer.imm[i], (uint8_t)(len * 3 + i));
        CHECK_EQ(p.consumer.len, 200);
        CHECK_MEM(sink, source + len, 200);
    }
    pair_close(&p);
}

static void immediate_data_goes_without_a_buffer(void)
{
    struct doca_comch_producer_task_send *task;
    uint8_t imm[4] = { 1, 2, 3, 4 };
    struct pair p;
    unsigned i;

    pair_open(&p, true, 2);
    for (i = 1; i <= 10; i++) {
        imm[0] = (uint8_t)i;
        consumer_post(&p.consumer, 0, 100);
        memset(sink, 0xee, 100);
        task = producer_task(&p.producer, NULL, imm, 4, p.consumer.id);
        CHECK_PTR(doca_comch_producer_task_send_get_buf(task), NULL);
        producer_push(task);
        COMCH_UNTIL(p.consumer.num_ok == i && p.producer.num_ok == i);
        CHECK_EQ(p.consumer.len, 0);
        CHECK_EQ(p.consumer.imm_len, 4);
        CHECK_MEM(p.consumer.imm, imm, 4);
        CHECK_EQ(sink[0], 0xee);
    }
    pair_close(&p);
}

static void immediate_data_can_be_changed_before_each_submit(void)
{
    struct doca_comch_producer_task_send *task;
    uint8_t imm[COMCH_IMM];
    struct pair p;
    uint32_t i;

    memset(imm, 7, sizeof(imm));
    pair_open(&p, true, 2);
    p.producer.keeps_tasks = true;
    task = producer_task(&p.producer, NULL, imm, COMCH_IMM, p.consumer.id);
    for (i = 1; i <= 20; i++) {
        imm[0] = (uint8_t)i;
        doca_comch_producer_task_send_set_imm_data(task, imm, i);
        CHECK_EQ(doca_comch_producer_task_send_get_imm_data_len(task), i);
        CHECK_MEM(doca_comch_producer_task_send_get_imm_data(task), imm, i);
        imm[0] = 0;
        consumer_post(&p.consumer, 0, 100);
        producer_push(task);
        COMCH_UNTIL(p.consumer.num_ok == i && p.producer.num_ok == i);
        CHECK_EQ(p.consumer.imm_len, i);
        CHECK_EQ(p.consumer.imm[0], i);
    }
    doca_task_free(doca_comch_producer_task_send_as_task(task));
    pair_close(&p);
}

/* A consumer that is configured for 8 bytes gets at most 8. A send with more is refused, or fails
 * on both sides. */
static void immediate_data_is_bounded_by_the_consumer(void)
{
    struct comch_end server, client;
    struct comch_consumer consumer;
    struct comch_producer producer;
    struct doca_comch_producer_task_send *task;
    uint8_t imm[COMCH_IMM] = { 9 };
    doca_error_t rc;

    comch_open(&server, &client, 1);
    consumer_make(&consumer, &client, NULL, sink, 4096, 2);
    CHECK_OK(doca_comch_consumer_set_imm_data_len(consumer.consumer, 8));
    producer_make(&producer, &server, NULL, source, 4096, 2);
    producer_start(&producer);
    consumer_start(&consumer);
    COMCH_UNTIL(server.num_consumers == 1);
    consumer_post(&consumer, 0, 100);
    producer_push(producer_task(&producer, NULL, imm, 8, consumer.id));
    COMCH_UNTIL(consumer.num_ok == 1 && producer.num_ok == 1);
    CHECK_EQ(consumer.imm_len, 8);
    consumer_post(&consumer, 0, 100);
    task = producer_task(&producer, NULL, imm, 9, consumer.id);
    COMCH_UNTIL((rc = producer_submit(task)) != DOCA_ERROR_AGAIN);
    if (rc == DOCA_SUCCESS)
        COMCH_UNTIL(producer.num_failed == 1);
    else
        doca_task_free(doca_comch_producer_task_send_as_task(task));
    comch_settle();
    CHECK_EQ(consumer.num_ok, 1);
    CHECK_EQ(producer.num_ok, 1);
    consumer_close(&consumer);
    producer_close(&producer);
    comch_close_both(&server, &client);
}

/* ---- credit ---- */

/* All public programs repeat the submit, without any progress, until the consumer has posted a
 * buffer. So room must become visible to the producer without progress of its side. */
static void room_becomes_visible_without_progress_of_the_sender(void)
{
    struct doca_comch_producer_task_send *task;
    unsigned client_sends, i;
    struct comch_end *receiver;
    doca_error_t rc;
    struct pair p;

    for (client_sends = 0; client_sends < 2; client_sends++) {
        pair_open(&p, client_sends, TASKS);
        receiver = client_sends ? &p.server : &p.client;
        for (i = 0; i < 50; i++) {
            uint64_t end = comch_now_ms() + 5000;
            unsigned k;

            task = producer_task(&p.producer, producer_buf(&p.producer, i, 100), NULL, 0,
                                 p.consumer.id);
            for (k = 0; k < 100; k++)
                CHECK_RC(producer_submit(task), DOCA_ERROR_AGAIN);
            CHECK_EQ(rig_inflight(p.producer.ctx), 0);
            consumer_post(&p.consumer, 0, 100);
            while ((rc = producer_submit(task)) == DOCA_ERROR_AGAIN) {
                (void)comch_progress(receiver); /* another process or thread, in a real program */
                (void)comch_progress_pe(p.consumer.pe, &p.consumer.num_callbacks);
                CHECK(comch_now_ms() < end);
            }
            CHECK_OK(rc);
            COMCH_UNTIL(p.consumer.num_ok == i + 1 && p.producer.num_ok == i + 1);
            CHECK_MEM(sink, source + i, 100);
        }
        pair_close(&p);
    }
}

/* Each posted buffer admits one send, and not one more. */
static void as_many_sends_as_posted_buffers(void)
{
    struct doca_comch_producer_task_send *task;
    struct pair p;
    unsigned i;

    pair_open(&p, true, TASKS);
    for (i = 0; i < TASKS / 2; i++)
        consumer_post(&p.consumer, 100 * (size_t)i, 100);
    comch_settle();
    for (i = 0; i < TASKS / 2; i++)
        CHECK_OK(producer_submit(
            producer_task(&p.producer, producer_buf(&p.producer, i, 100), NULL, 0, p.consumer.id)));
    task = producer_task(&p.producer, producer_buf(&p.producer, 0, 100), NULL, 0, p.consumer.id);
    CHECK_RC(producer_submit(task), DOCA_ERROR_AGAIN);
    COMCH_UNTIL(p.consumer.num_ok == TASKS / 2 && p.producer.num_ok == TASKS / 2);
    CHECK_RC(producer_submit(task), DOCA_ERROR_AGAIN);
    for (i = 0; i < TASKS / 2; i++)
        CHECK_MEM(sink + 100 * i, source + i, 100); /* in order */
    producer_release(task);
    pair_close(&p);
}

static void completed_send_is_in_the_buffer_of_the_consumer(void)
{
    struct pair p;
    unsigned i;

    fill_source(5);
    pair_open(&p, true, 2);
    for (i = 0; i < 100; i++) {
        memset(sink, 0, 300);
        consumer_post(&p.consumer, 0, 300);
        producer_send(&p.producer, i, 300, p.consumer.id);
        COMCH_UNTIL(p.producer.num_ok == i + 1);
        CHECK_MEM(sink, source + i, 300);
        /* the receive task completes without progress of the sender */
        COMCH_WAIT(comch_progress_pe(p.consumer.pe, &p.consumer.num_callbacks) +
                       comch_progress(&p.server),
                   p.consumer.num_ok == i + 1);
    }
    pair_close(&p);
}

/* The consumer's side learns of the end of the connection before it takes the messages. */
static void sent_messages_arrive_after_the_end_of_their_connection(void)
{
    struct pair p;
    unsigned i;

    fill_source(6);
    memset(sink, 0, 3 * 300);
    pair_open(&p, true, 4);
    comch_engine_remove(p.consumer.pe);
    for (i = 0; i < 3; i++) {
        consumer_post(&p.consumer, i * 300, 300);
        producer_send(&p.producer, i, 300, p.consumer.id);
    }
    COMCH_UNTIL(p.producer.num_ok == 3);
    producer_close(&p.producer);
    comch_stop(&p.client);
    COMCH_UNTIL(p.server.num_disconnects == 1);
    CHECK_EQ(p.consumer.num_ok, 0);
    comch_engine_add(p.consumer.pe, &p.consumer.num_callbacks);
    COMCH_UNTIL(p.consumer.num_ok == 3);
    for (i = 0; i < 3; i++)
        CHECK_MEM(sink + i * 300, source + i, 300);
    consumer_close(&p.consumer);
    comch_close_both(&p.server, &p.client);
}

/* A consumer stops in each phase of a transfer that needs several pieces. If the producer's task
 * succeeds, the consumer's task has succeeded, too. */
static void stop_within_a_long_transfer_fails_on_both_sides_or_on_none(void)
{
    static const size_t sent[] = { 100, 200000, 100, 200000, 100 };
    const unsigned step = test_times(24) < 24 ? 5 : 1; /* 5: the device is slow */
    unsigned turns, other, i;
    struct pair p;

    fill_source(7);
    for (turns = 0; turns < 24; turns += step) {
        for (other = 0; other < 4; other++) { /* which side makes progress before the stop */
            pair_open(&p, other % 2, 8);
            for (i = 0; i < 5; i++)
                consumer_post(&p.consumer, (size_t)MIB * i, sent[i]);
            for (i = 0; i < 5; i++)
                producer_send(&p.producer, 0, sent[i], p.consumer.id);
            for (i = 0; i < turns; i++) {
                (void)comch_progress_pe(p.consumer.pe, &p.consumer.num_callbacks);
                if (other >= 2 || i % 4 == 0)
                    (void)comch_progress_pe(p.producer.pe, &p.producer.num_callbacks);
            }
            consumer_stop(&p.consumer);
            comch_settle();
            producer_stop(&p.producer);
            CHECK_EQ(p.consumer.num_ok + p.consumer.num_failed, 5);
            CHECK_EQ(p.producer.num_ok + p.producer.num_failed, 5);
            CHECK(p.producer.num_ok <= p.consumer.num_ok);
            pair_close(&p);
        }
    }
}

/* ---- memory ---- */

static void consumer_and_producer_need_the_bytes_that_the_library_says(void)
{
    static DOCA_CORE_ALIGNED unsigned char memory[1 << 20];
    struct doca_comch_consumer *consumer;
    struct doca_comch_producer *producer;
    struct comch_end server, client;
    struct doca_core_arena arena;
    size_t bytes[2] = { 0, 0 }, too_much = 0, used = 1;
    struct doca_mmap *map;

    comch_open(&server, &client, 1);
    map = comch_map(client.dev, sink, 4096);
    CHECK_OK(doca_core_bytes_comch_consumer(client.dev, 32, &bytes[0]));
    CHECK_OK(doca_core_bytes_comch_producer(client.dev, 32, &bytes[1]));
    CHECK_RC(doca_core_bytes_comch_consumer(client.dev, DOCA_CORE_COMCH_MAX_TASKS + 1, &too_much),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_comch_producer(client.dev, DOCA_CORE_COMCH_MAX_TASKS + 1, &too_much),
             DOCA_ERROR_INVALID_VALUE);
    CHECK(bytes[0] > 0 && bytes[1] > 0 && bytes[0] + bytes[1] <= sizeof(memory));
    CHECK_OK(doca_core_arena_init(&arena, memory, bytes[0] + bytes[1]));
    CHECK_OK(doca_core_comch_consumer_create_in(&arena, client.conns[0], map, &consumer));
    CHECK_OK(doca_core_comch_producer_create_in(&arena, client.conns[0], &producer));
    CHECK_OK(doca_comch_consumer_task_post_recv_set_conf(consumer, consumer_received,
                                                         consumer_failed, 32));
    CHECK_OK(doca_comch_producer_task_send_set_conf(producer, producer_sent, producer_failed, 32));
    CHECK_OK(doca_pe_connect_ctx(client.pe, doca_comch_consumer_as_ctx(consumer)));
    CHECK_OK(doca_pe_connect_ctx(client.pe, doca_comch_producer_as_ctx(producer)));
    CHECK_RC(doca_ctx_start(doca_comch_consumer_as_ctx(consumer)), DOCA_ERROR_IN_PROGRESS);
    CHECK_OK(doca_ctx_start(doca_comch_producer_as_ctx(producer)));
    COMCH_UNTIL(rig_state(doca_comch_consumer_as_ctx(consumer)) == DOCA_CTX_STATE_RUNNING);
    comch_stop_ctx(doca_comch_consumer_as_ctx(consumer));
    comch_stop_ctx(doca_comch_producer_as_ctx(producer));
    COMCH_UNTIL(rig_state(doca_comch_consumer_as_ctx(consumer)) == DOCA_CTX_STATE_IDLE &&
                rig_state(doca_comch_producer_as_ctx(producer)) == DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_comch_consumer_destroy(consumer));
    CHECK_OK(doca_comch_producer_destroy(producer));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_mmap_destroy(map));
    comch_close_both(&server, &client);
}

static void many_consumers_leave_no_memory_behind(void)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    size_t level = 0, used;
    struct pair p;
    unsigned i;

    fill_source(6);
    comch_open(&p.server, &p.client, 1);
    for (i = 0; i < 300; i++) {
        consumer_make(&p.consumer, &p.client, NULL, sink, 4096, 4);
        producer_make(&p.producer, &p.server, NULL, source, 4096, 4);
        producer_start(&p.producer);
        consumer_start(&p.consumer);
        COMCH_UNTIL(p.server.num_consumers == i + 1);
        consumer_post(&p.consumer, 0, 100);
        producer_send(&p.producer, i, 100, p.consumer.id);
        COMCH_UNTIL(p.consumer.num_ok == 1 && p.producer.num_ok == 1);
        CHECK_MEM(sink, source + i, 100);
        producer_close(&p.producer);
        consumer_close(&p.consumer);
        COMCH_UNTIL(p.server.num_expired == i + 1);
        CHECK_OK(doca_core_arena_query(arena, &used, NULL, NULL));
        if (i == 1)
            level = used;
        if (i > 1)
            CHECK_EQ(used, level);
    }
    comch_close_both(&p.server, &p.client);
}

/* A producer that has sent its last message keeps nothing that a new consumer needs, even after the
 * ids of many consumers have come and gone. */
static void idle_producers_do_not_hinder_new_consumers(void)
{
    enum { IDLE = 3, CONSUMERS = 4 * DOCA_CORE_COMCH_MAX_CONSUMERS };
    struct comch_producer idle[IDLE];
    struct pair p;
    unsigned i, k;

    fill_source(7);
    comch_open(&p.server, &p.client, 1);
    for (k = 0; k < IDLE; k++) {
        producer_make(&idle[k], &p.server, NULL, source, 4096, 4);
        producer_start(&idle[k]);
    }
    for (i = 0; i < CONSUMERS; i++) {
        consumer_make(&p.consumer, &p.client, NULL, sink, 4096, 4);
        consumer_start(&p.consumer);
        COMCH_UNTIL(p.server.num_consumers == i + 1);
        k = i < IDLE ? i : i / 50 % IDLE;
        if (i < IDLE || i % 50 == 0) {
            const unsigned before = idle[k].num_ok;

            consumer_post(&p.consumer, 0, 100);
            producer_send(&idle[k], i, 100, p.consumer.id);
            COMCH_UNTIL(p.consumer.num_ok == 1 && idle[k].num_ok == before + 1);
            CHECK_MEM(sink, source + i, 100);
        }
        consumer_close(&p.consumer);
        COMCH_UNTIL(p.server.num_expired == i + 1);
    }
    for (k = 0; k < IDLE; k++)
        producer_close(&idle[k]);
    comch_close_both(&p.server, &p.client);
}

static const struct test_case cases[] = {
    CASE(consumer_is_starting_until_progress_makes_it_run, "345 347"),
    CASE(producer_runs_at_once, "346"),
    CASE(peer_learns_the_ids_of_consumers, "358 359 377 381"),
    CASE(an_id_is_never_0xffff, "377"),
    CASE(ids_of_producers_differ, "377"),
    CASE(consumer_starts_while_messages_arrive, "360"),
    CASE(data_of_every_length_arrives_unchanged, "338 371 376"),
    CASE(data_is_appended_to_the_content_of_the_buffer, "369"),
    CASE(content_outside_the_windows_is_sent_and_received, ""),
    CASE(too_small_buffer_fails_on_both_sides, "379"),
    CASE(immediate_data_of_0_to_32_bytes_arrives, "378"),
    CASE(immediate_data_goes_without_a_buffer, "378"),
    CASE(immediate_data_can_be_changed_before_each_submit, "378"),
    CASE(immediate_data_is_bounded_by_the_consumer, "378"),
    CASE(room_becomes_visible_without_progress_of_the_sender, "370"),
    CASE(as_many_sends_as_posted_buffers, "370"),
    CASE(completed_send_is_in_the_buffer_of_the_consumer, "371"),
    CASE(sent_messages_arrive_after_the_end_of_their_connection, "371"),
    CASE(stop_within_a_long_transfer_fails_on_both_sides_or_on_none, "371 374"),
    CASE(consumer_and_producer_need_the_bytes_that_the_library_says, ""),
    CASE(many_consumers_leave_no_memory_behind, ""),
    CASE(idle_producers_do_not_hinder_new_consumers, "377"),
};

TEST_MAIN(cases)

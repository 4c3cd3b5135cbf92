/* The shared ring of a consumer of Comch, and a peer that overwrites it: the input chooses what is
 * written into the ring, between posts, sends and progress of both sides. A consumer is hostile to
 * the producer, and the producer to the consumer, by turns, because both use the same memory.
 *
 * No task is lost or completes twice. Bytes outside of the posted buffers stay as they are, and so
 * do the bytes that are sent. Afterwards another consumer and another producer of the same
 * connection exchange a message. */
#include "local_fuzz.h"

#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#include "tools/compat/doca_core_comch.h"

#include "comch_data.h"

enum {
    TASKS = 8,
    POSTED = 1024,       /* bytes of a short posted buffer */
    LONG = 150000,       /* bytes of a long one, and of a long message */
    SPAN = POSTED + 256, /* between two buffers there are canaries */
    SINK = 8 * SPAN + LONG + 2 * 256,
    STEPS = 200
};

static unsigned char source[LONG], sink[SINK], was_sent[LONG];
static struct comch_end server, client; /* the server has the consumer */
static struct comch_consumer consumer;
static struct comch_producer producer;
static struct doca_comch_consumer_task_post_recv *posted[16]; /* by buffer */
static unsigned num_posted, num_sent, num_withdrawn, num_files;
static doca_event_handle_t handles[2];
static bool is_armed[2];
static struct doca_priv_comch_lane *lane; /* of the producers' side */

static void fuzz_set_up(void)
{
    share_fill(source, sizeof(source), 3);
    memcpy(was_sent, source, sizeof(source));
    comch_open(&server, &client, 2);
    comch_close_both(&server, &client); /* the log and the devices may keep descriptors open */
    num_files = local_count_files();
    comch_open(&server, &client, 2);
}

/* Many inputs use the same connection. It keeps the descriptors of consumers that have ended until
 * it needs their entries. */
static void renew_connection(void)
{
    static unsigned num_inputs;

    if (++num_inputs % 32 != 0)
        return;
    comch_close_both(&server, &client);
    local_check_files(num_files);
    comch_open(&server, &client, 2);
}

static size_t buffer_at(unsigned slot)
{
    return 256 + (size_t)slot * SPAN;
}

static size_t buffer_len(unsigned slot)
{
    return slot == 8 ? LONG : POSTED;
}

static void note_received(struct comch_consumer *c, struct doca_comch_consumer_task_post_recv *task,
                          bool is_ok)
{
    unsigned slot;

    for (slot = 0; slot < 9 && posted[slot] != task; slot++)
        continue;
    CHECK(slot < 9); /* the task is posted, and completes for the first time */
    posted[slot] = NULL;
    if (!is_ok)
        return;
    CHECK(c->len <= buffer_len(slot));
    CHECK(c->len == 0 || c->data == sink + buffer_at(slot));
}

static void check_canaries(void)
{
    unsigned slot;
    size_t i;

    for (i = 0; i < 256; i++)
        CHECK_EQ(sink[i], LOCAL_CANARY);
    for (slot = 0; slot < 9; slot++)
        for (i = 0; i < 256; i++)
            CHECK_EQ(sink[buffer_at(slot) + buffer_len(slot) + i], LOCAL_CANARY);
    CHECK_MEM(source, was_sent, sizeof(source));
}

static void post(void)
{
    const unsigned slot = fuzz_below(9);
    struct doca_comch_consumer_task_post_recv *task;

    if (posted[slot] != NULL ||
        num_posted - num_withdrawn - consumer.num_ok - consumer.num_failed >= TASKS)
        return;
    task = consumer_task(&consumer, consumer_buf(&consumer, buffer_at(slot), buffer_len(slot)));
    if (consumer_submit(task) != DOCA_SUCCESS) {
        consumer_release(task);
        return;
    }
    posted[slot] = task;
    num_posted++;
}

/* Take a posted buffer back. */
static void withdraw(void)
{
    const unsigned slot = fuzz_below(9);

    if (posted[slot] == NULL)
        return;
    consumer_release(posted[slot]);
    posted[slot] = NULL;
    num_withdrawn++;
}

static void send_one(void)
{
    static const uint32_t lens[] = { 0, 1, 64, 65, 1000, 1024, 1025, 65536, 65537, LONG };
    const uint32_t len = lens[fuzz_below(10)], imm_len = fuzz_below(COMCH_IMM + 1);
    struct doca_comch_producer_task_send *task;

    if (num_sent - producer.num_ok - producer.num_failed >= TASKS)
        return;
    task = producer_task(&producer, producer_buf(&producer, 0, len), source, imm_len, consumer.id);
    if (producer_submit(task) == DOCA_SUCCESS)
        num_sent++;
    else
        producer_release(task);
}

/* The program of one side goes to sleep, or wakes up. */
static void sleep_or_wake(unsigned side)
{
    struct doca_pe *pe = side == 0 ? consumer.pe : producer.pe;

    if (is_armed[side])
        CHECK_OK(doca_pe_clear_notification(pe, handles[side]));
    else
        (void)doca_pe_request_notification(pe);
    is_armed[side] = !is_armed[side];
}

static void progress(unsigned side)
{
    if (is_armed[side])
        sleep_or_wake(side);
    if (side == 0)
        (void)comch_progress_pe(consumer.pe, &consumer.num_callbacks);
    else
        (void)comch_progress_pe(producer.pe, &producer.num_callbacks);
}

/* Write a number into the head of the ring, a slot, or the head of a chunk. */
static void overwrite(void)
{
    struct doca_priv_comch_ring *ring = lane->ring;
    const uint32_t ticket = lane->num_tickets + fuzz_below(16) - 8;
    struct doca_priv_comch_slot *slot = doca_priv_comch_slot_of(lane, ticket);
    struct doca_priv_comch_chunk *chunk = doca_priv_comch_chunk_of(lane, ticket);

    switch (fuzz_below(15)) {
    case 0:
        ring->num_posted = (uint32_t)local_number(ring->num_posted);
        return;
    case 1:
        ring->num_done = (uint32_t)local_number(ring->num_done);
        return;
    case 2:
        ring->consumer_sleeps = fuzz_byte();
        return;
    case 3:
        ring->is_closed = fuzz_byte() > 127;
        return;
    case 4:
        ring->producers_sleep = (uint32_t)local_number(0);
        return;
    case 5:
    case 6:
    case 7:
        slot->turn = DOCA_PRIV_COMCH_TURN(ticket, fuzz_below(8));
        return;
    case 8:
        slot->turn = (uint32_t)local_number(slot->turn);
        return;
    case 9:
        slot->len = local_number(slot->len);
        slot->is_refused = (uint16_t)(fuzz_byte() > 200);
        return;
    case 10:
        slot->imm_len = (uint16_t)local_number(slot->imm_len);
        lane->capacities[ticket % TASKS] = local_number(lane->capacities[ticket % TASKS]);
        return;
    case 11:
        chunk->num_written = local_number(chunk->num_written);
        return;
    case 12:
        chunk->num_read = local_number(chunk->num_read);
        return;
    case 13:
        lane->claims[ticket % TASKS] = fuzz_byte() % 2
                                           ? DOCA_PRIV_COMCH_TURN(ticket, fuzz_below(8))
                                           : (uint32_t)local_number(lane->claims[ticket % TASKS]);
        return;
    default:
        local_scribble(fuzz_byte() % 2 ? (void *)slot : (void *)ring,
                       sizeof(*slot) + lane->num_chunks * sizeof(*chunk));
    }
}

static void open_sides(void)
{
    memset(sink, LOCAL_CANARY, sizeof(sink));
    memset(posted, 0, sizeof(posted));
    num_posted = num_sent = num_withdrawn = 0;
    is_armed[0] = is_armed[1] = false;
    consumer_make(&consumer, &server, NULL, sink, sizeof(sink), TASKS);
    producer_make(&producer, &client, NULL, source, sizeof(source), TASKS);
    consumer.on_task = note_received;
    CHECK_OK(doca_pe_get_notification_handle(consumer.pe, &handles[0]));
    CHECK_OK(doca_pe_get_notification_handle(producer.pe, &handles[1]));
    producer_start(&producer);
    consumer_start(&consumer);
    COMCH_UNTIL(client.num_consumers > 0 &&
                client.consumers[(client.num_consumers - 1) % COMCH_SEEN] == consumer.id);
    lane = doca_priv_comch_lane_of((struct doca_comch_connection *)client.conns[0], consumer.id);
    CHECK(lane->ring != NULL && lane->num_slots == TASKS);
}

/* Stop both sides, in the order that the input chooses, and count their tasks. */
static void close_sides(bool consumer_first)
{
    const unsigned expired = client.num_expired;
    unsigned side;

    for (side = 0; side < 2; side++)
        if (is_armed[side])
            sleep_or_wake(side);
    if (consumer_first)
        consumer_stop(&consumer);
    producer_stop(&producer);
    consumer_stop(&consumer);
    CHECK_EQ(producer.num_ok + producer.num_failed, num_sent);
    CHECK_EQ(consumer.num_ok + consumer.num_failed + num_withdrawn, num_posted);
    check_canaries();
    producer_close(&producer);
    consumer_close(&consumer);
    COMCH_UNTIL(client.num_expired == expired + 1);
}

static void misbehave(void)
{
    unsigned step;

    for (step = 0; step < STEPS && fuzz_left > 0; step++) {
        switch (fuzz_below(12)) {
        case 0:
        case 1:
            post();
            break;
        case 2:
            send_one();
            break;
        case 3:
            send_one();
            progress(1);
            progress(0);
            break;
        case 4:
            progress(0);
            break;
        case 5:
            progress(1);
            break;
        case 6:
            withdraw();
            break;
        case 7:
            sleep_or_wake(fuzz_byte() % 2);
            break;
        default:
            overwrite();
        }
    }
}

static void fuzz_run_input(void)
{
    const unsigned how = fuzz_byte();

    open_sides();
    misbehave();
    close_sides(how % 2 != 0);
    open_sides(); /* a connection of honest programs must still work */
    consumer_post(&consumer, buffer_at(8), LONG);
    posted[8] = NULL;
    consumer.on_task = NULL;
    num_posted = num_sent = 1;
    producer_send(&producer, 0, how % 4 < 2 ? 300 : 140000, consumer.id);
    COMCH_UNTIL(consumer.num_ok == 1 && producer.num_ok == 1);
    CHECK_MEM(sink + buffer_at(8), source, how % 4 < 2 ? 300 : 140000);
    close_sides(false);
    comch_deliver(&server, &client, source, 100);
    renew_connection();
}

/* Traffic over a Comch connection, for tests with two processes: an end that sends numbered control
 * messages all the time and, with a fast path, numbered data through a producer, and that checks
 * what it receives from an end of the same kind.
 *
 * The counters of an end are in memory that both processes share, so that they outlive it. */
#ifndef COMCH_TRAFFIC_H
#define COMCH_TRAFFIC_H

#include "comch_data.h"

#include "export_peer.h"

enum {
    TRAFFIC_TASKS = 16,
    TRAFFIC_DATA = 700,   /* bytes of the longest usual buffer */
    TRAFFIC_LONG = 200000 /* bytes of the long buffers that are sent now and then */
};

struct traffic_counters {
    volatile uint64_t sent, received;           /* control messages: completed, and arrived */
    volatile uint64_t data_sent, data_received; /* the same for buffers of the fast path */
    volatile bool has_run;                      /* the connection was established at this end */
};

struct traffic {
    struct comch_end e;
    struct traffic_counters *counters;
    bool is_fast;  /* has a consumer and a producer */
    bool is_quiet; /* only receives */
    bool has_children;
    bool is_posted;
    struct comch_consumer consumer;
    struct comch_producer producer;

    uint64_t next;      /* number of the next message */
    uint64_t next_data; /* number of the next buffer of the fast path */
    uint64_t num_submitted, num_data_submitted, num_posted;
    uint64_t expected; /* number of the next buffer from the peer */
    uint64_t num_missing;
    unsigned char messages[TRAFFIC_TASKS][COMCH_MAX_MSG];
    bool is_used[TRAFFIC_TASKS];
    unsigned char source[TRAFFIC_TASKS][TRAFFIC_LONG];
    bool is_source_used[TRAFFIC_TASKS];
    unsigned char sink[TRAFFIC_TASKS][TRAFFIC_LONG];
};

static inline struct traffic_counters *traffic_share(void)
{
    return (struct traffic_counters *)share_pages(4096, PROT_READ | PROT_WRITE, MAP_SHARED);
}

static inline uint32_t traffic_len(uint64_t number)
{
    return (uint32_t)(sizeof(number) + number * 37 % 500);
}

static inline uint32_t traffic_data_len(uint64_t number)
{
    if (number % 97 == 96)
        return TRAFFIC_LONG - (uint32_t)(number % 1000);
    return (uint32_t)(sizeof(number) + number * 41 % (TRAFFIC_DATA - sizeof(number)));
}

static inline void traffic_write(unsigned char *at, uint32_t len, uint64_t number)
{
    memset(at, (int)(number * 11 & 0xff), len);
    memcpy(at, &number, sizeof(number));
    at[len - 1] = (unsigned char)(len > sizeof(number) ? number * 13 : at[len - 1]);
}

static inline void traffic_check(const unsigned char *at, size_t len, uint64_t number,
                                 uint32_t want_len)
{
    static unsigned char want[TRAFFIC_LONG];

    CHECK_EQ(len, want_len);
    traffic_write(want, want_len, number);
    CHECK_MEM(at, want, want_len);
}

/* ---- callbacks ---- */

static inline void traffic_received(struct comch_end *e, struct doca_comch_connection *c,
                                    const unsigned char *msg, uint32_t len)
{
    struct traffic *t = e->user;

    (void)c;
    traffic_check(msg, len, t->counters->received, traffic_len(t->counters->received));
    t->counters->received++;
}

static inline void traffic_sent(struct comch_end *e, struct doca_comch_task_send *task, bool is_ok)
{
    union doca_data data = doca_task_get_user_data(doca_comch_task_send_as_task(task));
    struct traffic *t = e->user;

    CHECK(t->is_used[data.u64]);
    t->is_used[data.u64] = false;
    if (is_ok)
        t->counters->sent++;
}

/* A stop can interrupt a send, which then fails on both sides. Later sends may still arrive.
 * Therefore numbers may be missing, but not more of them than receive tasks have failed. */
static inline void traffic_data_received(struct comch_consumer *c,
                                         struct doca_comch_consumer_task_post_recv *task,
                                         bool is_ok)
{
    struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
    struct traffic *t = c->user;
    uint64_t number;

    if (!is_ok) {
        consumer_release(task);
        return;
    }
    CHECK_EQ(c->imm_len, sizeof(number));
    memcpy(&number, c->imm, sizeof(number));
    CHECK(number >= t->expected);
    t->num_missing += number - t->expected;
    CHECK(t->num_missing <= c->num_failed);
    t->expected = number + 1;
    traffic_check(c->data, c->len, number, traffic_data_len(number));
    t->counters->data_received++;
    CHECK_OK(doca_buf_reset_data_len(buf));
    if (consumer_submit(task) == DOCA_SUCCESS)
        t->num_posted++;
    else
        consumer_release(task); /* the consumer is stopping */
}

static inline void traffic_data_sent(struct comch_producer *p,
                                     struct doca_comch_producer_task_send *task, bool is_ok)
{
    union doca_data data = doca_task_get_user_data(doca_comch_producer_task_send_as_task(task));
    struct traffic *t = p->user;

    CHECK(t->is_source_used[data.u64]);
    t->is_source_used[data.u64] = false;
    if (is_ok)
        t->counters->data_sent++;
}

/* ---- set-up ---- */

/* Make an end. `counters` is zeroed memory. */
static inline void traffic_open(struct traffic *t, bool is_server, const char *name, bool is_fast,
                                struct traffic_counters *counters)
{
    memset(t, 0, offsetof(struct traffic, messages));
    memset(t->is_used, 0, sizeof(t->is_used));
    memset(t->is_source_used, 0, sizeof(t->is_source_used));
    if (is_server)
        comch_make_server(&t->e, COMCH_HOST, name, TRAFFIC_TASKS);
    else
        comch_make_client(&t->e, COMCH_HOST, name, TRAFFIC_TASKS);
    t->e.on_message = traffic_received;
    t->e.on_sent = traffic_sent;
    t->e.user = t;
    t->is_fast = is_fast;
    t->counters = counters;
}

/* Make a consumer and a producer. While the connection ends, that may fail. */
static inline void traffic_make_children(struct traffic *t)
{
    if (doca_comch_connection_update_info(t->e.conns[0]) != DOCA_SUCCESS)
        return;
    consumer_make(&t->consumer, &t->e, NULL, t->sink, sizeof(t->sink), TRAFFIC_TASKS);
    producer_make(&t->producer, &t->e, NULL, t->source, sizeof(t->source), TRAFFIC_TASKS);
    t->consumer.keeps_tasks = true;
    t->consumer.on_task = traffic_data_received;
    t->producer.on_task = traffic_data_sent;
    t->consumer.user = t->producer.user = t;
    t->has_children = true;
    CHECK(doca_ctx_start(t->producer.ctx) != DOCA_ERROR_IN_PROGRESS);
    CHECK(doca_ctx_start(t->consumer.ctx) != DOCA_SUCCESS);
}

static inline void traffic_post(struct traffic *t)
{
    unsigned i;

    t->is_posted = true;
    for (i = 0; i < TRAFFIC_TASKS; i++) {
        struct doca_comch_consumer_task_post_recv *task = consumer_task(
            &t->consumer, consumer_buf(&t->consumer, (size_t)i * TRAFFIC_LONG, TRAFFIC_LONG));

        if (consumer_submit(task) == DOCA_SUCCESS)
            t->num_posted++;
        else
            consumer_release(task); /* the connection ends */
    }
}

/* ---- one step ---- */

/* Send the next control message if there is a task for it. */
static inline bool traffic_send(struct traffic *t)
{
    struct doca_comch_task_send *task = NULL;
    unsigned slot;

    for (slot = 0; slot < TRAFFIC_TASKS && t->is_used[slot]; slot++)
        continue;
    if (slot == TRAFFIC_TASKS)
        return false;
    traffic_write(t->messages[slot], traffic_len(t->next), t->next);
    if (comch_alloc(&t->e, t->e.conns[0], t->messages[slot], traffic_len(t->next), &task) !=
        DOCA_SUCCESS)
        return false;
    doca_task_set_user_data(doca_comch_task_send_as_task(task), (union doca_data){ .u64 = slot });
    if (comch_submit(task) != DOCA_SUCCESS) { /* AGAIN, or the connection ends */
        doca_task_free(doca_comch_task_send_as_task(task));
        return false;
    }
    t->is_used[slot] = true;
    t->next++;
    t->num_submitted++;
    return true;
}

static inline bool traffic_send_data(struct traffic *t)
{
    struct doca_comch_producer_task_send *task;
    uint32_t len = traffic_data_len(t->next_data);
    unsigned slot;

    for (slot = 0; slot < TRAFFIC_TASKS && t->is_source_used[slot]; slot++)
        continue;
    if (slot == TRAFFIC_TASKS)
        return false;
    traffic_write(t->source[slot], len, t->next_data);
    task = producer_task(&t->producer, producer_buf(&t->producer, (size_t)slot * TRAFFIC_LONG, len),
                         &t->next_data, sizeof(t->next_data), t->e.consumers[0]);
    doca_task_set_user_data(doca_comch_producer_task_send_as_task(task),
                            (union doca_data){ .u64 = slot });
    if (producer_submit(task) != DOCA_SUCCESS) {
        producer_release(task);
        return false;
    }
    t->is_source_used[slot] = true;
    t->next_data++;
    t->num_data_submitted++;
    return true;
}

static inline bool traffic_is_connected(const struct traffic *t)
{
    return t->e.num_conns == 1 && comch_is(&t->e, DOCA_CTX_STATE_RUNNING);
}

/* Send what can be sent now, and make progress. */
static inline bool traffic_step(struct traffic *t)
{
    bool moved = false;

    if (traffic_is_connected(t)) {
        t->counters->has_run = true;
        if (!t->is_quiet)
            moved |= traffic_send(t);
        if (t->is_fast && !t->has_children)
            traffic_make_children(t);
    }
    if (t->has_children && !t->is_posted && rig_state(t->consumer.ctx) == DOCA_CTX_STATE_RUNNING)
        traffic_post(t);
    if (t->has_children && !t->is_quiet && t->e.num_consumers == 1 && t->e.num_expired == 0 &&
        rig_state(t->producer.ctx) == DOCA_CTX_STATE_RUNNING)
        moved |= traffic_send_data(t);
    return moved | comch_turn();
}

/* ---- the end ---- */

/* Stop everything in the order that the rules ask for, and check that each task has completed
 * once. */
static inline void traffic_close(struct traffic *t)
{
    uint64_t begin = comch_now_ms();

    if (t->has_children) {
        producer_close(&t->producer);
        consumer_close(&t->consumer);
        CHECK_EQ(t->producer.num_ok + t->producer.num_failed, t->num_data_submitted);
        CHECK_EQ(t->consumer.num_ok + t->consumer.num_failed, t->num_posted);
    }
    comch_stop(&t->e);
    CHECK_EQ(t->e.num_sent + t->e.num_failed, t->num_submitted);
    CHECK_EQ(rig_inflight(t->e.ctx), 0);
    if (comch_now_ms() - begin > 5000)
        test_fail(__FILE__, __LINE__, "idle only after %u ms", (unsigned)(comch_now_ms() - begin));
    comch_settle();
    CHECK_EQ(t->e.num_connects, t->e.num_disconnects);
    comch_destroy(&t->e);
}

#endif

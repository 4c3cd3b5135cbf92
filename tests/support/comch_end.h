/* One end of a Comch connection for tests: a server or a client with its device and its progress
 * engine. comch_data.h adds consumers and producers.
 *
 * The callbacks of an end count, record what they got, check that they run only inside
 * comch_progress() of their own end and at most one per call, and then call the hooks of the test.
 * COMCH_UNTIL() progresses every open end of the calling thread until a condition holds. */
#ifndef COMCH_END_H
#define COMCH_END_H

#include "fixture.h"

#include "doca_core_comch.h"

#define COMCH_DPU "0000:03:00.0"
#define COMCH_HOST "0000:0b:00.0"
#define COMCH_HOST_VF "0000:0b:00.2"
#define COMCH_MAX_MSG 4080u /* the size that public programs use */

enum {
    COMCH_PATIENCE_MS = 20000, /* until a test gives up */
    COMCH_CONNS = 64,
    COMCH_SEEN = 64, /* consumers of the peer that an end records */
    COMCH_ENDS = 24,
    COMCH_NAME = 40
};

struct comch_end {
    struct doca_dev *dev;
    struct doca_dev_rep *rep; /* NULL: a client */
    struct doca_pe *pe;
    struct doca_comch_server *server; /* NULL: a client, or the test has destroyed it */
    struct doca_comch_client *client;
    struct doca_ctx *ctx;

    /* connections that are established; the first num_conns entries */
    struct doca_comch_connection *conns[COMCH_CONNS];
    unsigned num_conns;
    unsigned num_connects, num_failed_connects, num_disconnects;

    unsigned num_sent, num_failed; /* completed sends, by the callback that was called */
    doca_error_t status;           /* status of the latest failed send */
    unsigned num_received;
    uint64_t bytes_received;
    struct doca_comch_connection *from; /* of the latest message */
    uint32_t len;
    unsigned char text[COMCH_MAX_MSG];

    uint32_t consumers[COMCH_SEEN]; /* ids of new consumers, in the order of the events */
    uint32_t expired[COMCH_SEEN];
    unsigned num_consumers, num_expired;

    unsigned num_states;
    char states[256]; /* state changes as in fixture.h, such as "IS SR RP PI" */
    unsigned num_callbacks;
    bool keeps_tasks;     /* the callbacks do not free the send tasks */
    bool peer_is_hostile; /* the peer may announce consumers that do not exist */

    void (*on_connect)(struct comch_end *e, struct doca_comch_connection *c);
    void (*on_disconnect)(struct comch_end *e, struct doca_comch_connection *c);
    void (*on_message)(struct comch_end *e, struct doca_comch_connection *c,
                       const unsigned char *msg, uint32_t len);
    void (*on_sent)(struct comch_end *e, struct doca_comch_task_send *task, bool is_ok);
    void (*on_state)(struct comch_end *e, enum doca_ctx_states next);
    void (*on_consumer)(struct comch_end *e, struct doca_comch_connection *c, uint32_t id,
                        bool is_new);
    unsigned todo; /* a counter that the hooks may use */
    void *user;
};

/* The PE whose progress call the calling thread is in, or NULL. */
static __thread struct doca_pe *comch_progressing;

/* The progress engines of the calling thread, which comch_turn() progresses. */
struct comch_engine {
    struct doca_pe *pe;
    unsigned *num_callbacks; /* of the owner of the PE; NULL: contexts of several owners share it */
};
static __thread struct comch_engine comch_engines[COMCH_ENDS];
static __thread unsigned comch_num_engines;

static inline uint64_t comch_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- progress ---- */

/* Forget the engines of a failed case, or those of the parent in a child process. */
static inline void comch_forget_engines(void)
{
    comch_num_engines = 0;
    comch_progressing = NULL;
}

static inline void comch_begin(void)
{
    static __thread const char *name;

    if (name != test_current)
        comch_forget_engines();
    name = test_current;
}

static inline void comch_engine_add(struct doca_pe *pe, unsigned *num_callbacks)
{
    comch_begin();
    CHECK(comch_num_engines < COMCH_ENDS);
    comch_engines[comch_num_engines].pe = pe;
    comch_engines[comch_num_engines++].num_callbacks = num_callbacks;
}

static inline void comch_engine_remove(struct doca_pe *pe)
{
    unsigned i;

    for (i = 0; i < comch_num_engines; i++)
        if (comch_engines[i].pe == pe)
            comch_engines[i--] = comch_engines[--comch_num_engines];
}

/* Progress a PE once. The call runs at most one callback. Return whether it did something. */
static inline bool comch_progress_pe(struct doca_pe *pe, unsigned *num_callbacks)
{
    unsigned before = num_callbacks != NULL ? *num_callbacks : 0;
    uint8_t moved;

    CHECK_PTR(comch_progressing, NULL);
    comch_progressing = pe;
    moved = doca_pe_progress(pe);
    comch_progressing = NULL;
    CHECK(moved <= 1);
    if (num_callbacks != NULL)
        CHECK(*num_callbacks - before <= moved);
    return moved == 1;
}

static inline bool comch_progress(struct comch_end *e)
{
    return comch_progress_pe(e->pe, &e->num_callbacks);
}

/* Progress every engine of this thread once. Return whether any call did something. */
static inline bool comch_turn(void)
{
    bool moved = false;
    unsigned i;

    for (i = 0; i < comch_num_engines; i++)
        moved |= comch_progress_pe(comch_engines[i].pe, comch_engines[i].num_callbacks);
    return moved;
}

/* Wait for `condition` while calling `turn`, an expression that returns whether it did something.
 */
#define COMCH_WAIT(turn, condition)                                                                \
    do {                                                                                           \
        uint64_t end_ = comch_now_ms() + COMCH_PATIENCE_MS;                                        \
        unsigned idle_ = 0;                                                                        \
        while (!(condition)) {                                                                     \
            if (turn) {                                                                            \
                idle_ = 0;                                                                         \
            } else if (++idle_ > 200) {                                                            \
                usleep(50);                                                                        \
                if (comch_now_ms() > end_) {                                                       \
                    peer_explain(__FILE__, __LINE__);                                              \
                    test_fail(__FILE__, __LINE__, "never happens: %s", #condition);                \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)

#define COMCH_UNTIL(condition) COMCH_WAIT(comch_turn(), condition)

/* Progress everything until nothing has happened for some milliseconds. */
static inline void comch_settle(void)
{
    unsigned idle;

    for (idle = 0; idle < 100; idle++) {
        if (comch_turn())
            idle = 0;
        else
            usleep(50);
    }
}

static inline void comch_settle_end(struct comch_end *e)
{
    unsigned idle;

    for (idle = 0; idle < 100; idle++) {
        if (comch_progress(e))
            idle = 0;
        else
            usleep(50);
    }
}

/* ---- callbacks ---- */

static inline void comch_forget_states(struct comch_end *e)
{
    e->num_states = 0;
    e->states[0] = '\0';
}

/* Record a state change as the two letters of fixture.h. */
static inline void comch_note_state(char *states, size_t room, unsigned *num,
                                    enum doca_ctx_states prev, enum doca_ctx_states next)
{
    static const char letters[] = "ISRP";
    char *at = states + (size_t)*num * 3;

    CHECK((unsigned)prev < 4 && (unsigned)next < 4 && prev != next);
    CHECK((size_t)*num * 3 + 3 < room);
    CHECK(*num == 0 || at[-2] == letters[prev]); /* each change begins where the last one ended */
    if (*num > 0)
        at[-1] = ' ';
    at[0] = letters[prev];
    at[1] = letters[next];
    at[2] = '\0';
    ++*num;
}

static inline void comch_called(struct comch_end *e)
{
    CHECK_PTR(comch_progressing, e->pe);
    e->num_callbacks++;
}

static inline struct comch_end *comch_end_of(struct doca_comch_connection *c)
{
    struct doca_comch_server *server = doca_comch_server_get_server_ctx(c);
    struct doca_comch_client *client = doca_comch_client_get_client_ctx(c);
    union doca_data data = { NULL };

    CHECK((server == NULL) != (client == NULL));
    CHECK_OK(doca_ctx_get_user_data(server != NULL ? doca_comch_server_as_ctx(server)
                                                   : doca_comch_client_as_ctx(client),
                                    &data));
    CHECK(data.ptr != NULL);
    return data.ptr;
}

static inline void comch_state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                                       enum doca_ctx_states prev, enum doca_ctx_states next)
{
    struct comch_end *e = user_data.ptr;

    CHECK_PTR(ctx, e->ctx);
    comch_called(e);
    comch_note_state(e->states, sizeof(e->states), &e->num_states, prev, next);
    if (next == DOCA_CTX_STATE_RUNNING && e->client != NULL &&
        rig_state(ctx) == DOCA_CTX_STATE_RUNNING) { /* not if it has ended meanwhile */
        CHECK_OK(doca_comch_client_get_connection(e->client, &e->conns[0]));
        e->num_conns = 1;
    }
    if (next == DOCA_CTX_STATE_IDLE)
        e->num_conns = 0;
    if (e->on_state != NULL)
        e->on_state(e, next);
}

static inline void comch_task_done(struct comch_end *e, struct doca_comch_task_send *task,
                                   bool is_ok)
{
    comch_called(e);
    if (e->on_sent != NULL)
        e->on_sent(e, task, is_ok);
    if (!e->keeps_tasks)
        doca_task_free(doca_comch_task_send_as_task(task));
}

static inline void comch_sent(struct doca_comch_task_send *task, union doca_data task_data,
                              union doca_data ctx_data)
{
    struct comch_end *e = ctx_data.ptr;

    (void)task_data;
    CHECK_OK(doca_task_get_status(doca_comch_task_send_as_task(task)));
    e->num_sent++;
    comch_task_done(e, task, true);
}

static inline void comch_failed(struct doca_comch_task_send *task, union doca_data task_data,
                                union doca_data ctx_data)
{
    struct comch_end *e = ctx_data.ptr;

    (void)task_data;
    e->status = doca_task_get_status(doca_comch_task_send_as_task(task));
    CHECK(e->status != DOCA_SUCCESS);
    e->num_failed++;
    comch_task_done(e, task, false);
}

static inline void comch_received(struct doca_comch_event_msg_recv *event, uint8_t *msg,
                                  uint32_t len, struct doca_comch_connection *c)
{
    struct comch_end *e = comch_end_of(c);

    (void)event;
    comch_called(e);
    CHECK(len <= sizeof(e->text));
    if (len > 0)
        memcpy(e->text, msg, len);
    e->len = len;
    e->from = c;
    e->num_received++;
    e->bytes_received += len;
    if (e->on_message != NULL)
        e->on_message(e, c, msg, len);
}

static inline void comch_connected(struct doca_comch_event_connection_status_changed *event,
                                   struct doca_comch_connection *c, uint8_t is_ok)
{
    struct comch_end *e = comch_end_of(c);

    (void)event;
    comch_called(e);
    CHECK_PTR(doca_comch_server_get_server_ctx(c), e->server);
    CHECK(is_ok <= 1);
    if (!is_ok) {
        e->num_failed_connects++;
        return;
    }
    e->num_connects++;
    if (e->num_conns < COMCH_CONNS)
        e->conns[e->num_conns++] = c;
    if (e->on_connect != NULL)
        e->on_connect(e, c);
}

static inline void comch_disconnected(struct doca_comch_event_connection_status_changed *event,
                                      struct doca_comch_connection *c, uint8_t is_ok)
{
    struct comch_end *e = comch_end_of(c);
    unsigned i;

    (void)event;
    (void)is_ok;
    comch_called(e);
    CHECK_PTR(doca_comch_server_get_server_ctx(c), e->server);
    e->num_disconnects++;
    if (e->on_disconnect != NULL)
        e->on_disconnect(e, c);
    for (i = 0; i < e->num_conns && e->conns[i] != c; i++)
        continue;
    if (i < e->num_conns) {
        memmove(&e->conns[i], &e->conns[i + 1], (e->num_conns - i - 1) * sizeof(e->conns[0]));
        e->num_conns--;
    } else {
        CHECK(e->num_connects > COMCH_CONNS); /* otherwise every connection is recorded */
    }
}

static inline void comch_new_consumer(struct doca_comch_event_consumer *event,
                                      struct doca_comch_connection *c, uint32_t id)
{
    struct comch_end *e = comch_end_of(c);

    (void)event;
    comch_called(e);
    CHECK(e->peer_is_hostile || (id != 0 && id != 0xffff));
    e->consumers[e->num_consumers++ % COMCH_SEEN] = id;
    if (e->on_consumer != NULL)
        e->on_consumer(e, c, id, true);
}

static inline void comch_expired_consumer(struct doca_comch_event_consumer *event,
                                          struct doca_comch_connection *c, uint32_t id)
{
    struct comch_end *e = comch_end_of(c);

    (void)event;
    comch_called(e);
    e->expired[e->num_expired++ % COMCH_SEEN] = id;
    if (e->on_consumer != NULL)
        e->on_consumer(e, c, id, false);
}

/* ---- devices ---- */

static inline struct doca_dev_rep *comch_open_rep(struct doca_dev *dev, const char *pci_addr)
{
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep = NULL;
    uint32_t num, i;

    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num));
    for (i = 0; i < num && rep == NULL; i++) {
        uint8_t is_equal = 0;

        CHECK_OK(doca_devinfo_rep_is_equal_pci_addr(list[i], pci_addr, &is_equal));
        if (is_equal)
            CHECK_OK(doca_dev_rep_open(list[i], &rep));
    }
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK(rep != NULL);
    return rep;
}

/* Make a service name that no other program and no other case uses. */
static inline const char *comch_name(void)
{
    static char name[COMCH_NAME];
    static unsigned serial;
    uint32_t room;
    struct doca_dev *dev = rig_open_dev(NULL);
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);

    snprintf(name, sizeof(name), "test %u.%u", (unsigned)getpid(), serial++);
    heap_trap_set(mode);
    CHECK_OK(doca_comch_cap_get_max_name_len(doca_dev_as_devinfo(dev), &room));
    CHECK(strlen(name) < room);
    CHECK_OK(doca_dev_close(dev));
    return name;
}

/* ---- set-up ---- */

/* Create a server for the host function `host`, with all callbacks, and leave it idle. */
static inline void comch_make_server(struct comch_end *e, const char *host, const char *name,
                                     uint32_t num_tasks)
{
    memset(e, 0, sizeof(*e));
    e->dev = rig_open_dev(COMCH_DPU);
    e->rep = comch_open_rep(e->dev, host);
    CHECK_OK(doca_pe_create(&e->pe));
    CHECK_OK(doca_comch_server_create(e->dev, e->rep, name, &e->server));
    e->ctx = doca_comch_server_as_ctx(e->server);
    CHECK_OK(doca_comch_server_task_send_set_conf(e->server, comch_sent, comch_failed, num_tasks));
    CHECK_OK(doca_comch_server_event_msg_recv_register(e->server, comch_received));
    CHECK_OK(doca_comch_server_event_connection_status_changed_register(e->server, comch_connected,
                                                                        comch_disconnected));
    CHECK_OK(doca_comch_server_event_consumer_register(e->server, comch_new_consumer,
                                                       comch_expired_consumer));
    CHECK_OK(doca_comch_server_set_max_msg_size(e->server, COMCH_MAX_MSG));
    CHECK_OK(doca_ctx_set_user_data(e->ctx, (union doca_data){ .ptr = e }));
    CHECK_OK(doca_ctx_set_state_changed_cb(e->ctx, comch_state_changed));
    CHECK_OK(doca_pe_connect_ctx(e->pe, e->ctx));
    comch_engine_add(e->pe, &e->num_callbacks);
}

static inline void comch_make_client(struct comch_end *e, const char *host, const char *name,
                                     uint32_t num_tasks)
{
    memset(e, 0, sizeof(*e));
    e->dev = rig_open_dev(host);
    CHECK_OK(doca_pe_create(&e->pe));
    CHECK_OK(doca_comch_client_create(e->dev, name, &e->client));
    e->ctx = doca_comch_client_as_ctx(e->client);
    CHECK_OK(doca_comch_client_task_send_set_conf(e->client, comch_sent, comch_failed, num_tasks));
    CHECK_OK(doca_comch_client_event_msg_recv_register(e->client, comch_received));
    CHECK_OK(doca_comch_client_event_consumer_register(e->client, comch_new_consumer,
                                                       comch_expired_consumer));
    CHECK_OK(doca_comch_client_set_max_msg_size(e->client, COMCH_MAX_MSG));
    CHECK_OK(doca_ctx_set_user_data(e->ctx, (union doca_data){ .ptr = e }));
    CHECK_OK(doca_ctx_set_state_changed_cb(e->ctx, comch_state_changed));
    CHECK_OK(doca_pe_connect_ctx(e->pe, e->ctx));
    comch_engine_add(e->pe, &e->num_callbacks);
}

static inline void comch_start_server(struct comch_end *e)
{
    CHECK_OK(doca_ctx_start(e->ctx));
    CHECK_EQ(rig_state(e->ctx), DOCA_CTX_STATE_RUNNING);
}

/* Begin to connect. The server must be progressed until the client is running. */
static inline void comch_start_client(struct comch_end *e)
{
    CHECK_RC(doca_ctx_start(e->ctx), DOCA_ERROR_IN_PROGRESS);
}

static inline bool comch_is(const struct comch_end *e, enum doca_ctx_states state)
{
    return rig_state(e->ctx) == state;
}

/* True when the state callback has reported RUNNING, so conns[0] is set. */
static inline bool comch_runs(const struct comch_end *e)
{
    return e->num_conns == 1 && comch_is(e, DOCA_CTX_STATE_RUNNING);
}

/* Make a server and a client with `num_tasks` send tasks each, and connect them. */
static inline void comch_open(struct comch_end *server, struct comch_end *client,
                              uint32_t num_tasks)
{
    const char *name = comch_name();

    comch_make_server(server, COMCH_HOST, name, num_tasks);
    comch_make_client(client, COMCH_HOST, name, num_tasks);
    comch_start_server(server);
    comch_start_client(client);
    COMCH_UNTIL(comch_runs(client) && server->num_conns == 1 && server->num_states == 1);
    CHECK_STR(client->states, "IS SR");
    CHECK_STR(server->states, "IR");
}

/* ---- tear-down ---- */

static inline void comch_stop_ctx(struct doca_ctx *ctx)
{
    doca_error_t rc = doca_ctx_stop(ctx);

    if (rc != DOCA_ERROR_IN_PROGRESS)
        CHECK_OK(rc);
}

/* Stop a context, and progress everything until it is idle and has reported all its changes. */
static inline void comch_stop(struct comch_end *e)
{
    if (!comch_is(e, DOCA_CTX_STATE_IDLE))
        comch_stop_ctx(e->ctx);
    COMCH_UNTIL(comch_is(e, DOCA_CTX_STATE_IDLE));
}

static inline void comch_destroy(struct comch_end *e)
{
    if (e->server != NULL)
        CHECK_OK(doca_comch_server_destroy(e->server));
    if (e->client != NULL)
        CHECK_OK(doca_comch_client_destroy(e->client));
    comch_engine_remove(e->pe);
    CHECK_OK(doca_pe_destroy(e->pe));
    if (e->rep != NULL)
        CHECK_OK(doca_dev_rep_close(e->rep));
    CHECK_OK(doca_dev_close(e->dev));
}

/* Stop an end and give back everything that it has. */
static inline void comch_close(struct comch_end *e)
{
    comch_stop(e);
    comch_destroy(e);
}

/* Close the client first, then the server. */
static inline void comch_close_both(struct comch_end *server, struct comch_end *client)
{
    comch_close(client);
    comch_close(server);
}

/* ---- messages ---- */

static inline doca_error_t comch_alloc(struct comch_end *e, struct doca_comch_connection *c,
                                       const void *msg, uint32_t len,
                                       struct doca_comch_task_send **task)
{
    if (e->server != NULL)
        return doca_comch_server_task_send_alloc_init(e->server, c, msg, len, task);
    return doca_comch_client_task_send_alloc_init(e->client, c, msg, len, task);
}

static inline doca_error_t comch_submit(struct doca_comch_task_send *task)
{
    return doca_task_submit(doca_comch_task_send_as_task(task));
}

/* Try to send a message. The memory must not change until the task is complete. A task that is not
 * submitted is freed. */
static inline doca_error_t comch_try_send(struct comch_end *e, struct doca_comch_connection *c,
                                          const void *msg, uint32_t len)
{
    struct doca_comch_task_send *task = NULL;
    doca_error_t rc = comch_alloc(e, c, msg, len, &task);

    if (rc != DOCA_SUCCESS)
        return rc;
    CHECK(task != NULL);
    rc = comch_submit(task);
    if (rc != DOCA_SUCCESS)
        doca_task_free(doca_comch_task_send_as_task(task));
    return rc;
}

static inline void comch_send_to(struct comch_end *e, struct doca_comch_connection *c,
                                 const void *msg, uint32_t len)
{
    CHECK_OK(comch_try_send(e, c, msg, len));
}

static inline void comch_send(struct comch_end *e, const void *msg, uint32_t len)
{
    CHECK(e->num_conns > 0);
    comch_send_to(e, e->conns[0], msg, len);
}

/* Send a message and wait until the other end has it. */
static inline void comch_deliver(struct comch_end *from, struct comch_end *to, const void *msg,
                                 uint32_t len)
{
    unsigned sent = from->num_sent, received = to->num_received;

    comch_send(from, msg, len);
    COMCH_UNTIL(from->num_sent == sent + 1 && to->num_received == received + 1);
    CHECK_EQ(from->num_failed, 0);
    CHECK_EQ(to->len, len);
    CHECK_MEM(to->text, msg, len);
}

#endif

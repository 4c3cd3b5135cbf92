/* DOCA RDMA: random sequences of calls at two ends, with messages that are too long for their
 * buffer, disconnections and stops at any moment. Each submitted task completes once, messages keep
 * their bytes and their order, and additions are neither lost nor made twice. The seed is printed;
 * DOCA_TEST_SEED repeats a run, and DOCA_TEST_STEPS=number sets the length. */
#include "rdma_traffic.h"

enum { STEPS = 20000, SLOTS = 16, CONNECTIONS = 4 };

static _Alignas(64) unsigned char memory[2][RDMA_TRAFFIC_BYTES];

struct actor {
    struct rdma_end e;
    bool is_source_used[SLOTS], is_sink_used[SLOTS];
    uint64_t next;               /* number of the next message */
    uint64_t least[CONNECTIONS]; /* for each connection, the smallest number that may arrive;
                                  * for a moment there can be several connections */
    uint64_t num_submitted, num_completed, num_messages;
    uint64_t adds_submitted, adds_done;
};

static struct actor actors[2];

/* ---- completions ---- */

static void check_message(struct actor *a, const struct rdma_done *d)
{
    unsigned char want[RDMA_SLOT];
    const unsigned char *got = a->e.memory + RDMA_SINKS + d->number * RDMA_SLOT;
    uint64_t number;
    uint32_t id;

    CHECK(d->len >= sizeof(number) && d->len <= RDMA_SLOT);
    memcpy(&number, got, sizeof(number));
    CHECK_OK(doca_rdma_connection_get_id(d->from, &id));
    CHECK(id < CONNECTIONS);
    CHECK(number >= a->least[id]); /* the end of a connection may lose some */
    a->least[id] = number + 1;
    a->num_messages++;
    CHECK_EQ(d->len, rdma_message_len(number));
    rdma_message(want, number);
    CHECK_MEM(got, want, d->len);
}

static void completed(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    const struct rdma_done *d = rdma_latest(e);
    struct actor *a = e->user;

    (void)task;
    a->num_completed++;
    CHECK(is_ok || d->status == DOCA_ERROR_IO_FAILED || d->status == DOCA_ERROR_SHUTDOWN ||
          d->status == DOCA_ERROR_CONNECTION_RESET || d->status == DOCA_ERROR_CONNECTION_ABORTED);
    if (kind == RDMA_receive) {
        CHECK(a->is_sink_used[d->number]);
        a->is_sink_used[d->number] = false;
        if (is_ok)
            check_message(a, d);
    } else if (kind == RDMA_send) {
        CHECK(a->is_source_used[d->number]);
        a->is_source_used[d->number] = false;
    } else if (kind == RDMA_read && is_ok) {
        rdma_check_fixed(a->e.memory + RDMA_BACK, d->len);
    } else if (kind == RDMA_atomic_fetch_add) {
        a->adds_done += is_ok;
    }
}

/* ---- actions; each may find that it is not possible now ---- */

static unsigned free_slot(const bool used[SLOTS])
{
    unsigned i;

    for (i = 0; i < SLOTS && used[i]; i++)
        continue;
    return i;
}

static bool submit(struct actor *a, struct rdma_op op)
{
    doca_error_t rc = rdma_submit(op);

    if (rc != DOCA_SUCCESS) {
        CHECK(rc == DOCA_ERROR_FULL || rc == DOCA_ERROR_NOT_CONNECTED);
        rdma_drop(op);
        return false;
    }
    a->num_submitted++;
    return true;
}

static void post(struct actor *a)
{
    unsigned slot = free_slot(a->is_sink_used);
    size_t room = rig_random(40) == 0 ? 64 : RDMA_SLOT; /* a message may be too long */

    if (slot == SLOTS)
        return;
    a->is_sink_used[slot] = true;
    CHECK(submit(a,
                 rdma_receive(&a->e, rdma_room(&a->e, RDMA_SINKS + slot * RDMA_SLOT, room), slot)));
}

static void send_one(struct actor *a)
{
    unsigned slot = free_slot(a->is_source_used);
    size_t off = RDMA_SOURCES + (size_t)slot * RDMA_SLOT;

    if (slot == SLOTS || a->e.conn == NULL)
        return;
    rdma_message(a->e.memory + off, a->next);
    a->is_source_used[slot] = true;
    if (submit(a, rdma_send(&a->e, rdma_buf(&a->e, off, rdma_message_len(a->next)), slot)))
        a->next++;
    else
        a->is_source_used[slot] = false;
}

/* Tasks on memory use the pools of their types, which may be empty. */
static void use_memory(struct actor *a)
{
    struct rdma_end *e = &a->e;
    size_t len = 1 + rig_random(8000);

    if (e->conn == NULL || rig_inflight(e->ctx) > RDMA_TASKS - 2)
        return;
    switch (rig_random(3)) {
    case 0:
        (void)submit(
            a, rdma_read(e, rdma_far_buf(e, RDMA_FIXED, len), rdma_room(e, RDMA_BACK, len), 0));
        break;
    case 1:
        (void)submit(a, rdma_write(e, rdma_buf(e, RDMA_OUTGOING, len),
                                   rdma_far_room(e, RDMA_WRITTEN, len), 0));
        break;
    default:
        a->adds_submitted += submit(
            a, rdma_add(e, rdma_far_buf(e, RDMA_WORD, 8), rdma_room(e, RDMA_WORD + 64, 8), 1, 0));
    }
}

static void leave(struct actor *a)
{
    doca_error_t rc;

    if (a->e.conn != NULL && rig_random(2)) {
        CHECK_OK(doca_rdma_connection_disconnect(a->e.conn));
        return;
    }
    rc = doca_ctx_stop(a->e.ctx);
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    a->e.conn = NULL;
}

/* Take a connection of each end, and connect them, unless one of them has no free connection. */
static void join(void)
{
    struct rdma_blob blobs[2];
    unsigned i;

    for (i = 0; i < 2; i++) {
        struct rdma_end *e = &actors[i].e;
        struct doca_rdma_connection *c = NULL;
        const void *details = NULL;
        doca_error_t rc = doca_rdma_export(e->rdma, &details, &blobs[i].len, &c);

        if (rc != DOCA_SUCCESS) {
            CHECK_RC(rc, DOCA_ERROR_FULL);
            return; /* an exported connection of the first end is replaced by the next stop */
        }
        memcpy(blobs[i].bytes, details, blobs[i].len);
        e->conn = c;
    }
    CHECK_OK(rdma_try_connect(&actors[0].e, &blobs[1], actors[0].e.conn));
    for (i = rig_random(4); i > 0; i--)
        (void)rdma_turn();
    CHECK_OK(rdma_try_connect(&actors[1].e, &blobs[0], actors[1].e.conn));
}

/* ---- the walk ---- */

static void step(struct actor *a)
{
    if (rdma_is(&a->e, DOCA_CTX_STATE_IDLE)) {
        rdma_start(&a->e);
        rdma_forget_states(&a->e);
    }
    if (!rdma_is(&a->e, DOCA_CTX_STATE_RUNNING)) {
        (void)rdma_turn();
        return;
    }
    switch (rig_random(12)) {
    case 0:
    case 1:
    case 2:
        post(a);
        break;
    case 3:
    case 4:
        send_one(a);
        break;
    case 5:
    case 6:
        use_memory(a);
        break;
    case 7:
        if (rig_random(30) == 0)
            leave(a);
        break;
    default:
        (void)rdma_progress(&actors[rig_random(2)].e);
    }
}

static bool is_running(void)
{
    return rdma_is(&actors[0].e, DOCA_CTX_STATE_RUNNING) &&
           rdma_is(&actors[1].e, DOCA_CTX_STATE_RUNNING);
}

static void actor_open(struct actor *a, unsigned char *bytes)
{
    memset(a, 0, sizeof(*a));
    memset(bytes, 0, RDMA_TRAFFIC_BYTES);
    share_fill(bytes + RDMA_FIXED, RDMA_PART, 42);
    rdma_make(&a->e, bytes, RDMA_TRAFFIC_BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(a->e.rdma, CONNECTIONS));
    rdma_start(&a->e);
    a->e.user = a;
    a->e.on_done = completed;
}

static void random_calls_complete_each_task_once(void)
{
    const char *wanted = getenv("DOCA_TEST_STEPS");
    unsigned left = wanted != NULL ? (unsigned)atoi(wanted) : STEPS, i, lost;

    for (i = 0; i < 2; i++)
        actor_open(&actors[i], memory[i]);
    rdma_lend(&actors[0].e, &actors[1].e);
    rdma_lend(&actors[1].e, &actors[0].e);
    for (lost = UINT32_MAX; left > 0; left--) {
        unsigned ends = actors[0].e.num_disconnects + actors[1].e.num_disconnects +
                        actors[0].e.num_failures + actors[1].e.num_failures;

        if (is_running() &&
            (ends != lost || actors[0].e.conn == NULL || actors[1].e.conn == NULL) &&
            rig_random(8) == 0) {
            lost = ends;
            join();
        }
        step(&actors[rig_random(2)]);
    }
    for (i = 0; i < 2; i++) {
        rdma_stop(&actors[i].e);
        CHECK_EQ(actors[i].num_completed, actors[i].num_submitted);
    }
    for (i = 0; i < 2; i++) {
        CHECK(rdma_word(&actors[i].e, RDMA_WORD) >= actors[1 - i].adds_done);
        CHECK(rdma_word(&actors[i].e, RDMA_WORD) <= actors[1 - i].adds_submitted);
        CHECK(actors[i].adds_done > 0 && actors[i].num_messages > 0);
    }
    rdma_close_both(&actors[0].e, &actors[1].e);
}

static const struct test_case cases[] = {
    CASE(random_calls_complete_each_task_once, "391 409 413 418"),
};

TEST_MAIN(cases)

/* Traffic over an RDMA connection, for tests with two processes: an end that all the time sends
 * numbered messages, writes numbered data to the memory of its peer and reads the data back, reads
 * memory that never changes, and adds to a word. It checks what it receives from an end of the same
 * kind.
 *
 * The counters of an end are in memory that both processes share, so that they outlive it. */
#ifndef RDMA_TRAFFIC_H
#define RDMA_TRAFFIC_H

#include "rdma_ops.h"

enum {
    RDMA_SLOTS = 16,       /* messages in flight, and posted receives */
    RDMA_SLOT = 2048,      /* bytes of one */
    RDMA_SOURCES = 0,      /* offsets in the memory of an end: messages to send */
    RDMA_SINKS = 32768,    /* receives */
    RDMA_FIXED = 65536,    /* bytes that never change */
    RDMA_PART = 16384,     /* bytes of each of the following areas */
    RDMA_WRITTEN = 81920,  /* data that the peer writes */
    RDMA_OUTGOING = 98304, /* data that this end writes to its peer */
    RDMA_BACK = 114688,    /* data that this end has read back */
    RDMA_WORD = 131072,    /* the word to which the peer adds; results are behind it */
    RDMA_TRAFFIC_BYTES = 135168
};

struct rdma_counters {
    volatile uint64_t sent, received; /* messages: completed well, and arrived */
    volatile uint64_t rounds;         /* of write, read back, and add */
    volatile bool is_joined;          /* a task of this end has succeeded */
};

/* Message that each of two processes sends to the other before they connect. */
struct rdma_hello {
    struct rdma_blob blob;
    unsigned char *addr;
    size_t desc_len;
    unsigned char desc[512];
};

struct rdma_traffic {
    struct rdma_end e;
    struct rdma_counters *counters;
    bool is_quiet; /* sends nothing, and leaves the memory of the peer alone */
    bool is_slot_used[RDMA_SLOTS];
    bool is_round_open;
    unsigned num_round_tasks;              /* of the open round, in flight */
    uint64_t next;                         /* number of the next message */
    uint64_t expected;                     /* number of the next message of the peer */
    uint64_t added;                        /* by this end, on this connection */
    uint64_t num_submitted, num_completed; /* without receives */
    unsigned char *memory;
};

static inline struct rdma_counters *rdma_share_counters(void)
{
    return (struct rdma_counters *)share_pages(4096, PROT_READ | PROT_WRITE, MAP_SHARED);
}

static inline uint32_t rdma_message_len(uint64_t number)
{
    return (uint32_t)(sizeof(number) + number * 37 % 1500);
}

static inline void rdma_message(unsigned char *at, uint64_t number)
{
    uint32_t len = rdma_message_len(number);

    memset(at, (int)(number * 11 & 0xff), len);
    memcpy(at, &number, sizeof(number));
    if (len > sizeof(number))
        at[len - 1] = (unsigned char)(number * 13);
}

/* The bytes that never change are the same at every end. */
static inline void rdma_check_fixed(const unsigned char *got, size_t len)
{
    static unsigned char want[RDMA_PART];

    share_fill(want, RDMA_PART, 42);
    CHECK_MEM(got, want, len);
}

/* ---- completions ---- */

static inline void rdma_traffic_receive(struct rdma_traffic *t, uint64_t slot)
{
    CHECK_OK(rdma_submit(rdma_receive(
        &t->e, rdma_room(&t->e, RDMA_SINKS + (size_t)slot * RDMA_SLOT, RDMA_SLOT), slot)));
}

static inline void rdma_traffic_received(struct rdma_traffic *t, const struct rdma_done *d)
{
    unsigned char want[RDMA_SLOT];

    if (!d->is_ok) { /* a message that was cut off by the end of the peer, or a stop */
        CHECK(d->status == DOCA_ERROR_SHUTDOWN || d->status == DOCA_ERROR_IO_FAILED);
        return;
    }
    rdma_message(want, t->expected);
    CHECK_EQ(d->len, rdma_message_len(t->expected));
    CHECK_MEM(t->memory + RDMA_SINKS + d->number * RDMA_SLOT, want, d->len);
    CHECK_PTR(d->from, t->e.conn);
    t->expected++;
    t->counters->received++;
}

/* The last task of a round has completed: check what the round has read. */
static inline void rdma_traffic_round(struct rdma_traffic *t, bool is_ok)
{
    if (--t->num_round_tasks > 0)
        return;
    t->is_round_open = false;
    if (!is_ok)
        return;
    CHECK_MEM(t->memory + RDMA_BACK, t->memory + RDMA_OUTGOING, 4000);
    rdma_check_fixed(t->memory + RDMA_BACK + 4096, 8192);
    CHECK_EQ(rdma_word(&t->e, RDMA_WORD + 64), t->added);
    t->added++;
    t->counters->rounds++;
}

static inline void rdma_traffic_done(struct rdma_end *e, enum rdma_kind kind, void *task,
                                     bool is_ok)
{
    struct rdma_traffic *t = e->user;
    const struct rdma_done *d = rdma_latest(e);

    if (kind == RDMA_receive) {
        rdma_traffic_received(t, d);
        rdma_release(kind, task);
        if (rdma_is(e, DOCA_CTX_STATE_RUNNING))
            rdma_traffic_receive(t, d->number);
        return;
    }
    t->num_completed++;
    t->counters->is_joined |= is_ok;
    if (!is_ok)
        CHECK(d->status == DOCA_ERROR_CONNECTION_RESET ||
              d->status == DOCA_ERROR_CONNECTION_ABORTED || d->status == DOCA_ERROR_SHUTDOWN);
    if (kind == RDMA_send) {
        CHECK(t->is_slot_used[d->number]);
        t->is_slot_used[d->number] = false;
        t->counters->sent += is_ok;
    } else {
        rdma_traffic_round(t, is_ok);
    }
    rdma_release(kind, task);
}

/* ---- set-up ---- */

/* Open an end that is not connected. `counters` is zeroed memory. */
static inline void rdma_traffic_open(struct rdma_traffic *t, unsigned char *bytes,
                                     struct rdma_counters *counters, bool is_quiet)
{
    uint64_t slot;

    memset(t, 0, sizeof(*t));
    memset(bytes, 0, RDMA_TRAFFIC_BYTES);
    share_fill(bytes + RDMA_FIXED, RDMA_PART, 42);
    t->memory = bytes;
    t->counters = counters;
    t->is_quiet = is_quiet;
    rdma_open(&t->e, bytes, RDMA_TRAFFIC_BYTES);
    t->e.user = t;
    t->e.keeps_tasks = true;
    t->e.on_done = rdma_traffic_done;
    for (slot = 0; slot < RDMA_SLOTS; slot++)
        rdma_traffic_receive(t, slot);
}

/* Begin a new connection of the end. */
static inline void rdma_say_hello(struct rdma_end *e, int fd)
{
    struct rdma_hello hello;
    const void *desc = NULL;

    memset(&hello, 0, sizeof(hello));
    rdma_export(e, &hello.blob);
    CHECK_OK(doca_mmap_export_rdma(e->map, e->dev, &desc, &hello.desc_len));
    CHECK(hello.desc_len <= sizeof(hello.desc));
    memcpy(hello.desc, desc, hello.desc_len);
    hello.addr = e->memory;
    send_all(fd, &hello, sizeof(hello));
}

/* Read the hello of the peer, import its memory and connect. */
static inline void rdma_hear_hello(struct rdma_end *e, int fd)
{
    struct rdma_hello hello;

    receive_all(fd, &hello, sizeof(hello));
    rdma_import(e, hello.desc, hello.desc_len, hello.addr);
    CHECK_OK(rdma_try_connect(e, &hello.blob, e->conn));
}

static inline void rdma_forget_peer(struct rdma_end *e)
{
    if (e->far_map != NULL)
        CHECK_OK(doca_mmap_destroy(e->far_map));
    e->far_map = NULL;
}

/* ---- one step ---- */

static inline bool rdma_traffic_submit(struct rdma_traffic *t, struct rdma_op op)
{
    doca_error_t rc = rdma_submit(op);

    if (rc != DOCA_SUCCESS) { /* the connection has ended */
        CHECK(rc == DOCA_ERROR_NOT_CONNECTED || rc == DOCA_ERROR_CONNECTION_ABORTED ||
              rc == DOCA_ERROR_CONNECTION_RESET);
        rdma_drop(op);
        return false;
    }
    t->num_submitted++;
    return true;
}

static inline bool rdma_traffic_send(struct rdma_traffic *t)
{
    size_t off;
    unsigned slot;

    for (slot = 0; slot < RDMA_SLOTS && t->is_slot_used[slot]; slot++)
        continue;
    if (slot == RDMA_SLOTS)
        return false;
    off = RDMA_SOURCES + (size_t)slot * RDMA_SLOT;
    rdma_message(t->memory + off, t->next);
    t->is_slot_used[slot] = true;
    if (!rdma_traffic_submit(
            t, rdma_send(&t->e, rdma_buf(&t->e, off, rdma_message_len(t->next)), slot))) {
        t->is_slot_used[slot] = false;
        return false;
    }
    t->next++;
    return true;
}

/* Write data, read it back, read what never changes, and add to the word: one round. */
static inline bool rdma_traffic_begin_round(struct rdma_traffic *t)
{
    struct rdma_end *e = &t->e;

    if (t->is_round_open)
        return false;
    memset(t->memory + RDMA_OUTGOING, (int)(t->counters->rounds & 0xff), 4000);
    memset(t->memory + RDMA_BACK, 0xee, RDMA_PART);
    t->is_round_open = true;
    t->num_round_tasks = 4;
    if (!rdma_traffic_submit(t, rdma_write(e, rdma_buf(e, RDMA_OUTGOING, 4000),
                                           rdma_far_room(e, RDMA_WRITTEN, 4000), 0))) {
        t->num_round_tasks = 0;
        t->is_round_open = false;
        return false;
    }
    if (!rdma_traffic_submit(
            t, rdma_read(e, rdma_far_buf(e, RDMA_WRITTEN, 4000), rdma_room(e, RDMA_BACK, 4000), 0)))
        t->num_round_tasks--;
    if (!rdma_traffic_submit(t, rdma_read(e, rdma_far_buf(e, RDMA_FIXED, 8192),
                                          rdma_room(e, RDMA_BACK + 4096, 8192), 0)))
        t->num_round_tasks--;
    if (!rdma_traffic_submit(
            t, rdma_add(e, rdma_far_buf(e, RDMA_WORD, 8), rdma_room(e, RDMA_WORD + 64, 8), 1, 0)))
        t->num_round_tasks--;
    return true;
}

/* Send what can be sent now, and make progress. */
static inline bool rdma_traffic_step(struct rdma_traffic *t)
{
    bool moved = false;

    if (!t->is_quiet && t->e.num_disconnects + t->e.num_failures == 0 &&
        rdma_is(&t->e, DOCA_CTX_STATE_RUNNING)) {
        moved |= rdma_traffic_send(t);
        moved |= rdma_traffic_begin_round(t);
    }
    return moved | rdma_turn();
}

/* ---- the end ---- */

/* Check that each task of the connection has completed once, and get ready for a new one. */
static inline void rdma_traffic_reset(struct rdma_traffic *t)
{
    unsigned i;

    RDMA_UNTIL(t->num_completed == t->num_submitted);
    CHECK(!t->is_round_open);
    for (i = 0; i < RDMA_SLOTS; i++)
        CHECK(!t->is_slot_used[i]);
    rdma_forget_peer(&t->e);
    t->e.num_disconnects = t->e.num_failures = t->e.num_established = 0;
    t->next = t->expected = t->added = 0;
    memset(t->memory + RDMA_WORD, 0, 128);
}

static inline void rdma_traffic_close(struct rdma_traffic *t)
{
    uint64_t begin = rdma_now_ms();

    rdma_stop(&t->e);
    if (rdma_now_ms() - begin > 5000)
        test_fail(__FILE__, __LINE__, "idle only after %u ms", (unsigned)(rdma_now_ms() - begin));
    CHECK_EQ(t->num_completed, t->num_submitted);
    rdma_destroy(&t->e);
}

#endif

/* The two shared rings of an RDMA connection, and a peer that overwrites them: the input chooses
 * what is written into the rings, between tasks and progress of both sides. Each side is a sender
 * and a receiver, and hostile to the other, because both use the same memory.
 *
 * No task is lost or completes twice. Bytes outside of the posted buffers stay as they are.
 * Afterwards each instance exchanges messages with the other over a new connection. */
#define DOCA_CORE_API 30000

#include "local_fuzz.h"

#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "tools/compat/doca_core_rdma.h"

#include "rdma_ops.h"

enum {
    BYTES = 65536,
    SINKS = 8,   /* posted buffers */
    SINK = 1500, /* bytes of one */
    SPAN = 2048, /* from one to the next; there are canaries between them */
    SINKS_AT = 4096,
    LAST = 20480,   /* the end of the posted buffers */
    SOURCE = 32768, /* bytes to send */
    STEPS = 150
};

static _Alignas(64) unsigned char memory[2][BYTES];
static unsigned char source[BYTES - SOURCE];
static struct rdma_end ends[2];
static struct doca_rdma_connection *conns[2];
static unsigned num_submitted[2];
static bool is_posted[2][SINKS];
static bool is_armed[2];
static doca_notification_handle_t handles[2];

static void fuzz_set_up(void)
{
    share_fill(source, sizeof(source), 6);
}

/* Note the completion of a receive: its number is that of its buffer. */
static void note_done(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    const struct rdma_done *d = rdma_latest(e);
    const unsigned side = e == &ends[1];

    (void)task;
    if (kind != RDMA_receive)
        return;
    CHECK(d->number < SINKS && is_posted[side][d->number]);
    is_posted[side][d->number] = false;
    if (is_ok && d->opcode != DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM)
        CHECK(d->len <= SINK);
}

static void check_canaries(unsigned side)
{
    size_t i;

    for (i = 0; i < LAST; i++)
        if (i < SINKS_AT || (i - SINKS_AT) % SPAN >= SINK)
            CHECK_EQ(memory[side][i], LOCAL_CANARY);
    CHECK_MEM(memory[side] + SOURCE, source, sizeof(source));
}

static void submit(unsigned side, struct rdma_op op)
{
    if (rdma_submit(op) == DOCA_SUCCESS)
        num_submitted[side]++;
    else
        rdma_drop(op);
}

static void post(unsigned side)
{
    const unsigned slot = fuzz_below(SINKS);
    const size_t at = SINKS_AT + (size_t)slot * SPAN;
    struct rdma_end *e = &ends[side];
    struct doca_buf *room;

    if (is_posted[side][slot])
        return;
    room = slot % 3 != 2 ? rdma_room(e, at, SINK)
                         : rdma_chain(rdma_room(e, at, 700), rdma_room(e, at + 700, SINK - 700));
    is_posted[side][slot] = true;
    submit(side, rdma_receive(e, room, slot));
}

/* Submit a task of the connection, if one of its type is free. */
static void start_task(unsigned side)
{
    static const size_t lens[] = { 0, 1, 8, 544, 545, 1499, 1500, 1501, 4000 };
    struct rdma_end *e = &ends[side];
    const size_t len = lens[fuzz_below(9)];

    if (e->num_done + RDMA_TASKS - SINKS <= num_submitted[side])
        return;
    e->conn = conns[side];
    switch (fuzz_below(8)) {
    case 0:
        submit(side, rdma_send_imm(e, rdma_buf(e, SOURCE + 7, len), 5, 0));
        return;
    case 1:
        submit(side,
               rdma_send(e, rdma_chain(rdma_buf(e, SOURCE, 600), rdma_buf(e, SOURCE, len)), 0));
        return;
    case 2:
        submit(side, rdma_write_imm(e, rdma_buf(e, SOURCE, 8), rdma_far_room(e, LAST, 64), 6, 0));
        return;
    case 3:
        submit(side, rdma_read(e, rdma_far_buf(e, SOURCE, len > 0 ? len : 1),
                               rdma_room(e, LAST + 64, 4096), 0));
        return;
    case 4:
        submit(side, rdma_add(e, rdma_far_buf(e, LAST + 16, 8), rdma_room(e, LAST + 32, 8), 1, 0));
        return;
    default:
        submit(side, rdma_send(e, rdma_buf(e, SOURCE + 7, len), 0));
    }
}

/* The program of one side goes to sleep, or wakes up. */
static void sleep_or_wake(unsigned side)
{
    if (is_armed[side])
        CHECK_OK(doca_pe_clear_notification(ends[side].pe, handles[side]));
    else
        (void)doca_pe_request_notification(ends[side].pe);
    is_armed[side] = !is_armed[side];
}

static void progress(unsigned side)
{
    if (is_armed[side])
        sleep_or_wake(side);
    (void)rdma_progress(&ends[side]);
}

/* Write into a slot: any of its members, or any bytes. */
static void overwrite_slot(struct doca_priv_rdma_slot *slot, uint32_t ticket)
{
    const unsigned piece = fuzz_below(DOCA_PRIV_RDMA_SHORT / sizeof(slot->u.pieces[0]));

    switch (fuzz_below(10)) {
    case 0:
    case 1:
    case 2:
        slot->turn = DOCA_PRIV_RDMA_TURN(ticket, fuzz_below(4));
        return;
    case 3:
        slot->status = (uint32_t)local_number(slot->status);
        return;
    case 4:
        slot->len = local_number(slot->len);
        return;
    case 5:
        slot->num_pieces = (uint32_t)local_number(slot->num_pieces);
        return;
    case 6:
        slot->opcode = (uint32_t)local_number(slot->opcode);
        return;
    case 7:
        slot->u.pieces[piece].addr = local_number((uintptr_t)memory[0]);
        slot->u.pieces[piece].len = local_number(slot->len);
        return;
    case 8: /* a message of one or two pieces that is as it should be */
        slot->u.pieces[0].addr = slot->u.pieces[1].addr = (uintptr_t)source + fuzz_byte();
        slot->u.pieces[0].len = slot->u.pieces[1].len = fuzz_number(2) % 2000;
        slot->num_pieces = 1 + fuzz_byte() % 2;
        slot->len = slot->u.pieces[0].len * slot->num_pieces;
        slot->turn = DOCA_PRIV_RDMA_TURN(ticket, DOCA_PRIV_RDMA_SLOT_FILLED);
        return;
    default:
        local_scribble(slot, sizeof(*slot));
    }
}

/* Write into the ring of the messages of one side, or into a lock. */
static void overwrite(unsigned side)
{
    struct doca_rdma_connection *c = conns[side];
    struct doca_priv_rdma_lane *lane = &c->out;
    const uint32_t ticket = lane->ticket + fuzz_below(8) - 4;

    if (lane->ring == NULL)
        return;
    switch (fuzz_below(16)) {
    case 0:
        lane->ring->receiver_sleeps = fuzz_byte();
        return;
    case 1:
        lane->ring->sender_sleeps = fuzz_byte();
        return;
    case 2:
        lane->ring->starving = (uint32_t)local_number(lane->ticket);
        return;
    case 3:
        lane->ring->num_slots = (uint32_t)local_number(lane->num_slots);
        return;
    case 4:
        local_scribble(lane->ring, lane->bytes);
        return;
    case 5:
        if (c->peer_lock != NULL)
            *c->peer_lock = (uint32_t)local_number((uint32_t)getpid());
        return;
    default:
        overwrite_slot(doca_priv_rdma_slot_of(lane, ticket), ticket);
    }
}

static void misbehave(void)
{
    unsigned step;

    for (step = 0; step < STEPS && fuzz_left > 0; step++) {
        const unsigned how = fuzz_byte(), side = how / 16 % 2;

        switch (how % 16) {
        case 0:
        case 1:
            post(side);
            break;
        case 2:
        case 3:
        case 4:
            start_task(side);
            break;
        case 5:
            sleep_or_wake(side);
            break;
        case 6:
        case 7:
        case 8:
        case 9:
            progress(side);
            break;
        case 10:
            if (how / 32 == 0)
                (void)doca_rdma_connection_disconnect(conns[side]);
            break;
        default:
            overwrite(side);
        }
    }
}

static void open_ends(unsigned how)
{
    unsigned side;

    for (side = 0; side < 2; side++) {
        memset(memory[side], LOCAL_CANARY, BYTES);
        memcpy(memory[side] + SOURCE, source, sizeof(source));
        memset(is_posted[side], 0, sizeof(is_posted[side]));
        num_submitted[side] = 0;
        is_armed[side] = false;
        rdma_make(&ends[side], memory[side], BYTES);
        CHECK_OK(doca_rdma_set_rnr_retry_count(ends[side].rdma, how % 2 == 0 ? 7 : 0));
        CHECK_OK(doca_rdma_set_max_num_connections(ends[side].rdma, 2));
        ends[side].on_done = note_done;
        rdma_start(&ends[side]);
        CHECK_OK(doca_pe_get_notification_handle(ends[side].pe, &handles[side]));
    }
    rdma_lend(&ends[0], &ends[1]);
    rdma_lend(&ends[1], &ends[0]);
    rdma_join(&ends[0], &ends[1]);
    RDMA_UNTIL(ends[0].num_established == 1 && ends[1].num_established == 1);
    conns[0] = ends[0].conn;
    conns[1] = ends[1].conn;
}

/* End the connection, and with it the tasks of both sides except the receives. */
static void part(void)
{
    unsigned side, slot, num_receives;

    for (side = 0; side < 2; side++) {
        if (is_armed[side])
            sleep_or_wake(side);
        (void)doca_rdma_connection_disconnect(conns[side]);
    }
    RDMA_UNTIL(ends[0].num_disconnects == 1 && ends[1].num_disconnects == 1);
    for (side = 0; side < 2; side++) {
        for (slot = 0, num_receives = 0; slot < SINKS; slot++)
            num_receives += is_posted[side][slot];
        RDMA_UNTIL(ends[side].num_done + num_receives == num_submitted[side]);
        CHECK_EQ(rig_inflight(ends[side].ctx), num_submitted[side] - ends[side].num_done);
        check_canaries(side);
    }
}

/* Exchange messages over a new connection. Receives that are still posted take part. */
static void check_health(void)
{
    unsigned side, slot, i;

    rdma_join(&ends[0], &ends[1]);
    for (side = 0; side < 2; side++) {
        struct rdma_end *from = &ends[side], *to = &ends[1 - side];

        for (i = 0; i < SINKS + 1; i++) {
            const unsigned before = to->num_ok;

            for (slot = 0; slot < SINKS; slot++)
                if (!is_posted[1 - side][slot])
                    break;
            if (slot < SINKS) {
                is_posted[1 - side][slot] = true;
                rdma_post(to, SINKS_AT + slot * SPAN, SINK, slot);
            }
            CHECK_OK(rdma_run(from, rdma_send(from, rdma_buf(from, SOURCE, 600 + i), 0)));
            RDMA_UNTIL(to->num_ok > before);
            CHECK_EQ(rdma_latest(to)->len, 600 + i);
            CHECK_MEM(memory[1 - side] + SINKS_AT + rdma_latest(to)->number * SPAN,
                      memory[side] + SOURCE, 600 + i);
        }
    }
    check_canaries(0);
    check_canaries(1);
}

static void fuzz_run_input(void)
{
    const unsigned num_files = local_count_files();

    open_ends(fuzz_byte());
    misbehave();
    part();
    check_health();
    rdma_close_both(&ends[0], &ends[1]);
    local_check_files(num_files);
}

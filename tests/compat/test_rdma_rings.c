/* DOCA RDMA on mlx5 devices. The library reads and writes the queues of these devices itself: every
 * size of WQE at every place in the ring, rings that wrap, full queues, and errors. The suite also
 * passes with DOCA_CORE_RDMA_ENGINE=verbs, which selects the calls of libibverbs. */
#include "rdma_traffic.h"

enum {
    BYTES = 1 << 17,
    SINK = 65536,    /* offset of the memory that tasks write */
    RING_BLOCKS = 32 /* blocks of the send queue for 2 tasks with lists of MAX_LIST buffers */
};

#define MAX_LIST 30 /* limit of the emulated device */

extern unsigned rdma_num_verbs_calls; /* calls of the data path of libibverbs; rdma_impl_mlx5.c */

static _Alignas(4096) unsigned char memory[4][BYTES];

static void begin(void)
{
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 7);
}

static void open_pair(struct rdma_end *a, struct rdma_end *b)
{
    begin();
    rdma_open(a, memory[0], BYTES);
    rdma_open(b, memory[1], BYTES);
    rdma_lend(b, a);
    rdma_join(a, b);
}

/* Open a pair like open_pair(). `a` has a send queue of `depth` tasks, and lists of `list`
 * buffers. */
static void open_pair_of(struct rdma_end *a, struct rdma_end *b, unsigned depth, unsigned list)
{
    begin();
    rdma_make(a, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_send_queue_size(a->rdma, depth));
    CHECK_OK(doca_rdma_set_max_send_buf_list_len(a->rdma, list));
    rdma_start(a);
    rdma_open(b, memory[1], BYTES);
    rdma_lend(b, a);
    rdma_join(a, b);
}

static void environment_selects_rings_or_libibverbs(void)
{
    const char *engine = getenv("DOCA_CORE_RDMA_ENGINE");
    const bool is_verbs = engine != NULL && strcmp(engine, "verbs") == 0;
    struct rdma_end a, b;

    rdma_num_verbs_calls = 0;
    open_pair(&a, &b);
    CHECK_OK(rdma_run(&a, rdma_write(&a, rdma_buf(&a, 0, 100), rdma_far_room(&a, 0, 100), 1)));
    rdma_deliver(&a, &b, 0, 0, 100);
    rdma_close_both(&a, &b);
    CHECK_EQ(rdma_num_verbs_calls > 0, is_verbs);
}

/* ---- WQEs ---- */

/* Write `num` buffers of 70 bytes to the peer, and check every byte around. */
static void write_list(struct rdma_end *a, unsigned num, unsigned round)
{
    const size_t len = 70 * (size_t)num, at = SINK + round % 50;
    unsigned i;

    memset(memory[1] + SINK, 0xcc, len + 100);
    memset(memory[0] + round % 100, (int)round, 1000);
    CHECK_OK(rdma_run(a, rdma_write(a, rdma_list(a, 3, 70, 90, num, false),
                                    rdma_far_room(a, at, len), round)));
    for (i = 0; i < num; i++)
        CHECK_MEM(memory[1] + at + 70 * (size_t)i, memory[0] + 3 + 90 * (size_t)i, 70);
    for (i = 0; i < round % 50; i++)
        CHECK_EQ(memory[1][SINK + i], 0xcc);
    CHECK_EQ(memory[1][at + len], 0xcc);
}

static void wqes_of_every_size_wrap_around_the_ring(void)
{
    unsigned blocks, step, shift, i, round = 0;
    struct rdma_end a, b;

    open_pair_of(&a, &b, 2, MAX_LIST);
    for (blocks = 1; blocks <= 9; blocks++) {
        const unsigned num = 4 * blocks - 2 < MAX_LIST ? 4 * blocks - 2 : MAX_LIST;

        step = blocks & (0u - blocks); /* the ring is a power of two */
        for (shift = 0; shift < step; shift++) {
            for (i = 0; i < RING_BLOCKS / step; i++)
                write_list(&a, num, round++);
            write_list(&a, 1, round++);
        }
    }
    rdma_close_both(&a, &b);
}

static void wqe_holds_data_of_every_length(void)
{
    struct rdma_end a, b;
    unsigned len, shift;

    open_pair_of(&a, &b, 2, 4);
    for (len = 1; len <= 150; len++) {
        shift = len % 7; /* alignments of the data */
        memset(memory[1] + SINK, 0xcc, 256);
        memset(memory[0] + shift, (int)len, len);
        memory[0][shift + len - 1] = (unsigned char)~len;
        CHECK_OK(rdma_run(&a, rdma_write(&a, rdma_buf(&a, shift, len),
                                         rdma_far_room(&a, SINK + 20, len), len)));
        CHECK_MEM(memory[1] + SINK + 20, memory[0] + shift, len);
        CHECK_EQ(memory[1][SINK + 19], 0xcc);
        CHECK_EQ(memory[1][SINK + 20 + len], 0xcc);
        rdma_deliver(&a, &b, shift, SINK + 300, len);
    }
    rdma_deliver(&a, &b, 0, SINK, 0);
    rdma_close_both(&a, &b);
}

/* Data of several buffers in a WQE, with empty buffers among them. */
static void wqe_holds_data_of_lists(void)
{
    unsigned char want[128];
    struct rdma_end a, b;
    unsigned each, num, i;

    open_pair_of(&a, &b, 2, 4);
    for (each = 0; each <= 20; each++) {
        for (num = 2; num <= 4; num++) {
            struct doca_buf *list = rdma_list(&a, 11, each, 40, num - 1, false);

            rdma_chain(list, rdma_buf(&a, 200, 9));
            for (i = 0; i + 1 < num; i++)
                memcpy(want + i * each, memory[0] + 11 + 40 * (size_t)i, each);
            memcpy(want + i * each, memory[0] + 200, 9);
            memset(memory[1] + SINK, 0xcc, 128);
            CHECK_OK(rdma_run(&a, rdma_write(&a, list,
                                             rdma_far_room(&a, SINK, (size_t)i * each + 9), 1)));
            CHECK_MEM(memory[1] + SINK, want, (size_t)i * each + 9);
            CHECK_EQ(memory[1][SINK + i * each + 9], 0xcc);
        }
    }
    rdma_close_both(&a, &b);
}

static void reads_and_receives_fill_lists(void)
{
    struct rdma_end a, b;
    unsigned num, i, k;

    open_pair_of(&a, &b, 4, 4);
    for (i = 0; i < 40; i++) {
        num = 1 + i % 4;
        memset(memory[0] + SINK, 0, 1000);
        memset(memory[1] + SINK, 0, 1000);
        CHECK_OK(rdma_run(&a, rdma_read(&a, rdma_far_buf(&a, i, 50 * (size_t)num),
                                        rdma_list(&a, SINK, 50, 60, num, true), i)));
        CHECK_EQ(rdma_latest(&a)->len, 50 * num);
        CHECK_OK(rdma_submit(rdma_receive(&b, rdma_list(&b, SINK, 50, 60, num, true), i)));
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, i, 50 * (size_t)num - 1), i)));
        RDMA_UNTIL(b.num_done == i + 1 && a.num_done == 2 * (i + 1));
        CHECK_EQ(rdma_latest(&b)->len, 50 * num - 1);
        for (k = 0; k < num; k++) {
            CHECK_MEM(memory[0] + SINK + 60 * (size_t)k, memory[1] + i + 50 * (size_t)k, 50);
            CHECK_MEM(memory[1] + SINK + 60 * (size_t)k, memory[0] + i + 50 * (size_t)k, 49);
        }
    }
    rdma_close_both(&a, &b);
}

static void atomics_wrap_around_the_ring(void)
{
    struct rdma_end a, b;
    uint64_t value = 1000;
    unsigned i;

    open_pair_of(&a, &b, 2, 1);
    memcpy(memory[1] + SINK, &value, sizeof(value));
    for (i = 0; i < 70; i++) {
        CHECK_OK(rdma_run(&a, rdma_add(&a, rdma_far_buf(&a, SINK, 8), rdma_room(&a, 8, 8), i, 0)));
        CHECK_EQ(rdma_word(&a, 8), value);
        value += i;
        CHECK_OK(rdma_run(&a, rdma_swap(&a, rdma_far_buf(&a, SINK, 8), rdma_room(&a, 16, 8),
                                        i % 3 == 0 ? value + 1 : value, value * 3)));
        CHECK_EQ(rdma_word(&a, 16), value);
        if (i % 3 != 0)
            value *= 3;
        CHECK_EQ(rdma_word(&b, SINK), value);
        value &= 0xffffffff;
        memcpy(memory[1] + SINK, &value, sizeof(value));
    }
    rdma_close_both(&a, &b);
}

static void immediate_data_arrives_as_it_was_given(void)
{
    static const doca_be32_t values[] = { 0, 1, 0x12345678, 0xff000000, 0xffffffff };
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < 5; i++) {
        rdma_post(&b, SINK, 100, 1);
        CHECK_OK(rdma_run(&a, rdma_send_imm(&a, rdma_buf(&a, 0, 20 * i + 1), values[i], 1)));
        RDMA_UNTIL(b.num_done == 2 * i + 1);
        CHECK_EQ(rdma_latest(&b)->opcode, DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM);
        CHECK_EQ(rdma_latest(&b)->imm, values[i]);
        CHECK_EQ(rdma_latest(&b)->len, 20 * i + 1);
        rdma_post(&b, SINK, 100, 2);
        CHECK_OK(rdma_run(&a, rdma_write_imm(&a, rdma_buf(&a, 0, 50 + 5 * i),
                                             rdma_far_room(&a, SINK + 500, 100), values[i], 2)));
        RDMA_UNTIL(b.num_done == 2 * i + 2);
        CHECK_EQ(rdma_latest(&b)->opcode, DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM);
        CHECK_EQ(rdma_latest(&b)->imm, values[i]);
        CHECK_MEM(memory[1] + SINK + 500, memory[0], 50 + 5 * i);
    }
    rdma_close_both(&a, &b);
}

/* ---- full queues and errors ---- */

static void full_send_queue_refuses_tasks_until_one_ends(void)
{
    struct rdma_end a, b;
    struct rdma_op op;
    unsigned i, round;

    open_pair_of(&a, &b, 8, 4);
    for (round = 0; round < 20; round++) {
        for (i = 0; i < 8; i++) /* the peer has no receive task */
            CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, i, 10 * i + round), i)));
        op = rdma_write(&a, rdma_buf(&a, 0, 64), rdma_far_room(&a, 0, 64), 8);
        CHECK_RC(rdma_submit(op), DOCA_ERROR_FULL);
        for (i = 0; i < 8; i++)
            rdma_post(&b, SINK + 200 * (size_t)i, 200, i);
        RDMA_UNTIL(a.num_done == 9 * round + 8 && b.num_done == 8 * round + 8);
        for (i = 0; i < 8; i++) {
            RDMA_CHECK_DONE(&a, 9 * round + i, RDMA_send, i, DOCA_SUCCESS);
            CHECK_EQ(rdma_at(&b, 8 * round + i)->len, 10 * i + round);
            CHECK_MEM(memory[1] + SINK + 200 * (size_t)i, memory[0] + i, 10 * i + round);
        }
        CHECK_OK(rdma_run(&a, op));
    }
    rdma_close_both(&a, &b);
}

/* Tasks before the failed task succeed, and later tasks are aborted, all in order. */
static void error_in_a_full_queue_ends_every_task_in_order(void)
{
    struct rdma_end a, b;
    unsigned i, round;

    for (round = 0; round < 3; round++) {
        begin();
        rdma_open(&a, memory[0], BYTES);
        rdma_make(&b, memory[1], BYTES);
        CHECK_OK(doca_rdma_set_permissions(b.rdma, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                                                       DOCA_ACCESS_FLAG_RDMA_WRITE));
        rdma_start(&b);
        rdma_lend(&b, &a);
        rdma_join(&a, &b);
        for (i = 0; i < 40 * round; i++) /* begin at several places of the ring */
            CHECK_OK(
                rdma_run(&a, rdma_write(&a, rdma_buf(&a, 0, 64), rdma_far_room(&a, 0, 64), 0)));
        a.num_done = a.num_ok = 0;
        for (i = 0; i < 31; i++)
            CHECK_OK(rdma_submit(
                rdma_write(&a, rdma_buf(&a, 0, 3 * i + 1), rdma_far_room(&a, SINK, 100), i)));
        CHECK_OK(
            rdma_submit(rdma_add(&a, rdma_far_buf(&a, SINK, 8), rdma_room(&a, 8, 8), 5, 31)));
        for (i = 32; i < RDMA_DEPTH; i++)
            CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, i), i)));
        RDMA_UNTIL(a.num_done == RDMA_DEPTH && a.num_disconnects == 1);
        for (i = 0; i < RDMA_DEPTH; i++)
            RDMA_CHECK_DONE(&a, i,
                            i < 31    ? RDMA_write
                            : i == 31 ? RDMA_atomic_fetch_add
                                      : RDMA_send,
                            i,
                            i < 31    ? DOCA_SUCCESS
                            : i == 31 ? DOCA_ERROR_IO_FAILED
                                      : DOCA_ERROR_CONNECTION_ABORTED);
        rdma_close_both(&a, &b);
    }
}

/* Run a task that fails, check its reason, and close both ends. */
static void fail_with(struct rdma_end *a, struct rdma_end *b, struct rdma_op op,
                      enum doca_core_item item, const char *text)
{
    a->keeps_lost = true; /* the disconnection callback makes no call that changes the reason */
    b->keeps_lost = true;
    CHECK_OK(rdma_submit(op));
    RDMA_WAIT(rdma_progress(a), a->num_done == 1);
    CHECK_RC(rdma_latest(a)->status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(doca_core_last_item(), item);
    if (strstr(doca_core_last_error(), text) == NULL)
        test_fail(__FILE__, __LINE__, "%s: %s", text, doca_core_last_error());
    RDMA_UNTIL(a->num_disconnects == 1);
    CHECK_OK(doca_rdma_connection_disconnect(a->lost[0]));
    rdma_stop(a);
    rdma_stop(b);
}

/* The reasons contain the words of libibverbs for the status of the completion. */
static void failed_task_names_the_status_of_its_completion(void)
{
    struct rdma_end a, b;

    begin();
    rdma_open(&a, memory[0], BYTES);
    rdma_make(&b, memory[1], BYTES);
    CHECK_OK(doca_rdma_set_permissions(b.rdma, DOCA_ACCESS_FLAG_RDMA_READ));
    rdma_start(&b);
    rdma_lend(&b, &a);
    rdma_join(&a, &b);
    fail_with(&a, &b, rdma_write(&a, rdma_buf(&a, 0, 64), rdma_far_room(&a, 0, 64), 1),
              DOCA_CORE_ITEM_RDMA_CARD, "remote invalid request error");
    rdma_destroy(&a);
    rdma_destroy(&b);

    rdma_make(&a, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_rnr_retry_count(a.rdma, 1));
    rdma_start(&a);
    rdma_open(&b, memory[1], BYTES);
    rdma_join(&a, &b);
    fail_with(&a, &b, rdma_send(&a, rdma_buf(&a, 0, 64), 1), DOCA_CORE_ITEM_RDMA_NO_RECEIVE,
              "RNR retry counter exceeded");
    rdma_destroy(&a);
    rdma_destroy(&b);
}

static void message_that_is_too_long_fails_at_both_sides(void)
{
    struct rdma_end a, b;

    open_pair(&a, &b);
    b.keeps_lost = true;
    rdma_post(&b, SINK, 63, 5);
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 64), 1)));
    RDMA_WAIT(rdma_progress(&b), b.num_done == 1);
    RDMA_CHECK_DONE(&b, 0, RDMA_receive, 5, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_RDMA_TOO_LONG);
    RDMA_UNTIL(a.num_done == 1 && b.num_disconnects == 1);
    RDMA_CHECK_DONE(&a, 0, RDMA_send, 1, DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_rdma_connection_disconnect(b.lost[0]));
    rdma_close_both(&a, &b);
}

/* ---- several connections ---- */

static void connections_share_a_completion_queue(void)
{
    struct doca_rdma_connection *conns[3];
    unsigned i, round, next[3];
    struct rdma_end hub, ends[3];

    begin();
    rdma_make(&hub, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, 3));
    rdma_start(&hub);
    for (i = 0; i < 3; i++) {
        rdma_open(&ends[i], memory[1 + i], BYTES);
        rdma_join(&hub, &ends[i]);
        conns[i] = hub.conn;
    }
    for (round = 0; round < 20; round++) {
        hub.num_done = 0;
        for (i = 0; i < 30; i++) { /* both directions at once */
            rdma_post(&ends[i % 3], 1000 * (size_t)i, 1000, i);
            hub.conn = conns[i % 3];
            CHECK_OK(rdma_submit(rdma_send(&hub, rdma_buf(&hub, i, 20 * i), i)));
            rdma_post(&hub, SINK + 1000 * (size_t)i, 1000, i);
            CHECK_OK(rdma_submit(rdma_send(&ends[i % 3], rdma_buf(&ends[i % 3], 0, 300 + i), i)));
        }
        RDMA_UNTIL(hub.num_done == 60);
        for (i = 0; i < 3; i++)
            RDMA_UNTIL(ends[i].num_done == 20 * (round + 1));
        memset(next, 0, sizeof(next));
        for (i = 0; i < 60; i++) {
            const struct rdma_done *d = rdma_at(&hub, i);

            CHECK_RC(d->status, DOCA_SUCCESS);
            if (d->kind == RDMA_send) /* in order on each connection */
                CHECK_EQ(d->number, 3 * next[d->number % 3]++ + d->number % 3);
            else
                CHECK_PTR(d->from, conns[(d->len - 300) % 3]);
        }
    }
    rdma_stop(&hub);
    for (i = 0; i < 3; i++)
        rdma_close(&ends[i]);
    rdma_destroy(&hub);
}

/* Receive tasks stay posted while connections come and go. */
static void connection_that_ends_with_tasks_in_flight_is_replaced(void)
{
    unsigned i, round, before;
    struct rdma_end a, b;

    open_pair(&a, &b);
    for (round = 0; round < 12; round++) {
        before = a.num_done;
        for (i = 0; i < 10; i++) /* no receive task waits for them */
            CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 10 * i), i)));
        for (i = 0; i < 5; i++)
            CHECK_OK(rdma_submit(
                rdma_write(&a, rdma_buf(&a, 0, 64), rdma_far_room(&a, 0, 64), 10 + i)));
        CHECK_OK(doca_rdma_connection_disconnect(a.conn));
        RDMA_UNTIL(a.num_done == before + 15);
        for (i = 0; i < 15; i++)
            CHECK_RC(rdma_at(&a, before + i)->status, DOCA_ERROR_CONNECTION_ABORTED);
        CHECK_OK(doca_rdma_connection_disconnect(b.conn));
        rdma_settle();
        rdma_join(&a, &b);
        for (i = 0; i < 3; i++) {
            rdma_deliver(&a, &b, 50 * (size_t)round, SINK, 500);
            rdma_deliver(&b, &a, 0, SINK, 500);
        }
    }
    rdma_close_both(&a, &b);
}

static const struct test_case cases[] = {
    CASE(environment_selects_rings_or_libibverbs, ""),
    CASE(wqes_of_every_size_wrap_around_the_ring, ""),
    CASE(wqe_holds_data_of_every_length, ""),
    CASE(wqe_holds_data_of_lists, ""),
    CASE(reads_and_receives_fill_lists, ""),
    CASE(atomics_wrap_around_the_ring, ""),
    CASE(immediate_data_arrives_as_it_was_given, ""),
    CASE(full_send_queue_refuses_tasks_until_one_ends, ""),
    CASE(error_in_a_full_queue_ends_every_task_in_order, ""),
    CASE(failed_task_names_the_status_of_its_completion, ""),
    CASE(message_that_is_too_long_fails_at_both_sides, ""),
    CASE(connections_share_a_completion_queue, ""),
    CASE(connection_that_ends_with_tasks_in_flight_is_replaced, ""),
};

TEST_MAIN(cases)

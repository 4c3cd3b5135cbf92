/* DOCA RDMA: receive, send and send with an immediate value. Lengths, lists, empty messages, order,
 * buffers that are too short, and receivers that are not ready. */
#include "rdma_ops.h"

enum { BYTES = 1 << 20, LARGE = 8 << 20, HALF = BYTES / 2, SHORT = 600 };

static unsigned char memory[2][BYTES];
static unsigned char large[2][LARGE];

static void open_pair(struct rdma_end *a, struct rdma_end *b)
{
    share_fill(memory[0], BYTES, 1);
    memset(memory[1], UNTOUCHED, BYTES);
    rdma_open(a, memory[0], BYTES);
    rdma_open(b, memory[1], BYTES);
    rdma_join(a, b);
}

/* True when no byte of [off, off + len) of the receiver's memory was written. */
static bool is_untouched(size_t off, size_t len)
{
    size_t i;

    for (i = 0; i < len; i++)
        if (memory[1][off + i] != UNTOUCHED)
            return false;
    return true;
}

/* ---- one message ---- */

static void messages_of_all_lengths_arrive(void)
{
    static const size_t lengths[] = { 1,    2,    7,    8,    63,   64,    65,    255,   256, 1023,
                                      1024, 4095, 4096, 4097, 8191, 65535, 65536, 65537, HALF };
    struct rdma_end a, b;
    size_t i;

    open_pair(&a, &b);
    for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        rdma_deliver(&a, &b, i, 4096, lengths[i]);
        CHECK_EQ(rdma_latest(&b)->opcode, DOCA_RDMA_OPCODE_RECV_SEND);
        CHECK_PTR(rdma_latest(&b)->from, b.conn);
        CHECK(is_untouched(0, 4096));
        CHECK(is_untouched(4096 + lengths[i], BYTES - 4096 - lengths[i]));
        memset(memory[1], UNTOUCHED, BYTES);
    }
    rdma_close_both(&a, &b);
}

static void message_of_megabytes_arrives(void)
{
    struct rdma_end a, b;

    share_fill(large[0], LARGE, 3);
    memset(large[1], 0, LARGE);
    rdma_open(&a, large[0], LARGE);
    rdma_open(&b, large[1], LARGE);
    rdma_join(&a, &b);
    rdma_deliver(&a, &b, 0, 0, LARGE);
    rdma_deliver(&a, &b, 1, 2, LARGE - 2);
    rdma_close_both(&a, &b);
}

/* The receiver writes behind the content of its buffer, and the content grows. */
static void message_is_appended_to_the_content_of_the_buffer(void)
{
    struct doca_rdma_task_receive *task;
    struct rdma_end a, b;
    struct doca_buf *dst;
    struct rdma_op op;
    void *data = NULL;

    open_pair(&a, &b);
    b.keeps_tasks = true;
    CHECK_OK(doca_buf_inventory_buf_get_by_args(b.inventory, b.map, memory[1] + 1000, 1000,
                                                memory[1] + 1100, 50, &dst));
    op = rdma_receive(&b, dst, 5);
    task = op.task;
    CHECK_OK(rdma_submit(op));
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 700), 6)));
    RDMA_UNTIL(a.num_done == 1 && b.num_done == 1);
    RDMA_CHECK_DONE(&b, 0, RDMA_receive, 5, DOCA_SUCCESS);
    CHECK_EQ(doca_rdma_task_receive_get_result_len(task), 700);
    CHECK_PTR(doca_rdma_task_receive_get_dst_buf(task), dst);
    CHECK_OK(doca_buf_get_data(dst, &data));
    CHECK_PTR(data, memory[1] + 1100);
    CHECK_EQ(rig_data_len(dst), 750);
    CHECK(is_untouched(0, 1150) && is_untouched(1850, 1000));
    CHECK_MEM(memory[1] + 1150, memory[0], 700);
    rdma_drop(op);
    rdma_close_both(&a, &b);
}

/* 850 bytes are behind the content, and the message has all of them, or one more. */
static void room_ends_with_the_buffer(void)
{
    struct rdma_end a, b;
    struct doca_buf *dst;
    unsigned more;

    for (more = 0; more < 2; more++) {
        open_pair(&a, &b);
        CHECK_OK(doca_buf_inventory_buf_get_by_args(b.inventory, b.map, memory[1] + 1000, 1000,
                                                    memory[1] + 1100, 50, &dst));
        CHECK_OK(rdma_submit(rdma_receive(&b, dst, 5)));
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 850 + more), 6)));
        RDMA_UNTIL(a.num_done == 1 && b.num_done == 1);
        CHECK_RC(rdma_latest(&a)->status, more ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS);
        CHECK_RC(rdma_latest(&b)->status, more ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS);
        CHECK(is_untouched(2000, 4096));
        if (!more)
            CHECK_MEM(memory[1] + 1150, memory[0], 850);
        rdma_close_both(&a, &b);
    }
}

static void send_takes_the_content_of_its_buffer_and_leaves_it(void)
{
    struct rdma_end a, b;
    struct doca_buf *src;
    struct rdma_op op;
    void *data = NULL;

    open_pair(&a, &b);
    a.keeps_tasks = true;
    CHECK_OK(doca_buf_inventory_buf_get_by_args(a.inventory, a.map, memory[0] + 100, 5000,
                                                memory[0] + 333, 777, &src));
    op = rdma_send(&a, src, 6);
    rdma_post(&b, 0, 5000, 5);
    CHECK_OK(rdma_submit(op));
    RDMA_UNTIL(a.num_done == 1 && b.num_done == 1);
    CHECK_EQ(rdma_latest(&b)->len, 777);
    CHECK_MEM(memory[1], memory[0] + 333, 777);
    CHECK(is_untouched(777, 5000));
    CHECK_OK(doca_buf_get_data(src, &data));
    CHECK_PTR(data, memory[0] + 333);
    CHECK_EQ(rig_data_len(src), 777);
    rdma_drop(op);
    rdma_close_both(&a, &b);
}

/* ---- immediate values and empty messages ---- */

static void immediate_value_arrives_as_it_was_given(void)
{
    static const doca_be32_t values[] = { 0, 1, 0x01020304, 0x80000000u, 0xffffffffu, 0xa5 };
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        rdma_post(&b, 0, 1000, 20 + i);
        CHECK_OK(rdma_submit(rdma_send_imm(&a, rdma_buf(&a, i, 300 + i), values[i], 10 + i)));
        RDMA_UNTIL(a.num_done == i + 1 && b.num_done == i + 1);
        RDMA_CHECK_DONE(&a, i, RDMA_send_imm, 10 + i, DOCA_SUCCESS);
        RDMA_CHECK_DONE(&b, i, RDMA_receive, 20 + i, DOCA_SUCCESS);
        CHECK_EQ(rdma_latest(&b)->opcode, DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM);
        CHECK_EQ(rdma_latest(&b)->imm, values[i]);
        CHECK_EQ(rdma_latest(&b)->len, 300 + i);
        CHECK_PTR(rdma_latest(&b)->from, b.conn);
        CHECK_MEM(memory[1], memory[0] + i, 300 + i);
    }
    rdma_close_both(&a, &b);
}

/* Each bit of `how` gives one side a buffer. */
static void message_without_data_arrives(void)
{
    struct rdma_end a, b;
    unsigned how;

    open_pair(&a, &b);
    for (how = 0; how < 8; how++) {
        const struct doca_buf *src = how & 1 ? rdma_buf(&a, 0, 0) : NULL;
        struct doca_buf *dst = how & 2 ? rdma_room(&b, 0, 100) : NULL;
        bool has_imm = (how & 4) != 0;

        CHECK_OK(rdma_submit(rdma_receive(&b, dst, how)));
        CHECK_OK(rdma_submit(has_imm ? rdma_send_imm(&a, src, 0x77 + how, how)
                                     : rdma_send(&a, src, how)));
        RDMA_UNTIL(a.num_done == how + 1 && b.num_done == how + 1);
        CHECK_EQ(a.num_failed + b.num_failed, 0);
        CHECK_EQ(rdma_latest(&b)->number, how);
        CHECK_EQ(rdma_latest(&b)->len, 0);
        CHECK_EQ(rdma_latest(&b)->opcode,
                 has_imm ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM : DOCA_RDMA_OPCODE_RECV_SEND);
        if (has_imm)
            CHECK_EQ(rdma_latest(&b)->imm, 0x77 + how);
        CHECK(is_untouched(0, 4096));
    }
    rdma_close_both(&a, &b);
}

/* ---- lists ---- */

/* A message of `len` bytes fills the elements of the receiver's list one after the other. */
static void check_scattered(struct doca_buf *list, size_t element, size_t stride, size_t len)
{
    unsigned char want[RDMA_LIST * SHORT];
    struct doca_buf *next = list;
    size_t i, at;

    for (i = 0; i < RDMA_LIST; i++) {
        size_t part = len > i * element ? len - i * element : 0;

        part = part < element ? part : element;
        CHECK(next != NULL);
        CHECK_EQ(rig_data_len(next), part);
        at = i * stride;
        share_fill(want, len, 9);
        CHECK_MEM(memory[1] + at, want + i * element, part);
        CHECK(is_untouched(at + part, stride - part));
        CHECK_OK(doca_buf_get_next_in_list(next, &next));
    }
    CHECK_PTR(next, NULL);
}

static void lists_are_gathered_and_scattered(void)
{
    size_t stride = 2048, element;
    struct rdma_end a, b;
    struct rdma_op op;

    open_pair(&a, &b);
    b.keeps_tasks = true;
    for (element = 1; element <= SHORT; element = element * 5 / 2 + 1) {
        size_t i, len = 3 * element + element / 2; /* the last element stays half empty */
        size_t parts[3] = { len / 3, len / 4, len - len / 3 - len / 4 }, at = 0;
        struct doca_buf *dst, *src = NULL;

        memset(memory[1], UNTOUCHED, RDMA_LIST * stride);
        share_fill(memory[0] + 64, len, 9);
        for (i = 0; i < 3; i++) { /* parts of the source, far from each other */
            if (parts[i] == 0)
                continue;
            memcpy(memory[0] + 65536 + i * 8192, memory[0] + 64 + at, parts[i]);
            dst = rdma_buf(&a, 65536 + i * 8192, parts[i]);
            src = src == NULL ? dst : rdma_chain(src, dst);
            at += parts[i];
        }
        dst = rdma_list(&b, 0, element, stride, RDMA_LIST, true);
        op = rdma_receive(&b, dst, 1);
        CHECK_OK(rdma_submit(op));
        CHECK_OK(rdma_run(&a, rdma_send(&a, src, 2)));
        RDMA_UNTIL(rdma_count(&b, RDMA_receive, DOCA_SUCCESS) == a.num_done);
        CHECK_EQ(rdma_latest(&b)->len, len);
        check_scattered(dst, element, stride, len);
        rdma_drop(op);
    }
    rdma_close_both(&a, &b);
}

static void list_carries_an_immediate_value(void)
{
    struct rdma_end a, b;

    open_pair(&a, &b);
    rdma_post(&b, 0, 4 * SHORT, 1);
    CHECK_OK(rdma_run(
        &a, rdma_send_imm(&a, rdma_list(&a, 0, SHORT, 1000, RDMA_LIST, false), 0x1234, 2)));
    RDMA_UNTIL(b.num_done == 1);
    CHECK_EQ(rdma_latest(&b)->len, 4 * SHORT);
    CHECK_EQ(rdma_latest(&b)->imm, 0x1234);
    CHECK_MEM(memory[1] + SHORT, memory[0] + 1000, SHORT);
    CHECK_MEM(memory[1] + 3 * SHORT, memory[0] + 3000, SHORT);
    rdma_close_both(&a, &b);
}

/* ---- order ---- */

static void messages_keep_their_order(void)
{
    struct rdma_end a, b;
    unsigned round, i;

    open_pair(&a, &b);
    for (round = 0; round < 20; round++) {
        a.num_done = b.num_done = 0;
        for (i = 0; i < RDMA_TASKS; i++)
            rdma_post(&b, 8192 * (size_t)i, 8192, i);
        for (i = 0; i < RDMA_TASKS; i++) {
            size_t len = i % 5 == 0 ? 1 : i * 251 % 8192;

            CHECK_OK(rdma_submit(
                i % 3 == 1 ? rdma_send_imm(&a, rdma_buf(&a, 17 * (size_t)i + round, len), i, i)
                           : rdma_send(&a, rdma_buf(&a, 17 * (size_t)i + round, len), i)));
            if (i % (round + 1) == round)
                (void)rdma_turn();
        }
        RDMA_UNTIL(a.num_done == RDMA_TASKS && b.num_done == RDMA_TASKS);
        for (i = 0; i < RDMA_TASKS; i++) {
            size_t len = i % 5 == 0 ? 1 : i * 251 % 8192;

            RDMA_CHECK_DONE(&a, i, i % 3 == 1 ? RDMA_send_imm : RDMA_send, i, DOCA_SUCCESS);
            RDMA_CHECK_DONE(&b, i, RDMA_receive, i, DOCA_SUCCESS);
            CHECK_EQ(b.done[i].len, len);
            CHECK_MEM(memory[1] + 8192 * i, memory[0] + 17 * i + round, len);
        }
    }
    rdma_close_both(&a, &b);
}

/* The sender overwrites its source as soon as a task completes, and sends from it again. */
static void overwrite_source(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    if (kind != RDMA_send)
        return;
    CHECK(is_ok);
    e->todo++;
    memset(e->memory, (int)(e->todo & 0xff), 3000);
    if (e->todo < 200) {
        struct rdma_op op = rdma_send(e, rdma_buf(e, 0, 3000), e->todo);

        CHECK_OK(rdma_submit(op));
    }
    (void)task;
}

static void source_may_be_reused_from_the_completion_on(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    memset(memory[0], 0, 3000);
    a.on_done = overwrite_source;
    rdma_post(&b, 0, 3000, 0);
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 3000), 0)));
    for (i = 0; i < 200; i++) {
        RDMA_UNTIL(b.num_done == i + 1);
        CHECK_EQ(rdma_latest(&b)->len, 3000);
        CHECK_EQ(memory[1][0], i);
        CHECK_EQ(memory[1][2999], i);
        if (i < 199)
            rdma_post(&b, 0, 3000, i);
    }
    RDMA_UNTIL(a.num_done == 200);
    rdma_close_both(&a, &b);
}

static void both_sides_may_send_at_once(void)
{
    struct rdma_end a, b;
    unsigned i, round;

    open_pair(&a, &b);
    for (round = 1; round <= 10; round++) {
        for (i = 0; i < 16; i++) {
            rdma_post(&b, HALF + 4096 * (size_t)i, 4096, i);
            rdma_post(&a, HALF + 4096 * (size_t)i, 4096, i);
            CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, i, 4000), 100 + i)));
            CHECK_OK(rdma_submit(rdma_send(&b, rdma_buf(&b, i, 3000), 100 + i)));
        }
        RDMA_UNTIL(a.num_ok == 32 * round && b.num_ok == 32 * round);
        for (i = 0; i < 16; i++) {
            CHECK_MEM(memory[1] + HALF + 4096 * i, memory[0] + i, 4000);
            CHECK_MEM(memory[0] + HALF + 4096 * i, memory[1] + i, 3000);
        }
    }
    CHECK_EQ(a.num_failed + b.num_failed, 0);
    rdma_close_both(&a, &b);
}

static void one_source_may_be_in_many_sends(void)
{
    struct rdma_end a, b;
    struct doca_buf *src;
    unsigned i;

    open_pair(&a, &b);
    src = rdma_buf(&a, 64, 500);
    for (i = 0; i < 16; i++) {
        rdma_post(&b, 1024 * (size_t)i, 1024, i);
        if (i > 0) /* each completion releases one reference */
            CHECK_OK(doca_buf_inc_refcount(src, NULL));
        CHECK_OK(rdma_submit(rdma_send(&a, src, i)));
    }
    RDMA_UNTIL(a.num_ok == 16 && b.num_ok == 16);
    for (i = 0; i < 16; i++)
        CHECK_MEM(memory[1] + 1024 * i, memory[0] + 64, 500);
    rdma_close_both(&a, &b);
}

/* ---- the receiver is not ready ---- */

static void send_waits_for_a_posted_receive(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < 8; i++)
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 100 * i, 100 + i), i)));
    rdma_settle();
    CHECK_EQ(a.num_done + b.num_done, 0);
    for (i = 0; i < 8; i++) {
        rdma_post(&b, 1000 * i, 1000, i);
        RDMA_UNTIL(a.num_done == i + 1 && b.num_done == i + 1);
        RDMA_CHECK_DONE(&a, i, RDMA_send, i, DOCA_SUCCESS);
        RDMA_CHECK_DONE(&b, i, RDMA_receive, i, DOCA_SUCCESS);
        CHECK_MEM(memory[1] + 1000 * i, memory[0] + 100 * i, 100 + i);
        if (i % 2)
            rdma_settle();
        CHECK_EQ(a.num_done, i + 1);
    }
    rdma_close_both(&a, &b);
}

static void receive_may_be_posted_before_there_is_a_connection(void)
{
    struct rdma_end a, b;

    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    rdma_post(&b, 0, 1000, 1);
    rdma_settle();
    CHECK_EQ(b.num_done, 0);
    rdma_join(&a, &b);
    CHECK_OK(rdma_run(&a, rdma_send(&a, rdma_buf(&a, 0, 1000), 2)));
    RDMA_UNTIL(b.num_done == 1);
    CHECK_EQ(rdma_latest(&b)->len, 1000);
    rdma_close_both(&a, &b);
}

/* ---- the buffer is too short ---- */

/* Both ends have lost their connection, once. A new connection works. */
static void check_broken(struct rdma_end *a, struct rdma_end *b)
{
    RDMA_UNTIL(a->num_disconnects == 1 && b->num_disconnects == 1);
    CHECK_PTR(a->lost[0], a->conn);
    CHECK_PTR(b->lost[0], b->conn);
    CHECK_RC(rdma_run(a, rdma_send(a, rdma_buf(a, 0, 10), 0)), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_RC(rdma_run(b, rdma_send(b, rdma_buf(b, 0, 10), 0)), DOCA_ERROR_CONNECTION_ABORTED);
    rdma_settle();
    CHECK_EQ(a->num_disconnects + b->num_disconnects, 2);
    CHECK(rdma_is(a, DOCA_CTX_STATE_RUNNING) && rdma_is(b, DOCA_CTX_STATE_RUNNING));
    CHECK_OK(doca_rdma_connection_disconnect(a->conn));
    CHECK_OK(doca_rdma_connection_disconnect(b->conn));
    rdma_join(a, b);
    rdma_deliver(a, b, 0, HALF, 999);
}

static void check_too_short(struct doca_buf *(*make_room)(struct rdma_end *e))
{
    struct rdma_end a, b;

    open_pair(&a, &b);
    a.keeps_lost = b.keeps_lost = true;
    CHECK_OK(rdma_submit(rdma_receive(&b, make_room(&b), 1)));
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 401), 2)));
    RDMA_UNTIL(a.num_done == 1 && b.num_done == 1);
    RDMA_CHECK_DONE(&a, 0, RDMA_send, 2, DOCA_ERROR_IO_FAILED);
    RDMA_CHECK_DONE(&b, 0, RDMA_receive, 1, DOCA_ERROR_IO_FAILED);
    CHECK(is_untouched(400, 4096));
    check_broken(&a, &b);
    rdma_close_both(&a, &b);
}

static struct doca_buf *room_of_one_buffer(struct rdma_end *e)
{
    return rdma_room(e, 0, 400);
}

static struct doca_buf *room_of_a_list(struct rdma_end *e)
{
    return rdma_list(e, 0, 100, 100, 4, true);
}

static struct doca_buf *room_of_no_buffer(struct rdma_end *e)
{
    (void)e;
    return NULL;
}

static void message_longer_than_the_buffer_fails_on_both_sides(void)
{
    check_too_short(room_of_one_buffer);
}

static void message_longer_than_the_list_fails_on_both_sides(void)
{
    check_too_short(room_of_a_list);
}

static void message_with_data_for_no_buffer_fails_on_both_sides(void)
{
    check_too_short(room_of_no_buffer);
}

/* Tasks behind the failed one complete once, with an error, in their order. */
static void tasks_behind_a_failed_send_complete_once_with_an_error(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    rdma_post(&b, 0, 1000, 0);
    rdma_post(&b, 1000, 10, 1);
    rdma_post(&b, 2000, 1000, 2);
    for (i = 0; i < 8; i++)
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 500), i)));
    RDMA_UNTIL(a.num_done == 8 && b.num_done >= 2);
    rdma_settle();
    CHECK_EQ(a.num_done, 8);
    CHECK_EQ(b.num_done, 2); /* the third receive waits for another connection */
    RDMA_CHECK_DONE(&a, 0, RDMA_send, 0, DOCA_SUCCESS);
    RDMA_CHECK_DONE(&a, 1, RDMA_send, 1, DOCA_ERROR_IO_FAILED);
    for (i = 2; i < 8; i++) {
        CHECK_EQ(a.done[i].number, i);
        CHECK_RC(a.done[i].status, DOCA_ERROR_CONNECTION_ABORTED);
    }
    RDMA_CHECK_DONE(&b, 0, RDMA_receive, 0, DOCA_SUCCESS);
    RDMA_CHECK_DONE(&b, 1, RDMA_receive, 1, DOCA_ERROR_IO_FAILED);
    CHECK(is_untouched(2000, 1000));
    rdma_close_both(&a, &b);
    CHECK_EQ(b.num_done, 3);
    RDMA_CHECK_DONE(&b, 2, RDMA_receive, 2, DOCA_ERROR_SHUTDOWN);
}

static const struct test_case cases[] = {
    CASE(messages_of_all_lengths_arrive, "408 419"),
    CASE(message_of_megabytes_arrives, ""),
    CASE(message_is_appended_to_the_content_of_the_buffer, "409"),
    CASE(room_ends_with_the_buffer, "409"),
    CASE(send_takes_the_content_of_its_buffer_and_leaves_it, ""),
    CASE(immediate_value_arrives_as_it_was_given, "408 412"),
    CASE(message_without_data_arrives, "411"),
    CASE(lists_are_gathered_and_scattered, "410"),
    CASE(list_carries_an_immediate_value, "410 412"),
    CASE(messages_keep_their_order, "418"),
    CASE(source_may_be_reused_from_the_completion_on, "416"),
    CASE(both_sides_may_send_at_once, ""),
    CASE(one_source_may_be_in_many_sends, ""),
    CASE(send_waits_for_a_posted_receive, "396"),
    CASE(receive_may_be_posted_before_there_is_a_connection, "408"),
    CASE(message_longer_than_the_buffer_fails_on_both_sides, "409"),
    CASE(message_longer_than_the_list_fails_on_both_sides, "409 410"),
    CASE(message_with_data_for_no_buffer_fails_on_both_sides, "409"),
    CASE(tasks_behind_a_failed_send_complete_once_with_an_error, "409 418"),
};

TEST_MAIN(cases)

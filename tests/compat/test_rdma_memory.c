/* DOCA RDMA: read, write, write with an immediate value, and atomic tasks on the memory of the
 * peer. The second file of this subject, test_rdma_refused.c, has the accesses that are refused. */
#include "rdma_ops.h"

enum { BYTES = 1 << 20, FAR_OFF = 1 << 16, PEERS = 4, ADDS = 100 };

static _Alignas(64) unsigned char memory[1 + PEERS][BYTES];

static void fill(void)
{
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 7);
}

/* Open two connected ends; the first has access to the memory of the second. */
static void open_pair(struct rdma_end *a, struct rdma_end *b)
{
    fill();
    rdma_open(a, memory[0], BYTES);
    rdma_open(b, memory[1], BYTES);
    rdma_lend(b, a);
    rdma_join(a, b);
}

/* True when [off, off + len) of the end's memory has the bytes of share_fill(). */
static bool is_as_filled(unsigned end, size_t off, size_t len)
{
    static unsigned char want[BYTES];

    share_fill(want, BYTES, end == 0 ? 1 : 7);
    return memcmp(memory[end] + off, want + off, len) == 0;
}

static const size_t lengths[] = { 1,    2,    7,    8,    63,    64,    65,    255,   256,
                                  1023, 4095, 4096, 4097, 65535, 65536, 65537, 500000 };

/* ---- read ---- */

static void read_gets_the_bytes_of_the_peer(void)
{
    struct rdma_end a, b;
    size_t i;

    open_pair(&a, &b);
    for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        size_t len = lengths[i], off = FAR_OFF + 13 * i;

        CHECK_OK(
            rdma_run(&a, rdma_read(&a, rdma_far_buf(&a, off, len), rdma_room(&a, 512, len), i)));
        CHECK_EQ(rdma_latest(&a)->len, len);
        CHECK_MEM(memory[0] + 512, memory[1] + off, len);
        CHECK(is_as_filled(0, 0, 512));
        CHECK(is_as_filled(0, 512 + len, BYTES - 512 - len));
        CHECK(is_as_filled(1, 0, BYTES));
        fill();
    }
    CHECK_EQ(b.num_done, 0);
    rdma_close_both(&a, &b);
}

static void read_appends_to_the_content_of_its_buffer(void)
{
    struct rdma_end a, b;
    struct doca_buf *dst;
    struct rdma_op op;

    open_pair(&a, &b);
    a.keeps_tasks = true;
    CHECK_OK(doca_buf_inventory_buf_get_by_args(a.inventory, a.map, memory[0] + 1000, 1000,
                                                memory[0] + 1100, 50, &dst));
    op = rdma_read(&a, rdma_far_buf(&a, FAR_OFF, 850), dst, 1);
    CHECK_OK(rdma_run(&a, op));
    CHECK_EQ(rdma_latest(&a)->len, 850);
    CHECK_EQ(rig_data_len(dst), 900);
    CHECK(is_as_filled(0, 0, 1150));
    CHECK(is_as_filled(0, 2000, 1000));
    CHECK_MEM(memory[0] + 1150, memory[1] + FAR_OFF, 850);
    rdma_drop(op);
    rdma_close_both(&a, &b);
}

static void read_scatters_into_a_list(void)
{
    struct rdma_end a, b;
    struct doca_buf *dst, *next;
    struct rdma_op op;
    unsigned i;

    open_pair(&a, &b);
    a.keeps_tasks = true;
    dst = rdma_list(&a, 4096, 300, 1000, RDMA_LIST, true);
    op = rdma_read(&a, rdma_far_buf(&a, FAR_OFF, 1100), dst, 1);
    CHECK_OK(rdma_run(&a, op));
    CHECK_EQ(rdma_latest(&a)->len, 1100);
    for (i = 0, next = dst; i < RDMA_LIST; i++) {
        size_t part = i == 3 ? 200 : 300;

        CHECK_EQ(rig_data_len(next), part);
        CHECK_MEM(memory[0] + 4096 + 1000 * i, memory[1] + FAR_OFF + 300 * i, part);
        CHECK(is_as_filled(0, 4096 + 1000 * i + part, 1000 - part));
        CHECK_OK(doca_buf_get_next_in_list(next, &next));
    }
    rdma_drop(op);
    rdma_close_both(&a, &b);
}

/* ---- write ---- */

static void write_puts_the_bytes_into_the_memory_of_the_peer(void)
{
    struct rdma_end a, b;
    size_t i;

    open_pair(&a, &b);
    for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        size_t len = lengths[i], off = FAR_OFF + 13 * i;

        CHECK_OK(rdma_run(
            &a, rdma_write(&a, rdma_buf(&a, 512 + i, len), rdma_far_room(&a, off, len), i)));
        CHECK_MEM(memory[1] + off, memory[0] + 512 + i, len);
        CHECK(is_as_filled(1, 0, off));
        CHECK(is_as_filled(1, off + len, BYTES - off - len));
        CHECK(is_as_filled(0, 0, BYTES));
        fill();
    }
    CHECK_EQ(b.num_done, 0);
    rdma_close_both(&a, &b);
}

static void write_gathers_a_list(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    CHECK_OK(rdma_run(&a, rdma_write(&a, rdma_list(&a, 100, 333, 1000, RDMA_LIST, false),
                                     rdma_far_room(&a, FAR_OFF, 2000), 1)));
    for (i = 0; i < RDMA_LIST; i++)
        CHECK_MEM(memory[1] + FAR_OFF + 333 * i, memory[0] + 100 + 1000 * i, 333);
    CHECK(is_as_filled(1, 0, FAR_OFF));
    CHECK(is_as_filled(1, FAR_OFF + 4 * 333, 2000));
    rdma_close_both(&a, &b);
}

static void write_with_an_immediate_value_completes_a_receive(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < 6; i++) {
        size_t len = i < 2 ? 1 : 3000 * (size_t)i;

        CHECK_OK(rdma_submit(rdma_receive(&b, i % 2 ? rdma_room(&b, 0, 64) : NULL, 10 + i)));
        CHECK_OK(rdma_run(&a, rdma_write_imm(&a, rdma_buf(&a, i, len),
                                             rdma_far_room(&a, FAR_OFF, len), 0x80000001u + i, i)));
        RDMA_UNTIL(b.num_done == i + 1);
        RDMA_CHECK_DONE(&b, i, RDMA_receive, 10 + i, DOCA_SUCCESS);
        CHECK_EQ(rdma_latest(&b)->opcode, DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM);
        CHECK_EQ(rdma_latest(&b)->imm, 0x80000001u + i);
        CHECK_EQ(rdma_latest(&b)->len, len);
        CHECK_PTR(rdma_latest(&b)->from, b.conn);
        CHECK_MEM(memory[1] + FAR_OFF, memory[0] + i, len);
        CHECK(is_as_filled(1, 0, FAR_OFF)); /* the buffer of the receive stays as it is */
    }
    CHECK_OK(rdma_submit(rdma_receive(&b, NULL, 20)));
    CHECK_OK(rdma_run(&a, rdma_write_imm(&a, rdma_list(&a, 0, 10, 100, RDMA_LIST, false),
                                         rdma_far_room(&a, FAR_OFF, 40), 5, 21)));
    RDMA_UNTIL(b.num_done == 7);
    CHECK_EQ(rdma_latest(&b)->len, 40);
    CHECK_MEM(memory[1] + FAR_OFF + 30, memory[0] + 300, 10);
    rdma_close_both(&a, &b);
}

static void write_with_an_immediate_value_waits_for_a_receive(void)
{
    struct rdma_end a, b;

    open_pair(&a, &b);
    CHECK_OK(rdma_submit(
        rdma_write_imm(&a, rdma_buf(&a, 0, 100), rdma_far_room(&a, FAR_OFF, 100), 3, 1)));
    rdma_settle();
    CHECK_EQ(a.num_done + b.num_done, 0);
    CHECK_OK(rdma_submit(rdma_receive(&b, NULL, 2)));
    RDMA_UNTIL(a.num_ok == 1 && b.num_ok == 1);
    CHECK_EQ(rdma_latest(&b)->imm, 3);
    CHECK_MEM(memory[1] + FAR_OFF, memory[0], 100);
    rdma_close_both(&a, &b);
}

/* ---- without buffers, and of lists in remote memory ---- */

static void tasks_without_buffers_succeed_and_move_nothing(void)
{
    struct rdma_end a, b;

    open_pair(&a, &b);
    CHECK_OK(rdma_run(&a, rdma_read(&a, NULL, NULL, 1)));
    CHECK_EQ(rdma_latest(&a)->len, 0);
    CHECK_OK(rdma_run(&a, rdma_write(&a, NULL, NULL, 2)));
    CHECK_OK(rdma_submit(rdma_receive(&b, NULL, 3)));
    CHECK_OK(rdma_run(&a, rdma_write_imm(&a, NULL, NULL, 0x99, 4)));
    RDMA_UNTIL(b.num_done == 1);
    CHECK_EQ(rdma_latest(&b)->len, 0);
    CHECK_EQ(rdma_latest(&b)->imm, 0x99);
    CHECK_EQ(rdma_latest(&b)->opcode, DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM);
    CHECK(is_as_filled(0, 0, BYTES) && is_as_filled(1, 0, BYTES));
    rdma_close_both(&a, &b);
}

static void of_a_remote_list_only_the_head_counts(void)
{
    struct rdma_end a, b;
    struct doca_buf *far;

    open_pair(&a, &b);
    far = rdma_chain(rdma_far_buf(&a, FAR_OFF, 100), rdma_far_buf(&a, FAR_OFF + 4096, 100));
    CHECK_OK(rdma_run(&a, rdma_read(&a, far, rdma_room(&a, 0, 200), 1)));
    CHECK_EQ(rdma_latest(&a)->len, 100);
    CHECK_MEM(memory[0], memory[1] + FAR_OFF, 100);
    CHECK(is_as_filled(0, 100, 4096));
    rdma_close_both(&a, &b);
}

/* ---- the peer is passive ---- */

/* Public programs that lend memory wait for a key press after connect, without any progress. */
static void memory_tasks_need_no_progress_of_the_peer(void)
{
    uint64_t value = 5;
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    rdma_end_remove(&b);
    memcpy(memory[1] + 8, &value, sizeof(value));
    for (i = 0; i < 10; i++) {
        CHECK_OK(rdma_run(
            &a, rdma_write(&a, rdma_buf(&a, i, 5000), rdma_far_room(&a, FAR_OFF, 5000), 1)));
        CHECK_OK(rdma_run(
            &a, rdma_read(&a, rdma_far_buf(&a, FAR_OFF, 5000), rdma_room(&a, 65536, 5000), 2)));
        CHECK_OK(
            rdma_run(&a, rdma_add(&a, rdma_far_buf(&a, 8, 8), rdma_room(&a, 131072, 8), 3, 4)));
        CHECK_MEM(memory[0] + 65536, memory[0] + i, 5000);
        CHECK_EQ(rdma_word(&a, 131072), 5 + 3 * i);
    }
    CHECK_EQ(b.num_callbacks, 0);
    rdma_stop(&a);
    rdma_end_add(&b);
    rdma_close_both(&a, &b);
}

static void instance_that_only_lends_memory_needs_no_task(void)
{
    struct rdma_end a, b;

    fill();
    rdma_open(&a, memory[0], BYTES);
    rdma_make(&b, memory[1], BYTES);
    CHECK_OK(doca_rdma_destroy(b.rdma)); /* again, without tasks */
    CHECK_OK(doca_rdma_create(b.dev, &b.rdma));
    b.ctx = doca_rdma_as_ctx(b.rdma);
    CHECK_OK(doca_rdma_set_permissions(b.rdma, RDMA_ALL));
    CHECK_OK(doca_pe_connect_ctx(b.pe, b.ctx));
    rdma_start(&b);
    rdma_lend(&b, &a);
    rdma_join(&a, &b);
    CHECK_OK(rdma_run(&a, rdma_read(&a, rdma_far_buf(&a, FAR_OFF, 900), rdma_room(&a, 0, 900), 1)));
    CHECK_MEM(memory[0], memory[1] + FAR_OFF, 900);
    rdma_close_both(&a, &b);
}

/* ---- order ---- */

/* Data of a write is there when a later message of the same connection arrives. */
static void later_message_shows_that_a_write_has_arrived(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < 100; i++) {
        memset(memory[0] + 1000, (int)i, 60000);
        rdma_post(&b, 0, 16, i);
        CHECK_OK(rdma_submit(
            rdma_write(&a, rdma_buf(&a, 1000, 60000), rdma_far_room(&a, FAR_OFF, 60000), i)));
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 16), i)));
        RDMA_UNTIL(b.num_done == i + 1);
        CHECK_EQ(memory[1][FAR_OFF], i);
        CHECK_EQ(memory[1][FAR_OFF + 59999], i);
        RDMA_UNTIL(a.num_done == 2 * (i + 1));
    }
    rdma_close_both(&a, &b);
}

static void tasks_of_all_types_complete_in_their_order(void)
{
    static const enum rdma_kind kinds[] = { RDMA_write,          RDMA_read,
                                            RDMA_send,           RDMA_write_imm,
                                            RDMA_atomic_cmp_swp, RDMA_read,
                                            RDMA_send_imm,       RDMA_atomic_fetch_add };
    unsigned i, num_kinds = sizeof(kinds) / sizeof(kinds[0]);
    struct rdma_end a, b;
    struct rdma_op op = { RDMA_read, NULL };

    open_pair(&a, &b);
    for (i = 0; i < 3 * num_kinds; i++) {
        enum rdma_kind kind = kinds[i % num_kinds];
        size_t len = 100 + 777 * (size_t)i;

        if (kind == RDMA_send || kind == RDMA_send_imm || kind == RDMA_write_imm)
            rdma_post(&b, 32768, 32768, i);
        if (kind == RDMA_write)
            op = rdma_write(&a, rdma_buf(&a, 0, len), rdma_far_room(&a, FAR_OFF, len), i);
        else if (kind == RDMA_read)
            op = rdma_read(&a, rdma_far_buf(&a, FAR_OFF, len), rdma_room(&a, FAR_OFF, len), i);
        else if (kind == RDMA_send)
            op = rdma_send(&a, rdma_buf(&a, 0, len), i);
        else if (kind == RDMA_send_imm)
            op = rdma_send_imm(&a, rdma_buf(&a, 0, len), i, i);
        else if (kind == RDMA_write_imm)
            op = rdma_write_imm(&a, rdma_buf(&a, 0, len), rdma_far_room(&a, FAR_OFF, len), i, i);
        else if (kind == RDMA_atomic_cmp_swp)
            op = rdma_swap(&a, rdma_far_buf(&a, 64, 8), rdma_room(&a, 500000, 8), 1, 2);
        else
            op = rdma_add(&a, rdma_far_buf(&a, 64, 8), rdma_room(&a, 500008, 8), 1, i);
        CHECK_OK(rdma_submit(op));
    }
    RDMA_UNTIL(a.num_done == 3 * num_kinds && b.num_done == 9);
    CHECK_EQ(a.num_failed + b.num_failed, 0);
    for (i = 0; i < 3 * num_kinds; i++) {
        CHECK_EQ(a.done[i].kind, kinds[i % num_kinds]);
        if (a.done[i].kind != RDMA_atomic_cmp_swp)
            CHECK_EQ(a.done[i].number, i);
    }
    rdma_close_both(&a, &b);
}

/* ---- atomic tasks ---- */

static void put_word(unsigned end, size_t off, uint64_t value)
{
    memcpy(memory[end] + off, &value, sizeof(value));
}

static void fetch_and_add_returns_the_old_value(void)
{
    static const uint64_t values[][2] = { { 0, 1 },
                                          { 41, 1 },
                                          { UINT64_MAX, 1 },
                                          { 1, UINT64_MAX },
                                          { UINT64_C(0x0123456789abcdef), UINT64_C(1) << 63 },
                                          { 7, 0 } };
    struct rdma_end a, b;
    size_t i;

    open_pair(&a, &b);
    for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        put_word(1, FAR_OFF, values[i][0]);
        CHECK_OK(rdma_run(
            &a, rdma_add(&a, rdma_far_buf(&a, FAR_OFF, 8), rdma_room(&a, 24, 8), values[i][1], i)));
        CHECK_EQ(rdma_word(&b, FAR_OFF), values[i][0] + values[i][1]);
        CHECK_EQ(rdma_word(&a, 24), values[i][0]);
        CHECK(is_as_filled(1, 0, FAR_OFF) && is_as_filled(1, FAR_OFF + 8, 4096));
        CHECK(is_as_filled(0, 0, 24) && is_as_filled(0, 32, 4096));
    }
    rdma_close_both(&a, &b);
}

static void compare_and_swap_writes_only_on_equality(void)
{
    const uint64_t was = UINT64_C(0xfedcba9876543210);
    struct rdma_end a, b;
    unsigned bit;

    open_pair(&a, &b);
    for (bit = 0; bit < 64; bit += 7) {
        put_word(1, FAR_OFF, was);
        CHECK_OK(rdma_run(&a, rdma_swap(&a, rdma_far_buf(&a, FAR_OFF, 8), rdma_room(&a, 24, 8),
                                        was ^ UINT64_C(1) << bit, 99)));
        CHECK_EQ(rdma_word(&b, FAR_OFF), was);
        CHECK_EQ(rdma_word(&a, 24), was);
    }
    CHECK_OK(rdma_run(&a, rdma_swap(&a, rdma_far_buf(&a, FAR_OFF, 8), rdma_room(&a, 32, 8), was,
                                    UINT64_C(0x1122334455667788))));
    CHECK_EQ(rdma_word(&b, FAR_OFF), UINT64_C(0x1122334455667788));
    CHECK_EQ(rdma_word(&a, 32), was);
    CHECK(is_as_filled(1, 0, FAR_OFF) && is_as_filled(1, FAR_OFF + 8, 4096));
    rdma_close_both(&a, &b);
}

/* The word is at the start of the content, and a longer content does not matter. */
static void atomic_task_uses_the_first_bytes_of_the_content(void)
{
    struct rdma_end a, b;
    struct doca_buf *dst;

    open_pair(&a, &b);
    put_word(1, FAR_OFF + 64, 1000);
    CHECK_OK(doca_buf_inventory_buf_get_by_args(a.inventory, a.far_map, a.far + FAR_OFF, 4096,
                                                a.far + FAR_OFF + 64, 100, &dst));
    CHECK_OK(rdma_run(&a, rdma_add(&a, dst, rdma_room(&a, 24, 64), 10, 1)));
    CHECK_EQ(rdma_word(&b, FAR_OFF + 64), 1010);
    CHECK_EQ(rdma_word(&a, 24), 1000);
    CHECK(is_as_filled(1, 0, FAR_OFF + 64) && is_as_filled(1, FAR_OFF + 72, 4096));
    CHECK(is_as_filled(0, 0, 24) && is_as_filled(0, 32, 4096));
    rdma_close_both(&a, &b);
}

static void additions_in_flight_see_each_other(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    put_word(1, FAR_OFF, 0);
    for (i = 0; i < RDMA_TASKS; i++)
        CHECK_OK(rdma_submit(
            rdma_add(&a, rdma_far_buf(&a, FAR_OFF, 8), rdma_room(&a, 8 * (size_t)i, 8), i + 1, i)));
    RDMA_UNTIL(a.num_ok == RDMA_TASKS);
    for (i = 0; i < RDMA_TASKS; i++) {
        RDMA_CHECK_DONE(&a, i, RDMA_atomic_fetch_add, i, DOCA_SUCCESS);
        CHECK_EQ(rdma_word(&a, 8 * (size_t)i), i * (i + 1) / 2);
    }
    CHECK_EQ(rdma_word(&b, FAR_OFF), RDMA_TASKS * (RDMA_TASKS + 1) / 2);
    rdma_close_both(&a, &b);
}

/* Several requesters of one process. test_rdma_processes.c has several processes. */
static void additions_of_several_connections_sum_up(void)
{
    struct rdma_end hub, peers[PEERS];
    unsigned i, k;

    fill();
    rdma_make(&hub, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, PEERS));
    rdma_start(&hub);
    put_word(0, FAR_OFF, 10);
    for (i = 0; i < PEERS; i++) {
        rdma_open(&peers[i], memory[1 + i], BYTES);
        rdma_lend(&hub, &peers[i]);
        rdma_join(&hub, &peers[i]);
    }
    for (k = 0; k < ADDS; k++) {
        for (i = 0; i < PEERS; i++)
            CHECK_OK(rdma_submit(rdma_add(&peers[i], rdma_far_buf(&peers[i], FAR_OFF, 8),
                                          rdma_room(&peers[i], 8, 8), 1 + i, k)));
        RDMA_UNTIL(peers[0].num_ok == k + 1 && peers[1].num_ok == k + 1 &&
                   peers[2].num_ok == k + 1 && peers[3].num_ok == k + 1);
    }
    CHECK_EQ(rdma_word(&hub, FAR_OFF), 10 + ADDS * PEERS * (PEERS + 1) / 2);
    rdma_stop(&hub);
    for (i = 0; i < PEERS; i++)
        rdma_close(&peers[i]);
    rdma_destroy(&hub);
}

static const struct test_case cases[] = {
    CASE(read_gets_the_bytes_of_the_peer, "420"),
    CASE(read_appends_to_the_content_of_its_buffer, ""),
    CASE(read_scatters_into_a_list, "410"),
    CASE(write_puts_the_bytes_into_the_memory_of_the_peer, "420"),
    CASE(write_gathers_a_list, "410"),
    CASE(write_with_an_immediate_value_completes_a_receive, "408 412"),
    CASE(write_with_an_immediate_value_waits_for_a_receive, "408"),
    CASE(tasks_without_buffers_succeed_and_move_nothing, "411"),
    CASE(of_a_remote_list_only_the_head_counts, "410"),
    CASE(memory_tasks_need_no_progress_of_the_peer, "390"),
    CASE(instance_that_only_lends_memory_needs_no_task, "390"),
    CASE(later_message_shows_that_a_write_has_arrived, "418"),
    CASE(tasks_of_all_types_complete_in_their_order, "418"),
    CASE(fetch_and_add_returns_the_old_value, "413"),
    CASE(compare_and_swap_writes_only_on_equality, "413"),
    CASE(atomic_task_uses_the_first_bytes_of_the_content, "413"),
    CASE(additions_in_flight_see_each_other, "413 418"),
    CASE(additions_of_several_connections_sum_up, "413"),
};

TEST_MAIN(cases)

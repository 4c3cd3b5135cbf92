/* DOCA RDMA: accesses to memory that are refused, for missing permissions or wrong ranges. The peer
 * refuses by completing the task with IO_FAILED, which breaks the connection. Where a submission
 * can see the fault itself, the reference does not say whether the submission fails or the task:
 * the cases accept both (rdma_try), and check that nothing was written. */
#include "rdma_ops.h"

enum { BYTES = 1 << 16, OFF = 4096, WORD = 64 };

#define LOCAL DOCA_ACCESS_FLAG_LOCAL_READ_WRITE
#define READ DOCA_ACCESS_FLAG_RDMA_READ
#define WRITE DOCA_ACCESS_FLAG_RDMA_WRITE
#define ATOMIC DOCA_ACCESS_FLAG_RDMA_ATOMIC

static _Alignas(4096) unsigned char memory[3][BYTES];
static _Alignas(8) unsigned char before[3][BYTES];

static void fill(void)
{
    unsigned i;

    for (i = 0; i < 3; i++)
        share_fill(memory[i], BYTES, 3 * i + 1);
    memcpy(before, memory, sizeof(before));
}

/* Open a requester and a peer that has these permissions, and connect them. */
static void open_with(struct rdma_end *a, struct rdma_end *b, uint32_t of_instance, uint32_t of_map)
{
    fill();
    rdma_open(a, memory[0], BYTES);
    rdma_make_on(b, rig_open_dev(NULL), memory[1], BYTES, of_map);
    CHECK_OK(doca_rdma_set_permissions(b->rdma, of_instance));
    rdma_start(b);
    a->keeps_lost = b->keeps_lost = true;
    rdma_lend(b, a);
    rdma_join(a, b);
}

/* Allocate a task of this type on 500 bytes, or on 8 bytes, of the peer. */
static struct rdma_op access_of(struct rdma_end *a, enum rdma_kind kind)
{
    switch (kind) {
    case RDMA_read:
        return rdma_read(a, rdma_far_buf(a, OFF, 500), rdma_room(a, OFF, 500), 1);
    case RDMA_write:
        return rdma_write(a, rdma_buf(a, OFF, 500), rdma_far_room(a, OFF, 500), 1);
    case RDMA_write_imm:
        return rdma_write_imm(a, rdma_buf(a, OFF, 500), rdma_far_room(a, OFF, 500), 5, 1);
    case RDMA_atomic_cmp_swp:
        return rdma_swap(a, rdma_far_buf(a, WORD, 8), rdma_room(a, WORD, 8),
                         *(const uint64_t *)(const void *)(before[1] + WORD), 5);
    default:
        return rdma_add(a, rdma_far_buf(a, WORD, 8), rdma_room(a, WORD, 8), 5, 1);
    }
}

static const struct {
    enum rdma_kind kind;
    uint32_t needs;
} accesses[] = { { RDMA_read, READ },
                 { RDMA_write, WRITE },
                 { RDMA_write_imm, WRITE },
                 { RDMA_atomic_cmp_swp, ATOMIC },
                 { RDMA_atomic_fetch_add, ATOMIC } };

enum { NUM_ACCESSES = sizeof(accesses) / sizeof(accesses[0]) };

/* The task fails, both sides lose the connection once, and later tasks on it are aborted. */
static void check_breaks(struct rdma_end *a, struct rdma_end *b, struct rdma_op op)
{
    unsigned failed = a->num_failed;

    CHECK_RC(rdma_run(a, op), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(a->num_failed, failed + 1);
    RDMA_UNTIL(a->num_disconnects == 1 && b->num_disconnects == 1);
    CHECK_PTR(a->lost[0], a->conn);
    CHECK_PTR(b->lost[0], b->conn);
    CHECK_RC(rdma_run(a, rdma_send(a, rdma_buf(a, 0, 10), 2)), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_RC(rdma_run(a, access_of(a, RDMA_read)), DOCA_ERROR_CONNECTION_ABORTED);
    rdma_settle();
    CHECK_EQ(a->num_disconnects + b->num_disconnects, 2);
    CHECK_MEM(memory, before, sizeof(before));
    CHECK_EQ(b->num_ok, 0);
    CHECK(rdma_is(a, DOCA_CTX_STATE_RUNNING) && rdma_is(b, DOCA_CTX_STATE_RUNNING));
    CHECK_OK(doca_rdma_connection_disconnect(a->conn));
    CHECK_OK(doca_rdma_connection_disconnect(b->conn));
}

/* ---- permissions of the peer ---- */

static void one_permission_of_instance_and_memory_is_enough(void)
{
    struct rdma_end a, b;
    unsigned i;

    for (i = 0; i < NUM_ACCESSES; i++) {
        open_with(&a, &b, accesses[i].needs, LOCAL | accesses[i].needs);
        CHECK_OK(rdma_submit(rdma_receive(&b, NULL, 1)));
        CHECK_OK(rdma_run(&a, access_of(&a, accesses[i].kind)));
        CHECK_EQ(a.num_disconnects + b.num_disconnects, 0);
        CHECK(memcmp(memory, before, sizeof(before)) != 0);
        rdma_close_both(&a, &b);
    }
}

static void instance_without_the_permission_refuses(void)
{
    struct rdma_end a, b;
    unsigned i;

    for (i = 0; i < NUM_ACCESSES; i++) {
        open_with(&a, &b, RDMA_ALL & ~accesses[i].needs, RDMA_ALL);
        check_breaks(&a, &b, access_of(&a, accesses[i].kind));
        rdma_join(&a, &b); /* messages need no permission for remote access */
        rdma_deliver(&a, &b, 0, 8192, 100);
        rdma_close_both(&a, &b);
    }
}

static void memory_without_the_permission_is_refused(void)
{
    struct rdma_end a, b;
    unsigned i;

    for (i = 0; i < NUM_ACCESSES; i++) {
        open_with(&a, &b, RDMA_ALL, RDMA_ALL & ~accesses[i].needs);
        if (accesses[i].kind == RDMA_write_imm) /* soft-RoCE wants a receive before it looks */
            CHECK_OK(rdma_submit(rdma_receive(&b, NULL, 1)));
        check_breaks(&a, &b, access_of(&a, accesses[i].kind));
        rdma_close_both(&a, &b);
    }
}

/* A write with an immediate value that is refused completes no receive with success. */
static void refused_write_delivers_no_immediate_value(void)
{
    struct rdma_end a, b;

    open_with(&a, &b, RDMA_ALL & ~(uint32_t)WRITE, RDMA_ALL);
    CHECK_OK(rdma_submit(rdma_receive(&b, NULL, 7)));
    check_breaks(&a, &b, access_of(&a, RDMA_write_imm));
    rdma_close_both(&a, &b);
    CHECK_EQ(b.num_ok, 0);
    CHECK_EQ(b.num_failed, 1);
}

static void refusal_on_one_connection_leaves_the_others_alone(void)
{
    struct rdma_end hub, a, b;
    struct doca_rdma_connection *to_a, *to_b;

    fill();
    rdma_make_on(&hub, rig_open_dev(NULL), memory[0], BYTES, RDMA_ALL & ~(uint32_t)WRITE);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, 2));
    rdma_start(&hub);
    rdma_open(&a, memory[1], BYTES);
    rdma_open(&b, memory[2], BYTES);
    rdma_lend(&hub, &a);
    rdma_lend(&hub, &b);
    rdma_join(&hub, &a);
    to_a = hub.conn;
    rdma_join(&hub, &b);
    to_b = hub.conn;
    CHECK_RC(rdma_run(&a, access_of(&a, RDMA_write)), DOCA_ERROR_IO_FAILED);
    RDMA_UNTIL(a.num_disconnects == 1 && hub.num_disconnects == 1);
    CHECK_PTR(hub.lost[0], to_a);
    CHECK_OK(rdma_run(&b, access_of(&b, RDMA_read)));
    rdma_deliver(&b, &hub, 0, 8192, 100);
    hub.conn = to_b;
    rdma_deliver(&hub, &b, 0, 8192, 100);
    CHECK_EQ(b.num_disconnects, 0);
    rdma_stop(&hub);
    rdma_close(&a);
    rdma_close(&b);
    rdma_destroy(&hub);
}

/* Tasks that are behind the refused one complete once, with an error, and write nothing. */
static void tasks_behind_a_refused_one_do_nothing(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_with(&a, &b, RDMA_ALL & ~(uint32_t)ATOMIC, RDMA_ALL);
    CHECK_OK(rdma_submit(access_of(&a, RDMA_atomic_fetch_add)));
    for (i = 0; i < 10; i++)
        CHECK_OK(rdma_submit(access_of(&a, i % 2 ? RDMA_read : RDMA_write)));
    RDMA_UNTIL(a.num_done == 11);
    rdma_settle();
    CHECK_EQ(a.num_failed, 11);
    RDMA_CHECK_DONE(&a, 0, RDMA_atomic_fetch_add, 1, DOCA_ERROR_IO_FAILED);
    CHECK_MEM(memory, before, sizeof(before));
    CHECK_EQ(a.num_disconnects, 1);
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    CHECK_OK(doca_rdma_connection_disconnect(b.conn));
    rdma_close_both(&a, &b);
}

/* ---- faults of this side ---- */

static void check_local(struct rdma_end *a, struct rdma_op op)
{
    doca_error_t rc = rdma_try(a, op);

    if (rc != DOCA_ERROR_NOT_PERMITTED && rc != DOCA_ERROR_INVALID_VALUE)
        CHECK_RC(rc, DOCA_ERROR_IO_FAILED);
    rdma_settle();
    CHECK_MEM(memory, before, sizeof(before));
}

/* A requester whose own memory is only for reading. */
static void open_read_only(struct rdma_end *a, struct rdma_end *b)
{
    fill();
    rdma_make_on(a, rig_open_dev(NULL), memory[0], BYTES, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    CHECK_OK(doca_rdma_set_permissions(a->rdma, RDMA_ALL));
    rdma_start(a);
    rdma_open(b, memory[1], BYTES);
    rdma_lend(b, a);
    rdma_join(a, b);
}

static void results_are_not_written_to_read_only_memory(void)
{
    static const enum rdma_kind kinds[] = { RDMA_read, RDMA_atomic_cmp_swp, RDMA_atomic_fetch_add };
    struct rdma_end a, b;
    unsigned i;

    for (i = 0; i < 3; i++) {
        open_read_only(&a, &b);
        check_local(&a, access_of(&a, kinds[i]));
        rdma_close_both(&a, &b);
    }
}

static void messages_are_not_received_into_read_only_memory(void)
{
    struct rdma_end a, b;
    struct rdma_op op;
    doca_error_t rc;

    open_read_only(&a, &b);
    op = rdma_receive(&a, rdma_room(&a, 0, 1000), 1);
    rc = rdma_submit(op);
    if (rc != DOCA_SUCCESS) {
        CHECK(rc == DOCA_ERROR_NOT_PERMITTED || rc == DOCA_ERROR_INVALID_VALUE);
        rdma_drop(op);
    } else {
        CHECK_OK(rdma_submit(rdma_send(&b, rdma_buf(&b, 0, 100), 2)));
        RDMA_UNTIL(a.num_done == 1 && b.num_done == 1);
        CHECK_EQ(a.num_failed + b.num_failed, 2);
    }
    CHECK_MEM(memory, before, sizeof(before));
    rdma_close_both(&a, &b);
}

static void read_only_memory_may_be_a_source(void)
{
    struct rdma_end a, b;

    open_read_only(&a, &b);
    rdma_deliver(&a, &b, 0, 8192, 3000);
    CHECK_OK(rdma_run(&a, access_of(&a, RDMA_write)));
    CHECK_MEM(memory[1] + OFF, memory[0] + OFF, 500);
    rdma_close_both(&a, &b);
}

/* The destination has less room than the source has bytes. */
static void accesses_longer_than_their_destination_are_refused(void)
{
    struct rdma_end a, b;
    unsigned how;

    for (how = 0; how < 5; how++) {
        struct rdma_op op;

        open_with(&a, &b, RDMA_ALL, RDMA_ALL);
        CHECK_OK(rdma_submit(rdma_receive(&b, NULL, 1)));
        if (how == 0)
            op = rdma_read(&a, rdma_far_buf(&a, OFF, 500), rdma_room(&a, OFF, 499), 1);
        else if (how == 1)
            op = rdma_read(&a, rdma_far_buf(&a, OFF, 401),
                           rdma_list(&a, OFF, 100, 200, RDMA_LIST, true), 1);
        else if (how == 2)
            op = rdma_write(&a, rdma_buf(&a, OFF, 500), rdma_far_room(&a, OFF, 499), 1);
        else if (how == 3)
            op = rdma_write(&a, rdma_list(&a, OFF, 100, 200, RDMA_LIST, false),
                            rdma_far_room(&a, OFF, 399), 1);
        else
            op = rdma_write_imm(&a, rdma_buf(&a, OFF, 500), rdma_far_room(&a, OFF, 499), 5, 1);
        check_local(&a, op);
        CHECK_EQ(b.num_ok, 0);
        rdma_close_both(&a, &b);
    }
}

static void atomic_tasks_need_eight_bytes_on_both_sides(void)
{
    struct rdma_end a, b;
    unsigned how;

    for (how = 0; how < 4; how++) {
        size_t far = how & 1 ? 8 : 7, near = how & 1 ? 7 : 8;
        struct rdma_op op;

        open_with(&a, &b, RDMA_ALL, RDMA_ALL);
        if (how & 2)
            op = rdma_swap(&a, rdma_far_buf(&a, WORD, far), rdma_room(&a, WORD, near),
                           *(const uint64_t *)(const void *)(before[1] + WORD), 1);
        else
            op = rdma_add(&a, rdma_far_buf(&a, WORD, far), rdma_room(&a, WORD, near), 1, 1);
        check_local(&a, op);
        rdma_close_both(&a, &b);
    }
}

/* Hardware refuses such words. A device that accepts them must do the right thing. */
static void unaligned_atomic_task_fails_or_is_right(void)
{
    struct rdma_end a, b;
    uint64_t was;
    size_t off;

    for (off = 1; off < 8; off++) {
        open_with(&a, &b, RDMA_ALL, RDMA_ALL);
        was = rdma_word(&b, WORD + off);
        if (rdma_try(&a, rdma_add(&a, rdma_far_buf(&a, WORD + off, 8), rdma_room(&a, WORD, 8), 3,
                                  1)) == DOCA_SUCCESS) {
            CHECK_EQ(rdma_word(&b, WORD + off), was + 3);
            CHECK_EQ(rdma_word(&a, WORD), was);
            memcpy(memory[1] + WORD + off, &was, 8);
            memcpy(memory[0] + WORD, before[0] + WORD, 8);
        }
        CHECK_MEM(memory, before, sizeof(before));
        rdma_close_both(&a, &b);
    }
}

/* Only both buffers together may be missing. With one of them, nothing moves. */
static void task_with_one_buffer_moves_nothing(void)
{
    struct rdma_end a, b;
    unsigned how;

    for (how = 0; how < 4; how++) {
        struct rdma_op op;

        open_with(&a, &b, RDMA_ALL, RDMA_ALL);
        if (how == 0)
            op = rdma_read(&a, NULL, rdma_room(&a, OFF, 10), 1);
        else if (how == 1)
            op = rdma_read(&a, rdma_far_buf(&a, OFF, 10), NULL, 1);
        else if (how == 2)
            op = rdma_write(&a, NULL, rdma_far_room(&a, OFF, 10), 1);
        else
            op = rdma_write(&a, rdma_buf(&a, OFF, 10), NULL, 1);
        if (rdma_try(&a, op) == DOCA_SUCCESS && how < 2)
            CHECK_EQ(rdma_latest(&a)->len, 0);
        CHECK_MEM(memory, before, sizeof(before));
        rdma_close_both(&a, &b);
    }
}

static void list_longer_than_configured_is_refused(void)
{
    struct rdma_end a, b;
    uint32_t most = 0;

    open_with(&a, &b, RDMA_ALL, RDMA_ALL);
    CHECK_OK(doca_rdma_get_max_send_buf_list_len(a.rdma, &most));
    CHECK(most >= RDMA_LIST && most < RDMA_BUFS / 4);
    check_local(&a, rdma_write(&a, rdma_list(&a, 0, 4, 8, most + 1, false),
                               rdma_far_room(&a, OFF, 4 * (most + 1)), 1));
    rdma_close_both(&a, &b);
}

/* ---- memory that is no longer there ---- */

/* As with copies of the core, a byte of the destination has its old value or is 0. */
static void check_nothing_arrived(void)
{
    size_t i;

    CHECK_MEM(memory[1], before[1], BYTES);
    for (i = 0; i < BYTES; i++)
        CHECK(memory[0][i] == before[0][i] || memory[0][i] == 0);
}

static void access_fails_when_the_peer_has_stopped_its_memory(void)
{
    struct rdma_end a, b;
    unsigned i;

    for (i = 0; i < NUM_ACCESSES; i++) {
        open_with(&a, &b, RDMA_ALL, RDMA_ALL);
        if (accesses[i].kind == RDMA_write_imm) /* soft-RoCE needs it before it checks the key */
            CHECK_OK(rdma_submit(rdma_receive(&b, NULL, 1)));
        CHECK_OK(doca_mmap_stop(b.map));
        CHECK_RC(rdma_try(&a, access_of(&a, accesses[i].kind)), DOCA_ERROR_IO_FAILED);
        rdma_settle();
        check_nothing_arrived();
        rdma_close_both(&a, &b);
    }
}

/* The peer has unmapped its memory, against the rules, while it is exported. */
static void access_fails_when_the_memory_of_the_peer_is_unmapped(void)
{
    struct rdma_end a, b;
    unsigned i;

    for (i = 0; i < NUM_ACCESSES; i++) {
        unsigned char *pages = share_pages(BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE);

        fill();
        rdma_open(&a, memory[0], BYTES);
        rdma_open(&b, pages, BYTES);
        rdma_lend(&b, &a);
        rdma_join(&a, &b);
        CHECK_EQ(munmap(pages, BYTES), 0);
        CHECK_RC(rdma_try(&a, access_of(&a, accesses[i].kind)), DOCA_ERROR_IO_FAILED);
        rdma_close_both(&a, &b);
    }
}

static const struct test_case cases[] = {
    CASE(one_permission_of_instance_and_memory_is_enough, "421"),
    CASE(instance_without_the_permission_refuses, "421"),
    CASE(memory_without_the_permission_is_refused, "421"),
    CASE(refused_write_delivers_no_immediate_value, "421"),
    CASE(refusal_on_one_connection_leaves_the_others_alone, "421"),
    CASE(tasks_behind_a_refused_one_do_nothing, "421"),
    CASE(results_are_not_written_to_read_only_memory, ""),
    CASE(messages_are_not_received_into_read_only_memory, ""),
    CASE(read_only_memory_may_be_a_source, ""),
    CASE(accesses_longer_than_their_destination_are_refused, ""),
    CASE(atomic_tasks_need_eight_bytes_on_both_sides, "413"),
    CASE(unaligned_atomic_task_fails_or_is_right, "413"),
    CASE(task_with_one_buffer_moves_nothing, ""),
    CASE(list_longer_than_configured_is_refused, ""),
    CASE(access_fails_when_the_peer_has_stopped_its_memory, "420"),
    CASE_OF_SW(access_fails_when_the_memory_of_the_peer_is_unmapped, "420",
               "it does not pin the memory"),
};

TEST_MAIN(cases)

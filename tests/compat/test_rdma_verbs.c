/* DOCA RDMA on RDMA devices, where libibverbs connects queue pairs: what differs from the software
 * device, and tasks between two processes that use two functions of a card. The suites of the
 * software device run on RDMA devices, too. */
#include "rdma_traffic.h"

#include <poll.h>

enum { BYTES = 1 << 17, SLEEP_MS = 10000, LOST_MS = 15000 };

static _Alignas(4096) unsigned char memory[3][BYTES];

static void open_pair(struct rdma_end *a, struct rdma_end *b)
{
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 7);
    rdma_open(a, memory[0], BYTES);
    rdma_open(b, memory[1], BYTES);
    rdma_lend(b, a);
    rdma_join(a, b);
}

/* ---- two processes, two functions ---- */

static void open_on(struct rdma_end *e, uint32_t index, unsigned char *at)
{
    rdma_make_on(e, rig_open_nth_dev(index), at, BYTES, RDMA_ALL);
    rdma_start(e);
}

/* Answer each message with its bytes, changed. */
static void answer(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    const struct rdma_done *d = rdma_latest(e);
    unsigned i;

    (void)task;
    if (kind != RDMA_receive || !is_ok || d->opcode == DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM)
        return;
    for (i = 0; i < d->len; i++)
        e->memory[16384 + i] = e->memory[8192 + i] ^ 0x5a;
    CHECK_OK(rdma_submit(rdma_send_imm(e, rdma_buf(e, 16384, d->len), 77, 1)));
    rdma_post(e, 8192, 8192, 1);
}

static void serving_child(int fd, uint32_t unused)
{
    unsigned char byte;
    struct pollfd p = { fd, POLLIN, 0 };
    struct rdma_end e;

    (void)unused;
    rdma_forget_ends();
    share_fill(memory[1], BYTES, 7);
    open_on(&e, 1, memory[1]);
    e.on_done = answer;
    rdma_post(&e, 8192, 8192, 1);
    rdma_say_hello(&e, fd);
    rdma_hear_hello(&e, fd);
    RDMA_WAIT(rdma_turn(), poll(&p, 1, 0) == 1);
    receive_all(fd, &byte, 1);
    CHECK_EQ(e.num_failed, 0);
    send_all(fd, memory[1], BYTES);
    receive_all(fd, &byte, 1);
    rdma_close(&e);
}

static void exchange_messages(struct rdma_end *e)
{
    static const size_t lens[] = { 0, 1, 63, 64, 65, 1000, 4096, 8192 };
    unsigned i, k;

    for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        size_t len = lens[i];
        unsigned before = e->num_done;

        rdma_post(e, 32768, 8192, 1);
        CHECK_OK(rdma_submit(rdma_send(e, rdma_buf(e, 100, len), 2)));
        RDMA_UNTIL(e->num_done == before + 2);
        CHECK_EQ(e->num_failed, 0);
        for (k = 0; k < 2; k++)
            if (rdma_at(e, before + k)->kind == RDMA_receive) {
                CHECK_EQ(rdma_at(e, before + k)->len, len);
                CHECK_EQ(rdma_at(e, before + k)->imm, 77);
                CHECK_PTR(rdma_at(e, before + k)->from, e->conn);
            }
        for (k = 0; k < len; k++)
            CHECK_EQ(memory[0][32768 + k], memory[0][100 + k] ^ 0x5a);
    }
}

/* `want` is what the memory of the child contains afterwards. */
static void change_far_memory(struct rdma_end *e, unsigned char *want)
{
    uint64_t word;
    size_t i;

    for (i = 0; i < 50; i++) {
        size_t len = 1 + i * 331 % 30000, off = 40000 + i * 17;

        CHECK_OK(rdma_run(e, rdma_read(e, rdma_far_buf(e, off, len), rdma_room(e, 64, len), 0)));
        CHECK_EQ(rdma_latest(e)->len, len);
        CHECK_MEM(memory[0] + 64, want + off, len);
        memset(memory[0] + 64, (int)i, len);
        memset(want + off, (int)i, len);
        CHECK_OK(rdma_run(
            e, rdma_write(e, rdma_list(e, 64, len, len, 1, false), rdma_far_room(e, off, len), 0)));
    }
    CHECK_OK(rdma_run(
        e, rdma_write(e, rdma_list(e, 0, 100, 300, 4, false), rdma_far_room(e, 90000, 400), 0)));
    for (i = 0; i < 4; i++)
        memcpy(want + 90000 + 100 * i, memory[0] + 300 * i, 100);
    memcpy(&word, want + 100000, sizeof(word));
    CHECK_OK(rdma_run(e, rdma_add(e, rdma_far_buf(e, 100000, 8), rdma_room(e, 8, 8), 5, 0)));
    CHECK_EQ(rdma_word(e, 8), word);
    CHECK_OK(
        rdma_run(e, rdma_swap(e, rdma_far_buf(e, 100000, 8), rdma_room(e, 16, 8), word + 5, 1234)));
    CHECK_EQ(rdma_word(e, 16), word + 5);
    word = 1234;
    memcpy(want + 100000, &word, sizeof(word));
    CHECK_OK(
        rdma_run(e, rdma_write_imm(e, rdma_buf(e, 0, 50), rdma_far_room(e, 110000, 50), 9, 0)));
    memcpy(want + 110000, memory[0], 50);
}

static void processes_on_two_functions_exchange_messages_and_memory(void)
{
    static unsigned char far[BYTES], want[BYTES];
    struct peer peer = start_peer(serving_child, 0);
    struct rdma_end e;

    share_fill(want, BYTES, 7);
    share_fill(memory[0], BYTES, 1);
    open_on(&e, 0, memory[0]);
    rdma_say_hello(&e, peer.fd);
    rdma_hear_hello(&e, peer.fd);
    exchange_messages(&e);
    change_far_memory(&e, want);
    CHECK_EQ(e.num_failed, 0);
    send_all(peer.fd, "!", 1);
    receive_all(peer.fd, far, BYTES);
    CHECK_MEM(far + 40000, want + 40000, BYTES - 40000);
    send_all(peer.fd, "!", 1);
    end_peer(&peer);
    RDMA_UNTIL(e.num_disconnects == 1);
    rdma_close(&e);
}

static void waiting_child(int fd, uint32_t unused)
{
    struct rdma_end e;

    (void)unused;
    rdma_forget_ends();
    open_on(&e, 1, memory[1]);
    rdma_say_hello(&e, fd);
    rdma_hear_hello(&e, fd);
    send_all(fd, "!", 1);
    RDMA_WAIT(rdma_turn(), false);
}

static void tasks_to_a_killed_process_reset_the_connection(void)
{
    struct peer peer = start_peer(waiting_child, 0);
    uint64_t end;
    unsigned char byte;
    struct rdma_end e;
    unsigned i;

    open_on(&e, 0, memory[0]);
    rdma_say_hello(&e, peer.fd);
    rdma_hear_hello(&e, peer.fd);
    receive_all(peer.fd, &byte, 1);
    kill_peer(&peer);
    for (i = 0; i < 3; i++)
        CHECK_OK(rdma_submit(rdma_write(&e, rdma_buf(&e, 0, 100), rdma_far_room(&e, 0, 100), i)));
    end = rdma_now_ms() + LOST_MS;
    while (e.num_done < 3 || e.num_disconnects < 1) {
        if (!rdma_turn())
            usleep(1000);
        CHECK(rdma_now_ms() < end);
    }
    for (i = 0; i < 3; i++)
        RDMA_CHECK_DONE(&e, i, RDMA_write, i, DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(rdma_run(&e, rdma_send(&e, NULL, 4)), DOCA_ERROR_CONNECTION_ABORTED);
    rdma_settle();
    CHECK_EQ(e.num_disconnects, 1);
    rdma_close(&e);
}

/* ---- the ends of connections ---- */

static void failed_task_breaks_the_connection_of_both_sides(void)
{
    static const uint32_t rights[] = { DOCA_ACCESS_FLAG_RDMA_WRITE, DOCA_ACCESS_FLAG_RDMA_READ };
    struct rdma_end a, b;
    unsigned i;

    for (i = 0; i < 2; i++) {
        rdma_open(&a, memory[0], BYTES);
        rdma_make(&b, memory[1], BYTES);
        CHECK_OK(doca_rdma_set_permissions(b.rdma, rights[i]));
        rdma_start(&b);
        rdma_lend(&b, &a);
        rdma_join(&a, &b);
        CHECK_RC(rdma_run(&a, i == 0
                                  ? rdma_read(&a, rdma_far_buf(&a, 0, 8), rdma_room(&a, 0, 8), 1)
                                  : rdma_write(&a, rdma_buf(&a, 0, 8), rdma_far_room(&a, 0, 8), 1)),
                 DOCA_ERROR_IO_FAILED);
        RDMA_UNTIL(a.num_disconnects == 1);
        CHECK_PTR(a.lost[0], a.conn);
        CHECK_RC(rdma_run(&a, rdma_send(&a, NULL, 2)), DOCA_ERROR_CONNECTION_ABORTED);
        RDMA_UNTIL(b.num_disconnects == 1);
        CHECK_RC(rdma_run(&b, rdma_send(&b, NULL, 3)), DOCA_ERROR_CONNECTION_ABORTED);
        rdma_settle();
        CHECK_EQ(a.num_disconnects + b.num_disconnects, 2);
        rdma_close_both(&a, &b);
    }
}

static void end_of_one_connection_leaves_the_others_alone(void)
{
    struct rdma_end hub, ends[3];
    struct doca_rdma_connection *conns[3];
    unsigned i, round;

    rdma_make(&hub, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, 3));
    rdma_start(&hub);
    for (i = 0; i < 3; i++) {
        rdma_open(&ends[i], memory[1] + 32768 * (size_t)i, 32768);
        rdma_join(&hub, &ends[i]);
        conns[i] = hub.conn;
    }
    for (round = 0; round < 4; round++) {
        CHECK_OK(doca_rdma_connection_disconnect(conns[0]));
        RDMA_UNTIL(hub.num_disconnects == round + 1);
        for (i = 1; i < 3; i++) {
            hub.conn = conns[i];
            rdma_deliver(&hub, &ends[i], 0, 0, 500);
            rdma_deliver(&ends[i], &hub, 0, 1000, 500);
        }
        CHECK_OK(doca_rdma_connection_disconnect(ends[0].conn));
        rdma_settle();
        rdma_join(&hub, &ends[0]); /* reuses the entries of the lost connection */
        conns[0] = hub.conn;
        rdma_deliver(&ends[0], &hub, 0, 1000, 500);
    }
    rdma_stop(&hub);
    for (i = 0; i < 3; i++)
        rdma_close(&ends[i]);
    rdma_destroy(&hub);
}

static void stop_flushes_tasks_and_a_restart_connects_again(void)
{
    struct rdma_end a, b;
    unsigned i, round, before;

    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    for (round = 0; round < 3; round++) {
        rdma_join(&a, &b);
        rdma_deliver(&a, &b, 0, 0, 100);
        before = a.num_done;
        for (i = 0; i < 10; i++)
            CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 10), i))); /* no receives wait */
        rdma_post(&a, 0, 100, 10);
        rdma_stop(&a);
        CHECK_EQ(a.num_done, before + 11);
        for (i = 0; i < 11; i++)
            CHECK_RC(rdma_at(&a, before + i)->status, DOCA_ERROR_SHUTDOWN);
        rdma_stop(&b);
        rdma_start(&a);
        rdma_start(&b);
    }
    CHECK_EQ(a.num_disconnects, 0);
    CHECK_EQ(b.num_disconnects, 3);
    rdma_close_both(&a, &b);
}

/* Tasks that the device has executed before the stop succeed; the other tasks are flushed. */
static void stop_in_a_callback_ends_every_task_once(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < 5; i++)
        rdma_post(&b, 1000 * i, 1000, i);
    for (i = 0; i < 10; i++)
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 500), i)));
    RDMA_UNTIL(a.num_ok == 1);
    rdma_stop(&a);
    CHECK_EQ(a.num_done, 10);
    CHECK(a.num_ok <= 5);
    for (i = a.num_ok; i < 10; i++)
        CHECK_RC(a.done[i].status, DOCA_ERROR_SHUTDOWN);
    RDMA_UNTIL(b.num_ok == 5);
    rdma_close_both(&a, &b);
}

/* ---- a program that sleeps ---- */

static void sleep_until(struct rdma_end *sleeper, struct rdma_end *other, unsigned want)
{
    doca_notification_handle_t handle = -1;
    uint64_t end = rdma_now_ms() + SLEEP_MS;
    struct pollfd p = { -1, POLLIN, 0 };

    CHECK_OK(doca_pe_get_notification_handle(sleeper->pe, &handle));
    p.fd = handle;
    for (;;) {
        while (rdma_progress(sleeper))
            continue;
        if (sleeper->num_done == want)
            return;
        CHECK_OK(doca_pe_request_notification(sleeper->pe));
        while (poll(&p, 1, 1) != 1) {
            (void)rdma_progress(other);
            CHECK(rdma_now_ms() < end);
        }
        CHECK_OK(doca_pe_clear_notification(sleeper->pe, handle));
    }
}

static void sleeping_program_wakes_for_completions(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < 20; i++) {
        rdma_post(&b, 0, 1000, i);
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 1000), i)));
        sleep_until(&b, &a, i + 1);
        RDMA_UNTIL(a.num_done == b.num_done);
    }
    for (i = 0; i < 20; i++) { /* the sender sleeps until the receiver is ready */
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 1000), i)));
        rdma_settle();
        rdma_post(&b, 0, 1000, i);
        sleep_until(&a, &b, 20 + i + 1);
    }
    rdma_close_both(&a, &b);
}

/* ---- what the devices do not support ---- */

static void connections_by_address_are_not_supported(void)
{
    union doca_data none = { .u64 = 0 };
    struct doca_rdma_addr *addr = NULL;
    struct rdma_end e;

    rdma_open(&e, memory[0], BYTES);
    CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 4321, &addr));
    CHECK_RC(doca_rdma_start_listen_to_port(e.rdma, 4321), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_RDMA_BY_EXPORT);
    CHECK_RC(doca_rdma_connect_to_addr(e.rdma, addr, none), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_RDMA_BY_EXPORT);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close(&e);
}

/* An export of another card has no key of this device: RDMA reaches it, a copy is refused. The
 * descriptor is changed so that it looks like one of another card. */
static void memory_of_another_card_is_for_rdma_only(void)
{
    struct doca_priv_mmap_desc other;
    struct rdma_end a, b;
    const void *desc = NULL;
    size_t len = 0;
    struct rig r;

    share_fill(memory[1], BYTES, 7);
    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    CHECK_OK(doca_mmap_export_rdma(b.map, b.dev, &desc, &len));
    CHECK_EQ(len, sizeof(other));
    memcpy(&other, desc, sizeof(other));
    other.blob[0] ^= 1; /* of the number of the card */
    share_seal(&other);
    rdma_import(&a, &other, len, memory[1]);
    rdma_join(&a, &b);
    CHECK_OK(rdma_run(&a, rdma_read(&a, rdma_far_buf(&a, 5, 100), rdma_room(&a, 0, 100), 1)));
    CHECK_MEM(memory[0], memory[1] + 5, 100);
    CHECK_OK(rdma_run(&a, rdma_write(&a, rdma_buf(&a, 0, 100), rdma_far_room(&a, 500, 100), 1)));
    CHECK_MEM(memory[1] + 500, memory[0], 100);
    share_rig_open(&r, 1);
    {
        struct doca_buf *src = share_src(&r, a.far_map, memory[1], 64);
        struct doca_buf *dst = rig_dst(&r, 0, 64);
        struct doca_dma_task_memcpy *task = rig_task(r.dma, src, dst);

        CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)),
                 DOCA_ERROR_NOT_PERMITTED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_RDMA_ONLY);
        doca_task_free(doca_dma_task_memcpy_as_task(task));
        share_drop(src, dst);
    }
    rig_close(&r);
    rdma_close_both(&a, &b);
}

static void damaged_details_do_not_connect(void)
{
    struct rdma_blob of_a, of_b;
    struct rdma_end a, b;

    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    of_b.bytes[60] ^= 1;
    CHECK_RC(rdma_try_connect(&a, &of_b, a.conn), DOCA_ERROR_CONNECTION_ABORTED);
    of_b.bytes[60] ^= 1;
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    rdma_deliver(&a, &b, 0, 0, 100);
    rdma_close_both(&a, &b);
}

static void instance_of_25_runs_when_it_has_connected(void)
{
    struct doca_rdma *rdma[2];
    struct doca_ctx *ctx[2];
    const void *details[2];
    struct doca_pe *pe;
    size_t len[2];
    struct doca_dev *dev = rig_open_dev(NULL);
    unsigned i;

    CHECK_OK(doca_pe_create(&pe));
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_core_rdma_25_create(dev, &rdma[i]));
        ctx[i] = doca_rdma_as_ctx(rdma[i]);
        CHECK_OK(doca_pe_connect_ctx(pe, ctx[i]));
        CHECK_RC(doca_ctx_start(ctx[i]), DOCA_ERROR_IN_PROGRESS);
        CHECK_OK(doca_core_rdma_25_export(rdma[i], &details[i], &len[i]));
    }
    for (i = 0; i < 2; i++) {
        (void)doca_pe_progress(pe);
        CHECK_EQ(rig_state(ctx[i]), DOCA_CTX_STATE_STARTING);
        CHECK_OK(doca_core_rdma_25_connect(rdma[i], details[1 - i], len[1 - i]));
        while (doca_pe_progress(pe) != 0)
            continue;
        CHECK_EQ(rig_state(ctx[i]), DOCA_CTX_STATE_RUNNING);
    }
    for (i = 0; i < 2; i++) {
        CHECK_RC(doca_ctx_stop(ctx[i]), DOCA_ERROR_IN_PROGRESS);
        while (rig_state(ctx[i]) != DOCA_CTX_STATE_IDLE)
            (void)doca_pe_progress(pe);
        CHECK_OK(doca_rdma_destroy(rdma[i]));
    }
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(processes_on_two_functions_exchange_messages_and_memory, ""),
    CASE(tasks_to_a_killed_process_reset_the_connection, ""),
    CASE(failed_task_breaks_the_connection_of_both_sides, ""),
    CASE(end_of_one_connection_leaves_the_others_alone, ""),
    CASE(stop_flushes_tasks_and_a_restart_connects_again, ""),
    CASE(stop_in_a_callback_ends_every_task_once, ""),
    CASE(sleeping_program_wakes_for_completions, ""),
    CASE(connections_by_address_are_not_supported, ""),
    CASE_OF_CARD(memory_of_another_card_is_for_rdma_only, "", "a key for each function of it"),
    CASE(damaged_details_do_not_connect, ""),
    CASE(instance_of_25_runs_when_it_has_connected, ""),
};

TEST_MAIN(cases)

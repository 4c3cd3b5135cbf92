/* DOCA RDMA on RDMA devices: how a side learns that its peer has ended. The implementation under
 * test sends a probe every 500 ms (rdma_impl_mlx5.c). */
#include "rdma_traffic.h"

#include <poll.h>

enum { BYTES = 1 << 16, LOST_MS = 15000, LATE_MS = 6500 };

static _Alignas(4096) unsigned char memory[3][BYTES];

static void open_pair(struct rdma_end *a, struct rdma_end *b)
{
    rdma_open(a, memory[0], BYTES);
    rdma_open(b, memory[1], BYTES);
    rdma_join(a, b);
}

static void progress_for(struct rdma_end *e, unsigned num_calls)
{
    while (num_calls-- > 0)
        (void)rdma_progress(e);
}

/* Give the device time to execute the posted requests, without progress of either side. */
static void let_device_work(void)
{
    usleep(20000);
}

/* Neither side submits a task, so only the peer's notice can report the end. */
static void disconnect_is_heard_by_an_idle_peer(void)
{
    struct rdma_end a, b;

    open_pair(&a, &b);
    rdma_settle();
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    let_device_work();
    progress_for(&b, 20); /* poll looks for the notice in every 16th call */
    CHECK_EQ(b.num_disconnects, 1);
    CHECK_PTR(b.lost[0], b.conn);
    CHECK_EQ(a.num_disconnects, 0); /* no progress was made on `a` */
    rdma_settle();
    CHECK_EQ(a.num_disconnects + b.num_disconnects, 2);
    CHECK_RC(rdma_try(&b, rdma_send(&b, NULL, 1)), DOCA_ERROR_CONNECTION_ABORTED);
    rdma_close_both(&a, &b);
}

static void stop_is_heard_by_a_peer_that_only_receives(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < 3; i++)
        rdma_post(&b, 1000 * i, 1000, i);
    rdma_settle();
    rdma_stop(&a);
    RDMA_UNTIL(b.num_disconnects == 1);
    rdma_settle();
    CHECK_EQ(b.num_done, 0); /* the receive tasks wait for other connections */
    rdma_start(&a);
    rdma_join(&a, &b);
    rdma_post(&b, 8000, 100, 3);
    for (i = 0; i < 4; i++)
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 10), i)));
    RDMA_UNTIL(b.num_ok == 4 && a.num_ok == 4);
    CHECK_EQ(a.num_failed + b.num_failed, 0);
    CHECK_EQ(a.num_disconnects, 0);
    CHECK_EQ(b.num_disconnects, 1);
    rdma_close_both(&a, &b);
}

/* Messages that the peer has sent before it ends are received, and the disconnection callback comes
 * after them. */
static void check_order(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)c;
    CHECK_EQ(e->num_ok, 5);
}

static void messages_before_the_end_arrive_first(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    b.on_disconnect = check_order;
    for (i = 0; i < 5; i++)
        rdma_post(&b, 1000 * i, 1000, i);
    for (i = 0; i < 5; i++)
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 500), i)));
    RDMA_WAIT(rdma_progress(&a), a.num_ok == 5);
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    let_device_work();
    RDMA_UNTIL(b.num_disconnects == 1);
    CHECK_EQ(b.num_ok, 5);
    rdma_close_both(&a, &b);
}

/* Completions that wait in the queue of the device do not delay an event of the connection. */
static void established_callback_comes_before_completions(void)
{
    struct rdma_end a, b;
    unsigned i;

    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    rdma_settle(); /* the states of the contexts are reported */
    rdma_join(&a, &b);
    for (i = 0; i < 4; i++)
        rdma_post(&b, 1000 * i, 1000, i);
    for (i = 0; i < 4; i++)
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 500), i)));
    let_device_work();
    CHECK(rdma_progress(&a));
    CHECK_EQ(a.num_established, 1);
    CHECK_EQ(a.num_done, 0);
    RDMA_UNTIL(a.num_ok == 4 && b.num_ok == 4);
    rdma_close_both(&a, &b);
}

static void tasks_in_flight_fail_when_the_peer_disconnects(void)
{
    struct rdma_end a, b;
    uint64_t begin;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < 3; i++)
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 10), i))); /* no receive waits */
    rdma_settle();
    begin = rdma_now_ms();
    CHECK_OK(doca_rdma_connection_disconnect(b.conn));
    RDMA_UNTIL(a.num_done == 3 && a.num_disconnects == 1);
    CHECK(rdma_now_ms() - begin < 3000); /* before the device gives up */
    for (i = 0; i < 3; i++)
        RDMA_CHECK_DONE(&a, i, RDMA_send, i, DOCA_ERROR_CONNECTION_RESET);
    rdma_close_both(&a, &b);
}

static void both_sides_may_disconnect_at_once(void)
{
    struct rdma_end a, b;
    unsigned round;

    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    for (round = 1; round <= 5; round++) {
        rdma_join(&a, &b);
        if (round % 2 == 0)
            rdma_deliver(&a, &b, 0, 0, 100);
        CHECK_OK(doca_rdma_connection_disconnect(a.conn));
        CHECK_OK(doca_rdma_connection_disconnect(b.conn));
        rdma_settle();
        CHECK_EQ(a.num_disconnects, round);
        CHECK_EQ(b.num_disconnects, round);
    }
    rdma_close_both(&a, &b);
}

/* The notice needs no right on the peer's memory, and gives none. */
static void notice_needs_no_permission_and_gives_none(void)
{
    struct rdma_end a, b;

    rdma_make(&a, memory[0], BYTES);
    rdma_make(&b, memory[1], BYTES);
    CHECK_OK(doca_rdma_set_permissions(a.rdma, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CHECK_OK(doca_rdma_set_permissions(b.rdma, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    rdma_start(&a);
    rdma_start(&b);
    rdma_join(&a, &b);
    rdma_settle();
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    RDMA_UNTIL(b.num_disconnects == 1);
    rdma_settle();
    rdma_lend(&b, &a);
    rdma_join(&a, &b);
    CHECK_RC(rdma_run(&a, rdma_write(&a, rdma_buf(&a, 0, 8), rdma_far_room(&a, 0, 8), 1)),
             DOCA_ERROR_IO_FAILED);
    RDMA_UNTIL(a.num_disconnects == 2 && b.num_disconnects == 2);
    rdma_close_both(&a, &b);
}

/* A side that has connected waits for its peer, however long the peer takes. */
static void peer_that_connects_late_is_not_lost(void)
{
    struct rdma_blob of_a, of_b;
    struct rdma_end a, b;
    uint64_t end;

    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    for (end = rdma_now_ms() + LATE_MS; rdma_now_ms() < end; usleep(1000))
        (void)rdma_turn();
    CHECK_EQ(a.num_disconnects, 0);
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    rdma_deliver(&a, &b, 0, 0, 100);
    rdma_deliver(&b, &a, 0, 0, 100);
    CHECK_OK(doca_rdma_connection_disconnect(b.conn));
    RDMA_UNTIL(a.num_disconnects == 1);
    rdma_close_both(&a, &b);
}

/* ---- killed processes ---- */

/* Exchange the details of a connection with another process, and connect. */
static void connect_through(struct rdma_end *e, int fd)
{
    struct rdma_blob mine, other;

    rdma_export(e, &mine);
    send_all(fd, &mine, sizeof(mine));
    receive_all(fd, &other, sizeof(other));
    CHECK_OK(rdma_try_connect(e, &other, e->conn));
}

static void waiting_child(int fd, uint32_t unused)
{
    struct rdma_end e;

    (void)unused;
    rdma_forget_ends();
    rdma_make_on(&e, rig_open_nth_dev(1), memory[1], BYTES, RDMA_ALL);
    rdma_start(&e);
    connect_through(&e, fd);
    send_all(fd, "!", 1);
    RDMA_WAIT(rdma_turn(), false);
}

static struct peer connect_child(struct rdma_end *e)
{
    struct peer peer = start_peer(waiting_child, 0);
    unsigned char byte;

    rdma_make_on(e, rig_open_nth_dev(0), memory[0], BYTES, RDMA_ALL);
    rdma_start(e);
    connect_through(e, peer.fd);
    receive_all(peer.fd, &byte, 1);
    return peer;
}

/* Let the connection be idle for longer than the first probe and its repetition take. */
static void let_probes_be_answered(const struct rdma_end *e)
{
    uint64_t end;

    for (end = rdma_now_ms() + 2000; rdma_now_ms() < end; usleep(500))
        (void)rdma_turn();
    CHECK_EQ(e->num_disconnects, 0);
}

static void killed_peer_is_noticed_without_a_task(void)
{
    struct rdma_end e;
    struct peer peer = connect_child(&e);
    uint64_t end;

    let_probes_be_answered(&e);
    rdma_post(&e, 0, 100, 1);
    kill_peer(&peer);
    for (end = rdma_now_ms() + LOST_MS; e.num_disconnects == 0; usleep(500)) {
        (void)rdma_turn();
        CHECK(rdma_now_ms() < end);
    }
    CHECK_PTR(e.lost[0], e.conn);
    CHECK_EQ(e.num_done, 0);
    rdma_settle();
    CHECK_EQ(e.num_disconnects, 1);
    rdma_close(&e);
}

/* ---- a program that sleeps ---- */

/* Sleep on the notification handle until the end has lost its peer. Returns how often the program
 * was woken. */
static unsigned sleep_until_lost(struct rdma_end *e, uint64_t ms)
{
    doca_notification_handle_t handle = -1;
    uint64_t end = rdma_now_ms() + ms;
    struct pollfd p = { -1, POLLIN, 0 };
    unsigned num = 0;

    CHECK_OK(doca_pe_get_notification_handle(e->pe, &handle));
    p.fd = handle;
    for (;;) {
        while (rdma_progress(e))
            continue;
        if (e->num_disconnects > 0)
            return num;
        CHECK(rdma_now_ms() < end);
        CHECK_OK(doca_pe_request_notification(e->pe));
        num += (unsigned)(poll(&p, 1, (int)ms) == 1);
        CHECK_OK(doca_pe_clear_notification(e->pe, handle));
    }
}

static void sleeping_program_wakes_for_the_end_of_its_peer(void)
{
    struct rdma_end a, b;
    unsigned how;

    for (how = 0; how < 2; how++) {
        open_pair(&a, &b);
        rdma_settle();
        if (how == 0)
            CHECK_OK(doca_rdma_connection_disconnect(a.conn));
        else
            rdma_stop(&a);
        (void)sleep_until_lost(&b, LOST_MS);
        CHECK_EQ(b.num_disconnects, 1);
        rdma_close_both(&a, &b);
    }
}

static void sleeping_program_notices_a_killed_peer(void)
{
    struct rdma_end e;
    struct peer peer = connect_child(&e);
    unsigned num;

    let_probes_be_answered(&e);
    kill_peer(&peer);
    num = sleep_until_lost(&e, LOST_MS);
    CHECK(num >= 1 && num <= 30); /* for the timer of the probes, and the end */
    rdma_close(&e);
}

/* A stop does not wait for the device of a peer whose process has ended: it takes a few calls of
 * progress. (A stop that waits for its time limit takes more calls, on a machine of any speed.) */
static void stop_does_not_wait_for_a_killed_peer(void)
{
    struct rdma_end e;
    struct peer peer = connect_child(&e);
    unsigned num;

    kill_peer(&peer);
    (void)doca_ctx_stop(e.ctx);
    for (num = 0; !rdma_is(&e, DOCA_CTX_STATE_IDLE); num++) {
        (void)rdma_progress(&e);
        CHECK(num < 10);
    }
    CHECK_EQ(e.num_disconnects, 0);
    rdma_close(&e);
}

/* A peer that runs, and whose device does not answer: it has not connected its side. The stop gives
 * it the documented time. */
static void stop_waits_for_a_slow_peer(void)
{
    struct rdma_end a, b;
    struct rdma_blob of_a, of_b;
    uint64_t begin;

    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    RDMA_UNTIL(a.num_established == 1);
    begin = rdma_now_ms();
    rdma_stop(&a);
    CHECK(rdma_now_ms() - begin >= 900);
    rdma_close_both(&a, &b);
}

/* A stop does not end while a task is allocated. The goodbye to a peer that does not answer then
 * must not wake a sleeping program without pause. */
static void program_sleeps_while_a_stop_waits_for_a_task(void)
{
    struct rdma_end a, b;
    struct rdma_blob of_a, of_b;
    struct doca_rdma_task_receive *task = NULL;
    doca_notification_handle_t handle = -1;
    struct pollfd p = { -1, POLLIN, 0 };
    unsigned num = 0;
    uint64_t end;

    rdma_open(&a, memory[0], BYTES);
    rdma_open(&b, memory[1], BYTES);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    RDMA_UNTIL(a.num_established == 1);
    CHECK_OK(doca_rdma_task_receive_allocate_init(a.rdma, NULL, (union doca_data){ .u64 = 0 },
                                                  &task));
    CHECK_RC(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_OK(doca_pe_get_notification_handle(a.pe, &handle));
    p.fd = handle;
    for (end = rdma_now_ms() + 300; rdma_now_ms() < end; num++) {
        while (rdma_progress(&a))
            continue;
        CHECK_OK(doca_pe_request_notification(a.pe));
        (void)poll(&p, 1, 300);
        CHECK_OK(doca_pe_clear_notification(a.pe, handle));
    }
    CHECK(num <= 50); /* the kernel is asked for the peer every 20 ms */
    doca_task_free(doca_rdma_task_receive_as_task(task));
    rdma_stop(&a);
    rdma_close_both(&a, &b);
}

static const struct test_case cases[] = {
    CASE(disconnect_is_heard_by_an_idle_peer, "401"),
    CASE(stop_is_heard_by_a_peer_that_only_receives, "391 400"),
    CASE(messages_before_the_end_arrive_first, "391"),
    CASE(established_callback_comes_before_completions, "400"),
    CASE(tasks_in_flight_fail_when_the_peer_disconnects, "401"),
    CASE(both_sides_may_disconnect_at_once, "401"),
    CASE(notice_needs_no_permission_and_gives_none, "421"),
    CASE(peer_that_connects_late_is_not_lost, "396"),
    CASE(killed_peer_is_noticed_without_a_task, "391"),
    CASE(sleeping_program_wakes_for_the_end_of_its_peer, ""),
    CASE(sleeping_program_notices_a_killed_peer, ""),
    CASE(stop_does_not_wait_for_a_killed_peer, ""),
    CASE(stop_waits_for_a_slow_peer, ""),
    CASE(program_sleeps_while_a_stop_waits_for_a_task, ""),
};

TEST_MAIN(cases)

/* DOCA RDMA between processes: messages, memory of another process, atomic additions of several
 * processes, orderly stops while both sides send, and processes that are killed at random moments.
 *
 * Children are forked before the parent opens its end, so that they inherit no descriptor of it.
 * Every child ends at the latest with this program, and every wait has a time limit.
 * DOCA_TEST_KILLS=number sets how many processes are killed in each of the four cases about kills.
 */
#include "rdma_traffic.h"

enum {
    BYTES = 1 << 17,
    REQUESTS = 1000,
    MESSAGES = 5000,
    KILLS = 25,  /* in each of four cases */
    KILLED = 10, /* before this side connects */
    STOPS = 40,
    POOL = 20, /* children that wait until it is their turn */
    CHILDREN = 4,
    ADDS = 2000,
    SWAPS = 500,
    SIGN_MS = 5000 /* until the end of the other process must be noticed */
};

/* flags that say what a child does */
enum { IS_QUIET = 1, PEER_IS_QUIET = 2, IS_LATE = 4, NUMBER_AT = 8 /* bit of its number */ };

static struct rdma_traffic traffic;       /* of this process, parent or child */
static struct rdma_counters *counters[2]; /* of the parent, and of the child */
static struct peer pool[POOL];
static _Alignas(4096) unsigned char memory[RDMA_TRAFFIC_BYTES];
static _Alignas(4096) unsigned char results[BYTES];

static uint64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void share_counters(void)
{
    rdma_begin();
    counters[0] = rdma_share_counters();
    counters[1] = rdma_share_counters();
}

static void forget_counters(void)
{
    CHECK_EQ(munmap((void *)counters[0], 4096), 0);
    CHECK_EQ(munmap((void *)counters[1], 4096), 0);
}

static void clear_counters(void)
{
    memset((void *)counters[0], 0, sizeof(*counters[0]));
    memset((void *)counters[1], 0, sizeof(*counters[1]));
}

static void become_child(void)
{
    rdma_forget_ends();
    heap_trap_set(HEAP_TRAP_ABORT);
}

/* ---- requests and answers ---- */

/* Answer each message with its bytes, changed. */
static void answer(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    const struct rdma_done *d = rdma_latest(e);
    size_t i, slot = d->number % 8;

    (void)task;
    if (kind != RDMA_receive || !is_ok)
        return;
    for (i = 0; i < d->len; i++)
        e->memory[(8 + slot) * 4096 + i] = e->memory[slot * 4096 + i] ^ 0x5a;
    CHECK_OK(rdma_submit(rdma_send(e, rdma_buf(e, (8 + slot) * 4096, d->len), slot)));
    rdma_post(e, slot * 4096, 4096, slot);
}

static void answering_child(int fd, uint32_t unused)
{
    struct rdma_end e;
    unsigned i;

    (void)unused;
    become_child();
    rdma_open(&e, memory, BYTES);
    e.on_done = answer;
    for (i = 0; i < 8; i++)
        rdma_post(&e, i * 4096, 4096, i);
    rdma_say_hello(&e, fd);
    rdma_hear_hello(&e, fd);
    RDMA_WAIT(rdma_turn(), has_byte(fd));
    rdma_close(&e);
}

static void thousand_requests_are_answered(void)
{
    struct rdma_end e;
    struct peer peer = start_peer(answering_child, 0);
    unsigned i, k;

    rdma_open(&e, memory, BYTES);
    share_fill(memory, BYTES / 2, 5);
    rdma_say_hello(&e, peer.fd);
    rdma_hear_hello(&e, peer.fd);
    for (i = 0; i < REQUESTS; i++) {
        size_t len = i * 97 % 4097;

        rdma_post(&e, BYTES / 2, 4096, 1);
        CHECK_OK(rdma_submit(rdma_send(&e, rdma_buf(&e, i, len), 2)));
        RDMA_UNTIL(e.num_done == 2 * (i + 1));
        CHECK_EQ(e.num_failed, 0);
        for (k = 0; k < len; k++)
            CHECK_EQ(memory[BYTES / 2 + k], memory[i + k] ^ 0x5a);
    }
    rdma_close(&e);
    end_peer(&peer);
}

/* ---- memory ---- */

/* Lend memory, connect, and make no progress until the parent has finished. */
static void lending_child(int fd, uint32_t unused)
{
    struct rdma_end e;

    (void)unused;
    become_child();
    rdma_open(&e, memory, BYTES);
    share_fill(memory, BYTES, 9);
    rdma_say_hello(&e, fd);
    rdma_hear_hello(&e, fd);
    send_byte(fd);
    wait_for_byte(fd);
    send_all(fd, memory, BYTES);
    wait_for_byte(fd);
    CHECK_EQ(e.num_callbacks, 0);
    rdma_close(&e);
}

/* The peer makes no progress: it waits in a read of a socket, or is suspended as in a debugger. */
static void memory_of_another_process_is_read_and_written(void)
{
    static unsigned char far[BYTES], want[BYTES];
    struct rdma_end e;
    struct peer peer = start_peer(lending_child, 0);
    uint64_t word;
    size_t i;

    share_fill(want, BYTES, 9);
    rdma_open(&e, results, BYTES);
    rdma_say_hello(&e, peer.fd);
    rdma_hear_hello(&e, peer.fd);
    wait_for_byte(peer.fd);
    CHECK_EQ(kill(peer.pid, SIGSTOP), 0);
    for (i = 0; i < 200; i++) {
        size_t len = 1 + i * 331 % 60000, off = i * 17;

        if (i == 100)
            CHECK_EQ(kill(peer.pid, SIGCONT), 0);
        CHECK_OK(
            rdma_run(&e, rdma_read(&e, rdma_far_buf(&e, off, len), rdma_room(&e, 64, len), 0)));
        CHECK_MEM(results + 64, want + off, len);
        memset(want + off, (int)i, len);
        memset(results + 64, (int)i, len);
        CHECK_OK(
            rdma_run(&e, rdma_write(&e, rdma_buf(&e, 64, len), rdma_far_room(&e, off, len), 0)));
        CHECK_OK(
            rdma_run(&e, rdma_add(&e, rdma_far_buf(&e, BYTES - 8, 8), rdma_room(&e, 8, 8), 1, 0)));
    }
    send_byte(peer.fd);
    receive_all(peer.fd, far, BYTES);
    CHECK_MEM(far, want, BYTES - 8);
    memcpy(&word, far + BYTES - 8, sizeof(word));
    CHECK_EQ(rdma_word(&e, 8) + 1, word);
    send_byte(peer.fd);
    RDMA_UNTIL(e.num_disconnects == 1);
    rdma_close(&e);
    end_peer(&peer);
}

/* ---- atomic tasks of several processes ---- */

static uint64_t swap_once(struct rdma_end *e, uint64_t compare, uint64_t swap)
{
    CHECK_OK(
        rdma_run(e, rdma_swap(e, rdma_far_buf(e, 64, 8), rdma_room(e, 512, 8), compare, swap)));
    return rdma_word(e, 512);
}

/* Add 1 to the first word of the peer ADDS times, with 16 tasks in flight, and to another word
 * SWAPS times by compare-and-swap. */
static void add_to_both_words(struct rdma_end *e)
{
    unsigned i, done = 0, submitted = 0;
    uint64_t was, seen;

    e->num_done = 0;
    while (done < ADDS) {
        for (; submitted < ADDS && submitted < done + 16; submitted++)
            CHECK_OK(rdma_submit(rdma_add(e, rdma_far_buf(e, 0, 8),
                                          rdma_room(e, 8 * (size_t)(submitted % 16), 8), 1, 0)));
        RDMA_UNTIL(e->num_done > done);
        done = e->num_done;
    }
    for (i = 0, seen = 0; i < SWAPS; i++)
        while ((was = swap_once(e, seen, seen + 1)) != seen)
            seen = was;
    CHECK_EQ(e->num_failed, 0);
}

static void adding_child(int fd, uint32_t unused)
{
    struct rdma_end e;

    (void)unused;
    become_child();
    rdma_open(&e, results, BYTES);
    rdma_say_hello(&e, fd);
    rdma_hear_hello(&e, fd);
    wait_for_byte(fd);
    add_to_both_words(&e);
    send_byte(fd);
    wait_for_byte(fd);
    rdma_close(&e);
}

/* The process that owns the words adds to them, too, by a second instance. */
static void atomic_tasks_of_several_processes_sum_up(void)
{
    const uint64_t *words = (const uint64_t *)(const void *)memory;
    struct peer peers[CHILDREN];
    struct rdma_end hub, own;
    unsigned i;

    for (i = 0; i < CHILDREN; i++)
        peers[i] = start_peer(adding_child, i);
    memset(memory, 0, BYTES);
    rdma_make(&hub, memory, BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, CHILDREN + 1));
    rdma_start(&hub);
    for (i = 0; i < CHILDREN; i++) {
        rdma_say_hello(&hub, peers[i].fd);
        rdma_hear_hello(&hub, peers[i].fd);
        rdma_forget_peer(&hub);
    }
    rdma_open(&own, results, BYTES);
    rdma_lend(&hub, &own);
    rdma_join(&hub, &own);
    RDMA_UNTIL(hub.num_established == CHILDREN + 1);
    for (i = 0; i < CHILDREN; i++)
        send_byte(peers[i].fd);
    add_to_both_words(&own);
    for (i = 0; i < CHILDREN; i++) {
        RDMA_WAIT(rdma_turn(), has_byte(peers[i].fd));
        wait_for_byte(peers[i].fd);
    }
    CHECK_EQ(words[0], (CHILDREN + 1) * ADDS);
    CHECK_EQ(words[8], (CHILDREN + 1) * SWAPS);
    for (i = 0; i < CHILDREN; i++)
        send_byte(peers[i].fd);
    RDMA_UNTIL(hub.num_disconnects == CHILDREN);
    for (i = 0; i < CHILDREN; i++)
        end_peer(&peers[i]);
    rdma_close_both(&own, &hub);
}

/* ---- traffic ---- */

/* Each message that was reported as sent has completed a receive. */
static void check_counters(const struct rdma_counters *from, const struct rdma_counters *to)
{
    if (to->received < from->sent)
        test_fail(__FILE__, __LINE__, "%llu messages are reported as sent, %llu have arrived",
                  (unsigned long long)from->sent, (unsigned long long)to->received);
}

/* Wait for the turn of this child. Then send and receive until the parent sends a byte or has left,
 * and stop in an orderly way. The parent sends three bytes in all. */
static void traffic_child(int fd, uint32_t how)
{
    become_child();
    wait_for_byte(fd);
    rdma_traffic_open(&traffic, memory, counters[1], (how & IS_QUIET) != 0);
    rdma_say_hello(&traffic.e, fd);
    if (how & IS_LATE)
        usleep((how >> NUMBER_AT) * 977 % 5000);
    rdma_hear_hello(&traffic.e, fd);
    while (!has_byte(fd) && traffic.e.num_disconnects + traffic.e.num_failures == 0)
        if (!rdma_traffic_step(&traffic))
            usleep(20);
    rdma_traffic_close(&traffic);
    wait_for_byte(fd);
    wait_for_byte(fd);
}

static uint32_t with_number(uint32_t how, unsigned number)
{
    return how | (uint32_t)number << NUMBER_AT;
}

/* Connect the open end of the parent to the next child. */
static void start_turn(struct peer *peer, uint32_t how)
{
    clear_counters();
    traffic.is_quiet = (how & PEER_IS_QUIET) != 0;
    send_byte(peer->fd);
    rdma_say_hello(&traffic.e, peer->fd);
    rdma_hear_hello(&traffic.e, peer->fd);
}

/* End a child that has stopped. */
static void end_turn(struct peer *peer)
{
    send_byte(peer->fd);
    end_peer(peer);
    check_counters(counters[0], counters[1]);
    check_counters(counters[1], counters[0]);
}

static bool has_sign(void)
{
    return traffic.e.num_disconnects + traffic.e.num_failures > 0;
}

static void wait_for_sign(void)
{
    uint64_t end = rdma_now_ms() + SIGN_MS;

    while (!has_sign()) {
        if (!rdma_traffic_step(&traffic))
            usleep(20);
        CHECK(rdma_now_ms() < end);
    }
}

static void run_for(uint64_t delay_us)
{
    uint64_t end = now_us() + delay_us;

    while (now_us() < end)
        if (!rdma_traffic_step(&traffic))
            usleep(20);
}

static bool all_is_there(void)
{
    return counters[0]->received >= MESSAGES && counters[1]->received >= MESSAGES &&
           counters[0]->rounds >= MESSAGES / 20 && counters[1]->rounds >= MESSAGES / 20;
}

static void traffic_of_both_sides_arrives_in_order(void)
{
    share_counters();
    pool[0] = start_peer(traffic_child, 0);
    rdma_traffic_open(&traffic, memory, counters[0], false);
    start_turn(&pool[0], 0);
    RDMA_WAIT(rdma_traffic_step(&traffic), has_sign() || all_is_there());
    CHECK(!has_sign());
    send_byte(pool[0].fd);
    wait_for_sign();
    rdma_traffic_reset(&traffic);
    end_turn(&pool[0]);
    rdma_traffic_close(&traffic);
    forget_counters();
}

/* Return the flags of child `number` in the cases with orderly stops. */
static uint32_t mixed(unsigned number)
{
    return with_number(number % 4 | (number % 8 < 4 ? IS_LATE : 0), number);
}

/* The child stops at a random moment, in which it may not even be connected. The parent goes on
 * with the same instance. */
static void orderly_stop_loses_nothing_that_was_sent(void)
{
    unsigned i, round;

    (void)rig_random(2); /* prints the seed */
    share_counters();
    for (round = 0; round < STOPS / POOL; round++) {
        for (i = 0; i < POOL; i++)
            pool[i] = start_peer(traffic_child, mixed(i));
        rdma_traffic_open(&traffic, memory, counters[0], false);
        for (i = 0; i < POOL; i++) {
            start_turn(&pool[i], mixed(i));
            run_for(rig_random(6000));
            CHECK(!has_sign());
            send_byte(pool[i].fd);
            wait_for_sign();
            rdma_traffic_reset(&traffic);
            rdma_settle();
            end_turn(&pool[i]);
        }
        rdma_traffic_close(&traffic);
    }
    forget_counters();
}

/* The parent stops at a random moment, and opens another instance for the next child. */
static void orderly_stop_of_the_other_side_loses_nothing_either(void)
{
    unsigned i, round;

    (void)rig_random(2);
    share_counters();
    for (round = 0; round < STOPS / POOL; round++) {
        for (i = 0; i < POOL; i++)
            pool[i] = start_peer(traffic_child, i % 4);
        for (i = 0; i < POOL; i++) {
            rdma_traffic_open(&traffic, memory, counters[0], false);
            start_turn(&pool[i], i % 4);
            RDMA_WAIT(rdma_traffic_step(&traffic), traffic.e.num_established == 1);
            run_for(rig_random(6000));
            CHECK(!has_sign());
            rdma_traffic_close(&traffic);
            send_byte(pool[i].fd);
            end_turn(&pool[i]);
        }
    }
    forget_counters();
}

/* ---- kills ---- */

static unsigned num_kills(void)
{
    const char *wanted = getenv("DOCA_TEST_KILLS");

    return wanted != NULL ? (unsigned)atoi(wanted) : KILLS;
}

/* Kill the peer after some time. The peer may not have connected yet when this side has. The
 * reference does not say which callback then reports the end, the one for failures or the one for
 * disconnections. One of the two must run, once. */
static void kill_once(struct peer *peer, uint32_t how, uint32_t delay_us)
{
    start_turn(peer, how);
    run_for(delay_us);
    CHECK(!has_sign());
    kill_peer(peer);
    wait_for_sign();
    CHECK_EQ(traffic.e.num_disconnects + traffic.e.num_failures, 1);
    if (traffic.e.num_established == 1)
        CHECK_EQ(traffic.e.num_failures, 0);
    rdma_traffic_reset(&traffic);
    rdma_settle();
    CHECK_EQ(traffic.e.num_disconnects + traffic.e.num_failures, 0); /* since the reset */
    CHECK(rdma_is(&traffic.e, DOCA_CTX_STATE_RUNNING));
    check_counters(counters[1], counters[0]);
}

/* The instance of the parent outlives the children of a pool. */
static void check_kills(uint32_t how)
{
    unsigned i, left, num;

    (void)rig_random(2);
    share_counters();
    for (left = num_kills(); left > 0; left -= num) {
        num = left < POOL ? left : POOL;
        for (i = 0; i < num; i++)
            pool[i] = start_peer(traffic_child, with_number(how, i));
        rdma_traffic_open(&traffic, memory, counters[0], false);
        for (i = 0; i < num; i++)
            kill_once(&pool[i], how, rig_random(i % 4 == 0 ? 1500 : 12000));
        rdma_traffic_close(&traffic);
    }
    forget_counters();
}

static void killed_peer_gives_one_disconnection(void)
{
    check_kills(0);
}

static void killed_sender_gives_one_disconnection(void)
{
    check_kills(PEER_IS_QUIET);
}

static void killed_receiver_gives_one_disconnection(void)
{
    check_kills(IS_QUIET);
}

static void peer_that_is_killed_while_it_connects_is_noticed_once(void)
{
    check_kills(IS_LATE);
}

/* The child has exported and is killed before this side connects. */
static void exporting_child(int fd, uint32_t unused)
{
    struct rdma_end e;

    (void)unused;
    become_child();
    rdma_open(&e, memory, BYTES);
    rdma_say_hello(&e, fd);
    wait_for_byte(fd);
}

/* Send on a connection to a process that was killed. Return whether the device has the task. */
static bool sends_to_nobody(struct rdma_end *e)
{
    struct rdma_op op = rdma_send(e, NULL, 0);

    if (rdma_submit(op) == DOCA_SUCCESS)
        return true;
    rdma_drop(op);
    return false;
}

/* Connect to processes that were killed after the export. Each connection ends with one callback.
 * RDMA devices repeat a request for seconds before it fails; to save time, the connections wait in
 * parallel. */
static void details_of_a_killed_process_do_not_connect(void)
{
    unsigned i, k, failed = 0, ended = 0;
    struct rdma_hello hello;
    struct rdma_end e;
    doca_error_t rc;

    for (i = 0; i < KILLED; i++)
        pool[i] = start_peer(exporting_child, 0);
    rdma_make(&e, results, BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(e.rdma, KILLED));
    rdma_start(&e);
    for (i = 0; i < KILLED; i++) {
        receive_all(pool[i].fd, &hello, sizeof(hello));
        kill_peer(&pool[i]);
        rdma_export(&e, &(struct rdma_blob){ 0 });
        rc = rdma_try_connect(&e, &hello.blob, e.conn);
        if (rc == DOCA_ERROR_CONNECTION_ABORTED)
            continue;
        CHECK_OK(rc); /* then the task and the connection end later */
        failed += sends_to_nobody(&e);
        ended++;
    }
    RDMA_UNTIL(e.num_failed >= failed && e.num_disconnects + e.num_failures >= ended);
    rdma_settle();
    CHECK_EQ(e.num_failed, failed);
    CHECK_EQ(e.num_disconnects + e.num_failures, ended);
    for (i = 0; i < e.num_disconnects; i++)
        for (k = 0; k < i; k++)
            CHECK(e.lost[i] != e.lost[k]);
    rdma_close(&e);
    CHECK_EQ(e.num_ok, 0);
}

/* ---- several children ---- */

static void other_connections_do_not_notice_a_kill(void)
{
    struct doca_rdma_connection *conns[CHILDREN + 1];
    struct peer peers[CHILDREN + 1];
    struct rdma_end hub;
    unsigned i;

    for (i = 0; i <= CHILDREN; i++)
        peers[i] = start_peer(answering_child, i);
    rdma_make(&hub, results, BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, CHILDREN + 1));
    rdma_start(&hub);
    for (i = 0; i <= CHILDREN; i++) {
        rdma_say_hello(&hub, peers[i].fd);
        rdma_hear_hello(&hub, peers[i].fd);
        rdma_forget_peer(&hub);
        conns[i] = hub.conn;
    }
    RDMA_UNTIL(hub.num_established == CHILDREN + 1);
    hub.conn = conns[CHILDREN];
    for (i = 0; i < CHILDREN; i++) {
        unsigned before = hub.num_ok;

        rdma_post(&hub, 0, 4096, i);
        kill_peer(&peers[i]);
        CHECK_OK(rdma_submit(rdma_send(&hub, rdma_buf(&hub, 8192, 300), i)));
        RDMA_UNTIL(hub.num_ok == before + 2 && hub.num_disconnects == i + 1);
        CHECK_PTR(hub.lost[i], conns[i]);
        CHECK_EQ(hub.num_failed, 0);
    }
    rdma_close(&hub);
    end_peer(&peers[CHILDREN]);
}

static const struct test_case cases[] = {
    CASE(thousand_requests_are_answered, "393 396"),
    CASE(memory_of_another_process_is_read_and_written, "390 420"),
    CASE(atomic_tasks_of_several_processes_sum_up, "386 394 413"),
    CASE(traffic_of_both_sides_arrives_in_order, "418"),
    CASE(orderly_stop_loses_nothing_that_was_sent, "391"),
    CASE(orderly_stop_of_the_other_side_loses_nothing_either, "391"),
    CASE_OF_SW(killed_peer_gives_one_disconnection, "391", "the kernel reports a kill at once"),
    CASE_OF_SW(killed_sender_gives_one_disconnection, "391", "the kernel reports a kill at once"),
    CASE_OF_SW(killed_receiver_gives_one_disconnection, "391", "the kernel reports a kill at once"),
    CASE_OF_SW(peer_that_is_killed_while_it_connects_is_noticed_once, "391 396",
               "the kernel reports a kill at once"),
    CASE(details_of_a_killed_process_do_not_connect, "395"),
    CASE_OF_SW(other_connections_do_not_notice_a_kill, "386", "the kernel reports a kill at once"),
};

TEST_MAIN(cases)

/* DOCA RDMA between two machines, the guests of tools/rxe-guest --pair: the program runs on both at
 * the same time, as side 0 and side 1. For each case the sides open a TCP connection over the wire,
 * through which they exchange the details of their RDMA connections and the exports of their
 * memory, wait for each other, and compare bytes. The last case ends the machine of side 1. */
#include "rdma_traffic.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

enum {
    BYTES = 1 << 18,
    PORT = 7471,
    CONNECT_MS = 60000, /* until the peer begins the case, too */
    LOST_MS = 30000,    /* until a halted machine is noticed: about 5 s, on an emulated machine */
    GIDS = 3            /* of the link: of the link-local address, of IPv4 and of IPv6 */
};

static _Alignas(4096) unsigned char memory[BYTES], image[BYTES], far_image[BYTES];

/* ---- the wire ---- */

static const char *variable(const char *name)
{
    const char *value = getenv(name);

    if (value == NULL)
        test_fail(__FILE__, __LINE__, "%s is not set: run this in tools/rxe-guest --pair", name);
    return value;
}

static unsigned side(void)
{
    return variable("DOCA_CORE_GUEST_SIDE")[0] == '1';
}

static int try_accept(int listener)
{
    struct pollfd p = { listener, POLLIN, 0 };

    CHECK_EQ(poll(&p, 1, CONNECT_MS), 1);
    return accept4(listener, NULL, NULL, SOCK_CLOEXEC);
}

/* Connect to the other side by TCP. A receive call fails after 20 s, so that a case ends here, too,
 * when it has failed on the other side. */
static int meet_peer(void)
{
    static const struct timeval patience = { 20, 0 };
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(PORT) };
    const uint64_t end = rdma_now_ms() + CONNECT_MS;
    int one = 1, fd = -1, listener;

    CHECK_EQ(inet_pton(AF_INET, variable("DOCA_CORE_GUEST_IPV4_0"), &at.sin_addr), 1);
    if (side() == 0) {
        listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        CHECK_EQ(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)), 0);
        CHECK_EQ(bind(listener, (struct sockaddr *)&at, sizeof(at)), 0);
        CHECK_EQ(listen(listener, 1), 0);
        fd = try_accept(listener);
        close(listener);
    } else {
        for (;;) {
            fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            if (connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0)
                break;
            close(fd);
            CHECK(rdma_now_ms() < end);
            usleep(20000);
        }
    }
    CHECK(fd >= 0);
    CHECK_EQ(setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)), 0);
    CHECK_EQ(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
    return fd;
}

/* Wait until the other side is here, too. This side makes progress meanwhile. */
static void wait_for_peer(int fd)
{
    struct pollfd p = { fd, POLLIN, 0 };
    unsigned char byte = '!';

    send_all(fd, &byte, 1);
    RDMA_WAIT(rdma_turn(), poll(&p, 1, 0) == 1);
    receive_all(fd, &byte, 1);
    CHECK_EQ(byte, '!');
}

/* Compare the whole memory of the other side with `want`. The other side sends its memory. */
static void compare_memory_of_peer(int fd, const unsigned char *want)
{
    receive_all(fd, far_image, BYTES);
    CHECK_MEM(far_image, want, BYTES);
}

/* Open an end, and connect it to the end of the other side by the GID with this index. */
static void open_connected(struct rdma_end *e, int fd, uint32_t gid_index)
{
    share_fill(memory, BYTES, (unsigned char)(1 + 7 * side()));
    rdma_make(e, memory, BYTES);
    CHECK_OK(doca_rdma_set_gid_index(e->rdma, gid_index));
    rdma_start(e);
    rdma_say_hello(e, fd);
    rdma_hear_hello(e, fd);
    wait_for_peer(fd);
}

static void close_connected(struct rdma_end *e, int fd)
{
    wait_for_peer(fd);
    CHECK_EQ(e->num_failed, 0);
    rdma_close(e);
    close(fd);
}

/* ---- messages ---- */

enum { SOURCE = 0, SINK = 65536, SLOT = 16384, MESSAGES = 4 };

static const size_t lens[] = { 0, 1, 63, 64, 65, 1000, 4096, 4097, 8192, 10001, 16384 };

enum { LENS = sizeof(lens) / sizeof(lens[0]) };

static unsigned char message_byte(unsigned from, unsigned number, size_t at)
{
    return (unsigned char)(from * 101 + number * 37 + at * 7 + (at >> 8));
}

/* Submit message `number`: odd ones with immediate data, the longer ones as lists. */
static void send_message(struct rdma_end *e, unsigned number)
{
    const size_t len = lens[number % LENS], off = SOURCE + number % MESSAGES * (size_t)SLOT;
    struct doca_buf *src;
    size_t i;

    for (i = 0; i < len; i++)
        memory[off + i] = message_byte(side(), number, i);
    if (len >= 64 && len % 4 == 0)
        src = rdma_list(e, off, len / 4, len / 4, 4, false);
    else
        src = len == 0 ? NULL : rdma_buf(e, off, len);
    CHECK_OK(rdma_submit(number % 2 == 1 ? rdma_send_imm(e, src, htonl(number + 1000), number)
                                         : rdma_send(e, src, number)));
}

static void post_message(struct rdma_end *e, unsigned number)
{
    const size_t off = SINK + number % MESSAGES * (size_t)SLOT;

    memset(memory + off, 0xee, SLOT);
    CHECK_OK(rdma_submit(rdma_receive(
        e,
        number % 3 == 0 ? rdma_list(e, off, SLOT / 4, SLOT / 4, 4, true) : rdma_room(e, off, SLOT),
        number)));
}

static void check_message(const struct rdma_end *e, unsigned index, unsigned number)
{
    const struct rdma_done *d = rdma_at(e, index);
    const size_t len = lens[number % LENS], off = SINK + number % MESSAGES * (size_t)SLOT;
    size_t i;

    RDMA_CHECK_DONE(e, index, RDMA_receive, number, DOCA_SUCCESS);
    CHECK_EQ(d->len, len);
    CHECK_PTR(d->from, e->conn);
    CHECK_EQ(d->opcode,
             number % 2 == 1 ? DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM : DOCA_RDMA_OPCODE_RECV_SEND);
    if (number % 2 == 1)
        CHECK_EQ(d->imm, htonl(number + 1000));
    for (i = 0; i < len; i++)
        CHECK_EQ(memory[off + i], message_byte(1 - side(), number, i));
    for (; i < SLOT; i++)
        CHECK_EQ(memory[off + i], 0xee);
}

/* Both sides send at the same time, a few messages in flight. */
static void messages_cross_with_their_bytes_and_immediate_data(void)
{
    const unsigned num = 4 * LENS;
    unsigned i, received = 0, sent = 0;
    int fd = meet_peer();
    struct rdma_end e;

    open_connected(&e, fd, 1);
    for (i = 0; i < MESSAGES; i++)
        post_message(&e, i);
    wait_for_peer(fd);
    for (i = 0; i < MESSAGES - 1; i++)
        send_message(&e, i);
    for (i = 0; received < num || sent < num; i++) {
        RDMA_UNTIL(e.num_done > i);
        if (rdma_at(&e, i)->kind == RDMA_receive) {
            check_message(&e, i, received);
            if (received++ + MESSAGES < num)
                post_message(&e, received + MESSAGES - 1);
        } else {
            CHECK_EQ(rdma_at(&e, i)->number, sent);
            CHECK_RC(rdma_at(&e, i)->status, DOCA_SUCCESS);
            if (sent++ + MESSAGES - 1 < num)
                send_message(&e, sent + MESSAGES - 2);
        }
    }
    close_connected(&e, fd);
}

static void every_gid_of_the_link_connects(void)
{
    uint32_t i;

    for (i = 0; i < GIDS; i++) {
        int fd = meet_peer();
        struct rdma_end e;

        open_connected(&e, fd, i);
        post_message(&e, 1);
        wait_for_peer(fd);
        send_message(&e, 1);
        RDMA_UNTIL(e.num_done == 2);
        check_message(&e, rdma_at(&e, 0)->kind == RDMA_receive ? 0 : 1, 1);
        close_connected(&e, fd);
    }
}

/* ---- memory ---- */

enum {
    WORK = 131072, /* the first offset of local sources and sinks; the peer writes below it */
    ROUNDS = 60
};

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Write a list, or a single buffer, to the other side, and read it back together with the bytes
 * around it, into a list. `want` is what the memory of the other side contains. */
static void write_and_read_back(struct rdma_end *e, unsigned char *want, uint32_t *random)
{
    const unsigned num = 1 + next_random(random) % 4;
    const size_t len = 1 + next_random(random) % (next_random(random) % 3 == 0 ? 9000 : 100);
    const size_t to = 64 + next_random(random) % (WORK - 40000), all = num * len + 128;
    size_t i;

    for (i = 0; i < num; i++)
        memset(memory + WORK + i * 10000, (int)next_random(random), len);
    CHECK_OK(rdma_run(e, rdma_write(e, rdma_list(e, WORK, len, 10000, num, false),
                                    rdma_far_room(e, to, num * len), 0)));
    for (i = 0; i < num; i++)
        memcpy(want + to + i * len, memory + WORK + i * 10000, len);
    memset(memory + WORK + 50000, 0xdd, all);
    CHECK_OK(rdma_run(e, rdma_read(e, rdma_far_buf(e, to - 64, all),
                                   rdma_list(e, WORK + 50000, all / 2, all / 2, 3, true), 0)));
    CHECK_EQ(rdma_latest(e)->len, all);
    CHECK_MEM(memory + WORK + 50000, want + to - 64, all);
}

/* Side `active` changes the memory of the other side. */
static void change_memory(struct rdma_end *e, int fd, unsigned char *want)
{
    uint32_t random = 17;
    unsigned i;

    for (i = 0; i < ROUNDS; i++)
        write_and_read_back(e, want, &random);
    for (i = 0; i < 8; i++) {
        size_t len = lens[i % LENS] % 4000;

        memset(memory + WORK, (int)(200 + i), len);
        CHECK_OK(rdma_run(e, rdma_write_imm(e, len > 0 ? rdma_buf(e, WORK, len) : NULL,
                                            len > 0 ? rdma_far_room(e, 4096 * i, len) : NULL,
                                            htonl(i), 0)));
        memcpy(want + 4096 * (size_t)i, memory + WORK, len);
    }
    wait_for_peer(fd);
}

/* The peer writes 8 times with immediate data. Each write completes a receive task here, and its
 * data is then in the memory of this side. */
static void follow_changes(struct rdma_end *e, int fd)
{
    unsigned i, before = e->num_done;

    wait_for_peer(fd);
    RDMA_UNTIL(e->num_done == before + 8);
    for (i = 0; i < 8; i++) {
        const struct rdma_done *d = rdma_at(e, before + i);
        size_t len = lens[i % LENS] % 4000, at;

        RDMA_CHECK_DONE(e, before + i, RDMA_receive, i, DOCA_SUCCESS);
        CHECK_EQ(d->opcode, DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM);
        CHECK_EQ(d->imm, htonl(i));
        CHECK_EQ(d->len, len);
        for (at = 0; at < len; at++)
            CHECK_EQ(memory[4096 * (size_t)i + at], 200 + i);
    }
}

static void writes_and_reads_change_exactly_the_memory_of_the_peer(void)
{
    unsigned active, i;

    for (active = 0; active < 2; active++) {
        int fd = meet_peer();
        struct rdma_end e;

        open_connected(&e, fd, 1);
        if (side() == active) {
            share_fill(image, BYTES, (unsigned char)(1 + 7 * (1 - side())));
            wait_for_peer(fd);
            change_memory(&e, fd, image);
            compare_memory_of_peer(fd, image);
        } else {
            for (i = 0; i < 8; i++)
                rdma_post(&e, WORK + 100 * i, 100, i);
            wait_for_peer(fd);
            follow_changes(&e, fd);
            send_all(fd, memory, BYTES);
        }
        close_connected(&e, fd);
    }
}

/* ---- atomic tasks ---- */

enum { COUNTER = 4096, LOCK = 4104, RESULTS = 8192, ADDS = 200, ADDS_IN_FLIGHT = 16 };

#define STEP 0x40000001u /* carries into the upper half of the counter */

static uint64_t word_of_image(size_t off)
{
    uint64_t value;

    memcpy(&value, far_image + off, sizeof(value));
    return value;
}

/* Each side adds to the counter of the other side, several tasks in flight. */
static void add_to_peer(struct rdma_end *e)
{
    unsigned submitted = 0, done;

    for (done = 0; done < ADDS; done++) {
        for (; submitted < ADDS && submitted < done + ADDS_IN_FLIGHT; submitted++)
            CHECK_OK(rdma_submit(rdma_add(
                e, rdma_far_buf(e, COUNTER, 8),
                rdma_room(e, RESULTS + 8 * (size_t)(submitted % ADDS_IN_FLIGHT), 8), STEP, done)));
        RDMA_UNTIL(e->num_done > done);
        CHECK_RC(rdma_at(e, done)->status, DOCA_SUCCESS);
        CHECK_EQ(rdma_word(e, RESULTS + 8 * (size_t)(done % ADDS_IN_FLIGHT)),
                 (uint64_t)done * STEP);
    }
}

/* Swap three times: the first and the third comparison succeed, the second fails. */
static void swap_at_peer(struct rdma_end *e)
{
    const uint64_t first = 0x1122334455667788u + side(), second = ~first;

    CHECK_OK(
        rdma_run(e, rdma_swap(e, rdma_far_buf(e, LOCK, 8), rdma_room(e, RESULTS, 8), 0, first)));
    CHECK_EQ(rdma_word(e, RESULTS), 0);
    CHECK_OK(
        rdma_run(e, rdma_swap(e, rdma_far_buf(e, LOCK, 8), rdma_room(e, RESULTS, 8), 0, second)));
    CHECK_EQ(rdma_word(e, RESULTS), first);
    CHECK_OK(rdma_run(
        e, rdma_swap(e, rdma_far_buf(e, LOCK, 8), rdma_room(e, RESULTS, 8), first, second)));
    CHECK_EQ(rdma_word(e, RESULTS), first);
}

static void atomic_tasks_change_words_of_the_peer(void)
{
    int fd = meet_peer();
    struct rdma_end e;

    open_connected(&e, fd, 1);
    memset(memory + COUNTER, 0, 16);
    wait_for_peer(fd);
    add_to_peer(&e);
    swap_at_peer(&e);
    wait_for_peer(fd);
    if (side() == 0) {
        send_all(fd, memory, BYTES);
        receive_all(fd, far_image, BYTES);
    } else {
        receive_all(fd, far_image, BYTES);
        send_all(fd, memory, BYTES);
    }
    CHECK_EQ(word_of_image(COUNTER), (uint64_t)ADDS * STEP);
    CHECK_EQ(word_of_image(LOCK), ~(uint64_t)(0x1122334455667788u + side()));
    CHECK_EQ(rdma_word(&e, COUNTER), (uint64_t)ADDS * STEP);
    CHECK_EQ(rdma_word(&e, LOCK), ~(uint64_t)(0x1122334455667788u + 1 - side()));
    close_connected(&e, fd);
}

/* ---- permissions ---- */

/* The instance of side 1 permits reads only. The write of side 0 fails and changes nothing. */
static void write_without_permission_fails_and_breaks_the_connection(void)
{
    int fd = meet_peer();
    struct rdma_end e;

    share_fill(memory, BYTES, (unsigned char)(1 + 7 * side()));
    rdma_make(&e, memory, BYTES);
    CHECK_OK(doca_rdma_set_gid_index(e.rdma, 1));
    if (side() == 1)
        CHECK_OK(doca_rdma_set_permissions(e.rdma, DOCA_ACCESS_FLAG_RDMA_READ));
    rdma_start(&e);
    rdma_say_hello(&e, fd);
    rdma_hear_hello(&e, fd);
    wait_for_peer(fd);
    if (side() == 0) {
        share_fill(image, BYTES, 8);
        CHECK_OK(rdma_run(&e, rdma_read(&e, rdma_far_buf(&e, 9, 99), rdma_room(&e, 0, 99), 1)));
        CHECK_MEM(memory, image + 9, 99);
        CHECK_RC(rdma_run(&e, rdma_write(&e, rdma_buf(&e, 0, 9), rdma_far_room(&e, 0, 9), 2)),
                 DOCA_ERROR_IO_FAILED);
        RDMA_UNTIL(e.num_disconnects == 1);
        CHECK_RC(rdma_run(&e, rdma_send(&e, NULL, 3)), DOCA_ERROR_CONNECTION_ABORTED);
        compare_memory_of_peer(fd, image);
    } else {
        send_all(fd, memory, BYTES);
    }
    wait_for_peer(fd);
    rdma_close(&e);
    close(fd);
}

/* ---- traffic, and the end of a machine ---- */

enum { TRAFFIC_ROUNDS = 100, ROUNDS_BEFORE_END = 30 };

static struct rdma_counters counters;

static int open_traffic(struct rdma_traffic *t)
{
    int fd = meet_peer();

    memset(&counters, 0, sizeof(counters));
    rdma_traffic_open(t, memory, &counters, false);
    rdma_say_hello(&t->e, fd);
    rdma_hear_hello(&t->e, fd);
    wait_for_peer(fd);
    return fd;
}

static void traffic_in_both_directions_loses_nothing(void)
{
    struct rdma_traffic t;
    int fd = open_traffic(&t);

    RDMA_WAIT(rdma_traffic_step(&t),
              counters.rounds >= TRAFFIC_ROUNDS && counters.sent >= TRAFFIC_ROUNDS);
    RDMA_UNTIL(t.num_completed == t.num_submitted);
    wait_for_peer(fd);
    CHECK_EQ(t.e.num_disconnects, 0);
    CHECK_EQ(t.e.num_failed, 0);
    wait_for_peer(fd);
    rdma_traffic_close(&t);
    close(fd);
}

/* Restart the machine without a word to anybody. */
static void end_this_machine(void)
{
    int fd = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC);

    CHECK(fd >= 0);
    CHECK_EQ(write(fd, "b", 1), 1);
    sleep(LOST_MS / 1000);
    CHECK(false); /* not reached */
}

/* Every task ends once, with a status for a lost peer (see rdma_traffic_done()), the disconnection
 * callback runs once, and the instance stops. */
static void end_of_a_machine_resets_the_connection_of_the_other(void)
{
    struct rdma_traffic t;
    int fd = open_traffic(&t);
    uint64_t latest = rdma_now_ms(), lost = 0, completed = 0;
    unsigned i, num_reset = 0;

    if (side() == 1) {
        RDMA_WAIT(rdma_traffic_step(&t),
                  counters.rounds >= ROUNDS_BEFORE_END && counters.sent >= ROUNDS_BEFORE_END);
        end_this_machine();
    }
    while (t.e.num_disconnects == 0) {
        if (!rdma_traffic_step(&t))
            usleep(1000);
        lost = rdma_now_ms() - latest;
        if (t.num_completed != completed && counters.is_joined && t.e.num_failed == 0)
            latest = rdma_now_ms();
        completed = t.num_completed;
        CHECK(lost < LOST_MS);
    }
    CHECK(counters.rounds > 0);
    RDMA_UNTIL(t.num_completed == t.num_submitted);
    for (i = 0; i < RDMA_SEEN; i++)
        num_reset += t.e.done[i].status == DOCA_ERROR_CONNECTION_RESET;
    CHECK(num_reset > 0);
    CHECK(rdma_traffic_send(&t));
    RDMA_UNTIL(t.num_completed == t.num_submitted);
    CHECK_RC(rdma_latest(&t.e)->status, DOCA_ERROR_CONNECTION_ABORTED);
    rdma_settle();
    CHECK_EQ(t.e.num_disconnects, 1);
    rdma_traffic_close(&t);
    close(fd);
    fprintf(stderr, "the end of the peer was noticed after %u ms\n", (unsigned)lost);
}

static const struct test_case cases[] = {
    CASE(every_gid_of_the_link_connects, ""),
    CASE(messages_cross_with_their_bytes_and_immediate_data, ""),
    CASE(writes_and_reads_change_exactly_the_memory_of_the_peer, ""),
    CASE(atomic_tasks_change_words_of_the_peer, ""),
    CASE(write_without_permission_fails_and_breaks_the_connection, ""),
    CASE(traffic_in_both_directions_loses_nothing, ""),
    CASE(end_of_a_machine_resets_the_connection_of_the_other, ""),
};

TEST_MAIN(cases)

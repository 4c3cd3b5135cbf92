/* DOCA RDMA and peers that do not keep to the protocol: programs that connect to the address of an
 * instance and send garbage, peers whose packets are damaged on the way, and a process that
 * overwrites the memory that it shares with the instance. Whatever arrives, the instance drops that
 * connection at most; it neither crashes, hangs, nor keeps memory or descriptors. */
#include "raw_packets.h"
#include "rdma_traffic.h"

#include <sys/un.h>

enum {
    BYTES = 1 << 16,
    ADDRESSES = 8,
    ROUNDS = 300,
    SILENT = 20,
    CHILDREN = 16,
    MAPS = 32
};

static _Alignas(64) unsigned char memory[3][BYTES];

/* ---- sockets without the library ---- */

struct place { /* an address at which an instance can be reached */
    int type;  /* SOCK_SEQPACKET, SOCK_STREAM or SOCK_DGRAM */
    struct sockaddr_un address;
    socklen_t len;
};

static struct place places[ADDRESSES];
static unsigned num_places;
static bool was_there[FILES]; /* sockets that failed cases have left open */

/* Get the abstract address of a socket. True when the socket accepts connections, or receives
 * packets from any sender. */
static bool is_place(int fd, struct place *place)
{
    int listens = 0;
    socklen_t len = sizeof(place->type);

    place->len = sizeof(place->address);
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &place->type, &len) != 0 ||
        getsockname(fd, (struct sockaddr *)&place->address, &place->len) != 0 ||
        place->address.sun_family != AF_UNIX || place->len <= sizeof(sa_family_t) ||
        place->address.sun_path[0] != '\0')
        return false;
    len = sizeof(listens);
    return place->type == SOCK_DGRAM ||
           (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) == 0 && listens);
}

static void note_places(void)
{
    struct place place;
    int fd;

    for (fd = 0; fd < FILES; fd++)
        was_there[fd] = is_place(fd, &place);
}

/* Find the addresses of the instances that were started since note_places(). Any program can find
 * them in /proc/net/unix. */
static void find_places(void)
{
    int fd;

    num_places = 0;
    for (fd = 0; fd < FILES && num_places < ADDRESSES; fd++)
        if (!was_there[fd] && is_place(fd, &places[num_places]))
            num_places++;
    CHECK(num_places > 0);
}

static int raw_connect(const struct place *place)
{
    int fd = socket(AF_UNIX, place->type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    uint64_t end = rdma_now_ms() + RDMA_PATIENCE_MS;

    CHECK(fd >= 0);
    while (connect(fd, (const struct sockaddr *)&place->address, place->len) != 0) {
        CHECK(errno == EAGAIN); /* the queue is full */
        (void)rdma_turn();
        CHECK(rdma_now_ms() < end);
    }
    return fd;
}

/* True when the other end has closed the connection. A datagram socket has no connection, so the
 * result is true. */
static bool is_dropped(int fd, const struct place *place)
{
    return place->type == SOCK_DGRAM || raw_is_closed(fd);
}

/* ---- the healthy pair ---- */

static struct rdma_end a, b; /* joined; b also listens on a port, and has free connections */
static struct doca_rdma_connection *healthy; /* b's connection to a */
static uint16_t port;
static unsigned num_files;

static void accept_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    (void)doca_rdma_connection_accept(c, NULL, 0);
}

static void scene_open(void)
{
    static unsigned serial;

    (void)rig_random(2); /* the first call prints the seed, which no wrapper should do */
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 2);
    note_places();
    port = (uint16_t)(2000 + ((unsigned)getpid() * 37 + serial++) % 60000);
    rdma_make(&b, memory[1], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(b.rdma, 4));
    rdma_start(&b);
    b.on_request = accept_it;
    CHECK_OK(doca_rdma_start_listen_to_port(b.rdma, port));
    rdma_open(&a, memory[0], BYTES);
    rdma_lend(&b, &a);
    rdma_join(&a, &b);
    healthy = b.conn;
    find_places();
    rdma_deliver(&a, &b, 0, 4096, 100);
    rdma_settle();
    num_files = count_files();
}

/* The pair works in both directions and has lost nothing. */
static void check_health(void)
{
    CHECK(rdma_is(&a, DOCA_CTX_STATE_RUNNING) && rdma_is(&b, DOCA_CTX_STATE_RUNNING));
    b.conn = healthy;
    rdma_deliver(&a, &b, 16, 4096, 999);
    rdma_deliver(&b, &a, 32, 8192, 888);
    CHECK_OK(
        rdma_run(&a, rdma_read(&a, rdma_far_buf(&a, 1000, 500), rdma_room(&a, 16384, 500), 0)));
    CHECK_MEM(memory[0] + 16384, memory[1] + 1000, 500);
    CHECK_EQ(a.num_failed + b.num_failed, 0);
    CHECK_EQ(a.num_disconnects, 0);
}

static void scene_close(void)
{
    check_health();
    rdma_settle();
    CHECK_EQ(count_files(), num_files);
    rdma_close_both(&a, &b);
}

/* ---- garbage ---- */

static size_t make_garbage(unsigned char *packet, unsigned i)
{
    static const size_t lengths[] = { 1,  2,  4,   7,   8,    12,   16,   24,
                                      31, 64, 100, 500, 4080, 4096, 4200, 65000 };
    size_t k, len = lengths[i % (sizeof(lengths) / sizeof(lengths[0]))];

    for (k = 0; k < len; k++)
        packet[k] = (unsigned char)(i % 3 == 0 ? 0 : i % 3 == 1 ? 0xff : rig_random(256));
    return len;
}

/* The instance closes the connection of a program that sends garbage. Such a program may also have
 * sent too few bytes to be refused, and leaves. */
static void garbage_only_costs_its_own_connection(void)
{
    static unsigned char packet[65536];
    unsigned i;

    scene_open();
    for (i = 0; i < ROUNDS; i++) {
        const struct place *place = &places[i % num_places];
        size_t len = make_garbage(packet, i);
        int fd = raw_connect(place);

        (void)raw_send(fd, packet, len, -1);
        if (place->type == SOCK_STREAM)
            shutdown(fd, SHUT_WR);
        RDMA_UNTIL(is_dropped(fd, place));
        close(fd);
        if (i % 16 == 0)
            check_health();
    }
    CHECK_EQ(b.num_requests, 0); /* garbage is no request */
    CHECK_EQ(b.num_established, 1);
    scene_close();
}

static void descriptors_that_come_with_garbage_are_closed(void)
{
    static unsigned char packet[65536];
    unsigned i;
    int file;

    scene_open();
    file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CHECK(file >= 0);
    for (i = 0; i < 100; i++) {
        const struct place *place = &places[i % num_places];
        int fd = raw_connect(place);
        size_t len = make_garbage(packet, i);

        (void)raw_send(fd, packet, len > 4096 ? 4096 : len, file);
        if (place->type == SOCK_STREAM)
            shutdown(fd, SHUT_WR);
        RDMA_UNTIL(is_dropped(fd, place));
        close(fd);
    }
    close(file);
    scene_close();
}

static void check_descriptors(size_t max_len)
{
    unsigned char packet[64] = { 0 };
    unsigned i;
    int file;

    scene_open();
    file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CHECK(file >= 0);
    for (i = 0; i < 2 * RAW_FILES; i++) {
        const struct place *place = &places[i % num_places];
        int fd = raw_connect(place);

        packet[0] = (unsigned char)(i % 4);
        (void)raw_send_files(fd, packet, i % (max_len + 1), file, 1 + i % RAW_FILES);
        RDMA_UNTIL(is_dropped(fd, place));
        close(fd);
        check_health();
    }
    close(file);
    scene_close(); /* counts the descriptors */
}

/* A packet of the protocol has at most three descriptors. */
static void packets_with_many_descriptors_do_not_disturb(void)
{
    check_descriptors(48);
}

static void descriptors_of_empty_packets_are_closed(void)
{
    check_descriptors(0);
}

/* Programs that connect and say nothing neither disturb others nor keep the instance from a stop.
 */
static void silent_connections_do_not_disturb(void)
{
    struct doca_rdma_addr *addr;
    struct rdma_end client;
    int fds[SILENT];
    unsigned i;

    scene_open();
    for (i = 0; i < SILENT; i++)
        fds[i] = raw_connect(&places[i % num_places]);
    check_health();
    rdma_open(&client, memory[2], BYTES);
    CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", port, &addr));
    CHECK_OK(doca_rdma_connect_to_addr(client.rdma, addr, (union doca_data){ .u64 = 1 }));
    RDMA_UNTIL(client.num_established == 1);
    rdma_deliver(&client, &b, 0, 4096, 500);
    rdma_stop(&client);
    rdma_start(&client);
    rdma_join(&client, &b);
    rdma_deliver(&client, &b, 0, 4096, 500);
    rdma_close(&client);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    check_health();
    rdma_stop(&b);
    rdma_close(&a);
    for (i = 0; i < SILENT; i++)
        close(fds[i]);
    rdma_destroy(&b);
}

/* ---- recordings ---- */

/* Record the packets of a whole session: connections by export and by address, and traffic. */
static void record_session(void)
{
    struct doca_rdma_addr *addr;
    struct rdma_end client;

    tape.num = 0;
    tape.is_recording = true;
    rdma_open(&client, memory[2], BYTES);
    rdma_join(&client, &b);
    rdma_deliver(&client, &b, 0, 4096, 500);
    rdma_stop(&client);
    rdma_start(&client);
    client.conn = NULL;
    client.num_established = 0;
    CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", port, &addr));
    CHECK_OK(doca_rdma_connect_to_addr(client.rdma, addr, (union doca_data){ .u64 = 1 }));
    RDMA_UNTIL(client.num_established == 1);
    rdma_deliver(&client, &b, 0, 4096, 500);
    rdma_close(&client);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_settle();
    tape.is_recording = false;
}

static void damaged_recordings_only_cost_their_own_connection(void)
{
    static unsigned char packet[PACKET];
    unsigned i, k, num;

    scene_open();
    record_session();
    CHECK(tape.num > 0);
    for (i = 0; i < 2 * ROUNDS; i++) {
        const struct place *place = &places[i % num_places];
        int fd = raw_connect(place);

        for (k = 0, num = 1 + rig_random(4); k < num; k++) {
            unsigned which = k == 0 ? i % tape.num : rig_random(tape.num);
            size_t len = tape.len[which];

            memcpy(packet, tape.bytes[which], len);
            if (i % 3 != 0) /* every third is sent as it was */
                len = damage(packet, len);
            (void)raw_send(fd, packet, len, -1);
            (void)rdma_turn();
        }
        close(fd);
        rdma_settle();
        if (i % 32 == 0)
            check_health();
    }
    rdma_settle();
    CHECK(b.num_disconnects >= 2); /* those of the session */
    scene_close();
}

/* ---- a hostile end ---- */

/* A peer whose packets are damaged costs its own connection at most. */
static void damaged_peer_only_costs_its_own_connection(void)
{
    struct rdma_end hostile;
    unsigned i, k;

    scene_open();
    for (i = 0; i < ROUNDS; i++) {
        struct rdma_blob of_b, of_hostile;

        rdma_open(&hostile, memory[2], BYTES);
        rdma_export(&hostile, &of_hostile);
        rdma_export(&b, &of_b);
        is_damaging = true;
        (void)rdma_try_connect(&hostile, &of_b, hostile.conn);
        is_damaging = false;
        (void)rdma_try_connect(&b, &of_hostile, b.conn);
        for (k = 0; k < 30; k++) {
            is_damaging = true;
            if (k < 5 && hostile.num_disconnects + hostile.num_failures == 0) {
                struct rdma_op op = rdma_send(&hostile, rdma_buf(&hostile, 0, 64), k);

                if (rdma_submit(op) != DOCA_SUCCESS)
                    rdma_drop(op);
            }
            (void)rdma_progress(&hostile);
            is_damaging = false;
            (void)rdma_progress(&b);
            (void)rdma_progress(&a);
        }
        rdma_close(&hostile);
        (void)doca_rdma_connection_disconnect(b.conn);
        rdma_settle();
        if (i % 16 == 0)
            check_health();
    }
    scene_close();
}

/* ---- shared memory ---- */

struct mapping {
    unsigned char *addr;
    size_t len;
};

/* Find the writable shared mappings of files in memory. */
static unsigned find_mappings(struct mapping maps[MAPS])
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    FILE *f = fopen("/proc/self/maps", "r");
    unsigned num = 0;
    char line[512];

    CHECK(f != NULL);
    while (num < MAPS && fgets(line, sizeof(line), f) != NULL) {
        unsigned long from, to;

        if (strstr(line, " rw-s ") != NULL && strstr(line, "memfd:") != NULL &&
            sscanf(line, "%lx-%lx", &from, &to) == 2) {
            maps[num].addr = (unsigned char *)from;
            maps[num++].len = to - from;
        }
    }
    fclose(f);
    heap_trap_set(mode);
    return num;
}

static void scribble(const struct mapping *map)
{
    uint64_t number = (uint64_t)rig_random(UINT32_MAX) << rig_random(33);
    size_t off = rig_random((uint32_t)(map->len < 65536 ? map->len : 65536) / 8) * 8;

    switch (rig_random(4)) {
    case 0:
        memcpy(map->addr + off, &number, 8);
        break;
    case 1:
        memset(map->addr + off, 0xff, rig_random(2) ? 4 : 8);
        break;
    case 2:
        map->addr[off + rig_random(8)] ^= (unsigned char)(1u << rig_random(8));
        break;
    default:
        memset(map->addr + off, 0, 8);
    }
}

/* Connect, send some messages, and overwrite the shared memory until the parent ends this process,
 * which may also crash. */
static void scribbling_child(int fd, uint32_t number)
{
    struct mapping maps[MAPS];
    struct rdma_end e;
    unsigned num, i, k;

    rdma_forget_ends();
    receive_all(fd, &(unsigned char){ 0 }, 1);
    for (i = 0; i < 17 * number; i++)
        (void)rig_random(2);
    rdma_open(&e, memory[2], BYTES);
    rdma_say_hello(&e, fd);
    rdma_hear_hello(&e, fd);
    rdma_post(&e, 0, 1000, 1);
    CHECK_OK(rdma_submit(rdma_send(&e, rdma_buf(&e, 0, 64), 1)));
    RDMA_UNTIL(e.num_ok == 2); /* the parent waits for both messages, too */
    num = find_mappings(maps);
    send_all(fd, num > 0 ? "1" : "0", 1);
    if (num == 0)
        return;
    receive_all(fd, &(unsigned char){ 0 }, 1); /* the parent knows that its message has arrived */
    for (;;) {
        for (k = 0; k < 1 + number % 4; k++)
            scribble(&maps[rig_random(num)]);
        rdma_progressing = &e;
        (void)doca_pe_progress(e.pe);
        rdma_progressing = NULL;
        if (number % 2)
            usleep(10);
    }
}

/* Exchange messages with the child for some time. They may have any content, but must not change
 * memory outside of posted buffers. */
static void talk(struct rdma_end *e)
{
    uint64_t end = rdma_now_ms() + 60;
    unsigned k;

    for (k = 0; rdma_now_ms() < end; k++) {
        if (k < 20) {
            struct rdma_op op = rdma_send(e, rdma_buf(e, 0, 64), k);

            if (rdma_submit(op) != DOCA_SUCCESS)
                rdma_drop(op);
        }
        if (!rdma_turn())
            usleep(20);
    }
}

static void overwritten_shared_memory_harms_only_its_own_connection(void)
{
    struct peer peers[CHILDREN];
    unsigned char answer = '1';
    struct rdma_end e;
    unsigned i, k, before;
    int status;

    (void)rig_random(2);
    for (i = 0; i < CHILDREN; i++)
        peers[i] = start_peer(scribbling_child, i);
    memset(memory[0], UNTOUCHED, BYTES);
    rdma_open(&e, memory[0], BYTES);
    for (i = 0; i < CHILDREN && answer == '1'; i++) {
        while (rig_inflight(e.ctx) < 4) /* only receives are left */
            rdma_post(&e, 4096, 1000, 1);
        send_byte(peers[i].fd);
        rdma_say_hello(&e, peers[i].fd);
        rdma_hear_hello(&e, peers[i].fd);
        before = e.num_ok;
        CHECK_OK(rdma_submit(rdma_send(&e, rdma_buf(&e, 0, 64), 1)));
        RDMA_UNTIL(e.num_ok == before + 2);
        receive_all(peers[i].fd, &answer, 1);
        peer_forget(peers[i].pid);
        if (answer == '1')
            send_byte(peers[i].fd);
        talk(&e);
        (void)kill(peers[i].pid, SIGKILL);
        CHECK_EQ(waitpid(peers[i].pid, &status, 0), peers[i].pid);
        hang_up(&peers[i]);
        RDMA_UNTIL(e.num_disconnects + e.num_failures == i + 1);
        rdma_forget_peer(&e);
        for (k = 5096; k < BYTES; k++)
            CHECK_EQ(memory[0][k], UNTOUCHED);
        CHECK(rdma_is(&e, DOCA_CTX_STATE_RUNNING));
    }
    for (; i < CHILDREN; i++)
        kill_peer(&peers[i]);
    rdma_close(&e);
    if (answer != '1')
        test_skip("the ends share no memory that this test can find");
}

static const struct test_case cases[] = {
    CASE(garbage_only_costs_its_own_connection, ""),
    CASE(descriptors_that_come_with_garbage_are_closed, ""),
    CASE(packets_with_many_descriptors_do_not_disturb, ""),
    CASE(descriptors_of_empty_packets_are_closed, ""),
    CASE(silent_connections_do_not_disturb, ""),
    CASE(damaged_recordings_only_cost_their_own_connection, ""),
    CASE(damaged_peer_only_costs_its_own_connection, ""),
    CASE(overwritten_shared_memory_harms_only_its_own_connection, ""),
};

TEST_MAIN(cases)

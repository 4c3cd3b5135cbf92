/* DOCA Comch and peers that do not keep to the protocol: sockets that connect to the address of a
 * server and send garbage, and clients and servers whose packets are damaged on the way. Whatever
 * arrives, the other end drops that connection and works on; it neither crashes, hangs, nor keeps
 * memory or descriptors. */
#include "comch_data.h"
#include "raw_packets.h"

#include <sys/un.h>

enum { ROUNDS = 400, SILENT = 20 };

static unsigned char source[4096], sink[4096];

/* ---- sockets without the library ---- */

static bool listens_for_packets(int fd)
{
    int type = 0, listens = 0;
    socklen_t len = sizeof(type);

    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len) != 0 || type != SOCK_SEQPACKET)
        return false;
    len = sizeof(listens);
    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &len) == 0 && listens;
}

static bool was_listening[FILES]; /* sockets that failed cases have left open */

static void note_listeners(void)
{
    int fd;

    for (fd = 0; fd < FILES; fd++)
        was_listening[fd] = listens_for_packets(fd);
}

/* Find the address of the server that has started since note_listeners(). */
static socklen_t find_address(struct sockaddr_un *address)
{
    socklen_t len = sizeof(*address);
    int fd;

    for (fd = 0; fd < FILES; fd++) {
        if (was_listening[fd] || !listens_for_packets(fd))
            continue;
        CHECK_EQ(getsockname(fd, (struct sockaddr *)address, &len), 0);
        CHECK_EQ(address->sun_family, AF_UNIX);
        return len;
    }
    test_fail(__FILE__, __LINE__, "the server listens at no address");
}

static int raw_connect(const struct sockaddr_un *address, socklen_t len)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    uint64_t end = comch_now_ms() + COMCH_PATIENCE_MS;

    CHECK(fd >= 0);
    while (connect(fd, (const struct sockaddr *)address, len) != 0) {
        CHECK(errno == EAGAIN); /* the queue is full */
        (void)comch_turn();
        CHECK(comch_now_ms() < end);
    }
    return fd;
}

/* ---- the healthy pair ---- */

struct scene {
    struct comch_end server, client; /* the client keeps to the protocol */
    char name[COMCH_NAME];
    struct sockaddr_un address;
    socklen_t address_len;
    unsigned num_files;
};

static void scene_open(struct scene *s)
{
    size_t i;

    for (i = 0; i < sizeof(source); i++)
        source[i] = (unsigned char)(i * 37 + 5);
    /* The first call of rig_random() prints the seed. __wrap_sendmsg() and the other wrappers of
     * the program must not print, because the library calls them. */
    (void)rig_random(2);
    note_listeners();
    strcpy(s->name, comch_name());
    comch_make_server(&s->server, COMCH_HOST, s->name, 4);
    comch_make_client(&s->client, COMCH_HOST, s->name, 4);
    s->server.peer_is_hostile = true;
    comch_start_server(&s->server);
    comch_start_client(&s->client);
    COMCH_UNTIL(comch_runs(&s->client) && s->server.num_conns == 1);
    s->address_len = find_address(&s->address);
    comch_settle();
    s->num_files = count_files();
}

/* The healthy client works, in both directions. */
static void check_health(struct scene *s)
{
    unsigned received = s->server.num_received, sent = s->client.num_sent;

    CHECK(comch_runs(&s->client));
    CHECK_EQ(rig_state(s->server.ctx), DOCA_CTX_STATE_RUNNING);
    comch_send(&s->client, source, 333);
    COMCH_UNTIL(s->server.num_received > received && s->client.num_sent == sent + 1);
    CHECK_EQ(s->client.num_failed, 0);
    received = s->client.num_received;
    COMCH_UNTIL(comch_try_send(&s->server, s->server.conns[0], source + 7, 444) == DOCA_SUCCESS);
    COMCH_UNTIL(s->client.num_received == received + 1);
    CHECK_EQ(s->client.len, 444);
    CHECK_MEM(s->client.text, source + 7, 444);
}

static void scene_close(struct scene *s)
{
    check_health(s);
    COMCH_UNTIL(s->server.num_connects == s->server.num_disconnects + 1);
    comch_settle();
    CHECK_EQ(count_files(), s->num_files);
    comch_close_both(&s->server, &s->client);
}

/* ---- garbage ---- */

static void garbage_only_costs_its_own_connection(void)
{
    static const size_t lengths[] = { 1,  2,  4,   7,   8,    12,   16,   24,
                                      31, 64, 100, 500, 4080, 4096, 4200, 65000 };
    static unsigned char packet[65536];
    struct scene s;
    unsigned i;
    size_t k;

    scene_open(&s);
    for (i = 0; i < ROUNDS; i++) {
        size_t len = lengths[i % (sizeof(lengths) / sizeof(lengths[0]))];
        int fd = raw_connect(&s.address, s.address_len);

        for (k = 0; k < len; k++)
            packet[k] = (unsigned char)(i % 3 == 0 ? 0 : i % 3 == 1 ? 0xff : rig_random(256));
        CHECK(raw_send(fd, packet, len, -1));
        COMCH_UNTIL(raw_is_closed(fd));
        close(fd);
        if (i % 16 == 0)
            check_health(&s);
    }
    CHECK_EQ(s.server.num_connects, 1); /* garbage is no client */
    scene_close(&s);
}

static void descriptors_that_come_with_garbage_are_closed(void)
{
    unsigned char packet[64];
    struct scene s;
    unsigned i, k;
    int file;

    scene_open(&s);
    file = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK(file >= 0);
    for (i = 0; i < 100; i++) {
        int fd = raw_connect(&s.address, s.address_len);

        for (k = 0; k < sizeof(packet); k++)
            packet[k] = (unsigned char)rig_random(256);
        for (k = 0; k < 10 && raw_send(fd, packet, 1 + rig_random(64), file); k++)
            (void)comch_turn();
        COMCH_UNTIL(raw_is_closed(fd));
        close(fd);
    }
    close(file);
    scene_close(&s);
}

/* A packet of the protocol has at most three descriptors. */
static void packets_with_many_descriptors_do_not_disturb(void)
{
    unsigned char packet[64];
    struct scene s;
    unsigned i;
    int file;

    scene_open(&s);
    file = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK(file >= 0);
    memset(packet, 0, sizeof(packet));
    for (i = 0; i < 2 * RAW_FILES; i++) {
        int fd = raw_connect(&s.address, s.address_len);

        packet[0] = (unsigned char)(i % 8);
        CHECK(raw_send_files(fd, packet, 8 + i % 32, file, 1 + i % RAW_FILES));
        COMCH_UNTIL(raw_is_closed(fd));
        close(fd);
        check_health(&s);
    }
    close(file);
    scene_close(&s);
}

/* A packet of no bytes looks like the end of the connection, but may bring descriptors. */
static void descriptors_of_empty_packets_are_closed(void)
{
    struct scene s;
    unsigned i;
    int file;

    scene_open(&s);
    file = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK(file >= 0);
    for (i = 0; i < 20; i++) {
        int fd = raw_connect(&s.address, s.address_len);

        CHECK(raw_send_files(fd, "", 0, file, 1 + i % 3));
        COMCH_UNTIL(raw_is_closed(fd));
        close(fd);
    }
    close(file);
    scene_close(&s); /* counts the descriptors */
}

/* Connections that send nothing: some close at once, others stay open. */
static void silent_connections_do_not_disturb(void)
{
    struct scene s;
    int fds[SILENT];
    unsigned i;

    scene_open(&s);
    for (i = 0; i < 1000; i++) {
        int fd = raw_connect(&s.address, s.address_len);

        if (i % 3 != 0)
            (void)comch_turn();
        close(fd);
    }
    check_health(&s);
    for (i = 0; i < SILENT; i++)
        fds[i] = raw_connect(&s.address, s.address_len);
    comch_settle();
    check_health(&s);
    comch_stop(&s.client); /* another client finds the server beside them */
    COMCH_UNTIL(s.server.num_conns == 0);
    comch_forget_states(&s.client);
    comch_start_client(&s.client);
    COMCH_UNTIL(comch_runs(&s.client) && s.server.num_conns == 1);
    check_health(&s);
    for (i = 0; i < SILENT; i++)
        close(fds[i]);
    scene_close(&s);
}

/* Silent connections do not keep a server from stopping. */
static void server_stops_beside_silent_connections(void)
{
    struct scene s;
    int fds[SILENT];
    unsigned i;

    scene_open(&s);
    for (i = 0; i < SILENT; i++)
        fds[i] = raw_connect(&s.address, s.address_len);
    for (i = 0; i < 10; i++)
        (void)comch_turn();
    comch_stop(&s.server);
    COMCH_UNTIL(comch_is(&s.client, DOCA_CTX_STATE_IDLE) && s.client.num_conns == 0);
    for (i = 0; i < SILENT; i++) {
        COMCH_UNTIL(raw_is_closed(fds[i]));
        close(fds[i]);
    }
    comch_destroy(&s.client);
    comch_destroy(&s.server);
}

/* ---- recorded traffic ---- */

/* A session with messages, a consumer and a producer at both ends. */
static void run_session(struct comch_end *server, struct comch_end *client)
{
    struct comch_consumer consumer;
    struct comch_producer producer;
    unsigned i;

    for (i = 0; i < 2; i++) {
        struct comch_end *from = i == 0 ? client : server, *to = i == 0 ? server : client;
        unsigned seen = from->num_consumers, expired = from->num_expired;

        comch_deliver(from, to, source, 100);
        consumer_make(&consumer, to, NULL, sink, sizeof(sink), 2);
        producer_make(&producer, from, NULL, source, sizeof(source), 2);
        producer_start(&producer);
        consumer_start(&consumer);
        COMCH_UNTIL(from->num_consumers == seen + 1);
        consumer_post(&consumer, 0, 1000);
        producer_send(&producer, 0, 1000, consumer.id);
        COMCH_UNTIL(consumer.num_ok == 1 && producer.num_ok == 1);
        consumer_close(&consumer);
        producer_close(&producer);
        COMCH_UNTIL(from->num_expired == expired + 1);
    }
}

static void record_session(void)
{
    struct comch_end server, client;

    memset(&tape, 0, sizeof(tape));
    tape.is_recording = true;
    comch_open(&server, &client, 4);
    run_session(&server, &client);
    comch_close_both(&server, &client);
    tape.is_recording = false;
    CHECK(tape.num > 0);
}

/* Send recorded packets: in order, or not; unchanged, or damaged; with a descriptor, or without. */
static void replay(struct scene *s, unsigned round, int file)
{
    unsigned char packet[PACKET];
    int fd = raw_connect(&s->address, s->address_len);
    unsigned i, num = 1 + rig_random(12);
    size_t len;

    for (i = 0; i < num; i++) {
        unsigned which = round % 2 == 0 ? i % tape.num : rig_random(tape.num);

        len = tape.len[which];
        memcpy(packet, tape.bytes[which], len);
        if (i == num - 1 || rig_random(4) == 0)
            len = damage(packet, len);
        if (len > 0 && !raw_send(fd, packet, len, rig_random(3) == 0 ? file : -1))
            break;
        if (rig_random(2) == 0)
            (void)comch_turn();
    }
    for (i = 0; i < 10; i++)
        (void)comch_turn();
    (void)raw_is_closed(fd);
    close(fd);
}

static void damaged_recordings_only_cost_their_own_connection(void)
{
    struct scene s;
    unsigned i;
    int file;

    (void)rig_random(2);
    record_session();
    scene_open(&s);
    file = open("/dev/zero", O_RDWR | O_CLOEXEC);
    CHECK(file >= 0);
    for (i = 0; i < 10 * ROUNDS; i++) {
        replay(&s, i, file);
        if (i % 50 == 0)
            check_health(&s);
    }
    close(file);
    scene_close(&s);
}

/* ---- ends whose packets are damaged on the way ---- */

static void make_fast_path(struct comch_end *e, struct comch_consumer *consumer,
                           struct comch_producer *producer)
{
    consumer_make(consumer, e, NULL, sink, sizeof(sink), 4);
    producer_make(producer, e, NULL, source, sizeof(source), 4);
    (void)doca_ctx_start(producer->ctx);
    (void)doca_ctx_start(consumer->ctx);
}

/* For some turns, let the hostile end send messages, post buffers and send data. */
static void misbehave(struct comch_end *hostile, struct comch_end *victim, unsigned turns)
{
    struct comch_consumer consumer;
    struct comch_producer producer;
    bool is_fast = false;
    unsigned i;

    is_damaging = true;
    for (i = 0; i < turns; i++) {
        bool is_up = hostile->num_conns == 1 && comch_is(hostile, DOCA_CTX_STATE_RUNNING);

        if (is_up && !is_fast && i > 4) {
            is_fast = true;
            make_fast_path(hostile, &consumer, &producer);
        }
        if (is_up)
            (void)comch_try_send(hostile, hostile->conns[0], source, 50 + i);
        (void)comch_progress(hostile);
        if (is_fast) {
            struct doca_comch_producer_task_send *task = NULL;

            if (rig_state(producer.ctx) == DOCA_CTX_STATE_RUNNING &&
                doca_comch_producer_task_send_alloc_init(
                    producer.producer, NULL, source, 8, 1 + rig_random(3), &task) == DOCA_SUCCESS &&
                producer_submit(task) != DOCA_SUCCESS)
                producer_release(task);
            (void)comch_progress_pe(consumer.pe, &consumer.num_callbacks);
            (void)comch_progress_pe(producer.pe, &producer.num_callbacks);
        }
        is_damaging = false;
        (void)comch_progress(victim);
        is_damaging = true;
    }
    is_damaging = false;
    if (is_fast) {
        producer_close(&producer);
        consumer_close(&consumer);
    }
}

static void hostile_client_only_costs_its_own_connection(void)
{
    struct comch_end hostile;
    struct scene s;
    unsigned i;

    scene_open(&s);
    for (i = 0; i < ROUNDS; i++) {
        comch_make_client(&hostile, COMCH_HOST, s.name, 4);
        is_damaging = true;
        (void)doca_ctx_start(hostile.ctx);
        misbehave(&hostile, &s.server, 10 + rig_random(40));
        comch_close(&hostile);
        COMCH_UNTIL(s.server.num_conns == 1);
        if (i % 10 == 0)
            check_health(&s);
    }
    scene_close(&s);
}

/* A client that connects to a hostile server becomes idle, or keeps its state until the program
 * stops it. */
static void client_survives_a_hostile_server(void)
{
    struct comch_end hostile, client;
    char name[COMCH_NAME];
    unsigned i, num_files = 0;

    comch_begin();
    (void)rig_random(2);
    strcpy(name, comch_name());
    comch_make_client(&client, COMCH_HOST, name, 4);
    client.peer_is_hostile = true;
    for (i = 0; i < ROUNDS; i++) {
        if (i == 1)
            num_files = count_files();
        if (i > 1)
            CHECK_EQ(count_files(), num_files);
        comch_make_server(&hostile, COMCH_HOST, name, 4);
        comch_start_server(&hostile);
        comch_forget_states(&client);
        comch_start_client(&client);
        misbehave(&hostile, &client, 10 + rig_random(40));
        comch_close(&hostile);
        comch_stop(&client);
        COMCH_UNTIL(client.num_conns == 0);
        comch_settle();
    }
    comch_destroy(&client);
}

static const struct test_case cases[] = {
    CASE(garbage_only_costs_its_own_connection, ""),
    CASE(descriptors_that_come_with_garbage_are_closed, ""),
    CASE(packets_with_many_descriptors_do_not_disturb, ""),
    CASE(descriptors_of_empty_packets_are_closed, ""),
    CASE(silent_connections_do_not_disturb, ""),
    CASE(server_stops_beside_silent_connections, ""),
    CASE(damaged_recordings_only_cost_their_own_connection, ""),
    CASE(hostile_client_only_costs_its_own_connection, ""),
    CASE(client_survives_a_hostile_server, ""),
};

TEST_MAIN(cases)

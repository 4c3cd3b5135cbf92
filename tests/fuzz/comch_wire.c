/* Packets of the control path of Comch from a hostile program, which speaks through sockets of its
 * own: to a server that also has an honest client, and to a client that meets a hostile server. The
 * input chooses type, number, bytes and descriptors of each packet, and what the honest side does
 * between them.
 *
 * No send task is lost or completes twice, and no descriptor stays open. Afterwards the server
 * serves its honest client, and the client connects to an honest server. */
#include "local_fuzz.h"

#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#include "tools/compat/doca_core_comch.h"

#include "comch_data.h"

enum { STEPS = 60, TASKS = 4 };

static struct comch_end server, client; /* honest */
static struct comch_end *victim;
static char name[COMCH_NAME];
static int raws[LOCAL_RAWS]; /* sockets of the hostile program; -1: unused */
static int raw_listener;
static unsigned char bytes[LOCAL_PACKET];
static unsigned num_submitted;
static struct doca_priv_comch_lane lane; /* a ring as a consumer makes it */
static unsigned char sink[4096];

static void fuzz_set_up(void)
{
    struct doca_core_refusal why;

    local_open_files();
    memset(&lane, 0, sizeof(lane));
    CHECK(doca_priv_comch_lane_create(&lane, 4, 32, &why));
    snprintf(name, sizeof(name), "fuzz %u", (unsigned)getpid());
    share_fill(bytes, sizeof(bytes), 4);
}

/* ---- the hostile program ---- */

static void dial(unsigned i)
{
    struct doca_core_refusal why;

    if (raws[i] < 0)
        raws[i] = doca_priv_comch_dial(
            doca_priv_comch_function((struct doca_priv_comch *)(void *)victim->ctx), name, &why);
}

static void hang_up_raw(unsigned i)
{
    if (raws[i] >= 0)
        close(raws[i]);
    raws[i] = -1;
}

static size_t put_hello(unsigned char *at)
{
    struct doca_priv_comch_hello hello;

    memset(&hello, 0, sizeof(hello));
    hello.version = DOCA_PRIV_COMCH_VERSION;
    hello.max_msg = 100 + fuzz_byte() * 32u;
    memcpy(hello.name, name, sizeof(name));
    memcpy(at, &hello, sizeof(hello));
    return sizeof(hello);
}

/* Send a packet: mostly one of the protocol, perhaps damaged. */
static void send_packet(unsigned i)
{
    static const uint8_t types[] = { DOCA_PRIV_COMCH_HELLO,    DOCA_PRIV_COMCH_HELLO,
                                     DOCA_PRIV_COMCH_WELCOME,  DOCA_PRIV_COMCH_WELCOME,
                                     DOCA_PRIV_COMCH_REFUSED,  DOCA_PRIV_COMCH_MESSAGE,
                                     DOCA_PRIV_COMCH_CONSUMER, DOCA_PRIV_COMCH_CONSUMER,
                                     DOCA_PRIV_COMCH_EXPIRED };
    static unsigned char packet[LOCAL_PACKET];
    const unsigned how = fuzz_byte();
    struct doca_priv_local_head head;
    size_t len = sizeof(head);
    int fds[4];
    unsigned k, num_fds = 0;

    if (raws[i] < 0)
        return;
    head.type = how % 10 < 9 ? types[how % 10] : fuzz_byte();
    head.number = fuzz_byte() % 8;
    if (head.type == DOCA_PRIV_COMCH_WELCOME)
        head.number *= 600;
    if (head.type == DOCA_PRIV_COMCH_HELLO)
        len += put_hello(packet + len);
    if (head.type == DOCA_PRIV_COMCH_MESSAGE) {
        const size_t num = fuzz_below(sizeof(packet) - sizeof(head));

        memcpy(packet + len, bytes, num);
        len += num;
    }
    if (head.type == DOCA_PRIV_COMCH_CONSUMER || how / 10 % 8 == 0) {
        fds[0] = lane.memory_fd;
        fds[1] = lane.wake_fd;
        fds[2] = lane.room_fd;
        num_fds = 3;
        if (how / 10 % 2 == 0) {
            num_fds = fuzz_below(5);
            for (k = 0; k < num_fds; k++)
                fds[k] = local_files[fuzz_below(6)];
        }
    }
    memcpy(packet, &head, sizeof(head));
    if (how / 10 % 3 == 0)
        len = local_damage(packet, len, sizeof(packet));
    local_send_packet(raws[i], packet, len, fds, num_fds);
}

/* ---- the honest side ---- */

/* Send a message to a connection of the victim that the input chooses. */
static void send_message(void)
{
    struct doca_comch_task_send *task = NULL;
    struct doca_comch_connection *c;

    if (victim->num_conns == 0)
        return;
    c = victim->conns[fuzz_below(victim->num_conns)];
    if (comch_alloc(victim, c, bytes, fuzz_below(COMCH_MAX_MSG + 1), &task) != DOCA_SUCCESS)
        return;
    if (comch_submit(task) == DOCA_SUCCESS)
        num_submitted++;
    else
        doca_task_free(doca_comch_task_send_as_task(task));
}

/* A consumer and a producer live for a moment on a connection that the input chooses. */
static void use_fast_path(void)
{
    struct doca_comch_producer_task_send *task = NULL;
    struct comch_producer producer;
    struct comch_consumer consumer;
    struct doca_comch_connection *c;
    unsigned i, sent = 0;

    if (victim->num_conns == 0)
        return;
    c = victim->conns[victim->num_conns - 1];
    if (doca_comch_connection_update_info(c) != DOCA_SUCCESS)
        return;
    producer_make_on(&producer, victim->dev, c, NULL, bytes, sizeof(bytes), 2);
    consumer_make_on(&consumer, victim->dev, c, NULL, sink, sizeof(sink), 2);
    producer_start(&producer);
    CHECK(doca_ctx_start(consumer.ctx) != DOCA_SUCCESS);
    for (i = 0; i < 4; i++) {
        if (sent - producer.num_ok - producer.num_failed < 2) {
            task = producer_task(&producer, producer_buf(&producer, 0, 1u << fuzz_below(13)), NULL,
                                 0, fuzz_below(8));
            if (producer_submit(task) == DOCA_SUCCESS)
                sent++;
            else
                producer_release(task);
        }
        (void)comch_turn();
    }
    producer_close(&producer);
    consumer_close(&consumer);
    CHECK_EQ(producer.num_ok + producer.num_failed, sent);
}

static void misbehave(void)
{
    unsigned step, i;

    for (step = 0; step < STEPS && fuzz_left > 0; step++) {
        const unsigned how = fuzz_byte();

        i = how / 16 % LOCAL_RAWS;
        switch (how % 16) {
        case 0:
            if (victim == &server)
                dial(i);
            else if (raws[i] < 0)
                raws[i] = doca_priv_local_accept(raw_listener);
            break;
        case 1:
            hang_up_raw(i);
            break;
        case 2:
            if (raws[i] >= 0)
                local_drop_packets(raws[i]);
            break;
        case 3:
            send_message();
            break;
        case 4:
            use_fast_path();
            break;
        case 5:
        case 6:
        case 7:
            (void)comch_turn();
            break;
        default:
            if (raws[i] < 0 && victim == &server)
                dial(i);
            else if (raws[i] < 0)
                raws[i] = doca_priv_local_accept(raw_listener);
            send_packet(i);
        }
    }
}

/* Progress everything until nothing has happened for some calls. A context that has found nothing
 * looks at its sockets in one of 16 calls only. */
static void settle(void)
{
    unsigned idle;

    for (idle = 0; idle < 40; idle++)
        if (comch_turn())
            idle = 0;
}

static void hang_up_all(void)
{
    unsigned i;

    for (i = 0; i < LOCAL_RAWS; i++)
        hang_up_raw(i);
}

/* ---- the two victims ---- */

static void check_server(void)
{
    comch_make_server(&server, COMCH_HOST, name, TASKS);
    comch_make_client(&client, COMCH_HOST, name, TASKS);
    server.peer_is_hostile = true;
    victim = &server;
    comch_start_server(&server);
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    misbehave();
    hang_up_all();
    COMCH_UNTIL(server.num_connects == server.num_disconnects + 1);
    settle();
    CHECK_EQ(server.num_conns, 1);
    CHECK_EQ(server.num_sent + server.num_failed, num_submitted);
    comch_deliver(&client, &server, bytes, 333);
    server.num_failed = 0;
    comch_deliver(&server, &client, bytes + 7, 444);
    comch_close_both(&server, &client);
}

/* The client connects to a hostile server and, after it, to an honest one. */
static void check_client(void)
{
    struct doca_core_refusal why;

    comch_make_client(&client, COMCH_HOST, name, TASKS);
    client.peer_is_hostile = true;
    victim = &client;
    raw_listener = doca_priv_comch_listen(
        doca_priv_comch_function((struct doca_priv_comch *)(void *)client.ctx), name, &why);
    CHECK(raw_listener >= 0);
    comch_start_client(&client);
    (void)comch_turn();
    misbehave();
    hang_up_all();
    close(raw_listener);
    COMCH_UNTIL(comch_is(&client, DOCA_CTX_STATE_IDLE));
    settle();
    CHECK_EQ(client.num_sent + client.num_failed, num_submitted);
    comch_make_server(&server, COMCH_HOST, name, TASKS);
    comch_start_server(&server);
    comch_forget_states(&client);
    client.num_failed = 0;
    comch_start_client(&client);
    COMCH_UNTIL(comch_runs(&client) && server.num_conns == 1);
    comch_deliver(&client, &server, bytes, 333);
    comch_deliver(&server, &client, bytes + 7, 444);
    comch_close_both(&server, &client);
}

static void fuzz_run_input(void)
{
    const unsigned num_files = local_count_files();
    unsigned i;

    for (i = 0; i < LOCAL_RAWS; i++)
        raws[i] = -1;
    num_submitted = 0;
    if (fuzz_byte() % 2 == 0)
        check_server();
    else
        check_client();
    local_check_files(num_files);
}

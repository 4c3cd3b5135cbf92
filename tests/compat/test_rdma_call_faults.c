/* DOCA RDMA with injected faults (>>fault) in the calls that ask for a connection by address,
 * accept it, reject it and end it. Both ends live in one thread, and their devices have fault
 * injection. RDMA devices have connections by address only with DOCA_CORE_RDMA_CM; without it, the
 * cases that need them are left out there. */
#include "rdma_ops.h"

#include <arpa/inet.h>

enum { BYTES = 1 << 14, PART = 256, THERE = 2048 };

static _Alignas(64) unsigned char memory[2][BYTES];

/* A client, and a server that listens. They are not connected. */
struct scene {
    struct rdma_end client, server;
    struct doca_rdma_addr *addr;
};

static void fault_text(const char *text)
{
    CHECK_OK(doca_core_fault_set(text));
}

/* Fault number `number` has this operation and action. */
static void check_record(uint64_t number, const char *operation, const char *action)
{
    struct doca_core_fault_record record;

    CHECK_OK(doca_core_fault_get_record(number, &record));
    CHECK_STR(record.operation, operation);
    CHECK_STR(record.action, action);
}

/* Return a port that no other case uses, and most likely no other program. */
static uint16_t new_port(void)
{
    static unsigned serial;

    return (uint16_t)(2000 + ((unsigned)getpid() * 41 + serial++) % 60000);
}

/* ---- request callbacks of a server ---- */

static doca_error_t answer; /* result of accept or reject in the latest request callback */

static void accept_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    answer = doca_rdma_connection_accept(c, NULL, 0);
}

static void reject_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    e->user = c;
    answer = doca_rdma_connection_reject(c);
}

/* ---- set-up ---- */

static void open_ends(struct scene *s)
{
    unsigned i;

    fault_text("log=0");
    memset(s, 0, sizeof(*s));
    for (i = 0; i < 2; i++)
        share_fill(memory[i], BYTES, i);
    rdma_open(&s->client, memory[0], BYTES);
    rdma_make_on(&s->server, test_other() != NULL ? rig_open_nth_dev(1) : rig_open_dev(NULL),
                 memory[1], BYTES, RDMA_ALL);
    rdma_start(&s->server);
}

static void close_ends(struct scene *s)
{
    fault_text(NULL);
    rdma_close_both(&s->server, &s->client);
}

/* Open both ends, and let the server listen. */
static void scene_open(struct scene *s,
                       void (*on_request)(struct rdma_end *e, struct doca_rdma_connection *c))
{
    const uint16_t port = new_port();
    char text[INET_ADDRSTRLEN] = "127.0.0.1";
    uint8_t ipv4[4];
    doca_error_t rc;

    open_ends(s);
    s->server.on_request = on_request;
    rc = doca_rdma_start_listen_to_port(s->server.rdma, port);
    if (rc == DOCA_ERROR_NOT_SUPPORTED && test_other() != NULL) {
        close_ends(s);
        test_skip("this build of RDMA devices has no connections by address");
    }
    CHECK_OK(rc);
    if (test_other() != NULL) {
        CHECK_OK(doca_devinfo_get_ipv4_addr(doca_dev_as_devinfo(s->server.dev), ipv4, 4));
        CHECK(inet_ntop(AF_INET, ipv4, text, sizeof(text)) != NULL);
    }
    CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, text, port, &s->addr));
}

static void scene_close(struct scene *s)
{
    rdma_stop(&s->client);
    CHECK_OK(doca_rdma_addr_destroy(s->addr));
    close_ends(s);
}

static doca_error_t try_ask(struct scene *s)
{
    s->client.conn = s->server.conn = NULL;
    return doca_rdma_connect_to_addr(s->client.rdma, s->addr, (union doca_data){ .u64 = 5 });
}

static void check_established(struct scene *s, unsigned num)
{
    RDMA_UNTIL(s->client.num_established == num && s->server.num_established == num);
    rdma_deliver(&s->client, &s->server, 0, THERE, PART);
}

/* Connect both ends by export. */
static void join(struct scene *s)
{
    const unsigned num = s->client.num_established;

    rdma_join(&s->client, &s->server);
    RDMA_UNTIL(s->client.num_established == num + 1 && s->server.num_established == num + 1);
}

/* ---- disconnect ---- */

static void connection_stays_when_its_disconnect_fails(void)
{
    struct scene s;

    open_ends(&s);
    join(&s);
    fault_text("rdma.disconnect=fail:NOT_PERMITTED@1,rdma.disconnect=again@2,log=0");
    CHECK_RC(doca_rdma_connection_disconnect(s.client.conn), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_rdma_connection_disconnect(s.client.conn), DOCA_ERROR_AGAIN);
    rdma_settle();
    CHECK_EQ(s.client.num_disconnects + s.server.num_disconnects, 0);
    rdma_deliver(&s.client, &s.server, 0, THERE, PART);
    CHECK_OK(doca_rdma_connection_disconnect(s.client.conn));
    RDMA_UNTIL(s.client.num_disconnects == 1 && s.server.num_disconnects == 1);
    CHECK_EQ(doca_core_fault_get_num(), 2);
    check_record(1, "rdma.disconnect", "fail");
    check_record(2, "rdma.disconnect", "again");
    close_ends(&s);
}

static doca_error_t end_rc;

static void end_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    end_rc = doca_rdma_connection_disconnect(c);
}

/* The call in the disconnection callback ends nothing, because the connection has ended, so no rule
 * counts it. The entry of the connection is free for another one. */
static void disconnect_of_an_ended_connection_cannot_fail(void)
{
    struct scene s;

    open_ends(&s);
    s.client.keeps_lost = s.server.keeps_lost = true;
    s.server.on_disconnect = end_it;
    join(&s);
    fault_text("rdma.disconnect=fail:UNEXPECTED@2,log=0");
    CHECK_OK(doca_rdma_connection_disconnect(s.client.conn));
    RDMA_UNTIL(s.client.num_disconnects == 1 && s.server.num_disconnects == 1);
    CHECK_OK(end_rc);
    join(&s);
    rdma_deliver(&s.client, &s.server, 0, THERE, PART);
    CHECK_EQ(doca_core_fault_get_num(), 0);
    close_ends(&s);
}

static void disconnect_can_lose_the_device(void)
{
    struct scene s;

    open_ends(&s);
    join(&s);
    s.client.keeps_lost = s.server.keeps_lost = true;
    fault_text("rdma.disconnect=lose,log=0");
    CHECK_RC(doca_rdma_connection_disconnect(s.client.conn), DOCA_ERROR_DRIVER);
    RDMA_UNTIL(rdma_is(&s.client, DOCA_CTX_STATE_IDLE));
    CHECK_RC(doca_ctx_start(s.client.ctx), DOCA_ERROR_DRIVER);
    close_ends(&s);
}

/* ---- by address ---- */

/* The request waits on after a failed reject: it can be rejected or accepted later. */
static void request_waits_when_its_reject_fails(void)
{
    struct scene s;

    scene_open(&s, reject_it);
    fault_text("rdma.reject=fail:BAD_STATE@1,rdma.reject=again@3,log=0");
    CHECK_OK(try_ask(&s));
    RDMA_UNTIL(s.server.num_requests == 1);
    CHECK_RC(answer, DOCA_ERROR_BAD_STATE);
    CHECK_EQ(s.client.num_failures, 0);
    CHECK_OK(doca_rdma_connection_reject(s.server.user));
    RDMA_UNTIL(s.client.num_failures == 1);

    CHECK_OK(try_ask(&s));
    RDMA_UNTIL(s.server.num_requests == 2);
    CHECK_RC(answer, DOCA_ERROR_AGAIN);
    CHECK_OK(doca_rdma_connection_accept(s.server.user, NULL, 0));
    check_established(&s, 1);
    CHECK_EQ(s.client.num_failures, 1);
    CHECK_EQ(doca_core_fault_get_num(), 2);
    check_record(1, "rdma.reject", "fail");
    check_record(2, "rdma.reject", "again");
    scene_close(&s);
}

/* Rules for rdma.accept count only calls of accept. After a failed accept, the client gets its
 * failure callback. */
static void accept_fails_alone(void)
{
    struct scene s;

    scene_open(&s, accept_it);
    fault_text("rdma.accept=fail:TIME_OUT@1,rdma.accept=again@2,log=0");
    CHECK_OK(try_ask(&s));
    RDMA_UNTIL(s.client.num_failures == 1);
    CHECK_RC(answer, DOCA_ERROR_TIME_OUT);
    CHECK_OK(try_ask(&s));
    RDMA_UNTIL(s.client.num_failures == 2);
    CHECK_RC(answer, DOCA_ERROR_AGAIN);
    CHECK_OK(try_ask(&s));
    check_established(&s, 1);
    CHECK_EQ(doca_core_fault_get_num(), 2);
    check_record(1, "rdma.accept", "fail");
    check_record(2, "rdma.accept", "again");
    scene_close(&s);
}

/* A failed doca_rdma_connect_to_addr() sends no request, so the server gets no request callback. */
static void connect_to_addr_fails_alone(void)
{
    struct scene s;

    scene_open(&s, accept_it);
    fault_text("rdma.connect_to_addr=fail:NOT_FOUND@1,rdma.connect_to_addr=again@2,log=0");
    CHECK_RC(try_ask(&s), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(try_ask(&s), DOCA_ERROR_AGAIN);
    rdma_settle();
    CHECK_EQ(s.server.num_requests + s.client.num_failures, 0);
    CHECK_OK(try_ask(&s));
    check_established(&s, 1);
    CHECK_OK(answer);
    CHECK_EQ(doca_core_fault_get_num(), 2);
    check_record(1, "rdma.connect_to_addr", "fail");
    check_record(2, "rdma.connect_to_addr", "again");
    scene_close(&s);
}

/* A rule for rdma.connect is for both calls as well, and a rule that names a call twice counts it
 * once: the client asks (1), the server accepts (2), the client asks (3), the server accepts
 * (4). */
static void rule_for_connect_counts_each_call_once(void)
{
    struct scene s;

    scene_open(&s, accept_it);
    fault_text("rdma.connect=fail:EMPTY@2,rdma.*=fail:FULL@4,log=0");
    CHECK_OK(try_ask(&s));
    RDMA_UNTIL(s.client.num_failures == 1);
    CHECK_RC(answer, DOCA_ERROR_EMPTY);
    CHECK_OK(try_ask(&s));
    RDMA_UNTIL(s.client.num_failures == 2);
    CHECK_RC(answer, DOCA_ERROR_FULL);
    CHECK_EQ(doca_core_fault_get_num(), 2);
    check_record(1, "rdma.connect", "fail");
    check_record(2, "rdma.accept", "fail");
    fault_text("log=0");
    CHECK_OK(try_ask(&s));
    check_established(&s, 1);
    scene_close(&s);
}

/* doca_rdma_connect() is not a call by address. */
static void rules_by_address_do_not_match_connections_by_export(void)
{
    struct scene s;

    open_ends(&s);
    fault_text("rdma.connect_to_addr=fail,rdma.accept=fail,rdma.reject=fail,log=0");
    join(&s);
    rdma_deliver(&s.client, &s.server, 0, THERE, PART);
    CHECK_EQ(doca_core_fault_get_num(), 0);
    close_ends(&s);
}

static const struct test_case cases[] = {
    CASE(connection_stays_when_its_disconnect_fails, ""),
    CASE(disconnect_of_an_ended_connection_cannot_fail, ""),
    CASE(disconnect_can_lose_the_device, ""),
    CASE(request_waits_when_its_reject_fails, ""),
    CASE(accept_fails_alone, ""),
    CASE(connect_to_addr_fails_alone, ""),
    CASE(rule_for_connect_counts_each_call_once, ""),
    CASE(rules_by_address_do_not_match_connections_by_export, ""),
};

TEST_MAIN(cases)

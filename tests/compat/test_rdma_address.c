/* DOCA RDMA: connections by address. Addresses, listening, accept and reject inside and outside of
 * the callback, the callbacks of both sides with their data, disconnection, and wrong calls. */
#include "rdma_ops.h"

enum { BYTES = 1 << 16, PEERS = 6, OF_CLIENT = 1234, OF_SERVER = 4321 };

static _Alignas(64) unsigned char memory[2 + PEERS][BYTES];

/* Return a port that no other case uses, and most likely no other program. */
static uint16_t new_port(void)
{
    static unsigned serial;

    return (uint16_t)(2000 + ((unsigned)getpid() * 37 + serial++) % 60000);
}

static struct doca_rdma_addr *address_of(uint16_t port)
{
    struct doca_rdma_addr *addr = NULL;

    CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", port, &addr));
    CHECK(addr != NULL);
    return addr;
}

/* ---- what a server does with a request ---- */

static void accept_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    CHECK_OK(doca_rdma_connection_set_user_data(c, (union doca_data){ .u64 = OF_SERVER }));
    CHECK_OK(doca_rdma_connection_accept(c, NULL, 0));
}

static void reject_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    CHECK_OK(doca_rdma_connection_reject(c));
}

static void keep_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    e->user = c;
}

struct scene {
    struct rdma_end server, client;
    uint16_t port;
    struct doca_rdma_addr *addr;
};

/* Start a server that listens and a client; they are not connected. */
static void scene_open(struct scene *s, uint16_t max_connections,
                       void (*on_request)(struct rdma_end *e, struct doca_rdma_connection *c))
{
    unsigned i;

    for (i = 0; i < 2 + PEERS; i++)
        share_fill(memory[i], BYTES, i);
    rdma_make(&s->server, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(s->server.rdma, max_connections));
    rdma_start(&s->server);
    s->server.on_request = on_request;
    s->port = new_port();
    CHECK_OK(doca_rdma_start_listen_to_port(s->server.rdma, s->port));
    rdma_open(&s->client, memory[1], BYTES);
    s->addr = address_of(s->port);
}

static void scene_close(struct scene *s)
{
    rdma_stop(&s->client);
    CHECK_OK(doca_rdma_addr_destroy(s->addr));
    rdma_close_both(&s->server, &s->client);
}

static void ask(struct rdma_end *client, struct doca_rdma_addr *addr)
{
    client->conn = NULL;
    CHECK_OK(doca_rdma_connect_to_addr(client->rdma, addr, (union doca_data){ .u64 = OF_CLIENT }));
}

/* Connect the client, with a server that accepts, and check the connection. */
static void scene_connect(struct scene *s)
{
    unsigned of_server = s->server.num_established, of_client = s->client.num_established;

    s->server.conn = NULL;
    ask(&s->client, s->addr);
    RDMA_UNTIL(s->server.num_established == of_server + 1 &&
               s->client.num_established == of_client + 1);
    CHECK_EQ(s->client.conn_data.u64, OF_CLIENT);
    CHECK_EQ(s->server.conn_data.u64, OF_SERVER);
    rdma_deliver(&s->client, &s->server, 0, 4096, 1000);
    CHECK_PTR(rdma_latest(&s->server)->from, s->server.conn);
    rdma_deliver(&s->server, &s->client, 0, 8192, 2000);
    CHECK_PTR(rdma_latest(&s->client)->from, s->client.conn);
}

/* ---- addresses ---- */

static void address_keeps_type_text_and_port(void)
{
    static const struct {
        enum doca_rdma_addr_type type;
        const char *text;
    } good[] = {
        { DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1" },
        { DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.255" },
        { DOCA_RDMA_ADDR_TYPE_IPv6, "::1" },
        { DOCA_RDMA_ADDR_TYPE_IPv6, "2001:db8::1" },
        { DOCA_RDMA_ADDR_TYPE_GID, "fe80:0000:0000:0000:0202:c9ff:fe00:0001" },
        { DOCA_RDMA_ADDR_TYPE_GID, "0000:0000:0000:0000:0000:ffff:c000:0201" },
        { DOCA_RDMA_ADDR_TYPE_GID, "fe80::1" },
    };
    size_t i;

    for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        enum doca_rdma_addr_type type = DOCA_RDMA_ADDR_TYPE_IPv4;
        struct doca_rdma_addr *addr = NULL;
        const char *text = NULL;
        char copy[64];
        uint16_t port = 0;

        strcpy(copy, good[i].text);
        CHECK_OK(doca_rdma_addr_create(good[i].type, copy, (uint16_t)(13579 + i), &addr));
        memset(copy, 'x', sizeof(copy));
        CHECK_OK(doca_rdma_addr_get_params(addr, &type, &text, &port));
        CHECK_EQ(type, good[i].type);
        CHECK_STR(text, good[i].text);
        CHECK_EQ(port, 13579 + i);
        CHECK_RC(doca_rdma_addr_get_params(NULL, &type, &text, &port), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_rdma_addr_get_params(addr, NULL, &text, &port), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_rdma_addr_get_params(addr, &type, NULL, &port), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_rdma_addr_get_params(addr, &type, &text, NULL), DOCA_ERROR_INVALID_VALUE);
        CHECK_OK(doca_rdma_addr_destroy(addr));
    }
}

static void text_that_is_no_address_is_refused(void)
{
    static const struct {
        enum doca_rdma_addr_type type;
        const char *text;
    } bad[] = {
        { DOCA_RDMA_ADDR_TYPE_IPv4, NULL },
        { DOCA_RDMA_ADDR_TYPE_IPv4, "" },
        { DOCA_RDMA_ADDR_TYPE_IPv4, "localhost" },
        { DOCA_RDMA_ADDR_TYPE_IPv4, "::1" },
        { DOCA_RDMA_ADDR_TYPE_IPv4, "1.2.3" },
        { DOCA_RDMA_ADDR_TYPE_IPv4, "1.2.3.256" },
        { DOCA_RDMA_ADDR_TYPE_IPv4, "1.2.3.4.5" },
        { DOCA_RDMA_ADDR_TYPE_IPv4, "1.2.3.4 " },
        { DOCA_RDMA_ADDR_TYPE_IPv4, "1111111111111111111111111111111111111111111.2.3.4" },
        { DOCA_RDMA_ADDR_TYPE_IPv6, NULL },
        { DOCA_RDMA_ADDR_TYPE_IPv6, "" },
        { DOCA_RDMA_ADDR_TYPE_IPv6, "127.0.0.1" },
        { DOCA_RDMA_ADDR_TYPE_IPv6, ":::1" },
        { DOCA_RDMA_ADDR_TYPE_IPv6, "1::2::3" },
        { DOCA_RDMA_ADDR_TYPE_IPv6, "1:2:3:4:5:6:7:8:9" },
        { DOCA_RDMA_ADDR_TYPE_IPv6, "12345::" },
        { DOCA_RDMA_ADDR_TYPE_GID, NULL },
        { DOCA_RDMA_ADDR_TYPE_GID, "" },
        { DOCA_RDMA_ADDR_TYPE_GID, "127.0.0.1" },
        { DOCA_RDMA_ADDR_TYPE_GID, "fe80:zz::1" },
        { (enum doca_rdma_addr_type)3, "127.0.0.1" },
        { (enum doca_rdma_addr_type)77, "::1" },
    };
    struct doca_rdma_addr *addr = NULL;
    size_t i;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (doca_rdma_addr_create(bad[i].type, bad[i].text, 13579, &addr) !=
            DOCA_ERROR_INVALID_VALUE)
            test_fail(__FILE__, __LINE__, "\"%s\" is not refused as type %d",
                      bad[i].text != NULL ? bad[i].text : "NULL", (int)bad[i].type);
    CHECK_RC(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 13579, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(addr, NULL);
    CHECK_RC(doca_rdma_addr_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
}

/* ---- one connection ---- */

static void accepted_connection_works_in_both_directions(void)
{
    struct scene s;

    scene_open(&s, 1, accept_it);
    rdma_settle();
    CHECK_EQ(s.server.num_callbacks + s.client.num_callbacks, 2); /* IDLE to RUNNING */
    scene_connect(&s);
    rdma_settle();
    CHECK_EQ(s.server.num_requests, 1);
    CHECK_EQ(s.server.num_established, 1);
    CHECK_EQ(s.client.num_requests, 0);
    CHECK_EQ(s.server.num_failures + s.client.num_failures, 0);
    CHECK_EQ(s.server.num_disconnects + s.client.num_disconnects, 0);
    scene_close(&s);
}

static void each_type_of_address_reaches_the_server(void)
{
    static const char *const texts[] = { "127.0.0.1", "::1", NULL };
    struct doca_rdma_gid gid;
    char text[64], *at = text;
    struct scene s;
    unsigned i;

    scene_open(&s, 3, accept_it);
    CHECK_OK(doca_rdma_cap_get_gid(doca_dev_as_devinfo(s.server.dev), 0, 1, &gid));
    for (i = 0; i < DOCA_GID_BYTE_LENGTH; i++) {
        *at++ = "0123456789abcdef"[gid.raw[i] >> 4];
        *at++ = "0123456789abcdef"[gid.raw[i] & 15];
        if (i % 2 && i < 15)
            *at++ = ':';
    }
    *at = '\0';
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_rdma_addr_destroy(s.addr));
        CHECK_OK(doca_rdma_addr_create((enum doca_rdma_addr_type)i,
                                       texts[i] != NULL ? texts[i] : text, s.port, &s.addr));
        scene_connect(&s);
        CHECK_OK(doca_rdma_connection_disconnect(s.client.conn));
        RDMA_UNTIL(s.client.num_disconnects == i + 1 && s.server.num_disconnects == i + 1);
        rdma_settle();
    }
    scene_close(&s);
}

static void accept_may_come_after_the_callback(void)
{
    struct scene s;

    scene_open(&s, 1, keep_it);
    ask(&s.client, s.addr);
    RDMA_UNTIL(s.server.num_requests == 1);
    rdma_settle();
    CHECK_EQ(s.client.num_established + s.server.num_established, 0);
    accept_it(&s.server, s.server.user);
    RDMA_UNTIL(s.client.num_established == 1 && s.server.num_established == 1);
    CHECK_PTR(s.server.conn, s.server.user);
    CHECK_EQ(s.server.conn_data.u64, OF_SERVER);
    rdma_deliver(&s.client, &s.server, 0, 4096, 1000);
    scene_close(&s);
}

static void rejected_client_gets_the_failure_callback(void)
{
    struct scene s;
    unsigned i;

    scene_open(&s, 1, reject_it);
    for (i = 0; i < 10; i++) {
        s.server.on_request = i % 2 ? keep_it : reject_it;
        ask(&s.client, s.addr);
        RDMA_UNTIL(s.server.num_requests == i + 1);
        if (i % 2) {
            rdma_settle();
            CHECK_EQ(s.client.num_failures, i);
            reject_it(&s.server, s.server.user);
        }
        RDMA_UNTIL(s.client.num_failures == i + 1);
        CHECK_EQ(s.client.conn_data.u64, OF_CLIENT);
        s.client.conn_data.u64 = 0;
    }
    rdma_settle();
    CHECK_EQ(s.client.num_failures, 10);
    CHECK_EQ(s.client.num_established + s.server.num_established, 0);
    s.server.on_request = accept_it; /* rejected requests have not used up a connection */
    scene_connect(&s);
    scene_close(&s);
}

static void client_without_a_server_gets_the_failure_callback(void)
{
    struct doca_rdma_addr *nowhere = address_of(new_port());
    struct scene s;
    unsigned i;

    scene_open(&s, 1, accept_it);
    for (i = 0; i < 5; i++) {
        ask(&s.client, nowhere);
        RDMA_UNTIL(s.client.num_failures == i + 1);
        CHECK_EQ(s.client.conn_data.u64, OF_CLIENT);
        s.client.conn_data.u64 = 0;
    }
    rdma_settle();
    CHECK_EQ(s.client.num_failures, 5);
    CHECK_OK(doca_rdma_addr_destroy(nowhere));
    scene_connect(&s);
    scene_close(&s);
}

/* The server does not answer before the client's time limit. The accept after that may fail, or may
 * give a connection that soon ends. */
static void request_timeout_ends_the_attempt(void)
{
    uint64_t begin, took;
    struct scene s;
    doca_error_t rc;

    scene_open(&s, 1, keep_it);
    rdma_stop(&s.client);
    CHECK_OK(doca_rdma_set_connection_request_timeout(s.client.rdma, 300));
    rdma_start(&s.client);
    begin = rdma_now_ms();
    ask(&s.client, s.addr);
    RDMA_UNTIL(s.server.num_requests == 1);
    RDMA_UNTIL(s.client.num_failures == 1);
    took = rdma_now_ms() - begin;
    CHECK(took >= 250 && took < 5000);
    CHECK_EQ(s.client.conn_data.u64, OF_CLIENT);
    rdma_settle();
    rc = doca_rdma_connection_accept(s.server.user, NULL, 0);
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_CONNECTION_ABORTED ||
          rc == DOCA_ERROR_INVALID_VALUE);
    rdma_settle();
    CHECK_EQ(s.client.num_established, 0);
    CHECK_EQ(s.client.num_failures, 1);
    s.server.on_request = accept_it; /* the only connection of the server is free */
    s.server.num_established = 0;
    scene_connect(&s);
    scene_close(&s);
}

static void private_data_is_ignored(void)
{
    unsigned char data[255] = { 1, 2, 3 };
    struct scene s;
    unsigned i;

    scene_open(&s, 1, keep_it);
    for (i = 0; i < 3; i++) {
        ask(&s.client, s.addr);
        RDMA_UNTIL(s.server.num_requests == i + 1);
        CHECK_OK(doca_rdma_connection_accept(s.server.user, data, (uint8_t)(i * 127 + 1)));
        RDMA_UNTIL(s.client.num_established == i + 1 && s.server.num_established == i + 1);
        CHECK_OK(doca_rdma_connection_disconnect(s.server.user));
        RDMA_UNTIL(s.client.num_disconnects == i + 1 && s.server.num_disconnects == i + 1);
        rdma_settle();
    }
    scene_close(&s);
}

/* ---- ports ---- */

static void established_connections_outlive_the_listening(void)
{
    struct scene s;

    scene_open(&s, 2, accept_it);
    scene_connect(&s);
    CHECK_OK(doca_rdma_stop_listen_to_port(s.server.rdma, s.port));
    rdma_deliver(&s.client, &s.server, 0, 4096, 1000);
    rdma_deliver(&s.server, &s.client, 0, 4096, 1000);
    rdma_stop(&s.client);
    rdma_start(&s.client);
    ask(&s.client, s.addr);
    RDMA_UNTIL(s.client.num_failures == 1);
    CHECK_EQ(s.server.num_requests, 1);
    CHECK_OK(doca_rdma_start_listen_to_port(s.server.rdma, s.port));
    scene_connect(&s);
    scene_close(&s);
}

/* The reference does not document the error. */
static bool is_in_use(doca_error_t rc)
{
    return rc == DOCA_ERROR_IN_USE || rc == DOCA_ERROR_CONNECTION_ABORTED;
}

static void port_has_one_listener(void)
{
    struct rdma_end other;
    struct scene s;
    doca_error_t rc;

    scene_open(&s, 2, accept_it);
    rdma_open(&other, memory[2], BYTES);
    CHECK(is_in_use(doca_rdma_start_listen_to_port(other.rdma, s.port)));
    rc = doca_rdma_start_listen_to_port(s.server.rdma, s.port);
    CHECK(is_in_use(rc) || rc == DOCA_ERROR_BAD_STATE);
    scene_connect(&s); /* reaches the first one */
    CHECK_EQ(other.num_requests, 0);
    CHECK_RC(doca_rdma_stop_listen_to_port(other.rdma, s.port), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_rdma_stop_listen_to_port(s.server.rdma, s.port));
    CHECK_RC(doca_rdma_stop_listen_to_port(s.server.rdma, s.port), DOCA_ERROR_INVALID_VALUE);
    other.on_request = accept_it;
    CHECK_OK(doca_rdma_start_listen_to_port(other.rdma, s.port));
    rdma_stop(&s.client);
    rdma_start(&s.client);
    ask(&s.client, s.addr);
    RDMA_UNTIL(other.num_established == 1 && s.client.num_established == 2);
    rdma_close(&other);
    scene_close(&s);
}

static void stop_of_the_server_frees_its_port(void)
{
    struct scene s;
    unsigned i;

    scene_open(&s, 2, accept_it);
    for (i = 0; i < 10; i++) {
        scene_connect(&s);
        rdma_stop(&s.server);
        RDMA_UNTIL(s.client.num_disconnects == i + 1);
        ask(&s.client, s.addr);
        RDMA_UNTIL(s.client.num_failures == i + 1);
        rdma_start(&s.server);
        rdma_forget_states(&s.server);
        CHECK_OK(doca_rdma_start_listen_to_port(s.server.rdma, s.port));
    }
    scene_close(&s);
}

static void instance_may_listen_on_two_ports(void)
{
    struct doca_rdma_addr *second;
    struct rdma_end other;
    struct scene s;
    uint16_t port = new_port();

    scene_open(&s, 2, accept_it);
    CHECK_OK(doca_rdma_start_listen_to_port(s.server.rdma, port));
    second = address_of(port);
    rdma_open(&other, memory[2], BYTES);
    scene_connect(&s);
    ask(&other, second);
    RDMA_UNTIL(other.num_established == 1 && s.server.num_established == 2);
    rdma_deliver(&other, &s.server, 0, 4096, 1000);
    CHECK_OK(doca_rdma_stop_listen_to_port(s.server.rdma, s.port));
    rdma_close(&other);
    CHECK_OK(doca_rdma_addr_destroy(second));
    scene_close(&s);
}

/* ---- several clients ---- */

static void several_clients_have_one_server(void)
{
    struct rdma_end clients[PEERS];
    struct scene s;
    unsigned i, k;

    scene_open(&s, PEERS, accept_it);
    for (i = 0; i < PEERS; i++) {
        rdma_open(&clients[i], memory[2 + i], BYTES);
        ask(&clients[i], s.addr);
    }
    RDMA_UNTIL(s.server.num_established == PEERS);
    for (i = 0; i < PEERS; i++)
        RDMA_UNTIL(clients[i].num_established == 1);
    for (k = 0; k < 3; k++)
        for (i = 0; i < PEERS; i++)
            rdma_deliver(&clients[i], &s.server, i, 4096, 100 + i);
    rdma_settle();
    ask(&s.client, s.addr); /* one more: refused without a request */
    RDMA_UNTIL(s.client.num_failures == 1);
    CHECK_EQ(s.server.num_requests, PEERS);
    for (i = 0; i < PEERS; i++) {
        rdma_close(&clients[i]);
        RDMA_UNTIL(s.server.num_disconnects == i + 1);
        CHECK_EQ(s.server.conn_data.u64, OF_SERVER);
    }
    s.server.num_established = s.client.num_established = 0;
    scene_connect(&s);
    scene_close(&s);
}

/* ---- the end ---- */

/* The callbacks of the ends call disconnect for the lost connection, as public programs do. */
static void disconnect_of_either_side_reaches_the_other(void)
{
    struct scene s;
    unsigned i;

    scene_open(&s, 1, accept_it);
    for (i = 0; i < 20; i++) {
        scene_connect(&s);
        CHECK_OK(doca_rdma_connection_disconnect(i % 2 ? s.server.conn : s.client.conn));
        RDMA_UNTIL(s.server.num_disconnects == i + 1 && s.client.num_disconnects == i + 1);
        rdma_settle();
        CHECK_EQ(s.server.num_disconnects + s.client.num_disconnects, 2 * (i + 1));
    }
    CHECK(rdma_is(&s.server, DOCA_CTX_STATE_RUNNING));
    CHECK(rdma_is(&s.client, DOCA_CTX_STATE_RUNNING));
    scene_close(&s);
}

static void stop_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    doca_error_t rc = doca_ctx_stop(e->ctx);

    (void)c;
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    e->keeps_lost = true; /* the connection has ended with the stop */
}

static void context_may_be_stopped_in_the_disconnection_callback(void)
{
    struct scene s;

    scene_open(&s, 1, accept_it);
    scene_connect(&s);
    s.server.on_disconnect = stop_it;
    rdma_post(&s.server, 0, 100, 1);
    rdma_stop(&s.client);
    RDMA_UNTIL(rdma_is(&s.server, DOCA_CTX_STATE_IDLE));
    CHECK_EQ(s.server.num_disconnects, 1);
    CHECK_STR(s.server.states, "IR RP PI");
    CHECK_RC(rdma_latest(&s.server)->status, DOCA_ERROR_SHUTDOWN);
    scene_close(&s);
}

static void context_may_be_stopped_in_the_request_callback(void)
{
    struct scene s;

    scene_open(&s, 1, stop_it);
    ask(&s.client, s.addr);
    RDMA_UNTIL(rdma_is(&s.server, DOCA_CTX_STATE_IDLE) && s.client.num_failures == 1);
    scene_close(&s);
}

static void context_may_be_stopped_in_the_established_callback(void)
{
    struct scene s;

    scene_open(&s, 1, accept_it);
    s.client.on_established = stop_it;
    ask(&s.client, s.addr);
    RDMA_UNTIL(rdma_is(&s.client, DOCA_CTX_STATE_IDLE));
    RDMA_UNTIL(s.server.num_disconnects + s.server.num_failures == 1);
    scene_close(&s);
}

/* The client stops before the server answers. In every other round, the request has reached the
 * server before the stop; the accept of the server then comes too late. */
static void client_may_stop_before_the_answer(void)
{
    struct scene s;
    doca_error_t rc;
    unsigned i;

    scene_open(&s, 1, keep_it);
    for (i = 0; i < 10; i++) {
        s.server.user = NULL;
        ask(&s.client, s.addr);
        if (i % 2)
            RDMA_UNTIL(s.server.user != NULL);
        rdma_stop(&s.client);
        rdma_start(&s.client);
        rdma_forget_states(&s.client);
        rdma_settle();
        if (s.server.user != NULL) {
            rc = doca_rdma_connection_accept(s.server.user, NULL, 0);
            CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_CONNECTION_ABORTED ||
                  rc == DOCA_ERROR_INVALID_VALUE);
        }
        rdma_settle();
    }
    CHECK_EQ(s.client.num_established, 0);
    s.server.on_request = accept_it;
    scene_connect(&s);
    scene_close(&s);
}

static const struct test_case cases[] = {
    CASE(address_keeps_type_text_and_port, "399"),
    CASE(text_that_is_no_address_is_refused, "399"),
    CASE(accepted_connection_works_in_both_directions, "398 399 400 402"),
    CASE(each_type_of_address_reaches_the_server, "399"),
    CASE(accept_may_come_after_the_callback, "398"),
    CASE(rejected_client_gets_the_failure_callback, "398 399"),
    CASE(client_without_a_server_gets_the_failure_callback, "399 400"),
    CASE(request_timeout_ends_the_attempt, "403"),
    CASE(private_data_is_ignored, ""),
    CASE(established_connections_outlive_the_listening, "404"),
    CASE(port_has_one_listener, ""),
    CASE(stop_of_the_server_frees_its_port, ""),
    CASE(instance_may_listen_on_two_ports, ""),
    CASE(several_clients_have_one_server, "386 398"),
    CASE(disconnect_of_either_side_reaches_the_other, "400 401"),
    CASE(context_may_be_stopped_in_the_disconnection_callback, "401"),
    CASE(context_may_be_stopped_in_the_request_callback, ""),
    CASE(context_may_be_stopped_in_the_established_callback, ""),
    CASE(client_may_stop_before_the_answer, ""),
};

TEST_MAIN(cases)

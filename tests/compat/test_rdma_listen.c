/* DOCA RDMA: connections by address. Wrong calls, addresses in use, what public programs send over
 * such a connection, and servers and clients in two processes. */
#include "rdma_traffic.h"

enum { BYTES = 1 << 16, ROUNDS = 20, CLIENTS = 4 };

static _Alignas(64) unsigned char memory[3][BYTES];
static uint16_t port; /* of the current case */

static void new_port(void)
{
    static unsigned serial;

    port = (uint16_t)(2000 + ((unsigned)getpid() * 37 + 17 + serial++) % 60000);
}

static struct doca_rdma_addr *address_of(uint16_t number)
{
    struct doca_rdma_addr *addr = NULL;

    CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", number, &addr));
    return addr;
}

static void accept_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    CHECK_OK(doca_rdma_connection_accept(c, NULL, 0));
}

static doca_error_t ask(struct rdma_end *e, struct doca_rdma_addr *addr)
{
    e->conn = NULL;
    return doca_rdma_connect_to_addr(e->rdma, addr, (union doca_data){ .u64 = 1 });
}

static void open_server(struct rdma_end *e, void *bytes)
{
    rdma_make(e, bytes, BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(e->rdma, CLIENTS));
    rdma_start(e);
    e->on_request = accept_it;
    CHECK_OK(doca_rdma_start_listen_to_port(e->rdma, port));
}

/* Open a server and a client, and connect them. */
static struct doca_rdma_addr *open_both(struct rdma_end *server, struct rdma_end *client)
{
    struct doca_rdma_addr *addr;

    new_port();
    share_fill(memory[0], BYTES, 3);
    share_fill(memory[1], BYTES, 4);
    open_server(server, memory[0]);
    rdma_open(client, memory[1], BYTES);
    addr = address_of(port);
    CHECK_OK(ask(client, addr));
    RDMA_UNTIL(server->num_established == 1 && client->num_established == 1);
    return addr;
}

/* ---- wrong calls ---- */

static void listening_needs_a_running_instance_and_a_port(void)
{
    struct rdma_end e;

    new_port();
    rdma_make(&e, memory[0], BYTES);
    CHECK_RC(doca_rdma_start_listen_to_port(e.rdma, port), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_rdma_start_listen_to_port(NULL, port), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_stop_listen_to_port(NULL, port), DOCA_ERROR_INVALID_VALUE);
    rdma_start(&e);
    CHECK_RC(doca_rdma_start_listen_to_port(e.rdma, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_stop_listen_to_port(e.rdma, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_stop_listen_to_port(e.rdma, port), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_rdma_start_listen_to_port(e.rdma, port));
    CHECK_OK(doca_rdma_stop_listen_to_port(e.rdma, port));
    rdma_close(&e);
}

static void connecting_needs_a_running_instance_and_an_address(void)
{
    struct doca_rdma_addr *addr;
    struct rdma_end e;

    new_port();
    addr = address_of(port);
    rdma_make(&e, memory[0], BYTES);
    CHECK_RC(ask(&e, addr), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_rdma_connect_to_addr(NULL, addr, (union doca_data){ .u64 = 1 }),
             DOCA_ERROR_INVALID_VALUE);
    rdma_start(&e);
    CHECK_RC(ask(&e, NULL), DOCA_ERROR_INVALID_VALUE);
    rdma_settle();
    CHECK_EQ(e.num_failures, 0); /* a refused call has no callback */
    rdma_close(&e);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

static void requests_need_a_callback(void)
{
    struct doca_rdma_addr *addr;
    struct rdma_end e;

    new_port();
    addr = address_of(port);
    rdma_make(&e, memory[0], BYTES);
    CHECK_OK(doca_rdma_destroy(e.rdma)); /* again, without the connection callbacks */
    CHECK_OK(doca_rdma_create(e.dev, &e.rdma));
    e.ctx = doca_rdma_as_ctx(e.rdma);
    CHECK_OK(doca_pe_connect_ctx(e.pe, e.ctx));
    rdma_start(&e);
    CHECK_RC(doca_rdma_start_listen_to_port(e.rdma, port), DOCA_ERROR_BAD_STATE);
    CHECK_RC(ask(&e, addr), DOCA_ERROR_BAD_STATE);
    rdma_close(&e);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

/* A pure client has no request callback. */
static void client_needs_no_request_callback(void)
{
    struct rdma_end server, client;
    struct doca_rdma_addr *addr;

    new_port();
    open_server(&server, memory[0]);
    rdma_make(&client, memory[1], BYTES);
    CHECK_OK(doca_rdma_set_connection_state_callbacks(client.rdma, NULL, rdma_established,
                                                      rdma_connect_failed, rdma_disconnected));
    rdma_start(&client);
    CHECK_RC(doca_rdma_start_listen_to_port(client.rdma, (uint16_t)(port + 1)),
             DOCA_ERROR_BAD_STATE);
    addr = address_of(port);
    CHECK_OK(ask(&client, addr));
    RDMA_UNTIL(client.num_established == 1);
    rdma_stop(&client);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&server, &client);
}

static void connections_callbacks_are_set_while_idle(void)
{
    struct doca_rdma *rdma;
    struct rdma_end e;

    rdma_make(&e, memory[0], BYTES);
    rdma = e.rdma;
    CHECK_RC(doca_rdma_set_connection_state_callbacks(NULL, rdma_requested, rdma_established,
                                                      rdma_connect_failed, rdma_disconnected),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_set_connection_state_callbacks(rdma, rdma_requested, NULL,
                                                      rdma_connect_failed, rdma_disconnected),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_set_connection_state_callbacks(rdma, rdma_requested, rdma_established, NULL,
                                                      rdma_disconnected),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_set_connection_state_callbacks(rdma, rdma_requested, rdma_established,
                                                      rdma_connect_failed, NULL),
             DOCA_ERROR_INVALID_VALUE);
    rdma_start(&e);
    CHECK_RC(doca_rdma_set_connection_state_callbacks(rdma, rdma_requested, rdma_established,
                                                      rdma_connect_failed, rdma_disconnected),
             DOCA_ERROR_BAD_STATE);
    rdma_close(&e);
}

static void only_requests_are_accepted_and_rejected(void)
{
    struct rdma_end server, client;
    struct doca_rdma_addr *addr = open_both(&server, &client);

    CHECK_RC(doca_rdma_connection_accept(NULL, NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_reject(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_accept(server.conn, NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_reject(server.conn), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_accept(client.conn, NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_reject(client.conn), DOCA_ERROR_INVALID_VALUE);
    rdma_deliver(&client, &server, 0, 4096, 100);
    rdma_stop(&client);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&server, &client);
}

static void accept_null_data_of_some_length(struct rdma_end *e, struct doca_rdma_connection *c)
{
    e->todo++;
    CHECK_RC(doca_rdma_connection_accept(c, NULL, 5), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_rdma_connection_accept(c, NULL, 0));
    CHECK_RC(doca_rdma_connection_accept(c, NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_reject(c), DOCA_ERROR_INVALID_VALUE);
}

static void request_is_answered_once(void)
{
    struct rdma_end server, client;
    struct doca_rdma_addr *addr;

    new_port();
    open_server(&server, memory[0]);
    server.on_request = accept_null_data_of_some_length;
    rdma_open(&client, memory[1], BYTES);
    addr = address_of(port);
    CHECK_OK(ask(&client, addr));
    RDMA_UNTIL(server.num_established == 1 && client.num_established == 1);
    CHECK_EQ(server.todo, 1);
    rdma_deliver(&client, &server, 0, 4096, 100);
    rdma_stop(&client);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&server, &client);
}

/* ---- addresses in use ---- */

static void address_is_in_use_while_its_connection_lives(void)
{
    struct rdma_end server, client;
    struct doca_rdma_addr *addr = open_both(&server, &client), *got = NULL;

    CHECK_OK(doca_rdma_connection_get_addr(client.conn, &got));
    CHECK_PTR(got, addr);
    CHECK_RC(doca_rdma_connection_get_addr(client.conn, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_get_addr(NULL, &got), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_get_addr(server.conn, &got), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_addr_destroy(addr), DOCA_ERROR_BAD_STATE);
    rdma_deliver(&client, &server, 0, 4096, 100);
    rdma_stop(&server);
    RDMA_UNTIL(client.num_disconnects == 1);
    rdma_settle();
    CHECK_OK(doca_rdma_addr_destroy(addr));
    addr = address_of(port);
    CHECK_OK(ask(&client, addr));
    CHECK_RC(doca_rdma_addr_destroy(addr), DOCA_ERROR_BAD_STATE);
    RDMA_UNTIL(client.num_failures == 1);
    rdma_settle();
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&server, &client);
}

static void one_address_serves_several_connections(void)
{
    struct rdma_end server, clients[2];
    struct doca_rdma_addr *addr;

    new_port();
    open_server(&server, memory[0]);
    rdma_open(&clients[0], memory[1], BYTES);
    rdma_open(&clients[1], memory[2], BYTES);
    addr = address_of(port);
    CHECK_OK(ask(&clients[0], addr));
    CHECK_OK(ask(&clients[1], addr));
    RDMA_UNTIL(clients[0].num_established == 1 && clients[1].num_established == 1);
    rdma_stop(&clients[0]);
    CHECK_RC(doca_rdma_addr_destroy(addr), DOCA_ERROR_BAD_STATE);
    rdma_stop(&clients[1]);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close(&server);
    rdma_destroy(&clients[0]);
    rdma_destroy(&clients[1]);
}

static void connections_of_a_client_are_limited(void)
{
    struct rdma_end server, client;
    struct doca_rdma_addr *addr = open_both(&server, &client);
    struct doca_rdma_connection *c = NULL;
    const void *details = NULL;
    size_t len;

    CHECK_RC(doca_rdma_connect_to_addr(client.rdma, addr, (union doca_data){ .u64 = 2 }),
             DOCA_ERROR_FULL);
    CHECK_RC(doca_rdma_export(client.rdma, &details, &len, &c), DOCA_ERROR_FULL);
    rdma_deliver(&client, &server, 0, 4096, 100);
    rdma_stop(&client);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&server, &client);
}

/* ---- as public programs do ---- */

struct lent { /* the message that lends memory */
    unsigned char *addr;
    size_t len;
    unsigned char desc[512];
};

/* The server sends the descriptor of its memory in a message, and the client reads and writes. */
static void descriptor_of_memory_travels_over_the_connection(void)
{
    struct rdma_end server, client;
    struct doca_rdma_addr *addr = open_both(&server, &client);
    const void *desc = NULL;
    struct lent lent;

    memset(&lent, 0, sizeof(lent));
    CHECK_OK(doca_mmap_export_rdma(server.map, server.dev, &desc, &lent.len));
    CHECK(lent.len <= sizeof(lent.desc));
    memcpy(lent.desc, desc, lent.len);
    lent.addr = memory[0];
    memcpy(memory[0], &lent, sizeof(lent));
    rdma_deliver(&server, &client, 0, 1024, sizeof(lent));
    memcpy(&lent, memory[1] + 1024, sizeof(lent));
    rdma_import(&client, lent.desc, lent.len, lent.addr);
    CHECK_OK(rdma_run(&client, rdma_read(&client, rdma_far_buf(&client, 8192, 3000),
                                         rdma_room(&client, 8192, 3000), 1)));
    CHECK_MEM(memory[1] + 8192, memory[0] + 8192, 3000);
    CHECK_OK(rdma_run(&client, rdma_write(&client, rdma_buf(&client, 16384, 3000),
                                          rdma_far_room(&client, 16384, 3000), 2)));
    CHECK_MEM(memory[0] + 16384, memory[1] + 16384, 3000);
    rdma_stop(&client);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&server, &client);
}

/* ---- two processes ---- */

/* Listen, and receive until the parent has left or has killed this process. */
static void serving_child(int fd, uint32_t unused)
{
    unsigned char byte = 0;
    struct rdma_end e;
    unsigned i;

    (void)unused;
    rdma_forget_ends();
    receive_all(fd, &byte, 1);
    heap_trap_set(HEAP_TRAP_ABORT);
    open_server(&e, memory[2]);
    for (i = 0; i < RDMA_TASKS; i++)
        rdma_post(&e, 0, 4096, i);
    send_all(fd, &byte, 1);
    RDMA_WAIT(rdma_turn(), has_byte(fd));
    rdma_close(&e);
}

/* The port of a killed server is free at once. */
static void client_survives_servers_that_are_killed(void)
{
    struct peer peers[ROUNDS];
    struct doca_rdma_addr *addr;
    unsigned char byte = 0;
    struct rdma_end e;
    unsigned i;

    new_port();
    for (i = 0; i < ROUNDS; i++)
        peers[i] = start_peer(serving_child, 0);
    rdma_open(&e, memory[0], BYTES);
    addr = address_of(port);
    for (i = 0; i < ROUNDS; i++) {
        send_all(peers[i].fd, &byte, 1);
        receive_all(peers[i].fd, &byte, 1);
        CHECK_OK(ask(&e, addr));
        RDMA_UNTIL(e.num_established == i + 1);
        CHECK_OK(rdma_run(&e, rdma_send(&e, rdma_buf(&e, 0, 1000), i)));
        kill_peer(&peers[i]);
        RDMA_UNTIL(e.num_disconnects == i + 1);
        CHECK_OK(ask(&e, addr));
        RDMA_UNTIL(e.num_failures == i + 1);
    }
    rdma_settle();
    CHECK_EQ(e.num_disconnects, ROUNDS);
    CHECK_EQ(e.num_failures, ROUNDS);
    rdma_stop(&e);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_destroy(&e);
}

/* Ask, send when connected, and wait to be killed; a child may be killed before it has asked. */
static void asking_child(int fd, uint32_t unused)
{
    struct doca_rdma_addr *addr;
    unsigned char byte = 0;
    struct rdma_end e;

    (void)unused;
    rdma_forget_ends();
    receive_all(fd, &byte, 1);
    rdma_open(&e, memory[1], BYTES);
    addr = address_of(port);
    CHECK_OK(ask(&e, addr));
    RDMA_UNTIL(e.num_established == 1);
    CHECK_OK(rdma_run(&e, rdma_send(&e, rdma_buf(&e, 0, 500), 1)));
    RDMA_WAIT(rdma_turn(), has_byte(fd));
}

/* The client may have been killed since it asked. */
static void accept_if_alive(struct rdma_end *e, struct doca_rdma_connection *c)
{
    doca_error_t rc = doca_rdma_connection_accept(c, NULL, 0);

    (void)e;
    if (rc != DOCA_ERROR_CONNECTION_ABORTED)
        CHECK_OK(rc);
}

static void server_survives_clients_that_are_killed(void)
{
    struct peer peers[ROUNDS];
    unsigned char byte = 0;
    struct rdma_end e;
    unsigned i;

    (void)rig_random(2); /* prints the seed */
    new_port();
    for (i = 0; i < ROUNDS; i++)
        peers[i] = start_peer(asking_child, 0);
    open_server(&e, memory[0]);
    e.on_request = accept_if_alive;
    for (i = 0; i < ROUNDS; i++) {
        uint64_t end = rdma_now_ms() + rig_random(i % 2 ? 3 : 12);

        rdma_post(&e, 0, 4096, i);
        send_all(peers[i].fd, &byte, 1);
        while (rdma_now_ms() < end)
            (void)rdma_turn();
        kill_peer(&peers[i]);
        RDMA_UNTIL(e.num_disconnects + e.num_failures >= e.num_established);
        rdma_settle();
        CHECK_EQ(e.num_disconnects, e.num_established);
        CHECK(e.num_established <= e.num_requests && e.num_requests <= i + 1);
    }
    CHECK(rdma_is(&e, DOCA_CTX_STATE_RUNNING));
    rdma_close(&e);
    CHECK_EQ(e.num_done, ROUNDS);
}

static const struct test_case cases[] = {
    CASE(listening_needs_a_running_instance_and_a_port, "398"),
    CASE(connecting_needs_a_running_instance_and_an_address, "399"),
    CASE(requests_need_a_callback, ""),
    CASE(client_needs_no_request_callback, ""),
    CASE(connections_callbacks_are_set_while_idle, ""),
    CASE(only_requests_are_accepted_and_rejected, ""),
    CASE(request_is_answered_once, ""),
    CASE(address_is_in_use_while_its_connection_lives, ""),
    CASE(one_address_serves_several_connections, ""),
    CASE(connections_of_a_client_are_limited, "394"),
    CASE(descriptor_of_memory_travels_over_the_connection, "402"),
    CASE(client_survives_servers_that_are_killed, "399 400"),
    CASE(server_survives_clients_that_are_killed, "398 400"),
};

TEST_MAIN(cases)

/* DOCA RDMA on RDMA devices: connections by address, through librdmacm. The suite needs two devices
 * whose network interfaces reach each other, such as those of tools/rxe-guest. */
#include "rdma_traffic.h"

#include "heap_trap.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>

enum { BYTES = 1 << 16, PORT = 13579, SOON_MS = 4000 };

static _Alignas(4096) unsigned char memory[3][BYTES];
static const union doca_data none;

/* ---- ends ---- */

static void make_on(struct rdma_end *e, uint32_t index)
{
    if (access("/dev/infiniband/rdma_cm", R_OK | W_OK) != 0)
        test_skip("there is no /dev/infiniband/rdma_cm");
    rdma_make_on(e, rig_open_nth_dev(index), memory[index], BYTES, RDMA_ALL);
    CHECK_OK(doca_rdma_set_connection_request_timeout(e->rdma, 10000));
}

static void open_on(struct rdma_end *e, uint32_t index)
{
    make_on(e, index);
    rdma_start(e);
}

static void accept_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    e->conn = c;
    CHECK_OK(doca_rdma_connection_set_user_data(c, (union doca_data){ .u64 = 4711 }));
    CHECK_OK(doca_rdma_connection_accept(c, NULL, 0));
}

static void reject_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    CHECK_OK(doca_rdma_connection_reject(c));
}

static void keep_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    e->conn = c;
}

static void open_listener(struct rdma_end *e, uint32_t index,
                          void (*on_request)(struct rdma_end *, struct doca_rdma_connection *))
{
    make_on(e, index);
    CHECK_OK(doca_rdma_set_max_num_connections(e->rdma, 4));
    e->on_request = on_request;
    rdma_start(e);
    CHECK_OK(doca_rdma_start_listen_to_port(e->rdma, PORT));
}

/* The address of the network interface of a device, as text of a type. */
static const char *text_of(struct doca_dev *dev, enum doca_rdma_addr_type type)
{
    static char text[INET6_ADDRSTRLEN];
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    uint8_t bytes[16] = { 0 };

    if (type == DOCA_RDMA_ADDR_TYPE_IPv4) {
        CHECK_OK(doca_devinfo_get_ipv4_addr(info, bytes, 4));
        CHECK(inet_ntop(AF_INET, bytes, text, sizeof(text)) != NULL);
    } else {
        if (type == DOCA_RDMA_ADDR_TYPE_IPv6) {
            CHECK_OK(doca_devinfo_get_ipv6_addr(info, bytes, 16));
        } else { /* the GID that is made of the address of IPv4 */
            bytes[10] = bytes[11] = 0xff;
            CHECK_OK(doca_devinfo_get_ipv4_addr(info, bytes + 12, 4));
        }
        CHECK(inet_ntop(AF_INET6, bytes, text, sizeof(text)) != NULL);
    }
    return text;
}

static struct doca_rdma_addr *addr_of(struct doca_dev *dev, enum doca_rdma_addr_type type)
{
    struct doca_rdma_addr *addr = NULL;

    CHECK_OK(doca_rdma_addr_create(type, text_of(dev, type), PORT, &addr));
    return addr;
}

static struct doca_rdma_addr *ask(struct rdma_end *e, struct doca_dev *dev,
                                  enum doca_rdma_addr_type type)
{
    struct doca_rdma_addr *addr = addr_of(dev, type);

    CHECK_OK(doca_rdma_connect_to_addr(e->rdma, addr, (union doca_data){ .u64 = 99 }));
    return addr;
}

static void await_join(struct rdma_end *client, struct rdma_end *server)
{
    RDMA_UNTIL(client->num_established + client->num_failures > 0);
    CHECK_EQ(client->num_failures, 0);
    RDMA_UNTIL(server->num_established > 0);
}

static void settle_both(struct rdma_end *a, struct rdma_end *b)
{
    uint64_t end = rdma_now_ms() + 50;

    while (rdma_now_ms() < end) {
        (void)rdma_progress(a);
        (void)rdma_progress(b);
    }
}

/* ---- cases ---- */

static void connect_and_exchange(enum doca_rdma_addr_type type)
{
    struct doca_rdma_addr *addr, *used = NULL;
    struct rdma_end client, server;
    unsigned i;

    open_listener(&server, 1, accept_it);
    open_on(&client, 0);
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 2);
    addr = ask(&client, server.dev, type);
    await_join(&client, &server);
    CHECK_EQ(server.num_requests, 1);
    CHECK_EQ(client.conn_data.u64, 99);
    CHECK_EQ(server.conn_data.u64, 4711);
    CHECK_OK(doca_rdma_connection_get_addr(client.conn, &used));
    CHECK_PTR(used, addr);
    CHECK_RC(doca_rdma_addr_destroy(addr), DOCA_ERROR_BAD_STATE);
    for (i = 0; i < 20; i++) {
        rdma_deliver(&client, &server, 100 * i, 8192, 1000);
        rdma_deliver(&server, &client, 100 * i, 16384, 3000);
    }
    CHECK_OK(doca_rdma_connection_disconnect(client.conn));
    RDMA_UNTIL(client.num_disconnects == 1 && server.num_disconnects == 1);
    CHECK_EQ(client.conn_data.u64, 99);
    settle_both(&client, &server);
    CHECK_EQ(client.num_disconnects + server.num_disconnects, 2);
    CHECK_EQ(client.num_failures + server.num_failures, 0);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&client, &server);
}

static void address_of_ipv4_connects(void)
{
    connect_and_exchange(DOCA_RDMA_ADDR_TYPE_IPv4);
}

/* True while the kernel checks whether another machine has an address of IPv6 that is new on this
 * one, as after boot. The address cannot be used until then. */
static bool has_new_address(void)
{
    FILE *f = fopen("/proc/net/if_inet6", "r");
    unsigned flags = 0;
    bool is_new = false;

    while (f != NULL && fscanf(f, "%*s %*s %*s %*s %x %*s", &flags) == 1)
        is_new |= (flags & 0x40) != 0;
    if (f != NULL)
        fclose(f);
    return is_new;
}

static void address_of_ipv6_connects(void)
{
    uint64_t end = rdma_now_ms() + 10000;
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);

    while (has_new_address() && rdma_now_ms() < end)
        usleep(10000);
    heap_trap_set(mode);
    connect_and_exchange(DOCA_RDMA_ADDR_TYPE_IPv6);
}

static void gid_connects(void)
{
    connect_and_exchange(DOCA_RDMA_ADDR_TYPE_GID);
}

/* Both ends on one device: memory that it exports. */
static void memory_is_read_and_written(void)
{
    struct rdma_end client, server;
    struct doca_rdma_addr *addr;

    open_listener(&server, 0, accept_it);
    rdma_make_on(&client, rig_open_nth_dev(0), memory[2], BYTES, RDMA_ALL);
    rdma_start(&client);
    share_fill(memory[0], BYTES, 5);
    rdma_lend(&server, &client);
    addr = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
    await_join(&client, &server);
    CHECK_OK(rdma_run(&client, rdma_read(&client, rdma_far_buf(&client, 0, 5000),
                                         rdma_room(&client, 100, 5000), 1)));
    CHECK_MEM(memory[2] + 100, memory[0], 5000);
    CHECK_OK(rdma_run(&client, rdma_write(&client, rdma_buf(&client, 100, 3000),
                                          rdma_far_room(&client, 8192, 3000), 1)));
    CHECK_MEM(memory[0] + 8192, memory[2] + 100, 3000);
    CHECK_OK(rdma_run(
        &client, rdma_add(&client, rdma_far_buf(&client, 64, 8), rdma_room(&client, 8, 8), 5, 1)));
    rdma_close_both(&client, &server);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

static void check_is_established(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    (void)kind;
    (void)task;
    (void)is_ok;
    CHECK_EQ(e->num_established, 1);
}

/* The client sends before the server knows that the client has received the answer. */
static void established_comes_before_the_first_message(void)
{
    struct rdma_end client, server;
    struct doca_rdma_addr *addr;
    unsigned i;

    for (i = 0; i < 20; i++) {
        open_listener(&server, 1, accept_it);
        open_on(&client, 0);
        server.on_done = check_is_established;
        CHECK_OK(rdma_submit(rdma_receive(&server, rdma_room(&server, 0, 64), 7)));
        addr = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
        RDMA_UNTIL(server.num_requests == 1);
        RDMA_WAIT(rdma_progress(&client), client.num_established == 1);
        CHECK_OK(rdma_submit(rdma_send(&client, rdma_buf(&client, 0, 64), 8)));
        RDMA_WAIT(rdma_progress(&client), client.num_done == 1);
        RDMA_UNTIL(server.num_done == 1);
        settle_both(&client, &server);
        CHECK_EQ(server.num_established, 1);
        CHECK_EQ(server.num_failures + server.num_disconnects, 0);
        rdma_close_both(&client, &server);
        CHECK_OK(doca_rdma_addr_destroy(addr));
    }
}

static void rejected_request_fails(void)
{
    struct rdma_end client, server;
    struct doca_rdma_addr *addr;
    unsigned i;

    open_listener(&server, 1, reject_it);
    open_on(&client, 0);
    for (i = 1; i <= 3; i++) { /* the one connection of the client is free again */
        addr = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
        RDMA_UNTIL(client.num_failures == i);
        CHECK_EQ(client.conn_data.u64, 99);
        CHECK_OK(doca_rdma_addr_destroy(addr));
    }
    CHECK_EQ(server.num_requests, 3);
    CHECK_EQ(client.num_established + server.num_established, 0);
    CHECK_EQ(client.num_disconnects + server.num_disconnects, 0);
    rdma_close_both(&client, &server);
}

static void port_without_a_listener_fails(void)
{
    struct rdma_end client, server;
    struct doca_rdma_addr *addr;

    open_listener(&server, 1, accept_it);
    open_on(&client, 0);
    CHECK_OK(doca_rdma_stop_listen_to_port(server.rdma, PORT));
    addr = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
    RDMA_UNTIL(client.num_failures == 1);
    CHECK_EQ(client.num_established + server.num_requests, 0);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&client, &server);
}

/* The client asks an address that no machine has, and then a listener that does not answer. */
static void time_of_a_request_is_limited(void)
{
    struct rdma_end client, server;
    struct doca_rdma_addr *addr = NULL;
    uint64_t begin;

    open_listener(&server, 1, keep_it);
    make_on(&client, 0);
    CHECK_OK(doca_rdma_set_connection_request_timeout(client.rdma, 700));
    rdma_start(&client);
    CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "10.0.1.77", PORT, &addr));
    begin = rdma_now_ms();
    CHECK_OK(doca_rdma_connect_to_addr(client.rdma, addr, none));
    RDMA_UNTIL(client.num_failures == 1);
    CHECK(rdma_now_ms() - begin < SOON_MS);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    begin = rdma_now_ms();
    addr = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
    RDMA_UNTIL(client.num_failures == 2);
    CHECK(rdma_now_ms() - begin >= 600 && rdma_now_ms() - begin < SOON_MS);
    CHECK_EQ(server.num_requests, 1);
    CHECK_EQ(client.num_established + server.num_established, 0);
    rdma_close_both(&client, &server);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

static void port_belongs_to_one_instance(void)
{
    struct rdma_end a, b;

    open_listener(&a, 1, accept_it);
    open_on(&b, 0);
    CHECK_RC(doca_rdma_start_listen_to_port(a.rdma, PORT), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_rdma_start_listen_to_port(b.rdma, PORT), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_RDMA_PORT_TAKEN);
    CHECK_OK(doca_rdma_start_listen_to_port(b.rdma, PORT + 1));
    CHECK_OK(doca_rdma_stop_listen_to_port(a.rdma, PORT));
    CHECK_OK(doca_rdma_start_listen_to_port(b.rdma, PORT));
    rdma_stop(&b); /* ends the listening to both ports */
    CHECK_OK(doca_rdma_start_listen_to_port(a.rdma, PORT));
    CHECK_OK(doca_rdma_start_listen_to_port(a.rdma, PORT + 1));
    rdma_close_both(&a, &b);
}

static void connections_stay_when_listening_ends(void)
{
    struct rdma_end client, server;
    struct doca_rdma_addr *addr;

    open_listener(&server, 1, accept_it);
    open_on(&client, 0);
    addr = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
    await_join(&client, &server);
    CHECK_OK(doca_rdma_stop_listen_to_port(server.rdma, PORT));
    settle_both(&client, &server);
    rdma_deliver(&client, &server, 0, 8192, 1000);
    CHECK_EQ(client.num_disconnects + server.num_disconnects, 0);
    rdma_stop(&server);
    RDMA_UNTIL(client.num_disconnects == 1);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&client, &server);
}

static void crowded_listener_refuses(void)
{
    struct doca_rdma_addr *addrs[3];
    struct rdma_end client, server;
    unsigned i;

    make_on(&server, 1);
    CHECK_OK(doca_rdma_set_max_num_connections(server.rdma, 2));
    server.on_request = accept_it;
    rdma_start(&server);
    CHECK_OK(doca_rdma_start_listen_to_port(server.rdma, PORT));
    make_on(&client, 0);
    CHECK_OK(doca_rdma_set_max_num_connections(client.rdma, 3));
    rdma_start(&client);
    for (i = 0; i < 3; i++) {
        addrs[i] = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
        RDMA_UNTIL(client.num_established + client.num_failures == i + 1);
    }
    CHECK_EQ(client.num_established, 2);
    CHECK_EQ(client.num_failures, 1);
    CHECK_EQ(server.num_requests, 2);
    rdma_close_both(&client, &server);
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_rdma_addr_destroy(addrs[i]));
}

/* The program answers later than in its request callback; the client gives up before. */
static void late_accept_of_a_client_that_has_left_fails(void)
{
    struct rdma_end client, server;
    struct doca_rdma_addr *addr;

    open_listener(&server, 1, keep_it);
    open_on(&client, 0);
    addr = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
    RDMA_UNTIL(server.num_requests == 1);
    rdma_stop(&client);
    settle_both(&client, &server);
    if (doca_rdma_connection_accept(server.conn, NULL, 0) == DOCA_SUCCESS)
        RDMA_UNTIL(server.num_failures == 1);
    CHECK_EQ(server.num_established, 0);
    rdma_start(&client);
    server.on_request = accept_it;
    server.conn = NULL;
    CHECK_OK(doca_rdma_addr_destroy(addr));
    addr = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
    await_join(&client, &server);
    rdma_deliver(&client, &server, 0, 8192, 1000);
    rdma_close_both(&client, &server);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

static void connections_come_and_go(void)
{
    struct rdma_end client, server;
    struct doca_rdma_addr *addr;
    unsigned i;

    open_listener(&server, 1, accept_it);
    open_on(&client, 0);
    addr = addr_of(server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
    for (i = 1; i <= 20; i++) {
        client.conn = NULL;
        CHECK_OK(doca_rdma_connect_to_addr(client.rdma, addr, none));
        RDMA_UNTIL(client.num_established == i && server.num_established == i);
        rdma_deliver(&client, &server, 0, 8192, 100);
        CHECK_OK(doca_rdma_connection_disconnect(i % 2 ? client.conn : server.conn));
        RDMA_UNTIL(client.num_disconnects == i && server.num_disconnects == i);
    }
    CHECK_EQ(client.num_failures + server.num_failures, 0);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    rdma_close_both(&client, &server);
}

/* ---- processes ---- */

static void listening_child(int fd, uint32_t unused)
{
    struct rdma_end e;

    (void)unused;
    rdma_forget_ends();
    open_listener(&e, 1, accept_it);
    rdma_post(&e, 0, 4096, 1);
    send_all(fd, "!", 1);
    RDMA_WAIT(rdma_turn(), false);
}

static void killed_listener_is_noticed_at_once(void)
{
    struct rdma_end e;
    struct peer peer;
    struct doca_dev *other;
    struct doca_rdma_addr *addr;
    unsigned char byte;
    uint64_t begin;

    open_on(&e, 0); /* skips without librdmacm */
    rdma_close(&e);
    peer = start_peer(listening_child, 0);
    receive_all(peer.fd, &byte, 1);
    open_on(&e, 0);
    other = rig_open_nth_dev(1);
    addr = ask(&e, other, DOCA_RDMA_ADDR_TYPE_IPv4);
    RDMA_UNTIL(e.num_established == 1);
    CHECK_OK(rdma_run(&e, rdma_send(&e, rdma_buf(&e, 0, 1000), 1)));
    begin = rdma_now_ms();
    kill_peer(&peer);
    RDMA_UNTIL(e.num_disconnects == 1);
    CHECK(rdma_now_ms() - begin < SOON_MS);
    rdma_close(&e);
    CHECK_OK(doca_rdma_addr_destroy(addr));
    CHECK_OK(doca_dev_close(other));
}

static void sleeping_client_wakes_for_events(void)
{
    doca_notification_handle_t handle = -1;
    uint64_t end = rdma_now_ms() + 20000;
    struct pollfd p = { -1, POLLIN, 0 };
    struct rdma_end client, server;
    struct doca_rdma_addr *addr;

    open_listener(&server, 1, accept_it);
    open_on(&client, 0);
    addr = ask(&client, server.dev, DOCA_RDMA_ADDR_TYPE_IPv4);
    CHECK_OK(doca_pe_get_notification_handle(client.pe, &handle));
    p.fd = handle;
    for (;;) {
        while (rdma_progress(&client))
            continue;
        if (client.num_disconnects > 0)
            break;
        CHECK_OK(doca_pe_request_notification(client.pe));
        while (poll(&p, 1, 1) != 1) {
            (void)rdma_progress(&server);
            if (client.num_established == 1 && server.num_established == 1 &&
                server.num_disconnects == 0)
                CHECK_OK(doca_rdma_connection_disconnect(server.conn));
            CHECK(rdma_now_ms() < end);
        }
        CHECK_OK(doca_pe_clear_notification(client.pe, handle));
    }
    CHECK_EQ(client.num_established, 1);
    rdma_close_both(&client, &server);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

static const struct test_case cases[] = {
    CASE(address_of_ipv4_connects, "398 399 400 401"),
    CASE(address_of_ipv6_connects, "399"),
    CASE(gid_connects, "399"),
    CASE(memory_is_read_and_written, "402"),
    CASE(established_comes_before_the_first_message, "400"),
    CASE(rejected_request_fails, "398"),
    CASE(port_without_a_listener_fails, ""),
    CASE(time_of_a_request_is_limited, "403"),
    CASE(port_belongs_to_one_instance, "404"),
    CASE(connections_stay_when_listening_ends, "404"),
    CASE(crowded_listener_refuses, ""),
    CASE(late_accept_of_a_client_that_has_left_fails, ""),
    CASE(connections_come_and_go, ""),
    CASE(killed_listener_is_noticed_at_once, ""),
    CASE(sleeping_client_wakes_for_events, ""),
};

TEST_MAIN(cases)

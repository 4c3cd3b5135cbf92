/* DOCA RDMA: connections by export and connect, in one process. Order of the calls, damaged
 * details, full tables, several connections, the end of a connection, and new ones after it. */
#include "rdma_ops.h"

enum { BYTES = 8192, PEERS = 8, ROUNDS = 50 };

static unsigned char memory[2 + PEERS][BYTES];

static void fill(void)
{
    unsigned i;

    for (i = 0; i < 2 + PEERS; i++)
        share_fill(memory[i], BYTES, i);
}

/* Open two ends that are not connected. */
static void open_two(struct rdma_end *a, struct rdma_end *b)
{
    fill();
    rdma_open(a, memory[0], BYTES);
    rdma_open(b, memory[1], BYTES);
}

static void open_joined(struct rdma_end *a, struct rdma_end *b)
{
    open_two(a, b);
    rdma_join(a, b);
}

/* Both directions of the connection work. */
static void check_joined(struct rdma_end *a, struct rdma_end *b)
{
    rdma_deliver(a, b, 16, 1024, 700);
    rdma_deliver(b, a, 32, 2048, 600);
}

/* ---- order ---- */

static void start_runs_at_once(void)
{
    struct rdma_end a, b;

    open_two(&a, &b);
    rdma_settle();
    CHECK_STR(a.states, "IR");
    CHECK_EQ(a.num_established + a.num_failures + a.num_disconnects + a.num_requests, 0);
    rdma_close_both(&a, &b);
    CHECK_STR(a.states, "IR RP PI");
}

static void task_may_be_submitted_straight_after_connect(void)
{
    struct rdma_end a, b;
    struct rdma_blob of_a, of_b;

    open_two(&a, &b);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 500), 1)));
    rdma_post(&b, 4096, 500, 2);
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    CHECK_OK(rdma_submit(rdma_send(&b, rdma_buf(&b, 0, 300), 3)));
    rdma_post(&a, 4096, 300, 4);
    RDMA_UNTIL(a.num_done == 2 && b.num_done == 2);
    CHECK_EQ(a.num_ok + b.num_ok, 4);
    CHECK_MEM(memory[1] + 4096, memory[0], 500);
    CHECK_MEM(memory[0] + 4096, memory[1], 300);
    rdma_close_both(&a, &b);
}

static void send_waits_until_the_peer_has_connected(void)
{
    struct rdma_end a, b;
    struct rdma_blob of_a, of_b;

    open_two(&a, &b);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    rdma_post(&b, 4096, 500, 2);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 500), 1)));
    rdma_settle();
    CHECK_EQ(a.num_done + b.num_done, 0);
    CHECK_EQ(a.num_failures + a.num_disconnects, 0);
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    RDMA_UNTIL(a.num_done == 1 && b.num_done == 1);
    CHECK_EQ(a.num_ok + b.num_ok, 2);
    CHECK_PTR(rdma_at(&b, 0)->from, b.conn);
    rdma_close_both(&a, &b);
}

/* Each bit of `order` swaps two steps. */
static void calls_of_both_sides_may_come_in_any_order(void)
{
    struct rdma_end ends[2];
    struct rdma_blob blobs[2];
    unsigned order;

    for (order = 0; order < 8; order++) {
        unsigned first = order & 1, next = (order >> 1 & 1) ^ first;

        open_two(&ends[0], &ends[1]);
        rdma_export(&ends[first], &blobs[first]);
        if (order & 4)
            rdma_settle();
        rdma_export(&ends[1 - first], &blobs[1 - first]);
        CHECK_OK(rdma_try_connect(&ends[next], &blobs[1 - next], ends[next].conn));
        if (order & 4)
            rdma_settle();
        CHECK_OK(rdma_try_connect(&ends[1 - next], &blobs[next], ends[1 - next].conn));
        check_joined(&ends[0], &ends[1]);
        rdma_close_both(&ends[first], &ends[1 - first]);
    }
}

static void ends_on_two_devices_connect(void)
{
    struct rdma_end a, b;

    fill();
    rdma_make_on(&a, rig_open_dev(NULL), memory[0], BYTES, RDMA_ALL);
    rdma_make_on(&b, rig_open_second(), memory[1], BYTES, RDMA_ALL);
    rdma_start(&a);
    rdma_start(&b);
    rdma_join(&a, &b);
    check_joined(&a, &b);
    rdma_close_both(&a, &b);
}

/* ---- wrong calls ---- */

static void export_and_connect_need_a_started_context(void)
{
    struct doca_rdma_connection *c = NULL, *of_a;
    const void *details = NULL;
    struct rdma_end a, b;
    struct rdma_blob blob;
    size_t len = 77;

    open_two(&a, &b);
    rdma_export(&b, &blob);
    rdma_export(&a, &(struct rdma_blob){ 0 });
    of_a = a.conn;
    rdma_stop(&a);
    CHECK_RC(doca_rdma_export(a.rdma, &details, &len, &c), DOCA_ERROR_BAD_STATE);
    CHECK(details == NULL && len == 77 && c == NULL);
    /* the connection ended with the stop, so its handle may also be refused as such */
    CHECK(rdma_try_connect(&a, &blob, of_a) != DOCA_SUCCESS);
    rdma_close_both(&a, &b);
}

static void export_and_connect_refuse_null(void)
{
    struct doca_rdma_connection *c = NULL;
    const void *details = NULL;
    struct rdma_end a, b;
    struct rdma_blob of_a, of_b;
    size_t len = 77;

    open_two(&a, &b);
    CHECK_RC(doca_rdma_export(NULL, &details, &len, &c), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_export(a.rdma, NULL, &len, &c), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_export(a.rdma, &details, NULL, &c), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_export(a.rdma, &details, &len, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK(details == NULL && len == 77 && c == NULL);
    rdma_export(&a, &of_a); /* the refused calls have taken no connection */
    rdma_export(&b, &of_b);
    CHECK_RC(doca_rdma_connect(NULL, of_b.bytes, of_b.len, a.conn), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connect(a.rdma, NULL, of_b.len, a.conn), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connect(a.rdma, of_b.bytes, of_b.len, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK(doca_rdma_connect(a.rdma, of_b.bytes, 0, a.conn) != DOCA_SUCCESS);
    CHECK_RC(rdma_try_connect(&a, &of_b, b.conn), DOCA_ERROR_INVALID_VALUE); /* not of a */
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    check_joined(&a, &b);
    rdma_close_both(&a, &b);
}

static void damaged_details_are_refused(void)
{
    struct rdma_end a, b;
    struct rdma_blob of_a, of_b, bad;
    size_t i;

    open_two(&a, &b);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    for (i = 0; i < of_b.len; i++) {
        bad = of_b;
        bad.bytes[i] ^= (unsigned char)(1 + rig_random(255));
        if (rdma_try_connect(&a, &bad, a.conn) != DOCA_ERROR_CONNECTION_ABORTED)
            test_fail(__FILE__, __LINE__, "a change of byte %u is not noticed", (unsigned)i);
        bad = of_b;
        bad.len = i;
        if (i > 0)
            CHECK_RC(rdma_try_connect(&a, &bad, a.conn), DOCA_ERROR_CONNECTION_ABORTED);
    }
    bad = of_b;
    bad.len++;
    CHECK_RC(rdma_try_connect(&a, &bad, a.conn), DOCA_ERROR_CONNECTION_ABORTED);
    for (i = 0; i < 100; i++) {
        share_fill(bad.bytes, sizeof(bad.bytes), (unsigned)rig_random(256));
        memset(bad.bytes, i % 2 ? 0 : 0xff, i % 4 < 2 ? sizeof(bad.bytes) : 8);
        bad.len = i % 3 ? of_b.len : 1 + rig_random(sizeof(bad.bytes));
        CHECK_RC(rdma_try_connect(&a, &bad, a.conn), DOCA_ERROR_CONNECTION_ABORTED);
    }
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn)); /* the connection is as before */
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    check_joined(&a, &b);
    rdma_close_both(&a, &b);
}

static void descriptor_of_memory_is_no_connection(void)
{
    const void *desc;
    struct rdma_end a, b;
    struct rdma_blob of_a;
    size_t len;

    open_two(&a, &b);
    rdma_export(&a, &of_a);
    CHECK_OK(doca_mmap_export_rdma(b.map, b.dev, &desc, &len));
    CHECK_RC(doca_rdma_connect(a.rdma, desc, len, a.conn), DOCA_ERROR_CONNECTION_ABORTED);
    rdma_close_both(&a, &b);
}

static void second_connect_is_refused(void)
{
    struct rdma_end a, b, c;
    struct rdma_blob of_a, of_b, of_c;

    open_two(&a, &b);
    rdma_open(&c, memory[2], BYTES);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    rdma_export(&c, &of_c);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    CHECK_RC(rdma_try_connect(&a, &of_b, a.conn), DOCA_ERROR_BAD_STATE);
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    check_joined(&a, &b);
    CHECK_RC(rdma_try_connect(&a, &of_b, a.conn), DOCA_ERROR_BAD_STATE);
    CHECK_RC(rdma_try_connect(&a, &of_c, a.conn), DOCA_ERROR_BAD_STATE);
    check_joined(&a, &b);
    rdma_close(&c);
    rdma_close_both(&a, &b);
}

/* A third instance connects with the details of a connection that two other instances already use.
 * The connect of the third instance may fail at once. If it succeeds, tasks of that connection
 * fail. */
static void used_details_do_not_disturb_their_connection(void)
{
    struct rdma_end a, b, c;
    struct rdma_blob of_a, of_b, of_c;
    doca_error_t rc;

    open_two(&a, &b);
    rdma_open(&c, memory[2], BYTES);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    rdma_export(&c, &of_c);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    check_joined(&a, &b);
    rc = rdma_try_connect(&c, &of_b, c.conn);
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_CONNECTION_ABORTED);
    rdma_post(&b, 4096, 512, 9);
    if (rc == DOCA_SUCCESS) {
        struct rdma_op op = rdma_send(&c, rdma_buf(&c, 0, 100), 8);

        if (rdma_submit(op) != DOCA_SUCCESS)
            rdma_drop(op);
    }
    rdma_settle();
    CHECK_EQ(c.num_ok, 0);
    CHECK_EQ(a.num_disconnects + b.num_disconnects, 0);
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 100), 7)));
    RDMA_UNTIL(rdma_latest(&b)->number == 9);
    CHECK_PTR(rdma_latest(&b)->from, b.conn);
    rdma_close(&c);
    CHECK_EQ(c.num_ok, 0);
    check_joined(&a, &b);
    rdma_close_both(&a, &b);
}

/* ---- how many ---- */

static void check_full(struct rdma_end *e)
{
    struct doca_rdma_connection *c = NULL;
    const void *details = NULL;
    size_t len = 77;

    CHECK_RC(doca_rdma_export(e->rdma, &details, &len, &c), DOCA_ERROR_FULL);
    CHECK(details == NULL && len == 77 && c == NULL);
}

static void there_is_one_connection_unless_the_program_asks_for_more(void)
{
    struct rdma_end a, b;

    open_two(&a, &b);
    rdma_export(&a, &(struct rdma_blob){ 0 });
    check_full(&a);
    rdma_close_both(&a, &b);
}

static void export_is_full_when_all_connections_are_used(void)
{
    struct doca_rdma_connection *conns[PEERS];
    struct rdma_blob blobs[PEERS];
    struct rdma_end a;
    uint32_t ids[PEERS];
    unsigned i, k;

    rdma_make(&a, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(a.rdma, PEERS));
    rdma_start(&a);
    for (i = 0; i < PEERS; i++) {
        rdma_export(&a, &blobs[i]);
        conns[i] = a.conn;
        CHECK_OK(doca_rdma_connection_get_id(conns[i], &ids[i]));
        for (k = 0; k < i; k++) {
            CHECK(conns[i] != conns[k] && ids[i] != ids[k]);
            CHECK(blobs[i].len != blobs[k].len ||
                  memcmp(blobs[i].bytes, blobs[k].bytes, blobs[i].len) != 0);
        }
    }
    check_full(&a);
    rdma_close(&a);
}

/* Connect a hub to all peers. conns[i] is the hub's connection to peer i. */
static void open_star(struct rdma_end *hub, struct rdma_end peers[PEERS],
                      struct doca_rdma_connection *conns[PEERS])
{
    unsigned i;

    fill();
    rdma_make(hub, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub->rdma, PEERS));
    rdma_start(hub);
    for (i = 0; i < PEERS; i++) {
        rdma_open(&peers[i], memory[1 + i], BYTES);
        rdma_join(hub, &peers[i]);
        conns[i] = hub->conn;
    }
    RDMA_UNTIL(hub->num_established == PEERS);
}

static void messages_of_eight_peers_tell_their_connection(void)
{
    struct doca_rdma_connection *conns[PEERS];
    struct rdma_end hub, peers[PEERS];
    unsigned i, k;

    open_star(&hub, peers, conns);
    for (k = 0; k < 3 * PEERS; k++) {
        i = k * 5 % PEERS;
        rdma_deliver(&peers[i], &hub, i, 4096, 100 + i);
        CHECK_PTR(rdma_latest(&hub)->from, conns[i]);
        hub.conn = conns[i];
        rdma_deliver(&hub, &peers[i], i, 4096, 200 + i);
        CHECK_PTR(rdma_latest(&peers[i])->from, peers[i].conn);
    }
    rdma_close(&hub);
    for (i = 0; i < PEERS; i++)
        rdma_close(&peers[i]);
}

static void end_of_one_connection_leaves_the_others_alone(void)
{
    struct doca_rdma_connection *conns[PEERS];
    struct rdma_end hub, peers[PEERS];
    unsigned i, k;

    open_star(&hub, peers, conns);
    for (i = 0; i < PEERS; i++) {
        rdma_stop(&peers[i]);
        RDMA_UNTIL(hub.num_disconnects == i + 1);
        CHECK_PTR(hub.lost[i], conns[i]);
        for (k = i + 1; k < PEERS; k++) {
            hub.conn = conns[k];
            check_joined(&hub, &peers[k]);
            CHECK_EQ(peers[k].num_disconnects, 0);
        }
    }
    for (i = 0; i < PEERS; i++) { /* all connections are free again */
        rdma_start(&peers[i]);
        rdma_join(&hub, &peers[i]);
        check_joined(&hub, &peers[i]);
    }
    check_full(&hub);
    rdma_close(&hub);
    for (i = 0; i < PEERS; i++)
        rdma_close(&peers[i]);
}

static void check_two_are_established(struct rdma_end *e, enum rdma_kind kind, void *task,
                                      bool is_ok)
{
    (void)kind;
    (void)task;
    (void)is_ok;
    CHECK_EQ(e->num_established, 2);
}

/* Before the hub reports the second connection, the end of its first connection makes it handle all
 * waiting completions. */
static void established_comes_before_the_tasks_of_the_connection(void)
{
    struct doca_rdma_connection *first;
    struct rdma_end hub, peers[2];

    fill();
    rdma_make(&hub, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, 2));
    rdma_start(&hub);
    rdma_open(&peers[0], memory[1], BYTES);
    rdma_open(&peers[1], memory[2], BYTES);
    rdma_join(&hub, &peers[0]);
    RDMA_UNTIL(hub.num_established == 1 && peers[0].num_established == 1);
    first = hub.conn;
    hub.on_done = check_two_are_established;
    CHECK_OK(rdma_submit(rdma_receive(&hub, rdma_room(&hub, 0, 64), 7)));
    rdma_join(&hub, &peers[1]);
    CHECK_OK(rdma_submit(rdma_send(&peers[1], rdma_buf(&peers[1], 0, 64), 8)));
    rdma_settle_end(&peers[1]); /* the message may have been received now */
    CHECK_OK(doca_rdma_connection_disconnect(first));
    RDMA_UNTIL(hub.num_done > 0);
    RDMA_CHECK_DONE(&hub, 0, RDMA_receive, 7, DOCA_SUCCESS);
    rdma_close(&hub);
    rdma_close(&peers[0]);
    rdma_close(&peers[1]);
}

/* ---- the end of a connection ---- */

static void stop_of_the_peer_gives_one_disconnection(void)
{
    union doca_data mine = { .u64 = 4711 }, got = { .u64 = 0 };
    struct rdma_end a, b;

    open_joined(&a, &b);
    CHECK_OK(doca_rdma_connection_set_user_data(a.conn, mine));
    CHECK_OK(doca_rdma_connection_get_user_data(a.conn, &got));
    CHECK_EQ(got.u64, 4711);
    check_joined(&a, &b);
    rdma_stop(&b);
    RDMA_UNTIL(a.num_disconnects == 1);
    rdma_settle();
    CHECK_EQ(a.num_disconnects, 1);
    CHECK_PTR(a.lost[0], a.conn);
    CHECK_EQ(a.conn_data.u64, 4711);
    CHECK_EQ(a.num_failures, 0);
    CHECK(rdma_is(&a, DOCA_CTX_STATE_RUNNING));
    rdma_close_both(&a, &b);
}

static void disconnect_ends_the_connection_on_both_sides(void)
{
    struct rdma_end a, b;

    open_joined(&a, &b);
    check_joined(&a, &b);
    a.keeps_lost = true;
    b.keeps_lost = true;
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    RDMA_UNTIL(a.num_disconnects == 1 && b.num_disconnects == 1);
    CHECK_OK(doca_rdma_connection_disconnect(a.conn)); /* it has ended: nothing happens */
    rdma_settle();
    CHECK_EQ(a.num_disconnects + b.num_disconnects, 2);
    CHECK_PTR(a.lost[0], a.conn);
    CHECK_PTR(b.lost[0], b.conn);
    CHECK_RC(rdma_run(&a, rdma_send(&a, rdma_buf(&a, 0, 8), 1)), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_RC(rdma_run(&b, rdma_send(&b, rdma_buf(&b, 0, 8), 1)), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_RC(rdma_run(&b, rdma_send(&b, NULL, 2)), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_OK(doca_rdma_connection_disconnect(b.conn));
    CHECK(rdma_is(&a, DOCA_CTX_STATE_RUNNING) && rdma_is(&b, DOCA_CTX_STATE_RUNNING));
    rdma_join(&a, &b);
    check_joined(&a, &b);
    rdma_close_both(&a, &b);
}

/* Tasks in flight fail on the side that disconnects as aborted, and on the other side as reset. */
static void disconnect_completes_the_tasks_in_flight(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_joined(&a, &b);
    check_joined(&a, &b);
    a.num_done = b.num_done = 0;
    for (i = 0; i < 10; i++) {
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 8), i)));
        CHECK_OK(rdma_submit(rdma_send_imm(&b, NULL, 5, i)));
    }
    rdma_settle();
    CHECK_EQ(a.num_done + b.num_done, 0);
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    RDMA_UNTIL(a.num_disconnects == 1 && b.num_disconnects == 1);
    CHECK_EQ(rdma_count(&a, RDMA_send, DOCA_ERROR_CONNECTION_ABORTED), 10);
    CHECK_EQ(rdma_count(&b, RDMA_send_imm, DOCA_ERROR_CONNECTION_RESET), 10);
    for (i = 0; i < 10; i++)
        CHECK(a.done[i].number == i && b.done[i].number == i);
    CHECK_EQ(a.num_done + b.num_done, 20);
    rdma_close_both(&a, &b);
}

static void established_callback_runs_once_on_each_side(void)
{
    struct rdma_end a, b;
    struct rdma_blob of_a, of_b;

    open_two(&a, &b);
    rdma_export(&a, &of_a);
    rdma_export(&b, &of_b);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    CHECK_OK(doca_rdma_connection_set_user_data(a.conn, (union doca_data){ .u64 = 99 }));
    rdma_settle();
    CHECK_EQ(a.num_established + b.num_established, 0);
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    RDMA_UNTIL(a.num_established == 1 && b.num_established == 1);
    CHECK_EQ(a.conn_data.u64, 99);
    CHECK_EQ(b.conn_data.u64, 0);
    check_joined(&a, &b);
    CHECK_EQ(a.num_established + b.num_established, 2);
    CHECK_EQ(a.num_requests + b.num_requests + a.num_failures + b.num_failures, 0);
    rdma_close_both(&a, &b);
}

static void submit_before_connect_is_refused(void)
{
    struct rdma_end a, b;
    struct rdma_op op;

    open_two(&a, &b);
    rdma_export(&a, &(struct rdma_blob){ 0 });
    op = rdma_send(&a, rdma_buf(&a, 0, 8), 1);
    CHECK_RC(rdma_submit(op), DOCA_ERROR_NOT_CONNECTED);
    rdma_drop(op);
    rdma_close_both(&a, &b);
}

static void disconnect_of_null_is_refused(void)
{
    union doca_data data = { .u64 = 1 };
    struct rdma_end a, b;
    uint32_t id;

    open_two(&a, &b);
    rdma_export(&a, &(struct rdma_blob){ 0 });
    CHECK_RC(doca_rdma_connection_disconnect(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_get_id(NULL, &id), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_get_id(a.conn, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_get_user_data(NULL, &data), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connection_get_user_data(a.conn, NULL), DOCA_ERROR_INVALID_VALUE);
    rdma_close_both(&a, &b);
}

static void instance_without_callbacks_survives_the_end_of_its_peer(void)
{
    struct rdma_end a, b;
    unsigned i;

    fill();
    rdma_make(&a, memory[0], BYTES);
    rdma_make(&b, memory[1], BYTES);
    CHECK_OK(doca_rdma_destroy(b.rdma)); /* again, without the connection callbacks */
    CHECK_OK(doca_rdma_create(b.dev, &b.rdma));
    b.ctx = doca_rdma_as_ctx(b.rdma);
    rdma_conf_all(b.rdma, 4);
    CHECK_OK(doca_rdma_set_permissions(b.rdma, RDMA_ALL));
    CHECK_OK(doca_ctx_set_user_data(b.ctx, (union doca_data){ .ptr = &b }));
    CHECK_OK(doca_pe_connect_ctx(b.pe, b.ctx));
    rdma_start(&b);
    for (i = 0; i < 3; i++) {
        rdma_start(&a);
        rdma_join(&a, &b);
        check_joined(&a, &b);
        rdma_stop(&a);
        rdma_settle();
    }
    CHECK(rdma_is(&b, DOCA_CTX_STATE_RUNNING));
    rdma_close_both(&a, &b);
}

/* ---- again ---- */

static void restart_needs_a_new_connection_and_gets_one(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_two(&a, &b);
    for (i = 0; i < ROUNDS; i++) {
        rdma_join(&a, &b);
        check_joined(&a, &b);
        rdma_stop(i % 2 ? &a : &b);
        RDMA_UNTIL((i % 2 ? &b : &a)->num_disconnects == 1 + i / 2);
        rdma_start(i % 2 ? &a : &b);
        rdma_forget_states(&a);
        rdma_forget_states(&b);
        a.num_done = b.num_done = 0;
    }
    rdma_close_both(&a, &b);
}

/* The peer leaves again and again. The program need not call disconnect for a lost connection. */
static void lost_connections_become_free_without_a_call(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_two(&a, &b);
    a.keeps_lost = true;
    for (i = 0; i < 10; i++) {
        rdma_join(&a, &b);
        check_joined(&a, &b);
        rdma_stop(&b);
        RDMA_UNTIL(a.num_disconnects == i + 1);
        rdma_start(&b);
    }
    rdma_close_both(&a, &b);
}

static void details_from_before_a_restart_do_not_connect(void)
{
    struct rdma_end a, b;
    struct rdma_blob of_a, old, of_b;
    doca_error_t rc;

    open_two(&a, &b);
    rdma_export(&b, &old);
    rdma_stop(&b);
    rdma_start(&b);
    rdma_export(&b, &of_b);
    rdma_export(&a, &of_a);
    rc = rdma_try_connect(&a, &old, a.conn);
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_OK(rdma_try_connect(&b, &of_a, b.conn));
    rdma_post(&b, 0, 100, 1);
    if (rc == DOCA_SUCCESS) {
        struct rdma_op op = rdma_send(&a, rdma_buf(&a, 0, 100), 2);

        if (rdma_submit(op) != DOCA_SUCCESS)
            rdma_drop(op);
    }
    rdma_settle();
    CHECK_EQ(a.num_ok + b.num_ok, 0);
    rdma_close_both(&a, &b);
    CHECK_EQ(a.num_ok + b.num_ok, 0);
}

/* ---- stop without a peer ---- */

static void stop_flushes_tasks_that_wait_for_the_peer(void)
{
    struct rdma_end a, b;
    struct rdma_blob of_b;
    unsigned i;

    open_two(&a, &b);
    rdma_export(&a, &(struct rdma_blob){ 0 });
    rdma_export(&b, &of_b);
    CHECK_OK(rdma_try_connect(&a, &of_b, a.conn));
    for (i = 0; i < 5; i++) {
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 10), i)));
        rdma_post(&a, 100, 100, i);
    }
    CHECK_EQ(rig_inflight(a.ctx), 10);
    CHECK_RC(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK(rdma_is(&a, DOCA_CTX_STATE_STOPPING));
    CHECK_RC(doca_rdma_destroy(a.rdma), DOCA_ERROR_BAD_STATE);
    rdma_stop(&a);
    CHECK_EQ(rdma_count(&a, RDMA_send, DOCA_ERROR_SHUTDOWN), 5);
    CHECK_EQ(rdma_count(&a, RDMA_receive, DOCA_ERROR_SHUTDOWN), 5);
    CHECK_EQ(a.num_done, 10);
    CHECK_STR(a.states, "IR RP PI");
    rdma_close_both(&a, &b);
}

static void destroy_is_refused_until_idle(void)
{
    struct rdma_end a, b;

    open_joined(&a, &b);
    CHECK_RC(doca_rdma_destroy(a.rdma), DOCA_ERROR_BAD_STATE);
    check_joined(&a, &b);
    CHECK_RC(doca_rdma_destroy(a.rdma), DOCA_ERROR_BAD_STATE);
    rdma_close_both(&a, &b);
}

static const struct test_case cases[] = {
    CASE(start_runs_at_once, "388 391"),
    CASE(task_may_be_submitted_straight_after_connect, "388 393 396"),
    CASE(send_waits_until_the_peer_has_connected, "396"),
    CASE(calls_of_both_sides_may_come_in_any_order, "393 396"),
    CASE(ends_on_two_devices_connect, "386 393"),
    CASE(export_and_connect_need_a_started_context, "393"),
    CASE(export_and_connect_refuse_null, "393 395"),
    CASE(damaged_details_are_refused, "395"),
    CASE(descriptor_of_memory_is_no_connection, "395"),
    CASE(second_connect_is_refused, "395"),
    CASE(used_details_do_not_disturb_their_connection, "393"),
    CASE(there_is_one_connection_unless_the_program_asks_for_more, "386 394"),
    CASE(export_is_full_when_all_connections_are_used, "394"),
    CASE(messages_of_eight_peers_tell_their_connection, "386 394 408"),
    CASE(end_of_one_connection_leaves_the_others_alone, "386 391"),
    CASE(established_comes_before_the_tasks_of_the_connection, "400"),
    CASE(stop_of_the_peer_gives_one_disconnection, "391 400"),
    CASE(disconnect_ends_the_connection_on_both_sides, "401"),
    CASE(disconnect_completes_the_tasks_in_flight, "391"),
    CASE_OF_SW(established_callback_runs_once_on_each_side, "400",
               "a connection is established by both sides"),
    CASE(submit_before_connect_is_refused, ""),
    CASE(disconnect_of_null_is_refused, ""),
    CASE(instance_without_callbacks_survives_the_end_of_its_peer, ""),
    CASE(restart_needs_a_new_connection_and_gets_one, "391"),
    CASE(lost_connections_become_free_without_a_call, "391"),
    CASE(details_from_before_a_restart_do_not_connect, "391"),
    CASE(stop_flushes_tasks_that_wait_for_the_peer, "391"),
    CASE(destroy_is_refused_until_idle, "392"),
};

TEST_MAIN(cases)

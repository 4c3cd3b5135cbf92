/* DOCA RDMA: tasks that get, set and add to a sync event of the peer. */
#include "rdma_ops.h"

#include "event_rig.h"

enum { BYTES = 1 << 14, GET_AT = 1024, PEERS = 3, ADDS = 200 };

static _Alignas(64) unsigned char memory[1 + PEERS][BYTES];

/* Two connected ends; the second has an event that the first has imported. */
struct scene {
    struct rdma_end a, b;
    struct doca_sync_event *event;
    struct doca_sync_event_remote_net *net;
};

static struct doca_sync_event_remote_net *import_event(struct doca_sync_event *event,
                                                       struct doca_dev *dev)
{
    struct doca_sync_event_remote_net *net = NULL;
    const uint8_t *data = NULL;
    size_t size = 0;

    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &size));
    CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, data, size, &net));
    return net;
}

/* The instance of the peer has these permissions. */
static void scene_open(struct scene *s, uint32_t access)
{
    share_fill(memory[0], BYTES, 1);
    rdma_open(&s->a, memory[0], BYTES);
    rdma_make(&s->b, memory[1], BYTES);
    CHECK_OK(doca_rdma_set_permissions(s->b.rdma, access));
    rdma_start(&s->b);
    rdma_join(&s->a, &s->b);
    s->event = event_net(s->b.dev);
    s->net = import_event(s->event, s->a.dev);
}

static void scene_close(struct scene *s)
{
    rdma_stop(&s->a);
    CHECK_OK(doca_sync_event_remote_net_destroy(s->net));
    CHECK_OK(doca_sync_event_destroy(s->event));
    rdma_close_both(&s->a, &s->b);
}

static void put_word(size_t off, uint64_t value)
{
    memcpy(memory[0] + off, &value, sizeof(value));
}

static struct rdma_op set_to(struct scene *s, uint64_t value)
{
    put_word(64, value);
    return rdma_event_set(&s->a, s->net, rdma_buf(&s->a, 64, 8));
}

static struct rdma_op get_it(struct scene *s)
{
    return rdma_event_get(&s->a, s->net, rdma_room(&s->a, GET_AT, 8));
}

static struct rdma_op add_to(struct scene *s, uint64_t value)
{
    return rdma_event_add(&s->a, s->net, rdma_room(&s->a, GET_AT, 8), value);
}

static const uint64_t values[] = { 1, 0, 41, UINT64_C(0x0123456789abcdef), UINT64_MAX, 7 };

enum { NUM_VALUES = sizeof(values) / sizeof(values[0]) };

/* ---- what the tasks do ---- */

static void set_takes_the_value_from_its_buffer(void)
{
    struct scene s;
    unsigned i;

    scene_open(&s, RDMA_ALL);
    for (i = 0; i < NUM_VALUES; i++) {
        CHECK_OK(rdma_run(&s.a, set_to(&s, values[i])));
        CHECK_EQ(rdma_latest(&s.a)->kind, RDMA_remote_net_sync_event_notify_set);
        CHECK_EQ(event_value(s.event), values[i]);
    }
    CHECK_OK(rdma_run(&s.a, set_to(&s, 100)));
    CHECK_OK(doca_sync_event_wait_gt(s.event, 99, UINT64_MAX));
    scene_close(&s);
}

static void get_reads_the_value_into_its_buffer(void)
{
    struct rdma_op op;
    struct scene s;
    unsigned i;

    scene_open(&s, RDMA_ALL);
    for (i = 0; i < NUM_VALUES; i++) {
        CHECK_OK(doca_sync_event_update_set(s.event, values[i]));
        CHECK_OK(rdma_run(&s.a, get_it(&s)));
        CHECK_EQ(rdma_latest(&s.a)->len, 8);
        CHECK_EQ(rdma_word(&s.a, GET_AT), values[i]);
    }
    s.a.keeps_tasks = true;
    op = get_it(&s);
    CHECK_OK(rdma_run(&s.a, op));
    CHECK_EQ(rig_data_len(doca_rdma_task_remote_net_sync_event_get_get_dst_buf(op.task)), 8);
    rdma_drop(op);
    scene_close(&s);
}

static void get_scatters_into_a_list(void)
{
    unsigned char value[8];
    struct scene s;

    scene_open(&s, RDMA_ALL);
    CHECK_OK(doca_sync_event_update_set(s.event, values[3]));
    CHECK_OK(rdma_run(
        &s.a, rdma_event_get(&s.a, s.net,
                             rdma_chain(rdma_room(&s.a, 2048, 3), rdma_room(&s.a, 3000, 100)))));
    CHECK_EQ(rdma_latest(&s.a)->len, 8);
    memcpy(value, &values[3], sizeof(value));
    CHECK_MEM(memory[0] + 2048, value, 3);
    CHECK_MEM(memory[0] + 3000, value + 3, 5);
    scene_close(&s);
}

static void add_returns_the_value_before(void)
{
    uint64_t sum = 5;
    struct scene s;
    unsigned i;

    scene_open(&s, RDMA_ALL);
    CHECK_OK(doca_sync_event_update_set(s.event, sum));
    for (i = 0; i < NUM_VALUES; i++) {
        CHECK_OK(rdma_run(&s.a, add_to(&s, values[i])));
        CHECK_EQ(rdma_word(&s.a, GET_AT), sum);
        sum += values[i];
        CHECK_EQ(event_value(s.event), sum);
    }
    scene_close(&s);
}

static void additions_in_flight_keep_their_order(void)
{
    struct scene s;
    unsigned i;

    scene_open(&s, RDMA_ALL);
    for (i = 0; i < RDMA_TASKS; i++)
        CHECK_OK(rdma_submit(
            rdma_event_add(&s.a, s.net, rdma_room(&s.a, GET_AT + 8 * (size_t)i, 8), i + 1)));
    RDMA_UNTIL(s.a.num_ok == RDMA_TASKS);
    for (i = 0; i < RDMA_TASKS; i++)
        CHECK_EQ(rdma_word(&s.a, GET_AT + 8 * (size_t)i), i * (i + 1) / 2);
    CHECK_EQ(event_value(s.event), RDMA_TASKS * (RDMA_TASKS + 1) / 2);
    scene_close(&s);
}

/* The owner of the event adds as well. */
static void additions_of_several_sides_sum_up(void)
{
    struct doca_sync_event_remote_net *nets[PEERS];
    struct rdma_end hub, peers[PEERS];
    struct doca_sync_event *event;
    uint64_t fetched;
    unsigned i, k;

    rdma_make(&hub, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, PEERS));
    rdma_start(&hub);
    event = event_net(hub.dev);
    for (i = 0; i < PEERS; i++) {
        rdma_open(&peers[i], memory[1 + i], BYTES);
        rdma_join(&hub, &peers[i]);
        nets[i] = import_event(event, peers[i].dev);
    }
    for (k = 0; k < ADDS; k++) {
        for (i = 0; i < PEERS; i++)
            CHECK_OK(
                rdma_submit(rdma_event_add(&peers[i], nets[i], rdma_room(&peers[i], 8, 8), 1 + i)));
        CHECK_OK(doca_sync_event_update_add(event, 10, &fetched));
        RDMA_UNTIL(peers[0].num_ok == k + 1 && peers[1].num_ok == k + 1 &&
                   peers[2].num_ok == k + 1);
    }
    CHECK_EQ(event_value(event), ADDS * (10 + 1 + 2 + 3));
    for (i = 0; i < PEERS; i++) {
        rdma_stop(&peers[i]);
        CHECK_OK(doca_sync_event_remote_net_destroy(nets[i]));
        rdma_close(&peers[i]);
    }
    CHECK_OK(doca_sync_event_destroy(event));
    rdma_close(&hub);
}

/* Like memory tasks, event tasks need no progress of the peer. */
static void event_tasks_need_no_progress_of_the_peer(void)
{
    struct scene s;
    unsigned i;

    scene_open(&s, RDMA_ALL);
    rdma_end_remove(&s.b);
    for (i = 0; i < 10; i++) {
        CHECK_OK(rdma_run(&s.a, set_to(&s, 10 + i)));
        CHECK_OK(rdma_run(&s.a, add_to(&s, 5)));
        CHECK_EQ(rdma_word(&s.a, GET_AT), 10 + i);
        CHECK_OK(rdma_run(&s.a, get_it(&s)));
        CHECK_EQ(rdma_word(&s.a, GET_AT), 15 + i);
    }
    CHECK_EQ(s.b.num_callbacks, 0);
    rdma_end_add(&s.b);
    scene_close(&s);
}

/* ---- what is refused ---- */

/* The reference is not clear about the permission of an addition: it is refused without the
 * permissions to write and to do atomic tasks. */
static void missing_permission_breaks_the_connection(void)
{
    static const uint32_t missing[3] = {
        DOCA_ACCESS_FLAG_RDMA_READ,
        DOCA_ACCESS_FLAG_RDMA_WRITE,
        (uint32_t)DOCA_ACCESS_FLAG_RDMA_WRITE | (uint32_t)DOCA_ACCESS_FLAG_RDMA_ATOMIC,
    };
    struct scene s;
    unsigned i;

    for (i = 0; i < 3; i++) {
        scene_open(&s, RDMA_ALL & ~missing[i]);
        CHECK_OK(doca_sync_event_update_set(s.event, 77));
        put_word(GET_AT, 5);
        CHECK_RC(rdma_run(&s.a, i == 0   ? get_it(&s)
                                : i == 1 ? set_to(&s, 1)
                                         : add_to(&s, 1)),
                 DOCA_ERROR_IO_FAILED);
        RDMA_UNTIL(s.a.num_disconnects == 1 && s.b.num_disconnects == 1);
        CHECK_EQ(event_value(s.event), 77);
        CHECK_EQ(rdma_word(&s.a, GET_AT), 5);
        scene_close(&s);
    }
}

/* Fail by the submission or by the task, and change nothing. */
static void check_fails(struct scene *s, struct rdma_op op)
{
    uint64_t before = event_value(s->event);

    CHECK(rdma_try(&s->a, op) != DOCA_SUCCESS);
    CHECK_EQ(event_value(s->event), before);
}

static void wrong_buffers_are_refused(void)
{
    struct scene s;
    unsigned how;

    for (how = 0; how < 8; how++) {
        scene_open(&s, RDMA_ALL);
        CHECK_OK(doca_sync_event_update_set(s.event, 77));
        if (how == 0)
            check_fails(&s, rdma_event_get(&s.a, s.net, NULL));
        else if (how == 1)
            check_fails(&s, rdma_event_get(&s.a, s.net, rdma_room(&s.a, GET_AT, 7)));
        else if (how == 2)
            check_fails(&s, rdma_event_get(&s.a, NULL, rdma_room(&s.a, GET_AT, 8)));
        else if (how == 3)
            check_fails(&s, rdma_event_set(&s.a, s.net, NULL));
        else if (how == 4)
            check_fails(&s, rdma_event_set(&s.a, s.net, rdma_buf(&s.a, GET_AT, 7)));
        else if (how == 5)
            check_fails(&s, rdma_event_set(&s.a, NULL, rdma_buf(&s.a, GET_AT, 8)));
        else if (how == 6)
            check_fails(&s, rdma_event_add(&s.a, s.net, rdma_room(&s.a, GET_AT, 7), 1));
        else
            check_fails(&s, rdma_event_add(&s.a, NULL, rdma_room(&s.a, GET_AT, 8), 1));
        scene_close(&s);
    }
}

static void change_of_an_event_that_has_ended_fails(void)
{
    struct scene s;
    unsigned i;

    for (i = 0; i < 2; i++) {
        scene_open(&s, RDMA_ALL);
        CHECK_OK(doca_sync_event_stop(s.event));
        CHECK(rdma_try(&s.a, i ? add_to(&s, 1) : set_to(&s, 1)) != DOCA_SUCCESS);
        scene_close(&s);
    }
}

/* ---- setters and getters ---- */

#define CHECK_FIELD(type, field, task, first, second)                                              \
    do {                                                                                           \
        CHECK(doca_rdma_task_remote_net_sync_event_##type##_get_##field(task) == (first));         \
        doca_rdma_task_remote_net_sync_event_##type##_set_##field(task, second);                   \
        CHECK(doca_rdma_task_remote_net_sync_event_##type##_get_##field(task) == (second));        \
        doca_rdma_task_remote_net_sync_event_##type##_set_##field(task, first);                    \
    } while (0)

static void event_tasks_keep_what_was_set(void)
{
    struct doca_sync_event_remote_net *other;
    struct rdma_op get, set, add;
    struct doca_buf *buf[2];
    struct scene s;

    scene_open(&s, RDMA_ALL);
    other = import_event(s.event, s.a.dev);
    buf[0] = rdma_buf(&s.a, 0, 8);
    buf[1] = rdma_buf(&s.a, 64, 8);
    get = rdma_event_get(&s.a, s.net, buf[0]);
    set = rdma_event_set(&s.a, s.net, buf[0]);
    add = rdma_event_add(&s.a, s.net, buf[0], 5);
    CHECK_FIELD(get, sync_event, get.task, s.net, other);
    CHECK_FIELD(get, dst_buf, get.task, buf[0], buf[1]);
    CHECK_FIELD(get, rdma_connection, get.task, s.a.conn, s.a.conn);
    CHECK_FIELD(notify_set, sync_event, set.task, s.net, other);
    CHECK_FIELD(notify_set, src_buf, set.task, buf[0], buf[1]);
    CHECK_FIELD(notify_set, rdma_connection, set.task, s.a.conn, s.a.conn);
    CHECK_FIELD(notify_add, sync_event, add.task, s.net, other);
    CHECK_FIELD(notify_add, result_buf, add.task, buf[0], buf[1]);
    CHECK_FIELD(notify_add, add_data, add.task, 5, UINT64_MAX);
    CHECK_FIELD(notify_add, rdma_connection, add.task, s.a.conn, s.a.conn);
    doca_task_free(rdma_as_task(get.kind, get.task));
    doca_task_free(rdma_as_task(set.kind, set.task));
    doca_task_free(rdma_as_task(add.kind, add.task));
    CHECK_OK(doca_buf_dec_refcount(buf[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(buf[1], NULL));
    CHECK_OK(doca_sync_event_remote_net_destroy(other));
    scene_close(&s);
}

/* ---- two processes ---- */

struct event_hello {
    struct rdma_blob blob;
    size_t size;
    uint8_t data[512];
};

/* Export an event and wait for it, without progress: each change ends a wait. */
static void waiting_child(int fd, uint32_t unused)
{
    struct doca_sync_event *event;
    struct event_hello hello;
    const uint8_t *data = NULL;
    struct rdma_end e;
    uint64_t i;

    (void)unused;
    rdma_forget_ends();
    heap_trap_set(HEAP_TRAP_ABORT);
    rdma_open(&e, memory[1], BYTES);
    event = event_net(e.dev);
    memset(&hello, 0, sizeof(hello));
    rdma_export(&e, &hello.blob);
    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &hello.size));
    CHECK(hello.size <= sizeof(hello.data));
    memcpy(hello.data, data, hello.size);
    send_all(fd, &hello, sizeof(hello));
    receive_all(fd, &hello, sizeof(hello));
    CHECK_OK(rdma_try_connect(&e, &hello.blob, e.conn));
    for (i = 1; i <= ADDS; i++) {
        CHECK_OK(doca_sync_event_wait_gt_yield(event, 2 * i - 1, UINT64_MAX));
        CHECK_EQ(event_value(event), 2 * i);
        send_byte(fd);
    }
    receive_all(fd, &hello, 1);
    rdma_stop(&e);
    CHECK_OK(doca_sync_event_destroy(event));
    rdma_destroy(&e);
}

static void task_ends_the_wait_of_another_process(void)
{
    struct peer peer = start_peer(waiting_child, 0);
    struct doca_sync_event_remote_net *net;
    struct event_hello hello, mine;
    unsigned char byte;
    struct rdma_end e;
    uint64_t i;

    rdma_open(&e, memory[0], BYTES);
    receive_all(peer.fd, &hello, sizeof(hello));
    memset(&mine, 0, sizeof(mine));
    rdma_export(&e, &mine.blob);
    send_all(peer.fd, &mine, sizeof(mine));
    CHECK_OK(rdma_try_connect(&e, &hello.blob, e.conn));
    CHECK_OK(doca_sync_event_remote_net_create_from_export(e.dev, hello.data, hello.size, &net));
    for (i = 1; i <= ADDS; i++) {
        put_word(64, 2 * i);
        CHECK_OK(rdma_run(&e, i % 2 ? rdma_event_add(&e, net, rdma_room(&e, 8, 8), 2)
                                    : rdma_event_set(&e, net, rdma_buf(&e, 64, 8))));
        receive_all(peer.fd, &byte, 1);
    }
    send_byte(peer.fd);
    RDMA_UNTIL(e.num_disconnects == 1);
    rdma_stop(&e);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    rdma_destroy(&e);
    end_peer(&peer);
}

static const struct test_case cases[] = {
    CASE(set_takes_the_value_from_its_buffer, "414"),
    CASE(get_reads_the_value_into_its_buffer, "414"),
    CASE(get_scatters_into_a_list, "410 414"),
    CASE(add_returns_the_value_before, "414"),
    CASE(additions_in_flight_keep_their_order, "414 418"),
    CASE(additions_of_several_sides_sum_up, "414"),
    CASE(event_tasks_need_no_progress_of_the_peer, ""),
    CASE(missing_permission_breaks_the_connection, "421"),
    CASE(wrong_buffers_are_refused, ""),
    CASE(change_of_an_event_that_has_ended_fails, ""),
    CASE(event_tasks_keep_what_was_set, "406"),
    CASE(task_ends_the_wait_of_another_process, "414"),
};

TEST_MAIN(cases)

/* DOCA RDMA: tasks of all types. Allocation and empty pools, setters and getters, the full send
 * queue, what callbacks may do, and what a stop does with tasks in flight. */
#include "rdma_ops.h"

#include <poll.h>

enum { BYTES = 1 << 16, FEW = 3, DEPTH = 8, AGAIN = 1000, SLEEP_MS = 5000 };

static _Alignas(64) unsigned char memory[3][BYTES];

static void open_pair(struct rdma_end *a, struct rdma_end *b)
{
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 7);
    rdma_open(a, memory[0], BYTES);
    rdma_open(b, memory[1], BYTES);
    rdma_lend(b, a);
    rdma_join(a, b);
}

/* ---- allocation ---- */

#define ALLOCATE(type, ...)                                                                        \
    case RDMA_##type: {                                                                            \
        struct doca_rdma_task_##type *of_type = *task;                                             \
                                                                                                   \
        rc = doca_rdma_task_##type##_allocate_init(__VA_ARGS__, data,                              \
                                                   task != &nowhere ? &of_type : NULL);            \
        *task = of_type;                                                                           \
        break;                                                                                     \
    }

static void *nowhere; /* its address stands for a NULL output */

/* Allocate a task of this type without buffers. */
static doca_error_t allocate(struct doca_rdma *rdma, struct doca_rdma_connection *c,
                             enum rdma_kind kind, uint64_t number, void **task)
{
    doca_error_t rc = DOCA_ERROR_UNEXPECTED;
    union doca_data data = { .u64 = number };

    switch (kind) {
        ALLOCATE(receive, rdma, NULL)
        ALLOCATE(send, rdma, c, NULL)
        ALLOCATE(send_imm, rdma, c, NULL, 0)
        ALLOCATE(read, rdma, c, NULL, NULL)
        ALLOCATE(write, rdma, c, NULL, NULL)
        ALLOCATE(write_imm, rdma, c, NULL, NULL, 0)
        ALLOCATE(atomic_cmp_swp, rdma, c, NULL, NULL, 0, 0)
        ALLOCATE(atomic_fetch_add, rdma, c, NULL, NULL, 0)
        ALLOCATE(remote_net_sync_event_get, rdma, c, NULL, NULL)
        ALLOCATE(remote_net_sync_event_notify_set, rdma, c, NULL, NULL)
        ALLOCATE(remote_net_sync_event_notify_add, rdma, c, NULL, NULL, 0)
    default:
        break;
    }
    return rc;
}

static void empty_pools_give_no_memory(void)
{
    void *tasks[RDMA_KINDS][FEW];
    struct rdma_end a, b;
    unsigned kind, i;

    rdma_make(&a, memory[0], BYTES);
    rdma_conf_all(a.rdma, FEW);
    rdma_start(&a);
    rdma_open(&b, memory[1], BYTES);
    rdma_join(&a, &b);
    for (kind = 0; kind < RDMA_KINDS; kind++) { /* each type has a pool for itself */
        void *more = &a;

        for (i = 0; i < FEW; i++)
            CHECK_OK(allocate(a.rdma, a.conn, (enum rdma_kind)kind, 0, &tasks[kind][i]));
        CHECK_RC(allocate(a.rdma, a.conn, (enum rdma_kind)kind, 0, &more), DOCA_ERROR_NO_MEMORY);
        CHECK_PTR(more, &a);
    }
    for (kind = 0; kind < RDMA_KINDS; kind++) {
        void *more = NULL;

        doca_task_free(rdma_as_task((enum rdma_kind)kind, tasks[kind][1]));
        CHECK_OK(allocate(a.rdma, a.conn, (enum rdma_kind)kind, 0, &more));
        tasks[kind][1] = more;
        CHECK_RC(allocate(a.rdma, a.conn, (enum rdma_kind)kind, 0, &more), DOCA_ERROR_NO_MEMORY);
        for (i = 0; i < FEW; i++)
            doca_task_free(rdma_as_task((enum rdma_kind)kind, tasks[kind][i]));
    }
    rdma_close_both(&a, &b);
}

static void allocation_refuses_null_and_wrong_states(void)
{
    struct rdma_end a, b;
    unsigned kind;
    void *task;

    open_pair(&a, &b);
    for (kind = 0; kind < RDMA_KINDS; kind++) {
        task = &b;
        CHECK_RC(allocate(NULL, a.conn, (enum rdma_kind)kind, 0, &task), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(allocate(a.rdma, a.conn, (enum rdma_kind)kind, 0, &nowhere),
                 DOCA_ERROR_INVALID_VALUE);
        if (kind != RDMA_receive)
            CHECK_RC(allocate(a.rdma, NULL, (enum rdma_kind)kind, 0, &task),
                     DOCA_ERROR_INVALID_VALUE);
        CHECK_PTR(task, &b);
    }
    rdma_stop(&a);
    for (kind = 0; kind < RDMA_KINDS; kind++) {
        CHECK(allocate(a.rdma, b.conn, (enum rdma_kind)kind, 0, &task) != DOCA_SUCCESS);
        CHECK_PTR(task, &b);
    }
    CHECK_RC(allocate(a.rdma, NULL, RDMA_receive, 0, &task), DOCA_ERROR_BAD_STATE);
    rdma_close_both(&a, &b);
}

/* An instance that has enabled receives only. */
static void tasks_that_are_not_enabled_are_not_allocated(void)
{
    struct rdma_end a, b;
    unsigned kind;
    void *task = NULL;

    rdma_open(&a, memory[0], BYTES);
    rdma_make(&b, memory[1], BYTES);
    CHECK_OK(doca_rdma_destroy(b.rdma)); /* again, with fewer types */
    CHECK_OK(doca_rdma_create(b.dev, &b.rdma));
    b.ctx = doca_rdma_as_ctx(b.rdma);
    rdma_conf_receive(b.rdma, FEW);
    CHECK_OK(doca_ctx_set_user_data(b.ctx, (union doca_data){ .ptr = &b }));
    CHECK_OK(doca_pe_connect_ctx(b.pe, b.ctx));
    rdma_start(&b);
    rdma_join(&a, &b);
    for (kind = RDMA_send; kind < RDMA_KINDS; kind++)
        CHECK_RC(allocate(b.rdma, b.conn, (enum rdma_kind)kind, 0, &task), DOCA_ERROR_BAD_STATE);
    CHECK_PTR(task, NULL);
    rdma_deliver(&a, &b, 0, 4096, 100);
    rdma_close_both(&a, &b);
}

/* ---- setters and getters ---- */

static void user_data_is_kept_and_can_be_changed(void)
{
    struct rdma_end a, b;
    unsigned kind;

    open_pair(&a, &b);
    for (kind = 0; kind < RDMA_KINDS; kind++) {
        struct doca_task *task;
        void *of_type = NULL;

        CHECK_OK(allocate(a.rdma, a.conn, (enum rdma_kind)kind, 1000 + kind, &of_type));
        task = rdma_as_task((enum rdma_kind)kind, of_type);
        CHECK(task != NULL);
        CHECK_EQ(doca_task_get_user_data(task).u64, 1000 + kind);
        CHECK_PTR(doca_task_get_ctx(task), a.ctx);
        doca_task_set_user_data(task, (union doca_data){ .u64 = 2000 + kind });
        CHECK_EQ(doca_task_get_user_data(task).u64, 2000 + kind);
        doca_task_free(task);
    }
    rdma_close_both(&a, &b);
}

#define CHECK_FIELD(type, field, task, first, second)                                              \
    do {                                                                                           \
        CHECK(doca_rdma_task_##type##_get_##field(task) == (first));                               \
        doca_rdma_task_##type##_set_##field(task, second);                                         \
        CHECK(doca_rdma_task_##type##_get_##field(task) == (second));                              \
    } while (0)

struct things { /* two connections and two buffers, for setters and getters */
    struct rdma_end a, b;
    struct doca_rdma_connection *c[2];
    struct doca_buf *buf[2];
};

static void things_open(struct things *t)
{
    rdma_make(&t->a, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(t->a.rdma, 2));
    rdma_start(&t->a);
    rdma_make(&t->b, memory[1], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(t->b.rdma, 2));
    rdma_start(&t->b);
    rdma_join(&t->a, &t->b);
    t->c[0] = t->a.conn;
    rdma_join(&t->a, &t->b);
    t->c[1] = t->a.conn;
    t->buf[0] = rdma_buf(&t->a, 0, 8);
    t->buf[1] = rdma_buf(&t->a, 64, 8);
}

static void things_close(struct things *t)
{
    CHECK_OK(doca_buf_dec_refcount(t->buf[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(t->buf[1], NULL));
    rdma_close_both(&t->a, &t->b);
}

#define NEW_TASK(type, ...)                                                                        \
    struct doca_rdma_task_##type *type = NULL;                                                     \
    CHECK_OK(doca_rdma_task_##type##_allocate_init(t.a.rdma, __VA_ARGS__, data, &type))

#define FREE_TASK(type) doca_task_free(doca_rdma_task_##type##_as_task(type))

static void messages_keep_what_was_set(void)
{
    union doca_data data = { .u64 = 0 };
    struct things t;

    things_open(&t);
    {
        NEW_TASK(receive, t.buf[0]);
        NEW_TASK(send, t.c[0], t.buf[0]);
        NEW_TASK(send_imm, t.c[0], t.buf[0], 0x01020304);

        CHECK_FIELD(receive, dst_buf, receive, t.buf[0], t.buf[1]);
        CHECK_FIELD(receive, dst_buf, receive, t.buf[1], NULL);
        CHECK_FIELD(send, src_buf, send, t.buf[0], t.buf[1]);
        CHECK_FIELD(send, src_buf, send, t.buf[1], NULL);
        CHECK_FIELD(send, rdma_connection, send, t.c[0], t.c[1]);
        CHECK_FIELD(send_imm, src_buf, send_imm, t.buf[0], t.buf[1]);
        CHECK_FIELD(send_imm, immediate_data, send_imm, 0x01020304, 0xf0e0d0c0u);
        CHECK_FIELD(send_imm, rdma_connection, send_imm, t.c[0], t.c[1]);
        FREE_TASK(receive);
        FREE_TASK(send);
        FREE_TASK(send_imm);
    }
    things_close(&t);
}

static void memory_tasks_keep_what_was_set(void)
{
    union doca_data data = { .u64 = 0 };
    struct things t;

    things_open(&t);
    {
        NEW_TASK(read, t.c[0], t.buf[0], t.buf[1]);
        NEW_TASK(write, t.c[0], t.buf[0], t.buf[1]);
        NEW_TASK(write_imm, t.c[0], t.buf[0], t.buf[1], 77);

        CHECK_FIELD(read, src_buf, read, t.buf[0], t.buf[1]);
        CHECK_FIELD(read, dst_buf, read, t.buf[1], t.buf[0]);
        CHECK_FIELD(read, rdma_connection, read, t.c[0], t.c[1]);
        CHECK_FIELD(write, src_buf, write, t.buf[0], t.buf[1]);
        CHECK_FIELD(write, dst_buf, write, t.buf[1], NULL);
        CHECK_FIELD(write, rdma_connection, write, t.c[0], t.c[1]);
        CHECK_FIELD(write_imm, src_buf, write_imm, t.buf[0], t.buf[1]);
        CHECK_FIELD(write_imm, dst_buf, write_imm, t.buf[1], t.buf[0]);
        CHECK_FIELD(write_imm, immediate_data, write_imm, 77, 0x80000000u);
        CHECK_FIELD(write_imm, rdma_connection, write_imm, t.c[0], t.c[1]);
        FREE_TASK(read);
        FREE_TASK(write);
        FREE_TASK(write_imm);
    }
    things_close(&t);
}

static void atomic_tasks_keep_what_was_set(void)
{
    const uint64_t x = UINT64_C(0x0123456789abcdef), y = UINT64_MAX;
    union doca_data data = { .u64 = 0 };
    struct things t;

    things_open(&t);
    {
        NEW_TASK(atomic_cmp_swp, t.c[0], t.buf[0], t.buf[1], x, y);
        NEW_TASK(atomic_fetch_add, t.c[0], t.buf[0], t.buf[1], x);

        CHECK_FIELD(atomic_cmp_swp, dst_buf, atomic_cmp_swp, t.buf[0], t.buf[1]);
        CHECK_FIELD(atomic_cmp_swp, result_buf, atomic_cmp_swp, t.buf[1], t.buf[0]);
        CHECK_FIELD(atomic_cmp_swp, cmp_data, atomic_cmp_swp, x, 1);
        CHECK_FIELD(atomic_cmp_swp, swap_data, atomic_cmp_swp, y, 2);
        CHECK_FIELD(atomic_cmp_swp, cmp_data, atomic_cmp_swp, 1, y);
        CHECK_FIELD(atomic_cmp_swp, rdma_connection, atomic_cmp_swp, t.c[0], t.c[1]);
        CHECK_FIELD(atomic_fetch_add, dst_buf, atomic_fetch_add, t.buf[0], t.buf[1]);
        CHECK_FIELD(atomic_fetch_add, result_buf, atomic_fetch_add, t.buf[1], NULL);
        CHECK_FIELD(atomic_fetch_add, add_data, atomic_fetch_add, x, y);
        CHECK_FIELD(atomic_fetch_add, rdma_connection, atomic_fetch_add, t.c[0], t.c[1]);
        FREE_TASK(atomic_cmp_swp);
        FREE_TASK(atomic_fetch_add);
    }
    things_close(&t);
}

/* A task goes to the connection that it has when it is submitted. */
static void changed_connection_is_used(void)
{
    struct rdma_end hub, peers[2];
    struct doca_rdma_connection *c[2];
    struct rdma_op op;
    unsigned i;

    rdma_make(&hub, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, 2));
    rdma_start(&hub);
    for (i = 0; i < 2; i++) {
        rdma_open(&peers[i], memory[1 + i], BYTES);
        rdma_join(&hub, &peers[i]);
        c[i] = hub.conn;
        rdma_post(&peers[i], 0, 100, 1);
    }
    op = rdma_send_on(&hub, c[0], rdma_buf(&hub, 0, 100), 2);
    doca_rdma_task_send_set_rdma_connection(op.task, c[1]);
    CHECK_OK(rdma_submit(op));
    RDMA_UNTIL(hub.num_ok == 1 && peers[1].num_ok == 1);
    rdma_settle();
    CHECK_EQ(peers[0].num_done, 0);
    rdma_close(&hub);
    rdma_close(&peers[0]);
    rdma_close(&peers[1]);
}

/* ---- the send queue ---- */

/* The size 5 is rounded up to 8. All types but receive count. */
static void submit_is_full_when_the_send_queue_is(void)
{
    struct rdma_end a, b;
    struct rdma_op op;
    uint32_t size = 0;
    unsigned i, round;

    rdma_make(&a, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_send_queue_size(a.rdma, 5));
    CHECK_OK(doca_rdma_get_send_queue_size(a.rdma, &size));
    CHECK_EQ(size, DEPTH);
    rdma_start(&a);
    rdma_open(&b, memory[1], BYTES);
    rdma_lend(&b, &a);
    rdma_join(&a, &b);
    for (i = 0; i < DEPTH; i++) {
        if (i % 4 == 3) /* cannot complete before the send in front of it */
            op = rdma_write(&a, rdma_buf(&a, 0, 8), rdma_far_room(&a, 4096, 8), i);
        else
            op = i % 2 ? rdma_send_imm(&a, rdma_buf(&a, 0, 8), 5, i)
                       : rdma_send(&a, rdma_buf(&a, 0, 8), i);
        CHECK_OK(rdma_submit(op));
        rdma_settle();
    }
    op = rdma_send(&a, rdma_buf(&a, 0, 8), DEPTH);
    for (round = 0; round < 3; round++) {
        CHECK_RC(rdma_submit(op), DOCA_ERROR_FULL);
        rdma_settle();
        CHECK_EQ(a.num_done, 0);
        CHECK_EQ(rig_inflight(a.ctx), DEPTH);
        rdma_post(&a, 0, 8, 100); /* receives have a queue of their own */
        CHECK_EQ(rig_inflight(a.ctx), DEPTH + 1);
        CHECK_OK(rdma_submit(rdma_send(&b, NULL, 0)));
        RDMA_UNTIL(a.num_done == 1);
        a.num_done = 0;
    }
    rdma_post(&b, 0, 8, 200);
    RDMA_UNTIL(a.num_done == 1);
    CHECK_OK(rdma_submit(op)); /* the refused task is as it was */
    for (i = 0; i < 6; i++)
        rdma_post(&b, 0, 8, 201 + i);
    RDMA_UNTIL(a.num_done == DEPTH + 1);
    for (i = 0; i <= DEPTH; i++)
        CHECK_EQ(a.done[i].number, i);
    CHECK_EQ(a.num_failed, 0);
    rdma_close_both(&a, &b);
}

static void full_queue_of_one_connection_leaves_the_others_alone(void)
{
    struct rdma_end hub, peers[2];
    struct doca_rdma_connection *c[2];
    struct rdma_op op;
    unsigned i;

    rdma_make(&hub, memory[0], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(hub.rdma, 2));
    CHECK_OK(doca_rdma_set_send_queue_size(hub.rdma, DEPTH));
    rdma_start(&hub);
    for (i = 0; i < 2; i++) {
        rdma_open(&peers[i], memory[1 + i], BYTES);
        rdma_join(&hub, &peers[i]);
        c[i] = hub.conn;
    }
    for (i = 0; i < DEPTH; i++)
        CHECK_OK(rdma_submit(rdma_send_on(&hub, c[0], NULL, i)));
    op = rdma_send_on(&hub, c[0], NULL, DEPTH);
    CHECK_RC(rdma_submit(op), DOCA_ERROR_FULL);
    rdma_drop(op);
    hub.conn = c[1];
    rdma_deliver(&hub, &peers[1], 0, 4096, 100);
    CHECK_EQ(hub.num_done, 1);
    rdma_close(&hub);
    CHECK_EQ(rdma_count(&hub, RDMA_send, DOCA_ERROR_SHUTDOWN), DEPTH);
    rdma_close(&peers[0]);
    rdma_close(&peers[1]);
}

/* ---- what callbacks may do ---- */

static void submit_again(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    struct rdma_op op = { kind, task };

    if (kind == RDMA_receive && is_ok)
        CHECK_OK(doca_buf_reset_data_len(doca_rdma_task_receive_get_dst_buf(task)));
    if (is_ok && ++e->todo <= AGAIN)
        CHECK_OK(rdma_submit(op));
    else
        rdma_drop(op);
}

static void tasks_are_submitted_again_in_their_callbacks(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    a.keeps_tasks = b.keeps_tasks = true;
    a.on_done = b.on_done = submit_again;
    for (i = 0; i < 4; i++) {
        rdma_post(&b, 1000 * i, 1000, i);
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 64, 777), i)));
    }
    RDMA_UNTIL(a.num_ok == AGAIN + 4 && b.num_ok == AGAIN + 4);
    CHECK_EQ(a.num_failed + b.num_failed, 0);
    for (i = 0; i < 4; i++)
        CHECK_MEM(memory[1] + 1000 * i, memory[0] + 64, 777);
    rdma_close_both(&a, &b);
}

/* Submit each completed read again while `todo` is not 0. `user` points to the number of
 * receives. */
static void read_again(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    CHECK(is_ok);
    if (kind == RDMA_receive)
        ++*(unsigned *)e->user;
    if (kind == RDMA_read && e->todo != 0)
        CHECK_OK(rdma_submit(rdma_op(kind, task)));
    else
        rdma_release(kind, task);
}

/* Reads without buffers complete at once and are submitted again, so a read is always in flight.
 * The receives must complete nevertheless. */
static void messages_arrive_while_a_read_is_always_in_flight(void)
{
    unsigned i, num_received = 0;
    struct rdma_end a, b;

    open_pair(&a, &b);
    a.keeps_tasks = true;
    a.on_done = read_again;
    a.user = &num_received;
    a.todo = 1;
    for (i = 0; i < 8; i++) {
        rdma_post(&a, 1000 * i, 1000, i);
        CHECK_OK(rdma_submit(rdma_send(&b, rdma_buf(&b, 64, 777), i)));
    }
    CHECK_OK(rdma_submit(rdma_read(&a, NULL, NULL, 0)));
    for (i = 0; i < 1000 && num_received < 8; i++) /* each turn completes something */
        (void)rdma_turn();
    CHECK_EQ(num_received, 8);
    CHECK(a.num_done > 12); /* reads complete between the messages */
    a.todo = 0;
    rdma_settle();
    CHECK_EQ(b.num_ok, 8);
    rdma_close_both(&a, &b);
}

/* The callback frees its task. After that, it can allocate a task of this type. */
static void free_and_allocate(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    void *more = NULL;

    CHECK(is_ok && kind == RDMA_send);
    if (e->todo == 0) {
        rdma_release(kind, task);
        return;
    }
    CHECK_RC(allocate(e->rdma, e->conn, kind, 0, &more), DOCA_ERROR_NO_MEMORY);
    rdma_release(kind, task);
    CHECK_OK(allocate(e->rdma, e->conn, kind, e->todo--, &more));
    CHECK_OK(rdma_submit(rdma_op(kind, more)));
}

static void tasks_are_freed_and_allocated_in_callbacks(void)
{
    struct rdma_end a, b;
    unsigned i;

    rdma_make(&a, memory[0], BYTES);
    rdma_conf_send(a.rdma, 1);
    rdma_start(&a);
    rdma_open(&b, memory[1], BYTES);
    rdma_join(&a, &b);
    a.keeps_tasks = true;
    a.on_done = free_and_allocate;
    a.todo = 100;
    CHECK_OK(rdma_submit(rdma_send(&a, NULL, 0)));
    for (i = 0; i <= 100; i++) {
        CHECK_OK(rdma_submit(rdma_receive(&b, NULL, i)));
        RDMA_UNTIL(b.num_done == i + 1);
    }
    RDMA_UNTIL(a.num_ok == 101);
    rdma_close_both(&a, &b);
}

static void stop_at_the_third(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    (void)kind;
    (void)task;
    if (is_ok && ++e->todo == 3)
        CHECK_RC(doca_ctx_stop(e->ctx), DOCA_ERROR_IN_PROGRESS);
    else if (!is_ok)
        CHECK(e->todo == 3);
}

/* `side` says which end stops in its callback. */
static void check_stop_in_callback(unsigned side)
{
    struct rdma_end ends[2];
    unsigned i;

    open_pair(&ends[0], &ends[1]);
    ends[side].on_done = stop_at_the_third;
    for (i = 0; i < 10; i++) {
        rdma_post(&ends[1], 1000 * i, 1000, i);
        CHECK_OK(rdma_submit(rdma_send(&ends[0], rdma_buf(&ends[0], 0, 500), i)));
    }
    RDMA_UNTIL(rdma_is(&ends[side], DOCA_CTX_STATE_IDLE));
    CHECK_EQ(ends[side].num_done, 10);
    CHECK_EQ(ends[side].num_ok, 3);
    CHECK_STR(ends[side].states, "IR RP PI");
    for (i = 3; i < 10; i++)
        CHECK_RC(ends[side].done[i].status, DOCA_ERROR_SHUTDOWN);
    RDMA_UNTIL(ends[1 - side].num_disconnects == 1);
    rdma_close_both(&ends[0], &ends[1]);
    CHECK_EQ(ends[1 - side].num_done, 10);
    CHECK_EQ(ends[0].num_done + ends[1].num_done, 20);
}

static void sender_may_stop_in_its_callback(void)
{
    check_stop_in_callback(0);
}

static void receiver_may_stop_in_its_callback(void)
{
    check_stop_in_callback(1);
}

/* ---- stop ---- */

static void stop_flushes_tasks_of_all_types(void)
{
    struct rdma_end a, b;
    struct rdma_op late;
    unsigned i;

    open_pair(&a, &b);
    late = rdma_send(&a, NULL, 50);
    for (i = 0; i < 4; i++)
        rdma_post(&a, 4096, 100, 100 + i);
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 10), 0))); /* the peer has posted nothing */
    CHECK_OK(rdma_submit(rdma_write(&a, rdma_buf(&a, 0, 8), rdma_far_room(&a, 0, 8), 1)));
    CHECK_OK(rdma_submit(rdma_read(&a, rdma_far_buf(&a, 0, 8), rdma_room(&a, 0, 8), 2)));
    CHECK_OK(rdma_submit(rdma_add(&a, rdma_far_buf(&a, 0, 8), rdma_room(&a, 0, 8), 1, 3)));
    CHECK_OK(rdma_submit(rdma_send_imm(&a, NULL, 5, 4)));
    CHECK_OK(rdma_submit(rdma_write_imm(&a, NULL, NULL, 5, 5)));
    rdma_settle();
    CHECK_EQ(a.num_done, 0);
    CHECK_RC(doca_ctx_stop(a.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_RC(rdma_submit(late), DOCA_ERROR_BAD_STATE);
    rdma_drop(late);
    rdma_stop(&a);
    CHECK_EQ(a.num_done, 10);
    for (i = 0; i < 10; i++)
        CHECK_RC(a.done[i].status, DOCA_ERROR_SHUTDOWN);
    RDMA_UNTIL(b.num_disconnects == 1);
    rdma_close_both(&a, &b);
}

/* The tasks of the peer, whose instance keeps running, complete once. */
static void stop_of_the_peer_resets_tasks_in_flight(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    for (i = 0; i < 10; i++)
        CHECK_OK(rdma_submit(i % 2 ? rdma_send(&a, rdma_buf(&a, 0, 10), i)
                                   : rdma_send_imm(&a, NULL, 5, i)));
    rdma_settle();
    rdma_stop(&b);
    RDMA_UNTIL(a.num_done == 10 && a.num_disconnects == 1);
    rdma_settle();
    for (i = 0; i < 10; i++)
        RDMA_CHECK_DONE(&a, i, i % 2 ? RDMA_send : RDMA_send_imm, i, DOCA_ERROR_CONNECTION_RESET);
    CHECK_EQ(a.num_done, 10);
    rdma_close_both(&a, &b);
}

/* The sender submits a task again whenever one has failed. */
static void submit_failed_again(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok)
{
    struct rdma_op op = { kind, task };

    if (is_ok || e->num_disconnects > 0 || rdma_submit(op) != DOCA_SUCCESS)
        rdma_drop(op);
}

static void steady_submission_does_not_delay_the_disconnection(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    rdma_deliver(&a, &b, 0, 4096, 100);
    a.keeps_tasks = true;
    a.on_done = submit_failed_again;
    for (i = 0; i < 8; i++)
        CHECK_OK(rdma_submit(rdma_send(&a, NULL, i)));
    rdma_stop(&b);
    RDMA_UNTIL(a.num_disconnects == 1);
    rdma_close_both(&a, &b);
}

static void allocated_task_keeps_the_instance_from_idle(void)
{
    struct rdma_end a, b;
    struct rdma_op op;
    doca_error_t rc;

    open_pair(&a, &b);
    op = rdma_send(&a, rdma_buf(&a, 0, 10), 0);
    rc = doca_ctx_stop(a.ctx);
    CHECK_RC(rc, DOCA_ERROR_IN_PROGRESS);
    rdma_settle();
    CHECK(rdma_is(&a, DOCA_CTX_STATE_STOPPING));
    rdma_drop(op);
    RDMA_UNTIL(rdma_is(&a, DOCA_CTX_STATE_IDLE));
    CHECK_STR(a.states, "IR RP PI");
    rdma_close_both(&a, &b);
}

/* ---- a program that sleeps ---- */

/* Progress a sleeping end until `num` reaches `want`, and between that wait on its notification
 * handle. The other end makes progress meanwhile. */
static void sleep_until(struct rdma_end *sleeper, struct rdma_end *other, const unsigned *num,
                        unsigned want)
{
    doca_notification_handle_t handle = -1;
    uint64_t end = rdma_now_ms() + SLEEP_MS;
    struct pollfd p = { -1, POLLIN, 0 };

    CHECK_OK(doca_pe_get_notification_handle(sleeper->pe, &handle));
    p.fd = handle;
    for (;;) {
        while (rdma_progress(sleeper))
            continue;
        if (*num == want)
            return;
        CHECK_OK(doca_pe_request_notification(sleeper->pe));
        while (poll(&p, 1, 1) != 1) {
            (void)rdma_progress(other);
            CHECK(rdma_now_ms() < end);
        }
        CHECK_OK(doca_pe_clear_notification(sleeper->pe, handle));
    }
}

static void sleeping_program_wakes_for_messages_and_ends(void)
{
    struct rdma_end a, b;
    unsigned i;

    open_pair(&a, &b);
    rdma_deliver(&a, &b, 0, 4096, 100);
    for (i = 0; i < 20; i++) {
        rdma_post(&b, 0, 1000, i);
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 1000), i)));
        sleep_until(&b, &a, &b.num_done, i + 2);
        RDMA_UNTIL(a.num_done == b.num_done);
    }
    for (i = 0; i < 20; i++) { /* the sender sleeps until the receiver is ready */
        CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, 1000), i)));
        rdma_settle();
        rdma_post(&b, 0, 1000, i);
        sleep_until(&a, &b, &a.num_done, 21 + i + 1);
    }
    CHECK_OK(doca_rdma_connection_disconnect(a.conn));
    sleep_until(&b, &a, &b.num_disconnects, 1);
    rdma_close_both(&a, &b);
}

static const struct test_case cases[] = {
    CASE(empty_pools_give_no_memory, "407"),
    CASE(allocation_refuses_null_and_wrong_states, ""),
    CASE(tasks_that_are_not_enabled_are_not_allocated, "406"),
    CASE(user_data_is_kept_and_can_be_changed, "406 407"),
    CASE(messages_keep_what_was_set, "406"),
    CASE(memory_tasks_keep_what_was_set, "406"),
    CASE(atomic_tasks_keep_what_was_set, "406"),
    CASE(changed_connection_is_used, ""),
    CASE(submit_is_full_when_the_send_queue_is, "417"),
    CASE(full_queue_of_one_connection_leaves_the_others_alone, "417"),
    CASE(tasks_are_submitted_again_in_their_callbacks, "416"),
    CASE_OF_SW(messages_arrive_while_a_read_is_always_in_flight, "", "an empty read needs no peer"),
    CASE(tasks_are_freed_and_allocated_in_callbacks, "407 416"),
    CASE_OF_SW(sender_may_stop_in_its_callback, "391", "its tasks need the progress of both sides"),
    CASE_OF_SW(receiver_may_stop_in_its_callback, "391",
               "its tasks need the progress of both sides"),
    CASE(stop_flushes_tasks_of_all_types, "391"),
    CASE(stop_of_the_peer_resets_tasks_in_flight, "391 418"),
    CASE(steady_submission_does_not_delay_the_disconnection, ""),
    CASE(allocated_task_keeps_the_instance_from_idle, ""),
    CASE(sleeping_program_wakes_for_messages_and_ends, ""),
};

TEST_MAIN(cases)

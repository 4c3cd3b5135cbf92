/* DOCA RDMA with injected faults (>>fault): start, connection, and every type of task. Both ends
 * live in one thread, and their devices have fault injection. RDMA devices have no tasks on sync
 * events and no connections by address, so the cases leave these out there. */
#include "rdma_ops.h"

#include "event_rig.h"

#include <poll.h>
#include <sys/wait.h>

enum { BYTES = 1 << 14, PART = 256, HERE = 1024, THERE = 2048, MANY = 200, PORT = 4711 };

static _Alignas(64) unsigned char memory[2][BYTES], before[2][BYTES];

/* Two connected ends. The first one can reach the memory and a sync event of the second. */
struct scene {
    struct rdma_end a, b;
    struct doca_sync_event *event; /* NULL: the device has no tasks on events */
    struct doca_sync_event_remote_net *net;
};

static void fault_text(const char *text)
{
    CHECK_OK(doca_core_fault_set(text));
}

static void fault_end(void)
{
    fault_text(NULL);
    CHECK_EQ(doca_core_fault_get_num_held(), 0);
}

/* Fault number `number` has this operation and action. */
static void check_record(uint64_t number, const char *operation, const char *action)
{
    struct doca_core_fault_record record;

    CHECK_OK(doca_core_fault_get_record(number, &record));
    CHECK_STR(record.operation, operation);
    CHECK_STR(record.action, action);
}

/* Note what the memory of both ends contains. */
static void note_memory(void)
{
    memcpy(before, memory, sizeof(before));
}

static void check_memory(void)
{
    CHECK_MEM(memory[0], before[0], BYTES);
    CHECK_MEM(memory[1], before[1], BYTES);
}

static bool has_events(const struct scene *s)
{
    return doca_rdma_cap_task_remote_net_sync_event_get_is_supported(
               doca_dev_as_devinfo(s->a.dev)) == DOCA_SUCCESS;
}

/* Progress both ends until they are connected. */
static void scene_join(struct scene *s)
{
    const unsigned num_a = s->a.num_established, num_b = s->b.num_established;

    rdma_join(&s->a, &s->b);
    RDMA_UNTIL(s->a.num_established == num_a + 1 && s->b.num_established == num_b + 1);
}

/* Connect both ends again, after the first end has lost its connection. */
static void scene_join_again(struct scene *s)
{
    rdma_settle();
    scene_join(s);
}

static void scene_open(struct scene *s)
{
    const uint8_t *data = NULL;
    size_t size = 0;

    fault_text("log=0");
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 7);
    memset(s, 0, sizeof(*s));
    rdma_open(&s->a, memory[0], BYTES);
    rdma_open(&s->b, memory[1], BYTES);
    rdma_lend(&s->b, &s->a);
    scene_join(s);
    if (has_events(s)) {
        s->event = event_net(s->b.dev);
        CHECK_OK(doca_sync_event_export_to_remote_net(s->event, &data, &size));
        CHECK_OK(doca_sync_event_remote_net_create_from_export(s->a.dev, data, size, &s->net));
    }
    note_memory();
}

static void scene_close(struct scene *s)
{
    fault_end();
    rdma_stop(&s->a);
    if (s->net != NULL)
        CHECK_OK(doca_sync_event_remote_net_destroy(s->net));
    if (s->event != NULL)
        CHECK_OK(doca_sync_event_destroy(s->event));
    rdma_close_both(&s->a, &s->b);
}

/* Make a task of the first end that would change memory: its buffers lie at HERE and THERE. */
static struct rdma_op make_op(struct scene *s, enum rdma_kind kind, uint64_t number)
{
    struct rdma_end *a = &s->a;

    switch (kind) {
    case RDMA_receive:
        return rdma_receive(a, rdma_room(a, HERE, PART), number);
    case RDMA_send:
        return rdma_send(a, rdma_buf(a, HERE, PART), number);
    case RDMA_send_imm:
        return rdma_send_imm(a, rdma_buf(a, HERE, PART), 5, number);
    case RDMA_read:
        return rdma_read(a, rdma_far_buf(a, THERE, PART), rdma_room(a, HERE, PART), number);
    case RDMA_write:
        return rdma_write(a, rdma_buf(a, HERE, PART), rdma_far_room(a, THERE, PART), number);
    case RDMA_write_imm:
        return rdma_write_imm(a, rdma_buf(a, HERE, PART), rdma_far_room(a, THERE, PART), 5, number);
    case RDMA_atomic_cmp_swp:
        return rdma_swap(a, rdma_far_buf(a, THERE, 8), rdma_room(a, HERE, 8),
                         rdma_word(&s->b, THERE), 1);
    case RDMA_atomic_fetch_add:
        return rdma_add(a, rdma_far_buf(a, THERE, 8), rdma_room(a, HERE, 8), 3, number);
    case RDMA_remote_net_sync_event_get:
        return rdma_event_get(a, s->net, rdma_room(a, HERE, 8));
    case RDMA_remote_net_sync_event_notify_set:
        return rdma_event_set(a, s->net, rdma_buf(a, HERE, 8));
    default:
        return rdma_event_add(a, s->net, rdma_room(a, HERE, 8), 9);
    }
}

static bool is_of_event(enum rdma_kind kind)
{
    return kind >= RDMA_remote_net_sync_event_get;
}

/* The peer must post a buffer for such a task. */
static bool needs_receive(enum rdma_kind kind)
{
    return kind == RDMA_send || kind == RDMA_send_imm || kind == RDMA_write_imm;
}

/* Flush what the peer has posted, end both instances, and connect them again. */
static void scene_renew(struct scene *s)
{
    rdma_stop(&s->a);
    rdma_stop(&s->b);
    s->a.num_states = s->b.num_states = 0;
    share_fill(memory[0], BYTES, 1);
    share_fill(memory[1], BYTES, 7);
    rdma_start(&s->a);
    rdma_start(&s->b);
    scene_join(s);
    s->a.num_done = s->a.num_ok = s->a.num_failed = s->a.num_disconnects = 0;
    s->b.num_done = s->b.num_ok = s->b.num_failed = s->b.num_disconnects = 0;
}

/* ---- tasks that fail ---- */

/* A task fails, alone: it completes once with the planned error, no byte moves on either side, and
 * the connection breaks, as after every failed task. The next connection works. */
static void every_type_of_task_fails_once_and_moves_no_byte(void)
{
    struct scene s;
    unsigned kind;

    scene_open(&s);
    for (kind = RDMA_send; kind < RDMA_KINDS; kind++) {
        if (is_of_event((enum rdma_kind)kind) && s.event == NULL)
            continue;
        if (needs_receive((enum rdma_kind)kind))
            rdma_post(&s.b, THERE, PART, 1);
        fault_text("rdma.complete=fail:NOT_PERMITTED@1,log=0");
        note_memory();
        CHECK_OK(rdma_submit(make_op(&s, (enum rdma_kind)kind, 0)));
        RDMA_UNTIL(s.a.num_disconnects == 1);
        rdma_settle();
        CHECK_EQ(s.a.num_done, 1);
        CHECK(!s.a.done[0].is_ok);
        RDMA_CHECK_DONE(&s.a, 0, kind, 0, DOCA_ERROR_NOT_PERMITTED);
        CHECK_EQ(s.b.num_done, 0); /* a posted receive waits for another connection */
        check_memory();
        if (s.event != NULL)
            CHECK_EQ(event_value(s.event), 0);
        CHECK_EQ(s.b.num_disconnects, 1);
        CHECK_EQ(doca_core_fault_get_num(), 1);
        check_record(1, "rdma.complete", "fail");
        fault_text("");
        scene_renew(&s);
        if (needs_receive((enum rdma_kind)kind))
            rdma_post(&s.b, THERE, PART, 1);
        CHECK_OK(rdma_run(&s.a, make_op(&s, (enum rdma_kind)kind, 0)));
        scene_renew(&s);
        if (s.event != NULL)
            CHECK_OK(doca_sync_event_update_set(s.event, 0));
    }
    scene_close(&s);
}

/* ---- types of tasks ---- */

static const char *const names[RDMA_KINDS] = {
    "rdma_receive",
    "rdma_send",
    "rdma_send_imm",
    "rdma_read",
    "rdma_write",
    "rdma_write_imm",
    "rdma_atomic_cmp_swp",
    "rdma_atomic_fetch_add",
    "rdma_remote_net_sync_event_get",
    "rdma_remote_net_sync_event_notify_set",
    "rdma_remote_net_sync_event_notify_add",
};

static char *name_of(enum rdma_kind kind, const char *operation)
{
    static char name[64];

    snprintf(name, sizeof(name), "%s.%s", names[kind], operation);
    return name;
}

/* Set one rule for this type of task. */
static void fault_for(enum rdma_kind kind, const char *rule)
{
    char text[128];

    snprintf(text, sizeof(text), "%s.%s,log=0", names[kind], rule);
    fault_text(text);
}

/* Submit a task of this type to the first end, let the peer do its part, and return the status of
 * the task. `number` is also the number of the task among the completions of the first end. */
static doca_error_t run_kind(struct scene *s, enum rdma_kind kind, unsigned number)
{
    CHECK_EQ(s->a.num_done, number);
    if (needs_receive(kind))
        rdma_post(&s->b, THERE, PART, 1);
    CHECK_OK(rdma_submit(make_op(s, kind, number)));
    if (kind == RDMA_receive)
        CHECK_OK(rdma_submit(rdma_send(&s->b, rdma_buf(&s->b, 0, PART), 1)));
    RDMA_UNTIL(s->a.num_done == number + 1);
    CHECK_EQ(rdma_at(&s->a, number)->kind, kind);
    return rdma_at(&s->a, number)->status;
}

/* For each type: the second task of the type fails, alone. Tasks of another type before, between
 * and behind them do not count. Then all tasks of the type fail, and tasks of another type none. */
static void rule_for_a_type_selects_tasks_of_this_type(void)
{
    enum rdma_kind other;
    struct scene s;
    unsigned kind, i;

    scene_open(&s);
    for (kind = RDMA_receive; kind < RDMA_KINDS; kind++) {
        if (is_of_event((enum rdma_kind)kind) && s.event == NULL)
            continue;
        other = kind == RDMA_write ? RDMA_read : RDMA_write;
        fault_for((enum rdma_kind)kind, "complete=fail:NOT_PERMITTED@2");
        CHECK_OK(run_kind(&s, other, 0));
        CHECK_OK(run_kind(&s, (enum rdma_kind)kind, 1));
        CHECK_OK(run_kind(&s, other, 2));
        CHECK_RC(run_kind(&s, (enum rdma_kind)kind, 3), DOCA_ERROR_NOT_PERMITTED);
        RDMA_UNTIL(s.a.num_disconnects == 1);
        CHECK_EQ(doca_core_fault_get_num(), 1);
        check_record(1, name_of((enum rdma_kind)kind, "complete"), "fail");
        scene_renew(&s);
        CHECK_OK(run_kind(&s, (enum rdma_kind)kind, 0));

        fault_for((enum rdma_kind)kind, "complete=fail:EMPTY");
        for (i = 0; i < 2; i++) {
            scene_renew(&s);
            CHECK_OK(run_kind(&s, other, 0));
            CHECK_RC(run_kind(&s, (enum rdma_kind)kind, 1), DOCA_ERROR_EMPTY);
        }
        CHECK_EQ(doca_core_fault_get_num(), 2);
        fault_text("");
        scene_renew(&s);
    }
    scene_close(&s);
}

static void submit_of_a_type_is_refused(void)
{
    struct rdma_op op, other;
    struct scene s;
    unsigned kind;

    scene_open(&s);
    for (kind = RDMA_receive; kind < RDMA_KINDS; kind++) {
        if (is_of_event((enum rdma_kind)kind) && s.event == NULL)
            continue;
        if (needs_receive((enum rdma_kind)kind))
            rdma_post(&s.b, THERE, PART, 1);
        fault_for((enum rdma_kind)kind, "submit=fail:BAD_STATE@1");
        other = make_op(&s, kind == RDMA_write ? RDMA_read : RDMA_write, 1);
        op = make_op(&s, (enum rdma_kind)kind, 2);
        CHECK_OK(rdma_run(&s.a, other));
        CHECK_RC(rdma_submit(op), DOCA_ERROR_BAD_STATE);
        CHECK_EQ(doca_core_fault_get_num(), 1);
        check_record(1, name_of((enum rdma_kind)kind, "submit"), "fail");
        CHECK_OK(rdma_submit(op));
        if (kind == RDMA_receive)
            CHECK_OK(rdma_submit(rdma_send(&s.b, rdma_buf(&s.b, 0, PART), 1)));
        RDMA_UNTIL(rig_inflight(s.a.ctx) + rig_inflight(s.b.ctx) == 0);
    }
    CHECK_EQ(s.a.num_disconnects, 0);
    CHECK_EQ(s.a.num_failed, 0);
    scene_close(&s);
}

/* A rule that names all tasks, by name or by `*`, counts each task once. */
static void rule_for_all_types_counts_each_task_once(void)
{
    struct scene s;

    scene_open(&s);
    fault_text("*.complete=fail:EMPTY@3,rdma_write.complete=fail:NOT_FOUND@3,log=0");
    CHECK_OK(run_kind(&s, RDMA_write, 0));
    CHECK_OK(run_kind(&s, RDMA_write, 1));
    CHECK_RC(run_kind(&s, RDMA_write, 2), DOCA_ERROR_EMPTY); /* the first rule applies */
    CHECK_EQ(doca_core_fault_get_num(), 1);
    check_record(1, "rdma.complete", "fail");
    scene_close(&s);
}

/* The fault of a task that finds the send queue full waits for the next task of the same type. */
static void fault_of_a_refused_task_stays_with_its_type(void)
{
    struct rdma_op op, other;
    struct scene s;
    unsigned i;

    scene_open(&s);
    fault_text("rdma_write.complete=fail:EMPTY@1,log=0");
    for (i = 0; i < RDMA_DEPTH; i++) /* without a receive task of the peer, they stay */
        CHECK_OK(rdma_submit(make_op(&s, i < RDMA_TASKS ? RDMA_send : RDMA_send_imm, i)));
    op = make_op(&s, RDMA_write, RDMA_DEPTH + 1);
    CHECK_RC(rdma_submit(op), DOCA_ERROR_FULL);
    CHECK_EQ(doca_core_fault_get_num(), 0);
    for (i = 0; i < RDMA_DEPTH; i++) {
        rdma_post(&s.b, THERE, PART, i);
        RDMA_UNTIL(s.b.num_done == i + 1);
    }
    RDMA_UNTIL(s.a.num_done == RDMA_DEPTH);
    other = make_op(&s, RDMA_read, RDMA_DEPTH);
    CHECK_OK(rdma_run(&s.a, other));
    CHECK_EQ(doca_core_fault_get_num(), 0);
    CHECK_RC(rdma_run(&s.a, op), DOCA_ERROR_EMPTY);
    CHECK_EQ(doca_core_fault_get_num(), 1);
    scene_close(&s);
}

/* A receive task fails when a message comes for it. The send of the peer fails as well. */
static void failed_receive_refuses_its_message(void)
{
    struct scene s;

    scene_open(&s);
    fault_text("rdma.complete=fail:BAD_CONFIG@1,log=0");
    CHECK_OK(rdma_submit(make_op(&s, RDMA_receive, 3)));
    rdma_post(&s.a, 3 * HERE, PART, 4);
    rdma_settle();
    CHECK_EQ(s.a.num_done, 0);
    CHECK_OK(rdma_submit(rdma_send(&s.b, rdma_buf(&s.b, 0, PART), 5)));
    RDMA_UNTIL(s.a.num_done == 1 && s.b.num_done == 1 && s.a.num_disconnects == 1 &&
               s.b.num_disconnects == 1);
    rdma_settle();
    RDMA_CHECK_DONE(&s.a, 0, RDMA_receive, 3, DOCA_ERROR_BAD_CONFIG);
    RDMA_CHECK_DONE(&s.b, 0, RDMA_send, 5, DOCA_ERROR_IO_FAILED);
    check_memory();
    fault_text("");
    scene_join(&s); /* the second receive task waits for it */
    CHECK_OK(rdma_run(&s.b, rdma_send(&s.b, rdma_buf(&s.b, 0, PART), 6)));
    RDMA_UNTIL(s.a.num_done == 2);
    RDMA_CHECK_DONE(&s.a, 1, RDMA_receive, 4, DOCA_SUCCESS);
    CHECK_MEM(memory[0] + 3 * HERE, memory[1], PART);
    scene_close(&s);
}

/* Tasks before the failed one are executed; tasks behind it are not, and end as on a card. */
static void tasks_behind_a_failed_one_are_not_executed(void)
{
    struct scene s;
    unsigned i;

    scene_open(&s);
    fault_text("rdma.complete=fail@3,log=0");
    for (i = 0; i < 5; i++)
        CHECK_OK(rdma_submit(rdma_write(&s.a, rdma_buf(&s.a, (size_t)i * PART, PART),
                                        rdma_far_room(&s.a, THERE + (size_t)i * PART, PART), i)));
    RDMA_UNTIL(s.a.num_disconnects == 1);
    rdma_settle();
    CHECK_EQ(s.a.num_done, 5);
    for (i = 0; i < 5; i++)
        RDMA_CHECK_DONE(&s.a, i, RDMA_write, i,
                        i < 2    ? DOCA_SUCCESS
                        : i == 2 ? DOCA_ERROR_IO_FAILED
                                 : DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_MEM(memory[1] + THERE, memory[0], (size_t)2 * PART);
    memcpy(before[1] + THERE, memory[0], (size_t)2 * PART);
    check_memory();
    /* a task on the connection that has ended */
    CHECK_RC(rdma_try(&s.a, make_op(&s, RDMA_write, 9)), DOCA_ERROR_CONNECTION_ABORTED);
    fault_text("");
    scene_join_again(&s);
    rdma_deliver(&s.a, &s.b, 0, THERE, PART);
    scene_close(&s);
}

/* Only the connection of the failed task breaks. */
static void other_connections_of_the_instance_go_on(void)
{
    struct doca_rdma_connection *first;
    struct scene s;

    fault_text("log=0");
    memset(&s, 0, sizeof(s));
    rdma_make(&s.a, memory[0], BYTES);
    rdma_make(&s.b, memory[1], BYTES);
    CHECK_OK(doca_rdma_set_max_num_connections(s.a.rdma, 2));
    CHECK_OK(doca_rdma_set_max_num_connections(s.b.rdma, 2));
    rdma_start(&s.a);
    rdma_start(&s.b);
    scene_join(&s);
    first = s.a.conn;
    scene_join(&s);
    fault_text("rdma.complete=fail@1,log=0");
    CHECK_OK(rdma_submit(rdma_send_on(&s.a, first, rdma_buf(&s.a, 0, PART), 1)));
    RDMA_UNTIL(s.a.num_disconnects == 1);
    CHECK_PTR(s.a.lost[0], first);
    rdma_deliver(&s.a, &s.b, 0, THERE, PART);
    CHECK_EQ(s.a.num_disconnects, 1);
    scene_close(&s);
}

static void refused_submit_leaves_the_task_with_the_program(void)
{
    struct scene s;
    unsigned kind;
    struct rdma_op op;

    scene_open(&s);
    for (kind = RDMA_send; kind < RDMA_KINDS; kind++) {
        if (is_of_event((enum rdma_kind)kind) && s.event == NULL)
            continue;
        if (needs_receive((enum rdma_kind)kind))
            rdma_post(&s.b, THERE, PART, 1);
        fault_text("rdma.submit=fail:BAD_STATE@1,rdma.submit=again@2,log=0");
        op = make_op(&s, (enum rdma_kind)kind, 0);
        CHECK_RC(rdma_submit(op), DOCA_ERROR_BAD_STATE);
        CHECK_RC(rdma_submit(op), DOCA_ERROR_AGAIN);
        CHECK_OK(rdma_run(&s.a, op));
        RDMA_UNTIL(rig_inflight(s.b.ctx) == 0);
    }
    CHECK_EQ(s.a.num_disconnects, 0);
    CHECK_EQ(s.a.num_failed, 0);
    scene_close(&s);
}

/* With CONNECTION_RESET, the connection ends as if the peer had ended. */
static void reset_ends_the_connection_as_the_peer_would(void)
{
    struct scene s;

    scene_open(&s);
    fault_text("rdma.complete=fail:CONNECTION_RESET@1,log=0");
    CHECK_OK(rdma_submit(make_op(&s, RDMA_write, 0)));
    CHECK_OK(rdma_submit(make_op(&s, RDMA_read, 1)));
    RDMA_UNTIL(s.a.num_disconnects == 1 && s.a.num_done == 2);
    RDMA_CHECK_DONE(&s.a, 0, RDMA_write, 0, DOCA_ERROR_CONNECTION_RESET);
    RDMA_CHECK_DONE(&s.a, 1, RDMA_read, 1, DOCA_ERROR_CONNECTION_RESET);
    check_memory();
    scene_close(&s);
}

/* ---- tasks that are late ---- */

static void late_completions_do_not_delay_the_bytes(void)
{
    struct scene s;

    scene_open(&s);
    fault_text("rdma.complete=hold,log=0");
    rdma_post(&s.b, THERE, PART, 1);
    CHECK_OK(rdma_submit(make_op(&s, RDMA_send, 2)));
    CHECK_OK(rdma_submit(make_op(&s, RDMA_read, 3)));
    rdma_settle();
    CHECK_EQ(doca_core_fault_get_num_held(), 3);
    CHECK_EQ(s.a.num_done + s.b.num_done, 0);
    CHECK_MEM(memory[1] + THERE, before[0] + HERE, PART);
    CHECK_MEM(memory[0] + HERE, before[0] + HERE, PART); /* the read returned the sent bytes */
    CHECK_EQ(doca_core_fault_release(UINT32_MAX), 3);
    RDMA_UNTIL(s.a.num_done == 2 && s.b.num_done == 1);
    RDMA_CHECK_DONE(&s.a, 0, RDMA_send, 2, DOCA_SUCCESS);
    RDMA_CHECK_DONE(&s.a, 1, RDMA_read, 3, DOCA_SUCCESS);
    RDMA_CHECK_DONE(&s.b, 0, RDMA_receive, 1, DOCA_SUCCESS);
    CHECK_EQ(rdma_at(&s.b, 0)->len, PART);
    CHECK_PTR(rdma_at(&s.b, 0)->from, s.b.conn);

    fault_text("rdma.complete=delay:30@1,rdma.complete=delay:1ms@2,rdma.complete=reorder@3,log=0");
    CHECK_OK(rdma_submit(make_op(&s, RDMA_write, 4)));
    CHECK_OK(rdma_submit(make_op(&s, RDMA_write, 5)));
    CHECK_OK(rdma_submit(make_op(&s, RDMA_write, 6)));
    CHECK_OK(rdma_submit(make_op(&s, RDMA_write, 7)));
    RDMA_UNTIL(s.a.num_done == 6);
    RDMA_CHECK_DONE(&s.a, 2, RDMA_write, 7, DOCA_SUCCESS);
    RDMA_CHECK_DONE(&s.a, 3, RDMA_write, 6, DOCA_SUCCESS);
    CHECK_EQ(s.a.num_failed, 0);
    scene_close(&s);
}

/* While a completion of an ended connection is held, no other connection takes its place. */
static void held_completion_keeps_the_place_of_its_connection(void)
{
    struct rdma_blob blob;
    const void *details;
    struct doca_rdma_connection *c, *lost;
    size_t len;
    struct scene s;

    scene_open(&s);
    fault_text("rdma.complete=hold,log=0");
    rdma_post(&s.b, THERE, PART, 1);
    CHECK_OK(rdma_submit(make_op(&s, RDMA_send, 2)));
    rdma_settle();
    lost = s.b.conn;
    CHECK_OK(doca_rdma_connection_disconnect(s.a.conn));
    CHECK_OK(doca_rdma_connection_disconnect(s.b.conn));
    rdma_settle();
    CHECK_EQ(s.b.num_done, 0);
    CHECK_RC(doca_rdma_export(s.b.rdma, &details, &len, &c), DOCA_ERROR_FULL);
    CHECK_EQ(doca_core_fault_release(UINT32_MAX), 2);
    RDMA_UNTIL(s.a.num_done == 1 && s.b.num_done == 1);
    CHECK_PTR(rdma_at(&s.b, 0)->from, lost);
    CHECK_EQ(rdma_at(&s.b, 0)->status, DOCA_SUCCESS);
    rdma_export(&s.b, &blob);
    CHECK_OK(doca_rdma_connection_disconnect(s.b.conn));
    fault_text("");
    scene_join(&s);
    rdma_deliver(&s.a, &s.b, 0, THERE, PART);
    scene_close(&s);
}

/* True when a program that sleeps on the handle of the PE is woken at once. */
static bool is_readable(struct doca_pe *pe)
{
    bool is_woken;

    CHECK_OK(doca_pe_request_notification(pe));
    is_woken = event_is_readable(pe, 0);
    CHECK_OK(doca_pe_clear_notification(pe, 0));
    return is_woken;
}

static void late_and_failed_completions_wake_sleepers(void)
{
    struct scene s;

    scene_open(&s);
    rdma_settle();
    CHECK(!is_readable(s.a.pe));
    fault_text("rdma.complete=delay:3@1,rdma.complete=fail@2,log=0");
    CHECK_OK(rdma_submit(make_op(&s, RDMA_write, 0)));
    while (s.a.num_done == 0) {
        CHECK(is_readable(s.a.pe));
        (void)rdma_progress(&s.a);
    }
    rdma_settle();
    CHECK_OK(doca_pe_request_notification(s.a.pe));
    CHECK_OK(rdma_submit(make_op(&s, RDMA_write, 1)));
    CHECK(event_is_readable(s.a.pe, 1000));
    CHECK_OK(doca_pe_clear_notification(s.a.pe, 0));
    RDMA_UNTIL(s.a.num_failed == 1 && s.a.num_disconnects == 1);
    scene_close(&s);
}

/* ---- start and connection ---- */

static void start_fails_is_delayed_and_succeeds_afterwards(void)
{
    struct scene s;

    fault_text("log=0");
    memset(&s, 0, sizeof(s));
    rdma_make(&s.a, memory[0], BYTES);
    rdma_make(&s.b, memory[1], BYTES);
    fault_text("rdma.open=fail:NO_MEMORY@1,rdma.open=again@2,rdma.open=delay:5@3,"
               "rdma.open=delay:100s@4,log=0");
    CHECK_RC(doca_ctx_start(s.a.ctx), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_ctx_start(s.a.ctx), DOCA_ERROR_AGAIN);
    CHECK(rdma_is(&s.a, DOCA_CTX_STATE_IDLE));
    CHECK_RC(doca_ctx_start(s.a.ctx), DOCA_ERROR_IN_PROGRESS);
    RDMA_UNTIL(rdma_is(&s.a, DOCA_CTX_STATE_RUNNING));
    CHECK_RC(doca_ctx_start(s.b.ctx), DOCA_ERROR_IN_PROGRESS);
    rdma_settle();
    CHECK(rdma_is(&s.b, DOCA_CTX_STATE_STARTING));
    rdma_stop(&s.b); /* the stop does not wait for the delay */
    rdma_start(&s.b);
    scene_join(&s);
    rdma_deliver(&s.a, &s.b, 0, THERE, PART);
    scene_close(&s);
}

/* The connection that could not be made can be connected afterwards. */
static void refused_connect_can_be_repeated(void)
{
    struct rdma_blob of_a, of_b;
    struct scene s;

    fault_text("log=0");
    memset(&s, 0, sizeof(s));
    rdma_open(&s.a, memory[0], BYTES);
    rdma_open(&s.b, memory[1], BYTES);
    rdma_export(&s.a, &of_a);
    rdma_export(&s.b, &of_b);
    fault_text("rdma.connect=fail:CONNECTION_ABORTED@1,rdma.connect=again@3,log=0");
    CHECK_RC(rdma_try_connect(&s.a, &of_b, s.a.conn), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_OK(rdma_try_connect(&s.a, &of_b, s.a.conn));
    CHECK_RC(rdma_try_connect(&s.b, &of_a, s.b.conn), DOCA_ERROR_AGAIN);
    if (test_other() == NULL) { /* an RDMA device connects each side at once */
        rdma_settle();
        CHECK_EQ(s.a.num_established + s.b.num_established, 0);
    }
    CHECK_OK(rdma_try_connect(&s.b, &of_a, s.b.conn));
    RDMA_UNTIL(s.a.num_established == 1 && s.b.num_established == 1);
    rdma_deliver(&s.a, &s.b, 0, THERE, PART);
    check_record(1, "rdma.connect", "fail");
    check_record(2, "rdma.connect", "again");
    CHECK_EQ(doca_core_fault_get_num(), 2);
    scene_close(&s);
}

static doca_error_t accept_rc;

static void accept_it(struct rdma_end *e, struct doca_rdma_connection *c)
{
    (void)e;
    accept_rc = doca_rdma_connection_accept(c, NULL, 0);
}

/* By address: the request or its acceptance fails. */
static void refused_connection_by_address_can_be_repeated(void)
{
    struct doca_rdma_addr *addr = NULL;
    struct scene s;

    fault_text("log=0");
    memset(&s, 0, sizeof(s));
    rdma_open(&s.a, memory[0], BYTES);
    rdma_open(&s.b, memory[1], BYTES);
    if (test_other() != NULL) {
        scene_close(&s);
        test_skip("this build of RDMA devices has no connections by address");
    }
    s.b.on_request = accept_it;
    fault_text("rdma.listen=fail:NO_MEMORY@1,log=0");
    CHECK_RC(doca_rdma_start_listen_to_port(s.b.rdma, PORT), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_rdma_start_listen_to_port(s.b.rdma, PORT));
    check_record(1, "rdma.listen", "fail");
    CHECK_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", PORT, &addr));
    fault_text("rdma.connect=fail:FULL@1,rdma.connect=fail:TIME_OUT@3,log=0");
    CHECK_RC(doca_rdma_connect_to_addr(s.a.rdma, addr, (union doca_data){ .u64 = 1 }),
             DOCA_ERROR_FULL);
    rdma_settle();
    CHECK_EQ(s.b.num_requests, 0);
    CHECK_OK(doca_rdma_connect_to_addr(s.a.rdma, addr, (union doca_data){ .u64 = 2 }));
    RDMA_UNTIL(s.a.num_failures == 1);
    CHECK_RC(accept_rc, DOCA_ERROR_TIME_OUT);
    CHECK_EQ(s.a.conn_data.u64, 2);
    s.a.conn = s.b.conn = NULL;
    CHECK_OK(doca_rdma_connect_to_addr(s.a.rdma, addr, (union doca_data){ .u64 = 3 }));
    RDMA_UNTIL(s.a.num_established == 1 && s.b.num_established == 1);
    rdma_deliver(&s.a, &s.b, 0, THERE, PART);
    scene_close(&s);
    CHECK_OK(doca_rdma_addr_destroy(addr));
}

/* ---- stop, and the end of the device ---- */

static void stop_ends_late_tasks_once(void)
{
    struct scene s;
    unsigned i;

    scene_open(&s);
    fault_text("rdma.complete=hold,rdma.complete=fail@4,log=0");
    for (i = 0; i < 3; i++)
        CHECK_OK(rdma_submit(make_op(&s, RDMA_write, i)));
    CHECK_OK(rdma_submit(make_op(&s, RDMA_receive, 3)));
    rdma_post(&s.a, 3 * HERE, PART, 4);
    rdma_settle();
    CHECK_EQ(s.a.num_done, 0);
    CHECK_EQ(rig_inflight(s.a.ctx), 5);
    rdma_stop(&s.a);
    CHECK_EQ(s.a.num_done, 5);
    CHECK_EQ(rdma_count(&s.a, RDMA_write, DOCA_SUCCESS), 3);
    CHECK_EQ(rdma_count(&s.a, RDMA_receive, DOCA_ERROR_SHUTDOWN), 2);
    CHECK_EQ(doca_core_fault_get_num_held(), 0);
    rdma_settle();
    CHECK_EQ(s.a.num_done, 5);
    scene_close(&s);
}

static void lost_device_ends_its_instances(void)
{
    struct scene s;

    scene_open(&s);
    fault_text("rdma.complete=lose@2,log=0");
    CHECK_OK(rdma_submit(make_op(&s, RDMA_write, 0)));
    CHECK_OK(rdma_submit(make_op(&s, RDMA_read, 1)));
    CHECK_OK(rdma_submit(make_op(&s, RDMA_read, 2)));
    rdma_post(&s.a, 3 * HERE, PART, 3);
    RDMA_UNTIL(rdma_is(&s.a, DOCA_CTX_STATE_IDLE));
    CHECK_EQ(s.a.num_done, 4);
    CHECK_EQ(s.a.num_ok, 1);
    CHECK_EQ(rdma_count(&s.a, RDMA_read, DOCA_ERROR_DRIVER), 1);
    CHECK_RC(doca_ctx_start(s.a.ctx), DOCA_ERROR_DRIVER);
    scene_close(&s);
}

/* ---- each operation in turn ---- */

/* Submit a task, a second time when a rule refuses the first submit. */
static unsigned ladder_submit(struct rdma_op op)
{
    if (rdma_submit(op) != DOCA_SUCCESS)
        CHECK_OK(rdma_submit(op));
    return 1;
}

/* Export a connection, a second time when a rule refuses the first call. */
static void ladder_export(struct rdma_end *e, struct rdma_blob *blob)
{
    struct doca_rdma_connection *c = NULL;
    const void *details = NULL;
    size_t len = 0;

    if (doca_rdma_export(e->rdma, &details, &len, &c) != DOCA_SUCCESS) {
        rdma_export(e, blob);
        return;
    }
    CHECK(len <= sizeof(blob->bytes));
    memcpy(blob->bytes, details, len);
    blob->len = len;
    e->conn = c;
}

/* Start, export, connect, send, receive, write and read, and repeat each call that fails. Every
 * submitted task completes once, whatever became of its connection. */
static void ladder_climb(struct scene *s)
{
    struct rdma_blob of_a, of_b;
    unsigned num_a = 0, num_b = 0, i;

    for (i = 0; i < 2; i++)
        if (doca_ctx_start(i == 0 ? s->a.ctx : s->b.ctx) != DOCA_SUCCESS)
            rdma_start(i == 0 ? &s->a : &s->b);
    ladder_export(&s->a, &of_a);
    ladder_export(&s->b, &of_b);
    if (rdma_try_connect(&s->a, &of_b, s->a.conn) != DOCA_SUCCESS)
        CHECK_OK(rdma_try_connect(&s->a, &of_b, s->a.conn));
    if (rdma_try_connect(&s->b, &of_a, s->b.conn) != DOCA_SUCCESS)
        CHECK_OK(rdma_try_connect(&s->b, &of_a, s->b.conn));
    RDMA_UNTIL(s->a.num_established == 1 && s->b.num_established == 1);
    for (i = 0; i < 2; i++)
        num_b += ladder_submit(rdma_receive(&s->b, rdma_room(&s->b, THERE, PART), i));
    for (i = RDMA_send; i <= RDMA_atomic_fetch_add; i++)
        if (i != RDMA_write_imm) /* only two receives */
            num_a += ladder_submit(make_op(s, (enum rdma_kind)i, i));
    RDMA_UNTIL(s->a.num_done == num_a);
    rdma_settle();
    rdma_stop(&s->a);
    rdma_stop(&s->b);
    CHECK_EQ(s->a.num_done, num_a);
    CHECK_EQ(s->b.num_done, num_b);
}

static void each_operation_fails_in_turn(void)
{
    bool has_failed = true;
    char text[32];
    struct scene s;
    unsigned k;

    for (k = 1; has_failed; k++) {
        fault_text("log=0");
        memset(&s, 0, sizeof(s));
        rdma_make(&s.a, memory[0], BYTES);
        rdma_make(&s.b, memory[1], BYTES);
        rdma_lend(&s.b, &s.a);
        s.a.keeps_lost = s.b.keeps_lost = true; /* the callbacks make no call that could fail */
        snprintf(text, sizeof(text), "rdma.*=fail@%u,log=0", k);
        fault_text(text);
        ladder_climb(&s);
        has_failed = doca_core_fault_get_num() > 0;
        CHECK(has_failed || s.a.num_failed + s.b.num_failed == 0);
        scene_close(&s);
    }
    /* 2 starts, 2 exports, 2 connects, 8 submits, 8 completions; the last round has no fault */
    CHECK_EQ(k, 2 + 2 + 2 + 8 + 8 + 2);
}

/* ---- many ---- */

/* Run tasks in turn with random faults, and make each broken connection again. The result is a
 * number that depends on the failed tasks. */
static uint64_t soak(const char *text)
{
    uint64_t pattern = 0;
    doca_error_t status;
    unsigned i, failed = 0;
    struct scene s;

    scene_open(&s);
    fault_text(text);
    for (i = 0; i < MANY; i++) {
        status = rdma_try(&s.a, make_op(&s, i % 2 == 0 ? RDMA_write : RDMA_read, i));
        CHECK(status == DOCA_SUCCESS || status == DOCA_ERROR_IO_FAILED ||
              status == DOCA_ERROR_BAD_STATE);
        pattern = pattern * 31 + (uint64_t)status;
        if (status != DOCA_ERROR_IO_FAILED)
            continue;
        failed++;
        RDMA_UNTIL(s.a.num_disconnects == failed);
        scene_join_again(&s);
    }
    CHECK(failed > 0 && failed < MANY / 2);
    scene_close(&s);
    return pattern;
}

#define SOAK                                                                                       \
    "rdma.submit=fail:BAD_STATE%5,rdma.complete=fail%10,rdma.complete=delay:3%20,"                 \
    "rdma.complete=reorder%10,log=0,"

static void seed_determines_random_faults(void)
{
    const uint64_t one = soak(SOAK "seed=1");

    CHECK_EQ(soak(SOAK "seed=1"), one);
    CHECK(soak(SOAK "seed=2") != one);
}

/* ---- sizes, devices without faults, environment ---- */

static void instance_takes_the_documented_bytes(void)
{
    struct doca_core_rdma_sizes sizes;
    size_t plain = 0, with = 0;
    struct doca_dev *dev;

    memset(&sizes, 0, sizeof(sizes));
    sizes.num_connections = 2;
    sizes.num_tasks = 30;
    fault_text(NULL);
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_core_bytes_rdma(dev, &sizes, &plain));
    CHECK_OK(doca_dev_close(dev));
    fault_text("");
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_core_bytes_rdma(dev, &sizes, &with));
    CHECK_OK(doca_dev_close(dev));
    fault_end();
    CHECK_EQ(with, plain + DOCA_CORE_BYTES_FAULT_QUEUE(30));
}

/* Rules that were set after the devices were opened have no effect on them. */
static void devices_without_faults_are_unchanged(void)
{
    struct scene s;

    fault_text(NULL);
    memset(&s, 0, sizeof(s));
    rdma_open(&s.a, memory[0], BYTES);
    rdma_open(&s.b, memory[1], BYTES);
    CHECK_PTR(s.a.dev->backend, s.a.dev->info.backend);
    fault_text("rdma.submit=fail,rdma.complete=fail,rdma.connect=fail,log=0");
    scene_join(&s);
    rdma_deliver(&s.a, &s.b, 0, THERE, PART);
    CHECK_EQ(doca_core_fault_get_num(), 0);
    scene_close(&s);
}

/* Without DOCA_CORE_FAULT, the case runs itself in a new process with the variable set. With the
 * variable, it checks the effect of the text: no call for faults is made. */
static void environment_sets_rules(void)
{
    enum heap_trap_mode mode;
    int status = -1;
    struct scene s;
    pid_t pid;

    if (getenv("DOCA_CORE_FAULT") == NULL) {
        mode = heap_trap_set(HEAP_TRAP_OFF);
        pid = fork();
        if (pid == 0) {
            setenv("DOCA_CORE_FAULT", "rdma.complete=fail:UNEXPECTED@3", 1);
            execl("/proc/self/exe", "/proc/self/exe", test_current, (char *)NULL);
            _exit(99);
        }
        CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
        heap_trap_set(mode);
        CHECK(WIFEXITED(status));
        CHECK_EQ(WEXITSTATUS(status), 0);
        return;
    }
    memset(&s, 0, sizeof(s));
    rdma_open(&s.a, memory[0], BYTES);
    rdma_open(&s.b, memory[1], BYTES);
    scene_join(&s);
    rdma_deliver(&s.a, &s.b, 0, THERE, PART); /* two tasks */
    CHECK_RC(rdma_try(&s.a, rdma_send(&s.a, rdma_buf(&s.a, 0, PART), 1)), DOCA_ERROR_UNEXPECTED);
    rdma_close_both(&s.a, &s.b);
}

static const struct test_case cases[] = {
    CASE(every_type_of_task_fails_once_and_moves_no_byte, "406"),
    CASE(rule_for_a_type_selects_tasks_of_this_type, ""),
    CASE(submit_of_a_type_is_refused, ""),
    CASE(rule_for_all_types_counts_each_task_once, ""),
    CASE(fault_of_a_refused_task_stays_with_its_type, ""),
    CASE(failed_receive_refuses_its_message, ""),
    CASE(tasks_behind_a_failed_one_are_not_executed, "418"),
    CASE(other_connections_of_the_instance_go_on, ""),
    CASE(refused_submit_leaves_the_task_with_the_program, ""),
    CASE(reset_ends_the_connection_as_the_peer_would, ""),
    CASE(late_completions_do_not_delay_the_bytes, ""),
    CASE(held_completion_keeps_the_place_of_its_connection, "419"),
    CASE(late_and_failed_completions_wake_sleepers, ""),
    CASE(start_fails_is_delayed_and_succeeds_afterwards, ""),
    CASE(refused_connect_can_be_repeated, ""),
    CASE(refused_connection_by_address_can_be_repeated, ""),
    CASE(stop_ends_late_tasks_once, ""),
    CASE(lost_device_ends_its_instances, ""),
    CASE(each_operation_fails_in_turn, ""),
    CASE(seed_determines_random_faults, ""),
    CASE(instance_takes_the_documented_bytes, ""),
    CASE(devices_without_faults_are_unchanged, ""),
    CASE(environment_sets_rules, ""),
};

TEST_MAIN(cases)

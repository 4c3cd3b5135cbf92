/* DOCA RDMA for programs of 2.5. An instance has a single connection, so the functions have no
 * connection argument; a start is in progress until the connection is established. The functions
 * have their names of 2.5. Compiled with DOCA_CORE_API 20501. */
#include "fixture.h"

#include "doca_core_rdma.h"

#include "event_rig.h"
#include "share.h"

#if DOCA_CORE_API != 20501
#error "compile this suite with DOCA_CORE_API 20501"
#endif

enum { BYTES = 1 << 16, TASKS = 8, TURNS = 200000, DETAILS = 2048 };

#define ALL                                                                                        \
    ((uint32_t)(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |                   \
                DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC))

static const union doca_data no_data = { NULL };

struct side {
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    struct doca_mmap *map, *far_map;
    struct doca_buf_inventory *inventory;
    unsigned char *memory, *far;
    unsigned num_ok, num_failed, num_states;
    doca_error_t status; /* of the latest failed task */
    uint32_t len;        /* result length of the latest receive, read or get */
    char states[64];     /* as in fixture.h */
};

static _Alignas(64) unsigned char memory[2][BYTES];
static struct side sides[2];

/* ---- callbacks ---- */

static void done(struct side *s, struct doca_task *task)
{
    doca_error_t status = doca_task_get_status(task);

    s->num_ok += status == DOCA_SUCCESS;
    s->num_failed += status != DOCA_SUCCESS;
    if (status != DOCA_SUCCESS)
        s->status = status;
    doca_task_free(task);
}

/* `result` is evaluated for tasks that succeeded. */
#define CALLBACK(type, result)                                                                     \
    static void done_##type(struct doca_rdma_task_##type *task, union doca_data task_data,         \
                            union doca_data ctx_data)                                              \
    {                                                                                              \
        struct side *s = ctx_data.ptr;                                                             \
                                                                                                   \
        (void)task_data;                                                                           \
        if (doca_task_get_status(doca_rdma_task_##type##_as_task(task)) == DOCA_SUCCESS)           \
            s->len = result;                                                                       \
        done(s, doca_rdma_task_##type##_as_task(task));                                            \
    }

CALLBACK(receive, doca_rdma_task_receive_get_result_length(task))
CALLBACK(send, s->len)
CALLBACK(send_imm, s->len)
CALLBACK(read, doca_rdma_task_read_get_result_length(task))
CALLBACK(write, s->len)
CALLBACK(write_imm, s->len)
CALLBACK(atomic_cmp_swp, s->len)
CALLBACK(atomic_fetch_add, s->len)
CALLBACK(remote_net_sync_event_get,
         doca_rdma_task_remote_net_sync_event_get_get_result_length(task))
CALLBACK(remote_net_sync_event_notify_set, s->len)
CALLBACK(remote_net_sync_event_notify_add, s->len)

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                          enum doca_ctx_states prev, enum doca_ctx_states next)
{
    static const char letters[] = "ISRP";
    struct side *s = user_data.ptr;
    char *at = s->states + (size_t)s->num_states * 3;

    CHECK_PTR(ctx, s->ctx);
    CHECK((unsigned)prev < 4 && (unsigned)next < 4 && (size_t)s->num_states * 3 + 3 < 64);
    if (s->num_states++ > 0)
        at[-1] = ' ';
    at[0] = letters[prev];
    at[1] = letters[next];
    at[2] = '\0';
}

/* ---- set-up ---- */

#define CONF(type)                                                                                 \
    CHECK_OK(doca_rdma_task_##type##_set_conf(s->rdma, done_##type, done_##type, TASKS))

static void make(unsigned index)
{
    struct side *s = &sides[index];

    memset(s, 0, sizeof(*s));
    share_fill(memory[index], BYTES, index + 1);
    s->memory = memory[index];
    s->dev = rig_open_dev(NULL);
    s->map = share_map(s->dev, s->memory, BYTES, ALL);
    CHECK_OK(doca_buf_inventory_create(64, &s->inventory));
    CHECK_OK(doca_buf_inventory_start(s->inventory));
    CHECK_OK(doca_pe_create(&s->pe));
    CHECK_OK(doca_rdma_create(s->dev, &s->rdma));
    s->ctx = doca_rdma_as_ctx(s->rdma);
    CONF(receive);
    CONF(send);
    CONF(send_imm);
    CONF(read);
    CONF(write);
    CONF(write_imm);
    CONF(atomic_cmp_swp);
    CONF(atomic_fetch_add);
    CONF(remote_net_sync_event_get);
    CONF(remote_net_sync_event_notify_set);
    CONF(remote_net_sync_event_notify_add);
    CHECK_OK(doca_rdma_set_permissions(s->rdma, ALL));
    CHECK_OK(doca_ctx_set_user_data(s->ctx, (union doca_data){ .ptr = s }));
    CHECK_OK(doca_ctx_set_state_changed_cb(s->ctx, state_changed));
    CHECK_OK(doca_pe_connect_ctx(s->pe, s->ctx));
}

static void progress_all(void)
{
    unsigned i;

    for (i = 0; i < 2; i++)
        if (sides[i].pe != NULL)
            (void)doca_pe_progress(sides[i].pe);
}

#define UNTIL(condition)                                                                           \
    do {                                                                                           \
        unsigned turns_ = 0;                                                                       \
        while (!(condition)) {                                                                     \
            progress_all();                                                                        \
            if (++turns_ > 1000)                                                                   \
                usleep(20);                                                                        \
            if (turns_ > TURNS)                                                                    \
                test_fail(__FILE__, __LINE__, "never happens: %s", #condition);                    \
        }                                                                                          \
    } while (0)

static void settle(void)
{
    unsigned i;

    for (i = 0; i < 500; i++) {
        progress_all();
        usleep(20);
    }
}

static void start(struct side *s)
{
    CHECK_RC(doca_ctx_start(s->ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(s->ctx), DOCA_CTX_STATE_STARTING);
}

static size_t export_of(const struct side *s, unsigned char bytes[DETAILS])
{
    const void *details = NULL;
    size_t len = 0;

    CHECK_OK(doca_rdma_export(s->rdma, &details, &len));
    CHECK(details != NULL && len > 0 && len <= DETAILS);
    memcpy(bytes, details, len);
    return len;
}

static void connect_both(void)
{
    unsigned char bytes[2][DETAILS];
    size_t len[2], i;

    for (i = 0; i < 2; i++)
        len[i] = export_of(&sides[i], bytes[i]);
    CHECK_OK(doca_rdma_connect(sides[0].rdma, bytes[1], len[1]));
    settle();
    CHECK_EQ(rig_state(sides[0].ctx), DOCA_CTX_STATE_STARTING); /* the peer has not connected */
    CHECK_OK(doca_rdma_connect(sides[1].rdma, bytes[0], len[0]));
    UNTIL(rig_state(sides[0].ctx) == DOCA_CTX_STATE_RUNNING &&
          rig_state(sides[1].ctx) == DOCA_CTX_STATE_RUNNING);
}

static void lend(void) /* the memory of the second side to the first */
{
    const void *desc = NULL;
    size_t len = 0;

    CHECK_OK(doca_mmap_export_rdma(sides[1].map, sides[1].dev, &desc, &len));
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, sides[0].dev, &sides[0].far_map));
    sides[0].far = memory[1];
}

static void open_both(void)
{
    make(0);
    make(1);
    start(&sides[0]);
    start(&sides[1]);
    connect_both();
    lend();
}

static void stop(struct side *s)
{
    doca_error_t rc = DOCA_SUCCESS;

    if (rig_state(s->ctx) != DOCA_CTX_STATE_IDLE)
        rc = doca_ctx_stop(s->ctx);
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    UNTIL(rig_state(s->ctx) == DOCA_CTX_STATE_IDLE);
}

static void close_side(struct side *s)
{
    stop(s);
    CHECK_OK(doca_rdma_destroy(s->rdma));
    CHECK_OK(doca_pe_destroy(s->pe));
    s->pe = NULL;
    if (s->far_map != NULL)
        CHECK_OK(doca_mmap_destroy(s->far_map));
    CHECK_OK(doca_buf_inventory_destroy(s->inventory));
    CHECK_OK(doca_mmap_destroy(s->map));
    CHECK_OK(doca_dev_close(s->dev));
}

static void close_both(void)
{
    stop(&sides[0]);
    stop(&sides[1]);
    close_side(&sides[0]);
    close_side(&sides[1]);
}

/* ---- buffers; the case releases them ---- */

static struct doca_buf *source(struct side *s, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_data(s->inventory, s->map, s->memory + off, len, &buf));
    return buf;
}

static struct doca_buf *room(struct side *s, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_addr(s->inventory, s->map, s->memory + off, len, &buf));
    return buf;
}

static struct doca_buf *far_source(struct side *s, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_data(s->inventory, s->far_map, s->far + off, len, &buf));
    return buf;
}

static void release(struct doca_buf *buf)
{
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
}

/* Submit, progress until the task is done, and check that it succeeds. */
static void run(struct side *s, struct doca_task *task)
{
    unsigned before = s->num_ok;

    CHECK_OK(doca_task_submit(task));
    UNTIL(s->num_ok + s->num_failed > before);
    CHECK_EQ(s->num_failed, 0);
}

/* Send 700 bytes from one side to the other. */
static void deliver(struct side *from, struct side *to)
{
    struct doca_buf *src = source(from, 16, 700), *dst = room(to, 4096, 1000);
    struct doca_rdma_task_receive *receive;
    struct doca_rdma_task_send *send;
    unsigned before = to->num_ok;

    CHECK_OK(doca_rdma_task_receive_allocate_init(to->rdma, dst, no_data, &receive));
    CHECK_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
    CHECK_OK(doca_rdma_task_send_allocate_init(from->rdma, src, no_data, &send));
    run(from, doca_rdma_task_send_as_task(send));
    UNTIL(to->num_ok == before + 1);
    CHECK_EQ(to->len, 700);
    CHECK_MEM(to->memory + 4096, from->memory + 16, 700);
    release(src);
    release(dst);
}

/* ---- states ---- */

static void start_is_in_progress_until_both_have_connected(void)
{
    open_both();
    settle();
    CHECK_STR(sides[0].states, "IS SR");
    CHECK_STR(sides[1].states, "IS SR");
    deliver(&sides[0], &sides[1]);
    deliver(&sides[1], &sides[0]);
    close_both();
    CHECK_STR(sides[0].states, "IS SR RP PI");
}

static void export_gives_the_same_bytes_again(void)
{
    unsigned char bytes[2][DETAILS] = { { 0 } };
    const void *details = NULL;
    size_t len = 77;

    make(0);
    sides[1].pe = NULL;
    CHECK_RC(doca_rdma_export(sides[0].rdma, &details, &len), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_rdma_connect(sides[0].rdma, bytes[0], 64), DOCA_ERROR_BAD_STATE);
    start(&sides[0]);
    CHECK_RC(doca_rdma_export(NULL, &details, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_export(sides[0].rdma, NULL, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_export(sides[0].rdma, &details, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK(details == NULL && len == 77);
    len = export_of(&sides[0], bytes[0]);
    CHECK_EQ(export_of(&sides[0], bytes[1]), len);
    CHECK_MEM(bytes[0], bytes[1], len);
    CHECK_RC(doca_rdma_destroy(sides[0].rdma), DOCA_ERROR_BAD_STATE);
    close_side(&sides[0]);
    CHECK_STR(sides[0].states + sides[0].num_states * 3 - 3, "PI");
}

static void damaged_details_are_refused(void)
{
    unsigned char bytes[2][DETAILS], bad[DETAILS];
    size_t len[2], i;

    make(0);
    make(1);
    for (i = 0; i < 2; i++) {
        start(&sides[i]);
        len[i] = export_of(&sides[i], bytes[i]);
    }
    for (i = 0; i < len[1]; i++) {
        memcpy(bad, bytes[1], len[1]);
        bad[i] ^= (unsigned char)(1 + rig_random(255));
        CHECK_RC(doca_rdma_connect(sides[0].rdma, bad, len[1]), DOCA_ERROR_CONNECTION_ABORTED);
    }
    CHECK_RC(doca_rdma_connect(sides[0].rdma, bytes[1], len[1] - 1), DOCA_ERROR_CONNECTION_ABORTED);
    CHECK_RC(doca_rdma_connect(sides[0].rdma, NULL, len[1]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_rdma_connect(NULL, bytes[1], len[1]), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_rdma_connect(sides[0].rdma, bytes[1], len[1]));
    CHECK_RC(doca_rdma_connect(sides[0].rdma, bytes[1], len[1]), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_rdma_connect(sides[1].rdma, bytes[0], len[0]));
    UNTIL(rig_state(sides[0].ctx) == DOCA_CTX_STATE_RUNNING &&
          rig_state(sides[1].ctx) == DOCA_CTX_STATE_RUNNING);
    CHECK_RC(doca_rdma_connect(sides[0].rdma, bytes[1], len[1]), DOCA_ERROR_BAD_STATE);
    deliver(&sides[0], &sides[1]);
    close_both();
}

static void instance_may_stop_while_it_starts(void)
{
    unsigned char bytes[DETAILS];
    size_t len;
    unsigned i;

    make(0);
    make(1);
    for (i = 0; i < 4; i++) {
        start(&sides[0]);
        start(&sides[1]);
        len = export_of(&sides[1], bytes);
        (void)export_of(&sides[0], (unsigned char[DETAILS]){ 0 });
        if (i % 2)
            CHECK_OK(doca_rdma_connect(sides[0].rdma, bytes, len));
        if (i > 1)
            settle();
        stop(&sides[0]);
        stop(&sides[1]);
        CHECK(strchr(sides[0].states, 'R') == NULL);
        sides[0].num_states = sides[1].num_states = 0;
        sides[0].states[0] = sides[1].states[0] = '\0';
    }
    start(&sides[0]);
    start(&sides[1]);
    connect_both();
    deliver(&sides[0], &sides[1]);
    close_both();
}

/* The peer has stopped before this side connects, or after it has. */
static void start_fails_when_the_peer_has_ended(void)
{
    unsigned char bytes[DETAILS];
    doca_error_t rc = DOCA_SUCCESS;
    unsigned how;
    size_t len;

    for (how = 0; how < 2; how++) {
        make(0);
        make(1);
        start(&sides[0]);
        start(&sides[1]);
        len = export_of(&sides[1], bytes);
        if (how == 0) {
            stop(&sides[1]);
            rc = doca_rdma_connect(sides[0].rdma, bytes, len);
            CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_CONNECTION_ABORTED);
        } else {
            CHECK_OK(doca_rdma_connect(sides[0].rdma, bytes, len));
            stop(&sides[1]);
        }
        if (rc == DOCA_SUCCESS)
            UNTIL(rig_state(sides[0].ctx) == DOCA_CTX_STATE_IDLE);
        CHECK(strchr(sides[0].states, 'R') == NULL);
        close_both();
    }
}

static void restarted_instances_connect_again(void)
{
    unsigned i;

    open_both();
    for (i = 0; i < 10; i++) {
        deliver(&sides[0], &sides[1]);
        stop(&sides[i % 2]);
        settle();
        CHECK_EQ(rig_state(sides[1 - i % 2].ctx), DOCA_CTX_STATE_RUNNING);
        stop(&sides[1 - i % 2]);
        sides[0].num_states = sides[1].num_states = 0;
        start(&sides[0]);
        start(&sides[1]);
        connect_both();
    }
    close_both();
}

static void tasks_fail_when_the_peer_has_stopped(void)
{
    struct doca_rdma_task_send *send;
    unsigned i;

    open_both();
    CHECK_OK(doca_rdma_task_send_allocate_init(sides[0].rdma, NULL, no_data, &send));
    CHECK_OK(doca_task_submit(doca_rdma_task_send_as_task(send)));
    settle();
    CHECK_EQ(sides[0].num_ok + sides[0].num_failed, 0);
    stop(&sides[1]);
    UNTIL(sides[0].num_failed == 1);
    CHECK_RC(sides[0].status, DOCA_ERROR_CONNECTION_RESET);
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_rdma_task_send_allocate_init(sides[0].rdma, NULL, no_data, &send));
        CHECK_OK(doca_task_submit(doca_rdma_task_send_as_task(send)));
        UNTIL(sides[0].num_failed == 2 + i);
        CHECK_RC(sides[0].status, DOCA_ERROR_CONNECTION_ABORTED);
    }
    close_both();
}

/* ---- tasks ---- */

static void messages_with_immediate_values_arrive(void)
{
    struct doca_buf *src, *far_room;
    struct doca_rdma_task_receive *receive;
    struct doca_rdma_task_send_imm *send;
    struct doca_rdma_task_write_imm *write;
    unsigned i;

    open_both();
    src = source(&sides[0], 0, 300);
    far_room = far_source(&sides[0], 8192, 300);
    CHECK_OK(doca_buf_reset_data_len(far_room));
    for (i = 0; i < 2; i++) {
        struct doca_buf *dst = i == 0 ? room(&sides[1], 4096, 300) : NULL;

        CHECK_OK(doca_rdma_task_receive_allocate_init(sides[1].rdma, dst, no_data, &receive));
        CHECK_OK(doca_task_submit(doca_rdma_task_receive_as_task(receive)));
        if (i == 0) {
            CHECK_OK(
                doca_rdma_task_send_imm_allocate_init(sides[0].rdma, src, 0x1234, no_data, &send));
            run(&sides[0], doca_rdma_task_send_imm_as_task(send));
        } else {
            CHECK_OK(doca_rdma_task_write_imm_allocate_init(sides[0].rdma, src, far_room, 0x4321,
                                                            no_data, &write));
            run(&sides[0], doca_rdma_task_write_imm_as_task(write));
        }
        UNTIL(sides[1].num_ok == i + 1);
        CHECK_EQ(sides[1].len, 300);
        CHECK_MEM(memory[1] + (i == 0 ? 4096 : 8192), memory[0], 300);
        if (dst != NULL)
            release(dst);
    }
    release(src);
    release(far_room);
    close_both();
}

static void memory_of_the_peer_is_read_written_and_changed(void)
{
    struct doca_buf *src, *dst, *word, *result;
    struct doca_rdma_task_read *read;
    struct doca_rdma_task_write *write;
    struct doca_rdma_task_atomic_cmp_swp *swap;
    struct doca_rdma_task_atomic_fetch_add *add;
    uint64_t *value = (uint64_t *)(void *)(memory[1] + 64), was;

    open_both();
    src = far_source(&sides[0], 1000, 500);
    dst = room(&sides[0], 2000, 500);
    CHECK_OK(doca_rdma_task_read_allocate_init(sides[0].rdma, src, dst, no_data, &read));
    run(&sides[0], doca_rdma_task_read_as_task(read));
    CHECK_EQ(sides[0].len, 500);
    CHECK_MEM(memory[0] + 2000, memory[1] + 1000, 500);
    release(src);
    src = far_source(&sides[0], 30000, 500);
    CHECK_OK(doca_buf_reset_data_len(src));
    CHECK_OK(doca_rdma_task_write_allocate_init(sides[0].rdma, dst, src, no_data, &write));
    run(&sides[0], doca_rdma_task_write_as_task(write));
    CHECK_MEM(memory[1] + 30000, memory[0] + 2000, 500);
    word = far_source(&sides[0], 64, 8);
    result = room(&sides[0], 64, 8);
    *value = 41;
    CHECK_OK(doca_rdma_task_atomic_fetch_add_allocate_init(sides[0].rdma, word, result, 1, no_data,
                                                           &add));
    run(&sides[0], doca_rdma_task_atomic_fetch_add_as_task(add));
    CHECK_EQ(*value, 42);
    CHECK_OK(doca_buf_reset_data_len(result));
    CHECK_OK(doca_rdma_task_atomic_cmp_swp_allocate_init(sides[0].rdma, word, result, 42, 7,
                                                         no_data, &swap));
    run(&sides[0], doca_rdma_task_atomic_cmp_swp_as_task(swap));
    CHECK_EQ(*value, 7);
    memcpy(&was, memory[0] + 64, sizeof(was));
    CHECK_EQ(was, 42);
    release(src);
    release(dst);
    release(word);
    release(result);
    close_both();
}

static void event_of_the_peer_is_read_set_and_added_to(void)
{
    struct doca_rdma_task_remote_net_sync_event_get *get;
    struct doca_rdma_task_remote_net_sync_event_notify_set *set;
    struct doca_rdma_task_remote_net_sync_event_notify_add *add;
    struct doca_sync_event_remote_net *net;
    struct doca_sync_event *event;
    struct doca_buf *src, *dst;
    const uint8_t *data;
    uint64_t value = 41;
    size_t size;

    open_both();
    event = event_net(sides[1].dev);
    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &size));
    CHECK_OK(doca_sync_event_remote_net_create_from_export(sides[0].dev, data, size, &net));
    memcpy(memory[0], &value, sizeof(value));
    src = source(&sides[0], 0, 8);
    dst = room(&sides[0], 64, 8);
    CHECK_OK(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(sides[0].rdma, net, src,
                                                                           no_data, &set));
    run(&sides[0], doca_rdma_task_remote_net_sync_event_notify_set_as_task(set));
    CHECK_EQ(event_value(event), 41);
    CHECK_OK(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(sides[0].rdma, net, dst,
                                                                           1, no_data, &add));
    run(&sides[0], doca_rdma_task_remote_net_sync_event_notify_add_as_task(add));
    CHECK_EQ(event_value(event), 42);
    CHECK_MEM(memory[0] + 64, memory[0], 8);
    CHECK_OK(doca_buf_reset_data_len(dst));
    CHECK_OK(doca_rdma_task_remote_net_sync_event_get_allocate_init(sides[0].rdma, net, dst,
                                                                    no_data, &get));
    run(&sides[0], doca_rdma_task_remote_net_sync_event_get_as_task(get));
    CHECK_EQ(sides[0].len, 8);
    value = 42;
    CHECK_MEM(memory[0] + 64, &value, 8);
    release(src);
    release(dst);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    CHECK_OK(doca_sync_event_destroy(event));
    close_both();
}

/* ---- names ---- */

static void flag_of_the_global_header_is_a_bool(void)
{
    bool flag = false;

    make(0);
    sides[1].pe = NULL;
    CHECK_OK(doca_rdma_set_grh_enabled(sides[0].rdma, true));
    CHECK_OK(doca_rdma_get_grh_enabled(sides[0].rdma, &flag));
    CHECK(flag);
    CHECK_OK(doca_rdma_set_grh_enabled(sides[0].rdma, false));
    CHECK_OK(doca_rdma_get_grh_enabled(sides[0].rdma, &flag));
    CHECK(!flag);
    CHECK_RC(doca_rdma_get_grh_enabled(sides[0].rdma, NULL), DOCA_ERROR_INVALID_VALUE);
    close_side(&sides[0]);
}

static void tasks_need_a_started_instance(void)
{
    struct doca_rdma_task_receive *receive = NULL;
    struct doca_rdma_task_send *send = NULL;

    make(0);
    sides[1].pe = NULL;
    CHECK(doca_rdma_task_send_allocate_init(sides[0].rdma, NULL, no_data, &send) != DOCA_SUCCESS);
    CHECK_RC(doca_rdma_task_receive_allocate_init(sides[0].rdma, NULL, no_data, &receive),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_rdma_task_send_allocate_init(NULL, NULL, no_data, &send),
             DOCA_ERROR_INVALID_VALUE);
    CHECK(send == NULL && receive == NULL);
    close_side(&sides[0]);
}

static const struct test_case cases[] = {
    CASE(start_is_in_progress_until_both_have_connected, "387 389"),
    CASE(export_gives_the_same_bytes_again, "387 393"),
    CASE(damaged_details_are_refused, "395"),
    CASE(instance_may_stop_while_it_starts, "387 391"),
    CASE(start_fails_when_the_peer_has_ended, ""),
    CASE(restarted_instances_connect_again, "391"),
    CASE(tasks_fail_when_the_peer_has_stopped, "391"),
    CASE(messages_with_immediate_values_arrive, ""),
    CASE(memory_of_the_peer_is_read_written_and_changed, ""),
    CASE(event_of_the_peer_is_read_set_and_added_to, ""),
    CASE(flag_of_the_global_header_is_a_bool, ""),
    CASE(tasks_need_a_started_instance, ""),
};

TEST_MAIN(cases)

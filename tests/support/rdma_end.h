/* One end of RDMA connections for tests: an instance with its device, its progress engine, a range
 * of memory and an inventory. rdma_ops.h has the tasks.
 *
 * The callbacks of an end record each completion in the order in which it comes, check that they
 * run only inside rdma_progress() of their own end and at most one per call, and then call the
 * hooks of the test. RDMA_UNTIL() progresses every open end of the calling thread until a condition
 * holds. */
#ifndef RDMA_END_H
#define RDMA_END_H

#ifndef DOCA_CORE_API
#define DOCA_CORE_API 30000 /* the forms with a connection argument */
#endif

#include "fixture.h"

#include "doca_core_rdma.h"

#include "export_peer.h"

#define RDMA_ALL                                                                                   \
    ((uint32_t)(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |                   \
                DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC))

enum {
    RDMA_PATIENCE_MS = 20000, /* until a test gives up */
    RDMA_TASKS = 32,          /* of each type */
    RDMA_DEPTH = 64,          /* send queue; a power of two */
    RDMA_LIST = 4,            /* elements of the longest list */
    RDMA_SEEN = 256,          /* completions that an end records */
    RDMA_CONNS = 16,
    RDMA_ENDS = 24,
    RDMA_BUFS = 512
};

/* The types of tasks. */
enum rdma_kind {
    RDMA_receive,
    RDMA_send,
    RDMA_send_imm,
    RDMA_read,
    RDMA_write,
    RDMA_write_imm,
    RDMA_atomic_cmp_swp,
    RDMA_atomic_fetch_add,
    RDMA_remote_net_sync_event_get,
    RDMA_remote_net_sync_event_notify_set,
    RDMA_remote_net_sync_event_notify_add,
    RDMA_KINDS
};

/* A completion, as its callback saw it. */
struct rdma_done {
    enum rdma_kind kind;
    bool is_ok; /* the callback for success was called */
    doca_error_t status;
    uint64_t number; /* user data of the task */
    uint32_t len;    /* result length of receive, read and get */
    /* of a successful receive */
    enum doca_rdma_opcode opcode;
    doca_be32_t imm;
    const struct doca_rdma_connection *from;
};

/* Bytes of doca_rdma_export(), as programs send them to their peer. */
struct rdma_blob {
    size_t len;
    unsigned char bytes[2048];
};

struct rdma_end {
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_rdma *rdma; /* NULL: the test has destroyed it */
    struct doca_ctx *ctx;
    struct doca_rdma_connection *conn; /* of the latest rdma_export(); or, when it
                                        * was NULL, of the established callback */

    unsigned char *memory;
    size_t bytes;
    struct doca_mmap *map;
    struct doca_buf_inventory *inventory;
    struct doca_mmap *far_map; /* memory of the peer, imported; NULL: not imported */
    unsigned char *far;        /* its address in the peer */

    struct rdma_done done[RDMA_SEEN]; /* done[i % RDMA_SEEN] is completion i */
    unsigned num_done, num_ok, num_failed;
    unsigned num_requests, num_established, num_failures, num_disconnects;
    struct doca_rdma_connection *lost[RDMA_CONNS]; /* connections of disconnection callbacks */
    union doca_data conn_data;                     /* user data in the latest of these callbacks */

    unsigned num_states;
    char states[256]; /* state changes as in fixture.h, such as "IR RP PI" */
    unsigned num_callbacks;
    bool keeps_tasks; /* the callbacks neither free the tasks nor release the buffers */
    bool keeps_lost;  /* the disconnection callback does not call disconnect */

    void (*on_done)(struct rdma_end *e, enum rdma_kind kind, void *task, bool is_ok);
    void (*on_state)(struct rdma_end *e, enum doca_ctx_states next);
    void (*on_request)(struct rdma_end *e, struct doca_rdma_connection *c);
    void (*on_established)(struct rdma_end *e, struct doca_rdma_connection *c);
    void (*on_disconnect)(struct rdma_end *e, struct doca_rdma_connection *c);
    unsigned todo; /* a counter that the hooks may use */
    void *user;
};

/* The end whose progress call the calling thread is in; and the ends that rdma_turn()
 * progresses. */
static __thread struct rdma_end *rdma_progressing;
static __thread struct rdma_end *rdma_ends[RDMA_ENDS];
static __thread unsigned rdma_num_ends;

static inline uint64_t rdma_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- progress ---- */

/* Forget the ends of a failed case, or those of the parent in a child process. */
static inline void rdma_forget_ends(void)
{
    rdma_num_ends = 0;
    rdma_progressing = NULL;
}

static inline void rdma_begin(void)
{
    static __thread const char *name;

    if (name != test_current)
        rdma_forget_ends();
    name = test_current;
}

static inline void rdma_end_add(struct rdma_end *e)
{
    rdma_begin();
    CHECK(rdma_num_ends < RDMA_ENDS);
    rdma_ends[rdma_num_ends++] = e;
}

static inline void rdma_end_remove(struct rdma_end *e)
{
    unsigned i;

    for (i = 0; i < rdma_num_ends; i++)
        if (rdma_ends[i] == e)
            rdma_ends[i--] = rdma_ends[--rdma_num_ends];
}

/* Progress an end once. The call runs at most one callback. Return whether it did something. */
static inline bool rdma_progress(struct rdma_end *e)
{
    unsigned before = e->num_callbacks;
    uint8_t moved;

    CHECK_PTR(rdma_progressing, NULL);
    rdma_progressing = e;
    moved = doca_pe_progress(e->pe);
    rdma_progressing = NULL;
    CHECK(moved <= 1);
    CHECK(e->num_callbacks - before <= moved);
    return moved == 1;
}

/* Progress every end of this thread once. Return whether any call did something. */
static inline bool rdma_turn(void)
{
    bool moved = false;
    unsigned i;

    for (i = 0; i < rdma_num_ends; i++)
        moved |= rdma_progress(rdma_ends[i]);
    return moved;
}

/* Wait for `condition` while calling `turn`, an expression that returns whether it did something.
 */
#define RDMA_WAIT(turn, condition)                                                                 \
    do {                                                                                           \
        uint64_t end_ = rdma_now_ms() + RDMA_PATIENCE_MS;                                          \
        unsigned idle_ = 0, turns_ = 0;                                                            \
        while (!(condition)) {                                                                     \
            if (turn)                                                                              \
                idle_ = 0;                                                                         \
            else if (++idle_ > 200)                                                                \
                usleep(50);                                                                        \
            if (++turns_ % 256 == 0 && rdma_now_ms() > end_) {                                     \
                peer_explain(__FILE__, __LINE__);                                                  \
                test_fail(__FILE__, __LINE__, "never happens: %s", #condition);                    \
            }                                                                                      \
        }                                                                                          \
    } while (0)

#define RDMA_UNTIL(condition) RDMA_WAIT(rdma_turn(), condition)

/* Progress everything until nothing has happened for some milliseconds. */
static inline void rdma_settle(void)
{
    unsigned idle;

    for (idle = 0; idle < 100; idle++) {
        if (rdma_turn())
            idle = 0;
        else
            usleep(50);
    }
}

/* Progress one end until nothing has happened for some milliseconds. Other ends make no
 * progress. */
static inline void rdma_settle_end(struct rdma_end *e)
{
    unsigned idle;

    for (idle = 0; idle < 100; idle++) {
        if (rdma_progress(e))
            idle = 0;
        else
            usleep(50);
    }
}

/* ---- callbacks of tasks ---- */

static inline void rdma_called(struct rdma_end *e)
{
    CHECK_PTR(rdma_progressing, e);
    e->num_callbacks++;
}

/* Return the task as a doca_task. */
static inline struct doca_task *rdma_as_task(enum rdma_kind kind, void *task)
{
    switch (kind) {
    case RDMA_receive:
        return doca_rdma_task_receive_as_task(task);
    case RDMA_send:
        return doca_rdma_task_send_as_task(task);
    case RDMA_send_imm:
        return doca_rdma_task_send_imm_as_task(task);
    case RDMA_read:
        return doca_rdma_task_read_as_task(task);
    case RDMA_write:
        return doca_rdma_task_write_as_task(task);
    case RDMA_write_imm:
        return doca_rdma_task_write_imm_as_task(task);
    case RDMA_atomic_cmp_swp:
        return doca_rdma_task_atomic_cmp_swp_as_task(task);
    case RDMA_atomic_fetch_add:
        return doca_rdma_task_atomic_fetch_add_as_task(task);
    case RDMA_remote_net_sync_event_get:
        return doca_rdma_task_remote_net_sync_event_get_as_task(task);
    case RDMA_remote_net_sync_event_notify_set:
        return doca_rdma_task_remote_net_sync_event_notify_set_as_task(task);
    case RDMA_remote_net_sync_event_notify_add:
        return doca_rdma_task_remote_net_sync_event_notify_add_as_task(task);
    default:
        test_fail(__FILE__, __LINE__, "no such type of task");
    }
}

/* Get the buffers of the task: the source or NULL, and the destination or result, or NULL. */
static inline void rdma_bufs_of(enum rdma_kind kind, const void *task, const struct doca_buf **src,
                                struct doca_buf **dst)
{
    *src = NULL;
    *dst = NULL;
    if (kind == RDMA_receive) {
        *dst = doca_rdma_task_receive_get_dst_buf(task);
    } else if (kind == RDMA_send) {
        *src = doca_rdma_task_send_get_src_buf(task);
    } else if (kind == RDMA_send_imm) {
        *src = doca_rdma_task_send_imm_get_src_buf(task);
    } else if (kind == RDMA_read) {
        *src = doca_rdma_task_read_get_src_buf(task);
        *dst = doca_rdma_task_read_get_dst_buf(task);
    } else if (kind == RDMA_write) {
        *src = doca_rdma_task_write_get_src_buf(task);
        *dst = doca_rdma_task_write_get_dst_buf(task);
    } else if (kind == RDMA_write_imm) {
        *src = doca_rdma_task_write_imm_get_src_buf(task);
        *dst = doca_rdma_task_write_imm_get_dst_buf(task);
    } else if (kind == RDMA_atomic_cmp_swp) {
        *src = doca_rdma_task_atomic_cmp_swp_get_dst_buf(task);
        *dst = doca_rdma_task_atomic_cmp_swp_get_result_buf(task);
    } else if (kind == RDMA_atomic_fetch_add) {
        *src = doca_rdma_task_atomic_fetch_add_get_dst_buf(task);
        *dst = doca_rdma_task_atomic_fetch_add_get_result_buf(task);
    } else if (kind == RDMA_remote_net_sync_event_get) {
        *dst = doca_rdma_task_remote_net_sync_event_get_get_dst_buf(task);
    } else if (kind == RDMA_remote_net_sync_event_notify_set) {
        *src = doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf(task);
    } else {
        *dst = doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(task);
    }
}

/* Free a task, then release its buffers; of a list, the head releases the whole list. */
static inline void rdma_release(enum rdma_kind kind, void *task)
{
    const struct doca_buf *src;
    struct doca_buf *dst;

    rdma_bufs_of(kind, task, &src, &dst);
    doca_task_free(rdma_as_task(kind, task));
    if (src != NULL)
        CHECK_OK(doca_buf_dec_refcount((struct doca_buf *)(size_t)src, NULL));
    if (dst != NULL)
        CHECK_OK(doca_buf_dec_refcount(dst, NULL));
}

static inline void rdma_note_result(struct rdma_done *d, enum rdma_kind kind, const void *task)
{
    if (kind == RDMA_read) {
        d->len = doca_rdma_task_read_get_result_len(task);
    } else if (kind == RDMA_remote_net_sync_event_get) {
        d->len = doca_rdma_task_remote_net_sync_event_get_get_result_len(task);
    } else if (kind == RDMA_receive) {
        d->len = doca_rdma_task_receive_get_result_len(task);
        d->opcode = doca_rdma_task_receive_get_result_opcode(task);
        d->from = doca_rdma_task_receive_get_result_rdma_connection(task);
        if (d->opcode != DOCA_RDMA_OPCODE_RECV_SEND)
            d->imm = doca_rdma_task_receive_get_result_immediate_data(task);
    }
}

static inline void rdma_task_done(struct rdma_end *e, enum rdma_kind kind, void *task,
                                  uint64_t number, bool is_ok)
{
    struct rdma_done *d = &e->done[e->num_done % RDMA_SEEN];

    rdma_called(e);
    memset(d, 0, sizeof(*d));
    d->kind = kind;
    d->is_ok = is_ok;
    d->number = number;
    d->status = doca_task_get_status(rdma_as_task(kind, task));
    CHECK((d->status == DOCA_SUCCESS) == is_ok);
    if (is_ok)
        rdma_note_result(d, kind, task);
    e->num_ok += is_ok;
    e->num_failed += !is_ok;
    e->num_done++;
    if (e->on_done != NULL)
        e->on_done(e, kind, task, is_ok);
    if (!e->keeps_tasks)
        rdma_release(kind, task);
}

#define RDMA_CALLBACKS(type)                                                                       \
    static inline void rdma_ok_##type(struct doca_rdma_task_##type *task,                          \
                                      union doca_data task_data, union doca_data ctx_data)         \
    {                                                                                              \
        rdma_task_done(ctx_data.ptr, RDMA_##type, task, task_data.u64, true);                      \
    }                                                                                              \
    static inline void rdma_failed_##type(struct doca_rdma_task_##type *task,                      \
                                          union doca_data task_data, union doca_data ctx_data)     \
    {                                                                                              \
        rdma_task_done(ctx_data.ptr, RDMA_##type, task, task_data.u64, false);                     \
    }                                                                                              \
    static inline void rdma_conf_##type(struct doca_rdma *rdma, uint32_t num_tasks)                \
    {                                                                                              \
        CHECK_OK(doca_rdma_task_##type##_set_conf(rdma, rdma_ok_##type, rdma_failed_##type,        \
                                                  num_tasks));                                     \
    }

RDMA_CALLBACKS(receive)
RDMA_CALLBACKS(send)
RDMA_CALLBACKS(send_imm)
RDMA_CALLBACKS(read)
RDMA_CALLBACKS(write)
RDMA_CALLBACKS(write_imm)
RDMA_CALLBACKS(atomic_cmp_swp)
RDMA_CALLBACKS(atomic_fetch_add)
RDMA_CALLBACKS(remote_net_sync_event_get)
RDMA_CALLBACKS(remote_net_sync_event_notify_set)
RDMA_CALLBACKS(remote_net_sync_event_notify_add)

/* ---- callbacks of connections and states ---- */

static inline void rdma_requested(struct doca_rdma_connection *c, union doca_data ctx_data)
{
    struct rdma_end *e = ctx_data.ptr;

    rdma_called(e);
    CHECK(c != NULL);
    e->num_requests++;
    if (e->on_request != NULL)
        e->on_request(e, c);
}

static inline void rdma_established(struct doca_rdma_connection *c, union doca_data conn_data,
                                    union doca_data ctx_data)
{
    struct rdma_end *e = ctx_data.ptr;

    rdma_called(e);
    CHECK(c != NULL);
    e->num_established++;
    if (e->conn == NULL)
        e->conn = c;
    e->conn_data = conn_data;
    if (e->on_established != NULL)
        e->on_established(e, c);
}

static inline void rdma_connect_failed(struct doca_rdma_connection *c, union doca_data conn_data,
                                       union doca_data ctx_data)
{
    struct rdma_end *e = ctx_data.ptr;

    (void)c;
    rdma_called(e);
    e->num_failures++;
    e->conn_data = conn_data;
}

/* As in public programs, the callback ends the connection on its own side, too. */
static inline void rdma_disconnected(struct doca_rdma_connection *c, union doca_data conn_data,
                                     union doca_data ctx_data)
{
    struct rdma_end *e = ctx_data.ptr;

    rdma_called(e);
    CHECK(c != NULL);
    e->lost[e->num_disconnects++ % RDMA_CONNS] = c;
    e->conn_data = conn_data;
    if (e->on_disconnect != NULL)
        e->on_disconnect(e, c);
    if (!e->keeps_lost)
        CHECK_OK(doca_rdma_connection_disconnect(c));
}

static inline void rdma_state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                                      enum doca_ctx_states prev, enum doca_ctx_states next)
{
    static const char letters[] = "ISRP";
    struct rdma_end *e = user_data.ptr;
    char *at = e->states + (size_t)e->num_states * 3;

    CHECK_PTR(ctx, e->ctx);
    rdma_called(e);
    CHECK((unsigned)prev < 4 && (unsigned)next < 4 && prev != next);
    CHECK((size_t)e->num_states * 3 + 3 < sizeof(e->states));
    CHECK(e->num_states == 0 || at[-2] == letters[prev]); /* begins where the last ended */
    if (e->num_states > 0)
        at[-1] = ' ';
    at[0] = letters[prev];
    at[1] = letters[next];
    at[2] = '\0';
    e->num_states++;
    if (e->on_state != NULL)
        e->on_state(e, next);
}

static inline void rdma_forget_states(struct rdma_end *e)
{
    e->num_states = 0;
    e->states[0] = '\0';
}

static inline bool rdma_is(const struct rdma_end *e, enum doca_ctx_states state)
{
    return rig_state(e->ctx) == state;
}

/* ---- set-up ---- */

/* Enable every type of task, each with `num_tasks` tasks. */
static inline void rdma_conf_all(struct doca_rdma *rdma, uint32_t num_tasks)
{
    rdma_conf_receive(rdma, num_tasks);
    rdma_conf_send(rdma, num_tasks);
    rdma_conf_send_imm(rdma, num_tasks);
    rdma_conf_read(rdma, num_tasks);
    rdma_conf_write(rdma, num_tasks);
    rdma_conf_write_imm(rdma, num_tasks);
    rdma_conf_atomic_cmp_swp(rdma, num_tasks);
    rdma_conf_atomic_fetch_add(rdma, num_tasks);
    rdma_conf_remote_net_sync_event_get(rdma, num_tasks);
    rdma_conf_remote_net_sync_event_notify_set(rdma, num_tasks);
    rdma_conf_remote_net_sync_event_notify_add(rdma, num_tasks);
}

static inline struct doca_buf_inventory *rdma_inventory(void)
{
    struct doca_buf_inventory *inventory;

    CHECK_OK(doca_buf_inventory_create(RDMA_BUFS, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    return inventory;
}

/* Make an end on `dev`, which rdma_destroy() closes, and leave it idle. `access` holds the
 * permissions of its memory and of the instance. */
static inline void rdma_make_on(struct rdma_end *e, struct doca_dev *dev, void *memory,
                                size_t bytes, uint32_t access)
{
    memset(e, 0, sizeof(*e));
    e->dev = dev;
    e->memory = memory;
    e->bytes = bytes;
    e->map = share_map(dev, memory, bytes, access);
    e->inventory = rdma_inventory();
    CHECK_OK(doca_pe_create(&e->pe));
    CHECK_OK(doca_rdma_create(dev, &e->rdma));
    e->ctx = doca_rdma_as_ctx(e->rdma);
    CHECK(e->ctx != NULL);
    rdma_conf_all(e->rdma, RDMA_TASKS);
    CHECK_OK(doca_rdma_set_permissions(e->rdma, access));
    CHECK_OK(doca_rdma_set_send_queue_size(e->rdma, RDMA_DEPTH));
    CHECK_OK(doca_rdma_set_max_send_buf_list_len(e->rdma, RDMA_LIST));
    CHECK_OK(doca_rdma_task_receive_set_dst_buf_list_len(e->rdma, RDMA_LIST));
    CHECK_OK(doca_rdma_set_connection_state_callbacks(e->rdma, rdma_requested, rdma_established,
                                                      rdma_connect_failed, rdma_disconnected));
    CHECK_OK(doca_ctx_set_user_data(e->ctx, (union doca_data){ .ptr = e }));
    CHECK_OK(doca_ctx_set_state_changed_cb(e->ctx, rdma_state_changed));
    CHECK_OK(doca_pe_connect_ctx(e->pe, e->ctx));
    rdma_end_add(e);
}

static inline void rdma_make(struct rdma_end *e, void *memory, size_t bytes)
{
    rdma_make_on(e, rig_open_dev(NULL), memory, bytes, RDMA_ALL);
}

/* Start an end, which runs at once. */
static inline void rdma_start(struct rdma_end *e)
{
    CHECK_OK(doca_ctx_start(e->ctx));
    CHECK_EQ(rig_state(e->ctx), DOCA_CTX_STATE_RUNNING);
}

static inline void rdma_open(struct rdma_end *e, void *memory, size_t bytes)
{
    rdma_make(e, memory, bytes);
    rdma_start(e);
}

/* ---- connections ---- */

/* Take a new connection of the end, which becomes e->conn, and copy its details. */
static inline void rdma_export(struct rdma_end *e, struct rdma_blob *blob)
{
    struct doca_rdma_connection *c = NULL;
    const void *details = NULL;
    size_t len = 0;

    CHECK_OK(doca_rdma_export(e->rdma, &details, &len, &c));
    CHECK(details != NULL && c != NULL);
    CHECK(len > 0 && len <= sizeof(blob->bytes));
    memset(blob, 0, sizeof(*blob));
    memcpy(blob->bytes, details, len);
    blob->len = len;
    e->conn = c;
}

static inline doca_error_t rdma_try_connect(struct rdma_end *e, const struct rdma_blob *blob,
                                            struct doca_rdma_connection *c)
{
    return doca_rdma_connect(e->rdma, blob->bytes, blob->len, c);
}

/* Connect two running ends, without progress. The new connections are a->conn and b->conn. */
static inline void rdma_join(struct rdma_end *a, struct rdma_end *b)
{
    struct rdma_blob of_a, of_b;

    rdma_export(a, &of_a);
    rdma_export(b, &of_b);
    CHECK_OK(rdma_try_connect(a, &of_b, a->conn));
    CHECK_OK(rdma_try_connect(b, &of_a, b->conn));
}

static inline void rdma_import(struct rdma_end *e, const void *desc, size_t len, void *addr)
{
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, e->dev, &e->far_map));
    e->far = addr;
}

/* Give `to` access to the memory of `from`. */
static inline void rdma_lend(struct rdma_end *from, struct rdma_end *to)
{
    const void *desc = NULL;
    size_t len = 0;

    CHECK_OK(doca_mmap_export_rdma(from->map, from->dev, &desc, &len));
    rdma_import(to, desc, len, from->memory);
}

/* ---- the end ---- */

/* Stop an end, and progress everything until it is idle. */
static inline void rdma_stop(struct rdma_end *e)
{
    doca_error_t rc;

    if (!rdma_is(e, DOCA_CTX_STATE_IDLE)) {
        rc = doca_ctx_stop(e->ctx);
        if (rc != DOCA_ERROR_IN_PROGRESS)
            CHECK_OK(rc);
    }
    RDMA_UNTIL(rdma_is(e, DOCA_CTX_STATE_IDLE));
    CHECK_EQ(rig_inflight(e->ctx), 0);
}

/* Destroy an idle end. The test must have freed its tasks and released its buffers. */
static inline void rdma_destroy(struct rdma_end *e)
{
    if (e->rdma != NULL)
        CHECK_OK(doca_rdma_destroy(e->rdma));
    rdma_end_remove(e);
    CHECK_OK(doca_pe_destroy(e->pe));
    if (e->far_map != NULL)
        CHECK_OK(doca_mmap_destroy(e->far_map));
    CHECK_OK(doca_buf_inventory_destroy(e->inventory));
    CHECK_OK(doca_mmap_destroy(e->map));
    CHECK_OK(doca_dev_close(e->dev));
}

static inline void rdma_close(struct rdma_end *e)
{
    if (e->rdma != NULL)
        rdma_stop(e);
    rdma_destroy(e);
}

/* Stop both ends before either is destroyed: an import is destroyed before its memory. */
static inline void rdma_close_both(struct rdma_end *a, struct rdma_end *b)
{
    rdma_stop(a);
    rdma_stop(b);
    rdma_destroy(a);
    rdma_destroy(b);
}

#endif

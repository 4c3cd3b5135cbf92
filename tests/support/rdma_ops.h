/* Tasks of the ends of rdma_end.h: buffers over their memory, allocation, submission, and checks of
 * the recorded completions. */
#ifndef RDMA_OPS_H
#define RDMA_OPS_H

#include "rdma_end.h"

/* A task that the test has allocated. */
struct rdma_op {
    enum rdma_kind kind;
    void *task;
};

static inline struct rdma_op rdma_op(enum rdma_kind kind, void *task)
{
    struct rdma_op op = { kind, task };

    CHECK(task != NULL);
    return op;
}

/* ---- buffers ---- */

/* Return a buffer whose content is [off, off + len) of the memory. If `len` is 0, the buffer has
 * one byte of room, because a buffer cannot have a range of no bytes. */
static inline struct doca_buf *rdma_buf(struct rdma_end *e, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_args(e->inventory, e->map, e->memory + off,
                                                len > 0 ? len : 1, e->memory + off, len, &buf));
    return buf;
}

/* Return an empty buffer with `len` bytes of room at `off`. */
static inline struct doca_buf *rdma_room(struct rdma_end *e, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_addr(e->inventory, e->map, e->memory + off, len, &buf));
    return buf;
}

/* The next two functions do the same in the imported memory of the peer. */
static inline struct doca_buf *rdma_far_buf(struct rdma_end *e, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK(e->far_map != NULL);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(e->inventory, e->far_map, e->far + off, len, &buf));
    return buf;
}

static inline struct doca_buf *rdma_far_room(struct rdma_end *e, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK(e->far_map != NULL);
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(e->inventory, e->far_map, e->far + off, len, &buf));
    return buf;
}

/* Append `tail` to the list of `head`, and return `head`. */
static inline struct doca_buf *rdma_chain(struct doca_buf *head, struct doca_buf *tail)
{
    CHECK_OK(doca_buf_chain_list(head, tail));
    return head;
}

/* Return a list of `num` buffers with `len` bytes each, `stride` bytes apart, from `off` on. The
 * buffers are full, or empty if `is_room` is set. */
static inline struct doca_buf *rdma_list(struct rdma_end *e, size_t off, size_t len, size_t stride,
                                         unsigned num, bool is_room)
{
    struct doca_buf *head = is_room ? rdma_room(e, off, len) : rdma_buf(e, off, len);
    unsigned i;

    for (i = 1; i < num; i++)
        rdma_chain(head, is_room ? rdma_room(e, off + i * stride, len)
                                 : rdma_buf(e, off + i * stride, len));
    return head;
}

/* ---- allocation; `number` is the user data of the task ---- */

static inline struct rdma_op rdma_receive(struct rdma_end *e, struct doca_buf *dst, uint64_t number)
{
    struct doca_rdma_task_receive *task = NULL;

    CHECK_OK(doca_rdma_task_receive_allocate_init(e->rdma, dst, (union doca_data){ .u64 = number },
                                                  &task));
    return rdma_op(RDMA_receive, task);
}

static inline struct rdma_op rdma_send_on(struct rdma_end *e, struct doca_rdma_connection *c,
                                          const struct doca_buf *src, uint64_t number)
{
    struct doca_rdma_task_send *task = NULL;

    CHECK_OK(doca_rdma_task_send_allocate_init(e->rdma, c, src, (union doca_data){ .u64 = number },
                                               &task));
    return rdma_op(RDMA_send, task);
}

static inline struct rdma_op rdma_send(struct rdma_end *e, const struct doca_buf *src,
                                       uint64_t number)
{
    return rdma_send_on(e, e->conn, src, number);
}

static inline struct rdma_op rdma_send_imm(struct rdma_end *e, const struct doca_buf *src,
                                           doca_be32_t imm, uint64_t number)
{
    struct doca_rdma_task_send_imm *task = NULL;

    CHECK_OK(doca_rdma_task_send_imm_allocate_init(e->rdma, e->conn, src, imm,
                                                   (union doca_data){ .u64 = number }, &task));
    return rdma_op(RDMA_send_imm, task);
}

static inline struct rdma_op rdma_read(struct rdma_end *e, const struct doca_buf *src,
                                       struct doca_buf *dst, uint64_t number)
{
    struct doca_rdma_task_read *task = NULL;

    CHECK_OK(doca_rdma_task_read_allocate_init(e->rdma, e->conn, src, dst,
                                               (union doca_data){ .u64 = number }, &task));
    return rdma_op(RDMA_read, task);
}

static inline struct rdma_op rdma_write(struct rdma_end *e, const struct doca_buf *src,
                                        struct doca_buf *dst, uint64_t number)
{
    struct doca_rdma_task_write *task = NULL;

    CHECK_OK(doca_rdma_task_write_allocate_init(e->rdma, e->conn, src, dst,
                                                (union doca_data){ .u64 = number }, &task));
    return rdma_op(RDMA_write, task);
}

static inline struct rdma_op rdma_write_imm(struct rdma_end *e, const struct doca_buf *src,
                                            struct doca_buf *dst, doca_be32_t imm, uint64_t number)
{
    struct doca_rdma_task_write_imm *task = NULL;

    CHECK_OK(doca_rdma_task_write_imm_allocate_init(e->rdma, e->conn, src, dst, imm,
                                                    (union doca_data){ .u64 = number }, &task));
    return rdma_op(RDMA_write_imm, task);
}

static inline struct rdma_op rdma_swap(struct rdma_end *e, struct doca_buf *dst,
                                       struct doca_buf *result, uint64_t compare, uint64_t swap)
{
    struct doca_rdma_task_atomic_cmp_swp *task = NULL;

    CHECK_OK(doca_rdma_task_atomic_cmp_swp_allocate_init(
        e->rdma, e->conn, dst, result, compare, swap, (union doca_data){ .u64 = 0 }, &task));
    return rdma_op(RDMA_atomic_cmp_swp, task);
}

static inline struct rdma_op rdma_add(struct rdma_end *e, struct doca_buf *dst,
                                      struct doca_buf *result, uint64_t add, uint64_t number)
{
    struct doca_rdma_task_atomic_fetch_add *task = NULL;

    CHECK_OK(doca_rdma_task_atomic_fetch_add_allocate_init(
        e->rdma, e->conn, dst, result, add, (union doca_data){ .u64 = number }, &task));
    return rdma_op(RDMA_atomic_fetch_add, task);
}

static inline struct rdma_op rdma_event_get(struct rdma_end *e,
                                            const struct doca_sync_event_remote_net *event,
                                            struct doca_buf *dst)
{
    struct doca_rdma_task_remote_net_sync_event_get *task = NULL;

    CHECK_OK(doca_rdma_task_remote_net_sync_event_get_allocate_init(
        e->rdma, e->conn, event, dst, (union doca_data){ .u64 = 0 }, &task));
    return rdma_op(RDMA_remote_net_sync_event_get, task);
}

static inline struct rdma_op rdma_event_set(struct rdma_end *e,
                                            struct doca_sync_event_remote_net *event,
                                            const struct doca_buf *src)
{
    struct doca_rdma_task_remote_net_sync_event_notify_set *task = NULL;

    CHECK_OK(doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
        e->rdma, e->conn, event, src, (union doca_data){ .u64 = 0 }, &task));
    return rdma_op(RDMA_remote_net_sync_event_notify_set, task);
}

static inline struct rdma_op rdma_event_add(struct rdma_end *e,
                                            struct doca_sync_event_remote_net *event,
                                            struct doca_buf *result, uint64_t add)
{
    struct doca_rdma_task_remote_net_sync_event_notify_add *task = NULL;

    CHECK_OK(doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
        e->rdma, e->conn, event, result, add, (union doca_data){ .u64 = 0 }, &task));
    return rdma_op(RDMA_remote_net_sync_event_notify_add, task);
}

/* ---- submission ---- */

static inline doca_error_t rdma_submit(struct rdma_op op)
{
    return doca_task_submit(rdma_as_task(op.kind, op.task));
}

/* Free a task that is not in flight, and release its buffers. */
static inline void rdma_drop(struct rdma_op op)
{
    rdma_release(op.kind, op.task);
}

/* Submit a task of an end that has no other task in flight (receives excepted), progress everything
 * until the task has completed, and return its status. */
static inline doca_error_t rdma_run(struct rdma_end *e, struct rdma_op op)
{
    unsigned i, first = e->num_done;
    doca_error_t status = DOCA_SUCCESS;
    bool is_done = false;

    CHECK_OK(rdma_submit(op));
    while (!is_done) {
        RDMA_UNTIL(e->num_done > first);
        for (i = first; i < e->num_done; i++) {
            if (e->done[i % RDMA_SEEN].kind == op.kind) {
                status = e->done[i % RDMA_SEEN].status;
                is_done = true;
            }
        }
        first = e->num_done;
    }
    return status;
}

/* Like rdma_run(), for a task that must fail. The reference does not say whether the submission or
 * the task fails: return the error of the submission, or the status of the task. */
static inline doca_error_t rdma_try(struct rdma_end *e, struct rdma_op op)
{
    unsigned before = e->num_done;
    doca_error_t rc = rdma_submit(op);

    if (rc != DOCA_SUCCESS) {
        rdma_settle();
        CHECK_EQ(e->num_done, before); /* a refused task does not complete */
        rdma_drop(op);
        return rc;
    }
    RDMA_UNTIL(e->num_done > before);
    return e->done[before % RDMA_SEEN].status;
}

/* Post [off, off + len) of the memory as an empty buffer. */
static inline void rdma_post(struct rdma_end *e, size_t off, size_t len, uint64_t number)
{
    CHECK_OK(rdma_submit(rdma_receive(e, rdma_room(e, off, len), number)));
}

/* ---- recorded completions ---- */

static inline const struct rdma_done *rdma_at(const struct rdma_end *e, unsigned index)
{
    CHECK(index < e->num_done && e->num_done - index <= RDMA_SEEN);
    return &e->done[index % RDMA_SEEN];
}

static inline const struct rdma_done *rdma_latest(const struct rdma_end *e)
{
    CHECK(e->num_done > 0);
    return rdma_at(e, e->num_done - 1);
}

/* Completion `index` of the end is a task of `kind_of_task` with this number and this status. */
#define RDMA_CHECK_DONE(e, index, kind_of_task, number_of_task, want)                              \
    do {                                                                                           \
        const struct rdma_done *done_ = rdma_at(e, index);                                         \
        CHECK_EQ(done_->kind, kind_of_task);                                                       \
        CHECK_EQ(done_->number, number_of_task);                                                   \
        CHECK_RC(done_->status, want);                                                             \
    } while (0)

/* Return the number of recorded completions of this kind with this status. */
static inline unsigned rdma_count(const struct rdma_end *e, enum rdma_kind kind,
                                  doca_error_t status)
{
    unsigned i, num = 0;

    CHECK(e->num_done <= RDMA_SEEN);
    for (i = 0; i < e->num_done; i++)
        num += e->done[i].kind == kind && e->done[i].status == status;
    return num;
}

/* Return the value of the eight bytes at `off` of the memory. */
static inline uint64_t rdma_word(const struct rdma_end *e, size_t off)
{
    uint64_t value;

    memcpy(&value, e->memory + off, sizeof(value));
    return value;
}

/* Send `len` bytes at `from` of one end to `to` of the other, which posts a buffer for them. */
static inline void rdma_deliver(struct rdma_end *a, struct rdma_end *b, size_t from, size_t to,
                                size_t len)
{
    unsigned before_a = a->num_done, before_b = b->num_done;

    rdma_post(b, to, len > 0 ? len : 1, 71);
    CHECK_OK(rdma_submit(rdma_send(a, rdma_buf(a, from, len), 72)));
    RDMA_UNTIL(a->num_done > before_a && b->num_done > before_b);
    RDMA_CHECK_DONE(a, before_a, RDMA_send, 72, DOCA_SUCCESS);
    RDMA_CHECK_DONE(b, before_b, RDMA_receive, 71, DOCA_SUCCESS);
    CHECK_EQ(rdma_at(b, before_b)->len, len);
    CHECK_MEM(b->memory + to, a->memory + from, len);
}

#endif

/* Consumers and producers of Comch for tests, on top of the ends of comch_end.h. Each has its own
 * memory, mmap and inventory, and its own progress engine or that of its end. */
#ifndef COMCH_DATA_H
#define COMCH_DATA_H

#include "comch_end.h"

enum { COMCH_BUFS = 2048, COMCH_IMM = 32 };

struct comch_consumer {
    struct doca_pe *pe;
    bool owns_pe;
    struct doca_comch_consumer *consumer; /* NULL: the test has destroyed it */
    struct doca_ctx *ctx;
    uint32_t id;
    unsigned char *memory;
    struct doca_mmap *map;
    struct doca_buf_inventory *inventory;

    unsigned num_ok, num_failed;
    doca_error_t status; /* of the latest failed task */
    uint32_t from;       /* producer id of the latest message, and its parts */
    uint32_t imm_len;
    unsigned char imm[COMCH_IMM];
    unsigned char *data;
    size_t len;
    unsigned num_states;
    char states[256];
    unsigned num_callbacks;
    bool keeps_tasks; /* the callbacks neither free the tasks nor release the buffers */

    void (*on_task)(struct comch_consumer *c, struct doca_comch_consumer_task_post_recv *task,
                    bool is_ok);
    void (*on_state)(struct comch_consumer *c, enum doca_ctx_states next);
    unsigned todo;
    void *user;
};

struct comch_producer {
    struct doca_pe *pe;
    bool owns_pe;
    struct doca_comch_producer *producer; /* NULL: the test has destroyed it */
    struct doca_ctx *ctx;
    uint32_t id;
    unsigned char *memory;
    struct doca_mmap *map;
    struct doca_buf_inventory *inventory;

    unsigned num_ok, num_failed;
    doca_error_t status; /* of the latest failed task */
    unsigned num_states;
    char states[256];
    unsigned num_callbacks;
    bool keeps_tasks;

    void (*on_task)(struct comch_producer *p, struct doca_comch_producer_task_send *task,
                    bool is_ok);
    unsigned todo;
    void *user;
};

/* ---- consumers ---- */

static inline void consumer_called(struct comch_consumer *c)
{
    CHECK_PTR(comch_progressing, c->pe);
    c->num_callbacks++;
}

static inline void consumer_state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                                          enum doca_ctx_states prev, enum doca_ctx_states next)
{
    struct comch_consumer *c = user_data.ptr;

    CHECK_PTR(ctx, c->ctx);
    consumer_called(c);
    comch_note_state(c->states, sizeof(c->states), &c->num_states, prev, next);
    if (c->on_state != NULL)
        c->on_state(c, next);
}

/* Free a task and release its buffer. */
static inline void consumer_release(struct doca_comch_consumer_task_post_recv *task)
{
    struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);

    doca_task_free(doca_comch_consumer_task_post_recv_as_task(task));
    if (buf != NULL)
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
}

static inline void consumer_done(struct comch_consumer *c,
                                 struct doca_comch_consumer_task_post_recv *task, bool is_ok)
{
    consumer_called(c);
    if (c->on_task != NULL)
        c->on_task(c, task, is_ok);
    if (!c->keeps_tasks)
        consumer_release(task);
}

static inline void consumer_received(struct doca_comch_consumer_task_post_recv *task,
                                     union doca_data task_data, union doca_data ctx_data)
{
    const uint8_t *imm = doca_comch_consumer_task_post_recv_get_imm_data(task);
    struct doca_buf *buf = doca_comch_consumer_task_post_recv_get_buf(task);
    struct comch_consumer *c = ctx_data.ptr;
    void *data = NULL;

    (void)task_data;
    CHECK_OK(doca_task_get_status(doca_comch_consumer_task_post_recv_as_task(task)));
    c->from = doca_comch_consumer_task_post_recv_get_producer_id(task);
    c->imm_len = doca_comch_consumer_task_post_recv_get_imm_data_len(task);
    CHECK(c->imm_len <= COMCH_IMM);
    CHECK((c->imm_len == 0) == (imm == NULL));
    if (c->imm_len > 0)
        memcpy(c->imm, imm, c->imm_len);
    c->data = NULL;
    c->len = 0;
    if (buf != NULL) {
        CHECK_OK(doca_buf_get_data(buf, &data));
        c->data = data;
        c->len = rig_data_len(buf);
    }
    c->num_ok++;
    consumer_done(c, task, true);
}

static inline void consumer_failed(struct doca_comch_consumer_task_post_recv *task,
                                   union doca_data task_data, union doca_data ctx_data)
{
    struct comch_consumer *c = ctx_data.ptr;

    (void)task_data;
    c->status = doca_task_get_status(doca_comch_consumer_task_post_recv_as_task(task));
    CHECK(c->status != DOCA_SUCCESS);
    c->num_failed++;
    consumer_done(c, task, false);
}

static inline struct doca_mmap *comch_map(struct doca_dev *dev, void *memory, size_t bytes)
{
    struct doca_mmap *map;

    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, memory, bytes));
    CHECK_OK(doca_mmap_add_dev(map, dev));
    CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_OK(doca_mmap_start(map));
    return map;
}

static inline struct doca_buf_inventory *comch_inventory(void)
{
    struct doca_buf_inventory *inventory;

    CHECK_OK(doca_buf_inventory_create(COMCH_BUFS, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    return inventory;
}

/* Create a consumer on the connection and leave it idle. `pe` NULL: with its own progress
 * engine. */
static inline void consumer_make_on(struct comch_consumer *c, struct doca_dev *dev,
                                    struct doca_comch_connection *connection, struct doca_pe *pe,
                                    void *memory, size_t bytes, uint32_t num_tasks)
{
    memset(c, 0, sizeof(*c));
    c->memory = memory;
    c->map = comch_map(dev, memory, bytes);
    c->inventory = comch_inventory();
    CHECK_OK(doca_comch_consumer_create(connection, c->map, &c->consumer));
    c->ctx = doca_comch_consumer_as_ctx(c->consumer);
    CHECK_OK(doca_comch_consumer_get_id(c->consumer, &c->id));
    CHECK_OK(doca_comch_consumer_set_imm_data_len(c->consumer, COMCH_IMM));
    CHECK_OK(doca_comch_consumer_task_post_recv_set_conf(c->consumer, consumer_received,
                                                         consumer_failed, num_tasks));
    CHECK_OK(doca_ctx_set_user_data(c->ctx, (union doca_data){ .ptr = c }));
    CHECK_OK(doca_ctx_set_state_changed_cb(c->ctx, consumer_state_changed));
    c->owns_pe = pe == NULL;
    if (c->owns_pe)
        CHECK_OK(doca_pe_create(&pe));
    c->pe = pe;
    CHECK_OK(doca_pe_connect_ctx(pe, c->ctx));
    if (c->owns_pe)
        comch_engine_add(pe, &c->num_callbacks);
}

/* Create a consumer on the connection of a client, or on the first connection of a server. */
static inline void consumer_make(struct comch_consumer *c, struct comch_end *e, struct doca_pe *pe,
                                 void *memory, size_t bytes, uint32_t num_tasks)
{
    CHECK(e->num_conns > 0);
    consumer_make_on(c, e->dev, e->conns[0], pe, memory, bytes, num_tasks);
}

/* Start a consumer and wait until it runs. */
static inline void consumer_start(struct comch_consumer *c)
{
    CHECK_RC(doca_ctx_start(c->ctx), DOCA_ERROR_IN_PROGRESS);
    COMCH_UNTIL(rig_state(c->ctx) == DOCA_CTX_STATE_RUNNING);
}

static inline struct doca_buf *consumer_buf(struct comch_consumer *c, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_addr(c->inventory, c->map, c->memory + off, len, &buf));
    return buf;
}

static inline struct doca_comch_consumer_task_post_recv *consumer_task(struct comch_consumer *c,
                                                                       struct doca_buf *buf)
{
    struct doca_comch_consumer_task_post_recv *task;

    CHECK_OK(doca_comch_consumer_task_post_recv_alloc_init(c->consumer, buf, &task));
    CHECK_PTR(doca_comch_consumer_task_post_recv_get_buf(task), buf);
    return task;
}

static inline doca_error_t consumer_submit(struct doca_comch_consumer_task_post_recv *task)
{
    return doca_task_submit(doca_comch_consumer_task_post_recv_as_task(task));
}

/* Post [off, off + len) of the memory as an empty buffer. */
static inline void consumer_post(struct comch_consumer *c, size_t off, size_t len)
{
    CHECK_OK(consumer_submit(consumer_task(c, consumer_buf(c, off, len))));
}

static inline void consumer_stop(struct comch_consumer *c)
{
    if (rig_state(c->ctx) != DOCA_CTX_STATE_IDLE)
        comch_stop_ctx(c->ctx);
    COMCH_UNTIL(rig_state(c->ctx) == DOCA_CTX_STATE_IDLE);
}

static inline void consumer_close(struct comch_consumer *c)
{
    if (c->consumer != NULL) {
        consumer_stop(c);
        CHECK_OK(doca_comch_consumer_destroy(c->consumer));
    }
    if (c->owns_pe) {
        comch_engine_remove(c->pe);
        CHECK_OK(doca_pe_destroy(c->pe));
    }
    CHECK_OK(doca_buf_inventory_destroy(c->inventory));
    CHECK_OK(doca_mmap_destroy(c->map));
}

/* ---- producers ---- */

static inline void producer_called(struct comch_producer *p)
{
    CHECK_PTR(comch_progressing, p->pe);
    p->num_callbacks++;
}

static inline void producer_state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                                          enum doca_ctx_states prev, enum doca_ctx_states next)
{
    struct comch_producer *p = user_data.ptr;

    CHECK_PTR(ctx, p->ctx);
    producer_called(p);
    comch_note_state(p->states, sizeof(p->states), &p->num_states, prev, next);
}

static inline void producer_release(struct doca_comch_producer_task_send *task)
{
    const struct doca_buf *buf = doca_comch_producer_task_send_get_buf(task);

    doca_task_free(doca_comch_producer_task_send_as_task(task));
    if (buf != NULL)
        CHECK_OK(doca_buf_dec_refcount((struct doca_buf *)(size_t)buf, NULL));
}

static inline void producer_done(struct comch_producer *p,
                                 struct doca_comch_producer_task_send *task, bool is_ok)
{
    producer_called(p);
    if (p->on_task != NULL)
        p->on_task(p, task, is_ok);
    if (!p->keeps_tasks)
        producer_release(task);
}

static inline void producer_sent(struct doca_comch_producer_task_send *task,
                                 union doca_data task_data, union doca_data ctx_data)
{
    struct comch_producer *p = ctx_data.ptr;

    (void)task_data;
    CHECK_OK(doca_task_get_status(doca_comch_producer_task_send_as_task(task)));
    p->num_ok++;
    producer_done(p, task, true);
}

static inline void producer_failed(struct doca_comch_producer_task_send *task,
                                   union doca_data task_data, union doca_data ctx_data)
{
    struct comch_producer *p = ctx_data.ptr;

    (void)task_data;
    p->status = doca_task_get_status(doca_comch_producer_task_send_as_task(task));
    CHECK(p->status != DOCA_SUCCESS);
    p->num_failed++;
    producer_done(p, task, false);
}

static inline void producer_make_on(struct comch_producer *p, struct doca_dev *dev,
                                    struct doca_comch_connection *connection, struct doca_pe *pe,
                                    void *memory, size_t bytes, uint32_t num_tasks)
{
    memset(p, 0, sizeof(*p));
    p->memory = memory;
    p->map = comch_map(dev, memory, bytes);
    p->inventory = comch_inventory();
    CHECK_OK(doca_comch_producer_create(connection, &p->producer));
    p->ctx = doca_comch_producer_as_ctx(p->producer);
    CHECK_OK(doca_comch_producer_get_id(p->producer, &p->id));
    CHECK_OK(doca_comch_producer_task_send_set_conf(p->producer, producer_sent, producer_failed,
                                                    num_tasks));
    CHECK_OK(doca_ctx_set_user_data(p->ctx, (union doca_data){ .ptr = p }));
    CHECK_OK(doca_ctx_set_state_changed_cb(p->ctx, producer_state_changed));
    p->owns_pe = pe == NULL;
    if (p->owns_pe)
        CHECK_OK(doca_pe_create(&pe));
    p->pe = pe;
    CHECK_OK(doca_pe_connect_ctx(pe, p->ctx));
    if (p->owns_pe)
        comch_engine_add(pe, &p->num_callbacks);
}

static inline void producer_make(struct comch_producer *p, struct comch_end *e, struct doca_pe *pe,
                                 void *memory, size_t bytes, uint32_t num_tasks)
{
    CHECK(e->num_conns > 0);
    producer_make_on(p, e->dev, e->conns[0], pe, memory, bytes, num_tasks);
}

static inline void producer_start(struct comch_producer *p)
{
    CHECK_OK(doca_ctx_start(p->ctx));
    CHECK_EQ(rig_state(p->ctx), DOCA_CTX_STATE_RUNNING);
}

static inline struct doca_buf *producer_buf(struct comch_producer *p, size_t off, size_t len)
{
    struct doca_buf *buf;

    /* a window of no bytes is refused in the checked mode */
    CHECK_OK(doca_buf_inventory_buf_get_by_args(p->inventory, p->map, p->memory + off,
                                                len > 0 ? len : 1, p->memory + off, len, &buf));
    return buf;
}

static inline struct doca_comch_producer_task_send *producer_task(struct comch_producer *p,
                                                                  const struct doca_buf *buf,
                                                                  const void *imm, uint32_t imm_len,
                                                                  uint32_t id)
{
    struct doca_comch_producer_task_send *task;

    CHECK_OK(doca_comch_producer_task_send_alloc_init(p->producer, buf, (uint8_t *)(size_t)imm,
                                                      imm_len, id, &task));
    return task;
}

static inline doca_error_t producer_submit(struct doca_comch_producer_task_send *task)
{
    return doca_task_submit(doca_comch_producer_task_send_as_task(task));
}

/* Submit a task until the consumer has room, and progress everything meanwhile. */
static inline void producer_push(struct doca_comch_producer_task_send *task)
{
    doca_error_t rc;

    COMCH_UNTIL((rc = producer_submit(task)) != DOCA_ERROR_AGAIN);
    CHECK_OK(rc);
}

/* Send [off, off + len) of the memory to the consumer `id`. */
static inline void producer_send(struct comch_producer *p, size_t off, size_t len, uint32_t id)
{
    producer_push(producer_task(p, producer_buf(p, off, len), NULL, 0, id));
}

static inline void producer_stop(struct comch_producer *p)
{
    if (rig_state(p->ctx) != DOCA_CTX_STATE_IDLE)
        comch_stop_ctx(p->ctx);
    COMCH_UNTIL(rig_state(p->ctx) == DOCA_CTX_STATE_IDLE);
}

static inline void producer_close(struct comch_producer *p)
{
    if (p->producer != NULL) {
        producer_stop(p);
        CHECK_OK(doca_comch_producer_destroy(p->producer));
    }
    if (p->owns_pe) {
        comch_engine_remove(p->pe);
        CHECK_OK(doca_pe_destroy(p->pe));
    }
    CHECK_OK(doca_buf_inventory_destroy(p->inventory));
    CHECK_OK(doca_mmap_destroy(p->map));
}

#endif

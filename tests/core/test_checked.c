/* The checked mode (DOCA_CORE_CHECK 2). These cases check which mistakes it detects and how it
 * reports them, and that builds of the other levels do not contain it. */
#include "fixture.h"

#include <pthread.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if DOCA_CORE_CHECK >= 2

enum { TASKS = 8, LEN = 64 };

/* ---- records the number of log lines and the last one ---- */

static struct {
    unsigned lines;
    enum doca_core_item item;
    char line[1024];
} logged;

static void record_line(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)user;
    logged.lines++;
    logged.item = item;
    snprintf(logged.line, sizeof(logged.line), "%s", line);
}

static void record_log(void)
{
    logged.lines = 0;
    logged.line[0] = '\0';
    doca_core_log_set_sink(record_line, NULL);
}

/* Check that exactly one line was logged since the last check, that it has this item, that `call`
 * made it, and that the history in it contains `words`, in this order. */
static void check_report(int at, enum doca_core_item item, const char *call, const char *words)
{
    char copy[128], *word, *rest = copy;
    const char *found = strstr(logged.line, "; history of ");

    if (logged.lines != 1 || logged.item != item || strstr(logged.line, call) == NULL)
        test_fail(__FILE__, at, "%u lines instead of 1 of this item and call; the last is \"%s\"",
                  logged.lines, logged.line);
    if (found == NULL)
        test_fail(__FILE__, at, "no history in \"%s\"", logged.line);
    snprintf(copy, sizeof(copy), "%s", words);
    while ((word = strtok_r(rest, " ", &rest)) != NULL) {
        found = strstr(found, word);
        if (found == NULL)
            test_fail(__FILE__, at, "no \"%s\" of \"%s\" in \"%s\"", word, words, logged.line);
        found += strlen(word);
    }
    logged.lines = 0;
}

#define CHECK_REPORT(item, call, words)                                                            \
    check_report(__LINE__, DOCA_CORE_ITEM_##item, #call ":", words)

/* ---- handles of released and destroyed objects ---- */

static void use_of_a_released_task_reports_its_history(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_task *base;
    uint64_t before;
    struct rig r;

    rig_open(&r, TASKS);
    task = rig_copy(&r, r.dma, 0, LEN);
    base = doca_dma_task_memcpy_as_task(task);
    rig_drain(&r);
    rig_release(task);
    record_log();
    before = doca_core_check_num_reports();
    doca_task_free(base);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_free, "task allocated submitted completed released");
    CHECK_RC(doca_task_submit(base), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_submit, "task allocated submitted completed released");
    CHECK_EQ(doca_core_check_num_reports(), before + 2);
    rig_close(&r);
}

static struct doca_buf *take_buf(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
                                 struct doca_buf_pool *pool)
{
    struct doca_buf *buf;

    if (pool != NULL)
        CHECK_OK(doca_buf_pool_buf_alloc(pool, &buf));
    else
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, rig_from, LEN, &buf));
    return buf;
}

/* A released buf is not reused until DOCA_CORE_CHECK_LIVES others have been allocated, even in an
 * inventory or pool of one buf. */
static void released_bufs_are_not_reused_at_once(void)
{
    static const uint32_t sizes[] = { 1, TASKS, 100 };
    struct doca_buf *bufs[100], *buf, *none = NULL;
    struct doca_buf_inventory *inventory;
    struct doca_mmap *mmap;
    struct doca_buf_pool *pool, *from;
    unsigned i, n;

    for (n = 0; n < 6; n++) {
        const uint32_t size = sizes[n / 2];

        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_set_memrange(mmap, rig_from, RIG_BYTES));
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_OK(doca_buf_inventory_create(size, &inventory));
        CHECK_OK(doca_buf_inventory_start(inventory));
        CHECK_OK(doca_buf_pool_create(size, LEN, mmap, &pool));
        CHECK_OK(doca_buf_pool_start(pool));
        from = n % 2 == 0 ? pool : NULL;
        buf = take_buf(inventory, mmap, from);
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        for (i = 0; i < DOCA_CORE_CHECK_LIVES; i++) {
            bufs[0] = take_buf(inventory, mmap, from);
            CHECK(OBJECT(bufs[0]) != OBJECT(buf));
            CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
        }
        CHECK_RC(doca_buf_dec_refcount(buf, NULL), DOCA_ERROR_BAD_STATE);
        for (i = 0; i < size; i++)
            bufs[i] = take_buf(inventory, mmap, from);
        CHECK_PTR(OBJECT(bufs[size - 1]), OBJECT(buf));
        CHECK_RC(from != NULL ? doca_buf_pool_buf_alloc(pool, &none)
                              : doca_buf_inventory_buf_get_by_addr(inventory, mmap, rig_from, LEN,
                                                                   &none),
                 from != NULL ? DOCA_ERROR_EMPTY : DOCA_ERROR_NO_MEMORY);
        CHECK_PTR(none, NULL);
        while (i > 0)
            CHECK_OK(doca_buf_dec_refcount(bufs[--i], NULL));
        CHECK_OK(doca_buf_pool_destroy(pool));
        CHECK_OK(doca_buf_inventory_destroy(inventory));
        CHECK_OK(doca_mmap_destroy(mmap));
    }
}

static void released_tasks_are_not_reused_at_once(void)
{
    struct doca_dma_task_memcpy *task, *other, *none = NULL;
    struct doca_task *base;
    struct rig r;
    unsigned i;

    rig_open(&r, 1);
    task = rig_prepare(&r, r.dma, 0, LEN);
    base = doca_dma_task_memcpy_as_task(task);
    rig_release(task);
    for (i = 0; i < DOCA_CORE_CHECK_LIVES; i++) {
        other = rig_prepare(&r, r.dma, 0, LEN);
        CHECK(OBJECT(other) != OBJECT(task));
        CHECK_RC(doca_task_submit(base), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_dma_task_memcpy_alloc_init(r.dma, NULL, NULL, (union doca_data){ 0 }, &none),
                 DOCA_ERROR_NO_MEMORY);
        CHECK_PTR(none, NULL);
        rig_release(other);
    }
    other = rig_prepare(&r, r.dma, 0, LEN);
    CHECK_PTR(OBJECT(other), OBJECT(task));
    rig_release(other);
    rig_close(&r);
}

/* A getter that is called on a released object is reported, and returns the old value. */
static void getters_report_released_objects(void)
{
    struct doca_dma_task_memcpy *task;
    union doca_data data = { 0 };
    const struct doca_buf *src;
    struct doca_task *base;
    struct doca_buf *buf;
    uint16_t refcount;
    struct rig r;
    void *place;
    size_t len;

    rig_open(&r, TASKS);
    task = rig_copy(&r, r.dma, 0, LEN);
    base = doca_dma_task_memcpy_as_task(task);
    record_log();
    doca_task_set_user_data(base, data);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_set_user_data, "task allocated submitted");
    (void)doca_task_get_status(base); /* reported, because the task is in flight */
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_get_status, "task allocated submitted");
    rig_drain(&r);
    doca_task_set_user_data(base, data); /* allowed: the task has completed */
    src = doca_dma_task_memcpy_get_src(task);
    buf = doca_dma_task_memcpy_get_dst(task);
    CHECK_OK(doca_task_get_status(base));
    CHECK_EQ(logged.lines, 0);
    rig_release(task);
    CHECK_OK(doca_task_get_status(base));
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_get_status, "task completed released");
    CHECK_PTR(doca_task_get_ctx(base), r.ctx);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_get_ctx, "task completed released");
    (void)doca_task_get_user_data(base);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_get_user_data, "task completed released");
    CHECK_PTR(doca_dma_task_memcpy_get_src(task), src);
    CHECK_REPORT(TASK_NOT_OWNED, doca_dma_task_memcpy_get_src, "task completed released");
    CHECK_PTR(doca_dma_task_memcpy_get_dst(task), buf);
    CHECK_REPORT(TASK_NOT_OWNED, doca_dma_task_memcpy_get_dst, "task completed released");
    CHECK_OK(doca_buf_get_data_len(buf, &len));
    CHECK_REPORT(BUF_RETURNED, doca_buf_get_data_len, "buf allocated released");
    CHECK_EQ(len, LEN);
    CHECK_OK(doca_buf_get_data(buf, &place));
    CHECK_REPORT(BUF_RETURNED, doca_buf_get_data, "buf allocated released");
    CHECK_OK(doca_buf_get_next_in_list(buf, &buf));
    CHECK_REPORT(BUF_RETURNED, doca_buf_get_next_in_list, "buf allocated released");
    buf = (struct doca_buf *)(uintptr_t)src;
    /* a program may ask whether a buf was released */
    CHECK_OK(doca_buf_get_refcount(buf, &refcount));
    CHECK_EQ(refcount, 0);
    CHECK_EQ(logged.lines, 0);
    rig_close(&r);
}

/* The stop of a context frees the memory of its tasks. Getters of such a task return NULL or an
 * error, and are reported. */
static void getters_report_tasks_freed_by_ctx_stop(void)
{
    const struct doca_dma_task_memcpy *task;
    struct rig r;

    rig_open(&r, TASKS);
    task = rig_prepare(&r, r.dma, 0, LEN);
    rig_release((struct doca_dma_task_memcpy *)(uintptr_t)task);
    rig_stop(&r, r.ctx);
    record_log();
    CHECK_PTR(doca_dma_task_memcpy_get_src(task), NULL);
    CHECK_REPORT(DEAD_HANDLE, doca_dma_task_memcpy_get_src, "task allocated released");
    CHECK_PTR(doca_dma_task_memcpy_get_dst(task), NULL);
    CHECK_REPORT(DEAD_HANDLE, doca_dma_task_memcpy_get_dst, "task allocated released");
    CHECK_RC(doca_task_get_status((const struct doca_task *)(const void *)task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(DEAD_HANDLE, doca_task_get_status, "task allocated released");
    CHECK_PTR(doca_task_get_ctx((const struct doca_task *)(const void *)task), NULL);
    CHECK_REPORT(DEAD_HANDLE, doca_task_get_ctx, "task allocated released");
    rig_close(&r);
}

/* Submit refuses a task if its source or destination was released, if the inventory of that buf was
 * destroyed as well, or if the pointer is no buf at all. */
static void submit_refuses_released_and_invalid_bufs(void)
{
    struct doca_buf_inventory *inventory;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *gone, *bufs[2];
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    bufs[0] = rig_src(&r, 0, LEN);
    bufs[1] = rig_dst(&r, 0, LEN);
    for (i = 0; i < 2; i++) {
        gone = rig_src(&r, 0, LEN);
        CHECK_OK(doca_buf_dec_refcount(gone, NULL));
        task = rig_task(r.dma, i == 0 ? gone : bufs[0], i == 1 ? gone : bufs[1]);
        record_log();
        CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
        CHECK_REPORT(TASK_RETURNED, doca_task_submit, "buf allocated released");

        CHECK_OK(doca_buf_inventory_create(4, &inventory));
        CHECK_OK(doca_buf_inventory_start(inventory));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, r.src_map, rig_from, LEN, &gone));
        CHECK_OK(doca_buf_dec_refcount(gone, NULL));
        CHECK_OK(doca_buf_inventory_destroy(inventory));
        doca_dma_task_memcpy_set_src(task, i == 0 ? gone : bufs[0]);
        doca_dma_task_memcpy_set_dst(task, i == 1 ? gone : bufs[1]);
        CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
        CHECK_REPORT(TASK_NO_BUFFER, doca_task_submit, "allocated released");
        doca_dma_task_memcpy_set_src(task, i == 0 ? (struct doca_buf *)(void *)r.src_map : bufs[0]);
        doca_dma_task_memcpy_set_dst(task, i == 1 ? (struct doca_buf *)(void *)r.src_map : bufs[1]);
        CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
        doca_dma_task_memcpy_set_src(task, NULL);
        CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
        doca_dma_task_memcpy_set_src(task, bufs[0]);
        doca_dma_task_memcpy_set_dst(task, bufs[1]);
        CHECK_OK(rig_submit(task));
        rig_drain(&r);
        doca_task_free(doca_dma_task_memcpy_as_task(task));
        CHECK_OK(doca_buf_reset_data_len(bufs[1]));
    }
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_buf_dec_refcount(bufs[i], NULL));
    rig_close(&r);
}

static void batch_ended(struct doca_task_batch *batch, uint16_t num_tasks,
                        union doca_data user_data, union doca_data ctx_data)
{
    (void)batch;
    (void)num_tasks;
    (void)user_data;
    (void)ctx_data;
}

static void graph_ended(struct doca_graph_instance *instance, union doca_data user_data,
                        union doca_data graph_data)
{
    (void)instance;
    (void)user_data;
    (void)graph_data;
}

static void hash_ended(struct doca_sha_task_hash *task, union doca_data user_data,
                       union doca_data ctx_data)
{
    (void)task;
    (void)user_data;
    (void)ctx_data;
}

static void partial_hash_ended(struct doca_sha_task_partial_hash *task, union doca_data user_data,
                               union doca_data ctx_data)
{
    (void)task;
    (void)user_data;
    (void)ctx_data;
}

static void advise_ended(struct doca_mmap_advise_task_invalidate_cache *task,
                         union doca_data user_data, union doca_data ctx_data)
{
    (void)task;
    (void)user_data;
    (void)ctx_data;
}

enum { COPY, HASH, PARTIAL_HASH, ADVICE, KINDS };

struct task_ctxs { /* one context for each kind of task */
    struct doca_dma *dma;
    struct doca_sha *sha;
    struct doca_mmap_advise *advise;
};

static void run(const struct rig *r, struct doca_ctx *ctx)
{
    CHECK_OK(doca_pe_connect_ctx(r->pe, ctx));
    CHECK_OK(doca_ctx_start(ctx));
}

static void task_ctxs_open(struct task_ctxs *g, const struct rig *r)
{
    g->dma = r->dma;
    CHECK_OK(doca_sha_create(r->dev, &g->sha));
    CHECK_OK(doca_sha_task_hash_set_conf(g->sha, hash_ended, hash_ended, 0));
    CHECK_OK(
        doca_sha_task_partial_hash_set_conf(g->sha, partial_hash_ended, partial_hash_ended, 0));
    run(r, doca_sha_as_ctx(g->sha));
    CHECK_OK(doca_mmap_advise_create(r->dev, &g->advise));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(g->advise, advise_ended, advise_ended,
                                                             1));
    run(r, doca_mmap_advise_as_ctx(g->advise));
}

static void task_ctxs_close(struct task_ctxs *g, struct rig *r)
{
    rig_stop(r, doca_sha_as_ctx(g->sha));
    CHECK_OK(doca_sha_destroy(g->sha));
    rig_stop(r, doca_mmap_advise_as_ctx(g->advise));
    CHECK_OK(doca_mmap_advise_destroy(g->advise));
}

static struct doca_task *make_task(const struct task_ctxs *g, unsigned kind, struct doca_buf *src,
                                   struct doca_buf *dst)
{
    const enum doca_sha_algorithm algorithm = DOCA_SHA_ALGORITHM_SHA256;
    struct doca_mmap_advise_task_invalidate_cache *advice;
    struct doca_sha_task_partial_hash *partial_hash;
    const union doca_data none = { 0 };
    struct doca_sha_task_hash *hash;

    switch (kind) {
    case COPY:
        return doca_dma_task_memcpy_as_task(rig_task(g->dma, src, dst));
    case HASH:
        CHECK_OK(doca_sha_task_hash_alloc_init(g->sha, algorithm, src, dst, none, &hash));
        return doca_sha_task_hash_as_task(hash);
    case PARTIAL_HASH:
        CHECK_OK(doca_sha_task_partial_hash_alloc_init(g->sha, algorithm, src, dst, none,
                                                       &partial_hash));
        return doca_sha_task_partial_hash_as_task(partial_hash);
    default:
        CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(g->advise, src, none, &advice));
        return doca_mmap_advise_task_invalidate_cache_as_doca_task(advice);
    }
}

static void set_bufs(struct doca_task *task, unsigned kind, struct doca_buf *src,
                     struct doca_buf *dst)
{
    void *it = task; /* struct doca_task is the first member of every type of task */

    switch (kind) {
    case COPY:
        doca_dma_task_memcpy_set_src((struct doca_dma_task_memcpy *)it, src);
        doca_dma_task_memcpy_set_dst((struct doca_dma_task_memcpy *)it, dst);
        return;
    case HASH:
        CHECK_OK(doca_sha_task_hash_set_src((struct doca_sha_task_hash *)it, src));
        CHECK_OK(doca_sha_task_hash_set_dst((struct doca_sha_task_hash *)it, dst));
        return;
    case PARTIAL_HASH:
        CHECK_OK(
            doca_sha_task_partial_hash_set_src((struct doca_sha_task_partial_hash *)it, src));
        CHECK_OK(
            doca_sha_task_partial_hash_set_dst((struct doca_sha_task_partial_hash *)it, dst));
        return;
    default:
        doca_mmap_advise_task_invalidate_cache_set_buf(
            (struct doca_mmap_advise_task_invalidate_cache *)it, src);
    }
}

/* Release a buf, then allocate bufs until a new buf has an equal handle: the same address and the
 * same generation number. */
static void reuse_handle(struct rig *r,
                         struct doca_buf *(*take)(struct rig *r, size_t off, size_t len),
                         struct doca_buf *buf)
{
    struct doca_buf *other = buf;

    do {
        CHECK_OK(doca_buf_dec_refcount(other, NULL));
        other = take(r, 0, LEN);
    } while (other != buf);
}

/* The task refers to a released buf. A later buf with an equal handle is not taken for it. */
static void submit_refuses_a_later_buf_with_an_equal_handle(void)
{
    struct doca_buf *src, *dst;
    struct doca_task *task;
    struct task_ctxs g;
    struct rig r;
    unsigned kind, is_dst, i;

    rig_open(&r, TASKS);
    task_ctxs_open(&g, &r);
    for (kind = 0; kind < KINDS; kind++)
        for (is_dst = 0; is_dst < (kind == ADVICE ? 1 : 2); is_dst++) {
            src = rig_src(&r, 0, LEN);
            dst = rig_dst(&r, 0, LEN);
            task = make_task(&g, kind, src, dst);
            for (i = 0; i < 2; i++) { /* bufs set at allocation, then by setters */
                reuse_handle(&r, is_dst ? rig_dst : rig_src, is_dst ? dst : src);
                record_log();
                CHECK_RC(doca_task_submit(task), DOCA_ERROR_INVALID_VALUE);
                CHECK_REPORT(TASK_RETURNED, doca_task_submit, "buf allocated released allocated");
                set_bufs(task, kind, src, dst);
            }
            CHECK_OK(doca_task_submit(task));
            rig_drain(&r);
            CHECK_EQ(doca_task_get_status(task), DOCA_SUCCESS);
            doca_task_free(task);
            CHECK_OK(doca_buf_dec_refcount(src, NULL));
            CHECK_OK(doca_buf_dec_refcount(dst, NULL));
        }
    task_ctxs_close(&g, &r);
    rig_close(&r);
}

/* The node's task was freed. A later task at the same address is not taken for it. */
static void graph_refuses_a_later_task_at_the_same_address(void)
{
    struct doca_dma_task_memcpy *old, *now;
    struct doca_graph_instance *instance;
    struct doca_graph_node *node;
    struct doca_graph *graph;
    struct rig r;

    rig_open(&r, 1);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &node));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    old = rig_prepare(&r, r.dma, 0, LEN);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, node,
                                                   doca_dma_task_memcpy_as_task(old)));
    rig_release(old);
    for (now = rig_prepare(&r, r.dma, 0, LEN); OBJECT(now) != OBJECT(old);
         now = rig_prepare(&r, r.dma, 0, LEN))
        rig_release(now);
    record_log();
    CHECK_RC(doca_graph_instance_submit(instance), DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(GRAPH_TASK_GONE, doca_graph_instance_submit, "task allocated released allocated");
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, node,
                                                   doca_dma_task_memcpy_as_task(now)));
    CHECK_OK(doca_graph_instance_submit(instance));
    rig_drain(&r);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(now);
    rig_close(&r);
}

static void batches_and_graphs_report_released_bufs(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_graph_instance *instance;
    struct doca_task_batch *batch;
    struct doca_graph_node *node;
    struct doca_graph *graph;
    struct doca_buf *gone, *src, *dst;
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                               batch_ended, batch_ended));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    gone = rig_src(&r, 0, LEN);
    dst = rig_dst(&r, 0, LEN);
    CHECK_OK(doca_buf_dec_refcount(gone, NULL));
    task = rig_task(r.dma, gone, dst);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &node));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, node,
                                                   doca_dma_task_memcpy_as_task(task)));
    record_log();
    CHECK_RC(doca_graph_instance_submit(instance), DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(TASK_RETURNED, doca_graph_instance_submit, "buf allocated released");
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, (union doca_data){ 0 }, &batch));
    CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(task)));
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(TASK_RETURNED, doca_task_batch_submit, "buf allocated released");
    src = rig_src(&r, 0, LEN);
    doca_dma_task_memcpy_set_src(task, src);
    CHECK_OK(doca_task_batch_submit(batch));
    doca_task_batch_set_user_data(batch, (union doca_data){ 0 });
    CHECK_REPORT(BATCH_NOT_OWNED, doca_task_batch_set_user_data, "batch allocated submitted");
    (void)doca_task_batch_get_status(batch);
    CHECK_REPORT(BATCH_NOT_OWNED, doca_task_batch_get_status, "batch allocated submitted");
    rig_drain(&r);
    doca_task_batch_set_user_data(batch, (union doca_data){ 0 });
    CHECK_OK(doca_task_batch_get_status(batch));
    CHECK_EQ(logged.lines, 0);
    doca_task_batch_free(batch);
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(BATCH_NOT_OWNED, doca_task_batch_submit, "batch allocated released");
    (void)doca_task_batch_get_status(batch);
    CHECK_REPORT(BATCH_NOT_OWNED, doca_task_batch_get_status, "batch allocated released");
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    rig_close(&r);
}

static void destroy_of_a_parent_reports_its_history(void)
{
    struct doca_dma_task_memcpy *task;
    uint64_t before;
    struct rig r;

    rig_open(&r, TASKS);
    task = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, 0, LEN));
    before = doca_core_check_num_reports();
    record_log();
    CHECK_RC(doca_buf_inventory_destroy(r.inventory), DOCA_ERROR_IN_USE);
    CHECK_REPORT(STOCK_OUTSTANDING, doca_buf_inventory_destroy, "inventory created");
    CHECK_RC(doca_mmap_destroy(r.src_map), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(MMAP_HAS_BUFS, doca_mmap_destroy, "mmap created");
    CHECK_RC(doca_pe_destroy(r.pe), DOCA_ERROR_IN_USE);
    CHECK_REPORT(PE_CONNECTED, doca_pe_destroy, "pe created");
    CHECK_RC(doca_dev_close(r.dev), DOCA_ERROR_IN_USE);
    CHECK_REPORT(DEV_BUSY, doca_dev_close, "dev created");
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CTX_BUSY, doca_dma_destroy, "dma created running");
    CHECK_EQ(doca_core_check_num_reports(), before + 5);
    rig_release(task);
    rig_close(&r);
}

/* While no buffers or tasks depend on a parent, the parent can be destroyed before its children;
 * the checked mode only reports it. */
static void destroy_of_a_parent_of_idle_objects_is_reported(void)
{
    struct doca_graph_node *nodes[2];
    struct doca_graph *graphs[2];
    struct doca_buf_pool *pools[2];
    struct doca_buf_arr *arr;
    struct doca_mmap *mmap, *other;
    struct doca_dma *dma;
    struct rig r;

    rig_open(&r, TASKS);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, rig_from, RIG_BYTES));
    CHECK_OK(doca_mmap_create(&other));
    CHECK_OK(doca_mmap_set_memrange(other, rig_from, RIG_BYTES));
    CHECK_OK(doca_buf_pool_create(4, LEN, mmap, &pools[0]));
    CHECK_OK(doca_buf_pool_create(4, LEN, other, &pools[1]));
    CHECK_OK(doca_core_v3_buf_arr_create(4, &arr));
    CHECK_OK(doca_core_v3_buf_arr_set_params(arr, mmap, 64, 0));
    CHECK_OK(doca_buf_pool_destroy(pools[0]));
    record_log();
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_REPORT(CHECK_CHILDREN, doca_mmap_destroy, "mmap created");
    /* now the array is a child of `other` */
    CHECK_OK(doca_core_v3_buf_arr_set_params(arr, other, 64, 0));
    CHECK_OK(doca_buf_pool_destroy(pools[1]));
    CHECK_OK(doca_mmap_destroy(other));
    CHECK_REPORT(CHECK_CHILDREN, doca_mmap_destroy, "mmap created");
    CHECK_OK(doca_buf_arr_destroy(arr));

    dma = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_graph_create(r.pe, &graphs[0]));
    CHECK_OK(doca_graph_node_create_from_ctx(graphs[0], doca_dma_as_ctx(dma), &nodes[0]));
    CHECK_OK(doca_graph_create(r.pe, &graphs[1]));
    CHECK_OK(doca_graph_node_create_from_ctx(graphs[1], r.ctx, &nodes[1]));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_REPORT(CHECK_CHILDREN, doca_dma_destroy, "dma created");
    CHECK_OK(doca_graph_destroy(graphs[0]));
    CHECK_OK(doca_graph_destroy(graphs[1]));
    CHECK_EQ(logged.lines, 0);
    rig_close(&r); /* no object has children left */
    CHECK_EQ(logged.lines, 0);
}

static void use_of_a_released_buf_reports_its_history(void)
{
    struct doca_buf *buf;
    struct rig r;

    rig_open(&r, TASKS);
    buf = rig_src(&r, 0, LEN);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    record_log();
    CHECK_RC(doca_buf_set_data(buf, rig_from, 1), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(BUF_RETURNED, doca_buf_set_data, "buf allocated released");
    CHECK_RC(doca_buf_reset_data_len(buf), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(BUF_RETURNED, doca_buf_reset_data_len, "buf allocated released");
    CHECK_RC(doca_buf_dec_refcount(buf, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(BUF_RETURNED, doca_buf_dec_refcount, "buf allocated released");
    rig_close(&r);
}

static void use_of_a_destroyed_object_reports_its_history(void)
{
    struct doca_mmap *mmap;
    struct doca_dma *dma;
    struct rig r;

    rig_open(&r, TASKS);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    dma = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    rig_drain(&r);
    rig_stop(&r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    record_log();
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(DEAD_HANDLE, doca_mmap_start, "created destroyed");
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(DEAD_HANDLE, doca_ctx_start, "dma created running idle destroyed");
    rig_close(&r);
}

/* DOCA_CORE_CHECK_LIVES other objects are destroyed before a new object gets the memory of a
 * destroyed object. */
static void released_memory_is_not_reused_at_once(void)
{
    struct doca_mmap *mmap, *other;
    unsigned i;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    for (i = 0; i < DOCA_CORE_CHECK_LIVES; i++) {
        CHECK_OK(doca_mmap_create(&other));
        CHECK(OBJECT(other) != OBJECT(mmap));
        CHECK_OK(doca_mmap_destroy(other));
    }
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_arena_audit(doca_core_arena_bound()));
    CHECK_OK(doca_mmap_create(&other));
    CHECK_PTR(OBJECT(other), OBJECT(mmap));
    CHECK_OK(doca_mmap_destroy(other));
}

/* ---- generations ---- */

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                          enum doca_ctx_states previous, enum doca_ctx_states next)
{
    (void)user_data;
    (void)previous;
    (void)next;
    CHECK(IS_HANDLE(ctx));
}

/* Every call that returns a handle of a task, buf, mmap or context is checked here, except that the
 * fixture checks the tasks that callbacks receive. */
static void every_handle_has_a_generation(void)
{
    struct doca_buf *src, *dst, *copy, *other;
    struct doca_sync_event *event;
    struct doca_task_batch *batch;
    struct doca_buf_pool *pool;
    struct doca_task *task;
    struct doca_mmap *mmap;
    struct task_ctxs g;
    struct rig r;
    unsigned kind;

    rig_open(&r, TASKS);
    CHECK(IS_HANDLE(r.dma) && IS_HANDLE(r.ctx) && IS_HANDLE(r.src_map));
    task_ctxs_open(&g, &r);
    CHECK(IS_HANDLE(g.sha) && IS_HANDLE(doca_sha_as_ctx(g.sha)));
    CHECK(IS_HANDLE(g.advise) && IS_HANDLE(doca_mmap_advise_as_ctx(g.advise)));
    CHECK_OK(doca_sync_event_create(&event));
    CHECK(IS_HANDLE(event) && IS_HANDLE(doca_sync_event_as_ctx(event)));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_core_mmap_create_in(doca_core_arena_bound(), &mmap));
    CHECK(IS_HANDLE(mmap));
    CHECK_OK(doca_mmap_destroy(mmap));

    src = rig_src(&r, 0, LEN);
    dst = rig_dst(&r, 0, LEN);
    CHECK(IS_HANDLE(src) && IS_HANDLE(dst));
    CHECK_OK(doca_buf_inventory_buf_get_by_args(r.inventory, r.src_map, rig_from, LEN, rig_from, 1,
                                                &other));
    CHECK(IS_HANDLE(other));
    CHECK_OK(doca_buf_chain_list(other, rig_src(&r, 0, LEN)));
    CHECK_OK(doca_buf_inventory_buf_dup(r.inventory, other, &copy));
    CHECK(IS_HANDLE(copy));
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    CHECK_OK(doca_buf_get_next_in_list(copy, &other));
    CHECK(IS_HANDLE(other));
    CHECK_OK(doca_buf_get_last_in_list(copy, &other));
    CHECK(IS_HANDLE(other));
    CHECK_OK(doca_buf_dec_refcount(copy, NULL));
    CHECK_OK(doca_buf_pool_create(1, LEN, r.src_map, &pool));
    CHECK_OK(doca_buf_pool_start(pool));
    CHECK_OK(doca_buf_pool_buf_alloc(pool, &other));
    CHECK(IS_HANDLE(other));
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    CHECK_OK(doca_buf_pool_destroy(pool));

    for (kind = 0; kind < KINDS; kind++) {
        task = make_task(&g, kind, src, dst);
        CHECK(IS_HANDLE(task) && IS_HANDLE(doca_task_get_ctx(task)));
        doca_task_free(task);
    }
    task = doca_dma_task_memcpy_as_task(rig_task(r.dma, src, dst));
    CHECK_PTR(doca_dma_task_memcpy_get_src((void *)task), src);
    CHECK_PTR(doca_dma_task_memcpy_get_dst((void *)task), dst);
    doca_task_free(task);
    task_ctxs_close(&g, &r);
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));

    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                               batch_ended, batch_ended));
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, state_changed));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, (union doca_data){ 0 }, &batch));
    task = doca_dma_task_memcpy_as_task(rig_task(r.dma, NULL, NULL));
    CHECK_OK(doca_core_task_batch_add(batch, task));
    CHECK_PTR(doca_core_task_batch_get_task(batch, 0), task);
    CHECK_PTR(doca_task_batch_get_ctx(batch), r.ctx);
    doca_task_batch_free(batch);
    rig_close(&r);
}

enum { LATER = 40 }; /* number of later objects at the address of the stale handle */

/* A stale handle goes unnoticed only if the later object has the same one of 48 generation
 * numbers. */
static void check_most_reported(unsigned num_reported)
{
    if (num_reported < LATER - LATER / 8)
        test_fail(__FILE__, __LINE__, "only %u of %u uses of a stale handle were reported",
                  num_reported, LATER);
}

#define CHECK_DEAD(call, words)                                                                    \
    do {                                                                                           \
        CHECK_RC((call), DOCA_ERROR_INVALID_VALUE);                                                \
        check_report(__LINE__, DOCA_CORE_ITEM_DEAD_HANDLE, "doca_", words);                        \
    } while (0)

static void use_stale_buf(struct doca_buf *old, struct doca_buf *other)
{
    unsigned char *at = (unsigned char *)(void *)old, was = *at;
    struct doca_buf *none = NULL;
    void *data;

    /* The low bits of `old` are a generation number, so `old` points behind the start of the buf.
     * The byte there may look like the kind of a buf. */
    *at = DOCA_PRIV_BUF_KIND;
    CHECK_DEAD(doca_buf_get_data(old, &data), "buf allocated");
    CHECK_DEAD(doca_buf_set_data(old, rig_from, 1), "buf allocated");
    CHECK_DEAD(doca_buf_reset_data_len(old), "buf allocated");
    CHECK_DEAD(doca_buf_inc_refcount(old, NULL), "buf allocated");
    CHECK_DEAD(doca_buf_dec_refcount(old, NULL), "buf allocated");
    CHECK_DEAD(doca_buf_get_next_in_list(old, &none), "buf allocated");
    CHECK_DEAD(doca_buf_get_last_in_list(old, &none), "buf allocated");
    CHECK_DEAD(doca_buf_chain_list(old, other), "buf allocated");
    CHECK_DEAD(doca_buf_chain_list(other, old), "buf allocated");
    CHECK_DEAD(doca_buf_chain_list_tail(other, old, other), "buf allocated");
    CHECK_DEAD(doca_buf_unchain_list(other, old), "buf allocated");
    CHECK_PTR(none, NULL);
    *at = was;
}

static void stale_buf_is_reported(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *old, *now, *other;
    unsigned num = 0, num_reported = 0;
    uint16_t refcount;
    struct rig r;

    rig_open(&r, TASKS);
    other = rig_src(&r, LEN, LEN);
    task = rig_task(r.dma, other, NULL);
    old = rig_src(&r, 0, LEN);
    CHECK_OK(doca_buf_dec_refcount(old, NULL));
    record_log();
    while (num < LATER) {
        now = rig_src(&r, 0, LEN);
        num += OBJECT(now) == OBJECT(old);
        if (OBJECT(now) == OBJECT(old) && now != old) {
            num_reported++;
            use_stale_buf(old, other);
            doca_dma_task_memcpy_set_dst(task, old);
            CHECK_PTR(doca_dma_task_memcpy_get_dst(task), old);
            CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
            CHECK_REPORT(TASK_NO_BUFFER, doca_task_submit, "buf allocated");
            doca_dma_task_memcpy_set_dst(task, NULL);
            CHECK_OK(doca_buf_get_refcount(now, &refcount));
            CHECK_EQ(refcount, 1);
        }
        CHECK_OK(doca_buf_dec_refcount(now, NULL));
    }
    check_most_reported(num_reported);
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    doca_dma_task_memcpy_set_src(task, NULL);
    rig_release(task);
    rig_close(&r);
}

static void stale_task_is_reported(void)
{
    struct doca_dma_task_memcpy *old, *now;
    unsigned num = 0, num_reported = 0;
    struct doca_task *base;
    struct rig r;

    rig_open(&r, TASKS);
    old = rig_prepare(&r, r.dma, 0, LEN);
    base = doca_dma_task_memcpy_as_task(old);
    rig_release(old);
    record_log();
    while (num < LATER) {
        now = rig_prepare(&r, r.dma, 0, LEN);
        num += OBJECT(now) == OBJECT(old);
        if (OBJECT(now) == OBJECT(old) && now != old) {
            num_reported++;
            CHECK_DEAD(doca_task_submit(base), "task allocated");
            CHECK_DEAD(doca_task_try_submit(base), "task allocated");
            CHECK_DEAD(doca_task_get_status(base), "task allocated");
            doca_task_free(base);
            CHECK_REPORT(DEAD_HANDLE, doca_task_free, "task allocated");
            doca_dma_task_memcpy_set_src(old, NULL);
            CHECK_REPORT(DEAD_HANDLE, doca_dma_task_memcpy_set_src, "task allocated");
            CHECK(doca_dma_task_memcpy_get_src(now) != NULL);
            CHECK_PTR(doca_task_get_ctx(base), NULL);
            CHECK_REPORT(DEAD_HANDLE, doca_task_get_ctx, "task allocated");
        }
        CHECK_OK(rig_submit(now));
        rig_drain(&r);
        rig_release(now);
    }
    check_most_reported(num_reported);
    rig_close(&r);
}

static void stale_mmap_is_reported(void)
{
    struct doca_buf_inventory *inventory;
    unsigned num = 0, num_reported = 0;
    struct doca_mmap *old, *now;
    struct doca_buf *buf;
    uint32_t num_bufs;

    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_mmap_create(&old));
    CHECK_OK(doca_mmap_destroy(old));
    record_log();
    while (num < LATER) {
        CHECK_OK(doca_mmap_create(&now));
        CHECK_OK(doca_mmap_set_memrange(now, rig_from, RIG_BYTES));
        num += OBJECT(now) == OBJECT(old);
        if (OBJECT(now) == OBJECT(old) && now != old) {
            num_reported++;
            CHECK_DEAD(doca_mmap_start(old), "mmap created");
            CHECK_OK(doca_mmap_start(now));
            CHECK_DEAD(doca_mmap_stop(old), "mmap created");
            CHECK_DEAD(doca_mmap_get_num_bufs(old, &num_bufs), "mmap created");
            CHECK_DEAD(doca_buf_inventory_buf_get_by_addr(inventory, old, rig_from, 1, &buf),
                       "mmap created");
            CHECK_DEAD(doca_mmap_destroy(old), "mmap created");
        }
        CHECK_OK(doca_mmap_destroy(now));
    }
    check_most_reported(num_reported);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void stale_context_is_reported(void)
{
    struct doca_dma_task_memcpy *task = NULL;
    unsigned num = 0, num_reported = 0;
    struct doca_dma *old, *now;
    enum doca_ctx_states state;
    struct rig r;

    rig_open(&r, TASKS);
    old = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_dma_destroy(old));
    record_log();
    while (num < LATER) {
        now = rig_make_dma(&r, TASKS);
        num += OBJECT(now) == OBJECT(old);
        if (OBJECT(now) == OBJECT(old) && now != old) {
            num_reported++;
            CHECK_DEAD(doca_ctx_start(doca_dma_as_ctx(old)), "dma created");
            CHECK_OK(doca_ctx_start(doca_dma_as_ctx(now)));
            CHECK_DEAD(doca_ctx_get_state(doca_dma_as_ctx(old), &state), "dma created");
            CHECK_DEAD(doca_dma_task_memcpy_alloc_init(old, NULL, NULL, (union doca_data){ 0 },
                                                       &task),
                       "dma created running");
            CHECK_DEAD(doca_ctx_stop(doca_dma_as_ctx(old)), "dma created running");
            CHECK_DEAD(doca_dma_destroy(old), "dma created running");
            rig_stop(&r, doca_dma_as_ctx(now));
        }
        CHECK_OK(doca_dma_destroy(now));
    }
    check_most_reported(num_reported);
    rig_close(&r);
}

enum { LINES = 8 };

static DOCA_CORE_ALIGNED unsigned char region[LINES * DOCA_CORE_LINE];
static struct doca_core_arena arena;

/* Quarantined blocks count as free, and are reused when no other block is large enough. */
static void quarantined_memory_is_reused_if_no_other_is_free(void)
{
    size_t used, largest;
    void *blocks[4];
    unsigned i;

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_core_arena_take(&arena, 1, &blocks[i]));
    CHECK_OK(doca_core_arena_give(&arena, blocks[1]));
    CHECK_OK(doca_core_arena_give(&arena, blocks[2]));
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_RC(doca_core_arena_give(&arena, blocks[1]), DOCA_ERROR_BAD_STATE);
    /* gets the memory of both quarantined blocks, which are adjacent */
    CHECK_OK(doca_core_arena_take(&arena, 3 * DOCA_CORE_LINE, &blocks[1]));
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_OK(doca_core_arena_give(&arena, blocks[1]));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, &largest));
    CHECK_EQ(used, 4 * DOCA_CORE_LINE);
    CHECK_EQ(largest, 3 * DOCA_CORE_LINE);
    CHECK_OK(doca_core_arena_audit(&arena));
}

static void write_to_released_memory_is_reported(void)
{
    unsigned char *block;
    char where[32];
    struct doca_mmap *mmap;
    void *other, *blocks[3];
    uint64_t before;
    unsigned i;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    ((unsigned char *)(void *)mmap)[9]++;
    record_log();
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), NULL, NULL, (size_t[1]){ 0 }));
    CHECK_REPORT(CHECK_WRITTEN, doca_core_arena_query, "mmap created destroyed");
    before = doca_core_check_num_reports();

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    CHECK_OK(doca_core_arena_take(&arena, 5 * DOCA_CORE_LINE, (void **)(void *)&block));
    CHECK_OK(doca_core_arena_give(&arena, block));
    block[5 * DOCA_CORE_LINE - 1] = 0;
    CHECK_OK(doca_core_arena_take(&arena, 5 * DOCA_CORE_LINE, &other)); /* reported, and succeeds */
    CHECK_EQ(logged.lines, 1);
    CHECK_EQ(logged.item, DOCA_CORE_ITEM_CHECK_WRITTEN);
    snprintf(where, sizeof(where), "overwritten at %p", (void *)(block + 5 * DOCA_CORE_LINE - 1));
    CHECK(strstr(logged.line, where) != NULL);
    CHECK_EQ(doca_core_check_num_reports(), before + 1);

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_core_arena_take(&arena, 1, &blocks[i]));
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_core_arena_give(&arena, blocks[i]));
        *(unsigned char *)blocks[i] = 0;
    }
    CHECK_RC(doca_core_arena_take(&arena, 0, &other), DOCA_ERROR_INVALID_VALUE);
    logged.lines = 0;
    /* gets the memory of all blocks, which leave the quarantine */
    CHECK_OK(doca_core_arena_take(&arena, 7 * DOCA_CORE_LINE, &other));
    CHECK_EQ(logged.lines, 3);
    CHECK_EQ(logged.item, DOCA_CORE_ITEM_CHECK_WRITTEN);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_ZERO); /* the reports did not make a call fail */

    CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
    CHECK_OK(doca_core_arena_take(&arena, 5 * DOCA_CORE_LINE, &other));
    CHECK_OK(doca_core_arena_give(&arena, other));
    /* this also overwrites the header of the block, so the block is lost */
    memset(region, 0x5a, 6 * DOCA_CORE_LINE);
    CHECK_RC(doca_core_arena_take(&arena, 3 * DOCA_CORE_LINE, &other), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_core_arena_audit(&arena), DOCA_ERROR_UNEXPECTED);
}

static void audit_names_the_object_below_the_damage(void)
{
    static DOCA_CORE_ALIGNED unsigned char memory[32 * DOCA_CORE_LINE];
    struct doca_mmap *mmaps[2];
    unsigned char *header, saved;
    void *below, *block;
    size_t used, left;
    char where[64];
    unsigned i;

    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    CHECK_OK(doca_core_arena_bind(&arena));
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_mmap_create(&mmaps[i]));
    CHECK_OK(doca_core_arena_take(&arena, 1, &below));
    CHECK_OK(doca_core_arena_take(&arena, 1, &block)); /* its neighbours are intact */
    header = (unsigned char *)(void *)OBJECT(mmaps[1]) - DOCA_CORE_LINE;
    saved = header[0];
    header[0]++;
    record_log();
    CHECK_RC(doca_core_arena_audit(&arena), DOCA_ERROR_UNEXPECTED);
    snprintf(where, sizeof(where), "overwritten at %p", (void *)header);
    CHECK(strstr(logged.line, where) != NULL);
    snprintf(where, sizeof(where), "history of mmap %p", (void *)OBJECT(mmaps[0]));
    CHECK(strstr(logged.line, where) != NULL);
    CHECK_REPORT(ARENA_BROKEN, doca_core_arena_audit, "mmap created");
    CHECK_RC(doca_mmap_destroy(mmaps[1]), DOCA_ERROR_UNEXPECTED);
    CHECK(strstr(logged.line, where) != NULL);
    CHECK_REPORT(ARENA_BROKEN, doca_core_arena_give, "mmap created");
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_OK(doca_core_arena_give(&arena, block)); /* this block is intact */
    CHECK_REPORT(ARENA_BROKEN, doca_core_arena_give, "mmap created");
    CHECK_OK(doca_core_arena_query(&arena, &left, NULL, NULL));
    CHECK_EQ(left, used - 2 * DOCA_CORE_LINE);
    header[0] = saved;
    CHECK_OK(doca_core_arena_give(&arena, header + DOCA_CORE_LINE));
    CHECK_OK(doca_mmap_destroy(mmaps[0]));
    CHECK_OK(doca_core_arena_give(&arena, below));
    CHECK_EQ(logged.lines, 0);
    CHECK_OK(doca_core_arena_bind(NULL));
}

static void program_can_read_the_history_of_an_object(void)
{
    struct doca_buf *buf;
    char text[256];
    struct rig r;
    int local;

    rig_open(&r, TASKS);
    buf = rig_src(&r, 0, LEN);
    CHECK_OK(doca_core_check_life(buf, text, sizeof(text)));
    CHECK(strncmp(text, "history of buf 0x", 17) == 0 && strstr(text, "allocated") != NULL);
    CHECK_OK(doca_core_check_life(buf, text, 96));
    CHECK_EQ(strlen(text) < 96, 1);
    CHECK_RC(doca_core_check_life(buf, text, 95), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_check_life(NULL, text, 96), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_check_life(buf, NULL, 96), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_check_life(&local, text, 96), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    rig_close(&r);
}

/* The number of history entries is limited, and the oldest entries are overwritten. An object of an
 * earlier case may have had the address of the buffer, and its entries may be left: buffers and
 * tasks do not overwrite the entries of other objects. */
static void oldest_history_is_forgotten(void)
{
    struct doca_buf *buf, *other;
    char text[256];
    doca_error_t rc;
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    buf = rig_src(&r, 0, LEN);
    for (i = 0; i < DOCA_CORE_CHECK_NOTES / 2; i++) {
        other = rig_src(&r, 0, LEN);
        CHECK_OK(doca_buf_dec_refcount(other, NULL));
    }
    rc = doca_core_check_life(buf, text, sizeof(text));
    CHECK(rc == DOCA_ERROR_NOT_FOUND || strstr(text, "allocated") == NULL);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_core_check_life(buf, text, sizeof(text)));
    rig_close(&r);
}

/* Allocations of any number of buffers and tasks do not overwrite the history of other objects. */
static void history_of_long_lived_objects_is_kept(void)
{
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    for (i = 0; i < DOCA_CORE_CHECK_NOTES / 2; i++)
        CHECK_OK(doca_buf_dec_refcount(rig_src(&r, 0, LEN), NULL));
    record_log();
    CHECK_RC(doca_pe_destroy(r.pe), DOCA_ERROR_IN_USE);
    CHECK_REPORT(PE_CONNECTED, doca_pe_destroy, "pe created");
    CHECK_RC(doca_dev_close(r.dev), DOCA_ERROR_IN_USE);
    CHECK_REPORT(DEV_BUSY, doca_dev_close, "dev created");
    rig_close(&r);
}

/* ---- tasks in flight ---- */

static void bufs_of_a_task_in_flight_cannot_be_changed(void)
{
    struct doca_buf *src, *dst, *other, *copy;
    struct doca_dma_task_memcpy *task;
    unsigned side;
    struct rig r;
    size_t len;
    void *at;

    rig_open(&r, TASKS);
    src = rig_src(&r, 0, LEN);
    dst = rig_dst(&r, 0, LEN);
    other = rig_src(&r, 0, LEN);
    CHECK_OK(doca_buf_chain_list(src, other));
    CHECK_OK(doca_buf_set_data_len(other, 0));
    other = rig_src(&r, 0, LEN);
    task = rig_task(r.dma, src, dst);
    CHECK_OK(rig_submit(task));
    record_log();
    for (side = 0; side < 2; side++) {
        struct doca_buf *buf = side == 0 ? src : dst;

        CHECK_RC(doca_buf_set_data(buf, side == 0 ? rig_from : rig_to, 1), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_set_data, "buf allocated");
        CHECK_RC(doca_buf_set_data_len(buf, 1), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_set_data_len, "buf allocated");
        CHECK_RC(doca_buf_reset_data_len(buf), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_reset_data_len, "buf allocated");
        CHECK_RC(doca_buf_dec_refcount(buf, NULL), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_dec_refcount, "buf allocated");
        CHECK_RC(doca_buf_chain_list(buf, other), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_chain_list, "buf allocated");
        CHECK_RC(doca_buf_chain_list(other, buf), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_chain_list, "buf allocated");
        CHECK_OK(doca_buf_inc_refcount(buf, NULL)); /* allowed: another reference is left */
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        CHECK_OK(doca_buf_get_data(buf, &at)); /* reported, and succeeds */
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_get_data, "buf allocated");
        CHECK_OK(doca_buf_get_data_len(buf, &len));
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_get_data_len, "buf allocated");
        CHECK_EQ(len, side == 0 ? LEN : 0);
        CHECK_OK(doca_buf_inventory_buf_dup(r.inventory, buf, &copy));
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_inventory_buf_dup, "buf allocated");
        CHECK_OK(doca_buf_dec_refcount(copy, NULL));
        CHECK_OK(doca_buf_get_head(buf, &at)); /* a task does not change the head, so no report */
        CHECK_OK(doca_buf_get_len(buf, &len));
    }
    CHECK_OK(doca_buf_get_next_in_list(src, &dst));
    CHECK_RC(doca_buf_unchain_list(src, dst), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_unchain_list, "buf allocated");
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_OK(doca_buf_get_data_len(src, &len));
    CHECK_EQ(logged.lines, 0);
    CHECK_OK(doca_buf_unchain_list(src, dst)); /* the task has ended */
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    rig_release(task);
    rig_close(&r);
}

/* Elements far behind the head of a task's list are protected too. Bufs that are not in the list
 * are not protected. */
static void long_lists_of_a_task_in_flight_cannot_be_changed(void)
{
    enum { LONG = 100, USED = 80, OTHERS = 40 };
    struct doca_buf *elements[LONG], *others[OTHERS], *src;
    struct doca_dma_task_memcpy *task;
    unsigned i, round;
    struct rig r;

    rig_open(&r, TASKS);
    for (i = 0; i < OTHERS; i++)
        others[i] = rig_dst(&r, 0, LEN);
    for (i = 0; i < LONG; i++) {
        elements[i] = rig_dst(&r, i * LEN, LEN);
        if (i > 0)
            CHECK_OK(doca_buf_chain_list(elements[0], elements[i]));
    }
    src = rig_src(&r, 0, LEN);
    task = rig_task(r.dma, src, elements[USED]);
    CHECK_OK(rig_submit(task));
    record_log();
    CHECK_RC(doca_buf_dec_refcount(elements[0], NULL), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_dec_refcount, "buf allocated");
    CHECK_RC(doca_buf_chain_list(elements[0], others[0]), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_chain_list, "buf allocated");
    CHECK_RC(doca_buf_chain_list(others[0], elements[0]), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_chain_list, "buf allocated");
    CHECK_RC(doca_buf_unchain_list(elements[0], elements[USED + 1]), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_unchain_list, "buf allocated");
    for (i = 0; i < OTHERS; i++)
        CHECK_OK(doca_buf_dec_refcount(others[i], NULL));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_OK(doca_buf_dec_refcount(elements[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    for (round = 0; round < 16; round++) { /* 16 rounds use every buf of the inventory */
        for (i = 0; i < LONG; i++)
            elements[i] = rig_dst(&r, 0, LEN);
        for (i = 0; i < LONG; i++)
            CHECK_OK(doca_buf_dec_refcount(elements[i], NULL));
    }
    CHECK_EQ(logged.lines, 0);
    rig_close(&r);
}

static void overlapping_destinations_are_reported(void)
{
    struct doca_dma_task_memcpy *tasks[3];
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    tasks[0] = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, 0, 2 * LEN));
    /* overlaps only the part of the first destination that the first task does not write */
    tasks[1] = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, LEN, LEN));
    tasks[2] = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, LEN - 1, LEN));
    record_log();
    CHECK_OK(rig_submit(tasks[0]));
    CHECK_OK(rig_submit(tasks[1]));
    CHECK_EQ(logged.lines, 0);
    CHECK_OK(rig_submit(tasks[2]));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 3);
    for (i = 0; i < 3; i++)
        rig_release(tasks[i]);
    tasks[0] = rig_copy(&r, r.dma, 0, LEN); /* no overlap: the earlier tasks have completed */
    rig_drain(&r);
    rig_release(tasks[0]);
    CHECK_EQ(logged.lines, 0);
    rig_close(&r);
}

/* Each call that can submit a task reports an overlap under its own name. */
static void overlap_is_reported_by_the_submitting_call(void)
{
    struct doca_dma_task_memcpy *first, *tasks[4];
    struct doca_graph_instance *instance;
    struct doca_graph_node *nodes[2];
    struct doca_task_batch *batch;
    struct doca_graph *graph;
    struct doca_buf *of_batch[2];
    struct rig r;
    unsigned i;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                               batch_ended, batch_ended));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &nodes[0]));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, (union doca_data){ 0 }, &batch));
    first = rig_prepare(&r, r.dma, 0, LEN);
    for (i = 0; i < 4; i++)
        tasks[i] = rig_prepare(&r, r.dma, LEN / 2, LEN);
    CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(tasks[2])));
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, nodes[0],
                                                   doca_dma_task_memcpy_as_task(tasks[3])));
    record_log();
    CHECK_OK(rig_submit(first));
    CHECK_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(tasks[0])));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_try_submit, "buf allocated");
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(tasks[1]), 0));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit_ex, "buf allocated");
    CHECK_OK(doca_task_batch_submit(batch));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_batch_submit, "buf allocated");
    CHECK_OK(doca_graph_instance_submit(instance));
    CHECK_REPORT(CHECK_OVERLAP, doca_graph_instance_submit, "buf allocated");
    rig_drain(&r);
    rig_release(first);
    of_batch[0] = (struct doca_buf *)(uintptr_t)doca_dma_task_memcpy_get_src(tasks[2]);
    of_batch[1] = doca_dma_task_memcpy_get_dst(tasks[2]);
    doca_task_batch_free(batch);
    CHECK_OK(doca_buf_dec_refcount(of_batch[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(of_batch[1], NULL));
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(tasks[0]);
    rig_release(tasks[1]);
    rig_release(tasks[3]);
    rig_close(&r);
}

static doca_error_t submit_from_node(void *cookie)
{
    return rig_submit((struct doca_dma_task_memcpy *)cookie);
}

/* doca_pe_progress() submits the second task for the graph, so the overlap is reported under this
 * name, although the user node has called doca_task_submit() before. */
static void overlap_of_a_graph_task_is_reported_by_progress(void)
{
    struct doca_dma_task_memcpy *first, *second;
    struct doca_graph_instance *instance;
    struct doca_graph_node *nodes[2];
    struct doca_graph *graph;
    struct rig r;

    rig_open(&r, TASKS);
    first = rig_prepare(&r, r.dma, 0, LEN);
    second = rig_prepare(&r, r.dma, LEN / 2, LEN);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_user(graph, submit_from_node, &nodes[0]));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &nodes[1]));
    CHECK_OK(doca_graph_add_dependency(graph, nodes[0], nodes[1]));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_OK(doca_graph_instance_set_user_node_data(instance, nodes[0], first));
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, nodes[1],
                                                   doca_dma_task_memcpy_as_task(second)));
    CHECK_OK(doca_graph_instance_submit(instance));
    record_log();
    rig_drain(&r);
    CHECK_REPORT(CHECK_OVERLAP, doca_pe_progress, "buf allocated");
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(first);
    rig_release(second);
    rig_close(&r);
}

static void two_overlaps_of_a_list_make_one_report(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct doca_buf *dst;
    struct rig r;

    rig_open(&r, TASKS);
    dst = rig_dst(&r, 0, LEN);
    CHECK_OK(doca_buf_chain_list(dst, rig_dst(&r, 2 * LEN, LEN)));
    tasks[0] = rig_task(r.dma, rig_src(&r, 0, 3 * LEN), rig_dst(&r, 0, 3 * LEN));
    tasks[1] = rig_task(r.dma, rig_src(&r, 0, 2 * LEN), dst);
    record_log();
    CHECK_OK(rig_submit(tasks[0]));
    CHECK_OK(rig_submit(tasks[1]));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    rig_release(tasks[0]);
    rig_release(tasks[1]);
    rig_close(&r);
}

/* The child writes to its own memory at rig_to and, through an import, to the parent's memory at
 * the same address. These are different bytes, so no overlap is reported. */
static void equal_addresses_in_two_processes_do_not_overlap(void)
{
    struct doca_dma_task_memcpy *own_copy, *imported_copy;
    struct doca_mmap *import;
    const void *desc;
    struct rig r;
    size_t len;
    pid_t child;

    rig_open(&r, TASKS);
    CHECK_OK(doca_mmap_stop(r.dst_map));
    CHECK_OK(doca_mmap_set_permissions(r.dst_map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                                                      DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_OK(doca_mmap_start(r.dst_map));
    CHECK_OK(doca_mmap_export_pci(r.dst_map, r.dev, &desc, &len));
    record_log();
    child = fork();
    if (child == 0) {
        struct doca_buf *there;

        CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &import));
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, import, rig_to, LEN, &there));
        own_copy = rig_copy(&r, r.dma, 0, LEN);
        imported_copy = rig_task(r.dma, rig_src(&r, LEN, LEN), there);
        CHECK_OK(rig_submit(imported_copy));
        rig_drain(&r);
        _exit(own_copy != imported_copy && logged.lines == 0 && r.num_ok == 2 ? 0 : 1);
    }
    PEER_REAP(child);
    CHECK_EQ(memcmp(rig_to, rig_from + LEN, LEN), 0);
    rig_close(&r);
}

/* Elements of a destination to which a task writes no bytes are not checked for overlaps. */
static void unwritten_elements_do_not_overlap(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct doca_buf *dst;
    struct rig r;
    unsigned i;

    for (i = 0; i < 2; i++) {
        rig_open(&r, TASKS);
        dst = rig_dst(&r, 4 * LEN, LEN);
        /* the copy fits into the first element */
        CHECK_OK(doca_buf_chain_list(dst, rig_dst(&r, LEN / 2, LEN)));
        tasks[i] = rig_task(r.dma, rig_src(&r, 0, LEN), dst);
        tasks[1 - i] = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, 0, LEN));
        record_log();
        CHECK_OK(rig_submit(tasks[0]));
        CHECK_OK(rig_submit(tasks[1]));
        CHECK_EQ(logged.lines, 0);
        rig_drain(&r);
        CHECK_EQ(r.num_ok, 2);
        rig_release(tasks[0]);
        rig_release(tasks[1]);
        rig_close(&r);
    }
}

/* If submit accepted a circular list, a device that follows its links would never finish. Nor may
 * the checks of submit themselves loop. */
static void circular_list_is_refused(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *more, *none;
    struct rig r;

    rig_open(&r, TASKS);
    src = rig_src(&r, 0, LEN);
    more = rig_src(&r, LEN, LEN);
    CHECK_OK(doca_buf_chain_list(src, more));
    task = rig_task(r.dma, src, rig_dst(&r, 0, 4 * LEN));
    none = OBJECT(more)->next;
    OBJECT(more)->next = OBJECT(src); /* a stray write */
    record_log();
    CHECK_RC(rig_submit(task), DOCA_ERROR_UNEXPECTED);
    CHECK_EQ(logged.item, DOCA_CORE_ITEM_BUF_BROKEN);
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_UNEXPECTED);
    OBJECT(more)->next = none;
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    rig_release(task);
    rig_close(&r);
}

static void buf_of_an_advise_task_in_flight_cannot_be_changed(void)
{
    struct doca_mmap_advise_task_invalidate_cache *task;
    struct doca_mmap_advise *advise;
    struct doca_buf *buf;
    struct doca_ctx *ctx;
    struct rig r;

    rig_open(&r, TASKS);
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ended, advise_ended,
                                                             1));
    CHECK_OK(doca_ctx_start(ctx));
    buf = rig_dst(&r, 0, LEN);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf,
                                                               (union doca_data){ 0 }, &task));
    CHECK_OK(doca_task_submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
    record_log();
    CHECK_RC(doca_buf_set_data_len(buf, 1), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_set_data_len, "buf allocated");
    CHECK_RC(doca_buf_dec_refcount(buf, NULL), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_dec_refcount, "buf allocated");
    while (doca_pe_progress(r.pe) != 0)
        continue;
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    rig_close(&r);
}

static void one_destination_buf_of_two_tasks_is_reported(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct doca_buf *dst;
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    dst = rig_dst(&r, 0, 2 * LEN);
    CHECK_OK(doca_buf_inc_refcount(dst, NULL));
    for (i = 0; i < 2; i++)
        tasks[i] = rig_task(r.dma, rig_src(&r, 0, LEN), dst);
    record_log();
    CHECK_OK(rig_submit(tasks[0]));
    CHECK_OK(rig_submit(tasks[1]));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    for (i = 0; i < 2; i++)
        rig_release(tasks[i]);
    rig_close(&r);
}

/* Two PEs have tasks in flight with the same destination. The PE that submitted first is destroyed
 * while the task of the other PE is in flight. Later overlaps are still found. */
static void overlaps_are_found_after_a_pe_is_destroyed(void)
{
    struct doca_dma_task_memcpy *tasks[4];
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_buf *dst;
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    pe = r.pe;
    dma = r.dma;
    CHECK_OK(doca_pe_create(&r.pe));
    r.dma = rig_make_dma(&r, TASKS);
    r.ctx = doca_dma_as_ctx(r.dma);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    dst = rig_dst(&r, 0, 2 * LEN);
    CHECK_OK(doca_buf_inc_refcount(dst, NULL));
    tasks[0] = rig_copy(&r, r.dma, 0, LEN);
    rig_drain(&r);
    rig_release(tasks[0]);
    tasks[0] = rig_task(r.dma, rig_src(&r, 0, LEN), dst);
    tasks[1] = rig_task(dma, rig_src(&r, 0, LEN), dst);
    record_log();
    CHECK_OK(rig_submit(tasks[0]));
    CHECK_OK(rig_submit(tasks[1]));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    rig_release(tasks[0]);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_dma_destroy(r.dma));
    CHECK_OK(doca_pe_destroy(r.pe));
    CHECK_OK(doca_pe_create(&r.pe));
    r.dma = rig_make_dma(&r, TASKS);
    r.ctx = doca_dma_as_ctx(r.dma);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    tasks[2] = rig_copy(&r, r.dma, 4 * LEN, LEN);
    r.in_progress = true;
    while (doca_pe_progress(pe) != 0)
        continue;
    rig_release(tasks[1]);
    record_log();
    tasks[3] = rig_copy(&r, r.dma, 4 * LEN, LEN);
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    for (i = 2; i < 4; i++)
        rig_release(tasks[i]);
    CHECK_OK(doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_pe_destroy(pe));
    rig_close(&r);
}

/* ---- threads and callbacks ---- */

static struct rig shared, second_rig;
static struct doca_dma_task_memcpy *shared_task;

static struct doca_dma *idle_dma;
static struct doca_buf *shared_buf;

static void *use_pe_and_tasks(void *arg)
{
    struct doca_dma_task_memcpy *task;

    (void)arg;
    record_log();
    CHECK_EQ(doca_pe_progress(shared.pe), 0);
    CHECK_REPORT(CHECK_THREAD, doca_pe_progress, "pe created");
    CHECK_RC(rig_submit(shared_task), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_task_submit, "pe created");
    CHECK_RC(doca_dma_task_memcpy_alloc_init(shared.dma, NULL, NULL, (union doca_data){ 0 }, &task),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_dma_task_memcpy_alloc_init, "pe created");
    doca_task_free(doca_dma_task_memcpy_as_task(shared_task));
    CHECK_REPORT(CHECK_THREAD, doca_task_free, "pe created");
    CHECK_RC(doca_ctx_stop(shared.ctx), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_ctx_stop, "pe created");
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(idle_dma)), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_ctx_start, "pe created");
    return NULL;
}

static void run_in_another_thread(void *(*function)(void *))
{
    pthread_t thread;

    heap_trap_set(HEAP_TRAP_OFF); /* creating a thread allocates memory */
    CHECK_EQ(pthread_create(&thread, NULL, function, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
}

static void call_from_another_thread(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    run_in_another_thread(use_pe_and_tasks);
}

static void second_thread_cannot_use_the_pe(void)
{
    struct doca_dma_task_memcpy *task;

    rig_open(&shared, TASKS);
    idle_dma = rig_make_dma(&shared, 1);
    shared_task = rig_task(shared.dma, rig_src(&shared, LEN, LEN), rig_dst(&shared, LEN, LEN));
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = call_from_another_thread;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
    CHECK_OK(rig_submit(shared_task)); /* the refused calls had no effect */
    shared.on_task = NULL;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 2);
    rig_release(task);
    rig_release(shared_task);
    CHECK_EQ(rig_state(doca_dma_as_ctx(idle_dma)), DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_dma_destroy(idle_dma));
    rig_close(&shared);
}

static struct doca_dma *unused_dma; /* a second context, never started */
static struct doca_sync_event *unused_event;
static struct doca_sha *unused_sha;
static struct doca_mmap_advise *unused_advise;
static struct doca_task_batch *shared_batch;
static struct doca_graph *shared_graph;
static struct doca_graph_node *shared_node;
static struct doca_graph_instance *shared_instance;

static void *use_batch_and_graph(void *arg)
{
    struct doca_task_batch *batch;

    (void)arg;
    record_log();
    CHECK_RC(doca_core_task_batch_alloc_init(shared.ctx, (union doca_data){ 0 }, &batch),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_core_task_batch_alloc_init, "pe created");
    CHECK_RC(doca_core_task_batch_add(shared_batch, doca_dma_task_memcpy_as_task(shared_task)),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_core_task_batch_add, "pe created");
    CHECK_RC(doca_task_batch_submit(shared_batch), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_task_batch_submit, "pe created");
    doca_task_batch_free(shared_batch);
    CHECK_REPORT(CHECK_THREAD, doca_task_batch_free, "pe created");
    CHECK_RC(doca_graph_instance_submit(shared_instance), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_graph_instance_submit, "pe created");
    return NULL;
}

#define CHECK_PE_REFUSES(call, function)                                                           \
    do {                                                                                           \
        CHECK_RC(call, DOCA_ERROR_NOT_PERMITTED);                                                  \
        CHECK_REPORT(CHECK_THREAD, function, "pe created");                                        \
    } while (0)

static void get_ended(struct doca_sync_event_task_get *task, union doca_data user_data,
                      union doca_data ctx_data)
{
    (void)task;
    (void)user_data;
    (void)ctx_data;
}

static void *configure_all(void *arg)
{
    struct doca_graph *graph = shared_graph, *made = NULL;
    struct doca_graph_node *node = shared_node;
    struct doca_graph_instance *instance = shared_instance;
    doca_notification_handle_t handle;
    const uint8_t *data;
    size_t sz;

    (void)arg;
    record_log();
    CHECK_PE_REFUSES(doca_pe_connect_ctx(shared.pe, doca_dma_as_ctx(idle_dma)),
                     doca_pe_connect_ctx);
    CHECK_PE_REFUSES(doca_pe_request_notification(shared.pe), doca_pe_request_notification);
    CHECK_PE_REFUSES(doca_pe_clear_notification(shared.pe, 0), doca_pe_clear_notification);
    CHECK_PE_REFUSES(doca_pe_set_event_mode(shared.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL),
                     doca_pe_set_event_mode);
    CHECK_PE_REFUSES(doca_ctx_set_user_data(doca_dma_as_ctx(unused_dma), (union doca_data){ 0 }),
                     doca_ctx_set_user_data);
    CHECK_PE_REFUSES(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(unused_dma), NULL),
                     doca_ctx_set_state_changed_cb);
    CHECK_PE_REFUSES(doca_dma_task_memcpy_set_conf(unused_dma, rig_completed, rig_failed, 2),
                     doca_dma_task_memcpy_set_conf);
    CHECK_PE_REFUSES(doca_core_ctx_set_task_batch_conf(doca_dma_as_ctx(unused_dma),
                                                       DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                                       batch_ended, batch_ended),
                     doca_core_ctx_set_task_batch_conf);
    CHECK_PE_REFUSES(doca_sync_event_task_get_set_conf(unused_event, get_ended, get_ended, 1),
                     doca_sync_event_task_get_set_conf);
    CHECK_PE_REFUSES(doca_dma_destroy(unused_dma), doca_dma_destroy);
    CHECK_PE_REFUSES(doca_sync_event_destroy(unused_event), doca_sync_event_destroy);
    CHECK_PE_REFUSES(doca_sync_event_export_to_dpu(unused_event, shared.dev, &data, &sz),
                     doca_sync_event_export_to_dpu);
    CHECK_PE_REFUSES(doca_sync_event_export_to_remote_net(unused_event, &data, &sz),
                     doca_sync_event_export_to_remote_net);
    doca_ctx_flush_tasks(shared.ctx);
    CHECK_REPORT(CHECK_THREAD, doca_ctx_flush_tasks, "pe created");
    CHECK_PE_REFUSES(doca_graph_create(shared.pe, &made), doca_graph_create);
    CHECK_PE_REFUSES(doca_graph_node_create_from_ctx(graph, shared.ctx, &node),
                     doca_graph_node_create_from_ctx);
    CHECK_PE_REFUSES(doca_graph_add_dependency(graph, node, node), doca_graph_add_dependency);
    CHECK_PE_REFUSES(doca_graph_set_conf(graph, graph_ended, graph_ended, 1), doca_graph_set_conf);
    CHECK_PE_REFUSES(doca_graph_start(graph), doca_graph_start);
    CHECK_PE_REFUSES(doca_graph_stop(graph), doca_graph_stop);
    CHECK_PE_REFUSES(doca_graph_destroy(graph), doca_graph_destroy);
    CHECK_PE_REFUSES(doca_graph_instance_create(graph, &instance), doca_graph_instance_create);
    CHECK_PE_REFUSES(doca_graph_instance_destroy(instance), doca_graph_instance_destroy);
    CHECK_PE_REFUSES(doca_graph_instance_set_ctx_node_data(
                         instance, node, doca_dma_task_memcpy_as_task(shared_task)),
                     doca_graph_instance_set_ctx_node_data);
    CHECK_PE_REFUSES(doca_graph_set_user_data(graph, (union doca_data){ 0 }),
                     doca_graph_set_user_data);
    CHECK_PE_REFUSES(doca_graph_node_create_from_graph(graph, graph, &node),
                     doca_graph_node_create_from_graph);
    CHECK_PE_REFUSES(doca_graph_instance_set_user_data(instance, (union doca_data){ 0 }),
                     doca_graph_instance_set_user_data);
    CHECK_PE_REFUSES(doca_graph_instance_set_user_node_data(instance, node, NULL),
                     doca_graph_instance_set_user_node_data);
    CHECK_PE_REFUSES(doca_graph_instance_set_sub_graph_node_data(instance, node, instance),
                     doca_graph_instance_set_sub_graph_node_data);
    CHECK_PE_REFUSES(doca_pe_get_notification_handle(shared.pe, &handle),
                     doca_pe_get_notification_handle);
    CHECK_PE_REFUSES(doca_sha_task_hash_set_conf(unused_sha, hash_ended, hash_ended, 1),
                     doca_sha_task_hash_set_conf);
    CHECK_PE_REFUSES(doca_mmap_advise_task_invalidate_cache_set_conf(unused_advise, advise_ended,
                                                                     advise_ended, 1),
                     doca_mmap_advise_task_invalidate_cache_set_conf);
    CHECK_PE_REFUSES(doca_pe_destroy(shared.pe), doca_pe_destroy);
    CHECK_PTR(made, NULL);
    CHECK_PTR(node, shared_node);
    CHECK_PTR(instance, shared_instance);
    return NULL;
}

static void configure_from_another_thread(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    run_in_another_thread(configure_all);
}

/* While the first thread is in doca_pe_progress(), every call by which a second thread would
 * configure the PE, or an object of the PE, is refused. */
static void second_thread_cannot_configure(void)
{
    struct doca_dma_task_memcpy *task;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_dma_create(shared.dev, &idle_dma));
    doca_ctx_flush_tasks(doca_dma_as_ctx(idle_dma)); /* does nothing: the context has no PE */
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_sync_event_create(&unused_event));
    CHECK_OK(doca_pe_connect_ctx(shared.pe, doca_sync_event_as_ctx(unused_event)));
    CHECK_OK(doca_sha_create(shared.dev, &unused_sha));
    CHECK_OK(doca_pe_connect_ctx(shared.pe, doca_sha_as_ctx(unused_sha)));
    CHECK_OK(doca_mmap_advise_create(shared.dev, &unused_advise));
    CHECK_OK(doca_pe_connect_ctx(shared.pe, doca_mmap_advise_as_ctx(unused_advise)));
    CHECK_OK(doca_graph_create(shared.pe, &shared_graph));
    CHECK_OK(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &shared_node));
    CHECK_OK(doca_graph_set_conf(shared_graph, graph_ended, graph_ended, 2));
    CHECK_OK(doca_graph_start(shared_graph));
    CHECK_OK(doca_graph_instance_create(shared_graph, &shared_instance));
    shared_task = rig_prepare(&shared, shared.dma, LEN, LEN);
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = configure_from_another_thread;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(shared_instance, shared_node,
                                                   doca_dma_task_memcpy_as_task(shared_task)));
    CHECK_OK(doca_graph_instance_submit(shared_instance)); /* the refused calls had no effect */
    rig_drain(&shared);
    CHECK_OK(doca_graph_instance_destroy(shared_instance));
    CHECK_OK(doca_graph_stop(shared_graph));
    CHECK_OK(doca_graph_destroy(shared_graph));
    rig_release(task);
    rig_release(shared_task);
    CHECK_OK(doca_dma_destroy(idle_dma));
    CHECK_OK(doca_dma_destroy(unused_dma));
    CHECK_OK(doca_sha_destroy(unused_sha));
    CHECK_OK(doca_mmap_advise_destroy(unused_advise));
    CHECK_OK(doca_sync_event_destroy(unused_event));
    rig_close(&shared);
}

static void call_batch_and_graph(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    run_in_another_thread(use_batch_and_graph);
}

static void second_thread_cannot_submit_a_batch_or_graph(void)
{
    struct doca_dma_task_memcpy *task, *of_batch;
    struct doca_graph_node *node;
    struct doca_graph *graph;
    struct doca_buf *src, *dst;

    rig_build(&shared, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(shared.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                               batch_ended, batch_ended));
    CHECK_OK(doca_ctx_start(shared.ctx));
    rig_drain(&shared);
    CHECK_OK(doca_graph_create(shared.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, shared.ctx, &node));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &shared_instance));
    CHECK_OK(doca_core_task_batch_alloc_init(shared.ctx, (union doca_data){ 0 }, &shared_batch));
    of_batch = rig_prepare(&shared, shared.dma, LEN, LEN);
    CHECK_OK(doca_core_task_batch_add(shared_batch, doca_dma_task_memcpy_as_task(of_batch)));
    shared_task = rig_prepare(&shared, shared.dma, 2 * LEN, LEN);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(shared_instance, node,
                                                   doca_dma_task_memcpy_as_task(shared_task)));
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = call_batch_and_graph;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
    shared.on_task = NULL;
    CHECK_OK(doca_task_batch_submit(shared_batch)); /* the refused calls had no effect */
    CHECK_OK(doca_graph_instance_submit(shared_instance));
    rig_drain(&shared);
    CHECK_OK(doca_task_batch_get_status(shared_batch));
    src = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(of_batch);
    dst = doca_dma_task_memcpy_get_dst(of_batch);
    doca_task_batch_free(shared_batch);
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    CHECK_OK(doca_graph_instance_destroy(shared_instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(task);
    rig_release(shared_task);
    rig_close(&shared);
}

static uint64_t reports_before;
static time_t race_deadline;
static struct doca_buf_inventory *one_buf_inventory;
static struct doca_mmap *raced_map;
static bool is_map_thread_safe;

static void ignore_line(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)item;
    (void)line;
    (void)user;
}

/* Allocate and release the only buf of the inventory, until the checked mode has reported 100
 * concurrent calls or the deadline has passed. The call with a NULL inventory fails, and must not
 * leave this thread recorded as using an object. */
static void *use_one_inventory(void *map)
{
    unsigned char *memory = map == shared.src_map ? rig_from : rig_to;
    struct doca_buf *buf;
    doca_error_t rc;

    while (doca_core_check_num_reports() < reports_before + 100 && time(NULL) < race_deadline) {
        (void)doca_buf_inventory_buf_get_by_data(NULL, (struct doca_mmap *)map, memory, LEN, &buf);
        rc = doca_buf_inventory_buf_get_by_data(one_buf_inventory, (struct doca_mmap *)map, memory,
                                                LEN, &buf);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_NO_MEMORY);
        if (rc == DOCA_SUCCESS)
            CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    }
    return NULL;
}

static void two_threads_at_an_inventory_are_reported(void)
{
    pthread_t thread;
    uint32_t num;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_buf_inventory_create(1, &one_buf_inventory));
    CHECK_OK(doca_buf_inventory_start(one_buf_inventory));
    doca_core_log_set_sink(ignore_line, NULL); /* two threads may log at the same time */
    reports_before = doca_core_check_num_reports();
    race_deadline = time(NULL) + 60;
    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&thread, NULL, use_one_inventory, shared.dst_map), 0);
    (void)use_one_inventory(shared.src_map);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    record_log();
    CHECK(doca_core_check_num_reports() > reports_before);
    CHECK_OK(doca_buf_inventory_get_num_free_elements(one_buf_inventory, &num));
    CHECK_EQ(num, 1); /* the threads waited for each other, so the free list is whole */
    CHECK_OK(doca_buf_inventory_destroy(one_buf_inventory));
    rig_close(&shared);
}

/* Each thread has its own inventory, but both threads change the buffer count of the same mmap. */
static void *use_one_mmap(void *inventory)
{
    struct doca_buf_inventory *own = (struct doca_buf_inventory *)inventory;
    struct doca_buf *buf;
    unsigned i;

    for (i = 0; doca_core_check_num_reports() < reports_before + 100 && time(NULL) < race_deadline;
         i++) {
        if (is_map_thread_safe && i == 100000)
            break;
        CHECK_OK(doca_buf_inventory_buf_get_by_data(own, raced_map, rig_from, LEN, &buf));
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    }
    return NULL;
}

static void two_threads_at_an_mmap_are_reported(void)
{
    struct doca_buf_inventory *inventories[2];
    pthread_t thread;
    unsigned i;

    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_buf_inventory_create(1, &inventories[i]));
        CHECK_OK(doca_buf_inventory_start(inventories[i]));
    }
    for (i = 0; i < 2; i++) {
        is_map_thread_safe = i == 1;
        CHECK_OK(doca_mmap_create(&raced_map));
        CHECK_OK(doca_mmap_set_memrange(raced_map, rig_from, RIG_BYTES));
        if (is_map_thread_safe)
            CHECK_OK(doca_mmap_enable_thread_safety(raced_map));
        CHECK_OK(doca_mmap_start(raced_map));
        CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_DISABLE));
        reports_before = doca_core_check_num_reports();
        race_deadline = time(NULL) + 60;
        heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_create(&thread, NULL, use_one_mmap, inventories[0]), 0);
        (void)use_one_mmap(inventories[1]);
        CHECK_EQ(pthread_join(thread, NULL), 0);
        heap_trap_set(HEAP_TRAP_ABORT);
        CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_WARNING));
        if (is_map_thread_safe)
            CHECK_EQ(doca_core_check_num_reports(), reports_before);
        else
            CHECK(doca_core_check_num_reports() > reports_before);
        CHECK_OK(doca_mmap_destroy(raced_map));
    }
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_buf_inventory_destroy(inventories[i]));
}

/* ---- a slow device: a second thread calls while the device registers memory ---- */

static struct doca_mmap *slow_map;
static struct doca_dev *slow_dev;
static struct doca_buf_inventory *slow_inventory;
static unsigned num_second_runs;

static void check_mmap_refuses(int at, doca_error_t rc, const char *call)
{
    if (rc != DOCA_ERROR_NOT_PERMITTED)
        test_fail(__FILE__, at, "%s returned %s", call, doca_error_get_name(rc));
    check_report(at, DOCA_CORE_ITEM_CHECK_THREAD, call, "mmap created");
}

#define CHECK_MMAP_REFUSES(call, ...)                                                              \
    check_mmap_refuses(__LINE__, call(slow_map, __VA_ARGS__), #call ":")

static void *use_mmap(void *arg)
{
    const union doca_data nothing = { 0 };
    enum doca_core_item thread_item = DOCA_CORE_ITEM_CHECK_THREAD;
    const void *desc = NULL;
    struct doca_buf *buf;
    size_t len = 0;

    (void)arg;
    record_log();
    CHECK_MMAP_REFUSES(doca_mmap_set_memrange, rig_from, LEN);
    CHECK_MMAP_REFUSES(doca_mmap_set_dmabuf_memrange, 0, rig_from, 0, LEN);
    CHECK_MMAP_REFUSES(doca_mmap_set_permissions, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    CHECK_MMAP_REFUSES(doca_mmap_set_max_num_devices, 2);
    CHECK_MMAP_REFUSES(doca_mmap_set_free_cb, NULL, NULL);
    CHECK_MMAP_REFUSES(doca_mmap_set_user_data, nothing);
    CHECK_MMAP_REFUSES(doca_mmap_add_dev, slow_dev);
    CHECK_MMAP_REFUSES(doca_mmap_rm_dev, slow_dev);
    CHECK_MMAP_REFUSES(doca_mmap_export_pci, slow_dev, &desc, &len);
    CHECK_PTR(desc, NULL);
    check_mmap_refuses(__LINE__, doca_mmap_enable_thread_safety(slow_map), "thread_safety:");
    check_mmap_refuses(__LINE__, doca_mmap_start(slow_map), "doca_mmap_start:");
    check_mmap_refuses(__LINE__, doca_mmap_stop(slow_map), "doca_mmap_stop:");
    check_mmap_refuses(__LINE__, doca_mmap_destroy(slow_map), "doca_mmap_destroy:");
    if (doca_buf_inventory_buf_get_by_addr(slow_inventory, slow_map, rig_from, LEN, &buf) ==
        DOCA_SUCCESS) { /* the mmap is still started */
        check_report(__LINE__, thread_item, "buf_get_by_addr:", "mmap created");
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        check_report(__LINE__, thread_item, "doca_buf_dec_refcount:", "mmap created");
    }
    num_second_runs++;
    return NULL;
}

static doca_error_t slow_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                             uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    (void)access;
    *mkey = 1;
    run_in_another_thread(use_mmap);
    return DOCA_SUCCESS;
}

static void slow_dereg(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    (void)mkey;
    run_in_another_thread(use_mmap);
}

static doca_error_t slow_export(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma,
                                unsigned char blob[DOCA_CORE_EXPORT_BYTES])
{
    (void)own;
    (void)is_rdma;
    (void)blob;
    return slow_reg(dev, NULL, 0, 0, &mkey);
}

static void slow_unexport(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma)
{
    (void)own;
    (void)is_rdma;
    slow_dereg(dev, mkey);
}

static doca_error_t slow_import(struct doca_dev *dev, const struct doca_core_range *range,
                                bool is_rdma, const unsigned char blob[DOCA_CORE_EXPORT_BYTES],
                                uint32_t *mkey, uint32_t *own)
{
    (void)dev;
    (void)range;
    (void)is_rdma;
    (void)blob;
    (void)mkey;
    (void)own;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static void slow_unimport(struct doca_dev *dev, uint32_t mkey, uint32_t own)
{
    (void)dev;
    (void)mkey;
    (void)own;
}

static uint32_t slow_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        memset(attrs, 0, sizeof(*attrs));
        snprintf(attrs->pci_addr, sizeof(attrs->pci_addr), "0000:8c:00.0");
        attrs->limits.has_export_pci = 1;
    }
    return 1;
}

static struct doca_core_backend slow_table(void)
{
    struct doca_core_backend table = *doca_core_sw_backend();

    table.name = "slow";
    table.enumerate = slow_enumerate;
    return table;
}

static void make_slow_map(void)
{
    CHECK_OK(doca_mmap_create(&slow_map));
    CHECK_OK(doca_mmap_set_memrange(slow_map, rig_from, RIG_BYTES));
    CHECK_OK(doca_mmap_add_dev(slow_map, slow_dev));
}

/* Open the device of this backend, and create an mmap on it that is not started. */
static void open_slow(const struct doca_core_backend *table)
{
    CHECK_OK(doca_core_backend_register(table));
    slow_dev = rig_open_dev("0000:8c:00.0");
    make_slow_map();
    num_second_runs = 0;
}

static void close_slow(void)
{
    CHECK_OK(doca_dev_close(slow_dev));
    CHECK_OK(doca_core_backend_unregister("slow"));
}

/* While the first thread is in a call on the mmap and waits for the device, calls of a second
 * thread are refused, and the call of the first thread succeeds. */
static void second_thread_cannot_change_an_mmap(void)
{
    struct doca_core_backend table = slow_table();
    const void *desc;
    size_t len;

    table.reg = slow_reg;
    table.dereg = slow_dereg;
    table.mem_export = slow_export;
    table.mem_unexport = slow_unexport;
    table.mem_import = slow_import;
    table.mem_unimport = slow_unimport;
    open_slow(&table);
    CHECK_OK(doca_buf_inventory_create(1, &slow_inventory));
    CHECK_OK(doca_buf_inventory_start(slow_inventory));
    CHECK_OK(doca_mmap_set_permissions(slow_map, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
    CHECK_OK(doca_mmap_start(slow_map));
    CHECK_EQ(num_second_runs, 1);
    CHECK_OK(doca_mmap_export_pci(slow_map, slow_dev, &desc, &len));
    CHECK_EQ(num_second_runs, 2);
    CHECK_OK(doca_mmap_stop(slow_map)); /* ends the export */
    CHECK_EQ(num_second_runs, 4);
    CHECK_OK(doca_mmap_set_user_data(slow_map, (union doca_data){ 0 }));
    CHECK_OK(doca_mmap_start(slow_map));
    CHECK_OK(doca_mmap_destroy(slow_map));
    CHECK_EQ(num_second_runs, 6);
    CHECK_OK(doca_buf_inventory_destroy(slow_inventory));
    close_slow();
}

/* ---- a call that fails: a second thread calls while the failure is being logged ---- */

static void *(*second_function)(void *);

static void run_second_function(uint32_t level, enum doca_core_item item, const char *line,
                                void *user)
{
    (void)level;
    (void)item;
    (void)line;
    (void)user;
    run_in_another_thread(second_function);
}

/* Run `function` in another thread during `call`. `call` must fail: the log sink, which is called
 * for the failure, starts the thread. */
#define DURING(call, function)                                                                     \
    do {                                                                                           \
        num_second_runs = 0;                                                                       \
        second_function = function;                                                                \
        doca_core_log_set_sink(run_second_function, NULL);                                         \
        (void)(call);                                                                              \
        record_log();                                                                              \
        CHECK_EQ(num_second_runs, 1);                                                              \
        CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(unused_dma), (union doca_data){ 0 }));     \
        CHECK_EQ(logged.lines, 0); /* no thread counts as using the object after the calls */      \
    } while (0)

#define CHECK_REFUSES(call, function, words)                                                       \
    do {                                                                                           \
        CHECK_RC(call, DOCA_ERROR_NOT_PERMITTED);                                                  \
        CHECK_REPORT(CHECK_THREAD, function, words);                                               \
    } while (0)

static void *use_ctx_without_pe(void *arg)
{
    struct doca_ctx *ctx = doca_dma_as_ctx(unused_dma);

    (void)arg;
    record_log();
    CHECK_REFUSES(doca_dma_task_memcpy_set_conf(unused_dma, rig_completed, rig_failed, 2),
                  doca_dma_task_memcpy_set_conf, "dma created");
    CHECK_REFUSES(doca_core_ctx_set_task_batch_conf(ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                                    batch_ended, batch_ended),
                  doca_core_ctx_set_task_batch_conf, "dma created");
    CHECK_REFUSES(doca_ctx_set_user_data(ctx, (union doca_data){ 0 }), doca_ctx_set_user_data,
                  "dma created");
    CHECK_REFUSES(doca_ctx_set_state_changed_cb(ctx, NULL), doca_ctx_set_state_changed_cb,
                  "dma created");
    CHECK_REFUSES(doca_ctx_set_datapath_on_gpu(ctx, (struct doca_gpu *)(void *)&shared),
                  doca_ctx_set_datapath_on_gpu, "dma created");
    CHECK_REFUSES(doca_ctx_set_completion_vector(ctx, 0), doca_ctx_set_completion_vector,
                  "dma created");
    CHECK_REFUSES(doca_pe_connect_ctx(shared.pe, ctx), doca_pe_connect_ctx, "dma created");
    CHECK_REFUSES(doca_ctx_start(ctx), doca_ctx_start, "dma created");
    CHECK_REFUSES(doca_ctx_stop(ctx), doca_ctx_stop, "dma created");
    doca_ctx_flush_tasks(ctx);
    CHECK_REPORT(CHECK_THREAD, doca_ctx_flush_tasks, "dma created");
    CHECK_REFUSES(doca_dma_destroy(unused_dma), doca_dma_destroy, "dma created");
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(idle_dma), (union doca_data){ 0 }));
    CHECK_EQ(logged.lines, 0); /* a different object, so no report */
    num_second_runs++;
    return NULL;
}

/* A context without a PE has the same protection: during any call of the first thread on it, calls
 * of a second thread are refused. */
static void second_thread_cannot_use_a_context_without_pe(void)
{
    struct doca_ctx *ctx;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_dma_create(shared.dev, &unused_dma));
    CHECK_OK(doca_dma_create(shared.dev, &idle_dma));
    ctx = doca_dma_as_ctx(unused_dma);
    DURING(doca_dma_task_memcpy_set_conf(unused_dma, NULL, NULL, 1), use_ctx_without_pe);
    DURING(doca_core_ctx_set_task_batch_conf(ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 0,
                                             batch_ended, batch_ended),
           use_ctx_without_pe);
    DURING(doca_ctx_set_datapath_on_gpu(ctx, (struct doca_gpu *)(void *)&shared),
           use_ctx_without_pe);
    DURING(doca_ctx_set_completion_vector(ctx, 1), use_ctx_without_pe);
    DURING(doca_ctx_start(ctx), use_ctx_without_pe);
    CHECK_OK(doca_pe_connect_ctx(shared.pe, ctx)); /* the refused calls had no effect */
    CHECK_OK(doca_dma_destroy(unused_dma));
    CHECK_OK(doca_dma_destroy(idle_dma));
    rig_close(&shared);
}

static void *use_pe(void *arg)
{
    struct doca_dma_task_memcpy *task;

    (void)arg;
    record_log();
    CHECK_RC(doca_dma_task_memcpy_alloc_init(shared.dma, NULL, NULL, (union doca_data){ 0 }, &task),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_dma_task_memcpy_alloc_init, "pe created");
    CHECK_RC(rig_submit(shared_task), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_task_submit, "pe created");
    doca_task_free(doca_dma_task_memcpy_as_task(shared_task));
    CHECK_REPORT(CHECK_THREAD, doca_task_free, "pe created");
    CHECK_EQ(doca_pe_progress(shared.pe), 0);
    CHECK_REPORT(CHECK_THREAD, doca_pe_progress, "pe created");
    CHECK_REFUSES(doca_pe_connect_ctx(shared.pe, doca_dma_as_ctx(idle_dma)), doca_pe_connect_ctx,
                  "pe created");
    num_second_runs++;
    return NULL;
}

/* Calls other than progress and submit also count as uses of the PE while they run. */
static void second_thread_is_refused_during_any_pe_call(void)
{
    struct doca_dma_task_memcpy *tasks[TASKS], *task;
    struct doca_ctx *ctx;
    unsigned i;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_dma_create(shared.dev, &idle_dma));
    unused_dma = rig_make_dma(&shared, 1);
    ctx = doca_dma_as_ctx(unused_dma);
    for (i = 0; i < TASKS; i++)
        tasks[i] = rig_prepare(&shared, shared.dma, i * LEN, LEN);
    shared_task = tasks[0];
    DURING(doca_dma_task_memcpy_alloc_init(shared.dma, NULL, NULL, (union doca_data){ 0 }, &task),
           use_pe);
    DURING(doca_ctx_start(shared.ctx), use_pe);
    DURING(doca_pe_connect_ctx(shared.pe, ctx), use_pe);
    DURING(doca_pe_destroy(shared.pe), use_pe);
    DURING(doca_dma_destroy(shared.dma), use_pe);
    CHECK_OK(rig_submit(tasks[1]));
    DURING((doca_task_free(doca_dma_task_memcpy_as_task(tasks[1])), 0), use_pe);
    DURING(doca_ctx_stop(shared.ctx), use_pe);
    rig_drain(&shared);
    for (i = 0; i < TASKS; i++)
        rig_release(tasks[i]);
    CHECK_OK(doca_dma_destroy(idle_dma));
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

static void *use_graph(void *arg)
{
    struct doca_graph_node *node;

    (void)arg;
    record_log();
    CHECK_REFUSES(doca_graph_set_conf(shared_graph, graph_ended, graph_ended, 1),
                  doca_graph_set_conf, "pe created");
    CHECK_REFUSES(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &node),
                  doca_graph_node_create_from_ctx, "pe created");
    CHECK_REFUSES(doca_graph_destroy(shared_graph), doca_graph_destroy, "pe created");
    num_second_runs++;
    return NULL;
}

static void second_thread_cannot_build_the_same_graph(void)
{
    struct doca_graph_node *node, *of_other;
    struct doca_graph *other;

    rig_open(&shared, TASKS);
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_graph_create(shared.pe, &shared_graph));
    CHECK_OK(doca_graph_create(shared.pe, &other));
    CHECK_OK(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &node));
    CHECK_OK(doca_graph_node_create_from_ctx(other, shared.ctx, &of_other));
    DURING(doca_graph_set_conf(shared_graph, graph_ended, graph_ended, 0), use_graph);
    DURING(doca_graph_add_dependency(shared_graph, node, of_other), use_graph);
    DURING(doca_graph_start(shared_graph), use_graph); /* fails: no doca_graph_set_conf() yet */
    DURING(doca_graph_node_create_from_graph(shared_graph, shared_graph, &node), use_graph);
    CHECK_OK(doca_graph_destroy(shared_graph));
    CHECK_OK(doca_graph_destroy(other));
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

static void *use_unstarted_mmap(void *arg)
{
    (void)arg;
    record_log();
    CHECK_REFUSES(doca_mmap_set_permissions(slow_map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
                  doca_mmap_set_permissions, "mmap created");
    CHECK_REFUSES(doca_mmap_set_user_data(slow_map, (union doca_data){ 0 }),
                  doca_mmap_set_user_data, "mmap created");
    CHECK_REFUSES(doca_mmap_start(slow_map), doca_mmap_start, "mmap created");
    CHECK_REFUSES(doca_mmap_destroy(slow_map), doca_mmap_destroy, "mmap created");
    num_second_runs++;
    return NULL;
}

static void second_thread_cannot_configure_the_same_mmap(void)
{
    rig_open(&shared, TASKS);
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_mmap_create(&slow_map));
    CHECK_OK(doca_mmap_add_dev(slow_map, shared.dev));
    /* fails: the mmap has this device */
    DURING(doca_mmap_add_dev(slow_map, shared.dev), use_unstarted_mmap);
    DURING(doca_mmap_start(slow_map), use_unstarted_mmap); /* fails: the mmap has no range */
    CHECK_OK(doca_mmap_destroy(slow_map));
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

static struct doca_buf_pool *shared_pool;

static void *use_inventory_or_pool(void *arg)
{
    (void)arg;
    record_log();
    if (shared_pool == NULL) {
        CHECK_REFUSES(doca_buf_inventory_start(one_buf_inventory), doca_buf_inventory_start,
                      "inventory created");
        CHECK_REFUSES(doca_buf_inventory_stop(one_buf_inventory), doca_buf_inventory_stop,
                      "inventory created");
        CHECK_REFUSES(doca_buf_inventory_set_user_data(one_buf_inventory, (union doca_data){ 0 }),
                      doca_buf_inventory_set_user_data, "inventory created");
        CHECK_REFUSES(doca_buf_inventory_destroy(one_buf_inventory), doca_buf_inventory_destroy,
                      "inventory created");
    } else {
        CHECK_REFUSES(doca_buf_pool_start(shared_pool), doca_buf_pool_start, "pool created");
        CHECK_REFUSES(doca_buf_pool_stop(shared_pool), doca_buf_pool_stop, "pool created");
        CHECK_REFUSES(doca_buf_pool_set_element_alignment(shared_pool, 64),
                      doca_buf_pool_set_element_alignment, "pool created");
        CHECK_REFUSES(doca_buf_pool_set_user_data(shared_pool, (union doca_data){ 0 }),
                      doca_buf_pool_set_user_data, "pool created");
        CHECK_REFUSES(doca_buf_pool_destroy(shared_pool), doca_buf_pool_destroy, "pool created");
    }
    num_second_runs++;
    return NULL;
}

static void second_thread_cannot_start_the_same_inventory_or_pool(void)
{
    rig_open(&shared, TASKS);
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_buf_inventory_create(1, &one_buf_inventory));
    DURING(doca_buf_inventory_stop(one_buf_inventory), use_inventory_or_pool);
    CHECK_OK(doca_buf_inventory_destroy(one_buf_inventory));
    CHECK_OK(doca_buf_pool_create(1, LEN, shared.src_map, &shared_pool));
    DURING(doca_buf_pool_stop(shared_pool), use_inventory_or_pool);
    DURING(doca_buf_pool_set_element_alignment(shared_pool, 3), use_inventory_or_pool);
    CHECK_OK(doca_buf_pool_destroy(shared_pool));
    shared_pool = NULL;
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

static void *use_event(void *arg)
{
    static uint64_t value;

    (void)arg;
    record_log();
    CHECK_REFUSES(doca_sync_event_start(unused_event), doca_sync_event_start, "event created");
    CHECK_REFUSES(doca_sync_event_add_publisher_location_cpu(unused_event, shared.dev),
                  doca_sync_event_add_publisher_location_cpu, "event created");
    CHECK_REFUSES(doca_sync_event_add_publisher_location_remote_pci(unused_event),
                  doca_sync_event_add_publisher_location_remote_pci, "event created");
    CHECK_REFUSES(doca_sync_event_set_addr(unused_event, &value), doca_sync_event_set_addr,
                  "event created");
    CHECK_REFUSES(doca_sync_event_set_doca_buf(unused_event, shared_buf),
                  doca_sync_event_set_doca_buf, "event created");
    CHECK_REFUSES(doca_sync_event_set_addr(unused_event, NULL), doca_sync_event_set_addr,
                  "event created"); /* NULL is wrong too, but only the thread is reported */
    CHECK(doca_sync_event_as_ctx(unused_event) == NULL);
    CHECK_REPORT(CHECK_THREAD, doca_sync_event_as_ctx, "event created");
    CHECK_REFUSES(doca_sync_event_destroy(unused_event), doca_sync_event_destroy, "event created");
    num_second_runs++;
    return NULL;
}

static void second_thread_cannot_start_the_same_event(void)
{
    rig_open(&shared, TASKS);
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_sync_event_create(&unused_event));
    shared_buf = rig_src(&shared, 0, sizeof(uint64_t));
    DURING(doca_sync_event_start(unused_event), use_event); /* fails: no locations are set */
    CHECK_OK(doca_buf_dec_refcount(shared_buf, NULL));
    CHECK_OK(doca_sync_event_destroy(unused_event));
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

/* The checked mode remembers up to 64 uses of objects by threads. Here a log sink nests failing
 * calls on more contexts than that. The innermost calls work, but their contexts are not protected
 * from a second thread. */
enum { NESTED_CALLS = 70 };

static struct doca_dma *nested_dma[NESTED_CALLS];
static unsigned depth;

static void *use_first_and_last_ctx(void *arg)
{
    (void)arg;
    record_log();
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(nested_dma[NESTED_CALLS - 1]),
                                    (union doca_data){ 0 }));
    CHECK_EQ(logged.lines, 0);
    CHECK_REFUSES(doca_ctx_set_user_data(doca_dma_as_ctx(nested_dma[0]), (union doca_data){ 0 }),
                  doca_ctx_set_user_data, "dma created");
    num_second_runs++;
    return NULL;
}

static void nest_calls(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    struct doca_dma_task_memcpy *tasks[2];
    unsigned i;

    (void)level;
    (void)item;
    (void)line;
    (void)user;
    if (++depth < NESTED_CALLS) {
        CHECK_RC(doca_dma_task_memcpy_set_conf(nested_dma[depth], NULL, NULL, 1),
                 DOCA_ERROR_INVALID_VALUE);
        return;
    }
    run_in_another_thread(use_first_and_last_ctx);
    for (i = 0; i < 2; i++)
        tasks[i] = rig_copy(&shared, shared.dma, 0, LEN);
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&shared);
    for (i = 0; i < 2; i++)
        rig_release(tasks[i]);
    CHECK_EQ(logged.lines, 0);
}

static void more_uses_than_the_checked_mode_remembers(void)
{
    unsigned i;

    rig_open(&shared, TASKS);
    for (i = 0; i < NESTED_CALLS; i++)
        CHECK_OK(doca_dma_create(shared.dev, &nested_dma[i]));
    num_second_runs = depth = 0;
    doca_core_log_set_sink(nest_calls, NULL);
    CHECK_RC(doca_dma_task_memcpy_set_conf(nested_dma[0], NULL, NULL, 1), DOCA_ERROR_INVALID_VALUE);
    record_log();
    CHECK_EQ(num_second_runs, 1);
    CHECK_EQ(shared.num_ok, 2);
    for (i = 0; i < NESTED_CALLS; i++)
        CHECK_OK(doca_dma_destroy(nested_dma[i]));
    rig_close(&shared);
}

/* ---- two threads make the same call at the same time, in many rounds ---- */

enum { ROUNDS = 10000 };

static pthread_barrier_t round_barrier;
static unsigned num_awake;
static void *(*round_function)(void *);

static void *run_rounds(void *arg)
{
    unsigned i, spins;

    for (i = 0; i < ROUNDS; i++) {
        pthread_barrier_wait(&round_barrier);
        /* Spin until the other thread is awake too, so that both call at the same time. Give up
         * after a while: on one processor the other thread would need the next time slice. */
        __atomic_fetch_add(&num_awake, 1, __ATOMIC_RELAXED);
        for (spins = 0; spins < 10000; spins++)
            if (__atomic_load_n(&num_awake, __ATOMIC_RELAXED) >= 2 * (i + 1))
                break;
        round_function(arg);
        pthread_barrier_wait(&round_barrier);
    }
    return NULL;
}

/* In each round this thread calls `before`, then two threads call `function` at the same time, then
 * this thread calls `after`. */
static void race_two_threads(void *(*function)(void *), void (*before)(void), void (*after)(void))
{
    pthread_t threads[2];
    unsigned i;

    round_function = function;
    num_awake = 0;
    doca_core_log_set_sink(ignore_line, NULL);
    CHECK_EQ(pthread_barrier_init(&round_barrier, NULL, 3), 0);
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < 2; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, run_rounds, NULL), 0);
    for (i = 0; i < ROUNDS; i++) {
        before();
        pthread_barrier_wait(&round_barrier);
        pthread_barrier_wait(&round_barrier);
        after();
    }
    for (i = 0; i < 2; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK_EQ(pthread_barrier_destroy(&round_barrier), 0);
    record_log();
}

static unsigned round_count; /* successful calls; in run_own_copy(): threads */

static void count_success(doca_error_t rc)
{
    __atomic_fetch_add(&round_count, rc == DOCA_SUCCESS, __ATOMIC_RELAXED);
}

static void *submit_shared_task(void *arg)
{
    (void)arg;
    count_success(rig_submit(shared_task));
    return NULL;
}

static void before_submits(void)
{
    round_count = 0;
    shared.num_ok = 0;
    CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(shared_task)));
}

static void after_submits(void)
{
    CHECK_EQ(round_count, 1);
    CHECK_EQ(rig_inflight(shared.ctx), 1);
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
}

static void racing_submits_succeed_once(void)
{
    rig_open(&shared, TASKS);
    shared_task = rig_prepare(&shared, shared.dma, 0, LEN);
    race_two_threads(submit_shared_task, before_submits, after_submits);
    rig_release(shared_task);
    rig_close(&shared);
}

/* A device that counts registrations. */
static unsigned num_regs, num_deregs;

static doca_error_t counting_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                                 uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    (void)access;
    *mkey = __atomic_add_fetch(&num_regs, 1, __ATOMIC_RELAXED);
    return DOCA_SUCCESS;
}

static void counting_dereg(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    (void)mkey;
    __atomic_fetch_add(&num_deregs, 1, __ATOMIC_RELAXED);
}

static void *start_and_stop_mmap(void *arg)
{
    (void)arg;
    (void)doca_mmap_start(slow_map);
    (void)doca_mmap_stop(slow_map);
    return NULL;
}

static void *destroy_mmap(void *arg)
{
    (void)arg;
    count_success(doca_mmap_destroy(slow_map));
    return NULL;
}

static void before_starts(void)
{
}

static void after_starts(void)
{
    /* depending on the order of the calls, the mmap may still be started */
    (void)doca_mmap_stop(slow_map);
    CHECK_EQ(num_regs, num_deregs);
}

static void before_destroys(void)
{
    round_count = 0;
    make_slow_map();
    CHECK_OK(doca_mmap_start(slow_map));
}

static void after_destroys(void)
{
    CHECK_EQ(round_count, 1);
    CHECK_EQ(num_regs, num_deregs);
}

static void racing_mmap_calls_take_effect_once(void)
{
    struct doca_core_backend table = slow_table();

    table.reg = counting_reg;
    table.dereg = counting_dereg;
    open_slow(&table);
    race_two_threads(start_and_stop_mmap, before_starts, after_starts);
    CHECK_OK(doca_mmap_destroy(slow_map));
    race_two_threads(destroy_mmap, before_destroys, after_destroys);
    close_slow();
}

static void *try_release_buf(void *arg)
{
    (void)arg;
    count_success(doca_buf_dec_refcount(shared_buf, NULL));
    return NULL;
}

/* A batch that two threads free at the same time is freed once. */
static void *free_batch(void *arg)
{
    (void)arg;
    doca_task_batch_free(shared_batch);
    return NULL;
}

static void before_batches(void)
{
    CHECK_OK(doca_core_task_batch_alloc_init(shared.ctx, (union doca_data){ 0 }, &shared_batch));
}

static void after_batches(void)
{
    struct doca_task_batch *batches[3];
    unsigned i, num;

    for (num = 0; num < 3; num++)
        if (doca_core_task_batch_alloc_init(shared.ctx, (union doca_data){ 0 }, &batches[num]) !=
            DOCA_SUCCESS)
            break;
    CHECK_EQ(num, 2);
    CHECK(batches[0] != batches[1]);
    for (i = 0; i < num; i++)
        doca_task_batch_free(batches[i]);
}

static void *destroy_instance(void *arg)
{
    (void)arg;
    count_success(doca_graph_instance_destroy(shared_instance));
    return NULL;
}

static void before_instances(void)
{
    round_count = 0;
    CHECK_OK(doca_graph_instance_create(shared_graph, &shared_instance));
}

static void *destroy_graph(void *arg)
{
    (void)arg;
    count_success(doca_graph_destroy(shared_graph));
    return NULL;
}

static void before_graphs(void)
{
    struct doca_graph_node *node;
    unsigned i;

    round_count = 0;
    CHECK_OK(doca_graph_create(shared.pe, &shared_graph));
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &node));
}

static void *stop_event(void *arg)
{
    (void)arg;
    count_success(doca_sync_event_stop(unused_event));
    return NULL;
}

static void before_stops(void)
{
    round_count = 0;
    CHECK_OK(doca_sync_event_start(unused_event));
}

static void after_one(void)
{
    CHECK_EQ(round_count, 1);
}

static void racing_frees_and_stops_take_effect_once(void)
{
    struct doca_graph_node *node;

    rig_build(&shared, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(shared.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                               batch_ended, batch_ended));
    CHECK_OK(doca_ctx_start(shared.ctx));
    rig_drain(&shared);
    race_two_threads(free_batch, before_batches, after_batches);
    race_two_threads(destroy_graph, before_graphs, after_one);
    CHECK_OK(doca_graph_create(shared.pe, &shared_graph));
    CHECK_OK(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &node));
    CHECK_OK(doca_graph_set_conf(shared_graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(shared_graph));
    race_two_threads(destroy_instance, before_instances, after_one);
    CHECK_OK(doca_graph_stop(shared_graph));
    CHECK_OK(doca_graph_destroy(shared_graph));
    CHECK_OK(doca_sync_event_create(&unused_event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(unused_event, shared.dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(unused_event, shared.dev));
    race_two_threads(stop_event, before_stops, after_one);
    CHECK_OK(doca_sync_event_destroy(unused_event));
    rig_close(&shared);
}

/* The free callback of an mmap may unmap not only the range of the mmap but also the arena that
 * holds the mmap. doca_mmap_destroy() must not access that memory after the callback. */
static unsigned char *whole_mapping;

static void unmap_all(void *addr, size_t len, void *opaque)
{
    (void)addr;
    (void)len;
    CHECK_EQ(munmap(opaque, 1 << 20), 0);
    whole_mapping = NULL;
}

static void mmap_destroy_may_unmap_its_own_arena(void)
{
    struct doca_core_arena own;
    struct doca_mmap *map;
    void *mapping = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(mapping != MAP_FAILED);
    whole_mapping = mapping;
    CHECK_OK(doca_core_arena_init(&own, whole_mapping, 1 << 19));
    CHECK_OK(doca_core_mmap_create_in(&own, &map));
    CHECK_OK(doca_mmap_set_memrange(map, whole_mapping + (1 << 19), 1 << 19));
    CHECK_OK(doca_mmap_set_free_cb(map, unmap_all, mapping));
    CHECK_OK(doca_mmap_start(map));
    CHECK_OK(doca_mmap_destroy(map));
    CHECK(whole_mapping == NULL);
}

/* Both threads release the same list of 16 bufs. The call reads the whole list first, so it takes
 * long enough for the threads to meet. */
static void before_releases(void)
{
    unsigned i;

    round_count = 0;
    shared_buf = rig_src(&shared, 0, LEN);
    for (i = 1; i < 16; i++)
        CHECK_OK(doca_buf_chain_list(shared_buf, rig_src(&shared, 0, LEN)));
}

static void after_releases(void)
{
    CHECK_EQ(round_count, 1);
}

static void racing_buf_releases_succeed_once(void)
{
    uint32_t num_before, num_after;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_buf_inventory_get_num_free_elements(shared.inventory, &num_before));
    race_two_threads(try_release_buf, before_releases, after_releases);
    CHECK_OK(doca_buf_inventory_get_num_free_elements(shared.inventory, &num_after));
    CHECK_EQ(num_after, num_before);
    rig_close(&shared);
}

/* Each thread has its own PE. A task of each PE reads the same list, which can be changed only
 * after both tasks have completed. */
static struct doca_dma_task_memcpy *tasks_of_both[2];

static void *run_own_copy(void *arg)
{
    unsigned i = __atomic_fetch_add(&round_count, 1, __ATOMIC_RELAXED);

    (void)arg;
    CHECK_OK(rig_submit(tasks_of_both[i]));
    rig_drain(i == 0 ? &shared : &second_rig);
    return NULL;
}

static void before_copies(void)
{
    unsigned i;

    round_count = 0;
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(tasks_of_both[i])));
}

static void after_copies(void)
{
    CHECK_OK(doca_buf_set_data(shared_buf, rig_from, 1));
}

static void list_read_by_two_threads_can_be_changed_afterwards(void)
{
    unsigned i;

    rig_open(&shared, 1);
    rig_open(&second_rig, 1);
    shared_buf = rig_src(&shared, 0, 1);
    for (i = 1; i < LEN; i++)
        CHECK_OK(doca_buf_chain_list(shared_buf, rig_src(&shared, i, 1)));
    tasks_of_both[0] = rig_task(shared.dma, shared_buf, rig_dst(&shared, 0, LEN));
    tasks_of_both[1] = rig_task(second_rig.dma, shared_buf, rig_dst(&second_rig, LEN, LEN));
    race_two_threads(run_own_copy, before_copies, after_copies);
    CHECK_EQ(shared.num_ok, ROUNDS);
    CHECK_EQ(second_rig.num_ok, ROUNDS);
    CHECK_OK(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(tasks_of_both[1]), NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(tasks_of_both[1]));
    rig_release(tasks_of_both[0]);
    rig_close(&second_rig);
    rig_close(&shared);
}

/* Both threads change the reference count of one buf if `is_counted` is set, else its content. */
static bool is_counted;

static void *use_one_buf(void *arg)
{
    while (doca_core_check_num_reports() < reports_before + 100 && time(NULL) < race_deadline) {
        if (is_counted) {
            CHECK_OK(doca_buf_inc_refcount(shared_buf, NULL));
            CHECK_OK(doca_buf_dec_refcount(shared_buf, NULL));
        } else {
            CHECK_OK(doca_buf_set_data(shared_buf, arg, LEN));
        }
    }
    return NULL;
}

static void two_threads_at_a_buf_are_reported(void)
{
    pthread_t thread;
    uint16_t num;
    unsigned i;

    rig_open(&shared, TASKS);
    shared_buf = rig_src(&shared, 0, 2 * LEN);
    for (i = 0; i < 2; i++) {
        is_counted = i == 1;
        doca_core_log_set_sink(ignore_line, NULL);
        reports_before = doca_core_check_num_reports();
        race_deadline = time(NULL) + 60;
        heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_create(&thread, NULL, use_one_buf, rig_from), 0);
        (void)use_one_buf(rig_from + LEN);
        CHECK_EQ(pthread_join(thread, NULL), 0);
        heap_trap_set(HEAP_TRAP_ABORT);
        record_log();
        CHECK(doca_core_check_num_reports() > reports_before);
    }
    CHECK_OK(doca_buf_get_refcount(shared_buf, &num));
    CHECK_EQ(num, 1);
    CHECK_OK(doca_buf_dec_refcount(shared_buf, NULL));
    rig_close(&shared);
}

/* Two threads chain and split the same list. This is reported, and the list stays intact. */
static struct doca_buf *shared_list[2];
static enum doca_core_item damage;

static void record_damage(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)line;
    (void)user;
    if (item == DOCA_CORE_ITEM_BUF_BROKEN)
        __atomic_store_n(&damage, item, __ATOMIC_RELAXED);
}

static void *use_one_list(void *arg)
{
    (void)arg;
    while (doca_core_check_num_reports() < reports_before + 100 && time(NULL) < race_deadline) {
        (void)doca_buf_chain_list(shared_list[0], shared_list[1]);
        (void)doca_buf_unchain_list(shared_list[0], shared_list[1]);
    }
    return NULL;
}

static void two_threads_at_a_list_are_reported(void)
{
    pthread_t thread;
    uint32_t num;

    rig_open(&shared, TASKS);
    shared_list[0] = rig_src(&shared, 0, LEN);
    shared_list[1] = rig_src(&shared, LEN, LEN);
    damage = DOCA_CORE_ITEM_NONE;
    doca_core_log_set_sink(record_damage, NULL);
    reports_before = doca_core_check_num_reports();
    race_deadline = time(NULL) + 60;
    heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&thread, NULL, use_one_list, NULL), 0);
    (void)use_one_list(NULL);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    record_log();
    CHECK_EQ(damage, DOCA_CORE_ITEM_NONE);
    CHECK(doca_core_check_num_reports() > reports_before);
    /* the last call of the threads may have split the list */
    (void)doca_buf_chain_list(shared_list[0], shared_list[1]);
    CHECK_OK(doca_buf_get_list_len(shared_list[0], &num));
    CHECK_EQ(num, 2);
    CHECK_OK(doca_buf_dec_refcount(shared_list[0], NULL));
    rig_close(&shared);
}

/* A buffer array for a GPU. The device is slow to create and to destroy the GPU's view of the
 * array, so that a second thread can call in the meantime. */
static struct doca_buf_arr *slow_array;

static void *use_array(void *arg)
{
    (void)arg;
    record_log();
    CHECK_RC(doca_buf_arr_start(slow_array), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_start, "array created");
    CHECK_RC(doca_buf_arr_stop(slow_array), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_stop, "array created");
    CHECK_RC(doca_buf_arr_destroy(slow_array), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_destroy, "array created");
    CHECK_RC(doca_buf_arr_set_params(slow_array, LEN, 1, 0), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_set_params, "array created");
    CHECK_RC(doca_core_v3_buf_arr_set_params(slow_array, slow_map, LEN, 0),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_core_v3_buf_arr_set_params, "array created");
    CHECK_RC(doca_buf_arr_set_target_gpu(slow_array, (struct doca_gpu *)(void *)&shared),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_set_target_gpu, "array created");
    num_second_runs++;
    return NULL;
}

static doca_error_t slow_arr_start(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                   void **handle)
{
    (void)dev;
    (void)arr;
    run_in_another_thread(use_array);
    *handle = &num_second_runs;
    return DOCA_SUCCESS;
}

static void slow_arr_stop(struct doca_dev *dev, const struct doca_buf_arr *arr, void *handle)
{
    (void)dev;
    (void)arr;
    (void)handle;
    run_in_another_thread(use_array);
}

static void second_thread_cannot_change_an_array(void)
{
    struct doca_core_backend table = slow_table();
    static int processor;

    table.arr_start = slow_arr_start;
    table.arr_stop = slow_arr_stop;
    open_slow(&table);
    CHECK_OK(doca_mmap_start(slow_map));
    CHECK_OK(doca_buf_arr_create(slow_map, &slow_array));
    CHECK_OK(doca_buf_arr_set_params(slow_array, LEN, 2, 0));
    CHECK_OK(doca_buf_arr_set_target_gpu(slow_array, (struct doca_gpu *)(void *)&processor));
    CHECK_OK(doca_buf_arr_start(slow_array));
    CHECK_OK(doca_buf_arr_stop(slow_array));
    CHECK_OK(doca_buf_arr_start(slow_array));
    CHECK_OK(doca_buf_arr_destroy(slow_array));
    CHECK_EQ(num_second_runs, 4);
    CHECK_OK(doca_mmap_destroy(slow_map));
    close_slow();
}

/* A child of fork() can use bufs of its own while a task of the parent is in flight. */
static void forked_child_can_use_its_own_bufs(void)
{
    struct doca_dma_task_memcpy *task, *another;
    struct rig r, own;
    pid_t child;

    rig_open(&r, TASKS);
    task = rig_copy(&r, r.dma, 0, LEN);
    record_log();
    child = fork();
    if (child == 0) {
        rig_open(&own, TASKS);
        another = rig_copy(&own, own.dma, 0, LEN);
        rig_drain(&own);
        rig_release(another);
        _exit(logged.lines == 0 && own.num_ok == 1 ? 0 : 1);
    }
    PEER_REAP(child);
    rig_drain(&r);
    rig_release(task);
    rig_close(&r);
}

/* Overlaps of the child's own tasks are reported in the child, whether or not the parent had a task
 * in flight at the fork. The parent's task causes no report in the child. */
static void forked_child_gets_reports_of_its_own_overlaps(void)
{
    struct doca_dma_task_memcpy *task, *another, *of_parent = NULL;
    unsigned has_parent;
    struct rig r;
    pid_t child;

    for (has_parent = 0; has_parent < 2; has_parent++) {
        rig_open(&r, TASKS);
        if (has_parent)
            of_parent = rig_copy(&r, r.dma, 0, LEN);
        else
            rig_release(rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, 0, LEN)));
        record_log();
        child = fork();
        if (child == 0) {
            task = rig_copy(&r, r.dma, 2 * LEN, LEN);
            while (r.num_ok < has_parent) /* includes the child's copy of the parent's task */
                (void)rig_progress(&r);
            another = rig_copy(&r, r.dma, 2 * LEN, LEN);
            _exit(task != another && logged.lines == 1 &&
                          logged.item == DOCA_CORE_ITEM_CHECK_OVERLAP
                      ? 0
                      : 1);
        }
        PEER_REAP(child);
        rig_drain(&r);
        if (has_parent)
            rig_release(of_parent);
        rig_close(&r);
    }
}

static void *release_shared_buf(void *arg)
{
    (void)arg;
    CHECK_OK(doca_buf_dec_refcount(shared_buf, NULL));
    return NULL;
}

/* The log sink of a failing call may wait for another thread that releases a buf: the library holds
 * no lock while it calls the sink. */
static void wait_for_another_thread(uint32_t level, enum doca_core_item item, const char *line,
                                    void *user)
{
    (void)level;
    (void)line;
    (void)user;
    CHECK_EQ(item, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE);
    run_in_another_thread(release_shared_buf);
}

static void sink_may_wait_for_another_thread(void)
{
    void *const before = (void *)((uintptr_t)rig_from - LEN); /* below the range of the mmap */
    struct doca_buf *buf = NULL;
    struct rig r;

    rig_open(&r, TASKS);
    rig_open(&shared, TASKS);
    shared_buf = rig_src(&shared, 0, LEN);
    doca_core_log_set_sink(wait_for_another_thread, NULL);
    CHECK_RC(doca_buf_inventory_buf_get_by_data(r.inventory, r.src_map, before, LEN, &buf),
             DOCA_ERROR_INVALID_VALUE);
    record_log();
    buf = rig_src(&r, 0, LEN); /* works: the failed call holds no lock */
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    rig_close(&shared);
    rig_close(&r);
}

static struct doca_dma_task_memcpy *handed_task;

static void *run_handed_task(void *arg)
{
    (void)arg;
    CHECK_OK(rig_submit(handed_task));
    rig_drain(&shared);
    rig_release(handed_task);
    return NULL;
}

/* Threads may use a PE one after the other. The history names the thread that submitted a task. */
static void pe_can_be_handed_to_another_thread(void)
{
    char text[256];
    unsigned i;

    rig_open(&shared, 1);
    record_log();
    for (i = 0; i < 2; i++) {
        handed_task = rig_prepare(&shared, shared.dma, 0, LEN);
        run_in_another_thread(run_handed_task);
        CHECK_OK(doca_core_check_life(handed_task, text, sizeof(text)));
        CHECK(strstr(text, " submitted by ") != NULL);
    }
    CHECK_EQ(shared.num_ok, 2);
    CHECK_EQ(logged.lines, 0);
    rig_close(&shared);
}

static void *check_progress_is_refused(void *arg)
{
    (void)arg;
    CHECK_EQ(doca_pe_progress(shared.pe), 0);
    CHECK_REPORT(CHECK_THREAD, doca_pe_progress, "pe created");
    return NULL;
}

/* Every call of doca_pe_progress() in a callback is reported. After such calls the thread still
 * counts as using the PE, so another thread is refused. */
static void nest_progress(struct rig *r, struct doca_dma_task_memcpy *task)
{
    unsigned i;

    (void)task;
    for (i = 0; i < 3; i++) {
        (void)doca_pe_progress(r->pe);
        CHECK_REPORT(CHECK_NESTED, doca_pe_progress, "pe created");
    }
    run_in_another_thread(check_progress_is_refused);
}

static void progress_in_a_callback_is_reported(void)
{
    struct doca_dma_task_memcpy *task;

    rig_open(&shared, TASKS);
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = nest_progress;
    record_log();
    rig_drain(&shared);
    CHECK_EQ(logged.lines, 0);
    shared.on_task = NULL;
    rig_release(task);
    rig_close(&shared);
}

static jmp_buf way_out;

static void leave_by_longjmp(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    rig_release(task);
    longjmp(way_out, 1);
}

static void progress_in_another_thread(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    record_log();
    run_in_another_thread(check_progress_is_refused);
}

/* Callbacks leave doca_pe_progress() by longjmp(), and their PEs are destroyed. The recorded uses
 * of destroyed PEs are dropped: after more PEs than the checked mode remembers uses, it still
 * refuses a second thread. */
static void destroyed_pes_left_by_longjmp_are_forgotten(void)
{
    struct doca_dma_task_memcpy *task;
    static unsigned i; /* static, as longjmp() can lose the value of a local variable */

    for (i = 0; i < 100; i++) {
        rig_open(&shared, 1);
        (void)rig_copy(&shared, shared.dma, 0, LEN);
        shared.on_task = leave_by_longjmp;
        if (setjmp(way_out) == 0)
            rig_drain(&shared);
        CHECK_OK(doca_dma_destroy(shared.dma));
        shared.dma = NULL;
        rig_close(&shared);
    }
    rig_open(&shared, TASKS);
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = progress_in_another_thread;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
    rig_release(task);
    rig_close(&shared);
}

/* A thread that leaves doca_pe_progress() by longjmp() still counts as using that PE. It does not
 * count as using a new PE at the same address, so another thread may use the new PE. */
static struct doca_pe *new_pe;

static void *use_new_pe(void *arg)
{
    (void)arg;
    CHECK_OK(doca_pe_set_event_mode(new_pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    CHECK_OK(doca_pe_destroy(new_pe));
    return NULL;
}

static void new_pe_in_place_of_an_abandoned_pe_is_usable(void)
{
    DOCA_CORE_ALIGNED static unsigned char memory[1 << 20];
    struct doca_core_arena *bound = doca_core_arena_bound(), own;
    struct doca_pe *old_pe;

    rig_open(&shared, 1);
    CHECK_OK(doca_core_arena_init(&own, memory, sizeof(memory)));
    CHECK_OK(doca_core_arena_bind(&own));
    CHECK_OK(doca_pe_create(&old_pe));
    CHECK_OK(doca_dma_create(shared.dev, &unused_dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(unused_dma, rig_completed, rig_failed, 1));
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(unused_dma),
                                    (union doca_data){ .ptr = &shared }));
    CHECK_OK(doca_pe_connect_ctx(old_pe, doca_dma_as_ctx(unused_dma)));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(unused_dma)));
    CHECK_OK(rig_submit(rig_prepare(&shared, unused_dma, 0, LEN)));
    shared.on_task = leave_by_longjmp;
    shared.in_progress = true;
    if (setjmp(way_out) == 0)
        while (doca_pe_progress(old_pe) > 0)
            continue;
    shared.in_progress = false;
    CHECK_OK(doca_dma_destroy(unused_dma));
    /* make the arena empty without destroying old_pe */
    CHECK_OK(doca_core_arena_init(&own, memory, sizeof(memory)));
    CHECK_OK(doca_pe_create(&new_pe));
    CHECK_PTR(new_pe, old_pe);
    record_log();
    run_in_another_thread(use_new_pe);
    CHECK_EQ(logged.lines, 0);
    CHECK_OK(doca_core_arena_bind(bound));
    rig_close(&shared);
}

/* fork() may be called while another thread of the parent holds a lock of the library. In the child
 * all locks are free. */
static unsigned is_forking_done;

static void *make_lists(void *arg)
{
    struct doca_devinfo **list;
    uint32_t num;

    (void)arg;
    while (__atomic_load_n(&is_forking_done, __ATOMIC_ACQUIRE) == 0) {
        CHECK_OK(doca_devinfo_create_list(&list, &num));
        CHECK_OK(doca_devinfo_destroy_list(list));
    }
    return NULL;
}

static void forked_child_finds_all_locks_free(void)
{
    DOCA_CORE_ALIGNED static unsigned char memory[1 << 16];
    struct doca_core_arena own;
    struct doca_pe *pe;
    pthread_t threads[4]; /* with 4 threads, one nearly always holds a lock */
    pid_t pid;
    unsigned i;

    is_forking_done = 0;
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < 4; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, make_lists, NULL), 0);
    for (i = 0; i < 300; i++) {
        pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            alarm(20);
            if (doca_core_arena_init(&own, memory, sizeof(memory)) == DOCA_SUCCESS &&
                doca_core_pe_create_in(&own, &pe) == DOCA_SUCCESS)
                _exit(doca_pe_destroy(pe) == DOCA_SUCCESS ? 0 : 1);
            _exit(1);
        }
        PEER_REAP(pid);
    }
    __atomic_store_n(&is_forking_done, 1, __ATOMIC_RELEASE);
    for (i = 0; i < 4; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
}

/* A program passes a pointer to memory that is no object of the expected type. Its first byte may
 * be any kind. To recognize the mistake, a call reads no more of the memory than the smallest
 * objects have: bufs and tasks, which have no guard word. */
static void memory_with_any_first_byte_is_refused(void)
{
    DOCA_CORE_ALIGNED static unsigned char memory[2 * DOCA_CORE_LINE];
    unsigned byte;

    for (byte = 0; byte < 256; byte++) {
        memset(memory, 0x5a, sizeof(memory));
        memory[0] = (unsigned char)byte;
        CHECK_RC(doca_pe_destroy((struct doca_pe *)(void *)memory), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_graph_destroy((struct doca_graph *)(void *)memory), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_mmap_start((struct doca_mmap *)(void *)memory), DOCA_ERROR_INVALID_VALUE);
    }
    for (byte = 1; byte < 8; byte++) /* misaligned addresses */
        if (byte % sizeof(void *) != 0)
            CHECK_RC(doca_mmap_start((struct doca_mmap *)(uintptr_t)byte),
                     DOCA_ERROR_INVALID_VALUE);
}

static void progress_after_longjmp_is_not_nested(void)
{
    struct rig r;

    rig_open(&r, TASKS);
    rig_copy(&r, r.dma, 0, LEN);
    rig_copy(&r, r.dma, LEN, LEN);
    r.on_task = leave_by_longjmp;
    record_log();
    r.in_progress = true;
    (void)setjmp(way_out);
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(logged.lines, 0);
    CHECK_EQ(r.num_ok, 2);
    r.in_progress = false;
    rig_close(&r);
}

static const struct test_case cases[] = {
    /* first, because later cases make the library install its handler for fork() */
    CASE(forked_child_finds_all_locks_free, ""),
    CASE(use_of_a_released_task_reports_its_history, ""),
    CASE(released_bufs_are_not_reused_at_once, ""),
    CASE(released_tasks_are_not_reused_at_once, ""),
    CASE(every_handle_has_a_generation, ""),
    CASE(stale_buf_is_reported, ""),
    CASE(stale_task_is_reported, ""),
    CASE(stale_mmap_is_reported, ""),
    CASE(stale_context_is_reported, ""),
    CASE(getters_report_released_objects, ""),
    CASE(getters_report_tasks_freed_by_ctx_stop, ""),
    CASE(submit_refuses_released_and_invalid_bufs, ""),
    CASE(submit_refuses_a_later_buf_with_an_equal_handle, ""),
    CASE(graph_refuses_a_later_task_at_the_same_address, ""),
    CASE(batches_and_graphs_report_released_bufs, ""),
    CASE(destroy_of_a_parent_reports_its_history, ""),
    CASE(destroy_of_a_parent_of_idle_objects_is_reported, ""),
    CASE(use_of_a_released_buf_reports_its_history, ""),
    CASE(use_of_a_destroyed_object_reports_its_history, ""),
    CASE(released_memory_is_not_reused_at_once, ""),
    CASE(quarantined_memory_is_reused_if_no_other_is_free, ""),
    CASE(write_to_released_memory_is_reported, ""),
    CASE(audit_names_the_object_below_the_damage, ""),
    CASE(program_can_read_the_history_of_an_object, ""),
    CASE(oldest_history_is_forgotten, ""),
    CASE(history_of_long_lived_objects_is_kept, ""),
    CASE(bufs_of_a_task_in_flight_cannot_be_changed, "104"),
    CASE(long_lists_of_a_task_in_flight_cannot_be_changed, "104"),
    CASE(overlapping_destinations_are_reported, ""),
    CASE(overlap_is_reported_by_the_submitting_call, ""),
    CASE(overlap_of_a_graph_task_is_reported_by_progress, ""),
    CASE(two_overlaps_of_a_list_make_one_report, ""),
    CASE(equal_addresses_in_two_processes_do_not_overlap, ""),
    CASE(unwritten_elements_do_not_overlap, ""),
    CASE(one_destination_buf_of_two_tasks_is_reported, ""),
    CASE(circular_list_is_refused, ""),
    CASE(buf_of_an_advise_task_in_flight_cannot_be_changed, ""),
    CASE(overlaps_are_found_after_a_pe_is_destroyed, ""),
    CASE(second_thread_cannot_use_the_pe, ""),
    CASE(second_thread_cannot_submit_a_batch_or_graph, ""),
    CASE(second_thread_cannot_configure, ""),
    CASE(two_threads_at_an_inventory_are_reported, ""),
    CASE(two_threads_at_an_mmap_are_reported, ""),
    CASE(second_thread_cannot_change_an_mmap, ""),
    CASE(racing_submits_succeed_once, ""),
    CASE(racing_mmap_calls_take_effect_once, ""),
    CASE(second_thread_cannot_use_a_context_without_pe, ""),
    CASE(second_thread_is_refused_during_any_pe_call, ""),
    CASE(second_thread_cannot_build_the_same_graph, ""),
    CASE(second_thread_cannot_configure_the_same_mmap, ""),
    CASE(second_thread_cannot_start_the_same_event, ""),
    CASE(second_thread_cannot_start_the_same_inventory_or_pool, ""),
    CASE(more_uses_than_the_checked_mode_remembers, ""),
    CASE(racing_frees_and_stops_take_effect_once, ""),
    CASE(mmap_destroy_may_unmap_its_own_arena, ""),
    CASE(racing_buf_releases_succeed_once, ""),
    CASE(list_read_by_two_threads_can_be_changed_afterwards, ""),
    CASE(two_threads_at_a_buf_are_reported, ""),
    CASE(two_threads_at_a_list_are_reported, ""),
    CASE(second_thread_cannot_change_an_array, ""),
    CASE(forked_child_can_use_its_own_bufs, ""),
    CASE(forked_child_gets_reports_of_its_own_overlaps, ""),
    CASE(sink_may_wait_for_another_thread, ""),
    CASE(pe_can_be_handed_to_another_thread, ""),
    CASE(progress_in_a_callback_is_reported, "223"),
    CASE(destroyed_pes_left_by_longjmp_are_forgotten, ""),
    CASE(new_pe_in_place_of_an_abandoned_pe_is_usable, ""),
    CASE(memory_with_any_first_byte_is_refused, ""),
    CASE(progress_after_longjmp_is_not_nested, ""),
};

#else

static void other_levels_omit_the_checked_mode(void)
{
    char text[96];
    int object;

    CHECK_EQ(doca_core_check_num_reports(), 0);
    CHECK_RC(doca_core_check_life(&object, text, sizeof(text)), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(sizeof(struct doca_buf) <= DOCA_CORE_LINE, 1);
}

static const struct test_case cases[] = { CASE(other_levels_omit_the_checked_mode, "") };

#endif

TEST_MAIN(cases)

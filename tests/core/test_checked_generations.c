/* The checked mode: the generation number in a handle tells an object from a later one at the same
 * address. */
#include "checked_support.h"

#include <sys/mman.h>

static void partial_hash_ended(struct doca_sha_task_partial_hash *task, union doca_data user_data,
                               union doca_data ctx_data)
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

static const struct test_case cases[] = {
    CASE(every_handle_has_a_generation, ""),
    CASE(stale_buf_is_reported, ""),
    CASE(stale_task_is_reported, ""),
    CASE(stale_mmap_is_reported, ""),
    CASE(stale_context_is_reported, ""),
    CASE(submit_refuses_a_later_buf_with_an_equal_handle, ""),
    CASE(graph_refuses_a_later_task_at_the_same_address, ""),
};

TEST_MAIN(cases)

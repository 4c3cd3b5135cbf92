/* The operations of instructions.c in loops, as programs have them, and the limits of their
 * counts. */
#ifndef BENCH_INSTRUCTIONS_LOOPS_H
#define BENCH_INSTRUCTIONS_LOOPS_H

#include "instructions_objects.h"

static struct doca_buf *bufs[MANY];
static struct doca_dma_task_memcpy *tasks[MANY];

static void nothing(unsigned n)
{
    (void)n;
}

static void run_memmove(unsigned n)
{
    static volatile size_t bytes = SMALL; /* not known to the compiler, like the length of a buf */

    while (n-- > 0)
        memmove(to, from, bytes);
}

static void run_buf_pair(unsigned n)
{
    struct doca_buf_inventory *i = inventory;
    struct doca_mmap *m = map;
    struct doca_buf *buf;

    while (n-- > 0) {
        must(doca_buf_inventory_buf_get_by_addr(i, m, from, SMALL, &buf));
        must(doca_buf_dec_refcount(buf, NULL));
    }
}

static void run_chain4(unsigned n)
{
    struct doca_buf_inventory *i = inventory;
    struct doca_mmap *m = map;
    struct doca_buf *a, *b, *c, *d;

    while (n-- > 0) {
        must(doca_buf_inventory_buf_get_by_addr(i, m, from, SMALL, &a));
        must(doca_buf_inventory_buf_get_by_addr(i, m, from, SMALL, &b));
        must(doca_buf_inventory_buf_get_by_addr(i, m, from, SMALL, &c));
        must(doca_buf_inventory_buf_get_by_addr(i, m, from, SMALL, &d));
        must(doca_buf_chain_list(a, b));
        must(doca_buf_chain_list(a, c));
        must(doca_buf_chain_list(a, d));
        must(doca_buf_dec_refcount(a, NULL));
    }
}

static void run_lists2(unsigned n)
{
    struct doca_buf_inventory *i = inventory;
    struct doca_mmap *m = map;
    struct doca_buf *a, *b, *c, *d;

    while (n-- > 0) {
        must(doca_buf_inventory_buf_get_by_addr(i, m, from, SMALL, &a));
        must(doca_buf_inventory_buf_get_by_addr(i, m, from, SMALL, &b));
        must(doca_buf_inventory_buf_get_by_addr(i, m, from, SMALL, &c));
        must(doca_buf_inventory_buf_get_by_addr(i, m, from, SMALL, &d));
        must(doca_buf_chain_list(a, b));
        must(doca_buf_chain_list(c, d));
        must(doca_buf_dec_refcount(a, NULL));
        must(doca_buf_dec_refcount(c, NULL));
    }
}

static void run_get_by_addr(unsigned n)
{
    while (n-- > 0)
        must(doca_buf_inventory_buf_get_by_addr(inventory, map, from, SMALL, &bufs[n]));
}

static void run_get_by_data(unsigned n)
{
    while (n-- > 0)
        must(doca_buf_inventory_buf_get_by_data(inventory, map, from, SMALL, &bufs[n]));
}

static void run_get_by_args(unsigned n)
{
    while (n-- > 0)
        must(doca_buf_inventory_buf_get_by_args(inventory, map, from, SMALL, from, SMALL / 2,
                                                &bufs[n]));
}

static void run_pool_alloc(unsigned n)
{
    while (n-- > 0)
        must(doca_buf_pool_buf_alloc(pool, &bufs[n]));
}

static void run_dec_refcount(unsigned n)
{
    while (n-- > 0)
        must(doca_buf_dec_refcount(bufs[n], NULL));
}

static void run_inc_dec(unsigned n)
{
    struct doca_buf *buf = src;

    while (n-- > 0) {
        must(doca_buf_inc_refcount(buf, NULL));
        must(doca_buf_dec_refcount(buf, NULL));
    }
}

/* Run one task after the other; the callback frees each of them. */
static inline void run_tasks(unsigned n, struct doca_dma *of, struct doca_pe *on,
                             const struct doca_buf *s, struct doca_buf *d)
{
    struct doca_dma_task_memcpy *task;

    while (n-- > 0) {
        must(doca_dma_task_memcpy_alloc_init(of, s, d, release, &task));
        must(doca_task_submit(as_task(task)));
        if (doca_pe_progress(on) == 0)
            fail("a task did not complete");
    }
}

static void run_task(unsigned n)
{
    run_tasks(n, dma, pe, src, dst);
}

static void run_task_among(unsigned n)
{
    run_tasks(n, dma_among[NUM_AMONG / 2], pe_among, src, dst);
}

static void run_task_lists(unsigned n)
{
    while (n-- > 0)
        run_tasks(1, dma, pe, src2, dst2[n]);
}

static void run_task_with_bufs(unsigned n)
{
    struct doca_buf_inventory *i = inventory;
    struct doca_mmap *m = map;
    struct doca_buf *s, *d;

    while (n-- > 0) {
        must(doca_buf_inventory_buf_get_by_data(i, m, from, SMALL, &s));
        must(doca_buf_inventory_buf_get_by_addr(i, m, to, SMALL, &d));
        run_tasks(1, dma, pe, s, d);
        must(doca_buf_dec_refcount(s, NULL));
        must(doca_buf_dec_refcount(d, NULL));
    }
}

static void run_task_burst(unsigned n)
{
    struct doca_dma_task_memcpy *task;
    unsigned i;

    for (i = 0; i < n; i++) {
        must(doca_dma_task_memcpy_alloc_init(dma, src, dst, release, &task));
        must(doca_task_submit(as_task(task)));
    }
    for (i = 0; i < n; i++)
        if (doca_pe_progress(pe) == 0)
            fail("a task did not complete");
}

static void run_resubmit(unsigned n)
{
    struct doca_task *task = as_task(tasks[0]);

    while (n-- > 0) {
        must(doca_task_submit(task));
        if (doca_pe_progress(pe) == 0)
            fail("a task did not complete");
    }
}

static void run_alloc_init(unsigned n)
{
    while (n-- > 0)
        must(doca_dma_task_memcpy_alloc_init(dma, src, dst, keep, &tasks[n]));
}

static void run_submit(unsigned n)
{
    while (n-- > 0)
        must(doca_task_submit(as_task(tasks[n])));
}

static void run_progress(unsigned n)
{
    while (n-- > 0)
        if (doca_pe_progress(pe) == 0)
            fail("a task did not complete");
}

static void run_free(unsigned n)
{
    while (n-- > 0)
        doca_task_free(as_task(tasks[n]));
}

static void run_idle(unsigned n)
{
    while (n-- > 0)
        doca_pe_progress(pe);
}

static void run_idle_among(unsigned n)
{
    while (n-- > 0)
        doca_pe_progress(pe_among);
}

static void run_graph(struct doca_graph_instance *run)
{
    unsigned before = num_done;

    must(doca_graph_instance_submit(run));
    while (num_done == before)
        doca_pe_progress(pe_graph);
}

static void run_line(unsigned n)
{
    run_graph(lines[n]);
}

static void run_lanes(unsigned n)
{
    run_graph(lanes[n]);
}

static void run_sha_submit(unsigned n)
{
    struct doca_sha_task_hash *task;

    while (n-- > 0) {
        must(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src, digest, none,
                                           &task));
        must(doca_task_submit(doca_sha_task_hash_as_task(task)));
    }
}

static void run_event_set(unsigned n)
{
    while (n-- > 0)
        must(doca_sync_event_update_set(event, n));
}

static void run_event_get(unsigned n)
{
    uint64_t value;

    while (n-- > 0)
        must(doca_sync_event_get(event, &value));
}

static void run_event_add(unsigned n)
{
    uint64_t value;

    while (n-- > 0)
        must(doca_sync_event_update_add(event, 1, &value));
}

/* Preparation and clean-up, which are not counted. */

static void empty_dst(unsigned n)
{
    (void)n;
    must(doca_buf_reset_data_len(dst));
    memset(to, 0, SMALL * MANY);
}

static void empty_lists(unsigned n)
{
    struct doca_buf *rest;

    while (n-- > 0) {
        must(doca_buf_get_next_in_list(dst2[n], &rest));
        must(doca_buf_reset_data_len(dst2[n]));
        must(doca_buf_reset_data_len(rest));
    }
    memset(to, 0, SMALL * MANY);
}

static void check_copies(unsigned n)
{
    for (; n > 0; n--)
        if (memcmp(to + (n - 1) * SMALL, from, SMALL) != 0)
            fail("a copy differs from its source");
}

static void check_copy(unsigned n)
{
    (void)n;
    check_copies(1);
}

static void empty_graph(unsigned n)
{
    (void)n;
    must(doca_buf_reset_data_len(dst_graph));
    memset(to, 0, SMALL);
}

static void alloc_tasks(unsigned n)
{
    empty_dst(n);
    run_alloc_init(n);
}

static void submit_tasks(unsigned n)
{
    alloc_tasks(n);
    run_submit(n);
}

static void end_tasks(unsigned n)
{
    run_progress(n);
    run_free(n);
    check_copies(n);
}

static void alloc_one(unsigned n)
{
    (void)n;
    alloc_tasks(1);
}

static void free_one(unsigned n)
{
    run_free(1);
    check_copies(n);
}

static void end_hashes(unsigned n)
{
    (void)n;
    while (doca_pe_progress(pe_sha))
        continue;
    must(doca_buf_reset_data_len(digest));
}

static void settle(unsigned n)
{
    (void)n;
    while (doca_pe_progress(pe))
        continue;
}

/* Gates and floors come from the project's targets. A ceiling is the count of the operation when it
 * was last measured. When the count falls, lower the ceiling; raise it only with a reason. */
static const struct row {
    const char *work;
    unsigned floor, gate, ceiling; /* limits of the count; 0: no limit */
    unsigned copies;               /* copies of SMALL bytes within the operation */
    const char *title;
    void (*run)(unsigned n);
    void (*before)(unsigned n); /* NULL: nothing */
    void (*after)(unsigned n);
} rows[] = {
    { "memmove", 0, 0, 0, 1, "bare memmove of 64 B", run_memmove, NULL, check_copy },
    { "buf_pair", 55, 65, 41, 0, "get_by_addr + dec_refcount", run_buf_pair, NULL, NULL },
    { "chain4", 197, 230, 227, 0, "4 bufs, chained, released as one list", run_chain4, NULL, NULL },
    { "task", 94, 110, 109, 1, "64 B task: alloc_init, submit, progress with copy, callback, free",
      run_task, empty_dst, check_copies },
    { "task_with_bufs", 187, 220, 198, 1, "the same with two bufs taken and released",
      run_task_with_bufs, empty_dst, check_copy },
    { "idle", 24, 30, 10, 0, "pe_progress with nothing to do", run_idle, settle, NULL },
    { "graph_node", 28, 36, 18, 0, "user node in a line", run_line, empty_graph, check_copy },
    { "graph_lane", 0, 0, 133, 0, "4 user nodes in a line, one of several beside each other",
      run_lanes, empty_graph, check_copy },

    { "get_by_addr", 0, 0, 36, 0, "get_by_addr", run_get_by_addr, NULL, run_dec_refcount },
    { "get_by_data", 0, 0, 36, 0, "get_by_data", run_get_by_data, NULL, run_dec_refcount },
    { "get_by_args", 0, 0, 36, 0, "get_by_args", run_get_by_args, NULL, run_dec_refcount },
    { "pool_alloc", 0, 0, 67, 0, "pool alloc", run_pool_alloc, NULL, run_dec_refcount },
    { "dec_refcount", 0, 0, 21, 0, "dec_refcount of a single buf, to 0",
      run_dec_refcount, run_get_by_addr, NULL },
    { "inc_dec", 0, 0, 66, 0, "inc_refcount + dec_refcount", run_inc_dec, NULL, NULL },
    { "lists2", 0, 0, 225, 0, "4 bufs, two lists of two, released", run_lists2, NULL, NULL },
    { "alloc_init", 0, 0, 23, 0, "task: alloc_init", run_alloc_init, NULL, run_free },
    { "submit", 0, 0, 26, 0, "task: submit", run_submit, alloc_tasks, end_tasks },
    { "progress", 0, 0, 69, 1, "task: progress with copy, callback",
      run_progress, submit_tasks, run_free },
    { "free", 0, 0, 18, 0, "task: free", run_free, run_alloc_init, NULL },
    { "resubmit", 0, 0, 90, 1, "64 B task: submit, progress with copy, callback",
      run_resubmit, alloc_one, free_one },
    { "burst", 0, 0, 123, 1, "64 B task, one of 6 in flight",
      run_task_burst, empty_dst, check_copies },
    { "task_lists", 0, 0, 373, 2, "64 B task from a list of two to a list of two",
      run_task_lists, empty_lists, check_copies },
    { "task_among", 0, 0, 109, 1, "64 B task beside 63 idle contexts",
      run_task_among, empty_dst, check_copies },
    { "idle_among", 0, 0, 10, 0, "pe_progress with 64 idle contexts", run_idle_among, NULL, NULL },
    { "sha_submit", 0, 0, 39, 0, "SHA-256 task: alloc_init, submit",
      run_sha_submit, NULL, end_hashes },
    { "event_set", 0, 0, 11, 0, "sync event: update_set", run_event_set, NULL, NULL },
    { "event_get", 0, 0, 10, 0, "sync event: get", run_event_get, NULL, NULL },
    { "event_add", 0, 0, 10, 0, "sync event: update_add", run_event_add, NULL, NULL },
};

#define NUM_ROWS (sizeof(rows) / sizeof(rows[0]))

#endif

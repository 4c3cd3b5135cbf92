/* Copies as tasks. Small copies show the cost of a task beside the bare memcpy in the same loop,
 * and beside two peers that hand over a piece of work and get it back: a DMA device of DPDK (whose
 * skeleton driver copies on a second core) and io_uring (whose NOP does no work). Large copies show
 * the bandwidth, beside that of memcpy. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "rig.h"

#define DEPTH 32u
#define SMALL 64u
#define LARGE ((size_t)256 << 20)
#define LARGE_SMOKE ((size_t)1 << 20)

/* Source and destination. They are an odd number of cache lines apart: with equal offsets in two
 * pages, loads would wait for stores. */
static unsigned char *from, *to;
static size_t large;

static struct bench_rig rig;
static struct doca_pe *pe;
static struct doca_dma *dma;
static unsigned long num_done;

static struct bench_copy small[DEPTH]; /* copies of adjacent blocks */

static void on_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data;
    num_done++;
}

/* ---- ours ---- */

BENCH_INLINE struct doca_task *submit(bool is_library, const struct doca_buf *src,
                                      struct doca_buf *dst)
{
    const union doca_data none = { NULL };
    struct doca_dma_task_memcpy *copy;
    struct doca_task *task;

    bench_must(BENCH_CALL(is_library, dma_task_memcpy_alloc_init, dma, src, dst, none, &copy));
    task = BENCH_CALL(is_library, dma_task_memcpy_as_task, copy);
    bench_must(BENCH_CALL(is_library, task_submit, task));
    return task;
}

BENCH_INLINE void finish(bool is_library)
{
    while (BENCH_CALL(is_library, pe_progress, pe) == 0)
        continue;
}

/* Empty the destination, which holds the previous copy; then run a task from alloc_init to free. */
BENCH_INLINE void tasks(bool is_library, unsigned long n, const struct bench_copy *c)
{
    struct doca_task *task;

    for (; bench_left(n); n--) {
        bench_must(BENCH_CALL(is_library, buf_reset_data_len, c->dst));
        task = submit(is_library, c->src, c->dst);
        finish(is_library);
        BENCH_CALL(is_library, task_free, task);
    }
}

/* Run a task from alloc_init to free, on two bufs that are taken before and released after it. */
BENCH_INLINE void tasks_with_bufs(bool is_library, unsigned long n, const struct bench_copy *c)
{
    struct doca_buf *src, *dst;
    struct doca_task *task;

    for (; bench_left(n); n--) {
        bench_must(BENCH_CALL(is_library, buf_inventory_buf_get_by_data, rig.inventory, rig.map,
                              from, c->bytes, &src));
        bench_must(BENCH_CALL(is_library, buf_inventory_buf_get_by_addr, rig.inventory, rig.map,
                              to, c->bytes, &dst));
        task = submit(is_library, src, dst);
        finish(is_library);
        BENCH_CALL(is_library, task_free, task);
        bench_must(BENCH_CALL(is_library, buf_dec_refcount, src, NULL));
        bench_must(BENCH_CALL(is_library, buf_dec_refcount, dst, NULL));
    }
}

BENCH_INLINE void deep_tasks(bool is_library, unsigned long n, const struct bench_copy *c)
{
    struct doca_task *under_way[DEPTH];
    unsigned i;

    for (; bench_left(n); n -= DEPTH) {
        for (i = 0; i < DEPTH; i++) {
            bench_must(BENCH_CALL(is_library, buf_reset_data_len, c[i].dst));
            under_way[i] = submit(is_library, c[i].src, c[i].dst);
        }
        for (i = 0; i < DEPTH; i++)
            finish(is_library);
        for (i = 0; i < DEPTH; i++)
            BENCH_CALL(is_library, task_free, under_way[i]);
    }
}

/* One task for all copies; between two copies only the destination is emptied. */
BENCH_INLINE void one_task(bool is_library, unsigned long n, const struct bench_copy *c)
{
    const union doca_data none = { NULL };
    struct doca_dma_task_memcpy *copy;
    struct doca_task *task;

    bench_must(doca_dma_task_memcpy_alloc_init(dma, c->src, c->dst, none, &copy));
    task = doca_dma_task_memcpy_as_task(copy);
    for (; bench_left(n); n--) {
        bench_must(BENCH_CALL(is_library, buf_reset_data_len, c->dst));
        bench_must(BENCH_CALL(is_library, task_submit, task));
        finish(is_library);
    }
    doca_task_free(task);
}

#define FORMS(work)                                                                                \
    static void work##_inlined(unsigned long n, const void *arg)                                   \
    {                                                                                              \
        work(false, n, arg);                                                                       \
    }                                                                                              \
    static void work##_library(unsigned long n, const void *arg)                                   \
    {                                                                                              \
        work(true, n, arg);                                                                        \
    }

FORMS(tasks)
FORMS(tasks_with_bufs)
FORMS(deep_tasks)
FORMS(one_task)

/* ---- the bare limit ---- */

/* The pointer is volatile, so that the compiler cannot replace the call by inline code. */
static void *(*volatile bare_memcpy)(void *, const void *, size_t) = memcpy;

static void memcpys(unsigned long n, const void *arg)
{
    const struct bench_copy *c = arg;

    for (; bench_left(n); n--)
        bare_memcpy(to, from, c->bytes);
}

static void deep_memcpys(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        bare_memcpy(to + n % DEPTH * SMALL, from + n % DEPTH * SMALL, SMALL);
}

/* ---- DPDK ---- */

#ifdef BENCH_DPDK
static void dmadev_small(unsigned long n, unsigned depth)
{
    unsigned char *src[DEPTH], *dst[DEPTH];
    unsigned i;

    for (i = 0; i < depth; i++) {
        src[i] = from + i * SMALL;
        dst[i] = to + i * SMALL;
    }
    bench_dmadev_copy(n, depth, src, dst, SMALL);
}

static void dmadev_one(unsigned long n, const void *arg)
{
    (void)arg;
    dmadev_small(n, 1);
}

static void dmadev_deep(unsigned long n, const void *arg)
{
    (void)arg;
    dmadev_small(n, DEPTH);
}
#endif

/* ---- io_uring ---- */

#ifdef BENCH_URING
#include <liburing.h>
#define IF_URING(function) function

static struct io_uring ring;

static const char *uring_ready(void)
{
    static bool is_open;

    if (!is_open && io_uring_queue_init(DEPTH, &ring, 0) != 0)
        return "the kernel offers no io_uring here";
    is_open = true;
    return NULL;
}

static void nops(unsigned long n, unsigned depth)
{
    struct io_uring_cqe *cqe;
    unsigned i;

    for (; bench_left(n); n -= depth) {
        for (i = 0; i < depth; i++)
            io_uring_prep_nop(io_uring_get_sqe(&ring));
        bench_check(io_uring_submit_and_wait(&ring, depth) == (int)depth, "io_uring took less");
        for (i = 0; i < depth; i++) {
            bench_check(io_uring_wait_cqe(&ring, &cqe) == 0 && cqe->res == 0, "no completion");
            io_uring_cqe_seen(&ring, cqe);
        }
    }
}

static void nop_one(unsigned long n, const void *arg)
{
    (void)arg;
    nops(n, 1);
}

static void nop_deep(unsigned long n, const void *arg)
{
    (void)arg;
    nops(n, DEPTH);
}
#else
#define IF_URING(function) NULL

static const char *uring_ready(void)
{
    return "built without liburing (liburing-dev)";
}
#endif

/* ---- verification: a copy changes the destination to the bytes of the source ---- */

static bool is_copied(const struct bench_side *side, unsigned long batch, size_t bytes)
{
    unsigned long before = num_done;
    bool is_ours = strcmp(side->side, "ours") == 0;

    bench_fill(from, bytes);
    memset(to, 0, bytes);
    if (side->begin != NULL)
        side->begin(side->arg);
    side->run(batch, side->arg);
    if (side->end != NULL)
        side->end(side->arg);
    return memcmp(from, to, bytes) == 0 && num_done - before == (is_ours ? batch : 0);
}

static bool one_is_copied(const struct bench_side *side)
{
    return is_copied(side, 1, ((const struct bench_copy *)side->arg)->bytes);
}

static bool all_are_copied(const struct bench_side *side)
{
    return is_copied(side, DEPTH, DEPTH * SMALL);
}

#define OURS(form, function, check)                                                                \
    { .side = "ours", .name = form, .run = function, .arg = small, .verify = check }
#define MEMCPY(function, check)                                                                    \
    { .side = "limit", .name = "memcpy", .run = function, .arg = small, .verify = check }
#define DMADEV(title, function, check)                                                             \
    { .side = "peer", .name = title, .run = BENCH_IF_DPDK(function), .arg = small,                 \
      .verify = check, .begin = BENCH_IF_DPDK(bench_dmadev_begin),                                 \
      .end = BENCH_IF_DPDK(bench_dmadev_end), .ready = bench_dmadev }
#define NOP(title, function)                                                                       \
    { .side = "peer", .name = title, .run = IF_URING(function), .ready = uring_ready }

static const struct bench_work small_works[] = {
    { .area = "dma",
      .work = "task64",
      .title = "64 B task: alloc_init, submit, progress, callback, free",
      .bytes = SMALL,
      .batch = 1,
      .sides = { OURS("inlined", tasks_inlined, one_is_copied),
                 OURS("library", tasks_library, one_is_copied), MEMCPY(memcpys, one_is_copied),
                 DMADEV("dmadev skeleton, depth 1", dmadev_one, one_is_copied),
                 NOP("io_uring NOP, depth 1", nop_one) },
      .targets = { { "5", "inlined", "memcpy", "add_ns", 8, 5.5 },
                   { "5", "library", "inlined", "add_ns", 9, NAN },
                   { "7", "inlined", "dmadev skeleton, depth 1", "ratio", 0.05, NAN },
                   { "7", "inlined", "io_uring NOP, depth 1", "ratio", 0.03, NAN } } },
    { .area = "dma",
      .work = "task64_bufs",
      .title = "64 B task with two bufs taken and released",
      .bytes = SMALL,
      .batch = 1,
      .sides = { OURS("inlined", tasks_with_bufs_inlined, one_is_copied),
                 OURS("library", tasks_with_bufs_library, one_is_copied),
                 MEMCPY(memcpys, one_is_copied) },
      .targets = { { "6", "inlined", "memcpy", "add_ns", 20, 15 },
                   { "6", "library", "inlined", "add_ns", 13.5, NAN } } },
    { .area = "dma",
      .work = "task64_depth32",
      .title = "64 B tasks, 32 under way",
      .bytes = SMALL,
      .batch = DEPTH,
      .sides = { OURS("inlined", deep_tasks_inlined, all_are_copied),
                 OURS("library", deep_tasks_library, all_are_copied),
                 MEMCPY(deep_memcpys, all_are_copied),
                 DMADEV("dmadev skeleton, depth 32", dmadev_deep, all_are_copied),
                 NOP("io_uring NOP, batch 32", nop_deep) },
      .targets = { { "7", "inlined", "dmadev skeleton, depth 32", "ratio", 0.3, NAN },
                   { "7", "inlined", "io_uring NOP, batch 32", "ratio", 0.15, NAN } } },
    { .area = "dma",
      .work = "task64_again",
      .title = "64 B task, submitted again and again",
      .bytes = SMALL,
      .batch = 1,
      .sides = { OURS("inlined", one_task_inlined, one_is_copied),
                 OURS("library", one_task_library, one_is_copied),
                 MEMCPY(memcpys, one_is_copied) } },
};

/* Sizes, each with its target: the time of a bare memcpy plus a number of ns, or a share of its
 * speed. */
static const struct {
    size_t bytes;
    const char *work, *title, *row, *rule;
    double must, stretch;
} sizes[] = {
    { 64, "size_64", "64 B task", NULL, NULL, NAN, NAN },
    { 256, "size_256", "256 B task", NULL, NULL, NAN, NAN },
    { 1024, "size_1k", "1 KiB task", NULL, NULL, NAN, NAN },
    { 4096, "size_4k", "4 KiB task", "8", "add_ns", 8, 5 },
    { 16384, "size_16k", "16 KiB task", NULL, NULL, NAN, NAN },
    { 65536, "size_64k", "64 KiB task", "9", "speed", 0.98, 1.0 },
    { 262144, "size_256k", "256 KiB task", "10", "speed", 0.98, NAN },
    { 1048576, "size_1m", "1 MiB task", "9", "speed", 0.99, 1.0 },
    { 4194304, "size_4m", "4 MiB task", "10", "speed", 0.98, NAN },
    { 16777216, "size_16m", "16 MiB task", "10", "speed", 0.98, NAN },
    { 33554432, "size_32m", "32 MiB task", "10", "speed", 0.98, NAN },
    { 67108864, "size_64m", "64 MiB task, streaming", "10", "speed", 1.35, 1.5 },
    { 268435456, "size_256m", "256 MiB task, streaming", "10", "speed", 1.35, 1.5 },
};

static void run_sizes(void)
{
    static struct bench_series ours = { .name = "ours" }, memcpy_alone = { .name = "memcpy" };
    const struct bench_result *results;
    struct bench_copy c;
    size_t i;

    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const struct bench_work w = {
            .area = "dma",
            .work = sizes[i].work,
            .title = sizes[i].title,
            .bytes = sizes[i].bytes,
            .batch = 1,
            .sides = { { .side = "ours", .name = "inlined", .run = tasks_inlined, .arg = &c,
                         .verify = one_is_copied },
                       { .side = "limit", .name = "memcpy", .run = memcpys, .arg = &c,
                         .verify = one_is_copied } },
            .targets = { { sizes[i].row, "inlined", "memcpy", sizes[i].rule, sizes[i].must,
                           sizes[i].stretch } }
        };

        if (sizes[i].bytes > large) {
            if (bench_wants(w.work))
                bench_lack(&w, bench.is_smoke ? "left out of a smoke test"
                                              : "less than 1 GiB of memory free");
            continue;
        }
        bench_copy_open(&c, &rig, rig.map, from, to, sizes[i].bytes);
        results = bench_run(&w);
        if (results != NULL) {
            bench_series_add(&ours, (double)c.bytes, &results[0]);
            bench_series_add(&memcpy_alone, (double)c.bytes, &results[1]);
        }
        bench_copy_close(&c);
    }
    bench_print_series("dma", "sizes", "bytes", &ours);
    bench_print_series("dma", "sizes", "bytes", &memcpy_alone);
}

int main(int argc, char **argv)
{
    size_t i, bytes;

    bench_begin("bench_dma", argc, argv);
    large = bench.is_smoke || bench_available_bytes() < 4 * LARGE ? LARGE_SMOKE : LARGE;
    bytes = 2 * large + 4096;
    from = bench_pages(bytes);
    to = from + large + 21 * BENCH_LINE;
    bench_rig_open(&rig, from, bytes, 2 * DEPTH + 4);
    bench_must(doca_pe_create(&pe));
    dma = bench_dma_open(rig.dev, pe);
    bench_dma_start(dma, on_done, DEPTH);
    for (i = 0; i < DEPTH; i++)
        bench_copy_open(&small[i], &rig, rig.map, from + i * SMALL, to + i * SMALL, SMALL);
    for (i = 0; i < sizeof(small_works) / sizeof(small_works[0]); i++)
        bench_run(&small_works[i]);
    run_sizes();
    for (i = 0; i < DEPTH; i++)
        bench_copy_close(&small[i]);
    bench_must(doca_dma_destroy(dma));
    bench_must(doca_pe_destroy(pe));
    bench_rig_close(&rig);
    return bench_end();
}

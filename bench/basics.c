/* What the basic operations cost on the software device, beside a bare memcpy of the same bytes.
 *
 * Prints a Markdown table: machine and build, then a row per operation with the median of ROUNDS
 * rounds, its spread (10th to 90th percentile), and what it costs beside the bare memcpy of as many
 * bytes: the median of the comparisons within each round. Rounds of all rows are interleaved, in
 * turn forwards and backwards, so a noisy moment hits all of them; results are checked after the
 * clock was read. Build: cc -O2 -I.. basics.c; pin it to a core to compare. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "flags not named"
#endif

#define ROUNDS 401
#define LARGE (1u << 20) /* bytes of the large copy */
#define SMALL 64u        /* bytes of the small ones */

/* Apart by an odd number of lines: equal offsets in two pages make loads wait for stores. */
static DOCA_CORE_ALIGNED unsigned char memory[2 * LARGE + 4096];
static unsigned char *const from = memory, *const to = memory + LARGE + 21 * 64;

static struct doca_dev *dev;
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory;
static struct doca_pe *pe;
static struct doca_dma *dma;
static struct doca_buf *src, *dst, *large_src, *large_dst;
static unsigned long done;

static void must(doca_error_t rc)
{
    if (rc == DOCA_SUCCESS)
        return;
    fprintf(stderr, "basics: %s\n", doca_core_last_error());
    exit(1);
}

static void on_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
    done++;
}

static void on_error(struct doca_dma_task_memcpy *task, union doca_data task_data,
                     union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    must(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
}

static void set_up(void)
{
    struct doca_devinfo **list;
    uint32_t num;

    must(doca_devinfo_create_list(&list, &num));
    must(doca_dev_open(list[0], &dev));
    must(doca_devinfo_destroy_list(list));
    must(doca_mmap_create(&map));
    must(doca_mmap_set_memrange(map, memory, sizeof(memory)));
    must(doca_mmap_add_dev(map, dev));
    must(doca_mmap_start(map));
    must(doca_buf_inventory_create(64, &inventory));
    must(doca_buf_inventory_start(inventory));
    must(doca_buf_inventory_buf_get_by_data(inventory, map, from, SMALL, &src));
    must(doca_buf_inventory_buf_get_by_addr(inventory, map, to, SMALL, &dst));
    must(doca_buf_inventory_buf_get_by_data(inventory, map, from, LARGE, &large_src));
    must(doca_buf_inventory_buf_get_by_addr(inventory, map, to, LARGE, &large_dst));
    must(doca_pe_create(&pe));
    must(doca_dma_create(dev, &dma));
    must(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    must(doca_dma_task_memcpy_set_conf(dma, on_done, on_error, 32));
    must(doca_ctx_start(doca_dma_as_ctx(dma)));
}

static void tear_down(void)
{
    must(doca_dma_destroy(dma));
    must(doca_pe_destroy(pe));
    must(doca_buf_dec_refcount(src, NULL));
    must(doca_buf_dec_refcount(dst, NULL));
    must(doca_buf_dec_refcount(large_src, NULL));
    must(doca_buf_dec_refcount(large_dst, NULL));
    must(doca_buf_inventory_destroy(inventory));
    must(doca_mmap_destroy(map));
    must(doca_dev_close(dev));
}

/* One task from allocation to free; the destination is empty before. */
static void task_round_trip(const struct doca_buf *s, struct doca_buf *d)
{
    union doca_data none = { 0 };
    struct doca_dma_task_memcpy *task;
    unsigned long before = done;

    must(doca_buf_reset_data_len(d));
    must(doca_dma_task_memcpy_alloc_init(dma, s, d, none, &task));
    must(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (done == before)
        doca_pe_progress(pe);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void run_memcpy_small(unsigned n)
{
    /* through a pointer the compiler cannot see through, so that it stays a call */
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;

    while (n-- > 0)
        copy(to, from, SMALL);
}

static void run_task_small(unsigned n)
{
    while (n-- > 0)
        task_round_trip(src, dst);
}

static void run_task_with_bufs(unsigned n)
{
    struct doca_buf *s, *d;

    while (n-- > 0) {
        must(doca_buf_inventory_buf_get_by_data(inventory, map, from, SMALL, &s));
        must(doca_buf_inventory_buf_get_by_addr(inventory, map, to, SMALL, &d));
        task_round_trip(s, d);
        must(doca_buf_dec_refcount(s, NULL));
        must(doca_buf_dec_refcount(d, NULL));
    }
}

static void run_buf(unsigned n)
{
    struct doca_buf *b;

    while (n-- > 0) {
        must(doca_buf_inventory_buf_get_by_addr(inventory, map, from, SMALL, &b));
        must(doca_buf_dec_refcount(b, NULL));
    }
}

static void run_idle(unsigned n)
{
    while (n-- > 0)
        doca_pe_progress(pe);
}

static void run_memcpy_large(unsigned n)
{
    while (n-- > 0)
        memcpy(to, from, LARGE);
}

static void run_task_large(unsigned n)
{
    while (n-- > 0)
        task_round_trip(large_src, large_dst);
}

static const struct {
    const char *what;
    void (*run)(unsigned n);
    unsigned n;     /* operations per round */
    size_t bytes;   /* moved by one of them */
    int compare_to; /* row of the bare memcpy; -1: none */
} rows[] = {
    { "memcpy of 64 B", run_memcpy_small, 4000, SMALL, -1 },
    { "64 B task: alloc_init, submit, progress, callback, free", run_task_small, 4000, SMALL, 0 },
    { "the same, with two bufs taken and released", run_task_with_bufs, 4000, SMALL, 0 },
    { "buf: get_by_addr + dec_refcount", run_buf, 4000, 0, -1 },
    { "pe_progress with nothing to do", run_idle, 4000, 0, -1 },
    { "memcpy of 1 MiB", run_memcpy_large, 4, LARGE, -1 },
    { "1 MiB task", run_task_large, 4, LARGE, 5 },
};

#define NUM_ROWS (sizeof(rows) / sizeof(rows[0]))

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Fill the source with what was not there before, and look for it in the destination. */
static void verify(unsigned seed, size_t bytes, void (*run)(unsigned n))
{
    size_t i;

    for (i = 0; i < bytes; i++)
        from[i] = (unsigned char)(i * 7 + seed);
    memset(to, 0, bytes);
    run(1);
    if (memcmp(from, to, bytes) == 0)
        return;
    fprintf(stderr, "basics: the copy differs from its source\n");
    exit(1);
}

static void print_machine(void)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256], model[256] = "unknown processor";

    while (f != NULL && fgets(line, sizeof(line), f) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL)
            snprintf(model, sizeof(model), "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
                     strchr(line, ':') + 2);
    if (f != NULL)
        fclose(f);
    printf("%s; compiler %s; %s; software device, one core, everything in cache; "
           "median of %d rounds.\n\n",
           model, __VERSION__, BENCH_FLAGS, ROUNDS);
}

/* Sort a row; give its median. */
static double median(double row[ROUNDS])
{
    qsort(row, ROUNDS, sizeof(row[0]), by_value);
    return row[ROUNDS / 2];
}

static void print_row(size_t r, double ns[NUM_ROWS][ROUNDS])
{
    const double *base = rows[r].compare_to < 0 ? NULL : ns[rows[r].compare_to];
    double beside[ROUNDS], sorted[ROUNDS], ns_median;
    int k;

    memcpy(sorted, ns[r], sizeof(sorted));
    ns_median = median(sorted);
    printf("| %s | %.1f | %.1f to %.1f |", rows[r].what, ns_median, sorted[ROUNDS / 10],
           sorted[ROUNDS - 1 - ROUNDS / 10]);
    for (k = 0; base != NULL && k < ROUNDS; k++)
        beside[k] = rows[r].bytes == SMALL ? ns[r][k] - base[k] : base[k] / ns[r][k];
    if (base == NULL)
        printf(" |\n");
    else
        printf(rows[r].bytes == SMALL ? " + %.1f ns |\n" : " %.2f of its speed |\n",
               median(beside));
}

int main(void)
{
    static double ns[NUM_ROWS][ROUNDS];
    double start;
    size_t r, i;
    int k;

    set_up();
    for (r = 0; r < NUM_ROWS; r++)
        rows[r].run(rows[r].n); /* warm up */
    for (k = 0; k < ROUNDS; k++) {
        for (i = 0; i < NUM_ROWS; i++) {
            r = k % 2 == 0 ? i : NUM_ROWS - 1 - i;
            rows[r].run(1); /* bring its bytes back into the cache */
            start = now_ns();
            rows[r].run(rows[r].n);
            ns[r][k] = (now_ns() - start) / rows[r].n;
        }
        for (r = 0; r < NUM_ROWS; r++)
            if (rows[r].bytes > 0)
                verify((unsigned)k + (unsigned)r, rows[r].bytes, rows[r].run);
    }
    tear_down();
    print_machine();
    printf("| operation | ns | spread | beside memcpy |\n|---|---:|---:|---:|\n");
    for (r = 0; r < NUM_ROWS; r++)
        print_row(r, ns);
    return 0;
}

/* The measuring code that all programs in this directory share.
 *
 * A benchmark program describes several works. A work is one operation to be measured, done by
 * several sides: "ours" is doca_core, peers are other libraries that do the same, and limits are
 * bare loops that nothing can beat. The sides of a work take turns, A B C, then C B A, so that a
 * disturbance of the machine hits all of them; each turn lasts a few milliseconds, and its time per
 * operation is one sample. Afterwards single operations are timed one by one for the percentiles.
 * The results of the work are verified outside the timed parts. The program prints everything as
 * JSON, one object per line; tools/bench makes tables of it.
 *
 *     bench_X [--smoke] [--reps N] [--only WORK,...] [--ours] [--cpu N] [--cpu2 N] [--list]
 *
 * --ours: measure no peers, limits or single operations; for comparing two builds of doca_core in
 * turns. Exit status: 0; 1 when a result was wrong; 64 for an invalid command line.
 *
 * BENCH_DPDK, BENCH_OPENSSL, BENCH_URING and BENCH_IPSEC_MB are defined where these peers are
 * installed. */
#ifndef BENCH_H
#define BENCH_H

#include "calls.h"
#include "../tests/support/sys_call.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "flags not named"
#endif

#define BENCH_INLINE static inline __attribute__((always_inline))

#define BENCH_MAX_SIDES 8
#define BENCH_MAX_TARGETS 6
#define BENCH_MAX_REPS 1001u
#define BENCH_MAX_SINGLES 20000u
#define BENCH_NUM_BUCKETS 64u /* of a histogram; each bucket is a quarter wider than the one before
                               * it */
#define BENCH_TURN_NS 2e6     /* length of one turn of one side */
#define BENCH_SINGLES_NS 60e6 /* time for all single operations of one side */
#define BENCH_LINE 64         /* bytes of a cache line */

struct bench_side {
    const char *side; /* "ours", "peer", "limit" */
    const char *name;
    void (*run)(unsigned long n, const void *arg); /* do n operations, a multiple of `batch` */
    const void *arg;
    unsigned long per; /* parts of an operation, if figures are printed per part; 0 counts as 1 */
    bool (*verify)(const struct bench_side *side); /* run it once, check the result; may be NULL */
    void (*begin)(const void *arg); /* called before each turn, untimed; may be NULL */
    void (*end)(const void *arg);   /* called after each turn, untimed; may be NULL */
    const char *(*ready)(void); /* returns NULL, or why this side cannot run; may be NULL */
    const char *beyond;         /* name of a side whose least time is subtracted from this side's;
                                 * may be NULL */
    const char *note;
};

struct bench_target {
    const char *row; /* number in the table of targets */
    const char *ours, *anchor;
    const char *rule; /* ratio: ours / anchor; add_ns: ours - anchor; speed: anchor / ours;
                       * none: only the value of `ours` counts, in the unit of the measure, and
                       * `anchor` is NULL */
    double must, stretch; /* NAN: no such target */
};

struct bench_work {
    const char *area, *work, *title;
    size_t bytes;        /* moved by one operation; 0: it moves no data */
    unsigned long batch; /* operations that are done as one group */
    struct bench_side sides[BENCH_MAX_SIDES];
    struct bench_target targets[BENCH_MAX_TARGETS];
};

static struct {
    const char *name;
    const char *only; /* selected works, each between two commas; NULL: all */
    bool is_smoke, is_list, is_ours, has_failed;
    bool is_untimed; /* set by a program that counts under valgrind: reads no clock */
    unsigned reps;
    int cpu, cpu2; /* CPUs to run on; -1: the machine does not have the CPU */
    double tick_ns;
    double tick_cost; /* cost of reading the clock twice, in ticks */
    int perf_fd;      /* descriptor that counts instructions; negative: not available */
} bench;

/* ---- clocks ---- */

static inline double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

#if defined(__x86_64__)
#define BENCH_CLOCK "rdtscp"
static inline uint64_t bench_tick_before(void)
{
    uint64_t t;

    __builtin_ia32_lfence();
    t = __builtin_ia32_rdtsc();
    __builtin_ia32_lfence();
    return t;
}

static inline uint64_t bench_tick_after(void)
{
    unsigned cpu;
    uint64_t t = __builtin_ia32_rdtscp(&cpu);

    __builtin_ia32_lfence();
    return t;
}
#elif defined(__aarch64__)
#define BENCH_CLOCK "cntvct"
static inline uint64_t bench_tick_before(void)
{
    uint64_t t;

    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(t)::"memory");
    return t;
}
#define bench_tick_after bench_tick_before
#else
#define BENCH_CLOCK "clock_gettime"
static inline uint64_t bench_tick_before(void)
{
    return (uint64_t)bench_now();
}
#define bench_tick_after bench_tick_before
#endif

static inline int bench_by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static inline double bench_median(double *values, size_t num)
{
    qsort(values, num, sizeof(values[0]), bench_by_value);
    return values[num / 2];
}

#include "core_share.h"

static inline void bench_calibrate(void)
{
    double empty[501], start = bench_now();
    uint64_t first = bench_tick_before(), t;
    size_t i;

    for (i = 0; i < 501; i++) {
        t = bench_tick_before();
        empty[i] = (double)(bench_tick_after() - t);
    }
    bench.tick_cost = bench_median(empty, 501);
    while (bench_now() - start < (bench.is_smoke ? 1e6 : 2e7))
        continue;
    t = bench_tick_after();
    bench.tick_ns = (bench_now() - start) / (double)(t - first);
}

/* ---- failures ---- */

static inline __attribute__((noreturn)) void bench_die(const char *what)
{
    fprintf(stderr, "%s: %s\n", bench.name, what);
    exit(1);
}

BENCH_INLINE void bench_must(doca_error_t rc)
{
    if (doca_unlikely(rc != DOCA_SUCCESS))
        bench_die(doca_core_last_error());
}

BENCH_INLINE void bench_check(bool is_so, const char *what)
{
    if (doca_unlikely(!is_so))
        bench_die(what);
}

/* True while operations are left. Stands at the head of a measured loop. The empty asm makes the
 * compiler forget what it knows of memory, so that it cannot merge an operation with the next. */
BENCH_INLINE bool bench_left(unsigned long n)
{
    __asm__ volatile("" ::: "memory");
    return n > 0;
}

/* ---- begin, and which works ---- */

static inline __attribute__((noreturn)) void bench_usage(void)
{
    fprintf(stderr, "usage: %s [--smoke] [--reps N] [--only WORK,...] [--ours] [--cpu N] "
                    "[--cpu2 N] [--list]\n", bench.name);
    exit(64);
}

/* Give the value of the option argv[*i], and step over it. */
static inline const char *bench_value(int argc, char **argv, int *i)
{
    if (*i + 1 >= argc)
        bench_usage();
    return argv[++*i];
}

static inline int bench_number(const char *text, int min, int max)
{
    char *end;
    long value = strtol(text, &end, 10);

    if (end == text || *end != '\0' || value < min || value > max)
        bench_usage();
    return (int)value;
}

static inline void bench_parse(int argc, char **argv)
{
    static char only[1024];
    int i;

    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--smoke") == 0)
            bench.is_smoke = true;
        else if (strcmp(argv[i], "--list") == 0)
            bench.is_list = true;
        else if (strcmp(argv[i], "--ours") == 0)
            bench.is_ours = true;
        else if (strcmp(argv[i], "--reps") == 0)
            bench.reps = (unsigned)bench_number(bench_value(argc, argv, &i), 1, BENCH_MAX_REPS);
        else if (strcmp(argv[i], "--cpu") == 0)
            bench.cpu = bench_number(bench_value(argc, argv, &i), 0, CPU_SETSIZE - 1);
        else if (strcmp(argv[i], "--cpu2") == 0)
            bench.cpu2 = bench_number(bench_value(argc, argv, &i), 0, CPU_SETSIZE - 1);
        else if (strcmp(argv[i], "--only") == 0) {
            snprintf(only, sizeof(only), ",%s,", bench_value(argc, argv, &i));
            bench.only = only;
        } else
            bench_usage();
    }
}

/* The lowest CPUs this process may use, unless others were named. */
static inline void bench_choose_cpus(void)
{
    cpu_set_t allowed;
    int i;

    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof(allowed), &allowed);
    for (i = 0; i < CPU_SETSIZE; i++) {
        if (!CPU_ISSET((size_t)i, &allowed))
            continue;
        if (bench.cpu < 0)
            bench.cpu = i;
        else if (bench.cpu2 < 0 && i != bench.cpu)
            bench.cpu2 = i;
    }
    if (bench.cpu2 == bench.cpu)
        bench.cpu2 = -1;
}

static inline void bench_pin(int cpu)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    if (sched_setaffinity(0, sizeof(one), &one) != 0)
        bench_die("cannot run on the chosen CPU");
}

static inline int bench_open_perf(void)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.type = PERF_TYPE_HARDWARE;
    attr.size = sizeof(attr);
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)sys_call(SYS_perf_event_open, (long)&attr, 0, -1, -1, 0, 0);
}

static inline void bench_begin(const char *name, int argc, char **argv)
{
    bench.name = name;
    bench.cpu = bench.cpu2 = -1;
    bench.reps = 31;
    bench_parse(argc, argv);
    if (bench.is_smoke)
        bench.reps = 2;
    if (bench.is_list)
        return;
    bench_choose_cpus();
    bench_pin(bench.cpu);
    if (!bench.is_untimed)
        bench_calibrate();
    bench.perf_fd = bench_open_perf();
    printf("{\"type\":\"program\",\"name\":\"%s\",\"flags\":\"%s\",\"compiler\":\"%s\",\"cpu\":%d,"
           "\"cpu2\":%d,\"clock\":\"%s\",\"clock_ns\":%.2f}\n",
           name, BENCH_FLAGS, __VERSION__, bench.cpu, bench.cpu2, BENCH_CLOCK,
           bench.tick_cost * bench.tick_ns);
}

/* True when the command line selects this work. */
static inline bool bench_wants(const char *work)
{
    char word[64];

    if (bench.is_list) {
        printf("%s\n", work);
        return false;
    }
    snprintf(word, sizeof(word), ",%s,", work);
    return bench.only == NULL || strstr(bench.only, word) != NULL;
}

static inline void bench_missing(const char *work, const char *name, const char *reason)
{
    printf("{\"type\":\"missing\",\"work\":\"%s\",\"name\":\"%s\",\"reason\":\"%s\"}\n", work, name,
           reason);
}

/* ---- one work ---- */

struct bench_result {
    unsigned long n; /* operations in one turn */
    double samples[BENCH_MAX_REPS];
    double singles[BENCH_MAX_SINGLES];
    unsigned num_singles;
    double instructions; /* of one operation; NAN: unknown */
    bool is_missing;
};

static inline void bench_verify(const struct bench_work *w, const struct bench_side *s)
{
    if (s->verify == NULL || s->verify(s))
        return;
    fprintf(stderr, "%s: %s: %s: the result is wrong\n", bench.name, w->work, s->name);
    bench.has_failed = true;
}

static inline double bench_time(const struct bench_side *s, unsigned long n)
{
    double start = bench_now();

    s->run(n, s->arg);
    return bench_now() - start;
}

/* Run one turn: a warm-up batch, then the timed operations; afterwards, untimed, sample how much of
 * the core this CPU has. Return ns per operation. */
static inline double bench_turn(const struct bench_side *s, unsigned long batch, unsigned long n)
{
    double ns;

    if (s->begin != NULL)
        s->begin(s->arg);
    s->run(batch, s->arg); /* bring back into the caches what other sides evicted */
    ns = bench_time(s, n);
    if (s->end != NULL)
        s->end(s->arg);
    bench_sample_core();
    return ns / (double)n;
}

/* Choose how many operations make a turn. Each number is tried up to three times, and the fastest
 * try counts, because another program that interrupts a try makes it longer. */
static inline unsigned long bench_turn_length(const struct bench_side *s, unsigned long batch)
{
    unsigned long n = batch;
    double ns;
    int i;

    if (bench.is_smoke)
        return batch;
    for (;; n *= 2) {
        for (i = 0, ns = INFINITY; i < 3 && ns >= BENCH_TURN_NS / 4; i++)
            ns = fmin(ns, bench_turn(s, batch, n) * (double)n);
        if (ns >= BENCH_TURN_NS / 4)
            break;
    }
    return n + (unsigned long)((double)n * fmax(BENCH_TURN_NS / ns - 1, 0)) / batch * batch;
}

/* Time a bounded number of single batches. */
static inline void bench_singles(const struct bench_work *w, const struct bench_side *s,
                                 struct bench_result *r)
{
    unsigned long batch = w->batch;
    double parts = (double)(s->per > 0 ? batch * s->per : batch);
    double most = BENCH_SINGLES_NS / (r->samples[0] * (double)batch);
    unsigned i, num = most > BENCH_MAX_SINGLES ? BENCH_MAX_SINGLES : (unsigned)most;
    uint64_t start, ticks;

    num = bench.is_smoke ? 8 : num < 21 ? 21 : num;
    if (s->begin != NULL)
        s->begin(s->arg);
    s->run(batch, s->arg);
    for (i = 0; i < num; i++) {
        start = bench_tick_before();
        s->run(batch, s->arg);
        ticks = bench_tick_after() - start;
        r->singles[i] = fmax((double)ticks - bench.tick_cost, 0) * bench.tick_ns / parts;
    }
    if (s->end != NULL)
        s->end(s->arg);
    r->num_singles = num;
}

static inline double bench_instructions(const struct bench_side *s, unsigned long n)
{
    uint64_t count = 0;
    bool is_counted;

    if (bench.perf_fd < 0)
        return NAN;
    if (s->begin != NULL)
        s->begin(s->arg);
    ioctl(bench.perf_fd, PERF_EVENT_IOC_RESET, 0);
    s->run(n, s->arg);
    is_counted = read(bench.perf_fd, &count, sizeof(count)) == (ssize_t)sizeof(count);
    if (s->end != NULL)
        s->end(s->arg);
    return is_counted && count > 0 ? (double)count / (double)n : NAN;
}

static inline void bench_print_histogram(const double *sorted, unsigned num)
{
    double low = 1, high = 1.25;
    unsigned bucket, i = 0, count;
    const char *comma = "";

    for (bucket = 0; bucket < BENCH_NUM_BUCKETS; bucket++, low = high, high *= 1.25) {
        for (count = 0; i < num && (sorted[i] < high || bucket + 1 == BENCH_NUM_BUCKETS); i++)
            count++;
        if (count > 0) {
            printf("%s[%.1f,%u]", comma, low, count);
            comma = ",";
        }
    }
}

static inline void bench_print_single(double *singles, unsigned num)
{
    qsort(singles, num, sizeof(singles[0]), bench_by_value);
    printf("{\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f,\"count\":%u,\"hist\":[",
           singles[num / 2], singles[num * 99ull / 100], singles[num * 999ull / 1000],
           singles[num - 1], num);
    bench_print_histogram(singles, num);
    printf("]}");
}

/* Begin a measure; its samples come next. */
static inline void bench_print_head(const struct bench_work *w, const struct bench_side *s,
                                    const char *unit, unsigned long n)
{
    printf("{\"type\":\"measure\",\"area\":\"%s\",\"work\":\"%s\",\"title\":\"%s\",\"side\":\"%s\","
           "\"name\":\"%s\",\"unit\":\"%s\",\"bytes\":%zu,\"ops\":%lu,\"samples\":[",
           w->area, w->work, w->title, s->side, s->name, unit, w->bytes, n);
}

static inline void bench_print_measure(const struct bench_work *w, const struct bench_side *s,
                                       struct bench_result *r)
{
    double per = s->per > 0 ? (double)s->per : 1;
    unsigned k;

    bench_print_head(w, s, "ns", r->n);
    for (k = 0; k < bench.reps; k++)
        printf("%s%.4f", k > 0 ? "," : "", r->samples[k] / per);
    printf("],\"single\":");
    if (r->num_singles > 0)
        bench_print_single(r->singles, r->num_singles);
    else
        printf("null");
    if (isnan(r->instructions))
        printf(",\"instructions\":null");
    else
        printf(",\"instructions\":%.2f", r->instructions / per);
    printf(",\"note\":\"%s%s", s->note != NULL ? s->note : "",
           s->note != NULL && r->num_singles > 0 ? "; " : "");
    if (r->num_singles > 0)
        printf("single: %lu at a time by %s, whose %.1f ns are taken off", w->batch, BENCH_CLOCK,
               bench.tick_cost * bench.tick_ns);
    printf("\"}\n");
}

static inline void bench_print_number_or_null(const char *name, double value)
{
    if (isnan(value))
        printf(",\"%s\":null", name);
    else
        printf(",\"%s\":%g", name, value);
}

static inline void bench_print_targets(const struct bench_work *w)
{
    const struct bench_target *t;

    for (t = w->targets; t < w->targets + BENCH_MAX_TARGETS && t->row != NULL; t++) {
        printf("{\"type\":\"target\",\"row\":\"%s\",\"work\":\"%s\",\"ours\":\"%s\","
               "\"rule\":\"%s\"",
               t->row, w->work, t->ours, t->rule);
        if (t->anchor != NULL)
            printf(",\"anchor\":\"%s\"", t->anchor);
        bench_print_number_or_null("must", t->must);
        bench_print_number_or_null("stretch", t->stretch);
        printf("}\n");
    }
}

/* Subtract `base`, the side that `beyond` of the measured side names, from every sample in `r`. The
 * shortest time of `base` is subtracted, so that the result is at least the true difference. */
static inline void bench_take_off(struct bench_result *r, const struct bench_result *base)
{
    double least = base->samples[0];
    unsigned k;

    for (k = 1; k < bench.reps; k++)
        least = fmin(least, base->samples[k]);
    for (k = 0; k < bench.reps; k++)
        r->samples[k] -= least;
    r->instructions -= base->instructions;
}

static inline void bench_take_all_off(const struct bench_work *w, struct bench_result *results,
                                      unsigned num)
{
    unsigned i, j;

    for (i = 0; i < num; i++)
        for (j = 0; j < num && w->sides[i].beyond != NULL; j++)
            if (strcmp(w->sides[i].beyond, w->sides[j].name) == 0)
                bench_take_off(&results[i], &results[j]);
}

static inline void bench_measure(const struct bench_work *w, struct bench_result *results,
                                 unsigned num)
{
    unsigned i, j, k;

    for (i = 0; i < num; i++)
        if (!results[i].is_missing) {
            bench_verify(w, &w->sides[i]);
            results[i].n = bench_turn_length(&w->sides[i], w->batch);
        }
    for (k = 0; k < bench.reps; k++)
        for (j = 0; j < num; j++) {
            i = k % 2 == 0 ? j : num - 1 - j;
            if (!results[i].is_missing)
                results[i].samples[k] = bench_turn(&w->sides[i], w->batch, results[i].n);
        }
    for (i = 0; i < num; i++)
        if (!results[i].is_missing) {
            /* single operations are not timed where another side would have to be subtracted */
            if (w->sides[i].beyond == NULL && !bench.is_ours)
                bench_singles(w, &w->sides[i], &results[i]);
            results[i].instructions = bench_instructions(&w->sides[i], results[i].n);
            bench_verify(w, &w->sides[i]);
        }
}

/* Say why no side of a work can be measured. */
static inline void bench_lack(const struct bench_work *w, const char *reason)
{
    const struct bench_side *s;

    for (s = w->sides; s < w->sides + BENCH_MAX_SIDES && s->name != NULL; s++)
        bench_missing(w->work, s->name, reason);
    bench_print_targets(w);
}

/* Measure a work if the command line selects it, and print the results. Returns the results by
 * sides, valid until the next run; NULL when the work is not selected. */
static inline const struct bench_result *bench_run(const struct bench_work *w)
{
    static struct bench_result results[BENCH_MAX_SIDES];
    const char *reason;
    unsigned i, num = 0;

    if (!bench_wants(w->work))
        return NULL;
    memset(results, 0, sizeof(results));
    for (; num < BENCH_MAX_SIDES && w->sides[num].name != NULL; num++) {
        results[num].is_missing = bench.is_ours && strcmp(w->sides[num].side, "ours") != 0;
        if (results[num].is_missing)
            continue;
        reason = w->sides[num].ready != NULL ? w->sides[num].ready() : NULL;
        results[num].is_missing = reason != NULL;
        if (reason != NULL)
            bench_missing(w->work, w->sides[num].name, reason);
    }
    bench_measure(w, results, num);
    bench_take_all_off(w, results, num);
    for (i = 0; i < num; i++)
        if (!results[i].is_missing)
            bench_print_measure(w, &w->sides[i], &results[i]);
    bench_print_targets(w);
    fflush(stdout);
    return results;
}

/* Print the results of a work with one side that was counted instead of timed: `num` runs of n
 * operations. */
static inline void bench_print_counts(const struct bench_work *w, const char *unit,
                                      unsigned long n, const double *counts, unsigned num)
{
    unsigned k;

    bench_print_head(w, &w->sides[0], unit, n);
    for (k = 0; k < num; k++)
        printf("%s%.6f", k > 0 ? "," : "", counts[k] / (double)n);
    printf("],\"single\":null,\"instructions\":null}\n");
    bench_print_targets(w);
    fflush(stdout);
}

/* One curve of a diagram: the cost of one side for increasing values of `x`. */
struct bench_series {
    const char *name;
    unsigned num;
    double x[32], ns[32];
};

static inline void bench_series_add(struct bench_series *s, double x, const struct bench_result *r)
{
    double sorted[BENCH_MAX_REPS];

    if (r->is_missing)
        return;
    memcpy(sorted, r->samples, sizeof(sorted));
    s->x[s->num] = x;
    s->ns[s->num++] = bench_median(sorted, bench.reps);
}

static inline void bench_print_series(const char *area, const char *work, const char *x,
                                      const struct bench_series *s)
{
    unsigned i;

    if (s->num == 0)
        return;
    printf("{\"type\":\"sweep\",\"area\":\"%s\",\"work\":\"%s\",\"x\":\"%s\","
           "\"series\":\"%s\",\"points\":[",
           area, work, x, s->name);
    for (i = 0; i < s->num; i++)
        printf("%s[%.0f,%.3f]", i > 0 ? "," : "", s->x[i], s->ns[i]);
    printf("]}\n");
}

/* ---- the second core ---- */

static inline const char *bench_two_cpus(void)
{
    return bench.cpu2 < 0 ? "needs a second CPU" : NULL;
}

/* Run `loop` in a thread on the second CPU, until it returns by itself. */
static inline pthread_t bench_partner_start(void *(*loop)(void *), void *arg)
{
    pthread_attr_t attr;
    pthread_t thread;
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET((size_t)bench.cpu2, &one);
    pthread_attr_init(&attr);
    bench_check(pthread_attr_setaffinity_np(&attr, sizeof(one), &one) == 0, "no second CPU");
    if (pthread_create(&thread, &attr, loop, arg) != 0)
        bench_die("no thread on the second CPU");
    pthread_attr_destroy(&attr);
    return thread;
}

/* ---- set-up that most programs share ---- */

static inline struct doca_dev *bench_open_dev(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    bench_must(doca_devinfo_create_list(&list, &num));
    bench_must(doca_dev_open(list[0], &dev));
    bench_must(doca_devinfo_destroy_list(list));
    return dev;
}

static inline struct doca_mmap *bench_map(struct doca_dev *dev, void *addr, size_t bytes)
{
    struct doca_mmap *map;

    bench_must(doca_mmap_create(&map));
    bench_must(doca_mmap_set_memrange(map, addr, bytes));
    bench_must(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                                                  DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    bench_must(doca_mmap_add_dev(map, dev));
    bench_must(doca_mmap_start(map));
    return map;
}

/* Allocate `bytes` of zeros in separate whole pages, and touch every page. */
static inline void *bench_pages(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    bench_check(pages != MAP_FAILED, "out of memory");
    memset(pages, 0, bytes);
    return pages;
}

/* Fill `bytes` with a pattern that differs from call to call. */
static inline void bench_fill(unsigned char *bytes, size_t num)
{
    static unsigned seed;
    size_t i;

    for (i = 0, seed++; i < num; i++)
        bytes[i] = (unsigned char)(i * 7 + (i >> 8) + seed * 31);
}

static inline uint32_t bench_random(void)
{
    static uint64_t x = 0x9e3779b97f4a7c15u;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return (uint32_t)(x >> 32);
}

/* Return how much memory can be allocated without forcing other programs to swap. */
static inline size_t bench_available_bytes(void)
{
    FILE *f = fopen("/proc/meminfo", "r");
    char line[128];
    size_t kib = 0;

    while (f != NULL && fgets(line, sizeof(line), f) != NULL)
        if (sscanf(line, "MemAvailable: %zu kB", &kib) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return kib * 1024;
}

/* ---- DPDK ---- */

#ifdef BENCH_DPDK
#define ALLOW_EXPERIMENTAL_API /* of DPDK 22.11: all of rte_dmadev and rte_graph */
#include <rte_dmadev.h>
#include <rte_eal.h>

#define BENCH_IF_DPDK(function) function

/* DPDK waits with sleeps of 1 us for each thread that it starts on this CPU. In the real-time class
 * (tools/bench --chrt) such a sleep can end before the kernel has given the CPU to another thread,
 * so the new thread never runs. Therefore this thread leaves the class while DPDK starts threads;
 * afterwards all threads of the process enter the class. */
struct bench_class {
    int policy;
    struct sched_param param;
};

static inline struct bench_class bench_class_left(void)
{
    struct bench_class was = { .policy = sched_getscheduler(0) };
    const struct sched_param ordinary = { 0 };

    sched_getparam(0, &was.param);
    bench_check(sched_setscheduler(0, SCHED_OTHER, &ordinary) == 0, "cannot be an ordinary thread");
    return was;
}

static inline void bench_class_entered(const struct bench_class *c)
{
    DIR *threads = opendir("/proc/self/task");
    struct dirent *thread;

    bench_check(threads != NULL, "/proc does not show the threads");
    while ((thread = readdir(threads)) != NULL)
        if (thread->d_name[0] != '.')
            bench_check(sched_setscheduler(atoi(thread->d_name), c->policy, &c->param) == 0,
                        "cannot enter the real-time class again");
    closedir(threads);
}

static char bench_eal_dir[] = "/tmp/bench.XXXXXX"; /* directory that DPDK requires */

/* Start DPDK, once, with the given amount of memory and one more argument (may be NULL). Return
 * NULL, or the reason why it cannot be started. */
static inline const char *bench_eal(unsigned mib, const char *more)
{
    static const char *reason = "";
    static char args[][64] = { "bench", "--no-huge", "--no-pci", "--no-telemetry", "--no-shconf",
                               "--log-level=error", "-l", "", "-m", "", "" };
    char *argv[sizeof(args) / sizeof(args[0]) + 1] = { NULL };
    struct bench_class class;
    int i, argc = more != NULL ? 11 : 10;

    if (bench.is_ours)
        return "no peer was asked for";
    if (reason == NULL || reason[0] != '\0')
        return reason;
    snprintf(args[7], sizeof(args[7]), "%d", bench.cpu);
    snprintf(args[9], sizeof(args[9]), "%u", mib);
    snprintf(args[10], sizeof(args[10]), "%s", more != NULL ? more : "");
    for (i = 0; i < argc; i++)
        argv[i] = args[i];
    bench_check(mkdtemp(bench_eal_dir) != NULL, "no temporary directory");
    setenv("XDG_RUNTIME_DIR", bench_eal_dir, 1);
    class = bench_class_left();
    reason = rte_eal_init(argc, argv) < 0 ? "DPDK does not start here" : NULL;
    bench_class_entered(&class);
    return reason;
}

/* A DMA device of DPDK whose thread copies on the second CPU. The device runs during a turn
 * only. */
static int16_t bench_dmadev_id = -1;

static inline const char *bench_dmadev(void)
{
    const struct rte_dma_vchan_conf queue = { .direction = RTE_DMA_DIR_MEM_TO_MEM,
                                              .nb_desc = 1024 };
    const struct rte_dma_conf conf = { .nb_vchans = 1 };
    const char *reason = bench_two_cpus();
    char vdev[64];
    int id;

    snprintf(vdev, sizeof(vdev), "--vdev=dma_skeleton,lcore=%d", bench.cpu2);
    reason = reason == NULL ? bench_eal(64, vdev) : reason;
    if (reason != NULL || bench_dmadev_id >= 0)
        return reason;
    id = rte_dma_get_dev_id_by_name("dma_skeleton");
    if (id < 0 || rte_dma_configure((int16_t)id, &conf) != 0 ||
        rte_dma_vchan_setup((int16_t)id, 0, &queue) != 0)
        return "DPDK has no dma_skeleton here";
    bench_dmadev_id = (int16_t)id;
    return NULL;
}

static inline void bench_dmadev_begin(const void *arg)
{
    struct bench_class class = bench_class_left();

    (void)arg;
    bench_check(rte_dma_start(bench_dmadev_id) == 0, "dma_skeleton does not start");
    bench_class_entered(&class);
}

static inline void bench_dmadev_end(const void *arg)
{
    (void)arg;
    rte_dma_stop(bench_dmadev_id);
}

/* Copy `bytes` n times, with `depth` copies in flight: from[i] to to[i], over and over. */
static inline void bench_dmadev_copy(unsigned long n, unsigned depth, unsigned char *const *from,
                                     unsigned char *const *to, uint32_t bytes)
{
    unsigned long posted = 0, done = 0;
    unsigned i;

    while (done < n) {
        for (; posted < n && posted - done < depth; posted++) {
            i = (unsigned)(posted % depth);
            bench_check(rte_dma_copy(bench_dmadev_id, 0, (rte_iova_t)(uintptr_t)from[i],
                                     (rte_iova_t)(uintptr_t)to[i], bytes, 0) >= 0,
                        "dma_skeleton is full");
        }
        rte_dma_submit(bench_dmadev_id, 0);
        do
            i = rte_dma_completed(bench_dmadev_id, 0, (uint16_t)depth, NULL, NULL);
        while (i == 0);
        done += i;
    }
}

static inline void bench_eal_end(void)
{
    static const char *const inside[] = { "/dpdk/rte", "/dpdk", "" };
    char path[64];
    size_t i;

    if (strstr(bench_eal_dir, "XXXXXX") != NULL)
        return;
    rte_eal_cleanup();
    for (i = 0; i < sizeof(inside) / sizeof(inside[0]); i++) {
        snprintf(path, sizeof(path), "%s%s", bench_eal_dir, inside[i]);
        (void)rmdir(path);
    }
}
#else
#define BENCH_IF_DPDK(function) NULL

static inline const char *bench_eal(unsigned mib, const char *more)
{
    (void)mib, (void)more;
    return "built without DPDK (libdpdk-dev)";
}

static inline const char *bench_dmadev(void)
{
    return bench_eal(0, NULL);
}

static inline void bench_eal_end(void)
{
}
#endif

static inline int bench_end(void)
{
    bench_eal_end();
    bench_print_core();
    return bench.has_failed ? 1 : 0;
}

#endif

/* The frame of bench_scale.c: a row is one operation, measured beside more and more objects.
 *
 * For each number of objects a row sets the objects up, and the operation and its bare access
 * pattern take turns. The fastest of the turns counts: another program that runs at the same time
 * makes a turn longer, never shorter. With --count the program measures no time. It then calls
 * scale_counted() with few and with more operations, and valgrind counts their instructions, which
 * do not depend on the load of the machine: see tools/bench.
 *
 * A row without a bare pattern must be flat: the operation costs at most SCALE_FLAT times as much
 * beside the most objects as beside one. A row with a bare pattern touches memory that does not fit
 * into the caches. The pattern is a plain loop that touches as many cache lines of as many objects
 * in the same order; the operation may become slower by as much as the pattern does. The loop also
 * executes as many instructions, which do nothing: a processor fetches the lines of the next
 * operations in advance, as far as its window of some hundred instructions reaches. */
#ifndef BENCH_SCALE_H
#define BENCH_SCALE_H

#include "rig.h"

#define SCALE_FLAT 1.2
#define SCALE_POINTS 24u
#define SCALE_REPS 11u   /* turns of threads or processes, at most */
#define SCALE_FEW 8u   /* operations of the short run whose instructions are counted, */
#define SCALE_MORE 64u /* and how many more the long run has */
#define SCALE_FEWEST                                                                               \
    ((size_t)10) /* A row whose run handles all objects compares with this number of objects, not  \
                  * with one: with fewer objects, the fixed cost of a run is too large a part. */
#define SCALE_MOST_COUNTED ((size_t)100000) /* objects beside which instructions are counted */
#define SCALE_ARENA ((size_t)5 << 30)       /* address space; only touched pages take memory */
#define SCALE_ROOM ((size_t)64)             /* bytes that each buf describes */

struct scale_row {
    const char *work, *title;
    const char *x;         /* kind of the objects whose number grows */
    size_t factor;         /* from one number of objects to the next */
    size_t max, smoke_max; /* most objects; max 0: as many as there are CPUs */
    size_t bytes_each;     /* memory of one object and of its bare pattern, or 0 if small. The
                            * row ends earlier where the machine has too little memory */
    double flat;           /* allowed ratio of cost, most objects to one; 0: SCALE_FLAT */
    void (*open)(size_t num);
    void (*close)(size_t num);
    void (*run)(unsigned long n, const void *arg);  /* n operations */
    void (*bare)(unsigned long n, const void *arg); /* NULL: memory fits into the caches */
    const char *bare_name;
    bool is_per_object; /* a run handles all objects: operations are done `num` at a time */
    double (*timed)(size_t num, bool is_bare); /* ns per operation, for work of several threads or
                                                * processes; instead of `run` */
    const char *(*ready)(void); /* NULL, or why the row cannot be measured; may be NULL */
    const char *grows;          /* why `flat` is more than SCALE_FLAT; NULL when it is not */
};

struct scale_points {
    unsigned num;
    double x[SCALE_POINTS], y[SCALE_POINTS];
};

struct scale_result {
    struct scale_points ours, bare, bytes; /* bytes: in the arena */
};

static struct {
    struct doca_core_arena arena;
    unsigned char *memory;
    struct bench_rig rig; /* open while a row is measured, if the row opened it */
    cpu_set_t cpus;       /* CPUs of the process, before it was pinned to one of them */
    bool is_count;        /* count instructions, and measure no time */
} scale;

/* ---- functions for all rows ---- */

/* Execute `n` instructions that do nothing. `n` is a number. */
#define SCALE_IDLE(n) __asm__ volatile(".rept " #n "\n\tnop\n\t.endr")

static inline size_t scale_used(void)
{
    size_t used;

    bench_must(doca_core_arena_query(&scale.arena, &used, NULL, NULL));
    return used;
}

/* Release the pages of bench_pages(). */
static inline void scale_drop(void *pages, size_t bytes)
{
    bench_check(munmap(pages, bytes) == 0, "the pages are not there");
}

static inline size_t scale_any(size_t num)
{
    return (size_t)((uint64_t)bench_random() * num >> 32);
}

static inline void scale_shuffle(void **all, size_t num)
{
    size_t i, j;
    void *one;

    for (i = num; i > 1; i--) {
        j = scale_any(i);
        one = all[i - 1];
        all[i - 1] = all[j];
        all[j] = one;
    }
}

/* ---- measuring ---- */

static inline void scale_add(struct scale_points *p, double x, double y)
{
    bench_check(p->num < SCALE_POINTS, "too many points");
    p->x[p->num] = x;
    p->y[p->num++] = y;
}

/* Time the sides of a row in turns. */
static inline void scale_time(const struct scale_row *row, size_t num, struct scale_result *result)
{
    const struct bench_side sides[2] = { { .run = row->run }, { .run = row->bare } };
    const unsigned long batch = row->is_per_object ? num : 1;
    const unsigned reps = row->timed != NULL && bench.reps > SCALE_REPS ? SCALE_REPS : bench.reps;
    unsigned long n[2] = { 0, 0 };
    double least[2] = { INFINITY, INFINITY };
    unsigned i, k, num_sides = row->bare != NULL ? 2 : 1;

    for (i = 0; i < num_sides && row->timed == NULL; i++)
        n[i] = bench_turn_length(&sides[i], batch);
    for (k = 0; k < reps; k++)
        for (i = 0; i < num_sides; i++)
            least[i] = fmin(least[i], row->timed != NULL ? row->timed(num, i == 1)
                                                         : bench_turn(&sides[i], batch, n[i]));
    scale_add(&result->ours, (double)num, least[0]);
    if (row->bare != NULL)
        scale_add(&result->bare, (double)num, least[1]);
}

/* Run `n` operations. valgrind counts the instructions of each call of this function; tools/bench
 * finds the function by its name. The assembler statement keeps the compiler from making a copy of
 * the function for one caller. */
static __attribute__((noinline)) void scale_counted(void (*run)(unsigned long n, const void *arg),
                                                    unsigned long n)
{
    __asm__ volatile("" : "+r"(run), "+r"(n));
    run(n, NULL);
    __asm__ volatile("" ::: "memory");
}

static inline void scale_open_arena(void)
{
    bench_must(doca_core_arena_init(&scale.arena, scale.memory, SCALE_ARENA));
    bench_must(doca_core_arena_bind(&scale.arena));
}

static inline void scale_open(const struct scale_row *row, size_t num)
{
    scale_open_arena();
    row->open(num);
}

static inline void scale_close(const struct scale_row *row, size_t num)
{
    row->close(num);
    bench_check(scale_used() == 0, "a row left objects behind");
}

static inline double scale_flat(const struct scale_row *row)
{
    return row->flat > 0 ? row->flat : SCALE_FLAT;
}

static inline size_t scale_fewest(const struct scale_row *row)
{
    return row->is_per_object ? SCALE_FEWEST : 1;
}

/* Count beside `num` objects, and print how many operations the two runs have. */
static inline void scale_count_at(const struct scale_row *row, size_t num, const char *comma)
{
    unsigned long few = row->is_per_object ? num : SCALE_FEW;
    unsigned long many = few + (row->is_per_object ? num : SCALE_MORE);

    scale_open(row, num);
    row->run(few, NULL);
    scale_counted(row->run, few);
    scale_counted(row->run, many);
    scale_close(row, num);
    printf("%s[%zu,%lu]", comma, num, many - few);
}

static inline void scale_count(const struct scale_row *row, size_t max)
{
    printf("{\"type\":\"scale_count\",\"work\":\"%s\",\"points\":[", row->work);
    scale_count_at(row, scale_fewest(row), "");
    scale_count_at(row, max < SCALE_MOST_COUNTED ? max : SCALE_MOST_COUNTED, ",");
    printf("],\"flat\":%g}\n", scale_flat(row));
    fflush(stdout);
}

static inline void scale_time_at(const struct scale_row *row, size_t num,
                                 struct scale_result *result)
{
    scale_open(row, num);
    scale_add(&result->bytes, (double)num, (double)scale_used());
    scale_time(row, num, result);
    scale_close(row, num);
}

/* ---- printing ---- */

static inline void scale_print_points(const char *name, const struct scale_points *p)
{
    unsigned i;

    printf(",\"%s\":[", name);
    for (i = 0; i < p->num; i++)
        printf("%s[%.0f,%.2f]", i > 0 ? "," : "", p->x[i], p->y[i]);
    printf("]");
}

/* Bytes of one object: the slope between the fewest and the most objects. */
static inline double scale_bytes(const struct scale_points *p)
{
    unsigned last = p->num - 1;

    return p->num < 2 ? NAN : (p->y[last] - p->y[0]) / (p->x[last] - p->x[0]);
}

static inline void scale_print(const struct scale_row *row, const struct scale_result *result)
{
    double bytes = scale_bytes(&result->bytes);

    printf("{\"type\":\"scale\",\"work\":\"%s\",\"title\":\"%s\",\"x\":\"%s\",\"flat\":%g,"
           "\"from\":%zu",
           row->work, row->title, row->x, scale_flat(row), scale_fewest(row));
    bench_print_number_or_null("bytes", bytes > 0 ? floor(bytes + 0.5) : NAN);
    scale_print_points("ours", &result->ours);
    scale_print_points("bare", &result->bare);
    printf(",\"bare_name\":\"%s\"", row->bare != NULL ? row->bare_name : "");
    printf(",\"grows\":\"%s\"}\n", row->grows != NULL ? row->grows : "");
    fflush(stdout);
}

/* Return the most objects of a row, as far as memory allows. */
static inline size_t scale_max(const struct scale_row *row)
{
    size_t max = row->max == 0    ? (size_t)CPU_COUNT(&scale.cpus)
                 : bench.is_smoke ? row->smoke_max
                                  : row->max;

    while (max > row->factor && max * row->bytes_each > bench_available_bytes() / 2)
        max /= row->factor;
    if (max < row->max && !bench.is_smoke)
        fprintf(stderr, "%s: %s: memory allows only %zu %s\n", bench.name, row->work, max, row->x);
    return max;
}

static inline void scale_run(const struct scale_row *row)
{
    size_t num, max = scale_max(row);
    struct scale_result result;
    const char *reason;

    if (!bench_wants(row->work))
        return;
    reason = bench.is_ours        ? "curves are not part of a comparison"
             : row->ready != NULL ? row->ready()
                                  : NULL;
    if (reason != NULL) {
        bench_missing(row->work, "all sides", reason);
        return;
    }
    if (scale.is_count) {
        if (row->run != NULL)
            scale_count(row, max);
        return;
    }
    memset(&result, 0, sizeof(result));
    for (num = 1; num < max; num *= row->factor)
        scale_time_at(row, num, &result);
    scale_time_at(row, max, &result);
    scale_print(row, &result);
}

#endif

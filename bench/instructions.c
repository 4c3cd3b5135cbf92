/* Count the instructions of each operation exactly, and find out whether the count depends on the
 * operations before it. The program reads no clock, so the figures are the same on a busy machine.
 *
 * The program forks. The child does the work. Around each piece to be counted the child stops
 * itself; the parent then single-steps it to the end of the piece and writes the number of steps
 * into shared memory. For the child this is one call, steps_of().
 *
 * There are two forms. Compiled as below, the program contains the implementation, and the calls of
 * the data path are inlined; with -DDOCA_CORE_NO_INLINE it is linked with another object that
 * contains the implementation, as with a library.
 *
 *     cc -std=gnu11 -O2 -DBENCH_FLAGS='"-O2"' -I. bench/instructions.c -o instructions
 *     cc -std=gnu11 -O2 -DBENCH_FLAGS='"-O2"' -DDOCA_CORE_NO_INLINE -I. bench/instructions.c \
 *         tests/support/impl.c -o instructions.library
 *
 * Prints two tables, or with --json one object per line:
 *   instructions  of one operation in a loop: the loop is counted with FEW and with MANY turns, and
 *                 the difference is divided by the number of additional turns. The table has the
 *                 median of REPETITIONS counts.
 *   history       of each operation in a random sequence of operations, where every operation is
 *                 counted alone: the lowest and the highest count, which must be equal. If an
 *                 operation walks a list of n elements, the count must be a + b * n for every
 *                 length from 2 to the longest. The contexts in the ring of a PE are such a list:
 *                 progress visits idle contexts and removes them from the ring.
 * --ceilings compares the counts with those of earlier versions, --gate with the allowed maximum;
 * both are in the table `rows`, for the inlined form and gcc. With --uncounted the program counts
 * nothing: tools/bench --callgrind runs it under valgrind, which counts each call of steps_of().
 * Exit status: 0; 1 when a count depends on history more than allowed, or a comparison failed; 64
 * for an invalid command line; 77 when the system does not allow a process to be single-stepped. */
#define _GNU_SOURCE
#ifndef DOCA_CORE_NO_INLINE
#define DOCA_CORE_IMPLEMENTATION
#define FORM "inlined"
#else
#define FORM "library"
#endif
#include "doca_core.h"
#include "instructions_history.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "flags not named"
#endif

/* Gates apply to gcc. Ceilings are exact counts and apply to the compiler version they were taken
 * with. */
#if defined(DOCA_CORE_NO_INLINE) || defined(__clang__)
enum { HAS_GATES = 0, HAS_CEILINGS = 0 };
#elif defined(__x86_64__) && __GNUC__ == 12
enum { HAS_GATES = 1, HAS_CEILINGS = 1 };
#else
enum { HAS_GATES = 1, HAS_CEILINGS = 0 };
#endif

/* Allowed difference between the lowest and the highest count. Without optimization, a compiler can
 * make one of the two paths of a branch longer than the other. */
#if !defined(__OPTIMIZE__)
enum { SPREAD = 2 };
#else
enum { SPREAD = 0 };
#endif

#define REPETITIONS 3 /* a step takes microseconds, in virtual machines tens of them */
#define SKIP 77

static struct {
    bool json, ceilings, gates, uncounted;
    const char *only; /* the only work to run; NULL: all works and the random sequence */
} asked;

static unsigned num_broken;

static void complain(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("instructions: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    num_broken++;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static unsigned long steps_of_turns(const struct row *row, unsigned n)
{
    unsigned long steps;

    if (row->before != NULL)
        row->before(n);
    steps = steps_of(row->run, n);
    if (row->after != NULL)
        row->after(n);
    return steps;
}

/* Write the counts of one turn to `counts`, in ascending order. */
static void measure(const struct row *row, double counts[REPETITIONS])
{
    unsigned long few, many;
    int i;

    for (i = 0; i < REPETITIONS; i++) {
        few = steps_of_turns(row, FEW);
        many = steps_of_turns(row, MANY);
        counts[i] = few == 0 || many == 0 ? 0 : ((double)many - (double)few) / (MANY - FEW);
    }
    qsort(counts, REPETITIONS, sizeof(counts[0]), by_value);
}

/* The C library chooses its copy function by the CPU. Ceilings and gates hold for a function that
 * copies SMALL bytes in this many instructions; where it takes more, judge() raises the limits. */
#define COPY_STEPS 18.0

static void judge(const struct row *row, double count, double copy)
{
    double more = copy > COPY_STEPS ? row->copies * (copy - COPY_STEPS) : 0;

    if (asked.gates && HAS_GATES && row->gate != 0 && count > row->gate + more)
        complain("%s takes %g instructions, %u are allowed", row->work, count, row->gate);
    if (asked.ceilings && HAS_CEILINGS && row->ceiling != 0 && count > row->ceiling + more)
        complain("%s takes %g instructions, they were %u", row->work, count, row->ceiling);
}

static void print_limit(unsigned limit)
{
    if (limit != 0)
        printf(" %u |", limit);
    else
        printf(" |");
}

static void print_row(const struct row *row, const double counts[REPETITIONS])
{
    double count = counts[REPETITIONS / 2];

    if (asked.json) {
        printf("{\"type\":\"instructions\",\"work\":\"%s\",\"title\":\"%s\",\"form\":\"" FORM
               "\",\"count\":%g,\"min\":%g,\"max\":%g,\"gate\":%u,\"floor\":%u,\"ceiling\":%u,"
               "\"turns\":[%u,%u],\"flags\":\"" BENCH_FLAGS "\",\"compiler\":\"" __VERSION__
               "\",\"note\":\"%s\"}\n",
               row->work, row->title, count, counts[0], counts[REPETITIONS - 1], row->gate,
               row->floor, row->ceiling, FEW, MANY, count == 0 ? "could not be counted" : "");
        return;
    }
    printf("| %s | %s | %g |", row->work, row->title, count);
    print_limit(row->floor);
    print_limit(row->gate);
    print_limit(row->ceiling);
    printf("\n");
}

static void report_rows(void)
{
    double counts[REPETITIONS] = { 0 }, copy;
    size_t r;

    if (!asked.uncounted)
        measure(&rows[0], counts);
    copy = counts[REPETITIONS / 2];
    if (!asked.json)
        printf("Instructions per operation, " FORM "; compiler " __VERSION__ "; " BENCH_FLAGS
               ".\n\n| work | operation | count | floor | gate | ceiling |\n"
               "|---|---|---:|---:|---:|---:|\n");
    for (r = 0; r < NUM_ROWS; r++) {
        if (asked.only != NULL && strcmp(asked.only, rows[r].work) != 0)
            continue;
        measure(&rows[r], counts);
        print_row(&rows[r], counts);
        judge(&rows[r], counts[REPETITIONS / 2], copy);
    }
}

/* Return the largest difference between two counts for one list length. */
static unsigned long spread_of(const struct tally *t)
{
    unsigned long spread = 0;
    unsigned len;

    for (len = 1; len <= LONGEST; len++)
        if (t->num[len] != 0 && t->max[len] - t->min[len] > spread)
            spread = t->max[len] - t->min[len];
    return spread;
}

static void check_tally(const struct tally *t)
{
    unsigned long spread = spread_of(t), per = t->min[3] - t->min[2];
    unsigned len;

    if (spread > SPREAD)
        complain("%s takes %lu instructions more or less, depending on what was before", t->work,
                 spread);
    for (len = 2; len < t->walks; len++) {
        if (t->num[len] == 0 || t->num[len + 1] == 0)
            complain("%s was not seen with a list of %u or the next length", t->work, len);
        else if (t->min[len + 1] - t->min[len] != per)
            complain("%s takes %lu instructions for %u elements and %lu for %u, but %lu for each "
                     "before", t->work, t->min[len], len, t->min[len + 1], len + 1, per);
    }
}

static void print_tally(const struct tally *t, unsigned long empty)
{
    unsigned long min = 0, max = 0, per = t->walks != 0 ? t->min[3] - t->min[2] : 0;
    unsigned len, num = 0;

    for (len = 1; len <= LONGEST; len++) {
        if (t->num[len] == 0)
            continue;
        min = num == 0 || t->min[len] < min ? t->min[len] : min;
        max = t->max[len] > max ? t->max[len] : max;
        num += t->num[len];
    }
    if (asked.json)
        printf("{\"type\":\"history\",\"work\":\"%s\",\"title\":\"%s\",\"form\":\"" FORM
               "\",\"times\":%u,\"min\":%lu,\"max\":%lu,\"spread\":%lu,\"per_element\":%lu,"
               "\"flags\":\"" BENCH_FLAGS "\",\"compiler\":\"" __VERSION__ "\"}\n",
               t->work, t->title, num, min - empty, max - empty, spread_of(t), per);
    else if (t->walks != 0)
        printf("| %s | %s | %u | %lu + %lu for each | %lu |\n", t->work, t->title, num,
               t->min[2] - 2 * per - empty, per, spread_of(t));
    else
        printf("| %s | %s | %u | %lu | %lu |\n", t->work, t->title, num, min - empty,
               spread_of(t));
}

static void report_history(void)
{
    unsigned long empty = steps_of(nothing, 1);
    size_t i;

    run_history();
    if (!asked.json)
        printf("\nEach operation alone, in a random sequence of %u, with what calls it. "
               "Spread: how many more it\ntook when it took most.\n\n"
               "| work | operation | times | count | spread |\n|---|---|---:|---:|---:|\n", MOVES);
    for (i = 0; i < NUM_TALLIES; i++) {
        print_tally(&tallies[i], empty);
        check_tally(&tallies[i]);
    }
}

static void work_in_child(void)
{
    self = getpid();
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
        printf("skipped: ptrace is not permitted here\n");
        exit(SKIP);
    }
    set_up();
    report_rows();
    if (asked.only == NULL)
        report_history();
    exit(num_broken == 0 ? 0 : 1);
}

/* Run all rows in this process, without counting: each row calls steps_of() with FEW and with MANY
 * turns, REPETITIONS times. */
static void work_uncounted(void)
{
    static volatile unsigned long unknown;

    num_steps = &unknown;
    set_up();
    report_rows();
    exit(0);
}

static int usage(FILE *to_stream, int status)
{
    fputs("usage: instructions [--json] [--ceilings] [--gate] [--only WORK] [--list]\n"
          "       instructions --uncounted [--json] [--only WORK]\n", to_stream);
    return status;
}

/* Print the names of all rows when `work` is NULL. Otherwise return whether a row has this name. */
static bool list(const char *work)
{
    size_t r;

    for (r = 0; r < NUM_ROWS; r++) {
        if (work == NULL)
            printf("%s\n", rows[r].work);
        else if (strcmp(work, rows[r].work) == 0)
            return true;
    }
    return false;
}

/* Pin both processes to one CPU: a switch between them is faster than waking another CPU. */
static void pin(void)
{
    cpu_set_t set;
    int cpu = sched_getcpu();

    CPU_ZERO(&set);
    if (cpu >= 0) {
        CPU_SET((size_t)cpu, &set);
        (void)sched_setaffinity(0, sizeof(set), &set);
    }
}

int main(int argc, char **argv)
{
    void *shared;
    pid_t child;
    int i;

    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            asked.json = true;
        } else if (strcmp(argv[i], "--ceilings") == 0) {
            asked.ceilings = true;
        } else if (strcmp(argv[i], "--gate") == 0) {
            asked.gates = true;
        } else if (strcmp(argv[i], "--uncounted") == 0) {
            asked.uncounted = true;
        } else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc && list(argv[i + 1])) {
            asked.only = argv[++i];
        } else if (strcmp(argv[i], "--list") == 0) {
            list(NULL);
            return 0;
        } else {
            return usage(stderr, 64);
        }
    }
    if (asked.uncounted && (asked.gates || asked.ceilings))
        return usage(stderr, 64);
    if (asked.uncounted)
        work_uncounted();
    pin();
    shared = mmap(NULL, sizeof(*num_steps), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                  0);
    if (shared == MAP_FAILED)
        return 1;
    num_steps = shared;
    child = fork();
    if (child < 0)
        return 1;
    if (child == 0)
        work_in_child();
    return serve(child);
}

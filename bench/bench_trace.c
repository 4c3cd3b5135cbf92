/* Recordings: the cost of one event, with the clock and without it, while a recording runs and
 * while none runs. The limit is a loop that only reads the clock. In a build without
 * DOCA_CORE_TRACE there is no code to measure: tests/core/test_checked_cost.py compares the
 * assembly. */
#define _GNU_SOURCE
#define DOCA_CORE_TRACE 1
#if defined(__x86_64__)
#define BENCH_TRACE_CLOCK() __builtin_ia32_rdtsc()
#elif defined(__aarch64__)
#define BENCH_TRACE_CLOCK() bench_trace_clock()
static inline unsigned long long bench_trace_clock(void)
{
    unsigned long long ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
#error "x86-64 or AArch64"
#endif
/* The clock of the recording, or a number that grows. */
static unsigned long long bench_trace_ticks;
static unsigned bench_trace_reads_clock = 1;
#define DOCA_CORE_TRACE_TICKS()                                                                    \
    (bench_trace_reads_clock ? BENCH_TRACE_CLOCK() : ++bench_trace_ticks)
#define DOCA_CORE_IMPLEMENTATION
#include "bench.h"

#define BLOCKS 64u

static unsigned char memory[BLOCKS * DOCA_CORE_TRACE_BLOCK] __attribute__((aligned(64)));
static volatile unsigned long long latest;

static void begin_recording(const void *arg)
{
    bench_trace_reads_clock = 1; /* doca_core_trace_start() compares this clock with the system's */
    bench_must(doca_core_trace_start(memory, sizeof(memory), DOCA_CORE_TRACE_OVERWRITE));
    bench_trace_reads_clock = arg == NULL;
    bench_trace_ticks = BENCH_TRACE_CLOCK();
}

static void end_recording(const void *arg)
{
    (void)arg;
    bench_trace_reads_clock = 1;
    bench_must(doca_core_trace_stop());
}

static void put_events(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, memory, n, 0);
}

static void read_clock(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        latest = BENCH_TRACE_CLOCK();
}

/* Record one event, and find it as the first of the recording. */
static bool is_recorded(const struct bench_side *side)
{
    const struct doca_priv_trace_event *event =
        (const void *)(memory + DOCA_CORE_TRACE_BLOCK + sizeof(struct doca_priv_trace_block));

    memset(memory, 0, sizeof(memory));
    side->begin(side->arg);
    side->run(1, side->arg);
    side->end(side->arg);
    return event[0].what == DOCA_PRIV_TRACE_BEGIN && event[0].object == (uintptr_t)memory &&
           event[1].what == 0;
}

static bool is_not_recorded(const struct bench_side *side)
{
    memset(memory, 0, sizeof(memory));
    side->run(1, side->arg);
    return memory[0] == 0;
}

static const struct bench_work works[] = {
    { .area = "trace",
      .work = "event",
      .title = "recording of one event",
      .batch = 1,
      .sides = { { .side = "ours", .name = "with the clock", .run = put_events,
                   .begin = begin_recording, .end = end_recording, .verify = is_recorded },
                 { .side = "ours", .name = "without the clock", .run = put_events, .arg = memory,
                   .begin = begin_recording, .end = end_recording, .verify = is_recorded },
                 { .side = "ours", .name = "no recording runs", .run = put_events,
                   .verify = is_not_recorded },
                 { .side = "limit", .name = "reading the clock", .run = read_clock } },
      .targets = { { "27", "with the clock", "reading the clock", "add_ns", 3, NAN } } },
};

int main(int argc, char **argv)
{
    size_t i;

    bench_begin("bench_trace", argc, argv);
    for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
        bench_run(&works[i]);
    return bench_end();
}

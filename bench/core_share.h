/* How much of its core the measured CPU has. A virtual machine may get one of two threads of a core
 * while another guest of the host uses the other thread. Neither the load nor the stolen time of
 * the machine shows that. Additions do: on a processor that starts at least four instructions in a
 * cycle, four additions that do not depend on each other take as long as one, unless another thread
 * of the core starts instructions as well. */
#ifndef BENCH_CORE_SHARE_H
#define BENCH_CORE_SHARE_H

#define BENCH_MAX_SHARES 4096u
#define BENCH_ADDITIONS 256u /* rounds of four steps: some tenths of a microsecond */

static struct {
    unsigned long num; /* of samples, also of those that later ones have replaced */
    double samples[BENCH_MAX_SHARES];
} bench_shares;

/* One addition, which the compiler cannot merge with the next. */
#define BENCH_ADD(x)                                                                               \
    do {                                                                                           \
        __asm__ volatile("" : "+r"(x));                                                            \
        (x)++;                                                                                     \
    } while (0)
#define BENCH_ADD_TO_ALL(a, b, c, d)                                                               \
    do {                                                                                           \
        BENCH_ADD(a);                                                                              \
        BENCH_ADD(b);                                                                              \
        BENCH_ADD(c);                                                                              \
        BENCH_ADD(d);                                                                              \
    } while (0)

static inline double bench_time_of_one_addition(void)
{
    unsigned long a = 0;
    unsigned i;
    double start = bench_now();

    for (i = 0; i < BENCH_ADDITIONS; i++) {
        BENCH_ADD_TO_ALL(a, a, a, a);
    }
    __asm__ volatile("" ::"r"(a));
    return bench_now() - start;
}

static inline double bench_time_of_four_additions(void)
{
    unsigned long a = 0, b = 0, c = 0, d = 0;
    unsigned i;
    double start = bench_now();

    for (i = 0; i < BENCH_ADDITIONS; i++) {
        BENCH_ADD_TO_ALL(a, b, c, d);
        BENCH_ADD_TO_ALL(a, b, c, d);
        BENCH_ADD_TO_ALL(a, b, c, d);
        BENCH_ADD_TO_ALL(a, b, c, d);
    }
    __asm__ volatile("" ::"r"(a), "r"(b), "r"(c), "r"(d));
    return bench_now() - start;
}

/* Take one sample of the time of four additions, as a multiple of that of one. */
static inline void bench_sample_core(void)
{
    double one = bench_time_of_one_addition();

    if (one > 0)
        bench_shares.samples[bench_shares.num++ % BENCH_MAX_SHARES] =
            bench_time_of_four_additions() / one;
}

/* Print the median of the latest samples. */
static inline void bench_print_core(void)
{
    size_t num = bench_shares.num < BENCH_MAX_SHARES ? bench_shares.num : BENCH_MAX_SHARES;

    if (num > 0)
        printf("{\"type\":\"core\",\"factor\":%.3f}\n", bench_median(bench_shares.samples, num));
}

#endif

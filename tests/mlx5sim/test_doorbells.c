/* Doorbell pages: every kind of store, signals and threads. The clock page. */
#define _GNU_SOURCE
#include "own_queue.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* ---- doorbells ------------------------------------------------------------------------------ */

typedef void store_function(volatile void *reg, const uint8_t *wqe);

static void store_word(volatile void *reg, const uint8_t *wqe)
{
    uint64_t word;

    memcpy(&word, wqe, 8);
    *(volatile uint64_t *)reg = word;
}

static void store_halves(volatile void *reg, const uint8_t *wqe)
{
    uint32_t half[2];

    memcpy(half, wqe, 8);
    ((volatile uint32_t *)reg)[0] = half[0];
    ((volatile uint32_t *)reg)[1] = half[1];
}

static void store_block(volatile void *reg, const uint8_t *wqe)
{
    for (int i = 0; i < 8; i++)
        store_word((volatile uint64_t *)reg + i, wqe + 8 * i);
}

static void store_exchange(volatile void *reg, const uint8_t *wqe)
{
    uint64_t word;

    memcpy(&word, wqe, 8);
    (void)__atomic_exchange_n((volatile uint64_t *)reg, word, __ATOMIC_SEQ_CST);
}

static void store_copy(volatile void *reg, const uint8_t *wqe)
{
    size_t n = 8;

#if defined(__x86_64__)
    void *to = (void *)(uintptr_t)reg;
    const void *from = wqe;

    __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
#else
    memcpy((void *)(uintptr_t)reg, wqe, 8 * n);
#endif
}

#if defined(__x86_64__)
static void store_sse(volatile void *reg, const uint8_t *wqe)
{
    for (int i = 0; i < 4; i++)
        _mm_storeu_si128((__m128i *)(uintptr_t)reg + i,
                         _mm_loadu_si128((const __m128i *)(const void *)wqe + i));
}

static void store_stream(volatile void *reg, const uint8_t *wqe)
{
    for (int i = 0; i < 4; i++)
        _mm_stream_si128((__m128i *)(uintptr_t)reg + i,
                         _mm_loadu_si128((const __m128i *)(const void *)wqe + i));
    _mm_sfence();
}

static void store_movnti(volatile void *reg, const uint8_t *wqe)
{
    long long word;

    memcpy(&word, wqe, 8);
    _mm_stream_si64((long long *)(uintptr_t)reg, word);
}

__attribute__((target("avx"))) static void store_avx(volatile void *reg, const uint8_t *wqe)
{
    for (int i = 0; i < 2; i++)
        _mm256_storeu_si256((__m256i *)(uintptr_t)reg + i,
                            _mm256_loadu_si256((const __m256i *)(const void *)wqe + i));
}
#endif

static void ring_by(struct own_queue *q, store_function *store, const char *name)
{
    uint8_t *wqe = own_wqe(q, 0, 0, 1, true);
    double end = rig_seconds() + RIG_PATIENCE;
    volatile uint8_t *at = q->mem + OWN_CQ_AT + q->ci % OWN_CQ * 64;

    own_record(q);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    store((uint8_t *)q->uar->reg_addr + q->bf, wqe);
    q->bf ^= 0x100;
    while (at[63] >> 4 == 0xf || (at[63] & 1) != (q->ci / OWN_CQ & 1))
        if (rig_seconds() > end)
            rig_fail(__FILE__, __LINE__, "the device did not see the store by %s", name);
    CHECK_EQ(own_syndrome(q, (uint16_t)(q->pi - 1)), 0);
}

static void every_kind_of_store_rings_the_doorbell(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q = own_open(&rig, false);

    for (int i = 0; i < 40; i++) {
        ring_by(&q, store_word, "a word");
        ring_by(&q, store_halves, "two halves");
        ring_by(&q, store_block, "eight words");
        ring_by(&q, store_exchange, "an exchange");
        ring_by(&q, store_copy, "a string instruction");
#if defined(__x86_64__)
        ring_by(&q, store_sse, "SSE");
        ring_by(&q, store_stream, "an SSE store that bypasses the caches");
        ring_by(&q, store_movnti, "a word store that bypasses the caches");
        if (__builtin_cpu_supports("avx"))
            ring_by(&q, store_avx, "AVX");
#endif
    }
    own_close(&q);
    rig_close(&rig);
}

#if defined(__x86_64__)

enum { MOVES = 9 };

static const uint64_t static_word = 0x1122334455667788;

/* Copy eight words to a doorbell register, so that the loads use each form of an address. Store the
 * loaded words to `got`, and the last one to `elsewhere`. */
static void copy_words(volatile void *reg, const uint8_t *wqe, uint64_t *got, uint64_t *elsewhere)
{
    uint64_t on_stack, a, b, c, d;

    __asm__ volatile(
        "mov (%[from]), %%rax\n\t"
        "lea -0x200(%[from]), %%r12\n\t"
        "mov %[from], %%r13\n\t"
        "mov $2, %%r14\n\t"
        "mov %%rax, (%[to])\n\t"                  /* this store rings the doorbell */
        "mov 8(%[from]), %[a]\n\t"                /* a byte as displacement */
        "mov %[a], 8(%[to])\n\t"
        "mov 0x210(%%r12), %[b]\n\t"              /* four bytes as displacement, R12 */
        "mov %[b], 16(%[to])\n\t"
        "mov 8(%%r13,%%r14,8), %[c]\n\t"          /* base and index */
        "mov %[c], 8(%[to],%%r14,8)\n\t"
        "mov 32(,%[from],1), %[d]\n\t"            /* index without base */
        "mov %[d], 32(%[to])\n\t"
        "mov %[a], 0(%[got])\n\t"                 /* a store to other memory */
        "mov %[b], 8(%[got])\n\t"
        "mov %[c], 16(%[got])\n\t"
        "mov %[d], 24(%[got])\n\t"
        "mov (%%rsp), %[on_stack]\n\t"
        "mov %%rax, (%[to])\n\t"                  /* the same doorbell once more */
        "mov (%%rsp), %[a]\n\t"                   /* RSP */
        "mov %[a], 40(%[to])\n\t"
        "mov %[word], %[b]\n\t"                   /* relative to RIP, or absolute */
        "mov %[b], 48(%[to])\n\t"
        "mov (%%r13), %[c]\n\t"                   /* R13 */
        "mov %[c], 56(%[to])\n\t"
        "mov 8(%%r13), %%r13\n\t"                 /* a register that is its own address */
        : [on_stack] "=&r"(on_stack), [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c), [d] "=&r"(d)
        : [to] "r"(reg), [from] "r"(wqe), [got] "r"(got), [word] "m"(static_word)
        : "rax", "r12", "r13", "r14", "memory");
    got[4] = a == on_stack;
    got[5] = b;
    got[6] = c;
    *elsewhere = d;
}

/* The emulator executes the rest of a copy of words in the handler of the first store. */
static void a_copy_to_a_doorbell_keeps_its_registers(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q = own_open(&rig, false);
    uint64_t got[MOVES] = { 0 }, elsewhere, words[8];
    uint8_t *wqe = own_wqe(&q, 0, 0, 1, true);

    for (unsigned i = 2; i < 8; i++)
        memset(wqe + 8 * i, 0x10 + (int)i, 8);
    memcpy(words, wqe, sizeof(words));
    own_record(&q);
    copy_words((uint8_t *)q.uar->reg_addr + q.bf, wqe, got, &elsewhere);
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQ(got[i], words[i + 1]);
    CHECK(got[4]);
    CHECK_EQ(got[5], static_word);
    CHECK_EQ(got[6], words[0]);
    CHECK_EQ(elsewhere, words[4]);
    CHECK_EQ(own_syndrome(&q, 0), 0);
    own_close(&q);
    rig_close(&rig);
}

#endif

static sigjmp_buf back;

static void jump_back(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

static volatile sig_atomic_t traps;

static void count_trap(int signal)
{
    (void)signal;
    traps++;
}

static void fault(void)
{
    int *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction jump = { .sa_handler = jump_back }, old, seen;

    CHECK_EQ(sigaction(SIGSEGV, &jump, &old), 0);
    CHECK_EQ(sigaction(SIGSEGV, NULL, &seen), 0);
    CHECK(seen.sa_handler == jump_back);
    if (sigsetjmp(back, 1) == 0) {
        *(volatile int *)nowhere = 1;
        rig_fail(__FILE__, __LINE__, "a store to an inaccessible page did not fault");
    }
    CHECK_EQ(sigaction(SIGSEGV, &old, NULL), 0);
    CHECK_EQ(munmap(nowhere, 4096), 0);
}

/* The emulator uses SIGSEGV and SIGTRAP for doorbell pages. Handlers of the program for these
 * signals must keep working, whether the program sets them before or after a doorbell page is
 * mapped. */
static void signal_handlers_of_the_program_keep_working(void)
{
    struct sigaction count = { .sa_handler = count_trap };
    struct own_queue q;
    struct rig rig;

    fault();
    CHECK_EQ(sigaction(SIGTRAP, &count, NULL), 0);
    rig = rig_open(0);
    q = own_open(&rig, false);
    ring_by(&q, store_word, "a word");
    fault();
    raise(SIGTRAP);
    CHECK_EQ(traps, 1);
    ring_by(&q, store_exchange, "an exchange");
    fault();
    CHECK_EQ(traps, 1);
    own_close(&q);
    rig_close(&rig);
}

static void *ring_blocked(void *arg)
{
    struct own_queue *q = arg;
    sigset_t all;

    sigfillset(&all);
    if (pthread_sigmask(SIG_BLOCK, &all, NULL) != 0)
        return NULL;
    for (int i = 0; i < 50; i++) {
        own_ring(q, own_wqe(q, 0, 0, 1, true));
        own_syndrome(q, -1);
        store_exchange((uint8_t *)q->uar->base_addr + 0x30, (const uint8_t *)"no_store");
    }
    return q;
}

static pthread_barrier_t page_barrier;

static void *ring_after_page_was_mapped(void *arg)
{
    sigset_t all;
    bool is_blocked = false;

    sigfillset(&all);
    is_blocked = pthread_sigmask(SIG_BLOCK, &all, NULL) == 0;
    pthread_barrier_wait(&page_barrier);
    pthread_barrier_wait(&page_barrier);
    own_ring(arg, own_wqe(arg, 0, 0, 1, true));
    own_syndrome(arg, -1);
    return is_blocked ? arg : NULL;
}

/* A thread that blocked all signals before the first doorbell page was mapped can ring a doorbell.
 * This must be the first case of the program, because later cases find doorbell pages mapped. */
static void a_thread_with_signals_blocked_earlier_can_ring(void)
{
    struct own_queue q;
    pthread_t thread;
    struct rig rig;
    void *result;

    CHECK_EQ(pthread_barrier_init(&page_barrier, NULL, 2), 0);
    CHECK_EQ(pthread_create(&thread, NULL, ring_after_page_was_mapped, &q), 0);
    pthread_barrier_wait(&page_barrier);
    rig = rig_open(0);
    q = own_open(&rig, false);
    pthread_barrier_wait(&page_barrier);
    CHECK_EQ(pthread_join(thread, &result), 0);
    CHECK(result == &q);
    pthread_barrier_destroy(&page_barrier);
    own_close(&q);
    rig_close(&rig);
}

/* Several threads that have blocked all signals ring doorbells at the same time. */
static void threads_ring_with_signals_blocked(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q[4];
    pthread_t thread[4];
    void *result;

    for (int i = 0; i < 4; i++)
        q[i] = own_open(&rig, false);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(pthread_create(&thread[i], NULL, ring_blocked, &q[i]), 0);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(pthread_join(thread[i], &result), 0);
        CHECK(result == &q[i]);
    }
    for (int i = 0; i < 4; i++)
        own_close(&q[i]);
    rig_close(&rig);
}

/* Allocate all doorbell pages in one context after another. Each context gets the same number. */
static void doorbell_pages_are_available_after_free(void)
{
    enum { MANY = 4000 };
    static struct mlx5dv_devx_uar *uar[MANY];
    int before = 0;

    for (int round = 0; round < 3; round++) {
        struct rig rig = rig_open(0);
        int n;

        for (n = 0; n < MANY; n++)
            if ((uar[n] = mlx5dv_devx_alloc_uar(rig.ctx, MLX5DV_UAR_ALLOC_TYPE_BF)) == NULL)
                break;
        CHECK(n > 100 && n < MANY);
        CHECK(before == 0 || n == before);
        before = n;
        while (n > 0)
            mlx5dv_devx_free_uar(uar[--n]);
        rig_close(&rig);
    }
}

/* ---- clock ---------------------------------------------------------------------------------- */

/* Return the core clock of the device in nanoseconds, by its frequency in kHz. */
static double read_clock(struct ibv_context *ctx, uint64_t khz)
{
    struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };

    CHECK_EQ(ibv_query_rt_values_ex(ctx, &values), 0);
    return (double)values.raw_clock.tv_nsec * 1e6 / (double)khz;
}

/* In poll mode the page lags behind the clock by the time since the device process last ran, which
 * a busy machine makes long. So the case waits for the clock, which must advance by 20 ms and never
 * run backwards. */
static void the_clock_page_runs(void)
{
    const struct timespec nap = { 0, 5000000 };
    struct rig rig = rig_open(0);
    struct ibv_device_attr_ex attr;
    double first, last, now = 0;
    int i;

    CHECK_EQ(ibv_query_device_ex(rig.ctx, NULL, &attr), 0);
    CHECK(attr.hca_core_clock > 0);
    first = last = read_clock(rig.ctx, attr.hca_core_clock);
    for (i = 0; i < 1000 && last < first + 20e6; i++, last = now) {
        nanosleep(&nap, NULL);
        now = read_clock(rig.ctx, attr.hca_core_clock);
        CHECK(now >= last);
    }
    CHECK(last >= first + 20e6 && last < first + 20e9);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(a_thread_with_signals_blocked_earlier_can_ring),
    RIG_CASE(every_kind_of_store_rings_the_doorbell),
#if defined(__x86_64__)
    RIG_CASE(a_copy_to_a_doorbell_keeps_its_registers),
#endif
    RIG_CASE(signal_handlers_of_the_program_keep_working),
    RIG_CASE(threads_ring_with_signals_blocked),
    RIG_CASE(doorbell_pages_are_available_after_free),
    RIG_CASE(the_clock_page_runs),
};

RIG_MAIN(cases)

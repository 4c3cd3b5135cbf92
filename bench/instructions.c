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

#include <elf.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
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
#define FEW 2u
#define MANY 6u
#define LONGEST 16u /* elements of a list */
#define LANE 4u     /* nodes of a lane */
#define SMALL 64u   /* bytes that a task copies */
#define SKIP 77

/* ---- the stepper ---------------------------------------------------------------------------- */

#define STEPS_MAX 100000u /* of one stretch; a longer one never ends while it is stepped */

static volatile unsigned long *num_steps; /* of the latest stretch; 0: could not be counted */
static pid_t self;                        /* the child; 0: this process is not single-stepped */

/* The begin and the end of a stretch, the code whose instructions are counted. */
static __attribute__((noinline)) void mark(void)
{
    __asm__ volatile("" ::: "memory");
}

static uintptr_t program_counter(pid_t child)
{
    struct user_regs_struct regs;
    struct iovec io = { &regs, sizeof(regs) };

    if (ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &io) != 0)
        return 0;
#if defined(__x86_64__)
    return (uintptr_t)regs.rip;
#elif defined(__aarch64__)
    return (uintptr_t)regs.pc;
#else
#error "x86-64 or AArch64"
#endif
}

/* Single-step the child once, passing on signals that arrive. Return false when the child ended;
 * *status then holds its wait status. */
static bool step(pid_t child, int *status)
{
    int sig = 0;

    do {
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, (void *)(intptr_t)sig) != 0)
            kill(child, SIGKILL);
        if (waitpid(child, status, 0) != child || !WIFSTOPPED(*status))
            return false;
        sig = WSTOPSIG(*status);
    } while (sig != SIGTRAP);
    return true;
}

/* Step from one mark to the next and count the instructions. A string instruction of x86 takes
 * several steps at one address; it counts as one instruction. */
static bool step_stretch(pid_t child, int *status)
{
    const uintptr_t end = (uintptr_t)mark;
    unsigned long steps = 0;
    uintptr_t at = 0, before;

    while (at != end) {
        if (!step(child, status))
            return false;
        at = program_counter(child);
    }
    do {
        before = at;
        if (!step(child, status))
            return false;
        at = program_counter(child);
        if (at != before)
            steps++;
    } while (at != end && steps < STEPS_MAX);
    *num_steps = at == end ? steps : 0;
    return true;
}

/* Serve the child until it ends; return its exit status. */
static int serve(pid_t child)
{
    int status = 0, sig;

    if (waitpid(child, &status, 0) == child && WIFSTOPPED(status))
        ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)PTRACE_O_EXITKILL);
    while (WIFSTOPPED(status)) {
        if (WSTOPSIG(status) == SIGSTOP && !step_stretch(child, &status))
            break;
        sig = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        if (ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)sig) != 0 ||
            waitpid(child, &status, 0) != child)
            return 1;
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "instructions: the child was killed by signal %d\n", WTERMSIG(status));
    return 1;
}

/* Call work(n), and return how many instructions the call took. The assembler statement keeps the
 * compiler from making a copy of this function for one caller or one `work`: tools/bench finds the
 * function by its name. */
static __attribute__((noinline)) unsigned long steps_of(void (*work)(unsigned n), unsigned n)
{
    __asm__ volatile("" : "+r"(work), "+r"(n));
    if (self != 0)
        kill(self, SIGSTOP);
    mark();
    work(n);
    mark();
    return *num_steps;
}

/* ---- objects that the operations use --------------------------------------------------------- */

#define NUM_BUFS 512u
#define NUM_EXPANDED 32u /* bufs of an inventory that was expanded twice */
#define NUM_AMONG 64u /* contexts of a PE; one of them is busy */
#define NUM_CTXS 4    /* contexts of the random sequence */
#define NUM_TASKS 32u /* tasks of each of these contexts */

static DOCA_CORE_ALIGNED unsigned char memory[1 << 16];
static unsigned char *const from = memory, *const to = memory + (1 << 15) + 21 * 64;

static struct doca_dev *dev;
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory, *expanded;
static struct doca_buf_pool *pool;
static struct doca_pe *pe, *pe_among, *pe_sha, *pe_graph, *pe_random, *pe_lists;
static struct doca_dma *dma, *dma_among[NUM_AMONG], *dma_random[NUM_CTXS], *dma_lists, *dma_graph;
static struct doca_sha *sha;
static struct doca_sync_event *event;
static struct doca_graph_instance *lines[MANY + 1]; /* lines[i] has i nodes */
static struct doca_graph_instance *lanes[MANY + 1]; /* lanes[i] has i lanes */
static struct doca_buf *src, *dst, *dst_graph, *digest;
static struct doca_buf *src2, *dst2[MANY]; /* lists of two halves */

static unsigned num_done; /* completions so far */
static const union doca_data none;

static __attribute__((noinline, cold, noreturn)) void fail(const char *what)
{
    fprintf(stderr, "instructions: %s\n", what != NULL ? what : doca_core_last_error());
    exit(1);
}

static inline void must(doca_error_t rc)
{
    if (doca_unlikely(rc != DOCA_SUCCESS))
        fail(NULL);
}

static inline struct doca_task *as_task(struct doca_dma_task_memcpy *task)
{
    return doca_dma_task_memcpy_as_task(task);
}

/* The task's user data says what its callback does. */
enum on_done { KEEP, FREE };

static const union doca_data keep = { .u64 = KEEP }, release = { .u64 = FREE };

static void on_done(struct doca_dma_task_memcpy *task, union doca_data what, union doca_data unused)
{
    (void)unused;
    num_done++;
    if (what.u64 == FREE)
        doca_task_free(as_task(task));
}

static struct doca_dma_task_memcpy *last_done;

static void on_random_done(struct doca_dma_task_memcpy *task, union doca_data data,
                           union doca_data unused)
{
    (void)data, (void)unused;
    last_done = task;
}

static void on_error(struct doca_dma_task_memcpy *task, union doca_data data,
                     union doca_data unused)
{
    (void)task, (void)data, (void)unused;
    fail(NULL);
}

static void on_hash(struct doca_sha_task_hash *task, union doca_data data, union doca_data unused)
{
    (void)data, (void)unused;
    must(doca_task_get_status(doca_sha_task_hash_as_task(task)));
    num_done++;
    doca_task_free(doca_sha_task_hash_as_task(task));
}

static void on_run(struct doca_graph_instance *run, union doca_data data, union doca_data unused)
{
    (void)run, (void)data, (void)unused;
    num_done++;
}

static void on_run_error(struct doca_graph_instance *run, union doca_data data,
                         union doca_data unused)
{
    (void)run, (void)data, (void)unused;
    fail(NULL);
}

static doca_error_t user_node(void *cookie)
{
    (void)cookie;
    return DOCA_SUCCESS;
}

static struct doca_dma *make_dma(struct doca_pe *of, doca_dma_task_memcpy_completion_cb_t done)
{
    struct doca_dma *made;

    must(doca_dma_create(dev, &made));
    must(doca_pe_connect_ctx(of, doca_dma_as_ctx(made)));
    must(doca_dma_task_memcpy_set_conf(made, done, on_error, NUM_TASKS));
    must(doca_ctx_start(doca_dma_as_ctx(made)));
    return made;
}

static struct doca_graph_node *make_node(struct doca_graph *graph, struct doca_graph_node *behind)
{
    struct doca_graph_node *node = NULL;

    must(doca_graph_node_create_from_user(graph, user_node, &node));
    must(doca_graph_add_dependency(graph, behind, node));
    return node;
}

/* Make an instance of a graph: a task (a graph must contain one), then `num` lanes of `length` user
 * nodes, then, with several lanes, a node that waits for all of them. */
static struct doca_graph_instance *make_lanes(unsigned num, unsigned length)
{
    struct doca_graph_node *first, *node, *last = NULL;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_instance *run;
    struct doca_graph *graph;
    unsigned i, k;

    must(doca_graph_create(pe_graph, &graph));
    must(doca_graph_set_conf(graph, on_run, on_run_error, 1));
    must(doca_graph_node_create_from_ctx(graph, doca_dma_as_ctx(dma_graph), &first));
    for (i = 0; i < num; i++) {
        for (k = 0, node = first; k < length; k++)
            node = make_node(graph, node);
        if (num > 1 && last != NULL)
            must(doca_graph_add_dependency(graph, node, last));
        else if (num > 1)
            last = make_node(graph, node);
    }
    must(doca_graph_start(graph));
    must(doca_graph_instance_create(graph, &run));
    must(doca_dma_task_memcpy_alloc_init(dma_graph, src, dst_graph, keep, &task));
    must(doca_graph_instance_set_ctx_node_data(run, first, as_task(task)));
    return run;
}

static void set_up_engines(void)
{
    unsigned i;

    must(doca_pe_create(&pe));
    must(doca_pe_create(&pe_among));
    must(doca_pe_create(&pe_sha));
    must(doca_pe_create(&pe_graph));
    must(doca_pe_create(&pe_random));
    must(doca_pe_create(&pe_lists));
    dma = make_dma(pe, on_done);
    dma_lists = make_dma(pe_lists, on_random_done);
    for (i = 0; i < NUM_AMONG; i++)
        dma_among[i] = make_dma(pe_among, on_done);
    for (i = 0; i < NUM_CTXS; i++)
        dma_random[i] = make_dma(pe_random, on_random_done);
    must(doca_sha_create(dev, &sha));
    must(doca_pe_connect_ctx(pe_sha, doca_sha_as_ctx(sha)));
    must(doca_sha_task_hash_set_conf(sha, on_hash, on_hash, 5));
    must(doca_ctx_start(doca_sha_as_ctx(sha)));
    dma_graph = make_dma(pe_graph, on_done);
    lines[FEW] = make_lanes(1, FEW);
    lines[MANY] = make_lanes(1, MANY);
    lanes[FEW] = make_lanes(FEW, LANE);
    lanes[MANY] = make_lanes(MANY, LANE);
}

static struct doca_buf *make_buf(unsigned char *addr, size_t len, size_t data_len)
{
    struct doca_buf *made;

    must(doca_buf_inventory_buf_get_by_args(inventory, map, addr, len, addr, data_len, &made));
    return made;
}

/* Make a list of two bufs of SMALL / 2 bytes each. */
static struct doca_buf *make_halves(unsigned char *addr, size_t data_len)
{
    struct doca_buf *head = make_buf(addr, SMALL / 2, data_len);

    must(doca_buf_chain_list(head, make_buf(addr + SMALL / 2, SMALL / 2, data_len)));
    return head;
}

static void set_up(void)
{
    struct doca_devinfo **list;
    uint32_t num;
    size_t i;

    for (i = 0; i < sizeof(memory); i++)
        memory[i] = (unsigned char)(i * 7 + i / 256);
    must(doca_devinfo_create_list(&list, &num));
    must(doca_dev_open(list[0], &dev));
    must(doca_devinfo_destroy_list(list));
    must(doca_mmap_create(&map));
    must(doca_mmap_set_memrange(map, memory, sizeof(memory)));
    must(doca_mmap_add_dev(map, dev));
    must(doca_mmap_start(map));
    must(doca_buf_inventory_create(NUM_BUFS, &inventory));
    must(doca_buf_inventory_start(inventory));
    must(doca_buf_inventory_create(NUM_EXPANDED / 4, &expanded));
    must(doca_buf_inventory_expand(expanded, NUM_EXPANDED / 4));
    must(doca_buf_inventory_expand(expanded, NUM_EXPANDED / 2));
    must(doca_buf_inventory_start(expanded));
    must(doca_buf_pool_create(MANY, SMALL, map, &pool));
    must(doca_buf_pool_start(pool));
    must(doca_sync_event_create(&event));
    must(doca_sync_event_add_publisher_location_cpu(event, dev));
    must(doca_sync_event_add_subscriber_location_cpu(event, dev));
    must(doca_sync_event_start(event));
    src = make_buf(from, SMALL, SMALL);
    dst = make_buf(to, (size_t)SMALL * MANY, 0);
    src2 = make_halves(from, SMALL / 2);
    for (i = 0; i < MANY; i++)
        dst2[i] = make_halves(to + i * SMALL, 0);
    digest = make_buf(to, (size_t)32 * MANY, 0);
    dst_graph = make_buf(to, SMALL, 0);
    set_up_engines();
}

/* ---- the operations, in loops as programs have them ----------------------------------------- */

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

/* ---- the random sequence -------------------------------------------------------------------- */

#define MOVES 2500u
#define NUM_LISTS 24u
#define NUM_ITEMS 32u /* tasks that are in use at one time */

/* The counts of one operation, by the length of the list that it walked. An operation that walks no
 * list uses index 1. */
struct tally {
    const char *work;
    const char *title;
    unsigned walks; /* length of the longest list that the operation walks; 0: it walks no list */
    unsigned long min[LONGEST + 1], max[LONGEST + 1];
    unsigned num[LONGEST + 1];
};

enum which {
    GET_BY_ADDR, GET_BY_DATA, GET_BY_ARGS, POOL_ALLOC, RELEASE, RELEASE_LIST, INC, DEC, CHAIN,
    UNCHAIN, UNCHAIN_LAST, LIST_LEN, DUP, ALLOC, SUBMIT, SUBMIT_JOIN, PROGRESS, IDLE, FREE_TASK,
    TASK_OF_LIST, LINE, EVENT_SET, EVENT_GET, EVENT_ADD, GET_EXPANDED, RELEASE_EXPANDED
};

static struct tally tallies[] = {
    [GET_BY_ADDR] = { .work = "get_by_addr", .title = "get_by_addr" },
    [GET_BY_DATA] = { .work = "get_by_data", .title = "get_by_data" },
    [GET_BY_ARGS] = { .work = "get_by_args", .title = "get_by_args" },
    [POOL_ALLOC] = { .work = "pool_alloc", .title = "pool alloc" },
    [RELEASE] = { .work = "release", .title = "dec_refcount to 0, single buf" },
    [RELEASE_LIST] = { .work = "release_list", .title = "dec_refcount to 0, list",
                       .walks = LONGEST },
    [INC] = { .work = "inc_refcount", .title = "inc_refcount" },
    [DEC] = { .work = "dec_refcount", .title = "dec_refcount, not to 0" },
    [CHAIN] = { .work = "chain", .title = "chain_list" },
    [UNCHAIN] = { .work = "unchain", .title = "unchain_list, behind n elements",
                  .walks = LONGEST },
    [UNCHAIN_LAST] = { .work = "unchain_last", .title = "the same, the last one",
                       .walks = LONGEST },
    [LIST_LEN] = { .work = "list_len", .title = "get_list_len", .walks = LONGEST },
    [DUP] = { .work = "dup", .title = "buf_dup of a list", .walks = LONGEST },
    [ALLOC] = { .work = "alloc_init", .title = "task alloc_init, any of 4 contexts" },
    [SUBMIT] = { .work = "submit", .title = "task submit, any of 4 contexts" },
    [SUBMIT_JOIN] = { .work = "submit_join",
                      .title = "task submit, of one that progress has passed" },
    [PROGRESS] = { .work = "progress", .title = "pe_progress with a completion, after n - 1 others",
                   .walks = NUM_CTXS },
    [IDLE] = { .work = "idle", .title = "pe_progress without one, n - 1 contexts had one before",
               .walks = NUM_CTXS + 1 },
    [FREE_TASK] = { .work = "free", .title = "task free, any of 4 contexts" },
    [TASK_OF_LIST] = { .work = "task_of_list", .title = "task with a list of sources",
                       .walks = LONGEST },
    [LINE] = { .work = "graph_line", .title = "graph instance of a task and 2 user nodes" },
    [EVENT_SET] = { .work = "event_set", .title = "sync event: update_set" },
    [EVENT_GET] = { .work = "event_get", .title = "sync event: get" },
    [EVENT_ADD] = { .work = "event_add", .title = "sync event: update_add" },
    [GET_EXPANDED] = { .work = "get_expanded", .title = "get_by_addr, expanded inventory" },
    [RELEASE_EXPANDED] = { .work = "release_expanded", .title = "dec_refcount to 0, such a buf" },
};

#define NUM_TALLIES (sizeof(tallies) / sizeof(tallies[0]))

/* The objects that the current operation acts on. */
static struct {
    unsigned char *addr;
    size_t len;
    struct doca_buf *buf, *other;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *task;
    uint64_t value;
    uint32_t num;
} now;

static void one_get_by_addr(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_get_by_addr(inventory, map, now.addr, now.len, &now.buf));
}

static void one_get_expanded(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_get_by_addr(expanded, map, now.addr, now.len, &now.buf));
}

static void one_get_by_data(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_get_by_data(inventory, map, now.addr, now.len, &now.buf));
}

static void one_get_by_args(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_get_by_args(inventory, map, now.addr, now.len, now.addr, now.len,
                                            &now.buf));
}

static void one_pool_alloc(unsigned n)
{
    (void)n;
    must(doca_buf_pool_buf_alloc(pool, &now.buf));
}

static void one_dec(unsigned n)
{
    (void)n;
    must(doca_buf_dec_refcount(now.buf, NULL));
}

static void one_inc(unsigned n)
{
    (void)n;
    must(doca_buf_inc_refcount(now.buf, NULL));
}

static void one_chain(unsigned n)
{
    (void)n;
    must(doca_buf_chain_list(now.buf, now.other));
}

static void one_unchain(unsigned n)
{
    (void)n;
    must(doca_buf_unchain_list(now.buf, now.other));
}

static void one_list_len(unsigned n)
{
    (void)n;
    must(doca_buf_get_list_len(now.buf, &now.num));
}

static void one_dup(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_dup(inventory, now.buf, &now.other));
}

static void one_alloc(unsigned n)
{
    (void)n;
    must(doca_dma_task_memcpy_alloc_init(now.dma, now.buf, now.other, none, &now.task));
}

static void one_submit(unsigned n)
{
    (void)n;
    must(doca_task_submit(as_task(now.task)));
}

static void one_progress(unsigned n)
{
    (void)n;
    now.num = doca_pe_progress(pe_random);
}

static void one_free(unsigned n)
{
    (void)n;
    doca_task_free(as_task(now.task));
}

static void one_task_of_list(unsigned n)
{
    (void)n;
    must(doca_dma_task_memcpy_alloc_init(dma_lists, now.buf, now.other, none, &now.task));
    must(doca_task_submit(as_task(now.task)));
    now.num = doca_pe_progress(pe_lists);
    doca_task_free(as_task(now.task));
}

static void one_line(unsigned n)
{
    (void)n;
    run_line(FEW);
}

static void one_event_set(unsigned n)
{
    (void)n;
    must(doca_sync_event_update_set(event, now.value));
}

static void one_event_get(unsigned n)
{
    (void)n;
    must(doca_sync_event_get(event, &now.value));
}

static void one_event_add(unsigned n)
{
    (void)n;
    must(doca_sync_event_update_add(event, now.value, &now.value));
}

static void keep_count(enum which which, unsigned long steps, unsigned len)
{
    struct tally *t = &tallies[which];

    if (t->num[len] == 0 || steps < t->min[len])
        t->min[len] = steps;
    if (t->num[len] == 0 || steps > t->max[len])
        t->max[len] = steps;
    t->num[len]++;
}

/* Do the operation once, and record its count. */
static void tally(enum which which, void (*one)(unsigned n), unsigned len)
{
    keep_count(which, steps_of(one, 1), len);
}

/* Return a number below `limit`. The sequence is the same in every run of the program. */
static uint32_t random_below(uint32_t limit)
{
    static uint32_t x = 20240229;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x % limit;
}

static struct {
    struct doca_buf *head;
    unsigned len, refs;
} lists[NUM_LISTS];
static unsigned num_lists;

static struct {
    struct doca_dma_task_memcpy *task;
    struct doca_buf *dst;
    bool in_flight;
} items[NUM_ITEMS];
static unsigned num_items, num_in_flight;

static void move_get(void)
{
    static void (*const ones[])(unsigned n) = { one_get_by_addr, one_get_by_data, one_get_by_args,
                                                one_pool_alloc };
    unsigned k = random_below(4);
    uint32_t num_free;

    must(doca_buf_pool_get_num_free_elements(pool, &num_free));
    if (num_lists == NUM_LISTS || (k == 3 && num_free == 0))
        return;
    now.addr = from + random_below(1000);
    now.len = 1 + random_below(SMALL);
    tally(GET_BY_ADDR + k, ones[k], 1);
    lists[num_lists].head = now.buf;
    lists[num_lists].len = lists[num_lists].refs = 1;
    num_lists++;
}

static void move_expanded(void)
{
    static struct doca_buf *held[NUM_EXPANDED];
    static unsigned num_held;
    unsigned h = random_below(NUM_EXPANDED);

    if (h >= num_held) {
        now.addr = from;
        now.len = SMALL;
        tally(GET_EXPANDED, one_get_expanded, 1);
        held[num_held++] = now.buf;
    } else {
        now.buf = held[h];
        tally(RELEASE_EXPANDED, one_dec, 1);
        held[h] = held[--num_held];
    }
}

static void move_release(unsigned l)
{
    now.buf = lists[l].head;
    if (lists[l].refs > 1) {
        tally(DEC, one_dec, 1);
        lists[l].refs--;
        return;
    }
    tally(lists[l].len > 1 ? RELEASE_LIST : RELEASE, one_dec, lists[l].len);
    lists[l] = lists[--num_lists];
}

static void move_chain(unsigned l)
{
    unsigned k = random_below(num_lists);

    if (k == l || lists[k].refs > 1 || lists[l].len + lists[k].len > LONGEST)
        return;
    now.buf = lists[l].head;
    now.other = lists[k].head;
    tally(CHAIN, one_chain, 1);
    lists[l].len += lists[k].len;
    lists[k] = lists[--num_lists];
}

static void move_unchain(unsigned l)
{
    unsigned at, i;

    if (lists[l].len == 1 || num_lists == NUM_LISTS)
        return;
    at = 1 + random_below(lists[l].len - 1);
    now.buf = now.other = lists[l].head;
    for (i = 0; i < at; i++)
        must(doca_buf_get_next_in_list(now.other, &now.other));
    tally(lists[l].len - at > 1 ? UNCHAIN : UNCHAIN_LAST, one_unchain, at);
    lists[num_lists].head = now.other;
    lists[num_lists].len = lists[l].len - at;
    lists[num_lists++].refs = 1;
    lists[l].len = at;
}

static void move_list_len(struct doca_buf *head, unsigned len)
{
    now.buf = head;
    now.num = 0;
    tally(LIST_LEN, one_list_len, len);
    if (now.num != len)
        fail("get_list_len says another length");
}

static void move_dup(struct doca_buf *head, unsigned len)
{
    now.buf = head;
    tally(DUP, one_dup, len);
    must(doca_buf_dec_refcount(now.other, NULL));
}

/* A list made for the occasion, since copies of other sizes take other instructions. */
static void move_task_of_list(unsigned len)
{
    unsigned i;

    now.buf = make_buf(from, SMALL, SMALL);
    for (i = 1; i < len; i++)
        must(doca_buf_chain_list(now.buf, make_buf(from, SMALL, SMALL)));
    now.other = make_buf(to, (size_t)SMALL * LONGEST, 0);
    tally(TASK_OF_LIST, one_task_of_list, len);
    if (now.num == 0 || memcmp(to + (len - 1) * SMALL, from, SMALL) != 0)
        fail("a task with a list did not copy it");
    must(doca_buf_dec_refcount(now.other, NULL));
    tally(len > 1 ? RELEASE_LIST : RELEASE, one_dec, len);
}

static void move_list(void)
{
    unsigned l, what = random_below(16);

    if (num_lists == 0)
        return;
    l = random_below(num_lists);
    now.buf = lists[l].head;
    if (what < 4) {
        move_release(l);
    } else if (what < 6) {
        tally(INC, one_inc, 1);
        lists[l].refs++;
    } else if (what < 11) {
        move_chain(l);
    } else if (what < 13) {
        move_unchain(l);
    } else if (what < 15) {
        move_list_len(lists[l].head, lists[l].len);
    } else {
        move_dup(lists[l].head, lists[l].len);
    }
}

static void move_alloc(void)
{
    if (num_items == NUM_ITEMS)
        return;
    now.dma = dma_random[random_below(NUM_CTXS)];
    now.buf = src;
    now.other = make_buf(to + num_items * SMALL, SMALL, 0);
    tally(ALLOC, one_alloc, 1);
    items[num_items].task = now.task;
    items[num_items].dst = now.other;
    items[num_items].in_flight = false;
    num_items++;
}

static bool is_in_ring(const struct doca_ctx *ctx)
{
    return ctx->active_next != NULL;
}

static unsigned num_in_ring(void)
{
    unsigned i, num = 0;

    for (i = 0; i < NUM_CTXS; i++)
        num += is_in_ring(doca_dma_as_ctx(dma_random[i])) ? 1u : 0u;
    return num;
}

static void move_task(void)
{
    unsigned i;

    if (num_items == 0)
        return;
    i = random_below(num_items);
    now.task = items[i].task;
    if (items[i].in_flight)
        return;
    if (random_below(3) > 0) {
        must(doca_buf_reset_data_len(items[i].dst));
        tally(is_in_ring(doca_task_get_ctx(as_task(now.task))) ? SUBMIT : SUBMIT_JOIN, one_submit,
              1);
        items[i].in_flight = true;
        num_in_flight++;
    } else {
        tally(FREE_TASK, one_free, 1);
        must(doca_buf_dec_refcount(items[i].dst, NULL));
        items[i] = items[--num_items];
    }
}

/* Count one call of progress. How many idle contexts the call passed is known only afterwards. */
static void tally_progress(enum which which)
{
    unsigned before = num_in_ring(), passed;
    unsigned long steps = steps_of(one_progress, 1);

    passed = before - num_in_ring();
    keep_count(which, steps, 1 + passed);
}

static void move_progress(void)
{
    unsigned i;

    if (num_in_flight == 0) {
        tally_progress(IDLE);
        return;
    }
    tally_progress(PROGRESS);
    for (i = 0; i < num_items && items[i].task != last_done; i++)
        continue;
    if (now.num == 0 || i == num_items || !items[i].in_flight)
        fail("a task did not complete");
    items[i].in_flight = false;
    num_in_flight--;
}

static void move_event(void)
{
    uint64_t value = random_below(1000);

    now.value = value;
    switch (random_below(3)) {
    case 0:
        tally(EVENT_SET, one_event_set, 1);
        break;
    case 1:
        tally(EVENT_GET, one_event_get, 1);
        break;
    default:
        tally(EVENT_ADD, one_event_add, 1);
    }
}

static void move_line(void)
{
    empty_graph(1);
    tally(LINE, one_line, 1);
    check_copy(1);
}

/* Submit a copy from `src` to `dst`, which no other task in flight uses, in a context of the random
 * sequence. */
static void submit_alone(struct doca_dma *of)
{
    must(doca_buf_reset_data_len(dst));
    must(doca_dma_task_memcpy_alloc_init(of, src, dst, none, &now.task));
    tally(is_in_ring(doca_dma_as_ctx(of)) ? SUBMIT : SUBMIT_JOIN, one_submit, 1);
}

static void complete_alone(void)
{
    tally_progress(PROGRESS);
    doca_task_free(as_task(last_done));
}

/* Called while no task is in flight. Each of `num` contexts becomes busy and then idle again, and
 * then the last one once more. Between these rounds, count a call of progress without busy
 * contexts. */
static void visit_ring(unsigned num)
{
    unsigned i;

    tally_progress(IDLE);
    for (i = 0; i < num; i++)
        submit_alone(dma_random[i]);
    for (i = 0; i < num; i++)
        complete_alone();
    submit_alone(dma_random[num - 1]);
    complete_alone();
    tally_progress(IDLE);
    for (i = 0; i < num; i++)
        submit_alone(dma_random[i]);
    for (i = 0; i < num; i++)
        complete_alone();
    tally_progress(IDLE);
}

/* Run the operations on lists with every length up to LONGEST: the random sequence rarely makes
 * long lists. */
static void visit_lengths(void)
{
    struct doca_buf *head = make_buf(from, SMALL, SMALL), *last;
    unsigned len;

    for (len = 1; len <= LONGEST; len++) {
        move_task_of_list(len);
        move_list_len(head, len);
        move_dup(head, len);
        now.buf = head;
        now.other = make_halves(from, 0);
        must(doca_buf_get_next_in_list(now.other, &last));
        must(doca_buf_chain_list(head, now.other));
        tally(UNCHAIN, one_unchain, len);
        must(doca_buf_unchain_list(now.other, last));
        must(doca_buf_chain_list(head, now.other));
        tally(UNCHAIN_LAST, one_unchain, len);
        must(doca_buf_chain_list(head, now.other));
        must(doca_buf_dec_refcount(last, NULL));
    }
    must(doca_buf_dec_refcount(head, NULL));
    for (len = 1; len <= NUM_CTXS; len++)
        visit_ring(len);
}

static void run_history(void)
{
    unsigned i, what;

    empty_dst(0);
    now.buf = src;
    now.other = dst;
    one_task_of_list(1); /* the context stays in the ring: its PE has no other */
    for (i = 0; i < MOVES; i++) {
        what = random_below(34);
        if (what >= 32)
            move_expanded();
        else if (what < 5)
            move_get();
        else if (what < 14)
            move_list();
        else if (what < 18)
            move_alloc();
        else if (what < 24)
            move_task();
        else if (what < 30)
            move_progress();
        else if (what < 31)
            move_event();
        else if (random_below(3) > 0)
            move_task_of_list(1 + random_below(LONGEST / 2));
        else
            move_line();
        if (i % (MOVES / 2) == 0) { /* twice in the sequence, no task is in flight */
            while (num_in_flight > 0)
                move_progress();
            visit_lengths();
        }
    }
}

/* ---- output ---------------------------------------------------------------------------------- */

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

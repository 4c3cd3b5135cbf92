/* Rows of bench_scale.c: imports of another process's exports, processes that share an export, and
 * threads with a progress engine each. */
#ifndef BENCH_SCALE_SHARE_H
#define BENCH_SCALE_SHARE_H

#include "scale.h"

#include <sys/uio.h>

#define SHARE_DESC 1024u  /* bytes, at least those of a descriptor */
#define SHARE_MANY 20000u /* operations of a thread in one turn */
#define SHARE_FEW 2000u   /* operations of a process in one turn: each is a system call */
#define SHARE_TURNS 30u      /* turns of the threads in one turn of the row */
#define SHARE_MAX_THREADS 64u
#define SHARE_MAX_PROCESSES 16u

static void share_copied(struct doca_dma_task_memcpy *task, union doca_data task_data,
                         union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data;
}

/* The objects that copy from `num` sources: a context, and two bufs for each source. */
struct share_engine {
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct bench_rig rig;
    struct bench_copy *copies;
    struct doca_mmap **imports; /* for each source, its mmap if that is imported; else NULL */
    unsigned char *to;
    size_t num;
};

static void share_engine_open(struct share_engine *e, size_t num)
{
    memset(e, 0, sizeof(*e));
    e->num = num;
    e->to = bench_pages(4096);
    e->copies = bench_pages(num * sizeof(*e->copies));
    e->imports = bench_pages(num * sizeof(void *));
    bench_rig_open(&e->rig, e->to, 4096, 2 * num);
    bench_must(doca_pe_create(&e->pe));
    e->dma = bench_dma_open(e->rig.dev, e->pe);
    bench_dma_start(e->dma, share_copied, 1);
}

static void share_engine_close(struct share_engine *e)
{
    size_t i;

    for (i = 0; i < e->num; i++) {
        bench_copy_close(&e->copies[i]);
        if (e->imports[i] != NULL)
            bench_must(doca_mmap_destroy(e->imports[i]));
    }
    bench_must(doca_dma_destroy(e->dma));
    bench_must(doca_pe_destroy(e->pe));
    bench_rig_close(&e->rig);
    scale_drop(e->imports, e->num * sizeof(void *));
    scale_drop(e->copies, e->num * sizeof(*e->copies));
    scale_drop(e->to, 4096);
}

BENCH_INLINE void share_copy(const struct share_engine *e, const struct bench_copy *c)
{
    const union doca_data none = { NULL };
    struct doca_dma_task_memcpy *task;

    bench_must(doca_buf_reset_data_len(c->dst));
    bench_must(doca_dma_task_memcpy_alloc_init(e->dma, c->src, c->dst, none, &task));
    bench_must(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (doca_pe_progress(e->pe) == 0)
        continue;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

/* ---- imports ----
 *
 * The exporter is a child process, because Linux always lets a parent access the memory of its
 * child. It exports `num` mmaps, writes the descriptors into memory that both processes share, and
 * sleeps. */

struct share_page { /* shared by all processes */
    volatile uint32_t is_ready, num_here, must_begin;
    volatile double ns[SHARE_MAX_PROCESSES];
    unsigned char *addr;
    size_t desc_bytes;
    unsigned char descs[];
};

static struct {
    struct share_page *page;
    size_t page_bytes;
    pid_t exporter;
    int to_exporter; /* closed to end the exporter */
    struct share_engine engine;
    size_t num;
    pid_t processes[SHARE_MAX_PROCESSES];
} share;

static void share_export(size_t num, int until_closed)
{
    unsigned char *data = bench_pages(num * SCALE_ROOM);
    struct doca_dev *dev;
    const void *desc;
    char nothing;
    size_t i;

    sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
    sys_prctl(0x59616d61 /* PR_SET_PTRACER */, -1, 0); /* several processes import */
    scale_open_arena();
    dev = bench_open_dev();
    for (i = 0; i < num; i++) {
        bench_must(doca_mmap_export_pci(bench_map(dev, data + i * SCALE_ROOM, SCALE_ROOM), dev,
                                        &desc, &share.page->desc_bytes));
        bench_check(share.page->desc_bytes <= SHARE_DESC, "a descriptor of unexpected length");
        memcpy(share.page->descs + i * SHARE_DESC, desc, share.page->desc_bytes);
    }
    share.page->addr = data;
    __sync_synchronize();
    share.page->is_ready = 1;
    while (read(until_closed, &nothing, 1) < 0)
        continue;
    _exit(0);
}

static void open_exporter(size_t num)
{
    int ends[2];

    memset(&share, 0, sizeof(share));
    share.num = num;
    share.page_bytes = sizeof(*share.page) + num * SHARE_DESC;
    share.page =
        mmap(NULL, share.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bench_check(share.page != MAP_FAILED && pipe(ends) == 0, "no shared memory");
    fflush(stdout);
    share.exporter = fork();
    bench_check(share.exporter >= 0, "no second process");
    if (share.exporter == 0) {
        close(ends[1]);
        share_export(num, ends[0]);
    }
    close(ends[0]);
    share.to_exporter = ends[1];
    while (!share.page->is_ready) {
        bench_check(waitpid(share.exporter, NULL, WNOHANG) == 0, "the exporter failed");
        usleep(100);
    }
}

static void close_exporter(void)
{
    int status;

    close(share.to_exporter);
    bench_check(waitpid(share.exporter, &status, 0) == share.exporter && status == 0,
                "the exporter failed");
    scale_drop(share.page, share.page_bytes);
}

static struct doca_mmap *import(size_t i)
{
    struct doca_mmap *map = NULL;

    bench_must(doca_mmap_create_from_export(NULL, share.page->descs + i * SHARE_DESC,
                                            share.page->desc_bytes, share.engine.rig.dev, &map));
    return map;
}

static void import_all(size_t num)
{
    struct share_engine *e = &share.engine;
    size_t i;

    share_engine_open(e, num);
    for (i = 0; i < num; i++) {
        e->imports[i] = import(i);
        bench_copy_open(&e->copies[i], &e->rig, e->imports[i], share.page->addr + i * SCALE_ROOM,
                        e->to, SCALE_ROOM);
    }
}

static void open_imports(size_t num)
{
    open_exporter(num);
    import_all(num);
}

static void close_imports(size_t num)
{
    (void)num;
    share_engine_close(&share.engine);
    close_exporter();
}

static void run_import_copy(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        share_copy(&share.engine, &share.engine.copies[scale_any(share.num)]);
}

/* Read the bytes of source `i` and, like the library, one more word in the same system call. */
static void bare_read(size_t i)
{
    static uint64_t word;
    const struct iovec local[2] = { { share.engine.to, SCALE_ROOM }, { &word, sizeof(word) } };
    const struct iovec remote[2] = { { share.page->addr + i * SCALE_ROOM, SCALE_ROOM },
                                     { scale.memory + i * SHARE_DESC, sizeof(word) } };

    bench_check(process_vm_readv(share.exporter, local, 2, remote, 2, 0) ==
                    (ssize_t)(SCALE_ROOM + sizeof(word)),
                "the kernel read less");
}

static void bare_import_copy(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        bare_read(scale_any(share.num));
}

/* Import an export at random once more, and destroy the new import. */
static void run_import_life(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        bench_must(doca_mmap_destroy(import(scale_any(share.num))));
}

/* Return NULL if the kernel lets this process read the memory of a child, and a reason
 * otherwise. */
static const char *import_ready(void)
{
    static uint64_t word = 1;
    const struct iovec one = { &word, sizeof(word) };
    pid_t child = fork();
    ssize_t got;

    bench_check(child >= 0, "no second process");
    if (child == 0)
        for (;;)
            pause();
    got = process_vm_readv(child, &one, 1, &one, 1, 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return got == sizeof(word) ? NULL : "the kernel refuses the memory of another process";
}

/* ---- processes that share an export ---- */

static double cpu_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Wait until all `num` processes or threads have called this function, so that they begin at the
 * same time. */
static void begin_together(volatile uint32_t *num_here, size_t num)
{
    (void)__sync_fetch_and_add(num_here, 1);
    while (*num_here < num)
        sched_yield();
}

static __attribute__((noreturn)) void copy_in_process(size_t number, size_t num, bool is_bare)
{
    double start;
    unsigned i;

    sys_prctl(PR_SET_PDEATHSIG, SIGKILL, 0);
    bench_check(sched_setaffinity(0, sizeof(scale.cpus), &scale.cpus) == 0, "no CPUs");
    scale_open_arena();
    import_all(1);
    begin_together(&share.page->num_here, num);
    start = cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
    for (i = 0; i < SHARE_FEW; i++) {
        if (is_bare)
            bare_read(0);
        else
            share_copy(&share.engine, &share.engine.copies[0]);
    }
    share.page->ns[number] = (cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - start) / SHARE_FEW;
    _exit(0);
}

/* Let `num` processes, each with its own import of one export, copy at the same time. Return the
 * CPU time of one operation. Elapsed time would grow with the number of processes where there are
 * fewer CPUs than processes. */
static double time_processes(size_t num, bool is_bare)
{
    double sum = 0;
    int status;
    size_t i;

    share.page->num_here = 0;
    fflush(stdout);
    for (i = 0; i < num; i++) {
        share.processes[i] = fork();
        bench_check(share.processes[i] >= 0, "no further process");
        if (share.processes[i] == 0)
            copy_in_process(i, num, is_bare);
    }
    for (i = 0; i < num; i++) {
        bench_check(waitpid(share.processes[i], &status, 0) == share.processes[i] && status == 0,
                    "a process failed");
        sum += share.page->ns[i];
    }
    return sum / (double)num;
}

/* Start the exporter only: each importing process creates its own context and PE. */
static void open_processes(size_t num)
{
    (void)num;
    open_exporter(1);
}

static void close_processes(size_t num)
{
    (void)num;
    close_exporter();
}

/* ---- threads with a progress engine each ---- */

struct share_thread {
    pthread_t thread;
    int cpu;
    size_t num;
    volatile uint32_t *num_here;
    double ns;
} __attribute__((aligned(2 * BENCH_LINE)));

static void *copy_in_thread(void *arg)
{
    struct share_thread *t = arg;
    struct share_engine e;
    double start;
    unsigned i;

    bench_pin(t->cpu);
    share_engine_open(&e, 1);
    bench_copy_open(&e.copies[0], &e.rig, e.rig.map, e.to, e.to + 2048 + 21 * BENCH_LINE,
                    SCALE_ROOM);
    for (i = 0; i < 1000; i++)
        share_copy(&e, &e.copies[0]);
    begin_together(t->num_here, t->num);
    start = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    for (i = 0; i < SHARE_MANY; i++)
        share_copy(&e, &e.copies[0]);
    t->ns = (cpu_ns(CLOCK_THREAD_CPUTIME_ID) - start) / SHARE_MANY;
    share_engine_close(&e);
    return NULL;
}

/* Let `num` threads, each on a CPU of its own, copy at the same time. Add their rates (operations
 * per ns of CPU time, which does not include the time of other programs), and return the time that
 * one operation takes at the average rate. */
static double turn_of_threads(size_t num)
{
    static struct share_thread threads[SHARE_MAX_THREADS];
    volatile uint32_t num_here = 0;
    double rate = 0;
    size_t i;
    int cpu = -1;

    for (i = 0; i < num; i++) {
        do
            cpu++;
        while (!CPU_ISSET((size_t)cpu, &scale.cpus));
        threads[i].cpu = cpu;
        threads[i].num = num;
        threads[i].num_here = &num_here;
        bench_check(pthread_create(&threads[i].thread, NULL, copy_in_thread, &threads[i]) == 0,
                    "no further thread");
    }
    for (i = 0; i < num; i++) {
        pthread_join(threads[i].thread, NULL);
        rate += 1 / threads[i].ns;
    }
    return (double)num / rate;
}

/* Return the time of the fastest of many turns: the more threads there are, the more often another
 * program disturbs one of them. */
static double time_threads(size_t num, bool is_bare)
{
    double least = INFINITY;
    unsigned k;

    (void)is_bare;
    for (k = 0; k < (bench.is_smoke ? 1 : SHARE_TURNS); k++)
        least = fmin(least, turn_of_threads(num));
    return least;
}

static void open_nothing(size_t num)
{
    (void)num;
}

#define IMPORT_ROW                                                                                 \
    .x = "imports", .factor = 10, .max = 1000, .smoke_max = 100, .open = open_imports,             \
    .close = close_imports, .ready = import_ready

static const struct scale_row scale_share_rows[] = {
    { .work = "import_copy",
      .title = "64 B task from an import at random",
      IMPORT_ROW,
      .run = run_import_copy,
      .bare = bare_import_copy,
      .bare_name = "process_vm_readv of 64 B and of a word" },
    { .work = "import_life",
      .title = "import one more mmap, and destroy that one",
      IMPORT_ROW,
      .run = run_import_life },
    { .work = "processes",
      .title = "64 B task, processes that import one export, CPU time",
      .x = "processes",
      .factor = 2,
      .max = SHARE_MAX_PROCESSES,
      .smoke_max = 4,
      .open = open_processes,
      .close = close_processes,
      .timed = time_processes,
      .bare = bare_import_copy,
      .bare_name = "process_vm_readv of 64 B and of a word",
      .ready = import_ready },
    { .work = "threads",
      .title = "64 B task, threads with a PE each, CPU time",
      .x = "threads",
      .factor = 2,
      .open = open_nothing,
      .close = open_nothing,
      .timed = time_threads,
      .flat = 1 / 0.95 },
};

#endif

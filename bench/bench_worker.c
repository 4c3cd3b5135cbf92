/* Copies that a second core executes: the cost of passing a copy to that core and getting its
 * result back, with 1 and with 32 copies in flight. The peers are DPDK's dmadev with the skeleton
 * driver, whose copies also run on a second core, and a pair of DPDK's rings. The limit is a bare
 * loop that passes one cache line per copy to the other core and back. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "rig.h"

#define DEPTH 32u
#define ROOM 4096u /* bytes of a buffer; buffers are some cache lines further apart */

struct copy { /* the copies of one work */
    size_t bytes;
    unsigned depth;
};

static unsigned char *from[DEPTH], *to[DEPTH], *memory;
static size_t memory_bytes;

static void lay_out(void)
{
    const size_t stride = ROOM + 3 * BENCH_LINE;
    unsigned i;

    memory_bytes = (2 * DEPTH + 1) * stride;
    memory = bench_pages(memory_bytes);
    for (i = 0; i < DEPTH; i++) {
        from[i] = memory + i * stride;
        to[i] = memory + (DEPTH + i) * stride + 21 * BENCH_LINE; /* see bench_dma.c */
    }
}

/* ---- the limit: a mailbox is empty or requests a copy; the other core empties it ---- */

static struct mailbox {
    unsigned char *volatile to; /* NULL: empty */
    unsigned char *from;
    size_t bytes;
} __attribute__((aligned(BENCH_LINE))) mailboxes[DEPTH];

static volatile uint32_t __attribute__((aligned(2 * BENCH_LINE))) is_over;
static pthread_t partner;

static void *serve_mailboxes(void *depth)
{
    unsigned i = 0, num = *(const unsigned *)depth;
    struct mailbox *box;

    while (!is_over) {
        box = &mailboxes[i];
        if (__atomic_load_n(&box->to, __ATOMIC_ACQUIRE) == NULL)
            continue;
        memcpy(box->to, box->from, box->bytes);
        __atomic_store_n(&box->to, NULL, __ATOMIC_RELEASE);
        i = i + 1 < num ? i + 1 : 0;
    }
    return NULL;
}

static void mailboxes_begin(const void *arg)
{
    static unsigned depth;
    const struct copy *c = arg;

    depth = c->depth;
    is_over = 0;
    partner = bench_partner_start(serve_mailboxes, &depth);
}

static void mailboxes_end(const void *arg)
{
    (void)arg;
    is_over = 1;
    pthread_join(partner, NULL);
}

static void await(struct mailbox *box)
{
    while (__atomic_load_n(&box->to, __ATOMIC_ACQUIRE) != NULL)
        continue;
}

/* Pass `n` copies, a multiple of `depth`, so that both cores begin the next turn with the first
 * mailbox. */
static void by_mailboxes(unsigned long n, const void *arg)
{
    const struct copy *c = arg;
    unsigned i = 0;

    for (; bench_left(n); n--) {
        await(&mailboxes[i]);
        mailboxes[i].from = from[i];
        mailboxes[i].bytes = c->bytes;
        __atomic_store_n(&mailboxes[i].to, to[i], __ATOMIC_RELEASE);
        i = i + 1 < c->depth ? i + 1 : 0;
    }
    for (i = 0; i < c->depth; i++)
        await(&mailboxes[i]);
}

/* ---- DPDK ---- */

#ifdef BENCH_DPDK
static void by_dmadev(unsigned long n, const void *arg)
{
    const struct copy *c = arg;

    bench_dmadev_copy(n, c->depth, from, to, (uint32_t)c->bytes);
}

/* Two rings of pointers, there and back, and a thread between them that copies. */
#include <rte_ring.h>

static struct rte_ring *asked, *answered;

static const char *rings_ready(void)
{
    const unsigned one_each = RING_F_SP_ENQ | RING_F_SC_DEQ;
    const char *reason = bench_dmadev(); /* also starts DPDK, once, for the device and the rings */

    if (reason != NULL || answered != NULL)
        return reason;
    asked = rte_ring_create("asked", 2 * DEPTH, SOCKET_ID_ANY, one_each);
    answered = rte_ring_create("answered", 2 * DEPTH, SOCKET_ID_ANY, one_each);
    return asked == NULL || answered == NULL ? "DPDK has no memory for rings" : NULL;
}

static void *serve_rings(void *unused)
{
    struct mailbox *box;
    void *taken;

    (void)unused;
    while (!is_over) {
        if (rte_ring_sc_dequeue(asked, &taken) != 0)
            continue;
        box = taken;
        memcpy(box->to, box->from, box->bytes);
        bench_check(rte_ring_sp_enqueue(answered, box) == 0, "the ring is full");
    }
    return NULL;
}

static void rings_begin(const void *arg)
{
    (void)arg;
    is_over = 0;
    partner = bench_partner_start(serve_rings, NULL);
}

static void by_rings(unsigned long n, const void *arg)
{
    const struct copy *c = arg;
    unsigned long left_to_post = n;
    unsigned i = 0, under_way = 0;
    struct mailbox *box;
    void *back;

    for (; bench_left(n); n--, under_way--) {
        for (; under_way < c->depth && left_to_post > 0; under_way++, left_to_post--) {
            box = &mailboxes[i];
            box->from = from[i];
            box->to = to[i];
            box->bytes = c->bytes;
            bench_check(rte_ring_sp_enqueue(asked, box) == 0, "the ring is full");
            i = i + 1 < c->depth ? i + 1 : 0;
        }
        while (rte_ring_sc_dequeue(answered, &back) != 0)
            continue;
        box = back;
        box->to = NULL; /* the bare loop expects empty mailboxes */
    }
}
#else
static const char *rings_ready(void)
{
    return bench_eal(0, NULL);
}
#endif

/* ---- ours: a worker of the software device, in a thread of the other core ---- */

static struct bench_rig rig;
static struct bench_copy pairs[DEPTH];
static struct doca_core_sw_worker *worker;
static struct doca_pe *pe;
static struct doca_dma *dma;

static void on_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task_data, (void)ctx_data;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void open_worker(void)
{
    unsigned i;

    bench_rig_open(&rig, memory, memory_bytes, (size_t)2 * DEPTH);
    bench_must(doca_pe_create(&pe));
    bench_must(doca_core_sw_worker_create(rig.dev, &worker));
    bench_must(doca_core_sw_worker_set_max_idle_turns(worker, UINT32_MAX));
    dma = bench_dma_open(rig.dev, pe);
    for (i = 0; i < DEPTH; i++)
        bench_copy_open(&pairs[i], &rig, rig.map, from[i], to[i], ROOM);
}

static void *serve(void *unused)
{
    (void)unused;
    bench_must(doca_core_sw_worker_run(worker));
    return NULL;
}

static void tasks_begin(const void *arg)
{
    const struct copy *c = arg;
    unsigned i;

    if (worker == NULL)
        open_worker();
    for (i = 0; i < c->depth; i++)
        bench_must(doca_buf_set_data(pairs[i].src, from[i], c->bytes));
    bench_dma_start(dma, on_done, c->depth);
    partner = bench_partner_start(serve, NULL);
    while (DOCA_PRIV_LOAD(&worker->lanes->mode) == DOCA_PRIV_SW_ABSENT)
        continue; /* before the first turn of the worker, progress would copy */
}

static void tasks_end(const void *arg)
{
    (void)arg;
    bench_must(doca_core_sw_worker_stop(worker));
    pthread_join(partner, NULL);
    bench_must(doca_ctx_stop(doca_dma_as_ctx(dma)));
}

static void by_tasks(unsigned long n, const void *arg)
{
    const struct copy *c = arg;
    const union doca_data none = { NULL };
    struct doca_dma_task_memcpy *task;
    unsigned long left_to_post = n;
    unsigned i = 0, under_way = 0;

    for (; bench_left(n); n--, under_way--) {
        for (; under_way < c->depth && left_to_post > 0; under_way++, left_to_post--) {
            bench_must(doca_buf_reset_data_len(pairs[i].dst));
            bench_must(doca_dma_task_memcpy_alloc_init(dma, pairs[i].src, pairs[i].dst, none,
                                                       &task));
            bench_must(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
            i = i + 1 < c->depth ? i + 1 : 0;
        }
        while (doca_pe_progress(pe) == 0)
            continue;
    }
}

static bool is_copied(const struct bench_side *side)
{
    const struct copy *c = side->arg;
    bool is_same = true;
    unsigned i;

    for (i = 0; i < c->depth; i++) {
        bench_fill(from[i], c->bytes);
        memset(to[i], 0, c->bytes);
    }
    side->begin(c);
    side->run(c->depth, c);
    side->end(c);
    for (i = 0; i < c->depth; i++)
        is_same = is_same && memcmp(from[i], to[i], c->bytes) == 0;
    return is_same;
}

static const struct {
    const char *work, *title;
    struct copy copy;
    const char *row;
    double must, stretch;
} copies[] = {
    { "worker64_depth1", "64 B task on a second core, one under way", { 64, 1 }, "11", 0.6, 0.45 },
    { "worker64_depth32", "64 B tasks on a second core, 32 under way", { 64, DEPTH }, "11", 0.4,
      0.28 },
    { "worker4k_depth1", "4 KiB task on a second core, one under way", { 4096, 1 }, NULL, NAN,
      NAN },
    { "worker4k_depth32", "4 KiB tasks on a second core, 32 under way", { 4096, DEPTH }, NULL, NAN,
      NAN },
};

int main(int argc, char **argv)
{
    size_t i;

    bench_begin("bench_worker", argc, argv);
    lay_out();
    for (i = 0; i < sizeof(copies) / sizeof(copies[0]); i++) {
        const struct copy *c = &copies[i].copy;
        const struct bench_work w = {
            .area = "worker",
            .work = copies[i].work,
            .title = copies[i].title,
            .bytes = c->bytes,
            .batch = c->depth,
            .sides = { { .side = "ours", .name = "inlined", .run = by_tasks, .arg = c,
                         .verify = is_copied, .begin = tasks_begin, .end = tasks_end,
                         .ready = bench_two_cpus },
                       { .side = "peer", .name = "dmadev skeleton",
                         .run = BENCH_IF_DPDK(by_dmadev), .arg = c, .verify = is_copied,
                         .begin = BENCH_IF_DPDK(bench_dmadev_begin),
                         .end = BENCH_IF_DPDK(bench_dmadev_end), .ready = bench_dmadev },
                       { .side = "peer", .name = "two rte_rings and a thread that copies",
                         .run = BENCH_IF_DPDK(by_rings), .arg = c, .verify = is_copied,
                         .begin = BENCH_IF_DPDK(rings_begin), .end = BENCH_IF_DPDK(mailboxes_end),
                         .ready = rings_ready },
                       { .side = "limit", .name = "bare mailboxes", .run = by_mailboxes, .arg = c,
                         .verify = is_copied, .begin = mailboxes_begin, .end = mailboxes_end,
                         .ready = bench_two_cpus } },
            .targets = { { copies[i].row, "inlined", "dmadev skeleton", "ratio", copies[i].must,
                           copies[i].stretch } }
        };

        bench_run(&w);
    }
    return bench_end();
}

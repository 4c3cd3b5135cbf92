/* Buffers: the cost of taking and releasing descriptors. The peers are mbufs of DPDK, both with
 * inline data and with external data attached (a doca_buf also describes external data). The limit
 * is a free list of 64-byte objects with a range check. Further works take and release buffers in
 * random order, from pools that are too large for the caches. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "rig.h"

#define BURST 32u
#define CHAIN 4u
#define ROOM 64u /* bytes described by each buf */

static unsigned char memory[BURST * ROOM] __attribute__((aligned(BENCH_LINE)));
static struct bench_rig rig;

/* ---- ours ---- */

BENCH_INLINE struct doca_buf *take(bool is_library, struct doca_buf_inventory *from,
                                   struct doca_mmap *map, unsigned i)
{
    struct doca_buf *buf;

    bench_must(BENCH_CALL(is_library, buf_inventory_buf_get_by_addr, from, map,
                          memory + i % BURST * ROOM, ROOM, &buf));
    return buf;
}

BENCH_INLINE void release(bool is_library, struct doca_buf *buf)
{
    bench_must(BENCH_CALL(is_library, buf_dec_refcount, buf, NULL));
}

BENCH_INLINE void bursts(bool is_library, unsigned long n)
{
    struct doca_buf_inventory *from = rig.inventory;
    struct doca_mmap *map = rig.map;
    struct doca_buf *bufs[BURST];
    unsigned i;

    for (; bench_left(n); n -= BURST) {
        for (i = 0; i < BURST; i++)
            bufs[i] = take(is_library, from, map, i);
        for (i = 0; i < BURST; i++)
            release(is_library, bufs[i]);
    }
}

BENCH_INLINE void pairs(bool is_library, unsigned long n)
{
    struct doca_buf_inventory *from = rig.inventory;
    struct doca_mmap *map = rig.map;

    for (; bench_left(n); n--)
        release(is_library, take(is_library, from, map, 0));
}

BENCH_INLINE void chains(bool is_library, unsigned long n)
{
    struct doca_buf_inventory *from = rig.inventory;
    struct doca_mmap *map = rig.map;
    struct doca_buf *head;
    unsigned i;

    for (; bench_left(n); n--) {
        head = take(is_library, from, map, 0);
        for (i = 1; i < CHAIN; i++)
            bench_must(BENCH_CALL(is_library, buf_chain_list, head,
                                  take(is_library, from, map, i)));
        release(is_library, head);
    }
}

BENCH_INLINE void refcounts(bool is_library, unsigned long n)
{
    struct doca_buf_inventory *from = rig.inventory;
    struct doca_mmap *map = rig.map;
    struct doca_buf *buf = take(is_library, from, map, 0);

    for (; bench_left(n); n--) {
        bench_must(BENCH_CALL(is_library, buf_inc_refcount, buf, NULL));
        bench_must(BENCH_CALL(is_library, buf_dec_refcount, buf, NULL));
    }
    release(is_library, buf);
}

#define FORMS(work)                                                                                \
    static void work##_inlined(unsigned long n, const void *arg)                                   \
    {                                                                                              \
        (void)arg;                                                                                 \
        work(false, n);                                                                            \
    }                                                                                              \
    static void work##_library(unsigned long n, const void *arg)                                   \
    {                                                                                              \
        (void)arg;                                                                                 \
        work(true, n);                                                                             \
    }

FORMS(bursts)
FORMS(pairs)
FORMS(chains)
FORMS(refcounts)

static bool stock_is_whole(const struct bench_side *side)
{
    uint32_t num, num_free, num_bufs;

    side->run(BURST, side->arg);
    bench_must(doca_buf_inventory_get_num_elements(rig.inventory, &num));
    bench_must(doca_buf_inventory_get_num_free_elements(rig.inventory, &num_free));
    bench_must(doca_mmap_get_num_bufs(rig.map, &num_bufs));
    return num == num_free && num_bufs == 0;
}

/* ---- the bare limit: a last-in, first-out list, and a range check ---- */

struct object {
    struct object *next;
    unsigned char *addr;
    size_t len;
    size_t used;
    uint64_t count;
} __attribute__((aligned(BENCH_LINE)));

struct list {
    struct object *first;
    unsigned char *low, *high;
};

static struct object objects[BURST];
static struct list list = { NULL, memory, memory + sizeof(memory) };

BENCH_INLINE struct object *list_take(struct list *l, unsigned char *addr, size_t len)
{
    struct object *o = l->first;

    bench_check(o != NULL && addr >= l->low && addr <= l->high && len <= (size_t)(l->high - addr),
                "the list refused");
    l->first = o->next;
    o->addr = addr;
    o->len = len;
    o->used = 0;
    o->count = 1;
    return o;
}

BENCH_INLINE void list_give(struct list *l, struct object *o)
{
    if (--o->count > 0)
        return;
    o->next = l->first;
    l->first = o;
}

static void list_bursts(unsigned long n, const void *arg)
{
    struct object *taken[BURST];
    unsigned i;

    (void)arg;
    for (; bench_left(n); n -= BURST) {
        for (i = 0; i < BURST; i++)
            taken[i] = list_take(&list, memory + i * ROOM, ROOM);
        for (i = 0; i < BURST; i++)
            list_give(&list, taken[i]);
    }
}

static void list_pairs(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        list_give(&list, list_take(&list, memory, ROOM));
}

static bool list_is_whole(const struct bench_side *side)
{
    const struct object *o;
    unsigned num = 0;

    side->run(BURST, side->arg);
    for (o = list.first; o != NULL; o = o->next)
        num++;
    return num == BURST;
}

/* ---- the mbufs ---- */

#ifdef BENCH_DPDK
#include <rte_mbuf.h>

static struct rte_mempool *mbufs;
static struct rte_mbuf_ext_shared_info shared;

static void shared_is_free(void *addr, void *arg)
{
    (void)addr, (void)arg;
}

static const char *dpdk_ready(void)
{
    const char *reason = bench_eal(bench.is_smoke                              ? 64
                                   : bench_available_bytes() > (size_t)9 << 30 ? 5000
                                                                               : 512,
                                   NULL);

    if (reason == NULL && mbufs == NULL) {
        mbufs = rte_pktmbuf_pool_create("bench", 8191, 256, 0, 0, SOCKET_ID_ANY);
        shared.free_cb = shared_is_free;
        reason = mbufs == NULL ? "DPDK has no memory for the pool" : NULL;
    }
    return reason;
}

BENCH_INLINE struct rte_mbuf *mbuf_take(struct rte_mempool *pool)
{
    struct rte_mbuf *m = rte_pktmbuf_alloc(pool);

    bench_check(m != NULL, "no mbuf");
    return m;
}

static void mbuf_bursts(unsigned long n, const void *arg)
{
    struct rte_mempool *pool = mbufs;
    struct rte_mbuf *taken[BURST];
    unsigned i;

    (void)arg;
    for (; bench_left(n); n -= BURST) {
        for (i = 0; i < BURST; i++)
            taken[i] = mbuf_take(pool);
        for (i = 0; i < BURST; i++)
            rte_pktmbuf_free(taken[i]);
    }
}

static void mbuf_pairs(unsigned long n, const void *arg)
{
    struct rte_mempool *pool = mbufs;

    (void)arg;
    for (; bench_left(n); n--)
        rte_pktmbuf_free(mbuf_take(pool));
}

/* Only the mempool that the mbufs come from: the loop does not touch the objects that it takes. */
static void object_bursts(unsigned long n, const void *arg)
{
    struct rte_mempool *pool = mbufs;
    void *taken[BURST];
    unsigned i;

    (void)arg;
    for (; bench_left(n); n -= BURST) {
        for (i = 0; i < BURST; i++)
            bench_check(rte_mempool_get(pool, &taken[i]) == 0, "no object");
        for (i = 0; i < BURST; i++)
            rte_mempool_put(pool, taken[i]);
    }
}

static void object_pairs(unsigned long n, const void *arg)
{
    struct rte_mempool *pool = mbufs;
    void *taken;

    (void)arg;
    for (; bench_left(n); n--) {
        bench_check(rte_mempool_get(pool, &taken) == 0, "no object");
        rte_mempool_put(pool, taken);
    }
}

static void mbuf_attached_pairs(unsigned long n, const void *arg)
{
    struct rte_mempool *pool = mbufs;
    struct rte_mbuf *m;

    (void)arg;
    for (; bench_left(n); n--) {
        m = mbuf_take(pool);
        rte_mbuf_ext_refcnt_set(&shared, 1);
        rte_pktmbuf_attach_extbuf(m, memory, (rte_iova_t)(uintptr_t)memory, ROOM, &shared);
        rte_pktmbuf_free(m);
    }
}

static void mbuf_chains(unsigned long n, const void *arg)
{
    struct rte_mempool *pool = mbufs;
    struct rte_mbuf *head;
    unsigned i;

    (void)arg;
    for (; bench_left(n); n--) {
        head = mbuf_take(pool);
        for (i = 1; i < CHAIN; i++)
            bench_check(rte_pktmbuf_chain(head, mbuf_take(pool)) == 0, "no chain");
        rte_pktmbuf_free(head);
    }
}

static void mbuf_refcounts(unsigned long n, const void *arg)
{
    struct rte_mempool *pool = mbufs;
    struct rte_mbuf *m = mbuf_take(pool);

    (void)arg;
    rte_mbuf_refcnt_update(m, 1); /* a second reference: the refcount is then updated atomically */
    for (; bench_left(n); n--) {
        rte_mbuf_refcnt_update(m, 1);
        rte_mbuf_refcnt_update(m, -1);
    }
    rte_mbuf_refcnt_update(m, -1);
    rte_pktmbuf_free(m);
}

static bool mbufs_are_whole(const struct bench_side *side)
{
    side->run(BURST, side->arg);
    return rte_mempool_avail_count(mbufs) == 8191;
}
#else
static const char *dpdk_ready(void)
{
    return bench_eal(0, NULL);
}
#endif

#define MBUFS(does, function)                                                                      \
    { .side = "peer", .name = does, .run = BENCH_IF_DPDK(function),                                \
      .verify = BENCH_IF_DPDK(mbufs_are_whole), .ready = dpdk_ready }
#define OURS(form, function)                                                                       \
    { .side = "ours", .name = form, .run = function, .verify = stock_is_whole }
#define LIMIT(function)                                                                            \
    { .side = "limit", .name = "open-coded free list", .run = function, .verify = list_is_whole }
#define OBJECTS(function)                                                                          \
    { .side = "limit", .name = "rte_mempool get + put, not touched",                               \
      .run = BENCH_IF_DPDK(function), .verify = BENCH_IF_DPDK(mbufs_are_whole),                    \
      .ready = dpdk_ready }

static const struct bench_work hot_works[] = {
    { .area = "buf",
      .work = "pair32",
      .title = "get_by_addr + dec_refcount, 32 then 32",
      .batch = BURST,
      .sides = { OURS("inlined", bursts_inlined), OURS("library", bursts_library),
                 MBUFS("rte_pktmbuf alloc + free", mbuf_bursts), LIMIT(list_bursts),
                 OBJECTS(object_bursts) },
      .targets = { { "1", "inlined", "rte_pktmbuf alloc + free", "ratio", 0.45, 0.36 },
                   { "1", "library", "inlined", "add_ns", 3.0, NAN } } },
    { .area = "buf",
      .work = "pair1",
      .title = "get_by_addr + dec_refcount, one at a time",
      .batch = 1,
      .sides = { OURS("inlined", pairs_inlined), OURS("library", pairs_library),
                 MBUFS("rte_pktmbuf alloc + attach_extbuf + free", mbuf_attached_pairs),
                 MBUFS("rte_pktmbuf alloc + free", mbuf_pairs), LIMIT(list_pairs),
                 OBJECTS(object_pairs) },
      .targets = { { "2", "inlined", "rte_pktmbuf alloc + attach_extbuf + free", "ratio", 0.5,
                     0.4 },
                   { "2", "inlined", "rte_pktmbuf alloc + free", "ratio", 0.75, 0.6 },
                   { "2", "library", "inlined", "add_ns", 3.0, NAN } } },
    { .area = "buf",
      .work = "chain4",
      .title = "4 bufs, chained, the chain released",
      .batch = 1,
      .sides = { OURS("inlined", chains_inlined), OURS("library", chains_library),
                 MBUFS("4 x rte_pktmbuf alloc + chain, free", mbuf_chains) },
      .targets = { { "3", "inlined", "4 x rte_pktmbuf alloc + chain, free", "ratio", 0.5, 0.4 },
                   { "3", "library", "inlined", "add_ns", 12.0, NAN } } },
    { .area = "buf",
      .work = "refcount",
      .title = "inc_refcount + dec_refcount",
      .batch = 1,
      .sides = { OURS("inlined", refcounts_inlined), OURS("library", refcounts_library),
                 MBUFS("rte_mbuf_refcnt_update of a shared mbuf", mbuf_refcounts) } },
};

/* ---- pools too large for the caches ----
 *
 * Half of the elements of each pool are taken. One operation releases a random taken element and
 * takes another. */

static struct scale {
    unsigned num; /* elements */
    struct doca_core_arena arena;
    void *arena_memory;
    size_t arena_bytes;
    struct doca_buf_inventory *inventory;
    void **bufs; /* the buffers that are taken: num / 2 */
    struct list list;
    struct object *objects;
    void **listed;
#ifdef BENCH_DPDK
    struct rte_mempool *mbufs;
    void **pkts;
#endif
} scale;

static void shuffle(void **all, unsigned num)
{
    unsigned i, j;
    void *kept;

    for (i = num - 1; i > 0; i--) {
        j = (unsigned)((uint64_t)bench_random() * (i + 1) >> 32);
        kept = all[i];
        all[i] = all[j];
        all[j] = kept;
    }
}

BENCH_INLINE unsigned any_taken(void)
{
    return (unsigned)((uint64_t)bench_random() * (scale.num / 2) >> 32);
}

static void **pointers(void)
{
    return bench_pages(scale.num * sizeof(void *));
}

BENCH_INLINE void churn(bool is_library, unsigned long n)
{
    for (; bench_left(n); n--) {
        void **buf = &scale.bufs[any_taken()];

        release(is_library, *buf);
        *buf = take(is_library, scale.inventory, rig.map, 0);
    }
}

FORMS(churn)

static bool half_is_taken(const struct bench_side *side)
{
    uint32_t num_free;

    side->run(BURST, side->arg);
    bench_must(doca_buf_inventory_get_num_free_elements(scale.inventory, &num_free));
    return num_free == scale.num - scale.num / 2;
}

static void scale_up_ours(void)
{
    unsigned i;

    scale.arena_bytes = DOCA_CORE_BYTES_BUF_INVENTORY(scale.num) + 4096;
    scale.arena_memory = bench_pages(scale.arena_bytes);
    bench_must(doca_core_arena_init(&scale.arena, scale.arena_memory, scale.arena_bytes));
    bench_must(doca_core_buf_inventory_create_in(&scale.arena, scale.num, &scale.inventory));
    bench_must(doca_buf_inventory_start(scale.inventory));
    scale.bufs = pointers();
    for (i = 0; i < scale.num; i++)
        scale.bufs[i] = take(false, scale.inventory, rig.map, 0);
    shuffle(scale.bufs, scale.num);
    for (i = scale.num / 2; i < scale.num; i++)
        release(false, scale.bufs[i]);
}

static void scale_down_ours(void)
{
    unsigned i;

    for (i = 0; i < scale.num / 2; i++)
        release(false, scale.bufs[i]);
    bench_must(doca_buf_inventory_destroy(scale.inventory));
    munmap(scale.bufs, scale.num * sizeof(void *));
    munmap(scale.arena_memory, scale.arena_bytes);
}

static void list_churn(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--) {
        void **o = &scale.listed[any_taken()];

        list_give(&scale.list, *o);
        __asm__ volatile("" ::: "memory"); /* the list is read again, as by a call */
        *o = list_take(&scale.list, memory, ROOM);
    }
}

static void scale_up_list(void)
{
    unsigned i;

    scale.objects = bench_pages(scale.num * sizeof(struct object));
    scale.listed = pointers();
    scale.list = list;
    scale.list.first = NULL;
    for (i = 0; i < scale.num; i++) {
        scale.listed[i] = &scale.objects[i];
        scale.objects[i].count = 1;
    }
    shuffle(scale.listed, scale.num);
    for (i = scale.num / 2; i < scale.num; i++)
        list_give(&scale.list, scale.listed[i]);
}

static void scale_down_list(void)
{
    munmap(scale.objects, scale.num * sizeof(struct object));
    munmap(scale.listed, scale.num * sizeof(void *));
}

#ifdef BENCH_DPDK
static void mbuf_churn(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--) {
        void **m = &scale.pkts[any_taken()];

        rte_pktmbuf_free(*m);
        *m = rte_pktmbuf_alloc(scale.mbufs);
        bench_check(*m != NULL, "no mbuf");
    }
}

static bool half_of_mbufs_is_taken(const struct bench_side *side)
{
    side->run(BURST, side->arg);
    return rte_mempool_avail_count(scale.mbufs) == scale.num - 1 - scale.num / 2;
}

static void scale_up_mbufs(void)
{
    unsigned i, num = scale.num - 1; /* capacity of a ring of scale.num slots */

    scale.mbufs = rte_pktmbuf_pool_create("scale", num, 256, 0, 0, SOCKET_ID_ANY);
    if (scale.mbufs == NULL)
        return;
    scale.pkts = pointers();
    for (i = 0; i < num; i++)
        scale.pkts[i] = rte_pktmbuf_alloc(scale.mbufs);
    shuffle(scale.pkts, num);
    for (i = scale.num / 2; i < num; i++)
        rte_pktmbuf_free(scale.pkts[i]);
}

static void scale_down_mbufs(void)
{
    rte_mempool_free(scale.mbufs);
    if (scale.mbufs != NULL)
        munmap(scale.pkts, scale.num * sizeof(void *));
    scale.mbufs = NULL;
}

static const char *many_mbufs_ready(void)
{
    const char *reason = dpdk_ready();

    return reason != NULL        ? reason
           : scale.mbufs == NULL ? "DPDK has no memory for the pool"
                                 : NULL;
}
#else
#define many_mbufs_ready dpdk_ready
#endif

static void run_scale(const char *work, const char *title, unsigned num, double must)
{
    const struct bench_work w = {
        .area = "buf",
        .work = work,
        .title = title,
        .batch = BURST,
        .sides = { { .side = "ours", .name = "inlined", .run = churn_inlined,
                     .verify = half_is_taken },
                   { .side = "ours", .name = "library", .run = churn_library,
                     .verify = half_is_taken },
                   { .side = "peer", .name = "rte_pktmbuf free + alloc",
                     .run = BENCH_IF_DPDK(mbuf_churn),
                     .verify = BENCH_IF_DPDK(half_of_mbufs_is_taken), .ready = many_mbufs_ready },
                   { .side = "limit", .name = "open-coded free list", .run = list_churn } },
        .targets = { { "4", "inlined", "rte_pktmbuf free + alloc", "ratio", must, 0.15 } }
    };

    if (!bench_wants(work))
        return;
    scale.num = bench.is_smoke ? 1024 : num;
    if (bench_available_bytes() / 512 < scale.num) { /* bytes of all sides, and a reserve */
        bench_lack(&w, "less than 512 bytes of memory free for each element");
        return;
    }
    scale_up_ours();
    scale_up_list();
#ifdef BENCH_DPDK
    if (dpdk_ready() == NULL)
        scale_up_mbufs();
#endif
    bench_run(&w);
#ifdef BENCH_DPDK
    scale_down_mbufs();
#endif
    scale_down_list();
    scale_down_ours();
}

int main(int argc, char **argv)
{
    unsigned i;

    bench_begin("bench_buf", argc, argv);
    bench_rig_open(&rig, memory, sizeof(memory), (size_t)2 * BURST);
    for (i = 0; i < BURST; i++) {
        objects[i].count = 1;
        list_give(&list, &objects[i]);
    }
    for (i = 0; i < sizeof(hot_works) / sizeof(hot_works[0]); i++)
        bench_run(&hot_works[i]);
    run_scale("scale_1m", "random release + get_by_addr, 1 M bufs, half of them taken", 1u << 20,
              0.25);
    run_scale("scale_16m", "random release + get_by_addr, 16 M bufs, half of them taken", 1u << 24,
              0.2);
    bench_rig_close(&rig);
    return bench_end();
}

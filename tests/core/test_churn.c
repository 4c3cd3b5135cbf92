/* Creates and destroys objects a million times, in an arena that is just large enough for one
 * cycle, so that the run fails if a cycle leaks memory. Every cycle must take exactly as many bytes
 * as the first cycle. With a value of DOCA_CORE_CHECK other than the default the cycles are a
 * quarter. */
#include "doca_test.h"

#define ROOM 4096u
#define TASKS 4u
#define CYCLES(num) test_times((num) / (DOCA_CORE_CHECK != 1 ? 4 : 1))
#define MMAP_CYCLES CYCLES(350000u)
#define INVENTORY_CYCLES CYCLES(200000u)
#define POOL_CYCLES CYCLES(200000u)
#define DMA_CYCLES CYCLES(100000u)
#define MIXED_CYCLES CYCLES(150000u)

static DOCA_CORE_ALIGNED unsigned char memory[ROOM];

/* ---- the arena of the cycles ---- */

static struct {
    struct doca_core_arena arena;
    size_t start, start_free; /* bytes in use and largest free block between the cycles */
    size_t full, peak;        /* most bytes in use and peak of the first cycle; 0: not known yet */
} level;

static void query(size_t *used, size_t *peak, size_t *largest_free)
{
    CHECK_OK(doca_core_arena_query(&level.arena, used, peak, largest_free));
}

/* Create objects in `mem` from here on. The case then creates the objects that all cycles share. */
static void open_arena(void *mem, size_t bytes)
{
    CHECK_OK(doca_core_arena_init(&level.arena, mem, bytes));
    CHECK_OK(doca_core_arena_bind(&level.arena));
}

static void close_arena(void)
{
    size_t used;

    CHECK_OK(doca_core_arena_bind(NULL));
    CHECK_OK(doca_core_arena_audit(&level.arena));
    query(&used, NULL, NULL);
    CHECK_EQ(used, 0);
}

static void cycles_begin(void)
{
    query(&level.start, NULL, &level.start_free);
    level.full = 0;
}

/* Called at the point of a cycle where the most bytes are in use. */
static void cycle_is_full(void)
{
    size_t used, peak;

    query(&used, &peak, NULL);
    if (level.full == 0) {
        level.full = used;
        level.peak = peak;
    }
    CHECK_EQ(used, level.full);
    CHECK_EQ(peak, level.peak);
}

/* Called at the end of a cycle. */
static void cycle_is_over(void)
{
    size_t used, largest_free;

    query(&used, NULL, &largest_free);
    CHECK_EQ(used, level.start);
    CHECK_EQ(largest_free, level.start_free);
}

/* ---- fixtures ---- */

static struct doca_mmap *started_mmap(struct doca_dev *dev)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, ROOM));
    if (dev != NULL)
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

/* ---- objects of one type ---- */

static void mmap_cycles_stay_level(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        mem[DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_MMAP_DEVS(DOCA_CORE_MMAP_DEVS + 1)];
    struct doca_dev *dev = test_open_first_dev();
    uint32_t i;

    open_arena(mem, sizeof(mem));
    cycles_begin();
    for (i = 0; i < MMAP_CYCLES; i++) {
        struct doca_mmap *mmap = started_mmap(dev);

        CHECK_OK(doca_mmap_stop(mmap));
        CHECK_OK(doca_mmap_rm_dev(mmap, dev));
        CHECK_OK(doca_mmap_destroy(mmap));
        CHECK_OK(doca_mmap_create(&mmap)); /* an mmap with a second block, for its devices */
        CHECK_OK(doca_mmap_set_max_num_devices(mmap, DOCA_CORE_MMAP_DEVS + 1));
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
        cycle_is_full();
        CHECK_OK(doca_mmap_destroy(mmap));
        cycle_is_over();
    }
    close_arena();
    CHECK_OK(doca_dev_close(dev));
}

static void inventory_cycles_stay_level(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        mem[DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_BUF_INVENTORY(8)];
    struct doca_mmap *mmap;
    uint32_t i;

    open_arena(mem, sizeof(mem));
    mmap = started_mmap(NULL);
    cycles_begin();
    for (i = 0; i < INVENTORY_CYCLES; i++) {
        struct doca_buf_inventory *inventory;
        struct doca_buf *buf;

        CHECK_OK(doca_buf_inventory_create(1 + i % 8, &inventory));
        CHECK_OK(doca_buf_inventory_start(inventory));
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf));
        if (i % 8 == 7)
            cycle_is_full();
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        CHECK_OK(doca_buf_inventory_stop(inventory));
        CHECK_OK(doca_buf_inventory_destroy(inventory));
        cycle_is_over();
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    close_arena();
}

static void pool_cycles_stay_level(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        mem[DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_BUF_POOL(8)];
    struct doca_mmap *mmap;
    uint32_t i;

    open_arena(mem, sizeof(mem));
    mmap = started_mmap(NULL);
    cycles_begin();
    for (i = 0; i < POOL_CYCLES; i++) {
        struct doca_buf_pool *pool;
        struct doca_buf *buf;

        CHECK_OK(doca_buf_pool_create(8, 32, mmap, &pool));
        CHECK_OK(doca_buf_pool_set_element_alignment(pool, (size_t)1 << i % 8));
        CHECK_OK(doca_buf_pool_start(pool));
        CHECK_OK(doca_buf_pool_buf_alloc(pool, &buf));
        cycle_is_full();
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        CHECK_OK(doca_buf_pool_stop(pool));
        CHECK_OK(doca_buf_pool_destroy(pool));
        cycle_is_over();
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    close_arena();
}

/* ---- contexts ---- */

static void count_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                       union doca_data ctx_data)
{
    (void)ctx_data;
    CHECK_OK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    ++*(uint32_t *)task_data.ptr;
}

/* Copy 100 bytes with the value of the low byte of `stamp` from one end of `memory` to the
 * other. */
static void copy_once(struct doca_pe *pe, struct doca_dma *dma, struct doca_mmap *mmap,
                      struct doca_buf_inventory *inventory, uint32_t stamp)
{
    uint32_t num_done = 0, patience = 1000;
    union doca_data data = { .ptr = &num_done };
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;

    memset(memory, (int)(stamp & 0xffu), 100);
    memset(memory + ROOM - 100, (int)(~stamp & 0xffu), 100);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 100, &src));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + ROOM - 100, 100, &dst));
    CHECK_OK(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task));
    CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (num_done == 0 && patience-- > 0)
        (void)doca_pe_progress(pe);
    CHECK_EQ(num_done, 1);
    CHECK_MEM(memory + ROOM - 100, memory, 100);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
}

static void dma_cycles_stay_level(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        mem[DOCA_CORE_BYTES_PE(1) + DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_BUF_INVENTORY(2) +
            TEST_BYTES_DMA(TASKS)];
    struct doca_dev *dev = test_open_first_dev();
    struct doca_buf_inventory *inventory;
    struct doca_mmap *mmap;
    struct doca_pe *pe;
    size_t bytes;
    uint32_t i;

    if (doca_dma_cap_task_memcpy_is_supported(doca_dev_as_devinfo(dev)) != DOCA_SUCCESS) {
        CHECK_OK(doca_dev_close(dev));
        test_skip("the device has no DMA engine");
    }
    CHECK_OK(doca_core_bytes_dma(dev, TASKS, &bytes));
    CHECK(bytes <= TEST_BYTES_DMA(TASKS));
    open_arena(mem, sizeof(mem) - TEST_BYTES_DMA(TASKS) + bytes);
    CHECK_OK(doca_pe_create(&pe));
    mmap = started_mmap(dev);
    CHECK_OK(doca_buf_inventory_create(2, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    cycles_begin();
    for (i = 0; i < DMA_CYCLES; i++) {
        struct doca_dma *dma;
        struct doca_ctx *ctx;

        CHECK_OK(doca_core_dma_create_in(&level.arena, dev, &dma));
        ctx = doca_dma_as_ctx(dma);
        CHECK_OK(doca_dma_task_memcpy_set_conf(dma, count_done, count_done, TASKS));
        CHECK_OK(doca_pe_connect_ctx(pe, ctx));
        CHECK_OK(doca_ctx_start(ctx));
        cycle_is_full();
        if (i % 100 == 0)
            copy_once(pe, dma, mmap, inventory, i / 100);
        if (i % 2 == 0)
            CHECK_OK(doca_ctx_stop(ctx)); /* in the other cycles destroy stops the context */
        if (i % 3 == 0)
            while (doca_pe_progress(pe) != 0)
                ;
        CHECK_OK(doca_dma_destroy(dma));
        CHECK_EQ(doca_pe_progress(pe), 0); /* a destroyed context has nothing to report */
        cycle_is_over();
    }
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_pe_destroy(pe));
    close_arena();
    CHECK_OK(doca_dev_close(dev));
}

/* ---- objects of all types, in an order that leaves holes in the arena ---- */

#define SLOTS 48u

static uint32_t below(uint32_t bound) /* a pseudo-random number; the same sequence in every run */
{
    static uint32_t state = 1;

    state = state * 1664525u + 1013904223u;
    return (state >> 8) % bound;
}

static void mixed_objects_leave_no_holes(void)
{
    enum { NONE, MMAP, INVENTORY, POOL };
    static DOCA_CORE_ALIGNED unsigned char
        mem[DOCA_CORE_BYTES_MMAP(1) + SLOTS * 2 * DOCA_CORE_BYTES_BUF_INVENTORY(64)];
    struct {
        int kind;
        union {
            struct doca_mmap *mmap;
            struct doca_buf_inventory *inventory;
            struct doca_buf_pool *pool;
        } as;
    } slots[SLOTS] = { 0 };
    struct doca_mmap *mmap;
    uint32_t i;

    open_arena(mem, sizeof(mem));
    mmap = started_mmap(NULL);
    cycles_begin();
    for (i = 0; i < MIXED_CYCLES + SLOTS; i++) {
        /* at the end, clear every slot */
        uint32_t at = i < MIXED_CYCLES ? below(SLOTS) : i - MIXED_CYCLES;

        if (slots[at].kind == MMAP)
            CHECK_OK(doca_mmap_destroy(slots[at].as.mmap));
        else if (slots[at].kind == INVENTORY)
            CHECK_OK(doca_buf_inventory_destroy(slots[at].as.inventory));
        else if (slots[at].kind == POOL)
            CHECK_OK(doca_buf_pool_destroy(slots[at].as.pool));
        slots[at].kind = i < MIXED_CYCLES ? MMAP + (int)below(3) : NONE;
        if (slots[at].kind == MMAP) {
            slots[at].as.mmap = started_mmap(NULL);
        } else if (slots[at].kind == INVENTORY) {
            CHECK_OK(doca_buf_inventory_create(1 + below(64), &slots[at].as.inventory));
            CHECK_OK(doca_buf_inventory_start(slots[at].as.inventory));
        } else if (slots[at].kind == POOL) {
            CHECK_OK(doca_buf_pool_create(1 + below(64), 1, mmap, &slots[at].as.pool));
            CHECK_OK(doca_buf_pool_start(slots[at].as.pool));
        }
        if (i % 10000 == 0)
            CHECK_OK(doca_core_arena_audit(&level.arena));
    }
    cycle_is_over();
    CHECK_OK(doca_mmap_destroy(mmap));
    close_arena();
}

static const struct test_case cases[] = {
    CASE(mmap_cycles_stay_level, "12 14"),
    CASE(inventory_cycles_stay_level, "12"),
    CASE(pool_cycles_stay_level, "12"),
    CASE(dma_cycles_stay_level, "12"),
    CASE(mixed_objects_leave_no_holes, "153"),
};

TEST_MAIN(cases)

/* Objects in arenas: whether they take the bytes that the size macros and functions give, and what
 * happens when an arena is exhausted. */
#include "arena_support.h"

static DOCA_CORE_ALIGNED unsigned char other_region[16 * DOCA_CORE_LINE];

/* ---- objects in arenas ---- */

static void bound_arena_serves_objects_without_a_parent(void)
{
    struct doca_core_arena *before = doca_core_arena_bound();
    struct doca_mmap *bound, *unbound;
    size_t one;

    CHECK_OK(doca_core_bytes_mmap(&one));
    init_arena(64);
    CHECK_OK(doca_core_arena_bind(&arena));
    CHECK_PTR(doca_core_arena_bound(), &arena);
    CHECK_OK(doca_mmap_create(&bound));
    CHECK_EQ(used_of(&arena), one);
    CHECK_OK(doca_core_arena_bind(NULL));
    CHECK_PTR(doca_core_arena_bound(), before);
    CHECK_OK(doca_mmap_create(&unbound));
    CHECK_EQ(used_of(&arena), one);
    CHECK_OK(doca_mmap_destroy(bound)); /* its memory returns to its own arena */
    CHECK_EQ(used_of(&arena), 0);
    CHECK_OK(doca_mmap_destroy(unbound));
    check_whole(64);
}

static void named_arena_has_priority_over_the_bound_arena(void)
{
    struct doca_mmap *mmap;
    struct doca_pe *pe;
    struct doca_buf_inventory *inventory;
    struct doca_devinfo **list;
    size_t bound_used = used_of(doca_core_arena_bound());
    uint32_t n;

    init_arena(256);
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    CHECK_OK(doca_core_pe_create_in(&arena, &pe));
    CHECK_OK(doca_core_buf_inventory_create_in(&arena, 2, &inventory));
    CHECK_OK(doca_core_devinfo_create_list_in(&arena, &list, &n));
    CHECK_EQ(used_of(&arena), DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_PE(1) +
                                  DOCA_CORE_BYTES_BUF_INVENTORY(2) +
                                  DOCA_CORE_BYTES_DEVINFO_LIST(n));
    CHECK_EQ(used_of(doca_core_arena_bound()), bound_used);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_mmap_destroy(mmap));
    check_whole(256);
}

static void object_takes_memory_from_its_parents_arena(void)
{
    static char memory[64];
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_dma *dma;
    struct doca_mmap *mmap;
    struct doca_buf_pool *pool;
    size_t bound_used = used_of(doca_core_arena_bound()), sum;
    uint32_t n;

    init_arena(512);
    CHECK_OK(doca_core_devinfo_create_list_in(&arena, &list, &n));
    sum = used_of(&arena);
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_EQ(used_of(&arena), sum += DOCA_CORE_BYTES_DEV(1));
    CHECK_OK(doca_dma_create(dev, &dma));
    CHECK(used_of(&arena) > sum);
    sum = used_of(&arena);
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    sum = used_of(&arena);
    CHECK_OK(doca_buf_pool_create(4, 16, mmap, &pool));
    CHECK_EQ(used_of(&arena), sum += DOCA_CORE_BYTES_BUF_POOL(4));
    CHECK_OK(doca_mmap_set_max_num_devices(mmap, DOCA_CORE_MMAP_DEVS + 1));
    CHECK_EQ(used_of(&arena), sum += DOCA_CORE_BYTES_MMAP_DEVS(DOCA_CORE_MMAP_DEVS + 1));
    CHECK_EQ(used_of(doca_core_arena_bound()), bound_used);

    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    check_whole(512);
}

static void bytes_in_use_are_the_same_after_many_objects(void)
{
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    unsigned i;

    init_arena(512);
    CHECK_OK(doca_core_arena_bind(&arena));
    for (i = 0; i < 100000; i++) {
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_buf_inventory_create(1 + i % 8, &inventory));
        CHECK_OK(doca_mmap_destroy(mmap));
        CHECK_OK(doca_buf_inventory_destroy(inventory));
    }
    CHECK_OK(doca_core_arena_bind(NULL));
    check_whole(512);
}

/* ---- sizes ---- */

static const uint32_t counts[] = { 1, 2, 3, 4, 7, 8, 63, 64, 65, 1000, 4096 };
#define NUM_COUNTS (sizeof(counts) / sizeof(counts[0]))

/* Compare three sizes: that of the macro, that of the function, and the bytes that the arena
 * lost. */
#define CHECK_COST(macro, call, taken)                                                             \
    do {                                                                                           \
        size_t bytes_ = 0;                                                                         \
        CHECK_OK(call);                                                                            \
        CHECK_EQ(bytes_, macro);                                                                   \
        CHECK_EQ(taken, macro);                                                                    \
    } while (0)

static void sizes_of_stocks_are_exact(void)
{
    static char memory[4096];
    struct doca_buf_inventory *inventory;
    struct doca_buf_pool *pool;
    struct doca_mmap *mmap;
    size_t i;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    for (i = 0; i < NUM_COUNTS; i++) {
        uint32_t n = counts[i];

        init_arena(REGION_LINES);
        CHECK_OK(doca_core_buf_inventory_create_in(&arena, n, &inventory));
        CHECK_COST(DOCA_CORE_BYTES_BUF_INVENTORY(n), doca_core_bytes_buf_inventory(n, &bytes_),
                   used_of(&arena));
        CHECK_OK(doca_buf_inventory_destroy(inventory));
        CHECK_OK(doca_core_buf_pool_create_in(&arena, n, 1, mmap, &pool));
        CHECK_COST(DOCA_CORE_BYTES_BUF_POOL(n), doca_core_bytes_buf_pool(n, &bytes_),
                   used_of(&arena));
        CHECK_OK(doca_buf_pool_destroy(pool));
        check_whole(REGION_LINES);
    }
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void mmap_and_pe_sizes_are_true(void)
{
    struct doca_mmap *mmap;
    struct doca_pe *pe;
    size_t one, i;

    init_arena(REGION_LINES);
    CHECK_OK(doca_core_pe_create_in(&arena, &pe));
    CHECK_COST(DOCA_CORE_BYTES_PE(1), doca_core_bytes_pe(&bytes_), used_of(&arena));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    one = used_of(&arena);
    CHECK_COST(DOCA_CORE_BYTES_MMAP(1), doca_core_bytes_mmap(&bytes_), one);
    CHECK_EQ(DOCA_CORE_BYTES_MMAP(5), 5 * one);
    CHECK_OK(doca_mmap_set_max_num_devices(mmap, DOCA_CORE_MMAP_DEVS));
    CHECK_EQ(used_of(&arena), one);
    for (i = 0; i < NUM_COUNTS; i++) {
        uint32_t n = counts[i];

        if (n <= DOCA_CORE_MMAP_DEVS)
            continue;
        CHECK_OK(doca_mmap_set_max_num_devices(mmap, n)); /* frees the previous block */
        CHECK_COST(DOCA_CORE_BYTES_MMAP_DEVS(n), doca_core_bytes_mmap_devs(n, &bytes_),
                   used_of(&arena) - one);
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    check_whole(REGION_LINES);
}

static void export_and_import_sizes_are_true(void)
{
    static char memory[64];
    struct doca_devinfo **list;
    struct doca_mmap *mmap, *import;
    struct doca_dev *dev;
    const void *desc;
    size_t before, len;
    uint32_t n;

    init_arena(REGION_LINES);
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE |
                                                 DOCA_ACCESS_FLAG_RDMA_READ));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    before = used_of(&arena);
    CHECK_OK(doca_mmap_export_pci(mmap, dev, &desc, &len));
    CHECK_COST(DOCA_CORE_BYTES_MMAP_EXPORT(1), doca_core_bytes_mmap_export(&bytes_),
               used_of(&arena) - before);
    CHECK_OK(doca_mmap_export_pci(mmap, dev, &desc, &len)); /* the same export */
    CHECK_EQ(used_of(&arena) - before, DOCA_CORE_BYTES_MMAP_EXPORT(1));
    CHECK_OK(doca_mmap_export_rdma(mmap, dev, &desc, &len));
    CHECK_EQ(used_of(&arena) - before, DOCA_CORE_BYTES_MMAP_EXPORT(2));
    before = used_of(&arena);
    CHECK_OK(doca_core_mmap_create_from_export_in(&arena, NULL, desc, len, dev, &import));
    if (test_other() == NULL)
        CHECK_COST(DOCA_CORE_BYTES_MMAP_IMPORT(1), doca_core_bytes_mmap_import(&bytes_),
                   used_of(&arena) - before);
    else /* the device's arena also has a registration */
        CHECK_EQ(used_of(&arena) - before, DOCA_CORE_BYTES_MMAP(1));
    CHECK_EQ(DOCA_CORE_BYTES_MMAP_IMPORT(7), 7 * DOCA_CORE_BYTES_MMAP_IMPORT(1));
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(mmap)); /* also frees the exports */
    check_whole(REGION_LINES);

    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    before = used_of(&arena);
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, sizeof(memory)));
    CHECK_COST(DOCA_CORE_BYTES_MMAP_DMABUF(1), doca_core_bytes_mmap_dmabuf(&bytes_),
               used_of(&arena) - before);
    CHECK_EQ(DOCA_CORE_BYTES_MMAP_DMABUF(7), 7 * DOCA_CORE_BYTES_MMAP_DMABUF(1));
    CHECK_RC(doca_core_bytes_mmap_export(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_mmap_import(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_mmap_dmabuf(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    check_whole(REGION_LINES);
}

static void device_sizes_are_true(void)
{
    static struct doca_core_dev_attr attrs[DOCA_CORE_SW_MAX_DEVS];
    struct doca_devinfo **list;
    struct doca_dev *devs[2];
    uint32_t n, num;
    size_t before;

    memset(attrs, 0, sizeof(attrs));
    for (n = 0; n < DOCA_CORE_SW_MAX_DEVS; n++)
        snprintf(attrs[n].pci_addr, sizeof(attrs[n].pci_addr), "0000:%02x:00.0", n & 0xff);
    for (n = 1; n <= DOCA_CORE_SW_MAX_DEVS; n++) {
        CHECK_OK(doca_core_sw_set_devices(attrs, n));
        init_arena(REGION_LINES);
        CHECK_OK(doca_core_devinfo_create_list_in(&arena, &list, &num));
        CHECK_EQ(num, n);
        before = used_of(&arena);
        CHECK_COST(DOCA_CORE_BYTES_DEVINFO_LIST(n), doca_core_bytes_devinfo_list(n, &bytes_),
                   before);
        CHECK_OK(doca_dev_open(list[0], &devs[0]));
        CHECK_COST(DOCA_CORE_BYTES_DEV(1), doca_core_bytes_dev(&bytes_), used_of(&arena) - before);
        CHECK_OK(doca_dev_open(list[n - 1], &devs[1]));
        CHECK_EQ(used_of(&arena) - before, DOCA_CORE_BYTES_DEV(n > 1 ? 2 : 1));
        CHECK_OK(doca_dev_close(devs[0]));
        CHECK_OK(doca_dev_close(devs[1]));
        CHECK_OK(doca_devinfo_destroy_list(list));
        check_whole(REGION_LINES);
    }
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void no_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

static void dma_size_is_true_once_started(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_dma *dma;
    uint32_t num;
    size_t i;

    CHECK_OK(doca_core_sw_set_profile("default"));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_pe_create(&pe));
    for (i = 0; i < NUM_COUNTS; i++) {
        uint32_t n = counts[i];

        if (test_other() != NULL && test_bytes_dma(n) > sizeof(region) - LINE)
            continue; /* the region is too small for such long rings */
        init_arena(REGION_LINES);
        CHECK_OK(doca_core_dma_create_in(&arena, dev, &dma));
        CHECK_OK(doca_dma_task_memcpy_set_conf(dma, no_done, no_done, n));
        CHECK_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
        CHECK_COST(test_bytes_dma(n), doca_core_bytes_dma(dev, n, &bytes_), used_of(&arena));
        CHECK_OK(doca_dma_destroy(dma));
        check_whole(REGION_LINES);
    }
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
}

static struct doca_dev *sized_dev;

#define SIZE_OF(object, call)                                                                      \
    static doca_error_t bytes_##object(size_t n, size_t *bytes)                                    \
    {                                                                                              \
        return call;                                                                               \
    }
SIZE_OF(devinfo_list, doca_core_bytes_devinfo_list((uint32_t)n, bytes))
SIZE_OF(mmap_devs, doca_core_bytes_mmap_devs((uint32_t)n, bytes))
SIZE_OF(inventory, doca_core_bytes_buf_inventory(n, bytes))
SIZE_OF(pool, doca_core_bytes_buf_pool(n, bytes))
SIZE_OF(dma, doca_core_bytes_dma(sized_dev, (uint32_t)n, bytes))
SIZE_OF(dpdk_mempool, doca_core_bytes_dpdk_mempool((uint32_t)n, bytes))
#undef SIZE_OF

#define STOCK (LINE * (DOCA_CORE_CHECK >= 2 ? 2 : 1) + TEST_STOCKED(0) * sizeof(struct doca_buf))

/* Bytes of n objects: one block of `more` + n * `each` bytes, plus `others`. */
static const struct {
    const char *name;
    doca_error_t (*bytes)(size_t n, size_t *bytes);
    size_t each, more, others, max;
} sizes[] = {
    { "devinfo list", bytes_devinfo_list, sizeof(struct doca_priv_devinfo_row),
      sizeof(struct doca_priv_devinfo_list), 0, UINT32_MAX },
    { "mmap devices", bytes_mmap_devs, sizeof(struct doca_priv_mmap_dev), 0, 0, UINT32_MAX },
    { "inventory", bytes_inventory, sizeof(struct doca_buf), STOCK, 0, SIZE_MAX },
    { "pool", bytes_pool, sizeof(struct doca_buf), STOCK, 0, SIZE_MAX },
    { "dma", bytes_dma, TEST_TASK_BYTES,
      DOCA_CORE_SW_BYTES_QUEUE + TEST_STOCKED(0) * TEST_TASK_BYTES,
      DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)), UINT32_MAX },
    { "dpdk mempool", bytes_dpdk_mempool, sizeof(struct doca_mmap),
      sizeof(struct doca_dpdk_mempool), 0, UINT32_MAX },
};

/* Return that sum, computed with 64 bits; 0 when 64 bits are too few. */
static uint64_t sum_of(size_t i, size_t n)
{
    uint64_t most = UINT64_MAX - sizes[i].more - sizes[i].others - 2 * LINE;

    if (sizes[i].bytes == bytes_dma && test_other() != NULL)
        return test_bytes_dma(n);
    if (n > most / sizes[i].each)
        return 0;
    return sizes[i].others + LINE +
           (n * (uint64_t)sizes[i].each + sizes[i].more + LINE - 1) / LINE * LINE;
}

static void huge_counts_do_not_wrap(void)
{
    static const size_t huge[] = {
        UINT32_MAX,          UINT32_MAX - 1,   UINT32_MAX / 2 + 1,  UINT32_MAX / 16 + 1,
        UINT32_MAX / 64 + 1, UINT32_MAX / 64,  UINT32_MAX / 64 - 1, SIZE_MAX,
        SIZE_MAX - 1,        SIZE_MAX / 2 + 1, SIZE_MAX / 16 + 1,   SIZE_MAX / 64 - 2,
        SIZE_MAX / 64 - 1,   SIZE_MAX / 64,    SIZE_MAX / 64 + 1,   SIZE_MAX / 64 + 2,
    };
    struct doca_devinfo **list;
    uint32_t num;
    size_t i, k;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_dev_open(list[0], &sized_dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (k = 0; k < sizeof(huge) / sizeof(huge[0]); k++) {
            size_t bytes = 77;
            doca_error_t rc;

            if (huge[k] > sizes[i].max)
                continue;
            rc = sizes[i].bytes(huge[k], &bytes);
            if (rc == DOCA_SUCCESS ? bytes != sum_of(i, huge[k])
                                   : rc != DOCA_ERROR_NO_MEMORY || bytes != 77)
                test_fail(__FILE__, __LINE__, "%s of %llu: %llu bytes, %s", sizes[i].name,
                          (unsigned long long)huge[k], (unsigned long long)bytes,
                          doca_error_get_name(rc));
        }
    }
    CHECK_OK(doca_dev_close(sized_dev));
}

/* ---- exhaustion ---- */

#define KIT_BYTES                                                                                  \
    (DOCA_CORE_BYTES_DEVINFO_LIST(DOCA_CORE_SW_DEFAULT_DEVS) + DOCA_CORE_BYTES_DEV(1) +            \
     DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_BUF_POOL(2) + DOCA_CORE_BYTES_BUF_ARR(1) +          \
     DOCA_CORE_BYTES_BUF_INVENTORY(4) + DOCA_CORE_BYTES_PE(1) + DOCA_CORE_BYTES_DMA(3))

/* KIT_BYTES must be a constant expression. The last term is for devices of other backends. */
static DOCA_CORE_ALIGNED unsigned char kit_memory[KIT_BYTES + TEST_BYTES_DMA(3)];

static size_t kit_bytes(void)
{
    const size_t of_software = DOCA_CORE_BYTES_DEVINFO_LIST(DOCA_CORE_SW_DEFAULT_DEVS) +
                               DOCA_CORE_BYTES_DMA(3);

    return KIT_BYTES - of_software + DOCA_CORE_BYTES_DEVINFO_LIST(test_num_devs()) +
           test_bytes_reg() + test_bytes_dma(3);
}

struct kit {
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    struct doca_buf_pool *pool;
    struct doca_buf_arr *array;
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_dma *dma;
};

#define KIT_OBJECTS 8u

#define TRY(call)                                                                                  \
    do {                                                                                           \
        doca_error_t rc_ = (call);                                                                 \
        if (rc_ != DOCA_SUCCESS)                                                                   \
            return rc_;                                                                            \
    } while (0)

static doca_error_t kit_build(struct kit *kit)
{
    uint32_t n;

    memset(kit, 0, sizeof(*kit)); /* a call that fails does not change its output */
    TRY(doca_devinfo_create_list(&kit->list, &n));
    TRY(doca_dev_open(kit->list[0], &kit->dev));
    TRY(doca_mmap_create(&kit->mmap));
    TRY(doca_mmap_set_memrange(kit->mmap, other_region, sizeof(other_region)));
    TRY(doca_mmap_add_dev(kit->mmap, kit->dev));
    TRY(doca_mmap_start(kit->mmap));
    TRY(doca_buf_pool_create(2, 8, kit->mmap, &kit->pool));
    TRY(doca_buf_arr_create(kit->mmap, &kit->array));
    TRY(doca_buf_inventory_create(4, &kit->inventory));
    TRY(doca_buf_inventory_start(kit->inventory));
    TRY(doca_pe_create(&kit->pe));
    TRY(doca_dma_create(kit->dev, &kit->dma));
    TRY(doca_dma_task_memcpy_set_conf(kit->dma, no_done, no_done, 3));
    TRY(doca_pe_connect_ctx(kit->pe, doca_dma_as_ctx(kit->dma)));
    TRY(doca_ctx_start(doca_dma_as_ctx(kit->dma)));
    return DOCA_SUCCESS;
}

/* Return object `i`, in the order in which the objects can be destroyed. NULL: it does not
 * exist. */
static void *kit_object(const struct kit *kit, unsigned i)
{
    void *list = kit->list == NULL ? NULL : (struct doca_priv_devinfo_list *)(void *)kit->list - 1;
    void *const objects[KIT_OBJECTS] = {
        OBJECT(kit->dma), kit->pe, kit->inventory, kit->array, kit->pool, OBJECT(kit->mmap),
        kit->dev, list
    };

    return objects[i];
}

static doca_error_t kit_destroy(const struct kit *kit, unsigned i)
{
    switch (i) {
    case 0:
        return doca_dma_destroy(kit->dma);
    case 1:
        return doca_pe_destroy(kit->pe);
    case 2:
        return doca_buf_inventory_destroy(kit->inventory);
    case 3:
        return doca_buf_arr_destroy(kit->array);
    case 4:
        return doca_buf_pool_destroy(kit->pool);
    case 5:
        return doca_mmap_destroy(kit->mmap);
    case 6:
        return doca_dev_close(kit->dev);
    default:
        return doca_devinfo_destroy_list(kit->list);
    }
}

static void kit_drop(const struct kit *kit)
{
    unsigned i;

    for (i = 0; i < KIT_OBJECTS; i++)
        if (kit_object(kit, i) != NULL)
            CHECK_OK(kit_destroy(kit, i));
}

static void failed_create_leaves_no_bytes_in_use(void)
{
    struct kit kit;
    size_t lines, peak;
    doca_error_t rc = DOCA_ERROR_NO_MEMORY;

    CHECK_OK(doca_core_sw_set_profile("default"));
    for (lines = 2; rc != DOCA_SUCCESS; lines++) {
        init_arena(lines);
        CHECK_OK(doca_core_arena_bind(&arena));
        rc = kit_build(&kit);
        CHECK_OK(doca_core_arena_audit(&arena));
        if (rc != DOCA_SUCCESS) {
            CHECK_RC(rc, DOCA_ERROR_NO_MEMORY);
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_ARENA_EXHAUSTED);
            CHECK(lines * LINE < kit_bytes());
        }
        kit_drop(&kit);
        check_whole(lines);
    }
    CHECK_EQ((lines - 1) * LINE, kit_bytes());
    CHECK_OK(doca_core_arena_query(&arena, NULL, &peak, NULL));
    CHECK_EQ(peak, kit_bytes());
    CHECK_OK(doca_core_arena_bind(NULL));
}

static void buffer_of_the_documented_size_suffices(void)
{
    struct kit kit;
    size_t used, largest;

    CHECK_OK(doca_core_sw_set_profile("default"));
    CHECK_OK(doca_core_arena_init(&arena, kit_memory, kit_bytes()));
    CHECK_OK(doca_core_arena_bind(&arena));
    CHECK_OK(kit_build(&kit));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, &largest));
    CHECK_EQ(used, kit_bytes());
    CHECK_EQ(largest, 0);
    kit_drop(&kit);
    CHECK_EQ(used_of(&arena), 0);
    CHECK_OK(doca_core_arena_bind(NULL));
}

static void destroy_reports_an_overwritten_header(void)
{
    struct kit kit;
    unsigned victim, i;

    CHECK_OK(doca_core_sw_set_profile("default"));
    for (victim = 0; victim < KIT_OBJECTS; victim++) {
        if (victim == 5 && test_other() != NULL)
            continue; /* the registration in the next block would not be released either */
        init_arena(REGION_LINES);
        CHECK_OK(doca_core_arena_bind(&arena));
        CHECK_OK(kit_build(&kit));
        CHECK_OK(doca_ctx_stop(doca_dma_as_ctx(kit.dma)));
        for (i = 0; i < KIT_OBJECTS; i++) {
            unsigned char *header = (unsigned char *)kit_object(&kit, i) - LINE;
            size_t used = used_of(&arena);

            if (i != victim) {
                CHECK_OK(kit_destroy(&kit, i));
                continue;
            }
            header[0] ^= 0xff;
            CHECK_RC(kit_destroy(&kit, i), DOCA_ERROR_UNEXPECTED);
            CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ARENA_BROKEN);
            CHECK_EQ(used_of(&arena), used); /* the block is not freed */
            header[0] ^= 0xff;
#if DOCA_CORE_CHECK >= 1
            /* the object itself is destroyed */
            CHECK_RC(kit_destroy(&kit, i), DOCA_ERROR_INVALID_VALUE);
#endif
            give(header + LINE);
        }
        CHECK_OK(doca_core_arena_bind(NULL));
        check_whole(REGION_LINES);
    }
}

/* An object can have further blocks. Destroy also reports an overwritten header of these. */
static void destroy_reports_an_overwritten_header_of_a_part(void)
{
    struct doca_buf_inventory *inventory;
    unsigned char *part, *spacer;
    struct doca_ctx *ctx;
    struct kit kit;
    unsigned i;

    CHECK_OK(doca_core_sw_set_profile("default"));
    init_arena(REGION_LINES);
    CHECK_OK(doca_core_arena_bind(&arena));
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_buf_inventory_create(4, &inventory));
        spacer = take(1);
        CHECK_OK(doca_buf_inventory_expand(inventory, 4));
        part = i == 0 ? (unsigned char *)inventory->more : (unsigned char *)inventory;
        part[-LINE] ^= 0xff;
        CHECK_RC(doca_buf_inventory_destroy(inventory), DOCA_ERROR_UNEXPECTED);
        part[-LINE] ^= 0xff;
        give(part);
        give(spacer);
        check_whole(REGION_LINES);
    }

    CHECK_OK(kit_build(&kit));
    ctx = doca_dma_as_ctx(kit.dma);
    CHECK_OK(doca_ctx_stop(ctx));
    spacer = take(1); /* a neighbour of the damaged block could not be freed */
    CHECK_OK(doca_ctx_start(ctx));
    part = (unsigned char *)((struct doca_ctx *)kit_object(&kit, 0))->queue;
    part[-LINE] ^= 0xff;
    CHECK_RC(kit_destroy(&kit, 0), DOCA_ERROR_UNEXPECTED); /* a running context */
    part[-LINE] ^= 0xff;
    for (i = 1; i < KIT_OBJECTS; i++)
        CHECK_OK(kit_destroy(&kit, i));
    give(part);
    give(spacer);
    CHECK_OK(doca_core_arena_bind(NULL));
    check_whole(REGION_LINES);
}

static void level_2_fills_released_blocks(void)
{
    void *block;
    size_t i;

    if (DOCA_CORE_CHECK < 2)
        test_skip("only check level 2 fills blocks");
    CHECK_OK(doca_core_arena_init(&arena, region, 4 * LINE));
    CHECK_OK(doca_core_arena_take(&arena, 2 * LINE, &block));
    CHECK_OK(doca_core_arena_give(&arena, block));
    for (i = LINE; i < 3 * LINE; i++)
        CHECK_EQ(region[i], 0xdd);
}

static const struct test_case cases[] = {
    CASE(bound_arena_serves_objects_without_a_parent, ""),
    CASE(named_arena_has_priority_over_the_bound_arena, ""),
    CASE(object_takes_memory_from_its_parents_arena, ""),
    CASE(bytes_in_use_are_the_same_after_many_objects, ""),
    CASE(sizes_of_stocks_are_exact, ""),
    CASE(mmap_and_pe_sizes_are_true, ""),
    CASE_OF_CARD(export_and_import_sizes_are_true, "", "exports for PCI and for RDMA"),
    CASE_OF_SW(device_sizes_are_true, "", "a table of its devices"),
    CASE(dma_size_is_true_once_started, ""),
    CASE(huge_counts_do_not_wrap, ""),
    CASE(failed_create_leaves_no_bytes_in_use, ""),
    CASE(buffer_of_the_documented_size_suffices, ""),
    CASE(destroy_reports_an_overwritten_header, ""),
    CASE(destroy_reports_an_overwritten_header_of_a_part, ""),
    CASE(level_2_fills_released_blocks, ""),
};

TEST_MAIN(cases)

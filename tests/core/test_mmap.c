/* Memory maps: configuration, registrations, and the memory that they take. */
#include "mmap_support.h"

/* ---- configuration ---- */

static void new_mmap_has_no_properties(void)
{
    union doca_data data = { .u64 = 1 };
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    void *addr = memory;
    size_t len = 77;
    uint32_t num = 77;

    open_devs("", &dev, 1);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_RC(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_ERROR_BAD_STATE);
    CHECK_PTR(addr, memory);
    CHECK_EQ(len, 77);
    CHECK_EQ(num_bufs(mmap), 0);
    CHECK_OK(doca_mmap_get_user_data(mmap, &data));
    CHECK_EQ(data.u64, 0);
    CHECK_OK(doca_mmap_get_max_num_devices(mmap, &num));
    CHECK_EQ(num, DOCA_CORE_MMAP_DEVS);
    CHECK_RC(doca_mmap_rm_dev(mmap, dev), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_mmap_destroy(mmap));
    close_devs(&dev, 1);
}

static void stopped_mmap_can_be_configured_again(void)
{
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_dev *devs[2];
    struct doca_mmap *mmap;
    struct doca_buf *buf;
    uint32_t round;

    open_devs("", devs, 2);
    mmap = mmap_on(devs, 1);
    for (round = 0; round < 3; round++) {
        CHECK_OK(doca_mmap_set_permissions(mmap, round & 1u));
        CHECK_OK(doca_mmap_add_dev(mmap, devs[1]));
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 1, &buf));
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        CHECK_OK(doca_mmap_stop(mmap));
        CHECK_OK(doca_mmap_rm_dev(mmap, devs[1]));
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    close_devs(devs, 2);
}

static void start_needs_a_range(void)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, 1));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void range_is_checked_and_cannot_be_replaced(void)
{
    static const struct {
        const char *name;
        uintptr_t addr;
        size_t len;
        doca_error_t want;
    } ranges[] = {
        { "address NULL", 0, 1, DOCA_ERROR_INVALID_VALUE },
        { "length 0", 4096, 0, DOCA_ERROR_INVALID_VALUE },
        { "wraps by a byte", 4096, SIZE_MAX - 4094, DOCA_ERROR_INVALID_VALUE },
        { "longest length", 4096, SIZE_MAX, DOCA_ERROR_INVALID_VALUE },
        { "end wraps to NULL", 1, SIZE_MAX, DOCA_ERROR_INVALID_VALUE },
        { "end wraps to 0", UINTPTR_MAX - 4095, 4096, DOCA_ERROR_INVALID_VALUE },
        { "last address", UINTPTR_MAX, 1, DOCA_ERROR_INVALID_VALUE },
        { "one byte", 4096, 1, DOCA_SUCCESS },
        { "ends at the last address", UINTPTR_MAX - 4096, 4096, DOCA_SUCCESS },
        { "the whole address space", 1, SIZE_MAX - 1, DOCA_SUCCESS },
    };
    size_t i;

    for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        struct doca_mmap *mmap;
        doca_error_t rc;
        void *addr = NULL;
        size_t len = 0;

        CHECK_OK(doca_mmap_create(&mmap));
        rc = doca_mmap_set_memrange(mmap, (void *)ranges[i].addr, ranges[i].len);
        if (rc != ranges[i].want)
            test_fail(__FILE__, __LINE__, "%s: %s", ranges[i].name, doca_error_get_name(rc));
        if (rc != DOCA_SUCCESS) {
            CHECK_RC(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_ERROR_BAD_STATE);
            CHECK_OK(doca_mmap_set_memrange(mmap, memory, 9));
        }
        CHECK_RC(doca_mmap_set_memrange(mmap, memory + 1, 5), DOCA_ERROR_NOT_PERMITTED);
        CHECK_OK(doca_mmap_get_memrange(mmap, &addr, &len));
        CHECK_PTR(addr, rc == DOCA_SUCCESS ? (void *)ranges[i].addr : memory);
        CHECK_EQ(len, rc == DOCA_SUCCESS ? ranges[i].len : 9);
        CHECK_OK(doca_mmap_destroy(mmap));
    }
}

static void every_permission_mask_is_accepted_or_refused(void)
{
    const uint32_t known = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
                           DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC |
                           DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE |
                           DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING;
    const uint32_t both = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
    struct doca_mmap *mmap;
    uint32_t mask, bit;

    CHECK_OK(doca_mmap_create(&mmap));
    for (mask = 0; mask < 1024; mask++)
        CHECK_RC(doca_mmap_set_permissions(mmap, mask),
                 (mask & ~known) != 0 || (mask & both) == both ? DOCA_ERROR_INVALID_VALUE
                                                               : DOCA_SUCCESS);
    for (bit = 7; bit < 32; bit++)
        CHECK_RC(doca_mmap_set_permissions(mmap, 1u | (uint32_t)1 << bit),
                 DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void device_is_added_once_and_removed_once(void)
{
    struct doca_dev *devs[2];
    struct doca_mmap *mmap;

    open_devs("", devs, 2);
    mmap = mmap_on(devs, 1);
    CHECK_RC(doca_mmap_add_dev(mmap, devs[0]), DOCA_ERROR_ALREADY_EXIST);
    CHECK_RC(doca_mmap_rm_dev(mmap, devs[1]), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_mmap_add_dev(mmap, devs[1]));
    CHECK_RC(doca_mmap_add_dev(mmap, devs[1]), DOCA_ERROR_ALREADY_EXIST);

    /* the table has no gap: the library finds the device that took the place of another one */
    CHECK_OK(doca_mmap_rm_dev(mmap, devs[0]));
    CHECK_RC(doca_mmap_rm_dev(mmap, devs[0]), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_mmap_add_dev(mmap, devs[1]), DOCA_ERROR_ALREADY_EXIST);
    CHECK_OK(doca_mmap_rm_dev(mmap, devs[1]));
    CHECK_RC(doca_mmap_rm_dev(mmap, devs[1]), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_mmap_destroy(mmap));
    close_devs(devs, 2);
}

static void device_of_an_mmap_cannot_be_closed(void)
{
    struct doca_dev *dev;
    struct doca_mmap *removed, *destroyed;

    open_devs("", &dev, 1);
    removed = mmap_on(&dev, 1);
    destroyed = mmap_on(&dev, 1);
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_mmap_start(destroyed));
    CHECK_OK(doca_mmap_rm_dev(removed, dev));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_mmap_destroy(destroyed));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_mmap_destroy(removed));
}

static void number_of_devices_is_limited_by_the_setting(void)
{
    struct doca_dev *devs[2];
    struct doca_mmap *mmap;
    uint32_t num = 0;

    open_devs("", devs, 2);
    mmap = mmap_on(devs, 2);
    CHECK_RC(doca_mmap_set_max_num_devices(mmap, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_max_num_devices(mmap, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_rm_dev(mmap, devs[1]));
    CHECK_OK(doca_mmap_set_max_num_devices(mmap, 1));
    CHECK_OK(doca_mmap_get_max_num_devices(mmap, &num));
    CHECK_EQ(num, 1);
    CHECK_RC(doca_mmap_add_dev(mmap, devs[1]), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_mmap_rm_dev(mmap, devs[0]));
    CHECK_OK(doca_mmap_add_dev(mmap, devs[1]));
    CHECK_RC(doca_mmap_add_dev(mmap, devs[0]), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_mmap_destroy(mmap));
    close_devs(devs, 2);
}

static void more_devices_need_a_second_block(void)
{
    struct doca_dev *devs[NUM_FAKE];
    struct doca_mmap *mmap;
    uint32_t i, num = 0;
    size_t before, bytes = 0;

    open_fakes(devs, NUM_FAKE);
    mmap = mmap_on(devs, DOCA_CORE_MMAP_DEVS);
    CHECK_RC(doca_mmap_add_dev(mmap, devs[DOCA_CORE_MMAP_DEVS]), DOCA_ERROR_NO_MEMORY);

    before = bytes_used();
    CHECK_RC(doca_mmap_set_max_num_devices(mmap, UINT32_MAX), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_mmap_get_max_num_devices(mmap, &num));
    CHECK_EQ(num, DOCA_CORE_MMAP_DEVS);
    CHECK_EQ(bytes_used(), before);

    CHECK_OK(doca_mmap_set_max_num_devices(mmap, NUM_FAKE));
    CHECK_OK(doca_core_bytes_mmap_devs(NUM_FAKE, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_MMAP_DEVS(NUM_FAKE));
    CHECK_EQ(bytes_used(), before + bytes);
    for (i = DOCA_CORE_MMAP_DEVS; i < NUM_FAKE; i++)
        CHECK_OK(doca_mmap_add_dev(mmap, devs[i]));
    CHECK_RC(doca_mmap_set_max_num_devices(mmap, NUM_FAKE - 1), DOCA_ERROR_INVALID_VALUE);

    /* a still larger block, to which the library copies the devices */
    CHECK_OK(doca_mmap_set_max_num_devices(mmap, 500));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_EQ(fake.num_live, NUM_FAKE);
    CHECK_OK(doca_mmap_stop(mmap));
    for (i = 0; i < NUM_FAKE; i++)
        CHECK_OK(doca_mmap_rm_dev(mmap, devs[i]));
    CHECK_OK(doca_mmap_destroy(mmap));
    close_fakes(devs, NUM_FAKE);
}

static void max_num_devices_is_fixed_by_the_first_start(void)
{
    struct doca_mmap *mmap = mmap_on(NULL, 0);

    CHECK_OK(doca_mmap_set_max_num_devices(mmap, 2));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_mmap_set_max_num_devices(mmap, 3), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_RC(doca_mmap_set_max_num_devices(mmap, 3), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void user_data_is_returned(void)
{
    struct doca_mmap *mmap = mmap_on(NULL, 0);
    union doca_data data = { .u64 = UINT64_C(0xfedcba9876543210) }, got = { 0 };

    CHECK_OK(doca_mmap_set_user_data(mmap, data));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_get_user_data(mmap, &got));
    CHECK_EQ(got.u64, data.u64);
    CHECK_OK(doca_mmap_stop(mmap));
    data.ptr = memory;
    CHECK_OK(doca_mmap_set_user_data(mmap, data));
    CHECK_OK(doca_mmap_get_user_data(mmap, &got));
    CHECK_PTR(got.ptr, memory);
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* ---- registrations ---- */

static void each_device_gets_its_own_registration(void)
{
    struct doca_dev *devs[NUM_FAKE];
    struct doca_mmap *mmap;
    uint32_t i, key, round;

    open_fakes(devs, NUM_FAKE);
    mmap = mmap_on(devs, NUM_FAKE);
    for (round = 0; round < 2; round++) {
        uint32_t before = fake.num_regs, want = round == 0
                                                    ? DOCA_ACCESS_FLAG_LOCAL_READ_WRITE
                                                    : DOCA_ACCESS_FLAG_PCI_READ_ONLY;

        CHECK_OK(doca_mmap_start(mmap));
        CHECK_EQ(fake.num_live, NUM_FAKE);
        for (i = 0; i < NUM_FAKE; i++) {
            for (key = before + 1; key <= fake.num_regs && fake.reg[key].dev != devs[i];)
                key++;
            CHECK(key <= fake.num_regs);
            CHECK_PTR(fake.reg[key].addr, memory);
            CHECK_EQ(fake.reg[key].len, sizeof(memory));
            CHECK_EQ(fake.reg[key].access, want);
        }
        CHECK_OK(doca_mmap_stop(mmap));
        CHECK_EQ(fake.num_live, 0);
        CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
    }
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_destroy(mmap)); /* also ends the registrations */
    CHECK_EQ(fake.num_live, 0);
    close_fakes(devs, NUM_FAKE);
}

static void backend_may_have_no_registration(void)
{
    struct doca_core_backend plain = fake_backend;
    struct doca_mmap *mmap;
    struct doca_dev *dev;

    plain.reg = NULL;
    plain.dereg = NULL;
    CHECK_OK(doca_core_backend_register(&plain));
    open_devs("fake_", &dev, 1);
    mmap = mmap_on(&dev, 1);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    close_devs(&dev, 1);
    CHECK_OK(doca_core_backend_unregister(plain.name));
}

static void refused_registration_undoes_the_others(void)
{
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_dev *devs[NUM_FAKE];
    struct doca_mmap *mmap;
    struct doca_buf *buf;
    uint32_t k;

    open_fakes(devs, NUM_FAKE);
    for (k = 0; k < NUM_FAKE; k++) {
        size_t before = bytes_used();

        mmap = mmap_on(devs, NUM_FAKE);
        fake.num_regs = 0;
        fake.accepts = k;
        CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_DRIVER);
        CHECK_EQ(fake.num_regs, k);
        CHECK_EQ(fake.num_live, 0);

        /* the mmap is stopped, as before the start */
        CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf),
                 DOCA_ERROR_BAD_STATE);
        CHECK_OK(doca_mmap_set_max_num_devices(mmap, NUM_FAKE + 1));
        CHECK_OK(doca_mmap_rm_dev(mmap, devs[k]));
        CHECK_OK(doca_mmap_add_dev(mmap, devs[k]));

        fake.accepts = UINT32_MAX;
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_EQ(fake.num_live, NUM_FAKE);
        CHECK_OK(doca_mmap_stop(mmap));
        CHECK_EQ(fake.num_live, 0);

        fake.accepts = k; /* the same after a successful start and a stop */
        CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_DRIVER);
        CHECK_EQ(fake.num_live, 0);
        fake.accepts = UINT32_MAX;
        CHECK_OK(doca_mmap_destroy(mmap));
        CHECK_EQ(bytes_used(), before);
    }
    close_fakes(devs, NUM_FAKE);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

/* ---- an mmap whose permissions were never set ---- */

static void count_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                       union doca_data ctx_data)
{
    (void)ctx_data;
    *(doca_error_t *)task_data.ptr = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
}

static void mmap_without_permissions_can_be_written(void)
{
    struct doca_buf_inventory *inventory = inventory_of(2);
    doca_error_t status = DOCA_ERROR_IN_PROGRESS;
    union doca_data data = { .ptr = &status };
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    struct doca_mmap *mmap;
    struct doca_dev *dev;
    struct doca_dma *dma;
    struct doca_pe *pe;
    uint32_t i;

    open_devs("", &dev, 1);
    if (doca_dma_cap_task_memcpy_is_supported(doca_dev_as_devinfo(dev)) != DOCA_SUCCESS) {
        CHECK_OK(doca_dev_close(dev));
        CHECK_OK(doca_buf_inventory_destroy(inventory));
        test_skip("the device has no DMA engine");
    }
    mmap = mmap_on(&dev, 1);
    CHECK_OK(doca_mmap_start(mmap));
    memcpy(memory, "written by default", 19);
    memset(memory + 64, 0, 19);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 19, &src));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 64, 19, &dst));
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_dma_create(dev, &dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, count_done, count_done, 1));
    CHECK_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_OK(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task));
    CHECK_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
    for (i = 0; i < 1000 && status == DOCA_ERROR_IN_PROGRESS; i++)
        (void)doca_pe_progress(pe);
    CHECK_RC(status, DOCA_SUCCESS);
    CHECK_STR((char *)memory + 64, "written by default");
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    close_devs(&dev, 1);
}

/* ---- memory ---- */

#define MANY 4098u /* number of mmaps that one published program has at the same time */

static void default_arena_holds_4098_mmaps(void)
{
    static struct doca_mmap *mmaps[MANY];
    static unsigned char ranges[MANY];
    size_t before, bytes = 0;
    struct doca_dev *devs[2];
    uint32_t i;

    open_devs("", devs, 2);
    before = bytes_used();
    for (i = 0; i < MANY; i++) {
        union doca_data data = { .u64 = i };

        CHECK_OK(doca_mmap_create(&mmaps[i]));
        CHECK_OK(doca_mmap_set_user_data(mmaps[i], data));
        CHECK_OK(doca_mmap_set_memrange(mmaps[i], &ranges[i], 1));
        CHECK_OK(doca_mmap_add_dev(mmaps[i], devs[i & 1u]));
        CHECK_OK(doca_mmap_start(mmaps[i]));
    }
    CHECK_OK(doca_core_bytes_mmap(&bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_MMAP(1));
    CHECK_EQ(bytes_used(), before + DOCA_CORE_BYTES_MMAP(MANY) + MANY * test_bytes_reg());
    for (i = 0; i < MANY; i++) {
        union doca_data data = { 0 };
        void *addr = NULL;
        size_t len = 0;

        CHECK_OK(doca_mmap_get_user_data(mmaps[i], &data));
        CHECK_EQ(data.u64, i);
        CHECK_OK(doca_mmap_get_memrange(mmaps[i], &addr, &len));
        CHECK_PTR(addr, &ranges[i]);
    }
    for (i = 0; i < MANY; i += 2) /* every second mmap first, so that no free blocks merge */
        CHECK_OK(doca_mmap_destroy(mmaps[i]));
    CHECK_EQ(bytes_used(), before + DOCA_CORE_BYTES_MMAP(MANY / 2) + MANY / 2 * test_bytes_reg());
    for (i = 1; i < MANY; i += 2)
        CHECK_OK(doca_mmap_destroy(mmaps[i]));
    CHECK_EQ(bytes_used(), before);
    close_devs(devs, 2);
}

static void exact_arena_carries_exactly_its_mmaps(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        exact[DOCA_CORE_BYTES_MMAP(3) + DOCA_CORE_BYTES_MMAP_DEVS(DOCA_CORE_MMAP_DEVS + 1)];
    struct doca_mmap *mmaps[3], *more = NULL;
    struct doca_core_arena arena;
    uint32_t i, num = 0;
    size_t used;

    CHECK_OK(doca_core_arena_init(&arena, exact, sizeof(exact)));
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_core_mmap_create_in(&arena, &mmaps[i]));
    CHECK_OK(doca_mmap_set_max_num_devices(mmaps[0], DOCA_CORE_MMAP_DEVS + 1));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, sizeof(exact));
    CHECK_RC(doca_core_mmap_create_in(&arena, &more), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(more, NULL);
    CHECK_RC(doca_mmap_set_max_num_devices(mmaps[1], DOCA_CORE_MMAP_DEVS + 1),
             DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_mmap_get_max_num_devices(mmaps[1], &num));
    CHECK_EQ(num, DOCA_CORE_MMAP_DEVS);
    CHECK_OK(doca_mmap_destroy(mmaps[2]));
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmaps[2]));
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_mmap_destroy(mmaps[i]));
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
}

static const struct test_case cases[] = {
    CASE(new_mmap_has_no_properties, "1 44 49 55 60"),
    CASE(stopped_mmap_can_be_configured_again, "12 14 66"),
    CASE(start_needs_a_range, "45"),
    CASE(range_is_checked_and_cannot_be_replaced, "46 47 49"),
    CASE(every_permission_mask_is_accepted_or_refused, "50 51"),
    CASE(device_is_added_once_and_removed_once, "52 55 59"),
    CASE(device_of_an_mmap_cannot_be_closed, "24"),
    CASE(number_of_devices_is_limited_by_the_setting, "53"),
    CASE(more_devices_need_a_second_block, "53 59"),
    CASE(max_num_devices_is_fixed_by_the_first_start, "58"),
    CASE(user_data_is_returned, "60"),
    CASE(each_device_gets_its_own_registration, "59 65 70 71"),
    CASE(backend_may_have_no_registration, ""),
    CASE(refused_registration_undoes_the_others, "59 71"),
    CASE(mmap_without_permissions_can_be_written, "70"),
    CASE(default_arena_holds_4098_mmaps, ""),
    CASE(exact_arena_carries_exactly_its_mmaps, ""),
};

TEST_MAIN(cases)

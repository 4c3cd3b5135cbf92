/* Memory maps: configuration, states, registrations, the free callback. Bufs have other suites. */
#include "buffers.h"

#include <sys/mman.h>

#define NUM_FAKE (DOCA_CORE_MMAP_DEVS + 3u) /* devices for which an mmap needs a second block */

static DOCA_CORE_ALIGNED unsigned char memory[4096];

/* ---- a backend that records registrations, and can refuse one ---- */

static struct {
    uint32_t accepts; /* registrations to accept before the next one is refused */
    uint32_t num_live; /* registrations not yet deregistered */
    uint32_t num_regs; /* registrations so far; their mkeys are 1 to num_regs */
    struct {
        struct doca_dev *dev; /* NULL after dereg */
        void *addr;
        size_t len;
        uint32_t access;
    } reg[256];
} fake;

static uint32_t fake_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t i;

    for (i = 0; i < NUM_FAKE && i < max; i++) {
        memset(&attrs[i], 0, sizeof(attrs[i]));
        snprintf(attrs[i].pci_addr, sizeof(attrs[i].pci_addr), "0000:40:%02x.0", i & 0x1fu);
        snprintf(attrs[i].ibdev_name, sizeof(attrs[i].ibdev_name), "fake_%u", i);
    }
    return NUM_FAKE;
}

static doca_error_t fake_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                             uint32_t *mkey)
{
    if (fake.accepts == 0)
        return DOCA_ERROR_DRIVER;
    fake.accepts--;
    fake.num_live++;
    *mkey = ++fake.num_regs;
    CHECK(*mkey < sizeof(fake.reg) / sizeof(fake.reg[0]));
    fake.reg[*mkey].dev = dev;
    fake.reg[*mkey].addr = addr;
    fake.reg[*mkey].len = len;
    fake.reg[*mkey].access = access;
    return DOCA_SUCCESS;
}

static void fake_dereg(struct doca_dev *dev, uint32_t mkey)
{
    CHECK(mkey >= 1 && mkey <= fake.num_regs);
    CHECK_PTR(fake.reg[mkey].dev, dev);
    fake.reg[mkey].dev = NULL;
    fake.num_live--;
}

static size_t fake_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine, uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return sizeof(struct doca_core_queue);
}

static doca_error_t fake_queue_open(struct doca_core_queue *queue, enum doca_core_engine engine,
                                    uint32_t depth)
{
    (void)queue;
    (void)engine;
    (void)depth;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static void fake_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    (void)queue;
    (void)status;
}

static bool fake_queue_ready(struct doca_core_queue *queue)
{
    (void)queue;
    return false;
}

static const struct doca_core_backend fake_backend = {
    .name = "fake",
    .enumerate = fake_enumerate,
    .reg = fake_reg,
    .dereg = fake_dereg,
    .queue_bytes = fake_queue_bytes,
    .queue_open = fake_queue_open,
    .queue_flush = fake_queue_flush,
    .queue_ready = fake_queue_ready,
};

/* ---- fixtures ---- */

/* Open the first `num` devices whose ibdev names begin with `ibdev_prefix`. */
static void open_devs(const char *ibdev_prefix, struct doca_dev **devs, uint32_t num)
{
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    struct doca_devinfo **list;
    uint32_t i, num_devs, found = 0;

    CHECK_OK(doca_devinfo_create_list(&list, &num_devs));
    for (i = 0; i < num_devs && found < num; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        if (strncmp(name, ibdev_prefix, strlen(ibdev_prefix)) == 0)
            CHECK_OK(doca_dev_open(list[i], &devs[found++]));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_EQ(found, num);
}

static void close_devs(struct doca_dev **devs, uint32_t num)
{
    while (num > 0)
        CHECK_OK(doca_dev_close(devs[--num]));
}

static void open_fakes(struct doca_dev **devs, uint32_t num)
{
    memset(&fake, 0, sizeof(fake));
    fake.accepts = UINT32_MAX;
    CHECK_OK(doca_core_backend_register(&fake_backend));
    open_devs("fake_", devs, num);
}

static void close_fakes(struct doca_dev **devs, uint32_t num)
{
    close_devs(devs, num);
    CHECK_EQ(fake.num_live, 0);
    CHECK_OK(doca_core_backend_unregister(fake_backend.name));
}

/* Return a stopped mmap over `memory` with these devices. */
static struct doca_mmap *mmap_on(struct doca_dev **devs, uint32_t num)
{
    struct doca_mmap *mmap;
    uint32_t i;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    if (num > DOCA_CORE_MMAP_DEVS)
        CHECK_OK(doca_mmap_set_max_num_devices(mmap, num));
    for (i = 0; i < num; i++)
        CHECK_OK(doca_mmap_add_dev(mmap, devs[i]));
    return mmap;
}

static size_t bytes_used(void)
{
    size_t used;

    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    return used;
}

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

/* ---- each call in each state ---- */

static struct doca_dev *dev_in, *dev_out; /* a device of the mmap under test, and another device */

static doca_error_t call_set_memrange(struct doca_mmap *mmap)
{
    return doca_mmap_set_memrange(mmap, memory, 64);
}

static doca_error_t call_set_dmabuf_memrange(struct doca_mmap *mmap)
{
    return doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 64);
}

static doca_error_t call_set_permissions(struct doca_mmap *mmap)
{
    return doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
}

static doca_error_t call_set_user_data(struct doca_mmap *mmap)
{
    union doca_data data = { .u64 = 3 };

    return doca_mmap_set_user_data(mmap, data);
}

static doca_error_t call_set_free_cb(struct doca_mmap *mmap)
{
    return doca_mmap_set_free_cb(mmap, NULL, NULL);
}

static doca_error_t call_set_max_num_devices(struct doca_mmap *mmap)
{
    return doca_mmap_set_max_num_devices(mmap, 3);
}

/* These functions undo a call that succeeds, so that every call finds the mmap in the same
 * state. */
static doca_error_t call_add_dev(struct doca_mmap *mmap)
{
    doca_error_t rc = doca_mmap_add_dev(mmap, dev_out);

    if (rc == DOCA_SUCCESS)
        CHECK_OK(doca_mmap_rm_dev(mmap, dev_out));
    return rc;
}

static doca_error_t call_rm_dev(struct doca_mmap *mmap)
{
    doca_error_t rc = doca_mmap_rm_dev(mmap, dev_in);

    if (rc == DOCA_SUCCESS)
        CHECK_OK(doca_mmap_add_dev(mmap, dev_in));
    return rc;
}

static doca_error_t call_start(struct doca_mmap *mmap)
{
    doca_error_t rc = doca_mmap_start(mmap);

    if (rc == DOCA_SUCCESS)
        CHECK_OK(doca_mmap_stop(mmap));
    return rc;
}

static doca_error_t call_stop(struct doca_mmap *mmap)
{
    doca_error_t rc = doca_mmap_stop(mmap);

    if (rc == DOCA_SUCCESS)
        CHECK_OK(doca_mmap_start(mmap));
    return rc;
}

static doca_error_t call_get_memrange(struct doca_mmap *mmap)
{
    void *addr;
    size_t len;

    return doca_mmap_get_memrange(mmap, &addr, &len);
}

static doca_error_t call_get_max_num_devices(struct doca_mmap *mmap)
{
    uint32_t num;

    return doca_mmap_get_max_num_devices(mmap, &num);
}

static doca_error_t call_get_num_bufs(struct doca_mmap *mmap)
{
    uint32_t num;

    return doca_mmap_get_num_bufs(mmap, &num);
}

static doca_error_t call_get_user_data(struct doca_mmap *mmap)
{
    union doca_data data;

    return doca_mmap_get_user_data(mmap, &data);
}

static doca_error_t call_get_exported(struct doca_mmap *mmap)
{
    uint8_t exported = 9;
    doca_error_t rc = doca_mmap_get_exported(mmap, &exported);

    CHECK_EQ(exported, rc == DOCA_SUCCESS ? 0 : 9);
    return rc;
}

static doca_error_t call_get_from_export(struct doca_mmap *mmap)
{
    uint8_t from_export = 9;
    doca_error_t rc = doca_mmap_get_from_export(mmap, &from_export);

    CHECK_EQ(from_export, rc == DOCA_SUCCESS ? 0 : 9);
    return rc;
}

static doca_error_t call_export_pci(struct doca_mmap *mmap)
{
    const void *desc;
    size_t len;

    return doca_mmap_export_pci(mmap, dev_in, &desc, &len);
}

static doca_error_t call_export_rdma(struct doca_mmap *mmap)
{
    const void *desc;
    size_t len;

    return doca_mmap_export_rdma(mmap, dev_in, &desc, &len);
}

#define OK DOCA_SUCCESS
#define BAD DOCA_ERROR_BAD_STATE
#define NOT DOCA_ERROR_NOT_PERMITTED

/* start is the last row, because the first start fixes max_num_devices. */
static const struct {
    const char *name;
    doca_error_t (*call)(struct doca_mmap *mmap);
    doca_error_t configured, started, stopped;
} calls[] = {
    { "set_memrange", call_set_memrange, NOT, BAD, NOT },
    { "set_dmabuf_memrange", call_set_dmabuf_memrange, NOT, BAD, NOT },
    { "set_permissions", call_set_permissions, OK, BAD, OK },
    { "set_user_data", call_set_user_data, OK, BAD, OK },
    { "set_free_cb", call_set_free_cb, OK, BAD, OK },
    { "set_max_num_devices", call_set_max_num_devices, OK, NOT, NOT },
    { "add_dev", call_add_dev, OK, NOT, OK },
    { "rm_dev", call_rm_dev, OK, NOT, OK },
    { "stop", call_stop, BAD, OK, BAD },
    { "get_memrange", call_get_memrange, OK, OK, OK },
    { "get_max_num_devices", call_get_max_num_devices, OK, OK, OK },
    { "get_num_bufs", call_get_num_bufs, OK, OK, OK },
    { "get_user_data", call_get_user_data, OK, OK, OK },
    { "get_exported", call_get_exported, OK, OK, OK },
    { "get_from_export", call_get_from_export, OK, OK, OK },
    { "export_pci", call_export_pci, NOT, NOT, NOT },
    { "export_rdma", call_export_rdma, NOT, NOT, NOT },
    { "start", call_start, OK, BAD, OK },
};

#define NUM_CALLS (sizeof(calls) / sizeof(calls[0]))

static void check_call(size_t i, struct doca_mmap *mmap, doca_error_t want, const char *state)
{
    doca_error_t rc = calls[i].call(mmap);

    if (rc != want)
        test_fail(__FILE__, __LINE__, "%s, %s: %s, want %s", calls[i].name, state,
                  doca_error_get_name(rc), doca_error_get_name(want));
}

static void each_call_is_permitted_in_its_states(void)
{
    struct doca_dev *devs[2];
    struct doca_mmap *mmap;
    size_t i;

    open_devs("", devs, 2);
    dev_in = devs[0];
    dev_out = devs[1];
    mmap = mmap_on(devs, 1);
    for (i = 0; i < NUM_CALLS; i++)
        check_call(i, mmap, calls[i].configured, "configured");
    CHECK_OK(doca_mmap_start(mmap));
    for (i = 0; i < NUM_CALLS; i++)
        check_call(i, mmap, calls[i].started, "started");
    CHECK_OK(doca_mmap_stop(mmap));
    for (i = 0; i < NUM_CALLS; i++)
        check_call(i, mmap, calls[i].stopped, "stopped");
    CHECK_OK(doca_mmap_destroy(mmap));
    close_devs(devs, 2);
}

static void null_stale_and_foreign_handles_are_refused(void)
{
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_mmap *mmap;
    struct doca_dev *dev;
    size_t i;

    open_devs("", &dev, 1);
    dev_in = dev_out = dev;
    for (i = 0; i < NUM_CALLS; i++)
        check_call(i, NULL, DOCA_ERROR_INVALID_VALUE, "NULL");
    CHECK_RC(doca_mmap_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    mmap = mmap_on(NULL, 0);
    CHECK_OK(doca_mmap_destroy(mmap));
#if DOCA_CORE_CHECK >= 1
    for (i = 0; i < NUM_CALLS; i++) {
        check_call(i, mmap, DOCA_ERROR_INVALID_VALUE, "destroyed");
        check_call(i, (struct doca_mmap *)(void *)inventory, DOCA_ERROR_INVALID_VALUE, "foreign");
    }
    CHECK_RC(doca_mmap_destroy(mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_destroy((struct doca_mmap *)(void *)inventory), DOCA_ERROR_INVALID_VALUE);
#endif
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    close_devs(&dev, 1);
#if DOCA_CORE_CHECK >= 1
    mmap = mmap_on(NULL, 0);
    CHECK_RC(doca_mmap_add_dev(mmap, dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_rm_dev(mmap, dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));
#endif
}

static void null_arguments_are_refused(void)
{
    struct doca_mmap *mmap = mmap_on(NULL, 0);
    void *addr;
    size_t len;

    CHECK_RC(doca_mmap_create(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_create_in(NULL, &mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_create_in(doca_core_arena_bound(), NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_add_dev(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_rm_dev(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_memrange(mmap, NULL, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_memrange(mmap, &addr, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_max_num_devices(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_num_bufs(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_user_data(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_exported(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_from_export(mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_mmap(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_mmap_devs(1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* ---- bufs keep an mmap started ---- */

static void mmap_with_bufs_cannot_be_stopped(void)
{
    struct doca_buf_inventory *inventory = inventory_of(4);
    struct doca_mmap *mmap = mmap_on(NULL, 0);
    struct doca_buf_pool *pool;
    struct doca_buf *got, *copy, *slot = NULL;

    CHECK_OK(doca_buf_pool_create(1, 64, mmap, &pool));
    CHECK_RC(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &got),
             DOCA_ERROR_BAD_STATE);
    CHECK_EQ(num_bufs(mmap), 0);

    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_pool_start(pool));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &got));
    CHECK_EQ(num_bufs(mmap), 1);
    CHECK_OK(doca_buf_inventory_buf_dup(inventory, got, &copy));
    CHECK_EQ(num_bufs(mmap), 2);
    CHECK_OK(doca_buf_pool_buf_alloc(pool, &slot));
    CHECK_EQ(num_bufs(mmap), 3);
    CHECK_OK(doca_buf_inc_refcount(got, NULL)); /* the mmap counts one buf, not its references */
    CHECK_OK(doca_buf_chain_list(got, copy));
    CHECK_EQ(num_bufs(mmap), 3);

    CHECK_OK(doca_buf_dec_refcount(got, NULL));
    CHECK_EQ(num_bufs(mmap), 3);
    CHECK_OK(doca_buf_dec_refcount(got, NULL));
    CHECK_EQ(num_bufs(mmap), 1);
    CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_BAD_STATE); /* the mmap is still started */
    CHECK_OK(doca_buf_dec_refcount(slot, NULL));
    CHECK_EQ(num_bufs(mmap), 0);

    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_RC(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &got),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
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

/* ---- the free callback ---- */

static struct {
    uint32_t runs;
    void *addr;
    size_t len;
    void *opaque;
    size_t used; /* bytes in use in the arena, in the callback */
    struct doca_dev *dev;
    doca_error_t close; /* result of closing `dev` in the callback */
} freed;

static void note_free(void *addr, size_t len, void *opaque)
{
    freed.runs++;
    freed.addr = addr;
    freed.len = len;
    freed.opaque = opaque;
    freed.used = bytes_used();
    if (freed.dev != NULL)
        freed.close = doca_dev_close(freed.dev);
}

static void free_callback_runs_if_the_mmap_started_after_it_was_set(void)
{
    static char a, b;
    /* A, B: set the callback with this opaque; 0: set no callback; +: start; -: stop; x: start,
     * which a device refuses */
    static const struct {
        const char *script;
        void *opaque; /* argument of the callback; NULL: it must not run */
    } rows[] = {
        { "A", NULL },    { "A+", &a },    { "A+-", &a },    { "A+-+-", &a }, { "+-A", NULL },
        { "+-A+", &a },   { "A0+", NULL }, { "A+-0", NULL }, { "AB+", &b },   { "A+-B", NULL },
        { "A+-B+-", &b }, { "Ax", NULL },  { "+-Ax", NULL }, { "Ax+-", &a },  { "A+-x", &a },
        { "+-", NULL },   { "", NULL },    { "A+-0+", NULL },
    };
    struct doca_dev *dev;
    size_t i;

    open_fakes(&dev, 1);
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct doca_mmap *mmap = mmap_on(&dev, 1);
        const char *step;

        memset(&freed, 0, sizeof(freed));
        fake.num_regs = 0;
        for (step = rows[i].script; *step != '\0'; step++) {
            fake.accepts = *step == 'x' ? 0 : UINT32_MAX;
            switch (*step) {
            case '+':
                CHECK_OK(doca_mmap_start(mmap));
                break;
            case 'x':
                CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_DRIVER);
                break;
            case '-':
                CHECK_OK(doca_mmap_stop(mmap));
                break;
            case '0':
                CHECK_OK(doca_mmap_set_free_cb(mmap, NULL, NULL));
                break;
            default:
                CHECK_OK(doca_mmap_set_free_cb(mmap, note_free, *step == 'A' ? &a : &b));
            }
        }
        CHECK_EQ(freed.runs, 0);
        CHECK_OK(doca_mmap_destroy(mmap));
        if (freed.runs != (rows[i].opaque != NULL) || freed.opaque != rows[i].opaque)
            test_fail(__FILE__, __LINE__, "\"%s\": the callback ran %u times", rows[i].script,
                      freed.runs);
        if (freed.runs > 0) {
            CHECK_PTR(freed.addr, memory);
            CHECK_EQ(freed.len, sizeof(memory));
        }
    }
    close_fakes(&dev, 1);
}

static void free_callback_runs_after_the_mmap_is_freed(void)
{
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_mmap *mmap;
    struct doca_dev *dev;
    struct doca_buf *buf;
    size_t before = bytes_used();

    open_devs("", &dev, 1);
    mmap = mmap_on(&dev, 1);
    memset(&freed, 0, sizeof(freed));
    freed.dev = dev;
    freed.close = DOCA_ERROR_UNKNOWN;
    CHECK_OK(doca_mmap_set_free_cb(mmap, note_free, NULL));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf));
    CHECK_RC(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(freed.runs, 0);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(freed.runs, 1);
    CHECK_RC(freed.close, DOCA_SUCCESS);
    CHECK_EQ(freed.used, before + DOCA_CORE_BYTES_DEV(1));
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

/* ---- wrong numbers of bufs, after threads have used one mmap without protection ---- */

static struct doca_mmap *started_mmap(struct doca_dev *dev)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

static void *mmap_fresh(size_t bytes)
{
    void *mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    CHECK(mem != MAP_FAILED);
    return mem;
}

/* Counts that are too large, and a count below 0, as unprotected additions and subtractions of
 * several threads can produce. */
static const uint32_t wrong_counts[] = { 1, 77, UINT32_MAX };

static void wrong_count_does_not_keep_the_mmap_started(void)
{
    struct doca_dev *dev = test_open_first_dev();
    struct doca_buf_inventory *inventory = inventory_of(3);
    struct doca_mmap *mmap, *other;
    struct doca_buf *buf;
    uint32_t num = 9;
    size_t i;

    other = started_mmap(dev);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, other, memory, 8, &buf));
    for (i = 0; i < 3; i++) {
        mmap = started_mmap(dev);
        OBJECT(mmap)->num_bufs = wrong_counts[i];
        CHECK_OK(doca_mmap_stop(mmap));
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_MISCOUNTED);
        CHECK(strstr(test_log_text, "threads") != NULL);
        CHECK(strstr(test_log_text, "doca_mmap_enable_thread_safety") != NULL);
        CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
        CHECK_EQ(num, 0);
        CHECK_OK(doca_mmap_start(mmap));
        OBJECT(mmap)->num_bufs = wrong_counts[i];
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_destroy(other));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_dev_close(dev));
}

/* With a wrong count, the library searches for buffers of the mmap: in an inventory and its
 * expansions, in a stopped inventory, in a pool, and in lists. While there is one, the mmap does
 * not stop. */
static void mmap_with_bufs_does_not_stop_with_a_wrong_count(void)
{
    struct doca_dev *dev = test_open_first_dev();
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_mmap *mmap = started_mmap(dev), *other = started_mmap(dev);
    struct doca_buf *bufs[3], *foreign;
    struct doca_buf_pool *pool;
    unsigned i;

    CHECK_OK(doca_buf_inventory_expand(inventory, 2));
    CHECK_OK(doca_buf_inventory_expand(inventory, 1));
    CHECK_OK(doca_buf_pool_create(2, 64, mmap, &pool));
    CHECK_OK(doca_buf_pool_start(pool));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, other, memory, 8, &foreign));
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 8, &bufs[i]));
    CHECK_OK(doca_buf_chain_list(foreign, bufs[0]));
    CHECK_OK(doca_buf_inventory_stop(inventory));
    for (i = 0; i < 3; i++) {
        OBJECT(mmap)->num_bufs = 77;
        CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_HAS_BUFS);
        CHECK_EQ(OBJECT(mmap)->num_bufs, 77);
        CHECK_OK(doca_buf_dec_refcount(i == 0 ? foreign : bufs[i], NULL));
    }
    OBJECT(mmap)->num_bufs = 0;
    CHECK_OK(doca_buf_pool_buf_alloc(pool, &bufs[0]));
    OBJECT(mmap)->num_bufs = 77;
    CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_mmap_destroy(other));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_dev_close(dev));
}

/* With more inventories and pools than the library can search, it trusts the count. After some of
 * them are destroyed, it searches again. */
static void wrong_count_is_trusted_with_too_many_inventories(void)
{
    struct doca_buf_inventory *inventories[DOCA_CORE_MAX_STOCKS + 2];
    const size_t num = sizeof(inventories) / sizeof(inventories[0]);
    struct doca_dev *dev = test_open_first_dev();
    struct doca_mmap *mmap = started_mmap(dev);
    size_t i;

    for (i = 0; i < num; i++)
        inventories[i] = inventory_of(1);
    OBJECT(mmap)->num_bufs = 3;
    CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_MAY_HAVE_BUFS);
    CHECK(strstr(test_log_text, "doca_mmap_enable_thread_safety") != NULL);
    for (i = 0; i < num; i++) /* the table has no room for the last two, so the others go first */
        CHECK_OK(doca_buf_inventory_destroy(inventories[i]));
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_MISCOUNTED);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
}

/* The program gives up an arena that has an inventory, and unmaps, fills or reuses its memory. The
 * library must not access that inventory any longer. */
static void inventories_of_a_discarded_arena_are_not_accessed(void)
{
    const size_t bytes = 65536;
    struct doca_dev *dev = test_open_first_dev();
    struct doca_mmap *mmap = started_mmap(dev);
    struct doca_buf_inventory *inventory;
    struct doca_core_arena arena;
    struct doca_buf *buf;
    unsigned way;
    void *mem;

    for (way = 0; way < 3; way++) {
        mem = mmap_fresh(bytes);
        CHECK_OK(doca_core_arena_init(&arena, mem, bytes));
        CHECK_OK(doca_core_buf_inventory_create_in(&arena, 4, &inventory));
        CHECK_OK(doca_buf_inventory_start(inventory));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 8, &buf));
        CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
        if (way == 0)
            munmap(mem, bytes);
        else if (way == 1)
            memset(mem, 0xdd, bytes);
        else
            CHECK_OK(doca_core_arena_init(&arena, mem, bytes));
        CHECK_OK(doca_mmap_stop(mmap));
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_MISCOUNTED);
        CHECK_OK(doca_mmap_start(mmap));
        if (way > 0)
            munmap(mem, bytes);
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
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
    CASE(each_call_is_permitted_in_its_states, "13 46 48 54 58 66"),
    CASE(null_stale_and_foreign_handles_are_refused, ""),
    CASE(null_arguments_are_refused, ""),
    CASE(mmap_with_bufs_cannot_be_stopped, "61 62 63 64"),
    CASE(each_device_gets_its_own_registration, "59 65 70 71"),
    CASE(backend_may_have_no_registration, ""),
    CASE(refused_registration_undoes_the_others, "59 71"),
    CASE(free_callback_runs_if_the_mmap_started_after_it_was_set, "67 68"),
    CASE(free_callback_runs_after_the_mmap_is_freed, "64 67"),
    CASE(mmap_without_permissions_can_be_written, "70"),
    CASE(default_arena_holds_4098_mmaps, ""),
    CASE(exact_arena_carries_exactly_its_mmaps, ""),
    CASE(wrong_count_does_not_keep_the_mmap_started, ""),
    CASE(mmap_with_bufs_does_not_stop_with_a_wrong_count, ""),
    CASE(wrong_count_is_trusted_with_too_many_inventories, ""),
    CASE(inventories_of_a_discarded_arena_are_not_accessed, ""),
};

TEST_MAIN(cases)

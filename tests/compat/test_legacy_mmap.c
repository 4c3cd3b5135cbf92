/* Programs of DOCA 1.3: mmaps of several ranges, and their exports. */
#include "legacy_support.h"

static void mmap_accepts_nothing_before_start(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *mmap = make_mmap(1, 1);
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    void *desc;
    size_t len;

    CHECK_OK(doca_buf_inventory_create("bufs", 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_RC(doca_mmap_dev_add(mmap, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_rm(mmap, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_export(mmap, dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from, 1, &buf), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_start(mmap)); /* a second start does nothing */
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_buf_inventory_buf_by_addr(inventory, mmap, from, 1, &buf));
    release(buf);
    CHECK_OK(doca_mmap_dev_rm(mmap, dev));
    CHECK_OK(doca_dev_close(dev)); /* neither the mmap nor the inventory uses the device */
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void properties_are_fixed_by_the_first_start(void)
{
    struct doca_mmap *mmap;
    uint32_t number = 3;
    uint8_t flag = 9;
    char name[16];

    CHECK_OK(doca_mmap_create("my_mmap", &mmap));
    CHECK_EQ(mmap_number(mmap, DOCA_MMAP_MAX_NUM_CHUNKS), 1);
    CHECK_EQ(mmap_number(mmap, DOCA_MMAP_MAX_NUM_DEVICES), 1);
    CHECK_OK(doca_mmap_property_get(mmap, DOCA_MMAP_NAME, name, sizeof(name)));
    CHECK_STR(name, "my_mmap");
    CHECK_OK(doca_mmap_property_get(mmap, DOCA_MMAP_EXPORTED, &flag, sizeof(flag)));
    CHECK_EQ(flag, 0);
    CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &number, sizeof(number)));
    CHECK_EQ(mmap_number(mmap, DOCA_MMAP_MAX_NUM_CHUNKS), 3);
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_NUM_BUFS, &number, sizeof(number)),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &number, 2),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &(uint64_t){ 3 }, 8),
             DOCA_ERROR_INVALID_VALUE);
    number = 0;
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_DEVICES, &number, sizeof(number)),
             DOCA_ERROR_INVALID_VALUE);
    number = 16;
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &number, sizeof(number)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_property_set(mmap, (enum doca_mmap_property)77, &number, sizeof(number)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_property_get(mmap, (enum doca_mmap_property)77, &number, sizeof(number)),
             DOCA_ERROR_INVALID_VALUE);
    number = DOCA_MMAP_ACCESS_LOCAL_WRITE;
    CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &number, sizeof(number)));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &number, sizeof(number)),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &number, sizeof(number)),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(mmap_number(mmap, DOCA_MMAP_ACCESS_FLAGS), DOCA_MMAP_ACCESS_LOCAL_WRITE);
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* The device can be added before the ranges, after them, and after a buffer was created. */
static void ranges_and_devices_are_added_in_any_order(void)
{
    unsigned order;

    for (order = 0; order < 3; order++) {
        struct doca_mmap *mmap;
        struct doca_buf *src = NULL, *dst;
        struct doca_dma_job_memcpy job;
        struct kit k;

        kit_open(&k);
        mmap = make_mmap(2, 1);
        CHECK_OK(doca_mmap_start(mmap));
        if (order == 0)
            CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
        CHECK_OK(doca_mmap_populate(mmap, to, LEN, PAGE, NULL, NULL));
        CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
        if (order == 1)
            CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
        src = buf_on(k.inventory, mmap, from, LEN);
        dst = buf_on(k.inventory, mmap, to, LEN);
        if (order == 2)
            CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
        job = job_of(k.ctx, src, dst, LEN, 0);
        CHECK_OK(doca_workq_submit(k.workq, &job.base));
        CHECK_OK(retrieve_result(k.workq));
        CHECK_MEM(to, from, LEN);

        CHECK_OK(doca_mmap_dev_rm(mmap, k.dev)); /* the device loses its access */
        CHECK_OK(doca_workq_submit(k.workq, &job.base));
        CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
        CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
        CHECK_OK(doca_workq_submit(k.workq, &job.base));
        CHECK_OK(retrieve_result(k.workq));
        release(src);
        release(dst);
        CHECK_OK(doca_mmap_destroy(mmap));
        kit_close(&k);
    }
}

static void page_size_is_a_power_of_two_from_4096_on(void)
{
    static const size_t bad[] = { 0, 1, 2048, 4095, 4097, 12288 };
    struct doca_mmap *mmap = make_mmap(3, 1);
    size_t i;

    CHECK_OK(doca_mmap_start(mmap));
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_RC(doca_mmap_populate(mmap, from, LEN, bad[i], NULL, NULL),
                 DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_populate(mmap, from + 1, LEN - 1, 4096, NULL, NULL)); /* not aligned */
    CHECK_OK(doca_mmap_populate(mmap, to, LEN, (size_t)1 << 30, NULL, NULL));
    CHECK_RC(doca_mmap_populate(mmap, to + LEN, 0, PAGE, NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_populate(mmap, NULL, LEN, PAGE, NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_populate(mmap, to + LEN, SIZE_MAX, PAGE, NULL, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void ranges_and_devices_have_limits(void)
{
    struct doca_dev *dev = rig_open_dev("0000:03:00.0"), *other = rig_open_dev("0000:03:00.1");
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(NULL, &mmap));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_RC(doca_mmap_populate(mmap, to, LEN, PAGE, NULL, NULL), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_RC(doca_mmap_dev_add(mmap, dev), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_mmap_dev_add(mmap, other), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_mmap_dev_rm(mmap, other), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));

    mmap = make_mmap(4, DOCA_CORE_MMAP_DEVS + 4); /* more devices than DOCA_CORE_MMAP_DEVS */
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_populate(mmap, from + 4 * LEN, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(mmap, from + LEN, LEN, PAGE, NULL, NULL)); /* adjacent */
    CHECK_RC(doca_mmap_populate(mmap, from, 1, PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, from + 3 * LEN, LEN + 1, PAGE, NULL, NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, from + 2 * LEN - 1, 2, PAGE, NULL, NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, from, sizeof(from), PAGE, NULL, NULL),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_OK(doca_mmap_dev_add(mmap, other));
    CHECK_RC(doca_dev_close(other), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(other));
    CHECK_OK(doca_dev_close(dev));
}

static struct {
    unsigned num;
    void *addr[4];
    size_t len[4];
    void *opaque[4];
} freed;

static void record_free(void *addr, size_t len, void *opaque)
{
    freed.addr[freed.num] = addr;
    freed.len[freed.num] = len;
    freed.opaque[freed.num++] = opaque;
}

static void free_callback_runs_for_each_range_at_destroy(void)
{
    struct doca_buf_inventory *inventory;
    struct doca_mmap *mmap = make_mmap(3, 1);
    struct doca_buf *buf;

    memset(&freed, 0, sizeof(freed));
    CHECK_OK(doca_buf_inventory_create("bufs", 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_populate(mmap, from + LEN, LEN, PAGE, record_free, &freed));
    CHECK_OK(doca_mmap_populate(mmap, from + 3 * LEN, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(mmap, from, 10, PAGE, record_free, inventory));
    CHECK_RC(doca_mmap_populate(mmap, to, LEN, PAGE, record_free, NULL), DOCA_ERROR_NO_MEMORY);
    buf = buf_on(inventory, mmap, from + 3 * LEN, LEN);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_RC(doca_mmap_destroy(mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(freed.num, 0);
    release(buf);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(freed.num, 2);
    CHECK_PTR(freed.addr[0], from);
    CHECK_EQ(freed.len[0], 10);
    CHECK_PTR(freed.opaque[0], inventory);
    CHECK_PTR(freed.addr[1], from + LEN);
    CHECK_EQ(freed.len[1], LEN);
    CHECK_PTR(freed.opaque[1], &freed);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

/* Export the mmap. Only this call may use the heap: it allocates the descriptor with malloc(). */
static doca_error_t export_once(struct doca_mmap *mmap, struct doca_dev *dev, void **desc,
                                size_t *len)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_COUNT);
    unsigned long calls = heap_trap_calls();
    doca_error_t rc = doca_mmap_export(mmap, dev, desc, len);

    calls = heap_trap_calls() - calls;
    heap_trap_set(mode);
    if (heap_trap_works())
        CHECK_EQ(calls, rc == DOCA_SUCCESS ? 1 : 2); /* malloc(), and free() after a failure */
    return rc;
}

static void free_descriptor(void *desc)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);

    free(desc);
    heap_trap_set(mode);
}

static void mmap_with_one_range_is_exported_once(void)
{
    struct doca_dev *dev = rig_open_dev("0000:03:00.0"), *other = rig_open_dev("0000:03:00.1");
    struct doca_mmap *mmap = make_mmap(2, 2);
    size_t len = 0, same;
    uint32_t number = 5;
    uint8_t flag = 0;
    void *desc = NULL, *again;

    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_RC(doca_mmap_export(mmap, dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED); /* no range */
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_RC(doca_mmap_export(mmap, other, &desc, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_export(mmap, NULL, &desc, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_export(mmap, dev, NULL, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_export(mmap, dev, &desc, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(export_once(mmap, dev, &desc, &len));
    CHECK(desc != NULL && len > 0);
    CHECK_OK(doca_mmap_property_get(mmap, DOCA_MMAP_EXPORTED, &flag, sizeof(flag)));
    CHECK_EQ(flag, 1);
    CHECK_RC(doca_mmap_export(mmap, dev, &again, &same), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_add(mmap, other), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_rm(mmap, dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(mmap, to, LEN, PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &number, sizeof(number)),
             DOCA_ERROR_NOT_PERMITTED);
    free_descriptor(desc);
    CHECK_OK(doca_mmap_destroy(mmap));

    mmap = make_mmap(2, 1);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(mmap, to, LEN, PAGE, NULL, NULL));
    CHECK_RC(doca_mmap_export(mmap, dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED); /* two ranges */
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(other));
}

static void permissions_determine_export_and_import(void)
{
    static const struct {
        uint32_t flags;
        doca_error_t export_rc;
        uint32_t import_flags;
    } rows[] = {
        { DOCA_MMAP_ACCESS_LOCAL_WRITE, DOCA_ERROR_NOT_PERMITTED, 0 },
        { DOCA_MMAP_ACCESS_REMOTE_READ, DOCA_SUCCESS, DOCA_MMAP_ACCESS_LOCAL_READ },
        { DOCA_MMAP_ACCESS_REMOTE_WRITE, DOCA_SUCCESS, DOCA_MMAP_ACCESS_LOCAL_WRITE },
        { DOCA_MMAP_ACCESS_REMOTE_READ | DOCA_MMAP_ACCESS_REMOTE_WRITE, DOCA_SUCCESS,
          DOCA_MMAP_ACCESS_LOCAL_WRITE },
    };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *mmap, *import;
    void *desc;
    size_t i, len;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        mmap = make_mmap(1, 1);
        CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_ACCESS_FLAGS, &rows[i].flags, 4));
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL));
        CHECK_OK(doca_mmap_dev_add(mmap, dev));
        CHECK_RC(export_once(mmap, dev, &desc, &len), rows[i].export_rc);
        if (rows[i].export_rc == DOCA_SUCCESS) {
            CHECK_OK(doca_mmap_create_from_export("import", desc, len, dev, &import));
            CHECK_EQ(mmap_number(import, DOCA_MMAP_ACCESS_FLAGS), rows[i].import_flags);
            CHECK_OK(doca_mmap_destroy(import));
            free_descriptor(desc);
        }
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    CHECK_OK(doca_dev_close(dev));
}

/* The program may free() the descriptor before it uses the import. A copy of the descriptor becomes
 * invalid when the exported mmap is destroyed. */
static void caller_frees_the_export_descriptor(void)
{
    struct doca_mmap *mmap = make_mmap(1, 1), *import;
    unsigned char kept[1024];
    struct doca_buf *src, *dst;
    struct doca_dma_job_memcpy job;
    struct kit k;
    uint8_t flag = 0;
    void *desc;
    size_t len;

    kit_open(&k);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_dev_add(mmap, k.dev));
    CHECK_OK(doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL)); /* default permissions */
    CHECK_OK(export_once(mmap, k.dev, &desc, &len));
    CHECK(len <= sizeof(kept));
    memcpy(kept, desc, len);
    CHECK_OK(doca_mmap_create_from_export("theirs", desc, len, k.dev, &import));
    free_descriptor(desc);
    /* an import is started by its creation; some programs start it again */
    CHECK_OK(doca_mmap_start(import));
    CHECK_EQ(mmap_number(import, DOCA_MMAP_MAX_NUM_CHUNKS), 1);
    CHECK_OK(doca_mmap_property_get(import, DOCA_MMAP_FROM_EXPORT, &flag, sizeof(flag)));
    CHECK_EQ(flag, 1);
    CHECK_OK(doca_mmap_stop(mmap)); /* the export stays valid until destroy */
    src = buf_on(k.inventory, import, from, LEN);
    dst = buf_on(k.inventory, k.mmap, to, LEN);
    job = job_of(k.ctx, src, dst, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, LEN);
    release(src);
    release(dst);
    CHECK_RC(doca_mmap_dev_add(import, k.dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_rm(import, k.dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_populate(import, to, LEN, PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_export(import, k.dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_property_set(import, DOCA_MMAP_MAX_NUM_CHUNKS, &(uint32_t){ 2 }, 4),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_RC(doca_mmap_create_from_export("gone", kept, len, k.dev, &import),
             DOCA_ERROR_INVALID_VALUE);
    kit_close(&k);
}

static void stopped_mmap_does_not_change(void)
{
    struct doca_buf *buf, *dup;
    struct kit k;
    void *desc;
    size_t len;

    kit_open(&k);
    buf = buf_on(k.inventory, k.mmap, from, LEN);
    CHECK_OK(doca_mmap_stop(k.mmap));
    CHECK_RC(doca_mmap_populate(k.mmap, &k, sizeof(k), PAGE, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_add(k.mmap, k.dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_dev_rm(k.mmap, k.dev), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_export(k.mmap, k.dev, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_inventory_buf_by_addr(k.inventory, k.mmap, from, 1, &dup),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_inventory_buf_dup(k.inventory, buf, &dup), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 1);
    CHECK_OK(doca_mmap_start(k.mmap));
    CHECK_OK(doca_buf_inventory_buf_dup(k.inventory, buf, &dup));
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 2);
    release(dup);
    release(buf);
    kit_close(&k);
}

static void buffer_lies_inside_one_range(void)
{
    struct doca_mmap *mmap = make_mmap(3, 1);
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    unsigned i;

    CHECK_OK(doca_buf_inventory_create("bufs", 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from, 1, &buf),
             DOCA_ERROR_INVALID_VALUE);
    for (i = 0; i < 3; i++) /* blocks 4, 2 and 1 */
        CHECK_OK(doca_mmap_populate(mmap, from + (4u >> i) * LEN, LEN, PAGE, NULL, NULL));
    for (i = 0; i < 6; i++) {
        bool is_in = i == 1 || i == 2 || i == 4;
        doca_error_t want = is_in ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;

        CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + i * LEN, LEN, &buf), want);
        if (is_in)
            release(buf);
        CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + i * LEN + LEN - 1, 1, &buf),
                 want);
        if (is_in)
            release(buf);
        CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + i * LEN, LEN + 1, &buf),
                 DOCA_ERROR_INVALID_VALUE); /* adjacent ranges are not merged */
    }
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + LEN - 1, 0, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, NULL, 1, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void many_ranges_are_found(void)
{
    enum { NUM = 500, EACH = sizeof(from) / NUM };
    struct doca_mmap *mmap = make_mmap(NUM, 1);
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    unsigned i;

    CHECK_OK(doca_buf_inventory_create("bufs", 1, 0, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_mmap_start(mmap));
    for (i = 0; i < NUM; i++) /* 7 and 500 are coprime: each range once */
        CHECK_OK(doca_mmap_populate(mmap, from + i * 7 % NUM * EACH, EACH, PAGE, NULL, NULL));
    for (i = 0; i < NUM; i++) {
        buf = buf_on(inventory, mmap, from + i * EACH, EACH);
        release(buf);
        CHECK_RC(doca_buf_inventory_buf_by_addr(inventory, mmap, from + i * EACH + 1, EACH, &buf),
                 DOCA_ERROR_INVALID_VALUE);
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static const struct test_case cases[] = {
    CASE(mmap_accepts_nothing_before_start, "305"),
    CASE(properties_are_fixed_by_the_first_start, "306"),
    CASE(ranges_and_devices_are_added_in_any_order, "307"),
    CASE(page_size_is_a_power_of_two_from_4096_on, "308"),
    CASE(ranges_and_devices_have_limits, "309"),
    CASE(free_callback_runs_for_each_range_at_destroy, "310"),
    CASE(mmap_with_one_range_is_exported_once, "311"),
    CASE(permissions_determine_export_and_import, ""),
    CASE(caller_frees_the_export_descriptor, "312 314"),
    CASE(stopped_mmap_does_not_change, "313"),
    CASE(buffer_lies_inside_one_range, ""),
    CASE(many_ranges_are_found, ""),
};

TEST_MAIN(cases)

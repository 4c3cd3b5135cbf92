/* Memory maps: each call in each state, the free callback, and bufs that keep an mmap started, also
 * when their number is wrong. */
#include "mmap_support.h"

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
    CASE(each_call_is_permitted_in_its_states, "13 46 48 54 58 66"),
    CASE(null_stale_and_foreign_handles_are_refused, ""),
    CASE(null_arguments_are_refused, ""),
    CASE(mmap_with_bufs_cannot_be_stopped, "61 62 63 64"),
    CASE(free_callback_runs_if_the_mmap_started_after_it_was_set, "67 68"),
    CASE(free_callback_runs_after_the_mmap_is_freed, "64 67"),
    CASE(wrong_count_does_not_keep_the_mmap_started, ""),
    CASE(mmap_with_bufs_does_not_stop_with_a_wrong_count, ""),
    CASE(wrong_count_is_trusted_with_too_many_inventories, ""),
    CASE(inventories_of_a_discarded_arena_are_not_accessed, ""),
};

TEST_MAIN(cases)

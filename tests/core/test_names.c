/* Tests of the functions that versions 3.1 to 3.3 of the API, and public programs for these
 * versions, added. tools/compat/README.md lists them. */
#include "held_backend.h"

/* ---- bufs that are given another range ---- */

static void check_window(const struct doca_buf *buf, const void *addr, size_t len, const void *data,
                         size_t data_len)
{
    void *got = NULL;
    size_t n = 0;

    CHECK_OK(doca_buf_get_head(buf, &got));
    CHECK_PTR(got, addr);
    CHECK_OK(doca_buf_get_len(buf, &n));
    CHECK_EQ(n, len);
    CHECK_OK(doca_buf_get_data(buf, &got));
    CHECK_PTR(got, data);
    CHECK_OK(doca_buf_get_data_len(buf, &n));
    CHECK_EQ(n, data_len);
}

static void reused_buf_has_the_new_range(void)
{
    struct doca_buf *buf, *second;
    uint32_t num_free;
    uint16_t count;
    struct rig r;

    rig_build(&r, NULL, 1);
    buf = rig_src(&r, 0, 64);
    CHECK_OK(doca_buf_inventory_buf_reuse_by_addr(buf, rig_from + 128, 256));
    check_window(buf, rig_from + 128, 256, rig_from + 128, 0);
    CHECK_OK(doca_buf_inventory_buf_reuse_by_data(buf, rig_from, RIG_BYTES));
    check_window(buf, rig_from, RIG_BYTES, rig_from, RIG_BYTES);
    CHECK_OK(doca_buf_inventory_buf_reuse_by_args(buf, rig_from + 10, 20, rig_from + 12, 5));
    check_window(buf, rig_from + 10, 20, rig_from + 12, 5);
    CHECK_OK(doca_buf_get_refcount(buf, &count));
    CHECK_EQ(count, 1);
    second = rig_src(&r, 0, 64);
    /* one element of a list gets another range; the other element keeps its range */
    CHECK_OK(doca_buf_chain_list(buf, second));
    CHECK_OK(doca_buf_inventory_buf_reuse_by_data(second, rig_from + 64, 32));
    check_window(second, rig_from + 64, 32, rig_from + 64, 32);
    check_window(buf, rig_from + 10, 20, rig_from + 12, 5);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_buf_inventory_get_num_free_elements(r.inventory, &num_free));
    CHECK_EQ(num_free, RIG_BUFS);
    CHECK_RC(doca_buf_inventory_buf_reuse_by_addr(buf, rig_from, 1), DOCA_ERROR_BAD_STATE);
    rig_close(&r);
}

static void new_range_must_be_in_the_mmap(void)
{
    static const struct {
        size_t off, len, data, data_len;
        doca_error_t want;
    } rows[] = {
        { 0, RIG_BYTES, 0, RIG_BYTES, DOCA_SUCCESS },
        { RIG_BYTES - 1, 1, RIG_BYTES - 1, 1, DOCA_SUCCESS },
        { RIG_BYTES - 1, 2, RIG_BYTES - 1, 1, DOCA_ERROR_INVALID_VALUE },
        { RIG_BYTES, 1, RIG_BYTES, 1, DOCA_ERROR_INVALID_VALUE },
        { (size_t)-1, 2, 0, 1, DOCA_ERROR_INVALID_VALUE },
        { 1, (size_t)-1, 1, 1, DOCA_ERROR_INVALID_VALUE },
        { 8, 8, 7, 1, DOCA_ERROR_INVALID_VALUE },
        { 8, 8, 16, 0, DOCA_SUCCESS },
        { 8, 8, 16, 1, DOCA_ERROR_INVALID_VALUE },
        { 8, 8, 9, 8, DOCA_ERROR_INVALID_VALUE },
    };
    struct doca_buf_pool *pool;
    struct doca_buf *buf, *other;
    struct rig r;
    size_t i;

    rig_build(&r, NULL, 1);
    buf = rig_src(&r, 0, 64);
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_OK(doca_buf_inventory_buf_reuse_by_args(buf, rig_from + 3, 5, rig_from + 4, 2));
        CHECK_RC(doca_buf_inventory_buf_reuse_by_args(
                     buf, (void *)((uintptr_t)rig_from + rows[i].off), rows[i].len,
                     (void *)((uintptr_t)rig_from + rows[i].data), rows[i].data_len),
                 rows[i].want);
        if (rows[i].want != DOCA_SUCCESS)
            check_window(buf, rig_from + 3, 5, rig_from + 4, 2);
    }
    CHECK_RC(doca_buf_inventory_buf_reuse_by_addr(buf, rig_to, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_reuse_by_addr(buf, NULL, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_reuse_by_addr(buf, rig_from, 0),
             DOCA_CORE_CHECK >= 2 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS);
    if (DOCA_CORE_CHECK >= 2)
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ZERO);
    CHECK_RC(doca_buf_inventory_buf_reuse_by_data(NULL, rig_from, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_reuse_by_args(buf, rig_from, 1, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));

    CHECK_OK(doca_buf_pool_create(4, 64, r.src_map, &pool));
    CHECK_OK(doca_buf_pool_start(pool));
    CHECK_OK(doca_buf_pool_buf_alloc(pool, &other));
    CHECK_RC(doca_buf_inventory_buf_reuse_by_addr(other, rig_from, 1), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BUF_FIXED);
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    CHECK_OK(doca_buf_pool_destroy(pool));
    rig_close(&r);
}

/* Storage programs submit the same task with the same bufs again and again, and only change the
 * ranges of the bufs. */
static void task_is_submitted_again_with_reused_bufs(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    struct rig r;
    size_t i;

    rig_open(&r, 1);
    src = rig_src(&r, 0, 64);
    dst = rig_dst(&r, 0, 64);
    CHECK_OK(doca_dma_task_memcpy_alloc_init(r.dma, src, dst, (union doca_data){ 0 }, &task));
    for (i = 0; i < 16; i++) {
        CHECK_OK(doca_buf_inventory_buf_reuse_by_data(src, rig_from + i * 64, 64));
        CHECK_OK(doca_buf_inventory_buf_reuse_by_addr(dst, rig_to + i * 64, 64));
        CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
#if DOCA_CORE_CHECK >= 2
        CHECK_RC(doca_buf_inventory_buf_reuse_by_addr(dst, rig_to, 64), DOCA_ERROR_IN_USE);
#endif
        rig_drain(&r);
        check_window(dst, rig_to + i * 64, 64, rig_to + i * 64, 64);
    }
    CHECK_EQ(r.num_ok, 16);
    CHECK_MEM(rig_to, rig_from, 16 * 64);
    rig_release(task);
    rig_close(&r);
}

/* ---- order ---- */

enum { NUM = 6 };

static struct {
    uint64_t which[NUM];
    unsigned num;
} came;

static void note_order(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    CHECK(came.num < NUM);
    came.which[came.num++] = doca_task_get_user_data(doca_dma_task_memcpy_as_task(task)).u64;
}

/* Submit NUM copies and wait for them all. */
static void copy_all(struct rig *r)
{
    struct doca_dma_task_memcpy *task;
    unsigned i;

    memset(&came, 0, sizeof(came));
    r->on_task = note_order;
    r->frees_tasks = true;
    for (i = 0; i < NUM; i++) {
        CHECK_OK(doca_dma_task_memcpy_alloc_init(r->dma, rig_src(r, i * 64, 64),
                                                 rig_dst(r, i * 64, 64),
                                                 (union doca_data){ .u64 = i }, &task));
        CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    }
    for (i = 0; came.num < NUM && i < RIG_PATIENCE; i++)
        (void)rig_progress(r);
    CHECK_EQ(came.num, NUM);
}

static void completions_come_in_order_when_requested(void)
{
    static const char *const plans[] = {
        "dma.complete=reorder:3@2,log=0", "dma.complete=hold@1+,log=0",
        "dma.complete=delay:20@1,log=0",  "dma.complete=fail@3,log=0",
    };
    struct rig r;
    unsigned k, i, asked;

    if (test_other() != NULL)
        test_skip("this case tests the fault backend");
    for (k = 0; k < sizeof(plans) / sizeof(plans[0]); k++) {
        /* requested before start, after start, and not at all */
        for (asked = 0; asked < 3; asked++) {
            CHECK_OK(doca_core_fault_set(plans[k]));
            rig_build(&r, NULL, NUM);
            if (asked == 0)
                CHECK_OK(doca_dma_set_ordered_completions(r.dma, 1));
            CHECK_OK(doca_ctx_start(r.ctx));
            rig_drain(&r);
            if (asked == 1)
                CHECK_OK(doca_dma_set_ordered_completions(r.dma, 1));
            if (asked < 2) {
                copy_all(&r);
                for (i = 0; i < NUM; i++)
                    CHECK_EQ(came.which[i], i);
            } else if (k == 0) { /* when order is not requested, the fault plan decides it */
                CHECK_OK(doca_dma_set_ordered_completions(r.dma, 1));
                CHECK_OK(doca_dma_set_ordered_completions(r.dma, 0));
                copy_all(&r);
                CHECK_EQ(came.which[1], 2);
            }
            rig_close(&r);
            CHECK_OK(doca_core_fault_set(NULL));
        }
    }
}

static void device_without_order_refuses_the_request(void)
{
    struct rig r;

    held_begin();
    rig_build(&r, HELD_DMA, 1);
    CHECK_RC(doca_dma_set_ordered_completions(r.dma, 1), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_ORDER);
    CHECK_OK(doca_dma_set_ordered_completions(r.dma, 0));
    CHECK_RC(doca_dma_set_ordered_completions(NULL, 1), DOCA_ERROR_INVALID_VALUE);
    rig_close(&r);
    held_end();
}

/* ---- keys and capabilities ---- */

static void mmap_has_the_same_key_as_its_bufs(void)
{
    uint32_t of_buf = 0, key = 0, kept;
    struct doca_dev *other;
    struct doca_buf *buf;
    struct rig r;

    rig_build(&r, NULL, 1);
    other = rig_open_nth_dev(1);
    buf = rig_src(&r, 0, 64);
    CHECK_OK(doca_rdma_bridge_get_buf_mkey(buf, r.dev, &of_buf));
    CHECK_OK(doca_mmap_get_mkey(r.src_map, r.dev, &key));
    CHECK_EQ(key, of_buf);
    kept = key;
    CHECK_RC(doca_mmap_get_mkey(r.src_map, other, &key), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_mkey(NULL, r.dev, &key), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_mkey(r.src_map, NULL, &key), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_mkey(r.src_map, r.dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_stop(r.src_map));
    CHECK_RC(doca_mmap_get_mkey(r.src_map, r.dev, &key), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(key, kept);
    CHECK_OK(doca_dev_close(other));
    rig_close(&r);
}

static void no_device_has_congestion_control(void)
{
    struct doca_devinfo **list;
    uint32_t num, i;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num; i++)
        CHECK_RC(doca_devinfo_get_is_pcc_supported(list[i]), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_RC(doca_devinfo_get_is_pcc_supported(NULL), DOCA_ERROR_INVALID_VALUE);
}

static const struct test_case cases[] = {
    CASE(reused_buf_has_the_new_range, ""),
    CASE(new_range_must_be_in_the_mmap, ""),
    CASE(task_is_submitted_again_with_reused_bufs, ""),
    CASE(completions_come_in_order_when_requested, ""),
    CASE(device_without_order_refuses_the_request, ""),
    CASE(mmap_has_the_same_key_as_its_bufs, ""),
    CASE(no_device_has_congestion_control, ""),
};

TEST_MAIN(cases)

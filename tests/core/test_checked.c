/* The checked mode (DOCA_CORE_CHECK 2): reports of handles of released and destroyed objects.
 * Builds of the other levels do not contain the checked mode. */
#include "checked_support.h"

#if DOCA_CORE_CHECK >= 2

#include <sys/mman.h>

static void use_of_a_released_task_reports_its_history(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_task *base;
    uint64_t before;
    struct rig r;

    rig_open(&r, TASKS);
    task = rig_copy(&r, r.dma, 0, LEN);
    base = doca_dma_task_memcpy_as_task(task);
    rig_drain(&r);
    rig_release(task);
    record_log();
    before = doca_core_check_num_reports();
    doca_task_free(base);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_free, "task allocated submitted completed released");
    CHECK_RC(doca_task_submit(base), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_submit, "task allocated submitted completed released");
    CHECK_EQ(doca_core_check_num_reports(), before + 2);
    rig_close(&r);
}

static struct doca_buf *take_buf(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
                                 struct doca_buf_pool *pool)
{
    struct doca_buf *buf;

    if (pool != NULL)
        CHECK_OK(doca_buf_pool_buf_alloc(pool, &buf));
    else
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, rig_from, LEN, &buf));
    return buf;
}

/* A released buf is not reused until DOCA_CORE_CHECK_LIVES others have been allocated, even in an
 * inventory or pool of one buf. */
static void released_bufs_are_not_reused_at_once(void)
{
    static const uint32_t sizes[] = { 1, TASKS, 100 };
    struct doca_buf *bufs[100], *buf, *none = NULL;
    struct doca_buf_inventory *inventory;
    struct doca_mmap *mmap;
    struct doca_buf_pool *pool, *from;
    unsigned i, n;

    for (n = 0; n < 6; n++) {
        const uint32_t size = sizes[n / 2];

        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_set_memrange(mmap, rig_from, RIG_BYTES));
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_OK(doca_buf_inventory_create(size, &inventory));
        CHECK_OK(doca_buf_inventory_start(inventory));
        CHECK_OK(doca_buf_pool_create(size, LEN, mmap, &pool));
        CHECK_OK(doca_buf_pool_start(pool));
        from = n % 2 == 0 ? pool : NULL;
        buf = take_buf(inventory, mmap, from);
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        for (i = 0; i < DOCA_CORE_CHECK_LIVES; i++) {
            bufs[0] = take_buf(inventory, mmap, from);
            CHECK(OBJECT(bufs[0]) != OBJECT(buf));
            CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
        }
        CHECK_RC(doca_buf_dec_refcount(buf, NULL), DOCA_ERROR_BAD_STATE);
        for (i = 0; i < size; i++)
            bufs[i] = take_buf(inventory, mmap, from);
        CHECK_PTR(OBJECT(bufs[size - 1]), OBJECT(buf));
        CHECK_RC(from != NULL ? doca_buf_pool_buf_alloc(pool, &none)
                              : doca_buf_inventory_buf_get_by_addr(inventory, mmap, rig_from, LEN,
                                                                   &none),
                 from != NULL ? DOCA_ERROR_EMPTY : DOCA_ERROR_NO_MEMORY);
        CHECK_PTR(none, NULL);
        while (i > 0)
            CHECK_OK(doca_buf_dec_refcount(bufs[--i], NULL));
        CHECK_OK(doca_buf_pool_destroy(pool));
        CHECK_OK(doca_buf_inventory_destroy(inventory));
        CHECK_OK(doca_mmap_destroy(mmap));
    }
}

static void released_tasks_are_not_reused_at_once(void)
{
    struct doca_dma_task_memcpy *task, *other, *none = NULL;
    struct doca_task *base;
    struct rig r;
    unsigned i;

    rig_open(&r, 1);
    task = rig_prepare(&r, r.dma, 0, LEN);
    base = doca_dma_task_memcpy_as_task(task);
    rig_release(task);
    for (i = 0; i < DOCA_CORE_CHECK_LIVES; i++) {
        other = rig_prepare(&r, r.dma, 0, LEN);
        CHECK(OBJECT(other) != OBJECT(task));
        CHECK_RC(doca_task_submit(base), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_dma_task_memcpy_alloc_init(r.dma, NULL, NULL, (union doca_data){ 0 }, &none),
                 DOCA_ERROR_NO_MEMORY);
        CHECK_PTR(none, NULL);
        rig_release(other);
    }
    other = rig_prepare(&r, r.dma, 0, LEN);
    CHECK_PTR(OBJECT(other), OBJECT(task));
    rig_release(other);
    rig_close(&r);
}

/* A getter that is called on a released object is reported, and returns the old value. */
static void getters_report_released_objects(void)
{
    struct doca_dma_task_memcpy *task;
    union doca_data data = { 0 };
    const struct doca_buf *src;
    struct doca_task *base;
    struct doca_buf *buf;
    uint16_t refcount;
    struct rig r;
    void *place;
    size_t len;

    rig_open(&r, TASKS);
    task = rig_copy(&r, r.dma, 0, LEN);
    base = doca_dma_task_memcpy_as_task(task);
    record_log();
    doca_task_set_user_data(base, data);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_set_user_data, "task allocated submitted");
    (void)doca_task_get_status(base); /* reported, because the task is in flight */
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_get_status, "task allocated submitted");
    rig_drain(&r);
    doca_task_set_user_data(base, data); /* allowed: the task has completed */
    src = doca_dma_task_memcpy_get_src(task);
    buf = doca_dma_task_memcpy_get_dst(task);
    CHECK_OK(doca_task_get_status(base));
    CHECK_EQ(logged.lines, 0);
    rig_release(task);
    CHECK_OK(doca_task_get_status(base));
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_get_status, "task completed released");
    CHECK_PTR(doca_task_get_ctx(base), r.ctx);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_get_ctx, "task completed released");
    (void)doca_task_get_user_data(base);
    CHECK_REPORT(TASK_NOT_OWNED, doca_task_get_user_data, "task completed released");
    CHECK_PTR(doca_dma_task_memcpy_get_src(task), src);
    CHECK_REPORT(TASK_NOT_OWNED, doca_dma_task_memcpy_get_src, "task completed released");
    CHECK_PTR(doca_dma_task_memcpy_get_dst(task), buf);
    CHECK_REPORT(TASK_NOT_OWNED, doca_dma_task_memcpy_get_dst, "task completed released");
    CHECK_OK(doca_buf_get_data_len(buf, &len));
    CHECK_REPORT(BUF_RETURNED, doca_buf_get_data_len, "buf allocated released");
    CHECK_EQ(len, LEN);
    CHECK_OK(doca_buf_get_data(buf, &place));
    CHECK_REPORT(BUF_RETURNED, doca_buf_get_data, "buf allocated released");
    CHECK_OK(doca_buf_get_next_in_list(buf, &buf));
    CHECK_REPORT(BUF_RETURNED, doca_buf_get_next_in_list, "buf allocated released");
    buf = (struct doca_buf *)(uintptr_t)src;
    /* a program may ask whether a buf was released */
    CHECK_OK(doca_buf_get_refcount(buf, &refcount));
    CHECK_EQ(refcount, 0);
    CHECK_EQ(logged.lines, 0);
    rig_close(&r);
}

/* The stop of a context frees the memory of its tasks. Getters of such a task return NULL or an
 * error, and are reported. */
static void getters_report_tasks_freed_by_ctx_stop(void)
{
    const struct doca_dma_task_memcpy *task;
    struct rig r;

    rig_open(&r, TASKS);
    task = rig_prepare(&r, r.dma, 0, LEN);
    rig_release((struct doca_dma_task_memcpy *)(uintptr_t)task);
    rig_stop(&r, r.ctx);
    record_log();
    CHECK_PTR(doca_dma_task_memcpy_get_src(task), NULL);
    CHECK_REPORT(DEAD_HANDLE, doca_dma_task_memcpy_get_src, "task allocated released");
    CHECK_PTR(doca_dma_task_memcpy_get_dst(task), NULL);
    CHECK_REPORT(DEAD_HANDLE, doca_dma_task_memcpy_get_dst, "task allocated released");
    CHECK_RC(doca_task_get_status((const struct doca_task *)(const void *)task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(DEAD_HANDLE, doca_task_get_status, "task allocated released");
    CHECK_PTR(doca_task_get_ctx((const struct doca_task *)(const void *)task), NULL);
    CHECK_REPORT(DEAD_HANDLE, doca_task_get_ctx, "task allocated released");
    rig_close(&r);
}

/* Submit refuses a task if its source or destination was released, if the inventory of that buf was
 * destroyed as well, or if the pointer is no buf at all. */
static void submit_refuses_released_and_invalid_bufs(void)
{
    struct doca_buf_inventory *inventory;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *gone, *bufs[2];
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    bufs[0] = rig_src(&r, 0, LEN);
    bufs[1] = rig_dst(&r, 0, LEN);
    for (i = 0; i < 2; i++) {
        gone = rig_src(&r, 0, LEN);
        CHECK_OK(doca_buf_dec_refcount(gone, NULL));
        task = rig_task(r.dma, i == 0 ? gone : bufs[0], i == 1 ? gone : bufs[1]);
        record_log();
        CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
        CHECK_REPORT(TASK_RETURNED, doca_task_submit, "buf allocated released");

        CHECK_OK(doca_buf_inventory_create(4, &inventory));
        CHECK_OK(doca_buf_inventory_start(inventory));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, r.src_map, rig_from, LEN, &gone));
        CHECK_OK(doca_buf_dec_refcount(gone, NULL));
        CHECK_OK(doca_buf_inventory_destroy(inventory));
        doca_dma_task_memcpy_set_src(task, i == 0 ? gone : bufs[0]);
        doca_dma_task_memcpy_set_dst(task, i == 1 ? gone : bufs[1]);
        CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
        CHECK_REPORT(TASK_NO_BUFFER, doca_task_submit, "allocated released");
        doca_dma_task_memcpy_set_src(task, i == 0 ? (struct doca_buf *)(void *)r.src_map : bufs[0]);
        doca_dma_task_memcpy_set_dst(task, i == 1 ? (struct doca_buf *)(void *)r.src_map : bufs[1]);
        CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
        doca_dma_task_memcpy_set_src(task, NULL);
        CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
        doca_dma_task_memcpy_set_src(task, bufs[0]);
        doca_dma_task_memcpy_set_dst(task, bufs[1]);
        CHECK_OK(rig_submit(task));
        rig_drain(&r);
        doca_task_free(doca_dma_task_memcpy_as_task(task));
        CHECK_OK(doca_buf_reset_data_len(bufs[1]));
    }
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_buf_dec_refcount(bufs[i], NULL));
    rig_close(&r);
}

static void batches_and_graphs_report_released_bufs(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_graph_instance *instance;
    struct doca_task_batch *batch;
    struct doca_graph_node *node;
    struct doca_graph *graph;
    struct doca_buf *gone, *src, *dst;
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                               batch_ended, batch_ended));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    gone = rig_src(&r, 0, LEN);
    dst = rig_dst(&r, 0, LEN);
    CHECK_OK(doca_buf_dec_refcount(gone, NULL));
    task = rig_task(r.dma, gone, dst);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &node));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, node,
                                                   doca_dma_task_memcpy_as_task(task)));
    record_log();
    CHECK_RC(doca_graph_instance_submit(instance), DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(TASK_RETURNED, doca_graph_instance_submit, "buf allocated released");
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, (union doca_data){ 0 }, &batch));
    CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(task)));
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(TASK_RETURNED, doca_task_batch_submit, "buf allocated released");
    src = rig_src(&r, 0, LEN);
    doca_dma_task_memcpy_set_src(task, src);
    CHECK_OK(doca_task_batch_submit(batch));
    doca_task_batch_set_user_data(batch, (union doca_data){ 0 });
    CHECK_REPORT(BATCH_NOT_OWNED, doca_task_batch_set_user_data, "batch allocated submitted");
    (void)doca_task_batch_get_status(batch);
    CHECK_REPORT(BATCH_NOT_OWNED, doca_task_batch_get_status, "batch allocated submitted");
    rig_drain(&r);
    doca_task_batch_set_user_data(batch, (union doca_data){ 0 });
    CHECK_OK(doca_task_batch_get_status(batch));
    CHECK_EQ(logged.lines, 0);
    doca_task_batch_free(batch);
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(BATCH_NOT_OWNED, doca_task_batch_submit, "batch allocated released");
    (void)doca_task_batch_get_status(batch);
    CHECK_REPORT(BATCH_NOT_OWNED, doca_task_batch_get_status, "batch allocated released");
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    rig_close(&r);
}

static void destroy_of_a_parent_reports_its_history(void)
{
    struct doca_dma_task_memcpy *task;
    uint64_t before;
    struct rig r;

    rig_open(&r, TASKS);
    task = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, 0, LEN));
    before = doca_core_check_num_reports();
    record_log();
    CHECK_RC(doca_buf_inventory_destroy(r.inventory), DOCA_ERROR_IN_USE);
    CHECK_REPORT(STOCK_OUTSTANDING, doca_buf_inventory_destroy, "inventory created");
    CHECK_RC(doca_mmap_destroy(r.src_map), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(MMAP_HAS_BUFS, doca_mmap_destroy, "mmap created");
    CHECK_RC(doca_pe_destroy(r.pe), DOCA_ERROR_IN_USE);
    CHECK_REPORT(PE_CONNECTED, doca_pe_destroy, "pe created");
    CHECK_RC(doca_dev_close(r.dev), DOCA_ERROR_IN_USE);
    CHECK_REPORT(DEV_BUSY, doca_dev_close, "dev created");
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CTX_BUSY, doca_dma_destroy, "dma created running");
    CHECK_EQ(doca_core_check_num_reports(), before + 5);
    rig_release(task);
    rig_close(&r);
}

/* While no buffers or tasks depend on a parent, the parent can be destroyed before its children;
 * the checked mode only reports it. */
static void destroy_of_a_parent_of_idle_objects_is_reported(void)
{
    struct doca_graph_node *nodes[2];
    struct doca_graph *graphs[2];
    struct doca_buf_pool *pools[2];
    struct doca_buf_arr *arr;
    struct doca_mmap *mmap, *other;
    struct doca_dma *dma;
    struct rig r;

    rig_open(&r, TASKS);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, rig_from, RIG_BYTES));
    CHECK_OK(doca_mmap_create(&other));
    CHECK_OK(doca_mmap_set_memrange(other, rig_from, RIG_BYTES));
    CHECK_OK(doca_buf_pool_create(4, LEN, mmap, &pools[0]));
    CHECK_OK(doca_buf_pool_create(4, LEN, other, &pools[1]));
    CHECK_OK(doca_core_v3_buf_arr_create(4, &arr));
    CHECK_OK(doca_core_v3_buf_arr_set_params(arr, mmap, 64, 0));
    CHECK_OK(doca_buf_pool_destroy(pools[0]));
    record_log();
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_REPORT(CHECK_CHILDREN, doca_mmap_destroy, "mmap created");
    /* now the array is a child of `other` */
    CHECK_OK(doca_core_v3_buf_arr_set_params(arr, other, 64, 0));
    CHECK_OK(doca_buf_pool_destroy(pools[1]));
    CHECK_OK(doca_mmap_destroy(other));
    CHECK_REPORT(CHECK_CHILDREN, doca_mmap_destroy, "mmap created");
    CHECK_OK(doca_buf_arr_destroy(arr));

    dma = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_graph_create(r.pe, &graphs[0]));
    CHECK_OK(doca_graph_node_create_from_ctx(graphs[0], doca_dma_as_ctx(dma), &nodes[0]));
    CHECK_OK(doca_graph_create(r.pe, &graphs[1]));
    CHECK_OK(doca_graph_node_create_from_ctx(graphs[1], r.ctx, &nodes[1]));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_REPORT(CHECK_CHILDREN, doca_dma_destroy, "dma created");
    CHECK_OK(doca_graph_destroy(graphs[0]));
    CHECK_OK(doca_graph_destroy(graphs[1]));
    CHECK_EQ(logged.lines, 0);
    rig_close(&r); /* no object has children left */
    CHECK_EQ(logged.lines, 0);
}

static void use_of_a_released_buf_reports_its_history(void)
{
    struct doca_buf *buf;
    struct rig r;

    rig_open(&r, TASKS);
    buf = rig_src(&r, 0, LEN);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    record_log();
    CHECK_RC(doca_buf_set_data(buf, rig_from, 1), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(BUF_RETURNED, doca_buf_set_data, "buf allocated released");
    CHECK_RC(doca_buf_reset_data_len(buf), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(BUF_RETURNED, doca_buf_reset_data_len, "buf allocated released");
    CHECK_RC(doca_buf_dec_refcount(buf, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_REPORT(BUF_RETURNED, doca_buf_dec_refcount, "buf allocated released");
    rig_close(&r);
}

static void use_of_a_destroyed_object_reports_its_history(void)
{
    struct doca_mmap *mmap;
    struct doca_dma *dma;
    struct rig r;

    rig_open(&r, TASKS);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    dma = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    rig_drain(&r);
    rig_stop(&r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    record_log();
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(DEAD_HANDLE, doca_mmap_start, "created destroyed");
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_INVALID_VALUE);
    CHECK_REPORT(DEAD_HANDLE, doca_ctx_start, "dma created running idle destroyed");
    rig_close(&r);
}

/* A program passes a pointer to memory that is no object of the expected type. Its first byte may
 * be any kind. To recognize the mistake, a call reads no more of the memory than the smallest
 * objects have: bufs and tasks, which have no guard word. */
static void memory_with_any_first_byte_is_refused(void)
{
    DOCA_CORE_ALIGNED static unsigned char memory[2 * DOCA_CORE_LINE];
    unsigned byte;

    for (byte = 0; byte < 256; byte++) {
        memset(memory, 0x5a, sizeof(memory));
        memory[0] = (unsigned char)byte;
        CHECK_RC(doca_pe_destroy((struct doca_pe *)(void *)memory), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_graph_destroy((struct doca_graph *)(void *)memory), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_mmap_start((struct doca_mmap *)(void *)memory), DOCA_ERROR_INVALID_VALUE);
    }
    for (byte = 1; byte < 8; byte++) /* misaligned addresses */
        if (byte % sizeof(void *) != 0)
            CHECK_RC(doca_mmap_start((struct doca_mmap *)(uintptr_t)byte),
                     DOCA_ERROR_INVALID_VALUE);
}

static const struct test_case cases[] = {
    CASE(use_of_a_released_task_reports_its_history, ""),
    CASE(released_bufs_are_not_reused_at_once, ""),
    CASE(released_tasks_are_not_reused_at_once, ""),
    CASE(getters_report_released_objects, ""),
    CASE(getters_report_tasks_freed_by_ctx_stop, ""),
    CASE(submit_refuses_released_and_invalid_bufs, ""),
    CASE(batches_and_graphs_report_released_bufs, ""),
    CASE(destroy_of_a_parent_reports_its_history, ""),
    CASE(destroy_of_a_parent_of_idle_objects_is_reported, ""),
    CASE(use_of_a_released_buf_reports_its_history, ""),
    CASE(use_of_a_destroyed_object_reports_its_history, ""),
    CASE(memory_with_any_first_byte_is_refused, ""),
};

#else

static void other_levels_omit_the_checked_mode(void)
{
    char text[96];
    int object;

    CHECK_EQ(doca_core_check_num_reports(), 0);
    CHECK_RC(doca_core_check_life(&object, text, sizeof(text)), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(sizeof(struct doca_buf) <= DOCA_CORE_LINE, 1);
}

static const struct test_case cases[] = { CASE(other_levels_omit_the_checked_mode, "") };

#endif

TEST_MAIN(cases)

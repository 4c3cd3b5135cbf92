/* The checked mode: a second thread calls while the call of another thread has not returned. */
#include "checked_support.h"

#include <unistd.h>

/* ---- objects that both threads use ---- */

static struct rig shared;
static struct doca_dma_task_memcpy *shared_task;

static struct doca_dma *idle_dma;
static struct doca_buf *shared_buf;

static struct doca_dma *unused_dma; /* a second context, never started */
static struct doca_sync_event *unused_event;
static struct doca_graph *shared_graph;

static struct doca_buf_inventory *one_buf_inventory;

/* ---- a slow device: a second thread calls while the device registers memory ---- */

static struct doca_buf_inventory *slow_inventory;

static void check_mmap_refuses(int at, doca_error_t rc, const char *call)
{
    if (rc != DOCA_ERROR_NOT_PERMITTED)
        test_fail(__FILE__, at, "%s returned %s", call, doca_error_get_name(rc));
    check_report(at, DOCA_CORE_ITEM_CHECK_THREAD, call, "mmap created");
}

#define CHECK_MMAP_REFUSES(call, ...)                                                              \
    check_mmap_refuses(__LINE__, call(slow_map, __VA_ARGS__), #call ":")

static void *use_mmap(void *arg)
{
    const union doca_data nothing = { 0 };
    enum doca_core_item thread_item = DOCA_CORE_ITEM_CHECK_THREAD;
    const void *desc = NULL;
    struct doca_buf *buf;
    size_t len = 0;

    (void)arg;
    record_log();
    CHECK_MMAP_REFUSES(doca_mmap_set_memrange, rig_from, LEN);
    CHECK_MMAP_REFUSES(doca_mmap_set_dmabuf_memrange, 0, rig_from, 0, LEN);
    CHECK_MMAP_REFUSES(doca_mmap_set_permissions, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    CHECK_MMAP_REFUSES(doca_mmap_set_max_num_devices, 2);
    CHECK_MMAP_REFUSES(doca_mmap_set_free_cb, NULL, NULL);
    CHECK_MMAP_REFUSES(doca_mmap_set_user_data, nothing);
    CHECK_MMAP_REFUSES(doca_mmap_add_dev, slow_dev);
    CHECK_MMAP_REFUSES(doca_mmap_rm_dev, slow_dev);
    CHECK_MMAP_REFUSES(doca_mmap_export_pci, slow_dev, &desc, &len);
    CHECK_PTR(desc, NULL);
    check_mmap_refuses(__LINE__, doca_mmap_enable_thread_safety(slow_map), "thread_safety:");
    check_mmap_refuses(__LINE__, doca_mmap_start(slow_map), "doca_mmap_start:");
    check_mmap_refuses(__LINE__, doca_mmap_stop(slow_map), "doca_mmap_stop:");
    check_mmap_refuses(__LINE__, doca_mmap_destroy(slow_map), "doca_mmap_destroy:");
    if (doca_buf_inventory_buf_get_by_addr(slow_inventory, slow_map, rig_from, LEN, &buf) ==
        DOCA_SUCCESS) { /* the mmap is still started */
        check_report(__LINE__, thread_item, "buf_get_by_addr:", "mmap created");
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        check_report(__LINE__, thread_item, "doca_buf_dec_refcount:", "mmap created");
    }
    num_second_runs++;
    return NULL;
}

static doca_error_t slow_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                             uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    (void)access;
    *mkey = 1;
    run_in_another_thread(use_mmap);
    return DOCA_SUCCESS;
}

static void slow_dereg(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    (void)mkey;
    run_in_another_thread(use_mmap);
}

static doca_error_t slow_export(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma,
                                unsigned char blob[DOCA_CORE_EXPORT_BYTES])
{
    (void)own;
    (void)is_rdma;
    (void)blob;
    return slow_reg(dev, NULL, 0, 0, &mkey);
}

static void slow_unexport(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma)
{
    (void)own;
    (void)is_rdma;
    slow_dereg(dev, mkey);
}

static doca_error_t slow_import(struct doca_dev *dev, const struct doca_core_range *range,
                                bool is_rdma, const unsigned char blob[DOCA_CORE_EXPORT_BYTES],
                                uint32_t *mkey, uint32_t *own)
{
    (void)dev;
    (void)range;
    (void)is_rdma;
    (void)blob;
    (void)mkey;
    (void)own;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static void slow_unimport(struct doca_dev *dev, uint32_t mkey, uint32_t own)
{
    (void)dev;
    (void)mkey;
    (void)own;
}

/* While the first thread is in a call on the mmap and waits for the device, calls of a second
 * thread are refused, and the call of the first thread succeeds. */
static void second_thread_cannot_change_an_mmap(void)
{
    struct doca_core_backend table = slow_table();
    const void *desc;
    size_t len;

    table.reg = slow_reg;
    table.dereg = slow_dereg;
    table.mem_export = slow_export;
    table.mem_unexport = slow_unexport;
    table.mem_import = slow_import;
    table.mem_unimport = slow_unimport;
    open_slow(&table);
    CHECK_OK(doca_buf_inventory_create(1, &slow_inventory));
    CHECK_OK(doca_buf_inventory_start(slow_inventory));
    CHECK_OK(doca_mmap_set_permissions(slow_map, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
    CHECK_OK(doca_mmap_start(slow_map));
    CHECK_EQ(num_second_runs, 1);
    CHECK_OK(doca_mmap_export_pci(slow_map, slow_dev, &desc, &len));
    CHECK_EQ(num_second_runs, 2);
    CHECK_OK(doca_mmap_stop(slow_map)); /* ends the export */
    CHECK_EQ(num_second_runs, 4);
    CHECK_OK(doca_mmap_set_user_data(slow_map, (union doca_data){ 0 }));
    CHECK_OK(doca_mmap_start(slow_map));
    CHECK_OK(doca_mmap_destroy(slow_map));
    CHECK_EQ(num_second_runs, 6);
    CHECK_OK(doca_buf_inventory_destroy(slow_inventory));
    close_slow();
}

/* ---- a call that fails: a second thread calls while the failure is being logged ---- */

static void *(*second_function)(void *);

static void run_second_function(uint32_t level, enum doca_core_item item, const char *line,
                                void *user)
{
    (void)level;
    (void)item;
    (void)line;
    (void)user;
    run_in_another_thread(second_function);
}

/* Run `function` in another thread during `call`. `call` must fail: the log sink, which is called
 * for the failure, starts the thread. */
#define DURING(call, function)                                                                     \
    do {                                                                                           \
        num_second_runs = 0;                                                                       \
        second_function = function;                                                                \
        doca_core_log_set_sink(run_second_function, NULL);                                         \
        (void)(call);                                                                              \
        record_log();                                                                              \
        CHECK_EQ(num_second_runs, 1);                                                              \
        CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(unused_dma), (union doca_data){ 0 }));     \
        CHECK_EQ(logged.lines, 0); /* no thread counts as using the object after the calls */      \
    } while (0)

#define CHECK_REFUSES(call, function, words)                                                       \
    do {                                                                                           \
        CHECK_RC(call, DOCA_ERROR_NOT_PERMITTED);                                                  \
        CHECK_REPORT(CHECK_THREAD, function, words);                                               \
    } while (0)

static void *use_ctx_without_pe(void *arg)
{
    struct doca_ctx *ctx = doca_dma_as_ctx(unused_dma);

    (void)arg;
    record_log();
    CHECK_REFUSES(doca_dma_task_memcpy_set_conf(unused_dma, rig_completed, rig_failed, 2),
                  doca_dma_task_memcpy_set_conf, "dma created");
    CHECK_REFUSES(doca_core_ctx_set_task_batch_conf(ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                                    batch_ended, batch_ended),
                  doca_core_ctx_set_task_batch_conf, "dma created");
    CHECK_REFUSES(doca_ctx_set_user_data(ctx, (union doca_data){ 0 }), doca_ctx_set_user_data,
                  "dma created");
    CHECK_REFUSES(doca_ctx_set_state_changed_cb(ctx, NULL), doca_ctx_set_state_changed_cb,
                  "dma created");
    CHECK_REFUSES(doca_ctx_set_datapath_on_gpu(ctx, (struct doca_gpu *)(void *)&shared),
                  doca_ctx_set_datapath_on_gpu, "dma created");
    CHECK_REFUSES(doca_ctx_set_completion_vector(ctx, 0), doca_ctx_set_completion_vector,
                  "dma created");
    CHECK_REFUSES(doca_pe_connect_ctx(shared.pe, ctx), doca_pe_connect_ctx, "dma created");
    CHECK_REFUSES(doca_ctx_start(ctx), doca_ctx_start, "dma created");
    CHECK_REFUSES(doca_ctx_stop(ctx), doca_ctx_stop, "dma created");
    doca_ctx_flush_tasks(ctx);
    CHECK_REPORT(CHECK_THREAD, doca_ctx_flush_tasks, "dma created");
    CHECK_REFUSES(doca_dma_destroy(unused_dma), doca_dma_destroy, "dma created");
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(idle_dma), (union doca_data){ 0 }));
    CHECK_EQ(logged.lines, 0); /* a different object, so no report */
    num_second_runs++;
    return NULL;
}

/* A context without a PE has the same protection: during any call of the first thread on it, calls
 * of a second thread are refused. */
static void second_thread_cannot_use_a_context_without_pe(void)
{
    struct doca_ctx *ctx;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_dma_create(shared.dev, &unused_dma));
    CHECK_OK(doca_dma_create(shared.dev, &idle_dma));
    ctx = doca_dma_as_ctx(unused_dma);
    DURING(doca_dma_task_memcpy_set_conf(unused_dma, NULL, NULL, 1), use_ctx_without_pe);
    DURING(doca_core_ctx_set_task_batch_conf(ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 0,
                                             batch_ended, batch_ended),
           use_ctx_without_pe);
    DURING(doca_ctx_set_datapath_on_gpu(ctx, (struct doca_gpu *)(void *)&shared),
           use_ctx_without_pe);
    DURING(doca_ctx_set_completion_vector(ctx, 1), use_ctx_without_pe);
    DURING(doca_ctx_start(ctx), use_ctx_without_pe);
    CHECK_OK(doca_pe_connect_ctx(shared.pe, ctx)); /* the refused calls had no effect */
    CHECK_OK(doca_dma_destroy(unused_dma));
    CHECK_OK(doca_dma_destroy(idle_dma));
    rig_close(&shared);
}

static void *use_pe(void *arg)
{
    struct doca_dma_task_memcpy *task;

    (void)arg;
    record_log();
    CHECK_RC(doca_dma_task_memcpy_alloc_init(shared.dma, NULL, NULL, (union doca_data){ 0 }, &task),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_dma_task_memcpy_alloc_init, "pe created");
    CHECK_RC(rig_submit(shared_task), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_task_submit, "pe created");
    doca_task_free(doca_dma_task_memcpy_as_task(shared_task));
    CHECK_REPORT(CHECK_THREAD, doca_task_free, "pe created");
    CHECK_EQ(doca_pe_progress(shared.pe), 0);
    CHECK_REPORT(CHECK_THREAD, doca_pe_progress, "pe created");
    CHECK_REFUSES(doca_pe_connect_ctx(shared.pe, doca_dma_as_ctx(idle_dma)), doca_pe_connect_ctx,
                  "pe created");
    num_second_runs++;
    return NULL;
}

/* Calls other than progress and submit also count as uses of the PE while they run. */
static void second_thread_is_refused_during_any_pe_call(void)
{
    struct doca_dma_task_memcpy *tasks[TASKS], *task;
    struct doca_ctx *ctx;
    unsigned i;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_dma_create(shared.dev, &idle_dma));
    unused_dma = rig_make_dma(&shared, 1);
    ctx = doca_dma_as_ctx(unused_dma);
    for (i = 0; i < TASKS; i++)
        tasks[i] = rig_prepare(&shared, shared.dma, i * LEN, LEN);
    shared_task = tasks[0];
    DURING(doca_dma_task_memcpy_alloc_init(shared.dma, NULL, NULL, (union doca_data){ 0 }, &task),
           use_pe);
    DURING(doca_ctx_start(shared.ctx), use_pe);
    DURING(doca_pe_connect_ctx(shared.pe, ctx), use_pe);
    DURING(doca_pe_destroy(shared.pe), use_pe);
    DURING(doca_dma_destroy(shared.dma), use_pe);
    CHECK_OK(rig_submit(tasks[1]));
    DURING((doca_task_free(doca_dma_task_memcpy_as_task(tasks[1])), 0), use_pe);
    DURING(doca_ctx_stop(shared.ctx), use_pe);
    rig_drain(&shared);
    for (i = 0; i < TASKS; i++)
        rig_release(tasks[i]);
    CHECK_OK(doca_dma_destroy(idle_dma));
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

static void *use_graph(void *arg)
{
    struct doca_graph_node *node;

    (void)arg;
    record_log();
    CHECK_REFUSES(doca_graph_set_conf(shared_graph, graph_ended, graph_ended, 1),
                  doca_graph_set_conf, "pe created");
    CHECK_REFUSES(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &node),
                  doca_graph_node_create_from_ctx, "pe created");
    CHECK_REFUSES(doca_graph_destroy(shared_graph), doca_graph_destroy, "pe created");
    num_second_runs++;
    return NULL;
}

static void second_thread_cannot_build_the_same_graph(void)
{
    struct doca_graph_node *node, *of_other;
    struct doca_graph *other;

    rig_open(&shared, TASKS);
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_graph_create(shared.pe, &shared_graph));
    CHECK_OK(doca_graph_create(shared.pe, &other));
    CHECK_OK(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &node));
    CHECK_OK(doca_graph_node_create_from_ctx(other, shared.ctx, &of_other));
    DURING(doca_graph_set_conf(shared_graph, graph_ended, graph_ended, 0), use_graph);
    DURING(doca_graph_add_dependency(shared_graph, node, of_other), use_graph);
    DURING(doca_graph_start(shared_graph), use_graph); /* fails: no doca_graph_set_conf() yet */
    DURING(doca_graph_node_create_from_graph(shared_graph, shared_graph, &node), use_graph);
    CHECK_OK(doca_graph_destroy(shared_graph));
    CHECK_OK(doca_graph_destroy(other));
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

static void *use_unstarted_mmap(void *arg)
{
    (void)arg;
    record_log();
    CHECK_REFUSES(doca_mmap_set_permissions(slow_map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE),
                  doca_mmap_set_permissions, "mmap created");
    CHECK_REFUSES(doca_mmap_set_user_data(slow_map, (union doca_data){ 0 }),
                  doca_mmap_set_user_data, "mmap created");
    CHECK_REFUSES(doca_mmap_start(slow_map), doca_mmap_start, "mmap created");
    CHECK_REFUSES(doca_mmap_destroy(slow_map), doca_mmap_destroy, "mmap created");
    num_second_runs++;
    return NULL;
}

static void second_thread_cannot_configure_the_same_mmap(void)
{
    rig_open(&shared, TASKS);
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_mmap_create(&slow_map));
    CHECK_OK(doca_mmap_add_dev(slow_map, shared.dev));
    /* fails: the mmap has this device */
    DURING(doca_mmap_add_dev(slow_map, shared.dev), use_unstarted_mmap);
    DURING(doca_mmap_start(slow_map), use_unstarted_mmap); /* fails: the mmap has no range */
    CHECK_OK(doca_mmap_destroy(slow_map));
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

static struct doca_buf_pool *shared_pool;

static void *use_inventory_or_pool(void *arg)
{
    (void)arg;
    record_log();
    if (shared_pool == NULL) {
        CHECK_REFUSES(doca_buf_inventory_start(one_buf_inventory), doca_buf_inventory_start,
                      "inventory created");
        CHECK_REFUSES(doca_buf_inventory_stop(one_buf_inventory), doca_buf_inventory_stop,
                      "inventory created");
        CHECK_REFUSES(doca_buf_inventory_set_user_data(one_buf_inventory, (union doca_data){ 0 }),
                      doca_buf_inventory_set_user_data, "inventory created");
        CHECK_REFUSES(doca_buf_inventory_destroy(one_buf_inventory), doca_buf_inventory_destroy,
                      "inventory created");
    } else {
        CHECK_REFUSES(doca_buf_pool_start(shared_pool), doca_buf_pool_start, "pool created");
        CHECK_REFUSES(doca_buf_pool_stop(shared_pool), doca_buf_pool_stop, "pool created");
        CHECK_REFUSES(doca_buf_pool_set_element_alignment(shared_pool, 64),
                      doca_buf_pool_set_element_alignment, "pool created");
        CHECK_REFUSES(doca_buf_pool_set_user_data(shared_pool, (union doca_data){ 0 }),
                      doca_buf_pool_set_user_data, "pool created");
        CHECK_REFUSES(doca_buf_pool_destroy(shared_pool), doca_buf_pool_destroy, "pool created");
    }
    num_second_runs++;
    return NULL;
}

static void second_thread_cannot_start_the_same_inventory_or_pool(void)
{
    rig_open(&shared, TASKS);
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_buf_inventory_create(1, &one_buf_inventory));
    DURING(doca_buf_inventory_stop(one_buf_inventory), use_inventory_or_pool);
    CHECK_OK(doca_buf_inventory_destroy(one_buf_inventory));
    CHECK_OK(doca_buf_pool_create(1, LEN, shared.src_map, &shared_pool));
    DURING(doca_buf_pool_stop(shared_pool), use_inventory_or_pool);
    DURING(doca_buf_pool_set_element_alignment(shared_pool, 3), use_inventory_or_pool);
    CHECK_OK(doca_buf_pool_destroy(shared_pool));
    shared_pool = NULL;
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

static void *use_event(void *arg)
{
    static uint64_t value;

    (void)arg;
    record_log();
    CHECK_REFUSES(doca_sync_event_start(unused_event), doca_sync_event_start, "event created");
    CHECK_REFUSES(doca_sync_event_add_publisher_location_cpu(unused_event, shared.dev),
                  doca_sync_event_add_publisher_location_cpu, "event created");
    CHECK_REFUSES(doca_sync_event_add_publisher_location_remote_pci(unused_event),
                  doca_sync_event_add_publisher_location_remote_pci, "event created");
    CHECK_REFUSES(doca_sync_event_set_addr(unused_event, &value), doca_sync_event_set_addr,
                  "event created");
    CHECK_REFUSES(doca_sync_event_set_doca_buf(unused_event, shared_buf),
                  doca_sync_event_set_doca_buf, "event created");
    CHECK_REFUSES(doca_sync_event_set_addr(unused_event, NULL), doca_sync_event_set_addr,
                  "event created"); /* NULL is wrong too, but only the thread is reported */
    CHECK(doca_sync_event_as_ctx(unused_event) == NULL);
    CHECK_REPORT(CHECK_THREAD, doca_sync_event_as_ctx, "event created");
    CHECK_REFUSES(doca_sync_event_destroy(unused_event), doca_sync_event_destroy, "event created");
    num_second_runs++;
    return NULL;
}

static void second_thread_cannot_start_the_same_event(void)
{
    rig_open(&shared, TASKS);
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_sync_event_create(&unused_event));
    shared_buf = rig_src(&shared, 0, sizeof(uint64_t));
    DURING(doca_sync_event_start(unused_event), use_event); /* fails: no locations are set */
    CHECK_OK(doca_buf_dec_refcount(shared_buf, NULL));
    CHECK_OK(doca_sync_event_destroy(unused_event));
    CHECK_OK(doca_dma_destroy(unused_dma));
    rig_close(&shared);
}

/* The checked mode remembers up to 64 uses of objects by threads. Here a log sink nests failing
 * calls on more contexts than that. The innermost calls work, but their contexts are not protected
 * from a second thread. */
enum { NESTED_CALLS = 70 };

static struct doca_dma *nested_dma[NESTED_CALLS];
static unsigned depth;

static void *use_first_and_last_ctx(void *arg)
{
    (void)arg;
    record_log();
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(nested_dma[NESTED_CALLS - 1]),
                                    (union doca_data){ 0 }));
    CHECK_EQ(logged.lines, 0);
    CHECK_REFUSES(doca_ctx_set_user_data(doca_dma_as_ctx(nested_dma[0]), (union doca_data){ 0 }),
                  doca_ctx_set_user_data, "dma created");
    num_second_runs++;
    return NULL;
}

static void nest_calls(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    struct doca_dma_task_memcpy *tasks[2];
    unsigned i;

    (void)level;
    (void)item;
    (void)line;
    (void)user;
    if (++depth < NESTED_CALLS) {
        CHECK_RC(doca_dma_task_memcpy_set_conf(nested_dma[depth], NULL, NULL, 1),
                 DOCA_ERROR_INVALID_VALUE);
        return;
    }
    run_in_another_thread(use_first_and_last_ctx);
    for (i = 0; i < 2; i++)
        tasks[i] = rig_copy(&shared, shared.dma, 0, LEN);
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&shared);
    for (i = 0; i < 2; i++)
        rig_release(tasks[i]);
    CHECK_EQ(logged.lines, 0);
}

static void more_uses_than_the_checked_mode_remembers(void)
{
    unsigned i;

    rig_open(&shared, TASKS);
    for (i = 0; i < NESTED_CALLS; i++)
        CHECK_OK(doca_dma_create(shared.dev, &nested_dma[i]));
    num_second_runs = depth = 0;
    doca_core_log_set_sink(nest_calls, NULL);
    CHECK_RC(doca_dma_task_memcpy_set_conf(nested_dma[0], NULL, NULL, 1), DOCA_ERROR_INVALID_VALUE);
    record_log();
    CHECK_EQ(num_second_runs, 1);
    CHECK_EQ(shared.num_ok, 2);
    for (i = 0; i < NESTED_CALLS; i++)
        CHECK_OK(doca_dma_destroy(nested_dma[i]));
    rig_close(&shared);
}

/* ---- a slow device: a second thread calls while the device starts or stops an array ---- */

/* A buffer array for a GPU. The device is slow to create and to destroy the GPU's view of the
 * array, so that a second thread can call in the meantime. */
static struct doca_buf_arr *slow_array;

static void *use_array(void *arg)
{
    (void)arg;
    record_log();
    CHECK_RC(doca_buf_arr_start(slow_array), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_start, "array created");
    CHECK_RC(doca_buf_arr_stop(slow_array), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_stop, "array created");
    CHECK_RC(doca_buf_arr_destroy(slow_array), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_destroy, "array created");
    CHECK_RC(doca_buf_arr_set_params(slow_array, LEN, 1, 0), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_set_params, "array created");
    CHECK_RC(doca_core_v3_buf_arr_set_params(slow_array, slow_map, LEN, 0),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_core_v3_buf_arr_set_params, "array created");
    CHECK_RC(doca_buf_arr_set_target_gpu(slow_array, (struct doca_gpu *)(void *)&shared),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_buf_arr_set_target_gpu, "array created");
    num_second_runs++;
    return NULL;
}

static doca_error_t slow_arr_start(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                   void **handle)
{
    (void)dev;
    (void)arr;
    run_in_another_thread(use_array);
    *handle = &num_second_runs;
    return DOCA_SUCCESS;
}

static void slow_arr_stop(struct doca_dev *dev, const struct doca_buf_arr *arr, void *handle)
{
    (void)dev;
    (void)arr;
    (void)handle;
    run_in_another_thread(use_array);
}

static void second_thread_cannot_change_an_array(void)
{
    struct doca_core_backend table = slow_table();
    static int processor;

    table.arr_start = slow_arr_start;
    table.arr_stop = slow_arr_stop;
    open_slow(&table);
    CHECK_OK(doca_mmap_start(slow_map));
    CHECK_OK(doca_buf_arr_create(slow_map, &slow_array));
    CHECK_OK(doca_buf_arr_set_params(slow_array, LEN, 2, 0));
    CHECK_OK(doca_buf_arr_set_target_gpu(slow_array, (struct doca_gpu *)(void *)&processor));
    CHECK_OK(doca_buf_arr_start(slow_array));
    CHECK_OK(doca_buf_arr_stop(slow_array));
    CHECK_OK(doca_buf_arr_start(slow_array));
    CHECK_OK(doca_buf_arr_destroy(slow_array));
    CHECK_EQ(num_second_runs, 4);
    CHECK_OK(doca_mmap_destroy(slow_map));
    close_slow();
}

static const struct test_case cases[] = {
    CASE(second_thread_cannot_change_an_mmap, ""),
    CASE(second_thread_cannot_use_a_context_without_pe, ""),
    CASE(second_thread_is_refused_during_any_pe_call, ""),
    CASE(second_thread_cannot_build_the_same_graph, ""),
    CASE(second_thread_cannot_configure_the_same_mmap, ""),
    CASE(second_thread_cannot_start_the_same_event, ""),
    CASE(second_thread_cannot_start_the_same_inventory_or_pool, ""),
    CASE(more_uses_than_the_checked_mode_remembers, ""),
    CASE(second_thread_cannot_change_an_array, ""),
};

TEST_MAIN(cases)

/* Runs a scene that uses every module, again and again. In run K the K-th operation of the backends
 * fails, once or from then on; other runs have an arena of 0 lines, 1 line, 2 lines and so on. In
 * every run each submitted task completes once, all objects can be destroyed, and the arena is
 * empty afterwards. */
#include "far_side.h"
#include "fixture.h"

#define MAX_TASKS 24u
#define MAX_BUFS 32u
#define TRIES 50u

/* A submitted task, batch or graph instance. */
struct work {
    struct doca_task *task; /* NULL for a batch or a graph instance */
    unsigned num_submitted;
    unsigned num_completed;
    doca_error_t status;
};

/* All objects of the scene. NULL when the object does not exist yet. */
static struct scene {
    struct doca_devinfo **list;
    struct doca_dev *dev[2];
    struct doca_dev *far_dev; /* supports buffer arrays; the other devices copy */
    struct doca_dev *pd_dev;
    struct doca_devinfo_rep **reps;
    struct doca_dev_rep *rep;
    struct doca_mmap *src_map, *dst_map, *pci_map, *rdma_map, *dev_map;
    struct doca_buf_inventory *inventory;
    struct doca_buf_pool *pool;
    struct doca_buf_arr *arr;
    struct doca_buf *bufs[MAX_BUFS]; /* heads of lists, which the scene must release */
    unsigned num_bufs;
    struct doca_pe *pe;
    struct doca_core_sw_worker *worker;
    struct doca_dma *dma;
    struct doca_sha *sha;
    struct doca_mmap_advise *advise;
    struct doca_sync_event *event; /* used as a context */
    struct doca_sync_event *in_buf; /* its value is in memory that devices can access */
    struct doca_sync_event *alone, *imported;
    struct doca_sync_event *net; /* has a remote publisher */
    struct doca_sync_event_remote_net *publisher;
    struct doca_dma *far_dma; /* copies imported memory */
    struct doca_ctx *ctxs[6];
    unsigned num_ctxs;
    struct doca_task_batch *batch;
    struct doca_graph *graph, *outer; /* `outer` has `graph` as a node */
    struct doca_graph_instance *instance, *outer_instance;
    struct work work[MAX_TASKS];
    unsigned num_work;
    unsigned num_failed;
    uint64_t got, added;
} s;

#define TRY(call)                                                                                  \
    do {                                                                                           \
        doca_error_t try_ = (call);                                                                \
        if (try_ != DOCA_SUCCESS)                                                                  \
            return try_;                                                                           \
    } while (0)

/* ---- completions ---- */

static void note_completion(uint64_t index, doca_error_t status)
{
    struct work *w = &s.work[index];

    CHECK(index < s.num_work);
    w->num_completed++;
    w->status = status;
    s.num_failed += status != DOCA_SUCCESS;
    CHECK_EQ(w->num_completed, w->num_submitted);
}

static void task_completed(struct doca_task *task, union doca_data data)
{
    CHECK_PTR(s.work[data.u64].task, task);
    note_completion(data.u64, doca_task_get_status(task));
}

#define CALLBACK(name, type, as_task)                                                              \
    static void name(type *task, union doca_data data, union doca_data ctx_data)                   \
    {                                                                                              \
        (void)ctx_data;                                                                            \
        task_completed(as_task(task), data);                                                       \
    }

CALLBACK(copied, struct doca_dma_task_memcpy, doca_dma_task_memcpy_as_task)
CALLBACK(hashed, struct doca_sha_task_hash, doca_sha_task_hash_as_task)
CALLBACK(added_hash, struct doca_sha_task_partial_hash, doca_sha_task_partial_hash_as_task)
CALLBACK(advised, struct doca_mmap_advise_task_invalidate_cache,
         doca_mmap_advise_task_invalidate_cache_as_doca_task)
CALLBACK(event_was_set, struct doca_sync_event_task_notify_set,
         doca_sync_event_task_notify_set_as_doca_task)
CALLBACK(event_was_added, struct doca_sync_event_task_notify_add,
         doca_sync_event_task_notify_add_as_doca_task)
CALLBACK(event_was_read, struct doca_sync_event_task_get, doca_sync_event_task_get_as_doca_task)
CALLBACK(waited, struct doca_sync_event_task_wait_gt, doca_sync_event_task_wait_gt_as_doca_task)

static void batch_completed(struct doca_task_batch *batch, uint16_t num, union doca_data data,
                            union doca_data ctx_data)
{
    (void)num;
    (void)ctx_data;
    note_completion(data.u64, doca_task_batch_get_status(batch));
}

static void instance_ended(struct doca_graph_instance *instance, union doca_data data,
                           union doca_data graph_data)
{
    (void)instance;
    (void)graph_data;
    note_completion(data.u64, DOCA_SUCCESS);
}

static void instance_failed(struct doca_graph_instance *instance, union doca_data data,
                            union doca_data graph_data)
{
    (void)instance;
    (void)graph_data;
    note_completion(data.u64, DOCA_ERROR_IO_FAILED);
}

static unsigned num_incomplete(void)
{
    unsigned num = 0, i;

    for (i = 0; i < s.num_work; i++)
        num += s.work[i].num_submitted - s.work[i].num_completed;
    return num;
}

static void progress(void)
{
    static unsigned num_calls;

    (void)doca_pe_progress(s.pe);
    if (s.worker != NULL && ++num_calls % 4 == 0)
        (void)doca_core_sw_worker_step(s.worker, 4);
    if (num_calls % 64 == 0)
        (void)doca_core_fault_release(1);
}

/* Call progress until all tasks have completed, or one has failed: other tasks may then wait for
 * the failed task for ever. */
static doca_error_t wait_for_all(void)
{
    unsigned i;

    for (i = 0; num_incomplete() > 0 && s.num_failed == 0; i++) {
        if (i > 4 * RIG_PATIENCE)
            test_fail(__FILE__, __LINE__, "%u tasks do not complete", num_incomplete());
        progress();
    }
    return s.num_failed == 0 ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

/* ---- parts of the scene ---- */

static uint64_t work_new(struct doca_task *task)
{
    CHECK(s.num_work < MAX_TASKS);
    s.work[s.num_work].task = task;
    if (task != NULL)
        doca_task_set_user_data(task, (union doca_data){ .u64 = s.num_work });
    return s.num_work++;
}

static doca_error_t submit(struct doca_task *task, uint32_t flags)
{
    struct work *w = &s.work[doca_task_get_user_data(task).u64];
    doca_error_t rc = DOCA_ERROR_AGAIN;
    unsigned i;

    for (i = 0; rc == DOCA_ERROR_AGAIN && i < TRIES; i++) {
        w->num_submitted++;
        rc = doca_task_submit_ex(task, flags);
        if (rc != DOCA_SUCCESS)
            w->num_submitted--;
        if (rc == DOCA_ERROR_AGAIN)
            progress();
    }
    return rc;
}

static doca_error_t take_buf(struct doca_mmap *map, void *addr, size_t len, bool has_data,
                             struct doca_buf **buf)
{
    CHECK(s.num_bufs < MAX_BUFS);
    TRY(has_data ? doca_buf_inventory_buf_get_by_data(s.inventory, map, addr, len, buf)
                 : doca_buf_inventory_buf_get_by_addr(s.inventory, map, addr, len, buf));
    s.bufs[s.num_bufs++] = *buf;
    return DOCA_SUCCESS;
}

static doca_error_t start(struct doca_ctx *ctx)
{
    enum doca_ctx_states state = DOCA_CTX_STATE_STARTING;
    doca_error_t rc;
    unsigned i;

    s.ctxs[s.num_ctxs++] = ctx;
    TRY(doca_pe_connect_ctx(s.pe, ctx));
    rc = doca_ctx_start(ctx);
    for (i = 0; rc == DOCA_ERROR_IN_PROGRESS && state == DOCA_CTX_STATE_STARTING; i++) {
        CHECK(i < 4 * RIG_PATIENCE);
        progress();
        TRY(doca_ctx_get_state(ctx, &state));
    }
    if (rc == DOCA_ERROR_IN_PROGRESS)
        rc = state == DOCA_CTX_STATE_RUNNING ? DOCA_SUCCESS : DOCA_ERROR_INITIALIZATION;
    return rc;
}

static doca_error_t open_far_side(uint32_t num_listed)
{
    uint8_t is_far_side_dev = 0;
    uint32_t i;

    for (i = 0; i < num_listed && is_far_side_dev == 0; i++)
        TRY(doca_devinfo_is_equal_pci_addr(s.list[i], FAR_SIDE_DEV, &is_far_side_dev));
    return is_far_side_dev != 0 ? doca_dev_open(s.list[i - 1], &s.far_dev) : DOCA_ERROR_NOT_FOUND;
}

static doca_error_t open_devices(void)
{
    uint8_t has_reps = 0;
    struct ibv_pd *pd;
    doca_error_t rc;
    uint32_t n;

    TRY(doca_devinfo_create_list(&s.list, &n));
    TRY(doca_dev_open(s.list[0], &s.dev[0]));
    TRY(doca_dev_open(s.list[test_num_devs() > 1], &s.dev[1]));
    TRY(open_far_side(n));
    rc = doca_devinfo_destroy_list(s.list);
    s.list = NULL;
    TRY(rc);
    if (doca_devinfo_rep_cap_is_filter_all_supported(doca_dev_as_devinfo(s.dev[0]), &has_reps) ==
            DOCA_SUCCESS &&
        has_reps != 0) {
        TRY(doca_devinfo_rep_create_list(s.dev[0], DOCA_DEVINFO_REP_FILTER_ALL, &s.reps, &n));
        if (n == 0)
            return DOCA_ERROR_NOT_FOUND;
        TRY(doca_dev_rep_open(s.reps[0], &s.rep));
        rc = doca_devinfo_rep_destroy_list(s.reps);
        s.reps = NULL;
        TRY(rc);
    }
    rc = doca_rdma_bridge_get_dev_pd(s.dev[0], &pd);
    /* the software device has no PD, and accepts any address as one */
    if (test_other() == NULL && rc == DOCA_ERROR_NOT_SUPPORTED)
        rc = doca_rdma_bridge_open_dev_from_pd((struct ibv_pd *)(void *)&s, &s.pd_dev);
    return rc;
}

static doca_error_t map(struct doca_mmap **mmap, void *addr, struct doca_dev *one_more)
{
    TRY(doca_mmap_create(mmap));
    TRY(doca_mmap_set_memrange(*mmap, addr, RIG_BYTES));
    TRY(doca_mmap_add_dev(*mmap, s.dev[0]));
    if (s.dev[1] != s.dev[0])
        TRY(doca_mmap_add_dev(*mmap, s.dev[1]));
    if (one_more != NULL)
        TRY(doca_mmap_add_dev(*mmap, one_more));
    TRY(doca_mmap_set_permissions(
        *mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE |
                   DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE));
    return doca_mmap_start(*mmap);
}

static doca_error_t share_memory(void)
{
    const struct doca_devinfo *info[2] = { doca_dev_as_devinfo(s.dev[0]),
                                           doca_dev_as_devinfo(s.dev[1]) };
    const struct doca_core_limits *from = &info[0]->attr.limits, *to = &info[1]->attr.limits;
    uint64_t word = 7, read = 0;
    const void *blob;
    doca_error_t rc;
    size_t len;

    TRY(map(&s.src_map, rig_from, s.far_dev));
    TRY(map(&s.dst_map, rig_to, NULL));
    if (from->has_export_pci && to->has_import_pci) {
        TRY(doca_mmap_export_pci(s.dst_map, s.dev[0], &blob, &len));
        TRY(doca_mmap_create_from_export(NULL, blob, len, s.dev[1], &s.pci_map));
    }
    if (from->has_rdma && to->has_rdma) {
        TRY(doca_mmap_export_rdma(s.dst_map, s.dev[0], &blob, &len));
        TRY(doca_mmap_create_from_export(NULL, blob, len, s.dev[1], &s.rdma_map));
    }
    rc = doca_core_mmap_create_on_dev(s.dev[0], 4096, &s.dev_map);
    if (rc == DOCA_ERROR_NOT_SUPPORTED)
        return DOCA_SUCCESS;
    TRY(rc);
    TRY(doca_core_mmap_write(s.dev_map, 8, &word, sizeof(word)));
    TRY(doca_core_mmap_read(s.dev_map, 8, &read, sizeof(read)));
    return read == word ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

static doca_error_t make_bufs(void)
{
    struct doca_dpa_dev_buf_arr *handle = NULL;
    struct doca_buf *buf;

    TRY(doca_buf_inventory_create(MAX_BUFS, &s.inventory));
    TRY(doca_buf_inventory_start(s.inventory));
    TRY(doca_buf_pool_create(4, 64, s.src_map, &s.pool));
    TRY(doca_buf_pool_start(s.pool));
    TRY(doca_buf_pool_buf_alloc(s.pool, &buf));
    s.bufs[s.num_bufs++] = buf;
    TRY(doca_buf_arr_create(s.src_map, &s.arr));
    TRY(doca_buf_arr_set_params(s.arr, 64, 4, 0));
    TRY(doca_buf_arr_set_target_dpa(s.arr, (struct doca_dpa *)&far_side.processor));
    TRY(doca_buf_arr_start(s.arr));
    TRY(doca_buf_arr_get_dpa_handle(s.arr, &handle));
    CHECK_PTR(handle, &far_side.handle);
    return DOCA_SUCCESS;
}

static bool device_hashes(void)
{
    return doca_dev_as_devinfo(s.dev[0])->attr.limits.has_sha != 0;
}

static doca_error_t start_contexts(void)
{
    TRY(doca_pe_create(&s.pe));
    if (test_other() == NULL)
        TRY(doca_core_sw_worker_create(s.dev[0], &s.worker));
    TRY(doca_dma_create(s.dev[0], &s.dma));
    TRY(doca_dma_task_memcpy_set_conf(s.dma, copied, copied, 8));
    TRY(doca_core_ctx_set_task_batch_conf(doca_dma_as_ctx(s.dma),
                                          DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1, batch_completed,
                                          batch_completed));
    TRY(start(doca_dma_as_ctx(s.dma)));
    TRY(doca_mmap_advise_create(s.dev[0], &s.advise));
    TRY(doca_mmap_advise_task_invalidate_cache_set_conf(s.advise, advised, advised, 1));
    TRY(start(doca_mmap_advise_as_ctx(s.advise)));
    TRY(doca_sync_event_create(&s.event));
    TRY(doca_sync_event_add_publisher_location_cpu(s.event, s.dev[0]));
    TRY(doca_sync_event_add_subscriber_location_dpu(s.event));
    TRY(doca_sync_event_task_notify_set_set_conf(s.event, event_was_set, event_was_set, 2));
    TRY(doca_sync_event_task_notify_add_set_conf(s.event, event_was_added, event_was_added, 1));
    TRY(doca_sync_event_task_get_set_conf(s.event, event_was_read, event_was_read, 1));
    TRY(doca_sync_event_task_wait_gt_set_conf(s.event, waited, waited, 1));
    TRY(start(doca_sync_event_as_ctx(s.event)));
    if (!device_hashes())
        return DOCA_SUCCESS;
    TRY(doca_sha_create(s.dev[0], &s.sha));
    TRY(doca_sha_task_hash_set_conf(s.sha, hashed, hashed, 1));
    TRY(doca_sha_task_partial_hash_set_conf(s.sha, added_hash, added_hash, 0));
    return start(doca_sha_as_ctx(s.sha));
}

/* Request and clear a notification, as a program does before and after it sleeps. */
static doca_error_t arm(void)
{
    doca_notification_handle_t handle;

    TRY(doca_pe_get_notification_handle(s.pe, &handle));
    TRY(doca_pe_request_notification(s.pe));
    return doca_pe_clear_notification(s.pe, handle);
}

static doca_error_t copy_task(size_t at, size_t len, bool is_list, struct doca_task **task)
{
    struct doca_dma_task_memcpy *t;
    struct doca_buf *src, *dst, *more;

    TRY(take_buf(s.src_map, rig_from + at, len, true, &src));
    TRY(take_buf(s.dst_map, rig_to + at, 2 * len, false, &dst));
    if (is_list) {
        TRY(take_buf(s.src_map, rig_from + at + len, len, true, &more));
        TRY(doca_buf_chain_list(src, more));
        s.num_bufs--;
    }
    TRY(doca_dma_task_memcpy_alloc_init(s.dma, src, dst, (union doca_data){ 0 }, &t));
    *task = doca_dma_task_memcpy_as_task(t);
    (void)work_new(*task);
    return DOCA_SUCCESS;
}

static doca_error_t copy(void)
{
    struct doca_task *tasks[6];
    doca_error_t rc = DOCA_ERROR_AGAIN;
    unsigned i;
    uint64_t n;

    for (i = 0; i < 6; i++)
        TRY(copy_task(1024 * i, 100 + i, i == 1, &tasks[i]));
    TRY(submit(tasks[0], DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(submit(tasks[1], DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(submit(tasks[2], DOCA_TASK_SUBMIT_FLAG_NONE));
    TRY(submit(tasks[3], DOCA_TASK_SUBMIT_FLAG_NONE));
    doca_ctx_flush_tasks(doca_dma_as_ctx(s.dma));
    TRY(wait_for_all());
    n = work_new(NULL);
    TRY(doca_core_task_batch_alloc_init(doca_dma_as_ctx(s.dma), (union doca_data){ .u64 = n },
                                        &s.batch));
    for (i = 4; i < 6; i++) {
        TRY(doca_core_task_batch_add(s.batch, tasks[i]));
        /* s.work tracks the batch instead of its tasks */
        s.work[doca_task_get_user_data(tasks[i]).u64].task = NULL;
    }
    for (i = 0; rc == DOCA_ERROR_AGAIN && i < TRIES; i++) {
        s.work[n].num_submitted++;
        rc = doca_task_batch_submit(s.batch);
        if (rc != DOCA_SUCCESS)
            s.work[n].num_submitted--;
        if (rc == DOCA_ERROR_AGAIN)
            progress();
    }
    TRY(rc);
    TRY(wait_for_all());
    for (i = 0; i < 6; i++)
        CHECK_MEM(rig_to + 1024 * i, rig_from + 1024 * i, (100 + i) * (i == 1 ? 2 : 1));
    return DOCA_SUCCESS;
}

/* Copy the bytes that copy() wrote, from an export of another device. */
static doca_error_t copy_import(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;

    if (s.pci_map == NULL)
        return DOCA_SUCCESS;
    TRY(doca_dma_create(s.dev[1], &s.far_dma));
    TRY(doca_dma_task_memcpy_set_conf(s.far_dma, copied, copied, 1));
    TRY(start(doca_dma_as_ctx(s.far_dma)));
    TRY(take_buf(s.pci_map, rig_to, 100, true, &src));
    TRY(take_buf(s.dst_map, rig_to + 40960, 100, false, &dst));
    TRY(doca_dma_task_memcpy_alloc_init(s.far_dma, src, dst, (union doca_data){ 0 }, &task));
    (void)work_new(doca_dma_task_memcpy_as_task(task));
    TRY(submit(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(wait_for_all());
    CHECK_MEM(rig_to + 40960, rig_from, 100);
    return DOCA_SUCCESS;
}

static doca_error_t hash(void)
{
    struct doca_sha_task_partial_hash *partial;
    struct doca_sha_task_hash *task;
    struct doca_buf *src, *dst, *dst2;

    if (!device_hashes())
        return DOCA_SUCCESS;
    TRY(take_buf(s.src_map, rig_from, 128, true, &src));
    TRY(take_buf(s.dst_map, rig_to + 8192, 64, false, &dst));
    TRY(take_buf(s.dst_map, rig_to + 8320, 64, false, &dst2));
    TRY(doca_sha_task_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA256, src, dst,
                                      (union doca_data){ 0 }, &task));
    (void)work_new(doca_sha_task_hash_as_task(task));
    TRY(submit(doca_sha_task_hash_as_task(task), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(doca_sha_task_partial_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA256, src, dst2,
                                              (union doca_data){ 0 }, &partial));
    (void)work_new(doca_sha_task_partial_hash_as_task(partial));
    TRY(submit(doca_sha_task_partial_hash_as_task(partial), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(wait_for_all());
    TRY(doca_sha_task_partial_hash_set_is_final_buf(partial));
    TRY(submit(doca_sha_task_partial_hash_as_task(partial), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    return wait_for_all();
}

static doca_error_t use_event(void)
{
    struct doca_sync_event_task_notify_set *set;
    struct doca_sync_event_task_notify_add *add;
    struct doca_sync_event_task_wait_gt *wait;
    struct doca_sync_event_task_get *get;
    const union doca_data none = { 0 };

    TRY(doca_sync_event_task_wait_gt_alloc_init(s.event, 6, UINT64_MAX, none, &wait));
    (void)work_new(doca_sync_event_task_wait_gt_as_doca_task(wait));
    TRY(submit(doca_sync_event_task_wait_gt_as_doca_task(wait), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(doca_sync_event_task_notify_set_alloc_init(s.event, 5, none, &set));
    (void)work_new(doca_sync_event_task_notify_set_as_doca_task(set));
    TRY(submit(doca_sync_event_task_notify_set_as_doca_task(set), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(doca_sync_event_task_notify_add_alloc_init(s.event, 2, &s.added, none, &add));
    (void)work_new(doca_sync_event_task_notify_add_as_doca_task(add));
    TRY(submit(doca_sync_event_task_notify_add_as_doca_task(add), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(wait_for_all());
    TRY(doca_sync_event_task_get_alloc_init(s.event, &s.got, none, &get));
    (void)work_new(doca_sync_event_task_get_as_doca_task(get));
    TRY(submit(doca_sync_event_task_get_as_doca_task(get), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(wait_for_all());
    return s.added == 5 && s.got == 7 ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

/* A device with an engine for events executes the tasks of this event. */
static doca_error_t use_event_in_buf(void)
{
    struct doca_sync_event_task_notify_set *set;
    struct doca_sync_event_task_get *get;
    const union doca_data none = { 0 };
    struct doca_buf *buf;

    TRY(take_buf(s.dst_map, rig_to + 32768, sizeof(uint64_t), true, &buf));
    TRY(doca_sync_event_create(&s.in_buf));
    TRY(doca_sync_event_add_publisher_location_cpu(s.in_buf, s.dev[0]));
    TRY(doca_sync_event_add_subscriber_location_cpu(s.in_buf, s.dev[0]));
    TRY(doca_sync_event_set_doca_buf(s.in_buf, buf));
    TRY(doca_sync_event_task_notify_set_set_conf(s.in_buf, event_was_set, event_was_set, 1));
    TRY(doca_sync_event_task_get_set_conf(s.in_buf, event_was_read, event_was_read, 1));
    TRY(start(doca_sync_event_as_ctx(s.in_buf)));
    TRY(doca_sync_event_task_notify_set_alloc_init(s.in_buf, 77, none, &set));
    (void)work_new(doca_sync_event_task_notify_set_as_doca_task(set));
    TRY(submit(doca_sync_event_task_notify_set_as_doca_task(set), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(wait_for_all());
    TRY(doca_sync_event_task_get_alloc_init(s.in_buf, &s.got, none, &get));
    (void)work_new(doca_sync_event_task_get_as_doca_task(get));
    TRY(submit(doca_sync_event_task_get_as_doca_task(get), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    TRY(wait_for_all());
    return s.got == 77 ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

static doca_error_t use_event_alone(void)
{
    const uint8_t *blob;
    uint64_t value = 0;
    size_t len;

    TRY(doca_sync_event_create(&s.alone));
    TRY(doca_sync_event_add_publisher_location_cpu(s.alone, s.dev[0]));
    TRY(doca_sync_event_add_subscriber_location_dpu(s.alone));
    TRY(doca_sync_event_start(s.alone));
    TRY(doca_sync_event_export_to_dpu(s.alone, s.dev[0], &blob, &len));
    TRY(doca_sync_event_create_from_export(s.dev[1], blob, len, &s.imported));
    TRY(doca_sync_event_start(s.imported));
    TRY(doca_sync_event_update_set(s.imported, 9));
    TRY(doca_sync_event_wait_gt(s.alone, 8, UINT64_MAX));
    TRY(doca_sync_event_get(s.alone, &value));
    return value == 9 ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

static doca_error_t use_event_by_net(void)
{
    const uint8_t *blob;
    uint64_t value = 0;
    size_t len;

    TRY(doca_sync_event_create(&s.net));
    TRY(doca_sync_event_add_publisher_location_remote_net(s.net));
    TRY(doca_sync_event_add_subscriber_location_cpu(s.net, s.dev[0]));
    TRY(doca_sync_event_start(s.net));
    TRY(doca_sync_event_export_to_remote_net(s.net, &blob, &len));
    TRY(doca_sync_event_remote_net_create_from_export(s.dev[1], blob, len, &s.publisher));
    TRY(doca_core_sync_event_remote_net_update_set(s.publisher, 11));
    TRY(doca_sync_event_wait_gt(s.net, 10, UINT64_MAX));
    TRY(doca_sync_event_get(s.net, &value));
    return value == 11 ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
}

static doca_error_t advise(void)
{
    struct doca_mmap_advise_task_invalidate_cache *task;
    struct doca_buf *buf;

    TRY(take_buf(s.src_map, rig_from, 64, true, &buf));
    TRY(doca_mmap_advise_task_invalidate_cache_alloc_init(s.advise, buf, (union doca_data){ 0 },
                                                          &task));
    (void)work_new(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
    TRY(submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(task),
               DOCA_TASK_SUBMIT_FLAG_FLUSH));
    return wait_for_all();
}

static doca_error_t ran_in_graph(void *cookie)
{
    CHECK_PTR(cookie, &s);
    return DOCA_SUCCESS;
}

static doca_error_t run_instance(struct doca_graph_instance *instance)
{
    uint64_t n = work_new(NULL);
    doca_error_t rc;

    TRY(doca_graph_instance_set_user_data(instance, (union doca_data){ .u64 = n }));
    s.work[n].num_submitted++;
    rc = doca_graph_instance_submit(instance);
    if (rc != DOCA_SUCCESS)
        s.work[n].num_submitted--;
    TRY(rc);
    return wait_for_all();
}

static struct doca_task *copied_by_graph;

static doca_error_t run_graph(void)
{
    struct doca_graph_node *node[3];
    struct doca_task *task;
    struct doca_sync_event_task_notify_set *set;

    TRY(copy_task(16384, 500, false, &task));
    copied_by_graph = task;
    TRY(doca_sync_event_task_notify_set_alloc_init(s.event, 3, (union doca_data){ 0 }, &set));
    (void)work_new(doca_sync_event_task_notify_set_as_doca_task(set));
    TRY(doca_graph_create(s.pe, &s.graph));
    TRY(doca_graph_set_conf(s.graph, instance_ended, instance_failed, 1));
    TRY(doca_graph_node_create_from_ctx(s.graph, doca_dma_as_ctx(s.dma), &node[0]));
    TRY(doca_graph_node_create_from_ctx(s.graph, doca_sync_event_as_ctx(s.event), &node[1]));
    TRY(doca_graph_node_create_from_user(s.graph, ran_in_graph, &node[2]));
    TRY(doca_graph_add_dependency(s.graph, node[0], node[1]));
    TRY(doca_graph_add_dependency(s.graph, node[1], node[2]));
    TRY(doca_graph_start(s.graph));
    TRY(doca_graph_instance_create(s.graph, &s.instance));
    TRY(doca_graph_instance_set_ctx_node_data(s.instance, node[0], task));
    TRY(doca_graph_instance_set_ctx_node_data(
        s.instance, node[1], doca_sync_event_task_notify_set_as_doca_task(set)));
    TRY(doca_graph_instance_set_user_node_data(s.instance, node[2], &s));
    return run_instance(s.instance);
}

/* Run the graph again, as a node of an outer graph, with the same tasks. */
static doca_error_t run_outer_graph(void)
{
    struct doca_graph_node *node;

    CHECK_OK(doca_buf_reset_data_len(
        doca_dma_task_memcpy_get_dst((struct doca_dma_task_memcpy *)(void *)copied_by_graph)));
    TRY(doca_graph_create(s.pe, &s.outer));
    TRY(doca_graph_set_conf(s.outer, instance_ended, instance_failed, 1));
    TRY(doca_graph_node_create_from_graph(s.outer, s.graph, &node));
    TRY(doca_graph_start(s.outer));
    TRY(doca_graph_instance_create(s.outer, &s.outer_instance));
    TRY(doca_graph_instance_set_sub_graph_node_data(s.outer_instance, node, s.instance));
    return run_instance(s.outer_instance);
}

static doca_error_t run_scene(void)
{
    memset(&s, 0, sizeof(s));
    memset(rig_to, 0xee, RIG_BYTES);
    TRY(open_devices());
    TRY(share_memory());
    TRY(make_bufs());
    TRY(start_contexts());
    TRY(arm());
    TRY(copy());
    TRY(copy_import());
    TRY(hash());
    TRY(use_event());
    TRY(use_event_in_buf());
    TRY(use_event_alone());
    TRY(use_event_by_net());
    TRY(advise());
    TRY(run_graph());
    return run_outer_graph();
}

/* ---- destroy the objects, whichever call failed ---- */

static void end_work(void)
{
    enum doca_ctx_states state;
    unsigned i, k;

    for (i = 0; i < s.num_ctxs; i++)
        (void)doca_ctx_stop(s.ctxs[i]);
    for (k = 0; num_incomplete() > 0; k++) {
        if (k > 4 * RIG_PATIENCE)
            test_fail(__FILE__, __LINE__, "%u tasks have not completed", num_incomplete());
        progress();
    }
    if (s.outer_instance != NULL)
        CHECK_OK(doca_graph_instance_destroy(s.outer_instance));
    if (s.outer != NULL) {
        (void)doca_graph_stop(s.outer);
        CHECK_OK(doca_graph_destroy(s.outer));
    }
    if (s.instance != NULL)
        CHECK_OK(doca_graph_instance_destroy(s.instance));
    if (s.graph != NULL) {
        (void)doca_graph_stop(s.graph); /* the graph may not be started */
        CHECK_OK(doca_graph_destroy(s.graph));
    }
    if (s.batch != NULL)
        doca_task_batch_free(s.batch);
    for (i = 0; i < s.num_work; i++) {
        CHECK_EQ(s.work[i].num_completed, s.work[i].num_submitted);
        if (s.work[i].task != NULL)
            doca_task_free(s.work[i].task);
    }
    for (i = 0; i < s.num_ctxs; i++) {
        for (k = 0; doca_ctx_get_state(s.ctxs[i], &state) == DOCA_SUCCESS &&
                    state != DOCA_CTX_STATE_IDLE; k++) {
            CHECK(k < 4 * RIG_PATIENCE);
            progress();
        }
    }
}

#define END(object, call)                                                                          \
    do {                                                                                           \
        if ((object) != NULL)                                                                      \
            CHECK_OK(call(object));                                                                \
    } while (0)

static void end_scene(void)
{
    unsigned i;

    if (s.pe != NULL)
        end_work();
    END(s.dma, doca_dma_destroy);
    END(s.far_dma, doca_dma_destroy);
    END(s.sha, doca_sha_destroy);
    END(s.advise, doca_mmap_advise_destroy);
    END(s.event, doca_sync_event_destroy);
    END(s.in_buf, doca_sync_event_destroy);
    END(s.imported, doca_sync_event_destroy);
    END(s.alone, doca_sync_event_destroy);
    END(s.publisher, doca_sync_event_remote_net_destroy);
    END(s.net, doca_sync_event_destroy);
    END(s.worker, doca_core_sw_worker_destroy);
    END(s.pe, doca_pe_destroy);
    END(s.arr, doca_buf_arr_destroy);
    for (i = 0; i < s.num_bufs; i++)
        CHECK_OK(doca_buf_dec_refcount(s.bufs[i], NULL));
    END(s.pool, doca_buf_pool_destroy);
    END(s.inventory, doca_buf_inventory_destroy);
    END(s.pci_map, doca_mmap_destroy);
    END(s.rdma_map, doca_mmap_destroy);
    END(s.dev_map, doca_mmap_destroy);
    END(s.src_map, doca_mmap_destroy);
    END(s.dst_map, doca_mmap_destroy);
    END(s.rep, doca_dev_rep_close);
    END(s.reps, doca_devinfo_rep_destroy_list);
    CHECK_PTR(far_side.shown, NULL);
    END(s.pd_dev, doca_dev_close);
    END(s.far_dev, doca_dev_close);
    END(s.dev[0], doca_dev_close);
    END(s.dev[1], doca_dev_close);
    END(s.list, doca_devinfo_destroy_list);
    CHECK_EQ(doca_core_fault_get_num_held(), 0);
}

/* ---- runs of the scene ---- */

static DOCA_CORE_ALIGNED unsigned char memory[4u << 20];

/* Run the scene in an arena of `bytes`, and check that the arena is empty afterwards. */
static doca_error_t run_in_arena(size_t bytes)
{
    struct doca_core_arena *before = doca_core_arena_bound();
    struct doca_core_arena arena;
    size_t used, largest, now;
    doca_error_t rc;

    CHECK_OK(doca_core_arena_init(&arena, memory, bytes));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, &largest));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_core_arena_bind(&arena));
    test_log_lines = 0;
    rc = run_scene();
    end_scene();
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, &now));
    CHECK_EQ(used, 0);
    CHECK_EQ(now, largest);
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_OK(doca_core_arena_bind(before));
    return rc;
}

/* Find the latest fault that is not a delay. */
static bool find_fault(struct doca_core_fault_record *record)
{
    uint64_t n = doca_core_fault_get_num();

    for (; doca_core_fault_get_record(n, record) == DOCA_SUCCESS; n--)
        if (strcmp(record->action, "delay") != 0)
            return true;
    return false;
}

/* Run the scene with a fault in the k-th operation, for k = 1, 2 ... up to the last operation.
 * Return the number of operations. */
static unsigned run_with_each_fault(const char *format, bool must_fail)
{
    struct doca_core_fault_record record;
    char text[128];
    doca_error_t rc;
    unsigned k;

    CHECK_OK(doca_core_backend_register(&far_side_backend));
    for (k = 1;; k++) {
        snprintf(text, sizeof(text), format, k);
        CHECK_OK(doca_core_fault_set(text));
        rc = run_in_arena(sizeof(memory));
        if (!find_fault(&record))
            break;
        if (must_fail && rc == DOCA_SUCCESS)
            test_fail(__FILE__, __LINE__, "%s: the failure of %s had no effect", text,
                      record.operation);
        /* the library may return an empty list of representors instead of failing */
        if (must_fail && test_log_lines == 0 && strcmp(record.operation, "dev.reps") != 0)
            test_fail(__FILE__, __LINE__, "%s: the failure of %s was not logged", text,
                      record.operation);
    }
    CHECK_OK(rc);
    CHECK_OK(doca_core_backend_unregister(far_side_backend.name));
    CHECK_OK(doca_core_fault_set(NULL));
    return k - 1;
}

static void each_operation_fails_once(void)
{
    CHECK(run_with_each_fault("log=0,*=fail@%u", true) >= 40);
}

static void each_operation_and_all_later_ones_fail(void)
{
    CHECK(run_with_each_fault("log=0,*=fail@%u+", true) >= 40);
}

static void each_operation_fails_with_no_memory(void)
{
    CHECK(run_with_each_fault("log=0,*=fail:NO_MEMORY@%u", true) >= 40);
}

static void each_operation_returns_again_once(void)
{
    CHECK(run_with_each_fault("log=0,*=again@%u", false) >= 25);
}

static void each_operation_loses_the_device(void)
{
    CHECK(run_with_each_fault("log=0,*=lose@%u", true) >= 25);
}

static void each_operation_fails_with_delayed_completions(void)
{
    CHECK(run_with_each_fault("log=0,*.complete=delay:3,*=fail@%u", true) >= 40);
}

static void each_completion_is_held_back(void)
{
    CHECK(run_with_each_fault("log=0,*.complete=hold@%u", false) > 10);
}

static void arena_grows_line_by_line(void)
{
    struct doca_core_arena arena;
    size_t lines, step = DOCA_CORE_LINE / test_times(DOCA_CORE_LINE);
    doca_error_t rc = DOCA_ERROR_NO_MEMORY;

    CHECK_OK(doca_core_backend_register(&far_side_backend));
    CHECK_OK(run_in_arena(sizeof(memory)));
    for (lines = 0; rc != DOCA_SUCCESS; lines += step) {
        CHECK(lines * DOCA_CORE_LINE <= sizeof(memory));
        if (lines < 2) {
            CHECK(doca_core_arena_init(&arena, memory, lines * DOCA_CORE_LINE) != DOCA_SUCCESS);
            continue;
        }
        rc = run_in_arena(lines * DOCA_CORE_LINE);
        if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_NO_MEMORY)
            test_fail(__FILE__, __LINE__, "%u lines: %s", (unsigned)lines, doca_error_get_name(rc));
    }
    CHECK(lines > 100);
    CHECK_OK(doca_core_backend_unregister(far_side_backend.name));
}

static const struct test_case cases[] = {
    CASE(each_operation_fails_once, "197"),
    CASE(each_operation_and_all_later_ones_fail, ""),
    CASE(each_operation_fails_with_no_memory, ""),
    CASE(each_operation_returns_again_once, ""),
    CASE(each_operation_loses_the_device, ""),
    CASE(each_operation_fails_with_delayed_completions, ""),
    CASE(each_completion_is_held_back, ""),
    CASE(arena_grows_line_by_line, ""),
};

TEST_MAIN(cases)

/* A process of tools/soak that works on its own memory: three threads, two of them on one device
 * that a fourth thread serves. Each thread has copies of lists, hashes, a batch, a graph and an
 * event in flight, and compares the results with the expected ones. */
#ifndef SOAK_LOCAL_H
#define SOAK_LOCAL_H

#include "sha_reference.h"
#include "soak.h"

enum { FROM = 32768, PIECE = 8192, COPIES = 6, HASHES = 3, BATCHED = 4, SPARE = 16 };
enum { JOBS = COPIES + HASHES + BATCHED + 1 }; /* the last job is the graph */
enum { TASKS = COPIES + BATCHED + 2 };

struct lane;

struct job {
    struct lane *lane;
    bool is_busy;
    uint32_t algorithm;
    size_t len;
    struct doca_buf *src, *dst;
    unsigned char want[PIECE]; /* expected result of a copy, or the bytes to hash */
    unsigned char *to;
};

enum { DMA, SHA, WAIT, CTXS };

struct lane {
    struct tally *tally; /* of KINDS */
    uint64_t seed;
    uint32_t device;
    double end;
    bool is_over; /* it begins nothing new */
    struct doca_dev *dev;
    struct doca_mmap *from_map, *to_map, *digest_map;
    struct doca_buf_inventory *bufs;
    struct doca_buf_pool *pool;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_sha *sha;
    struct doca_sync_event *event;
    struct doca_ctx *ctx[CTXS];
    bool has_failed[CTXS];
    struct job jobs[JOBS];
    struct doca_task_batch *batch;
    uint32_t num_out;
    uint64_t value, fetched; /* of the event */
    uint32_t num_event_tasks;
    bool is_adding;

    struct doca_graph *graph;
    struct doca_graph_instance *run;
    struct doca_dma_task_memcpy *graph_copy;
    struct doca_sha_task_hash *graph_hash;
    uint32_t num_runs;
    bool graph_runs, graph_ends;

    unsigned char from[FROM];
    unsigned char to[JOBS][PIECE + SPARE];
    unsigned char digests[2 * JOBS * 64];
};

static struct lane lanes[LANES];

static const size_t digest_bytes[] = { 20, 32, 64 };

/* ---- buffers */

/* Return a list of one to four random pieces of `from`, and copy their bytes to job->want. */
static struct doca_buf *take_text(struct lane *l, struct job *job)
{
    uint32_t num = between(&l->seed, 1, 4), i;
    struct doca_buf *list = NULL, *buf;

    job->len = 0;
    for (i = 0; i < num; i++) {
        size_t len = between(&l->seed, 1, between(&l->seed, 0, 7) == 0 ? PIECE / 4 : 300);
        size_t at = between(&l->seed, 0, (uint32_t)(FROM - len));

        MUST(doca_buf_inventory_buf_get_by_data(l->bufs, l->from_map, l->from + at, len, &buf));
        if (list == NULL)
            list = buf;
        else
            MUST(doca_buf_chain_list(list, buf));
        memcpy(job->want + job->len, l->from + at, len);
        job->len += len;
    }
    return list;
}

/* Make the destination, a list of one to three pieces of the job's memory. Guard bytes follow
 * it. */
static struct doca_buf *take_room(struct lane *l, struct job *job)
{
    uint32_t num = between(&l->seed, 1, 3), i;
    struct doca_buf *list = NULL, *buf;
    size_t at = 0, len;

    memset(job->to, CALM, job->len + SPARE);
    for (i = 0; i < num && at < job->len; i++) {
        len = i + 1 == num ? job->len - at : between(&l->seed, 1, (uint32_t)(job->len - at));
        MUST(doca_buf_inventory_buf_get_by_addr(l->bufs, l->to_map, job->to + at, len, &buf));
        if (list == NULL)
            list = buf;
        else
            MUST(doca_buf_chain_list(list, buf));
        at += len;
    }
    return list;
}

static void drop_bufs(struct job *job)
{
    MUST(doca_buf_dec_refcount(job->src, NULL));
    MUST(doca_buf_dec_refcount(job->dst, NULL));
    job->is_busy = false;
    job->lane->num_out--;
}

static void take_copy(struct lane *l, struct job *job)
{
    job->src = take_text(l, job);
    job->dst = take_room(l, job);
    job->is_busy = true;
    l->num_out++;
}

static void take_hash(struct lane *l, struct job *job)
{
    job->algorithm = between(&l->seed, 0, 2);
    job->src = take_text(l, job);
    MUST(doca_buf_pool_buf_alloc(l->pool, &job->dst));
    job->is_busy = true;
    l->num_out++;
}

/* ---- checks of results */

static void check_copy(struct job *job, struct tally *t)
{
    size_t i;

    if (memcmp(job->to, job->want, job->len) != 0)
        finding("a copy of %zu bytes is not equal", job->len);
    for (i = 0; i < SPARE; i++)
        MUST_BE(job->to[job->len + i] == CALM);
    count_bytes(t, job->len);
}

static void check_digest(struct job *job, struct tally *t)
{
    size_t len = digest_bytes[job->algorithm], got;
    unsigned char want[64];
    void *data;

    ref_hash(job->algorithm, job->want, job->len, want);
    MUST(doca_buf_get_data(job->dst, &data));
    MUST(doca_buf_get_data_len(job->dst, &got));
    if (got != len || memcmp(data, want, len) != 0)
        finding("a hash of %zu bytes is not that of the reference", job->len);
    count_bytes(t, job->len);
}

static void copy_ended(struct doca_dma_task_memcpy *task, union doca_data data, union doca_data ctx)
{
    struct job *job = data.ptr;
    struct lane *l = job->lane;
    doca_error_t rc = doca_task_get_status(doca_dma_task_memcpy_as_task(task));

    (void)ctx;
    count_end(&l->tally[COPY], rc, &l->has_failed[DMA]);
    if (rc == DOCA_SUCCESS)
        check_copy(job, &l->tally[COPY]);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    drop_bufs(job);
}

static void hash_ended(struct doca_sha_task_hash *task, union doca_data data, union doca_data ctx)
{
    struct job *job = data.ptr;
    struct lane *l = job->lane;
    doca_error_t rc = doca_task_get_status(doca_sha_task_hash_as_task(task));

    (void)ctx;
    count_end(&l->tally[HASH], rc, &l->has_failed[SHA]);
    if (rc == DOCA_SUCCESS)
        check_digest(job, &l->tally[HASH]);
    doca_task_free(doca_sha_task_hash_as_task(task));
    drop_bufs(job);
}

static void batch_ended(struct doca_task_batch *batch, uint16_t num, union doca_data data,
                        union doca_data ctx)
{
    struct lane *l = data.ptr;
    uint16_t i;

    (void)ctx;
    MUST_BE(batch == l->batch && num == BATCHED);
    for (i = 0; i < num; i++) {
        struct doca_task *task = doca_core_task_batch_get_task(batch, i);
        struct job *job = doca_task_get_user_data(task).ptr;
        doca_error_t rc = doca_task_get_status(task);

        count_end(&l->tally[BATCH], rc, &l->has_failed[DMA]);
        if (rc == DOCA_SUCCESS)
            check_copy(job, &l->tally[BATCH]);
        drop_bufs(job);
    }
    doca_task_batch_free(batch);
    l->batch = NULL;
}

/* ---- submission */

static void begin_copy(struct lane *l, struct job *job)
{
    struct doca_dma_task_memcpy *task;
    union doca_data data = { job };

    take_copy(l, job);
    MUST(doca_dma_task_memcpy_alloc_init(l->dma, job->src, job->dst, data, &task));
    count_begin(&l->tally[COPY]);
    if (doca_task_submit_ex(doca_dma_task_memcpy_as_task(task),
                            between(&l->seed, 0, 3) == 0 ? 0u : DOCA_TASK_SUBMIT_FLAG_FLUSH) !=
        DOCA_SUCCESS) {
        count_no_begin(&l->tally[COPY]);
        doca_task_free(doca_dma_task_memcpy_as_task(task));
        drop_bufs(job);
    }
}

static void begin_hash(struct lane *l, struct job *job)
{
    struct doca_sha_task_hash *task;
    union doca_data data = { job };

    take_hash(l, job);
    MUST(doca_sha_task_hash_alloc_init(l->sha, (enum doca_sha_algorithm)job->algorithm, job->src,
                                       job->dst, data, &task));
    count_begin(&l->tally[HASH]);
    if (doca_task_submit(doca_sha_task_hash_as_task(task)) != DOCA_SUCCESS) {
        count_no_begin(&l->tally[HASH]);
        doca_task_free(doca_sha_task_hash_as_task(task));
        drop_bufs(job);
    }
}

static void begin_batch(struct lane *l, struct job *jobs)
{
    union doca_data data = { l };
    uint32_t i;

    MUST(doca_core_task_batch_alloc_init(l->ctx[DMA], data, &l->batch));
    for (i = 0; i < BATCHED; i++) {
        union doca_data job = { &jobs[i] };
        struct doca_dma_task_memcpy *task;

        take_copy(l, &jobs[i]);
        MUST(doca_dma_task_memcpy_alloc_init(l->dma, jobs[i].src, jobs[i].dst, job, &task));
        MUST(doca_core_task_batch_add(l->batch, doca_dma_task_memcpy_as_task(task)));
        count_begin(&l->tally[BATCH]);
    }
    if (doca_task_batch_submit(l->batch) == DOCA_SUCCESS)
        return;
    for (i = 0; i < BATCHED; i++) {
        count_no_begin(&l->tally[BATCH]);
        drop_bufs(&jobs[i]);
    }
    doca_task_batch_free(l->batch);
    l->batch = NULL;
}

/* ---- the event: one task adds, one waits for the sum, and they complete in any order */

static void event_task_ended(struct lane *l, struct doca_task *task)
{
    doca_error_t rc = doca_task_get_status(task);

    count_end(&l->tally[EVENT], rc, &l->has_failed[WAIT]);
    doca_task_free(task);
    l->num_event_tasks--;
    l->num_out--;
}

static void added(struct doca_sync_event_task_notify_add *task, union doca_data data,
                  union doca_data ctx)
{
    struct lane *l = data.ptr;
    struct doca_task *t = doca_sync_event_task_notify_add_as_doca_task(task);

    (void)ctx;
    l->is_adding = false;
    if (doca_task_get_status(t) == DOCA_SUCCESS) {
        MUST_BE(l->fetched == l->value);
        l->value++;
        count_bytes(&l->tally[EVENT], sizeof(l->fetched));
    }
    event_task_ended(l, t);
}

static void awaited(struct doca_sync_event_task_wait_gt *task, union doca_data data,
                    union doca_data ctx)
{
    (void)ctx;
    event_task_ended(data.ptr, doca_sync_event_task_wait_gt_as_doca_task(task));
}

static bool begin_event_task(struct lane *l, struct doca_task *task)
{
    l->num_event_tasks++;
    l->num_out++;
    count_begin(&l->tally[EVENT]);
    if (doca_task_submit(task) == DOCA_SUCCESS)
        return true;
    count_no_begin(&l->tally[EVENT]);
    doca_task_free(task);
    l->num_event_tasks--;
    l->num_out--;
    return false;
}

static void begin_event(struct lane *l)
{
    struct doca_sync_event_task_notify_add *add;
    struct doca_sync_event_task_wait_gt *wait;
    union doca_data data = { l };

    /* wait for a value that is reached already, or for a value that may never be reached */
    if (between(&l->seed, 0, 1) == 0) {
        MUST(doca_sync_event_task_wait_gt_alloc_init(
            l->event, l->value == 0 || between(&l->seed, 0, 9) == 0 ? l->value : l->value - 1,
            UINT64_MAX, data, &wait));
        (void)begin_event_task(l, doca_sync_event_task_wait_gt_as_doca_task(wait));
    }
    if (l->is_adding)
        return;
    MUST(doca_sync_event_task_notify_add_alloc_init(l->event, 1, &l->fetched, data, &add));
    l->is_adding = begin_event_task(l, doca_sync_event_task_notify_add_as_doca_task(add));
}

/* ---- the graph: a copy, a function that compares, a hash of the copy */

static doca_error_t compare(void *cookie)
{
    struct job *job = cookie;

    if (memcmp(job->to, job->want, job->len) != 0)
        finding("a copy of %zu bytes in a graph is not equal", job->len);
    return DOCA_SUCCESS;
}

static void run_again(struct lane *l)
{
    count_begin(&l->tally[GRAPH]);
    if (doca_graph_instance_submit(l->run) == DOCA_SUCCESS) {
        l->graph_runs = true;
        return;
    }
    count_no_begin(&l->tally[GRAPH]);
    l->graph_ends = true;
}

static void run_ended(struct doca_graph_instance *run, union doca_data data, union doca_data unused)
{
    struct lane *l = data.ptr;
    struct job *job = &l->jobs[JOBS - 1];
    bool ignored = false;

    (void)run, (void)unused;
    l->graph_runs = false;
    count_end(&l->tally[GRAPH], DOCA_SUCCESS, &ignored);
    check_digest(job, &l->tally[GRAPH]);
    count_bytes(&l->tally[GRAPH], job->len); /* by compare() */
    if (l->num_runs-- == 0 || l->is_over) {
        l->graph_ends = true;
        return;
    }
    memset(job->to, CALM, job->len);
    MUST(doca_buf_reset_data_len(job->dst));
    MUST(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(l->graph_copy)));
    run_again(l);
}

static void run_failed(struct doca_graph_instance *run, union doca_data data,
                       union doca_data unused)
{
    struct lane *l = data.ptr;
    bool is_flush = l->has_failed[DMA] || l->has_failed[SHA];
    doca_error_t rc = doca_task_get_status(doca_dma_task_memcpy_as_task(l->graph_copy));

    (void)run, (void)unused;
    if (rc == DOCA_SUCCESS)
        rc = doca_task_get_status(doca_sha_task_hash_as_task(l->graph_hash));
    count_end(&l->tally[GRAPH], rc != DOCA_SUCCESS ? rc : DOCA_ERROR_IO_FAILED, &is_flush);
    l->graph_runs = false;
    l->graph_ends = true;
}

/* The copy writes through one buffer, `to`; the hash reads the same memory through another buffer,
 * whose data is the whole length. */
static void open_graph(struct lane *l)
{
    struct job *job = &l->jobs[JOBS - 1];
    union doca_data data = { job }, lane = { l };
    struct doca_graph_node *copy, *check, *hash;
    struct doca_buf *to, *text;

    take_hash(l, job);
    text = job->src;
    MUST(doca_buf_inventory_buf_get_by_addr(l->bufs, l->to_map, job->to, job->len, &to));
    MUST(doca_buf_inventory_buf_get_by_data(l->bufs, l->to_map, job->to, job->len, &job->src));
    MUST(doca_dma_task_memcpy_alloc_init(l->dma, text, to, data, &l->graph_copy));
    MUST(doca_sha_task_hash_alloc_init(l->sha, (enum doca_sha_algorithm)job->algorithm, job->src,
                                       job->dst, data, &l->graph_hash));
    MUST(doca_graph_create(l->pe, &l->graph));
    MUST(doca_graph_set_conf(l->graph, run_ended, run_failed, 1));
    MUST(doca_graph_node_create_from_ctx(l->graph, l->ctx[DMA], &copy));
    MUST(doca_graph_node_create_from_user(l->graph, compare, &check));
    MUST(doca_graph_node_create_from_ctx(l->graph, l->ctx[SHA], &hash));
    MUST(doca_graph_add_dependency(l->graph, copy, check));
    MUST(doca_graph_add_dependency(l->graph, check, hash));
    MUST(doca_graph_start(l->graph));
    MUST(doca_graph_instance_create(l->graph, &l->run));
    MUST(doca_graph_instance_set_ctx_node_data(l->run, copy,
                                               doca_dma_task_memcpy_as_task(l->graph_copy)));
    MUST(doca_graph_instance_set_user_node_data(l->run, check, job));
    MUST(doca_graph_instance_set_ctx_node_data(l->run, hash,
                                               doca_sha_task_hash_as_task(l->graph_hash)));
    MUST(doca_graph_instance_set_user_data(l->run, lane));
    l->graph_ends = false;
    l->num_runs = between(&l->seed, 0, 20);
    run_again(l);
}

static void close_graph(struct lane *l)
{
    struct doca_dma_task_memcpy *copy = l->graph_copy;
    struct doca_buf *to = doca_dma_task_memcpy_get_dst(copy), *text;

    text = (struct doca_buf *)(uintptr_t)doca_dma_task_memcpy_get_src(copy);
    MUST(doca_graph_instance_destroy(l->run));
    MUST(doca_graph_stop(l->graph));
    MUST(doca_graph_destroy(l->graph));
    doca_task_free(doca_dma_task_memcpy_as_task(copy));
    doca_task_free(doca_sha_task_hash_as_task(l->graph_hash));
    MUST(doca_buf_dec_refcount(text, NULL));
    MUST(doca_buf_dec_refcount(to, NULL));
    drop_bufs(&l->jobs[JOBS - 1]);
    l->graph = NULL;
}

/* ---- a lane: open, work, close */

static struct doca_mmap *map_of(struct lane *l, void *at, size_t len, uint32_t access)
{
    struct doca_mmap *mmap;

    MUST(doca_mmap_create(&mmap));
    MUST(doca_mmap_set_memrange(mmap, at, len));
    MUST(doca_mmap_add_dev(mmap, l->dev));
    MUST(doca_mmap_set_permissions(mmap, access));
    if (!start_mmap(mmap))
        l->is_over = true;
    return mmap;
}

static void open_engines(struct lane *l)
{
    int i;

    MUST(doca_pe_create(&l->pe));
    MUST(doca_dma_create(l->dev, &l->dma));
    MUST(doca_dma_task_memcpy_set_conf(l->dma, copy_ended, copy_ended, TASKS));
    MUST(doca_sha_create(l->dev, &l->sha));
    MUST(doca_sha_task_hash_set_conf(l->sha, hash_ended, hash_ended, 3));
    MUST(doca_sync_event_create(&l->event));
    MUST(doca_sync_event_add_publisher_location_cpu(l->event, l->dev));
    MUST(doca_sync_event_add_subscriber_location_cpu(l->event, l->dev));
    MUST(doca_sync_event_task_notify_add_set_conf(l->event, added, added, 4));
    MUST(doca_sync_event_task_wait_gt_set_conf(l->event, awaited, awaited, 4));
    l->ctx[DMA] = doca_dma_as_ctx(l->dma);
    l->ctx[SHA] = doca_sha_as_ctx(l->sha);
    l->ctx[WAIT] = doca_sync_event_as_ctx(l->event);
    MUST(doca_core_ctx_set_task_batch_conf(l->ctx[DMA], DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                           batch_ended, batch_ended));
    for (i = 0; i < CTXS; i++)
        MUST(doca_pe_connect_ctx(l->pe, l->ctx[i]));
}

static bool open_lane(struct lane *l)
{
    uint32_t i;

    l->is_over = false;
    l->num_out = l->num_event_tasks = 0;
    l->value = 0;
    l->is_adding = false;
    l->graph = NULL;
    l->batch = NULL;
    l->dev = NULL;
    if (!open_dev(l->device, &l->dev))
        return false;
    for (i = 0; i < FROM; i++)
        l->from[i] = (unsigned char)chance(&l->seed);
    for (i = 0; i < JOBS; i++) {
        l->jobs[i].lane = l;
        l->jobs[i].is_busy = false;
        l->jobs[i].to = l->to[i];
    }
    l->from_map = map_of(l, l->from, FROM, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    l->to_map = map_of(l, l->to, sizeof(l->to), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    l->digest_map = map_of(l, l->digests, sizeof(l->digests), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    MUST(doca_buf_inventory_create(16 * JOBS, &l->bufs));
    MUST(doca_buf_inventory_start(l->bufs));
    MUST(doca_buf_pool_create(JOBS, 64, l->digest_map, &l->pool));
    if (!l->is_over)
        MUST(doca_buf_pool_start(l->pool));
    open_engines(l);
    return true;
}

static void close_lane(struct lane *l)
{
    uint32_t num;

    MUST(doca_sync_event_destroy(l->event));
    MUST(doca_sha_destroy(l->sha));
    MUST(doca_dma_destroy(l->dma));
    MUST(doca_pe_destroy(l->pe));
    MUST(doca_buf_inventory_get_num_free_elements(l->bufs, &num));
    MUST_BE(num == 16 * JOBS);
    MUST(doca_buf_pool_destroy(l->pool));
    MUST(doca_buf_inventory_destroy(l->bufs));
    MUST(doca_mmap_destroy(l->from_map));
    MUST(doca_mmap_destroy(l->to_map));
    MUST(doca_mmap_destroy(l->digest_map));
    MUST(doca_dev_close(l->dev));
}

/* Begin a randomly chosen piece of work, if the job and the context that it needs are free. */
static void begin_something(struct lane *l)
{
    bool has_dma = state_of(l->ctx[DMA]) == DOCA_CTX_STATE_RUNNING;
    bool has_sha = state_of(l->ctx[SHA]) == DOCA_CTX_STATE_RUNNING;
    bool has_event = state_of(l->ctx[WAIT]) == DOCA_CTX_STATE_RUNNING;
    uint32_t at = between(&l->seed, 0, JOBS + 1);
    struct job *job = &l->jobs[at < JOBS ? at : 0];

    if (at < COPIES && has_dma && !job->is_busy)
        begin_copy(l, job);
    else if (at >= COPIES && at < COPIES + HASHES && has_sha && !job->is_busy)
        begin_hash(l, job);
    else if (at == COPIES + HASHES && has_dma && l->batch == NULL)
        begin_batch(l, job);
    else if (at == JOBS - 1 && has_dma && has_sha && l->graph == NULL)
        open_graph(l);
    else if (at >= JOBS && has_event && l->num_event_tasks < 3)
        begin_event(l);
    if (at == 0)
        doca_ctx_flush_tasks(l->ctx[DMA]);
}

/* Start contexts again that a fault has stopped. Destroy a graph that is to end and is not
 * running. */
static void keep_running(struct lane *l)
{
    int i;

    for (i = 0; i < CTXS; i++) {
        enum doca_ctx_states state = state_of(l->ctx[i]);

        if (state == DOCA_CTX_STATE_STOPPING && i != WAIT)
            l->graph_ends = true;
        if (state != DOCA_CTX_STATE_IDLE || l->is_over || (i == SHA && table->backend_is_mlx5))
            continue; /* such devices have no hash engine */
        if (i == WAIT)
            l->value = 0; /* the initial value of an event */
        if (!start_ctx(l->ctx[i], &l->has_failed[i]))
            l->is_over = true;
    }
    if (l->graph != NULL && l->graph_ends && !l->graph_runs)
        close_graph(l);
}

/* Stop all contexts and wait until every task is back. Randomly, stop at once or let the tasks
 * finish. */
static void wind_up(struct lane *l)
{
    double end = seconds() + PATIENCE_S;
    bool is_patient = between(&l->seed, 0, 1) == 0, is_idle = false;
    double ready = seconds() + 0.02;
    int i;

    l->is_over = true;
    l->graph_ends = true;
    doca_ctx_flush_tasks(l->ctx[DMA]);
    while (!is_idle) {
        for (i = 0; i < 64 && doca_pe_progress(l->pe); i++)
            continue;
        keep_running(l);
        if (is_patient && l->num_out > l->num_event_tasks && seconds() < ready)
            continue; /* until `ready`: a wait task may wait for a value that is never reached */
        is_idle = l->graph == NULL;
        for (i = 0; i < CTXS; i++) {
            (void)doca_ctx_stop(l->ctx[i]);
            is_idle = is_idle && state_of(l->ctx[i]) == DOCA_CTX_STATE_IDLE;
        }
        if (seconds() > end)
            finding("%u tasks did not come back (graph %d, contexts %d %d %d)", l->num_out,
                    l->graph != NULL, (int)state_of(l->ctx[0]), (int)state_of(l->ctx[1]),
                    (int)state_of(l->ctx[2]));
        if (!is_idle)
            sched_yield();
    }
    MUST_BE(l->num_out == 0);
    for (i = 0; i < KINDS; i++) {
        const struct tally *t = &l->tally[i];

        if (t->submitted != t->completed + t->failed + t->flushed)
            finding("%s: %llu submitted, %llu came back", kind_names[i],
                    (unsigned long long)t->submitted,
                    (unsigned long long)(t->completed + t->failed + t->flushed));
    }
}

static void *work(void *data)
{
    struct lane *l = data;
    uint32_t i;

    if (!open_lane(l)) {
        __atomic_fetch_add(&my->refused, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    while (!l->is_over && seconds() < l->end && !is_stopping()) {
        keep_running(l);
        for (i = between(&l->seed, 1, 12); i > 0 && !l->is_over; i--)
            begin_something(l);
        for (i = between(&l->seed, 1, 40); i > 0; i--)
            (void)doca_pe_progress(l->pe);
        if (between(&l->seed, 0, 3) == 0)
            sched_yield(); /* let the worker run */
    }
    wind_up(l);
    close_lane(l);
    return NULL;
}

static void *serve(void *worker)
{
    MUST(doca_core_sw_worker_run(worker));
    return NULL;
}

/* Run one generation: start the worker of the device, run the lanes side by side, end
 * everything. */
static void local_generation(uint64_t *seed)
{
    double end = seconds() + between(seed, 50, 500) / 1e3;
    struct doca_core_sw_worker *worker = NULL;
    pthread_t threads[LANES], server;
    struct doca_dev *dev = NULL;
    uint32_t i;

    choose_faults(seed);
    if (between(seed, 0, 2) > 0 && open_dev(0, &dev)) {
        if (doca_core_sw_worker_create(dev, &worker) == DOCA_SUCCESS) {
            MUST(doca_core_sw_worker_set_max_idle_turns(worker, between(seed, 0, 2000)));
            MUST_BE(pthread_create(&server, NULL, serve, worker) == 0);
        }
    }
    for (i = 0; i < LANES; i++) {
        lanes[i].tally = my->tally[i];
        lanes[i].seed = chance(seed);
        lanes[i].device = i / 2;
        lanes[i].end = end;
        MUST_BE(pthread_create(&threads[i], NULL, work, &lanes[i]) == 0);
    }
    for (i = 0; i < LANES; i++)
        MUST_BE(pthread_join(threads[i], NULL) == 0);
    if (worker != NULL) {
        MUST(doca_core_sw_worker_stop(worker));
        MUST_BE(pthread_join(server, NULL) == 0);
        MUST(doca_core_sw_worker_destroy(worker));
    }
    if (dev != NULL)
        MUST(doca_dev_close(dev));
    check_levels();
}

static void local_process(uint64_t seed)
{
    ref_init();
    while (!is_stopping())
        local_generation(&seed);
}

#endif

/* Injected faults: tasks that share a doorbell, batches, and queues that are full. */
#include "fault_support.h"

/* Tasks share a doorbell, and a fault keeps one of them from the device. All tasks end. */
static void tasks_that_share_a_doorbell_end(void)
{
    struct doca_dma_task_memcpy *tasks[NUM];
    struct rig r;
    unsigned i, k;

    for (k = 1; k <= NUM; k++) {
        fault_open(&r, "dma.complete=delay:3@4");
        for (i = 0; i < NUM; i++) {
            tasks[i] = rig_prepare(&r, r.dma, (size_t)i * 64, 64);
            CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(tasks[i]),
                                         i + 1 == k ? DOCA_TASK_SUBMIT_FLAG_FLUSH
                                                    : DOCA_TASK_SUBMIT_FLAG_NONE));
        }
        doca_ctx_flush_tasks(r.ctx);
        fault_wait(&r, NUM);
        CHECK_EQ(r.num_ok, NUM);
        fault_close(&r);

        fault_open(&r, "dma.complete=fail@3,dma.submit=again@2");
        for (i = 0; i < NUM; i++) {
            tasks[i] = rig_prepare(&r, r.dma, (size_t)i * 64, 64);
            CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(tasks[i]),
                                         DOCA_TASK_SUBMIT_FLAG_NONE));
        }
        doca_ctx_flush_tasks(r.ctx);
        fault_wait(&r, NUM);
        CHECK(r.num_failed >= 1);
        fault_close(&r);
    }
}

/* When a fault refuses a task that is submitted without FLUSH, either submit returns the error or
 * the task fails later. */
static void refusal_of_a_deferred_task_is_reported(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct rig r;
    unsigned i, num_refused = 0;

    fault_open(&r, "dma.submit=fail:FULL@2");
    fault_submit(&r, 1); /* makes the context active */
    for (i = 0; i < 2; i++) {
        tasks[i] = rig_prepare(&r, r.dma, 1024 + i * 64, 64);
        if (doca_task_submit_ex(doca_dma_task_memcpy_as_task(tasks[i]),
                                DOCA_TASK_SUBMIT_FLAG_NONE) == DOCA_ERROR_FULL) {
            num_refused++;
            rig_release(tasks[i]);
        }
    }
    doca_ctx_flush_tasks(r.ctx);
    fault_wait(&r, 3 - num_refused);
    CHECK_EQ(num_refused + r.num_failed >= 1, 1);
    CHECK(num_refused <= 1);
    fault_close(&r);
}

#define RINGING "0000:8c:00.0"

static uint32_t ringing_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    static const struct doca_core_dev_attr attr = {
        .pci_addr = RINGING, .ibdev_name = "ringing_0",
        .limits = { .dma_max_buf_size = 4096, .dma_max_buf_list_len = 4, .dma_max_num_tasks = 64,
                    .has_dma = 1 } };

    if (max > 0)
        attrs[0] = attr;
    return 1;
}

static unsigned num_rings;

static void ringing_ring(struct doca_core_queue *queue)
{
    (void)queue;
    num_rings++;
}

static doca_error_t (*full_post)(struct doca_core_queue *queue, struct doca_task *task);
static unsigned full_times; /* number of posts for which the queue still reports that it is full */

static doca_error_t post_if_not_full(struct doca_core_queue *queue, struct doca_task *task)
{
    if (full_times > 0) {
        full_times--;
        return DOCA_ERROR_AGAIN;
    }
    return full_post(queue, task);
}

static doca_error_t full_open(struct doca_core_queue *queue, enum doca_core_engine engine,
                              uint32_t depth)
{
    doca_error_t rc = doca_core_sw_backend()->queue_open(queue, engine, depth);

    full_post = queue->post;
    queue->post = post_if_not_full;
    return rc;
}

/* When the queue of the device is full, the task keeps the fault that was chosen for it until it is
 * submitted again, unless another text is set meanwhile. */
static void fault_stays_with_a_task_that_finds_the_queue_full(void)
{
    struct doca_core_backend full = *doca_core_sw_backend();
    struct doca_dma_task_memcpy *task;
    struct rig r;

    full.name = "full";
    full.enumerate = ringing_enumerate;
    full.queue_open = full_open;
    CHECK_OK(doca_core_backend_register(&full));
    CHECK_OK(doca_core_fault_set("dma.submit=truncate:8@1,dma.submit=fail:FULL@2,"
                                 "dma.complete=flip:1@2"));
    rig_build(&r, RINGING, 4);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    memset(&ended, 0, sizeof(ended));
    r.on_task = note_end;
    r.frees_tasks = true;
    task = rig_prepare(&r, r.dma, 0, 64);
    full_times = 3;
    while (full_times > 0)
        CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    CHECK_EQ(doca_core_fault_get_num(), 0); /* nothing has been truncated */
    CHECK_OK(rig_submit(task));
    CHECK_EQ(doca_core_fault_get_num(), 1);
    fault_wait(&r, 1);
    CHECK_EQ(ended.len[0], 8);
    task = rig_prepare(&r, r.dma, 64, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_FULL);
    full_times = 1;
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 2);
    CHECK_EQ(count_bits(rig_to + 64, rig_from + 64, 64), 1);
    CHECK_OK(doca_core_fault_set("dma.complete=flip:1"));
    task = rig_prepare(&r, r.dma, 128, 64);
    full_times = 1;
    CHECK_RC(rig_submit(task), DOCA_ERROR_AGAIN);
    CHECK_OK(doca_core_fault_set(""));
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 3);
    CHECK_MEM(rig_to + 128, rig_from + 128, 64);
    fault_close(&r);
    CHECK_OK(doca_core_backend_unregister("full"));
}

/* As refusal_of_a_deferred_task_is_reported, for a backend with queue_ring, whose queue accepts
 * tasks without ringing the doorbell. */
static void refusal_by_a_queue_with_doorbell_is_reported(void)
{
    struct doca_core_backend ringing = *doca_core_sw_backend();
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    ringing.name = "ringing";
    ringing.enumerate = ringing_enumerate;
    ringing.queue_ring = ringing_ring;
    CHECK_OK(doca_core_backend_register(&ringing));
    CHECK_OK(doca_core_fault_set("dma.submit=fail:FULL@2,dma.submit=fail:EMPTY@3"));
    rig_build(&r, RINGING, 4);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    memset(&ended, 0, sizeof(ended));
    r.on_task = note_end;
    r.frees_tasks = true;
    fault_submit(&r, 1);
    task = rig_prepare(&r, r.dma, 1024, 64);
    CHECK_RC(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE),
             DOCA_ERROR_FULL);
    fault_wait(&r, 1);
    while (rig_progress(&r)) /* until the context leaves the ring of its progress engine */
        continue;
    CHECK_RC(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE),
             DOCA_ERROR_EMPTY);
    CHECK_OK(rig_submit(task));
    fault_wait(&r, 2);
    CHECK_EQ(r.num_ok, 2);

    /* the queue refuses the second task, which then waits in its context; a flush posts both */
    CHECK_OK(doca_core_fault_set("dma.submit=again@2"));
    num_rings = 0;
    for (i = 0; i < 2; i++) {
        task = rig_prepare(&r, r.dma, 2048 + 64 * i, 64);
        CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task),
                                     DOCA_TASK_SUBMIT_FLAG_NONE));
        CHECK_EQ(rig_inflight(r.ctx), i + 1);
        CHECK_EQ(num_rings, i); /* refusing the second task rings the doorbell for the first */
    }
    doca_ctx_flush_tasks(r.ctx);
    fault_wait(&r, 4);
    CHECK_EQ(r.num_ok, 4);

    /* a task that is submitted while the handle is armed also waits in its context */
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_core_fault_set("dma.submit=fail@1"));
    task = rig_prepare(&r, r.dma, 1024, 64);
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE));
    CHECK_EQ(doca_core_fault_get_num(), 0); /* the task was not posted to the queue */
    CHECK_OK(doca_core_fault_set(""));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    doca_ctx_flush_tasks(r.ctx);
    fault_wait(&r, 5);
    CHECK_EQ(r.num_ok, 5);
    fault_close(&r);
    CHECK_OK(doca_core_backend_unregister("ringing"));
}

static unsigned batches_ok;
static doca_error_t batch_status;

static void batch_done(struct doca_task_batch *batch, uint16_t num_tasks, union doca_data data,
                       union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK_EQ(num_tasks, 3);
    batch_status = doca_task_batch_get_status(batch);
    batches_ok += batch_status == DOCA_SUCCESS;
}

/* A queue that accepts tasks without a doorbell refuses one task of a batch. The task still counts
 * as in flight, and the batch ends with the error of that task. */
static void batch_ends_with_the_error_of_a_refused_task(void)
{
    struct doca_core_backend ringing = *doca_core_sw_backend();
    struct doca_dma_task_memcpy *tasks[3];
    struct doca_task_batch *batch;
    struct rig r;
    unsigned i, k;

    ringing.name = "ringing";
    ringing.enumerate = ringing_enumerate;
    ringing.queue_ring = ringing_ring;
    CHECK_OK(doca_core_backend_register(&ringing));
    CHECK_OK(doca_core_fault_set(""));
    rig_build(&r, RINGING, 4);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                               batch_done, batch_done));
    for (k = 0; k < 2; k++) {
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
        CHECK_OK(doca_core_fault_set(k == 0 ? "" : "dma.submit=fail:FULL@2"));
        batches_ok = 0;
        batch_status = DOCA_ERROR_UNKNOWN;
        CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, (union doca_data){ 0 }, &batch));
        for (i = 0; i < 3; i++) {
            tasks[i] = rig_prepare(&r, r.dma, 64 * i, 64);
            CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(tasks[i])));
        }
        CHECK_OK(doca_task_batch_submit(batch));
        CHECK_EQ(rig_inflight(r.ctx), 3);
        while (batch_status == DOCA_ERROR_UNKNOWN)
            (void)rig_progress(&r);
        CHECK_EQ(rig_inflight(r.ctx), 0);
        CHECK_RC(batch_status, k == 0 ? DOCA_SUCCESS : DOCA_ERROR_FULL);
        CHECK_EQ(batches_ok, 1 - k);
        CHECK_EQ(rig_data_len(doca_dma_task_memcpy_get_dst(tasks[1])), k == 0 ? 64 : 0);
        for (i = 0; i < 3; i++) {
            CHECK_OK(doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(tasks[i]), NULL));
            CHECK_OK(doca_buf_dec_refcount(
                (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(tasks[i]), NULL));
        }
        doca_task_batch_free(batch);
        rig_stop(&r, r.ctx);
    }
    fault_close(&r);
    CHECK_OK(doca_core_backend_unregister("ringing"));
}

static const struct test_case cases[] = {
    CASE(tasks_that_share_a_doorbell_end, ""),
    CASE(refusal_of_a_deferred_task_is_reported, ""),
    CASE(fault_stays_with_a_task_that_finds_the_queue_full, ""),
    CASE(refusal_by_a_queue_with_doorbell_is_reported, ""),
    CASE(batch_ends_with_the_error_of_a_refused_task, ""),
};

TEST_MAIN(cases)

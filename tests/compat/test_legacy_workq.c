/* Programs of DOCA 1.3: contexts, work queues and their event handles. */
#include "legacy_support.h"

/* ---- contexts and work queues ---- */

static void devices_come_before_start_and_queues_after(void)
{
    struct doca_dev *dev = rig_open_dev("0000:03:00.0"), *other = rig_open_dev("0000:03:00.1");
    struct doca_workq *workq;
    struct doca_dma *dma;
    struct doca_ctx *ctx;

    CHECK_OK(doca_workq_create(4, &workq));
    CHECK_OK(doca_dma_create(&dma));
    ctx = doca_dma_as_ctx(dma);
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_INVALID_VALUE); /* no device */
    CHECK_RC(doca_ctx_dev_rm(ctx, dev), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_ctx_dev_add(ctx, dev));
    CHECK_RC(doca_ctx_dev_add(ctx, dev), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_ctx_dev_add(ctx, other), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_ctx_dev_rm(ctx, other), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_ctx_workq_add(ctx, workq), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_workq_rm(ctx, workq), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_ctx_start(ctx)); /* without a queue */
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_dev_add(ctx, other), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_dev_rm(ctx, dev), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_ctx_workq_rm(ctx, workq), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_ctx_workq_add(ctx, workq));
    CHECK_RC(doca_ctx_workq_add(ctx, workq), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_workq_rm(ctx, workq));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_dev_rm(ctx, dev));
    CHECK_OK(doca_ctx_dev_add(ctx, other)); /* another device after the first */
    CHECK_OK(doca_ctx_start(ctx));
    end_ctx(ctx, other, dma);
    CHECK_OK(doca_workq_destroy(workq));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(other));
}

static void device_without_an_engine_is_refused(void)
{
    struct doca_dev *dev;
    struct doca_dma *dma;
    uint32_t caps = 9;

    held_begin();
    dev = rig_open_dev(HELD_NO_DMA);
    CHECK_OK(doca_dma_devinfo_caps_get(doca_dev_as_devinfo(dev), &caps));
    CHECK_EQ(caps, DOCA_DMA_CAP_NONE);
    CHECK_RC(doca_dma_job_get_supported(doca_dev_as_devinfo(dev), DOCA_DMA_JOB_MEMCPY),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_dma_create(&dma));
    CHECK_RC(doca_ctx_dev_add(doca_dma_as_ctx(dma), dev), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_dev_close(dev));
    dev = rig_open_dev(HELD_DMA);
    CHECK_OK(doca_dma_devinfo_caps_get(doca_dev_as_devinfo(dev), &caps));
    CHECK_EQ(caps, DOCA_DMA_CAP_HW_OFFLOAD);
    CHECK_OK(doca_dev_close(dev));
    held_end();
}

static void stop_waits_for_queues_and_destroy_for_devices(void)
{
    struct kit k;

    kit_open(&k);
    CHECK_RC(doca_ctx_stop(k.ctx), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_dma_destroy(k.dma), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    CHECK_RC(doca_dma_destroy(k.dma), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_stop(k.ctx));
    CHECK_RC(doca_dma_destroy(k.dma), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_ctx_start(k.ctx));
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    CHECK_OK(copy_block(&k, k.ctx, 0)); /* the context works as before */
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, LEN);
    kit_close(&k);
}

static void queue_with_jobs_cannot_be_detached(void)
{
    struct kit k;

    kit_open(&k);
    CHECK_OK(copy_block(&k, k.ctx, 0));
    CHECK_RC(doca_ctx_workq_rm(k.ctx, k.workq), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(retrieve_result(k.workq));
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    kit_close(&k);
}

static void one_queue_serves_several_contexts(void)
{
    struct doca_dev *other_dev = rig_open_dev("0000:03:00.1");
    struct doca_ctx *ctxs[3];
    struct doca_dma *dmas[3];
    struct doca_event ev;
    unsigned i, seen = 0;
    struct kit k;

    kit_open_on(&k, "0000:03:00.0", 16);
    CHECK_OK(doca_mmap_dev_rm(k.mmap, k.dev));
    CHECK_OK(doca_mmap_dev_add(k.mmap, other_dev)); /* max_num_devices is 1 */
    for (i = 0; i < 3; i++) {
        ctxs[i] = make_ctx(other_dev, &dmas[i]);
        CHECK_OK(doca_ctx_workq_add(ctxs[i], k.workq));
    }
    for (i = 0; i < 12; i++)
        CHECK_OK(copy_block(&k, ctxs[i % 3], i));
    for (i = 0; i < 12; i++) {
        CHECK_OK(retrieve(k.workq, &ev));
        seen |= 1u << ev.user_data.u64;
    }
    CHECK_EQ(seen, 0xfff);
    CHECK_MEM(to, from, 12 * LEN);
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_ctx_workq_rm(ctxs[i], k.workq));
        end_ctx(ctxs[i], other_dev, dmas[i]);
    }
    CHECK_OK(doca_mmap_dev_rm(k.mmap, other_dev));
    CHECK_OK(doca_mmap_dev_add(k.mmap, k.dev));
    CHECK_OK(doca_dev_close(other_dev));
    kit_close(&k);
}

static void submit_needs_an_attached_queue(void)
{
    struct doca_ctx *other;
    struct doca_dma *dma;
    struct kit k;

    kit_open(&k);
    other = make_ctx(k.dev, &dma);
    CHECK_RC(copy_block(&k, other, 0), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_ctx_stop(other));
    CHECK_RC(copy_block(&k, other, 0), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_ctx_start(other));
    end_ctx(other, k.dev, dma);
    CHECK_RC(copy_block(&k, NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(mmap_number(k.mmap, DOCA_MMAP_NUM_BUFS), 0); /* no buffer of the mmap is in use */
    kit_close(&k);
}

static void depth_limits_jobs_until_their_events_are_retrieved(void)
{
    struct doca_workq *none;
    unsigned i;
    struct kit k;

    CHECK_RC(doca_workq_create(0, &none), DOCA_ERROR_INVALID_VALUE);
    kit_open_on(&k, NULL, 3);
    for (i = 0; i < 3; i++)
        CHECK_OK(copy_block(&k, k.ctx, i));
    CHECK_RC(copy_block(&k, k.ctx, 3), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(retrieve_result(k.workq));
    CHECK_OK(copy_block(&k, k.ctx, 3));
    CHECK_RC(copy_block(&k, k.ctx, 4), DOCA_ERROR_NO_MEMORY);
    for (i = 0; i < 3; i++)
        CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, 4 * LEN);
    kit_close(&k);
}

/* If the depth exceeds the limit of the device, submit fails at that limit as at a full queue. */
static void queue_is_full_at_the_limit_of_the_device(void)
{
    unsigned num = 0;
    doca_error_t rc;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 100);
    held.budget = 0;
    while ((rc = copy_block(&k, k.ctx, num % 16)) == DOCA_SUCCESS && num < 100)
        num++;
    CHECK_RC(rc, DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(num, 64); /* the device's limit of tasks */
    held.budget = HELD_ALL;
    while (num-- > 0)
        CHECK_OK(retrieve_result(k.workq));
    kit_close(&k);
    held_end();
}

/* If the device's queue is full for a moment, the job does not fail: it is posted later. */
static void job_waits_for_room_in_the_queue(void)
{
    struct doca_event ev;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 4);
    held.full = true;
    CHECK_OK(copy_block(&k, k.ctx, 0));
    CHECK_OK(copy_block(&k, k.ctx, 1));
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    CHECK_RC(doca_ctx_workq_rm(k.ctx, k.workq), DOCA_ERROR_NOT_PERMITTED);
    held.full = false;
    CHECK_OK(retrieve_result(k.workq));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, 2 * LEN);
    kit_close(&k);
    held_end();
}

static void retrieve_returns_one_event_or_changes_nothing(void)
{
    struct doca_event ev, before;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 4);
    memset(&ev, 0x5a, sizeof(ev));
    before = ev;
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    held.budget = 0;
    CHECK_OK(copy_block(&k, k.ctx, 1));
    CHECK_OK(copy_block(&k, k.ctx, 2));
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    CHECK_MEM(&ev, &before, sizeof(ev));
    CHECK_RC(doca_workq_progress_retrieve(k.workq, NULL, 0), DOCA_ERROR_INVALID_VALUE);
    held.budget = HELD_ALL;
    CHECK_OK(doca_workq_progress_retrieve(k.workq, &ev, 0));
    CHECK_EQ(ev.type, DOCA_DMA_JOB_MEMCPY);
    CHECK_EQ(ev.result.u64, DOCA_SUCCESS);
    CHECK_EQ(ev.user_data.u64, 1);
    CHECK_OK(doca_workq_progress_retrieve(k.workq, &ev, 0));
    CHECK_EQ(ev.user_data.u64, 2);
    before = ev;
    CHECK_RC(doca_workq_progress_retrieve(k.workq, &ev, 0), DOCA_ERROR_AGAIN);
    CHECK_MEM(&ev, &before, sizeof(ev));
    kit_close(&k);
    held_end();
}

static void events_carry_the_user_data_in_any_order(void)
{
    struct doca_event ev;
    unsigned i;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 8);
    held.newest_first = true;
    for (i = 0; i < 8; i++)
        CHECK_OK(copy_block(&k, k.ctx, i));
    for (i = 0; i < 8; i++) {
        CHECK_OK(retrieve(k.workq, &ev));
        CHECK_EQ(ev.user_data.u64, 7 - i);
        /* the job of this event has written its block */
        CHECK_MEM(to + (7 - i) * LEN, from + (7 - i) * LEN, LEN);
    }
    kit_close(&k);
    held_end();
}

static void depth_is_set_only_while_detached(void)
{
    uint32_t depth = 2, room[2] = { 9, 9 };
    unsigned i;
    struct kit k;

    kit_open(&k);
    CHECK_RC(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_workq_property_get(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)));
    CHECK_EQ(depth, 8);
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq));
    depth = 2;
    CHECK_OK(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)));
    depth = 0;
    CHECK_OK(doca_workq_property_get(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)));
    CHECK_EQ(depth, 2);
    depth = 0;
    CHECK_RC(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, &depth, sizeof(depth)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, &depth, 2),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_property_set(k.workq, (enum doca_workq_property)1, &depth, sizeof(depth)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_property_get(k.workq, DOCA_WORKQ_DEPTH, &depth, 3),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_workq_property_get(k.workq, DOCA_WORKQ_DEPTH, room, sizeof(room)));
    CHECK(room[0] == 2 && room[1] == 0); /* the rest of the value is set to zero */
    CHECK_RC(doca_workq_property_set(k.workq, DOCA_WORKQ_DEPTH, room, sizeof(room)),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_workq_set_depth(k.workq, UINT32_MAX), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_workq_get_depth(k.workq, &depth));
    CHECK_EQ(depth, 2); /* unchanged */
    CHECK_OK(doca_ctx_workq_add(k.ctx, k.workq));
    for (i = 0; i < 2; i++)
        CHECK_OK(copy_block(&k, k.ctx, i));
    CHECK_RC(copy_block(&k, k.ctx, 2), DOCA_ERROR_NO_MEMORY);
    for (i = 0; i < 2; i++)
        CHECK_OK(retrieve_result(k.workq));
    kit_close(&k);
}

static void attached_queue_cannot_be_destroyed(void)
{
    struct kit k;

    kit_open(&k);
    CHECK_RC(doca_workq_destroy(k.workq), DOCA_ERROR_IN_USE);
    CHECK_OK(copy_block(&k, k.ctx, 0)); /* the queue still works */
    CHECK_OK(retrieve_result(k.workq));
    kit_close(&k);
}

/* ---- jobs ---- */

/* Attach the queue while the device needs several polls to open it, with this outcome. */
static doca_error_t add_to_slow_device(struct doca_ctx *ctx, struct doca_workq *workq,
                                       doca_error_t outcome)
{
    held.opening = DOCA_ERROR_IN_PROGRESS;
    held.opens_as = outcome;
    held.num_asks = 100;
    return doca_ctx_workq_add(ctx, workq);
}

static void attach_waits_for_a_slow_device(void)
{
    struct doca_workq *workq;
    struct kit k;

    held_begin();
    kit_open_on(&k, HELD_DMA, 4);
    CHECK_OK(doca_workq_create(1, &workq));
    held.opening = DOCA_ERROR_DRIVER;
    CHECK_RC(doca_ctx_workq_add(k.ctx, workq), DOCA_ERROR_DRIVER);
    CHECK_RC(doca_ctx_workq_rm(k.ctx, workq), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(add_to_slow_device(k.ctx, workq, DOCA_ERROR_DRIVER), DOCA_ERROR_INITIALIZATION);
    CHECK_OK(add_to_slow_device(k.ctx, workq, DOCA_SUCCESS));
    CHECK_OK(doca_ctx_workq_rm(k.ctx, workq));
    CHECK_OK(doca_workq_destroy(workq));
    kit_close(&k);
    held_end();
}

/* ---- event handles ---- */

static void armed_handle_wakes_a_sleeping_thread(void)
{
    struct doca_workq *workq;
    doca_event_handle_t fd = -2, same;
    uint8_t enabled = 9;
    struct kit k;

    kit_open(&k);
    CHECK_RC(doca_workq_get_event_handle(k.workq, &fd), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_workq_event_handle_arm(k.workq), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_workq_event_handle_clear(k.workq, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_workq_set_event_driven_enable(k.workq, 1), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_workq_get_event_driven_enable(k.workq, &enabled));
    CHECK_EQ(enabled, 0);
    CHECK_OK(doca_workq_create(4, &workq));
    CHECK_OK(doca_workq_set_event_driven_enable(workq, 1));
    CHECK_OK(doca_workq_set_event_driven_enable(workq, 1));
    CHECK_OK(doca_ctx_workq_add(k.ctx, workq));
    CHECK_OK(doca_workq_get_event_handle(workq, &fd));
    CHECK_OK(doca_workq_get_event_handle(workq, &same));
    CHECK_EQ(same, fd);
    CHECK_OK(doca_ctx_workq_rm(k.ctx, k.workq)); /* replaced by `workq` */
    CHECK_OK(doca_workq_destroy(k.workq));
    k.workq = workq;
    CHECK_OK(doca_workq_event_handle_arm(workq));
    CHECK(!is_readable(fd));
    CHECK_OK(copy_block(&k, k.ctx, 0));
    CHECK(is_readable(fd));
    CHECK_OK(doca_workq_event_handle_clear(workq, fd));
    CHECK(!is_readable(fd));
    CHECK_OK(retrieve_result(workq));
    CHECK_OK(copy_block(&k, k.ctx, 0)); /* submit before arm */
    CHECK_OK(doca_workq_event_handle_arm(workq));
    CHECK(is_readable(fd));
    CHECK_OK(doca_workq_event_handle_clear(workq, fd));
    CHECK_OK(retrieve_result(workq));
    kit_close(&k);
}

static const struct test_case cases[] = {
    CASE(devices_come_before_start_and_queues_after, "316"),
    CASE(device_without_an_engine_is_refused, ""),
    CASE(stop_waits_for_queues_and_destroy_for_devices, "317"),
    CASE(queue_with_jobs_cannot_be_detached, "318"),
    CASE(one_queue_serves_several_contexts, "319"),
    CASE(submit_needs_an_attached_queue, "320"),
    CASE(depth_limits_jobs_until_their_events_are_retrieved, "321"),
    CASE(queue_is_full_at_the_limit_of_the_device, ""),
    CASE(job_waits_for_room_in_the_queue, ""),
    CASE(retrieve_returns_one_event_or_changes_nothing, "322"),
    CASE(events_carry_the_user_data_in_any_order, "323 324"),
    CASE(depth_is_set_only_while_detached, "326"),
    CASE(attached_queue_cannot_be_destroyed, "327"),
    CASE(attach_waits_for_a_slow_device, ""),
    CASE(armed_handle_wakes_a_sleeping_thread, ""),
};

TEST_MAIN(cases)

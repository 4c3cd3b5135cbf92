/* Submitting without FLUSH. Versions after 2.5.1 added it, so this file is compiled for both values
 * of DOCA_CORE_API. */
#include "held_backend.h"

#include <poll.h>

#define FLUSH DOCA_TASK_SUBMIT_FLAG_FLUSH

static doca_error_t submit_ex(struct doca_dma_task_memcpy *task, uint32_t flags)
{
    return doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), flags);
}

static void kept_task_waits_for_a_flush(void)
{
    static const uint32_t flags[] = { DOCA_TASK_SUBMIT_FLAG_NONE,
                                      DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS };
    struct rig r;
    size_t i;

    rig_open(&r, 4);
    r.frees_tasks = true;
    for (i = 0; i < 2; i++) {
        memset(rig_to, 0xee, 256);
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), flags[i]));
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), flags[i]));
        CHECK_EQ(rig_inflight(r.ctx), 2);
        CHECK_EQ(rig_drain(&r), 0);
        CHECK_EQ(rig_to[0], 0xee);
        doca_ctx_flush_tasks(r.ctx);
        CHECK_EQ(rig_drain(&r), 2);
        CHECK_EQ(rig_inflight(r.ctx), 0);
        CHECK(memcmp(rig_from, rig_to, 128) == 0);
        doca_ctx_flush_tasks(r.ctx); /* nothing to flush */
        CHECK_EQ(rig_drain(&r), 0);
    }
    CHECK_EQ(r.num_ok, 4);
    rig_close(&r);
}

static unsigned order[8], num_order;

static void note_order(struct rig *r, struct doca_dma_task_memcpy *task)
{
    void *head;

    (void)r;
    CHECK_OK(doca_buf_get_head(doca_dma_task_memcpy_get_dst(task), &head));
    order[num_order++] = (unsigned)((unsigned char *)head - rig_to) / 64;
}

static void submit_with_flush_hands_over_all_tasks(void)
{
    unsigned round, i;
    struct rig r;

    rig_open(&r, 4);
    r.frees_tasks = true;
    r.on_task = note_order;
    for (round = 0; round < 3; round++) {
        num_order = 0;
        for (i = 0; i < 3; i++)
            CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64 * i, 64), 0));
        if (round == 0)
            CHECK_OK(rig_submit(rig_prepare(&r, r.dma, 192, 64)));
        else if (round == 1)
            CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 192, 64), FLUSH));
        else
            CHECK_OK(doca_task_try_submit(
                doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, 192, 64))));
        CHECK_EQ(rig_drain(&r), 4);
        for (i = 0; i < 4; i++)
            CHECK_EQ(order[i], i);
    }
    num_order = 0;
    rig_copy(&r, r.dma, 0, 64); /* the queue still works */
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64),
                       FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS));
    CHECK_EQ(rig_drain(&r), 2);
    rig_close(&r);
}

static void submit_ex_refuses_what_submit_refuses(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    rig_open(&r, 2);
    CHECK_RC(doca_task_submit_ex(NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_submit_ex(NULL, 4), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_NULL_ARGUMENT);
    task = rig_task(r.dma, NULL, NULL);
    CHECK_RC(submit_ex(task, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(submit_ex(task, FLUSH), DOCA_ERROR_INVALID_VALUE);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(submit_ex(task, 4), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(submit_ex(task, UINT32_MAX), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_OK(submit_ex(task, 0));
    CHECK_RC(submit_ex(task, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(submit_ex(task, FLUSH), DOCA_ERROR_BAD_STATE);
    doca_dma_task_memcpy_set_src(task, NULL); /* in flight: logged and ignored */
    CHECK(doca_dma_task_memcpy_get_src(task) != NULL);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    r.frees_tasks = true;
    doca_ctx_flush_tasks(NULL);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_NULL_ARGUMENT);
    doca_ctx_flush_tasks(r.ctx);
    CHECK_EQ(rig_drain(&r), 1);
    rig_stop(&r, r.ctx);
    doca_ctx_flush_tasks(r.ctx);
    rig_close(&r);
}

static void stop_flushes_tasks_submitted_without_flush(void)
{
    struct rig r;

    rig_open(&r, 3);
    r.frees_tasks = true;
    rig_copy(&r, r.dma, 0, 64);
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), 0));
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 128, 64), 0));
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    CHECK_EQ(r.num_ok + r.num_failed, 3);
    /* another device may have completed one task already */
    CHECK(r.num_ok == 0 || (test_other() != NULL && r.num_ok == 1));
    CHECK_EQ(r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(rig_to[64], 0xee);

    r.num_ok = 0;
    CHECK_OK(doca_ctx_start(r.ctx)); /* no old task is left */
    rig_drain(&r);
    rig_copy(&r, r.dma, 0, 64);
    CHECK_EQ(rig_drain(&r), 1);
    CHECK_EQ(r.num_ok, 1);
    rig_close(&r);
}

static void failed_task_fails_tasks_submitted_without_flush(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, 3);
    r.frees_tasks = true;
    held.num_to_fail = 1;
    rig_copy(&r, r.dma, 0, 64);
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), 0));
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 128, 64), 0));
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 3);
    CHECK_EQ(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    held_close_rig(&r);
}

static void full_queue_loses_no_task_submitted_without_flush(void)
{
    struct doca_dma_task_memcpy *late;
    struct rig r;
    unsigned i;

    held_begin();
    held_open_rig(&r, 4);
    r.frees_tasks = true;
    r.on_task = note_order;
    num_order = 0;
    for (i = 0; i < 3; i++)
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64 * i, 64), 0));
    held.full = true;
    doca_ctx_flush_tasks(r.ctx);
    CHECK_EQ(rig_drain(&r), 0);
    late = rig_prepare(&r, r.dma, 192, 64);
    CHECK_RC(rig_submit(late), DOCA_ERROR_AGAIN);
    CHECK_EQ(rig_inflight(r.ctx), 3);
    CHECK_EQ(rig_drain(&r), 0);
    held.full = false;
    CHECK_EQ(rig_drain(&r), 3); /* no second flush is needed */
    CHECK_OK(rig_submit(late));
    CHECK_EQ(rig_drain(&r), 1);
    for (i = 0; i < 4; i++)
        CHECK_EQ(order[i], i);

    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), 0)); /* a full queue, then a stop */
    held.full = true;
    doca_ctx_flush_tasks(r.ctx);
    rig_stop(&r, r.ctx);
    CHECK_EQ(r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(r.num_failed, 1);
    held_close_rig(&r);
}

/* A task submitted without FLUSH fails when post() returns an error. The backend may also return a
 * value that is not an error code and whose lowest byte equals SUCCESS. */
static void task_submitted_without_flush_fails_if_post_fails(void)
{
    const doca_error_t answers[] = { DOCA_ERROR_FULL, (doca_error_t)256 };
    struct rig r;
    unsigned i;

    held_begin();
    held_open_rig(&r, 1);
    r.frees_tasks = true;
    for (i = 0; i < 2; i++) {
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64 * i, 64), 0));
        held.answer = answers[i];
        doca_ctx_flush_tasks(r.ctx);
        held.answer = DOCA_SUCCESS;
        rig_drain(&r);
        CHECK_EQ(r.num_failed, i + 1);
        CHECK_EQ(r.status, i == 0 ? DOCA_ERROR_FULL : DOCA_ERROR_UNKNOWN);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
    }
    held_close_rig(&r);
}

static void end_of_tasks_submitted_without_flush_wakes(void)
{
    struct pollfd fd;
    struct rig r;

    rig_open(&r, 1);
    r.frees_tasks = true;
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, NULL)); /* a report of the state would wake */
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &fd.fd));
    fd.events = POLLIN;
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), 0));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(poll(&fd, 1, 0), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
    rig_drain(&r);
    CHECK_EQ(r.status, DOCA_ERROR_SHUTDOWN);
    rig_close(&r);
}

static void task_submitted_without_flush_does_not_wake(void)
{
    doca_notification_handle_t handle;
    struct pollfd fd;
    struct rig r;

    rig_open(&r, 2);
    r.frees_tasks = true;
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &handle));
    fd.fd = handle;
    fd.events = POLLIN;
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), 0));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), 0));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    doca_ctx_flush_tasks(r.ctx);
    CHECK_EQ(poll(&fd, 1, 0), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    CHECK_EQ(rig_drain(&r), 2);
    rig_close(&r);
}

static void request_wakes_for_tasks_that_waited_for_room(void)
{
    struct pollfd fd;
    struct rig r;

    held_begin();
    held_open_rig(&r, 1);
    r.frees_tasks = true;
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &fd.fd));
    fd.events = POLLIN;
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), 0));
    held.full = true;
    doca_ctx_flush_tasks(r.ctx);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    held.full = false; /* the queue has room, and the program sleeps without progress */
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(poll(&fd, 1, 0), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
    CHECK_EQ(rig_drain(&r), 1);
    held_close_rig(&r);
}

static unsigned num_graph_ends;

static void graph_ended(struct doca_graph_instance *instance, union doca_data data,
                        union doca_data graph_data)
{
    (void)instance;
    (void)data;
    (void)graph_data;
    num_graph_ends++;
}

static void graph_node_after_tasks_without_flush_wakes(void)
{
    struct doca_graph_instance *instance;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_node *node;
    struct doca_graph *graph;
    struct pollfd fd;
    unsigned flushes;
    struct rig r;

    held_begin();
    held_open_rig(&r, 2);
    r.frees_tasks = true;
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &node));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, node,
                                                   doca_dma_task_memcpy_as_task(task)));
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &fd.fd));
    fd.events = POLLIN;
    for (flushes = 0; flushes < 2; flushes++) {
        held.full = true;
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
        CHECK_OK(doca_graph_instance_submit(instance));
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), 0));
        if (flushes > 0) { /* the task then waits for room, too, which only the device can make */
            doca_ctx_flush_tasks(r.ctx);
            CHECK_OK(doca_pe_request_notification(r.pe));
            CHECK_EQ(poll(&fd, 1, 0), 0);
            CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
        }
        held.full = false;
        /* the queue is empty, so the device cannot wake the PE */
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_EQ(poll(&fd, 1, 0), 1);
        CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
        num_graph_ends = 0;
        rig_drain(&r);
        if (flushes == 0)
            doca_ctx_flush_tasks(r.ctx);
        rig_drain(&r);
        CHECK_EQ(num_graph_ends, 1);
        CHECK_EQ(r.num_ok, flushes + 1);
    }
    rig_release(task);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    held_close_rig(&r);
}

static const struct test_case cases[] = {
    CASE(kept_task_waits_for_a_flush, ""),
    CASE(submit_with_flush_hands_over_all_tasks, ""),
    CASE(submit_ex_refuses_what_submit_refuses, ""),
    CASE(stop_flushes_tasks_submitted_without_flush, ""),
    CASE(failed_task_fails_tasks_submitted_without_flush, ""),
    CASE(full_queue_loses_no_task_submitted_without_flush, ""),
    CASE(task_submitted_without_flush_fails_if_post_fails, ""),
    CASE(end_of_tasks_submitted_without_flush_wakes, ""),
    CASE(task_submitted_without_flush_does_not_wake, ""),
    CASE(request_wakes_for_tasks_that_waited_for_room, ""),
    CASE(graph_node_after_tasks_without_flush_wakes, ""),
};

TEST_MAIN(cases)

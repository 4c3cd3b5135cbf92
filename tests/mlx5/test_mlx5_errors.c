/* Failures of an mlx5 device, on a fake in plain memory (mlx5_fake.h): how tasks and contexts end,
 * what the log says, and how a sleeping program is woken. */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_fake_rig.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>

static bool is_readable(const struct doca_pe *pe)
{
    struct pollfd wanted = { .events = POLLIN };

    CHECK_OK(doca_pe_get_notification_handle(pe, &wanted.fd));
    return poll(&wanted, 1, 0) == 1;
}

#define CHECK_ENDS(text, end)                                                                      \
    do {                                                                                           \
        const char *text_ = (text), *end_ = (end);                                                 \
        const size_t len_ = strlen(text_), bytes_ = strlen(end_);                                  \
        if (len_ < bytes_ || strcmp(text_ + len_ - bytes_, end_) != 0)                             \
            test_fail(__FILE__, __LINE__, "\"%s\" does not end with \"%s\"", text_, end_);         \
    } while (0)

/* ---- failures of tasks, queues and devices ---- */

static void syndromes_become_reasons(void)
{
    static const struct {
        uint8_t syndrome, vendor;
        enum doca_core_item item;
        const char *text; /* end of the log line, without the error code */
    } rows[] = {
        { 0x01, 0, DOCA_CORE_ITEM_MLX5_LENGTH, ": LOCAL_LENGTH_ERR, syndrome 0x1" },
        { 0x02, 0x9d, DOCA_CORE_ITEM_MLX5_QP_OP,
          ": LOCAL_QP_OP_ERR, syndrome 0x2, vendor syndrome 0x9d" },
        { 0x04, 0x51, DOCA_CORE_ITEM_MLX5_PROTECTION,
          ": LOCAL_PROT_ERR, syndrome 0x4, vendor syndrome 0x51" },
        { 0x11, 0x33, DOCA_CORE_ITEM_MLX5_PROTECTION,
          ": LOCAL_ACCESS_ERR, syndrome 0x11, vendor syndrome 0x33" },
        { 0x12, 0x8a, DOCA_CORE_ITEM_MLX5_REMOTE,
          ": REMOTE_INVAL_REQ_ERR, syndrome 0x12, vendor syndrome 0x8a" },
        { 0x13, 0x88, DOCA_CORE_ITEM_MLX5_ACCESS,
          ": REMOTE_ACCESS_ERR, syndrome 0x13, vendor syndrome 0x88" },
        { 0x14, 0x89, DOCA_CORE_ITEM_MLX5_REMOTE,
          ": REMOTE_OP_ERR, syndrome 0x14, vendor syndrome 0x89" },
        { 0x15, 0x81, DOCA_CORE_ITEM_MLX5_RETRY,
          ": TRANSPORT_RETRY_EXC_ERR, syndrome 0x15, vendor syndrome 0x81" },
        { 0x16, 0, DOCA_CORE_ITEM_MLX5_RETRY, ": RNR_RETRY_EXC_ERR, syndrome 0x16" },
        { 0x22, 0, DOCA_CORE_ITEM_MLX5_REMOTE, ": REMOTE_ABORTED_ERR, syndrome 0x22" },
        { 0x06, 0, DOCA_CORE_ITEM_MLX5_OTHER, ": MW_BIND_ERR, syndrome 0x6" },
        { 0x10, 0, DOCA_CORE_ITEM_MLX5_OTHER, ": BAD_RESP_ERR, syndrome 0x10" },
        { 0x40, 0x07, DOCA_CORE_ITEM_MLX5_OTHER, ": syndrome 0x40, vendor syndrome 0x7" },
    };
    char want[128];
    struct rig r;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
        fake.fail_at = 1;
        fake.syndrome = rows[i].syndrome;
        fake.vendor = rows[i].vendor;
        (void)rig_copy(&r, r.dma, 0, 64);
        (void)fake_run();
        CHECK(rig_progress(&r));
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(doca_core_last_item(), rows[i].item);
        snprintf(want, sizeof(want), "%s [IO_FAILED]", rows[i].text);
        CHECK_ENDS(doca_core_last_error(), want);
        rig_close(&r);
    }
}

/* Submit a copy of `len` bytes from a list of ten sources. */
static void submit_tenths(struct rig *r, size_t at, size_t len)
{
    struct doca_buf *src = rig_src(r, at, len / 10);
    unsigned i;

    for (i = 1; i < 10; i++)
        CHECK_OK(doca_buf_chain_list(src, rig_src(r, at + len / 10 * i, len / 10)));
    CHECK_OK(rig_submit(rig_task(r->dma, src, rig_dst(r, at, len))));
}

/* Let each WQE in turn be the one that fails. Tasks before it succeed, the tasks behind it fail,
 * and each task ends exactly once. */
static void flush_every_task_once(size_t len, bool is_list)
{
    enum { TASKS = 12 };
    unsigned at, i;
    struct rig r;

    for (at = 1; at <= TASKS; at++) {
        open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_RC, TASKS);
        fake.fail_at = at;
        fake.syndrome = 0x04;
        for (i = 0; i < TASKS; i++) {
            if (is_list)
                submit_tenths(&r, i * 100, len);
            else
                (void)rig_copy(&r, r.dma, i * 100, len);
        }
        finish(&r);
        CHECK_EQ(r.num_ok, at - 1);
        CHECK_EQ(r.num_failed, TASKS - (at - 1));
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_STR(r.states, "RP PI");
        for (i = 0; i < at - 1; i++)
            CHECK_MEM(rig_to + i * 100, rig_from + i * 100, len);
        CHECK_EQ(rig_to[i * 100], 0xee);

        /* after another start, the context has new queues and works */
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
        (void)rig_copy(&r, r.dma, 5000, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, at);
        CHECK_MEM(rig_to + 5000, rig_from + 5000, 100);
        rig_close(&r);
    }
}

static void error_flushes_every_task_once(void)
{
    flush_every_task_once(100, false);
    flush_every_task_once(20, false); /* sources that are copied into the WQEs */
    flush_every_task_once(100, true); /* each WQE has three basic blocks */
}

/* Submit a copy to a list of `num` destinations of 100 bytes each, which takes a WQE for each. */
static void submit_list(struct rig *r, unsigned num)
{
    struct doca_buf *dst = rig_dst(r, 0, 100);
    unsigned i;

    for (i = 1; i < num; i++)
        CHECK_OK(doca_buf_chain_list(dst, rig_dst(r, i * 1000, 100)));
    CHECK_OK(rig_submit(rig_task(r->dma, rig_src(r, 0, num * 100), dst)));
}

/* When a middle piece of a list fails, the callback is called once, after the device has finished
 * all pieces. */
static void failed_piece_fails_its_task_at_the_end(void)
{
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    fake.fail_at = 2;
    fake.syndrome = 0x02;
    submit_list(&r, 5);
    finish(&r);
    CHECK_EQ(fake.cq_pi, 4); /* the failed completion and three flushed ones, all read */
    CHECK_EQ(fake_be32(&fake.cq_dbrec[0]), 4);
    CHECK_EQ(r.num_failed, 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_QP_OP);
    rig_close(&r);
}

/* Verbs accept some pieces of a list and refuse the next. The device executes the accepted pieces,
 * so the task must not end before their completions have arrived. */
static void task_of_which_verbs_accept_a_part_fails(void)
{
    unsigned at, ok;
    struct rig r;

    for (at = 1; at <= 4; at++) {
        open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_VERBS, 4);
        (void)rig_copy(&r, r.dma, 5000, 100);
        fake.refuse_at = at;
        submit_list(&r, 3);
        (void)rig_copy(&r, r.dma, 6000, 100);
        finish(&r);
        ok = at <= 3 ? 1 : 2;
        CHECK_EQ(r.num_ok, ok);
        CHECK_EQ(r.num_failed, 3 - ok);
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
        rig_close(&r);
    }
}

/* The backend refuses a task that does not fit its destination. Tasks before it succeed. Tasks
 * behind it fail and never reach the device. */
static void tasks_behind_a_refused_task_are_not_started(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 6; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 100), rig_dst(&r, 600, 99))));
    (void)rig_copy(&r, r.dma, 700, 100);
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), 6);
    finish(&r);
    CHECK_EQ(r.num_ok, 6);
    CHECK_EQ(r.num_failed, 2);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), 6);
    CHECK_EQ(rig_to[600], 0xee);
    CHECK_EQ(rig_to[700], 0xee);
    rig_close(&r);
}

/* Tasks that wait for room in the queue fail without reaching the device when an earlier task
 * fails. */
static void waiting_tasks_are_not_started_after_an_error(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 200);
    fake.fail_at = 2;
    fake.syndrome = 0x04;
    for (i = 0; i < 200; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    (void)fake_run();
    while (r.num_failed == 0)
        CHECK(rig_progress(&r));
    CHECK_EQ(r.num_ok, 1);
    finish(&r);
    CHECK_EQ(r.num_failed, 199);
    /* a full ring; one more task, which replaced the completed one; and the WQE that ends the
     * flush: the ring holds FAKE_WQES - 1 */
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), FAKE_WQES + 1);
    rig_close(&r);
}

static void stop_flushes_tasks_of_the_device(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 8; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(fake.qps[0].state, IBV_QPS_ERR);
    finish(&r);
    CHECK_EQ(r.num_failed, 8);
    CHECK_RC(r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(rig_to[0], 0xee);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    rig_close(&r);
}

/* A stop moves both queue pairs of the RC engine to the error state. If the responding queue pair
 * stayed active, packets in flight could still be written to the destination. */
static void stop_ends_both_queue_pairs(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_RC, 8);
    for (i = 0; i < 8; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(fake.qps[0].state, IBV_QPS_ERR);
    CHECK_EQ(fake.qps[1].state, IBV_QPS_ERR);
    finish(&r);
    CHECK_EQ(r.num_failed, 8);
    CHECK_RC(r.status, DOCA_ERROR_SHUTDOWN);
    rig_close(&r);
}

/* After a failure of the device, its queues may still be executing tasks. The backend resets the
 * queue pairs before it returns the tasks, so that the device no longer writes to their buffers. */
static void queues_of_a_failed_device_are_reset_before_tasks_end(void)
{
    enum doca_core_mlx5_engine engine;
    unsigned i;
    struct rig r;

    for (engine = DOCA_CORE_MLX5_ENGINE_MMO; engine <= DOCA_CORE_MLX5_ENGINE_RC; engine++) {
        open_fake_rig(&r, engine, 8);
        (void)rig_copy(&r, r.dma, 0, 100);
        fake_async_event(IBV_EVENT_DEVICE_FATAL);
        for (i = 0; i < DOCA_CORE_PE_PATIENCE + 2 && r.num_failed == 0; i++)
            (void)rig_progress(&r);
        CHECK_EQ(r.num_failed, 1);
        CHECK_EQ(fake.qps[0].state, IBV_QPS_RESET);
        if (engine == DOCA_CORE_MLX5_ENGINE_RC)
            CHECK_EQ(fake.qps[1].state, IBV_QPS_RESET);
        rig_drain(&r);
        CHECK_STR(r.states, "RP PI");
        rig_close(&r);
    }
}

/* A failed device completes no task, so the library ends all of them with IO_FAILED. */
static void failed_device_fails_every_task(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 8; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    fake_async_event(IBV_EVENT_PORT_ERR); /* not a failure of the device */
    for (i = 0; i < DOCA_CORE_PE_PATIENCE + 1; i++)
        CHECK(!rig_progress(&r));
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    for (i = 0; i < DOCA_CORE_PE_PATIENCE + 1 && !rig_progress(&r); i++)
        ;
    CHECK_STR(r.states, "RP");
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_DEV_FAILED);
    CHECK(rig_progress(&r));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_FATAL);
    (void)rig_drain(&r);
    CHECK_EQ(r.num_failed, 8);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_STR(r.states, "RP PI");
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    rig_close(&r);
}

/* Polling notices the failure although the context has no tasks. When the device is opened again,
 * it works. */
static void failed_device_stops_an_idle_context(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    for (i = 0; i < DOCA_CORE_PE_PATIENCE + 1 && !rig_progress(&r); i++)
        ;
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    rig_close(&r);
    rig_open(&r, 8);
    r.frees_tasks = true;
    (void)rig_copy(&r, r.dma, 0, 100);
    finish(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(rig_drain(&r), 0);
    rig_close(&r);
}

/* The device completes a WQE whose doorbell was not rung. The task ends, and the next task is
 * executed. */
static void completion_without_a_doorbell_does_no_harm(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    task = rig_prepare(&r, r.dma, 0, 100);
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE));
    CHECK_EQ(fake_run(), 0);
    fake_cqe(&fake.qps[0], 0, 0, 0, 0);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    doca_ctx_flush_tasks(r.ctx);
    (void)rig_copy(&r, r.dma, 100, 100);
    finish(&r);
    CHECK_EQ(r.num_ok, 2);
    CHECK_MEM(rig_to, rig_from, 200);
    rig_close(&r);
}

/* The device fails during a stop and does not flush the tasks. They end nevertheless. */
static void device_may_fail_while_a_context_stops(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 8; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 0);
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    for (i = 0; i < DOCA_CORE_PE_PATIENCE + 1 && r.num_failed == 0; i++)
        (void)rig_progress(&r);
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 8);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

/* Further events of a failed device do not wake the program while a context cannot become idle,
 * because the program still owns one of its tasks. */
static void further_events_of_a_failed_device_do_not_wake(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    task = rig_task(r.dma, NULL, NULL);
    CHECK_OK(doca_pe_request_notification(r.pe));
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_STR(r.states, "RP");
    fake_async_event(IBV_EVENT_PORT_ERR);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

/* Open a rig on a device in a PD of the program. The program receives the events of this device. */
static void open_pd_rig(struct rig *r, enum doca_core_mlx5_engine engine)
{
    struct doca_dev *dev;

    fake_reset();
    use_fake(engine);
    fake.pd.context = &fake.context;
    CHECK_OK(doca_rdma_bridge_open_dev_from_pd(&fake.pd, &dev));
    rig_build_on(r, dev, 4);
    CHECK_OK(doca_ctx_start(r->ctx));
    rig_drain(r);
    rig_forget_states(r);
    r->frees_tasks = true;
}

static void program_passes_on_the_failure_of_its_device(void)
{
    enum doca_core_mlx5_engine engine;
    struct ibv_async_event event;
    struct doca_dev *soft;
    struct rig r;

    memset(&event, 0, sizeof(event));
    open_pd_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO);
    event.event_type = IBV_EVENT_PORT_ERR;
    CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event));
    (void)rig_copy(&r, r.dma, 0, 100);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    event.event_type = IBV_EVENT_DEVICE_FATAL;
    CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event));
    CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event)); /* passing an event twice is allowed */
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    CHECK_EQ(r.num_failed, 1);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    CHECK_RC(doca_core_mlx5_pass_event(NULL, &event), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mlx5_pass_event(r.dev, NULL), DOCA_ERROR_INVALID_VALUE);
    rig_close(&r);
    CHECK_RC(doca_core_mlx5_pass_event(r.dev, &event), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mlx5_get_engine(r.dev, &engine), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    soft = rig_open_dev(NULL);
    CHECK_RC(doca_core_mlx5_pass_event(soft, &event), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_dev_close(soft));
}

/* The fault dev.pd affects only the call that returns the PD, not the calls that ask for the engine
 * or pass an event. */
static void fault_of_the_pd_affects_no_other_call(void)
{
    enum doca_core_mlx5_engine engine = DOCA_CORE_MLX5_ENGINE_AUTO;
    struct ibv_async_event event;
    struct ibv_pd *pd;
    struct rig r;

    memset(&event, 0, sizeof(event));
    event.event_type = IBV_EVENT_PORT_ERR;
    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
    CHECK_OK(doca_core_fault_set("dev.pd=fail:INVALID_VALUE@1"));
    rig_open(&r, 4);
    CHECK_OK(doca_core_mlx5_get_engine(r.dev, &engine));
    CHECK_EQ(engine, DOCA_CORE_MLX5_ENGINE_MMO);
    CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event));
    CHECK_EQ(doca_core_fault_get_num(), 0);
    CHECK_RC(doca_rdma_bridge_get_dev_pd(r.dev, &pd), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_fault_set(NULL));
    rig_close(&r);
}

/* The program does not pass events on. The backend then queries the port at long intervals, and
 * treats only EIO as a failure of the device. */
static void failure_is_found_without_events_from_the_program(void)
{
    unsigned long calls;
    unsigned before;
    struct rig r;

    open_pd_rig(&r, DOCA_CORE_MLX5_ENGINE_RC);
    fake.no_port = EINVAL;
    before = fake.num_asks;
    for (calls = 0; calls < 2ul * DOCA_PRIV_MLX5_QUERY_EVERY * DOCA_CORE_PE_PATIENCE; calls++)
        CHECK(!doca_pe_progress(r.pe));
    CHECK_EQ(fake.num_asks - before, 2);
    fake.no_port = EIO;
    for (calls = 0; r.num_states == 0; calls++)
        (void)rig_progress(&r);
    CHECK(calls <= (unsigned long)DOCA_PRIV_MLX5_QUERY_EVERY * DOCA_CORE_PE_PATIENCE);
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

/* When the completion queue cannot be armed, the handle stays readable, so the program polls until
 * the queue can be armed again or the device has failed. */
static void queue_that_cannot_be_armed_is_not_slept_on(void)
{
    struct rig r;

    open_pd_rig(&r, DOCA_CORE_MLX5_ENGINE_VERBS);
    fake.no_arming = ENOMEM;
    fake.drop_at = 1;
    (void)rig_copy(&r, r.dma, 0, 100);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_CALL);
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK(!rig_progress(&r));
    fake.no_arming = 0;
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    fake.no_arming = fake.no_port = EIO;
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe)); /* the queue is still armed, so it is not armed again */
    fake_cq_event();
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    CHECK_EQ(r.num_failed, 1);
    rig_close(&r);
}

static void missing_device_list_is_logged(void)
{
    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    fake.no_list = ENOSYS;
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_NO_LIST);
    CHECK(strstr(doca_core_last_error(), ": ENOSYS; check that the kernel modules") != NULL);
    fake.no_list = 0;
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
}

/* ---- log lines that name the refused step ---- */

static struct {
    const char *call; /* name of the failing member of the table; NULL: no member fails */
    unsigned at;      /* which of its calls fails, from 1; 0: every call */
    unsigned num;     /* number of its calls so far */
    int error;
} refusal;

static bool is_refused(const char *call)
{
    if (refusal.call == NULL || strcmp(refusal.call, call) != 0 ||
        (++refusal.num != refusal.at && refusal.at != 0))
        return false;
    errno = refusal.error;
    return true;
}

#define REFUSING(type, name, parameters, arguments, failed)                                        \
    static type refusing_##name parameters                                                         \
    {                                                                                              \
        return is_refused(#name) ? failed : fake_sys.name arguments;                               \
    }

REFUSING(struct ibv_context *, open_device, (struct ibv_device *device, bool with_devx),
         (device, with_devx), NULL)
REFUSING(struct ibv_pd *, alloc_pd, (struct ibv_context *context), (context), NULL)
REFUSING(struct ibv_mr *, reg_mr, (struct ibv_pd *pd, void *addr, size_t len, unsigned access),
         (pd, addr, len, access), NULL)
REFUSING(struct ibv_mr *, reg_dmabuf_mr,
         (struct ibv_pd *pd, uint64_t offset, size_t len, uint64_t iova, int fd, unsigned access),
         (pd, offset, len, iova, fd, access), NULL)
REFUSING(struct ibv_dm *, alloc_dm, (struct ibv_context *context, size_t len), (context, len), NULL)
REFUSING(struct ibv_mr *, reg_dm_mr,
         (struct ibv_pd *pd, struct ibv_dm *dm, size_t len, unsigned access), (pd, dm, len, access),
         NULL)
REFUSING(struct ibv_comp_channel *, create_comp_channel, (struct ibv_context *context), (context),
         NULL)
REFUSING(struct ibv_pd *, alloc_parent_domain,
         (struct ibv_context *context, struct ibv_parent_domain_init_attr *attr), (context, attr),
         NULL)
REFUSING(struct ibv_cq *, create_cq,
         (struct ibv_context *context, int num_cqes, struct ibv_comp_channel *channel,
          struct ibv_pd *domain),
         (context, num_cqes, channel, domain), NULL)
REFUSING(struct ibv_qp *, create_qp, (struct ibv_pd *pd, struct ibv_qp_init_attr *attr), (pd, attr),
         NULL)
REFUSING(int, modify_qp, (struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask), (qp, attr, mask),
         refusal.error)
REFUSING(int, init_obj, (struct mlx5dv_obj *obj, uint64_t type), (obj, type), refusal.error)
REFUSING(int, query_device, (struct ibv_context *context, struct ibv_device_attr *attr),
         (context, attr), refusal.error)
REFUSING(int, general_cmd,
         (struct ibv_context *context, const void *in, size_t in_bytes, void *out,
          size_t out_bytes),
         (context, in, in_bytes, out, out_bytes), refusal.error)
REFUSING(int, query_port,
         (struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr),
         (context, port, attr), refusal.error)
REFUSING(int, query_gid,
         (struct ibv_context *context, uint8_t port, int index, uint8_t gid[16]),
         (context, port, index, gid), refusal.error)

/* A refused call also receives an answer of the firmware, with a status. */
static int refusing_devx_qp_modify(struct ibv_qp *qp, const void *in, size_t in_bytes, void *out,
                                   size_t out_bytes)
{
    static const unsigned char answer[8] = { 0x03, 0, 0, 0, 0x00, 0x5e, 0x7a, 0x11 };

    if (!is_refused("devx_qp_modify"))
        return fake_sys.devx_qp_modify(qp, in, in_bytes, out, out_bytes);
    memcpy(out, answer, sizeof(answer));
    return refusal.error;
}

static struct doca_core_mlx5_sys refusing_sys;

/* Make the backend search for devices again. */
static void find_devices(enum doca_core_mlx5_engine engine)
{
    const struct doca_core_mlx5_options options = { &refusing_sys, engine };

    (void)doca_core_mlx5_backend(&options);
}

/* Show the fake device through a table of calls that `refusal` can let fail. */
static void use_refusing(enum doca_core_mlx5_engine engine)
{
    struct doca_core_mlx5_sys sys;

    memset(&refusal, 0, sizeof(refusal));
    fake_reset();
    use_fake(engine); /* registers the backend */
    sys = fake_sys;
    sys.open_device = refusing_open_device;
    sys.alloc_pd = refusing_alloc_pd;
    sys.reg_mr = refusing_reg_mr;
    sys.reg_dmabuf_mr = refusing_reg_dmabuf_mr;
    sys.alloc_dm = refusing_alloc_dm;
    sys.reg_dm_mr = refusing_reg_dm_mr;
    sys.create_comp_channel = refusing_create_comp_channel;
    sys.alloc_parent_domain = refusing_alloc_parent_domain;
    sys.create_cq = refusing_create_cq;
    sys.create_qp = refusing_create_qp;
    sys.modify_qp = refusing_modify_qp;
    sys.devx_qp_modify = refusing_devx_qp_modify;
    sys.init_obj = refusing_init_obj;
    sys.query_port = refusing_query_port;
    sys.query_gid = refusing_query_gid;
    sys.query_device = refusing_query_device;
    sys.general_cmd = refusing_general_cmd;
    refusing_sys = sys;
    find_devices(engine);
}

static void refuse_next(const char *call, unsigned at, int error)
{
    refusal.call = call;
    refusal.at = at;
    refusal.num = 0;
    refusal.error = error;
}

#define CHECK_SAYS(want)                                                                           \
    do {                                                                                           \
        const char *want_ = (want);                                                                \
        if (strstr(doca_core_last_error(), want_) == NULL)                                         \
            test_fail(__FILE__, __LINE__, "the error text has no \"%s\"", want_);                  \
    } while (0)

static void start_names_the_step_that_was_refused(void)
{
    static const struct {
        enum doca_core_mlx5_engine engine;
        const char *call;
        unsigned at;
        int error;
        doca_error_t rc;
        const char *text;
    } rows[] = {
        { MMO_, "create_comp_channel", 1, EMFILE, DOCA_ERROR_OPERATING_SYSTEM,
          "refused to create a completion channel: EMFILE; the process has no file descriptor "
          "left: raise RLIMIT_NOFILE (ulimit -n) [OPERATING_SYSTEM]" },
        { MMO_, "create_comp_channel", 1, ENFILE, DOCA_ERROR_OPERATING_SYSTEM,
          ": ENFILE; the system has no file descriptor left: raise fs.file-max" },
        { MMO_, "create_cq", 1, EINVAL, DOCA_ERROR_INVALID_VALUE,
          "refused to create a completion queue: EINVAL; " },
        { RC_, "create_cq", 1, ENOMEM, DOCA_ERROR_NO_MEMORY,
          "refused to create a completion queue: ENOMEM; the limit of locked memory (ulimit -l, " },
        { MMO_, "create_qp", 1, EIO, DOCA_ERROR_DRIVER,
          "refused to create a queue pair: EIO; the device is gone or has failed" },
        { RC_, "create_qp", 1, ENOMEM, DOCA_ERROR_NO_MEMORY,
          "refused to create the second queue pair: ENOMEM; " },
        { RC_, "create_qp", 2, EPERM, DOCA_ERROR_NOT_PERMITTED,
          "refused to create a queue pair: EPERM; this user has no permission for /dev"
          "/infiniband" },
        { MMO_, "reg_mr", 1, ENOMEM, DOCA_ERROR_NO_MEMORY,
          "refused to register the queue's memory: ENOMEM; " },
        { RC_, "init_obj", 1, EOPNOTSUPP, DOCA_ERROR_NOT_SUPPORTED,
          "refused to provide large enough rings (mlx5dv_init_obj): EOPNOTSUPP; " },
        { MMO_, "query_port", 1, ENODEV, DOCA_ERROR_DRIVER,
          "refused to query the port: ENODEV; the device is gone" },
        { MMO_, "modify_qp", 1, EINVAL, DOCA_ERROR_INVALID_VALUE,
          "refused to move a queue pair from RESET to INIT: EINVAL; " },
        { MMO_, "devx_qp_modify", 1, EREMOTEIO, DOCA_ERROR_DRIVER,
          "refused to set the MMO bit of a queue pair (INIT2INIT_QP): EREMOTEIO, BAD_PARAM, "
          "syndrome 0x5e7a11; " },
        { MMO_, "modify_qp", 2, ETIMEDOUT, DOCA_ERROR_DRIVER,
          "refused to move a queue pair from INIT to RTR: ETIMEDOUT; the port is not active" },
        { VERBS_, "modify_qp", 3, 4095, DOCA_ERROR_DRIVER,
          "refused to move a queue pair from RTR to RTS: errno 4095 [DRIVER]" },
    };
    struct rig r;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        use_refusing(rows[i].engine);
        rig_build(&r, NULL, 4);
        refuse_next(rows[i].call, rows[i].at, rows[i].error);
        CHECK_RC(doca_ctx_start(r.ctx), rows[i].rc);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_CALL);
        CHECK_SAYS("doca_core: doca_ctx_start: dev 0x");
        CHECK_SAYS(rows[i].text);
        CHECK_EQ(refusal.num, refusal.at);
        refusal.call = NULL;
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
        rig_close(&r);
    }
}

static void start_without_gid_is_refused_with_the_reason(void)
{
    struct rig r;

    use_refusing(RC_);
    rig_build(&r, NULL, 4);
    fake.is_ethernet = true;
    refuse_next("query_gid", 0, ENODATA);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    CHECK_SAYS("refused to connect with a GID of the port: EADDRNOTAVAIL; the port has no GID: ");
    rig_close(&r);
}

static void refused_registration_is_logged_with_the_reason(void)
{
    static const struct {
        const char *call;
        unsigned at;
        int error;
        doca_error_t rc;
        const char *text;
    } rows[] = {
        { "reg_mr", 1, EFAULT, DOCA_ERROR_INVALID_VALUE,
          "refused to register the memory: EFAULT; the range is not mapped completely, or it is "
          "read-only: set DOCA_ACCESS_FLAG_LOCAL_READ_ONLY for read-only memory [INVALID_VALUE]" },
        { "reg_mr", 2, ENOMEM, DOCA_ERROR_NO_MEMORY,
          "refused to register the memory for writes by the device: ENOMEM; the limit of "
          "locked " },
        { "reg_dmabuf_mr", 1, EINVAL, DOCA_ERROR_INVALID_VALUE,
          "refused to register the dmabuf: EINVAL; the range is outside the dmabuf, or its "
          "address and offset have different positions in a page" },
        { "reg_dmabuf_mr", 1, EBADF, DOCA_ERROR_DRIVER, ": EBADF; the file descriptor is not" },
        { "reg_dmabuf_mr", 1, EOPNOTSUPP, DOCA_ERROR_NOT_SUPPORTED, ": EOPNOTSUPP; the kernel or" },
    };
    int file = memfd_create("dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    struct doca_dev *dev;
    struct doca_mmap *map;
    size_t i;

    CHECK(file >= 0 && ftruncate(file, 4096) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    use_refusing(RC_);
    dev = rig_open_dev(NULL);
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_OK(doca_mmap_create(&map));
        CHECK_OK(doca_mmap_add_dev(map, dev));
        if (strcmp(rows[i].call, "reg_dmabuf_mr") == 0)
            CHECK_OK(doca_mmap_set_dmabuf_memrange(map, file, rig_from, 0, 4096));
        else
            CHECK_OK(doca_mmap_set_memrange(map, rig_from, 4096));
        refuse_next(rows[i].call, rows[i].at, rows[i].error);
        CHECK_RC(doca_mmap_start(map), rows[i].rc);
        CHECK_SAYS("doca_core: doca_mmap_start: dev 0x");
        CHECK_SAYS(rows[i].text);
        CHECK_OK(doca_mmap_destroy(map));
    }
    refuse_next("alloc_dm", 1, ENOMEM);
    CHECK_RC(doca_core_mmap_create_on_dev(dev, 64, &map), DOCA_ERROR_NO_MEMORY);
    CHECK_SAYS("refused to allocate memory of the device: ENOMEM; the device has not enough "
               "memory left");
    refuse_next("reg_dm_mr", 2, EINVAL);
    CHECK_RC(doca_core_mmap_create_on_dev(dev, 64, &map), DOCA_ERROR_INVALID_VALUE);
    CHECK_SAYS("refused to register memory of the device: EINVAL; ");
    CHECK_EQ(close(file), 0);
    CHECK_EQ(fake.num_mrs + fake.num_dms, 0);
    CHECK_OK(doca_dev_close(dev));
}

static void refused_open_is_logged_with_the_reason(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    use_refusing(MMO_);
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    refuse_next("open_device", 1, EACCES);
    CHECK_RC(doca_dev_open(list[0], &dev), DOCA_ERROR_NOT_CONNECTED);
    CHECK_SAYS("doca_dev_open: libibverbs or the kernel refused to open the device: EACCES; this "
               "user has no permission for /dev/infiniband/uverbs*");
    refuse_next("alloc_pd", 1, ENOMEM);
    CHECK_RC(doca_dev_open(list[0], &dev), DOCA_ERROR_NOT_CONNECTED);
    CHECK_SAYS("refused to allocate a protection domain: ENOMEM; ");
    CHECK_OK(doca_devinfo_destroy_list(list));
}

/* A device whose limits could not be queried looks like a device without these limits. The log
 * tells the difference. */
static void search_for_devices_says_which_query_was_refused(void)
{
    static const struct {
        const char *call;
        unsigned at;
        int error;
        const char *text;
    } rows[] = {
        { "open_device", 1, EMFILE, "refused to open a device (it is not listed): EMFILE; the "
                                    "process has no file descriptor left: " },
        { "query_device", 1, EIO, "refused to query the limits of a device (they count as 0): "
                                  "EIO; the device is gone or has failed" },
        { "query_port", 1, EMFILE, "refused to query the port (it counts as down): EMFILE; " },
        { "general_cmd", 1, ENFILE, "refused to query the capabilities of the firmware (they "
                                    "count as absent): ENFILE; the system has no file " },
        { "general_cmd", 1, EREMOTEIO, "refused to query the capabilities of the firmware (they "
                                       "count as absent): EREMOTEIO; " },
    };
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        use_refusing(DOCA_CORE_MLX5_ENGINE_AUTO);
        refuse_next(rows[i].call, rows[i].at, rows[i].error);
        find_devices(DOCA_CORE_MLX5_ENGINE_AUTO);
        CHECK_SAYS("doca_core: doca_core_mlx5_backend: libibverbs or the kernel ");
        CHECK_SAYS(rows[i].text);
    }
    /* without DEVX each query of the firmware is refused, as expected */
    use_refusing(DOCA_CORE_MLX5_ENGINE_AUTO);
    refuse_next("query_port", 1, ENODEV);
    find_devices(DOCA_CORE_MLX5_ENGINE_AUTO);
    refuse_next("general_cmd", 0, EOPNOTSUPP);
    find_devices(DOCA_CORE_MLX5_ENGINE_AUTO);
    CHECK_SAYS("query the port (it counts as down): ENODEV; ");
    use_refusing(DOCA_CORE_MLX5_ENGINE_AUTO);
}

/* Without a parent domain the start succeeds, and a log line reports that the rings are not in the
 * block of the context. */
static void rings_outside_the_block_are_logged(void)
{
    struct rig r;

    use_refusing(RC_);
    rig_build(&r, NULL, 4);
    refuse_next("alloc_parent_domain", 1, EOPNOTSUPP);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_RINGS);
    CHECK_SAYS("not in the context's block: EOPNOTSUPP; ");
    rig_drain(&r);
    rig_close(&r);
}

static void start_without_descriptors_is_refused(void)
{
    static const int errors[] = { EMFILE, ENFILE };
    struct rig r;
    size_t i;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_RC);
    rig_build(&r, NULL, 4);
    for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        fake.no_channel = errors[i];
        CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    }
    fake.no_channel = 0;
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    rig_close(&r);
}

static void start_that_fails_leaves_nothing(void)
{
    struct rig r;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_RC);
    rig_build(&r, NULL, 4);
    fake.no_more = ENOMEM;
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    fake.no_more = 0;
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    rig_close(&r);
}

static void changed_destination_fails_the_task(void)
{
    struct doca_buf *dst;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    r.frees_tasks = true;
    dst = rig_dst(&r, 0, 1000);
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 10), dst)));
    CHECK_OK(doca_buf_set_data(dst, rig_to + 500, 0));
    (void)fake_run();
    CHECK(rig_progress(&r));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_BUF);
    CHECK_EQ(r.num_failed, 1);
    rig_close(&r);
}

/* The backend checks a copy by the CPU again immediately before it executes the copy. */
static void changed_source_of_the_cpu_fails_the_task(void)
{
    struct doca_buf *src;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to, 1000, &src));
    CHECK_OK(rig_submit(rig_task(r.dma, src, rig_dst(&r, 500, 1000))));
    CHECK_OK(doca_buf_set_data(src, rig_to + 990, 10));
    CHECK(rig_progress(&r));
    CHECK_EQ(r.num_failed, 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_BUF);
    rig_close(&r);
}

/* A task whose completion is lost fails when the next completion arrives. */
static void lost_completion_fails_its_task(void)
{
    static const enum doca_core_mlx5_engine all[] = { MMO_, RC_, VERBS_ };
    unsigned i, k;
    struct rig r;

    for (i = 0; i < 3; i++) {
        open_fake_rig(&r, all[i], 8);
        fake.drop_at = 2;
        for (k = 0; k < 5; k++)
            (void)rig_copy(&r, r.dma, k * 100, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, 4);
        CHECK_EQ(r.num_failed, 1);
        rig_close(&r);
    }
}

/* A stop ends a task whose completion was lost, although only completions of the flush arrive. */
static void lost_completion_does_not_hold_up_a_stop(void)
{
    static const enum doca_core_mlx5_engine all[] = { MMO_, RC_, VERBS_ };
    unsigned i;
    struct rig r;

    for (i = 0; i < 3; i++) {
        open_fake_rig(&r, all[i], 8);
        fake.drop_at = 2;
        (void)rig_copy(&r, r.dma, 0, 100);
        (void)rig_copy(&r, r.dma, 100, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
        finish(&r);
        CHECK_EQ(r.num_failed, 1);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        rig_close(&r);
    }
}

static void queue_that_cannot_be_read_fails_its_tasks(void)
{
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_VERBS, 4);
    (void)rig_copy(&r, r.dma, 0, 100);
    (void)rig_copy(&r, r.dma, 100, 100);
    fake.has_no_cq = true;
    finish(&r);
    CHECK_EQ(r.num_failed, 2);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    rig_close(&r);
}

static void resources_that_the_device_keeps_are_logged(void)
{
    struct doca_mmap *mmap;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_RC, 4);
    fake.keeps = EBUSY;
    rig_stop(&r, r.ctx);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_CALL);
    mmap = rig_map(r.dev, rig_from, 100);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_KEPT);
    fake.keeps = 0;
    rig_close(&r);
}

static bool is_logged;

/* A sink that calls the library, which a program may do. */
static void list_devices(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    struct doca_devinfo **list;
    uint32_t num;

    (void)level;
    (void)line;
    (void)user;
    CHECK_EQ(item, DOCA_CORE_ITEM_MLX5_CALL);
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_devinfo_destroy_list(list));
    is_logged = true;
}

/* The log line about a resource that the device does not release is written after the lock of all
 * devices has been released. Otherwise the sink, which takes this lock, would wait for ever. */
static void close_logs_kept_resources_after_releasing_the_lock(void)
{
    struct doca_dev *dev;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_RC);
    dev = rig_open_dev(NULL);
    fake.keeps = EBUSY;
    is_logged = false;
    doca_core_log_set_sink(list_devices, NULL);
    CHECK_OK(doca_dev_close(dev));
    doca_core_log_set_sink(NULL, NULL);
    CHECK(is_logged);
    fake.keeps = 0;
}

/* The address of a port may change while the device is open. Each start uses the current one. */
static void queues_connect_with_the_current_address_of_the_port(void)
{
    unsigned is_ethernet;
    struct rig r;

    for (is_ethernet = 0; is_ethernet < 2; is_ethernet++) {
        open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_RC, 4);
        rig_stop(&r, r.ctx);
        fake.is_ethernet = is_ethernet != 0;
        fake.has_ipv4 = !fake.has_ipv4;
        fake.lid = 8; /* fake_modify_qp() refuses any other LID */
        CHECK_OK(doca_ctx_start(r.ctx));
        (void)rig_copy(&r, r.dma, 0, 100);
        (void)fake_run();
        rig_drain(&r);
        CHECK_EQ(r.num_ok, 1);
        rig_stop(&r, r.ctx);
        fake.no_port = EINVAL;
        CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_INVALID_VALUE);
        fake.no_port = 0;
        rig_close(&r);
    }
}

/* An event reports that a queue has failed. Completions of its tasks may be lost, so the backend
 * treats the whole device as failed. An event about a queue pair of the program is ignored. */
static void failed_queue_fails_its_device(void)
{
    static struct ibv_qp of_the_program;
    struct ibv_async_event event;
    struct rig r;
    unsigned turn, i;

    for (turn = 0; turn < 4; turn++) {
        if (turn < 3)
            open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
        else
            open_pd_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO);
        (void)rig_copy(&r, r.dma, 0, 100);
        memset(&event, 0, sizeof(event));
        event.event_type = IBV_EVENT_QP_FATAL;
        event.element.qp = &of_the_program;
        CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event));
        CHECK(!rig_progress(&r));
        event.element.qp = &fake.qps[0].ibv;
        fake.of_event = &fake.qps[0].ibv;
        if (turn == 0)
            fake_async_event(IBV_EVENT_CQ_ERR);
        else if (turn == 1)
            fake_async_event(IBV_EVENT_QP_FATAL);
        else
            CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event));
        for (i = 0; i < DOCA_CORE_PE_PATIENCE + 1 && !rig_progress(&r); i++)
            ;
        rig_drain(&r);
        CHECK_EQ(r.num_failed, 1);
        CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
        rig_close(&r);
    }
}

/* ---- events ---- */

/* The words that the backend writes for the device to arm a completion queue. It writes nothing
 * when the queue is armed already. */
static void arming_writes_sequence_and_index(void)
{
    static const unsigned char first[8] = { 0x00, 0, 0, 0x00, 0, 0, 0x43, 0x21 };
    static const unsigned char second[8] = { 0x10, 0, 0, 0x01, 0, 0, 0x43, 0x21 };
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_MEM(&fake.cq_uar[4], first, 8);
    CHECK_MEM(&fake.cq_dbrec[1], first, 4);
    CHECK(!is_readable(r.pe));
    (void)rig_copy(&r, r.dma, 0, 64);
    CHECK(!is_readable(r.pe));
    (void)fake_run();
    fake_cq_event();
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK(!is_readable(r.pe));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(fake_be32(&fake.cq_dbrec[0]), 1);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_MEM(&fake.cq_uar[4], second, 8);
    fake.cq_uar[4] = 0;
    CHECK_OK(doca_pe_request_notification(r.pe)); /* the queue is armed already */
    CHECK_EQ(fake.cq_uar[4], 0);
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_close(&r);
}

/* An armed completion queue cannot be disarmed. When its event arrives after the notification was
 * cleared, the handle does not become readable before the next request. */
static void event_after_clear_is_seen_at_the_next_request(void)
{
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    (void)rig_copy(&r, r.dma, 0, 64);
    (void)fake_run();
    fake_cq_event();
    CHECK(!is_readable(r.pe));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(is_readable(r.pe)); /* the completion has already arrived */
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    rig_close(&r);
}

static void failure_of_the_device_wakes_sleepers(void)
{
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    (void)rig_copy(&r, r.dma, 0, 64);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    fake_async_event(IBV_EVENT_DEVICE_FATAL);
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 1);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(syndromes_become_reasons, ""),
    CASE(error_flushes_every_task_once, ""),
    CASE(failed_piece_fails_its_task_at_the_end, ""),
    CASE(task_of_which_verbs_accept_a_part_fails, ""),
    CASE(tasks_behind_a_refused_task_are_not_started, ""),
    CASE(waiting_tasks_are_not_started_after_an_error, ""),
    CASE(stop_flushes_tasks_of_the_device, ""),
    CASE(stop_ends_both_queue_pairs, ""),
    CASE(queues_of_a_failed_device_are_reset_before_tasks_end, ""),
    CASE(failed_device_fails_every_task, ""),
    CASE(start_that_fails_leaves_nothing, ""),
    CASE(changed_destination_fails_the_task, ""),
    CASE(changed_source_of_the_cpu_fails_the_task, ""),
    CASE(lost_completion_fails_its_task, ""),
    CASE(lost_completion_does_not_hold_up_a_stop, ""),
    CASE(queue_that_cannot_be_read_fails_its_tasks, ""),
    CASE(resources_that_the_device_keeps_are_logged, ""),
    CASE(close_logs_kept_resources_after_releasing_the_lock, ""),
    CASE(queues_connect_with_the_current_address_of_the_port, ""),
    CASE(failed_queue_fails_its_device, ""),
    CASE(arming_writes_sequence_and_index, ""),
    CASE(event_after_clear_is_seen_at_the_next_request, ""),
    CASE(failure_of_the_device_wakes_sleepers, ""),
    CASE(failed_device_stops_an_idle_context, ""),
    CASE(completion_without_a_doorbell_does_no_harm, ""),
    CASE(device_may_fail_while_a_context_stops, ""),
    CASE(further_events_of_a_failed_device_do_not_wake, ""),
    CASE(program_passes_on_the_failure_of_its_device, ""),
    CASE(fault_of_the_pd_affects_no_other_call, ""),
    CASE(failure_is_found_without_events_from_the_program, ""),
    CASE(queue_that_cannot_be_armed_is_not_slept_on, ""),
    CASE(missing_device_list_is_logged, ""),
    CASE(start_without_descriptors_is_refused, ""),
    CASE(start_names_the_step_that_was_refused, ""),
    CASE(start_without_gid_is_refused_with_the_reason, ""),
    CASE(refused_registration_is_logged_with_the_reason, ""),
    CASE(refused_open_is_logged_with_the_reason, ""),
    CASE(search_for_devices_says_which_query_was_refused, ""),
    CASE(rings_outside_the_block_are_logged, ""),
};

TEST_MAIN(cases)

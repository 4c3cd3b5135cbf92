/* What the mlx5 backend does when things go wrong, before a device in plain memory (mlx5_fake.h),
 * and how a program that sleeps hears of it. */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_fake_rig.h"

#include <poll.h>

static bool is_readable(const struct doca_pe *pe)
{
    struct pollfd wanted = { .events = POLLIN };

    CHECK_OK(doca_pe_get_notification_handle(pe, &wanted.fd));
    return poll(&wanted, 1, 0) == 1;
}

/* ---- when it fails ---- */

static void syndromes_become_reasons(void)
{
    static const struct {
        uint8_t syndrome, vendor;
        enum doca_core_item item;
        const char *text; /* what stands at the end */
    } rows[] = {
        { 0x01, 0, DOCA_CORE_ITEM_MLX5_LENGTH, "0x1 [IO_FAILED]" },
        { 0x02, 0x9d, DOCA_CORE_ITEM_MLX5_QP_OP, "0x9d02 [IO_FAILED]" },
        { 0x04, 0x51, DOCA_CORE_ITEM_MLX5_PROTECTION, "0x5104 [IO_FAILED]" },
        { 0x11, 0x33, DOCA_CORE_ITEM_MLX5_PROTECTION, "0x3311 [IO_FAILED]" },
        { 0x12, 0x8a, DOCA_CORE_ITEM_MLX5_REMOTE, "0x8a12 [IO_FAILED]" },
        { 0x13, 0x88, DOCA_CORE_ITEM_MLX5_ACCESS, "0x8813 [IO_FAILED]" },
        { 0x14, 0x89, DOCA_CORE_ITEM_MLX5_REMOTE, "0x8914 [IO_FAILED]" },
        { 0x15, 0x81, DOCA_CORE_ITEM_MLX5_RETRY, "0x8115 [IO_FAILED]" },
        { 0x16, 0, DOCA_CORE_ITEM_MLX5_RETRY, "0x16 [IO_FAILED]" },
        { 0x22, 0, DOCA_CORE_ITEM_MLX5_REMOTE, "0x22 [IO_FAILED]" },
        { 0x40, 0x07, DOCA_CORE_ITEM_MLX5_OTHER, "0x740 [IO_FAILED]" },
    };
    const char *text;
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
        text = doca_core_last_error();
        CHECK(strlen(text) > strlen(rows[i].text));
        CHECK_STR(text + strlen(text) - strlen(rows[i].text), rows[i].text);
        rig_close(&r);
    }
}

/* A list of ten sources, of `len` bytes in all. */
static void submit_tenths(struct rig *r, size_t at, size_t len)
{
    struct doca_buf *src = rig_src(r, at, len / 10);
    unsigned i;

    for (i = 1; i < 10; i++)
        CHECK_OK(doca_buf_chain_list(src, rig_src(r, at + len / 10 * i, len / 10)));
    CHECK_OK(rig_submit(rig_task(r->dma, src, rig_dst(r, at, len))));
}

/* The n-th WQE fails: tasks before it are done, none behind it is, and every one comes back. */
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

        /* another start has new queues */
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
    flush_every_task_once(20, false); /* in their WQEs */
    flush_every_task_once(100, true); /* WQEs of three blocks */
}

/* A WQE for each of `num` destinations, of 100 bytes. */
static void submit_list(struct rig *r, unsigned num)
{
    struct doca_buf *dst = rig_dst(r, 0, 100);
    unsigned i;

    for (i = 1; i < num; i++)
        CHECK_OK(doca_buf_chain_list(dst, rig_dst(r, i * 1000, 100)));
    CHECK_OK(rig_submit(rig_task(r->dma, rig_src(r, 0, num * 100), dst)));
}

/* A middle piece of a list fails: one callback, after the device has let go of all of them. */
static void failed_piece_fails_its_task_at_the_end(void)
{
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 4);
    fake.fail_at = 2;
    fake.syndrome = 0x02;
    submit_list(&r, 5);
    finish(&r);
    CHECK_EQ(fake.cq_pi, 4); /* the one, and three that were flushed, all of them read */
    CHECK_EQ(fake_be32(&fake.cq_dbrec[0]), 4);
    CHECK_EQ(r.num_failed, 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_QP_OP);
    rig_close(&r);
}

/* Verbs take some pieces of a list and no more. What they took is done, and has to be heard of. */
static void task_that_verbs_take_in_part_fails(void)
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

/* Tasks before it are done, those behind it fail and the device never hears of them. */
static void tasks_behind_a_refused_one_are_not_begun(void)
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

/* Those that wait for room when one before them fails. */
static void tasks_that_wait_are_not_begun_after_an_error(void)
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
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), FAKE_WQES + 1); /* one began when one was done,
                                                                  and one ends the flush */
    rig_close(&r);
}

static void stop_flushes_what_the_device_has(void)
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

/* What is on its way to the peer would be written there behind the program's back. */
static void stop_ends_the_peer_as_well(void)
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

/* What has failed may be another part of the device than the queue, whose tasks go back all the
 * same: not before it is at rest. */
static void tasks_of_a_failed_device_are_ended_first(void)
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

/* Nothing comes back of a device that has failed. */
static void failed_device_fails_every_task(void)
{
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 8; i++)
        (void)rig_copy(&r, r.dma, i * 100, 100);
    fake_async_event(IBV_EVENT_PORT_ERR); /* of no importance */
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

/* Polled; and the device is another one when it is opened again. */
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

/* The device completes what it was not told of: nothing hangs, and the next task is done. */
static void completion_of_what_was_not_rung_is_survived(void)
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

/* What it does not flush any more comes back as well. */
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

/* A context that cannot become idle yet keeps nobody awake by what else its device says. */
static void failed_device_may_say_more(void)
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

/* A rig on a device that the program opened, and that tells the program what happens to it. */
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

static void program_passes_on_that_its_device_failed(void)
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
    CHECK_OK(doca_core_mlx5_pass_event(r.dev, &event)); /* one of each of its contexts */
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

/* Faults of a PD are of whoever asks for it. */
static void engine_is_told_without_a_pd(void)
{
    enum doca_core_mlx5_engine engine;
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

/* Nobody passes it on: the port is asked, seldom, and only an answer that says so counts. */
static void program_that_passes_nothing_on_is_found_out_late(void)
{
    unsigned long calls;
    unsigned before;
    struct rig r;

    open_pd_rig(&r, DOCA_CORE_MLX5_ENGINE_RC);
    fake.no_port = EINVAL;
    before = fake.num_asks;
    for (calls = 0; calls < 2ul * DOCA_PRIV_MLX5_ASKS * DOCA_CORE_PE_PATIENCE; calls++)
        CHECK(!doca_pe_progress(r.pe));
    CHECK_EQ(fake.num_asks - before, 2);
    fake.no_port = EIO;
    for (calls = 0; r.num_states == 0; calls++)
        (void)rig_progress(&r);
    CHECK(calls <= (unsigned long)DOCA_PRIV_MLX5_ASKS * DOCA_CORE_PE_PATIENCE);
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    rig_close(&r);
}

/* Nor can it be slept on: it is polled instead, until it can be armed again, or has failed. */
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
    CHECK(!is_readable(r.pe)); /* it is armed */
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

static void machine_without_rdma_has_no_list(void)
{
    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    fake.no_list = ENOSYS;
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_NO_LIST);
    CHECK(strstr(doca_core_last_error(), "0x26") != NULL);
    fake.no_list = 0;
    use_fake(DOCA_CORE_MLX5_ENGINE_AUTO);
}

static void start_without_descriptors_says_so(void)
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

/* What the CPU is to move is looked at again before it does. */
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

/* The task whose completion is lost fails as soon as another one comes, which is not lost too. */
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

/* Nothing comes behind it but what ends a flush. */
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

static void what_the_device_keeps_is_told(void)
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

static bool is_told;

/* The program may call the library from its sink. */
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
    is_told = true;
}

/* Under the lock of all devices, for which the sink would wait for ever. */
static void what_a_closed_device_keeps_is_told_behind_the_lock(void)
{
    struct doca_dev *dev;

    fake_reset();
    use_fake(DOCA_CORE_MLX5_ENGINE_RC);
    dev = rig_open_dev(NULL);
    fake.keeps = EBUSY;
    is_told = false;
    doca_core_log_set_sink(list_devices, NULL);
    CHECK_OK(doca_dev_close(dev));
    doca_core_log_set_sink(NULL, NULL);
    CHECK(is_told);
    fake.keeps = 0;
}

/* Addresses change while a device is open. */
static void queues_connect_by_the_address_that_the_port_has(void)
{
    unsigned is_ethernet;
    struct rig r;

    for (is_ethernet = 0; is_ethernet < 2; is_ethernet++) {
        open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_RC, 4);
        rig_stop(&r, r.ctx);
        fake.is_ethernet = is_ethernet != 0;
        fake.has_ipv4 = !fake.has_ipv4;
        fake.lid = 8; /* fake_modify_qp() compares */
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

/* What is said of a queue: its completions, or those of another one, are gone for good. */
static void queue_that_ends_fails_its_device(void)
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

/* What the device gets to read when its completion queue is armed, and when it is not anew. */
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
    CHECK_OK(doca_pe_request_notification(r.pe)); /* it is armed already */
    CHECK_EQ(fake.cq_uar[4], 0);
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_close(&r);
}

/* The device cannot be disarmed: the event that it owes is not to be seen before the next arming,
 * and then it is. */
static void event_of_a_cleared_arming_is_kept_back(void)
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
    CHECK(is_readable(r.pe)); /* there is a completion */
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    rig_close(&r);
}

static void failure_of_the_device_wakes(void)
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
    CASE(task_that_verbs_take_in_part_fails, ""),
    CASE(tasks_behind_a_refused_one_are_not_begun, ""),
    CASE(tasks_that_wait_are_not_begun_after_an_error, ""),
    CASE(stop_flushes_what_the_device_has, ""),
    CASE(stop_ends_the_peer_as_well, ""),
    CASE(tasks_of_a_failed_device_are_ended_first, ""),
    CASE(failed_device_fails_every_task, ""),
    CASE(start_that_fails_leaves_nothing, ""),
    CASE(changed_destination_fails_the_task, ""),
    CASE(changed_source_of_the_cpu_fails_the_task, ""),
    CASE(lost_completion_fails_its_task, ""),
    CASE(lost_completion_does_not_hold_up_a_stop, ""),
    CASE(queue_that_cannot_be_read_fails_its_tasks, ""),
    CASE(what_the_device_keeps_is_told, ""),
    CASE(what_a_closed_device_keeps_is_told_behind_the_lock, ""),
    CASE(queues_connect_by_the_address_that_the_port_has, ""),
    CASE(queue_that_ends_fails_its_device, ""),
    CASE(arming_writes_sequence_and_index, ""),
    CASE(event_of_a_cleared_arming_is_kept_back, ""),
    CASE(failure_of_the_device_wakes, ""),
    CASE(failed_device_stops_an_idle_context, ""),
    CASE(completion_of_what_was_not_rung_is_survived, ""),
    CASE(device_may_fail_while_a_context_stops, ""),
    CASE(failed_device_may_say_more, ""),
    CASE(program_passes_on_that_its_device_failed, ""),
    CASE(engine_is_told_without_a_pd, ""),
    CASE(program_that_passes_nothing_on_is_found_out_late, ""),
    CASE(queue_that_cannot_be_armed_is_not_slept_on, ""),
    CASE(machine_without_rdma_has_no_list, ""),
    CASE(start_without_descriptors_says_so, ""),
};

TEST_MAIN(cases)

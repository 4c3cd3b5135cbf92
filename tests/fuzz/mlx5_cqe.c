/* Forged completions in the queue of the simulated device of mlx5_fake.h, mixed with the
 * completions of the device, queue overflows, and asynchronous events. Each task must complete
 * once: either with success and all its bytes, or with an error and no bytes. No more tasks may
 * succeed than there are successful completions. Stopping the context completes all tasks. If
 * completions were overwritten, or completions of the stop were lost, a fatal error of the device
 * completes them. */
#include "fuzz.h"

#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_fake.h"

enum { MAX_TASKS = 16, SLOT = 512 };

static struct rig rig;
static struct job {
    struct doca_dma_task_memcpy *task;
    size_t bytes;
    bool is_out, is_done; /* submitted; completed */
} jobs[MAX_TASKS];
static unsigned num_out;
static unsigned num_good; /* successful completions so far: at most this number of tasks succeed */
static bool has_forged;   /* a forged completion was written */
static bool is_fatal;     /* the device has reported a fatal error */
static bool has_lost;     /* the device dropped a completion while the context was stopping */

static void use_engine(enum doca_core_mlx5_engine engine)
{
    const struct doca_core_mlx5_options options = { &fake_sys, engine };
    static const struct doca_core_dev_attr none;
    static bool is_registered;
    const struct doca_core_backend *backend = doca_core_mlx5_backend(&options);

    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    if (!is_registered)
        CHECK_OK(doca_core_backend_register(backend));
    is_registered = true;
}

static void fuzz_set_up(void)
{
}

/* ---- tasks ---- */

static void job_done(struct rig *r, struct doca_dma_task_memcpy *task)
{
    struct doca_buf *src = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(task);
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);
    unsigned i = 0;

    while (i < MAX_TASKS && (jobs[i].task != task || !jobs[i].is_out || jobs[i].is_done))
        i++;
    CHECK(i < MAX_TASKS); /* the task was in flight */
    CHECK(rig.num_ok <= num_good);
    jobs[i].is_done = true;
    num_out--;
    CHECK_EQ(rig_data_len(dst), r->status == DOCA_SUCCESS ? jobs[i].bytes : 0);
    CHECK(r->status == DOCA_SUCCESS || r->status == DOCA_ERROR_IO_FAILED ||
          r->status == DOCA_ERROR_SHUTDOWN || r->status == DOCA_ERROR_DRIVER);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    share_drop(src, dst);
}

static void submit(void)
{
    unsigned i = 0;
    doca_error_t rc;

    while (i < MAX_TASKS && jobs[i].is_out)
        i++;
    if (i == MAX_TASKS || rig_state(rig.ctx) != DOCA_CTX_STATE_RUNNING)
        return;
    jobs[i].bytes = 1 + fuzz_below(SLOT);
    jobs[i].task = rig_prepare(&rig, rig.dma, i * SLOT, jobs[i].bytes);
    jobs[i].is_out = true;
    jobs[i].is_done = false;
    num_out++;
    rc = doca_task_submit_ex(doca_dma_task_memcpy_as_task(jobs[i].task),
                             fuzz_byte() % 4 == 0 ? DOCA_TASK_SUBMIT_FLAG_NONE
                                                  : DOCA_TASK_SUBMIT_FLAG_FLUSH);
    /* submit may detect the fatal error before progress does */
    if (is_fatal && rc != DOCA_SUCCESS) {
        CHECK(rc == DOCA_ERROR_DRIVER || rc == DOCA_ERROR_IO_FAILED);
        num_out--;
        jobs[i].is_out = false;
        rig_release(jobs[i].task);
        return;
    }
    CHECK_OK(rc);
}

/* ---- completions ---- */

/* True if the queue has room for a completion besides the last completion, which a stop needs. */
static bool has_room(void)
{
    return ((fake.cq_pi - fake_be32(fake.cq_dbrec)) & 0xffffff) < fake.num_cqes - 1;
}

/* Write a completion to the next slot of the queue. Its owner bit may mark it as not written
 * yet. */
static void forge_cqe(void)
{
    unsigned char *cqe = fake.cqes + fake.cq_pi % fake.num_cqes * fake.cqe_bytes +
                         (fake.cqe_bytes - 64);
    unsigned how = fuzz_byte(), turn = fake.cq_pi / fake.num_cqes & 1, i;
    unsigned index = fuzz_byte();

    has_forged = true;
    if ((how & 1) != 0) /* bytes of the input */
        for (i = 0; i < 63; i++)
            cqe[i] = fuzz_byte();
    else
        memset(cqe, 0, 63);
    if ((how & 2) != 0) { /* the WQE index of a task, or a near index */
        index += fake.qps[0].ci - 8u;
        cqe[60] = (unsigned char)(index >> 8);
        cqe[61] = (unsigned char)index;
    }
    if ((how & 4) == 0) { /* vendor syndrome, syndrome */
        cqe[54] = (unsigned char)(how >> 4);
        cqe[55] = fuzz_byte();
    }
    cqe[63] = (unsigned char)((fuzz_byte() & 0xf2) | ((how & 8) != 0 ? !turn : turn));
    if ((how & 8) == 0 && cqe[63] >> 4 != 15) {
        fake.cq_pi++;
        num_good += cqe[63] >> 4 == 0;
    }
}

/* Write many completions, some successful and then errors, even if the queue has no room: it then
 * overflows, and completions that were not read are lost. */
static void write_many_cqes(void)
{
    unsigned num = fuzz_byte() * 2u, how = fuzz_byte(), num_good_ones = how % 4, i;
    unsigned char *cqe;

    for (i = 0; i < num; i++, fake.cq_pi++) {
        cqe = fake.cqes + (fake.cq_pi % fake.num_cqes + 1) * fake.cqe_bytes - 64;
        memset(cqe, 0, 63);
        cqe[61] = (unsigned char)(fake.qps[0].ci + i);
        cqe[60] = (unsigned char)((fake.qps[0].ci + i) >> 8);
        cqe[55] = (unsigned char)(how >> 4);
        cqe[63] = (unsigned char)((i < num_good_ones ? 0u : 13u) << 4 |
                                  (fake.cq_pi / fake.num_cqes & 1));
        num_good += i < num_good_ones;
        has_forged = true;
        fake.is_overrun = fake.is_overrun || !has_room();
    }
}

/* Deliver an asynchronous event: either the program passes it to the backend, or the backend reads
 * it from the device. */
static void deliver_event(void)
{
    static const enum ibv_event_type types[] = { IBV_EVENT_PORT_ERR, IBV_EVENT_CQ_ERR,
                                                 IBV_EVENT_QP_FATAL, IBV_EVENT_DEVICE_FATAL };
    unsigned how = fuzz_byte();
    struct ibv_async_event event;

    if (is_fatal)
        return; /* no event follows the fatal error */
    memset(&event, 0, sizeof(event));
    event.event_type = (how & 8) != 0 ? (enum ibv_event_type)(how >> 4) : types[how & 3];
    is_fatal = event.event_type == IBV_EVENT_DEVICE_FATAL;
    if ((how & 4) != 0)
        CHECK_OK(doca_core_mlx5_pass_event(rig.dev, &event));
    else
        fake_async_event((int)event.event_type);
}

/* Let the device execute its WQEs. If the completion of a task was forged, the device executes its
 * WQE although the task may be freed; the destination is then not compared. */
static void run_device(void)
{
    bool may_lose = fake.drop_at > 0 && rig_state(rig.ctx) == DOCA_CTX_STATE_STOPPING;
    uint32_t at = fake.cq_pi;

    (void)fake_run();
    has_lost = has_lost || (may_lose && fake.drop_at == 0);
    for (; at != fake.cq_pi; at++)
        num_good += fake.cqes[(at % fake.num_cqes + 1) * fake.cqe_bytes - 1] >> 4 == 0;
}

static void progress(void)
{
    unsigned i;

    for (i = fuzz_byte() % 16; i > 0; i--)
        (void)rig_progress(&rig);
}

static void step(void)
{
    unsigned byte = fuzz_byte(), what = byte % 16;

    if (what < 5)
        submit();
    else if (what < 9 && has_room())
        forge_cqe();
    else if (what < 9)
        return;
    else if (what < 12)
        progress();
    else if (what == 12)
        run_device();
    else if (what == 13)
        fake.drop_at = 1 + fuzz_byte() % 4;
    else if (what == 14 && byte >> 4 == 15)
        write_many_cqes();
    else if (what == 14 && byte >> 4 > 12)
        deliver_event();
    else if (what == 14)
        doca_ctx_flush_tasks(rig.ctx);
    else if (rig_state(rig.ctx) == DOCA_CTX_STATE_RUNNING && num_out == 0)
        for (what = 0; what < MAX_TASKS; what++)
            jobs[what].is_out = false;
}

/* Check that the backend queries a failed device after some calls of progress, and then completes
 * all tasks. */
static void check_failed_device(void)
{
    unsigned i;

    for (i = 0; i < 2 * DOCA_CORE_PE_PATIENCE + 2 * MAX_TASKS; i++)
        (void)rig_progress(&rig);
    CHECK_EQ(rig_state(rig.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_RC(doca_ctx_start(rig.ctx), DOCA_ERROR_DRIVER);
}

/* Stop the context, and let the device execute the remaining WQEs. The completion of the last WQE
 * ends the stop. */
static void stop_and_check(void)
{
    doca_error_t rc = DOCA_SUCCESS;
    unsigned i;

    fake.drop_at = 0;
    if (is_fatal)
        check_failed_device();
    if (rig_state(rig.ctx) == DOCA_CTX_STATE_RUNNING)
        rc = doca_ctx_stop(rig.ctx);
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    for (i = 0; i < 4 && rig_state(rig.ctx) != DOCA_CTX_STATE_IDLE; i++) {
        run_device();
        rig_drain(&rig);
    }
    if ((fake.is_overrun || has_lost) && rig_state(rig.ctx) != DOCA_CTX_STATE_IDLE) {
        fake_async_event(IBV_EVENT_DEVICE_FATAL);
        check_failed_device();
    }
    CHECK(has_forged || !fake.is_overrun);
    CHECK_EQ(rig_state(rig.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(num_out, 0);
    CHECK_EQ(rig.num_ok + rig.num_failed, rig.num_callbacks - rig.num_states);
}

static void fuzz_run_input(void)
{
    static const enum doca_core_mlx5_engine engines[] = { DOCA_CORE_MLX5_ENGINE_MMO,
                                                          DOCA_CORE_MLX5_ENGINE_RC };
    unsigned how = fuzz_byte(), num_steps = 0;

    memset(jobs, 0, sizeof(jobs));
    num_out = num_good = 0;
    has_forged = is_fatal = has_lost = false;
    fake_reset();
    fake.cqe_bytes = (how & 2) != 0 ? 128 : 64;
    use_engine(engines[how % 2]);
    rig_open(&rig, MAX_TASKS);
    rig.on_task = job_done;
    while (fuzz_left > 0 && num_steps++ < 400 && rig.num_states < 20)
        step();
    stop_and_check();
    rig_close(&rig);
}

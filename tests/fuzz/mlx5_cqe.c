/* Completions of all forms in the queue of a device in plain memory (mlx5_fake.h), mixed with
 * completions that the device writes itself, more than the queue has room for, and events of the
 * device for its context. Whatever they say, each task comes back once, either with success and its
 * bytes or with an error and no bytes, and no more tasks succeed than there are successful
 * completions. A stop ends everything; where completions were overwritten, or the completions of
 * the stop were lost, the end of the device does. */
#include "fuzz.h"

#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_fake.h"

enum { MAX_TASKS = 16, SLOT = 512 };

static struct rig rig;
static struct job {
    struct doca_dma_task_memcpy *task;
    size_t bytes;
    bool is_out, is_done; /* given to the device; and come back */
} jobs[MAX_TASKS];
static unsigned num_out;
static unsigned num_good; /* completions without an error so far; each stands for one task */
static bool has_forged;   /* the queue holds a completion that the device did not write */
static bool is_fatal;     /* the device has said that it failed */
static bool has_lost;     /* the device dropped a completion of a stop, possibly the last */

static void use(enum doca_core_mlx5_engine engine)
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

static void once(void)
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
    CHECK(i < MAX_TASKS); /* else it was not under way */
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
    /* a call that asks the device may learn of the failure before progress does */
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

static bool has_room(void) /* and for one more, the last one, of the flush */
{
    return ((fake.cq_pi - fake_be32(fake.cq_dbrec)) & 0xffffff) < fake.num_cqes - 1;
}

/* Write one where the next one belongs; it may be one that is not the backend's yet. */
static void forge_cqe(void)
{
    unsigned char *cqe = fake.cqes + fake.cq_pi % fake.num_cqes * fake.cqe_bytes +
                         (fake.cqe_bytes - 64);
    unsigned how = fuzz_byte(), turn = fake.cq_pi / fake.num_cqes & 1, i;
    unsigned index = fuzz_byte();

    has_forged = true;
    if ((how & 1) != 0) /* any bytes at all */
        for (i = 0; i < 63; i++)
            cqe[i] = fuzz_byte();
    else
        memset(cqe, 0, 63);
    if ((how & 2) != 0) { /* of a task, or near it */
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

/* Write many of one form, up to the next one's place and beyond: the queue overflows, and what was
 * not read is gone. */
static void flood(void)
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

/* Deliver an asynchronous event: the program passes it on, or the backend reads it from the
 * device. */
static void say(void)
{
    static const enum ibv_event_type types[] = { IBV_EVENT_PORT_ERR, IBV_EVENT_CQ_ERR,
                                                 IBV_EVENT_QP_FATAL, IBV_EVENT_DEVICE_FATAL };
    unsigned how = fuzz_byte();
    struct ibv_async_event event;

    if (is_fatal)
        return; /* the last word */
    memset(&event, 0, sizeof(event));
    event.event_type = (how & 8) != 0 ? (enum ibv_event_type)(how >> 4) : types[how & 3];
    is_fatal = event.event_type == IBV_EVENT_DEVICE_FATAL;
    if ((how & 4) != 0)
        CHECK_OK(doca_core_mlx5_pass_event(rig.dev, &event));
    else
        fake_async_event((int)event.event_type);
}

/* A task whose completion was forged may be free by now. The device executes its WQE all the same,
 * into a destination that is not compared. */
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
        flood();
    else if (what == 14 && byte >> 4 > 12)
        say();
    else if (what == 14)
        doca_ctx_flush_tasks(rig.ctx);
    else if (rig_state(rig.ctx) == DOCA_CTX_STATE_RUNNING && num_out == 0)
        for (what = 0; what < MAX_TASKS; what++)
            jobs[what].is_out = false;
}

/* The backend asks a failed device sooner or later, and then no task waits for it. */
static void end_of_device(void)
{
    unsigned i;

    for (i = 0; i < 2 * DOCA_CORE_PE_PATIENCE + 2 * MAX_TASKS; i++)
        (void)rig_progress(&rig);
    CHECK_EQ(rig_state(rig.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_RC(doca_ctx_start(rig.ctx), DOCA_ERROR_DRIVER);
}

/* Whatever was forged, the device does the rest, and the last WQE says that it has. */
static void end(void)
{
    doca_error_t rc = DOCA_SUCCESS;
    unsigned i;

    fake.drop_at = 0;
    if (is_fatal)
        end_of_device();
    if (rig_state(rig.ctx) == DOCA_CTX_STATE_RUNNING)
        rc = doca_ctx_stop(rig.ctx);
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    for (i = 0; i < 4 && rig_state(rig.ctx) != DOCA_CTX_STATE_IDLE; i++) {
        run_device();
        rig_drain(&rig);
    }
    if ((fake.is_overrun || has_lost) && rig_state(rig.ctx) != DOCA_CTX_STATE_IDLE) {
        fake_async_event(IBV_EVENT_DEVICE_FATAL);
        end_of_device();
    }
    CHECK(has_forged || !fake.is_overrun);
    CHECK_EQ(rig_state(rig.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(num_out, 0);
    CHECK_EQ(rig.num_ok + rig.num_failed, rig.num_callbacks - rig.num_states);
}

static void one(void)
{
    static const enum doca_core_mlx5_engine engines[] = { DOCA_CORE_MLX5_ENGINE_MMO,
                                                          DOCA_CORE_MLX5_ENGINE_RC };
    unsigned how = fuzz_byte(), num_steps = 0;

    memset(jobs, 0, sizeof(jobs));
    num_out = num_good = 0;
    has_forged = is_fatal = has_lost = false;
    fake_reset();
    fake.cqe_bytes = (how & 2) != 0 ? 128 : 64;
    use(engines[how % 2]);
    rig_open(&rig, MAX_TASKS);
    rig.on_task = job_done;
    while (fuzz_left > 0 && num_steps++ < 400 && rig.num_states < 20)
        step();
    end();
    rig_close(&rig);
}

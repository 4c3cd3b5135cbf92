/* RDMA devices that fail while contexts run on them: many contexts on many progress engines, busy
 * and idle, polled and slept on, in one thread and in several, in a PD of the device and in a PD of
 * the program.
 *
 * Most cases need an emulated device that fails at its 400th doorbell, counted over the whole run:
 *
 *     DOCA_TEST_FAULT=fatal tools/mlx5sim/run --fault fatal:400 -- mlx5_failure CASE
 *
 * Without DOCA_TEST_FAULT these cases are skipped. */
#define DOCA_CORE_MLX5_IMPLEMENTATION /* for the private structure with the descriptor of events */
#include "mlx5_rig.h"

#include <infiniband/verbs.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>

enum { EACH = 2, BURST = 4, LEN = 64, PATIENCE_S = 40 };

/* A progress engine and its contexts. */
struct part {
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_dma *dmas[EACH];
    bool is_busy;
    int set; /* epoll descriptor of the program, which contains the handle; -1: the part polls */
    struct doca_mmap *maps[2];
    struct doca_buf_inventory *inventory;
    struct doca_buf *src, *dst[BURST];
    unsigned num_stopping, num_idle, num_submitted, num_ended, num_failed;
};

static void skip_without_fault(void)
{
    if (getenv("DOCA_TEST_FAULT") == NULL)
        test_skip("the device does not fail (see DOCA_TEST_FAULT)");
    (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
}

static void part_state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                               enum doca_ctx_states prev, enum doca_ctx_states next)
{
    struct part *p = user_data.ptr;

    (void)ctx;
    if (next == DOCA_CTX_STATE_STOPPING) {
        CHECK_EQ(prev, DOCA_CTX_STATE_RUNNING);
        p->num_stopping++;
    } else if (next == DOCA_CTX_STATE_IDLE) {
        CHECK_EQ(prev, DOCA_CTX_STATE_STOPPING);
        p->num_idle++;
    }
}

static void part_task_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                           union doca_data ctx_data)
{
    struct part *p = ctx_data.ptr;

    (void)task_data;
    p->num_ended++;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void part_task_failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
                             union doca_data ctx_data)
{
    struct part *p = ctx_data.ptr;

    CHECK_RC(doca_task_get_status(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_IO_FAILED);
    p->num_failed++;
    part_task_done(task, task_data, ctx_data);
}

/* Make the buffers for the copies of a busy part: one source that only this part uses, and BURST
 * destinations. */
static void part_map(struct part *p, unsigned index)
{
    const size_t at = (size_t)index * LEN;
    unsigned i;

    p->maps[0] = rig_map(p->dev, rig_from + at, LEN);
    p->maps[1] = rig_map(p->dev, rig_to + at * BURST, LEN * BURST);
    CHECK_OK(doca_buf_inventory_create(1 + BURST, &p->inventory));
    CHECK_OK(doca_buf_inventory_start(p->inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(p->inventory, p->maps[0], rig_from + at, LEN,
                                                &p->src));
    for (i = 0; i < BURST; i++)
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(
            p->inventory, p->maps[1], rig_to + at * BURST + (size_t)i * LEN, LEN, &p->dst[i]));
}

static struct doca_dma *part_start_dma(struct part *p)
{
    struct doca_dma *dma;

    CHECK_OK(doca_dma_create(p->dev, &dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, part_task_done, part_task_failed, BURST));
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(dma), (union doca_data){ .ptr = p }));
    CHECK_OK(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(dma), part_state_changed));
    CHECK_OK(doca_pe_connect_ctx(p->pe, doca_dma_as_ctx(dma)));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    return dma;
}

static void part_open(struct part *p, struct doca_dev *dev, unsigned index, bool is_busy,
                      bool sleeps)
{
    struct epoll_event event = { .events = EPOLLIN };
    doca_notification_handle_t fd;
    unsigned i;

    memset(p, 0, sizeof(*p));
    p->dev = dev;
    p->is_busy = is_busy;
    p->set = -1;
    CHECK_OK(doca_pe_create(&p->pe));
    for (i = 0; i < EACH; i++)
        p->dmas[i] = part_start_dma(p);
    if (is_busy)
        part_map(p, index);
    if (sleeps) {
        p->set = epoll_create1(0);
        CHECK_OK(doca_pe_get_notification_handle(p->pe, &fd));
        CHECK_EQ(epoll_ctl(p->set, EPOLL_CTL_ADD, fd, &event), 0);
    }
    while (doca_pe_progress(p->pe))
        ;
}

static void part_close(struct part *p)
{
    unsigned i;

    for (i = 0; i < EACH; i++)
        CHECK_OK(doca_dma_destroy(p->dmas[i]));
    CHECK_OK(doca_pe_destroy(p->pe));
    if (p->set >= 0)
        close(p->set);
    if (!p->is_busy)
        return;
    CHECK_OK(doca_buf_dec_refcount(p->src, NULL));
    for (i = 0; i < BURST; i++)
        CHECK_OK(doca_buf_dec_refcount(p->dst[i], NULL));
    CHECK_OK(doca_buf_inventory_destroy(p->inventory));
    CHECK_OK(doca_mmap_destroy(p->maps[0]));
    CHECK_OK(doca_mmap_destroy(p->maps[1]));
}

/* Submit BURST more tasks on a busy part when all earlier ones have ended. */
static void part_submit(struct part *p)
{
    unsigned i;

    if (!p->is_busy || p->num_ended < p->num_submitted ||
        rig_state(doca_dma_as_ctx(p->dmas[0])) != DOCA_CTX_STATE_RUNNING)
        return;
    for (i = 0; i < BURST; i++) {
        CHECK_OK(doca_buf_reset_data_len(p->dst[i]));
        CHECK_OK(rig_submit(rig_task(p->dmas[0], p->src, p->dst[i])));
        p->num_submitted++;
    }
}

/* Run the program's loop once, sleeping for up to timeout_ms. */
static void part_turn(struct part *p, int timeout_ms)
{
    struct pollfd wanted = { p->set, POLLIN, 0 };

    part_submit(p);
    if (p->set >= 0) {
        CHECK_OK(doca_pe_request_notification(p->pe));
        if (poll(&wanted, 1, timeout_ms) == 0)
            return;
        CHECK_OK(doca_pe_clear_notification(p->pe, 0));
    }
    while (doca_pe_progress(p->pe))
        ;
}

/* Check that each context of the part stopped exactly once and cannot be started again, and that
 * each task of the part ended exactly once. */
static void part_check(struct part *p)
{
    unsigned i;

    CHECK(p->set >= 0 || !doca_pe_progress(p->pe));
    CHECK_EQ(p->num_stopping, EACH);
    CHECK_EQ(p->num_idle, EACH);
    CHECK_EQ(p->num_ended, p->num_submitted);
    CHECK(p->num_failed <= BURST);
    for (i = 0; i < EACH; i++) {
        CHECK_EQ(rig_state(doca_dma_as_ctx(p->dmas[i])), DOCA_CTX_STATE_IDLE);
        CHECK_RC(doca_ctx_start(doca_dma_as_ctx(p->dmas[i])), DOCA_ERROR_DRIVER);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_DEV_FAILED);
    }
}

static bool is_late(const struct timespec *begin)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - begin->tv_sec > PATIENCE_S;
}

/* ---- cases with one thread ---- */

/* The contexts have more queues than watch the device for events. */
static void every_context_stops(void)
{
    enum { PARTS = 50 };
    static struct part parts[PARTS];
    struct doca_devinfo **list;
    struct timespec begin;
    struct doca_dev *dev;
    unsigned i, num_idle, num_failed = 0;
    uint32_t num;

    skip_without_fault();
    dev = mlx5_open(0);
    for (i = 0; i < PARTS; i++)
        part_open(&parts[i], dev, i, i % 10 == 0, i % 3 != 0);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        num_idle = 0;
        for (i = 0; i < PARTS; i++) {
            part_turn(&parts[i], 0);
            num_idle += parts[i].num_idle;
        }
        CHECK(!is_late(&begin));
    } while (num_idle < PARTS * EACH);
    for (i = 0; i < PARTS; i++) {
        part_check(&parts[i]);
        num_failed += parts[i].num_failed;
        part_close(&parts[i]);
    }
    CHECK(num_failed > 0);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_RC(doca_dev_open(list[0], &dev), DOCA_ERROR_NOT_CONNECTED);
    CHECK_OK(doca_devinfo_destroy_list(list));
}

/* Submit tasks of one part until the device fails and has an event for it. */
static void part_breaks_the_device(struct part *p)
{
    struct pollfd wanted = { doca_priv_mlx5_dev_of(p->dev)->context->async_fd, POLLIN, 0 };
    struct timespec begin;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (poll(&wanted, 1, 0) == 0) {
        part_submit(p);
        (void)doca_pe_progress(p->pe);
        CHECK(!is_late(&begin));
    }
}

/* The queues that watched the device for events are closed. When the device fails afterwards, it
 * must still wake the threads that sleep on the remaining queues, without a call of the library. */
static void device_wakes_sleepers_after_watching_queues_closed(void)
{
    enum { PARTS = 36, LEFT = 3 };
    static struct part parts[PARTS];
    struct doca_dev *dev;
    unsigned i;

    skip_without_fault();
    dev = mlx5_open(0);
    for (i = 0; i < PARTS; i++)
        part_open(&parts[i], dev, i, i == PARTS - 1, i < PARTS - 1);
    for (i = 0; i < PARTS - LEFT; i++)
        part_close(&parts[i]);
    for (i = PARTS - LEFT; i < PARTS - 1; i++) {
        struct pollfd wanted = { parts[i].set, POLLIN, 0 };

        CHECK_OK(doca_pe_request_notification(parts[i].pe));
        CHECK_EQ(poll(&wanted, 1, 0), 0);
    }
    part_breaks_the_device(&parts[PARTS - 1]);
    for (i = PARTS - LEFT; i < PARTS - 1; i++) {
        struct pollfd wanted = { parts[i].set, POLLIN, 0 };

        CHECK_EQ(poll(&wanted, 1, 5000), 1);
    }
    for (i = PARTS - LEFT; i < PARTS; i++) {
        CHECK_OK(doca_pe_clear_notification(parts[i].pe, 0));
        while (doca_pe_progress(parts[i].pe))
            ;
        part_check(&parts[i]);
        part_close(&parts[i]);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* ---- a device that was opened from a PD of the program ---- */

struct own { /* verbs objects of the program, and the device that was opened from them */
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct doca_dev *dev;
};

static void own_open(struct own *own)
{
    struct ibv_device **devices;

    heap_trap_set(HEAP_TRAP_OFF);
    devices = ibv_get_device_list(NULL);
    own->context = ibv_open_device(devices[0]);
    own->pd = ibv_alloc_pd(own->context);
    ibv_free_device_list(devices);
    CHECK(own->pd != NULL);
    CHECK_OK(doca_rdma_bridge_open_dev_from_pd(own->pd, &own->dev));
}

static void own_close(struct own *own)
{
    CHECK_OK(doca_dev_close(own->dev));
    (void)ibv_dealloc_pd(own->pd);
    (void)ibv_close_device(own->context);
}

/* The program receives the event of the failure and passes it on. The contexts of its device stop,
 * even if a thread sleeps on them, and so do those of other devices that are open on the same
 * card. */
static void program_passes_on_the_event_of_the_failure(void)
{
    struct ibv_async_event event;
    struct part parts[3];
    struct doca_dev *dev;
    struct own own;
    unsigned i;

    skip_without_fault();
    own_open(&own);
    dev = mlx5_open(0);
    part_open(&parts[0], own.dev, 0, true, false);
    part_open(&parts[1], own.dev, 1, false, true);
    part_open(&parts[2], dev, 2, false, false);
    CHECK_OK(doca_pe_request_notification(parts[1].pe));
    part_breaks_the_device(&parts[0]);
    CHECK_EQ(parts[1].num_stopping + parts[2].num_stopping, 0);
    CHECK_EQ(ibv_get_async_event(own.context, &event), 0);
    CHECK_EQ(event.event_type, IBV_EVENT_DEVICE_FATAL);
    CHECK_OK(doca_core_mlx5_pass_event(own.dev, &event));
    ibv_ack_async_event(&event);
    for (i = 0; i < 3; i++) {
        struct pollfd wanted = { parts[i].set, POLLIN, 0 };

        CHECK_EQ(poll(&wanted, 1, 0), i == 1);
        CHECK_OK(doca_pe_clear_notification(parts[i].pe, 0));
        while (doca_pe_progress(parts[i].pe))
            ;
        part_check(&parts[i]);
        part_close(&parts[i]);
    }
    CHECK_OK(doca_dev_close(dev));
    own_close(&own);
}

static void failure_is_found_when_no_event_is_passed_on(void)
{
    struct part parts[2];
    struct timespec begin;
    struct own own;
    unsigned i;

    skip_without_fault();
    own_open(&own);
    part_open(&parts[0], own.dev, 0, true, false);
    part_open(&parts[1], own.dev, 1, false, false);
    part_breaks_the_device(&parts[0]);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (parts[1].num_idle < EACH) {
        part_turn(&parts[1], 0);
        CHECK(!is_late(&begin));
    }
    part_turn(&parts[0], 0);
    for (i = 0; i < 2; i++) {
        part_check(&parts[i]);
        part_close(&parts[i]);
    }
    own_close(&own);
}

/* ---- threads ---- */

static void silent_sink(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)item;
    (void)line;
    (void)user;
}

static uint32_t num_ready;

enum { THREADS = 6 };

static void *part_runs(void *argument)
{
    struct part *p = argument;
    unsigned index = p->num_submitted; /* number of the part, set before the thread starts */
    struct timespec begin;

    part_open(p, p->dev, index, index % 2 == 0, index % 3 != 0);
    __atomic_fetch_add(&num_ready, 1u, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&num_ready, __ATOMIC_SEQ_CST) < THREADS)
        sched_yield();
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (p->num_idle < EACH) {
        part_turn(p, 1000);
        CHECK(!is_late(&begin));
        sched_yield();
    }
    part_check(p);
    part_close(p);
    return NULL;
}

static void contexts_of_every_thread_stop(void)
{
    static struct part parts[THREADS];
    pthread_t threads[THREADS];
    struct doca_dev *dev;
    unsigned i;

    skip_without_fault();
    doca_core_log_set_sink(silent_sink, NULL); /* the sink of the harness serves one thread only */
    dev = mlx5_open(0);
    heap_trap_set(HEAP_TRAP_OFF); /* the thread library allocates */
    for (i = 0; i < THREADS; i++) {
        parts[i].dev = dev;
        parts[i].num_submitted = i;
        CHECK_EQ(pthread_create(&threads[i], NULL, part_runs, &parts[i]), 0);
    }
    for (i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- descriptors ---- */

/* Start with a limit of file descriptors that allows none, then one, then two more, and so on. Each
 * refused start leaves the context idle and no descriptor open. */
static void start_without_descriptors_leaves_nothing(void)
{
    struct rlimit limit, small;
    unsigned spare, num_refused = 0;
    doca_error_t rc = DOCA_ERROR_OPERATING_SYSTEM;
    int lowest;
    struct rig r;

    (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    rig_build(&r, NULL, 4);
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    lowest = dup(0);
    CHECK(lowest >= 0);
    close(lowest);
    for (spare = 0; rc != DOCA_SUCCESS && spare < 10; spare++) {
        small = limit;
        small.rlim_cur = (rlim_t)lowest + spare;
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &small), 0);
        rc = doca_ctx_start(r.ctx);
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
        if (rc == DOCA_SUCCESS)
            break;
        CHECK_RC(rc, DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_EQ(dup(0), lowest);
        close(lowest);
        num_refused++;
    }
    CHECK_OK(rc);
    CHECK(num_refused >= 2); /* the start needs a completion channel and an epoll descriptor */
    rig_drain(&r);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(every_context_stops, "176 236 237"),
    CASE(device_wakes_sleepers_after_watching_queues_closed, ""),
    CASE(program_passes_on_the_event_of_the_failure, ""),
    CASE(failure_is_found_when_no_event_is_passed_on, ""),
    CASE(contexts_of_every_thread_stop, ""),
    CASE(start_without_descriptors_leaves_nothing, ""),
};

TEST_MAIN(cases)

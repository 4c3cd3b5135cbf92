/* Devices that fail as a whole, and the contexts on them: contexts with and without tasks in
 * flight, on a PE that is polled or armed, on one PE or on the PEs of several threads. The device
 * is the software device with a switch that makes it fail (held_backend.h). */
#include "held_backend.h"

#include <poll.h>
#include <pthread.h>

enum { TASKS = 8, LEN = 64 };

static bool is_readable(const struct doca_pe *pe)
{
    struct pollfd wanted = { .events = POLLIN };

    CHECK_OK(doca_pe_get_notification_handle(pe, &wanted.fd));
    return poll(&wanted, 1, 0) == 1;
}

static void submit_copies(struct rig *r, unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++)
        rig_copy(r, r->dma, i * LEN, LEN);
}

/* ---- cases with one PE ---- */

/* The context stops as after a failed task: one call of progress reports STOPPING, the next one
 * IDLE. */
static void idle_context_stops(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    held_fail(r.dev);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK(rig_progress(&r));
    CHECK_STR(r.states, "RP");
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_DEV_FAILED);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    CHECK(rig_progress(&r));
    CHECK_STR(r.states, "RP PI");
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK(!rig_progress(&r));
    CHECK_EQ(held.num_flushes, 0);
    CHECK_EQ(held.num_queues, 0);
    held_close_rig(&r);
}

static void restart_waits_for_the_device_to_work(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    held_fail(r.dev);
    rig_drain(&r);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_DEV_FAILED);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    held.has_failed = 0;
    rig_forget_states(&r);
    CHECK_OK(doca_ctx_start(r.ctx));
    r.frees_tasks = true;
    submit_copies(&r, TASKS);
    rig_drain(&r);
    CHECK_STR(r.states, "IR");
    CHECK_EQ(r.num_ok, TASKS);
    CHECK_MEM(rig_to, rig_from, TASKS * LEN);
    held_close_rig(&r);
}

static void tasks_in_flight_complete_once(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    r.frees_tasks = true;
    held.budget = 2;
    submit_copies(&r, TASKS);
    CHECK(rig_progress(&r) && rig_progress(&r) && !rig_progress(&r));
    held_fail(r.dev);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    CHECK_EQ(r.num_failed, TASKS - 2);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(held.num_flushes, 1);
    CHECK_STR(r.states, "RP PI");
    held_close_rig(&r);
}

/* Tasks that the library has not handed to the device yet complete with an error, too. */
static void tasks_submitted_without_flush_complete_too(void)
{
    struct rig r;
    unsigned i;

    held_begin();
    held_open_rig(&r, TASKS);
    r.frees_tasks = true;
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_task_submit_ex(
            doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, i * LEN, LEN)), 0));
    held_fail(r.dev);
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 3);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_STR(r.states, "RP PI");
    held_close_rig(&r);
}

static void allocated_tasks_keep_the_context_from_idle(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    task = rig_task(r.dma, NULL, NULL);
    held_fail(r.dev);
    rig_drain(&r);
    CHECK_STR(r.states, "RP");
    CHECK_RC(rig_submit(task), DOCA_ERROR_BAD_STATE);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    held_close_rig(&r);
}

/* A stop that is in progress when the device fails continues unchanged. */
static void stopping_context_is_not_stopped_again(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    r.frees_tasks = true;
    held.budget = 0;
    submit_copies(&r, 2);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    held_fail(r.dev);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_EQ(held.num_flushes, 1);
    CHECK_EQ(r.num_failed, 2);
    CHECK_RC(r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_STR(r.states, "RP PI");
    held_close_rig(&r);
}

static void starting_context_stops(void)
{
    struct rig r;

    held_begin();
    rig_build(&r, HELD_DMA, TASKS);
    held.opening = DOCA_ERROR_IN_PROGRESS;
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK(rig_progress(&r));
    held_fail(r.dev);
    rig_drain(&r);
    CHECK_STR(r.states, "IS SP PI");
    held_close_rig(&r);
}

/* Contexts of the same PE: two on the failing device, one of them without a state callback, and one
 * on a device that works. */
static void only_the_contexts_of_the_device_stop(void)
{
    struct doca_dma *second, *other;
    struct doca_dev *dev;
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    second = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(second), NULL));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(second)));
    dev = r.dev;
    r.dev = rig_open_dev(NULL);
    other = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
    rig_drain(&r);
    rig_forget_states(&r);
    held_fail(dev);
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(rig_state(doca_dma_as_ctx(second)), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(rig_state(doca_dma_as_ctx(other)), DOCA_CTX_STATE_RUNNING);
    rig_stop(&r, doca_dma_as_ctx(other));
    CHECK_OK(doca_dma_destroy(other));
    CHECK_OK(doca_dma_destroy(second));
    CHECK_OK(doca_dev_close(r.dev));
    r.dev = dev;
    held_close_rig(&r);
}

/* The backend does not announce the failure. Progress asks the device from time to time when it
 * finds no completion, with tasks in flight and without, also while another context of the PE is
 * busy. */
static void progress_without_completions_asks_the_device(void)
{
    static const uint32_t copies[] = { 0, 2 };
    unsigned i, calls;
    struct rig r;

    for (i = 0; i < 2; i++) {
        held_begin();
        held_open_rig(&r, TASKS);
        r.frees_tasks = true;
        held.budget = 0;
        submit_copies(&r, copies[i]);
        CHECK(!rig_progress(&r));
        held_fail(NULL);
        for (calls = 0; calls <= DOCA_CORE_PE_PATIENCE && r.num_states == 0; calls++)
            (void)rig_progress(&r);
        CHECK_STR(r.states, "RP");
        held.budget = HELD_ALL;
        rig_drain(&r);
        CHECK_EQ(r.num_failed, copies[i]);
        CHECK_STR(r.states, "RP PI");
        held_close_rig(&r);
    }
}

/* The device of a context that has never had a task or a state change is asked, too. */
static void device_of_an_unused_context_is_asked(void)
{
    unsigned calls;
    struct rig r;

    held_begin();
    rig_build(&r, HELD_DMA, TASKS);
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, NULL));
    CHECK_OK(doca_ctx_start(r.ctx));
    held_fail(NULL);
    for (calls = 0; calls < DOCA_CORE_PE_PATIENCE; calls++)
        CHECK(!rig_progress(&r));
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    held_close_rig(&r);
}

/* The device is asked, too, after the busy context of the PE was destroyed. */
static void device_is_asked_after_a_destroy(void)
{
    struct doca_dma *second;
    unsigned calls;
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    second = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(second)));
    CHECK(rig_progress(&r)); /* reports the completion, and leaves the context in the PE's ring */
    CHECK_OK(doca_dma_destroy(second));
    rig_forget_states(&r);
    held_fail(NULL);
    for (calls = 0; calls <= DOCA_CORE_PE_PATIENCE && r.num_states == 0; calls++)
        (void)rig_progress(&r);
    CHECK_STR(r.states, "RP");
    rig_drain(&r);
    held_close_rig(&r);
}

/* ---- the notification handle ---- */

static void failure_wakes_an_armed_pe(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    held_fail(r.dev);
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK(!is_readable(r.pe));
    rig_drain(&r);
    CHECK_STR(r.states, "RP PI");
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe)); /* the failure does not wake the PE again */
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    held_close_rig(&r);
}

/* Only the handle tells the program of the failure: when the PE was armed it had no context, and
 * this context has no state callback. */
static void failure_during_a_start_wakes_the_pe(void)
{
    struct rig r;

    held_begin();
    rig_build(&r, HELD_DMA, TASKS);
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, NULL));
    CHECK_OK(doca_pe_request_notification(r.pe));
    held.fails_in_open = true;
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK(is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    CHECK(!is_readable(r.pe));
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK(!is_readable(r.pe));
    CHECK_OK(doca_pe_clear_notification(r.pe, 0));
    held_close_rig(&r);
}

/* The device fails between clearing and the next request of a notification, or before the first
 * request. */
static void failure_before_the_request_wakes_the_pe(void)
{
    struct rig r;
    unsigned i;

    for (i = 0; i < 3; i++) {
        held_begin();
        held_open_rig(&r, TASKS);
        if (i > 0)
            CHECK_OK(doca_pe_request_notification(r.pe));
        if (i > 1)
            CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        held_fail(r.dev);
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK(is_readable(r.pe));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        CHECK(!is_readable(r.pe));
        rig_drain(&r);
        CHECK_STR(r.states, "RP PI");
        held_close_rig(&r);
    }
}

/* As with any other stop, a program can sleep before each step: arm, sleep, one call of
 * progress. */
static void every_step_of_the_stop_wakes_the_pe(void)
{
    static const char *const states[] = { "RP", "RP PI" };
    static const enum doca_pe_event_mode modes[] = { DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE,
                                                     DOCA_PE_EVENT_MODE_PROGRESS_ALL };
    unsigned i, k;
    struct rig r;

    for (k = 0; k < 2; k++) {
        held_begin();
        held_open_rig(&r, TASKS);
        CHECK_OK(doca_pe_set_event_mode(r.pe, modes[k]));
        CHECK_OK(doca_pe_request_notification(r.pe));
        held_fail(r.dev);
        for (i = 0; i < 2; i++) {
            CHECK(is_readable(r.pe));
            if (k == 0)
                CHECK_OK(doca_pe_clear_notification(r.pe, 0));
            CHECK(rig_progress(&r));
            CHECK_STR(r.states, states[i]);
            CHECK_OK(doca_pe_request_notification(r.pe));
        }
        CHECK(!is_readable(r.pe));
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        held_close_rig(&r);
    }
}

/* A handle that is not armed is not readable after progress has reported the failure. The same
 * holds for a PE whose contexts had already stopped for another reason. */
static void unarmed_handle_stays_unreadable(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, TASKS);
    CHECK(!is_readable(r.pe));
    held_fail(r.dev);
    rig_drain(&r);
    CHECK(!is_readable(r.pe));
    held.has_failed = 0;
    CHECK_OK(doca_ctx_start(r.ctx));
    held_fail(r.dev);
    CHECK_OK(doca_ctx_stop(r.ctx));
    CHECK(!is_readable(r.pe));
    rig_drain(&r);
    held.has_failed = 0;
    CHECK_OK(doca_ctx_start(r.ctx)); /* the earlier failure is not reported again */
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    held_close_rig(&r);
}

/* ---- threads ---- */

enum { THREADS = 6, EACH = 4, ROUNDS = 20 };

#define THREADS_PCI "0000:8c:00.0"

struct worker {
    pthread_t thread;
    unsigned index;
    struct doca_dev *dev;
    unsigned num_stopping, num_idle, num_submitted, num_ended;
};

static uint32_t num_ready, has_failed;

static uint32_t threads_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        attrs[0] = held_attrs[0];
        memcpy(attrs[0].pci_addr, THREADS_PCI, sizeof(THREADS_PCI));
    }
    return 1;
}

static void threads_sink(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)item;
    (void)line;
    (void)user;
}

static bool threads_dev_failed(struct doca_dev *dev)
{
    (void)dev;
    return __atomic_load_n(&has_failed, __ATOMIC_RELAXED) != 0;
}

/* Open a device of a backend that several threads may use: the software device with a switch that
 * makes it fail. */
static struct doca_dev *threads_open_dev(void)
{
    struct doca_core_backend table = *doca_core_sw_backend();
    static bool is_registered;

    table.name = "threads";
    table.enumerate = threads_enumerate;
    table.enumerate_reps = NULL;
    table.dev_failed = threads_dev_failed;
    if (!is_registered)
        CHECK_OK(doca_core_backend_register(&table));
    is_registered = true;
    return rig_open_dev(THREADS_PCI);
}

static void worker_state_changed(const union doca_data user_data, struct doca_ctx *ctx,
                                 enum doca_ctx_states prev, enum doca_ctx_states next)
{
    struct worker *w = user_data.ptr;

    (void)ctx;
    if (next == DOCA_CTX_STATE_STOPPING) {
        CHECK_EQ(prev, DOCA_CTX_STATE_RUNNING);
        w->num_stopping++;
    } else if (next == DOCA_CTX_STATE_IDLE) {
        CHECK_EQ(prev, DOCA_CTX_STATE_STOPPING);
        w->num_idle++;
    }
}

static void worker_task_ended(struct doca_dma_task_memcpy *task, union doca_data task_data,
                              union doca_data ctx_data)
{
    struct worker *w = ctx_data.ptr;

    (void)task_data;
    w->num_ended++;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static struct doca_dma *worker_start(struct worker *w, struct doca_pe *pe)
{
    struct doca_dma *dma;

    CHECK_OK(doca_dma_create(w->dev, &dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, worker_task_ended, worker_task_ended, 2));
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(dma), (union doca_data){ .ptr = w }));
    CHECK_OK(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(dma), worker_state_changed));
    CHECK_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    return dma;
}

/* Keep the first context of the thread busy until the device fails. */
static void worker_copies(struct worker *w, struct doca_dma *dma, struct doca_buf *src,
                          struct doca_buf *dst)
{
    struct doca_dma_task_memcpy *task;

    if (rig_state(doca_dma_as_ctx(dma)) != DOCA_CTX_STATE_RUNNING ||
        w->num_ended < w->num_submitted)
        return;
    CHECK_OK(doca_buf_reset_data_len(dst));
    task = rig_task(dma, src, dst);
    CHECK_OK(rig_submit(task));
    w->num_submitted++;
}

static void worker_runs(struct worker *w, struct doca_pe *pe, struct doca_dma *busy)
{
    const size_t at = (size_t)w->index * LEN;
    struct pollfd wanted = { .fd = -1, .events = POLLIN };
    struct doca_mmap *src_map = rig_map(w->dev, rig_from + at, LEN);
    struct doca_mmap *dst_map = rig_map(w->dev, rig_to + at, LEN);
    struct doca_buf_inventory *inventory;
    struct doca_buf *src, *dst;

    CHECK_OK(doca_buf_inventory_create(2, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, src_map, rig_from + at, LEN, &src));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, dst_map, rig_to + at, LEN, &dst));
    if (w->index % 2 == 0)
        CHECK_OK(doca_pe_get_notification_handle(pe, &wanted.fd));
    __atomic_fetch_add(&num_ready, 1u, __ATOMIC_SEQ_CST);
    while (w->num_idle < EACH) {
        if (w->index % 3 == 0)
            worker_copies(w, busy, src, dst);
        if (wanted.fd >= 0) {
            CHECK_OK(doca_pe_request_notification(pe));
            CHECK_EQ(poll(&wanted, 1, 10000), 1);
            CHECK_OK(doca_pe_clear_notification(pe, wanted.fd));
        }
        while (doca_pe_progress(pe))
            ;
    }
    CHECK_EQ(w->num_ended, w->num_submitted);
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(src_map));
    CHECK_OK(doca_mmap_destroy(dst_map));
}

/* A thread with its own PE. It sleeps or polls; its contexts are idle, or one of them copies. */
static void *work(void *argument)
{
    struct worker *w = argument;
    struct doca_dma *dmas[EACH];
    struct doca_pe *pe;
    unsigned i;

    CHECK_OK(doca_pe_create(&pe));
    for (i = 0; i < EACH; i++)
        dmas[i] = worker_start(w, pe);
    worker_runs(w, pe, dmas[0]);
    for (i = 0; i < EACH; i++) {
        CHECK_RC(doca_ctx_start(doca_dma_as_ctx(dmas[i])), DOCA_ERROR_DRIVER);
        CHECK_OK(doca_dma_destroy(dmas[i]));
    }
    CHECK_OK(doca_pe_destroy(pe));
    return NULL;
}

/* One thread detects the failure. The contexts of all other threads must stop, each of them
 * once. */
static void contexts_of_all_threads_stop(void)
{
    struct worker workers[THREADS];
    struct doca_dev *dev;
    unsigned round, i;

    doca_core_log_set_sink(threads_sink, NULL);
    heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() uses the heap */
    for (round = 0; round < ROUNDS; round++) {
        dev = threads_open_dev();
        memset(workers, 0, sizeof(workers));
        __atomic_store_n(&num_ready, 0u, __ATOMIC_SEQ_CST);
        __atomic_store_n(&has_failed, 0u, __ATOMIC_SEQ_CST);
        for (i = 0; i < THREADS; i++) {
            workers[i].index = i;
            workers[i].dev = dev;
            CHECK_EQ(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
        }
        while (__atomic_load_n(&num_ready, __ATOMIC_SEQ_CST) < THREADS)
            sched_yield();
        __atomic_store_n(&has_failed, 1u, __ATOMIC_RELAXED);
        doca_core_backend_dev_failed(dev);
        for (i = 0; i < THREADS; i++) {
            CHECK_EQ(pthread_join(workers[i].thread, NULL), 0);
            CHECK_EQ(workers[i].num_stopping, EACH);
            CHECK_EQ(workers[i].num_idle, EACH);
        }
        CHECK_OK(doca_dev_close(dev));
    }
}

static const struct test_case cases[] = {
    CASE(idle_context_stops, "173 174 176 236 238"),
    CASE(restart_waits_for_the_device_to_work, "172 238"),
    CASE(tasks_in_flight_complete_once, "176 177 236 237"),
    CASE(tasks_submitted_without_flush_complete_too, ""),
    CASE(allocated_tasks_keep_the_context_from_idle, "171"),
    CASE(stopping_context_is_not_stopped_again, ""),
    CASE(starting_context_stops, "176"),
    CASE(only_the_contexts_of_the_device_stop, ""),
    CASE(progress_without_completions_asks_the_device, ""),
    CASE(device_of_an_unused_context_is_asked, ""),
    CASE(device_is_asked_after_a_destroy, ""),
    CASE(failure_wakes_an_armed_pe, ""),
    CASE(failure_during_a_start_wakes_the_pe, ""),
    CASE(failure_before_the_request_wakes_the_pe, ""),
    CASE(every_step_of_the_stop_wakes_the_pe, ""),
    CASE(unarmed_handle_stays_unreadable, ""),
    CASE(contexts_of_all_threads_stop, ""),
};

TEST_MAIN(cases)

/* Progress engines: each call makes one step, contexts are served in turn, and the notification
 * handle misses no work. */
#include "held_backend.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASKS = 16, LEN = 64, CTXS = 5, IDLE_CTXS = 64 };

static void submit_copies(struct rig *r, struct doca_dma *dma, unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++)
        rig_copy(r, dma, i * LEN, LEN);
}

static size_t pe_inflight(const struct doca_pe *pe)
{
    size_t num;

    CHECK_OK(doca_pe_get_num_inflight_tasks(pe, &num));
    return num;
}

/* ---- progress ---- */

static void progress_without_work_is_0(void)
{
    struct doca_pe *pe;
    struct rig r;

    CHECK_OK(doca_pe_create(&pe));
    CHECK_EQ(doca_pe_progress(pe), 0);
    CHECK_EQ(pe_inflight(pe), 0);
    CHECK_OK(doca_pe_destroy(pe));
    rig_build(&r, NULL, TASKS);
    CHECK(!rig_progress(&r)); /* the context is idle */
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK(!rig_progress(&r)); /* the context is running */
    rig_close(&r);
}

static void each_call_runs_one_callback(void)
{
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    submit_copies(&r, r.dma, TASKS);
    CHECK_EQ(r.num_callbacks, 0); /* submit calls no callback */
    for (i = 1; i <= TASKS; i++) {
        CHECK(rig_progress(&r));
        CHECK_EQ(r.num_callbacks, i);
    }
    CHECK(!rig_progress(&r));
    rig_close(&r);
}

static void state_changes_and_completions_are_reported_in_turn(void)
{
    struct rig r;
    struct doca_dma *other;

    rig_build(&r, NULL, TASKS);
    other = rig_make_dma(&r, TASKS);
    r.frees_tasks = true;
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
    submit_copies(&r, r.dma, TASKS);
    submit_copies(&r, other, TASKS);
    rig_drain(&r); /* rig_progress() counts one callback per call */
    CHECK_EQ(r.num_ok, 2 * TASKS);
    CHECK_EQ(r.num_states, 2);
    CHECK_EQ(r.num_callbacks, 2 * TASKS + 2);
    CHECK_OK(doca_dma_destroy(other));
    rig_close(&r);
}

static void reaching_a_state_is_progress_without_a_callback(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    held_begin();
    rig_build(&r, HELD_DMA, TASKS);
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, NULL));
    held.opening = DOCA_ERROR_IN_PROGRESS;
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    held.opening = DOCA_SUCCESS;
    CHECK(rig_progress(&r));
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    rig_drain(&r);
    task = rig_task(r.dma, NULL, NULL);
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    CHECK(rig_progress(&r));
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(r.num_callbacks, 0);
    held_close_rig(&r);
}

static void inflight_is_the_sum_over_the_contexts(void)
{
    struct rig r;
    struct doca_dma *other;

    rig_open(&r, TASKS);
    other = rig_make_dma(&r, TASKS);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
    r.frees_tasks = true;
    submit_copies(&r, r.dma, 3);
    submit_copies(&r, other, 5);
    CHECK_EQ(rig_inflight(r.ctx), 3);
    CHECK_EQ(rig_inflight(doca_dma_as_ctx(other)), 5);
    CHECK_EQ(pe_inflight(r.pe), 8);
    rig_drain(&r);
    CHECK_EQ(pe_inflight(r.pe), 0);
    CHECK_EQ(r.num_ok, 8);
    CHECK_OK(doca_dma_destroy(other));
    rig_close(&r);
}

static void context_joins_one_engine_once(void)
{
    struct rig r;
    struct doca_pe *other;
    struct doca_dma *dma;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_pe_create(&other));
    CHECK_RC(doca_pe_connect_ctx(other, r.ctx), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_HAS_PE);
    CHECK_RC(doca_pe_connect_ctx(r.pe, r.ctx), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_RC(doca_pe_connect_ctx(other, r.ctx), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_dma_create(r.dev, &dma));
    CHECK_RC(doca_pe_connect_ctx(NULL, doca_dma_as_ctx(dma)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_pe_connect_ctx(other, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_pe_destroy(other)); /* has no context */
    CHECK_OK(doca_dma_destroy(dma));
    rig_close(&r);
}

static void engine_with_contexts_is_not_destroyed(void)
{
    struct rig r;
    struct doca_dma *other;

    rig_build(&r, NULL, TASKS);
    other = rig_make_dma(&r, TASKS);
    CHECK_RC(doca_pe_destroy(r.pe), DOCA_ERROR_IN_USE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_PE_CONNECTED);
    CHECK_OK(doca_dma_destroy(r.dma));
    r.dma = NULL;
    CHECK_RC(doca_pe_destroy(r.pe), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_dma_destroy(other));
    rig_close(&r); /* destroys the PE after its context */
}

/* The engine lists its contexts; here contexts leave the list at its ends and in its middle. */
static void contexts_are_destroyed_in_any_order(void)
{
    static const unsigned order[CTXS] = { 2, 0, 4, 1, 3 };
    struct doca_dma *dma[CTXS];
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    for (i = 0; i < CTXS; i++) {
        dma[i] = rig_make_dma(&r, TASKS);
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma[i])));
    }
    for (i = 0; i < CTXS; i++) {
        submit_copies(&r, dma[order[i]], 1);
        rig_drain(&r);
        CHECK_OK(doca_dma_destroy(dma[order[i]]));
        CHECK_RC(doca_pe_destroy(r.pe), DOCA_ERROR_IN_USE);
        submit_copies(&r, r.dma, 1); /* the remaining contexts are served */
        CHECK_EQ(pe_inflight(r.pe), 1);
        rig_drain(&r);
    }
    rig_close(&r);
}

static void two_engines_are_independent(void)
{
    struct rig a;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    unsigned i;

    rig_open(&a, TASKS);
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_dma_create(a.dev, &dma));
    ctx = doca_dma_as_ctx(dma);
    CHECK_OK(doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = &a }));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, TASKS));
    CHECK_OK(doca_pe_connect_ctx(pe, ctx));
    CHECK_OK(doca_ctx_start(ctx));
    a.frees_tasks = true;
    a.in_progress = true;
    for (i = 0; i < RIG_PATIENCE && doca_pe_progress(pe); i++)
        ;
    submit_copies(&a, a.dma, 3);
    submit_copies(&a, dma, 2);
    rig_drain(&a);
    CHECK_EQ(a.num_ok, 3);
    CHECK_EQ(pe_inflight(a.pe), 0);
    CHECK_EQ(pe_inflight(pe), 2);
    a.in_progress = true;
    CHECK_EQ(doca_pe_progress(pe), 1);
    CHECK_EQ(doca_pe_progress(pe), 1);
    CHECK_EQ(doca_pe_progress(pe), 0);
    CHECK_EQ(a.num_ok, 5);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_pe_destroy(pe));
    rig_close(&a);
}

static jmp_buf way_out;

static void leave_by_longjmp(struct rig *r, struct doca_dma_task_memcpy *task)
{
    rig_release(task);
    if ((r->num_ok + r->num_failed) % 2 == 1)
        longjmp(way_out, 1);
}

static void callback_may_leave_by_longjmp(void)
{
    static struct rig r; /* static: longjmp() must not change it */
    volatile unsigned jumps = 0, calls = 0;

    rig_open(&r, TASKS);
    r.on_task = leave_by_longjmp;
    submit_copies(&r, r.dma, TASKS);
    if (setjmp(way_out) != 0)
        jumps++;
    r.in_progress = true;
    while (doca_pe_progress(r.pe))
        CHECK(calls++ < TASKS);
    CHECK_EQ(jumps, TASKS / 2);
    CHECK_EQ(r.num_ok, TASKS);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_OK(doca_ctx_stop(r.ctx));
    rig_close(&r);
}

/* ---- contexts are served in turn ---- */

static unsigned turns[CTXS];
static bool resubmit_the_first;

static void count_turn(struct rig *r, struct doca_dma_task_memcpy *task)
{
    struct doca_task *base = doca_dma_task_memcpy_as_task(task);
    uint64_t i = doca_task_get_user_data(base).u64;

    (void)r;
    turns[i]++;
    if (i == 0 && resubmit_the_first) {
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
        CHECK_OK(doca_task_submit(base));
    } else {
        rig_release(task);
    }
}

static void check_turns(struct doca_dma *const *dmas)
{
    unsigned least = UINT32_MAX, most = 0, i;

    for (i = 0; i < CTXS; i++) {
        if (rig_inflight(doca_dma_as_ctx(dmas[i])) == 0)
            continue;
        if (turns[i] < least)
            least = turns[i];
        if (turns[i] > most)
            most = turns[i];
    }
    CHECK(least > most || most - least <= 2);
}

static void open_fair_rig(struct rig *r, struct doca_dma **dmas, const unsigned *num_tasks)
{
    unsigned i, k;

    rig_open(r, 64);
    r->on_task = count_turn;
    memset(turns, 0, sizeof(turns));
    dmas[0] = r->dma;
    for (i = 0; i < CTXS; i++) {
        if (i > 0) {
            dmas[i] = rig_make_dma(r, 64);
            CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dmas[i])));
            rig_drain(r);
        }
    }
    for (i = 0; i < CTXS; i++) {
        for (k = 0; k < num_tasks[i]; k++) {
            struct doca_dma_task_memcpy *task = rig_prepare(r, dmas[i], i * 4096 + k * LEN, LEN);

            doca_task_set_user_data(doca_dma_task_memcpy_as_task(task),
                                    (union doca_data){ .u64 = i });
            CHECK_OK(rig_submit(task));
        }
    }
}

static void close_fair_rig(struct rig *r, struct doca_dma **dmas)
{
    unsigned i;

    for (i = 1; i < CTXS; i++)
        CHECK_OK(doca_dma_destroy(dmas[i]));
    rig_close(r);
}

static void contexts_with_completions_are_served_in_turn(void)
{
    static const unsigned num_tasks[CTXS] = { 50, 3, 64, 20, 1 };
    struct doca_dma *dmas[CTXS];
    struct rig r;
    unsigned i, calls = 0;

    resubmit_the_first = false;
    open_fair_rig(&r, dmas, num_tasks);
    while (rig_progress(&r)) {
        CHECK(calls++ < 1000);
        check_turns(dmas);
    }
    for (i = 0; i < CTXS; i++)
        CHECK_EQ(turns[i], num_tasks[i]);
    close_fair_rig(&r, dmas);
}

static void context_that_always_has_work_gets_only_its_turn(void)
{
    static const unsigned num_tasks[CTXS] = { 30, 40, 40, 40, 0 };
    struct doca_dma *dmas[CTXS];
    struct rig r;
    unsigned calls = 0;

    resubmit_the_first = true;
    open_fair_rig(&r, dmas, num_tasks);
    while (turns[1] < 40 || turns[2] < 40 || turns[3] < 40) {
        CHECK(rig_progress(&r));
        CHECK(calls++ < 1000);
        check_turns(dmas);
    }
    CHECK(turns[0] >= 38 && turns[0] <= 42);
    resubmit_the_first = false;
    rig_drain(&r);
    close_fair_rig(&r, dmas);
}

static unsigned calls_to_finish(unsigned num_idle)
{
    struct doca_dma *idle[IDLE_CTXS];
    struct rig r;
    unsigned i, calls;

    rig_open(&r, TASKS);
    for (i = 0; i < num_idle; i++) {
        idle[i] = rig_make_dma(&r, 1);
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(idle[i])));
    }
    rig_drain(&r);
    r.frees_tasks = true;
    submit_copies(&r, r.dma, TASKS);
    calls = rig_drain(&r);
    CHECK_EQ(r.num_ok, TASKS);
    for (i = 0; i < num_idle; i++)
        CHECK_OK(doca_dma_destroy(idle[i]));
    rig_close(&r);
    return calls;
}

static void idle_contexts_do_not_slow_a_busy_one(void)
{
    CHECK_EQ(calls_to_finish(0), TASKS);
    CHECK_EQ(calls_to_finish(IDLE_CTXS), TASKS);
}

/* Check that progress does not poll the context. */
static void check_not_polled(struct rig *r)
{
    unsigned i;

    CHECK_EQ(rig_drain(r), 0); /* may poll once more, and then removes idle contexts */
    CHECK_PTR(r->pe->active, NULL);
    held.num_polls = 0;
    for (i = 0; i < 100; i++)
        CHECK(!rig_progress(r));
    CHECK_EQ(held.num_polls, 0);
}

static void context_without_tasks_in_flight_is_not_polled(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    held_begin();
    held_open_rig(&r, TASKS);
    check_not_polled(&r); /* RUNNING, never used */
    task = rig_copy(&r, r.dma, 0, LEN);
    rig_drain(&r);
    CHECK(held.num_polls > 0);
    CHECK_EQ(r.num_ok, 1);
    check_not_polled(&r); /* RUNNING, a completed task is not freed */
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    check_not_polled(&r); /* STOPPING, the task is not freed */
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    rig_release(task);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    check_not_polled(&r);
    held_close_rig(&r);
}

static void busy_device_does_not_delay_another(void)
{
    struct rig r;
    struct doca_dev *held_dev = NULL;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct doca_mmap *src_map, *dst_map;
    struct doca_buf *src, *dst;
    struct doca_dma_task_memcpy *task;

    held_begin();
    rig_open(&r, TASKS);
    held_dev = rig_open_dev(HELD_DMA);
    src_map = rig_map(held_dev, rig_from, RIG_BYTES);
    dst_map = rig_map(held_dev, rig_to, RIG_BYTES);
    CHECK_OK(doca_dma_create(held_dev, &dma));
    ctx = doca_dma_as_ctx(dma);
    CHECK_OK(doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = &r }));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, 1));
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_ctx_start(ctx));
    rig_drain(&r);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, src_map, rig_from, LEN, &src));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, dst_map, rig_to, LEN, &dst));
    held.budget = 0;
    task = rig_task(dma, src, dst);
    CHECK_OK(rig_submit(task));
    r.frees_tasks = true;
    submit_copies(&r, r.dma, TASKS);
    CHECK_EQ(rig_drain(&r), TASKS);
    CHECK_EQ(r.num_ok, TASKS);
    CHECK_EQ(pe_inflight(r.pe), 1);
    held.budget = HELD_ALL;
    rig_drain(&r);
    CHECK_EQ(r.num_ok, TASKS + 1);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_mmap_destroy(src_map));
    CHECK_OK(doca_mmap_destroy(dst_map));
    CHECK_OK(doca_dev_close(held_dev));
    held_close_rig(&r);
}

/* ---- notification ---- */

struct waiter {
    struct rig r;
    doca_notification_handle_t handle;
    int epoll;
};

static bool wakes_within(struct waiter *w, int ms)
{
    struct epoll_event event;
    int n = epoll_wait(w->epoll, &event, 1, ms);

    CHECK(n >= 0);
    return n == 1;
}

static bool is_readable(struct waiter *w)
{
    return wakes_within(w, 0);
}

static void arm(struct waiter *w)
{
    CHECK_OK(doca_pe_request_notification(w->r.pe));
}

static void clear(struct waiter *w)
{
    CHECK_OK(doca_pe_clear_notification(w->r.pe, w->handle));
}

static void wait_for(struct waiter *w, uint32_t events)
{
    struct epoll_event event = { .events = events };

    CHECK_OK(doca_pe_get_notification_handle(w->r.pe, &w->handle));
    CHECK(w->handle != doca_event_invalid_handle);
    w->epoll = epoll_create1(EPOLL_CLOEXEC);
    CHECK(w->epoll >= 0);
    CHECK_EQ(epoll_ctl(w->epoll, EPOLL_CTL_ADD, w->handle, &event), 0);
}

static void wait_on(struct waiter *w)
{
    wait_for(w, EPOLLIN);
}

static void open_waiter(struct waiter *w)
{
    rig_open(&w->r, TASKS);
    w->r.frees_tasks = true;
    wait_on(w);
}

static void close_waiter(struct waiter *w)
{
    CHECK_EQ(close(w->epoll), 0);
    rig_close(&w->r);
}

static void destroy_all(struct rig *at, struct doca_dma_task_memcpy *task)
{
    rig_release(task);
    CHECK_OK(doca_dma_destroy(at->dma));
    CHECK_OK(doca_pe_destroy(at->pe));
    at->dma = NULL;
    at->pe = NULL;
}

/* A callback may destroy the PE, because progress does not use the PE after the callback. */
static void callback_may_destroy_the_engine(void)
{
    struct rig at;

    rig_open(&at, 1);
    at.on_task = destroy_all;
    rig_copy(&at, at.dma, 0, 64);
    at.in_progress = true;
    while (at.pe != NULL)
        (void)doca_pe_progress(at.pe);
    at.in_progress = false;
    CHECK_EQ(at.num_ok, 1);
    CHECK_MEM(rig_to, rig_from, 64);
    CHECK_OK(doca_pe_create(&at.pe)); /* rig_close() destroys a PE */
    rig_close(&at);
}

static void engine_keeps_its_handle(void)
{
    struct waiter w;
    unsigned i;

    open_waiter(&w);
    for (i = 0; i < 3; i++) {
        doca_notification_handle_t handle = doca_event_invalid_handle;

        arm(&w);
        submit_copies(&w.r, w.r.dma, 1);
        clear(&w);
        rig_drain(&w.r);
        CHECK_OK(doca_pe_get_notification_handle(w.r.pe, &handle));
        CHECK_EQ(handle, w.handle);
    }
    CHECK_RC(doca_pe_get_notification_handle(NULL, &w.handle), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_pe_get_notification_handle(w.r.pe, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_pe_request_notification(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_pe_clear_notification(NULL, w.handle), DOCA_ERROR_INVALID_VALUE);
    close_waiter(&w);
}

static void destroy_closes_the_handle(void)
{
    doca_notification_handle_t first = doca_event_invalid_handle, handle;
    unsigned i;

    for (i = 0; i < 2000; i++) {
        struct doca_pe *pe;

        CHECK_OK(doca_pe_create(&pe));
        if (i % 2 == 0)
            CHECK_OK(doca_pe_request_notification(pe)); /* arming creates the handle, too */
        CHECK_OK(doca_pe_get_notification_handle(pe, &handle));
        if (i == 0)
            first = handle;
        CHECK_EQ(handle, first); /* so destroy has closed the descriptor */
        CHECK_OK(doca_pe_destroy(pe));
    }
}

static void unarmed_engine_does_not_signal(void)
{
    struct waiter w;

    open_waiter(&w);
    submit_copies(&w.r, w.r.dma, 2);
    CHECK(!is_readable(&w));
    rig_progress(&w.r);
    CHECK(!is_readable(&w));
    rig_drain(&w.r);
    CHECK(!is_readable(&w));
    close_waiter(&w);
}

static void armed_engine_without_work_does_not_signal(void)
{
    struct waiter w;

    open_waiter(&w);
    arm(&w);
    CHECK(!is_readable(&w));
    CHECK(!rig_progress(&w.r));
    CHECK(!is_readable(&w));
    close_waiter(&w);
}

static void arming_before_or_after_submit_wakes(void)
{
    struct waiter w;
    unsigned arm_first;

    open_waiter(&w);
    for (arm_first = 0; arm_first < 2; arm_first++) {
        if (arm_first)
            arm(&w);
        submit_copies(&w.r, w.r.dma, 3);
        if (!arm_first)
            arm(&w);
        CHECK(wakes_within(&w, 1000));
        clear(&w);
        CHECK(!is_readable(&w));
        CHECK_EQ(rig_drain(&w.r), 3);
        CHECK_EQ(w.r.num_ok, 3 * (arm_first + 1));
    }
    close_waiter(&w);
}

static void engine_armed_after_its_last_completion_wakes(void)
{
    struct waiter w;

    open_waiter(&w);
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(rig_progress(&w.r)); /* no second call, which would remove the context from the ring */
    arm(&w);
    CHECK(!is_readable(&w));
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(is_readable(&w));
    clear(&w);
    rig_drain(&w.r);
    close_waiter(&w);
}

static void armed_engine_sleeps_while_its_device_is_busy(void)
{
    struct waiter w;

    held_begin();
    held_open_rig(&w.r, TASKS);
    w.r.frees_tasks = true;
    wait_on(&w);
    held.budget = 0;
    arm(&w);
    submit_copies(&w.r, w.r.dma, 2);
    CHECK(!is_readable(&w));
    held.budget = HELD_ALL;
    clear(&w);
    arm(&w);
    CHECK(is_readable(&w));
    clear(&w);
    rig_drain(&w.r);
    CHECK_EQ(w.r.num_ok, 2);
    CHECK_EQ(close(w.epoll), 0);
    held_close_rig(&w.r);
}

/* Even rounds: the descriptor of the queue exists before the handle. Odd rounds: the handle exists
 * before the context starts. */
static void device_that_completes_without_polling_wakes(void)
{
    struct waiter w;
    int round;

    for (round = 0; round < 4; round++) {
        held_begin();
        held.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        CHECK(held.fd >= 0);
        rig_build(&w.r, HELD_DMA, TASKS);
        if (round % 2 == 1)
            wait_on(&w);
        if (round == 3)
            arm(&w);
        CHECK_OK(doca_ctx_start(w.r.ctx));
        if (round == 3)
            clear(&w);
        rig_drain(&w.r);
        w.r.frees_tasks = true;
        if (round % 2 == 0)
            wait_on(&w);
        held.budget = 0;
        submit_copies(&w.r, w.r.dma, 2);
        if (round < 2) {
            arm(&w);
            CHECK(held.is_armed);
            CHECK(!is_readable(&w));
            held_finish();
            CHECK(is_readable(&w));
            clear(&w);
            CHECK(!held.is_armed);
            CHECK(!is_readable(&w));
        } else { /* the device completes the task before the PE is armed */
            held_finish();
            CHECK(!is_readable(&w));
            arm(&w);
            CHECK(is_readable(&w));
            clear(&w);
        }
        rig_drain(&w.r);
        CHECK_EQ(w.r.num_ok, 2);
        rig_stop(&w.r, w.r.ctx);
        arm(&w);
        CHECK_EQ(write(held.fd, &(uint64_t){ 1 }, 8), 8);
        CHECK(!is_readable(&w)); /* the queue is closed */
        CHECK_EQ(close(held.fd), 0);
        CHECK_EQ(close(w.epoll), 0);
        held_close_rig(&w.r);
    }
}

static void start_fails_if_the_descriptor_cannot_be_watched(void)
{
    struct waiter w;

    held_begin();
    held.fd = open("/dev/null", O_RDONLY | O_CLOEXEC); /* epoll refuses this file */
    CHECK(held.fd >= 0);
    rig_build(&w.r, HELD_DMA, TASKS);
    wait_on(&w);
    CHECK_RC(doca_ctx_start(w.r.ctx), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(rig_state(w.r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(held.num_queues, 0);
    CHECK_EQ(close(held.fd), 0);
    held.fd = -1;
    CHECK_OK(doca_ctx_start(w.r.ctx));
    CHECK_EQ(close(w.epoll), 0);
    held_close_rig(&w.r);
}

static void submit_after_a_task_in_flight_wakes(void)
{
    struct waiter w;

    held_begin();
    held_open_rig(&w.r, TASKS);
    w.r.frees_tasks = true;
    wait_on(&w);
    held.budget = 0;
    submit_copies(&w.r, w.r.dma, 1);
    CHECK_EQ(rig_drain(&w.r), 0);
    arm(&w);
    CHECK(!is_readable(&w));
    held.budget = 1; /* one completion, which the device does not signal */
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(is_readable(&w));
    clear(&w);
    CHECK_EQ(rig_drain(&w.r), 1);
    held.budget = HELD_ALL;
    rig_drain(&w.r);
    CHECK_EQ(w.r.num_ok, 2);
    CHECK_EQ(close(w.epoll), 0);
    held_close_rig(&w.r);
}

static void start_that_can_complete_wakes(void)
{
    struct waiter w;

    held_begin();
    rig_build(&w.r, HELD_DMA, TASKS);
    wait_on(&w);
    held.opening = DOCA_ERROR_IN_PROGRESS;
    CHECK_RC(doca_ctx_start(w.r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&w.r);
    arm(&w);
    CHECK(!is_readable(&w));
    held.opening = DOCA_SUCCESS;
    arm(&w);
    CHECK(is_readable(&w));
    clear(&w);
    rig_drain(&w.r);
    CHECK_EQ(rig_state(w.r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_EQ(close(w.epoll), 0);
    held_close_rig(&w.r);
}

static void handle_may_be_requested_after_arming(void)
{
    struct waiter w;

    rig_open(&w.r, TASKS);
    w.r.frees_tasks = true;
    arm(&w);
    submit_copies(&w.r, w.r.dma, 1);
    wait_on(&w);
    CHECK(is_readable(&w));
    clear(&w);
    rig_drain(&w.r);
    close_waiter(&w);
}

static void arming_is_for_one_wake_up(void)
{
    struct waiter w;

    open_waiter(&w);
    arm(&w);
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(is_readable(&w));
    clear(&w);
    rig_drain(&w.r);
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(!is_readable(&w));
    arm(&w);
    CHECK(is_readable(&w));
    clear(&w);
    rig_drain(&w.r);
    CHECK_EQ(w.r.num_ok, 2);
    close_waiter(&w);
}

static void remaining_work_wakes_again(void)
{
    struct waiter w;
    unsigned i;

    open_waiter(&w);
    submit_copies(&w.r, w.r.dma, 3);
    for (i = 0; i < 3; i++) {
        arm(&w);
        CHECK(is_readable(&w));
        clear(&w);
        CHECK(rig_progress(&w.r));
    }
    arm(&w);
    CHECK(!is_readable(&w));
    close_waiter(&w);
}

static void arming_again_reports_pending_work_again(void)
{
    struct waiter w;
    unsigned i;

    rig_open(&w.r, TASKS);
    w.r.frees_tasks = true;
    wait_for(&w, EPOLLIN | EPOLLET); /* edge-triggered */
    submit_copies(&w.r, w.r.dma, 3);
    for (i = 0; i < 3; i++) {
        arm(&w);
        CHECK(is_readable(&w));
        CHECK(!is_readable(&w));
        CHECK(rig_progress(&w.r));
    }
    arm(&w);
    CHECK(!is_readable(&w));
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(is_readable(&w));
    clear(&w);
    rig_drain(&w.r);
    close_waiter(&w);
}

static void arming_again_without_work_clears_the_signal(void)
{
    struct waiter w;

    open_waiter(&w);
    arm(&w);
    submit_copies(&w.r, w.r.dma, 2);
    CHECK(is_readable(&w));
    rig_drain(&w.r);
    CHECK(is_readable(&w));
    arm(&w);
    CHECK(!is_readable(&w));
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(is_readable(&w));
    clear(&w);
    rig_drain(&w.r);
    close_waiter(&w);
}

static void clear_ignores_its_argument(void)
{
    struct waiter w;

    open_waiter(&w);
    clear(&w); /* nothing was signalled */
    arm(&w);
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(is_readable(&w));
    CHECK_OK(doca_pe_clear_notification(w.r.pe, 0));
    CHECK(!is_readable(&w));
    arm(&w);
    CHECK(is_readable(&w));
    CHECK_OK(doca_pe_clear_notification(w.r.pe, doca_event_invalid_handle));
    CHECK(!is_readable(&w));
    rig_drain(&w.r);
    close_waiter(&w);
}

static void signal_stays_until_it_is_cleared(void)
{
    struct waiter w;

    open_waiter(&w);
    arm(&w);
    submit_copies(&w.r, w.r.dma, 2);
    CHECK_EQ(rig_drain(&w.r), 2);
    CHECK(is_readable(&w)); /* not cleared yet */
    clear(&w);
    CHECK(!rig_progress(&w.r));
    close_waiter(&w);
}

/* A write that is not the library's own makes the eventfd of the engine readable. The next calls of
 * doca_pe_clear_notification() notice it. */
static void foreign_write_does_not_keep_the_handle_readable(void)
{
    struct waiter w;
    unsigned i;

    open_waiter(&w);
    arm(&w);
    CHECK_EQ(write(w.r.pe->event_fd, &(uint64_t){ 1 }, 8), 8);
    CHECK(is_readable(&w));
    for (i = 0; i < 8 && is_readable(&w); i++) {
        clear(&w);
        arm(&w);
    }
    CHECK(!is_readable(&w));
    close_waiter(&w);
}

static void progress_between_request_and_clear_loses_no_wake_up(void)
{
    struct waiter w;

    open_waiter(&w);
    arm(&w);
    submit_copies(&w.r, w.r.dma, 3);
    CHECK(rig_progress(&w.r));
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(is_readable(&w));
    clear(&w);
    CHECK_EQ(rig_drain(&w.r), 3);
    CHECK_EQ(w.r.num_ok, 4);
    arm(&w);
    CHECK(!rig_progress(&w.r));
    submit_copies(&w.r, w.r.dma, 1);
    CHECK(is_readable(&w));
    clear(&w);
    rig_drain(&w.r);
    CHECK_EQ(w.r.num_ok, 5);
    close_waiter(&w);
}

static void last_step_of_a_stop_wakes(void)
{
    unsigned way;

    for (way = 0; way < 4; way++) {
        bool arm_first = way & 1, progress_came_by = way & 2;
        struct waiter w;
        struct doca_dma_task_memcpy *task;

        open_waiter(&w);
        task = rig_task(w.r.dma, NULL, NULL);
        CHECK_RC(doca_ctx_stop(w.r.ctx), DOCA_ERROR_IN_PROGRESS);
        CHECK(rig_progress(&w.r)); /* reports the change, does not poll yet */
        if (progress_came_by)
            rig_drain(&w.r);
        if (arm_first) {
            arm(&w);
            CHECK(!is_readable(&w)); /* the program must free its task */
        }
        doca_task_free(doca_dma_task_memcpy_as_task(task));
        if (!arm_first)
            arm(&w);
        CHECK(is_readable(&w));
        clear(&w);
        rig_drain(&w.r);
        CHECK_STR(w.r.states, "RP PI");
        close_waiter(&w);
    }
}

static void unreported_state_change_wakes(void)
{
    unsigned arm_first;

    for (arm_first = 0; arm_first < 2; arm_first++) {
        struct waiter w;
        unsigned i;

        rig_build(&w.r, NULL, TASKS);
        wait_on(&w);
        for (i = 0; i < 2; i++) {
            if (arm_first)
                arm(&w);
            CHECK_OK(i == 0 ? doca_ctx_start(w.r.ctx) : doca_ctx_stop(w.r.ctx));
            if (!arm_first)
                arm(&w);
            CHECK(is_readable(&w));
            clear(&w);
            rig_drain(&w.r);
        }
        CHECK_STR(w.r.states, "IR RI");
        close_waiter(&w);
    }
}

static void destroyed_context_does_not_wake(void)
{
    struct waiter w;

    rig_build(&w.r, NULL, TASKS);
    wait_on(&w);
    CHECK_OK(doca_ctx_start(w.r.ctx));
    CHECK_OK(doca_dma_destroy(w.r.dma));
    w.r.dma = NULL;
    arm(&w);
    CHECK(!is_readable(&w));
    close_waiter(&w);
}

static void armed_engine_can_be_destroyed(void)
{
    struct waiter w;

    open_waiter(&w);
    arm(&w);
    submit_copies(&w.r, w.r.dma, 1);
    rig_drain(&w.r);
    CHECK(is_readable(&w));
    close_waiter(&w);
}

/* Random calls, compared with a model that consists of two flags: the PE is armed; it has signalled
 * since then. */
static void random_calls_never_lose_a_wake_up(void)
{
    struct waiter w;
    bool armed = false, signalled = false;
    unsigned step;

    open_waiter(&w);
    for (step = 0; step < 30000; step++) {
        size_t room = TASKS - pe_inflight(w.r.pe);

        switch (rig_random(8)) { /* mostly progress, so that the engine often has no work */
        case 0:
            arm(&w);
            armed = true;
            signalled = false; /* arming clears the signal; pending work signals below */
            break;
        case 1:
            if (room > 0)
                submit_copies(&w.r, w.r.dma, 1 + rig_random(room < 3 ? (uint32_t)room : 3));
            break;
        case 2:
            clear(&w);
            armed = signalled = false;
            break;
        default:
            rig_progress(&w.r);
            break;
        }
        if (armed && pe_inflight(w.r.pe) > 0)
            signalled = true;
        CHECK_EQ(is_readable(&w), signalled);
    }
    clear(&w);
    rig_drain(&w.r);
    CHECK_EQ(w.r.num_failed, 0);
    close_waiter(&w);
}

/* Arm, submit, sleep, wake and run the callback, `num` times. A call of getppid() before and after
 * the loop marks it for the tracing process. */
static void wake_up_times(unsigned num)
{
    struct waiter w;

    open_waiter(&w);
    (void)sys_call(SYS_getppid, 0, 0, 0, 0, 0, 0);
    for (; num > 0; num--) {
        arm(&w);
        submit_copies(&w.r, w.r.dma, 1);
        CHECK(wakes_within(&w, -1));
        clear(&w);
        CHECK_EQ(rig_drain(&w.r), 1);
    }
    (void)sys_call(SYS_getppid, 0, 0, 0, 0, 0, 0);
}

static void wait_for_stop(pid_t child)
{
    char how[96];
    int status;

    CHECK_EQ(waitpid(child, &status, 0), child);
    if (!WIFSTOPPED(status))
        test_fail(__FILE__, __LINE__, "the traced process %s", peer_how(status, how));
    if (WSTOPSIG(status) == (SIGTRAP | 0x80))
        return;
    CHECK_EQ(WSTOPSIG(status), SIGSTOP);
}

/* Wait until process `child` makes a system call, and return the number of the call. */
static long next_call(pid_t child)
{
    struct __ptrace_syscall_info info;

    do {
        CHECK_EQ(ptrace(PTRACE_SYSCALL, child, NULL, NULL), 0);
        wait_for_stop(child);
        CHECK(ptrace(PTRACE_GET_SYSCALL_INFO, child, (void *)sizeof(info), &info) > 0);
    } while (info.op != PTRACE_SYSCALL_INFO_ENTRY);
    return (long)info.entry.nr;
}

static void wake_up_costs_three_system_calls(void)
{
    enum { TIMES = 20 };
    unsigned num = 0, num_waits = 0;
    pid_t child = fork();
    int status;
    long call;

    CHECK(child >= 0);
    if (child == 0) {
        alarm(10);
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(77);
        raise(SIGSTOP);
        if (setjmp(test_leave) == 0)
            wake_up_times(TIMES);
        _exit(1); /* the parent does not wait for this status */
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    if (!WIFSTOPPED(status))
        test_skip("processes cannot be traced here");
    CHECK_EQ(ptrace(PTRACE_SETOPTIONS, child, NULL,
                    (void *)(size_t)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)),
             0);
    while ((call = next_call(child)) != SYS_getppid)
        CHECK(call != SYS_exit_group);
    while ((call = next_call(child)) != SYS_getppid) {
        CHECK(call != SYS_exit_group);
        if (DOCA_CORE_CHECK >= 2 && (call == SYS_getpid || call == SYS_process_vm_readv ||
                                     call == SYS_process_vm_writev))
            continue; /* the checked mode copies with a system call */
        num++;
        num_waits += call != SYS_write && call != SYS_read;
    }
    CHECK_EQ(num, 3 * TIMES); /* wake, wait, clear; arming needs none */
    CHECK_EQ(num_waits, TIMES);
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
}

/* The loop of a program that sleeps without a time limit until its handle wakes it. */
static void sleeping_program_completes_all_tasks(void)
{
    struct waiter w;
    unsigned num_submitted = 0, round;

    open_waiter(&w);
    for (round = 0; round < 2000; round++) {
        unsigned num = 1 + rig_random(TASKS), before = rig_random(num + 1);

        submit_copies(&w.r, w.r.dma, before);
        arm(&w);
        submit_copies(&w.r, w.r.dma, num - before);
        num_submitted += num;
        CHECK(wakes_within(&w, 1000));
        clear(&w);
        rig_drain(&w.r);
        CHECK_EQ(w.r.num_ok, num_submitted);
    }
    close_waiter(&w);
}

static const struct test_case cases[] = {
    CASE(progress_without_work_is_0, "210 212"),
    CASE(each_call_runs_one_callback, "210 211 214 216"),
    CASE(state_changes_and_completions_are_reported_in_turn, "211 217"),
    CASE(reaching_a_state_is_progress_without_a_callback, "213 215"),
    CASE(inflight_is_the_sum_over_the_contexts, "217 221"),
    CASE(context_joins_one_engine_once, "218 219"),
    CASE(engine_with_contexts_is_not_destroyed, "220"),
    CASE(contexts_are_destroyed_in_any_order, ""),
    CASE(two_engines_are_independent, "222"),
    CASE(callback_may_leave_by_longjmp, ""),
    CASE(callback_may_destroy_the_engine, ""),
    CASE(contexts_with_completions_are_served_in_turn, ""),
    CASE(context_that_always_has_work_gets_only_its_turn, ""),
    CASE(idle_contexts_do_not_slow_a_busy_one, ""),
    CASE(context_without_tasks_in_flight_is_not_polled, ""),
    CASE(busy_device_does_not_delay_another, ""),
    CASE(engine_keeps_its_handle, "226"),
    CASE(destroy_closes_the_handle, ""),
    CASE(unarmed_engine_does_not_signal, "227"),
    CASE(armed_engine_without_work_does_not_signal, ""),
    CASE(arming_before_or_after_submit_wakes, "228 231 232"),
    CASE(engine_armed_after_its_last_completion_wakes, "228"),
    CASE(armed_engine_sleeps_while_its_device_is_busy, ""),
    CASE(device_that_completes_without_polling_wakes, "228"),
    CASE(start_fails_if_the_descriptor_cannot_be_watched, ""),
    CASE(submit_after_a_task_in_flight_wakes, "228"),
    CASE(start_that_can_complete_wakes, ""),
    CASE(handle_may_be_requested_after_arming, "226"),
    CASE(arming_is_for_one_wake_up, "229 231"),
    CASE(remaining_work_wakes_again, "228"),
    CASE(arming_again_reports_pending_work_again, ""),
    CASE(arming_again_without_work_clears_the_signal, ""),
    CASE(clear_ignores_its_argument, "234"),
    CASE(signal_stays_until_it_is_cleared, "233"),
    CASE(foreign_write_does_not_keep_the_handle_readable, ""),
    CASE(progress_between_request_and_clear_loses_no_wake_up, ""),
    CASE(last_step_of_a_stop_wakes, ""),
    CASE(unreported_state_change_wakes, ""),
    CASE(destroyed_context_does_not_wake, ""),
    CASE(armed_engine_can_be_destroyed, ""),
    CASE(random_calls_never_lose_a_wake_up, "228"),
    CASE_OF_SW(wake_up_costs_three_system_calls, "", "the system calls of its wake-ups"),
    CASE(sleeping_program_completes_all_tasks, "228 232"),
};

TEST_MAIN(cases)

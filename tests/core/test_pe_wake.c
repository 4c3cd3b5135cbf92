/* The notification handle of a progress engine: it misses no work. */
#include "pe_support.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* A write that is not the library's own makes the eventfd of the engine readable. */
static void clear_drains_a_foreign_write(void)
{
    struct waiter w;

    open_waiter(&w);
    arm(&w);
    CHECK_EQ(write(w.r.pe->event_fd, &(uint64_t){ 1 }, 8), 8);
    CHECK(is_readable(&w));
    clear(&w);
    arm(&w);
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
    CASE(engine_keeps_its_handle, "226"),
    CASE(unarmed_engine_does_not_signal, "227"),
    CASE(armed_engine_without_work_does_not_signal, ""),
    CASE(arming_before_or_after_submit_wakes, "228 231 232"),
    CASE(engine_armed_after_its_last_completion_wakes, "228"),
    CASE(armed_engine_sleeps_while_its_device_is_busy, ""),
    CASE(device_that_completes_without_polling_wakes, "228"),
    CASE(submit_after_a_task_in_flight_wakes, "228"),
    CASE(start_that_can_complete_wakes, ""),
    CASE(handle_may_be_requested_after_arming, "226"),
    CASE(arming_is_for_one_wake_up, "229 231"),
    CASE(remaining_work_wakes_again, "228"),
    CASE(arming_again_reports_pending_work_again, ""),
    CASE(arming_again_without_work_clears_the_signal, ""),
    CASE(clear_ignores_its_argument, "234"),
    CASE(signal_stays_until_it_is_cleared, "233"),
    CASE(clear_drains_a_foreign_write, ""),
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

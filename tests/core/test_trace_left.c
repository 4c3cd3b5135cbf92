/* Recordings (DOCA_CORE_TRACE) of callbacks that do not return: they leave by longjmp(), or call
 * progress. Each callback in a recording begins and ends once. */
#define DOCA_CORE_TRACE 1
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include "fixture.h"
#include "trace_events.h"

#include <pthread.h>
#include <setjmp.h>

enum { BLOCKS = 64, BYTES = BLOCKS * DOCA_CORE_TRACE_BLOCK, TASKS = 6, LEN = 64 };

static _Alignas(64) unsigned char memory[BYTES];
static jmp_buf way_out;

static void start(void)
{
    (void)doca_core_trace_stop(); /* the recording of a failed case */
    CHECK_OK(doca_core_trace_start(memory, BYTES, DOCA_CORE_TRACE_KEEP));
}

static void stop(void)
{
    CHECK_OK(doca_core_trace_stop());
    read_events(memory);
}

static void leave(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    longjmp(way_out, 1);
}

/* Progress until `num` tasks have ended. Callbacks may leave by longjmp(). */
static void run(struct rig *r, const unsigned *num_ended, unsigned num)
{
    r->in_progress = true; /* rig_progress() permits neither longjmp() nor nesting */
    (void)setjmp(way_out);
    while (*num_ended < num)
        (void)doca_pe_progress(r->pe);
    r->in_progress = false;
}

/* Submit copies whose callbacks leave, and run them. */
static void copy_and_leave(struct rig *r, struct doca_dma_task_memcpy *tasks[TASKS])
{
    unsigned i;

    r->on_task = leave;
    for (i = 0; i < TASKS; i++)
        tasks[i] = rig_copy(r, r->dma, i * LEN, LEN);
    run(r, &r->num_ok, TASKS);
}

/* ---- by longjmp() ---- */

/* The end of a callback is recorded before the next task begins. The last callback ends in a call
 * of progress that finds nothing. */
static void callback_that_leaves_ends_before_the_next_task(void)
{
    struct doca_dma_task_memcpy *tasks[TASKS];
    unsigned i, at;
    struct rig r;

    rig_open(&r, TASKS);
    start();
    copy_and_leave(&r, tasks);
    CHECK_EQ(rig_drain(&r), 0);
    stop();
    CHECK_EQ(check_callbacks(), TASKS);
    for (i = 0; i < TASKS; i++) {
        at = find(0, DOCA_PRIV_TRACE_CALLBACK, tasks[i]);
        at = find(at, DOCA_PRIV_TRACE_CALLBACK_END, tasks[i]);
        if (i + 1 < TASKS)
            CHECK(find(0, DOCA_PRIV_TRACE_BEGIN, tasks[i + 1]) > at);
        rig_release(tasks[i]);
    }
    rig_close(&r);
}

static void *step_worker(void *worker)
{
    unsigned num = 0;

    while (num < TASKS)
        num += doca_core_sw_worker_step(worker, 1);
    return NULL;
}

static void callbacks_of_tasks_of_a_worker_end(void)
{
    struct doca_dma_task_memcpy *tasks[TASKS];
    struct doca_core_sw_worker *worker;
    enum heap_trap_mode mode;
    pthread_t thread;
    unsigned i;
    struct rig r;

    rig_open(&r, TASKS);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_sw_worker_create(r.dev, &worker));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_EQ(doca_core_sw_worker_step(worker, 0), 0); /* from here on the worker serves */
    mode = heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(pthread_create(&thread, NULL, step_worker, worker), 0);
    heap_trap_set(mode);
    start();
    copy_and_leave(&r, tasks);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    rig_drain(&r);
    stop();
    CHECK_EQ(check_callbacks(), TASKS);
    CHECK_EQ(count(DOCA_PRIV_TRACE_ASSIGN), TASKS);
    for (i = 0; i < TASKS; i++)
        rig_release(tasks[i]);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_sw_worker_destroy(worker));
    rig_close(&r);
}

static unsigned num_ended;

static void leave_batch(struct doca_task_batch *batch, uint16_t num, union doca_data data,
                        union doca_data ctx_data)
{
    (void)num;
    (void)data;
    (void)ctx_data;
    doca_task_batch_free(batch);
    num_ended++;
    longjmp(way_out, 1);
}

static void callback_of_a_batch_that_leaves_ends(void)
{
    const union doca_data none = { 0 };
    struct doca_dma_task_memcpy *tasks[2];
    struct doca_task_batch *batch;
    struct doca_buf *bufs[4];
    unsigned i;
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                               leave_batch, leave_batch));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, none, &batch));
    for (i = 0; i < 2; i++) {
        bufs[2 * i] = rig_src(&r, i * LEN, LEN);
        bufs[2 * i + 1] = rig_dst(&r, i * LEN, LEN);
        tasks[i] = rig_task(r.dma, bufs[2 * i], bufs[2 * i + 1]);
        CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(tasks[i])));
    }
    num_ended = 0;
    start();
    CHECK_OK(doca_task_batch_submit(batch));
    run(&r, &num_ended, 1);
    rig_drain(&r);
    stop();
    CHECK_EQ(check_callbacks(), 2);
    CHECK_EQ(count(DOCA_PRIV_TRACE_BATCH_END), 1);
    for (i = 0; i < 4; i++)
        CHECK_OK(doca_buf_dec_refcount(bufs[i], NULL));
    rig_close(&r);
}

static void leave_run(struct doca_graph_instance *instance, union doca_data data,
                      union doca_data graph)
{
    (void)instance;
    (void)data;
    (void)graph;
    num_ended++;
    longjmp(way_out, 1);
}

static void callback_of_a_graph_that_leaves_ends(void)
{
    struct doca_graph_instance *instance;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_node *copy;
    struct doca_graph *graph;
    struct rig r;

    rig_open(&r, TASKS);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, leave_run, leave_run, 1));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &copy));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    task = rig_prepare(&r, r.dma, 0, LEN);
    CHECK_OK(
        doca_graph_instance_set_ctx_node_data(instance, copy, doca_dma_task_memcpy_as_task(task)));
    for (num_ended = 0; num_ended < 2;) {
        start();
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
        CHECK_OK(doca_graph_instance_submit(instance));
        run(&r, &num_ended, num_ended + 1);
        (void)doca_pe_progress(r.pe);
        stop();
        CHECK(check_callbacks() > 0);
        CHECK_EQ(count(DOCA_PRIV_TRACE_RUN_END), 1);
    }
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(task);
    rig_close(&r);
}

/* The program never calls progress again. */
static void callback_ends_when_its_pe_is_destroyed(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    rig_open(&r, TASKS);
    start();
    r.on_task = leave;
    task = rig_copy(&r, r.dma, 0, LEN);
    run(&r, &r.num_ok, 1);
    rig_release(task);
    CHECK_OK(doca_ctx_stop(r.ctx));
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, NULL));
    CHECK_OK(doca_dma_destroy(r.dma));
    r.dma = NULL;
    CHECK_OK(doca_pe_destroy(r.pe));
    CHECK_OK(doca_pe_create(&r.pe)); /* for rig_close() */
    stop();
    CHECK_EQ(check_callbacks(), 1);
    rig_close(&r);
}

/* The end of a callback is recorded only in the recording that has its begin. */
static void recording_has_no_ends_of_earlier_callbacks(void)
{
    struct doca_dma_task_memcpy *tasks[TASKS];
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    start();
    copy_and_leave(&r, tasks);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK_END), TASKS - 1); /* the latest one has no end yet */
    start();
    (void)doca_pe_progress(r.pe);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK_END), 0);
    for (i = 0; i < TASKS; i++)
        rig_release(tasks[i]);
    rig_close(&r);
}

static void start_inside(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    start();
}

static void recording_that_begins_in_a_callback_has_no_end_of_it(void)
{
    struct rig r;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    r.on_task = start_inside;
    rig_copy(&r, r.dma, 0, LEN);
    rig_drain(&r);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK_END), 0);
    rig_close(&r);
}

/* ---- callbacks inside each other ---- */

static struct rig *inner;
static bool inner_leaves;
static jmp_buf way_back;

static void leave_inner(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    if (inner_leaves)
        longjmp(way_back, 1);
}

static void progress_inner(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    inner->in_progress = true;
    if (setjmp(way_back) == 0)
        (void)doca_pe_progress(inner->pe);
    inner->in_progress = false;
}

/* Two tasks of two rigs. The callback of the first one progresses the PE of the second one. Returns
 * the index of the event that ends the inner callback. */
static void nest(bool leaves, struct rig *outer, struct doca_dma_task_memcpy *tasks[2])
{
    static struct rig of_inner;
    unsigned at;

    inner = &of_inner;
    inner_leaves = leaves;
    rig_open(outer, TASKS);
    rig_open(inner, TASKS);
    outer->on_task = progress_inner;
    inner->on_task = leave_inner;
    start();
    tasks[0] = rig_copy(outer, outer->dma, 0, LEN);
    tasks[1] = rig_copy(inner, inner->dma, LEN, LEN);
    rig_drain(outer);
    stop();
    CHECK_EQ(outer->num_ok, 1);
    CHECK_EQ(inner->num_ok, 1);
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK), 2);
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK_END), 2);
    at = find(0, DOCA_PRIV_TRACE_CALLBACK, tasks[0]);
    at = find(at, DOCA_PRIV_TRACE_CALLBACK, tasks[1]);
    at = find(at, DOCA_PRIV_TRACE_CALLBACK_END, tasks[1]);
    (void)find(at, DOCA_PRIV_TRACE_CALLBACK_END, tasks[0]);
    rig_release(tasks[0]);
    rig_release(tasks[1]);
    rig_close(inner);
    rig_close(outer);
}

/* The inner callback returns, or leaves into the outer one. */
static void inner_callback_ends_before_the_outer_one(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct rig outer;

    nest(false, &outer, tasks);
    nest(true, &outer, tasks);
}

static void progress_at_once(struct doca_dma_task_memcpy *task, union doca_data task_data,
                             union doca_data ctx_data)
{
    (void)task;
    (void)task_data;
    (void)ctx_data;
    (void)doca_pe_progress(inner->pe);
}

/* The callback is the program's own function and consists of the call. Compilers that inline much
 * leave few stack frames between the two calls of progress; the program trace_left.inlined is built
 * in this way. */
static void short_callback_ends_after_the_inner_one(void)
{
    static struct rig outer, of_inner;
    struct doca_dma_task_memcpy *tasks[2];
    unsigned at;

    inner = &of_inner;
    rig_open(inner, TASKS);
    rig_build(&outer, NULL, TASKS);
    CHECK_OK(doca_dma_task_memcpy_set_conf(outer.dma, progress_at_once, rig_failed, TASKS));
    CHECK_OK(doca_ctx_start(outer.ctx));
    rig_drain(&outer);
    start();
    tasks[0] = rig_copy(&outer, outer.dma, 0, LEN);
    tasks[1] = rig_copy(inner, inner->dma, LEN, LEN);
    outer.in_progress = inner->in_progress = true;
    while (doca_pe_progress(outer.pe) == 0)
        continue;
    outer.in_progress = inner->in_progress = false;
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK_END), 2);
    at = find(0, DOCA_PRIV_TRACE_CALLBACK, tasks[0]);
    at = find(at, DOCA_PRIV_TRACE_CALLBACK, tasks[1]);
    at = find(at, DOCA_PRIV_TRACE_CALLBACK_END, tasks[1]);
    (void)find(at, DOCA_PRIV_TRACE_CALLBACK_END, tasks[0]);
    rig_release(tasks[0]);
    rig_release(tasks[1]);
    rig_close(inner);
    rig_close(&outer);
}

static void progress_same(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)task;
    r->on_task = NULL;
    (void)doca_pe_progress(r->pe);
}

/* A callback that calls progress for its own PE ends there, as a graph node does. Its return adds
 * no second end. */
static void callback_that_progresses_its_pe_ends_once(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct rig r;

    rig_open(&r, TASKS);
    start();
    r.on_task = progress_same;
    tasks[0] = rig_copy(&r, r.dma, 0, LEN);
    tasks[1] = rig_copy(&r, r.dma, LEN, LEN);
    run(&r, &r.num_ok, 2);
    rig_drain(&r);
    stop();
    CHECK_EQ(check_callbacks(), 2);
    rig_release(tasks[0]);
    rig_release(tasks[1]);
    rig_close(&r);
}

/* Like run() for one task, with the call of progress `depth` stack frames deeper. */
static void run_deeper(struct rig *r, unsigned depth)
{
    volatile unsigned char frame[64];

    frame[0] = 0;
    if (depth > 0)
        run_deeper(r, depth - 1);
    else
        run(r, &r->num_ok, 1);
    CHECK_EQ(frame[0], 0);
}

/* The program leaves the callback of each of many PEs, and progresses none of them again. A
 * callback ends when another PE is progressed from the same place. If each call of progress is
 * deeper in the stack than the previous call, it could be inside the earlier callbacks. In this
 * case only the oldest callbacks end. */
static void callbacks_of_many_pes_end(void)
{
    enum { MANY = 20 };
    static struct rig rigs[MANY];
    struct doca_dma_task_memcpy *tasks[MANY];
    unsigned deeper, i, num;

    for (deeper = 0; deeper < 2; deeper++) {
        for (i = 0; i < MANY; i++)
            rig_open(&rigs[i], 1);
        start();
        for (i = 0; i < MANY; i++) {
            rigs[i].on_task = leave;
            tasks[i] = rig_copy(&rigs[i], rigs[i].dma, i * LEN, LEN);
            run_deeper(&rigs[i], deeper ? i : 0);
        }
        stop();
        CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK), MANY);
        num = count(DOCA_PRIV_TRACE_CALLBACK_END);
        CHECK_EQ(num, MANY - (deeper ? DOCA_PRIV_TRACE_CALLBACKS : 1));
        for (i = 0; i < MANY; i++) {
            if (i < num)
                (void)find(find(0, DOCA_PRIV_TRACE_CALLBACK, tasks[i]),
                           DOCA_PRIV_TRACE_CALLBACK_END, tasks[i]);
            rig_release(tasks[i]);
            rig_close(&rigs[i]);
        }
    }
}

static const struct test_case cases[] = {
    CASE(callback_that_leaves_ends_before_the_next_task, ""),
    CASE(callbacks_of_tasks_of_a_worker_end, ""),
    CASE(callback_of_a_batch_that_leaves_ends, ""),
    CASE(callback_of_a_graph_that_leaves_ends, ""),
    CASE(callback_ends_when_its_pe_is_destroyed, ""),
    CASE(recording_has_no_ends_of_earlier_callbacks, ""),
    CASE(recording_that_begins_in_a_callback_has_no_end_of_it, ""),
    CASE(inner_callback_ends_before_the_outer_one, ""),
    CASE(short_callback_ends_after_the_inner_one, ""),
    CASE(callback_that_progresses_its_pe_ends_once, ""),
    CASE(callbacks_of_many_pes_end, ""),
};

TEST_MAIN(cases)

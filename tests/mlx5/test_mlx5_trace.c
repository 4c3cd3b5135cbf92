/* Recordings of copies on a fake device in plain memory (mlx5_fake.h): the doorbell, after which
 * the device executes a task, and the poll that sees its completion. */
#define DOCA_CORE_TRACE 1
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "doca_core.h"

#include "mlx5_fake_rig.h"
#include "trace_events.h"

#include <setjmp.h>

enum { BLOCKS = 32, COPIES = 3 };

static _Alignas(64) unsigned char recording[BLOCKS * DOCA_CORE_TRACE_BLOCK];

static void completion_of_every_task_is_recorded(void)
{
    struct doca_dma_task_memcpy *tasks[COPIES];
    unsigned at, end, k;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        open_fake_rig(&r, engines[i], COPIES);
        r.frees_tasks = false;
        r.on_task = NULL;
        CHECK_OK(doca_core_trace_start(recording, sizeof(recording), DOCA_CORE_TRACE_KEEP));
        for (k = 0; k < COPIES; k++)
            tasks[k] = rig_copy(&r, r.dma, 100 * k, 100);
        finish(&r);
        CHECK_OK(doca_core_trace_stop());
        read_events(recording);
        CHECK_EQ(r.num_ok, COPIES);
        CHECK_EQ(count(DOCA_PRIV_TRACE_END), COPIES);
        CHECK_EQ(count(DOCA_PRIV_TRACE_BEGIN), 0);
        for (k = 0; k < COPIES; k++) {
            at = find(0, DOCA_PRIV_TRACE_SUBMIT, tasks[k]);
            end = find(at, DOCA_PRIV_TRACE_END, tasks[k]);
            while (engines[i] != DOCA_CORE_MLX5_ENGINE_VERBS &&
                   kind_of(&events[at]) != DOCA_PRIV_TRACE_DOORBELL)
                CHECK(++at < end);
            CHECK_EQ(find(end, DOCA_PRIV_TRACE_CALLBACK, tasks[k]), end + 1);
            rig_release(tasks[k]);
        }
        rig_close(&r);
    }
}

static jmp_buf way_out;

static void leave(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    longjmp(way_out, 1);
}

/* Like finish(), for callbacks that leave. */
static void finish_by_jumps(struct rig *r)
{
    r->in_progress = true; /* rig_progress() does not permit longjmp() */
    (void)setjmp(way_out);
    do
        (void)fake_run();
    while (doca_pe_progress(r->pe) != 0 || r->num_ok < COPIES);
    r->in_progress = false;
}

static void callback_that_leaves_has_its_end(void)
{
    struct doca_dma_task_memcpy *tasks[COPIES];
    unsigned k, at;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        open_fake_rig(&r, engines[i], COPIES);
        r.on_task = leave;
        CHECK_OK(doca_core_trace_start(recording, sizeof(recording), DOCA_CORE_TRACE_KEEP));
        for (k = 0; k < COPIES; k++)
            tasks[k] = rig_copy(&r, r.dma, 100 * k, 100);
        finish_by_jumps(&r);
        CHECK_OK(doca_core_trace_stop());
        read_events(recording);
        CHECK_EQ(check_callbacks(), COPIES);
        for (k = 0; k < COPIES; k++) {
            at = find(0, DOCA_PRIV_TRACE_CALLBACK, tasks[k]);
            CHECK_EQ(find(at, DOCA_PRIV_TRACE_CALLBACK_END, tasks[k]), at + 1);
            rig_release(tasks[k]);
        }
        r.on_task = NULL;
        rig_close(&r);
    }
}

static const struct test_case cases[] = {
    CASE(completion_of_every_task_is_recorded, ""),
    CASE(callback_that_leaves_has_its_end, ""),
};

TEST_MAIN(cases)

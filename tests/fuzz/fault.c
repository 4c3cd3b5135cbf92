/* Texts that describe faults. A refused text sets no faults. With an accepted text, the same calls
 * run twice: each task must complete once, and both runs must have the same results. */
#include "fuzz.h"
#include <ctype.h>

enum { NUM_TASKS = 8, BYTES = 100 };

struct outcome {
    doca_error_t status[NUM_TASKS];
    unsigned num_back[NUM_TASKS];
    doca_error_t export, second; /* results of an export, and of a second context's start */
    uint64_t num_faults;
};

static struct rig rig;
static struct outcome now;

static void fuzz_set_up(void)
{
}

static void task_done(struct rig *r, struct doca_dma_task_memcpy *task)
{
    uint64_t i = doca_task_get_user_data(doca_dma_task_memcpy_as_task(task)).u64;

    CHECK(i < NUM_TASKS);
    now.num_back[i]++;
    now.status[i] = r->status;
    CHECK(rig_data_len(doca_dma_task_memcpy_get_dst(task)) <= BYTES);
    if (r->status != DOCA_SUCCESS)
        CHECK_EQ(rig_data_len(doca_dma_task_memcpy_get_dst(task)), 0);
    rig_release(task);
}

static void submit(unsigned i)
{
    struct doca_dma_task_memcpy *task = rig_prepare(&rig, rig.dma, i * 2 * BYTES, BYTES);
    doca_error_t rc;

    doca_task_set_user_data(doca_dma_task_memcpy_as_task(task), (union doca_data){ .u64 = i });
    rc = rig_submit(task);
    if (rc == DOCA_SUCCESS)
        return;
    now.status[i] = rc;
    now.num_back[i]++;
    rig_release(task);
}

/* Stop the context. A fault may delay the flush of its tasks for many calls of progress. */
static void stop(struct doca_ctx *ctx)
{
    doca_error_t rc = doca_ctx_stop(ctx);
    unsigned i;

    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    for (i = 0; rig_state(ctx) != DOCA_CTX_STATE_IDLE && i < RIG_PATIENCE; i++)
        (void)rig_progress(&rig);
    CHECK_EQ(rig_state(ctx), DOCA_CTX_STATE_IDLE);
}

/* True unless the text may delay a flush for longer than stop() waits. */
static bool may_run_scene(const char *text)
{
    bool may_flush = strstr(text, "flush") != NULL || strchr(text, '*') != NULL;
    const char *at = text;
    char *end;

    while (may_flush && (at = strstr(at, "delay:")) != NULL) {
        at += strlen("delay:");
        if (strtoull(at, &end, 10) > 1000 || isalpha((unsigned char)*end))
            return false;
    }
    return true;
}

/* Start a second context. A fault may let the start fail. */
static void run_second(void)
{
    struct doca_dma *dma = rig_make_dma(&rig, 2);

    now.second = doca_ctx_start(doca_dma_as_ctx(dma));
    rig_drain(&rig);
    if (rig_state(doca_dma_as_ctx(dma)) != DOCA_CTX_STATE_IDLE)
        stop(doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
}

static void run_scene(const char *text)
{
    struct doca_mmap *mmap;
    const void *desc;
    size_t len;
    unsigned i;

    memset(&now, 0, sizeof(now));
    CHECK_OK(doca_core_fault_set(""));
    rig_open(&rig, NUM_TASKS);
    rig.on_task = task_done;
    mmap = share_map(rig.dev, rig_from, RIG_BYTES, SHARE_PCI);
    CHECK_OK(doca_core_fault_set(text));
    now.export = doca_mmap_export_pci(mmap, rig.dev, &desc, &len);
    for (i = 0; i < NUM_TASKS; i++) {
        if (rig_state(rig.ctx) == DOCA_CTX_STATE_RUNNING)
            submit(i);
        else
            now.num_back[i]++;
        if (i % 3 == 2)
            (void)rig_progress(&rig);
    }
    for (i = 0; i < 40; i++)
        (void)rig_progress(&rig);
    (void)doca_core_fault_release(1);
    run_second();
    stop(rig.ctx);
    for (i = 0; i < NUM_TASKS; i++)
        CHECK_EQ(now.num_back[i], 1);
    now.num_faults = doca_core_fault_get_num();
    CHECK_OK(doca_core_fault_set(NULL));
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&rig);
    CHECK_EQ(doca_core_fault_get_num_held(), 0);
}

static void fuzz_run_input(void)
{
    char *text = fuzz_text();
    struct outcome first;
    doca_error_t rc = doca_core_fault_set(text);

    if (rc == DOCA_SUCCESS) {
        CHECK_OK(doca_core_fault_set(NULL));
    } else {
        CHECK(rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_TOO_BIG);
        CHECK(strstr(doca_core_last_error(), "doca_core_fault_set") != NULL);
        CHECK_EQ(doca_core_fault_get_num(), 0);
    }
    if (rc == DOCA_SUCCESS && may_run_scene(text)) {
        run_scene(text);
        first = now;
        run_scene(text);
        if (strstr(text, "delay") == NULL) /* delays depend on the clock */
            CHECK_MEM(&first, &now, sizeof(now));
    }
    fuzz_free(text);
}

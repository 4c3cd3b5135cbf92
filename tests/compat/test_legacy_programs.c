/* Programs of DOCA 1.3: a program of three files, which use the API of 1.3, of 1.5 and of today;
 * two processes; threads; and the memory that all objects take. */
#include "legacy_others.h"
#include "legacy_support.h"

#include <pthread.h>
#include <sys/wait.h>

static void todays_calls_refuse_inventories_of_1x(void)
{
    union doca_data data = { .u64 = 77 }, got = { .u64 = 0 };
    struct doca_buf_inventory *inventory;
    doca_error_t answers[3];
    struct doca_buf *buf;
    struct kit k;
    char name[16];
    unsigned i;

    kit_open(&k);
    CHECK_OK(doca_buf_inventory_create("mine", 1, 0, &inventory));
    legacy_inventory_as_today(inventory, answers);
    for (i = 0; i < 3; i++)
        CHECK_RC(answers[i], DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_inventory_set_user_data(inventory, data));
    CHECK_OK(doca_buf_inventory_property_get(inventory, DOCA_BUF_INVENTORY_NAME, name,
                                             sizeof(name)));
    CHECK_STR(name, "mine");
    CHECK_OK(doca_buf_inventory_start(inventory));
    buf = buf_on(inventory, k.mmap, from, LEN);
    CHECK_RC(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE); /* changes nothing */
    CHECK_OK(doca_buf_inventory_get_user_data(inventory, &got));
    CHECK_EQ(got.u64, 77);
    release(buf);
    legacy_inventory_as_today(inventory, answers);
    CHECK_RC(answers[2], DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_RC(doca_buf_inventory_set_user_data(NULL, data), DOCA_ERROR_INVALID_VALUE);
    kit_close(&k);
}

static void files_of_three_versions_form_one_program(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct kit k;

    kit_open(&k); /* this file uses the API of 1.3, on the same device and memory */
    CHECK_OK(legacy_copy_as_15(dev, from, to, LEN));
    CHECK_MEM(to, from, LEN);
    CHECK_OK(legacy_copy_as_today(dev, from + LEN, to + LEN, LEN));
    CHECK_MEM(to + LEN, from + LEN, LEN);
    CHECK_OK(copy_block(&k, k.ctx, 2));
    CHECK_OK(retrieve_result(k.workq));
    CHECK_MEM(to, from, 3 * LEN);
    CHECK((void (*)(void))legacy_start_of_today() != (void (*)(void))doca_mmap_start);
    kit_close(&k);
    CHECK_OK(doca_dev_close(dev));
}

/* The exporting process is a child that sends the descriptor and the address of malloc() memory
 * through a pipe, and sleeps. The importing process is its parent, because Linux allows a parent to
 * access the memory of its child. */
static void export_and_import_between_two_processes(void)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct {
        unsigned char *addr;
        size_t len;
        unsigned char desc[1024];
    } offer;
    struct doca_mmap *import;
    struct doca_buf *theirs, *ours;
    struct doca_dma_job_memcpy job;
    int ends[2], status = -1;
    struct kit k;
    pid_t child;

    CHECK_EQ(pipe(ends), 0);
    child = test_peer();
    if (child == 0) {
        struct doca_dev *dev = rig_open_dev(NULL);
        struct doca_mmap *mmap = make_mmap(1, 1);
        void *desc;

        memset(&offer, 0, sizeof(offer));
        offer.addr = malloc(LEN);
        memset(offer.addr, 0xc3, LEN);
        if (doca_mmap_start(mmap) == DOCA_SUCCESS &&
            doca_mmap_populate(mmap, offer.addr, LEN, PAGE, NULL, NULL) == DOCA_SUCCESS &&
            doca_mmap_dev_add(mmap, dev) == DOCA_SUCCESS &&
            doca_mmap_export(mmap, dev, &desc, &offer.len) == DOCA_SUCCESS) {
            memcpy(offer.desc, desc, offer.len);
            free(desc);
        }
        (void)!write(ends[1], &offer, sizeof(offer));
        for (;;)
            pause();
    }
    heap_trap_set(mode);
    CHECK_EQ(read(ends[0], &offer, sizeof(offer)), sizeof(offer));
    CHECK(offer.len > 0);
    kit_open(&k);
    CHECK_OK(doca_mmap_create_from_export("host", offer.desc, offer.len, k.dev, &import));
    theirs = buf_on(k.inventory, import, offer.addr, LEN);
    ours = buf_on(k.inventory, k.mmap, to, LEN);
    job = job_of(k.ctx, theirs, ours, LEN, 0);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve_result(k.workq));
    CHECK(to[0] == 0xc3 && to[LEN - 1] == 0xc3);
    peer_kill(child);
    CHECK_EQ(waitpid(child, &status, 0), child);
    close(ends[0]);
    close(ends[1]);
    CHECK_OK(doca_workq_submit(k.workq, &job.base)); /* the exporter has ended */
    CHECK_RC(retrieve_result(k.workq), DOCA_ERROR_IO_FAILED);
    release(theirs);
    release(ours);
    CHECK_OK(doca_mmap_destroy(import));
    kit_close(&k);
}

/* The threads share a context. Each thread has its own work queue, inventory and mmap. */
enum { THREADS = 4, JOBS = 300, THREAD_BYTES = sizeof(from) / THREADS };

struct worker {
    pthread_t thread;
    struct kit *shared;
    unsigned char *from, *to;
    unsigned num_ok;
};

static void *worker_thread(void *arg)
{
    struct worker *w = arg;
    struct kit k = *w->shared;
    struct doca_event ev;
    unsigned in = 0, out = 0;

    /* a failed CHECK would jump to the stack of the main thread */
    if (doca_mmap_create("mmap of a thread", &k.mmap) != DOCA_SUCCESS ||
        doca_mmap_property_set(k.mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &(uint32_t){ 2 }, 4) !=
            DOCA_SUCCESS ||
        doca_mmap_start(k.mmap) != DOCA_SUCCESS ||
        doca_mmap_dev_add(k.mmap, k.dev) != DOCA_SUCCESS ||
        doca_mmap_populate(k.mmap, w->from, THREAD_BYTES, PAGE, NULL, NULL) != DOCA_SUCCESS ||
        doca_mmap_populate(k.mmap, w->to, THREAD_BYTES, PAGE, NULL, NULL) != DOCA_SUCCESS ||
        doca_buf_inventory_create("bufs", 32, 0, &k.inventory) != DOCA_SUCCESS ||
        doca_buf_inventory_start(k.inventory) != DOCA_SUCCESS ||
        doca_workq_create(8, &k.workq) != DOCA_SUCCESS ||
        doca_ctx_workq_add(k.ctx, k.workq) != DOCA_SUCCESS)
        return NULL;
    while (out < JOBS) {
        size_t at = in * 37 % (THREAD_BYTES - 64);
        struct doca_buf *src, *dst;
        struct doca_dma_job_memcpy job;

        if (in < JOBS && in - out < 8 &&
            doca_buf_inventory_buf_by_addr(k.inventory, k.mmap, w->from + at, 64, &src) ==
                DOCA_SUCCESS &&
            doca_buf_inventory_buf_by_addr(k.inventory, k.mmap, w->to + at, 64, &dst) ==
                DOCA_SUCCESS) {
            job = job_of(k.ctx, src, dst, 64, in);
            w->num_ok += doca_workq_submit(k.workq, &job.base) == DOCA_SUCCESS;
            in++;
            (void)doca_buf_refcount_rm(src, NULL);
            (void)doca_buf_refcount_rm(dst, NULL);
        }
        if (doca_workq_progress_retrieve(k.workq, &ev, 0) != DOCA_ERROR_AGAIN) {
            at = (size_t)ev.user_data.u64 * 37 % (THREAD_BYTES - 64);
            w->num_ok += memcmp(w->to + at, w->from + at, 64) == 0;
            out++;
        }
    }
    w->num_ok += doca_ctx_workq_rm(k.ctx, k.workq) == DOCA_SUCCESS &&
                 doca_workq_destroy(k.workq) == DOCA_SUCCESS &&
                 doca_buf_inventory_destroy(k.inventory) == DOCA_SUCCESS &&
                 doca_mmap_destroy(k.mmap) == DOCA_SUCCESS;
    return NULL;
}

static void each_thread_has_a_queue_on_one_context(void)
{
    enum heap_trap_mode mode;
    struct worker workers[THREADS];
    struct kit k;
    unsigned i;

    kit_open(&k);
    mode = heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() allocates */
    for (i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){ .shared = &k,
                                      .from = from + i * THREAD_BYTES,
                                      .to = to + i * THREAD_BYTES };
        CHECK_EQ(pthread_create(&workers[i].thread, NULL, worker_thread, &workers[i]), 0);
    }
    for (i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(workers[i].thread, NULL), 0);
    heap_trap_set(mode);
    for (i = 0; i < THREADS; i++)
        CHECK_EQ(workers[i].num_ok, 2 * JOBS + 1);
    kit_close(&k);
}

/* Create all kinds of objects in an arena of `lines` cache lines, and destroy them. Return whether
 * the arena was large enough, and check that it is empty at the end. */
static bool try_arena_of(size_t lines)
{
    static DOCA_CORE_ALIGNED unsigned char memory[512 * DOCA_CORE_LINE];
    struct doca_dev *dev = rig_open_dev(NULL); /* not in the small arena */
    struct doca_core_arena arena;
    struct doca_mmap *mmap = NULL;
    struct doca_buf_inventory *inventory = NULL;
    struct doca_dma *dma = NULL;
    struct doca_ctx *ctx = NULL;
    struct doca_workq *workq = NULL;
    struct doca_graph *graph = NULL;
    struct doca_graph_node *node;
    bool is_added = false, works;
    size_t used;

    CHECK(lines <= 512);
    CHECK_OK(doca_core_arena_init(&arena, memory, lines * DOCA_CORE_LINE));
    CHECK_OK(doca_core_arena_bind(&arena));
    works = doca_mmap_create("small", &mmap) == DOCA_SUCCESS &&
            doca_mmap_start(mmap) == DOCA_SUCCESS &&
            doca_mmap_dev_add(mmap, dev) == DOCA_SUCCESS &&
            doca_mmap_populate(mmap, from, LEN, PAGE, NULL, NULL) == DOCA_SUCCESS &&
            doca_buf_inventory_create("small", 4, 0, &inventory) == DOCA_SUCCESS &&
            doca_dma_create(&dma) == DOCA_SUCCESS &&
            doca_ctx_dev_add(ctx = doca_dma_as_ctx(dma), dev) == DOCA_SUCCESS &&
            doca_ctx_start(ctx) == DOCA_SUCCESS && doca_workq_create(4, &workq) == DOCA_SUCCESS &&
            (is_added = doca_ctx_workq_add(ctx, workq) == DOCA_SUCCESS) &&
            doca_graph_create(&graph) == DOCA_SUCCESS &&
            doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, ctx, &node) == DOCA_SUCCESS;
    if (!works)
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_ARENA_EXHAUSTED);
    if (graph != NULL)
        CHECK_OK(doca_graph_destroy(graph));
    if (is_added)
        CHECK_OK(doca_ctx_workq_rm(ctx, workq));
    if (workq != NULL)
        CHECK_OK(doca_workq_destroy(workq));
    if (ctx != NULL) {
        CHECK_OK(doca_ctx_stop(ctx));
        CHECK_OK(doca_ctx_dev_rm(ctx, dev));
    }
    if (dma != NULL)
        CHECK_OK(doca_dma_destroy(dma));
    if (inventory != NULL)
        CHECK_OK(doca_buf_inventory_destroy(inventory));
    if (mmap != NULL)
        CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_OK(doca_core_arena_bind(NULL));
    CHECK_OK(doca_dev_close(dev));
    return works;
}

static void exhausted_arena_leaves_nothing_behind(void)
{
    size_t lines = 2;

    while (!try_arena_of(lines))
        lines++;
    CHECK(lines > 40);
}

/* Return by how many bytes the use of the bound arena grew since the last call, and update
 * `before`. */
static size_t arena_growth(size_t *before)
{
    size_t used, more;

    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    more = used - *before;
    *before = used;
    return more;
}

static void byte_counts_match_the_arena(void)
{
    static const uint32_t num_devs[] = { 1, DOCA_CORE_MMAP_DEVS + 2 };
    struct doca_buf_inventory *inventory;
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_workq *workq;
    struct doca_mmap *mmap;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    size_t used = 0, want;
    unsigned i, n;

    (void)arena_growth(&used);
    for (n = 0; n < 2; n++) {
        mmap = make_mmap(3, num_devs[n]);
        CHECK_OK(doca_mmap_start(mmap));
        for (i = 0; i < 3; i++)
            CHECK_OK(doca_mmap_populate(mmap, from + 2 * i * LEN, LEN, PAGE, NULL, NULL));
        CHECK_OK(doca_core_bytes_legacy_mmap(3, num_devs[n], &want));
        CHECK_EQ(arena_growth(&used), want);
        CHECK_OK(doca_mmap_destroy(mmap));
        (void)arena_growth(&used);
    }
    CHECK_OK(doca_buf_inventory_create("bufs", 7, 0, &inventory));
    CHECK_OK(doca_core_bytes_legacy_buf_inventory(7, &want));
    CHECK_EQ(arena_growth(&used), want);
    CHECK_OK(doca_dma_create(&dma));
    CHECK_OK(doca_core_bytes_legacy_dma(&want));
    CHECK_EQ(arena_growth(&used), want);
    CHECK_OK(doca_workq_create(5, &workq));
    CHECK_OK(doca_core_bytes_legacy_workq(5, &want));
    CHECK_EQ(arena_growth(&used), want);
    ctx = doca_dma_as_ctx(dma);
    CHECK_OK(doca_ctx_dev_add(ctx, dev));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_ctx_workq_add(ctx, workq));
    CHECK_OK(doca_core_bytes_legacy_ctx_workq(dev, 5, &want));
    CHECK_EQ(arena_growth(&used), want);
    CHECK_RC(doca_core_bytes_legacy_mmap(1, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_legacy_ctx_workq(NULL, 1, &want), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_ctx_workq_rm(ctx, workq));
    CHECK_OK(doca_workq_destroy(workq));
    end_ctx(ctx, dev, dma);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(todays_calls_refuse_inventories_of_1x, ""),
    CASE(files_of_three_versions_form_one_program, ""),
    CASE(export_and_import_between_two_processes, ""),
    CASE(each_thread_has_a_queue_on_one_context, ""),
    CASE(exhausted_arena_leaves_nothing_behind, ""),
    CASE(byte_counts_match_the_arena, ""),
};

TEST_MAIN(cases)

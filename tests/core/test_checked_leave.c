/* The checked mode: processes that fork, callbacks that call doca_pe_progress() or leave it by
 * longjmp(), and log sinks that wait. */
#include "checked_support.h"

#include <setjmp.h>
#include <unistd.h>

static struct rig shared;

static struct doca_buf *shared_buf;

static struct doca_dma *unused_dma; /* a second context, never started */

/* A child of fork() can use bufs of its own while a task of the parent is in flight. */
static void forked_child_can_use_its_own_bufs(void)
{
    struct doca_dma_task_memcpy *task, *another;
    struct rig r, own;
    pid_t child;

    rig_open(&r, TASKS);
    task = rig_copy(&r, r.dma, 0, LEN);
    record_log();
    child = fork();
    if (child == 0) {
        rig_open(&own, TASKS);
        another = rig_copy(&own, own.dma, 0, LEN);
        rig_drain(&own);
        rig_release(another);
        _exit(logged.lines == 0 && own.num_ok == 1 ? 0 : 1);
    }
    PEER_REAP(child);
    rig_drain(&r);
    rig_release(task);
    rig_close(&r);
}

/* Overlaps of the child's own tasks are reported in the child, whether or not the parent had a task
 * in flight at the fork. The parent's task causes no report in the child. */
static void forked_child_gets_reports_of_its_own_overlaps(void)
{
    struct doca_dma_task_memcpy *task, *another, *of_parent = NULL;
    unsigned has_parent;
    struct rig r;
    pid_t child;

    for (has_parent = 0; has_parent < 2; has_parent++) {
        rig_open(&r, TASKS);
        if (has_parent)
            of_parent = rig_copy(&r, r.dma, 0, LEN);
        else
            rig_release(rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, 0, LEN)));
        record_log();
        child = fork();
        if (child == 0) {
            task = rig_copy(&r, r.dma, 2 * LEN, LEN);
            while (r.num_ok < has_parent) /* includes the child's copy of the parent's task */
                (void)rig_progress(&r);
            another = rig_copy(&r, r.dma, 2 * LEN, LEN);
            _exit(task != another && logged.lines == 1 &&
                          logged.item == DOCA_CORE_ITEM_CHECK_OVERLAP
                      ? 0
                      : 1);
        }
        PEER_REAP(child);
        rig_drain(&r);
        if (has_parent)
            rig_release(of_parent);
        rig_close(&r);
    }
}

static void *release_shared_buf(void *arg)
{
    (void)arg;
    CHECK_OK(doca_buf_dec_refcount(shared_buf, NULL));
    return NULL;
}

/* The log sink of a failing call may wait for another thread that releases a buf: the library holds
 * no lock while it calls the sink. */
static void wait_for_another_thread(uint32_t level, enum doca_core_item item, const char *line,
                                    void *user)
{
    (void)level;
    (void)line;
    (void)user;
    CHECK_EQ(item, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE);
    run_in_another_thread(release_shared_buf);
}

static void sink_may_wait_for_another_thread(void)
{
    void *const before = (void *)((uintptr_t)rig_from - LEN); /* below the range of the mmap */
    struct doca_buf *buf = NULL;
    struct rig r;

    rig_open(&r, TASKS);
    rig_open(&shared, TASKS);
    shared_buf = rig_src(&shared, 0, LEN);
    doca_core_log_set_sink(wait_for_another_thread, NULL);
    CHECK_RC(doca_buf_inventory_buf_get_by_data(r.inventory, r.src_map, before, LEN, &buf),
             DOCA_ERROR_INVALID_VALUE);
    record_log();
    buf = rig_src(&r, 0, LEN); /* works: the failed call holds no lock */
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    rig_close(&shared);
    rig_close(&r);
}

static void *check_progress_is_refused(void *arg)
{
    (void)arg;
    CHECK_EQ(doca_pe_progress(shared.pe), 0);
    CHECK_REPORT(CHECK_THREAD, doca_pe_progress, "pe created");
    return NULL;
}

/* Every call of doca_pe_progress() in a callback is reported. After such calls the thread still
 * counts as using the PE, so another thread is refused. */
static void nest_progress(struct rig *r, struct doca_dma_task_memcpy *task)
{
    unsigned i;

    (void)task;
    for (i = 0; i < 3; i++) {
        (void)doca_pe_progress(r->pe);
        CHECK_REPORT(CHECK_NESTED, doca_pe_progress, "pe created");
    }
    run_in_another_thread(check_progress_is_refused);
}

static void progress_in_a_callback_is_reported(void)
{
    struct doca_dma_task_memcpy *task;

    rig_open(&shared, TASKS);
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = nest_progress;
    record_log();
    rig_drain(&shared);
    CHECK_EQ(logged.lines, 0);
    shared.on_task = NULL;
    rig_release(task);
    rig_close(&shared);
}

static jmp_buf way_out;

static void leave_by_longjmp(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    rig_release(task);
    longjmp(way_out, 1);
}

static void progress_in_another_thread(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    record_log();
    run_in_another_thread(check_progress_is_refused);
}

/* Callbacks leave doca_pe_progress() by longjmp(), and their PEs are destroyed. The recorded uses
 * of destroyed PEs are dropped: after more PEs than the checked mode remembers uses, it still
 * refuses a second thread. */
static void destroyed_pes_left_by_longjmp_are_forgotten(void)
{
    struct doca_dma_task_memcpy *task;
    static unsigned i; /* static, as longjmp() can lose the value of a local variable */

    for (i = 0; i < 100; i++) {
        rig_open(&shared, 1);
        (void)rig_copy(&shared, shared.dma, 0, LEN);
        shared.on_task = leave_by_longjmp;
        if (setjmp(way_out) == 0)
            rig_drain(&shared);
        CHECK_OK(doca_dma_destroy(shared.dma));
        shared.dma = NULL;
        rig_close(&shared);
    }
    rig_open(&shared, TASKS);
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = progress_in_another_thread;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
    rig_release(task);
    rig_close(&shared);
}

/* A thread that leaves doca_pe_progress() by longjmp() still counts as using that PE. It does not
 * count as using a new PE at the same address, so another thread may use the new PE. */
static struct doca_pe *new_pe;

static void *use_new_pe(void *arg)
{
    (void)arg;
    CHECK_OK(doca_pe_set_event_mode(new_pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    CHECK_OK(doca_pe_destroy(new_pe));
    return NULL;
}

static void new_pe_in_place_of_an_abandoned_pe_is_usable(void)
{
    DOCA_CORE_ALIGNED static unsigned char memory[1 << 20];
    struct doca_core_arena *bound = doca_core_arena_bound(), own;
    struct doca_pe *old_pe;

    rig_open(&shared, 1);
    CHECK_OK(doca_core_arena_init(&own, memory, sizeof(memory)));
    CHECK_OK(doca_core_arena_bind(&own));
    CHECK_OK(doca_pe_create(&old_pe));
    CHECK_OK(doca_dma_create(shared.dev, &unused_dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(unused_dma, rig_completed, rig_failed, 1));
    CHECK_OK(doca_ctx_set_user_data(doca_dma_as_ctx(unused_dma),
                                    (union doca_data){ .ptr = &shared }));
    CHECK_OK(doca_pe_connect_ctx(old_pe, doca_dma_as_ctx(unused_dma)));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(unused_dma)));
    CHECK_OK(rig_submit(rig_prepare(&shared, unused_dma, 0, LEN)));
    shared.on_task = leave_by_longjmp;
    shared.in_progress = true;
    if (setjmp(way_out) == 0)
        while (doca_pe_progress(old_pe) > 0)
            continue;
    shared.in_progress = false;
    CHECK_OK(doca_dma_destroy(unused_dma));
    /* make the arena empty without destroying old_pe */
    CHECK_OK(doca_core_arena_init(&own, memory, sizeof(memory)));
    CHECK_OK(doca_pe_create(&new_pe));
    CHECK_PTR(new_pe, old_pe);
    record_log();
    run_in_another_thread(use_new_pe);
    CHECK_EQ(logged.lines, 0);
    CHECK_OK(doca_core_arena_bind(bound));
    rig_close(&shared);
}

/* fork() may be called while another thread of the parent holds a lock of the library. In the child
 * all locks are free. */
static unsigned is_forking_done;

static void *make_lists(void *arg)
{
    struct doca_devinfo **list;
    uint32_t num;

    (void)arg;
    while (__atomic_load_n(&is_forking_done, __ATOMIC_ACQUIRE) == 0) {
        CHECK_OK(doca_devinfo_create_list(&list, &num));
        CHECK_OK(doca_devinfo_destroy_list(list));
    }
    return NULL;
}

static void forked_child_finds_all_locks_free(void)
{
    DOCA_CORE_ALIGNED static unsigned char memory[1 << 16];
    struct doca_core_arena own;
    struct doca_pe *pe;
    pthread_t threads[4]; /* with 4 threads, one nearly always holds a lock */
    pid_t pid;
    unsigned i;

    is_forking_done = 0;
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < 4; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, make_lists, NULL), 0);
    for (i = 0; i < 300; i++) {
        pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            alarm(20);
            if (doca_core_arena_init(&own, memory, sizeof(memory)) == DOCA_SUCCESS &&
                doca_core_pe_create_in(&own, &pe) == DOCA_SUCCESS)
                _exit(doca_pe_destroy(pe) == DOCA_SUCCESS ? 0 : 1);
            _exit(1);
        }
        PEER_REAP(pid);
    }
    __atomic_store_n(&is_forking_done, 1, __ATOMIC_RELEASE);
    for (i = 0; i < 4; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
}

static void progress_after_longjmp_is_not_nested(void)
{
    struct rig r;

    rig_open(&r, TASKS);
    rig_copy(&r, r.dma, 0, LEN);
    rig_copy(&r, r.dma, LEN, LEN);
    r.on_task = leave_by_longjmp;
    record_log();
    r.in_progress = true;
    (void)setjmp(way_out);
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(logged.lines, 0);
    CHECK_EQ(r.num_ok, 2);
    r.in_progress = false;
    rig_close(&r);
}

static const struct test_case cases[] = {
    /* first, because later cases make the library install its handler for fork() */
    CASE(forked_child_finds_all_locks_free, ""),
    CASE(forked_child_can_use_its_own_bufs, ""),
    CASE(forked_child_gets_reports_of_its_own_overlaps, ""),
    CASE(sink_may_wait_for_another_thread, ""),
    CASE(progress_in_a_callback_is_reported, "223"),
    CASE(destroyed_pes_left_by_longjmp_are_forgotten, ""),
    CASE(new_pe_in_place_of_an_abandoned_pe_is_usable, ""),
    CASE(progress_after_longjmp_is_not_nested, ""),
};

TEST_MAIN(cases)

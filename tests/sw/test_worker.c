/* Workers of the software device: threads of the program that execute the tasks of contexts. Most
 * cases step the workers in one thread, so that the case knows which worker executed which task.
 * Cases with several threads compare counts. */
#include "fixture.h"
#include "held_backend.h"
#include "sha_reference.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASKS = 16, LEN = 64, PATIENCE_S = 20 };

struct worker_rig { /* a rig and the workers of its device */
    struct rig r;
    struct doca_core_sw_worker *workers[2];
    pthread_t threads[2];
    unsigned num;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void open_workers(struct worker_rig *h, unsigned num_workers, uint32_t num_tasks)
{
    unsigned i;

    memset(h, 0, sizeof(*h));
    rig_build(&h->r, NULL, num_tasks);
    h->r.frees_tasks = true;
    h->num = num_workers;
    for (i = 0; i < h->num; i++) {
        CHECK_OK(doca_core_sw_worker_create(h->r.dev, &h->workers[i]));
        CHECK_OK(doca_core_sw_worker_set_max_idle_turns(h->workers[i], 500 + 500 * i));
    }
    CHECK_OK(doca_ctx_start(h->r.ctx));
    rig_drain(&h->r);
    rig_forget_states(&h->r);
}

static void *worker_thread(void *worker)
{
    return doca_core_sw_worker_run(worker) == DOCA_SUCCESS ? NULL : worker;
}

static void run_workers(struct worker_rig *h)
{
    unsigned i;

    heap_trap_set(HEAP_TRAP_OFF); /* the thread library allocates */
    for (i = 0; i < h->num; i++)
        CHECK_EQ(pthread_create(&h->threads[i], NULL, worker_thread, h->workers[i]), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
}

static void join_workers(struct worker_rig *h)
{
    void *failed;
    unsigned i;

    for (i = 0; i < h->num; i++)
        CHECK_OK(doca_core_sw_worker_stop(h->workers[i]));
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < h->num; i++) {
        CHECK_EQ(pthread_join(h->threads[i], &failed), 0);
        CHECK(failed == NULL);
    }
    heap_trap_set(HEAP_TRAP_ABORT);
}

/* Progress until `num` tasks have ended. */
static void await_tasks(struct worker_rig *h, unsigned num)
{
    double end = now() + PATIENCE_S;

    while (h->r.num_ok + h->r.num_failed < num) {
        if (!rig_progress(&h->r)) {
            CHECK(now() < end);
            sched_yield(); /* the machine may have fewer cores than threads */
        }
    }
    CHECK_EQ(h->r.num_ok + h->r.num_failed, num);
}

static void close_workers(struct worker_rig *h)
{
    unsigned i;

    rig_stop(&h->r, h->r.ctx);
    for (i = 0; i < h->num; i++)
        CHECK_OK(doca_core_sw_worker_destroy(h->workers[i]));
    rig_close(&h->r);
}

/* Wait until the first worker sleeps. It must run without tasks, and sleep after its first idle
 * iteration. */
static void await_sleep(struct worker_rig *h)
{
    double end = now() + PATIENCE_S;

    while (__atomic_load_n(&h->workers[0]->asleep, __ATOMIC_ACQUIRE) == 0) {
        CHECK(now() < end);
        sched_yield();
    }
    usleep(10000); /* after setting `asleep`, the worker looks for tasks once more */
}

static void submit_copies(struct worker_rig *h, unsigned first, unsigned num)
{
    for (; num > 0; num--, first++)
        rig_copy(&h->r, h->r.dma, (size_t)first * LEN, LEN);
}

/* ---- steps in one thread ---- */

static void worker_step_executes_tasks(void)
{
    struct worker_rig h;

    open_workers(&h, 1, TASKS);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 0), 0); /* from here on the worker serves */
    submit_copies(&h, 0, 8);
    CHECK(!rig_progress(&h.r));
    CHECK_EQ(rig_to[0], 0xee);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 0), 0);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 3), 3);
    CHECK_MEM(rig_to, rig_from, 3 * LEN);
    CHECK_EQ(rig_to[3 * LEN], 0xee);
    CHECK_EQ(h.r.num_callbacks, 0); /* a worker makes no callbacks */
    CHECK_EQ(rig_drain(&h.r), 3);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], UINT32_MAX), 5);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], UINT32_MAX), 0);
    CHECK_EQ(rig_drain(&h.r), 5);
    CHECK_EQ(h.r.num_ok, 8);
    CHECK_MEM(rig_to, rig_from, 8 * LEN);
    close_workers(&h);
}

static void length_of_the_destination_is_set_by_progress(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *dst;
    struct worker_rig h;

    open_workers(&h, 1, TASKS);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    h.r.frees_tasks = false;
    task = rig_copy(&h.r, h.r.dma, 0, LEN);
    dst = doca_dma_task_memcpy_get_dst(task);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 1);
    CHECK_EQ(rig_data_len(dst), 0);
    CHECK_EQ(rig_drain(&h.r), 1);
    CHECK_EQ(rig_data_len(dst), LEN);
    rig_release(task);
    close_workers(&h);
}

static void rings_wrap_around(void)
{
    struct worker_rig h;
    unsigned i, k;

    open_workers(&h, 2, 5);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[1], 1), 0);
    for (i = 0; i < 40; i++) {
        k = 1 + i % 5;
        memset(rig_to, 0xee, 5 * LEN);
        submit_copies(&h, 0, k);
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9) +
                     doca_core_sw_worker_step(h.workers[1], 9), k);
        CHECK_EQ(rig_drain(&h.r), k);
        CHECK_MEM(rig_to, rig_from, k * LEN);
    }
    close_workers(&h);
}

static unsigned order[TASKS], num_in_order;

static void note_order(struct rig *r, struct doca_dma_task_memcpy *task)
{
    void *data;

    (void)r;
    CHECK_OK(doca_buf_get_data(doca_dma_task_memcpy_get_src(task), &data));
    order[num_in_order++] = (unsigned)((unsigned char *)data - rig_from) / LEN;
}

static void tasks_of_the_faster_worker_end_first(void)
{
    struct worker_rig h;
    unsigned i;

    open_workers(&h, 2, TASKS);
    num_in_order = 0;
    h.r.on_task = note_order;
    for (i = 0; i < 2; i++)
        CHECK_EQ(doca_core_sw_worker_step(h.workers[i], 1), 0);
    submit_copies(&h, 0, 6); /* the tasks go to the two workers alternately */
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 3);
    CHECK_EQ(rig_drain(&h.r), 3);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[1], 9), 3);
    CHECK_EQ(rig_drain(&h.r), 3);
    CHECK_EQ(order[1] - order[0], 2);
    CHECK_EQ(order[2] - order[1], 2);
    CHECK_EQ(order[4] - order[3], 2);
    CHECK_EQ(order[0] + order[3], 1);
    CHECK_MEM(rig_to, rig_from, 6 * LEN);
    close_workers(&h);
}

static void progress_executes_tasks_when_no_worker_serves(void)
{
    struct worker_rig h;

    open_workers(&h, 2, TASKS);
    submit_copies(&h, 0, 4); /* no worker has served yet */
    CHECK_EQ(rig_drain(&h.r), 4);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 0);
    submit_copies(&h, 4, 4); /* all tasks go to the only worker that serves */
    CHECK(!rig_progress(&h.r));
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 2), 2);
    CHECK_EQ(rig_drain(&h.r), 2);
    /* progress executes the tasks that the stopped worker has not started */
    CHECK_OK(doca_core_sw_worker_stop(h.workers[0]));
    CHECK_EQ(rig_drain(&h.r), 2);
    submit_copies(&h, 8, 4);
    CHECK_EQ(rig_drain(&h.r), 4);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 0); /* from here on it serves again */
    submit_copies(&h, 12, 2);
    CHECK(!rig_progress(&h.r));
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 2);
    CHECK_EQ(rig_drain(&h.r), 2);
    CHECK_MEM(rig_to, rig_from, 14 * LEN);
    CHECK_EQ(h.r.num_ok, 14);
    close_workers(&h);
}

/* Each of the two workers has half of the mailboxes of a context. When only one of them serves,
 * tasks without a mailbox are executed by progress. */
static void progress_executes_tasks_without_a_mailbox(void)
{
    struct worker_rig h;

    open_workers(&h, 2, TASKS);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[1], 1), 0);
    submit_copies(&h, 0, TASKS);
    CHECK_EQ(rig_drain(&h.r), TASKS / 2);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[1], 99), TASKS / 2);
    CHECK_EQ(rig_drain(&h.r), TASKS / 2);
    CHECK_MEM(rig_to, rig_from, TASKS * LEN);
    close_workers(&h);
}

static void contexts_started_before_the_worker_use_progress(void)
{
    struct doca_core_sw_worker *worker;
    struct worker_rig h;

    open_workers(&h, 0, TASKS);
    CHECK_OK(doca_core_sw_worker_create(h.r.dev, &worker));
    CHECK_EQ(doca_core_sw_worker_step(worker, 1), 0);
    submit_copies(&h, 0, 2);
    CHECK_EQ(doca_core_sw_worker_step(worker, 1), 0);
    CHECK_EQ(rig_drain(&h.r), 2);
    CHECK_OK(doca_core_sw_worker_destroy(worker)); /* allowed: no running context uses it */
    close_workers(&h);
}

static void progress_executes_lists(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    struct worker_rig h;

    open_workers(&h, 1, TASKS);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    src = rig_src(&h.r, 0, LEN);
    CHECK_OK(doca_buf_chain_list(src, rig_src(&h.r, LEN, LEN)));
    dst = rig_dst(&h.r, 0, 2 * LEN);
    task = rig_task(h.r.dma, src, dst);
    CHECK_OK(rig_submit(task));
    submit_copies(&h, 2, 1);
    CHECK_EQ(rig_drain(&h.r), 1);
    CHECK_MEM(rig_to, rig_from, 2 * LEN);
    CHECK_EQ(rig_to[2 * LEN], 0xee);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 1);
    CHECK_EQ(rig_drain(&h.r), 1);
    CHECK_MEM(rig_to, rig_from, 3 * LEN);
    close_workers(&h);
}

static void submit_list(struct rig *r)
{
    struct doca_buf *src = rig_src(r, 0, LEN / 2);

    CHECK_OK(doca_buf_chain_list(src, rig_src(r, LEN / 2, LEN / 2)));
    CHECK_OK(rig_submit(rig_task(r->dma, src, rig_dst(r, 0, LEN))));
}

static void copy_again(struct rig *r, struct doca_dma_task_memcpy *task)
{
    if (r->todo == 0)
        return;
    r->todo--;
    rig_release(task);
    rig_copy(r, r->dma, LEN, LEN);
}

static struct doca_core_sw_worker *stepped;

static void copy_again_at_once(struct rig *r, struct doca_dma_task_memcpy *task)
{
    copy_again(r, task);
    (void)doca_core_sw_worker_step(stepped, 9);
}

/* Progress executes a list although a worker has a new finished task in every call of progress. */
static void lists_are_executed_between_other_tasks(void)
{
    struct worker_rig h;
    unsigned i;

    open_workers(&h, 1, TASKS);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    h.r.frees_tasks = false;
    h.r.on_task = copy_again_at_once;
    h.r.todo = 100;
    stepped = h.workers[0];
    submit_copies(&h, 1, 1);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 1);
    submit_list(&h.r);
    for (i = 0; i < 3; i++)
        CHECK(rig_progress(&h.r));
    CHECK_MEM(rig_to, rig_from, LEN);
    h.r.todo = 0;
    h.r.on_task = NULL;
    h.r.frees_tasks = true;
    rig_drain(&h.r);
    (void)doca_core_sw_worker_step(h.workers[0], 9);
    rig_drain(&h.r);
    CHECK_EQ(rig_inflight(h.r.ctx), 0);
    close_workers(&h);
}

static void list_again(struct rig *r, struct doca_dma_task_memcpy *task)
{
    if (rig_data_len(doca_dma_task_memcpy_get_src(task)) == LEN)
        num_in_order++; /* the source is a single buffer, not a list */
    else if (r->todo > 0) {
        r->todo--;
        submit_list(r);
    }
}

/* Progress delivers the finished task of a worker although it has a list to execute in every
 * call. */
static void lists_do_not_delay_other_tasks(void)
{
    struct worker_rig h;
    unsigned i;

    open_workers(&h, 1, TASKS);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    num_in_order = 0;
    h.r.on_task = list_again;
    h.r.todo = 100;
    submit_list(&h.r);
    submit_copies(&h, 1, 1);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 1);
    for (i = 0; i < 3; i++)
        CHECK(rig_progress(&h.r));
    CHECK_EQ(h.r.num_ok, 3);
    CHECK_EQ(num_in_order, 1);
    h.r.todo = 0;
    rig_drain(&h.r);
    CHECK_EQ(rig_inflight(h.r.ctx), 0);
    CHECK_MEM(rig_to, rig_from, 2 * LEN);
    close_workers(&h);
}

/* Tasks that a stopped worker has not started are executed soon, although progress has other tasks
 * to execute in every call, or another worker has a new finished task in every call. */
static void tasks_of_a_stopped_worker_are_not_delayed(void)
{
    struct worker_rig h;
    unsigned i, num;

    for (num = 1; num <= 2; num++) {
        open_workers(&h, num, TASKS);
        for (i = 0; i < num; i++)
            CHECK_EQ(doca_core_sw_worker_step(h.workers[i], 9), 0);
        submit_copies(&h, 4, 4);
        CHECK(!rig_progress(&h.r));
        CHECK_OK(doca_core_sw_worker_stop(h.workers[0]));
        stepped = h.workers[num - 1];
        if (num == 1)
            submit_copies(&h, 0, 2);
        else
            CHECK_EQ(doca_core_sw_worker_step(stepped, 9), 2);
        h.r.frees_tasks = false;
        h.r.on_task = num == 1 ? copy_again : copy_again_at_once;
        h.r.todo = 1000;
        for (i = 0; i < 50; i++)
            CHECK(rig_progress(&h.r));
        CHECK_MEM(rig_to + (size_t)4 * LEN, rig_from + (size_t)4 * LEN, 4 * LEN);
        h.r.on_task = NULL;
        h.r.frees_tasks = true;
        for (i = 0; i < num; i++)
            CHECK_OK(doca_core_sw_worker_stop(h.workers[i]));
        rig_drain(&h.r);
        CHECK_EQ(rig_inflight(h.r.ctx), 0);
        close_workers(&h);
    }
}

static void refused_tasks_fail_with_a_worker_too(void)
{
    struct doca_dma_task_memcpy *task;
    struct worker_rig h;

    open_workers(&h, 1, TASKS);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    task = rig_task(h.r.dma, NULL, NULL);
    CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    if (DOCA_CORE_CHECK < 2) {
        submit_copies(&h, 0, 2);
        task = rig_task(h.r.dma, rig_src(&h.r, 0, LEN), rig_dst(&h.r, 0, LEN - 1));
        CHECK_OK(rig_submit(task));
        CHECK_EQ(rig_drain(&h.r), 2); /* the failed task, and the change of state */
        CHECK_EQ(h.r.num_failed, 1);
        CHECK_RC(h.r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(rig_state(h.r.ctx), DOCA_CTX_STATE_STOPPING);
        (void)doca_core_sw_worker_step(h.workers[0], 9);
        rig_drain(&h.r);
        CHECK_EQ(h.r.num_failed, 3);
        CHECK_RC(h.r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(rig_to[0], 0xee);
        CHECK_EQ(rig_state(h.r.ctx), DOCA_CTX_STATE_IDLE);
    }
    close_workers(&h);
}

static void changed_destination_fails_the_task(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *dst;
    struct worker_rig h;
    unsigned i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("a buffer in flight cannot be changed at this check level");
    for (i = 0; i < 3; i++) {
        open_workers(&h, 1, TASKS);
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
        dst = rig_dst(&h.r, 0, LEN);
        task = rig_task(h.r.dma, rig_src(&h.r, 0, LEN), dst);
        CHECK_OK(rig_submit(task));
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 1);
        h.r.frees_tasks = i > 0;
        if (i == 0)
            CHECK_OK(doca_buf_dec_refcount(dst, NULL));
        else
            CHECK_OK(doca_buf_set_data(dst, rig_to, i == 1 ? 1 : LEN));
        CHECK(rig_progress(&h.r));
        CHECK_EQ(h.r.num_failed, 1);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SW_WORKER_DST);
        if (i == 0) {
            CHECK_OK(doca_buf_dec_refcount((struct doca_buf *)(size_t)
                                               doca_dma_task_memcpy_get_src(task), NULL));
            doca_task_free(doca_dma_task_memcpy_as_task(task));
        }
        close_workers(&h);
    }
}

static void stop_flushes_tasks_that_have_not_started(void)
{
    int fd = dup(1), fd_after;
    struct worker_rig h;
    unsigned i;

    CHECK_EQ(close(fd), 0);
    for (i = 0; i < 3; i++) {
        open_workers(&h, 1, TASKS);
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
        submit_copies(&h, 0, 6);
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 2), 2);
        if (i == 2) /* i == 1: the worker stops after the context; i == 0: it does not stop */
            CHECK_OK(doca_core_sw_worker_stop(h.workers[0]));
        CHECK_RC(doca_ctx_stop(h.r.ctx), DOCA_ERROR_IN_PROGRESS);
        rig_drain(&h.r);
        CHECK_EQ(h.r.num_ok, 2);
        if (i == 0)
            CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 4);
        if (i == 1) {
            CHECK_EQ(h.r.num_failed, 0);
            CHECK_OK(doca_core_sw_worker_stop(h.workers[0]));
        }
        rig_drain(&h.r);
        CHECK_EQ(h.r.num_failed, 4);
        CHECK_RC(h.r.status, DOCA_ERROR_SHUTDOWN);
        CHECK_EQ(rig_state(h.r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_MEM(rig_to, rig_from, 2 * LEN);
        CHECK_EQ(rig_to[2 * LEN], 0xee);
        CHECK_OK(doca_ctx_start(h.r.ctx)); /* the context works again */
        rig_drain(&h.r);
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
        submit_copies(&h, 0, TASKS);
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], UINT32_MAX), TASKS);
        await_tasks(&h, 6 + TASKS);
        CHECK_MEM(rig_to, rig_from, TASKS * LEN);
        close_workers(&h);
    }
    fd_after = dup(1);
    CHECK_EQ(close(fd_after), 0);
    CHECK_EQ(fd_after, fd); /* no descriptor is left open */
}

/* ---- hashes ---- */

static unsigned num_hashed, num_not_hashed;

static void hashed(struct doca_sha_task_hash *task, union doca_data task_data,
                   union doca_data ctx_data)
{
    (void)task_data, (void)ctx_data;
    if (doca_task_get_status(doca_sha_task_hash_as_task(task)) == DOCA_SUCCESS)
        num_hashed++;
    else
        num_not_hashed++;
    doca_task_free(doca_sha_task_hash_as_task(task));
}

static struct doca_sha *open_sha(struct worker_rig *h)
{
    struct doca_sha *sha;

    ref_init();
    num_hashed = num_not_hashed = 0;
    CHECK_OK(doca_sha_create(h->r.dev, &sha));
    CHECK_OK(doca_sha_task_hash_set_conf(sha, hashed, hashed, 5));
    CHECK_OK(doca_pe_connect_ctx(h->r.pe, doca_sha_as_ctx(sha)));
    CHECK_OK(doca_ctx_start(doca_sha_as_ctx(sha)));
    return sha;
}

static struct doca_sha_task_hash *hash(struct doca_sha *sha, unsigned algorithm,
                                       struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_sha_task_hash *task;

    CHECK_OK(doca_sha_task_hash_alloc_init(sha, (enum doca_sha_algorithm)algorithm, src, dst,
                                           (union doca_data){ 0 }, &task));
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
    return task;
}

/* Check digests of messages with lengths around the block sizes. The first worker executes the
 * tasks in steps of this thread (`steps`), or workers execute them in their own threads. */
static void check_digests(struct worker_rig *h, struct doca_sha *sha, bool steps)
{
    static const size_t lens[] = { 0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 4096, 30000 };
    struct doca_buf *src[14], *dst[14];
    unsigned char want[64];
    unsigned a, i;
    double end;

    for (a = 0; a < 3; a++) {
        memset(rig_to, 0xee, 14 * 128);
        num_hashed = 0;
        for (i = 0; i < 14; i++) {
            src[i] = rig_src(&h->r, i, lens[i] == 0 ? 1 : lens[i]);
            if (lens[i] == 0)
                CHECK_OK(doca_buf_set_data(src[i], rig_from, 0));
            dst[i] = rig_dst(&h->r, i * 128, 128);
            (void)hash(sha, a, src[i], dst[i]);
        }
        if (steps)
            CHECK_EQ(doca_core_sw_worker_step(h->workers[0], UINT32_MAX), 14);
        for (end = now() + PATIENCE_S; num_hashed < 14;)
            if (doca_pe_progress(h->r.pe) == 0) {
                CHECK(now() < end);
                sched_yield();
            }
        for (i = 0; i < 14; i++) {
            ref_hash(a, rig_from + i, lens[i], want);
            CHECK_MEM(rig_to + i * 128, want, ref_bytes[a].digest);
            CHECK_EQ(rig_to[i * 128 + ref_bytes[a].digest], 0xee);
            CHECK_EQ(rig_data_len(dst[i]), ref_bytes[a].digest);
            CHECK_OK(doca_buf_dec_refcount(src[i], NULL));
            CHECK_OK(doca_buf_dec_refcount(dst[i], NULL));
        }
    }
}

/* Submit tasks of different algorithms, which cannot run in one SIMD group, one after the other. */
static void check_mixed_digests(struct worker_rig *h, struct doca_sha *sha)
{
    struct doca_buf *src[12], *dst[12];
    unsigned char want[64];
    unsigned i;

    for (i = 0; i < 12; i++) {
        src[i] = rig_src(&h->r, i, 1000);
        dst[i] = rig_dst(&h->r, i * 64, 64);
        (void)hash(sha, i / 3 % 3, src[i], dst[i]);
    }
    CHECK_EQ(doca_core_sw_worker_step(h->workers[0], UINT32_MAX), 12);
    rig_drain(&h->r);
    for (i = 0; i < 12; i++) {
        ref_hash(i / 3 % 3, rig_from + i, 1000, want);
        CHECK_MEM(rig_to + i * 64, want, ref_bytes[i / 3 % 3].digest);
        CHECK_OK(doca_buf_dec_refcount(src[i], NULL));
        CHECK_OK(doca_buf_dec_refcount(dst[i], NULL));
    }
}

static void workers_execute_hashes(void)
{
    struct doca_buf *src, *dst;
    struct doca_sha *sha;
    struct worker_rig h;

    open_workers(&h, 1, TASKS);
    sha = open_sha(&h);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    src = rig_src(&h.r, 0, LEN);
    dst = rig_dst(&h.r, 0, LEN);
    (void)hash(sha, DOCA_SHA_ALGORITHM_SHA256, src, dst);
    CHECK(!rig_progress(&h.r));
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 1);
    CHECK_EQ(rig_data_len(dst), 0);
    rig_drain(&h.r);
    CHECK_EQ(rig_data_len(dst), 32);
    CHECK_OK(doca_buf_chain_list(src, rig_src(&h.r, LEN, LEN))); /* progress hashes a list */
    CHECK_OK(doca_buf_reset_data_len(dst));
    num_hashed = 0;
    (void)hash(sha, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    (void)doca_pe_progress(h.r.pe);
    CHECK_EQ(num_hashed, 1);
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    check_digests(&h, sha, true);
    check_mixed_digests(&h, sha);
    CHECK_EQ(num_not_hashed, 0);
    CHECK_OK(doca_sha_destroy(sha));
    close_workers(&h);
}

/* At check level 2 a worker notices that the memory of a task is gone, and the task fails. */
static void worker_notices_memory_that_is_gone(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct doca_buf *src, *dst, *message;
    struct doca_mmap *map;
    struct doca_sha *sha;
    struct worker_rig h;
    void *at;

    if (DOCA_CORE_CHECK < 2)
        test_skip("at this check level the program would end");
    open_workers(&h, 1, TASKS);
    sha = open_sha(&h);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    map = rig_map(h.r.dev, at, page);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(h.r.inventory, map, at, LEN, &message));
    dst = rig_dst(&h.r, 0, LEN);
    (void)hash(sha, DOCA_SHA_ALGORITHM_SHA256, message, dst);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(h.r.inventory, map, at, LEN, &src));
    CHECK_OK(rig_submit(rig_task(h.r.dma, src, rig_dst(&h.r, LEN, LEN))));
    CHECK_EQ(munmap(at, page), 0);
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 9), 2);
    rig_drain(&h.r);
    CHECK_EQ(num_hashed, 0);
    CHECK_EQ(num_not_hashed, 1);
    CHECK_EQ(h.r.num_failed, 1);
    CHECK_RC(h.r.status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_data_len(dst), 0);
    CHECK_OK(doca_buf_dec_refcount(message, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_sha_destroy(sha));
    close_workers(&h);
}

static void hashes_of_worker_threads_are_correct(void)
{
    struct doca_sha *sha;
    struct worker_rig h;
    unsigned i;

    open_workers(&h, 2, TASKS);
    sha = open_sha(&h);
    run_workers(&h);
    for (i = 0; i < 20; i++)
        check_digests(&h, sha, false);
    CHECK_EQ(num_not_hashed, 0);
    join_workers(&h);
    CHECK_OK(doca_sha_destroy(sha));
    close_workers(&h);
}

/* ---- notification ---- */

static doca_notification_handle_t handle;
static int epoll;

static void open_epoll(struct worker_rig *h)
{
    struct epoll_event event = { .events = EPOLLIN };

    CHECK_OK(doca_pe_get_notification_handle(h->r.pe, &handle));
    epoll = epoll_create1(EPOLL_CLOEXEC);
    CHECK(epoll >= 0);
    CHECK_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, handle, &event), 0);
}

static bool wakes(int ms)
{
    struct epoll_event event;

    return epoll_wait(epoll, &event, 1, ms) == 1;
}

static void clear(struct worker_rig *h)
{
    CHECK_OK(doca_pe_clear_notification(h->r.pe, handle));
    CHECK(!wakes(0));
}

static void finished_task_wakes_an_armed_engine(void)
{
    struct worker_rig h;
    unsigned i;

    open_workers(&h, 2, TASKS);
    for (i = 0; i < 2; i++)
        CHECK_EQ(doca_core_sw_worker_step(h.workers[i], 1), 0);
    open_epoll(&h);
    for (i = 0; i < 4; i++) {
        if (i % 2 == 0)
            submit_copies(&h, 0, 2);
        CHECK_OK(doca_pe_request_notification(h.r.pe));
        CHECK(!wakes(0));
        if (i % 2 == 1)
            submit_copies(&h, 0, 2);
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 0), 0);
        CHECK(!wakes(0));
        CHECK_EQ(doca_core_sw_worker_step(h.workers[i / 2], 9), 1);
        CHECK(wakes(0));
        clear(&h);
        CHECK_OK(doca_pe_request_notification(h.r.pe)); /* the finished task is still there */
        CHECK(wakes(0));
        clear(&h);
        CHECK_EQ(rig_drain(&h.r), 1);
        CHECK_OK(doca_pe_request_notification(h.r.pe));
        CHECK(!wakes(0));
        CHECK_EQ(doca_core_sw_worker_step(h.workers[1 - i / 2], 9), 1);
        CHECK(wakes(0));
        clear(&h);
        CHECK_EQ(rig_drain(&h.r), 1);
        CHECK_OK(doca_pe_request_notification(h.r.pe));
        CHECK(!wakes(0));
        clear(&h);
    }
    CHECK_EQ(close(epoll), 0);
    close_workers(&h);
}

static void worker_that_stops_wakes_an_armed_engine(void)
{
    struct worker_rig h;
    unsigned i;

    open_workers(&h, 1, TASKS);
    open_epoll(&h);
    for (i = 0; i < 2; i++) {
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
        if (i == 0)
            submit_copies(&h, 0, 1);
        CHECK_OK(doca_pe_request_notification(h.r.pe));
        CHECK(!wakes(0));
        CHECK_OK(doca_core_sw_worker_stop(h.workers[0]));
        CHECK_EQ(wakes(0), i == 0); /* i == 0: no worker will take the task */
        clear(&h);
        CHECK_EQ(rig_drain(&h.r), 1 - i);
    }
    CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    submit_copies(&h, 0, 1);
    CHECK_OK(doca_core_sw_worker_stop(h.workers[0])); /* the worker stops before the request */
    CHECK_OK(doca_pe_request_notification(h.r.pe));
    CHECK(wakes(0));
    clear(&h);
    CHECK_EQ(rig_drain(&h.r), 1);
    CHECK_OK(doca_pe_request_notification(h.r.pe)); /* the task is submitted after the request */
    submit_copies(&h, 0, 1);
    CHECK(wakes(0));
    clear(&h);
    CHECK_EQ(rig_drain(&h.r), 1);
    CHECK_EQ(close(epoll), 0);
    close_workers(&h);
}

/* The program and the workers sleep whenever they can, and each is woken when it has something to
 * do. */
static void sleeping_program_and_workers_are_woken(void)
{
    struct worker_rig h;
    unsigned i, k;

    for (i = 0; i < 2; i++) {
        open_workers(&h, 1 + i, TASKS);
        for (k = 0; k <= i; k++)
            CHECK_OK(doca_core_sw_worker_set_max_idle_turns(h.workers[k], 0));
        open_epoll(&h);
        run_workers(&h);
        for (k = 1; k <= 300; k++) {
            if (k % 16 == 0)
                usleep(rig_random(300));
            if (k % 2 == 0)
                submit_copies(&h, k % TASKS, 1);
            while (h.r.num_ok < k) {
                CHECK_OK(doca_pe_request_notification(h.r.pe));
                if (rig_inflight(h.r.ctx) == 0)
                    submit_copies(&h, k % TASKS, 1);
                CHECK(wakes(PATIENCE_S * 1000));
                CHECK_OK(doca_pe_clear_notification(h.r.pe, handle));
                rig_drain(&h.r);
            }
        }
        CHECK_EQ(h.r.num_ok, 300);
        CHECK_MEM(rig_to, rig_from, TASKS * LEN);
        join_workers(&h); /* stops workers that sleep and workers that do not */
        CHECK_EQ(close(epoll), 0);
        close_workers(&h);
    }
}

/* Submit wakes a sleeping worker itself, before any call of progress. */
static void submit_wakes_a_sleeper(void)
{
    struct worker_rig h;

    open_workers(&h, 1, TASKS);
    CHECK_OK(doca_core_sw_worker_set_max_idle_turns(h.workers[0], 0));
    run_workers(&h);
    await_sleep(&h);
    CHECK_OK(doca_core_sw_worker_set_max_idle_turns(h.workers[0], UINT32_MAX));
    CHECK_EQ(__atomic_load_n(&h.workers[0]->asleep, __ATOMIC_ACQUIRE), 1);
    submit_copies(&h, 0, 1);
    CHECK_EQ(__atomic_load_n(&h.workers[0]->asleep, __ATOMIC_ACQUIRE), 0);
    await_tasks(&h, 1);
    join_workers(&h);
    close_workers(&h);
}

/* Contexts start and stop while their worker sleeps, and a sleeping worker can be stopped. */
static void sleeping_worker_notices_new_contexts_and_stop(void)
{
    struct worker_rig h;
    unsigned i;

    open_workers(&h, 1, TASKS);
    CHECK_OK(doca_core_sw_worker_set_max_idle_turns(h.workers[0], 0));
    run_workers(&h);
    for (i = 1; i <= 30; i++) {
        usleep(100 + rig_random(500));
        rig_stop(&h.r, h.r.ctx);
        CHECK_OK(doca_ctx_start(h.r.ctx));
        rig_drain(&h.r);
        rig_forget_states(&h.r);
        submit_copies(&h, 0, 1);
        await_tasks(&h, i);
    }
    usleep(1000);
    join_workers(&h);
    close_workers(&h);
}

/* ---- threads ---- */

static void workers_in_threads_copy(void)
{
    struct worker_rig h;
    unsigned n, k, num = 0;

    for (n = 1; n <= 2; n++) {
        open_workers(&h, n, TASKS);
        run_workers(&h);
        for (k = 0, num = 0; k < 300; k++) {
            memset(rig_to, 0xee, TASKS * LEN);
            submit_copies(&h, 0, 1 + k % TASKS);
            num += 1 + k % TASKS;
            await_tasks(&h, num);
            CHECK_MEM(rig_to, rig_from, (1 + k % TASKS) * LEN);
            CHECK_EQ(rig_to[(1 + k % TASKS) * LEN], 0xee);
        }
        join_workers(&h);
        CHECK_EQ(h.r.num_ok, num);
        close_workers(&h);
    }
}

static void callbacks_submit_further_copies(void)
{
    struct worker_rig h;

    open_workers(&h, 2, TASKS);
    run_workers(&h);
    h.r.frees_tasks = false;
    h.r.on_task = copy_again;
    h.r.todo = 3000;
    submit_copies(&h, 1, 1);
    await_tasks(&h, 3000);
    h.r.frees_tasks = true;
    await_tasks(&h, 3001);
    join_workers(&h);
    close_workers(&h);
}

/* A thread with its own progress engine and context. The threads share a device and its workers. */
struct user {
    pthread_t thread;
    struct doca_dev *dev;
    unsigned char from[8192], to[8192];
    unsigned num_done;
    const char *failure;
    uint32_t seed;
};

static void user_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                      union doca_data ctx_data)
{
    struct user *u = ctx_data.ptr;

    if (doca_task_get_status(doca_dma_task_memcpy_as_task(task)) != DOCA_SUCCESS)
        u->failure = "a task failed";
    if (task_data.u64 != 0x77)
        u->failure = "wrong data";
    u->num_done++;
    doca_buf_dec_refcount((struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(task), NULL);
    doca_buf_dec_refcount(doca_dma_task_memcpy_get_dst(task), NULL);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static uint32_t user_random(struct user *u, uint32_t below)
{
    u->seed = u->seed * 1664525u + 1013904223u;
    return (u->seed >> 8) % below;
}

static void user_progresses(struct doca_pe *pe)
{
    if (doca_pe_progress(pe) == 0)
        sched_yield();
}

/* Copy u->from to u->to in pieces of random length. Return false when something fails. */
static bool user_copies(struct user *u, struct doca_pe *pe, struct doca_dma *dma,
                        struct doca_buf_inventory *inventory, struct doca_mmap *from,
                        struct doca_mmap *to)
{
    const union doca_data data = { .u64 = 0x77 };
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    unsigned num = 0;
    size_t at, len;

    u->num_done = 0;
    memset(u->to, 0xee, sizeof(u->to));
    for (at = 0; at < sizeof(u->to); at += len) {
        len = 1 + user_random(u, 700);
        if (len > sizeof(u->to) - at)
            len = sizeof(u->to) - at;
        while (doca_dma_task_memcpy_alloc_init(dma, NULL, NULL, data, &task) != DOCA_SUCCESS)
            user_progresses(pe);
        if (doca_buf_inventory_buf_get_by_data(inventory, from, u->from + at, len, &src) ||
            doca_buf_inventory_buf_get_by_addr(inventory, to, u->to + at, len, &dst))
            return false;
        doca_dma_task_memcpy_set_src(task, src);
        doca_dma_task_memcpy_set_dst(task, dst);
        if (doca_task_submit(doca_dma_task_memcpy_as_task(task)) != DOCA_SUCCESS)
            return false;
        num++;
    }
    while (u->num_done < num)
        user_progresses(pe);
    return u->num_done == num && memcmp(u->from, u->to, sizeof(u->to)) == 0;
}

static void *user_thread(void *arg)
{
    struct user *u = arg;
    struct doca_buf_inventory *inventory;
    struct doca_mmap *from, *to;
    struct doca_dma *dma;
    struct doca_pe *pe;
    size_t i;

    for (i = 0; i < sizeof(u->from); i++)
        u->from[i] = (unsigned char)user_random(u, 256);
    if (doca_mmap_create(&from) || doca_mmap_set_memrange(from, u->from, sizeof(u->from)) ||
        doca_mmap_add_dev(from, u->dev) || doca_mmap_start(from) || doca_mmap_create(&to) ||
        doca_mmap_set_memrange(to, u->to, sizeof(u->to)) || doca_mmap_add_dev(to, u->dev) ||
        doca_mmap_start(to) || doca_buf_inventory_create(64, &inventory) ||
        doca_buf_inventory_start(inventory) || doca_pe_create(&pe) ||
        doca_dma_create(u->dev, &dma) ||
        doca_ctx_set_user_data(doca_dma_as_ctx(dma), (union doca_data){ .ptr = u }) ||
        doca_dma_task_memcpy_set_conf(dma, user_done, user_done, 24) ||
        doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma))) {
        u->failure = "cannot create and configure the objects";
        return NULL;
    }
    for (i = 0; i < 40 && u->failure == NULL; i++) {
        if (doca_ctx_start(doca_dma_as_ctx(dma)) != DOCA_SUCCESS)
            u->failure = "cannot start the context";
        else if (!user_copies(u, pe, dma, inventory, from, to))
            u->failure = "a copy failed";
        else if (doca_ctx_stop(doca_dma_as_ctx(dma)) != DOCA_SUCCESS)
            u->failure = "cannot stop the context";
    }
    if (doca_dma_destroy(dma) || doca_pe_destroy(pe) || doca_buf_inventory_destroy(inventory) ||
        doca_mmap_destroy(from) || doca_mmap_destroy(to))
        u->failure = "cannot destroy the objects";
    return NULL;
}

static void several_workers_serve_several_engines(void)
{
    static struct user users[3];
    struct worker_rig h;
    unsigned i;

    open_workers(&h, 2, TASKS);
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_ERROR)); /* the sink serves one thread only */
    run_workers(&h);
    heap_trap_set(HEAP_TRAP_OFF);
    memset(users, 0, sizeof(users));
    for (i = 0; i < 3; i++) {
        users[i].dev = h.r.dev;
        users[i].seed = i + 1;
        CHECK_EQ(pthread_create(&users[i].thread, NULL, user_thread, &users[i]), 0);
    }
    for (i = 0; i < 30; i++) { /* meanwhile, another worker starts and stops */
        struct doca_core_sw_worker *guest;

        CHECK_OK(doca_core_sw_worker_create(h.r.dev, &guest));
        (void)doca_core_sw_worker_step(guest, 3);
        CHECK_OK(doca_core_sw_worker_stop(guest));
        while (doca_core_sw_worker_destroy(guest) == DOCA_ERROR_IN_USE)
            usleep(100);
    }
    for (i = 0; i < 3; i++)
        CHECK_EQ(pthread_join(users[i].thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
    for (i = 0; i < 3; i++)
        CHECK_STR(users[i].failure != NULL ? users[i].failure : "none", "none");
    join_workers(&h);
    close_workers(&h);
}

/* The context and the workers stop at random moments. Each task ends exactly once. */
static void each_task_ends_once_at_any_stop(void)
{
    struct worker_rig h;
    unsigned i, k, num = 0;
    volatile unsigned spin;

    open_workers(&h, 2, TASKS);
    for (i = 0; i < 120; i++) {
        if (i % 4 == 0)
            run_workers(&h);
        memset(rig_to, 0xee, TASKS * LEN);
        k = 1 + rig_random(TASKS);
        submit_copies(&h, 0, k);
        num += k;
        for (spin = rig_random(2000); spin > 0; spin--) {
        }
        for (k = rig_random(4); k > 0; k--)
            rig_progress(&h.r);
        if (i % 4 == 3)
            CHECK_EQ(h.r.num_failed + h.r.num_ok + rig_inflight(h.r.ctx), num);
        if (i % 2 == 0)
            (void)doca_ctx_stop(h.r.ctx);
        if (i % 4 == 2)
            join_workers(&h);
        await_tasks(&h, num);
        if (i % 2 == 0) {
            rig_drain(&h.r);
            CHECK_EQ(rig_state(h.r.ctx), DOCA_CTX_STATE_IDLE);
            CHECK_OK(doca_ctx_start(h.r.ctx));
            rig_drain(&h.r);
            rig_forget_states(&h.r);
        } else {
            CHECK_EQ(rig_inflight(h.r.ctx), 0);
        }
    }
    CHECK_EQ(h.r.num_ok + h.r.num_failed, num);
    close_workers(&h);
}

/* ---- refusals and sizes ---- */

static void stop_ends_the_run(void)
{
    struct worker_rig h;
    unsigned i;

    open_workers(&h, 1, TASKS);
    CHECK_OK(doca_core_sw_worker_stop(h.workers[0])); /* ends the next run */
    CHECK_OK(doca_core_sw_worker_stop(h.workers[0]));
    CHECK_OK(doca_core_sw_worker_run(h.workers[0]));
    for (i = 0; i < 50; i++) {
        run_workers(&h);
        if (i % 2 == 0)
            usleep(rig_random(200));
        join_workers(&h);
    }
    CHECK_OK(doca_core_sw_worker_set_max_idle_turns(h.workers[0], 0));
    for (i = 0; i < 2; i++) {
        run_workers(&h); /* a stop before an earlier run or step has no effect */
        await_sleep(&h);
        join_workers(&h);
        CHECK_OK(doca_core_sw_worker_stop(h.workers[0]));
        CHECK_EQ(doca_core_sw_worker_step(h.workers[0], 1), 0);
    }
    close_workers(&h);
}

static void worker_in_use_is_not_destroyed(void)
{
    struct doca_core_sw_worker *worker;
    struct worker_rig h;
    double end = now() + PATIENCE_S;

    open_workers(&h, 1, TASKS);
    worker = h.workers[0];
    CHECK_RC(doca_core_sw_worker_destroy(worker), DOCA_ERROR_IN_USE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SW_WORKER_BUSY);
    rig_stop(&h.r, h.r.ctx);
    CHECK_RC(doca_dev_close(h.r.dev), DOCA_ERROR_IN_USE);
    run_workers(&h);
    submit_copies(&h, 0, 0);
    while (doca_core_sw_worker_step(worker, 1) == 0 &&
           doca_core_last_item() != DOCA_CORE_ITEM_SW_WORKER_RUNS)
        CHECK(now() < end); /* wait until the thread runs the worker */
    CHECK_RC(doca_core_sw_worker_run(worker), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_core_sw_worker_destroy(worker), DOCA_ERROR_IN_USE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SW_WORKER_RUNS);
    join_workers(&h);
    close_workers(&h);
}

static void invalid_worker_handles_are_refused(void)
{
    struct doca_core_sw_worker *workers[DOCA_CORE_SW_MAX_WORKERS], *more;
    struct doca_core_arena small;
    DOCA_CORE_ALIGNED static unsigned char memory[3 * DOCA_CORE_LINE];
    struct rig r;
    void *block;
    unsigned i;

    held_begin();
    rig_build(&r, HELD_DMA, TASKS);
    CHECK_RC(doca_core_sw_worker_create(r.dev, &more), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SW_WORKER_DEV);
    held_close_rig(&r);
    rig_build(&r, NULL, TASKS);
    CHECK_RC(doca_core_sw_worker_create(NULL, &more), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_sw_worker_create(r.dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_sw_worker_create_in(NULL, r.dev, &more), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_arena_init(&small, memory, 2 * DOCA_CORE_LINE));
    CHECK_OK(doca_core_arena_take(&small, 1, &block)); /* take all memory of the arena */
    CHECK_RC(doca_core_sw_worker_create_in(&small, r.dev, &more), DOCA_ERROR_NO_MEMORY);
    for (i = 0; i < DOCA_CORE_SW_MAX_WORKERS; i++)
        CHECK_OK(doca_core_sw_worker_create(r.dev, &workers[i]));
    CHECK_RC(doca_core_sw_worker_create(r.dev, &more), DOCA_ERROR_FULL);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SW_WORKER_FULL);
    for (i = 0; i < DOCA_CORE_SW_MAX_WORKERS; i++) /* begin in the middle of the list */
        CHECK_OK(doca_core_sw_worker_destroy(workers[(i + 5) % DOCA_CORE_SW_MAX_WORKERS]));
    more = NULL;
    CHECK_RC(doca_core_sw_worker_run(more), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_sw_worker_stop(more), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_sw_worker_destroy(more), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_sw_worker_set_max_idle_turns(more, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_sw_worker_step(more, 1), 0);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_NULL_ARGUMENT);
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_core_sw_worker_stop((struct doca_core_sw_worker *)(void *)r.pe),
                 DOCA_ERROR_INVALID_VALUE);
    rig_close(&r);
}

static void sizes_match_the_arena(void)
{
    static const uint32_t nums[] = { 1, 2, 7, 16, 100 };
    DOCA_CORE_ALIGNED static unsigned char memory[65536];
    struct doca_core_sw_worker *workers[3];
    struct doca_core_arena arena;
    struct doca_core_arena *bound = doca_core_arena_bound();
    size_t used, with, without, bytes;
    struct doca_dev *dev;
    struct doca_dma *dma;
    struct doca_pe *pe;
    unsigned i, k;

    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    CHECK_OK(doca_core_arena_bind(&arena));
    dev = rig_open_dev(NULL);
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_core_bytes_sw_worker(&bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_SW_WORKER(1));
    for (k = 0; k <= 3; k++) {
        for (i = 0; i < sizeof(nums) / sizeof(nums[0]); i++) {
            CHECK_OK(doca_dma_create(dev, &dma));
            CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, nums[i]));
            CHECK_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
            CHECK_OK(doca_core_arena_query(&arena, &without, NULL, NULL));
            CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
            CHECK_OK(doca_core_arena_query(&arena, &with, NULL, NULL));
            used = with - without -
                   (DOCA_CORE_BYTES_DMA(nums[i]) - DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)));
            if (k == 0) {
                CHECK_EQ(used, 0);
            } else {
                CHECK_OK(doca_core_bytes_sw_lanes(nums[i], k, &bytes));
                CHECK_EQ(used, bytes);
                CHECK_EQ(used, DOCA_CORE_BYTES_SW_LANES(nums[i], k));
            }
            CHECK_OK(doca_dma_destroy(dma));
        }
        if (k == 3)
            break;
        CHECK_OK(doca_core_arena_query(&arena, &without, NULL, NULL));
        CHECK_OK(doca_core_sw_worker_create(dev, &workers[k]));
        CHECK_OK(doca_core_arena_query(&arena, &with, NULL, NULL));
        CHECK_EQ(with - without, DOCA_CORE_BYTES_SW_WORKER(1));
    }
    /* the bound arena has room, but the arena of the device is full */
    CHECK_OK(doca_core_arena_bind(bound));
    CHECK_OK(doca_core_dma_create_in(bound, dev, &dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, 2000));
    CHECK_OK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_ARENA_EXHAUSTED);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_RC(doca_core_bytes_sw_lanes(1, 0, &bytes), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_sw_lanes(1, DOCA_CORE_SW_MAX_WORKERS + 1, &bytes),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_sw_lanes(1, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_sw_worker(NULL), DOCA_ERROR_INVALID_VALUE);
    for (k = 0; k < 3; k++)
        CHECK_OK(doca_core_sw_worker_destroy(workers[k]));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_core_arena_bind(bound));
}

/* Free two lines of a full arena at a time until the start of the context succeeds. A start that
 * fails leaves nothing in the arena. */
static void start_without_memory_leaves_nothing(void)
{
    DOCA_CORE_ALIGNED static unsigned char memory[128 * 1024];
    static void *blocks[sizeof(memory) / DOCA_CORE_LINE];
    struct doca_core_arena arena, *bound = doca_core_arena_bound();
    struct doca_core_sw_worker *worker;
    unsigned num, failed = 0;
    size_t used, after;
    doca_error_t rc;
    struct rig r;

    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    CHECK_OK(doca_core_arena_bind(&arena));
    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_core_sw_worker_create(r.dev, &worker));
    for (num = 0; doca_core_arena_take(&arena, 1, &blocks[num]) == DOCA_SUCCESS; num++)
        continue;
    do {
        CHECK(num > 0);
        CHECK_OK(doca_core_arena_give(&arena, blocks[--num]));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        rc = doca_ctx_start(r.ctx);
        CHECK_OK(doca_core_arena_query(&arena, &after, NULL, NULL));
        CHECK_EQ(after == used, rc == DOCA_ERROR_NO_MEMORY);
        failed++;
    } while (rc == DOCA_ERROR_NO_MEMORY);
    CHECK_OK(rc);
    CHECK(failed * 2 * DOCA_CORE_LINE >=
          DOCA_CORE_BYTES_SW_LANES(TASKS, 1) + TASKS * DOCA_CORE_LINE);
    rig_drain(&r);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_sw_worker_destroy(worker));
    while (num > 0)
        CHECK_OK(doca_core_arena_give(&arena, blocks[--num]));
    rig_close(&r);
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_core_arena_bind(bound));
}

/* A child of fork() does not inherit the threads of its parent, so it creates a worker of its
 * own. */
static void child_process_creates_its_own_worker(void)
{
    struct doca_core_sw_worker *worker;
    struct doca_dma *dma;
    struct worker_rig h;
    pid_t child;

    open_workers(&h, 1, TASKS);
    CHECK_OK(doca_core_sw_worker_set_max_idle_turns(h.workers[0], 0));
    run_workers(&h);
    await_sleep(&h);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(PATIENCE_S);
        heap_trap_set(HEAP_TRAP_OFF);
        memset(rig_to, 0xee, TASKS * LEN);
        if (doca_core_sw_worker_create(h.r.dev, &worker) || doca_pe_create(&h.r.pe))
            _exit(1);
        dma = rig_make_dma(&h.r, TASKS);
        if (doca_ctx_start(doca_dma_as_ctx(dma)))
            _exit(2);
        rig_drain(&h.r);
        if (doca_core_sw_worker_step(worker, 1) != 0)
            _exit(3);
        rig_copy(&h.r, dma, 0, LEN);
        rig_copy(&h.r, dma, LEN, LEN);
        if (doca_pe_progress(h.r.pe) != 0 || doca_core_sw_worker_step(worker, 9) != 2)
            _exit(4);
        rig_drain(&h.r);
        if (h.r.num_ok != 2 || memcmp(rig_to, rig_from, 2 * LEN) != 0)
            _exit(5);
        if (doca_dma_destroy(dma) || doca_core_sw_worker_destroy(worker))
            _exit(6);
        _exit(0);
    }
    PEER_REAP(child);
    submit_copies(&h, 0, TASKS);
    await_tasks(&h, TASKS);
    join_workers(&h);
    close_workers(&h);
}

static const struct test_case cases[] = {
    CASE(worker_step_executes_tasks, ""),
    CASE(length_of_the_destination_is_set_by_progress, ""),
    CASE(rings_wrap_around, ""),
    CASE(tasks_of_the_faster_worker_end_first, ""),
    CASE(progress_executes_tasks_when_no_worker_serves, ""),
    CASE(progress_executes_tasks_without_a_mailbox, ""),
    CASE(contexts_started_before_the_worker_use_progress, ""),
    CASE(progress_executes_lists, ""),
    CASE(lists_are_executed_between_other_tasks, ""),
    CASE(lists_do_not_delay_other_tasks, ""),
    CASE(tasks_of_a_stopped_worker_are_not_delayed, ""),
    CASE(refused_tasks_fail_with_a_worker_too, ""),
    CASE(changed_destination_fails_the_task, ""),
    CASE(stop_flushes_tasks_that_have_not_started, ""),
    CASE(workers_execute_hashes, ""),
    CASE(worker_notices_memory_that_is_gone, ""),
    CASE(hashes_of_worker_threads_are_correct, ""),
    CASE(finished_task_wakes_an_armed_engine, ""),
    CASE(worker_that_stops_wakes_an_armed_engine, ""),
    CASE(sleeping_program_and_workers_are_woken, ""),
    CASE(submit_wakes_a_sleeper, ""),
    CASE(sleeping_worker_notices_new_contexts_and_stop, ""),
    CASE(workers_in_threads_copy, ""),
    CASE(callbacks_submit_further_copies, ""),
    CASE(several_workers_serve_several_engines, ""),
    CASE(each_task_ends_once_at_any_stop, ""),
    CASE(stop_ends_the_run, ""),
    CASE(worker_in_use_is_not_destroyed, ""),
    CASE(invalid_worker_handles_are_refused, ""),
    CASE(sizes_match_the_arena, ""),
    CASE(start_without_memory_leaves_nothing, ""),
    CASE(child_process_creates_its_own_worker, ""),
};
TEST_MAIN(cases)

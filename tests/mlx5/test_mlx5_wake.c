/* Threads that sleep until an RDMA device completes a task, each with a separate progress engine
 * and context. Every completion must wake the thread that waits for it. Runs with each engine of
 * the device. */
#include "mlx5_rig.h"

#include <poll.h>
#include <pthread.h>

enum { NUM_THREADS = 3, ROUNDS = 1500, MAX_TASKS = 4, PIECE = 50, STRIDE = 100 };

struct sleeper {
    struct doca_mmap *from_map, *to_map;
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    int handle;
    bool arms_first; /* requests the notification before it submits, too */
    pthread_t thread;
    uint32_t random;
    unsigned num_done, num_failed, round;
    const char *failure; /* NULL: no failure */
    unsigned char from[MAX_TASKS * STRIDE], to[MAX_TASKS * STRIDE];
};

static struct sleeper sleepers[NUM_THREADS];

static void task_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                      union doca_data ctx_data)
{
    struct doca_buf *src = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(task);
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);
    struct sleeper *s = ctx_data.ptr;

    (void)task_data;
    s->num_done++;
    s->num_failed += doca_task_get_status(doca_dma_task_memcpy_as_task(task)) != DOCA_SUCCESS;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    (void)doca_buf_dec_refcount(src, NULL);
    (void)doca_buf_dec_refcount(dst, NULL);
}

/* CHECK cannot leave the case from a thread. TRY records a failed condition in s->failure and
 * returns false, which ends the thread. */
#define TRY(condition)                                                                             \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            s->failure = #condition;                                                               \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool submit(struct sleeper *s, unsigned i)
{
    struct doca_dma_task_memcpy *task;
    union doca_data none = { 0 };
    struct doca_buf *src, *dst;

    s->from[i * STRIDE] = (unsigned char)s->round;
    TRY(doca_buf_inventory_buf_get_by_data(s->inventory, s->from_map, s->from + i * STRIDE, PIECE,
                                           &src) == DOCA_SUCCESS);
    TRY(doca_buf_inventory_buf_get_by_addr(s->inventory, s->to_map, s->to + i * STRIDE, PIECE,
                                           &dst) == DOCA_SUCCESS);
    TRY(doca_dma_task_memcpy_alloc_init(s->dma, src, dst, none, &task) == DOCA_SUCCESS);
    TRY(doca_task_submit(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS);
    return true;
}

/* Submit up to MAX_TASKS tasks and sleep until all have ended. After each wake-up the thread takes
 * only a few completions, so that the next request finds completions that are already there. */
static bool one_round(struct sleeper *s)
{
    struct pollfd wait = { s->handle, POLLIN, 0 };
    unsigned num, until, most, i;

    s->random = s->random * 1103515245u + 12345u;
    num = 1 + (s->random >> 20) % MAX_TASKS;
    most = 1 + (s->random >> 9) % 3;
    until = s->num_done + num;
    if (s->arms_first)
        TRY(doca_pe_request_notification(s->pe) == DOCA_SUCCESS);
    for (i = 0; i < num; i++)
        if (!submit(s, i))
            return false;
    while (s->num_done < until) {
        TRY(doca_pe_request_notification(s->pe) == DOCA_SUCCESS);
        TRY(poll(&wait, 1, 5000) == 1 && "the handle is readable within 5 s");
        TRY(doca_pe_clear_notification(s->pe, s->handle) == DOCA_SUCCESS);
        for (i = 0; i < most && doca_pe_progress(s->pe); i++)
            continue;
    }
    TRY(s->num_failed == 0);
    for (i = 0; i < num; i++)
        TRY(s->to[i * STRIDE] == (unsigned char)s->round);
    return true;
}

static void *run(void *argument)
{
    struct sleeper *s = argument;

    heap_trap_set(HEAP_TRAP_ABORT);
    for (s->round = 1; s->round <= ROUNDS; s->round++)
        if (!one_round(s))
            break;
    heap_trap_set(HEAP_TRAP_OFF);
    return NULL;
}

static void open_sleeper(struct sleeper *s, struct doca_dev *dev, bool arms_first)
{
    union doca_data data = { .ptr = s };

    memset(s, 0, sizeof(*s));
    s->arms_first = arms_first;
    s->random = rig_random(UINT32_MAX);
    s->from_map = share_map(dev, s->from, sizeof(s->from), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    s->to_map = share_map(dev, s->to, sizeof(s->to), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    CHECK_OK(doca_buf_inventory_create(2 * MAX_TASKS, &s->inventory));
    CHECK_OK(doca_buf_inventory_start(s->inventory));
    CHECK_OK(doca_pe_create(&s->pe));
    CHECK_OK(doca_pe_get_notification_handle(s->pe, &s->handle));
    CHECK_OK(doca_dma_create(dev, &s->dma));
    s->ctx = doca_dma_as_ctx(s->dma);
    CHECK_OK(doca_ctx_set_user_data(s->ctx, data));
    CHECK_OK(doca_dma_task_memcpy_set_conf(s->dma, task_done, task_done, MAX_TASKS));
    CHECK_OK(doca_pe_connect_ctx(s->pe, s->ctx));
    CHECK_OK(doca_ctx_start(s->ctx));
}

static void close_sleeper(struct sleeper *s)
{
    doca_error_t rc = doca_ctx_stop(s->ctx);
    unsigned calls;

    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    for (calls = 0; rig_state(s->ctx) != DOCA_CTX_STATE_IDLE; calls++) {
        CHECK(calls < 1000000);
        (void)doca_pe_progress(s->pe);
    }
    CHECK_OK(doca_dma_destroy(s->dma));
    CHECK_OK(doca_pe_destroy(s->pe));
    CHECK_OK(doca_buf_inventory_destroy(s->inventory));
    CHECK_OK(doca_mmap_destroy(s->from_map));
    CHECK_OK(doca_mmap_destroy(s->to_map));
}

static void run_threads(bool arms_first)
{
    struct doca_dev *dev = mlx5_open(0);
    unsigned i;

    for (i = 0; i < NUM_THREADS; i++)
        open_sleeper(&sleepers[i], dev, arms_first);
    heap_trap_set(HEAP_TRAP_OFF); /* the thread library allocates */
    for (i = 0; i < NUM_THREADS; i++)
        CHECK_EQ(pthread_create(&sleepers[i].thread, NULL, run, &sleepers[i]), 0);
    for (i = 0; i < NUM_THREADS; i++)
        pthread_join(sleepers[i].thread, NULL);
    heap_trap_set(HEAP_TRAP_ABORT);
    for (i = 0; i < NUM_THREADS; i++)
        if (sleepers[i].failure != NULL)
            test_fail(__FILE__, __LINE__, "thread %u, round %u: %s", i, sleepers[i].round,
                      sleepers[i].failure);
    for (i = 0; i < NUM_THREADS; i++)
        close_sleeper(&sleepers[i]);
    CHECK_OK(doca_dev_close(dev));
}

static void completion_wakes_every_sleeping_thread(void)
{
    size_t i;

#ifdef DOCA_CORE_SINGLE_THREAD
    test_skip("built for one thread");
#endif
    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        (void)mlx5_show(mlx5_engines[i], mlx5_trap_sys());
        if (!mlx5_limits(0).has_dma)
            continue;
        run_threads(false);
        run_threads(true);
    }
}

static const struct test_case cases[] = {
    CASE(completion_wakes_every_sleeping_thread, ""),
};

TEST_MAIN(cases)

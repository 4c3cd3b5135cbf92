/* Several contexts on two progress engines of an RDMA device: random copies between lists, stops,
 * failures and restarts. A model predicts the bytes of every destination and the length of each of
 * its elements. Runs with each engine of the device; DOCA_TEST_SEED repeats a run. */
#include "mlx5_rig.h"

#include <poll.h>

enum {
    SLOT = 16384, /* bytes of a job's source, and of its destination */
    NUM_SLOTS = 96,
    NUM_CTXS = 6,
    NUM_PES = 2, /* context i is on PE i % NUM_PES */
    NUM_JOBS = 20, /* maximum number of jobs of a context at a time */
    MAX_LIST = DOCA_CORE_MLX5_MAX_LIST,
    NUM_BUFS = 16384,
};

static const double duration = 1.2; /* seconds that each engine is tested */
static const double patience = 20;  /* seconds within which every kind of job must have occurred */

static unsigned char from[NUM_SLOTS * SLOT], to[NUM_SLOTS * SLOT];
static unsigned char want[NUM_SLOTS * SLOT]; /* expected content of `to` when all jobs have ended */
static unsigned char was[NUM_SLOTS * SLOT];  /* content of each slot of `to` before its job */
static bool is_used[NUM_SLOTS];

/* One task; no other task uses its slots of source and destination. */
struct job {
    bool is_live;
    bool is_bad;   /* the device or the backend must refuse it */
    bool is_moved; /* the source is also in `to`, and usually overlaps the destination */
    unsigned ctx, slot, number;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    unsigned num_dst;
    size_t lens[MAX_LIST + 1]; /* expected lengths of the destination's elements after success */
};

static struct {
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct job jobs[NUM_JOBS];
    unsigned num_begun, num_ended; /* tasks end in the order of their submission */
    bool is_broken;                /* a task has failed, so the tasks behind it fail too */
    bool is_stopping;
} ctxs[NUM_CTXS];

static struct doca_dev *dev;
static struct doca_mmap *from_map, *to_map;
static struct doca_buf_inventory *inventory;
static struct doca_pe *pes[NUM_PES];
static int handles[NUM_PES];
static struct {
    unsigned num_ok, num_failed, num_bad, num_resubmitted, num_restarts;
    unsigned num_waits;  /* calls of sleep_until_done() */
    unsigned num_sleeps; /* sleeps in these calls; a fast device may need none */
} seen;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- one job ---- */

static size_t source_len(unsigned num, size_t room)
{
    if (num == 1 && rig_random(30) == 0)
        return SLOT / 2;
    if (rig_random(num == 1 ? 15 : 5) == 0)
        return 0;
    return rig_random(4) == 0 ? 1 + rig_random(3) : 1 + rig_random((uint32_t)room - 4);
}

static void chain(struct doca_buf **list, struct doca_buf *buf)
{
    if (*list == NULL)
        *list = buf;
    else
        CHECK_OK(doca_buf_chain_list(*list, buf));
}

/* Make the source and write its content to `bytes`, which has room for SLOT. */
static size_t make_source(struct job *job, unsigned char *bytes)
{
    unsigned kind = rig_random(12), num = 1, i;
    size_t total = 0, room, len, k;

    if (kind >= 6)
        num = kind < 10    ? 1 + rig_random(6)
              : kind == 10 ? MAX_LIST
                           : rig_random(20) == 0 ? MAX_LIST + 1 : 3;
    job->is_bad = num > MAX_LIST;
    job->is_moved = num == 1 && rig_random(6) == 0;
    room = SLOT / 2 / num;
    for (i = 0; i < num; i++) {
        unsigned char *at = (job->is_moved ? to : from) + (size_t)job->slot * SLOT + i * room +
                            rig_random(3);
        struct doca_buf *buf;

        len = source_len(num, room);
        for (k = 0; !job->is_moved && k < len; k += len > 64 ? 31 : 1)
            at[k] = (unsigned char)rig_random(256);
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, job->is_moved ? to_map : from_map,
                                                    at, len > 0 ? len : 1, &buf));
        if (len == 0)
            CHECK_OK(doca_buf_set_data(buf, at, 0));
        memcpy(bytes + total, at, len);
        total += len;
        chain(&job->src, buf);
    }
    return total;
}

/* Make the destination. `after` receives the expected content of its slot after success. */
static void make_destination(struct job *job, const unsigned char *bytes, size_t total,
                             unsigned char *after)
{
    unsigned num = rig_random(3) == 0 ? 1 + rig_random(7) : 1, i;
    bool is_tight = rig_random(25) == 0;
    size_t left = total, at = 0;

    if (rig_random(40) == 0)
        num = MAX_LIST + (rig_random(8) == 0);
    if (job->is_moved) {
        num = 1;
        at = rig_random(40);
    }
    for (i = 0; i < num; i++) {
        size_t head = rig_random(20), have = rig_random(3) == 0 ? rig_random(9) : 0, room, take;
        unsigned char *begin = to + (size_t)job->slot * SLOT + at;
        struct doca_buf *buf;

        if (i < num - 1)
            room = rig_random(3) == 0 ? 0 : rig_random((uint32_t)left + 1);
        else
            room = is_tight && left > 0 ? left - 1 : left + (rig_random(2) ? 0 : rig_random(50));
        if (head + have + room == 0)
            head = 1;
        take = room < left ? room : left;
        CHECK(at + head + have + room <= SLOT);
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, to_map, begin, head + have + room,
                                                    &buf));
        CHECK_OK(doca_buf_set_data(buf, begin + head, have));
        memcpy(after + at + head + have, bytes + (total - left), take);
        job->lens[i] = have + take;
        left -= take;
        at += head + have + room;
        chain(&job->dst, buf);
    }
    job->num_dst = num;
    job->is_bad |= num > MAX_LIST || left > 0 || total == 0;
}

static void drop(struct job *job)
{
    CHECK_OK(doca_buf_dec_refcount(job->src, NULL));
    CHECK_OK(doca_buf_dec_refcount(job->dst, NULL));
}

static struct job *free_job(unsigned ctx)
{
    unsigned slot = rig_random(NUM_SLOTS), i;

    for (i = 0; i < NUM_JOBS && ctxs[ctx].jobs[i].is_live; i++)
        continue;
    if (i == NUM_JOBS || is_used[slot] || rig_state(ctxs[ctx].ctx) != DOCA_CTX_STATE_RUNNING)
        return NULL;
    memset(&ctxs[ctx].jobs[i], 0, sizeof(ctxs[ctx].jobs[i]));
    ctxs[ctx].jobs[i].ctx = ctx;
    ctxs[ctx].jobs[i].slot = slot;
    return &ctxs[ctx].jobs[i];
}

static bool begin_job(unsigned ctx)
{
    static unsigned char bytes[SLOT], after[SLOT];
    struct job *job = free_job(ctx);
    union doca_data data = { .ptr = job };
    size_t at;

    if (job == NULL)
        return false;
    at = (size_t)job->slot * SLOT;
    memcpy(after, want + at, SLOT);
    make_destination(job, bytes, make_source(job, bytes), after);
    if (job->is_bad && rig_random(4) != 0) { /* most bad jobs are dropped: each stops a context */
        drop(job);
        return false;
    }
    memcpy(was + at, want + at, SLOT);
    if (!job->is_bad)
        memcpy(want + at, after, SLOT);
    CHECK_OK(doca_dma_task_memcpy_alloc_init(ctxs[ctx].dma, job->src, job->dst, data, &job->task));
    job->is_live = true;
    job->number = ctxs[ctx].num_begun++;
    is_used[job->slot] = true;
    seen.num_bad += job->is_bad;
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(job->task),
                                 rig_random(4) == 0 ? DOCA_TASK_SUBMIT_FLAG_NONE
                                                    : DOCA_TASK_SUBMIT_FLAG_FLUSH));
    if (rig_random(3) == 0)
        doca_ctx_flush_tasks(ctxs[ctx].ctx);
    return true;
}

static void check_success(const struct job *job)
{
    struct doca_buf *buf = job->dst;
    unsigned i;

    CHECK(!job->is_bad && !ctxs[job->ctx].is_broken);
    for (i = 0; buf != NULL; i++) {
        CHECK(i < job->num_dst);
        CHECK_EQ(rig_data_len(buf), job->lens[i]);
        CHECK_OK(doca_buf_get_next_in_list(buf, &buf));
    }
    CHECK_EQ(i, job->num_dst);
    CHECK_MEM(to + (size_t)job->slot * SLOT, want + (size_t)job->slot * SLOT, SLOT);
}

/* Check that the task changed its destination only where it wrote bytes of its source. A task that
 * was refused itself (is_bad) must not have written at all. */
static void check_failure(struct job *job, doca_error_t status)
{
    size_t at = (size_t)job->slot * SLOT, i;

    CHECK(status == DOCA_ERROR_IO_FAILED ||
          (ctxs[job->ctx].is_stopping && status == DOCA_ERROR_SHUTDOWN));
    CHECK(job->is_bad || ctxs[job->ctx].is_broken || ctxs[job->ctx].is_stopping);
    for (i = at; i < at + SLOT; i++)
        CHECK(to[i] == was[i] || to[i] == want[i]);
    memcpy(want + at, to + at, SLOT);
    ctxs[job->ctx].is_broken |= job->is_bad && !ctxs[job->ctx].is_stopping;
}

static void stop_ctx(unsigned ctx)
{
    doca_error_t rc;

    if (ctxs[ctx].is_stopping || rig_state(ctxs[ctx].ctx) != DOCA_CTX_STATE_RUNNING)
        return;
    ctxs[ctx].is_stopping = true;
    rc = doca_ctx_stop(ctxs[ctx].ctx);
    CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
}

static void job_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                     union doca_data ctx_data)
{
    doca_error_t status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    struct job *job = task_data.ptr;
    unsigned ctx = (unsigned)ctx_data.u64;

    CHECK(job->is_live && job->ctx == ctx && job->task == task);
    CHECK_EQ(job->number, ctxs[ctx].num_ended);
    ctxs[ctx].num_ended++;
    if (status == DOCA_SUCCESS) {
        seen.num_ok++;
        check_success(job);
    } else {
        seen.num_failed++;
        check_failure(job, status);
    }
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    drop(job);
    job->is_live = false;
    is_used[job->slot] = false;
    if (rig_random(8) == 0)
        seen.num_resubmitted += begin_job(ctx);
    if (rig_random(200) == 0)
        stop_ctx(ctx);
}

/* ---- contexts ---- */

static void make_ctx(unsigned ctx)
{
    union doca_data data = { .u64 = ctx };

    CHECK_OK(doca_dma_create(dev, &ctxs[ctx].dma));
    ctxs[ctx].ctx = doca_dma_as_ctx(ctxs[ctx].dma);
    CHECK_OK(doca_ctx_set_user_data(ctxs[ctx].ctx, data));
    CHECK_OK(doca_dma_task_memcpy_set_conf(ctxs[ctx].dma, job_done, job_done, NUM_JOBS));
    CHECK_OK(doca_pe_connect_ctx(pes[ctx % NUM_PES], ctxs[ctx].ctx));
}

/* Start idle contexts again. Some of them are destroyed and created again before. */
static void restart(void)
{
    unsigned i;

    for (i = 0; i < NUM_CTXS; i++) {
        if (rig_state(ctxs[i].ctx) != DOCA_CTX_STATE_IDLE)
            continue;
        CHECK_EQ(ctxs[i].num_ended, ctxs[i].num_begun);
        ctxs[i].is_broken = ctxs[i].is_stopping = false;
        if (rig_random(20) == 0) {
            CHECK_OK(doca_dma_destroy(ctxs[i].dma));
            make_ctx(i);
        }
        CHECK_OK(doca_ctx_start(ctxs[i].ctx));
        seen.num_restarts++;
    }
}

static void progress(void)
{
    unsigned i;

    for (i = 0; i < NUM_PES; i++)
        (void)doca_pe_progress(pes[i]);
}

/* Sleep until no task is in flight on a progress engine. A missing wake-up fails the case. */
static void sleep_until_done(unsigned pe)
{
    struct pollfd wait = { handles[pe], POLLIN, 0 };
    double begin = seconds();
    size_t num;
    unsigned i;

    seen.num_waits++;
    while (true) {
        do {
            for (i = pe; i < NUM_CTXS; i += NUM_PES)
                doca_ctx_flush_tasks(ctxs[i].ctx);
        } while (doca_pe_progress(pes[pe]));
        CHECK_OK(doca_pe_get_num_inflight_tasks(pes[pe], &num));
        if (num == 0)
            return;
        CHECK(seconds() - begin < 10);
        CHECK_OK(doca_pe_request_notification(pes[pe]));
        seen.num_sleeps++;
        CHECK_EQ(poll(&wait, 1, 5000), 1);
        CHECK_OK(doca_pe_clear_notification(pes[pe], handles[pe]));
    }
}

static void one_round(void)
{
    unsigned what = rig_random(10), i;

    if (what < 5) {
        for (i = rig_random(30) + 1; i > 0; i--)
            (void)begin_job(rig_random(NUM_CTXS));
    } else if (what < 8) {
        for (i = rig_random(40); i > 0; i--)
            progress();
        restart();
    } else if (what == 8 && rig_random(5) == 0) {
        stop_ctx(rig_random(NUM_CTXS));
    } else if (what == 9 && rig_random(3) == 0) {
        sleep_until_done(rig_random(NUM_PES));
    }
}

/* ---- a device ---- */

static void set_up(void)
{
    unsigned i;

    memset(&seen, 0, sizeof(seen));
    memset(ctxs, 0, sizeof(ctxs));
    memset(is_used, 0, sizeof(is_used));
    memset(to, 0xee, sizeof(to));
    memset(want, 0xee, sizeof(want));
    share_fill(from, sizeof(from), 3);
    dev = mlx5_open(0);
    from_map = share_map(dev, from, sizeof(from), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    to_map = share_map(dev, to, sizeof(to), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    CHECK_OK(doca_buf_inventory_create(NUM_BUFS, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    for (i = 0; i < NUM_PES; i++) {
        CHECK_OK(doca_pe_create(&pes[i]));
        CHECK_OK(doca_pe_get_notification_handle(pes[i], &handles[i]));
    }
    for (i = 0; i < NUM_CTXS; i++) {
        make_ctx(i);
        CHECK_OK(doca_ctx_start(ctxs[i].ctx));
    }
}

static void tear_down(void)
{
    double begin = seconds();
    unsigned i;

    for (i = 0; i < NUM_CTXS; i++)
        stop_ctx(i);
    for (i = 0; i < NUM_CTXS; i++) {
        while (rig_state(ctxs[i].ctx) != DOCA_CTX_STATE_IDLE) {
            progress();
            CHECK(seconds() - begin < 10);
        }
        CHECK_EQ(ctxs[i].num_ended, ctxs[i].num_begun);
        CHECK_OK(doca_dma_destroy(ctxs[i].dma));
    }
    CHECK_MEM(to, want, sizeof(to));
    for (i = 0; i < NUM_PES; i++)
        CHECK_OK(doca_pe_destroy(pes[i]));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(from_map));
    CHECK_OK(doca_mmap_destroy(to_map));
    CHECK_OK(doca_dev_close(dev));
}

static bool every_kind_has_occurred(void)
{
    return seen.num_ok > 100 && seen.num_bad > 0 && seen.num_failed >= seen.num_bad &&
           seen.num_resubmitted > 0 && seen.num_restarts > 0 && seen.num_waits > 0;
}

static void random_jobs_end_as_in_the_model(void)
{
    double begin;
    size_t i;

    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        (void)mlx5_show(mlx5_engines[i], mlx5_trap_sys());
        if (!mlx5_limits(0).has_dma)
            continue;
        CHECK_EQ(mlx5_limits(0).dma_max_buf_list_len, MAX_LIST);
        set_up();
        begin = seconds();
        do {
            one_round();
        } while (seconds() - begin < (every_kind_has_occurred() ? duration : patience));
        tear_down();
        printf("  engine %u: %u ok, %u failed, %u bad, %u from callbacks, %u restarts, %u sleeps\n",
               (unsigned)mlx5_engines[i], seen.num_ok, seen.num_failed, seen.num_bad,
               seen.num_resubmitted, seen.num_restarts, seen.num_sleeps);
        CHECK(every_kind_has_occurred());
    }
}

static const struct test_case cases[] = {
    CASE(random_jobs_end_as_in_the_model, ""),
};

TEST_MAIN(cases)

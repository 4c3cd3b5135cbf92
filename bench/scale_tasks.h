/* Rows of bench_scale.c: contexts of a progress engine, and tasks in flight. */
#ifndef BENCH_SCALE_TASKS_H
#define BENCH_SCALE_TASKS_H

#include "scale.h"

#define PER_CTX 65536u /* tasks of a context, at most: the limit of the software device */

/* Cache lines of a context with one task, including the headers of its blocks in the arena: 7 lines
 * of the context, and 3 of the queue and the task. An operation touches the first and the last line
 * of the context, and the lines of the queue and of the task. */
#define CTX_LINES 10u

static struct {
    struct doca_pe *pe;
    struct doca_dma **dmas;
    struct doca_task **tasks;
    struct bench_copy *copies;
    unsigned char *from, *to; /* SCALE_ROOM bytes for each task */
    unsigned long *lines;     /* of the bare pattern */
    size_t num_ctxs, num_tasks, num_lines, first, next;
    unsigned long num_done;
    bool must_resubmit;
    doca_notification_handle_t handle;
} tasks;

static void task_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                      union doca_data ctx_data)
{
    (void)ctx_data;
    tasks.num_done++;
    if (!tasks.must_resubmit)
        return;
    bench_must(doca_buf_reset_data_len(task_data.ptr));
    bench_must(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
}

static struct doca_dma *open_ctx(size_t num_tasks)
{
    struct doca_dma *dma = bench_dma_open(scale.rig.dev, tasks.pe);

    bench_dma_start(dma, task_done, (uint32_t)num_tasks);
    return dma;
}

/* Open `num_ctxs` contexts with `per` tasks each. */
static void open_ctxs(size_t num_ctxs, size_t per)
{
    size_t c, num_tasks = num_ctxs * per, data_bytes = num_tasks * SCALE_ROOM;

    memset(&tasks, 0, sizeof(tasks));
    tasks.num_ctxs = num_ctxs;
    tasks.from = bench_pages(2 * data_bytes);
    tasks.to = tasks.from + data_bytes;
    tasks.dmas = bench_pages(num_ctxs * sizeof(void *));
    tasks.tasks = bench_pages(num_tasks * sizeof(void *));
    tasks.copies = bench_pages(num_tasks * sizeof(*tasks.copies));
    tasks.num_lines = num_ctxs * (CTX_LINES - 1) + num_tasks + 2 * num_tasks;
    tasks.lines = bench_pages(tasks.num_lines * BENCH_LINE);
    bench_rig_open(&scale.rig, tasks.from, 2 * data_bytes, 2 * num_tasks);
    bench_must(doca_pe_create(&tasks.pe));
    for (c = 0; c < num_ctxs; c++)
        tasks.dmas[c] = open_ctx(per);
}

/* Allocate all tasks, each with bufs and data of its own. */
static void open_tasks(size_t num_ctxs, size_t per)
{
    struct doca_dma_task_memcpy *task;
    union doca_data data;
    size_t i;

    open_ctxs(num_ctxs, per);
    tasks.num_tasks = num_ctxs * per;
    for (i = 0; i < tasks.num_tasks; i++) {
        bench_copy_open(&tasks.copies[i], &scale.rig, scale.rig.map, tasks.from + i * SCALE_ROOM,
                        tasks.to + i * SCALE_ROOM, SCALE_ROOM);
        data.ptr = tasks.copies[i].dst;
        bench_must(doca_dma_task_memcpy_alloc_init(tasks.dmas[i / per], tasks.copies[i].src,
                                                   tasks.copies[i].dst, data, &task));
        tasks.tasks[i] = doca_dma_task_memcpy_as_task(task);
    }
}

static void progress_all(void)
{
    while (doca_pe_progress(tasks.pe) != 0)
        continue;
}

static void close_tasks(size_t num)
{
    const size_t num_slots = tasks.num_ctxs * (num / tasks.num_ctxs);
    size_t i;

    tasks.must_resubmit = false;
    progress_all();
    for (i = 0; i < tasks.num_tasks; i++) {
        doca_task_free(tasks.tasks[i]);
        bench_copy_close(&tasks.copies[i]);
    }
    for (i = 0; i < tasks.num_ctxs; i++)
        bench_must(doca_dma_destroy(tasks.dmas[i]));
    bench_must(doca_pe_destroy(tasks.pe));
    bench_rig_close(&scale.rig);
    scale_drop(tasks.lines, tasks.num_lines * BENCH_LINE);
    scale_drop(tasks.copies, num_slots * sizeof(*tasks.copies));
    scale_drop(tasks.tasks, num_slots * sizeof(void *));
    scale_drop(tasks.dmas, tasks.num_ctxs * sizeof(void *));
    scale_drop(tasks.from, 2 * num_slots * SCALE_ROOM);
}

static void submit_all(void)
{
    size_t i;

    tasks.must_resubmit = true;
    for (i = 0; i < tasks.num_tasks; i++) {
        bench_must(doca_buf_reset_data_len(tasks.copies[i].dst));
        bench_must(doca_task_submit(tasks.tasks[i]));
    }
}

/* ---- contexts: one is busy, or all are ---- */

static void open_idle(size_t num)
{
    open_tasks(num, 1);
    progress_all();
}

/* Return the link in a cache line of the bare pattern: the index of the line to go to next. It
 * stands for a pointer of the library: from a context or a task to the next one, from a queue to
 * its task, from a task to its bufs, and from a buf to its data. */
BENCH_INLINE unsigned long *link_of(size_t line)
{
    return &tasks.lines[line * (BENCH_LINE / sizeof(long)) + 1];
}

static void link_bufs(size_t first)
{
    size_t i;

    for (i = 0; i < 2 * tasks.num_tasks; i++)
        *link_of(first + i) = i / 2;
}

static void link_ctxs(void)
{
    size_t i, line;

    for (i = 0; i < tasks.num_ctxs; i++) {
        line = i * CTX_LINES;
        *link_of(line + 1) = i + 1 < tasks.num_ctxs ? i + 1 : 0;
        *link_of(line + 8) = line + 9;
        *link_of(line + 9) = i;
    }
    link_bufs(tasks.num_ctxs * CTX_LINES);
}

static void open_busy(size_t num)
{
    open_tasks(num, 1);
    submit_all();
    link_ctxs();
}

static void run_one_ctx(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--) {
        bench_must(doca_buf_reset_data_len(tasks.copies[0].dst));
        bench_must(doca_task_submit(tasks.tasks[0]));
        while (doca_pe_progress(tasks.pe) == 0)
            continue;
    }
}

/* Complete a task, whose callback submits the task again. */
static void run_in_flight(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        bench_check(doca_pe_progress(tasks.pe) == 1, "no task completed");
}

/* Count in a cache line of the bare pattern. */
BENCH_INLINE void touch(size_t line)
{
    tasks.lines[line * (BENCH_LINE / sizeof(long))]++;
}

/* Touch the two bufs of a task, and copy the data to which they lead. `first` is the first line of
 * all bufs. */
BENCH_INLINE void touch_copy(size_t first, size_t i)
{
    const size_t src = first + 2 * i, dst = src + 1;

    touch(src);
    touch(dst);
    memcpy(tasks.to + *link_of(dst) * SCALE_ROOM, tasks.from + *link_of(src) * SCALE_ROOM,
           SCALE_ROOM);
}

static void bare_ctxs(unsigned long n, const void *arg)
{
    size_t i, line;

    (void)arg;
    for (; bench_left(n); n--) {
        i = tasks.next;
        line = i * CTX_LINES;
        touch(line + 1);
        touch(line + 8);
        touch(*link_of(line + 8));
        touch_copy(tasks.num_ctxs * CTX_LINES, *link_of(*link_of(line + 8)));
        touch(line + 6);
        SCALE_IDLE(80);
        tasks.next = *link_of(line + 1);
    }
}

/* ---- sleeping ---- */

static void open_sleepers(size_t num)
{
    open_idle(num);
    bench_must(doca_pe_get_notification_handle(tasks.pe, &tasks.handle));
}

static void open_busy_sleepers(size_t num)
{
    open_sleepers(num);
    submit_all();
    link_ctxs();
}

static void run_sleep(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--) {
        bench_must(doca_buf_reset_data_len(tasks.copies[0].dst));
        bench_must(doca_pe_request_notification(tasks.pe));
        bench_must(doca_task_submit(tasks.tasks[0]));
        bench_must(doca_pe_clear_notification(tasks.pe, tasks.handle));
        while (doca_pe_progress(tasks.pe) == 0)
            continue;
    }
}

/* Ask for a notification while every context has a task to complete. */
static void run_busy_sleep(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--) {
        bench_must(doca_pe_request_notification(tasks.pe));
        bench_must(doca_pe_clear_notification(tasks.pe, tasks.handle));
        bench_check(doca_pe_progress(tasks.pe) == 1, "no task completed");
    }
}

static void run_count(unsigned long n, const void *arg)
{
    size_t num;

    (void)arg;
    for (; bench_left(n); n--)
        bench_must(doca_pe_get_num_inflight_tasks(tasks.pe, &num));
}

/* ---- the life of a context ---- */

static void open_unused(size_t num)
{
    open_ctxs(num, 1);
}

static void run_newest_ctx(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        bench_must(doca_dma_destroy(open_ctx(1)));
}

/* Destroy the oldest context, and open another one. */
static void run_oldest_ctx(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--) {
        bench_must(doca_dma_destroy(tasks.dmas[tasks.first]));
        tasks.dmas[tasks.first] = open_ctx(1);
        tasks.first = tasks.first + 1 < tasks.num_ctxs ? tasks.first + 1 : 0;
    }
}

/* ---- tasks ---- */

/* Return which task completes as the n-th: contexts take turns, and the tasks of each complete in
 * the order of memory. */
static size_t nth_flight(size_t n)
{
    return n % tasks.num_ctxs * (tasks.num_tasks / tasks.num_ctxs) + n / tasks.num_ctxs;
}

static void open_flights(size_t num)
{
    size_t i, num_ctxs = (num - 1) / PER_CTX + 1;

    open_tasks(num_ctxs, num / num_ctxs);
    submit_all();
    for (i = 0; i < tasks.num_tasks; i++)
        *link_of(nth_flight(i)) = nth_flight(i + 1 < tasks.num_tasks ? i + 1 : 0);
    link_bufs(tasks.num_tasks);
}

static void bare_flights(unsigned long n, const void *arg)
{
    size_t i;

    (void)arg;
    for (; bench_left(n); n--) {
        i = tasks.next;
        touch(i);
        touch_copy(tasks.num_tasks, i);
        SCALE_IDLE(80);
        tasks.next = *link_of(i);
    }
}

#define CTX_ROW .x = "contexts", .factor = 4, .max = 4096, .smoke_max = 256

static const struct scale_row scale_task_rows[] = {
    { .work = "ctx_one",
      .title = "64 B task of one context, the others are idle",
      CTX_ROW,
      .open = open_idle,
      .close = close_tasks,
      .run = run_one_ctx },
    { .work = "ctx_all",
      .title = "64 B task, all contexts have one in flight",
      CTX_ROW,
      .open = open_busy,
      .close = close_tasks,
      .run = run_in_flight,
      .bare = bare_ctxs,
      .bare_name = "count in 4 lines of a context and in 2 bufs, copy 64 B" },
    { .work = "ctx_sleep",
      .title = "request_notification, submit, clear, progress of one context",
      CTX_ROW,
      .open = open_sleepers,
      .close = close_tasks,
      .run = run_sleep },
    { .work = "ctx_busy_sleep",
      .title = "request_notification, clear, progress while all contexts have a task",
      CTX_ROW,
      .open = open_busy_sleepers,
      .close = close_tasks,
      .run = run_busy_sleep,
      .bare = bare_ctxs,
      .bare_name = "count in 4 lines of a context and in 2 bufs, copy 64 B" },
    { .work = "ctx_count",
      .title = "doca_pe_get_num_inflight_tasks, all contexts are idle",
      CTX_ROW,
      .open = open_idle,
      .close = close_tasks,
      .run = run_count },
    { .work = "ctx_newest",
      .title = "open one more context, and destroy that one",
      CTX_ROW,
      .open = open_unused,
      .close = close_tasks,
      .run = run_newest_ctx },
    { .work = "ctx_oldest",
      .title = "destroy the oldest context, and open another one",
      CTX_ROW,
      .open = open_unused,
      .close = close_tasks,
      .run = run_oldest_ctx },
    { .work = "tasks",
      .title = "64 B task, all tasks are in flight",
      .x = "tasks in flight",
      .factor = 16,
      .max = (size_t)1 << 20,
      .smoke_max = 4096,
      .bytes_each = 600,
      .open = open_flights,
      .close = close_tasks,
      .run = run_in_flight,
      .bare = bare_flights,
      .bare_name = "count in a task and in 2 bufs, copy 64 B" },
};

#endif

/* The progress loop: the cost of doca_pe_progress() when there is nothing to do, the cost of idle
 * contexts beside a busy one, and the cost of a sleep: submit, wake by the handle of the PE,
 * callback. The limits are an epoll_wait() that finds nothing, and an eventfd that one thread
 * writes, waits for and reads. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "rig.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#define MANY 64u
#define SMALL 64u

/* Source and destination are an odd number of cache lines apart; bench_dma.c says why. */
static unsigned char memory[2 * 4096] __attribute__((aligned(4096)));
static unsigned char *const from = memory, *const to = memory + 4096 + 21 * BENCH_LINE;

static struct loop { /* a PE with some contexts; the first context has a task */
    struct doca_pe *pe;
    unsigned num;
    struct doca_dma *dma[MANY];
    struct bench_copy copy;
    struct doca_task *task;
    doca_notification_handle_t handle;
} one = { .num = 1 }, many = { .num = MANY };

static struct bench_rig rig;
static unsigned long num_done;
static int nothing; /* an epoll set of an eventfd that is never written */
static int event, event_set;
static int handle_set = -1; /* an epoll set of a PE's handle */

static void on_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data;
    num_done++;
}

static void open_loop(struct loop *l)
{
    const union doca_data none = { NULL };
    struct doca_dma_task_memcpy *task;
    unsigned i;

    bench_must(doca_pe_create(&l->pe));
    for (i = 0; i < l->num; i++) {
        l->dma[i] = bench_dma_open(rig.dev, l->pe);
        bench_dma_start(l->dma[i], on_done, 1);
    }
    bench_copy_open(&l->copy, &rig, rig.map, from, to, SMALL);
    bench_must(doca_dma_task_memcpy_alloc_init(l->dma[0], l->copy.src, l->copy.dst, none, &task));
    l->task = doca_dma_task_memcpy_as_task(task);
    while (doca_pe_progress(l->pe) != 0)
        continue;
}

static void close_loop(struct loop *l)
{
    unsigned i;

    doca_task_free(l->task);
    for (i = 0; i < l->num; i++)
        bench_must(doca_dma_destroy(l->dma[i]));
    bench_must(doca_pe_destroy(l->pe));
    bench_copy_close(&l->copy);
}

static int watch(int fd)
{
    struct epoll_event readable = { .events = EPOLLIN };
    int epoll = epoll_create1(EPOLL_CLOEXEC);

    bench_check(epoll >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &readable) == 0, "no epoll set");
    return epoll;
}

/* ---- nothing to do ---- */

BENCH_INLINE void idle(bool is_library, unsigned long n, const struct loop *l)
{
    for (; bench_left(n); n--)
        bench_check(BENCH_CALL(is_library, pe_progress, l->pe) == 0, "something moved");
}

static void idle_inlined(unsigned long n, const void *arg)
{
    idle(false, n, arg);
}

static void idle_library(unsigned long n, const void *arg)
{
    idle(true, n, arg);
}

static void epoll_idle(unsigned long n, const void *arg)
{
    struct epoll_event what;

    (void)arg;
    for (; bench_left(n); n--)
        bench_check(epoll_wait(nothing, &what, 1, 0) == 0, "something came");
}

/* ---- one busy context ---- */

static void busy(unsigned long n, const void *arg)
{
    const struct loop *l = arg;

    for (; bench_left(n); n--) {
        bench_must(doca_buf_reset_data_len(l->copy.dst));
        bench_must(doca_task_submit(l->task));
        while (doca_pe_progress(l->pe) == 0)
            continue;
    }
}

/* ---- a sleep that ends at once ---- */

/* Ask for the handle once, when the first work that sleeps begins: the other works measure a
 * program that never asked for a handle. */
static void handle_watched(const void *arg)
{
    (void)arg;
    if (handle_set < 0) {
        bench_must(doca_pe_get_notification_handle(one.pe, &one.handle));
        handle_set = watch(one.handle);
    }
}

static void sleep_on_pe(unsigned long n, const void *arg)
{
    const struct loop *l = arg;
    struct epoll_event what;

    for (; bench_left(n); n--) {
        bench_must(doca_buf_reset_data_len(l->copy.dst));
        bench_must(doca_pe_request_notification(l->pe));
        bench_must(doca_task_submit(l->task));
        bench_check(epoll_wait(handle_set, &what, 1, -1) == 1, "not woken");
        bench_must(doca_pe_clear_notification(l->pe, l->handle));
        while (doca_pe_progress(l->pe) != 0)
            continue;
    }
}

static void sleep_on_eventfd(unsigned long n, const void *arg)
{
    struct epoll_event what;
    uint64_t count = 1;

    (void)arg;
    for (; bench_left(n); n--)
        bench_check(write(event, &count, sizeof(count)) == sizeof(count) &&
                        epoll_wait(event_set, &what, 1, -1) == 1 &&
                        read(event, &count, sizeof(count)) == sizeof(count) && count == 1,
                    "not woken");
}

static bool is_copied(const struct bench_side *side)
{
    unsigned long before = num_done;

    bench_fill(from, SMALL);
    memset(to, 0, SMALL);
    if (side->begin != NULL)
        side->begin(side->arg);
    side->run(1, side->arg);
    return memcmp(from, to, SMALL) == 0 && num_done == before + 1;
}

static const struct bench_work works[] = {
    { .area = "pe",
      .work = "idle",
      .title = "progress with nothing to do",
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = idle_inlined, .arg = &one },
                 { .side = "ours", .name = "library", .run = idle_library, .arg = &one },
                 { .side = "ours", .name = "inlined, 64 contexts", .run = idle_inlined,
                   .arg = &many },
                 { .side = "limit", .name = "epoll_wait, nothing ready", .run = epoll_idle } },
      .targets = { { "12", "inlined", NULL, "none", 2.5, 1.4 },
                   { "12", "library", "inlined", "add_ns", 1.5, NAN },
                   { "12", "inlined, 64 contexts", "inlined", "ratio", 1.1, NAN } } },
    { .area = "pe",
      .work = "busy",
      .title = "64 B task, alone and beside 63 idle contexts",
      .bytes = SMALL,
      .batch = 1,
      .sides = { { .side = "ours", .name = "alone", .run = busy, .arg = &one,
                   .verify = is_copied },
                 { .side = "ours", .name = "one among 64", .run = busy, .arg = &many,
                   .verify = is_copied } },
      .targets = { { "12", "one among 64", "alone", "ratio", 1.2, 1.0 } } },
    { .area = "pe",
      .work = "epoll",
      .title = "request_notification, submit, epoll_wait, clear, progress, callback",
      .bytes = SMALL,
      .batch = 1,
      .sides = { { .side = "ours", .name = "inlined", .run = sleep_on_pe, .arg = &one,
                   .begin = handle_watched, .verify = is_copied },
                 { .side = "limit", .name = "eventfd write + epoll_wait + read",
                   .run = sleep_on_eventfd } },
      .targets = { { "20", "inlined", "eventfd write + epoll_wait + read", "ratio", 1.1, NAN } } },
};

int main(int argc, char **argv)
{
    int never;
    size_t i;

    bench_begin("bench_pe", argc, argv);
    bench_rig_open(&rig, memory, sizeof(memory), 4);
    open_loop(&one);
    open_loop(&many);
    never = eventfd(0, EFD_CLOEXEC);
    event = eventfd(0, EFD_CLOEXEC);
    nothing = watch(never);
    event_set = watch(event);
    for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
        bench_run(&works[i]);
    if (handle_set >= 0)
        close(handle_set);
    close(event_set);
    close(nothing);
    close(event);
    close(never);
    close_loop(&many);
    close_loop(&one);
    bench_rig_close(&rig);
    return bench_end();
}
